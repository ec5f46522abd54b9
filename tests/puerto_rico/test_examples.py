"""The examples that the rules and the design of the outside give."""

from __future__ import annotations

import pytest

from porto_cli.core.chance import choose, seeded_chance
from porto_cli.games.puerto_rico.engine.components import CUSTOMS_HOUSE, RESIDENCE
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.scoring import reckoning
from porto_cli.games.puerto_rico.engine.setup import (
    begin,
    deal,
    deal_kinds,
    deal_tiles,
    first_governor,
)
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    chance_entries,
    format_bundle,
    format_kinds,
    parse_move,
)
from tests.puerto_rico.tables import broken, carried, colonists, held, legal, play, table


def test_worked_example_of_the_captain():
    state = table(
        4,
        "captain",
        cargo={6: "corn 3"},
        a={"goods": "corn 2 sugar 6"},
        b={"goods": "sugar 2 tobacco 3"},
        c={"goods": "tobacco coffee"},
        d={"goods": "corn indigo"},
    )
    assert legal(state) == {"load corn 6", "load sugar 7"}
    after = play(state, "load sugar 7")
    assert after.scores(0) == {"shipping": 6, "captain": 1}
    assert after.state.seat == 1
    assert legal(after.state) == {"load sugar 7", "load tobacco 5"}
    after = play(after.state, "load sugar 7")
    # C can load tobacco or coffee onto the 5, which is the only empty ship.
    assert after.state.seat == 2
    after = play(after.state, "load tobacco 5")
    # D's corn, A's corn and B's tobacco are loaded without a choice; then all store.
    assert [after.scores(seat) for seat in range(4)] == [
        {"shipping": 2},
        {"shipping": 3},
        {"shipping": 1},
        {"shipping": 1},
    ]
    assert [player.vp for player in after.state.players] == [9, 4, 1, 1]
    assert [held(after.state, seat) for seat in range(4)] == ["none", "sugar", "coffee", "indigo"]
    assert carried(after.state) == {5: "tobacco 4", 6: "none", 7: "none"}
    assert after.state.phase == "role"


def test_onto_which_ship():
    state = table(
        3,
        "captain",
        cargo={5: "corn 3"},
        a={"goods": "corn sugar 5"},
        b={"goods": "corn 2"},
        c={"goods": "coffee"},
    )
    assert legal(state) == {"load corn 5", "load sugar 6"}
    assert broken(state, "load sugar 4") == ["PR-CAPTAIN-3"]
    assert broken(state, "pass") == ["PR-CAPTAIN-4"]
    after = play(state, "load sugar 6")
    assert after.scores(0) == {"shipping": 5, "captain": 1}
    assert after.scores(1) == {"shipping": 2}
    assert after.scores(2) == {"shipping": 1}
    assert (after.state.phase, after.state.seat) == ("role", 1)
    assert carried(after.state) == {4: "coffee 1", 5: "none", 6: "sugar 5"}
    assert held(after.state, 0) == "corn"


HARBOR = {
    "a": {
        "doubloons": 4,
        "island": "corn quarry 4",
        "city": "university",
        "colonists": "corn quarry 4 university",
    },
    "b": {"doubloons": 0},
    "c": {"doubloons": 0},
}


def test_what_does_a_harbor_cost():
    state = table(3, "builder", supply=55 - 6, **HARBOR)
    after = play(state, "build harbor")
    assert after.earns() == {"build": -4}
    assert after.state.players[0].doubloons == 0
    assert colonists(after.state, 0) == "corn quarry 4 university harbor"
    assert after.state.supply == 48
    after = play(state, "build harbor no-colonist")
    assert after.earns() == {"build": -4}
    assert colonists(after.state, 0) == "corn quarry 4 university"
    assert after.state.supply == 49
    assert broken(state, "build wharf") == ["PR-BUILDER-2"]


def test_where_may_my_colonists_go():
    state = table(
        3,
        "mayor",
        ship=0,
        supply=54,
        a={"island": "corn indigo", "city": "small-indigo-plant", "san_juan": 2},
        b={"island": "indigo", "san_juan": 1},
        c={"island": "corn", "san_juan": 1},
    )
    assert legal(state) == {
        "place corn indigo",
        "place corn small-indigo-plant",
        "place indigo small-indigo-plant",
    }
    assert broken(state, "place corn") == ["PR-MAYOR-4"]
    after = play(state, "place corn indigo").state
    assert (after.phase, after.seat, after.ship, after.supply) == ("role", 1, 3, 51)
    assert (colonists(after, 1), colonists(after, 2)) == ("indigo", "corn")


def test_may_i_pay_with_what_i_have():
    state = table(
        2,
        "builder",
        buildings="draft",
        violet="small-market black-market hacienda small-warehouse hospice office large-market "
        "large-warehouse factory university harbor wharf guild-hall residence fortress "
        "customs-house city-hall",
        a={"doubloons": 4, "vp": 3, "goods": "corn", "full": "black-market"},
    )
    after = play(state, "build factory return corn vp")
    assert after.scores() == {"black-market": -1}
    assert after.earns() == {"black-market": 2, "build": -6}
    assert after.state.players[0].doubloons == 0
    assert after.state.players[0].vp == 2
    assert after.state.vp_pool == 63
    assert broken(state, "build hospice return corn") == ["PR-B-BLACK-MARKET"]
    after = play(state, "build factory return corn colonist black-market")
    assert after.earns() == {"black-market": 2, "build": -6}
    assert after.scores() == {}


@pytest.mark.parametrize("occupied", [False, True])
def test_who_wins(occupied):
    state = table(
        2,
        a={
            "vp": 17,
            "doubloons": 2,
            "goods": "corn 2",
            "island": "corn 4 indigo 3 quarry 3",
            "city": "residence small-market",
            "colonists": "residence",
        },
        b={
            "vp": 20,
            "doubloons": 1,
            "island": "corn",
            "city": "customs-house",
            "colonists": "customs-house" if occupied else "none",
        },
    )
    one, other = reckoning(state)
    assert (one.chips, one.buildings, one.bonuses) == (17, 5, ((RESIDENCE, 5),))
    assert (one.total, one.tie_break, one.place) == (27, 4, 2 if occupied else 1)
    assert (other.chips, other.buildings, other.tie_break) == (20, 4, 1)
    if occupied:
        assert (other.bonuses, other.total, other.place) == (((CUSTOMS_HOUSE, 5),), 29, 1)
    else:
        assert (other.bonuses, other.total, other.place) == ((), 24, 2)


# -- chance


@pytest.mark.parametrize(
    ("stream", "index", "count", "choice"),
    [
        ("tiles", 0, 47, 32),
        ("tiles", 4, 43, 13),
        ("buildings", 1, 4, 3),
        ("buildings", 2, 3, 2),
        ("first", 0, 3, 0),
    ],
)
def test_the_vectors_of_the_streams(stream, index, count, choice):
    assert choose("arecibo", stream, index, count) == choice


def config(players: int, buildings: str = "base") -> Config:
    return Config(tuple("ABCDE"[:players]), buildings=buildings)


@pytest.mark.parametrize(
    ("players", "row"),
    [
        (2, "sugar 3"),
        (3, "corn sugar 3"),
        (4, "corn 2 sugar 2 tobacco"),
        (5, "corn 2 indigo 2 sugar coffee"),
    ],
)
def test_the_rows_of_arecibo(players, row):
    tiles = deal_tiles(config(players), seeded_chance("arecibo"))
    assert format_bundle(tiles, PLANTATION_NAMES) == row


def test_the_tiles_of_arecibo_come_up_in_order():
    asked = []

    def chance(stream: str, index: int, pile: bytes) -> int:
        position = seeded_chance("arecibo")(stream, index, pile)
        asked.append((stream, index, len(pile), position))
        return position

    deal_tiles(config(3), chance)
    assert asked[0] == ("tiles", 0, 47, 32)
    assert [index for _, index, _, _ in asked] == [0, 1, 2, 3]


def test_the_random_buildings_of_arecibo():
    kinds = deal_kinds(config(4, "random"), seeded_chance("arecibo"))
    assert format_kinds(kinds) == (
        "aqueduct hacienda construction-hut storehouse hospice large-market church small-wharf "
        "factory specialty-factory library wharf guild-hall residence fortress customs-house "
        "cloister"
    )


def test_the_first_governor_of_arecibo():
    assert first_governor(3, seeded_chance("arecibo")) == 0


def test_the_record_of_the_page():
    game = config(3)
    chance = seeded_chance("arecibo")
    state = begin(game, deal(game, chance))
    entries = []
    for text in ("role settler", "take quarry", "take corn", "take sugar"):
        state, events = apply(state, parse_move(text), chance)
        entries += chance_entries(events)
    assert entries == [("tiles", "corn 2 indigo coffee")]
    assert (state.phase, state.seat) == ("role", 1)
