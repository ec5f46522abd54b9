"""The standings as text, and after the end the reckoning house by house."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.events import SOURCES
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.scoring import Reckoned, Standing, Standings
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, cut, padded, wrapped

_COLUMNS = ("floors", "neighbors", "ground", "roof", "public", "private")
_WIDTH = 4 + sum(len(column) + 1 for column in (*_COLUMNS, "total"))
"""Columns of the table without names, with a blank between the others."""
_SHORTEST_NAME = 5
"""Columns of the names for which the table is worth having."""
_INDENT = 7


def score_text(standings: Standings, width: int, *, plain: bool = False) -> list[Line]:
    """Return the standings as lines, the first place first; ``plain`` is without a table."""
    lines: list[Line] = []
    if plain or width < _WIDTH + _SHORTEST_NAME:
        for player in standings.players:
            lines += wrapped(str(_standing(player)), width)
    else:
        lines += _table(standings, width)
        note = say("Ground and roof are VP tokens, public and private are contracts.")
        lines += wrapped(str(note), width, style=DIM)
    for tie in standings.tie_breaks:
        lines += wrapped(str(phrases.tie_break(tie)), width)
    for name in standings.given_up:
        lines += wrapped(str(phrases.given_up(name)), width)
    if standings.level:
        lines += wrapped(str(phrases.level(standings)), width, style=BOLD)
    for player in standings.players:
        if player.private:
            lines += [[], *_private(player, standings, width)]
    return lines


def _standing(player: Standing) -> Sentence:
    sources = dict(zip(SOURCES, player.sources, strict=True))
    return say(
        "{place}. {player}, {vp} VP: {sources}.",
        place=player.place,
        player=player.name,
        vp=player.score,
        sources=", ".join(f"{phrases.SOURCES[source]} {vp}" for source, vp in sources.items()),
    )


def _table(standings: Standings, width: int) -> list[Line]:
    name = min(width - _WIDTH, max(cells(player.name) for player in standings.players))
    gap = 2 if _WIDTH + name + len((*_COLUMNS, "total")) <= width else 1
    heads = [" " * gap + column for column in (*_COLUMNS, "total")]
    lines: list[Line] = [[(" " * (4 + name), PLAIN), ("".join(heads), DIM)]]
    for player in standings.players:
        values = (*player.sources, player.score)
        row = [f"{value:>{len(head)}}" for value, head in zip(values, heads, strict=True)]
        place: Line = [(f"{player.place:2}. ", PLAIN), (cut(player.name, name), BOLD)]
        lines.append([*padded(place, 4 + name), ("".join(row[:-1]), PLAIN), (row[-1], BOLD)])
    return lines


def _private(player: Standing, standings: Standings, width: int) -> list[Line]:
    total = sum(contract.vp for contract in player.private or ())
    facts: dict[str, object] = {"player": player.name, "vp": total}
    if standings.private_counted:
        heading = say("Private contracts of {player}: {vp} VP", **facts)
    elif standings.over:
        heading = say("Private contracts of {player}, which do not count after a loss", **facts)
    else:
        heading = say("Private contracts of {player}, {vp} VP as the table stands", **facts)
    lines: list[Line] = [[(str(heading), BOLD)]]
    for contract in player.private or ():
        lines += _contract(contract, width)
    return lines


def _contract(contract: Reckoned, width: int) -> list[Line]:
    meaning = phrases.private_contract(contract.contract, contract.scale)
    first: Line = [(f"{contract.vp:3} VP ", BOLD), (f"{contract.contract}: ", BOLD)]
    blank: Line = [(" " * _INDENT, PLAIN)]
    counted = " ".join(map(str, phrases.reckoning(contract)))
    return [
        *wrapped(str(meaning), width, first=first, indent=_INDENT, style=DIM),
        *wrapped(counted, width, first=blank, indent=_INDENT),
    ]
