"""What private contracts can be expected to bring, by the chance of each house to be completed.

Houses are taken to be independent of each other, which they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from math import prod

from porto_cli.games.porto.engine.components import COLORS, PRIVATE
from porto_cli.games.porto.engine.state import Config, State
from porto_cli.games.porto.players.board import startable_colors

Chances = dict[int, tuple[float, ...]]
"""For each house in play the chance of each color to be that of a complete house at the end."""


def expected_vp(
    state: State, contracts: bytes, completion: Sequence[Sequence[float]], left: int
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


def chances_of(state: State, row: Sequence[float]) -> Chances:
    """Return the chances of the houses; a house that is empty may get any color that it can."""
    heights = state.config.heights
    most = len(row) - 2
    found: Chances = {}
    for house in state.config.houses:
        floors = state.floors[house]
        if floors:
            color = state.colors[house]
            found[house] = _only(color, row[min(heights[house] - floors, most)])
        else:
            colors = startable_colors(state, house)
            found[house] = _spread(colors, row[-1])
    return found


@lru_cache(maxsize=1000)
def _only(color: int, chance: float) -> tuple[float, ...]:
    return tuple(chance if each == color else 0.0 for each in range(len(COLORS)))


@lru_cache(maxsize=1000)
def _spread(colors: tuple[int, ...], chance: float) -> tuple[float, ...]:
    return tuple(chance / len(colors) if each in colors else 0.0 for each in range(len(COLORS)))


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
    numbers = [1.0] + [0.0] * len(scale)
    for chance in chances:
        if not chance:
            continue
        for number in range(len(scale), 0, -1):
            stays = numbers[number] if number == len(scale) else numbers[number] * (1 - chance)
            numbers[number] = stays + numbers[number - 1] * chance
        numbers[0] *= 1 - chance
    return sum(chance * vp for chance, vp in zip(numbers[1:], scale, strict=True))


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
            for first in range(len(side) - 2):
                left, middle, right = (chances[house] for house in side[first : first + 3])
                for a, b, c in permutations(colors):
                    count += left[a] * middle[b] * right[c]
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
