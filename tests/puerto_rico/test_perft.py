"""From fixed positions the number of legal move sequences is what it was, by both counts."""

from __future__ import annotations

import pytest

from tests.puerto_rico import perft
from tests.puerto_rico.perft import (
    POSITIONS,
    Position,
    divide,
    engine_count,
    reach,
    referee_count,
)

DRAFT, OPENING = POSITIONS[:2]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.title)
def test_engine_and_referee_count_the_same_sequences(position: Position):
    game = reach(position)
    game.compare()
    depths = range(1, len(position.counts) + 1)
    engine = tuple(engine_count(game.state, game.chance, depth) for depth in depths)
    referee = tuple(referee_count(game.referee, depth) for depth in depths)
    assert (engine, referee) == (position.counts, position.counts)


def test_the_positions_are_of_many_kinds():
    phases = {reach(position).referee.phase for position in POSITIONS}
    assert phases == {"draft", "role", "mayor", "builder", "craftsman", "library", "captain"}
    players, buildings, rulebooks = map(set, zip(*(p.kind.split() for p in POSITIONS), strict=True))
    assert players == {"2", "3", "4", "5"}
    assert buildings == {"base", "draft", "random"}
    assert rulebooks == {"printed", "guide"}


def test_the_draft_counted_by_hand():
    """Each first choice takes itself away, and what has no place any more (PR-DRAFT-2, -3)."""
    last_of_its_cost = 12  # two kinds each of 1, 3, 4, 6, 7, 9 for one place
    exclude_each_other = 2  # Hacienda, Forest House
    nothing_else = 31 - last_of_its_cost - exclude_each_other
    assert DRAFT.counts[1] == (last_of_its_cost + exclude_each_other) * 29 + nothing_else * 30


def test_the_opening_counted_by_hand():
    by_first = divide(reach(OPENING), 2)
    assert by_first == {first: (number, number) for first, number in BY_HAND.items()}
    assert OPENING.counts[:2] == (len(BY_HAND), sum(BY_HAND.values()))


BY_HAND = {
    "role settler": 1 + 3 + 1,  # pass, the three kinds of the row, a quarry
    "role mayor": 5,  # who has one tile has no choice; the next player has five cards
    "role mayor no-colonist": 5,
    "role builder": 1 + 7,  # pass, and what costs at most 2 doubloons and 1 less
    "role craftsman": 5 + 1,  # nothing to do; the mayor can be taken in two ways
    "role trader": 5 + 1,
    "role captain": 5 + 1,
}


def test_the_command_tells_a_number_that_is_not_as_written(monkeypatch, capsys):
    wrong = OPENING._replace(counts=(7, 42))
    monkeypatch.setattr(perft, "POSITIONS", (DRAFT, wrong))
    perft.main([])
    assert capsys.readouterr().out.splitlines() == [
        "1. the draft: 31 916 25692",
        "2. the opening: 7 41, should be 7 42",
    ]


def test_the_command_tells_below_which_move_the_counts_differ(monkeypatch, capsys):
    """Here the engine takes one tile more for legal than there is."""
    count = perft.count_moves
    monkeypatch.setattr(
        perft, "count_moves", lambda state: count(state) + (state.phase == "settler")
    )
    perft.main(["2"])
    lines = capsys.readouterr().out.splitlines()
    assert "role settler: 6, the referee counts 5" in lines
    assert "role trader: 6" in lines
    perft.main(["2", "role trader"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "referee" in line] == [
        "role settler: 6, the referee counts 5"
    ]


def test_the_command_refuses_a_move_that_is_not_legal(capsys):
    with pytest.raises(SystemExit):
        perft.main(["2", "role settler", "take face-down"])
    assert "'take face-down' is not a legal move here." in capsys.readouterr().err
