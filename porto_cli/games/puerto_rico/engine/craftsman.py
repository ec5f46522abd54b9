"""The craftsman: everybody produces, and the chooser takes one barrel more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import (
    AQUEDUCT,
    CORN,
    FACTORY,
    GOODS,
    INDIGO,
    INDIGO_PLANT,
    LIBRARY,
    NO_GOOD,
    NO_GOODS,
    PRODUCERS,
    SPECIALTY_FACTORY,
    SUGAR,
    SUGAR_MILL,
    plus,
)
from porto_cli.games.puerto_rico.engine.events import Event, Passed, Produced, TookGoods
from porto_cli.games.puerto_rico.engine.gains import earn, return_barrels
from porto_cli.games.puerto_rico.engine.guests import guest_moves
from porto_cli.games.puerto_rico.engine.moves import PASS, Move, Take
from porto_cli.games.puerto_rico.engine.rounds import begin_phase, end_role, next_player
from porto_cli.games.puerto_rico.engine.state import (
    CRAFTSMAN_PHASE,
    PRIVILEGE_PHASE,
    Player,
    State,
)

FACTORY_EARNS = (0, 0, 1, 2, 3, 5)
"""Doubloons by the number of kinds produced (PR-B-FACTORY)."""

_AQUEDUCT_MILLS = ((INDIGO, INDIGO_PLANT), (SUGAR, SUGAR_MILL))
_ONE_GOOD = tuple(Take(good) for good in range(len(GOODS)))
_TWO_GOODS = {pair: Take(*pair) for pair in combinations(range(len(GOODS)), 2)}


def begin_craftsman(state: State, events: list[Event]) -> None:
    """Produce, the chooser first, until an owner of guests has something to decide."""
    begin_phase(state, CRAFTSMAN_PHASE)
    _go_on(state, events)


def _go_on(state: State, events: list[Event]) -> None:
    while not guest_moves(state):
        _produce(state, events)
        if not next_player(state):
            begin_phase(state, PRIVILEGE_PHASE)
            return


def legal_before_production(state: State) -> list[Move]:
    """Return what an owner of guests can do before the own production (PR-B-GUEST-HOUSE)."""
    return [PASS, *guest_moves(state)]


def pass_production(state: State, events: list[Event]) -> None:
    """Produce now."""
    _produce(state, events)
    if next_player(state):
        _go_on(state, events)
    else:
        begin_phase(state, PRIVILEGE_PHASE)


def yields(player: Player, supply: bytes) -> bytes:
    """Return what a player would produce from this supply of barrels.

    PR-CRAFTSMAN-1 to PR-CRAFTSMAN-3, PR-B-AQUEDUCT.
    """
    colonists = player.colonists
    goods = bytearray(NO_GOODS)
    for good, producers in enumerate(PRODUCERS):
        number = colonists[good]
        if number and good != CORN:
            number = min(number, sum([colonists[place] for place in producers]))
        goods[good] = min(number, supply[good])
    if colonists[AQUEDUCT]:
        for good, mill in _AQUEDUCT_MILLS:
            if goods[good] and colonists[mill] and goods[good] < supply[good]:
                goods[good] += 1
    return bytes(goods)


def _produce(state: State, events: list[Event]) -> None:
    seat = state.seat
    player = state.players[seat]
    goods = yields(player, state.goods_supply)
    player.goods = bytes(map(int.__add__, player.goods, goods))
    state.goods_supply = bytes(map(int.__sub__, state.goods_supply, goods))
    if seat == state.chooser:
        state.produced = goods
    events.append(Produced(seat, goods))
    if player.colonists[FACTORY]:
        kinds = len(GOODS) - goods.count(0)
        earn(state, seat, "factory", FACTORY_EARNS[kinds], events)
    if player.colonists[SPECIALTY_FACTORY]:
        earn(state, seat, "specialty-factory", max(0, max(goods[CORN + 1 :]) - 1), events)


def takeable(state: State) -> list[int]:
    """Return the goods that the privilege could take (PR-CRAFTSMAN-4)."""
    supply = state.goods_supply
    return [good for good, number in enumerate(state.produced) if number and supply[good]]


def has_occasion(state: State) -> bool:
    """Tell whether there is anything to take by privilege."""
    return bool(takeable(state))


def legal_privileges(state: State) -> list[Move]:
    """Return what the chooser can take in addition (PR-CRAFTSMAN-4, PR-B-LIBRARY)."""
    goods = takeable(state)
    if not goods:
        return [PASS]
    moves: list[Move] = [_ONE_GOOD[good] for good in goods]
    if state.players[state.seat].colonists[LIBRARY]:
        moves += [_TWO_GOODS[pair] for pair in combinations(goods, 2)]
    return [*moves, PASS, *guest_moves(state)]


def check_privilege(state: State, move: Take) -> Iterator[Violation]:
    """PR-CRAFTSMAN-4, PR-B-LIBRARY."""
    facts = {"player": state.config.players[state.seat]}
    for good in dict.fromkeys((move.what, move.second)):
        if good == NO_GOOD:
            continue
        if not state.produced[good]:
            yield Violation(
                "PR-CRAFTSMAN-4",
                say("{player} has produced no {good} in this phase.", good=GOODS[good], **facts),
            )
        if not state.goods_supply[good]:
            yield Violation(
                "PR-CRAFTSMAN-4", say("There is no {good} left in the supply.", good=GOODS[good])
            )
    if move.second == NO_GOOD:
        return
    if not state.players[state.seat].colonists[LIBRARY]:
        yield Violation(
            "PR-B-LIBRARY",
            say("{player} has no occupied Library, and takes one barrel.", **facts),
        )
    if move.second == move.what:
        yield Violation("PR-B-LIBRARY", say("The two barrels have to be of different kinds."))


def play_privilege(state: State, move: Take, events: list[Event]) -> None:
    """Take one barrel more, or two."""
    player = state.players[state.seat]
    taken = NO_GOODS
    for good in (move.what, move.second):
        if good != NO_GOOD:
            taken = plus(taken, good, 1)
            player.goods = plus(player.goods, good, 1)
            return_barrels(state, good, -1)
    events.append(TookGoods(state.seat, taken))
    _end(state, events)


def pass_privilege(state: State, events: list[Event]) -> None:
    """Take nothing more."""
    events.append(Passed(state.seat))
    _end(state, events)


def _end(state: State, events: list[Event]) -> None:
    state.produced = NO_GOODS
    end_role(state, events)
