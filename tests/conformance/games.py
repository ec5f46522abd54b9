"""The kinds of games that are tested here: those of the box."""

from __future__ import annotations

import pytest

from porto_cli.testing.games import LISTED as LISTED
from porto_cli.testing.games import LONGEST as LONGEST
from porto_cli.testing.games import GameKind
from porto_cli.testing.games import Ply as Ply
from porto_cli.testing.games import played as played
from tests.conformance.kinds import REGISTERED

HUNTS = 6
"""Games of each kind that long hunts play."""
KINDS = [kind for registered in REGISTERED.values() for kind in registered.kinds()]
USUAL = [
    "porto-1p-timer=24",
    "porto-3p-edition=cramped",
    "porto-4p-edition=bare-private_contracts=False",
    "puerto-rico-2p-buildings=draft-rulebook=guide",
    "puerto-rico-4p-buildings=random-rulebook=guide",
]
"""Kinds that are played every time; together they reach every line that any kind reaches."""


def marks_of(kind: GameKind, seed: int) -> list[pytest.MarkDecorator]:
    if seed:
        return [pytest.mark.slow]
    return [] if str(kind) in USUAL else [pytest.mark.long]


PLAYED = [
    pytest.param(kind, seed, id=f"{kind}-{seed}", marks=marks_of(kind, seed))
    for kind in KINDS
    for seed in range(HUNTS)
]
"""One game of the usual kinds; of the others in long runs, and more of all in long hunts."""
every_kind = pytest.mark.parametrize(("kind", "seed"), PLAYED)
"""For tests of a kind of game and a seed."""
