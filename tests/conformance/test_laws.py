"""What holds for every game behind the seam, played by the games of the box."""

from __future__ import annotations

import re

import pytest

from porto_cli.games import BOX
from porto_cli.testing import conformance
from porto_cli.testing.games import Ply
from porto_cli.testing.laws import at_every_place, at_every_table
from tests.conformance.games import KINDS, PLAYED, every_kind, played
from tests.conformance.kinds import REGISTERED

TestConformance = conformance(REGISTERED, PLAYED)


def test_every_game_is_played_here():
    """A new game needs an entry in :mod:`tests.conformance.kinds`."""
    assert set(REGISTERED) == set(BOX)
    for game_id, registered in REGISTERED.items():
        assert {kind.players for kind in registered.kinds()} == set(BOX[game_id].players)


@every_kind
def test_there_is_something_hidden(kind, seed):
    """The tests above are worth something only where they change something."""
    game = played(kind, seed)
    changed = sum(
        ply.registered.otherwise(ply.state, None, rnd) != ply.state for ply, rnd in game.looked_at()
    )
    assert changed


def test_a_broken_law_says_where_it_is_broken():
    """The kind, the seed, the turn and the move stand below the traceback."""

    def no_move_is_ever_made(ply, rnd):
        assert ply.state.turn == 0

    def no_table_is_ever_laid(table, rnd):
        if not isinstance(table, Ply):
            pytest.fail("one was laid")

    kind = next(kind for kind in KINDS if kind.game == "porto")
    for test, where in (
        (at_every_place(no_move_is_ever_made), r"porto-1p seed 0 turn [1-9]\d*: [a-z]+ .*"),
        (at_every_table(no_table_is_ever_laid), r"porto-1p seed 0 laid table 0"),
    ):
        with pytest.raises((AssertionError, pytest.fail.Exception)) as failed:
            test(kind, 0)
        (note,) = failed.value.__notes__
        assert re.fullmatch(where, note)
