"""What the README says is what happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_the_game_in_ten_lines_can_be_played(porto) -> None:
    block = README.split("## A game in ten lines")[1].split("```sh\n")[1].split("```")[0]
    lines = block.splitlines()
    assert len(lines) == 10
    for line in lines:
        _, *words = shlex.split(line, comments=True)
        result = porto(*words)
        assert result.code == 0, f"{line}\n{result.err}"


def test_what_it_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


@pytest.mark.parametrize("keep", [False, True])
def test_the_bot_plays_a_whole_game(tmp_path: Path, keep: bool) -> None:
    args = [str(tmp_path / "greedy.yaml")] if keep else []
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "greedy_bot.py", *args],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert " VP." in done.stdout
    assert (tmp_path / "greedy.yaml").exists() == keep


def test_the_bot_is_twenty_lines() -> None:
    text = (ROOT / "examples" / "greedy_bot.py").read_text("utf-8")
    body = text.split("def worth")[1].split("if __name__")[0]
    code = [line for line in body.splitlines() if line.strip() and '"""' not in line]
    assert len(code) <= 20
