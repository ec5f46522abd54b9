"""Players that are programs: what they are, and those that can play any game.

The players of one game are in its ``players`` package. ``docs/players.md`` says how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from porto_cli.game import Game, Move, Observation, State, View, game_of

Player = Callable[[View, Sequence[Move], Random], Move]
"""A player: given what the seat that is to move may know, the moves to choose among and a random
number generator, returns one of the moves.

It is never given the table itself, so that it can neither look at what others hide nor foresee what
comes up. To play in other processes it has to be a function that can be imported there. Of the
generator only ``random()`` gives the same numbers in every version of Python.
"""


def choose(player: Player, game: Game, state: State, seat: int, rng: Random) -> Move:
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


@dataclass(frozen=True)
class Observer:
    """A player who looks at what people see: an observation, and moves as text.

    ``choose`` returns one of the moves of an observation of the game, in the notation. It is slower
    than a player who looks at the view, and it needs no knowledge of what that is made of. To play
    in other processes ``choose`` has to be a function that can be imported there.
    """

    game_id: str
    choose: Callable[[Observation], str]

    def __call__(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move that is chosen. Raises InvalidMoveError for a text that is not a move."""
        seat = seat_of(view)
        game = game_of(self.game_id)
        text = self.choose(game.observe(view.table, seat))
        move = game.parse_move(text, view.table, seat)
        return game.canonical_move(view.table, move)


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
