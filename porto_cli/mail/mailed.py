"""What was mailed, noted in files of the user's own: a key, and what is known of it, in each line.

A turn that was mailed on cannot be taken back by mail any more: of each open game the last state
that somebody was mailed who has not made it is noted. So are the tables of which a reminder was
sent, and when, and what users were asked whether to send it back. Nothing breaks if a file is lost:
the record itself refuses to undo what was answered, and a reminder or a question comes once more.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from hashlib import sha256

from porto_cli import home
from porto_cli.core.message import FileError
from porto_cli.mail.threads import named
from porto_cli.match.replay import Replay

_MAILED = "mailed.txt"
"""By what names a game in message ids: its state."""
REMINDERS = "reminders.txt"
"""By the id of a table: seconds since 1970."""
_ASKED = "sent-back.txt"
"""By a digest of what is wrong with an answer: the state of its game."""


def note(file: str, key: str, value: str) -> None:
    """Note something in a file, in place of what was noted of the same key. Raises FileError."""
    from porto_cli.keys import private

    private.note(home.folder() / file, key, value)


def noted(file: str, key: str) -> str:
    """Return what was noted of a key, or nothing. Raises FileError."""
    from porto_cli.keys import private

    text, _ = private.read(home.folder() / file)
    lines = (line.split(" ") for line in (text or "").splitlines())
    return next((line[1] for line in lines if line[0] == key and len(line) == 2), "")


def note_mailed(replay: Replay, readers: Collection[int]) -> None:
    """Note that the last turn of an open game is mailed to some seats."""
    if replay.steps and {*readers} - {replay.steps[-1].seat}:
        # The mail is on its way; it does not fail because that cannot be noted.
        with suppress(FileError):
            note(_MAILED, *named(replay))


def was_mailed(replay: Replay) -> bool:
    """Return whether others have been mailed the last turn of an open game. Raises FileError."""
    return noted(_MAILED, named(replay).game) == named(replay).state


def is_first_asked(replay: Replay, lines: Collection[str]) -> bool:
    """Note that the user is asked whether to send lines back; return whether that is the first time
    for the table. Raises FileError.
    """
    key, state = sha256("\n".join(lines).encode()).hexdigest()[:24], named(replay).state
    if noted(_ASKED, key) == state:
        return False
    note(_ASKED, key, state)
    return True
