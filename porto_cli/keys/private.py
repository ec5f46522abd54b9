"""Files that nobody else may read, in a folder that nobody else may look into.

A file is written whole or not at all, and one line is added whole or not at all. Where the system
has permissions (everywhere but on Windows, where a home folder is private by itself) what others
could read is closed to them, and that is said.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from porto_cli import home
from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.core.lock_file import alone
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word
from porto_cli.core.signals import held

NAME = "keys"
HAS_MODES = os.name == "posix"
FOR_US, FOLDER_FOR_US = 0o600, 0o700
_FOR_OTHERS = 0o077
_WRITTEN_BY_OTHERS = 0o022
_SUPERUSER = 0
LARGEST = 4 << 20
"""Bytes of a file that is read."""


def folder() -> Path:
    """Return the folder; it need not be there. Raises FileError."""
    return home.folder() / NAME


def ready(*below: str) -> tuple[Path, tuple[Sentence, ...]]:
    """Return the folder, or one in it, made if need be, and what was mended.

    Raises FileError, also for a folder of somebody else.
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


def home_ready() -> tuple[Sentence, ...]:
    """Make the folder of the user's own things if need be, and close it to other writers.

    Who can write into it could put another folder in the place of the one with the keys. Returns
    what was mended. Raises FileError.
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
        say(
            "Other users of this computer could change what is in {folder}; from now on only you "
            "can.",
            folder=path,
        ),
    )


def _cannot_make(path: Path, error: OSError) -> FileError:
    return FileError(
        say(
            "The folder {folder}, for what is your own, cannot be made: {reason}. In the "
            "environment variable {variable} you can name another one.",
            folder=path,
            reason=error.strerror,
            variable=home.VARIABLE,
        )
    )


def demand_no_other_writer(path: Path) -> None:
    """Demand that nobody but the user and the superuser can have written a file.

    Its folder counts as well, and where a link leads. Unlike what :func:`checked` closes, a file
    that others could change is refused: it may say already what somebody else has put there.
    Raises FileError.
    """
    if not HAS_MODES or not os.path.exists(path):
        return
    real = Path(os.path.realpath(path))
    for each in dict.fromkeys((path.parent, real.parent, real)):
        _demand_owner(each, (os.geteuid(), _SUPERUSER))
        if _open_to_writers(each):
            raise _open_to_others(path, each)


def _open_to_writers(path: Path) -> int:
    """Return the mode of a file or folder in which other users can change something; else 0.

    In a folder that is sticky, like /tmp, everybody can change only what is their own.
    """
    mode = os.stat(path).st_mode
    is_sticky = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
    return stat.S_IMODE(mode) if mode & _WRITTEN_BY_OTHERS and not is_sticky else 0


def _open_to_others(file: Path, changed: Path) -> FileError:
    return FileError(
        say(
            "Other users of this computer can change {changed}, so {file} was not used: it could "
            "make this program run their commands, or send your mail and your password to them. "
            "Check what is in it; then close it to others with: chmod go-w {word}",
            changed=changed,
            file=file,
            word=file_word(str(changed)),
        )
    )


def checked(path: Path) -> tuple[Sentence, ...]:
    """Close a file or folder to others, and say so if it was open to them.

    Raises FileError for one of somebody else, and for one that cannot be closed.
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
            say(
                "Other users of this computer can read {file}, and that cannot be changed where it "
                "is; it was not used. In the environment variable {variable} you can name a "
                "folder on another disk.",
                file=path,
                variable=home.VARIABLE,
            )
        )
    return (
        say(
            "Other users of this computer could look into {file}; from now on only you can.",
            file=path,
        ),
    )


def _demand_owner(path: Path, owners: tuple[int, ...]) -> os.stat_result:
    status = os.stat(path)
    if status.st_uid not in owners:
        raise FileError(
            say(
                "{file} belongs to another user of this computer, who could read or change what is "
                "yours alone; it was not used. In the environment variable {variable} you can name "
                "a folder of your own.",
                file=path,
                variable=home.VARIABLE,
            )
        )
    return status


def read(path: Path) -> tuple[str | None, tuple[Sentence, ...]]:
    """Return the text of a file, None if there is none, and what was mended. Raises FileError."""
    try:
        with path.open("rb") as file:
            notices = checked(path)
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None, ()
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None
    if len(data) > LARGEST:
        raise FileError(
            say(
                "{file} is larger than anything that this program puts there; it was left as it "
                "is.",
                file=path,
            )
        )
    return data.decode("utf-8", "surrogateescape"), notices


def write(path: Path, text: str, was: str | None) -> bool:
    """Put a text in the place of the one that was read, of no file if that was None.

    Returns False, and changes nothing, if meanwhile something else is there. Of two programs at
    once one wins. Raises FileError.
    """
    with alone(path, path.parent):
        if read(path)[0] != was:
            return False
        _put(path, text.encode("utf-8", "surrogateescape"))
    return True


def write_new(path: Path, text: str) -> None:
    """Write a file that only this user can read. Raises FileError, also if there is one already."""
    if os.path.lexists(path) or not write(path, text, None):
        raise FileError(
            say("{file} exists already and was left as it is; choose another name.", file=path)
        )


def write_own(path: Path, text: str) -> tuple[Sentence, ...]:
    """Write a file of the user's own folder that is no secret; a new one is for the user alone.

    Returns what was mended, and what could not be kept of the old file. Raises FileError.
    """
    notices = home_ready()
    is_new = not os.path.lexists(path)
    notices += files.write_output(path, text)
    if HAS_MODES and is_new:
        with suppress(OSError):
            os.chmod(path, FOR_US)
    return notices


def _put(path: Path, data: bytes) -> None:
    beside = path.with_name(f".porto-{os.urandom(8).hex()}.new")
    try:
        try:
            handle = os.open(
                beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), FOR_US
            )
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            with held():
                # A link leads to where the file is kept, on another disk maybe: it stays.
                os.replace(beside, os.path.realpath(path) if _beside(path) else path)
            sync(path.parent)
        except BaseException:
            with held(), suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        raise cannot_write(path, error) from None


def _beside(path: Path) -> bool:
    return os.path.dirname(os.path.realpath(path)) == os.path.realpath(path.parent)


def sync(folder: Path) -> None:
    """Let a new name survive a power cut, where the system can do that."""
    if not HAS_MODES:
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def opened_to_append(path: Path) -> Iterator[int]:
    """Open a file, made if need be, for reading and appending, while nobody else does.

    Raises FileError.
    """
    with alone(path, path.parent):
        try:
            new = not path.exists()
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), FOR_US)
        except OSError as error:
            raise cannot_write(path, error) from None
        try:
            checked(path)
            yield handle
            if new:
                sync(path.parent)
        except OSError as error:
            raise cannot_write(path, error) from None
        finally:
            os.close(handle)


def cannot_write(path: Path, error: OSError) -> FileError:
    """Return the error of a file that cannot be written."""
    return FileError(say("{file} cannot be written: {reason}.", file=path, reason=error.strerror))
