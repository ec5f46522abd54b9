"""From fixed positions the number of legal move sequences is what it was; see tests/perft."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from porto_cli.games.porto.engine.play import apply, legal_moves
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from tests.porto import perft
from tests.porto.perft.__main__ import main
from tests.porto.test_engine_reference import expected
from tests.shares import for_each


@pytest.mark.long_for(
    "01-opening-two-players",
    "03-first-builds-four-players",
    "05-crowded-three-players",
    "06-crowded-four-players",
    "12-solo-timer",
    "13-solo-last-turns",
    "14-low-houses",
    "15-nothing-left",
)
@pytest.mark.parametrize("path", perft.FILES, ids=lambda path: path.stem)
def test_the_numbers_are_as_they_were(path):
    """On a mismatch the numbers are listed by first move, so that the wrong one can be followed."""
    differences = perft.differences(perft.load(path))
    assert not differences, "\n".join(["", *differences])


def test_the_positions_are_of_many_kinds():
    states = [perft.load(path).state for path in perft.FILES]
    assert len(states) >= 12
    assert {state.config.seats for state in states} == {1, 2, 3, 4}
    assert {state.phase for state in states} == {KEEP, ACT, CONTRACTS, TIMER}
    assert any(state.end_round for state in states)
    assert any(not state.free_roofs for state in states)
    assert max(perft.load(path).counts[-1] for path in perft.FILES) > 1_000_000


def referee(state: State) -> int:
    """Count the moves by the second reading of the rules; keeping is three of five."""
    return 10 if state.phase == KEEP else len(expected(state))


@for_each("path", perft.FILES)
def test_the_referee_counts_the_same_to_depth_two(path):
    position = perft.load(path)
    assert referee(position.state) == position.counts[0]
    nexts = [apply(position.state, m, position.chance)[0] for m in legal_moves(position.state)]
    assert sum(map(referee, nexts)) == position.counts[1]


def test_a_position_counted_by_hand():
    """No roof space is empty; L3 can be started, its token has nowhere to go.

    Face up lie two 1s, a 2 and two 3s: each alone, and each two of the first three together.
    Of each color card the others of the hand give 1, 1, 2, 2 floors (for red one less 1):

    yellow  L4 has 3 spaces, R1 has 2; L3 is the neighbor of L4
    blue    R2 has 4 spaces, R5 has 1, L3 can be started
    purple  L6 has 2 spaces, R4 has 2, L3 can be started
    red     L3 can be started, with either of the two red cards
    """
    draws = 5 + 3
    builds = (4 + 4) + (4 + 2 + 4) + (4 + 4 + 4) + (4 + 4)
    assert perft.load(perft.FOLDER / "16-no-empty-roof.yaml").counts[0] == draws + builds


def test_a_wrong_number_is_shown_by_first_move(tmp_path, capsys):
    """What a maintainer sees: which move to follow, and then the moves below it."""
    path = Path(shutil.copy(perft.FOLDER / "16-no-empty-roof.yaml", tmp_path))
    text = path.read_text("utf-8")
    number = perft.load(path).divide["draw blue-1"]
    path.write_text(text.replace("draw blue-1: ", "draw blue-1: 1"), "utf-8")
    line = f"draw blue-1: {number}, should be 1{number}"
    assert perft.differences(perft.load(path))[0].strip() == line

    assert main([str(path)]) == 0
    assert line in capsys.readouterr().out
    assert main([str(path), "draw blue-1"]) == 0
    assert f"{number} sequences of 2" in capsys.readouterr().out
    assert main([str(path), "--write"]) == 0
    assert path.read_text("utf-8") == text
