"""Damaged files are refused with an exit code and a place, whatever is wrong with them.

The damage is done by :mod:`tests.fuzz`; below are the inputs that once were too much.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from porto_cli.core.yaml import LARGEST
from tests import fuzz
from tests.conftest import ROOT, run_porto

pytestmark = pytest.mark.outside

INPUTS = 250

needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="no alarms, no limits of memory")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is not limited there")


@needs_unix
def test_damaged_files_are_refused():
    report = fuzz.hunt("ribeira", INPUTS, jobs=2)
    assert report["inputs"] == INPUTS
    assert not report["findings"], "\n".join(["", *fuzz.sentences(report, "ribeira")])
    assert report["memory"] < fuzz.MEMORY
    assert {"0", "1", "3"} <= set(report["codes"]), "damage that is not noticed, refused, reported"


@needs_unix
@pytest.mark.slow
def test_as_many_damaged_files_as_a_minute_allows():
    report = fuzz.hunt("douro", 100_000, jobs=2, seconds=60)
    print(*fuzz.sentences(report, "douro"), sep="\n")
    assert not report["findings"], "\n".join(["", *fuzz.sentences(report, "douro")])


def test_every_kind_of_damage_is_done():
    made = [fuzz.input_of("kinds", number) for number in range(200)]
    assert {damage for given in made for damage in given.damages} == {
        damage.__name__ for damage in fuzz.DAMAGES
    }
    assert {given.command for given in made} > {"verify -", "scenario -"}
    verbs = {given.command.split()[0] for given in made}
    for game in fuzz.GAMES:
        assert verbs & set(fuzz.MOVES[game])
    texts = [given.data.decode("utf-8", "replace") for given in made]
    of_puerto_rico = sum("game: puerto-rico" in text for text in texts)
    assert 40 < of_puerto_rico < 160, "both games are damaged"
    assert made[7] == fuzz.input_of("kinds", 7), "a number makes the same input again"


@needs_unix
@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (fuzz.Result(70, "", "standard input:1:1: Oh."), "exit code 70"),
        (fuzz.Result(3, "", "standard input:9:1: Oh."), "the place is outside"),
        (fuzz.Result(3, "", "Oh."), "names no place"),
        (fuzz.Result(3, "", ""), "not a word"),
        (fuzz.Result(3, "", "Traceback (most recent call last):"), "a traceback"),
        (fuzz.Result(3, "", "standard input:1:1: \x1b[2J"), "steers the terminal"),
        (fuzz.Result(3, "", "standard input:1:1: Oh."), ""),
        (fuzz.Result(0, "", ""), ""),
    ],
)
def test_what_is_complained_about(monkeypatch, answer, complaint):
    """A hunt that finds nothing is worth something only if it would find something."""
    monkeypatch.setattr(fuzz, "run_porto", lambda *args, stdin: answer)
    wrong, _ = fuzz.complaint(fuzz.Input("verify -", {0, 3}, b"porto: 1\n", ()))
    assert complaint in wrong
    assert bool(wrong) == bool(complaint)


@needs_unix
def test_a_crash_and_a_hang_are_found(monkeypatch):
    given = fuzz.Input("verify -", {0, 3}, b"porto: 1\n", ())

    def crash(*args: str, stdin: bytes) -> None:
        raise KeyError("players")

    def hang(*args: str, stdin: bytes) -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "SECONDS", 0.1)
    for broken, sign in ((crash, "KeyError"), (hang, "TooSlowError")):
        monkeypatch.setattr(fuzz, "run_porto", broken)
        assert sign in fuzz.complaint(given)[0]


STEERS = [r"\e[2J", r"\a", r"\0", r"\x9b2J", r"\u202e", r"\u2028", r"\r"]
SHORT_SCENARIO = "porto: 1\n{}\nplayers: [Inês]\ncases: [{{legal-count: 3}}]\n"


@pytest.mark.parametrize("escape", STEERS)
def test_no_title_steers_the_terminal(escape):
    """It could otherwise clear the screen of whoever is sent the file."""
    record = (ROOT / "records" / "porto" / "solo-lost.yaml").read_text("utf-8")
    titled = record.replace("porto: 1\n", f'porto: 1\ntitle: "one{escape}two"\n')
    scenario = SHORT_SCENARIO.format(f'scenario: "one{escape}two"')
    for command, text, place in (("show", titled, "3:8"), ("scenario", scenario, "2:11")):
        result = run_porto(command, "-", stdin=text)
        assert result.code == 3
        assert f"standard input:{place}: " in result.out + result.err
        assert re.search("Control character|end a line", result.out + result.err)
        assert fuzz.STEERING.search(result.out + result.err) is None


def test_line_breaks_and_tabs_are_for_reading():
    scenario = SHORT_SCENARIO.format('scenario: "one\\ttwo"\nwhy: |\n  three\n  four')
    assert run_porto("scenario", "-", stdin=scenario).code == 1


NINES = "9" * 5000
"""More digits than Python makes a number of."""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["draw", "GAME", f"blue-1@{NINES}"], 2),
        (["keep", "GAME", "1", "2", NINES], 2),
        (["contract", "GAME", NINES], 2),
        (["build", "GAME", f"red-{NINES}", "red-1", "L4"], 2),
        (["moves", "GAME", "--house", f"L{NINES}"], 2),
        (["new", "-", "Inês", "--secrecy", "table", "--tokens", f"L3={NINES}"], 2),
    ],
)
def test_a_number_of_thousands_of_digits_is_no_number(porto, tmp_path, words, code):
    assert porto("new", tmp_path / "game.yaml", "Inês", "Joana").code == 0
    result = porto(*(str(tmp_path / "game.yaml") if word == "GAME" else word for word in words))
    assert result.code == code
    assert result.err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("L4: 2", f"L4: {NINES}"),
        ("porto: 1", f"porto: {NINES}"),
        ("tokens: {1: 5,", f"tokens: {{{NINES}: 5,"),
        ("heights: {L1: 1,", f"heights: {{L1: {NINES},"),
    ],
)
def test_nor_in_a_record(old, new):
    record = (base for base in fuzz.bases()["record"] if "name: cramped" in base.head)
    text = next(record).head
    assert old in text
    result = run_porto("verify", "-", stdin=text.replace(old, new))
    assert result.code == 3
    assert result.err.startswith("standard input:")


@pytest.mark.parametrize("key", ["houses: {L4: blue %s}", "round: %s", "hands: {Inês: [red-%s]}"])
def test_nor_in_a_scenario(key):
    position = f"scenario: x\nposition: {{{key % NINES}}}"
    result = run_porto("scenario", "-", stdin=SHORT_SCENARIO.format(position))
    assert result.code == 3
    assert "standard input:3:" in result.out + result.err


@pytest.mark.parametrize("command", ["scenario", "verify", "show", "scenario --from"])
def test_a_name_too_long_for_any_file(command):
    result = run_porto(*command.split(), "a" * 5000)
    assert result.code == 4
    assert "Traceback" not in result.err


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (%d, %d))
from porto_cli.cli.app import run
run(["verify", sys.argv[1]])
"""


@needs_linux
@pytest.mark.parametrize("part", ["{:x}: {{}}\n", "- [{{}}]\n"])
def test_a_file_of_many_small_parts_needs_no_memory(tmp_path, part):
    """Eight million bytes can hold millions of values, each of which would be an object."""
    file = tmp_path / "parts.yaml"
    file.write_text("".join(part.format(n) for n in range(LARGEST // 10)), "utf-8")
    assert file.stat().st_size < LARGEST
    code = LIMITED % (fuzz.MEMORY, fuzz.MEMORY)
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith(f"{file}:")
