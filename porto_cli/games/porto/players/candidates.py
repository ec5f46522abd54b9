"""Candidate moves, and their worth by rules of thumb: levels 1 to 3.

A build that starts a house may move its token to any empty roof (P-TOKEN-1); most players consider
only one of these, the *default roof*. ``greedy_player`` takes the most VP at once. ``priced_moves``
subtracts the price of the cards, in VP, and small prices for what a build leaves to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from operator import itemgetter
from random import Random
from typing import NamedTuple

from porto_cli.core import plural
from porto_cli.games.porto.engine import (
    COLOR_OF,
    COLORS,
    HOUSES,
    HOUSES_IN,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    NOWHERE,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.cards import Claim, Draw, draw_of, spaces_to_draw, values_of
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    apply,
    as_built,
    builds_with,
    vps_of,
)
from porto_cli.games.porto.engine.scoring import floors_vp, met_by
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    State,
    cards_to_build_with,
    roofs_for_token,
    sites,
)
from porto_cli.games.porto.engine.turn import Event
from porto_cli.games.porto.players.evaluation import (
    FLOORS_AS_CARD,
    FaceUp,
    Prices,
    face_up,
    pairs_of,
    roofs_to_go,
    turns_left,
)
from porto_cli.players import most_worth
from porto_cli.seam import View


def default_roof(state: State, house: int, floors: int) -> int:
    """Return the default roof for the token of a house that is started with a number of floors.

    It is the empty roof whose house then lacks the most floors, the first of these; ``NOWHERE`` if
    there is no token or no empty roof.
    """
    heights, built = state.config.heights, state.floors
    best, most = NOWHERE, -1
    for roof in HOUSES_IN[roofs_for_token(state, house)]:
        gap = heights[roof] - built[roof] - (floors if roof == house else 0)
        if gap > most:
            best, most = roof, gap
    return best


def other_roofs(state: State, build: Build) -> list[Build]:
    """Return the builds that differ from this one only in the roof for the token."""
    if build.token == NOWHERE:
        return []
    row = builds_with(build.number, build.color)[build.house]
    roofs = HOUSES_IN[roofs_for_token(state, build.house)]
    return [row[roof] for roof in roofs if roof != build.token]


class Take(NamedTuple):
    """A draw, its cards, sorted, and how many of them have each value."""

    draw: Draw
    cards: tuple[int, ...]
    values: tuple[int, int, int]


@lru_cache(maxsize=4_000)
def distinct_draws(row: bytes) -> tuple[Take, ...]:
    """Return the draws from a row; of those that take equal cards, the one from the lowest spaces.

    In a solo game the spaces also decide what the timer discards, which these players ignore.
    """
    found: dict[tuple[int, ...], Take] = {}
    for spaces in spaces_to_draw(values_of(row)):
        cards = tuple(sorted(row[space] for space in spaces))
        values = [VALUE_OF[card] for card in cards]
        counts = (values.count(1), values.count(2), values.count(3))
        found.setdefault(cards, Take(draw_of(spaces), cards, counts))
    return tuple(found.values())


def default_builds(state: State) -> list[Build]:
    """Return every build, with the default roof if a token moves."""
    builds: list[Build] = []
    roof_for = cache(partial(default_roof, state))
    for number, color_card in pairs_of(bytes(sorted(cards_to_build_with(state)))):
        floors = VALUE_OF[number]
        for house in HOUSES_IN[sites(state, COLOR_OF[color_card], floors)]:
            builds.append(Build(number, color_card, house, roof_for(house, floors)))
    return builds


def played(state: State, move: Move) -> tuple[State, list[Event]]:
    """Return the table after a move that fulfills all public contracts it meets, and the events.

    The refill has not come up yet, so spaces from which something was taken are empty.
    """
    table, events = apply(state, move, None)
    if table.phase == CONTRACTS:
        table, more = apply(table, Claim(table.claimable), None)
        events += more
    return table, events


def after(state: State, move: Move) -> State:
    """Return only the table of :func:`played`."""
    return played(state, move)[0]


_worth = itemgetter(0)
Ranked = list[tuple[float, Move, State]]
"""Moves with their worth and the tables after them, the best one first."""


def ranked(state: State, moves: Iterable[Move], worth: Callable[[State], float]) -> Ranked:
    """Return moves ranked by the worth of the tables after them; equals stay in order."""
    found: Ranked = []
    for move in moves:
        table = after(state, move)
        found.append((worth(table), move, table))
    found.sort(key=_worth, reverse=True)
    return found


def candidates(
    state: State, worth: Callable[[State], float], *, starts: int, roofs: int | None
) -> Ranked:
    """Return the moves of a turn, or the builds for the timer, ranked by their worth.

    Builds that start a house have the default roof for their token. The best ``starts`` of them
    are also listed with the best ``roofs`` other roofs, or all of them if that is ``None``.
    """
    moves: list[Move] = [*default_builds(state)]
    if state.phase == ACT:
        moves = [*(take.draw for take in distinct_draws(state.cards)), *moves]
    found = ranked(state, moves, worth)
    best = [move for _, move, _ in found if isinstance(move, Build) and move.token != NOWHERE]
    for start in best[:starts]:
        found += ranked(state, other_roofs(state, start), worth)[:roofs]
    if best:
        found.sort(key=_worth, reverse=True)
    return found


def best_move(state: State, worth: Callable[[State], float]) -> Move:
    """Return the best move, with the best roof if it starts a house; there has to be a move."""
    found = candidates(state, worth, starts=0, roofs=0)
    _, move, _ = found[0]
    if isinstance(move, Build) and move.token != NOWHERE:
        found = [found[0], *ranked(state, other_roofs(state, move), worth)]
    return max(found, key=_worth)[1]


def greedy_player(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Take a move that scores most, including public contracts; ties are broken at random."""
    return most_worth(moves, partial(worth, view.table), rng)


def worth(state: State, move: Move) -> int:
    """Return the VP that a legal move scores at once, with all public contracts a build meets."""
    if isinstance(move, Claim):
        return sum(state.config.public[state.contracts[space]] for space in move.spaces)
    if not isinstance(move, Build) or state.phase != ACT:
        return 0
    met = met_by(as_built(state, move), state.contracts)
    return sum(vps_of(state, move)) + sum(state.config.public[state.contracts[one]] for one in met)


class Buildable(NamedTuple):
    """A build and its VP, including all contracts that it meets; 0 VP if there is no build."""

    vp: int = 0
    build: Build = Build(0, 0, NOWHERE)

    def __str__(self) -> str:
        """Return what is built: ``2 red floors on L5 for 8 VP``."""
        return f"{self.what} for {self.vp} VP"

    @property
    def what(self) -> str:
        """What is built: ``2 red floors on L5``."""
        house, floors, color = self.addition
        return f"{plural(floors, f'{COLORS[color]} floor')} on {HOUSES[house]}"

    def instead_of(self, before: Buildable) -> str:
        """Return what is built, and what it takes the place of, if anything:
        ``2 red floors on L5 for 8 VP instead of 7``, or ``instead of 7 on R1``.
        """
        if not before.vp:
            return f"{self}"
        house = before.build.house
        where = "" if house == self.build.house else f" on {HOUSES[house]}"
        return f"{self} instead of {before.vp}{where}"

    @property
    def addition(self) -> tuple[int, int, int]:
        """The house, number of floors and color, whichever cards are used."""
        return self.build.house, VALUE_OF[self.build.number], COLOR_OF[self.build.color]


def as_if_holding(state: State, hand: bytes) -> State:
    """Return the table as if the player to move had this hand."""
    table = state.copy()
    table.phase, table.hands = ACT, (hand,) * state.config.seats
    return table


def buildable(state: State, hand: bytes) -> list[Buildable]:
    """Return the builds that are possible with a hand, the best one first; ties go to the first
    house.
    """
    table = as_if_holding(state, hand)
    found = [Buildable(worth(table, build), build) for build in default_builds(table)]
    return sorted(found, key=lambda one: (-one.vp, one.build.house))


def best_buildable(state: State, hand: bytes) -> Buildable:
    """Return the best build with a hand."""
    return next(iter(buildable(state, hand)), Buildable())


def taken_by(
    before: Sequence[Buildable], then: Sequence[Buildable]
) -> tuple[Buildable, int] | None:
    """Return the best build that is not possible anymore, if no other one on that house brings as
    much, and what the best one there then brings; ``None`` if all are.
    """
    best = {one.build.house: one.vp for one in reversed(then)}
    for build in before:
        if (rest := best.get(build.build.house, 0)) < build.vp:
            return build, rest
    return None


FREE_CARDS = 3
"""Up to this many cards in hand each is worth the same."""


class Priced(NamedTuple):
    """A move and its price. Sorted, the best one comes first."""

    cost: float
    """The worth of the move in VP, negated."""
    is_build: bool
    cards: tuple[int, ...]
    """The cards drawn, or the number and the color of a build."""
    house: int
    draw: Draw | None


def later(state: State, prices: Prices) -> float:
    """Return the share of later worth that counts, which is less toward the end of the game."""
    if state.config.timer:
        return 1.0
    if state.end_round:
        return 0.0 if turns_left(state, state.seat) <= 1 else 0.8 * prices.end
    return (1 + prices.end) / 2 if roofs_to_go(state) == 1 else 1.0


def card_prices(state: State, prices: Prices) -> tuple[float, ...]:
    """Return the worth of a card of each value, 1 to 3, to the player to move."""
    size = prices.size * max(0, len(state.hands[state.seat]) - FREE_CARDS)
    share = later(state, prices)
    solo = 1.0
    if state.config.timer:
        solo = {1: 0.0, 2: 0.6}.get(state.timer_left // 2, 1.0)
    return tuple(max(0.0, share * (solo * price + size)) for price in prices.cards)


def priced_moves(
    state: State,
    prices: Prices,
    noise: Callable[[], float] = float,
    *,
    most: int | None = None,
) -> list[Priced]:
    """Return the draws, and for each two cards the best build, with their prices, the best first.

    ``noise``, by default none, is added to the worth of each; at most ``most`` are returned.
    """
    of_value = card_prices(state, prices)
    found: list[tuple[float, bool, tuple[int, ...], int, Draw | None]] = []
    one, two, three = of_value
    for draw, cards, (ones, twos, threes) in distinct_draws(state.cards):
        worth = ones * one + twos * two + threes * three
        found.append((-worth - noise(), False, cards, NOWHERE, draw))
    hand = state.hands[state.seat]
    if len(hand) > 1:
        offers = face_up(state.contracts, state.config.public)
        best_of = _best_houses(state, prices, offers)
        for number, color_card in pairs_of(hand):
            floors, color = VALUE_OF[number], COLOR_OF[color_card]
            worth, house = best_of(FLOORS_AS_CARD * color + floors - 1)
            if house == NOWHERE:
                continue
            worth += offers.cards[len(COLORS) * COLOR_OF[number] + color]
            worth -= of_value[floors - 1] + of_value[VALUE_OF[color_card] - 1]
            found.append((-worth - noise(), True, (number, color_card), house, None))
    found.sort()
    return [Priced(*each) for each in found[:most]]


def move_of(state: State, priced: Priced) -> Move:
    """Return the move; a build that starts a house gets the default roof."""
    if priced.draw is not None:
        return priced.draw
    number, color_card = priced.cards
    roof = NOWHERE
    if not state.floors[priced.house]:
        roof = default_roof(state, priced.house, VALUE_OF[number])
    return Build(number, color_card, priced.house, roof)


def _best_houses(
    state: State, prices: Prices, offers: FaceUp
) -> Callable[[int], tuple[float, int]]:
    """Return a function from floors of a color, numbered like cards, to their worth, without the
    price of the cards, and the best house for them; ``NOWHERE`` if there is none.
    """
    floors, share = state.floors, later(state, prices)

    @cache
    def worths_of(house: int) -> tuple[float, ...]:
        built, height = floors[house], state.config.heights[house]
        left, right = floors[LEFT_OF[house]], floors[RIGHT_OF[house]]
        roof = first = last = 0
        if built:
            roof = state.roof_tokens[house]
            last = roof + offers.house[state.colors[house]]
        else:
            first = state.ground_tokens[house]
        return _worths(built, height - built, left, right, first, last, roof, share, prices)

    @cache
    def best_of(place: int) -> tuple[float, int]:
        number = VALUE_OF[place]
        worths = {
            house: worths_of(house)[number - 1]
            for house in HOUSES_IN[sites(state, COLOR_OF[place], number)]
        }
        if not worths:
            return 0.0, NOWHERE
        house = max(worths, key=worths.__getitem__)
        return worths[house] + offers.floors[place], house

    return best_of


@lru_cache(maxsize=20_000)
def _worths(
    built: int,
    gap: int,
    left: int,
    right: int,
    first: int,
    last: int,
    roof: int,
    share: float,
    prices: Prices,
) -> tuple[float, ...]:
    """Return the worth of 1, 2, 3 floors on a house, as far as it has room.

    ``first`` and ``last`` are the VP for its first and its last floor, by tokens and contracts;
    ``roof`` is the token that others could get by completing it.
    """
    found: list[float] = []
    for vp in floors_vp(built, gap, left, right):
        worth: float = vp
        left_over = gap - len(found) - 1
        worth += share * prices.gaps[min(left_over, len(prices.gaps) - 1)]
        if not built:
            worth += first + share * prices.start
        elif not left_over:
            worth += last
        elif left_over <= MOST_FLOORS_A_TURN:
            worth -= 0.3 * share * prices.roof * roof
        found.append(worth)
    return tuple(found)
