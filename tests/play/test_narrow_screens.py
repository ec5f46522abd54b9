"""Screens that are narrower than anybody needs: something is shown, and nothing fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Result
from tests.processes import terminals
from tests.shares import one_in

RECORDS = {
    "porto": ROOT / "records" / "porto" / "two-players.yaml",
    "puerto-rico": ROOT / "records" / "puerto-rico" / "three-players-guide.yaml",
}
SIZES = [
    *((30, columns) for columns in range(26, 15, -1)),
    *((rows, columns) for rows in (1, 4, 12) for columns in (1, 7, 20, 33, 61)),
]
"""Rows and columns: first as when somebody pulls the edge of the window to the left."""


@pytest.mark.long
@pytest.mark.parametrize("narrowest", one_in(4, [1, 2, 3, 4]))
@pytest.mark.parametrize("game", RECORDS)
def test_a_table_is_shown_at_any_width(
    porto: Any, game: str, narrowest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each width with another turn of the game."""
    for width in range(narrowest, 62, 4):
        monkeypatch.setenv("COLUMNS", str(width))
        shown: Result = porto("show", RECORDS[game], "--turn", width % 23)
        assert (shown.code, shown.err) == (0, ""), (width, shown.err)
        assert shown.out.strip(), width


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    with terminals(tmp_path) as started:
        yield started


QUESTIONS = {
    "porto": (
        ("keep 1 2 3 --as Ana", "keep 1 2 3 --as Bea", "draw red-2 blue-1"),
        "Bea, what will you do?",
    ),
    "puerto-rico": (("role settler", "take quarry", "take corn"), "Bea, which role will you take?"),
}
"""Moves after which somebody holds two cards, or has a plantation, and what is asked then."""


@pytest.mark.outside
@pytest.mark.parametrize("game", RECORDS)
def test_a_window_is_made_small_while_a_menu_is_open(porto: Any, game: str, start: Any) -> None:
    moves, question = QUESTIONS[game]
    porto("new", "g.yaml", "Ana", "Bea", "--game", game, "--seed", "tram", "--first", "Ana")
    for move in moves:
        verb, *words = move.split()
        played = porto(verb, "g.yaml", *words)
        assert played.code == 0, played.err
    player = start("porto play g.yaml --all")
    if game == "porto":
        player.expect_exact("Hand the keyboard to Bea.")
        player.expect_exact("help")
        player.send("\r")
    player.expect_exact(question)
    for size in SIZES:
        player.setwinsize(*size)
        shown = drawn(player)
        assert "Traceback" not in shown, size
        assert re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).strip(), size
    player.setwinsize(40, 100)
    player.expect_exact(question)
    player.expect_exact("help")
    player.send("\x03")
    player.expect_exact("To continue: porto play g.yaml")
    player.wait()
    assert player.exitstatus == 130


def drawn(player: Any) -> str:
    """Wait until something is drawn, and nothing more comes."""
    import pexpect

    player.expect(r"[\s\S]+")
    shown = str(player.after)
    while player.expect([r"[\s\S]+", pexpect.TIMEOUT], timeout=0.2) == 0:
        shown += str(player.after)
    return shown
