"""Private files, in a folder that no other user may read.

They are written as records are (:mod:`porto_cli.core.files`), or a line is appended whole or not
at all. Where the system has permissions (everywhere but on Windows, where a home folder is private
by itself) what others could read is closed to them, and that is reported.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from porto_cli import home
from porto_cli.core import files
from porto_cli.core.characters import file_word
from porto_cli.core.message import FileError

NAME = "keys"
HAS_MODES = os.name == "posix"
FOR_US, FOLDER_FOR_US = 0o600, 0o700
_READ, _WRITTEN = 0o077, 0o022
"""The permissions by which others can look into a file or folder, or change it."""
_SUPERUSER = 0
LARGEST = 4 << 20
"""Bytes of a file that is read."""
MOST_NOTES = 500
"""Lines of a file of notes; then the oldest go."""


def folder() -> Path:
    """Return the folder; it need not exist. Raises FileError."""
    return home.folder() / NAME


def ready(*below: str) -> tuple[Path, tuple[str, ...]]:
    """Return the folder, or one in it, created if necessary, and what was fixed.

    Raises FileError, also for a folder of another user.
    """
    notices, path = home_ready(), home.folder()
    for part in (NAME, *below):
        path /= part
        _make(path)
        notices += checked(path)
    return path, notices


def home_ready() -> tuple[str, ...]:
    """Create the folder of the user's own files if necessary, and close it to other writers.

    With write access to it one could replace the folder with the keys. Returns what was fixed.
    Raises FileError.
    """
    path = home.folder()
    _make(path)
    if not _closed(path, _WRITTEN):
        return ()
    return (
        f"Other users of this computer could change what is in {path}; from now on only you can.",
    )


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=FOLDER_FOR_US)
    except OSError as error:
        raise FileError(
            f"The folder {path}, for your own files, cannot be created: {error.strerror}. "
            f"Set the environment variable {home.VARIABLE} to use another folder."
        ) from None


def demand_no_other_writer(path: Path) -> None:
    """Require that only the user and the superuser can have written a file.

    Its folder counts as well, and the target of a link. Other than in :func:`checked`, a file that
    others could change is refused: it may have been changed already. Raises FileError.
    """
    if not os.path.exists(path):
        return
    real = Path(os.path.realpath(path))
    for each in dict.fromkeys((path.parent, real.parent, real)):
        if _open_mode(each, _WRITTEN):
            raise FileError(
                f"Other users of this computer can change {each}, so {path} was not used: it "
                "could make this program run their commands, or send your mail and your password "
                "to them. Check what is in it; then close it to others with: chmod go-w "
                f"{file_word(str(each))}"
            )


def checked(path: Path) -> tuple[str, ...]:
    """Close a file or folder to others; return a sentence if it was open to them.

    Raises FileError for one of another user, and for one that cannot be closed.
    """
    if not _closed(path, _READ):
        return ()
    return (f"Other users of this computer could look into {path}; from now on only you can.",)


def _open_mode(path: Path, permissions: int) -> int:
    """Return the mode of a file or folder that gives others some of these permissions; else 0.

    In a sticky folder, like /tmp, users can change only their own files. Raises FileError for one
    of another user; the superuser may own what is not secret.
    """
    if not HAS_MODES:
        return 0
    status = os.stat(path)
    if status.st_uid not in (os.geteuid(), *[_SUPERUSER] * (permissions == _WRITTEN)):
        raise FileError(
            f"{path} belongs to another user of this computer, who could read or change "
            "your private files; it was not used. Set the environment variable "
            f"{home.VARIABLE} to a folder of your own."
        )
    is_sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    if not status.st_mode & permissions or (is_sticky and permissions == _WRITTEN):
        return 0
    return stat.S_IMODE(status.st_mode)


def _closed(path: Path, permissions: int) -> bool:
    """Take these permissions from others; return whether they had them. Raises FileError."""
    mode = _open_mode(path, permissions)
    if not mode:
        return False
    with suppress(OSError):
        os.chmod(path, mode & ~permissions)
    if _open_mode(path, permissions):
        raise FileError(
            f"Other users of this computer can look into {path} or change it, and that cannot be "
            f"changed where it is; it was not used. Set the environment variable {home.VARIABLE} "
            "to a folder on another disk."
        )
    return True


def read(path: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the text of a file, None if there is none, and what was fixed. Raises FileError."""
    try:
        with path.open("rb") as file:
            files.note_read(file)
            notices = checked(path)
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None, ()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST:
        raise FileError(
            f"{path} is larger than any file that this program writes there; it was not changed."
        )
    return data.decode("utf-8", "surrogateescape"), notices


def write(path: Path, text: str, was: str | None) -> bool:
    """Write a file whose text was ``was`` when it was read, None if there was no file.

    Returns False, and changes nothing, if it has changed since. Of two simultaneous programs one
    wins. Raises FileError.
    """
    try:
        if was is None:
            files.create(path, text, private=True)
        else:
            files.replace(path, text, was, private=True)
    except (files.NameTakenError, files.ChangedError):
        return False
    return True


def write_new(path: Path, text: str) -> None:
    """Write a new private file. Raises FileError, also if the name is taken."""
    if os.path.lexists(path) or not write(path, text, None):
        raise FileError(f"{path} exists already and was not changed; choose another name.")


def write_own(path: Path, text: str) -> tuple[str, ...]:
    """Write a file in the user's own folder that is not secret; a new one is private nevertheless.

    Returns what was fixed, and a warning if a power cut could undo it. Raises FileError.
    """
    return (*home_ready(), *files.write_output(path, text, private=True))


def note(path: Path, key: str, value: str = "") -> None:
    """Note a line in a file of the user's own folder, in place of one that begins with the same
    key. Raises FileError.
    """
    home_ready()
    is_written = False
    while not is_written:
        text, _ = read(path)
        lines = [line for line in (text or "").splitlines() if not line.startswith(key)]
        latest = [*lines, f"{key} {value}".rstrip()][-MOST_NOTES:]
        is_written = write(path, "".join(f"{line}\n" for line in latest), text)


@contextmanager
def opened_to_append(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading and writing, created if necessary, while no other program does.

    Raises FileError, also where the file system has no locks.
    """
    with files.locked(path, path.parent) as is_locked:
        if not is_locked:
            raise FileError(
                f"{path} was not written: the disk that it is on has no locks, so that "
                "two commands could sign two versions of one move. Set the environment "
                f"variable {home.VARIABLE} to a folder on another disk."
            )
        is_new = not path.exists()
        try:
            with open(path, "r+b", opener=_made_for_us) as file:
                checked(path)
                yield file
            if is_new:
                files.sync_folder(path, path.parent)
        except OSError as error:
            raise FileError(f"{path} cannot be written: {error.strerror}.") from None


def _made_for_us(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, FOR_US)
