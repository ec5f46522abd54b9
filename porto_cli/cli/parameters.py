"""Parameters that several commands have, and which of them were typed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from porto_cli.cli import complete
from porto_cli.core.message import shown, usage
from porto_cli.games import GAMES, commands_of

T = TypeVar("T")


def opt(default: T, spelling: str, about: str, **more: Any) -> T:
    """Return the default of a parameter that is an option.

    ``spelling`` is what the help shows: the flags, where they are not just the name, and what
    stands for the value, as in ``--games -n N``. The rest is Typer's.
    """
    flags = [word for word in spelling.split() if word.startswith("-")]
    value = " ".join(word for word in spelling.split() if not word.startswith("-"))
    found: T = typer.Option(default, *flags, metavar=value or None, help=about, **more)
    return found


def arg(default: Any, spelling: str, about: str, **more: Any) -> Any:
    """Return the default of a parameter that is an argument; ``...`` if there has to be one."""
    return typer.Argument(default, metavar=spelling, help=about, **more)


Format = StrEnum("Format", "text json")
"""How a result is printed."""

FormatOption = Annotated[Format, typer.Option("--format", help="Text, or JSON for programs.")]

RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The record; '-' is standard input.", autocompletion=complete.records
    ),
]
AsPlayer = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Which player you are; the beginning of the name is enough. If left out, the player "
        "who 'porto me' says you are.",
        autocompletion=complete.players,
    ),
]

DryRun = Annotated[
    bool, typer.Option("--dry-run", "-n", help="Say what would happen, write nothing.")
]
Send = Annotated[
    bool,
    typer.Option("--send", help="Then send the game to the next player, as 'porto mail' does."),
]
Say = Annotated[
    str | None,
    typer.Option(
        "--say", metavar="TEXT", help="Words to the other players, for the next mails and the log."
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing if the command succeeds.")
]
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples",
        metavar="N",
        min=1,
        help="With an analysis, how many games are simulated for each choice, or fewer once some "
        "moves are clearly worse; if left out, 500 for Porto and 48 for Puerto Rico.",
    ),
]

Seed = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The same seed plays the same games; random if left out."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        metavar="N",
        min=1,
        help="Number of processes, 61 at most; one for each core if left out.",
    ),
]


def known_game(name: str | None) -> str | None:
    """Return the id of a game; exits with 2 if there is no such game."""
    game_id = name.lower() if name else name
    if game_id is not None and game_id not in GAMES:
        usage(f"There is no game {shown(name)}. The games are: {', '.join(GAMES)}.")
    return game_id


GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME",
        help="The game; porto if left out.",
        callback=known_game,
        autocompletion=lambda: list(GAMES),
    ),
]


# -- What was typed.

WORDS = "words"
"""The parameter with the words of a move."""
ADDED = "porto_cli.added"
"""Where a context has the words and options that games add to a command, as far as they were typed:
the command's function cannot name them all.
"""
_typed: set[str] = set()


def note_typed(ctx: typer.Context) -> None:
    """Note which parameters of the command that is about to run were typed."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    _typed.clear()
    _typed.update(name for name, one in sources.items() if one and one.name == "COMMANDLINE")


def is_typed(*parameters: str) -> bool:
    """Return whether one of these parameters of the running command was typed, even with its
    default value.
    """
    return not _typed.isdisjoint(parameters)


def typed_words(ctx: typer.Context) -> list[str]:
    """Return the words of a move that were typed."""
    return list(ctx.meta[ADDED].get(WORDS, ()))


def typed_options(ctx: typer.Context, game: str) -> dict[str, Any]:
    """Return the options of a game that were typed; exits with 2 if one is of another game."""
    name = str(ctx.info_name)
    typed = {key: value for key, value in ctx.meta[ADDED].items() if key != WORDS}
    foreign = typed.keys() - {option.name for option in commands_of(game).options_of(name)}
    for other, meta in GAMES.items() if foreign else ():
        for option in commands_of(other).options_of(name):
            if option.name in foreign:
                usage(
                    f"{option.flag} is an option of {meta.title}, and this game is "
                    f"{GAMES[game].title}; leave it out."
                )
    return typed
