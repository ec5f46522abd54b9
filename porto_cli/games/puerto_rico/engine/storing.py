"""After the captain: what is not stored goes back to the supply."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    LARGE_WAREHOUSE,
    NO_GOOD,
    NO_GOODS,
    ONE,
    SMALL_WAREHOUSE,
    STOREHOUSE,
    plus,
)
from porto_cli.games.puerto_rico.engine.events import Emptied, Event, Stored
from porto_cli.games.puerto_rico.engine.gains import return_barrels
from porto_cli.games.puerto_rico.engine.guests import guest_moves
from porto_cli.games.puerto_rico.engine.moves import Move, Store
from porto_cli.games.puerto_rico.engine.rounds import end_role, next_player
from porto_cli.games.puerto_rico.engine.state import Player, State

STOREHOUSE_HOLDS = 3


def capacity(player: Player) -> tuple[int, int]:
    """Return how many kinds a player can store whole, and how many single barrels besides.

    PR-STORE-1, PR-B-WAREHOUSE, PR-B-STOREHOUSE.
    """
    colonists = player.colonists
    kinds = (colonists[SMALL_WAREHOUSE] > 0) + 2 * (colonists[LARGE_WAREHOUSE] > 0)
    return kinds, 1 + STOREHOUSE_HOLDS * (colonists[STOREHOUSE] > 0)


def can_store(goods: bytes, kinds: int, single: int) -> bool:
    """Tell whether barrels find room: the largest kinds in warehouses, the rest one by one."""
    rest = sorted(goods)[: len(GOODS) - kinds]
    return sum(rest) <= single


def has_occasion(state: State) -> bool:
    """Tell whether there is anything to decide: not if all barrels can be stored."""
    player = state.players[state.seat]
    return not can_store(player.goods, *capacity(player))


def legal_stores(state: State) -> list[Move]:
    """Return what the player to move can keep (PR-STORE-1, PR-STORE-2)."""
    player = state.players[state.seat]
    kinds, single = capacity(player)
    if can_store(player.goods, kinds, single):
        return [Store(player.goods)]
    moves: list[Move] = [Store(goods) for goods in _selections(player.goods, kinds, single)]
    return moves + guest_moves(state)


def _selections(goods: bytes, kinds: int, single: int) -> list[bytes]:
    """Return the selections to which no barrel can be added, if not everything can be stored."""
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
    """Return the goods of which one barrel more could be stored."""
    return [
        good
        for good in range(len(GOODS))
        if kept[good] < goods[good] and can_store(plus(kept, good, 1), kinds, single)
    ]


def check_store(state: State, move: Store) -> Iterator[Violation]:
    """PR-STORE-1, PR-STORE-2."""
    player = state.players[state.seat]
    kinds, single = capacity(player)
    facts: dict[str, object] = {"player": state.config.players[state.seat]}
    too_many = [good for good, number in enumerate(move.goods) if number > player.goods[good]]
    for good in too_many:
        yield Violation(
            "PR-STORE-1",
            say(
                "{player} has {owned} {good}, not {number}.",
                owned=player.goods[good],
                good=GOODS[good],
                number=move.goods[good],
                **facts,
            ),
        )
    if not can_store(move.goods, kinds, single):
        yield Violation(
            "PR-STORE-1",
            say(
                "Kinds that {player} can store whole: {kinds}; single barrels besides: {single}.",
                kinds=kinds,
                single=single,
                **facts,
            ),
        )
        return
    addable = _addable(player.goods, move.goods, kinds, single)
    if addable:
        yield Violation(
            "PR-STORE-2",
            say(
                "{player} has to store as much as possible: there is room for one {good} more.",
                good=GOODS[addable[0]],
                **facts,
            ),
        )


def play_store(state: State, move: Store, events: list[Event]) -> None:
    """Store these barrels; the others go back to the supply."""
    player = state.players[state.seat]
    returned = bytes(map(int.__sub__, player.goods, move.goods))
    if returned != NO_GOODS:
        state.goods_supply = bytes(map(int.__add__, state.goods_supply, returned))
        player.goods = move.goods
    events.append(Stored(state.seat, move.goods, returned))
    if not next_player(state):
        _empty_ships(state, events)
        end_role(state, events)


def _empty_ships(state: State, events: list[Event]) -> None:
    """PR-STORE-4."""
    for ship, spaces in enumerate(state.config.box.cargo):
        good, barrels = state.cargo_goods[ship], state.cargo_barrels[ship]
        if barrels >= spaces:
            return_barrels(state, good, barrels)
            goods, numbers = state.cargo_goods, state.cargo_barrels
            state.cargo_goods = goods[:ship] + ONE[NO_GOOD] + goods[ship + 1 :]
            state.cargo_barrels = numbers[:ship] + ONE[0] + numbers[ship + 1 :]
            events.append(Emptied(spaces, plus(NO_GOODS, good, barrels)))
