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

from porto_cli import home
from porto_cli.core import files
from porto_cli.core.characters import file_word
from porto_cli.core.message import FileError

NAME = "keys"
HAS_MODES = os.name == "posix"
FOR_US, FOLDER_FOR_US = 0o600, 0o700
_FOR_OTHERS = 0o077
_WRITTEN_BY_OTHERS = 0o022
_SUPERUSER = 0
LARGEST = 4 << 20
"""Bytes of a file that is read."""


def folder() -> Path:
    """Return the folder; it need not exist. Raises FileError."""
    return home.folder() / NAME


def ready(*below: str) -> tuple[Path, tuple[str, ...]]:
    """Return the folder, or one in it, created if necessary, and what was fixed.

    Raises FileError, also for a folder of another user.
    """
    path = folder()
    notices = home_ready()
    try:
        for part in (None, *below):
            path = path / part if part else path
            path.mkdir(exist_ok=True, mode=FOLDER_FOR_US)
            notices += checked(path)
    except OSError as error:
        raise _cannot_make(path, error) from None
    return path, notices


def home_ready() -> tuple[str, ...]:
    """Create the folder of the user's own files if necessary, and close it to other writers.

    With write access to it one could replace the folder with the keys. Returns what was fixed.
    Raises FileError.
    """
    path = home.folder()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=FOLDER_FOR_US)
    except OSError as error:
        raise _cannot_make(path, error) from None
    if not HAS_MODES:
        return ()
    _demand_owner(path, (os.geteuid(), _SUPERUSER))
    mode = _open_to_writers(path)
    if not mode:
        return ()
    with suppress(OSError):
        os.chmod(path, mode & ~_WRITTEN_BY_OTHERS)
    if _open_to_writers(path):
        raise _open_to_others(path, path)
    return (
        (f"Other users of this computer could change what is in {path}; from now on only you can."),
    )


def _cannot_make(path: Path, error: OSError) -> FileError:
    return FileError(
        f"The folder {path}, for your own files, cannot be created: {error.strerror}. "
        f"Set the environment variable {home.VARIABLE} to use another folder."
    )


def demand_no_other_writer(path: Path) -> None:
    """Require that only the user and the superuser can have written a file.

    Its folder counts as well, and the target of a link. Other than in :func:`checked`, a file that
    others could change is refused: it may have been changed already. Raises FileError.
    """
    if not HAS_MODES or not os.path.exists(path):
        return
    real = Path(os.path.realpath(path))
    for each in dict.fromkeys((path.parent, real.parent, real)):
        _demand_owner(each, (os.geteuid(), _SUPERUSER))
        if _open_to_writers(each):
            raise _open_to_others(path, each)


def _open_to_writers(path: Path) -> int:
    """Return the mode of a file or folder that other users can change; else 0.

    In a sticky folder, like /tmp, users can change only their own files.
    """
    mode = os.stat(path).st_mode
    is_sticky = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
    return stat.S_IMODE(mode) if mode & _WRITTEN_BY_OTHERS and not is_sticky else 0


def _open_to_others(file: Path, changed: Path) -> FileError:
    return FileError(
        f"Other users of this computer can change {changed}, so {file} was not used: it "
        "could make this program run their commands, or send your mail and your password "
        "to them. Check what is in it; then close it to others with: chmod go-w "
        f"{file_word(str(changed))}"
    )


def checked(path: Path) -> tuple[str, ...]:
    """Close a file or folder to others; return a sentence if it was open to them.

    Raises FileError for one of another user, and for one that cannot be closed.
    """
    if not HAS_MODES:
        return ()
    status = _demand_owner(path, (os.geteuid(),))
    if not stat.S_IMODE(status.st_mode) & _FOR_OTHERS:
        return ()
    is_folder = stat.S_ISDIR(status.st_mode)
    with suppress(OSError):
        os.chmod(path, FOLDER_FOR_US if is_folder else FOR_US)
    if stat.S_IMODE(os.stat(path).st_mode) & _FOR_OTHERS:
        raise FileError(
            f"Other users of this computer can read {path}, and that cannot be changed "
            f"where it is; it was not used. Set the environment variable {home.VARIABLE} "
            "to a folder on another disk."
        )
    return (f"Other users of this computer could look into {path}; from now on only you can.",)


def _demand_owner(path: Path, owners: tuple[int, ...]) -> os.stat_result:
    status = os.stat(path)
    if status.st_uid not in owners:
        raise FileError(
            f"{path} belongs to another user of this computer, who could read or change "
            "your private files; it was not used. Set the environment variable "
            f"{home.VARIABLE} to a folder of your own."
        )
    return status


def read(path: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the text of a file, None if there is none, and what was fixed. Raises FileError."""
    try:
        with path.open("rb") as file:
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


@contextmanager
def opened_to_append(path: Path) -> Iterator[int]:
    """Open a file for reading and appending, created if necessary, while no other program does.

    Raises FileError, also where the file system has no locks.
    """
    with files.locked(path, path.parent) as is_locked:
        if not is_locked:
            raise FileError(
                f"{path} was not written: the disk that it is on has no locks, so that "
                "two commands could sign two versions of one move. Set the environment "
                f"variable {home.VARIABLE} to a folder on another disk."
            )
        try:
            new = not path.exists()
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), FOR_US)
        except OSError as error:
            raise _cannot_write(path, error) from None
        try:
            checked(path)
            yield handle
            if new:
                files.sync_folder(path, path.parent)
        except OSError as error:
            raise _cannot_write(path, error) from None
        finally:
            os.close(handle)


def _cannot_write(path: Path, error: OSError) -> FileError:
    return FileError(f"{path} cannot be written: {error.strerror}.")
