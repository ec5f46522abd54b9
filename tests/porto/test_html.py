"""The pages: the table and the whole game, to be read anywhere, with or without a script."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from itertools import pairwise

import pytest

from porto_cli.games.porto.history import story
from porto_cli.games.porto.table import table
from porto_cli.games.porto.ui.html import html
from porto_cli.games.porto.ui.log_html import log_html
from porto_cli.games.porto.ui.picture.board import board
from porto_cli.games.porto.ui.picture.scene import scene, track_of
from porto_cli.games.porto.ui.scoring import standings
from porto_cli.games.porto.ui.timeline import film
from porto_cli.match.match import Match, new_game
from porto_cli.match.replay import Replay, after_turn
from tests.pages import Page, seen_in, shapes_of, written
from tests.porto.tables import played
from tests.porto.test_view import with_other_secrets


def of_table(replay: Replay, seat: int | None = None) -> str:
    return html(table(replay, seat), standings(replay, seat))


@cache
def pages() -> list[str]:
    running, over = after_turn(played(3), 30), played(2)
    return [of_table(running, 1), of_table(over), log_html(running, 1), log_html(over)]


def test_the_page_of_a_table_in_words(snapshot) -> None:
    assert Page(of_table(after_turn(played(2), 17), 0)).words == snapshot


def test_the_page_of_a_game_in_words(snapshot) -> None:
    assert Page(log_html(played(2, 8))).words == snapshot


@pytest.mark.parametrize("number", range(4))
def test_a_page_needs_nothing_from_elsewhere(number: int) -> None:
    text = pages()[number]
    page = Page(text)
    assert page.all("html") == [{"lang": "en"}]
    assert {"charset": "utf-8"} in page.all("meta")
    assert any("width=device-width" in (meta.get("content") or "") for meta in page.all("meta"))
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in page.tags}
    for _, attributes in page.tags:
        assert not attributes.get("src")
        assert (attributes.get("href") or "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"https?:|@import|url\((?!#)", text)


@pytest.mark.parametrize("number", range(4))
def test_headings_go_down_one_level_at_a_time(number: int) -> None:
    page = Page(pages()[number])
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_page_may_run_its_own_script_and_nothing_else() -> None:
    table_page, log_page = of_table(played(2)), log_html(played(2))
    assert "<script" not in table_page
    assert "script-src 'none'" in table_page
    script = re.search(r"<script>(.*)</script>", log_page, re.DOTALL)[1]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in log_page
    assert "default-src 'none'" in log_page


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


NASTY = ("<b>&\"'", "</script><i>", "김철수 &amp;")


@pytest.fixture
def nasty() -> Replay:
    match = new_game(NASTY, seed="x", title="<u>title</u>", first=NASTY[0])
    while match.state.turn < 12:
        match.play(match.legal_moves()[0], player=match.state.seat)
    return match.replay


def test_names_are_text_wherever_they_stand(nasty: Replay) -> None:
    for text in (of_table(nasty, 0), log_html(nasty, 0)):
        page = Page(text)
        assert "<u>title</u>" in page.text
        assert all(name in page.text for name in NASTY)
        assert not {"u", "i"} & {tag for tag, _ in page.tags}
        assert text.count("</script>") <= 1


# The whole game.


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_film_ends_as_the_game_does(players: int) -> None:
    game = played(players)
    shown = film(game)
    assert len(shown.frames) == game.state.turn + 1
    assert shown.over is not None
    assert shown.over.table == table(game)
    assert shown.scores[-1] == game.state.scores
    for frame in shown.frames[1:]:
        assert frame.turn is not None
        assert tuple(player.score for player in frame.table.players) == frame.turn.standing


def test_private_contracts_are_turned_up_only_at_the_end_of_the_film() -> None:
    shown = film(played(3))
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
    shown = film(match.replay)
    assert [turn.kind for frame in shown.frames for turn in frame.turns] == ["keep", "draw", "undo"]
    assert len(shown.frames) == 1
    text = Page(log_html(match.replay)).text
    assert "Taken back." in text
    assert "Inês takes back the last turn." in text


def test_a_turn_that_waits_for_its_contracts_is_a_frame() -> None:
    game = played(3)
    for number in range(0, game.state.turn, 3):
        at = after_turn(game, number)
        assert len(film(at).frames) == number + 1
    match = Match(after_turn(game, 0))
    while match.state.phase != "contracts":
        builds = [move for move in match.legal_moves() if match.text(move).startswith("build")]
        match.play((builds or match.legal_moves())[0], player=match.state.seat)
        assert match.state.turn < 60
    assert len(film(match.replay).frames) == match.state.turn + 2


def test_every_turn_is_told_with_where_its_vp_came_from() -> None:
    game = played(2)
    page = Page(log_html(game))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [f"turn-{number}" for number in range(game.state.turn + 1)] + ["end"]
    for turn in story(game):
        if turn.scores:
            assert f"{turn.vp} VP: " in page.text
    assert " ".join(page.words).count(" VP: ") >= sum(1 for turn in story(game) if turn.scores)


@pytest.mark.parametrize("players", [1, 3])
def test_each_frame_shows_the_picture_of_its_table(players: int) -> None:
    game = played(players)
    shown = film(game)
    frames = [*shown.frames, shown.over]
    track = track_of(*(frame.table for frame in frames))
    drawings = re.findall(r"<svg viewBox[^>]*>(.*?)</svg></div>", log_html(game))
    houses, cards = (shapes_of(drawing) for drawing in drawings[:2])
    for number in {*range(0, len(frames), 3), len(frames) - 1}:
        frame = frames[number]
        for shapes, picture in ((houses, scene(frame.table, track)), (cards, board(frame.table))):
            assert written(seen_in(shapes, number)) == written(shapes_of(picture.drawn()))


def test_without_a_script_the_last_picture_is_seen() -> None:
    page = log_html(played(2))
    assert "[data-t]{display:none}" in page
    assert 'data-t="' in page


def test_a_page_of_a_long_game_stays_small() -> None:
    for players in (2, 4):
        game = played(players)
        size = len(log_html(game).encode())
        assert size < 60_000 + 2_500 * game.state.turn


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("turns", [0, 2, 25])
def test_a_page_would_be_the_same_had_the_others_other_secrets(
    turns: int, seat: int | None
) -> None:
    game = played(3, turns)
    other = with_other_secrets(game, -1 if seat is None else seat)
    assert of_table(game, seat) == of_table(other, seat)
    assert log_html(game, seat) == log_html(other, seat)


def test_a_page_of_a_running_game_holds_neither_seed_nor_deal() -> None:
    game = played(3, 25, "a-seed-that-is-easy-to-find")
    for text in (of_table(game, 0), log_html(game, 0), of_table(game), log_html(game)):
        assert "a-seed-that-is-easy-to-find" not in text


def test_the_seat_that_asks_reads_its_own_private_contracts() -> None:
    game = played(3, 25)
    mine = [private.name for private in table(game, 1).players[1].private]
    assert all(name in log_html(game, 1) for name in mine)
    assert not any(f"<b>{name}</b>" in log_html(game) for name in mine)
