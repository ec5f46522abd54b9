"""Sentences as a person reads them: on a terminal broken between words, commands left whole.

In a pipe or a file each sentence stays one line, which is what programs look for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TextIO

from porto_cli.core.characters import printable

WIDEST = 80
"""Columns of an explanation, even on a wide screen: longer lines are hard to read."""
PROGRAM = "porto"
_COMMAND_BEHIND = f": {PROGRAM} "
_QUOTED = f"'{PROGRAM}"


def tell(*sentences: object, stream: TextIO | None = None) -> None:
    """Print sentences, each on lines of its own; on standard output if not said otherwise."""
    stream = stream or sys.stdout
    for sentence in sentences:
        print("\n".join(lines_of(printable(str(sentence)), stream)), file=stream)


def remark(*sentences: object) -> None:
    """Print sentences on standard error: what is said besides what a command was asked for."""
    tell(*sentences, stream=sys.stderr)


def lines_of(text: str, stream: TextIO) -> list[str]:
    """Return a text as it is printed on a stream."""
    if not stream.isatty():
        return [text]
    from porto_cli.term.screen import width_of

    width = width_of(stream)
    return [line for part in text.split("\n") for line in broken(part, width)]


def explanation(
    text: str, first: str = "", others: str | None = None, *, width: int | None = None
) -> list[str]:
    """Return a text as lines of a width, if not given that of the screen or :data:`WIDEST`.

    The lines begin with ``first``, all but the first with ``others`` if that is given.
    """
    import textwrap

    from porto_cli.term.screen import screen_of

    return textwrap.wrap(
        text,
        min(screen_of().width, WIDEST) if width is None else width,
        initial_indent=first,
        subsequent_indent=first if others is None else others,
        break_on_hyphens=False,
    )


def broken(text: str, width: int) -> list[str]:
    """Return a line as lines of a width, where it is wider.

    It is broken between words, and as far indented as it was. A command behind a colon stays whole,
    if need be on a line of its own, so that it can be copied; so does one in quotes.
    """
    from porto_cli.term.spans import PLAIN, cells, flow, plain

    words = text.strip()
    if cells(text) <= width or words.startswith(f"{PROGRAM} "):
        return [text]
    indent = len(text) - len(text.lstrip())
    prose, colon, rest = words.rpartition(_COMMAND_BEHIND)
    prose = f"{prose}:" if colon else words
    chunks = ([(chunk, PLAIN)] for chunk in _chunks(prose))
    blank = [(" " * indent, PLAIN)]
    lines = [plain(line) for line in flow(chunks, width, first=blank, indent=indent)]
    if colon:
        command = f"{PROGRAM} {rest}"
        if cells(lines[-1]) + 1 + cells(command) <= width:
            lines[-1] += f" {command}"
        else:
            lines.append(f"{' ' * indent}  {command}")
    return lines


def _chunks(prose: str) -> Iterator[str]:
    """Yield the words of a text, and commands in quotes as one."""
    quoted: list[str] = []
    for word in prose.split(" "):
        if quoted or word.startswith(_QUOTED):
            quoted.append(word)
            if "'" in word[word.startswith("'") :]:
                yield " ".join(quoted)
                quoted = []
        elif word:
            yield word
    yield from quoted
