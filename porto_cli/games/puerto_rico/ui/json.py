"""Views as JSON: the shapes that programs rely on.

A bundle is a mapping from name to number in which nothing is named that there is none of;
players, goods, tiles, buildings and roles are called as in the notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_PLACES,
    GOODS,
    NO_GOOD,
    NO_ROLE_CARDS,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
)
