"""What players are asked at the keyboard, decision by decision, and what they can answer."""

from __future__ import annotations

import random
import re

import pytest

from porto_cli.asking import ask
from porto_cli.core import InvalidMoveError
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.form import sheet
from porto_cli.games.puerto_rico.notation import expand_move, format_move
from porto_cli.games.puerto_rico.options import RULES, options
from porto_cli.installed import questions_of, ruling
from porto_cli.term import plain
from porto_cli.term.prompt import CancelledError
from tests.porto.asking import BACK, Scripted
from tests.puerto_rico.asking import Answers, asked, notes, offered
from tests.puerto_rico.playing import plies
from tests.puerto_rico.tables import expansion, table


def test_a_role_is_chosen_by_what_it_does_and_what_lies_on_it() -> None:
    state = table(
        3,
        a={"island": "corn 2", "colonists": "corn 2"},
        role_doubloons=(0, 0, 2, 1, 0, 0, 0, 0),
    )
    shown = offered(state)
    # As they lie on the table.
    assert shown[:4] == [
        "settler: a plantation or a quarry",
        "mayor: 2 colonists (1 as your bonus)",
        "builder: build, 1 doubloon off +2 doubloons",
        "craftsman: 2 corn + 1 extra +1 doubloon",
    ]
    assert not any("no extra colonist" in one for one in shown), "few players decline it"
    assert asked(state, "builder") == "role builder"
    assert asked(state, "mayor: ") == "role mayor"
    assert asked(state, "mayor, no extra") == "role mayor no-colonist"


@pytest.mark.parametrize(
    ("goods", "full", "promised"),
    [
        ("corn 4", "hospice", "load 4 corn for 5 VP"),
        ("corn 4 sugar 1", "hospice", "load 4 corn for at least 5 VP"),
        ("corn 5", "hospice", "load 5 corn for 6 VP"),
        ("corn 7", "hospice", "load 6 corn for 7 VP"),
        ("corn 7", "wharf", "load 7 corn for 8 VP"),
        ("corn 2 coffee 2", "wharf", "load 2 corn for at least 3 VP"),
    ],
)
def test_the_captain_promises_no_less_than_what_can_be_loaded(goods, full, promised) -> None:
    """What is loaded first is certain; what comes later depends on the others."""
    assert f"captain: {promised}" in offered(table(3, a={"goods": goods, "full": full}))


def test_the_library_doubles_what_roles_promise() -> None:
    state = expansion(2, "role", "library", a={"full": "library", "goods": "corn"})
    assert "prospector: 2 doubloons" in offered(state)
    assert "captain: load 1 corn for 3 VP" in offered(state)


def test_five_players_choose_between_two_prospectors() -> None:
    state = table(5, role_doubloons=(0, 0, 0, 0, 0, 0, 0, 3))
    assert asked(state, "3 doubloons") == "role prospector-2"


def test_tiles_are_chosen_first_and_what_is_rare_is_asked_behind_them() -> None:
    state = expansion(
        3,
        "settler",
        "hospice forest-house",
        row="corn 2 sugar",
        supply=9,
        a={"full": "hospice forest-house"},
    )
    assert offered(state) == [
        "a corn plantation (2 in the row)",
        "a sugar plantation (1 in the row)",
        "a quarry (8 left)",
        "Take no tile",
    ]
    assert asked(state, "quarry") == "take quarry"
    assert asked(state, "sugar", "as it is") == "take sugar"
    assert asked(state, "sugar", "as a forest") == "take sugar forest"
    assert asked(state, "no colonist", "quarry") == "take quarry no-colonist"
    assert asked(state, "corn", BACK, "no tile") == "pass"


def test_the_hacienda_turns_up_a_tile_first() -> None:
    state = table(3, "settler", a={"full": "hacienda"})
    assert asked(state, "Take a face-down plantation first") == "take face-down"


def test_what_can_be_built_comes_first_with_its_price_and_then_why_the_rest_cannot() -> None:
    state = table(
        3,
        "builder",
        a={"doubloons": 4, "city": "small-market", "island": "quarry 2", "colonists": "quarry 2"},
    )
    shown = offered(state)
    # The prices on the board, less 1 for the builder and 2 for the quarries.
    assert [label.split(" ")[0] for label in shown[:4]] == [
        "small-indigo-plant",
        "construction-hut",
        "hacienda",
        "small-sugar-mill",
    ]
    assert shown[0] == "small-indigo-plant 1 VP free"
    assert "tobacco-storage 3 VP costs 2 doubloons" in shown
    assert "office 2 VP costs 2 doubloons" in shown
    at = shown.index("Build nothing")
    assert all(label.startswith("(") for label in shown[at + 1 :])
    assert "(small-market) you have it" in shown[at:]
    assert "(university) 5 doubloons, too expensive" in shown[at:]
    asker = Answers("(university", "office")
    assert ask(asker, options(state, asking=True)) == ["build office"]
    assert any("PR-BUILDER-2: university costs A 5 doubloons" in one for one in asker.seen)


def test_what_the_black_market_takes_is_asked_thing_by_thing() -> None:
    state = expansion(
        2,
        "builder",
        "black-market",
        chooser=1,
        to_move=0,
        a={
            "doubloons": 5,
            "vp": 2,
            "goods": "corn sugar",
            "full": "black-market",
            "island": "corn",
            "colonists": "black-market corn",
        },
    )
    assert "Use the black market up to 3 VP" in offered(state)
    assert (
        asked(state, "Use", "factory", "1 sugar", "no VP", "of corn")
        == "build factory return sugar colonist corn"
    )
    kinds = {
        part.question: next(rule for rule in part.rules if rule in questions_of("puerto-rico"))
        for option in options(state, asking=True)
        for part in option.parts
    }
    assert kinds["Which barrel will you return?"] == "black-market", "not what builders do"
    assert kinds["What will you build with it?"] == "builder"
    # No barrel: the chip and a colonist go, and only which colonist is asked.
    assert (
        asked(state, "Use", "factory", "no barrel", "black-market")
        == "build factory return vp colonist black-market"
    )
    assert asked(state, "Use", "factory", "1 corn", BACK, BACK, BACK, "Build nothing") == "pass"


def test_the_colonist_of_the_university_is_declined_by_who_types_it() -> None:
    state = table(2, "builder", a={"doubloons": 3, "full": "university"})
    assert asked(state, "hacienda") == "build hacienda"
    can = [label for label in offered(state) if not label.startswith("(")]
    assert can[-1] == "Build nothing"
    assert not any("no colonist" in one for one in can)
    assert asked(state, "no colonist", "hacienda") == "build hacienda no-colonist"


def test_a_sale_says_what_it_brings() -> None:
    state = table(
        3, "trader", house="corn", a={"goods": "corn coffee", "full": "small-market office"}
    )
    assert offered(state) == ["coffee 6 doubloons", "corn 2 doubloons", "Sell nothing"]
    assert notes(state) == ["sale 4, trader 1, small-market 1", "trader 1, small-market 1", ""]
    assert asked(state, "coffee") == "sell coffee"


def test_a_load_says_what_the_ship_takes_and_what_it_brings() -> None:
    state = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn 4 sugar 5", "full": "wharf"})
    assert offered(state) == [
        "5 sugar onto the 6-space ship 6 VP",
        "5 sugar by the wharf 6 VP",
        "4 corn by the wharf 5 VP",
        "2 corn onto the 5-space ship 3 VP",
    ]
    assert notes(state)[-1] == "shipping 2, captain 1"
    assert asked(state, "4 corn by the wharf") == "load corn wharf"


def test_barrels_of_the_small_wharf_are_counted_in_a_form() -> None:
    state = expansion(
        3, "captain", "small-wharf", a={"goods": "corn 3 coffee 2", "full": "small-wharf"}
    )
    asker = Answers("small wharf", [2, 1])
    assert ask(asker, options(state, asking=True)) == ["load corn 2 coffee small-wharf"]
    assert "Barrels: 3, for 1 VP." in asker.seen
    asker = Answers("small wharf", None)
    asker.hinted = "load coffee 2 small-wharf"
    assert ask(asker, options(state, asking=True)) == [asker.hinted], "after a hint"


def test_no_name_at_all_is_no_load_of_the_small_wharf() -> None:
    fields = {"goods": "corn 3 coffee 2", "full": "small-wharf"}
    form = sheet(expansion(3, "captain", "small-wharf", a=fields))
    assert form.read
    with pytest.raises(InvalidMoveError, match="A name is missing, like corn; for nothing at all"):
        form.read(" ")
    assert form.read("none") == [0, 0]


def test_storing_says_what_goes_back() -> None:
    state = table(3, "store", a={"goods": "corn 2 sugar"})
    assert offered(state) == [
        "Store 1 corn and lose 2 barrels",
        "Store 1 sugar and lose 2 barrels",
    ]


def test_the_draft_goes_by_cost() -> None:
    state = table(3, "draft", buildings="draft")
    assert offered(state)[:2] == [
        "small-market or aqueduct costs 1 doubloon",
        "hacienda, construction-hut, forest-house or black-market costs 2 doubloons",
    ]
    assert asked(state, "2 doubloons", "black-market") == "choose black-market"
    assert asked(state, "2 doubloons", BACK, "1 doubloon", "aqueduct") == "choose aqueduct"


def test_a_guest_moves_before_anything_else() -> None:
    state = expansion(
        2,
        "craftsman",
        "guest-house",
        a={"full": "guest-house", "island": "corn 2", "colonists": "corn guest-house"},
    )
    assert offered(state) == [
        "Produce 1 corn now",
        "Move a guest first guest corn",
    ]
    assert asked(state, "guest") == "guest corn"
    assert asked(state, "Produce") == "pass"


def test_the_privilege_of_the_craftsman() -> None:
    state = expansion(2, "privilege", "library", produced="corn 2 sugar", a={"full": "library"})
    assert asked(state, "1 corn and 1 sugar") == "take corn sugar"
    assert asked(state, "nothing") == "pass"


# -- the form of placements


def mayor(**facts: object) -> State:
    return table(
        2,
        "mayor",
        a={
            "island": "corn 2 sugar quarry",
            "city": "small-sugar-mill hacienda",
            "colonists": "corn quarry",
            "san_juan": 2,
            **facts,
        },
    )


def test_at_the_start_all_are_as_a_bot_would_place_them() -> None:
    state = mayor()
    asker = Answers(None)
    assert ask(asker, options(state, asking=True)) == [
        "place sugar quarry small-sugar-mill hacienda"
    ]
    assert asker.seen[0].splitlines()[1:] == [
        "corn 0/2",
        "sugar 1/1",
        "quarry 1/1",
        "small-sugar-mill 1/1",
        "hacienda 1/1",
    ]
    assert any("Produces 1 sugar." in one for one in asker.seen)


def test_a_new_colonist_joins_the_one_who_waits_in_the_mill() -> None:
    state = mayor(colonists="small-sugar-mill quarry hacienda", san_juan=1)
    assert asked(state, None) == "place sugar quarry small-sugar-mill hacienda"


@pytest.mark.parametrize("building", ["small-market", "hacienda"])
def test_without_goods_the_first_colonist_goes_to_the_quarry(building: str) -> None:
    """It makes what is built next cheaper; a market is of no use yet."""
    state = table(3, "mayor", a={"island": "indigo quarry", "city": building, "san_juan": 1})
    assert asked(state, None) == "place quarry"


def test_a_placement_is_the_numbers_of_the_rows() -> None:
    assert asked(mayor(), [1, 1, 1, 1, 0]) == "place corn sugar quarry small-sugar-mill"


def test_a_placement_that_is_not_legal_says_why() -> None:
    placements = options(mayor(), asking=True)
    for wrong, why in (
        ([1, 1, 1, 0, 0], "A must place 4 colonists; this places 3."),
        ([2, 1, 1, 1, 1], "A has 4 colonists; this placement needs 6."),
    ):
        with pytest.raises(AssertionError, match=why):
            ask(Answers(wrong), placements)


def test_by_the_guide_colonists_may_stay_in_san_juan() -> None:
    state = table(
        2, "mayor", rulebook="guide", a={"island": "corn 2", "san_juan": 1, "colonists": "corn"}
    )
    assert asked(state, [0]) == "place none"


# -- every question of whole games


@pytest.mark.long_for("kind0", "kind2")
@pytest.mark.parametrize(
    "kind", [(2, "draft", "printed"), (3, "random", "guide"), (5, "base", "printed")]
)
def test_whatever_is_answered_is_a_legal_move(kind: tuple[int, str, str]) -> None:
    """Random answers, also of who backs out; each kind of question comes up."""
    rng = random.Random("answers")

    def anything(asker: Scripted, question: str, labels: list[str]) -> object:
        return rng.choice([label for label in labels if not label.startswith("(")])

    phases = set()
    for ply in plies(kind, random.Random(3)):
        state = ply.before
        phases.add(state.phase)
        legal = options(state, asking=True)
        asker = Answers(then=None if any(one.form for one in legal) else anything)
        try:
            (text,) = ask(asker, legal)
        except CancelledError:
            continue
        move = expand_move(text, state, state.seat)
        assert not violations(state, move, state.seat), (state.phase, text)
        assert count_moves(state) > 1
    assert phases >= {"role", "settler", "mayor", "builder", "trader", "captain"}


@pytest.mark.parametrize("kind", [(2, "draft", "printed"), (4, "random", "guide")])
def test_each_legal_move_is_one_way_through_the_menus(kind: tuple[int, str, str]) -> None:
    """But for placements and loads of the small wharf, which are forms."""
    for ply in plies(kind, random.Random(5)):
        if ply.before.phase == "mayor":
            continue
        shown = options(ply.before, asking=True)
        found = [one for one in shown if not one.why_not and not one.form]
        ways = {tuple(plain(part.label) for part in one.parts) for one in found}
        moves = {format_move(move) for move in legal_moves(ply.before)}
        counted = {move for move in moves if re.fullmatch(r"load .* small-wharf", move)}
        assert {one.move for one in found} == moves - counted
        assert len(ways) == len(found)


def test_every_question_has_rules_that_there_are() -> None:
    for rules in RULES.values():
        for rule in rules.split():
            assert ruling(rule).id == rule
