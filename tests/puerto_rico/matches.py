"""Matches at random: games with a record, as commands and the keyboard play them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import porto_cli
from porto_cli.games.puerto_rico.engine.play import legal_moves
from porto_cli.match.match import Match
from tests.puerto_rico.playing import random_move

NAMES = ("Inês", "Joana", "Afonso", "Beatriz", "Tomás")
SEEDS = ("arecibo", "ponce", "caguas", "humacao", "fajardo")


def new(players: int = 3, seed: str = "arecibo", **options: str) -> Match:
    return porto_cli.new_game(
        NAMES[:players], game="puerto-rico", seed=seed, first="Inês", **options
    )


def decisions(match: Match, seed: str = "", most: int = 10_000) -> Iterator[Match]:
    """Play at random, and stop before each decision; the last stop is after the end."""
    rng = random.Random(f"{match.record.seed}/{seed}")
    for _ in range(most):
        yield match
        if match.over:
            return
        match.play(random_move(match.state, rng))
    yield match


def stopped(phase: str, players: int = 3, *, nth: int = 1, **options: str) -> Match:
    """Return a match that waits for the nth decision of a phase with more than two moves."""
    for seed in SEEDS:
        for match in decisions(new(players, seed, **options)):
            if match.state.phase == phase and len(legal_moves(match.state, limit=3)) > 2:
                nth -= 1
                if not nth:
                    return match
    raise AssertionError(f"no game came to {phase}")
