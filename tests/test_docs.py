"""The pages under docs/: every example runs, and every link leads somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT
from tests.shares import for_each

PAGES = sorted((ROOT / "docs").rglob("*.md"))
OTHERS = [*ROOT.glob("*.md"), ROOT / "records" / "README.md", ROOT / "scenarios" / "README.md"]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    "page",
    # Players play whole games in it.
    ["python.md", pytest.param("players.md", marks=pytest.mark.long)],
)
def test_the_examples_of_the_python_interface_run(page: str) -> None:
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert result.attempted
    assert not result.failed


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings have where it is shown."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


@for_each("page", [*PAGES, *OTHERS])
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and to a heading in it."""
    for target, heading in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text("utf-8")):
        if "://" not in target:
            there = page.parent / target if target else page
            assert there.exists(), target
            assert not heading or heading in anchors(there), f"{target}#{heading}"


@for_each("page", PAGES)
def test_files_that_are_named_are_there(page: Path) -> None:
    """A name in backticks with a folder in it is that of a file, unless it has a placeholder."""
    package = ROOT / "porto_cli"
    for file in re.findall(r"`([\w./-]+/[\w.-]*)`", page.read_text("utf-8")):
        places = (ROOT / file, package / file, package / "games" / "porto" / file)
        assert any(place.exists() for place in places), file


def test_the_tutorial_builds_the_example() -> None:
    """All blocks of Python together are the module and its tests, the other one is the package."""
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    nim = ROOT / "examples" / "nim"
    *module, tests = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)
    written = (nim / "porto_nim" / "__init__.py").read_text("utf-8")
    assert [line for block in module for line in block.splitlines() if line] == [
        line for line in written.splitlines() if line
    ]
    assert len(written.splitlines()) <= 150
    assert f"{len(written.splitlines())} lines" in page
    assert f"{tests}\n" == (nim / "test_porto_nim.py").read_text("utf-8")
    (package,) = re.findall(r"```toml\n(.*?)\n```", page, re.DOTALL)
    assert f"{package}\n" == (nim / "pyproject.toml").read_text("utf-8")


# --- the scripts of continuous integration ----------------------------------------------------


GOOD = {"name": "rich", "version": "15.0.0", "vulns": []}
UNKNOWN = {"name": "typer", "skip_reason": "Dependency not found"}
HOLE = {"id": "PYSEC-1", "fix_versions": ["6.1"], "aliases": [], "description": "…"}
BAD = {"name": "pyyaml", "version": "6.0.2", "vulns": [HOLE]}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([GOOD, GOOD], 0, "No known vulnerabilities in 2 packages."),
        ([GOOD, UNKNOWN], 0, "Not asked about: typer"),
        ([UNKNOWN, UNKNOWN], 3, "know none of the packages"),
        ([GOOD, UNKNOWN, BAD], 1, "pyyaml 6.0.2: PYSEC-1, mended in 6.1"),
    ],
)
def test_a_known_vulnerability_fails_and_no_answer_is_none(
    audit: ModuleType,
    packages: list[dict[str, object]],
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert audit.report(packages) == code
    assert words in capsys.readouterr().out


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_the_script_is_one() -> None:
    subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@pytest.mark.parametrize("words", [["quick"], ["--full", "--nightly"]])
def test_the_script_refuses_what_it_does_not_know(words: list[str]) -> None:
    done = subprocess.run(
        ["bash", ROOT / ".ci" / "run", *words], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Usage: .ci/run [--oldest | --full | --nightly]\n"


def test_no_change_is_reported_twice_for_a_version() -> None:
    versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    for version in versions:
        changes = [line for line in version.splitlines() if line.startswith("- ")]
        assert len(changes) == len(set(changes))
