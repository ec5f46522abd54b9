"""The proof that points were unlocked: divided by the *k* by which the base was multiplied.

There is one proof for all of them (Chaum and Pedersen, batched as in RFC 9497): it shows that the
discrete logarithm of ``base_after`` to ``base_before`` is that of a random sum of the locked points
to the same sum of the opened ones. The weights of the sum are hashes of everything, so that an
error in one point cannot cancel one in another. Without the proof a player could publish junk in
place of somebody's things, or swap two of them, and nobody would know who it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from porto_cli.sealed.primitives import (
    SIZE,
    add,
    difference,
    hash_to_scalar,
    inverse,
    is_scalar,
    long_hash,
    multiply,
    number,
    product,
    weighted_sum,
)

PROOF_SIZE = 2 * SIZE


class Unlocking:
    """A statement: each of ``locked`` is *k* times the same of ``opened``, and ``base_after`` is
    *k* times ``base_before``. ``context`` is a hash of where it is made. Points have been checked.
    """

    def __init__(
        self,
        context: bytes,
        base_before: bytes,
        base_after: bytes,
        locked: Sequence[bytes],
        opened: Sequence[bytes],
    ) -> None:
        self.context = context
        self.base_before = base_before
        self.base_after = base_after
        self.locked = locked
        self.opened = opened

    @cached_property
    def transcript(self) -> bytes:
        """A hash of the whole statement."""
        return long_hash(
            "unlock",
            self.context,
            self.base_before,
            self.base_after,
            b"".join(self.locked),
            b"".join(self.opened),
        )

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


def prove(unlocking: Unlocking, scalar: bytes, secret: bytes) -> bytes:
    """Return the proof: challenge and response, two scalars.

    The nonce comes from the secret *and* the statement, never from a random generator: the same
    nonce in two statements would leak the scalar.
    """
    nonce = hash_to_scalar("unlock hiding", secret, unlocking.transcript)
    challenge = unlocking.challenge(
        multiply(nonce, unlocking.base_before), multiply(nonce, unlocking.opened_sum)
    )
    return challenge + difference(nonce, product(challenge, scalar))


def is_proven(unlocking: Unlocking, proof: bytes) -> bool:
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
