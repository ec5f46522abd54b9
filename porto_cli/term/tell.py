"""Sentences as a person reads them: on a terminal broken between words, commands left whole.

In a pipe or a file each sentence stays one line, which is what programs look for.
"""

from __future__ import annotations

import re
import sys
from typing import TextIO

from porto_cli.core.documents import dumps
from porto_cli.core.message import PortoError, printable
from porto_cli.term.screen import can_write, width_of
from porto_cli.term.spans import PLAIN, cells, flow, plain

WIDEST = 80
"""Columns of what explains something, even on a wide screen: longer lines are hard to read."""
PROGRAM = "porto"
_CHUNKS = rf"'{PROGRAM}\b[^']*'\S*|\S+"
"""Words, and commands in quotes as one."""


def tell(*sentences: str, stream: TextIO | None = None) -> None:
    """Print sentences, each on lines of its own; on standard output if not said otherwise."""
    stream = stream or sys.stdout
    for sentence in sentences:
        print("\n".join(lines_of(sentence, stream)), file=stream)


def remark(*sentences: str) -> None:
    """Print sentences on standard error: what is said besides what a command was asked for."""
    tell(*sentences, stream=sys.stderr)


def complain(error: PortoError) -> None:
    """Print an error that ends nothing on standard error, and the commands that would be right."""
    remark(*error.sentences, *(f"  {command}" for command in error.suggestions))


def lines_of(text: str, stream: TextIO) -> list[str]:
    """Return a text as it is printed on a stream. What would steer a terminal is escaped."""
    if not stream.isatty():
        return [printable(text)]
    return broken(printable(text), width_of(stream))


def json_line(thing: object, stream: TextIO) -> str:
    """Return a document as a line of JSON for a stream, with escapes where its encoding lacks a
    character.
    """
    line = dumps(thing)
    return line if can_write(line, stream) else dumps(thing, ascii_only=True)


def broken(text: str, width: int) -> list[str]:
    """Return a line as lines of a width, where it is wider.

    It is broken between words, and as far indented as it was. A command behind a colon stays whole,
    if need be on a line of its own, so that it can be copied; so does one in quotes.
    """
    words = text.lstrip()
    if cells(text) <= width or words.startswith(f"{PROGRAM} "):
        return [text]
    blanks = text[: -len(words)]
    prose, colon, command = words.rpartition(f": {PROGRAM} ")
    chunks = ([(chunk, PLAIN)] for chunk in re.findall(_CHUNKS, f"{prose}:" if colon else words))
    found = flow(chunks, width, first=[(blanks, PLAIN)], indent=len(blanks))
    lines = [plain(line) for line in found]
    if colon:
        command = f"{PROGRAM} {command}"
        if cells(lines[-1]) + 1 + cells(command) <= width:
            lines[-1] += f" {command}"
        else:
            lines.append(f"{blanks}  {command}")
    return lines
