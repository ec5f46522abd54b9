"""The page of a whole game: what is of Porto alone (:mod:`tests.conformance.test_pages`)."""

from __future__ import annotations

import pytest

from porto_cli.games.porto.view import view
from porto_cli.match.replay import Replay, after_turn
from porto_cli.pages import log_json, story
from porto_cli.paper.page import Story, story_page
from tests.pages import Page
from tests.porto.tables import played


def told(replay: Replay) -> Story:
    return story(replay)


@pytest.mark.long_for("3", "4", "2")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_story_ends_as_the_game_does(players: int) -> None:
    game = played(players)
    *frames, end = told(game).frames
    assert len(frames) == game.state.turn + 1
    assert (end.heading, end.anchor) == ("The end", "end")
    assert end.numbers == [list(game.state.scores)]
    turns = [turn for turn in log_json(game)["turns"] if turn["turn"]]
    for frame, turn in zip(frames[1:], turns, strict=True):
        assert frame.numbers == [turn["standing"]]


@pytest.mark.long
def test_private_contracts_are_turned_up_only_at_the_end_of_the_told() -> None:
    *frames, end = told(played(3)).frames
    for frame in frames:
        assert "Private contracts face down" in frame.pictures[1].drawn()
    assert "Private contracts face down" not in end.pictures[1].drawn()


@pytest.mark.long
def test_a_turn_that_waits_for_its_contracts_is_a_frame() -> None:
    game = played(3)
    for number in range(0, game.state.turn, 3):
        at = after_turn(game, number)
        assert len(told(at).frames) == number + 1
    match = after_turn(game, 0)
    while match.state.phase != "contracts":
        builds = [move for move in match.legal_moves() if match.text(move).startswith("build")]
        match.play((builds or match.legal_moves())[0], player=match.state.seat)
        assert match.state.turn < 60
    assert len(told(match.replay).frames) == match.state.turn + 2


@pytest.mark.long
def test_every_turn_lists_where_its_vp_came_from() -> None:
    game = played(2)
    page = Page(story_page(told(game)))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [f"turn-{number}" for number in range(game.state.turn + 1)] + ["end"]
    scored = [turn["vp"] for turn in log_json(game)["turns"] if turn["scores"]]
    assert scored
    assert all(f"{vp} VP (" in page.text for vp in scored)
    assert " ".join(page.words).count(" VP (") >= len(scored)


@pytest.mark.long
def test_the_seat_that_asks_reads_its_own_private_contracts() -> None:
    game = played(3, 25)
    mine = view(game.state, 1)["players"][1]["private"]
    assert not any(f"<b>{name}</b>" in story_page(told(game)) for name in mine)
