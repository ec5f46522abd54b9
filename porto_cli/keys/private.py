"""Private files, in a folder that no other user may read.

A file is written whole or not at all, and a line is appended whole or not at all. Where the system
has permissions (everywhere but on Windows, where a home folder is private by itself) what others
could read is closed to them, and that is reported.

A folder is locked during this, also where the file system has no locks, as on some network disks:
there a file is the lock. A command that was stopped leaves it behind. If it ran on this computer,
that is detected, otherwise a person has to delete the file. No wall clock is used.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from porto_cli import home
from porto_cli.core import files
from porto_cli.core.characters import file_word
from porto_cli.core.message import FileError, Sentence, say
from porto_cli.core.signals import held

LOCK_NAME = ".porto-lock"
PATIENCE = 5.0
"""Seconds to wait for another command that is writing."""
_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
_FOR_US = 0o600


@contextmanager
def alone(path: Path, folder: Path) -> Iterator[None]:
    """Be the only program that writes into a folder. ``path`` is the file named in messages.

    Raises FileError.
    """
    with files.locked(path, folder) as is_locked:
        if is_locked:
            yield
            return
        lock = folder / LOCK_NAME
        _make(path, lock)
        try:
            yield
        finally:
            with suppress(OSError):
                os.unlink(lock)


def _make(path: Path, lock: Path) -> None:
    """Create a lock file as soon as there is none. Raises FileError."""
    deadline = time.monotonic() + PATIENCE
    mark = f"{_machine()} {os.getpid()}\n".encode()
    while True:
        with suppress(FileExistsError):
            try:
                handle = os.open(lock, _NEW, _FOR_US)
            except FileExistsError:
                raise
            except OSError as error:
                raise FileError(
                    say("{file} cannot be written: {reason}.", file=lock, reason=error.strerror)
                ) from None
            try:
                os.write(handle, mark)
            finally:
                os.close(handle)
            return
        if time.monotonic() > deadline:
            raise FileError(
                say(
                    "{file} is locked by {lock}: another command has been writing for {seconds} "
                    "seconds, or was stopped. If none is running on any computer that shares the "
                    "folder, delete {lock} and try again.",
                    file=path,
                    lock=lock,
                    seconds=round(PATIENCE),
                )
            )
        _remove_if_left(lock)
        time.sleep(0.02)


def _remove_if_left(lock: Path) -> None:
    """Remove a lock file that a command on this computer has left behind.

    Of several commands that find it only one may do that, or it could remove a newer one.
    """
    guard = lock.with_name(f"{LOCK_NAME}-guard")
    with suppress(OSError):
        os.close(os.open(guard, _NEW, _FOR_US))
        try:
            if _is_left(lock.read_bytes()):
                os.unlink(lock)
        finally:
            os.unlink(guard)


def _is_left(mark: bytes) -> bool:
    """Return whether a lock file is of a command on this computer that no longer runs."""
    machine, _, number = mark.decode("utf-8", "replace").removesuffix("\n").rpartition(" ")
    if machine != _machine() or not number.isdigit() or not mark.endswith(b"\n"):
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def _machine() -> str:
    """Return what identifies this computer since it was booted."""
    name = os.uname().nodename if hasattr(os, "uname") else ""
    with suppress(OSError):
        return f"{name} {Path('/proc/sys/kernel/random/boot_id').read_text('ascii').strip()}"
    return name


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


def ready(*below: str) -> tuple[Path, tuple[Sentence, ...]]:
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


def home_ready() -> tuple[Sentence, ...]:
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
        say(
            "Other users of this computer could change what is in {folder}; from now on only you "
            "can.",
            folder=path,
        ),
    )


def _cannot_make(path: Path, error: OSError) -> FileError:
    return FileError(
        say(
            "The folder {folder}, for your own files, cannot be created: {reason}. Set "
            "the environment variable {variable} to use another folder.",
            folder=path,
            reason=error.strerror,
            variable=home.VARIABLE,
        )
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
            say(
                "Other users of this computer can read {file}, and that cannot be changed "
                "where it is; it was not used. Set the environment variable {variable} to "
                "a folder on another disk.",
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
                "{file} belongs to another user of this computer, who could read or "
                "change your private files; it was not used. Set the environment variable "
                "{variable} to a folder of your own.",
                file=path,
                variable=home.VARIABLE,
            )
        )
    return status


def read(path: Path) -> tuple[str | None, tuple[Sentence, ...]]:
    """Return the text of a file, None if there is none, and what was fixed. Raises FileError."""
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
                "{file} is larger than any file that this program writes there; it was not "
                "changed.",
                file=path,
            )
        )
    return data.decode("utf-8", "surrogateescape"), notices


def write(path: Path, text: str, was: str | None) -> bool:
    """Write a file whose text was ``was`` when it was read, None if there was no file.

    Returns False, and changes nothing, if it has changed since. Of two simultaneous programs one
    wins. Raises FileError.
    """
    with alone(path, path.parent):
        if read(path)[0] != was:
            return False
        _put(path, text.encode("utf-8", "surrogateescape"))
    return True


def write_new(path: Path, text: str) -> None:
    """Write a new private file. Raises FileError, also if the name is taken."""
    if os.path.lexists(path) or not write(path, text, None):
        raise FileError(
            say("{file} exists already and was not changed; choose another name.", file=path)
        )


def write_own(path: Path, text: str) -> tuple[Sentence, ...]:
    """Write a file in the user's own folder that is not secret; a new one is private nevertheless.

    Returns what was fixed, and what could not be kept of the old file. Raises FileError.
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
                # A link to where the file is kept, perhaps on another disk, stays.
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
    """Make a new name survive a power cut, where the system can do that."""
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
    """Open a file for reading and appending, created if necessary, while no other program does.

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
