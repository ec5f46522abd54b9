"""Lines to the terminal: with colors by rich, which is imported only then, or without; in
questions by prompt_toolkit.

Without colors there is not a single escape byte in the output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, TextIO

from porto_cli.term.screen import HEIGHT, Screen, screen_of, writable
from porto_cli.term.spans import Line, joined, plain

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.output import ColorDepth
    from rich.style import Style


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
