"""The legal moves and what each brings: what menus, lists and bots offer.

Placements, loads of the Small Wharf and payments with the Black Market can be far too many to be
listed. The moves are those of the player to move, and are meant for that player only: they reveal
whether there is a VP chip to return, but not how many chips there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    GOODS,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
)
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Build,
    Built,
    Choose,
    Earned,
    Event,
    Load,
    Loaded,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Produced,
    Scored,
    Sell,
    Sold,
    Store,
    Stored,
    Take,
    TakeRole,
    TookGoods,
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
from porto_cli.games.puerto_rico.events import bundle_dict, returned_json
from porto_cli.games.puerto_rico.notation import format_move

MOST = 200
"""Moves that are listed, of more of them the first; elsewhere these are described instead."""


class Option(NamedTuple):
    """A legal move and what it brings the player who makes it.

    ``move``    the move in the notation
    ``kind``    its verb, like ``load``
    ``fields``  its parts by name, as in the events
    ``scores``  VP with their reasons
    ``earns``   doubloons with their reasons; what is paid is negative
    ``goods``   barrels that come to the player, by their goods; those that go are negative

    What follows by itself, and what others get, is no part of it.
    """

    move: str
    kind: str
    fields: dict[str, Any]
    scores: tuple[phrases.Gain, ...]
    earns: tuple[phrases.Gain, ...]
    goods: dict[str, int]

    @property
    def vp(self) -> int:
        """All VP at once: chips, and those printed on a building."""
        chips = phrases.total(self.scores)
        if self.kind != "build":
            return chips
        return chips + BUILDING_VP[PLACES.index(str(self.fields["building"]))]

    @property
    def doubloons(self) -> int:
        """All doubloons at once; less than 0 if it costs more than it earns."""
        return phrases.total(self.earns)

    def json(self) -> dict[str, Any]:
        """Return the move as ``porto moves --format json`` has it."""
        return {
            "move": self.move,
            "kind": self.kind,
            **self.fields,
            "scores": [list(gain) for gain in self.scores],
            "earns": [list(gain) for gain in self.earns],
            "vp": self.vp,
            "doubloons": self.doubloons,
            "barrels": self.goods,
        }


def options(state: State, seat: int | None = None) -> list[Option] | None:
    """Return the legal moves of a seat, of who is to move if not said; ``None`` if there are more
    than :data:`MOST`.
    """
    if count_moves(state, seat) > MOST:
        return None
    return [option_of(state, move) for move in legal_moves(state, seat)]


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them; where there are
    too many, what a move has to satisfy: numbers and bundles by name.
    """
    found = options(state, seat)
    if found is None:
        return {"count": count_moves(state, seat), **_demands(state)}
    return {"count": len(found), "moves": [option.json() for option in found]}


def option_of(state: State, move: Move) -> Option:
    """Return a legal move with what it brings.

    The engine is asked what a move brings. What would come up by it is never looked at.
    """
    _, events = apply(state, move, lambda stream, index, pile: 0)
    own = [
        event for event in events if not event.auto and getattr(event, "seat", None) == state.seat
    ]
    text = str(move)
    return Option(
        move=text,
        kind=text.partition(" ")[0],
        fields=_fields(state, move, own),
        scores=tuple((event.reason, event.vp) for event in own if isinstance(event, Scored)),
        earns=tuple((event.reason, event.doubloons) for event in own if isinstance(event, Earned)),
        goods=_barrels(own),
    )


def observe(state: State, seat: int | None) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do (PR-SECRET-1).

    It is the :func:`~porto_cli.games.puerto_rico.view.view` with ``count``, how many legal moves
    the seat has, and ``moves``, each as ``porto moves --format json`` writes it: the one that
    scores most first, of those the one that earns most, then by barrels. Where there are very many
    of them, as for colonists, they are some.
    """
    from porto_cli.games.puerto_rico.view import view

    options = [] if seat is None else [option_of(state, move) for move in _listed(state, seat)]
    options.sort(key=lambda one: (-one.vp, -one.doubloons, -sum(one.goods.values())))
    return {
        **view(state, seat),
        "count": 0 if seat is None else count_moves(state, seat),
        "moves": [option.json() for option in options],
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
        case TakeRole(role, no_colonist):
            return {"role": ROLES[role], "no_colonist": no_colonist}
        case Take(what, second) if state.phase == PRIVILEGE_PHASE:
            return {"goods": {GOODS[good]: 1 for good in (what, second) if good != NO_GOOD}}
        case Take(what, _, forest, no_colonist):
            tile = "face-down" if what == FACE_DOWN else TILES[what]
            source = {QUARRY: "quarries", FACE_DOWN: "stack"}.get(what, "row")
            return {"tile": tile, "from": source, "forest": forest, "no_colonist": no_colonist}
        case Place(colonists):
            return {"colonists": bundle_dict(colonists, PLACES)}
        case Build(building, good, vp, colonist, no_colonist):
            return {
                "building": PLACES[building],
                "price": price(state, state.seat, building),
                "returned": returned_json(good, vp, colonist),
                "no_colonist": no_colonist,
            }
        case Sell(good, post):
            return {"good": GOODS[good], "to": "trading-post" if post else "trading-house"}
        case Load() | LoadSmallWharf():
            loaded = next(event for event in events if isinstance(event, Loaded))
            return {"goods": bundle_dict(loaded.goods, GOODS), "onto": onto_name(loaded.onto)}
        case Store(goods):
            return {"goods": bundle_dict(goods, GOODS)}
        case MoveGuest(place):
            return {"to": PLACES[place]}
        case Choose(building):
            return {"building": PLACES[building]}
    return {}


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


def note_of(move: Mapping[str, Any]) -> str:
    """Return what a move brings, and what a building costs."""
    costs = []
    if move["kind"] == "build":
        price = move["price"]
        costs = [f"costs {phrases.doubloons(price)}" if price else "free"]
    return ", ".join(filter(None, [*costs, phrases.brought(move["scores"], move["earns"])]))


def first_move(state: State) -> str:
    """Return the first of the moves as they are listed: passing and guests come last."""
    if state.phase == MAYOR_PHASE:
        return format_move(nearest_placement(state))
    legal = legal_moves(state, limit=MOST_COMPARED)
    return format_move(min(legal, key=lambda move: isinstance(move, Pass | MoveGuest)))


MOST_SUGGESTED = 5
MOST_COMPARED = 500
"""Moves among which the nearest are found, where there are more."""


def suggestions(state: State, move: Move | None, seat: int) -> list[Move]:
    """Return up to five legal moves of a seat, the most similar first.

    They are of the same kind as ``move``, unless nothing of that kind is legal now.
    """
    if state.phase == MAYOR_PHASE and seat == state.seat:
        wanted = move.colonists if isinstance(move, Place) else None
        return [nearest_placement(state, wanted)]
    legal = legal_moves(state, seat, MOST_COMPARED)
    alike = [other for other in legal if _is_alike(move, other)]
    if move is not None:
        alike.sort(key=lambda other: _distance(move, other))
    return (alike or legal)[:MOST_SUGGESTED]


def _is_alike(move: Move | None, other: Move) -> bool:
    if isinstance(move, Load | LoadSmallWharf):
        return isinstance(other, Load | LoadSmallWharf)
    return type(other) is type(move)


def _distance(move: Move, other: Move) -> tuple[int, int]:
    """Return how different two moves are: barrels of bundles, else the words that differ."""
    if isinstance(move, Store | LoadSmallWharf) and isinstance(other, Store | LoadSmallWharf):
        different = sum(abs(a - b) for a, b in zip(move.goods, other.goods, strict=True))
        return type(move) is not type(other), different
    words, others = set(format_move(move).split()), set(format_move(other).split())
    return -len(words & others), len(others)
