"""No file is ever half written, and of two writers one gets an error."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import files
from porto_cli.core.message import FileError
from tests.conftest import ROOT

pytestmark = pytest.mark.outside

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and signals")


def program(*args: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "porto_cli", *map(str, args)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        **more,
    )


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    assert porto("new", "game.yaml", "Inês", "Joana", "--seed", "x", "--first-game").code == 0
    return tmp_path / "game.yaml"


def a_move(path: Path) -> list[str]:
    match = porto_cli.load(path)
    return match.text(match.legal_moves()[0]).split()


def test_a_missing_file(porto) -> None:
    result = porto("verify", "nothing.yaml")
    assert result.code == 4
    assert "There is no file nothing.yaml" in result.err
    assert result.out == ""


def test_a_folder_is_no_record(porto, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert porto("verify", "folder").code == 4
    assert porto("draw", "folder", "blue-1").code == 4


def test_new_never_overwrites(porto, game: Path) -> None:
    before = game.read_bytes()
    result = porto("new", "game.yaml", "Rui")
    assert result.code == 4
    assert "exists already" in result.err
    assert game.read_bytes() == before


def test_what_people_wrote_stays(porto, game: Path) -> None:
    text = game.read_text().replace("turns:\n", "turns:\n# Rain all day.\n") + "# see you Sunday"
    game.write_text(text)
    verb, *words = a_move(game)
    assert porto(verb, game, *words).code == 0
    assert game.read_text().startswith(text + "\n- ")


def test_the_mode_of_the_file_stays_and_links_are_followed(porto, game: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("POSIX modes")
    game.chmod(0o640)
    link = game.with_name("link.yaml")
    link.symlink_to(game)
    verb, *words = a_move(game)
    assert porto(verb, link, *words).code == 0
    assert link.is_symlink()
    assert game.stat().st_mode & 0o777 == 0o640


def test_a_change_in_between_is_noticed(game: Path) -> None:
    mine, theirs = porto_cli.load(game), porto_cli.load(game)
    theirs.play(theirs.legal_moves()[0], player=theirs.state.seat)
    theirs.save()
    after = game.read_bytes()
    mine.play(mine.legal_moves()[-1], player=mine.state.seat)
    with pytest.raises(FileError, match="changed by another program"):
        mine.save()
    assert game.read_bytes() == after


def _hold_lock(path: str, ready: object, seconds: float) -> None:
    with files.locked(Path(path), Path(path).parent):
        ready.set()  # type: ignore[attr-defined]
        time.sleep(seconds)


@posix
def test_a_locked_record_ends_with_4(game: Path, monkeypatch: pytest.MonkeyPatch, porto) -> None:
    monkeypatch.setattr(files, "_LOCK_TIMEOUT", 0.1)
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=_hold_lock, args=(str(game), ready, 30))
    holder.start()
    try:
        assert ready.wait(20)
        before = game.read_bytes()
        verb, *words = a_move(game)
        result = porto(verb, game, *words)
    finally:
        holder.kill()
        holder.join()
    assert result.code == 4
    assert "is locked" in result.err
    assert game.read_bytes() == before


@posix
def test_two_commands_at_once_lose_no_move(game: Path) -> None:
    verb, *words = a_move(game)
    command = [sys.executable, "-m", "porto_cli", verb, str(game), *words]
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for one in both:
        one.communicate()
    codes = sorted(one.returncode for one in both)
    assert codes[0] == 0
    assert codes[1] in (1, 4)
    assert porto_cli.load(game).state.turn == 1


@posix
@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write")
def test_a_folder_that_is_read_only(porto, game: Path) -> None:
    before = game.read_bytes()
    verb, *words = a_move(game)
    game.parent.chmod(0o500)
    try:
        result = porto(verb, game, *words)
    finally:
        game.parent.chmod(0o700)
    assert result.code == 4
    assert "cannot be written" in result.err
    assert game.read_bytes() == before


def test_a_full_disk_leaves_the_old_record(
    porto, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = game.read_bytes()
    verb, *words = a_move(game)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = porto(verb, game, *words)
    assert result.code == 4
    assert "No space left on device" in result.err
    assert game.read_bytes() == before
    assert [path.name for path in game.parent.iterdir()] == ["game.yaml"]


KILLED = """
import os, signal, sys
from pathlib import Path
import porto_cli
match = porto_cli.load(sys.argv[1])
match.play(match.legal_moves()[0], player=match.state.seat)
os.replace = os.fsync = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
match.save()
"""


@posix
def test_kill_in_the_middle_of_writing(porto, game: Path) -> None:
    before = game.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(game)], cwd=ROOT, check=False, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL
    assert game.read_bytes() == before
    verb, *words = a_move(game)
    assert porto(verb, game, *words).code == 0
    # What the killed command has left is in nobody's way.
    (left,) = (path.name for path in game.parent.iterdir() if path != game)
    assert re.fullmatch(r"\.porto-[0-9a-f]{16}\.new", left)


def test_a_dash_makes_a_filter(porto, game: Path) -> None:
    text = game.read_text()
    verb, *words = a_move(game)
    result = porto(verb, "-", *words, stdin=text)
    assert result.code == 0
    assert result.out.startswith(text)
    assert "Fingerprint" in result.err
    assert porto_cli.loads(result.out).state.turn == 1
    assert game.read_text() == text


def test_a_dash_prints_no_record_for_a_refused_move(porto, game: Path) -> None:
    result = porto("pass", "-", stdin=game.read_text())
    assert (result.code, result.out) == (1, "")
    assert "P-PASS-1" in result.err


def test_expect_demands_a_version(porto, game: Path) -> None:
    fingerprint = porto_cli.load(game).fingerprint
    verb, *words = a_move(game)
    assert porto(verb, game, *words, "--expect", "00000000").code == 4
    assert porto(verb, game, *words, "--expect", fingerprint).code == 0


@posix
def test_ctrl_c_exits_with_130(game: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "porto_cli", "verify", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_the_version_needs_nothing_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "porto_cli", "--version"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout == f"porto {porto_cli.__version__}\n"
    assert "typer" not in done.stderr
    assert "porto_cli.cli" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("command", ["show", "score", "verify"])
def test_output_that_cannot_be_written_is_an_error(
    tmp_path: Path, command: str, buffered: bool
) -> None:
    porto_cli.new_game(["Inês", "Joana"], seed="tram").save(tmp_path / "game.yaml")
    environment = os.environ | {"PYTHONUNBUFFERED": "" if buffered else "1"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [
                sys.executable,
                *([] if buffered else ["-u"]),
                "-m",
                "porto_cli",
                command,
                "game.yaml",
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(Path(porto_cli.__file__).parent.parent)},
            check=False,
        )
    assert done.returncode == 4
    assert done.stderr.splitlines() == ["The output cannot be written: No space left on device."]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the stream")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("command", ["show", "verify"])
def test_closed_streams_are_no_trouble(tmp_path: Path, command: str, closed: str) -> None:
    porto_cli.new_game(["Inês", "Joana"], seed="tram").save(tmp_path / "game.yaml")
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m porto_cli {command} game.yaml {closed}', sys.executable],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(porto_cli.__file__).parent.parent)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
