"""The pages under docs/: every example runs, and every link leads somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize(
    "page",
    # Players play whole games in it.
    ["python.md", pytest.param("players.md", marks=pytest.mark.long)],
)
def test_the_examples_of_the_python_interface_run(page: str) -> None:
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_are_there(page: Path) -> None:
    """A name in backticks with a folder in it is that of a file, unless it has a placeholder."""
    package = ROOT / "porto_cli"
    for name in re.findall(r"`([\w./-]+/[\w.-]*)`", page.read_text("utf-8")):
        places = (ROOT / name, package / name, package / "games" / "porto" / name)
        assert any(place.exists() for place in places), name


def test_the_tutorial_builds_the_example() -> None:
    """All blocks of Python together are the module and its tests, the other one is the package."""
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    nim = ROOT / "examples" / "nim"
    *module, tests = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)
    written = (nim / "porto_nim.py").read_text("utf-8")
    assert [line for block in module for line in block.splitlines() if line] == [
        line for line in written.splitlines() if line
    ]
    assert len(written.splitlines()) <= 150
    assert f"{len(written.splitlines())} lines" in page
    assert f"{tests}\n" == (nim / "test_porto_nim.py").read_text("utf-8")
    (package,) = re.findall(r"```toml\n(.*?)\n```", page, re.DOTALL)
    assert f"{package}\n" == (nim / "pyproject.toml").read_text("utf-8")
