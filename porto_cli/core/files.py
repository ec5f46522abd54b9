"""Files: read whole, written whole or not at all, one program at a time.

A text is written to a new file with a random name in the same folder, synced and renamed over
the old file, so that a crash, a full disk or a power cut leaves the old text or the new one. For
a record the folder is locked meanwhile, and the file is compared with what was read just before
it is replaced: of two commands at once one wins and the other is told. Where locks do not reach
(folders that several computers share) two commands can still pass that comparison in the same
instant; the file is whole even then, and who was overwritten is told if it can be seen.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from porto_cli.core.attributes import keep
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word
from porto_cli.core.signals import held
from porto_cli.core.yaml import LARGEST, decode

STANDARD = "-"
"""The name that stands for standard input and output."""
_LARGEST_UNASKED = 256 * 1024
"""Bytes of a record that is looked into unasked: some thousand turns."""
_PATIENCE = 5.0
"""Seconds to wait for another command that is writing."""
_OPENED = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc")
"""Names of what is open already. It may be a regular file, but one that holds more than this."""
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


class NameTakenError(FileError):
    """There is a file of the name that a new one was to get."""


class Trace:
    """What a command has read and written."""

    def __init__(self) -> None:
        self.read: set[tuple[int, int]] = set()
        """The files, by device and number."""
        self.done: Sentence | None = None
        """What is true since the last file was written or mail was sent; None before that."""


_trace: Trace | None = None


@contextmanager
def traced() -> Iterator[Trace]:
    """Yield what is read and written from here to the end of ``with``.

    An output is never written over a file that was read meanwhile.
    """
    global _trace
    _trace = Trace()
    try:
        yield _trace
    finally:
        _trace = None


def note(done: Sentence) -> None:
    """Note what is true from now on, even if nothing more can be printed."""
    if _trace:
        _trace.done = done


def told() -> None:
    """Note that the user has been told what was done up to here."""
    if _trace:
        _trace.done = None


def name_of(path: Path) -> str:
    """Return how messages call a file."""
    return "standard input" if str(path) == STANDARD else str(path)


def expanded(path: Path) -> Path:
    """Return a path with the home folder for ``~`` or ``~NAME``, if there is anybody called so."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


# -- Reading


def is_worth_a_look(path: Path) -> bool:
    """Tell whether a file may be read although nobody named it: to offer it, or what is in it.

    Pipes and devices could be waited for in vain, and files larger than any game take long.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_UNASKED


def read_text(path: Path) -> str:
    """Return the text of a file. Raises FileError, InvalidFileError (not UTF-8, huge)."""
    return decode(_read_bytes(path), name_of(path))


def _read_bytes(path: Path) -> bytes:
    """Return the contents of a file, and of a huge one as much as tells that it is."""
    if str(path) == STANDARD:
        return _read_standard_input()
    try:
        with path.open("rb") as file:
            return _read_from(file)
    except FileNotFoundError:
        raise FileError(
            say(
                "There is no file {file}; 'porto new {word} NAME…' starts a game in it.",
                file=path,
                word=file_word(str(path)),
            )
        ) from None
    except IsADirectoryError:
        raise FileError(say("{file} is a folder; name the record in it.", file=path)) from None
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _read_standard_input() -> bytes:
    if sys.stdin is None or not sys.stdin.readable():
        raise FileError(say("Standard input cannot be read: it is closed."))
    try:
        return _read_from(sys.stdin.buffer)
    except OSError as error:
        raise FileError(
            say("Standard input cannot be read: {reason}.", reason=error.strerror)
        ) from None


def _read_from(file: BinaryIO) -> bytes:
    if _trace:
        with suppress(OSError):
            _trace.read.add(_identity(file.fileno()))
    return file.read(LARGEST + 1)


def _identity(file: Path | int) -> tuple[int, int]:
    status = os.stat(file)
    return status.st_dev, status.st_ino


# -- Writing


def create(path: Path, text: str) -> None:
    """Write a new file. Raises NameTakenError if there is one already, FileError."""
    data = text.encode()

    def demand_no_file() -> None:
        if os.path.exists(path):
            raise NameTakenError(
                say("{file} exists already and was left as it is; choose another name.", file=path)
            )

    target = _target_of(path)
    with locked(path, target.parent):
        demand_no_file()
        _put(path, target, data, None, demand_no_file, say("{file} is written.", file=path))
        _look_again(path, target, data)


def replace(path: Path, text: str, was: str) -> tuple[Sentence, ...]:
    """Write a record that held ``was`` when it was read.

    Returns what could not be kept of the old file: its owner, group, access control list or
    extended attributes. Raises FileError if the file no longer holds ``was``, or if it cannot or
    must not be written; the old contents stay then.
    """
    target, data, before = _target_of(path), text.encode(), was.encode()

    def demand_the_same() -> None:
        try:
            with target.open("rb") as file:
                now = file.read(LARGEST + 1)
        except OSError:
            now = b""
        if now != before:
            raise FileError(
                say(
                    "{file} was changed by somebody else meanwhile, and nothing was written; look "
                    "at it with 'porto show {word}' and try again.",
                    file=path,
                    word=file_word(str(path)),
                )
            )

    done = say("The move was made: {file} has it.", file=path)
    with locked(path, target.parent):
        if not os.path.exists(path):
            demand_the_same()
        notices = _put(path, target, data, _open_to_replace(path), demand_the_same, done)
        _look_again(path, target, data)
    return notices


def write_output(path: Path, text: str) -> tuple[Sentence, ...]:
    """Write what a command was asked to put into a file, replacing the file.

    What is no regular file, like a pipe or a device, is written into. Returns what could not be
    kept of the old file. Raises FileError, also if the file is one that the command has read.
    """
    target, data = _target_of(path), text.encode()
    done = say("{file} is written.", file=path)
    if not os.path.exists(path):
        return _put(path, target, data, None, lambda: None, done)
    if _is_written_into(path):
        _write_into(path, data)
        return ()
    if _trace and _identity(path) in _trace.read:
        raise FileError(
            say(
                "{file} is what the output is made of, and was left as it is; choose another "
                "name for the output.",
                file=path,
            )
        )
    return _put(path, target, data, _open_to_replace(path), lambda: None, done)


def create_output(path: Path, text: str) -> None:
    """Write what a command was asked to put into a new file, or into a pipe or a device.

    Raises FileError, also if there is a file already.
    """
    if os.path.exists(path) and _is_written_into(path):
        _write_into(path, text.encode())
    else:
        create(path, text)


def _is_written_into(path: Path) -> bool:
    """Tell whether a file is to be kept and its contents to be added, as those of a pipe."""
    return not os.path.isfile(path) or any(map(path.is_relative_to, _OPENED))


def _write_into(path: Path, data: bytes) -> None:
    try:
        stream = _standard_stream(path)
        if stream:
            stream.flush()
            stream.buffer.write(data)
            stream.flush()
            return
        with path.open("ab") as file:
            file.write(data)
    except OSError as error:
        # A pipe or a device is not as it was before.
        raise FileError(
            say("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
        ) from None


def _standard_stream(path: Path) -> TextIO | None:
    """Return the stream that a name like /dev/stdout stands for, to go on where it has got to."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            if _identity(stream.fileno()) == _identity(path):
                return stream
    return None


def _target_of(path: Path) -> Path:
    """Return the file that a name leads to, through links. Raises FileError."""
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise _cannot_write(path, error) from None


def _open_to_replace(path: Path) -> int:
    """Open a file that is going to be replaced. Raises FileError for one that must not be."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError(
                say(
                    "{file} is no regular file, so that no move can be added to it; with '-' as "
                    "FILE a record is read from standard input and written to standard output.",
                    file=path,
                )
            )
        handle = os.open(path, os.O_WRONLY | _NO_WAITING)
        status = os.fstat(handle)
    except PermissionError:
        raise _protected(path) from None
    except OSError as error:
        raise _cannot_write(path, error) from None
    fault = None
    # The superuser may write into every file, but not every file is meant to be.
    if not status.st_mode & 0o222:
        fault = _protected(path)
    elif status.st_nlink > 1:
        fault = FileError(
            say(
                "{file} is one of {count} names of the same file (hard links), which writing would "
                "part; nothing was written. Make a copy of the file and use that.",
                file=path,
                count=status.st_nlink,
            )
        )
    if fault:
        os.close(handle)
        raise fault
    return handle


def _put(
    path: Path,
    target: Path,
    data: bytes,
    old: int | None,
    demand: Callable[[], None],
    done: Sentence,
) -> tuple[Sentence, ...]:
    """Put a file in place, whole or not at all. ``old`` is the one that it replaces, opened; it
    is closed in any case.

    What ``demand`` raises just before that stops it. From then on ``done`` is true. Returns what
    could not be kept of the old file. Raises FileError.
    """
    # A name that nobody can guess, so that nobody can put something there that hinders us.
    beside = target.with_name(f".porto-{os.urandom(8).hex()}.new")
    try:
        try:
            notices = _write(path, beside, data, old)
        finally:
            # Windows does not replace a file that is open.
            if old is not None:
                os.close(old)
        demand()
        with held():
            os.replace(beside, target)
            if _trace:
                _trace.done = done
    except BaseException as error:
        with held(), suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from None
        raise
    return (*notices, *_sync_folder(path, target.parent))


def _write(path: Path, beside: Path, data: bytes, old: int | None) -> tuple[Sentence, ...]:
    """Write a new file, to the disk, with what can be kept of the old one."""
    with open(beside, "xb", opener=_new_file if old is None else _private_file) as file:
        notices = () if old is None else keep(path, old, file.fileno())
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return notices


def _new_file(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINKS, 0o666)


def _private_file(path: str, flags: int) -> int:
    """Open the file that takes another one's place: until it has its mode, for nobody else."""
    return os.open(path, flags | _NO_LINKS, 0o600)


def _sync_folder(path: Path, folder: Path) -> tuple[Sentence, ...]:
    """Let the new name survive a power cut. If that fails, the file stands there nevertheless."""
    if sys.platform == "win32":
        return ()
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # Not every file system can do it; but a disk in trouble is worth a word.
        if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
            return (
                say(
                    "{file} is written, but a power cut in the next seconds could undo that: "
                    "its folder cannot be synced ({reason}).",
                    file=path,
                    reason=error.strerror,
                ),
            )
    return ()


def _look_again(path: Path, target: Path, data: bytes) -> None:
    """Raise FileError if another program has just replaced the file that we have put in place."""
    try:
        with target.open("rb") as file:
            now = file.read(len(data))
    except OSError:
        return
    if now != data:
        raise FileError(
            say(
                "{file} was written by somebody else at the same moment, and what this command "
                "wrote is not in it; look at it with 'porto show {word}' and try again.",
                file=path,
                word=file_word(str(path)),
            )
        )


def _cannot_write(path: Path, error: OSError) -> FileError:
    if os.path.exists(path):
        return FileError(
            say(
                "{file} cannot be written: {reason}. It is as it was before.",
                file=path,
                reason=error.strerror,
            )
        )
    return FileError(say("{file} cannot be written: {reason}.", file=path, reason=error.strerror))


def _protected(path: Path) -> FileError:
    return FileError(
        say(
            "{file} is protected against writing and was left as it is. If it is yours, "
            "'chmod u+w' lifts that.",
            file=path,
        )
    )


# -- Locking


@contextmanager
def locked(path: Path, folder: Path) -> Iterator[bool]:
    """Keep other commands from writing into the same folder for the moment it takes. Yield whether
    that is so: there are file systems without locks.

    ``path`` is the file that a message names. Raises FileError.
    """
    deadline = time.monotonic() + _PATIENCE
    try:
        handle = _open_lock(folder)
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        while (is_locked := _try_lock(handle)) is False:
            if time.monotonic() > deadline:
                raise FileError(
                    say(
                        "{file} is locked: another command has been writing for {seconds} "
                        "seconds. Try again when it has ended.",
                        file=path,
                        seconds=round(_PATIENCE),
                    )
                )
            time.sleep(0.02)
        yield bool(is_locked)
    finally:
        with suppress(OSError):
            os.close(handle)


if sys.platform == "win32":  # pragma: no cover - folders cannot be locked there
    import msvcrt

    def _open_lock(folder: Path) -> int:
        return os.open(folder / ".porto.lock", os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)

    def _try_lock(handle: int) -> bool | None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _open_lock(folder: Path) -> int:
        return os.open(folder, os.O_RDONLY)

    def _try_lock(handle: int) -> bool | None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # A file system without locks; comparing the contents has to do.
            return None
        return True
