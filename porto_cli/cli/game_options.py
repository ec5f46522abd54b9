"""Options and words of commands that belong to games, as parameters of the command line.

A command has those of all games that know it; which of them are meant is decided when the game is
known. An option of another game is refused then, and says whose it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from inspect import Parameter, cleandoc
from typing import Annotated, Any

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import is_given
from porto_cli.commands import Option, Word
from porto_cli.core.command_errors import usage
from porto_cli.core.message import say
from porto_cli.game import GAMES

OptionsOf = Mapping[str, Sequence[Option]]
"""The options that each game adds to a command, by the id of the game."""


def parameter(name: str, annotation: object, default: object = Parameter.empty) -> Parameter:
    """Return a parameter of a command's function."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def options(of_games: OptionsOf) -> list[Parameter]:
    """Return the parameters for the options of all games, each of them once."""
    by_name: dict[str, dict[str, Option]] = {}
    for game, own in of_games.items():
        for option in own:
            by_name.setdefault(option.name, {})[game] = option
    return [
        _option(
            next(iter(meant.values())),
            told_of_games({game: one.help for game, one in meant.items()}, among=of_games),
        )
        for meant in by_name.values()
    ]


def _option(option: Option, help_text: str) -> Parameter:
    default: object = option.default
    facts: dict[str, Any] = {"help": help_text, "metavar": option.metavar or None}
    kind: Any
    if default is None:
        facts["show_default"] = False
        kind = list[str] | None if option.many else str | None
    elif option.choices:
        values = [(one.replace("-", "_"), one) for one in option.choices]
        known = StrEnum(option.name, values)  # type: ignore[misc]
        kind, default = known, known(str(default))
    else:
        kind = type(default)
    if option.completion:
        facts["autocompletion"] = complete.values_of(option)
    # Without its name a truth value would have an option for each of its two values.
    typed = typer.Option(option.flag, **facts)
    return parameter(option.name, Annotated[kind, typed], default)


def words(of_games: Mapping[str, Sequence[Word]]) -> list[Parameter]:
    """Return the parameters for the words of a move: those of the one game that knows the verb,
    or any words where several games do.
    """
    first, *others = of_games.values()
    if not any((first, *others)):
        return [_words(Word("", many=True), "word_1", hidden=True)]
    if others:
        told = {game: _in_brief(own) for game, own in of_games.items() if own}
        first = (Word("WORD…", told_of_games(told, among=of_games), many=True),)
    return [_words(word, f"word_{nth}") for nth, word in enumerate(first, start=1)]


def _words(word: Word, name: str, *, hidden: bool = False) -> Parameter:
    argument = typer.Argument(
        metavar=word.metavar,
        help=word.help,
        show_default=False,
        hidden=hidden,
        autocompletion=complete.words_of_a_move,
    )
    kind: Any = list[str] if word.many else str
    return parameter(name, Annotated[kind | None, argument], None)


def _in_brief(own: Sequence[Word]) -> str:
    """Return the words of one game as a single help text."""
    if len(own) == 1:
        return own[0].help
    return f"{' '.join(word.metavar for word in own)}."


def told_of_games(texts: Mapping[str, str], *, among: Iterable[str], heading: str = "") -> str:
    """Return help for several games as one text: whose it is, where that is not clear.

    With a ``heading`` each game has a paragraph below it.
    """
    texts = {game: cleandoc(text) for game, text in texts.items()}
    if set(texts) == set(among) and len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    told = [f"{GAMES[game].title}: {text}" for game, text in texts.items()]
    return "\n\n".join([heading, *told]) if heading else " ".join(told)


def typed_options(ctx: typer.Context, game: str, of_games: OptionsOf) -> dict[str, Any]:
    """Return the options of a game that were typed; exits with 2 if one is of another game."""
    own = {option.name for option in of_games.get(game, ())}
    for other, options_of_other in of_games.items():
        for option in options_of_other:
            if option.name not in own and is_given(ctx, option.name):
                usage(
                    say(
                        "{flag} is an option of {owner}, and this game is {game}; leave it out.",
                        flag=option.flag,
                        owner=GAMES[other].title,
                        game=GAMES[game].title,
                    )
                )
    return {name: ctx.params[name] for name in own if is_given(ctx, name)}
