"""Contracts: what the public ones ask of a turn, what the private ones are worth at the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from porto_cli.games.porto.engine.components import (
    BIT,
    COLOR_OF,
    COLORS,
    HOUSES_IN,
    PRIVATE,
    PUBLIC,
    VALUE_OF,
    PublicContract,
)
from porto_cli.games.porto.engine.moves import Build
from porto_cli.games.porto.engine.state import Built, Config, State


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
    return spaces_met(built.number, built.color, built.completed, face_up)


def spaces_met(number: int, color: int, completed: bool, face_up: bytes) -> tuple[int, ...]:
    """Return the spaces of the public contracts that two cards and a completed house meet."""
    met = _meets(number, color, completed)
    if met.isdisjoint(face_up):
        return ()
    return tuple(space for space, contract in enumerate(face_up) if contract in met)


def outcome(state: State, build: Build) -> Built:
    """Return a legal build as the contracts see it, without making it."""
    floors = VALUE_OF[build.number]
    completed = state.floors[build.house] + floors == state.config.heights[build.house]
    return Built(build.number, build.color, build.house, floors, completed)


Group = tuple[int, ...]


class Reckoning(NamedTuple):
    """What a private contract is worth, and for which houses.

    Each group is what counted once: a house, a pair, a trio, a whole side.
    """

    contract: int
    vp: int
    groups: tuple[Group, ...]


def completed_houses(state: State) -> tuple[int, ...]:
    """Return for each color the set of its completed houses (P-PRIV-0: no others count)."""
    floors, heights = state.floors, state.config.heights
    completed = []
    for painted in state.painted:
        houses = 0
        for house in HOUSES_IN[painted]:
            if floors[house] == heights[house]:
                houses |= BIT[house]
        completed.append(houses)
    return tuple(completed)


def reckon(state: State, contract: int, completed: tuple[int, ...] | None = None) -> Reckoning:
    """Reckon a private contract as the table stands.

    ``completed`` is what :func:`completed_houses` returns, for who has it already.
    """
    kind, colors = PRIVATE[contract].kind, PRIVATE[contract].colors
    if completed is None:
        completed = completed_houses(state)
    groups = _COUNTS[kind](state.config, [completed[color] for color in colors or _ALL_COLORS])
    scale = state.config.edition.private[kind]
    vp = scale[min(len(groups), len(scale)) - 1] if groups else 0
    return Reckoning(contract, vp, tuple(groups))


def private_vp(state: State, contract: int) -> int:
    """Return the VP of a private contract as the table stands."""
    return reckon(state, contract).vp


_ALL_COLORS = range(len(COLORS))
_Sets = list[int]
"""The completed houses of each color of a contract; of all colors if it names none."""


def _houses(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-HOUSES."""
    return [(house,) for house in HOUSES_IN[completed[0]]]


def _runs(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-PAIRS and P-PRIV-TRIOS: disjoint runs of neighbors with each color once.

    Taking the leftmost run first finds the largest number: all runs are equally long, so the
    one that ends first leaves the most room.
    """
    runs: list[Group] = []
    if not all(completed):
        return runs
    neighbors = (1 << len(completed)) - 1
    left = sum(completed)
    for first in HOUSES_IN[left]:
        run = neighbors * BIT[first]
        if run & left == run and all(run & color for color in completed):
            runs.append(HOUSES_IN[run])
            left &= ~run
    return runs


def _mirror(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-MIRROR."""
    left, right = (HOUSES_IN[completed[0] & side] for side in config.side_sets)
    heights = config.heights
    for one in left:
        for other in right:
            if heights[one] == heights[other]:
                return [(one, other)]
    return []


def _ends(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-ENDS: the ends of what is in play with this number of players."""
    return [(house,) for house in HOUSES_IN[completed[0] & config.ends]]


def _palette(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-PALETTE: the first completed house of each color on a side that has them all."""
    for side in config.side_sets:
        found = [HOUSES_IN[houses & side][:1] for houses in completed]
        if all(found):
            return [tuple(sorted(house for (house,) in found))]
    return []


def _side(config: Config, completed: _Sets) -> list[Group]:
    """P-PRIV-SIDE."""
    built = sum(completed)
    return [
        houses
        for houses, side in zip(config.sides, config.side_sets, strict=True)
        if built & side == side
    ][:1]


_COUNTS: dict[str, Callable[[Config, _Sets], list[Group]]] = {
    "houses": _houses,
    "pairs": _runs,
    "trios": _runs,
    "mirror": _mirror,
    "ends": _ends,
    "palette": _palette,
    "side": _side,
}
