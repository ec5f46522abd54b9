"""Signals that end the program: Ctrl-C (INT), TERM and HUP.

Each becomes an exception, so that what is half done is put in order on the way out: new files
are removed, terminals restored. Only what must not be torn apart holds them back for a moment.
Windows has no way to hold them, and no HUP.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TERMINATING = [signal.SIGTERM]
if sys.platform != "win32":
    _TERMINATING.append(signal.SIGHUP)
ENDING = (signal.SIGINT, *_TERMINATING)
"""All of them."""


class TerminatedError(SystemExit):
    """The program was told to end by TERM or HUP. ``code`` is what a shell says of such an end."""

    code: int

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


_received: TerminatedError | None = None


def received() -> TerminatedError | None:
    """Return the end that the program was told, even if something else has gone wrong since, like
    writing to a terminal that is closed.
    """
    return _received


def catch() -> None:
    """Let TERM and HUP raise TerminatedError, unless they are ignored (as with ``nohup``)."""
    for number in _TERMINATING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def finish() -> None:
    """Undo :func:`catch`, and ignore the signals: the exit code stands, only the exit is left.

    Does nothing in a program that has not called :func:`catch`.
    """
    if any(signal.getsignal(number) is _terminate for number in _TERMINATING):
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Hold the signals back until the end of ``with``; what came in between is raised then."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _terminate(number: int, frame: object) -> None:
    global _received
    _received = TerminatedError(number)
    raise _received
