"""Contenders take turns; what is reported are medians and the ratios of each round."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from statistics import median
from threading import Timer
from typing import NamedTuple

Work = Callable[[], int]
"""Does some work and returns how many units of it were done."""


class Contender(NamedTuple):
    """Somebody who does the work that is compared."""

    name: str
    work: Work


class Rates(NamedTuple):
    """Units a second of one contender, one for each round."""

    name: str
    rates: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median rate."""
        return median(self.rates)


class Ratios(NamedTuple):
    """One contender's rate by another's, round by round."""

    middle: float
    least: float
    most: float


def take_turns(contenders: Sequence[Contender], rounds: int) -> list[Rates]:
    """Let each contender work once a round, after one round that does not count.

    Processor time is measured, so that what else runs on the machine counts less. The garbage
    collector runs as it does by default.
    """
    rates: list[list[float]] = [[] for _ in contenders]
    for number in range(rounds + 1):
        for contender, own in zip(contenders, rates, strict=True):
            gc.collect()
            start = time.process_time()
            units = contender.work()
            seconds = time.process_time() - start
            if number:
                own.append(units / seconds)
    return [
        Rates(contender.name, tuple(own)) for contender, own in zip(contenders, rates, strict=True)
    ]


def ratios(ours: Rates, theirs: Rates) -> Ratios:
    """Return how many times as fast we are."""
    each = [a / b for a, b in zip(ours.rates, theirs.rates, strict=True)]
    return Ratios(median(each), min(each), max(each))


Program = Callable[[dict[str, str]], None]
"""Starts a process in an environment, and returns when it is done."""
SECONDS = 60.0
"""How long a process may take."""


def to_its_end(command: Sequence[str], limit: float = SECONDS) -> Program:
    """Run a command to its end. Raises RuntimeError if it fails, or does not end in time."""

    def run(environment: dict[str, str]) -> None:
        try:
            done = subprocess.run(
                command, capture_output=True, env=environment, check=False, timeout=limit
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"{' '.join(command)}\nhas not ended in {limit:g} s") from None
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr.decode()}")

    return run


def to_its_prompt(command: Sequence[str], prompt: bytes, limit: float = SECONDS) -> Program:
    """Run a command in a terminal until it shows a prompt, and close the terminal.

    Raises RuntimeError if it shows none or does not end, in time.
    """

    def run(environment: dict[str, str]) -> None:
        import pty

        child, terminal = pty.fork()
        if not child:
            os.execvpe(command[0], list(command), environment)
        ending = Timer(limit, os.kill, (child, signal.SIGKILL))
        ending.start()
        shown = b""
        try:
            while prompt not in shown:
                shown += os.read(terminal, 65_536)
        except OSError:
            raise RuntimeError(f"{' '.join(command)}\n{shown.decode()}") from None
        finally:
            os.close(terminal)
            _, status = os.waitpid(child, 0)
            ending.cancel()
        if os.WIFSIGNALED(status):
            raise RuntimeError(f"{' '.join(command)}\nhas not ended with its terminal")

    return run


def whole_processes(
    programs: dict[str, Program], rounds: int, before: Callable[[], object]
) -> dict[str, list[float]]:
    """Return the wall seconds of programs that take turns; ``before`` runs before each.

    Compiled bytecode is allowed for and present: a first round, which does not count, writes it.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(rounds + 1):
        for name, program in programs.items():
            before()
            start = time.perf_counter()
            program(environment)
            took = time.perf_counter() - start
            if number:
                seconds[name].append(took)
    return seconds
