"""Lines of styled text: what a terminal shows, before anybody knows whether it has colors.

A line is a list of spans, a span a text and a style in the words of rich, like
``bold #ffffff on #3675cf``. Without colors the texts alone are printed, so a text has to
say by itself whatever its style says.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TextIO

from porto_cli.term.screen import HEIGHT, Screen, screen_of, writable

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.output import ColorDepth
    from rich.style import Style


Span = tuple[str, str]
Line = list[Span]

PLAIN, BOLD, DIM, TITLE = "", "bold", "dim", "bold underline"
SCORED = "#2e9e5b"
STRIKE = "strike"
"""What was taken back; on pages only, as struck letters are hard to read on a terminal."""
ON = " on "
"""In a style: a text on a color of its own. Such a chip stays together, blanks and all."""


def cells(text: str) -> int:
    """Return how many columns a text takes: two for each wide letter, none for an accent."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def width_of(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum(cells(text) for text, _ in line)


def plain(line: Line) -> str:
    """Return a line without its styles, and without blanks at its end."""
    return "".join(text for text, _ in line).rstrip()


def padded(line: Line, width: int) -> Line:
    """Return a line with blanks up to a width."""
    return [*line, (" " * max(0, width - width_of(line)), PLAIN)]


def flow(
    chunks: Iterable[Line],
    width: int,
    *,
    first: Line | None = None,
    indent: int = 0,
    gap: int = 1,
    between: str = PLAIN,
) -> list[Line]:
    """Set chunks one behind the other, on as many lines as they need.

    A chunk is never broken. The first line begins with ``first``, all others with ``indent``
    blanks. ``between`` is the style of the blanks between two chunks.
    """
    line: Line = padded(first or [], indent)
    lines = [line]
    used = start = width_of(line)
    for chunk in chunks:
        size = width_of(chunk)
        space = gap if used > start else 0
        if used > indent and used + space + size > width:
            line = [(" " * indent, PLAIN)]
            lines.append(line)
            used = start = indent
            space = 0
        line += [(" " * space, between), *chunk]
        used += space + size
    return lines


def wrapped(
    text: str, width: int, *, first: Line | None = None, indent: int = 0, style: str = PLAIN
) -> list[Line]:
    """Set a text word by word, see :func:`flow`; a word that is too long is broken."""
    pieces = (piece for word in text.split() for piece in _broken(word, width - indent))
    chunks = ([(piece, style)] for piece in pieces)
    lines = flow(chunks, width, first=first, indent=indent, between=style)
    # A log can have very many lines: a span for each word would take several times the memory.
    return [joined(line) for line in lines]


def folded(line: Line, width: int, indent: int = 0) -> list[Line]:
    """Set a line on as many lines as it needs, broken between words; chips are never broken.

    Blanks inside of a line stay as they are, so that columns stay columns where they fit.
    """
    if width_of(line) <= width:
        return [line]
    lines: list[Line] = [[]]
    used = start = 0
    for blank, word in _words_of(line, width - indent):
        size = width_of(word)
        if used > start and used + cells(blank) + size > width:
            lines.append([(" " * indent, PLAIN)])
            used = start = indent
            blank = ""
        lines[-1] += [(blank, PLAIN), *word]
        used += cells(blank) + size
    return [joined(line) for line in lines]


def _words_of(line: Line, width: int) -> Iterator[tuple[str, Line]]:
    """Return the words of a line, each with the blanks before it; words may change their style."""
    blank, word = "", Line()
    for text, style in line:
        for piece in [text] if ON in style else re.split("( +)", text):
            if piece.strip() or ON in style:
                for part in _broken(piece, width):
                    if width_of(word) + cells(part) > width:
                        yield blank, word
                        blank, word = "", []
                    word.append((part, style))
            elif piece:
                if word:
                    yield blank, word
                    blank, word = "", []
                blank += piece
    if word:
        yield blank, word


def cut(text: str, width: int, mark: str = "…") -> str:
    """Return a text that fits: whole, or cut with a mark that says so."""
    if cells(text) <= width:
        return text
    while text and cells(text + mark) > width:
        text = text[:-1]
    return text.rstrip() + mark


def _broken(word: str, width: int) -> Iterator[str]:
    """Yield a word in pieces that fit, each of at least one letter, however narrow it is: where
    a heading or an indent takes more than all of the width, letters are cut by the terminal.
    """
    while len(word) > 1 and cells(word) > width:
        end = 1
        while cells(word[: end + 1]) <= width:
            end += 1
        yield word[:end]
        word = word[end:]
    yield word


def joined(line: Line) -> Line:
    """Return a line with neighboring spans of one style made one."""
    spans: Line = []
    for text, style in line:
        if spans and style == spans[-1][1]:
            spans[-1] = (spans[-1][0] + text, style)
        elif text:
            spans.append((text, style))
    return spans


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Set two blocks beside each other; the right one begins at column ``width``."""
    rows = max(len(left), len(right))
    blank: Line = []
    return [
        [
            *padded(left[row] if row < len(left) else blank, width),
            *(right[row] if row < len(right) else blank),
        ]
        for row in range(rows)
    ]


def show(lines: Iterable[Line], screen: Screen, stream: TextIO | None = None) -> None:
    """Print lines to a stream, standard output if not said."""
    stream = stream or sys.stdout
    if not screen.color:
        stream.write("".join(f"{writable(plain(line), stream)}\n" for line in lines))
        return
    from rich.console import Console
    from rich.segment import Segment, Segments

    # Without a size of its own rich takes COLUMNS and LINES for numbers, whatever they are.
    paper = partial(
        Console,
        file=stream,
        force_terminal=True,
        no_color=False,
        width=screen.width,
        height=HEIGHT,
    )
    console = paper()
    if console.color_system is None:
        console = paper(color_system="standard")
    console.print(
        Segments(
            segment
            for line in lines
            for segment in (
                *(Segment(writable(text, stream), _style(style)) for text, style in joined(line)),
                Segment.line(),
            )
        ),
        end="",
        soft_wrap=True,
    )


@cache
def _style(words: str) -> Style | None:
    from rich.style import Style

    return Style.parse(words) if words else None


def fragments(lines: Iterable[Line]) -> StyleAndTextTuples:
    """Return lines as prompt_toolkit takes them."""
    found: StyleAndTextTuples = []
    for nth, line in enumerate(lines):
        if nth:
            found.append(("", "\n"))
        found += [(_words(style), writable(text, sys.stdout)) for text, style in joined(line)]
    return found


@cache
def _words(style: str) -> str:
    """Return a style in the words of prompt_toolkit."""
    from prompt_toolkit.styles import Attrs

    known = (word for word in style.split() if word != "dim" or "dim" in Attrs._fields)
    return " ".join(known).replace(" on ", " bg:")


def color_depth() -> ColorDepth | None:
    """Return how many colors prompt_toolkit may use, None for what it finds by itself.

    True colors are said by ``COLORTERM``, which it leaves aside; its approximation of 256 colors
    turns red into brown.
    """
    from prompt_toolkit.output import ColorDepth

    if not screen_of().color:
        return ColorDepth.DEPTH_1_BIT
    depth = ColorDepth.from_env()
    if depth is None and os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        depth = ColorDepth.DEPTH_24_BIT
    return depth
