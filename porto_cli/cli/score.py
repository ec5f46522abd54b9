"""The command that tells who is ahead, and at the end why."""

from __future__ import annotations

from typing import Annotated

import typer

from porto_cli.cli.common import AsPlayer, Format, RecordFile, open_game, refuse_idle_looks, seat_of
from porto_cli.cli.output import Color, Colors, Plain, show_lines, write_json
from porto_cli.games.porto.history import story
from porto_cli.games.porto.ui.next_step import what_next
from porto_cli.games.porto.ui.scoring import standings


def score(
    file: RecordFile,
    player: AsPlayer = None,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """Tell who is ahead and where the VP came from.

    When the game is over the private contracts are reckoned house by house: what counted, which
    house was missing for more, and what decided a tie. With --as, a player sees what the own
    private contracts are worth as the table stands.
    """
    refuse_idle_looks(output, color, plain=plain)
    game = open_game(file)
    result = standings(game, None if player is None else seat_of(game, player))
    if output is Format.json:
        from porto_cli.games.porto.ui.json import standings_json

        write_json(standings_json(result, story(game)))
        return
    from porto_cli.games.porto.ui.score_text import score_text

    last = [] if result.over else what_next(game).splitlines()
    show_lines(lambda screen: score_text(result, screen.width - 1, plain=plain), last, color)
