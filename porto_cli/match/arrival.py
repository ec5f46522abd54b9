"""What to do with a version of a game that has come in: which local copy it belongs to, if any."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.files import read_text
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.conflicts import parted_from
from porto_cli.match.continuation import Comparison, Relation, compare, game_digest
from porto_cli.match.match import Match, load
from porto_cli.match.merging import merge
from porto_cli.match.record_files import records_of
from porto_cli.match.replay import Replay

if TYPE_CHECKING:
    from porto_cli.match.precedence import Ruling


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
    MERGED = "merged"
    """Both have gone on with moves whose order does not matter, and can be one."""
    REPLACED = "replaced"
    """The local copy gives way to it; some steps are to be signed again on top of it."""
    STAYS = "stays"
    """It gives way to the local copy; its authors sign some steps again."""
    OVERRULED = "overruled"
    """It takes back a turn that another player has answered in the local copy."""
    SETTLED = "settled"
    """It parts from the local copy, but nobody has to decide anything about that any more."""


class Arrival(NamedTuple):
    """A verdict, the local copy that it is about, and how the two compare."""

    verdict: Verdict
    copy: Match | None = None
    comparison: Comparison | None = None
    rivals: tuple[Match, ...] = ()
    """For UNCLEAR: the copies that it could be."""
    merged: Match | None = None
    """For MERGED: the game with the moves of both."""
    ruling: Ruling | None = None
    """For signed games that part: which version stays, and why."""


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
            if head.settled and game_digest(Replay(head, None, None, ())).startswith(digest):
                if parted_from(path) is None:
                    yield load(path)


_PARTED = (
    *(Verdict.FORK, Verdict.MERGED, Verdict.REPLACED, Verdict.STAYS),
    *(Verdict.OVERRULED, Verdict.SETTLED),
)


def judge(other: Match, copies: Sequence[Match]) -> Arrival:
    """Return what a version is to the local copies of its game.

    An older copy that lies beside a newer one, like a backup, does not count.
    """
    arrivals = [judge_copy(copy, other) for copy in copies]
    for verdict in (Verdict.SAME, Verdict.OLDER):
        for arrival in arrivals:
            if arrival.verdict is verdict:
                return arrival
    continued = [arrival for arrival in arrivals if arrival.verdict is Verdict.CONTINUES]
    parted = [arrival for arrival in arrivals if arrival.verdict in _PARTED]
    if continued:
        furthest = max(continued, key=_length_of_copy)
        for arrival in parted:
            if _goes_on(furthest.copy, arrival.copy):
                return arrival
        length = _length_of_copy(furthest)
        ties = [arrival.copy for arrival in continued if _length_of_copy(arrival) == length]
        if len(ties) > 1:
            rivals = tuple(copy for copy in ties if copy is not None)
            return Arrival(Verdict.UNCLEAR, None, furthest.comparison, rivals)
        return furthest
    if parted:
        return max(
            parted, key=lambda arrival: arrival.comparison.place if arrival.comparison else 0
        )
    return arrivals[0] if arrivals else Arrival(Verdict.NEW)


def judge_copy(copy: Match, other: Match) -> Arrival:
    """Return what a version is to one local copy."""
    comparison = compare(copy.replay, other.replay)
    found = Arrival(Verdict(str(comparison.relation)), copy, comparison)
    if comparison.relation is not Relation.FORK:
        return found
    if copy.replay.chain is None:
        merged = merge(copy.replay, other.replay)
        if merged is not None:
            return _judge_merged(found, other, Match(merged, copy.path))
    else:
        from porto_cli.match.precedence import rule

        ruling = rule(copy.replay, other.replay)
        if ruling is not None:
            return found._replace(verdict=_verdict_of(ruling), ruling=ruling)
    if copy.over or _has_gone_on(copy.replay, other.replay):
        return found._replace(verdict=Verdict.SETTLED)
    return found


def _judge_merged(found: Arrival, other: Match, merged: Match) -> Arrival:
    assert found.copy is not None
    if merged.digest == found.copy.digest:
        return found._replace(verdict=Verdict.OLDER)
    if merged.digest == other.digest:
        return found._replace(verdict=Verdict.CONTINUES)
    return found._replace(verdict=Verdict.MERGED, merged=merged)


def _verdict_of(ruling: Ruling) -> Verdict:
    if ruling.other_stays:
        return Verdict.REPLACED
    if ruling.taken_back:
        return Verdict.OVERRULED
    return Verdict.STAYS if ruling.again else Verdict.OLDER


def _has_gone_on(own: Replay, other: Replay) -> bool:
    """Tell whether who has made the last step of a version has since gone on with the own one:
    has made a turn there that is later than all of the version.
    """
    last = other.steps[-1].seat
    later = own.steps[len(other.steps) :]
    return any(step.seat == last and step.before.turn >= other.state.turn for step in later)


def _goes_on(copy: Match | None, other: Match | None) -> bool:
    return (
        copy is not None
        and other is not None
        and compare(copy.replay, other.replay).relation is Relation.CONTINUES
    )


def _length_of_copy(arrival: Arrival) -> int:
    return _length(arrival.copy) if arrival.copy else 0


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
