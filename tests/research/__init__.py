"""Random games for the tests of research, in the tree of any game and in OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

from porto_cli.research import Tree


def nodes(tree: Tree, players: int, seed: str, **options: Any) -> Iterator[tuple[Any, int]]:
    """Yield every node of a random game, with what came up or was decided there."""
    rng = Random(seed)
    node = tree.root(tree.config_of(players, **options))
    while not node.over:
        action = rng.choice(node.pile.things if node.pile else node.legal)
        yield node, action
        node = tree.play(node, action)


def end_of(tree: Tree, line: Iterable[tuple[Any, int]]) -> Any:
    """Return the node behind a line of the tree, each step of which leads to the next node."""
    line = list(line)
    for (node, action), (following, _) in pairwise(line):
        assert tree.play(node, action) == following
    return tree.play(*line[-1])


def walked(game: Any, seed: int, steps: int | None = None) -> Any:
    """Return a state of OpenSpiel after so many random steps, at a decision; or the end."""
    rng = Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if steps is not None and steps <= 0 and not state.is_chance_node():
            break
        if steps is not None:
            steps -= 1
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state
