"""Moves judged by trials: each is played on from equally often, and with the same luck.

How that is done is the game's matter; here is what coaches of any game have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from math import sqrt
from random import Random
from statistics import fmean, variance
from time import monotonic

from porto_cli.core.chance import Chance, chance_of
from porto_cli.game import Move
from porto_cli.players import seed_of
from porto_cli.players.coach import InterruptedThoughtError, Judgment, Prospect

FEWEST = 2
"""So often is played on from each move at least: once says nothing about its error."""

Trial = Callable[[int, int], Prospect]
"""Play on from the move of this number with the luck of that number, and say what comes of it."""
Summary = Callable[[list[Prospect]], Sequence[Prospect]]
"""Return what can be expected by the means of the trials, those of the best move first."""


def tried(
    moves: Sequence[Move],
    trial: Trial,
    *,
    samples: int,
    seconds: float | None = None,
    sum_up: Summary = list,
) -> list[Judgment]:
    """Judge moves by so many trials in all, or by trials for some seconds; the best comes first.

    Raises InterruptedThoughtError on Ctrl-C.
    """
    seen: list[list[Prospect]] = [[] for _ in moves]
    goes_on = _goes_on(max(FEWEST, samples // len(moves)), seconds)
    try:
        for nth in count():
            if not goes_on(nth):
                break
            for place, prospects in enumerate(seen):
                prospects.append(trial(place, nth))
    except KeyboardInterrupt:
        times = min(map(len, seen))
        for prospects in seen:
            del prospects[times:]
        so_far = _compared(moves, seen, sum_up) if times >= FEWEST else []
        raise InterruptedThoughtError(so_far) from None
    return _compared(moves, seen, sum_up)


def over_chances(
    look: Callable[[Chance], tuple[Prospect, bool]], luck: Random, samples: int
) -> Prospect:
    """Return the mean of what is seen after so many chances, one at least.

    ``look`` returns what is seen after a chance, and whether anything has come up: if not, once
    will do.
    """
    seed = seed_of(luck)
    found = []
    for nth in range(max(1, samples)):
        prospect, came_up = look(chance_of(Random(seed + nth)))
        found.append(prospect)
        if not came_up:
            break
    return _mean(found)


def _mean(prospects: Sequence[Prospect]) -> Prospect:
    """Return the mean of prospects."""
    return Prospect(fmean(one.margin for one in prospects), fmean(one.win for one in prospects))


def _goes_on(often: int, seconds: float | None) -> Callable[[int], bool]:
    """Return what tells whether to play on once more, after so many times."""
    if seconds is None:
        return lambda times: times < often
    until = monotonic() + seconds
    return lambda times: times < FEWEST or monotonic() < until


def _compared(moves: Sequence[Move], seen: list[list[Prospect]], sum_up: Summary) -> list[Judgment]:
    """Return moves with what they led to, compared with the best one trial by trial."""
    means = [_mean(prospects) for prospects in seen]
    order = sorted(range(len(moves)), key=lambda place: -means[place].margin)
    best = seen[order[0]]
    prospects = sum_up([means[place] for place in order])
    judgments = []
    for place, prospect in zip(order, prospects, strict=True):
        behind = [one.margin - other.margin for one, other in zip(best, seen[place], strict=True)]
        error = sqrt(variance(behind) / len(behind))
        judgments.append(Judgment(moves[place], prospect, max(0.0, fmean(behind)), error))
    return judgments
