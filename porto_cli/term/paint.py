"""Lines to the terminal: with colors by rich, which is imported only then, or without.

Without colors there is not a single escape byte in the output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, TextIO

from porto_cli.games.porto.ui.palette import NEW, PAINTS, RIVER, ROOF, STREET, TOKEN
from porto_cli.term.screen import HEIGHT, Screen, writable
from porto_cli.term.spans import Line, joined, plain

if TYPE_CHECKING:
    from rich.style import Style

STYLES = {
    "bold": "bold",
    "dim": "dim",
    "title": "bold underline",
    "token": f"bold {TOKEN}",
    "roof": ROOF,
    "street": STREET,
    "river": RIVER,
    "free": STREET,
    "new": f"bold {NEW}",
    "now": "bold #2e9e5b",
    "never": "dim",
    "scored": "#2e9e5b",
}
STYLES |= {
    f"{what}:{color}": style
    for color, paint in PAINTS.items()
    for what, style in (
        ("card", f"bold {paint.ink} on {paint.fill}"),
        ("fill", f"{paint.ink} on {paint.fill}"),
        ("shade", f"{paint.ink} on {paint.shade}"),
        ("fill-pattern", f"{paint.shade} on {paint.fill}"),
        ("shade-pattern", f"{paint.fill} on {paint.shade}"),
    )
}


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
def _style(name: str) -> Style | None:
    """Return a style by its name, or as rich spells it: ``#ffffff on #3b4ba8``."""
    from rich.style import Style

    return Style.parse(STYLES.get(name, name)) if name else None
