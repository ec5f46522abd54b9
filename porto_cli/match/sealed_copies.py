"""Copies of sealed games, compared by their signed steps: those in set-up have nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from porto_cli.core.errors import FileError
from porto_cli.core.files import read_text
from porto_cli.core.message import say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.arrival import Verdict
from porto_cli.match.record import Record
from porto_cli.match.record_files import records_of


def waiting_copy(game: Record, folder: Path, into: Path | None) -> tuple[Path, Record] | None:
    """Return the local copy that still waits for the set-up that a game has behind it."""
    for path, own in sealed_records(folder, into):
        if not own.settled and compare_steps(own, game)[0] is Verdict.CONTINUES:
            return path, own
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
                if own.secrecy == record.SEALED:
                    yield path, own
