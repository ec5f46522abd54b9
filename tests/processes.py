"""The program in a process of its own: started by a shell, or in a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

PORTO = f"{sys.executable} -m porto_cli"


def shell(command: str, folder: Path, **more: Any) -> subprocess.CompletedProcess[Any]:
    """Run a line of shell, in which $PORTO is the program."""
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PORTO": PORTO, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
        **more,
    )


_FOR_TESTS = {"LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "PROMPT_TOOLKIT_NO_CPR": "1"}


def in_a_terminal(
    words: Sequence[str],
    folder: Path | None,
    env: Mapping[str, str],
    *,
    rows: int = 40,
    columns: int = 100,
    timeout: int = 20,
) -> Any:
    """Start a program in a terminal of its own."""
    pexpect = pytest.importorskip("pexpect")
    return pexpect.spawn(
        words[0],
        [*words[1:]],
        cwd=folder,
        env={**env},
        encoding="utf-8",
        dimensions=(rows, columns),
        timeout=timeout,
    )


def at_home(folder: Path) -> dict[str, str]:
    """Return the environment of somebody whose home a folder is, with nothing of who runs this."""
    own = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "xterm-256color"}
    return own | _FOR_TESTS


def dialog(
    words: list[str], answers: list[tuple[str, str]], folder: Path | None = None, **env: str
) -> tuple[int, str]:
    """Start a program in a terminal, and return its exit code and what it has shown.

    Each of the answers is what is waited for, and the keys that are typed then.
    """
    pexpect = pytest.importorskip("pexpect")
    child = in_a_terminal(
        words, folder, {**os.environ, **_FOR_TESTS, "TERM": "dumb", **env}, timeout=30
    )
    child.delaybeforesend = None
    shown = ""
    for question, keys in answers:
        child.expect_exact(question)
        shown += child.before + child.after
        child.send(keys)
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, str(shown + child.before)


@contextmanager
def terminals(folder: Path) -> Iterator[Callable[..., Any]]:
    """Give what starts a line of shell in a terminal of its own; close all of them in the end.

    In the line, a first word ``porto`` is the program.
    """
    if sys.platform == "win32":
        pytest.skip("There are no pseudo-terminals.")
    children = []

    def start(command: str, **env: str) -> Any:
        words = ["sh", "-c", f"exec {command.replace('porto', PORTO, 1)}"]
        own = at_home(folder) | {"PORTO_HOME": str(folder / "home")}
        child = in_a_terminal(words, folder, own | env)
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)
