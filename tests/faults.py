"""Faults where a record is saved: each call of the operating system can fail, or be the moment at
which somebody presses Ctrl-C, kills the program, or saves as well.
"""

from __future__ import annotations

import fcntl
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from porto_cli.core import files

Fault = Callable[[], None]


class Call(NamedTuple):
    """A call of the operating system: the how-manieth of which name."""

    name: str
    nth: int

    def __str__(self) -> str:
        return f"{self.name}-{self.nth}"


class Watched:
    """A module whose functions are counted, and fail where it is said."""

    def __init__(self, real: Any, calls: Calls) -> None:
        self._real = real
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._real, name)
        if not callable(value) or isinstance(value, type):
            return value
        return self._calls.watched(name, value)


class File(io.FileIO):
    """A file whose writing is counted as well."""

    calls: Calls

    def write(self, data: Any) -> int:
        return int(self.calls.watched("write", super().write)(data))

    def close(self) -> None:
        """An error of closing comes after the file is closed."""
        if self.closed:
            return
        super().close()
        self.calls.watched("close_new", lambda: None)()


class Calls:
    """Counts the calls of a save. ``before`` or ``after`` is what happens at one of them."""

    def __init__(
        self, at: Call | None = None, before: Fault | None = None, after: Fault | None = None
    ):
        self.at = at
        self.before = before
        self.after = after
        self.made: list[Call] = []

    def watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watch(*args: Any, **more: Any) -> Any:
            call = Call(name, sum(one.name == name for one in self.made) + 1)
            self.made.append(call)
            if call == self.at and self.before:
                self.before()
            result = function(*args, **more)
            if call == self.at and self.after:
                self.after()
            return result

        return watch

    def open(self, file: Any, mode: str, opener: Any) -> Any:
        """Open a new file as ``open`` does, with watched writing."""
        handle = type("Watched", (File,), {"calls": self})(
            file, mode.replace("b", ""), opener=opener
        )
        return io.BufferedWriter(handle)


@contextmanager
def watching(calls: Calls) -> Iterator[Calls]:
    """Let what saves records go through ``calls`` for the operating system."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "os", Watched(os, calls))
        patch.setattr(files, "fcntl", Watched(fcntl, calls))
        patch.setattr(files, "open", calls.open, raising=False)
        yield calls
