"""What to do with a version of a game that has come in: which local copy it belongs to, if any."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.files import read_text
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.continuation import Comparison, Relation, compare, game_digest
from porto_cli.match.match import Match, load
from porto_cli.match.record_files import records_of
from porto_cli.match.replay import Replay


class Verdict(StrEnum):
    """What a version that has come in is to the local copies of its game."""

    NEW = "new"
    """There is no local copy."""
    CONTINUES = "continues"
    """It goes on where the local copy stops."""
    SAME = "same"
    OLDER = "older"
    FORK = "fork"
    OTHER_GAME = "other-game"
    """The file that was named holds another game."""
    UNCLEAR = "unclear"
    """Several local copies are equally far, and it continues all of them."""


class Arrival(NamedTuple):
    """A verdict, the local copy that it is about, and how the two compare."""

    verdict: Verdict
    copy: Match | None = None
    comparison: Comparison | None = None
    rivals: tuple[Match, ...] = ()
    """For UNCLEAR: the copies that it could be."""


def copies_of(replay: Replay, folder: Path) -> list[Match]:
    """Return the records of a folder that are of the same game, the last written first."""
    return list(_copies(game_digest(replay), replay.record.seed, folder))


def copies_with_digest(beginning: str, folder: Path) -> list[Match]:
    """Return the records of a folder whose game has a digest that begins so."""
    return list(_copies(beginning, "", folder))


def running_games(folder: Path) -> list[Match]:
    """Return the games of a folder that are not over, the last written first."""
    return [match for match in _copies("", "", folder) if not match.over]


def _copies(digest: str, seed: str, folder: Path) -> Iterator[Match]:
    for path in records_of(folder):
        with suppress(InvalidFileError, FileError):
            text = read_text(path)
            if seed not in text:
                continue
            head = record.load(text, str(path))
            if game_digest(Replay(head, None, None, ())).startswith(digest):
                yield load(path)


def judge(other: Match, copies: Sequence[Match]) -> Arrival:
    """Return what a version is to the local copies of its game.

    An older copy that lies beside a newer one, like a backup, does not count.
    """
    compared = [(copy, compare(copy.replay, other.replay)) for copy in copies]
    for verdict in (Verdict.SAME, Verdict.OLDER):
        for copy, comparison in compared:
            if comparison.relation == str(verdict):
                return Arrival(verdict, copy, comparison)
    continued = [pair for pair in compared if pair[1].relation is Relation.CONTINUES]
    parted = [pair for pair in compared if pair[1].relation is Relation.FORK]
    if continued:
        furthest, comparison = max(continued, key=lambda pair: _length(pair[0]))
        for copy, fork in parted:
            if compare(furthest.replay, copy.replay).relation is Relation.CONTINUES:
                return Arrival(Verdict.FORK, copy, fork)
        ties = tuple(copy for copy, _ in continued if _length(copy) == _length(furthest))
        if len(ties) > 1:
            return Arrival(Verdict.UNCLEAR, None, comparison, ties)
        return Arrival(Verdict.CONTINUES, furthest, comparison)
    if parted:
        copy, fork = max(parted, key=lambda pair: pair[1].place)
        return Arrival(Verdict.FORK, copy, fork)
    if compared:
        return Arrival(Verdict.OTHER_GAME, compared[0][0], compared[0][1])
    return Arrival(Verdict.NEW)


def _length(match: Match) -> int:
    """Return how much has been played, decisions within a turn included."""
    return sum(len(step.entries) for step in match.replay.steps)


def free_path(folder: Path, name: str) -> Path:
    """Return a path of this name in a folder, or with a number if there is something already."""
    stem, point, end = name.rpartition(".")
    for nth in range(1, 10_000):
        path = folder / (name if nth == 1 else f"{stem}-{nth}{point}{end}")
        if not os.path.lexists(path):
            return path
    return folder / name
