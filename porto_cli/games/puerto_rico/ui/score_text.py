"""The reckoning as text: one column for each player, one row for each source of VP."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.ui.scoring import Standing, Standings
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, cells, padded, wrapped

UNKNOWN = "?"
_GAP = 2
_NARROWEST = 5
"""Columns of a player, whose VP have three digits at most."""


def score_text(standings: Standings, width: int, *, plain: bool = False) -> list[Line]:
    """Return the reckoning as lines; ``plain`` is without a table."""
    columns = _columns(standings)
    lines: list[Line] = []
    if plain or sum(columns) > width:
        for player in standings.players:
            lines += wrapped(str(standing_sentence(player)), width)
    else:
        lines += _table(standings, columns)
    for sentence in notes(standings):
        lines += wrapped(str(sentence), width, style=DIM)
    return lines


def notes(standings: Standings) -> list[Sentence]:
    """Return what there is to say besides the numbers: ties, and what nobody may know yet."""
    found = []
    for one, other in standings.ties:
        facts: dict[str, object] = {
            "one": one.name,
            "other": other.name,
            "vp": one.total,
            "more": one.tie_break,
            "fewer": other.tie_break,
        }
        if one.place == other.place:
            text = (
                "{one} and {other} share the place: both have {vp} VP, and as many doubloons and "
                "barrels."
            )
        else:
            text = (
                "{one} and {other} both have {vp} VP; {one} has more doubloons and barrels: "
                "{more} against {fewer}."
            )
        found.append(say(text, **facts))
    if not standings.over:
        found.append(say("This is what would count if the game ended now."))
        if any(player.chips is None for player in standings.players):
            found.append(say("The VP chips of others are secret until the game is over."))
    return found


def _known(number: int | None) -> str:
    return UNKNOWN if number is None else str(number)


def rows(standings: Standings) -> list[tuple[str, list[str]]]:
    """Return the heading of each row with the number of each player."""
    players = standings.players
    found = [
        (str(say("VP chips")), [_known(player.chips) for player in players]),
        (str(say("buildings")), [str(player.buildings) for player in players]),
    ]
    for name in standings.large:
        bonuses = [dict(player.bonuses) for player in players]
        found.append((name, [_known(each[name]) if name in each else "" for each in bonuses]))
    found.append((str(say("total")), [_known(player.total) for player in players]))
    found.append((str(say("tie-break")), [str(player.tie_break) for player in players]))
    if standings.over:
        found.append((str(say("place")), [_known(player.place) for player in players]))
    return found


def _columns(standings: Standings) -> list[int]:
    """Return the columns of the headings and of each player."""
    return [
        max(cells(heading) for heading, _ in rows(standings)),
        *(_GAP + max(_NARROWEST, cells(player.name)) for player in standings.players),
    ]


def _table(standings: Standings, columns: list[int]) -> list[Line]:
    first, *others = columns
    head: Line = padded([], first)
    for player, width in zip(standings.players, others, strict=True):
        head += [(" " * (width - cells(player.name)), PLAIN), (player.name, BOLD)]
    lines = [head]
    total, tie_break = str(say("total")), str(say("tie-break"))
    for heading, numbers in rows(standings):
        style = BOLD if heading == total else DIM if heading == tie_break else PLAIN
        row = padded([(heading, style or DIM)], first)
        row += [
            (f"{number:>{width}}", style) for number, width in zip(numbers, others, strict=True)
        ]
        lines.append(row)
    return lines


def standing_sentence(player: Standing) -> Sentence:
    """Return what a player has and where it comes from."""
    facts: dict[str, object] = {
        "place": player.place,
        "player": player.name,
        "vp": player.total,
        "chips": player.chips,
        "rest": ", ".join(
            [
                str(say("buildings {vp}", vp=player.buildings)),
                *(
                    str(say("{building} {vp}", building=name, vp=_known(vp)))
                    for name, vp in player.bonuses
                ),
                str(say("tie-break {number}", number=player.tie_break)),
            ]
        ),
    }
    if player.chips is None:
        return say("{player}: {rest}; the VP chips are secret.", **facts)
    if player.place is None:
        return say("{player}, {vp} VP: chips {chips}, {rest}.", **facts)
    return say("{place}. {player}, {vp} VP: chips {chips}, {rest}.", **facts)
