"""Lines to the terminal: with colors by rich, which is imported only then, or without.

Without colors there is not a single escape byte in the output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, TextIO

from porto_cli.term.screen import HEIGHT, Screen, writable
from porto_cli.term.spans import Line, joined, plain

if TYPE_CHECKING:
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
