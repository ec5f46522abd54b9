"""``porto move``: one command for all moves, as ``porto moves --format json`` has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.conftest import Result

Play = Callable[..., Result]
NEW = {
    "porto": ("new", "game.yaml", "Ana", "--seed", "tram"),
    "puerto-rico": ("new", "game.yaml", "Ana", "Rui", "--seed", "tram", "--game", "puerto-rico"),
}


@pytest.mark.long
@pytest.mark.parametrize("game", NEW)
def test_what_moves_lists_is_a_move(porto: Play, game: str) -> None:
    """A program plays on by the texts of the list alone, and the record is as by the verbs."""
    assert porto(*NEW[game]).code == 0
    other, rnd = Path("other.yaml"), Random(7)
    other.write_text(Path("game.yaml").read_text("utf-8"), "utf-8")
    for _ in range(12):
        listed = json.loads(porto("moves", "game.yaml", "--format", "json").out)
        text = rnd.choice(listed["moves"])["move"] if listed.get("moves") else "place"
        if text == "place":
            break
        played = porto("move", "game.yaml", text, "--format", "json")
        assert (played.code, json.loads(played.out)["moves"]) == (0, [text])
        verb, *words = text.split()
        assert porto(verb, other, *words).code == 0
    items = (Path("game.yaml"), other)
    assert len({path.read_text("utf-8").partition("turns:")[2] for path in items}) == 1


def test_undo_is_a_move_and_quotation_marks_can_be_left_out(porto: Play) -> None:
    porto(*NEW["porto"])
    before = porto("show", "game.yaml").out
    assert porto("move", "game.yaml", "keep", 1, 2, 3).code == 0
    assert porto("move", "game.yaml", "Undo").code == 0
    assert porto("show", "game.yaml").out.splitlines()[:9] == before.splitlines()[:9]


def test_what_is_no_move_is_said_with_what_would_be_one(porto: Play) -> None:
    porto(*NEW["porto"])
    wrong = porto("move", "game.yaml", "keap 1 2 3")
    assert (wrong.code, "'keap' is not one of its moves" in wrong.err) == (2, True)
    assert wrong.proposed == ["porto keep game.yaml 1 2 3", "porto moves game.yaml"]
    missing = porto("move", "game.yaml")
    assert (missing.code, missing.proposed) == (2, ["porto moves game.yaml"])
    assert "the move is missing" in missing.err
    nowhere = porto("move", "keep 1 2 3")
    assert (nowhere.code, nowhere.proposed) == (2, ["porto move game.yaml keep 1 2 3"])
    foreign = porto("move", "game.yaml", "role settler")
    assert (foreign.code, "'role' is not one of its moves" in foreign.err) == (2, True)


def test_a_move_takes_only_the_options_of_its_verb(porto: Play) -> None:
    porto(*NEW["porto"])
    refused = porto("move", "game.yaml", "keep 1 2 3", "--token", "L3")
    assert (refused.code, "'keep' has no option --token; leave it out" in refused.err) == (2, True)
    refused = porto(
        "move", "game.yaml", "undo", "--token", "L3", "--refill", "b1", "--contract", "x"
    )
    names = refused.err.partition("has no option ")[2].partition(";")[0]
    assert {*names.replace(" or", ",").split(", ")} == {"--token", "--refill", "--contract"}
