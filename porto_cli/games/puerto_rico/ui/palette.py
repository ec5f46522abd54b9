"""Colors of goods, tiles and buildings, as the terminal shows them.

They tell nothing that the text does not say. A style is written as rich reads it.
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    FOREST,
    GOODS,
    PRODUCERS,
    QUARRY,
    VIOLET,
)

_GOODS = (
    "#33280a on #f2c230",
    "#ffffff on #3b4ba8",
    "#33280a on #f3efe0",
    "#20150a on #c0935a",
    "#ffffff on #5b3a29",
)
_QUARRY = "#101418 on #9aa1ab"
_FOREST = "#ffffff on #2f6b3a"
_VIOLET = "#ffffff on #6d4593"


def of_place(place: int) -> str:
    """Return the style of a tile or building; production buildings look like their good."""
    if place < len(GOODS):
        return _GOODS[place]
    if place == QUARRY:
        return _QUARRY
    if place < FOREST + len(GOODS):
        return _FOREST
    if VIOLET & BIT[place]:
        return _VIOLET
    return next(_GOODS[good] for good, made_in in enumerate(PRODUCERS) if place in made_in)
