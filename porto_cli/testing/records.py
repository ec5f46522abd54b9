"""What holds for the records of every game: text and table are the same thing."""

from __future__ import annotations

import random

import pytest

import porto_cli
from porto_cli.core.chance import TypedChance
from porto_cli.core.yaml import Mapping, Scalar, read
from porto_cli.game import OVER, Step
from porto_cli.match.match import Match
from porto_cli.match.record import FINGERPRINT, RESULT
from porto_cli.match.replay import IllegalMoveError
from porto_cli.testing.games import Played, played
from porto_cli.testing.kinds import REGISTERED, Kind


def test_a_text_alone_is_the_game(kind: Kind, seed: int) -> None:
    for ply, _ in played(kind, seed).looked_at():
        again = porto_cli.loads(ply.after.record.text)
        assert again.players == ply.after.config.players
        lines = ply.game.config_lines
        assert lines(again.config) == lines(ply.after.config)
        assert again.record.deal == ply.after.record.deal
        assert again.state == ply.after.state
        assert again.digest == ply.after.digest
        assert again.replay.steps == ply.after.steps


def test_a_turn_can_be_taken_back(kind: Kind, seed: int) -> None:
    """What comes up is then the same as before."""
    for ply, _ in played(kind, seed).looked_at():
        if ply.after.state.phase == OVER:
            continue
        match = Match(ply.after)
        step = match.replay.last_step()
        assert step is not None
        match.undo(ply.seat)
        assert match.state == step.before
        assert porto_cli.loads(match.record.text).state == step.before
        match.play(*step.moves, player=ply.seat)
        assert match.state == ply.after.state
        assert porto_cli.loads(match.record.text).replay.steps == match.replay.steps
        others = (other for other in range(len(kind.names)) if other != ply.seat)
        for other in others:
            with pytest.raises(IllegalMoveError):
                match.undo(other)


def test_turns_are_counted(kind: Kind, seed: int) -> None:
    """A move ends a turn or goes on with one."""
    for ply in played(kind, seed).plies:
        assert ply.after.state.turn - ply.state.turn in (0, 1)


def test_a_game_ends_with_its_result(kind: Kind, seed: int) -> None:
    game = played(kind, seed)
    for ply in game.plies:
        assert ply.game.outcome(ply.state) is None
    end = game.end
    keys = [key for item in end.record.items for key, _ in item.entries]
    if end.state.phase != OVER:
        assert RESULT not in keys
        return
    outcome = end.game.outcome(end.state)
    assert outcome is not None
    assert {len(part) for part in outcome} == {len(kind.names)}
    assert min(outcome.places) == 1
    for seat, place in enumerate(outcome.places):
        better = [other for other in outcome.places if other < place]
        assert place == len(better) + 1
        assert outcome.won[seat] <= (place == 1)
        for other, score in enumerate(outcome.scores):
            assert outcome.places[other] <= place or score <= outcome.scores[seat]
    assert result_of(game) == dict(zip(end.config.players, outcome.scores, strict=True))
    assert keys.count(RESULT) == 1
    assert keys[-1] == FINGERPRINT


def result_of(game: Played) -> dict[str, int]:
    (text,) = (
        text for item in game.end.record.items for key, text in item.entries if key == RESULT
    )
    root = read(f"{RESULT}: {text}\n", "result")
    mapping = root.entries[RESULT]
    assert isinstance(mapping, Mapping)
    return {
        name: int(value.text)
        for name, value in mapping.entries.items()
        if isinstance(value, Scalar)
    }


# --- a real table ------------------------------------------------------------------------------


def test_what_is_typed_at_a_real_table_gives_the_same_game(kind: Kind, seed: int) -> None:
    """The moves and what came up, taken from the record of a seeded game."""
    game = played(kind, seed)
    registered = REGISTERED[kind.game]
    seeded = game.end
    match = porto_cli.new_game(
        seeded.config.players,
        game=kind.game,
        first=seeded.config.players[0],
        setup=registered.at_a_table(seeded.record.deal),
        **kind.options,
    )
    same = match.state == seeded.opening
    for step in seeded.steps:
        if any(map(match.game.is_secret, step.moves)):
            continue
        match.play(*step.moves, player=step.seat, came_up=came_up(match, step))
        if same:
            assert match.state == step.after
    while match.game.to_move(match.state) and seeded.state.phase == OVER:
        seat = match.game.to_move(match.state)[0]
        match.play(registered.revealed(match.state, seeded.state, seat), player=seat)
    assert match.game.outcome(match.state) == seeded.game.outcome(seeded.state)
    assert "seed:" not in match.record.text
    again = porto_cli.loads(match.record.text)
    assert again.state == match.state
    assert again.digest == match.digest


def came_up(match: Match, step: Step) -> TypedChance:
    """Return what a step's item says that came up, in any order where that says nothing."""
    rnd = random.Random(step.item)
    streams: dict[str, bytes] = {}
    for key, text in step.entries[1:]:
        told = match.game.read_chance(key, text)
        if told:
            stream, things = told
            if stream in match.game.meta.unordered:
                things = bytes(rnd.sample(things, len(things)))
            streams[stream] = streams.get(stream, b"") + things
    return TypedChance(match.game.meta.unordered, **streams)
