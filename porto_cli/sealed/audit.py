"""The end of a game: everybody publishes the seed, and everything is computed anew from it.

Each seat is audited by itself. If somebody never reveals, the things of all others can still be
shown: after everybody has unlocked, they hang on nothing but their owner's own scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.sealed.errors import refused
from porto_cli.sealed.primitives import multiply
from porto_cli.sealed.secrets import GameSecrets, seed_commitment
from porto_cli.sealed.setup import Setup
from porto_cli.sealed.shuffle import shuffled


class Audited(NamedTuple):
    """What a revealed seed has shown: the secrets, and the numbers of the things dealt."""

    secrets: GameSecrets
    dealt: tuple[int, ...]


def audit(setup: Setup, seat: int, seed: bytes, released: Sequence[bytes] = ()) -> Audited:
    """Return what a seat had, after all that it has done was computed anew from its seed.

    ``released`` are all values that it has released, the one in its unlock included, in order.
    Raises :class:`~porto_cli.sealed.errors.ProofError` that says what is not of this seed. What was
    kept is checked with :func:`porto_cli.sealed.kept.check_opening` and
    ``audited.secrets.salt(height)``.
    """
    join = setup.joins[seat]
    if len(seed) != 32 or seed_commitment(setup.game, seat, seed) != join.commitment:
        raise refused(
            "seed-wrong",
            seat,
            "What {player} has revealed is not the seed that was fixed when joining.",
        )
    secrets = GameSecrets(seed, setup.game, seat)
    if secrets.tip != join.tip:
        raise refused(
            "chain-not-of-seed",
            seat,
            "{player} has joined with a chain that does not follow from the seed.",
        )
    for nth, value in enumerate(released, 1):
        if secrets.release(nth) != value:
            raise refused(
                "release-not-of-seed",
                seat,
                "Release number {nth} of {player} does not follow from the seed.",
                nth=nth,
            )
    if not setup.things:
        return Audited(secrets, ())
    pile = shuffled(setup.pile_before(seat), secrets.scalar, secrets.permutation(setup.things))
    if join.base != multiply(secrets.scalar, setup.base_before(seat)) or join.pile != pile:
        raise refused(
            "shuffle-not-of-seed",
            seat,
            "{player} has shuffled in another way than the seed says.",
        )
    done = dict(zip(setup.unlock_order, setup.unlocks, strict=False)).get(seat)
    if done is not None:
        locked = tuple(multiply(secrets.scalar, point) for point in done.slots)
        if locked != setup.locked(seat):
            raise refused(
                "unlock-not-of-seed",
                seat,
                "{player} has unlocked something else than what was shuffled.",
            )
    return Audited(secrets, setup.hand(secrets) if setup.complete else ())
