"""The first step: what cards, gaps and tokens are worth to players of levels 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from multiprocessing.pool import Pool
from random import Random

from bench.training.games import can_move, config_of, margins, play, spread
from bench.training.strategy import Fitness, Plan, Vector
from porto_cli.games.porto.engine.play import PASS, Move
from porto_cli.games.porto.engine.state import TIMER, State
from porto_cli.games.porto.players import by_price, priced_player
from porto_cli.games.porto.players.evaluation import SOLO, Prices, Weights

PLAN = Plan(
    candidates=16,
    deals=250,
    generations=40,
    step=0.4,
    decay=0.96,
    elite=(1, 1, 1, 1, 1),
    pairs=False,
)
BEFORE = 8
"""How many generations ago the opponent was made."""
GAPS = 6
STEPS = (*(1.0, 1.0, 1.0), *[1.0] * GAPS, *(1.0, 0.1, 0.5, 1.0))
"""How much a step of 1 changes each number: cards, gaps, start, size, end, roof."""
SOLO_TIMERS = (28, 26, 24)


def numbers_of(prices: Prices) -> Vector:
    """Return prices as numbers in steps."""
    plain = (
        *(*prices.cards, *prices.gaps),
        *(prices.start, prices.size, prices.end, prices.roof),
    )
    return tuple(number / step for number, step in zip(plain, STEPS, strict=True))


def prices_of(numbers: Vector) -> Prices:
    """Return the prices of numbers in steps."""
    plain = [number * step for number, step in zip(numbers, STEPS, strict=True)]
    return Prices(tuple(plain[:3]), tuple(plain[3 : 3 + GAPS]), *plain[3 + GAPS :])


def fitness_of(
    players: str, start: Weights, plan: Plan, seed: str, pool: Pool | None = None
) -> Fitness:
    """Return how well prices do.

    The mean margin, from each seat, over level 3 by the prices of some generations ago; alone the
    mean score.
    """

    def fitness(
        candidates: Sequence[Vector], generation: int, means: Sequence[Vector]
    ) -> list[float]:
        tried = [start._replace(prices=prices_of(candidate)) for candidate in candidates]
        deals = f"{seed}/{generation}"
        if players == SOLO:
            work = partial(_solo, deals, plan.deals)
        else:
            former = start._replace(prices=prices_of(means[max(0, generation - BEFORE)]))
            work = partial(_against, int(players), former, deals, plan.deals)
        return list(spread(work, tried, pool))

    return fitness


def _against(seats: int, former: Weights, seed: str, deals: int, weights: Weights) -> float:
    players = [partial(priced_player, weights=one) for one in (weights, *[former] * (seats - 1))]
    found = margins(players, seed, range(deals))
    return sum(found) / len(found)


def _solo(seed: str, deals: int, weights: Weights) -> float:
    total = 0
    for deal in range(deals):
        config = config_of(SOLO, SOLO_TIMERS[deal % len(SOLO_TIMERS)])
        *_, (final, _) = play(config, _priced, weights, f"{seed}/{deal}", Random(0))
        total += final.scores[0]
    return total / deals


def _priced(state: State, weights: Weights, rng: Random) -> Move:
    """Choose as level 3 does; where nothing can be done, pass."""
    if state.phase == TIMER or can_move(state):
        return by_price(state, weights)
    return PASS
