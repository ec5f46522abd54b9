"""Random games through the tree, for tests of what research plays with."""

from __future__ import annotations

import random
from collections.abc import Iterator

from porto_cli.core.chance import seeded_chance
from porto_cli.game import Move, State
from porto_cli.games.porto.engine.legal_moves import legal_moves
from porto_cli.games.porto.engine.play import apply
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


def nodes(players: int, seed: str, **options: bool) -> Iterator[tuple[tree.Node, int]]:
    """Yield the nodes of a random game, those at which something comes up too, and the actions."""
    rng = random.Random(seed)
    node = tree.root(tree.config_of(players, **options))
    while not node.over:
        if node.pile is not None:
            thing = rng.choice(node.pile.things)
            yield node, thing
            node = tree.come_up(node, thing)
        else:
            action = rng.choice(tree.legal(node))
            yield node, action
            node = tree.play(node, action)
