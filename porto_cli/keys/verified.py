"""Which set-ups were verified before, so that seconds of proofs are not checked by every command.

Only the hash of the bytes that were verified is kept, as the name of an empty file, together with
the version of the checks. Whoever could put a false one there could as well change the key, as
both are in a folder that only its owner can write to, or else nothing in it is believed. A message
authentication code with the key would cost a passphrase for every look at a game, and keep
out nobody who can write there.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from porto_cli.core.chance import sha256
from porto_cli.core.errors import FileError
from porto_cli.keys import private

VERSION = 1
"""The version of the checks: what an older one has let pass is checked again."""
MOST = 500
"""So many are kept; then the oldest ones go."""
_FOLDER = "verified"


def is_verified(data: bytes) -> bool:
    """Tell whether exactly these bytes were verified before; never raises an error."""
    with suppress(OSError, FileError):
        path = _path(data)
        if not path.exists():
            return False
        for each in (private.folder(), path.parent, path):
            if private.checked(each):
                # Until now others could have put it there.
                _forget(path.parent)
                return False
        return True
    return False


def remember(data: bytes) -> None:
    """Note that exactly these bytes were verified. What cannot be noted is checked again."""
    with suppress(OSError, FileError):
        folder, mended = private.ready(_FOLDER)
        if mended:
            _forget(folder)
        path = _path(data)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, private.FOR_US))
        _prune(folder, path)


def _path(data: bytes) -> Path:
    digest = sha256(b"porto/verified/" + data).hexdigest()
    return private.folder() / _FOLDER / f"{VERSION}-{digest}"


def _forget(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink(missing_ok=True)


def _prune(folder: Path, newest: Path) -> None:
    names = list(folder.iterdir())
    if len(names) <= MOST:
        return
    now = newest.stat().st_mtime

    def age(path: Path) -> float:
        # What is dated later than the newest one was written while the clock was wrong.
        written = path.stat().st_mtime
        return written if written <= now else 0

    for path in sorted(names, key=age)[: len(names) - MOST]:
        path.unlink(missing_ok=True)
