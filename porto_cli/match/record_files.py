"""Which files are records: the one that a typed name means, and those of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from porto_cli.core.characters import file_word

SUFFIX = ".yaml"
"""The extension of a new record."""
SUFFIXES = (SUFFIX, ".yml")
"""The extensions of records, which may be left out of a typed name."""
RECORD, SCENARIO = "record", "scenario"
_BEGINNING = 4096
"""Bytes at the beginning of a file in which a record can be recognized."""
_MOST = 500
"""Maximum number of files in a folder that are examined."""


def with_suffix(path: Path) -> Path:
    """Return a path with ``.yaml`` added to a name without an extension."""
    return path if has_suffix(path) else path.with_name(path.name + SUFFIX)


def has_suffix(path: Path) -> bool:
    """Return whether a name has an extension: a dot, then letters or digits to the end."""
    name, point, end = path.name.rpartition(".")
    return bool(name and point and end.isalnum())


def meant(path: Path) -> Path:
    """Return the file that a typed name means: itself, or the one with an extension.

    If there is no such file either, the name is returned as it is.
    """
    if path.name and not os.path.isfile(path):
        if os.path.isdir(path) or not os.path.exists(path):
            for suffix in SUFFIXES:
                longer = path.with_name(path.name + suffix)
                if os.path.isfile(longer):
                    return longer
    return path


def records_of(folder: Path) -> Iterator[Path]:
    """Return the files of a folder that begin like a record, the last written first."""
    dated = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if not entry.name.startswith(".") and entry.is_file():
                        dated.append((-entry.stat().st_mtime, entry.name))
                except OSError:
                    continue
    except OSError:
        return
    for _, name in sorted(dated)[:_MOST]:
        path = folder / name
        if kind_of(path) == RECORD:
            yield path


def kind_of(path: Path) -> str:
    """Return what a file seems to be by its beginning: RECORD, SCENARIO, or an empty text."""
    keys = _first_entries(path)
    if b"porto" not in keys:
        return ""
    return SCENARIO if b"scenario" in keys else RECORD


def game_named_in(path: Path) -> str:
    """Return the game that a file seems to be of, by its beginning; nothing if it names none."""
    value, _, _ = _first_entries(path).get(b"game", b"").partition(b" #")
    return value.strip(b"\"' ").decode("ascii", "replace")


def _first_entries(path: Path) -> dict[bytes, bytes]:
    """Return the keys of the first lines of a file, and what follows each."""
    try:
        with path.open("rb") as file:
            lines = file.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError:
        return {}
    entries = (line.partition(b":") for line in lines if b":" in line)
    return {key.strip(b"\"' "): value for key, _, value in entries}


def the_record() -> Path | None:
    """Return the one record of this folder; ``None`` if there are none or several."""
    found = [path for path, _ in zip(records_of(Path()), "12", strict=False)]
    return found[0] if len(found) == 1 else None


def only_record() -> str:
    """Return the one record of this folder, as it is typed; empty if there are none or several."""
    found = the_record()
    return file_word(found.name) if found else ""
