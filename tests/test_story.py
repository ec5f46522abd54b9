"""The page of a whole game, and its chart: the same for every game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

from porto_cli.paper.html import Picture
from porto_cli.paper.page import NAME_HEIGHT, Frame, Measure, Story, chart, story_page
from tests.drawn import drawn
from tests.pages import Page
from tests.puerto_rico.ui_games import LONG_NAMES


def told(
    players: Sequence[str], *numbers: Sequence[int | None], rounds: int = 1, note: str = ""
) -> Story:
    """A game in which one thing is counted: after the setup, and after each turn."""
    frames = [Frame("The setup", [], -1, None, [numbers[0]])]
    for place, row in enumerate(numbers[1:]):
        frames.append(Frame(f"Turn {place + 1}", [], place, 1 + place // rounds, [row]))
    return Story("A game", players, frames, [Measure("VP", note)])


def plot(story: Story) -> ElementTree.Element:
    return ElementTree.fromstring(f"<g>{chart(story).pieces['plot-0']}</g>")


def words(drawn: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawn.iter("text")]


def test_the_chart_has_a_line_for_each_player() -> None:
    shown = plot(told(("Inês", "Joana"), (0, 0), (3, 0), (3, 7), (9, 7), (9, 12)))
    for line, last in zip(shown.iter("polyline"), ("9 Inês", "12 Joana"), strict=True):
        heights = [float(point.split(",")[1]) for point in line.get("points", "").split()]
        assert heights == sorted(heights, reverse=True)
        assert last in words(shown)


def test_it_has_none_for_who_keeps_numbers_secret() -> None:
    shown = plot(told(("Inês", "Joana"), (0, 0), (3, None), (9, None), note="secret"))
    assert len(list(shown.iter("polyline"))) == 1
    assert "9 Inês" in words(shown)
    assert not any("Joana" in text for text in words(shown))
    assert "secret" in words(shown)


def test_names_beside_it_do_not_cover_each_other() -> None:
    for last in ((50,) * 5, (1, 0, 0, 90), (90,), (0, 1), (88, 90, 3, 1)):
        shown = plot(told(LONG_NAMES[: len(last)], (0,) * len(last), last))
        _, *names = (text for text in shown.iter("text") if text.get("class") == "b")
        heights = sorted(float(name.get("y", "")) for name in names)
        assert len(heights) == len(last)
        assert all(below - above >= NAME_HEIGHT for above, below in pairwise(heights))


def test_its_texts_stay_in_it() -> None:
    rows = [[nth * seat for seat in range(1, 6)] for nth in range(100)]
    picture: Picture = chart(told(LONG_NAMES, *rows, rounds=4))
    root = ElementTree.fromstring(f"<svg>{picture.drawn()}</svg>")
    for shape in drawn(root):
        assert shape.box.left >= 0, shape.shape.text
        assert shape.box.right <= picture.width + 1, shape.shape.text
        assert shape.box.bottom <= picture.height, shape.shape.text


def test_its_numbers_are_in_tables_round_by_round() -> None:
    story = told(("Inês", "Joana"), (0, 0), (3, None), (3, None), (9, None), rounds=2)
    page = Page(story_page(story))
    start = page.words.index("The numbers of the chart")
    table = ["VP", "round", "Inês", "Joana", "1", "3", "secret", "2", "9", "secret"]
    assert page.words[start + 1 : start + 1 + len(table)] == table


def test_a_game_without_rounds_is_told_by_its_turns() -> None:
    frames = [Frame("The setup", [], -1, None, [(0,)]), Frame("Turn 1", [], 0, None, [(4,)])]
    story = Story("A game", ["Ana"], frames, [Measure("VP")], result="Ana wins.")
    page = Page(story_page(story))
    assert "Ana. 1 turn. Ana wins." in page.text
    assert "The numbers of the chart VP turn Ana 1 4" in page.text


def test_a_game_that_counts_nothing_has_no_chart() -> None:
    story = Story("A game", ["Ana"], [Frame("The setup", [], -1), Frame("Turn 1", [], 0)])
    page = Page(story_page(story))
    assert [article["id"] for article in page.all("article")] == ["turn-0", "turn-1"]
    assert "Ana. 1 turn so far." in page.text
    assert "figure" not in {tag for tag, _ in page.tags}
    assert "numbers of the chart" not in page.text


def test_it_opens_where_it_is_told_to() -> None:
    story = told(["Ana"], (0,), (1,), (2,), (3,))
    opened = [re.search(r"found < 0 \? (\w+)", story_page(story, since))[1] for since in range(5)]
    assert opened == ["last", "2", "3", "last", "last"]


def test_a_line_of_the_chart_goes_through_all_numbers() -> None:
    """Where a number stays the same for a while, the line has points at the ends of that alone."""
    numbers = (0, 0, 0, 6, 6, 9, 9, 9, 12)
    (line,) = plot(told(("Ana",), *((number,) for number in numbers))).iter("polyline")
    points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
    left, right = points[0][0], points[-1][0]
    frames = [round((x - left) / (right - left) * (len(numbers) - 1), 2) for x, _ in points]
    assert frames == [0, 2, 3, 4, 5, 7, 8]
    low, high = points[0][1], points[-1][1]
    shown = [round((low - y) / (low - high) * 12, 2) for _, y in points]
    assert shown == [numbers[int(frame)] for frame in frames]
