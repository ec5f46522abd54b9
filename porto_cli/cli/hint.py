"""The command that says which moves look best, and why."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from porto_cli.cli import hinting
from porto_cli.cli.common import (
    AsPlayer,
    Format,
    RecordFile,
    open_match,
    refuse,
    refuse_idle_looks,
    ui_for,
    viewer_of,
)
from porto_cli.cli.output import Color, Colors, Plain, as_plain, print_json, show_lines
from porto_cli.core import files
from porto_cli.core.command_errors import unnamed, usage
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.command_lines import path_of
from porto_cli.match.match import Match
from porto_cli.term.tell import remark, tell

LONGEST = 3600
"""Seconds that somebody may want it to think."""
PATIENT = 3
"""From so many seconds on it is said that it thinks."""
MOST = 20
"""Moves that somebody may want to see."""


def hint(
    file: RecordFile,
    player: AsPlayer = None,
    think: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Think for so long. If left out, about a second, and the same question always has "
            "the same answer.",
            show_default=False,
            max=LONGEST,
        ),
    ] = None,
    moves: Annotated[
        int, typer.Option(metavar="N", help="How many moves to show.", min=1, max=MOST)
    ] = 3,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """Say which moves look best, and why.

    For each of them: the margin over the others that can be expected at the end, the chance to
    win, how far it is behind the best one, what it scores and what it leaves, and the command that
    plays it. It knows no more than the player who asks. In a game with 'hints: told' the record
    tells who has taken a hint; in one with 'hints: none' there are none.
    """
    refuse_idle_looks(output, color, plain=plain)
    if think is not None and not think > 0:
        usage(say("--think takes a number of seconds above 0, not {seconds}.", seconds=think))
    match = open_match(file)
    coach = hinting.coach_for(match.replay)
    if coach is None:
        usage(hinting.no_coach(match.game.meta.title))
    refused = hinting.refusal(match.replay)
    if refused:
        refuse(refused)
    seat = _who_asks(match, player)
    cannot = hinting.cannot_choose(match.replay, seat)
    if cannot:
        refuse(cannot)
    if think is not None and think >= PATIENT and sys.stderr.isatty():
        remark(say("Thinking for {seconds:g} seconds; Ctrl-C ends it.", seconds=think))
    found = hinting.think(match.replay, seat, coach, count=moves, seconds=think)
    if not found.moves:
        refuse(hinting.unknown(found))
    noted = hinting.note(match, seat)
    to_stdout = str(match.path) == STANDARD and bool(match.record.hints)
    _save(match, found.player, noted=noted, to_stdout=to_stdout)
    _tell(match, found, output, color, plain=plain, noted=noted, to_stdout=to_stdout)
    if found.is_interrupted:
        raise typer.Exit(INTERRUPTED)


def _who_asks(match: Match, name: str | None) -> int:
    """Return the seat of who asks. Where people have secrets from each other that has to be said
    (exit code 2).
    """
    seat = viewer_of(match.replay, name)
    if seat is not None:
        return seat
    mover: int = match.state.seat
    if len(match.people) == 1:
        return match.people[0]
    secrets = ui_for(match).secrets
    if secrets is not None and secrets.there_are(match.state):
        path = path_of(match.replay)
        unnamed(
            say("A hint looks at what only its player may see, so say who you are."),
            suggestions=[f"porto hint {path} {option('--as', each)}" for each in match.to_move()],
        )
    return mover


def _save(match: Match, player: str, *, noted: bool, to_stdout: bool) -> None:
    """Write the record before anything of the hint is told. Raises FileError."""
    if to_stdout:
        match.read_back()
        sys.stdout.write(match.record.text)
    elif noted:
        notices = match.save()
        files.note(_it_is_told(player))
        remark(*notices)


def _it_is_told(player: str) -> Sentence:
    return say("The record tells that {player} has taken a hint.", player=player)


def _tell(
    match: Match,
    found: hinting.Hint,
    output: Format,
    color: Colors,
    *,
    plain: bool,
    noted: bool,
    to_stdout: bool,
) -> None:
    if output is Format.json:
        from porto_cli.core.documents import document

        print_json(
            document(
                game=match.game.meta.id,
                **hinting.as_json(found),
                noted=noted,
                fingerprint=match.fingerprint,
                digest=match.digest,
            ),
            sys.stderr if to_stdout else sys.stdout,
        )
        return
    last = []
    if noted:
        last.append(_it_is_told(found.player))
    if to_stdout or as_plain(plain, color):
        stream = sys.stderr if to_stdout else sys.stdout
        tell(*hinting.sentences_of(found, with_commands=True), *last, stream=stream)
        return
    show_lines(
        lambda screen: hinting.lines_of(found, screen.width - 1, with_commands=True), last, color
    )
