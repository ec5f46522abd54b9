"""Commands that make moves in a record, ready to be copied to a shell."""

from __future__ import annotations

from porto_cli.core.quoting import FILE, file_word, option, quoted
from porto_cli.match.replay import Replay

STANDARD_INPUT = "standard input"


def path_of(replay: Replay, file: str | None = None) -> str:
    """Return how commands call the record: as it was read, if not said otherwise."""
    return word_of(replay.record.file if file is None else file)


def word_of(name: str) -> str:
    """Return how commands call a file that was read."""
    return FILE if name == STANDARD_INPUT else file_word(name)


def command(move: str, path: str, player: str | None = None) -> str:
    """Return the command that makes a move in the notation, of a player if that has to be said."""
    verb, *rest = move.split()
    said = [option("--as", player)] if player is not None else []
    return " ".join(["porto", verb, path, *map(quoted, rest), *said])


def player_to_name(replay: Replay, seat: int, user: int | None) -> str | None:
    """Return the player that a command has to name for a move of a seat, or None.

    Only who is to move need not be named, and only if the ``user`` who types the command is not
    known to be another player.
    """
    named = seat != replay.state.seat or user not in (None, seat)
    return replay.config.players[seat] if named else None
