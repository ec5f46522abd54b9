"""Moves that no text could say, but a program can build: refused, and never played wrongly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import porto_cli
from porto_cli.games.porto.engine import (
    CARDS,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC,
    turn,
)
from porto_cli.games.porto.engine.cards import Claim, Claimed, Draw, Drew, Keep, may_keep
from porto_cli.games.porto.engine.play import (
    PASS,
    Build,
    Pass,
    apply,
    legal_moves,
    to_move,
    violations,
)
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    Config,
    State,
    deal,
)
from porto_cli.games.porto.engine.turn import Scored
from tests.porto.playing import BOX, Kind, plies, random_chance, revealed
from tests.shares import for_each


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


def test_a_subclass_of_moves_is_refused() -> None:
    class Sneak(Draw):
        pass

    state = table()
    draw = next(move for move in legal_moves(state) if isinstance(move, Draw))
    with pytest.raises(TypeError, match="is not a move"):
        apply(state, Sneak(draw.spaces), never)
    with pytest.raises(TypeError, match="is not a move"):
        violations(state, Sneak(draw.spaces))


@pytest.mark.parametrize("phase", ["", "acts", "KEEP", None])
def test_an_unknown_phase_is_refused(phase: Any) -> None:
    state = table().copy()
    move = legal_moves(state)[0]
    state.phase = phase
    for judge in (lambda: apply(state, move, never), lambda: violations(state, move)):
        with pytest.raises(ValueError, match="is not a phase"):
            judge()
    with pytest.raises(ValueError, match="is not a phase"):
        legal_moves(state)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_an_unknown_seat_is_refused(seat: int) -> None:
    state = table(KEEP)
    with pytest.raises(ValueError, match="There is no seat"):
        violations(state, Keep((0, 1, 2)), seat)
    with pytest.raises(ValueError, match="There is no seat"):
        legal_moves(state, seat)
    with pytest.raises(ValueError, match="There is no seat"):
        apply(state, Keep((0, 1, 2)), never, seat)


@for_each(
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
    found = violations(table(phase), move)
    assert any(one.rule == rule and says in str(one) for one in found), found


def of(things: Sequence[Any]) -> str:
    """Return what is said of a number that is none of these."""
    return rf"is not one of 0 to {len(things) - 1}\."


@for_each(
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
def test_an_unknown_card_or_house_is_an_error(move: Any, says: str) -> None:
    for phase in (ACT, CONTRACTS, KEEP):
        with pytest.raises(ValueError, match=says):
            violations(table(phase), move)


@for_each(
    "move",
    [Draw([0]), Draw("0"), Draw((0.5,)), Build("0", 1, 3), Keep((0, 1, None)), Claim(0)],
)
def test_anything_but_whole_numbers_is_an_error(move: Any) -> None:
    for phase in (ACT, CONTRACTS, KEEP):
        with pytest.raises(TypeError, match="whole numbers"):
            violations(table(phase), move)


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
            if not isinstance(move, Draw | Claim):
                assert str(move) == text
            elif isinstance(move, Claim):
                assert match.move(str(move)) == move
        match.play(rnd.choice(match.legal_moves()), player=match.state.seat)
    assert repr(Draw((1,), (4,))) == "<Draw @2 green-2>"
    assert str(Draw((0, 3))) == "draw @1 @4"
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


# --- corners of the rules ---------------------------------------------------------------------


def played_out(kind: Kind, seed: int) -> State:
    """Return a game at a real table in which only the private contracts are left to be shown."""
    for ply in plies(kind, Random(seed)):
        if ply.after.phase in (KEEP, OVER):
            return ply.after
    raise AssertionError("the game does not end")


def kept(*names: str) -> Keep:
    return Keep((), tuple(sorted(PRIVATE_NAMES.index(name) for name in names)))


def test_at_a_real_table_everybody_reveals_before_the_game_ends():
    state = played_out(Kind(3, table=True), 1)
    last_round = state.end_round + 1
    for seat in range(3):
        assert (state.phase, state.seat, state.round) == (KEEP, seat, last_round)
        assert all(may_keep(state, other) == (other >= seat) for other in range(3))
        assert to_move(state) == tuple(range(seat, 3))
        assert violations(state, PASS)
        assert legal_moves(state) == []
        state, _ = apply(state, revealed(state, Random(seat)), lambda *_: 0)
    assert (state.phase, state.round) == (OVER, last_round)
    assert to_move(state) == ()
    assert all(len(one) == 3 for one in state.kept)


def test_at_a_real_table_players_may_reveal_in_any_order():
    state = played_out(Kind(2, table=True), 2)
    state, _ = apply(state, revealed(state, Random(1)), lambda *_: 0, 1)
    assert (state.phase, state.seat) == (KEEP, 0)
    assert not may_keep(state, 1)
    state, _ = apply(state, revealed(state, Random(2)), lambda *_: 0, 0)
    assert state.phase == OVER


def test_at_a_real_table_a_player_may_say_early_what_was_kept():
    state = Kind(2, table=True).begin(lambda *_: 0)
    assert state.phase == ACT
    state, _ = apply(state, kept("palette", "side", "ends-blue"), lambda *_: 0, 1)
    assert (state.phase, state.seat) == (ACT, 0)
    assert [one.rule for one in violations(state, kept("side", "palette", "ends-red"), 1)] == [
        "P-SETUP-5"
    ]


def test_the_game_waits_for_one_player_even_if_others_may_keep_as_well():
    dealt, real = Kind(3).begin(lambda *_: 0), Kind(3, table=True).begin(lambda *_: 0)
    assert (dealt.phase, real.phase) == (KEEP, ACT)
    for state in (dealt, real):
        assert all(may_keep(state, seat) for seat in range(3))
        assert to_move(state) == (0,)


def test_of_palette_and_side_two_players_can_have_one_each_and_not_three():
    state = Kind(4, table=True).begin(lambda *_: 0)
    state, _ = apply(state, kept("palette", "side", "ends-blue"), lambda *_: 0, 1)
    state, _ = apply(state, kept("palette", "side", "ends-red"), lambda *_: 0, 2)
    (violation,) = violations(state, kept("palette", "ends-green", "ends-purple"), 3)
    assert str(violation) == "P-SETUP-5: There are only 2 palette cards; no more can be kept."
    (violation,) = violations(state, kept("ends-blue", "ends-green", "ends-purple"), 3)
    assert str(violation) == "P-SETUP-5: There is only one ends-blue; it cannot be kept again."
    assert not violations(state, kept("ends-yellow", "ends-green", "ends-purple"), 3)


def test_at_a_real_table_nobody_can_keep_by_number():
    state = Kind(2, table=True).begin(lambda *_: 0)
    assert violations(state, Keep((0, 1, 2)))


def test_a_contract_that_is_not_in_the_box_cannot_be_kept():
    game = Config(BOX._replace(private={"side": (5,), "houses": (1, 2, 5)}), ("Ana", "Rui"))
    state = Kind(2, table=True).begin(lambda *_: 0)
    state.config = game
    (violation,) = violations(state, kept("palette", "houses-red", "side"))
    assert str(violation) == "P-SETUP-5: This box has no palette."


def test_who_lost_the_solo_game_at_a_real_table_need_not_reveal(monkeypatch):
    assert turn.SOLO_WIN == 60
    monkeypatch.setattr(turn, "SOLO_WIN", 25)
    phases = set()
    for seed in range(20):
        state = played_out(Kind(1, timer=28, table=True), seed)
        assert state.phase == (KEEP if state.scores[0] >= 25 else OVER)
        phases.add(state.phase)
    assert phases == {KEEP, OVER}


@pytest.mark.parametrize(("players", "rounds"), [(1, 14), (2, None), (4, None)])
def test_after_the_last_turn_the_round_is_the_last_one(players, rounds):
    kind = Kind(players, timer=28 if players == 1 else 0)
    *_, last = plies(kind, Random(3))
    assert last.after.phase == OVER
    assert last.after.round == (rounds or last.after.end_round + 1)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Config(BOX._replace(cards_per_value=(2, 2, 2)), ("Ana",), timer=28), "needs 33"),
        (Config(BOX._replace(private={"side": (5,)}), ("Ana", "Rui")), "2 players take 10"),
    ],
)
def test_a_box_that_cannot_hold_the_game_says_what_is_missing(game, says):
    (fault,) = game.faults()
    assert says in str(fault)
    assert not [*Config(BOX, ("Ana",), timer=28).faults()]
    assert not [*Config(BOX, ("a", "b", "c", "d")).faults()]


def test_a_refused_draw_names_where_the_card_lies():
    state = Kind(2).begin(lambda *_: 0)
    state.phase = ACT
    state.cards = bytes([0, 3, 0, 6, EMPTY])
    blue, green = CARDS.index("blue-1"), CARDS.index("green-1")
    output = [
        [str(one) for one in violations(state, move)]
        for move in (Draw((0, 2), (blue,)), Draw((), (green,)), Draw((), (14,)), Draw((4,)))
    ]
    assert output == [
        ["P-DRAW-1: blue-1 is only in spaces 1, 3; this draw needs one more."],
        ["P-DRAW-1: green-1 is only in space 2; this draw needs one more."],
        ["P-DRAW-1: yellow-3 is not one of the face-up cards."],
        ["P-DRAW-1: Space 5 is empty."],
    ]


def test_a_draw_with_several_faults_is_refused_with_all_of_them():
    state = Kind(2).begin(lambda *_: 0)
    state.phase = ACT
    state.cards = bytes([2, 2, 1, 0, EMPTY])
    rules = [str(one) for one in violations(state, Draw((0, 1, 2, 4), (0,)))]
    assert len(rules) == 4
    assert any("at most 3 cards, not 5" in one for one in rules)
    assert any("these cards add up to 9" in one for one in rules)


def test_no_more_than_four_and_no_fewer_than_one_can_play():
    for players in ((), ("a", "b", "c", "d", "e")):
        with pytest.raises(ValueError, match="1 to 4"):
            Config(BOX, players)


def test_a_box_with_too_few_tokens_deals_no_game():
    short = Config(BOX._replace(tokens=BOX.tokens[:9]), ("Inês", "Joana"))
    with pytest.raises(ValueError, match="shorter"):
        deal(short, lambda *_: 0)


def test_what_the_timer_has_turned_up_is_said_card_by_card():
    game = (ply.after for ply in plies(Kind(1, timer=28), Random(4)))
    state = next(one for one in game if one.phase == TIMER and len(set(one.turned)) == 2)
    one, other = (CARDS[card] for card in state.turned)
    unused = next(card for card in range(len(CARDS)) if card not in state.turned)
    for move, says in (
        (PASS, f"The timer drew {one} and {other}: build with them first."),
        (
            Build(unused, unused, 3),
            f"The timer drew {one} and {other}: build with both of them.",
        ),
    ):
        assert f"P-SOLO-4: {says}" in map(str, violations(state, move))
