"""File names as nobody should choose them, and what is no file: nothing steers, forges or hangs."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from porto_cli.cli.lobby import _running, saved_games
from porto_cli.cli.new_game_prompts import _as_path
from porto_cli.core.characters import printable
from porto_cli.match.match import load, new_game
from tests.conftest import ROOT, run_porto
from tests.shares import one_in

RECORD = (ROOT / "records" / "porto" / "two-players.yaml").read_text("utf-8")
SCENARIO = """\
porto: 1
scenario: "{title}"
players: [Inês, Joana]
cases:
- legal-count: {count}
"""
NAMES = [
    "red\x1b[31m",
    "up\x9bA",
    "bell\x07",
    "one\ntwo.yaml: valid, 9 turns so far, fingerprint 00000000.",
    "back\rforged",
    "\u202egnp.",
    "not UTF-8 \udcff\udc80",
    "~nobody",
    "-x",
    "=1+1",
    "a\\b",
    "&<>'\"",
    "\uffff",
    "quoted 'twice'",
]
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\uffff]")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")


def test_what_is_not_seen_is_shown() -> None:
    assert printable("a\x1b[2J\n\x9b\udcff\u202e\U000e0041") == (
        "a\\x1b[2J\\n\\x9b\\xff\\u202e\\U000e0041"
    )
    for text in ("Inês", "김철수", "👩\u200d👦", "a\u00a0b\u3000c", "C:\\games\\x.yaml", ""):
        assert printable(text) is text


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_braces_in_names_of_players_are_shown_as_they_are(game: str, porto: Any) -> None:
    porto("new", "g.yaml", "{x}", "{0!r}", "--game", game, "--first", "{x}", "--seed", "tram")
    assert "{x} must" in porto("pass", "g.yaml").err
    verb, *words = ("keep", "1", "2", "3") if game == "porto" else ("role", "settler")
    assert porto(verb, "g.yaml", *words, "--as", "{x}").code == 0
    assert "{x}" in porto("log", "g.yaml").out


@pytest.fixture(params=one_in(3, NAMES), ids=ascii)
def name(request: pytest.FixtureRequest) -> str:
    return f"{request.param}.yaml"


def seen(*args: object, lines: int | None = None) -> Any:
    """Run a command, which may say what it likes, but not what a file's name makes it say."""
    result = run_porto(*args)
    for text in (result.out, result.err):
        assert not STEERS.search(text), args
    if lines is not None:
        assert len(result.out.splitlines()) == lines, result.out
    return result


def test_records(porto: Any, name: str) -> None:
    file = f"./{name}"
    assert seen("show", file).code == 4
    Path(file).write_text(RECORD, "utf-8")
    assert seen("verify", file, lines=2).code == 0
    assert json.loads(seen("verify", file, "--format", "json").out)["files"][0]["file"] == name
    for args in (("show",), ("log",), ("score",), ("moves",), ("score", "--as", name)):
        assert seen(*args, file).code in (0, 2)
    assert seen("new", file, "Ana").code == 4
    assert seen("show", file, "-o", f"{file}.out").code == 0
    assert seen("scenario", "--from", file, "--turn", 3, "-o", f"{file}.case").code == 0
    assert seen("scenario", f"{file}.case").code == 0
    assert seen("simulate", "random", "--from", file, "-n", 1, "-j", 1).code == 1
    Path(file).write_text(f"{RECORD}- nonsense\n", "utf-8")
    result = seen("verify", file, lines=0)
    assert result.code == 3
    assert len(result.err.splitlines()) == 1


def test_a_new_record_names_its_file_without_a_line_too_many(porto: Any, name: str) -> None:
    assert seen("new", "--seed", "s", f"./{name}", "Ana", "Rui").code == 0
    match = load(f"./{name}")
    assert match.record.text.splitlines()[1] == "porto: 1"
    assert seen("keep", f"./{name}", 1, 2, 3, "--as", "Ana").code == 0


def test_scenarios(porto: Any, name: str) -> None:
    Path("folder").mkdir()
    file = Path("folder", name)
    file.write_text(SCENARIO.format(title="Draws", count=11), "utf-8")
    result = seen("scenario", "folder")
    assert result.out.splitlines() == [
        f"folder/{printable(name)}  Draws",
        "  ok       legal-count",
        "           11 legal moves.",
        "",
        "1 case passed.",
    ]
    assert seen("scenario", "--explain", "folder").code == 0
    report = seen("scenario", "--format", "json", "folder").out
    assert json.loads(report)["files"][0]["file"] == f"folder/{name}"
    suite = ElementTree.fromstring(seen("scenario", "--format", "junit", "folder").out)[0]
    assert suite.get("name") == f"folder/{printable(name)}"
    file.write_text("nonsense", "utf-8")
    for form in ("text", "json", "junit"):
        assert seen("scenario", "--format", form, "folder").code == 3
    assert seen("scenario", f"nowhere/{name}").code == 4


def test_the_list_of_running_games(porto: Any, name: str, tmp_path: Path) -> None:
    new_game(["Ana", "Rui"], seed="s").save(tmp_path / name)
    (match,), _ = saved_games(tmp_path)
    label = _running(match, None)
    assert not STEERS.search(label)
    assert "\n" not in label


@pytest.mark.parametrize("title", ["\\uFFFF", "\\U0000FFFE", "two\\nlines", "tab\\there", "a\\Nb"])
def test_junit_is_xml_whatever_the_title(porto: Any, title: str, tmp_path: Path) -> None:
    Path("case.yaml").write_text(SCENARIO.format(title=title, count=1), "utf-8")
    result = porto("scenario", "--format", "junit", "case.yaml")
    if result.code == 3:
        assert "case.yaml:2:" in result.out
    (suite,) = ElementTree.fromstring(result.out)
    assert len(suite) == 1
    assert result.out.startswith("<?xml version='1.0' encoding='us-ascii'?>")
    assert result.out.isascii()
    lines = porto("scenario", "case.yaml").out.splitlines()
    assert sum(line.startswith(("  ok", "  FAIL")) for line in lines) <= 1


@pytest.fixture
def odd_files(tmp_path: Path) -> Path:
    """A folder of things that look like records; reading one of them would never end."""
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "gone.yaml").symlink_to("nowhere")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    with (tmp_path / "huge.yaml").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "good.yaml").write_text(new_game(["Ana", "Rui"], seed="s").record.text, "utf-8")
    return tmp_path


ODD = ("pipe.yaml", "zero.yaml", "folder.yaml", "gone.yaml", "loop.yaml", "huge.yaml")


@pytest.mark.timeout(20)
def test_other_files_are_neither_listed_nor_waited_for(odd_files: Path, complete: Any) -> None:
    assert [match.path for match in saved_games(odd_files)[0]] == [odd_files / "good.yaml"]
    for words, offered in (
        (["show", ""], ["good.yaml", "huge.yaml"]),
        (["show", "~nobodyhere/"], []),
        (["show", "~nobodyhere/x.yaml", "--as", ""], []),
        *((["show", name, "--as", ""], []) for name in ODD),
        *((["draw", name, ""], []) for name in ODD),
    ):
        assert complete(*words) == offered, words


def test_a_new_game_may_be_meant_for_the_home_of_nobody() -> None:
    assert _as_path("~nobodyhere/x") == Path("~nobodyhere/x.yaml")


def test_names_that_a_shell_could_not_take_are_not_offered(
    porto: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.yaml").touch()
    for shell in ("bash", "zsh", "fish"):
        monkeypatch.setenv("_PORTO_COMPLETE", f"complete_{shell}")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "porto show ")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setenv("COMP_WORDS", "porto\nshow\n")
        monkeypatch.setenv("COMP_CWORD", "2")
        result = porto()
        assert (result.code, result.err) == (0, "")
        assert not STEERS.search(result.out)
        for offered in ("~nobody", "=1+1", "a\\", "&<>", "quoted"):
            assert offered in result.out.replace("\\~", "~").replace("\\&\\<\\>", "&<>")
        for left_out in ("red", "up", "bell", "one", "forged", "UTF-8", "-x"):
            assert left_out not in result.out


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", [*ODD, "-", "/dev/zero", "", ".", "a\\0b"])
def test_the_record_of_a_scenario_is_a_file(porto: Any, odd_files: Path, name: str) -> None:
    text = f'porto: 1\nscenario: x\nrecord: "{name}"\ncases:\n- legal-count: 1\n'
    Path("case.yaml").write_text(text, "utf-8")
    result = porto("scenario", "case.yaml", stdin=RECORD)
    assert result.code == 3
    assert "case.yaml:3:9: " in result.err or name in ("huge.yaml", "a\\0b")


def test_the_record_of_a_scenario_may_be_called_like_standard_input(porto: Any) -> None:
    Path("-").write_text(RECORD, "utf-8")
    text = 'porto: 1\nscenario: x\nrecord: "-"\ncases:\n- then: {phase: over}\n'
    Path("case.yaml").write_text(text, "utf-8")
    assert porto("scenario", "case.yaml", stdin="nonsense").code == 0


@pytest.mark.timeout(20)
def test_a_folder_of_scenarios_is_searched_for_files(porto: Any, odd_files: Path) -> None:
    (odd_files / "good.yaml").unlink()
    (odd_files / "huge.yaml").unlink()
    (odd_files / "zero.yaml").unlink()
    (odd_files / "case.yaml").write_text(SCENARIO.format(title="x", count=11), "utf-8")
    assert porto("scenario", ".").code == 0
    assert stat.S_ISFIFO((odd_files / "pipe.yaml").stat().st_mode)


NONSENSE = ["²", "٣", "-1", "0", "1", "9" * 30, "", "abc", "1e3", " 80 ", "８０", "½", "80\n"]


@pytest.mark.parametrize("value", one_in(3, NONSENSE), ids=ascii)
@pytest.mark.parametrize("variable", ["COLUMNS", "LINES"])
def test_a_size_of_the_screen_that_is_no_number(
    porto: Any, variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = ROOT / "records" / "porto" / "two-players.yaml"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv(variable, value)
    scenario = next((ROOT / "scenarios" / "porto").glob("*/*.yaml"))
    for args in (("show", record), ("show", "--help"), ("rules",), ("scenario", scenario)):
        result = porto(*args)
        assert (result.code, result.err) == (0, "")
