"""The page of a whole game: what is of Porto alone (:mod:`tests.conformance.test_pages`)."""

from __future__ import annotations

import pytest

from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.observation import table
from porto_cli.games.porto.ui.pages import frames_of, log_html
from porto_cli.match.match import Match
from porto_cli.match.replay import after_turn
from tests.pages import Page
from tests.porto.tables import played


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_film_ends_as_the_game_does(players: int) -> None:
    game = played(players)
    shown = frames_of(game)
    assert len(shown.frames) == game.state.turn + 1
    assert shown.over is not None
    assert shown.over.table == table(game)
    assert shown.scores[-1] == game.state.scores
    for frame in shown.frames[1:]:
        assert frame.turn is not None
        scores = [player.score for player in frame.table.players]
        assert scores == frame.turn.facts["standing"]


def test_private_contracts_are_turned_up_only_at_the_end_of_the_film() -> None:
    shown = frames_of(played(3))
    for frame in shown.frames:
        assert all(player.private is None for player in frame.table.players)
    assert all(player.private for player in shown.over.table.players)


@pytest.mark.long
def test_a_turn_that_waits_for_its_contracts_is_a_frame() -> None:
    game = played(3)
    for number in range(0, game.state.turn, 3):
        at = after_turn(game, number)
        assert len(frames_of(at).frames) == number + 1
    match = Match(after_turn(game, 0))
    while match.state.phase != "contracts":
        builds = [move for move in match.legal_moves() if match.text(move).startswith("build")]
        match.play((builds or match.legal_moves())[0], player=match.state.seat)
        assert match.state.turn < 60
    assert len(frames_of(match.replay).frames) == match.state.turn + 2


def test_every_turn_lists_where_its_vp_came_from() -> None:
    game = played(2)
    page = Page(log_html(game))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [f"turn-{number}" for number in range(game.state.turn + 1)] + ["end"]
    scored = [turn["vp"] for turn in PORTO.ui.log_json(game)["turns"] if turn["scores"]]
    assert scored
    assert all(f"{vp} VP: " in page.text for vp in scored)
    assert " ".join(page.words).count(" VP: ") >= len(scored)


@pytest.mark.long
def test_the_seat_that_asks_reads_its_own_private_contracts() -> None:
    game = played(3, 25)
    mine = [private.name for private in table(game, 1).players[1].private]
    assert all(name in log_html(game, 1) for name in mine)
    assert not any(f"<b>{name}</b>" in log_html(game) for name in mine)
