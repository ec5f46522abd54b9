"""Players that are programs: what they are, and those that can play any game.

The players of one game are in its ``players`` package. ``docs/players.md`` says how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from porto_cli.seam import Move, Rules, State, View

Player = Callable[[View, Sequence[Move], Random], Move]
"""A player: given what the seat that is to move may know, the moves to choose among and a random
number generator, returns one of the moves.

It is never given the table itself, so that it can neither look at what others hide nor foresee what
comes up. To play in other processes it has to be a function that can be imported there. Of the
generator only ``random()`` gives the same numbers in every version of Python.
"""


def choose(player: Player, game: Rules, state: State, seat: int, rng: Random) -> Move:
    """Return the move of a player who has this seat, which is to move.

    What the seat may not know is taken from the table first. Raises ValueError if the seat has no
    legal move.
    """
    moves = game.legal_moves(state, seat)
    if not moves:
        raise ValueError(f"The seat {seat} has no legal move.")
    return player(game.view(state, seat), moves, rng)


def seat_of(view: View) -> int:
    """Return the seat of a view. Raises ValueError for that of a bystander."""
    if view.seat is None:
        raise ValueError("A bystander has no move to choose.")
    return view.seat


def seed_of(rng: Random) -> int:
    """Return a random seed, for a generator whose numbers can be reproduced."""
    return int(rng.random() * 2**40)


def random_player(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Take any move."""
    return random_choice(moves, rng)


OneMove = TypeVar("OneMove")
"""A move of one game."""


def random_choice(moves: Sequence[OneMove], rng: Random) -> OneMove:
    """Return one of the moves, all of which are equally likely."""
    return moves[int(rng.random() * len(moves))]


def most_worth(moves: Sequence[OneMove], worth: Callable[[OneMove], float], rng: Random) -> OneMove:
    """Return the move that is worth most; ties are broken at random."""
    worths = [worth(move) for move in moves]
    most = max(worths)
    return random_choice(
        [move for move, each in zip(moves, worths, strict=True) if each == most], rng
    )


class Parameter(NamedTuple):
    """A whole number that a player can be given: a keyword of its function, and what it may be."""

    name: str
    least: int
    most: int


class Players(NamedTuple):
    """The players of a game that are programs: any game has one that plays at random."""

    named: Mapping[str, Player] = MappingProxyType({"random": random_player})
    """The players, by their names."""
    parameters: Mapping[str, Sequence[Parameter]] = MappingProxyType({})
    """What can be written after a name: ``level-5:100``."""
