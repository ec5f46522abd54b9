"""Make the weights by which Puerto Rico's `search` values tables, from games of `priced`.

    python -m bench.puerto_rico_value branch 3 --roots 1000 --out three.npy    some minutes
    python -m bench.puerto_rico_value fit 3 three.npy                          prints the weights

Games branch: from a table of a game of ``priced``, at any time, several games go on. In each some
roles are played largely at random, then everybody plays by prices to the end. What a player scores
from there on is regressed on the features of the table after the deviation, both less their means
over the players and over the branches: what counts is what the deviation has changed, and neither
who had played well before nor what would have happened to everybody.

It needs numpy, as it comes with ``pip install 'porto-cli[openspiel]'``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from random import Random

import numpy as np

from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.scoring import reckoning
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players.outlook import rounds_left
from porto_cli.games.puerto_rico.players.priced import likely_move
from porto_cli.games.puerto_rico.players.search import roles_played
from porto_cli.games.puerto_rico.players.value import BASES, NAMES, bases, rows, score
from porto_cli.games.puerto_rico.simulation import SIMULATION
from porto_cli.players.search import chance_of

BRANCHES = 8
"""Games that go on from one table."""
TABLES = 2
"""Tables that are looked at in each of them, when the next role is to be taken."""
LONGEST_DEVIATION = 3
"""Roles that are played largely at random, at most."""
AT_RANDOM = 0.6
"""The part of the moves that are drawn by lot then."""
NOISE = 0.3
"""By how many VP moves are misjudged otherwise."""
BOXES = ("base", "base", "random")
"""Which buildings are in the games, in turn."""
LATEST = {2: 58, 3: 42, 4: 52, 5: 62}
"""The last role after which games branch, by the number of players."""
RIDGE = 1000.0
"""How strongly weights are kept small; the features are scaled to a spread of one."""


def branches(seats: int, roots: int, seed: str) -> Iterator[list[float]]:
    """Play games that branch, and return a row for each player of each table that is looked at.

    A row has the number of the root, the seat, what the player still scores, and the features.
    """
    for number in range(roots):
        luck = Random(f"{seed}/{number}")
        state = root(seats, luck, BOXES[number % len(BOXES)])
        if state.phase != OVER:
            for _ in range(BRANCHES):
                yield from _branch(number, state, luck)


def root(seats: int, luck: Random, buildings: str) -> State:
    """Play a game by prices up to any role; every third one with moves at random in between."""
    chance = chance_of(luck)
    config = Config(tuple("ABCDE"[:seats]), buildings=buildings)
    state = begin(config, deal(config, chance))
    until = int(luck.random() * LATEST[seats])
    at_random = 0.1 if luck.random() < 1 / 3 else 0.0
    while state.phase != OVER and (roles_played(state) < until or state.phase != ROLE_PHASE):
        state = _played(state, luck, at_random)
    return state


def _branch(number: int, state: State, luck: Random) -> Iterator[list[float]]:
    until = roles_played(state) + 1 + int(luck.random() * LONGEST_DEVIATION)
    seen: list[tuple[list[float], list[list[float]]]] = []
    while state.phase != OVER:
        deviates = roles_played(state) < until
        if state.phase == ROLE_PHASE and not deviates and len(seen) < TABLES:
            shares = bases(rounds_left(state))
            seen.append(
                (
                    [score(player) for player in state.players],
                    [[share * one for one in row for share in shares] for row in rows(state)],
                )
            )
        state = _played(state, luck, AT_RANDOM if deviates else 0.0)
    totals = [one.total for one in reckoning(state)]
    for scores, features in seen:
        for seat, total in enumerate(totals):
            yield [number, seat, total - scores[seat], *features[seat]]


def _played(state: State, luck: Random, at_random: float) -> State:
    if luck.random() < at_random:
        moves = SIMULATION.choices(state, luck)
        move = moves[int(luck.random() * len(moves))]
    else:
        move = likely_move(state, luck, NOISE)
    return apply(state, move, chance_of(luck))[0]


def fitted(table: np.ndarray, seats: int) -> dict[str, list[float]]:
    """Return the weights of the features that explain best what branches differ in."""
    tables = table.reshape(len(table) // seats, seats, -1)
    compared = tables[:, :, 2:] - tables[:, :, 2:].mean(axis=1, keepdims=True)
    for number in np.unique(tables[:, 0, 0]):
        of_root = tables[:, 0, 0] == number
        compared[of_root] -= compared[of_root].mean(axis=0)
    rest = compared.reshape(len(table), -1)
    target, features = rest[:, 0], rest[:, 1:]
    scale = np.sqrt((features**2).mean(axis=0)) + 1e-6
    scaled = features / scale
    matrix = scaled.T @ scaled + RIDGE * np.eye(scaled.shape[1])
    weights = np.linalg.solve(matrix, scaled.T @ target) / scale
    return {
        name: [float(f"{weight:.4g}") for weight in weights[nth * BASES : (nth + 1) * BASES]]
        for nth, name in enumerate(NAMES)
    }


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("branch", help="play games that branch")
    play.add_argument("seats", type=int, choices=sorted(LATEST))
    play.add_argument("--roots", type=int, default=1000)
    play.add_argument("--seed", default="value")
    play.add_argument("--out", required=True)
    fit = commands.add_parser("fit", help="print the weights")
    fit.add_argument("seats", type=int, choices=sorted(LATEST))
    fit.add_argument("tables", nargs="+")
    given = parser.parse_args()
    if given.command == "branch":
        np.save(given.out, np.array(list(branches(given.seats, given.roots, given.seed))))
    else:
        table = np.concatenate([np.load(name) for name in given.tables])
        print(json.dumps({str(given.seats): fitted(table, given.seats)}, indent=1))


if __name__ == "__main__":
    main()
