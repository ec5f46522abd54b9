"""The weights by which Puerto Rico's ``search`` values tables, from games of ``priced``.

There are two kinds of games. What a player scores from a table on is regressed on the features of
the table.

Games branch: from a table of a game, at any time, several games go on. In each some roles are
played largely at random, then everybody plays by prices to the end. Both sides of the regression
are less their means over the players and over the branches: what counts is what the deviation has
changed, and neither who had played well before nor what would have happened to everybody.

Whole games: every table between two roles is looked at, and only the players are compared. They
weigh little where games branch as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import porto_cli
from bench.training import files
from bench.training.games import spread
from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, Config, State
from porto_cli.games.puerto_rico.players.appraisal import rounds_left
from porto_cli.games.puerto_rico.players.priced import likely_move
from porto_cli.games.puerto_rico.players.search import (
    BASES,
    NAMES,
    Rows,
    bases,
    entry_of,
    roles_played,
    rows,
    score,
)
from porto_cli.games.puerto_rico.simulation import SIMULATION
from porto_cli.players import random_choice

Array = Any
"""An array of NumPy, which is not needed to check the types."""

BRANCHES = 8
"""Games that go on from one table."""
TABLES = 2
"""Tables that are looked at in each of them, when the next role is to be taken."""
LONGEST_DEVIATION = 3
"""Roles that are played largely at random, at most."""
AT_RANDOM = 0.6
"""The part of the moves that are drawn by lot then."""
ODD = 0.1
"""The same in every third game from its beginning."""
NOISE = 0.3
"""By how many VP moves are misjudged otherwise."""
BOXES = ("base", "base", "random")
"""Which buildings are in the games, in turn."""
LATEST = {2: 58, 3: 42, 4: 52, 5: 62}
"""The last role after which games branch, by the number of players."""
BATCH = 50
"""Games after which it is written down how far a run is."""


class Plan(NamedTuple):
    """How many games are played, and what they count."""

    roots: int = 1000
    """From how many tables games branch."""
    games: int = 1000
    """How many whole games are played."""
    weight: float = 0.05
    """What a table of a whole game counts, where one of a branch counts 1. If no games branch
    there is nothing to weigh them against."""
    ridge: float = 1000.0
    """How strongly weights are kept small; the features are scaled to a spread of one."""


# --- what games tell --------------------------------------------------------------------------

Seen = list[list[float]]
"""A table: for each player what was still scored, and the features."""


def branched(seats: int, seed: str, number: int) -> list[Seen]:
    """Play games that branch from one table, and return the tables that are looked at."""
    rng = Random(f"{seed}/branch/{number}")
    state = _begun(seats, rng, number)
    until = int(rng.random() * LATEST[seats])
    odd = _odd(rng)
    while state.phase != OVER and (roles_played(state) < until or state.phase != ROLE_PHASE):
        state = _played(state, rng, odd)
    if state.phase == OVER:
        return []
    return [table for _ in range(BRANCHES) for table in _branch(state, rng)]


def whole(seats: int, seed: str, number: int) -> list[Seen]:
    """Play a game and return each table between two roles."""
    rng = Random(f"{seed}/whole/{number}")
    state = _begun(seats, rng, number)
    odd = _odd(rng)
    shown = []
    while state.phase != OVER:
        if state.phase == ROLE_PHASE:
            shown.append(_shown(state))
        state = _played(state, rng, odd)
    return _ended(shown, state)


def _branch(state: State, rng: Random) -> list[Seen]:
    until = roles_played(state) + 1 + int(rng.random() * LONGEST_DEVIATION)
    shown: list[Seen] = []
    while state.phase != OVER:
        deviates = roles_played(state) < until
        if state.phase == ROLE_PHASE and not deviates and len(shown) < TABLES:
            shown.append(_shown(state))
        state = _played(state, rng, AT_RANDOM if deviates else 0.0)
    return _ended(shown, state)


def _begun(seats: int, rng: Random, number: int) -> State:
    config = Config(tuple("ABCDE"[:seats]), buildings=BOXES[number % len(BOXES)])
    return begin(config, deal(config, random_chance(rng)))


def _odd(rng: Random) -> float:
    return ODD if rng.random() < 1 / 3 else 0.0


def _played(state: State, rng: Random, at_random: float) -> State:
    if rng.random() < at_random:
        move = random_choice(SIMULATION.choices(state, rng), rng)
    else:
        move = likely_move(state, rng, NOISE)
    return apply(state, move, random_chance(rng))[0]


def _shown(state: State) -> Seen:
    """Return for each player the score as the table stands, and the features."""
    shares = bases(rounds_left(state))
    return [
        [score(player), *(share * one for one in row for share in shares)]
        for player, row in zip(state.players, rows(state), strict=True)
    ]


def _ended(shown: list[Seen], end: State) -> list[Seen]:
    """Return the tables with what was still scored in place of the score."""
    totals = [one.total for one in final_scores(end)]
    return [
        [[total - now, *numbers] for total, (now, *numbers) in zip(totals, table, strict=True)]
        for table in shown
    ]


# --- the regression ---------------------------------------------------------------------------

SIZE = len(NAMES) * BASES
"""How many weights there are."""


class Sums(NamedTuple):
    """What some games tell, added up."""

    products: Array
    """The products of each feature with each other."""
    targets: Array
    """The products of the features with what was still scored."""
    seen: float = 0
    """How many players were looked at, at all tables, each as much as it counts."""
    done: int = 0
    """How many whole games, or tables from which games branched."""

    def plus(self, other: Sums) -> Sums:
        """Return what these games and others tell."""
        return Sums(*(mine + more for mine, more in zip(self, other, strict=True)))

    def times(self, weight: float) -> Sums:
        """Return the sums if each table counts so much."""
        return self._replace(
            products=weight * self.products, targets=weight * self.targets, seen=weight * self.seen
        )


def no_sums() -> Sums:
    """Return what no games tell."""
    return Sums(np.zeros((SIZE, SIZE)), np.zeros(SIZE))


def summed(tables: list[Seen], *, among_branches: bool) -> Sums:
    """Return what one whole game tells, or the games that branch from one table.

    Players are compared with each other; ``among_branches`` what each of them has in one branch
    with what the same player has in the others.
    """
    if not tables:
        return no_sums()._replace(done=1)
    found = np.array(tables, dtype=float)
    compared = found - found.mean(axis=1, keepdims=True)
    if among_branches:
        compared -= compared.mean(axis=0)
    flat = compared.reshape(-1, 1 + SIZE)
    target, features = flat[:, 0], flat[:, 1:]
    return Sums(features.T @ features, features.T @ target, len(flat), 1)


def fitted(branches: Sums, games: Sums, plan: Plan) -> Rows:
    """Return the weights of the features that explain best what was still scored."""
    total = branches.plus(games.times(plan.weight)) if branches.seen else games
    scale = np.sqrt(total.products.diagonal() / max(1, total.seen)) + 1e-6
    matrix = total.products / np.outer(scale, scale) + plan.ridge * np.eye(SIZE)
    weights = np.linalg.solve(matrix, total.targets / scale) / scale
    # So few digits that how a computer adds up makes no difference to them.
    short = [float(f"{round(weight, 6):.4g}") for weight in weights]
    return tuple(tuple(short[at : at + BASES]) for at in range(0, SIZE, BASES))


# --- a run ------------------------------------------------------------------------------------


class Task(NamedTuple):
    """What is to be done."""

    players: str
    seed: str
    out: Path
    """The file of weights that is written."""
    plan: Plan


def run(task: Task, pool: Pool | None, report: Callable[[str], None]) -> None:
    """Play the games and write the weights, or go on with it.

    Raises :class:`~bench.training.files.RefusedError`.
    """
    plan = task.plan
    if not plan.roots and not plan.games:
        raise files.RefusedError("Without any games there is nothing to learn from.")
    settings = {"step": "puerto-rico", "players": task.players, "seed": task.seed}
    path = files.checkpoint(task.out, "puerto-rico")
    kept = _unpacked(files.remembered(path, settings), path)
    wanted = {"roots": plan.roots, "games": plan.games}
    for name, number in wanted.items():
        if kept[name].done > number:
            raise files.RefusedError(
                f"{path} has more than {number} {name} already, {kept[name].done}. Ask for as "
                "many or more, delete it, or name another --out."
            )
    # Whether there is room for it shows before any game is played.
    files.remember(path, settings, _packed(kept))
    told = {"roots": "tables from which games branch", "games": "whole games"}
    for name, number in wanted.items():
        for sums in _gathered(name, task, kept[name], number, pool):
            kept[name] = sums
            files.remember(path, settings, _packed(kept))
            report(f"puerto-rico: {sums.done} of {number} {told[name]}")
    rows = fitted(kept["roots"], kept["games"], plan)
    recipe = {
        "step": "branching and whole games",
        "command": f"python -m bench.training puerto-rico-search --players {task.players}",
        "seed": task.seed,
        "program": porto_cli.__version__,
        "plan": plan._asdict(),
    }
    files.replace(task.out, files.text_of({task.players: entry_of(rows, [recipe])}))


def _gathered(name: str, task: Task, sums: Sums, number: int, pool: Pool | None) -> Iterator[Sums]:
    """Yield what all games tell so far, after each batch of them.

    They are added up one by one, so that neither batches nor processes make a difference.
    """
    work = partial(_sums_of, name, int(task.players), task.seed)
    for first in range(sums.done, number, BATCH):
        for more in spread(work, range(first, min(first + BATCH, number)), pool):
            sums = sums.plus(more)
        yield sums


def _sums_of(name: str, seats: int, seed: str, number: int) -> Sums:
    if name == "roots":
        return summed(branched(seats, seed, number), among_branches=True)
    return summed(whole(seats, seed, number), among_branches=False)


def _packed(kept: dict[str, Sums]) -> dict[str, object]:
    return {
        name: [sums.products.tolist(), sums.targets.tolist(), sums.seen, sums.done]
        for name, sums in kept.items()
    }


def _unpacked(progress: Any, path: Path) -> dict[str, Sums]:
    """Return what was kept; nothing if a run begins."""
    if progress is None:
        return {"roots": no_sums(), "games": no_sums()}
    try:
        found = {}
        for name in ("roots", "games"):
            products, targets, seen, done = progress[name]
            none = no_sums()
            found[name] = Sums(
                none.products + np.array(products, dtype=float),
                none.targets + np.array(targets, dtype=float),
                float(seen),
                int(done),
            )
    except (KeyError, TypeError, ValueError):
        raise files.RefusedError(
            f"{path} is no file that a step has kept. Delete it, or name another --out."
        ) from None
    return found
