"""What somebody meant who typed a command that there is not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from porto_cli.cli.command_table import COMMANDS
from porto_cli.cli.common import command_line
from porto_cli.commands import commands_of
from porto_cli.core.command_errors import usage
from porto_cli.core.message import Sentence, say
from porto_cli.game import BOX
from porto_cli.match.record_files import SCENARIO, has_suffix, kind_of, meant

OTHER_WORDS = {
    "start": "new",
    "create": "new",
    "init": "new",
    **{word: verb for game in BOX for word, verb in commands_of(game).synonyms.items()},
    "revert": "undo",
    "board": "show",
    "view": "show",
    "print": "show",
    "state": "show",
    "status": "show",
    "table": "show",
    "legal": "moves",
    "options": "moves",
    "advice": "hint",
    "suggest": "hint",
    "best": "hint",
    "history": "log",
    "story": "log",
    "points": "score",
    "standings": "score",
    "check": "verify",
    "validate": "verify",
    "resume": "play",
    "continue": "play",
    "test": "scenario",
    "send": "mail",
    "email": "mail",
    "addresses": "address",
    "contact": "address",
    "keys": "key",
    "identity": "key",
    "passphrase": "key",
}
"""What people call some of the commands elsewhere."""


def no_such_command(args: Sequence[str]) -> NoReturn:
    """Say that the first word is no command, and which command line is meant (exit code 2)."""
    word, *rest = args
    file = meant(Path(word))
    if os.path.isfile(file):
        reader = "scenario" if kind_of(file) == SCENARIO else "show"
        usage(
            say("{word} is a file, not a command; the command comes first.", word=word),
            suggestions=[
                command_line(rest[0], str(file), *rest[1:])
                if rest and rest[0] in COMMANDS
                else command_line(reader, str(file))
            ],
        )
    if has_suffix(file):
        usage(
            say("{word} is no command, and there is no such file. To start a game:", word=word),
            suggestions=[command_line("play", word)],
        )
    close = closest(word)
    if close:
        usage(did_you_mean(word, close), suggestions=[command_line(close, *rest)])
    usage(say("There is no command {word!r}; 'porto help' lists all of them.", word=word))


def did_you_mean(word: str, command: str) -> Sentence:
    """Ask whether a word stands for a command."""
    return say(
        "There is no command {word!r}; did you mean {command!r}?", word=word, command=command
    )


def closest(word: str) -> str:
    """Return the command that a word means or nearly is, or nothing."""
    from difflib import get_close_matches

    lower = word.lower()
    meanings = {**OTHER_WORDS, **{name: name for name in COMMANDS}}
    if lower in meanings:
        return meanings[lower]
    begun = {meaning for name, meaning in meanings.items() if name.startswith(lower)}
    if len(begun) == 1:
        return begun.pop()
    close = get_close_matches(lower, COMMANDS, n=1)
    close = close or get_close_matches(lower, OTHER_WORDS, n=1, cutoff=0.8)
    return meanings[close[0]] if close else ""
