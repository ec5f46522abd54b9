"""Which versions of games were refused before, so that the same message is not refused again.

Only digests are kept, in the user's own folder, the last of them at the end. Whatever is wrong with
the file, nothing worse happens than that a version is refused once more.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from porto_cli import home
from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.match.replay import Replay

_NAME = "refused-versions.txt"
_MOST = 500
_LARGEST = 1 << 20
"""Bytes of the file that are read."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


def version_of(replay: Replay) -> str:
    """Return what tells versions of games apart: of a signed one the hash of its last step."""
    return replay.digest if replay.chain is None else replay.chain.head.hash.hex()


def was_refused(version: str) -> bool:
    """Tell whether a version was refused before."""
    return version in _read(home.folder() / _NAME)


def remember(version: str) -> None:
    """Note that a version was refused."""
    with suppress(OSError, FileError):
        path = home.folder() / _NAME
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with files.locked(path, path.parent):
            known = [one for one in _read(path) if one != version]
            text = "".join(f"{one}\n" for one in [*known, version][-_MOST:])
            files.write_output(path, text)


def _read(path: Path) -> list[str]:
    with suppress(OSError), path.open("rb") as file:
        return _DIGEST.findall(file.read(_LARGEST).decode("ascii", "replace"))
    return []
