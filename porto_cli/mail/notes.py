"""Notes about earlier mail, and the mail that is due, in files of the user's own: each line has a
key and maybe a value.

Nothing breaks if a file is lost: the record itself refuses to undo what was answered,
and a reminder, a question or a refusal comes once more.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli import home
from porto_cli.core import FileError, PortoError, files
from porto_cli.mail.addresses import address_book
from porto_cli.mail.ids import message_ids, named
from porto_cli.match.replay import Replay
from porto_cli.settings import settings

if TYPE_CHECKING:
    from porto_cli.mail.incoming import Incoming

_MAILED = "mailed.txt"
"""By the game's name in message ids: the state in which it was last mailed to anybody but the
player of its last turn. That turn cannot be taken back by mail anymore."""
REMINDERS = "reminders.txt"
"""By the id of a table: when its last reminder was sent, in seconds since 1970."""
REFUSED_VERSIONS = "refused-versions.txt"
"""Digests of refused records, so that a message is not refused twice, and of contradictions of
players, so that each is reported once."""
FOOTERS = "footers.txt"
"""By digests of the text below a move, and of the table: the move. The same text below a later move
is a footer, if the first one was played."""
ASKED = "sent-back.txt"
"""Digests of faulty answers and their tables that the user was asked to send back."""
TOLD = "told.txt"
"""What the user was told: keys of messages and their faults, and digests of what a mail server
refused, or of why mail could not be sent. By ``INBOX``: why the inbox was not read."""
INBOX = "inbox"
_UNSENT = "unsent.txt"
"""By the game's name in message ids: its state, and the mails with it that were not sent."""
_LOCK = "outbox"
"""A folder that is locked while what is due is sent."""


def note(file: str, key: str, value: str = "") -> None:
    """Note a key in a file, with its value in place of the old one. Raises FileError."""
    home.note(home.folder() / file, key, value)


def noted(file: str) -> dict[str, str]:
    """Return the notes of a file, by keys; none if there is no file. Raises FileError."""
    text = home.read_private(home.folder() / file) or ""
    lines = (line.partition(" ") for line in text.splitlines())
    return {key: value for key, _, value in lines}


def note_mailed(replay: Replay, readers: Collection[int]) -> None:
    """Note that the last turn of an open game is mailed to some seats."""
    if replay.steps and {*readers} - {replay.steps[-1].seat}:
        # The mail is on its way: failing to note that is no failure.
        with suppress(FileError):
            note(_MAILED, *named(replay))


def was_mailed(replay: Replay) -> bool:
    """Return whether others have been mailed the last turn of an open game. Raises FileError."""
    game, state = named(replay)
    return noted(_MAILED).get(game) == state


def digest_of(*facts: object) -> str:
    """Return a digest of some facts, short enough for a line of notes."""
    return sha256("\0".join(map(str, facts)).encode("utf-8", "replace")).hexdigest()[:24]


def key_of(message: Incoming, *problems: str) -> str:
    """Return the key of a message and its problems, or the beginning of all its keys."""
    key = digest_of(*message.sender, message.date, message.body)
    return f"{key}.{digest_of(*problems)}" if problems else key


def is_noted(file: str, key: str) -> bool:
    """Return whether a file is known to have a key that begins like this."""
    with suppress(FileError):
        return any(one.startswith(key) for one in noted(file))
    return False


def is_first(file: str, key: str) -> bool:
    """Note a key; return whether it is new, as far as is known."""
    is_new = not is_noted(file, key)
    with suppress(FileError):
        if is_new:
            note(file, key)
    return is_new


def is_change(file: str, key: str, value: str) -> bool:
    """Note the value of a key; return whether it has changed, as far as is known."""
    with suppress(FileError):
        if noted(file).get(key, "") == value:
            return False
        note(file, key, value)
    return True


def is_news(error: PortoError, files: Iterable[Path]) -> bool:
    """Note an error about some files; return whether the user has not been told yet, or one of the
    files or the mail settings has changed since.
    """
    facts: list[object] = [*error.sentences, settings().mail]
    for file in files:
        with suppress(OSError):
            facts += [file, file.stat().st_mtime_ns]
    return is_first(TOLD, digest_of(*facts))


# -- Mail that could not be sent yet
#
# It is due until it is sent or its game has gone on, which takes a next player who has it. So what
# a server did not take is sent by the next 'porto receive --send', which cron may start.


class Due(NamedTuple):
    """A mail that is due: the writer's seat, its readers, and a sentence above its news."""

    writer: int | None
    whom: tuple[str, ...]
    note: str | None

    def without(self, reached: Collection[str], said: Collection[str]) -> Due:
        """Return what is left to send after another mail reached players and said this."""
        if self.note and self.note not in said:
            return self
        return self._replace(whom=tuple(name for name in self.whom if name not in reached))


def games() -> list[str]:
    """Return the games with mail that is, or was, due, as ids name them. Raises FileError."""
    return [game for game, value in noted(_UNSENT).items() if value]


def due(replay: Replay) -> list[Due]:
    """Return the mails due with a game as it is now. Raises FileError."""
    game, state = named(replay)
    at, _, mails = noted(_UNSENT).get(game, "").partition(" ")
    if at != state:
        return []
    seats = None, *range(len(replay.players))
    # People may have edited it.
    with suppress(ValueError, TypeError):
        found = [(writer, map(str, whom), note) for writer, whom, note in json.loads(mails)]
        return [Due(by, tuple(whom), note and str(note)) for by, whom, note in found if by in seats]
    return []


def _note_due(replay: Replay, mails: Sequence[Due]) -> None:
    game, state = named(replay)
    left = [one for one in mails if one.whom]
    note(_UNSENT, game, f"{state} {json.dumps(left)}" if left else "")


def put(replay: Replay, *mails: Due) -> None:
    """Note mails as due with a game as it is, if they go to anybody. Mails with an earlier state no
    longer are.
    """
    # The user is told anyway that they were not sent.
    with suppress(FileError):
        _note_due(replay, [*dict.fromkeys((*due(replay), *mails))])


def drop(replay: Replay, reached: Collection[str], said: Collection[str]) -> None:
    """Note that players have the game as it is, and what they were told; the rest stays due."""
    with suppress(FileError):
        found = due(replay)
        left = [one.without(reached, said) for one in found]
        if found != left:
            _note_due(replay, left)


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
# It may accept the next turn, another address, or other settings.


def note_refused(game: object, refused: Iterable[str]) -> None:
    """Note that the server refuses mail with a game as it is for some addresses."""
    if isinstance(game, Replay):
        for address in refused:
            is_first(TOLD, _attempt(game, address))


def is_refused(replay: Replay, player: str) -> bool:
    """Return whether the server has refused a mail with a game as it is for a player."""
    found = address_book().of(player)
    return found is not None and is_noted(TOLD, _attempt(replay, found.address))


def _attempt(replay: Replay, address: str) -> str:
    return digest_of(message_ids(replay)[-1], settings().mail, address)
