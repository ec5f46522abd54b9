"""The coach: what it says of moves at tables where people would agree."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from statistics import fmean

import pytest

from porto_cli.core.chance import first_of_pile, seeded_chance
from porto_cli.games.porto.coach import COACH
from porto_cli.games.porto.engine import EMPTY, HOUSES, PRIVATE
from porto_cli.games.porto.engine.cards import KEEPS, Claim, Draw
from porto_cli.games.porto.engine.play import PASS, Build, Move, apply
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER, State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import PLAYERS, forecast_of
from porto_cli.games.porto.players.candidates import worth
from porto_cli.players import (
    FEWEST,
    Against,
    InterruptedThoughtError,
    Judgment,
    Prospect,
    choose,
    over_chances,
)
from porto_cli.seam import View
from tests.porto.playing import Kind
from tests.porto.tables import laid
from tests.shares import for_each

BUSY = """houses: {L3: green 2, L4: blue 4, L5: red 2, L6: yellow 4}
roof-tokens: {L5: 4}
ground-tokens: {R1: 2}
hands: {Inês: [blue-2, red-1], Joana: [green-1, green-2, green-3]}
cards: [green-1, green-1, red-2, red-3, yellow-3]
contracts: [2-red-floors, red-house, blue+red, 1-blue-floor]"""
"""Inês can complete L5 for 18 VP."""


def judged(state: State, **more: object) -> list[tuple[str, Judgment]]:
    view = PORTO.view(state, state.seat)
    found = COACH.judge(view, Random(1), **{"samples": 80, **more})
    return [(PORTO.format_move(one.move, state), one) for one in found]


def said(state: State, move: str) -> str:
    parsed = PORTO.parse_move(move, state, state.seat)
    return " ".join(map(str, COACH.merits(PORTO.view(state, state.seat), parsed).reasons))


def private(name: str) -> int:
    return next(index for index, one in enumerate(PRIVATE) if one.name == name)


def reckoned_by_a_bystander(state: State, move: Move) -> int:
    """Return what a last move leads to: the score of its player at the end."""
    then, _ = apply(state, move, first_of_pile)
    if then.phase == CONTRACTS:
        then, _ = apply(then, Claim(then.claimable), first_of_pile)
    assert then.phase == OVER
    return then.scores[state.seat]


@cache
def later(players: int, turns: int, seed: str = "tram", *, until_last_turn: bool = False) -> State:
    """Return a table of a game of level 1: whose moves led to it makes no difference."""
    chance = seeded_chance(seed)
    state = Kind(players, timer=28 if players == 1 else 0).begin(chance)
    while state.turn < turns:
        if (
            until_last_turn
            and state.end_round
            and state.turn == players * (state.end_round + 1) - 1
        ):
            break
        move = choose(PLAYERS["level-1"], PORTO, state, state.seat, Random(1))
        state, _ = PORTO.apply(state, move, chance, state.seat)
    return state


# --- what it judges -----------------------------------------------------------------------------


def test_a_move_that_is_plainly_best_comes_first():
    found = judged(laid(BUSY))
    assert found[0][0] == "build blue-2 red-1 L5"
    assert not found[-1][1].about_equal
    assert found[1][1].prospect.win < found[0][1].prospect.win


def test_in_the_last_turn_of_all_only_what_is_scored_counts():
    state = later(2, 99, until_last_turn=True)
    found = judged(state, width=99)
    vps = [reckoned_by_a_bystander(state, one.move) for _, one in found]
    assert vps == sorted(vps, reverse=True)
    # A house that it completes may be good for the private contracts of the others.
    assert [one.behind for _, one in found] == pytest.approx([vps[0] - vp for vp in vps], abs=1.5)
    assert max(one.error for _, one in found) < 1e-9


def test_of_builds_that_differ_in_the_roof_for_the_token_one_is_shown():
    found = judged(laid(BUSY.replace("L5: red 2, ", "").replace("L5: 4", "")), width=50)
    builds = [text.partition(" token ")[0] for text, _ in found if text.startswith("build")]
    assert len(set(builds)) == len(builds)
    assert any(" token " in text for text, _ in found)


@pytest.mark.long
def test_more_samples_make_less_error():
    state = later(2, 20)
    moves = [one.move for _, one in judged(state, samples=20, width=4)]
    few, many = (judged(state, samples=samples, moves=moves, width=4) for samples in (20, 240))
    mean_few, mean_many = (fmean(one.error for _, one in found[1:]) for found in (few, many))
    assert mean_many < 0.5 * mean_few


@pytest.mark.long
def test_the_error_is_about_as_far_as_two_answers_differ():
    state = later(2, 20)
    view = PORTO.view(state, state.seat)
    answers = [COACH.judge(view, Random(seed), samples=30, width=2) for seed in range(9)]
    first = answers[0][0].move
    leads = [
        one.behind if found[0].move == first else -one.behind
        for found in answers
        for one in found[1:]
    ]
    spread = (sum((lead - fmean(leads)) ** 2 for lead in leads) / (len(leads) - 1)) ** 0.5
    error = fmean(found[1].error for found in answers)
    assert 0.4 * error < spread < 2.5 * error


def test_all_moves_are_tried_with_the_same_random_numbers(monkeypatch):
    state = laid(BUSY)
    seeds: dict[int, list[int]] = {}

    def play_on(self, table, seed):
        seeds.setdefault(id(table), []).append(seed)
        return table

    monkeypatch.setattr(type(forecast_of(state, 0)), "play_on", play_on)
    judged(state, width=4, samples=40)
    first, *others = seeds.values()
    assert len(others) == 3
    assert len(set(first)) == len(first) == 10
    assert all(tried == first for tried in others)


def test_it_thinks_for_the_time_given(monkeypatch):
    state = laid(BUSY)
    clock = iter(range(1000))
    monkeypatch.setattr("porto_cli.players.monotonic", lambda: next(clock))
    played_on = []
    forecast = type(forecast_of(state, 0))
    monkeypatch.setattr(forecast, "play_on", lambda self, table, seed: played_on.append(1) or table)
    judged(state, seconds=5, width=2)
    assert len(played_on) == 2 * (FEWEST + 4)


def test_a_single_move_is_judged_as_well():
    state = laid(BUSY).copy()
    state.cards, state.hands = bytes([EMPTY]) * 5, (b"", b"")
    found = judged(state)
    assert [(text, one.behind, one.error) for text, one in found] == [("pass", 0, 0)]
    assert found[0][1].move == PASS


def test_public_contracts_that_are_met_are_judged_one_by_one():
    """If that is wanted: by itself the coach leaves none of them out, which only gives VP away."""
    state = laid(BUSY)
    built, _ = PORTO.apply(state, PORTO.parse_move("build blue-2 red-1 L5", state, 0), None, 0)
    assert [one.move for _, one in judged(built)] == [Claim(built.claimable)]
    found = judged(built, moves=PORTO.legal_moves(built, built.seat))
    assert found[0][1].move == Claim(built.claimable)
    assert found[-1][1].move == Claim(())
    assert len(found) == 8


def test_private_contracts_to_keep_are_judged_by_what_they_were_worth():
    state = Kind(2).begin(seeded_chance("tram"))
    assert state.phase == KEEP
    found = judged(state, width=20)
    assert {one.move for _, one in found} == set(KEEPS)
    assert found[0][1].move == choose(PLAYERS["level-4"], PORTO, state, 0, Random(1))
    assert [one.prospect.margin for _, one in found] == pytest.approx(
        [found[0][1].prospect.margin - one.behind for _, one in found]
    )


def test_who_keeps_early_may_ask_as_well():
    state = Kind(2).begin(seeded_chance("tram"))
    assert COACH.judge(PORTO.view(state, 1), Random(1))
    kept, _ = PORTO.apply(state, KEEPS[0], None, 1)
    with pytest.raises(ValueError, match="no move"):
        COACH.judge(PORTO.view(kept, 1), Random(1))


def test_what_is_not_known_is_not_judged():
    state = Kind(2, table=True).begin(seeded_chance("tram"))
    assert judged(state), "the deal is not known, but the moves are"
    with pytest.raises(ValueError, match="bystander"):
        COACH.judge(View(None, state), Random(1))


def test_ctrl_c_leaves_what_is_known_so_far(monkeypatch):
    state = laid(BUSY)
    tries = iter(range(100))
    forecast = type(forecast_of(state, 0))
    really = forecast.play_on

    def play_on(self, table, seed):
        if next(tries) == 7:
            raise KeyboardInterrupt
        return really(self, table, seed)

    monkeypatch.setattr(forecast, "play_on", play_on)
    with pytest.raises(InterruptedThoughtError) as caught:
        judged(state, width=3)
    assert len(caught.value.so_far) == 3
    assert PORTO.format_move(caught.value.so_far[0].move, state) == "build blue-2 red-1 L5"
    tries = iter([7])
    with pytest.raises(InterruptedThoughtError) as caught:
        judged(state, width=3)
    assert caught.value.so_far == []


# --- what it expects ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_better_table_has_a_better_prospect(players):
    state = later(players, 12)
    ahead = state.copy()
    ahead.scores = tuple(vp + 10 * (seat == 0) for seat, vp in enumerate(state.scores))
    for seat in range(players):
        before, then = (COACH.prospect(PORTO.view(one, seat)) for one in (state, ahead))
        assert (then.margin > before.margin) == (then.win > before.win) == (seat == 0)


def test_before_the_first_move_nobody_is_far_ahead():
    for players in (2, 3, 4):
        state = Kind(players).begin(seeded_chance("tram"))
        for seat in range(players):
            prospect = COACH.prospect(PORTO.view(state, seat))
            assert abs(prospect.margin) < 8
            assert 0.5 / players < prospect.win < 0.75


def test_alone_the_margin_is_what_is_above_a_win():
    state = Kind(1, timer=28).begin(seeded_chance("tram"))
    prospect = COACH.prospect(PORTO.view(state, 0))
    assert 0 < prospect.margin < 40
    assert prospect.win > 0.8
    keeping = judged(state)[0][1].prospect
    assert keeping.margin > prospect.margin
    assert keeping.win == pytest.approx(prospect.win)


def test_what_comes_up_makes_no_difference_to_what_is_expected():
    state = later(2, 12)
    view = PORTO.view(state, state.seat)
    move = max(
        PORTO.legal_moves(state, state.seat), key=lambda one: len(getattr(one, "spaces", ()))
    )
    expected = COACH.expected(view, move, Random(1), samples=40)
    found = []
    for seed in range(40):
        after, _ = PORTO.apply(state, move, seeded_chance(f"{seed}"), state.seat)
        found.append(COACH.prospect(PORTO.view(after, state.seat)).margin)
    assert len(set(found)) > 5
    assert expected.margin == pytest.approx(fmean(found), abs=0.8)


@pytest.mark.parametrize(("samples", "often"), [(0, 1), (1, 1), (5, 5)])
def test_what_may_come_up_is_tried_once_at_least(samples, often):
    drawn = []

    def look(chance):
        drawn.append(chance("cards", 0, bytes(100_000)))
        return Prospect(drawn[-1], 0.5)

    assert over_chances(look, Random(1), samples) == Prospect(fmean(drawn), 0.5)
    assert len(drawn) == len(set(drawn)) == often
    looked = []

    def at_what_is_there(chance):
        looked.append(chance)
        return Prospect(7, 0.5)

    assert over_chances(at_what_is_there, Random(1), 5) == Prospect(7, 0.5)
    assert len(looked) == 1, "nothing comes up"


# --- why ----------------------------------------------------------------------------------------


def test_reasons_for_private_contracts_name_them_and_those_that_fit_together():
    dealt = ("houses-red", "pairs-blue+red", "mirror-green", "palette", "side")
    state = Kind(2).begin(seeded_chance("tram")).copy()
    state.dealt = (bytes(map(private, dealt)), *state.dealt[1:])
    fitting = said(state, "keep 1 2 4")
    assert re.search(
        r"^Red houses count for more than one of these contracts\. "
        r"In other games .* -?\d\.\d VP for pairs-blue\+red",
        fitting,
    )
    best = "The best one is side: 5 VP for completing all houses of one side."
    other = said(state, "keep 1 3 5")
    assert re.fullmatch(rf"In other games they .*\. {re.escape(best)}", other)
    assert not re.search("The best|more than once", said(state, "keep 1 3 4"))
    state.dealt = (bytes(map(private, (*dealt[:3], "ends-yellow", "side"))), *state.dealt[1:])
    assert "more than once" not in said(state, "keep 1 3 4"), "red, green and yellow"


BOTH, ONE = "[blue-2, red-1]", "[blue-2, green-3]"
"""Hands of Inês: with both cards for L5, and with one of them."""
GREEN, RIVAL = "[green-1, green-2, green-3]", "[green-1, red-2, yellow-2]"
"""Hands of Joana: with nothing for L5, and with a build there."""
SCORED = "roof token 4, contract 2-red-floors 2, contract red-house 2, contract blue+red 2)"
COMPLETE = "2 red floors on L5 for 18 VP"
CAN_WAIT = "Inês's best build can wait: nobody can build there before Inês."
NOW_OR_NEXT_TURN = [
    (ONE, GREEN, "draw red-2", f"Next turn Inês can build {COMPLETE} instead of 6"),
    (BOTH, RIVAL, "draw red-2", "Risk: Joana could build 2 red floors on L5 for 16 VP before Inês"),
    (ONE, GREEN, "draw red-2 green-1", "instead of 6 on L3. Green-1 is for later builds."),
    (
        BOTH,
        GREEN,
        "draw green-1 red-2",
        f"After building {COMPLETE}, Inês can also build 2 green floors on L3 for 6 VP.",
    ),
    (
        "[green-3, red-2, purple-1]",
        "[]",
        "draw yellow-3",
        "After building 3 green floors on L3 for 7 VP, Inês can also build 1 red floor on L5 for 5",
    ),
    (BOTH, GREEN, "draw green-1", CAN_WAIT),
    # With one card of value 2 it is one build or the other.
    (
        BOTH,
        GREEN,
        "draw green-1",
        f"It adds cards for later builds; the next one can be {COMPLETE}.",
    ),
    (
        "[blue-2, blue-2, red-1, red-1]",
        GREEN,
        "draw green-1",
        f"Besides {COMPLETE}, Inês can then build 2 green floors on L3 for 6 VP.",
    ),
    (
        "[]",
        GREEN,
        "draw yellow-3",
        "After drawing green-1 as well, Inês could build 3 green floors on L3 for 7 VP",
    ),
    (
        "[green-1, green-2]",
        "[]",
        "draw green-1",
        "It adds cards for later builds; the next one can be 2 green floors on L3 for ",
    ),
    (BOTH, GREEN, "build blue-2 red-1 L5", SCORED),
    (
        BOTH.replace("]", ", green-1, green-1]"),
        "[]",
        "build green-1 green-1 L3",
        f" VP now (floors 3, neighbors 1), with {COMPLETE} to follow.",
    ),
    (BOTH, RIVAL, "build blue-2 red-1 L5", "It spoils Joana's best build: 2 red floors on L5 for"),
    (
        "[green-1, red-1]",
        "[green-1, red-1]",
        "build green-1 red-1 L5",
        "Risk: Joana can then build 1 red floor on L5 for 12 VP.",
    ),
]


@for_each(("hand", "joana", "move", "reason"), NOW_OR_NEXT_TURN)
def test_building_now_and_drawing_first_are_compared(hand, joana, move, reason):
    assert reason in said(laid(BUSY.replace(BOTH, hand).replace(GREEN, joana)), move)


def test_a_build_that_others_could_make_first_does_not_wait():
    for joana in (RIVAL, "[red-2, red-2]"):
        told = said(laid(BUSY.replace(GREEN, joana)), "draw green-1")
        assert "Risk: Joana could build 2 red floors on L5 " in told
        assert "can wait" not in told


def test_no_card_is_left_over_for_later_where_a_draw_is_for_later_or_all_of_it_is_played():
    for hand, draw in ((BOTH, "draw green-1"), (ONE, "draw red-2"), (BOTH, "draw green-1 red-2")):
        assert "for later builds." not in said(laid(BUSY.replace(BOTH, hand)), draw)


@for_each(
    "move", ["draw red-3", "draw green-1 red-2", "draw yellow-3", "draw red-2", "draw green-1"]
)
def test_what_a_draw_is_for_is_said_first(move):
    told = said(laid(BUSY), move)
    assert told.startswith(
        ("Next turn Inês can ", f"After building {COMPLETE}, Inês can ", "It adds cards ")
    )


def test_with_one_turn_left_no_draw_is_promised_before_a_build():
    promised = {}
    for seed in ("tram", "ferry", "bridge"):
        state, chance = later(1, 6, seed), seeded_chance(seed)
        while state.phase != OVER:
            legal = PORTO.legal_moves(state, 0)
            if state.phase == TIMER and state.timer_left // 2 in (1, 2):
                state = state.copy()
                state.hands = (b"",)
                told = " ".join(said(state, PORTO.format_move(move, state)) for move in legal)
                left = state.timer_left // 2
                promised[left] = promised.get(left, False) or "After drawing " in told
            draws = [one for one in legal if isinstance(one, Draw)]
            state, _ = PORTO.apply(state, [*draws, legal[0]][0], chance, 0)
    assert promised == {2: True, 1: False}


@for_each(("players", "turns"), [(2, 9), (2, 14), (3, 13), (4, 13)])
def test_a_build_that_a_draw_is_for_scores_so_much_if_the_others_draw_as_well(players, turns):
    state, chance = later(players, turns), seeded_chance("then")
    mine, told = state.seat, None
    while told is None or state.seat != mine:
        legal = PORTO.legal_moves(state, state.seat)
        draw = next(one for one in reversed(legal) if isinstance(one, Draw))
        text = said(state, PORTO.format_move(draw, state))
        told = told or re.search(
            r"^(?:Next turn|After \d|\S+ then has) .*? on (\w\d) for (\d+) VP", text
        )
        state, _ = PORTO.apply(state, draw, chance, state.seat)
    builds = [one for one in PORTO.legal_moves(state, mine) if isinstance(one, Build)]
    assert int(told[2]) == max(worth(state, one) for one in builds if HOUSES[one.house] == told[1])


def test_reasons_tell_what_private_contracts_it_helps():
    start = "build blue-2 red-1 R1 token L7"
    state = laid(BUSY, private_contracts=True).copy()
    own = bytes([private("ends-red"), private("ends-blue"), private("mirror-yellow")])
    state.kept = (own, b"")
    result = said(state, start)
    assert re.search(r"It helps Inês's ends-red by about [\d.]+ VP\.", result)
    assert "mirror-yellow" not in result, "which has nothing to do with it"
    state.kept = (b"", own)
    result = said(state, start)
    assert "ends-red" not in result
    real = Kind(2, table=True).begin(seeded_chance("tram"))
    result = said(real, PORTO.format_move(PORTO.legal_moves(real, real.seat)[0], real))
    assert "are unknown here, so they are not counted." in result


def test_of_a_draw_it_is_told_what_its_best_build_does_for_private_contracts():
    """And what they can lose by it, unless they would hardly bring it anyway."""
    for kept, reason in (
        (
            "houses-red",
            "At the end Inês's private contracts bring 1 VP more with 2 red floors on L5",
        ),
        ("palette", None),
    ):
        state = laid(BUSY, private_contracts=True).copy()
        state.kept = (bytes([private(kept)]), b"")
        told = said(state, "draw green-1")
        assert f"{reason}: {kept}." in told if reason else "private contracts" not in told


def test_what_private_contracts_lose_is_told_on_average_and_at_most():
    state = laid(BUSY, private_contracts=True).copy()
    state.kept = (bytes([private("ends-blue")] * 2), b"")
    hurts = r"It hurts Inês's ends-blue by about \d\.\d VP \(6 at most\)\."
    assert re.search(hurts, said(state, "build red-1 blue-2 R2")), "3 for each"


def test_reasons_in_the_last_turns():
    state = later(2, 99, until_last_turn=True)
    move = PORTO.format_move(judged(state)[0][1].move, state)
    assert said(state, move).startswith("It scores ")
    assert "can draw" not in said(state, move)
    assert " then" not in said(state, move)


def test_after_the_last_move_private_contracts_are_counted_not_estimated():
    state = later(2, 99, until_last_turn=True).copy()
    state.kept = (bytes(map(private, ("houses-blue", "houses-green", "houses-red"))),) * 2
    moves = PORTO.legal_moves(state, state.seat)
    text = " ".join(said(state, PORTO.format_move(move, state)) for move in moves)
    assert re.search(r"At the end \S+ private contracts bring \d+ VP more: houses-", text)
    assert "about" not in text


def test_reasons_for_a_build_for_the_timer():
    chance = seeded_chance("tram")
    state = Kind(1, timer=28).begin(chance)
    while state.phase != TIMER:
        move = choose(PLAYERS["level-4"], PORTO, state, 0, Random(1))
        state, _ = PORTO.apply(state, move, chance, 0)
    told = [said(state, PORTO.format_move(move, state)) for move in PORTO.legal_moves(state, 0)]
    assert not any("It scores" in one for one in told)
    for kind in ("still build [^.]+", "then build [^.]+ for 6 VP instead of 5 on L7"):
        assert re.search(rf"Inês can {kind}\.", " ".join(told))
    lost = r"Inês's best build on \w\d is then \d+ VP, not \d+\.|It prevents Inês's \d .+ VP\)\."
    assert re.search(lost, " ".join(told))


@for_each(
    ("joana", "near"),
    [
        ("[]", []),
        ("[red-2, red-2]", ["Its token of 2 VP waits on L5, which Joana can complete."]),
        ("[], lacking 1", ["Its token of 2 VP waits on L5, which lacks 1 floor."]),
    ],
)
def test_of_a_token_that_can_be_scored_soon_it_is_said_where_it_waits(joana, near):
    hand, _, lacking = joana.partition(", lacking")
    text = BUSY.replace("roof-tokens: {L5: 4}\n", "").replace(GREEN, hand)
    table = laid(text.replace("L5: red 2", "L5: red 3") if lacking else text)
    move = PORTO.parse_move("build blue-2 red-1 R1 token L5", table, 0)
    told = [one for one in COACH.merits(PORTO.view(table, 0), move).reasons if "Its token" in one]
    assert told == near
    assert all(isinstance(one, Against) for one in told)


def test_a_contract_that_is_left_out_is_named():
    state = laid(BUSY)
    built, _ = PORTO.apply(state, PORTO.parse_move("build blue-2 red-1 L5", state, 0), None, 0)
    result = said(built, "contract red-house")
    assert result.startswith("It scores 2 VP now.")
    assert "It leaves 2-red-floors and blue+red unfulfilled." in result
