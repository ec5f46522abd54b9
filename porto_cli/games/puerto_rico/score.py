"""The standings: where the VP of each player come from, as far as the asking seat may know.

Before the end it is what would count if the game ended now. Then the VP chips of others are secret
(PR-SECRET-1), and so is what follows from them: the Customs House, the total and the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.paper import BOLD, DIM, PLAIN, Chunk, Grid, Node, Paragraph

Standing = Mapping[str, Any]
"""A player of the standings."""


def standings(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the standings of a view, as ``porto score --format json`` has them: after the end the
    first place first, before it in seat order. ``None`` is what the seat may not know.
    """
    scores = seen["result"] or {player["name"]: player["score"] for player in seen["players"]}
    return {
        "over": seen["result"] is not None,
        "players": [{"name": name, **score} for name, score in scores.items()],
    }


def score_rows(standings: Mapping[str, Any]) -> Iterator[Node]:
    """Yield a column for each player and a row for each source of VP, and what they do not show."""
    players = standings["players"]
    rows = [
        ("VP chips", "chips", PLAIN),
        ("buildings", "buildings", PLAIN),
        *((name, name, PLAIN) for name in PLACES if any(name in player for player in players)),
        ("total", "total", BOLD),
        ("tie-break", "tie-break", DIM),
        *([("place", "place", PLAIN)] if standings["over"] else []),
    ]
    yield Grid(
        heads=["", *((player["name"], BOLD) for player in players)],
        rows=[_row(head, key, style, players) for head, key, style in rows],
        numbers=range(1, 1 + len(players)),
        spoken=[_sentence(player) for player in players],
    )
    notes = _ties(players) if standings["over"] else _unknown(players)
    for note in notes:
        yield Paragraph([note], DIM)


def _row(head: str, key: str, style: str, players: Sequence[Standing]) -> list[Chunk]:
    numbers = [_shown(player[key]) if key in player else "" for player in players]
    return [[(head, style or DIM)], *([(number, style)] for number in numbers)]


def _shown(number: int | None) -> str:
    return "?" if number is None else str(number)


def _ties(players: Sequence[Standing]) -> Iterator[str]:
    """Yield how ties were broken (PR-RANK-1)."""
    for one, other in pairwise(players):
        if one["total"] != other["total"]:
            continue
        both = f"{one['name']} and {other['name']}"
        if one["place"] == other["place"]:
            yield (
                f"{both} share the place: both have {one['total']} VP, and as many doubloons and "
                "barrels."
            )
        else:
            yield (
                f"{both} both have {one['total']} VP; {one['name']} has more doubloons and "
                f"barrels: {one['tie-break']} against {other['tie-break']}."
            )


def _unknown(players: Sequence[Standing]) -> Iterator[str]:
    """Yield what the numbers of a running game mean, and what is secret."""
    yield "This is what would count if the game ended now."
    known = [player["chips"] is not None for player in players]
    if not all(known):
        yield (
            "The VP chips of others are secret until the game is over; a ? stands for them and for "
            "what depends on them."
        )
    if not any(known):
        yield "'porto score' shows your own with --as."


def _sentence(player: Standing) -> str:
    """Return what a player has and where it comes from."""
    parts = {
        "buildings": player["buildings"],
        **{name: vp for name, vp in player.items() if name in PLACES},
        "tie-break": player["tie-break"],
    }
    rest = ", ".join(f"{name} {_shown(number)}" for name, number in parts.items())
    name, place = player["name"], player["place"]
    if player["chips"] is None:
        return f"{name}: {rest}; the VP chips are secret."
    number = "" if place is None else f"{place}. "
    return f"{number}{name}, {player['total']} VP: chips {player['chips']}, {rest}."
