"""Nobody is favored: hands are uniform, and refills are like those from a shuffled pile.

All secrets follow from numbers, so that these tests always have the same result. The limits are
five standard deviations of chi squared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import permutations
from math import sqrt

import pytest

from porto_cli.core.chance import seeded_chance
from porto_cli.sealed import (
    GameSecrets,
    hash_to_point,
    long_hash,
    next_randomness,
    number,
    permutation,
    short_hash,
)
from porto_cli.sealed import dealing as setups
from porto_cli.sealed.dealing import begin
from tests.sealed.people import GAME, place, without_proofs

Order = Callable[[int, bytes], Sequence[int]]


def seeds(deal: int, seats: int) -> list[bytes]:
    return [short_hash("test deal", number(deal), number(seat)) for seat in range(seats)]


def order_of(count: int, seed: bytes) -> bytes:
    return GameSecrets(seed, GAME, 0).permutation(count)


def composed(count: int, keys: Iterable[bytes], order: Order = order_of) -> list[int]:
    """Return which thing lies in which place, from the permutations alone.

    test_setup.py has the proof that this is what the points say.
    """
    pile: Sequence[int] = range(count)
    for key in keys:
        pile = [pile[nth] for nth in order(count, key)]
    return list(pile)


def deviation(seen: Iterable[Hashable], kinds: int) -> float:
    """Return by how many standard deviations chi squared is above what is expected of chance."""
    counts = Counter(seen)
    expected = counts.total() / kinds
    assert len(counts) <= kinds
    assert expected >= 5, "too few for this test"
    chi = sum((count - expected) ** 2 for count in counts.values()) / expected
    chi += (kinds - len(counts)) * expected
    return (chi - (kinds - 1)) / sqrt(2 * (kinds - 1))


def biased(count: int, seed: bytes) -> list[int]:
    """Exchange every place with any place: the well-known shuffle that is none."""
    order = list(range(count))
    stream = long_hash("test", seed)
    for nth in range(count):
        other = stream[nth] % count
        order[nth], order[other] = order[other], order[nth]
    return order


@pytest.mark.long
def test_these_tests_notice_a_shuffle_that_favors_something() -> None:
    piles = [composed(6, seeds(deal, 1), biased) for deal in range(4000)]
    assert deviation(((nth, thing) for pile in piles for nth, thing in enumerate(pile)), 36) > 5
    same = (composed(6, seeds(deal // 2, 1))[0] for deal in range(4000))
    assert deviation(same, 6) < 5
    assert deviation((0 for _ in range(60)), 6) > 5


def check_hands(deals: int, seats: int, count: int, each: int) -> None:
    piles = [composed(count, seeds(deal, seats)) for deal in range(deals)]
    for place_ in range(seats * each):
        assert deviation((pile[place_] for pile in piles), count) < 5, place_
    for first, other in ((0, 1), (0, each), (each, 2 * each - 1)):
        pairs = ((pile[first], pile[other]) for pile in piles)
        assert deviation(pairs, count * (count - 1)) < 5


def test_every_thing_comes_to_every_place_equally_often() -> None:
    check_hands(1500, 3, 12, 2)


def test_every_order_of_four_things_is_equally_likely() -> None:
    piles = (tuple(permutation(4, "test", number(nth))) for nth in range(4000))
    assert deviation(piles, 24) < 5


@pytest.mark.long
def test_one_honest_player_is_enough() -> None:
    """Whatever the others choose, also all the time the same: the pile is uniform."""
    fixed = short_hash("test", b"always")
    piles = (composed(5, [fixed, *seeds(deal, 1), fixed]) for deal in range(3000))
    assert deviation(map(tuple, piles), 120) < 5


def real_deals(deals: int, seats: int, count: int, each: int, patch: pytest.MonkeyPatch) -> None:
    without_proofs(patch)
    for deal in range(deals):
        game = short_hash("test game", number(deal))
        secrets = [GameSecrets(seed, game, seat) for seat, seed in enumerate(seeds(deal, seats))]
        setup = begin(game, seats, count, each)
        key = hash_to_point("test", b"key")
        for mine in secrets:
            joined = setups.join(setup, mine, key, bytes([mine.seat] * 16), place(setup))
            setup = setup.with_join(joined, place(setup), proven=True)
        for seat in setup.unlock_order:
            unlocked = setups.unlock(setup, secrets[seat], place(setup))
            setup = setup.with_unlock(unlocked, place(setup), proven=True)
        hands = [thing for mine in secrets for thing in setup.hand(mine)]
        assert hands == composed(count, seeds(deal, seats))[: seats * each]


@pytest.mark.long
def test_what_is_dealt_is_what_the_permutations_say(monkeypatch: pytest.MonkeyPatch) -> None:
    real_deals(40, 3, 7, 2, monkeypatch)


# -- refills

PILE = bytes([0, 0, 1, 2, 2])


def refilled(game: int, seats: int = 2) -> bytes:
    """Return what comes up when everything is drawn, one thing a turn, R changing every time."""
    chains = [GameSecrets(seed, GAME, seat) for seat, seed in enumerate(seeds(game, seats))]
    randomness = short_hash("test start", number(game))
    pile = bytearray(PILE)
    drawn = bytearray()
    for nth in range(len(PILE)):
        value = short_hash("test value", chains[nth % seats].seed, number(nth))
        randomness = next_randomness(randomness, value)
        position = seeded_chance(randomness.hex())("cards", nth, bytes(pile))
        drawn.append(pile.pop(position))
    return bytes(drawn)


def check_refills(games: int) -> None:
    orders = {bytes(order) for order in permutations(PILE)}
    assert len(orders) == 30, "each is the result of 4 of 120 orders of the pile"
    assert deviation((refilled(game) for game in range(games)), len(orders)) < 5


@pytest.mark.long
def test_refills_are_like_those_of_a_pile_that_was_shuffled_before() -> None:
    check_refills(3000)


# -- the long versions


@pytest.mark.slow
def test_hands_of_a_whole_game_are_uniform() -> None:
    check_hands(40_000, 4, 39, 5)


@pytest.mark.slow
def test_refills_of_many_games() -> None:
    check_refills(100_000)


@pytest.mark.slow
def test_many_real_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    real_deals(300, 4, 39, 5, monkeypatch)
