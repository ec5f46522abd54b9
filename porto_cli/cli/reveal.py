"""The command that ends a sealed game, or goes on with it when somebody has vanished."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import AsPlayer, RecordFile, open_match, seat_of, what_next
from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.match.command_lines import path_of
from porto_cli.match.match import Match
from porto_cli.match.record import SEALED
from porto_cli.term.tell import remark, tell


def reveal(
    file: RecordFile,
    player: AsPlayer = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="NAME",
            help="Go on without a player who has vanished; can be repeated.",
            show_default=False,
            autocompletion=complete.players,
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")
    ] = False,
) -> None:
    """Reveal what you kept, at the end of a sealed game.

    Whoever makes the last turn reveals with it; all others do with this command, in any order, each
    on the own computer. When everybody has, the whole game is checked and scored.

    With --without you say that somebody has vanished. When all who stay have said so, the game goes
    on without that player: the turns are left out, and what was kept counts nothing. If you name
    all others, you go on alone at once. porto-sealed(7) tells who leaves by what was said.
    """
    match = open_match(file)
    if match.record.secrecy != SEALED:
        usage(
            say("{file} is no sealed game; nothing in it has to be revealed.", file=file),
            suggestions=[f"porto show {path_of(match.replay)}"],
        )
    seats = _own_seats(match, player)
    gone = [seat_of(match.replay, name) for name in without or ()]
    told: list[Sentence] = []
    fault: Sentence | None = None
    for seat in match.give_up(*gone, player=seats) if gone else ():
        told.append(
            say(
                "{player} goes on without {gone}, as far as the others agree.",
                player=match.players[seat],
                gone=", ".join(match.players[one] for one in gone),
            )
        )
    for seat in seats:
        why = match.cannot_reveal(seat)
        if why is None:
            match.reveal(seat)
            told.append(say("{player} reveals all that was hidden.", player=match.players[seat]))
        fault = fault or why
    if not told:
        refuse(fault or say("There is nothing to reveal."), *what_next(match))
    to_stdout = str(match.path) == STANDARD
    if to_stdout:
        match.read_back()
        sys.stdout.write(match.record.text)
    else:
        remark(*match.save(), *match.notices)
    if not quiet:
        fingerprint = say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint)
        tell(
            *told,
            *what_next(match),
            fingerprint,
            stream=sys.stderr if to_stdout else sys.stdout,
        )


def _own_seats(match: Match, player: str | None) -> list[int]:
    """Return whose secrets are revealed: who is named, else who has the key of this computer."""
    if player is not None:
        return [seat_of(match.replay, player)]
    seats = match.own_seats()
    if not seats:
        refuse(
            say(
                "The key on this computer is that of none of the players ({players}); each reveals "
                "on the own computer.",
                players=", ".join(match.players),
            )
        )
    return seats
