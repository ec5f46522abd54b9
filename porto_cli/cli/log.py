"""The command that tells the story of a game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from porto_cli.cli.common import (
    AsPlayer,
    RecordFile,
    Samples,
    open_game,
    refuse_idle_looks,
    ui_for,
    viewer_of,
    what_next,
)
from porto_cli.cli.output import Color, Colors, Output, show_lines, write_json, write_page
from porto_cli.core.command_errors import usage
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.command_lines import path_of
from porto_cli.match.replay import Replay
from porto_cli.match.since import place_after_last_turn, place_after_turn
from porto_cli.term.spans import wrapped

if TYPE_CHECKING:
    from porto_cli.term.spans import Line
    from porto_cli.ui import Ui

_LAST = "last"


class LogFormat(StrEnum):
    """How the story is told."""

    text = "text"
    json = "json"
    html = "html"


def log(
    file: RecordFile,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TURN",
            help="Only what happened after so many turns, or with 'last' after your own last turn.",
            show_default=False,
            autocompletion=lambda: [_LAST],
        ),
    ] = None,
    player: AsPlayer = None,
    analyze: Annotated[
        bool,
        typer.Option(
            "--analyze",
            help="On the page: each turn judged, as by 'porto analyze', and the chances to win.",
        ),
    ] = False,
    samples: Samples = None,
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

    Turns that were taken back are part of it. With --since last it begins after the last turn of
    the player whom --as names, or who 'porto me' says you are; if neither says it, of the player
    who is to move. A page has the whole game and opens there. With --analyze it has what 'porto
    analyze' says; of a running game that is what lies open, and with --as what that player knows.
    What only the player to move of a sealed game has seen come up is in no page and no file.
    """
    refuse_idle_looks(output, color)
    if analyze and output is not LogFormat.html:
        usage(
            say("--analyze is for --format html; the analysis as text comes from 'porto analyze'.")
        )
    if samples is not None and not analyze:
        usage(say("--samples is for --analyze: without an analysis nothing is played on."))
    game = open_game(file)
    if player is not None and not analyze and (since is None or since.lower() != _LAST):
        usage(say("--as says whose last turn is meant, so that it needs --since last."))
    if to is not None or output is LogFormat.html:
        # What is made to be kept is passed on.
        game = game.known_to(None)
    elif player is not None:
        game = game.known_to(viewer_of(game, player))
    ui = ui_for(game)
    start = None if since is None else _start(game, since, player)
    place = start.place if start else 0
    if analyze:
        _write_analyzed(game, place, player, samples, to)
    elif output is LogFormat.html:
        write_page(ui.log_html(game, place), to)
    elif output is LogFormat.json:
        story = ui.log_json(game, place)
        write_json(story | {"since": start.json} if start else story, to)
    elif start:
        told = start
        last = what_next(game)
        show_lines(lambda screen: told.text(ui, game, screen.width - 1), last, color, to)
    else:
        last = what_next(game)
        show_lines(lambda screen: ui.log_text(game, screen.width - 1), last, color, to)


def _write_analyzed(
    game: Replay, place: int, player: str | None, samples: int | None, to: Path | None
) -> None:
    """Write the page with an analysis, as much of it as there is when Ctrl-C is pressed."""
    from porto_cli.cli.analyze import analyzed

    # A page is passed on: who the settings say the user is makes no difference to it.
    looker = None if player is None else viewer_of(game, player)
    game = game.known_to(looker)
    analysis = analyzed(game, looker, samples)
    write_page(ui_for(game).log_html(game, place, analysis), to)
    if analysis.is_partial:
        raise typer.Exit(INTERRUPTED)


class _Start(NamedTuple):
    """Where the story begins: behind how many steps and turns, and whose last turn that was."""

    place: int
    turn: int
    player: str | None
    is_next: bool
    """Nobody was named; it is the player who is to move."""
    is_empty: bool
    """Nothing has happened since."""

    @property
    def json(self) -> dict[str, object]:
        """The same for documents."""
        return {"player": self.player, "turn": self.turn}

    def text(self, ui: Ui, game: Replay, width: int) -> list[Line]:
        """Tell the story from there on, and say where that is."""
        return [*wrapped(str(self._heading()), width), *ui.log_text(game, width, self.place)]

    def _heading(self) -> Sentence:
        if self.player is None:
            if self.is_empty:
                return say("Nothing has happened after turn {turn}.", turn=self.turn)
            if not self.turn:
                return say("What happened after the setup:")
            return say("What happened after turn {turn}:", turn=self.turn)
        if not self.place:
            if self.is_empty:
                return say("Nothing has happened yet.")
            return say("{player} has not moved yet. What happened so far:", player=self.player)
        if self.is_empty:
            return say("Nothing has happened since the last turn of {player}.", player=self.player)
        if self.is_next:
            return say(
                "What happened since the last turn of {player}, who is to move:",
                player=self.player,
            )
        return say("What happened since the last turn of {player}:", player=self.player)


def _start(game: Replay, since: str, player: str | None) -> _Start:
    """Return where the story begins; exits with 2 if that is nowhere, or nobody's last turn."""
    steps = game.steps
    if since.lower() != _LAST:
        try:
            # What is no number of a turn is none that there was.
            number = int(since) if since.isascii() and since.isdigit() else -1
            place = place_after_turn(game, number)
        except ValueError:
            usage(
                say(
                    "There is no turn {turn}; --since takes the number of turns that are over, "
                    "from 0 to {count}, or 'last'.",
                    turn=since,
                    count=game.state.turn,
                )
            )
        return _Start(place, number, None, False, place == len(steps))
    seat = viewer_of(game, player)
    waiting = game.game.to_move(game.state)
    if seat is None and len(waiting) != 1:
        path = path_of(game)
        usage(
            say("Whose last turn is meant? Say it with --as."),
            suggestions=[
                f"porto log {path} --since last {option('--as', name)}"
                for name in game.config.players
            ],
        )
    known = waiting[0] if seat is None else seat
    place = place_after_last_turn(game, known)
    turn = steps[place - 1].after.turn if place else 0
    name = game.config.players[known]
    return _Start(place, turn, name, seat is None, place == len(steps))
