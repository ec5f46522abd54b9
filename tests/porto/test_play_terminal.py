"""porto play in a real pseudo-terminal: whole games, secrets, leaving."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli.new_game_prompts import remember_all_play_here
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.games.porto.phrases import private_contract
from porto_cli.games.porto.view import view
from porto_cli.sealed.steps import Identity
from tests.conftest import ROOT
from tests.porto.playing import CRAMPED
from tests.porto.test_play import cut
from tests.processes import at_home, in_a_terminal
from tests.protected_keys import protected

pytestmark = pytest.mark.outside

pexpect = pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("There are no pseudo-terminals.", allow_module_level=True)

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

ENTER, DOWN, ESC, CTRL_C = "\r", "\x1b[B", "\x1b", "\x03"
OTHER_SCREEN, FIRST_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
HIDDEN_CURSOR, VISIBLE_CURSOR = "\x1b[?25l", "\x1b[?25h"
WIPED = "\x1b[0;0H\x1b[J"
COLORED = r"\x1b\[[0-9;]*[345][0-9][;m]|38;5|48;5|38;2"
ASKS = "help"
"""Every question ends with a hint about help, so this is where one waits for a key."""
BEGINS = "\x1b[?2004h"
"""A question with a cursor begins with this, and is drawn again without it, as a slow machine does
between the letters of a name and the key behind them."""


class Terminal:
    """A program in a terminal, and somebody who reads and types there."""

    def __init__(self, folder: Path, *words: str, rows: int = 40, **env: str) -> None:
        command = [sys.executable, "-m", "porto_cli", *words]
        self.begins = "" if "--plain" in words or env.get("TERM") == "dumb" else BEGINS
        self.child = in_a_terminal(command, folder, at_home(folder) | env, rows=rows)
        # Somebody who types a key a tenth of a second after a question appears is fast enough
        # for the program, but not for a test of two hundred questions.
        self.child.delaybeforesend = None
        self.seen = ""

    def question(self, *ends: Any) -> str:
        """Wait for the next question, or one of the ``ends``; return all that was shown since the
        last one.
        """
        shown = ""
        for sign in filter(None, (self.begins, ASKS)):
            found = self.child.expect_exact([sign, *ends])
            shown += str(self.child.before) + str(self.child.after) * (found == 0)
        self.seen += shown
        return without_codes(shown)

    def rest(self) -> str:
        """Return what else is shown of a question, until nothing more comes."""
        shown = ""
        while self.child.expect([r"[\s\S]+", pexpect.TIMEOUT], timeout=0.5) == 0:
            shown += str(self.child.after)
        self.seen += shown
        return without_codes(shown)

    def type(self, keys: str) -> None:
        self.child.send(keys)

    def end(self) -> int:
        """Wait for the end of the program; return its exit code."""
        self.child.expect(pexpect.EOF)
        self.seen += str(self.child.before)
        self.child.close()
        return int(self.child.exitstatus)

    def play_on(self, *, until: str = "\0") -> str:
        """Take the first choice of every question until one says something, or to the end."""
        while True:
            text = self.question(pexpect.EOF)
            if self.child.after is pexpect.EOF or until in text:
                return text
            if "choose 3 contracts" in text:
                self.type(f" {DOWN} {DOWN} ")
            self.type("." if "What would you like to do now?" in text else ENTER)


def without_codes(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Any]:
    started: list[Terminal] = []

    def start(*words: str, **options: Any) -> Terminal:
        started.append(Terminal(tmp_path, *words, **options))
        return started[-1]

    yield start
    for one in started:
        one.child.close(force=True)


def test_contracts_to_keep_are_typed_in_a_line(tmp_path: Path, terminal: Any) -> None:
    path = tmp_path / "g.yaml"
    porto_cli.new_game(["Inês", "Joana"], seed="ribeira", first="Inês").save(path)
    player = terminal("play", "g.yaml", "--plain", "--as", "Inês")
    asked = " ".join(player.question().split())
    assert "choose 3 contracts" in asked
    state = porto_cli.load(path).state
    for one in view(state, 0)["players"][0]["private_contracts"]:
        whole = private_contract(one["contract"], one["scale"])
        assert f"{one['contract']}. {whole}" in asked, "nothing else says it line by line"
    player.type("1 2 2" + ENTER)
    assert "'1 2 2' is in none of these" in " ".join(player.question().split())
    player.type("5, 1 2" + ENTER)
    assert "Plan ahead" in player.question()
    player.type("." + ENTER)
    assert player.end() == 0
    assert "keep 1 2 5" in path.read_text("utf-8")


def test_more_help_is_offered_only_where_there_is_more(terminal: Any) -> None:
    """Before there is a table there are no rulings about it."""
    player = terminal("play")
    player.question()
    player.type("?")
    page = player.rest()
    assert "Learn begins a real game" in page
    assert "(Enter or Esc: done)" in page
    player.type("?")
    assert player.rest() == ""


def test_who_the_user_is_goes_for_play_and_all_goes_before_it(
    tmp_path: Path, terminal: Any
) -> None:
    porto_cli.new_game(["Inês", "Joana"], seed="ribeira", first="Inês").save(tmp_path / "g.yaml")
    alone = terminal("play", "g.yaml", PORTO_PLAYER="Joana")
    assert "Do Inês and Joana play at this keyboard?" in alone.question()
    alone.type("n" + ENTER)
    shown = alone.question()
    assert "It is Inês's turn." in shown
    alone.type("\x03")
    alone.end()
    assert "To continue: porto play g.yaml\r\n" in without_codes(alone.seen)
    for words in (["--all"], []):
        everybody = terminal("play", "g.yaml", *words, PORTO_PLAYER="Joana" if words else "")
        assert "Hand the keyboard to Inês." in everybody.question()
        everybody.type("\x03")
        everybody.end()
        output = " ".join(["To continue: porto play g.yaml", *words])
        assert f"{output}\r\n" in without_codes(everybody.seen)


def test_two_players_at_one_keyboard_play_to_the_end(tmp_path: Path, terminal: Any) -> None:
    """And no screen ever shows the private contracts of both."""
    path = tmp_path / "friday.yaml"
    match = porto_cli.new_game(["Inês", "Joana"], edition=CRAMPED, seed="ribeira", first="Inês")
    match.save(path)
    player = terminal("play", "friday.yaml")
    player.play_on()
    assert player.end() == 0
    over = porto_cli.load(path)
    assert over.over
    assert len(over.record.items) > 20

    between, after = player.seen.split(OTHER_SCREEN)[1].split(FIRST_SCREEN)
    assert "The game is over" in without_codes(after)
    assert "Inês" in without_codes(after)
    deals = [
        {PRIVATE_NAMES[card] for card in deal if "-" in PRIVATE_NAMES[card]}
        for deal in match.state.dealt
    ]
    output = [0, 0]
    at_the_keyboard: str | None = None
    # The end is for all to see; behind it the screen is wiped.
    *screens, end, _ = map(without_codes, between.split(WIPED))
    assert "The game is over" in end
    assert "What would you like to do now?" in end
    for screen in screens:
        words = set(re.split(r"[\s:,]+", screen))
        for seat, player_name in enumerate(match.players):
            if words & deals[seat] - deals[1 - seat]:
                assert at_the_keyboard == player_name, screen
                output[seat] += 1
        if "Hand the keyboard" in screen:
            at_the_keyboard = "Inês" if "Hand the keyboard to Inês" in screen else "Joana"
            assert not words & (deals[0] | deals[1])
    assert min(output) > 5
    before = without_codes(player.seen.split(OTHER_SCREEN)[0])
    assert not any(name in before for deal in deals for name in deal)


def test_a_solo_game_from_nothing_to_the_end(tmp_path: Path, terminal: Any) -> None:
    """As a first-time player does it: set up by questions, then the first choice all the time."""
    player = terminal("play")
    assert "What would you like to play?" in player.question()
    player.type("n1" + ENTER)
    assert "How many people are playing?" in player.question()
    player.type(ENTER)
    assert "What is your name" in player.question()
    player.type("Inês" + ENTER)
    player.play_on()
    assert player.end() == 0
    over = porto_cli.load(tmp_path / "ines.yaml")
    assert over.over
    assert over.state.turn == 14
    again = terminal("play")
    asked = again.question()
    assert "What would you like to play?" in asked
    assert "Same as last time: Porto, Inês" in asked
    again.type("r" + ENTER)
    assert "Porto, alone" in (shown := again.rest())
    assert f"ines.yaml, fingerprint {over.fingerprint}" in shown


def test_ctrl_c_anywhere_leaves_a_good_record(tmp_path: Path, terminal: Any) -> None:
    path = tmp_path / "friday.yaml"
    cut("two-players.yaml", 40, path)
    before = path.read_bytes()
    # At the cover, the house, the help, and while typing.
    for keys in ("", "12", "12?", "1:"):
        player = terminal("play", "friday.yaml")
        player.question()
        for key in keys:
            player.type(key if key in ":?" else ENTER)
            player.child.expect_exact({":": "Type a move, like", "?": "Esc: done"}.get(key, ASKS))
        player.type(CTRL_C)
        assert player.end() == 130
        assert "To continue: porto play friday.yaml" in player.seen.split(FIRST_SCREEN)[1]
        assert "Traceback" not in player.seen
        assert path.read_bytes() == before


def test_ctrl_c_after_the_end_shows_the_result(tmp_path: Path, terminal: Any) -> None:
    """Not how to continue: nothing is left to play."""
    path = tmp_path / "g.yaml"
    porto_cli.new_game(["Inês"], seed="tram", private_contracts=False).save(path)
    player = terminal("play", "g.yaml", "--plain")
    player.play_on(until="What would you like to do now?")
    player.type(CTRL_C)
    assert player.end() == 130
    assert "The game is over" in player.seen
    assert "To see all of the scores: porto score g.yaml" in player.seen
    assert "To continue" not in player.seen


def test_a_turn_is_played_backed_out_of_taken_back_and_redone(
    tmp_path: Path, terminal: Any
) -> None:
    path = tmp_path / "friday.yaml"
    cut("two-players.yaml", 40, path)
    player = terminal("play", "friday.yaml", "--as", "Joana")
    player.question()
    player.type("b" + ENTER)
    assert "Where will you build?" in player.question()
    player.type("R2" + ENTER)
    assert "Which cards?" in player.question()
    player.type(ESC)
    assert "Where will you build?" in player.question()
    player.type("R2" + ENTER)
    player.question()
    player.type(ENTER)
    assert "It is Inês's turn. Send friday.yaml to Inês." in player.question()
    assert porto_cli.load(path).record.items[-1].entries[0][1] == "build blue-2 blue-1 R2"
    for not_sure in (ENTER, "n" + ENTER, ESC):
        player.type("<")
        assert "Undo your turn (build blue-2 blue-1 R2)?" in player.question()
        player.type(not_sure)
        assert "It is Inês's turn. Send friday.yaml to Inês." in player.question()
    assert porto_cli.load(path).record.items[-1].entries[0][1] == "build blue-2 blue-1 R2"
    player.type(DOWN + DOWN + ENTER)
    player.question()
    player.type("y" + ENTER)
    shown = player.question()
    assert "Joana, what will you do?" in shown
    assert "(>) Redo your turn (build blue-2 blue-1 R2)" in shown + player.rest()
    assert porto_cli.load(path).record.items[-1].entries[0][1] == "undo"
    player.type(">")
    assert "It is Inês's turn. Send friday.yaml to Inês." in player.question()
    assert porto_cli.load(path).record.items[-1].entries[0][1] == "build blue-2 blue-1 R2"
    player.type("<")
    player.question()
    player.type("y" + ENTER)
    player.question()
    player.type("\x1b[A" + ENTER)
    assert player.end() == 0


def test_each_question_of_a_build_is_answered_by_an_enter_of_its_own(
    tmp_path: Path, terminal: Any
) -> None:
    """What is typed for it is pointed at and drawn, whatever is left to ask after it."""
    path = tmp_path / "three.yaml"
    cut("three-players.yaml", 7, path)
    player = terminal("play", "three.yaml", "--as", "Afonso")
    player.question()
    player.type("b" + ENTER)
    assert "Where will you build?" in player.question()
    before = path.read_bytes()
    for keys, asked in (
        ("L5", "Which cards?"),
        ("p2y1", "Which roof will get L5's 3 VP token?"),
        ("R1", "Which contracts will you fulfill?"),
    ):
        player.type(keys + ENTER)
        assert asked in player.question()
    player.type("0")
    player.rest()
    assert path.read_bytes() == before
    player.type(ENTER)
    player.question()
    (_, build), (_, contract) = porto_cli.load(path).record.items[-1].entries[:2]
    assert (build, contract) == ("build purple-2 yellow-1 L5 token R1", "none")


@pytest.mark.parametrize("rows", [12, pytest.param(24, marks=pytest.mark.slow), 60])
def test_no_color_and_small_and_large_terminals(tmp_path: Path, terminal: Any, rows: int) -> None:
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", rows=rows, NO_COLOR="1")
    player.question()
    player.type(ENTER)
    assert "Joana, what will you do?" in player.question()
    player.type(CTRL_C)
    assert player.end() == 130
    assert not re.search(COLORED, player.seen)


def test_another_size_redraws_the_question(tmp_path: Path, terminal: Any) -> None:
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml")
    assert "╲" in player.question()
    player.child.setwinsize(16, 80)
    assert "L3 " in without_codes(player.question())
    player.type(ENTER)
    assert "Joana, what will you do?" in player.question()


def test_what_is_no_move_has_the_same_sign_on_every_screen(tmp_path: Path, terminal: Any) -> None:
    """And moves have what the table shows: letters of verbs, houses by name, no changing digits."""
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml")
    keys: dict[str, set[str]] = {}
    for typed in ("", "1\r", "b\r", ESC, "d\r", ESC, "b\r", "l3\r"):
        player.type(typed)
        shown = player.question() + player.rest()
        for key, label in re.findall(r"^ [ >↓] (\S{1,4}) +(\S.*?)\s*$", shown, re.MULTILINE):
            keys.setdefault(label.split()[0], set()).add(key)
    expected = {"Undo": "<", "Look:": "=", "Type": ":", "Hint:": "!", "Stop:": ".", "Plan": "+"}
    expected |= {"Build": "b", "Draw": "d", "Go": "1"}
    assert expected.items() <= {word: "".join(some) for word, some in keys.items()}.items()


def test_the_help_tells_the_keys_and_asked_again_the_signs_then_the_rulings(
    tmp_path: Path, terminal: Any
) -> None:
    """Not the moves of the menu before, whose keys mean nothing here."""
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", "--as", "Joana", rows=150)
    player.question()
    player.type("b" + ENTER)
    player.question()
    shown = []
    for following in (", ? what the signs mean)", ", ? the rulings)", ")"):
        player.type("?")
        player.child.expect_exact(f"Esc: done{following}")
        shown.append(without_codes(str(player.child.before)))
    assert "= look" in shown[0]
    assert "draw" not in shown[0].casefold()
    assert "P-BUILD-1" not in shown[0]
    assert "r1,1,2 are two" in shown[1]
    assert "P-BUILD-1" not in shown[1]
    assert "P-BUILD-1" in shown[2]


def test_a_passphrase_is_asked_for_and_not_shown(tmp_path: Path, terminal: Any) -> None:
    phrase = "four small tiled roofs"
    env = {"PORTO_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}
    backup = tmp_path / "backup.txt"
    backup.write_text(protected(Identity.new(), phrase))
    imported = terminal("key", "import", str(backup), **env)
    imported.child.expect_exact("Passphrase of your key:")
    imported.type(phrase + ENTER)
    assert imported.end() == 0
    opened = terminal("key", "unprotect", **env)
    opened.child.expect_exact("Passphrase of your key:")
    opened.type(CTRL_C)
    assert opened.end() == 130
    opened = terminal("key", "unprotect", **env)
    opened.child.expect_exact("Passphrase of your key:")
    opened.type(phrase + ENTER)
    assert opened.end() == 0
    assert phrase not in without_codes(imported.seen + opened.seen)
    assert not re.search(COLORED, imported.seen + opened.seen)


def test_a_terminal_that_cannot_move_its_cursor_is_asked_line_by_line(
    tmp_path: Path, terminal: Any
) -> None:
    cut("solo-won.yaml", 1, tmp_path / "solo.yaml")
    player = terminal("play", "solo.yaml", TERM="dumb")
    player.child.expect_exact("Inês, what will you do?")
    player.child.expect_exact("d  Draw construction cards")
    player.question()
    player.type("d\r")
    player.child.expect_exact("Which cards will you take?")
    player.question()
    player.type("b\r")
    player.child.expect_exact("Inês, what will you do?")
    player.type("\x04")
    assert player.end() == 0
    assert "\x1b" not in player.seen


def test_secrets_are_not_shown_where_they_cannot_be_wiped(tmp_path: Path, terminal: Any) -> None:
    match = cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", TERM="dumb")
    assert player.end() == 2
    assert f"porto play friday.yaml --as {match.players[0]}" in player.seen
    player = terminal("play", "friday.yaml", "--as", "Joana", TERM="dumb")
    player.child.expect_exact("Joana, what will you do?")


def test_all_play_here_also_where_nothing_can_be_wiped_if_there_are_no_secrets(
    tmp_path: Path, terminal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = {"PORTO_HOME": str(tmp_path / "home"), "PORTO_PLAYER": "Ana"}
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "sunday.yaml"
    porto_cli.new_game(["Ana", "Bea"], game="puerto-rico", seed="tram", first="Bea").save(path)
    remember_all_play_here(porto_cli.load(path))
    player = terminal("play", "sunday.yaml", TERM="dumb", **home)
    assert "Bea, which role will you take?" in player.question()


def test_line_by_line_two_players_still_hand_over(tmp_path: Path, terminal: Any) -> None:
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", "--plain")
    assert "Hand the keyboard to Joana." in player.question()
    player.type("1\r")
    assert "Joana, what will you do?" in player.question()
    player.type("\x03")
    assert player.end() == 130
    assert OTHER_SCREEN in player.seen


@pytest.fixture
def lesson(tmp_path: Path) -> str:
    """A finished lesson, after which a full game is of whom one likes."""
    match = porto_cli.new_game(["Root"], seed="learn-40", private_contracts=False)
    while not match.over:
        match.play(match.legal_moves()[0])
    match.save(tmp_path / "learn.yaml")
    return "learn.yaml"


def full_game(player: Terminal, *names: str) -> None:
    """Set up a full game of these people after a lesson, line by line."""
    for answer in ("1", str(len(names)), *names):
        player.question()
        player.type(f"{answer}\r")


def test_after_a_lesson_secrets_are_not_shown_where_they_cannot_be_wiped(
    lesson: str, terminal: Any
) -> None:
    player = terminal("play", lesson, TERM="dumb")
    full_game(player, "Ann", "Bea")
    assert player.end() == 2
    assert "porto play ann-bea.yaml --as" in player.seen
    assert "which contracts" not in player.seen.lower()
    assert "Hand the keyboard" not in player.seen


def test_after_a_lesson_line_by_line_the_screen_is_wiped_for_the_next_player(
    lesson: str, terminal: Any
) -> None:
    player = terminal("play", lesson, "--plain")
    full_game(player, "Ann", "Bea")
    assert "Hand the keyboard to" in player.question()
    assert OTHER_SCREEN in player.seen


@pytest.mark.parametrize("name", ["Root", "Bob"])
def test_after_a_lesson_who_was_named_plays_on_under_any_name(
    lesson: str, terminal: Any, name: str
) -> None:
    """One of two players if it is the same name; a game of other people is of all of them."""
    player = terminal("play", lesson, "--as", "Root", "--plain")
    full_game(player, name, "Cid")
    asked = player.question()
    assert ("Hand the keyboard" in asked) == (name == "Bob")


@pytest.mark.parametrize("here", ["y", "n"])
def test_after_a_lesson_who_plays_elsewhere_is_not_asked_here(
    tmp_path: Path, lesson: str, terminal: Any, here: str
) -> None:
    home = {"PORTO_HOME": str(tmp_path / "home"), "PORTO_PLAYER": "Root"}
    player = terminal("play", lesson, **home)
    player.question()
    for keys in ("Play a full", "2", "", "Cid"):
        player.type(keys + ENTER)
        asked = player.question() + player.rest()
        assert "= look" not in asked, "no key of the game before is left"
    assert "play at this keyboard?" in asked
    player.type(here + ENTER)
    asked = player.question() + player.rest()
    assert ("Hand the keyboard" in asked) == (here == "y")


@pytest.mark.parametrize("only", [["--as", "Joana"], []])
def test_who_plays_again_plays_for_the_same(tmp_path: Path, terminal: Any, only: list[str]) -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", edition=CRAMPED)
    while not match.over:
        match.play(match.legal_moves()[0], player=match.to_move()[0])
    match.save(tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", "--plain", *only)
    player.question()
    player.type("1\r")
    asked = player.question()
    assert ("Hand the keyboard" in asked) == (not only)
    assert (tmp_path / "friday-2.yaml").exists()


def test_a_file_that_is_no_record_is_reported_on_the_first_screen(
    tmp_path: Path, terminal: Any
) -> None:
    (tmp_path / "letter.yaml").write_text("Dear Joana\n", "utf-8")
    player = terminal("play", "letter.yaml")
    assert player.end() == 3
    assert "letter.yaml:1:1: " in player.seen.split(FIRST_SCREEN)[1]


@pytest.mark.parametrize("words", [[], ["--plain"]], ids=["menus", "lines"])
def test_a_file_that_may_be_cut_off_is_played_only_by_who_says_so(
    tmp_path: Path, terminal: Any, words: list[str]
) -> None:
    path = tmp_path / "cut.yaml"
    whole = (ROOT / "records" / "porto" / "two-players.yaml").read_text("utf-8")
    path.write_text(whole[: whole.index("VP", 2000)], "utf-8")
    before = path.read_bytes()
    for answer, follows in (("", "No game was started."), ("y", "Inês")):
        player = terminal("play", path.name, *words)
        assert "may be cut off" in " ".join(player.question().split())
        assert path.read_bytes() == before
        player.type(f"{answer}{ENTER}")
        player.child.expect_exact(follows)
        player.child.close(force=True)
    player = terminal("play", *words)
    player.question()
    for follows in ("may be cut off", "What would you like to play?"):
        player.type(ENTER)
        player.child.expect_exact(follows)


def test_a_move_command_asks_in_a_real_terminal(tmp_path: Path, terminal: Any) -> None:
    path = tmp_path / "friday.yaml"
    cut("two-players.yaml", 40, path)
    before = path.read_bytes()
    player = terminal("draw", "friday.yaml")
    table, asked, _ = player.question().partition("Which cards will you take?")
    assert asked
    assert "▸ Joana" in table
    assert "roofs 3 of 6" in table
    player.type(CTRL_C)
    assert player.end() == 130
    assert path.read_bytes() == before
    player = terminal("draw", "friday.yaml")
    player.question()
    player.type(DOWN + ENTER)
    assert player.end() == 0
    assert porto_cli.load(path).state.turn == porto_cli.loads(before.decode()).state.turn + 1
    assert OTHER_SCREEN not in player.seen


@pytest.mark.parametrize("words", [["play"], ["play", "friday.yaml"], ["play", "-"]])
def test_without_a_terminal_it_says_what_to_do_instead(porto: Any, words: list[str]) -> None:
    result = porto(*words)
    assert (result.code, result.out) == (2, "")
    assert "needs a terminal" in result.err
    assert "porto new" in result.err


def test_without_a_terminal_nobody_is_told_to_make_what_exists(porto: Any, tmp_path: Path) -> None:
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    result = porto("play", "friday.yaml")
    assert (result.code, result.out) == (2, "")
    assert "porto show friday.yaml" in result.err
    assert "porto new" not in result.err


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Any]:
    """Start the program in a terminal of which we hold both ends, to look at its settings."""
    started: list[subprocess.Popen[bytes]] = []
    ours, theirs = pty.openpty()

    def start(*words: str) -> tuple[subprocess.Popen[bytes], int, int]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "porto_cli", *words],
                cwd=tmp_path,
                env={
                    **os.environ,
                    "TERM": "xterm-256color",
                    "PROMPT_TOOLKIT_NO_CPR": "1",
                    "PYTHONPATH": str(ROOT),
                },
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        )
        return started[-1], ours, theirs

    yield start
    for process in started:
        process.kill()
        process.wait()
    for end in (ours, theirs):
        with contextlib.suppress(OSError):
            os.close(end)


def shown_until(end: int, text: str) -> str:
    shown = b""
    while text.encode() not in shown:
        ready, _, _ = select.select([end], [], [], 20)
        assert ready, shown
        shown += os.read(end, 65_536)
    return shown.decode("utf-8", "replace")


SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
STOPPED = ["play friday.yaml", "play friday.yaml --plain", "play", "keep friday.yaml"]
STOPPED += ["new other.yaml"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        pytest.param(line, number, marks=[pytest.mark.slow] * ((first + second) % 3 > 0))
        for first, line in enumerate(STOPPED)
        for second, number in enumerate(SIGNALS)
    ],
)
def test_a_signal_gives_the_terminal_back(
    tmp_path: Path, session: Any, line: str, number: signal.Signals
) -> None:
    """Each command by one signal and each signal somewhere; by all of them in long hunts."""
    words = line.split()
    path = tmp_path / "friday.yaml"
    porto_cli.new_game(["Inês"], seed="tram").save(path)
    before = path.read_bytes()
    process, ours, theirs = session(*words)
    settings = termios.tcgetattr(theirs)
    shown = shown_until(ours, ASKS)
    if "--plain" not in words:
        assert termios.tcgetattr(theirs) != settings
    # A signal between the question and the reading of its answer waits for the answer.
    time.sleep(0.3)
    process.send_signal(number)
    assert process.wait(20) == 128 + number
    assert termios.tcgetattr(theirs) == settings
    os.write(theirs, b"The end.")
    shown += shown_until(ours, "The end.")
    assert shown.count(OTHER_SCREEN) == shown.count(FIRST_SCREEN)
    assert shown.count(HIDDEN_CURSOR) <= shown.count(VISIBLE_CURSOR)
    assert "Traceback" not in shown
    if words[:2] == ["play", "friday.yaml"]:
        assert "Every finished turn is saved. To continue: porto play friday.yaml" in shown
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["friday.yaml"]


@pytest.mark.parametrize(
    "line", ["play friday.yaml", "play friday.yaml --plain", "keep friday.yaml"]
)
@pytest.mark.parametrize("sent", [True, False], ids=["signal", "no signal"])
def test_a_terminal_that_is_closed_ends_the_program(
    tmp_path: Path, session: Any, line: str, sent: bool
) -> None:
    path = tmp_path / "friday.yaml"
    porto_cli.new_game(["Inês"], seed="tram").save(path)
    before = path.read_bytes()
    process, ours, theirs = session(*line.split())
    os.close(theirs)
    shown_until(ours, ASKS)
    os.close(ours)
    if sent:
        process.send_signal(signal.SIGHUP)
    assert process.wait(20) == 128 + signal.SIGHUP
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "keys", "asked"),
    [
        ("play friday.yaml --as Joana", ":", "Type a move"),
        ("play friday.yaml", "<", "Enter: No"),
        ("play friday.yaml --as Joana", "=", "whole table"),
        ("key import", "", "Paste the line with your key:"),
    ],
)
def test_a_terminal_that_is_closed_ends_every_kind_of_question(
    tmp_path: Path,
    session: Any,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    keys: str,
    asked: str,
) -> None:
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    subprocess.run([sys.executable, "-m", "porto_cli", "key", "new"], check=True)
    process, ours, theirs = session(*line.split())
    os.close(theirs)
    if keys:
        shown_until(ours, ASKS)
    for key in keys:
        os.write(ours, key.encode())
    shown_until(ours, asked)
    os.close(ours)
    assert process.wait(20) == 128 + signal.SIGHUP


MOMENTS = [
    ("setup", 1, 100_000, 691),
    ("setup", 2, 100_000, 2_903, "ignored"),
    *(("ending", first, first + 30, 1) for first in (1, 31)),
    ("ending", 61, 2_000, 43),
    ("ending", 1, 2_000, 331, "ignored"),
]


@pytest.mark.parametrize("words", MOMENTS, ids=lambda words: " ".join(map(str, words)))
def test_a_terminal_that_is_closed_at_any_moment_ends_a_question(words: tuple[object, ...]) -> None:
    """Whatever the event loop is at: an exception in the middle of it could cost a wake-up."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hang_up", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},
        check=True,
        timeout=120,
    )
    moments = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(moments) > 5
    assert not [moment for moment in moments if moment[1] != "129"]


def test_nobody_sits_down_for_a_program(tmp_path: Path, terminal: Any) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", bots={"Rui": "level-2"})
    match.save(tmp_path / "ana-rui.yaml")
    refused = terminal("play", "ana-rui.yaml", "--as", "Rui")
    assert refused.end() == 1
    assert "Rui (bot 2) moves by itself" in without_codes(refused.seen)


def test_ctrl_c_ends_the_thinking_and_tells_what_is_known(terminal, tmp_path) -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.save(tmp_path / "game.yaml")
    match.play("keep 1 2 3", player="Inês")
    match.save()
    running = terminal("hint", "game.yaml", "--as", "Inês", "--think", "60")
    running.child.expect_exact("Thinking for 60 seconds; Ctrl-C ends it.")
    time.sleep(2)
    running.type(CTRL_C)
    assert running.end() == 130
    assert "Best for you, Inês: " in running.seen
    assert "Traceback" not in running.seen


@pytest.mark.parametrize("pause", [0, 0.1], ids=["at-once", "by-hand"])
@pytest.mark.parametrize("typed", ["builder", "bui", "b", "captain", "cap"])
def test_a_word_is_one_answer_however_fast_it_is_typed(
    tmp_path: Path, terminal: Any, typed: str, pause: float
) -> None:
    """Nothing of it lands on the next question, which is asked as if nothing had been typed."""
    path = tmp_path / "g.yaml"
    porto_cli.new_game(["Ana", "Rui"], game="puerto-rico", seed="x", first="Ana").save(path)
    player = terminal("play", "g.yaml", "--all")
    assert "Ana, which role will you take?" in player.question()
    for letter in [*typed] if pause else [typed]:
        player.type(letter)
        time.sleep(pause)
    player.type(ENTER)
    asked = player.question() + player.rest()
    role = "builder" if typed.startswith("b") else "captain"
    assert porto_cli.load(path).record.items[-1].entries[0][1] == f"role {role}"
    assert re.search(r"(what will you build with|which role will you take)", asked)
    assert "Typed:" not in asked.rpartition("? Ana")[2].rpartition("? Rui")[2]


def test_signs_work_after_a_wrong_word_which_begins_a_typed_move(
    tmp_path: Path, terminal: Any
) -> None:
    cut("two-players.yaml", 40, tmp_path / "friday.yaml")
    player = terminal("play", "friday.yaml", "--as", "Joana")
    player.question()
    player.type("build L3 b2 y3=")
    assert "What would you like to see?" in player.rest()
    player.type(ESC)
    player.rest()
    player.type("build L3 b2 y3")
    assert "Nothing here begins with 'build L3 b2 y3'; Backspace" in player.rest()
    player.type(":")
    assert "Type a move, like: " in player.rest()
    player.type(ENTER)
    assert "The house comes after the cards: build b2 y3 L3." in player.rest()


def test_spaces_of_cards_that_cannot_be_drawn_together_say_why(
    tmp_path: Path, terminal: Any
) -> None:
    path = tmp_path / "g.yaml"
    match = porto_cli.new_game(["Ana", "Bob"], seed="tram", first="Ana", private_contracts=False)
    match.save(path)
    player = terminal("play", "g.yaml", "--all")
    player.question()
    player.type("d" + ENTER)
    assert "A draw may add up" not in player.question() + player.rest()
    player.type("13")
    assert "A draw may add up to at most 3; these cards add up to 5." in player.rest()
    player.type(ENTER)
    assert "P-DRAW-1" in player.rest()
    assert not porto_cli.load(path).steps


def test_esc_ends_an_analysis_with_what_is_known(tmp_path: Path, terminal: Any) -> None:
    """Other keys do not, and are not taken for an answer to what it shows."""
    (tmp_path / "g.yaml").write_bytes((ROOT / "records/porto/two-players.yaml").read_bytes())
    player = terminal("play", "g.yaml", "--all")
    player.question()
    player.type("analyze" + ENTER)
    player.child.expect_exact("Esc ends it early.")
    player.type(DOWN + ENTER)
    player.child.expect(r"[1-9]\d?/\d\d\S* decisions, about ")
    player.type(ESC)
    assert "Stopped: only the first " in player.rest()


def test_a_game_against_bots_says_who_begins_and_why(tmp_path: Path, terminal: Any) -> None:
    player = terminal("play", PORTO_PLAYER="Ana")
    player.question()
    # In both games the same keys lead there.
    for game in ("n1", "n2"):
        player.type(game + ENTER + "a" + ENTER)
        assert "How many computer opponents?" in player.rest()
        player.type("?")
        assert "Computer opponents are bots" in player.rest()
        player.type(ESC)
        player.rest()
        for asked in ("How many people are playing?", "What would you like to play?") * (
            game == "n1"
        ):
            player.type(ESC)
            assert asked in player.rest()
    player.type("2" + ENTER + "1" + ENTER + ENTER)
    shown = " ".join(player.rest().split())
    assert re.search(r"(Ana|Rui|Bea) goes first; that was chosen at random\.", shown)


def test_of_two_at_one_record_the_second_is_warned_and_overwrites_nothing(
    tmp_path: Path, terminal: Any
) -> None:
    """Whether the other one is a program at another keyboard, a command, or a mail."""
    path = tmp_path / "g.yaml"
    porto_cli.new_game(["Inês"], seed="tram", private_contracts=False).save(path)
    first, second = terminal("play", "g.yaml"), terminal("play", "g.yaml")
    for player in (first, second):
        player.question()
    before = path.read_bytes()
    while path.read_bytes() == before:
        first.type(ENTER)
        first.question()
    saved = path.read_bytes()
    shown = ""
    while "was changed by another program" not in shown:
        second.type(ENTER)
        shown = second.question()
    assert path.read_bytes() == saved
    second.type(f"{DOWN}{ENTER}")
    second.child.expect_exact("Where will the timer build?")
    for player in (second, first):
        player.type(CTRL_C)
        assert player.end() == 130
        assert "Traceback" not in player.seen
    assert path.read_bytes() == saved


def test_what_is_typed_while_a_hint_is_thought_about_takes_nothing(
    tmp_path: Path, terminal: Any
) -> None:
    """Neither the hint, which nobody has read, nor another choice."""
    path = tmp_path / "g.yaml"
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    match.save(path)
    for typed in "h" + ENTER, ENTER, "d" + ENTER + ENTER:
        player = terminal("play", "g.yaml")
        player.question()
        player.type("!")
        player.child.expect_exact("Thinking")
        player.type(typed)
        asked = player.question() + player.rest()
        assert "Hint: " in asked
        assert "Ana, what will you do?" in asked
        assert ("Typed: d" in asked) == (typed[0] == "d"), "what only points is kept"
        assert not porto_cli.load(path).steps
        player.type(".")
        player.type(ENTER)
        player.child.close(force=True)
