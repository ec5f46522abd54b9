"""``--open``: a page that was written is opened in the user's browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

RECORD = ROOT / "records" / "porto" / "two-players.yaml"


@pytest.mark.outside
@pytest.mark.parametrize("command", ["show", "log"])
def test_the_browser_gets_the_page(tmp_path: Path, command: str) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', "utf-8")
    browser.chmod(0o755)
    words = [command, str(RECORD), "--format", "html", "-o", "page.html", "--open"]
    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", *words],
        cwd=tmp_path,
        env={**os.environ, "BROWSER": f"{browser} %s", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    page = (tmp_path / "page.html").as_uri()
    assert (tmp_path / "opened").read_text("utf-8").strip() == page


@pytest.mark.parametrize(
    "words", [["show", RECORD, "--open"], ["log", RECORD, "--format", "html", "--open"]]
)
def test_only_a_page_in_a_file_can_be_opened(porto, words: list[object]) -> None:
    result = porto(*words)
    assert (result.code, result.out) == (2, "")
    assert "add --format html -o page.html" in result.err
