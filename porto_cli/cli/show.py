"""The command that shows the table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from porto_cli.cli.common import AsPlayer, RecordFile, open_game, refuse_idle_looks, seat_of, usage
from porto_cli.cli.output import Color, Colors, Output, Plain, show_lines, write, write_json
from porto_cli.core.message import say
from porto_cli.games.porto.table import Table, table
from porto_cli.games.porto.ui.next_step import what_next
from porto_cli.match.replay import Replay, after_turn


class TableFormat(StrEnum):
    """How the table is shown."""

    text = "text"
    json = "json"
    svg = "svg"
    html = "html"


def show(
    file: RecordFile,
    player: AsPlayer = None,
    turn: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The table as it was after so many turns, 0 being the setup.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        TableFormat, typer.Option("--format", help="Text, JSON for programs, or a picture.")
    ] = TableFormat.text,
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Show the table: houses, cards, contracts, scores and hands.

    Hands are public. Private contracts are shown to the player who asks with --as, and to all
    when the game is over. While it goes on they say what they bring now, what they can still
    bring, and which houses are open for that. ● marks the contracts that can be met this turn, ○
    those that could still be met later, × those that no house can meet any more; ┋ is what the
    last turn built.
    """
    refuse_idle_looks(output, color, plain=plain)
    if plain and color == Colors.always:
        usage(say("Plain sentences have no colors; leave out --plain or --color."))
    game = open_game(file)
    seat = None if player is None else seat_of(game, player)
    then = game if turn is None else _at(game, turn)
    view = table(then, seat)
    if output is TableFormat.text:
        last = [] if turn is not None else what_next(game).splitlines()
        _show_text(view, last, plain, color, to)
    else:
        _show_otherwise(view, then, seat, output, to)


def _at(replay: Replay, turn: int) -> Replay:
    """Return the game after so many turns; exits with 2 if there are not so many."""
    try:
        return after_turn(replay, turn)
    except ValueError:
        usage(
            say(
                "There is no turn {turn}: {count} turns are over, so --turn takes a number from 0 "
                "to {count}.",
                turn=turn,
                count=replay.state.turn,
            )
        )


def _show_text(view: Table, last: list[str], plain: bool, color: str, to: Path | None) -> None:
    if plain:
        from porto_cli.games.porto.ui.plain import plain as sentences

        write("\n".join([*sentences(view), *last]), to)
        return
    from porto_cli.games.porto.ui.table_text import text

    show_lines(lambda screen: text(view, screen), last, color, to)


def _show_otherwise(
    view: Table, replay: Replay, seat: int | None, output: TableFormat, to: Path | None
) -> None:
    from porto_cli.games.porto.ui.scoring import standings

    result = standings(replay, seat)
    if output is TableFormat.json:
        from porto_cli.games.porto.ui.json import table_json

        write_json(table_json(view, result), to)
    elif output is TableFormat.svg:
        from porto_cli.games.porto.ui.svg import svg

        write(svg(view, result), to)
    else:
        from porto_cli.games.porto.ui.html import html

        write(html(view, result), to)
