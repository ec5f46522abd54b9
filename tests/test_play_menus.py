"""Questions as menus and as numbered lines: the keys, going back, help, searching."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from porto_cli.play.advice import advice
from porto_cli.play.asking import CancelledError, Choice
from porto_cli.play.lines import Lines
from porto_cli.play.menus import Menus
from porto_cli.render.spans import plain
from porto_cli.rules.sentence import Sentence, say

ENTER, ESC, DOWN, UP, BACKSPACE, CTRL_C = "\r", "\x1b", "\x1b[B", "\x1b[A", "\x7f", "\x03"
PAGE_DOWN, PAGE_UP, HOME, END = "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F"
QUESTION = say("Which card?")
CARDS = [
    Choice([(f" {name} ", f"card:{name[:-2]}")], name) for name in ("blue-1", "red-2", "red-3")
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
        assert Menus().choose(QUESTION, CARDS) == "blue-1"

    def test_arrows_move_and_go_round(self, keys: Any) -> None:
        keys(DOWN + DOWN + UP + ENTER)
        assert Menus().choose(QUESTION, CARDS) == "red-2"
        keys(UP + UP + ENTER)
        assert Menus().choose(QUESTION, CARDS) == "red-3"

    @pytest.mark.parametrize(
        ("typed", "chosen"),
        [
            (PAGE_DOWN, 8),
            (PAGE_DOWN * 2 + PAGE_UP, 8),
            (PAGE_UP, 0),
            (END + UP, 39),
            (END + HOME, 0),
        ],
    )
    def test_pages_of_a_long_menu(self, keys: Any, typed: str, chosen: int) -> None:
        keys(typed + ENTER)
        assert Menus().choose(QUESTION, PLAIN) == chosen

    def test_esc_goes_back(self, keys: Any) -> None:
        keys(ESC)
        with pytest.raises(CancelledError):
            Menus().choose(QUESTION, CARDS)

    def test_back_is_the_last_choice(self, keys: Any) -> None:
        keys(UP + ENTER)
        with pytest.raises(CancelledError):
            Menus().choose(QUESTION, CARDS)

    def test_where_there_is_no_way_back_esc_does_nothing(self, keys: Any) -> None:
        keys(ESC)
        keys(DOWN + DOWN + DOWN + DOWN + ENTER)
        assert Menus().choose(QUESTION, CARDS, back=False) == "red-2"

    def test_ctrl_c_interrupts(self, keys: Any) -> None:
        keys(CTRL_C)
        with pytest.raises(KeyboardInterrupt):
            Menus().choose(QUESTION, CARDS)

    def test_a_question_mark_quotes_the_rulings_and_asks_again(
        self, keys: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keys("?" + DOWN + ENTER)
        assert Menus().choose(QUESTION, CARDS, rules=("P-DRAW-1",)) == "red-2"
        shown = capsys.readouterr().out
        assert shown.startswith("P-DRAW-1  ")
        assert "Esc goes back" in shown

    def test_what_is_typed_is_searched_for(self, keys: Any) -> None:
        keys("d 27" + ENTER)
        assert Menus().choose(QUESTION, PLAIN, search=True) == 27

    def test_enter_takes_nothing_while_nothing_is_found(self, keys: Any) -> None:
        keys("zebra" + ENTER + BACKSPACE * 5 + "7" + DOWN + ENTER)
        assert Menus().choose(QUESTION, PLAIN, search=True) == 17

    def test_exactly_so_many_are_marked(self, keys: Any) -> None:
        keys(" " + DOWN + DOWN + ENTER + " " + ENTER)
        assert Menus().choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    def test_marking_can_be_backed_out_of(self, keys: Any) -> None:
        keys(" " + ESC)
        with pytest.raises(CancelledError):
            Menus().choose_several(QUESTION, CARDS, 2)

    def test_without_circles_in_the_alphabet_all_that_go_together_are_listed(
        self, keys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        keys(DOWN + ENTER)
        assert Menus().choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    def test_a_text_is_judged_before_it_is_taken(self, keys: Any) -> None:
        keys("rui" + ENTER + BACKSPACE * 3 + " Joana " + ENTER)
        assert Menus().write(say("Name?"), no_lower_case) == "Joana"

    def test_enter_takes_the_default_of_a_text(self, keys: Any) -> None:
        keys(ENTER)
        assert Menus().write(say("Name?"), no_lower_case, "Inês") == "Inês"

    def test_a_text_can_be_backed_out_of_and_interrupted(self, keys: Any) -> None:
        keys("Jo" + ESC)
        with pytest.raises(CancelledError):
            Menus().write(say("Name?"), no_lower_case)
        keys(CTRL_C)
        with pytest.raises(KeyboardInterrupt):
            Menus().write(say("Name?"), no_lower_case)


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
        typed("9", "x", "2")
        assert Lines().choose(QUESTION, CARDS) == "red-2"
        shown = capsys.readouterr().out
        assert "  2   red-2" in shown
        assert "'9' is no number from 1 to 3." in shown

    def test_enter_takes_the_first_choice(self, typed: Any) -> None:
        typed("")
        assert Lines().choose(QUESTION, CARDS) == "blue-1"

    def test_b_goes_back_and_a_question_mark_helps(
        self, typed: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        typed("?", "b")
        with pytest.raises(CancelledError):
            Lines().choose(QUESTION, CARDS, rules=("P-DRAW-1",))
        assert "P-DRAW-1  " in capsys.readouterr().out

    def test_where_there_is_no_way_back_b_is_no_answer(self, typed: Any) -> None:
        typed("b", "1")
        assert Lines().choose(QUESTION, CARDS, back=False) == "blue-1"

    def test_a_long_list_is_searched(self, typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
        typed("/build 3", "32")
        assert Lines().choose(QUESTION, PLAIN) == 31
        shown = capsys.readouterr().out
        assert "and 20 more" in shown
        assert " 31  build 30" in shown

    def test_several_numbers(self, typed: Any) -> None:
        typed("1", "1 1", "1 4", "3, 1")
        assert Lines().choose_several(QUESTION, CARDS, 2) == ["blue-1", "red-3"]

    def test_a_text(self, typed: Any) -> None:
        typed("rui", "Joana")
        assert Lines().write(say("Name?"), no_lower_case) == "Joana"
        typed("")
        assert Lines().write(say("Name?"), no_lower_case, "Inês") == "Inês"

    def test_the_end_of_the_input_ends_the_question(self, typed: Any) -> None:
        typed()
        with pytest.raises(EOFError):
            Lines().choose(QUESTION, CARDS)


def no_lower_case(name: str) -> Sentence | None:
    return say("Begin with a capital.") if name[:1].islower() else None


def test_help_is_set_to_the_width_of_the_screen() -> None:
    assert max(len(plain(line)) for line in advice(("P-BUILD-2", "P-DRAW-3"), 50)) <= 50
