"""What a record keeps when its new version takes its place, and what must not be replaced."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import FileError, files

if sys.platform == "win32":
    pytest.skip("Owners and modes are those of POSIX.", allow_module_level=True)

ROOT_USER = os.geteuid() == 0
NOBODY = 65534
OTHER_USER = 12345


@contextmanager
def as_nobody() -> Iterator[None]:
    """Do something without the rights of the superuser, where the tests have them."""
    if not ROOT_USER:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês").save(path)
    # All modules are loaded before a user without permissions needs them.
    assert porto("keep", path, "1", "2", "3", "--as", "Inês").code == 0
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder in which everybody may write."""
    import tempfile

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def move(path: Path) -> None:
    match = porto_cli.load(path)
    match.play(match.legal_moves()[0])
    match.save()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o666, 0o200 | 0o444, 0o755])
def test_the_mode_stays(game: Path, mode: int) -> None:
    game.chmod(mode)
    move(game)
    assert game.stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_record_has_the_mode_that_new_files_have(porto, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        assert porto("new", "friday.yaml", "Inês", "Joana").code == 0
        assert porto("show", "friday.yaml", "-o", "friday.txt").code == 0
    finally:
        os.umask(before)
    for name in ("friday.yaml", "friday.txt"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.skipif(not ROOT_USER, reason="only the superuser gives files away")
@pytest.mark.parametrize("mode", [0o666, 0o646])
def test_a_record_belongs_to_who_has_written_it(game: Path, open_folder: Path, mode: int) -> None:
    path = open_folder / "game.yaml"
    shutil.copy(game, path)
    os.chown(path, OTHER_USER, OTHER_USER)
    path.chmod(mode)
    with as_nobody():
        move(path)
    after = path.stat()
    assert (after.st_uid, after.st_gid) == (NOBODY, NOBODY)
    assert after.st_mode & 0o7777 == mode


def test_a_file_that_is_protected_is_not_replaced(porto, game: Path) -> None:
    """The folder would allow it; and the superuser could."""
    game.chmod(0o444)
    before = game.read_bytes()
    result = porto("keep", game, "1", "2", "3", "--as", "Joana")
    assert result.code == 4
    assert "write-protected" in result.err
    assert game.read_bytes() == before
    assert game.stat().st_mode & 0o777 == 0o444
    assert [path.name for path in game.parent.iterdir()] == ["game.yaml"]


@pytest.mark.skipif(not ROOT_USER, reason="only the superuser gives files away")
def test_somebody_elses_file_is_not_replaced(porto, game: Path, open_folder: Path) -> None:
    path = open_folder / "game.yaml"
    shutil.copy(game, path)
    path.chmod(0o644)
    before = path.read_bytes()
    with as_nobody():
        result = porto("keep", path, "1", "2", "3", "--as", "Joana")
    assert result.code == 4
    assert "write-protected" in result.err
    assert path.read_bytes() == before
    assert [path.name for path in open_folder.iterdir()] == ["game.yaml"]


@pytest.mark.parametrize("command", [["verify"], ["show"], ["keep"], ["log"], ["scenario"]])
def test_an_unreadable_file_exits_with_4(
    porto, game: Path, open_folder: Path, command: list[str]
) -> None:
    path = open_folder / "game.yaml"
    shutil.copy(game, path)
    path.chmod(0o200)
    with as_nobody():
        result = porto(*command, path)
    assert result.code == 4
    assert f"{path} cannot be read: Permission denied." in result.err


def test_nothing_but_reading_decides_whether_a_file_can_be_read(
    porto, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser of the command line asks beforehand, and has another exit code."""
    monkeypatch.setattr(os, "access", lambda *args, **more: False)
    assert porto("verify", game).code == 0
    assert porto("show", game, "-o", "shown.txt").code == 0
    assert porto("scenario", "--from", game).code == 0


def test_another_name_of_the_file_keeps_the_old_text(porto, game: Path) -> None:
    other = game.with_name("other.yaml")
    other.hardlink_to(game)
    before = game.read_bytes()
    assert porto("keep", game, "1", "2", "3", "--as", "Joana").code == 0
    assert other.read_bytes() == before
    assert game.read_bytes() != before


def test_a_record_in_a_pipe_cannot_be_played_on(porto, game: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, game.read_bytes())
    os.close(writing)
    name = f"/dev/fd/{reading}"
    if not Path(name).exists():
        pytest.skip("there are no such names here")
    result = porto("keep", name, "1", "2", "3", "--as", "Joana")
    os.close(reading)
    assert result.code == 4
    assert "not a regular file" in result.err


def test_permissions_that_cannot_be_kept_become_no_wider(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    game.chmod(0o660)
    monkeypatch.setattr(files.os, "chmod", refuse)
    move(game)
    assert game.stat().st_mode & ~0o100660 == 0


def test_a_folder_that_vanishes_is_reported(game: Path) -> None:
    match = porto_cli.load(game)
    match.play("keep 1 2 3", player="Joana")
    shutil.rmtree(game.parent)
    with pytest.raises(FileError, match="cannot be written"):
        match.save()
    game.parent.mkdir()
