"""The catalog of commands: their names and modules, and what else people call them.

The commands that make moves are the verbs of all games.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from porto_cli import __version__
from porto_cli.core.message import Sentence, say
from porto_cli.game import BOX, GAMES

MOVES = "turn"
"""The module of the commands that make moves: the verbs of all games."""

COMMANDS = {
    "new": "new",
    "join": "join",
    **{verb: MOVES for meta in BOX.values() for verb in meta.verbs},
    "show": "show",
    "moves": "show",
    "try": "trial",
    "order": "order",
    "seat": "seat",
    "hint": "hint",
    "log": "show",
    "score": "show",
    "analyze": "hint",
    "reveal": "join",
    "verify": "verify",
    "play": "play",
    "mail": "mail",
    "receive": "receive",
    "address": "people",
    "scenario": "scenario",
    "simulate": "simulate",
    "rules": "rules",
    "games": "games",
    "me": "people",
    "key": "key",
    "help": "help",
}
"""Each command and the module that has it."""

_OTHER_WORDS = {
    "new": ("start", "create", "init"),
    "undo": ("revert",),
    "show": ("board", "view", "print", "state", "status", "table"),
    "moves": ("legal", "options"),
    "hint": ("advice", "suggest", "best"),
    "try": ("what-if", "whatif", "imagine", "plan"),
    "seat": ("leave", "replace", "substitute", "takeover", "handover"),
    "order": ("orders", "premove", "ahead", "conditional"),
    "log": ("history", "story"),
    "score": ("points", "standings"),
    "verify": ("check", "validate"),
    "play": ("resume", "continue", "go"),
    "scenario": ("test",),
    "mail": ("send", "email"),
    "address": ("addresses", "contact"),
    "key": ("keys", "identity", "backup"),
    "games": ("list", "ls"),
    "me": ("name", "whoami", "login", "settings", "config"),
}
"""Other words that people type for commands. Games add some for their verbs."""

_SAVED = say("Every command saves the game and ends, so that there is nothing to save or to quit.")
_WITHOUT_A_COMMAND = {
    **dict.fromkeys(("save", "quit", "exit", "stop", "close"), (_SAVED, ("play", "games"))),
    **dict.fromkeys(
        ("bots", "bot", "players", "levels", "computer", "ai"),
        (
            say(
                "A bot is a player that is a program: name it when you set up a game, and how well "
                "it plays."
            ),
            ("new friday.yaml Inês --bot 'Rui 4'", "play", "help new"),
        ),
    ),
    "tournament": (
        say("A round robin of players that are programs is a simulation with --seats."),
        ("simulate greedy level-2 level-3 --seats 2 --games 10",),
    ),
    **dict.fromkeys(
        ("remind", "reminder", "nudge"),
        (
            say("A reminder is a mail, in each game of a folder that has waited for so long."),
            ("mail --remind . --after 3d",),
        ),
    ),
}
"""Words for what no command is needed for: what to know, and command lines that help."""
_VERSION = "version"


_OF_A_RECORD = (MOVES, "show", "trial", "hint", "verify", "mail")
"""Modules whose commands need the file of a record."""


def verbs_elsewhere() -> list[str]:
    """Return the verbs that only games of other packages have, which are looked for."""
    found = [verb for meta in GAMES.values() for verb in meta.verbs]
    return [verb for verb in dict.fromkeys(found) if verb not in COMMANDS]


def module_of(name: str) -> str | None:
    """Return the module of a command; ``None`` if there is none of this name."""
    return COMMANDS.get(name) or (MOVES if name in verbs_elsewhere() else None)


def games_meant(name: str, args: Sequence[str]) -> tuple[str, ...]:
    """Return the games whose words and options a command takes, given what was typed.

    These are the games of the box, and before them the one of another package that is named by
    ``--game``, or by the record of a move. Where help is wanted, and where no game of the box has
    the verb, they are all games; ``porto help`` explains the commands for the one that it is given.
    """
    named = _named(args)
    explaining = tuple(args[:1]) == ("help",)
    if explaining and named and named in GAMES:
        return (named,)
    if explaining or "--help" in args or "-h" in args or name not in COMMANDS:
        return tuple(GAMES)
    if not named and (COMMANDS[name] == MOVES or name == "moves"):
        named = _game_of_record(args[1:])
    # Of two options of one name the first one counts: that of the game that is played.
    return (named, *BOX) if named and named not in BOX and named in GAMES else tuple(BOX)


def _named(args: Sequence[str]) -> str:
    """Return the value of ``--game``, or nothing."""
    named = next((word.partition("=")[2] for word in args if word.startswith("--game=")), "")
    if "--game" in args[:-1]:
        named = args[args.index("--game") + 1]
    return named.lower()


def _game_of_record(words: Sequence[str]) -> str:
    """Return the game that the record among these words names, or nothing; it is only looked at."""
    from porto_cli.core.files import expanded
    from porto_cli.match.record_files import game_named_in, meant

    for word in words:
        path = meant(expanded(Path(word)))
        if not word.startswith("-") and os.path.isfile(path):
            return game_named_in(path)
    return ""


def no_such_command(args: Sequence[str]) -> NoReturn:
    """Say that the first word is no command, and which command line is meant (exit code 2)."""
    from typer import Exit

    from porto_cli.cli.common import command_line
    from porto_cli.cli.rules import thing_like
    from porto_cli.core.characters import FILE, quoted
    from porto_cli.core.message import usage
    from porto_cli.match.record_files import SCENARIO, has_suffix, kind_of, meant, only_record

    word, *rest = args
    if word.lower() == _VERSION:
        if rest:
            usage(
                say("'porto version' does not take {words!r}.", words=" ".join(rest)),
                suggestions=["porto version"],
            )
        print(f"porto {__version__}")
        raise Exit
    if word.lower() in _WITHOUT_A_COMMAND:
        sentence, lines = _WITHOUT_A_COMMAND[word.lower()]
        usage(
            say("There is no command {word!r}.", word=word),
            sentence,
            suggestions=[f"porto {line}" for line in lines],
        )
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
            say(
                "{word} is not a command, and there is no such file; it can be that of a new game.",
                word=word,
            ),
            suggestions=[command_line("play", word)],
        )
    close, thing = closest(word), thing_like(word)
    verb = _synonyms().get(thing, "")
    named = [thing] if thing and (thing == word.lower() or close in ("", verb)) else []
    about = [command_line("rules", one) for one in named]
    close = verb if named else close
    if close:
        words = [command_line(close), *map(quoted, rest), *named]
        if COMMANDS.get(close) in _OF_A_RECORD and not (rest and not rest[0].startswith("-")):
            words.insert(1, only_record() or FILE)
        usage(did_you_mean(word, close), suggestions=[" ".join(words), *about])
    if about:
        usage(
            say("There is no command {word!r}; this says what {thing} is.", word=word, thing=thing),
            suggestions=about,
        )
    usage(say("There is no command {word!r}; 'porto help' lists all of them.", word=word))


def did_you_mean(word: str, command: str) -> Sentence:
    """Say that a word is no command, and which one is meant."""
    return say(
        "There is no command {word!r}; did you mean {command!r}?", word=word, command=command
    )


def closest(word: str) -> str:
    """Return the command that a word means or nearly is, or nothing."""
    from difflib import get_close_matches

    others = _synonyms() | {word: name for name, words in _OTHER_WORDS.items() for word in words}
    meanings = {**others, **{name: name for name in COMMANDS}}
    lower = word.lower()
    if lower in meanings:
        return meanings[lower]
    begun = {meaning for name, meaning in meanings.items() if name.startswith(lower)}
    if len(begun) == 1:
        return begun.pop()
    # One wrong letter of three leaves only two thirds of a word.
    close = get_close_matches(lower, COMMANDS, n=1, cutoff=0.7 if len(lower) > 3 else 0.6)
    close = close or get_close_matches(lower, others, n=1, cutoff=0.8)
    return meanings[close[0]] if close else ""


def _synonyms() -> dict[str, str]:
    """Return other words for the verbs of the games in the box."""
    from porto_cli.commands import commands_of

    return {word: verb for game in BOX for word, verb in commands_of(game).synonyms.items()}
