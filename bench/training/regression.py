"""The second step: what features are worth, from the ends of many games.

Games are played with some moves that are not the best, so that there is something to compare. For
every table after a move, and every player at it, what was still to be scored is explained by the
features: a linear regression for each phase. The next games are played by what was found. From the
same games come the chance of a house to be complete at the end, and what private contracts are
worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import log
from multiprocessing.pool import Pool
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bench.training.games import Choice, by_value_alone, can_move, config_of, play, spread
from porto_cli.games.porto.engine import PRIVATE
from porto_cli.games.porto.engine.play import PASS, Move
from porto_cli.games.porto.engine.scoring import completed_houses, score_private
from porto_cli.games.porto.engine.state import ACT, OVER, TIMER, State
from porto_cli.games.porto.players import SOLO_STARTS, by_price, evaluation
from porto_cli.games.porto.players.candidates import after, best_move, candidates, default_builds
from porto_cli.games.porto.players.evaluation import (
    SOLO,
    Board,
    Evaluator,
    Weights,
    completion_row,
    expected_vp,
    features,
    phase,
    roofs_to_go,
)
from porto_cli.players import random_choice

Array = Any
"""An array of NumPy, which is not needed to check the types."""


class Plan(NamedTuple):
    """How many games are played, and what former ones count."""

    iterations: int
    """How often weights are fitted to games by value; before that once to games by prices, where
    there are no weights to begin with."""
    games: int
    """How many games are played each time; by prices it is five times as many."""
    ridge: float
    """What is added to the diagonal of the normal equations."""
    decay: float
    """What games of the iteration before count, those before it by its square, and so on."""
    timers: tuple[int, ...] = (28,)
    """Alone: with how many timer cards the games are played, in turn."""


PLAN = Plan(iterations=7, games=3000, ridge=5.0, decay=0.3)
SOLO_PLAN = Plan(iterations=4, games=20_000, ridge=5.0, decay=0.5, timers=(24, 24, 26, 28))
BY_PRICES = 5
"""How many times as many games the first iteration plays: they are quick."""
PRIOR = 20
"""How many houses the former chance of completion counts for."""
BATCH = 25
"""Games that are played together."""


def plan_of(players: str) -> Plan:
    """Return how it is done unless it is asked for otherwise."""
    return SOLO_PLAN if players == SOLO else PLAN


# --- moves that are not always the best -------------------------------------------------------

FIRST_NOISE = 1.0
"""In the first games by prices: how far, in VP, these are off at most."""
NOISE = 1.5
"""The same for the few moves by prices later on."""
BY_PRICE = 0.04
"""How many of the later moves are made by prices."""
SHAKEN = 0.25
"""How many are made by prices or by values that are off, the latter by Gumbel noise of 1 VP."""


def by_noisy_price(state: State, weights: Weights, rng: Random) -> Move:
    """Choose by prices that are a little off; for the timer anything."""
    if state.phase == TIMER:
        builds = default_builds(state)
        return random_choice(builds, rng)
    if not can_move(state):
        return PASS
    return by_price(state, weights, lambda: FIRST_NOISE * rng.random())


def by_noisy_value(state: State, weights: Weights, rng: Random) -> Move:
    """Choose by value, sometimes by values or prices that are off."""
    alone = bool(state.config.timer)
    if not alone and not can_move(state):
        return PASS
    draw = rng.random()
    if not alone and draw < BY_PRICE:
        return by_price(state, weights, lambda: NOISE * rng.random())
    if alone:
        if draw >= SHAKEN:
            return by_value_alone(state, weights, rng)
        worth = evaluation.SoloEvaluator(weights).value
        found = candidates(state, worth, starts=SOLO_STARTS, roofs=None)
    else:
        worth = Evaluator(state.config.seats, state.seat, state.kept[state.seat], weights).lead
        if draw >= SHAKEN:
            return best_move(state, worth)
        found = candidates(state, worth, starts=0, roofs=0)
    if not found:
        return PASS
    shaken = [value + _gumbel(rng) for value, _, _ in found]
    return found[shaken.index(max(shaken))][1]


def _gumbel(rng: Random) -> float:
    return -log(-log(rng.random() or 0.5))


# --- what a game tells ------------------------------------------------------------------------


class Sums:
    """What some games tell, added up."""

    def __init__(self, phases: int, size: int, left: int, columns: int) -> None:
        self.products = np.zeros((phases, size, size))
        """For each phase the products of each feature with each other."""
        self.targets = np.zeros((phases, size))
        """For each phase the products of the features with what was still scored."""
        self.houses = np.zeros((2, left, columns))
        """How many houses were seen, and how many of these were complete at the end."""
        self.contracts = np.zeros(len(PRIVATE))
        """The VP of each private contract at the end, whoever had it, if anybody."""
        self.games = 0
        self.vp = 0.0
        """The mean score of each game, added up."""

    def add(self, other: Sums) -> None:
        """Add what other games tell."""
        self.products += other.products
        self.targets += other.targets
        self.houses += other.houses
        self.contracts += other.contracts
        self.games += other.games
        self.vp += other.vp

    def see(self, row: int, numbers: Sequence[float], target: float) -> None:
        """Add what was still scored at a table with such features."""
        array = np.array(numbers, dtype=float)
        self.products[row] += np.outer(array, array)
        self.targets[row] += array * target


def empty_sums(weights: Weights) -> Sums:
    """Return the sums of no games."""
    return Sums(
        len(weights.phases),
        len(weights.features),
        len(weights.completion),
        len(weights.completion[0]),
    )


Seen = tuple[int, int, list[float], float]
"""A seat, the row of the weights for it, its features, and its score so far."""


def seen_alone(state: State) -> list[Seen]:
    """Return what a table of the solo game shows."""
    left = evaluation.solo_turns_left(state)
    if state.phase == OVER or not left:
        return []
    return [(0, left - 1, evaluation.solo_features(state, Board(state)), state.scores[0])]


def seen_by_all(state: State, kept: Sequence[bytes], weights: Weights) -> list[Seen]:
    """Return what a table shows to each seat, which knows its own private contracts alone.

    Who has not chosen them yet is left out.
    """
    if state.phase == OVER:
        return []
    board = Board(state)
    matchings = [board.matching(hand) for hand in state.hands]
    found: list[Seen] = []
    for seat, own in enumerate(kept):
        if not own:
            continue
        expected = expected_vp(state, own, weights.completion, roofs_to_go(state))
        numbers = features(state, seat, board, matchings, expected)
        found.append((seat, phase(state, seat), numbers, state.scores[seat]))
    return found


def gather(
    players: str,
    weights: Weights,
    choice: Choice,
    seed: str,
    timers: tuple[int, ...],
    games: range,
) -> Sums:
    """Play some games and return what they tell."""
    sums = empty_sums(weights)
    for game in games:
        _gather_one(sums, players, weights, choice, f"{seed}/{game}", timers[game % len(timers)])
    return sums


def _gather_one(
    sums: Sums, players: str, weights: Weights, choice: Choice, deal: str, timer: int
) -> None:
    config = config_of(players, timer)
    seen: list[Seen] = []
    houses: list[tuple[int, int, int]] = []
    columns = len(weights.completion[0])
    state = None
    for state, move in play(config, choice, weights, deal, Random(deal)):
        if move is None or state.phase not in (ACT, TIMER):
            continue
        table = after(state, move)
        if players == SOLO:
            seen += seen_alone(table)
        else:
            seen += seen_by_all(table, state.kept, weights)
        left = completion_row(table)
        houses += [(left, *house) for house in _houses(table, columns)]
    assert state is not None
    for seat, row, numbers, score in seen:
        sums.see(row, numbers, state.scores[seat] - score)
    done = [config.heights[house] == state.floors[house] for house in range(len(config.heights))]
    most = len(weights.completion) - 1
    for left, column, house in houses:
        sums.houses[0, min(left, most), column] += 1
        sums.houses[1, min(left, most), column] += done[house]
    completed = completed_houses(state)
    sums.contracts += [score_private(state, index, completed).vp for index in range(len(PRIVATE))]
    sums.games += 1
    sums.vp += sum(state.scores) / len(state.scores)


def _houses(state: State, columns: int) -> Iterator[tuple[int, int]]:
    """Yield for each house in play its column in the table of completion, and which it is."""
    for house in state.config.houses:
        gap = state.config.heights[house] - state.floors[house]
        yield (min(gap, columns - 2) if state.floors[house] else columns - 1), house


# --- what they tell together ------------------------------------------------------------------


def solve(sums: Sums, ridge: float) -> tuple[tuple[float, ...], ...]:
    """Return for each phase the weights that explain best what was still scored.

    They are rounded, so that how a computer adds up makes no difference to the games to come.
    """
    size = sums.targets.shape[1]
    return tuple(
        tuple(map(rounded, np.linalg.solve(products + ridge * np.eye(size), targets)))
        for products, targets in zip(sums.products, sums.targets, strict=True)
    )


def rounded(number: float) -> float:
    """Return a number with six digits that count."""
    return float(f"{number:.6g}")


def completion_of(sums: Sums, former: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """Return the chances of houses to be complete at the end, former ones counting a little."""
    seen, done = sums.houses
    found = (done + PRIOR * np.array(former)) / (seen + PRIOR)
    return tuple((1.0, *map(rounded, row[1:])) for row in found)


class Progress(NamedTuple):
    """How far a run is."""

    iteration: int
    """Which comes next: 0 plays by prices, all others by value."""
    weights: Weights
    """What was found."""
    sums: Sums
    """What former games tell, as far as it still counts."""
    vp: tuple[float, ...]
    """For each time the mean score of its games."""


def begin(start: Weights) -> Progress:
    """Return the progress of a run that has not done anything yet."""
    has_weights = any(map(any, start.rows))
    return Progress(int(has_weights), start, empty_sums(start), ())


def advance(
    progress: Progress, players: str, plan: Plan, seed: str, pool: Pool | None = None
) -> Progress:
    """Return the progress after one more time.

    Alone, private contracts are left as they are: they count only for who goes for 80 VP.
    """
    iteration, weights = progress.iteration, progress.weights
    choice: Choice = by_noisy_value if iteration else by_noisy_price
    games = plan.games if iteration else BY_PRICES * plan.games
    batches = [range(first, min(first + BATCH, games)) for first in range(0, games, BATCH)]
    work = partial(gather, players, weights, choice, f"{seed}/{iteration}", plan.timers)
    new = empty_sums(weights)
    for sums in spread(work, batches, pool):
        new.add(sums)
    total = empty_sums(weights)
    total.products += plan.decay * progress.sums.products + new.products
    total.targets += plan.decay * progress.sums.targets + new.targets
    better = weights._replace(rows=solve(total, plan.ridge))
    if players != SOLO:
        better = better._replace(
            completion=completion_of(new, weights.completion),
            keep=tuple(rounded(vp) for vp in new.contracts / new.games),
        )
    return Progress(iteration + 1, better, total, (*progress.vp, new.vp / new.games))


def packed(progress: Progress) -> dict[str, object]:
    """Return progress as plain data, of which :func:`unpacked` makes it again."""
    return {
        "iteration": progress.iteration,
        "rows": progress.weights.rows,
        "completion": progress.weights.completion,
        "keep": progress.weights.keep,
        "products": progress.sums.products.tolist(),
        "targets": progress.sums.targets.tolist(),
        "vp": progress.vp,
    }


def unpacked(data: Any, start: Weights) -> Progress:
    """Return the progress of a run that began with these weights."""
    sums = empty_sums(start)
    sums.products += np.array(data["products"])
    sums.targets += np.array(data["targets"])
    weights = start._replace(
        rows=tuple(map(tuple, data["rows"])),
        completion=tuple(map(tuple, data["completion"])),
        keep=tuple(data["keep"]),
    )
    return Progress(data["iteration"], weights, sums, tuple(data["vp"]))
