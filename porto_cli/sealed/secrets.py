"""What a player keeps secret in one game: all of it follows from one seed of 32 bytes.

At the end of a game everybody publishes the seed, and others recompute everything.
"""

from __future__ import annotations

from functools import cached_property

from porto_cli.sealed.errors import ProofError, refused
from porto_cli.sealed.primitives import (
    hash_to_scalar,
    number,
    permutation,
    short_hash,
)

CHAIN_LENGTH = 256
"""How many values a player can release in a game. One game needs one for each of its rounds."""
NONCE_SIZE = 16


def seed_of(master: bytes, game: bytes, nonce: bytes) -> bytes:
    """Return the seed of one game: HMAC-SHA-512 of game id and nonce, its first 32 bytes.

    The nonce is fresh whenever somebody joins. With the secrets of an earlier attempt to join the
    same game, two unlocks together would say which thing is which. It is published with what
    one joins with, so that key file and record are enough to have the secrets again; nobody else
    can do anything with it.
    """
    from hmac import digest

    return digest(master, game + nonce, "sha512")[:32]


def seed_commitment(game: bytes, seat: int, seed: bytes) -> bytes:
    """Return what is published of a seed when joining. A copy of it fits no other seat or game."""
    return short_hash("seed", game, number(seat), seed)


def chain_link(game: bytes, seat: int, nth: int, value: bytes) -> bytes:
    """Return the value before the ``nth`` released one (from 1); before the first is the tip.

    Game, seat and place are in the hash: a value of another chain or another place fits nowhere.
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
        """What binds to the seed."""
        return seed_commitment(self.game, self.seat, self.seed)

    @cached_property
    def scalar(self) -> bytes:
        """By what this player multiplies every point of the pile."""
        return hash_to_scalar("scalar", self.seed)

    def permutation(self, count: int) -> bytes:
        """Return the order into which this player brings a pile, see :mod:`.shuffle`."""
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
        """What binds to the whole chain; it is published before anything is released."""
        return self._chain[0]

    def release(self, nth: int) -> bytes:
        """Return the value that is the ``nth`` to be released, from 1.

        Raises :class:`~porto_cli.sealed.errors.ProofError` when the chain has no more.
        """
        if not 1 <= nth <= CHAIN_LENGTH:
            raise exhausted(self.seat)
        return self._chain[nth]

    def salt(self, height: int) -> bytes:
        """Return what hides the commitment in the step of a height from guesses."""
        return short_hash("salt", self.seed, number(height))

    @cached_property
    def proof_secret(self) -> bytes:
        """What the choices within proofs come from: no bad randomness can give the scalar away."""
        return short_hash("proofs", self.seed)


def exhausted(seat: int) -> ProofError:
    """Return the error of a chain that has no more values."""
    return refused(
        "chain-exhausted",
        seat,
        "{player} has released all {count} values of the chain: the game is longer than a sealed"
        " game can be.",
        count=CHAIN_LENGTH,
    )
