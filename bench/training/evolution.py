"""The third step: the weights of features are moved to where they win more.

Regression says what a table was worth when it was left to chance who had it; that is not yet what
makes the better choice. So each feature's weight is shifted, in all phases by the same few numbers,
and what wins is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import tanh
from multiprocessing.pool import Pool
from typing import NamedTuple

from bench.training.forms import FEATURES, SOLO_FEATURES
from bench.training.games import margins, solo_score, spread
from bench.training.strategy import Fitness, Plan, Vector
from porto_cli.games.porto.engine.scoring import SOLO_WIN
from porto_cli.games.porto.players import priced_player, value_player
from porto_cli.games.porto.players.evaluation import SOLO, Weights
from porto_cli.players.search import chance_to_reach


class Shifts(NamedTuple):
    """For some features a shift of their weights, along one or more curves over the phases."""

    steps: tuple[float, ...]
    """For each feature how much a shift of 1 changes its weights; 0 leaves them alone."""
    curves: tuple[tuple[float, ...], ...]
    """For each curve how much of a shift each phase gets."""

    @property
    def size(self) -> int:
        """How many numbers there are to shift by."""
        return len(self.curves) * sum(1 for step in self.steps if step)

    def apply(self, weights: Weights, numbers: Vector) -> Weights:
        """Return the weights shifted by so many numbers: feature by feature those of its curves."""
        shift = iter(numbers)
        columns = []
        for at, step in enumerate(self.steps):
            column = [row[at] for row in weights.rows]
            if step:
                for curve in self.curves:
                    by = step * next(shift)
                    column = [
                        weight + by * part for weight, part in zip(column, curve, strict=True)
                    ]
            columns.append(column)
        return weights._replace(rows=tuple(zip(*columns, strict=True)))


_STEPS = {
    "best_pair": 0.05,
    "second_pair": 0.05,
    "third_pair": 0.05,
    "cards_of_value_1": 0.2,
    "cards_of_value_2": 0.2,
    "cards_of_value_3": 0.2,
    "cards_above_5": 0.2,
    "contested_best_pair": 0.1,
    "best_pair_of_others": 0.05,
    "mean_hand_of_others": 0.2,
    "next_most_cards": 0.2,
    "next_ones": 0.2,
    "own_private": 0.1,
    "colors_in_hand": 0.1,
    "best_pair_above_9": 0.1,
    "cards_above_8": 0.2,
    "next_best_pair": 0.05,
    "contested": 0.5,
    "next_houses_missing_1": 0.2,
    "next_houses_missing_2": 0.2,
    "next_houses_missing_3": 0.2,
    "next_roof_tokens": 0.1,
    "next_cards": 0.1,
    "cards_times_floors_to_end": 0.1,
    "waiting_best_pair_of_others": 0.05,
    "next_threes": 0.2,
    "next_twos": 0.2,
}
SHIFTS = Shifts(
    steps=tuple(_STEPS.get(name, 0.0) for name in FEATURES),
    curves=((1.0, 1.0, 0.9, 0.7, 0.3, 0.0, 0.0),),
)
"""Against others: what happens once the end is triggered is known well enough."""

_SOLO_STEPS = {
    "best_pair": 0.08,
    "second_pair": 0.08,
    "third_pair": 0.14,
    "cards_of_value_1": 0.25,
    "cards_of_value_2": 0.4,
    "cards_of_value_3": 0.6,
    "cards_above_6": 0.6,
    "colors_in_hand": 0.25,
    "houses_missing_1": 0.5,
    "houses_missing_2": 0.3,
    "houses_missing_3": 0.4,
    "houses_missing_4_or_more": 0.4,
    "roof_tokens": 0.1,
    "roof_tokens_on_started": 0.1,
    "ground_tokens": 0.13,
    "floors_built": 0.25,
    "face_up_ones": 0.5,
    "face_up_twos": 0.6,
    "face_up_threes": 0.6,
    "best_1_floor": 0.2,
    "best_2_floors": 0.25,
    "best_3_floors": 0.15,
    "mean_best_of_colors": 0.25,
    "two_cards": 0.6,
    "four_cards": 0.6,
}
SOLO_SHIFTS = Shifts(
    steps=tuple(_SOLO_STEPS.get(name, 0.0) for name in SOLO_FEATURES),
    curves=(
        tuple(1 - left / 12 for left in range(13)),
        tuple(left / 12 for left in range(13)),
    ),
)
"""Alone: one shift for the last turn and one for the first, those between have a part of both. A
step is worth about 0.1 VP between the moves of one decision."""

PLAN = Plan(candidates=14, deals=60, generations=60, step=0.7, decay=0.975, elite=(5, 4, 3, 2, 1))
SOLO_PLAN = Plan(candidates=32, deals=24, generations=150, step=1.0, decay=0.98, rate=0.4)

BEFORE = 6
"""How many generations ago the opponent was made."""
SOLO_TIMERS = (24, 24, 26)
"""With how many timer cards the deals are played, in turn."""
DOUBT = 3.0
"""By so many VP a solo game is won or lost fairly surely, as far as learning is concerned."""


def shifts_of(players: str) -> Shifts:
    """Return what is shifted for so many players."""
    return SOLO_SHIFTS if players == SOLO else SHIFTS


def plan_of(players: str) -> Plan:
    """Return how it is done unless it is asked for otherwise."""
    return SOLO_PLAN if players == SOLO else PLAN


def fitness_of(
    players: str, start: Weights, plan: Plan, seed: str, pool: Pool | None = None
) -> Fitness:
    """Return how well shifts of weights do.

    Alone: about the chance to have 60 VP. Against others: the margin, as 20 · tanh(margin / 20),
    from each seat, over level 3 and over level 4 by the shifts of some generations ago.
    """
    shifts = shifts_of(players)

    def fitness(
        candidates: Sequence[Vector], generation: int, means: Sequence[Vector]
    ) -> list[float]:
        tried = [shifts.apply(start, candidate) for candidate in candidates]
        deals = f"{seed}/{generation}"
        if players == SOLO:
            work = partial(_solo, deals, plan.deals)
        else:
            former = shifts.apply(start, means[max(0, generation - BEFORE)])
            work = partial(_against, int(players), start, former, deals, plan.deals)
        return list(spread(work, tried, pool))

    return fitness


def _solo(seed: str, deals: int, weights: Weights) -> float:
    timers = [SOLO_TIMERS[deal % len(SOLO_TIMERS)] for deal in range(deals)]
    return (
        sum(
            chance_to_reach(SOLO_WIN, solo_score(weights, timer, f"{seed}/{deal}"), DOUBT)
            for deal, timer in enumerate(timers)
        )
        / deals
    )


def _against(
    seats: int, start: Weights, former: Weights, seed: str, deals: int, weights: Weights
) -> float:
    candidate = partial(value_player, weights=weights)
    found = []
    for other in (partial(priced_player, weights=start), partial(value_player, weights=former)):
        found += margins([candidate, *[other] * (seats - 1)], seed, range(deals))
    return sum(20 * tanh(margin / 20) for margin in found) / len(found)
