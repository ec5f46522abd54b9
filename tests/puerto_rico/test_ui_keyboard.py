"""At one keyboard: what stands above the questions, what is new, and whole games."""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import islice, permutations, product, takewhile
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import fragment_list_to_text, to_formatted_text
from prompt_toolkit.key_binding import KeyBindingsBase
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.output import DummyOutput

import porto_cli
from porto_cli import next_step
from porto_cli.cli import hint
from porto_cli.cli.rules import advice, advice_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core.shell import command
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDING_PLACES,
    BUILDINGS,
    CRAFTSMAN,
    GOODS,
    ROLES,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import NOBODY, OVER, State
from porto_cli.games.puerto_rico.form import sheet
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import expand_move, format_move, parse_move
from porto_cli.games.puerto_rico.options import options
from porto_cli.games.puerto_rico.panes import panes, title
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.players.priced import best_move
from porto_cli.games.puerto_rico.view import view
from porto_cli.installed import lessons_of
from porto_cli.match.match import Match
from porto_cli.match.record import TABLE as REAL_TABLE
from porto_cli.pages import above as above_question
from porto_cli.pages import news
from porto_cli.scene import HEAD, Scene
from porto_cli.seam import DONE, MATTERS, SEEN, News, Short, Step
from porto_cli.term import Line, Screen, Stage, cells, plain
from porto_cli.term.controls import BACK as LEFT
from porto_cli.term.controls import TABLE, Form, Menu
from porto_cli.term.menus import Menus, Reader
from porto_cli.term.prompt import TABLE_KEY, Lines, Text
from porto_cli.term.question import question_rows
from tests.porto.asking import BACK, Scripted
from tests.puerto_rico.asking import Answers, answers
from tests.puerto_rico.matches import decisions, new, stopped
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import coming, expansion, kinds, play, table
from tests.puerto_rico.ui_games import at, game, named
from tests.shares import one_in
from tests.tables import table_at


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (127, "Inês placed colonists."),
        (127, "Afonso took 1 tobacco more."),
        (130, "Joana loaded 2 indigo."),
        (130, "You loaded 4 corn for 4 VP."),
        (130, "Afonso lost 4 indigo and 2 tobacco."),
        (139, "Zé sold 1 tobacco for 3 doubloons."),
        (165, "Joana built large-market for 5 doubloons."),
    ],
)
def test_a_turn_in_short_says_what_its_numbers_count_and_what_was_lost(
    items: int, sentence: str, tmp_path: Path
) -> None:
    match = table_at("puerto-rico/five-players-random", items, tmp_path / "game.yaml")
    told = news(match.replay, match.state.seat)
    assert sentence in [one.text for new in told for one in new.short]


def test_of_two_loads_the_verb_is_said_once_and_a_new_round_is_marked() -> None:
    told = [Short(f"Bea {did}.", MATTERS, "Bea") for did in ("loaded 2 corn", "loaded 1 sugar")]
    lines = [Short("Bea took the captain.", MATTERS, "Bea"), *told, Short("Round 3.", DONE)]
    scene = scene_of(view(new(3).state, 0))
    scene.news = [News(("long " * 400,), tuple(lines))]
    shown = " ".join(plain(line) for line in scene.lines(Screen(120), 24))
    assert "Bea took the captain, loaded 2 corn and 1 sugar. Round 3." in shown
    marks = [
        one.text
        for match in decisions(new(3))
        for new_ in news(match.replay, 0)
        for one in new_.short
    ]
    assert any(one.startswith("Round 2 began with ") for one in marks)


def shown_to(match: Match, reader: int) -> list[str]:
    return [one for new in news(match.replay, reader) for one in new.full]


def scene_of(seen: dict[str, Any]) -> Scene:
    """Return the table above a question, with the boards of the mover."""
    names = [player["name"] for player in seen["players"]]
    shown = names.index(seen["to_move"][0]) if seen["to_move"] else 0
    return Scene(title(seen), lambda *_: panes(seen, seen, shown), (), lambda: ())


def after(*moves: str) -> Match:
    match = new(3)
    for move in moves:
        match.play(move)
    return match


def test_news_are_what_happened_since_the_own_decision() -> None:
    match = after("role settler", "take quarry", "take corn", "take sugar")
    assert shown_to(match, 1) == [
        "Afonso took a sugar plantation.",
        "New face-up plantations: 2 corn, 1 indigo and 1 coffee.",
    ]
    assert shown_to(match, 0)[0] == "Joana took a corn plantation."
    assert shown_to(match, 2) == ["New face-up plantations: 2 corn, 1 indigo and 1 coffee."]


def test_at_one_keyboard_the_chips_of_the_mover_are_seen_by_all_and_the_legend_says_so() -> None:
    assert PUERTO_RICO.secrets is None, "nobody is asked to hand over the keyboard"
    match = after("role settler")
    seat = match.game.to_move(match.state)[0]
    above = above_question(match.replay, seat, seat)
    shown = [plain(line) for line in above.lines(Screen(80), 40)]
    (of_mover,) = [line for line in shown if " 0 VP" in line]
    assert match.players[seat] in of_mover
    _, signs, _ = advice_of("puerto-rico", "")(("turn",), 200)
    assert "to everybody who looks at the screen in the owner's turn." in " ".join(
        map(plain, signs)
    )


def test_automatic_moves_are_shown_to_the_player_who_caused_them() -> None:
    """PR-AUTO-1: nobody has a choice where the colonists go."""
    match = after("role mayor")
    assert "Joana placed colonists: indigo." in shown_to(match, 0)
    match.undo()
    assert shown_to(match, 1) == ["Inês took back the last move."]


@pytest.mark.parametrize(
    ("record", "items", "told"),
    [
        (
            "four-players-draft",
            110,
            "Afonso took the craftsman and 1 indigo more. Rui took the builder and built statue "
            "for 8 doubloons. Inês built construction-hut for 2 doubloons.",
        ),
        ("five-players-random", 130, "Rui took the captain. You lost 1 sugar."),
        (
            "three-players-guide",
            68,
            "You stored 1 indigo. Afonso lost 2 indigo. Inês took the craftsman and 1 corn more.",
        ),
    ],
)
def test_of_long_news_what_everybody_did_last_stays(
    record: str, items: int, told: str, tmp_path: Path
) -> None:
    """Also in what is free below the table. At the end it is said how to see what the table does
    not show.
    """
    match = table_at(f"puerto-rico/{record}", items, tmp_path / "game.yaml")
    assert low_news(match) == f"{told} (press = for more)"
    went_by = lessons_of("puerto-rico")["went_by"]["role captain"]
    low = low_news(match, went_by)
    assert low.startswith(went_by)
    assert low.endswith("(press = for more)")


def test_what_would_be_loaded_is_marked_on_the_lowest_screen() -> None:
    """Also where the ships are so full that the marks take a shorter form."""
    seen = {**view(stopped("captain").state, 0), "ship": 10}
    for goods in permutations(("tobacco", "coffee", "indigo")):
        full = {str(nth): {"good": good, "barrels": nth} for nth, good in enumerate(goods, start=4)}
        seen |= {"cargo": full, "trading_house": ["sugar", "tobacco", "coffee"]}
        for ship, load in full.items():
            there = {**seen, "cargo": {**full, ship: {**load, "barrels": 1}}}
            _, _, ships, *_ = panes(there, seen, 0)
            (line,) = ships[0].draw(Screen(58))
            assert re.search(rf" {ship}:\+\w+ ?{ship}\+ ", plain(line)), plain(line)


@pytest.mark.long_for("5")
@pytest.mark.parametrize("people", [3, 5])
def test_colonists_that_others_placed_are_told_in_no_place_of_what_weighs_more(people: int) -> None:
    """They are seen on the table."""
    cut = 0
    for match in decisions(new(people, "ponce")):
        shown = low_news(match)
        told = [one for new in news(match.replay, match.state.seat) for one in new.short]
        assert not [one for one in told if one.text.partition(": ")[0] in match.players]
        if "(press = for more)" in shown:
            assert "placed colonists" not in shown
            cut += 1
    assert cut > 10


def test_what_several_players_got_is_told_together_or_not_at_all() -> None:
    each = [(who, f"got {nth} colonists", SEEN) for nth, who in enumerate(("Bea", "You", "Rui"), 2)]
    told = [[("Bea", "took the mayor", MATTERS), *each], [("Bea", "took the settler", MATTERS)]]
    assert cut_news(told, 2) == (
        "Bea took the mayor and got 2 colonists, you 3 colonists, Rui 4 colonists. Bea took the "
        "settler."
    )
    builds = [
        ("Bea", "built small-indigo-plant for 8 doubloons", DONE),
        ("Rui", "built construction-hut for 2 doubloons", DONE),
    ]
    assert cut_news([told[0], builds], 2) == (
        "Bea took the mayor and built small-indigo-plant for 8 doubloons. Rui built "
        "construction-hut for 2 doubloons."
    )


def test_what_everybody_did_last_stays_before_what_weighs_more() -> None:
    told = [
        [("Bea", "took the mayor of the whole island", MATTERS)],
        [("Rui", "took the settler", MATTERS), ("Rui", "took a quarry", DONE)],
        [("You", "lost 1 corn", MATTERS)],
        [("Bea", "built hospice for 4 doubloons", DONE)],
    ]
    assert cut_news(told, 2) == (
        "Rui took the settler. You lost 1 corn. Bea built hospice for 4 doubloons. "
        "(press = for more)"
    )


def cut_news(turns: Sequence[Sequence[tuple[str, str, int]]], rows: int) -> str:
    """Return news of turns, of which each has who did what, in so many rows of 60 columns."""
    scene = scene_of(view(new(3).state, 0))
    scene.news = [
        News(
            ("long " * 400,), tuple(Short(f"{who} {did}.", weight, who) for who, did, weight in one)
        )
        for one in turns
    ]
    lines = [*map(plain, scene.lines(Screen(60), 9 + rows))]
    return " ".join(" ".join(lines[-rows:]).split())


def test_a_long_hint_leaves_rows_to_the_form_but_is_whole_where_it_can_be() -> None:
    match = stopped("mayor")
    scene = above_question(match.replay, match.state.seat, match.state.seat)
    assert isinstance(scene, Scene)
    places = "corn, two indigo plantations, the small indigo plant, the quarry"
    why = (
        "It brings about 3 VP more than the next one, because both indigo plantations make barrels "
        "at the next craftsman, and the quarry makes buildings cheaper."
    )
    rest = "both markets and the hospice; all others wait in San Juan"
    scene.note = f"Hint: place colonists on {places}, {rest}. {why}"
    lines, low = (
        scene.lines(Screen(80), rows, wanted=wanted) for rows, wanted in ((17, 0), (13, 6))
    )
    assert f"{why} (press ! for more)" in " ".join(" ".join(map(plain, lines)).split())
    assert "Hint: place colonists on corn" in plain(low[-3])


def low_news(match: Match, *said: str) -> str:
    """Return what is said, and the news, on a screen of 60 by 20."""
    seat = match.state.seat
    scene = above_question(match.replay, seat, seat)
    assert isinstance(scene, Scene)
    scene.said = said
    lines = [*map(plain, scene.lines(Screen(60), 13))]
    last = max(nth for nth, line in enumerate(lines) if line.startswith((" city", " " * HEAD)))
    return " ".join(" ".join(lines[last + 1 :]).split())


def test_what_was_drawn_is_news_also_to_who_drew_it() -> None:
    state = table(3, "settler", row="corn 4", a={"full": "hacienda"})
    after, events = play(state, "take face-down", chance=coming("coffee"))
    step = Step(0, 0, state, after, (parse_move("take face-down"),), tuple(events), ())
    (told,) = news(new(3).replay._replace(steps=(step,), state=after), 0)
    assert told.full == ("You drew a face-down plantation with the hacienda: coffee.",)
    assert [one.text for one in told.short] == [told.full[0]]


def test_the_vp_of_others_are_not_shown() -> None:
    for match in decisions(new(3, "ponce")):
        if match.state.phase == "captain" and match.replay.steps[-1].before.phase == "captain":
            mover = match.replay.steps[-1].seat
            others = [shown_to(match, seat) for seat in range(3) if seat != mover]
            assert not any("VP" in one for news in others for one in news[-1:])


Seats = tuple[tuple[int, int], int]
"""The size of a terminal, and how many play."""


@pytest.mark.parametrize("seats", one_in(3, product([(60, 20), (80, 24)], [5, 2, 3, 4])), ids=str)
def test_nothing_that_a_decision_needs_is_cut(seats: Seats) -> None:
    """Roles, tiles, ships, what all have in hand, island and city: in words, or else in short, in a
    whole game of bots; and what is left until each end is in the title.
    """
    (width, height), players = seats
    rows = height - question_rows(height)
    phases = set()
    for seen in seen_by_movers(players):
        title, *lines = [plain(one) for one in scene_of(seen).lines(Screen(width), rows)]
        assert f"{seen['vp_pool']} VP, {seen['supply']} colonist" in title
        (mover,) = seen["to_move"]
        island = next(nth for nth, line in enumerate(lines) if line.startswith(f" {mover} "))
        assert len([line for line in lines[:island] if " VP " in line]) >= players
        goes_on = takewhile(lambda line: line.startswith(" " * HEAD), lines[island + 2 :])
        needed = [*lines[: island + 2], *goes_on]
        assert needed[island + 1].startswith(" city")
        assert not [line for line in needed if "…" in line or "Ctrl-O" in line]
        roles = " ".join(lines[:2])
        for role, card in seen["roles"].items():
            short = "pr2" if role == "prospector-2" else role[:3]
            assert short in roles or role in roles
            assert not card["taken"] or re.search(rf"\b({short}|{role}):{card['taken'][0]}", roles)
        assert any(f"▸ {mover}" in line for line in lines)
        phases.add(seen["phase"])
    assert len(phases) >= 6


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("color", [False, True])
def test_barrels_of_five_kinds_are_all_shown(width: int, color: bool) -> None:
    """By three letters, or those that are typed for them, where words are too long for as many."""
    seen = view(new(5).state, 0)
    player = {"name": "Maximiliana", "vp": 98, "doubloons": 12, "san_juan": 14}
    seen["players"][1] |= {**player, "goods": dict.fromkeys(GOODS, 10)}
    lines = [plain(line) for line in scene_of(seen).lines(Screen(width, color=color), 20)]
    shown = next(line for line in lines if "Maximilia" in line and " VP " in line)
    hand = {60: "c10 i10 s10 t10 f10 SJ 14", 80: "cor 10 ind 10 sug 10 tob 10 cof 10 SJ 14"}
    assert shown.rstrip().endswith(hand[width])


def test_all_hands_have_one_form_and_bots_their_levels_as_long_as_they_fit() -> None:
    seen = {**view(new(3).state, 0), "bots": {"Joana": "level-3"}}
    few, many = dict.fromkeys(GOODS[:1], 2), dict.fromkeys(GOODS, 10)
    for columns, goods, bot, hand in (
        (80, few, "Joana (bot 3)", "corn 2"),
        (60, few, "Joana", "corn 2"),
        (60, many, "Joana", "c2"),
    ):
        for player, held in zip(seen["players"], (goods, few, few), strict=True):
            player["goods"] = held
        lines = [plain(line) for line in scene_of(seen).lines(Screen(columns), 12)]
        joana, afonso = (
            next(line for line in lines if name in line) for name in ("Joana", "Afonso")
        )
        assert joana.split("  ")[1].strip() == bot
        assert joana.endswith(f" {hand}")
        assert afonso.endswith(f" {hand}")


SHIP = r"(ship )?\d: ?(empty|[a-z]+ ?\d(/\d)?)"
"""What a ship looks like: in words, or in fewer letters where these have no room."""


@pytest.mark.parametrize(
    "seats", one_in(4, product([(60, 20), (80, 24), (120, 40)], [5, 3, 2])), ids=str
)
def test_rows_stay_where_they_are_in_a_whole_game(seats: Seats) -> None:
    """No move puts one elsewhere; what it says is in words where these have room."""
    (width, height), players = seats
    rows = height - question_rows(height)
    places, second, in_words = set(), set(), list[bool]()
    for seen in seen_by_movers(players):
        lines = [plain(one) for one in scene_of(seen).lines(Screen(width), rows)]
        (at,) = [nth for nth, line in enumerate(lines) if line.startswith(" Ships ")]
        found = [one[0] for one in re.finditer(SHIP, lines[at])]
        assert len(found) == len(seen["cargo"]), lines[at]
        words = {one["good"] for one in seen["cargo"].values() if one}
        in_words.append({*re.findall("[a-z]{4,}", " ".join(found))} - {"ship", "empty"} == words)
        labels = [line[1:8].strip() for line in lines]
        places.add(tuple(labels.index(one) for one in ("Roles", "Tiles", "Ships")))
        second.add(lines[labels.index("Tiles") - 1].split()[0].partition(":")[0].partition("+")[0])
    assert len(places) == 1
    assert all(in_words) if width >= 80 else sum(in_words) > 20
    assert second in ({"Roles"}, {"trader"}, {"craftsman"}), "no card is alone, and none moves"


@pytest.mark.parametrize(
    "seats", one_in(3, [((80, 40), 3), ((120, 40), 4), ((100, 50), 4)]), ids=str
)
def test_all_buildings_that_are_left_are_shown_where_they_are(seats: Seats) -> None:
    """Also in color, where names have margins, and while a builder sees what can be paid."""
    (width, height), players = seats
    shown = 0
    for seen in seen_by_movers(players):
        lines = scene_of(seen).lines(Screen(width, color=True), height - question_rows(height))
        texts = [plain(line) for line in lines]
        at = next((nth for nth, one in enumerate(texts) if one.startswith(" Buildings ")), None)
        if at is not None:
            table = [*takewhile(lambda one: one[:HEAD] == " " * HEAD, texts[at + 1 :])]
            assert not any("…" in one for one in (texts[at], *table))
            prices = re.findall(r" \d+(?=  | ×|$| \()", " ".join((texts[at][HEAD:], *table)))
            shown += len(prices) >= len(seen["buildings"])
    assert shown > 50


@pytest.mark.parametrize("size", [(90, 45), (100, 45), (120, 36), (120, 40)], ids=str)
@pytest.mark.parametrize("color", [False, True])
def test_buildings_have_their_whole_names_where_there_is_room(
    size: tuple[int, int], color: bool
) -> None:
    """The margins of colored names go first, not the names."""
    width, height = size
    scene = scene_of(view(new(3).state, 0))
    lines = scene.lines(Screen(width, color=color), height - question_rows(height))
    assert any("1 VP small-indigo-plant for 1 " in " ".join(plain(line).split()) for line in lines)


@pytest.mark.long
def test_no_row_is_blank_between_boards() -> None:
    for seen in seen_by_movers(3):
        lines = [plain(line).rstrip() for line in scene_of(seen).lines(Screen(120), 29)]
        first = next(nth for nth, line in enumerate(lines) if line.startswith(" city"))
        last = max(nth for nth, line in enumerate(lines) if line.startswith(" city"))
        assert seen["phase"] == "builder" or all(lines[first:last])


@pytest.mark.long_for("size0-4", "size2-5")
@pytest.mark.parametrize(("size", "people"), [((60, 20), 4), ((80, 24), 3), ((120, 40), 5)])
def test_all_cities_and_all_hands_of_a_screen_have_one_form(
    size: tuple[int, int], people: int
) -> None:
    """Also hands of 60 columns are in words while nobody has many kinds."""
    for seen in seen_by_movers(people):
        rows = size[1] - question_rows(size[1])
        lines = [plain(line) for line in scene_of(seen).lines(Screen(size[0]), rows)]
        text = re.sub(rf"\n {{{HEAD}}}", " ", "\n".join(lines))
        cities = [line for line in text.splitlines() if line.startswith(" city")]
        built = {name for one in seen["players"] for name in one["city"] if "-" in name}
        in_words = {*re.findall("[a-z-]+", " ".join(cities))} & built
        assert not in_words or not re.search(r"\b(sma|lar|ind|sug|tob|cof)-", text), text
        held = (one for one in lines if re.search(r"(dbl\.|doubloons?) +[?\d]+ VP ", one))
        hand = (line for line in held if "no barrels" not in line)
        hands = {bool(re.search("corn|indigo|sugar|tobacco|coffee", line)) for line in hand}
        few = all(len(one["goods"]) < 2 and not one["san_juan"] for one in seen["players"])
        assert hands in ([{True}, set()] if few else [{True}, {False}, set()])


def test_ships_stand_apart_where_there_is_room() -> None:
    seen = view(table(3, "captain", a={"goods": "corn"}), 0)
    lines = [*map(plain, scene_of(seen).lines(Screen(120, color=True), 28))]
    at = lines.index(" Ships      ship 4: empty  ship 5: empty  ship 6: empty")
    assert lines[at + 1] == f"{' ' * 12}colonists: 3  Sold: none"


@pytest.mark.long_for(
    "(60, 12)-2",
    "(60, 12)-5",
    "(80, 16)-3",
    "(80, 16)-5",
    "(120, 28)-2",
    "(120, 28)-3",
    "(120, 28)-5",
)
@pytest.mark.parametrize("people", [2, 3, 5])
@pytest.mark.parametrize("size", [(60, 12), (80, 16), (120, 28)], ids=str)
def test_ships_and_roles_are_said_in_one_way_all_game_long(
    people: int, size: tuple[int, int]
) -> None:
    columns, rows = size
    ways: dict[str, set[bool]] = {"Ships": set(), "Roles": set()}
    for match in decisions(new(people, "ponce")):
        if match.over:
            continue
        shown = scene_of(view(match.state, match.state.seat)).lines(Screen(columns), rows)
        for line in map(plain, shown):
            if (label := line[1:6]) in ways:
                ways[label].add("ship " in line or "settler" in line)
    assert all(len(some) == 1 for some in ways.values()), ways


def test_a_ship_and_the_trading_house_show_what_a_move_would_add() -> None:
    """Also where the ship is full then, and the last load of the phase empties it."""

    def pointing_at(move: str, phase: str, goods: str, house: str = "none") -> str:
        state = table(3, phase, a={"goods": goods}, house=house)
        seen = view(state, 0)
        then = PUERTO_RICO.shown.foreseen(state, move, 0)
        scene = Scene(title(seen), lambda *_: panes(seen, then, 0), (), lambda: ())
        return "\n".join(map(plain, scene.lines(Screen(120), 28)))

    assert "ship 4: +corn 2/4+  ship 5: empty" in pointing_at("load corn 4", "captain", "corn 2")
    assert "ship 5: +sugar 5/5+  ship 6: empty" in pointing_at("load sugar 5", "captain", "sugar 5")
    assert "Sold: +coffee+" in pointing_at("sell coffee", "trader", "coffee")
    sold = pointing_at("sell indigo", "trader", "indigo", "sugar coffee")
    assert "Sold: +indigo+ sugar coffee" in sold


def test_a_role_shows_what_its_player_loads_and_not_what_others_do_then() -> None:
    """Everything is loaded at once here, and the full ship is emptied."""
    cargo = {4: "corn 3", 5: "indigo 3", 6: "sugar 1"}
    state = table(3, "role", a={"goods": "indigo 2"}, b={"goods": "sugar 1"}, cargo=cargo)
    seen = PUERTO_RICO.shown.foreseen(state, "role captain", 0)
    assert seen["role"] is None
    assert [one["barrels"] for one in seen["cargo"].values()] == [3, 5, 1]


def test_that_the_game_ends_is_told_once(tmp_path: Path) -> None:
    """Not by the rest of the title and by what is new, in rows or for a screen reader."""
    match = table_at("puerto-rico/five-players-random", 286, tmp_path / "game.yaml")
    assert match.state.end_triggered
    scene = above_question(match.replay, 0, 0)
    for width in (60, 100):
        lines = scene.lines(Screen(width), 24)
        told = " ".join(" ".join(map(plain, lines)).split())
        assert told.count("made this round the last") == 1, width
    assert " ".join(scene.sentences()).count("made this round the last") == 1


def test_the_supply_shows_what_there_is_none_of() -> None:
    seen = view(new(3).state, 0)
    del seen["goods_supply"]["corn"]
    assert any("corn 0" in plain(line) for line in scene_of(seen).lines(Screen(80), 16))


def test_a_city_has_words_while_there_are_rows_and_that_of_the_mover_first() -> None:
    city = "small-indigo-plant indigo-plant sugar-mill tobacco-storage small-market hospice"
    seen = view(table(5, "role", a={"city": city}), 0)
    for width, height in ((80, 24), (120, 40)):
        lines = scene_of(seen).lines(Screen(width), height - question_rows(height))
        shown = " ".join(" ".join(map(plain, lines)).split())
        assert all(f"{name} " in shown for name in city.split()), shown


def test_what_a_move_would_bring_is_marked_also_where_it_is_a_colonist() -> None:
    match = after()
    lines = above_question(match.replay, 0, 0).lines(Screen(80), 16, "role mayor")
    assert any("+indigo ●+" in plain(line) for line in lines)


def test_what_a_role_would_produce_is_marked_for_all_players() -> None:
    fields = {"island": "corn 2", "colonists": "corn 2", "goods": "corn"}
    state = named(table(3, "role", a=fields, b={**fields, "goods": "sugar"}))
    lines = above_question(at(state), 0, 0).lines(Screen(80), 16, "role craftsman")
    shown = [plain(line) for line in lines]
    assert sum("+corn 3+" in line for line in shown) == 1
    assert any("+corn 2+" in line and "sugar 1" in line for line in shown)


def test_the_board_shows_a_placement_as_it_is_put_together(tmp_path: Path) -> None:
    """Also before all colonists are placed again."""
    match = two_arrive(tmp_path)
    form = Form(sheet(match.state))
    scene = above_question(match.replay, match.state.seat, match.state.seat)

    def island() -> str:
        lines = scene.lines(Screen(80), 16, form.move_shown())
        return " ".join(" ".join(map(plain, lines)).split())

    assert " indigo ● " in island()
    form.add(-1)
    assert " indigo ○ " in island()


def test_a_hint_that_is_too_long_ends_with_a_sentence() -> None:
    seen = view(new(4).state, 0)
    scene = scene_of(seen)
    scene.note = "Hint: role mayor. It brings 1 colonist now. " + "Very long. " * 20
    last = [plain(line) for line in scene.lines(Screen(60), 13)][-3:]
    assert last[0].strip().startswith("Hint: role mayor")
    assert last[-1].endswith("Very long.")


def test_a_reason_that_is_too_long_is_shortened_rather_than_left_out() -> None:
    """If it comes first; else the sentence before it stands alone."""
    reason = "It brings 2 corn and 3 sugar now, and later in the craftsman phase " * 3
    scene = scene_of(view(new(4).state, 0))
    scene.note = f"Hint: {reason}now. And so on."
    shown = [plain(line) for line in scene.lines(Screen(60), 13)]
    said = " ".join(" ".join(shown[-3:]).split())
    assert "Hint: It brings 2 corn and 3 sugar now" in said
    assert " …" in said
    best = f"Hint: place {' '.join(['corn'] * 26)}."
    scene.note = f"{best} {reason}now."
    shown = [plain(line) for line in scene.lines(Screen(60), 13)]
    assert " ".join(" ".join(shown[-3:]).split()).endswith("corn corn. (press ! for more)")


def test_the_title_says_that_the_draft_comes_before_the_first_round() -> None:
    seen = view(table(3, "draft", buildings="draft"), 0)
    title = plain(scene_of(seen).lines(Screen(60), 13)[0]).strip()
    assert title == "Before round 1: 75 VP, 55 colonists left, city 0/12."


def test_without_its_signs_a_terminal_shows_the_same_rows_in_letters() -> None:
    """With five players of whom two begin alike, so that who has taken a role is a mark."""
    seen = view(new(5).state, 0)
    for role in ("settler", "mayor", "builder", "craftsman", "trader"):
        seen["roles"][role]["taken"] = "Inês"
    seen["players"][1]["name"] = "Inêz"
    lines = scene_of(seen).lines(Screen(60, ascii=True), 12)
    assert all(plain(line).replace("ê", "e").replace("á", "a").isascii() for line in lines)


def seen_by_movers(players: int) -> Iterator[dict[str, Any]]:
    """Yield what the mover sees before each decision of a game in which bots build a lot."""
    match = new(players)
    while not match.over:
        yield view(match.state, match.state.seat)
        match.play(str(best_move(match.state)))


@pytest.mark.long_for("4-size1", "4-size2")
@pytest.mark.parametrize(("people", "size"), [(2, (60, 13)), (4, (60, 13)), (4, (80, 17))])
def test_what_a_move_would_bring_is_seen_whole(people: int, size: tuple[int, int]) -> None:
    """A ship and a city are told shorter before something of them is dropped, and nothing is while
    a row is free; what is new stands apart.
    """
    match, seen = new(people), 0
    while not match.over:
        move = str(best_move(match.state))
        scene = above_question(match.replay, match.state.seat, match.state.seat)
        lines = [plain(line) for line in scene.lines(Screen(size[0], color=True), size[1], move)]
        cut = [nth for nth, line in enumerate(lines) if f"({TABLE_KEY})" in line]
        assert not [nth for nth in cut if not lines[nth + 1].strip()], lines
        assert not [nth for nth in cut if lines[nth].startswith(" Ships")], lines
        assert not [line for line in lines if "++" in line], lines
        seen += any("+" in line for line in lines[3:])
        match.play(move)
    assert seen > 20


@pytest.mark.long_for("5")
@pytest.mark.parametrize("people", [3, 5])
def test_a_tile_and_a_building_that_are_pointed_at_are_seen_on_full_boards(people: int) -> None:
    """Names are in short rather than without the preview. Only the marks of a building can give
    way, as it is new in any case.
    """
    match, seen = new(people), 0
    while not match.over:
        seat, best = match.state.seat, str(best_move(match.state))
        scene = above_question(match.replay, seat, seat)
        for move in map(str, match.game.legal_moves(match.state, seat, 20)):
            if re.match("take (?!face-down)|build ", move) and match.state.phase != "privilege":
                shown = "\n".join(plain(one) for one in scene.lines(Screen(60), 13, move))
                verb, what, *_ = move.split()
                mark = r"\+" if verb == "take" else ""
                brief = re.sub(
                    "-(plant|mill|storage|roaster)$", "", re.sub("(?<=^[sl])[alrgem]+-", "-", what)
                )
                short = "-".join(word[:3] for word in brief.split("-")[:2])
                assert re.search(rf"{mark}({what}|{brief}|{short}) ?[●○]+{mark}", shown), (
                    move,
                    shown,
                )
                seen += 1
        match.play(best)
    assert seen > 100


@pytest.mark.long_for("4-size1")
@pytest.mark.parametrize(("people", "size"), [(3, (60, 13)), (4, (80, 17))])
def test_pointing_at_a_choice_changes_no_form(people: int, size: tuple[int, int]) -> None:
    """What it would bring is left out where there is no room for it."""
    for match in islice(decisions(new(people, "ponce")), 0, None, 3):
        seat = match.state.seat
        scene = above_question(match.replay, seat, seat)
        before = boards_in(scene, size)
        for move in islice(match.game.legal_moves(match.state), 8):
            then = boards_in(scene, size, str(move))
            assert [*map(set.issubset, before, then)] == [True] * len(before), (before, then)


def boards_in(scene: Scene, size: tuple[int, int], move: str = "") -> list[set[str]]:
    """Return the words of hands, islands and cities, row by row."""
    lines = [plain(line) for line in scene.lines(Screen(size[0], color=True), size[1], move)][1:]
    rows = re.sub(rf"\n {{{HEAD}}}", " ", "\n".join(lines)).splitlines()
    some = [row for row in rows if " VP " in row or "/12" in row]
    return [
        {*re.findall("[a-z-]+", row)} - {"nothing", "no", "barrels", "doubloon"} for row in some
    ]


@pytest.mark.parametrize("people", [2, 3, 4])
def test_the_own_boards_stay_however_much_is_said(people: int) -> None:
    """What a phase is not about gives way for them: tiles or ships."""
    for seen in islice(seen_by_movers(people), 0, None, 7):
        scene = scene_of(seen)
        scene.said = ["A long sentence of the lesson. " * 9]
        lines = [plain(one) for one in scene.lines(Screen(60), 13)]
        (mover,) = seen["to_move"]
        own = next(line for line in lines if line.startswith(f" {mover} "))
        assert "/12" in own
        assert any(line.startswith(" Tiles") for line in lines) or seen["phase"] != "settler"
        assert any(line.startswith(" Ships") for line in lines) or seen["phase"] not in SHIPPING


SHIPPING = {"trader", "captain", "store"}


def test_tab_shows_the_boards_of_one_player_after_the_other() -> None:
    match = stopped("captain")
    scene = above_question(match.replay, 0, 0)
    boards = set()
    for _ in range(3):
        lines = [plain(line) for line in scene.lines(Screen(80), 16)]
        (island,) = [line for line in lines if "/12" in line and "city" not in line][:1]
        boards.add(island.split()[0])
        scene.turn()
    assert boards == {*match.players}


class Drawn(Menus):
    """Draws the first question for a size, and asks no more."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(advice, Stage())
        self.size = Size(rows=height, columns=width)
        self.text = ""

    def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
        output = DummyOutput()
        output.get_size = lambda: self.size  # type: ignore[method-assign]
        with set_app(Application(output=output)):
            for window in windows:
                assert isinstance(window.content, FormattedTextControl)
                self.text += fragment_list_to_text(to_formatted_text(window.content.text)) + "\n"
        raise KeyboardInterrupt


def test_below_a_question_tab_says_what_it_opens_also_in_a_window_that_was_resized() -> None:
    class Resized(Drawn):
        def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
            for self.size in (Size(50, 120), Size(24, 80), Size(50, 120)):
                with suppress(KeyboardInterrupt):
                    super()._run(windows, bound)
            raise KeyboardInterrupt

    asker = Resized(120, 50)
    with pytest.raises(KeyboardInterrupt):
        Session(new(3), asker).run()
    assert re.findall("Tab [a-z]+", asker.text) == ["Tab table", "Tab boards", "Tab table"]


@pytest.mark.parametrize("phase", ["role", "settler", "mayor", "builder", "captain"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (120, 60)], ids=str)
def test_the_question_is_below_the_table_and_its_keys_are_always_in_the_same_place(
    size: tuple[int, int], phase: str
) -> None:
    asker = Drawn(*size)
    with pytest.raises(KeyboardInterrupt):
        Session(stopped(phase), asker).run()
    lines = asker.text.rstrip("\n").split("\n")
    (at,) = [nth for nth, line in enumerate(lines) if line.startswith("? ")]
    table = [*map(str.strip, lines[:at])]
    assert sum(not line for line in table) <= (1 if lines[-2].startswith("↓") else 4)
    keys = r"(: type, )?(\. stop, )?= look, (< undo, )?Tab (table|boards)$"
    assert re.search(keys, lines[at].rstrip())
    assert len(lines[at].rstrip()) == size[0] - 1


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
def test_the_menu_of_the_builder_says_what_buildings_do(size: tuple[int, int], snapshot) -> None:
    """After the prices where there is room, else below the menu, of the one pointed at."""
    match = new(5)
    match.play("role builder")
    asker = Drawn(*size)
    with pytest.raises(KeyboardInterrupt):
        Session(match, asker).run()
    lines = asker.text.rstrip("\n").split("\n")
    assert len(lines) <= size[1]
    assert all(cells(line) <= size[0] for line in lines)
    assert "Produces indigo: 1 barrel." in asker.text
    assert "Enter: build small-indigo-plant  " in asker.text
    assert asker.text == snapshot


def test_only_the_list_of_buildings_takes_rows_of_the_tiles_the_ships_and_the_supply() -> None:
    texts = []
    for moves in (), ("role builder",):
        asker = Drawn(80, 24)
        with pytest.raises(KeyboardInterrupt):
            Session(after(*moves), asker).run()
        texts.append(asker.text)
    for label, shown in ("Roles", 2), ("Tiles", 1), ("Ships", 1), ("Supply", 1):
        assert sum(f" {label} " in text for text in texts) == shown
    assert "   (hospice) " in texts[1]


def test_no_row_is_blank_above_a_list_of_buildings_that_scrolls() -> None:
    match, seen = new(3), 0
    while not match.over:
        if match.state.phase == "builder" and len(legal_moves(match.state, limit=2)) > 1:
            asker = Drawn(120, 40)
            with pytest.raises(KeyboardInterrupt):
                Session(match, asker).run()
            table, _, menu = asker.text.partition("\n? ")
            if re.search(r" (\d+ more|\+\d+)\n", menu):
                assert all(line.strip() for line in table.split("\n")), asker.text
            seen += "city-hall" in menu
        match.play(str(best_move(match.state)))
    assert seen > 5


class Typing(Drawn):
    """Types into the first menu, and draws it."""

    def __init__(self, width: int, height: int, typed: str) -> None:
        super().__init__(width, height)
        self.typed = typed

    def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
        menu = windows[-1].content
        assert isinstance(menu, Menu)
        for letter in self.typed:
            menu.type(letter)
        return super()._run(windows, bound)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)], ids=str)
def test_what_a_building_does_is_read_also_when_it_was_found_by_typing(
    size: tuple[int, int],
) -> None:
    match = new(5)
    match.play("role builder")
    asker = Typing(*size, "mar")
    with pytest.raises(KeyboardInterrupt):
        Session(match, asker).run()
    lines = asker.text.splitlines()
    assert "   Typed: mar (2 choices). Esc shows all." in lines
    # It stands in its row where that is wide enough.
    assert "A sale brings 1 doubloon more." in asker.text
    assert any("large-market" in line for line in lines)


def typed_at(match: Match, monkeypatch: pytest.MonkeyPatch, *lines: str) -> str:
    """Type lines at the keyboard of a game; return its last move."""
    typed = iter(lines)
    monkeypatch.setattr("builtins.input", lambda hint: next(typed))
    asker = Lines(advice_of(match.game.meta.id))
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    return str(match.record.items[-1].entries[0][1])


def two_arrive(folder: Path) -> Match:
    """Return a game whose mover has colonists on indigo and the small market, and two new ones."""
    match = next(islice(decisions(new(3)), 42, None))
    assert match.state.phase == "mayor"
    match.save(folder / "game.yaml")
    return porto_cli.load(folder / "game.yaml")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)], ids=str)
def test_a_form_for_colonists_shows_all_places_at_once(size: tuple[int, int]) -> None:
    for match in decisions(new(5, "ponce")):
        player = match.state.players[match.state.seat]
        if match.state.phase == "mayor" and sum(map(bool, player.circles)) == 6:
            break
    asker = Drawn(*size)
    with pytest.raises(KeyboardInterrupt):
        Session(match, asker).run()
    assert len(re.findall(r" [ >] [a-z-]+ +\d / \d ", asker.text)) == 6


def test_a_form_for_colonists_promises_no_barrels_that_no_craftsman_can_make() -> None:
    state = deepcopy(stopped("mayor").state)
    form = sheet(state)
    numbers = [share.number for share in form.shares]
    assert ". Produces " in form.standing(numbers)
    state.end_triggered = ("colonists",)
    state.taken = (0,) * len(ROLES)
    assert sheet(state).standing(numbers).endswith(". No more barrels are made.")
    # The craftsman is left, but nobody has a turn to take it.
    others = [role for role in range(len(ROLES)) if role != CRAFTSMAN][: state.config.box.turns]
    state.taken = tuple(0 if role in others else NOBODY for role in range(len(ROLES)))
    assert sheet(state).standing(numbers).endswith(". No more barrels are made.")


def test_colonists_begin_where_they_are_of_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With those who are there."""
    move = "place indigo small-indigo-plant small-market construction-hut"
    assert typed_at(two_arrive(tmp_path), monkeypatch, "", ".") == move


def test_colonists_begin_where_they_are_of_use_also_if_they_have_to_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a mill keeps all of them while what grows for it has none, and nothing is produced."""
    match = next(islice(decisions(new(3)), 43, None))
    match.save(tmp_path / "game.yaml")
    move = "place corn quarry small-indigo-plant hacienda"
    found = porto_cli.load(tmp_path / "game.yaml")
    assert typed_at(found, monkeypatch, "", ".") == move


def test_colonists_can_be_placed_by_name_in_their_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "indigo sugar small-indigo-plant small-market"
    placed = typed_at(two_arrive(tmp_path), monkeypatch, "banana", "wharf", words, "", ".")
    assert placed == f"place {words}"
    shown = capsys.readouterr().out
    assert "'banana' is not a tile or a building" in shown
    assert "You have no wharf." in shown


def test_after_a_hint_the_form_for_colonists_is_open_and_begins_where_it_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = two_arrive(tmp_path)
    best = hint.taken(match, match.state.seat).best
    assert typed_at(match, monkeypatch, "!", "", ".") == best


class Leaving(Drawn):
    """Takes a colonist away, leaves the form for a choice of the menu before, and comes back."""

    def __init__(self, sign: str) -> None:
        super().__init__(80, 24)
        self.sign = sign
        self.moves: list[str] = []

    def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
        form = windows[-1].content
        if not isinstance(form, Form):
            assert not self.hinted, "a hint leads back to the form at once"
            return LEFT
        self.moves.append(form.move_shown())
        if len(self.moves) > 1:
            raise KeyboardInterrupt
        form.add(-1)
        self.moves.append(form.move_shown())
        return self.signs[self.sign]

    def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
        """Read nothing."""


@pytest.mark.parametrize("sign", ["!", "="])
def test_a_form_that_was_left_for_a_hint_begins_with_it(tmp_path: Path, sign: str) -> None:
    """After any other choice it holds what its player has put there."""
    asker = Leaving(sign)
    with pytest.raises(KeyboardInterrupt):
        Session(two_arrive(tmp_path), asker).run()
    before, changed, now = asker.moves
    assert before != changed
    assert now == (asker.hinted if sign == "!" else changed)
    assert bool(asker.hinted) == (sign == "!")


def test_each_line_of_the_menu_behind_a_form_has_a_key(tmp_path: Path) -> None:
    class Backing(Drawn):
        def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
            control = windows[-1].content
            if isinstance(control, Form):
                return LEFT
            self.text = " ".join(one.key for one in control.given)
            raise KeyboardInterrupt

    asker = Backing(80, 24)
    with pytest.raises(KeyboardInterrupt):
        Session(two_arrive(tmp_path), asker).run()
    assert asker.text == "1 < = : ! + ."


def test_back_from_orders_ahead_is_the_form_for_colonists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_at(two_arrive(tmp_path), monkeypatch, "+", "b", "b", ".")
    shown = capsys.readouterr().out
    assert shown.count("For which decision does Joana order ahead?") == 1
    assert shown.count("Joana, where do your colonists go?") == 2


@pytest.mark.parametrize("phase", ["role", "settler", "builder", "trader", "captain"])
def test_the_example_of_a_typed_move_could_be_played(phase: str) -> None:
    match = stopped(phase)
    asker = Scripted("Type", "", "Stop")
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    asked = next(one for one in asker.questions if one.startswith("Type a move, like: "))
    move = match.move(asked.removeprefix("Type a move, like: "))
    assert violations(match.state, move, match.state.seat) == []


def test_the_help_with_an_undo_is_about_the_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_at(two_arrive(tmp_path), monkeypatch, "b", "<", "?", "n", "b", ".")
    shown = " ".join(capsys.readouterr().out.split())
    assert "The turn is taken back, and its player moves again." in shown
    assert "Choose what to do next" not in shown


def test_the_keys_of_two_prospectors_leave_no_menu_behind_their_own() -> None:
    """They have two letters, and what leaves a menu is a single one."""

    class Looking(Drawn):
        def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
            control = windows[-1].content
            assert isinstance(control, Menu)
            if looks := [one.value for one in control.given if one.key == "="]:
                return looks[0]
            return super()._run(windows, bound)

    asker = Looking(80, 24)
    with pytest.raises(KeyboardInterrupt):
        Session(new(5), asker).run()
    assert "What would you like to see?" in asker.text


@pytest.mark.long
def test_with_five_players_a_small_terminal_shows_whose_decision_it_is() -> None:
    for ply in game(5):
        seen = view(ply.before, ply.before.seat)
        first = plain(scene_of(seen).lines(Screen(60), 12)[0])
        assert "…" not in first
        if ply.before.phase != OVER:
            (mover,) = seen["to_move"]
            shown = [plain(line) for line in scene_of(seen).lines(Screen(60), 12)]
            assert any(line.startswith(f" ▸ {mover}") for line in shown)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)], ids=str)
def test_a_key_shows_the_boards_of_five_players(size: tuple[int, int]) -> None:
    """In pages, while a building is chosen."""
    match = new(5)
    match.play("role builder")
    shown: list[Sequence[Line]] = []

    class Curious(Drawn):
        def _run(self, windows: Sequence[Window], bound: KeyBindingsBase) -> Any:
            return TABLE

        def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
            shown.append(text(Screen(size[0])))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Session(match, Curious(*size)).run()
    table = [plain(line) for line in shown[0]]
    assert all(cells(line) <= size[0] for line in table)
    assert sum("island" in line for line in table) == len(match.players) == 5
    assert len(table) > size[1]
    page = Reader(lambda screen: shown[0])
    assert len(page.lines(Screen(size[0]), size[1])) <= size[1]


class Anything:
    """Answers whatever is offered, but does not stop, look around, order or undo endlessly."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.undone = 0

    def __call__(self, asker: Scripted, question: str, labels: list[str]) -> object:
        asker.seen.clear()
        if question == "What would you like to do now?":
            return "Stop"
        if "where do your colonists go" in question or "small wharf take" in question:
            return None
        others = ("(", "Look", "Type", "Stop", "Plan ahead")
        some = [one for one in labels if not one.startswith(others)]
        if self.undone > 5:
            some = [one for one in some if not one.startswith("Undo")] or some
        answer = self.rng.choice(some)
        self.undone += answer.startswith("Undo")
        return answer


@pytest.mark.parametrize(
    ("players", "buildings"),
    [
        pytest.param(2, "draft", marks=pytest.mark.slow),
        pytest.param(3, "base", marks=pytest.mark.slow),
        pytest.param(5, "random", marks=pytest.mark.slow),
    ],
)
def test_a_game_is_played_to_its_end(
    players: int, buildings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = new(players, buildings=buildings)
    match.save("g.yaml")
    session = Session(porto_cli.load("g.yaml"), Answers(then=Anything("play")))
    with pytest.raises(StoppedError):
        session.run()
    assert porto_cli.load("g.yaml").over


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("settlr", "'settlr' is not a move. Did you mean settler?"),
        ("hello", "place, build, sell, load, store, guest, choose, pass or undo."),
    ],
)
def test_a_move_that_cannot_be_read_is_refused_with_what_it_can_mean(
    typed: str, answer: str
) -> None:
    asker = Scripted("Type", typed, BACK, then=lambda asker, question, labels: "Stop")
    with pytest.raises(StoppedError):
        Session(new(3), asker).run()
    assert any(" ".join(one.split()).endswith(answer) for one in asker.seen)


@pytest.mark.parametrize("names", [("Root", "Rui"), ("Root", "Rui", "Bea")])
def test_roles_and_the_own_board_stay_on_a_small_screen_while_a_lesson_speaks(names) -> None:
    """With names that begin alike, and up to four rows of 60 columns that are said."""
    first = porto_cli.new_game(names, game="puerto-rico", seed="x", first="Root")
    for match in islice(decisions(first), 20):
        for rows in range(5):
            scene = above_question(match.replay, match.state.seat, match.state.seat)
            scene.said = ["x" * 55] * rows
            lines = [plain(line) for line in scene.lines(Screen(60), 13)]
            assert "settler" in lines[1], lines
            assert "captain" in lines[2], lines
            mover = match.players[match.state.seat]
            assert any(re.match(rf" {mover} +\d+/12", line) for line in lines), lines


def test_the_supply_is_shown_with_five_players() -> None:
    seen = view(new(5).state, 0)
    lines = [plain(line) for line in scene_of(seen).lines(Screen(80), 16)]
    assert any(line.startswith(" Supply     corn 10") for line in lines), lines


def test_all_lines_of_the_builder_have_one_form() -> None:
    """What buildings do is read of the one that is pointed at, or of all of them."""
    choices = answers(table(3, "builder", a={"doubloons": 4}))
    for width, all_of_them in ((80, False), (120, True)):
        lines = map(plain, Menu(choices).lines(Screen(width), 60)[: len(choices)])
        shown = [line for line in lines if "doubloon" in line or "free" in line]
        assert len(shown) > 20
        does = [any(one in line for one in effects().values()) for line in shown]
        assert set(does) == {all_of_them}, width


@pytest.mark.parametrize("kinds", ["base", "random"])
@pytest.mark.parametrize("phase", ["role", "settler"])
def test_what_buildings_do_can_be_read_before_a_role_or_a_tile_is_chosen(
    phase: str, kinds: str
) -> None:
    """Those of this game: of the base game first, then of the expansion; the help says where."""
    match = stopped(phase, buildings=kinds)
    asker = Scripted("Look", "What the buildings do", BACK, "Stop")
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    (shown,) = [
        one for one in asker.seen if one.startswith("What the buildings do") and "cost VP" in one
    ]
    base, _, expansion = shown.partition("Buildings of the expansion")
    assert bool(expansion) == (kinds == "random")
    for place, kind in zip(BUILDING_PLACES, BUILDINGS, strict=True):
        found = [one for one in shown.splitlines() if one.strip().startswith(f"{kind.name} ")]
        assert len(found) == (not kind.violet or bool(match.state.violet & BIT[place]))
        for line in found:
            assert effects()[kind.name] in line
            assert line in (expansion if kind.expansion else base)
    about, *_ = advice_of("puerto-rico")((phase,), 80)
    assert "shows what the buildings do." in " ".join(" ".join(map(plain, about)).split())


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_a_mistyped_verb_is_refused_with_the_one_that_it_can_mean(game: str) -> None:
    match = porto_cli.new_game(["A", "B"], game=game, seed="x")
    first = [BACK] * (game == "porto")

    def then(asker: Scripted, question: str, labels: list[str]) -> object:
        return "Stop" if any(one.startswith("Stop") for one in labels) else BACK

    asker = Scripted(*first, "Type", "bild smal indigo", BACK, then=then)
    with pytest.raises(StoppedError):
        Session(match, asker, 0).run()
    assert any("'bild' is not a move" in one for one in asker.seen)
    assert any("Did you mean build?" in " ".join(one.split()) for one in asker.seen)


@pytest.mark.parametrize(("players", "has"), [(3, ""), (4, "prospector"), (5, "prospector-2")])
def test_a_mistyped_role_is_refused_with_those_of_the_game(players: int, has: str) -> None:
    asker = Scripted("Type", "role prospektor-2", BACK, then=lambda *asked: "Stop")
    with pytest.raises(StoppedError):
        Session(new(players), asker).run()
    said = next(one for one in map(" ".join, map(str.split, asker.seen)) if "is not a role" in one)
    assert said.endswith(f"Did you mean {has}?" if has else "in this game, like settler.")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("smal", "small-indigo-plant, small-sugar-mill, small-market or small-warehouse"),
        ("ware", ""),
        ("cust", "customs-house"),
    ],
)
def test_the_beginning_of_a_building_is_refused_with_all_that_begin_so(
    word: str, meant: str
) -> None:
    """Those of the game: small-wharf is not in it."""
    asker = Scripted("Type", f"build {word}", BACK, then=lambda *asked: "Stop")
    with pytest.raises(StoppedError):
        Session(new(3), asker).run()
    said = next(one for one in map(" ".join, map(str.split, asker.seen)) if "not a building" in one)
    assert said.endswith(f"Did you mean {meant}?") == bool(meant)


def test_a_real_table_asks_what_comes_up() -> None:
    match = porto_cli.new_game(
        ["A", "B"], game="puerto-rico", setup=new(2).replay.record.deal, first="A"
    )
    for move in ("role settler", "take quarry"):
        match.play(move)
    asker = Answers("coffee", "corn", "indigo")
    match.play("take sugar", came_up=PUERTO_RICO.setting_up.asked_chance(asker, None))
    assert "tiles: corn indigo coffee" in match.record.text
    assert asker.questions[-1].startswith("Which plantation was drawn? Number 3")


# --- the next step ----------------------------------------------------------------------------


FILE = '"my game.yaml"'
COMMAND = re.compile(r"porto (\w+) (.*)")


def commands_in(text: str) -> list[tuple[str, list[str]]]:
    found = []
    for line in text.split("\n"):
        match = COMMAND.search(line)
        if match:
            verb, rest = match.groups()
            file, *words = shlex.split(rest)
            assert file == "my game.yaml"
            found.append((verb, words))
    return found


def what_next(state: State, file: str, *, on_a_table: bool = False) -> str:
    replay = at(state)
    if on_a_table:
        replay = replay._replace(record=replay.record._replace(secrecy=REAL_TABLE))
    return "\n".join(map(str, next_step.what_next(replay, file)))


@pytest.mark.parametrize("kind", one_in(6, KINDS[::4]), ids=str)
def test_every_example_is_a_legal_move(kind) -> None:
    for ply in game(*kind, seed=3)[::3]:
        state = ply.before
        text = what_next(state, "my game.yaml")
        assert state.config.players[state.seat] in text.splitlines()[0]
        moves = [
            " ".join([verb, *words])
            for verb, words in commands_in(text)
            if verb not in ("moves", "score") and "PLACE" not in words
        ]
        assert moves
        for move in moves:
            assert violations(state, expand_move(move, state)) == [], move
        for move in legal_moves(state, limit=200):
            ((verb, words),) = commands_in(command(format_move(move), FILE))
            assert violations(state, expand_move(" ".join([verb, *words]), state)) == []


def test_after_the_end() -> None:
    state = game(3)[-1].after
    assert state.phase == OVER
    text = what_next(state, "my game.yaml")
    assert "wins with" in text
    assert commands_in(text) == [("score", [])]


def test_the_doubloons_on_the_cards_are_named() -> None:
    state = table(3, role_doubloons=(1, 0, 2, 0, 0, 0, 0, 0))
    assert "Doubloons lie on settler 1 and builder 2." in what_next(state, "f.yaml")


def test_a_guest_can_move_first() -> None:
    state = expansion(
        3,
        "trader",
        "guest-house small-market",
        a={"goods": "coffee", "city": "guest-house small-market", "colonists": "guest-house"},
    )
    text = what_next(named(state), "f.yaml")
    assert "porto sell f.yaml coffee" in text
    assert "To move a guest first, for example: porto guest f.yaml indigo" in text


def test_at_a_real_table_what_comes_up_is_typed_with_the_move() -> None:
    state = table(3, "settler", a={"full": "hacienda"})
    assert "--tiles" not in what_next(state, "f.yaml")
    text = what_next(state, "f.yaml", on_a_table=True)
    assert "--tile TILE --tiles TILE,TILE" in text
    assert "--tile" not in what_next(table(3, "captain", a={"goods": "corn"}), "f.yaml")


def test_the_example_of_the_listed_moves_is_the_first_of_them(tmp_path: Path, porto) -> None:
    """Not passing, which is at the end of the list."""
    match = new(3)
    match.play("role builder")
    match.save(tmp_path / "game.yaml")
    shown = porto("moves", str(tmp_path / "game.yaml")).out
    assert re.match(r"Build\n  2 VP  build indigo-plant ", shown)
    assert " ".join(shown.split()).endswith("game.yaml indigo-plant")
    assert "porto pass" not in shown


def test_the_help_has_rulings_of_buildings_that_are_in_the_game_only() -> None:
    """In a random game there may be neither a Hacienda nor a Hospice."""
    has = {"PR-B-HACIENDA", "PR-B-HUT", "PR-B-HOSPICE"}
    for violet, there in (
        ("", has),
        ("aqueduct construction-hut", {"PR-B-HUT"}),
    ):
        state = table(3, "settler", row="corn 1 sugar 1")
        if violet:
            state.violet = kinds(violet)
        rules = {rule for one in options(state, asking=True) for rule in one.parts[0].rules}
        assert {rule for rule in rules if rule.startswith("PR-B-")} == there
