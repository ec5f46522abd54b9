"""A terminal that is closed ends whatever runs in it, with the exit code for that (HUP)."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from tests.processes import terminals

pytestmark = [pytest.mark.outside, pytest.mark.timeout(60)]

HUNG_UP = 129
ASKS = "help"
Start = Callable[..., Any]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A solo game in which the next turn is to be made."""
    path = tmp_path / "game.yaml"
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    match.save(path)
    return path


@pytest.fixture
def start(game: Path) -> Iterator[Start]:
    with terminals(game.parent) as started:
        yield started


def closed(child: Any) -> int:
    """Close a terminal; return how the program in it ends."""
    child.ptyproc.fileobj.close()
    ends = time.monotonic() + 15
    while time.monotonic() < ends:
        ended, status = os.waitpid(child.pid, os.WNOHANG)
        if ended:
            child.closed = child.terminated = child.ptyproc.closed = True
            child.ptyproc.terminated = True
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    child.closed = child.ptyproc.closed = True
    pytest.fail("The program has not ended.")


@pytest.mark.parametrize("terminal", ["xterm-256color", "dumb"])
@pytest.mark.parametrize(
    ("command", "asks"),
    [
        ("porto play game.yaml", ASKS),
        ("porto play", ASKS),
        ("porto draw game.yaml", ASKS),
        ("porto key import", "Paste the line"),
        ("porto verify -", ""),
        ("porto simulate level-5 level-4", ""),
    ],
)
def test_a_command_ends(start: Start, game: Path, command: str, asks: str, terminal: str) -> None:
    before = game.read_bytes()
    child = start(command, TERM=terminal)
    if asks:
        child.expect_exact(asks)
    time.sleep(0.5 if asks else 1.5)
    assert closed(child) == HUNG_UP
    assert game.read_bytes() == before
    assert not list(game.parent.glob(".porto-*"))


def test_a_turn_that_was_saved_and_shown_is_no_reason_for_another_code(
    start: Start, game: Path
) -> None:
    before = game.read_bytes()
    child = start("porto play game.yaml")
    child.expect_exact(ASKS)
    while game.read_bytes() == before:
        child.send("\r")
        time.sleep(0.3)
    child.expect_exact(ASKS)
    time.sleep(0.5)
    saved = game.read_bytes()
    assert closed(child) == HUNG_UP
    assert game.read_bytes() == saved


def test_a_command_that_survives_the_signal_ends_when_there_is_nobody_to_ask(
    start: Start, game: Path
) -> None:
    """As under nohup."""
    child = start("sh -c 'trap \"\" HUP; exec porto play game.yaml'")
    child.expect_exact(ASKS)
    assert closed(child) == 129


def test_who_ends_the_input_at_the_first_question_hears_that_no_game_was_started(
    start: Start, tmp_path: Path
) -> None:
    child = start("porto play --plain")
    child.expect_exact("Your choice")
    child.send("\x04")
    child.expect_exact("No game was started.")
