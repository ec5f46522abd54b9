"""Markup that is escaped by its type, and pictures as pieces of it.

What is not :class:`Html` yet is escaped when it becomes part of it.

A picture is a number of named pieces of SVG, painted one over the other. Two pictures of one game
have the same pieces in the same order, so that a page that shows a whole game needs each piece
only once for as long as it stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import combining, east_asian_width

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
_VOID = ("br", "input", "meta")


class Html(str):
    """A piece of HTML or SVG. Only what is known to be one is made one by hand."""

    __slots__ = ()


def escaped(text: object) -> Html:
    """Return a text as it may stand between tags and in the value of an attribute.

    HTML stays as it is.
    """
    return text if isinstance(text, Html) else Html(str(text).translate(_ESCAPED))


def joined(parts: Iterable[object], between: str = "") -> Html:
    """Return texts and pieces of HTML as one piece; ``between`` is HTML."""
    return Html(between.join(map(escaped, parts)))


def tag(name: str, *content: object, **attributes: object) -> Html:
    """Return an element. Attributes that are ``None`` are left out, and a ``_`` at the end of
    their names is dropped: ``tag("td", 3, class_="n")``.
    """
    opened = name + _written(attributes)
    if name in _VOID:
        return Html(f"<{opened}>")
    return Html(f"<{opened}>{joined(content)}</{name}>")


def _written(attributes: dict[str, object]) -> str:
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )


# -- Pictures


class Picture(NamedTuple):
    """A drawing of a size, in units of its own; ``pieces`` are painted in their order.

    ``name`` says what it shows.
    """

    width: int
    height: int
    pieces: dict[str, str]
    name: str = ""

    def drawn(self) -> str:
        """Return the pieces, painted one over the other."""
        return "".join(self.pieces.values())


def width_of(text: str, size: float) -> float:
    """Estimate how wide a text is, rather too wide: the font is unknown."""
    return size * sum(map(_em, text))


@cache
def _em(letter: str) -> float:
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
    ink: str = "",
) -> str:
    """Return a line of text at a place. ``style`` are class names; with ``width`` it is fitted.

    ``ink`` is its color by day and by night, if its class names do not say it.
    """
    content = str(text)
    if width is not None:
        content, size = fitted(content, size, width, smallest or size * 0.7)
    color = f' style="fill:{ink}"' if ink else ""
    return (
        f'<text class="{style}"{color} x="{x:g}" y="{y:g}" font-size="{size:g}">'
        f"{escaped(content)}</text>"
    )


def use(shape: str, x: float, y: float, scale: float = 1) -> str:
    """Return a shape that is defined elsewhere in the document at a place."""
    if scale == 1:
        return f'<use href="#{shape}" x="{x:g}" y="{y:g}"/>'
    return f'<use href="#{shape}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def box(
    style: str | None,
    x: float,
    y: float,
    width: float,
    height: float,
    corner: float = 0,
    **more: object,
) -> str:
    """Return a rectangle, ``corner`` being the radius of its corners.

    ``style`` are class names, ``more`` are further attributes, as :func:`tag` takes them.
    """
    rounded = f' rx="{corner:g}"' if corner else ""
    return (
        f'<rect{_written({"class_": style, **more})} x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{height:g}"{rounded}/>'
    )


def path(style: str | None, outline: str, **more: object) -> str:
    """Return a line or an area, see :func:`box`."""
    return f'<path{_written({"class_": style, **more})} d="{outline}"/>'


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the outline of a rectangle as a part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def dotted(outline: str) -> str:
    """Return dots along a path, around what has changed; nothing for nothing."""
    return path("halo", outline) + path("new", outline) if outline else ""


def group(drawing: str, **attributes: object) -> str:
    """Return a drawing with attributes for all of it, as :func:`tag` takes them; nothing for
    nothing.
    """
    return f"<g{_written(attributes)}>{drawing}</g>" if drawing else ""


def titled(title: str, drawing: str) -> str:
    """Return a drawing that tells what it is when it is pointed at."""
    return f"<g><title>{escaped(title)}</title>{drawing}</g>"


def named(words: object, drawing: str) -> str:
    """Return a drawing of something that moves name, for a page on which it can be clicked.

    ``words`` are the first words of such moves, and last its name: ``sell store corn``.
    """
    return group(drawing, data_word=words)


def owned(seat: int, drawing: str) -> str:
    """Return a drawing of what a seat has; only its moves name things in it."""
    return group(drawing, data_seat=seat)


_SIZE, _ROW, _MARGIN = 14, 20, 16
"""Of a text as a picture: the size of the letters, from line to line, and around the text."""


def typed_picture(heading: str, table: Sequence[str]) -> str:
    """Return lines of text, in which every blank counts, as an SVG document."""
    lines = [heading, "", *table]
    width = int(max(map(len, lines)) * width_of("x", _SIZE)) + 2 * _MARGIN
    height = len(lines) * _ROW + 2 * _MARGIN
    rows = "".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + (nth + 1) * _ROW - 6}">{escaped(line)}</text>\n'
        for nth, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escaped(heading)}" '
        f'font-family="monospace" font-size="{_SIZE}" fill="#1f1c17" xml:space="preserve">\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{rows}</svg>\n'
    )
