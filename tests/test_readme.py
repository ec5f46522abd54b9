"""What the README says is what happens."""

from __future__ import annotations

import itertools
import re
import runpy
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT
from tests.test_guide import blocks, type_line

README = (ROOT / "README.md").read_text("utf-8")


def commands(heading: str) -> list[list[str]]:
    """Return the blocks of commands under a heading, each as its lines."""
    section = README.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [block.text.splitlines() for block in blocks(section)]


@pytest.mark.outside
def test_each_game_in_ten_lines_can_be_played(porto) -> None:
    *games, sealed = commands("A game in ten lines")
    assert list(map(len, games)) == [10, 10]
    for line in (*itertools.chain(*games), *sealed):
        type_line(porto, line)


@pytest.mark.outside
def test_the_other_commands_can_be_typed(porto, tmp_path: Path) -> None:
    """After the games; they need no other file, and make those that they name."""
    for heading in ("A game in ten lines", "And more"):
        for line in itertools.chain(*commands(heading)):
            type_line(porto, line)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("friday.yaml", "sunday.yaml", "sealed.yaml", "quick.yaml", "sunday.html", "story.html"),
        *("turn.html", "turn.eml"),
    }


def test_a_player_sets_up_and_plays_and_two_commands_set_up_and_test() -> None:
    ((setup,),), (play,) = commands("Set up"), commands("Play")
    assert setup.endswith("pip install -q .")
    assert [line.split()[:2] for line in play[2:]] == [["porto", "me"], *[["porto", "play"]] * 2]
    ((setup, tests),) = commands("Work on the program")
    assert "examples/greedy_bot.py" in setup
    assert tests == ".venv/bin/pytest"


PICTURES = runpy.run_path(str(ROOT / "docs" / "pictures.py"))["PICTURES"]


@pytest.mark.outside
@pytest.mark.parametrize("name", ["page.svg", "puerto-rico.svg"])
def test_the_page_in_the_picture_is_what_the_program_shows(name: str) -> None:
    drawn = (ROOT / "docs" / name).read_text("utf-8")
    assert drawn == PICTURES[name](), "run: python docs/pictures.py"


@pytest.mark.outside
@pytest.mark.parametrize("name", ["terminal.svg", "terminal-puerto-rico.svg"])
def test_the_terminal_in_the_picture_is_what_the_program_shows(name: str) -> None:
    """Its text: the frame around it is that of rich, which may draw it in another way."""
    drawn = (ROOT / "docs" / name).read_text("utf-8")
    assert inner_text(drawn) == inner_text(PICTURES[name]()), "run: python docs/pictures.py"


def inner_text(svg: str) -> str:
    parts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert len(parts) > 100
    return " ".join(" ".join(parts).replace("&#160;", " ").split())


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_needs_nothing_from_elsewhere(name: str) -> None:
    text = (ROOT / "docs" / name).read_text("utf-8")
    ElementTree.fromstring(text)
    assert len(text) < 100_000
    links = re.findall(r"(?:https?:)?//[^\s\"')]+", text)
    assert set(links) == {"http://www.w3.org/2000/svg"}
    assert "<script" not in text
    assert f"docs/{name}" in README


@pytest.mark.outside
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
    assert "Greta wins with 78 VP; Gil has 63." in done.stdout.splitlines()[-1]
    assert (tmp_path / "greedy.yaml").exists() == keep


def test_the_bot_is_twenty_lines() -> None:
    text = (ROOT / "examples" / "greedy_bot.py").read_text("utf-8")
    body = text.split("def worth")[1].split("if __name__")[0]
    code = [line for line in body.splitlines() if line.strip() and '"""' not in line]
    assert len(code) <= 20


def test_the_package_index_can_follow_the_links_of_the_readme() -> None:
    with_absolute_links = runpy.run_path(str(ROOT / "docs" / "readme_links.py"))[
        "with_absolute_links"
    ]
    readme = (ROOT / "README.md").read_text("utf-8")
    absolute = with_absolute_links(readme, "https://example.org/porto/raw/v1/")
    targets = re.findall(r"\]\(([^)]*)\)", absolute)
    assert {"https", "#"} >= {target.partition(":")[0] for target in targets}
    ours = [target for target in targets if target.startswith("https://example.org/porto/raw/v1/")]
    assert "https://example.org/porto/raw/v1/docs/page.svg" in ours
    for target in ours:
        assert (ROOT / target.removeprefix("https://example.org/porto/raw/v1/")).exists(), target
    assert with_absolute_links(readme, "") == readme
