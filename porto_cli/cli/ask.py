"""Asking on the terminal for what a command lacks.

The prompts are loaded only when there is something to ask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from porto_cli.core import INTERRUPTED, unnamed
from porto_cli.core.shell import command
from porto_cli.games import commands_of
from porto_cli.match.match import Match
from porto_cli.match.replay import path_of
from porto_cli.term import CancelledError, can_move_the_cursor, remark

if TYPE_CHECKING:
    from porto_cli.term import Stage
    from porto_cli.term.prompt import Asker


def can_ask() -> bool:
    """Return True if standard input and output are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def asker(game: str, stage: Stage | None = None, *, in_lines: bool = False) -> Asker:
    """Return an asker: with menus, on a stage if there is one, if the terminal can move its cursor;
    otherwise, or if ``in_lines`` says so, line by line.
    """
    from porto_cli.cli.rules import advice_of

    if can_move_the_cursor() and not in_lines:
        from porto_cli.term.menus import Menus

        return Menus(advice_of(game), stage)
    from porto_cli.term.prompt import Lines

    return Lines(advice_of(game))


def who(match: Match, move: str, able: Sequence[str], otherwise: str) -> str:
    """Ask which player makes a move; without a terminal, exit with 2."""
    if not can_ask():
        path = path_of(match)
        unnamed(otherwise, suggestions=[command(move, path, name) for name in able])
    game = match.game.meta.id
    with backing_out():
        return asker(game).which_player(able, commands_of(game).rules_about("secret"))


@contextmanager
def backing_out() -> Iterator[None]:
    """Exit with 130 if the player backs out of the first question."""
    try:
        yield
    except (CancelledError, EOFError):
        remark("Nothing was done.")
        raise typer.Exit(INTERRUPTED) from None


TERMINAL = "/dev/tty"


def can_ask_on_the_terminal() -> bool:
    """Return True if a question can be asked, after making the terminal the standard input if
    necessary. Piped input has to be read before.
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
