"""The commands that make a move, of all games: what each is called, takes and explains.

The words behind the record are those of the notation. What is done with them is the same for
all: :func:`porto_cli.cli.turn.perform`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Signature
from typing import Annotated, Any

import typer

from porto_cli.cli import complete, game_options
from porto_cli.cli.common import AsPlayer, Format, RecordFile
from porto_cli.cli.game_options import parameter
from porto_cli.cli.turn import perform
from porto_cli.commands import commands_of
from porto_cli.core.message import say
from porto_cli.game import GAMES

_DryRun = Annotated[
    bool, typer.Option("--dry-run", "-n", help="Say what would happen, write nothing.")
]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")]
_Output = Annotated[
    Format, typer.Option("--format", help="Print sentences, or the events as JSON.")
]
_Expect = Annotated[
    str | None,
    typer.Option(
        metavar="FINGERPRINT",
        help="Refuse any other version of the record; its digest begins with these 8 to 64 digits.",
        show_default=False,
        autocompletion=complete.fingerprint,
    ),
]
_OF_ALL = (
    parameter("player", AsPlayer, None),
    parameter("dry_run", _DryRun, False),
    parameter("quiet", _Quiet, False),
    parameter("output", _Output, Format.text),
    parameter("expect", _Expect, None),
)
"""The options of all moves."""


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of a verb's command, with the parameters that these games ask for."""
    known = {game: commands_of(game).verbs[name] for game in games if name in GAMES[game].verbs}
    options = {game: verb.options for game, verb in known.items()}
    words = game_options.words({game: verb.words for game, verb in known.items()})

    def command(ctx: typer.Context, **given: Any) -> None:
        typed: list[str] = []
        for word in words:
            one: str | list[str] = given[word.name] or []
            typed += [one] if isinstance(one, str) else one
        of_all = {one.name: given[one.name] for one in _OF_ALL}
        perform(ctx, name, given["file"], typed, options, **of_all)

    own = game_options.options(options)
    coming_up = {option.name for each in options.values() for option in each if option.stream}
    command.__doc__ = game_options.told_of_games(
        {game: verb.help for game, verb in known.items()},
        among=known,
        heading=str(say("Make the move {verb!r}, which each game has.", verb=name)),
    )
    command.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            parameter("ctx", typer.Context),
            parameter("file", RecordFile),
            *words,
            *(one for one in own if one.name not in coming_up),
            *_OF_ALL,
            *(one for one in own if one.name in coming_up),
        ]
    )
    return command
