"""The manual: what its pages say is what the program does, and they render cleanly."""

from __future__ import annotations

import contextlib
import re
import runpy
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from functools import cache
from pathlib import Path

import pytest

from porto_cli.cli.command_table import COMMANDS
from porto_cli.core.chance import choose
from porto_cli.core.yaml import InvalidFileError
from porto_cli.game import GAMES
from porto_cli.games.porto.editions import DEFAULT, edition_of_text, shipped
from porto_cli.games.porto.notation import PRIVATE_NAMES
from porto_cli.games.porto.position.fields import KEYS as PORTO_KEYS
from porto_cli.games.puerto_rico.position.fields import ASKED, GIVEN
from porto_cli.match import record
from porto_cli.match.match import load, loads
from porto_cli.match.replay import Replay
from porto_cli.scenario import runner
from tests.conftest import run_porto

ROOT = Path(__file__).parent.parent
MAN = ROOT / "man"
PAGES = sorted(MAN.glob("*.[1-8]"))
RECORD = (MAN / "porto-record.5").read_text("utf-8")
SCENARIO = (MAN / "porto-scenario.5").read_text("utf-8")

TOP = (*record._REQUIRED, *record._OPTIONAL)
OPTIONS = ("private-contracts", "tie-break", "timer")
SETUP = ("tokens", "cards", "contracts")
ITEMS = tuple(key for meta in GAMES.values() for key in meta.item_keys)
PUERTO_RICO = ("buildings", "tiles")


def plain(roff: str) -> str:
    """Return the text of an example as a reader sees it."""
    text = re.sub(r"\\f[BIR]", "", roff)
    text = re.sub(r"\\\[u([0-9A-F]{4})\]", lambda code: chr(int(code[1], 16)), text)
    for escape, char in ((r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\&", ""), (r"\e", "\\")):
        text = text.replace(escape, char)
    return text


def examples(page: str) -> list[str]:
    blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", page, re.MULTILINE | re.DOTALL)
    return [plain(block) for block in blocks]


def example(beginning: str) -> str:
    return next(text for text in examples(RECORD) if text.startswith(beginning))


def described(page: str) -> set[str]:
    """Return the words in bold that begin a paragraph with a tag, or a row of a table."""
    tags = re.findall(r"^\.TP\n\.BR? (.*)", plain(page), re.MULTILINE)
    tags += re.findall(r"^([a-z-]+);T\{$", plain(page), re.MULTILINE)
    return set(re.findall(r"[a-z-]+", " ".join(tags)))


def replayed(text: str) -> Replay:
    return loads(text, "example").replay


# -- porto-record(5)

RECORDS = [text for text in examples(RECORD) if "\nsetup:" in text]


def test_there_are_examples_of_both_kinds_of_secrecy():
    kinds = {replayed(text).record.secrecy for text in RECORDS}
    assert kinds == {"open", "table"}


@pytest.mark.parametrize("text", RECORDS, ids=range(len(RECORDS)))
def test_an_example_record_replays(text):
    assert replayed(text).steps


def test_the_fingerprint_of_the_example_is_the_one_named():
    game = replayed(RECORDS[0])
    assert len(game.steps) == 7
    assert f".BR {game.fingerprint} ." in RECORD
    of_puerto_rico = replayed(next(text for text in RECORDS if "game: puerto-rico" in text))
    assert f".BR {of_puerto_rico.fingerprint} ." in RECORD


def test_the_canonical_form_is_how_the_example_begins():
    whole = "\n".join(RECORDS[0].splitlines()[: RECORDS[0].splitlines().index("turns:") + 2])
    game = replayed(whole)
    from hashlib import sha256

    canonical = example("porto: 1\nrules: 1\nplayers: [Inês, Joana, Afonso]\nedition")
    assert sha256(canonical.rstrip("\n").encode()).hexdigest()[:8] == game.fingerprint


def test_the_vectors_are_what_the_chance_gives():
    tables = [text for text in examples(RECORD) if text.startswith("SEED ")]
    vectors = [line.split() for table in tables for line in table.splitlines()[1:]]
    assert len(vectors) > 10
    for seed, stream, index, count, choice in vectors:
        assert choose(seed, stream, int(index), int(count)) == int(choice)
    assert {stream for _, stream, *_ in vectors} == {
        *("tokens", "cards", "contracts", "private", "timer", "first", "buildings", "tiles")
    }


def test_the_deal_of_the_example_is_the_one_named():
    game = replayed(RECORDS[0])
    words = example("Inês    pairs").split()
    for seat, player in enumerate(game.record.config.players):
        dealt = [PRIVATE_NAMES[contract] for contract in game.opening.dealt[seat]]
        where = words.index(player)
        assert words[where + 1 : where + 6] == dealt


def test_the_example_edition_is_the_default_under_another_name():
    edition = edition_of_text(example("name: our-box"), "example")
    assert edition._replace(name=DEFAULT) == shipped(DEFAULT)


def test_the_example_result_has_the_form_of_a_result():
    head = RECORDS[0][: RECORDS[0].index("\n- Inês: draw")]
    result = example("- result:")
    with pytest.raises(InvalidFileError, match="The result comes after the last turn"):
        replayed(f"{head}\n{result}")
    keys = re.findall(r"^(?:- |  )([a-z]+):", result, re.MULTILINE)
    assert keys == ["result", "private", "fingerprint"]


def test_an_undo_can_stand_after_the_result():
    match = load(ROOT / "records" / "porto" / "solo-lost.yaml")
    assert match.over
    match.undo()
    assert match.record.text.endswith(": undo\n")
    assert not loads(match.record.text).over


@pytest.mark.parametrize("key", [*TOP, *ITEMS, *OPTIONS, *SETUP, *PUERTO_RICO])
def test_a_key_of_a_record_is_described(key):
    assert key in described(RECORD)


# -- porto-scenario(5)

KEYS = (*PORTO_KEYS, *GIVEN, *ASKED)
SCENARIOS = [text for text in examples(SCENARIO) if "\ncases:" in text]


@pytest.mark.parametrize("text", SCENARIOS, ids=range(len(SCENARIOS)))
def test_an_example_scenario_passes(text):
    found = runner.scenario_of_text(text, "example").cases
    assert found
    for case in found:
        assert runner.run(case).differences == ()


@pytest.mark.parametrize("key", [*runner._REQUIRED, *runner._OPTIONAL, *runner._CASE, *KEYS])
def test_a_key_of_a_scenario_is_described(key):
    assert key in described(SCENARIO)


# -- the pages that are made of the program

BUILD = runpy.run_path(str(MAN / "build.py"))
FACTS = BUILD["facts"]()
GAME = (
    "new friday.yaml Inês Joana --seed tram --first Inês",
    "keep friday.yaml 1 2 5 --as Inês",
    "keep friday.yaml 2 3 4 --as Joana",
    "draw friday.yaml green-3",
    "draw friday.yaml blue-1",
    "draw friday.yaml red-2",
    "draw friday.yaml red-3",
    "build friday.yaml red-2 green-3 L3 --token L6",
)
"""What is played before the examples of the pages are tried out; ``BEFORE`` says how far."""
ARRIVED = {"receive": ("friday(1).yaml", "friday.eml", "inbox")}
"""What has come by mail before the examples of a page are tried out."""
BEFORE = {"porto": 0, "new": 0, "keep": 1, "draw": 3, "build": 7, "contract": 8}


@pytest.mark.parametrize("name", BUILD["PAGES"])
def test_a_generated_page_is_up_to_date(name):
    page = BUILD["PAGES"][name]()
    assert (MAN / name).read_text("utf-8") == page, "run: python man/build.py"


def test_every_command_has_a_page_and_no_other():
    commands = {path.stem.removeprefix("porto-") for path in MAN.glob("porto-*.1")}
    assert commands == set(COMMANDS) == set(FACTS["commands"])


def command_lines(lines: str) -> list[list[str]]:
    joined = lines.replace("\\\n", " ").strip().splitlines()
    return [shlex.split(line)[1:] for line in joined]


@cache
def begun(count: int) -> dict[str, bytes]:
    """Return the files that so many lines of the game leave."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for line in GAME[:count]:
            assert run_porto(*shlex.split(line)).code == 0
        return {path.name: path.read_bytes() for path in Path().iterdir()}


SEALED = {"join", "reveal"}
"""Commands whose examples are typed by several people, each at an own computer."""


LASTING = {"analyze", "hint", "scenario", "tournament"}
"""Commands whose examples play many games or cases."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name in LASTING))
        for name in ("porto", *sorted(FACTS["commands"].keys() - SEALED))
    ],
)
def test_the_examples_of_a_page_can_be_typed(name, porto, tmp_path):
    examples = FACTS["porto" if name == "porto" else "commands"]
    examples = (examples if name == "porto" else examples[name])["examples"]
    assert examples
    for nth, (lines, _) in enumerate(examples):
        if not nth or name not in ("porto", "keep"):
            for path in tmp_path.iterdir():
                path.unlink()
            for path, data in begun(BEFORE.get(name, len(GAME) - 1)).items():
                Path(path).write_bytes(data)
            for path in ARRIVED.get(name, ()):
                shutil.copy("friday.yaml", path)
        of_puerto_rico = name != "new" and re.search(r"sunday|table", lines)
        for line in PUERTO_RICO_GAMES if of_puerto_rico else ():
            assert porto(*shlex.split(line)).code == 0
        for words in command_lines(lines):
            if "proof" in lines:
                continue  # It takes a cheater: see tests/test_cli_sealed.py.
            words = [found for word in words for found in (sorted(tmp_path.glob(word)) or [word])]
            result = porto(*words)
            if of_puerto_rico:
                assert result.code in (0, 1) or "that can" in result.err, result.err
            else:
                assert result.code == NOT_DONE.get(words[0], 0), result.err


@pytest.mark.long
def test_the_examples_of_a_sealed_game_can_be_typed(porto, monkeypatch, tmp_path):
    def at(name: str, words: list[str]) -> int:
        monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / name))
        return porto(*words).code

    new, join, unlock = (
        command_lines(lines)[0] for lines, _ in FACTS["commands"]["join"]["examples"]
    )
    assert at("Inês", new) == 0
    for name in ("Joana", "Afonso"):
        assert at(name, [word if word != "Joana" else name for word in join]) == 0
    for name in ("Inês", "Joana"):
        assert at(name, unlock) == 0
    reveal, without = (
        command_lines(lines)[0] for lines, _ in FACTS["commands"]["reveal"]["examples"]
    )
    assert at("Inês", reveal) == 1
    assert at("Inês", without) == 0


PUERTO_RICO_GAMES = (
    "new sunday.yaml Inês Joana Afonso --game puerto-rico --seed arecibo --first Inês",
    "new table.yaml Inês Joana Afonso --game puerto-rico --secrecy table --tiles 'corn sugar 3'",
)
"""The moves in the examples of Puerto Rico can be read; for each to be legal it takes a table.

A placement that is typed in short is read by the table alone, which says what it lacks.
"""
NOT_DONE = {"pass": 1, "play": 2}
"""Commands whose examples cannot be tried out in the game above, and how they end there."""


# -- all pages


def test_a_wheel_installs_every_page_where_man_looks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    installed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    pages = {f"man/{page.name}": f"share/man/man{page.suffix[1]}/{page.name}" for page in PAGES}
    assert pages == {source: to for source, to in installed.items() if source in pages}
    assert not [source for source in installed if not (ROOT / source).exists()]


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_renders_without_a_warning(page):
    shown = subprocess.run(
        ["man", "--warnings", "-l", str(page)],
        capture_output=True,
        env={
            "LC_ALL": "C.UTF-8",
            "MANWIDTH": "80",
            "PATH": "/usr/bin:/bin",
            "MAN_KEEP_FORMATTING": "",
        },
        check=True,
    )
    assert shown.stderr == b""
    assert len(shown.stdout) > 500


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_refers_to_pages_that_exist(page):
    text = plain(page.read_text("utf-8"))
    names = {
        (name, section) for name, section in re.findall(r"(porto[a-z-]*)[ \"]*\(([1-8])\)", text)
    }
    assert names
    for name, section in names:
        assert (MAN / f"{name}.{section}").exists(), f"{name}({section})"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_hyphens_that_are_typed_are_escaped(page):
    for line in page.read_text("utf-8").splitlines():
        if line.startswith((".TH", '.\\"', "'\\\"")):
            continue
        bare = re.findall(r"(?<!\\)-", line)
        words = re.findall(r"\b[a-z]+(?<!\\)-[a-z]+\b", line)
        assert len(bare) == len(words), line
