"""Goods made and sold: the craftsman's phase and the trader's.

With the craftsman everybody produces, and the chooser takes one barrel more. With the trader each
player sells one barrel, to the trading house or to a trading post of their own.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from operator import add, le, sub

from porto_cli.core.message import Refusals
from porto_cli.games.puerto_rico.engine.components import (
    AQUEDUCT,
    CORN,
    FACTORY,
    GOODS,
    HOUSE_SPACES,
    INDIGO,
    INDIGO_PLANT,
    LARGE_MARKET,
    LIBRARY,
    NO_GOOD,
    NO_GOODS,
    OFFICE,
    ONE,
    PRICES,
    PRODUCERS,
    SMALL_MARKET,
    SPECIALTY_FACTORY,
    SUGAR,
    SUGAR_MILL,
    TRADING_POST,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import (
    begin_phase,
    earn,
    end_role,
    guest_moves,
    next_player,
    return_barrels,
)
from porto_cli.games.puerto_rico.engine.moves import (
    PASS,
    TRADING_HOUSE,
    Emptied,
    Event,
    Move,
    Pass,
    Produced,
    Sell,
    Sold,
    Take,
    TookGoods,
)
from porto_cli.games.puerto_rico.engine.state import (
    CRAFTSMAN_PHASE,
    PRIVILEGE_PHASE,
    State,
)

FACTORY_EARNS = (0, 0, 1, 2, 3, 5)
"""Doubloons by the number of kinds produced (PR-B-FACTORY)."""

_AQUEDUCT_MILLS = ((INDIGO, INDIGO_PLANT), (SUGAR, SUGAR_MILL))


def produce(state: State, events: list[Event]) -> None:
    """Produce, clockwise, until an owner of guests has something to decide."""
    while state.phase == CRAFTSMAN_PHASE and not guest_moves(state):
        _produce(state, events)


def produce_now(state: State, move: Pass, events: list[Event]) -> None:
    """Produce, and let the next ones do so."""
    _produce(state, events)
    produce(state, events)


def yields(colonists: bytes, supply: bytes) -> bytes:
    """Return what a player whose colonists are so would produce from this supply of barrels.

    PR-CRAFTSMAN-1 to PR-CRAFTSMAN-3, PR-B-AQUEDUCT.
    """
    goods = _capacity(colonists[: AQUEDUCT + 1])
    return goods if all(map(le, goods, supply)) else bytes(map(min, goods, supply))


@lru_cache(maxsize=4096)
def _capacity(colonists: bytes) -> bytes:
    """Return what colonists on the places up to the Aqueduct make if the supply suffices."""
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
    """Return the goods that the privilege could take (PR-CRAFTSMAN-4)."""
    supply = state.goods_supply
    return [good for good, number in enumerate(state.produced) if number and supply[good]]


def legal_privileges(state: State) -> list[Move]:
    """Return what the chooser can take in addition (PR-CRAFTSMAN-4, PR-B-LIBRARY)."""
    goods = takeable(state)
    if not goods:
        return [PASS]
    moves: list[Move] = [Take(good) for good in goods]
    if state.players[state.seat].colonists[LIBRARY]:
        moves += [Take(*pair) for pair in combinations(goods, 2)]
    return [*moves, PASS, *guest_moves(state)]


def refuse_privilege(state: State, move: Take) -> Refusals:
    """Return why the chooser cannot take these barrels."""
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
    """Take one barrel more, or two."""
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
    """The role is over once the chooser has taken what the privilege gives, or nothing."""
    state.produced = NO_GOODS
    end_role(state, events)


SMALL_MARKET_PAYS = 1
LARGE_MARKET_PAYS = 2


def legal_sales(state: State) -> list[Move]:
    """Return what the player to move can do (PR-TRADER-1 to PR-TRADER-3, PR-B-TRADING-POST)."""
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
    """Return what a sale earns a player, by reason.

    PR-TRADER-1, PR-B-MARKET, PR-B-TRADING-POST, PR-B-LIBRARY.
    """
    colonists = state.players[seat].colonists
    earns = [("sale", PRICES[move.good])]
    if seat == state.chooser:
        earns.append(("trader", 2 if colonists[LIBRARY] else 1))
    if not move.post:
        if colonists[SMALL_MARKET]:
            earns.append(("small-market", SMALL_MARKET_PAYS))
        if colonists[LARGE_MARKET]:
            earns.append(("large-market", LARGE_MARKET_PAYS))
    return earns


def refuse_sale(state: State, move: Sell) -> Refusals:
    """Return why the player to move cannot sell this barrel, or not there."""
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
