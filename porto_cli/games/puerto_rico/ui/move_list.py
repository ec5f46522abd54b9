"""The legal moves: what each is made of and what it brings, or what a move has to satisfy.

Placements, loads of the Small Wharf and payments with the Black Market can be far too many to be
listed. Beyond ``MOST`` the moves are described and counted instead.

The moves are those of the player to move, and are made for that player's eyes: they tell whether
there is a VP chip to return. How many chips there are they do not tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
)
from porto_cli.games.puerto_rico.engine.events import Earned, Event, Loaded, Scored
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    MAYOR_PHASE,
    PRIVILEGE_PHASE,
    State,
)
from porto_cli.games.puerto_rico.event_text import (
    bundle_dict,
    onto_name,
    place_name,
    returned_dict,
)
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, flow, folded, width_of, wrapped

MOST = 200
"""Moves that are listed; more of them are described."""


class Option(NamedTuple):
    """A legal move and what it brings the player who makes it.

    ``move``    the move in the notation
    ``kind``    its verb, like ``load``
    ``fields``  its parts by name, as in the events
    ``scores``  VP with their reasons
    ``earns``   doubloons with their reasons; what is paid is negative

    What follows by itself, and what others get, is no part of it.
    """

    move: str
    kind: str
    fields: dict[str, object]
    scores: tuple[phrases.Gain, ...]
    earns: tuple[phrases.Gain, ...]


class MoveList(NamedTuple):
    """The legal moves of a seat.

    ``number``   how many there are
    ``options``  all of them, or None if they are too many
    ``demands``  what a move has to satisfy if they are too many: numbers and bundles by name
    """

    number: int
    options: tuple[Option, ...] | None
    demands: dict[str, object]


def move_list(state: State, seat: int | None = None) -> MoveList:
    """Return the legal moves of a seat, of who is to move if not said."""
    count = count_moves(state, seat)
    if count > MOST:
        return MoveList(count, None, _demands(state))
    return MoveList(count, tuple(option_of(state, move) for move in legal_moves(state, seat)), {})


def option_of(state: State, move: Move) -> Option:
    """Return a legal move with what it brings.

    The engine is asked what a move brings. What would come up by it is never looked at.
    """
    _, events = apply(state, move, lambda stream, index, pile: 0)
    own = [
        event for event in events if not event.auto and getattr(event, "seat", None) == state.seat
    ]
    text = format_move(move)
    return Option(
        move=text,
        kind=text.partition(" ")[0],
        fields=_fields(state, move, own),
        scores=tuple((event.reason, event.vp) for event in own if isinstance(event, Scored)),
        earns=tuple((event.reason, event.doubloons) for event in own if isinstance(event, Earned)),
    )


def _fields(state: State, move: Move, events: Iterable[Event]) -> dict[str, object]:
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
                "returned": returned_dict(good, vp, colonist),
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


def _demands(state: State) -> dict[str, object]:
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


# -- as text

_INDENT = 2
_MOVE = 34
"""Columns of a move before what it brings."""


def moves_text(state: State, width: int, seat: int | None = None) -> list[Line]:
    """Return the legal moves of a seat as lines, with what each brings."""
    found = move_list(state, seat)
    if not found.number:
        return []
    if found.options is None and state.phase == MAYOR_PHASE:
        return _placements(state, found, width)
    if found.options is None and state.phase == CAPTAIN_PHASE:
        return _loads(state, found, width)
    if state.phase == BUILDER_PHASE:
        return _builds(state, width)
    return [_heading(state), *_listed(found.options or (), width)]


_HEADINGS = {
    "draft": "Choose a building for the game",
    "role": "Take a role",
    "settler": "Take a tile",
    "library": "Take a second tile",
    "mayor": "Place all colonists",
    "builder": "Build",
    "craftsman": "Move a guest, or pass to produce",
    "privilege": "Take barrels in addition",
    "trader": "Sell a barrel",
    "captain": "Load barrels",
    "store": "Store barrels",
}


def _heading(state: State) -> Line:
    return [(str(say(_HEADINGS[state.phase])), BOLD)]


def _listed(options: Sequence[Option], width: int) -> list[Line]:
    """Each move on a line, with what it brings behind it, or below it where it is narrow."""
    column = min(
        max((len(option.move) for option in options), default=0) + _INDENT + 2, _MOVE, width // 2
    )
    lines: list[Line] = []
    for option in sorted(options, key=_is_secondary):
        move: Line = [(option.move, PLAIN)]
        lines += _row(move, note_of(option), column, width)
    return lines


def _is_secondary(option: Option) -> bool:
    """Tell whether a move stands at the end of the list: passing, and guests."""
    return option.kind in ("pass", "guest")


def note_of(option: Option) -> str:
    """Return what a move brings, and what a building costs."""
    notes = [phrases.brought(option.scores, option.earns)]
    if option.kind == "build":
        number = int(str(option.fields["price"]))
        costs = phrases.doubloons(number) if number else say("nothing")
        notes.insert(0, str(say("costs {doubloons}", doubloons=costs)))
    return ", ".join(filter(None, notes))


def _row(move: Line, note: str, column: int, width: int) -> list[Line]:
    first: Line = [(" " * _INDENT, PLAIN), *move]
    words: list[Line] = [[(word, DIM)] for word in note.split()]
    if not words or width_of(first) + 2 + width_of(words[0]) > width:
        lines = folded(first, width, indent=_INDENT + 2)
        return lines + (wrapped(note, width, first=_blank(column), indent=column) if note else [])
    gap = max(column - width_of(first), 2)
    return flow(words, width, first=[*first, (" " * gap, PLAIN)], indent=column)


def _blank(width: int) -> Line:
    return [(" " * width, PLAIN)]


def _told(sentences: Iterable[Sentence], width: int) -> list[Line]:
    return [line for sentence in sentences for line in wrapped(str(sentence), width, indent=0)]


def _chunks(words: Iterable[str], width: int, indent: int = _INDENT) -> list[Line]:
    chunks: list[Line] = [[(word, PLAIN)] for word in words]
    return flow(chunks, width, first=_blank(indent), indent=indent, gap=3)


def _placements(state: State, found: MoveList, width: int) -> list[Line]:
    """PR-MAYOR-3 to PR-MAYOR-5: what a placement is made of."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    facts: dict[str, object] = {
        "count": f"{found.number:,}",
        "colonists": phrases.colonists(player.people),
        "circles": sum(player.circles),
        "idle": player.people - most,
        "name": state.config.players[state.seat],
    }
    sentences = [
        say("{name} has {colonists} for {circles} circles: {count} placements are legal.", **facts)
    ]
    if fewest < most:
        sentences.append(say("Any number of them may stay in San Juan."))
    elif player.people > most:
        sentences.append(say("Every circle is filled, and {idle} stay in San Juan.", **facts))
    else:
        sentences.append(say("Every colonist has to be placed."))
    sentences.append(say("The circles, and how many colonists are there now:"))
    now = [
        f"{PLACES[place]} {circles} ({player.colonists[place]})"
        for place, circles in enumerate(player.circles)
        if circles
    ]
    return [_heading(state), *_told(sentences, width), *_chunks(now, width)]


def _loads(state: State, found: MoveList, width: int) -> list[Line]:
    """All loads but those of the Small Wharf, and what one of these is made of."""
    few = [move for move in legal_moves(state, limit=MOST) if not isinstance(move, LoadSmallWharf)]
    player = state.players[state.seat]
    sentences = [
        say(
            "By the small wharf, any of these barrels, at least one, for 1 VP each two; "
            "{count} moves are legal: {goods}.",
            count=f"{found.number:,}",
            goods=phrases.goods(player.goods),
        ),
    ]
    return [
        _heading(state),
        *_listed([option_of(state, move) for move in few], width),
        *_told(sentences, width),
    ]


def _builds(state: State, width: int) -> list[Line]:
    """What can be paid with doubloons, then for each other building what can be returned."""
    moves = legal_moves(state)
    simple = [move for move in moves if not (isinstance(move, Build) and move.returned)]
    lines = [_heading(state), *_listed([option_of(state, move) for move in simple], width)]
    paid: dict[int, list[Build]] = {}
    for move in moves:
        if isinstance(move, Build) and move.returned:
            paid.setdefault(move.building, []).append(move)
    if paid:
        heading = say("Build, and return at most one barrel, one VP chip and one colonist")
        lines += wrapped(str(heading), width, style=BOLD)
    for building, builds in sorted(paid.items()):
        note = say(
            "{number} of: {things}",
            number=builds[0].returned,
            things="; ".join(_returnable(builds)),
        )
        lines += _row([(f"build {PLACES[building]} return …", PLAIN)], str(note), 4, width)
    return lines


def _returnable(builds: Sequence[Build]) -> list[str]:
    """Return what the builds return, as the notation calls it."""
    goods = dict.fromkeys(build.good for build in builds if build.good != NO_GOOD)
    places = dict.fromkeys(build.colonist for build in builds if build.colonist != NO_PLACE)
    found = []
    if goods:
        found.append(", ".join(GOODS[good] for good in sorted(goods)))
    if any(build.vp for build in builds):
        found.append("vp")
    if places:
        names = ", ".join(place_name(place) for place in sorted(places))
        found.append(f"colonist {names}")
    return found
