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

# -- Markup that is escaped by its type, and pictures as pieces of it
#
# What is not ``Html`` yet is escaped when it becomes part of it.
#
# A picture is a number of named pieces of SVG, painted one over the other. Two pictures of one game
# have the same pieces in the same order, so that a page that shows a whole game needs each piece
# only once for as long as it stays the same.

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


def on_turn(x: float, y: float, width: float, height: float, corner: float) -> str:
    """Return the ground of what belongs to who is to move, with a bar at its side."""
    bar = {"stroke": "#d8140a", "stroke_width": 5, "stroke_linecap": "round"}
    line = path(None, f"M{x + 2:g} {y + corner + 2:g}v{height - 2 * corner - 4:g}", **bar)
    return box("turn", x, y, width, height, corner) + line


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


def pale(drawing: str, *, there: bool = False) -> str:
    """Return something as it is, or pale if it is not there; its words can be read all the same."""
    return drawing if there else group(drawing, class_="gone")


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


_SIZE, _ROW = 14, 20
"""Of a text as a picture: the size of the letters, and from line to line."""


def typed_picture(lines: Sequence[str]) -> Picture:
    """Return lines of text, in which every blank counts, as a picture."""
    rows = (
        tag("text", line, y=(nth + 1) * _ROW, style="font-family:monospace;white-space:pre")
        for nth, line in enumerate(lines)
    )
    width = int(max(map(len, lines)) * width_of("x", _SIZE)) + _SIZE
    text = group(joined(rows), font_size=_SIZE)
    return Picture(width, (len(lines) + 1) * _ROW, {"text": text})


# -- Documents as HTML: as a page that needs nothing from elsewhere, and for the middle of a mail
#
# Most mail programs drop ``<style>``, classes, scripts, SVG and pictures that come with a mail, and
# many turn colors around in the dark. What is left everywhere are tables, and styles of single
# elements. So in a mail every element carries its own style, gives the color of its text wherever
# it gives that of its ground, and still makes sense if all styles are gone.

INK, SOFT, PAPER, GROUND, RULE = "#1f1c17", "#6a645a", "#ffffff", "#f4f1ea", "#d9d3c6"
"""In a mail: text, text that matters less, its background, what is around that, lines."""
EDGE = "#857f74"
"""Around a color, which may be as pale as paper or as dark as the night: seen on both."""

NUMBER = "n"
"""The class of a cell that is flush right."""


def mail(nodes: Iterable[Node]) -> str:
    """Return nodes as HTML that mail programs leave as it is."""
    return "\n".join(MailWriter().nodes(nodes))


class PageWriter:
    """Writes nodes as HTML with the classes of the style sheet ``page.css``."""

    def look(self, name: str, kind: str | None = None) -> dict[str, str | None]:
        """Return the attributes by which an element of a kind gets its look."""
        return {"class_": kind}

    def element(self, name: str, *content: object, kind: str | None = None, **more: object) -> Html:
        """Return an element of a kind."""
        return tag(name, *content, **more, **self.look(name, kind))

    def nodes(self, nodes: Iterable[Node | Html]) -> list[Html]:
        """Return nodes as pieces of HTML; those that are HTML already stay as they are."""
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
        """Return a text with its style: on its color, bold or soft."""
        text, style = span
        if ON in style:
            return self.chip(text, *_colors(style))
        words = style.split()
        found = escaped(text)
        if BOLD in words:
            return tag("b", found)
        return self.element("span", found, kind="soft") if DIM in words else found

    def chip(self, text: str, ink: str, ground: str) -> Html:
        """Return a few words on a color; even in a mail that drops pictures a card is a card."""
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
        """Return chunks beside each other."""
        return tag("ul", *(tag("li", self.text(chunk)) for chunk in chunks), class_="flow")

    def grid(self, node: Grid) -> list[Html]:
        """Return a table that can be scrolled where the page is narrower."""
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
        """Return the head of a row, which is bold by itself."""
        plain = [(text, style if ON in style else "") for text, style in spans(chunk)]
        return self.text(plain)

    def _cell(
        self, name: str, content: object, column: int, numbers: Collection[int], **more: object
    ) -> Html:
        kind = NUMBER if column in numbers else None
        return self.element(name, content, kind=kind, **more)

    def drawing(self, node: Drawing) -> list[Html]:
        """Return what is said of a drawing, the first sentence above a list of the others: a page
        has pictures of its own.
        """
        first, others = node.spoken[:1], node.spoken[1:]
        return [
            *(self.element("p", text) for text in first),
            *([tag("ul", *(tag("li", text) for text in others))] if others else []),
        ]

    def block(self, node: Block) -> list[Html]:
        """Return nodes below their label; nothing where there is nothing to be said."""
        body = self.nodes(node.body)
        return [tag("section", tag("h2", node.label), *body)] if body else []


def _colors(style: str) -> tuple[str, str]:
    """Return the color of the letters and that of the ground in the words of a style."""
    ink, _, ground = style.partition(ON)
    return ink.split()[-1], ground


class MailWriter(PageWriter):
    """Writes nodes as HTML with a style for each element."""

    def look(self, name: str, kind: str | None = None) -> dict[str, str | None]:
        """Return the attribute with the style of an element."""
        return {"style": _MAIL.get(f"{name}.{kind}") or _MAIL.get(name)}

    def chip(self, text: str, ink: str, ground: str) -> Html:
        """Return a few words in a frame, behind a bar of a color.

        The words stand on paper: what turns dark letters into light ones leaves strong colors
        alone, and light letters on yellow could not be read. The frame is there for pale colors.
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
        """Return chunks beside each other, on as many lines as they need."""
        together = (self.text([_unbroken(one) for one in spans(chunk)]) for chunk in chunks)
        return self.element("p", joined(together, "\u2002 "), kind="flow")

    def grid(self, node: Grid) -> list[Html]:
        """Return a table of facts."""
        return [self.element("table", *self._rows(node), cellspacing=0, cellpadding=0)]

    def drawing(self, node: Drawing) -> list[Html]:
        """Return rows of cells as wide as there is room, or the same in sentences."""
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
    """Return a text whose last blank does not tear it from what follows."""
    text, style = span
    return (f"{text[:-1]}\xa0", style) if text.endswith(" ") else span


def _drawn(cell: Cell) -> Html:
    """Return a cell of a drawing: text in the middle of a color."""
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
