"""A turn of a game becomes a scenario that holds, whatever the phase."""

from __future__ import annotations

from random import Random

import pytest

from porto_cli.match.match import Match
from porto_cli.match.new_game import new_game
from porto_cli.scenario import run, scenario_of_text, scenario_text

NAMES = ["Inês", "Joana", "none", "Rui", "8"]
OPTIONS = [{}, {"buildings": "draft"}, {"rulebook": "guide"}, {"buildings": "random"}]


def played(seats: int, decisions: int, **options: str) -> Match:
    """Return a game in which so many random decisions were made."""
    match = new_game(NAMES[:seats], game="puerto-rico", seed=f"excerpt{seats}", **options)
    rng = Random(seats)
    for _ in range(decisions):
        if match.over:
            break
        seat = match.state.seat
        match.play(rng.choice(match.game.legal_moves(match.state, seat, 50)), player=seat)
    return match


@pytest.mark.long_for("3", "4", "5")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_is_written_of_a_game_holds(seats: int) -> None:
    match = played(seats, 70, **OPTIONS[seats - 2])
    replay = match.replay
    phases = set()
    for step in replay.turns():
        text = scenario_text(replay, step.before.turn)
        phases.add(step.before.phase)
        (case,) = scenario_of_text(text, "excerpt.yaml").cases
        assert run(case).differences == (), text
    assert phases >= {"role", "settler", "mayor", "builder"}
    (case,) = scenario_of_text(scenario_text(replay), "excerpt.yaml").cases
    assert run(case).passed


def test_an_excerpt_names_its_game_and_what_is_unusual() -> None:
    text = scenario_text(played(3, 5, buildings="draft").replay)
    assert text.startswith("porto: 1\ngame: puerto-rico\nscenario: ")
    assert "\noptions: {buildings: draft}\n" in text
