"""What houses, tokens and public contracts offer to two cards, whoever has them.

A decision compares hundreds of tables, most of which differ in one house or not at all but for
the hands. What does not depend on hands is in a :class:`Board`, and :class:`Boards` has each of
them once.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from porto_cli.games.porto.engine import (
    CARDS,
    COLOR_OF,
    COLORS,
    EMPTY,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    PUBLIC,
    RIGHT_OF,
    VALUE_OF,
    VALUES,
)
from porto_cli.games.porto.engine.state import State, holds_both, without

NOTHING = -99
"""What floors are worth that no house can take."""
_NOTHING = (NOTHING,) * len(CARDS)
NO_HOUSE = -1

FLOORS_AS_CARD = len(VALUES)
"""Floors of a color are numbered like cards: ``FLOORS_AS_CARD * color + floors - 1``."""


class FaceUp(NamedTuple):
    """The VP of the face-up public contracts, by what meets them."""

    floors: tuple[int, ...]
    """For each number of floors in a color, numbered like cards."""
    house: tuple[int, ...]
    """For each color of a completed house."""
    cards: tuple[int, ...]
    """For two cards: ``len(COLORS) * color + other color``."""


@lru_cache(maxsize=4_000)
def face_up(contracts: bytes, public: tuple[int, ...]) -> FaceUp:
    """Return what a row of public contracts pays; ``public`` has the VP of all of them."""
    floors, house = [0] * len(CARDS), [0] * len(COLORS)
    cards = [0] * len(COLORS) ** 2
    for index in contracts:
        if index == EMPTY:
            continue
        contract, vp = PUBLIC[index], public[index]
        one, other = contract.colors[0], contract.colors[-1]
        if contract.kind == "floors":
            floors[FLOORS_AS_CARD * one + contract.floors - 1] += vp
        elif contract.kind == "house":
            house[one] += vp
        else:
            for pair in {(one, other), (other, one)}:
                cards[len(COLORS) * pair[0] + pair[1]] += vp
    return FaceUp(tuple(floors), tuple(house), tuple(cards))


@lru_cache(maxsize=4_000)
def floors_vp(floors: int, gap: int, left: int, right: int) -> tuple[int, ...]:
    """Return the VP of 1, 2, 3 floors on a house, itself and its neighbors (P-SCORE-1, P-SCORE-2).

    As many as it has room for: ``gap`` floors are missing; ``left`` and ``right`` are the floors
    of the neighbors.
    """
    return tuple(
        after + sum(min(beside, after) - floors for beside in (left, right) if beside > floors)
        for after in range(floors + 1, floors + min(gap, MOST_FLOORS_A_TURN) + 1)
    )


def startable_colors(state: State, house: int) -> tuple[int, ...]:
    """Return the colors in which an empty house may be started (P-BUILD-3, P-BUILD-5)."""
    colors = state.colors
    return _startable(colors[LEFT_OF[house]], colors[RIGHT_OF[house]], state.ground_left)


@lru_cache(maxsize=4_000)
def _startable(left: int, right: int, ground_left: bytes) -> tuple[int, ...]:
    beside = (left, right)
    return tuple(color for color, tiles in enumerate(ground_left) if tiles and color not in beside)


@lru_cache(maxsize=20_000)
def _house_vps(
    floors: int, gap: int, left: int, right: int, colors: tuple[int, ...], token: int, done: int
) -> tuple[int, ...]:
    """Return what floors of each color score on one house, numbered like cards.

    ``colors`` are those that it can get, ``token`` is what is scored by its first floor or, if it
    has one, by its last, and ``done`` the contract for completing it.
    """
    vps = list(floors_vp(floors, gap, left, right))
    if not floors:
        vps = [vp + token for vp in vps]
    elif gap == len(vps):
        vps[-1] += token + done
    found = [NOTHING] * len(CARDS)
    for color in colors:
        place = FLOORS_AS_CARD * color
        found[place : place + len(vps)] = vps
    return tuple(found)


_ONLY = tuple((color,) for color in range(len(COLORS)))


class Matching(NamedTuple):
    """The best disjoint pairs of a hand, one taken after the other; 0 where there is none."""

    first: int
    second: int
    third: int
    home: int
    """The house for which the best pair is best; ``NO_HOUSE`` without one."""


class Board:
    """What the houses, tokens and face-up contracts of a state offer.

    ``best``    the most VP that floors of a color can score now, numbered like cards; public
                contracts for floors and for a house are included; how many tiles are left is not
                looked at, but for ground floors
    ``gaps``    how many floors each house in play misses that is not complete
    ``offers``  the public contracts
    """

    def __init__(self, state: State) -> None:
        config = state.config
        heights, floors, colors = config.heights, state.floors, state.colors
        ground, roof, ground_left = state.ground_tokens, state.roof_tokens, state.ground_left
        self.offers = offers = face_up(state.contracts, config.public)
        gaps, houses, vps = [], [], [_NOTHING]
        missing = [0] * 5
        started_roof_vp = near_roof_vp = 0
        for house in config.houses:
            built = floors[house]
            gap = heights[house] - built
            if not gap:
                continue
            gaps.append(gap)
            houses.append(house)
            left, right = LEFT_OF[house], RIGHT_OF[house]
            if built:
                missing[gap if gap < 4 else 4] += 1
                token = roof[house]
                started_roof_vp += token
                color = colors[house]
                done = 0
                if gap <= MOST_FLOORS_A_TURN:
                    near_roof_vp += token
                    done = offers.house[color]
                may_get: tuple[int, ...] = _ONLY[color]
            else:
                token, done = ground[house], 0
                may_get = _startable(colors[left], colors[right], ground_left)
            vps.append(_house_vps(built, gap, floors[left], floors[right], may_get, token, done))
        self.best = [
            vp + more if vp > 0 else vp
            for vp, more in zip(map(max, *vps, _NOTHING), offers.floors, strict=True)
        ]
        self._houses, self._vps = houses, vps
        gaps.sort()
        self.gaps = gaps
        self.missing = missing
        self.floors_to_end = sum(gaps[: max(0, config.roofs_to_end - state.roofs)])
        self.roof_vp, self.ground_vp = sum(roof), sum(ground)
        self.started_roof_vp, self.near_roof_vp = started_roof_vp, near_roof_vp
        self.floors_built = sum(floors)
        self._matchings: dict[bytes, Matching] = {}

    def where(self, place: int) -> int:
        """Return the house where floors of a color, numbered like cards, score most.

        The lowest of equal ones; ``NO_HOUSE`` if there is none that can take them.
        """
        if self.best[place] <= 0:
            return NO_HOUSE
        vps = [vp[place] for vp in self._vps]
        return self._houses[vps.index(max(vps)) - 1]

    def matching(self, hand: bytes) -> Matching:
        """Return the best disjoint pairs of a hand."""
        found = self._matchings.get(hand)
        if found is None:
            found = self._matchings[hand] = self._match(hand)
        return found

    def _match(self, hand: bytes) -> Matching:
        pairs = _pairs_of(hand)
        best, cards_vp = self.best, self.offers.cards
        vps = [
            (best[number] if best[number] >= best[color] else best[color]) + cards_vp[both]
            for number, color, both in pairs
        ]
        first = max(vps, default=0)
        if first <= 0:
            return _NO_PAIR
        taken = vps.index(first)
        number, color, _ = pairs[taken]
        home = self.where(number if best[number] >= best[color] else color)
        found = [first, 0, 0]
        for nth in (1, 2):
            hand, left = _pairs_left(hand, taken)
            vps = [vps[pair] for pair in left]
            most = max(vps, default=0)
            if most <= 0:
                break
            taken = vps.index(most)
            found[nth] = most
        return Matching(found[0], found[1], found[2], home)


_NO_PAIR = Matching(0, 0, 0, NO_HOUSE)


@lru_cache(maxsize=4_000)
def pairs_of(hand: bytes) -> tuple[tuple[int, int], ...]:
    """Return the kinds of two cards in a sorted hand, in both orders: number and color."""
    kinds = product(sorted(set(hand)), repeat=2)
    return tuple((number, color) for number, color in kinds if holds_both(hand, number, color))


@lru_cache(maxsize=4_000)
def _kinds_of_pairs(hand: bytes) -> tuple[tuple[int, int], ...]:
    """Return these with the lower card first."""
    return tuple(pair for pair in pairs_of(hand) if pair[0] <= pair[1])


@lru_cache(maxsize=4_000)
def _pairs_of(hand: bytes) -> tuple[tuple[int, int, int], ...]:
    """Return the kinds of pairs of a hand by what they can do.

    The floors if the lower card is the number, numbered like cards, those if it is the color, and
    both colors as :class:`FaceUp` has them.
    """
    return tuple(
        (
            FLOORS_AS_CARD * COLOR_OF[other] + VALUE_OF[one] - 1,
            FLOORS_AS_CARD * COLOR_OF[one] + VALUE_OF[other] - 1,
            len(COLORS) * COLOR_OF[one] + COLOR_OF[other],
        )
        for one, other in _kinds_of_pairs(hand)
    )


@lru_cache(maxsize=4_000)
def _pairs_left(hand: bytes, taken: int) -> tuple[bytes, tuple[int, ...]]:
    """Return a hand without one of its pairs, and where the pairs left were among all of them."""
    pairs = _kinds_of_pairs(hand)
    left = without(hand, bytes(pairs[taken]))
    return left, tuple(pairs.index(pair) for pair in _kinds_of_pairs(left))


class Boards(dict[tuple[bytes, ...], Board]):
    """The boards of one decision."""

    def of(self, state: State) -> Board:
        """Return the board of a state."""
        key = (
            *(state.floors, state.colors, state.ground_tokens, state.roof_tokens),
            state.contracts,
        )
        board = self.get(key)
        if board is None:
            board = self[key] = Board(state)
        return board
