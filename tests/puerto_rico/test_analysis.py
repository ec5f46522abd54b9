"""The analysis of a game of Puerto Rico, by somebody who likes the first move of the list."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import porto_cli
from porto_cli.core.message import Sentence, say
from porto_cli.game import Move, View, game_of
from porto_cli.players import analysis
from porto_cli.players.analysis import analysis_of, answers, questions
from porto_cli.players.coach import Judgment, Prospect
from porto_cli.ui import ui_of
from tests.conftest import ROOT
from tests.documents import validated
from tests.pages import Page

RECORD = ROOT / "records" / "puerto-rico" / "two-players.yaml"


class FirstOfTheList:
    equal = 0.5

    def judge(self, view: View, luck: Random, *, moves: Sequence[Move] = (), **_: object):
        assert view.seat is not None
        first = game_of("puerto-rico").legal_moves(view.table, view.seat, 1)[0]
        rest = [Judgment(move, Prospect(-5, 0.1), 5.0, 0.1) for move in moves if move != first]
        return [Judgment(first, Prospect(0, 0.5), 0.0, 0.0), *rest]

    def prospect(self, view: View) -> Prospect:
        return Prospect(0.0, 0.5 if view.seat else 0.25)

    def expected(self, view: View, move: Move, luck: Random, *, samples: int = 50) -> Prospect:
        return Prospect(-1.0, 0.5)

    def reasons(self, view: View, move: Move) -> list[Sentence]:
        return [say("It is the first one.")]


@pytest.fixture(autouse=True)
def coach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "coach_of", lambda _: FirstOfTheList())


def test_every_decision_is_judged_and_luck_is_what_came_up() -> None:
    replay = porto_cli.load(RECORD).replay
    course = questions(replay)
    found = analysis_of(course, answers(course.questions))
    assert [turn.number for turn in found.turns] == list(range(1, replay.state.turn + 1))
    assert {turn.mark for turn in found.turns} == {"", "?"}
    assert {turn.luck for turn in found.turns} == {(0.0, 0.0), (1.0, 1.0)}


def test_the_page_and_the_document(porto) -> None:
    replay = porto_cli.load(RECORD).replay
    course = questions(replay)
    found = analysis_of(course, answers(course.questions))
    page = ui_of("puerto-rico").log_html(replay, 0, found)
    assert ">Chance to win in %<" in page
    assert "? The move lost 5.0 VP." in Page(page).text
    told = porto("analyze", RECORD, "--format", "json", "-j", 1).out
    assert validated("analysis", told)["game"] == "puerto-rico"
    assert (
        porto("log", RECORD, "--format", "html").out.rstrip()
        == ui_of("puerto-rico").log_html(replay).rstrip()
    )
