"""Who the user is, and what the user has set: by ``PORTO_PLAYER`` and by ``config.yaml``.

Every command asks for it, and most users have set nothing: what reads the file
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
    """Return what the user has set; ``None`` if there is no file with settings.

    Raises InvalidFileError for a file with invalid contents, FileError for one that cannot be
    read.
    """
    if not has(SETTINGS):
        return None
    from porto_cli.settings import settings

    return settings()


class Me(NamedTuple):
    """Who the user is.

    ``names``   the names at the tables, the usual one first; none if the user is unknown
    ``source``  where that is set: ``PORTO_PLAYER``, or the path of the file; empty if nowhere
    """

    names: tuple[str, ...] = ()
    source: str = ""


def me() -> Me:
    """Return who the user is: by ``PORTO_PLAYER``, else by ``config.yaml``.

    If ``PORTO_PLAYER`` is empty, no user is assumed. Raises InvalidFileError, FileError.
    """
    named = os.environ.get(PLAYER)
    if named is not None:
        return Me((named.strip(),) if named.strip() else (), PLAYER)
    found = settings()
    return Me(found.me, str(folder() / SETTINGS)) if found and found.me else Me()


def own_seat(players: Sequence[str], once: Sequence[str] = ()) -> int | None:
    """Return the seat of the user among the players of a game; ``None`` if the user is not known,
    or does not play, or the name could mean several of them.

    Names match as ``--as`` does. Of several names one that is the full name of a player comes
    first, then the one that was set first. ``once`` are those who had the seats at the beginning:
    one of them who has left is not another player whose name begins alike. Raises InvalidFileError,
    FileError.
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
