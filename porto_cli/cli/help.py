"""What is explained: the first screen, all commands in a sentence each, and ``porto help``, whose
topics are manual pages.

The pages are installed where ``man`` looks; in a checkout they are in its folder ``man``.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from porto_cli.cli.catalog import COMMANDS, closest, did_you_mean, verbs_elsewhere
from porto_cli.cli.common import command_line
from porto_cli.cli.parser import known_game
from porto_cli.commands import commands_of
from porto_cli.core.message import FileError, Sentence, say, usage
from porto_cli.game import GAMES
from porto_cli.term.screen import screen_of
from porto_cli.term.tell import WIDEST, explanation

ALL = "all"
"""The word behind ``porto help`` that asks for all commands."""
_HEADINGS = _NAMES = 22
"""Columns of the headings of the first screen, and of the names of commands behind them."""
_BRIEF = 76
"""Narrower screens show the names of the commands alone."""

Rows = Mapping[str, Sentence]
"""Commands that share a line of the first screen, and what they are for."""

START: tuple[Sentence, Rows] = (
    say("Start and continue"),
    {
        "play": say("play at this keyboard, by menus"),
        "new games": say("set up a game; list your games"),
        "me seat": say("your name; who leaves a game"),
    },
)
OTHERS: tuple[tuple[Sentence, Rows], ...] = (
    (
        say("Look"),
        {
            "show moves": say("the table; what you can do"),
            "score log": say("who is ahead; what happened"),
            "rules help": say("the rules; explain a command"),
        },
    ),
    (
        say("Improve"),
        {
            "try order": say("what moves would bring; moves ahead"),
            "hint analyze": say("the best moves; your mistakes"),
        },
    ),
    (
        say("Mail"),
        {
            "mail receive": say("send a game; read one from a mail"),
            "address": say("e-mail addresses of the players"),
        },
    ),
    (
        say("Trust"),
        {
            "verify key": say("check records; your own key"),
            "join reveal": say("begin and end a sealed game"),
        },
    ),
    (
        say("Laboratory"),
        {
            "scenario": say("positions with questions"),
            "simulate": say("many games; who plays better"),
        },
    ),
)
"""Headings and commands; the moves of the games stand between ``START`` and these."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "new": ("new friday.yaml Inês Joana Afonso", "new friday.yaml Inês --bot 'Rui 4'"),
    "join": ("join friday.yaml --as Joana",),
    "show": ("show friday.yaml --as Inês", "show friday.yaml --format svg -o friday.svg"),
    "moves": ("moves friday.yaml",),
    "try": ('try friday.yaml "draw purple-1" "Joana: draw purple-2" "draw yellow-1"',),
    "seat": ("seat friday.yaml Joana --to Bea", "seat friday.yaml Joana --bot 3"),
    "order": ("order sunday.yaml always captain most-vp --as Inês",),
    "hint": ("hint friday.yaml --as Inês",),
    "log": ("log friday.yaml --since last", "log friday.yaml --format html -o friday.html"),
    "score": ("score friday.yaml",),
    "analyze": ("analyze friday.yaml",),
    "reveal": ("reveal friday.yaml",),
    "verify": ("verify --bots friday.yaml", "verify mine.yaml theirs.yaml"),
    "play": ("play", "play friday.yaml --as Joana"),
    "mail": (
        "mail friday.yaml",
        "mail friday.yaml --output turn.eml",
        "mail --remind . --after 5d --send",
    ),
    "receive": ("receive friday.eml", "receive inbox --dry-run"),
    "address": ("address Rui rui@example.org",),
    "scenario": ("scenario", "scenario -k P-BUILD-5 --explain"),
    "simulate": (
        "simulate greedy random --games 20",
        "simulate greedy level-2 level-3 --seats 2 --games 10",
    ),
    "rules": ("rules P-BUILD-5", "rules roof space"),
    "games": ("games",),
    "me": ("me Ana",),
    "key": ("key", "key export porto-key.txt"),
    "help": ("help build", "help --game puerto-rico"),
}
"""Command lines, without ``porto``, of all commands but the moves, whose games have them."""


def examples_of(name: str, games: Iterable[str]) -> list[str]:
    """Return examples of a command; those of a move say of which game they are if several are."""
    lines = [f"porto {line}" for line in EXAMPLES.get(name, ())]
    verbs = {game: commands_of(game).verbs.get(name) for game in games}
    moves = {
        game: f"porto {name} friday.yaml {verb.example}".rstrip()
        for game, verb in verbs.items()
        if verb is not None and verb.example is not None
    }
    if len(set(moves.values())) > 1:
        return [f"{line}  # {GAMES[game].title}" for game, line in moves.items()]
    return lines or list(dict.fromkeys(moves.values()))


# -- The commands in groups.


def first_screen() -> list[str]:
    """Return the names of all commands in groups, for a terminal of 24 lines; one that is narrow
    has no room for what they are for.
    """
    width = min(screen_of().width, WIDEST)
    lines = explanation(
        str(say("Play the board games Porto and Puerto Rico by text. A game is one file."))
    )
    lines.append("")
    lines += _group(*START, width)
    for meta in GAMES.values():
        lines += _named(say("Moves of {game}", game=meta.title), meta.verbs, width)
    for heading, rows in OTHERS:
        lines += _group(heading, rows, width)
    return [
        *lines,
        "",
        str(say("To start:       porto play")),
        str(say("Or by commands: porto new friday.yaml Inês Joana")),
        str(say("All commands:   porto help all; one of them: porto help draw")),
    ]


def _group(heading: Sentence, rows: Rows, width: int) -> list[str]:
    if width < _BRIEF:
        return _named(heading, names_of(rows), width)
    lines = [
        f"{'':{_HEADINGS}}{', '.join(names.split()):{_NAMES}}{brief}"
        for names, brief in rows.items()
    ]
    return [f"{heading!s:{_HEADINGS}}{lines[0].lstrip()}", *lines[1:]]


def names_of(rows: Rows) -> list[str]:
    """Return the commands of a group."""
    return " ".join(rows).split()


def _named(heading: Sentence, names: Iterable[str], width: int) -> list[str]:
    """Return a group without what its commands are for."""
    margin = " " * _HEADINGS
    lines = textwrap.wrap(", ".join(names), width, initial_indent=margin, subsequent_indent=margin)
    if len(str(heading)) >= _HEADINGS:
        return [str(heading), *lines]
    return [f"{heading!s:{_HEADINGS}}{lines[0].lstrip()}", *lines[1:]]


def _everything(program: Any) -> Iterator[str]:
    """Return all commands, each with what it does in a sentence, and the options without one."""
    purposes = {name: program.command.get_command(program, name).help for name in COMMANDS}
    yield from explanation(" ".join(str(program.command.help).split()))
    yield from _purposes(START[0], names_of(START[1]), purposes)
    for game, meta in GAMES.items():
        verbs = commands_of(game).verbs
        of_game = {verb: verbs[verb].help for verb in meta.verbs}
        yield from _purposes(say("Moves of {game}", game=meta.title), of_game, of_game)
    for heading, rows in OTHERS:
        yield from _purposes(heading, names_of(rows), purposes)
    yield ""
    yield str(say("Options without a command"))
    for param in program.command.get_params(program):
        yield from _line(*param.get_help_record(program))
    yield ""
    topics = ", ".join(TOPICS)
    yield from explanation(str(say("Topics, like 'porto help record': {topics}", topics=topics)))


def _purposes(heading: Sentence, names: Iterable[str], helps: Mapping[str, str]) -> Iterator[str]:
    yield ""
    yield str(heading)
    for name in names:
        first, *_ = cleandoc(helps[name]).split("\n\n")
        yield from _line(name, " ".join(first.split()))


def _line(label: str, text: str) -> list[str]:
    first = f"  {label:12}"
    if len(first) > 14:
        return [f"  {label}", *explanation(text, " " * 14)]
    return explanation(text, first, " " * 14)


# -- The command.


def _beginning(incomplete: str) -> list[str]:
    names = dict.fromkeys((*COMMANDS, *verbs_elsewhere(), *TOPICS, *GAMES, ALL))
    return [name for name in names if name.startswith(incomplete)]


def help(  # noqa: A001 - commands are called like their functions
    ctx: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND|TOPIC]",
            help="The command to explain; 'all' for all of them in a sentence each; or a topic: "
            "config, json, porto, puerto-rico, record, scenarios, sealed. If left out, all "
            "commands are listed in groups.",
            show_default=False,
            autocompletion=_beginning,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Explain what this game has; all games if left out.",
            show_default=False,
            callback=known_game,
            autocompletion=lambda: list(GAMES),
        ),
    ] = None,
) -> None:
    """Explain a command or a topic, or list all commands.

    For a command this is the same as --help after it. For a topic it shows a manual page: the
    rules of Porto or Puerto Rico, the format of records, scenarios, settings (config) or JSON, and
    how sealed games work. With --game, only what this game has is explained; without a command,
    its moves and options are listed.
    """
    program: Any = ctx.parent
    if command is None:
        print("\n".join(_about(game)) if game else program.get_help())
        return
    if command == ALL:
        print("\n".join(_everything(program)))
        return
    _demand_a_command_of(game, command)
    explained = program.command.get_command(program, command)
    if explained is not None:
        explained.make_context(command, ["--help"], parent=program)
    page = page_named(command)
    named = command.lower()
    if named in GAMES and not page:
        page = f"porto-{named}.7" if file_of(f"porto-{named}.7") else ""
    if page:
        show(page)
    elif named in GAMES:
        print("\n".join(_about(named)))
    else:
        _no_such_topic(command)


def _no_such_topic(word: str) -> NoReturn:
    """Say that there is no help about a word, and what may be meant (exit code 2)."""
    from difflib import get_close_matches

    from porto_cli.cli.rules import thing_like

    lower = word.lower()
    nearest = get_close_matches(lower, (*TOPICS, *COMMANDS), n=1, cutoff=0.75)
    nearest = nearest or [topic for topic in TOPICS if lower.startswith(topic)]
    if nearest and nearest[0] in TOPICS:
        usage(
            say("There is no topic {word!r}; did you mean {topic!r}?", word=word, topic=nearest[0]),
            suggestions=[command_line("help", nearest[0])],
        )
    close = closest(word)
    rules = command_line("rules", thing_like(word) or word)
    if close:
        suggestions = [command_line("help", close), rules]
        usage(did_you_mean(word, close), suggestions=suggestions)
    usage(
        say(
            "There is no command or topic {word!r}. The topics are {topics}. The rules of the "
            "games may mention it.",
            word=word,
            topics=", ".join(TOPICS),
        ),
        suggestions=[rules, command_line("help")],
    )


def _demand_a_command_of(game: str | None, command: str) -> None:
    """Refuse a move that only other games have (exit code 2)."""
    is_a_move = any(command in meta.verbs for meta in GAMES.values())
    if game is None or not is_a_move or command in GAMES[game].verbs:
        return
    usage(
        say(
            "{game} has no move {word!r}; its moves are {verbs}.",
            game=GAMES[game].title,
            word=command,
            verbs=", ".join(GAMES[game].verbs),
        )
    )


def _about(game_id: str) -> Iterator[str]:
    """Return what there is to know of a game before it is played, as lines."""
    from porto_cli.installed import manual_of

    own = commands_of(game_id)
    yield from explanation(f"{GAMES[game_id].title}. {own.players}")
    for paragraph in filter(None, manual_of(game_id).split("\n\n")):
        yield ""
        yield from explanation(" ".join(paragraph.split()))
    yield ""
    yield str(say("Moves:"))
    usages = {
        verb: " ".join([verb, *(word.metavar for word in one.words)])
        for verb, one in own.verbs.items()
    }
    for verb, one in own.verbs.items():
        first, *_ = cleandoc(one.help).split("\n\n")
        yield from _row(usages[verb], " ".join(first.split()))
    if own.new:
        yield ""
        yield str(say("Options of 'porto new':"))
    for option in own.new:
        value = option.metavar or "|".join(option.choices)
        yield from _row(f"{option.flag} {value}".strip(), option.help)
    yield ""
    yield from explanation(
        str(
            say(
                "'porto help {verb} --game {game}' explains a move, 'porto rules --game {game}' "
                "has the rules.",
                verb=next(iter(own.verbs)),
                game=game_id,
            )
        )
    )


def _row(label: str, text: str) -> Iterator[str]:
    yield f"  {label}"
    yield from explanation(text, "      ")


# -- Manual pages as topics.

TOPICS = {
    "config": "porto-config.5",
    "json": "porto-json.5",
    "porto": "porto-rules.7",
    "puerto-rico": "porto-puerto-rico.7",
    "record": "porto-record.5",
    "scenarios": "porto-scenario.5",
    "sealed": "porto-sealed.7",
}
"""Each topic and its page. A game of another package has one if it installs ``porto-GAME.7``."""


def page_named(word: str) -> str:
    """Return the page of a topic, of its own name, like ``porto-record(5)``, or nothing."""
    lower = word.lower()
    if lower in TOPICS:
        return TOPICS[lower]
    for page in TOPICS.values():
        name, _, section = page.rpartition(".")
        if lower in (name, f"{name}({section})"):
            return page
    return ""


def file_of(page: str) -> Path | None:
    """Return the file of a page; ``None`` if it is not installed."""
    import site
    import sysconfig

    import porto_cli

    folders = (
        Path(porto_cli.__file__).parent.parent / "man",
        Path(sysconfig.get_path("data"), "share", "man"),
        Path(site.getuserbase(), "share", "man"),
    )
    files = (folder / f"man{page[-1]}" / page for folder in folders)
    return next((file for file in files if file.is_file()), None)


def show(page: str) -> None:
    """Show a page: on a terminal with the pager of ``man``, otherwise as text.

    Raises FileError if it is not installed, or if there is no ``man`` to show it.
    """
    name = re.sub(r"\.(\d)$", r"(\1)", page)
    file = file_of(page)
    if file is None:
        raise FileError(say("The manual page {page} is not installed.", page=name))
    program = shutil.which("man")
    if program is None:
        raise FileError(
            say(
                "The manual page {page} cannot be shown, because the program 'man' is not "
                "installed. The page is in {file}.",
                page=name,
                file=file,
            )
        )
    sys.stdout.flush()
    if sys.stdout.isatty() and os.name == "posix":
        # The pager has the terminal, and its keys, to itself. Python ignores closed pipes, which
        # programs expect to end them.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(program, [program, str(file)])
    done = subprocess.run([program, str(file)], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise FileError(
            say(
                "The manual page {page} cannot be shown: 'man' failed with exit code {code}. The "
                "page is in {file}.",
                page=name,
                code=done.returncode,
                file=file,
            )
        )
    # Some programs print bold letters twice, with a backspace between them.
    print(re.sub(".\b", "", done.stdout.decode("utf-8", "replace")), end="")
