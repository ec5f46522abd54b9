"""Running one version of porto in a folder of its own, and what it does there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

TABLE = "table"
"""The folder below a scene in which the commands run."""
HOME = "home"
"""The folder below a scene that PORTO_HOME names; games of several people have several."""
CHANGED = 1_700_000_000
"""When the files of a scene were written: fixed, because `porto games` prints it."""
LIMIT_SECONDS = 120
READ_ONLY = "readonly"
"""How names of files begin that nobody may write."""

Files = dict[str, bytes]
"""The files of a scene, by their path from its folder."""
Json = Any


@dataclass(frozen=True)
class Outcome:
    """What one command did: all that can be compared without reading its sentences."""

    exit: int
    out: str
    err: str
    files: Files

    @property
    def crashed(self) -> bool:
        """It has died of an error that it did not expect."""
        return "Traceback (most recent call last)" in self.err or self.exit < 0

    def json(self) -> Json:
        """The document that it printed, or a list of one for each line, or None.

        Errors print theirs on standard error.
        """
        for text in (self.out, self.err):
            with suppress(ValueError):
                return json.loads(text)
            with suppress(ValueError):
                return [json.loads(line) for line in text.splitlines()] or None
        return None


@dataclass(frozen=True)
class Program:
    """An installed version of porto."""

    name: str
    path: Path

    def run(
        self,
        folder: Path,
        args: Sequence[str],
        *,
        home: str = HOME,
        stdin: str | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Run it in the table of a folder; the folder's own path is not part of the outcome."""
        with self.started(
            folder,
            args,
            home,
            dict(extra or {}),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                written = process.communicate(
                    None if stdin is None else stdin.encode(), timeout=LIMIT_SECONDS
                )
            except subprocess.TimeoutExpired:
                return Outcome(-1, "", f"It had not ended after {LIMIT_SECONDS} seconds.", {})
        out, err = (text.decode(errors="replace").replace(str(folder), "SCENE") for text in written)
        return Outcome(process.returncode, out, err, read_files(folder))

    @contextmanager
    def started(
        self, folder: Path, args: Sequence[str], home: str, extra: Mapping[str, str], **streams: Any
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A process of it, which ends after this with all that it has started."""
        if stopped.is_set():
            raise Stopped
        process = subprocess.Popen(
            [str(self.path), *args],
            cwd=folder / TABLE,
            env=environment(folder, home) | extra,
            start_new_session=True,
            **streams,
        )
        running.add(process)
        try:
            yield process
        finally:
            end(process)
            running.discard(process)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()


class Stopped(BaseException):
    """Somebody has stopped the comparison, so nothing more is started."""


running: set[subprocess.Popen[bytes]] = set()
"""The processes that threads wait for."""
stopped = Event()


def stop() -> None:
    """End all that runs, and let nothing more start."""
    stopped.set()
    for process in list(running):
        end(process)


def environment(folder: Path, home: str = HOME) -> dict[str, str]:
    """The environment of a command in a scene: nothing of the one of who compares."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / home),
        "PORTO_HOME": str(folder / home),
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
    }


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a session, and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read_files(folder: Path) -> Files:
    """All files below a folder, without those that another process is about to remove."""
    files = {}
    for path in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):
            if path.is_file():
                files[path.relative_to(folder).as_posix()] = path.read_bytes()
    return files


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Lay out a scene, with the same times every time."""
    for place in (TABLE, HOME):
        (folder / place).mkdir(parents=True, exist_ok=True)
    for name, contents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
        os.utime(path, (CHANGED, CHANGED))
        if path.name.startswith(READ_ONLY):
            path.chmod(0o444)


@contextmanager
def laid_out(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A folder with a scene, for as long as it is needed."""
    folder = Path(tempfile.mkdtemp(prefix="same-")).resolve()
    try:
        write_files(folder, files)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def on_table(files: Mapping[str, str | bytes]) -> Files:
    """A scene with these files on the table."""
    return {
        f"{TABLE}/{name}": text.encode() if isinstance(text, str) else text
        for name, text in files.items()
    }


def command_line(args: Sequence[str], home: str = HOME) -> str:
    """The command as one types it in the table of a scene."""
    return f"PORTO_HOME=../{home} porto {shlex.join(args)}"
