"""Contracts: what the public ones ask of a turn, what the private ones are worth at the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from porto_cli.rules.components import (
    BIT,
    COLOR_OF,
    COLORS,
    HOUSES_IN,
    PRIVATE,
    PUBLIC,
    VALUE_OF,
    PublicContract,
    set_of,
)
from porto_cli.rules.moves import Build
from porto_cli.rules.state import Built, State


def is_met(contract: PublicContract, built: Built) -> bool:
    """Tell whether a build meets a public contract exactly (P-PUBLIC-1)."""
    color = COLOR_OF[built.color]
    if contract.kind == "floors":
        return contract.colors == (color,) and contract.floors == built.floors
    if contract.kind == "house":
        return contract.colors == (color,) and built.completed
    return contract.colors == tuple(sorted((COLOR_OF[built.number], color)))


@cache
def _meets(number: int, color: int, completed: bool) -> frozenset[int]:
    built = Built(number, color, 0, VALUE_OF[number], completed)
    return frozenset(index for index, contract in enumerate(PUBLIC) if is_met(contract, built))


def met_by(built: Built, face_up: bytes) -> tuple[int, ...]:
    """Return the spaces of the face-up public contracts that a build meets."""
    met = _meets(built.number, built.color, built.completed)
    if met.isdisjoint(face_up):
        return ()
    return tuple(space for space, contract in enumerate(face_up) if contract in met)


def outcome(state: State, build: Build) -> Built:
    """Return a legal build as the contracts see it, without making it."""
    floors = VALUE_OF[build.number]
    completed = state.floors[build.house] + floors == state.game.heights[build.house]
    return Built(build.number, build.color, build.house, floors, completed)


Group = tuple[int, ...]


class Reckoning(NamedTuple):
    """What a private contract is worth, and for which houses.

    Each group is what counted once: a house, a pair, a trio, a whole side.
    """

    contract: int
    vp: int
    groups: tuple[Group, ...]


def reckon(state: State, contract: int) -> Reckoning:
    """Reckon a private contract as the table stands: completed houses only (P-PRIV-0)."""
    kind, colors = PRIVATE[contract].kind, PRIVATE[contract].colors
    groups = _COUNTS[kind](state, colors)
    scale = state.game.edition.private[kind]
    vp = scale[min(len(groups), len(scale)) - 1] if groups else 0
    return Reckoning(contract, vp, tuple(groups))


def private_vp(state: State, contract: int) -> int:
    """Return the VP of a private contract as the table stands."""
    return reckon(state, contract).vp


def _completed(state: State, color: int) -> int:
    """Return the set of the completed houses of a color."""
    floors, heights = state.floors, state.game.heights
    completed = 0
    for house in HOUSES_IN[state.painted[color]]:
        if floors[house] == heights[house]:
            completed |= BIT[house]
    return completed


def _houses(state: State, colors: tuple[int, ...]) -> list[Group]:
    """P-PRIV-HOUSES."""
    return [(house,) for house in HOUSES_IN[_completed(state, colors[0])]]


def _runs(state: State, colors: tuple[int, ...]) -> list[Group]:
    """P-PRIV-PAIRS and P-PRIV-TRIOS: disjoint runs of neighbors with each color once.

    Taking the leftmost run first finds the largest number: all runs are equally long, so the
    one that ends first leaves the most room.
    """
    runs: list[Group] = []
    completed = [_completed(state, color) for color in colors]
    if not all(completed):
        return runs
    neighbors = (1 << len(colors)) - 1
    left = sum(completed)
    for first in HOUSES_IN[left]:
        run = neighbors * BIT[first]
        if run & left == run and all(run & color for color in completed):
            runs.append(HOUSES_IN[run])
            left &= ~run
    return runs


def _mirror(state: State, colors: tuple[int, ...]) -> list[Group]:
    """P-PRIV-MIRROR."""
    completed = _completed(state, colors[0])
    left, right = (HOUSES_IN[completed & side] for side in state.game.side_sets)
    heights = state.game.heights
    for one in left:
        for other in right:
            if heights[one] == heights[other]:
                return [(one, other)]
    return []


def _ends(state: State, colors: tuple[int, ...]) -> list[Group]:
    """P-PRIV-ENDS: the ends of what is in play with this number of players."""
    ends = set_of(end for side in state.game.sides for end in (side[0], side[-1]))
    return [(house,) for house in HOUSES_IN[_completed(state, colors[0]) & ends]]


def _palette(state: State, _: tuple[int, ...]) -> list[Group]:
    """P-PRIV-PALETTE: the first completed house of each color on a side that has them all."""
    for side in state.game.side_sets:
        found = [HOUSES_IN[_completed(state, color) & side][:1] for color in range(len(COLORS))]
        if all(found):
            return [tuple(sorted(house for (house,) in found))]
    return []


def _side(state: State, _: tuple[int, ...]) -> list[Group]:
    """P-PRIV-SIDE."""
    return [side for side in state.game.sides if all(map(state.is_complete, side))][:1]


_COUNTS: dict[str, Callable[[State, tuple[int, ...]], list[Group]]] = {
    "houses": _houses,
    "pairs": _runs,
    "trios": _runs,
    "mirror": _mirror,
    "ends": _ends,
    "palette": _palette,
    "side": _side,
}
