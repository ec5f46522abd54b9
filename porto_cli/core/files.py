"""Files: read whole, written whole or not at all, one program at a time.

A text is written to a new file with a random name in the same folder, synced and renamed over
the old file, so that a crash, a full disk or a power cut leaves the old text or the new one. For
a record the folder is locked during this, and the file is compared with what was read just before
it is replaced: of two simultaneous commands one wins and the other fails. Where locks do not work
(folders that several computers share) two commands can still pass that comparison in the same
instant; the file is whole even then, and an overwritten command fails if it can detect that.

The new file keeps the owner, group and mode of the old one, and on Linux its access control list
and extended attributes.
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

from porto_cli.core.characters import file_word
from porto_cli.core.message import FileError, Sentence, say
from porto_cli.core.signals import held
from porto_cli.core.yaml import LARGEST, decode

_ACCESS = {"system.posix_acl_access", "system.nfs4_acl"}
"""The extended attributes that hold an access control list."""
_OF_THE_CONTENTS = {"security.evm", "security.ima"}
"""Checksums that the system computes of a file, which differ for every file."""


def keep(path: Path, old: int, new: int) -> tuple[Sentence, ...]:
    """Copy the metadata of an old file to a new one, both open; ``path`` is its name in messages.

    Returns what could not be kept. The new file never has wider permissions than the old one.
    """
    if sys.platform == "win32":
        return ()
    was = os.fstat(old)
    lost = [*_owner_and_group(path, was, new), *_attributes(path, old, new)]
    mode = stat.S_IMODE(was.st_mode)
    is_now = os.fstat(new)
    if is_now.st_uid != was.st_uid:
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    if is_now.st_gid != was.st_gid:
        # Another group gets the permissions of all other users, and no more.
        mode &= ~stat.S_ISGID & ~(~mode << 3 & stat.S_IRWXG)
    try:
        os.fchmod(new, mode)
    except OSError:
        lost.append(say("The permissions of {file} could not be kept.", file=path))
    return tuple(lost)


def _owner_and_group(path: Path, was: os.stat_result, new: int) -> Iterator[Sentence]:
    is_now = os.fstat(new)
    if is_now.st_gid != was.st_gid:
        try:
            os.fchown(new, -1, was.st_gid)
        except OSError:
            yield say(
                "The group of {file} could not be kept; its members now have the "
                "permissions of all other users.",
                file=path,
            )
    if is_now.st_uid != was.st_uid:
        try:
            os.fchown(new, was.st_uid, -1)
        except OSError:
            yield say("The owner of {file} could not be kept: it is yours now.", file=path)


def _attributes(path: Path, old: int, new: int) -> Iterator[Sentence]:
    if sys.platform != "linux":
        return
    wanted, present = _read(old), _read(new)
    for name in present.keys() - wanted.keys():
        # The default access control list of the folder.
        if name in _ACCESS:
            with suppress(OSError):
                os.removexattr(new, name)
    for name, value in wanted.items():
        if present.get(name) == value or name in _OF_THE_CONTENTS:
            continue
        try:
            os.setxattr(new, name, value)
        except OSError:
            yield (
                say("The access control list of {file} could not be kept.", file=path)
                if name in _ACCESS
                else say("The attribute {name} of {file} could not be kept.", name=name, file=path)
            )


def _read(handle: int) -> dict[str, bytes]:
    """Return the extended attributes of a file; none if the file system does not have them."""
    attributes = {}
    with suppress(OSError):
        for name in os.listxattr(handle):
            with suppress(OSError):
                attributes[name] = os.getxattr(handle, name)
    return attributes


STANDARD = "-"
"""The name for standard input and output."""
_LARGEST_UNNAMED = 256 * 1024
"""Bytes of the largest record that is read without being named: some thousand turns."""
_LOCK_TIMEOUT = 5.0
"""Seconds to wait for another command that is writing."""
_OPENED = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc")
"""Names of open files. They may be regular files, but their contents must be kept."""
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


class NameTakenError(FileError):
    """A new file cannot be created because its name is taken."""


class Trace:
    """What a command has read and written."""

    def __init__(self) -> None:
        self.read: set[tuple[int, int]] = set()
        """The files, by device and number."""
        self.done: Sentence | None = None
        """What was done last, by writing a file or sending mail; None if nothing was."""


_trace: Trace | None = None


@contextmanager
def traced() -> Iterator[Trace]:
    """Yield what is read and written from here to the end of ``with``.

    An output never overwrites a file that was read in between.
    """
    global _trace
    _trace = Trace()
    try:
        yield _trace
    finally:
        _trace = None


def note(done: Sentence) -> None:
    """Note what was done, for the case that its report cannot be printed."""
    if _trace:
        _trace.done = done


def reported() -> None:
    """Note that everything done so far was reported to the user."""
    if _trace:
        _trace.done = None


def name_of(path: Path) -> str:
    """Return how messages name a file."""
    return "standard input" if str(path) == STANDARD else str(path)


def expanded(path: Path) -> Path:
    """Return a path with ``~`` or ``~NAME`` expanded, if there is such a user."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


# -- Reading


def is_worth_a_look(path: Path) -> bool:
    """Return whether a file may be read that the user did not name, to offer it or its contents.

    Pipes and devices could block forever, and files larger than any game take long.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_UNNAMED


def read_text(path: Path) -> str:
    """Return the text of a file. Raises FileError, InvalidFileError (not UTF-8, huge)."""
    return decode(_read_bytes(path), name_of(path))


def _read_bytes(path: Path) -> bytes:
    """Return the contents of a file; of a huge one only enough to see that it is too large."""
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
                say("{file} exists already and was not changed; choose another name.", file=path)
            )

    target = _target_of(path)
    with locked(path, target.parent):
        demand_no_file()
        _put(path, target, data, None, demand_no_file, say("{file} is written.", file=path))
        _look_again(path, target, data)


def replace(path: Path, text: str, was: str) -> tuple[Sentence, ...]:
    """Write a record whose text was ``was`` when it was read.

    Returns what could not be kept of the old file: its owner, group, access control list or
    extended attributes. Raises FileError if the file has changed since, or if it cannot or must
    not be written; it keeps its old contents then.
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
                    "{file} was changed by another program in the meantime, so nothing "
                    "was written; look at it with 'porto show {word}' and try again.",
                    file=path,
                    word=file_word(str(path)),
                )
            )

    done = say("The move was made and saved in {file}.", file=path)
    with locked(path, target.parent):
        if not os.path.exists(path):
            demand_the_same()
        notices = _put(path, target, data, _open_to_replace(path), demand_the_same, done)
        _look_again(path, target, data)
    return notices


def write_output(path: Path, text: str) -> tuple[Sentence, ...]:
    """Write the output of a command to a file, replacing the file.

    Pipes, devices and the like are appended to. Returns what could not be kept of the old file.
    Raises FileError, also if the command has read this file.
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
                "{file} is also the input, and was not changed; choose another name for the "
                "output.",
                file=path,
            )
        )
    return _put(path, target, data, _open_to_replace(path), lambda: None, done)


def create_output(path: Path, text: str) -> None:
    """Write the output of a command to a new file, or into a pipe or a device.

    Raises FileError, also if there is a file already.
    """
    if os.path.exists(path) and _is_written_into(path):
        _write_into(path, text.encode())
    else:
        create(path, text)


def _is_written_into(path: Path) -> bool:
    """Return whether output is appended to a file instead of replacing it, as for a pipe."""
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
        # Unlike a replaced file, a pipe or a device may have got some of the output.
        raise FileError(
            say("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
        ) from None


def _standard_stream(path: Path) -> TextIO | None:
    """Return the stream of a name like /dev/stdout, to continue at its current position."""
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
    """Open a file that is about to be replaced. Raises FileError for one that must not be."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError(
                say(
                    "{file} is not a regular file, so no move can be added to it; with "
                    "'-' as FILE a record is read from standard input and written to "
                    "standard output.",
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
    # The superuser may write to every file, but should not overwrite a protected one.
    if not status.st_mode & 0o222:
        fault = _protected(path)
    elif status.st_nlink > 1:
        fault = FileError(
            say(
                "{file} is one of {count} names (hard links) of the same file, and "
                "writing would separate them; nothing was written. Make a copy of the "
                "file and use that.",
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
    """Put a file in place, whole or not at all. ``old`` is the handle of the file that it replaces,
    which is closed in any case.

    Just before that ``demand`` is called, which may raise to stop it. After that ``done`` is true.
    Returns what could not be kept of the old file. Raises FileError.
    """
    # A name that cannot be guessed, so that nobody else can put a file there.
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
    """Write a new file, synced to disk, with what can be kept of the old one."""
    with open(beside, "xb", opener=_new_file if old is None else _private_file) as file:
        notices = () if old is None else keep(path, old, file.fileno())
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return notices


def _new_file(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINKS, 0o666)


def _private_file(path: str, flags: int) -> int:
    """Open a file that replaces another one: private until it has the other's mode."""
    return os.open(path, flags | _NO_LINKS, 0o600)


def _sync_folder(path: Path, folder: Path) -> tuple[Sentence, ...]:
    """Make the new name survive a power cut. If that fails, the file is there nevertheless."""
    if sys.platform == "win32":
        return ()
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # Not every file system can do it; but errors of the disk are worth a message.
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
    """Raise FileError if another program has just replaced the file that we wrote."""
    try:
        with target.open("rb") as file:
            now = file.read(len(data))
    except OSError:
        return
    if now != data:
        raise FileError(
            say(
                "{file} was overwritten by another program at the same moment, so the "
                "change of this command is not in it; look at it with 'porto show {word}' "
                "and try again.",
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
            "{file} is write-protected and was not changed. If it is yours, 'chmod u+w' makes it "
            "writable.",
            file=path,
        )
    )


# -- Locking


@contextmanager
def locked(path: Path, folder: Path) -> Iterator[bool]:
    """Lock a folder against other commands. Yield whether it is locked: some file systems have no
    locks.

    ``path`` is the file named in messages. Raises FileError.
    """
    deadline = time.monotonic() + _LOCK_TIMEOUT
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
                        seconds=round(_LOCK_TIMEOUT),
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
            # The file system has no locks; comparing the contents has to suffice.
            return None
        return True
