"""What is known of a sealed game besides its table."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.game import SealedPile, State
from porto_cli.sealed.randomness import Chain as Releases
from porto_cli.sealed.secrets import GameSecrets
from porto_cli.sealed.setup import Setup


class Kept(NamedTuple):
    """What somebody is bound to have kept."""

    height: int
    commitment: bytes
    hidden: bytes | None
    """What it is, as far as the keys at hand know."""


def is_due(state: State, seat: int, released_turn: int) -> bool:
    """Tell whether the next step of a seat has to release a value: it begins a turn, and none was
    released since ``released_turn`` turns were over.
    """
    return bool(seat == state.seat and state.turn > released_turn)


class Sealed(NamedTuple):
    """What is known of a sealed game besides its table."""

    pile: SealedPile
    setup: Setup
    order: tuple[int, ...]
    """For each seat the number in the order of sitting, by which its player signs."""
    randomness: bytes
    """What the next thing that comes up follows from, together with the next release."""
    releases: dict[int, Releases]
    """How much of each player's chain is released, by the number of sitting."""
    secrets: dict[int, GameSecrets]
    """Those of the keys at hand."""
    kept: dict[int, Kept]
    revealed: dict[int, bytes]
    """The seeds that were revealed."""
    given_up: frozenset[int]
    """The seats of players without whom the others go on."""
    awaited: dict[int, frozenset[int]]
    """The seats that somebody wants to give up, and who has said so; not all others have yet."""
    released_turn: int
    """How many turns were over when the last value was released."""
    is_looking_ahead: bool
    """The table has what comes up for the player to move, and the record does not yet."""

    def is_due(self, state: State, seat: int) -> bool:
        """Tell whether the next step of a seat has to release a value."""
        return is_due(state, seat, self.released_turn)

    def undecided(self, gone: int) -> list[int]:
        """Return the seats that have still to say that somebody has vanished, so that the game can
        go on: players of whom nobody has said the same, or else whoever is left.
        """
        said = self.awaited.get(gone, frozenset())
        playing = set(range(len(self.order))) - self.given_up
        return sorted(playing - set(self.awaited) - said or playing - {gone} - said)

    @property
    def stopped(self) -> bool:
        """Whether so many were given up before the end that nobody can play any more."""
        return (
            bool(self.given_up) and not self.revealed and len(self.order) - len(self.given_up) < 2
        )
