"""The command line as a whole: which commands there are, and how each error ends.

A command's module is imported only when the command is called, because start-up is most of
what a move costs.
"""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.models import TyperPath

from porto_cli import __version__
from porto_cli.cli.command_table import COMMANDS, games_meant, module_of, verbs_elsewhere
from porto_cli.cli.failure import asks_for_json, tell_error, tell_failure, tell_of_the_command_line
from porto_cli.cli.shells import register_shells
from porto_cli.cli.streams import abandon, prepare
from porto_cli.core import signals
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.errors import INTERRUPTED, TROUBLE, UNREPORTED, PortoError
from porto_cli.core.files import traced
from porto_cli.core.message import Sentence, say
from porto_cli.game import BOX, GAMES

LONG_LIVED = ("hint", "scenario", "simulate", "tournament", "games")
"""Commands that run long enough for the garbage collector, which is off at the start. ``play``
turns it on itself, when it has loaded what asks.
"""

SETTINGS = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command with a plain usage line, and whose words are known while a shell completes one."""

    def _whole_help(self) -> str | None:
        """Return the help, with what each game adds to it; put together when somebody reads it."""
        from porto_cli.commands import commands_of

        added = {game: commands_of(game).help.get(str(self.name)) for game in GAMES}
        told = [f"{GAMES[game].title}: {own}" for game, own in added.items() if own]
        return "\n\n".join([self._help, *told]) if self._help else None

    def _set_help(self, text: str | None) -> None:
        self._help = text

    help = property(_whole_help, _set_help)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; an option at the end that has no value yet would spoil them all."""
        if ctx.resilient_parsing and args and self.takes_a_value(args[-1]):
            args = args[:-1]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Write the words that are needed as they are, and only the others in brackets."""
        pieces = [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]
        return [piece for piece in pieces if piece != "[]"]

    def takes_a_value(self, word: str) -> bool:
        """Tell whether a word is an option that wants another word behind it."""
        return any(
            word in param.opts and not getattr(param, "is_flag", False) for param in self.params
        )


class Commands(TyperGroup):
    """The commands, each of which is imported when somebody asks for it."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, for the help."""
        return [*COMMANDS, *verbs_elsewhere()]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; what was typed is kept for messages that propose what to type."""
        ctx.obj = tuple(args)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called; what is none is answered with what is meant."""
        if args[0].startswith("-") or ctx.resilient_parsing or module_of(args[0]):
            return super().resolve_command(ctx, args)
        from porto_cli.cli.did_you_mean import no_such_command

        no_such_command(args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none of this name."""
        found = module_of(cmd_name)
        if found is None:
            return None
        games = games_meant(cmd_name, ctx.obj or ())
        key = cmd_name if games == tuple(BOX) else f"{cmd_name} {' '.join(games)}"
        if cmd_name in LONG_LIVED:
            gc.enable()
        if key not in self.commands:
            with signals.held():
                module = import_module(f"porto_cli.cli.{found}")
            # Commands that take what a game says make their functions themselves.
            made = getattr(module, "function_of", None)
            function = made(cmd_name, games) if made else getattr(module, cmd_name)
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(cmd_name, cls=Command, context_settings=SETTINGS)(function)
            command = typer.main.get_command(app)
            for param in command.params:
                if isinstance(param.type, TyperPath):
                    # Whether a file can be read is told by reading it, with the exit code for that.
                    param.type.readable = False
            self.commands[key] = command
        return self.commands[key]

    def invoke(self, ctx: Any) -> Any:
        """Run a command. What stops it is passed on as it is; Typer has exit codes of its own."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, OSError) as reason:
            raise _StoppedError(reason) from None
        except (PortoError, TyperException, typer.Exit, typer.Abort):
            raise
        # A bug of the program itself still shows its traceback.
        except Exception as error:
            from porto_cli.installed import failure

            told = failure(error)
            if told is None:
                raise
            raise _GameFailedError(told) from error

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the names of the commands without importing their modules."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from typer._click.shell_completion import CompletionItem

        names = (*COMMANDS, *verbs_elsewhere())
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


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
    """Play the board games Porto and Puerto Rico by text.

    A game is one readable file, the record. Each command reads it, plays one move by the rules
    and writes it back; mail the file to whoever is next.
    """


class _GameFailedError(Exception):
    """A game of another package has failed while a command ran."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class _StoppedError(Exception):
    """A command was stopped by Ctrl-C, or because its output has no place to go."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__(reason)
        self.reason = reason


def run(args: list[str] | None = None) -> NoReturn:
    """Run a command line (``sys.argv`` if not given) and exit with its code.

    When it exits, all output has been written, or it has been said why not.
    """
    prepare()
    as_json = asks_for_json(sys.argv[1:] if args is None else args)
    with traced() as trace:
        try:
            code = _call(args, as_json)
            # What a signal has ended reports nothing more, least of all to a terminal that is gone.
            if code < 128:
                sys.stdout.flush()
            signals.finish()
        except PortoError as error:
            signals.finish()
            code = error.exit_code
            with suppress(OSError):
                tell_error(error, as_json=as_json)
        except TyperException as error:
            signals.finish()
            code = error.exit_code
            with suppress(OSError):
                tell_of_the_command_line(error)
        except _GameFailedError as error:
            # The move may have been saved before the game failed to show the table.
            done = (trace.done,) if trace.done else ()
            code = _tell(UNREPORTED if done else TROUBLE, *done, error.sentence, as_json=as_json)
        except (KeyboardInterrupt, signals.TerminatedError, OSError) as error:
            # With a terminal that is closed comes HUP, whatever fails first because of that.
            reason = signals.received() or error
            # What is true now was decided when a file took its place, or did not.
            if trace.done:
                code = _tell(UNREPORTED, trace.done, _unreported(reason), as_json=as_json)
            elif isinstance(reason, OSError):
                # Trouble with files has an error of its own; what is left is the output.
                code = _tell(TROUBLE, *_cannot_write(reason), as_json=as_json)
            else:
                code = _tell(_code_of(reason), as_json=as_json)
        except ImportError as reason:
            # A disk that fails in the middle of an import hides the module.
            if not trace.done:
                raise
            code = _tell(UNREPORTED, trace.done, _unreported(reason), as_json=as_json)
    abandon()
    end = signals.received()
    sys.exit(end.code if end and code not in (0, UNREPORTED) else code)


@cache
def _whole() -> Any:
    """Return the command line as a whole. Who runs several in one process makes it once."""
    return typer.main.get_command(app)


def _call(args: list[str] | None, as_json: bool) -> int:
    """Run a command line and return its exit code. Raises what stops it."""
    command = _whole()
    register_shells()
    try:
        # Typer tells its own errors, but not as JSON.
        code = command.main(args, prog_name="porto", standalone_mode=not as_json)
    except _StoppedError as stopped:
        raise stopped.reason from None
    except (NothingTypedError, NotInPileError) as error:
        raise AssertionError("commands handle what people type") from error
    except signals.TerminatedError:
        raise
    except SystemExit as end:
        return _code_of(end)
    return code or 0


def _code_of(end: BaseException) -> int:
    """Return the exit code that Ctrl-C, or an exception of ``sys.exit``, stands for."""
    if not isinstance(end, SystemExit):
        return INTERRUPTED
    return end.code if isinstance(end.code, int) else int(end.code is not None)


def _cannot_write(error: OSError) -> tuple[Sentence, ...]:
    """Say that the output has no place to go, unless it goes to one who wants no more of it."""
    if isinstance(error, BrokenPipeError):
        return ()
    return (say("The output cannot be written: {reason}.", reason=error.strerror or error),)


def _unreported(reason: BaseException) -> Sentence:
    if isinstance(reason, ImportError):
        return say(
            "What there is to say about it cannot be told, because a part of the program cannot be "
            "loaded: {reason}.",
            reason=reason,
        )
    if isinstance(reason, OSError):
        return say(
            "What there is to say about it cannot be printed: {reason}.",
            reason=reason.strerror or reason,
        )
    return say("You stopped what there is to say about it.")


def _tell(code: int, *sentences: Sentence, as_json: bool) -> int:
    """Say on standard error what is wrong, if anybody can hear it; return the exit code."""
    signals.finish()
    if sentences:
        with suppress(OSError):
            tell_failure(code, sentences, as_json=as_json)
    return code
