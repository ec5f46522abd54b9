"""What the tests share: the program as a function, and games to try things on."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
TESTS = Path(__file__).parent

# A job that a shell runs in the background ignores Ctrl-C, one under nohup the closing of its
# terminal, and all that it starts would inherit it. What they do is to be tested there as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

_EMPTY_HOME = tempfile.TemporaryDirectory(prefix="porto-home-")
os.environ["PORTO_HOME"] = _EMPTY_HOME.name
"""No test, and no program that one starts, reads what a developer has set."""
os.environ.pop("PORTO_PLAYER", None)

os.fsync = lambda handle: None
"""Nobody pulls the plug while tests run, and to wait for the disk some thousand times takes long.
That it is called, when, and what follows if it fails, has tests of its own."""


# The same examples every time; others, and more of them, with --hypothesis-profile hunt.
_ANY_TIME = settings(deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("usual", _ANY_TIME, max_examples=20, derandomize=True)
settings.register_profile("hunt", _ANY_TIME, max_examples=600, database=None)
settings.load_profile("usual")


STARTED = time.monotonic()

gc.disable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--budget", type=float, metavar="SECONDS", help="skip tests that have not begun by then"
    )
    parser.addoption("--shuffle", metavar="SEED", help="run tests in another order")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark the long cases of a test; with a budget, and of what was selected, take a test of every
    module before the second one of any.
    """
    for item in items:
        for mark in item.iter_markers("long_for"):
            if item.callspec.id in mark.args:  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.long)
    yield
    if config.option.shuffle:
        random.Random(config.option.shuffle).shuffle(items)
    if config.option.budget:
        begun: Counter[str] = Counter()
        turns = {}
        for item in items:
            module = item.nodeid.partition("::")[0]
            turns[item.nodeid] = begun[module]
            begun[module] += 1
        items.sort(key=lambda item: turns[item.nodeid])


def pytest_collection_finish() -> None:
    """Never again look through the tests themselves for what to collect, and seldom at the rest.

    Several thousand tests stay to the end; going through them took an eighth of the time.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    # What one test has played is not proposed to the next one.
    for name in ("last-game.yaml", "results.jsonl"):
        Path(_EMPTY_HOME.name, name).unlink(missing_ok=True)
    budget = item.config.option.budget
    if budget and time.monotonic() - STARTED > budget:
        pytest.skip(f"the {budget:.0f} seconds for these tests were over")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use all cores for a run of everything; a part of it stays in one process, to be debugged."""
    option = config.option
    everything = all(Path(arg).resolve() == TESTS for arg in config.args)
    part = not everything or option.keyword or option.collectonly or option.capture == "no"
    return 0 if part else None


@pytest.fixture(autouse=True)
def _randomness(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test has random numbers of its own, the same ones in every run, and new journals."""
    from tests.randomness import seeded_by
    from tests.sealed_games import new_journals

    new_journals()
    with seeded_by(request.node.nodeid):
        yield


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def proposed(self) -> list[str]:
        """The commands that a message proposes."""
        return [line.strip() for line in self.err.splitlines() if line.startswith("  porto ")]

    def assert_leads_to(self, command: str, *, says: str) -> None:
        """Require that what was typed is refused, with a reason and first of all this command."""
        assert (self.code, self.out) == (2, "")
        assert says in self.err
        assert self.proposed[0] == command


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
    monkeypatch.setenv("PORTO_HOME", f"{tmp_path}-home")
    return run_porto


@pytest.fixture
def complete(porto, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Complete the last word of a line; returns what bash would be offered."""

    def offered(*words: str) -> list[str]:
        with monkeypatch.context() as patched:
            patched.setenv("_PORTO_COMPLETE", "complete_bash")
            patched.setenv("COMP_WORDS", "\n".join(["porto", *words]))
            patched.setenv("COMP_CWORD", str(len(words)))
            result = porto()
        assert (result.code, result.err) == (0, "")
        return result.out.splitlines() if result.out.strip() else []

    return offered


@pytest.fixture
def at(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    """The program at the computer of a player, whose name comes first."""

    def run(name: str, *words: str) -> Result:
        home = "".join(filter(str.isalnum, name))
        monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / home))
        return porto(*words)

    return run
