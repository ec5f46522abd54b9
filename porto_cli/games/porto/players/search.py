"""Look ahead: play on from the best moves with dice of one's own, and see where that leads.

What comes up is drawn from what lies face down, never asked of the game; private contracts of the
others are on nobody's table.
"""

from __future__ import annotations

from random import Random

from porto_cli.core.chance import Chance, chance_of
from porto_cli.games.porto.engine.moves import PASS, Move
from porto_cli.games.porto.engine.play import turn_up
from porto_cli.games.porto.engine.state import ACT, TIMER, State
from porto_cli.games.porto.players.candidates import after, candidates
from porto_cli.games.porto.players.priced import move_of, priced_moves
from porto_cli.games.porto.players.value import Appraiser
from porto_cli.games.porto.players.weights import Weights
from porto_cli.players import seed_of
from porto_cli.players.chances import rough_chance
from porto_cli.players.halving import best_by_halving

WIDTH = 10
"""Moves that are looked at more closely."""
STARTS, ROOFS = 3, 3
"""For how many of the best starts other roofs are looked at as well, and how many of them."""
REPLIES = 3
"""Moves that a player of the playout chooses among."""
NOISE = 0.5
"""How far, in VP, the prices are off by which a playout finds these."""
SURE = 8.0
"""With so many VP of lead a win is taken to be fairly sure."""


def searched(
    state: State,
    own: bytes,
    luck: Random,
    *,
    simulations: int,
    turns: int,
    weights: Weights | None = None,
) -> Move:
    """Return the move that turns out best after so many turns of playing on.

    ``own`` are the private contracts of who is to move, and ``simulations`` says how often is
    played on in all. Without ``weights`` it goes by those that come with the program.
    """
    appraiser = Appraiser(state.config.seats, state.seat, own, weights)
    root = candidates(state, appraiser.lead, starts=STARTS, roofs=ROOFS)[:WIDTH]
    seed = seed_of(luck)

    def sample(choice: int, nth: int) -> float:
        leaf = play_on(root[choice][2], appraiser, turns, seed + 2 * nth)
        return rough_chance(appraiser.lead(leaf), SURE)

    return root[best_by_halving(len(root), simulations, sample)][1]


def play_on(table: State, appraiser: Appraiser, turns: int, seed: int) -> State:
    """Return a table on which nothing has come up yet after so many turns.

    The same seed is the same luck.
    """
    chance, noise = chance_of(Random(seed)), Random(seed + 1)
    state = turned_up(table, chance)
    for _ in range(turns):
        if state.phase != ACT:
            break
        state = turned_up(_reply(state, appraiser, noise), chance)
    return state


def turned_up(table: State, chance: Chance) -> State:
    """Return a table on which nothing has come up yet after it has; at the end nothing does."""
    return turn_up(table, chance)[0] if table.phase in (ACT, TIMER) else table


def _reply(state: State, appraiser: Appraiser, noise: Random) -> State:
    """Return the table after the best of some moves that look well."""
    prices = appraiser.weights.prices
    priced = priced_moves(state, prices, lambda: NOISE * noise.random(), most=REPLIES)
    if not priced:
        return after(state, PASS)
    tables = [after(state, move_of(state, one)) for one in priced]
    if len(tables) == 1:
        return tables[0]
    return max(tables, key=lambda table: appraiser.margin(table, state.seat))
