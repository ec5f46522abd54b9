"""Characters: which must not be in a file, what the others are, and how they are shown.

Nothing here depends on the Unicode tables of the Python that runs it, because they grow with every
version: what is a valid record today has to be one everywhere and forever, with the same
fingerprint.

At the end: how names of files and players are quoted for commands that users may copy to a shell.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect
from functools import cache
from pathlib import Path

BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Characters that end a line for some programs and not for others: what follows looks like a part
of a comment here and like a turn there."""
_BARE_RETURN = r"\r(?!\n)"
CONTROLS = (
    "\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff"
)
"""Characters that erase, color, ring or change the direction of what follows; surrogates; and
noncharacters. Unicode has promised not to change what it says of these."""

VARIATION_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks that choose the shape of the character before them, like ❤ in red."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Printable characters that show nothing, the lowest one first: below it no character hides, so
that for a Latin name no pattern has to be compiled."""

_LATIN_END = "\u0370"
"""All versions of Unicode agree about the characters below this one."""


def find_forbidden(text: str, *, lines: bool = True) -> int | None:
    """Return the index of the first character that must not be in a text, or None.

    In ``lines`` a carriage return may come before a line feed.
    """
    if text.replace("\r\n" if lines else "\n", "\n").replace("\n", "").isprintable():
        return None  # What is forbidden is printable in no version of Unicode.
    found = re.search(rf"{_BARE_RETURN if lines else BREAKS[0]}|[{BREAKS[1:]}{CONTROLS}]", text)
    return found.start() if found else None


def ends_a_line(char: str) -> bool:
    """Return whether a forbidden character is one that ends a line for some programs."""
    return re.match(f"[{BREAKS}]", char) is not None


def is_printable(text: str) -> bool:
    """Return whether all characters of a text are printable in Unicode 14."""
    if max(text, default="") < _LATIN_END:
        return text.isprintable()
    return "\0" not in as_latin(text)


def find_invisible(text: str) -> int | None:
    """Return the index of the first character that is invisible or newer than Unicode 14."""
    unprintable = as_latin(text).find("\0") if not is_printable(text) else -1
    found = None
    if max(text, default="") >= _BLANKS[0]:
        found = re.search(f"[{_BLANKS}]|^[{VARIATION_SELECTORS}]", text)
    places = [place for place in (unprintable, found.start() if found else -1) if place >= 0]
    return min(places, default=None)


def without_selectors(text: str) -> str:
    """Return a text without the invisible marks that choose the shape of a character."""
    return text if text.isascii() else re.sub(f"[{VARIATION_SELECTORS}]", "", text)


def as_latin(text: str) -> str:
    """Return a text with stand-ins for what is not Latin, so that patterns can judge it.

    A letter becomes ``ß``, a decimal digit ``0``, another printable character ``¶``, and anything
    else NUL.
    """
    return "".join(
        _stand_in(char) if char >= _LATIN_END else char if char.isprintable() else "\0"
        for char in text
    )


_STAND_INS = {"w": "ß", "d": "0", "p": "¶", "x": "\0"}


def _stand_in(char: str) -> str:
    starts, kinds = _table()
    return _STAND_INS[kinds[bisect(starts, ord(char)) - 1]]


@cache
def _table() -> tuple[list[int], str]:
    """Return the first character of each run of characters of one kind, and the kinds."""
    starts = []
    start = ord(_LATIN_END)
    lines = Path(__file__).with_name("unicode-14.txt").read_text("ascii").splitlines()
    runs = [run for line in lines if not line.startswith("#") for run in line.split()]
    for run in runs:
        starts.append(start)
        start += int(run[1:], 16)
    return starts, "".join(run[0] for run in runs)


NOT_PRINTABLE = (
    "["
    "\x00-\x1f\x7f-\x9f"  # controls: they erase, color, ring, or end the line
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # they change the direction, or hide
    "\ud800-\udfff"  # bytes of a file name that are not UTF-8, as Python keeps them
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # noncharacters, or without a shape
    "\U000e0000-\U000e007f"
    "]"
)
"""The characters that messages do not show as they are. Not those that Python calls so: these
differ between its versions, and include spaces and joiners that names in some scripts need."""
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF
"""How Python keeps the bytes 0x80 to 0xFF of a file name that is not UTF-8."""


def printable(text: str) -> str:
    r"""Return a text as messages show it: ``\x1b`` for Escape, ``\xff`` for a byte not UTF-8.

    Visible characters stay as they are, the backslash too.
    """
    # Usually there is nothing to do, and then nothing is compiled.
    return text if text.isprintable() else re.sub(NOT_PRINTABLE, _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code == 0x0A:
        return r"\n"
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        code -= 0xDC00
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# -- Quoting for a shell
#
# One form serves bash, dash, zsh and fish, based on what they have in common: a backslash outside
# quotes escapes the next character; nothing between single quotes is special, except that in fish
# a backslash may be; printf understands \ooo; and "$(…)" is one word.


FILE = "FILE"
"""Placeholder for a record in commands where its name is not known."""
_PLAIN = frozenset("+-./:=@_")
_SPECIAL_IN_DOUBLE_QUOTES = frozenset('"$`!\\')
_LITERAL_FOR_PRINTF = frozenset("./_ -")


def quoted(word: str) -> str:
    r"""Return a word for a shell, in quotes if necessary.

    Invisible characters are written for ``printf``. A newline at the end would be lost: for file
    names see :func:`file_word`, and player names have none.
    """
    if _is_plain(word):
        return word
    if sys.platform == "win32":
        return _quoted_on_windows(word)
    if printable(word) != word:
        return f"\"$(printf '{_spelled(word)}')\""
    if not _SPECIAL_IN_DOUBLE_QUOTES & set(word):
        return f'"{word}"'
    return "".join(
        f"\\{part}" if part in ("'", "\\") else f"'{part}'"
        for part in re.split(r"(['\\])", word)
        if part
    )


def file_word(name: str) -> str:
    """Return a file name for a command: ``./-g.yaml``, so that it is not taken for an option.

    For standard input, and a name that cannot be quoted on one line, return ``FILE``.
    """
    if name == "-" or name.endswith("\n"):
        return FILE
    return quoted(f"./{name}" if name.startswith("-") else name)


def option(flag: str, value: str) -> str:
    """Return an option with its value: ``--as Inês``, ``--as=-x``."""
    return quoted(f"{flag}={value}") if value.startswith("-") else f"{flag} {quoted(value)}"


def _is_plain(word: str) -> bool:
    """Return whether a word needs no quotes in any shell.

    ``=ls`` is special in zsh, ``@ls`` in PowerShell.
    """
    return (
        word != ""
        and not word.startswith(("=", "@"))
        and all(letter.isalnum() or letter in _PLAIN for letter in word)
    )


def _spelled(word: str) -> str:
    r"""Return a word as a ``printf`` format: letters as they are, the rest as ``\ooo``."""
    return "".join(
        letter
        if letter.isalnum() or (letter in _LITERAL_FOR_PRINTF and (nth or letter != "-"))
        else "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
        for nth, letter in enumerate(word)
    )


def _quoted_on_windows(word: str) -> str:
    """Return a word for cmd and PowerShell.

    They have double quotes in common, but no common way to escape special characters within them;
    these become question marks, so that the command matches no file or player and does no harm.
    """
    return '"' + re.sub('["%$`\u201c-\u201f]', "?", printable(word)) + '"'


STANDARD_INPUT = "standard input"


def word_of(name: str) -> str:
    """Return how commands name a file that was read."""
    return FILE if name == STANDARD_INPUT else file_word(name)


def command(move: str, path: str, player: str | None = None) -> str:
    """Return the command that makes a move; ``player`` if it has to name one."""
    verb, *rest = move.split()
    named = [option("--as", player)] if player is not None else []
    return " ".join(["porto", verb, path, *map(quoted, rest), *named])
