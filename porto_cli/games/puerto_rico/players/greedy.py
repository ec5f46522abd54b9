"""Greedy: who takes what brings most VP at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from porto_cli.game import View
from porto_cli.games.puerto_rico.engine.components import BUILDING_VP
from porto_cli.games.puerto_rico.engine.events import Built, Scored
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.players import most_worth


def greedy_player(view: View, moves: Sequence[Move], luck: Random) -> Move:
    """Take a move that brings most VP at once; ties are broken by lot."""
    return most_worth(moves, partial(worth, view.table), luck)


def worth(state: State, move: Move) -> int:
    """Return the VP that a legal move, and what follows by itself, brings who makes it.

    Besides chips these are the printed VP of a building. Which tiles come up makes no difference.
    """
    seat = state.seat
    vp = 0
    for event in apply(state, move, lambda *_: 0, seat)[1]:
        if isinstance(event, Scored) and event.seat == seat:
            vp += event.vp
        elif isinstance(event, Built) and event.seat == seat:
            vp += BUILDING_VP[event.building]
    return vp
