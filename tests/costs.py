"""What a command takes, measured in a process of its own. Not for Windows."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT


class Took(NamedTuple):
    """What a command has taken."""

    seconds: float
    """Of the processor."""
    mebibytes: int
    """At most, in memory."""
    code: int
    told: str


def taken(module: str, *words: str, patience: float) -> Took:
    """Run a module of tests, with words with which it is :func:`measured`."""
    command = [sys.executable, "-m", module, *words]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return Took(patience, 0, -1, "It did not end.")
    *errors, figures = done.stderr.splitlines() or ["[]"]
    try:
        return Took(*json.loads(figures), "\n".join([*done.stdout.splitlines(), *errors]))
    except (ValueError, TypeError):
        return Took(0, 0, -1, done.stdout + done.stderr)


def measured(command: Callable[[], object]) -> None:
    """Run a command, and print what it takes in the last line of standard error."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    code: object = 0
    try:
        command()
    except SystemExit as end:
        code = end.code
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    held = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    )
    print(json.dumps([seconds, int(held.split()[1]) >> 10, code]), file=sys.stderr)
