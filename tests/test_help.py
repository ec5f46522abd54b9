"""The first screen, what leads to it, and what is said where something is missing."""

from __future__ import annotations

import runpy
import shlex
from typing import Any

import pytest

import porto_cli
from porto_cli.cli.commands import COMMANDS, MOVES, examples_of
from porto_cli.games import BOX, commands_of
from tests.conftest import ROOT, run_porto
from tests.shares import for_each


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (60, 20), (120, 40)])
def test_the_first_screen_fits_with_room_to_type(
    porto: Any, monkeypatch: pytest.MonkeyPatch, columns: int, lines: int
) -> None:
    """What it looks like is a snapshot of ``test_first_minute.py``."""
    monkeypatch.setenv("COLUMNS", str(columns))
    result = porto()
    assert (result.code, result.err) == (0, "")
    assert result.out == porto("--help").out == porto("help").out
    shown = result.out.splitlines()
    assert len(shown) < lines
    assert max(map(len, shown)) <= columns
    assert "…" not in result.out


def test_every_command_stands_on_the_first_screen_once(
    porto: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = [line[22:44] for line in porto().out.splitlines()[:-3]]
    names = [name for line in shown for name in line.strip(" ,").split(", ")]
    assert all(names.count(name) == 1 for name in COMMANDS if COMMANDS[name] != MOVES)


@pytest.mark.parametrize("columns", [60, 80])
def test_all_commands_are_explained_whole(
    porto: Any, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """A verb of two games stands with the moves of both, and says there what it does."""
    monkeypatch.setenv("COLUMNS", str(columns))
    result = porto("help", "all")
    assert (result.code, result.err) == (0, "")
    words = " ".join(result.out.split())
    for game in BOX:
        for verb, one in commands_of(game).verbs.items():
            does = " ".join(one.help.split("\n\n")[0].split())
            assert f"{verb} {does}" in words
    headings = [line for line in result.out.splitlines() if line and not line.startswith(" ")]
    first = headings.index("Start and continue")
    assert headings[first : first + 9] == [
        *("Start and continue", "Moves of Porto", "Moves of Puerto Rico", "Look", "Think ahead"),
        *("Mail", "Fair play", "Experiments", "Options without a command"),
    ]
    assert max(map(len, result.out.splitlines())) <= columns


def test_the_examples_of_the_help_are_those_of_the_manual() -> None:
    """There they are typed, see ``test_man.py``."""
    build = runpy.run_path(str(ROOT / "man" / "build.py"))
    typed = {
        tuple(shlex.split(line)[1:])
        for page in build["facts"]()["commands"].values()
        for lines, _ in page["examples"]
        for line in lines.replace("\\\n", " ").splitlines()
        if line.startswith("porto ")
    }
    moves = {(words[0], *words[2:]) for words in typed if words}
    for name in COMMANDS:
        examples = examples_of(name, BOX)
        assert examples, name
        # Else the page has those of the help alone.
        for line in examples if name in build["facts"]()["commands"] else ():
            words = tuple(shlex.split(line, comments=True)[1:])
            found = (words[0], *words[2:]) in moves if COMMANDS[name] == MOVES else words in typed
            assert found, line


@for_each(
    ("command", "said"),
    [
        ("hint", "From 0 to 3,600."),
        ("hint", "How many moves to show. From 1 to 20."),
        ("simulate", "How many games. 1 or more."),
        ("simulate", "from every seat. 1 or more."),
        ("analyze", "48 for Puerto Rico. 1 or more."),
        ("play", "without questions. 1 or more."),
        ("scenario", "the turn that was played next. 0 or more."),
    ],
)
def test_the_help_of_a_number_says_its_limits(command: str, said: str) -> None:
    assert said in " ".join(run_porto("help", command).out.split())


def test_the_help_of_a_command_ends_with_examples(porto: Any) -> None:
    assert porto("help", "build").out.endswith(
        "  Examples:\n"
        "    porto build friday.yaml red-2 green-3 L3 token L6  # Porto\n"
        "    porto build friday.yaml coffee-roaster  # Puerto Rico\n"
    )
    assert porto("help", "me").out.endswith("Examples:\n    porto me Ana\n")


@pytest.mark.parametrize(
    ("typed", "says", "command"),
    [
        ("list", "did you mean 'games'", "porto games"),
        ("resume", "did you mean 'play'", "porto play"),
        ("bots", "A bot is a program that plays", "porto new friday.yaml Inês --bot 'Rui 4'"),
        ("save", "Every command saves the game", "porto play"),
        ("redo", "is played again by its move", "porto moves FILE"),
        ("help save", "Every command saves the game", "porto help play"),
        ("quit", "nothing to save or to quit", "porto play"),
        ("end", "How a game ends is in its rules", "porto rules end"),
        ("status", "did you mean 'show'", "porto show FILE"),
        ("board --plain", "did you mean 'show'", "porto show FILE --plain"),
        ("leave", "did you mean 'seat'", "porto seat FILE"),
        ("history", "did you mean 'log'", "porto log FILE"),
        ("results", "r shows your best ones", "porto games"),
        ("dwar", "did you mean 'draw'", "porto draw FILE"),
        ("draw", "After 'porto draw', FILE is missing:", "porto draw friday.yaml blue-1 red-2"),
        (
            "show",
            "FILE is missing: the game's file",
            "porto show friday.yaml --as Inês",
        ),
        (
            "rules --fromat",
            "has no option --fromat; did you mean --format?",
            "porto rules --format",
        ),
        (
            "draw k.yaml red-2 --exepct 1234 --as An",
            "no option --exepct; did you mean --expect?",
            "porto draw k.yaml red-2 --expect 1234 --as An",
        ),
        ("new x.yaml Ian Has --ttle x", "no option --ttle;", "porto new x.yaml Ian Has --title x"),
        (
            "simulate 1 2 --gaems 5 --seed on",
            "no option --gaems;",
            "porto simulate 1 2 --games 5 --seed on",
        ),
        ("--foo", "'porto' has no option --foo.", "porto help"),
        ("show x.yaml -plain", "no option -plain; did you mean", "porto show x.yaml --plain"),
        ("build x.yaml --token", "HOUSE is missing: the same as", "porto help build"),
        ("simulate 1 -n 0", "type a whole number, 1 or more.", "porto help simulate"),
        ("hint x.yaml --moves 99", "type a whole number, from 1 to 20.", "porto help hint"),
        (
            "new x.yaml A --game puertorico",
            "the games are porto and puerto-rico.",
            "porto new x.yaml A --game puerto-rico",
        ),
        (
            "show x.yaml --as",
            "After '--as', NAME is missing: which player",
            "porto help show",
        ),
        ("show x.yaml --plain=1", "'--plain' does not take a value.", "porto help show"),
        ("show x.yaml y z", "'porto show' does not take 'y z'.", "porto help show"),
        ("show x.yaml --turn a", "'--turn': 'a' is not a whole number.", "porto help show"),
    ],
)
def test_what_cannot_be_run_leads_to_what_can(
    porto: Any, typed: str, says: str, command: str
) -> None:
    porto(*typed.split()).assert_leads_to(command, says=says)


def test_the_one_record_of_the_folder_is_proposed(porto: Any) -> None:
    assert porto("new", "sunday.yaml", "Ana", "Rui", "-q").code == 0
    assert porto("status").proposed == ["porto show sunday.yaml"]
    assert porto("draw").proposed[0].startswith("porto keep sunday.yaml 1 2 3 --as ")


def test_the_one_record_is_proposed_with_a_player_and_a_move_of_its_own(porto: Any) -> None:
    new = "new p.yaml Ana Rui Bo --first Ana --game puerto-rico -q"
    assert porto(*new.split()).code == 0
    assert porto("show").proposed[:2] == [
        "porto show p.yaml --as Ana",
        "porto show p.yaml --format svg -o friday.svg",
    ]
    assert porto("build").proposed == ["porto role p.yaml settler", "porto help build"]
    assert porto("draw").proposed[0] == "porto draw friday.yaml blue-1 red-2"


def test_a_game_is_not_proposed_to_be_set_up_or_joined_in_a_record_that_exists(porto: Any) -> None:
    assert porto("new", "sunday.yaml", "Ana", "Rui", "-q").code == 0
    assert porto("new").proposed[0] == "porto new friday.yaml Inês Joana Afonso"
    assert porto("join").proposed[0] == "porto join friday.yaml --as Joana"


def test_the_version_is_an_answer(porto: Any) -> None:
    result = porto("version")
    assert (result.code, result.out, result.err) == (0, f"porto {porto_cli.__version__}\n", "")


@pytest.mark.parametrize(
    ("word", "meant"), [("learn", "--learn"), ("Tutorial", "--learn"), ("daily", "--daily")]
)
def test_a_way_to_begin_that_is_no_command_is_an_option_of_play(porto, word: str, meant: str):
    result = porto(word)
    assert result.code == 2
    assert f"There is no command '{word}'; did you mean 'play {meant}'?" in result.err
    assert result.err.splitlines()[-1].split() == ["porto", "play", meant]


def test_the_word_of_another_game_is_answered_with_the_move_of_this_one(porto) -> None:
    assert porto("new", "root.yaml", "Ana").code == 0
    result = porto("take")
    assert result.code == 2
    assert "porto draw root.yaml " in result.err
    assert "quarry" not in result.err
    result = porto("take", "root.yaml", "yellow-2")
    assert (result.code, "Did you mean draw?" in result.err) == (2, True)
    assert "porto draw root.yaml yellow-2" in result.err


def test_without_a_file_the_one_record_of_this_folder_is_named(porto) -> None:
    assert porto("new", "root.yaml", "Ana").code == 0
    for command in ("analyze", "moves", "score", "verify", "hint", "log", "undo"):
        assert f"porto {command} root.yaml" in porto(command).err.replace("--bots ", "")


def test_a_name_to_play_that_is_nearly_that_of_a_record_is_asked_about_first(porto) -> None:
    assert porto("new", "root.yaml", "Ana").code == 0
    result = porto("play", "roto.yaml")
    assert result.code == 2
    assert "There is no file roto.yaml; did you mean root.yaml?" in result.err
    assert "porto new" not in result.err
    assert "porto new quite-another.yaml NAME" in porto("play", "quite-another.yaml").err
