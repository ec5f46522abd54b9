"""What can be ordered ahead in Puerto Rico, see :class:`porto_cli.abilities.Orders`.

A kind of decision is a phase of the game, by the name of its role. Decisions without a choice need
no order, as they are made automatically (PR-AUTO-1). The policy ``sensible`` decides only what
every experienced player would decide alike, and leaves the rest to its player.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from porto_cli.abilities import Kind, with_verb
from porto_cli.core.message import InvalidMoveError, shown
from porto_cli.games.puerto_rico.engine.captain import legal_stores
from porto_cli.games.puerto_rico.engine.components import (
    BASE_KINDS,
    BIT,
    BUILDING_PLACES,
    GOODS,
    GUEST_HOUSE,
    LIBRARY,
    NO_GOOD,
    PLACES,
    PRICES,
    PRODUCERS,
    QUARRY,
    ROLES,
    UNIVERSITY,
    VIOLET,
    plus,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import takeable
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Move,
    Place,
    Store,
    Take,
)
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    BASE,
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Config,
    State,
)
from porto_cli.games.puerto_rico.move_list import MOST, facts
from porto_cli.games.puerto_rico.notation import VERBS, in_full, parse_move

_KIND_OF = {
    DRAFT_PHASE: "draft",
    ROLE_PHASE: "role",
    SETTLER_PHASE: "settler",
    LIBRARY_PHASE: "library",
    MAYOR_PHASE: "mayor",
    BUILDER_PHASE: "builder",
    CRAFTSMAN_PHASE: "guest",
    PRIVILEGE_PHASE: "craftsman",
    TRADER_PHASE: "trader",
    CAPTAIN_PHASE: "captain",
    STORE_PHASE: "store",
    OVER: "",
}
"""The kind of the decision that the game waits for in each phase."""

_TILES = frozenset(
    take
    for plantation in range(len(GOODS))
    for take in (Take(plantation), Take(plantation, forest=True))
)
_TAKES: dict[str, frozenset[Move]] = {
    "settler": _TILES
    | {Take(FACE_DOWN)}
    | {
        take
        for tile in (*range(len(GOODS)), QUARRY)
        for take in (Take(tile), Take(tile, no_colonist=True))
    },
    "library": _TILES,
    "craftsman": frozenset(
        Take(good, other)
        for good in range(len(GOODS))
        for other in (*range(good + 1, len(GOODS)), NO_GOOD)
    ),
}
"""What can be taken in each kind of decision."""

_OF_EXPANSIONS = {
    *(PLACES[place] for place in BUILDING_PLACES if not BIT[place] & (BASE_KINDS | ~VIOLET)),
    *("forest", "return", "library", "guest"),
}
"""The buildings, words and kinds of decisions that the base game does not have."""


class Listed(NamedTuple):
    """A legal move, and what it scores at once."""

    move: str
    vp: int


class PuertoRicoOrders:
    """What can be ordered ahead."""

    kinds: Mapping[str, Kind] = {
        "draft": Kind(("choose",), "When you choose a building for the game:"),
        "role": Kind(("role",), "When you take a role:"),
        "settler": Kind(
            ("take", "pass"), "When you take a tile in the settler phase, or turn one up:"
        ),
        "library": Kind(("take", "pass"), "When you take a second plantation with the Library:"),
        "mayor": Kind(
            ("place",),
            "When you place your colonists:",
            is_listed=False,
            sensible=(
                "Fill every circle that is of use, if there are colonists for all of these "
                "and it makes no difference where the others go."
            ),
        ),
        "builder": Kind(("build", "pass"), "When you build in the builder phase:"),
        "guest": Kind(
            ("guest", "pass"), "When you can move a guest before your goods are produced:"
        ),
        "craftsman": Kind(
            ("take", "pass"),
            "When you take goods by the privilege of the craftsman:",
            sensible="Take all goods on offer, if you may take that many.",
        ),
        "trader": Kind(("sell", "pass"), "When you sell in the trader phase:"),
        "captain": Kind(("load", "pass"), "When you load in the captain phase:"),
        "store": Kind(
            ("store",),
            "When you store goods after the captain phase:",
            sensible=(
                "As many barrels as possible, of those the most valuable for the trader, and "
                "of those with most coffee, then tobacco, sugar and indigo."
            ),
            written="most",
        ),
    }

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game waits for."""
        return _KIND_OF[state.phase]

    def occasion(self, state: State) -> Hashable:
        """Return the phase of a role; in the draft each choice is an occasion of its own."""
        return state.round, state.roles_taken, state.phase, state.violet.bit_count()

    def listed(self, state: State, seat: int) -> Sequence[Listed]:
        """Return the legal moves in the order of the rules; none of too many, or of placements."""
        kind = self.kinds.get(self.kind(state))
        if not kind or not kind.is_listed or count_moves(state, seat) > MOST:
            return ()
        found = [facts(state, move) for move in legal_moves(state, seat)]
        return [Listed(one["move"], one["vp"]) for one in found]

    def sensible(self, state: State, seat: int) -> Move | None:
        """Return the legal move that every experienced player would choose, if there is one."""
        choose = _SENSIBLE.get(state.phase)
        return choose(state) if choose and seat == state.seat else None

    def move(self, config: Config, kind: str, text: str) -> str:
        """Return a move of a decision of a kind, as an order has it. Raises InvalidMoveError."""
        full = in_full(with_verb(self.kinds, kind, text, VERBS))
        if not _can_be_legal(config, kind, full):
            raise InvalidMoveError(
                f"{shown(full)} is never legal in this game when the decision is {shown(kind)}."
            )
        return full


def _can_be_legal(config: Config, kind: str, move: str) -> bool:
    """Return whether a move in canonical words can be legal in a decision of a kind in a game."""
    verb, *words = move.split()
    is_base = config.buildings == BASE
    if is_base and (kind in _OF_EXPANSIONS or not _OF_EXPANSIONS.isdisjoint(words)):
        return False
    if verb == "choose":
        return config.buildings == DRAFT
    if verb == "role":
        return ROLES.index(words[0]) in config.box.roles
    return verb != "take" or parse_move(move) in _TAKES[kind]


ORDERS = PuertoRicoOrders()


# -- What is sensible


def _placement(state: State) -> Move | None:
    """Return the placement that leaves only idle plantations empty, if there is one.

    A plantation is idle if the city has no circle for its good; which of these plantations have
    colonists makes no difference before the next mayor. It would with a University or with guests,
    who can bring a colonist to a new building. An idle circle in the city does make a difference
    if it is empty, as it brings one more colonist onto the ship (PR-MAYOR-6).
    """
    player = state.players[state.seat]
    circles = player.circles
    if player.people >= sum(circles):
        return Place(circles)
    if player.city & (BIT[UNIVERSITY] | BIT[GUEST_HOUSE]):
        return None
    placed = circles
    for good in range(1, len(GOODS)):
        workers = sum(circles[building] for building in PRODUCERS[good])
        if workers > circles[good]:
            return None
        placed = plus(placed, good, workers - circles[good])
    left = player.people - sum(placed)
    if left < 0:
        return None
    for good in range(1, len(GOODS)):
        more = min(left, circles[good] - placed[good])
        placed = plus(placed, good, more)
        left -= more
    return Place(placed)


def _privilege(state: State) -> Move | None:
    """Return the move that takes all goods on offer, if that is allowed."""
    match takeable(state):
        case [good]:
            return Take(good)
        case [good, other] if state.players[state.seat].colonists[LIBRARY]:
            return Take(good, other)
    return None


def _most_stored(state: State) -> Move | None:
    stores = [move for move in legal_stores(state) if isinstance(move, Store)]
    return max(
        stores,
        key=lambda store: (
            sum(store.goods),
            sum(map(int.__mul__, store.goods, PRICES)),
            store.goods[::-1],
        ),
    )


_SENSIBLE: dict[str, Callable[[State], Move | None]] = {
    MAYOR_PHASE: _placement,
    PRIVILEGE_PHASE: _privilege,
    STORE_PHASE: _most_stored,
}
"""What is sensible in each phase."""
