"""No file is ever half written, and of two writers one gets an error."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import files
from tests.conftest import ROOT

pytestmark = pytest.mark.outside

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and signals")


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


def test_a_folder_that_is_not_there_is_named(porto) -> None:
    told = porto("new", "no/x.yaml", "Ana", "Bo")
    assert told.code == 4
    assert told.err.splitlines() == ["There is no folder no.", "Try:", "  porto new x.yaml Ana Bo"]
    told = porto("show", "no/x")
    assert told.code == 4
    assert told.err == "There is no folder no; 'porto new x.yaml NAME…' starts a game here.\n"


def test_a_file_in_the_place_of_a_folder_is_no_missing_folder(porto, game: Path) -> None:
    told = porto("new", f"{game.name}/x.yaml", "Ana", "Bo")
    assert (told.code, told.err) == (4, f"{game.name}/x.yaml cannot be written: Not a directory.\n")
    told = porto("show", f"{game.name}/x")
    assert told.code == 4
    assert told.err.startswith(f"There is no file {game.name}/x; did you mean {game.name}?\n")


@posix
@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may look")
def test_a_folder_that_cannot_be_looked_into_is_named(porto, tmp_path: Path) -> None:
    (tmp_path / "locked" / "in").mkdir(parents=True)
    (tmp_path / "locked").chmod(0)
    try:
        told = porto("new", "locked/in/x.yaml", "Ana", "Bo")
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert told.code == 4
    assert told.err == "locked/in/x.yaml cannot be written: Permission denied.\n"


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
