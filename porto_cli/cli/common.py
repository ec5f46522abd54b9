"""What several commands share: their parameters, opening a record, saying what is wrong."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from porto_cli import api, record
from porto_cli.cli import complete
from porto_cli.errors import REFUSED, USAGE
from porto_cli.replay import LONG, SHORT, Replay
from porto_cli.rules.sentence import Sentence, say


class Format(StrEnum):
    """How a result is printed."""

    text = "text"
    json = "json"


RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The record; '-' is standard input.",
        show_default=False,
        autocompletion=complete.records,
    ),
]
AsPlayer = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Which player you are.",
        show_default=False,
        autocompletion=complete.players,
    ),
]


def open_match(path: Path, expect: str | None = None) -> api.Match:
    """Return the game of a record; its digest has to begin with ``expect`` if that is given.

    Raises InvalidFileError, FileError; exits with 2 if ``expect`` cannot be a fingerprint.
    """
    if expect is not None:
        _demand_digest(expect)
    match = api.load(path)
    if expect is not None and not match.digest.startswith(expect.lower()):
        from porto_cli.errors import FileError

        raise FileError(
            say(
                "{file} has the fingerprint {fingerprint}, not {expected}: it is not the version "
                "that you expect.",
                file=match.record.file,
                fingerprint=match.digest[: len(expect)],
                expected=expect.lower(),
            )
        )
    return match


def _demand_digest(expect: str) -> None:
    if not SHORT <= len(expect) <= LONG or set(expect.lower()) - set("0123456789abcdef"):
        usage(
            say(
                "{expected!r} is no fingerprint: --expect takes the {short} hexadecimal digits "
                "that commands print, or more of the {long} that 'porto verify' prints.",
                expected=expect,
                short=SHORT,
                long=LONG,
            )
        )


def open_game(path: Path) -> Replay:
    """Return the replay of a record. Raises InvalidFileError, FileError."""
    return open_match(path).replay


def seat_of(game: Replay, name: str) -> int:
    """Return the seat of a player; exits with 2 if nobody is called so."""
    seat = record.seat_of(game.record.game.players, name)
    if seat is not None:
        return seat
    usage(
        say(
            "Nobody is called {name!r} in this game; the players are {players}.",
            name=name,
            players=", ".join(game.record.game.players),
        )
    )


def usage(sentence: Sentence) -> NoReturn:
    """End with exit code 2: the command was called wrongly."""
    print(str(sentence), file=sys.stderr)
    raise typer.Exit(USAGE)


def refuse(*sentences: object) -> NoReturn:
    """End with exit code 1: refused by the rules, or a check failed."""
    for sentence in sentences:
        print(str(sentence), file=sys.stderr)
    raise typer.Exit(REFUSED)
