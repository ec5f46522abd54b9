"""What can be ordered ahead in Puerto Rico, see :class:`porto_cli.abilities.Orders`.

A kind of decision is a phase of the game, by the name of its role. Decisions without a choice need
no order, as they are made automatically (PR-AUTO-1). The policy ``sensible`` decides only what
every experienced player would decide alike, and leaves the rest to its player.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from porto_cli.abilities import Kind, Policy, with_verb
from porto_cli.core.message import InvalidMoveError, Sentence, enumerated, say
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.captain import legal_stores, room
from porto_cli.games.puerto_rico.engine.components import (
    BASE_KINDS,
    BIT,
    BLACK_MARKET,
    BUILDING_PLACES,
    CIRCLES,
    FOREST_HOUSE,
    GOODS,
    GUEST_HOUSE,
    HACIENDA,
    HOSPICE,
    LIBRARY,
    NO_COLONISTS,
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
    Build,
    Load,
    Move,
    Place,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.state import (
    BASE,
    BOXES,
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Config,
    Player,
    State,
)
from porto_cli.games.puerto_rico.notation import VERBS, in_full, parse_move
from porto_cli.games.puerto_rico.observation import Option, move_list, option_of

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

_NEEDED_FOR = {
    "forest": FOREST_HOUSE,
    "face-down": HACIENDA,
    "return": BLACK_MARKET,
    ("take", "no-colonist"): HOSPICE,
    ("build", "no-colonist"): UNIVERSITY,
}
"""The building without which a word, or a word of a verb, is in no move."""
_NEEDED_BY = {"library": LIBRARY, "guest": GUEST_HOUSE}
"""The building without which there is no decision of a kind."""


_SHIPS = sorted({spaces for box in BOXES.values() for spaces in box.cargo})
_OWN = (*range(QUARRY + 1), *BUILDING_PLACES)


class PuertoRicoOrders:
    """What can be ordered ahead."""

    kinds: Mapping[str, Kind] = {
        "draft": Kind(("choose",), say("When you choose a building for the game:")),
        "role": Kind(("role",), say("When you take a role:"), condition="doubloons at least 5"),
        "settler": Kind(
            ("take", "pass"),
            say("When you take a tile in the settler phase, or turn one up:"),
            condition="quarry is gone",
        ),
        "library": Kind(
            ("take", "pass"),
            say("When you take a second plantation with the Library:"),
            condition="coffee is there",
        ),
        "mayor": Kind(
            ("place",),
            say("When you place your colonists:"),
            is_listed=False,
            condition="colonists at least 5",
        ),
        "builder": Kind(
            ("build", "pass"),
            say("When you build in the builder phase:"),
            condition="cost at most 2",
        ),
        "guest": Kind(
            ("guest", "pass"),
            say("When you can move a guest before your goods are produced:"),
            condition="san-juan is there",
        ),
        "craftsman": Kind(
            ("take", "pass"),
            say("When you take goods by the privilege of the craftsman:"),
            condition="barrels-coffee is gone",
        ),
        "trader": Kind(
            ("sell", "pass"),
            say("When you sell in the trader phase:"),
            condition="trading-house at most 2",
        ),
        "captain": Kind(
            ("load", "pass"),
            say("When you load in the captain phase:"),
            condition="room-6 at least 2",
        ),
        "store": Kind(
            ("store",),
            say("When you store goods after the captain phase:"),
            condition="barrels at least 4",
        ),
    }

    policies: Mapping[str, Policy] = {
        "sensible": Policy(
            {
                "mayor": say(
                    "Fill every circle that is of use, if there are colonists for all of these "
                    "and it makes no difference where the others go."
                ),
                "craftsman": say("Take all goods on offer, if you may take that many."),
            }
        ),
        "most": Policy(
            {
                "store": say(
                    "As many barrels as possible, of those the most valuable for the trader, and "
                    "of those with most coffee, then tobacco, sugar and indigo."
                )
            }
        ),
    }

    facts: Mapping[str, Sentence] = {
        "round": say("the round"),
        **{name: say("face-up plantations of {name}", name=name) for name in GOODS},
        "quarry": say("quarries left"),
        **{role: say("1 while nobody has taken the role in this round") for role in ROLES},
        **{PLACES[place]: say("copies of the building left") for place in BUILDING_PLACES},
        **{f"room-{spaces}": say("free spaces of the cargo ship") for spaces in _SHIPS},
        "trading-house": say("barrels in the trading house"),
        "vp-pool": say("VP left in the pool"),
        "supply": say("colonists left in the supply"),
        "ship": say("colonists on the colonist ship"),
        "doubloons": say("your doubloons"),
        "barrels": say("your barrels"),
        **{f"barrels-{name}": say("your barrels of {name}", name=name) for name in GOODS},
        "colonists": say("your colonists, those in San Juan as well"),
        "san-juan": say("your colonists in San Juan"),
        "island-spaces": say("free spaces of your island"),
        "city-spaces": say("free spaces of your city"),
        "own-forests": say("your forests"),
        **{f"own-{PLACES[place]}": say("how many of it you have") for place in _OWN},
        **{f"occupied-{PLACES[place]}": say("your colonists on it") for place in _OWN},
        "cost": say(
            "what the building costs you after quarries, the privilege of the builder and forests, "
            "before anything is returned for it with the Black Market"
        ),
        "earns": say("doubloons that the move brings you at once, 0 if it takes some"),
        "vp": say(
            "VP that the move brings you at once, with those printed on a building; 0 if it takes "
            "some"
        ),
    }

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game waits for."""
        return _KIND_OF[state.phase]

    def occasion(self, state: State) -> Hashable:
        """Return the phase of a role; in the draft each choice is an occasion of its own."""
        return state.round, state.roles_taken, state.phase, state.violet.bit_count()

    def round(self, state: State) -> int:
        """Return the round, counted from 1."""
        return state.round

    def counted(self, state: State, seat: int, move: Move) -> Mapping[str, int]:
        """Return the facts before a player makes a legal move."""
        return {
            **_on_the_table(state),
            **_of_player(state.players[seat]),
            **_of_move(state, seat, move),
        }

    def listed(self, state: State, seat: int) -> Sequence[Option]:
        """Return the legal moves in the order of the rules; none of too many, or of placements."""
        kind = self.kinds.get(self.kind(state))
        return (move_list(state, seat).options or ()) if kind and kind.is_listed else ()

    def choose(self, policy: str, state: State, seat: int) -> Move | None:
        """Return the legal move that a policy chooses."""
        choose = _POLICIES.get((policy, self.kind(state)))
        return choose(state) if choose and seat == state.seat else None

    def move(self, config: Config, kind: str, text: str) -> str:
        """Return a move of a decision of a kind, as an order has it. Raises InvalidMoveError."""
        full = in_full(with_verb(self.kinds, kind, text, VERBS))
        fault = _never(config, kind, full.split())
        if fault is not None:
            raise InvalidMoveError(fault)
        return full


ORDERS = PuertoRicoOrders()


# -- What can never be


def _never(config: Config, kind: str, words: list[str]) -> Sentence | None:
    """Return why a move in canonical words is possible in no decision of a kind in this game."""
    if kind == "draft" and config.buildings != DRAFT:
        return say("The players do not choose the buildings of this game.")
    if kind in _NEEDED_BY and not _is_possible(config, _NEEDED_BY[kind]):
        return say(
            "There is no decision of the kind {kind!r} without a {building}, which is not in this "
            "game.",
            kind=kind,
            building=PLACES[_NEEDED_BY[kind]],
        )
    return _impossible_word(config, words) or _impossible_move(config, kind, words)


def _is_possible(config: Config, building: int) -> bool:
    """Return whether a building can be in the game, as far as its options say."""
    return config.buildings != BASE or bool(BIT[building] & (BASE_KINDS | ~VIOLET))


def _impossible_word(config: Config, words: list[str]) -> Sentence | None:
    verb, *rest = words
    for word in rest:
        building = PLACES.index(word) if word in PLACES else -1
        if building in BUILDING_PLACES and not _is_possible(config, building):
            return say("There is no {building} in this game.", building=word)
        needed = _NEEDED_FOR.get(word) or _NEEDED_FOR.get((verb, word))
        if needed is not None and not _is_possible(config, needed):
            return say(
                "{word!r} needs a {building}, which is not in this game.",
                word=word,
                building=PLACES[needed],
            )
        if verb in ("place", "guest") and word in PLACES and not CIRCLES[building]:
            return say("{place} has no circle for a colonist.", place=word)
    return None


def _impossible_move(config: Config, kind: str, words: list[str]) -> Sentence | None:
    verb, *rest = words
    if verb in ("place", "store") or (verb == "load" and len(rest) == 1):
        return None
    match parse_move(" ".join(words)):
        case TakeRole(role) if role not in config.box.roles:
            return say(
                "There is no {role} with {players} players.",
                role=ROLES[role],
                players=config.seats,
            )
        case Take() as take if take not in _TAKES[kind]:
            return say(
                "{move!r} is never possible in a decision of the kind {kind!r}.",
                move=str(take),
                kind=kind,
            )
        case Take(_, second) if second != NO_GOOD and not _is_possible(config, LIBRARY):
            return say("Two goods take a library, which is not in this game.")
        case Load(_, onto) if onto >= 0 and onto not in config.box.cargo:
            return say(
                "There is no cargo ship of {onto} spaces; the ships have {spaces}.",
                onto=onto,
                spaces=enumerated(map(str, config.box.cargo)),
            )
    return None


# -- Policies


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


_POLICIES: dict[tuple[str, str], Callable[[State], Move | None]] = {
    ("sensible", "mayor"): _placement,
    ("sensible", "craftsman"): _privilege,
    ("most", "store"): _most_stored,
}
"""By the name of the policy and the kind of the decision."""


# -- Facts


def _on_the_table(state: State) -> dict[str, int]:
    return {
        "round": state.round,
        **dict(zip(GOODS, state.row, strict=True)),
        "quarry": state.quarries,
        **{ROLES[role]: int(state.taken[role] == NOBODY) for role in state.config.box.roles},
        **{PLACES[place]: state.copies[place] for place in BUILDING_PLACES},
        **{
            f"room-{spaces}": room(state, ship)
            for ship, spaces in enumerate(state.config.box.cargo)
        },
        "trading-house": len(state.trading_house),
        "vp-pool": state.vp_pool,
        "supply": state.supply,
        "ship": state.ship,
    }


def _of_player(player: Player) -> dict[str, int]:
    has = (*player.island[: QUARRY + 1], *NO_COLONISTS[QUARRY + 1 :])
    return {
        "doubloons": player.doubloons,
        "barrels": sum(player.goods),
        **{f"barrels-{name}": player.goods[good] for good, name in enumerate(GOODS)},
        "colonists": player.people,
        "san-juan": player.san_juan,
        "island-spaces": player.island_spaces,
        "city-spaces": player.city_spaces,
        "own-forests": player.forests,
        **{f"own-{PLACES[place]}": has[place] + bool(player.city & BIT[place]) for place in _OWN},
        **{f"occupied-{PLACES[place]}": player.colonists[place] for place in _OWN},
    }


def _of_move(state: State, seat: int, move: Move) -> dict[str, int]:
    option = option_of(state, move)
    return {
        "cost": price(state, seat, move.building) if isinstance(move, Build) else 0,
        "earns": max(0, option.doubloons),
        "vp": max(0, option.vp),
    }
