"""The table as a picture and as pages: all of it is there, readable, and in words as well."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from porto_cli.games.puerto_rico import engine
from porto_cli.games.puerto_rico.engine import GOODS
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE, OVER
from porto_cli.games.puerto_rico.picture import (
    SPACE,
    board,
    harbor,
    market,
    pictures,
    roles,
    shapes,
)
from porto_cli.games.puerto_rico.view import view
from porto_cli.match.match import load, new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import story, story_html
from porto_cli.paper.html import Picture, width_of
from porto_cli.paper.page import PaperTable, table_picture
from tests.conftest import ROOT
from tests.pages import Page
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import LONG_NAMES, game, named

NAMESPACE = "{http://www.w3.org/2000/svg}"
SOME_KINDS = KINDS[::5]
BUILDINGS = {building.name: building.cost for building in engine.BUILDINGS}


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def piece(picture: Picture, name: str) -> ElementTree.Element:
    return parsed(f"<g>{picture.pieces[name]}</g>")


def words(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter("text")]


def uses(element: ElementTree.Element) -> Counter[str]:
    return Counter((one.get("href") or "").removeprefix("#") for one in element.iter("use"))


def crowded(seat: int | None = 0) -> dict[str, Any]:
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
    return view(named(state, LONG_NAMES), seat)


@cache
def tables() -> list[dict[str, Any]]:
    """Tables of all kinds of games, early and late, with long names too."""
    rnd = random.Random(4)
    found = [crowded()]
    for kind in SOME_KINDS:
        played = game(*kind, seed=3)
        for ply in rnd.sample(played, 4):
            found.append(view(ply.before, rnd.choice([None, 0, 1])))
        found.append(view(named(played[-1].after, LONG_NAMES)))
    return found


# What it looks like. `pytest --snapshot-update` accepts a change; look at it first.


def test_a_small_picture(snapshot) -> None:
    seen = view(named(game(2)[30].before), 0)
    sheet = PaperTable(["Ana takes a role."], ["Rui passes."], pictures(seen), shapes=shapes())
    picture = table_picture("Sunday", sheet, ["In words."])
    assert picture == snapshot(extension_class=SVGImageSnapshotExtension)


# The document.


@pytest.mark.long
def test_all_pictures_of_a_game_have_the_same_pieces() -> None:
    """A page that shows a whole game relies on it."""
    for kind in SOME_KINDS:
        played = game(*kind, seed=3)
        wanted = [list(picture.pieces) for picture in pictures(view(played[0].before))]
        for ply in played[::11]:
            shown = pictures(view(ply.after, 0), view(ply.before, 0))
            assert [list(picture.pieces) for picture in shown] == wanted


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
        for picture in pictures(seen):
            for text, left, right, y in extents(parsed(f"<g>{picture.drawn()}</g>")):
                assert left >= -0.5, (picture.name, text)
                assert right <= picture.width + 0.5, (picture.name, text)
                assert 8 <= y <= picture.height - 3, (picture.name, text)


BOXED = ("city-", "role-", "kind-")
"""Pieces that begin with the box in which their names have to stay."""


@pytest.mark.long
def test_names_of_buildings_and_roles_stay_in_their_boxes() -> None:
    found = 0
    for seen in tables():
        for picture in pictures(seen):
            for name, drawn in picture.pieces.items():
                if not name.startswith(BOXED) or not drawn:
                    continue
                shown = piece(picture, name)
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
        for picture in pictures(seen):
            lines: dict[float, list[tuple[float, float, str]]] = {}
            for text, left, right, y in extents(parsed(f"<g>{picture.drawn()}</g>")):
                lines.setdefault(y, []).append((left, right, text))
            for line in lines.values():
                for one, other in pairwise(sorted(line)):
                    assert one[1] <= other[0] + 2, (picture.name, one, other)


# What lies on the table.


@pytest.mark.long
def test_role_cards_show_their_doubloons_and_who_took_them() -> None:
    for ply in game(4)[::7]:
        seen = view(ply.before)
        for role, card in seen["roles"].items():
            shown = piece(roles(seen), f"role-{role}")
            taker, doubloons = card["taken"], card["doubloons"]
            assert bool({player["name"] for player in seen["players"]} & {*words(shown)}) == (
                taker is not None
            )
            assert taker is None or taker in words(shown)
            assert (f"+{doubloons}" in words(shown)) == (doubloons > 0 and taker is None)
            assert ('class="now"' in roles(seen).pieces[f"role-{role}"]) == (role == seen["role"])


def test_the_row_shows_each_plantation_and_the_spaces_of_those_taken() -> None:
    for ply in game(5)[::9]:
        seen = view(ply.before)
        shown = piece(roles(seen), "row")
        tiles = uses(shown)
        assert [tiles[f"tile-{good}"] for good in GOODS] == [
            seen["tiles"].get(good, 0) for good in GOODS
        ]
        assert len(list(shown.iter("rect"))) == 6 - sum(seen["tiles"].values())
        note = f"{seen['stack']} face down"
        if discarded := sum(seen["tile_discards"].values()):
            note += f", {discarded} discarded"
        assert note in words(parsed(f"<g>{roles(seen).drawn()}</g>"))


@pytest.mark.long
def test_ships_fill_up() -> None:
    full = 0
    for ply in game(3):
        seen = view(ply.after)
        for nth, (spaces, ship) in enumerate(seen["cargo"].items()):
            shown = piece(harbor(seen), f"ship-{nth}")
            holds = [rect for rect in shown.iter("rect") if rect.get("class") == "hold"]
            assert len(holds) == int(spaces)
            is_full = any("full" in text for text in words(shown))
            if ship is None:
                assert not any(name.startswith("barrel") for name in uses(shown))
                assert not is_full
            else:
                assert uses(shown)[f"barrel-{ship['good']}"] == ship["barrels"]
                assert is_full == (ship["barrels"] == int(spaces))
            full += is_full
    assert full


def test_two_players_have_two_cargo_ships() -> None:
    assert harbor(view(table(2))).pieces["ship-2"] == ""
    assert harbor(view(table(3))).pieces["ship-2"]


def test_the_trading_house_holds_what_was_sold() -> None:
    shown = piece(harbor(view(table(3, house="corn coffee"))), "house")
    assert uses(shown) == {"barrel-corn": 1, "barrel-coffee": 1}
    assert "room for 2" in words(shown)
    assert "full" in words(piece(harbor(crowded()), "house"))


def test_boards_show_each_circle_empty_or_occupied() -> None:
    for seen in tables():
        for seat, player in enumerate(seen["players"]):
            shown = parsed(f"<g>{board(seen, seat).drawn()}</g>")
            tiles = player["island"].values()
            occupied = sum(player["city"].values()) + sum(tile["colonists"] for tile in tiles)
            assert uses(shown)["manned"] == occupied
            assert uses(shown)["ring"] == sum(player["circles"].values()) - occupied


def test_islands_and_cities_show_each_tile_and_building() -> None:
    for seen in tables():
        for seat, player in enumerate(seen["players"]):
            picture = board(seen, seat)
            wanted: Counter[str] = Counter()
            for kind, there in player["island"].items():
                wanted[f"tile-{kind.partition('-')[0]}"] += there["tiles"]
            shown = uses(piece(picture, "island"))
            assert {name: n for name, n in shown.items() if name.startswith("tile-")} == wanted
            drawn = [name for name in BUILDINGS if picture.pieces[f"city-{name}"]]
            assert drawn == list(player["city"])


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
    seen = view(played[-2].before, 1)
    assert "chip-down" not in board(seen, 1).pieces["vp"]
    assert "chip-down" in board(seen, 0).pieces["vp"]
    over = view(played[-1].after, 1)
    assert over["phase"] == OVER
    assert not any("chip-down" in board(over, seat).pieces["vp"] for seat in range(3))


def test_who_is_to_move_is_marked() -> None:
    seen = view(game(4)[41].before)
    assert [bool(board(seen, seat).pieces["turn"]) for seat in range(4)] == [
        player["name"] in seen["to_move"] for player in seen["players"]
    ]


def test_the_market_shows_what_can_be_paid_now() -> None:
    state = table(
        3,
        "builder",
        a={"doubloons": 4, "city": "hacienda", "island": "quarry", "colonists": "quarry"},
    )
    pieces = market(view(state)).pieces
    assert 'class="can"' in pieces["cost-coffee-roaster"]
    assert 'class="can"' not in pieces["cost-factory"]
    assert 'class="can"' not in pieces["cost-hacienda"]
    assert ">4<" in pieces["cost-coffee-roaster"]


def test_the_market_shows_the_copies_left() -> None:
    for ply in game(3)[::17]:
        seen = view(ply.before)
        pieces = market(seen).pieces
        for name, cost in BUILDINGS.items():
            left = seen["buildings"].get(name, 0)
            if not pieces[f"kind-{name}"]:
                assert not left
                continue
            assert f"×{left}<" in pieces[f"left-{name}"]
            assert ('class="gone"' in pieces[f"kind-{name}"]) == (not left)
            if seen["phase"] != BUILDER_PHASE:
                assert f">{cost}<" in pieces[f"cost-{name}"]


def test_the_market_tells_how_many_quarries_count() -> None:
    by_rulebook = {
        rulebook: words(piece(market(view(table(3, rulebook=rulebook))), "column-4"))
        for rulebook in ("printed", "guide")
    }
    assert by_rulebook["printed"] == ["Up to 4 quarries"]
    assert "VP" in by_rulebook["guide"][0]


def test_the_draft_marks_the_buildings_chosen() -> None:
    for ply in game(2, "draft")[:17:4]:
        seen = view(ply.before)
        assert seen["phase"] == DRAFT_PHASE
        pieces = market(seen).pieces
        for name in BUILDINGS:
            assert ('class="can"' in pieces[f"left-{name}"]) == (name in seen["violet"])


def test_no_good_is_shown_by_its_color_alone() -> None:
    """Each has a drawing of its own, and on tiles and barrels its name or that drawing."""
    drawn = parsed(f'<svg xmlns="{NAMESPACE[1:-1]}">{shapes()}</svg>')
    by_id = {element.get("id"): element for element in drawn.iter() if element.get("id")}
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
    seen = [view(state) for state in (before, after)]
    assert board(seen[1], 0).pieces["new"] == ""
    assert board(seen[1], 0, seen[0]).pieces["new"].count("h48v54") == 2  # the dots, and a halo
    assert board(seen[1], 1, seen[0]).pieces["new"] == ""
    loaded = view(table(3, "captain", cargo={5: "corn 3"}))
    assert harbor(loaded, view(table(3, "captain"))).pieces["new"]


# The pages.


def test_a_story_of_the_first_turns_has_no_empty_chart() -> None:
    match = new_game(("Ana", "Bea", "Cid"), game="puerto-rico", seed="x", first="Ana")
    match.play("role settler")
    assert "Doubloons earned" not in story_html(match.replay)
    assert "Doubloons earned" in story_html(finished())


def finished() -> Replay:
    return load(ROOT / "records" / "puerto-rico" / "two-players.yaml").replay


@pytest.mark.long
def test_every_step_is_shown_with_what_it_brought() -> None:
    replay = finished()
    page = Page(story_html(replay))
    anchors = [article["id"] for article in page.all("article")]
    assert anchors == [*(f"turn-{number}" for number in range(replay.state.turn + 1)), "end"]
    assert "wins" in page.text
    for source in ("shipping", "sale"):
        assert source in page.text


@pytest.mark.long
def test_the_frames_add_up_what_each_player_earned() -> None:
    replay = finished()
    frames = story(replay).frames
    chips, _, earned = frames[-1].numbers
    for seat, player in enumerate(replay.state.players):
        assert chips[seat] == player.vp
        assert earned[seat] + replay.opening.players[seat].doubloons >= player.doubloons
    for one, other in pairwise(frames):
        pairs = zip(one.numbers[2], other.numbers[2], strict=True)
        assert all(before <= after for before, after in pairs)


def test_only_barrels_that_were_loaded_or_sold_are_dotted() -> None:
    """Each halo is around the new ones alone: three more on a ship, the third one in the house."""
    before = view(table(3, cargo={4: "corn 1", 5: "coffee 2"}, house="corn indigo"))
    after = view(table(3, cargo={4: "corn 4", 5: "coffee 2"}, house="corn indigo sugar"))
    assert harbor(before, before).pieces["new"] == ""
    new = piece(harbor(after, before), "new")
    outlines = [path.get("d") or "" for path in new.iter("path") if path.get("class") == "new"]
    widths = [float(width) for width in re.findall(r"h(\d+)", "".join(outlines))]
    assert len(widths) == 2
    ship, stall = widths
    assert ship == 3 * SPACE
    assert stall < ship
    # What a ship loses when it has sailed is no news.
    assert harbor(before, after).pieces["new"] == ""


def test_the_barrel_just_sold_is_dotted_wherever_it_lies(porto) -> None:
    """The trading house is sorted: indigo lies down between the corn and the sugar."""
    path = ROOT / "records" / "puerto-rico" / "two-players.yaml"
    table = ["show", path, "--turn", 101, "--format"]
    assert json.loads(porto(*table, "json").out)["trading_house"] == ["corn", "indigo", "sugar"]
    picture = porto(*table, "svg").out
    stalls = dict(re.findall(r'#barrel-(\w+)" transform="translate\((\d+) 354\)', picture))
    assert stalls == {"corn": "32", "indigo": "72", "sugar": "112"}
    outlines = re.findall(r'class="new" d="(.*?)"', picture)
    dotted = [int(x) + 17 for one in outlines for x in re.findall(r"M(\d+) 324h34", one)]
    assert dotted == [72]


def test_a_building_without_circles_is_not_said_to_have_some(porto) -> None:
    path = ROOT / "records" / "puerto-rico" / "five-players-random.yaml"
    picture = porto("show", path, "--turn", 151, "--format", "svg").out
    assert "<title>statue</title>" in picture


@pytest.mark.long
@pytest.mark.parametrize("name", ["two-players", "three-players-guide"])
def test_the_page_of_a_game_counts_all_doubloons_that_came_in(porto, name: str) -> None:
    """What was paid is not subtracted: the chart never falls, and ends at the sum of the log."""
    path = ROOT / "records" / "puerto-rico" / f"{name}.yaml"
    players = [
        one["name"] for one in json.loads(porto("show", path, "--format", "json").out)["players"]
    ]
    turns = json.loads(porto("log", path, "--format", "json").out)["turns"]
    came_in: Counter[str] = Counter()
    for turn in turns:
        for event in turn["events"]:
            if not turn["undone"] and event["event"] == "earned":
                came_in[event["player"]] += max(0, event["doubloons"])
    page = Page(porto("log", path, "--format", "html").out)
    chart = page.text.partition("Doubloons earned, without those of the setup")[2]
    numbers = " ".join(str(came_in[player]) for player in players)
    assert f" the end {numbers} Standings" in chart
