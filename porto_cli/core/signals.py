"""Signals that end the program: Ctrl-C (INT), TERM and HUP.

Each becomes an exception, so that the program cleans up on the way out: new files are removed,
terminals restored. Only critical sections block them for a moment. Windows cannot block them, and
has no HUP.
"""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TERMINATING = [signal.SIGTERM]
if sys.platform != "win32":
    _TERMINATING.append(signal.SIGHUP)
ENDING = (signal.SIGINT, *_TERMINATING)
"""All of them."""
HUNG_UP = 128 + 1
"""Exit code: the terminal is gone, as for HUP, which has this number everywhere."""


class TerminatedError(SystemExit):
    """The program was ended by TERM or HUP. ``code`` is the exit code that shells use for that."""

    code: int

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


FROM_OUTSIDE = (KeyboardInterrupt, TerminatedError)
"""What ends the program whatever it does just then. Anything else that comes out of the code of
other people, such as ``sys.exit()``, is a failure of that code, and does not end the program."""


def catch() -> None:
    """Let TERM and HUP raise TerminatedError, unless they are ignored (as with ``nohup``)."""
    for number in _TERMINATING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def finish() -> None:
    """Undo :func:`catch` and ignore the signals: the exit code is decided, only the exit is left.

    Does nothing in a program that has not called :func:`catch`.
    """
    if any(signal.getsignal(number) is _terminate for number in _TERMINATING):
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Block the signals until the end of ``with``; those received in between are raised then."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def received() -> TerminatedError | None:
    """Return the exception of TERM or HUP, even if it was lost, as in a finalizer, or followed by
    another error, such as writing to a closed terminal.
    """
    return _received


@contextmanager
def handed_over(wake: Callable[[], None]) -> Iterator[None]:
    """Call ``wake`` on TERM and HUP instead of raising, and raise at the end of ``with``.

    For event loops: an exception that a signal raises between two of their steps may replace a
    wake-up, for which a task then waits forever. ``wake`` ends the loop. A new loop checks whether
    a signal came before it (:func:`received`).
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
    """Return whether standard input is a terminal that is gone. ``nohup`` ignores HUP.

    Windows itself ends the programs of a closed terminal.
    """
    if not hasattr(select, "poll") or not stat.S_ISCHR(os.fstat(0).st_mode):
        return False
    poll = select.poll()
    poll.register(0, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def raise_if_hung_up() -> None:
    """Raise the exception of HUP if the terminal is gone."""
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
