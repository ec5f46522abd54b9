"""What is drawn again and again: tiles, barrels, circles, coins.

``shapes.svg`` holds the drawings, ``picture.css`` their colors by day and by night; what is the
same for every good is put together here. Each good has a drawing of its own, so that it is known
without its color too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.games.puerto_rico.engine.components import FOREST, GOODS, PLACES
from porto_cli.games.puerto_rico.ui import palette
from porto_cli.term.svg import label, use

WIDTH = 440
"""How wide a panel is, in units: on the narrowest phone a unit is three quarters of a pixel."""
MARGIN = 12
TILE_WIDTH, TILE_HEIGHT = 44, 50


def colors(place: int) -> tuple[str, str]:
    """Return the ink and the ground of a good, a tile or a building."""
    ink, ground = palette.of_place(place).split(" on ")
    return ink, ground


def writing(place: int) -> str:
    """Return the class of what is written on a good, a tile or a building: light or dark."""
    ink, _ = colors(place)
    return "lit" if ink == "#ffffff" else "dark"


def tile_name(tile: int) -> str:
    """Return what a tile shows: a forest looks the same whatever lies under it."""
    return PLACES[tile] if tile < FOREST else "forest"


@cache
def definitions() -> str:
    """Return the style and the shapes that all panels use, to be given once in a page."""
    goods = "".join(_barrel(good) for good in range(len(GOODS)))
    tiles = "".join(_tile(tile) for tile in range(FOREST + 1))
    return f"<style>{_data('picture.css')}</style><defs>{_data('shapes.svg')}{goods}{tiles}</defs>"


def _data(name: str) -> str:
    text = (Path(__file__).parent / name).read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _barrel(good: int) -> str:
    """The shape ``barrel-GOOD``, about 22 by 24, its middle at the origin."""
    _, ground = colors(good)
    return (
        f'<g id="barrel-{GOODS[good]}"><path d="M-8-11H8Q13 0 8 11H-8Q-13 0-8-11z" '
        f'fill="{ground}" stroke="#2d180a" stroke-width="1.4" stroke-linejoin="round"/>'
        '<path d="M-9.5-8h19M-9.5 8h19" stroke="#2d180a" stroke-width="1.2" opacity=".6"/>'
        f"{use(GOODS[good], 0, 0, 0.62)}</g>"
    )


def _tile(tile: int) -> str:
    """The shape ``tile-NAME`` with its name, without the circle."""
    _, ground = colors(tile)
    name = tile_name(tile)
    return (
        f'<g id="tile-{name}"><rect width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        f'fill="{ground}" stroke="#2d180a" stroke-opacity=".55"/>{use(name, 15, 18)}'
        f'<text class="mid {writing(tile)}" x="{TILE_WIDTH / 2:g}" y="45" '
        f'font-size="10.500">{name}</text></g>'
    )


def tile(kind: int, x: float, y: float) -> str:
    """Return a tile of the island or of the row, without its circle."""
    return use(f"tile-{tile_name(kind)}", x, y)


def barrel(good: int, x: float, y: float, scale: float = 1) -> str:
    """Return a barrel with its middle at a place."""
    return use(f"barrel-{GOODS[good]}", x, y, scale)


def circles(occupied: int, number: int, x: float, y: float) -> str:
    """Return circles from right to left, the occupied ones at the left."""
    return "".join(
        use("manned" if nth < occupied else "ring", x - 14 * (number - 1 - nth), y)
        for nth in range(number)
    )


def coin(number: object, x: float, y: float, scale: float = 1) -> str:
    """Return a doubloon with a number on it."""
    return use("coin", x, y, scale) + label(x, y + 5 * scale, number, "b mid dark", 14 * scale)


def chip(number: object, x: float, y: float, scale: float = 1) -> str:
    """Return a VP chip with a number on it."""
    return use("chip", x, y, scale) + label(
        x, y + 5 * scale, number, "b mid dark", 15 * scale, width=16 * scale
    )


def badge(seat: int, x: float, y: float) -> str:
    """Return the mark of a player: the number of the seat on its color."""
    return (
        f'<circle class="player-{seat}" cx="{x:g}" cy="{y:g}" r="10"/>'
        f'<circle class="card" cx="{x:g}" cy="{y:g}" r="7.500" stroke="none"/>'
        + label(x, y + 4.5, seat + 1, "b mid", 12)
    )


def paper(height: int) -> str:
    """Return what a panel is drawn on."""
    return (
        f'<rect class="paper" width="{WIDTH}" height="{height}"/><rect class="card" x="1" y="1" '
        f'width="{WIDTH - 2}" height="{height - 2}" rx="12"/>'
    )


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the outline of something as a part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def dotted(outlines: str) -> str:
    """Return the dots around what has changed; nothing for nothing."""
    if not outlines:
        return ""
    return f'<path class="halo" d="{outlines}"/><path class="new" d="{outlines}"/>'


def heading(y: float, text: object) -> str:
    """Return the heading of a part of a panel."""
    return label(MARGIN, y, text, "b", 16)
