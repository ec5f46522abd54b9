"""Who asks on the terminal for what a command lacks, what every game asks, and the help with it.

Nothing of it is loaded before there is something to ask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING

import typer

from porto_cli.core.message import INTERRUPTED, command, flowing, unnamed
from porto_cli.games import commands_of, game_of
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match
from porto_cli.match.replay import path_of
from porto_cli.paper import Gap, put
from porto_cli.term.screen import Screen, can_move_the_cursor
from porto_cli.term.spans import BOLD, wrapped
from porto_cli.term.tell import remark

if TYPE_CHECKING:
    from porto_cli.term.prompt import Advice, Asker, Rules
    from porto_cli.term.screen import Stage
    from porto_cli.term.spans import Line


def can_ask() -> bool:
    """Return True if standard input and output are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def asker(game: str, stage: Stage | None = None, *, in_lines: bool = False) -> Asker:
    """Return who asks: with menus, on a stage if there is one, where the terminal can move its
    cursor and nothing else is wanted; or line by line.
    """
    if can_move_the_cursor() and not in_lines:
        from porto_cli.term.menus import Menus

        return Menus(advice_of(game), stage)
    from porto_cli.term.lines import Lines

    return Lines(advice_of(game))


def who(match: Match, move: str, able: Sequence[str], otherwise: str) -> str:
    """Ask which of some players makes a move; without a terminal end with exit code 2."""
    if not can_ask():
        path = path_of(match)
        unnamed(otherwise, suggestions=[command(move, path, name) for name in able])
    from porto_cli.term.prompt import which_player

    game = match.game.meta.id
    with backing_out():
        return which_player(asker(game), able, commands_of(game).rules_about("secret"))


@contextmanager
def backing_out() -> Iterator[None]:
    """End the command with 130 if the player backs out of its first question."""
    try:
        yield
    except Exception as error:
        # Imported only after an exception: a plain move asks no questions.
        from porto_cli.term.prompt import CancelledError

        if isinstance(error, CancelledError | EOFError):
            remark("Nothing was done.")
            raise typer.Exit(INTERRUPTED) from None
        raise


TERMINAL = "/dev/tty"


def can_ask_on_the_terminal() -> bool:
    """Return True if a question can be asked, by making the terminal of the command its standard
    input if need be. What was there has to be read before.
    """
    if not can_ask() and sys.stdout.isatty():
        with suppress(OSError):
            _take_the_terminal()
    return can_ask()


def _take_the_terminal() -> None:
    """Make the terminal the standard input. Raises OSError if there is none."""
    terminal = os.open(TERMINAL, os.O_RDWR)
    try:
        # A job in the background would be stopped as soon as it reads.
        if os.tcgetpgrp(terminal) == os.getpgrp():
            os.dup2(terminal, 0)
            sys.stdin = open(0, encoding=sys.stdin.encoding, closefd=False)  # noqa: SIM115
    finally:
        os.close(terminal)


# -- Help with a question: in a few sentences, and the rulings that are about it, in full.

ANY_QUESTION = (
    "Choose what to do next; only a move changes the game. Every finished turn is saved, and Undo "
    "takes it back."
)


def advice(
    rules: Rules, width: int, questions: Mapping[str, str] = MappingProxyType({}), more: str = ""
) -> tuple[list[Line], list[Line]]:
    """Return the help with a question, set to a width: what it is about, in the sentences of its
    kind (``questions``) or its own; and the rulings behind it, with what else there is to know.
    """
    kinds = [flowing(questions[rule]) for rule in rules if rule in questions]
    own = [rule for rule in rules if " " in rule]
    about = [*kinds[:1], *own] or [ANY_QUESTION]
    brief = [line for text in about for line in wrapped(text, width, indent=2 * (len(own) > 1))]
    return brief, [*rulings(rules, width), *(wrapped(more, width) if more else ())]


def rulings(rules: Rules, width: int) -> list[Line]:
    """Return the rulings among what helps with a question, set to a width."""
    from porto_cli.installed import ruling
    from porto_cli.pages import ruling_rows

    ids = (rule for rule in dict.fromkeys(rules) if " " not in rule and not rule.islower())
    rows = (node for one in map(ruling, ids) for node in (*ruling_rows(one), Gap()))
    return put(rows, Screen(width))


def explained(error: IllegalMoveError, screen: Screen) -> list[Line]:
    """Return which rules a move breaks, and what these rules are, set to a screen."""
    lines: list[Line] = []
    for violation in error.violations:
        lines += wrapped(str(violation), screen.width, style=BOLD)
    broken = [violation.rule for violation in error.violations]
    return [*lines, [], *rulings(broken, screen.width)]


def advice_of(game: str, hints: str | None = None) -> Advice:
    """Return the help with the questions of a game; ``hints`` says where there are any, and is None
    where there is no table yet.
    """
    from porto_cli.installed import lessons_of

    more = "" if hints is None else " ".join(filter(None, (hints, game_of(game).shown.legend)))
    return lambda rules, width: advice(rules, width, lessons_of(game).get("questions", {}), more)
