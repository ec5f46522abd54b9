"""The command that shows the table."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from porto_cli.cli.common import (
    AsPlayer,
    RecordFile,
    open_game,
    refuse_idle_looks,
    ui_for,
    viewer_of,
    what_next,
)
from porto_cli.cli.output import (
    Color,
    Colors,
    Output,
    Plain,
    as_plain,
    show_lines,
    write,
    write_json,
    write_page,
)
from porto_cli.core.command_errors import usage
from porto_cli.core.message import say
from porto_cli.match.bots_due import who_are_bots
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.replay import Replay, after_turn
from porto_cli.term.tell import remark


class TableFormat(StrEnum):
    """How the table is shown."""

    text = "text"
    json = "json"
    svg = "svg"
    html = "html"


_PASSED_ON = (TableFormat.svg, TableFormat.html)
"""What is often made for others. Text and data are for whoever is at the keyboard."""


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
    """Show the table.

    What players keep secret is shown to the player who asks with --as, and to all when the game
    is over. In a sealed game the player to move sees before all others what came up; that is not in
    a file, a page or a picture unless --as says whom it is for.
    """
    refuse_idle_looks(output, color, plain=plain)
    if plain and color == Colors.always:
        usage(say("Plain sentences have no colors; leave out --plain or --color."))
    try:
        now = open_game(file)
    except NotReadyError as error:
        if output is not TableFormat.text:
            raise
        from porto_cli.cli.sealing import terms, warnings

        record = error.record
        agreed = [*terms(record), *warnings(record)] if record else []
        write("\n".join(map(str, [error, *agreed])), to)
        return
    ui = ui_for(now)
    seat = viewer_of(now, player)
    if player is None and (to is not None or output in _PASSED_ON):
        # What nobody has asked for as a certain player is often made for others.
        now = now.known_to(None)
    elif seat is not None:
        now = now.known_to(seat)
    then = _at(now, turn)
    if output is TableFormat.json:
        write_json(_with_bots(ui.table_json(then, seat), now), to)
    elif output in _PASSED_ON:
        draw = ui.table_svg if output is TableFormat.svg else ui.table_html
        picture = draw(then, seat)
        write_page(picture, to)
        if player is None and seat is not None and picture != draw(then, None):
            _say_whose_it_is(now, seat)
    else:
        last = [] if turn is not None else [*who_are_bots(now), *what_next(now)]
        if as_plain(plain, color):
            write("\n".join(map(str, [*ui.table_sentences(then, seat), *last])), to)
        else:
            show_lines(lambda screen: ui.table_text(then, seat, screen), last, color, to)


def _with_bots(table: dict[str, object], replay: Replay) -> dict[str, object]:
    """Return a table as a document, with its bots if there are any."""
    bots = replay.record.bots
    return table if bots is None else table | {"bots": bots.by_player(replay.config.players)}


def _say_whose_it_is(replay: Replay, seat: int) -> None:
    """A picture is often made for others, and nobody has typed whose secrets it shows."""
    from porto_cli.settings import PLAYER, me

    remark(
        say(
            "It shows what only {player} may see, because {source} says who you are. For one that "
            "all may see, leave {variable} empty: {variable}= porto show …",
            player=replay.config.players[seat],
            source=me().source,
            variable=PLAYER,
        )
    )


def _at(replay: Replay, turn: int | None) -> Replay:
    """Return the game after so many turns, as it stands if none is given; exits with 2 if there are
    not so many.
    """
    if turn is None:
        return replay
    try:
        return after_turn(replay, turn)
    except ValueError:
        usage(
            say(
                "There is no turn {turn}; --turn takes the number of turns that are over, from 0 "
                "to {count}.",
                turn=turn,
                count=replay.state.turn,
            )
        )
