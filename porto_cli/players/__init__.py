"""Players that are programs: what they are, and those that can play any game.

The players of one game are in its ``players`` module.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from porto_cli.game import Move, State

Player = Callable[[State, list[Move], Random], Move]
"""Somebody who plays: given the table, the moves to choose among and a source of luck, returns a
move.

To play in other processes it has to be a function that can be imported there. Of the source of
luck only ``random()`` gives the same numbers in every version of Python.
"""


def random_player(state: State, moves: list[Move], luck: Random) -> Move:
    """Take any move."""
    return moves[int(luck.random() * len(moves))]
