"""Pages and pictures of a table that is nothing but lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.term.page import page
from porto_cli.term.svg import escaped, width_of

_SIZE, _LINE, _MARGIN = 14, 20, 16
"""The size of the letters, from line to line, and around the text."""


def svg_of(heading: str, table: Sequence[str]) -> str:
    """Return lines of text as a picture."""
    lines = [heading, "", *table]
    width = int(max(map(len, lines)) * width_of("x", _SIZE)) + 2 * _MARGIN
    height = len(lines) * _LINE + 2 * _MARGIN
    rows = "".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + (nth + 1) * _LINE - 6}">{escaped(line)}</text>\n'
        for nth, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escaped(heading)}" '
        f'font-family="monospace" font-size="{_SIZE}" fill="#1f1c17" xml:space="preserve">\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{rows}</svg>\n'
    )


def page_of(heading: str, table: Sequence[str]) -> str:
    """Return lines of text as a page."""
    return page(heading, [f"<h1>{escaped(heading)}</h1>", *_typed(table)])


def story_of(heading: str, told: Sequence[str], table: Sequence[str], since: int) -> str:
    """Return a story as a page: an item for each step, the one numbered ``since`` with an anchor,
    and the table that it has led to.
    """
    mark = ' id="since"'
    steps = [
        f"<li{mark if since and nth == since else ''}>{escaped(text)}</li>"
        for nth, text in enumerate(told)
    ]
    return page(heading, [f"<h1>{escaped(heading)}</h1>", "<ol>", *steps, "</ol>", *_typed(table)])


def _typed(table: Sequence[str]) -> list[str]:
    return ["<pre>", escaped("\n".join(table)), "</pre>"]
