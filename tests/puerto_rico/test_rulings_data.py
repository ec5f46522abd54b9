"""The rulings: every id that a message cites can be read, with the numbers of the engine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import porto_cli.games.puerto_rico
from porto_cli.games.puerto_rico.engine.components import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    PRICES,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import FACTORY_EARNS
from porto_cli.games.puerto_rico.engine.effects import CLOISTER_VP, RESIDENCE_VP
from porto_cli.games.puerto_rico.engine.setup import PLACES_OF_COST
from porto_cli.games.puerto_rico.engine.state import BOXES

PACKAGE = Path(porto_cli.games.puerto_rico.__file__).parent
FILE = tomllib.loads((PACKAGE / "rulings.toml").read_text("utf-8"))
RULINGS = FILE["rulings"]
ID = re.compile(r"\bPR-[A-Z]+(?:-[A-Z]+)*(?:-[0-9])?\b(?!-)")
ORDER = (
    "SETUP DRAFT RANDOM TURN AUTO OPTIONAL OCCUPIED ROUND ROLE SETTLER MAYOR BUILDER CRAFTSMAN "
    "TRADER CAPTAIN STORE PROSPECTOR B VP SECRET END SCORE RANK TWO GUIDE"
)


def text_of(rule: str) -> str:
    return " ".join(RULINGS[rule]["text"].split())


def test_every_id_in_the_program_has_a_ruling():
    cited = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in ID.findall(path.read_text("utf-8"))
    }
    assert len({name for _, name in cited}) > 60
    assert not [where for where in sorted(cited) if where[1] not in RULINGS]


def test_every_id_in_a_ruling_has_a_ruling():
    for one in RULINGS.values():
        assert all(name in RULINGS for name in ID.findall(one["text"] + one.get("note", "")))


def test_the_rulings_follow_the_order_of_the_rules():
    assert list(dict.fromkeys(rule.split("-")[1] for rule in RULINGS)) == ORDER.split()
    for family in set(ORDER.split()) - {"B"}:
        numbers = [rule.rpartition("-")[2] for rule in RULINGS if rule.startswith(f"PR-{family}-")]
        assert numbers == [str(nth) for nth in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("rule", RULINGS)
def test_a_ruling_can_be_read(rule):
    one = RULINGS[rule]
    assert set(one) <= {"title", "text", "note"}
    assert re.fullmatch(r"\S.{4,41}", one["title"])
    assert not one["title"].endswith(".")
    for text in filter(None, (one["text"], one.get("note", ""))):
        flowing = " ".join(text.split())
        assert flowing.endswith(".")
        assert flowing.isascii()
        assert flowing.isprintable()


def test_the_setup_has_the_numbers_of_the_engine():
    text = text_of("PR-SETUP-2")
    parts = re.split(r"(?:Two|Three|Four|Five) players: ", text)[1:]
    for players, part in zip((2, 3, 4, 5), parts, strict=True):
        box = BOXES[players]
        assert part.startswith(f"{box.doubloons} doubloons")
        assert re.search(rf"\b{box.colonists}\b.* and {box.ship}\b", part)
        assert f"{box.vp} VP" in part
        *most, last = box.cargo
        assert f"of {', '.join(map(str, most))} and {last}" in part


def test_the_draft_has_the_numbers_of_the_engine():
    assert sum(PLACES_OF_COST.values()) == VIOLET_KINDS
    text = text_of("PR-DRAFT-2")
    one = [cost for cost, places in PLACES_OF_COST.items() if places == 1]
    two = [cost for cost, places in PLACES_OF_COST.items() if places == 2]
    assert f"one each for {', '.join(map(str, one[:-1]))} and {one[-1]}" in text
    assert f"two each for {', '.join(map(str, two[:-1]))} and {two[-1]}" in text
    assert PLACES_OF_COST[10] == 5
    assert "five for 10" in text


def test_the_end_has_the_numbers_of_the_engine():
    text = text_of("PR-SCORE-3")
    *most, last = map(str, RESIDENCE_VP)
    assert f"{', '.join(most)} or {last} for at most 9, 10, 11 or {ISLAND_SPACES} tiles" in text
    *most, last = map(str, CLOISTER_VP[1:])
    assert f"{', '.join(most)} or {last} for 1, 2, 3 or 4 sets" in text
    assert f"all {CITY_SPACES} spaces" in text_of("PR-END-2")
    *most, last = map(str, FACTORY_EARNS[1:])
    assert f"{', '.join(most)} or {last} doubloons for 1, 2, 3, 4 or 5 kinds" in text_of(
        "PR-B-FACTORY"
    )


def test_the_card_names_the_goods_with_their_prices():
    card = FILE["card"]["Components"]["Goods"]
    assert card.startswith(", ".join(GOODS))
    *most, last = map(str, PRICES)
    assert f"{', '.join(most)} and {last} doubloons" in card


def test_the_buildings_are_those_of_the_box():
    assert len(BUILDINGS) == 37
    assert sum(kind.expansion for kind in BUILDINGS) == 14
    assert sum(kind.violet and not kind.expansion for kind in BUILDINGS) == VIOLET_KINDS
