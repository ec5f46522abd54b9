"""The command that lists the legal moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from porto_cli.cli import game_options
from porto_cli.cli.common import (
    AsPlayer,
    Format,
    RecordFile,
    open_game,
    refuse_idle_looks,
    ui_for,
    viewer_of,
    what_next,
)
from porto_cli.cli.game_options import parameter, typed_options
from porto_cli.cli.output import Color, Colors, show_lines, write_json
from porto_cli.commands import commands_of
from porto_cli.core.message import Sentence, say
from porto_cli.game import OVER
from porto_cli.match.replay import Replay
from porto_cli.user_commands import commands

if TYPE_CHECKING:
    from porto_cli.game_ui import MoveList

_Output = Annotated[Format, typer.Option("--format", help="Text, or JSON for programs.")]

_HELP = """List every legal move, and what it would bring.

With --as, the moves of that player.
"""


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of the command, with the options of these games."""
    of_games = {game: commands_of(game).moves for game in games}

    def moves(
        ctx: typer.Context,
        file: RecordFile,
        player: AsPlayer,
        output: Format,
        color: Colors,
        **options: Any,
    ) -> None:
        refuse_idle_looks(output, color)
        replay = open_game(file)
        seat = viewer_of(replay, player)
        if seat is not None:
            replay = replay.known_to(seat)
        typed = typed_options(ctx, replay.game.meta.id, of_games)
        found = ui_for(replay).moves(replay, seat, typed)
        if output is Format.json:
            write_json(found.json())
            return
        last = _ending(replay, found, seat)
        show_lines(lambda screen: found.text(screen.width - 1), last, color)

    moves.__doc__ = _HELP
    moves.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            parameter("ctx", typer.Context),
            parameter("file", RecordFile),
            parameter("player", AsPlayer, None),
            *game_options.options(of_games),
            parameter("output", _Output, Format.text),
            parameter("color", Color, Colors.auto),
        ]
    )
    return moves


def _ending(replay: Replay, found: MoveList, seat: int | None) -> list[Sentence]:
    """Say how a move is played, or why there is none."""
    game, state = replay.game, replay.state
    mover = state.seat if seat is None else seat
    count = 0 if state.phase == OVER else game.count_moves(state, mover)
    if not count and seat is not None and state.phase != OVER:
        name = replay.config.players[seat]
        return [say("{player} cannot move now.", player=name), *what_next(replay)]
    if not count:
        return what_next(replay)
    if found.first is None:
        return [say("None of the {count} legal moves is like that.", count=count)]
    example = game.parse_move(found.first, state, mover)
    return [
        say(
            "{shown} of {count} legal moves. The first one is played with: {command}",
            shown=found.shown,
            count=count,
            command=commands(replay, [example], mover)[0],
        )
    ]
