"""The rulings on VP, the end and the result."""

from __future__ import annotations

import pytest

from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.engine.events import Ended, EndTriggered, GuestMoved
from porto_cli.games.puerto_rico.engine.observation import observe
from porto_cli.games.puerto_rico.engine.scoring import outcome, reckoning
from tests.puerto_rico.tables import colonists, play, table


def bonus(**has) -> int:
    """The VP of the only occupied large building."""
    ((_, vp),) = reckoning(table(3, a=has))[0].bonuses
    return vp


def test_pr_vp_1_vp_beyond_the_pool_count():
    state = table(3, "captain", a={"goods": "corn 4", "vp": 74})
    after = play(state, "load corn 4").state
    assert after.players[0].vp == 79
    assert after.vp_pool == 0
    assert reckoning(after)[0].chips == 79


def test_pr_secret_1_own_vp_and_the_pool():
    state = table(3, a={"vp": 3}, b={"vp": 4})
    assert [view.vp for view in observe(state, 1).players] == [None, 4, None]
    assert [view.vp for view in observe(state).players] == [None, None, None]
    assert observe(state, 1).vp_pool == observe(state).vp_pool == 68
    over = table(3, "over", a={"vp": 3}, b={"vp": 4})
    assert [view.vp for view in observe(over, 2).players] == [3, 4, 0]


@pytest.mark.parametrize(("supply", "triggered"), [(3, ()), (2, ("colonists",))])
def test_pr_end_1_too_few_colonists(supply, triggered):
    state = table(3, "mayor", ship=0, supply=supply, to_move=2)
    after = play(state, "place none").state
    assert after.end_triggered == triggered
    assert after.ship == supply


def test_pr_end_2_a_full_city():
    eleven = "small-market hacienda construction-hut small-warehouse hospice office large-market "
    eleven += "large-warehouse factory university harbor"
    state = table(3, "builder", a={"city": eleven, "doubloons": 9})
    after = play(state, "build wharf")
    assert after.of(EndTriggered)[0].reason == "city"
    ten = eleven.replace(" harbor", "")
    state = table(3, "builder", a={"city": ten, "doubloons": 9})
    assert play(state, "build residence").state.end_triggered == ("city",)
    assert play(state, "build wharf").state.end_triggered == ()


def test_pr_end_3_the_last_vp_whenever_it_is_taken():
    state = table(3, "captain", a={"goods": "corn 2", "vp": 72})
    assert play(state, "load corn 4").state.end_triggered == ("vp",)
    state = table(3, "captain", a={"goods": "corn 2", "vp": 71})
    assert play(state, "load corn 4").state.end_triggered == ()
    church = {"doubloons": 10, "full": "church", "vp": 74}
    state = table(3, "builder", buildings="random", violet="church residence", a=church)
    assert play(state, "build indigo-plant").state.end_triggered == ("vp",)


def test_pr_end_3_stays_when_the_pool_is_refilled():
    market = {"doubloons": 0, "full": "black-market", "vp": 75}
    state = table(3, "builder", buildings="random", violet="black-market", a=market)
    state.end_triggered = ("vp",)
    after = play(state, "build small-sugar-mill return vp").state
    assert (after.vp_pool, after.end_triggered) == (1, ("vp",))


def test_pr_end_4_the_round_is_finished():
    state = table(3, end_triggered=("vp",))
    state = play(state, "role trader", "role captain").state
    assert state.phase == "role"
    after = play(state, "role craftsman")
    assert after.state.phase == "over"
    assert type(after.events[-1]) is Ended
    assert after.state.round == 1
    assert outcome(after.state) == reckoning(after.state)
    assert outcome(state) is None


def test_pr_score_1_chips_and_pr_score_2_printed_vp():
    state = table(3, a={"vp": 9, "city": "small-market harbor indigo-plant fortress"})
    one = reckoning(state)[0]
    assert (one.chips, one.buildings, one.bonuses) == (9, 1 + 3 + 2 + 4, ())
    assert one.total == 19


def test_pr_score_2_the_statue():
    assert reckoning(table(3, a={"city": "statue"}))[0].buildings == 8


def test_pr_score_3_and_pr_b_large_guild_hall():
    city = "small-indigo-plant small-sugar-mill indigo-plant coffee-roaster"
    assert bonus(city=city, full="guild-hall") == 1 + 1 + 2 + 2


@pytest.mark.parametrize(("tiles", "vp"), [(1, 4), (9, 4), (10, 5), (11, 6), (12, 7)])
def test_pr_score_3_residence(tiles, vp):
    assert bonus(island=f"corn {tiles}", full="residence") == vp
    assert bonus(island=f"forest-corn {tiles}", full="residence") == vp


def test_pr_score_3_fortress():
    has = {"island": "corn 4", "colonists": "corn 4", "san_juan": 3, "city": "guest-house"}
    assert bonus(full="fortress", **has) == 2
    has["colonists"] = "corn 4 guest-house"
    assert bonus(full="fortress", **has) == 3


@pytest.mark.parametrize(("vp", "worth"), [(3, 0), (4, 1), (19, 4), (20, 5)])
def test_pr_score_3_customs_house(vp, worth):
    assert bonus(vp=vp, full="customs-house") == worth


def test_pr_score_3_city_hall():
    assert bonus(city="harbor statue small-indigo-plant library", full="city-hall") == 4


@pytest.mark.parametrize(
    ("tiles", "vp"),
    [
        ("corn 2 indigo 2 sugar 2", 0),
        ("corn 3", 1),
        ("corn 3 quarry 3", 3),
        ("corn 6 quarry 3", 6),
        ("corn 3 quarry 3 coffee 3 forest-corn forest-indigo forest-sugar", 10),
        ("corn 2 forest-corn", 0),
    ],
)
def test_pr_score_3_and_pr_b_cloister(tiles, vp):
    assert bonus(island=tiles, full="cloister") == vp


def test_pr_score_3_only_while_occupied():
    assert reckoning(table(3, a={"city": "residence", "island": "corn 12"}))[0].bonuses == ()


def test_pr_score_4_guests_go_to_what_is_worth_most():
    has = {
        "city": "guest-house residence customs-house city-hall statue",
        "island": "corn 12",
        "vp": 4,
        "colonists": "guest-house 2",
    }
    state = table(3, end_triggered=("vp",), a=has)
    bonuses = dict(reckoning(state)[0].bonuses)
    assert bonuses == {PLACES.index("residence"): 7, PLACES.index("city-hall"): 5}
    # They are not asked after before the end, and go when it comes.
    after = play(state, "role trader", "role captain", "role craftsman")
    while after.state.phase != "over":
        after = play(after.state, "pass")
    assert [event.place for event in after.of(GuestMoved)] == [
        PLACES.index("residence"),
        PLACES.index("city-hall"),
    ]
    assert colonists(after.state, 0) == "residence city-hall"


def test_pr_rank_1_doubloons_and_barrels_break_ties():
    even = {"vp": 5, "doubloons": 2, "goods": "corn"}
    less = {"vp": 5, "doubloons": 2, "goods": "none"}
    places = [one.place for one in reckoning(table(3, a=less, b=even, c=even))]
    assert places == [3, 1, 1]
    places = [one.place for one in reckoning(table(3, a=even, b=less, c=less))]
    assert places == [1, 2, 2]
