"""Keeping other programs out of a folder for certain, also where the file system has no locks.

Where it has none, as on some network disks, a file is the lock. A command that was stopped leaves
it behind; if it was one of this computer that shows, else a person has to delete it. No clock is
compared with another one, and none that can be set.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.core.message import say

NAME = ".porto-lock"
PATIENCE = 5.0
"""Seconds to wait for another command that is writing."""
_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
_FOR_US = 0o600


@contextmanager
def alone(path: Path, folder: Path) -> Iterator[None]:
    """Be the only program that writes into a folder. ``path`` is the file that a message names.

    Raises FileError.
    """
    with files.locked(path, folder) as is_locked:
        if is_locked:
            yield
            return
        lock = folder / NAME
        _make(path, lock)
        try:
            yield
        finally:
            with suppress(OSError):
                os.unlink(lock)


def _make(path: Path, lock: Path) -> None:
    """Make a lock file as soon as there is none. Raises FileError."""
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

    Of several commands that find it only one may do that, or one would remove the next one's.
    """
    guard = lock.with_name(f"{NAME}-guard")
    with suppress(OSError):
        os.close(os.open(guard, _NEW, _FOR_US))
        try:
            if _is_left(lock.read_bytes()):
                os.unlink(lock)
        finally:
            os.unlink(guard)


def _is_left(mark: bytes) -> bool:
    """Tell whether a lock file is of this computer, and its command does not run any more."""
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
    """Return what tells this computer, since it was started, from others."""
    name = os.uname().nodename if hasattr(os, "uname") else ""
    with suppress(OSError):
        return f"{name} {Path('/proc/sys/kernel/random/boot_id').read_text('ascii').strip()}"
    return name
