"""The command that explains the others."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from porto_cli.cli.command_table import COMMANDS
from porto_cli.cli.common import command_line
from porto_cli.core.command_errors import usage
from porto_cli.core.message import say


def _commands(incomplete: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(incomplete)]


def help(  # noqa: A001 - commands are called like their functions
    ctx: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND]",
            help="The command to explain; all are listed without one.",
            show_default=False,
            autocompletion=_commands,
        ),
    ] = None,
) -> None:
    """Explain a command, or list all of them.

    The same as --help behind a command. The rules of the game are told by 'porto rules'.
    """
    program: Any = ctx.parent
    if command is None:
        print(program.get_help())
        return
    if command in COMMANDS:
        explained = program.command.get_command(program, command)
        explained.make_context(command, ["--help"], parent=program)
    from porto_cli.cli.did_you_mean import closest, did_you_mean

    close = closest(command)
    if close:
        usage(did_you_mean(command, close), suggestions=[command_line("help", close)])
    usage(
        say("There is no command {word!r}. Maybe the rules of the game tell of it.", word=command),
        suggestions=[command_line("rules", command), command_line("help")],
    )
