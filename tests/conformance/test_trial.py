"""What ``porto try`` says of moves is what happens when they are made, in every game."""

from __future__ import annotations

import random

import pytest

from porto_cli.core import PortoError, RefusedError
from porto_cli.core.chance import random_chance
from porto_cli.match.trial import Trial, Tried, UncertainMoveError
from porto_cli.testing.games import GameKind, Playthrough, Ply
from tests.conformance.games import every_kind, played
from tests.conformance.kinds import REGISTERED

AHEAD = 4
"""Moves that are tried one after the other."""


def agrees(tried: Tried, ply: Ply, events: tuple[object, ...]) -> None:
    """What was told has happened; without anything unknown, nothing else."""
    seen = [event for event in events if not ply.game.is_hidden(event)]
    assert all(event in seen for event in tried.events)
    if not tried.depends:
        assert list(tried.events) == seen


def from_each_place(game: Playthrough) -> list[int]:
    return [game.plies.index(ply) for ply, _ in game.looked_at()]


@pytest.mark.long_for(
    "puerto-rico-2p-buildings=draft-rulebook=guide-0",
    "puerto-rico-4p-buildings=random-rulebook=guide-0",
)
@every_kind
def test_what_is_tried_happens_like_that(kind: GameKind, seed: int) -> None:
    """A move that was made is never called illegal, whatever comes up before it."""
    game = played(kind, seed)
    for place in from_each_place(game):
        trial, foreseen = Trial(game.plies[place].before, game.plies[place].seat), True
        for ply in game.plies[place : place + AHEAD]:
            try:
                tried = trial.play(ply.game.format_move(ply.move, ply.state), ply.seat)
            except (UncertainMoveError, RefusedError):
                break
            agrees(tried, ply, ply.events)
            foreseen = foreseen and not tried.unknown
            if foreseen:
                assert trial.to_move() == ply.game.to_move(ply.after.state)


@pytest.mark.long_for(
    "puerto-rico-4p-buildings=random-rulebook=guide-0",
    "puerto-rico-2p-buildings=draft-rulebook=guide-0",
)
@every_kind
def test_what_is_possible_in_any_case_is_legal_whatever_comes_up(kind: GameKind, seed: int) -> None:
    game = played(kind, seed)
    for ply, rnd in game.looked_at():
        trial, state = Trial(ply.before, ply.seat), ply.state
        chance = random_chance(random.Random(rnd.random()))
        for _ in range(AHEAD):
            waiting = trial.to_move()
            if not waiting or game.game.secret_movers(state):
                break
            texts = [one for one in trial.listed(waiting[0]) if rnd.random() < 0.2][:20]
            text = next((one for one in texts if trial.is_legal(one, waiting[0])), None)
            if text is None:
                break
            move, _, violations = game.game.read_move(text, state, waiting[0])
            assert not violations
            tried = trial.play(text, waiting[0])
            state, events = game.game.apply(state, move, chance, waiting[0])
            agrees(tried, ply, tuple(events))


@pytest.mark.long
@every_kind
def test_what_is_hidden_makes_no_difference_to_what_is_tried(kind: GameKind, seed: int) -> None:
    game = played(kind, seed)
    other = REGISTERED[kind.game].other_secrets
    for place in from_each_place(game):
        ply = game.plies[place]
        for seat in (ply.seat, None):
            hidden = ply.before._replace(state=other(ply.state, seat, random.Random(place)))
            one, two = Trial(ply.before, seat), Trial(hidden, seat)
            for later in game.plies[place : place + AHEAD]:
                text = later.game.format_move(later.move, later.state)
                assert outcome(one, text, later.seat) == outcome(two, text, later.seat)


def outcome(trial: Trial, text: str, seat: int) -> object:
    """Return everything that a move leads to, be it an error."""
    try:
        return trial.play(text, seat), trial.to_move()
    except PortoError as error:
        return type(error), str(error)


@pytest.mark.long_for("puerto-rico-4p-buildings=random-rulebook=guide-0")
@every_kind
def test_the_seed_is_not_asked(kind: GameKind, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(kind, seed)

    def asked(text: bytes) -> None:
        raise AssertionError(f"{text!r} was hashed")

    monkeypatch.setattr("porto_cli.core.chance.sha256", asked)
    for ply, _ in game.looked_at():
        trial = Trial(ply.before, ply.seat)
        outcome(trial, ply.game.format_move(ply.move, ply.state), ply.seat)
