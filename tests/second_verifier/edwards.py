"""Points of edwards25519 and signatures of Ed25519, with nothing but whole numbers.

Slow, and not fit for secrets: it is there to check what others have computed. A point is
(X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z (extended coordinates).
"""

from __future__ import annotations

import hashlib

Point = tuple[int, int, int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NEUTRAL: Point = (0, 1, 1, 0)


class RefusedError(Exception):
    """What was read is not what the page asks for."""


def add(a: Point, b: Point) -> Point:
    """a + b; right for all pairs, also for a + a."""
    m = (a[1] - a[0]) * (b[1] - b[0]) % P
    n = (a[1] + a[0]) * (b[1] + b[0]) % P
    t, z = 2 * D * a[3] * b[3] % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, z - t, z + t, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, point: Point) -> Point:
    """n times a point."""
    result = NEUTRAL
    for bit in bin(n)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


class Multiples:
    """The multiples of a point that is multiplied many times."""

    def __init__(self, point: Point) -> None:
        self.rows: list[list[Point]] = []
        for _ in range(64):
            row = [NEUTRAL]
            for _ in range(15):
                row.append(add(row[-1], point))
            self.rows.append(row)
            point = add(row[-1], point)

    def times(self, n: int) -> Point:
        """n times the point; n below 2**256."""
        result = NEUTRAL
        for row in self.rows:
            if n & 15:
                result = add(result, row[n & 15])
            n >>= 4
        return result


def encode(point: Point) -> bytes:
    """The 32 bytes of RFC 8032."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def root(square: int) -> int | None:
    """A square root modulo p, if there is one."""
    candidate = pow(square, (P + 3) // 8, P)
    for number in (candidate, candidate * ROOT_OF_MINUS_ONE % P):
        if (number * number - square) % P == 0:
            return number
    return None


def with_y(y: int, sign: int) -> Point:
    """The point with this y, and the x whose lowest bit is ``sign``."""
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    if x is None:
        raise RefusedError("no point of the curve")
    if x & 1 != sign:
        x = -x % P
    return x, y, 1, x * y % P


def decode(text: bytes) -> Point:
    """PROTOCOL, Bytes: the one encoding of a point of order L."""
    if len(text) != 32:
        raise RefusedError("a point has 32 bytes")
    number = int.from_bytes(text, "little")
    y, sign = number & 2**255 - 1, number >> 255
    if y >= P:
        raise RefusedError("not the one encoding of a point")
    point = with_y(y, sign)
    if point[0] == 0:
        raise RefusedError("a point of small order")
    if encode(times(L, point)) != encode(NEUTRAL):
        raise RefusedError("a point with a part of small order")
    return point


BASE = with_y(4 * pow(5, -1, P) % P, 0)
MULTIPLES_OF_BASE = Multiples(BASE)


def from_uniform(text: bytes) -> Point:
    """PROTOCOL, Bytes: M, from 32 bytes to a point."""
    number = int.from_bytes(text, "little")
    sign, r = number >> 255, (number & 2**255 - 1) % P
    v = -486662 * pow(1 + 2 * r * r, -1, P) % P
    if root((v * v * v + 486662 * v * v + v) % P) is None:
        v = (-v - 486662) % P
    y = (v - 1) * pow(v + 1, -1, P) % P
    return times(8, with_y(y, sign))


def public_key(private: bytes) -> bytes:
    """RFC 8032, 5.1.5."""
    half = int.from_bytes(hashlib.sha512(private).digest()[:32], "little")
    return encode(MULTIPLES_OF_BASE.times(half & 2**254 - 8 | 2**254))


def check_signature(key: bytes, message: bytes, signature: bytes) -> None:
    """PROTOCOL, Steps: an Ed25519 signature."""
    if len(signature) != 64:
        raise RefusedError("a signature has 64 bytes")
    point, s = decode(key), int.from_bytes(signature[32:], "little")
    if s >= L:
        raise RefusedError("not the one signature")
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    e = int.from_bytes(digest, "little") % L
    if encode(add(MULTIPLES_OF_BASE.times(s), times(L - e, point))) != signature[:32]:
        raise RefusedError("the signature is not valid")


def any_point(text: bytes) -> Point:
    """A point that may be of any order, which ``decode`` refuses."""
    number = int.from_bytes(text, "little")
    return with_y(number & 2**255 - 1, number >> 255)


def point_or_none(y: int) -> Point | None:
    """A point with this y, of whatever order, if the curve has one."""
    try:
        return with_y(y, 0)
    except RefusedError:
        return None
