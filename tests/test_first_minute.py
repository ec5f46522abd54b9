"""The screens of the first minute, as real terminals of three sizes show them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

pytestmark = [
    pytest.mark.outside,
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed"),
]
SIZES = [(60, 20), (80, 24), (120, 40)]


class Terminal:
    """A terminal of tmux, with a shell in an empty folder of somebody called Maria."""

    def __init__(self, folder: Path, columns: int, rows: int) -> None:
        self.server = ["tmux", "-f", os.devnull, "-S", str(folder / "tmux")]
        home = folder / "home"
        home.mkdir()
        program = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m porto_cli "$@"\n'
        (folder / "porto").write_text(program, "utf-8")
        (folder / "porto").chmod(0o755)
        environment = {
            "HOME": str(home),
            "LOGNAME": "maria",
            "LANG": "C.UTF-8",
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        size = ["-x", str(columns), "-y", str(rows)]
        command = ["new-session", "-d", *size, "-c", str(home), "sh"]
        subprocess.run([*self.server, *command], env=environment, check=True, timeout=20)

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            [*self.server, *words],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "LANG": "C.UTF-8"},
            check=True,
            timeout=20,
        )
        return done.stdout

    def screen(self, until: str) -> str:
        """Return what the screen shows once a text stands on it, and nothing changes any more."""
        shown = ""
        for _ in range(300):
            before, shown = shown, self.tmux("capture-pane", "-p").rstrip()
            if until in shown and shown == before:
                return shown
            time.sleep(0.1)
        raise AssertionError(f"There is no {until!r} on the screen:\n{shown}")

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)


@pytest.fixture
def terminal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    started = Terminal(tmp_path, *request.param)
    yield started
    subprocess.run([*started.server, "kill-server"], check=False, timeout=20)


def sized(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
def test_the_first_screen_is_seen_whole(terminal: Terminal, snapshot: Any) -> None:
    terminal.type("PS1='$ '; clear; porto", "Enter")
    assert terminal.screen("porto help draw\n$").rpartition("\n$")[0] == snapshot


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
def test_the_first_questions(terminal: Terminal, snapshot: Any) -> None:
    """Three times Enter starts a solo game, and the next time one like it is offered."""
    terminal.type("porto play", "Enter")
    shown = [terminal.screen("Which game?")]
    terminal.type("Enter")
    shown.append(terminal.screen("How many play?"))
    terminal.type("Enter")
    shown.append(terminal.screen("Maria"))
    terminal.type("Enter")
    assert "Maria, choose 3" in terminal.screen("choose 3 contracts")
    terminal.type("C-c")
    terminal.screen("porto play maria.yaml")
    terminal.type("porto play", "Enter")
    shown.append(terminal.screen("Again like last time"))
    assert "\n\n-----\n\n".join(shown) == snapshot


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
def test_the_questions_about_a_game_without_a_solo_game(terminal: Terminal, snapshot: Any) -> None:
    terminal.type("porto play", "Enter")
    terminal.screen("Which game?")
    terminal.type("2")
    shown = [terminal.screen("How many play?")]
    terminal.type("Enter")
    shown.append(terminal.screen("How many programs"))
    terminal.type("Enter")
    shown.append(terminal.screen("How well"))
    assert "\n\n-----\n\n".join(shown) == snapshot
