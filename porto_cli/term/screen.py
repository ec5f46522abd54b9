"""What the output can show: how wide it is, whether in color, and in which alphabet."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple, TextIO

AUTO, ALWAYS, NEVER = "auto", "always", "never"
WIDTH = 80
"""Columns where nobody says how many there are."""
HEIGHT = 25
"""Lines where they make no difference."""
NARROWEST, WIDEST = 44, 240
"""Between these widths nothing is wider than the screen."""
DRAWN = "│┋╱▔╲▟█▙▯▮≈▒═·━●○×"
"""What an alphabet must have for the drawings; otherwise they are made of ASCII."""


class Screen(NamedTuple):
    """Where something will be shown."""

    width: int = WIDTH
    color: bool = False
    ascii: bool = False


def screen_of(stream: TextIO | None = None, color: str = AUTO) -> Screen:
    """Return what a stream (standard output if not said) can show.

    ``color`` is what ``--color`` says: ``always``, ``never``, or ``auto``, which goes by the
    environment (``NO_COLOR``, ``FORCE_COLOR``, ``TERM=dumb``) and by whether it is a terminal.
    """
    stream = stream or sys.stdout
    return Screen(width_of(stream), _in_color(stream, color), not can_write(DRAWN, stream))


def writable(text: str, stream: TextIO) -> str:
    """Return a text in the alphabet of a stream: ``Ines`` where it knows no ``ê``."""
    if can_write(text, stream):
        return text
    from unicodedata import combining, normalize

    bare = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return bare.encode(stream.encoding, "replace").decode(stream.encoding)


def can_write(text: str, stream: TextIO) -> bool:
    """Tell whether the alphabet of a stream has all letters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width_of(stream: TextIO) -> int:
    """Return how many columns a stream has: ``COLUMNS`` if it is a number, else what the terminal
    says, else 80.
    """
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isascii() and columns.isdigit() and len(columns) < 6 else 0
    if not width and stream.isatty():
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except OSError:
            width = 0
    return min(max(width or WIDTH, NARROWEST), WIDEST)


def _in_color(stream: TextIO, color: str) -> bool:
    if color != AUTO:
        return color == ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    if os.environ.get("TERM") in ("dumb", "unknown"):
        return False
    return stream.isatty()
