"""The parts that the pages of Puerto Rico share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porto_cli.core.message import say
from porto_cli.games.puerto_rico.ui.picture.panels import Panel
from porto_cli.games.puerto_rico.ui.picture.shapes import colors, definitions
from porto_cli.games.puerto_rico.ui.score_text import notes, rows
from porto_cli.games.puerto_rico.ui.scoring import Standings
from porto_cli.term.page import inline, row
from porto_cli.term.svg import Picture, escaped


def style(*names: str) -> str:
    """Return the style of these pages, and that of files with these names besides it."""
    folder = Path(__file__).parent
    return "".join((folder / name).read_text("utf-8") for name in ("pages.css", *names))


def shapes() -> str:
    """Return the shapes that the pictures of a page use."""
    return (
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"{definitions()}</svg>"
    )


def pictures(panels: Iterable[Panel], painted: Iterable[tuple[Picture, str]]) -> list[str]:
    """Return panels of a page; ``painted`` has for each of them its size and its pieces."""
    drawn = [inline(*picture, panel.name) for panel, picture in zip(panels, painted, strict=True)]
    return ['<figure class="pictures">', *drawn, "</figure>"]


def swatch(place: int, text: object) -> str:
    """Return a word on the color of its good: in a mail without pictures it is still a tile."""
    ink, ground = colors(place)
    return f'<span class="swatch" style="background:{ground};color:{ink}">{escaped(text)}</span>'


def reckoning(standings: Standings) -> list[str]:
    """Return the reckoning as a table: a column for each player, a row for each source of VP."""
    heads = ['<th scope="col"></th>'] + [
        f'<th scope="col" class="n">{escaped(player.name)}</th>' for player in standings.players
    ]
    total = str(say("total"))
    lines = [
        row(
            f'<th scope="row">{escaped(heading)}</th>',
            *(
                f'<td class="n">{"<b>" if heading == total else ""}{number}'
                f"{'</b>' if heading == total else ''}</td>"
                for number in numbers
            ),
        )
        for heading, numbers in rows(standings)
    ]
    return [
        '<div class="wide"><table>',
        row(*heads),
        *lines,
        "</table></div>",
        *(f'<p class="soft">{escaped(note)}</p>' for note in notes(standings)),
    ]
