"""Documents, and what writes them: for a terminal, in plain sentences, as a page, in a mail."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from porto_cli.term.screen import Screen
from porto_cli.term.spans import BOLD as BOLD
from porto_cli.term.spans import DIM as DIM
from porto_cli.term.spans import PLAIN as PLAIN
from porto_cli.term.spans import SCORED as SCORED
from porto_cli.term.spans import STRIKE as STRIKE
from porto_cli.term.spans import Line, Span

# -- What a game shows of itself, before it is known where: a tree of a few kinds of nodes
#
# A game says once what it shows: a node for each thing, the same ones in the same order for all
# media. Four back ends write them:
#
# - ``porto_cli.paper.text.lines`` for a terminal of a width, with colors or without, in
#   ASCII if need be;
# - ``porto_cli.paper.text.sentences`` for screen readers, a line for each thing;
# - ``porto_cli.paper.page.page`` for a browser;
# - ``porto_cli.paper.html.mail`` for the middle of a mail, with a style for every element.
#
# A *span* is a text with a style, in the words of rich: ``("blue", "bold #ffffff on #3675cf")``. A
# *chunk* is a number of texts and spans that are not torn apart: arguments for
# ``rich.text.Text.assemble``. A text on a color is a chip: back ends give it its margin.
# Signs like ``●`` and ``▸`` are written as they are; a terminal without them gets the ASCII
# character that ``porto_cli.paper.text.SIGNS`` has for it.

Piece = str | Span
"""A text, or a text with its style."""
Chunk = Sequence[Piece]
"""Pieces that stay together."""


class Heading(NamedTuple):
    """A heading. On a terminal there is an empty line above it, unless it comes first."""

    text: str
    level: int = 2


class Paragraph(NamedTuple):
    """Sentences, one after the other.

    ``first`` is the text before them, and ``indent`` says how far the lines below it are
    indented on a terminal. A screen reader reads ``spoken`` instead, if it is there.
    """

    sentences: Sequence[str]
    style: str = PLAIN
    first: Chunk = ()
    indent: int = 0
    spoken: Sequence[str] | None = None


class Items(NamedTuple):
    """A list of paragraphs. ``numbered`` lists begin with 1."""

    items: Sequence[Paragraph]
    numbered: bool = False


class Flow(NamedTuple):
    """Chunks beside each other, on as many lines as they need, with ``gap`` blanks between them.

    A gap of 0 is that of chips: two blanks, or one in color, where chips have margins of their
    own. ``first``, ``indent`` and ``spoken`` are those of a :class:`Paragraph`.
    """

    chunks: Sequence[Chunk]
    gap: int = 2
    first: Chunk = ()
    indent: int = 0
    spoken: Sequence[str] | None = None


class Grid(NamedTuple):
    """Rows and columns of cells, each of them a chunk; the first cell of a row is its head.

    ``numbers`` are the columns that are flush right. On a terminal the first column is cut down if
    need be, and where even that is too wide, the grid becomes sentences. ``spoken`` are these
    sentences, one for each row; by default they are made of the heads.
    """

    heads: Chunk
    rows: Sequence[Sequence[Chunk]]
    numbers: Collection[int] = ()
    spoken: Sequence[str] | None = None


class Drawing(NamedTuple):
    """Something that is drawn, differently in each medium; where it is not drawn it is described.

    ``lines``   draws it for a screen
    ``cells``   draws it for a mail, as rows of a table
    ``spoken``  says the same in sentences, a line for each
    """

    lines: Callable[[Screen], list[Line]] | None = None
    cells: Callable[[], Sequence[Sequence[Cell]]] | None = None
    spoken: Sequence[str] = ()


class Cell(NamedTuple):
    """A cell of a drawing in a mail: lines of text, the first of them bold, on a color."""

    text: Sequence[str]
    ink: str
    ground: str
    bold: bool = False


class Block(NamedTuple):
    """Nodes with a label.

    On a terminal the labels of blocks below each other are at the left, in a column, or above the
    body where it is narrow; on a page a label is a heading. A screen reader reads ``spoken`` in
    place of the body.
    """

    label: str
    body: Sequence[Node]
    spoken: Sequence[str] | None = None


class TypedLines(NamedTuple):
    """Lines of text in which every blank counts."""

    lines: Sequence[str]


class Details(NamedTuple):
    """What a page shows on demand only."""

    summary: str
    body: Sequence[Node]


class Gap(NamedTuple):
    """An empty line on a terminal."""


Node = Heading | Paragraph | Items | Flow | Grid | Drawing | Block | TypedLines | Details | Gap


class Document(NamedTuple):
    """Nodes with a title, which is above them on a terminal and in sentences; pages and mails have
    it elsewhere. ``margin`` are blanks at the left and at the right on a terminal.
    """

    title: str
    nodes: Sequence[Node]
    margin: int = 0

    def all(self) -> list[Node]:
        """Return the nodes below the title, if there is one."""
        return [*([Heading(self.title, 1)] if self.title else []), *self.nodes]


def spans(chunk: Chunk) -> Line:
    """Return pieces as spans; a text without a style is plain."""
    return [(piece, PLAIN) if isinstance(piece, str) else piece for piece in chunk]


def joined_text(sentences: Sequence[str]) -> str:
    """Return sentences one behind the other."""
    return " ".join(sentences)
