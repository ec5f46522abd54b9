"""Close the terminal of a question, at each of many moments; print how the program ends.

    python -m tests.hang_up setup FIRST LAST STEP     while the question is set up
    python -m tests.hang_up ending FIRST LAST STEP    the signal comes after the end of the input
    …                                        ignored  with HUP ignored, as by nohup

A moment is the call of a Python function or the return from one. A line for each: its number, how
the process has ended, and where it was.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pty
import select
import signal
import sys
import time
from types import FrameType
from typing import Any

from prompt_toolkit.input.posix_utils import PosixStdinReader

from porto_cli.cli.rules import advice
from porto_cli.core import files
from porto_cli.term import Stage
from porto_cli.term.menus import Menus
from porto_cli.term.prompt import Choice

SECONDS = 10
ASKED_SECONDS = 0.5
"""When nothing has happened for so long, the question is asked, and the moment is the waiting."""
SURVIVED = 0


def asks() -> None:
    """Ask a question, as ``porto play`` does."""
    with Stage() as stage:
        Menus(advice, stage).choose("Which?", [Choice([(name, "")], name) for name in "ab"])


class Moment:
    """Does something at the nth call or return from now on."""

    def __init__(self, number: int, told: int) -> None:
        self.left = number
        self.told = told

    def at(self, frame: FrameType, event: str, _: object) -> None:
        """Count, and hang up when it is time."""
        if event not in ("call", "return"):
            return
        self.left -= 1
        if not self.left:
            sys.setprofile(None)
            os.write(self.told, f"{frame.f_code.co_qualname} {event}".encode())
            self.hang_up()

    def hang_up(self) -> None:
        """Have the terminal closed, and wait until it is."""
        while os.isatty(0):
            time.sleep(0.001)

    def start(self) -> None:
        """Count from here on."""
        sys.setprofile(self.at)


class AfterTheEnd(Moment):
    """Counts from the end of the input on, and only then lets HUP through."""

    def start(self) -> None:
        """Count from where the closed terminal is read."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
        read = PosixStdinReader.read

        def first(reader: PosixStdinReader, *given: Any) -> str:
            sys.setprofile(self.at)
            return read(reader, *given)

        PosixStdinReader.read = first  # type: ignore[method-assign]

    def hang_up(self) -> None:
        """Let HUP through, which was sent when the terminal was closed."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGHUP])


def child(moment: Moment, *, ignored: bool) -> int:
    """Ask, and return how that ended."""
    if ignored:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    files.catch()
    gc.disable()
    try:
        moment.start()
        asks()
    except files.TerminatedError as end:
        return end.code
    except OSError:
        return files.HUNG_UP if files.is_hung_up() else 4
    finally:
        sys.setprofile(None)
    return SURVIVED


def close_at(number: int, kind: str, *, ignored: bool) -> tuple[str, str]:
    """Start a question, close its terminal at a moment; return how it ended, and where it was."""
    reading, telling = os.pipe()
    process, terminal = pty.fork()
    if not process:
        code = 1
        with contextlib.suppress(BaseException):
            moment = AfterTheEnd if kind == "ending" else Moment
            code = child(moment(number, telling), ignored=ignored)
        os._exit(code)
    os.close(telling)
    shown, where = b"", ""
    while terminal in (ready := select.select([reading, terminal], [], [], _patience(shown))[0]):
        shown += os.read(terminal, 65_536)
        if b"help" in shown and kind == "ending":
            # The input has to be waited for, or there is no loop that could miss the signal.
            time.sleep(0.02)
            break
    if reading in ready:
        where = os.read(reading, 1000).decode()
    os.close(terminal)
    end = time.monotonic() + SECONDS
    while (found := os.waitpid(process, os.WNOHANG)) == (0, 0):
        if time.monotonic() > end:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            break
        time.sleep(0.002)
    where = where or os.read(reading, 1000).decode()
    os.close(reading)
    return str(os.waitstatus_to_exitcode(found[1])) if found[0] else "waits forever", where


def _patience(shown: bytes) -> float:
    return ASKED_SECONDS if b"help" in shown else SECONDS


def main() -> None:
    """Go from moment to moment until there is none."""
    kind, first, last, step = sys.argv[1], *map(int, sys.argv[2:5])
    for number in range(first, last, step):
        ended, where = close_at(number, kind, ignored="ignored" in sys.argv)
        print(number, ended, where, sep="\t", flush=True)
        if not where:
            return


if __name__ == "__main__":
    main()
