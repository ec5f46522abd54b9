"""Lines of styled text: what a terminal shows, before anybody knows whether it has colors.

A line is a list of spans, a span a text and a style in the words of rich, like
``bold #ffffff on #3675cf``. Without colors the texts alone are printed, so a text has to
say by itself whatever its style says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

Span = tuple[str, str]
Line = list[Span]

PLAIN, BOLD, DIM, TITLE = "", "bold", "dim", "bold underline"
SCORED = "#2e9e5b"
ON = " on "
"""In a style: a text on a color of its own. Such a chip stays together, blanks and all."""


_NARROW = frozenset(map(chr, (*range(0x20, 0x300), *range(0x2500, 0x25FD), 0x2248)))
"""Latin letters and what the table is drawn with. Asking ``unicodedata`` takes a megabyte, so it
is asked of other letters only."""


def cells(text: str) -> int:
    """Return how many columns a text takes: two for each wide letter, none for an accent."""
    if text.isascii() or _NARROW.issuperset(text):
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
        if used > start and used + space + size > width:
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
    return flow(chunks, width, first=first, indent=indent, between=style)


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
    while cells(word) > width:
        end = next(end for end in range(1, len(word) + 1) if cells(word[: end + 1]) > width)
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
