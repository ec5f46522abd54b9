"""What a seat may see and do, by names: what a bot that plays fairly looks at."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import porto_cli
from porto_cli.games.puerto_rico import Built, Emptied, Loaded, Produced, Sold
from porto_cli.games.puerto_rico.engine import GOODS, PLACES, ROLES, TILES, counts_of
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    Build,
    Load,
    Place,
    TakeRole,
    bundle_dict,
)
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, violations
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, NOBODY
from porto_cli.games.puerto_rico.notation import parse_move
from porto_cli.games.puerto_rico.view import MOST, observe
from tests.conftest import ROOT
from tests.puerto_rico import tables
from tests.puerto_rico.playing import KINDS, plies

RECORDS = sorted((ROOT / "records" / "puerto-rico").glob("*.yaml"))


@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_an_observation_has_what_lies_on_the_table_by_names(kind: tuple[int, str, str]) -> None:
    for number, ply in enumerate(plies(kind, random.Random(str(kind)))):
        if number % 7:
            continue
        state = ply.before
        seen = observe(state, 0)
        assert (seen["player"], seen["phase"]) == ("A", state.phase)
        me, *others = seen["players"]
        assert (me["name"], me["vp"]) == ("A", state.players[0].vp)
        assert me["score"]["total"] is not None
        for one in others:
            assert (one["vp"], one["score"]["total"], one["score"]["chips"]) == (None, None, None)
        for one, player in zip(seen["players"], state.players, strict=True):
            assert one["doubloons"] == player.doubloons
            assert one["goods"] == bundle_dict(player.goods, GOODS)
            tiles = {name: kind["tiles"] for name, kind in one["island"].items()}
            assert tiles == bundle_dict(player.island, TILES)
            colonists = [
                *one["city"].values(),
                *(kind["colonists"] for kind in one["island"].values()),
            ]
            assert sum(colonists) + one["san_juan"] == player.people
            assert one["circles"] == bundle_dict(player.circles, PLACES)
        assert seen["tiles"] == bundle_dict(state.row, TILES)
        assert seen["stack_tiles"] == bundle_dict(counts_of(state.stack), TILES)
        assert sum(seen["stack_tiles"].values()) == seen["stack"]
        loads = [load["barrels"] if load else 0 for load in seen["cargo"].values()]
        assert loads == list(state.cargo_barrels)
        free = {name for name, role in seen["roles"].items() if role["taken"] is None}
        assert free == {
            ROLES[role] for role in state.config.box.roles if state.taken[role] == NOBODY
        }
        assert json.loads(json.dumps(seen)) == seen


@pytest.mark.long_for("(4, 'draft', 'guide')")
@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_the_prices_are_those_that_the_builder_pays(kind: tuple[int, str, str]) -> None:
    for number, ply in enumerate(plies(kind, random.Random(str(kind)))):
        if number % 3:
            continue
        seen = observe(ply.before, ply.before.seat)
        assert set(seen["prices"]) == {*seen["buildings"], *seen["draft"]}
        for move in seen["moves"]:
            if move["kind"] == "build":
                assert seen["prices"][move["building"]] == move["price"]
            if move["kind"] == "choose":
                assert move["building"] in seen["draft"]


@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_the_moves_are_the_legal_ones_and_say_what_they_bring(kind: tuple[int, str, str]) -> None:
    """Compared with what the table has afterward, where nothing follows by itself."""
    compared = 0
    for number, ply in enumerate(plies(kind, random.Random(str(kind)))):
        if number % 5:
            continue
        state, seat = ply.before, ply.before.seat
        seen = observe(state, seat)
        moves = seen["moves"]
        texts = [move["move"] for move in moves]
        assert seen["count"] == count_moves(state)
        assert len(set(texts)) == len(texts) == min(seen["count"], MOST)
        assert not any(violations(state, parse_move(text)) for text in texts[:30])
        brought = [(one["vp"], one["doubloons"], sum(one["barrels"].values())) for one in moves]
        assert brought == sorted(brought, reverse=True)
        assert observe(state, (seat + 1) % kind[0])["moves"] == []
        for move in moves[:20]:
            after, events = apply(state, parse_move(move["move"]), lambda *_: 0)
            if any(event.auto for event in events):
                continue
            compared += 1
            before, now = state.players[seat], after.players[seat]
            chips = sum(vp for _, vp in move["scores"])
            assert now.vp - before.vp == chips
            assert move["vp"] >= chips
            assert now.doubloons - before.doubloons == move["doubloons"]
            changed = [new - old for new, old in zip(now.goods, before.goods, strict=True)]
            assert move["barrels"] == {g: n for g, n in zip(GOODS, changed, strict=True) if n}
    assert compared > 20


def test_a_building_brings_its_printed_vp() -> None:
    state = tables.table(phase="builder", a={"doubloons": 4})
    moves = {move["move"]: move for move in observe(state, 0)["moves"]}
    hospice = moves["build hospice"]
    assert (hospice["vp"], hospice["doubloons"], hospice["scores"]) == (2, -3, [])
    assert moves["pass"]["vp"] == 0


def test_of_very_many_placements_some_are_listed() -> None:
    island = "corn 3 indigo 3 sugar 3 tobacco 2"
    state = tables.table(
        phase="mayor",
        a={
            "island": island,
            "full": "hospice factory office indigo-plant sugar-mill harbor wharf",
            "san_juan": 6,
        },
    )
    seen = observe(state, 0)
    assert state.phase == MAYOR_PHASE
    assert (len(seen["moves"]), seen["count"] > MOST) == (MOST, True)
    # The colonists that are there stay, and new ones go to empty circles, the island first.
    first = seen["moves"][0]["move"]
    assert first.startswith("place corn 3 indigo 3 ")
    assert first.endswith("harbor wharf")
    # Any other is as good: a bot can write one of its own from the circles.
    me = seen["players"][0]
    assert sum(me["circles"].values()) > sum(me["city"].values())


def test_at_the_end_all_see_all() -> None:
    match = porto_cli.load(RECORDS[0])
    seen = match.observe(0)
    outcome = match.game.outcome(match.state)
    assert outcome
    assert tuple(one["score"]["total"] for one in seen["players"]) == outcome.scores
    assert (seen["phase"], seen["to_move"], seen["moves"]) == ("over", [], [])


def test_an_observation_is_what_show_and_moves_print(porto: Any) -> None:
    match = porto_cli.new_game(["Ana", "Rui"], game="puerto-rico", seed="ponce", first="Ana")
    match.play("role settler")
    match.save("game.yaml")
    seen = match.observe("Ana")
    table = json.loads(porto("show", "game.yaml", "--as", "Ana", "--format", "json").out)
    moves = json.loads(porto("moves", "game.yaml", "--format", "json").out)
    of_the_record = {"porto", "game", "title", "turn", "fingerprint", "digest"}
    assert {**table, **moves} == {**seen, **{key: table[key] for key in of_the_record}}


def test_moves_are_printed_as_they_are_written() -> None:
    assert str(TakeRole(1, no_colonist=True)) == "role mayor no-colonist"
    assert repr(TakeRole(1, no_colonist=True)) == "<TakeRole mayor no-colonist>"
    assert repr(Load(0, BY_WHARF)) == "<Load corn wharf>"
    place = Place(bytes([2, *[0] * 47]))
    assert (str(place), repr(place)) == ("place corn 2", "<Place corn 2>")
    assert repr(Build(99)) == "Build(building=99, good=5, vp=False, colonist=49, no_colonist=False)"


def test_events_are_printed_by_names() -> None:
    assert (
        repr(Produced(seat=1, goods=bytes([2, 1, 0, 0, 0])))
        == "<Produced seat=1 goods='corn 2 indigo'>"
    )
    assert (
        repr(Loaded(seat=0, goods=bytes([3, 0, 0, 0, 0]), onto=5))
        == "<Loaded seat=0 goods='corn 3' onto=5>"
    )
    assert repr(Sold(seat=2, good=4, post=False)) == "<Sold seat=2 good=coffee post=trading-house>"
    assert repr(Emptied(what=0, goods=bytes([1, 1, 1, 1, 0]))) == (
        "<Emptied what=trading-house goods='corn indigo sugar tobacco'>"
    )
    built = Built(
        seat=0,
        building=PLACES.index("hospice"),
        price=3,
        returned=(5, False, 49),
        colonist=True,
    )
    assert repr(built) == "<Built seat=0 building=hospice price=3 colonist>"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_whatever_happens_in_a_game_can_be_printed(path: Any) -> None:
    match = porto_cli.load(path)
    for step in match.replay.turns():
        for move in step.moves:
            assert parse_move(str(move)) == move
        for event in step.events:
            assert re.fullmatch(r"<[A-Z]\w+( \w+(=('[^'<>]*'|[\w-]+))?)*>", repr(event)), event
