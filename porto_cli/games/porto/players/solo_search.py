"""Look ahead in the solo game: play on with dice of one's own, and see whether the target is met.

The player builds for the timer as well, and so does who looks ahead.
"""

from __future__ import annotations

from random import Random

from porto_cli.core.chance import chance_of
from porto_cli.games.porto.engine.moves import PASS, Move
from porto_cli.games.porto.engine.play import SOLO_WIN
from porto_cli.games.porto.engine.state import OVER, TIMER, TIMERS, State
from porto_cli.games.porto.players.candidates import after, candidates, default_builds
from porto_cli.games.porto.players.priced import move_of, priced_moves
from porto_cli.games.porto.players.search import turned_up
from porto_cli.games.porto.players.solo_value import SoloAppraiser, turns_left
from porto_cli.games.porto.players.weights import Weights
from porto_cli.players import seed_of
from porto_cli.players.chances import chance_to_reach
from porto_cli.players.halving import best_by_halving

WIDTH = 8
"""Moves that are looked at more closely."""
STARTS = 2
"""For how many of the best starts all other roofs are looked at as well."""
REPLIES = 4
"""Moves that the player of the playout chooses among."""
TURNS = 3
"""Turns that are played on, with the timer's builds between them."""
MASTER = 80
"""VP that the highest level takes (P-SOLO-6)."""


def target_of(state: State) -> int:
    """Return the VP to go for: the highest level where the timer is long, otherwise a win."""
    return MASTER if state.config.timer >= TIMERS[0] else SOLO_WIN


def searched(
    state: State,
    own: bytes,
    luck: Random,
    *,
    simulations: int,
    target: int,
    weights: Weights | None = None,
) -> Move:
    """Return the move, or the build for the timer, that most often leads to the target.

    ``own`` are the private contracts kept, and ``simulations`` says how often is played on.
    Without ``weights`` it goes by those that come with the program.
    """
    appraiser = SoloAppraiser(weights)
    root = candidates(state, appraiser.value, starts=STARTS, roofs=None)[:WIDTH]
    seed = seed_of(luck)

    def sample(choice: int, nth: int) -> float:
        leaf = play_on(root[choice][2], appraiser, seed + nth)
        return utility(leaf, appraiser, own, target)

    return root[best_by_halving(len(root), simulations, sample)][1]


def utility(leaf: State, appraiser: SoloAppraiser, own: bytes, target: int) -> float:
    """Return about the chance to have at least the target at the end."""
    vp, doubt = appraiser.value(leaf), 1.0
    if leaf.phase != OVER:
        doubt = 3 + 1.2 * (turns_left(leaf) + 1) ** 0.5
        if target > SOLO_WIN:
            vp += appraiser.private(leaf, own, appraiser.weights.bold)
    return chance_to_reach(target, vp, doubt)


def play_on(table: State, appraiser: SoloAppraiser, seed: int) -> State:
    """Return the table after some more turns, when it is the player's move again, or the end.

    The same seed is the same luck.
    """
    chance = chance_of(Random(seed))
    state = turned_up(table, chance)
    left = TURNS
    while state.phase != OVER:
        if state.phase == TIMER:
            tables = [after(state, build) for build in default_builds(state)]
        elif left:
            left -= 1
            priced = priced_moves(state, appraiser.weights.prices, most=REPLIES)
            moves = [move_of(state, one) for one in priced] or [PASS]
            tables = [after(state, move) for move in moves]
        else:
            break
        best = tables[0] if len(tables) == 1 else max(tables, key=appraiser.value)
        state = turned_up(best, chance)
    return state
