"""Documents, and the writers for them: here lines for a terminal and plain sentences for screen
readers; in the modules of this package, pages and mails.
"""

# No ``from __future__ import annotations``, see porto_cli/seam.py.

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from porto_cli.term import BOLD as BOLD
from porto_cli.term import DIM as DIM
from porto_cli.term import (
    ON,
    TITLE,
    Line,
    Screen,
    Span,
    beside,
    cells,
    cut_line,
    flow,
    folded,
    width_of,
    wrapped,
)
from porto_cli.term import PLAIN as PLAIN
from porto_cli.term import SCORED as SCORED

# -- The nodes of a document
#
# A game says once what it shows: a node for each thing, the same ones in the same order for all
# media. Four back ends write them:
#
# - ``porto_cli.paper.lines`` for a terminal of any width, with colors or without, in ASCII if
#   necessary;
# - ``porto_cli.paper.sentences`` for screen readers, a line for each thing;
# - ``porto_cli.paper.page.page`` for a browser;
# - ``porto_cli.paper.html.mail`` for the body of a mail, with a style for every element.
#
# A *span* is a text with a style in the syntax of rich: ``("blue", "bold #ffffff on #3675cf")``. A
# *chunk* is several texts and spans that stay together: arguments for ``rich.text.Text.assemble``.
# A text on a color is a chip, to which back ends add a margin. Signs like ``●`` and ``▸`` are
# written as they are; for a terminal without them, ``porto_cli.paper.SIGNS`` has ASCII characters.

Piece = str | Span
"""A text, or a text with its style."""
Chunk = Sequence[Piece]
"""Pieces that stay together."""


class Heading(NamedTuple):
    """A heading. On a terminal there is an empty line above it, unless it comes first."""

    text: str
    level: int = 2
    about: str = ""
    """The player whom what follows is about, if it is about one."""


class Paragraph(NamedTuple):
    """Sentences, one after another.

    ``first`` is the text before them, and ``indent`` the indentation of further lines on a
    terminal. A screen reader reads ``spoken`` instead, if it is given.
    """

    sentences: Sequence[str]
    style: str = PLAIN
    first: Chunk = ()
    indent: int = 0
    spoken: Sequence[str] | None = None


class Items(NamedTuple):
    """A list of paragraphs, ``numbered`` from 1 or not."""

    items: Sequence[Paragraph]
    numbered: bool = False


class Flow(NamedTuple):
    """Chunks side by side, on as many lines as they need, with ``gap`` blanks between them.

    A gap of 0 stands for the gap of chips: two blanks, or one in color, where chips have margins.
    ``first``, ``indent`` and ``spoken`` are as in :class:`Paragraph`.
    """

    chunks: Sequence[Chunk]
    gap: int = 2
    first: Chunk = ()
    indent: int = 0
    spoken: Sequence[str] | None = None


class Grid(NamedTuple):
    """Rows and columns of cells, each of them a chunk; the first cell of a row is its head.

    ``numbers`` are the columns that are flush right. If a terminal is too narrow, the first column
    is shortened; if that is not enough, the grid becomes sentences. ``spoken`` are these sentences,
    one for each row; by default they are made from the heads.
    """

    heads: Chunk
    rows: Sequence[Sequence[Chunk]]
    numbers: Collection[int] = ()
    spoken: Sequence[str] | None = None


class Drawing(NamedTuple):
    """A drawing, different in each medium, with a description for where it is not drawn.

    ``lines``   draws it for a screen
    ``cells``   draws it for a mail, as rows of a table
    ``spoken``  the same in sentences, one per line
    """

    lines: Callable[[Screen], list[Line]] | None = None
    cells: "Callable[[], Sequence[Sequence[Cell]]] | None" = None
    spoken: Sequence[str] = ()


class Cell(NamedTuple):
    """A cell of a drawing in a mail: lines of text, the first of them bold, on a color."""

    text: Sequence[str]
    ink: str
    ground: str
    bold: bool = False


class Block(NamedTuple):
    """Nodes with a label.

    On a terminal, labels are in a column on the left, or above the body if it is narrow; on a page
    a label is a heading.
    """

    label: str
    body: "Sequence[Node]"


class TypedLines(NamedTuple):
    """Lines of preformatted text."""

    lines: Sequence[str]


class Gap(NamedTuple):
    """An empty line on a terminal."""


Node = Heading | Paragraph | Items | Flow | Grid | Drawing | Block | TypedLines | Gap


class Document(NamedTuple):
    """Nodes with a title, which is above them on a terminal and in sentences; pages and mails have
    it elsewhere. ``margin`` is the number of blanks on both sides on a terminal.
    """

    title: str
    nodes: Sequence[Node]
    margin: int = 0

    def all(self) -> list[Node]:
        """Return all nodes, including the title if there is one."""
        return [*([Heading(self.title, 1)] if self.title else []), *self.nodes]


def spans(chunk: Chunk) -> Line:
    """Return pieces as spans; a text without a style is plain."""
    return [(piece, PLAIN) if isinstance(piece, str) else piece for piece in chunk]


# -- Documents as lines for a terminal

SIGNS = str.maketrans("●○×▲△▮▯▸·–", "*ox^.#.>--") | {ord("…"): "..."}
"""ASCII replacements for signs. Drawings replace signs themselves, as these can mean something else
there."""


SHORTEST = 9
"""Minimum width of the heads of a grid's rows."""
INDENT = 2
"""Indentation of a body below its label."""


def lines(document: Document, screen: Screen) -> list[Line]:
    """Return a document as lines that fit a screen."""
    margin = document.margin
    return _indented(put(document.all(), _narrowed(screen, 2 * margin)), margin)


def put(nodes: Iterable[Node], screen: Screen) -> list[Line]:
    """Return nodes as lines, below each other."""
    nodes = list(nodes)
    labels = (cells(node.label) for node in nodes if isinstance(node, Block))
    column = max(labels, default=0) + 2
    found: list[Line] = []
    for node in nodes:
        found += [[]] if found and found[-1] and isinstance(node, Heading) else []
        found += _lines(node, screen, column)
    return found


def _lines(node: Node, screen: Screen, column: int) -> list[Line]:
    width = screen.width
    match node:
        case Heading(text, level):
            return wrapped(_in_alphabet(text, screen), width, style=TITLE if level == 1 else BOLD)
        case Paragraph(sentences, style, first, indent):
            text = _in_alphabet(" ".join(sentences), screen)
            return wrapped(text, width, first=line_of(first, screen), indent=indent, style=style)
        case Items(items, numbered):
            marks = ((f"{nth} " if numbered else "  ", DIM) for nth in range(1, len(items) + 1))
            marked = zip(marks, items, strict=True)
            return put((one._replace(first=[mark, *one.first]) for mark, one in marked), screen)
        case Flow(chunks, gap, first, indent):
            *above, start = folded(line_of(first, screen), width, 2)
            shown = (line_of(chunk, screen) for chunk in chunks)
            pieces = (piece for chunk in shown for piece in folded(chunk, width - indent))
            if not gap:
                gap = 1 if screen.color else 2
            return [*above, *flow(pieces, width, first=start, indent=indent, gap=gap)]
        case Grid():
            return _grid(node, screen)
        case Drawing(draw):
            return draw(screen) if draw else []
        case Block(label, body):
            head: Line = [(_in_alphabet(label, screen), BOLD)]
            if width < 5 * column:
                return [head, *_indented(put(body, _narrowed(screen, INDENT)), INDENT)]
            found = put(body, _narrowed(screen, column))
            return beside([head], found, column) if found else []
        case Gap():
            return [[]]
        case TypedLines(rows):
            return [line for row in rows for line in folded([(row, PLAIN)], width)]


def _narrowed(screen: Screen, taken: int) -> Screen:
    return screen._replace(width=screen.width - taken)


def _indented(lines: list[Line], indent: int) -> list[Line]:
    return [[(" " * indent, PLAIN), *line] if line else [] for line in lines]


def _grid(node: Grid, screen: Screen) -> list[Line]:
    """Return columns as wide as necessary, two blanks or one blank apart, or else sentences."""
    cells_of = [[[head] for head in node.heads], *node.rows]
    heads, *rows = ([line_of(cell, screen) for cell in row] for row in cells_of)
    first, *others = (max(map(width_of, column)) for column in zip(heads, *rows, strict=True))
    room = screen.width - sum(others)
    gap = 2 if first + 2 * len(others) <= room else 1
    room -= gap * len(others)
    if room < min(first, SHORTEST):
        return [line for text in grid_sentences(node) for line in wrapped(text, screen.width)]
    widths = [min(first, room), *others]

    def row_of(row: Iterable[Line], style: str) -> Line:
        found: Line = []
        for nth, (cell, width) in enumerate(zip(row, widths, strict=True)):
            shown = cut_line([(text, look or style) for text, look in cell], width)
            blanks = (" " * (width - width_of(shown)), PLAIN)
            found += [(" " * gap, PLAIN)] if nth else []
            found += [blanks, *shown] if nth in node.numbers else [*shown, blanks]
        return found

    return [row_of(heads, DIM), *(row_of(row, PLAIN) for row in rows)]


def line_of(chunk: Chunk, screen: Screen) -> Line:
    """Return a chunk for a screen: chips with a margin, signs in ASCII if necessary."""
    found = [(_in_alphabet(text, screen), style) for text, style in spans(chunk)]
    if not screen.color:
        return found
    return [(f" {text} ", style) if ON in style else (text, style) for text, style in found]


def _in_alphabet(text: str, screen: Screen) -> str:
    return text.translate(SIGNS) if screen.ascii else text


# -- Documents as sentences: no boxes and no drawings, a line for each thing


def sentences(document: Document) -> list[str]:
    """Return a document as lines of whole sentences."""
    return list(described(document.all()))


def described(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield nodes as lines of whole sentences. What needs a screen is left out."""
    for node in nodes:
        spoken: Sequence[str] | None = getattr(node, "spoken", None)
        yield from _sentences(node) if spoken is None else spoken


def _sentences(node: Node) -> Iterable[str]:
    match node:
        case Heading(text):
            return [text] if text else []
        case Paragraph(sentences, first=first):
            return [" ".join([*filter(None, [_text(first).strip()]), *sentences])]
        case Items(items, numbered):
            mark = "{}: {}" if numbered else "{1}"
            told = ((nth, line) for nth, one in enumerate(items, 1) for line in described([one]))
            return [mark.format(nth, line) for nth, line in told]
        case Flow(chunks, first=first):
            return [_text(first) + ", ".join(map(_text, chunks))]
        case Grid():
            return grid_sentences(node)
        case Block(label, body):
            return [f"{label}: {line}" for line in described(body)]
        case TypedLines(rows):
            return rows
        case _:
            return []


def grid_sentences(grid: Grid) -> list[str]:
    """Return a grid in sentences, one for each row."""
    if grid.spoken is not None:
        return [*grid.spoken]
    _, *heads = (text for text, _ in spans(grid.heads))
    return [_row(heads, *map(_text, row)) for row in grid.rows]


def _row(heads: Sequence[str], first: str, *others: str) -> str:
    facts = zip(heads, others, strict=True)
    told = ", ".join(f"{head} {fact}".lstrip() for head, fact in facts if fact)
    return f"{first}: {told}." if told else f"{first}."


def _text(chunk: Chunk) -> str:
    return "".join(text for text, _ in spans(chunk))
