"""What a game shows of itself, before it is known where: a tree of a few kinds of nodes.

A game says once what it shows, and four back ends write it:

- :func:`porto_cli.paper.text.lines` for a terminal of a width, with colors or without, in
  ASCII if need be;
- :func:`porto_cli.paper.text.sentences` for screen readers, a line for each thing;
- :func:`porto_cli.paper.html.page` for a browser;
- :func:`porto_cli.paper.html.mail` for the middle of a mail, with a style for every element.

It is paper and not a model of a table: what a game shows, and in which order, is its own affair,
and may differ from one medium to the next. A game makes one node for each thing that it shows,
and puts together for each medium the nodes that belong there.

A *span* is a text with a style, in the words of rich: ``("blue", "bold #ffffff on #3675cf")``. A
*chunk* is a number of texts and spans that are not torn apart: arguments for
:meth:`rich.text.Text.assemble`. A text on a color is a chip: back ends give it its margin.
Signs like ``●`` and ``▸`` are written as they are; a terminal without them gets the ASCII
character that :data:`porto_cli.paper.text.SIGNS` has for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.term.spans import BOLD as BOLD
from porto_cli.term.spans import DIM as DIM
from porto_cli.term.spans import PLAIN as PLAIN
from porto_cli.term.spans import SCORED as SCORED
from porto_cli.term.spans import STRIKE as STRIKE
from porto_cli.term.spans import Line, Span

if TYPE_CHECKING:
    from porto_cli.paper.markup import Picture
    from porto_cli.term.screen import Screen

Text = str
Piece = str | Span
"""A text, or a text with its style."""
Chunk = Sequence[Piece]
"""Pieces that stay together."""

SCREEN, SENTENCES, PAGE, MAIL = "screen", "sentences", "page", "mail"
"""The media, for games that show more or less, or in another order, in one of them."""


class Heading(NamedTuple):
    """A heading. On a terminal, ``note`` is set flush right if there is room for it."""

    text: str
    level: int = 2
    note: str = ""


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

    ``numbers`` are the columns that are flush right. On a terminal a column is at least as wide as
    ``least`` says, one number for each column behind the first; the first column is cut down to
    ``shortest`` columns, and where even that is too wide, the grid becomes sentences. ``spoken``
    are these sentences, one for each row; by default they are made of the heads. ``note`` explains
    the heads.
    """

    heads: Chunk
    rows: Sequence[Sequence[Chunk]]
    numbers: Collection[int] = ()
    spoken: Sequence[str] | None = None
    least: Sequence[int] = ()
    shortest: int | None = None
    indent: int = 0
    note: str = ""


class Drawing(NamedTuple):
    """Something that is drawn, differently in each medium; where it is not drawn it is described.

    ``lines``    draws it for a screen
    ``picture``  draws it for a page
    ``cells``    draws it for a mail, as rows of a table
    ``name``     says what it shows, to who cannot see the picture
    ``spoken``     says the same in sentences, a line for each
    """

    lines: Callable[[Screen], list[Line]] | None = None
    picture: Callable[[], Picture] | None = None
    cells: Callable[[], Sequence[Sequence[Cell]]] | None = None
    name: str = ""
    spoken: Sequence[str] = ()


class Cell(NamedTuple):
    """A cell of a drawing in a mail: lines of text, the first of them bold, on a color."""

    text: Sequence[str]
    ink: str
    ground: str
    bold: bool = False


class Block(NamedTuple):
    """Nodes with a label.

    On a terminal the label is at the left, or above where it is narrow; on a page it is a
    heading, or ``heading`` is, which can be longer. There ``page`` takes the place of the body if
    that belongs on a terminal only, and a screen reader reads ``spoken`` in place of it.
    ``labels`` are for labels that are set differently from those of the document.
    """

    label: str
    body: Sequence[Node]
    page: Sequence[Node] | None = None
    spoken: Sequence[str] | None = None
    heading: str = ""
    labels: Labels | None = None


class Columns(NamedTuple):
    """Two columns of nodes beside each other; on a terminal the right one begins at ``width``, and
    ``gap`` blanks are kept free before it.
    """

    left: Sequence[Node]
    right: Sequence[Node]
    width: int
    gap: int = 0


class Beside(NamedTuple):
    """Nodes that a page shows beside each other as far as there is room: pictures as one figure,
    all else in columns of text.
    """

    nodes: Sequence[Node]


class Fitted(NamedTuple):
    """Nodes that depend on the screen; its width is what is left for them."""

    fit: Callable[[Screen], Sequence[Node]]


class Typed(NamedTuple):
    """Lines of text in which every blank counts."""

    lines: Sequence[str]


class Details(NamedTuple):
    """What a page shows on demand only."""

    summary: str
    body: Sequence[Node]


class Gap(NamedTuple):
    """An empty line on a terminal."""


Node = (
    Heading
    | Paragraph
    | Items
    | Flow
    | Grid
    | Drawing
    | Block
    | Columns
    | Beside
    | Fitted
    | Typed
    | Details
    | Gap
)


class Labels(NamedTuple):
    """How a terminal shows the labels of blocks: at the left in a column, or above the body.

    They stand above it where there are fewer columns than ``roomy``; there the body is indented.
    """

    column: int = 11
    roomy: int = 72
    indent: int = 0
    style: str = BOLD


LABELS = Labels()


class Document(NamedTuple):
    """Nodes with a title. ``margin`` are blanks at the left and at the right on a terminal."""

    title: str
    nodes: Sequence[Node]
    margin: int = 0
    labels: Labels = LABELS


def spans(chunk: Chunk) -> Line:
    """Return pieces as spans; a text without a style is plain."""
    return [(piece, PLAIN) if isinstance(piece, str) else piece for piece in chunk]


def joined_text(sentences: Sequence[str]) -> str:
    """Return sentences one behind the other."""
    return " ".join(sentences)
