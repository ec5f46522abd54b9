"""The levels of players: what each of them reckons, by hand at small tables, and how well it plays.

Heights at two players: L3 6, L4 5, L5 4, L6 6, L7 5, R1 5, R2 6, R3 4, R4 5, R5 6.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from math import e
from pathlib import Path
from random import Random

import pytest

import porto_cli.games.porto.players.evaluation as weights_module
from bench.training.forms import FEATURES, SOLO_FEATURES
from porto_cli.core.chance import seeded_chance
from porto_cli.games.porto import players as search
from porto_cli.games.porto.engine import CARDS, COLORS, HOUSES, NOWHERE, PRIVATE
from porto_cli.games.porto.engine.cards import Claim, Draw, Keep
from porto_cli.games.porto.engine.play import Build, apply
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, TIMER, State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import PLAYERS, evaluation, open_table
from porto_cli.games.porto.players.candidates import (
    after,
    best_move,
    candidates,
    card_prices,
    default_builds,
    default_roof,
    distinct_draws,
    later,
    move_of,
    priced_moves,
)
from porto_cli.games.porto.players.evaluation import (
    NOTHING,
    Board,
    Evaluator,
    Prices,
    along,
    chances_of,
    completion_row,
    expected,
    expected_vp,
    features,
    phase,
    roofs_to_go,
    turns_left,
    weights_of,
)
from porto_cli.games.porto.sealing import view
from porto_cli.players import choose
from porto_cli.players.search import best_by_halving, chance_to_win, rough_chance
from porto_cli.simulate import Frequency, Start, Tally, simulate
from tests.conformance.sealed import NOBODY
from tests.porto.playing import KINDS, Kind
from tests.porto.tables import laid
from tests.porto.test_sealed import game as sealed_game

BUSY = """houses: {L3: green 2, L4: blue 4, L5: red 2, L6: yellow 4}
roof-tokens: {L5: 4}
ground-tokens: {R1: 2}
hands: {Inês: [blue-2, red-1], Joana: [green-1, green-2, green-3]}
cards: [green-1, green-1, red-2, red-3, yellow-3]
contracts: [2-red-floors, red-house, blue+red, 1-blue-floor]"""
PRICES = Prices((2.0, 3.0, 4.0), (0.5, 0.1, 0.2, 0.3, 0.4, 0.6), 0.7, -0.5, 0.2, 1.0)


def card(name: str) -> int:
    return CARDS.index(name)


def house(name: str) -> int:
    return HOUSES.index(name)


def floors(count: int, color: str) -> int:
    """Floors of a color as a board numbers them."""
    return 3 * COLORS.index(color) + count - 1


def private(name: str) -> int:
    return next(index for index, one in enumerate(PRIVATE) if one.name == name)


# --- what a board offers ----------------------------------------------------------------------


def test_the_best_floors_count_everything_that_a_build_scores_but_the_two_cards():
    board = Board(laid(BUSY))
    # Floors 3 and 4 of L5: 4 + 2 beside L4 + 2 beside L6 + roof 4 + red-house 2 + 2-red-floors 2.
    assert board.best[floors(2, "red")] == 16
    assert HOUSES[board.where(floors(2, "red"))] == "L5"
    # Floor 5 of L4: 5 + 1-blue-floor 3; its roof has no token and there is no blue-house.
    assert board.best[floors(1, "blue")] == 8
    # L5 has room for two: L7 beside L6 has 3 + 3, and R1 only 3 + 2 for its token.
    assert board.best[floors(3, "red")] == 6
    assert HOUSES[board.where(floors(3, "red"))] == "L7"
    # Not L7, which is beside yellow.
    assert HOUSES[board.where(floors(3, "yellow"))] == "R1"
    assert board.best[floors(3, "yellow")] == 3 + 2


def test_without_a_ground_floor_left_no_house_is_started():
    board = Board(laid("houses: {L3: red 6, L5: red 4, L7: red 5}"))
    assert board.best[floors(1, "red")] == NOTHING
    assert board.where(floors(1, "red")) < 0


def test_the_lower_card_is_the_number_and_two_cards_fulfill_as_well():
    board = Board(laid(BUSY))
    hand = bytes([card("blue-2"), card("red-1")])
    assert board.matching(hand) == (18, 0, 0, house("L5"))


def test_pairs_are_taken_one_after_the_other_from_the_cards_left():
    state = laid(
        "houses: {L5: red 2}\ncontracts: [blue+blue, 3-green-floors, 1-blue-floor, blue-house]"
    )
    board = Board(state)
    ones = [card("red-1"), card("red-1")]
    # Floors 3 and 4 of L5 are 4 VP; floor 3 alone is 3 VP, and a third pair is not there.
    assert board.matching(bytes([*ones, card("red-2"), card("red-2")])) == (4, 4, 0, house("L5"))
    # The best pair takes a red-2, and what is left of the hand is no pair.
    assert board.matching(bytes([card("red-1"), card("red-2"), card("red-2")]))[:3] == (4, 0, 0)


def test_what_is_counted_on_the_board():
    board = Board(laid(BUSY))
    assert board.floors_to_end == 1 + 2 + 2 + 4 + 4 + 5
    assert board.missing[1:] == [1, 2, 0, 1]
    assert (board.roof_vp, board.near_roof_vp, board.ground_vp) == (4, 4, 2)
    assert board.floors_built == 12


# --- prices -----------------------------------------------------------------------------------


def test_a_build_is_priced_by_what_it_scores_less_its_cards():
    state = laid(BUSY)
    priced = {one.cards: -one.cost for one in priced_moves(state, PRICES) if one.is_build}
    # 16 as above, 2 for blue+red, 0.5 for a house complete; the cards cost 3 + 2.
    assert priced[card("blue-2"), card("red-1")] == pytest.approx(16 + 2 + 0.5 - 5)
    # One blue floor on L4: 5 + 3 + 2 + 0.5 - 5.
    assert priced[card("red-1"), card("blue-2")] == pytest.approx(8 + 2 + 0.5 - 5)


def test_a_draw_is_worth_its_cards():
    state = laid(BUSY)
    priced = {one.cards: -one.cost for one in priced_moves(state, PRICES) if not one.is_build}
    assert priced[card("green-1"), card("green-1")] == 4
    assert priced[card("green-1"), card("red-2")] == 5
    assert priced[(card("yellow-3"),)] == 4


def test_a_token_that_others_could_get_is_a_loss():
    state = laid("houses: {L3: red 1}\nroof-tokens: {L3: 4}\nhands: {Inês: [blue-2, red-1]}")
    no_start = PRICES._replace(start=-9.0)
    (priced,) = [
        one for one in priced_moves(state, no_start) if one.cards == (card("blue-2"), card("red-1"))
    ]
    offers = Board(state).offers
    contracts = offers.floors[floors(2, "red")] + offers.cards[5 * 0 + 3]
    # Floors 2 and 3 of six: 3, and 0.3 for three left; 0.3 of the token are a loss.
    assert -priced.cost == pytest.approx(3 + 0.3 - 0.3 * 4 + contracts - 5)


def test_the_more_cards_the_less_a_card_is_worth():
    state = laid("hands: {Inês: [blue-1, blue-2, red-1, red-2, green-1]}")
    assert card_prices(state, PRICES) == (2 - 1, 3 - 1, 4 - 1)


def test_what_counts_only_later_counts_less_towards_the_end():
    state = laid("scores: {}")
    assert later(state, PRICES) == 1
    one_left = state.copy()
    one_left.roofs = 5
    assert later(one_left, PRICES) == pytest.approx(0.6)
    # The end was triggered in round 3, so turns 6 and 7 (from 0) are the last ones.
    ending = state.copy()
    ending.end_round, ending.turn, ending.seat = 3, 5, 1
    assert later(ending, PRICES) == pytest.approx(0.16)
    ending.turn, ending.seat = 6, 0
    assert later(ending, PRICES) == 0


def test_of_equal_moves_a_draw_comes_first_then_lower_cards():
    state = laid(
        "hands: {Inês: [blue-1, green-1]}\ncards: [purple-1, purple-3, red-3, red-3, yellow-3]\n"
        "contracts: [blue-house, green-house, red-house, yellow-house]"
    )
    # A floor is 1 VP, and so is a purple-1; all the rest is worth nothing.
    flat = Prices((1.0, 0.0, 0.0), (2.0,) * 6, 0.0, 0.0, 0.0, 0.0)
    found = [(-one.cost, one.is_build, one.cards) for one in priced_moves(state, flat)]
    assert found[:3] == [
        (1, False, (card("purple-1"),)),
        (1, True, (card("blue-1"), card("green-1"))),
        (1, True, (card("green-1"), card("blue-1"))),
    ]
    assert move_of(state, priced_moves(state, flat)[1])[:3] == (
        *(card("blue-1"), card("green-1")),
        house("L3"),
    )


def test_the_token_goes_where_most_floors_are_missing_after_the_build():
    state = laid("houses: {L3: green 2}\nground-tokens: {L6: 3, R1: 1}")
    # R2 and R5 miss six, L6 would too.
    assert HOUSES[default_roof(state, house("R1"), 1)] == "L6"
    assert HOUSES[default_roof(state, house("L6"), 1)] == "R2"
    assert default_roof(state, house("R2"), 1) == NOWHERE
    taken = laid(
        "houses: {L3: green 2, R3: green 1}\nground-tokens: {R1: 1}\nroof-tokens: {L6: 1, R2: 1}"
    )
    assert HOUSES[default_roof(taken, house("R1"), 1)] == "R5"


# --- value ------------------------------------------------------------------------------------


def seen(state: State, seat: int, own: float = 0.0) -> dict[str, float]:
    board = Board(state)
    matchings = [board.matching(hand) for hand in state.hands]
    return dict(zip(FEATURES, features(state, seat, board, matchings, own), strict=True))


def test_the_names_of_the_features_are_those_of_the_weights():
    for players in "234":
        weights = weights_of(players)
        assert weights.features == FEATURES
        assert len(weights.rows) == len(weights.phases) == 7
        assert {len(row) for row in weights.rows} == {len(FEATURES)}
    solo = weights_of("solo")
    assert solo.features == SOLO_FEATURES
    assert {len(row) for row in solo.rows} == {len(SOLO_FEATURES)}
    assert len(solo.bold) == len(solo.completion) == 8


def test_what_who_is_next_has():
    found = seen(laid(BUSY), 0, 1.5)
    assert found["best_pair"] == found["next_best_pair"] == 18
    assert found["best_pair_above_9"] == 9
    assert (found["cards_of_value_1"], found["cards_of_value_2"], found["cards_of_value_3"]) == (
        *(1, 1),
        0,
    )
    assert found["own_private"] == 1.5
    assert (found["next_most_cards"], found["next_ones"]) == (2, 2)
    assert (found["next_twos"], found["next_threes"]) == (1, 2)
    assert found["next_roof_tokens"] == 4
    assert found["next_floors_to_end"] == found["floors_to_end"] == 18
    assert found["cards_times_floors_to_end"] == pytest.approx(3.6)
    assert found["mean_hand_of_others"] == 3
    assert (found["turns_to_wait"], found["next"], found["two_cards"]) == (0, 1, 1)
    assert found["waiting_most_cards"] == found["waiting_best_pair_of_others"] == 0
    assert found["colors_in_hand"] == 2


def test_what_who_waits_has():
    found = seen(laid(BUSY), 1)
    assert (found["turns_to_wait"], found["next"]) == (1, 0)
    assert found["waiting_most_cards"] == 2
    assert found["best_pair_of_others"] == found["waiting_best_pair_of_others"] == 18
    upcoming = [name for name in FEATURES if name.startswith("next")]
    assert len(upcoming) == 12
    assert not any(found[name] for name in upcoming)
    assert found["contested"] == 0


def test_a_pair_is_contested_by_who_comes_before():
    text = BUSY.replace("[green-1, green-2, green-3]", "[red-2, yellow-2]")
    assert seen(laid(text), 1)["contested"] == 1
    assert seen(laid(text), 1)["contested_best_pair"] == seen(laid(text), 1)["best_pair"] > 0
    assert seen(laid(text), 0)["contested"] == 0


@pytest.mark.parametrize(
    ("cards", "most"),
    [
        ("blue-1, blue-1, red-1, red-3, green-3", 3),
        ("blue-1, blue-1, red-2, red-3, green-3", 2),
        ("blue-1, blue-1, red-3, red-3, green-3", 2),
        ("blue-1, blue-2, red-2, red-3, green-3", 2),
        ("blue-1, blue-3, green-3, red-3, red-3", 1),
        ("blue-2, green-2, red-2, yellow-2, red-3", 1),
    ],
)
def test_the_most_cards_of_a_draw(cards, most):
    assert seen(laid(f"cards: [{cards}]"), 0)["next_most_cards"] == most


def test_the_phases():
    state = laid("scores: {}")
    for roofs, row in {0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 3}.items():
        state.roofs = roofs
        assert phase(state, 0) == row
    # The end was triggered in round 3: turns 4 and 5 (from 0) finish it, 6 and 7 are the last.
    state.roofs, state.end_round = 6, 3
    expected = {5: (1, 2), 6: (1, 1), 7: (0, 1)}
    for state.turn, left in expected.items():
        assert (turns_left(state, 0), turns_left(state, 1)) == left
        assert [phase(state, seat) for seat in (0, 1)] == [6 - turns for turns in left]


def test_the_margin_is_over_the_best_and_over_all_others():
    state = laid("scores: {Inês: 50, Joana: 40, Afonso: 20}", players=3)
    state.phase = OVER
    assert Evaluator(3, 0, b"").lead(state) == 50 - 20 - 15
    assert Evaluator(3, 0, b"").margin(state, 1) == 40 - 25 - 17.5


def test_at_the_end_only_the_own_private_contracts_count():
    state = laid("houses: {L3: red 6, R1: red 5}\nscores: {Inês: 9, Joana: 9}")
    state.dealt, state.phase = (), KEEP
    own = bytes([private("houses-red")])
    evaluator = Evaluator(2, 0, own)
    assert evaluator.values(state, 0) == [9 + 2, 9]
    assert evaluator.values(state, 1) == [9, 9]


def test_the_value_is_the_score_and_the_weighed_features():
    state = laid(BUSY + "\nscores: {Inês: 7, Joana: 3}")
    found = Evaluator(2, 0, b"").values(state, 0)
    rows = weights_of("2").rows
    for seat, score in enumerate((7, 3)):
        numbers = seen(state, seat).values()
        by_hand = sum(w * f for w, f in zip(rows[0], numbers, strict=True))
        assert found[seat] == pytest.approx(score + by_hand)


def test_private_contracts_are_expected_by_who_decides_alone():
    state = laid(BUSY)
    own = bytes([private("houses-red")])
    row = weights_of("2").completion[6]
    weight = weights_of("2").rows[0][FEATURES.index("own_private")]
    without = Evaluator(2, 0, b"")
    evaluator = Evaluator(2, 0, own)
    more = evaluator.values(state, 0)[0] - without.values(state, 0)[0]
    assert more == pytest.approx(weight * expected(state.config, own[0], chances_of(state, row)))
    assert evaluator.values(state, 1) == without.values(state, 1)


# --- private contracts ------------------------------------------------------------------------

EVEN = (1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0)
"""A house without floors will not be complete, one with floors is by an even chance."""


def vp(text: str, name: str, row: tuple[float, ...] = EVEN, players: int = 2) -> float:
    state = laid(text, players)
    return expected_vp(state, bytes([private(name)]), [row], 0)


def test_houses_by_their_exact_chances():
    # None, one, two of two: 1/4, 1/2, 1/4.
    assert vp("houses: {L3: red 1, R1: red 1}", "houses-red") == pytest.approx(0.5 * 1 + 0.25 * 2)
    assert vp("houses: {L3: red 6, R1: red 1}", "houses-red") == pytest.approx(0.5 * 1 + 0.5 * 2)
    assert vp("houses: {L3: red 6, R1: red 5, R3: red 4}", "houses-red") == 5


def test_ends_and_mirror():
    # L3 and R5 are ends; L3 and R2 are six floors high, R5 too.
    assert vp("houses: {L3: red 1, R5: red 1}", "ends-red") == pytest.approx(0.5 * 2 + 0.25 * 5)
    assert vp("houses: {L3: red 1, R5: red 1}", "mirror-red") == pytest.approx(5 * 0.25)
    mirror = "houses: {L3: red 1, R5: red 1, R2: red 1}"
    assert vp(mirror, "mirror-red") == pytest.approx(5 * (1 - 0.75 * 0.75))
    assert vp("houses: {L3: red 1, R1: red 1}", "mirror-red") == 0


def test_pairs_and_trios():
    pair = "houses: {L3: red 1, L4: blue 1}"
    assert vp(pair, "pairs-blue+red") == pytest.approx(2 * 0.25)
    both = "houses: {L3: red 6, L4: blue 5, R1: blue 5, R2: red 6}"
    assert vp(both, "pairs-blue+red") == 5
    trio = "houses: {L3: red 1, L4: blue 5, L5: green 1}"
    assert vp(trio, "trios-blue+green+red") == pytest.approx(4 * 0.25)


def test_palette_and_side():
    side = "houses: {L3: red 6, L4: blue 5, L5: green 4, L6: yellow 6, L7: purple 1}"
    assert vp(side, "palette") == pytest.approx(7 * 0.5)
    assert vp(side, "side") == pytest.approx(5 * 0.5)


def test_an_empty_house_may_get_any_color_that_it_can():
    chances = chances_of(laid("houses: {L3: red 1}"), (1.0,) + (0.5,) * 6 + (0.8,))
    assert chances[house("L4")] == pytest.approx((0.2, 0.2, 0.2, 0.0, 0.2))
    assert chances[house("R1")] == pytest.approx((0.16,) * 5)
    assert chances[house("L3")] == pytest.approx((0, 0, 0, 0.5, 0))


def test_between_the_steps_of_a_scale_there_are_shares():
    scale = (2, 5, 10)
    counts = {0: 0, 0.5: 1, 1: 2, 1.5: 3.5, 2: 5, 2.5: 7.5, 3: 10, 4.2: 10}
    for count, vps in counts.items():
        assert along(scale, count) == pytest.approx(vps)


# --- what every level does --------------------------------------------------------------------


@pytest.fixture(params=["level-2", "level-3", "level-4", "level-5"])
def player(request):
    chosen = PLAYERS[request.param]
    return partial(chosen, simulations=40) if request.param == "level-5" else chosen


def test_every_contract_that_is_met_is_fulfilled(player):
    state, _ = apply(laid(BUSY), Build(card("blue-2"), card("red-1"), house("L5")), None)
    assert choose(player, PORTO, state, 0, Random(1)) == Claim((0, 1, 2))


def test_the_contracts_that_are_worth_most_are_kept(player):
    dealt = "[mirror-blue, side, ends-red, mirror-green, houses-red]"
    state = laid(f"dealt: {{Inês: {dealt}}}\nphase: keep")
    # Side 2.6, houses 1.4 and ends 1.0 are worth more than mirror 0.5.
    assert choose(player, PORTO, state, 0, Random(1)) == Keep((1, 2, 4))


def test_eighteen_vp_are_not_left_lying(player):
    state = laid(BUSY.replace("[green-1, green-2, green-3]", "[red-1, red-2, blue-3]"))
    move = choose(player, PORTO, state, 0, Random(1))
    assert move[:3] == (card("blue-2"), card("red-1"), house("L5"))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_kind_of_game_is_played_to_its_end(kind):
    """The levels take turns, and real tables, where only the own contracts are known, are there."""
    levels = [PLAYERS["level-3"], PLAYERS["level-4"], partial(PLAYERS["level-5"], simulations=4)]
    chance, rng = seeded_chance("kind"), Random(1)
    state = kind.begin(chance)
    for turn in range(45):
        if state.phase == OVER or not PORTO.legal_moves(state, state.seat):
            break
        move = choose(levels[turn % 3], PORTO, state, state.seat, rng)
        assert not PORTO.violations(state, move, state.seat)
        state, _ = apply(state, move, chance, state.seat)
    assert state.turn > 5


@pytest.mark.long_for("level-5")
def test_a_sealed_game_is_played_by_what_its_looker_knows(player):
    """With the key of who moves, and without any, when not even the own contracts are known."""
    plies = sealed_game().plies
    for ply in (plies[0], *plies[1::12], *plies[-3:]):
        seat = ply.seat
        for looker in (seat, NOBODY):
            state = ply.before[looker]
            legal = PORTO.legal_moves(state, seat)
            if legal:
                move = choose(player, PORTO, state, seat, Random(1))
                assert move in legal
                assert not PORTO.violations(state, move, seat)


def test_at_an_open_table_lie_no_contracts_but_the_own():
    state = Kind(3).begin(seeded_chance("own"))
    state, _ = apply(state, Keep((0, 1, 2)), None, 0)
    table = open_table(view(state, 0))
    assert table.dealt == ()
    assert table.kept == (state.kept[0], b"", b"")
    assert open_table(view(state, 1)).kept == (b"", b"", b"")


@pytest.mark.parametrize("kind", [Kind(2), Kind(4), Kind(3, table=True)], ids=str)
def test_resampled_contracts_are_those_of_the_box(kind):
    state = kind.begin(seeded_chance("box"))
    if state.dealt:
        state, _ = apply(state, Keep((0, 2, 4)), None, 0)
    box = kind.config().private_deck
    seen = set()
    for seed in range(8):
        for seat in (None, *range(kind.players)):
            new = PORTO.resample(view(state, seat), Random(seed))
            assert not Counter(b"".join(new.dealt)) - Counter(box)
            assert [len(dealt) for dealt in new.dealt] == [5] * kind.players
            for dealt, kept in zip(new.dealt, new.kept, strict=True):
                assert not Counter(kept) - Counter(dealt)
            if seat is not None and state.dealt:
                assert new.dealt[seat] == state.dealt[seat]
                assert new.kept[seat] == state.kept[seat]
            seen.add(new.dealt)
    assert len(seen) >= 8


def test_the_best_start_is_there_with_other_roofs():
    state = laid(
        "hands: {Inês: [red-3, red-3]}\nground-tokens: {L3: 4, L4: 1, L5: 1, L6: 1}\n"
        "cards: [green-3, green-3, blue-3, blue-3, yellow-3]"
    )
    plain = candidates(state, Evaluator(2, 0, b"").lead, starts=0, roofs=0)
    more = candidates(state, Evaluator(2, 0, b"").lead, starts=3, roofs=3)
    assert len(more) == len(plain) + 9
    assert [worth for worth, _, _ in more] == sorted((w for w, _, _ in more), reverse=True)
    best = best_move(state, Evaluator(2, 0, b"").lead)
    everything = candidates(state, Evaluator(2, 0, b"").lead, starts=1, roofs=None)
    assert best == everything[0][1]


def test_a_table_afterwards_has_holes_and_all_contracts_fulfilled():
    state = laid(BUSY)
    table = after(state, Build(card("blue-2"), card("red-1"), house("L5")))
    assert table.scores[0] == 12 + 6
    assert table.contracts.count(255) == 3
    assert (table.turn, table.seat, table.phase) == (state.turn + 1, 1, ACT)


def test_equal_draws_are_one_and_default_builds_are_legal():
    for seed in range(3):
        state = Kind(2).begin(seeded_chance(f"{seed}"))
        legal = PORTO.legal_moves(state, 0)
        rng = Random(seed)
        while state.turn < 12:
            legal = PORTO.legal_moves(state, state.seat)
            if state.phase == ACT:
                draws = [take.draw for take in distinct_draws(state.cards)]
                assert draws == [move for move in legal if isinstance(move, Draw)]
                builds = default_builds(state)
                assert set(builds) <= set(legal)
                assert {build[:3] for build in builds} == {
                    move[:3] for move in legal if isinstance(move, Build)
                }
            move = choose(PLAYERS["level-2"], PORTO, state, state.seat, rng)
            state, _ = apply(state, move, seeded_chance(f"{seed}"), state.seat)


# --- search -----------------------------------------------------------------------------------


def test_halving_gives_most_samples_to_moves_that_are_nearly_equal():
    taken = [0] * 8
    rng = {}

    def sample(choice: int, nth: int) -> float:
        taken[choice] += 1
        rng.setdefault(nth, set()).add(choice)
        return choice + Random(nth).random()

    assert best_by_halving(8, 240, sample) == 7
    # Three rounds of 80: ten for each of eight, then twenty for four, forty for two.
    assert sorted(taken) == [10] * 4 + [30] * 2 + [70] * 2
    assert rng[0] == set(range(8))


def test_of_an_odd_number_the_larger_half_goes_on_and_two_stay_to_the_end():
    taken = [0] * 10

    def sample(choice: int, nth: int) -> float:
        taken[choice] += 1
        return -choice

    assert best_by_halving(10, 400, sample) == 0
    # Four rounds of 100: for ten, five, three and two.
    assert taken == [10 + 20 + 33 + 50] * 2 + [10 + 20 + 33] + [10 + 20] * 2 + [10] * 5


def test_halving_with_few_samples_or_choices():
    assert best_by_halving(5, 1, lambda choice, nth: -choice) == 0
    assert best_by_halving(1, 100, lambda choice, nth: pytest.fail("nothing to choose")) == 0
    assert best_by_halving(2, 10, lambda choice, nth: choice) == 1
    with pytest.raises(ValueError, match="nothing"):
        best_by_halving(0, 10, lambda choice, nth: 0)


def test_a_lead_is_about_a_chance_to_win():
    assert rough_chance(0, 8.0) == 0.5
    assert rough_chance(8, 8.0) == pytest.approx(1 - 0.5 / e)
    assert rough_chance(-8, 8.0) == pytest.approx(0.5 / e)


def test_a_lead_is_a_chance_to_win_by_how_far_leads_are_off():
    assert chance_to_win(3, even=3, sigma=5) == 0.5
    assert chance_to_win(8, even=3, sigma=5) == pytest.approx(0.8413447)
    assert chance_to_win(-2, even=3, sigma=5) == pytest.approx(1 - 0.8413447)


def test_all_moves_are_tried_with_the_same_random_numbers(monkeypatch):
    """What comes up and what playouts misjudge is the same in the n-th trial of each move."""
    seeds: dict[int, list[int]] = {}

    def play_on(table, evaluator, seed):
        seeds.setdefault(id(table), []).append(seed)
        return table

    monkeypatch.setattr(search, "play_on", play_on)
    search.searched(laid(BUSY), b"", Random(1), simulations=80)
    longest = max(seeds.values(), key=len)
    assert len(seeds) == search.WIDTH
    assert len(set(longest)) == len(longest) > 20
    assert all(tried == longest[: len(tried)] for tried in seeds.values())
    assert not {seed + 1 for seed in longest} & set(longest)


# --- solo -------------------------------------------------------------------------------------


def test_turns_left_alone():
    state = laid("round: 10", players=1)
    assert (state.phase, state.timer_left) == (ACT, 10)
    assert evaluation.solo_turns_left(state) == 5
    drawn = after(state, PORTO.legal_moves(state, 0)[0])
    assert drawn.phase == TIMER
    assert evaluation.solo_turns_left(drawn) == 4


def test_the_chances_of_completion_go_by_roofs_and_alone_by_fours_of_timer_cards():
    assert completion_row(laid(BUSY)) == roofs_to_go(laid(BUSY)) == 6
    for turn, left, row in ((9, 12, 3), (10, 10, 2), (11, 8, 2), (14, 2, 0)):
        state = laid(f"round: {turn}", players=1)
        assert (state.timer_left, completion_row(state)) == (left, row)


def test_alone_cards_are_worth_less_in_the_last_turns():
    prices = PRICES._replace(size=0.0)
    for turn, share in {12: 1, 13: 0.6, 14: 0}.items():
        state = laid(f"round: {turn}", players=1)
        assert card_prices(state, prices) == pytest.approx((2 * share, 3 * share, 4 * share))


def test_the_features_of_the_solo_game():
    text = BUSY.replace(", Joana: [green-1, green-2, green-3]", "")
    state = laid(text, players=1)
    numbers = evaluation.solo_features(state, Board(state))
    found = dict(zip(SOLO_FEATURES, numbers, strict=True))
    assert found["best_pair"] == 18
    assert (found["houses_missing_1"], found["houses_missing_4_or_more"]) == (1, 1)
    assert (found["roof_tokens"], found["roof_tokens_on_started"]) == (4, 4)
    assert (found["face_up_ones"], found["face_up_twos"], found["face_up_threes"]) == (2, 1, 2)
    assert found["best_2_floors"] == 16
    # The best of blue, green, purple, red and yellow, with whatever number of floors.
    best = Board(state).best
    assert found["mean_best_of_colors"] == sum(max(best[n : n + 3]) for n in (0, 3, 6, 9, 12)) / 5
    assert (found["two_cards"], found["four_cards"]) == (1, 0)


def test_the_target_is_the_highest_level_where_the_timer_is_long():
    for timer, target in {28: 80, 26: 60, 24: 60}.items():
        state = Kind(1, timer=timer).begin(seeded_chance("t"))
        assert search.target_of(state) == target


def test_the_utility_alone_is_about_a_chance_to_have_the_target():
    state = laid("scores: {Inês: 60}", players=1)
    state.phase = OVER
    reached = search.utility(state, evaluation.SoloEvaluator(), b"", 60)
    assert reached == pytest.approx(1 / (1 + e**-0.5))
    missed = search.utility(state, evaluation.SoloEvaluator(), b"", 61)
    assert missed == pytest.approx(1 / (1 + e**0.5))


# --- how well they play -----------------------------------------------------------------------


def share(better: str, *others: str, deals: int, **more: int) -> Frequency:
    players = [PLAYERS[better], *(PLAYERS[other] for other in others)]
    if more:
        players[0] = partial(players[0], **more)
    config = Kind(len(players)).config()
    games = simulate(Start("porto", config), players, deals, seed="strength", rotate=True)
    return Tally(len(players), games).won(0)


@pytest.mark.long
@pytest.mark.parametrize("better", ["level-2", "level-3"])
def test_prices_beat_greed(better):
    for others in (1, 2, 3):
        assert share(better, *["greedy"] * others, deals=5).share >= 0.9


@pytest.mark.long
def test_noise_makes_worse():
    won = share("level-2", "level-3", deals=30)
    assert 0.05 < won.share < 0.45


@pytest.mark.long
def test_value_beats_prices():
    assert share("level-4", "level-3", deals=4).share >= 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "others", "deals", "least", "more"),
    [
        ("level-3", ["greedy"], 200, 0.99, {}),
        ("level-3", ["greedy"] * 2, 100, 0.985, {}),
        ("level-3", ["greedy"] * 3, 100, 0.98, {}),
        ("level-4", ["greedy"], 50, 0.99, {}),
        ("level-4", ["level-3"], 200, 0.85, {}),
        ("level-4", ["level-3"] * 2, 100, 0.58, {}),
        ("level-4", ["level-3"] * 3, 100, 0.40, {}),
        ("level-5", ["level-3"], 100, 0.92, {"simulations": 100}),
        ("level-5", ["level-4"], 200, 0.58, {}),
        ("level-5", ["level-3"] * 2, 100, 0.70, {"simulations": 100}),
        ("level-5", ["level-3"] * 3, 80, 0.50, {"simulations": 100}),
    ],
)
def test_how_well_the_levels_play(better, others, deals, least, more):
    won = share(better, *others, deals=deals, **more)
    assert won.high >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "timer", "games", "least"),
    [
        *(("level-4", timer, 200, least) for timer, least in ((28, 0.99), (26, 0.97), (24, 0.72))),
        *(("level-5", timer, 60, least) for timer, least in ((28, 0.99), (26, 0.98), (24, 0.84))),
    ],
)
def test_how_often_the_solo_game_is_won(level, timer, games, least):
    config = Kind(1, timer=timer).config()
    played = simulate(Start("porto", config), [PLAYERS[level]], games, seed="strength", rotate=True)
    assert Tally(1, played).won(0).high >= least


def test_the_weights_are_those_that_were_measured():
    """A mistake in the numbers would show in nothing but a weaker game."""
    path = Path(weights_module.__file__).with_name("weights.json")
    entries = json.loads(path.read_text("utf-8"))
    assert set(entries) == {"2", "3", "4", "solo"}
    for entry in entries.values():
        assert set(entry["keep"]) == {contract.name for contract in PRIVATE}
        for row in entry["completion"]:
            assert len(row) == len(entry["completion_columns"])
            assert all(0 <= chance <= 1 for chance in row)
            assert row[0] == 1
