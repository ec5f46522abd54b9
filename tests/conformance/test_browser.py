"""The pages and pictures of every game in a real browser without a window, where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.games.puerto_rico.picture import pictures, shapes
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay, after_turn
from porto_cli.pages import story_html, table_html, table_svg
from porto_cli.paper.page import PaperTable, table_page, table_picture
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
from tests.conformance.test_pages import every_game, finished
from tests.puerto_rico.test_ui_pictures import crowded as crowded_puerto_rico

__all__ = ["ask", "chromium", "flags", "profile"]
pytestmark = [needs_chromium, pytest.mark.outside, pytest.mark.long]

WIDE = 1600
TURNS = 40
LONG_NAMES = ("W" * 40, "김철수와 아주 긴 이름의 선수가 있습니다", "<b>&\"'</b>", "Rui")


def running(game: str) -> Replay:
    """A game that goes on: whole games take the browser twice as long."""
    return after_turn(finished(game), TURNS)


def page_of(game: str) -> str:
    return story_html(running(game))


def crowded(game: str) -> Replay:
    """A game with a long title, long names and long hands, before much is built."""
    match = new_game(
        LONG_NAMES, game=game, seed="crowd", title="A title that goes on " * 5, first=LONG_NAMES[0]
    )
    while match.state.turn < 48:
        seat = match.game.to_move(match.state)[0]
        match.play(match.game.legal_moves(match.state, seat, 1)[0], player=seat)
    return match.replay


def crowded_tables(game: str) -> list[str]:
    """Pages of tables on which there is as little room as can be."""
    pages = [table_html(crowded(game), 0)]
    if game == "puerto-rico":
        seen = pictures(crowded_puerto_rico())
        pages.append(table_page("W" * 90, PaperTable(pictures=seen, shapes=shapes()), [], ""))
    return pages


def crowded_pictures(game: str) -> list[str]:
    drawn = [table_svg(crowded(game), 0), table_svg(running(game), 0)]
    if game == "puerto-rico":
        seen = pictures(crowded_puerto_rico())
        sheet = PaperTable(["W" * 90], pictures=seen, shapes=shapes())
        drawn.append(table_picture("W" * 90, sheet, []))
    return [f"<!DOCTYPE html><body>{picture}" for picture in drawn]


# Stepping through a game.


@every_game
def test_a_game_is_stepped_through_with_keys_and_buttons(ask: Ask, game: str) -> None:
    heads = ask(
        page_of(game),
        """return [now(), press("Home"), press("ArrowLeft"), press("ArrowRight"),
        press("ArrowRight"), press("ArrowLeft"), click("next"), click("back"), click("last"),
        click("first"), press("End"), press("ArrowRight"), press("ArrowLeft")];""",
    )
    last, before, first = f"Turn {TURNS},", f"Turn {TURNS - 1},", "The setup"
    wanted = [last, first, first, "Turn 1,", "Turn 2,", "Turn 1,", "Turn 2,", "Turn 1,"]
    wanted += [last, first, last, last, before]
    assert [head[: len(begin)] for head, begin in zip(heads, wanted, strict=True)] == wanted


def test_the_last_step_of_a_finished_game_is_its_end(ask: Ask) -> None:
    heads = ask(
        story_html(finished("porto")),
        """return [now(), press("ArrowLeft"), press("ArrowRight"), press("ArrowRight")];""",
    )
    last = f"Turn {finished('porto').state.turn},"
    assert [head[: len(last)] for head in heads] == ["The end", last, "The end", "The end"]


@every_game
def test_each_step_shows_the_pieces_of_its_frame_and_one_turn(ask: Ask, game: str) -> None:
    found = ask(
        story_html(after_turn(finished(game), 25)),
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
    assert found == [[0, 1, frame] for frame in range(26)]


@every_game
def test_all_turns_can_be_read_at_once(ask: Ask, game: str) -> None:
    seen = ask(
        page_of(game),
        """click("all");
        return [].filter.call(page.querySelectorAll("article"), function (turn) {
          return turn.offsetParent;
        }).length;""",
    )
    assert seen == TURNS + 1


@every_game
def test_keys_that_belong_to_the_browser_are_left_alone(ask: Ask, game: str) -> None:
    head = ask(
        page_of(game),
        """press("Home");
        page.dispatchEvent(new view.KeyboardEvent("keydown", {key: "ArrowRight", altKey: true}));
        page.dispatchEvent(new view.KeyboardEvent("keydown", {key: "a"}));
        return now();""",
    )
    assert head == "The setup"


@every_game
def test_the_chart_leads_to_its_turns(ask: Ask, game: str) -> None:
    head = ask(
        page_of(game),
        """var box = page.getElementById("chart").getBoundingClientRect();
        page.getElementById("chart").dispatchEvent(
          new view.MouseEvent("click", {clientX: box.left + box.width * 0.05, bubbles: true}));
        return now();""",
    )
    assert head == "The setup"


@every_game
def test_an_address_leads_to_its_turn(
    chromium: Callable[[str], str], tmp_path: Path, game: str
) -> None:
    """The page as it is, under its own policy: no script but its own has to run for this."""
    path = tmp_path / "game.html"
    path.write_text(page_of(game), "utf-8")
    page = chromium(path.as_uri() + "#turn-27")
    shown = re.findall(r'<article class="now"><h3>([^<]+)', page.replace("\n", ""))
    assert len(shown) == 1
    assert shown[0].startswith("Turn 27, round ")


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP)])
def test_history_and_controls_stay_in_sight(ask: Ask, width: int) -> None:
    """Whoever has scrolled to a board sees what happened, and can go on from there."""
    places = ask(
        page_of("puerto-rico"),
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


@every_game
@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP, WIDE)])
def test_pages_are_as_wide_as_the_screen(ask: Ask, game: str, width: int) -> None:
    for page in (*crowded_tables(game), story_html(crowded(game))):
        needed, there = ask(
            page, "return [page.documentElement.scrollWidth, view.innerWidth];", width
        )
        assert needed <= there


@pytest.mark.parametrize("width", [PHONE, *in_hunts(DESKTOP, WIDE)])
def test_panels_use_the_width_of_the_screen(ask: Ask, width: int) -> None:
    """So that the names on a player's board can be read."""
    height = ask(
        crowded_tables("puerto-rico")[-1],
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


@every_game
def test_no_text_of_a_picture_sticks_out(ask: Ask, game: str) -> None:
    for page in (*crowded_pictures(game), *crowded_tables(game)):
        assert ask(page, TEXTS) == []


OVERLAPS = """
var found = [];
page.querySelectorAll("svg[role=img]").forEach(function (picture) {
  var all = picture.querySelectorAll("text:not(defs text)");
  var texts = [].map.call(all, function (text) {
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
return found;
"""


@every_game
def test_neighboring_texts_do_not_cover_each_other(ask: Ask, game: str) -> None:
    for page in crowded_tables(game):
        assert ask(page, OVERLAPS) == []


@every_game
def test_a_picture_is_drawn(chromium: Callable[[str], str], tmp_path: Path, game: str) -> None:
    """The browser accepts the document by itself: a broken one would show an error page."""
    path = tmp_path / "table.svg"
    path.write_text(table_svg(running(game), 0), "utf-8")
    page = chromium(path.as_uri())
    assert page.startswith("<svg")
    assert "parsererror" not in page


@every_game
@pytest.mark.parametrize("dark", [True, *in_hunts(False)])
def test_pages_follow_light_and_dark(ask: Ask, flags: list[str], game: str, dark: bool) -> None:
    flags.append(f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    piece, *colors = {
        "porto": (".glass", "rgb(52, 73, 92)", "rgb(255, 217, 119)"),
        "puerto-rico": (".water", "rgb(35, 118, 138)", "rgb(18, 63, 75)"),
    }[game]
    background, fill = ask(
        table_html(running(game), None),
        f"""return [view.getComputedStyle(page.body).backgroundColor,
        view.getComputedStyle(page.querySelector("{piece}")).fill];""",
    )
    assert background == ("rgb(20, 24, 29)" if dark else "rgb(251, 247, 238)")
    assert fill == colors[dark]
