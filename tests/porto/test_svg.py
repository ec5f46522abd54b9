"""The table as a picture: everything is in it, it needs nothing else, and it says it in words."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.table import LATER, NEVER, NOW, Contract, Table, table, table_of
from porto_cli.games.porto.ui.palette import PAINTS
from porto_cli.games.porto.ui.picture.board import board
from porto_cli.games.porto.ui.picture.chart import BOTTOM, NAME_HEIGHT, _apart, chart
from porto_cli.games.porto.ui.picture.scene import scene, track_of
from porto_cli.games.porto.ui.picture.shapes import definitions
from porto_cli.games.porto.ui.scoring import standings
from porto_cli.games.porto.ui.svg import svg
from porto_cli.match.replay import Replay, after_turn
from porto_cli.term.svg import escaped, fitted, width_of
from tests.porto.playing import KINDS, plies
from tests.porto.tables import laid, played
from tests.porto.test_view import with_other_secrets
from tests.shares import one_in

NAMESPACE = "{http://www.w3.org/2000/svg}"
LARGEST = 60_000


def picture(replay: Replay, seat: int | None = None) -> str:
    return svg(table(replay, seat), standings(replay, seat))


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def texts(text: str) -> list[str]:
    """What can be read in a picture, top to bottom, but for its description."""
    root = parsed(text)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in {NAMESPACE + tag for tag in ("defs", "style", "desc")}:
                parent.remove(child)
    return [found for element in root.iter() if (found := (element.text or "").strip())]


def test_a_picture_in_words(snapshot) -> None:
    assert texts(picture(after_turn(played(3), 41), 1)) == snapshot


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_picture_is_well_formed_small_and_needs_nothing_else(players: int) -> None:
    game = played(players)
    for turn in range(0, game.state.turn + 1, 7):
        text = picture(after_turn(game, turn), 0)
        root = parsed(text)
        assert len(text.encode()) < LARGEST
        assert root.tag == NAMESPACE + "svg"
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == "t d"
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"<(script|image|foreignObject)|@import|@font-face", text)


def test_every_shape_that_is_used_is_there_once() -> None:
    text = picture(played(4))
    ids = re.findall(r'id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert used <= set(ids)


@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_every_table_of_every_kind_of_game_can_be_drawn(kind) -> None:
    rnd = random.Random(str(kind))
    for ply in plies(kind, rnd):
        if rnd.random() < 0.1:
            seen = table_of(ply.after, 0)
            for drawing in (scene(seen), board(seen)):
                for name, piece in drawing.pieces.items():
                    assert parsed(f"<g>{piece}</g>") is not None, name


# The houses.


def test_a_house_has_as_many_floors_as_it_has() -> None:
    seen = table(after_turn(played(4), 50))
    pieces = scene(seen).pieces
    for house in seen.houses:
        drawn = pieces[f"house-{house.name}"]
        assert drawn.count(f'"#ground-{house.color}"') == (1 if house.floors else 0)
        assert drawn.count(f'"#upper-{house.color}"') == max(house.floors - 1, 0)
        assert ('href="#gable"' in drawn) == house.complete
        assert ('class="free"' in drawn) == (not house.complete)
    assert any(house.complete for house in seen.houses)
    assert any(0 < house.floors < house.height for house in seen.houses)


def test_houses_that_are_not_in_play_are_not_there() -> None:
    for players, absent in ((4, []), (3, ["L1", "R7"]), (2, ["L1", "L2", "R6", "R7"])):
        drawn = scene(table(played(players, 10))).pieces
        for house in ("L1", "L2", "R6", "R7"):
            assert (f"house-{house}" in drawn) == (house not in absent)
            assert (f">{house}<" in drawn["backdrop"]) == (house not in absent)


def test_a_taller_house_is_drawn_taller() -> None:
    """R2 of height 6 and R3 of height 4: the free spaces reach 64 higher, two floors of 32."""
    pieces = scene(table_of(laid("round: 1", 4))).pieces
    tops = [
        int(re.search(r'd="M0 0V-(\d+)', pieces[f"house-{house}"])[1]) for house in ("R2", "R3")
    ]
    assert tops[0] - tops[1] == 2 * 32


def test_tokens_lie_on_grounds_and_roofs_with_their_value() -> None:
    seen = table_of(laid("round: 1"))
    left, right = seen.sides
    house, *others = left
    house = house._replace(ground_token=4, roof_token=3)
    pieces = scene(seen._replace(sides=((house, *others), right))).pieces
    assert re.findall(r">(\d)<", pieces[f"tokens-{house.name}"]) == ["4", "3"]
    bare = house._replace(ground_token=None, roof_token=None)
    pieces = scene(seen._replace(sides=((bare, *others), right))).pieces
    assert pieces[f"tokens-{house.name}"] == ""


def test_what_the_last_turn_changed_is_dotted() -> None:
    game = played(3)
    for turn in range(1, game.state.turn):
        seen = table(after_turn(game, turn))
        pieces = scene(seen).pieces
        for house in seen.houses:
            changed = house.new_floors or house.new_roof or house.new_token
            assert ('class="new"' in pieces[f"new-{house.name}"]) == bool(changed)


def test_no_color_is_told_by_its_fill_alone() -> None:
    """Each color has a letter, a pattern and windows of its own."""
    shapes = parsed(f'<svg xmlns="{NAMESPACE[1:-1]}">{definitions()}</svg>')
    by_id = {element.get("id"): element for element in shapes.iter() if element.get("id")}
    looks = set()
    for color, paint in PAINTS.items():
        ground, card = by_id[f"ground-{color}"], by_id[f"card-{color}"]
        assert [text.text for text in ground.iter(NAMESPACE + "text")] == [paint.letter]
        assert [text.text for text in card.iter(NAMESPACE + "text")] == [paint.letter]
        pattern = by_id[f"pattern-{color}"].find(NAMESPACE + "path").get("d")
        windows = by_id[f"windows-{color}"].find(NAMESPACE + "path").get("d")
        looks |= {paint.letter, pattern, windows}
    assert len(looks) == 3 * len(PAINTS)


# The score track, the table, the players.


def boat(seen: Table, lane: int, track: int = 100) -> float:
    piece = scene(seen, track).pieces[f"boat-{lane}"]
    return float(re.search(r'href="#boat" x="([\d.]+)"', piece)[1])


def test_a_boat_stands_at_the_score_of_its_player() -> None:
    seen = table_of(laid("scores: {Inês: 0, Joana: 50, Afonso: 100}", 3))
    start, middle, end = (boat(seen, lane) for lane in range(3))
    assert middle - start == pytest.approx(end - middle)
    assert end > middle > start


def test_the_track_is_long_enough_for_the_best_score() -> None:
    assert track_of(table_of(laid("scores: {Inês: 3}"))) == 60
    assert track_of(table_of(laid("scores: {Inês: 61}"))) == 70
    assert (
        track_of(table_of(laid("scores: {Inês: 3}")), table_of(laid("scores: {Joana: 80}"))) == 80
    )


def test_only_who_is_to_move_flies_a_pennant() -> None:
    pieces = scene(table_of(laid("to-move: Joana", 3))).pieces
    assert [bool(pieces[f"pennant-{lane}"]) for lane in range(3)] == [False, True, False]


def test_a_hand_shows_each_kind_of_card_and_how_many() -> None:
    seen = table_of(laid("hands: {Inês: [blue-1, red-3, blue-1]}"))
    hand = board(seen).pieces["hand-0"]
    assert re.findall(r'href="#([a-z]+-\d)"', hand) == ["blue-1", "red-3"]
    assert re.findall(r">(\d)<", hand) == ["2"]
    assert "No cards" in board(seen).pieces["hand-1"]


def test_contracts_are_marked_by_whether_they_can_be_met() -> None:
    contracts = tuple(Contract("blue+red", 2, chance) for chance in (NOW, LATER, NEVER))
    seen = table_of(laid("round: 1"))._replace(contracts=(*contracts, None))
    now, later, never, empty = (board(seen).pieces[f"contract-{space}"] for space in range(4))
    assert "now" in now
    assert "never" in never
    assert not re.search("now|never", later)
    assert 'class="free"' in empty
    over = board(seen._replace(phase=OVER)).pieces
    assert not any(re.search("now|never", over[f"contract-{space}"]) for space in range(3))


def test_an_empty_deck_is_no_pile() -> None:
    seen = table_of(laid("round: 1"))
    assert "azulejo" in board(seen).pieces["deck"]
    assert board(seen._replace(deck=1)).pieces["deck"].count("azulejo") == 1
    assert 'class="free"' in board(seen._replace(deck=0)).pieces["deck"]


@pytest.mark.parametrize("turns", [0, 1, 30])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_picture_would_be_the_same_had_the_others_other_secrets(
    turns: int, seat: int | None
) -> None:
    game = played(3, turns)
    assert picture(game, seat) == picture(
        with_other_secrets(game, -1 if seat is None else seat), seat
    )


def test_the_description_tells_the_table_in_sentences() -> None:
    game = played(2, 20)
    text = parsed(picture(game, 0)).find(NAMESPACE + "desc").text
    for house in table(game).houses:
        assert f"{house.name} is " in text
    assert "Inês has" in text


# Text.


HOSTILE = ["<b>&\"'", "]]>", "<script>alert(1)</script>", "a\x00b\x1bc", "\u202egnirts", "&amp;"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_cannot_break_out_of_the_text(name: str) -> None:
    seen = table_of(laid("round: 1", 2))
    players = tuple(player._replace(name=name) for player in seen.players)
    seen = seen._replace(players=players, to_move=(name,), title=name)
    text = svg(seen, standings(played(2, 0)))
    root = parsed(text)
    assert "script" not in {element.tag.removeprefix(NAMESPACE) for element in root.iter()}
    shown = re.sub(r"[\x00-\x1f]", "\ufffd", name).replace("\u202e", "")
    assert shown in [element.text for element in root.iter(NAMESPACE + "text")]


def test_text_fits_the_room_it_has() -> None:
    rnd = random.Random(1)
    for _ in range(300):
        text = "".join(rnd.choice("iW mé김 ") for _ in range(rnd.randrange(60)))
        room = rnd.uniform(60, 400)
        shown, size = fitted(text, 22, room, 14)
        assert width_of(shown, size) <= room or (size == 14 and len(shown) <= 1)
        assert 14 <= size <= 22
        if shown != text:
            assert shown.endswith("…")
            assert text.startswith(shown[:-1])


def test_escaped_text_is_what_it_was() -> None:
    for text in ("Inês & João", "a < b > c", "\"quoted\" 'twice'", "김철수"):
        assert parsed(f'<a b="{escaped(text)}">{escaped(text)}</a>').text == text
        assert parsed(f'<a b="{escaped(text)}"/>').get("b") == text


# The chart.


def test_the_chart_has_a_line_for_each_player_and_a_point_for_each_turn() -> None:
    scores = [(0, 0), (3, 0), (3, 7), (9, 7), (9, 12)]
    pieces = chart(("Inês", "Joana"), scores, 4).pieces
    for seat, last in ((0, "9 Inês"), (1, "12 Joana")):
        points = re.search(r'points="([^"]+)"', pieces[f"line-{seat}"])[1].split()
        assert len(points) == len(scores)
        heights = [float(point.split(",")[1]) for point in points]
        assert heights == sorted(heights, reverse=True)
        assert last in pieces[f"line-{seat}"]


def test_names_beside_the_chart_do_not_cover_each_other() -> None:
    for places in ([100, 100, 100, 100], [300, 299, 298, 10], [24], [290, 300], [50, 60, 200, 210]):
        apart = sorted(_apart(places, BOTTOM))
        assert all(below - above >= NAME_HEIGHT for above, below in pairwise(apart))
        assert apart[-1] <= max(BOTTOM, max(places))
