"""What private contracts can be expected to bring, by the chance of each house to be completed.

Houses are taken to be independent of each other, which they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import prod
from operator import mul

from porto_cli.games.porto.engine.components import COLORS, PRIVATE
from porto_cli.games.porto.engine.state import Config, State
from porto_cli.games.porto.players.board import startable_colors

Chances = dict[int, tuple[float, ...]]
"""For each house in play the chance of each color to be that of a complete house at the end."""


def expected_vp(
    state: State, contracts: bytes, completion: Sequence[tuple[float, ...]], left: int
) -> float:
    """Return the VP that private contracts can be expected to bring together.

    ``completion`` is one of :class:`~porto_cli.games.porto.players.weights.Weights`, and ``left``
    says how much of the game is left, as its rows are numbered.
    """
    if not contracts:
        return 0.0
    row = completion[min(left, len(completion) - 1)]
    chances = chances_of(state, row)
    return sum(expected(state.config, contract, chances) for contract in contracts)


def chances_of(state: State, row: tuple[float, ...]) -> Chances:
    """Return the chances of the houses; a house that is empty may get any color that it can."""
    heights, floors, colors = state.config.heights, state.floors, state.colors
    started, unstarted = _started(row), _unstarted(row)
    most = len(started) - 1
    return {
        house: started[min(heights[house] - floors[house], most)][colors[house]]
        if floors[house]
        else unstarted[startable_colors(state, house)]
        for house in state.config.houses
    }


@lru_cache(maxsize=100)
def _started(row: tuple[float, ...]) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Return the chances of a house by how many floors it misses, and by its color."""
    colors = range(len(COLORS))
    return tuple(
        tuple(tuple(chance if each == color else 0.0 for each in colors) for color in colors)
        for chance in row[:-1]
    )


@lru_cache(maxsize=100)
def _unstarted(row: tuple[float, ...]) -> dict[tuple[int, ...], tuple[float, ...]]:
    """Return the chances of an empty house by the colors that it can get."""
    return {
        colors: tuple(row[-1] / len(colors) if each in colors else 0.0 for each in range(5))
        for size in range(len(COLORS) + 1)
        for colors in combinations(range(len(COLORS)), size)
    }


def expected(config: Config, contract: int, chances: Chances) -> float:
    """Return the VP that one private contract can be expected to bring."""
    kind, colors = PRIVATE[contract].kind, PRIVATE[contract].colors
    return _EXPECTED[kind](config, config.edition.private[kind], colors, chances)


_Scale = tuple[int, ...]
"""The VP for one, two … of what a contract asks for."""
_Colors = tuple[int, ...]


def along(scale: _Scale, count: float) -> float:
    """Return the VP of a count that need not be whole: in between, a share of the next step."""
    whole = min(int(count), len(scale))
    before = scale[whole - 1] if whole else 0
    if whole == len(scale):
        return float(before)
    return before + (scale[whole] - before) * (count - whole)


def _counted(scale: _Scale, chances: Sequence[float]) -> float:
    """Return the VP of how many come true; each number has exactly the chance that it has."""
    steps = len(scale)
    numbers = [1.0] + [0.0] * steps
    for chance in chances:
        if chance:
            # More than the scale has a step for pay like its last one.
            numbers[steps] += numbers[steps - 1] * chance
            for number in range(steps - 1, 0, -1):
                numbers[number] += (numbers[number - 1] - numbers[number]) * chance
            numbers[0] -= numbers[0] * chance
    vp: float = sum(map(mul, numbers[1:], scale))
    return vp


def _houses(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-HOUSES."""
    return _counted(scale, [chance[colors[0]] for chance in chances.values()])


def _ends(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-ENDS."""
    ends = [end for side in config.sides for end in (side[0], side[-1])]
    return _counted(scale, [chances[end][colors[0]] for end in ends])


def _mirror(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-MIRROR."""
    heights, (color,) = config.heights, colors
    left, right = config.sides
    none = prod(
        1 - chances[one][color] * chances[other][color]
        for one in left
        if chances[one][color]
        for other in right
        if heights[one] == heights[other]
    )
    return scale[0] * (1 - none)


def _runs(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-PAIRS and P-PRIV-TRIOS: by how many runs there will be, overlapping ones too."""
    count = 0.0
    for side in config.sides:
        if len(colors) == 2:
            a, b = colors
            for left, right in pairwise(chances[house] for house in side):
                count += left[a] * right[b] + left[b] * right[a]
        else:
            a, b, c = colors
            for first in range(len(side) - 2):
                left, middle, right = (chances[house] for house in side[first : first + 3])
                count += left[a] * (middle[b] * right[c] + middle[c] * right[b])
                count += left[b] * (middle[a] * right[c] + middle[c] * right[a])
                count += left[c] * (middle[a] * right[b] + middle[b] * right[a])
    return along(scale, count)


def _palette(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-PALETTE."""
    none = 1.0
    for side in config.sides:
        all_colors = prod(
            1 - prod(1 - chances[house][color] for house in side) for color in range(len(COLORS))
        )
        none *= 1 - all_colors
    return scale[0] * (1 - none)


def _side(config: Config, scale: _Scale, colors: _Colors, chances: Chances) -> float:
    """P-PRIV-SIDE."""
    none = prod(1 - prod(sum(chances[house]) for house in side) for side in config.sides)
    return scale[0] * (1 - none)


_EXPECTED: dict[str, Callable[[Config, _Scale, _Colors, Chances], float]] = {
    "houses": _houses,
    "pairs": _runs,
    "trios": _runs,
    "mirror": _mirror,
    "ends": _ends,
    "palette": _palette,
    "side": _side,
}
