"""Random games through the tree, for tests of what research plays with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from porto_cli.games.puerto_rico.engine.state import BUILDING_OPTIONS, State
from porto_cli.games.puerto_rico.research import actions, tree

EVERY_NUMBER = [2, 3, 4, 5]
OPTIONS = [
    {"buildings": buildings, "rulebook": rulebook}
    for buildings, rulebook in zip(BUILDING_OPTIONS, ("printed", "printed", "guide"), strict=True)
]


def rich(legal: list[int], rng: random.Random) -> int:
    """Take an action; each kind is as likely, so that games are rich."""
    kinds = [kind for kind in actions.KINDS if any(one in kind.actions for one in legal)]
    kind = rng.choice(kinds)
    return rng.choice([one for one in legal if one in kind.actions])


def nodes(players: int, seed: str, **options: Any) -> Iterator[tuple[tree.Node, int]]:
    """Yield the nodes of a random game, those at which something comes up too, and the actions."""
    rng = random.Random(seed)
    node = tree.root(tree.config_of(players, **options))
    while not node.over:
        if node.pile is not None:
            thing = rng.choice(node.pile.things)
            yield node, thing
            node = tree.come_up(node, thing)
        else:
            action = rich(tree.legal(node), rng)
            yield node, action
            node = tree.play(node, action)


def with_other_chips(state: State, seat: int | None) -> State:
    """Return a table on which the others have other VP chips, as many in all (PR-SECRET-1).

    Of two players who knows the pool knows the other's chips: there nothing can differ.
    """
    new = state.copy()
    others = [each for each in range(state.config.seats) if each != seat]
    chips = sum(state.players[each].vp for each in others)
    for each in others:
        new.players[each].vp = 0
    richest = state.players[others[0]].vp == chips
    new.players[others[-1 if richest else 0]].vp = chips
    return new


def with_chips(state: State, each: int = 4) -> State:
    """Return a table on which everybody has some VP chips."""
    new = state.copy()
    for player in new.players:
        player.vp = each
    return new
