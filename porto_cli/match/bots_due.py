"""Whether it is the turn of a bot, which it is only in a record that was stopped or edited, and
what is said of bots to people.
"""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import FILE
from porto_cli.match.bots import titled
from porto_cli.match.command_lines import path_of
from porto_cli.match.replay import Replay


def due(replay: Replay) -> int | None:
    """Return the seat of a bot that can move now; ``None`` if there is none.

    A bot makes a secret choice as soon as it can, whoever's turn it is.
    """
    bots, game, state = replay.record.bots, replay.game, replay.state
    if bots is None:
        return None
    able = (*game.secret_movers(state), *game.to_move(state))
    return next((seat for seat in able if seat in bots.seats), None)


def turn_of_a_bot(replay: Replay, file: str | None = None) -> list[Sentence]:
    """Say that it is the turn of a bot, and what lets it move; nothing if people are to move.

    ``file`` is how commands call the record, if not as it was read.
    """
    bots = replay.record.bots
    waiting = [seat for seat in replay.game.to_move(replay.state) if bots and seat in bots.seats]
    if bots is None or not waiting:
        return []
    player = replay.config.players[waiting[0]]
    path = path_of(replay, file)
    told = "It is the turn of {player}, who moves by itself, with the next move or with: {command}"
    if path == FILE:
        told = "It is the turn of {player}, who moves by itself before the next move."
    return [
        say(
            told,
            player=titled(player, bots.seats[waiting[0]]),
            command=f"porto play {path}",
        )
    ]


def who_are_bots(replay: Replay) -> list[Sentence]:
    """Say which players are bots; nothing if none are."""
    bots = replay.record.bots
    if bots is None:
        return []
    held = [str(titled(*one)) for one in bots.by_player(replay.config.players).items()]
    return [say("Played by the program: {bots}.", bots=", ".join(held))]
