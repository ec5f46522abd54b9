"""What holds for every game behind the seam, played by the games of the box."""

from __future__ import annotations

from porto_cli.game import BOX
from porto_cli.testing import conformance
from porto_cli.testing.laws import otherwise
from tests.conformance.games import PLAYED, every_kind, played
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
        otherwise(kind, ply.state, None, rnd) != ply.state for ply, rnd in game.looked_at()
    )
    assert changed
