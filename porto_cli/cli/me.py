"""The command that says who the user is, and asks for it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from porto_cli.cli.common import Format
from porto_cli.cli.output import write_json
from porto_cli.core.command_errors import usage
from porto_cli.core.message import Sentence, say
from porto_cli.match.record import name_fault
from porto_cli.settings import PLAYER, path, settings
from porto_cli.settings import me as user
from porto_cli.term.tell import remark, tell


def me(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME…",
            help="Your name at the tables, as players are named. More names are for tables at "
            "which you are called otherwise.",
            show_default=False,
        ),
    ] = None,
    none: Annotated[
        bool, typer.Option("--none", help="Forget who you are: every command asks again.")
    ] = False,
    output: Annotated[
        Format, typer.Option("--format", help="Text, or JSON for programs.")
    ] = Format.text,
) -> None:
    """Say once who you are, or ask what is known.

    Then your private things are shown to you, and your moves are yours, without --as; a move for
    somebody else needs --as. A name that does not play in a game has no effect there.
    """
    if none and names:
        usage(say("--none forgets who you are, so that there is no name to be typed with it."))
    if none or names:
        from porto_cli.settings_file import write_me

        remark(*write_me(_checked(names or ())))
    if output is Format.json:
        _print_json()
        return
    tell(*_told())


def _checked(names: list[str] | tuple[()]) -> list[str]:
    """Return the names, each once; exits with 2 if one of them cannot be a player's."""
    found: list[str] = []
    for name in names:
        fault = name_fault(name)
        if fault:
            usage(fault)
        if name not in found:
            found.append(name)
    return found


def _told() -> list[Sentence]:
    """Say who the user is, and what says so."""
    variable = os.environ.get(PLAYER)
    names, source = user()
    if names:
        told = [_you_are(names, source)]
    elif variable is None:
        told = [say("Nobody has said who you are. To say it: porto me NAME")]
    else:
        told = [say("{variable} is empty, so that nobody is taken for you.", variable=PLAYER)]
    written = settings().me
    if variable is not None and written:
        told.append(
            say(
                "Without {variable} it would be {names}, from {file}.",
                variable=PLAYER,
                names=" or ".join(written),
                file=path(),
            )
        )
    return told


def _you_are(names: tuple[str, ...], source: str) -> Sentence:
    first, *others = names
    if others:
        return say(
            "You are {name}, and {others} at tables without {name}, says {source}.",
            name=first,
            others=" or ".join(others),
            source=source,
        )
    return say("You are {name}, says {source}.", name=first, source=source)


def _print_json() -> None:
    from porto_cli.core.documents import document

    names, source = user()
    kind = "environment" if source == PLAYER else "settings" if source else None
    write_json(document(names=list(names), source=kind, settings=str(path())))
