"""The rulings on set-up, rounds and roles: each plays, and refuses what it forbids."""

from __future__ import annotations

import pytest

from porto_cli.games.puerto_rico.engine.components import (
    BARRELS,
    BASE_KINDS,
    BIT,
    BUILDING,
    BUILDING_PLACES,
    FOREST_HOUSE,
    HACIENDA,
    PLACES,
    PLANTATIONS,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.events import (
    ColonistsDealt,
    Emptied,
    Passed,
    Placed,
    Produced,
    Reshuffled,
    RoundBegan,
    ShipRefilled,
    Stored,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.mayor import count_placements
from porto_cli.games.puerto_rico.engine.setup import begin, deal, deal_kinds
from porto_cli.games.puerto_rico.engine.state import NOBODY
from tests.puerto_rico.tables import (
    broken,
    carried,
    colonists,
    coming,
    first,
    goods,
    held,
    island,
    kinds,
    legal,
    play,
    row,
    table,
)

# -- PR-SETUP


@pytest.mark.parametrize(
    ("players", "doubloons", "supply", "ship", "vp", "cargo", "tiles", "roles"),
    [
        (2, 3, 40, 2, 65, (4, 6), ["indigo", "corn"], 7),
        (3, 2, 55, 3, 75, (4, 5, 6), ["indigo", "indigo", "corn"], 6),
        (4, 3, 75, 4, 100, (5, 6, 7), ["indigo", "indigo", "corn", "corn"], 7),
        (5, 4, 95, 5, 122, (6, 7, 8), ["indigo", "indigo", "indigo", "corn", "corn"], 8),
    ],
)
def test_pr_setup_2(players, doubloons, supply, ship, vp, cargo, tiles, roles):
    state = table(players)
    assert {player.doubloons for player in state.players} == {doubloons}
    assert (state.supply, state.ship, state.vp_pool) == (supply, ship, vp)
    assert state.config.box.cargo == cargo
    assert sum(state.row) == players + 1
    assert [island(state, seat) for seat in range(players)] == tiles
    assert len(state.config.box.roles) == roles


def test_pr_setup_1_two_to_five_players():
    for players in ((), ("A",), tuple("ABCDEF")):
        with pytest.raises(ValueError, match="2 to 5 players"):
            Config(players)
    assert table().seat == table().governor == 0


def test_pr_setup_2_roles_that_are_not_in_the_game():
    assert broken(table(3), "role prospector") == ["PR-SETUP-2"]
    assert broken(table(4), "role prospector-2") == ["PR-SETUP-2"]
    assert broken(table(5), "role prospector-2") == []


def test_pr_setup_3_starting_tiles_are_not_in_the_stack():
    state = table(3)
    assert len(state.stack) == sum(PLANTATIONS) - 3 - 4
    assert all(player.people == sum(player.goods) == player.city == 0 for player in state.players)


def test_pr_setup_4_quarries_lie_apart():
    state = table(3)
    assert state.quarries == 8
    assert set(state.stack) <= set(range(5))


def test_pr_setup_5_house_and_ships_are_empty():
    state = table(4)
    assert state.trading_house == b""
    assert set(carried(state).values()) == {"none"}


def test_pr_setup_6_a_large_building_fits_whenever_two_spaces_are_free():
    ten = "small-market hacienda construction-hut small-warehouse hospice office large-market "
    ten += "large-warehouse factory university"
    state = table(3, "builder", a={"city": ten, "doubloons": 20})
    assert broken(state, "build residence") == []


def test_pr_setup_7_violet_buildings():
    assert table(3).violet == BASE_KINDS
    assert broken(table(3, "builder"), "build aqueduct") == ["PR-BUILDER-4"]
    state = table(3, "builder", buildings="random", violet="aqueduct")
    assert broken(state, "build aqueduct") == []
    assert broken(state, "build small-indigo-plant") == []
    with pytest.raises(ValueError, match="none"):
        Config(("A", "B"), buildings="none")
    with pytest.raises(ValueError, match="house"):
        Config(("A", "B"), rulebook="house")


# -- PR-DRAFT, PR-RANDOM


def test_pr_draft_1_the_players_choose_in_turn():
    state = table(3, "draft", buildings="draft")
    assert count_moves(state) == 31
    after = play(state, "choose harbor", "choose wharf").state
    assert after.seat == 2
    assert broken(after, "choose harbor") == ["PR-DRAFT-1"]
    assert broken(after, "choose indigo-plant") == ["PR-DRAFT-1"]
    assert broken(after, "pass") == ["PR-TURN-1"]


def test_pr_draft_1_all_copies_are_in_the_game():
    chosen = "aqueduct hacienda black-market storehouse hospice church office small-wharf factory "
    chosen += "library harbor wharf guild-hall residence fortress statue"
    state = table(3, "draft", buildings="draft", violet=chosen, to_move=1)
    assert legal(state) == {"choose customs-house", "choose city-hall", "choose cloister"}
    after = play(state, "choose cloister").state
    assert (after.phase, after.seat) == ("role", 0)
    assert after.violet.bit_count() == VIOLET_KINDS
    assert after.copies[PLACES.index("cloister")] == 1
    assert after.copies[PLACES.index("church")] == 2
    assert after.copies[PLACES.index("city-hall")] == 0
    assert after.copies[PLACES.index("small-indigo-plant")] == 4


def test_pr_draft_2_places_of_a_cost():
    state = table(3, "draft", buildings="draft", violet="small-market harbor library")
    assert broken(state, "choose aqueduct") == ["PR-DRAFT-2"]
    assert broken(state, "choose university") == ["PR-DRAFT-2"]
    assert broken(state, "choose small-market") == ["PR-DRAFT-1", "PR-DRAFT-2"]
    assert "choose aqueduct" not in legal(state)


def test_pr_draft_3_hacienda_or_forest_house():
    state = table(3, "draft", buildings="draft", violet="hacienda")
    assert broken(state, "choose forest-house") == ["PR-DRAFT-3"]
    state = table(3, "draft", buildings="draft", violet="forest-house black-market")
    assert broken(state, "choose hacienda") == ["PR-DRAFT-2", "PR-DRAFT-3"]
    assert broken(state, "choose harbor") == []


def test_pr_random_1_as_many_kinds_of_each_cost_as_the_base_game():
    asked = []

    def chance(stream: str, index: int, pile: bytes) -> int:
        names = [PLACES[place] for place in pile]
        assert names == sorted(names)
        asked.append((stream, index, len(pile)))
        return (index * 7) % len(pile)

    drawn = deal_kinds(Config(("A", "B", "C"), buildings="random"), chance)
    costs = sorted(BUILDING[place].cost for place in buildings_in(drawn))
    assert costs == sorted(BUILDING[place].cost for place in buildings_in(BASE_KINDS))
    assert [index for _, index, _ in asked] == list(range(17))
    assert not drawn & BIT[HACIENDA] or not drawn & BIT[FOREST_HOUSE]


@pytest.mark.parametrize(("choice", "left"), [(0, 3), (3, 2)])
def test_pr_random_1_the_second_kind_of_cost_2(choice, left):
    asked = {}

    def chance(stream: str, index: int, pile: bytes) -> int:
        asked[index] = len(pile)
        return choice if index == 1 else 0

    deal_kinds(Config(("A", "B"), buildings="random"), chance)
    assert (asked[1], asked[2]) == (4, left)


# -- PR-TURN, PR-AUTO, PR-OPTIONAL, PR-OCCUPIED


def test_pr_turn_1_one_player_and_one_phase():
    state = table(3)
    assert broken(state, "role settler", seat=1) == ["PR-TURN-1"]
    for text in ("take corn", "build harbor", "sell corn", "load corn 5", "store corn"):
        assert broken(state, text) == ["PR-TURN-1"]
    for text in ("place corn", "choose harbor", "take corn indigo"):
        assert broken(state, text) == ["PR-TURN-1"]
    assert legal_moves(state, 1) == []


def test_pr_turn_1_the_same_words_in_another_phase():
    settler = table(3, "settler")
    assert broken(settler, "take corn indigo") == ["PR-TURN-1"]
    privilege = table(3, "privilege", produced="corn")
    for text in ("take quarry", "take face-down", "take corn forest", "take corn no-colonist"):
        assert broken(privilege, text) == ["PR-TURN-1"]


def test_pr_turn_1_nobody_moves_when_the_game_is_over():
    state = table(3, "over")
    assert broken(state, "role settler") == ["PR-TURN-1"]
    assert broken(state, "pass") == ["PR-TURN-1"]
    assert broken(state, "guest corn") == ["PR-TURN-1"]


def test_pr_auto_1_what_leaves_no_choice_makes_itself():
    state = table(4, a={"goods": "corn"}, b={"goods": "coffee"})
    after = play(state, "role trader")
    assert (after.state.phase, after.state.seat) == ("trader", 0)
    after = play(after.state, "sell corn")
    assert after.state.seat == 1
    after = play(after.state, "pass")
    assert [(event.seat, event.auto) for event in after.of(Passed)] == [
        (1, False),
        (2, True),
        (3, True),
    ]
    assert (after.state.phase, after.state.seat) == ("role", 1)


def test_pr_auto_1_declining_is_never_skipped():
    state = table(3, "builder", a={"doubloons": 0}, b={"doubloons": 1}, c={"doubloons": 0})
    after = play(state, "pass").state
    assert after.seat == 1
    assert "pass" in legal(after)


def test_pr_optional_1_a_role_has_to_be_taken():
    assert broken(table(3), "pass") == ["PR-OPTIONAL-1"]


def test_pr_occupied_1_an_empty_building_does_not_work():
    empty = table(3, "trader", a={"goods": "coffee", "city": "large-market"})
    assert play(empty, "sell coffee").earns() == {"sale": 4, "trader": 1}
    full = table(3, "trader", a={"goods": "coffee", "full": "large-market"})
    assert play(full, "sell coffee").earns() == {"sale": 4, "trader": 1, "large-market": 2}


# -- PR-ROUND, PR-ROLE, PR-TWO


def test_pr_round_1_each_takes_a_role():
    state = play(table(3), "role trader").state
    assert (state.phase, state.seat, state.round) == ("role", 1, 1)
    state = play(state, "role captain").state
    assert (state.seat, state.round) == (2, 1)


def test_pr_round_2_a_card_once_a_round():
    state = play(table(5), "role prospector").state
    assert broken(state, "role prospector") == ["PR-ROLE-1"]
    assert broken(state, "role prospector-2") == []
    assert "role prospector" not in legal(state)


def test_pr_round_3_doubloons_on_cards_and_a_new_governor():
    state = table(3, role_doubloons=(0, 2, 0, 0, 0, 0, 0, 0))
    after = play(state, "role trader", "role captain", "role craftsman")
    assert after.of(RoundBegan)[0].governor == 1
    assert (after.state.round, after.state.governor, after.state.seat) == (2, 1, 1)
    assert after.state.role_doubloons == (1, 3, 1, 0, 0, 0, 0, 0)
    assert set(after.state.taken) == {NOBODY}


def test_pr_role_1_taking_the_doubloons():
    state = table(3, role_doubloons=(0, 0, 0, 0, 3, 0, 0, 0))
    after = play(state, "role trader")
    assert after.earns() == {"role": 3}
    assert after.state.role_doubloons[4] == 0
    assert broken(after.state, "role trader") == ["PR-ROLE-1"]


def test_pr_role_2_the_chooser_first_then_clockwise():
    rich = {"doubloons": 9}
    state = table(3, a=rich, b=rich, c=rich, to_move=0)
    state = play(state, "role trader", "role builder").state
    seats = []
    while state.phase == "builder":
        seats.append(state.seat)
        state = play(state, "pass").state
    assert seats == [1, 2, 0]


def test_pr_two_1_the_box():
    state = table(2)
    assert state.goods_supply == bytes(barrels - 2 for barrels in BARRELS)
    assert state.quarries == 5
    assert state.config.plantations == bytes((7, 9, 8, 6, 5))
    assert {state.copies[place] for place in BUILDING_PLACES if BUILDING[place].violet} == {0, 1}
    assert state.copies[PLACES.index("small-indigo-plant")] == 2


def test_pr_two_2_three_roles_each():
    state = table(2)
    seats = []
    for text in ("role trader", "role captain", "role prospector"):
        seats.append(state.seat)
        state = play(state, text).state
    assert seats == [0, 1, 0]
    assert (state.round, state.seat) == (1, 1)
    state = play(state, "role craftsman").state
    seats = [state.seat]
    state = play(state, "role builder", "pass", "pass").state
    seats.append(state.seat)
    assert seats == [0, 1]
    after = play(state, "role settler", "pass", "pass").state
    assert (after.round, after.governor, after.seat) == (2, 1, 1)
    assert after.role_doubloons == (0, 1, 0, 0, 0, 0, 0, 0)


def test_pr_two_3_the_end_is_the_same():
    state = table(2, "mayor", ship=0, supply=1, a={"san_juan": 0}, b={"san_juan": 0})
    after = play(state, "place none").state
    assert after.end_triggered == ("colonists",)


# -- PR-SETTLER


def test_pr_settler_1_a_plantation_of_the_row():
    state = table(3, "settler", row="corn 2 sugar 2")
    assert broken(state, "take coffee") == ["PR-SETTLER-1"]
    after = play(state, "take sugar").state
    assert island(after, 0) == "indigo sugar"
    assert colonists(after, 0) == "none"
    assert after.seat == 1
    assert play(state, "pass").state.seat == 1


def test_pr_settler_2_a_full_island():
    state = table(3, "settler", row="corn 4", a={"island": "corn 12"})
    assert legal(state) == {"pass"}
    assert broken(state, "take corn") == ["PR-SETTLER-2"]
    assert broken(state, "take quarry") == ["PR-SETTLER-2"]
    assert broken(state, "take coffee") == ["PR-SETTLER-1", "PR-SETTLER-2"]
    before = table(3, row="corn 4", a={"island": "corn 12"})
    assert play(before, "role settler").state.seat == 1


def test_pr_settler_3_quarries_are_for_the_chooser():
    state = table(3, "settler")
    after = play(state, "take quarry").state
    assert (island(after, 0), after.quarries) == ("indigo quarry", 7)
    assert broken(after, "take quarry") == ["PR-SETTLER-3"]
    assert broken(table(3, "settler", quarries=0), "take quarry") == ["PR-SETTLER-3"]


def test_pr_settler_4_the_rest_is_discarded_and_pr_settler_5_it_is_public():
    state = table(3, "settler", row="corn 2 sugar 2", stack="indigo 9", to_move=2)
    after = play(state, "take corn")
    assert row(after.state) == "indigo 4"
    assert after.state.discards == goods("corn sugar 2")
    assert after.state.phase == "role"


def test_pr_settler_6_the_discards_become_the_stack():
    state = table(3, "settler", row="corn 2 sugar 2", stack="indigo", discards="coffee", to_move=2)
    after = play(state, "take corn", chance=coming("indigo", "sugar", "coffee", "corn"))
    shuffled = after.of(Reshuffled)[0]
    assert (shuffled.tiles, shuffled.auto) == (goods("corn sugar 2 coffee"), False)
    assert row(after.state) == "corn indigo sugar coffee"
    assert after.state.stack == bytes([2])
    assert after.state.discards == goods("none")


def test_pr_settler_6_the_row_stays_short():
    state = table(3, "settler", row="corn", stack="indigo", to_move=2)
    after = play(state, "take corn").state
    assert row(after) == "indigo"
    state = table(3, "settler", row="corn", stack="none", to_move=2)
    after = play(state, "take corn").state
    assert row(after) == "none"


# -- PR-MAYOR


def test_pr_mayor_1_the_privilege_comes_from_the_supply():
    state = table(3, ship=0, supply=1, a={"island": "corn 2"})
    after = play(state, "role mayor")
    assert after.of(ColonistsDealt)[0].facts() == {
        "seat": 0,
        "colonists": 0,
        "privilege": 1,
        "auto": False,
    }
    assert colonists(after.state, 0) == "corn"
    after = play(state, "role mayor no-colonist").state
    assert colonists(after, 0) == "none"
    empty = table(3, ship=3, supply=0)
    assert broken(empty, "role mayor no-colonist") == ["PR-MAYOR-1"]
    assert "role mayor no-colonist" not in legal(empty)
    dealt = play(empty, "role mayor").of(ColonistsDealt)
    assert [event.privilege for event in dealt] == [0, 0, 0]


def test_pr_mayor_2_dealt_one_by_one():
    state = table(4, ship=6, to_move=0)
    dealt = play(state, "role mayor").of(ColonistsDealt)
    assert [(event.seat, event.colonists) for event in dealt] == [(0, 2), (1, 2), (2, 1), (3, 1)]


def test_pr_mayor_3_anew_and_at_will():
    state = table(
        3,
        "mayor",
        a={"island": "corn 2 indigo", "colonists": "corn 2", "city": "statue guest-house"},
    )
    assert "place guest-house 2" in legal(state)
    assert "place corn indigo" in legal(state)
    assert broken(state, "place corn 3") == ["PR-MAYOR-3"]
    assert broken(state, "place corn statue") == ["PR-MAYOR-3"]
    assert broken(state, "place corn 2 indigo") == ["PR-MAYOR-3"]
    assert broken(state, "place indigo 2") == ["PR-MAYOR-3"]
    assert broken(state, "place sugar") == ["PR-MAYOR-3", "PR-MAYOR-4"]


def test_pr_mayor_3_those_left_over_stay_in_san_juan():
    state = table(3, ship=6, a={"island": "corn"})
    after = play(state, "role mayor")
    placed = after.of(Placed)[0]
    assert (placed.san_juan, placed.auto) == (2, True)


def test_pr_mayor_4_no_idle_colonists():
    state = table(3, "mayor", a={"island": "corn indigo", "san_juan": 2, "city": "hospice"})
    assert broken(state, "place corn") == ["PR-MAYOR-4"]
    assert broken(state, "place none") == ["PR-MAYOR-4"]
    assert broken(state, "pass") == ["PR-MAYOR-4"]
    assert broken(state, "place corn hospice") == []


def test_pr_mayor_5_equal_tiles_are_the_same():
    state = table(3, "mayor", a={"island": "corn 4 indigo 3", "san_juan": 3})
    assert legal(state) == {
        "place corn 3",
        "place corn 2 indigo",
        "place corn indigo 2",
        "place indigo 3",
    }


def test_pr_mayor_5_placements_are_counted_without_a_list():
    state = table(
        2,
        "mayor",
        a={
            "island": "corn 3 indigo 3 sugar 3 tobacco quarry coffee",
            "city": "small-indigo-plant indigo-plant sugar-mill tobacco-storage coffee-roaster "
            "hospice office university harbor factory",
            "san_juan": 14,
        },
    )
    assert count_placements(state) > 100_000
    assert len(legal_moves(state, limit=200)) == 200


def test_pr_mayor_6_the_ship_is_refilled_for_empty_building_circles():
    state = table(
        3,
        "mayor",
        ship=0,
        to_move=2,
        a={"city": "indigo-plant", "colonists": "indigo-plant"},
        b={"city": "coffee-roaster hospice", "island": "corn 5"},
        c={"island": "corn", "san_juan": 0},
    )
    after = play(state, "place none")
    assert after.of(ShipRefilled)[0].facts() == {"colonists": 5, "wanted": 5, "auto": False}
    assert (after.state.ship, after.state.supply) == (5, 50)


# -- PR-BUILDER


def test_pr_builder_1_one_building_or_none():
    state = table(3, "builder")
    assert play(state, "build small-indigo-plant").state.seat == 1
    assert play(state, "pass").state.seat == 1


@pytest.mark.parametrize(
    ("building", "quarries", "chooser", "price"),
    [
        ("small-market", 4, True, 0),
        ("hospice", 4, True, 1),
        ("hospice", 4, False, 2),
        ("harbor", 4, True, 4),
        ("residence", 4, True, 5),
        ("residence", 6, False, 6),
        ("wharf", 0, False, 9),
    ],
)
def test_pr_builder_2_the_price(building, quarries, chooser, price):
    has = {"doubloons": price, "island": f"quarry {quarries or 1}"}
    has["colonists"] = f"quarry {quarries}" if quarries else "none"
    state = table(4, "builder", a=has, chooser=0 if chooser else 3, to_move=0)
    after = play(state, f"build {building}")
    assert after.earns() == ({"build": -price} if price else {})
    if price:
        state.players[0].doubloons -= 1
        assert broken(state, f"build {building}") == ["PR-BUILDER-2"]


def test_pr_builder_3_nothing_twice():
    state = table(3, "builder", a={"city": "hacienda", "doubloons": 9})
    assert broken(state, "build hacienda") == ["PR-BUILDER-3"]


def test_pr_builder_4_copies():
    state = table(2, "builder", a={"doubloons": 9}, b={"doubloons": 9})
    after = play(state, "build harbor").state
    assert broken(after, "build harbor") == ["PR-BUILDER-4"]
    assert broken(after, "build aqueduct") == ["PR-BUILDER-4"]


def test_pr_builder_5_spaces():
    eleven = "small-market hacienda construction-hut small-warehouse hospice office large-market "
    eleven += "large-warehouse factory university harbor"
    state = table(3, "builder", a={"city": eleven, "doubloons": 20})
    assert broken(state, "build fortress") == ["PR-BUILDER-5"]
    assert broken(state, "build wharf") == []
    full = table(3, "builder", a={"city": f"{eleven} wharf", "doubloons": 0})
    assert broken(full, "build sugar-mill") == ["PR-BUILDER-2", "PR-BUILDER-5"]
    assert legal(full) == {"pass"}


def test_pr_builder_6_buildings_arrive_empty():
    after = play(table(3, "builder"), "build small-indigo-plant").state
    assert colonists(after, 0) == "none"


# -- PR-CRAFTSMAN


def test_pr_craftsman_1_plantations_and_buildings():
    state = table(
        3,
        a={"island": "corn 2 indigo 3", "city": "small-indigo-plant"},
        b={"island": "coffee", "city": "coffee-roaster", "colonists": "coffee"},
    )
    state.players[0].colonists = state.players[0].circles
    after = play(state, "role craftsman")
    assert [event.goods for event in after.of(Produced)] == [
        goods("corn 2 indigo"),
        goods("none"),
        goods("none"),
    ]
    assert not any(event.auto for event in after.of(Produced))
    assert held(after.state, 0) == "corn 2 indigo"


def test_pr_craftsman_1_the_chooser_first():
    both = {"island": "corn 2", "colonists": "corn 2"}
    state = table(3, a=both, b=both, goods_supply="corn 3", to_move=1)
    state.taken = (0, *state.taken[1:])
    after = play(state, "role craftsman").state
    assert (held(after, 1), held(after, 0)) == ("corn 2", "corn")


def test_pr_craftsman_2_small_and_large_add_up():
    has = {"island": "indigo 4", "city": "small-indigo-plant indigo-plant"}
    has["colonists"] = "indigo 4 small-indigo-plant indigo-plant 2"
    after = play(table(3, a=has), "role craftsman").state
    assert held(after, 0) == "indigo 3"


def test_pr_craftsman_3_what_the_supply_lacks_is_lost():
    has = {"island": "corn 3", "colonists": "corn 3"}
    after = play(table(3, a=has, goods_supply="corn 2 indigo 5"), "role craftsman")
    # Nothing is left to take, so that the privilege is not asked for.
    assert held(after.state, 0) == "corn 2"
    assert after.state.phase == "role"


def test_pr_craftsman_4_one_barrel_more():
    has = {"island": "corn", "colonists": "corn"}
    state = play(table(3, a=has), "role craftsman").state
    assert (state.phase, state.seat) == ("privilege", 0)
    assert legal(state) == {"take corn", "pass"}
    assert broken(state, "take indigo") == ["PR-CRAFTSMAN-4"]
    after = play(state, "take corn").state
    assert (held(after, 0), after.phase) == ("corn 2", "role")
    state.goods_supply = goods("indigo")
    assert broken(state, "take corn") == ["PR-CRAFTSMAN-4"]


# -- PR-TRADER


def test_pr_trader_1_price_and_privilege():
    state = table(3, "trader", a={"goods": "coffee"}, b={"goods": "tobacco"})
    assert broken(state, "sell corn") == ["PR-TRADER-1"]
    after = play(state, "sell coffee")
    assert after.earns() == {"sale": 4, "trader": 1}
    after = play(after.state, "sell tobacco")
    assert after.earns(1) == {"sale": 3}


def test_pr_trader_2_a_full_house():
    state = table(3, "trader", house="corn indigo sugar tobacco", a={"goods": "coffee corn"})
    assert broken(state, "sell coffee") == ["PR-TRADER-2"]
    assert broken(state, "sell corn") == ["PR-TRADER-2", "PR-TRADER-3"]
    assert legal(state) == {"pass"}


def test_pr_trader_3_different_kinds():
    state = table(3, "trader", house="corn", a={"goods": "coffee corn"})
    assert broken(state, "sell corn") == ["PR-TRADER-3"]
    assert legal(state) == {"sell coffee", "pass"}


def test_pr_trader_4_a_full_house_is_emptied_at_the_end():
    state = table(3, "trader", house="corn indigo sugar", to_move=2, c={"goods": "coffee"})
    before = state.goods_supply
    after = play(state, "sell coffee")
    assert after.of(Emptied)[0].goods == goods("corn indigo sugar coffee")
    assert after.state.trading_house == b""
    assert sum(after.state.goods_supply) == sum(before) + 4
    state = table(3, "trader", house="corn indigo", to_move=2, c={"goods": "coffee"})
    assert play(state, "sell coffee").state.trading_house == bytes([0, 1, 4])


# -- PR-CAPTAIN, PR-STORE, PR-PROSPECTOR


def test_pr_captain_1_all_or_as_many_as_fit():
    state = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn 4"})
    assert broken(state, "load indigo 6") == ["PR-CAPTAIN-1"]
    assert broken(state, "load corn 7") == ["PR-CAPTAIN-1"]
    after = play(state, "load corn 5")
    assert after.scores() == {"shipping": 2, "captain": 1}


def test_pr_captain_1_the_privilege_once():
    state = table(3, "captain", a={"goods": "corn indigo 2"}, b={"goods": "sugar"})
    after = play(state, "load indigo 5", "load sugar 4")
    # A's corn goes onto the 6 by itself, and brings no VP for the privilege any more.
    assert after.scores() == {"shipping": 3, "captain": 1}


def test_pr_captain_2_until_nobody_loads():
    state = table(
        3, "captain", a={"goods": "corn indigo sugar"}, b={"goods": "corn"}, c={"goods": "none"}
    )
    state = play(state, "load corn 4").state
    # B's corn goes by itself, C passes, and A decides again.
    assert (state.phase, state.seat, state.passes) == ("captain", 0, 1)


def test_pr_captain_3_which_ship():
    state = table(
        3,
        "captain",
        cargo={4: "corn 4", 5: "indigo"},
        a={"goods": "corn indigo sugar 3 tobacco"},
    )
    assert legal(state) == {"load indigo 5", "load sugar 6", "load tobacco 6"}
    assert broken(state, "load corn 4") == ["PR-CAPTAIN-3"]
    assert broken(state, "load corn 6") == ["PR-CAPTAIN-3"]
    assert broken(state, "load sugar 5") == ["PR-CAPTAIN-3"]
    assert broken(state, "load coffee 5") == ["PR-CAPTAIN-1", "PR-CAPTAIN-3"]


def test_pr_captain_3_ships_that_take_equally_many():
    state = table(3, "captain", a={"goods": "sugar 5"})
    assert legal(state) == {"load sugar 5", "load sugar 6"}
    assert broken(state, "load sugar 4") == ["PR-CAPTAIN-3"]


def test_pr_captain_4_who_can_load_has_to():
    state = table(3, "captain", a={"goods": "sugar"})
    assert broken(state, "pass") == ["PR-CAPTAIN-4"]
    full = {4: "corn 4", 5: "indigo 5", 6: "coffee 6"}
    state = table(3, "captain", cargo=full, a={"goods": "sugar", "full": "wharf"})
    assert legal(state) == {"pass", "load sugar wharf"}
    # Passing keeps the wharf for a later turn, if somebody else loads before.
    state.players[1].goods = goods("tobacco")
    state.players[1].colonists = state.players[0].colonists
    after = play(state, "pass", "load tobacco wharf").state
    assert after.seat == 0
    assert "load sugar wharf" in legal(after)


def test_pr_store_1_one_barrel():
    state = table(3, "store", a={"goods": "corn 2 coffee"})
    assert legal(state) == {"store corn", "store coffee"}
    assert broken(state, "store sugar") == ["PR-STORE-1"]
    assert broken(state, "store corn coffee") == ["PR-STORE-1"]
    after = play(state, "store coffee")
    assert after.of(Stored)[0].returned == goods("corn 2")
    assert held(after.state, 0) == "coffee"
    assert broken(state, "store corn 3") == ["PR-STORE-1"]


def test_pr_store_2_nothing_is_given_back_needlessly():
    state = table(3, "store", a={"goods": "corn 2 coffee 2", "full": "small-warehouse"})
    assert legal(state) == {"store corn 2 coffee", "store corn coffee 2"}
    assert broken(state, "store corn 2") == ["PR-STORE-2"]
    assert broken(state, "store none") == ["PR-STORE-2"]
    assert broken(state, "pass") == ["PR-STORE-2"]


def test_pr_store_2_a_barrel_is_not_stored_alone_where_its_kind_could_be():
    state = table(3, "store", a={"goods": "corn sugar 5", "full": "small-warehouse"})
    assert legal(state) == {"store corn sugar 5"}
    assert broken(state, "store corn sugar") == ["PR-STORE-2"]
    # Corn in the warehouse and one coffee leave no room for sugar, which is allowed.
    state = table(3, "store", a={"goods": "corn sugar 5 coffee", "full": "small-warehouse"})
    assert legal(state) == {"store corn sugar 5", "store sugar 5 coffee", "store corn coffee"}


def test_pr_store_3_who_has_no_choice_is_not_asked():
    state = table(3, a={"goods": "corn 3"}, b={"goods": "sugar"})
    state.cargo_goods, state.cargo_barrels = bytes([4, 3, 1]), bytes([4, 5, 6])
    after = play(state, "role captain")
    stored = after.of(Stored)
    assert [event.auto for event in stored] == [True, True, True]
    assert (held(after.state, 0), held(after.state, 1)) == ("corn", "sugar")


def test_pr_store_4_full_ships_are_emptied():
    state = table(3, "store", cargo={4: "corn 4", 5: "indigo 4"}, a={"goods": "corn 2 sugar"})
    after = play(state, "store corn")
    assert [(event.what, event.goods) for event in after.of(Emptied)] == [(4, goods("corn 4"))]
    assert carried(after.state) == {4: "none", 5: "indigo 4", 6: "none"}


def test_pr_prospector_1_one_doubloon():
    after = play(table(4), "role prospector")
    assert after.earns() == {"prospector": 1}
    assert after.state.seat == 1


# -- PR-GUIDE


def test_pr_guide_1_any_empty_ship():
    has = {"goods": "sugar 5"}
    state = table(3, "captain", rulebook="guide", a=has)
    assert legal(state) == {"load sugar 4", "load sugar 5", "load sugar 6"}
    assert play(state, "load sugar 4").scores() == {"shipping": 4, "captain": 1}


def test_pr_guide_2_any_number_of_colonists():
    has = {"island": "corn indigo", "san_juan": 1}
    state = table(3, "mayor", rulebook="guide", a=has)
    assert legal(state) == {"place corn", "place indigo", "place none"}
    after = play(state, "place none").state
    assert after.players[0].san_juan == 1
    assert broken(state, "place corn indigo") == ["PR-MAYOR-3"]


def test_pr_guide_3_quarries_up_to_the_vp():
    has = {"island": "quarry 8", "colonists": "quarry 8", "doubloons": 1}
    guide = table(3, "builder", buildings="random", violet="statue", rulebook="guide", a=has)
    assert play(guide, "build statue").earns() == {"build": -1}
    printed = table(3, "builder", buildings="random", violet="statue", a=has)
    assert broken(printed, "build statue") == ["PR-BUILDER-2"]
    has = {"island": "quarry 8", "colonists": "quarry 8", "doubloons": 4}
    state = table(3, "builder", rulebook="guide", a=has)
    assert broken(state, "build residence") == ["PR-BUILDER-2"]


def test_a_state_knows_where_it_began():
    config = Config(("A", "B", "C"))
    assert begin(config, deal(config, first)) == table(3)
    assert kinds("harbor") == BIT[PLACES.index("harbor")]
    assert play(table(3, "settler", to_move=2), "pass").of(TookTile) == []
