"""The rulings on buildings: each works while occupied, and refuses what it forbids."""

from __future__ import annotations

import pytest

from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.engine.events import (
    Built,
    ColonistsDealt,
    GuestMoved,
    Loaded,
    Passed,
    Produced,
    Stored,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from tests.puerto_rico.tables import (
    broken,
    carried,
    colonists,
    coming,
    expansion,
    goods,
    held,
    island,
    legal,
    play,
    table,
)

# -- base game


@pytest.mark.parametrize(
    ("markets", "earns"),
    [
        ("small-market", {"small-market": 1}),
        ("large-market", {"large-market": 2}),
        ("small-market large-market", {"small-market": 1, "large-market": 2}),
    ],
)
def test_pr_b_market(markets, earns):
    state = table(3, "trader", a={"goods": "corn", "full": markets})
    assert play(state, "sell corn").earns() == {"trader": 1, **earns}


def test_pr_b_hacienda():
    state = table(3, "settler", row="corn 4", a={"full": "hacienda hospice"})
    assert "take face-down" in legal(state)
    after = play(state, "take face-down", chance=coming("coffee"))
    assert after.of(TookTile)[0].facts() == {
        "seat": 0,
        "tile": 4,
        "source": "stack",
        "forest": False,
        "colonist": False,
        "auto": False,
    }
    state = after.state
    assert (state.phase, state.seat, island(state, 0)) == ("settler", 0, "indigo coffee")
    assert broken(state, "take face-down") == ["PR-B-HACIENDA"]
    after = play(state, "take corn").state
    assert (colonists(after, 0), after.seat) == ("corn hacienda hospice", 1)
    assert broken(after, "take face-down") == ["PR-B-HACIENDA"]
    assert not after.face_down


def test_pr_b_hacienda_fills_the_island():
    state = table(3, "settler", a={"island": "corn 11", "full": "hacienda"})
    after = play(state, "take face-down", chance=coming("coffee"))
    assert after.of(Passed)[0].auto
    assert after.state.seat == 1
    full = table(3, "settler", a={"island": "corn 12", "full": "hacienda"})
    assert broken(full, "take face-down") == ["PR-SETTLER-2"]


def test_pr_b_hacienda_takes_from_the_discards_if_need_be():
    has = {"full": "hacienda"}
    state = table(3, "settler", stack="none", discards="coffee", a=has)
    assert island(play(state, "take face-down").state, 0) == "indigo coffee"
    state = table(3, "settler", stack="none", a=has)
    assert broken(state, "take face-down") == ["PR-B-HACIENDA"]
    assert "take face-down" not in legal(state)


def test_pr_b_hut():
    state = table(3, "settler", to_move=1, b={"full": "construction-hut"})
    assert island(play(state, "take quarry").state, 1) == "indigo quarry"
    state = table(3, "settler", to_move=1, b={"city": "construction-hut"})
    assert broken(state, "take quarry") == ["PR-SETTLER-3"]


def test_pr_b_warehouse():
    has = {"goods": "corn 3 indigo 4 sugar 2"}
    small = table(3, "store", a={**has, "full": "small-warehouse"})
    assert broken(small, "store corn 3 indigo 4 sugar") == ["PR-STORE-1"]
    assert broken(small, "store indigo 4 sugar") == []
    large = table(3, "store", a={**has, "full": "large-warehouse"})
    assert broken(large, "store corn 3 indigo 4 sugar") == []
    assert broken(large, "store indigo 4 sugar") == ["PR-STORE-2"]


def test_pr_b_warehouse_both_hold_three_kinds():
    has = {"goods": "corn 3 indigo 4 sugar 2 coffee", "full": "small-warehouse large-warehouse"}
    state = table(3, "store", a=has)
    assert legal(state) == {"store corn 3 indigo 4 sugar 2 coffee"}


def test_pr_b_hospice():
    has = {"full": "hospice"}
    state = table(3, "settler", row="corn 4", supply=5, a=has)
    after = play(state, "take corn").state
    assert (colonists(after, 0), after.supply) == ("corn hospice", 4)
    after = play(state, "take corn no-colonist").state
    assert (colonists(after, 0), after.supply) == ("hospice", 5)
    after = play(state, "take quarry").state
    assert colonists(after, 0) == "quarry hospice"
    from_ship = play(table(3, "settler", row="corn 4", supply=0, ship=2, a=has), "take corn").state
    assert (colonists(from_ship, 0), from_ship.ship) == ("corn hospice", 1)
    empty = table(3, "settler", row="corn 4", supply=0, ship=0, a=has)
    assert colonists(play(empty, "take corn").state, 0) == "hospice"
    assert broken(empty, "take corn no-colonist") == ["PR-B-HOSPICE"]
    without = table(3, "settler", row="corn 4")
    assert broken(without, "take corn no-colonist") == ["PR-B-HOSPICE"]


def test_pr_b_hospice_not_for_face_down_tiles():
    state = expansion(
        3, "settler", "forest-house hospice hacienda", row="corn 4", a={"full": "hospice hacienda"}
    )
    assert broken(state, "take face-down no-colonist") == ["PR-B-HOSPICE"]
    state = expansion(
        3, "settler", "forest-house", row="corn 4", a={"full": "hospice forest-house"}
    )
    assert broken(state, "take corn forest no-colonist") == ["PR-B-HOSPICE"]
    assert colonists(play(state, "take corn forest").state, 0) == "forest-house hospice"


def test_pr_b_office():
    has = {"goods": "corn", "full": "office"}
    state = table(3, "trader", house="corn", a=has)
    assert play(state, "sell corn").state.trading_house == bytes([0, 0])
    full = table(3, "trader", house="corn indigo sugar coffee", a=has)
    assert broken(full, "sell corn") == ["PR-TRADER-2"]


@pytest.mark.parametrize(("kinds", "doubloons"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_pr_b_factory(kinds, doubloons):
    plants = ["small-indigo-plant", "small-sugar-mill", "tobacco-storage", "coffee-roaster"]
    produced = ["corn", "indigo", "sugar", "tobacco", "coffee"][:kinds]
    has = {"island": " ".join(produced), "colonists": " ".join(produced)}
    has["full"] = " ".join(["factory", *plants[: kinds - 1]])
    after = play(table(3, a=has), "role craftsman")
    assert after.earns() == ({"factory": doubloons} if doubloons else {})
    # The barrel of the privilege brings nothing.
    assert play(after.state, "take corn").earns() == {}


def test_pr_b_university():
    has = {"doubloons": 9, "full": "university"}
    state = table(3, "builder", supply=5, a=has)
    after = play(state, "build indigo-plant")
    assert after.of(Built)[0].colonist
    assert (colonists(after.state, 0), after.state.supply) == ("indigo-plant university", 4)
    after = play(state, "build indigo-plant no-colonist").state
    assert colonists(after, 0) == "university"
    assert broken(table(3, "builder"), "build hacienda no-colonist") == ["PR-B-UNIVERSITY"]
    empty = table(3, "builder", supply=0, ship=0, a=has)
    assert broken(empty, "build hacienda no-colonist") == ["PR-B-UNIVERSITY"]
    own = table(3, "builder", a={"doubloons": 9})
    assert colonists(play(own, "build university").state, 0) == "none"


def test_pr_b_university_not_for_the_statue():
    state = expansion(3, "builder", "statue university", a={"doubloons": 9, "full": "university"})
    assert colonists(play(state, "build statue").state, 0) == "university"
    assert broken(state, "build statue no-colonist") == ["PR-B-UNIVERSITY"]


def test_pr_b_harbor():
    has = {"goods": "corn 2 indigo", "full": "harbor wharf"}
    state = table(3, "captain", a=has)
    after = play(state, "load corn 4", "load indigo 5")
    assert after.scores() == {"shipping": 3, "captain": 1, "harbor": 2}
    assert play(state, "load corn wharf").scores()["harbor"] == 1


def test_pr_b_harbor_and_a_small_wharf():
    has = {"goods": "corn", "full": "harbor small-wharf"}
    state = expansion(3, "captain", "harbor small-wharf", a=has)
    assert play(state, "load corn small-wharf").scores() == {"captain": 1, "harbor": 1}


def test_pr_b_wharf():
    has = {"goods": "corn 7 indigo 2", "full": "wharf"}
    state = table(3, "captain", cargo={4: "corn 4"}, a=has)
    before = state.goods_supply[0]
    after = play(state, "load corn wharf")
    assert after.scores() == {"shipping": 7, "captain": 1}
    assert after.state.goods_supply[0] == before + 7
    assert carried(after.state)[4] == "corn 4"
    assert broken(after.state, "load indigo wharf") == ["PR-B-WHARF"]
    without = table(3, "captain", a={"goods": "corn", "city": "wharf"})
    assert broken(without, "load corn wharf") == ["PR-B-WHARF"]
    assert broken(without, "load indigo wharf") == ["PR-B-WHARF", "PR-CAPTAIN-1"]


# -- expansion


def test_pr_b_aqueduct():
    has = {
        "island": "indigo sugar",
        "city": "aqueduct indigo-plant small-sugar-mill sugar-mill",
        "colonists": "indigo sugar aqueduct indigo-plant small-sugar-mill",
    }
    state = expansion(3, "role", "aqueduct", a=has)
    # The large sugar mill is empty.
    assert play(state, "role craftsman").of(Produced)[0].goods == goods("indigo 2 sugar")
    state.goods_supply = goods("indigo sugar")
    assert play(state, "role craftsman").of(Produced)[0].goods == goods("indigo sugar")
    state.players[0].colonists = bytes(len(PLACES))
    assert play(state, "role craftsman").of(Produced)[0].goods == goods("none")


def test_pr_b_forest_house_lays_forests():
    state = expansion(3, "settler", "forest-house", row="corn 4", a={"full": "forest-house"})
    after = play(state, "take corn forest").state
    assert island(after, 0) == "indigo forest-corn"
    assert sum(after.players[0].circles) == 2
    assert broken(state, "take quarry forest") == ["PR-B-FOREST-HOUSE"]
    assert broken(state, "take face-down forest") == ["PR-B-FOREST-HOUSE", "PR-B-HACIENDA"]
    without = expansion(3, "settler", "forest-house", row="corn 4", a={"city": "forest-house"})
    assert broken(without, "take corn forest") == ["PR-B-FOREST-HOUSE"]
    assert broken(without, "take sugar forest") == ["PR-B-FOREST-HOUSE", "PR-SETTLER-1"]


def test_pr_b_forest_house_makes_building_cheaper():
    has = {"island": "quarry forest-corn 2 forest-coffee 3", "full": "forest-house"}
    state = expansion(3, "builder", "forest-house", a=has)
    residence, market = PLACES.index("residence"), PLACES.index("small-indigo-plant")
    assert price(state, 0, residence) == 10 - 2 - 1
    assert price(state, 0, market) == 0
    state.players[0].colonists = bytes(len(PLACES))
    assert price(state, 0, residence) == 9


MARKET = {"full": "black-market", "doubloons": 4}


def test_pr_b_black_market_pays_what_is_missing():
    has = {**MARKET, "vp": 1, "goods": "corn 2", "san_juan": 1}
    state = expansion(3, "builder", "black-market university", a=has)
    after = play(state, "build university return corn vp colonist san-juan")
    assert after.earns() == {"black-market": 3, "build": -7}
    assert after.scores() == {"black-market": -1}
    assert after.state.players[0].san_juan == 0
    assert held(after.state, 0) == "corn"
    for text in ("corn vp", "corn", "vp colonist san-juan"):
        assert broken(state, f"build university return {text}") == ["PR-B-BLACK-MARKET"]
    assert broken(state, "build university") == ["PR-BUILDER-2"]
    assert broken(state, "build small-indigo-plant return corn") == ["PR-B-BLACK-MARKET"]
    assert broken(state, "build university return coffee vp colonist san-juan") == [
        "PR-B-BLACK-MARKET"
    ]
    assert broken(state, "build university return corn vp colonist quarry") == ["PR-B-BLACK-MARKET"]


def test_pr_b_black_market_has_to_work():
    has = {"doubloons": 4, "vp": 0, "goods": "corn", "city": "black-market"}
    state = expansion(3, "builder", "black-market hospice", a=has)
    assert broken(state, "build factory return corn vp") == ["PR-B-BLACK-MARKET"]
    assert broken(state, "build black-market return corn") == [
        "PR-B-BLACK-MARKET",
        "PR-BUILDER-3",
    ]


def test_pr_b_black_market_the_price_first():
    has = {"doubloons": 5, "island": "quarry", "colonists": "quarry", "full": "black-market"}
    state = expansion(3, "builder", "black-market university", a=has)
    # 8, less 1 for the quarry and 1 for the builder, is 6: the quarry's own colonist pays 1.
    after = play(state, "build university return colonist quarry")
    assert after.earns() == {"black-market": 1, "build": -6}
    assert colonists(after.state, 0) == "black-market"


def test_pr_b_black_market_then_university_and_church():
    has = {"doubloons": 6, "full": "black-market university church"}
    state = expansion(3, "builder", "black-market university church harbor", a=has)
    assert "build harbor return colonist university no-colonist" not in legal(state)
    assert broken(state, "build harbor return colonist university no-colonist") == [
        "PR-B-UNIVERSITY"
    ]
    after = play(state, "build harbor return colonist university")
    assert colonists(after.state, 0) == "black-market church"
    assert after.scores() == {"church": 1}
    after = play(state, "build harbor return colonist church")
    assert colonists(after.state, 0) == "black-market university harbor"
    assert after.scores() == {}


def test_pr_b_black_market_a_returned_colonist_may_come_back():
    has = {"doubloons": 6, "full": "black-market university", "san_juan": 1}
    state = expansion(3, "builder", "black-market university harbor", supply=0, ship=0, a=has)
    after = play(state, "build harbor return colonist san-juan").state
    assert colonists(after, 0) == "black-market university harbor"
    assert "build harbor return colonist san-juan no-colonist" in legal(state)


def test_pr_b_black_market_takes_colonists_of_the_guest_house():
    has = {"doubloons": 6, "full": "black-market guest-house"}
    state = expansion(3, "builder", "black-market guest-house harbor", a=has)
    after = play(state, "build harbor return colonist guest-house").state
    assert colonists(after, 0) == "black-market"


def test_pr_b_storehouse():
    has = {"goods": "corn 3 sugar 3", "full": "storehouse"}
    state = expansion(3, "store", "storehouse", a=has)
    assert legal(state) == {
        "store corn 3 sugar",
        "store corn 2 sugar 2",
        "store corn sugar 3",
    }
    assert broken(state, "store corn 3 sugar 2") == ["PR-STORE-1"]


def test_pr_b_trading_post():
    has = {"goods": "coffee corn", "full": "trading-post large-market"}
    state = expansion(3, "trader", "trading-post", house="corn indigo sugar tobacco", a=has)
    assert legal(state) == {"sell corn trading-post", "sell coffee trading-post", "pass"}
    after = play(state, "sell coffee trading-post")
    assert after.earns() == {"sale": 4, "trader": 1}
    assert after.state.goods_supply[4] == state.goods_supply[4] + 1
    without = table(3, "trader", a={"goods": "corn"})
    assert broken(without, "sell corn trading-post") == ["PR-B-TRADING-POST"]
    assert broken(without, "sell coffee trading-post") == ["PR-B-TRADING-POST", "PR-TRADER-1"]


@pytest.mark.parametrize(
    ("building", "vp"),
    [("small-indigo-plant", 0), ("indigo-plant", 1), ("coffee-roaster", 1), ("residence", 2)],
)
def test_pr_b_church(building, vp):
    has = {"doubloons": 12, "full": "church"}
    state = expansion(3, "builder", "church residence", a=has)
    assert play(state, f"build {building}").scores() == ({"church": vp} if vp else {})


def test_pr_b_church_never_for_itself():
    has = {"doubloons": 12, "full": "university"}
    state = expansion(3, "builder", "church university", a=has)
    after = play(state, "build church")
    assert colonists(after.state, 0) == "church university"
    assert after.scores() == {}


def test_pr_b_small_wharf():
    has = {"goods": "corn 3 indigo 2", "full": "small-wharf wharf"}
    state = expansion(3, "captain", "small-wharf wharf", a=has)
    after = play(state, "load corn 3 indigo 2 small-wharf")
    assert after.scores() == {"shipping": 2, "captain": 1}
    after = play(state, "load corn 2 small-wharf", "load indigo wharf")
    assert after.scores() == {"shipping": 1 + 2, "captain": 1}
    assert broken(state, "load corn 4 small-wharf") == ["PR-CAPTAIN-1"]
    assert broken(state, "load none small-wharf") == ["PR-B-SMALL-WHARF"]
    state.small_wharf_used = 1
    assert broken(state, "load corn small-wharf") == ["PR-B-SMALL-WHARF"]
    without = table(3, "captain", a={"goods": "corn"})
    assert broken(without, "load corn small-wharf") == ["PR-B-SMALL-WHARF"]


def test_pr_b_small_wharf_loads_are_counted_without_a_list():
    has = {"goods": "corn 9 indigo 9 sugar 9 tobacco 9 coffee 9", "full": "small-wharf"}
    state = expansion(3, "captain", "small-wharf", a=has)
    assert count_moves(state) == 10**5 - 1 + 5
    assert len(legal_moves(state, limit=200)) == 200


def test_pr_b_lighthouse():
    has = {"goods": "corn indigo", "full": "lighthouse"}
    state = expansion(3, "role", "lighthouse", a=has)
    after = play(state, "role captain")
    assert after.earns() == {"lighthouse": 1}
    after = play(after.state, "load corn 4", "load indigo 5")
    assert after.earns() == {"lighthouse": 2}
    nothing = expansion(3, "role", "lighthouse", a={"full": "lighthouse"})
    assert play(nothing, "role captain").earns() == {"lighthouse": 1}
    other = expansion(3, "role", "lighthouse", b={"full": "lighthouse"})
    assert play(other, "role captain").earns(1) == {}


def test_pr_b_specialty_factory():
    has = {
        "island": "corn 5 indigo 3 sugar",
        "city": "specialty-factory indigo-plant small-sugar-mill aqueduct",
        "colonists": "corn 5 indigo 3 sugar specialty-factory indigo-plant 3 small-sugar-mill "
        "aqueduct",
    }
    state = expansion(3, "role", "specialty-factory aqueduct", a=has)
    after = play(state, "role craftsman")
    # Corn does not count; the fourth indigo is that of the Aqueduct.
    assert after.earns() == {"specialty-factory": 3}
    assert play(after.state, "take indigo").earns() == {}
    corn = {"island": "corn 5", "colonists": "corn 5", "full": "specialty-factory"}
    state = expansion(3, "role", "specialty-factory", a=corn)
    assert play(state, "role craftsman").earns() == {}


LIBRARY = {"full": "library"}


def test_pr_b_library_a_second_tile():
    has = {"full": "library hospice forest-house hacienda"}
    state = expansion(3, "settler", "library hospice forest-house", row="corn 4", a=has)
    state = play(state, "take quarry", "pass", "pass").state
    assert (state.phase, state.seat) == ("library", 0)
    assert legal(state) == {"take corn", "take corn forest", "pass"}
    assert broken(state, "take quarry") == ["PR-SETTLER-3"]
    assert broken(state, "take coffee") == ["PR-SETTLER-1"]
    assert broken(state, "take face-down") == ["PR-B-HACIENDA"]
    assert broken(state, "take corn no-colonist") == ["PR-B-HOSPICE"]
    after = play(state, "take corn").state
    assert island(after, 0) == "corn indigo quarry"
    assert after.players[0].colonists[0] == 0
    assert (after.phase, sum(after.row)) == ("role", 4)
    assert island(play(state, "take corn forest").state, 0) == "indigo quarry forest-corn"
    assert play(state, "pass").state.phase == "role"


def test_pr_b_library_not_for_others_and_not_with_a_full_island():
    state = expansion(3, "settler", "library", to_move=2, b=LIBRARY)
    assert play(state, "pass").state.phase == "role"
    full = {"full": "library", "island": "corn 12"}
    state = expansion(3, "settler", "library", to_move=2, a=full)
    assert play(state, "pass").of(Passed)[1].auto
    state = expansion(3, "library", "library", row="corn", a=full)
    assert broken(state, "take corn") == ["PR-SETTLER-2"]


@pytest.mark.parametrize(("supply", "came"), [(5, 2), (1, 1), (0, 0)])
def test_pr_b_library_two_colonists(supply, came):
    state = expansion(3, "role", "library", ship=0, supply=supply, a=LIBRARY)
    dealt = play(state, "role mayor").of(ColonistsDealt)
    assert [event.privilege for event in dealt] == ([came] if came else [])
    if supply:
        assert play(state, "role mayor no-colonist").of(ColonistsDealt) == []


def test_pr_b_library_the_other_privileges():
    has = {**LIBRARY, "doubloons": 0, "goods": "coffee"}
    assert price(expansion(3, "builder", "library", a=has), 0, PLACES.index("hospice")) == 2
    trader = expansion(3, "trader", "library", a=has)
    assert play(trader, "sell coffee").earns() == {"sale": 4, "trader": 2}
    captain = expansion(3, "captain", "library", a=has)
    assert play(captain, "load coffee 4").scores() == {"shipping": 1, "captain": 2}
    role = expansion(4, "role", "library", a=has)
    assert play(role, "role prospector").earns() == {"prospector": 2}


def test_pr_b_library_two_barrels():
    has = {"island": "corn 2 indigo", "colonists": "corn 2 indigo", "full": "small-indigo-plant"}
    with_library = {**has, "full": "library small-indigo-plant"}
    state = play(expansion(3, "role", "library", a=with_library), "role craftsman").state
    assert legal(state) == {"take corn", "take indigo", "take corn indigo", "pass"}
    assert held(play(state, "take indigo corn").state, 0) == "corn 3 indigo 2"
    assert broken(state, "take corn corn") == ["PR-B-LIBRARY"]
    assert broken(state, "take corn coffee") == ["PR-CRAFTSMAN-4"]
    without = play(table(3, a=has), "role craftsman").state
    assert broken(without, "take corn indigo") == ["PR-B-LIBRARY"]


def test_pr_b_union_hall():
    has = {"goods": "corn 5 indigo 2 coffee", "full": "union-hall"}
    state = expansion(3, "captain", "union-hall", a=has)
    after = play(state, "load corn 5")
    assert after.scores() == {"union-hall": 3, "shipping": 5, "captain": 1}
    after = play(after.state, "load indigo 4")
    assert "union-hall" not in after.scores()
    full = {4: "corn 4", 5: "indigo 5", 6: "coffee 6"}
    nothing = expansion(3, "role", "union-hall", a=has, cargo=full)
    assert play(nothing, "role captain").scores() == {}


def test_pr_b_statue():
    state = expansion(3, "builder", "statue", a={"doubloons": 9})
    after = play(state, "build statue").state
    assert sum(after.players[0].circles) == 1
    assert after.players[0].city_spaces == 10


# -- PR-B-GUEST-HOUSE


def guests(phase: str, number: int = 1, **has):
    place = f"guest-house {number}" if number > 1 else "guest-house"
    has = {"island": "corn", **has}
    has["city"] = f"guest-house {has.get('city', '')}".strip()
    has["colonists"] = f"{place} {has.get('colonists', '')}".strip()
    return expansion(3, phase, f"guest-house {has['city']}", a=has)


def test_pr_b_guest_house_before_a_decision():
    state = guests("trader", goods="coffee", city="large-market")
    assert legal(state) == {"sell coffee", "pass", "guest corn", "guest large-market"}
    after = play(state, "guest large-market")
    assert after.of(GuestMoved)[0].place == PLACES.index("large-market")
    assert (after.state.phase, after.state.seat) == ("trader", 0)
    assert play(after.state, "sell coffee").earns()["large-market"] == 2


def test_pr_b_guest_house_again_and_again():
    state = guests("role", 2, city="hospice")
    after = play(state, "guest corn", "guest hospice").state
    assert colonists(after, 0) == "corn hospice"
    assert broken(after, "guest corn") == ["PR-B-GUEST-HOUSE"]


def test_pr_b_guest_house_refusals():
    state = guests("role", city="hospice statue")
    for place in ("guest-house", "quarry", "statue", "harbor", "forest-corn"):
        assert broken(state, f"guest {place}") == ["PR-B-GUEST-HOUSE"]
    for phase in ("mayor", "draft"):
        assert broken(guests(phase), "guest corn") == ["PR-B-GUEST-HOUSE"]
    assert broken(table(3), "guest indigo") == ["PR-B-GUEST-HOUSE"]


@pytest.mark.parametrize(
    ("phase", "has"),
    [
        ("settler", {"island": "corn 12"}),
        ("library", {"island": "corn 12"}),
        (
            "builder",
            {
                "city": "small-market hacienda construction-hut small-warehouse hospice office "
                "large-market large-warehouse factory university harbor"
            },
        ),
        ("trader", {}),
        ("captain", {}),
        ("store", {"goods": "corn"}),
        ("privilege", {}),
    ],
)
def test_pr_b_guest_house_no_occasion(phase, has):
    state = guests(phase, **has)
    assert count_moves(state) == 1
    assert broken(state, "guest corn") == ["PR-B-GUEST-HOUSE"]


@pytest.mark.parametrize(
    ("phase", "has"),
    [
        ("settler", {}),
        ("library", {}),
        ("builder", {"doubloons": 0}),
        ("trader", {"goods": "coffee"}),
        ("captain", {"goods": "coffee"}),
        ("store", {"goods": "coffee 2"}),
        ("craftsman", {}),
        ("role", {}),
    ],
)
def test_pr_b_guest_house_occasions(phase, has):
    assert "guest corn" in legal(guests(phase, **has))


def test_pr_b_guest_house_before_the_own_production():
    state = guests("role")
    state = play(state, "role craftsman").state
    assert (state.phase, state.seat) == ("craftsman", 0)
    assert legal(state) == {"pass", "guest corn"}
    after = play(state, "guest corn")
    assert after.of(Produced)[0].goods == goods("corn")
    assert after.state.phase == "privilege"
    assert play(state, "pass").of(Produced)[0].goods == goods("none")


def test_pr_b_guest_house_others_produce_by_themselves():
    state = guests("role")
    state.players[1].colonists = bytes([0, 1] + [0] * (len(PLACES) - 2))
    state = play(state, "role craftsman", "pass").state
    assert state.phase == "role"


def test_pr_b_guest_house_in_the_captain_phase():
    full = {4: "corn 4", 5: "indigo 5", 6: "sugar 6"}
    state = guests("captain", goods="coffee", city="wharf")
    state.cargo_goods, state.cargo_barrels = bytes([0, 1, 2]), bytes(full)
    assert legal(state) == {"pass", "guest corn", "guest wharf"}
    after = play(state, "guest wharf", "load coffee wharf")
    assert after.of(Loaded)[0].onto == -1
    assert after.of(Stored)


def test_pr_b_guest_house_counts_two_circles_for_the_ship():
    state = guests("mayor", 1)
    state.ship, state.seat = 0, 2
    after = play(state, "place none").state
    assert after.ship == 3
    state = guests("mayor", 1, city="indigo-plant")
    state.ship, state.seat = 0, 2
    assert play(state, "place none").state.ship == 4
