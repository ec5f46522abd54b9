"""The kinds of games that are tested here: those of the box."""

from __future__ import annotations

import pytest

from porto_cli.testing.games import LISTED as LISTED
from porto_cli.testing.games import LONGEST as LONGEST
from porto_cli.testing.games import Ply as Ply
from porto_cli.testing.games import played as played
from tests.conformance.kinds import REGISTERED

HUNTS = 6
"""Games of each kind that long hunts play."""
KINDS = [kind for registered in REGISTERED.values() for kind in registered.kinds()]
PLAYED = [
    pytest.param(kind, seed, id=f"{kind}-{seed}", marks=[pytest.mark.slow] * bool(seed))
    for kind in KINDS
    for seed in range(HUNTS)
]
"""One game of each kind, and more in long hunts."""
every_kind = pytest.mark.parametrize(("kind", "seed"), PLAYED)
"""For tests of a kind of game and a seed."""
