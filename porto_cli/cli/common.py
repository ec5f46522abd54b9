"""What several commands share: their parameters, opening a record, saying what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from porto_cli import api, record
from porto_cli.cli import complete
from porto_cli.cli.failure import RefusedError, WrongUsageError
from porto_cli.errors import FileError
from porto_cli.files import STANDARD
from porto_cli.replay import Replay
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
    """Return the game of a record; its fingerprint has to be ``expect`` if that is given.

    Raises InvalidFileError, FileError.
    """
    match = api.load(find_record(path))
    if expect and match.fingerprint != expect.lower():
        raise FileError(
            say(
                "{file} has the fingerprint {fingerprint}, not {expected}: it is not the version "
                "that you expect.",
                file=match.record.file,
                fingerprint=match.fingerprint,
                expected=expect,
            )
        )
    return match


def open_game(path: Path) -> Replay:
    """Return the replay of a record. Raises InvalidFileError, FileError."""
    return open_match(path).replay


def find_record(path: Path) -> Path:
    """Return the record that a typed name stands for; says so if that has another name.

    A name that nothing is found for is returned as it is. Raises FileError if there is a record
    that is called much the same.
    """
    if str(path) == STANDARD or os.path.isfile(path):
        return path
    from porto_cli.record_files import meant, records_of

    found = meant(path)
    if found != path:
        line = say("There is no file {file}; {found} is used.", file=path, found=found)
        print(line, file=sys.stderr)
    elif not os.path.exists(path):
        from difflib import get_close_matches

        names = [other.name for other in records_of(path.parent)]
        close = get_close_matches(path.name, names, n=1, cutoff=0.75)
        if close:
            raise FileError(
                say(
                    "There is no file {file}; did you mean {close}?",
                    file=path,
                    close=path.with_name(close[0]),
                )
            )
    return found


def seat_of(game: Replay, name: str) -> int:
    """Return the seat of a player by the name or its beginning; exits with 2 if nobody is meant,
    or more than one.
    """
    players = game.record.game.players
    seats = record.seats_of(players, name)
    if len(seats) == 1:
        return seats[0]
    if seats:
        usage(could_be(name, [players[seat] for seat in seats]))
    usage(
        say(
            "Nobody is called {name!r} in this game; the players are {players}.",
            name=name,
            players=", ".join(players),
        )
    )


def could_be(name: str, players: Iterable[str]) -> Sentence:
    """Say that more than one player can be meant."""
    return say(
        "{name!r} could be one of {players}; write more of it.",
        name=name,
        players=", ".join(players),
    )


def is_given(ctx: typer.Context, *parameters: str) -> bool:
    """Tell whether one of these parameters was typed, even with the value that it has anyway."""
    sources = (ctx.get_parameter_source(name) for name in parameters)
    return any(source is not None and source.name == "COMMANDLINE" for source in sources)


def usage(*sentences: Sentence, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 2: the command was called wrongly.

    ``suggestions`` are whole commands that would be right.
    """
    raise WrongUsageError(sentences, tuple(suggestions))


def refuse(*sentences: object, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 1: refused by the rules, or a check failed.

    ``suggestions`` are whole commands that would be legal.
    """
    raise RefusedError(sentences, tuple(suggestions))
