"""Greedy: who takes what scores most at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from porto_cli.game import View
from porto_cli.games.porto.engine.components import VALUE_OF
from porto_cli.games.porto.engine.contracts import met_by, outcome
from porto_cli.games.porto.engine.moves import Build, Claim, Move
from porto_cli.games.porto.engine.play import neighbors_between
from porto_cli.games.porto.engine.state import ACT, State
from porto_cli.players import most_worth


def greedy_player(view: View, moves: Sequence[Move], luck: Random) -> Move:
    """Take a move that scores most at once, public contracts included; ties are broken by lot."""
    return most_worth(moves, partial(worth, view.table), luck)


def worth(state: State, move: Move) -> int:
    """Return the VP that a legal move scores at once, with all contracts that a build meets."""
    if isinstance(move, Claim):
        return sum(state.config.public[state.contracts[space]] for space in move.spaces)
    if not isinstance(move, Build) or state.phase != ACT:
        return 0
    house = move.house
    before = state.floors[house]
    after = before + VALUE_OF[move.number]
    vp = after + neighbors_between(state.floors, house, before, after)
    if not before:
        vp += state.ground_tokens[house]
    built = outcome(state, move)
    if built.completed:
        own = move.token == house
        vp += state.ground_tokens[house] if own else state.roof_tokens[house]
    for space in met_by(built, state.contracts):
        vp += state.config.public[state.contracts[space]]
    return vp
