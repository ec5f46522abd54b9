"""Corners of the rules that the casebook does not reach: boxes, real tables, refusals' words."""

from __future__ import annotations

from random import Random

import pytest

from porto_cli.games.porto.engine import play
from porto_cli.games.porto.engine.components import CARDS, EMPTY
from porto_cli.games.porto.engine.conditions import may_keep, to_move
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import PASS, Build, Draw, Keep
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, TIMER, Config, State, deal
from porto_cli.games.porto.notation import PRIVATE_NAMES
from tests.porto.playing import BOX, Kind, plies, revealed


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
        assert check(state, PASS)
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
    assert [one.rule for one in check(state, kept("side", "palette", "ends-red"), 1)] == [
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
    (violation,) = check(state, kept("palette", "ends-green", "ends-purple"), 3)
    assert str(violation) == "P-SETUP-5: There are only 2 cards palette; no other can be kept."
    (violation,) = check(state, kept("ends-blue", "ends-green", "ends-purple"), 3)
    assert str(violation) == "P-SETUP-5: There is only one ends-blue; it cannot be kept again."
    assert not check(state, kept("ends-yellow", "ends-green", "ends-purple"), 3)


def test_at_a_real_table_nobody_can_keep_by_number():
    state = Kind(2, table=True).begin(lambda *_: 0)
    assert check(state, Keep((0, 1, 2)))


def test_a_contract_that_is_not_in_the_box_cannot_be_kept():
    game = Config(BOX._replace(private={"side": (5,), "houses": (1, 2, 5)}), ("Ana", "Rui"))
    state = Kind(2, table=True).begin(lambda *_: 0)
    state.config = game
    (violation,) = check(state, kept("palette", "houses-red", "side"))
    assert str(violation) == "P-SETUP-5: This box has no palette."


def test_who_lost_the_solo_game_at_a_real_table_need_not_reveal(monkeypatch):
    assert play.SOLO_WIN == 60
    monkeypatch.setattr(play, "SOLO_WIN", 25)
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
    assert not Config(BOX, ("Ana",), timer=28).faults()
    assert not Config(BOX, ("a", "b", "c", "d")).faults()


def test_a_draw_is_told_where_the_card_does_lie():
    state = Kind(2).begin(lambda *_: 0)
    state.phase = ACT
    state.cards = bytes([0, 3, 0, 6, EMPTY])
    blue, green = CARDS.index("blue-1"), CARDS.index("green-1")
    told = [
        [str(one) for one in check(state, move)]
        for move in (Draw((0, 2), (blue,)), Draw((), (green,)), Draw((), (14,)), Draw((4,)))
    ]
    assert told == [
        ["P-DRAW-1: blue-1 lies only in the spaces 1, 3, the draw asks for another one."],
        ["P-DRAW-1: green-1 lies only in space 2, the draw asks for another one."],
        ["P-DRAW-1: yellow-3 is not among the face-up cards."],
        ["P-DRAW-1: Space 5 is empty."],
    ]


def test_a_draw_with_several_faults_is_told_all_of_them():
    state = Kind(2).begin(lambda *_: 0)
    state.phase = ACT
    state.cards = bytes([2, 2, 1, 0, EMPTY])
    rules = [str(one) for one in check(state, Draw((0, 1, 2, 4), (0,)))]
    assert len(rules) == 4
    assert any("at most 3 cards, not 5" in one for one in rules)
    assert any("these have 9" in one for one in rules)


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
        (PASS, f"The timer has turned up {one} and {other}: they have to be built first."),
        (
            Build(unused, unused, 3),
            f"The timer has turned up {one} and {other}: the build has to use both.",
        ),
    ):
        assert f"P-SOLO-4: {says}" in map(str, check(state, move))
