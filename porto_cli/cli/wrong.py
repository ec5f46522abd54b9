"""What is said where a command line cannot be run, and which one is meant instead."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from porto_cli import __version__
from porto_cli.cli.commands import COMMANDS, LISTED, command_for, examples_of, takes_a_value
from porto_cli.cli.common import command_line
from porto_cli.cli.rules import thing_like
from porto_cli.core.characters import FILE, file_word, option, quoted
from porto_cli.core.message import PortoError, nearest, shown, usage
from porto_cli.games import BOX, GAMES, commands_of
from porto_cli.match.match import load
from porto_cli.match.record import SCENARIO, has_suffix, kind_of, meant, only_record, the_record

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


def no_such_command(args: Sequence[str]) -> NoReturn:
    """Say that the first word is no command, and which command line is meant (exit code 2)."""
    word, *rest = args
    if word.lower() == "version" and not rest:
        print(f"porto {__version__}")
        raise typer.Exit
    for others, (sentence, lines) in _WITHOUT_A_COMMAND.items():
        if word.lower() in others.split():
            usage(
                f"There is no command {shown(word)}.",
                sentence,
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
            f"{word} is not a command, and there is no such file; it can be that of a new game.",
            suggestions=[command_line("play", word)],
        )
    near, thing = did_you_mean(word), thing_like(word)
    verb = _synonyms().get(thing, "")
    named = [thing] if thing and (thing == word.lower() or near in ("", verb)) else []
    about = [command_line("rules", one) for one in named]
    near = verb if named else near
    if near:
        line = [command_line(near), *map(quoted, rest), *named]
        if _reads_a_record(near) and not (rest and not rest[0].startswith("-")):
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


def _reads_a_record(name: str) -> bool:
    """Return whether a command cannot do without the file of a record that exists."""
    params = command_for(name, ()).params
    files = [one for one in params if one.name in ("file", "files") and one.required]
    return name not in _MAKES_RECORDS and bool(files)


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
    found = {word: verb for game in BOX for word, verb in commands_of(game).synonyms.items()}
    return {**found, "revert": "undo"}


# -- A command line that Typer cannot parse.


def wrong_usage(error: typer.TyperException) -> tuple[str, list[str]]:
    """Return what is wrong with a command line that Typer cannot parse, and what would be right."""
    # Typer documents none of the fields of its errors but those of BadParameter.
    ctx: Any = getattr(error, "ctx", None)
    flag: str = getattr(error, "option_name", "")
    name, helps = ctx.command_path, [" ".join(["porto", "help", *ctx.command_path.split()[1:]])]
    params = ctx.command.get_params(ctx)
    options = [param for param in params if param.param_type_name == "option"]
    by_flag = {one: param for param in options for one in (*param.opts, *param.secondary_opts)}
    if flag and flag not in by_flag:
        names = {known.strip("-"): known for known in by_flag}
        near = nearest(flag.strip("-"), names)
        likely = f"; did you mean {names[near]}?" if near else "."
        return f"'{name}' has no option {flag}{likely}", helps
    if flag and takes_a_value(ctx.command, flag):
        what, meaning = by_flag[flag].make_metavar(ctx), by_flag[flag].help or ""
        return f"After '{flag}', {what} is missing. {flag}: {meaning}", helps
    if isinstance(error, typer.BadParameter) and error.param and not error.message:
        what, meaning = error.param.get_error_hint(ctx).strip("'"), getattr(error.param, "help", "")
        return (
            f"After '{name}', {what} is missing. {what}: {meaning}",
            _examples_here(str(ctx.info_name)) + helps,
        )
    return error.format_message(), helps


def _examples_here(name: str) -> list[str]:
    """Return the examples of a command; those that read a record with the one record of this
    folder, where it can be typed like that: with a move of its game, and for one of its players.
    """
    lines = examples_of(name, tuple(BOX) if name in COMMANDS else tuple(GAMES))
    record = None if name in _MAKES_RECORDS else the_record()
    try:
        match = load(record) if record else None
    except PortoError:
        match = None
    if record is None or match is None:
        return lines
    if name not in LISTED:
        if name not in match.game.meta.verbs:
            return lines
        lines = examples_of(name, (match.game.meta.id,))
    player = option("--as", match.holders[match.people[0]])
    here = file_word(record.name)
    return [
        _AS.sub(lambda _: player, line).replace(_EXAMPLE, here, 1) if _EXAMPLE in line else line
        for line in lines
    ]


_EXAMPLE = "friday.yaml"
"""The record of examples."""
_AS = re.compile(r"--as \S+")
_MAKES_RECORDS = ("new", "join", "play")
"""Commands whose examples are not about a record that exists, or not about any."""
