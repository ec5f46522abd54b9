"""The user's own folder: who else could change what is in it, and folders that cannot be used."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result

Porto = Callable[..., Result]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no modes.")

SETTINGS = """
me: Ana
mail:
  from: Ana <ana@example.org>
  server: 127.0.0.1
  port: 9
  security: none
  user: ana
  password: {command: touch ran; echo secret}
"""


@pytest.fixture
def home(porto: Porto) -> Path:
    """A folder with settings that send mail, and name a command that prints the password."""
    folder = Path(os.environ["PORTO_HOME"])
    folder.mkdir(mode=0o700)
    (folder / "config.yaml").write_text(SETTINGS)
    (folder / "config.yaml").chmod(0o644)
    porto("address", "Rui", "rui@example.org")
    porto("new", "game.yaml", "Ana", "Rui", "--seed", "x", "--first", "Rui")
    return folder


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def send(porto: Porto) -> Result:
    return porto("mail", "game.yaml", "--send", "--as", "Ana")


def refused(porto: Porto, path: Path) -> str:
    """Demand that nothing is sent, nor any command run, because others can change a path."""
    done = send(porto)
    assert done.code == 4, done.err
    assert f"chmod go-w {path}" in done.err
    assert not Path("ran").exists()
    return done.err


# -- Whose settings run commands


@pytest.mark.long_for(
    "config.yaml-422",
    "config.yaml-438",
    "addresses.yaml-436",
    "addresses.yaml-438",
    "addresses.yaml-422",
)
@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
@pytest.mark.parametrize("name", ["config.yaml", "addresses.yaml"])
def test_a_file_that_others_can_change_sends_nothing(
    porto: Porto, home: Path, name: str, mode: int
) -> None:
    (home / name).chmod(mode)
    refused(porto, home / name)
    (home / name).chmod(mode & ~0o022)
    send(porto)
    assert Path("ran").exists()


@pytest.mark.long
def test_a_folder_in_which_others_can_change_files_sends_nothing(porto: Porto, home: Path) -> None:
    home.chmod(0o777)
    refused(porto, home)
    home.chmod(0o1777)
    send(porto)
    assert Path("ran").exists()


@pytest.mark.long
@pytest.mark.parametrize("which", ["file", "folder"])
def test_a_link_is_as_good_as_where_it_leads(
    porto: Porto, home: Path, tmp_path: Path, which: str
) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir(mode=0o755)
    (home / "config.yaml").rename(dotfiles / "porto.yaml")
    (home / "config.yaml").symlink_to(dotfiles / "porto.yaml")
    open_to_others = dotfiles / "porto.yaml" if which == "file" else dotfiles
    open_to_others.chmod(0o777)
    refused(porto, open_to_others)
    open_to_others.chmod(0o755)
    send(porto)
    assert Path("ran").exists()


@pytest.mark.parametrize(("others", "refuses"), [(0, False), (4711, True)])
def test_settings_of_another_user_run_nothing_and_those_of_root_do(
    porto: Porto, home: Path, monkeypatch: pytest.MonkeyPatch, others: int, refuses: bool
) -> None:
    real, me = os.stat, os.geteuid()

    def owned(path, *args, **kwargs):
        status = real(path, *args, **kwargs)
        owner = others if str(path).endswith("config.yaml") else me
        return os.stat_result((*status[:4], owner, *status[5:]))

    monkeypatch.setattr(os, "stat", owned)
    done = send(porto)
    assert ("belongs to another user" in done.err) == refuses
    assert Path("ran").exists() != refuses


def test_games_go_on_whoever_can_change_the_settings(porto: Porto, home: Path) -> None:
    (home / "config.yaml").chmod(0o666)
    assert "You are Ana" in porto("me").out
    assert porto("show", "game.yaml").code == 0


def test_what_a_command_writes_there_is_for_the_user_alone(porto: Porto) -> None:
    home = Path(os.environ["PORTO_HOME"])
    before = os.umask(0o002)
    try:
        porto("me", "Ana")
        porto("address", "Rui", "rui@example.org")
    finally:
        os.umask(before)
    assert mode_of(home) == 0o700
    assert mode_of(home / "config.yaml") == mode_of(home / "addresses.yaml") == 0o600


def test_a_home_that_others_can_write_to_is_closed_to_them_before_a_key_is_kept_there(
    porto: Porto, home: Path
) -> None:
    home.chmod(0o777)
    assert "could change what is in" in porto("key", "new").err
    assert mode_of(home) == 0o755
    assert "could change" not in porto("key").err


# -- Folders that cannot be used


@pytest.mark.parametrize(
    "words", [["me", "Ana"], ["address", "Rui", "r@example.org"], ["key", "new"]]
)
def test_a_home_that_cannot_be_made_is_reported_with_how_to_name_another(
    porto: Porto, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("PORTO_HOME", "/proc/nothing/there")
    done = porto(*words)
    assert done.code == 4
    assert "The folder /proc/nothing/there" in done.err
    assert "PORTO_HOME" in done.err


@pytest.mark.parametrize(
    ("name", "command"), [("config.yaml", "me"), ("addresses.yaml", "address")]
)
def test_what_is_no_file_is_named_and_not_waited_for(
    porto: Porto, home: Path, name: str, command: str
) -> None:
    (home / name).unlink()
    os.mkfifo(home / name)
    done = porto(command)
    assert done.code == 4
    assert f"{home / name} is not a regular file." in done.err


def test_files_that_a_synchronization_leaves_there_change_nothing(porto: Porto, home: Path) -> None:
    """Conflicted copies are no settings, and an empty file sets nothing."""
    assert porto("key", "new").code == 0
    public = porto("key").out
    for name in ("config", "addresses", "keys/key", "keys/backup"):
        (home / f"{name} (conflicted copy).yaml").write_text("nonsense: [")
    (home / "config.yaml").write_text("")
    (home / "addresses.yaml").write_text("")
    assert porto("me").code == porto("address").code == porto("games").code == 0
    assert porto("key").out == public


@pytest.mark.long
def test_a_full_disk_loses_no_move_and_the_same_move_succeeds_later(
    porto: Porto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    assert porto("new", "g.yaml", "Ana", "Rui", "--secrecy", "sealed", "--first", "Ana").code == 0
    for name in ("Rui", "Ana"):
        assert porto("join", "g.yaml", "--as", name).code == 0
    before = Path("g.yaml").read_bytes()
    move = ("keep", "g.yaml", "1", "2", "3", "--as", "Ana")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        done = porto(*move)
        assert done.code == 4
        assert "No space left on device" in done.err
    assert Path("g.yaml").read_bytes() == before
    assert porto(*move).code == 0
