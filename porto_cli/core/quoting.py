r"""File names and names of players as words of a command that somebody may copy to a shell.

One form serves bash, dash, zsh and fish, so that nobody has to be asked for the shell. It follows
from what they have in common: a backslash outside of quotes takes the next character as it is;
nothing has a meaning between single quotes, except that in fish a backslash may; ``printf`` knows
``\ooo``; and ``"$(…)"`` is one word.
"""

from __future__ import annotations

import re
import sys

from porto_cli.core.printable import printable

FILE = "FILE"
"""Stands for a record in commands where its name is not known."""
_PLAIN = frozenset("+-./:=@_")
_SPECIAL_IN_DOUBLE_QUOTES = frozenset('"$`!\\')
_LITERAL_FOR_PRINTF = frozenset("./_ -")


def quoted(word: str) -> str:
    r"""Return a word as shells take it, in quotes if need be.

    What cannot be seen is spelled for ``printf``. A newline at the end does not survive that: of
    file names see :func:`file_word`, and names of players have none.
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
    """Return a file as commands take it: ``./-g.yaml``, or no option would be meant.

    Standard input, and a name that no shell can be told in one line, is called ``FILE``.
    """
    if name == "-" or name.endswith("\n"):
        return FILE
    return quoted(f"./{name}" if name.startswith("-") else name)


def option(flag: str, value: str) -> str:
    """Return an option with its value: ``--as Inês``, ``--as=-x``."""
    return quoted(f"{flag}={value}") if value.startswith("-") else f"{flag} {quoted(value)}"


def _is_plain(word: str) -> bool:
    """Tell whether no shell sees more in a word than its letters.

    zsh does in ``=ls``, PowerShell in ``@ls``.
    """
    return (
        word != ""
        and not word.startswith(("=", "@"))
        and all(letter.isalnum() or letter in _PLAIN for letter in word)
    )


def _spelled(word: str) -> str:
    r"""Return a word as a format of ``printf``: letters as they are, the rest as ``\ooo``."""
    return "".join(
        letter
        if letter.isalnum() or (letter in _LITERAL_FOR_PRINTF and (nth or letter != "-"))
        else "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
        for nth, letter in enumerate(word)
    )


def _quoted_on_windows(word: str) -> str:
    """Return a word for cmd and PowerShell.

    They have double quotes in common, and no way to write what has a meaning within them; it
    becomes a question mark, so that the command names no file and nobody, and does no harm.
    """
    return '"' + re.sub('["%$`\u201c-\u201f]', "?", printable(word)) + '"'
