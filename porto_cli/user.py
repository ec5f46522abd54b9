"""Who the user is, and the user's settings: by ``PORTO_PLAYER`` and ``config.yaml``; and so which
player of a game a command is about: whose eyes look, whose move it is, who types it.

Every command asks for them, and most users have none, so the module that reads the file
(:mod:`porto_cli.settings`) is loaded only if there is one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.home import SETTINGS, folder, has
from porto_cli.match import find_seat, is_called
from porto_cli.match.replay import who_sits

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.match.replay import Replay
    from porto_cli.settings import Settings

LEFT = -1
"""The seat of a user who has left theirs: everything that this user does is done for others."""
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
    found = [(seat, name) for name in names if (seat := find_seat(players, name)) is not None]
    whole = [seat for seat, name in found if is_called(players[seat], name)]
    return next(iter([*whole, *(seat for seat, _ in found)]), None)


# -- Who is meant in a game: the player who types, looks, or moves


def seat_of_user(replay: Replay) -> int | None:
    """Return the seat that the user plays now; ``None`` if there is none, or the user is unknown.

    A user who merely has the name of a bot does not play its seat. Raises InvalidFileError,
    FileError.
    """
    seat = own_seat(replay.holders, replay.players)
    return None if seat in replay.bot_seats else seat


def seat_user_left(replay: Replay) -> int | None:
    """Return the seat that the user has left, to somebody else or to nobody; ``None`` if there is
    none. Raises InvalidFileError, FileError.
    """
    if not replay.has_sittings or seat_of_user(replay) in replay.people:
        return None
    players = replay.config.players
    seat = own_seat(players)
    return seat if seat is not None and players[seat] in who_sits(replay) else None


def who_types(replay: Replay) -> int | None:
    """Return the user who types the commands, as :func:`what_next` takes it: their seat, ``LEFT``
    if they have left it, or ``None`` if they are unknown.
    """
    return seat_of_user(replay) if seat_user_left(replay) is None else LEFT


def whose_eyes(replay: Replay, named: str | None) -> int | None:
    """Return the seat of the player who looks: that of ``--as``, or by default of the user, whom
    'porto me' or ``PORTO_PLAYER`` names; ``None`` for a bystander.

    Raises UnknownNameError, InvalidMoveError; InvalidFileError, FileError for settings that
    cannot be read.
    """
    return seat_of_user(replay) if named is None else replay.seat_played_by(named)


def whose_move(match: Match, named: str | None) -> int | None:
    """Return the seat of the player who moves, now or ahead: that of ``--as``, or by default the
    only one here, or else the user's; ``None`` if it is unknown. Raises as :func:`whose_eyes`.
    """
    alone = only_seat(match) if named is None else None
    return whose_eyes(match, named) if alone is None else alone


def only_seat(match: Match) -> int | None:
    """Return the only seat that can move here: that of the only person in the game, or in a sealed
    game of the owner of the key on this computer.
    """
    seats = match.people if len(match.people) == 1 else match.own_seats()
    return seats[0] if len(seats) == 1 else None
