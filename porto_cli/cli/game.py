"""The option ``--game`` of the commands that no record tells which game it is."""

from __future__ import annotations

from typing import Annotated

import typer

from porto_cli.core.command_errors import usage
from porto_cli.core.message import say
from porto_cli.game import GAMES


def _known(name: str | None) -> str | None:
    """Return the name of a game as it is kept; exits with 2 if there is no such game."""
    game_id = name.lower() if name else name
    if game_id is not None and game_id not in GAMES:
        from porto_cli.installed import unusable

        usage(
            say(
                "There is no game {name!r}; there is {games}.",
                name=name,
                games=" and ".join(GAMES),
            ),
            *unusable(),
        )
    return game_id


GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME",
        help="Which game it is; porto if left out.",
        show_default=False,
        callback=_known,
        autocompletion=lambda: list(GAMES),
    ),
]
