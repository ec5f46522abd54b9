"""Public and private contracts: what they ask for in the words of the rulebook, what they count,
and what they lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from porto_cli.core.message import enumerated, plural
from porto_cli.games.porto.engine.components import COLORS, HOUSES, PRIVATE, PUBLIC, put
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.engine.scoring import completed_houses, scale_of, score_private
from porto_cli.games.porto.engine.state import SHOWN, State

Contract = Mapping[str, Any]
"""A private contract as :func:`count_contract` counts it."""


def floors(count: int, color: str) -> str:
    """Return how many floors of a color."""
    return plural(count, f"{color} floor")


def public_contract(name: str) -> str:
    """Return what a public contract asks of a turn (P-PUBLIC-1)."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    color, *others = (COLORS[color] for color in contract.colors)
    if contract.kind == "floors":
        return f"Build exactly {floors(contract.floors, color)}."
    if contract.kind == "house":
        return f"Complete a {color} house."
    if others == [color]:
        return f"Play two {color} cards."
    return f"Play a {color} and a {others[0]} card."


_PRIVATE = {
    "houses": "Completed {one} houses: {pays}.",
    "pairs": "Pairs of completed neighbors, {one} and {two}: {pays}.",
    "trios": "Trios of completed neighbors, {one}, {two} and {three}: {pays}.",
    "mirror": "A completed {one} house on each side, both of the same height: {pays}.",
    "ends": "Completed {one} houses at the ends of the sides: {pays}.",
    "palette": "A completed house of each color on one side: {pays}.",
    "side": "All houses of one side completed: {pays}.",
}


def private_contract(name: str, scale: Sequence[int]) -> str:
    """Return what a private contract pays; ``scale`` is its VP for one, two …

    Completed houses count, whoever built them (P-PRIV-0), so no player is asked to build.
    """
    kind, colors = private_kind(name)
    paid = (f"{vp} VP for {count}" for count, vp in enumerate(scale, start=1))
    pays = ", ".join(paid) if len(scale) > 1 else f"{scale[0]} VP"
    return _PRIVATE[kind].format(pays=pays, **colors)


def private_kind(name: str) -> tuple[str, dict[str, str]]:
    """Return the kind of a private contract, and its colors as placeholders."""
    contract = PRIVATE[PRIVATE_NAMES.index(name)]
    colors = (COLORS[color] for color in contract.colors)
    return contract.kind, dict(zip(("one", "two", "three"), colors, strict=False))


_MOST_HOUSES, _MOST_GROUPS = 5, 3
"""Maximum numbers of houses, and of groups, that are named as ways to fulfill a contract."""


def worth(
    name: str,
    vp: int,
    full: int,
    most: int,
    ways: Sequence[Mapping[str, str]],
    limit: int | None = None,
) -> str:
    """Return what a private contract is worth now, what it can still bring, and by which houses.

    ``full`` is all that it pays, ``most`` what it can still bring at most, and each of the ``ways``
    the houses that would make it count once more, with their colors. With a ``limit`` it is told in
    fewer words, with so many of these.
    """
    if most == vp:
        return f"Now {vp} VP{', which is all it pays' if vp == full else '; it can bring no more'}."
    now, nearest = f"{'Now ' if limit is None else ''}{vp} of {most} VP", ways[0]
    kind = private_kind(name)[0]
    if kind == "palette" and len(nearest) == len(COLORS):
        return f"{now}: both sides lack {'every color' if limit is None else 'all'}."
    if kind in ("palette", "side"):
        side = "left" if min(nearest) < "R" else "right"
        named = [*(nearest.values() if kind == "palette" else nearest)]
        if limit is None:
            return f"{now}: the {side} side lacks {enumerated(named)}."
        return f"{now}: {side} lacks {_some(named, limit)}."
    named = ["+".join(way) for way in ways]
    if limit is not None:
        return f"{now}: {_some(named, limit)}."
    most_named = _MOST_HOUSES if len(nearest) == 1 else _MOST_GROUPS
    shown = len(named) if len(named) <= most_named else most_named - 1
    return f"{now}: {_some(named, shown)} can still count."


def _some(names: Sequence[str], limit: int) -> str:
    """Return so many of some names, and how many more there are: ``L3, L4 and 5 more``."""
    more = len(names) - limit
    return f"{', '.join(names[:limit])} and {more} more" if more > 0 else enumerated(names)


def unrevealed(state: State) -> Counter[str]:
    """Return the private contracts that nobody has revealed, and how many there are of each."""
    shown = b"".join(state.kept)
    if state.seals:
        sealed = zip(state.kept, state.seals, strict=True)
        shown = b"".join(kept for kept, seal in sealed if seal == SHOWN)
    left = Counter(PRIVATE_NAMES[contract] for contract in state.config.private_deck)
    return left - Counter(PRIVATE_NAMES[contract] for contract in shown)


# -- what private contracts count


def count_contract(state: State, contract: int) -> dict[str, Any]:
    """Count a private contract as if the game ended now, and say what it lacks for more.

    ``scale``           the VP it pays for one, two … of what it asks for
    ``groups``          what counted once each: a house, a pair, a trio, a whole side
    ``missing``         started houses that would have made it count once more had they been
                        complete, each alternative by itself; of a side all houses that the better
                        side lacks
    ``missing_colors``  of a palette: the colors that its better side lacks
    """
    counted = score_private(state, contract)
    kind = PRIVATE[contract].kind
    scale = scale_of(state.config, contract)
    full = len(counted.groups) >= len(scale)
    return {
        "contract": PRIVATE_NAMES[contract],
        "vp": counted.vp,
        "scale": list(scale),
        "groups": [_names(group) for group in counted.groups],
        "missing": [] if full else _missing(state, contract, len(counted.groups)),
        "missing_colors": _missing_colors(state) if kind == "palette" and not full else [],
    }


def _names(houses: Sequence[int]) -> list[str]:
    return [HOUSES[house] for house in houses]


def _missing(state: State, contract: int, groups: int) -> list[list[str]]:
    """Find the houses whose completion would have added a group: as few of them as it takes.

    A group has three houses at most; only a side can lack more, so it is asked for all of them.
    """
    unfinished = [
        house
        for house in state.config.houses
        if state.floors[house] and not state.is_complete(house)
    ]
    if PRIVATE[contract].kind == "side":
        sides = state.config.sides
        lacking = [[house for house in side if not state.is_complete(house)] for side in sides]
        return [_names(min(lacking, key=len))]
    for size in (1, 2, 3):
        ways = [
            _names(houses)
            for houses in combinations(unfinished, size)
            if len(score_private(_completed(state, houses), contract).groups) > groups
        ]
        if ways:
            return ways
    return []


def _completed(state: State, houses: tuple[int, ...]) -> State:
    """Return the table as if these houses were complete, without any token on their roofs."""
    what_if = state.copy()
    for house in houses:
        what_if.floors = put(what_if.floors, house, state.config.heights[house])
        what_if.roof_tokens = put(what_if.roof_tokens, house, 0)
    what_if.survey()
    return what_if


def _missing_colors(state: State) -> list[str]:
    """Return the colors that no completed house has on the side that has most of them."""
    completed = completed_houses(state)
    lacking = (
        [COLORS[color] for color, houses in enumerate(completed) if not houses & side]
        for side in state.config.side_sets
    )
    return min(lacking, key=len)


_NO_MORE = {
    "houses": "{No} {one} house is started.",
    "pairs": "{No} neighboring houses are {one} and {two}.",
    "trios": "{No} three neighboring houses are {one}, {two} and {three}.",
    "mirror": "{No} {one} houses of the same height stand on both sides.",
    "ends": "{No} end has a {one} house.",
}
"""Why nothing, or nothing more, could have counted: no started houses are of that kind."""


def houses_counted(contract: Contract) -> list[str]:
    """Return which houses a private contract counts, and what it lacks or lacked for more."""
    name, groups = contract["contract"], contract["groups"]
    houses = "; ".join(" ".join(group) for group in groups)
    sentences = [f"Counted: {houses}." if groups else "Nothing counts."]
    if "most" in contract:
        most, ways = contract["most"], contract["ways"]
        return [*sentences, worth(name, contract["vp"], contract["scale"][-1], most, ways)]
    if contract["missing_colors"]:
        colors = enumerated(contract["missing_colors"])
        sentences.append(f"The better side lacks a completed house in {colors}.")
    if contract["missing"]:
        lacking = enumerated([enumerated(group) for group in contract["missing"]], "or")
        sentences.append(f"One more would have counted with {lacking} complete.")
    elif not contract["missing_colors"] and len(groups) < len(contract["scale"]):
        kind, colors_of = private_kind(name)
        no = "No other" if groups else "No"
        sentences.append(_NO_MORE[kind].format(No=no, **colors_of))
    return sentences
