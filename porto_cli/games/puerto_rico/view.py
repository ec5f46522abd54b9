"""What a seat may know of a table, for programs that play, and tables that could be true.

Hidden is who of the others has how many VP chips (PR-SECRET-1): how many they have together follows
from the pool. In which order tiles come up no state knows.
"""

from __future__ import annotations

from random import Random

from porto_cli.game import View
from porto_cli.games.puerto_rico.engine.state import OVER, State


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    The VP chips of the others are spread evenly over them, until the game is over.
    """
    if state.phase == OVER:
        return View(seat, state)
    others = _others(state, seat)
    each, left = divmod(_hidden(state, others), len(others))
    return View(
        seat, _with_chips(state, others, [each + (nth < left) for nth in range(len(others))])
    )


def resample(view: View, luck: Random) -> State:
    """Return a table as it could be: each VP chip of the others belongs to any of them."""
    table: State = view.table
    if table.phase == OVER:
        return table
    others = _others(table, view.seat)
    chips = [0] * len(others)
    for _ in range(_hidden(table, others)):
        chips[int(luck.random() * len(others))] += 1
    return _with_chips(table, others, chips)


def _others(state: State, seat: int | None) -> list[int]:
    return [other for other in range(state.config.seats) if other != seat]


def _hidden(state: State, others: list[int]) -> int:
    return sum(state.players[other].vp for other in others)


def _with_chips(state: State, seats: list[int], chips: list[int]) -> State:
    new = state.copy()
    for seat, vp in zip(seats, chips, strict=True):
        new.players[seat].vp = vp
    return new
