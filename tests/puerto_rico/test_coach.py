"""The coach of Puerto Rico: what it says of moves, and how sure it is of that."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import fmean

import pytest

import porto_cli
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import coach as coach_module
from porto_cli.games.puerto_rico import players
from porto_cli.games.puerto_rico.coach import BOLDNESS, COACH
from porto_cli.games.puerto_rico.engine import PLACES
from porto_cli.games.puerto_rico.engine.moves import Choose
from porto_cli.games.puerto_rico.engine.play import count_moves
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, OVER, PHASES, Config, State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import format_move, parse_move
from porto_cli.games.puerto_rico.players.appraisal import PRICES
from porto_cli.games.puerto_rico.players.priced import best_move, promising, roles_played
from porto_cli.match.match import new_game
from porto_cli.pages import story_html
from porto_cli.players import (
    CONFIDENCE,
    Against,
    InterruptedThoughtError,
    Judgment,
    Merits,
    Promise,
    Prospect,
    Worse,
    analysis,
)
from porto_cli.players.analysis import analysis_of, answers, questions
from porto_cli.players.search import Search
from porto_cli.seam import Move, View
from tests.conftest import ROOT
from tests.documents import validated
from tests.pages import Page
from tests.puerto_rico.playing import KINDS, plies, random_move
from tests.puerto_rico.tables import play, table
from tests.shares import one_in

TAKEN = (0, -1, -1, 1, -1, -1, -1, -1)
"""Settler and craftsman are taken in a round of three players: the last one is to move."""


def last_role(**facts: object) -> State:
    """The last role of the game, which the third player takes."""
    return table(3, "role", to_move=2, taken=TAKEN, end_triggered=("vp",), **facts)


def last_settler() -> State:
    """The last player of the last settler phase chooses between two tiles."""
    return table(3, "settler", to_move=2, chooser=0, end_triggered=("vp",), row="sugar 1 tobacco 1")


def judged(state: State, rng: int = 1, **options: object) -> list[tuple[str, Judgment]]:
    view = PUERTO_RICO.view(state, state.seat)
    options = {"samples": 40, **options}
    found = COACH.judge(view, Random(rng), **options)  # type: ignore[arg-type]
    return [(format_move(one.move), one) for one in found]


def reasons(state: State, text: str) -> list[str]:
    view = PUERTO_RICO.view(state, state.seat)
    return [str(reason) for reason in COACH.merits(view, parse_move(text)).reasons]


@cache
def some(kind: tuple[int, str, str], often: float, seed: int = 1) -> list[State]:
    """Tables of a game that is played at random, before decisions."""
    rnd = Random(f"coach {kind} {seed}")
    return [ply.before for ply in plies(kind, rnd) if rnd.random() < often]


# --- what it judges


def test_who_can_ship_the_last_barrels_takes_the_captain():
    state = last_role(c={"goods": "corn 5"})
    (best, first), *others = judged(state)
    assert best == "role captain"
    # Five VP and one for the privilege; a small building is worth one.
    assert min(one.behind for _, one in others) >= 5
    assert max(one.error for _, one in others) < 1e-9
    assert first.prospect.margin == pytest.approx(6, abs=0.1)
    assert first.prospect.win == 1


@pytest.mark.long
def test_two_ways_to_do_the_same_are_about_equal():
    """With no room for another plant the two tiles bring nothing, whatever comes."""
    state = last_settler()
    found = dict(judged(state))
    assert found["take sugar"].about_equal
    assert found["take tobacco"].about_equal


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS[::5])
def test_the_doubt_is_no_less_than_what_the_judgment_of_such_decisions_is_wrong_by(kind):
    for state in some(kind, 0.03):
        for _, one in judged(state, samples=16, width=3)[1:]:
            least = CONFIDENCE * coach_module.MISJUDGED.get(state.phase, 0.0)
            assert one.doubt >= least or state.end_triggered
            assert one.about_equal == (one.behind <= one.doubt)


def test_there_is_a_measured_error_for_every_kind_of_decision():
    assert {*PHASES} - {*coach_module.MISJUDGED} == {DRAFT_PHASE, OVER}


def test_of_the_last_loads_the_larger_one_is_best():
    state = table(
        3,
        "captain",
        to_move=2,
        chooser=2,
        end_triggered=("vp",),
        c={"goods": "corn 5 indigo 1"},
        cargo={4: "sugar 4", 5: "coffee 5"},
    )
    assert judged(state)[0][0] == "load corn 6"


def test_of_millions_of_placements_some_are_judged_and_the_one_that_was_made():
    rnd = Random(3)
    state = table(
        3,
        "mayor",
        a={
            "island": "corn 3 indigo 3 sugar 2 quarry 2",
            "city": "indigo-plant sugar-mill harbor wharf factory hospice office",
            "san_juan": 9,
        },
    )
    assert count_moves(state) > 1000
    move = random_move(state, rnd)
    found = judged(state, moves=[move])
    assert 2 <= len(found) <= 5
    assert format_move(move) in [text for text, _ in found]
    likely = promising(PUERTO_RICO.view(state, state.seat), [], Random(1), 1, PRICES)[0]
    assert format_move(likely) in [text for text, _ in found]


def test_buildings_are_chosen_for_everybody():
    state = some((3, "draft", "printed"), 1.0)[0]
    assert state.phase == "draft"
    found = judged(state, width=3)
    assert len(found) == 3
    assert all(isinstance(one.move, Choose) and not one.behind for _, one in found)
    assert found[0][0] == "choose wharf"
    assert reasons(state, "choose wharf") == ["Load all barrels of one kind without a ship."]
    assert reasons(state, "choose factory")[0].startswith("1, 2, 3, 5 doubloons")


def test_all_moves_are_tried_with_the_same_random_numbers(monkeypatch):
    tried: list[tuple[int, int]] = []
    really = coach_module.playouts

    def playouts(view, moves, seed):
        play_on = really(view, moves, seed)
        return lambda choice, nth: tried.append((choice, nth)) or play_on(choice, nth)

    monkeypatch.setattr(coach_module, "playouts", playouts)
    found = judged(last_role(c={"goods": "corn 5"}), samples=30, width=3)
    assert sorted(tried) == [(place, nth) for place in range(len(found)) for nth in range(10)]


def test_every_move_has_the_same_random_numbers_in_one_trial_and_others_in_the_next():
    state = some((3, "base", "printed"), 0.1)[4]
    view = PUERTO_RICO.view(state, state.seat)
    move = PUERTO_RICO.legal_moves(state, state.seat, 1)[0]
    play_on = coach_module.playouts(view, [move, move], 7)
    found = [play_on(0, nth) for nth in range(6)]
    assert found == [play_on(1, nth) for nth in range(6)]
    assert any(one != found[0] for one in found)


def test_chips_of_others_are_resampled_for_each_trial():
    state = last_role(a={"vp": 9}, b={"vp": 2}, c={"vp": 5})
    search = Search("puerto-rico", 0, policy=players.soon, span=3, clock=roles_played)
    leaf = search.leaves(PUERTO_RICO.view(state, 2), [parse_move("role mayor")], 7)
    chips = {tuple(player.vp for player in leaf(0, nth).players) for nth in range(12)}
    assert len(chips) > 3
    assert {(a + b, c) for a, b, c in chips} == {(11, 5)}


def test_ctrl_c_leaves_what_is_known_so_far(monkeypatch):
    trials = iter(range(1000))
    really = coach_module.prospect_of

    def prospect_of(state, seat):
        if next(trials) == 20:
            raise KeyboardInterrupt
        return really(state, seat)

    monkeypatch.setattr(coach_module, "prospect_of", prospect_of)
    with pytest.raises(InterruptedThoughtError) as stopped:
        judged(last_role(c={"goods": "corn 5"}), samples=400, width=3)
    assert format_move(stopped.value.so_far[0].move) == "role captain"
    assert len(stopped.value.so_far) == 3


def test_there_is_nothing_to_choose_for_who_is_not_to_move_or_looks_on():
    state = last_role()
    for seat in (0, 1):
        with pytest.raises(ValueError, match="no move"):
            COACH.judge(PUERTO_RICO.view(state, seat), Random(1))
    with pytest.raises(ValueError, match="bystander"):
        COACH.judge(PUERTO_RICO.view(state, None), Random(1))


# --- what can be expected


def test_at_the_end_it_says_how_it_has_ended():
    *_, last = plies((3, "base", "printed"), Random(2))
    outcome = PUERTO_RICO.outcome(last.after)
    for seat, vp in enumerate(outcome.scores):
        others = [other for place, other in enumerate(outcome.scores) if place != seat]
        prospect = COACH.prospect(PUERTO_RICO.view(last.after, seat))
        assert prospect.win == outcome.won[seat]
        assert prospect.margin == pytest.approx(vp - (max(others) + fmean(others)) / 2)


def test_who_is_far_ahead_can_be_expected_to_win():
    state = table(3, "role", a={"vp": 30})
    ahead, *behind = (COACH.prospect(PUERTO_RICO.view(state, seat)) for seat in range(3))
    assert ahead.margin > 15
    assert ahead.win > 0.9
    assert all(one.margin < 0 and one.win < 0.3 for one in behind)


def test_until_the_end_is_sure_a_role_is_played_on_once_whoever_has_the_chips(monkeypatch):
    asked: Counter[bool] = Counter()

    def counted(state, *, prices):
        asked[bool(state.end_triggered)] += 1
        return best_move(state, prices=prices)

    state = table(3, "settler", to_move=0, chooser=0, row="sugar 1 corn 2")
    monkeypatch.setattr(players, "best_move", counted)
    coach_module.after_the_role(state)
    once = asked.total()
    COACH.prospect(View(0, state))
    assert asked == {False: 2 * once}


def test_nobody_is_sure_of_a_win_that_hidden_chips_decide():
    """In the last role of a game all is known but who of the others has which VP chips."""
    state = last_role(a={"vp": 10}, b={"vp": 10}, c={"goods": "corn 1", "vp": 9})
    state = play(state, "role captain").state
    assert coach_module.after_the_role(state).phase == OVER
    win = COACH.prospect(PUERTO_RICO.view(state, 2)).win
    assert 0.2 < win < 0.8
    far_ahead = play(last_role(c={"goods": "corn 1", "vp": 30}), "role captain").state
    assert COACH.prospect(PUERTO_RICO.view(far_ahead, 2)).win == 1


@pytest.mark.parametrize("seats", BOLDNESS)
def test_at_the_beginning_everybody_wins_about_as_often(seats: int):
    match = new_game(["Ana", "Rui", "Bea", "Gil", "Eva"][:seats], game="puerto-rico", seed="x")
    wins = [COACH.prospect(PUERTO_RICO.view(match.state, seat)).win for seat in range(seats)]
    assert sum(wins) == pytest.approx(1, abs=0.35)
    assert all(abs(win - 1 / seats) < 0.2 for win in wins)


def test_what_comes_up_is_luck_only_if_something_comes_up(monkeypatch):
    asked = Counter()
    really = COACH.prospect
    monkeypatch.setattr(COACH, "prospect", lambda view: asked.update(("looked",)) or really(view))
    state = last_role(c={"goods": "corn 5"})
    COACH.expected(PUERTO_RICO.view(state, 2), parse_move("role captain"), Random(1), samples=9)
    assert asked["looked"] == 1
    state = table(3, "settler", to_move=2, chooser=0, row="corn 1")
    COACH.expected(PUERTO_RICO.view(state, 2), parse_move("take corn"), Random(1), samples=9)
    assert asked["looked"] == 10


# --- why


def test_reasons_for_a_role_say_what_others_get_if_it_is_no_less():
    own = "C will probably get 6 VP (shipping 5, captain 1)."
    few = last_role(a={"goods": "sugar 2"}, c={"goods": "corn 5"})
    assert reasons(few, "role captain") == [own]
    many = last_role(a={"goods": "sugar 5"}, b={"goods": "indigo 1"}, c={"goods": "corn 3"})
    most = "A will probably get 5 VP."
    assert reasons(many, "role captain")[1:] == [most], "nobody else"
    more = last_role(a={"goods": "sugar 5"}, b={"goods": "indigo 3"}, c={"goods": "corn 3"})
    assert "A will probably get 5 VP, and B 3 VP." in reasons(more, "role captain")
    alike = {"goods": "corn 1 indigo 1", "full": "wharf"}
    state = last_role(a=alike, b=alike, c={"goods": "corn 1"})
    assert "A and B will probably each get 2 VP." in reasons(state, "role captain")
    alone = last_role(c={"goods": "corn 5"})
    sure = ["C gets 6 VP (shipping 5, captain 1).", "Nobody else has barrels."]
    assert reasons(alone, "role captain")[:2] == sure
    fits = last_role(a={"goods": "corn 1"}, c={"goods": "corn 5"})
    assert "Nobody else has barrels." not in reasons(fits, "role captain")
    assert "Probably nobody gets anything from it." in reasons(last_role(), "role captain")


def test_reasons_for_a_large_building_name_its_vp_with_and_without_a_colonist():
    state = table(3, "builder", a={"doubloons": 12, "island": "corn 3"})
    said = "It scores 4 VP at the end, and with a colonist 4 more for A's tiles so far."
    assert reasons(state, "build residence") == [said]


def test_of_a_large_building_that_would_score_nothing_more_the_use_is_told():
    said = reasons(table(3, "builder", a={"doubloons": 12}), "build customs-house")
    assert said[0] == "It scores 4 VP at the end."
    assert "VP for every four VP of chips" in said[1]


def test_of_a_load_it_is_said_what_it_brings_and_apart_what_follows():
    """The corn that has to be loaded later is not brought by the first load."""
    facts = {"goods": "corn 2 sugar 3", "city": "harbor", "colonists": "harbor"}
    state = table(3, "captain", a=facts, cargo={4: "corn 1", 5: "sugar 1"})
    found = reasons(state, "load corn 4")
    assert found[0] == (
        "A gets 4 VP (shipping 2, captain 1, harbor 1) now, and probably 4 VP (shipping 3, "
        "harbor 1) later."
    )
    assert not any("will probably get: 4 VP" in one for one in found)


@pytest.mark.parametrize(
    ("island", "city", "said"),
    [
        (
            "none",
            "",
            "With a small sugar mill for 2 doubloons, C can make 1 sugar each time; sugar sells "
            "for 2 doubloons.",
        ),
        (
            "none",
            "sugar-mill",
            "With enough colonists, C can make 1 sugar each time; sugar sells for 2 doubloons.",
        ),
        (
            "sugar 1",
            "small-sugar-mill",
            "With a sugar mill for 4 doubloons, C can make 2 sugar each time, to ship together.",
        ),
    ],
)
def test_of_a_plantation_it_is_said_which_building_it_feeds(island: str, city: str, said: str):
    facts = {"city": city, "island": island}
    state = table(3, "settler", to_move=2, chooser=0, row="sugar 1", c=facts)
    assert reasons(state, "take sugar") == [said]


def test_of_a_cheap_sale_it_is_told_what_would_sell_for_more():
    state = table(3, "trader", a={"goods": "corn 1 indigo 1 tobacco 1"})
    said = ["A gets 1 doubloon now.", "Tobacco would sell for 3 doubloons."]
    assert reasons(state, "sell corn") == said
    assert isinstance(
        COACH.merits(PUERTO_RICO.view(state, 0), parse_move("sell corn")).reasons[1], Worse
    )
    assert not any("would sell" in one for one in reasons(state, "sell tobacco"))
    state.end_triggered = ("vp",)
    assert said[1] in reasons(state, "sell corn"), "the builder can still come"


def test_what_brings_nothing_looks_worse():
    state = last_role()
    view = PUERTO_RICO.view(state, state.seat)
    for text in ("role captain", "role craftsman"):
        assert any(isinstance(one, Worse) for one in COACH.merits(view, parse_move(text)).reasons)


def test_the_doubloons_on_a_card_are_certain_and_no_part_of_a_price():
    facts = {"goods": "corn 1", "full": "small-market"}
    state = table(3, "role", a=facts, role_doubloons=[1] * 8)
    price = "2 doubloons (trader 1, small market 1)"
    said = f"A can sell corn for {price}, and get the doubloon on the card."
    assert said in reasons(state, "role trader")
    ships = "A gets 2 VP (shipping 1, captain 1) and the doubloon on the card."
    assert reasons(state, "role captain")[0] == ships
    poor = table(3, "role", role_doubloons=[2] * 8)
    gets = ["A gets the 2 doubloons on the card.", "Nobody has barrels."]
    assert reasons(poor, "role captain")[:2] == gets


def test_it_is_told_how_many_doubloons_a_sale_leads_to():
    rich = table(3, "role", a={"doubloons": 9, "full": "church"}, role_doubloons=[1] * 8)
    gets = ", and get 1 VP (church) and the doubloon on the card."
    assert reasons(rich, "role builder")[0].endswith(gets)
    earns = table(3, "role", a={"doubloons": 1, "goods": "coffee 1", "island": "indigo 2"})
    makes = "That makes 6 doubloons for the next building."
    assert makes in reasons(earns, "role trader")
    assert not any("That makes" in one for one in reasons(rich, "role mayor"))


@pytest.mark.parametrize(
    ("lying", "taken", "is_worse"), [(3, 0, False), (4, 0, True), (4, 5, False), (5, 4, False)]
)
def test_a_role_that_leaves_many_more_doubloons_to_others_looks_worse(lying, taken, is_worse):
    """Not if it takes about as many itself."""
    state = table(3, "role", role_doubloons=(lying, taken, *[0] * 6))
    found = COACH.merits(PUERTO_RICO.view(state, 0), parse_move("role mayor")).reasons
    told = [one for one in found if one == f"It leaves {lying} doubloons on the settler card."]
    assert [*map(type, told)] == [Worse] * is_worse


def test_what_speaks_for_a_move_comes_before_what_speaks_against_it():
    mayor = table(3, "mayor", a={"island": "quarry indigo", "city": "hospice", "san_juan": 1})
    assert reasons(mayor, "place quarry") == [
        "A can then use the quarry (buildings cost 1 doubloon less).",
        "It leaves the hospice empty.",
    ]


def test_a_quarry_a_building_and_a_pass_are_told_with_what_they_are_good_for():
    state = table(3, "settler", to_move=0, chooser=0, row="sugar 1")
    less = "With a colonist on the quarry, buildings cost 1 doubloon less."
    assert reasons(state, "take quarry")[0] == less
    more = table(3, "settler", to_move=0, chooser=0, row="sugar 1", a={"island": "quarry 1"})
    less = "With a colonist on each quarry, buildings cost up to 2 doubloons less."
    assert reasons(more, "take quarry")[0] == less
    state = table(3, "builder", a={"doubloons": 12, "island": "indigo 2"})
    assert "of no use now: A can make no goods yet" in " ".join(reasons(state, "build harbor"))
    assert reasons(state, "build indigo-plant")[0] == (
        "With enough colonists, A can make 2 indigo each time; indigo sells for 1 doubloon."
    )
    assert reasons(state, "pass")[0] == "It keeps 12 doubloons for a later building."
    free = "A gets 1 more tile in each settler phase; the island has 10 free spaces."
    assert reasons(state, "build hacienda")[0] == f"With a colonist, {free}"
    state = table(3, "builder", a={"doubloons": 5, "island": "corn 3"})
    sale = "A gets 2 doubloons more for each sale of corn"
    assert reasons(state, "build large-market") == [f"With a colonist, {sale}."]
    barrels = "With a colonist, A can store all barrels of one kind, like 3 corn, and one more."
    assert reasons(state, "build small-warehouse")[0] == barrels


def test_reasons_say_whether_a_move_triggers_the_end():
    state = table(3, "captain", a={"goods": "corn 5", "vp": 74}, end_triggered=())
    assert state.vp_pool == 1
    assert any(reason.startswith("It ends the game") for reason in reasons(state, "load corn 6"))
    safe = table(3, "captain", a={"goods": "corn 5", "vp": 40}, end_triggered=())
    assert not any("the game" in reason for reason in reasons(safe, "load corn 6"))


# --- in the last round


def last_builder(**facts: object) -> State:
    """The first player builds in the last role of the game: no colonist comes anymore."""
    taken = (0, -1, 0, 0, -1, -1, -1, -1)
    return table(3, "builder", taken=taken, end_triggered=("vp",), **facts)


def test_in_the_last_round_nothing_is_praised_for_what_it_would_do_later():
    state = last_builder(a={"doubloons": 12, "island": "corn 3", "city": "hospice"})
    harbor, residence = (reasons(state, f"build {name}") for name in ("harbor", "residence"))
    assert harbor == ["It scores 3 VP at the end."]
    said = "It scores 4 VP at the end, but no colonist will come for 4 more for A's tiles so far."
    assert residence == [said]
    captain = table(3, "captain", a={"goods": "corn 3", "full": "wharf"}, end_triggered=("vp",))
    assert all("nothing to wait for" in reasons(one, "pass")[0] for one in (state, captain))
    settler = table(3, "settler", to_move=2, chooser=0, end_triggered=("vp",), row="corn 1")
    late = "A tile is of little use now: the game ends after this round."
    assert reasons(settler, "take corn") == [late]


def test_what_large_buildings_score_for_a_move_is_told():
    state = last_builder(a={"doubloons": 12, "full": "city-hall", "island": "corn 3"})
    said = "It scores 4 VP at the end (buildings 3, city hall 1)."
    assert reasons(state, "build harbor")[0] == said
    settler = table(3, "settler", row="sugar 1", a={"full": "residence", "island": "corn 9"})
    adds = "It adds 1 VP (residence) at the end."
    assert adds in reasons(settler, "take sugar")
    settler.end_triggered = ("vp",)
    assert reasons(settler, "take sugar") == [adds], "not that it is of little use"
    mayor = last_role(c={"city": "city-hall", "full": "hospice"})
    adds = "It will probably add 2 VP (city hall) at the end."
    assert reasons(mayor, "role mayor")[0] == adds
    own = "black-market guild-hall small-indigo-plant indigo-plant"
    pays = last_builder(a={"doubloons": 12, "full": own})
    assert reasons(pays, "build factory return colonist guild-hall") == [
        "It scores 0 VP at the end (buildings 3, guild hall -3).",
    ]


def test_in_the_last_round_the_mayor_is_praised_for_what_a_colonist_scores():
    """Neither for room nor for doubloons with which nothing can be built anymore."""
    own = "guild-hall indigo-plant sugar-mill tobacco-storage coffee-roaster"
    state = last_role(
        c={"city": own, "goods": "corn 2", "full": "hospice"}, role_doubloons=(0, 2, *[0] * 6)
    )
    (best, _), *others = judged(state)
    assert best == "role mayor"
    assert not any(one.about_equal for text, one in others if text == "role captain")
    said = reasons(state, "role mayor")
    assert said[:2] == [
        "It will probably add 8 VP (guild hall) at the end.",
        "C gets 2 colonists.",
    ]
    assert not any("room" in one or "on the card" in one for one in said)
    placing = table(3, "mayor", end_triggered=("vp",), a={"city": own, "san_juan": 1})
    (placed, _), *_ = judged(placing)
    assert reasons(placing, placed)[0] == "It adds 8 VP (guild hall) at the end."
    goes_on = table(3, "role", a={"city": "city-hall", "full": "hospice"})
    assert reasons(goes_on, "role mayor")[:2] == [
        "A gets 2 colonists.",
        "It will probably add 2 VP (city hall) at the end.",
    ]
    makes = table(3, "role", a={"island": "corn", "full": "hospice"})
    assert reasons(makes, "role mayor")[0] == "A gets 2 colonists, and can then produce 1 corn."
    ships = table(3, "role", a={"city": "harbor", "full": "hospice", "goods": "corn 1"})
    use = "A gets 1 VP more for each load of corn"
    then = f"A gets 2 colonists, and can then use the harbor ({use})."
    assert reasons(ships, "role mayor")[0] == then
    waits = "1 colonist has nothing to do yet: on indigo (no building)."
    assert reasons(ships, "role mayor")[1] == waits


def test_a_pass_is_praised_only_for_what_could_be_done():
    """A guest may move while nothing can be loaded."""
    facts = {"full": "wharf guest-house", "island": "corn 3"}
    ships = {4: "sugar 1", 5: "indigo 1", 6: "coffee 1"}
    said = {"corn 3": "The barrels that could be loaded now stay."}
    for goods, reason in {**said, "none": "The guests wait until they are of more use."}.items():
        state = table(3, "captain", a={**facts, "goods": goods}, cargo=ships)
        lost = ["A will probably lose 2 corn (no storage)."] * ("corn" in goods)
        assert reasons(state, "pass") == [reason, *lost]
        # A name that is also the first word of a sentence about something else.
        state.config = Config(("The", "B", "C"))
        assert reasons(state, "pass") == [reason, *(one.replace("A ", "The ") for one in lost)]


def test_no_building_is_named_that_cannot_be_built_any_more():
    for own in ("small-sugar-mill", ""):
        has = {"city": own, "island": "sugar 1"}
        state = table(3, "settler", to_move=2, chooser=0, row="sugar 1", c=has)
        state.copies = bytes(0 if "sugar" in name else 1 for name in PLACES)
        state.survey()
        assert reasons(state, "take sugar") == ["No building is left that could use it."]


def test_a_hut_without_quarries_is_not_praised_for_them():
    state = table(3, "builder", a={"doubloons": 9}, quarries=0)
    assert "It is of no use now: no quarry is left." in reasons(state, "build construction-hut")


def test_a_building_of_no_use_looks_worse_and_is_not_what_the_builder_is_for():
    state = table(3, "builder", a={"doubloons": 2, "full": "corn"})
    (view, build) = PUERTO_RICO.view(state, 0), parse_move("build small-warehouse")
    assert Worse in map(type, COACH.merits(view, build).reasons)
    role = table(3, "role", a={"doubloons": 2, "island": "corn 1"})
    role.copies = bytes(name == "small-warehouse" for name in PLACES)
    role.survey()
    said = COACH.merits(PUERTO_RICO.view(role, 0), parse_move("role builder")).reasons
    assert [*map(type, said)] == [Worse], "one need not build"


def test_near_the_end_the_builder_is_told_by_the_building_that_scores_most():
    own = {"doubloons": 5, "full": "guild-hall small-indigo-plant", "island": "indigo 1"}
    found = reasons(table(3, "role", a=own, b={"vp": 60}, end_triggered=("vp",)), "role builder")
    assert found[:2] == [
        "A can build, for example, a coffee roaster for 5 doubloons.",
        "It scores 5 VP at the end (buildings 3, guild hall 2).",
    ]


def test_near_the_end_it_is_not_said_that_doubloons_buy_the_next_building():
    own = {"goods": "sugar 1", "doubloons": 2}
    found = reasons(table(3, "role", a=own, end_triggered=("vp",)), "role trader")
    assert "That makes 5 doubloons for the next building, if one can still be built." in found


def test_near_the_end_a_building_is_worth_its_vp():
    facts = {"doubloons": 5, "vp": 70}
    state = table(3, "builder", a=facts)
    assert reasons(state, "build hacienda") == ["It scores 1 VP at the end."]
    state = table(3, "builder", a={"doubloons": 5})
    said = ["It scores 1 VP at the end.", "To produce, it needs 1 sugar plantation"]
    found = reasons(state, "build small-sugar-mill")
    assert found[0] == said[0]
    assert found[1].startswith(said[1])


def test_the_extra_tile_of_the_hacienda_comes_first():
    state = table(3, "settler", to_move=0, chooser=0, row="sugar 1", a={"full": "hacienda"})
    view = PUERTO_RICO.view(state, 0)
    said = COACH.merits(view, parse_move("take quarry")).reasons
    gives_up = "It gives up the extra tile of the hacienda, which comes first."
    assert [type(one) for one in said if one == gives_up] == [Worse]
    assert gives_up not in reasons(state, "take face-down")


def test_barrels_are_told_with_what_can_be_done_with_them():
    state = table(3, "role", a={"full": "corn coffee coffee-roaster", "goods": "corn 2"})
    can = "A can then sell coffee for 4 doubloons or ship 3 corn."
    assert can in reasons(state, "role craftsman")


def test_who_sells_nothing_is_told_what_a_sale_would_bring():
    def passes(**facts: object) -> list[str]:
        return reasons(table(3, "trader", to_move=0, **facts), "pass")

    told = "Corn would sell for 1 doubloon; the barrel stays, to be shipped later."
    assert passes(a={"goods": "corn 1"}, chooser=0) == [told]
    told = "Corn would sell for nothing; the barrel stays, to be shipped later."
    assert passes(a={"goods": "corn 1"}, chooser=1) == [told]
    told = "Sugar would sell for 3 doubloons; the barrels stay, to be shipped later."
    own = {"goods": "corn 1 sugar 1", "full": "small-market"}
    assert passes(a=own, chooser=1) == [told]


@pytest.mark.parametrize(("quarries", "is_worse"), [("quarry 1", True), ("", False)])
def test_a_placement_looks_worse_with_an_idle_colonist_only_if_there_is_work(quarries, is_worse):
    own = {"full": "indigo small-indigo-plant", "island": f"indigo 1 {quarries}", "san_juan": 1}
    view = PUERTO_RICO.view(table(3, "mayor", a=own), 0)
    said = COACH.merits(view, parse_move("place indigo 2 small-indigo-plant")).reasons
    waits = "1 colonist has nothing to do yet: on indigo (its building is full)."
    assert [type(one) for one in said if one == waits] == [Worse if is_worse else Against]


def test_what_can_be_done_with_barrels_is_told_only_of_roles_that_are_left():
    own = {"full": "corn coffee coffee-roaster", "goods": "corn 2"}
    for sold, said in {-1: "A can then sell coffee for 4 doubloons.", 1: ""}.items():
        taken = (-1, -1, -1, -1, sold, 1, -1, -1)
        found = reasons(table(4, "role", a=own, taken=taken), "role craftsman")
        assert [one for one in found if "can then" in one] == [said] * bool(said)


def test_of_a_placement_all_that_it_produces_is_told():
    """And a lack of barrels with it."""
    own = {"full": "indigo small-indigo-plant", "island": "corn 1", "san_juan": 1}
    state = table(3, "mayor", a=own)
    same = "indigo small-indigo-plant"
    both = ["A can then produce 1 corn and 1 indigo."]
    assert reasons(state, f"place corn {same}") == both
    found = reasons(state, "place corn indigo")
    assert found[:2] == ["A can then produce 1 corn.", "It makes 1 indigo less than now."]
    state.goods_supply = bytes(5)
    none = "(none in the supply now)"
    short = f"A can then produce 1 corn {none} and 1 indigo {none}."
    assert reasons(state, f"place corn {same}") == [short]


def test_what_players_lose_is_said_with_what_they_get():
    ships = {4: "corn 3", 5: "sugar 4", 6: "coffee 5"}
    own, others = {"goods": "corn 2 indigo 3"}, {"goods": "sugar 1 indigo 3"}
    state = table(3, "role", a=own, b=others, c=others, cargo=ships)
    gets = "A will probably get 2 VP (shipping 1, captain 1)"
    loses = "but will probably lose 1 corn and 2 indigo (no storage)"
    assert reasons(state, "role captain")[0] == f"{gets}, {loses}."
    found = " ".join(reasons(state, "role captain"))
    assert "B and C will probably lose barrels (no storage)." in found


def test_of_a_load_it_is_said_who_can_use_the_rest_of_the_ship_and_who_finds_none():
    cargo = {4: "sugar 1", 5: "corn 1"}
    state = table(
        3, "captain", a={"goods": "coffee 2 corn 1"}, b={"goods": "indigo 1"}, cargo=cargo
    )
    found = reasons(state, "load coffee 6")
    assert "It leaves 4 spaces there, for coffee only: nobody else has any." in found
    assert "No ship is then left for B's indigo." in found
    state = table(
        3, "captain", a={"goods": "coffee 2"}, c={"goods": "coffee 1 sugar 1"}, cargo=cargo
    )
    assert "It leaves 4 spaces there, for coffee only: C has 1." in reasons(state, "load coffee 6")


def test_a_barrel_is_worth_what_its_owner_could_do_with_it():
    facts = {"full": "office large-market wharf"}
    cargo = {4: "corn 1", 5: "indigo 1", 6: "coffee 1"}
    state = table(3, "privilege", produced="sugar 1", house="sugar 1", cargo=cargo, a=facts)
    said = "A can then sell sugar for 4 doubloons or ship 1 sugar."
    assert reasons(state, "take sugar")[0] == said
    has = {"full": "office large-market wharf", "goods": "sugar 1"}
    more = table(3, "privilege", produced="sugar 1", cargo={4: "sugar 1"}, a=has)
    said = "A can then ship 2 sugar."
    assert reasons(more, "take sugar")[0] == said, "one barrel is sold, and there is one"
    alone = table(3, "privilege", produced="sugar 1", house="sugar 1", cargo=cargo)
    (said, *_) = COACH.merits(PUERTO_RICO.view(alone, 0), parse_move("take sugar")).reasons
    assert said == "Sugar adds nothing to sell or ship in this round."
    assert isinstance(said, Against)


def test_of_a_second_plantation_it_is_said_which_building_has_room_for_both():
    said = "can make {} sugar each time; sugar sells for 2 doubloons."
    first = table(3, "settler", row="sugar 2")
    assert (
        reasons(first, "take sugar")[0]
        == f"With a small sugar mill for 2 doubloons, A {said.format(1)}"
    )
    second = table(3, "settler", row="sugar 2", a={"island": "sugar"})
    assert (
        reasons(second, "take sugar")[0] == f"With a sugar mill for 4 doubloons, A {said.format(2)}"
    )


def test_of_a_placement_all_is_said_that_works_then():
    state = table(3, "mayor", a={"full": "small-market hospice", "island": "corn", "san_juan": 1})
    found = reasons(state, "place corn small-market hospice")
    assert found[0] == "A can then produce 1 corn, and use the small market and the hospice."


def test_a_role_tempts_only_if_nobody_else_scores_as_much_by_it():
    gets = {"none": ("A gets", 2), "corn 2": ("A will probably get", 0)}
    for goods, (will, vp) in gets.items():
        state = table(3, "role", a={"goods": "indigo 1"}, b={"goods": goods})
        found = COACH.merits(PUERTO_RICO.view(state, 0), parse_move("role captain"))
        assert found.reasons[0] == f"{will} 2 VP (shipping 1, captain 1)."
        assert found.vp == vp


def test_of_what_is_stored_it_is_said_what_it_sells_for_or_that_it_ships_together():
    state = table(3, "store", a={"goods": "corn 2 coffee 1"})
    dear = "It keeps coffee, which sells for 4 doubloons now."
    assert reasons(state, "store coffee")[0] == dear
    assert reasons(state, "store corn")[0] == "It keeps 1 corn to ship later."
    state = table(3, "store", a={"goods": "corn 3 sugar 1 coffee 1", "full": "small-warehouse"})
    assert reasons(state, "store corn 3 sugar")[0] == "It keeps 3 corn to ship together."
    assert not any("sells" in one for one in reasons(state, "store corn 3 sugar"))


def test_a_guest_is_told_with_what_it_does():
    own = {
        "full": "guest-house",
        "city": "fortress",
        "island": "corn 1 quarry 1",
        "goods": "corn 2",
    }
    state = table(3, "trader", a=own)
    assert reasons(state, "guest corn")[1] == "A can then produce 1 corn."
    assert reasons(state, "guest quarry")[1].startswith("A can then use the quarry (")
    assert reasons(state, "guest fortress")[0] == "A guest goes to work on the fortress."


@pytest.mark.parametrize(
    ("captain", "place", "said"),
    [
        (-1, "harbor", "A can then use the harbor (A gets 1 VP more for each load of corn)."),
        (1, "harbor", "No more barrels are made."),
        (-1, "small-market", "No more barrels are made."),
        (1, "residence", "It adds 4 VP (residence) at the end."),
    ],
)
def test_after_the_last_craftsman_a_placement_is_praised_for_what_still_scores(
    captain: int, place: str, said: str
):
    """As long as the captain can come, what helps there does, and barrels count."""
    own = {"island": "corn 1", "city": f"{place} hospice", "goods": "corn 2", "san_juan": 1}
    taken = (-1, 0, -1, 2, -1, captain, -1, -1)
    state = table(3, "mayor", a=own, taken=taken, end_triggered=("vp",))
    assert said in reasons(state, f"place {place}")
    guest = table(3, "trader", a={"full": "guest-house", "island": "corn 1"}, end_triggered=("vp",))
    guest.taken = taken
    assert not any("produce" in one for one in reasons(guest, "guest corn"))


def test_a_guest_who_leaves_a_large_building_costs_what_it_scores():
    own = {"full": "guest-house", "city": "city-hall", "island": "corn 1", "goods": "corn 1"}
    said = reasons(table(3, "trader", a=own, end_triggered=("vp",)), "guest corn")
    assert "It costs 2 VP (city hall) at the end." in said


def test_a_placement_that_makes_nothing_says_what_is_missing_and_has_rivals():
    own = {"island": "indigo 1", "city": "small-indigo-plant", "san_juan": 1}
    state = table(3, "mayor", a=own)
    found = judged(state)
    assert len(found) == 2
    idle = "1 colonist has nothing to do yet: in indigo buildings"
    said = f"{idle} (a plantation lacks a colonist)."
    assert reasons(state, "place small-indigo-plant")[0] == said
    own = {"island": "sugar 1 indigo 1", "city": "small-warehouse", "san_juan": 1}
    state = table(3, "mayor", a=own)
    waits = "1 colonist has nothing to do yet: on sugar (no building)."
    assert reasons(state, "place sugar")[0] == waits
    assert "It makes nothing yet." in reasons(state, "place small-warehouse")
    own = {"island": "none", "city": "small-indigo-plant", "san_juan": 1}
    needs = reasons(table(3, "mayor", a=own), "place small-indigo-plant")[0]
    assert needs == f"{idle} (no plantation for it)."


@pytest.mark.parametrize("tile", ["quarry", "corn"])
def test_reasons_for_a_role_name_what_the_next_hint_recommends(tile: str):
    state = table(3, "role", row="corn 1 sugar 1")
    view = PUERTO_RICO.view(state, state.seat)
    asked: list[View] = []

    def advise(view: View) -> Move:
        asked.append(view)
        return parse_move(f"take {tile}")

    found = COACH.merits(view, parse_move("role settler"), advise).reasons
    assert [one.then for one in found if isinstance(one, Promise)] == [f"take {tile}"]
    said = " ".join(found)
    a_tile = "a quarry" if tile == "quarry" else f"a {tile} plantation"
    assert f"A can take {a_tile}." in said
    assert [(one.seat, one.table.phase) for one in asked] == [(0, "settler")]


@pytest.mark.long
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("seed", ["x", "y"])
def test_a_hint_for_a_role_says_what_the_next_hint_recommends(porto, seed: str):
    porto("new", "game.yaml", "Ana", "Rui", "--game", "puerto-rico", "--seed", seed)
    said, followed = "", 0
    for _ in range(14):
        best = json.loads(porto("hint", "game.yaml", "--format", "json").out)["moves"][0]
        verb, *words = best["move"].split()
        if said and verb in {"take", "build"}:
            assert words[0].replace("-", " ") in said
            followed += 1
        said = " ".join(best["reasons"]) if verb == "role" else ""
        assert porto(*best["command"].split()[1:]).code == 0
    assert followed


@pytest.mark.long
def test_who_takes_the_builder_is_told_of_the_building_that_a_hint_recommends_then():
    builds = [
        state
        for state in some((3, "base", "printed"), 0.1)
        if any(
            format_move(one) == "role builder" for one in PUERTO_RICO.legal_moves(state, state.seat)
        )
    ]
    same = 0
    for state in builds:
        said = " ".join(reasons(state, "role builder"))
        then = play(state, "role builder").state
        if then.phase == "builder" and then.seat == state.seat:
            (best, _), *_ = judged(then)
            same += best == "pass" or best.removeprefix("build ").replace("-", " ") in said
        else:
            same += 1
    assert same >= 0.7 * len(builds)


def test_what_only_breaks_ties_is_told():
    state = last_role(c={"goods": "sugar 2"})
    ties = "From now on doubloons only break ties."
    assert ties in reasons(state, "role trader")
    assert ties not in reasons(state, "role captain")
    assert not any("ends" in one for one in reasons(state, "role captain")), "that is known"
    assert ties not in reasons(table(3, "role", a={"goods": "sugar 2"}), "role trader")


def test_in_the_last_role_what_is_scored_decides():
    state = last_builder(a={"doubloons": 20, "island": "corn 3", "city": "hospice office"})
    found = dict(judged(state, moves=[parse_move("pass")]))
    assert found["build guild-hall"].behind == 0
    assert found["pass"].behind == pytest.approx(4)
    assert not found["pass"].doubt


def test_an_extra_barrel_is_taken():
    state = table(3, "privilege", produced="corn 1 sugar 1")
    assert "pass" not in dict(judged(state))
    assert "pass" in dict(judged(state, moves=[parse_move("pass")]))


def test_barrels_that_are_lost_are_named():
    state = table(3, "store", a={"goods": "corn 3 sugar 2"})
    assert "It loses 2 corn and 2 sugar." in reasons(state, "store corn")
    own, sold = {"goods": "corn 1 sugar 1"}, (-1, -1, -1, -1, 1, 0, -1, -1)
    state = table(3, "store", a=own, taken=sold, end_triggered=("vp",))
    said = ["From now on barrels only break ties.", "It loses 1 sugar."]
    assert reasons(state, "store corn") == said


@pytest.mark.parametrize("kind", one_in(6, KINDS[::5]))
def test_there_is_a_judgment_and_a_reason_in_every_phase(kind):
    for state in some(kind, 0.05):
        view = PUERTO_RICO.view(state, state.seat)
        for _, one in judged(state, samples=8, width=3):
            result = COACH.merits(view, one.move).reasons
            assert result
            assert all("{" not in str(reason) for reason in result)


# --- the commands


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach_module, "SAMPLES", dict.fromkeys(range(2, 6), 16))


@pytest.mark.long
def test_a_hint_fits_sixty_columns_and_the_schema(porto, quick, monkeypatch):
    porto("new", "sunday.yaml", "Ana", "Rui", "Bea", "--game", "puerto-rico", "--seed", "x")
    monkeypatch.setenv("COLUMNS", "60")
    result = porto("hint", "sunday.yaml")
    assert result.code == 0
    assert "best for " in result.out.splitlines()[0].lower()
    assert max(map(len, result.out.splitlines())) < 60
    output = validated("hint", porto("hint", "sunday.yaml", "--format", "json").out)
    command = output["moves"][0]["command"].split()
    assert porto(*command[1:]).code == 0


@pytest.mark.long
def test_a_record_is_analyzed(porto):
    match = new_game(["Ana", "Rui"], game="puerto-rico", seed="x")
    for _ in range(12):
        match.play(random_move(match.state, Random(1)), player=match.state.seat)
    match.save("game.yaml")
    result = validated(
        "analysis", porto("analyze", "game.yaml", "--format", "json", "--samples", 8, "-j", 1).out
    )
    assert result["game"] == "puerto-rico"
    assert len(result["turns"]) == 12
    course = analysis.questions(porto_cli.load("game.yaml").replay)
    assert len(list(analysis.answers(course.questions, samples=8))) == 12


# --- the analysis -----------------------------------------------------------------------------


RECORD = ROOT / "records" / "puerto-rico" / "two-players.yaml"


class FirstOfTheList:
    near = 1.0

    def judge(self, view: View, luck: Random, *, moves: Sequence[Move] = (), **_: object):
        assert view.seat is not None
        first = game_of("puerto-rico").legal_moves(view.table, view.seat, 1)[0]
        rest = [Judgment(move, Prospect(-5, 0.1), 5.0, 0.1) for move in moves if move != first]
        return [Judgment(first, Prospect(0, 0.5), 0.0, 0.0), *rest]

    def prospect(self, view: View) -> Prospect:
        return Prospect(0.0, 0.5 if view.seat else 0.25)

    def expected(self, view: View, move: Move, luck: Random, *, samples: int = 50) -> Prospect:
        return Prospect(-1.0, 0.5)

    def merits(self, view: View, move: Move) -> Merits:
        return Merits(["It is the first one."])


@pytest.fixture
def first_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "coach_of", lambda _: FirstOfTheList())


@pytest.mark.usefixtures("first_is_best")
def test_every_decision_is_judged_and_luck_is_what_came_up() -> None:
    replay = porto_cli.load(RECORD).replay
    course = questions(replay)
    found = analysis_of(course, answers(course.questions))
    assert [turn["turn"] for turn in found["turns"]] == list(range(1, replay.state.turn + 1))
    assert {turn["mark"] for turn in found["turns"]} == {None, "?"}
    assert {tuple(turn["luck"]) for turn in found["turns"]} == {(0.0, 0.0), (1.0, 1.0)}


@pytest.mark.long
@pytest.mark.usefixtures("first_is_best")
def test_the_page_and_the_document(porto) -> None:
    replay = porto_cli.load(RECORD).replay
    course = questions(replay)
    found = analysis_of(course, answers(course.questions))
    page = story_html(replay, 0, found)
    assert ">Chance of winning in %<" in page
    assert "? Lost 5.0 VP." in Page(page).text
    output = porto("analyze", RECORD, "--format", "json", "-j", 1).out
    assert validated("analysis", output)["game"] == "puerto-rico"
    assert porto("log", RECORD, "--format", "html").out.rstrip() == story_html(replay).rstrip()


def test_what_a_role_adds_at_the_end_for_others_is_told_near_the_end():
    """Who leaves them nothing says so in the last round."""
    state = table(3, "role", b={"city": "residence", "island": "corn 9"}, end_triggered=("vp",))
    found = reasons(state, "role mayor")
    assert "B will probably get 1 colonist and 4 VP (residence) at the end." in found
    assert "Probably nobody else scores by it." in reasons(state, "role settler")
