"""The command line as a whole: which commands there are, and how each error ends.

A command's module is imported only when the command is called, because start-up is most of
what a move costs.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from porto_cli import __version__
from porto_cli.chance import NothingTypedError, NotInPileError
from porto_cli.cli.failure import asks_for_json, tell, tell_error, tell_of_the_command_line
from porto_cli.cli.shells import register_shells
from porto_cli.errors import INTERRUPTED, TROUBLE, PortoError
from porto_cli.rules.sentence import Sentence, say

COMMANDS = {
    "new": "new",
    "keep": "verbs",
    "draw": "verbs",
    "build": "verbs",
    "contract": "verbs",
    "pass": "verbs",
    "undo": "verbs",
    "show": "show",
    "moves": "moves",
    "log": "log",
    "score": "score",
    "verify": "verify",
    "play": "play",
    "scenario": "scenario",
    "simulate": "simulate",
    "rules": "rules",
}
"""Each command and the module that has it, in the order of the help."""

LONG_LIVED = ("play", "scenario", "simulate")
"""Commands that run long enough for the garbage collector, which is off at the start."""

SETTINGS = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command with a plain usage line, and whose words are known while a shell completes one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; an option at the end that has no value yet would spoil them all."""
        if ctx.resilient_parsing and args and self._takes_a_value(args[-1]):
            args = args[:-1]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Write the words that are needed as they are, and only the others in brackets."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def _takes_a_value(self, word: str) -> bool:
        return any(
            word in param.opts and not getattr(param, "is_flag", False) for param in self.params
        )


class Commands(TyperGroup):
    """The commands, each of which is imported when somebody asks for it."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in LONG_LIVED:
            gc.enable()
        if cmd_name not in self.commands:
            module = import_module(f"porto_cli.cli.{COMMANDS[cmd_name]}")
            makes_a_move = COMMANDS[cmd_name] == "verbs"
            function = module.function_of(cmd_name) if makes_a_move else getattr(module, cmd_name)
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(cmd_name, cls=Command, context_settings=SETTINGS)(function)
            self.commands[cmd_name] = typer.main.get_command(app)
        return self.commands[cmd_name]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the names of the commands without importing any of them."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from typer._click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in COMMANDS if name.startswith(incomplete)]


app = typer.Typer(
    cls=Commands,
    context_settings=SETTINGS,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"porto {__version__}")
        raise typer.Exit


@app.callback(epilog="Start with: porto new friday.yaml Inês Joana, or: porto play")
def porto(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Tell the version and exit.", callback=_show_version),
    ] = False,
) -> None:
    """Play the board game Porto by text.

    A game is one readable file, the record. Each command reads it, plays one move by the rules
    and writes it back; mail the file to whoever is next.
    """


def run(args: list[str] | None = None) -> NoReturn:
    """Run a command line (``sys.argv`` if not given) and exit with its code."""
    # A stream that was closed before the program began is none at all.
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 - for good
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and "utf" not in (stream.encoding or "").lower():
            stream.reconfigure(errors="replace")
    command = typer.main.get_command(app)
    register_shells()
    as_json = asks_for_json(sys.argv[1:] if args is None else args)
    try:
        # Typer tells its own errors, but not as JSON.
        code = command.main(args, prog_name="porto", standalone_mode=not as_json)
    except (NothingTypedError, NotInPileError) as error:
        raise AssertionError("commands handle what people type") from error
    except PortoError as error:
        tell_error(error, as_json=as_json)
        sys.exit(error.exit_code)
    except TyperException as error:
        tell_of_the_command_line(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        # Trouble with files has an error of its own; what is left is the output.
        tell(TROUBLE, [cannot_write(error)], as_json=as_json)
        sys.exit(TROUBLE)
    sys.exit(code or 0)


def cannot_write(error: OSError) -> Sentence:
    """Say that the output has no place to go."""
    return say("The output cannot be written: {reason}.", reason=error.strerror or error)
