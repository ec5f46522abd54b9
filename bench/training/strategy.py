"""An evolution strategy: numbers get better by trying many small changes to all of them at once.

Each generation draws some candidates around the mean, lets all of them play the same deals, and
moves the mean. What a generation draws follows from the seed and its number, so that a run that
was stopped goes on as if it had not been, wherever the games are played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

Vector = tuple[float, ...]
Fitness = Callable[[Sequence[Vector], int, Sequence[Vector]], Sequence[float]]
"""How well each of some candidates does, the more the better: given them, the number of the
generation, from 0, and the means of all generations so far, who may be the opponents."""


class Plan(NamedTuple):
    """How to draw candidates, and how to move the mean."""

    candidates: int
    """How many a generation has, at least two; in pairs one less if the number is odd."""
    deals: int
    """How many deals each of them plays in a generation."""
    generations: int
    """After how many the run is done."""
    step: float
    """How far candidates are from the mean, in each number."""
    decay: float
    """What each generation multiplies the step by; without an elite, how far the mean moves."""
    elite: tuple[int, ...] = ()
    """The weights of the best candidates, the very best first, whose weighed mean is the next mean.
    Without any, each pair moves the mean by as much as its two differ in fitness."""
    pairs: bool = True
    """Whether one half of the candidates is the other one mirrored at the mean. Otherwise the first
    one is the mean itself."""
    rate: float = 0.0
    """Without an elite: how far the mean moves in the first generation, in steps."""


class Progress(NamedTuple):
    """How far a run is."""

    means: tuple[Vector, ...]
    """The means: where it began, and after each generation."""
    fitness: tuple[float, ...]
    """The mean fitness of the candidates of each generation, each on deals of its own."""

    @property
    def generation(self) -> int:
        """How many generations are done."""
        return len(self.fitness)

    @property
    def mean(self) -> Vector:
        """The present mean."""
        return self.means[-1]


def begin(start: Sequence[float]) -> Progress:
    """Return the progress of a run that has not done anything yet."""
    return Progress((tuple(start),), ())


def advance(progress: Progress, plan: Plan, fitness: Fitness, seed: str) -> Progress:
    """Return the progress after one more generation. The same seed draws the same candidates."""
    generation, mean = progress.generation, progress.mean
    directions = _directions(plan, len(mean), f"{seed}/{generation}")
    step = plan.step * plan.decay**generation if plan.elite else plan.step
    candidates = [_moved(mean, direction, step) for direction in directions]
    found = fitness(candidates, generation, progress.means)
    if plan.elite:
        weighed = _elite(plan, directions, found)
    else:
        weighed = _by_difference(plan.rate * plan.decay**generation, directions, found)
    way = tuple(sum(weight * one[at] for weight, one in weighed) for at in range(len(mean)))
    return Progress(
        (*progress.means, _moved(mean, way, step)), (*progress.fitness, sum(found) / len(found))
    )


_Weighed = list[tuple[float, Vector]]


def _elite(plan: Plan, directions: list[Vector], found: Sequence[float]) -> _Weighed:
    best = sorted(range(len(found)), key=lambda place: -found[place])
    weights = plan.elite[: len(best)]
    total = sum(weights)
    return [(weight / total, directions[at]) for weight, at in zip(weights, best, strict=False)]


def _by_difference(rate: float, directions: list[Vector], found: Sequence[float]) -> _Weighed:
    half = len(directions) // 2
    gains = [found[at] - found[at + half] for at in range(half)]
    length = sqrt(sum(gain * gain for gain in gains)) or 1.0
    return [(rate * gain / length, directions[at]) for at, gain in enumerate(gains)]


def _directions(plan: Plan, size: int, seed: str) -> list[Vector]:
    rng = Random(seed)

    def draw() -> Vector:
        return tuple(rng.gauss(0.0, 1.0) for _ in range(size))

    if plan.pairs:
        half = [draw() for _ in range(plan.candidates // 2)]
        return [*half, *(tuple(-number for number in one) for one in half)]
    return [(0.0,) * size, *(draw() for _ in range(plan.candidates - 1))]


def _moved(mean: Vector, way: Vector, step: float) -> Vector:
    return tuple(here + step * there for here, there in zip(mean, way, strict=True))
