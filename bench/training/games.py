"""The games that the training plays: any number of players, or alone, by given weights.

What a game brings depends on its deal, its seed and the weights alone, wherever it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from multiprocessing.pool import Pool
from random import Random
from typing import TypeVar

from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto.engine.cards import Claim, Keep
from porto_cli.games.porto.engine.play import PASS, Move, apply
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, OVER, TIMER, Config, State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import SOLO_STARTS, keep_best, open_table
from porto_cli.games.porto.players.candidates import (
    candidates,
    default_builds,
    distinct_draws,
)
from porto_cli.games.porto.players.evaluation import SOLO, SoloEvaluator, Weights
from porto_cli.games.porto.sealing import view
from porto_cli.players import Player, margin_of
from porto_cli.simulate import GameResult, Start, play_game, tables

PLAYERS = ("2", "3", "4", SOLO)
"""For whom there are weights."""

Choice = Callable[[State, Weights, Random], Move]
"""Chooses a draw or a build at a table on which no private contracts of others lie."""


@cache
def config_of(players: str, timer: int = 28) -> Config:
    """Return a game of so many players, or alone with so many timer cards.

    Alone without private contracts: they do not help to win (P-SOLO-6), and the score is only that
    of the 60 VP then.
    """
    if players == SOLO:
        return PORTO.new_config(["Ana"], timer=timer, private_contracts=False)
    return PORTO.new_config(["Ana", "Rui", "Eva", "Tom"][: int(players)])


def play(
    config: Config, choice: Choice, weights: Weights, deal: str, rng: Random
) -> Iterator[tuple[State, Move | None]]:
    """Yield each table of a game with the move that is made at it, the last one without any.

    All seats play by the same choice; contracts are kept and fulfilled as all levels do.
    """
    chance = seeded_chance(deal)
    state = PORTO.initial_state(config, PORTO.deal(config, chance))
    while state.phase != OVER:
        move = _move(state, choice, weights, rng)
        yield state, move
        state, _ = apply(state, move, chance)
    yield state, None


def _move(state: State, choice: Choice, weights: Weights, rng: Random) -> Move:
    if state.phase == KEEP:
        kept: Keep = keep_best(state, state.seat, weights)
        return kept
    if state.phase == CONTRACTS:
        return Claim(state.claimable)
    assert state.phase in (ACT, TIMER)
    return choice(open_table(view(state, state.seat)), weights, rng)


def can_move(state: State) -> bool:
    """Return whether there is a draw or a build, so that nobody has to pass."""
    return bool(distinct_draws(state.cards)) or bool(default_builds(state))


def by_value_alone(state: State, weights: Weights, rng: Random) -> Move:
    """Return the move of level 4 alone, or its build for the timer."""
    worth = SoloEvaluator(weights).value
    found = candidates(state, worth, starts=SOLO_STARTS, roofs=None)
    return found[0][1] if found else PASS


def solo_score(weights: Weights, timer: int, deal: str) -> int:
    """Return the VP of level 4 alone, without private contracts."""
    *_, (final, _) = play(config_of(SOLO, timer), by_value_alone, weights, deal, Random(0))
    score: int = final.scores[0]
    return score


def margins(players: Sequence[Player], seed: str, deals: range) -> list[float]:
    """Return the margins of the first player over the others, from each seat of these deals."""
    start = Start("porto", config_of(str(len(players))))
    return [margin_of(one.scores, 0) for one in from_each_seat(start, players, seed, deals)]


def from_each_seat(
    start: Start, players: Sequence[Player], seed: str, deals: range
) -> list[GameResult]:
    """Play each of some deals, counted from 0, once with everybody in every seat."""
    seats = len(players)
    numbers = range(deals.start + 1, deals.stop + 1)
    plan = tables(seats, seats, numbers, rotate=True)
    return [play_game(start, players, seed, table, rotate=True) for table in plan]


Job = TypeVar("Job")
Found = TypeVar("Found")


def spread(work: Callable[[Job], Found], jobs: Sequence[Job], pool: Pool | None) -> Iterator[Found]:
    """Do jobs here or elsewhere and yield what comes of them, in their order."""
    return iter(map(work, jobs) if pool is None else pool.imap(work, jobs))
