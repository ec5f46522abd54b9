"""Goods: made by the craftsman, sold to the trader, loaded by the captain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice, product
from math import prod
from operator import add, le, sub

from porto_cli.core import Refusals, plural
from porto_cli.games.puerto_rico.engine import (
    AQUEDUCT,
    CORN,
    FACTORY,
    GOODS,
    HARBOR,
    HOUSE_SPACES,
    INDIGO,
    INDIGO_PLANT,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    LIBRARY,
    LIGHTHOUSE,
    NO_GOOD,
    NO_GOODS,
    OFFICE,
    ONE,
    PRODUCERS,
    SALE_PRICES,
    SMALL_MARKET,
    SMALL_WAREHOUSE,
    SMALL_WHARF,
    SPECIALTY_FACTORY,
    STOREHOUSE,
    SUGAR,
    SUGAR_MILL,
    TRADING_POST,
    UNION_HALL,
    WHARF,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import (
    begin_phase,
    earn,
    end_role,
    guest_moves,
    next_player,
    return_barrels,
    score,
)
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    BY_WHARF,
    PASS,
    TRADING_HOUSE,
    Emptied,
    Event,
    Load,
    Loaded,
    LoadSmallWharf,
    Move,
    Pass,
    Produced,
    Sell,
    Sold,
    Store,
    Stored,
    Take,
    TookGoods,
)
from porto_cli.games.puerto_rico.engine.state import (
    CRAFTSMAN_PHASE,
    PRIVILEGE_PHASE,
    STORE_PHASE,
    Player,
    State,
)

# -- Making and selling goods: the phases of the craftsman and the trader
#
# In the craftsman phase all players produce, and the chooser takes one barrel more. In the trader
# phase each player may sell one barrel, to the trading house or to their own trading post.

FACTORY_EARNS = (0, 0, 1, 2, 3, 5)
"""Doubloons by the number of kinds produced (PR-B-FACTORY)."""

_AQUEDUCT_MILLS = ((INDIGO, INDIGO_PLANT), (SUGAR, SUGAR_MILL))


def produce(state: State, events: list[Event]) -> None:
    """Let players produce, clockwise, until one with guests has something to decide."""
    while state.phase == CRAFTSMAN_PHASE and not guest_moves(state):
        _produce(state, events)


def produce_now(state: State, move: Pass, events: list[Event]) -> None:
    """Let the player to move produce, and then the next ones."""
    _produce(state, events)
    produce(state, events)


def yields(colonists: bytes, supply: bytes) -> bytes:
    """Return what a player with these colonists would produce from this supply of barrels.

    PR-CRAFTSMAN-1 to PR-CRAFTSMAN-3, PR-B-AQUEDUCT.
    """
    goods = _capacity(colonists[: AQUEDUCT + 1])
    return goods if all(map(le, goods, supply)) else bytes(map(min, goods, supply))


@lru_cache(maxsize=4096)
def _capacity(colonists: bytes) -> bytes:
    """Return what colonists on the places up to the Aqueduct produce if the supply suffices."""
    goods = bytearray(NO_GOODS)
    for good, producers in enumerate(PRODUCERS):
        number = colonists[good]
        if good != CORN:
            number = min(number, sum([colonists[place] for place in producers]))
        goods[good] = number
    if colonists[AQUEDUCT]:
        for good, mill in _AQUEDUCT_MILLS:
            if goods[good] and colonists[mill]:
                goods[good] += 1
    return bytes(goods)


def _produce(state: State, events: list[Event]) -> None:
    seat = state.seat
    player = state.players[seat]
    goods = yields(player.colonists, state.goods_supply)
    if goods != NO_GOODS:
        player.goods = bytes(map(add, player.goods, goods))
        state.goods_supply = bytes(map(sub, state.goods_supply, goods))
    if seat == state.chooser:
        state.produced = goods
    events.append(Produced(seat=seat, goods=goods))
    colonists = player.colonists
    if colonists[FACTORY]:
        kinds = len(GOODS) - goods.count(0)
        earn(state, seat, "factory", FACTORY_EARNS[kinds], events)
    if colonists[SPECIALTY_FACTORY]:
        earn(state, seat, "specialty-factory", max(0, max(goods[CORN + 1 :]) - 1), events)
    if not next_player(state):
        begin_phase(state, PRIVILEGE_PHASE)


def takeable(state: State) -> list[int]:
    """Return the goods that the chooser could take by privilege (PR-CRAFTSMAN-4)."""
    supply = state.goods_supply
    return [good for good, number in enumerate(state.produced) if number and supply[good]]


def legal_privileges(state: State) -> list[Move]:
    """Return the moves of the chooser's privilege (PR-CRAFTSMAN-4, PR-B-LIBRARY)."""
    goods = takeable(state)
    if not goods:
        return [PASS]
    moves: list[Move] = [Take(good) for good in goods]
    if state.players[state.seat].colonists[LIBRARY]:
        moves += [Take(*pair) for pair in combinations(goods, 2)]
    return [*moves, PASS, *guest_moves(state)]


def refuse_privilege(state: State, move: Take) -> Refusals:
    """Yield why the chooser cannot take these barrels."""
    name = state.config.players[state.seat]
    for good in dict.fromkeys((move.what, move.second)):
        if good != NO_GOOD and not state.produced[good]:
            yield "PR-CRAFTSMAN-4", f"{name} has produced no {GOODS[good]} in this phase."
        if good != NO_GOOD and not state.goods_supply[good]:
            yield "PR-CRAFTSMAN-4", f"There is no {GOODS[good]} left in the supply."
    if move.second != NO_GOOD:
        if not state.players[state.seat].colonists[LIBRARY]:
            yield "PR-B-LIBRARY", f"{name} has no occupied Library, so takes only one barrel."
        if move.second == move.what:
            yield "PR-B-LIBRARY", "The two barrels must be of different kinds."


def play_privilege(state: State, move: Take, events: list[Event]) -> None:
    """Take one or two more barrels."""
    player = state.players[state.seat]
    taken = NO_GOODS
    for good in (move.what, move.second):
        if good != NO_GOOD:
            taken = plus(taken, good, 1)
            player.goods = plus(player.goods, good, 1)
            return_barrels(state, good, -1)
    events.append(TookGoods(seat=state.seat, goods=taken))
    end_production(state, events)


def end_production(state: State, events: list[Event]) -> None:
    """End the role, after the privilege was used or declined."""
    state.produced = NO_GOODS
    end_role(state, events)


SMALL_MARKET_PAYS = 1
LARGE_MARKET_PAYS = 2


def legal_sales(state: State) -> list[Move]:
    """Return the legal moves of the phase (PR-TRADER-1 to PR-TRADER-3, PR-B-TRADING-POST)."""
    player = state.players[state.seat]
    moves: list[Move] = []
    if player.goods != NO_GOODS:
        goods = [good for good, number in enumerate(player.goods) if number]
        house = state.trading_house
        if len(house) < HOUSE_SPACES:
            office = player.colonists[OFFICE]
            moves += [Sell(good) for good in goods if office or good not in house]
        if player.colonists[TRADING_POST]:
            moves += [Sell(good, post=True) for good in goods]
        moves += guest_moves(state)
    moves.append(PASS)
    return moves


def sale(state: State, seat: int, move: Sell) -> list[tuple[str, int]]:
    """Return the doubloons that a sale earns a player, by reason.

    PR-TRADER-1, PR-B-MARKET, PR-B-TRADING-POST, PR-B-LIBRARY.
    """
    colonists = state.players[seat].colonists
    earns = [("sale", SALE_PRICES[move.good])]
    if seat == state.chooser:
        earns.append(("trader", 2 if colonists[LIBRARY] else 1))
    if not move.post:
        if colonists[SMALL_MARKET]:
            earns.append(("small-market", SMALL_MARKET_PAYS))
        if colonists[LARGE_MARKET]:
            earns.append(("large-market", LARGE_MARKET_PAYS))
    return earns


def refuse_sale(state: State, move: Sell) -> Refusals:
    """Yield why the player to move cannot sell this barrel there."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    good, house = GOODS[move.good], state.trading_house
    if not player.goods[move.good]:
        yield "PR-TRADER-1", f"{name} has no {good} to sell."
    if move.post:
        if not player.colonists[TRADING_POST]:
            yield "PR-B-TRADING-POST", f"{name} has no occupied Trading Post."
        return
    if len(house) >= HOUSE_SPACES:
        yield "PR-TRADER-2", f"The trading house is full: it holds {HOUSE_SPACES} barrels."
    if move.good in house and not player.colonists[OFFICE]:
        why = f"The trading house already has {good}, and {name} has no occupied Office."
        yield "PR-TRADER-3", why


def play_sale(state: State, move: Sell, events: list[Event]) -> None:
    """Sell a barrel."""
    seat = state.seat
    player = state.players[seat]
    player.goods = plus(player.goods, move.good, -1)
    if move.post:
        return_barrels(state, move.good, 1)
    else:
        state.trading_house = bytes(sorted(state.trading_house + ONE[move.good]))
    events.append(Sold(seat=seat, good=move.good, post=move.post))
    for reason, doubloons in sale(state, seat, move):
        earn(state, seat, reason, doubloons, events)
    end_sale(state, events)


def end_sale(state: State, events: list[Event]) -> None:
    """Go on with the next player; after the last one a full house is emptied (PR-TRADER-4)."""
    if next_player(state):
        return
    house = state.trading_house
    if len(house) >= HOUSE_SPACES:
        for good in house:
            return_barrels(state, good, 1)
        state.trading_house = b""
        events.append(Emptied(what=TRADING_HOUSE, goods=bytes(map(house.count, range(len(GOODS))))))
    end_role(state, events)


# -- The captain: barrels are loaded onto ships for VP, then stored or lost

LIGHTHOUSE_PAYS = 1


def room(state: State, ship: int) -> int:
    """Return the free spaces of a cargo ship, counted from 0."""
    return state.config.box.cargo[ship] - state.cargo_barrels[ship]


def ships_for(state: State, good: int, barrels: int) -> list[int]:
    """Return the cargo ships onto which a player may load this many barrels of a good.

    PR-CAPTAIN-3, PR-GUIDE-1.
    """
    found = takers(good, state.cargo_goods, state.cargo_barrels, state.config.box.cargo, NO_GOOD)
    # Only one ship carries a kind: where there are several, they are empty.
    if state.config.guide or len(found) < 2:
        return found
    loads = [min(barrels, room(state, ship)) for ship in found]
    most = max(loads)
    return [ship for ship, load in zip(found, loads, strict=True) if load == most]


def takers(
    good: object,
    carried: Sequence[object],
    barrels: Sequence[int],
    spaces: Sequence[int],
    nothing: object,
) -> list[int]:
    """Return the cargo ships that take a good, by what they carry, maybe ``nothing``: the one that
    has it, as long as there is room, else all empty ones (PR-CAPTAIN-3).
    """
    if good in carried:
        return [at for at, kind in enumerate(carried) if kind == good and barrels[at] < spaces[at]]
    return [at for at, kind in enumerate(carried) if kind == nothing]


def cargo_loads(state: State) -> list[Move]:
    """Return the loads onto cargo ships that are legal for the player to move."""
    spaces = state.config.box.cargo
    return [
        Load(good, spaces[ship])
        for good, number in enumerate(state.players[state.seat].goods)
        if number
        for ship in ships_for(state, good, number)
    ]


def can_use(state: State, wharf: int) -> bool:
    """Return whether the player to move can still use a Wharf or Small Wharf (PR-B-WHARF,
    PR-B-SMALL-WHARF).
    """
    used = state.wharf_used if wharf == WHARF else state.small_wharf_used
    return state.players[state.seat].colonists[wharf] > 0 and not used >> state.seat & 1


def _refuse_wharf(state: State, wharf: int, rule: str, called: str) -> Refusals:
    name = state.config.players[state.seat]
    if not state.players[state.seat].colonists[wharf]:
        yield rule, f"{name} has no occupied {called}."
    elif not can_use(state, wharf):
        yield rule, f"{name} has already used the {called} in this phase."


def legal_loads(state: State, limit: int) -> list[Move]:
    """Return the legal moves of the phase, not many more than ``limit``."""
    player = state.players[state.seat]
    if player.goods == NO_GOODS:
        return [PASS]
    moves = cargo_loads(state)
    if not moves:
        moves.append(PASS)
    if can_use(state, WHARF):
        moves += [Load(good, BY_WHARF) for good, barrels in enumerate(player.goods) if barrels]
    moves += guest_moves(state)
    if can_use(state, SMALL_WHARF):
        bundles = product(*(range(barrels, -1, -1) for barrels in player.goods))
        loads = (LoadSmallWharf(bytes(goods)) for goods in bundles if any(goods))
        moves += islice(loads, max(0, limit - len(moves)))
    return moves


def count_loads(state: State) -> int:
    """Return the number of legal moves, without listing those of a Small Wharf."""
    player = state.players[state.seat]
    number = len(legal_loads(state, 0))
    if can_use(state, SMALL_WHARF) and player.goods != NO_GOODS:
        number += prod(barrels + 1 for barrels in player.goods) - 1
    return number


def refuse_load(state: State, move: Load) -> Refusals:
    """Yield why the player to move cannot load this good onto this ship."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    good, barrels = GOODS[move.good], player.goods[move.good]
    spaces = state.config.box.cargo
    if not barrels:
        yield "PR-CAPTAIN-1", f"{name} has no {good} to load."
    if move.onto == BY_WHARF:
        yield from _refuse_wharf(state, WHARF, "PR-B-WHARF", "Wharf")
    elif move.onto in spaces:
        yield from _refuse_ship(state, move, spaces.index(move.onto), barrels)
    else:
        ships = ", ".join(map(str, spaces))
        yield "PR-CAPTAIN-1", f"There is no ship with {move.onto} spaces; the ships have {ships}."


def _refuse_ship(state: State, move: Load, ship: int, barrels: int) -> Refusals:
    good, onto, carried = GOODS[move.good], move.onto, state.cargo_goods
    spaces = state.config.box.cargo
    if carried[ship] not in (move.good, NO_GOOD):
        yield "PR-CAPTAIN-3", f"The {onto}-space ship carries {GOODS[carried[ship]]}."
    if room(state, ship) <= 0:
        yield "PR-CAPTAIN-3", f"The {onto}-space ship is full."
    if move.good in carried and carried[ship] != move.good:
        other = spaces[carried.index(move.good)]
        yield "PR-CAPTAIN-3", f"The {other}-space ship carries {good}, so no other ship may."
    elif carried[ship] == NO_GOOD and barrels:
        allowed = ships_for(state, move.good, barrels)
        if ship not in allowed:
            fewer, larger = min(barrels, room(state, ship)), spaces[allowed[0]]
            why = (
                f"The {onto}-space ship takes only {fewer} of the {barrels} {good}; use one that "
                f"takes the most, such as the {larger}-space ship."
            )
            yield "PR-CAPTAIN-3", why


def refuse_small_wharf(state: State, move: LoadSmallWharf) -> Refusals:
    """Yield why the player to move cannot load these barrels by the Small Wharf."""
    yield from _refuse_barrels("PR-CAPTAIN-1", state, move.goods)
    if move.goods == NO_GOODS:
        yield "PR-B-SMALL-WHARF", "Load at least one barrel."
    yield from _refuse_wharf(state, SMALL_WHARF, "PR-B-SMALL-WHARF", "Small Wharf")


def _refuse_barrels(rule: str, state: State, goods: bytes) -> Refusals:
    name, owned = state.config.players[state.seat], state.players[state.seat].goods
    for good, barrels in enumerate(goods):
        if barrels > owned[good]:
            yield rule, f"{name} has {owned[good]} {GOODS[good]}, not {barrels}."


def refuse_pass(state: State, move: Pass) -> Refusals:
    """Yield why the player to move has to load."""
    goods = dict.fromkeys(GOODS[load.good] for load in cargo_loads(state) if isinstance(load, Load))
    if goods:
        name = state.config.players[state.seat]
        why = f"{name} must load: the cargo ships have room for {', '.join(goods)}."
        yield "PR-CAPTAIN-4", why


def play_load(state: State, move: Load, events: list[Event]) -> None:
    """Load onto a cargo ship, or by the Wharf."""
    seat = state.seat
    good = move.good
    barrels = state.players[seat].goods[good]
    if move.onto == BY_WHARF:
        state.wharf_used |= 1 << seat
        return_barrels(state, good, barrels)
    else:
        ship = state.config.box.cargo.index(move.onto)
        barrels = min(barrels, room(state, ship))
        carried = state.cargo_goods
        state.cargo_goods = carried[:ship] + ONE[good] + carried[ship + 1 :]
        state.cargo_barrels = plus(state.cargo_barrels, ship, barrels)
    _credit(state, plus(NO_GOODS, good, barrels), move.onto, barrels, events)


def play_small_wharf(state: State, move: LoadSmallWharf, events: list[Event]) -> None:
    """Load by the Small Wharf: every two barrels bring 1 VP."""
    state.small_wharf_used |= 1 << state.seat
    for good, barrels in enumerate(move.goods):
        return_barrels(state, good, barrels)
    _credit(state, move.goods, BY_SMALL_WHARF, sum(move.goods) // 2, events)


def _credit(state: State, goods: bytes, onto: int, vp: int, events: list[Event]) -> None:
    """Take the barrels from the player, and score the load.

    PR-CAPTAIN-1, PR-B-HARBOR, PR-B-LIGHTHOUSE, PR-B-UNION-HALL, PR-B-LIBRARY.
    """
    seat = state.seat
    player = state.players[seat]
    colonists = player.colonists
    first = not state.loaded >> seat & 1
    if first and colonists[UNION_HALL]:
        pairs = sum([barrels // 2 for barrels in player.goods])
        score(state, seat, "union-hall", pairs, events)
    player.goods = bytes(map(sub, player.goods, goods))
    events.append(Loaded(seat=seat, goods=goods, onto=onto))
    score(state, seat, "shipping", vp, events)
    if first and seat == state.chooser:
        score(state, seat, "captain", 2 if colonists[LIBRARY] else 1, events)
    if colonists[HARBOR]:
        score(state, seat, "harbor", 1, events)
    if colonists[LIGHTHOUSE]:
        earn(state, seat, "lighthouse", LIGHTHOUSE_PAYS, events)
    state.loaded |= 1 << seat
    state.passes = 0
    state.seat = (seat + 1) % state.config.seats


def end_loading(state: State, events: list[Event]) -> None:
    """Go on after a pass; after a round of passes, store barrels (PR-CAPTAIN-2, PR-STORE-1)."""
    state.passes += 1
    state.seat = (state.seat + 1) % state.config.seats
    if state.passes >= state.config.seats:
        state.passes = state.loaded = state.wharf_used = state.small_wharf_used = 0
        begin_phase(state, STORE_PHASE)


STOREHOUSE_HOLDS = 3


def capacity(player: Player) -> tuple[int, int]:
    """Return how many whole kinds a player can store, and how many more single barrels.

    PR-STORE-1, PR-B-WAREHOUSE, PR-B-STOREHOUSE.
    """
    colonists = player.colonists
    kinds = (colonists[SMALL_WAREHOUSE] > 0) + 2 * (colonists[LARGE_WAREHOUSE] > 0)
    return kinds, 1 + STOREHOUSE_HOLDS * (colonists[STOREHOUSE] > 0)


def can_store(goods: bytes, kinds: int, single: int) -> bool:
    """Return whether there is room for barrels: the largest kinds in warehouses, then singly."""
    return sum(goods) <= single or sum(sorted(goods)[: len(GOODS) - kinds]) <= single


def has_storing_decision(state: State) -> bool:
    """Return whether there is anything to decide, as not all barrels can be stored."""
    player = state.players[state.seat]
    return not can_store(player.goods, *capacity(player))


def legal_stores(state: State) -> list[Move]:
    """Return the legal moves of the phase (PR-STORE-1, PR-STORE-2)."""
    player = state.players[state.seat]
    if not has_storing_decision(state):
        return [Store(player.goods)]
    kinds, single = capacity(player)
    return [*map(Store, _selections(player.goods, kinds, single)), *guest_moves(state)]


def _selections(goods: bytes, kinds: int, single: int) -> list[bytes]:
    """Return the selections of barrels to which none can be added, if there is not room for all."""
    held = [good for good, number in enumerate(goods) if number]
    found = set()
    for whole in combinations(held, kinds):
        loose = [good for good in held if good not in whole]
        for some in combinations_with_replacement(loose, single):
            if all(some.count(good) <= goods[good] for good in loose):
                selection = bytes(
                    goods[good] if good in whole else some.count(good) for good in range(len(GOODS))
                )
                if not _addable(goods, selection, kinds, single):
                    found.add(selection)
    return sorted(found, reverse=True)


def _addable(goods: bytes, kept: bytes, kinds: int, single: int) -> list[int]:
    """Return the goods of which one more barrel could be stored."""
    return [
        good
        for good in range(len(GOODS))
        if kept[good] < goods[good] and can_store(plus(kept, good, 1), kinds, single)
    ]


def refuse_store(state: State, move: Store) -> Refusals:
    """Yield why the player to move cannot store these barrels, or has to store more."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    kinds, single = capacity(player)
    yield from _refuse_barrels("PR-STORE-1", state, move.goods)
    if not can_store(move.goods, kinds, single):
        why = f"{name} can store {plural(kinds, 'whole kind')} and {plural(single, 'more barrel')}."
        yield "PR-STORE-1", why
        return
    for good in _addable(player.goods, move.goods, kinds, single)[:1]:
        why = f"{name} must store as much as possible: there is room for one more {GOODS[good]}."
        yield "PR-STORE-2", why


def play_store(state: State, move: Store, events: list[Event]) -> None:
    """Store these barrels; the others go back to the supply."""
    player = state.players[state.seat]
    returned = NO_GOODS
    if move.goods != player.goods:
        returned = bytes(map(sub, player.goods, move.goods))
        state.goods_supply = bytes(map(add, state.goods_supply, returned))
        state.players[state.seat].goods = move.goods
    events.append(Stored(seat=state.seat, goods=move.goods, returned=returned))
    if not next_player(state):
        _empty_ships(state, events)
        end_role(state, events)


def _empty_ships(state: State, events: list[Event]) -> None:
    """Empty the full cargo ships (PR-STORE-4)."""
    for ship, spaces in enumerate(state.config.box.cargo):
        good, barrels = state.cargo_goods[ship], state.cargo_barrels[ship]
        if barrels >= spaces:
            return_barrels(state, good, barrels)
            state.cargo_goods = plus(state.cargo_goods, ship, NO_GOOD - good)
            state.cargo_barrels = plus(state.cargo_barrels, ship, -barrels)
            events.append(Emptied(what=spaces, goods=plus(NO_GOODS, good, barrels)))
