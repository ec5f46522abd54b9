"""The screens of the first minute, as real terminals of two sizes show them."""

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
SIZES = [(60, 20), (80, 24)]


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
        """Return what the screen shows once a text stands on it, and nothing changes anymore."""
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
    """A key and three times Enter start a solo game, and the next time it is offered."""
    terminal.type("porto play", "Enter")
    shown = [terminal.screen("Quit")]
    terminal.type("n1", "Enter")
    shown.append(terminal.screen("How many people are playing?"))
    terminal.type("Enter")
    shown.append(terminal.screen("Maria"))
    terminal.type("Enter")
    assert "Maria, choose 3" in terminal.screen("choose 3 contracts")
    terminal.type("C-c")
    terminal.screen("porto play maria.yaml")
    terminal.type("porto play", "Enter")
    shown.append(terminal.screen("Quit"))
    assert "\n\n-----\n\n".join(shown) == snapshot


@pytest.mark.parametrize("terminal", SIZES[:1], indirect=True, ids=sized)
def test_the_questions_about_a_game_without_a_solo_game(terminal: Terminal, snapshot: Any) -> None:
    terminal.type("porto play", "Enter")
    terminal.screen("Quit")
    terminal.type("n2", "Enter")
    shown = [terminal.screen("How many people are playing?")]
    terminal.type("Enter")
    shown.append(terminal.screen("computer opponents"))
    terminal.type("Enter")
    shown.append(terminal.screen("How strong"))
    assert "\n\n-----\n\n".join(shown) == snapshot


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
@pytest.mark.parametrize("game", ["1", "2"], ids=["porto", "puerto-rico"])
def test_how_to_play_is_read_from_its_beginning(terminal: Terminal, game: str) -> None:
    terminal.type("porto play", "Enter")
    terminal.screen("Quit")
    terminal.type(f"h{game}", "Enter")
    assert "Goal  " in terminal.screen("done)")


@pytest.mark.parametrize(
    ("terminal", "game"),
    list(zip(SIZES, ("porto", "puerto-rico"), strict=True)),
    indirect=["terminal"],
    ids=str,
)
def test_the_first_step_of_a_lesson_and_the_help_with_it(
    terminal: Terminal, game: str, snapshot: Any
) -> None:
    terminal.type(f"porto play --learn --game {game}", "Enter")
    shown = [terminal.screen("Welcome to")]
    terminal.type("?")
    shown.append(terminal.screen("Esc: done"))
    assert "\n\n-----\n\n".join(shown) == snapshot


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
def test_todays_deal_begins_at_once_and_goes_on_at_once(terminal: Terminal) -> None:
    terminal.type("porto play --daily", "Enter")
    first = terminal.screen("choose 3")
    assert "You play as Maria; for another name next time, press . and type: porto me" in " ".join(
        first.split()
    )
    terminal.type("C-c")
    terminal.screen("porto play daily-")
    terminal.type("clear", "Enter", "porto play --daily", "Enter")
    assert terminal.screen("choose 3").splitlines()[:3] == first.splitlines()[:3]
    terminal.type("1", "Enter", "2", "Enter", "3", "Enter")
    terminal.screen("what will you do?")
    terminal.type("C-c")
    terminal.screen("porto play daily-")
    terminal.type("clear", "Enter", "porto play --daily", "Enter")
    assert "You play as Maria" not in terminal.screen("what will you do?"), "only at first"


@pytest.mark.parametrize("terminal", SIZES, indirect=True, ids=sized)
def test_saved_games_say_what_they_are_and_broken_files_are_named(
    terminal: Terminal, tmp_path: Path, snapshot: Any
) -> None:
    for words in (
        "new duel.yaml Maria --bot 'Rui 3' --seed a",
        "new isle.yaml Ana Bea Maria --game puerto-rico --seed b --first Bea",
    ):
        terminal.type(f"porto {words} -q", "Enter")
    terminal.type("head -c 90 duel.yaml >torn.yaml; touch -d 2001-01-01 isle.yaml", "Enter")
    terminal.type("clear; porto play", "Enter")
    assert terminal.screen("Quit") == snapshot
