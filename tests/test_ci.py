"""The script that runs all checks: what it makes of what other tools tell."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from types import ModuleType

import pytest

from tests.conftest import ROOT

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
