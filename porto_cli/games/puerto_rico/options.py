"""The legal moves as ``porto moves --format json`` has them, and what a bot may see and do.

Placements, loads of the Small Wharf and payments with the Black Market can be far too many to be
listed: beyond :data:`MOST` it is said what a move has to satisfy. The moves are those of the player
to move, and are meant for that player only: they reveal whether there is a VP chip to return, but
not how many chips there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    GOODS,
    NO_GOOD,
    PLACES,
    QUARRY,
    TILES,
)
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Build,
    Built,
    Event,
    Load,
    Loaded,
    LoadSmallWharf,
    Move,
    Produced,
    Sold,
    Stored,
    Take,
    TookGoods,
    gains_of,
    named,
    onto_name,
)
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most, nearest_placement
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    MAYOR_PHASE,
    PRIVILEGE_PHASE,
    State,
)
from porto_cli.games.puerto_rico.events import bundle_dict, facts_json, returned_json
from porto_cli.games.puerto_rico.phrases import total

MOST = 200
"""Moves that are listed; of more of them it is said what they are made of."""


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them; where there are
    too many, what a move has to satisfy: numbers and bundles by name.
    """
    count = count_moves(state, seat)
    if count > MOST:
        return {"count": count, **_demands(state)}
    return {"count": count, "moves": [facts(state, move) for move in legal_moves(state, seat)]}


def facts(state: State, move: Move) -> dict[str, Any]:
    """Return a legal move and what it brings the player who makes it.

    ``move``       the move in the notation
    ``kind``       its verb, like ``load``
    …              its parts by name, as in the events
    ``scores``     VP with their reasons
    ``earns``      doubloons with their reasons; what is paid is negative
    ``vp``         all VP at once: chips, and those printed on a building
    ``doubloons``  all doubloons at once; less than 0 if it costs more than it earns
    ``barrels``    barrels that come to the player, by their goods; those that go are negative

    What follows by itself, and what others get, is no part of it. The engine is asked what a move
    brings. What would come up by it is never looked at.
    """
    _, events = apply(state, move, lambda stream, index, pile: 0)
    own = [
        event for event in events if not event.auto and getattr(event, "seat", None) == state.seat
    ]
    scores, earns = gains_of(own)
    text = str(move)
    return {
        "move": text,
        "kind": text.partition(" ")[0],
        **_fields(state, move, own),
        "scores": [list(gain) for gain in scores],
        "earns": [list(gain) for gain in earns],
        "vp": total(scores) + (BUILDING_VP[move.building] if isinstance(move, Build) else 0),
        "doubloons": total(earns),
        "barrels": _barrels(own),
    }


def observe(state: State, seat: int | None) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do (PR-SECRET-1).

    It is the :func:`~porto_cli.games.puerto_rico.view.view` with ``count``, how many legal moves
    the seat has, and ``moves``, each as ``porto moves --format json`` writes it: the one that
    scores most first, of those the one that earns most, then by barrels. Where there are very many
    of them, as for colonists, they are some.
    """
    from porto_cli.games.puerto_rico.view import view

    moves = [] if seat is None else [facts(state, move) for move in _listed(state, seat)]
    moves.sort(key=lambda one: (-one["vp"], -one["doubloons"], -sum(one["barrels"].values())))
    return {
        **view(state, seat),
        "count": 0 if seat is None else count_moves(state, seat),
        "moves": moves,
    }


def _listed(state: State, seat: int) -> list[Move]:
    """Return the legal moves, or some; of placements first the one that leaves everybody there."""
    moves = legal_moves(state, seat, MOST)
    if state.phase != MAYOR_PHASE or not moves:
        return moves
    first = nearest_placement(state)
    return [first, *(move for move in moves if move != first)][:MOST]


def _barrels(events: Iterable[Event]) -> dict[str, int]:
    """Return the barrels that come to a player, less those that go."""
    found: Counter[int] = Counter()
    for event in events:
        match event:
            case Produced(goods=goods) | TookGoods(goods=goods):
                found.update(dict(enumerate(goods)))
            case Loaded(goods=goods) | Stored(returned=goods):
                found.subtract(dict(enumerate(goods)))
            case Sold(good=good) | Built(good=good):
                found[good] -= 1
    return {GOODS[good]: found[good] for good in range(len(GOODS)) if found[good]}


def _fields(state: State, move: Move, events: Iterable[Event]) -> dict[str, Any]:
    match move:
        case Take(what, second) if state.phase == PRIVILEGE_PHASE:
            return {"goods": {GOODS[good]: 1 for good in (what, second) if good != NO_GOOD}}
        case Take(what, _, forest, no_colonist):
            tile = "face-down" if what == FACE_DOWN else TILES[what]
            source = {QUARRY: "quarries", FACE_DOWN: "stack"}.get(what, "row")
            return {"tile": tile, "from": source, "forest": forest, "no_colonist": no_colonist}
        case Build(building, good, vp, colonist, no_colonist):
            return {
                "building": PLACES[building],
                "price": price(state, state.seat, building),
                "returned": returned_json(good, vp, colonist),
                "no_colonist": no_colonist,
            }
        case Load() | LoadSmallWharf():
            loaded = next(event for event in events if isinstance(event, Loaded))
            return {"goods": bundle_dict(loaded.goods, GOODS), "onto": onto_name(loaded.onto)}
    return facts_json(named(move._asdict()))


def _demands(state: State) -> dict[str, Any]:
    player = state.players[state.seat]
    if state.phase == MAYOR_PHASE:
        fewest, _ = fewest_and_most(state, player)
        return {
            "colonists": player.people,
            "fewest": fewest,
            "circles": bundle_dict(player.circles, PLACES),
        }
    if state.phase == CAPTAIN_PHASE:
        return {"goods": bundle_dict(player.goods, GOODS)}
    builds = [move for move in legal_moves(state) if isinstance(move, Build)]
    return {
        "doubloons": player.doubloons,
        "prices": {
            PLACES[building]: price(state, state.seat, building)
            for building in dict.fromkeys(build.building for build in builds)
        },
        "goods": bundle_dict(player.goods, GOODS),
        "vp": player.vp > 0,
        "colonists": {
            **bundle_dict(player.colonists, PLACES),
            **({"san-juan": player.san_juan} if player.san_juan else {}),
        },
    }
