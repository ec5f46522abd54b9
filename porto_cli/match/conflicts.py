"""Versions of a game that were put beside the own record because they part from it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from porto_cli.core.errors import FileError
from porto_cli.core.files import read_text
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.continuation import game_digest
from porto_cli.match.record import Record
from porto_cli.match.replay import Replay

_MARK = "conflict"
"""What is put behind the name of a record for a version that parts from it."""
_NAME = re.compile(rf"(?P<stem>.+)-{_MARK}(?:-\d+)?(?P<end>\.\w+|)")


def conflict_name(name: str) -> str:
    """Return what a version is called that parts from the record of this name."""
    stem, point, end = name.rpartition(".")
    return f"{stem}-{_MARK}.{end}" if stem and point else f"{name}-{_MARK}"


def parted_from(path: Path) -> Path | None:
    """Return the record that a file was put beside; ``None`` if it is a record of its own.

    It is called like a conflict, and both are of the same game.
    """
    named = _NAME.fullmatch(path.name)
    if not named:
        return None
    own = path.with_name(named["stem"] + named["end"])
    with suppress(InvalidFileError, FileError):
        if own.is_file() and _are_one_game(_head(own), _head(path)):
            return own
    return None


def conflicts_of(own: Path) -> list[Path]:
    """Return the files that were put beside a record, in the order of their names."""
    try:
        names = sorted(os.listdir(own.parent))
    except OSError:
        return []
    beside = [own.parent / name for name in names if _MARK in name]
    return [path for path in beside if path.is_file() and parted_from(path) == own]


def _head(path: Path) -> Record:
    return record.load(read_text(path), str(path))


def _are_one_game(one: Record, other: Record) -> bool:
    if one.seals is not None and other.seals is not None:
        return one.seals.genesis == other.seals.genesis
    return (
        one.seals is None
        and other.seals is None
        and game_digest(Replay(one, None, None, ())) == game_digest(Replay(other, None, None, ()))
    )
