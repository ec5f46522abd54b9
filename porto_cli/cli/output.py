"""Where results go: standard output or a file, in color or not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import typer

from porto_cli.core.files import STANDARD, write_output
from porto_cli.settings import settings
from porto_cli.term.screen import (
    ALWAYS,
    AUTO,
    NEVER,
    WIDTH,
    Screen,
    can_write,
    screen_of,
    writable,
)
from porto_cli.term.spans import PLAIN, Line
from porto_cli.term.tell import lines_of, remark


class Colors(StrEnum):
    """When text is in color."""

    auto = AUTO
    always = ALWAYS
    never = NEVER


Plain = Annotated[
    bool,
    typer.Option(
        "--plain/--no-plain",
        help="Whole sentences and no drawing, for screen readers.",
        show_default=False,
    ),
]
Color = Annotated[
    Colors,
    typer.Option(help="Color on terminals only (NO_COLOR is respected), always, or never."),
]


def _file(path: Path | None) -> Path | None:
    """Return where to write to; ``-`` is standard output, as without the option."""
    return None if str(path) == STANDARD else path


Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write it into a file; '-' is standard output.",
        show_default=False,
        callback=_file,
    ),
]


def _is_typed(parameter: str) -> bool:
    """Tell whether a parameter of the command that runs was typed, even with its default."""
    from typer._click.globals import get_current_context

    context = get_current_context(silent=True)
    source = context.get_parameter_source(parameter) if context else None
    return source is not None and source.name == "COMMANDLINE"


def as_plain(plain: bool, color: str = AUTO) -> bool:
    """Tell whether sentences are wanted in place of drawings: by ``--plain``, or by the settings
    where that is left out and nothing in color is asked for.
    """
    if plain or color == ALWAYS or _is_typed("plain"):
        return plain
    return settings().plain


def _in_color(color: str) -> str:
    """Return what ``--color`` says, or the settings where it is left out."""
    return settings().color if color == AUTO and not _is_typed("color") else color


def write_page(text: str, to: Path | None = None) -> None:
    """Write a page or a picture, light or dark as the settings want it. Raises FileError."""
    from porto_cli.term.page import in_light

    write(in_light(text, settings().page), to)


def write(text: str, to: Path | None = None) -> None:
    """Write a text to standard output or to a file. Raises FileError."""
    if to is None:
        print(writable(text.rstrip("\n"), sys.stdout))
    else:
        deliver(text.rstrip("\n") + "\n", to)


def deliver(text: str, to: Path) -> None:
    """Write a text to a file, and say what could not be kept of the old one. Raises FileError."""
    remark(*write_output(to, text))


def write_json(thing: object, to: Path | None = None) -> None:
    """Write JSON to standard output or to a file. Raises FileError."""
    from porto_cli.core.documents import dumps

    if to is None:
        print_json(thing, sys.stdout)
    else:
        write(dumps(thing), to)


def print_json(thing: object, stream: TextIO) -> None:
    """Print JSON, with escapes where the alphabet of the stream lacks a letter."""
    from porto_cli.core.documents import dumps

    text = dumps(thing)
    print(text if can_write(text, stream) else dumps(thing, ascii_only=True), file=stream)


def show_lines(
    draw: Callable[[Screen], list[Line]],
    last: Sequence[object],
    color: str,
    to: Path | None = None,
) -> None:
    """Draw something for the screen, or for a file of 80 columns, with some sentences below.

    Raises FileError.
    """
    from porto_cli.term.paint import show

    color = _in_color(color)
    screen = screen_of(sys.stdout, color) if to is None else Screen(WIDTH, color == ALWAYS)
    lines = draw(screen)
    if lines and last:
        lines.append([])
    if to is None:
        lines += [[(line, PLAIN)] for one in last for line in lines_of(str(one), sys.stdout)]
        show(lines, screen)
        return
    from io import StringIO

    stream = StringIO()
    lines += [[(str(one), PLAIN)] for one in last]
    show(lines, screen, stream)
    deliver(stream.getvalue(), to)
