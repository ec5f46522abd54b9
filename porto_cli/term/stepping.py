"""A page that goes through a game frame by frame, and is all there without a script.

The pictures of all frames are one picture: each of its pieces is there once for as long as it
stays the same, with the first frame in which it is seen (``data-f``) and the first in which it
is no more (``data-t``). Without a script the pieces of the last frame are seen, and every
article can be read. With it, article and pieces of one frame are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.term.page import inline, page
from porto_cli.term.svg import Picture, escaped

_AT_THE_LAST = "found < 0 ? last : found"
"""Where the script opens the page."""


def stepping_page(
    title: str, body: Iterable[str], style: str = "", start: int | None = None
) -> str:
    """Return an HTML document with the script that steps through it.

    It opens at the frame that its address names, else at ``start``, which is the last one if not
    said, or if there are not so many.

    It needs an :func:`article` for each frame, the :func:`controls`, and a chart of the game:
    a picture called ``chart`` with a line called ``cursor`` that knows where the first frame
    stands (``data-start``) and how far apart they are (``data-step``).
    """
    script = _data("stepping.js")
    if start is not None:
        script = script.replace(_AT_THE_LAST, f"found < 0 ? {start} : found")
    return page(title, body, _data("stepping.css") + style, script)


def _data(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def moving(pictures: Sequence[Picture]) -> tuple[Picture, str]:
    """Return the pictures of all frames as one, and what is painted in it."""
    height = max(picture.height for picture in pictures)
    painted = []
    for name in pictures[0].pieces:
        start = 0
        for frame, picture in enumerate(pictures):
            piece = picture.pieces[name]
            if frame + 1 < len(pictures) and pictures[frame + 1].pieces[name] == piece:
                continue
            if piece:
                painted.append(_piece(piece, start, frame + 1, len(pictures)))
            start = frame + 1
    return pictures[0]._replace(height=height), "".join(painted)


def _piece(piece: str, start: int, end: int, frames: int) -> str:
    if end < frames:
        return f'<g data-f="{start}" data-t="{end}">{piece}</g>'
    return f'<g data-f="{start}">{piece}</g>' if start else piece


def controls() -> list[str]:
    """Return the buttons; they are there only with a script."""
    buttons = (
        ("first", "First", "Key: Home"),
        ("back", "Back", "Key: left arrow"),
        ("next", "Next", "Key: right arrow"),
        ("last", "Last", "Key: End"),
    )
    return [
        f'<nav class="steps" aria-label="{say("Steps through the game")}">',
        *(f'<button id="{name}" title="{key}">{text}</button>' for name, text, key in buttons),
        f'<input id="slider" type="range" min="0" value="0" aria-label="{say("Turn")}">',
        f'<button id="all" aria-pressed="false">{say("All turns")}</button>',
        "</nav>",
    ]


def article(anchor: str, heading: object, content: Iterable[str]) -> list[str]:
    """Return what is told of a frame; ``anchor`` names it in an address."""
    return [f'<article id="{anchor}">', f"<h3>{escaped(heading)}</h3>", *content, "</article>"]


class Axis(NamedTuple):
    """Where a frame of the game lies from left to right."""

    start: float
    step: float

    def at(self, frame: int) -> float:
        """Return the place of a frame, counted from 0."""
        return self.start + self.step * frame


def axis(frames: int, left: float, right: float) -> Axis:
    """Return the axis of a game of so many frames between two places."""
    return Axis(left, (right - left) / max(frames - 1, 1))


def figure(
    chart: Picture, across: Axis, top: float, bottom: float, summary: Sentence, table: Iterable[str]
) -> list[str]:
    """Return the chart of a game with its cursor, from top to bottom, and its numbers below."""
    cursor = (
        f'<path id="cursor" class="cursor" d="M{across.start:g} {top}V{bottom}" '
        f'data-start="{across.start:g}" data-step="{across.step:g}"/>'
    )
    return [
        '<figure class="chart">',
        inline(
            chart, chart.drawn() + cursor, say("Chart; the table below has its numbers"), "chart"
        ),
        "</figure>",
        f"<details><summary>{summary}</summary>",
        *table,
        "</details>",
    ]
