"""The table as a picture: everything is in it, it needs nothing else, and it says it in words."""

from __future__ import annotations

import random
import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Any
from xml.etree import ElementTree

import pytest

from porto_cli.games.porto.engine import COLORS, HOUSES
from porto_cli.games.porto.engine.play import Placed, RoofPlaced, TokenMoved
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.phrases import PAINTS
from porto_cli.games.porto.picture import board, shapes, street
from porto_cli.games.porto.shown import track_of
from porto_cli.games.porto.view import LATER, NEVER, NOW, view
from porto_cli.match.replay import Replay, after_turn
from porto_cli.pages import table_svg
from porto_cli.paper.html import escaped, fitted, width_of
from tests.pages import contrast, linear, paragraphs
from tests.porto.playing import KINDS, plies
from tests.porto.tables import laid, played
from tests.shares import for_each, one_in

NAMESPACE = "{http://www.w3.org/2000/svg}"


def picture(replay: Replay, seat: int | None = None) -> str:
    return table_svg(replay, seat)


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
    assert paragraphs(texts(picture(after_turn(played(3), 41), 1))) == snapshot


@pytest.mark.long_for("4p-cramped")
@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_every_table_of_every_kind_of_game_can_be_drawn(kind) -> None:
    rnd = random.Random(str(kind))
    for ply in plies(kind, rnd):
        if rnd.random() < 0.1:
            seen, before = view(ply.after, 0), view(ply.before, 0)
            for drawing in (street(seen, before), board(seen)):
                for name, piece in drawing.pieces.items():
                    assert parsed(f"<g>{piece}</g>") is not None, name


# The houses.


def test_a_house_has_as_many_floors_as_it_has() -> None:
    seen = view(after_turn(played(4), 50).state, None)
    pieces = street(seen).pieces
    for name, house in seen["houses"].items():
        drawn = pieces[f"house-{name}"]
        assert drawn.count(f'"#ground-{house["color"]}"') == (1 if house["floors"] else 0)
        assert drawn.count(f'"#upper-{house["color"]}"') == max(house["floors"] - 1, 0)
        assert ('href="#gable"' in drawn) == house["complete"]
        assert ('class="free"' in drawn) == (not house["complete"])
    assert any(house["complete"] for house in seen["houses"].values())
    assert any(0 < house["floors"] < house["height"] for house in seen["houses"].values())


def test_houses_that_are_not_in_play_are_not_there() -> None:
    for players, absent in ((4, []), (3, ["L1", "R7"]), (2, ["L1", "L2", "R6", "R7"])):
        drawn = street(view(played(players, 10).state, None)).pieces
        for house in ("L1", "L2", "R6", "R7"):
            assert (f"house-{house}" in drawn) == (house not in absent)
            assert (f">{house}<" in drawn["backdrop"]) == (house not in absent)


def test_a_taller_house_is_drawn_taller() -> None:
    """R2 of height 6 and R3 of height 4: the free spaces reach 64 higher, two floors of 32."""
    pieces = street(view(laid("round: 1", 4), None)).pieces
    tops = [
        int(re.search(r'd="M0 0V-(\d+)', pieces[f"house-{house}"])[1]) for house in ("R2", "R3")
    ]
    assert tops[0] - tops[1] == 2 * 32


def test_tokens_lie_on_grounds_and_roofs_with_their_value() -> None:
    seen = view(laid("round: 1"), None)
    seen["houses"]["L3"] |= {"ground_token": 4, "roof_token": 3}
    assert re.findall(r">(\d)<", street(seen).pieces["tokens-L3"]) == ["4", "3"]
    seen["houses"]["L3"] |= {"ground_token": None, "roof_token": None}
    assert street(seen).pieces["tokens-L3"] == ""


def test_what_the_last_turn_changed_is_dotted() -> None:
    """The houses of which its events tell: floors, a roof, a token moved to a roof."""
    game = played(3)
    for step in game.turns():
        told = [event for event in step.events if isinstance(event, (Placed, RoofPlaced))]
        changed = {HOUSES[event.house] for event in told}
        moved = {HOUSES[event.roof] for event in step.events if isinstance(event, TokenMoved)}
        pieces = street(view(step.after, None), view(step.before, None)).pieces
        dotted = {name[4:] for name in pieces if name.startswith("new-") and pieces[name]}
        assert changed <= dotted <= changed | moved


def test_no_color_is_shown_by_its_fill_alone() -> None:
    """Each color has a letter, a pattern and windows of its own."""
    drawn = parsed(f'<svg xmlns="{NAMESPACE[1:-1]}">{shapes()}</svg>')
    by_id = {element.get("id"): element for element in drawn.iter() if element.get("id")}
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


def boat(seen: dict[str, Any], lane: int, track: int = 100) -> float:
    piece = street(seen, track=track).pieces[f"boat-{lane}"]
    return float(re.search(r'href="#boat" x="([\d.]+)"', piece)[1])


def test_a_boat_stands_at_the_score_of_its_player() -> None:
    seen = view(laid("scores: {Inês: 0, Joana: 50, Afonso: 100}", 3), None)
    start, middle, end = (boat(seen, lane) for lane in range(3))
    assert middle - start == pytest.approx(end - middle)
    assert end > middle > start


def test_the_track_is_long_enough_for_the_best_score() -> None:
    tables = [view(laid(f"scores: {{Inês: {vp}}}"), None) for vp in (3, 61, 80)]
    assert [track_of(seen) for seen in tables] == [60, 70, 80]
    assert track_of(*tables) == 80


def test_only_who_is_to_move_flies_a_pennant() -> None:
    pieces = street(view(laid("to-move: Joana", 3), None)).pieces
    assert [bool(pieces[f"pennant-{lane}"]) for lane in range(3)] == [False, True, False]


def test_a_hand_shows_each_kind_of_card_and_how_many() -> None:
    seen = view(laid("hands: {Inês: [blue-1, red-3, blue-1]}"), None)
    hand = board(seen).pieces["hand-0"]
    assert re.findall(r'href="#([a-z]+-\d)"', hand) == ["blue-1", "red-3"]
    assert re.findall(r">(\d)<", hand) == ["2"]
    assert "No cards" in board(seen).pieces["hand-1"]


def test_contracts_are_marked_by_whether_they_can_be_met() -> None:
    seen = view(laid("round: 1"), None)
    contract = {"contract": "blue+red", "vp": 2}
    seen["public_contracts"] = [
        *({**contract, "can_be_met": chance} for chance in (NOW, LATER, NEVER)),
        None,
    ]
    now, later, never, empty = (board(seen).pieces[f"contract-{space}"] for space in range(4))
    assert "now" in now
    assert "never" in never
    assert not re.search("now|never", later)
    assert 'class="free"' in empty
    over = board({**seen, "phase": OVER}).pieces
    assert not any(re.search("now|never", over[f"contract-{space}"]) for space in range(3))


def test_an_empty_deck_is_no_pile() -> None:
    seen = view(laid("round: 1"), None)
    assert "azulejo" in board(seen).pieces["deck"]
    assert board({**seen, "deck": 1}).pieces["deck"].count("azulejo") == 1
    assert 'class="free"' in board({**seen, "deck": 0}).pieces["deck"]


def test_the_description_tells_the_table_in_sentences() -> None:
    game = played(2, 20)
    text = parsed(picture(game, 0)).find(NAMESPACE + "desc").text
    for house in view(game.state, None)["houses"]:
        assert f"{house} is " in text
    assert "Inês has" in text


# Text.


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
    # What no picture may contain: controls are seen, and what turns the writing around is gone.
    for text, shown in (("a\x00b\x1bc", "a\ufffdb\ufffdc"), ("\u202egnirts", "gnirts")):
        assert parsed(f"<a>{escaped(text)}</a>").text == shown


# --- the palette ------------------------------------------------------------------------------


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
EYES = {
    "all colors": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
APART = 15
"""CIEDE2000; 2 is just noticed, 10 is seen at a glance."""


def lab(color: str, eyes: str) -> tuple[float, float, float]:
    """CIELAB (D65) of a color as these eyes see it."""
    rgb = linear(color)
    r, g, b = (
        min(1.0, max(0.0, sum(a * c for a, c in zip(row, rgb, strict=True)))) for row in EYES[eyes]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """CIEDE2000 of two colors in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    gray = 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = a1 * (1 + gray), a2 * (1 + gray)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(mean_h - 30))
        + 0.24 * cos(radians(2 * mean_h))
        + 0.32 * cos(radians(3 * mean_h + 6))
        - 0.20 * cos(radians(4 * mean_h - 63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    sc = 1 + 0.045 * mean_c
    sh = 1 + 0.015 * mean_c * t
    twist = 2 * sqrt(mean_c**7 / (mean_c**7 + 25**7))
    rt = -sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2)))) * twist
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return sqrt(dl**2 + dc**2 + dh**2 + rt * dc * dh)


def test_the_measure_measures() -> None:
    """Two pairs of the published test data of CIEDE2000, and what everybody knows."""
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619)) == pytest.approx(
        2.0373, abs=1e-4
    )
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    traffic = ("#b03020", "#6b7b1f")
    normal, protan = (
        difference(lab(traffic[0], eyes), lab(traffic[1], eyes))
        for eyes in ("all colors", "protanopia")
    )
    assert protan < normal / 2


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("tone", ["fill", "shade"])
def test_five_colors_for_everybody(eyes: str, tone: str) -> None:
    seen = {name: lab(getattr(paint, tone), eyes) for name, paint in PAINTS.items()}
    for one, other in combinations(COLORS, 2):
        assert difference(seen[one], seen[other]) > APART, (one, other)


@for_each(
    ("name", "first", "second", "signs"),
    [
        ("red+red", "2 red", "cards", ["card-red", "card-red"]),
        ("blue+green", "blue +", "green card", ["card-blue", "card-green"]),
        ("red-house", "1 red", "house", ["gable", "ground-red", "upper-red"]),
        ("1-blue-floor", "1 blue", "floor", ["upper-blue"]),
        ("3-blue-floors", "3 blue", "floors", ["upper-blue"] * 3),
    ],
)
def test_a_contract_is_drawn_by_what_it_asks_for(
    name: str, first: str, second: str, signs: list[str]
) -> None:
    seen = view(played(2).state, None)
    contract = {"contract": name, "vp": 2, "can_be_met": LATER}
    seen["public_contracts"] = [contract, None, None, None]
    drawn = parsed(f"<g>{board(seen).pieces['contract-0']}</g>")
    assert [text.text for text in drawn.iter("text")] == ["2", first, second, "1"]
    used = sorted((one.get("href") or "").removeprefix("#") for one in drawn.iter("use"))
    assert used == sorted([*signs, "coin"])
