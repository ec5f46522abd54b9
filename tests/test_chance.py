"""Chance: the specified algorithm, from fixed vectors; and what people type instead of it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from porto_cli.core import chance
from porto_cli.core.chance import (
    NothingTypedError,
    NotInPileError,
    TypedChance,
    choose,
    new_seed,
    seeded_chance,
)
from porto_cli.games.porto.engine import CARDS
from porto_cli.games.porto.engine.state import deal
from tests.porto.playing import KINDS, Kind, plies, random_chance
from tests.shares import for_each

VECTORS = [
    # Worked out with another SHA-256: seed, stream, index, count, choice.
    ("tram", "cards", 0, 50, 18),
    ("tram", "cards", 1, 49, 35),
    ("tram", "tokens", 0, 14, 1),
    ("tram", "contracts", 3, 32, 6),
    ("tram", "private", 14, 25, 18),
    ("tram", "timer", 27, 1, 0),
    ("tram", "first", 0, 4, 2),
    ("arecibo", "tiles", 0, 47, 32),
    ("arecibo", "tiles", 4, 43, 13),
    ("arecibo", "buildings", 1, 4, 3),
    ("arecibo", "buildings", 2, 3, 2),
    ("arecibo", "first", 0, 3, 0),
]
REJECTED = [
    # The first number is not below the largest multiple of the count: 65509 ≥ 65504.
    ("ribeira", "cards", 20, 46, 38),
    ("ribeira", "cards", 20, 50, 26),
    ("9f2c61d07a3b4e58", "cards", 159, 50, 46),
    # Three numbers in a row are rejected.
    ("tram", "first", 25, 40_000, 10_305),
]


@for_each("vector", VECTORS + REJECTED)
def test_the_choices_are_those_of_the_specification(vector):
    seed, stream, index, count, choice = vector
    assert choose(seed, stream, index, count) == choice
    assert seeded_chance(seed)(stream, index, bytes(count)) == choice


@pytest.mark.parametrize("vector", REJECTED)
def test_a_number_that_would_favor_some_is_rejected(vector):
    seed, stream, index, count, choice = vector
    first = int.from_bytes(
        sha256(f"porto/1/{seed}/{stream}/{index}/0".encode()).digest()[:2], "big"
    )
    assert first >= 65_536 - 65_536 % count
    assert first % count != choice


def test_any_sha256_of_python_will_do():
    assert chance.sha256(b"porto").digest() == sha256(b"porto").digest()


@pytest.mark.parametrize("count", [0, 65_537])
def test_nothing_cannot_be_chosen_from(count):
    with pytest.raises(ValueError, match=str(count)):
        choose("tram", "cards", 0, count)


def test_every_choice_comes_up_about_equally_often():
    for count in (2, 14, 50):
        seen = Counter(choose("even", "cards", index, count) for index in range(200 * count))
        assert set(seen) == set(range(count))
        chi_square = sum((times - 200) ** 2 / 200 for times in seen.values())
        assert chi_square < 2.5 * count + 10


@for_each("kind", KINDS)
def test_a_pile_is_asked_about_sorted_and_the_index_counts_up(kind):
    """So that what comes up depends on the seed and on what is left, and on nothing else."""
    asked: dict[str, list[int]] = {}
    rng = Random(1)

    def listening(stream: str, index: int, pile: bytes, /) -> int:
        assert list(pile) == sorted(pile)
        asked.setdefault(stream, []).append(index)
        return rng.randrange(len(pile))

    for _ in plies(kind, Random(2), listening):
        pass
    assert {"tokens", "cards", "contracts"} <= asked.keys()
    assert asked.keys() <= {"tokens", "cards", "contracts", "private", "timer"}
    for stream, indices in asked.items():
        assert indices == list(range(len(indices))), stream


def test_timer_cards_are_drawn_from_the_deck_as_long_as_nobody_can_tell_them_apart():
    piles: list[tuple[str, int]] = []
    rng = Random(1)

    def listening(stream: str, index: int, pile: bytes, /) -> int:
        piles.append((stream, len(pile)))
        return rng.randrange(len(pile))

    for ply in plies(Kind(1, timer=28), Random(2), listening):
        state = ply.after
        if not state.timer_deck:
            assert state.deck_left == len(state.deck) - state.timer_left
        else:
            assert state.deck_left == len(state.deck)
    timer = [size for stream, size in piles if stream == "timer"]
    assert len(timer) == 28
    assert timer[0] > 28, "the deck lies with the first of them"
    assert timer[-1] == 1, "the last one is known"


def test_a_typed_chance_gives_what_was_typed_in_order():
    typed = TypedChance(cards=bytes([3, 3, 7]), contracts=bytes([1]))
    assert typed("cards", 0, bytes([1, 3, 3, 7])) == 1
    assert typed("contracts", 0, bytes([0, 1])) == 1
    assert typed("cards", 1, bytes([1, 3, 7])) == 1
    assert typed("cards", 2, bytes([1, 7])) == 1
    with pytest.raises(NothingTypedError) as nothing:
        typed("cards", 3, bytes([1]))
    assert (nothing.value.stream, nothing.value.pile) == ("cards", bytes([1]))
    with pytest.raises(NothingTypedError):
        typed("timer", 0, bytes([1]))


def test_what_cannot_come_up_is_refused():
    with pytest.raises(NotInPileError) as error:
        TypedChance(cards=bytes([14]))("cards", 0, bytes([0, 1, 2]))
    assert CARDS[error.value.thing] == "yellow-3"
    assert error.value.stream == "cards"


def test_a_new_seed_is_sixteen_hexadecimal_digits_and_never_the_same():
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    for seed in seeds:
        assert len(seed) == 16
        int(seed, 16)


@pytest.mark.outside
def test_openssl_is_not_loaded_for_a_game():
    code = "import sys, porto_cli.match.replay; print('_hashlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_random_chance_of_the_tests_is_fair_enough_to_deal():
    game = Kind(4).config()
    setup = deal(game, random_chance(Random(1)))
    assert sorted(setup.tokens) == list(game.edition.tokens)
