"""Documents as HTML: as a page that needs nothing from elsewhere, and for the middle of a mail.

Most mail programs drop ``<style>``, classes, scripts, SVG and pictures that come with a mail, and
many turn colors around in the dark. What is left everywhere are tables, and styles of single
elements. So in a mail every element carries its own style, gives the color of its text wherever it
gives that of its ground, and still makes sense if all styles are gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from porto_cli.paper.document import (
    Block,
    Cell,
    Chunk,
    Details,
    Drawing,
    Flow,
    Gap,
    Grid,
    Heading,
    Items,
    Node,
    Paragraph,
    TypedLines,
    joined_text,
    spans,
)
from porto_cli.paper.markup import Html, escaped, joined, tag
from porto_cli.term.spans import BOLD, DIM, ON, SCORED, STRIKE, Span

INK, SOFT, PAPER, GROUND, RULE = "#1f1c17", "#6a645a", "#ffffff", "#f4f1ea", "#d9d3c6"
"""In a mail: text, text that matters less, its background, what is around that, lines."""

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
                return [self.flow(node)]
            case Grid():
                return self.grid(node)
            case Drawing():
                return self.drawing(node)
            case Block():
                return self.block(node)
            case TypedLines():
                return [self.element("pre", "\n".join(node.lines))]
            case Details():
                return self.details(node)
            case Gap():
                return []

    def text(self, chunk: Chunk) -> Html:
        """Return spans as HTML."""
        return joined(map(self.span, spans(chunk)))

    def span(self, span: Span) -> Html:
        """Return a text with its style: on its color, bold, soft or struck out."""
        text, style = span
        if ON in style:
            return self.chip(text, *_colors(style))
        words = style.split()
        found = escaped(text)
        if STRIKE in words:
            return tag("s", found)
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
        text = joined_text(node.sentences)
        words = node.style.split()
        content = self.span((text, node.style)) if BOLD in words or STRIKE in words else text
        return joined([self.text(node.first), content])

    def items(self, node: Items) -> Html:
        """Return a list."""
        items = (tag("li", self._sentences(item)) for item in node.items)
        return tag("ol" if node.numbered else "ul", *items)

    def flow(self, node: Flow) -> Html:
        """Return chunks beside each other."""
        chunks = [node.first, *node.chunks] if node.first else node.chunks
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
        """Return nodes below their heading; nothing where there is nothing to be said."""
        body = self.nodes(node.body)
        return [tag("section", tag("h2", node.label), *body)] if body else []

    def details(self, node: Details) -> list[Html]:
        """Return what is shown on demand."""
        return [tag("details", tag("summary", node.summary), *self.nodes(node.body))]


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
        """Return a few words in a frame of a color.

        The words stand on paper: what turns dark letters into light ones leaves strong colors
        alone, and light letters on yellow could not be read.
        """
        look = f"{_CHIP};border:1px solid {ground};border-left:12px solid {ground}"
        return tag("span", text, style=look)

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

    def flow(self, node: Flow) -> Html:
        """Return chunks beside each other, on as many lines as they need."""
        chunks = [node.first, *node.chunks] if node.first else node.chunks
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
        """Return nodes below their heading."""
        body = self.nodes(node.body)
        return [self.element("h3", node.label), *body] if body else []

    def details(self, node: Details) -> list[Html]:
        """Return what a page would show on demand."""
        return [self.element("h3", node.summary), *self.nodes(node.body)]


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
    f"background-color:{PAPER};color:{INK};padding:0 6px;border-radius:4px;white-space:nowrap;"
    "line-height:1.7"
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
