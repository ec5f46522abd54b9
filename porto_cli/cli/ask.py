"""Whom to ask on a terminal for what is missing of a command, and what every game asks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from porto_cli.commands import commands_of
from porto_cli.core.command_errors import unnamed
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import Sentence, say
from porto_cli.match.command_lines import command, path_of
from porto_cli.match.match import Match
from porto_cli.term.tell import remark

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker


def can_ask() -> bool:
    """Return True if standard input and output are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def asker(game: str) -> Asker:
    """Return who asks: with menus where the terminal can move its cursor, else line by line."""
    from porto_cli.cli.advice import advice_of
    from porto_cli.term.alt_screen import can_move_the_cursor

    if can_move_the_cursor():
        from porto_cli.term.menus import Menus

        return Menus(advice_of(game))
    from porto_cli.term.lines import Lines

    return Lines(advice_of(game))


def asker_of(game: str) -> Callable[[], Asker]:
    """Return what makes an asker when there is something to ask."""
    return partial(asker, game)


def who(match: Match, move: str, able: Sequence[str], otherwise: Sentence) -> str:
    """Ask which of some players makes a move; without a terminal end with exit code 2."""
    if not can_ask():
        path = path_of(match.replay)
        unnamed(otherwise, suggestions=[command(move, path, name) for name in able])
    from porto_cli.term.prompt import which_player

    game = match.game.meta.id
    with backing_out():
        return which_player(asker(game), able, commands_of(game).rules["secret"])


def record_or_player(
    game: str, word: str, others: list[str], *, named: Path, made: Path
) -> tuple[Path, list[str]]:
    """Return the record and the players of a new game whose first word could be either."""
    from porto_cli.term.prompt import Choice

    is_a_player = say(
        "{players} play; the record is {file}", players=", ".join([word, *others]), file=made
    )
    if not others:
        is_a_player = say(
            "{player} plays the solo game; the record is {file}", player=word, file=made
        )
        is_the_record = say("{file} is the record; who plays comes next", file=named)
    elif len(others) == 1:
        is_the_record = say(
            "{player} plays the solo game; the record is {file}", player=others[0], file=named
        )
    else:
        is_the_record = say(
            "{players} play; the record is {file}", players=", ".join(others), file=named
        )
    choices = [
        Choice([(str(is_a_player), "")], (made, [word, *others])),
        Choice([(str(is_the_record), "")], (named, others)),
    ]
    with backing_out():
        return asker(game).choose(
            say("Is {word!r} a player, or the record?", word=word),
            choices,
            rules=commands_of(game).rules["players"],
        )


@contextmanager
def backing_out() -> Iterator[None]:
    """End the command with 130 if the player backs out of its first question."""
    try:
        yield
    except Exception as error:
        # Imported when there is something to judge: a plain move asks nobody.
        from porto_cli.term.prompt import CancelledError

        if isinstance(error, CancelledError | EOFError):
            remark(say("Nothing was done."))
            raise typer.Exit(INTERRUPTED) from None
        raise
