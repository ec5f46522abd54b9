"""What a player keeps secret in one game, and the joint randomness that comes from all players.

All secrets of a player follow from one seed of 32 bytes. At the end of a game everybody publishes
the seed, and others recompute everything.

What comes up face up follows from the joint randomness R. Every player commits to a chain of values
before the first one is released. So each value is fixed before anybody can know those of the
others, and R cannot be chosen. The history of moves does *not* go into R: a player with a choice of
moves could try many and take the one that leads to the best refill, if the next player tells what
they are going to release.

What a player keeps of the hidden things is committed to at once and shown at the end. The
commitment is a hash with a salt; without the salt one could try the few possibilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from hmac import digest
from typing import NamedTuple

from porto_cli.sealed import ProofError, demand, player_at
from porto_cli.sealed.primitives import (
    hash_to_scalar,
    number,
    permutation,
    short_hash,
)

CHAIN_LENGTH = 256
"""How many values a player can release in a game. A game needs one for each round."""
NONCE_SIZE = 16


def seed_of(master: bytes, game: bytes, nonce: bytes) -> bytes:
    """Return the seed of one game: HMAC-SHA-512 of game id and nonce, its first 32 bytes.

    The nonce is new whenever a player joins. With the same secrets as in an earlier attempt to join
    the same game, two unlocks together would show which thing is which. It is published in the
    join, so that key file and record are enough to recompute the secrets; others cannot use it.
    """
    return digest(master, game + nonce, "sha512")[:32]


def seed_commitment(game: bytes, seat: int, seed: bytes) -> bytes:
    """Return the commitment to a seed in a join. It is not valid for another seat or game."""
    return short_hash("seed", game, number(seat), seed)


def chain_link(game: bytes, seat: int, nth: int, value: bytes) -> bytes:
    """Return the value before the ``nth`` released one (from 1); before the first is the tip.

    Game, seat and place are in the hash, so that a value is valid only in its place of its chain.
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
        """The commitment to the seed."""
        return seed_commitment(self.game, self.seat, self.seed)

    @cached_property
    def scalar(self) -> bytes:
        """The scalar by which this player multiplies every point of the pile."""
        return hash_to_scalar("scalar", self.seed)

    def permutation(self, count: int) -> bytes:
        """Return the order in which this player puts a pile, see :mod:`.shuffle`."""
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
        """The commitment to the whole chain, published before anything is released."""
        return self._chain[0]

    def release(self, nth: int) -> bytes:
        """Return the ``nth`` value to be released, from 1.

        Raises :class:`~porto_cli.sealed.ProofError` if the chain has no more.
        """
        demand(1 <= nth <= CHAIN_LENGTH, _exhausted(self.seat))
        return self._chain[nth]

    def salt(self, height: int) -> bytes:
        """Return the salt of the commitment in the step of a height."""
        return short_hash("salt", self.seed, number(height))

    @cached_property
    def proof_secret(self) -> bytes:
        """The source of choices within proofs, so that bad randomness cannot leak the scalar."""
        return short_hash("proofs", self.seed)


def _exhausted(seat: int) -> str:
    return (
        f"{player_at(seat)} has released all {CHAIN_LENGTH} values of the chain: the game is "
        "longer than a sealed game can be."
    )


def first_randomness(game: bytes, releases: Sequence[bytes]) -> bytes:
    """Return R of the setup: from the first value of every player, in seat order."""
    return short_hash("randomness", game, *releases)


def next_randomness(randomness: bytes, value: bytes) -> bytes:
    """Return R after a player has released the next value."""
    return short_hash("next randomness", randomness, value)


class Releases(NamedTuple):
    """The chain of one player as the others know it: ``number`` values are released, the last one
    is ``last`` (the tip, if none is).
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
        """Return the chain after the next value.

        Raises :class:`~porto_cli.sealed.ProofError` if the value is not the next one:
        released before, too far ahead, or not in the chain.
        """
        player = player_at(self.seat)
        demand(self.next <= CHAIN_LENGTH, _exhausted(self.seat))
        if self.leads_here(value, self.next):
            return Releases(self.game, self.seat, value, self.next)
        repeated = f"{player} has released the same value of the chain twice."
        demand(value != self.last, repeated)
        later = any(self.leads_here(value, nth) for nth in range(self.next + 1, CHAIN_LENGTH + 1))
        demand(not later, f"{player} has skipped a value of the chain.")
        raise ProofError(
            f"What {player} has released is not from the chain committed to when joining."
        )

    def leads_here(self, value: bytes, place: int) -> bool:
        """Return whether a value is the one at a place of the chain."""
        for nth in range(place, self.number, -1):
            value = chain_link(self.game, self.seat, nth, value)
        return value == self.last


def kept_commitment(game: bytes, seat: int, salt: bytes, things: bytes) -> bytes:
    """Return the commitment to what a seat keeps. The order of the things does not matter."""
    return short_hash("kept", game, number(seat), salt, bytes(sorted(things)))


def check_opening(
    game: bytes, seat: int, committed: bytes, salt: bytes, things: bytes, dealt: bytes
) -> None:
    """Raise :class:`~porto_cli.sealed.ProofError` unless a seat has committed to keeping
    these things, and was dealt them.
    """
    player = player_at(seat)
    demand(
        not Counter(things) - Counter(dealt),
        f"{player} claims to have kept something that was not dealt to that seat.",
    )
    demand(
        kept_commitment(game, seat, salt, things) == committed,
        f"{player} claims to have kept something other than what was committed to when choosing.",
    )
