"""The proofs of sealed games: of a shuffle, and of unlocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

from porto_cli.sealed import (
    SIZE,
    add,
    difference,
    hash_to_scalar,
    inverse,
    inverted,
    is_permutation,
    is_scalar,
    long_hash,
    multiply,
    number,
    permutation,
    product,
    short_hash,
    weighted_sum,
)

# -- The proof of a shuffle: cut-and-choose (Sako and Kilian), non-interactive by Fiat–Shamir
#
# A player takes a pile of points, multiplies each by the secret scalar *k*, and puts them in a
# secret order; the base, a point that belongs to the pile, is multiplied by *k* as well. Before
# anybody unlocks a point, it has to be proven that *all* points were multiplied by the *same*
# number and none was replaced. Otherwise the last player could put a sum of other players' things
# in a place of their own, let the others remove their scalars, and find out by trial what they
# hold: nobody would notice before the end, and a cheater can leave before.
#
# For each of 80 rounds the prover makes one more pile, the old one times a new scalar in a new
# order. A hash of everything then decides round by round what to show: how to get to it from the
# old pile, or from the new one. A prover who can answer both knows a *k* and an order that lead
# from the old pile to the new one. Anybody else has to guess the hash, with probability 2**-80 for
# each try, which costs a hash. What is shown says nothing about *k*, because only one of the two is
# shown in a round.

ROUNDS = 80
"""Proving a false statement takes 2**80 tries, each of them at least a hash."""
SEED_SIZE = 16


@dataclass(eq=False)
class Statement:
    """What is proven: ``tag`` says what kind of a statement it is, its fields what it says.

    ``context`` is a hash of where it is made: game, seat, place in the record. Points have been
    checked.
    """

    tag: ClassVar[str]
    context: bytes
    base_before: bytes

    @cached_property
    def transcript(self) -> bytes:
        """A hash of the whole statement, of its fields in their order: a proof is valid for this
        statement only.
        """
        parts = (getattr(self, field.name) for field in fields(self))
        return long_hash(self.tag, *(one if type(one) is bytes else b"".join(one) for one in parts))


@dataclass(eq=False)
class Shuffle(Statement):
    """A statement: ``after[i]`` is *k* times ``before[order[i]]``, ``base_after`` *k* times
    ``base_before``. A pile has 1 to 256 points.
    """

    tag = "shuffle"
    before: Sequence[bytes]
    base_after: bytes
    after: Sequence[bytes]


def shuffled(before: Sequence[bytes], scalar: bytes, order: Sequence[int]) -> tuple[bytes, ...]:
    """Return a pile with its points multiplied and in another order."""
    return tuple(multiply(scalar, before[nth]) for nth in order)


def prove_shuffle(shuffle: Shuffle, scalar: bytes, order: bytes, secret: bytes) -> bytes:
    """Return the proof of a shuffle; it is the same for the same statement and secret.

    It is ten bytes of challenge, and for each round the seed (if its bit is 0), or scalar and
    order.
    """
    back = inverse(scalar)
    places = inverted(order)
    rounds = []
    for nth in range(ROUNDS):
        seed = short_hash("shuffle seed", secret, shuffle.transcript, number(nth))[:SEED_SIZE]
        own, mixed = _choices(shuffle, nth, seed)
        rounds.append((seed, product(own, back), bytes(places[place] for place in mixed)))
    challenge = _challenge(
        shuffle, [_from_before(shuffle, nth, seed) for nth, (seed, _, _) in enumerate(rounds)]
    )
    answers = [
        scalar + order if _bit(challenge, nth) else seed
        for nth, (seed, scalar, order) in enumerate(rounds)
    ]
    return challenge + b"".join(answers)


def is_shuffle_proven(shuffle: Shuffle, proof: bytes) -> bool:
    """Return whether the proof of a shuffle is valid.

    The commitments are not in the proof: they are recomputed from what is shown, and if their hash
    is the challenge, they were made before it.
    """
    challenge = proof[: ROUNDS // 8]
    if len(challenge) != ROUNDS // 8:
        return False
    place = len(challenge)
    count = len(shuffle.before)
    commitments = []
    for nth in range(ROUNDS):
        length = SIZE + count if _bit(challenge, nth) else SEED_SIZE
        answer = proof[place : place + length]
        place += length
        if len(answer) != length:
            return False
        if not _bit(challenge, nth):
            commitments.append(_from_before(shuffle, nth, answer))
            continue
        scalar, order = answer[:SIZE], answer[SIZE:]
        if not is_scalar(scalar) or not is_permutation(order, count):
            return False
        commitments.append(_commitment(nth, scalar, shuffle.base_after, shuffle.after, order))
    return place == len(proof) and _challenge(shuffle, commitments) == challenge


def _choices(shuffle: Shuffle, nth: int, seed: bytes) -> tuple[bytes, bytes]:
    """Return the scalar and the order of a round."""
    place = number(nth)
    return (
        hash_to_scalar("shuffle scalar", shuffle.transcript, place, seed),
        permutation(len(shuffle.before), "shuffle order", shuffle.transcript, place, seed),
    )


def _from_before(shuffle: Shuffle, nth: int, seed: bytes) -> bytes:
    scalar, order = _choices(shuffle, nth, seed)
    return _commitment(nth, scalar, shuffle.base_before, shuffle.before, order)


def _commitment(
    nth: int, scalar: bytes, base: bytes, pile: Sequence[bytes], order: Sequence[int]
) -> bytes:
    points = shuffled(pile, scalar, order)
    return short_hash("shuffle round", number(nth), multiply(scalar, base), b"".join(points))


def _challenge(shuffle: Shuffle, commitments: Sequence[bytes]) -> bytes:
    return long_hash("shuffle challenge", shuffle.transcript, *commitments)[: ROUNDS // 8]


def _bit(challenge: bytes, nth: int) -> int:
    return challenge[nth // 8] >> nth % 8 & 1


# -- The proof that points were unlocked: divided by the *k* by which the base was multiplied
#
# There is one proof for all of them (Chaum and Pedersen, batched as in RFC 9497): it shows that the
# discrete logarithm of ``base_after`` to ``base_before`` is that of a random sum of the locked
# points to the same sum of the opened ones. The weights of the sum are hashes of everything, so
# that an error in one point cannot cancel one in another. Without the proof a player could publish
# junk in place of somebody's things, or swap two of them, and nobody would know who it was.

PROOF_SIZE = 2 * SIZE


@dataclass(eq=False)
class Unlocking(Statement):
    """A statement: each of ``locked`` is *k* times the same of ``opened``, and ``base_after`` is
    *k* times ``base_before``.
    """

    tag = "unlock"
    base_after: bytes
    locked: Sequence[bytes]
    opened: Sequence[bytes]

    @cached_property
    def weights(self) -> list[bytes]:
        """The weight of each point in the sums."""
        return [
            hash_to_scalar("unlock weight", self.transcript, number(nth))
            for nth in range(len(self.locked))
        ]

    @cached_property
    def opened_sum(self) -> bytes:
        """The weighted sum of the opened points."""
        return weighted_sum(self.weights, self.opened)

    @cached_property
    def locked_sum(self) -> bytes:
        """The weighted sum of the locked points."""
        return weighted_sum(self.weights, self.locked)

    def challenge(self, base_commitment: bytes, sum_commitment: bytes) -> bytes:
        """Return the challenge of the proof."""
        return hash_to_scalar(
            "unlock challenge",
            self.transcript,
            self.opened_sum,
            self.locked_sum,
            base_commitment,
            sum_commitment,
        )


def opened(locked: Sequence[bytes], scalar: bytes) -> tuple[bytes, ...]:
    """Return points divided by a scalar."""
    back = inverse(scalar)
    return tuple(multiply(back, point) for point in locked)


def prove_unlocking(unlocking: Unlocking, scalar: bytes, secret: bytes) -> bytes:
    """Return the proof: challenge and response, two scalars.

    The nonce comes from the secret *and* the statement, never from a random generator: the same
    nonce in two statements would leak the scalar.
    """
    nonce = hash_to_scalar("unlock hiding", secret, unlocking.transcript)
    challenge = unlocking.challenge(
        multiply(nonce, unlocking.base_before), multiply(nonce, unlocking.opened_sum)
    )
    return challenge + difference(nonce, product(challenge, scalar))


def is_unlocking_proven(unlocking: Unlocking, proof: bytes) -> bool:
    """Return whether a proof shows that all points were unlocked with the scalar of the base."""
    challenge, response = proof[:SIZE], proof[SIZE:]
    if not is_scalar(challenge) or not is_scalar(response):
        return False
    base_commitment = add(
        multiply(response, unlocking.base_before), multiply(challenge, unlocking.base_after)
    )
    sum_commitment = add(
        multiply(response, unlocking.opened_sum), multiply(challenge, unlocking.locked_sum)
    )
    return unlocking.challenge(base_commitment, sum_commitment) == challenge
