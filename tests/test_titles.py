"""The goal stands in the title of every table: how far the game is from its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import porto_cli
from porto_cli.games.porto.shown import situation
from tests.conftest import Result

Play = Callable[..., Result]


def shown(porto: Play, *new: str) -> str:
    assert porto("new", "game.yaml", *new, "--seed", "tram").code == 0
    return porto("show", "game.yaml").out


def test_alone_one_plays_for_60_vp(porto: Play) -> None:
    title = "Turn 1 of 14, 0 of 60 VP: Ana chooses three private contracts to keep."
    assert title in shown(porto, "Ana")
    porto("keep", "game.yaml", 1, 2, 3)
    porto("draw", "game.yaml", "green-3")
    assert "Turn 1 of 14, 0 of 60 VP: Ana builds for the timer" in porto("show", "game.yaml").out


@pytest.mark.parametrize(
    ("vp", "private", "says"),
    [
        (59, 9, "Turn 1 of 14, 59 of 60 VP: "),
        (63, 0, "Turn 1 of 14, 63 VP (goal 60), Builder at 70: "),
        (63, 9, "Turn 1 of 14, 63+9 VP, Master Builder at 80: "),
        (81, 0, "Turn 1 of 14, 81 VP (goal 60), Master Builder: "),
    ],
)
def test_once_a_game_alone_is_won_the_next_rank_is_the_goal(
    vp: int, private: int, says: str
) -> None:
    """Private contracts count for it, but not for winning."""
    match = porto_cli.new_game(["Ana"], seed="tram")
    match.play("keep 1 2 3")
    seen = match.game.shown.view(match.state, 0)
    player = seen["players"][0]
    player["score"], player["private_contracts"][0]["vp"] = vp, private
    assert situation(seen)[0].startswith(says)


def test_roofs_end_the_game_of_several(porto: Play) -> None:
    assert "Round 1, turn 1, roofs 0 of 6: " in shown(porto, "Ana", "Rui")


def test_puerto_rico_ends_in_three_ways(porto: Play) -> None:
    title = "To the end: 75 VP, 55 colonists, fullest city 0 of 12."
    assert title in shown(porto, "Ana", "Rui", "Eva", "--game", "puerto-rico")
    porto("role", "game.yaml", "builder")
    porto("build", "game.yaml", "small-market")
    assert "fullest city 1 of 12." in porto("show", "game.yaml").out
