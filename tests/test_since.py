"""What has happened since somebody moved: nothing is told twice, nothing is left out."""

from __future__ import annotations

import pytest

import porto_cli
from porto_cli.game import Step
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay
from porto_cli.match.since import place_after_turn, since_last_turn, standing

INES, JOANA = 0, 1


@pytest.fixture
def match() -> Match:
    """Both have kept, and each has drawn once; it is the turn of Inês."""
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    draw(match)
    match.play("keep 1 2 3", player=JOANA)
    draw(match)
    return match


def draw(match: Match) -> None:
    match.play(next(move for move in match.legal_moves() if match.text(move).startswith("draw")))


def told(match: Match, seat: int) -> list[tuple[str, str]]:
    return [
        (match.players[step.seat], step.entries[0][1].split()[0])
        for step in since_last_turn(match.replay, seat)
    ]


def test_what_others_did_since_my_last_turn(match: Match) -> None:
    assert told(match, INES) == [("Joana", "keep"), ("Joana", "draw")]
    assert told(match, JOANA) == []


def test_who_has_never_moved_is_told_everything() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    assert told(match, JOANA) == []
    match.play("keep 1 2 3", player=INES)
    draw(match)
    assert told(match, JOANA) == [("Inês", "keep"), ("Inês", "draw")]


def test_keeping_contracts_is_no_turn() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    draw(match)
    match.play("keep 1 2 3", player=JOANA)
    assert told(match, JOANA) == [("Inês", "keep"), ("Inês", "draw"), ("Joana", "keep")]
    assert told(match, INES) == [("Joana", "keep")]


def test_a_turn_of_others_that_was_taken_back_is_told_but_does_not_stand(match: Match) -> None:
    match.undo(JOANA)
    draw(match)
    assert told(match, INES) == [
        ("Joana", "keep"),
        ("Joana", "draw"),
        ("Joana", "undo"),
        ("Joana", "draw"),
    ]
    kinds = [
        step.entries[0][1].split()[0] for step in standing(since_last_turn(match.replay, INES))
    ]
    assert kinds == ["keep", "draw"]


def test_a_turn_that_i_took_back_is_not_my_last_one(match: Match) -> None:
    draw(match)
    assert told(match, INES) == []
    match.undo(INES)
    assert told(match, INES) == [
        ("Joana", "keep"),
        ("Joana", "draw"),
        ("Inês", "draw"),
        ("Inês", "undo"),
    ]


def test_who_has_taken_back_the_only_turn_is_told_everything() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=INES)
    match.undo(INES)
    assert told(match, INES) == [("Inês", "keep"), ("Inês", "undo")]


def since_turn(replay: Replay, turn: int) -> tuple[Step, ...]:
    return replay.steps[place_after_turn(replay, turn) :]


def test_since_a_turn_by_its_number(match: Match) -> None:
    steps = match.replay.steps
    assert since_turn(match.replay, 0) == steps
    assert since_turn(match.replay, 1) == steps[2:]
    assert since_turn(match.replay, 2) == ()
    with pytest.raises(ValueError, match="no turn 3"):
        since_turn(match.replay, 3)


def test_the_number_of_a_turn_is_that_of_the_one_that_stands(match: Match) -> None:
    match.undo(JOANA)
    draw(match)
    assert since_turn(match.replay, 2) == ()
    assert [step.undone for step in since_turn(match.replay, 1)] == [False, True, False, False]


def test_every_decision_of_puerto_rico_is_a_turn() -> None:
    match = porto_cli.new_game(["Inês", "Joana", "Rui"], game="puerto-rico", seed="tram")
    for _ in range(8):
        match.play(match.legal_moves()[0])
    for number in range(match.state.turn + 1):
        rest = since_turn(match.replay, number)
        assert len(rest) == match.state.turn - number
    seat = match.replay.steps[-2].seat
    if match.replay.steps[-1].seat != seat:
        assert since_last_turn(match.replay, seat) == match.replay.steps[-1:]
