"""Which turns were mailed on: a turn that others have cannot be taken back by mail any more.

Of each game the last state that was mailed to somebody who has not made it is noted, in a file of
the user's own. If it is lost, the record itself still refuses to undo what was answered.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from porto_cli import home
from porto_cli.core.message import FileError
from porto_cli.mail.threads import named
from porto_cli.match.replay import Replay

_FILE = "mailed.txt"
"""A line for each game: what names it in message ids, and the state."""


def note_mailed(replay: Replay, readers: Collection[int]) -> None:
    """Note that the last turn of an open game is mailed to some seats."""
    from porto_cli.keys import private

    if replay.steps and {*readers} - {replay.steps[-1].seat}:
        # The mail is on its way; it does not fail because that cannot be noted.
        with suppress(FileError):
            private.note(home.folder() / _FILE, *named(replay))


def was_mailed(replay: Replay) -> bool:
    """Return whether others have been mailed the last turn of an open game. Raises FileError."""
    from porto_cli.keys import private

    text, _ = private.read(home.folder() / _FILE)
    return " ".join(named(replay)) in (text or "").splitlines()
