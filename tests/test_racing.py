"""Judging moves by trials: which ones are dropped, and what is said of those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest

from porto_cli.players import CONFIDENCE, FIRST_LOOK, Judgment, Prospect, Trials, tried

MEANS = {"best": 5.0, "close": 4.8, "bad": -5.0}
"""What each move is worth on average, in VP."""


def played(place: int, nth: int) -> Prospect:
    """One trial: the luck of the draw is the same for all, and each has some of its own."""
    own = Random(f"{place} {nth}").gauss(0, 1)
    return Prospect([*MEANS.values()][place] + Random(nth).gauss(0, 5) + own, 0.5)


def race(
    samples: int, *, misjudged: float = 0.0, wanted: Collection[str] = ()
) -> tuple[dict[str, Judgment], Counter[str]]:
    """Return what is said of each move, and how many trials it had."""
    trials: Counter[str] = Counter()
    names = [*MEANS]

    def trial(place: int, nth: int) -> Prospect:
        trials[names[place]] += 1
        return played(place, nth)

    found = tried(Trials(names, trial, 0, misjudged), samples, None, wanted)
    return {one.move: one for one in found}, trials


def test_what_is_clearly_worse_gets_no_further_trials():
    found, trials = race(3 * 60)
    assert trials == {"best": 60, "close": 60, "bad": FIRST_LOOK}
    assert [*found] == ["best", "close", "bad"]


def test_what_is_asked_for_is_tried_as_often_as_the_best():
    _, trials = race(3 * 60, wanted=["bad"])
    assert trials == {"best": 60, "close": 60, "bad": 60}


def test_with_few_trials_nothing_is_dropped():
    _, trials = race(3 * (FIRST_LOOK - 1))
    assert set(trials.values()) == {FIRST_LOOK - 1}


@pytest.mark.long
def test_what_judgment_is_wrong_by_is_part_of_the_doubt_however_often_is_tried():
    few, many = (race(3 * each, misjudged=0.5, wanted=["bad"])[0] for each in (20, 2000))
    assert few["bad"].doubt > many["bad"].doubt > CONFIDENCE * 0.5
    assert many["close"].about_equal
    assert not race(3 * 2000)[0]["close"].about_equal


@pytest.mark.parametrize("move", ["close", "bad"])
def test_the_error_is_that_of_the_trials_that_a_move_has_had(move: str):
    found, trials = race(3 * 60)
    place, count = [*MEANS].index(move), trials[move]
    behind = [played(0, nth).margin - played(place, nth).margin for nth in range(count)]
    assert found[move].behind == pytest.approx(fmean(behind))
    assert found[move].error == pytest.approx(sqrt(variance(behind) / count))


def test_margins_differ_by_as_much_as_moves_are_behind():
    """The few trials of a move that was dropped may all have been lucky ones."""
    found, _ = race(3 * 60)
    best = found["best"].prospect.margin
    assert best == pytest.approx(fmean(played(0, nth).margin for nth in range(60)))
    for one in found.values():
        assert one.prospect.margin == pytest.approx(best - one.behind)


def test_while_there_is_time_the_three_nearest_moves_are_compared():
    """Who asks for more time wants smaller errors of the moves that are shown."""
    trials: Counter[int] = Counter()

    def trial(place: int, nth: int) -> Prospect:
        trials[place] += 1
        return Prospect(10.0 * place, 0.5)

    assert tried(Trials([0, 1, 2, 3], trial, 60, 0.0), None, 0.05, ())[0].move == 3
    assert trials[0] == FIRST_LOOK < trials[1] == trials[2] == trials[3]
