"""What a table of the solo game is worth: the VP still to come, by what is left to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from porto_cli.games.porto.engine.components import COLORS
from porto_cli.games.porto.engine.state import OVER, TIMER, State
from porto_cli.games.porto.players.board import FLOORS_AS_CARD, Board, Boards
from porto_cli.games.porto.players.expected import expected_vp
from porto_cli.games.porto.players.features import hand_of, row_of
from porto_cli.games.porto.players.weights import SOLO, Weights, weights_of

NAMES = (
    *("constant", "best_pair", "second_pair", "third_pair"),
    *("cards_of_value_1", "cards_of_value_2", "cards_of_value_3", "cards_above_6"),
    *("colors_in_hand", "houses_missing_1", "houses_missing_2", "houses_missing_3"),
    *("houses_missing_4_or_more", "roof_tokens", "roof_tokens_on_started", "ground_tokens"),
    *("floors_built", "face_up_ones", "face_up_twos", "face_up_threes", "best_1_floor"),
    *("best_2_floors", "best_3_floors", "mean_best_of_colors", "two_cards", "four_cards"),
)
"""What stands in each place of the features."""


def turns_left(state: State) -> int:
    """Return how many turns of the player are left, without one whose timer is still to come."""
    waits_for_timer = state.phase == TIMER and not state.turned
    return state.timer_left // 2 - waits_for_timer


def features(state: State, board: Board) -> list[float]:
    """Return the features of a table, in the order of ``NAMES``."""
    best, second, third, _ = board.matching(state.hands[0])
    hand, row = hand_of(state.hands[0]), row_of(state.cards)
    _, *missing = board.missing
    offered = board.best
    return [
        1,
        best,
        second,
        third,
        hand.ones,
        hand.twos,
        hand.threes,
        max(0, hand.size - 6),
        hand.colors,
        *missing,
        board.roof_vp,
        board.started_roof_vp,
        board.ground_vp,
        board.floors_built,
        row.ones,
        row.twos,
        row.threes,
        *[max(0, *offered[floors::FLOORS_AS_CARD]) for floors in range(FLOORS_AS_CARD)],
        sum([max(0, *offered[color : color + FLOORS_AS_CARD]) for color in _COLORS]) / len(COLORS),
        hand.size >= 2,
        hand.size >= 4,
    ]


_COLORS = range(0, FLOORS_AS_CARD * len(COLORS), FLOORS_AS_CARD)


class SoloAppraiser:
    """Somebody who says what the tables of one decision are worth.

    It goes by the weights that come with the program unless it is given others.
    """

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or weights_of(SOLO)
        self.boards = Boards()

    def value(self, state: State) -> float:
        """Return the VP that can be expected at the end, without private contracts."""
        left = turns_left(state)
        score = state.scores[0]
        if state.phase == OVER or not left:
            return score
        rows = self.weights.rows
        row = rows[min(left, len(rows)) - 1]
        to_come: float = sum(map(mul, row, features(state, self.boards.of(state))))
        return score + to_come

    def private(self, state: State, own: bytes, completion: Sequence[tuple[float, ...]]) -> float:
        """Return what private contracts can be expected to bring."""
        return expected_vp(state, own, completion, state.timer_left // 4)
