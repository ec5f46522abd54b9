"""The setup: what chance decides before the first decision, the first state, and the draft."""

from __future__ import annotations

from operator import sub
from typing import NamedTuple

from porto_cli.core.chance import Chance, drawn
from porto_cli.core.message import Refusals
from porto_cli.games.puerto_rico.engine.components import (
    BASE_KINDS,
    BIT,
    BUILDING,
    BUILDING_PLACES,
    COST,
    FOREST_HOUSE,
    HACIENDA,
    NO_GOOD,
    ONE,
    PLACES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
    counts_of,
    pile_of,
    set_of,
)
from porto_cli.games.puerto_rico.engine.effects import STREAM
from porto_cli.games.puerto_rico.engine.house_rules import BASE, DRAFT, RANDOM
from porto_cli.games.puerto_rico.engine.moves import Choose, Chose, Event, Move
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, ROLE_PHASE, Config, Player, State

KINDS_OF_COST = {
    cost: set_of([place for place in buildings_in(VIOLET) if COST[place] == cost])
    for cost in sorted({COST[place] for place in buildings_in(VIOLET)})
}
"""The violet kinds of each cost, the lowest first."""

PLACES_OF_COST = {cost: (kinds & BASE_KINDS).bit_count() for cost, kinds in KINDS_OF_COST.items()}
"""How many violet kinds of each cost are in a game (PR-DRAFT-2)."""

_EITHER = BIT[HACIENDA] | BIT[FOREST_HOUSE]


class Deal(NamedTuple):
    """What chance decides before the first decision.

    ``kinds`` is the set of violet kinds in the game, empty where the players choose them;
    ``tiles`` the row: how many plantations of each kind.
    """

    kinds: int
    tiles: bytes


def deal(config: Config, chance: Chance) -> Deal:
    """Draw the violet kinds, if they are random, and turn up the row."""
    return Deal(deal_kinds(config, chance), deal_tiles(config, chance))


def deal_kinds(config: Config, chance: Chance) -> int:
    """Return the violet kinds of the game, as far as they are known (PR-SETUP-7, PR-RANDOM-1)."""
    if config.buildings != RANDOM:
        return config.kinds
    kinds = 0
    index = 0
    for cost, places in PLACES_OF_COST.items():
        for _ in range(places):
            allowed = buildings_in(kinds_allowed(kinds) & KINDS_OF_COST[cost])
            pile = bytes(sorted(allowed, key=PLACES.__getitem__))
            kinds |= BIT[pile[chance("buildings", index, pile)]]
            index += 1
    return kinds


def kinds_allowed(chosen: int) -> int:
    """Return the violet kinds that can still be chosen (PR-DRAFT-2, PR-DRAFT-3)."""
    allowed = VIOLET & ~chosen
    if chosen & _EITHER:
        allowed &= ~_EITHER
    for cost, kinds in KINDS_OF_COST.items():
        if (chosen & kinds).bit_count() >= PLACES_OF_COST[cost]:
            allowed &= ~kinds
    return allowed


def face_down_at_start(config: Config) -> bytes:
    """Return the plantations that are mixed face down, as a pile (PR-SETUP-3, PR-SETUP-4)."""
    starting = bytes(map(config.box.starting_tiles.count, range(len(config.plantations))))
    return pile_of(bytes(map(sub, config.plantations, starting)))


def deal_tiles(config: Config, chance: Chance) -> bytes:
    """Turn up the first row (PR-SETUP-4)."""
    return counts_of(drawn(face_down_at_start(config), config.row, STREAM, chance)[0])


def begin(config: Config, setup: Deal) -> State:
    """Return the table before the first decision (PR-SETUP-2 to PR-SETUP-7).

    Raises ValueError if the row asks for plantations that are not face down.
    """
    box = config.box
    state = State()
    state.config = config
    state.phase = DRAFT_PHASE if config.buildings == DRAFT else ROLE_PHASE
    state.players = [Player() for _ in config.players]
    for player, tile in zip(state.players, box.starting_tiles, strict=True):
        player.doubloons = box.doubloons
        player.add_tile(tile)
    state.violet = config.kinds if config.buildings == BASE else setup.kinds
    state.copies = copies_of(config, state.violet)
    state.row = setup.tiles
    face_down = counts_of(face_down_at_start(config))
    state.stack = pile_of(bytes(map(sub, face_down, setup.tiles)))
    state.tiles_drawn = sum(setup.tiles)
    state.quarries = config.quarries
    state.supply = box.colonists
    state.ship = box.ship
    state.goods_supply = config.barrels
    state.cargo_goods = ONE[NO_GOOD] * len(box.cargo)
    state.cargo_barrels = bytes(len(box.cargo))
    state.survey()
    return state


def copies_of(config: Config, violet: int) -> bytes:
    """Return the copies of each building, those of the production buildings included."""
    return bytes(
        number
        if place in BUILDING_PLACES and (not BUILDING[place].violet or violet & BIT[place])
        else 0
        for place, number in enumerate(config.copies)
    )


def legal_choices(state: State) -> list[Move]:
    """Return the kinds that can still be chosen."""
    return [Choose(place) for place in buildings_in(kinds_allowed(state.violet))]


def refuse_choice(state: State, move: Choose) -> Refusals:
    """Return why this building cannot be chosen for the game."""
    building, name = move.building, PLACES[move.building]
    if not VIOLET & BIT[building]:
        why = f"{name} is a production building; those are always in the game."
        yield "PR-DRAFT-1", why
        return
    if state.violet & BIT[building]:
        yield "PR-DRAFT-1", f"{name} has already been chosen."
    cost = COST[building]
    places = PLACES_OF_COST[cost]
    chosen = buildings_in(state.violet & KINDS_OF_COST[cost])
    if len(chosen) >= places:
        names = ", ".join(PLACES[place] for place in chosen)
        yield (
            "PR-DRAFT-2",
            f"A game has {places} violet buildings that cost {cost}; already chosen: {names}.",
        )
    if _EITHER & BIT[building]:
        for other in buildings_in(state.violet & _EITHER & ~BIT[building]):
            yield "PR-DRAFT-3", f"{name} cannot be chosen, because {PLACES[other]} was."


def play_choice(state: State, move: Choose, events: list[Event]) -> None:
    """Put the kind into the game; with the last one the first round begins."""
    state.violet |= BIT[move.building]
    state.copies = copies_of(state.config, state.violet)
    state.on_offer |= BIT[move.building]
    events.append(Chose(seat=state.seat, building=move.building))
    if state.violet.bit_count() == VIOLET_KINDS:
        state.phase = ROLE_PHASE
        state.seat = state.governor
    else:
        state.seat = (state.seat + 1) % state.config.seats
