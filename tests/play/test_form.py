"""Numbers that are distributed over rows: with the keys, and typed line by line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput

from porto_cli.cli import session
from porto_cli.cli.rules import advice, advice_of
from porto_cli.games import BOX
from porto_cli.installed import lessons_of
from porto_cli.term import Screen, cells, plain
from porto_cli.term.controls import KEYS, Form, Menu, On, explained, hints, keys_of
from porto_cli.term.menus import Menus
from porto_cli.term.prompt import CancelledError, Lines, Share, Sheet, labeled
from tests.conftest import ROOT
from tests.shares import for_each, one_in

BACKSPACE = "\x7f"
ENTER, ESC, DOWN, UP, RIGHT, LEFT = "\r", "\x1b", "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D"
QUESTION = "Who works where?"


def standing(numbers: Sequence[int]) -> str:
    return f"Left: {3 - sum(numbers)}."


def fault(numbers: Sequence[int]) -> str | None:
    return None if sum(numbers) == 3 else "Three have to work."


SHEET = Sheet(
    [Share([(name, "")], number, most) for name, number, most in
     (("corn", 2, 2), ("sugar", 1, 2), ("quarry", 0, 1))],
    3, standing, fault, "All are placed; first take one away elsewhere.",
)  # fmt: skip


@pytest.fixture
def keys() -> Iterator[Any]:
    """What is typed, before anybody asks."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield typed.send_text


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        (ENTER, [2, 1, 0]),
        (LEFT + UP + RIGHT + ENTER, [1, 1, 1]),
        ("-" + DOWN + "+" + ENTER, [1, 2, 0]),
        ("0" + DOWN + "2" + DOWN + "1" + ENTER, [0, 2, 1]),
        (LEFT + ENTER + RIGHT + ENTER, [2, 1, 0]),
        (DOWN * 3 + LEFT + "2" + ENTER, [2, 1, 0]),
        ("0" + BACKSPACE + ENTER, [2, 1, 0]),
        ("0x" + BACKSPACE * 2 + ENTER, [2, 1, 0]),
        (BACKSPACE + ENTER, [2, 1, 0]),
    ],
)
def test_keys_change_numbers(keys: Any, typed: str, numbers: list[int]) -> None:
    """An Enter that comes too early is not taken."""
    keys(typed)
    assert Menus(advice).distribute(QUESTION, SHEET) == numbers


def test_the_signs_of_the_menu_before_work_in_a_form_which_stays_as_it_is(keys: Any) -> None:
    menus, did = Menus(advice), list[str]()
    menus.signs = {"h": labeled("Hint", partial(did.append, "hint"), "h")}
    keys("-h" + DOWN + "+" + ENTER)
    assert menus.distribute(QUESTION, SHEET) == [1, 2, 0]
    assert did == ["hint"]


def test_esc_goes_back(keys: Any) -> None:
    keys(ESC)
    with pytest.raises(CancelledError):
        Menus(advice).distribute(QUESTION, SHEET)


def test_a_form_says_why_a_key_changes_nothing(keys: Any) -> None:
    form = Form(SHEET)
    form.move(2)
    form.add(-1)
    assert str(form.fault) == "There is none here to take away."
    form.type("x")
    assert str(form.fault) == "'x' isn't a number; type 0 to 9, or Left and Right."
    assert form.numbers == [2, 1, 0]
    keys("x" + LEFT + "y" + RIGHT + ENTER)
    assert Menus(advice).distribute(QUESTION, SHEET) == [2, 1, 0]


def test_enter_after_a_refused_key_does_what_it_says() -> None:
    form = Form(SHEET)
    form.type("x")
    assert form.enter() == "Enter: done"
    assert form.is_done()
    form.put(0)
    assert form.enter() == "Enter: not yet"
    assert not form.is_done()


def test_where_rows_are_few_a_form_has_two_columns_and_a_click_finds_both() -> None:
    names = ["corn", "indigo", "sugar", "tobacco", "coffee"]
    shares = [Share([(name, "")], 0, 2) for name in names]
    form = Form(SHEET._replace(shares=shares))
    sizes = (60, 8), (60, 6), (30, 6)
    one, two, narrow = (form.lines(Screen(width), rows) for width, rows in sizes)
    assert "coffee" in plain(one[4])
    assert [plain(line).split()[0] for line in two[:3]] == [">", "indigo", "sugar"]
    assert [plain(line)[30:].split()[0] for line in two[:2]] == ["tobacco", "coffee"]
    assert "tobacco" not in plain(narrow[0])
    form.lines(Screen(60), 6)
    for x, y, at in ((5, 1, 1), (35, 0, 3), (35, 1, 4), (5, 2, 2)):
        up = MouseEvent(Point(x, y), MouseEventType.MOUSE_UP, MouseButton.LEFT, frozenset())
        form.mouse_handler(up)
        assert form.pointed_at == at


@pytest.mark.parametrize("key", [BACKSPACE, "\x17", "\x15", "\x1bOP", "\x1b[3~", "\t\n"])
def test_a_key_without_a_sign_is_not_quoted(key: str) -> None:
    for control in Form(SHEET), Menu([labeled("Draw", 1, "d")]):
        control.type(key)
        assert control.fault is None
        assert not control.typed
        assert control.is_done()


def test_a_form_says_whether_it_is_as_the_hint_says_and_h_fills_that_in() -> None:
    """Also what was refused before is gone."""
    form = Form(SHEET._replace(hinted=[2, 1, 0]))
    (*_, below) = form.lines(Screen(80), 10)
    assert plain(below).strip() == "Left: 0. Filled in as hinted."
    form.put(0)
    (*_, below) = form.lines(Screen(80), 10)
    assert plain(below).strip() == "Left: 2. h: as hinted."
    form.type("x")
    form.type("h")
    assert form.numbers == [2, 1, 0]
    assert form.is_done()


def test_without_a_hint_h_is_a_letter_like_others() -> None:
    form = Form(SHEET)
    form.type("h")
    assert str(form.fault).startswith("'h' isn't a number; ")


def test_a_form_says_what_does_not_fit() -> None:
    form = Form(SHEET)
    form.add(1)
    assert str(form.fault) == "The most that fits here is 2."
    form.move(1)
    assert form.fault is None
    form.add(1)
    assert str(form.fault) == "All are placed; first take one away elsewhere."
    assert form.numbers == [2, 1, 0]
    form.move(1)
    form.put(9)
    assert str(form.fault) == "All are placed; first take one away elsewhere.", "not what fits"
    form.move(-1)
    form.put(0)
    assert not form.is_done()
    assert [plain(line) for line in form.lines(Screen(40), 10)] == [
        "   corn    2 / 2  ●●",
        " > sugar   0 / 2  ○○",
        "   quarry  0 / 1  ○",
        "   Left: 1.",
        "   Three have to work.",
    ]


@pytest.mark.parametrize("rows", one_in(5, range(2, 14)))
@pytest.mark.parametrize("width", [20, 44, 80])
def test_a_form_shows_the_row_that_is_pointed_at(rows: int, width: int) -> None:
    shares = [Share([(f"place-{nth}", "")], 0, nth) for nth in range(1, 21)]
    form = Form(SHEET._replace(shares=shares))
    for _ in range(25):
        lines = [plain(line) for line in form.lines(Screen(width, ascii=True), rows)]
        assert len(lines) <= max(rows, 2)
        assert all(cells(line) <= width for line in lines)
        assert any(f"> place-{form.pointed_at + 1} " in line for line in lines)
        form.step(1)
    form.page(1)
    assert form.pointed_at > 5


def typed_in(monkeypatch: pytest.MonkeyPatch, *typed: str, hinted: Sequence[int] = ()) -> list[int]:
    lines = iter(typed)
    monkeypatch.setattr("builtins.input", lambda hint: next(lines))
    return Lines(advice).distribute(QUESTION, SHEET._replace(hinted=hinted))


def test_what_is_typed_does_not_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["corn \x1b[2J", ""])
    monkeypatch.setattr("builtins.input", lambda hint: next(typed))
    assert Lines(advice).choose(QUESTION, [labeled("corn", 1), labeled("indigo", 2)]) == 1
    assert "'corn \\x1b[2J' is in none of these." in capsys.readouterr().out


def test_line_by_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed_in(monkeypatch, "") == [2, 1, 0]
    wrong = ("1=0", "", "nonsense", "7=1", "2=3", "2=x", "3=1 2=2", "")
    assert typed_in(monkeypatch, *wrong) == [0, 2, 1]
    said = capsys.readouterr().out
    assert "  2  sugar: 2 of 2\n" in said
    for sentence in (
        "Left: 2.",
        "Three have to work.",
        "'nonsense' is not a row; the rows are 1 to 3.",
        "'7=1' is not a row; the rows are 1 to 3.",
        "'2=3' does not fit; it can be 0 to 2.",
    ):
        assert sentence in said
    with pytest.raises(CancelledError):
        typed_in(monkeypatch, "b")


def test_line_by_line_h_fills_in_the_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed_in(monkeypatch, "1=0", "h", "", hinted=[2, 1, 0]) == [2, 1, 0]
    said = capsys.readouterr().out
    assert said.count("Left: 0. Filled in as hinted.") == 2
    assert said.count("Left: 2. h: as hinted.") == 1


# --- the table of keys ------------------------------------------------------------------------


KINDS = list(On)


def bound(on: On) -> list[str]:
    return [name for key in keys_of(on) for name in key.keys.split()]


@for_each("on", KINDS)
def test_no_key_means_two_things(on: On) -> None:
    names = bound(on)
    assert len(names) == len(set(names))
    assert {"escape", "c-c", "<sigint>", "c-d"} <= set(names)


def test_the_signs_of_what_else_can_be_done_are_free_in_menus() -> None:
    """So are letters and digits, which are those of the table."""
    ways = [one for one in vars(session.Session).values() if inspect.isfunction(one)]
    found = [{*re.findall(r"""yield ["'](.)["'], """, inspect.getsource(way))} for way in ways]
    signs = [sign for of_way in found for sign in of_way]
    assert sorted('<>@=:!.*&+"-') == sorted(signs)
    assert not any(sign.isalnum() for sign in signs)
    assert not set(signs) & set(bound(On.MENU))


@pytest.mark.parametrize("on", KINDS)
@pytest.mark.parametrize("width", [44, 80])
def test_the_help_names_the_keys_of_a_question_and_no_others(on: On, width: int) -> None:
    named = {key.name for key in KEYS if on in key.on and key.name and key.meaning}
    for boards in (True, False):
        lines = [plain(line) for line in explained(keys_of(on, boards=boards), width)]
        assert all(cells(line) <= width for line in lines)
        heads = [line for line in lines if not line.startswith(" ")]
        found = [name for line in heads for name in named if line.startswith(f"{name}  ")]
        assert len(found) == len(heads) == len({*found})
        assert sum("shows the whole table" in line for line in lines) == (on is not On.READING)


@pytest.mark.parametrize("game", BOX)
def test_what_a_question_is_about_and_its_keys_are_one_screen_of_60x20(game: str) -> None:
    """With all signs that the menu before it can have; the rest is a key further."""
    signs = [labeled("Something", None, sign) for sign in '<>@=:!.*&+"-']
    for kind in lessons_of(game)["questions"]:
        for on in (On.MENU, On.FORM):
            about, *_ = advice_of(game)((kind,), 60)
            keys = explained(keys_of(on, others=signs), 60)
            # Between them is a blank line, and below what leads on.
            assert len(about) + 1 + len(keys) + 1 <= 20, kind


def test_the_keys_that_are_named_below_a_question_are_few() -> None:
    assert hints(keys_of(On.MENU)) == ["? help", "Esc back", "Tab boards"]
    assert hints(keys_of(On.MENU, back=False, boards=False)) == ["? help", "Tab table"]
    assert hints(keys_of(On.TEXT, helps=False)) == ["Esc back"]


def test_the_manual_names_the_keys() -> None:
    page = (ROOT / "man" / "man1" / "porto-play.1").read_text("utf-8").replace("\\", "")
    words = {
        word for key in KEYS if key.meaning for word in re.findall("[A-Z][A-Za-z-]+", key.name)
    }
    assert not {word for word in words if word not in page}
