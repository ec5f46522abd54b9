"""The commands: their table, and how one is made.

A command's module is imported only when the command is called, because start-up is most of the cost
of a move; until then only its entry in the table is known. The commands that make moves are the
verbs of all games; one function makes them all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption
from typer.models import TyperPath

from porto_cli.cli import ADDED, WORDS, note_running
from porto_cli.cli.completion import offer_values_of, offer_words_of_a_move
from porto_cli.core import cited, files, usage
from porto_cli.core.files import expanded
from porto_cli.games import BOX, DEFAULT, GAMES, commands_of
from porto_cli.match.record import game_named_in, meant
from porto_cli.seam import EXTENDED, CommandOption, Verb

MOVES = "turn"
"""The module of the commands that make moves: the verbs of all games."""
MOVE = "move"
"""The command for all verbs; the verb is the first word after its record."""
SETTINGS = {"help_option_names": ["-h", "--help"], "allow_extra_args": True}


class Listed(NamedTuple):
    """A command other than a move, before its module is imported.

    ``module``  the module with its function
    ``brief``   what it is for, on the first screen
    ``others``  other words that people type for it
    """

    module: str
    brief: str
    others: str = ""


GROUPS = {
    "Start and continue": {
        "play": Listed("play", "play by menus", "start begin resume continue go"),
        "new": Listed("new", "set up a game", "create init"),
        "games": Listed("games", "list your games", "list ls"),
        "me": Listed("people", "your name", "name whoami login settings config"),
        "seat": Listed("seat", "hand over a seat", "leave replace substitute takeover handover"),
        MOVE: Listed(MOVES, "make any move", "act"),
    },
    "Look": {
        "show": Listed("show", "the table", "board view print state status table"),
        "moves": Listed("show", "what you can do", "legal options"),
        "score": Listed("show", "who is ahead", "points standings"),
        "log": Listed("show", "what happened", "history story"),
        "rules": Listed("rules", "the rules"),
        "help": Listed("help", "explain a command"),
    },
    "Think ahead": {
        "try": Listed("hint", "try out moves", "what-if whatif imagine plan"),
        "order": Listed("seat", "decide ahead", "orders premove ahead conditional"),
        "hint": Listed("hint", "advice on a move", "advice suggest best"),
        "analyze": Listed("hint", "your mistakes"),
    },
    "Mail": {
        "mail": Listed("mail", "mail a game", "send email"),
        "receive": Listed("receive", "get one from a mail"),
        "address": Listed("people", "e-mail addresses", "addresses contact"),
    },
    "Fair play": {
        "verify": Listed("verify", "check a game", "check validate"),
        "key": Listed("key", "key for sealed games", "keys identity backup"),
        "join": Listed("join", "set up a sealed game"),
        "reveal": Listed("join", "end one"),
    },
    "Experiments": {
        "scenario": Listed("scenario", "rules questions", "test"),
        "simulate": Listed("simulate", "let bots compete"),
    },
}
"""The commands other than moves, in groups, as the first screen shows them."""

_EXAMPLES = "\n\nExamples:\n"
"""What comes before the examples in the docstring of a command."""

LISTED = {name: one for group in GROUPS.values() for name, one in group.items()}
COMMANDS = {
    **{verb: MOVES for meta in BOX.values() for verb in meta.verbs},
    **{name: one.module for name, one in LISTED.items()},
}
"""Each command, and the module with its function."""


def all_names() -> list[str]:
    """Return the names of all commands, including the verbs of games of other packages, which are
    searched for.
    """
    verbs = (verb for meta in GAMES.values() for verb in meta.verbs)
    return [*dict.fromkeys((*COMMANDS, *verbs))]


def module_of(name: str) -> str | None:
    """Return the module of a command; ``None`` if there is no such command."""
    return COMMANDS.get(name) or (MOVES if name in all_names() else None)


def examples_of(name: str, games: Iterable[str]) -> list[str]:
    """Return examples of a command; those of a move name their game if they differ by game."""
    if name in LISTED:
        _, _, lines = str(getdoc(_function_of(name))).partition(_EXAMPLES)
        return [line.strip() for line in lines.splitlines()]
    verbs = {game: commands_of(game).verbs[name] for game in games if name in GAMES[game].verbs}
    moves = {
        game: f"porto {name} friday.yaml {verb.example}".rstrip()
        for game, verb in verbs.items()
        if verb.example is not None
    }
    if len(set(moves.values())) > 1:
        return [f"{line}  # {GAMES[game].title}" for game, line in moves.items()]
    return list(dict.fromkeys(moves.values()))


def by_game(texts: Mapping[str, str], games: Iterable[str], *, together: str = " ") -> str:
    """Join texts about some of these games, with their titles unless all have the same text."""
    if len(set(texts.values())) == 1 and texts.keys() == set(games):
        return next(iter(texts.values()))
    return together.join(f"{GAMES[game].title}: {text}" for game, text in texts.items())


def games_meant(name: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the games whose words and options a command takes, given the words after it.

    These are the games of the box, preceded by a game of another package that ``--game`` or the
    record of a move names; none for a command to which no game can add an option. For help, and for
    a verb of no game in the box, they are all games.
    """
    if "--help" in words or "-h" in words or name not in COMMANDS:
        return tuple(GAMES)
    if COMMANDS[name] != MOVES and name not in EXTENDED:
        return ()
    named = next((word.partition("=")[2] for word in words if word.startswith("--game=")), "")
    if "--game" in words[:-1]:
        named = words[words.index("--game") + 1]
    if not named and (COMMANDS[name] == MOVES or name == "moves"):
        named = game_of_record(words)
    named = named.lower()
    # Of two options with the same name the first one counts: that of the game being played.
    return (named, *BOX) if named and named not in BOX and named in GAMES else tuple(BOX)


def game_of_record(words: Iterable[str]) -> str:
    """Return the game named in the record among these words, if any; does not load the record."""
    for word in words:
        path = meant(expanded(Path(word)))
        if not word.startswith("-") and os.path.isfile(path):
            return game_named_in(path) or DEFAULT
    return ""


# -- How a command is made


class Extended(TyperCommand):
    """A command with the words and options that games add to the parameters of its function."""

    added: tuple[str, ...] = ()
    """The names of the added parameters, which the function finds in its context."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; for completion without an option at the end that has no value yet."""
        if ctx.resilient_parsing and args and takes_a_value(self, args[-1]):
            args = args[:-1]
        note_running(ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the function."""
        if ctx.args:
            told = f"'{ctx.command_path}' does not take {cited(' '.join(ctx.args))}."
            usage(told, suggestions=[f"porto help {ctx.info_name}"])
        values = {name: ctx.params.pop(name) for name in self.added}
        ctx.meta[ADDED] = {name: one for name, one in values.items() if one not in (None, ())}
        return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the usage line with only optional words in brackets."""
        pieces = [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]
        return [piece for piece in pieces if piece != "[]"]


def takes_a_value(command: Any, word: str) -> bool:
    """Return whether a word is an option of a command that is followed by a value."""
    return any(word in one.opts and not getattr(one, "is_flag", False) for one in command.params)


def command_for(name: str, games: Sequence[str]) -> Extended:
    """Return a command with what these games add to it; imports its module."""
    function = _function_of(name)
    movers = tuple(game for game in games if name in GAMES[game].verbs)
    examples = [f"  {line}" for line in examples_of(name, movers or games)]
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(
        name,
        cls=Extended,
        help=_help_of(function, name, games, movers),
        epilog="\n".join(["\b", "Examples:", *examples]) if examples else None,
        context_settings=SETTINGS,
    )(function)
    command = typer.main.get_command(app)
    assert isinstance(command, Extended)
    for param in command.params:
        if isinstance(param.type, TyperPath):
            # A file that cannot be read has an exit code of its own.
            param.type.readable = False
    added: list[TyperArgument | TyperOption] = [
        *_options({game: commands_of(game).options_of(name) for game in movers or games})
    ]
    command.params += added
    if movers or name == MOVE:
        verbs = {game: commands_of(game).verbs[name] for game in movers}
        words = _words(verbs or dict.fromkeys(games, _ANY_MOVE))
        command.params.insert(1, words)
        added.append(words)
    command.added = tuple(str(one.name) for one in added)
    return command


def _function_of(name: str) -> Callable[..., None]:
    """Return the function of a command; imports its module."""
    module_name = module_of(name)
    with files.held():
        module = import_module(f"porto_cli.cli.{module_name}")
    if module_name == MOVES:
        name = MOVE
    # 'try' is a keyword of Python.
    function: Callable[..., None] = getattr(module, name, None) or getattr(module, f"{name}_")
    return function


def _help_of(
    function: Callable[..., None], name: str, games: Sequence[str], movers: Sequence[str]
) -> str:
    """Return the help of a command; for a move it says which games have it."""
    own = {game: cleandoc(commands_of(game).help_of(name)) for game in movers or games}
    own = {game: text for game, text in own.items() if text}
    first, last = "" if movers else str(getdoc(function)).partition(_EXAMPLES)[0], ""
    if movers and len(games) > 1:
        of_games = f"This is a move of {' and '.join(GAMES[game].title for game in movers)}."
        first, last = (of_games, "") if len(set(own.values())) > 1 else ("", of_games)
    text = by_game(own, movers or games, together="\n\n")
    return "\n\n".join(filter(None, (first, text, last)))


_ANY_MOVE = Verb("", "MOVE", 'The move, its verb first, like "draw blue-1 red-2"; also "undo".')


# -- What games add. A command has the options of all games that have it; once the game is known, an
# option of another game is refused by name.


def _words(verbs: Mapping[str, Verb]) -> TyperArgument:
    """Return the parameter for the words of a move."""
    taken = {game: verb for game, verb in verbs.items() if verb.words}
    metavars = {verb.words for verb in taken.values()}
    about = {
        game: f"{verb.words}: {verb.about}" if len(metavars) > 1 else verb.about
        for game, verb in taken.items()
    }
    return TyperArgument(
        param_decls=[WORDS],
        nargs=-1,
        # Even for a move without words the verb can be typed once more.
        hidden=not taken,
        metavar="WORD…" if len(metavars) > 1 else "".join(metavars),
        help=by_game(about, verbs),
        autocompletion=offer_words_of_a_move,
    )


def _options(of_games: Mapping[str, Sequence[CommandOption]]) -> list[TyperOption]:
    """Return the options of games as parameters, each once."""
    by_name: dict[str, dict[str, CommandOption]] = {}
    for game, options in of_games.items():
        for option in options:
            by_name.setdefault(option.name, {})[game] = option
    return [
        _option(
            next(iter(meant.values())),
            by_game({game: one.help for game, one in meant.items()}, of_games),
        )
        for meant in by_name.values()
    ]


def _option(option: CommandOption, text: str) -> TyperOption:
    default = option.default
    if default not in (None, False):
        text += f"  [default: {default}]"
    return TyperOption(
        param_decls=[option.name, option.flag],
        type=str if default is None else type(default),
        is_flag=isinstance(default, bool),
        multiple=option.many,
        metavar=option.metavar or (f"<{'|'.join(option.choices)}>" if option.choices else None),
        help=text,
        callback=partial(_checked, option),
        autocompletion=offer_values_of(option),
    )


def _checked(option: CommandOption, ctx: Any, param: Any, value: Any) -> Any:
    """Refuse values of an option other than its choices."""
    if option.choices and value is not None and value not in option.choices:
        choices = ", ".join(option.choices)
        raise typer.BadParameter(f"{cited(value)} is not one of: {choices}.")
    return value
