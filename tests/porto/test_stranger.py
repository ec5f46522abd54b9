"""A shell script, written as a stranger would, plays a game to its end: one command a move."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import porto_cli
from porto_cli.games.porto.engine.ranking import ranking
from porto_cli.rulings import rulings_of
from tests.conftest import ROOT

SCRIPT = ROOT / "tests" / "porto" / "stranger.sh"


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no sh here")
def test_a_stranger_plays_a_game_by_commands_alone(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    porto = folder / "porto"
    porto.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m porto_cli "$@"\n')
    porto.chmod(0o755)
    env = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    # Compiling every module for every command would take more time than the game.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        ["sh", SCRIPT], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    match = porto_cli.load(tmp_path / "game.yaml")
    assert match.over
    assert re.findall(r"^\d\. (\w+), (\d+) VP", done.stdout, re.MULTILINE) == [
        (match.players[seat], str(match.state.scores[seat])) for seat in ranking(match.state)
    ]


def test_every_ruling_in_the_script_exists() -> None:
    tried = set(re.findall(r"^refused (\S+)", SCRIPT.read_text("utf-8"), re.MULTILINE))
    assert tried <= {one.id for one in rulings_of("porto").all()}
    assert len(tried) >= 15
