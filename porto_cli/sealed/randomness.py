"""The joint randomness R: what comes up face up follows from it.

Every player has bound itself to a chain of values before the first one is released. So each value
is fixed before anybody can know what the others' are, and R can be chosen by nobody. The history of
moves does *not* go into R: who can choose between moves could try many and take the one that leads
to the best refill, if the next player tells what it is going to release.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.sealed.errors import refused
from porto_cli.sealed.primitives import SIZE, short_hash
from porto_cli.sealed.secrets import CHAIN_LENGTH, chain_link, exhausted


def first(game: bytes, releases: Sequence[bytes]) -> bytes:
    """Return R of the set-up: from the first value of every player, in the order of seats."""
    return short_hash("randomness", game, *releases)


def after(randomness: bytes, value: bytes) -> bytes:
    """Return R after a player has released the next value."""
    return short_hash("next randomness", randomness, value)


class Chain(NamedTuple):
    """The chain of one player as the others know it: ``number`` values are released, the last is
    ``last`` (the tip, while there is none).
    """

    game: bytes
    seat: int
    last: bytes
    number: int = 0

    def released(self, value: bytes) -> Chain:
        """Return the chain after the next value.

        Raises :class:`~porto_cli.sealed.errors.ProofError` if the value is not the next one, and
        says whether it was released before, skips some, or is from no place of the chain.
        """
        if self.number == CHAIN_LENGTH:
            raise exhausted(self.seat)
        if follows(self, value):
            return Chain(self.game, self.seat, value, self.number + 1)
        if value == self.last:
            raise refused(
                "release-repeated",
                self.seat,
                "{player} has released a value of the chain a second time.",
            )
        if self._comes_later(value):
            raise refused(
                "release-skipped",
                self.seat,
                "{player} has skipped a value of the chain: another one is the next.",
            )
        raise refused(
            "release-invented",
            self.seat,
            "What {player} has released does not belong to the chain that was fixed when joining.",
        )

    def _comes_later(self, value: bytes) -> bool:
        for place in range(self.number + 2, CHAIN_LENGTH + 1):
            before = value
            for nth in range(place, self.number, -1):
                before = chain_link(self.game, self.seat, nth, before)
            if before == self.last:
                return True
        return False


def follows(chain: Chain, value: bytes) -> bool:
    """Return True if a value is the next one of a chain."""
    if len(value) != SIZE or chain.number >= CHAIN_LENGTH:
        return False
    return chain_link(chain.game, chain.seat, chain.number + 1, value) == chain.last
