"""Hashes, points and scalars: the group edwards25519, and how bytes go into it.

A *point* is the 32 bytes of RFC 8032, a *scalar* 32 bytes, little-endian. libsodium checks less
than a protocol needs, and not the same everywhere: data from others is checked with
:func:`is_point` and :func:`is_scalar` before it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_scalar_invert,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_reduce,
    crypto_core_ed25519_scalar_sub,
    crypto_hash_sha512,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

PROTOCOL = "porto sealed 1"
"""Begins everything that is hashed, so that no other protocol or version has the same hashes."""
SIZE = 32
"""Bytes of a point, a scalar, a seed and a short hash."""
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
ZERO = bytes(SIZE)

_WORD = 4


def number(value: int) -> bytes:
    """Return a number, 0 to 2**64 - 1, as eight bytes for a hash."""
    return value.to_bytes(8, "big")


def long_hash(tag: str, *parts: bytes) -> bytes:
    """Return 64 bytes: SHA-512 of the tag and the parts, each preceded by its length.

    Because of the lengths, different lists of parts are never the same bytes; because of the tag,
    a hash for one purpose cannot be used for another.
    """
    label = f"{PROTOCOL}/{tag}".encode()
    framed = [len(label).to_bytes(4, "big"), label]
    for part in parts:
        framed += (len(part).to_bytes(4, "big"), part)
    return crypto_hash_sha512(b"".join(framed))


def short_hash(tag: str, *parts: bytes) -> bytes:
    """Return the first 32 bytes of :func:`long_hash`."""
    return long_hash(tag, *parts)[:SIZE]


def hash_to_scalar(tag: str, *parts: bytes) -> bytes:
    """Return a nonzero scalar. 512 bits are reduced, so that all are equally likely."""
    scalar = crypto_core_ed25519_scalar_reduce(long_hash(tag, *parts))
    if scalar == ZERO:  # One hash in 2**252.
        raise ArithmeticError("A hash is a multiple of the order of the group.")
    return scalar


def hash_to_point(tag: str, *parts: bytes) -> bytes:
    """Return a point of prime order whose discrete logarithm is unknown.

    One map reaches only half of the points; the sum of two is uniform (RFC 9380, hash_to_curve).
    Each map clears the cofactor.
    """
    both = long_hash(tag, *parts)
    point = crypto_core_ed25519_add(
        crypto_core_ed25519_from_uniform(both[:SIZE]),
        crypto_core_ed25519_from_uniform(both[SIZE:]),
    )
    if not is_point(point):  # The sum is the neutral element: one hash in 2**252.
        raise ArithmeticError("A hash is the neutral element of the group.")
    return point


def thing_points(game: bytes, count: int) -> tuple[bytes, ...]:
    """Return the point of each thing of a pile. They differ between games.

    No discrete logarithm between two of them is known, so that multiplied by a secret they look
    like any other points.
    """
    return tuple(hash_to_point("thing", game, number(nth)) for nth in range(count))


def is_point(raw: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of a point of prime order.

    With points of small order every product would be one of eight values, and points with a
    component of small order would leak the secret scalar modulo eight; a second encoding of the
    same point would hide a duplicate. The neutral element is not valid.
    """
    return len(raw) == SIZE and crypto_core_ed25519_is_valid_point(raw)


def is_scalar(raw: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of a nonzero scalar.

    Zero would map every point to the same one, of which every statement is true.
    """
    return len(raw) == SIZE and 0 < int.from_bytes(raw, "little") < GROUP_ORDER


def multiply(scalar: bytes, point: bytes) -> bytes:
    """Return a multiple of a point. Both arguments have been checked."""
    return crypto_scalarmult_ed25519_noclamp(scalar, point)


def multiply_base(scalar: bytes) -> bytes:
    """Return a multiple of the generator."""
    return crypto_scalarmult_ed25519_base_noclamp(scalar)


def add(first: bytes, second: bytes) -> bytes:
    """Return the sum of two points."""
    return crypto_core_ed25519_add(first, second)


def weighted_sum(weights: Iterable[bytes], points: Iterable[bytes]) -> bytes:
    """Return the weighted sum of points. There is at least one."""
    terms = map(multiply, weights, points)
    total = next(terms)
    for term in terms:
        total = add(total, term)
    return total


def inverse(scalar: bytes) -> bytes:
    """Return the inverse of a scalar."""
    return crypto_core_ed25519_scalar_invert(scalar)


def product(first: bytes, second: bytes) -> bytes:
    """Return the product of two scalars."""
    return crypto_core_ed25519_scalar_mul(first, second)


def difference(first: bytes, second: bytes) -> bytes:
    """Return the difference of two scalars."""
    return crypto_core_ed25519_scalar_sub(first, second)


def generator() -> bytes:
    """Return the generator of the group, with which the chain of bases begins."""
    return multiply_base((1).to_bytes(SIZE, "little"))


def permutation(count: int, tag: str, *parts: bytes) -> bytes:
    """Return the numbers below ``count`` (up to 256) in an order that follows from a hash.

    A Fisher–Yates shuffle from the end; every order is equally likely, because words from the top
    of the range, which would favor small numbers, are rejected.
    """
    words = _words(tag, *parts)
    order = bytearray(range(count))
    for last in range(count - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return bytes(order)


def is_permutation(order: Sequence[int], count: int) -> bool:
    """Return whether these are all numbers below ``count``, each once."""
    return len(order) == count and sorted(order) == list(range(count))


def inverted(order: bytes) -> bytes:
    """Return the inverse of a permutation."""
    places = bytearray(len(order))
    for place, nth in enumerate(order):
        places[nth] = place
    return bytes(places)


def _words(tag: str, *parts: bytes) -> Iterator[int]:
    block = 0
    while True:
        stream = long_hash(tag, *parts, number(block))
        for start in range(0, len(stream), _WORD):
            yield int.from_bytes(stream[start : start + _WORD], "big")
        block += 1


def _below(count: int, words: Iterator[int]) -> int:
    range_ = 1 << 8 * _WORD
    for word in words:
        if word < range_ - range_ % count:
            return word % count
    raise AssertionError  # The words never end.
