"""Asking on the terminal although standard input is something else, like a message in a pipe."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from porto_cli.cli import ask

TERMINAL = "/dev/tty"


def can_ask_on_the_terminal() -> bool:
    """Return True if a question can be asked, by making the terminal of the command its standard
    input if need be. What was there has to be read before.
    """
    if not ask.can_ask() and sys.stdout.isatty():
        with suppress(OSError):
            _take_the_terminal()
    return ask.can_ask()


def _take_the_terminal() -> None:
    """Put the terminal in the place of standard input. Raises OSError if there is none."""
    terminal = os.open(TERMINAL, os.O_RDWR)
    try:
        # A job in the background would be stopped as soon as it reads.
        if os.tcgetpgrp(terminal) == os.getpgrp():
            os.dup2(terminal, 0)
            sys.stdin = open(0, encoding=sys.stdin.encoding, closefd=False)  # noqa: SIM115
    finally:
        os.close(terminal)
