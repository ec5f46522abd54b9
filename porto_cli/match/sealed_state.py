"""What is known of a sealed game besides its table, and who leaves it after vanishing.

That a player has vanished is only stated by others, never proven, so it may be stated by mistake or
to do harm. Whoever states it stays, and goes on with everybody else except those whom they have
named. So who stays is found from the last player who made a statement: that player stays, and with
each player who stays everybody whom that player has *not* named. All others leave, all at once;
each of them was named by each of those who stay.

Whoever makes a step has not vanished, so what was stated of them before is void.

So those who stay can always get rid of those who do not answer; one player who names honest players
and then vanishes changes nothing; and a player who names all others goes on alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from porto_cli.crypto.secrets import GameSecrets, Releases
from porto_cli.crypto.setup import SetupState
from porto_cli.game import SealedPile, State


class Kept(NamedTuple):
    """What a player has committed to keep."""

    height: int
    commitment: bytes
    hidden: bytes | None
    """What it is, if the keys at hand can open it."""


def is_due(state: State, seat: int, released_turn: int) -> bool:
    """Return whether the next step of a seat has to release a value: it begins a turn, and none was
    released since the end of turn ``released_turn``.
    """
    return bool(seat == state.seat and state.turn > released_turn)


class Sealed(NamedTuple):
    """What is known of a sealed game besides its table."""

    pile: SealedPile
    setup: SetupState
    order: tuple[int, ...]
    """For each seat the number in the seating order, with which its player signs."""
    randomness: bytes
    """What decides, together with the next release, what comes up next."""
    releases: dict[int, Releases]
    """How much of each player's chain is released, by the number in the seating order."""
    secrets: dict[int, GameSecrets]
    """Those of the keys at hand."""
    kept: dict[int, Kept]
    revealed: dict[int, bytes]
    """The revealed seeds."""
    given_up: frozenset[int]
    """The seats of players who were given up."""
    awaited: dict[int, frozenset[int]]
    """The seats that some players want to give up, and these players; others are still missing."""
    released_turn: int
    """How many turns were over when the last value was released."""
    is_looking_ahead: bool
    """The table has what comes up for the player to move, which is not in the record yet."""

    def is_due(self, state: State, seat: int) -> bool:
        """Return whether the next step of a seat has to release a value."""
        return is_due(state, seat, self.released_turn)

    def undecided(self, gone: int) -> list[int]:
        """Return the seats that have yet to state that a player has vanished before the game goes
        on: players of whom nobody has stated the same, or else everybody left.
        """
        stated_by = self.awaited.get(gone, frozenset())
        playing = set(range(len(self.order))) - self.given_up
        return sorted(playing - set(self.awaited) - stated_by or playing - {gone} - stated_by)

    @property
    def stopped(self) -> bool:
        """Whether the game cannot go on, because too many players were given up before the end."""
        return (
            bool(self.given_up) and not self.revealed and len(self.order) - len(self.given_up) < 2
        )


Statements = Mapping[int, frozenset[int]]
"""Players who were reported as vanished, and by whom."""

RULE = 2
"""The number of the rule above in a step. A step without a number follows the first rule."""


def heard(statements: Statements, by: int, gone: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return all statements after ``by`` has named more players."""
    return {**statements, **{one: statements.get(one, frozenset()) | {by} for one in gone}}


def void(statements: Statements, seat: int) -> dict[int, frozenset[int]]:
    """Return the statements about everybody else: this player has made a step."""
    return {one: by for one, by in statements.items() if one != seat}


def left_over(statements: Statements, gone: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return the statements about and by those who have not left."""
    kept = {one: by - gone for one, by in statements.items() if one not in gone}
    return {one: by for one, by in kept.items() if by}


def leaving(playing: frozenset[int], statements: Statements, speaker: int) -> frozenset[int]:
    """Return who leaves after a statement of ``speaker``, of those who are ``playing``."""
    staying = {speaker}
    while more := {
        one for one in playing - staying if not staying <= statements.get(one, frozenset())
    }:
        staying |= more
    return playing - staying


def leaving_by_first_rule(playing: frozenset[int], statements: Statements) -> frozenset[int]:
    """Return who leaves by the rule of steps without a number: everybody who was named by anybody,
    once all who were not named have named each of them.
    """
    named = frozenset(statements)
    return named if all(statements[one] >= playing - named for one in named) else frozenset()
