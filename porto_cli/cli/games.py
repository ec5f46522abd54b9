"""The command that lists the games of a folder."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from porto_cli.cli.batch import interruptible, progress, workers
from porto_cli.cli.common import Format, refuse_idle_looks
from porto_cli.cli.games_text import games_sentences, games_text
from porto_cli.cli.output import (
    Color,
    Colors,
    Plain,
    as_plain,
    show_lines,
    write,
    write_json,
)
from porto_cli.cli.survey import Found, Skipped, Tally, files_of, ordered, survey, tallies
from porto_cli.core.command_errors import usage
from porto_cli.core.documents import document
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import say
from porto_cli.settings import me
from porto_cli.term.tell import remark

_FEW = 32
"""So many files are read sooner than processes are started for them."""
_CHUNK = 8
"""Files that a process gets at a time."""
_MOST_WORKERS = 61
"""Windows waits for no more processes."""


def games(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER…",
            help="Where the records are; this folder if left out. Records can be named as well.",
            show_default=False,
        ),
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Look into the folders inside as well.")
    ] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """List the games of a folder: whose turn it is and for how long, and who has won.

    Those that wait for you come first, if 'porto me' says who you are. How long a game waits is
    told by when its file was written. At the end stand the wins and average scores of each player
    in the finished games. What players keep secret is no part of the scores before the end.

    Another version that 'porto receive' has put beside a record is told with the game. Files that
    are no records are counted; a record that is not valid is skipped, and it is said
    what is wrong with it.
    """
    refuse_idle_looks(output, color, plain=plain)
    if plain and color == Colors.always:
        usage(say("Plain sentences have no colors; leave out --plain or --color."))
    names = me().names
    files = list(dict.fromkeys(files_of(folders or [Path()], recursive=recursive)))
    found: list[Found] = []
    skipped: list[Skipped] = []
    done = others = 0
    count = min(os.cpu_count() or 1, _MOST_WORKERS) if len(files) > _FEW else 1
    with suppress(KeyboardInterrupt), workers(count) as executor, progress(len(files)) as step:
        look = partial(survey, names=names)
        results = executor.map(look, files, chunksize=_CHUNK) if executor else map(look, files)
        with interruptible(results) as looked:
            for result in looked:
                done += 1
                step(done)
                if isinstance(result, Found):
                    found.append(result)
                elif isinstance(result, Skipped):
                    skipped.append(result)
                elif result is None:
                    others += 1
    complete = done == len(files)
    if output is Format.json:
        _print_json(found, skipped, others, complete=complete)
    else:
        plain = as_plain(plain, color)
        _print_text(found, folders, color, known=bool(names), plain=plain)
        _tell_skipped(skipped, others)
    if not complete:
        remark(say("Stopped after {done} of {files} files.", done=done, files=len(files)))
        raise typer.Exit(INTERRUPTED)


def _print_text(
    found: list[Found], folders: list[Path] | None, color: str, *, known: bool, plain: bool
) -> None:
    if not found:
        if folders:
            write(
                str(say("There are no games in {folders}.", folders=", ".join(map(str, folders))))
            )
        else:
            write(str(say("There are no games in this folder.")))
        return
    listed, players, now = ordered(found), tallies(found), time.time()
    if plain:
        write("\n".join(games_sentences(listed, players, now)))
        return
    show_lines(
        lambda screen: games_text(listed, players, now, screen.width - 1, known=known), [], color
    )


def _tell_skipped(skipped: list[Skipped], others: int) -> None:
    """Say on standard error what is no part of the list, and why."""
    if skipped:
        heading = say("{count} records were skipped:", count=len(skipped))
        remark(say("1 record was skipped:") if len(skipped) == 1 else heading)
    for one in skipped:
        remark(say("  {error}", error=one.error))
    if others:
        left = say("{count} other files are no records.", count=others)
        remark(say("1 other file is no record.") if others == 1 else left)


def _print_json(found: list[Found], skipped: list[Skipped], others: int, *, complete: bool) -> None:
    write_json(
        document(
            games=[_as_dict(one) | {"changed": _date(one.changed)} for one in ordered(found)],
            players=[_as_dict(one) for one in tallies(found)],
            skipped=[one._asdict() for one in skipped],
            others=others,
            complete=complete,
        )
    )


def _as_dict(one: Found | Tally) -> dict[str, object]:
    """Return it for a document, with what there is to say of bots and conflicts."""
    optional = ("bot", "bots", "conflicts")
    keys = one._asdict()
    return {key: value for key, value in keys.items() if value or key not in optional}


def _date(seconds: float) -> str:
    """Return a moment in UTC, as JSON Schema has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
