"""Characters: which ones a file must not contain, what the others are, and how they are shown.

Nothing here depends on the Unicode tables of the Python that runs it, because they grow with
every version: what is a valid record today has to be one everywhere and forever, with the same
digest.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache
from pathlib import Path
from unicodedata import combining, normalize

BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Characters that end a line in some programs and not in others: what follows them could look like
part of a comment here and like a turn there."""
_BARE_RETURN = r"\r(?!\n)"
CONTROLS = (
    "\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff"
)
"""Characters that erase, color, ring or change the direction of what follows; surrogates; and
noncharacters. Unicode promises never to change their properties."""

VARIATION_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks that choose the shape of the character before them, like ❤ in red."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Printable characters that show nothing. The lowest comes first: text below it needs no search, so
no pattern has to be compiled for a Latin name."""

_LATIN_END = "\u0370"
"""All versions of Unicode agree on the characters below this one."""


def find_forbidden(text: str, *, lines: bool = True) -> int | None:
    """Return the index of the first character that must not be in a text, or None.

    With ``lines``, a carriage return is allowed before a line feed.
    """
    if text.replace("\r\n" if lines else "\n", "\n").replace("\n", "").isprintable():
        return None  # What is forbidden is printable in no version of Unicode.
    match = re.search(rf"{_BARE_RETURN if lines else BREAKS[0]}|[{BREAKS[1:]}{CONTROLS}]", text)
    return match.start() if match else None


def ends_a_line(char: str) -> bool:
    """Return whether a forbidden character ends a line in some programs."""
    return re.match(f"[{BREAKS}]", char) is not None


def is_printable(text: str) -> bool:
    """Return whether all characters of a text are printable in Unicode 14."""
    return "\0" not in as_latin(text)


def find_invisible(text: str) -> int | None:
    """Return the index of the first character that is invisible or newer than Unicode 14."""
    places = [as_latin(text).find("\0")]
    if max(text, default="") >= _BLANKS[0]:
        blanks = re.finditer(f"[{_BLANKS}]|^[{VARIATION_SELECTORS}]", text)
        places += (found.start() for found in blanks)
    return min((place for place in places if place >= 0), default=None)


def without_selectors(text: str) -> str:
    """Return a text without the invisible marks that choose the shape of a character."""
    return text if text.isascii() else re.sub(f"[{VARIATION_SELECTORS}]", "", text)


def without_accents(text: str) -> str:
    """Return a text whose letters have no accents."""
    if text.isascii():
        return text
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents and punctuation."""
    plain = without_accents(text).casefold()
    return "".join(char if char.isalnum() else " " for char in plain).split()


def as_latin(text: str) -> str:
    """Return a text with stand-ins for what is not Latin, for patterns to match.

    A letter becomes ``ß``, a decimal digit ``0``, another printable character ``¶``, and anything
    else NUL.
    """
    if text.isprintable() and max(text, default="") < _LATIN_END:
        return text
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
"""The characters that messages escape. This is not Python's own notion of printable, which differs
between its versions and excludes spaces and joiners that names in some scripts need."""


def printable(text: str) -> str:
    r"""Return a text as messages show it: ``\x1b`` for Escape, ``\xff`` for a byte outside UTF-8.

    Visible characters stay as they are, the backslash too.
    """
    # Usually nothing has to be escaped, so no pattern is compiled.
    return text if text.isprintable() else re.sub(NOT_PRINTABLE, _escaped, text)


def in_one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in text).strip()


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    if "\udc80" <= char <= "\udcff":
        # Python keeps the bytes 0x80 to 0xFF of a file name that is not UTF-8 like this.
        char = chr(ord(char) - 0xDC00)
    return char.encode("unicode_escape").decode()
