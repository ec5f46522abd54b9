"""Games of Puerto Rico from which levels 3 to 5 learn, between players of many kinds.

In each seat is one of a population. All go by prices, each of which is misjudged in its own way, as
is every tile and building; some lean to build, some to ship. Once there is a network a part of them
takes the roles by it. Now and then a move is drawn by lot, more often at the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log
from operator import add, mul
from random import Random
from typing import Any, NamedTuple

import numpy as np

from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico.engine import FIRST_BUILDING, PLACES
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.play import apply, begin, deal, legal_moves
from porto_cli.games.puerto_rico.engine.state import OVER, ROLE_PHASE, Config, State
from porto_cli.games.puerto_rico.game import view
from porto_cli.games.puerto_rico.players import PRICED, Network, features, value_player
from porto_cli.games.puerto_rico.players.appraisal import PRICES, Prices
from porto_cli.games.puerto_rico.players.priced import LISTED, likely_move
from porto_cli.games.puerto_rico.simulation import SIMULATION
from porto_cli.players import random_choice

Array = Any
"""An array of NumPy, which is not needed to check the types."""

BOXES = ("base", "base", "random")
"""Which buildings are in the games, in turn."""
MISJUDGED = 0.3
"""The standard deviation of the logarithm by which each price is off."""
TILES_OFF, BUILDINGS_OFF = 0.5, 1.0
"""By how many VP each tile and each building is taken to be worth more or less."""
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
SCALES = (*[MISJUDGED] * len(PRICED), *[TILES_OFF] * FIRST_BUILDING)
SCALES += (BUILDINGS_OFF,) * (len(PLACES) - FIRST_BUILDING)
"""By how much everything is off: the logarithms of prices, and what each place is worth."""


def moved(prices: Prices, off: Sequence[float]) -> Prices:
    """Return prices that are off by this: as many standard deviations for each of ``SCALES``."""
    by = list(map(mul, SCALES, off))
    own = {name: getattr(prices, name) * exp(by[nth]) for nth, name in enumerate(PRICED)}
    for share in ("manned", "others"):
        own[share] = min(1.0, own[share])
    return Prices(**own, besides=tuple(map(add, prices.besides, by[len(PRICED) :])))


def one_of_the_population(rng: Random) -> list[float]:
    """Return by how much a player is off, as :func:`moved` takes it."""
    leaning = random_choice(LEANINGS, rng)
    off = [rng.gauss(0, 1) for _ in SCALES]
    for nth, name in enumerate(PRICED):
        off[nth] += log(leaning.get(name, 1.0)) / MISJUDGED
    return off


def choice(state: State, rng: Random, prices: Prices, network: Network | None) -> Move:
    """Return the move of a player, who takes roles by a network if there is one."""
    if network and state.phase == ROLE_PHASE:
        moves = legal_moves(state, limit=LISTED)
        move: Move = value_player(view(state, state.seat), moves, rng, network=network)
        return move
    return likely_move(state, rng, NOISE, prices)


class Games(NamedTuple):
    """What games tell: a line for each table between two roles, and at last one for each game.

    ``shared``  the features of the table
    ``own``     the features of each player
    ``vps``     the VP of each player at the end
    ``won``     the share of each in the win
    ``of``      the number of the game
    ``off``     by how much each player was off, for each game, as :func:`moved` takes it
    """

    shared: Array
    own: Array
    vps: Array
    won: Array
    of: Array
    off: Array


def game(seats: int, learned: float, network: Network | None, seed: str, number: int) -> Games:
    """Play a game and return what it tells; ``learned`` is the part that goes by the network."""
    center = network.prices if network else PRICES
    rng = Random(f"{seed}/{number}")
    config = Config(tuple("ABCDE"[:seats]), buildings=BOXES[number % len(BOXES)])
    state = begin(config, deal(config, random_chance(rng)))
    off = [one_of_the_population(rng) for _ in range(seats)]
    prices = [moved(center, one) for one in off]
    networks = [network if rng.random() < learned else None for _ in range(seats)]
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
            move = choice(state, rng, prices[state.seat], networks[state.seat])
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
        np.array([off], dtype=np.float32),
    )


def last_tables(games: Games) -> Array:
    """Return which line is the last one of each game."""
    return np.nonzero(np.append(games.of[1:] != games.of[:-1], True))[0]


def together(games: Iterable[Games]) -> Games:
    """Return games as one."""
    return Games(*(np.concatenate(part) for part in zip(*games, strict=True)))
