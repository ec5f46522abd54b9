"""Games of Puerto Rico from which the chance to win is learned, between players of many kinds.

In each seat is one of a population: who plays by prices, each of which is misjudged in its own way,
with a leaning to build or to ship; and, once there is one, the player of the last round, who goes
by the value learned so far. Now and then a move is drawn by lot, more often at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any

import numpy as np

from porto_cli.core.chance import random_chance
from porto_cli.core.value import NamedTuple
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, Config, State
from porto_cli.games.puerto_rico.game import view
from porto_cli.games.puerto_rico.players.appraisal import PRICES, Prices
from porto_cli.games.puerto_rico.players.levels import value_player
from porto_cli.games.puerto_rico.players.priced import LISTED, likely_move
from porto_cli.games.puerto_rico.players.value import Network, features
from porto_cli.games.puerto_rico.simulation import SIMULATION
from porto_cli.players import random_choice

Array = Any
"""An array of NumPy, which is not needed to check the types."""

BOXES = ("base", "base", "random")
"""Which buildings are in the games, in turn."""
MISJUDGED = 0.3
"""The standard deviation of the logarithm by which each price is off."""
BUILDER = {"doubloon": 1.4, "builds": 1.5, "large": 1.5, "barrel": 0.6, "sale": 1.5, "trades": 1.5}
SHIPPER = {"barrel": 1.4, "crafts": 1.2, "large": 0.8}
LEANINGS: tuple[dict[str, float], ...] = ({}, {}, BUILDER, SHIPPER)
"""What is worth more or less to some of the players."""
NOISE = 0.3
ODD_GAMES = 0.5
"""In this part of the games some moves are drawn by lot."""
AT_RANDOM = 0.06
OPENING = 0.3
"""The same in the first so many roles."""
OPENING_ROLES = 12

Choice = Callable[[State, Random], Move]


def one_of_the_population(rng: Random, learned: float, network: Network | None) -> Choice:
    """Return a player; the part ``learned`` of them go by the network that was learned so far."""
    if rng.random() < learned:
        return partial(by_value, network=network)
    leaning = random_choice(LEANINGS, rng)
    own = {
        name: price * leaning.get(name, 1.0) * float(np.exp(MISJUDGED * rng.gauss(0, 1)))
        for name, price in PRICES._asdict().items()
    }
    own["manned"] = min(1.0, own["manned"])
    own["others"] = min(1.0, own["others"])
    return partial(by_prices, prices=Prices(**own))


def by_prices(state: State, rng: Random, *, prices: Prices) -> Move:
    """Return the move that looks best by some prices."""
    return likely_move(state, rng, NOISE, prices)


def by_value(state: State, rng: Random, *, network: Network | None) -> Move:
    """Return the move of level 3."""
    moves = legal_moves(state, limit=LISTED)
    move: Move = value_player(view(state, state.seat), moves, rng, network=network)
    return move


class Games(NamedTuple):
    """What games tell: a line for each table between two roles.

    ``shared``  the features of the table
    ``own``     the features of each player
    ``vps``     the VP of each player at the end
    ``won``     the share of each in the win
    ``of``      the number of the game
    """

    shared: Array
    own: Array
    vps: Array
    won: Array
    of: Array


def game(seats: int, learned: float, network: Network | None, seed: str, number: int) -> Games:
    """Play a game and return what it tells; ``learned`` is the part that goes by the network."""
    rng = Random(f"{seed}/{number}")
    config = Config(tuple("ABCDE"[:seats]), buildings=BOXES[number % len(BOXES)])
    state = begin(config, deal(config, random_chance(rng)))
    players = [one_of_the_population(rng, learned, network) for _ in range(seats)]
    odd = rng.random() < ODD_GAMES
    opening = int(OPENING_ROLES * rng.random()) if odd else 0
    chance = random_chance(rng)
    tables, rows = [], []
    while state.phase != OVER:
        if state.phase == ROLE_PHASE:
            shared, own = features(state)
            tables.append(shared)
            rows.append(own)
        if odd and rng.random() < (OPENING if len(tables) <= opening else AT_RANDOM):
            move = random_choice(SIMULATION.choices(state, rng), rng)
        else:
            move = players[state.seat](state, rng)
        state, _ = apply(state, move, chance)
    scores = final_scores(state)
    winners = sum(one.place == 1 for one in scores)
    count = len(tables)
    return Games(
        np.array(tables, dtype=np.float32),
        np.array(rows, dtype=np.float32),
        np.array([[one.total for one in scores]] * count, dtype=np.float32),
        np.array([[(one.place == 1) / winners for one in scores]] * count, dtype=np.float32),
        np.full(count, number),
    )


def together(games: Iterable[Games]) -> Games:
    """Return games as one."""
    return Games(*(np.concatenate(part) for part in zip(*games, strict=True)))
