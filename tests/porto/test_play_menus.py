"""Questions as menus and as numbered lines: the keys, going back, help, searching."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput

import porto_cli
from porto_cli.cli.rules import advice
from porto_cli.games import game_of
from porto_cli.match.replay import after_turn
from porto_cli.pages import above as above_question
from porto_cli.term import Line, Screen, Stage, controls, plain
from porto_cli.term.controls import Menu, On, hints, keys_of
from porto_cli.term.menus import Menus, Reader
from porto_cli.term.prompt import MANY, CancelledError, Choice, Lines, Share, Sheet, Told, labeled
from porto_cli.term.question import last_row
from tests.conftest import ROOT
from tests.porto.asking import Scripted

ENTER, ESC, DOWN, UP, BACKSPACE, CTRL_C = "\r", "\x1b", "\x1b[B", "\x1b[A", "\x7f", "\x03"
CTRL_O = "\x0f"
PAGE_DOWN, PAGE_UP, HOME, END = "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F"
QUESTION = "Which card?"
CARDS = [
    Choice([(f" {name} ", "bold #fff on #00f")], name) for name in ("blue-1", "red-2", "red-3")
]
PLAIN = [Choice([(f"build {number}", "")], number) for number in range(40)]


@pytest.fixture
def keys() -> Iterator[Any]:
    """What is typed, before anybody asks."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield typed.send_text


class TestMenus:
    def test_enter_takes_the_first_choice(self, keys: Any) -> None:
        keys(ENTER)
        assert Menus(advice).choose(QUESTION, CARDS) == "blue-1"

    def test_a_line_feed_is_enter_that_was_typed_too_early(self, keys: Any) -> None:
        keys(DOWN + "\n")
        assert Menus(advice).choose(QUESTION, CARDS) == "red-2"

    def test_what_is_typed_replaces_a_text_that_was_refused_and_goes_on_with_one_that_was_begun(
        self, keys: Any
    ) -> None:
        menus, left = Menus(advice), "\x1b[D"
        keys("draw b1" + ENTER)
        assert menus.write(QUESTION, lambda text: None, "build x") == "draw b1"
        keys(left + "2" + ENTER)
        assert menus.write(QUESTION, lambda text: None, "draw b") == "draw 2b"
        keys(ENTER)
        assert menus.write(QUESTION, lambda text: None, "build x") == "build x"
        keys("take corn" + ENTER)
        begun = "take coffee else "
        assert menus.write(QUESTION, lambda text: None, begun) == f"{begun}take corn"
        menus.typed = "bui"
        keys("ld x" + ENTER)
        assert menus.write(QUESTION, lambda text: None, "bui") == "build x"

    def test_a_click_points_and_a_second_one_on_the_same_line_takes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        taken: list[str] = []
        app = SimpleNamespace(exit=lambda result: taken.append(result))
        monkeypatch.setattr(controls, "get_app", lambda: app)
        menu = Menu(CARDS)
        menu.lines(Screen(40), 10)

        def click(row: int) -> None:
            event = MouseEvent(
                Point(5, row), MouseEventType.MOUSE_UP, MouseButton.LEFT, frozenset()
            )
            menu.mouse_handler(event)

        for row in (0, 1, 0):
            click(row)
        menu.step(1)
        menu.step(-1)
        click(0)
        assert taken == []
        click(0)
        assert taken == ["blue-1"]

    def test_arrows_move_and_go_round(self, keys: Any) -> None:
        keys(DOWN + DOWN + UP + ENTER)
        assert Menus(advice).choose(QUESTION, CARDS) == "red-2"
        keys(UP + UP + ENTER)
        assert Menus(advice).choose(QUESTION, CARDS) == "red-3"

    @pytest.mark.parametrize(
        ("typed", "chosen"),
        [
            (PAGE_DOWN, 37),
            (PAGE_DOWN * 2 + PAGE_UP, 3),
            (PAGE_UP, 0),
            (END + UP, 39),
            (END + HOME, 0),
        ],
    )
    def test_pages_of_a_long_menu(self, keys: Any, typed: str, chosen: int) -> None:
        keys(typed + ENTER)
        assert Menus(advice).choose(QUESTION, PLAIN) == chosen

    def test_esc_goes_back(self, keys: Any) -> None:
        keys(ESC)
        with pytest.raises(CancelledError):
            Menus(advice).choose(QUESTION, CARDS)

    def test_back_is_the_last_choice(self, keys: Any) -> None:
        keys(UP + ENTER)
        with pytest.raises(CancelledError):
            Menus(advice).choose(QUESTION, CARDS)

    def test_esc_first_takes_back_what_was_typed(self, keys: Any) -> None:
        keys("zz")
        keys(ESC)
        keys(DOWN + ENTER)
        assert Menus(advice).choose(QUESTION, CARDS) == "red-2"

    def test_the_signs_of_the_menu_before_work_in_a_menu_and_come_back(self, keys: Any) -> None:
        menus, did = Menus(advice), list[str]()
        for sign in ":!":
            menus.signs = {**menus.signs, sign: labeled("It", partial(did.append, sign), sign)}
        keys(DOWN + "!" + ENTER)
        assert menus.choose(QUESTION, CARDS) == CARDS[1].value, "the pointer stays"
        keys("2" + ENTER + ":" + ENTER)
        kept = menus.choose_several(QUESTION, CARDS, 2)
        assert kept == [card.value for card in CARDS[:2]], "what was taken still is"
        assert did == ["!", ":"]

    def test_a_sign_of_its_own_comes_first(self, keys: Any) -> None:
        menus = Menus(advice)
        menus.signs = {":": labeled("Type", "type", ":")}
        keys(":")
        assert menus.choose(QUESTION, [*CARDS, CARDS[0]._replace(key=":", value="ten")]) == "ten"

    @pytest.mark.parametrize("wrong", ["", "zebra", "bui", "red"])
    def test_a_sign_acts_whatever_is_typed(self, keys: Any, wrong: str) -> None:
        keys(wrong + ".")
        cards = [*CARDS, labeled("Stop", "stop", ".")]
        assert Menus(advice).choose(QUESTION, cards, back=False, search=True) == "stop"
        menus, did = Menus(advice), list[str]()
        menus.signs = {"!": labeled("It", partial(did.append, "hint"), "!")}
        keys(wrong + "!" + BACKSPACE * 9 + ENTER)
        assert menus.choose(QUESTION, CARDS, search=True) == "blue-1"
        assert did == ["hint"]

    def test_within_a_word_a_sign_is_a_letter(self, keys: Any) -> None:
        menus = Menus(advice)
        menus.signs = {"-": labeled("Elsewhere", "elsewhere", "-")}
        keys("red-3" + ENTER)
        assert menus.choose(QUESTION, CARDS, search=True) == "red-3"

    def test_without_a_way_back_the_signs_of_the_menu_before_do_nothing(self, keys: Any) -> None:
        menus = Menus(advice)
        menus.signs = {"!": labeled("Elsewhere", "elsewhere", "!")}
        keys("!" + BACKSPACE + DOWN + ENTER)
        assert menus.choose(QUESTION, CARDS, back=False) == "red-2"

    def test_what_is_typed_only_points_and_enter_takes_it(self, keys: Any) -> None:
        """So the rest of a word is of the same question, however fast it is typed."""
        roles = [
            Choice([(f"{name}: something", "")], name, key=key, name=name)
            for name, key in (("builder", "b"), ("craftsman", "c"), ("captain", "a"))
        ]
        for typed in ("builder", "captain", "b", "a", "cap", "c", "bui"):
            keys(typed + ENTER)
        found = [Menus(advice).choose(QUESTION, roles) for _ in range(7)]
        assert found == [
            *("builder", "captain", "builder", "captain", "captain", "craftsman", "builder")
        ]

    def test_the_beginning_of_a_key_narrows(self, keys: Any) -> None:
        houses = [Choice([(name, "")], name, key=name) for name in ("L3", "L4", "R3")]
        keys("l4" + ENTER + "l" + DOWN + ENTER)
        assert Menus(advice).choose(QUESTION, houses, search=True) == "L4"
        assert Menus(advice).choose(QUESTION, houses, search=True) == "L4"

    def test_where_there_is_no_way_back_esc_does_nothing(self, keys: Any) -> None:
        keys(ESC)
        keys(DOWN + DOWN + DOWN + DOWN + ENTER)
        assert Menus(advice).choose(QUESTION, CARDS, back=False) == "red-2"

    def test_ctrl_c_interrupts(self, keys: Any) -> None:
        keys(CTRL_C)
        with pytest.raises(KeyboardInterrupt):
            Menus(advice).choose(QUESTION, CARDS)

    def test_a_question_mark_explains_the_question_then_the_keys_then_the_rulings(
        self, keys: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keys("?" + DOWN + ENTER)
        help_with_it = ("Take a card. Red ones are hot.", "P-DRAW-1")
        assert Menus(advice).choose(QUESTION, CARDS, rules=help_with_it) == "red-2"
        shown = capsys.readouterr().out
        assert shown.startswith("Take a card. Red ones are hot.")
        assert shown.index("Ctrl-C") < shown.index("P-DRAW-1  ")
        assert "Esc goes back" in " ".join(shown.split())

    @pytest.mark.parametrize(("digit", "chosen"), [("1", 0), ("9", 8)])
    def test_a_digit_chooses(self, keys: Any, digit: str, chosen: int) -> None:
        keys(digit + ENTER)
        assert Menus(advice).choose(QUESTION, PLAIN) == chosen

    def test_what_no_choice_has_chooses_nothing(self, keys: Any) -> None:
        keys("77" + ENTER + BACKSPACE + DOWN + ENTER)
        assert Menus(advice).choose(QUESTION, CARDS) == "red-2"

    def test_several_are_taken_one_after_the_other_and_keep_their_digits(self, keys: Any) -> None:
        keys("3" + ENTER + "1" + ENTER)
        assert Menus(advice).choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    @pytest.mark.parametrize("typed", ["bu 27", "27 build", "27"])
    def test_what_is_typed_is_searched_for_word_by_word(self, keys: Any, typed: str) -> None:
        keys(typed + ENTER)
        assert Menus(advice).choose(QUESTION, PLAIN, search=True) == 27

    @pytest.mark.parametrize(("typed", "sure"), [("y", True), ("n", False), (ENTER, False)])
    def test_yes_or_no_is_a_choice_of_two(self, keys: Any, typed: str, sure: bool) -> None:
        keys(typed.strip() + ENTER)
        assert Menus(advice).confirm("Sure?") is sure

    def test_the_help_names_the_signs_of_the_menu_before(
        self, keys: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        menus = Menus(advice)
        menus.signs = {"!": labeled("Hint: what looks best", "hint", "!")}
        keys("?" + ENTER)
        menus.choose(QUESTION, [*CARDS, labeled("Look: the table", "look", "=")])
        rows = [row.split(maxsplit=1) for row in capsys.readouterr().out.splitlines()]
        assert ["signs", "= look, ! hint"] in rows
        keys("?" + ENTER)
        menus.choose(QUESTION, CARDS, back=False)
        assert "! hint" not in capsys.readouterr().out

    def test_a_form_keeps_its_own_signs(
        self, keys: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        menus = Menus(advice)
        menus.signs = {"+": labeled("Plan ahead", "plan", "+")}
        shares = [Share(card.label, int(not nth), 1) for nth, card in enumerate(CARDS)]
        sheet = Sheet(shares, 1, lambda numbers: "", lambda numbers: None, "")
        keys("?" + "+" + ENTER * 2)
        assert menus.distribute(QUESTION, sheet) == [1, 0, 0]
        assert "+ plan" not in capsys.readouterr().out

    def test_enter_takes_nothing_while_nothing_is_found(self, keys: Any) -> None:
        keys("zebra" + ENTER + BACKSPACE * 5 + "1" + DOWN + ENTER)
        assert Menus(advice).choose(QUESTION, PLAIN, search=True) == 10

    def test_a_text_is_judged_before_it_is_taken(self, keys: Any) -> None:
        for more in (" Joana ", f"{BACKSPACE} Joana "):
            keys("rui" + ENTER + more + ENTER)
            assert Menus(advice).write("Name?", no_lower_case) == "Joana"

    @pytest.mark.parametrize("text", ["help", "table", "boards", "back"])
    def test_no_text_is_taken_for_a_key(self, keys: Any, text: str) -> None:
        keys(text + ENTER)
        assert Menus(advice).write("Name?", lambda typed: None) == text

    @pytest.mark.parametrize("key", ["\x12", "\x13", "\x16", "\x11\x1a", "\x1b[5~", "\x1b[6~"])
    def test_a_key_that_a_text_of_one_line_has_no_use_for_changes_nothing(
        self, keys: Any, key: str
    ) -> None:
        keys(f"Jo{key}ana{ENTER}")
        assert Menus(advice).write("Name?", lambda typed: None) == "Joana"

    def test_enter_takes_the_default_of_a_text(self, keys: Any) -> None:
        keys(ENTER)
        assert Menus(advice).write("Name?", no_lower_case, "Inês") == "Inês"

    def test_a_question_mark_helps_before_a_text_is_typed(
        self, keys: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keys("?" + "Who?" + ENTER)
        assert Menus(advice).write("Name?", no_lower_case, rules=("P-SETUP-4",)) == "Who?"
        assert capsys.readouterr().out.count("P-SETUP-4  ") == 1

    def test_a_text_can_be_backed_out_of_and_interrupted(self, keys: Any) -> None:
        keys("Jo" + ESC)
        with pytest.raises(CancelledError):
            Menus(advice).write("Name?", no_lower_case)
        keys(CTRL_C)
        with pytest.raises(KeyboardInterrupt):
            Menus(advice).write("Name?", no_lower_case)


def test_it_is_said_what_enter_does() -> None:
    draws = [
        Choice([("red-1", "")], 1, key="2", enter="Enter: draw red-1"),
        Choice([("red-1 green-2", "")], 2, key="25", enter="Enter: draw red-1 green-2"),
        Choice([("Look at the table", "")], 3, key="="),
    ]
    menu = Menu(draws)
    assert menu.enter() == "Enter: draw red-1"
    menu.step(-1)
    assert menu.enter() == "Enter: Look at the table"
    menu.type("zebra")
    assert menu.enter() == "Enter: choose again"


def test_words_of_a_later_question_lead_to_what_asks_it_and_esc_back_to_the_start() -> None:
    build = Choice([("Build", "")], 1, key="b", moves=["build sugar-mill", "build small-market"])
    menu = Menu([Choice([("Pass", "")], 0, key="0", moves=["pass"]), build])
    menu.type("small-market")
    assert menu.answer() == 1
    menu.erase(99)
    assert menu.answer() == 0


@pytest.mark.parametrize(
    ("typed", "found"),
    [("b", []), ("u", [3]), ("undo", [3]), ("s", [4]), ("c", []), ("stop", [4]), ("uni", [1])],
)
def test_what_is_typed_finds_moves_first(typed: str, found: list[int]) -> None:
    """No other way to ask by a letter; a move that cannot be made by its name, before the signs."""
    menu = Menu(
        [
            Choice([("Draw", "")], 0, key="d", moves=["draw red-1"]),
            labeled("University", 1),
            labeled("Two cards first: choose them", 2, "t"),
            labeled("Undo Ana's turn (draw blue-3)", 3, "<"),
            labeled("Stop", 4, "."),
        ]
    )
    menu.type(typed)
    assert [*menu.found] == found


def test_words_that_match_no_move_point_at_the_line_of_a_sign() -> None:
    """Nothing is taken by that; and a move that is not here points at no move that was made."""
    signs = [
        labeled("Undo Ana's turn (draw red-1)", 1, "<"),
        labeled("Look: the table, the log, the scores", 2, "="),
        labeled("Type a move (or find out why it isn't legal)", 3, ":"),
        labeled("Stop: the game is saved in x.yaml", 4, ".", also="quit exit"),
    ]
    move = Choice([("build", "")], 0, moves=["build red-1 blue-1 L7"])
    menu = Menu([move, *signs])
    for typed, found in {
        "u": [1],
        "undo": [1],
        "table": [2],
        "type": [3],
        "q": [4],
        "b": [0],
        "draw red-1": [],
        "s": [4],
    }.items():
        menu.type(typed)
        assert [menu.given[nth].value for nth in menu.found] == found, typed
        menu.erase(99)
    deeper = Menu([move], beside=signs)
    deeper.type("undo")
    assert plain(deeper.lines(Screen(80), 9)[-1]) == (
        "   Nothing here begins with 'undo', but < is undo; Backspace takes it back."
    )


def test_words_are_found_by_their_beginnings_in_what_a_choice_is() -> None:
    tiles = [
        Choice(
            [(f"{name}  (2 in the row)  sells high", "")], name, name=name, moves=[f"take {name}"]
        )
        for name in ("corn", "indigo", "sugar cane")
    ]
    menu = Menu(tiles, digits=False)
    for typed, found in {"h": [], "r": [], "i": ["indigo"], "can": ["sugar cane"]}.items():
        menu.type(typed)
        assert [tiles[nth].value for nth in menu.found] == found
        menu.erase(9)


def test_of_what_is_no_move_lines_that_begin_so_are_found_first() -> None:
    saved = Choice([("Continue Porto: Ana (learn-porto.yaml)", "")], "saved")
    menu = Menu([saved, Choice([("Learn Porto", "")], "lesson")], digits=False)
    for typed, found in {"lea": ["lesson"], "ana": ["saved"], "porto": ["saved", "lesson"]}.items():
        menu.type(typed)
        assert [menu.given[nth].value for nth in menu.found] == found
        menu.erase(9)


def test_numbers_that_mean_the_same_choose_the_same() -> None:
    menu = Menu([Choice([("red, red, yellow", "")], 1, key="135", also="145 345")])
    for typed in ("135", "145", "54", "543"):
        menu.type(typed)
        assert menu.is_done()
        menu.erase(9)


def test_the_signs_below_a_question_are_in_the_same_order_whatever_is_on_the_screen() -> None:
    """Those that are missed most come first."""
    signs = {"<": "Undo", ".": "Stop", "+": "Plan", "!": "Hint: best", ":": "Type", "=": "Look:"}
    own = [Choice([(label, "")], label, key=key) for key, label in signs.items()]
    assert hints(keys_of(On.MENU, back=False, own=own, boards=False)) == [
        "? help",
        "! hint",
        "Tab table",
        "< undo",
        "= look",
        ". stop",
        ": type",
        "+ plan",
    ]


def test_in_the_middle_of_a_move_the_keys_of_its_menu_are_named_but_for_what_means_more() -> None:
    others = [labeled("Hint: best", None, "!"), labeled("End the lesson", None, "-")]
    assert hints(keys_of(On.MENU, others=others))[:3] == ["? help", "! hint", "Esc back"]
    form = hints(keys_of(On.FORM, others=others))
    assert form[:4] == ["? help", "! hint", "Esc back", "-/+ change it"]
    assert "- end" not in form


def test_the_end_of_a_key_narrows_where_no_key_begins_so() -> None:
    """Like the games of the first menu, which stand behind a letter."""
    menu = Menu([labeled(f"{name}: a new game", name, f"n{nth}") for nth, name in enumerate("abc")])
    menu.type("2")
    assert menu.is_done()
    assert menu.answer() == "c"


def test_spaces_of_cards_can_be_typed_in_any_order() -> None:
    draws = [Choice([(key, "")], key, key=key) for key in ("1", "12", "123", "3")]
    menu = Menu(draws, digits=False)
    menu.type("21")
    assert [menu.given[nth].value for nth in menu.found] == ["12", "123"]
    menu.type("3")
    assert menu.answer() == "123"


def test_spaces_that_are_typed_apart_are_no_words_of_other_choices() -> None:
    draws = [
        Choice([(name, "")], name, key=key, moves=[f"draw {name}"])
        for key, name in (("1", "red-2"), ("3", "blue-3"), ("14", "red-2 green-1"))
    ]
    for typed, found in {"4 1": [2], "1, 4": [2], "3 2": [], "3  2": []}.items():
        menu = Menu(draws, digits=False)
        menu.type(typed)
        assert [*menu.found] == found


def test_the_sign_for_redo_does_not_move_the_column_of_the_labels() -> None:
    menu = Menu([labeled("Draw", 1, "d"), labeled("Redo", 2, ">")])
    shown = [plain(line) for line in menu.lines(Screen(60), 9)]
    assert shown == [" > d Draw", "     (>) Redo"], "nor is it a second pointer"


def test_the_exact_spaces_come_before_other_spaces_of_equal_cards() -> None:
    labels = (("12", "green-2 yellow-2"), ("25", "green-2 yellow-2@5"))
    menu = Menu([Choice([(name, "")], key, "12 25", key) for key, name in labels], digits=False)
    for key, _ in labels:
        menu.erase(9)
        menu.type(key)
        assert menu.pointed
        assert menu.pointed.key == key


def test_a_sign_that_does_nothing_is_answered_as_a_sign() -> None:
    menu = Menu(CARDS)
    for key in "!", "!", "=!":
        for sign in key:
            menu.type(sign)
        *choices, told = map(plain, menu.lines(Screen(60), 5))
        assert told.strip() == "There is no hint for this question."
        assert len(choices) == len(CARDS), "nobody has to take it back"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("x", "'x' does nothing here."),
        ("h", "'h' does nothing here, but ? is help."),
        ("help", "Nothing here begins with 'help', but ? is help; Backspace takes it back."),
    ],
)
def test_what_begins_no_choice_leaves_the_list(typed: str, told: str) -> None:
    """After a single key the choice stays pointed at; words that begin none choose nothing."""
    menu = Menu([labeled("Draw", 1, "d"), labeled("Build", 2, "b")])
    menu.step(1)
    for key in typed:
        menu.type(key)
    is_key = len(typed) == 1
    build = f" {'>' if is_key else ' '} b Build"
    assert [*map(plain, menu.lines(Screen(80), 9))] == ["   d Draw", build, f"   {told}"]
    if is_key:
        assert menu.enter() == "Enter: Build"
        menu.type("d")
        assert menu.answer() == 1, "the right key need not wait for another one"
        menu.erase(9)
        menu.step(1)
        menu.type(typed)
        menu.erase()
        assert menu.is_done()
        assert menu.answer() == 2
    else:
        assert not menu.is_done()
        assert menu.is_done(), "the second Enter chooses"


def test_esc_at_the_first_question_says_that_there_is_none_before() -> None:
    """Which sign undoes a turn, maybe of another player, it says where one does."""
    for more, told in ([], ""), ([labeled("Undo Rui's turn", 0, "<")], "; < is undo"):
        menu = Menu([*CARDS, *more])
        menu.stay()
        last = plain(menu.lines(Screen(80), 9)[-1]).strip()
        assert last == f"Esc: nothing to go back to{told}."


def test_who_would_quit_is_told_so() -> None:
    assert "Esc quit" in hints(keys_of(On.MENU, quits=True))
    assert "Esc back" in hints(keys_of(On.MENU))


def test_nothing_else_is_done_while_one_is_asked_whether_one_is_sure(keys: Any) -> None:
    menus, done = Menus(advice), list[str]()
    menus.signs = {"!": labeled("Hint", lambda: done.append("hint"), "!")}
    keys("!" + BACKSPACE + "y" + ENTER)
    assert menus.confirm("Sure?")
    assert done == []
    assert "!" in menus.signs


def test_the_sign_that_asked_whether_one_is_sure_says_yes(keys: Any, monkeypatch: Any) -> None:
    keys("<")
    assert Menus(advice).confirm("Undo?", sign="<")
    monkeypatch.setattr("builtins.input", lambda _: "<")
    assert Lines(advice).confirm("Undo?", sign="<")


def test_a_list_that_scrolls_says_how_many_are_below() -> None:
    menu = Menu([labeled(f"Number {nth}", nth) for nth in range(20)], digits=False)
    for rows, last in ((8, "12 more"), (20, "Number 19")):
        assert plain(menu.lines(Screen(60), rows)[-1]).endswith(last)
    menu.move(8)
    assert plain(menu.lines(Screen(60), 8)[-1]).endswith("11 more")
    assert not any("more" in plain(line) for line in menu.lines(Screen(15), 8))
    long = Menu([labeled("a" * 50, nth) for nth in range(20)], digits=False)
    for width in range(50, 70):
        last = plain(long.lines(Screen(width), 8)[-1])
        assert "a1" not in last, "it stands apart"
        assert "…" not in last, "no line is cut for it"


@pytest.mark.parametrize(
    ("does", "width", "said", "keys"),
    [
        ("pass", 60, "pass", 3),
        ("build sugar-mill (2 VP: costs 3 doubloons)", 60, "build sugar-mill (2 VP)", 3),
        ("Play again: the same players, a new deal", 60, "Play again", 3),
        ("build green-3 yellow-2 R4 token L3", 60, "build g3 y2 R4 token L3", 3),
        ("build green-3 yellow-2 R4 token L3", 40, "build g3 y2 …", 2),
        ("pass", 22, "pass", 1),
    ],
)
def test_what_enter_does_gives_way_to_the_keys_behind_it(
    does: str, width: int, said: str, keys: int
) -> None:
    """Each of these is always in the same place, with help at the edge."""
    named = "Esc back, ! hint, ? help".split(", ", 3 - keys)[-1]
    row = plain(last_row(f"Enter: {does}", ["? help", "! hint", "Esc back"], width))
    assert row == f"  Enter: {said}".ljust(width - len(named)) + named


def test_line_by_line_a_key_that_names_its_choice_is_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda hint: "L3")
    houses = [Choice([("L3  green", "")], 1, key="L3"), Choice([("Build", "")], 2, key="b")]
    assert Lines(advice).choose(QUESTION, houses) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [line.split() for line in shown[-2:]] == [["L3", "green"], ["b", "Build"]]


def test_notes_stand_behind_their_choices_or_below_the_menu() -> None:
    """In one column where they fit; else each is shown while its choice is pointed at."""
    longer = "all that is written here is too long for the line"
    menu = Menu(
        [Choice([("red", "")], 1, note="hot"), Choice([("blue-green", "")], 2, note=longer)]
    )
    wide = [plain(line).rstrip() for line in menu.lines(Screen(80), 9)]
    assert wide == [" > 1 red         hot", f"   2 blue-green  {longer}"]
    narrow = [plain(line).rstrip() for line in menu.lines(Screen(60), 9)]
    assert narrow == [" > 1 red         hot", "   2 blue-green", ""]
    menu.step(1)
    narrow = [plain(line).rstrip() for line in menu.lines(Screen(60), 9)]
    assert narrow == ["   1 red         hot", " > 2 blue-green", f"   2: {longer}"]


def test_a_row_has_the_short_note_and_the_line_below_the_whole_one() -> None:
    menu = Menu([Choice([("palette", "")], 1, note="A house of each.", short=["each"]), CARDS[0]])
    shown = [plain(line).rstrip() for line in menu.lines(Screen(80), 9)]
    assert shown[0] == " > 1 palette  each"
    assert shown[2:] == ["   1: A house of each."]


def test_what_is_pasted_pushes_neither_the_choices_nor_enter_off_the_screen() -> None:
    menu = Menu(CARDS)
    menu.type("red " * 99)
    assert len(menu.lines(Screen(40), 5)) == 5
    assert "red-2" in plain(menu.lines(Screen(40), 5)[0])


def test_lines_say_the_note_behind_the_choice(capsys: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", lambda hint: "")
        Lines(advice).choose(QUESTION, [Choice([("red", "")], 1, note="It is hot.")])
    assert "  1  red. It is hot.\n" in capsys.readouterr().out


def test_long_choices_are_broken_between_words(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("builtins.input", lambda hint: "")
    Lines(advice).choose(QUESTION, [Choice([("one more, " * 9, "")], 1)])
    first, second = capsys.readouterr().out.splitlines()[2:4]
    assert re.fullmatch(r"  1  (one|more,| )+", first)
    assert len(first) < 60
    assert re.match(r"     (one|more)", second)


@pytest.mark.parametrize("in_sight", [True, False])
def test_tab_turns_the_boards_and_where_all_are_in_sight_shows_the_whole_table(
    keys: Any, capsys: Any, in_sight: bool
) -> None:
    class Boards(Told):
        turned, turns = 0, not in_sight

        def turn(self) -> None:
            Boards.turned += 1

        def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
            return [[("boards", "")]]

    menus = Menus(advice, Stage())
    menus.put_above(Boards([]), lambda screen: [[("The whole table", "")]])
    shown: list[Any] = []
    menus.show = shown.append  # type: ignore[method-assign]
    keys("\t" + ENTER)
    menus.choose(QUESTION, CARDS)
    assert len(shown) == in_sight
    assert Boards.turned == (not in_sight)


def test_a_key_shows_the_whole_table_where_there_is_one(keys: Any, capsys: Any) -> None:
    menus = Menus(advice)
    keys("\t" + ENTER)
    assert menus.choose(QUESTION, CARDS) == "blue-1"
    menus.put_above(None, lambda screen: [[("All boards.", "")]])
    keys(DOWN + "\t" + CTRL_O + ENTER)
    assert menus.choose(QUESTION, CARDS) == "red-2"
    assert capsys.readouterr().out.count("All boards.") == 2


class TestLines:
    """Where the cursor cannot move, a number and Enter do the same."""

    @pytest.fixture
    def typed(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def type_in(*lines: str) -> None:
            answers = iter(lines)

            def read(hint: str) -> str:
                print(hint)
                try:
                    return next(answers)
                except StopIteration:
                    raise EOFError from None

            monkeypatch.setattr("builtins.input", read)

        return type_in

    def test_a_number_chooses(self, typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
        typed("9", "-1", "x", "2")
        assert Lines(advice).choose(QUESTION, CARDS) == "red-2"
        shown = capsys.readouterr().out
        assert "  2   red-2" in shown
        assert "'9' is in none of these." in shown
        assert "'-1' is in none of these." in shown, "a word has letters"

    def test_enter_takes_the_first_choice(self, typed: Any) -> None:
        typed("")
        assert Lines(advice).choose(QUESTION, CARDS) == "blue-1"

    def test_b_goes_back_and_a_question_mark_helps(
        self, typed: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        typed("?", "b")
        with pytest.raises(CancelledError):
            Lines(advice).choose(QUESTION, CARDS, rules=("Red ones are hot.", "P-DRAW-1"))
        shown = capsys.readouterr().out
        assert ("Red ones are hot." in shown, "P-DRAW-1" in shown) == (True, False)
        typed("??", "1")
        Lines(advice).choose(QUESTION, CARDS, rules=("Red ones are hot.", "P-DRAW-1"))
        assert "P-DRAW-1  " in capsys.readouterr().out

    def test_where_there_is_no_way_back_b_is_no_answer(self, typed: Any) -> None:
        typed("b", "1")
        assert Lines(advice).choose(QUESTION, CARDS, back=False) == "blue-1"

    def test_the_signs_of_the_menu_before_work_in_a_list_which_is_told_again(
        self, typed: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = Lines(advice)
        lines.signs = {":": labeled("Type", partial(print, "It is typed."), ":")}
        typed("x", ":", "1")
        assert lines.choose(QUESTION, CARDS) == CARDS[0].value
        assert capsys.readouterr().out.partition("It is typed.")[2].split("\n")[2] == QUESTION

    def test_the_help_names_no_letter_that_means_something_else(
        self, typed: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Not one of its own, and none where a text is typed."""
        lines = Lines(advice)
        lines.signs = {one: labeled("Hint", "hint", one) for one in "!-"}
        typed("?", "b")
        with pytest.raises(CancelledError):
            lines.choose(QUESTION, [*CARDS, labeled("Less", "less", "-")])
        shown = " ".join(capsys.readouterr().out.split())
        assert ("! hint" in shown, "- hint" in shown) == (True, False)
        typed("?", "!")
        assert lines.write("Which move?", lambda text: None) == "!"
        assert "also type" not in " ".join(capsys.readouterr().out.split())

    def test_a_long_list_is_searched(self, typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
        typed("build 3", "32")
        assert Lines(advice).choose(QUESTION, PLAIN) == 31
        shown = capsys.readouterr().out
        assert f"and {len(PLAIN) - MANY} more" in shown
        assert " 31  build 30" in shown
        page = " ".join((ROOT / "man" / "man1" / "porto-play.1").read_text("utf-8").split())
        assert f"Of more than {MANY} choices the first {MANY} are listed" in page

    def test_below_a_long_list_are_the_signs(
        self, typed: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Each where it stands; what cannot be chosen is found only by who types it."""
        typed("9 9")
        choices = [labeled("Look", 0, "="), *PLAIN, labeled("Stop", 1, ".")]
        choices.append(Choice([("both", "")], 99, key="9 9", hidden=True))
        assert Lines(advice).choose(QUESTION, choices, back=False) == 99
        shown = capsys.readouterr().out
        assert shown.index("=  Look") < shown.index("1  build 0") < shown.index(".  Stop")
        assert f"and {len(PLAIN) - MANY} more" in shown
        assert "both" not in shown

    def test_words_of_a_move_find_what_leads_to_it(self, typed: Any) -> None:
        typed("r3 l4")
        houses = [labeled(name, name)._replace(moves=[f"build {name} L4"]) for name in ("B2", "R3")]
        assert Lines(advice).choose(QUESTION, houses) == "R3"

    def test_several_numbers(self, typed: Any) -> None:
        typed("3", "3", "4", "1")
        assert Lines(advice).choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    @pytest.mark.parametrize(
        "lines", [["3 1"], ["1 1", "1 4", "1 2 3", ",", "3, 1"], ["1", "3 2", "3"]]
    )
    def test_several_numbers_in_a_line(self, typed: Any, lines: list[str]) -> None:
        typed(*lines)
        assert Lines(advice).choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    def test_backing_out_takes_back_the_last_of_several_and_then_all(self, typed: Any) -> None:
        typed("2", "b", "3", "1")
        assert Lines(advice).choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]
        typed("2", "b", "b")
        with pytest.raises(CancelledError):
            Lines(advice).choose_several(QUESTION, CARDS, 2)

    def test_a_text(self, typed: Any) -> None:
        typed("rui", "Joana")
        assert Lines(advice).write("Name?", no_lower_case) == "Joana"
        typed("")
        assert Lines(advice).write("Name?", no_lower_case, "Inês") == "Inês"

    def test_the_end_of_the_input_ends_the_question(self, typed: Any) -> None:
        typed()
        with pytest.raises(EOFError):
            Lines(advice).choose(QUESTION, CARDS)


class TestAMenu:
    """How a menu looks, and where its pointer goes; it needs no terminal."""

    def looks(self, menu: Menu, width: int = 80, rows: int = 24) -> list[str]:
        return [plain(line) for line in menu.lines(Screen(width), rows)]

    def test_the_first_nine_choices_have_a_digit(self) -> None:
        lines = self.looks(Menu(PLAIN))
        assert lines[0] == " > 1 build 0"
        assert lines[8] == "   9 build 8"
        assert lines[9] == "     build 9"

    def test_a_long_menu_scrolls_and_shows_that_it_does(self) -> None:
        menu = Menu(PLAIN)
        assert self.looks(menu, rows=4)[-1].split("   ")[0] == "↓  4 build 3"
        menu.move(5)
        assert [line.split("     ")[0] for line in self.looks(menu, rows=4)] == [
            "↑  3 build 2",
            "   4 build 3",
            "   5 build 4",
            "↓> 6 build 5",
        ]
        menu.page(-1)
        assert self.looks(menu, rows=4)[0] == "↑> 3 build 2"
        menu.move(100)
        assert self.looks(menu, rows=4)[-1] == " >   build 39"

    def test_all_of_it_is_shown_again_when_there_is_room(self) -> None:
        menu = Menu(PLAIN[:6])
        menu.move(5)
        self.looks(menu, rows=2)
        assert len(self.looks(menu, rows=10)) == 6

    @pytest.mark.parametrize("width", [28, 30, 44, 80])
    def test_no_label_is_broken_inside_of_a_word(self, width: int) -> None:
        words = "Complete three neighboring houses, blue, green and yellow: 4/9 VP"
        label = [("trios-blue+green: ", "bold"), (words, "")]
        menu = Menu([Choice(label, 0)])
        lines = self.looks(menu, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(" ".join(lines).split()) == ("> 1 trios-blue+green: " + words)

    @pytest.mark.parametrize("typed", ["L7 R4", "r4 l7", "R4 token L7", "b3 L7", "  l7   r4 "])
    def test_every_word_has_to_match_in_any_order(self, typed: str) -> None:
        labels = [
            "blue-3 red-1 L7 token R4",
            "blue-3 red-1 L7 token R5",
            "red-1 blue-3 L4 token R4",
        ]
        menu = Menu([Choice([(label, "")], label, "b3 r1") for label in labels])
        menu.type(typed)
        assert menu.answer() == labels[0]
        assert "R5" not in " ".join(self.looks(menu)) or typed == "b3 L7"

    def test_where_nothing_matches_it_says_so_and_chooses_nothing(self) -> None:
        menu = Menu(PLAIN)
        menu.type("build zebra")
        *listed, told = self.looks(menu)
        assert told == "   Nothing here begins with 'build zebra'; Backspace takes it back."
        assert len(listed) > 1
        assert not any(">" in line for line in listed)
        menu.erase(len("zebra"))
        menu.type("3")
        assert self.looks(menu)[-1] == "   Typed: build 3 (11 choices). Esc shows all."
        menu.type("zebra")
        menu.step(1)
        assert menu.answer() == 0


class TestALongText:
    """It comes in pages, and goes both ways."""

    TEXT: ClassVar[list[Line]] = [[(f"line {number}", "")] for number in range(1, 31)]

    def at(self, reader: Reader, rows: int = 11, width: int = 80) -> tuple[str, str]:
        lines = reader.lines(Screen(width), rows)
        assert len(lines) <= rows
        return plain(lines[0]), " ".join(map(plain, lines))

    def test_it_goes_on_and_back(self) -> None:
        reader = Reader(lambda screen: self.TEXT)
        assert self.at(reader)[0] == "line 1"
        for action, first in (
            (lambda: reader.page(1), 10),
            (lambda: reader.page(1), 19),
            (lambda: reader.page(1), 21),
            (lambda: reader.page(-1), 12),
            (lambda: reader.move(-1), 11),
            (lambda: reader.move(1), 12),
            (lambda: reader.move(100), 21),
            (lambda: reader.move(-100), 1),
            (lambda: reader.page(-1), 1),
        ):
            action()
            assert self.at(reader)[0] == f"line {first}"
        assert "1 to 10 of 30" in self.at(reader)[1]

    def test_what_is_newest_at_its_end_is_shown_from_there_and_goes_back(self) -> None:
        reader = Reader(lambda screen: self.TEXT, at_end=True)
        assert self.at(reader)[0] == "line 21"
        assert "21 to 30 of 30: b back" in self.at(reader)[1]
        reader.page(-1)
        assert self.at(reader)[0] == "line 12"
        reader.move(100)
        assert reader.is_done()

    def test_blank_lines_give_way_where_all_the_rest_fits_on_a_page(self) -> None:
        text = [*self.TEXT[:4], [], *self.TEXT[4:8], [], self.TEXT[8]]
        for rows, blanks, last in (12, 2, "done"), (11, 1, "done"), (10, 0, "done"), (9, 1, "1 to"):
            lines = [*map(plain, Reader(lambda screen: text).lines(Screen(80), rows))]
            assert (lines.count(""), last in lines[-1]) == (blanks, True)

    def test_a_size_that_changes_leaves_it_in_the_text(self) -> None:
        reader = Reader(lambda screen: self.TEXT)
        self.at(reader)
        reader.move(100)
        assert self.at(reader, rows=21)[0] == "line 11"
        assert reader.is_done()
        assert "Enter or Esc" in self.at(reader, rows=40)[1]

    def test_the_keys(self, keys: Any) -> None:
        menus, seen = Menus(advice, Stage()), []

        def text(screen: Screen) -> list[Line]:
            seen.append(screen)
            return self.TEXT * 3

        for typed in (
            "q",
            ESC,
            ENTER * 3,
            " b" + PAGE_DOWN + PAGE_UP + HOME + END + ENTER,
        ):
            keys(typed)
            menus.show(text)
        assert seen


class Sized(DummyOutput):
    """A terminal whose size changes, and what was written to it."""

    def __init__(self) -> None:
        self.size = Size(rows=24, columns=80)
        self.written: list[str] = []

    def get_size(self) -> Size:
        return self.size

    def write(self, data: str) -> None:
        self.written.append(data)

    def text(self) -> str:
        text, self.written = "".join(self.written), []
        return text


def test_a_question_is_redrawn_when_the_size_changes() -> None:
    """With the pointer, and in the words that fit."""
    output = Sized()
    game = porto_cli.load(ROOT / "records" / "porto" / "two-players.yaml").replay
    above = above_question(after_turn(game, 30), 0, 0)
    texts: list[str] = []
    with create_pipe_input() as typed, create_app_session(input=typed, output=output):
        menus = Menus(advice, Stage())
        menus.put_above(above)

        def resized(app: Any) -> None:
            texts.append(output.text())
            if len(texts) == 1:
                output.size = Size(rows=40, columns=120)
                app._on_resize()
            elif len(texts) == 2:
                typed.send_text(DOWN + ENTER)

        app_run = Application.run

        def run(app: Any) -> Any:
            app.after_render += resized
            return app_run(app)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Application, "run", run)
            assert menus.choose(QUESTION, CARDS) == "red-2"
    assert "Tiles" not in texts[0]
    assert "ground" not in texts[0]
    assert "Which card?" in texts[1]
    assert texts[1].count("\n") > texts[0].count("\n")


def test_a_question_is_redrawn_when_the_size_has_changed_behind_the_table() -> None:
    output, texts = Sized(), list[str]()
    game = porto_cli.load(ROOT / "records" / "porto" / "two-players.yaml").replay
    above = above_question(after_turn(game, 30), 0, 0)
    with create_pipe_input() as typed, create_app_session(input=typed, output=output):
        menus = Menus(advice, Stage())
        menus.put_above(above, lambda screen: [[("The whole table", "")]])
        app_run = Application.run

        def run(app: Any) -> Any:
            texts.append("")
            typed.send_text({1: "\t", 2: ENTER, 3: ENTER}[len(texts)])
            app.after_render += lambda _: texts.append(texts.pop() + output.text())
            if len(texts) == 2:
                output.size = Size(rows=40, columns=120)
            return app_run(app)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Application, "run", run)
            assert menus.choose(QUESTION, CARDS) == "blue-1"
    first, table, again = texts
    assert "The whole table" in table
    assert ["upper" in one for one in (first, again)] == [False, True]


def test_a_line_can_be_clicked() -> None:
    """The question is in the first row, the choices are below it: a click points, a second one
    takes; the wheel goes down and up.
    """
    click, down, up = "\x1b[<0;5;3M\x1b[<0;5;3m", "\x1b[<65;5;3M", "\x1b[<64;5;3M"
    with create_pipe_input() as typed, create_app_session(input=typed, output=Sized()):
        for keys in (click + ENTER, click + click, down + ENTER, down * 9 + up * 9 + down + ENTER):
            typed.send_text(keys)
            assert Menus(advice, Stage()).choose(QUESTION, CARDS) == "red-2", keys


def no_lower_case(name: str) -> str | None:
    return "Begin with a capital." if name[:1].islower() else None


def test_help_is_set_to_the_width_of_the_screen() -> None:
    assert max(len(plain(line)) for line in advice(("P-BUILD-2", "P-DRAW-3"), 50)[2]) <= 50


class Keeping(Scripted):
    """Looks at the private contracts that were dealt, and keeps the first three."""

    def choose_several(self, question: str, choices: Any, count: int, **about: Any) -> list[Any]:
        self.dealt = choices
        return [one.value for one in choices[:count]]


def test_each_private_contract_says_in_its_row_what_it_pays() -> None:
    """Whatever was dealt: so the five are compared without pointing at each. At 60 columns
    maybe only the VP.
    """
    for deal in range(40):
        state, asker = porto_cli.new_game(["Inês"], seed=f"deal-{deal}").state, Keeping()
        found = game_of("porto").words.options(state, 0, asking=True)
        (form,) = {one.form for one in found}
        assert {one.parts[0].key for one in found} == {"c"}, "behind a hint it is a row of a menu"
        form(asker)
        wide, narrow = (
            [plain(line) for line in Menu(asker.dealt).lines(Screen(columns), 9)]
            for columns in (80, 60)
        )
        assert all(one.short[0] in row for row, one in zip(wide, asker.dealt, strict=False))
        paid = [re.search(r"\d VP", row) for row in narrow[:5]]
        assert all(paid), narrow


def test_what_counts_of_private_contracts_is_said_whole_on_a_narrow_screen() -> None:
    replay = porto_cli.new_game(["Ana", "Bia", "Caio", "Davi"], seed="b2", first="Ana").replay
    rows = [plain(line).strip() for line in above_question(replay, 0, 0).lines(Screen(60), 13)]
    assert "Private    choose three; only completed houses count" in rows
