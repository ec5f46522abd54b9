"""What is drawn again and again: floors, roofs, cards, coins, boats, trees.

``shapes.svg`` holds the drawings, ``picture.css`` their colors by day and by night; what is the
same for each of the five colors is put together here. Every color has an architecture of its
own, so that a house is known without its color too: the pattern of its walls, its windows, and
the letter on the sign beside its door.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.games.porto.ui.palette import PAINTS, Paint

FRONT = 94
"""How wide a house is."""
GROUND, UPPER, GABLE = 38, 32, 44
"""How high a ground floor, an upper floor and a roof are."""
CARD_WIDTH, CARD_HEIGHT = 84, 104
COIN = 15
"""The radius of a VP token."""

_PATTERNS = {
    "blue": (12, 8, "M0 6q3-6 6 0t6 0"),
    "green": (8, 8, "M-2 2l4-4M0 8l8-8M6 10l4-4"),
    "purple": (10, 10, "M0 2.5h5m0 5h5"),
    "red": (16, 10, "M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5"),
    "yellow": (10, 10, "M2.5 2.5h.1m5 5h.1"),
}
"""What the walls of a color repeat: width, height, lines. The terminal shows the like."""
_STROKES = {"purple": 5, "yellow": 3}
"""How thick these lines are, if not 1."""


@cache
def definitions() -> str:
    """Return the style and the shapes that all pictures use, to be given once in a page."""
    colors = "".join(
        _pattern(color, paint) + _floors(color, paint) + _cards(color, paint)
        for color, paint in PAINTS.items()
    )
    return f"<style>{_data('picture.css')}</style><defs>{_data('shapes.svg')}{colors}</defs>"


def _data(name: str) -> str:
    text = (Path(__file__).parent / name).read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _pattern(color: str, paint: Paint) -> str:
    width, height, lines = _PATTERNS[color]
    return (
        f'<pattern id="pattern-{color}" width="{width}" height="{height}" '
        f'patternUnits="userSpaceOnUse"><path d="{lines}" fill="none" stroke="{paint.ink}" '
        f'stroke-width="{_STROKES.get(color, 1)}" '
        f'stroke-linecap="{"round" if color == "yellow" else "butt"}" opacity=".22"/></pattern>'
    )


def _wall(color: str, paint: Paint, width: int, height: int, corner: int = 0) -> str:
    area = f'width="{width}" height="{height}"' + (f' rx="{corner}"' if corner else "")
    return f'<rect {area} fill="{paint.fill}"/><rect {area} fill="url(#pattern-{color})"/>'


def _floors(color: str, paint: Paint) -> str:
    """The shapes ``upper-COLOR`` and ``ground-COLOR``, with a cornice below each floor."""
    return (
        f'<g id="upper-{color}">{_wall(color, paint, FRONT, UPPER)}'
        f'<use href="#windows-{color}"/>'
        f'<path d="M0 {UPPER - 1}h{FRONT}" stroke="#f4ead8" stroke-width="2"/></g>'
        f'<g id="ground-{color}">{_wall(color, paint, FRONT, GROUND)}<use href="#door"/>'
        f'<text class="b mid dark" x="66" y="26.5" font-size="22">{paint.letter}</text>'
        f'<path d="M0 {GROUND - 1}h{FRONT}" stroke="#8d8067" stroke-width="2"/></g>'
    )


def _cards(color: str, paint: Paint) -> str:
    """The shapes ``card-COLOR``, which has no value, and ``COLOR-1`` to ``COLOR-3``."""
    ink = f'style="fill:{paint.ink}"'
    shapes = (
        f'<g id="card-{color}">{_wall(color, paint, CARD_WIDTH, CARD_HEIGHT, 9)}'
        f'<rect x="1.5" y="1.5" width="{CARD_WIDTH - 3}" height="{CARD_HEIGHT - 3}" rx="8" '
        'fill="none" stroke="#fff" stroke-width="3"/>'
        f'<text class="b" {ink} x="10" y="36" font-size="32">{paint.letter}</text></g>'
    )
    for value in (1, 2, 3):
        bars = "".join(f"M{10 + 22 * nth} 84h18v9h-18z" for nth in range(value))
        shapes += (
            f'<g id="{color}-{value}"><use href="#card-{color}"/>'
            f'<text class="b serif end" {ink} x="75" y="72" font-size="58">{value}</text>'
            f'<path d="{bars}" {ink}/></g>'
        )
    return shapes
