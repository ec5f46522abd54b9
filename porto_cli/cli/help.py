"""Help: the first screen, pages of the manual, and messages about wrong command lines."""

from __future__ import annotations

import os
import re
import shutil
import signal
import site
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from inspect import cleandoc
from pathlib import Path
from typing import Any, NoReturn

import typer

from porto_cli import __version__
from porto_cli.cli import arg, command_line, known_game, opt, running, typed_with
from porto_cli.cli.commands import (
    COMMANDS,
    GROUPS,
    LISTED,
    all_names,
    command_for,
    examples_of,
    game_of_record,
    module_of,
    takes_a_value,
)
from porto_cli.cli.output import explain
from porto_cli.core import FileError, PortoError, cited, flowing, nearest, usage
from porto_cli.core.shell import FILE, file_word, option, quoted
from porto_cli.games import BOX, GAMES, commands_of
from porto_cli.match.match import load
from porto_cli.match.record import SCENARIO, has_suffix, kind_of, meant, only_record, the_record
from porto_cli.next_step import commands
from porto_cli.pages import row
from porto_cli.paper import Gap, Heading, Node, Paragraph
from porto_cli.seam import UNDO
from porto_cli.term import WIDEST_SENTENCE, screen_of

# -- The first screen, all commands in a sentence each, and manual pages as topics
#
# The pages are installed where ``man`` looks; in a checkout they are in its folder ``man``.

TOPICS: dict[str, str] = {
    "config": "porto-config.5",
    "json": "porto-json.5",
    "porto": "porto-rules.7",
    "puerto-rico": "porto-puerto-rico.7",
    "record": "porto-record.5",
    "scenarios": "porto-scenario.5",
    "sealed": "porto-sealed.7",
}
"""Each topic and its page. A game of another package has one if it installs ``porto-GAME.7``."""
ALL = "all"
"""The word after ``porto help`` that asks for all commands."""
RULES = "rules"
"""The command that explains the named things of a game."""
_HEADINGS = _NAMES = 22
"""Columns of the first screen's headings, and of the names of commands after them."""
_LABEL = 12
_BRIEF = 76
"""Narrower screens show only the names of the commands."""


# -- The commands in groups.


def first_screen() -> list[str]:
    """Return the names of all commands in groups, for a terminal of 24 lines; a narrow one has no
    room for their purposes.
    """
    width = min(screen_of().width, WIDEST_SENTENCE)
    about = "Play the board games Porto and Puerto Rico in a terminal. A game is one file."
    lines = [*textwrap.wrap(about, width), ""]
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
    """Return the names of commands by headings; the moves of the games, or of one of them, come
    after the first.
    """
    (first, start), *others = GROUPS.items()
    metas = GAMES.values() if game is None else [GAMES[game]]
    moves = {f"Moves of {meta.title}": list(meta.verbs) for meta in metas}
    return {first: [*start], **moves, **{heading: [*group] for heading, group in others}}


def _everything(program: Any, game: str | None) -> Iterator[Node]:
    """Yield all commands, each with a sentence, and the options without a command; the moves are
    those of all games, or of one.
    """
    of_games = {f"Moves of {meta.title}": commands_of(game) for game, meta in GAMES.items()}
    yield Paragraph([flowing(str(program.command.help))])
    for heading, names in _groups(game).items():
        yield Heading(heading)
        for name in names:
            own = of_games.get(heading)
            yield from _entry(name, own.help_of(name) if own else str(command_for(name, ()).help))
    yield Heading("Options without a command")
    for param in program.command.get_params(program):
        yield from _entry(*param.get_help_record(program))
    yield from (Gap(), Paragraph([f"Topics, like 'porto help record': {', '.join(TOPICS)}"]))


def _entry(label: str, text: str) -> Iterator[Node]:
    """Yield the first paragraph of a text after its label, or below a long one."""
    if len(label) > _LABEL:
        yield Paragraph([""], first=[f"  {label}"])
        label = ""
    yield row(f"  {label:{_LABEL}}", flowing(cleandoc(text).partition("\n\n")[0]))


# -- The command.


def help(  # noqa: A001 - commands are called like their functions
    ctx: typer.Context,
    command: str | None = arg(
        None,
        "[COMMAND|TOPIC]",
        "The command to explain; 'all' for all of them in a sentence each; or a topic: "
        f"{', '.join(TOPICS)}. If left out, all commands are listed in groups.",
        autocompletion=lambda: [*dict.fromkeys((*all_names(), *TOPICS, *GAMES, ALL))],
    ),
    game: str | None = opt(
        None,
        "NAME",
        "Explain what this game has; all games if left out.",
        callback=known_game,
        autocompletion=lambda: list(GAMES),
    ),
) -> None:
    """Explain a command or a topic, or list all commands.

    For a command this is the same as --help after it. For a topic it shows a manual page: the
    rules of Porto or Puerto Rico, the format of records, scenarios, settings (config) or JSON, and
    how sealed games work. With --game, only what this game has is explained; without a command,
    its moves are listed.

    Examples:
      porto help build
      porto help all
    """
    program: Any = ctx.parent
    if command is None:
        explain(_about(game)) if game else print(program.get_help())
        return
    if command == ALL:
        explain(_everything(program, game))
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
        explain(_about(named))
    else:
        _no_such_topic(command)


def _no_such_topic(word: str) -> NoReturn:
    """Refuse a word that help knows nothing about, and suggest what it may mean (exit code 2)."""
    what = f"There is no command or topic {cited(word)}"
    near, sentence = _meaning(word, (*TOPICS,))
    if near:
        line = near if near.startswith(f"{RULES} ") else f"help {near.split()[0]}"
        _propose(what, sentence, line.removeprefix("help "), f"porto {line}")
    topics = f"The topics are {', '.join(TOPICS)}."
    usage(
        f"{what}. {topics} The rules of the games may mention it.",
        suggestions=[command_line(RULES, word), "porto help"],
    )


def _demand_a_command_of(game: str | None, command: str) -> None:
    """Refuse a move that only other games have (exit code 2)."""
    meta = GAMES[game] if game else None
    if meta and command not in meta.verbs and any(command in one.verbs for one in GAMES.values()):
        usage(f"{meta.title} has no move {cited(command)}; its moves are {', '.join(meta.verbs)}.")


def _about(game_id: str) -> Iterator[Node]:
    """Yield an introduction to a game and its moves."""
    from porto_cli.installed import manual_of

    own = commands_of(game_id)
    yield Paragraph([f"{GAMES[game_id].title}. {own.players}"])
    for paragraph in filter(None, manual_of(game_id).split("\n\n")):
        yield from (Gap(), Paragraph([flowing(paragraph)]))
    yield Heading("Moves:")
    for verb, one in own.verbs.items():
        yield from _entry(f"{verb} {one.words}".rstrip(), one.help)


# -- Manual pages as topics.


def page_named(word: str) -> str:
    """Return the page of a topic or of a page's name, like ``porto-record(5)``; or nothing."""
    name = re.sub(r"\((\d)\)$", r".\1", word.lower())
    found = (page for topic, page in TOPICS.items() if name in (topic, page, page[:-2]))
    return next(found, "")


def file_of(page: str) -> Path | None:
    """Return the file of a page; ``None`` if it is not installed."""
    folders = (
        Path(__file__).parents[2] / "man",
        Path(sysconfig.get_path("data"), "share", "man"),
        Path(site.getuserbase(), "share", "man"),
    )
    files = (folder / f"man{page[-1]}" / page for folder in folders)
    return next((file for file in files if file.is_file()), None)


def show(page: str) -> None:
    """Show a page, on a terminal with the pager of ``man``, otherwise as text.

    Raises FileError if the page or ``man`` is not installed.
    """
    name = re.sub(r"\.(\d)$", r"(\1)", page)
    file = file_of(page)
    if file is None:
        raise FileError(f"The manual page {name} is not installed.")
    cannot = f"The manual page {name}, which is in {file}, cannot be shown"
    program = shutil.which("man")
    if program is None:
        raise FileError(f"{cannot}: the program 'man' is not installed.")
    sys.stdout.flush()
    if sys.stdout.isatty() and os.name == "posix":
        # The pager gets the terminal and its keys for itself. Python ignores closed pipes, which
        # other programs expect to end them.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(program, [program, str(file)])
    done = subprocess.run([program, str(file)], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise FileError(f"{cannot}: 'man' failed with exit code {done.returncode}.")
    # Some programs print bold letters twice, with a backspace between them.
    print(re.sub(".\b", "", done.stdout.decode("utf-8", "replace")), end="")


# -- Command lines that cannot be run, and what may be meant instead


def no_such_command(args: Sequence[str]) -> NoReturn:
    """Refuse a first word that is not a command, and suggest what it may mean (exit code 2)."""
    word, *rest = args
    if word.lower() == "version" and not rest:
        print(f"porto {__version__}")
        raise typer.Exit
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
    record = the_record() if not rest or rest[0].startswith("-") else Path(rest[0])
    game = game_of_record([str(record)]) if record else ""
    what, (near, sentence) = f"There is no command {cited(word)}", _meaning(word, game=game)
    if not near:
        usage(f"{what}; 'porto help' lists all of them.")
    command, _, more = near.partition(" ")
    is_of_record = "--" not in more and _reads_a_record(command)
    words = [*map(quoted, rest if is_of_record or not more else ())]
    if is_of_record and (not rest or rest[0].startswith("-")):
        words.insert(0, only_record() or FILE)
    _propose(what, sentence, near, " ".join(filter(None, ["porto", command, *words, more])))


def _propose(what: str, sentence: str, near: str, line: str) -> NoReturn:
    """Refuse a word, and say which command it probably means, or a sentence about it (exit code
    2).
    """
    says = [f"{what}.", sentence] if sentence else [f"{what}; did you mean {cited(near)}?"]
    usage(*says, suggestions=[line])


def _reads_a_record(name: str) -> bool:
    """Return whether a command needs the file of an existing record."""
    files = [one for one in command_for(name, ()).params if one.name in ("file", "files")]
    return name not in _MAKES_RECORDS and any(one.required for one in files)


def _meaning(word: str, topics: Sequence[str] = (), game: str = "") -> tuple[str, str]:
    """Return the command line, without the program, that a word means or is close to: a command, or
    a move of the ``game`` if known; a thing of any game to look up; one of the ``topics`` of the
    help; or nothing. Second, a sentence about it, if needed.
    """
    from porto_cli.cli.rules import things_of
    from porto_cli.installed import meanings_of_words

    also = meanings_of_words() | {one.others: (name, "") for name, one in LISTED.items()}
    games = [game] if game in GAMES else [*BOX]
    verbs = {other: verb for one in games for other, verb in commands_of(one).synonyms.items()}
    things = [thing for one in GAMES for thing in things_of(one)]
    names = dict.fromkeys((*LISTED, *(verb for one in games for verb in GAMES[one].verbs), *topics))
    meanings = {
        **{other: (verb, "") for other, verb in verbs.items()},
        **{other: (line, says) for words, (line, says) in also.items() for other in words.split()},
        **{thing: (f"{verbs.get(thing, RULES)} {thing}", "") for thing in things},
        **{name: (name, "") for name in names},
    }
    lower = word.lower()
    begun = {line for name, line in meanings.items() if name.startswith(lower)}
    begun |= {(topic, "") for topic in topics if lower.startswith(topic)}
    if lower in meanings or len(begun) == 1:
        return meanings.get(lower) or begun.pop()
    near = nearest(lower, names) or nearest(lower, meanings, 0.8)
    return meanings.get(near, ("", ""))


# -- A command line that Typer cannot parse.


def wrong_usage(error: typer.TyperException) -> NoReturn:
    """Report what is wrong with a command line that Typer cannot parse, and what would be right
    (exit code 2).
    """
    # Typer documents none of the fields of its errors but those of BadParameter.
    ctx = running()
    flag: str = getattr(error, "option_name", "")
    name, helps = ctx.command_path, [" ".join(["porto", "help", *ctx.command_path.split()[1:]])]
    params = ctx.command.get_params(ctx)
    options = [param for param in params if param.param_type_name == "option"]
    by_flag = {one: param for param in options for one in (*param.opts, *param.secondary_opts)}
    typed = list(ctx.obj)
    if flag and flag not in by_flag:
        names = {known.strip("-"): known for known in by_flag}
        # Of -quiet only the first letter that is no option is reported.
        flags = (word for word in typed if word.startswith("-") and word not in by_flag)
        flag = next((word for word in flags if word[1:] in names), flag)
        near = names.get(nearest(flag.strip("-"), names), "")
        likely = f"; did you mean {near}?" if near else "."
        first = next((nth for nth, word in enumerate(typed) if module_of(word)), 0)
        if ctx.parent is None and first:
            likely = "; options come after the command."
            helps = [command_line(*typed[first:], *typed[:first])]
        elif near:
            helps = typed_with(near, flag) or helps
        usage(f"'{name}' has no option {flag}{likely}", suggestions=helps)
    missing = by_flag[flag] if flag and takes_a_value(ctx.command, flag) else None
    sentence = error.format_message()
    if isinstance(error, typer.BadParameter):
        param: Any = error.param
        where = param.opts[0] if param in options else name
        told = re.sub("a valid int(eger)?", "a whole number", error.message)
        sentence = f"'{where}': {told}"
        if not error.message:
            missing, helps = param, _examples_here(str(ctx.info_name)) + helps
    if missing:
        what, about = missing.make_metavar(ctx), str(missing.help)
        for meta in GAMES.values():
            about = about.removeprefix(f"{meta.title}: ")
        sentence = f"After '{flag or name}', {what} is missing: {about[:1].lower()}{about[1:]}"
    usage(sentence, suggestions=helps)


def _examples_here(name: str) -> list[str]:
    """Return the examples of a command, with the only record of this folder where they read one, a
    move of its game, and one of its players, so that they can be typed as they are. Examples of
    another game's move are unchanged, unless they would name this record.
    """
    lines = examples_of(name, tuple(BOX) if name in COMMANDS else tuple(GAMES))
    record, match = the_record(), None
    with suppress(PortoError):
        match = load(record) if record and name not in _MAKES_RECORDS else None
    if record is None or match is None:
        return lines
    # Another game's move may be a synonym for a move of this game.
    games, other = [match.game.meta.id], match.game.commands.synonyms.get(name, "")
    player = option("--as", match.holders[match.people[0]])
    here = file_word(record.name)
    if name in match.game.meta.verbs and name != UNDO:
        mover = match.state.seat
        near = match.game.words.nearest(match.state, name, mover)[:1]
        if typed := commands(match, [match.move(text, mover) for text in near], mover):
            return typed
    return [
        _AS.sub(lambda _: player, line).replace(_EXAMPLE, here, 1) if _EXAMPLE in line else line
        for line in examples_of(name, games) or examples_of(other, games)
    ] or ([] if record.name == _EXAMPLE else lines)


_EXAMPLE = "friday.yaml"
"""The record of examples."""
_AS = re.compile(r"--as \S+")
_MAKES_RECORDS = ("new", "join", "play")
"""Commands whose examples are not about a record that exists, or not about any."""
