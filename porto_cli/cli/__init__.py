"""What commands are written with: parameters that several of them have, and the command line as it
was typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import typer

from porto_cli.cli.completion import offer_players, offer_records
from porto_cli.core import cited, enumerated, nearest, usage
from porto_cli.core.shell import quoted
from porto_cli.games import GAMES, commands_of

T = TypeVar("T")


class Within(NamedTuple):
    """The limits of a number, which the help of an option and errors say in words."""

    least: int
    most: int | None = None
    kind: type[float] = int

    def __str__(self) -> str:
        if self.most is None:
            return f"{self.least} or more"
        return f"from {self.least} to {self.most:,}"

    def number(self, typed: str) -> Any:
        """Return a number that was typed; the ``parser`` of an option. Raises BadParameter."""
        with suppress(ValueError, OverflowError):
            if self.least <= self.kind(typed) <= (inf if self.most is None else self.most):
                return self.kind(typed)
        what = "a whole number" if self.kind is int else "a number"
        raise typer.BadParameter(f"{cited(typed)} does not fit; type {what}, {self}.")


def opt(default: T, spelling: str, about: str, *, limits: Within | None = None, **more: Any) -> T:
    """Return an option, as the default of a parameter, or as its annotation if ``default`` is
    ``...``.

    ``spelling`` is what the help shows, such as ``--games -n N``: the flags, unless they follow
    from the name, and a placeholder for the value. The help of a
    number ends with its ``limits``. The rest is passed to Typer.
    """
    if limits:
        about, more = f"{about} {str(limits).capitalize()}.", {"parser": limits.number, **more}
    flags = [word for word in spelling.split() if word.startswith("-")]
    value = " ".join(word for word in spelling.split() if not word.startswith("-"))
    option: T = typer.Option(default, *flags, metavar=value or None, help=about, **more)
    return option


def arg(default: Any, spelling: str, about: str, **more: Any) -> Any:
    """Return an argument, like :func:`opt`; ``...`` means that it has no default."""
    return typer.Argument(default, metavar=spelling, help=about, **more)


Format = StrEnum("Format", "text json")
"""How a result is printed."""

FormatOption = Annotated[Format, opt(..., "--format", "Text, or JSON for programs.")]

RecordFile = Annotated[
    Path,
    arg(
        ...,
        "FILE",
        "The game's file, like friday.yaml; '-' is standard input.",
        autocompletion=offer_records,
    ),
]
AsPlayer = Annotated[
    str | None,
    opt(
        ...,
        "--as NAME",
        "Which player you are; the beginning of the name is enough. If left out, the player "
        "who 'porto me' says you are.",
        autocompletion=offer_players,
    ),
]

DryRun = Annotated[bool, opt(..., "--dry-run -n", "Say what would happen, write nothing.")]
Send = Annotated[
    bool, opt(..., "--send", "Then send the game to the next player, as 'porto mail' does.")
]
Say = Annotated[
    str | None,
    opt(..., "--say TEXT", "Words to the other players, for the next mails and the log."),
]
Quiet = Annotated[bool, opt(..., "--quiet -q", "Print nothing if the command succeeds.")]
Samples = Annotated[
    int | None,
    opt(
        ...,
        "--samples N",
        "With an analysis, how many games are simulated for each choice, or fewer once some "
        "moves are clearly worse; if left out, 500 for Porto and 48 for Puerto Rico.",
        limits=Within(1),
    ),
]

Seed = Annotated[
    str | None, opt(..., "TEXT", "The same seed plays the same games; random if left out.")
]
Workers = Annotated[
    int | None,
    opt(
        ...,
        "--workers -j N",
        "Number of processes, 61 at most; one for each core if left out.",
        limits=Within(1),
    ),
]


def known_game(name: str | None) -> str | None:
    """Return the id of a game; exits with 2 if there is no such game."""
    game_id = name.lower() if name else name
    if game_id is not None and game_id not in GAMES:
        near = nearest(game_id, GAMES)
        unknown = f"There is no game {cited(name)}; the games are {enumerated(GAMES)}."
        usage(unknown, suggestions=typed_with(near, str(name)) if near else ())
    return game_id


GameOption = Annotated[
    str | None,
    opt(
        ...,
        "--game NAME",
        "The game, porto or puerto-rico; porto if left out.",
        callback=known_game,
        autocompletion=lambda: list(GAMES),
    ),
]


# -- Which parameters were typed

WORDS = "words"
"""The parameter with the words of a move."""
ADDED = "porto_cli.added"
"""The key in a context's ``meta`` for the typed words and options that games add to a command, as
the command's function cannot name them all.
"""
_running: typer.Context | None = None
"""The context of the command whose words are parsed, or that runs."""


def running() -> Any:
    """Return the context of the command whose words are parsed, or that runs."""
    return _running


def note_running(ctx: typer.Context) -> None:
    """Note the context of a command before its words are parsed."""
    global _running
    _running = ctx


def _line() -> Sequence[str]:
    """Return the words of the typed command line."""
    return (_running and _running.obj) or ()


def typed_with(instead: str, word: str) -> list[str]:
    """Return the typed command line with one word (a player, a file, a card) replaced, also after
    ``--as=``, or else within a list or quotation marks; the last one if it was typed twice. Return
    nothing if it was not typed.
    """
    line = _line()
    for between in ("(=)", r"([=,\s])"):
        for index in reversed(range(len(line))):
            parts = re.split(between, line[index])
            if word in (line[index], str(Path(line[index]))):
                parts = [instead]
            elif word in parts:
                parts[len(parts) - 1 - parts[::-1].index(word)] = instead
            else:
                continue
            return [command_line(*line[:index], "".join(parts), *line[index + 1 :])]
    return []


def line_typed() -> str:
    """Return the typed command line."""
    return command_line(*_line())


def command_line(*words: str) -> str:
    """Return a command line of these words, quoted for shells."""
    return " ".join(["porto", *map(quoted, words)])


def is_typed(parameter: str) -> bool:
    """Return whether a parameter of the running command was typed, even with its default value."""
    source = _running.get_parameter_source(parameter) if _running else None
    return source is not None and source.name == "COMMANDLINE"


def typed_words(ctx: typer.Context) -> list[str]:
    """Return the typed words of a move."""
    return list(ctx.meta[ADDED].get(WORDS, ()))


def typed_options(ctx: typer.Context, game: str, command: str = "") -> dict[str, Any]:
    """Return the typed options of a game; exits with 2 if one belongs to another game, or not to
    the ``command``, by default the one that was typed.
    """
    command = command or str(ctx.info_name)
    typed = {key: value for key, value in ctx.meta[ADDED].items() if key != WORDS}
    own = {option.name for option in commands_of(game).options_of(command)}
    foreign = [f"--{name.replace('_', '-')}" for name in typed if name not in own]
    if foreign:
        flags, title = enumerated(foreign, "or"), GAMES[game].title
        usage(f"In a game of {title} '{command}' has no option {flags}; leave it out.")
    return typed
