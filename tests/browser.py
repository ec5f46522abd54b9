"""A real browser without a window, where there is one, as fixtures of the tests.

A module that imports them needs ``profile``, ``flags``, ``chromium`` and ``ask``.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no chromium to open pages with"
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
)
PHONE, DESKTOP = 360, 1280


def in_hunts(*values: Any) -> list[Any]:
    """Parameters of tests that only long hunts take: a browser is started for each."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


FRAME = """<!DOCTYPE html><meta charset="utf-8"><body>
<iframe id="page" width="%(width)d" height="800"></iframe><pre id="found"></pre>
<script>
var frame = document.getElementById("page");
frame.srcdoc = %(page)s;
frame.onload = function () {
  var page = frame.contentDocument, view = frame.contentWindow;
  function now() { return page.querySelector("article.now h3").textContent; }
  function press(key) {
    page.dispatchEvent(new view.KeyboardEvent("keydown", {key: key, cancelable: true}));
    return now();
  }
  function click(id) { page.getElementById(id).click(); return now(); }
  var found = (function () { %(script)s })();
  document.getElementById("found").textContent = JSON.stringify(found);
};
</script>"""

Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The browser's own folder, which takes it longer to set up than to open a page."""
    return tmp_path_factory.mktemp("profile")


@pytest.fixture
def flags() -> list[str]:
    """More switches of the browser; a test may add some."""
    return []


@pytest.fixture
def chromium(profile: Path, flags: list[str]) -> Callable[[str], str]:
    def dump(address: str) -> str:
        """Return the page as it is once it has loaded, and complain about what it complains."""
        done = subprocess.run(
            [
                str(CHROMIUM),
                *FLAGS,
                *flags,
                f"--user-data-dir={profile}",
                "--dump-dom",
                address,
            ],
            capture_output=True,
            timeout=60,
            check=True,
            encoding="utf-8",
        )
        complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        assert not complaints
        return done.stdout

    return dump


@pytest.fixture
def ask(chromium: Callable[[str], str], tmp_path: Path) -> Ask:
    def run(page: str, script: str, width: int = DESKTOP) -> Any:
        """Return what a script finds out about a page that is shown at a width."""
        content = json.dumps(page).replace("</", "<\\/")
        wrapper = tmp_path / "wrapper.html"
        wrapper.write_text(FRAME % {"width": width, "page": content, "script": script}, "utf-8")
        result = re.search(r'<pre id="found">(.*?)</pre>', chromium(wrapper.as_uri()), re.DOTALL)
        assert result is not None
        return json.loads(unescape(result[1]))

    return run
