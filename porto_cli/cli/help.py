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
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from porto_cli.cli.commands import GROUPS, LISTED, all_names, command_for, module_of
from porto_cli.cli.common import command_line
from porto_cli.cli.parameters import known_game
from porto_cli.core.message import FileError, shown, usage
from porto_cli.games import GAMES, commands_of
from porto_cli.term.screen import screen_of
from porto_cli.term.tell import WIDEST, explanation

ALL = "all"
"""The word behind ``porto help`` that asks for all commands."""
_HEADINGS = _NAMES = 22
"""Columns of the headings of the first screen, and of the names of commands behind them."""
_BRIEF = 76
"""Narrower screens show the names of the commands alone."""


# -- The commands in groups.


def first_screen() -> list[str]:
    """Return the names of all commands in groups, for a terminal of 24 lines; one that is narrow
    has no room for what they are for.
    """
    width = min(screen_of().width, WIDEST)
    lines = explanation("Play the board games Porto and Puerto Rico by text. A game is one file.")
    lines.append("")
    for heading, names in _groups().items():
        rows = textwrap.wrap(", ".join(names), width - _HEADINGS)
        if width >= _BRIEF and heading in GROUPS:
            rows = [
                f"{', '.join(pair):{_NAMES}}{'; '.join(LISTED[name].brief for name in pair)}"
                for pair in (names[nth : nth + 2] for nth in range(0, len(names), 2))
            ]
        if len(heading) >= _HEADINGS:
            lines.append(heading)
            heading = ""
        lines += [f"{heading if row is rows[0] else '':{_HEADINGS}}{row}" for row in rows]
    return [
        *lines,
        "",
        "To start:       porto play",
        "Or by commands: porto new friday.yaml Inês Joana",
        "All commands:   porto help all; one of them: porto help draw",
    ]


def _groups(game: str | None = None) -> dict[str, list[str]]:
    """Return the names of commands by headings; the moves of the games, or of one of them, stand
    behind the first.
    """
    (first, start), *others = GROUPS.items()
    metas = GAMES.values() if game is None else [GAMES[game]]
    moves = {f"Moves of {meta.title}": list(meta.verbs) for meta in metas}
    return {first: [*start], **moves, **{heading: [*group] for heading, group in others}}


def _everything(program: Any, game: str | None) -> Iterator[str]:
    """Return all commands, each with what it does in a sentence, and the options without one; of
    moves those of all games, or of one.
    """
    of_games = {f"Moves of {meta.title}": commands_of(game) for game, meta in GAMES.items()}
    yield from explanation(" ".join(str(program.command.help).split()))
    for heading, names in _groups(game).items():
        yield from ("", heading)
        for name in names:
            own = of_games.get(heading)
            yield from _line(name, own.help_of(name) if own else str(command_for(name, ()).help))
    yield from ("", "Options without a command")
    for param in program.command.get_params(program):
        yield from _line(*param.get_help_record(program))
    yield ""
    yield from explanation(f"Topics, like 'porto help record': {', '.join(TOPICS)}")


def _line(label: str, text: str) -> list[str]:
    """Return a label with the first paragraph of a text."""
    first, *_ = cleandoc(text).split("\n\n")
    sentence = " ".join(first.split())
    if len(label) > 12:
        return [f"  {label}", *explanation(sentence, " " * 14)]
    return explanation(sentence, f"  {label:12}", " " * 14)


# -- The command.


def _topics(incomplete: str) -> list[str]:
    names = dict.fromkeys((*all_names(), *TOPICS, *GAMES, ALL))
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
            autocompletion=_topics,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Explain what this game has; all games if left out.",
            callback=known_game,
            autocompletion=lambda: list(GAMES),
        ),
    ] = None,
) -> None:
    """Explain a command or a topic, or list all commands.

    For a command this is the same as --help after it. For a topic it shows a manual page: the
    rules of Porto or Puerto Rico, the format of records, scenarios, settings (config) or JSON, and
    how sealed games work. With --game, only what this game has is explained; without a command,
    its moves are listed.
    """
    program: Any = ctx.parent
    if command is None:
        print("\n".join(_about(game)) if game else program.get_help())
        return
    if command == ALL:
        print("\n".join(_everything(program, game)))
        return
    _demand_a_command_of(game, command)
    if module_of(command):
        explained = command_for(command, (game,) if game else tuple(GAMES))
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
    from porto_cli.cli.rules import thing_like
    from porto_cli.cli.wrong import did_you_mean

    near = did_you_mean(word, tuple(TOPICS))
    rules = command_line("rules", thing_like(word) or word)
    if near:
        usage(
            f"There is no command or topic {shown(word)}; did you mean {shown(near)}?",
            suggestions=[command_line("help", near), rules],
        )
    usage(
        (
            f"There is no command or topic {shown(word)}. The topics are "
            f"{', '.join(TOPICS)}. The rules of the games may mention it."
        ),
        suggestions=[rules, command_line("help")],
    )


def _demand_a_command_of(game: str | None, command: str) -> None:
    """Refuse a move that only other games have (exit code 2)."""
    is_a_move = any(command in meta.verbs for meta in GAMES.values())
    if game is None or not is_a_move or command in GAMES[game].verbs:
        return
    usage(
        f"{GAMES[game].title} has no move {shown(command)}; its moves are "
        f"{', '.join(GAMES[game].verbs)}."
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
    yield "Moves:"
    for verb, one in own.verbs.items():
        yield from _line(f"{verb} {one.words}".rstrip(), one.help)


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
        raise FileError(f"The manual page {name} is not installed.")
    program = shutil.which("man")
    if program is None:
        raise FileError(
            f"The manual page {name} cannot be shown, because the program 'man' is not "
            f"installed. The page is in {file}."
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
            f"The manual page {name} cannot be shown: 'man' failed with exit code "
            f"{done.returncode}. The page is in {file}."
        )
    # Some programs print bold letters twice, with a backspace between them.
    print(re.sub(".\b", "", done.stdout.decode("utf-8", "replace")), end="")
