"""What a command imports is most of what it costs, so that is guarded by name, not by time."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import porto_cli
import porto_cli.__main__
from tests.processes import dialog

pytestmark = pytest.mark.outside

HEAVY = {
    *("rich.console", "rich.text", "questionary", "prompt_toolkit", "pydantic", "asyncio"),
    *("nacl", "nacl.bindings", "porto_cli.sealed", "getpass"),
    "importlib.metadata",
}
"""Modules that only a command may import that cannot do without them."""
NOT_FOR_A_MOVE = (
    *("players", "scenario", "simulate", "term", "cli.play", "cli.session", "cli.show"),
    *("games.porto.view", "games.porto.shown", "games.porto.options"),
    *("cli.scenario", "cli.simulate", "games.porto.position", "cli.hint", "match.copies"),
    *("match.said", "match.trial", "abilities", "installed", "settings"),
    *("paper", "pages", "cli.rules", "core.documents", "match.orders"),
    *("games.puerto_rico.commands", "games.puerto_rico.game", "games.puerto_rico.shown"),
)

MOST_FOR_A_MOVE = 43
"""Modules of the program: each costs its share of what a move takes, however little is in it."""
NEEDED_TO_TELL = {"porto_cli.term"}
"""A sentence is set in lines, and the words of a move are spans."""


PROGRAM = """
import atexit, runpy, sys
atexit.register(lambda: print("", *sys.modules, file=sys.stderr))
runpy.run_module("porto_cli", run_name="__main__", alter_sys=True)
"""
"""Runs the program, and names the modules at its end: of those that are loaded by a name that is a
text, as parts of games are, ``-X importtime`` does not tell."""


def imported_by(args: list[str], folder: Path, **environment: str) -> set[str]:
    """Run the program and return the names of all modules that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *args],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(porto_cli.__file__).parent.parent),
            **environment,
        },
    )
    assert done.returncode == 0, done.stderr
    return {*done.stderr.splitlines()[-1].split()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("startup")
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=match.state.seat)
    match.save(folder / "game.yaml")
    return folder


@pytest.fixture
def against(tmp_path: Path) -> Path:
    match = porto_cli.new_game(["Inês", "Rui"], seed="tram", first="Inês", bots={"Rui": "greedy"})
    match.save(tmp_path / "against.yaml")
    return tmp_path


def words_of(command: str, folder: Path) -> list[str]:
    match = porto_cli.load(folder / "game.yaml")
    words = {
        "draw": ["draw", "game.yaml", *match.text(match.legal_moves()[0]).split()[1:], "--dry-run"],
        "keep": ["keep", "game.yaml", "1", "2", "3", "--as", "Joana", "--dry-run"],
        "undo": ["undo", "game.yaml", "--as", "Inês", "--dry-run"],
        "mail": ["mail", "game.yaml", "--as", "Joana", "--to", "Inês"],
        "new": ["new", "-", "Inês", "Joana"],
        "me": ["me"],
        "games": ["games"],
    }
    return words.get(command, [command, "game.yaml"])


@pytest.mark.parametrize("command", ["draw", "show", "moves", "log", "score", "verify", "analyze"])
def test_a_plain_command_imports_nothing_heavy(folder: Path, command: str) -> None:
    assert not HEAVY & imported_by(words_of(command, folder), folder, PYTHONIOENCODING="utf-8")


def test_a_hint_imports_no_prompts_and_nothing_heavy(folder: Path) -> None:
    names = imported_by(["hint", "game.yaml", "--as", "Joana", "--think", "0.01"], folder)
    assert "porto_cli.games.porto.coach" in names
    assert not (HEAVY | {"porto_cli.cli.session", "numpy"}) & names


def test_a_move_imports_only_what_a_move_needs(folder: Path) -> None:
    names = imported_by(words_of("draw", folder), folder)
    ours = {name for name in names if name.startswith("porto_cli.")}
    assert "porto_cli.games.porto.notation" in ours
    assert len(ours) <= MOST_FOR_A_MOVE
    for part in NOT_FOR_A_MOVE:
        assert find_spec(f"porto_cli.{part}"), f"{part} has another name now"
        found = {name for name in ours if name.startswith(f"porto_cli.{part}")}
        assert found <= NEEDED_TO_TELL, part


@pytest.mark.parametrize("words", [("role", "mayor"), ("show",), ("verify",)], ids=" ".join)
def test_a_game_of_puerto_rico_needs_no_rulings_and_no_positions(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    match = porto_cli.new_game(["Inês", "Rui"], game="puerto-rico", seed="tram")
    match.save(tmp_path / "game.yaml")
    names = imported_by([words[0], "game.yaml", *words[1:]], tmp_path)
    assert "porto_cli.games.puerto_rico.events" in names
    assert not {"porto_cli.fields", "porto_cli.installed", "porto_cli.settings"} & names


@pytest.mark.parametrize("command", ["draw", "keep", "undo", "mail", "new", "verify"])
def test_a_game_without_bots_does_not_pay_for_them(folder: Path, command: str) -> None:
    names = imported_by(words_of(command, folder), folder)
    assert not {"porto_cli.players", "porto_cli.players.named"} & names


@pytest.mark.parametrize("command", ["show", "moves", "log", "score", "verify", "games"])
def test_who_only_looks_at_bots_does_not_load_them(against: Path, command: str) -> None:
    names = imported_by([command, "against.yaml"], against)
    assert "porto_cli.match.seats" in names
    assert not {"porto_cli.players", "porto_cli.simulate"} & names


def test_a_bot_moves_without_the_library_of_statistics(against: Path) -> None:
    names = imported_by(["keep", "against.yaml", "1", "2", "3"], against)
    assert "porto_cli.players" in names
    assert "statistics" not in names


def test_a_story_without_an_analysis_does_not_pay_for_one(folder: Path) -> None:
    names = imported_by(["log", "game.yaml", "--format", "html", "-o", "log.html"], folder)
    theirs = {name for name in names if name.startswith("porto_cli.players")}
    assert theirs <= {"porto_cli.players"}
    assert not {"concurrent.futures", "multiprocessing"} & names


@pytest.mark.skipif(sys.platform != "linux", reason="the short way to the folder is for Linux")
@pytest.mark.parametrize("command", ["draw", "show", "moves", "log", "score", "me", "games"])
def test_settings_that_are_not_there_cost_nothing(folder: Path, command: str) -> None:
    args = words_of(command, folder)
    names = imported_by(args, folder, PORTO_HOME="", XDG_CONFIG_HOME="", HOME=str(folder))
    assert "porto_cli.user" in names
    needed = {"porto_cli.settings"} if command in ("me", "games") else set()
    assert not ({"platformdirs", "porto_cli.settings"} - needed) & names
    assert not HEAVY & names


def test_a_simulation_of_one_process_imports_one_game_and_nothing_heavy(folder: Path) -> None:
    words = ["simulate", "random", "greedy", "-n", "1", "-j", "1", "--save", "cup.jsonl"]
    for _ in range(2):
        names = imported_by(words, folder)
        assert not (HEAVY - {"asyncio"}) & names
        assert not {"inspect.py", "csv"} & names
        other = {name for name in names if name.startswith("porto_cli.games.puerto_rico.engine.")}
        # Options of commands are made of these rows.
        assert other <= {"porto_cli.games.puerto_rico.engine"}


def test_completion_imports_nothing_heavy(folder: Path) -> None:
    words = {"_PORTO_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "porto draw game.yaml "}
    names = imported_by([], folder, **words)
    assert "porto_cli.games.porto.options" in names
    assert not (HEAVY | {"porto_cli.paper", "porto_cli.term.prompt"}) & names


def test_color_imports_rich_but_no_prompts(folder: Path) -> None:
    names = imported_by(["show", "game.yaml", "--color", "always"], folder)
    assert "rich.console" in names
    assert not {"questionary", "prompt_toolkit"} & names


@pytest.mark.parametrize(
    "words",
    [
        *(["new", "-", "Inês", "Joana"], ["games"], ["moves", "game.yaml"], ["rules"]),
        *(["mail", "game.yaml", "--as", "Inês", "--to", "Joana"], ["key", "--help"]),
    ],
    ids=" ".join,
)
def test_what_asks_nothing_imports_nothing_to_ask_with(folder: Path, words: list[str]) -> None:
    assert not {"questionary", "prompt_toolkit", "asyncio"} & imported_by(words, folder)


@pytest.mark.skipif(sys.platform == "win32", reason="There are no pseudo-terminals.")
def test_who_has_no_mail_server_plays_without_what_mails(folder: Path, tmp_path: Path) -> None:
    match = porto_cli.load(folder / "game.yaml")
    match.play(match.legal_moves()[0])
    match.save(tmp_path / "game.yaml")
    words = [sys.executable, "-X", "importtime", "-m", "porto_cli", "play", "game.yaml", "--plain"]
    answers = [("Hand the keyboard to Joana.", ""), ("? help", ".\r")]
    code, shown = dialog(words, answers, tmp_path, TERM="xterm-256color", PORTO_HOME=str(folder))
    assert code == 0
    assert "porto_cli.cli.session" in shown
    assert "porto_cli.mail.posting" not in shown


def test_a_ruling_of_the_box_is_found_without_looking_for_other_packages(folder: Path) -> None:
    names = imported_by(["rules", "P-BUILD-5"], folder)
    assert not {"importlib.metadata", "email"} & names


def test_the_version_imports_almost_nothing(folder: Path) -> None:
    names = imported_by(["--version"], folder)
    assert not {"typer", "yaml", "typing", "json"} & names
    assert {name for name in names if name.startswith("porto_cli")} == {"porto_cli"}


def test_the_installed_command_loads_nothing_of_ours_for_the_version() -> None:
    """The script itself is written by whoever installs: pip, with or without ``re``, or uv."""
    script = Path(sys.executable).with_name("porto")
    if sys.platform == "win32" or not script.exists():
        pytest.skip("porto is not installed as a script beside this Python.")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", script, "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"porto {porto_cli.__version__}\n"
    names = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert {name for name in names if name.startswith("porto_cli")} == {
        "porto_cli",
        "porto_cli.__main__",
    }
    assert not {"typer", "yaml", "typing", "json", "signal"} & names


def test_the_command_is_an_ordinary_entry_point() -> None:
    """So that every installer makes a launcher of it, on Windows and in paths with blanks too."""
    from importlib.metadata import entry_points

    (command,) = entry_points(group="console_scripts", name="porto")
    assert command.load() is porto_cli.__main__.main
