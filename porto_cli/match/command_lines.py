"""Commands that make moves in a record, ready to be copied to a shell."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.quoting import FILE, file_word, option, quoted
from porto_cli.game import Move
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


def commands(replay: Replay, moves: Iterable[Move], seat: int) -> list[str]:
    """Return the commands that make these moves of a seat; its player is named where need be."""
    game, state = replay.game, replay.state
    found = []
    for move in moves:
        named = seat != state.seat or game.is_secret(move)
        player = replay.record.config.players[seat] if named else None
        found.append(command(game.format_move(move, state), path_of(replay), player))
    return found
