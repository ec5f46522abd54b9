"""How the program ends: the exit code tells what has happened to the record, whenever somebody
stops it and wherever its output goes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import UNREPORTED, files
from tests import processes
from tests.conftest import ROOT, run_porto

pytestmark = pytest.mark.outside

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and shells of POSIX")
full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês").save(path)
    return path


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return processes.shell(command, folder, stdin=subprocess.DEVNULL, encoding="utf-8")


# -- Reports that cannot be printed


@full_device
@pytest.mark.parametrize("more", ["", " --format json", " </dev/null"])
def test_a_move_whose_report_cannot_be_printed(game: Path, more: str) -> None:
    done = shell(f"$PORTO keep game.yaml 1 2 3 --as Ines{more} >/dev/full", game.parent)
    assert done.returncode == UNREPORTED == 5
    said = json.loads(done.stderr)["error"] if "json" in more else done.stderr
    made, why = said.splitlines()
    assert made == "The move was made and saved in game.yaml."
    assert why.endswith("No space left on device.")
    assert porto_cli.load(game).record.items


@posix
def test_who_reads_only_the_beginning_of_a_report_is_not_told_of_the_rest(game: Path) -> None:
    script = f"exec {sys.executable} -m porto_cli keep game.yaml 1 2 3 --as Ines"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=game.parent,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (UNREPORTED, b"")
    assert porto_cli.load(game).record.items


def test_a_move_of_which_a_lost_part_of_the_program_would_tell(game: Path) -> None:
    """As after an error of the disk in the middle of an import."""
    script = """
import sys
sys.modules["porto_cli.cli.output"] = None
from porto_cli.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "keep", game, "1", "2", "3", "--as=Ines", "--format=json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == UNREPORTED
    made, why = json.loads(done.stderr)["error"].splitlines()
    assert made.startswith("The move was made and saved in ")
    assert "a part of the program cannot be loaded" in why
    assert porto_cli.load(game).record.items


@full_device
def test_a_new_game_whose_report_cannot_be_printed(tmp_path: Path) -> None:
    done = shell("$PORTO new game.yaml Inês >/dev/full", tmp_path)
    assert done.returncode == 5
    assert done.stderr.startswith("game.yaml is written.\n")
    assert porto_cli.load(tmp_path / "game.yaml").players == ("Inês",)


@full_device
def test_nothing_to_report_is_no_failure(game: Path) -> None:
    done = shell("$PORTO keep game.yaml 1 2 3 --as Ines --quiet >/dev/full", game.parent)
    assert (done.returncode, done.stderr) == (0, "")


@full_device
@pytest.mark.parametrize(
    "command",
    [
        "--version",
        "-V",
        "--help",
        "draw --help",
        "show game.yaml",
        "keep - 1 2 3 --as Ines <game.yaml",
        "keep game.yaml 1 2 3 --as Ines --dry-run",
        "new - Inês",
        "rules",
        "simulate random --games 2 --seed x --format csv",
    ],
)
def test_output_without_a_place_to_go(game: Path, command: str) -> None:
    before = game.read_bytes()
    done = shell(f"$PORTO {command} >/dev/full", game.parent)
    assert done.returncode == 4
    assert "The output cannot be written: No space left on device." in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert game.read_bytes() == before


@full_device
def test_without_a_buffer_either(game: Path) -> None:
    done = shell("PYTHONUNBUFFERED=1 $PORTO show game.yaml >/dev/full", game.parent)
    assert done.returncode == 4
    assert done.stderr == "The output cannot be written: No space left on device.\n"


@full_device
def test_without_any_place_to_go_there_is_still_a_code(game: Path) -> None:
    assert shell("$PORTO show game.yaml >/dev/full 2>&1", game.parent).returncode == 4
    assert (
        shell("$PORTO keep game.yaml 1 2 3 --as Ines >/dev/full 2>&1", game.parent).returncode == 5
    )


@posix
@pytest.mark.parametrize("command", ["log game.yaml", "--help", "--show-completion zsh"])
def test_a_closed_pipe_is_no_error(game: Path, command: str) -> None:
    done = shell(f"{{ $PORTO {command}; echo $? >code; }} | :", game.parent)
    assert done.stderr == ""
    assert game.with_name("code").read_text().strip() in ("0", "4")
    done = shell(f"{{ sleep 1; $PORTO {command}; echo $? >code; }} | :", game.parent)
    assert done.stderr == ""
    assert game.with_name("code").read_text().strip() == "4"


# -- Standard input that is closed


@posix
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("verify -", 4),
        ("show -", 4),
        ("keep - 1 2 3 --as Ines", 4),
        ("draw game.yaml", 1),
        ("draw first.yaml", 2),
        ("draw game.yaml blue-1", 1),
        ("build game.yaml red-3 blue-1 L4", 1),
        ("keep game.yaml 1 2 3 --as Ines", 0),
        ("contract game.yaml", 1),
        ("new other.yaml", 2),
        ("new other.yaml Inês", 0),
        ("play game.yaml", 2),
        ("scenario -", 4),
        ("simulate random --games 2 --workers 2", 0),
    ],
)
@pytest.mark.parametrize("closed", ["<&-", pytest.param("<&- >&-", marks=pytest.mark.slow)])
def test_standard_input_that_is_closed(game: Path, command: str, code: int, closed: str) -> None:
    porto_cli.new_game(["Rui"], private_contracts=False).save(game.with_name("first.yaml"))
    done = shell(f"$PORTO {command} {closed}", game.parent)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    if code == 4:
        assert done.stderr == "Standard input cannot be read: it is closed.\n"


@posix
def test_standard_input_that_cannot_be_read(game: Path) -> None:
    done = shell("$PORTO verify - 0>/dev/null", game.parent)
    assert done.returncode == 4
    assert done.stderr.startswith("Standard input cannot be read: ")


# -- Signals


STOPPED = """
import os, signal, sys
at, number = sys.argv[1], int(sys.argv[2])
sys.argv[1:3] = []

class Finder:
    "Sends the signal where a module is looked for."
    def find_spec(self, name, *more):
        if name == at:
            os.kill(os.getpid(), number)

sys.meta_path.insert(0, Finder())
if at.startswith("print"):
    import builtins
    real = print
    def stopped(*words, **more):
        builtins.print = real
        real(*words, **more)
        os.kill(os.getpid(), number)
    builtins.print = stopped
from porto_cli.__main__ import main
main()
"""
CODES = {signal.SIGINT: 130} | (
    {} if sys.platform == "win32" else {signal.SIGTERM: 143, signal.SIGHUP: 129}
)


def stopped(folder: Path, at: str, number: int, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", STOPPED, at, str(int(number)), *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


@posix
@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize(
    "at", ["porto_cli.cli.app", "typer", "porto_cli.cli", "porto_cli.cli.turn", "yaml"]
)
def test_while_modules_are_loaded(game: Path, at: str, number: int) -> None:
    """In the first tenths of a second, that is."""
    before = game.read_bytes()
    done = stopped(game.parent, at, number, "keep", "game.yaml", "1", "2", "3", "--as", "Ines")
    assert (done.returncode, done.stderr) == (CODES[signal.Signals(number)], "")
    assert game.read_bytes() == before


@posix
def test_before_anything_is_prepared(game: Path) -> None:
    done = stopped(game.parent, "porto_cli.core.files", signal.SIGINT, "show", "game.yaml")
    assert (done.returncode, done.stderr) == (130, "")


@posix
@pytest.mark.parametrize("number", CODES)
def test_after_the_move(game: Path, number: int) -> None:
    done = stopped(game.parent, "print", number, "keep", "game.yaml", "1", "2", "3", "--as", "Ines")
    assert done.returncode == 5
    assert done.stderr.splitlines() == [
        "The move was made and saved in game.yaml.",
        "The report was stopped.",
    ]
    assert porto_cli.load(game).record.items


@posix
@pytest.mark.parametrize("number", CODES)
def test_in_the_middle_of_an_answer(game: Path, number: int) -> None:
    done = stopped(game.parent, "print", number, "verify", "game.yaml", "--format", "json")
    assert (done.returncode, done.stderr) == (CODES[signal.Signals(number)], "")


LATE = """
import os, signal, sys
number = int(sys.argv.pop(1))
import porto_cli.cli.app as app
def late(before=app.abandon):
    before()
    os.kill(os.getpid(), number)
app.abandon = late
from porto_cli.__main__ import main
main()
"""


@posix
@pytest.mark.parametrize("number", CODES)
def test_when_all_is_done(game: Path, number: int) -> None:
    """The move is made and reported; what follows does not change the exit code."""
    done = subprocess.run(
        [
            *(sys.executable, "-c", LATE, str(int(number))),
            *("keep", "game.yaml", "1", "2", "3", "--as", "Inês"),
        ],
        cwd=game.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert porto_cli.load(game).record.items


@posix
def test_what_is_ignored_stays_ignored(game: Path) -> None:
    """``nohup`` and shells in the background say so before the program begins."""
    for name, number in (("HUP", signal.SIGHUP), ("TERM", signal.SIGTERM), ("INT", signal.SIGINT)):
        done = shell(
            f"trap '' {name}; exec {sys.executable} -c '{STOPPED}' print {int(number)} "
            "show game.yaml --plain",
            game.parent,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_program_that_uses_porto_keeps_its_signals(game: Path) -> None:
    before = [signal.getsignal(number) for number in CODES]
    assert run_porto("show", game).code == 0
    assert [signal.getsignal(number) for number in CODES] == before


@posix
def test_held_signals_come_at_the_end() -> None:
    done: list[str] = []

    def something_important() -> None:
        with files.held():
            signal.raise_signal(signal.SIGINT)
            done.append("inside")
        done.append("behind")

    with pytest.raises(KeyboardInterrupt):
        something_important()
    assert done == ["inside"]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", CODES)
def test_at_any_moment(game: Path, number: int) -> None:
    """The record and the exit code agree. What comes before the program's first line is left to
    Python, which may die of the signal with a traceback.
    """
    before = game.read_bytes()
    kinds = set()
    for step in range(60):
        game.write_bytes(before)
        process = subprocess.Popen(
            [sys.executable, "-m", "porto_cli", "keep", "game.yaml", "1", "2", "3", "--as", "Ines"],
            cwd=game.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(step / 200)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        made = game.read_bytes() != before
        kinds.add(process.returncode)
        if process.returncode in (-number, 1):
            assert not made
            continue
        assert process.returncode in (0, 5) if made else process.returncode == CODES[number]
        assert "Traceback" not in err
        assert ("The move was made" in err) == (process.returncode == 5)
        assert [path.name for path in game.parent.iterdir()] == ["game.yaml"]
    assert CODES[signal.Signals(number)] in kinds
