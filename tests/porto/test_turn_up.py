"""A move in one step, and in two: first the move, then what comes up."""

from __future__ import annotations

import random

import pytest

from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto.engine import EMPTY
from porto_cli.games.porto.engine.cards import Draw
from porto_cli.games.porto.engine.play import apply, legal_moves
from porto_cli.games.porto.engine.state import OVER, TIMER
from porto_cli.games.porto.engine.turn import Refilled, TimerTurned, turn_up
from porto_cli.match.match import new_game

NAMES = ("Ana", "Rui", "Bea", "Zé")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", ["tram", "foz", "serra"])
def test_two_steps_lead_where_one_does(players: int, seed: str) -> None:
    state = new_game(NAMES[:players], seed=seed).state
    chance, rng = seeded_chance(seed), random.Random(seed)
    while state.phase != OVER:
        move = rng.choice(legal_moves(state, state.seat))
        after, events = apply(state, move, chance, state.seat)
        between, at_first = apply(state, move, None, state.seat)
        assert not [one for one in at_first if isinstance(one, Refilled | TimerTurned)]
        then, later = turn_up(between, chance)
        assert then == after
        assert sorted(map(repr, at_first + later)) == sorted(map(repr, events))
        state = after


def test_what_is_taken_leaves_holes_until_something_comes_up() -> None:
    state = new_game(NAMES[:2], seed="tram", private_contracts=False).state
    after, _ = apply(state, Draw((0,)), None, 0)
    assert after.cards.count(EMPTY) == 1
    assert after.seat == 1
    assert len(after.deck) == len(state.deck)
    full, _ = turn_up(after, seeded_chance("tram"))
    assert EMPTY not in full.cards
    again, events = turn_up(full, seeded_chance("tram"))
    assert again == full
    assert not events


def test_the_timer_waits_for_its_cards() -> None:
    state = new_game(["Ana"], seed="tram", private_contracts=False).state
    after, _ = apply(state, Draw((0,)), None, 0)
    assert (after.phase, after.turned, after.timer_left) == (TIMER, b"", state.timer_left)
