"""The catalog of commands: what each is called, in which module it is, and what it is for.

The commands that make moves are the verbs of all games.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from porto_cli import __version__
from porto_cli.core.message import nearest, shown
from porto_cli.game import BOX, GAMES

MOVES = "turn"
"""The module of the commands that make moves: the verbs of all games."""


class CommandEntry(NamedTuple):
    """A command that is no move.

    ``module``    where it is
    ``brief``     what it is for, on the first screen
    ``others``    other words that people type for it
    ``examples``  command lines without ``porto``
    """

    module: str
    brief: str
    others: str
    examples: tuple[str, ...]


def _listed(module: str, brief: str, others: str, *examples: str) -> CommandEntry:
    return CommandEntry(module, brief, others, examples)


GROUPS = {
    "Start and continue": {
        "play": _listed(
            "play", "play by menus", "resume continue go", "play", "play friday.yaml --as Joana"
        ),
        "new": _listed(
            "new",
            "set up a game",
            "start create init",
            "new friday.yaml Inês Joana Afonso",
            "new friday.yaml Inês --bot 'Rui 4'",
        ),
        "games": _listed("games", "list your games", "list ls", "games"),
        "me": _listed("people", "your name", "name whoami login settings config", "me Ana"),
        "seat": _listed(
            "seat",
            "who leaves a game",
            "leave replace substitute takeover handover",
            "seat friday.yaml Joana --to Bea",
            "seat friday.yaml Joana --bot 3",
        ),
    },
    "Look": {
        "show": _listed(
            "show",
            "the table",
            "board view print state status table",
            "show friday.yaml --as Inês",
            "show friday.yaml --format svg -o friday.svg",
        ),
        "moves": _listed("show", "what you can do", "legal options", "moves friday.yaml"),
        "score": _listed("show", "who is ahead", "points standings", "score friday.yaml"),
        "log": _listed(
            "show",
            "what happened",
            "history story",
            "log friday.yaml --since last",
            "log friday.yaml --format html -o friday.html",
        ),
        "rules": _listed("rules", "the rules", "", "rules P-BUILD-5", "rules roof space"),
        "help": _listed("help", "explain a command", "", "help build", "help all"),
    },
    "Improve": {
        "try": _listed(
            "trial",
            "what moves would bring",
            "what-if whatif imagine plan",
            'try friday.yaml "draw purple-1" "Joana: draw purple-2" "draw yellow-1"',
        ),
        "order": _listed(
            "order",
            "moves ahead",
            "orders premove ahead conditional",
            "order sunday.yaml always captain most-vp --as Inês",
        ),
        "hint": _listed(
            "hint", "the best moves", "advice suggest best", "hint friday.yaml --as Inês"
        ),
        "analyze": _listed("hint", "your mistakes", "", "analyze friday.yaml"),
    },
    "Mail": {
        "mail": _listed(
            "mail",
            "send a game",
            "send email",
            "mail friday.yaml",
            "mail friday.yaml --output turn.eml",
            "mail --remind . --after 5d --send",
        ),
        "receive": _listed(
            "receive", "read one from a mail", "", "receive friday.eml", "receive inbox --dry-run"
        ),
        "address": _listed(
            "people", "e-mail addresses", "addresses contact", "address Rui rui@example.org"
        ),
    },
    "Trust": {
        "verify": _listed(
            "verify",
            "check records",
            "check validate",
            "verify --bots friday.yaml",
            "verify mine.yaml theirs.yaml",
        ),
        "key": _listed(
            "key", "your own key", "keys identity backup", "key", "key export porto-key.txt"
        ),
        "join": _listed("join", "begin a sealed game", "", "join friday.yaml --as Joana"),
        "reveal": _listed("join", "end one", "", "reveal friday.yaml"),
    },
    "Laboratory": {
        "scenario": _listed(
            "scenario",
            "rules questions",
            "test",
            "scenario",
            "scenario -k P-BUILD-5 --explain",
        ),
        "simulate": _listed(
            "simulate",
            "who plays better",
            "",
            "simulate greedy random --games 20",
            "simulate greedy level-2 level-3 --seats 2 --games 10",
        ),
    },
}
"""The commands that are no moves, in groups, as the first screen shows them."""

LISTED = {name: one for group in GROUPS.values() for name, one in group.items()}
COMMANDS = {
    **{verb: MOVES for meta in BOX.values() for verb in meta.verbs},
    **{name: one.module for name, one in LISTED.items()},
}
"""Each command and the module that has it."""

_SAVED = "Every command saves the game and ends, so that there is nothing to save or to quit."
_WITHOUT_A_COMMAND = {
    "save quit exit stop close": (_SAVED, ("play", "games")),
    "bots bot players levels computer ai": (
        "A bot is a player that is a program: name it when you set up a game, and how well it "
        "plays.",
        ("new friday.yaml Inês --bot 'Rui 4'", "play", "help new"),
    ),
    "tournament": (
        "A round robin of players that are programs is a simulation with --seats.",
        ("simulate greedy level-2 level-3 --seats 2 --games 10",),
    ),
    "remind reminder nudge": (
        "A reminder is a mail, in each game of a folder that has waited for so long.",
        ("mail --remind . --after 3d",),
    ),
}
"""Words for what no command is needed for: what to know, and command lines that help."""


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
    if word.lower() == "version" and not rest:
        print(f"porto {__version__}")
        raise Exit
    for others, (sentence, lines) in _WITHOUT_A_COMMAND.items():
        if word.lower() in others.split():
            usage(
                f"There is no command {shown(word)}.",
                f"{sentence}",
                suggestions=[f"porto {line}" for line in lines],
            )
    file = meant(Path(word))
    if os.path.isfile(file):
        reader = "scenario" if kind_of(file) == SCENARIO else "show"
        command, *words = rest if rest and rest[0] in COMMANDS else [reader]
        usage(
            f"{word} is a file, not a command; the command comes first.",
            suggestions=[command_line(command, str(file), *words)],
        )
    if has_suffix(file):
        usage(
            (f"{word} is not a command, and there is no such file; it can be that of a new game."),
            suggestions=[command_line("play", word)],
        )
    near, thing = did_you_mean(word), thing_like(word)
    verb = _synonyms().get(thing, "")
    named = [thing] if thing and (thing == word.lower() or near in ("", verb)) else []
    about = [command_line("rules", one) for one in named]
    near = verb if named else near
    if near:
        line = [command_line(near), *map(quoted, rest), *named]
        if COMMANDS.get(near) in _OF_A_RECORD and not (rest and not rest[0].startswith("-")):
            line.insert(1, only_record() or FILE)
        usage(
            f"There is no command {shown(word)}; did you mean {shown(near)}?",
            suggestions=[" ".join(line), *about],
        )
    usage(
        f"There is no command {shown(word)}; this says what {thing} is."
        if about
        else f"There is no command {shown(word)}; 'porto help' lists all of them.",
        suggestions=about,
    )


def did_you_mean(word: str, topics: Sequence[str] = ()) -> str:
    """Return the command that a word means or nearly is, or one of the ``topics`` of the help; or
    nothing.
    """
    meanings = _synonyms()
    meanings |= {other: name for name, one in LISTED.items() for other in one.others.split()}
    names = (*COMMANDS, *topics)
    meanings |= {name: name for name in names}
    lower = word.lower()
    begun = {meaning for name, meaning in meanings.items() if name.startswith(lower)}
    begun |= {topic for topic in topics if lower.startswith(topic)}
    if lower in meanings or len(begun) == 1:
        return meanings.get(lower) or begun.pop()
    # One wrong letter of three leaves only two thirds of a word.
    name = nearest(lower, names, 0.7 if len(lower) > 3 else 0.6)
    return name or meanings.get(nearest(lower, meanings, 0.8), "")


def _synonyms() -> dict[str, str]:
    """Return other words for the verbs of the games in the box."""
    from porto_cli.commands import commands_of

    found = {word: verb for game in BOX for word, verb in commands_of(game).synonyms.items()}
    return {**found, "revert": "undo"}
