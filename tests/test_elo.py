"""Ratings: known answers, intervals that hold what they should, and players beyond all ratings."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log10
from random import Random
from typing import Any

import pytest

from porto_cli.simulate.elo import SCALE, Compared, quantile, rate


def won(times: int, of: int, one: int = 0, other: int = 1, first: int = 0) -> list[Compared]:
    """Return so many wins in so many deals of one game each."""
    return [Compared(first + nth, one, other, 1, nth < times) for nth in range(of)]


def test_two_players_differ_by_the_odds() -> None:
    for times, odds in ((50, 1), (75, 3), (90, 9)):
        ratings = rate(2, won(times, 100))
        assert ratings[0].elo == pytest.approx(200 * log10(odds))
        assert ratings[1].elo == pytest.approx(-200 * log10(odds))


def test_four_hundred_points_are_odds_of_ten() -> None:
    assert rate(2, won(10, 11), anchor=1)[0].elo == pytest.approx(400)


def test_odds_multiply_along_a_chain() -> None:
    """Who plays only in pairs 3:1 and 2:1 is rated by both, exactly."""
    games = [*won(75, 100, 0, 1), *won(40, 60, 1, 2)]
    found = rate(3, games, anchor=2)
    assert found[0].elo == pytest.approx(400 * log10(6))
    assert found[1].elo == pytest.approx(400 * log10(2))
    assert found[2][:] == (0, 0, 0)


def test_a_round_where_each_beats_the_next_as_often_is_even() -> None:
    games = [game for pair in ((0, 1), (1, 2), (2, 0)) for game in won(70, 100, *pair)]
    assert [one.elo for one in rate(3, games)] == pytest.approx([0, 0, 0])


def test_shared_places_count_as_half() -> None:
    half = [Compared(nth, 0, 1, 1, 0.5) for nth in range(50)]
    assert rate(2, [*won(50, 50), *half])[0].elo == pytest.approx(rate(2, won(75, 100))[0].elo)
    assert rate(2, half)[0].elo == pytest.approx(0)


def test_the_interval_of_independent_games_is_that_of_the_information() -> None:
    """One game a deal: as anybody works it out, 1 / (n p q), but for the one deal that is added."""
    ratings = rate(2, won(750, 1000), anchor=1)
    off = 1.962 * SCALE * (1 / (1000 * 0.75 * 0.25)) ** 0.5
    assert ratings[0].high is not None
    assert ratings[0].elo is not None
    assert ratings[0].high - ratings[0].elo == pytest.approx(off, rel=0.003)
    assert ratings[1] == (0, 0, 0)


def off(compared: list[Compared]) -> float:
    """Return how far the first of two players may be off."""
    rating = rate(2, compared, anchor=1)[0]
    assert rating.high is not None
    assert rating.elo is not None
    return rating.high - rating.elo


def test_games_of_a_deal_are_not_counted_as_if_they_were_alone() -> None:
    """The same wins: games that go alike say less than independent ones, balanced ones more."""
    alone = [Compared(nth, 0, 1, 1, nth % 2) for nth in range(400)]
    alike = [Compared(nth, 0, 1, 2, 2 * (nth % 2)) for nth in range(200)]
    split = [Compared(nth, 0, 1, 2, 1) for nth in range(200)]
    assert off(alike) == pytest.approx(off(alone) * 2**0.5, rel=0.02)
    assert 0 < off(split) < off(alone) / 10


def test_the_interval_of_five_deals_by_hand() -> None:
    """3 of 5: the scores of the deals are 0.4 and -0.6, the information of each is 0.24."""
    spread = (3 * 0.4**2 + 2 * 0.6**2) * 5 / 4 + 0.24
    variance = spread / (5 * 0.24) ** 2
    assert off(won(3, 5)) == pytest.approx(SCALE * quantile(4) * variance**0.5)


def test_a_few_deals_that_were_all_split_prove_little() -> None:
    assert off([Compared(nth, 0, 1, 2, 1) for nth in range(3)]) > 300


def test_of_a_single_deal_nothing_is_said() -> None:
    assert rate(2, [Compared(0, 0, 1, 2, 1)], anchor=1)[0] == (0, None, None)


def test_the_quantile_is_that_of_tables() -> None:
    for freedom, known in ((5, 2.571), (9, 2.262), (19, 2.093), (99, 1.984), (10**6, 1.960)):
        assert quantile(freedom) == pytest.approx(known, rel=0.01)


def test_who_wins_all_is_at_least_so_strong() -> None:
    """100 wins have a chance of 5 % at p = 0.05 ** 0.01, whichever of the two is the anchor."""
    chance = 0.05**0.01
    bound = 400 * log10(chance / (1 - chance))
    above = rate(2, won(100, 100), anchor=1)
    assert above[0] == (None, pytest.approx(bound), None)
    assert above[1].elo == 0
    below = rate(2, won(100, 100), anchor=0)
    assert below[1] == (None, None, pytest.approx(-bound))
    assert rate(2, won(0, 100), anchor=1)[0] == (None, None, pytest.approx(-bound))


def test_games_of_a_deal_are_one_trial_for_a_bound() -> None:
    twice = [Compared(nth, 0, 1, 2, 2) for nth in range(100)]
    assert rate(2, twice, anchor=1) == rate(2, won(100, 100), anchor=1)


def test_the_others_are_rated_as_without_who_is_beyond() -> None:
    between = won(75, 100, 1, 2)
    games = [*between, *won(50, 50, 0, 1), *won(50, 50, 0, 2)]
    alone = rate(3, between)
    found = rate(3, games)
    assert found[1:] == [pytest.approx(one) for one in alone[1:]]
    assert found[0].elo is None
    assert found[0].low is not None
    # 50 trials against each of the two: more than the stronger alone would tell.
    assert found[0].low > (rate(2, won(50, 50), anchor=1)[0].low or 0) + (found[1].elo or 0)


def test_a_group_that_is_beyond_stays_beyond() -> None:
    """Two who always beat two others: only those of one group have ratings."""
    both = [*won(30, 50, 0, 1), *won(30, 50, 2, 3)]
    across = [game for top in (0, 1) for low in (2, 3) for game in won(50, 50, top, low)]
    found = rate(4, [*both, *across])
    assert [one.elo is None for one in found] == [False, False, True, True]
    assert found[2].high is not None
    found = rate(4, [*both, *across], anchor=3)
    assert [one.elo is None for one in found] == [True, True, False, False]
    assert found[0].low is not None


def test_one_loss_is_enough_for_a_rating() -> None:
    assert rate(2, won(99, 100), anchor=1)[0].elo == pytest.approx(400 * log10(99))


def test_who_has_met_nobody_is_unknown() -> None:
    assert rate(3, won(5, 10))[2] == (None, None, None)
    assert rate(2, []) == [(0, 0, 0), (None, None, None)]


def test_many_players_far_apart_are_rated() -> None:
    true = [200 * nth for nth in range(12)]
    games = [
        Compared(0, one, other, 1000, 1000 * chance(true[one] - true[other]))
        for one in range(12)
        for other in range(one)
    ]
    found = rate(12, games, anchor=0)
    assert [one.elo for one in found] == pytest.approx(true)


# -- Do the intervals hold what they should?


def chance(ahead: float) -> float:
    return 1 / (1 + exp(-ahead / SCALE))


TRUE = (0, 110, 240, -90)
SEAT = 80
"""What a seat is worth, in a deal of which the players share nothing."""


def deals(rnd: Random, count: int, *, alike: float) -> Iterator[Compared]:
    """Play deals from both seats. In each a player has a day, ``alike`` points good or bad."""
    for deal in range(count):
        days = [rnd.gauss(0, alike) for _ in TRUE]
        for one in range(len(TRUE)):
            for other in range(one):
                ahead = TRUE[one] + days[one] - TRUE[other] - days[other]
                wins = sum(rnd.random() < chance(ahead + seat) for seat in (SEAT, -SEAT))
                yield Compared(deal, one, other, 2, wins)


def truth(rnd: Random, alike: float) -> list[float]:
    """Return what very many deals would lead to."""
    sums: dict[tuple[int, int], Any] = {}
    for each in deals(rnd, 20_000, alike=alike):
        games, wins = sums.get((each.one, each.other), (0, 0))
        sums[each.one, each.other] = games + each.games, wins + each.won
    compared = [Compared(0, *pair, *numbers) for pair, numbers in sums.items()]
    return [one.elo or 0 for one in rate(len(TRUE), compared, anchor=0)]


def coverage(repeats: int, count: int, alike: float) -> float:
    """Return how often the true difference to the first player is in the interval."""
    rnd = Random(f"{repeats}/{count}/{alike}")
    true = truth(rnd, alike)
    held = tried = 0
    for _ in range(repeats):
        found = rate(len(TRUE), list(deals(rnd, count, alike=alike)), anchor=0)
        for rating, wanted in zip(found[1:], true[1:], strict=True):
            assert rating.low is not None
            assert rating.high is not None
            held += rating.low <= wanted <= rating.high
            tried += 1
    return held / tried


@pytest.mark.long
def test_known_strengths_are_found() -> None:
    found = rate(len(TRUE), list(deals(Random(1), 1500, alike=0)), anchor=0)
    wanted = truth(Random(2), 0)
    for rating, true in zip(found[1:], wanted[1:], strict=True):
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low - 5 < true < rating.high + 5
        assert rating.high - rating.low < 25


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0, 150])
@pytest.mark.parametrize("count", [25, 80])
def test_intervals_hold_the_truth_95_times_of_100(count: int, alike: float) -> None:
    assert 0.935 <= coverage(500, count, alike) <= 0.97
