"""HTML: markup that is escaped by its type, and documents written in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from porto_cli.paper import (
    Block,
    Cell,
    Chunk,
    Drawing,
    Flow,
    Gap,
    Grid,
    Heading,
    Items,
    Node,
    Paragraph,
    TypedLines,
    spans,
)
from porto_cli.term import BOLD, DIM, ON, SCORED, Span

# -- Markup: whatever is not ``Html`` is escaped when it becomes part of it

_ESCAPED = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&#39;",
    # Characters that XML cannot contain, and those that change the direction of text.
    **dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)], "\ufffd"),
    **dict.fromkeys([*range(0xD800, 0xE000), 0xFFFE, 0xFFFF], "\ufffd"),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], ""),
}
_VOID = ("br", "input", "meta")


class Html(str):
    """A piece of HTML or SVG. Never make one from text that is not known to be markup."""

    __slots__ = ()


def escaped(text: object) -> Html:
    """Return a text escaped for use between tags and in attributes. HTML stays as it is."""
    return text if isinstance(text, Html) else Html(str(text).translate(_ESCAPED))


def joined(parts: Iterable[object], between: str = "") -> Html:
    """Return texts and pieces of HTML as one piece; ``between`` is HTML."""
    return Html(between.join(map(escaped, parts)))


def tag(name: str, *content: object, **attributes: object) -> Html:
    """Return an element. Attributes that are ``None`` are left out, and a ``_`` at the end of a
    name is dropped: ``tag("td", 3, class_="n")``.
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
#
# A picture consists of named pieces of SVG, painted one over another. All pictures of a game have
# the same pieces in the same order, so a page of a whole game needs each piece only once for as
# long as it stays the same.


class Picture(NamedTuple):
    """A drawing of a size in units of its own; ``pieces`` are painted in order.

    ``name`` says what it shows.
    """

    width: int
    height: int
    pieces: dict[str, str]
    name: str = ""

    def drawn(self) -> str:
        """Return the pieces, painted one over another."""
        return "".join(self.pieces.values())


def width_of(text: str, size: float) -> float:
    """Return an upper estimate of the width of a text; the font is unknown."""
    return size * sum(map(_em, text))


@cache
def _em(letter: str) -> float:
    if combining(letter):
        return 0
    if letter in "MWmw@%…—" or east_asian_width(letter) in "WF":
        return 1.1
    return 0.75 if letter.isupper() else 0.6


def fitted(text: str, size: float, width: float, smallest: float) -> tuple[str, float]:
    """Return a text and a font size that fit: first the size is reduced, then the text cut."""
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
    """Return a line of text at a place. ``style`` has class names; with ``width`` it is fitted.

    ``ink`` is its color in light and dark mode, if its class names do not set one.
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
    """Return a reference that draws a shape, defined elsewhere in the document, at a place."""
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
    """Return a rectangle; ``corner`` is the radius of its corners.

    ``style`` has class names, ``more`` further attributes, as in :func:`tag`.
    """
    rounded = f' rx="{corner:g}"' if corner else ""
    return (
        f'<rect{_written({"class_": style, **more})} x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{height:g}"{rounded}/>'
    )


def on_turn(x: float, y: float, width: float, height: float, corner: float) -> str:
    """Return the background of what belongs to the player to move, with a bar at its side."""
    bar = {"stroke": "#d8140a", "stroke_width": 5, "stroke_linecap": "round"}
    line = path(None, f"M{x + 2:g} {y + corner + 2:g}v{height - 2 * corner - 4:g}", **bar)
    return box("turn", x, y, width, height, corner) + line


def path(style: str | None, outline: str, **more: object) -> str:
    """Return a line or an area, see :func:`box`."""
    return f'<path{_written({"class_": style, **more})} d="{outline}"/>'


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the outline of a rectangle as part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def dotted(outline: str) -> str:
    """Return dots along a path, around what has changed; empty for an empty path."""
    return path("halo", outline) + path("new", outline) if outline else ""


def group(drawing: str, **attributes: object) -> str:
    """Return a drawing with attributes for all of it, as in :func:`tag`; empty for an empty one."""
    return f"<g{_written(attributes)}>{drawing}</g>" if drawing else ""


def pale(drawing: str, *, there: bool = False) -> str:
    """Return a drawing unchanged, or pale if its subject is not there; its text stays readable."""
    return drawing if there else group(drawing, class_="gone")


def titled(title: str, drawing: str) -> str:
    """Return a drawing with a tooltip."""
    return f"<g><title>{escaped(title)}</title>{drawing}</g>"


def named(words: object, drawing: str) -> str:
    """Return a drawing of something that moves name, for a page on which it can be clicked.

    ``words`` are the first words of such moves, ending with its name: ``sell store corn``.
    """
    return group(drawing, data_word=words)


def owned(seat: int, drawing: str) -> str:
    """Return a drawing of a seat's things; only moves of that seat name anything in it."""
    return group(drawing, data_seat=seat)


_SIZE, _ROW = 14, 20
"""The font size and line height of text as a picture."""


def typed_picture(lines: Sequence[str]) -> Picture:
    """Return lines of preformatted text as a picture."""
    rows = (
        tag("text", line, y=(nth + 1) * _ROW, style="font-family:monospace;white-space:pre")
        for nth, line in enumerate(lines)
    )
    width = int(max(map(len, lines)) * width_of("x", _SIZE)) + _SIZE
    text = group(joined(rows), font_size=_SIZE)
    return Picture(width, (len(lines) + 1) * _ROW, {"text": text})


# -- Documents as HTML: for a self-contained page, and for the body of a mail
#
# Most mail programs drop ``<style>``, classes, scripts, SVG and pictures that come with a mail, and
# many invert colors in dark mode. Only tables, and styles of single elements, work everywhere. So
# in a mail every element has its own style, sets a text color wherever it sets a background, and
# still makes sense if all styles are gone.

INK, SOFT, PAPER, GROUND, RULE = "#1f1c17", "#6a645a", "#ffffff", "#f4f1ea", "#d9d3c6"
"""Colors of a mail: text, less important text, its background, what surrounds that, lines."""
EDGE = "#857f74"
"""The border of a color, visible on both light and dark backgrounds."""

NUMBER = "n"
"""The class of a cell that is flush right."""


def mail(nodes: Iterable[Node]) -> str:
    """Return nodes as HTML that mail programs leave unchanged."""
    return "\n".join(MailWriter().nodes(nodes))


class PageWriter:
    """Writes nodes as HTML with the classes of the style sheet ``page.css``."""

    def look(self, name: str, kind: str | None = None) -> dict[str, str | None]:
        """Return the attributes that style an element of a kind."""
        return {"class_": kind}

    def element(self, name: str, *content: object, kind: str | None = None, **more: object) -> Html:
        """Return an element of a kind."""
        return tag(name, *content, **more, **self.look(name, kind))

    def nodes(self, nodes: Iterable[Node | Html]) -> list[Html]:
        """Return nodes as pieces of HTML; nodes that are already HTML stay as they are."""
        return [
            piece
            for node in nodes
            for piece in ([node] if isinstance(node, Html) else self._of(node))
        ]

    def _of(self, node: Node) -> list[Html]:
        match node:
            case Heading():
                return [self.element(f"h{node.level}", node.text)]
            case Paragraph():
                return [self._paragraph(node)]
            case Items():
                return [self.items(node)]
            case Flow():
                return [self.flow([node.first, *node.chunks] if node.first else node.chunks)]
            case Grid():
                return self.grid(node)
            case Drawing():
                return self.drawing(node)
            case Block():
                return self.block(node)
            case TypedLines():
                return [self.element("pre", "\n".join(node.lines))]
            case Gap():
                return []

    def text(self, chunk: Chunk) -> Html:
        """Return spans as HTML."""
        return joined(map(self.span, spans(chunk)))

    def span(self, span: Span) -> Html:
        """Return a text in its style: a chip, bold or soft."""
        text, style = span
        if ON in style:
            return self.chip(text, *_colors(style))
        words = style.split()
        found = escaped(text)
        if BOLD in words:
            return tag("b", found)
        return self.element("span", found, kind="soft") if DIM in words else found

    def chip(self, text: str, ink: str, ground: str) -> Html:
        """Return a few words on a color, like a card."""
        return tag("span", text, class_="chip", style=f"background:{ground};color:{ink}")

    def _paragraph(self, node: Paragraph) -> Html:
        kind = {DIM: "soft", SCORED: "vp"}.get(node.style)
        return self.element("p", self._sentences(node), kind=kind)

    def _sentences(self, node: Paragraph) -> Html:
        text = " ".join(node.sentences)
        words = node.style.split()
        content = self.span((text, node.style)) if BOLD in words else text
        return joined([self.text(node.first), content])

    def items(self, node: Items) -> Html:
        """Return a list."""
        items = (tag("li", self._sentences(item)) for item in node.items)
        return tag("ol" if node.numbered else "ul", *items)

    def flow(self, chunks: Iterable[Chunk]) -> Html:
        """Return chunks side by side."""
        return tag("ul", *(tag("li", self.text(chunk)) for chunk in chunks), class_="flow")

    def grid(self, node: Grid) -> list[Html]:
        """Return a table that scrolls if the page is narrower."""
        return [tag("div", tag("table", *self._rows(node)), class_="wide")]

    def _rows(self, node: Grid) -> list[Html]:
        rows = [
            tag(
                "tr",
                *(
                    self._cell("th", text, nth, node.numbers, scope="col") if text else tag("td")
                    for nth, (text, _) in enumerate(spans(node.heads))
                ),
            )
        ]
        for first, *others in node.rows:
            head = self._cell("th", self._head(first), 0, node.numbers, scope="row")
            cells = (
                self._cell("td", self.text(chunk), nth, node.numbers)
                for nth, chunk in enumerate(others, start=1)
            )
            rows.append(tag("tr", head, *cells))
        return rows

    def _head(self, chunk: Chunk) -> Html:
        """Return the head of a row without styles, as it is bold anyway; chips stay."""
        plain = [(text, style if ON in style else "") for text, style in spans(chunk)]
        return self.text(plain)

    def _cell(
        self, name: str, content: object, column: int, numbers: Collection[int], **more: object
    ) -> Html:
        kind = NUMBER if column in numbers else None
        return self.element(name, content, kind=kind, **more)

    def drawing(self, node: Drawing) -> list[Html]:
        """Return the description of a drawing, the first sentence above a list of the others; a
        page has its own pictures.
        """
        first, others = node.spoken[:1], node.spoken[1:]
        return [
            *(self.element("p", text) for text in first),
            *([tag("ul", *(tag("li", text) for text in others))] if others else []),
        ]

    def block(self, node: Block) -> list[Html]:
        """Return nodes below their label; nothing without nodes."""
        body = self.nodes(node.body)
        return [tag("section", tag("h2", node.label), *body)] if body else []


def _colors(style: str) -> tuple[str, str]:
    """Return the text color and the background color of a style."""
    ink, _, ground = style.partition(ON)
    return ink.split()[-1], ground


class MailWriter(PageWriter):
    """Writes nodes as HTML with a style for each element."""

    def look(self, name: str, kind: str | None = None) -> dict[str, str | None]:
        """Return the attribute with the style of an element."""
        return {"style": _MAIL.get(f"{name}.{kind}") or _MAIL.get(name)}

    def chip(self, text: str, ink: str, ground: str) -> Html:
        """Return a few words in a frame, after a bar of the color.

        The words themselves have a plain background: programs that turn dark text light leave
        strong colors alone, and light text on yellow could not be read. The frame is for pale
        colors.
        """
        bar = tag("span", Html("&nbsp;&nbsp;"), style=f"background-color:{ground};color:{ink}")
        words = tag("span", text, style=f"border-left:1px solid {EDGE};padding:0 6px")
        return tag("span", bar, words, style=_CHIP)

    def items(self, node: Items) -> Html:
        """Return paragraphs with a mark before each."""
        marks = (f"{n}." if node.numbered else "•" for n in range(1, len(node.items) + 1))
        return joined(
            (
                self.element("p", f"{mark} ", self._sentences(item), kind="item")
                for mark, item in zip(marks, node.items, strict=True)
            ),
            "\n",
        )

    def flow(self, chunks: Iterable[Chunk]) -> Html:
        """Return chunks side by side, on as many lines as they need."""
        together = (self.text([_unbroken(one) for one in spans(chunk)]) for chunk in chunks)
        return self.element("p", joined(together, "\u2002 "), kind="flow")

    def grid(self, node: Grid) -> list[Html]:
        """Return a table."""
        return [self.element("table", *self._rows(node), cellspacing=0, cellpadding=0)]

    def drawing(self, node: Drawing) -> list[Html]:
        """Return the drawing as a table of full width, or its description."""
        if node.cells is None:
            return [self.element("p", text) for text in node.spoken]
        rows = (tag("tr", *map(_drawn, row)) for row in node.cells())
        attributes = {"width": "100%", "cellspacing": 0, "cellpadding": 0}
        return [self.element("table", *rows, kind="drawing", **attributes)]

    def block(self, node: Block) -> list[Html]:
        """Return nodes below their label."""
        body = self.nodes(node.body)
        return [self.element("h3", node.label), *body] if body else []


def _unbroken(span: Span) -> Span:
    """Return a text whose last blank is a no-break space, so it stays with what follows."""
    text, style = span
    return (f"{text[:-1]}\xa0", style) if text.endswith(" ") else span


def _drawn(cell: Cell) -> Html:
    """Return a cell of a drawing: text centered on a color."""
    first, *others = cell.text
    lines = [tag("b", first) if cell.bold else first, *others]
    content = joined((line or Html("&nbsp;") for line in lines), "<br>")
    look = f"background-color:{cell.ground};color:{cell.ink};{_CELL}"
    return tag("td", content, align="center", bgcolor=cell.ground, style=look)


_CELL = f"border:1px solid {PAPER};font-size:12px;line-height:15px;padding:0;text-align:center"
_CHIP = (
    f"background-color:{PAPER};color:{INK};border:1px solid {EDGE};"
    "white-space:nowrap;line-height:1.7"
)
_FACT = f"padding:3px 8px 3px 0;border-bottom:1px solid {RULE};vertical-align:top;color:{INK}"
_MAIL = {
    "h2": f"font-size:18px;line-height:1.3;margin:22px 0 6px;color:{INK}",
    "h3": f"font-size:16px;line-height:1.3;margin:18px 0 6px;color:{INK}",
    "p": f"margin:6px 0;color:{INK}",
    "p.soft": f"margin:6px 0;color:{SOFT}",
    "p.item": f"margin:4px 0 4px 1em;text-indent:-0.8em;color:{INK}",
    "p.flow": "margin:4px 0;line-height:1.8",
    "span.soft": f"color:{SOFT}",
    "table": "border-collapse:collapse;font-size:14px;margin:4px 0",
    "table.drawing": "border-collapse:collapse;table-layout:fixed;width:100%;margin:8px 0 0",
    "th": f"{_FACT};text-align:left",
    "td": f"{_FACT};text-align:left",
    "th.n": f"{_FACT};text-align:right",
    "td.n": f"{_FACT};text-align:right",
    "pre": (
        "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;line-height:1.25;"
        f"background-color:{GROUND};color:{INK};padding:8px;margin:6px 0;white-space:pre-wrap;"
        "overflow-wrap:anywhere"
    ),
}
"""The styles of a mail, by element and kind."""
