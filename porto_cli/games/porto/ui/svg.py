"""The table as one picture: SVG that needs nothing from elsewhere."""

from __future__ import annotations

from porto_cli.games.porto.table import Table
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.picture.board import board
from porto_cli.games.porto.ui.picture.scene import scene
from porto_cli.games.porto.ui.picture.shapes import definitions
from porto_cli.games.porto.ui.plain import plain
from porto_cli.games.porto.ui.scoring import Standings
from porto_cli.term.svg import escaped


def svg(table: Table, standings: Standings) -> str:
    """Return the table as a well-formed SVG document with a title and a description.

    It follows the light or dark colors that the reader prefers. ``standings`` are those of the
    same table and the same seat.
    """
    above, below = scene(table, heading=_heading(table, standings)), board(table)
    scale = above.width / below.width
    height = above.height + round(below.height * scale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {above.width} {height}" '
        f'width="{above.width}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(table.title or phrases.GAME)}</title>'
        f'<desc id="d">{escaped(" ".join(plain(table)))}</desc>'
        f"{definitions()}{above.drawn()}"
        f'<g transform="translate(0 {above.height}) scale({scale:.4f})">{below.drawn()}</g></svg>\n'
    )


def _heading(table: Table, standings: Standings) -> list[str]:
    """Return title, situation, and the last turn in the notation: its sentences are too long."""
    sentences = phrases.whose_turn(table)
    if standings.over:
        sentences.append(phrases.outcome(standings))
    lines = [table.title or phrases.GAME, " ".join(map(str, sentences))]
    if table.last:
        lines.append(str(phrases.in_short(table.last)))
    return lines
