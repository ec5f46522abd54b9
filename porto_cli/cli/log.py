"""The command that tells the story of a game."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from porto_cli.cli.common import RecordFile, open_game, refuse_idle_looks, ui_for
from porto_cli.cli.output import Color, Colors, Output, show_lines, write, write_json


class LogFormat(StrEnum):
    """How the story is told."""

    text = "text"
    json = "json"
    html = "html"


def log(
    file: RecordFile,
    output: Annotated[
        LogFormat,
        typer.Option(
            "--format", help="Text, JSON for programs, or a page to step through the game."
        ),
    ] = LogFormat.text,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Tell the story of the game, turn by turn, with where each VP came from.

    Turns that were taken back are part of it. Which private contracts somebody has kept is told
    when the game is over.
    """
    refuse_idle_looks(output, color)
    game = open_game(file)
    ui = ui_for(game)
    if output is LogFormat.html:
        write(ui.log_html(game), to)
    elif output is LogFormat.json:
        write_json(ui.log_json(game), to)
    else:
        last = ui.what_next(game)
        show_lines(lambda screen: ui.log_text(game, screen.width - 1), last, color, to)
