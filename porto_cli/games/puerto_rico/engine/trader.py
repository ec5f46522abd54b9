"""The trader: one barrel each, to the trading house or the own trading post."""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    HOUSE_SPACES,
    LARGE_MARKET,
    LIBRARY,
    NO_GOODS,
    OFFICE,
    ONE,
    PRICES,
    SMALL_MARKET,
    TRADING_POST,
    plus,
)
from porto_cli.games.puerto_rico.engine.events import TRADING_HOUSE, Emptied, Event, Passed, Sold
from porto_cli.games.puerto_rico.engine.gains import earn, return_barrels
from porto_cli.games.puerto_rico.engine.guests import guest_moves
from porto_cli.games.puerto_rico.engine.moves import PASS, Move, Sell
from porto_cli.games.puerto_rico.engine.rounds import begin_phase, end_role, next_player
from porto_cli.games.puerto_rico.engine.state import TRADER_PHASE, State

SMALL_MARKET_PAYS = 1
LARGE_MARKET_PAYS = 2

_TO_HOUSE = tuple(Sell(good) for good in range(len(GOODS)))
_TO_POST = tuple(Sell(good, post=True) for good in range(len(GOODS)))


def begin_trader(state: State) -> None:
    """Begin with the chooser."""
    begin_phase(state, TRADER_PHASE)


def has_occasion(state: State) -> bool:
    """Tell whether there is anything to decide: not without barrels."""
    return state.players[state.seat].goods != NO_GOODS


def legal_sales(state: State) -> list[Move]:
    """Return what the player to move can do (PR-TRADER-1 to PR-TRADER-3, PR-B-TRADING-POST)."""
    player = state.players[state.seat]
    moves: list[Move] = []
    if player.goods != NO_GOODS:
        goods = [good for good, number in enumerate(player.goods) if number]
        house = state.trading_house
        if len(house) < HOUSE_SPACES:
            office = player.colonists[OFFICE]
            moves += [_TO_HOUSE[good] for good in goods if office or good not in house]
        if player.colonists[TRADING_POST]:
            moves += [_TO_POST[good] for good in goods]
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


def check_sale(state: State, move: Sell) -> Iterator[Violation]:
    """PR-TRADER-1 to PR-TRADER-3, PR-B-OFFICE, PR-B-TRADING-POST."""
    player = state.players[state.seat]
    facts = {"player": state.config.players[state.seat], "good": GOODS[move.good]}
    if not player.goods[move.good]:
        yield Violation("PR-TRADER-1", say("{player} has no {good} to sell.", **facts))
    if move.post:
        if not player.colonists[TRADING_POST]:
            yield Violation(
                "PR-B-TRADING-POST", say("{player} has no occupied Trading Post.", **facts)
            )
        return
    house = state.trading_house
    if len(house) >= HOUSE_SPACES:
        yield Violation(
            "PR-TRADER-2",
            say("The trading house is full: it holds {spaces} barrels.", spaces=HOUSE_SPACES),
        )
    if move.good in house and not player.colonists[OFFICE]:
        yield Violation(
            "PR-TRADER-3",
            say(
                "The trading house already holds {good}, and {player} has no occupied Office.",
                **facts,
            ),
        )


def play_sale(state: State, move: Sell, events: list[Event]) -> None:
    """Sell a barrel."""
    seat = state.seat
    player = state.players[seat]
    player.goods = plus(player.goods, move.good, -1)
    if move.post:
        return_barrels(state, move.good, 1)
    else:
        state.trading_house = bytes(sorted(state.trading_house + ONE[move.good]))
    events.append(Sold(seat, move.good, move.post))
    for reason, doubloons in sale(state, seat, move):
        earn(state, seat, reason, doubloons, events)
    _end_turn(state, events)


def pass_sale(state: State, events: list[Event]) -> None:
    """Sell nothing."""
    events.append(Passed(state.seat))
    _end_turn(state, events)


def _end_turn(state: State, events: list[Event]) -> None:
    """PR-TRADER-4."""
    if next_player(state):
        return
    house = state.trading_house
    if len(house) >= HOUSE_SPACES:
        for good in house:
            return_barrels(state, good, 1)
        state.trading_house = b""
        events.append(Emptied(TRADING_HOUSE, bytes(map(house.count, range(len(GOODS))))))
    end_role(state, events)
