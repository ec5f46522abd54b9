"""What a record keeps when its new version takes its place, and what must not be replaced."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import files
from porto_cli.core.message import FileError

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


def move(path: Path) -> tuple[str, ...]:
    match = porto_cli.load(path)
    match.play(match.legal_moves()[0])
    return tuple(map(str, match.save()))


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o666, 0o200 | 0o444, 0o755])
def test_the_mode_stays(game: Path, mode: int) -> None:
    game.chmod(mode)
    assert move(game) == ()
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
def test_owner_and_group_stay(game: Path) -> None:
    os.chown(game, OTHER_USER, OTHER_USER + 1)
    game.chmod(0o640)
    assert move(game) == ()
    after = game.stat()
    assert (after.st_uid, after.st_gid) == (OTHER_USER, OTHER_USER + 1)
    assert after.st_mode & 0o777 == 0o640


@pytest.mark.skipif(not ROOT_USER, reason="only the superuser gives files away")
def test_metadata_that_cannot_be_kept_is_reported(porto, game: Path, open_folder: Path) -> None:
    path = open_folder / "game.yaml"
    shutil.copy(game, path)
    os.chown(path, OTHER_USER, OTHER_USER)
    path.chmod(0o666)
    match = porto_cli.load(path)
    words = match.text(match.legal_moves()[0]).split()
    with as_nobody():
        result = porto(words[0], path, *words[1:])
    assert result.code == 0
    assert "The owner of" in result.err
    assert "The group of" in result.err
    after = path.stat()
    assert (after.st_uid, after.st_gid) == (NOBODY, NOBODY)
    assert after.st_mode & 0o777 == 0o666


@pytest.mark.skipif(not ROOT_USER, reason="only the superuser gives files away")
@pytest.mark.parametrize(("before", "after"), [(0o660, 0o600), (0o664, 0o644), (0o2675, 0o655)])
def test_another_group_may_do_no_more_than_everybody(
    game: Path, open_folder: Path, before: int, after: int
) -> None:
    path = open_folder / "game.yaml"
    shutil.copy(game, path)
    os.chown(path, NOBODY, OTHER_USER)
    path.chmod(before)
    with as_nobody():
        (notice,) = move(path)
    assert "group" in notice
    assert path.stat().st_mode & 0o7777 == after


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


def test_hard_links_are_not_parted(porto, game: Path) -> None:
    other = game.with_name("other.yaml")
    other.hardlink_to(game)
    before = game.read_bytes()
    result = porto("keep", game, "1", "2", "3", "--as", "Joana")
    assert result.code == 4
    assert "one of 2 names" in result.err
    assert game.read_bytes() == before
    assert game.samefile(other)
    other.unlink()
    assert porto("keep", game, "1", "2", "3", "--as", "Joana").code == 0


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


# -- Linux only


def has_attributes(folder: Path) -> bool:
    try:
        os.setxattr(folder, "user.porto", b"1")
    except (OSError, AttributeError):
        return False
    return True


@pytest.fixture
def tagged(game: Path) -> Path:
    if not has_attributes(game.parent):
        pytest.skip("there are no extended attributes here")
    return game


def test_extended_attributes_stay(tagged: Path) -> None:
    os.setxattr(tagged, "user.comment", b"the game of the year")
    os.setxattr(tagged, "user.empty", b"")
    assert move(tagged) == ()
    assert os.getxattr(tagged, "user.comment") == b"the game of the year"
    assert sorted(os.listxattr(tagged)) == ["user.comment", "user.empty"]


def test_an_attribute_that_cannot_be_kept_is_reported(
    tagged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.setxattr(tagged, "user.comment", b"the game of the year")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(files.os, "setxattr", refuse)
    assert move(tagged) == (f"The attribute user.comment of {tagged} could not be kept.",)


def access(path: Path, *words: str) -> str:
    return subprocess.run(
        ["setfacl" if words else "getfacl", *words, "-c" if not words else "--", path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.fixture
def listed(tagged: Path) -> Path:
    if not shutil.which("setfacl"):
        pytest.skip("there is no setfacl here")
    try:
        access(tagged, "-m", f"u:{OTHER_USER}:rw")
    except subprocess.CalledProcessError:
        pytest.skip("there are no access control lists here")
    return tagged


def test_an_access_control_list_stays(listed: Path) -> None:
    access(listed, "-m", f"g:{OTHER_USER}:r")
    before = access(listed)
    assert f"user:{OTHER_USER}:rw-" in before
    assert move(listed) == ()
    assert access(listed) == before


def test_the_list_of_the_folder_opens_no_record(listed: Path) -> None:
    """New files get the folder's default list; a record that has none goes on without."""
    access(listed, "-b")
    listed.chmod(0o600)
    before = access(listed)
    access(listed.parent, "-d", "-m", f"u:{OTHER_USER}:rw")
    assert move(listed) == ()
    assert access(listed) == before
    assert f"user:{OTHER_USER}" not in before


def test_a_save_tells_what_it_could_not_keep(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(files.os, "fchmod", refuse)
    assert move(game) == (f"The permissions of {game} could not be kept.",)
    assert game.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_vanishes_is_reported(game: Path) -> None:
    match = porto_cli.load(game)
    match.play("keep 1 2 3", player="Joana")
    shutil.rmtree(game.parent)
    with pytest.raises(FileError, match="cannot be written"):
        match.save()
    game.parent.mkdir()
