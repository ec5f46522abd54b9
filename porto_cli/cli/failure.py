"""How a command tells that it has failed: sentences, or JSON where JSON was asked for.

Everything that goes wrong is a :class:`~porto_cli.core.errors.PortoError`; what is wrong in the
form of a command line comes from Typer, which has errors of its own. Both are told on standard
error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from porto_cli.core.errors import REFUSED, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.term.tell import remark

if TYPE_CHECKING:
    from typer.exceptions import TyperException

FORMAT_OPTION = "--format"
JSON_FORMATS = ("json", "jsonl")


def asks_for_json(words: Iterable[str]) -> bool:
    """Tell whether a command line asks for JSON, even one that cannot be read otherwise."""
    wanted = ""
    behind_the_option = False
    for word in words:
        if word == "--":
            break
        if behind_the_option:
            wanted = word
        elif word.startswith(f"{FORMAT_OPTION}="):
            wanted = word.partition("=")[2]
        behind_the_option = word == FORMAT_OPTION
    return wanted in JSON_FORMATS


def tell_error(error: PortoError, *, as_json: bool) -> None:
    """Say on standard error what is wrong, and which commands would be right."""
    tell_failure(
        error.exit_code, error.sentences, error.rulings, error.suggestions, as_json=as_json
    )


def tell_of_the_command_line(error: TyperException) -> None:
    """Say as JSON what Typer finds wrong in a command line."""
    context = getattr(error, "ctx", None)
    help_of = f"{context.command_path} --help" if context else "porto --help"
    tell_failure(error.exit_code, (error.format_message(),), (), (help_of,), as_json=True)


def tell_failure(
    code: int,
    sentences: Iterable[object],
    rulings: Sequence[tuple[str, Sentence]] = (),
    suggestions: Sequence[str] = (),
    *,
    as_json: bool,
) -> None:
    """Say why a command ends with an exit code, as lines or as JSON."""
    lines = list(map(str, sentences))
    if as_json:
        print(_json("\n".join(lines), code, rulings, suggestions), file=sys.stderr)
        return
    if suggestions:
        # Commands stand on lines of their own, ready to be copied.
        forbidden = code == REFUSED and rulings
        heading = say("Legal would be, for example:") if forbidden else say("Try:")
        lines += [str(heading), *(f"  {command}" for command in suggestions)]
    remark(*lines)


def _json(
    text: str, code: int, rulings: Iterable[tuple[str, Sentence]], suggestions: Sequence[str]
) -> str:
    from porto_cli.core.documents import dumps, error_json
    from porto_cli.term.screen import can_write

    error = error_json(text, code, rulings, suggestions)
    line = dumps(error)
    return line if can_write(line, sys.stderr) else dumps(error, ascii_only=True)
