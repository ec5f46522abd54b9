"""What players of Puerto Rico can order ahead, for :class:`porto_cli.abilities.Orders`.

A kind of decision is a phase of the game, with the name of its role. Decisions without a choice
need no order, as they are made automatically (PR-AUTO-1). The policy ``sensible`` decides only what
every experienced player would decide the same way, and leaves the rest to the player.
"""

from __future__ import annotations

from porto_cli.abilities import OrderKind, Orders
from porto_cli.games.puerto_rico.engine import (
    BASE,
    BASE_KINDS,
    BIT,
    BUILDING_PLACES,
    DRAFT,
    GOODS,
    GUEST_HOUSE,
    LIBRARY,
    NO_GOOD,
    PLACES,
    PRODUCERS,
    QUARRY,
    ROLES,
    SALE_PRICES,
    UNIVERSITY,
    VIOLET,
    plus,
)
from porto_cli.games.puerto_rico.engine.boards import filled
from porto_cli.games.puerto_rico.engine.goods import legal_stores, takeable
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Move,
    Place,
    Store,
    Take,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Config,
    State,
)
from porto_cli.games.puerto_rico.notation import VERBS, in_full, parse_move
from porto_cli.games.puerto_rico.view import moves_json

_OF_EXPANSIONS = {
    *(PLACES[place] for place in BUILDING_PLACES if not BIT[place] & (BASE_KINDS | ~VIOLET)),
    *("forest", "return", "library", "guest"),
}
"""The buildings, words and kinds of decisions that are not in the base game."""


def _can_be_legal(config: Config, kind: str, move: str) -> bool:
    """Return whether a move in canonical words can ever be legal in a kind of decision."""
    verb, *words = move.split()
    is_base = config.buildings == BASE
    if is_base and (kind in _OF_EXPANSIONS or not _OF_EXPANSIONS.isdisjoint(words)):
        return False
    if verb == "choose":
        return config.buildings == DRAFT
    if verb == "role":
        return ROLES.index(words[0]) in config.box.roles
    if verb != "take":
        return True
    take = parse_move(move)
    assert isinstance(take, Take)
    return _can_be_taken(kind, take)


def _can_be_taken(kind: str, take: Take) -> bool:
    """Return whether a tile or good can ever be taken in a kind of decision."""
    if kind == "craftsman":
        return take.what < QUARRY and take.second != take.what and not any(take[2:])
    if take.second != NO_GOOD or (take.what >= QUARRY and take.forest):
        return False
    if kind == "library":
        return take.what < QUARRY and not take.no_colonist
    return not take.no_colonist or (take.what != FACE_DOWN and not take.forest)


# -- The policy ``sensible``


def _placement(state: State) -> Move | None:
    """Return the placement that leaves only idle plantations empty, if there is one.

    A plantation is idle if the city has no circle for its good; which of the idle plantations have
    colonists makes no difference before the next mayor. With a University or guests it would, as
    these can bring a colonist to a new building. An empty circle in the city always makes a
    difference, as it brings one more colonist onto the ship (PR-MAYOR-6).
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
    return Place(filled(player, placed, player.people)) if player.people >= sum(placed) else None


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
            sum(map(int.__mul__, store.goods, SALE_PRICES)),
            store.goods[::-1],
        ),
    )


ORDERS = Orders(
    kinds={
        "draft": OrderKind(DRAFT_PHASE, ("choose",), "When you choose a building for the game:"),
        "role": OrderKind(ROLE_PHASE, ("role",), "When you take a role:"),
        "settler": OrderKind(SETTLER_PHASE, ("take", "pass"), "When you take a tile or draw one:"),
        "library": OrderKind(LIBRARY_PHASE, ("take", "pass"), "When you take a second plantation:"),
        "mayor": OrderKind(
            MAYOR_PHASE,
            ("place",),
            "When you place your colonists:",
            is_listed=False,
            sensible=(
                "Fill every useful circle, if there are colonists for all of these and it makes "
                "no difference where the others go."
            ),
            choose=_placement,
        ),
        "builder": OrderKind(BUILDER_PHASE, ("build", "pass"), "When you build:"),
        "guest": OrderKind(CRAFTSMAN_PHASE, ("guest", "pass"), "When you can move a guest first:"),
        "craftsman": OrderKind(
            PRIVILEGE_PHASE,
            ("take", "pass"),
            "When you take goods by the privilege of the craftsman:",
            sensible="Take all goods on offer, if you may take that many.",
            choose=_privilege,
        ),
        "trader": OrderKind(TRADER_PHASE, ("sell", "pass"), "When you sell a barrel:"),
        "captain": OrderKind(CAPTAIN_PHASE, ("load", "pass"), "When you load barrels:"),
        "store": OrderKind(
            STORE_PHASE,
            ("store",),
            "When you store goods after the captain phase:",
            sensible=(
                "As many barrels as possible, those most valuable at the trader; among equals "
                "those with the most coffee, then tobacco, sugar and indigo."
            ),
            choose=_most_stored,
            written="most",
        ),
    },
    # The phase of a role; in the draft each choice is an occasion of its own.
    occasion=lambda state: (
        state.round,
        state.roles_taken,
        state.phase,
        state.violet.bit_count(),
    ),
    listed=lambda state, seat: moves_json(state, seat).get("moves"),
    verbs=VERBS,
    in_full=in_full,
    can_be=_can_be_legal,
)
