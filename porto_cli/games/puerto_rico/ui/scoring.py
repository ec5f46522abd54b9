"""The standings: where the VP of each player come from, as far as the asking seat may know.

Before the end it is what would count if the game ended now. Then the VP chips of others are secret
(PR-SECRET-1), and so is what follows from them: the Customs House, the total and the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    Chunk,
    Document,
    Grid,
    Paragraph,
    Text,
)


class Standing(NamedTuple):
    """What a player has; ``None`` is what the asking seat may not know.

    ``chips``      VP chips
    ``buildings``  the printed VP of all buildings
    ``bonuses``    the VP of each occupied large building, by its name
    ``total``      all of it
    ``tie_break``  doubloons and barrels
    ``place``      1 is the first place; ``None`` before the end
    """

    name: str
    chips: int | None
    buildings: int
    bonuses: tuple[tuple[str, int | None], ...]
    total: int | None
    tie_break: int
    place: int | None


class Standings(NamedTuple):
    """All players: after the end from the first place to the last, before it in seat order."""

    over: bool
    players: tuple[Standing, ...]

    @property
    def large(self) -> list[str]:
        """The large buildings that count for any player, in the order of the rules."""
        found = {name for player in self.players for name, _ in player.bonuses}
        return [name for name in PLACES if name in found]

    @property
    def ties(self) -> list[tuple[Standing, Standing]]:
        """Players with the same VP, two neighbors in the ranking at a time (PR-RANK-1)."""
        if not self.over:
            return []
        return [(one, other) for one, other in pairwise(self.players) if one.total == other.total]


def standings(seen: dict[str, Any]) -> Standings:
    """Return the standings as the seat that looks may see them (PR-SCORE-1 to PR-RANK-1)."""
    so_far = {player["name"]: player["score"] for player in seen["players"]}
    over = seen["result"] is not None
    scores = (seen["result"] if over else so_far).items()
    return Standings(over, tuple(_standing(name, score) for name, score in scores))


def _standing(name: str, score: dict[str, Any]) -> Standing:
    return Standing(
        name=name,
        chips=score["chips"],
        buildings=score["buildings"],
        bonuses=tuple((place, score[place]) for place in PLACES if place in score),
        total=score["total"],
        tie_break=score["tie-break"],
        place=score["place"],
    )


# -- as a document

_NARROWEST = 5
"""Columns of a player, whose VP have three digits at most."""


def score(standings: Standings) -> Document:
    """Return a column for each player and a row for each source of VP."""
    players = standings.players
    bonuses = [dict(player.bonuses) for player in players]
    rows = [
        _row(say("VP chips"), [_shown(player.chips) for player in players]),
        _row(say("buildings"), [str(player.buildings) for player in players]),
        *(
            _row(name, [_shown(each[name]) if name in each else "" for each in bonuses])
            for name in standings.large
        ),
        _row(say("total"), [_shown(player.total) for player in players], BOLD),
        _row(say("tie-break"), [str(player.tie_break) for player in players], DIM),
    ]
    if standings.over:
        rows.append(_row(say("place"), [_shown(player.place) for player in players]))
    grid = Grid(
        heads=["", *((player.name, BOLD) for player in players)],
        rows=rows,
        numbers=range(1, 1 + len(players)),
        spoken=[_sentence(player) for player in players],
        least=[_NARROWEST] * len(players),
    )
    return Document("", [grid, *(Paragraph([note], DIM) for note in _notes(standings))])


def _row(head: Text, numbers: Sequence[str], style: str = PLAIN) -> list[Chunk]:
    return [[(head, style or DIM)], *([(number, style)] for number in numbers)]


def _shown(number: int | None) -> str:
    return "?" if number is None else str(number)


def _notes(standings: Standings) -> list[Sentence]:
    """Return what the numbers do not show: how ties are broken, and what is secret."""
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
        known = [player.chips is not None for player in standings.players]
        if not all(known):
            found.append(
                say(
                    "The VP chips of others are secret until the game is over; a ? stands for them "
                    "and for what depends on them."
                )
            )
        if not any(known):
            found.append(say("'porto score' shows your own with --as."))
    return found


def _sentence(player: Standing) -> Sentence:
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
                    str(say("{building} {vp}", building=name, vp=_shown(vp)))
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
