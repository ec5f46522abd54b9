"""The version that is compared with: installed from the history of the project."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

BEFORE = Path(__file__).with_name("BEFORE")
"""The file with the commit."""
DONE = "installed"
"""The file that says that an environment is complete."""
LIMIT_SECONDS = 300


class MissingError(Exception):
    """The version cannot be installed here, and why."""


def install(checkout: Path) -> Path:
    """Install the commit of BEFORE, unless an earlier run has, and return its program.

    It is kept in the user's cache by its hash and the version of Python, apart from the checkout.
    """
    commit = BEFORE.read_text(encoding="utf-8").strip()
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = cache() / f"{commit[:12]}-{python}"
    with place.with_name(f"{place.name}.lock").open("w") as lock:
        # Another run may be installing it just now.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / DONE).exists():
            make(place, archive(checkout, commit))
    return place / "bin" / "porto"


def make(place: Path, files: bytes) -> None:
    """Make an environment with the version of a tar archive."""
    shutil.rmtree(place, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="same-") as source:
        with tarfile.open(fileobj=io.BytesIO(files)) as tar:
            tar.extractall(source, filter="data")
        run(sys.executable, "-m", "venv", str(place))
        pip = (str(place / "bin" / "pip"), "--quiet", "--disable-pip-version-check")
        run(*pip, "install", source)
    (place / DONE).touch()


def cache() -> Path:
    """The folder of versions that were installed before."""
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    folder = Path(home) / "porto-same"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"porto-same-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def archive(checkout: Path, commit: str) -> bytes:
    """The files of a commit, from the history of a checkout."""
    try:
        return run("git", "-C", str(checkout), "archive", "--format=tar", commit)
    except MissingError as error:
        raise MissingError(f"commit {commit[:12]} is not in the history here: {error}") from None


def run(*command: str) -> bytes:
    """Run a program and return what it prints, or raise MissingError."""
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingError(f"{Path(command[0]).name}: {error}") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        said = [line.strip() for line in lines if "error" in line.casefold()] or lines
        raise MissingError(f"{Path(command[0]).name}: {' '.join(said[:3])}")
    return done.stdout
