"""The standard streams of the program: there in any case, and in UTF-8 unless on a terminal."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO


def prepare() -> None:
    """Make the standard streams what the commands take them for.

    A record that goes through a pipe or into a file is UTF-8, whatever the locale says, and a
    terminal gets what it can show.
    """
    # Streams that were closed before the program began, open so that nothing else takes their
    # places; what comes from standard input cannot be read.
    sys.stdin = sys.stdin or open(os.devnull, "w")  # noqa: SIM115 - for good
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - for good
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        elif "utf" in (stream.encoding or "").lower():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(errors="replace")


def abandon() -> None:
    """Let go what cannot be written any more, or Python would try it again when it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _send_nowhere(stream)


def _send_nowhere(stream: TextIO) -> None:
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()
