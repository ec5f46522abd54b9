"""The program in a process of its own: started by a shell, or in a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
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


def dialog(
    words: list[str], answers: list[tuple[str, str]], folder: Path | None = None, **env: str
) -> tuple[int, str]:
    """Start a program in a terminal, and return its exit code and what it has shown.

    Each of the answers is what is waited for, and the keys that are typed then.
    """
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        words[0],
        words[1:],
        cwd=folder,
        env={
            **os.environ,
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "TERM": "dumb",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **env,
        },
        encoding="utf-8",
        dimensions=(40, 100),
        timeout=30,
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
    pexpect = pytest.importorskip("pexpect")
    if sys.platform == "win32":
        pytest.skip("There are no pseudo-terminals.")
    children = []

    def start(command: str, **env: str) -> Any:
        child = pexpect.spawn(
            "sh",
            ["-c", f"exec {command.replace('porto', PORTO, 1)}"],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(folder),
                "LANG": "C.UTF-8",
                "PORTO_HOME": str(folder / "home"),
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm-256color",
                "PROMPT_TOOLKIT_NO_CPR": "1",
                **env,
            },
            encoding="utf-8",
            dimensions=(40, 100),
            timeout=20,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)
