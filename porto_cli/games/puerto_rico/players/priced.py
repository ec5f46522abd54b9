"""Priced: who takes what is worth most by rules of thumb, less what it is worth to the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from porto_cli.game import View
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.captain import room
from porto_cli.games.puerto_rico.engine.components import (
    CHURCH,
    COLUMN,
    FOREST,
    HARBOR,
    HOSPICE,
    LARGE_MARKET,
    LIBRARY,
    LIGHTHOUSE,
    NO_GOOD,
    NO_PLACE,
    QUARRY,
    SAN_JUAN,
    SMALL_MARKET,
    TRADING_POST,
    UNION_HALL,
    UNIVERSITY,
    WHARF,
    plus,
)
from porto_cli.games.puerto_rico.engine.craftsman import yields
from porto_cli.games.puerto_rico.engine.generate import legal_moves
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.moves import WHARF as BY_WHARF
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
    State,
)
from porto_cli.games.puerto_rico.engine.trader import sale
from porto_cli.games.puerto_rico.players.outlook import Outlook
from porto_cli.games.puerto_rico.players.placement import placement
from porto_cli.games.puerto_rico.players.prices import DRAFT, PRICES

LISTED = 200
"""Moves that are looked at; there are more only where most of them are much the same."""
AT_ONCE = 50.0
"""More than anything is worth: what is done before anything else."""

Scorer = Callable[[Move], float]


def priced_player(view: View, moves: Sequence[Move], luck: Random) -> Move:
    """Take the move that is worth most by rules of thumb."""
    if len(moves) == 1:
        return moves[0]
    return best_move(view.table, moves)


def best_move(state: State, moves: Sequence[Move] = ()) -> Move:
    """Return the move that is worth most to the player to move, of those given or of all."""
    outlook = Outlook(state, PRICES)
    if state.phase == MAYOR_PHASE:
        return placement(outlook, state.players[state.seat])
    return max(moves or legal_moves(state, limit=LISTED), key=scorer(outlook))


def likely_move(state: State, luck: Random, noise: float) -> Move:
    """Return a move of somebody who misjudges what moves are worth by up to so many VP."""
    outlook = Outlook(state, PRICES)
    random = luck.random
    if state.phase == MAYOR_PHASE:
        return placement(outlook, state.players[state.seat])
    worth = scorer(outlook)
    return max(legal_moves(state, limit=LISTED), key=lambda move: worth(move) + noise * random())


def scorer(outlook: Outlook) -> Scorer:
    """Return what tells the worth of a move of the player to move, in VP."""
    return _SCORERS[outlook.state.phase](outlook)


def _choice(outlook: Outlook) -> Scorer:
    def worth(move: Move) -> float:
        assert isinstance(move, Choose)
        return DRAFT.get(move.building, 0)

    return worth


def _role(outlook: Outlook) -> Scorer:
    state = outlook.state
    seat = state.seat
    seats = state.config.seats
    prices = outlook.prices
    following = (seat + 1) % seats
    scores: dict[int, float] = {}

    def worth(move: Move) -> float:
        if not isinstance(move, TakeRole):
            return -AT_ONCE
        role = move.role
        if role not in scores:
            gains = outlook.gains(role, seat)
            others = (sum(gains) - gains[seat]) / (seats - 1)
            scores[role] = (
                gains[seat]
                + state.role_doubloons[role] * outlook.doubloon
                - prices.others * others
                - prices.next * gains[following]
            )
        return scores[role] - move.no_colonist

    return worth


def _tile(outlook: Outlook) -> Scorer:
    state = outlook.state
    player = state.players[state.seat]

    def worth(move: Move) -> float:
        if not isinstance(move, Take):
            return 0.0 if not isinstance(move, MoveGuest) else _guest(move, _SETTLING)
        if move.what == FACE_DOWN:
            # It may be anything, but it costs nothing as long as there is space.
            return AT_ONCE if player.island_spaces > 2 else -1.0
        if move.forest:
            return outlook.tile(player, FOREST + move.what)
        manned = state.phase == SETTLER_PHASE and player.colonists[HOSPICE] > 0
        return outlook.tile(player, move.what, manned=manned and not move.no_colonist)

    return worth


def _guest(move: MoveGuest, helpful: tuple[int, ...]) -> float:
    """Return what it is worth to move a guest: much where that helps at once."""
    return AT_ONCE if move.place in helpful else -AT_ONCE


_SETTLING = (HOSPICE,)
_BUILDING = (UNIVERSITY, LIBRARY, QUARRY)
_SELLING = (LARGE_MARKET, SMALL_MARKET, TRADING_POST)
_LOADING = (WHARF, HARBOR, UNION_HALL, LIGHTHOUSE)


def _building(outlook: Outlook) -> Scorer:
    state = outlook.state
    seat = state.seat
    player = state.players[seat]
    church = player.colonists[CHURCH]
    worths: dict[int, float] = {}

    def worth(move: Move) -> float:
        if isinstance(move, MoveGuest):
            return _guest(move, _BUILDING)
        if not isinstance(move, Build):
            return 0.0
        place = move.building
        if place not in worths:
            worths[place] = outlook.building(player, place)
            if church and COLUMN[place] > 1:
                worths[place] += 2 if COLUMN[place] == 4 else 1
        found = worths[place] - price(state, seat, place) * outlook.doubloon
        if move.no_colonist:
            found -= 0.5
        if move.returned:
            found += move.returned * outlook.doubloon - move.vp
            if move.good != NO_GOOD:
                found -= outlook.barrel[move.good]
            if move.colonist == SAN_JUAN:
                found -= outlook.prices.colonist
            elif move.colonist != NO_PLACE:
                found -= 1.0
        return found

    return worth


def _production(outlook: Outlook) -> Scorer:
    state = outlook.state
    player = state.players[state.seat]
    now = outlook.goods(yields(player, state.goods_supply))

    def worth(move: Move) -> float:
        if not isinstance(move, MoveGuest):
            return 0.0
        moved = player.copy()
        moved.colonists = plus(moved.colonists, move.place, 1)
        return outlook.goods(yields(moved, state.goods_supply)) - now - 0.01

    return worth


def _privilege(outlook: Outlook) -> Scorer:
    held = outlook.state.players[outlook.state.seat].goods

    def of(good: int) -> float:
        # Another kind can be sold where the house already holds the others.
        return 0.0 if good == NO_GOOD else outlook.barrel[good] + (0.05 if not held[good] else 0)

    def worth(move: Move) -> float:
        if not isinstance(move, Take):
            return 0.0 if not isinstance(move, MoveGuest) else -AT_ONCE
        return of(move.what) + of(move.second)

    return worth


def _sale(outlook: Outlook) -> Scorer:
    state = outlook.state
    seat = state.seat

    def worth(move: Move) -> float:
        if isinstance(move, MoveGuest):
            return _guest(move, _SELLING)
        if not isinstance(move, Sell):
            return 0.0
        earns = sum([doubloons for _, doubloons in sale(state, seat, move)])
        return earns * outlook.doubloon - outlook.barrel[move.good]

    return worth


def _load(outlook: Outlook) -> Scorer:
    state = outlook.state
    seat = state.seat
    player = state.players[seat]
    cargo = state.config.box.cargo
    deny = outlook.prices.deny
    others = bytes(
        min(255, sum([other.goods[good] for other in state.players]) - number)
        for good, number in enumerate(player.goods)
    )
    loadable = any(
        kind == NO_GOOD or (player.goods[kind] and room(state, ship) > 0)
        for ship, kind in enumerate(state.cargo_goods)
    )

    def worth(move: Move) -> float:
        if isinstance(move, MoveGuest):
            return _guest(move, _LOADING)
        if isinstance(move, Load) and move.onto != BY_WHARF:
            good = move.good
            ship = cargo.index(move.onto)
            space = room(state, ship)
            number = min(player.goods[good], space)
            vp = number - 0.3 * outlook.barrel[good]
            wanted = min(space - number, others[good])
            if state.cargo_goods[ship] == NO_GOOD:
                return vp - deny * wanted - 0.01 * space
            return vp + deny * (min(space, others[good]) - wanted)
        if isinstance(move, Load):
            left = plus(player.goods, move.good, -player.goods[move.good])
            vp = float(player.goods[move.good])
        elif isinstance(move, LoadSmallWharf):
            left = bytes(map(int.__sub__, player.goods, move.goods))
            vp = float(sum(move.goods) // 2)
        else:
            left, vp = player.goods, 0.0
        if vp:
            vp += player.colonists[HARBOR]
            # A wharf can wait until nothing else can be loaded.
            if loadable:
                return vp - AT_ONCE if vp < 4 else vp - 3
        return vp + outlook.kept(player, left)

    return worth


def _store(outlook: Outlook) -> Scorer:
    def worth(move: Move) -> float:
        return outlook.goods(move.goods) if isinstance(move, Store) else -AT_ONCE

    return worth


_SCORERS: dict[str, Callable[[Outlook], Scorer]] = {
    DRAFT_PHASE: _choice,
    ROLE_PHASE: _role,
    SETTLER_PHASE: _tile,
    LIBRARY_PHASE: _tile,
    BUILDER_PHASE: _building,
    CRAFTSMAN_PHASE: _production,
    PRIVILEGE_PHASE: _privilege,
    TRADER_PHASE: _sale,
    CAPTAIN_PHASE: _load,
    STORE_PHASE: _store,
}
