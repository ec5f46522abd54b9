"""Copies of sealed games, compared by their signed steps: those in set-up have nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.files import read_text
from porto_cli.core.message import say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.arrival import Verdict
from porto_cli.match.conflicts import parted_from
from porto_cli.match.record import Record
from porto_cli.match.record_files import records_of


class Nearest(NamedTuple):
    """The local copy that a version of a sealed game is to be held against."""

    verdict: Verdict
    """What the version is to the copy."""
    step: int
    """The number of the first step that one of them lacks or has otherwise."""
    path: Path
    own: Record


def nearest_copy(game: Record, folder: Path, into: Path | None) -> Nearest | None:
    """Return the local copy of a sealed game that counts for a version of it; ``None`` if there is
    none. ``into`` names it, whatever game it has.

    A copy that is as far, or further, counts before one that the version goes on from, and this
    before one that parts from it, like a version that was kept beside it. Raises FileError, and
    InvalidFileError for ``into``.
    """
    copies = [
        Nearest(*compare_steps(own, game), path, own) for path, own in sealed_records(folder, into)
    ]
    if into is None:
        copies = [copy for copy in copies if copy.verdict is not Verdict.OTHER_GAME]
    known = _furthest(copies, Verdict.SAME) or _furthest(copies, Verdict.OLDER)
    if known:
        return known
    continued, parted = _furthest(copies, Verdict.CONTINUES), _furthest(copies, Verdict.FORK)
    for copy in copies if continued and parted else ():
        if copy.verdict is Verdict.FORK and _goes_on(copy, continued):
            # What would be continued is only an old copy of the one that parts.
            return copy
    return continued or parted or (copies[0] if copies else None)


def _furthest(copies: Sequence[Nearest], verdict: Verdict) -> Nearest | None:
    those = [copy for copy in copies if copy.verdict is verdict]
    return max(those, key=lambda copy: copy.step) if those else None


def _goes_on(copy: Nearest, other: Nearest | None) -> bool:
    return other is not None and compare_steps(other.own, copy.own)[0] is Verdict.CONTINUES


def waiting_copy(game: Record, folder: Path, into: Path | None) -> tuple[Path, Record] | None:
    """Return the local copy that still waits for the set-up that a game has behind it."""
    copy = nearest_copy(game, folder, into)
    if copy and copy.verdict is Verdict.CONTINUES and not copy.own.settled:
        return copy.path, copy.own
    return None


def compare_steps(own: Record, other: Record) -> tuple[Verdict, int]:
    """Return what another copy of a sealed game is to the own one, and the number of the first
    step that one of them lacks or has otherwise.
    """
    assert own.seals is not None
    assert other.seals is not None
    if own.seals.genesis != other.seals.genesis:
        return Verdict.OTHER_GAME, 0
    ours, theirs = own.seals.steps, other.seals.steps
    for height, (mine, their) in enumerate(zip(ours, theirs, strict=False), 1):
        if mine != their:
            return Verdict.FORK, height
    step = min(len(ours), len(theirs)) + 1
    if len(ours) == len(theirs):
        return Verdict.SAME, step
    return (Verdict.CONTINUES if len(ours) < len(theirs) else Verdict.OLDER), step


def sealed_records(folder: Path, into: Path | None) -> Iterator[tuple[Path, Record]]:
    """Return the sealed games of a folder, the last written first, in set-up or not; or the one
    that ``into`` names. Raises FileError, and for ``into`` InvalidFileError.
    """
    if into is not None:
        if os.path.lexists(into):
            own = record.load(read_text(into), str(into))
            if own.secrecy != record.SEALED:
                raise FileError(
                    say("{file} is no sealed game, and the message has one.", file=into)
                )
            yield into, own
        return
    for path in records_of(folder):
        with suppress(InvalidFileError, FileError):
            text = read_text(path)
            if record.SEALED in text:
                own = record.load(text, str(path))
                if own.secrecy == record.SEALED and parted_from(path) is None:
                    yield path, own
