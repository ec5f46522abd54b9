"""Code of other people that ends the program, as with sys.exit(): it has failed, and that is told.

What ends the program from outside, such as Ctrl-C, does so whoever's code is running.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from tests.conftest import ROOT

ENDS = {
    "sys.exit()": "SystemExit.",
    "sys.exit(0)": "SystemExit: 0.",
    "sys.exit('no more')": "SystemExit: no more.",
    "raise GeneratorExit": "GeneratorExit.",
    "raise BaseException('odd')": "BaseException: odd.",
    "1 / 0": "ZeroDivisionError: division by zero.",
}
"""What a player does, and how that is told; the last one is a failure of the usual kind."""
SEEING, KNOWING = "seen", "view, moves, rng"
some = pytest.mark.parametrize("statement", list(ENDS)[1:4:2])
every = pytest.mark.parametrize("statement", ENDS)
INVALID = 3


def write(statement: str, *, arguments: str = SEEING, after: int = 0) -> None:
    """Save a player who does something when called, from the call ``after`` on."""
    first = "seen['moves'][0]['move']" if arguments == SEEING else "moves[0]"
    Path("mine.py").write_text(
        f"import sys\ncalls = 0\ndef choose({arguments}):\n    global calls\n    calls += 1\n"
        f"    if calls > {after}:\n        {statement}\n    return {first}\n",
        "utf-8",
    )


def demand_failure(done: Any, statement: str, *, name: str = "mine.py:choose") -> None:
    assert (done.code, done.out) == (INVALID, "")
    assert f"The player {name} has failed in line 7: {ENDS[statement]}" in done.err


@every
@pytest.mark.parametrize("arguments", [SEEING, KNOWING])
def test_in_a_simulation(porto: Any, statement: str, arguments: str) -> None:
    write(statement, arguments=arguments, after=3)
    demand_failure(porto("simulate", "mine.py:choose", "random", "-n", "1"), statement)


@some
def test_when_it_is_loaded(porto: Any, statement: str) -> None:
    Path("mine.py").write_text(f"import sys\n{statement}\ndef choose(seen):\n    pass\n", "utf-8")
    done = porto("simulate", "mine.py:choose", "random", "-n", "1")
    assert (done.code, done.out) == (INVALID, "")
    assert f"The player mine.py:choose has failed in line 2: {ENDS[statement]}" in done.err


@some
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.outside)])
def test_in_worker_processes(porto: Any, statement: str, workers: int) -> None:
    write(statement, after=30)
    done = porto("simulate", "mine.py:choose", "random", "-n", "8", "-j", workers)
    demand_failure(done, statement)


@pytest.mark.outside
def test_a_player_that_ends_a_worker_process(porto: Any) -> None:
    write("__import__('os')._exit(0)", after=30)
    done = porto("simulate", "mine.py:choose", "random", "-n", "8", "-j", "2")
    assert (done.code, done.out) == (4, "")
    assert "the code of a player ended it" in done.err


@pytest.mark.long
@some
def test_games_that_were_saved_are_kept(porto: Any, statement: str) -> None:
    write(statement, after=200)
    words = ("mine.py:choose", "random", "-n", "20", "-j", "1", "--save", "cup.jsonl")
    demand_failure(porto("simulate", *words), statement)
    assert len(Path("cup.jsonl").read_text("utf-8").splitlines()) > 2


@pytest.fixture
def mine(porto: Any, tmp_path: Path) -> Any:
    """The program, with a bot of the user's own in the settings."""
    home = Path(f"{tmp_path}-home")
    home.mkdir()
    settings = home / "config.yaml"
    settings.write_text(f"players: {{mine: '{tmp_path}/mine.py:choose'}}\n", "utf-8")
    settings.chmod(0o600)
    return porto


@every
def test_at_the_beginning_of_a_game(mine: Any, statement: str, tmp_path: Path) -> None:
    write(statement)
    done = mine("new", "g.yaml", "Ana", "--bot", "Rui mine", "--first", "Rui")
    demand_failure(done, statement, name=f"{tmp_path}/mine.py:choose")
    assert not Path("g.yaml").exists()


@pytest.mark.long_for(
    "sys.exit()",
    "sys.exit('no more')",
    "raise GeneratorExit",
    "raise BaseException('odd')",
    "sys.exit(0)",
)
@every
def test_after_a_move(mine: Any, statement: str, tmp_path: Path) -> None:
    """Nothing is written, as with every failure of a bot."""
    write(statement, after=1)
    assert mine("new", "g.yaml", "Ana", "--bot", "Rui mine", "--first", "Ana").code == 0
    assert mine("keep", "g.yaml", "1", "2", "3").code == 0
    before = Path("g.yaml").read_bytes()
    legal = porto_cli.load("g.yaml")
    move = legal.text(legal.legal_moves("Ana")[0])
    verb, *words = move.split()
    done = mine(verb, "g.yaml", *words)
    demand_failure(done, statement, name=f"{tmp_path}/mine.py:choose")
    assert Path("g.yaml").read_bytes() == before
    hint = mine("hint", "g.yaml")
    assert (hint.code, "Traceback" in hint.err) == (0, False)
    assert Path("g.yaml").read_bytes() == before


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="Signals are sent.")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("when", ["loaded", "called"])
def test_what_comes_from_outside_still_ends_the_program(
    tmp_path: Path, number: int, code: int, when: str
) -> None:
    statement = f"import os; os.kill(os.getpid(), {int(number)}); __import__('time').sleep(60)"
    body = "    return moves[0]\n" if when == "loaded" else f"    {statement}\n"
    text = f"def choose(view, moves, rng):\n{body}"
    (tmp_path / "mine.py").write_text(text + (f"{statement}\n" * (when == "loaded")), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", "simulate", "mine.py:choose", "random", "-n", "1"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert "has failed" not in done.stderr
    assert "Traceback" not in done.stderr
