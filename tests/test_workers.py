"""Commands that work in several processes: however they end, no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = [
    pytest.mark.outside,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes by /proc"),
    pytest.mark.timeout(90),
]

SLOW = "from time import sleep\ndef slow(view, moves, rng):\n    sleep(600)\n"
COMMANDS = {
    "simulate": ("simulate", "slow.py:slow", "slow.py:slow", "--save", "cup.jsonl"),
    "analyze": ("analyze", ROOT / "records/porto/two-players.yaml", "--samples", "1000000"),
}


def processes_in(group: int) -> list[int]:
    """Return the processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(path.parent.name))
    return found


@contextmanager
def working(folder: Path, name: str, workers: int) -> Iterator[subprocess.Popen[str]]:
    """Start a command that takes much longer than any test, and wait until all of it works."""
    (folder / "slow.py").write_text(SLOW, "utf-8")
    (folder / "tmp").mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "porto_cli", *map(str, COMMANDS[name]), "-j", str(workers)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            ends = time.monotonic() + 30
            while len(processes_in(process.pid)) < (workers + 1 if workers > 1 else 1):
                assert process.poll() is None
                assert time.monotonic() < ends
                time.sleep(0.02)
            time.sleep(1.5)
            yield process
        finally:
            for left in processes_in(process.pid):
                os.kill(left, signal.SIGKILL)


def demand_nothing_is_left(process: subprocess.Popen[str], folder: Path) -> None:
    ends = time.monotonic() + 10
    while processes_in(process.pid):
        assert time.monotonic() < ends, "processes are left"
        time.sleep(0.05)
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "greedy", "random", "-n", 40, "--seed", "tram"),
        ("simulate", "greedy", "2", "random", "--seats", 2, "-n", 3, "--seed", "tram"),
    ],
    ids=["one table", "round robin"],
)
def test_their_number_makes_no_difference(porto, words: tuple[object, ...]) -> None:
    alone = porto(*words, "-j", 1)
    assert (alone.code, alone.err) == (0, "")
    assert porto(*words, "-j", 2) == alone


@pytest.mark.parametrize("name", COMMANDS)
def test_processes_end_with_a_command_that_is_killed(tmp_path: Path, name: str) -> None:
    with working(tmp_path, name, 3) as process:
        process.kill()
        process.wait()
        demand_nothing_is_left(process, tmp_path)


@pytest.mark.parametrize("to_all", [False, True], ids=["to-the-command", "to-all-processes"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_ends_a_command_and_its_processes_at_once(
    tmp_path: Path, name: str, number: int, code: int, workers: int, to_all: bool
) -> None:
    with working(tmp_path, name, workers) as process:
        if to_all:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=15)
        assert process.returncode == code, err
        assert "Traceback" not in out + err
        assert "worker process" not in err
        demand_nothing_is_left(process, tmp_path)


def test_a_worker_that_is_ended_is_told(tmp_path: Path) -> None:
    with working(tmp_path, "simulate", 2) as process:
        worker = next(one for one in processes_in(process.pid) if one != process.pid)
        os.kill(worker, signal.SIGKILL)
        _, err = process.communicate(timeout=15)
        assert process.returncode == 4
        assert "A worker process ended before its work was done: it was killed" in err
        assert "Traceback" not in err
        demand_nothing_is_left(process, tmp_path)


HALF_A_RESULT = """
import struct, sys, time
from pathlib import Path
from porto_cli.cli.batch import workers

def half_a_result():
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    frame.f_locals["result_queue"]._writer._send(struct.pack("!i", 1000))
    Path("begun").touch()
    time.sleep(600)

with workers(2) as executor:
    executor.submit(half_a_result)
    while not Path("begun").exists():
        time.sleep(0.01)
    raise KeyboardInterrupt
"""


def test_nobody_waits_for_the_rest_of_a_result_of_a_process_that_was_killed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HALF_A_RESULT],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert "BrokenProcessPool" not in done.stderr


INTERRUPTED = """
import os
from porto_cli.cli.batch import workers

try:
    with workers(2) as executor:
        future = executor.submit(os.getpid)
        waiting = executor.submit(__import__("time").sleep, 600)
        future.result()
        waiting._condition.acquire()  # as if the signal had come just behind this line
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("ended")
"""


def test_a_signal_that_comes_while_results_are_looked_at_ends_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.stdout == "ended\n"
