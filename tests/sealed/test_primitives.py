"""What the protocol relies on in libsodium, and what is built on it."""

from __future__ import annotations

import hashlib
import hmac
from itertools import islice

import pytest
from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_scalar_invert,
    crypto_core_ed25519_scalar_reduce,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from porto_cli import sealed
from porto_cli.sealed import (
    CHAIN_LENGTH,
    GROUP_ORDER,
    ZERO,
    GameSecrets,
    Releases,
    add,
    chain_link,
    difference,
    first_randomness,
    generator,
    hash_to_point,
    hash_to_scalar,
    inverse,
    inverted,
    is_permutation,
    is_point,
    is_scalar,
    long_hash,
    multiply,
    multiply_base,
    next_randomness,
    permutation,
    product,
    seed_of,
    thing_points,
    weighted_sum,
)
from tests.sealed.people import GAME, NEUTRAL, ORDER, OTHER_GAME, SMALL, refusal, scalar
from tests.shares import for_each

FIELD = 2**255 - 19
POINT = hash_to_point("test", b"a point")

LOW_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",  # order 4
    "0000000000000000000000000000000000000000000000000000000000000080",  # order 4
    "0100000000000000000000000000000000000000000000000000000000000000",  # neutral
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # order 2
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",  # order 8
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    "0100000000000000000000000000000000000000000000000000000000000080",  # neutral, other sign
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # y = p, that is 0
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",  # y = p + 1
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]


# -- libsodium: another version that does otherwise must not go unnoticed


@for_each("raw", LOW_ORDER + NOT_CANONICAL)
def test_points_of_small_order_and_second_encodings_are_no_points(raw: str) -> None:
    assert not crypto_core_ed25519_is_valid_point(bytes.fromhex(raw))
    assert not is_point(bytes.fromhex(raw))


@for_each("raw", LOW_ORDER)
def test_a_point_with_a_part_of_small_order_is_no_point(raw: str) -> None:
    mixed = crypto_core_ed25519_add(POINT, bytes.fromhex(raw))
    assert is_point(mixed) == (bytes.fromhex(raw) == NEUTRAL)


def test_what_is_not_on_the_curve_is_no_point() -> None:
    tried = [long_hash("test", bytes([nth]))[:32] for nth in range(100)]
    on_curve = [raw for raw in tried if is_point(raw)]
    assert 0 < len(on_curve) < 30, "one of sixteen"


def test_the_wrong_number_of_bytes_is_no_point_and_no_scalar() -> None:
    for raw in (b"", POINT[:31], POINT + b"\0"):
        assert not is_point(raw)
        assert not is_scalar(raw)


def test_multiplication_fails_where_the_result_says_nothing() -> None:
    for zero in (ZERO, ORDER):
        with pytest.raises(RuntimeError):
            crypto_scalarmult_ed25519_noclamp(zero, POINT)
        with pytest.raises(RuntimeError):
            crypto_scalarmult_ed25519_base_noclamp(zero)
    with pytest.raises(RuntimeError):
        crypto_core_ed25519_scalar_invert(ZERO)
    for raw in (*map(bytes.fromhex, LOW_ORDER), crypto_core_ed25519_add(POINT, SMALL)):
        with pytest.raises(RuntimeError):
            crypto_scalarmult_ed25519_noclamp(scalar(3), raw)


def test_multiplication_does_not_clamp() -> None:
    assert multiply(scalar(1), POINT) == POINT
    assert multiply(scalar(3), POINT) == add(add(POINT, POINT), POINT)
    assert multiply_base(scalar(2)) == add(generator(), generator())


def test_a_hash_is_reduced_from_the_smallest_byte_up() -> None:
    wide = bytes(range(64))
    reduced = crypto_core_ed25519_scalar_reduce(wide)
    assert int.from_bytes(reduced, "little") == int.from_bytes(wide, "little") % GROUP_ORDER


def test_the_map_to_the_curve_is_elligator_2_times_eight() -> None:
    """The words of porto-sealed(7), computed with nothing but numbers."""
    for nth in range(40):
        raw = long_hash("test map", bytes([nth]))[:32]
        assert crypto_core_ed25519_from_uniform(raw) == elligator(raw)
    assert is_point(crypto_core_ed25519_from_uniform(b"\x07" * 32)), "of prime order"


def elligator(raw: bytes) -> bytes:
    sign = raw[31] >> 7
    u = (int.from_bytes(raw, "little") & (1 << 255) - 1) % FIELD
    a = 486662
    v = -a * pow(1 + 2 * u * u, -1, FIELD) % FIELD
    square = pow(v**3 + a * v * v + v, (FIELD - 1) // 2, FIELD) in (0, 1)
    v = v if square else (-v - a) % FIELD
    y = (v - 1) * pow(v + 1, -1, FIELD) % FIELD
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    x = _root((y * y - 1) * pow(d * y * y + 1, -1, FIELD) % FIELD)
    if x & 1 != sign:
        x = -x % FIELD
    for _ in range(3):
        k = d * x * x * y * y
        x, y = (
            2 * x * y * pow(1 + k, -1, FIELD) % FIELD,
            (y * y + x * x) * pow(1 - k, -1, FIELD) % FIELD,
        )
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _root(square: int) -> int:
    root = pow(square, (FIELD + 3) // 8, FIELD)
    return root if root * root % FIELD == square else root * pow(2, (FIELD - 1) // 4, FIELD) % FIELD


# -- hashes


def test_a_hash_is_sha_512_of_the_tag_and_the_parts_behind_their_lengths() -> None:
    label = b"porto sealed 1/tag"
    framed = len(label).to_bytes(4, "big") + label + b"\0\0\0\2ab" + b"\0\0\0\0"
    assert long_hash("tag", b"ab", b"") == hashlib.sha512(framed).digest()


def test_parts_cannot_run_into_each_other() -> None:
    made = [long_hash("t", *parts) for parts in ([b"ab"], [b"a", b"b"], [b"", b"ab"], [b"ab", b""])]
    assert len(set(made)) == 4
    assert long_hash("tag", b"x") != long_hash("ta", b"gx")


def test_things_are_points_that_differ_in_every_game() -> None:
    points = thing_points(GAME, 39) + thing_points(OTHER_GAME, 39)
    assert len(set(points)) == 78
    assert all(map(is_point, points))


# -- scalars


@for_each("value", [0, GROUP_ORDER, GROUP_ORDER + 1, 2**255, 2**256 - 1])
def test_zero_and_what_is_not_reduced_are_no_scalars(value: int) -> None:
    assert not is_scalar(value.to_bytes(32, "little"))


def test_what_is_reduced_is_a_scalar() -> None:
    assert is_scalar(scalar(1))
    assert is_scalar(scalar(-1))
    assert is_scalar(hash_to_scalar("test"))


def test_scalars_compute_like_numbers() -> None:
    three, five = scalar(3), scalar(5)
    assert product(three, five) == scalar(15)
    assert difference(three, five) == scalar(-2)
    assert multiply(inverse(three), multiply(three, POINT)) == POINT
    other = hash_to_point("test", b"another")
    assert weighted_sum([three, five], [POINT, other]) == add(
        multiply(three, POINT), multiply(five, other)
    )


# -- permutations


def test_a_permutation_follows_from_the_stream_of_words() -> None:
    words = []
    for block in range(2):
        stream = long_hash("test", b"x", block.to_bytes(8, "big"))
        words += [int.from_bytes(stream[nth : nth + 4], "big") for nth in range(0, 64, 4)]
    assert list(islice(sealed._words("test", b"x"), 32)) == words
    order = list(range(10))
    for last, word in zip(range(9, 0, -1), words, strict=False):
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert permutation(10, "test", b"x") == bytes(order)


def test_words_that_would_favor_small_numbers_are_left_out() -> None:
    """2**32 is one more than a multiple of 3, so the highest word must not count."""
    assert sealed._below(3, iter([2**32 - 1, 5])) == 2
    assert sealed._below(3, iter([2**32 - 2, 4])) == 2
    assert sealed._below(4, iter([2**32 - 1])) == 3


@pytest.mark.parametrize("count", [1, 2, 39, 256])
def test_a_permutation_has_everything_once_and_can_be_inverted(count: int) -> None:
    order = permutation(count, "test")
    assert is_permutation(order, count)
    assert bytes(order[place] for place in inverted(order)) == bytes(range(count))


@for_each("order", [b"", b"\0", b"\0\0", b"\1\2", b"\0\1\2"])
def test_what_is_no_permutation_is_known(order: bytes) -> None:
    assert not is_permutation(order, 2)


# --- secrets ----------------------------------------------------------------------------------


MINE = GameSecrets(bytes(32), GAME, 1)
CHAIN = Releases(GAME, 1, MINE.tip)


def test_a_seed_is_an_hmac_of_game_and_nonce() -> None:
    expected = hmac.new(b"master", GAME + b"nonce", hashlib.sha512).digest()[:32]
    assert seed_of(b"master", GAME, b"nonce") == expected


def test_a_seed_is_new_for_every_game_and_every_attempt_to_join() -> None:
    seeds = {
        seed_of(b"master", GAME, b"a"),
        seed_of(b"master", GAME, b"b"),
        seed_of(b"master", OTHER_GAME, b"a"),
        seed_of(b"retsam", GAME, b"a"),
    }
    assert len(seeds) == 4


def test_everything_that_follows_from_a_seed_differs() -> None:
    values = [MINE.seed, MINE.scalar, MINE.commitment, MINE.proof_secret, MINE.tip, MINE.release(1)]
    values += [MINE.salt(1), MINE.salt(2), MINE.release(CHAIN_LENGTH)]
    assert len(set(values)) == len(values)


def test_a_copied_commitment_or_tip_fits_no_other_seat_and_no_other_game() -> None:
    others = [GameSecrets(bytes(32), GAME, 2), GameSecrets(bytes(32), OTHER_GAME, 1)]
    for field in ("commitment", "tip"):
        assert len({getattr(who, field) for who in (MINE, *others)}) == 3


# -- releases


def test_the_whole_chain_can_be_released_and_not_more() -> None:
    chain = CHAIN
    for nth in range(1, CHAIN_LENGTH + 1):
        chain = chain.released(MINE.release(nth))
    assert chain.number == CHAIN_LENGTH == 256
    expected = (
        "chain-exhausted",
        "All 256 values of the player's chain were released: the game is longer than a sealed game"
        " can be.",
    )
    assert refusal(chain.released, bytes(32)) == expected
    assert refusal(MINE.release, 257) == expected


@pytest.mark.long
def test_an_invented_value_is_refused() -> None:
    assert refusal(CHAIN.released, bytes(32)) == (
        "release-invented",
        "What was released is not from the chain committed to when joining.",
    )
    assert refusal(CHAIN.released, MINE.release(1)[:31]).kind == "release-invented"


@pytest.mark.long_for("256")
@pytest.mark.parametrize("nth", [2, 3, 256])
def test_a_skipped_value_is_refused(nth: int) -> None:
    assert refusal(CHAIN.released, MINE.release(nth)) == (
        "release-skipped",
        "A value of the chain was skipped.",
    )


def test_a_value_that_was_released_before_is_refused() -> None:
    chain = CHAIN.released(MINE.release(1))
    assert refusal(chain.released, MINE.release(1)) == (
        "release-repeated",
        "The same value of the chain was released twice.",
    )
    chain = chain.released(MINE.release(2))
    assert refusal(chain.released, MINE.release(1)).kind == "release-invented"


@pytest.mark.long
def test_values_of_another_seat_game_or_place_fit_nowhere() -> None:
    """The attacker has joined with another player's tip, or with a hash of it."""
    victim = GameSecrets(b"v" * 32, GAME, 0)
    copied = Releases(GAME, 1, victim.tip)
    assert refusal(copied.released, victim.release(1)).kind == "release-invented"
    behind = Releases(GAME, 1, chain_link(GAME, 0, 1, victim.tip))
    assert refusal(behind.released, victim.tip).kind == "release-invented"
    elsewhere = Releases(OTHER_GAME, 0, victim.tip)
    assert refusal(elsewhere.released, victim.release(1)).kind == "release-invented"
    shifted = Releases(GAME, 0, victim.release(1))
    assert refusal(shifted.released, victim.release(2)).kind == "release-invented"


# -- R


def test_randomness_changes_with_every_release_and_with_their_order() -> None:
    values = [MINE.release(1), MINE.release(2)]
    assert first_randomness(GAME, values) != first_randomness(GAME, values[::-1])
    assert first_randomness(GAME, values) != first_randomness(OTHER_GAME, values)
    start = first_randomness(GAME, values)
    assert next_randomness(start, values[0]) != next_randomness(start, values[1])
    assert next_randomness(next_randomness(start, values[0]), values[1]) != next_randomness(
        next_randomness(start, values[1]), values[0]
    )
