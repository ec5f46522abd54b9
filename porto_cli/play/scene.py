"""The table as it stands above a question: as much of it as fits into the rows that are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from porto_cli.play.asking import Above
from porto_cli.play.labels import chip
from porto_cli.render import houses, words
from porto_cli.render.houses import Size
from porto_cli.render.palette import PAINTS
from porto_cli.render.screen import Screen
from porto_cli.render.spans import BOLD, DIM, PLAIN, Line, flow, width_of, wrapped
from porto_cli.render.text import text
from porto_cli.rules.sentence import Sentence, say
from porto_cli.view.table import LATER, NEVER, NOW, House, Table

MARGIN = 1
HEAD = 11
"""Columns of the headings at the left."""
CELLS = (14, 12, 10, 8)
"""Columns that a house can be drawn in, the widest first."""
_MARKS = {NOW: ("●", "*"), LATER: ("○", "o"), NEVER: ("×", "x")}


def scene(above: Above, screen: Screen, rows: int, most: int) -> list[Line]:
    """Return the whole table if it fits into the rows, else less of it, with what happened.

    The least that there is may take ``most`` rows; what does not fit even then is left out.
    """
    width = screen.width - 2 * MARGIN
    table = above.table
    if table is None:
        return _with_margin(line for told in above.news for line in wrapped(str(told), width))
    told = _news(above.news, width)
    whole = [*text(table._replace(last=None), screen), *_with_margin(told)]
    if len(whole) <= rows:
        return whole
    situation = [*words.situation(table)[:1], *_ending(table)]
    heading = wrapped(" ".join(map(str, situation)), width, style=BOLD)
    street = _street(table, width, screen.ascii)
    brief = [*_brief(table, width, screen.ascii), *told]
    if not street or len(heading) + len(street) + len(brief) > rows:
        street = _listed(table, width)
    return _with_margin([*heading, *street, *brief])[:most]


def _with_margin(lines: Iterable[Line]) -> list[Line]:
    return [[(" " * MARGIN, PLAIN), *line] if line else [] for line in lines]


def _news(news: Sequence[Sentence], width: int) -> list[Line]:
    """Tell what has happened, the latest at the end."""
    told = " ".join(map(str, news))
    return wrapped(told, width, first=_head(say("News")), indent=HEAD) if told else []


def _street(table: Table, width: int, ascii_only: bool) -> list[Line]:
    """Draw both sides of the street beside each other if there is room, else one below."""
    most = max(len(side) for side in table.sides)
    for cell in CELLS:
        if cell * most <= width:
            left, right = (houses.fronts(side, Size(cell, 1), ascii_only) for side in table.sides)
            return [*left, *right]
    return []


def _listed(table: Table, width: int) -> list[Line]:
    """List the houses in words, each side on a line of its own if it fits."""
    lines: list[Line] = []
    for label, side in zip((say("Left"), say("Right")), table.sides, strict=True):
        lines += _block(label, ([*_house(house)] for house in side), width, gap=2)
    return lines


def _house(house: House) -> Line:
    line: Line = [(house.name, BOLD)]
    count = f" {house.floors}/{house.height} "
    if house.color:
        line.append((f" {PAINTS[house.color].letter}{count}", f"card:{house.color}"))
    else:
        line.append((count, PLAIN))
    if house.ground_token:
        line.append((f"({house.ground_token})", "token"))
    if house.roof_token:
        line.append((f"^({house.roof_token})", "token"))
    return line


def _brief(table: Table, width: int, ascii_only: bool) -> list[Line]:
    """Return everything but the houses in few lines."""
    lines = _block(say("Cards"), _cards(table), width, gap=2)
    lines += _block(say("Contracts"), _contracts(table, ascii_only), width, gap=2)
    lines += _block(say("Players"), _players(table, width - HEAD), width, gap=2)
    return lines + _private(table, width)


def _block(label: Sentence, chunks: Iterable[Line], width: int, gap: int = 1) -> list[Line]:
    return flow(chunks, width, first=_head(label), indent=HEAD, gap=gap)


def _head(label: Sentence) -> Line:
    return [(f"{label!s:{HEAD}}", BOLD)]


def _cards(table: Table) -> list[Line]:
    return [
        [(f"{space} ", DIM), chip(card) if card else (str(say("empty")), DIM)]
        for space, card in enumerate(table.cards, start=1)
    ]


def _contracts(table: Table, ascii_only: bool) -> list[Line]:
    return [
        [
            (f"{_MARKS[one.chance][ascii_only]} ", one.chance if one.chance == NOW else PLAIN),
            (one.name, DIM if one.chance == NEVER else PLAIN),
            (f" {one.vp}", PLAIN),
        ]
        for one in table.contracts
        if one
    ]


def _players(table: Table, room: int) -> Iterator[Line]:
    """Return each player with score and hand, in pieces only if the hand needs several lines."""
    for player in table.players:
        score = say("{player} {vp} VP", player=player.name, vp=player.score)
        style = BOLD if player.name in table.to_move else PLAIN
        pieces: list[Line] = [[(str(score), style)], *([chip(card)] for card in player.hand)]
        whole = [span for piece in pieces for span in (*piece, (" ", PLAIN))]
        if width_of(whole) <= room:
            yield whole
        else:
            yield from pieces


def _ending(table: Table) -> list[Sentence]:
    """Say how far it is to the end; of a solo game the number of the turn says it."""
    if table.last_round is not None:
        return [say("The game ends after round {round}.", round=table.last_round)]
    if table.roofs_to_end is None:
        return []
    return [say("Roofs to go: {left}.", left=table.roofs_to_end - table.roofs)]


def _private(table: Table, width: int) -> list[Line]:
    """Name the private contracts; those that have to be chosen from are choices by themselves."""
    lines: list[Line] = []
    for player in table.players:
        if player.private and not player.choosing:
            chunks: list[Line] = []
            for one in player.private:
                chunks += [[(one.name, PLAIN)], [(str(words.worth_now(one)), DIM)]]
            lines += _block(say("Private"), chunks, width)
    return lines
