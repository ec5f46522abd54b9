"""Sealed games: nobody can see what is hidden or choose what comes up, and no server is needed.

This module has the errors of the package and the cryptography that everything else is built on.

The cryptography (this module, ``dealing`` and ``steps``) is bytes in, bytes out: it knows no files,
YAML, terminals or games. What is hidden is a *pile* of things, numbered from 0; each seat is dealt
some of them, which nobody else may learn. The protocol is specified byte by byte in
porto-sealed(7); an independent program in the tests is written from that page.

The other modules make a game of it: ``chain`` reads and writes the steps as text, ``course``
replays them, ``source`` feeds them to a match, ``copies`` decides which of two copies goes on, and
``holder`` has the key of this computer and the journal of what it has signed.

Importing anything from this package loads libsodium, which takes longer than replaying a game:
import it in sealed games only.
"""

from __future__ import annotations

import itertools
from binascii import Error, a2b_base64, b2a_base64
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, reduce
from hmac import digest
from typing import Any, NamedTuple

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

from porto_cli.core import INVALID, REFUSED, SentenceError, cited

# -- Errors


class ProofError(SentenceError):
    """A step in a sealed game that breaks a rule or does not prove what it claims.

    ``step`` is the height of the step and ``signer`` the player who signed it. :func:`in_step` adds
    both while steps are replayed, so sentences need not name anybody.
    """

    exit_code = INVALID

    def __init__(self, sentence: str, step: int | None = None, signer: str = "") -> None:
        super().__init__(sentence)
        self.args = (sentence, step, signer)
        self.step, self.signer = step, signer

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong and, once known, the step and its signer."""
        by = f", signed by {self.signer}" if self.signer else ""
        where = () if self.step is None else (f"This is in step {self.step}{by}.",)
        return (self.sentence, *where)


def demand(holds: object, sentence: str) -> None:
    """Raise :class:`ProofError` with this sentence unless the condition holds."""
    if not holds:
        raise ProofError(sentence)


@contextmanager
def in_step(step: int, signer: str = "") -> Iterator[None]:
    """Add the step, and its signer if known, to any :class:`ProofError` raised in this context."""
    try:
        yield
    except ProofError as error:
        raise ProofError(error.args[0], step, signer) from None


class IdentityError(SentenceError):
    """A key whose text cannot be read."""

    exit_code = INVALID


class PassphraseError(IdentityError):
    """A wrong passphrase."""

    exit_code = REFUSED


# -- Hashes, points and scalars: the group edwards25519, and how bytes are mapped to it
#
# A *point* is 32 bytes, encoded as in RFC 8032; a *scalar* is 32 bytes, little-endian. libsodium
# checks less than the protocol needs, and not the same everywhere, so data from others is checked
# with ``is_point`` and ``is_scalar`` before it is used.

PROTOCOL = "porto sealed 1"
"""The prefix of all that is hashed, so that no other protocol or version has these hashes."""
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

    Because of the lengths, different lists of parts never give the same bytes; because of the tag,
    a hash for one purpose cannot be used for another.
    """
    label = f"{PROTOCOL}/{tag}".encode()
    framed = (len(part).to_bytes(4, "big") + part for part in (label, *parts))
    return crypto_hash_sha512(b"".join(framed))


def short_hash(tag: str, *parts: bytes) -> bytes:
    """Return the first 32 bytes of :func:`long_hash`."""
    return long_hash(tag, *parts)[:SIZE]


def hash_to_scalar(tag: str, *parts: bytes) -> bytes:
    """Return a nonzero scalar, reduced from 512 bits, so that the bias is negligible."""
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
    """Return the point that stands for each thing in a pile. The points differ between games.

    Nobody knows the discrete logarithm of one to the base of another, so once they are multiplied
    by a secret scalar they cannot be told from any other points.
    """
    return tuple(hash_to_point("thing", game, number(thing)) for thing in range(count))


def is_point(raw: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of a point of prime order.

    A point of small order has at most eight multiples, a point with a small-order component would
    leak the secret scalar modulo eight, and a second encoding of a point would hide a duplicate.
    The neutral element is not valid.
    """
    return len(raw) == SIZE and crypto_core_ed25519_is_valid_point(raw)


def is_scalar(raw: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of a nonzero scalar.

    Zero would map every point to the neutral element, and any proof about that would be valid.
    """
    return len(raw) == SIZE and 0 < int.from_bytes(raw, "little") < GROUP_ORDER


multiply = crypto_scalarmult_ed25519_noclamp
"""Returns the product of a scalar and a point, in this order. Both must have been checked."""
multiply_base = crypto_scalarmult_ed25519_base_noclamp
"""Returns the product of a scalar and the generator."""
add = crypto_core_ed25519_add
"""Returns the sum of two points."""


def weighted_sum(weights: Iterable[bytes], points: Iterable[bytes]) -> bytes:
    """Return the weighted sum of one or more points."""
    return reduce(add, map(multiply, weights, points))


inverse = crypto_core_ed25519_scalar_invert
"""Returns the inverse of a scalar."""
product = crypto_core_ed25519_scalar_mul
"""Returns the product of two scalars."""
difference = crypto_core_ed25519_scalar_sub
"""Returns the difference of two scalars."""


def generator() -> bytes:
    """Return the generator of the group: the base that the first player to join multiplies."""
    return multiply_base((1).to_bytes(SIZE, "little"))


def permutation(count: int, tag: str, *parts: bytes) -> bytes:
    """Return the numbers below ``count`` (at most 256) in an order determined by a hash.

    This is a Fisher–Yates shuffle from the end. Every order is equally likely, because words from
    the top of the range, which would favor small numbers, are rejected.
    """
    words = _words(tag, *parts)
    order = bytearray(range(count))
    for last in range(count - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return bytes(order)


def is_permutation(order: Sequence[int], count: int) -> bool:
    """Return whether these are all the numbers below ``count``, each once."""
    return len(order) == count and sorted(order) == list(range(count))


def inverted(order: bytes) -> bytes:
    """Return the inverse of a permutation."""
    return bytes(sorted(range(len(order)), key=order.__getitem__))


def _words(tag: str, *parts: bytes) -> Iterator[int]:
    for block in itertools.count():
        stream = long_hash(tag, *parts, number(block))
        for start in range(0, len(stream), _WORD):
            yield int.from_bytes(stream[start : start + _WORD], "big")


def _below(most: int, words: Iterator[int]) -> int:
    """Return an unbiased number below ``most``: skip words from its largest multiple up, and reduce
    the next one.
    """
    range_ = 1 << 8 * _WORD
    return next(word % most for word in words if word < range_ - range_ % most)


# -- Bytes as text and back, strictly: everything in a file has exactly one valid form
#
# Other YAML and JSON readers take ``true`` for 1, ``1.0`` for 1, or skip invalid base64. If two
# programs read the same signature differently, they could be shown two different games, so nothing
# here is lenient.
#
# Data of a game is in base64. Keys are in Bech32 (BIP-173), lower or upper case: its checksum
# detects every error in up to four characters, and nearly all others.


def to_text(raw: bytes) -> str:
    """Return bytes as base64 with padding (RFC 4648, section 4), on one line."""
    return b2a_base64(raw, newline=False).decode()


def from_text(text: str) -> bytes | None:
    """Return the bytes of a base64 text, or None if it is not the canonical text of its bytes."""
    try:
        raw = a2b_base64(text.encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        return None
    return raw if to_text(raw) == text else None


def bytes_of(text: object) -> bytes:
    """Return the bytes of a base64 text whose form has already been checked."""
    raw = from_text(str(text))
    assert raw is not None
    return raw


def unpacked(data: object, sizes: Mapping[str, int | None]) -> dict[str, bytes]:
    """Decode the base64 fields of a mapping that must have exactly these, with these sizes.

    ``None`` allows any size. Raises :class:`~porto_cli.sealed.ProofError`.
    """
    return {name: _unpack(name, text, sizes[name]) for name, text in fields(data, sizes).items()}


def fields(data: object, names: Iterable[str]) -> Mapping[str, Any]:
    """Return the data if it is a mapping with exactly these fields. Raises ProofError otherwise."""
    if type(data) is not dict:
        raise ProofError(
            f"Machine data of a sealed game is a mapping of fields, not {cited(data)}."
        )
    for name in names:
        demand(name in data, f"Machine data of a sealed game has no field {name!r}.")
    for name in data.keys() - set(names):
        raise ProofError(f"Machine data of a sealed game has an unknown field {cited(name)}.")
    return data


def _unpack(name: str, text: object, size: int | None) -> bytes:
    if type(text) is not str:
        raise ProofError(f"The field {name!r} has {cited(text)}, but must be a text in base64.")
    raw = from_text(text)
    if raw is None:
        raise ProofError(
            f"The field {name!r} is not base64 as this program writes it: it was cut off, "
            "mistyped or changed on its way."
        )
    if size is not None and len(raw) != size:
        raise ProofError(
            f"The field {name!r} has {len(raw)} bytes, but must have {size}: it was cut "
            "off or changed."
        )
    return raw


def points_in(raw: bytes) -> tuple[bytes, ...]:
    """Split bytes into points. Whether they are valid is left to :func:`check_points`."""
    return tuple(raw[start : start + SIZE] for start in range(0, len(raw), SIZE))


def check_points(name: str, points: Iterable[bytes]) -> None:
    """Raise :class:`~porto_cli.sealed.ProofError` unless all points of a field are valid."""
    for place, point in enumerate(points, 1):
        demand(
            is_point(point),
            f"The field {name!r} must hold points only, but number {place} is outside the "
            "group or not encoded canonically.",
        )


# -- Bech32: the bytes as one large number in five-bit digits, the last one padded with zeros


BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_LONGEST = 90
_CHECKSUM = 6
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def to_bech32(prefix: str, raw: bytes) -> str:
    """Return bytes as Bech32 in lower case; so must be the prefix."""
    padding = -8 * len(raw) % 5
    whole = int.from_bytes(raw, "big") << padding
    digits = range((8 * len(raw) + padding) // 5)
    values = [whole >> 5 * nth & 31 for nth in reversed(digits)]
    rest = _polymod([*_expanded(prefix), *values, *[0] * _CHECKSUM]) ^ 1
    check = [rest >> 5 * (_CHECKSUM - 1 - nth) & 31 for nth in range(_CHECKSUM)]
    return f"{prefix}1{''.join(BECH32[value] for value in [*values, *check])}"


def from_bech32(text: str) -> tuple[str, bytes] | None:
    """Return the prefix in lower case and the bytes, or None if the text is not valid Bech32."""
    parts = split_bech32(text)
    if parts is None:
        return None
    prefix, values = parts
    size, padding = divmod(5 * len(values), 8)
    whole = reduce(lambda before, value: before << 5 | value, values, 0)
    data, rest = divmod(whole, 1 << padding)
    return None if padding >= 5 or rest else (prefix, data.to_bytes(size, "big"))


def split_bech32(text: str) -> tuple[str, list[int]] | None:
    """Return the prefix and the five-bit values of a Bech32 text, or None if it is not valid."""
    if not 8 <= len(text) <= _LONGEST or text not in (text.lower(), text.upper()):
        return None
    if not all("!" <= char <= "~" for char in text):
        return None
    prefix, separator, data = text.lower().rpartition("1")
    if not separator or not prefix or len(data) < _CHECKSUM:
        return None
    values = [BECH32.find(char) for char in data]
    if -1 in values or _polymod([*_expanded(prefix), *values]) != 1:
        return None
    return prefix, values[:-_CHECKSUM]


def _expanded(prefix: str) -> list[int]:
    return [*(ord(char) >> 5 for char in prefix), 0, *(ord(char) & 31 for char in prefix)]


def _polymod(values: Iterable[int]) -> int:
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for nth, factor in enumerate(_GENERATOR):
            if top >> nth & 1:
                check ^= factor
    return check


# -- A player's secrets in one game, and the joint randomness that all players contribute to
#
# All secrets of a player in a game are derived from one seed of 32 bytes. At the end everybody
# publishes the seed, and the others recompute everything.
#
# What comes up follows from the joint randomness R. Every player commits to a chain of values
# before anybody releases one. So each value is fixed before its owner can know those of the others,
# and R cannot be chosen. The moves do *not* go into R: otherwise a player whose neighbor gives away
# the next value could try many moves and make the one that brings the best refill.
#
# A player commits at once to what they keep of the hidden things, and shows it at the end. The
# commitment is a hash with a salt; without it, others could try the few possibilities.

CHAIN_LENGTH = 256
"""How many values a player can release in a game. A game needs one for each round."""
NONCE_SIZE = 16


def seed_of(master: bytes, game: bytes, nonce: bytes) -> bytes:
    """Return the seed of one game: the first 32 bytes of HMAC-SHA-512 of game id and nonce.

    Each attempt to join has a new nonce: with the same secrets in two attempts to join one game,
    the two unlocks together would show which thing is which. The nonce is published in the join, so
    that key file and record are enough to recompute the secrets; it is of no use to others.
    """
    return digest(master, game + nonce, "sha512")[:32]


def chain_link(game: bytes, seat: int, nth: int, value: bytes) -> bytes:
    """Return the chain value before the ``nth`` one to be released, from 1; the first is the tip.

    Game, seat and place are hashed as well, so that a value is valid only in its own place.
    """
    return short_hash("chain", game, number(seat), number(nth), value)


class GameSecrets:
    """The secrets of the player at one seat of one game."""

    def __init__(self, seed: bytes, game: bytes, seat: int) -> None:
        self.seed = seed
        self.game = game
        self.seat = seat

    @property
    def commitment(self) -> bytes:
        """The commitment to the seed that goes into the join, valid for this seat and game only."""
        return short_hash("seed", self.game, number(self.seat), self.seed)

    @cached_property
    def scalar(self) -> bytes:
        """The scalar by which this player multiplies every point of the pile."""
        return hash_to_scalar("scalar", self.seed)

    def permutation(self, count: int) -> bytes:
        """Return the secret order into which this player shuffles the pile."""
        return permutation(count, "permutation", self.seed)

    @cached_property
    def _chain(self) -> tuple[bytes, ...]:
        value = short_hash("chain end", self.seed)
        values = [value]
        for nth in range(CHAIN_LENGTH, 0, -1):
            value = chain_link(self.game, self.seat, nth, value)
            values.append(value)
        return tuple(reversed(values))

    @property
    def tip(self) -> bytes:
        """The commitment to the whole chain, published before any value is released."""
        return self._chain[0]

    def release(self, nth: int) -> bytes:
        """Return the ``nth`` value to be released, from 1.

        Raises :class:`~porto_cli.sealed.ProofError` if the chain is exhausted.
        """
        demand(1 <= nth <= CHAIN_LENGTH, _EXHAUSTED)
        return self._chain[nth]

    def salt(self, height: int) -> bytes:
        """Return the salt of a commitment in the step at this height."""
        return short_hash("salt", self.seed, number(height))

    @cached_property
    def proof_secret(self) -> bytes:
        """The source of the nonces in proofs, so that bad randomness cannot leak the scalar."""
        return short_hash("proofs", self.seed)


_EXHAUSTED = (
    f"All {CHAIN_LENGTH} values of the player's chain were released: the game is longer than a "
    "sealed game can be."
)


def first_randomness(game: bytes, releases: Sequence[bytes]) -> bytes:
    """Return the R of the setup, a hash of every player's first value, in seat order."""
    return short_hash("randomness", game, *releases)


def next_randomness(randomness: bytes, value: bytes) -> bytes:
    """Return R after a player has released another value."""
    return short_hash("next randomness", randomness, value)


class Releases(NamedTuple):
    """The chain of one player as the others know it: ``number`` values have been released, the last
    one of them is ``last`` (the tip if there is none).
    """

    game: bytes
    seat: int
    last: bytes
    number: int = 0

    @property
    def next(self) -> int:
        """The number of the next value to be released."""
        return self.number + 1

    def released(self, value: bytes) -> Releases:
        """Return the chain after the release of the next value.

        Raises :class:`~porto_cli.sealed.ProofError` if the value is not the next one: it was
        released before, comes later, or is not in the chain.
        """
        demand(self.next <= CHAIN_LENGTH, _EXHAUSTED)
        if self.leads_here(value, self.next):
            return Releases(self.game, self.seat, value, self.next)
        demand(value != self.last, "The same value of the chain was released twice.")
        later = any(self.leads_here(value, nth) for nth in range(self.next + 1, CHAIN_LENGTH + 1))
        demand(not later, "A value of the chain was skipped.")
        raise ProofError("What was released is not from the chain committed to when joining.")

    def leads_here(self, value: bytes, place: int) -> bool:
        """Return whether a value belongs at a place: hashed back, it is the last released one."""
        for nth in range(place, self.number, -1):
            value = chain_link(self.game, self.seat, nth, value)
        return value == self.last


def kept_commitment(game: bytes, seat: int, salt: bytes, things: bytes) -> bytes:
    """Return a seat's commitment to the things it keeps, in whatever order they are given."""
    return short_hash("kept", game, number(seat), salt, bytes(sorted(things)))


def check_opening(
    game: bytes, seat: int, committed: bytes, salt: bytes, things: bytes, dealt: bytes
) -> None:
    """Require that a seat was dealt these things and has committed to keeping them.

    Raises :class:`~porto_cli.sealed.ProofError`.
    """
    undealt = Counter(things) - Counter(dealt)
    demand(not undealt, "Something is claimed to have been kept that was not dealt to this player.")
    demand(
        kept_commitment(game, seat, salt, things) == committed,
        "What is claimed to have been kept is not what was committed to when choosing.",
    )
