"""Lines to the terminal: with colors by rich, which is imported only then, or without.

Without colors there is not a single escape byte in the output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, TextIO

from porto_cli.term.screen import HEIGHT, Screen, writable
from porto_cli.term.spans import Line, joined, plain

if TYPE_CHECKING:
    from rich.style import Style

Styles = Mapping[str, str]
"""The looks of styles, by their names, in the words of rich: ``bold #ffffff on #3675cf``."""

STYLES = {"bold": "bold", "dim": "dim", "title": "bold underline"}
"""The styles of all games; each game has more of them."""


def show(
    lines: Iterable[Line],
    screen: Screen,
    stream: TextIO | None = None,
    *,
    styles: Styles | None = None,
) -> None:
    """Print lines to a stream, standard output if not said, with the styles of a game."""
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
    known = STYLES | (styles or {})
    console = paper()
    if console.color_system is None:
        console = paper(color_system="standard")
    console.print(
        Segments(
            segment
            for line in lines
            for segment in (
                *(
                    Segment(writable(text, stream), _style(known[style]) if style else None)
                    for text, style in joined(line)
                ),
                Segment.line(),
            )
        ),
        end="",
        soft_wrap=True,
    )


@cache
def _style(words: str) -> Style:
    from rich.style import Style

    return Style.parse(words)
