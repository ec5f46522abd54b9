"""The table, the moves, the story and the reckoning for programs, as the page describes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.play import count_moves
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, OVER
from porto_cli.games.puerto_rico.view import MOST, moves_json, standings, view
from tests.documents import validated
from tests.puerto_rico.matches import SEEDS, decisions, new
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import game, named


def test_the_result_is_what_the_page_reckons() -> None:
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
        b={"vp": 20, "doubloons": 1, "island": "corn", "city": "customs-house"},
    )
    state.phase = OVER
    assert view(named(state))["result"] == {
        "Inês": {
            "chips": 17,
            "buildings": 5,
            "residence": 5,
            "total": 27,
            "tie-break": 4,
            "place": 1,
        },
        "Joana": {"chips": 20, "buildings": 4, "total": 24, "tie-break": 1, "place": 2},
    }


def test_before_the_end_the_reckoning_knows_the_chips_of_who_asks() -> None:
    state = table(
        3,
        a={"vp": 9, "full": "customs-house fortress", "san_juan": 1},
        b={"vp": 8, "full": "customs-house residence"},
    )
    found = standings(view(state, 0))
    assert found["over"] is False
    mine, other, _ = found["players"]
    assert (mine["chips"], mine["customs-house"], mine["fortress"]) == (9, 2, 1)
    assert (mine["total"], mine["place"]) == (9 + 8 + 2 + 1, None)
    assert (other["chips"], other["total"], other["buildings"]) == (None, None, 8)
    assert (other["customs-house"], other["residence"]) == (None, 4)


def test_a_guest_whose_home_depends_on_secret_chips_is_not_counted() -> None:
    """The guest goes to the customs house if that is worth more than the residence."""
    state = expansion(
        2,
        "role",
        "guest-house customs-house residence",
        b={"city": "guest-house customs-house residence", "colonists": "guest-house"},
    )
    for vp in (0, 40):
        state.players[1].vp = vp
        other = standings(view(state, 0))["players"][1]
        assert (other["customs-house"], other["residence"]) == (None, None)


@pytest.mark.long
def test_after_the_end_the_reckoning_is_that_of_the_engine() -> None:
    for kind in KINDS[::5]:
        state = game(*kind, seed=3)[-1].after
        found = {player["name"]: player for player in standings(view(state))["players"]}
        for one in final_scores(state):
            player = found[state.config.players[one.seat]]
            assert (player["total"], player["place"]) == (one.total, one.place)
        assert [player["place"] for player in found.values()] == sorted(
            player["place"] for player in found.values()
        )


# -- moves


def found_move(state, text: str) -> dict[str, object]:
    moves = moves_json(state)["moves"]
    assert isinstance(moves, list)
    return next(move for move in moves if move["move"] == text)


def test_the_parts_of_moves_and_what_they_bring() -> None:
    state = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn sugar 5"})
    assert found_move(state, "load sugar 6") == {
        "move": "load sugar 6",
        "kind": "load",
        "goods": {"sugar": 5},
        "onto": "6",
        "scores": [["shipping", 5], ["captain", 1]],
        "earns": [],
        "vp": 6,
        "doubloons": 0,
        "barrels": {"sugar": -5},
    }
    state = table(3, "builder", a={"doubloons": 7, "full": "university"})
    assert found_move(state, "build harbor no-colonist") == {
        "move": "build harbor no-colonist",
        "kind": "build",
        "building": "harbor",
        "price": 7,
        "returned": {},
        "no_colonist": True,
        "scores": [],
        "earns": [["build", -7]],
        "vp": 3,
        "doubloons": -7,
        "barrels": {},
    }
    state = table(3, "settler", a={"full": "hacienda"}, row="corn 2 coffee")
    assert found_move(state, "take face-down")["from"] == "stack"
    assert found_move(state, "take coffee")["tile"] == "coffee"
    state = table(3, "trader", a={"goods": "coffee", "full": "small-market"})
    assert found_move(state, "sell coffee")["earns"] == [
        ["sale", 4],
        ["trader", 1],
        ["small-market", 1],
    ]


def test_what_others_get_and_what_goes_by_itself_is_not_counted() -> None:
    state = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn sugar 5"})
    state.players[1].goods = state.players[0].goods
    assert found_move(state, "load sugar 6")["scores"] == [["shipping", 5], ["captain", 1]]


def test_moves_that_are_too_many_are_described(porto) -> None:
    """At the command line too, as the schema has it."""
    match = next(
        match
        for seed in SEEDS
        for match in decisions(new(4, seed))
        if match.state.phase == MAYOR_PHASE and count_moves(match.state) > MOST
    )
    Path("game.yaml").write_text(match.record.text, "utf-8")
    found = validated("moves", porto("moves", "game.yaml", "--format", "json").out)
    assert found["count"] == count_moves(match.state)
    assert sum(found["circles"].values()) >= found["fewest"] > 0
    searched = porto("moves", "game.yaml", "hacienda")
    assert (searched.code, searched.out) == (2, "")
    assert f"{found['count']} legal moves, too many" in searched.err


BIG = "indigo-plant tobacco-storage coffee-roaster small-market hacienda office harbor"


def test_what_placements_have_to_satisfy() -> None:
    state = table(3, "mayor", a={"island": "corn 3 indigo 4", "city": BIG, "san_juan": 9})
    found = moves_json(state)
    assert found["count"] == count_moves(state) > MOST
    assert (found["colonists"], found["fewest"]) == (9, 9)
    assert found["circles"]["corn"] == 3
    assert found["circles"]["coffee-roaster"] == 2
    assert "moves" not in found
    guide = table(
        3,
        "mayor",
        rulebook="guide",
        a={"island": "corn 3 indigo 4", "city": BIG, "san_juan": 9},
    )
    assert moves_json(guide)["fewest"] == 0


def test_what_loads_of_a_small_wharf_have_to_satisfy() -> None:
    state = expansion(
        3,
        "captain",
        "small-wharf",
        a={"full": "small-wharf", "goods": "corn 5 indigo 5 sugar 5 coffee 2"},
    )
    found = moves_json(state)
    assert found == {
        "count": count_moves(state),
        "goods": {"corn": 5, "indigo": 5, "sugar": 5, "coffee": 2},
    }


def test_what_payments_with_a_black_market_have_to_satisfy() -> None:
    """Two things for each of three large buildings, and hundreds of ways to choose them."""
    state = expansion(
        3,
        "builder",
        "black-market guild-hall residence fortress customs-house city-hall",
        a={
            "full": f"black-market {BIG}",
            "island": "corn indigo sugar tobacco coffee",
            "colonists": f"corn indigo sugar tobacco coffee {BIG}",
            "goods": "corn indigo sugar tobacco coffee",
            "doubloons": 7,
            "vp": 5,
        },
    )
    found = moves_json(state)
    assert found["count"] == count_moves(state) > MOST
    assert "moves" not in found
    assert found["prices"]["residence"] == 9
    assert found["vp"] is True
    assert found["goods"]["tobacco"] == 1
    assert found["colonists"]["harbor"] == 1


def test_who_has_no_barrels_can_only_pass() -> None:
    found = moves_json(table(3, "captain"))
    assert (found["count"], [move["move"] for move in found["moves"]]) == (1, ["pass"])


def test_who_is_not_to_move_has_no_moves() -> None:
    assert moves_json(table(3), 2) == {"count": 0, "moves": []}
