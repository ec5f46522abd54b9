"""Files: read whole, write whole or not at all, one program at a time.

A record is written beside itself, synced and renamed over the old one, so that a crash, a full
disk or a power cut leaves the old record or the new one. While that happens the folder is
locked, and the file is compared with what was read: of two commands at once one wins and the
other is told.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from porto_cli.errors import FileError
from porto_cli.quoting import file_word
from porto_cli.rules.sentence import say
from porto_cli.yamltext import LARGEST, decode

STANDARD = "-"
"""The name that stands for standard input and output."""
_LARGEST_UNASKED = 256 * 1024
"""Bytes of a record that is looked into unasked: some thousand turns."""
_PATIENCE = 5.0
"""Seconds to wait for another command that is writing."""


def name_of(path: Path) -> str:
    """Return how messages call a file."""
    return "standard input" if str(path) == STANDARD else str(path)


def expanded(path: Path) -> Path:
    """Return a path with the home folder for ``~`` or ``~NAME``, if there is anybody called so."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


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
    if str(path) == STANDARD:
        return sys.stdin.buffer.read(LARGEST + 1)
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
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


def create(path: Path, text: str) -> None:
    """Write a new file. Raises FileError if there is one already."""
    with _locked(path):
        if path.exists():
            raise FileError(
                say("{file} exists already and was left as it is; choose another name.", file=path)
            )
        _write(path, text)


def replace(path: Path, text: str, was: str) -> None:
    """Write a file that held ``was`` when it was read. Raises FileError if it no longer
    does, or if it cannot be written; the old contents stay then.
    """
    with _locked(path):
        try:
            now = path.read_bytes()
        except OSError:
            now = b""
        if now != was.encode():
            raise FileError(
                say(
                    "{file} was changed by somebody else meanwhile, and nothing was written; look "
                    "at it with 'porto show {word}' and try again.",
                    file=path,
                    word=file_word(str(path)),
                )
            )
        _write(path, text)


def write_output(path: Path, text: str) -> None:
    """Write what a command was asked to put into a file, replacing the file."""
    with _locked(path):
        _write(path, text)


def _write(path: Path, text: str) -> None:
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.new")
    try:
        with beside.open("wb") as file:
            with suppress(FileNotFoundError):
                os.chmod(beside, target.stat().st_mode & 0o7777)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            raise FileError(
                say(
                    "{file} cannot be written: {reason}. It is as it was before.",
                    file=path,
                    reason=error.strerror,
                )
            ) from None
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other commands from writing into the same folder for the moment it takes."""
    folder = Path(os.path.realpath(path)).parent
    deadline = time.monotonic() + _PATIENCE
    try:
        handle = _open_lock(folder)
    except OSError as error:
        raise FileError(
            say("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
        ) from None
    try:
        while not _try_lock(handle):
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
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":  # pragma: no cover - folders cannot be locked there
    import msvcrt

    def _open_lock(folder: Path) -> int:
        return os.open(folder / ".porto.lock", os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _open_lock(folder: Path) -> int:
        return os.open(folder, os.O_RDONLY)

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # A file system without locks; comparing the contents has to do.
            return True
        return True
