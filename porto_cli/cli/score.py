"""The command that tells who is ahead, and at the end why."""

from __future__ import annotations

from typing import Annotated

import typer

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
from porto_cli.cli.output import Color, Colors, Plain, as_plain, show_lines, write_json
from porto_cli.game import OVER


def score(
    file: RecordFile,
    player: AsPlayer = None,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """Tell who is ahead and where the VP came from."""
    refuse_idle_looks(output, color, plain=plain)
    game = open_game(file)
    ui = ui_for(game)
    seat = viewer_of(game, player)
    if seat is not None:
        game = game.known_to(seat)
    if output is Format.json:
        write_json(ui.score_json(game, seat))
        return
    plain = as_plain(plain, color)
    last = [] if game.state.phase == OVER else what_next(game)
    show_lines(lambda screen: ui.score_text(game, seat, screen.width - 1, plain=plain), last, color)
