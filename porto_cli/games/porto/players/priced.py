"""Moves by rules of thumb: the VP that they score at once, less what the cards are worth.

Each card has a price, in VP, and there are small prices for what a build leaves to the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from porto_cli.games.porto.engine.components import (
    COLOR_OF,
    COLORS,
    HOUSES_IN,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    NOWHERE,
    RIGHT_OF,
    VALUE_OF,
)
from porto_cli.games.porto.engine.conditions import sites
from porto_cli.games.porto.engine.moves import Build, Draw, Move
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.players.board import FLOORS_AS_CARD, FaceUp, face_up, floors_vp
from porto_cli.games.porto.players.candidates import default_roof, distinct_draws
from porto_cli.games.porto.players.value import roofs_to_go, turns_left
from porto_cli.games.porto.players.weights import Prices

FREE_CARDS = 3
"""Cards in hand up to which each is worth the same."""


class Priced(NamedTuple):
    """A move and its price. The one that is less in order is taken first."""

    cost: float
    """What the move is worth in VP, negative, so that the best one comes first."""
    is_build: bool
    cards: tuple[int, ...]
    """Those that are drawn, or the number and the color of a build."""
    house: int
    draw: Draw | None


def later(state: State, prices: Prices) -> float:
    """Return the part of what is worth something later that counts: less towards the end."""
    if state.config.timer:
        return 1.0
    if state.end_round:
        return 0.0 if turns_left(state, state.seat) <= 1 else 0.8 * prices.end
    return (1 + prices.end) / 2 if roofs_to_go(state) == 1 else 1.0


def card_prices(state: State, prices: Prices) -> tuple[float, ...]:
    """Return what a card of each value, 1 to 3, is worth to who is to move."""
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

    ``noise`` is added to what each of them is worth; there is none if it is not given. ``most`` is
    how many are wanted.
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
        places = _Places(state, prices, offers)
        kinds = sorted(set(hand))
        for number in kinds:
            floors = VALUE_OF[number]
            of_number = of_value[floors - 1]
            for color_card in kinds:
                if number == color_card and hand.count(number) < 2:
                    continue
                color = COLOR_OF[color_card]
                worth, house = places[FLOORS_AS_CARD * color + floors - 1]
                if house == NOWHERE:
                    continue
                worth += offers.cards[len(COLORS) * COLOR_OF[number] + color]
                worth -= of_number + of_value[VALUE_OF[color_card] - 1]
                found.append((-worth - noise(), True, (number, color_card), house, None))
    found.sort()
    return [Priced(*each) for each in found[:most]]


def move_of(state: State, priced: Priced) -> Move:
    """Return the move: of a build that starts a house the one with the default roof."""
    if priced.draw is not None:
        return priced.draw
    number, color_card = priced.cards
    roof = NOWHERE
    if not state.floors[priced.house]:
        roof = default_roof(state, priced.house, VALUE_OF[number])
    return Build(number, color_card, priced.house, roof)


class _Places(dict[int, tuple[float, int]]):
    """For so many floors of a color, numbered like cards, the best house and what it is worth.

    Without the cards that are played for it. ``NOWHERE`` if there is no house for them.
    """

    def __init__(self, state: State, prices: Prices, offers: FaceUp) -> None:
        self.state = state
        self.prices = prices
        self.offers = offers
        self.later = later(state, prices)
        self.worths: dict[int, tuple[float, ...]] = {}
        """For each house what 1, 2, 3 floors on it are worth."""

    def __missing__(self, place: int) -> tuple[float, int]:
        color, floors = COLOR_OF[place], VALUE_OF[place]
        best, where = 0.0, NOWHERE
        for house in HOUSES_IN[sites(self.state, color, floors)]:
            worths = self.worths.get(house) or self._worths_of(house)
            worth = worths[floors - 1]
            if where == NOWHERE or worth > best:
                best, where = worth, house
        if where != NOWHERE:
            best += self.offers.floors[place]
        self[place] = best, where
        return best, where

    def _worths_of(self, house: int) -> tuple[float, ...]:
        state = self.state
        floors = state.floors
        built, height = floors[house], state.config.heights[house]
        left, right = floors[LEFT_OF[house]], floors[RIGHT_OF[house]]
        roof = first = last = 0
        if built:
            roof = state.roof_tokens[house]
            last = roof + self.offers.house[state.colors[house]]
        else:
            first = state.ground_tokens[house]
        found = self.worths[house] = _worths(
            *(built, height - built, left, right, first, last, roof, self.later, self.prices)
        )
        return found


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
    """Return what 1, 2, 3 floors on a house are worth, as many as it has room for.

    ``first`` and ``last`` are the VP for its first and its last floor, tokens and contracts, and
    ``roof`` the token that others could get by completing it.
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
