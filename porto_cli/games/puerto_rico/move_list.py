"""The legal moves as a list: what each brings, or what a move has to satisfy.

Placements, loads of the Small Wharf and payments with the Black Market can be far too many to be
listed. Beyond ``MOST`` the moves are described and counted instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import GOODS, NO_GOOD, NO_PLACE, PLACES
from porto_cli.games.puerto_rico.engine.moves import (
    SMALL_WHARF,
    Build,
    LoadSmallWharf,
    onto_name,
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    MAYOR_PHASE,
    State,
)
from porto_cli.games.puerto_rico.events import bundle_dict
from porto_cli.games.puerto_rico.options import MOST, note_of, option_of
from porto_cli.move_list import move_nodes
from porto_cli.paper.document import DIM, PLAIN, Flow, Heading, Node, Paragraph
from porto_cli.ui_values import MANY, Choice, MoveRow

_HEADINGS = {
    "draft": "Choose a building for the game",
    "role": "Take a role",
    "settler": "Take a tile",
    "library": "Take a second tile",
    "mayor": "Place all colonists",
    "builder": "Build",
    "craftsman": "Move a guest, or pass to produce",
    "privilege": "Take extra barrels",
    "trader": "Sell a barrel",
    "captain": "Load barrels",
    "store": "Store barrels",
}


def heading(state: State) -> str:
    """Return what the moves of a phase are about."""
    return _HEADINGS[state.phase]


def moves(state: State, document: Mapping[str, Any]) -> Iterator[Node]:
    """Yield the legal moves of the document of ``porto moves --format json`` as a list."""
    if state.phase == BUILDER_PHASE and document["count"]:
        yield from _builds(state)
    elif "moves" in document:
        yield from move_nodes(_rows(state, document["moves"]))
    elif state.phase == MAYOR_PHASE:
        yield from _placements(state, document)
    else:
        yield from _loads(state, document)


def _rows(state: State, moves: Iterable[Mapping[str, Any]]) -> list[MoveRow]:
    notes = [(move["move"], note_of(move)) for move in sorted(moves, key=_is_secondary)]
    return [
        MoveRow([(move, PLAIN)], heading(state), note=[(note, DIM)] if note else ())
        for move, note in notes
    ]


def _is_secondary(move: Mapping[str, Any]) -> bool:
    """Return whether a move is at the end of the list: passing, and guests."""
    return move["kind"] in ("pass", "guest")


def _placements(state: State, document: Mapping[str, Any]) -> Iterator[Node]:
    """PR-MAYOR-3 to PR-MAYOR-5: what a placement is made of."""
    player = state.players[state.seat]
    people, room = document["colonists"], sum(document["circles"].values())
    if document["fewest"] < min(people, room):
        rule = "Any number of them may stay in San Juan."
    elif people > room:
        rule = f"Every circle is filled, and {people - room} stay in San Juan."
    else:
        rule = "Every colonist has to be placed."
    yield Heading(heading(state))
    yield Paragraph(
        [
            f"{state.config.players[state.seat]} has {phrases.colonists(people)} for {room} "
            f"circles: {document['count']:,} placements are legal.",
            rule,
            "The circles, and how many colonists are there now:",
        ]
    )
    now = [
        f"{place} {circles} ({player.colonists[PLACES.index(place)]})"
        for place, circles in document["circles"].items()
    ]
    yield Flow([[each] for each in now], gap=3, first=["  "], indent=2)


def _loads(state: State, document: Mapping[str, Any]) -> Iterator[Node]:
    """Yield all loads but those of the Small Wharf, and what one of these is made of."""
    few = [move for move in legal_moves(state, limit=MOST) if not isinstance(move, LoadSmallWharf)]
    yield from move_nodes(_rows(state, [option_of(state, move).json() for move in few]))
    goods = ", ".join(f"{number} {good}" for good, number in document["goods"].items())
    yield Paragraph(
        [
            "By the small wharf, any of these barrels, at least one, for 1 VP each two; "
            f"{document['count']:,} moves are legal: {goods}."
        ]
    )


def _builds(state: State) -> Iterator[Node]:
    """Yield what can be paid with doubloons, then for each other building what can be returned."""
    legal = legal_moves(state)
    paid: dict[int, list[Build]] = {}
    for move in legal:
        if isinstance(move, Build) and move.returned:
            paid.setdefault(move.building, []).append(move)
    simple = [move for move in legal if not (isinstance(move, Build) and move.returned)]
    yield from move_nodes(_rows(state, [option_of(state, move).json() for move in simple]))
    yield from move_nodes(
        MoveRow(
            [(f"build {PLACES[building]} return …", PLAIN)],
            "Build, and return at most one barrel, one VP chip and one colonist",
            note=[(f"{builds[0].returned} of: {'; '.join(_returnable(builds))}", DIM)],
        )
        for building, builds in sorted(paid.items())
    )


def _returnable(builds: Sequence[Build]) -> list[str]:
    """Return what the builds return, in the words of the notation."""
    goods = sorted({build.good for build in builds} - {NO_GOOD})
    homes = sorted({build.colonist for build in builds} - {NO_PLACE})
    returnable = [", ".join(GOODS[good] for good in goods)]
    returnable += ["vp"] if any(build.vp for build in builds) else []
    returnable += [f"colonist {', '.join(map(place_name, homes))}"] if homes else []
    return [*filter(None, returnable)]


def choices(state: State, seat: int, *, private: bool) -> list[Choice]:
    """Return all legal moves of a seat, see :meth:`porto_cli.ui.Ui.choices`.

    Placements, and what a Small Wharf loads, can be millions.
    """
    if seat != state.seat:
        return []
    player = state.players[seat]
    if state.phase == MAYOR_PHASE:
        fewest, most = fewest_and_most(state, player)
        circles, now = (bundle_dict(each, PLACES) for each in (player.circles, player.colonists))
        return [Choice(f"place {MANY}", "", circles, fewest, most, now)]
    legal = legal_moves(state, seat, MOST if state.phase == CAPTAIN_PHASE else None)
    listed = [move for move in legal if not isinstance(move, LoadSmallWharf)]
    options = [
        option_of(state, move)
        for move in listed
        # Whoever can return a VP chip has one.
        if private or not (isinstance(move, Build) and move.vp)
    ]
    options.sort(key=lambda one: (_is_secondary(one.json()), -one.vp, -one.doubloons))
    offered = [Choice(option.move, note_of(option.json())) for option in options]
    if len(listed) < len(legal):
        wharf = f"load {MANY} {onto_name(SMALL_WHARF)}"
        goods = bundle_dict(player.goods, GOODS)
        offered.append(Choice(wharf, "1 VP for each two barrels", goods, 1, sum(player.goods)))
    return offered
