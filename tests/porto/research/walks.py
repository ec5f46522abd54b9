"""Random games of the engine, for tests of what research plays with."""

from __future__ import annotations

import random
from collections.abc import Iterator

from porto_cli.core.chance import seeded_chance
from porto_cli.game import Move, State
from porto_cli.games.porto.engine.play import apply, legal_moves
from porto_cli.games.porto.engine.state import OVER, begin, deal
from porto_cli.games.porto.research import tree


def plies(players: int, seed: str, **options: bool) -> Iterator[tuple[State, Move]]:
    """Yield the tables of a random game that the engine plays, and the move made on each."""
    config = tree.config_of(players, **options)
    chance, rng = seeded_chance(seed), random.Random(seed)
    state = begin(config, deal(config, chance))
    while state.phase != OVER:
        by_kind: dict[type, list[Move]] = {}
        for move in legal_moves(state):
            by_kind.setdefault(type(move), []).append(move)
        move = rng.choice(by_kind[rng.choice(sorted(by_kind, key=lambda kind: kind.__name__))])
        yield state, move
        state, _ = apply(state, move, chance)
