"""The table as a picture and as pages: all of it is there, readable, and in words as well."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    COST,
    GOODS,
    NO_GOOD,
    PLACES,
    ROLES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE, OVER
from porto_cli.games.puerto_rico.ui.board import board, definitions
from porto_cli.games.puerto_rico.ui.middle import harbor, market, roles
from porto_cli.games.puerto_rico.ui.pages import (
    NAME_HEIGHT,
    Measure,
    chart,
    frames_of,
    html,
    log_html,
    panels,
    svg,
)
from porto_cli.games.puerto_rico.ui.table_view import TableView, table_view
from porto_cli.paper.markup import Picture, width_of
from tests.pages import Page
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import LONG_NAMES, game, named, steps

NAMESPACE = "{http://www.w3.org/2000/svg}"
SOME_KINDS = KINDS[::5]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def piece(picture: Picture, name: str) -> ElementTree.Element:
    return parsed(f"<g>{picture.pieces[name]}</g>")


def words(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter("text")]


def uses(element: ElementTree.Element) -> Counter[str]:
    return Counter((one.get("href") or "").removeprefix("#") for one in element.iter("use"))


def crowded(seat: int | None = 0) -> TableView:
    """A table on which nearly everything is as much as it can be."""
    kinds = "guest-house specialty-factory union-hall cloister statue city-hall fortress"
    state = expansion(
        5,
        "builder",
        kinds,
        a={
            "island": "corn 3 indigo 2 sugar 2 tobacco coffee quarry 2 forest-corn",
            "city": "indigo-plant tobacco-storage guest-house specialty-factory statue",
            "full": "cloister city-hall fortress",
            "goods": "corn 11 indigo 11 sugar 10 tobacco 9 coffee 9",
            "doubloons": 99,
            "vp": 122,
            "san_juan": 29,
            "colonists": "corn 2 tobacco-storage 3 indigo-plant 1",
        },
        cargo={6: "corn 6", 7: "coffee 7", 8: "tobacco 1"},
        house="corn tobacco coffee sugar",
        ship=38,
        quarries=0,
        end_triggered=("vp",),
    )
    return table_view(named(state, LONG_NAMES), seat)


@cache
def tables() -> list[TableView]:
    """Tables of all kinds of games, early and late, with long names too."""
    rnd = random.Random(4)
    found = [crowded()]
    for kind in SOME_KINDS:
        played = game(*kind, seed=3)
        for ply in rnd.sample(played, 4):
            found.append(table_view(ply.before, rnd.choice([None, 0, 1])))
        found.append(table_view(named(played[-1].after, LONG_NAMES)))
    return found


# What it looks like. `pytest --snapshot-update` accepts a change; look at it first.


def test_a_small_picture(snapshot) -> None:
    state = named(game(2)[30].before)
    picture = svg(table_view(state, 0), title="Sunday")
    assert picture == snapshot(extension_class=SVGImageSnapshotExtension)


# The document.


def test_all_pictures_of_a_game_have_the_same_pieces() -> None:
    """A page that shows a whole game relies on it."""
    for kind in SOME_KINDS:
        played = game(*kind, seed=3)
        wanted = [list(panel.picture.pieces) for panel in panels(table_view(played[0].before))]
        for ply in played[::11]:
            shown = panels(table_view(ply.after, 0), table_view(ply.before, 0))
            assert [list(panel.picture.pieces) for panel in shown] == wanted


# Text fits where it stands: by the estimate that is rather too wide.


def extents(element: ElementTree.Element) -> Iterator[tuple[str, float, float, float]]:
    """Each text with its left and right end and its line."""
    for text in element.iter("text"):
        x, y, size = (float(text.get(name) or 0) for name in ("x", "y", "font-size"))
        width = width_of(text.text or "", size)
        style = (text.get("class") or "").split()
        left = x - width if "end" in style else x - width / 2 if "mid" in style else x
        yield text.text or "", left, left + width, y


@pytest.mark.long
def test_no_text_sticks_out_of_its_panel() -> None:
    for seen in tables():
        for panel in panels(seen):
            picture = panel.picture
            for text, left, right, y in extents(parsed(f"<g>{picture.drawn()}</g>")):
                assert left >= -0.5, (panel.name, text)
                assert right <= picture.width + 0.5, (panel.name, text)
                assert 8 <= y <= picture.height - 3, (panel.name, text)


BOXED = ("city-", "role-", "kind-")
"""Pieces that begin with the box in which their names have to stay."""


def test_names_of_buildings_and_roles_stay_in_their_boxes() -> None:
    found = 0
    for seen in tables():
        for panel in panels(seen):
            for name, drawn in panel.picture.pieces.items():
                if not name.startswith(BOXED) or not drawn:
                    continue
                shown = piece(panel.picture, name)
                box = next(shown.iter("rect"))
                start, width = float(box.get("x")), float(box.get("width"))
                for text, left, right, _ in extents(shown):
                    if not text.isdigit():
                        assert start <= left, (name, text)
                        assert right <= start + width + 1, (name, text)
                        assert "…" not in text or name.startswith("role-"), (name, text)
                        found += 1
    assert found > 1000


@pytest.mark.long
def test_texts_of_a_line_do_not_cover_each_other() -> None:
    for seen in tables():
        for panel in panels(seen):
            lines: dict[float, list[tuple[float, float, str]]] = {}
            for text, left, right, y in extents(parsed(f"<g>{panel.picture.drawn()}</g>")):
                lines.setdefault(y, []).append((left, right, text))
            for line in lines.values():
                for one, other in pairwise(sorted(line)):
                    assert one[1] <= other[0] + 2, (panel.name, one, other)


# What lies on the table.


def test_role_cards_show_their_doubloons_and_who_took_them() -> None:
    for ply in game(4)[::7]:
        seen = table_view(ply.before)
        for role in seen.config.box.roles:
            shown = piece(roles(seen), f"role-{ROLES[role]}")
            taker, doubloons = seen.taken[role], seen.role_doubloons[role]
            assert (seen.players[taker].name in words(shown)) == (taker >= 0)
            assert (f"+{doubloons}" in words(shown)) == (doubloons > 0 and taker < 0)
            assert ('class="now"' in roles(seen).pieces[f"role-{ROLES[role]}"]) == (
                role == seen.role
            )


def test_the_row_shows_each_plantation_and_the_spaces_of_those_taken() -> None:
    for ply in game(5)[::9]:
        seen = table_view(ply.before)
        shown = piece(roles(seen), "row")
        tiles = uses(shown)
        assert [tiles[f"tile-{good}"] for good in GOODS] == list(seen.row[: len(GOODS)])
        assert len(list(shown.iter("rect"))) == seen.config.row - sum(seen.row)


def test_ships_fill_up() -> None:
    full = 0
    for ply in game(3):
        seen = table_view(ply.after)
        for nth, (spaces, good, barrels) in enumerate(seen.cargo):
            shown = piece(harbor(seen), f"ship-{nth}")
            holds = [rect for rect in shown.iter("rect") if rect.get("class") == "hold"]
            assert len(holds) == spaces
            if good == NO_GOOD:
                assert not any(name.startswith("barrel") for name in uses(shown))
            else:
                assert uses(shown)[f"barrel-{GOODS[good]}"] == barrels
            full += any("full" in text for text in words(shown))
            assert any("full" in text for text in words(shown)) == (barrels == spaces)
    assert full


def test_two_players_have_two_cargo_ships() -> None:
    assert harbor(table_view(table(2))).pieces["ship-2"] == ""
    assert harbor(table_view(table(3))).pieces["ship-2"]


def test_the_trading_house_holds_what_was_sold() -> None:
    shown = piece(harbor(table_view(table(3, house="corn coffee"))), "house")
    assert uses(shown) == {"barrel-corn": 1, "barrel-coffee": 1}
    assert "room for 2" in words(shown)
    assert "full" in words(piece(harbor(crowded()), "house"))


def test_boards_show_each_circle_empty_or_occupied() -> None:
    for seen in tables():
        for seat, player in enumerate(seen.players):
            shown = parsed(f"<g>{board(seen, seat).drawn()}</g>")
            occupied = sum(player.colonists)
            assert uses(shown)["manned"] == occupied
            assert uses(shown)["ring"] == sum(player.circles) - occupied


def test_islands_and_cities_show_each_tile_and_building() -> None:
    for seen in tables():
        for seat, player in enumerate(seen.players):
            picture = board(seen, seat)
            tiles = uses(piece(picture, "island"))
            assert [tiles[f"tile-{name}"] for name in PLACES[:6]] == list(player.island[:6])
            assert tiles["tile-forest"] == player.forests
            drawn = [place for place in BUILDING_PLACES if picture.pieces[f"city-{PLACES[place]}"]]
            assert drawn == list(buildings_in(player.city))


def test_buildings_of_a_full_city_do_not_cover_each_other() -> None:
    picture = board(crowded(), 0)
    boxes = []
    for name in picture.pieces:
        if name.startswith("city-") and picture.pieces[name]:
            rect = next(piece(picture, name).iter("rect"))
            boxes.append([float(rect.get(side)) for side in ("x", "y", "width", "height")])
    assert len(boxes) == 8
    for nth, (x, y, width, height) in enumerate(boxes):
        for left, top, wide, high in boxes[nth + 1 :]:
            apart = x + width <= left or left + wide <= x or y + height <= top or top + high <= y
            assert apart


def test_chips_of_others_lie_face_down_until_the_end() -> None:
    played = game(3)
    seen = table_view(played[-2].before, 1)
    assert "chip-down" not in board(seen, 1).pieces["vp"]
    assert "chip-down" in board(seen, 0).pieces["vp"]
    over = table_view(played[-1].after, 1)
    assert over.phase == OVER
    assert not any("chip-down" in board(over, seat).pieces["vp"] for seat in range(3))


def test_who_is_to_move_is_marked() -> None:
    seen = table_view(game(4)[41].before)
    assert [bool(board(seen, seat).pieces["turn"]) for seat in range(4)] == [
        seat in seen.to_move for seat in range(4)
    ]


def test_the_market_shows_what_can_be_paid_now() -> None:
    state = table(
        3,
        "builder",
        a={"doubloons": 4, "city": "hacienda", "island": "quarry", "colonists": "quarry"},
    )
    pieces = market(table_view(state)).pieces
    assert 'class="can"' in pieces["cost-coffee-roaster"]
    assert 'class="can"' not in pieces["cost-factory"]
    assert 'class="can"' not in pieces["cost-hacienda"]
    assert ">4<" in pieces["cost-coffee-roaster"]


def test_the_market_shows_the_copies_left() -> None:
    for ply in game(3)[::17]:
        seen = table_view(ply.before)
        pieces = market(seen).pieces
        for place in BUILDING_PLACES:
            if not pieces[f"kind-{PLACES[place]}"]:
                assert not seen.copies[place]
                continue
            assert f"×{seen.copies[place]}<" in pieces[f"left-{PLACES[place]}"]
            assert ('class="gone"' in pieces[f"kind-{PLACES[place]}"]) == (not seen.copies[place])
            if seen.phase != BUILDER_PHASE:
                assert f">{COST[place]}<" in pieces[f"cost-{PLACES[place]}"]


def test_the_market_tells_how_many_quarries_count() -> None:
    by_rulebook = {
        rulebook: words(piece(market(table_view(table(3, rulebook=rulebook))), "column-4"))
        for rulebook in ("printed", "guide")
    }
    assert by_rulebook["printed"] == ["Up to 4 quarries"]
    assert "VP" in by_rulebook["guide"][0]


def test_the_draft_marks_the_buildings_chosen() -> None:
    for ply in game(2, "draft")[:17:4]:
        seen = table_view(ply.before)
        assert seen.phase == DRAFT_PHASE
        pieces = market(seen).pieces
        for place in BUILDING_PLACES:
            chosen = bool(seen.violet & BIT[place])
            assert ('class="can"' in pieces[f"left-{PLACES[place]}"]) == chosen


def test_no_good_is_shown_by_its_color_alone() -> None:
    """Each has a drawing of its own, and on tiles and barrels its name or that drawing."""
    shapes = parsed(f'<svg xmlns="{NAMESPACE[1:-1]}">{definitions()}</svg>')
    by_id = {element.get("id"): element for element in shapes.iter() if element.get("id")}
    looks = {ElementTree.tostring(by_id[good]) for good in GOODS}
    assert len(looks) == len(GOODS)
    for good in GOODS:
        for shape in (f"barrel-{good}", f"tile-{good}"):
            assert f"#{good}" in [use.get("href") for use in by_id[shape].iter(NAMESPACE + "use")]
        assert [text.text for text in by_id[f"tile-{good}"].iter(NAMESPACE + "text")] == [good]


def test_what_a_step_brought_is_dotted() -> None:
    before = table(3, "settler", row="corn indigo sugar tobacco")
    after = before.copy()
    after.players[0].add_tile(0)
    seen = [table_view(state) for state in (before, after)]
    assert board(seen[1], 0).pieces["new"] == ""
    assert board(seen[1], 0, seen[0]).pieces["new"].count("h44v50") == 2  # the dots, and a halo
    assert board(seen[1], 1, seen[0]).pieces["new"] == ""
    loaded = table_view(table(3, "captain", cargo={5: "corn 3"}))
    assert harbor(loaded, table_view(table(3, "captain"))).pieces["new"]


# The pages.


def test_a_page_says_what_is_full_and_who_wins_a_tie() -> None:
    text = Page(html(crowded())).text
    assert "forest" in text
    assert "full" in text
    ties = [text for seen in tables() if " both have " in (text := Page(html(seen)).text)]
    assert ties
    assert all("more doubloons" in text for text in ties)


@pytest.mark.long
def test_every_step_is_shown_with_what_it_brought() -> None:
    played = game(3)
    page = Page(log_html(steps(played), table_view(played[-1].after)))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [f"turn-{number}" for number in range(len(played) + 1)]
    assert "wins" in page.text
    for source in ("shipping", "sale"):
        assert source in page.text


# The chart.


def test_the_frames_add_up_what_each_player_earned() -> None:
    played = game(4)
    frames = frames_of(steps(played), table_view(played[-1].after))
    last = frames[-1]
    for seat, player in enumerate(played[-1].after.players):
        assert last.seen.players[seat].vp == player.vp
        paid = last.earned[seat] + played[0].before.players[seat].doubloons - player.doubloons
        assert paid >= 0
    for one, other in pairwise(frames):
        assert all(before <= after for before, after in zip(one.earned, other.earned, strict=True))


def test_the_chart_has_a_line_for_each_player_whose_numbers_may_be_known() -> None:
    measure = Measure("VP chips", "secret", ((0, 3, 3, 9), None))
    shown = piece(chart(("Inês", "Joana"), [measure], 4, [0, 2]), "plot-0")
    assert len(list(shown.iter("polyline"))) == 1
    assert "9 Inês" in words(shown)
    assert not any("Joana" in text for text in words(shown))
    assert "secret" in words(shown)


def test_names_beside_the_chart_do_not_cover_each_other() -> None:
    for last in ((50,) * 5, (0, 1, 2, 90), (90,), (0, 1)):
        measure = Measure("VP", None, tuple((0, vp) for vp in last))
        plot = piece(chart(LONG_NAMES[: len(last)], [measure], 2, [0, 1]), "plot-0")
        _, *names = (text for text in plot.iter("text") if text.get("class") == "b")
        heights = sorted(float(name.get("y") or 0) for name in names)
        assert len(heights) == len(last)
        assert all(below - above >= NAME_HEIGHT for above, below in pairwise(heights))
        assert heights[-1] <= 164 + NAME_HEIGHT


def test_texts_of_the_chart_stay_in_it() -> None:
    lines = tuple(tuple(range(0, 120, 1 + nth)) + (119,) * 120 for nth in range(5))
    measure = Measure("VP", None, tuple(line[:100] for line in lines))
    picture = chart(LONG_NAMES, [measure, measure], 100, list(range(0, 100, 4)))
    for text, left, right, y in extents(parsed(f"<g>{picture.drawn()}</g>")):
        assert left >= 0, text
        assert right <= picture.width, text
        assert y <= picture.height, text
