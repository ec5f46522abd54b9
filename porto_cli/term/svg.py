"""Pictures as pieces of SVG, and text that fits and is escaped.

A picture is a number of named pieces, painted one over the other. Two pictures of one game have
the same pieces in the same order, so that a page that shows a whole game needs each piece only
once for as long as it stays the same.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Picture(NamedTuple):
    """A drawing of a size, in units of its own; ``pieces`` are painted in their order."""

    width: int
    height: int
    pieces: dict[str, str]

    def drawn(self) -> str:
        """Return the pieces, painted one over the other."""
        return "".join(self.pieces.values())


_ESCAPED = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&#39;",
    # What XML cannot hold, and what would turn the text around it (directional overrides).
    **dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)], "\ufffd"),
    **dict.fromkeys([*range(0xD800, 0xE000), 0xFFFE, 0xFFFF], "\ufffd"),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], ""),
}


def escaped(text: object) -> str:
    """Return a text as it may stand between tags and in the value of an attribute."""
    return str(text).translate(_ESCAPED)


def width_of(text: str, size: float) -> float:
    """Estimate how wide a text is, rather too wide: nobody knows which font will be there."""
    return size * sum(map(_em, text))


@cache
def _em(letter: str) -> float:
    from unicodedata import combining, east_asian_width

    if combining(letter):
        return 0
    if letter in "MWmw@%…—" or east_asian_width(letter) in "WF":
        return 1.1
    return 0.75 if letter.isupper() else 0.6


def fitted(text: str, size: float, width: float, smallest: float) -> tuple[str, float]:
    """Return a text and the size in which it fits: smaller, then cut."""
    needed = width_of(text, size)
    if needed <= width:
        return text, size
    size = max(smallest, int(size * width / needed * 10) / 10)
    if width_of(text, size) > width:
        while text and width_of(text + "…", size) > width:
            text = text[:-1]
        text += "…"
    return text, size


def label(
    x: float,
    y: float,
    text: object,
    style: str,
    size: float,
    *,
    width: float | None = None,
    smallest: float = 0,
) -> str:
    """Return a line of text at a place. ``style`` are class names; with ``width`` it is fitted."""
    content = str(text)
    if width is not None:
        content, size = fitted(content, size, width, smallest or size * 0.7)
    return (
        f'<text class="{style}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escaped(content)}</text>'
    )


def use(shape: str, x: float, y: float, scale: float = 1) -> str:
    """Return a shape that is defined elsewhere in the document at a place."""
    if scale == 1:
        return f'<use href="#{shape}" x="{x:g}" y="{y:g}"/>'
    return f'<use href="#{shape}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'
