"""The table as one picture: SVG that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.ui.picture.panels import Panel, boards, table
from porto_cli.games.puerto_rico.ui.picture.shapes import WIDTH, definitions
from porto_cli.games.puerto_rico.ui.plain import plain
from porto_cli.term.svg import escaped, label, width_of

GAME = "Puerto Rico"
"""What a game without a title is called."""
GAP = 14
Columns = tuple[Sequence[Panel], Sequence[Panel]]
_FULL_WIDTH = 2 * WIDTH + 3 * GAP
_TITLE_Y, _LINE = 44, 26
_MOST = 3
"""Lines of the heading that a text may take; the description has all of it."""


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
    heading, top = _heading(seen, title or GAME, last)
    placed, height = _placed(seen, top)
    told = plain(seen, title=title, fingerprint=fingerprint, last=last)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_FULL_WIDTH} {height}" '
        f'width="{_FULL_WIDTH}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(title or GAME)}</title>'
        f'<desc id="d">{escaped(" ".join(told))}</desc>{definitions()}'
        f'<rect class="paper" width="{_FULL_WIDTH}" height="{height}"/>{heading}{placed}</svg>\n'
    )


def _heading(seen: Observation, title: str, last: Sequence[Sentence]) -> tuple[str, int]:
    """Return title, situation and what happened last, and where what follows can begin."""
    room = _FULL_WIDTH - 2 * GAP
    drawn = label(GAP, _TITLE_Y, title, "serif b", 32, width=room, smallest=20)
    y = _TITLE_Y + 4
    for sentences, style, size in ((phrases.situation(seen), "b", 19), (last, "", 16)):
        for line in _lines(" ".join(map(str, sentences)), size, room):
            y += _LINE
            drawn += label(GAP, y, line, style, size, width=room, smallest=size * 0.9)
    return drawn, y + 16


def _lines(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines; what is too much for them stays in the last one, to be cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == _MOST or width_of(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


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
