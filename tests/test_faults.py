"""Whatever goes wrong while a move is saved, and whenever: the record is the old one or the new
one, the exit code says which, and nothing is left lying about.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

import porto_cli
from tests.conftest import ROOT, Result

if sys.platform == "win32":
    pytest.skip("The calls are those of POSIX.", allow_module_level=True)

from porto_cli.core import files
from tests.faults import Call, Calls, watching

pytestmark = pytest.mark.outside

CALLS = [
    Call(name, nth)
    for name, nth in (
        # The file was read, the folder is locked, the old file is opened,
        *(("stat", 1), ("open", 1), ("flock", 1), ("stat", 2), ("open", 2)),
        *(("close", 1),),
        # the new file is made, with the permissions of the old one,
        *(("urandom", 1), ("open", 3), ("chmod", 1)),
        # and written, takes the old one's place, and the folder is synced.
        *(("write", 1), ("fsync", 1), ("close_new", 1), ("replace", 1)),
        *(("open", 4), ("fsync", 2), ("close", 2), ("close", 3)),
    )
]
"""What a save asks of the operating system."""
PLACED = CALLS.index(Call("replace", 1))
LATE = CALLS[PLACED + 1 :]
"""After these the move is made."""
HARMLESS = {call for call in CALLS if call.name in ("flock", "chmod")}
HARMLESS.add(Call("stat", 1))
"""Without these a save goes on."""
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês").save(path)
    return path


@pytest.fixture
def caught(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Signals are caught as in the program, and forgotten afterward."""
    monkeypatch.setattr(files, "_received", None)
    before = {number: signal.getsignal(number) for number in SIGNALS}
    files.catch()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def after_the_move(path: Path) -> bytes:
    match = porto_cli.load(path)
    match.play("keep 1 2 3", player="Inês")
    return match.record.text.encode()


def play(porto, path: Path) -> Result:
    return porto("keep", path, "1", "2", "3", "--as", "Inês")


def demand_the_truth(result: Result, path: Path, before: bytes, after: bytes) -> None:
    """The exit code and the messages tell what the record is now."""
    now = path.read_bytes()
    assert "Traceback" not in result.err
    assert now in (before, after)
    made = now == after
    assert made == (result.code in (0, 5)), (result, made)
    assert ("The move was made" in result.err) == (result.code == 5)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_these_are_all_calls(porto, game: Path) -> None:
    with watching(Calls()) as calls:
        assert play(porto, game).code == 0
    assert calls.made == CALLS


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS])
@pytest.mark.parametrize("call", [call for call in CALLS if call.name != "urandom"], ids=str)
def test_each_call_can_fail(porto, game: Path, call: Call, number: int) -> None:
    before, after = game.read_bytes(), after_the_move(game)

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    # A file that fails to be closed is closed.
    when = "after" if call.name == "close" else "before"
    with watching(Calls(call, **{when: fail})) as calls:
        result = play(porto, game)
    assert call in calls.made
    assert result.code == (0 if call in HARMLESS or call in LATE else 4)
    demand_the_truth(result, game, before, after)
    # And nothing hinders the next one.
    assert porto("keep", game, "1", "2", "3", "--as", "Joana").code == 0


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_each_call_can_be_interrupted(
    porto, caught: None, game: Path, call: Call, when: str, number: signal.Signals
) -> None:
    before, after = game.read_bytes(), after_the_move(game)
    with watching(Calls(call, **{when: lambda: signal.raise_signal(number)})) as calls:
        result = play(porto, game)
    assert call in calls.made
    # At the rename it is decided: what comes in that moment comes too late.
    made = call in CALLS[PLACED:]
    assert result.code == (5 if made else SIGNALS[number])
    demand_the_truth(result, game, before, after)


def test_what_fails_while_it_is_put_in_order(porto, game: Path) -> None:
    """A full disk, and the new file cannot be removed either."""
    before = game.read_bytes()

    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    with watching(Calls(Call("fsync", 1), before=fail)), pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "unlink", lambda *_: fail())
        result = play(porto, game)
    assert result.code == 4
    assert "Input/output error" in result.err
    assert game.read_bytes() == before
    assert porto("keep", game, "1", "2", "3", "--as", "Inês").code == 0


def test_a_folder_that_cannot_be_synced_is_reported(porto, game: Path) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    with watching(Calls(Call("fsync", 2), before=fail)):
        result = play(porto, game)
    assert result.code == 0
    assert "a power cut in the next seconds could undo that" in result.err


@pytest.mark.filterwarnings("error")
def test_after_a_warning_that_is_an_error_the_game_can_be_saved_again(game: Path) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    match = porto_cli.load(game)
    (name, *_) = match.to_move()
    match.play(match.legal_moves()[0], player=name)
    with watching(Calls(Call("fsync", 2), before=fail)), pytest.raises(UserWarning, match="power"):
        match.save()
    assert match.is_saved()
    match.undo(name)
    match.save()
    assert match.is_saved()


KILLED = """
import os, signal, sys
from pathlib import Path
import porto_cli
from porto_cli.cli.app import run
from tests.faults import Call, Calls, watching
name, nth, when, path = sys.argv[1:]
end = lambda: os.kill(os.getpid(), signal.SIGKILL)
with watching(Calls(Call(name, int(nth)), **{when: end})):
    run(["keep", path, "1", "2", "3", "--as", "Inês"])
"""


@pytest.mark.parametrize(
    ("call", "when"),
    [
        pytest.param(
            call,
            when,
            marks=[]
            if (call.name, when) in (("fsync", "after"), ("replace", "after"))
            else pytest.mark.long,
        )
        for call in CALLS
        for when in ("before", "after")
    ],
    ids=str,
)
def test_each_call_can_be_the_last(porto, game: Path, call: Call, when: str) -> None:
    before, after = game.read_bytes(), after_the_move(game)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, call.name, str(call.nth), when, str(game)],
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    made = call in LATE or (call.name, when) == ("replace", "after")
    assert game.read_bytes() == (after if made else before)
    # Whatever is left is in nobody's way.
    assert porto("keep", game, "1", "2", "3", "--as", "Joana").code == 0


# -- The whole program, and every call that it makes from the lock on


ERRORS = ("EIO", "ENOSPC", "EACCES", "EROFS", "ENOMEM")
SYSTEM_CALLS = (
    "openat,fstat,newfstatat,flock,getrandom,chmod,lseek,"
    "read,write,fsync,close,rename,unlink,rt_sigprocmask"
)


def traced(path: Path, log: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *("strace", "-qq", "-o", str(log), "-e", f"trace={SYSTEM_CALLS}", *options),
            *(
                sys.executable,
                "-m",
                "porto_cli",
                "keep",
                str(path),
                "1",
                "2",
                "3",
                *("--as", "Ines"),
            ),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
    )


def calls_of(log: Path) -> list[tuple[str, int]]:
    """Return the calls from the lock to the last close, each with its number among its equals."""
    counts: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    begun = False
    for line in log.read_text("utf-8", "replace").splitlines():
        match = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if not match:
            continue
        name = match[1]
        counts[name] = counts.get(name, 0) + 1
        begun = begun or name == "flock"
        if begun:
            found.append((name, counts[name]))
    return found


@pytest.fixture
def system_calls(game: Path, tmp_path: Path) -> list[tuple[str, int]]:
    if not shutil.which("strace"):
        pytest.skip("there is no strace here")
    before = game.read_bytes()
    log = tmp_path.with_name(f"{tmp_path.name}.log")
    if traced(game, log).returncode:
        pytest.skip("strace cannot look into processes here")
    game.write_bytes(before)
    found = calls_of(log)
    assert ("rename", 1) in found
    return found


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_each_system_call_of_a_save(
    game: Path, tmp_path: Path, system_calls: list[tuple[str, int]], part: int
) -> None:
    """An error in turn, and each signal in turn; the program itself is looked at from outside."""
    before, after = game.read_bytes(), after_the_move(game)
    log = tmp_path.with_name(f"{tmp_path.name}.log")
    errors, ends = cycle(ERRORS), cycle(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
    for number, (name, nth) in enumerate(system_calls):
        faults = [f"error={next(errors)}", f"signal={next(ends)}"]
        if number % 4 != part:
            continue
        if name == "rt_sigprocmask":
            # It has no way to fail.
            del faults[0]
        for fault in faults:
            game.write_bytes(before)
            done = traced(game, log, "-e", f"inject={name}:{fault}:when={nth}")
            now = game.read_bytes()
            where = (name, nth, fault, done.returncode, done.stderr)
            assert now in (before, after), where
            assert "Traceback" not in done.stderr, where
            if done.returncode in (0, 5):
                assert now == after, where
            elif done.returncode > 0:
                assert now == before, where
            if "KILL" not in fault:
                left = {one.name for one in tmp_path.iterdir()} - {game.name}
                assert not left or name == "unlink", where
            for one in tmp_path.glob(".porto-*"):
                one.unlink()
