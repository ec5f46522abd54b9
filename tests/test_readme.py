"""What the README says is what happens."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def commands(heading: str) -> list[str]:
    """Return the lines of the block of commands under a heading."""
    return README.split(f"## {heading}\n")[1].split("```sh\n")[1].split("```")[0].splitlines()


def play(porto, lines: list[str]) -> None:
    for line in lines:
        _, *words = shlex.split(line, comments=True)
        result = porto(*words)
        assert result.code == 0, f"{line}\n{result.err}"


def test_the_game_in_ten_lines_can_be_played(porto) -> None:
    lines = commands("A game in ten lines")
    assert len(lines) == 10
    play(porto, lines)


def test_the_other_commands_can_be_typed(porto, tmp_path: Path) -> None:
    """Those of ``play`` want a terminal; without one they say so."""
    play(porto, commands("A game in ten lines"))
    lines = commands("And more")
    asking = [line for line in lines if line.startswith("porto play")]
    assert len(asking) == 2
    play(porto, [line for line in lines if line not in asking])
    for line in asking:
        result = porto(*shlex.split(line, comments=True)[1:])
        assert result.code == 2
        assert "terminal" in result.err
    assert {path.name for path in tmp_path.iterdir()} == {
        *("friday.yaml", "friday.html", "story.html", "question.yaml", "quick.yaml")
    }


PICTURES = runpy.run_path(str(ROOT / "docs" / "pictures.py"))


def test_the_page_in_the_picture_is_what_the_program_shows() -> None:
    drawn = (ROOT / "docs" / "page.svg").read_text("utf-8")
    assert drawn == PICTURES["page"](), "run: python docs/pictures.py"


def test_the_terminal_in_the_picture_is_what_the_program_shows() -> None:
    """Its text: the frame around it is that of rich, which may draw it in another way."""
    drawn = (ROOT / "docs" / "terminal.svg").read_text("utf-8")
    assert inner_text(drawn) == inner_text(PICTURES["terminal"]()), "run: python docs/pictures.py"


def inner_text(svg: str) -> str:
    parts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert len(parts) > 100
    return " ".join(" ".join(parts).replace("&#160;", " ").split())


@pytest.mark.parametrize("name", ["terminal.svg", "page.svg"])
def test_a_picture_is_small_and_needs_nothing_from_elsewhere(name: str) -> None:
    text = (ROOT / "docs" / name).read_text("utf-8")
    ElementTree.fromstring(text)
    assert len(text) < 100_000
    links = re.findall(r"(?:https?:)?//[^\s\"')]+", text)
    assert set(links) == {"http://www.w3.org/2000/svg"}
    assert "<script" not in text
    assert f"docs/{name}" in README


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
