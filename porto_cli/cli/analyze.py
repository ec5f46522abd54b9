"""The command that judges every move of a game."""

from __future__ import annotations

import gc
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli.batch import Workers, interruptible, processes_for, progress, workers
from porto_cli.cli.common import (
    AsPlayer,
    Format,
    RecordFile,
    Samples,
    open_game,
    refuse_idle_looks,
    viewer_of,
)
from porto_cli.cli.output import (
    Color,
    Colors,
    Output,
    Plain,
    as_plain,
    show_lines,
    write_json,
)
from porto_cli.core.command_errors import refuse
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import say
from porto_cli.game import GAMES, OVER
from porto_cli.match.record import HINTS_NONE

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay
    from porto_cli.players.analysis import Analysis
    from porto_cli.term.screen import Screen
    from porto_cli.term.spans import Line


def analyze(
    file: RecordFile,
    player: AsPlayer = None,
    every_move: Annotated[
        bool, typer.Option("--all", help="Tell all moves, not only the dearest.")
    ] = False,
    samples: Samples = None,
    workers: Workers = None,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Judge every move of a game: what it lost against the best one, and which one that was.

    A move is judged as before it was made, by what its player could see: what came up afterwards
    is luck, and is told apart. Moves that leave no choice are not judged. While a game runs, only
    your own turns are judged by what you alone know; those of the others are judged by what lies
    open, and what they chose in secret is left out.
    """
    refuse_idle_looks(output, color, plain=plain)
    game = open_game(file)
    analysis = analyzed(game, viewer_of(game, player), samples, workers)
    if output is Format.json:
        from porto_cli.players.analysis_json import analysis_json

        write_json(analysis_json(analysis, game.game.meta.id), to)
    else:
        from porto_cli.players.analysis_text import analysis_text

        in_words = as_plain(plain, color)

        def draw(screen: Screen) -> list[Line]:
            return analysis_text(
                analysis,
                screen.width - 1,
                every_move=every_move,
                plain=in_words,
                ascii_only=screen.ascii,
            )

        show_lines(draw, [], color, to)
    if analysis.is_partial:
        raise typer.Exit(INTERRUPTED)


def analyzed(
    game: Replay, looker: int | None, samples: int | None = None, processes: int | None = None
) -> Analysis:
    """Return the analysis of a game, or with Ctrl-C of as much of it as is ready.

    ``looker`` is whose secrets may be told while the game runs. Exits with 1 for a game whose moves
    nobody judges, and while it runs for one in which there are no hints.
    """
    from porto_cli.players.analysis import SAMPLES, NoCoachError, analysis_of, answers, questions

    if game.record.hints == HINTS_NONE and game.state.phase != OVER:
        refuse(
            say(
                "In this game there are no hints, as was agreed when it was set up; it can be "
                "analyzed when it is over."
            )
        )
    # Off for commands that are over before it would be of use.
    gc.enable()
    samples = samples or SAMPLES
    try:
        course = questions(game, looker)
    except NoCoachError:
        refuse(
            say(
                "The program cannot judge moves of {game} yet, so it cannot analyze them.",
                game=GAMES[game.game.meta.id].title,
            )
        )
    asked = course.questions
    given = []
    with (
        suppress(KeyboardInterrupt),
        workers(processes_for(processes, len(asked))) as executor,
        progress(len(asked)) as step,
        closing(answers(asked, samples=samples, executor=executor)) as results,
        interruptible(results) as found,
    ):
        for one in found:
            given.append(one)
            step(len(given))
    return analysis_of(course, given, samples)
