"""The pictures and pages in a real browser without a window, where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.games.puerto_rico.engine.observation import observe
from porto_cli.games.puerto_rico.ui.html import html
from porto_cli.games.puerto_rico.ui.log_html import log_html
from porto_cli.games.puerto_rico.ui.svg import svg
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
from tests.puerto_rico.test_ui_pictures import crowded
from tests.puerto_rico.ui_games import LONG_NAMES, game, named, steps

__all__ = ["ask", "chromium", "flags", "profile"]
pytestmark = [needs_chromium, pytest.mark.outside]

WIDE = 1600


TURNS = 40


def begun(players: int = 3) -> str:
    """The page of a game that goes on: whole games take the browser twice as long."""
    played = game(players)[:TURNS]
    return log_html(steps(played), observe(played[-1].after))


# Stepping through a game.


def test_a_game_is_stepped_through_with_keys_and_buttons(ask: Ask) -> None:
    heads = ask(
        begun(),
        """return [now(), press("Home"), press("ArrowLeft"), press("ArrowRight"),
        press("ArrowRight"), press("ArrowLeft"), click("next"), click("back"), click("last"),
        click("first"), press("End"), press("ArrowRight"), press("ArrowLeft")];""",
    )
    last, before = f"Turn {TURNS},", f"Turn {TURNS - 1},"
    wanted = [last, "The setup", "The setup", "Turn 1,", "Turn 2,", "Turn 1,", "Turn 2,"]
    wanted += ["Turn 1,", last, "The setup", last, last, before]
    assert [head[: len(begin)] for head, begin in zip(heads, wanted, strict=True)] == wanted


def test_each_step_shows_the_pieces_of_its_frame_and_one_turn(ask: Ask) -> None:
    played = game(2)[:25]
    found = ask(
        log_html(steps(played), observe(played[-1].after, 0)),
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
    assert found == [[0, 1, frame] for frame in range(len(played) + 1)]


def test_all_turns_can_be_read_at_once(ask: Ask) -> None:
    seen = ask(
        begun(),
        """click("all");
        return [].filter.call(page.querySelectorAll("article"), function (turn) {
          return turn.offsetParent;
        }).length;""",
    )
    assert seen == TURNS + 1


def test_the_chart_leads_to_its_turns(ask: Ask) -> None:
    head = ask(
        begun(),
        """var box = page.getElementById("chart").getBoundingClientRect();
        page.getElementById("chart").dispatchEvent(
          new view.MouseEvent("click", {clientX: box.left + box.width * 0.05, bubbles: true}));
        return now();""",
    )
    assert head == "The setup"


def test_an_address_leads_to_its_turn(chromium: Callable[[str], str], tmp_path: Path) -> None:
    """The page as it is, under its own policy: no script but its own has to run for this."""
    path = tmp_path / "game.html"
    path.write_text(begun(), "utf-8")
    page = chromium(path.as_uri() + "#turn-7")
    shown = re.findall(r'<article class="now"><h3>([^<]+)', page.replace("\n", ""))
    assert len(shown) == 1
    assert shown[0].startswith("Turn 7, round ")


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP)])
def test_story_and_controls_stay_in_sight(ask: Ask, width: int) -> None:
    """Whoever has scrolled to a board sees what happened, and can go on from there."""
    places = ask(
        begun(5),
        """view.scrollTo(0, 900);
        return [page.querySelector("article.now h3"), page.getElementById("next")].map(
          function (part) { var box = part.getBoundingClientRect(); return [box.top, box.bottom]; }
        );""",
        width,
    )
    for top, bottom in places:
        assert top >= 0
        assert bottom <= 800


# Nothing sticks out, nothing is lost.


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP, WIDE)])
def test_pages_are_as_wide_as_the_screen(ask: Ask, width: int) -> None:
    played = [ply._replace(before=named(ply.before, LONG_NAMES)) for ply in game(5)[:40]]
    title = "W" * 60 + " A title that goes on"
    running = log_html(steps(tuple(played))[:-1], observe(played[-1].before, 0), title=title)
    for page in (html(crowded(), title=title), running):
        needed, there = ask(
            page, "return [page.documentElement.scrollWidth, view.innerWidth];", width
        )
        assert needed <= there


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP, WIDE)])
def test_panels_use_the_width_of_the_screen(ask: Ask, width: int) -> None:
    """So that the names on a player's board can be read."""
    height = ask(
        html(crowded()),
        """var found = [];
        page.querySelectorAll(".pictures svg").forEach(function (picture) {
          picture.querySelectorAll("text").forEach(function (text) {
            var scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
            found.push(parseFloat(text.getAttribute("font-size")) * scale);
          });
        });
        return Math.min.apply(null, found);""",
        width,
    )
    assert height >= {PHONE: 7.5, DESKTOP: 9, WIDE: 8.5}[width]


TEXTS = """
var found = [];
page.querySelectorAll("svg[role=img]").forEach(function (picture) {
  var box = picture.getBoundingClientRect();
  picture.querySelectorAll("text:not(defs text)").forEach(function (text) {
    var place = text.getBoundingClientRect();
    if (Math.min(place.left - box.left, box.right - place.right,
                 place.top - box.top, box.bottom - place.bottom) < -1)
      found.push(text.textContent);
  });
});
return found;
"""


def test_no_text_of_a_picture_sticks_out(ask: Ask) -> None:
    for page in (f"<!DOCTYPE html><body>{svg(crowded(), title='W' * 90)}", html(crowded())):
        assert ask(page, TEXTS) == []


def test_neighboring_texts_do_not_cover_each_other(ask: Ask) -> None:
    overlaps = ask(
        html(crowded()),
        """
        var found = [];
        page.querySelectorAll(".pictures svg").forEach(function (picture) {
          var texts = [].map.call(picture.querySelectorAll("text"), function (text) {
            return [text.textContent, text.getBoundingClientRect()];
          });
          texts.forEach(function (one, nth) {
            texts.slice(nth + 1).forEach(function (other) {
              var a = one[1], b = other[1];
              var wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
              var high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
              if (wide > 1 && high > 6) found.push([one[0], other[0]]);
            });
          });
        });
        return found;""",
    )
    assert overlaps == []


def test_a_picture_is_drawn(chromium: Callable[[str], str], tmp_path: Path) -> None:
    """The browser accepts the document by itself: a broken one would show an error page."""
    path = tmp_path / "table.svg"
    path.write_text(svg(crowded()), "utf-8")
    page = chromium(path.as_uri())
    assert page.startswith("<svg")
    assert "parsererror" not in page


@pytest.mark.parametrize("dark", [True, *in_hunts(False)])
def test_pages_follow_light_and_dark(ask: Ask, flags: list[str], dark: bool) -> None:
    flags.append(f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    background, water = ask(
        html(crowded()),
        """return [view.getComputedStyle(page.body).backgroundColor,
        view.getComputedStyle(page.querySelector(".water")).fill];""",
    )
    assert background == ("rgb(20, 24, 29)" if dark else "rgb(251, 247, 238)")
    assert water == ("rgb(18, 63, 75)" if dark else "rgb(35, 118, 138)")
