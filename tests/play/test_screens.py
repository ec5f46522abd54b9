"""What somebody sees who plays: each phase on a terminal of 80 by 24, a hint, the end."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from porto_cli import load
from porto_cli.match.match import Match
from porto_cli.scene import HEAD
from tests.conftest import ROOT
from tests.play.test_first_minute import Terminal, terminal
from tests.puerto_rico.matches import stopped
from tests.tables import table_at

pytestmark = [
    pytest.mark.outside,
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed"),
    pytest.mark.parametrize("terminal", [(80, 24)], indirect=True, ids=["80x24"]),
]
__all__ = ["terminal"]


def played(terminal: Terminal, folder: Path, match: Match, until: str) -> str:
    """Open a game in a terminal; return the screen once a text stands on it."""
    match.save(folder / "home" / "g.yaml")
    terminal.type("porto play g.yaml --all", "Enter")
    return terminal.screen(until)


@pytest.mark.parametrize(
    "phase",
    ["role", "settler", "mayor", "builder", "privilege", "trader", "captain"],
)
def test_a_phase_of_puerto_rico(
    terminal: Terminal, tmp_path: Path, phase: str, snapshot: Any
) -> None:
    assert played(terminal, tmp_path, stopped(phase), "? help") == snapshot


PORTO = {
    "keep": ("porto/solo-won", 0, ()),
    "act": ("porto/solo-won", 9, ()),
    "draw": ("porto/solo-won", 9, ("d", "Enter")),
    "build": ("porto/solo-won", 9, ("b", "Enter")),
    "two": ("porto/two-players", 30, ("Enter",)),
    "contracts": ("porto/three-players", 7, ("Enter", "b", "Enter", "L4", "Enter", "Enter")),
    "no-contract": ("porto/three-players", 7, ("Enter", "b", "Enter", "L4", "Enter", "Enter", "0")),
}
"""A record, after how many items, and the keys that lead to a question."""


@pytest.mark.parametrize("phase", PORTO)
def test_a_phase_of_porto(terminal: Terminal, tmp_path: Path, phase: str, snapshot: Any) -> None:
    record, items, keys = PORTO[phase]
    match = table_at(record, items, tmp_path / "g.yaml")
    shown = played(terminal, tmp_path, match, "? help")
    for key in keys:
        terminal.type(key)
        shown = terminal.screen("? help")
    assert shown == snapshot


def test_a_hint_stands_where_the_last_move_was_and_moves_nothing(
    terminal: Terminal, tmp_path: Path, snapshot: Any
) -> None:
    before = played(terminal, tmp_path, stopped("settler"), "? help").splitlines()
    terminal.type("Escape")
    terminal.type("!")
    shown = terminal.screen("Hint: ")
    assert shown == snapshot
    now = shown.splitlines()
    assert now[:9] == before[:9]
    # The boards show what the move of the hint would change.
    assert [line[:HEAD] for line in now[9:11]] == [line[:HEAD] for line in before[9:11]]


def test_what_is_typed_while_it_thinks_is_kept(terminal: Terminal, tmp_path: Path) -> None:
    played(terminal, tmp_path, stopped("role"), "? help")
    terminal.type("!", "=")
    assert "What would you like to see?" in terminal.screen("like to see?")


@pytest.mark.parametrize("record", ["porto/two-players", "puerto-rico/three-players-guide"])
def test_the_end(terminal: Terminal, tmp_path: Path, record: str, snapshot: Any) -> None:
    match = load(ROOT / "records" / f"{record}.yaml")
    assert played(terminal, tmp_path, match, "What would you like to do now?") == snapshot
