"""Which files are records: the one that a name stands for, and those of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".yaml"
"""What a new record is called behind its name."""
SUFFIXES = (SUFFIX, ".yml")
"""What people call records, and what may be left out of a name that is typed."""
RECORD, SCENARIO = "record", "scenario"
_BEGINNING = 4096
"""Bytes of a file in which a record has told that it is one."""
_MOST = 500
"""So many files of a folder are looked into."""


def with_suffix(path: Path) -> Path:
    """Return a path with ``.yaml`` behind a name that has no extension."""
    return path if has_suffix(path) else path.with_name(path.name + SUFFIX)


def has_suffix(path: Path) -> bool:
    """Tell whether a name has an extension: a point, then letters or digits to the end."""
    name, point, end = path.name.rpartition(".")
    return bool(name and point and end.isalnum())


def meant(path: Path) -> Path:
    """Return the file that a typed name stands for: itself, or the one with an extension.

    Where there is no such file either, the name is returned as it is.
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
    """Return what a file seems to be by its beginning: RECORD, SCENARIO, or nothing of these."""
    try:
        with path.open("rb") as file:
            lines = file.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError:
        return ""
    keys = {line.partition(b":")[0].strip(b"\"' ") for line in lines if b":" in line}
    if b"porto" not in keys:
        return ""
    return SCENARIO if b"scenario" in keys else RECORD
