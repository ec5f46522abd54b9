"""The pages and pictures of every game: they need nothing else, and can be read aloud."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from porto_cli.games import game_of
from porto_cli.games.porto.engine.state import KEEP
from porto_cli.match.match import load, new_game
from porto_cli.match.replay import Replay, after_turn
from porto_cli.pages import story, story_html, table_html, table_svg
from tests.conftest import ROOT
from tests.pages import Page, paragraphs, seen_in, shapes_of, written

NAMESPACE = "{http://www.w3.org/2000/svg}"
LARGEST_PICTURE = {"porto": 60_000, "puerto-rico": 110_000}
LARGEST_PAGE = {"porto": (60_000, 2_500), "puerto-rico": (130_000, 3_200)}
"""Bytes of the page of a game: at the beginning, and for each turn."""

RECORDS = {
    "porto": ROOT / "records" / "porto" / "three-players.yaml",
    "puerto-rico": ROOT / "records" / "puerto-rico" / "four-players-draft.yaml",
}
every_game = pytest.mark.parametrize("game", RECORDS)
EVERY_RECORD = {
    f"{path.parent.name}-{path.stem}": path for path in sorted((ROOT / "records").glob("*/*.yaml"))
}
every_record = pytest.mark.parametrize("record", EVERY_RECORD.values(), ids=EVERY_RECORD)


@cache
def finished(game: str) -> Replay:
    return load(RECORDS[game]).replay


@cache
def running(game: str) -> Replay:
    return after_turn(finished(game), 40)


PAGES = (
    *("the first table", "a table", "the last table"),
    *("a running game", "a finished game", "nothing but a setup"),
)
every_page = pytest.mark.parametrize("page", PAGES)


@cache
def page_of(game: str, page: str) -> str:
    match page:
        case "the first table":
            return table_html(after_turn(finished(game), 0), 0)
        case "a table":
            return table_html(running(game), 1)
        case "the last table":
            return table_html(finished(game), None)
        case "a running game":
            return story_html(running(game))
        case "a finished game":
            return story_html(finished(game))
        case "a beginning":
            return story_html(after_turn(finished(game), 6))
    return story_html(after_turn(finished(game), 0))


@pytest.mark.long_for(
    "a finished game-porto", "a finished game-puerto-rico", "a running game-puerto-rico"
)
@every_game
@every_page
def test_a_page_needs_nothing_from_elsewhere(game: str, page: str) -> None:
    text = page_of(game, page)
    read = Page(text)
    assert read.all("html") == [{"lang": "en"}]
    assert {"charset": "utf-8"} in read.all("meta")
    assert any("width=device-width" in (meta.get("content") or "") for meta in read.all("meta"))
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in read.tags}
    for _, attributes in read.tags:
        assert not attributes.get("src")
        assert (attributes.get("href") or "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"https?:|@import|url\((?!#)", text)


@pytest.mark.long_for("a finished game-puerto-rico", "a finished game-porto")
@every_game
@every_page
def test_a_page_can_be_read_aloud(game: str, page: str) -> None:
    """Headings go down one level at a time; each picture and each control has a name."""
    read = Page(page_of(game, page))
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for drawing in read.all("svg"):
        assert drawing.get("aria-label") or drawing.get("aria-hidden")
    assert all(control.get("aria-label") for control in read.all("input"))
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.long_for("puerto-rico")
@every_game
def test_a_page_may_run_its_own_script_and_nothing_else(game: str) -> None:
    table, log = page_of(game, "a table"), page_of(game, "a finished game")
    assert "<script" not in table
    assert "script-src 'none'" in table
    script = re.search(r"<script>(.*)</script>", log, re.DOTALL)[1]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in log
    assert "default-src 'none'" in log


@pytest.mark.long_for("puerto-rico")
@every_game
def test_without_a_script_the_last_picture_is_seen_and_all_is_written(game: str) -> None:
    page = page_of(game, "a finished game")
    assert "[data-t]{display:none}" in page
    assert 'data-t="' in page
    assert not re.search(r"(?<!\.js\.one )article[^{]*\{[^}]*display:none", page)


@pytest.mark.long_for("puerto-rico")
@every_game
def test_a_page_of_a_long_game_stays_small(game: str) -> None:
    beginning, turn = LARGEST_PAGE[game]
    size = len(page_of(game, "a finished game").encode())
    assert size < beginning + turn * finished(game).state.turn


@pytest.mark.long_for("puerto-rico")
@every_game
def test_every_turn_of_a_page_has_an_address(game: str) -> None:
    anchors = [article["id"] for article in Page(page_of(game, "a finished game")).all("article")]
    count = finished(game).state.turn
    assert anchors[: count + 1] == [f"turn-{number}" for number in range(count + 1)]
    assert anchors[count + 1 :] in ([], ["end"])


# -- The page and the picture


@pytest.mark.parametrize("page", ["a table", "a beginning"])
@every_game
def test_a_page_in_words(game: str, page: str, snapshot: Any) -> None:
    """What is written on it; ``pytest --snapshot-update`` accepts a change, look at it first."""
    assert paragraphs(Page(page_of(game, page)).words) == snapshot


def names_on(game: str, replay: Replay, seat: int) -> Iterator[str]:
    """Return the names of all that a picture of a table shows."""
    yield from replay.config.players
    seen: Any = game_of(game).shown.table_json(replay, seat)
    if game == "porto":
        yield from seen["houses"]
        if seen["phase"] != KEEP:
            # Those to choose from are in the picture alone.
            yield from seen["players"][seat]["private"] or ()
        yield from filter(None, seen["cards"])
        for player in seen["players"]:
            yield from player["hand"]
    else:
        yield from seen["roles"]
        yield str(seen["vp_pool"])
        for player in seen["players"]:
            yield from player["city"]


@pytest.mark.long_for(*(name for name in EVERY_RECORD if name != "porto-two-players"))
@every_record
def test_the_page_of_a_table_says_in_words_what_its_picture_shows(record: Path) -> None:
    game, whole = record.parent.name, load(record).replay
    for turn in (*range(0, whole.state.turn, 7), whole.state.turn):
        at = after_turn(whole, turn)
        text = Page(table_html(at, 0)).text
        for name in (*names_on(game, at, 0), at.fingerprint):
            assert name in text, (turn, name)


@pytest.mark.long
@every_record
def test_each_frame_shows_the_picture_of_its_table(record: Path) -> None:
    replay = load(record).replay
    frames = story(replay).frames
    page = story_html(replay)
    drawings = re.findall(r"<svg viewBox[^>]*>(.*?)</svg></div>", page)
    drawn = [shapes_of(drawing) for drawing in drawings]
    for number in {*range(0, len(frames), 9), 1, len(frames) - 1}:
        for shapes, picture in zip(drawn, frames[number].pictures, strict=False):
            shown = written(seen_in(shapes, number))
            assert shown == written(shapes_of(picture.drawn())), number


@every_game
def test_what_was_taken_back_is_shown_and_is_no_turn(game: str) -> None:
    match = new_game(["Inês", "Joana"], game=game, seed="y", first="Inês")
    while match.state.turn < 3:
        seat = match.game.to_move(match.state)[0]
        match.play(match.legal_moves(seat)[0], player=seat)
    shown = Page(story_html(match.replay))
    match.undo(seat)
    page = Page(story_html(match.replay))
    assert [one["id"] for one in page.all("article")] == [
        one["id"] for one in shown.all("article")[:-1]
    ]
    assert "Taken back." not in shown.text
    assert "Taken back." in page.text
    name = match.players[seat]
    assert f"{name} took back the last " in page.text
    match.play(match.legal_moves(seat)[-1], player=seat)
    again = Page(story_html(match.replay))
    assert len(again.all("article")) == len(shown.all("article"))
    assert f"{name} took back the last " in again.text


@every_game
def test_a_page_of_a_running_game_holds_no_seed(game: str) -> None:
    seed = finished(game).record.seed
    assert seed
    for page in PAGES:
        if page in ("the first table", "a table", "a running game", "nothing but a setup"):
            assert seed not in page_of(game, page)


# -- The pictures


@every_game
def test_a_picture_is_well_formed_small_and_needs_nothing_else(game: str) -> None:
    whole = finished(game)
    for turn in range(0, whole.state.turn + 1, 29):
        text = table_svg(after_turn(whole, turn), 0)
        root = ElementTree.fromstring(text)
        assert len(text.encode()) < LARGEST_PICTURE[game]
        assert root.tag == f"{NAMESPACE}svg"
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == "t d"
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        described = root.find(f"{NAMESPACE}desc").text
        assert all(name in described for name in whole.config.players)
        assert "http" not in text.replace(NAMESPACE[1:-1], "")
        assert not re.search(r"<(script|image|foreignObject)|@import|@font-face", text)


@every_game
def test_every_shape_that_is_used_is_there_once(game: str) -> None:
    for turn in (0, 40, finished(game).state.turn):
        text = table_svg(after_turn(finished(game), turn), 0)
        ids = re.findall(r'id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
        assert used <= set(ids)


# -- Names and titles


HOSTILE = ["<b>&\"'", "]]>", "<script>alert(1)</script>", "</script><i>", "김 &amp;"]


@every_game
@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_wherever_they_stand(game: str, name: str) -> None:
    match = new_game([name, "Rui"], game=game, seed="x", title="<u>title</u>", first=name)
    for _ in range(3):
        match.play(match.legal_moves()[0], player=match.to_move()[0])
    root = ElementTree.fromstring(table_svg(match.replay, 0))
    assert "script" not in {element.tag.removeprefix(NAMESPACE) for element in root.iter()}
    assert name in [element.text for element in root.iter(f"{NAMESPACE}text")]
    for text in (table_html(match.replay, 0), story_html(match.replay)):
        page = Page(text)
        assert "<u>title</u>" in page.text
        assert name in page.text
        assert not {"u", "i"} & {tag for tag, _ in page.tags}
        assert "b" not in {tag for tag, attributes in page.tags if attributes}
        assert text.count("</script>") <= 1
