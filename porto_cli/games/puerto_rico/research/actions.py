"""Decisions as numbers: each is one of :data:`COUNT` actions, the same ones with any players.

A move is one action, but for those of which there can be too many: what a Black Market takes back,
the barrels to store or to load by a Small Wharf, and the colonists to place are one decision each,
thing by thing. What leaves no choice is not asked.

>>> encode(Take(0, forest=True)), encode(Build(25, good=1, vp=True))
((47,), (82, 225, 229))
>>> [name(action) for action in (47, 82, 225, 229)]
['take corn forest', 'build hospice', 'return indigo', 'return vp']
>>> decode(82, 225, 229) == Build(25, good=1, vp=True)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from porto_cli.games.puerto_rico.engine.components import (
    BARRELS,
    BUILDING_PLACES,
    CIRCLES,
    GOODS,
    GUEST_HOUSE,
    ISLAND_SPACES,
    MAYOR,
    NO_COLONISTS,
    PLACES,
    QUARRY,
    ROLES,
    SAN_JUAN,
    VIOLET,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    PASS,
    WHARF,
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
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.state import BOXES, CAPTAIN_PHASE, MAYOR_PHASE, State
from porto_cli.research.tree import kinds_of

_CIRCLED = tuple(place for place, circles in enumerate(CIRCLES) if circles)
"""The places where a colonist can be."""
_ROOM = tuple(ISLAND_SPACES if place <= QUARRY else CIRCLES[place] for place in _CIRCLED)
_SHIPS = (*sorted({spaces for box in BOXES.values() for spaces in box.cargo}), WHARF)
_RETURNS: tuple[tuple[str, int], ...] = (
    *(("good", good) for good in range(len(GOODS))),
    ("vp", True),
    *(("colonist", place) for place in (*_CIRCLED, SAN_JUAN)),
)
"""What a Black Market takes back, as the facts of a build."""

_PLAIN: dict[str, tuple[Move, ...]] = {
    "choose": tuple(map(Choose, buildings_in(VIOLET))),
    "role": (*map(TakeRole, range(len(ROLES))), TakeRole(MAYOR, no_colonist=True)),
    "take": (
        *map(Take, range(FACE_DOWN + 1)),
        *(Take(tile, forest=True) for tile in range(QUARRY)),
        *(Take(tile, no_colonist=True) for tile in range(QUARRY + 1)),
        *(Take(*goods) for goods in combinations(range(len(GOODS)), 2)),
    ),
    "build": tuple(
        Build(place, no_colonist=alone) for alone in (False, True) for place in BUILDING_PLACES
    ),
    "sell": tuple(Sell(good, post) for post in (False, True) for good in range(len(GOODS))),
    "load": tuple(Load(good, onto) for good in range(len(GOODS)) for onto in _SHIPS),
    "guest": tuple(MoveGuest(place) for place in _CIRCLED if place != GUEST_HOUSE),
    "pass": (PASS,),
}
"""Moves that are one action, and builds without what is returned for them."""
_PARTS: dict[str, tuple[str, ...]] = {
    "return": (
        *(f"return {good}" for good in GOODS),
        "return vp",
        *(f"return colonist {place_name(place)}" for place in (*_CIRCLED, SAN_JUAN)),
    ),
    "small-wharf": ("load small-wharf",),
    "barrels": tuple(f"barrels {good} {n}" for good in GOODS for n in range(max(BARRELS) + 1)),
    "colonists": tuple(
        f"colonists {PLACES[place]} {n}"
        for place, room in zip(_CIRCLED, _ROOM, strict=True)
        for n in range(room + 1)
    ),
}
"""Parts of moves, by their names."""
_MEANINGS = {
    "choose": "the violet building that comes into the game (draft)",
    "role": "the role card; the last one is the mayor without a colonist of the supply",
    "take": "a tile or a barrel; a forest; a tile without a colonist; two barrels",
    "build": "the building; then each again without a colonist",
    "sell": "the good, to the trading house; then to a trading post",
    "load": "the good and the ship, or the wharf",
    "guest": "the place that a guest goes to",
    "pass": "decline; before production, produce",
    "return": "what a Black Market takes back, one thing after the other",
    "small-wharf": "load by the Small Wharf; the barrels follow",
    "barrels": "how many barrels of the good, one good after the other",
    "colonists": "how many colonists on the place, one place after the other",
}

KINDS = kinds_of(
    (name, len(these), _MEANINGS[name]) for name, these in {**_PLAIN, **_PARTS}.items()
)
"""All kinds of actions, in order."""
COUNT = KINDS[-1].first + KINDS[-1].size
"""How many actions there are."""
_RETURN, _SMALL_WHARF, _BARRELS, _COLONISTS = (kind.first for kind in KINDS[len(_PLAIN) :])
_MOVES = tuple(move for moves in _PLAIN.values() for move in moves)
_NUMBERS = {move: action for action, move in enumerate(_MOVES)}
_NAMES = (*map(str, _MOVES), *(name for names in _PARTS.values() for name in names))
_PER_GOOD = tuple(_BARRELS + good * (max(BARRELS) + 1) for good in range(len(GOODS)))
"""The action of no barrel of each good."""
_PER_PLACE = tuple(_COLONISTS + sum(_ROOM[:nth]) + nth for nth in range(len(_ROOM)))
"""The action of no colonist on each place where one can be."""
LONGEST = len(_PER_PLACE)
"""Actions of the longest move: a placement."""


def encode(move: Move) -> tuple[int, ...]:
    """Return the actions of a move, those included that leave no choice.

    Raises ValueError for a move that no action represents.
    """
    match move:
        case Place(colonists):
            return _numbered([colonists[place] for place in _CIRCLED], _PER_PLACE)
        case Store(goods):
            return _numbered(goods, _PER_GOOD)
        case LoadSmallWharf(goods):
            return (_SMALL_WHARF, *_numbered(goods, _PER_GOOD))
        case Build(building, good, vp, colonist, no_colonist):
            things = (("good", good), ("vp", vp), ("colonist", colonist))
            returned = [_RETURN + _RETURNS.index(thing) for thing in things if thing in _RETURNS]
            return (_NUMBERS[Build(building, no_colonist=no_colonist)], *returned)
    if move not in _NUMBERS:
        raise ValueError(f"No action represents {move!r}.")
    return (_NUMBERS[move],)


def decode(*actions: int) -> Move:
    """Return the move of its actions: what encodes to them. Raises ValueError for no whole move."""
    first, *rest = actions or (-1,)
    if len(actions) == LONGEST:
        colonists = bytearray(NO_COLONISTS)
        for place, number in zip(_CIRCLED, _counted(actions, _PER_PLACE), strict=True):
            colonists[place] = number
        move: Move = Place(bytes(colonists))
    elif len(actions) == len(GOODS):
        move = Store(_counted(actions, _PER_GOOD))
    elif first == _SMALL_WHARF and len(rest) == len(GOODS):
        move = LoadSmallWharf(_counted(rest, _PER_GOOD))
    elif 0 <= first < len(_MOVES):
        move = _MOVES[first]
        if isinstance(move, Build):
            returned: dict[str, Any] = dict(
                _RETURNS[(action - _RETURN) % len(_RETURNS)] for action in rest
            )
            move = move._replace(**returned)
    else:
        move = PASS
    if encode(move) != actions:
        raise ValueError(f"The actions {actions} are no move.")
    return move


def _numbered(counts: bytes | list[int], firsts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, firsts, counts))


def _counted(actions: Sequence[int], firsts: tuple[int, ...]) -> bytes:
    """Return the numbers of actions; what is none of these is nonsense, and encodes otherwise."""
    return bytes((action - first) % 256 for action, first in zip(actions, firsts, strict=True))


def name(action: int) -> str:
    """Return an action in the words of the notation. Raises ValueError if there is none such."""
    if not 0 <= action < COUNT:
        raise ValueError(f"There is no action {action}.")
    return _NAMES[action]


def next_actions(state: State, begun: tuple[int, ...]) -> list[int]:
    """Return the actions that are legal after those that a move was begun with, in order.

    There are none once they are a whole move, and in the end of the game.
    """
    player = state.players[state.seat]
    if state.phase == MAYOR_PHASE:
        circles = [player.circles[place] for place in _CIRCLED]
        return _next_of(_PER_PLACE, circles, *fewest_and_most(state, player), begun)
    if begun[:1] == (_SMALL_WHARF,):
        return _next_of(_PER_GOOD, player.goods, 1, sum(player.goods), begun[1:])
    # Those of a Small Wharf come last, and all begin with one action.
    limit = len(_MOVES) if state.phase == CAPTAIN_PHASE and not begun else None
    done = len(begun)
    return sorted(
        {
            actions[done]
            for actions in map(encode, legal_moves(state, limit=limit))
            if actions[:done] == begun and len(actions) > done
        }
    )


def _next_of(
    firsts: tuple[int, ...],
    limits: bytes | list[int],
    fewest: int,
    most: int,
    begun: tuple[int, ...],
) -> list[int]:
    """Return the numbers that the next thing can have, if all together are so many."""
    nth = len(begun)
    if nth == len(firsts):
        return []
    used = sum(map(int.__sub__, begun, firsts))
    least = max(0, fewest - used - sum(limits[nth + 1 :]))
    return [firsts[nth] + number for number in range(least, min(limits[nth], most - used) + 1)]
