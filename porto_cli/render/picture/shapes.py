"""What is drawn again and again: floors, roofs, cards, coins, boats, trees.

Every color has an architecture of its own, so that a house is known without its color too: the
pattern of its walls, its windows, and the letter on the sign beside its door.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.render.palette import PAINTS, ROOF, TOKEN, Paint

FRONT = 94
"""How wide a house is."""
GROUND, UPPER, GABLE = 38, 32, 44
"""How high a ground floor, an upper floor and a roof are."""
CARD_WIDTH, CARD_HEIGHT = 84, 104
COIN = 15
"""The radius of a VP token."""

_PATTERNS = {
    "blue": (12, 8, '<path d="M0 6q3-6 6 0t6 0"/>'),
    "green": (8, 8, '<path d="M-2 2l4-4M0 8l8-8M6 10l4-4"/>'),
    "purple": (10, 10, '<path d="M0 0h5v5h5v5H5V5H0z" class="s"/>'),
    "red": (16, 10, '<path d="M0 .5h16M0 5.5h16M4 .5v5M12 5.5v5"/>'),
    "yellow": (10, 10, '<circle cx="3" cy="3" r="1.5" class="s"/><circle cx="8" cy="8" r="1.5" class="s"/>'),
}
"""Width and height of what is repeated, and what it is."""



def _windows(color: str) -> str:
    """Draw the windows of an upper floor."""
    if color == "blue":
        glass = "M11 6h16v19H11zM39 6h16v19H39zM67 6h16v19H67z"
        more = '<path d="M19 6v19M47 6v19M75 6v19M11 13h16m12 0h16m12 0h16" stroke="#fff" fill="none"/>'
    elif color == "green":
        arch = "V14a8 8 0 0 1 16 0V26z"
        glass = f"M11 26{arch}M39 26{arch}M67 26{arch}"
        more = '<path d="M19 6v20M47 6v20M75 6v20" stroke="#fff"/>'
    elif color == "purple":
        twin = "V15a6 6 0 0 1 12 0a6 6 0 0 1 12 0V26z"
        glass = f"M15 26{twin}M55 26{twin}"
        more = '<path d="M27 14v12M67 14v12" stroke="#fff" stroke-width="2"/>'
    elif color == "red":
        glass = "M12 5h14v21H12zM40 5h14v21H40zM68 5h14v21H68z"
        more = (
            '<path d="M5 20h84M5 27h84M8 20v7m6-7v7m6-7v7m6-7v7m6-7v7m6-7v7m6-7v7m6-7v7m6-7v7m6-7v7m'
            '6-7v7m6-7v7m6-7v7m6-7v7" stroke="#2a2925" stroke-width="1.4" fill="none"/>'
        )
    else:
        glass = "M20 6h14v19H20zM60 6h14v19H60z"
        more = (
            '<path d="M11 6h8v19h-8zM35 6h8v19h-8zM51 6h8v19h-8zM75 6h8v19h-8z" fill="#2f6d62"/>'
            '<path d="M11 11h8m-8 4h8m-8 4h8m16-8h8m-8 4h8m-8 4h8m8-8h8m-8 4h8m-8 4h8m16-8h8m-8 4h8m-8 '
            '4h8" stroke="#1d4b43"/>'
        )
    return f'<path d="{glass}" class="glass" stroke="#fff" stroke-width="2"/>{more}'


def _pattern(color: str, paint: Paint) -> str:
    width, height, drawing = _PATTERNS[color]
    drawing = drawing.replace(' class="s"', f' stroke="none" fill="{paint.ink}"')
    return (
        f'<pattern id="p-{color}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f'<g fill="none" stroke="{paint.ink}" opacity=".2">{drawing}</g></pattern>'
    )


def _wall(color: str, paint: Paint, width: int, height: int, corner: int = 0) -> str:
    area = f'width="{width}" height="{height}"' + (f' rx="{corner}"' if corner else "")
    return f'<rect {area} fill="{paint.fill}"/><rect {area} fill="url(#p-{color})"/>'


def _floors(color: str, paint: Paint) -> str:
    cornice = '<path d="M0 {y}h94" stroke="#f4ead8" stroke-width="2"/>'
    upper = _wall(color, paint, FRONT, UPPER) + _windows(color) + cornice.format(y=UPPER - 1)
    ground = (
        _wall(color, paint, FRONT, GROUND)
        + '<path d="M13 38V16a12 12 0 0 1 24 0v22z" fill="#4b3022" stroke="#f4ead8" stroke-width="3"/>'
        '<path d="M25 6v32M14 17h22" stroke="#f4ead8"/>'
        '<rect x="48" y="5" width="36" height="27" rx="4" fill="#fffaf0" stroke="#2a2925"/>'
        f'<text class="b mid dark" x="66" y="26.5" font-size="22">{paint.letter}</text>'
        '<path d="M0 37h94" stroke="#8d8067" stroke-width="2"/>'
    )
    return f'<g id="u-{color}">{upper}</g><g id="g-{color}">{ground}</g>'


def _cards(color: str, paint: Paint) -> str:
    base = (
        f'<g id="k-{color}">{_wall(color, paint, CARD_WIDTH, CARD_HEIGHT, 9)}'
        '<rect x="1.5" y="1.5" width="81" height="101" rx="8" fill="none" stroke="#fff" '
        'stroke-width="3"/>'
        f'<text class="b" style="fill:{paint.ink}" x="10" y="36" font-size="32">{paint.letter}</text>'
        "</g>"
    )
    cards = [
        f'<g id="{color}-{value}"><use href="#k-{color}"/>'
        f'<text class="b serif end" style="fill:{paint.ink}" x="75" y="72" font-size="58">{value}'
        "</text>"
        + "".join(
            f'<rect x="{10 + 22 * nth}" y="84" width="18" height="9" style="fill:{paint.ink}"/>'
            for nth in range(value)
        )
        + "</g>"
        for value in (1, 2, 3)
    ]
    return base + "".join(cards)


_GABLE = (
    '<g id="gable"><path d="M66-44h12v30H66z" fill="#8c7f6c"/><path d="M63-47h18v5H63z" fill="#6d614f"/>'
    f'<path d="M-4 0L47-{GABLE}L98 0z" fill="{ROOF}" stroke="#7d3c17" stroke-width="2" '
    'stroke-linejoin="round"/><path d="M14-13h66M28-25h38M41-36h12M24-13v10m14-10v10m18-10v10m14-10'
    'v10" stroke="#7d3c17" opacity=".55" fill="none"/>'
    '<circle cx="47" cy="-19" r="8" class="glass" stroke="#fff" stroke-width="2"/></g>'
)
_COIN = (
    f'<g id="coin"><circle r="{COIN}" fill="{TOKEN}" stroke="#7a5600" stroke-width="2"/>'
    '<circle r="11.5" fill="none" stroke="#fff3cf" stroke-width="1.2"/></g>'
)
_BOAT = (
    '<g id="boat"><path d="M0-42V2" stroke="#3b2a1c" stroke-width="3"/>'
    '<path d="M-36-4Q-34 12-14 13H16Q34 12 42-8L30-1H-28z" fill="#5b3a22" stroke="#2e1c0f"/>'
    '<path d="M-24 0a6 6 0 0 1 12 0M10 0a6 6 0 0 1 12 0" fill="#a8743f" stroke="#2e1c0f"/></g>'
    '<g id="sail"><path d="M-18-42H18Q24-26 18-9H-18Q-12-26-18-42z" fill="#fff8e6" '
    'stroke="#8d7b58"/></g>'
    '<g id="pennant"><path d="M0-44l26-8l-6 9z" fill="#e3170a"/></g>'
)
_TREE = (
    '<g id="tree"><path d="M-3 0v-26h6V0z" fill="#7a5a3c"/><g class="tree"><circle cx="-13" cy="-34" '
    'r="15"/><circle cx="13" cy="-34" r="15"/><circle cy="-50" r="19"/></g></g>'
)
_BACK = (
    '<pattern id="azulejo" width="20" height="20" patternUnits="userSpaceOnUse">'
    '<rect width="20" height="20" fill="#f7f4ec"/><path d="M10 0Q12 8 20 10Q12 12 10 20Q8 12 0 10Q8 8 '
    '10 0z" fill="#2c62b4"/><path d="M0 0h5L0 5zM20 0v5l-5-5zM20 20h-5l5-5zM0 20v-5l5 5z" '
    'fill="#7ba4dd"/></pattern>'
)
_SKIES = (
    '<linearGradient id="day" x2="0" y2="1"><stop stop-color="#c4def0"/><stop offset="1" '
    'stop-color="#fbeed8"/></linearGradient><linearGradient id="night" x2="0" y2="1"><stop '
    'stop-color="#0d1524"/><stop offset="1" stop-color="#2b3850"/></linearGradient>'
)


@cache
def definitions() -> str:
    """Return the shapes and the style that all pictures use, to be given once in a page."""
    style = (Path(__file__).parent / "picture.css").read_text("utf-8").replace("\n", "")
    colors = "".join(
        _pattern(color, paint) + _floors(color, paint) + _cards(color, paint)
        for color, paint in PAINTS.items()
    )
    return (
        f"<style>{style}</style><defs>{_SKIES}{_BACK}{colors}{_GABLE}{_COIN}{_BOAT}{_TREE}</defs>"
    )
