"""The page of a whole game: what is of Porto alone (:mod:`tests.conformance.test_pages`)."""

from __future__ import annotations

import pytest

from porto_cli.games.porto.view import view
from porto_cli.match.replay import after_turn
from porto_cli.pages import log_json, story
from porto_cli.paper.page import story_page
from tests.pages import Page
from tests.porto.tables import played


@pytest.mark.long_for("3", "4", "2")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_story_ends_as_the_game_does(players: int) -> None:
    game = played(players)
    *frames, end = story(game).frames
    assert len(frames) == game.state.turn + 1
    assert (end.heading, end.anchor) == ("The end", "end")
    assert end.numbers == [list(game.state.scores)]
    turns = [turn for turn in log_json(game)["turns"] if turn["turn"]]
    for frame, turn in zip(frames[1:], turns, strict=True):
        assert frame.numbers == [turn["standing"]]


@pytest.mark.long
def test_private_contracts_are_turned_up_only_at_the_end_of_the_story() -> None:
    *frames, end = story(played(3)).frames
    for frame in frames:
        assert "Private contracts face down" in frame.pictures[1].drawn()
    assert "Private contracts face down" not in end.pictures[1].drawn()


@pytest.mark.long
def test_a_turn_that_waits_for_its_contracts_is_a_frame() -> None:
    game = played(3)
    for number in range(0, game.state.turn, 3):
        at = after_turn(game, number)
        assert len(story(at).frames) == number + 1
    match = after_turn(game, 0)
    while match.state.phase != "contracts":
        builds = [move for move in match.legal_moves() if match.text(move).startswith("build")]
        match.play((builds or match.legal_moves())[0], player=match.state.seat)
        assert match.state.turn < 60
    assert len(story(match.replay).frames) == match.state.turn + 2


@pytest.mark.long
def test_every_turn_lists_where_its_vp_came_from() -> None:
    game = played(2)
    page = Page(story_page(story(game)))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [f"turn-{number}" for number in range(game.state.turn + 1)] + ["end"]
    scored = [turn["vp"] for turn in log_json(game)["turns"] if turn["scores"]]
    assert scored
    assert all(f"{vp} VP (" in page.text for vp in scored)
    assert " ".join(page.words).count(" VP (") >= len(scored)


@pytest.mark.long
def test_a_story_shows_no_private_contracts_before_the_end() -> None:
    game = played(3, 25)
    mine = view(game.state, 1)["players"][1]["private"]
    page, whole = (story_page(story(at)) for at in (game, played(3)))
    assert page.count("chose three private contracts") == 3
    assert all(f" VP {name}: " in whole for name in mine)
    assert not any(f" VP {name}: " in page for name in mine)
    assert "Private contracts of" not in page
