"""Random keys at every question of ``porto play``: it ends only when it is told to.

A number makes a game, the size of the terminal, and what is typed. What went wrong comes with the
number and the last keys; ``of_menus(NUMBER)`` and ``of_lines(NUMBER)`` do the same again.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.formatted_text import fragment_list_to_text, to_formatted_text
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput

from porto_cli.match.match import load
from porto_cli.term import cells
from porto_cli.term.controls import Menu
from tests.conftest import ROOT, Result, _Bytes, run_porto
from tests.shares import one_in
from tests.tables import table_at

RECORDS = [
    f"{path.parent.name}/{path.stem}" for path in sorted((ROOT / "records").glob("*/*.yaml"))
]
SIZES = [(40, 10), (44, 14), (60, 20), (80, 24), (100, 30), (120, 40)]
MOVING = [
    *(Keys.Up, Keys.Down, Keys.PageUp, Keys.PageDown, Keys.Home, Keys.End, Keys.Left, Keys.Right),
    *(Keys.Backspace, Keys.ControlU, Keys.ControlP, Keys.ControlN, Keys.ControlJ, " "),
]
LEAVING = [Keys.Escape, Keys.Tab, Keys.ControlO, "?", "b"]
SIGNS = '<>@=:!*&+"-'
TEXTS = [
    *("undo", "redo", "build", "take 1", "xyz", "n", "y", "0", "12", "1 2 3", "=", "1=1", "Ana"),
    *("é" * 90, "a b " * 40, "\N{PILE OF POO}", "always", "none", "pass else pass", "order x", "g"),
    *("../x", "x.yaml", "a\nb", "e\N{COMBINING ACUTE ACCENT}", "!", "??", "\x1b[2J", "\x00"),
]
LINES = ["b", "?", "??", "1=1", "2=0 1=1", "3 1 2", "99", "0", "-1"]
CHOICE = re.compile(r"^ +(\w{1,4}|[^\w\s])  \S", re.MULTILINE)
ANSWERED = "\n[answered]\n"
CTRL_C, CLICK, RESIZE = "Ctrl-C", "click", "resize"
ENDING = {".", "y", "b", Keys.Enter, Keys.ControlJ, CLICK}
"""What may choose to stop, or to quit the first screen."""
BEGINNINGS = [
    ("new", "g.yaml", "Ana"),
    ("new", "g.yaml", "Ana", "Rui", "Eva", "Bea"),
    ("new", "g.yaml", "Ana", "--first-game"),
    ("new", "g.yaml", "Ana", "--bot", "Rui 1", "--bot", "Eva 1"),
    ("new", "g.yaml", "Ana", "Rui", "--bot", "Eva 1", "--hints", "told"),
    ("new", "g.yaml", "Ana", "--bot", "Rui 1", "--game", "puerto-rico"),
    ("new", "g.yaml", "Ana", "Rui", "--bot", "Eva 1", "--game", "puerto-rico"),
    ("new", "g.yaml", "A", "B", "C", "D", "E", "--game", "puerto-rico", "--buildings", "draft"),
    ("new", "g.yaml", "A", "B", "C", "--game", "puerto-rico", "--hints", "none"),
]


class Terminal(DummyOutput):
    """A terminal of some size."""

    size = Size(24, 80)

    def get_size(self) -> Size:
        return self.size


class OnTerminal(_Bytes):
    """A standard stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


class Typist:
    """Somebody who presses keys at random, so many of them, and then Ctrl-C."""

    def __init__(self, rnd: random.Random, keys: int | list[str]) -> None:
        self.rnd = rnd
        self.planned = None if isinstance(keys, int) else keys
        self.left = keys if isinstance(keys, int) else len(keys)
        self.terminal = Terminal()
        self.pressed: list[str] = []
        self.asked: list[str] = []
        self.tops: list[str] = []
        """The questions at which one can stop."""

    def watch(self, app: Application[Any]) -> None:
        """Look at what is drawn, and press the next key."""
        if app.is_done:
            return
        lines = [line for text in shown(app) for line in text.split("\n")]
        self.asked.append("\n".join(lines))
        menu = menu_of(app)
        if menu and any(one.key == "." for one in menu.given):
            self.tops.append(self.asked[-1])
        columns, rows = self.terminal.size.columns, self.terminal.size.rows
        assert len(lines) <= rows, "more rows than the terminal has"
        wide = [line for line in lines if cells(line) > columns]
        assert not wide, f"wider than {columns} columns: {wide}"
        assert app.loop
        app.loop.call_soon(self.press, app)

    def press(self, app: Application[Any]) -> None:
        """Press a key, or click, or change the size of the terminal."""
        if app.is_done:
            return
        menu = menu_of(app)
        key = self.key(menu)
        self.pressed.append(key)
        if key == RESIZE:
            self.terminal.size = Size(*reversed(self.rnd.choice(SIZES)))
            app._on_resize()
        elif key == CLICK:
            if menu:
                point = Point(self.rnd.randrange(40), self.rnd.randrange(10))
                released = MouseEventType.MOUSE_UP
                menu.mouse_handler(MouseEvent(point, released, MouseButton.LEFT, frozenset()))
        else:
            for press in presses(key):
                app.key_processor.feed(press)
            app.key_processor.process_keys()
        app.invalidate()

    def key(self, menu: Menu | None) -> str:
        """Return what to press next; most of it is what a menu knows."""
        if self.planned is not None:
            return self.planned.pop(0) if self.planned else CTRL_C
        self.left -= 1
        if self.left < 0:
            return CTRL_C
        rnd = self.rnd
        known = [one.key for one in menu.given if one.key not in ("", ".", "!")] if menu else []
        ways: list[tuple[int, Callable[[], str]]] = [
            (25, lambda: Keys.Enter),
            (20, lambda: rnd.choice(known or [Keys.Enter])),
            (15, lambda: rnd.choice(MOVING)),
            (15, lambda: rnd.choice(LEAVING)),
            (8, lambda: rnd.choice(SIGNS)),
            (5, lambda: rnd.choice("0123456789")),
            (5, lambda: rnd.choice("abcdefghijklmnopqrstuvwxyzG,.-+=é")),
            (5, lambda: "paste:" + self.text()),
            (3, lambda: CLICK),
            (3, lambda: RESIZE),
        ]
        return rnd.choices([way for _, way in ways], [weight for weight, _ in ways])[0]()

    def text(self) -> str:
        """Return a text: often a move that the question gives as an example."""
        example = self.asked[-1].partition("like: ")[2].partition("\n")[0]
        return example.strip() if example and self.rnd.random() < 0.6 else self.rnd.choice(TEXTS)


def menu_of(app: Application[Any]) -> Menu | None:
    """Return the menu, or the form, of a question, if it is one."""
    contents = [window.content for window in app.layout.find_all_windows()]
    return next((one for one in contents if isinstance(one, Menu)), None)


def shown(app: Application[Any]) -> Iterator[str]:
    """Yield the texts of the windows, as they are drawn for the terminal; an input is a line."""
    for window in app.layout.find_all_windows():
        if isinstance(window.content, FormattedTextControl):
            yield fragment_list_to_text(to_formatted_text(window.content.text))
        elif window is app.layout.current_window:
            yield "> "


def presses(key: str) -> Iterator[KeyPress]:
    """Return what a terminal sends for a key, for each letter of a longer one."""
    pasted = key.removeprefix("paste:")
    if pasted != key:
        yield KeyPress(Keys.BracketedPaste, pasted)
    elif key == CTRL_C:
        yield KeyPress(Keys.ControlC, "\x03")
    elif isinstance(key, Keys):
        yield KeyPress(key, "\x1b" if key is Keys.Escape else "")
    else:
        for letter in key:
            yield KeyPress(letter, letter)


def played(typist: Typist, *words: str, source: Any = None, out: Any = None) -> Result:
    """Play on a terminal of its own, and return how that ended."""
    from porto_cli.cli.app import run

    # What is shown of progress is on standard error.
    out, err, source = out or OnTerminal(), _Bytes(), source or OnTerminal()
    run_app = Application.run

    def watched(app: Application[Any]) -> Any:
        app.after_render += typist.watch
        return run_app(app)

    code = 0
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(Application, "run", watched)
        patch.setattr(sys, "stdin", source)
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        keys = stack.enter_context(create_pipe_input())
        stack.enter_context(create_app_session(input=keys, output=typist.terminal))
        try:
            run(["play", *words])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
    return Result(code, out.text(), err.text())


class Reading(OnTerminal):
    """Standard input of somebody who reads lines, and answers so many of them at random."""

    def __init__(self, rnd: random.Random, lines: int, shown: OnTerminal) -> None:
        super().__init__()
        self.rnd, self.left, self.shown = rnd, lines, shown
        self.typed: list[str] = []

    def readline(self, size: int = -1, /) -> str:
        rnd, text = self.rnd, self.shown.text()
        self.left -= 1
        if self.left < 0:
            self.shown.write(ANSWERED)
            return ""
        question = text.rpartition(ANSWERED)[2]
        known = [key for key in CHOICE.findall(question) if key not in (".", "!")] or [""]
        example = question.partition("like: ")[2].partition("\n")[0]
        ways = ["", rnd.choice(known), rnd.choice(known), rnd.choice(SIGNS), rnd.choice(LINES)]
        line = rnd.choice([*ways, rnd.choice(TEXTS).replace("\n", " "), example or "b"])
        self.typed.append(line)
        self.shown.write(ANSWERED)
        return f"{line}\n"


def begun(rnd: random.Random) -> tuple[str, ...]:
    """Make a game in this folder, or none; return what to play."""
    kind = rnd.random()
    if kind < 0.1:
        return ()
    if kind < 0.2:
        return ("--learn", "--game", rnd.choice(["porto", "puerto-rico"]))
    if kind < 0.25:
        return sealed(rnd)
    if kind < 0.4:
        made = run_porto(*rnd.choice(BEGINNINGS), "--seed", "ribeira")
        assert made.code == 0, made.err
        return ("g.yaml",)
    name = rnd.choice(RECORDS)
    whole = load(ROOT / "records" / f"{name}.yaml")
    if rnd.random() < 0.1:
        Path("g.yaml").write_text(whole.record.text, "utf-8")
    else:
        # What ends a game is followed by its result.
        table_at(name, rnd.randrange(len(whole.record.items) - 1), Path("g.yaml"))
    people = load("g.yaml").players
    return rnd.choice([("g.yaml",), ("g.yaml", "--as", rnd.choice(people))])


def sealed(rnd: random.Random) -> tuple[str, ...]:
    """Set up a sealed game of two who have homes of their own, and sit down as one of them."""
    first, second = (
        ("new", "g.yaml", *"AB", "--secrecy", "sealed", "--as"),
        ("join", "g.yaml", "--as"),
    )
    for name, words in (("A", first), ("B", second), ("A", second)):
        at_home_of(name)
        assert run_porto(*words, name).code == 0
    at_home_of(me := rnd.choice("AB"))
    return "g.yaml", "--as", me


def at_home_of(name: str) -> None:
    os.environ["PORTO_HOME"] = str(Path("homes", name).resolve())


def of_menus(number: int, keys: int = 60) -> None:
    """Press keys at random at the menus of a game, stop, and go on with it."""
    rnd = random.Random(number)
    words = begun(rnd)
    typist = Typist(rnd, keys)
    typist.terminal.size = Size(*reversed(rnd.choice(SIZES)))
    try:
        result = played(typist, *words)
        assert_ended_as_told(result, typist)
        options = words[1:] if words[:1] == ("g.yaml",) else ()
        files = sorted(Path().glob("*.yaml"))
        for path in files:
            again = gone_on_with(path, options)
            if len(files) == 1 and typist.tops and typist.tops[-1] == typist.asked[-1]:
                assert_same_question(typist.tops[-1], again)
    except BaseException as error:
        error.add_note(f"number {number}: porto play {' '.join(words)}")
        error.add_note(f"size {typist.terminal.size}, keys {list(map(str, typist.pressed))[-25:]}")
        error.add_note("\n".join(typist.asked[-2:]))
        raise


def gone_on_with(path: Path, options: Sequence[str]) -> Typist:
    """Require that a game can be gone on with as it was left; return who has looked at it."""

    def go_on(*keys: str) -> Typist:
        typist = Typist(random.Random(), [*keys])
        assert_ended_as_told(played(typist, path.name, *options), typist)
        return typist

    assert run_porto("verify", path).code == 0, path.read_text("utf-8")
    text, left = path.read_bytes(), load(path)
    again = go_on()
    # An order for what is asked now is carried out when no more are given.
    same = path.read_bytes() == text
    assert same or left.goes_on_by_itself, "to look at a game changed it"
    text, match = path.read_bytes(), load(path)
    go_on("<", "y")
    # What comes up at a real table is asked again, and bots move on.
    if path.read_bytes() != text and not match.bots and match.record.secrecy == "open":
        go_on(">")
        assert load(path).state == match.state, "not what was taken back"
    return again


def assert_same_question(before: str, again: Typist) -> None:
    """Nothing but the hand over, and what is asked at once, is before the question again."""
    if "Hand the keyboard" in again.asked[0] or not again.tops:
        return
    questions = [
        [line for line in text.split("\n") if line.startswith("? ")]
        for text in (before, again.tops[0])
    ]
    # Questions may be in more lines, on another screen.
    first, second = (line[0][:30] if line else "" for line in questions)
    assert first == second


def of_lines(number: int, lines: int = 40) -> None:
    """Answer at random line by line."""
    rnd = random.Random(number)
    words = begun(rnd)
    shown = OnTerminal()
    reading = Reading(rnd, lines, shown)
    width = rnd.choice([44, 60, 80, 120])
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", str(width))
            typist = Typist(rnd, 0)
            result = played(typist, *words, "--plain", source=reading, out=shown)
        assert result.code == 0, result
        assert not said(result), result.err
        last = reading.typed[-1:]
        assert reading.left < 0 or last[0] in (".", "y", "b", ""), last
        for line in result.out.split("\n"):
            # Whoever types sees the rest of a question that is longer.
            is_typed = line.endswith((": ", ANSWERED.strip("\n"))) or line.startswith(
                " To continue"
            )
            assert is_typed or cells(line) <= width or "porto " in line, line
        for path in sorted(Path().glob("*.yaml")):
            assert run_porto("verify", path).code == 0, path.read_text("utf-8")
    except BaseException as error:
        error.add_note(f"lines {number}: porto play {' '.join(words)}")
        error.add_note(f"width {width}, lines {reading.typed[-10:]}")
        error.add_note(shown.text()[-1500:])
        raise


def said(result: Result) -> list[str]:
    """Return what is on standard error, but how far an analysis is."""
    return [line for line in result.err.splitlines() if not line.endswith(" are done.")]


def assert_ended_as_told(result: Result, typist: Typist) -> None:
    if result.code == 130:
        assert typist.pressed[-1] == CTRL_C, result
        assert all(line.startswith("Every finished") for line in said(result)[:1]), result.err
    elif result.out == "No game was started.\n":
        assert "What would you like to play?" in typist.asked[-1]
    else:
        assert result.code == 0, result
        assert typist.pressed[-1] in ENDING or typist.pressed[-1] == CTRL_C, result
        assert not result.err, result.err


@pytest.fixture(autouse=True)
def _terminal(porto: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and a terminal with a cursor."""
    monkeypatch.setenv("TERM", "xterm")


PLACES = (
    "puerto-rico/five-players-random 64",
    "porto/three-players 0",
    "porto/two-players 20",
    "porto/real-table 20",
    "puerto-rico/four-players-draft 2",
    "puerto-rico/real-table 10",
)


@pytest.mark.parametrize("place", one_in(6, PLACES))
def test_what_leaves_a_question_leads_to_another_one(place: str) -> None:
    """Esc, and every sign, at questions of one turn after the other."""
    name, items = place.split()
    table_at(name, int(items), Path("g.yaml"))
    # A hint takes a second.
    keys = [*SIGNS.replace("!", ""), "?", Keys.Tab, Keys.ControlO, "b"]
    again = [press for key in keys for press in (key, Keys.Escape, Keys.Escape)]
    typist = Typist(random.Random(), [*again, *[Keys.Enter, *again] * 3])
    assert_ended_as_told(played(typist, "g.yaml"), typist)
    assert typist.pressed[-1] == CTRL_C
    assert not typist.planned


def test_a_long_error_below_a_text_leaves_what_enter_does_on_a_small_screen() -> None:
    keys = [
        "n2",
        Keys.Enter,
        "4",
        Keys.Enter,
        Keys.Enter,
        Keys.Enter,
        "A",
        Keys.Enter,
        Keys.Enter,
        "B",
        "\0" * 9,
        Keys.Enter,
    ]
    typist = Typist(random.Random(), keys)
    typist.terminal.size = Size(10, 40)
    assert_ended_as_told(played(typist), typist)
    assert "cannot be a player's name" in " ".join(typist.asked[-1].split())
    assert "Enter: go on" in typist.asked[-1].split("\n")[-1]


def test_a_long_question_takes_rows_from_the_table_on_a_small_screen() -> None:
    table_at("puerto-rico/three-players-guide", 138, Path("g.yaml"))
    typist = Typist(random.Random(), [":"])
    typist.terminal.size = Size(14, 44)
    assert_ended_as_told(played(typist, "g.yaml"), typist)
    assert "Type a move, like: place" in typist.asked[-1]


@pytest.mark.parametrize("sign", one_in(3, "=<+"))
def test_a_sign_that_is_held_down_lies_in_no_other(sign: str) -> None:
    """Each of them may open a question, which a few Esc leave again."""
    table_at("porto/two-players", 20, Path("g.yaml"))
    typist = Typist(random.Random(), [sign] * 250 + [Keys.Escape] * 3)
    assert_ended_as_told(played(typist, "g.yaml"), typist)
    assert typist.tops[-1] == typist.asked[-1]


@pytest.mark.parametrize("number", one_in(5, range(10)))
def test_keys_at_random(number: int) -> None:
    of_menus(number, keys=30)


@pytest.mark.parametrize("number", one_in(5, range(10)))
def test_lines_at_random(number: int) -> None:
    of_lines(number, lines=20)


@pytest.mark.slow
def test_as_many_keys_as_a_minute_allows(tmp_path: Path) -> None:
    """Other ones each time."""
    start, until = time.time_ns() % 10**9, time.monotonic() + 60
    for number in count(start):
        if time.monotonic() > until:
            break
        for play in (of_menus, of_lines):
            new = tmp_path / f"{number}-{play.__name__}"
            new.mkdir()
            with chdir(new), pytest.MonkeyPatch.context() as patch:
                patch.setenv("PORTO_HOME", f"{new}-home")
                play(number)
