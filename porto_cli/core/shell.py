r"""Commands to type: words quoted for a shell.

One form serves bash, dash, zsh and fish, based on what they have in common: a backslash outside
quotes escapes the next character; nothing between single quotes is special, except that in fish
a backslash may be; printf understands \ooo; and "$(…)" is one word.
"""

from __future__ import annotations

import re
import sys

from porto_cli.core.characters import printable

FILE = "FILE"
"""Placeholder for a record of unknown name in commands."""
_PLAIN = frozenset("+-./:=@_")
_SPECIAL_IN_DOUBLE_QUOTES = frozenset('"$`!\\')
_LITERAL_FOR_PRINTF = frozenset("./_ -")


def quoted(word: str) -> str:
    r"""Return a word for a shell, in quotes if necessary.

    Invisible characters are written for ``printf``. A newline at the end would be lost:
    :func:`file_word` handles it for file names, and player names have none.
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
        if letter.isalnum() or (letter in _LITERAL_FOR_PRINTF and (index or letter != "-"))
        else "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
        for index, letter in enumerate(word)
    )


def _quoted_on_windows(word: str) -> str:
    """Return a word for cmd and PowerShell.

    They have double quotes in common, but no common way to escape special characters within them;
    these become question marks, so that the command matches no file or player and does no harm.
    """
    return '"' + re.sub('["%$`\u201c-\u201f]', "?", printable(word)) + '"'


STANDARD_INPUT = "standard input"
"""What messages call a record that was read from there; its ``file`` is that."""


def word_of(name: str) -> str:
    """Return the word for a file that was read, in commands."""
    return FILE if name == STANDARD_INPUT else file_word(name)


def command(move: str, path: str, player: str | None = None) -> str:
    """Return the command that makes a move, with ``--as`` if a ``player`` is given."""
    verb, *rest = move.split()
    as_player = [option("--as", player)] if player is not None else []
    return " ".join(["porto", verb, path, *map(quoted, rest), *as_player])
