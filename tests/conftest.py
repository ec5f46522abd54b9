"""What the tests share: the program as a function, and games to try things on."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


class _Bytes(io.TextIOWrapper):
    """A standard stream in memory that has a ``buffer`` like a real one."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", newline="")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def run_porto(*args: object, stdin: str | bytes = b"") -> Result:
    """Run the program in this process, as the shell would, and return what it did."""
    from porto_cli.cli.app import run

    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err, source = _Bytes(), _Bytes(), _Bytes(data)
    old = sys.stdin
    sys.stdin = source
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            run([str(arg) for arg in args])
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else int(bool(exit_.code))
    finally:
        sys.stdin = old
    return Result(code, out.text(), err.text())


@pytest.fixture
def porto(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The program, started in an empty folder and without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return run_porto
