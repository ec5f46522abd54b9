"""Commands as the user can type them: with ``--as`` for everybody else, where it is known who the
user is (see :mod:`porto_cli.settings`).
"""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.game import Move
from porto_cli.match import command_lines
from porto_cli.match.bots import is_bot
from porto_cli.match.replay import Replay
from porto_cli.settings import own_seat


def user_of(replay: Replay) -> int | None:
    """Return the seat that commands are for if they name nobody; ``None`` if nobody knows.

    Who is called like a bot does not sit there. Raises InvalidFileError, FileError.
    """
    seat = own_seat(replay.config.players)
    return None if seat is None or is_bot(replay.record.bots, seat) else seat


def player_to_name(replay: Replay, seat: int) -> str | None:
    """Return the player that a command has to name for a move of a seat, or None."""
    return command_lines.player_to_name(replay, seat, user_of(replay))


def commands(replay: Replay, moves: Iterable[Move], seat: int) -> list[str]:
    """Return the commands that make these moves of a seat; its player is named where need be."""
    game, state = replay.game, replay.state
    path = command_lines.path_of(replay)
    to_name = player_to_name(replay, seat)
    found = []
    for move in moves:
        player = replay.config.players[seat] if game.is_secret(move) else to_name
        found.append(command_lines.command(game.format_move(move, state), path, player))
    return found
