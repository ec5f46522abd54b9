"""Mail that could not be sent yet, noted until it is, or until its game has gone on.

A game goes on only when the next player gets it. So what a command was told to send, and a server
did not take, is sent by the next 'porto receive --send', which may be started by cron.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from porto_cli import home
from porto_cli.core import TROUBLE, FileError, SentenceError, files
from porto_cli.mail import message_ids, named, notes
from porto_cli.mail.addresses import address_book
from porto_cli.match.replay import Replay
from porto_cli.settings import settings

if TYPE_CHECKING:
    from email.message import EmailMessage

_UNSENT = "unsent.txt"
"""By what names a game in message ids: its state, and the mails with it that were not sent."""
_LOCK = "outbox"
"""A folder that is locked while what is due is sent."""


# -- Why a mail was not sent
#
# This is apart from what reaches a server, which is loaded only to send.


class AccountError(SentenceError):
    """A mail server that could not be used: why, what has happened, and what to do."""

    exit_code = TROUBLE


class SendError(AccountError):
    """A mail that could not be sent: why, whether anything has left, and what to do."""


class RefusedMailError(SendError):
    """A mail that a server takes for nobody, however often it is asked."""


class DeferredMailError(SendError):
    """A mail with a content that a server does not take now; it may take others."""


def recipients(mail: EmailMessage) -> tuple[str, ...]:
    """Return all addresses that a message goes to."""
    found = [one.addr_spec for head in ("To", "Cc") if mail[head] for one in mail[head].addresses]
    return tuple(dict.fromkeys(found))


# -- What is due


class Due(NamedTuple):
    """A mail that is due: the seat of who writes it, whom it goes to, a sentence above its news."""

    writer: int | None
    whom: tuple[str, ...]
    note: str | None

    def without(self, reached: Collection[str], said: Collection[str]) -> Due:
        """Return what is left of it when players have got another mail, which has said this."""
        if self.note and self.note not in said:
            return self
        return self._replace(whom=tuple(name for name in self.whom if name not in reached))


def games() -> list[str]:
    """Return the games of which mail is due, or was, by what ids call them. Raises FileError."""
    return [game for game, value in notes.noted(_UNSENT).items() if value]


def due(replay: Replay) -> list[Due]:
    """Return the mails that are due with a game as it is now. Raises FileError."""
    game, state = named(replay)
    at, _, mails = notes.noted(_UNSENT).get(game, "").partition(" ")
    if at != state:
        return []
    seats = None, *range(len(replay.players))
    # People may have edited it.
    with suppress(ValueError, TypeError):
        found = [(writer, map(str, whom), note) for writer, whom, note in json.loads(mails)]
        return [Due(by, tuple(whom), note and str(note)) for by, whom, note in found if by in seats]
    return []


def _note(replay: Replay, mails: Sequence[Due]) -> None:
    game, state = named(replay)
    left = [one for one in mails if one.whom]
    notes.note(_UNSENT, game, f"{state} {json.dumps(left)}" if left else "")


def put(replay: Replay, *mails: Due) -> None:
    """Note that mails with a game as it is are due, if they go to anybody. What was due with an
    earlier state no longer is.
    """
    # They could not be sent, which is told anyway.
    with suppress(FileError):
        _note(replay, [*dict.fromkeys((*due(replay), *mails))])


def drop(replay: Replay, reached: Collection[str], said: Collection[str]) -> None:
    """Note that players have the game as it is, and were told this; what they were not told is due
    as before.
    """
    with suppress(FileError):
        found = due(replay)
        left = [one.without(reached, said) for one in found]
        if found != left:
            _note(replay, left)


@contextmanager
def held() -> Iterator[None]:
    """Keep other commands from sending what is due. Raises FileError if one does."""
    home.home_ready()
    folder = home.folder() / _LOCK
    with suppress(OSError):
        folder.mkdir(exist_ok=True, mode=home.FOLDER_FOR_US)
    with files.locked(folder, folder):
        yield


# -- Whom a server has refused
#
# It may not refuse the next turn, another address, or who has other settings.


def note_refused(game: object, refused: Iterable[str]) -> None:
    """Note that the server takes no mail with a game as it is for some addresses."""
    if isinstance(game, Replay):
        for address in refused:
            notes.is_first(notes.TOLD, _attempt(game, address))


def is_refused(replay: Replay, player: str) -> bool:
    """Return whether the server has refused a mail with a game as it is for a player."""
    found = address_book().of(player)
    return found is not None and notes.is_noted(notes.TOLD, _attempt(replay, found.address))


def _attempt(replay: Replay, address: str) -> str:
    return notes.digest_of(message_ids(replay)[-1], settings().mail, address)
