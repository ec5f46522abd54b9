"""Levels 1 and 2: moves by the VP at once, and by rules of thumb; which moves are worth a closer
look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import sub
from random import Random
from typing import Any

from porto_cli.games.puerto_rico.engine import (
    BUILDING_VP,
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
    PLACES,
    PRODUCERS,
    QUARRY,
    SAN_JUAN,
    SMALL_MARKET,
    TRADING_POST,
    UNION_HALL,
    UNIVERSITY,
    WHARF,
    plus,
)
from porto_cli.games.puerto_rico.engine.boards import filled, price
from porto_cli.games.puerto_rico.engine.goods import room, sale, yields
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    FACE_DOWN,
    Build,
    Built,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Sell,
    Take,
    TakeRole,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
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
    Player,
    State,
)
from porto_cli.games.puerto_rico.players.appraisal import DRAFT, PRICES, Appraisal, Prices
from porto_cli.players import most_worth
from porto_cli.seam import Move as AnyMove
from porto_cli.seam import View

# -- Levels 1 and 2: moves by the VP at once, and by rules of thumb
#
# ``priced`` takes the move that is worth most, minus its worth to the others; colonists are placed
# where they bring most, on a plantation together with its plant.


def greedy_player(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Take a move that brings the most VP at once; ties are broken at random."""
    return most_worth(moves, partial(worth, view.table), rng)


def worth(state: State, move: Move) -> int:
    """Return the VP that a legal move brings the mover, including automatic moves after it.

    These are chips and the printed VP of a building. Which tiles come up makes no difference.
    """
    seat = state.seat
    events = apply(state, move, lambda *_: 0, seat)[1]
    own = [event for event in events if event.seat == seat]
    printed = [BUILDING_VP[event.building] for event in own if isinstance(event, Built)]
    return sum(vp for _, vp in gains_of(own)[0]) + sum(printed)


def placement(
    appraisal: Appraisal, player: Player, noise: Callable[[], float] | None = None
) -> Place:
    """Return a good placement of all colonists of a player.

    It uses as many colonists as there are circles. ``noise`` returns a random factor for the worth
    of a place.
    """
    circles = player.circles
    people = min(player.people, sum(circles))
    posts = appraisal.posts(player, appraisal.rounds)
    if noise:
        posts = [(worth * noise(), places) for worth, places in posts]
        posts.sort(key=lambda post: -post[0])
    placed = bytearray(len(PLACES))
    for _, places in posts:
        if len(places) > people:
            continue
        for place in places:
            placed[place] += 1
        people -= len(places)
        if not people:
            return Place(bytes(placed))
    rest = [(place, None) for place in PLANTS]
    return Place(filled(player, bytes(placed), sum(placed) + people, rest))


PLANTS = [place for places in PRODUCERS for place in places]
"""The places to fill first among those that bring nothing by themselves."""


LISTED = 200
"""The most moves that are considered; where there are more, most of them are much the same."""
AT_ONCE = 50.0
"""More than anything is worth, for moves to make before anything else."""

Scorer = Callable[[Any], float]
"""Returns the worth of a move of the phase, in VP."""


def priced_player(
    view: View, moves: Sequence[Move], rng: Random, *, prices: Prices = PRICES
) -> Move:
    """Take the move that is worth most by rules of thumb."""
    if len(moves) == 1:
        return moves[0]
    return best_move(view.table, moves, prices)


def best_move(state: State, moves: Sequence[Move] = (), prices: Prices = PRICES) -> Move:
    """Return the move that is worth most to the player to move, by default of all legal ones."""
    appraisal = Appraisal(state, prices)
    if state.phase == MAYOR_PHASE:
        return placement(appraisal, state.players[state.seat])
    return max(moves or legal_moves(state, limit=LISTED), key=scorer(appraisal))


def likely_move(state: State, rng: Random, noise: float, prices: Prices = PRICES) -> Move:
    """Return the best move by rules of thumb, with an error of up to ``noise`` VP for each."""
    appraisal = Appraisal(state, prices)
    random = rng.random
    if state.phase == MAYOR_PHASE:
        return placement(appraisal, state.players[state.seat])
    moves = legal_moves(state, limit=LISTED)
    worth = scorer(appraisal)
    worths = [worth(move) + noise * random() for move in moves]
    return moves[worths.index(max(worths))]


def scorer(appraisal: Appraisal) -> Scorer:
    """Return a function that returns the worth of a move in VP, for the player to move.

    A guest moves first where it is useful at once, and to no other place; only in the craftsman
    phase are places compared. Passing is worth nothing, except in the captain phase, where it
    matters which barrels are left.
    """
    phase = appraisal.state.phase
    of_kind, helpful = _SCORERS[phase]
    worth_of = of_kind(appraisal)

    def worth(move: Move) -> float:
        if isinstance(move, MoveGuest) and phase != CRAFTSMAN_PHASE:
            return AT_ONCE if move.place in helpful else -AT_ONCE
        if isinstance(move, Pass) and phase != CAPTAIN_PHASE:
            return 0.0
        return worth_of(move)

    return worth


def _choice(appraisal: Appraisal) -> Scorer:
    return lambda move: DRAFT.index(move.building) if move.building in DRAFT else 0


def role_worths(appraisal: Appraisal) -> Scorer:
    """Return the worth of each role to the player to move: its gain, less a share of others'."""
    prices, state = appraisal.prices, appraisal.state

    @cache
    def worth(role: int) -> float:
        gains = [*appraisal.gains(role, state.seat)]
        own = gains[0]
        # The sum begins with the first seat, so that it does not depend on who looks.
        first = len(gains) - state.seat
        others = (sum([*gains[first:], *gains[:first]]) - own) / (len(gains) - 1)
        on_card = state.role_doubloons[role] * appraisal.doubloon
        return own + on_card - prices.others * others - prices.next * gains[1]

    return lambda move: worth(move.role) - move.no_colonist


def _tile(appraisal: Appraisal) -> Scorer:
    state = appraisal.state
    player = state.players[state.seat]

    def worth(move: Take) -> float:
        if move.what == FACE_DOWN:
            # It may be anything, but it costs nothing as long as there is space.
            return AT_ONCE if player.island_spaces > 2 else -1.0
        if move.forest:
            return appraisal.tile(player, FOREST + move.what)
        manned = state.phase == SETTLER_PHASE and player.colonists[HOSPICE] > 0
        return appraisal.tile(player, move.what, manned=manned and not move.no_colonist)

    return worth


def _building(appraisal: Appraisal) -> Scorer:
    state = appraisal.state
    seat = state.seat
    player = state.players[seat]
    church = player.colonists[CHURCH]
    worths: dict[int, float] = {}

    def worth(move: Build) -> float:
        place = move.building
        if place not in worths:
            worths[place] = appraisal.building(player, place)
            if church and COLUMN[place] > 1:
                worths[place] += 2 if COLUMN[place] == 4 else 1
            worths[place] -= price(state, seat, place) * appraisal.doubloon
        found = worths[place]
        if move.no_colonist:
            found -= 0.5
        if move.returned:
            found += move.returned * appraisal.doubloon - move.vp
            if move.good != NO_GOOD:
                found -= appraisal.barrel[move.good]
            if move.colonist == SAN_JUAN:
                found -= appraisal.prices.colonist
            elif move.colonist != NO_PLACE:
                found -= 1.0
        return found

    return worth


def _production(appraisal: Appraisal) -> Scorer:
    state = appraisal.state
    colonists = state.players[state.seat].colonists
    now = appraisal.goods(yields(colonists, state.goods_supply))

    def worth(move: MoveGuest) -> float:
        moved = plus(colonists, move.place, 1)
        return appraisal.goods(yields(moved, state.goods_supply)) - now - 0.01

    return worth


def _privilege(appraisal: Appraisal) -> Scorer:
    held = appraisal.state.players[appraisal.state.seat].goods

    def of(good: int) -> float:
        # Another kind can be sold where the house already holds the others.
        return 0.0 if good == NO_GOOD else appraisal.barrel[good] + (0.05 if not held[good] else 0)

    return lambda move: of(move.what) + of(move.second)


def _sale(appraisal: Appraisal) -> Scorer:
    state = appraisal.state
    seat = state.seat

    def worth(move: Sell) -> float:
        earns = sum([doubloons for _, doubloons in sale(state, seat, move)])
        return earns * appraisal.doubloon - appraisal.barrel[move.good]

    return worth


def _load(appraisal: Appraisal) -> Scorer:
    state = appraisal.state
    seat = state.seat
    player = state.players[seat]
    cargo = state.config.box.cargo
    deny = appraisal.prices.deny
    others = bytes(
        min(255, sum([other.goods[good] for other in state.players]) - number)
        for good, number in enumerate(player.goods)
    )
    loadable = any(
        kind == NO_GOOD or (player.goods[kind] and room(state, ship) > 0)
        for ship, kind in enumerate(state.cargo_goods)
    )

    def worth(move: Load | LoadSmallWharf | Pass) -> float:
        if isinstance(move, Load) and move.onto != BY_WHARF:
            good = move.good
            ship = cargo.index(move.onto)
            space = room(state, ship)
            number = min(player.goods[good], space)
            vp = number - 0.3 * appraisal.barrel[good]
            wanted = min(space - number, others[good])
            if state.cargo_goods[ship] == NO_GOOD:
                return vp - deny * wanted - 0.01 * space
            return vp + deny * (min(space, others[good]) - wanted)
        if isinstance(move, Load):
            left = plus(player.goods, move.good, -player.goods[move.good])
            vp = float(player.goods[move.good])
        elif isinstance(move, LoadSmallWharf):
            left = bytes(map(sub, player.goods, move.goods))
            vp = float(sum(move.goods) // 2)
        else:
            left, vp = player.goods, 0.0
        if vp:
            vp += player.colonists[HARBOR]
            # A wharf can wait until nothing else can be loaded.
            if loadable:
                return vp - AT_ONCE if vp < 4 else vp - 3
        return vp + (appraisal.goods(left) - appraisal.lost(player, left))

    return worth


def _store(appraisal: Appraisal) -> Scorer:
    return lambda move: appraisal.goods(move.goods)


_SCORERS: dict[str, tuple[Callable[[Appraisal], Scorer], tuple[int, ...]]] = {
    DRAFT_PHASE: (_choice, ()),
    ROLE_PHASE: (role_worths, ()),
    SETTLER_PHASE: (_tile, (HOSPICE,)),
    LIBRARY_PHASE: (_tile, (HOSPICE,)),
    BUILDER_PHASE: (_building, (UNIVERSITY, LIBRARY, QUARRY)),
    CRAFTSMAN_PHASE: (_production, ()),
    PRIVILEGE_PHASE: (_privilege, ()),
    TRADER_PHASE: (_sale, (LARGE_MARKET, SMALL_MARKET, TRADING_POST)),
    CAPTAIN_PHASE: (_load, (WHARF, HARBOR, UNION_HALL, LIGHTHOUSE)),
    STORE_PHASE: (_store, ()),
}
"""What says in each phase what a move is worth, and where a guest helps."""


# -- Which moves are worth a closer look, and what is compared after playing on from them

PLACEMENTS = 4
"""How many placements of colonists are."""
TRIES = 8
"""How many are thought of, some of which are the same."""
MISJUDGED = 0.6
"""By how much what a colonist brings is misjudged for them, up or down, at most."""
CREDIT = 0.02
"""How much it counts, as a chance to win, for each VP, what a move is worth by rules of thumb."""
NOISE = 0.3
"""By how many VP who plays in playouts misjudges moves, at most."""


def roles_played(state: State) -> int:
    """Return how many roles have been played to their end."""
    taken = (state.round - 1) * state.config.box.turns + state.roles_taken
    return taken if state.phase == ROLE_PHASE else taken - 1


def promising(
    view: View, moves: Sequence[AnyMove], rng: Random, width: int, prices: Prices
) -> list[AnyMove]:
    """Return the moves that are worth a look, the best ones first; they need not be those given."""
    state: State = view.table
    appraisal = Appraisal(state, prices)
    if state.phase == MAYOR_PHASE:
        return _placements(appraisal, rng)[:width]
    worth = scorer(appraisal)
    sensible = [move for move in moves if not _is_odd(move)] or moves
    return sorted(sensible, key=worth, reverse=True)[:width]


def credit(view: View, moves: Sequence[AnyMove], prices: Prices) -> list[float]:
    """Return what speaks for each move by rules of thumb: it decides where little differs."""
    state: State = view.table
    if state.phase == MAYOR_PHASE:
        return [-CREDIT * nth for nth in range(len(moves))]
    worth = scorer(Appraisal(state, prices))
    return [CREDIT * min(AT_ONCE, max(-AT_ONCE, worth(move))) for move in moves]


def _is_odd(move: AnyMove) -> bool:
    """Return whether a move declines a colonist: that is hardly ever good."""
    return isinstance(move, TakeRole | Take | Build) and move.no_colonist


def _placements(appraisal: Appraisal, rng: Random) -> list[AnyMove]:
    """Return the best placement by prices, and those of people who misjudge what places bring."""
    player = appraisal.state.players[appraisal.state.seat]

    def misjudged() -> float:
        return 1 + MISJUDGED * (2 * rng.random() - 1)

    found: dict[AnyMove, None] = {placement(appraisal, player): None}
    for _ in range(TRIES):
        found[placement(appraisal, player, misjudged)] = None
    return list(found)[:PLACEMENTS]
