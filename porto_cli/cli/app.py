"""The Typer app as a whole: how a command line is run, how errors are reported, completion for
shells, and the standard streams.

Everything that goes wrong is a :class:`~porto_cli.core.PortoError`, except a command line that
cannot be parsed, for which Typer has its own errors. Both are printed on standard error, as JSON if
JSON was asked for.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise, takewhile
from typing import Any, NoReturn

import typer
from typer import _completion_classes as classes
from typer import _completion_shared as shared
from typer._click.shell_completion import add_completion_class
from typer.core import TyperCommand, TyperGroup

from porto_cli import __version__
from porto_cli.cli import note_running, opt, typed_with
from porto_cli.cli.commands import LISTED, SETTINGS, all_names, command_for, games_meant, module_of
from porto_cli.core import (
    INTERRUPTED,
    REFUSED,
    TROUBLE,
    UNREPORTED,
    PortoError,
    UnknownNameError,
    cited,
    files,
    usage,
)
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.files import traced
from porto_cli.core.values import document
from porto_cli.games import failure
from porto_cli.term import json_line, remark

LONG_LIVED = ("hint", "scenario", "simulate", "games")
"""Commands that run long enough to need the garbage collector, which is off at the start. ``play``
turns it on itself, after loading its prompts.
"""
COMPLETE = "_PORTO_COMPLETE"
"""The environment variable by which a shell asks for completions."""
FORMAT_OPTION = "--format"
JSON_FORMATS = ("json", "jsonl")


class Program(TyperGroup):
    """The commands, each of which is imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return all_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command without importing it: just its name and purpose."""
        brief = LISTED[cmd_name].brief if cmd_name in LISTED else None
        return TyperCommand(cmd_name, short_help=brief) if module_of(cmd_name) else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called; the error for any other word proposes one."""
        name, *words = args
        if module_of(name):
            if name in LONG_LIVED:
                gc.enable()
            return name, command_for(name, games_meant(name, words)), words
        if not ctx.resilient_parsing:
            from porto_cli.cli.help import no_such_command

            no_such_command(args)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words. Typer's completion options detect the shell and take no value; here they
        may also name one.
        """
        flag, *shell = args[0].split("=") + args[1:] if args else [""]
        for option in self.params:
            if len(shell) == 1 and flag in option.opts and "completion" in str(option.name):
                if shell[0] not in SHELLS:
                    usage(f"{cited(shell[0])} has no completion; these have: {', '.join(SHELLS)}.")
                assert option.callback is not None
                option.callback(ctx, option, shell[0])
        note_running(ctx)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the first screen: the commands in groups. Their modules are not imported."""
        from porto_cli.cli.help import first_screen

        formatter.write("\n".join(first_screen()))


app = typer.Typer(
    cls=Program,
    context_settings=SETTINGS,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"porto {__version__}")
        raise typer.Exit


@app.callback()
def porto(
    version: bool = opt(
        False, "--version -V", "Print the version and exit.", callback=_show_version
    ),
) -> None:
    """Play the board games Porto and Puerto Rico in a terminal.

    A game is one readable file, the record. Each command reads it, plays one move by the rules
    and writes it back; mail the file to whoever is next.
    """


# -- How a command line is run, and how it ends


def run(args: list[str] | None = None) -> NoReturn:
    """Run a command line, by default ``sys.argv``, and exit with its code.

    By then all output has been written, or an error says why not.
    """
    prepare()
    words = _arguments() if args is None else list(args)
    as_json = asks_for_json(words)
    with traced() as trace:
        try:
            code = _call(words)
            # After a signal nothing more is reported, least of all to a terminal that is gone.
            if code < 128:
                sys.stdout.flush()
            files.finish()
        except PortoError as error:
            facts = (error.rulings, _suggested(error))
            code = _fail(error.exit_code, error.sentences, *facts, as_json=as_json)
        except BaseException as error:
            code, sentences = _end_of(error, trace.done)
            code = _fail(code, sentences, as_json=as_json)
    abandon()
    end = files.received()
    sys.exit(end.code if end and code not in (0, UNREPORTED) else code)


def _arguments() -> list[str]:
    """Return the typed words. Windows shells leave it to programs to expand ``*``."""
    words = sys.argv[1:]
    if sys.platform == "win32":
        from glob import glob

        return [file for word in words for file in glob(word) or [word]]
    return words


@cache
def _whole() -> Any:
    """Return Typer's program, made only once even if many command lines run in one process."""
    return typer.main.get_command(app)


def _call(words: list[str]) -> int:
    """Run a command line and return its exit code. Lets all errors through, which Typer would
    report in its own way.
    """
    program = _whole()
    register_shells()
    try:
        if os.environ.get(COMPLETE):
            program.main([], prog_name="porto", standalone_mode=False)
        # The typed words are kept for messages that propose corrected ones.
        context = program.make_context("porto", words or ["--help"], obj=tuple(words))
        with context:
            context.call_on_close(lambda: remark(*files.warned()))
            program.invoke(context)
    except (NothingTypedError, NotInPileError) as error:
        raise AssertionError("commands handle what people type") from error
    except typer.TyperException as error:
        from porto_cli.cli.help import wrong_usage

        wrong_usage(error)
    except typer.Exit as end:
        return end.exit_code
    except (typer.Abort, EOFError):
        return INTERRUPTED
    except SystemExit as end:
        # Typer exits like this after it has answered a shell; games of other packages must not.
        if isinstance(end, files.TerminatedError) or failure(end):
            raise
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _end_of(error: BaseException, done: str | None) -> tuple[int, Sequence[str]]:
    """Return the exit code and the message for an exception that is not a PortoError.

    ``done`` says what was done before, if a file was replaced. Raises the exception itself if it is
    a bug of the program, so that its traceback is shown.
    """
    failed = None if isinstance(error, files.FROM_OUTSIDE) else failure(error)
    if failed is not None:
        return (UNREPORTED, (done, failed)) if done else (TROUBLE, (failed,))
    stopped = isinstance(error, (*files.FROM_OUTSIDE, OSError))
    # A closed terminal also sends HUP, whatever fails first because of it.
    reason = files.received() or error if stopped else error
    # If its reader has stopped reading, there is nothing to say of the output.
    is_read = not isinstance(reason, BrokenPipeError)
    # If the disk fails in the middle of an import, Python may say that there is no such module.
    if done and (stopped or isinstance(error, ImportError)):
        return UNREPORTED, (done, _unreported(reason)) * is_read
    if isinstance(reason, OSError):
        # Trouble with files is a FileError, so this is about the output.
        said = f"The output cannot be written: {reason.strerror or reason}."
        return TROUBLE, (said,) * is_read
    if isinstance(reason, files.TerminatedError):
        return reason.code, ()
    if isinstance(reason, KeyboardInterrupt):
        return INTERRUPTED, ()
    raise error


def _unreported(reason: BaseException) -> str:
    """Say why the report of what was done is missing."""
    if isinstance(reason, ImportError):
        return f"It cannot be reported, because a part of the program cannot be loaded: {reason}."
    if isinstance(reason, OSError):
        return f"The report cannot be printed: {reason.strerror or reason}."
    return "The report was stopped."


# -- How an error is printed


def asks_for_json(words: Iterable[str]) -> bool:
    """Return whether a command line asks for JSON, even one that cannot be parsed otherwise."""
    typed = list[str]()
    for word in takewhile("--".__ne__, words):
        typed += word.split("=", 1) if word.startswith(f"{FORMAT_OPTION}=") else [word]
    wanted = [value for flag, value in pairwise(typed) if flag == FORMAT_OPTION]
    return bool(wanted) and wanted[-1] in JSON_FORMATS


def _suggested(error: PortoError) -> list[str]:
    """Return the commands that an error proposes; for an unknown player the typed one with each
    player who may be meant.
    """
    if isinstance(error, UnknownNameError):
        return [line for name in error.meant for line in typed_with(name, error.word)]
    return [*error.suggestions]


def _fail(
    code: int,
    sentences: Iterable[str],
    rulings: Sequence[tuple[str, str]] = (),
    suggestions: Sequence[str] = (),
    *,
    as_json: bool,
) -> int:
    """Print on standard error, if possible, why a command fails, and which commands would be right.
    Return the exit code.
    """
    files.finish()
    lines = [*sentences]
    if not lines:
        return code
    with suppress(OSError):
        if as_json:
            broken = [{"id": rule, "sentence": sentence} for rule, sentence in rulings]
            facts = {"error": "\n".join(lines), "exit": code, "rulings": broken}
            error = document(**facts, suggestions=[*suggestions])
            print(json_line(error, sys.stderr), file=sys.stderr)
            return code
        if suggestions:
            # Commands are on lines of their own, ready to be copied.
            forbidden = code == REFUSED and rulings
            heading = "Legal moves, for example:" if forbidden else "Try:"
            lines += [heading, *(f"  {command}" for command in suggestions)]
        remark(*lines)
    return code


# -- How completions are handed to the shells, where Typer's own answers would not do
#
# Typer lets rich draw each explanation, which takes longer than everything else, and names with
# blanks fall apart in bash. Typer has no public way to change that: only this section uses private
# parts of it, and ``tests/test_typer.py`` says which.

_QUOTED_IN_BASH = frozenset(" \t\"'\\$`&|;<>()*?[]#~!{}")
_QUOTED_IN_ZSH = {'"': '\\"', "$": "\\$", "`": "\\`", "\\": "\\" * 4, ":": "\\\\:", "'": "'\\''"}

_ZSH_SCRIPT = f"""{shared.COMPLETION_SCRIPT_ZSH}
if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
fi
"""
"""Typer's script, which also answers the first Tab, when zsh loads it from the user's folder."""


class Bash(classes.BashComplete):
    """Bash takes a word as it should appear on the line, but closes an open quote itself."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete. Bash splits ``--as=Inês`` into three."""
        args, incomplete = super().get_completion_args()
        return (args[:-1] if args[-1:] == ["="] else args), incomplete

    def format_completion(self, item: Any) -> str:
        """Return a word with a backslash before each character that is special to the shell."""
        words, position = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        if position < len(words) and words[position].startswith(("'", '"')):
            return str(item.value)
        return "".join(f"\\{one}" if one in _QUOTED_IN_BASH else one for one in str(item.value))


class Zsh(classes.ZshComplete):
    """Zsh takes words, with explanations after colons, as arguments of its ``_arguments``."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: Any) -> str:
        """Return a word with its explanation, escaped for double quotes within single quotes."""
        parts = [str(item.value), item.help] if item.help else [str(item.value)]
        return ":".join(
            f'"{"".join(_QUOTED_IN_ZSH.get(letter, letter) for letter in part)}"' for part in parts
        )


SHELLS: dict[str, type] = {
    "bash": Bash,
    "zsh": Zsh,
    "fish": classes.FishComplete,
    "powershell": classes.PowerShellComplete,
    "pwsh": classes.PowerShellComplete,
}


def register_shells() -> None:
    """Let these classes answer the shells, with explanations left as they are."""
    classes._sanitize_help_text = lambda text: text
    shared._completion_scripts["zsh"] = _ZSH_SCRIPT
    for name, shell in SHELLS.items():
        add_completion_class(shell, name)


# -- The standard streams.


def prepare() -> None:
    """Set up the standard streams as the commands expect them.

    A record in a pipe or a file is UTF-8, whatever the locale says, and a terminal gets what it can
    show.
    """
    # Streams that were closed before the program began are opened, so that no other file gets
    # their numbers; standard input then cannot be read.
    sys.stdin = sys.stdin or open(os.devnull, "w")  # noqa: SIM115 - for good
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - for good
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        elif "utf" in (stream.encoding or "").lower():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(errors="replace")


def abandon() -> None:
    """Discard output that cannot be written anymore, or Python would try again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError), open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
                stream.flush()
