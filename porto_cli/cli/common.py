"""What several commands share: their parameters, opening a record, saying what is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli import sealed_ui
from porto_cli.cli import complete
from porto_cli.cli.keys_here import keys_here
from porto_cli.core.command_errors import refuse as refuse
from porto_cli.core.command_errors import usage
from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word, quoted
from porto_cli.match import record
from porto_cli.match.match import Match, load
from porto_cli.match.replay import LONG, SHORT, Replay
from porto_cli.term.tell import remark
from porto_cli.user_commands import user_of

if TYPE_CHECKING:
    from porto_cli.ui import Ui


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
        help="Which player you are; the beginning of the name is enough. If left out, who "
        "'porto me' says you are.",
        show_default=False,
        autocompletion=complete.players,
    ),
]


Samples = Annotated[
    int | None,
    typer.Option(
        "--samples",
        metavar="N",
        min=1,
        help="How often each choice is played on for an analysis; 500 if left out.",
        show_default=False,
    ),
]


def open_match(path: Path, expect: str | None = None) -> Match:
    """Return the game of a record; its digest has to begin with ``expect`` if that is given.

    Raises InvalidFileError, FileError; exits with 2 if ``expect`` cannot be a fingerprint.
    """
    if expect is not None:
        _demand_digest(expect)
    match = load(find_record(path), keys_here)
    if expect is not None and not match.digest.startswith(expect.lower()):
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


def ui_for(game: Match | Replay) -> Ui:
    """Return the interface of the game that is played."""
    return sealed_ui.ui_for(game.replay if isinstance(game, Match) else game)


def what_next(game: Match | Replay, file: str | None = None) -> list[Sentence]:
    """Say who can do what now, with commands that the user can type as they are.

    ``file`` is how they call the record, if not as it was read.
    """
    replay = game.replay if isinstance(game, Match) else game
    return ui_for(replay).what_next(replay, file, user_of(replay))


def find_record(path: Path) -> Path:
    """Return the record that a typed name stands for; says so if that has another name.

    Raises FileError if there is none, with the record of the folder that is called much the same.
    """
    if str(path) == STANDARD or os.path.isfile(path):
        return path
    from porto_cli.match.record_files import meant, with_suffix

    found = meant(path)
    if found != path:
        remark(say("There is no file {file}; {found} is used.", file=path, found=found))
    elif not os.path.exists(path):
        close = _called_nearly(path)
        if close:
            raise FileError(
                say("There is no file {file}; did you mean {close}?", file=path, close=close)
            )
        raise FileError(
            say(
                "There is no file {file}; 'porto new {new} NAME…' starts a game.",
                file=path,
                new=file_word(str(with_suffix(path))),
            )
        )
    return found


def _called_nearly(path: Path) -> Path | None:
    """Return the record beside a path whose name is most like its name, if one is."""
    from difflib import get_close_matches

    from porto_cli.match.record_files import records_of

    names = {name: other for other in records_of(path.parent) for name in (other.name, other.stem)}
    close = get_close_matches(path.name, names, n=1, cutoff=0.75)
    return names[close[0]] if close else None


def seat_of(replay: Replay, name: str) -> int:
    """Return the seat of a player by the name or its beginning; exits with 2 if nobody is meant,
    or more than one.
    """
    return seat_among(replay.record.config.players, name)


def seat_among(players: Sequence[str], name: str) -> int:
    """Return the place of one of some players by the name, see :func:`seat_of`."""
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


def viewer_of(replay: Replay, name: str | None) -> int | None:
    """Return the seat of who looks: who is named by ``--as``, else the user, where 'porto me' or
    ``PORTO_PLAYER`` says who that is; ``None`` for a bystander.

    Exits with 2 if a name is given that nobody is meant by, or more than one. Raises
    InvalidFileError, FileError for settings that cannot be read.
    """
    if name is not None:
        return seat_of(replay, name)
    return user_of(replay)


def could_be(name: str, players: Iterable[str]) -> Sentence:
    """Say that more than one player can be meant."""
    return say(
        "{name!r} could be one of {players}; write more of it.",
        name=name,
        players=", ".join(players),
    )


def command_line(*words: str) -> str:
    """Return a command line of these words, as shells take it."""
    return " ".join(["porto", *map(quoted, words)])


def is_given(ctx: typer.Context, *parameters: str) -> bool:
    """Tell whether one of these parameters was typed, even with the value that it has anyway."""
    sources = (ctx.get_parameter_source(name) for name in parameters)
    return any(source is not None and source.name == "COMMANDLINE" for source in sources)


_PICTURES = ("svg", "html")


def refuse_idle_looks(form: str, color: str, *, plain: bool = False) -> None:
    """Refuse ``--color`` and ``--plain`` where the output cannot be like that (exit code 2).

    ``form`` is the value of ``--format``. Text can be in color or not; pictures always are, data
    never is, and neither are plain sentences.
    """
    is_text = form in ("text", "table")
    if plain and not is_text:
        usage(
            say("--plain is for text, not for --format {form}; leave out one of them.", form=form)
        )
    if color == "always" and not is_text and form not in _PICTURES:
        usage(say("The output of --format {form} has no colors; leave out --color.", form=form))
    if color == "never" and form in _PICTURES:
        usage(say("The output of --format {form} has its colors; leave out --color.", form=form))
