"""What happened, as sentences, for programs, and as the remark behind a move."""

from __future__ import annotations

import json
import random

import pytest

from porto_cli.core.values import event_json
from porto_cli.games.puerto_rico.engine import GOODS, PLACES, ROLES, TILES
from porto_cli.games.puerto_rico.engine import moves as engine_events
from porto_cli.games.puerto_rico.engine.moves import Event
from porto_cli.games.puerto_rico.engine.state import Config
from porto_cli.games.puerto_rico.events import describe, notable, remark, summary
from tests.puerto_rico.playing import KINDS, plies
from tests.puerto_rico.tables import coming, expansion, play, table

NAMES = ("Inês", "Joana", "Afonso", "Beatriz", "Tomás")
CONFIG = Config(NAMES)

BUNDLES = {"goods": GOODS, "returned": GOODS, "tiles": TILES, "colonists": PLACES}
FORMS = {
    "chose": "player building",
    "took-role": "player role no_colonist",
    "took-tile": "player tile from forest colonist",
    "tiles": "tiles",
    "reshuffled": "tiles",
    "colonists-dealt": "player colonists privilege",
    "placed": "player colonists san_juan",
    "ship-refilled": "colonists wanted",
    "built": "player building price returned colonist",
    "produced": "player goods",
    "took-goods": "player goods",
    "sold": "player good to",
    "loaded": "player goods onto",
    "stored": "player goods returned",
    "emptied": "what goods",
    "guest-moved": "player to",
    "passed": "player",
    "scored": "player reason vp",
    "earned": "player reason doubloons",
    "end-triggered": "reason",
    "round": "round governor",
    "ended": "",
}
VP = {"shipping", "captain", "harbor", "union-hall", "church", "black-market"}
DOUBLOONS = {
    *("role", "prospector", "sale", "trader", "small-market", "large-market", "factory"),
    *("specialty-factory", "lighthouse", "build", "black-market"),
}
WORDS = {
    "role": set(ROLES),
    "tile": set(TILES),
    "building": set(PLACES),
    "good": set(GOODS),
    "from": {"row", "stack", "quarries"},
    "onto": {"4", "5", "6", "7", "8", "wharf", "small-wharf"},
    "what": {"4", "5", "6", "7", "8", "trading-house"},
    "to": {"trading-house", "trading-post", *PLACES},
}


def assert_form(fact: dict[str, object], event: Event) -> None:
    name = str(fact.pop("event"))
    assert fact.pop("auto", False) is event.auto
    assert set(fact) == set(FORMS[name].split()), name
    for key, value in fact.items():
        if key in ("player", "governor"):
            assert value in NAMES
        elif key in WORDS:
            assert value in WORDS[key]
        elif key == "reason":
            allowed = {"scored": VP, "earned": DOUBLOONS}.get(name, {"colonists", "city", "vp"})
            assert value in allowed
        elif isinstance(value, dict) and name != "built":
            assert set(value) <= set(BUNDLES[key])
            assert all(isinstance(number, int) and number > 0 for number in value.values())
        elif key in ("forest", "no_colonist") or (key == "colonist" and name != "scored"):
            assert isinstance(value, bool)


@pytest.mark.long
def test_every_event_of_whole_games_has_its_form_and_its_sentence() -> None:
    seen = set()
    rnd = random.Random(5)
    for kind in [*KINDS, *KINDS[-5:]]:
        names = NAMES[: kind[0]]
        config = Config(names)
        for ply in plies(kind, rnd):
            for event in ply.events:
                fact = event_json(event, config)
                assert json.loads(json.dumps(fact)) == fact
                seen.add(fact["event"])
                assert_form(fact, event)
                text = describe(event, config)
                assert text[0].isupper() or text.startswith(names)
                assert text.endswith(".")
                assert "{" not in text
                assert "  " not in text
                if "player" in fact:
                    assert str(fact["player"]) in text
            text = remark(ply.events, config)
            assert text.isprintable()
            assert len(notable(ply.events)) <= len(ply.events)
    assert seen == set(FORMS)


def test_every_class_of_events_has_a_sentence() -> None:
    kinds = [
        kind
        for kind in vars(engine_events).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    ]
    assert len(kinds) == len(FORMS)


# The remark: the examples of the page.

BUILDERS = {
    "a": {
        "doubloons": 2,
        "island": "indigo 2 quarry 3",
        "colonists": "indigo 2 quarry 3",
    }
}


def test_doubloons_of_the_card() -> None:
    doubloons = (0, 0, 2, 0, 0, 0, 0, 0)
    played = play(table(3, role_doubloons=doubloons), "role builder")
    assert remark(played.events, CONFIG) == "role 2: 2 doubloons"
    played = play(table(3, role_doubloons=(0, 0, 1, 0, 0, 0, 0, 0)), "role builder")
    assert remark(played.events, CONFIG) == "role 1: 1 doubloon"


def test_the_price_of_a_building() -> None:
    played = play(table(3, "builder", **BUILDERS), "build coffee-roaster")
    assert remark(played.events, CONFIG) == "build -2: -2 doubloons"


CAPTAIN = {
    "chooser": 1,
    "cargo": {6: "indigo 4"},
    "a": {"goods": "indigo 2"},
    "b": {"goods": "corn 2 indigo 3"},
    "c": {"goods": "corn 2 sugar"},
}


def test_what_a_load_brings_and_what_then_goes_by_itself() -> None:
    first = play(table(3, "captain", **CAPTAIN), "load corn 5")
    assert remark(first.events, CONFIG) == "shipping 2, captain 1: 3 VP"
    rest = play(first.state, "load corn 5")
    assert remark(rest.events, CONFIG) == (
        "shipping 2: 2 VP; Inês load indigo 6 (shipping 2: 2 VP); "
        "Afonso load sugar 4 (shipping 1: 1 VP); Joana store indigo"
    )


def test_a_move_that_brings_nothing_has_no_remark() -> None:
    state = table(3, ship=3, a={"san_juan": 1}, b={"san_juan": 1, "island": "corn 2 indigo"})
    assert remark(play(state, "role trader").events, CONFIG) == ""
    assert remark(play(table(3, "settler"), "pass").events, CONFIG) == ""


def test_placements_that_make_themselves_are_in_the_remark() -> None:
    state = table(3, ship=3)
    played = play(state, "role mayor")
    assert remark(played.events, CONFIG) == (
        "Inês place indigo; Joana place indigo; Afonso place corn"
    )


def test_what_others_get_by_a_move_names_them() -> None:
    producers = {"full": "factory indigo-plant", "island": "corn indigo"}
    producers["colonists"] = "corn indigo indigo-plant factory"
    state = table(3, b=producers)
    played = play(state, "role craftsman")
    assert remark(played.events, CONFIG) == "Joana (factory 1: 1 doubloon)"


def test_a_load_that_brings_vp_and_doubloons_is_one_step() -> None:
    """The union hall pays before the load, but belongs to it."""
    state = expansion(
        2,
        "captain",
        "union-hall lighthouse",
        cargo={4: "corn", 6: "indigo"},
        a={"goods": "corn indigo"},
        b={"goods": "indigo 4", "full": "union-hall lighthouse"},
    )
    assert remark(play(state, "load corn 4").events, CONFIG) == (
        "shipping 1, captain 1: 2 VP; "
        "Joana load indigo 6 (union-hall 2, shipping 4: 6 VP, lighthouse 1: 1 doubloon); "
        "Inês load indigo 6 (shipping 1: 1 VP)"
    )


def test_the_tile_of_the_hacienda() -> None:
    state = table(3, "settler", row="corn 4", a={"full": "hacienda"})
    played = play(state, "take face-down", chance=coming("coffee"))
    assert event_json(played.events[0], CONFIG) == {
        "event": "took-tile",
        "player": "Inês",
        "tile": "coffee",
        "from": "stack",
        "forest": False,
        "colonist": False,
    }
    assert describe(played.events[0], CONFIG) == (
        "Inês drew a face-down plantation with the hacienda: coffee."
    )


def test_what_is_returned_for_a_building() -> None:
    state = expansion(
        2,
        "builder",
        "black-market factory",
        a={"doubloons": 3, "vp": 3, "goods": "corn", "full": "black-market", "san_juan": 1},
    )
    played = play(state, "build factory return corn vp colonist san-juan")
    built = next(event for event in played.events if type(event).__name__ == "Built")
    assert event_json(built, CONFIG)["returned"] == {
        "good": "corn",
        "vp": 1,
        "colonist": "san-juan",
    }
    assert describe(notable(played.events)[0], CONFIG) == (
        "Inês built factory for 6 doubloons, part of it paid with 1 corn, 1 VP and a colonist "
        "from San Juan."
    )
    assert remark(played.events, CONFIG) == (
        "black-market -1: -1 VP, black-market 3, build -6: -3 doubloons"
    )
    own = {"doubloons": 0, "goods": "corn", "full": "black-market"}
    whole = play(
        expansion(2, "builder", "black-market hacienda", a=own), "build hacienda return corn"
    )
    assert describe(notable(whole.events)[0], CONFIG) == (
        "Inês built hacienda for 1 doubloon, paid with 1 corn."
    )


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("role mayor no-colonist", "Inês took the mayor and declined the extra colonist."),
        ("role settler", "Inês took the settler."),
    ],
)
def test_sentences_of_roles(move: str, sentence: str) -> None:
    assert describe(play(table(3), move).events[0], CONFIG) == sentence


def test_what_all_produce_is_one_sentence_also_with_factories_between() -> None:
    makes = {"full": "factory small-indigo-plant", "island": "corn 1 indigo 1"}
    makes["colonists"] = "corn 1 indigo 1 factory 1 small-indigo-plant 1"
    state = table(3, a=makes, b=makes, c=makes)
    told = summary(play(state, "role craftsman").events, Config(("Ana", "Bo", "Cy")))
    assert told[1:] == [
        "; ".join(f"{name} produced 1 corn and 1 indigo" for name in ("Ana", "Bo", "Cy")) + ".",
        *(f"{name} got 1 doubloon (factory)." for name in ("Ana", "Bo", "Cy")),
    ]


def test_an_empty_colonist_ship_gets_no_colonists() -> None:
    event = engine_events.ShipRefilled(colonists=0, wanted=20)
    said = "The colonist ship got no colonists instead of 20."
    assert describe(event, CONFIG) == said
