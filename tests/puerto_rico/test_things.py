"""What can be looked up: buildings, tiles, goods and roles; the card and its worked round."""

from __future__ import annotations

import json
import re

import pytest

import porto_cli
from porto_cli.cli import rules
from porto_cli.games.puerto_rico.engine.components import BUILDINGS, GOODS
from porto_cli.games.puerto_rico.engine.state import BOXES, Config
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.things import effects, things
from porto_cli.installed import rulings_of
from porto_cli.ui_values import Thing

THINGS = things()
BOOK = rulings_of("puerto-rico")
LONGEST_EFFECT = 46
"""So that it fits into one line of a menu at 60 columns."""


def test_every_building_good_and_role_can_be_looked_up() -> None:
    names = {one.name for one in BUILDINGS} | {*GOODS, "quarry"}
    roles = {"settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector"}
    assert set(THINGS) == names | roles
    for name, thing in THINGS.items():
        assert thing.rules, name
        assert set(thing.rules) <= set(BOOK.by_id), name


def test_every_building_has_an_effect_of_one_line() -> None:
    assert list(effects()) == [one.name for one in BUILDINGS]
    for name, effect in effects().items():
        assert re.fullmatch(r"[A-Z0-9].*\.", effect), name
        assert len(effect) <= LONGEST_EFFECT, name


@pytest.mark.parametrize("kind", BUILDINGS, ids=lambda kind: kind.name)
def test_the_numbers_of_a_building_are_those_of_the_engine(kind) -> None:
    facts = " ".join(map(str, THINGS[kind.name].facts))
    numbers = [int(number) for number in re.findall(r"\d+", facts)][:6]
    fewer = 1 if kind.violet else 2
    assert numbers == [kind.cost, kind.vp, kind.column, kind.circles, kind.copies, fewer]
    assert ("expansion" in facts) == kind.expansion
    assert ("two spaces" in facts) == (kind.spaces == 2)


def test_the_prospectors_are_those_of_the_boxes() -> None:
    prospectors = {players: len(box.roles) - 6 for players, box in BOXES.items()}
    assert prospectors == {2: 1, 3: 0, 4: 1, 5: 2}
    assert "none with three players, two with five, else one" in str(THINGS["prospector"].facts[0])


def test_two_players_have_fewer_barrels_and_plantations() -> None:
    two, more = Config(("A", "B")), Config(("A", "B", "C"))
    for good, name in enumerate(GOODS):
        numbers = re.findall(r"\d+", str(THINGS[name].facts[0]))
        assert [int(number) for number in numbers[1:]] == [
            *(more.barrels[good], two.barrels[good]),
            *(more.plantations[good], two.plantations[good]),
        ]


def test_the_worked_round_of_the_card_is_what_happens() -> None:
    """Each sentence with a player's name is one that the program says after the move."""
    names = ("Inês", "Joana", "Afonso")
    (lines,) = (one.lines for one in BOOK.card() if one.title.startswith("A worked round"))
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first="Inês")
    for move, text in lines:
        events = match.play(move)
        said = " ".join(map(str, PUERTO_RICO.ui.events_text(events, match.config)))
        about_players = [one for one in re.split(r"(?<=\.) ", text) if any(n in one for n in names)]
        assert about_players
        assert all(one in said for one in about_players), (move, said)
    assert match.state.round == 2
    assert [match.state.role_doubloons.count(number) for number in (0, 1)] == [5, 3]


# -- the command


@pytest.mark.parametrize("words", [["hospice"], ["HOSPICE"], ["Hospice", "--game", "puerto-rico"]])
def test_a_building_is_shown_with_its_price_effect_and_rulings(words, porto) -> None:
    shown = " ".join(porto("rules", *words).out.split())
    assert shown.startswith("hospice A small violet building. It costs 4 doubloons and is worth 2 ")
    assert "Your tiles arrive with a colonist. PR-B-HOSPICE Hospice A tile that" in shown
    assert "Mentioned in PR-B-HACIENDA" in shown


@pytest.mark.parametrize("words", [["Small", "Market"], ["small market"], ["Small-Market"]])
def test_names_can_be_typed_as_the_rulebook_prints_them(words, porto) -> None:
    assert porto("rules", *words).out.startswith("small-market  ")


def test_a_role_lists_its_rulings(porto) -> None:
    shown = porto("rules", "captain").out
    assert "Everyone loads" in shown
    assert "  PR-CAPTAIN-4 " in shown
    assert "  PR-STORE-1 " in shown
    assert "  PR-B-LIGHTHOUSE " in shown.split("Mentioned in")[1]


@pytest.mark.parametrize(
    ("typed", "meant"), [("setler", "settler"), ("hospise", "hospice"), ("cofee", "coffee")]
)
def test_a_mistyped_name_is_corrected(typed, meant, porto) -> None:
    answer = porto("rules", typed)
    assert (answer.code, answer.out) == (2, "")
    assert f"Nothing is called {typed!r} here; did you mean {meant}" in answer.err
    assert f"\n  porto rules {meant}\n" in answer.err


def test_another_game_does_not_have_it(porto) -> None:
    answer = porto("rules", "--game", "porto", "hospice")
    assert answer.code == 2
    assert "porto rules --game puerto-rico hospice" in answer.err


def test_what_two_games_have_is_shown_of_both(porto, monkeypatch) -> None:
    of_games = {"porto": {"roof": Thing(("A roof.",), ("P-ROOF-1",))}}
    of_games["puerto-rico"] = {"roof": Thing(("Another roof.",), ("PR-VP-1",))}
    monkeypatch.setattr(rules, "_things_of", lambda game_id: of_games.get(game_id, {}))
    both = porto("rules", "roof").out
    assert re.search(
        r"^Porto\n\nroof  A roof\.\n.*^Puerto Rico\n\nroof  Another", both, re.M | re.S
    )
    assert "Another" not in porto("rules", "roof", "--game", "porto").out


def test_json_has_the_rulings_of_a_thing(porto) -> None:
    found = json.loads(porto("rules", "office", "--format", "json").out)["rulings"]
    assert found[0]["id"] == "PR-B-OFFICE"


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_card_fits_the_screen_and_has_all_buildings(columns, porto, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    card = porto("rules", "--game", "puerto-rico").out
    assert max(map(len, card.splitlines())) <= min(columns, 80)
    flowing = " ".join(card.split())
    for kind in BUILDINGS:
        assert f"{kind.name} {kind.cost} {kind.vp} {effects()[kind.name]}" in flowing
