"""Who the user is, and the user's settings: by ``PORTO_PLAYER`` and ``config.yaml``.

Every command asks for them, and most users have none, so the module that reads the file
(:mod:`porto_cli.settings`) is loaded only if there is one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.home import SETTINGS, folder, has
from porto_cli.match import find_seat, is_called

if TYPE_CHECKING:
    from porto_cli.settings import Settings

PLAYER = "PORTO_PLAYER"
"""The environment variable that names the user; if it is empty, no user is assumed."""


def settings() -> Settings | None:
    """Return the user's settings; ``None`` if there is no file with them.

    Raises InvalidFileError for a file with invalid contents, FileError for one that cannot be
    read.
    """
    if not has(SETTINGS):
        return None
    from porto_cli.settings import settings

    return settings()


class Me(NamedTuple):
    """Who the user is.

    ``names``   the user's names as a player, the usual one first; none if the user is unknown
    ``source``  where they are set: ``PORTO_PLAYER``, or the path of the file; empty if nowhere
    """

    names: tuple[str, ...] = ()
    source: str = ""


def me() -> Me:
    """Return who the user is according to ``PORTO_PLAYER``, or else ``config.yaml``.

    If ``PORTO_PLAYER`` is empty, no user is assumed. Raises InvalidFileError, FileError.
    """
    named = os.environ.get(PLAYER)
    if named is not None:
        return Me((named.strip(),) if named.strip() else (), PLAYER)
    found = settings()
    return Me(found.me, str(folder() / SETTINGS)) if found and found.me else Me()


def own_seat(players: Sequence[str], once: Sequence[str] = ()) -> int | None:
    """Return the user's seat among the players of a game; ``None`` if the user is unknown or does
    not play, or if the name could mean several players.

    Names match as in ``--as``. If the user has several names, a player's full name takes
    precedence, then the name that was set first. ``once`` are the original players: a user who was
    one of them and has left is not taken for another player whose name begins the same way. Raises
    InvalidFileError, FileError.
    """
    names = [
        name
        for name in me().names
        if any(is_called(player, name) for player in players)
        or not any(is_called(player, name) for player in once)
    ]
    return seat_called(players, names) if names else None


def seat_called(players: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the seat of the player with these names, see :func:`own_seat`."""
    found = [(seat, name) for name in names if (seat := find_seat(players, name)) is not None]
    whole = [seat for seat, name in found if is_called(players[seat], name)]
    return next(iter([*whole, *(seat for seat, _ in found)]), None)
