"""Static evaluation: the VP that a position can be expected to bring, the margin over others, and
the weights that it goes by; and what a table offers to two cards, whoever has them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from math import prod
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli.games.porto.engine import (
    CARDS,
    COLOR_OF,
    COLORS,
    EMPTY,
    LEFT_OF,
    MOST_FLOORS_A_TURN,
    PRIVATE,
    PRIVATE_KINDS,
    PUBLIC,
    RIGHT_OF,
    VALUE_OF,
    VALUES,
)
from porto_cli.games.porto.engine.scoring import (
    Template,
    completed_houses,
    floors_vp,
    score_private,
    templates,
)
from porto_cli.games.porto.engine.state import KEEP, OVER, TIMER, Config, State, holds_both, without
from porto_cli.players import margin_of

# -- The weights that the stronger players use, from ``weights.json``
#
# What its keys mean, how they were made, and how to make them again, is described in
# ``docs/measurements/players.md``.

SOLO = "solo"
"""The key of the solo game; the others are the numbers of players."""
FILE = Path(__file__).with_name("weights.json")
"""The weights that come with the program."""


class Prices(NamedTuple):
    """The numbers by which rules of thumb price moves, in VP."""

    cards: tuple[float, ...]
    """The worth of a card of the value 1, 2, 3."""
    gaps: tuple[float, ...]
    """The bonus for leaving 0, 1, 2 … floors of a house unbuilt."""
    start: float
    """The bonus for starting a house."""
    size: float
    """How much each card in hand beyond the third adds to the worth of a card."""
    end: float
    """The share of later worth that counts once the end is triggered."""
    roof: float
    """The weight of a token that others could get by completing the house."""


PRICED = ("cv", "dg", "start", "size", "end", "pw")
"""The names of the prices in a file, in the same order."""


class Weights(NamedTuple):
    """The numbers for one number of players."""

    features: tuple[str, ...]
    """The names of the features that the weights of a row belong to."""
    phases: tuple[str, ...]
    """The part of the game that each row is for."""
    rows: tuple[tuple[float, ...], ...]
    """For each phase the weights of the features."""
    completion: tuple[tuple[float, ...], ...]
    """The chance that a house is complete at the end: by how much of the game is left, and by how
    many floors it lacks; the last number is for a house without floors."""
    bold: tuple[tuple[float, ...], ...]
    """The same for a solo player who aims for the highest rank; empty for others."""
    keep: tuple[float, ...]
    """The worth of each private contract, learned from games."""
    prices: Prices


@cache
def weights_of(key: str) -> Weights:
    """Return the weights for ``"2"``, ``"3"`` or ``"4"`` players or for ``"solo"``."""
    return weights_in(json.loads(FILE.read_text("utf-8"))[key])


def weights_in(entry: dict[str, Any]) -> Weights:
    """Return the weights of an entry in the form of ``weights.json``."""
    keep, pi = entry["keep"], entry["pi"]
    return Weights(
        features=tuple(entry["features"]),
        phases=tuple(entry["phases"]),
        rows=tuple(map(tuple, entry["V"])),
        completion=tuple(map(tuple, entry["completion"])),
        bold=tuple(map(tuple, entry.get("completion_80", ()))),
        keep=tuple(keep[contract.name] for contract in PRIVATE),
        prices=Prices(tuple(pi["cv"]), tuple(pi["dg"]), *(pi[name] for name in PRICED[2:])),
    )


# -- What houses, tokens and public contracts offer to two cards, whoever has them
#
# A decision compares hundreds of tables, most of which differ only in the hands, or also in one
# house. What does not depend on hands is in a ``Board``, and ``Boards`` has each of these once.

NOTHING = -99
"""The worth of floors that no house can take."""
_NOTHING = (NOTHING,) * len(CARDS)
NO_HOUSE = -1

FLOORS_AS_CARD = len(VALUES)
"""Floors of a color are numbered like cards: ``FLOORS_AS_CARD * color + floors - 1``."""


class FaceUp(NamedTuple):
    """The VP of the face-up public contracts, by their requirements."""

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


@lru_cache(maxsize=20_000)
def _house_vps(
    floors: int, gap: int, left: int, right: int, colors: tuple[int, ...], token: int, done: int
) -> tuple[int, ...]:
    """Return the VP for floors of each color on one house, numbered like cards.

    ``colors`` are those it can get; ``token`` scores with its first floor or, if it has one, its
    last; ``done`` is the VP of the contract for completing it.
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
    """The VP of the best disjoint pairs of a hand, one after the other; 0 if there is none."""

    first: int
    second: int
    third: int
    home: int
    """The house where the best pair scores most; ``NO_HOUSE`` if there is none."""


class Board:
    """What the houses, tokens and face-up contracts of a state offer.

    ``best``    the most VP that floors of a color can score now, numbered like cards, including
                public contracts for floors and for a house; of the tiles left, only the ground
                floors are considered
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
        self.missing = missing
        self.floors_to_end = sum(gaps[: max(0, config.roofs_to_end - state.roofs)])
        self.roof_vp, self.ground_vp = sum(roof), sum(ground)
        self.started_roof_vp, self.near_roof_vp = started_roof_vp, near_roof_vp
        self.floors_built = sum(floors)
        self._matchings: dict[bytes, Matching] = {}

    def where(self, place: int) -> int:
        """Return the house where floors of a color, numbered like cards, score most.

        Ties go to the first house; ``NO_HOUSE`` if no house can take them.
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
    """Return the different pairs of cards in a sorted hand, in both orders: number and color."""
    kinds = product(sorted(set(hand)), repeat=2)
    return tuple((number, color) for number, color in kinds if holds_both(hand, number, color))


@lru_cache(maxsize=4_000)
def _kinds_of_pairs(hand: bytes) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a hand with the lower card first."""
    return tuple(pair for pair in pairs_of(hand) if pair[0] <= pair[1])


@lru_cache(maxsize=4_000)
def _pairs_of(hand: bytes) -> tuple[tuple[int, int, int], ...]:
    """Return what the pairs of a hand can do.

    For each these are the floors if the lower card is the number, numbered like cards, those if it
    is the color, and the index of both colors in :class:`FaceUp`.
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
    """Return a hand without one of its pairs, and the old indices of the pairs that are left."""
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


# -- Static evaluation: the VP that a position can be expected to bring, and the margin over others
#
# Positions are evaluated after a move, before the rows are refilled. With two or more players
# ``features`` are weighed by ``Evaluator``, in the solo game ``solo_features`` by
# ``SoloEvaluator``; only what a seat may know goes into them. ``expected_vp`` is what private
# contracts can be expected to bring, by the chance of each house to be completed, as if houses were
# independent of each other.


class Hand(NamedTuple):
    """The features of a hand that do not depend on the table."""

    size: int
    ones: int
    twos: int
    threes: int
    colors: int


@lru_cache(maxsize=4_000)
def hand_of(cards: bytes) -> Hand:
    """Return the features of a hand alone."""
    values = [VALUE_OF[card] for card in cards]
    colors = {COLOR_OF[card] for card in cards}
    return Hand(len(cards), values.count(1), values.count(2), values.count(3), len(colors))


class Row(NamedTuple):
    """The face-up cards: how many of each value, and how many one draw could take."""

    ones: int
    twos: int
    threes: int
    most: int


@lru_cache(maxsize=4_000)
def row_of(cards: bytes) -> Row:
    """Return what the row of face-up cards has; an empty space counts for nothing (P-DRAW-1)."""
    values = [VALUE_OF[card] for card in cards if card != EMPTY]
    ones, twos, threes = (values.count(value) for value in (1, 2, 3))
    most = 3 if ones >= 3 else 2 if ones == 2 or (ones and twos) else 1
    return Row(ones, twos, threes, most)


def features(
    state: State,
    seat: int,
    board: Board,
    matchings: Sequence[Matching],
    own_private: float,
) -> list[float]:
    """Return the features of a seat, in the order in which ``weights.json`` names them.

    ``matchings`` are those of all seats, and ``own_private`` is what the private contracts of the
    seat can be expected to bring; 0 where they are not known.
    """
    seats = state.config.seats
    mover = state.turn % seats
    wait = (seat - mover) % seats
    hand = hand_of(state.hands[seat])
    best, second, third, home = matchings[seat]
    others_best = others_size = 0
    contested = 0
    for other in range(seats):
        if other == seat:
            continue
        others_size += len(state.hands[other])
        pair = matchings[other]
        if pair.first > others_best:
            others_best = pair.first
        if home != NO_HOUSE and pair.home == home and (other - mover) % seats < wait:
            contested = 1
    row = row_of(state.cards)
    missing = board.missing[1:4]
    size, to_end, is_next = hand.size, board.floors_to_end, not wait
    # Line by line as the names in weights.json.
    return [
        *(1, best, second, third),
        *(hand.ones, hand.twos, hand.threes, max(0, size - 5)),
        *(best * contested, others_best, others_size / (seats - 1)),
        *(is_next * row.most, is_next * row.ones, own_private, to_end, board.roof_vp),
        *(board.ground_vp, *missing),
        *(wait, board.floors_built, hand.colors, max(0, best - 9), is_next),
        *(size >= 2, max(0, size - 8), is_next * best, wait and row.most, contested),
        *(is_next * houses for houses in missing),
        *(is_next * board.near_roof_vp, is_next * to_end, is_next * size, 0.1 * size * to_end),
        *(wait and others_best, is_next * row.threes, is_next * row.twos),
    ]


Chances = dict[int, tuple[float, ...]]
"""For each house in play the chance of each color to be that of a complete house at the end."""


def expected_vp(
    state: State, contracts: bytes, completion: Sequence[tuple[float, ...]], left: int
) -> float:
    """Return the VP that private contracts can be expected to bring together.

    ``completion`` is one of :class:`Weights`, and ``left`` says how much of the game is left, as
    its rows are numbered.
    """
    if not contracts:
        return 0.0
    row = completion[min(left, len(completion) - 1)]
    chances = chances_of(state, row)
    return sum(expected(state.config, contract, chances) for contract in contracts)


def chances_of(state: State, row: tuple[float, ...]) -> Chances:
    """Return the chances of the houses; a house that is empty may get any color that it can."""
    heights, floors, colors = state.config.heights, state.floors, state.colors
    started, unstarted = _started(row), _unstarted(row)
    most = len(started) - 1
    ground = state.ground_left
    return {
        house: started[min(heights[house] - floors[house], most)][colors[house]]
        if floors[house]
        else unstarted[_startable(colors[LEFT_OF[house]], colors[RIGHT_OF[house]], ground)]
        for house in state.config.houses
    }


@lru_cache(maxsize=4_000)
def _startable(left: int, right: int, ground_left: bytes) -> tuple[int, ...]:
    """Return the colors in which an empty house may be started, given those of its neighbors and
    the ground floors left (P-BUILD-3, P-BUILD-5).
    """
    beside = (left, right)
    return tuple(color for color, tiles in enumerate(ground_left) if tiles and color not in beside)


@lru_cache(maxsize=100)
def _started(row: tuple[float, ...]) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Return the chances of a house by how many floors it misses, and by its color."""
    colors = range(len(COLORS))
    return tuple(
        tuple(tuple(chance if each == color else 0.0 for each in colors) for color in colors)
        for chance in row[:-1]
    )


@lru_cache(maxsize=100)
def _unstarted(row: tuple[float, ...]) -> dict[tuple[int, ...], tuple[float, ...]]:
    """Return the chances of an empty house by the colors that it can get."""
    return {
        colors: tuple(row[-1] / len(colors) if each in colors else 0.0 for each in range(5))
        for size in range(len(COLORS) + 1)
        for colors in combinations(range(len(COLORS)), size)
    }


def expected(config: Config, contract: int, chances: Chances) -> float:
    """Return the VP that one private contract can be expected to bring, from the chance of each
    house, pair or trio that it counts; overlapping ones have a chance of their own each.
    """
    kind, colors = PRIVATE[contract].kind, PRIVATE[contract].colors
    scale = config.edition.private[kind]
    counts = templates(config.sides, config.heights, contract)
    each = [_chance(template, chances) for template in counts]
    if PRIVATE_KINDS[kind].once:
        return scale[0] * (1 - prod(1 - chance for chance in each))
    return _counted(scale, each) if len(colors) == 1 else along(scale, sum(each))


def _chance(template: Template, chances: Chances) -> float:
    """Return the chance that complete houses will be at all places of a template."""
    found = 1.0
    for places in template:
        house, color = places[0]
        if len(places) == 1:
            found *= chances[house][color]
        elif places[1][0] == house:  # A house has one color, so that its chances add up.
            found *= sum(chances[house])
        else:
            found *= 1 - prod(1 - chances[house][color] for house, color in places)
        if not found:
            break
    return found


_Scale = tuple[int, ...]
"""The VP for one, two … of what a contract asks for."""


def along(scale: _Scale, count: float) -> float:
    """Return the VP of a count that need not be whole: in between, a share of the next step."""
    whole = min(int(count), len(scale))
    before = scale[whole - 1] if whole else 0
    if whole == len(scale):
        return float(before)
    return before + (scale[whole] - before) * (count - whole)


def _counted(scale: _Scale, chances: Sequence[float]) -> float:
    """Return the VP of how many come true; each number has exactly the chance that it has."""
    steps = len(scale)
    numbers = [1.0] + [0.0] * steps
    for chance in chances:
        if chance:
            # More than the scale has a step for pay like its last one.
            numbers[steps] += numbers[steps - 1] * chance
            for number in range(steps - 1, 0, -1):
                numbers[number] += (numbers[number - 1] - numbers[number]) * chance
            numbers[0] -= numbers[0] * chance
    vp: float = sum(map(mul, numbers[1:], scale))
    return vp


MANY_ROOFS = {2: 5, 3: 6, 4: 7}
"""From how many roofs to go it is still early, by the number of players."""
_MANY, _SOME, _TWO, _ONE, _TWO_TURNS, _ONE_TURN, _NO_TURN = range(7)
"""The rows of the weights."""


def roofs_to_go(state: State) -> int:
    """Return how many roofs are left until the end is triggered."""
    return max(0, state.config.roofs_to_end - state.roofs)


def completion_row(state: State) -> int:
    """Return how much of a game is left, as the rows of the chances of completion are numbered.

    That is in roofs to go, and in fours of timer cards for who plays alone.
    """
    return state.timer_left // 4 if state.config.timer else roofs_to_go(state)


def turns_left(state: State, seat: int) -> int:
    """Return how many turns a seat has left once the last round is known, this one included."""
    seats = state.config.seats
    turns = seats * (state.end_round + 1) - state.turn
    wait = (seat - state.turn) % seats
    return max(0, turns - wait + seats - 1) // seats


def phase(state: State, seat: int) -> int:
    """Return which row of the weights is used for a seat."""
    if state.end_round:
        return (_NO_TURN, _ONE_TURN, _TWO_TURNS)[min(2, turns_left(state, seat))]
    to_go = roofs_to_go(state)
    if to_go >= MANY_ROOFS[state.config.seats]:
        return _MANY
    return _SOME if to_go >= 3 else _TWO if to_go == 2 else _ONE


class Evaluator:
    """Evaluates positions for the players of one game.

    ``seat`` is who decides; ``own`` are the private contracts that this seat knows of, its own.
    It caches what the positions of one decision share, so create one for each decision. Without
    ``weights`` it uses those that come with the program.
    """

    def __init__(self, seats: int, seat: int, own: bytes, weights: Weights | None = None) -> None:
        self.weights = weights or weights_of(str(seats))
        self.boards = Boards()
        self.seat = seat
        self.own = own
        self._expected: dict[tuple[bytes, bytes], float] = {}

    def values(self, state: State, viewer: int) -> list[float]:
        """Return the VP that each seat can be expected to have at the end.

        ``viewer`` is for whom the table is looked at; only the seat that decides knows private
        contracts, so for all others none count.
        """
        own = self.own if viewer == self.seat else b""
        if state.phase == OVER or (state.phase == KEEP and not state.dealt):
            return self._final(state, viewer, own)
        board = self.boards.of(state)
        matchings = [board.matching(hand) for hand in state.hands]
        found = []
        for seat, score in enumerate(state.scores):
            private = self._own_private(state) if own and seat == viewer else 0.0
            numbers = features(state, seat, board, matchings, private)
            row = self.weights.rows[phase(state, seat)]
            found.append(score + sum(map(mul, row, numbers)))
        return found

    def lead(self, state: State) -> float:
        """Return the margin of the seat that decides."""
        return self.margin(state, self.seat)

    def margin(self, state: State, viewer: int) -> float:
        """Return the margin of a seat, as it sees the table."""
        return margin_of(self.values(state, viewer), viewer)

    def _final(self, state: State, viewer: int, own: bytes) -> list[float]:
        """Private contracts of others are not known; the seat's own may not have scored yet."""
        found: list[float] = list(state.scores)
        if state.phase == KEEP and own:
            completed = completed_houses(state)
            found[viewer] += sum(score_private(state, contract, completed).vp for contract in own)
        return found

    def _own_private(self, state: State) -> float:
        key = (state.floors, state.colors)
        found = self._expected.get(key)
        if found is None:
            found = self._expected[key] = expected_vp(
                state, self.own, self.weights.completion, roofs_to_go(state)
            )
        return found


def solo_turns_left(state: State) -> int:
    """Return how many turns of the player are left, without one whose timer is still to come."""
    waits_for_timer = state.phase == TIMER and not state.turned
    return state.timer_left // 2 - waits_for_timer


def solo_features(state: State, board: Board) -> list[float]:
    """Return the features of a table, in the order in which ``weights.json`` names them."""
    best, second, third, _ = board.matching(state.hands[0])
    hand, row = hand_of(state.hands[0]), row_of(state.cards)
    _, *missing = board.missing
    offered, colors = board.best, range(0, len(CARDS), FLOORS_AS_CARD)
    of_color = [max(0, *offered[color : color + FLOORS_AS_CARD]) for color in colors]
    return [
        *(1, best, second, third),
        *(hand.ones, hand.twos, hand.threes, max(0, hand.size - 6)),
        *(hand.colors, *missing),
        *(board.roof_vp, board.started_roof_vp, board.ground_vp, board.floors_built),
        *(row.ones, row.twos, row.threes),
        *(max(0, *offered[floors::FLOORS_AS_CARD]) for floors in range(FLOORS_AS_CARD)),
        *(sum(of_color) / len(of_color), hand.size >= 2, hand.size >= 4),
    ]


class SoloEvaluator:
    """Evaluates the positions of one decision in the solo game.

    Without ``weights`` it uses those that come with the program.
    """

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or weights_of(SOLO)
        self.boards = Boards()

    def value(self, state: State) -> float:
        """Return the VP that can be expected at the end, without private contracts."""
        left = solo_turns_left(state)
        score = state.scores[0]
        if state.phase == OVER or not left:
            return score
        rows = self.weights.rows
        row = rows[min(left, len(rows)) - 1]
        to_come: float = sum(map(mul, row, solo_features(state, self.boards.of(state))))
        return score + to_come
