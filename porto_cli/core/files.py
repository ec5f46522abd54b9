"""Signals that end the program; and reading and writing files."""

from __future__ import annotations

import errno
import os
import select
import signal
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from porto_cli.core import FileError, cited
from porto_cli.core.shell import STANDARD_INPUT, file_word
from porto_cli.core.yaml import LARGEST, decode

# -- Signals that end the program: Ctrl-C (INT), TERM and HUP
#
# Each becomes an exception, so that the program cleans up on the way out: it removes new files and
# restores terminals. Only critical sections block signals for a moment. Windows cannot block them,
# and has no HUP.

_TERMINATING = [signal.SIGTERM]
if sys.platform != "win32":
    _TERMINATING.append(signal.SIGHUP)
ENDING = (signal.SIGINT, *_TERMINATING)
"""All of them."""
HUNG_UP = 128 + 1
"""Exit code if the terminal is gone: that of HUP, which has this number everywhere."""


class TerminatedError(SystemExit):
    """TERM or HUP ended the program. ``code`` is the exit code that shells use for that."""

    code: int

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


FROM_OUTSIDE = (KeyboardInterrupt, TerminatedError)
"""Exceptions that end the program whatever it is doing. Anything else that other people's code
raises, such as ``sys.exit()``, is a failure of that code, and does not end the program."""


def catch() -> None:
    """Let TERM and HUP raise TerminatedError, unless they are ignored (as with ``nohup``)."""
    for number in _TERMINATING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def finish() -> None:
    """Undo :func:`catch` and ignore the signals, because the exit code is settled.

    Does nothing in a program that did not call :func:`catch`.
    """
    if any(signal.getsignal(number) is _terminate for number in _TERMINATING):
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Block the signals until the end of ``with``, and raise those received in between then."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def received() -> TerminatedError | None:
    """Return the exception of TERM or HUP, even if it was lost (in a finalizer, say) or followed
    by another error, such as writing to a closed terminal.
    """
    return _received


@contextmanager
def handed_over(wake: Callable[[], None]) -> Iterator[None]:
    """Call ``wake`` on TERM and HUP instead of raising, and raise at the end of ``with``.

    For event loops: an exception that a signal raises between two of their steps may replace a
    wake-up, for which a task then waits forever. ``wake`` has to end the loop. A new loop has to
    check whether a signal came before it (:func:`received`).
    """
    global _wake
    _wake = wake
    try:
        yield
    finally:
        _wake = None
        if _received:
            raise _received


def is_hung_up() -> bool:
    """Return whether standard input is a terminal that is gone. ``nohup`` ignores HUP.

    Windows itself ends the programs of a closed terminal.
    """
    if not hasattr(select, "poll") or not stat.S_ISCHR(os.fstat(0).st_mode):
        return False
    poll = select.poll()
    poll.register(0, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def raise_if_hung_up() -> None:
    """Raise the exception of HUP if the terminal is gone."""
    if is_hung_up():
        raise TerminatedError(HUNG_UP - 128)


_received: TerminatedError | None = None
_wake: Callable[[], None] | None = None


def _terminate(number: int, frame: object) -> None:
    global _received
    _received = TerminatedError(number)
    if _wake is None:
        raise _received
    _wake()


# -- Files: read whole, written whole or not at all, by one program at a time
#
# A text is written to a new file with a random name in the same folder, synced and renamed over
# the old file, so that a crash, a full disk or a power cut leaves the old text or the new one. For
# a record the folder is locked during this, and the file is compared with what was read just before
# it is replaced: of two simultaneous commands one wins and the other fails. Where locks do not work
# (folders that several computers share) two commands can still pass that comparison in the same
# instant; the file is whole even then, and an overwritten command fails if it can detect that.
#
# The new file has the permissions of the old one, and a link stays a link. Nothing else is kept:
# the new file belongs to the user who wrote it and their group, and has no access control list, no
# extended attributes and no other name (hard link).
#
# The program's own files, such as a key, are written in the same way, readable only by the user.

STANDARD = "-"
"""The name for standard input and output."""
_LARGEST_UNNAMED = 256 * 1024
"""Size in bytes of the largest record that is read without being named: a few thousand turns."""
_LOCK_TIMEOUT = 5.0
"""Seconds to wait while another command is writing."""
_OPENED = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc")
"""Names of open files, which may be regular files, but whose contents must be kept."""
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


class NameTakenError(FileError):
    """A file cannot be created because its name is taken."""


class ChangedError(FileError):
    """A file is not replaced because it has changed since it was read."""


class Trace:
    """The files that a command has read, the last thing it has done, and what it warns of."""

    def __init__(self) -> None:
        self.read: set[tuple[int, int]] = set()
        """The files, by device and number."""
        self.done: str | None = None
        """A sentence about the last file written or mail sent; ``None`` if there is none."""
        self.warnings: list[str] = []
        """Sentences that were not asked for, such as that a power cut could undo something."""


_trace: Trace | None = None


@contextmanager
def traced() -> Iterator[Trace]:
    """Yield a trace of what is read and written until the end of ``with``.

    No output overwrites a file that was read in between.
    """
    global _trace
    _trace = Trace()
    try:
        yield _trace
    finally:
        _trace = None


def note(done: str) -> None:
    """Note what was done, in case its report cannot be printed."""
    if _trace:
        _trace.done = done


def reported() -> None:
    """Note that everything done so far was reported to the user."""
    if _trace:
        _trace.done = None


def warn(sentence: str) -> None:
    """Warn the user of something when the command is done; in a Python program at once, by a
    warning of Python.
    """
    if _trace:
        _trace.warnings.append(sentence)
        return
    warnings.warn(sentence, stacklevel=2)


def warned() -> list[str]:
    """Return each warning of a command once; they then count as told."""
    if not _trace:
        return []
    told, _trace.warnings = _trace.warnings, []
    return [*dict.fromkeys(told)]


def name_of(path: Path) -> str:
    """Return the name of a file for messages."""
    return STANDARD_INPUT if str(path) == STANDARD else str(path)


def expanded(path: Path) -> Path:
    """Return a path with ``~`` or ``~NAME`` expanded, if there is such a user."""
    return Path(os.path.expanduser(path))


# -- Reading


def is_worth_a_look(path: Path) -> bool:
    """Return whether a file that the user did not name may be read, to offer it or its contents.

    Pipes and devices could block forever, and files larger than any game take too long.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_UNNAMED


def read_text(path: Path) -> str:
    """Return the text of a file. Raises FileError, InvalidFileError (not UTF-8, huge)."""
    return decode(_read_bytes(path), name_of(path))


@contextmanager
def readable(name: object, errors: tuple[type[Exception], ...] = (OSError,)) -> Iterator[None]:
    """Turn ``errors`` of reading within ``with`` into a FileError that says why ``name`` cannot be
    read.
    """
    try:
        yield
    except errors as error:
        reason = getattr(error, "strerror", error)
        raise FileError(f"{name} cannot be read: {reason}.") from None


def _read_bytes(path: Path) -> bytes:
    """Return the contents of a file, or enough of a huge one to see that it is too large."""
    if str(path) == STANDARD:
        return standard_input(LARGEST + 1)
    with readable(path):
        try:
            with path.open("rb") as file:
                note_read(file)
                return file.read(LARGEST + 1)
        except FileNotFoundError:
            raise FileError(
                f"There is no file {path}; 'porto new {file_word(str(path))} NAME…' starts a "
                "game in it."
            ) from None
        except IsADirectoryError:
            raise FileError(f"{path} is a folder; name the file in it.") from None


def standard_input(most: int) -> bytes:
    """Return the contents of standard input, up to ``most`` bytes. Raises FileError."""
    if sys.stdin is None or not sys.stdin.readable():
        raise FileError("Standard input cannot be read: it is closed.")
    with readable("Standard input"):
        note_read(sys.stdin.buffer)
        return sys.stdin.buffer.read(most)


def note_read(file: BinaryIO) -> None:
    """Note that a command reads an open file, so that its output does not replace it."""
    if _trace:
        with suppress(OSError):
            _trace.read.add(_identity(file.fileno()))


def _identity(file: Path | int) -> tuple[int, int]:
    status = os.stat(file)
    return status.st_dev, status.st_ino


# -- Writing


_FOR_ALL, _FOR_US = 0o666, 0o600
"""The permissions of new files, before the user's umask."""


def create(path: Path, text: str, *, private: bool = False) -> None:
    """Write a new file; a ``private`` one is only for the user, and not noted as done.

    Raises NameTakenError if the file exists, FileError.
    """

    def demand_no_file() -> None:
        if os.path.exists(path):
            raise NameTakenError(f"{path} exists already and was not changed; choose another name.")

    with writable(path), locked(path, _target_of(path).parent):
        demand_no_file()
        _put(path, text, None if private else f"{path} is written.", demand_no_file, private)
        _look_again(path, text)


def replace(path: Path, text: str, was: str, *, private: bool = False) -> None:
    """Replace the text of a record, or of a ``private`` file, which was ``was`` when it was read.

    If it raises ChangedError, because the file has changed since, or FileError, because it cannot
    or must not be written, the file is as it was.
    """

    def demand_the_same() -> None:
        if _contents(path, LARGEST + 1) != _bytes(was):
            raise ChangedError(
                f"{path} was changed by another program in the meantime, so nothing was "
                f"written; look at it with 'porto show {file_word(str(path))}' and try "
                "again."
            )

    done = None if private else f"The move was made and saved in {path}."
    with writable(path), locked(path, _target_of(path).parent):
        _put(path, text, done, demand_the_same, private)
        _look_again(path, text)


def write_output(path: Path, text: str, *, private: bool = False) -> None:
    """Write the output of a command to a file, replacing the file.

    A new ``private`` one is only for the user. Output to pipes, devices and the like is appended.
    Raises FileError, also if the command has read this file.
    """
    if _written_into(path, text):
        return
    # A command that changes the program's own file has read it before.
    if _trace and not private and os.path.exists(path) and _identity(path) in _trace.read:
        raise FileError(
            f"{path} is also the input, and was not changed; choose another name for the output."
        )
    with writable(path):
        _put(path, text, f"{path} is written.", lambda: None, private)


def create_output(path: Path, text: str) -> None:
    """Write the output of a command to a new file, or into a pipe or a device.

    Raises FileError, also if the file exists.
    """
    if not _written_into(path, text):
        create(path, text)


def _written_into(path: Path, text: str) -> bool:
    """Append output if the file must not be replaced, such as a pipe; return whether that was done.
    Raises FileError.
    """
    is_kept = not os.path.isfile(path) or any(map(path.is_relative_to, _OPENED))
    if not is_kept or not os.path.exists(path):
        return False
    data = _bytes(text)
    try:
        stream = _standard_stream(path)
        if stream:
            stream.flush()
            stream.buffer.write(data)
            stream.flush()
        else:
            with path.open("ab") as file:
                file.write(data)
        return True
    except OSError as error:
        # Unlike a replaced file, a pipe or a device may have got some of the output.
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None


def _standard_stream(path: Path) -> TextIO | None:
    """Return the open stream for a name like /dev/stdout, to write at its current position."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            if _identity(stream.fileno()) == _identity(path):
                return stream
    return None


def _target_of(path: Path) -> Path:
    """Return the file that a path leads to through links. Raises OSError."""
    return Path(os.path.realpath(path))


def _contents(path: Path, most: int) -> bytes | None:
    """Return the first bytes of a file; ``None`` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return None


def _bytes(text: str) -> bytes:
    """Return the bytes of a text; for a damaged private file the bytes that were read."""
    return text.encode("utf-8", "surrogateescape")


def _mode_to_keep(path: Path) -> int:
    """Return the permissions of a file that is about to be replaced.

    Raises FileError if it must not be replaced, OSError.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise FileError(
                f"{path} is not a regular file, so no move can be added to it; '-' as FILE reads a "
                "record from standard input and writes it to standard output."
            )
        os.close(os.open(path, os.O_WRONLY | _NO_WAITING))
    except PermissionError:
        mode = 0
    # The superuser may write to every file, but should not overwrite a protected one.
    if not mode & 0o222:
        raise FileError(
            f"{path} is write-protected and was not changed. If it is yours, 'chmod u+w' "
            "makes it writable."
        )
    return mode & 0o777


def _put(
    path: Path, text: str, done: str | None, demand: Callable[[], None], private: bool
) -> None:
    """Write a file, whole or not at all, with the permissions of the file that it replaces.

    Calls ``demand`` just before the new file takes its place, which may raise to stop that; after
    that ``done`` is true. Raises FileError, OSError.
    """
    target, exists = _target_of(path), os.path.exists(path)
    mode = _mode_to_keep(path) if exists else _FOR_US if private else _FOR_ALL
    # A name that cannot be guessed, so that nobody else can put a file there.
    beside = target.with_name(f".porto-{os.urandom(8).hex()}.new")

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags | _NO_LINKS, mode)

    try:
        with open(beside, "xb", opener=opened) as file:
            if exists:
                # If that fails, the file is open to fewer users than before.
                with suppress(OSError):
                    os.chmod(beside, mode)
            file.write(_bytes(text))
            file.flush()
            os.fsync(file.fileno())
        demand()
        with held():
            os.replace(beside, target)
            if _trace and done:
                _trace.done = done
    except BaseException:
        with held(), suppress(OSError):
            os.unlink(beside)
        raise
    sync_folder(path, target.parent)


def sync_folder(path: Path, folder: Path) -> None:
    """Make a new name survive a power cut; warn if the disk failed to do that."""
    if sys.platform == "win32":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # Not every file system can do it; but errors of the disk are worth a message.
        if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
            warn(
                f"{path} is written, but a power cut in the next seconds could undo "
                f"that: its folder cannot be synced ({error.strerror})."
            )


def _look_again(path: Path, text: str) -> None:
    """Raise FileError if another program has just replaced the file that we wrote.

    Text added at its end, or a file that was moved away, is no error.
    """
    data = _bytes(text)
    if _contents(path, len(data)) not in (data, None):
        raise FileError(
            f"{path} was overwritten by another program at the same moment, so the "
            "change that this command made is not in it; look at it with 'porto show "
            f"{file_word(str(path))}' and try again."
        )


def is_missing(folder: Path) -> bool:
    """Return whether a folder does not exist; of one that cannot be looked for that is not said."""
    try:
        folder.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def folder_fault(path: Path) -> str | None:
    """Return why a file cannot be where its path says, or None."""
    return None if path.parent.is_dir() else f"There is no folder {path.parent}."


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Turn errors of writing within ``with`` into a FileError that says why."""
    try:
        yield
    except OSError as error:
        kept = " It is as it was before." if os.path.exists(path) else ""
        why = f"{error.strerror}.{kept}"
        # A link can lead to a folder that is not there.
        if error.errno == errno.ENOENT and not os.path.isdir(path.parent):
            why = f"there is no folder {cited(path.parent)}."
        raise FileError(f"{path} cannot be written: {why}") from None


# -- Locking


@contextmanager
def locked(path: Path, folder: Path) -> Iterator[bool]:
    """Lock a folder against other commands. Yield whether that worked: some file systems have no
    locks.

    ``path`` is the file named in messages. Raises FileError.
    """
    deadline = time.monotonic() + _LOCK_TIMEOUT
    with writable(path):
        handle = _open_lock(folder)
    try:
        while (is_locked := _try_lock(handle)) is False:
            if time.monotonic() > deadline:
                raise FileError(f"{path} is locked by another command; try again when it is done.")
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
