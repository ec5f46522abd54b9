"""Players that are programs: what they are, and those that can play any game.

The players of one game are in its ``players`` package. ``docs/players.md`` says how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from porto_cli.game import Game, Move, State, View

Player = Callable[[View, Sequence[Move], Random], Move]
"""Somebody who plays: given what the seat that is to move may know, the moves to choose among and
a source of luck, returns one of the moves.

It is never given the table itself, so that it can neither look at what others hide nor foresee what
comes up. To play in other processes it has to be a function that can be imported there. Of the
source of luck only ``random()`` gives the same numbers in every version of Python.
"""


def choose(player: Player, game: Game, state: State, seat: int, luck: Random) -> Move:
    """Return the move of a player who has this seat, which is to move.

    What the seat may not know is taken from the table first. Raises ValueError if the seat has no
    legal move.
    """
    moves = game.legal_moves(state, seat)
    if not moves:
        raise ValueError(f"The seat {seat} has no legal move.")
    return player(game.view(state, seat), moves, luck)


def random_player(view: View, moves: Sequence[Move], luck: Random) -> Move:
    """Take any move."""
    return moves[int(luck.random() * len(moves))]
