"""Moves that no text could say, but a program can build: refused, and never played wrongly."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.games.porto.engine.components import CARDS, HOUSES, NOWHERE, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.events import Claimed, Drew, Kept, Passed, Scored
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.generate import canonical_move, legal_moves
from porto_cli.games.porto.engine.moves import Build, Claim, Draw, Keep, Pass
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, State
from tests.porto.playing import KINDS, Kind, plies, random_chance


def never(stream: str, index: int, pile: bytes, /) -> int:
    raise AssertionError("nothing comes up")


def table(phase: str = ACT, kind: Kind | None = None) -> State:
    """Return a table in the middle of a game, in a phase."""
    kind = kind or Kind(3)
    for seed in range(50):
        for ply in plies(kind, random.Random(seed)):
            if ply.before.phase == phase and (phase == KEEP or ply.before.turn > 12):
                return ply.before
    raise AssertionError(phase)


@pytest.mark.parametrize(
    "thing", [None, "pass", "draw blue-1", (), ((0,), ()), object(), Kept(0), Passed(0), Draw, 7]
)
def test_what_is_no_move_is_refused(thing: Any) -> None:
    state = table()
    before = state.facts()
    with pytest.raises(TypeError, match="is no move"):
        apply(state, thing, never)
    with pytest.raises(TypeError, match="is no move"):
        check(state, thing)
    assert state.facts() == before


def test_a_kind_of_move_of_ones_own_is_refused() -> None:
    class Sneak(Draw):
        pass

    state = table()
    draw = next(move for move in legal_moves(state) if isinstance(move, Draw))
    with pytest.raises(TypeError, match="is no move"):
        apply(state, Sneak(draw.spaces), never)
    with pytest.raises(TypeError, match="is no move"):
        check(state, Sneak(draw.spaces))


@pytest.mark.parametrize("phase", ["", "acts", "KEEP", None])
def test_a_phase_that_there_is_not_is_refused(phase: Any) -> None:
    state = table().copy()
    move = legal_moves(state)[0]
    state.phase = phase
    for judge in (lambda: apply(state, move, never), lambda: check(state, move)):
        with pytest.raises(ValueError, match="is no phase"):
            judge()
    with pytest.raises(ValueError, match="is no phase"):
        legal_moves(state)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_there_is_not_is_refused(seat: int) -> None:
    state = table(KEEP)
    with pytest.raises(ValueError, match="There is no seat"):
        check(state, Keep((0, 1, 2)), seat)
    with pytest.raises(ValueError, match="There is no seat"):
        legal_moves(state, seat)
    with pytest.raises(ValueError, match="There is no seat"):
        apply(state, Keep((0, 1, 2)), never, seat)


@pytest.mark.parametrize(
    ("phase", "move", "rule", "says"),
    [
        (ACT, Draw((-1,)), "P-DRAW-1", "There is no space 0"),
        (ACT, Draw((5,)), "P-DRAW-1", "There is no space 6"),
        (ACT, Draw((1, 0)), "P-DRAW-1", "in ascending order"),
        (ACT, Draw((0, 0)), "P-DRAW-1", "taken only once"),
        (CONTRACTS, Claim((-1,)), "P-PUBLIC-1", "There is no space 0"),
        (CONTRACTS, Claim((4,)), "P-PUBLIC-1", "There is no space 5"),
        (CONTRACTS, Claim((1, 0)), "P-PUBLIC-1", "in ascending order"),
        (CONTRACTS, Claim((0, 0)), "P-PUBLIC-1", "fulfilled only once"),
        (KEEP, Keep((-1, 0, 1)), "P-SETUP-5", "There is no private contract 0"),
        (KEEP, Keep((0, 1, 5)), "P-SETUP-5", "There is no private contract 6"),
        (KEEP, Keep((2, 1, 0)), "P-SETUP-5", "in ascending order"),
        (KEEP, Keep((0, 1, 1)), "P-SETUP-5", "kept only once"),
    ],
)
def test_places_are_in_range_in_order_and_named_once(
    phase: str, move: Any, rule: str, says: str
) -> None:
    violations = check(table(phase), move)
    assert any(one.rule == rule and says in str(one) for one in violations), violations


def of(things: Sequence[Any]) -> str:
    """Return what is said of a number that is none of these."""
    return rf"is not one of 0 to {len(things) - 1}\."


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Build(15, 0, 3), of(CARDS)),
        (Build(-1, 0, 3), of(CARDS)),
        (Build(0, 15, 3), of(CARDS)),
        (Build(0, 1, -2), of(HOUSES)),
        (Build(0, 1, 14), of(HOUSES)),
        (Build(0, 1, 3, -1), of([*HOUSES, NOWHERE])),
        (Build(0, 1, 3, 15), of([*HOUSES, NOWHERE])),
        (Build(255, 0, 3), of(CARDS)),
        (Draw((), (15,)), of(CARDS)),
        (Draw((), (-1,)), of(CARDS)),
        (Claim((), (99,)), of(PUBLIC)),
        (Keep((), (0, 1, 99)), of(PRIVATE)),
    ],
)
def test_a_card_or_house_that_there_is_not_is_an_error(move: Any, says: str) -> None:
    for phase in (ACT, CONTRACTS, KEEP):
        with pytest.raises(ValueError, match=says):
            check(table(phase), move)


@pytest.mark.parametrize(
    "move",
    [Draw([0]), Draw("0"), Draw((0.5,)), Build("0", 1, 3), Keep((0, 1, None)), Claim(0)],
)
def test_anything_but_whole_numbers_is_an_error(move: Any) -> None:
    for phase in (ACT, CONTRACTS, KEEP):
        with pytest.raises(TypeError, match="whole numbers"):
            check(table(phase), move)


numbers = st.integers(-3, 16)
places = st.lists(st.integers(-2, 6), max_size=5).map(tuple)
moves = st.one_of(
    st.builds(Draw, places),
    st.builds(Build, numbers, numbers, numbers, numbers),
    st.builds(Claim, places),
    st.builds(Keep, places),
    st.just(Pass()),
)


@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 999), built=st.lists(moves, max_size=30))
def test_what_is_not_refused_is_a_legal_move(kind: Kind, seed: int, built: list[Any]) -> None:
    rnd = random.Random(seed)
    states = [ply.before for ply in plies(kind, rnd)]
    for move in built:
        state = rnd.choice(states)
        seat = rnd.randrange(state.config.seats)
        try:
            violations = check(state, move, seat)
        except ValueError:
            continue
        if not violations:
            assert canonical_move(state, move) in legal_moves(state, seat)


def test_moves_and_events_cannot_be_changed() -> None:
    rnd = random.Random(1)
    values = [value for ply in plies(Kind(3), rnd) for value in (*ply.legal, *ply.events)]
    assert len({type(value) for value in values}) > 12
    for value in values:
        for name in (*value._fields, "anything"):
            with pytest.raises(AttributeError):
                setattr(value, name, 0)
            with pytest.raises(AttributeError):
                object.__setattr__(value, name, 0)
        again = pickle.loads(pickle.dumps(value))
        assert (type(again), again, hash(again)) == (type(value), value, hash(value))


def test_a_list_of_moves_is_the_callers_own() -> None:
    for phase in (ACT, CONTRACTS, KEEP):
        state = table(phase)
        found = legal_moves(state)
        legal_moves(state).clear()
        assert legal_moves(state) == found


def test_values_of_different_kinds_differ() -> None:
    alike = [Draw((0, 1, 2)), Claim((0, 1, 2)), Keep((0, 1, 2)), ((0, 1, 2), ())]
    assert len(set(alike)) == len(alike)
    assert Claim((0,)) not in [Draw((0,))]
    assert Drew(0, b"\0") != Claimed(0, b"\0")
    assert Pass()
    assert Pass() != ()


def test_moves_are_shown_in_the_notation() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", private_contracts=False)
    rnd = random.Random(3)
    while not match.over:
        for move in match.legal_moves():
            text = match.text(move)
            if isinstance(move, Build):
                assert repr(move) == f"<B{text[1:]}>"
                assert match.move(repr(move)[1:-1]) == move
        match.play(rnd.choice(match.legal_moves()), player=match.state.seat)
    assert repr(Draw((1,), (4,))) == "<Draw @2 green-2>"
    assert repr(Claim((), (0,))) == "<Claim 1-blue-floor>"
    assert repr(Keep((), (0, 1, 2))).startswith("<Keep ends-blue ")
    assert repr(Build(-1, 99, 20, -1)) == "<Build ?-1 ?99 ?20 token ?-1>"


def test_a_score_has_a_kind_and_the_name_of_a_contract() -> None:
    scores = {
        event
        for seed in range(3)
        for ply in plies(Kind(2), random.Random(seed), random_chance(random.Random(seed)))
        for event in ply.events
        if isinstance(event, Scored)
    }
    assert {score.kind for score in scores} == {
        *("floors", "neighbors", "ground-token", "roof-token", "contract", "private")
    }
    for score in scores:
        assert bool(score.contract) == (score.kind in ("contract", "private"))
        assert score.reason == ":".join(filter(None, (score.kind, score.contract)))
