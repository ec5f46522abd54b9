"""The table as one picture: SVG that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.ui import phrases
from porto_cli.games.puerto_rico.ui.picture.panels import Panel, boards, table
from porto_cli.games.puerto_rico.ui.picture.shapes import WIDTH, definitions
from porto_cli.games.puerto_rico.ui.plain import plain
from porto_cli.term.svg import escaped, label

GAME = "Puerto Rico"
"""What a game without a title is called."""
GAP = 14
Columns = tuple[Sequence[Panel], Sequence[Panel]]
_FULL_WIDTH = 2 * WIDTH + 3 * GAP
_HEADING = ((44, "serif b", 32, 20), (74, "b", 19, 13), (98, "", 16, 13))
"""Where the lines of the heading stand, their style, their size and the smallest one."""


def svg(
    seen: Observation,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> str:
    """Return the table as a well-formed SVG document with a title and a description.

    It follows the light or dark colors that the reader prefers. ``last`` tells what happened
    last.
    """
    lines = [title or GAME, " ".join(map(str, phrases.situation(seen)))]
    if last:
        lines.append(" ".join(map(str, last)))
    top = _HEADING[len(lines) - 1][0] + 16
    placed, height = _placed(seen, top)
    told = plain(seen, title=title, fingerprint=fingerprint, last=last)
    heading = "".join(
        label(GAP, y, line, style, size, width=_FULL_WIDTH - 2 * GAP, smallest=smallest)
        for line, (y, style, size, smallest) in zip(lines, _HEADING, strict=False)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_FULL_WIDTH} {height}" '
        f'width="{_FULL_WIDTH}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(title or GAME)}</title>'
        f'<desc id="d">{escaped(" ".join(told))}</desc>{definitions()}'
        f'<rect class="paper" width="{_FULL_WIDTH}" height="{height}"/>{heading}{placed}</svg>\n'
    )


def _placed(seen: Observation, top: int) -> tuple[str, int]:
    """Return the panels in two columns, and where the longer one ends."""
    columns = _columns(*table(seen), boards(seen))
    drawn = ""
    for nth, column in enumerate(columns):
        y = top
        for panel in column:
            x = GAP + nth * (WIDTH + GAP)
            drawn += f'<g transform="translate({x} {y})">{panel.picture.drawn()}</g>'
            y += panel.picture.height + GAP
    return drawn, top + max(map(_height, columns))


def _columns(roles: Panel, harbor: Panel, market: Panel, players: Sequence[Panel]) -> Columns:
    """Return the shortest two columns: the table at the left, the first players at the right."""
    layouts = []
    for count in range(len(players), 0, -1):
        left, right = [roles, harbor, *players[count:]], [*players[:count]]
        layouts += [([*left, market], right), (left, [*right, market])]
    return min(layouts, key=lambda columns: max(map(_height, columns)))


def _height(column: Sequence[Panel]) -> int:
    return sum(panel.picture.height + GAP for panel in column)
