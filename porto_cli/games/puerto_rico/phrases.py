"""What several views share: phrases for numbers of things, lists and gains; colors of things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.message import enumerated, plural
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    FOREST,
    GOODS,
    PLACES,
    PRODUCERS,
    QUARRY,
    TILES,
    VIOLET,
    buildings_in,
    bundle_text,
)
from porto_cli.games.puerto_rico.engine.moves import SMALL_WHARF, WHARF
from porto_cli.games.puerto_rico.engine.state import CITY_END, COLONISTS_END, VP_END

Gain = tuple[str, int]
"""What VP or doubloons are for, and how many: ``("shipping", 3)``."""


def doubloons(number: int) -> str:
    """Return a number of doubloons."""
    return plural(number, "doubloon")


def colonists(number: int) -> str:
    """Return a number of colonists."""
    return plural(number, "colonist")


def counted(counts: bytes, names: Sequence[str]) -> list[str]:
    """Return numbers with their names, like ``2 corn``, in the order of the rules; none for 0."""
    return [f"{number} {name}" for name, number in zip(names, counts, strict=False) if number]


def goods(counts: bytes) -> str:
    """Return barrels as a list, or that there are none."""
    return enumerated(counted(counts, GOODS) or ["no barrels"])


def tiles(counts: bytes) -> str:
    """Return tiles as a list, or that there are none."""
    return enumerated(counted(counts, TILES) or ["no tiles"])


def a_tile(tile: int) -> str:
    """Return a tile: ``a quarry``, ``an indigo plantation``."""
    name = TILES[tile] if tile == QUARRY else f"{TILES[tile]} plantation"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def places(counts: bytes) -> str:
    """Return colonists on places as a list, like ``corn 2, quarry``."""
    return bundle_text(counts, PLACES, ", ") if any(counts) else ""


def onto(ship: int) -> str:
    """Return where barrels are loaded: by a wharf, or onto a ship of so many spaces."""
    wharves = {WHARF: "by the wharf", SMALL_WHARF: "by the small wharf"}
    return wharves.get(ship, f"onto the ship of {ship}")


def reasons(gains: Iterable[Gain]) -> str:
    """Return what VP or doubloons are for, like ``shipping 2, captain 1``."""
    return ", ".join(f"{reason} {number}" for reason, number in gains)


def brought(scores: Sequence[Gain], earns: Sequence[Gain]) -> str:
    """Return what a move brings in VP and in doubloons, with the reasons; nothing for nothing.

    What a building costs is left out: its price is given wherever a building is named.
    """
    vp = [gain for gain in scores if gain[0] not in PRICE]
    money = [gain for gain in earns if gain[0] not in (*PRICE, ON_CARD)]
    found = []
    if vp:
        found.append(f"{total(vp)} VP ({_why(vp)})")
    if lying := on_card(earns):
        found.append(f"{doubloons(lying)} on it")
    if money:
        found.append(f"{doubloons(total(money))} ({_why(money)})")
    return ", ".join(found)


ON_CARD = "role"
"""The reason of doubloons that lay on the role card."""


def on_card(earns: Iterable[Gain]) -> int:
    """Return the doubloons that lay on the role card that was taken."""
    return total(gain for gain in earns if gain[0] == ON_CARD)


def the_doubloons(number: int) -> str:
    """Return all doubloons that lie somewhere: ``the 3 doubloons``, or ``the doubloon``."""
    return "the doubloon" if number == 1 else f"the {doubloons(number)}"


PRICE = frozenset({"build", "black-market"})
"""Reasons of what is paid for a building, and of how it is paid."""


def _why(gains: Sequence[Gain]) -> str:
    """Return the reasons, a single one without its number."""
    return gains[0][0] if len(gains) == 1 else reasons(gains)


def total(gains: Iterable[Gain]) -> int:
    """Return the sum of VP or doubloons."""
    return sum(number for _, number in gains)


ENDS = {
    COLONISTS_END: "there are too few colonists for the ship",
    CITY_END: "a city is full",
    VP_END: "the last VP of the pool is taken",
}
"""Why a game ends."""


def end_triggered(reason: str) -> str:
    """Return why the game ends with this round (PR-END-1 to PR-END-4)."""
    why = f"{ENDS[reason]}, so the game ends after this round."
    return why[0].upper() + why[1:]


_RULES_OF = {
    "small-market": ("PR-B-MARKET",),
    "large-market": ("PR-B-MARKET",),
    "construction-hut": ("PR-B-HUT",),
    "small-warehouse": ("PR-B-WAREHOUSE",),
    "large-warehouse": ("PR-B-WAREHOUSE",),
    "cloister": ("PR-B-CLOISTER", "PR-SCORE-3"),
    **dict.fromkeys(
        ("guild-hall", "residence", "fortress", "customs-house", "city-hall"),
        ("PR-B-LARGE", "PR-SCORE-3"),
    ),
}


def rules_of_building(place: int) -> tuple[str, ...]:
    """Return the ids of the rulings about what a building does."""
    if not VIOLET & BIT[place]:
        return ("PR-CRAFTSMAN-1",)
    return _RULES_OF.get(PLACES[place], (f"PR-B-{PLACES[place].upper()}",))


_GOODS = (
    "#33280a on #f2c230",
    "#ffffff on #3b4ba8",
    "#33280a on #f3efe0",
    "#20150a on #c0935a",
    "#ffffff on #5b3a29",
)
_VIOLET = "#ffffff on #6d4593"
STYLES = {
    **dict(zip(GOODS, _GOODS, strict=True)),
    "quarry": "#101418 on #9aa1ab",
    **dict.fromkeys(("forest", *TILES[FOREST:]), "#ffffff on #2f6b3a"),
    **{PLACES[place]: _VIOLET for place in buildings_in(VIOLET)},
    **{PLACES[place]: _GOODS[good] for good, some in enumerate(PRODUCERS) for place in some},
}
"""The styles of tiles and buildings; production buildings look like their good."""


def style_of(place: int) -> str:
    """Return the style of a tile or building."""
    return STYLES[PLACES[place]]
