"""What Puerto Rico's levels 3 to 5 go by, learned in rounds from their own games.

The first round plays games between many kinds of players by prices, and fits the network to them.
In each later one a part of the players goes by the network of the round before; the next network is
fitted to these games and to as many of the first round, beginning with the weights of the last one.
After each round the prices take a step in the direction that wins more.
If it does not win against that one any more, or clearly less against prices, that one stays and the
run is over: who has only learned to beat itself plays no better.

A run can also begin with the second round, from a network that there is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np

import porto_cli
from bench.training import files
from bench.training.compare import Mean, mean_of
from bench.training.forms import entry_of_network, read_networks
from bench.training.games import from_each_seat, spread
from bench.training.network import Fit, Weights, learned, network, weights_of
from bench.training.price_regression import improved
from bench.training.self_play import Games, game, together
from porto_cli.games.puerto_rico.engine.state import Config
from porto_cli.games.puerto_rico.players import FILE, Network, value_player
from porto_cli.games.puerto_rico.players.appraisal import PRICES
from porto_cli.games.puerto_rico.players.priced import priced_player
from porto_cli.players import Player
from porto_cli.simulate import Start

NAME = "puerto-rico"
BATCH = 200
"""Games after which it is said how far a run is."""


class Plan(NamedTuple):
    """How much is played."""

    first: int = 20_000
    """Games of the first round."""
    games: int = 20_000
    """Games of each later round, and of the first one that they are fitted to as well."""
    rounds: int = 5
    """Rounds at most, the first one included."""
    deals: int = 400
    """Deals that a network plays against the one before, and against prices, from each seat."""
    learned: float = 0.6
    """The part of the players who go by the network, from the second round on."""


class Task(NamedTuple):
    """What is to be done."""

    players: str
    seed: str
    out: Path
    """The file of weights that is written; files of the rounds are kept beside it."""
    plan: Plan
    fit: Fit = Fit()
    start: str | None = None
    """A file of networks, or ``SHIPPED``, one of which is in place of the first round."""


def run(task: Task, pool: Pool | None, report: Callable[[str], None]) -> None:
    """Play and learn, or go on with it, and write the weights.

    Raises :class:`~bench.training.files.RefusedError`.
    """
    plan = task.plan
    first: Games | None = None
    weights: Weights | None = None
    prices = PRICES
    steps: list[dict[str, object]] = []
    against_prices = Mean(0.0, 0.0)
    if task.start:
        begun, steps = _start(task.start, task.players)
        weights, prices = weights_of(begun), begun.prices
    settings = {
        "step": NAME,
        "players": task.players,
        "seed": task.seed,
        "plan": plan._asdict(),
        "fit": task.fit._asdict(),
        "start": [*steps],
    }
    progress = files.checkpoint(task.out, NAME)
    files.remembered(progress, settings)
    files.remember(progress, settings, None)
    if weights:
        files.replace(task.out, files.text_of({task.players: entry_of_network(begun, steps)}))
        against_prices = _won(task, begun, priced_player, pool)
        report(f"start: against prices {against_prices}")
    steps.append(_about(task))
    for number in range(1 if weights else 0, plan.rounds):
        so_far = network(weights, prices) if weights else None
        games = _games(task, number, so_far, pool, report)
        new_prices = improved(games, prices)
        if first is None:
            first = games
        else:
            games = together([_some(first, plan.games), games])
        new, loss = learned(games, task.fit, weights)
        report(f"round {number}: who wins, in games held out: loss {loss:.4f}")
        made = network(new, new_prices)
        won = _won(task, made, priced_player, pool)
        report(f"round {number}: against prices {won}")
        step: dict[str, object] = {"step": f"round {number}", "tables": len(games.of), "loss": loss}
        step["against prices"] = str(won)
        if so_far:
            share = _won(task, made, partial(value_player, network=so_far), pool)
            report(f"round {number}: against the round before {share}")
            step["against the round before"] = str(share)
            if share.mean <= 1 / int(task.players) or clearly_less(won, against_prices):
                break
        weights, prices, against_prices = new, new_prices, won
        steps.append(step)
        entry = entry_of_network(made, steps)
        files.replace(task.out, files.text_of({task.players: entry}))


def clearly_less(one: Mean, other: Mean) -> bool:
    """Return whether a share is less than another one by more than both may be off."""
    return one.mean + one.doubt < other.mean - other.doubt


def _start(source: str, players: str) -> tuple[Network, list[dict[str, object]]]:
    """Return the network of a file that a run begins with, and how it came about."""
    path = FILE if source == files.SHIPPED else Path(source)
    try:
        text = path.read_text("utf-8")
        return read_networks(text)[players], json.loads(text)[players]["recipe"]
    except (ValueError, KeyError) as error:
        raise files.RefusedError(f"{path}: {error}") from None


def _about(task: Task) -> dict[str, object]:
    start = f" --start {task.start}" if task.start else ""
    return {
        "step": "self-play in rounds",
        "command": f"python -m bench.training {NAME} --players {task.players}{start}",
        "seed": task.seed,
        "program": porto_cli.__version__,
        "plan": task.plan._asdict(),
        "fit": task.fit._asdict(),
    }


def _games(
    task: Task,
    number: int,
    so_far: Network | None,
    pool: Pool | None,
    report: Callable[[str], None],
) -> Games:
    """Play the games of a round, or read those that were played before."""
    kept = files.checkpoint(task.out, f"round-{number}").with_suffix(".npz")
    if kept.exists():
        with np.load(kept) as found:
            return Games(*(found[key] for key in Games._fields))
    plan = task.plan
    count = plan.games if number else plan.first
    seed = f"{task.seed}{number}-{task.players}"
    work = partial(game, int(task.players), plan.learned if number else 0.0, so_far, seed)
    found = []
    for at in range(0, count, BATCH):
        found += spread(work, range(at, min(count, at + BATCH)), pool)
        report(f"round {number}: {len(found)} of {count} games")
    games = together(found)
    new = kept.with_name(f"new-{kept.name}")
    np.savez(new, **games._asdict())
    new.replace(kept)
    return games


def _some(games: Games, count: int) -> Games:
    """Return the first so many games, by numbers that no others have."""
    pick = games.of < count
    return Games(
        games.shared[pick],
        games.own[pick],
        games.vps[pick],
        games.won[pick],
        -1 - games.of[pick],
        games.off[:count],
    )


def _won(task: Task, new: Network, other: Player, pool: Pool | None) -> Mean:
    """Return how often a network wins against another player in all other seats."""
    table: list[Player] = [partial(value_player, network=new), *[other] * (int(task.players) - 1)]
    work = partial(_share, table, f"{task.seed}/against")
    return mean_of(list(spread(work, range(task.plan.deals), pool)))


def _share(table: list[Player], seed: str, deal: int) -> float:
    seats = len(table)
    start = Start("puerto-rico", Config(tuple("ABCDE"[:seats])))
    results = from_each_seat(start, table, seed, range(deal, deal + 1))
    return sum(one.won[0] / sum(one.won) for one in results) / seats
