"""Documents as text: lines for a terminal, and plain sentences for screen readers.

Lines have the width of the terminal, with colors or without, in ASCII if need be. Sentences have
no boxes and no drawing: a line for each thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from porto_cli.core.message import say
from porto_cli.paper.document import (
    LABELS,
    Beside,
    Block,
    Chunk,
    Columns,
    Details,
    Document,
    Drawing,
    Fitted,
    Flow,
    Gap,
    Grid,
    Heading,
    Items,
    Labels,
    Node,
    Paragraph,
    Typed,
    joined_text,
    spans,
)
from porto_cli.term.screen import Screen
from porto_cli.term.spans import (
    BOLD,
    DIM,
    ON,
    PLAIN,
    STRIKE,
    TITLE,
    Line,
    beside,
    cells,
    cut,
    flow,
    folded,
    padded,
    width_of,
    wrapped,
)

SIGNS = str.maketrans(
    {
        "●": "*",
        "○": "o",
        "×": "x",
        "▲": "^",
        "△": ".",
        "▮": "#",
        "▯": ".",
        "▸": ">",
        "·": "-",
        "–": "-",
        "…": "...",
    }
)
"""What is written in place of a sign where the alphabet has only ASCII. Drawings see to it
themselves, as the same sign can mean something else there."""


def lines(document: Document, screen: Screen, *, grids: bool = True) -> list[Line]:
    """Return a document as lines for a screen, at most as wide as it is.

    Without ``grids`` sentences take the place of tables.
    """
    margin, width = document.margin, screen.width - 2 * document.margin
    writer = _Writer(screen._replace(width=width), document.labels, grids=grids)
    found = writer.put(document.nodes)
    if not margin:
        return found
    return [[(" " * margin, PLAIN), *line] if line else [] for line in found]


def put(nodes: Iterable[Node], screen: Screen, labels: Labels = LABELS) -> list[Line]:
    """Return nodes as lines."""
    return _Writer(screen, labels).put(nodes)


class _Writer:
    """Writes nodes for one screen."""

    def __init__(self, screen: Screen, labels: Labels, *, grids: bool = True) -> None:
        self.screen = screen
        self.width = screen.width
        self.labels = labels
        self.grids = grids

    def put(self, nodes: Iterable[Node]) -> list[Line]:
        """Return nodes below each other."""
        return [line for node in nodes for line in self._of(node)]

    def _within(self, width: int) -> _Writer:
        return _Writer(self.screen._replace(width=width), self.labels, grids=self.grids)

    def _of(self, node: Node) -> list[Line]:
        match node:
            case Heading():
                return self._heading(node)
            case Paragraph():
                return self._paragraph(node)
            case Items():
                return self._items(node)
            case Flow():
                return self._flow(node)
            case Grid():
                return self._grid(node)
            case Drawing():
                return node.lines(self.screen) if node.lines else []
            case Block():
                return self._block(node)
            case Columns():
                left = self._within(node.width - node.gap)
                right = self._within(self.width - node.width)
                return beside(left.put(node.left), right.put(node.right), node.width)
            case Beside():
                return self.put(node.nodes)
            case Fitted():
                return self.put(node.fit(self.screen))
            case Typed():
                rows = (folded([(text, PLAIN)], self.width) for text in node.lines)
                return [line for row in rows for line in row]
            case Details():
                return self.put(node.body)
            case Gap():
                return [[]]

    def _heading(self, node: Heading) -> list[Line]:
        text, note = str(node.text), str(node.note)
        style = TITLE if node.level == 1 else BOLD
        if note and cells(text) + cells(note) + 2 <= self.width:
            return [[*padded([(text, style)], self.width - cells(note)), (note, DIM)]]
        return wrapped(text, self.width, style=style)

    def _paragraph(self, node: Paragraph) -> list[Line]:
        text = self._signs(joined_text(node.sentences))
        style = node.style.replace(STRIKE, "").strip()
        first = self._line(node.first) or None
        return wrapped(text, self.width, first=first, indent=node.indent, style=style)

    def _items(self, node: Items) -> list[Line]:
        found: list[Line] = []
        for number, item in enumerate(node.items, start=1):
            mark = (f"{number} " if node.numbered else "  ", DIM)
            found += self._paragraph(replace(item, first=[mark, *item.first]))
        return found

    def _flow(self, node: Flow) -> list[Line]:
        first = self._line(node.first)
        chunks = [self._line(chunk) for chunk in node.chunks]
        above: list[Line] = []
        if width_of(first) > self.width:
            above, first = folded(first, self.width, indent=2), []
        room = self.width - node.indent
        pieces: list[Line] = []
        for chunk in chunks:
            pieces += [chunk] if width_of(chunk) <= room else folded(chunk, room)
        gap = node.gap or (1 if self.screen.color else 2)
        return above + flow(pieces, self.width, first=first, indent=node.indent, gap=gap)

    def _block(self, node: Block) -> list[Line]:
        labels = node.labels or self.labels
        column, indent = labels.column, labels.indent
        label: Line = [(str(node.label), labels.style)]
        if self.width >= labels.roomy:
            body = self._within(self.width - column).put(node.body)
            head, blank = padded(label, column), padded([], column)
            return [[*(blank if nth else head), *line] for nth, line in enumerate(body)]
        body = self._within(self.width - indent).put(node.body)
        if not indent:
            return [label, *body]
        return [label, *([(" " * indent, PLAIN), *line] for line in body)]

    def _grid(self, node: Grid) -> list[Line]:
        """Columns as wide as they need to be, two blanks apart, or one; else sentences."""
        heads = [self._line([head]) for head in node.heads]
        rows = [[self._line(cell) for cell in row] for row in node.rows]
        first, *others = (
            max(map(width_of, column), default=0) for column in zip(heads, *rows, strict=True)
        )
        if node.least:
            others = [max(pair) for pair in zip(others, node.least, strict=True)]
        room = self.width - node.indent - sum(others)
        gap = 2 if first + 2 * len(others) <= room else 1
        room -= gap * len(others)
        narrow = room < (first if node.shortest is None else min(first, node.shortest))
        if narrow or not self.grids:
            spoken = (wrapped(text, self.width) for text in grid_sentences(node))
            return [line for paragraph in spoken for line in paragraph]
        widths = [min(first, room), *others]
        found = [self._row(heads, widths, gap, node, DIM)]
        found += [self._row(row, widths, gap, node, PLAIN) for row in rows]
        note = str(node.note)
        return [*found, *wrapped(note, self.width, style=DIM)] if note else found

    def _row(
        self, row: Sequence[Line], widths: Sequence[int], gap: int, node: Grid, style: str
    ) -> Line:
        found: Line = [(" " * node.indent, PLAIN)] if node.indent else []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            if column:
                found.append((" " * gap, PLAIN))
            cell = [(text, look or style) for text, look in cell]
            blank = (" " * (width - width_of(cell)), PLAIN)
            if column in node.numbers:
                found += [blank, *cell]
            else:
                found += [*_cut(cell, width), blank]
        return found

    def _line(self, chunk: Chunk) -> Line:
        return line_of(chunk, self.screen)

    def _signs(self, text: str) -> str:
        return _in_alphabet(text, self.screen)


def line_of(chunk: Chunk, screen: Screen) -> Line:
    """Return a chunk as a screen shows it: chips with a margin, signs in its alphabet."""
    found = [(_in_alphabet(text, screen), style) for text, style in spans(chunk)]
    if not screen.color:
        return found
    return [(f" {text} ", style) if ON in style else (text, style) for text, style in found]


def _in_alphabet(text: str, screen: Screen) -> str:
    return text.translate(SIGNS) if screen.ascii and not text.isascii() else text


def _cut(line: Line, width: int) -> Line:
    """Return a line that fits; what is too much is cut from its last text."""
    excess = width_of(line) - width
    if excess <= 0:
        return line
    *rest, (text, style) = line
    return [*rest, (cut(text, cells(text) - excess), style)]


# -- Sentences


def sentences(document: Document) -> list[str]:
    """Return a document as lines of whole sentences."""
    return list(described(document.nodes))


def described(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield nodes as lines of whole sentences. What only a screen can show is left out."""
    for node in nodes:
        yield from _of(node)


def _of(node: Node) -> Iterator[str]:
    match node:
        case Heading():
            if str(node.text):
                yield str(node.text)
        case Paragraph():
            first = _text(node.first).strip()
            text = [first, *node.sentences] if first else node.sentences
            yield from map(str, node.spoken) if node.spoken is not None else [joined_text(text)]
        case Items():
            for number, item in enumerate(node.items, start=1):
                for line in _of(item):
                    yield f"{number}: {line}" if node.numbered else line
        case Flow():
            if node.spoken is not None:
                yield from map(str, node.spoken)
            else:
                yield _text(node.first) + ", ".join(map(_text, node.chunks))
        case Grid():
            yield from grid_sentences(node)
        case Drawing():
            yield from map(str, node.spoken)
        case Block():
            if node.spoken is not None:
                yield from map(str, node.spoken)
            else:
                for line in described(node.body):
                    yield f"{node.label}: {line}"
        case Columns():
            yield from described(node.left)
            yield from described(node.right)
        case Beside():
            yield from described(node.nodes)
        case Typed():
            yield from node.lines
        case Details():
            yield from described(node.body)
        case Gap():
            pass


def grid_sentences(grid: Grid) -> list[str]:
    """Return a grid in sentences, one for each row."""
    if grid.spoken is not None:
        return [*map(str, grid.spoken)]
    heads = [text for text, _ in spans(grid.heads)]
    return [_row(heads, [_text(cell) for cell in row]) for row in grid.rows]


def _row(heads: Sequence[str], row: Sequence[str]) -> str:
    first, *others = row
    facts = ", ".join(
        str(say("{head} {fact}", head=head, fact=fact)) if head else fact
        for head, fact in zip(heads[1:], others, strict=True)
        if fact
    )
    return str(say("{first}: {facts}.", first=first, facts=facts)) if facts else f"{first}."


def _text(chunk: Chunk) -> str:
    return "".join(text for text, _ in spans(chunk))
