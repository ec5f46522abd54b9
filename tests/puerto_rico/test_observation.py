"""What a seat may see and do, by names: what a bot that plays fairly looks at."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import porto_cli
from porto_cli.games.puerto_rico import Built, Emptied, Loaded, Observation, Produced, Sold
from porto_cli.games.puerto_rico.engine.components import GOODS, PLACES, ROLES, TILES, counts_of
from porto_cli.games.puerto_rico.engine.moves import WHARF, Build, Load, Place, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, violations
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, NOBODY
from porto_cli.games.puerto_rico.event_text import bundle_dict
from porto_cli.games.puerto_rico.notation import parse_move
from porto_cli.games.puerto_rico.observation import observe
from porto_cli.games.puerto_rico.options import MOST
from tests.conftest import ROOT
from tests.puerto_rico import tables
from tests.puerto_rico.playing import KINDS, plies

RECORDS = sorted((ROOT / "records" / "puerto-rico").glob("*.yaml"))


def parts(thing: Any) -> Any:
    """Return everything that an observation is made of."""
    yield thing
    if isinstance(thing, dict):
        thing = [*thing.keys(), *thing.values()]
    if isinstance(thing, (tuple, list)):
        for one in thing:
            yield from parts(one)


@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_an_observation_has_what_lies_on_the_table_by_names(kind: tuple[int, str, str]) -> None:
    for number, ply in enumerate(plies(kind, random.Random(str(kind)))):
        if number % 7:
            continue
        state = ply.before
        seen = observe(state, 0)
        assert not [part for part in parts(seen) if isinstance(part, bytes)]
        assert (seen.player, seen.me.name, seen.phase) == ("A", "A", state.phase)
        assert seen.me.vp == state.players[0].vp
        assert [one.vp for one in seen.players[1:]] == [None] * (kind[0] - 1)
        assert [one.score is None for one in seen.players] == [
            one.vp is None for one in seen.players
        ]
        for one, player in zip(seen.players, state.players, strict=True):
            assert one.doubloons == player.doubloons
            assert one.goods == bundle_dict(player.goods, GOODS)
            assert one.island == bundle_dict(player.island, TILES)
            assert sum(one.colonists.values()) + one.san_juan == player.people
            assert set(one.buildings) == {
                place for place in PLACES[11:] if player.city >> PLACES.index(place) & 1
            }
            assert all(one.colonists.get(name, 0) == n for name, n in one.buildings.items())
            assert set(one.circles) >= set(one.colonists)
        assert seen.row == bundle_dict(state.row, TILES)
        assert seen.stack == bundle_dict(counts_of(state.stack), TILES)
        assert [ship.barrels for ship in seen.ships] == list(state.cargo_barrels)
        free = {name for name, role in seen.roles.items() if role.taken is None}
        assert free == {
            ROLES[role] for role in state.config.box.roles if state.taken[role] == NOBODY
        }


@pytest.mark.parametrize("kind", KINDS[::5], ids=str)
def test_the_moves_are_the_legal_ones_and_say_what_they_bring(kind: tuple[int, str, str]) -> None:
    """Compared with what the table has afterwards, where nothing follows by itself."""
    compared = 0
    for number, ply in enumerate(plies(kind, random.Random(str(kind)))):
        if number % 5:
            continue
        state, seat = ply.before, ply.before.seat
        seen = observe(state, seat)
        assert seen.move_count == count_moves(state)
        assert len(seen.moves) == min(seen.move_count, MOST)
        assert len(set(map(str, seen.moves))) == len(seen.moves)
        assert not any(violations(state, parse_move(str(one))) for one in seen.moves[:30])
        brought = [(one.vp, one.doubloons, sum(one.goods.values())) for one in seen.moves]
        assert brought == sorted(brought, reverse=True)
        assert observe(state, (seat + 1) % kind[0]).moves == ()
        for option in seen.moves[:20]:
            after, events = apply(state, parse_move(option.move), lambda *_: 0)
            if any(event.auto for event in events):
                continue
            compared += 1
            before, now = state.players[seat], after.players[seat]
            chips = sum(vp for _, vp in option.scores)
            assert now.vp - before.vp == chips
            assert option.vp >= chips
            assert now.doubloons - before.doubloons == option.doubloons
            changed = [new - old for new, old in zip(now.goods, before.goods, strict=True)]
            assert option.goods == {g: n for g, n in zip(GOODS, changed, strict=True) if n}
    assert compared > 20


def test_a_building_brings_its_printed_vp() -> None:
    state = tables.table(phase="builder", a={"doubloons": 4})
    options = {option.move: option for option in observe(state, 0).moves}
    hospice = options["build hospice"]
    assert (hospice.vp, hospice.doubloons, hospice.scores) == (2, -3, ())
    assert repr(hospice) == "<build hospice: +2 VP, -3 doubloons>"
    assert str(hospice) == "build hospice"
    assert options["pass"].vp == 0
    assert repr(options["pass"]) == "<pass>"


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
    assert (len(seen.moves), seen.move_count > MOST) == (MOST, True)
    # The colonists that are there stay, and new ones go to empty circles, the island first.
    assert seen.moves[0].move.startswith("place corn 3 indigo 3 ")
    assert seen.moves[0].move.endswith("harbor wharf")
    # Any other is as good: a bot can write one of its own from the circles.
    assert sum(seen.me.circles.values()) > sum(seen.me.colonists.values())


def test_a_bystander_sees_no_chips_and_has_no_moves() -> None:
    state = tables.table(a={"vp": 3})
    seen = observe(state, None)
    assert (seen.player, seen.moves, seen.move_count) == (None, (), 0)
    assert [one.vp for one in seen.players] == [None] * 3
    with pytest.raises(LookupError):
        _ = seen.me


def test_at_the_end_all_see_all() -> None:
    match = porto_cli.load(RECORDS[0])
    seen = match.observe(0)
    outcome = match.game.outcome(match.state)
    assert outcome
    assert tuple(one.score for one in seen.players) == outcome.scores
    assert (seen.phase, seen.to_move, seen.moves) == ("over", (), ())


def test_an_observation_is_short_at_a_prompt() -> None:
    names = ["Inês", "Joana", "Afonso"]
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first="Inês")
    assert repr(match.observe("Inês")) == (
        "<Observation player=Inês phase=role round=1 to_move=Inês moves=7>"
    )
    assert isinstance(match.observe("Joana"), Observation)


def test_moves_are_printed_as_they_are_written() -> None:
    assert str(TakeRole(1, no_colonist=True)) == "role mayor no-colonist"
    assert repr(TakeRole(1, no_colonist=True)) == "<TakeRole mayor no-colonist>"
    assert repr(Load(0, WHARF)) == "<Load corn wharf>"
    place = Place(bytes([2, *[0] * 47]))
    assert (str(place), repr(place)) == ("place corn 2", "<Place corn 2>")
    assert repr(Build(99)) == "Build(building=99, good=5, vp=False, colonist=49, no_colonist=False)"


def test_events_are_printed_by_names() -> None:
    assert repr(Produced(1, bytes([2, 1, 0, 0, 0]))) == "<Produced seat=1 goods='corn 2 indigo'>"
    assert repr(Loaded(0, bytes([3, 0, 0, 0, 0]), 5)) == "<Loaded seat=0 goods='corn 3' onto=5>"
    assert repr(Sold(2, 4, False)) == "<Sold seat=2 good=coffee post=trading-house>"
    assert repr(Emptied(0, bytes([1, 1, 1, 1, 0]))) == (
        "<Emptied what=trading-house goods='corn indigo sugar tobacco'>"
    )
    built = Built(0, PLACES.index("hospice"), 3, 5, False, 49, True)
    assert repr(built) == "<Built seat=0 building=hospice price=3 colonist>"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_whatever_happens_in_a_game_can_be_printed(path: Any) -> None:
    match = porto_cli.load(path)
    for step in match.replay.turns():
        for move in step.moves:
            assert parse_move(str(move)) == move
        for event in step.events:
            assert re.fullmatch(r"<[A-Z]\w+( \w+(=('[^'<>]*'|[\w-]+))?)*>", repr(event)), event
