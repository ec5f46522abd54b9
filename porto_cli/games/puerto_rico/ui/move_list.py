"""The legal moves as text: what each brings, or what a move has to satisfy; and similar moves.

Placements, loads of the Small Wharf and payments with the Black Market can be far too many to be
listed. Beyond ``MOST`` the moves are described and counted instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
)
from porto_cli.games.puerto_rico.engine.moves import (
    SMALL_WHARF,
    Build,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Store,
    onto_name,
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most, nearest_placement
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    MAYOR_PHASE,
    State,
)
from porto_cli.games.puerto_rico.event_text import bundle_dict
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.options import MOST, MoveList, Option, move_list, option_of
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, flow, folded, width_of, wrapped
from porto_cli.ui_values import MANY, Choice

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


def heading(state: State) -> Sentence:
    """Return what the moves of a phase are about."""
    return say(_HEADINGS[state.phase])


def _heading(state: State) -> Line:
    return [(str(heading(state)), BOLD)]


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
    """Return whether a move is at the end of the list: passing, and guests."""
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


def _sentences(sentences: Iterable[Sentence], width: int) -> list[Line]:
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
    return [_heading(state), *_sentences(sentences, width), *_chunks(now, width)]


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
        *_sentences(sentences, width),
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
    found = [
        option_of(state, move)
        for move in listed
        # Whoever can return a VP chip has one.
        if private or not (isinstance(move, Build) and move.vp)
    ]
    found.sort(key=lambda option: (_is_secondary(option), -option.vp, -option.doubloons))
    options = [Choice(option.move, note_of(option)) for option in found]
    if len(listed) < len(legal):
        goods, note = bundle_dict(player.goods, GOODS), str(say("1 VP for each two barrels"))
        wharf = f"load {MANY} {onto_name(SMALL_WHARF)}"
        options.append(Choice(wharf, note, goods, 1, sum(player.goods)))
    return options


def first_move(state: State) -> Move | None:
    """Return the first of the moves as they are listed: passing and guests come last."""
    if state.phase == MAYOR_PHASE:
        return nearest_placement(state)
    found = legal_moves(state, limit=MOST_COMPARED)
    return min(found, key=lambda move: isinstance(move, Pass | MoveGuest), default=None)


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
