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
from porto_cli.core.errors import FileError
from porto_cli.core.lock_file import alone
from porto_cli.core.message import Sentence, say
from porto_cli.core.signals import held

NAME = "keys"
HAS_MODES = os.name == "posix"
FOR_US, FOLDER_FOR_US = 0o600, 0o700
_FOR_OTHERS = 0o077
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
    notices: tuple[Sentence, ...] = ()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_FOR_US)
        for part in (None, *below):
            path = path / part if part else path
            path.mkdir(exist_ok=True, mode=FOLDER_FOR_US)
            notices += checked(path)
    except OSError as error:
        raise FileError(
            say("The folder {folder} cannot be made: {reason}.", folder=path, reason=error.strerror)
        ) from None
    return path, notices


def checked(path: Path) -> tuple[Sentence, ...]:
    """Close a file or folder to others, and say so if it was open to them.

    Raises FileError for one of somebody else, and for one that cannot be closed.
    """
    if not HAS_MODES:
        return ()
    status = os.stat(path)
    if status.st_uid != os.geteuid():
        raise FileError(
            say(
                "{file} belongs to another user of this computer, who could read or change what is "
                "yours alone; it was not used. In the environment variable {variable} you can name "
                "a folder of your own.",
                file=path,
                variable=home.VARIABLE,
            )
        )
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
