"""Turns in the user's own name that come in with a record, although the user's copy lacks them.

Whoever sends a record of an open game can have played anybody's turns in it. Only the user knows
whether they were made on another computer, or by an answer in words.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import REFUSED, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.game import Step
from porto_cli.match.match import Match
from porto_cli.match.undoing import UNDO
from porto_cli.settings import own_seat
from porto_cli.ui import ui_of


class OwnTurns(NamedTuple):
    """Turns of the user that a local copy lacks."""

    file: Path | None
    game: str
    player: str
    moves: tuple[str, ...]
    """As everybody may know them."""


class OwnTurnsError(PortoError):
    """A record that is not taken, because nobody has confirmed that the user made these turns."""

    exit_code = REFUSED

    def __init__(self, turns: OwnTurns) -> None:
        super().__init__(turns)
        self.turns = turns

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the record would bring, and what takes it."""
        told = say(
            "{file} stays as it is: the record in the message has turns of {player} that it lacks "
            "({moves}), and you are {player}. If you made them, on another computer or in an "
            "answer to a mail, receive the message again with: --mine",
            file=self.turns.file,
            player=self.turns.player,
            moves=", ".join(self.turns.moves),
        )
        return (told,)


Confirm = Callable[[OwnTurns], bool]
"""Tells whether the user has made some turns."""


def demand_own_turns(copy: Match, other: Match, confirm: Confirm) -> None:
    """Have it confirmed if a record that continues a local copy brings turns of the user.

    Where turns are signed the signature shows who made them. Raises OwnTurnsError if it is not
    confirmed, InvalidFileError or FileError of the settings.
    """
    seat = own_seat(copy.players)
    if seat is None or seat not in copy.people or other.replay.chain is not None:
        return
    moves = _new_moves(copy, other, seat)
    if moves:
        turns = OwnTurns(copy.path, copy.game.meta.id, copy.players[seat], moves)
        if not confirm(turns):
            raise OwnTurnsError(turns)


def _new_moves(copy: Match, other: Match, seat: int) -> tuple[str, ...]:
    """Return what a seat has done in one version of a game beyond another one."""
    here, there = (
        [step for step in version.replay.steps if step.seat == seat] for version in (copy, other)
    )
    ui = ui_of(other.game.meta.id)
    found: list[str] = []
    if here:
        # The last turn of a version may go on in the other one.
        last = there[len(here) - 1]
        found += (other.text(move) for move in last.moves[len(here[-1].moves) :])
    found += (_in_short(step, ui.in_short) for step in there[len(here) :])
    return tuple(found)


def _in_short(step: Step, in_short: Callable[[Step], str]) -> str:
    return UNDO if step.takes_back is not None else in_short(step)
