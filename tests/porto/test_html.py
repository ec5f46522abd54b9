"""The pages: the table and the whole game, to be read anywhere, with or without a script."""

from __future__ import annotations

import re

import pytest

from porto_cli.games.porto.event_text import turns_of
from porto_cli.games.porto.observation import table
from porto_cli.games.porto.ui.board import board
from porto_cli.games.porto.ui.pages import frames_of, log_html, table_page
from porto_cli.games.porto.ui.reports import standings
from porto_cli.games.porto.ui.scene import scene, track_of
from porto_cli.match.match import Match
from porto_cli.match.new_game import new_game
from porto_cli.match.replay import Replay, after_turn
from tests.pages import Page, seen_in, shapes_of, written
from tests.porto.tables import played


def of_table(replay: Replay, seat: int | None = None) -> str:
    return table_page(table(replay, seat), standings(replay, seat))


def test_the_page_of_a_table_in_words(snapshot) -> None:
    assert Page(of_table(after_turn(played(2), 17), 0)).words == snapshot


def test_the_page_of_a_game_in_words(snapshot) -> None:
    assert Page(log_html(played(2, 8))).words == snapshot


def test_the_page_of_a_table_says_in_words_what_its_picture_shows() -> None:
    game = after_turn(played(3), 30)
    seen = table(game, 1)
    text = Page(of_table(game, 1)).text
    for player in seen.players:
        assert player.name in text
        assert all(card in text for card in player.hand)
    for house in seen.houses:
        assert house.name in text
    for private in seen.players[1].private:
        assert private.name in text
    assert all(card in text for card in seen.cards if card)
    assert game.fingerprint in text


# The whole game.


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
        assert tuple(player.score for player in frame.table.players) == frame.turn.standing


def test_private_contracts_are_turned_up_only_at_the_end_of_the_film() -> None:
    shown = frames_of(played(3))
    for frame in shown.frames:
        assert all(player.private is None for player in frame.table.players)
    assert all(player.private for player in shown.over.table.players)


def test_the_film_holds_all_that_the_record_holds() -> None:
    match = new_game(["Inês", "Joana"], seed="y", first="Inês")
    for move in ("keep 1 2 3", match.text):
        if isinstance(move, str):
            match.play(move, player=match.state.seat)
    match.play(
        next(move for move in match.legal_moves() if match.text(move).startswith("draw")),
        player=match.state.seat,
    )
    match.undo()
    shown = frames_of(match.replay)
    assert [turn.kind for frame in shown.frames for turn in frame.turns] == ["keep", "draw", "undo"]
    assert len(shown.frames) == 1
    text = Page(log_html(match.replay)).text
    assert "Taken back." in text
    assert "Inês takes back the last turn." in text


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
    for turn in turns_of(game):
        if turn.scores:
            assert f"{turn.vp} VP: " in page.text
    assert " ".join(page.words).count(" VP: ") >= sum(1 for turn in turns_of(game) if turn.scores)


@pytest.mark.long_for("3")
@pytest.mark.parametrize("players", [1, 3])
def test_each_frame_shows_the_picture_of_its_table(players: int) -> None:
    game = played(players)
    shown = frames_of(game)
    frames = [*shown.frames, shown.over]
    track = track_of(*(frame.table for frame in frames))
    drawings = re.findall(r"<svg viewBox[^>]*>(.*?)</svg></div>", log_html(game))
    houses, cards = (shapes_of(drawing) for drawing in drawings[:2])
    for number in {*range(0, len(frames), 3), len(frames) - 1}:
        frame = frames[number]
        for shapes, picture in ((houses, scene(frame.table, track)), (cards, board(frame.table))):
            assert written(seen_in(shapes, number)) == written(shapes_of(picture.drawn()))


@pytest.mark.long
def test_a_page_of_a_running_game_holds_neither_seed_nor_deal() -> None:
    game = played(3, 25, "a-seed-that-is-easy-to-find")
    for text in (of_table(game, 0), log_html(game, 0), of_table(game), log_html(game)):
        assert "a-seed-that-is-easy-to-find" not in text


@pytest.mark.long
def test_the_seat_that_asks_reads_its_own_private_contracts() -> None:
    game = played(3, 25)
    mine = [private.name for private in table(game, 1).players[1].private]
    assert all(name in log_html(game, 1) for name in mine)
    assert not any(f"<b>{name}</b>" in log_html(game) for name in mine)
