"""The words of the rulebook for contracts, turns and reasons, as whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porto_cli.core.message import enumerated, plural
from porto_cli.games.porto.engine.components import COLORS, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES


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
    "houses": "{counts} completed {one} houses: {vps} VP.",
    "pairs": "{counts} pairs of completed neighbors, {one} and {two}: {vps} VP.",
    "trios": "{counts} trios of completed neighbors, {one}, {two} and {three}: {vps} VP.",
    "mirror": "A completed {one} house on each side, both of the same height: {vps} VP.",
    "ends": "{counts} completed {one} houses at the ends of the sides: {vps} VP.",
    "palette": "A completed house of each color on one side: {vps} VP.",
    "side": "All houses of one side completed: {vps} VP.",
}


def private_contract(name: str, scale: Sequence[int]) -> str:
    """Return what a private contract pays; ``scale`` is its VP for one, two …

    Completed houses count, whoever built them (P-PRIV-0), so no player is asked to build.
    """
    kind, colors = private_kind(name)
    counts = "/".join(str(count) for count in range(1, len(scale) + 1))
    return _PRIVATE[kind].format(counts=counts, vps="/".join(map(str, scale)), **colors)


def private_kind(name: str) -> tuple[str, dict[str, str]]:
    """Return the kind of a private contract, and its colors as placeholders."""
    contract = PRIVATE[PRIVATE_NAMES.index(name)]
    colors = (COLORS[color] for color in contract.colors)
    return contract.kind, dict(zip(("one", "two", "three"), colors, strict=False))


_MOST_HOUSES, _MOST_GROUPS = 5, 3
"""Maximum numbers of houses, and of groups, that are named as ways to fulfill a contract."""


def worth(name: str, vp: int, full: int, most: int, ways: Sequence[Mapping[str, str]]) -> str:
    """Return what a private contract is worth now, what it can still bring, and by which houses.

    ``full`` is all that it pays, ``most`` what it can still bring at most, and each of the ``ways``
    the houses that would make it count once more, with their colors.
    """
    if most == vp:
        return f"Now {vp} VP{', which is all it pays' if vp == full else '; it can bring no more'}."
    now, nearest = f"Now {vp} of {most} VP", ways[0]
    kind = private_kind(name)[0]
    if kind == "palette" and len(nearest) == len(COLORS):
        return f"{now}: both sides lack every color."
    if kind in ("palette", "side"):
        side = "left" if min(nearest) < "R" else "right"
        lacking = enumerated([*(nearest.values() if kind == "palette" else nearest)])
        return f"{now}: the {side} side lacks {lacking}."
    named = ["+".join(way) for way in ways]
    limit = _MOST_HOUSES if len(nearest) == 1 else _MOST_GROUPS
    if len(named) > limit:
        more = len(named) - limit + 1
        return f"{now}: {', '.join(named[: limit - 1])} and {more} more are open."
    return f"{now}: {enumerated(named)} {'is' if len(named) == 1 else 'are'} open."


def given_up(player: str) -> str:
    """Return what it means that a player of a sealed game was given up."""
    return (
        f"{player} was given up: the turns of {player} are left out, and no private contracts of "
        f"{player} count."
    )
