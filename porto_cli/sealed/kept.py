"""What a player keeps of its hidden things: bound to at once, shown at the end.

The commitment is a hash with a salt; without the salt one could try the few possibilities.
"""

from __future__ import annotations

from collections import Counter

from porto_cli.sealed.errors import refused
from porto_cli.sealed.primitives import number, short_hash


def commitment(game: bytes, seat: int, salt: bytes, things: bytes) -> bytes:
    """Return what is published of what a seat keeps. The order of the things means nothing."""
    return short_hash("kept", game, number(seat), salt, bytes(sorted(things)))


def check_opening(
    game: bytes, seat: int, committed: bytes, salt: bytes, things: bytes, dealt: bytes
) -> None:
    """Raise :class:`~porto_cli.sealed.errors.ProofError` unless a seat has committed to keeping
    these things, and was dealt them.
    """
    if Counter(things) - Counter(dealt):
        raise refused(
            "kept-not-dealt",
            seat,
            "{player} claims to have kept something that was not dealt to that seat.",
        )
    if commitment(game, seat, salt, things) != committed:
        raise refused(
            "kept-not-committed",
            seat,
            "{player} claims to have kept something else than what was fixed when it was chosen.",
        )
