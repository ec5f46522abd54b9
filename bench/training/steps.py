"""The steps, each so that it can be stopped and go on: what it has done is kept after each part."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any, NamedTuple

import porto_cli
from bench.training import evolution, files, prices, strategy
from bench.training.forms import Recipe
from porto_cli.games.porto.players.evaluation import Weights

STEPS = ("prices", "regression", "evolution")
"""The steps in their order."""


class Task(NamedTuple):
    """What is to be done."""

    step: str
    players: str
    seed: str
    out: Path
    """The file of weights that is written."""
    budget: dict[str, int]
    """What of the plan is another: candidates, deals, generations, iterations, games."""


Report = Callable[[str], None]


def run(task: Task, start: str, pool: Pool | None, report: Report) -> None:
    """Do a step, beginning with the weights of a file, or go on with it.

    After each generation, or iteration, the weights are written, and how far it is. Raises
    :class:`~bench.training.files.RefusedError`.
    """
    weights, recipe = files.read(start, task.players)
    if task.step == "regression":
        _regression(task, weights, recipe, pool, report)
    else:
        _evolved(task, weights, recipe, pool, report)


def plan_of(task: Task) -> Any:
    """Return the plan of a task: that of its step, but for the budget."""
    if task.step == "prices":
        plan: Any = prices.PLAN
    elif task.step == "evolution":
        plan = evolution.plan_of(task.players)
    else:
        from bench.training import regression

        plan = regression.plan_of(task.players)
    known = {key: number for key, number in task.budget.items() if key in plan._fields}
    return plan._replace(**known)


def _settings(task: Task, start: Weights, plan: Any, length: str) -> dict[str, object]:
    """Return what must be the same for a step to go on; it may go on for longer."""
    numbers = _numbers(plan)
    del numbers[length]
    return {
        "step": task.step,
        "players": task.players,
        "seed": task.seed,
        "start": files.digest(start),
        "plan": numbers,
    }


def _told(task: Task, start: Weights, plan: Any, length: str, done: int) -> dict[str, object]:
    """Return the line of a recipe for this step.

    The weights that it begins with are those that the lines before it tell of; they are named by
    their digest, as in what a step keeps to go on.
    """
    return {
        "step": task.step,
        "command": f"python -m bench.training {task.step} --players {task.players}",
        "start": files.digest(start),
        "seed": task.seed,
        "program": porto_cli.__version__,
        "plan": {**_numbers(plan), length: done},
    }


def _numbers(plan: Any) -> dict[str, Any]:
    """Return a plan as it is written down."""
    return {
        key: list(one) if isinstance(one, tuple) else one for key, one in plan._asdict().items()
    }


def _evolved(task: Task, start: Weights, recipe: Recipe, pool: Pool | None, report: Report) -> None:
    plan: strategy.Plan = plan_of(task)
    if task.step == "prices":
        fitness = prices.fitness_of(task.players, start, plan, task.seed, pool)
        begin = prices.numbers_of(start.prices)
    else:
        fitness = evolution.fitness_of(task.players, start, plan, task.seed, pool)
        begin = (0.0,) * evolution.shifts_of(task.players).size
    settings = _settings(task, start, plan, "generations")
    path = files.checkpoint(task.out, task.step)
    kept = files.remembered(path, settings)
    if kept is None:
        progress = strategy.begin(begin)
    else:
        means = tuple(tuple(mean) for mean in kept["means"][: plan.generations + 1])
        progress = strategy.Progress(means, tuple(kept["fitness"][: plan.generations]))
    while True:
        if task.step == "prices":
            found = start._replace(prices=prices.prices_of(progress.mean))
        else:
            found = evolution.shifts_of(task.players).apply(start, progress.mean)
        told = _told(task, start, plan, "generations", progress.generation)
        files.write(task.out, task.players, found, [*recipe, told])
        if progress.generation >= plan.generations:
            return
        progress = strategy.advance(progress, plan, fitness, task.seed)
        files.remember(path, settings, progress._asdict())
        report(
            f"{task.step}: generation {progress.generation} of {plan.generations}, "
            f"mean fitness {progress.fitness[-1]:.3f}"
        )


def _regression(
    task: Task, start: Weights, recipe: Recipe, pool: Pool | None, report: Report
) -> None:
    from bench.training import regression

    plan: regression.Plan = plan_of(task)
    settings = _settings(task, start, plan, "iterations")
    path = files.checkpoint(task.out, task.step)
    kept = files.remembered(path, settings)
    progress = regression.begin(start)
    if kept is not None:
        progress = regression.unpacked(kept, start)
    while True:
        told = _told(task, start, plan, "iterations", progress.iteration - 1)
        files.write(task.out, task.players, progress.weights, [*recipe, told])
        if progress.iteration > plan.iterations:
            return
        progress = regression.advance(progress, task.players, plan, task.seed, pool)
        files.remember(path, settings, regression.packed(progress))
        report(
            f"regression: iteration {progress.iteration - 1} of {plan.iterations}, "
            f"mean score {progress.vp[-1]:.2f}"
        )
