"""A shell script that knows only the commands plays a game to its end: one command a move."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import porto_cli
from porto_cli.games.porto.engine.scoring import ranking
from porto_cli.installed import rulings_of
from tests.conftest import ROOT

pytestmark = pytest.mark.outside

SCRIPT = ROOT / "tests" / "porto" / "whole_game.sh"


needs_sh = pytest.mark.skipif(not shutil.which("sh"), reason="there is no sh here")


@pytest.mark.long
@needs_sh
def test_a_script_plays_by_commands_alone(tmp_path: Path) -> None:
    result = play(tmp_path, "17")
    assert len(re.findall("^played: ", result, re.MULTILINE)) == 17
    assert len(re.findall("^refused: ", result, re.MULTILINE)) >= 15
    assert not porto_cli.load(tmp_path / "game.yaml").over


@pytest.mark.slow
@needs_sh
def test_a_script_plays_a_game_to_its_end(tmp_path: Path) -> None:
    result = play(tmp_path)
    match = porto_cli.load(tmp_path / "game.yaml")
    assert match.over
    assert re.findall(r"^\d\. (\w+), (\d+) VP", result, re.MULTILINE) == [
        (match.players[seat], str(match.state.scores[seat])) for seat in ranking(match.state)
    ]


def play(tmp_path: Path, *moves: str) -> str:
    """Run the script in a folder and return what it says."""
    folder = tmp_path / "bin"
    folder.mkdir()
    porto = folder / "porto"
    porto.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m porto_cli "$@"\n')
    porto.chmod(0o755)
    env = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        ["sh", SCRIPT, *moves], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    return done.stdout


def test_every_ruling_in_the_script_exists() -> None:
    tried = set(re.findall(r"^refused (\S+)", SCRIPT.read_text("utf-8"), re.MULTILINE))
    assert tried <= {one.id for one in rulings_of("porto").all()}
    assert len(tried) >= 15
