"""Signals that end the program: Ctrl-C (INT), TERM and HUP.

Each becomes an exception, so that what is half done is put in order on the way out: new files
are removed, terminals restored. Only what must not be torn apart holds them back for a moment.
Windows has no way to hold them, and no HUP.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TERMINATING = [signal.SIGTERM]
if sys.platform != "win32":
    _TERMINATING.append(signal.SIGHUP)
ENDING = (signal.SIGINT, *_TERMINATING)
"""All of them."""
HUNG_UP = 128 + 1
"""Exit code: the terminal is gone, as of HUP, which has this number everywhere."""


class TerminatedError(SystemExit):
    """The program was told to end by TERM or HUP. ``code`` is what a shell says of such an end."""

    code: int

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


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


def received() -> TerminatedError | None:
    """Return what TERM or HUP has raised, even if it was lost, as it is in a finalizer, or if
    something else has gone wrong since, like writing to a terminal that is closed.
    """
    return _received


@contextmanager
def handed_over(wake: Callable[[], None]) -> Iterator[None]:
    """Keep TERM and HUP from raising: call ``wake`` instead, and raise at the end of ``with``.

    For event loops: an exception that a signal raises between two of their steps may take the
    place of a wake-up, for which a task then waits forever. ``wake`` makes the loop end. A loop
    that begins looks whether there was a signal before (:func:`received`).
    """
    global _wake
    _wake = wake
    try:
        yield
    finally:
        _wake = None
        if _received:
            raise _received


def is_hung_up() -> bool:
    """Tell whether standard input is a terminal that is gone. HUP may be ignored, as by ``nohup``.

    Windows itself ends the programs of a terminal that is closed.
    """
    import os
    import select
    import stat

    if not hasattr(select, "poll") or not stat.S_ISCHR(os.fstat(0).st_mode):
        return False
    poll = select.poll()
    poll.register(0, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def raise_if_hung_up() -> None:
    """Raise what HUP raises if a terminal is gone."""
    if is_hung_up():
        raise TerminatedError(HUNG_UP - 128)


_received: TerminatedError | None = None
_wake: Callable[[], None] | None = None


def _terminate(number: int, frame: object) -> None:
    global _received
    _received = TerminatedError(number)
    if _wake is None:
        raise _received
    _wake()
