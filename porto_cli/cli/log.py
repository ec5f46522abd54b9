"""The command that tells the story of a game."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from porto_cli.cli.common import RecordFile, open_game, refuse_idle_looks
from porto_cli.cli.output import Color, Colors, Output, show_lines, write, write_json
from porto_cli.games.porto.history import story
from porto_cli.games.porto.ui.next_step import what_next
from porto_cli.games.porto.ui.scoring import standings


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
    if output is LogFormat.html:
        from porto_cli.games.porto.ui.log_html import log_html

        write(log_html(game), to)
        return
    turns, result = story(game), standings(game)
    if output is LogFormat.json:
        from porto_cli.games.porto.ui.json import story_json

        write_json(story_json(game.record.title, turns, result), to)
        return
    from porto_cli.games.porto.ui.log_text import log_text

    last = what_next(game).splitlines()
    show_lines(lambda screen: log_text(turns, result, screen.width - 1), last, color, to)
