"""The end of a game at the keyboard: what is seen of it, and what can be done then."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import porto_cli
from porto_cli.cli import progress
from porto_cli.cli.progress import Ending, ending_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.paper import Document, Heading, Node
from porto_cli.players.analysis import what_decided
from porto_cli.term import Screen, plain, width_of
from tests.conftest import ROOT
from tests.porto.asking import Scripted
from tests.tables import table_at

RECORDS = ROOT / "records"
PORTO, SOLO_WON, SOLO_LOST = "porto/three-players", "porto/solo-won", "porto/solo-lost"
FOUR = "porto/four-players-seat-first"
PUERTO_RICO, FIVE = "puerto-rico/two-players", "puerto-rico/five-players-random"
QUESTION = "What would you like to do now?"
LARGE = [pytest.param(one, marks=pytest.mark.long) for one in (PUERTO_RICO, FIVE)]
BELOW = 7
"""Rows below the result, for a gap, the question, and most of what can be done."""


def match_of(record: str) -> porto_cli.Match:
    return porto_cli.load(RECORDS / f"{record}.yaml")


@cache
def decisive(record: str) -> str:
    """Return which turn decided a game from records/, however long it takes to find it."""
    return what_decided(match_of(record).replay, 600)


@cache
def found(record: str) -> Ending:
    """Return how a game from records/ ended, with the turn that decided it."""
    match = match_of(record)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "what_decided", lambda replay, seconds: decisive(record))
        return ending_of(match.replay)


def last_moves(record: str, to: Path) -> porto_cli.Match:
    """Return a game from records/ as it was before the moves that ended it."""
    for left in range(2, 9):
        match = table_at(record, -left, to)
        if not match.over:
            return match
    raise AssertionError(record)


def play(match: porto_cli.Match, *answers: str, sure: bool = True) -> tuple[Session, Scripted]:
    """Take the first choices to the end of the game, then these, and stop."""
    left = list(answers)

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if question != QUESTION:
            return None
        return left.pop(0) if left else "Stop"

    asker = Scripted(then=answer)
    asker.unsure = not sure
    session = Session(match, asker)
    with suppress(StoppedError):
        session.run()
    return session, asker


# -- What is seen.


def assert_it_fits(record: str, size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    width, rows = size[0], size[1] - BELOW
    lines = found(record).lines(Screen(width), rows)
    assert len(lines) <= rows
    assert max(map(width_of, lines)) <= width
    assert "\n".join(map(plain, lines)) == snapshot


EVERY_SIZE = pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=str)


@EVERY_SIZE
@pytest.mark.parametrize("record", [PORTO, FOUR, SOLO_WON, SOLO_LOST])
def test_the_result_fits_above_the_question(
    record: str, size: tuple[int, int], snapshot: SnapshotAssertion
) -> None:
    assert_it_fits(record, size, snapshot)


# Another test, as the snapshots of one that runs must all be used.
@pytest.mark.long
@EVERY_SIZE
@pytest.mark.parametrize("record", [PUERTO_RICO, FIVE])
def test_the_result_of_a_large_game_fits_above_the_question(
    record: str, size: tuple[int, int], snapshot: SnapshotAssertion
) -> None:
    assert_it_fits(record, size, snapshot)


@pytest.mark.parametrize("record", [PORTO, *LARGE])
def test_however_little_room_there_is_who_has_won_is_seen(record: str) -> None:
    """And no heading without what it is above."""
    for rows in range(1, 12):
        lines = [plain(line) for line in found(record).lines(Screen(80), rows)]
        assert len(lines) <= rows
        assert "The game is over:" in lines[0], rows
        assert lines[-1].strip() != "Final scores", rows


@pytest.mark.parametrize("more", [[], [Heading("Zé")]], ids=["nothing", "a heading"])
def test_scores_may_have_no_rows_or_begin_with_a_heading(more: list[Node]) -> None:
    nodes = [Heading("Zé wins."), Heading("Final scores"), *more]
    lines = [*map(plain, Ending(Document("", nodes)).lines(Screen(80), 20))]
    assert [line.strip() for line in lines if line] == ["Zé wins.", *(["Zé"] if more else [])]


def test_a_screen_reader_gets_the_result_without_the_details() -> None:
    sentences = [*map(str, found(PORTO).sentences())]
    assert sentences[0] == "The game is over: Afonso wins with 76 VP, 9 ahead of Inês."
    assert sentences[1:3] == ["The 8th roof ended the game.", "Final scores"]
    assert sentences[3].startswith("1. Afonso, 76 VP: floors 31, ")
    assert not any("Private contracts of" in sentence for sentence in sentences)


def test_the_readers_own_contracts_come_first_and_what_is_left_out_is_named() -> None:
    ending = found(PORTO)._replace(reader="Joana")

    def shown(rows: int) -> list[str]:
        return [plain(line).strip() for line in ending.lines(Screen(120), rows)]

    heads = [line for line in shown(60) if line.startswith("Private contracts of")]
    assert [head.split()[3].strip(":") for head in heads] == ["Joana", "Afonso", "Inês"]
    assert "Score details for Afonso and Inês: press =." in shown(29)
    assert "Score details for Joana, Afonso and Inês: press =." in shown(17)
    # On the terminal's first screen no key shows more.
    assert not any(
        "press =" in plain(line) for line in ending._replace(fills=False).lines(Screen(80), 17)
    )
