"""The network that gives chances to win, fitted to games with NumPy.

For each table, a hidden layer and a direct part give every player the VP by which it will be ahead
of the mean. Two things are asked for at once: these leads at the end, and who wins, by the chances
that follow from the leads. It is Adam (Kingma and Ba, 2015) on batches of tables; a part of the
games is held out, and the best state by them is kept.

Games end by chance as well. So it is fitted again, several times, to aims that are in part what
the network itself expects at the following tables: their noise is smaller.
"""

from __future__ import annotations

from math import cos, pi
from typing import Any, NamedTuple

import numpy as np

from bench.training.self_play import Games, last_tables
from porto_cli.games.puerto_rico.players import OWN, SHARED, Network
from porto_cli.games.puerto_rico.players.appraisal import Prices

Array = Any
"""An array of NumPy, which is not needed to check the types."""
CHUNK = 50_000
"""Tables that are evaluated together."""


class Fit(NamedTuple):
    """How a network is fitted."""

    units: int = 16
    """Hidden units."""
    epochs: int = 3
    """How often all tables are looked at, each time it is fitted."""
    batch: int = 512
    """Tables that are looked at together."""
    rate: float = 0.003
    """The steps of weights that know nothing; later ones are two thirds of it."""
    decay: float = 1e-4
    """How strongly weights are kept small."""
    leads: float = 1.0
    """What an error of 10 VP in the leads counts, as against who wins."""
    held_out: float = 0.05
    """The part of the games by which the best state is chosen."""
    passes: int = 3
    """How often it is fitted again, to what it expects itself at the next table."""
    keep: float = 0.85
    """The part of the aim that is kept from how a game ended, for each table before."""


Weights = dict[str, Array]


def beginning(units: int, rng: Any) -> Weights:
    """Return weights to begin with."""
    direct = np.zeros(len(OWN))
    direct[0] = 10.0
    return {
        "shared": rng.normal(0, 0.1, (len(SHARED), units)),
        "own": rng.normal(0, 0.15, (len(OWN), units)),
        "hidden": np.zeros(units),
        "out": rng.normal(0, 1.0, units),
        "direct": direct,
        "doubt": np.array([1.0, 2.0]),
    }


def forward(w: Weights, shared: Array, own: Array) -> tuple[Array, Array, Array]:
    """Return the hidden layer, the doubt, and the leads of all players."""
    hidden = np.tanh((shared @ w["shared"] + w["hidden"])[:, None, :] + own @ w["own"])
    vps = hidden @ w["out"] + own @ w["direct"]
    doubt = np.exp(w["doubt"][0]) + np.exp(w["doubt"][1]) * shared[:, :1]
    return hidden, doubt, vps - vps.mean(axis=1, keepdims=True)


def losses(leads: Array, doubt: Array, won: Array) -> tuple[Array, float]:
    """Return the chances to win, and the mean loss of who wins."""
    odds = leads / doubt
    chances = np.exp(odds - odds.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances, float(-(won * np.log(chances + 1e-9)).sum(axis=1).mean())


def gradients(w: Weights, fit: Fit, shared: Array, own: Array, ends: Array, won: Array) -> Weights:
    """Return how the loss of a batch grows with each weight."""
    hidden, doubt, leads = forward(w, shared, own)
    p = losses(leads, doubt, won)[0]
    size = len(shared)
    g = (p - won) / doubt + fit.leads * (leads - ends) / 50
    g /= size
    g -= g.mean(axis=1, keepdims=True)
    grow = -((p - won) * leads).sum(axis=1, keepdims=True) / doubt**2 / size
    back = g[:, :, None] * w["out"] * (1 - hidden**2)
    table = back.sum(axis=1)
    flat = own.reshape(-1, own.shape[2])
    return {
        "shared": shared.T @ table,
        "own": flat.T @ back.reshape(-1, back.shape[2]),
        "hidden": table.sum(axis=0),
        "out": hidden.reshape(-1, hidden.shape[2]).T @ g.reshape(-1),
        "direct": flat.T @ g.reshape(-1),
        # Of the same type as the others: one of doubles would make all weights doubles.
        "doubt": np.array(
            [
                (grow * np.exp(w["doubt"][0])).sum(),
                (grow * np.exp(w["doubt"][1]) * shared[:, :1]).sum(),
            ],
            dtype=shared.dtype,
        ),
    }


def learned(games: Games, fit: Fit, start: Weights | None = None) -> tuple[Weights, float]:
    """Return the weights that games teach: first from how they ended, then by ``smoothed``.

    With them the loss of who wins in games held out, before it is smoothed.
    """
    weights, loss = fitted(games, fit, 1, start)
    for nth in range(fit.passes):
        weights, _ = fitted(smoothed(weights, games, fit.keep), fit, 2 + nth, weights)
    return weights, loss


def fitted(games: Games, fit: Fit, seed: int, start: Weights | None) -> tuple[Weights, float]:
    """Return fitted weights, and the loss of who wins in the games held out."""
    ends = games.vps - games.vps.mean(axis=1, keepdims=True)
    shared, own, won = games.shared, games.own, games.won
    rng = np.random.default_rng(seed)
    names = np.unique(games.of)
    held = rng.choice(names, max(1, int(len(names) * fit.held_out)), replace=False)
    test = np.isin(games.of, held)
    train = np.nonzero(~test)[0]
    if not len(train):
        train = np.nonzero(test)[0]
    first = start or beginning(fit.units, rng)
    weights = {key: value.astype(np.float32) for key, value in first.items()}
    highest = fit.rate * (2 / 3 if start else 1)
    mean = {key: np.zeros_like(value) for key, value in weights.items()}
    square = {key: np.zeros_like(value) for key, value in weights.items()}
    best, kept, step = np.inf, weights, 0
    batch = min(fit.batch, len(train))
    steps = fit.epochs * (len(train) // batch)
    for _ in range(fit.epochs):
        order = rng.permutation(train)
        for at in range(0, len(order) - batch + 1, batch):
            pick = order[at : at + batch]
            slopes = gradients(weights, fit, shared[pick], own[pick], ends[pick], won[pick])
            step += 1
            rate = highest * (0.5 + 0.5 * cos(pi * step / steps)) + 1e-5
            for key, slope in slopes.items():
                mean[key] = 0.9 * mean[key] + 0.1 * slope
                square[key] = 0.999 * square[key] + 0.001 * slope**2
                root = np.sqrt(square[key] / (1 - 0.999**step)) + 1e-8
                move = mean[key] / (1 - 0.9**step) / root
                # Those in VP are ten times as large.
                new = weights[key] - rate * (10 if key in ("out", "direct") else 1) * move
                if key in ("shared", "own"):
                    new -= rate * fit.decay * weights[key]
                weights[key] = new
        _, doubt, leads = forward(weights, shared[test], own[test])
        loss = losses(leads, doubt, won[test])[1]
        if loss < best:
            best, kept = loss, dict(weights)
    return kept, best


def smoothed(weights: Weights, games: Games, keep: float) -> Games:
    """Return the games with what is expected in place of how they ended, as far as that is noise.

    The aim of a table is that of the next one by the part ``keep``, for the rest what the network
    expects there: TD(lambda) (Sutton, 1988). The last table of a game keeps how it ended.
    """
    leads, odds = [], []
    for at in range(0, len(games.of), CHUNK):
        part = slice(at, at + CHUNK)
        _, doubt, lead = forward(weights, games.shared[part], games.own[part])
        leads.append(lead)
        odds.append(losses(lead, doubt, games.won[part])[0])
    lead, chance = np.concatenate(leads), np.concatenate(odds)
    ends = (games.vps - games.vps.mean(axis=1, keepdims=True)).astype(np.float32)
    won = games.won.copy()
    last = last_tables(games)
    first = np.append(0, last[:-1] + 1)
    for back in range(1, int((last - first).max()) + 1):
        tables = (last - back)[last - back >= first]
        ends[tables] = keep * ends[tables + 1] + (1 - keep) * lead[tables + 1]
        won[tables] = keep * won[tables + 1] + (1 - keep) * chance[tables + 1]
    return games._replace(vps=ends, won=won)


def network(w: Weights, prices: Prices) -> Network:
    """Return weights as a network of the program, in a few digits, with prices."""

    def short(numbers: Array) -> tuple[float, ...]:
        return tuple(float(f"{float(number):.4g}") for number in numbers)

    # The rounds among the features are tenths.
    at_the_end, each_round = short(np.exp(w["doubt"]) / [1, 10])
    return Network(
        tuple(short(row) for row in w["shared"].T),
        tuple(short(row) for row in w["own"].T),
        short(w["hidden"]),
        short(w["out"]),
        short(w["direct"]),
        (at_the_end, each_round),
        prices,
    )


def weights_of(known: Network) -> Weights:
    """Return a network of the program as weights that can be fitted further."""
    return {
        "shared": np.array(known.shared).T,
        "own": np.array(known.own).T,
        "hidden": np.array(known.hidden),
        "out": np.array(known.out),
        "direct": np.array(known.direct),
        "doubt": np.log(np.array(known.doubt) * [1, 10]),
    }
