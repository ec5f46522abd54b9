"""The pictures and pages in a real browser without a window, where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.games.porto.table import table
from porto_cli.games.porto.ui.html import html
from porto_cli.games.porto.ui.log_html import log_html
from porto_cli.games.porto.ui.scoring import standings
from porto_cli.games.porto.ui.svg import svg
from porto_cli.games.porto.ui.timeline import film
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay, after_turn
from tests.browser import (
    DESKTOP,
    PHONE,
    Ask,
    ask,
    chromium,
    flags,
    in_hunts,
    needs_chromium,
    profile,
)
from tests.porto.tables import played

__all__ = ["ask", "chromium", "flags", "profile"]
pytestmark = [needs_chromium, pytest.mark.outside]


def crowded() -> Replay:
    """A game with long names and long hands, before anything is built."""
    names = ("W" * 40, "김철수와 아주 긴 이름의 선수가 있습니다", "<b>&\"'</b>", "Rui")
    match = new_game(names, seed="crowd", title="A title that goes on " * 5, first=names[0])
    while match.state.turn < 48:
        match.play(match.legal_moves()[0], player=match.state.seat)
    return match.replay


# Stepping through a game.


def test_a_game_is_stepped_through_with_keys_and_buttons(ask: Ask) -> None:
    game = played(3)
    heads = ask(
        log_html(game),
        """return [now(), press("Home"), press("ArrowLeft"), press("ArrowRight"),
        press("ArrowRight"), press("ArrowLeft"), click("next"), click("back"), click("last"),
        click("first"), press("End"), press("ArrowRight"), press("ArrowLeft")];""",
    )
    last, one = f"Turn {game.state.turn}", "Turn 1,"
    wanted = ["The end", "The setup", "The setup", one, "Turn 2,", one, "Turn 2,", one]
    wanted += ["The end", "The setup", "The end", "The end", last]
    assert [head.startswith(begin) for head, begin in zip(heads, wanted, strict=True)] == [
        True
    ] * len(wanted), heads


def test_each_step_shows_the_pieces_of_its_frame_and_one_turn(ask: Ask) -> None:
    game = played(2)
    found = ask(
        log_html(game),
        """var found = [];
        press("Home");
        for (var frame = 0; frame < page.querySelectorAll("article").length; frame++) {
          var wrong = 0;
          page.querySelectorAll("[data-f]").forEach(function (piece) {
            var start = +piece.dataset.f, end = +(piece.dataset.t || 1e9);
            var seen = view.getComputedStyle(piece).display !== "none";
            if (seen !== (start <= frame && frame < end)) wrong++;
          });
          var turns = 0;
          page.querySelectorAll("article").forEach(function (turn) {
            if (turn.offsetParent) turns++;
          });
          found.push([wrong, turns, +page.getElementById("slider").value]);
          press("ArrowRight");
        }
        return found;""",
    )
    frames = len(film(game).frames) + 1
    assert found == [[0, 1, frame] for frame in range(frames)]


def test_all_turns_can_be_read_at_once(ask: Ask) -> None:
    game = after_turn(played(2), 20)
    seen = ask(
        log_html(game),
        """click("all");
        return [].filter.call(page.querySelectorAll("article"), function (turn) {
          return turn.offsetParent;
        }).length;""",
    )
    assert seen == game.state.turn + 1


def test_keys_that_belong_to_the_browser_are_left_alone(ask: Ask) -> None:
    head = ask(
        log_html(after_turn(played(2), 20)),
        """press("Home");
        page.dispatchEvent(new view.KeyboardEvent("keydown", {key: "ArrowRight", altKey: true}));
        page.dispatchEvent(new view.KeyboardEvent("keydown", {key: "a"}));
        return now();""",
    )
    assert head == "The setup"


def test_an_address_leads_to_its_turn(chromium: Callable[[str], str], tmp_path: Path) -> None:
    """The page as it is, under its own policy: no script but its own has to run for this."""
    path = tmp_path / "game.html"
    path.write_text(log_html(played(3)), "utf-8")
    page = chromium(path.as_uri() + "#turn-7")
    shown = re.findall(r'<article class="now"><h3>([^<]+)', page.replace("\n", ""))
    assert len(shown) == 1
    assert shown[0].startswith("Turn 7, round 3")


# Nothing sticks out, nothing is lost.


OVERFLOW = "return [page.documentElement.scrollWidth, view.innerWidth];"


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP)])
def test_pages_are_as_wide_as_the_screen(ask: Ask, width: int) -> None:
    game = crowded()
    for page in (html(table(game, 0), standings(game, 0)), log_html(game, 0)):
        needed, there = ask(page, OVERFLOW, width)
        assert needed <= there


TEXTS = """
var picture = page.querySelector("svg[role=img]"), box = picture.getBoundingClientRect();
return [].map.call(picture.querySelectorAll("text:not(defs text)"), function (text) {
  var place = text.getBoundingClientRect();
  return [text.textContent, place.left - box.left, box.right - place.right,
          place.top - box.top, box.bottom - place.bottom];
}).filter(function (found) { return Math.min.apply(null, found.slice(1)) < -1; });
"""


def test_no_text_of_a_picture_sticks_out(ask: Ask) -> None:
    for game in (crowded(), after_turn(played(4), 60)):
        page = f"<!DOCTYPE html><body>{svg(table(game, 0), standings(game, 0))}"
        assert ask(page, TEXTS) == []


def test_neighboring_texts_do_not_cover_each_other(ask: Ask) -> None:
    """Names, scores, contracts and headings of a crowded table: no two of them overlap."""
    game = crowded()
    page = f"<!DOCTYPE html><body>{svg(table(game, 0), standings(game, 0))}"
    overlaps = ask(
        page,
        """
        var all = page.querySelectorAll("svg > text, svg > g > text");
        var texts = [].map.call(all, function (text) {
          return [text.textContent, text.getBoundingClientRect()];
        });
        var found = [];
        texts.forEach(function (one, nth) {
          texts.slice(nth + 1).forEach(function (other) {
            var a = one[1], b = other[1];
            var wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            var high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 6) found.push([one[0], other[0]]);
          });
        });
        return found;""",
    )
    assert overlaps == []


def test_a_picture_is_drawn(chromium: Callable[[str], str], tmp_path: Path) -> None:
    """The browser accepts the document by itself: a broken one would show an error page."""
    path = tmp_path / "table.svg"
    game = after_turn(played(3), 30)
    path.write_text(svg(table(game), standings(game)), "utf-8")
    page = chromium(path.as_uri())
    assert page.startswith("<svg")
    assert "parsererror" not in page


@pytest.mark.parametrize("dark", [True, *in_hunts(False)])
def test_pages_follow_light_and_dark(ask: Ask, flags: list[str], dark: bool) -> None:
    flags.append(f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    game = after_turn(played(2), 20)
    background, glass = ask(
        html(table(game), standings(game)),
        """return [view.getComputedStyle(page.body).backgroundColor,
        view.getComputedStyle(page.querySelector(".glass")).fill];""",
    )
    assert background == ("rgb(20, 24, 29)" if dark else "rgb(251, 247, 238)")
    assert glass == ("rgb(255, 217, 119)" if dark else "rgb(52, 73, 92)")
