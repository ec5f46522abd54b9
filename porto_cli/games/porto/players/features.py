"""What the value of a table with two or more players is made of, and for whom.

Each feature is a number that can be read off the table of a player; ``value.py`` weighs them. Only
what a seat may know goes into them: of the private contracts none but its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from porto_cli.games.porto.engine.components import COLOR_OF, EMPTY, VALUE_OF
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.players.board import NO_HOUSE, Board, Matching

NAMES = (
    *("constant", "best_pair", "second_pair", "third_pair"),
    *("cards_of_value_1", "cards_of_value_2", "cards_of_value_3", "cards_above_5"),
    *("contested_best_pair", "best_pair_of_others", "mean_hand_of_others"),
    *("next_most_cards", "next_ones", "own_private", "floors_to_end", "roof_tokens"),
    *("ground_tokens", "houses_missing_1", "houses_missing_2", "houses_missing_3"),
    *("turns_to_wait", "floors_built", "colors_in_hand", "best_pair_above_9", "next"),
    *("two_cards", "cards_above_8", "next_best_pair", "waiting_most_cards", "contested"),
    *("next_houses_missing_1", "next_houses_missing_2", "next_houses_missing_3"),
    *("next_roof_tokens", "next_floors_to_end", "next_cards", "cards_times_floors_to_end"),
    *("waiting_best_pair_of_others", "next_threes", "next_twos"),
)
"""What stands in each place of the features."""


class Hand(NamedTuple):
    """What a hand is, whatever is on the table."""

    size: int
    ones: int
    twos: int
    threes: int
    colors: int


@lru_cache(maxsize=4_000)
def hand_of(cards: bytes) -> Hand:
    """Return what a hand is."""
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
    """Return the features of a seat, in the order of ``NAMES``.

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
    _, one_missing, two_missing, three_missing, _ = board.missing
    size, to_end = hand.size, board.floors_to_end
    if wait:
        upcoming = _NOTHING_NEXT
        waiting = (row.most, others_best)
    else:
        upcoming = (
            *(row.most, row.ones, best, one_missing, two_missing, three_missing),
            *(board.near_roof_vp, to_end, size, row.threes, row.twos),
        )
        waiting = (0, 0)
    return [
        1,
        best,
        second,
        third,
        hand.ones,
        hand.twos,
        hand.threes,
        max(0, size - 5),
        best * contested,
        others_best,
        others_size / (seats - 1),
        upcoming[0],
        upcoming[1],
        own_private,
        to_end,
        board.roof_vp,
        board.ground_vp,
        one_missing,
        two_missing,
        three_missing,
        wait,
        board.floors_built,
        hand.colors,
        max(0, best - 9),
        not wait,
        size >= 2,
        max(0, size - 8),
        upcoming[2],
        waiting[0],
        contested,
        upcoming[3],
        upcoming[4],
        upcoming[5],
        upcoming[6],
        upcoming[7],
        upcoming[8],
        0.1 * size * to_end,
        waiting[1],
        upcoming[9],
        upcoming[10],
    ]


_NOTHING_NEXT = (0,) * 11
