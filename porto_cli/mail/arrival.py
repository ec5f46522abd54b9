"""What to do with a version of a game that has arrived: the local copy that it belongs to, if any.

Sealed games are compared by their signed steps, as those in setup have nothing else. A version
that forks from a record is put beside it, in a file with a name like ``game-conflict.yaml``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.files import read_text
from porto_cli.core.message import FileError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.match import Match, load
from porto_cli.match.record import Record, records_of
from porto_cli.match.versions import Comparison, Relation, compare, digest_of_game, merge

if TYPE_CHECKING:
    from porto_cli.sealed.chain import Seals
    from porto_cli.sealed.copies import Precedence


_MARK = "conflict"
"""What is added to the name of a record for a version that forks from it."""
_NAME = re.compile(rf"(?P<stem>.+)-{_MARK}(?:-\d+)?(?P<end>\.\w+|)")


def conflict_name(name: str) -> str:
    """Return the name of a version that forks from the record of this name."""
    stem, point, end = name.rpartition(".")
    return f"{stem}-{_MARK}.{end}" if stem and point else f"{name}-{_MARK}"


def parted_from(path: Path) -> Path | None:
    """Return the record that a file was put beside; ``None`` if it is a record of its own.

    Its name is that of a conflict, and both are of the same game.
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
    if one.secrecy == other.secrecy == record.SEALED:
        return _seals(one).genesis == _seals(other).genesis
    return digest_of_game(one) == digest_of_game(other)


def _seals(game: Record) -> Seals:
    """Return the machine part of a sealed game. Raises InvalidFileError."""
    from porto_cli.sealed.chain import seals_of

    return seals_of(game)


class Verdict(StrEnum):
    """How a version that has arrived relates to the local copies of its game."""

    NEW = "new"
    """There is no local copy."""
    CONTINUES = "continues"
    """It continues where the local copy ends."""
    SAME = "same"
    OLDER = "older"
    FORK = "fork"
    OTHER_GAME = "other-game"
    """The file that was named holds another game."""
    UNCLEAR = "unclear"
    """Several local copies are equally far, and it continues all of them."""
    MERGED = "merged"
    """Both continue with moves whose order does not matter, so they can be merged."""
    REPLACED = "replaced"
    """It replaces the local copy; some steps are to be signed again on top of it."""
    STAYS = "stays"
    """The local copy stays; the authors of some steps sign them again."""
    OVERRULED = "overruled"
    """It takes back a turn that another player has answered in the local copy."""
    SETTLED = "settled"
    """It forks from the local copy, but there is nothing left to decide."""


class Arrival(NamedTuple):
    """A verdict, the local copy that it is about, and how the two compare."""

    verdict: Verdict
    copy: Match | None = None
    comparison: Comparison | None = None
    rivals: tuple[Match, ...] = ()
    """For UNCLEAR: the copies that it could be."""
    merged: Match | None = None
    """For MERGED: the game with the moves of both."""
    precedence: Precedence | None = None
    """For sealed games that fork: which version stays, and why."""


def copies_of(game: Match, folder: Path) -> list[Match]:
    """Return the records of a folder that are of the same game, the last written first."""
    digest, found = digest_of_game(game.record), settled_records(folder, game.record.seed)
    return list(_loaded(path for path, head in found if digest_of_game(head) == digest))


def running_games(folder: Path) -> list[Match]:
    """Return the games of a folder that are not over, the last written first."""
    return [
        match for match in _loaded(path for path, _ in settled_records(folder)) if not match.over
    ]


def _loaded(paths: Iterable[Path]) -> Iterator[Match]:
    for path in paths:
        with suppress(InvalidFileError, FileError):
            yield load(path)


def settled_records(folder: Path, having: str = "") -> Iterator[tuple[Path, Record]]:
    """Yield the records of a folder, not replayed, whose text has something; neither games in setup
    nor versions that fork from a record beside them.
    """
    for path in records_of(folder):
        with suppress(InvalidFileError, FileError):
            text = read_text(path)
            if having in text:
                head = record.load(text, str(path))
                if head.settled and parted_from(path) is None:
                    yield path, head


_PARTED = (
    *(Verdict.FORK, Verdict.MERGED, Verdict.REPLACED, Verdict.STAYS),
    *(Verdict.OVERRULED, Verdict.SETTLED),
)


def judge(other: Match, copies: Sequence[Match]) -> Arrival:
    """Return how a version relates to the local copies of its game.

    An older copy beside a newer one, like a backup, does not count.
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
    """Return how a version relates to one local copy."""
    comparison = compare(copy, other)
    found = Arrival(Verdict(str(comparison.relation)), copy, comparison)
    if comparison.relation is not Relation.FORK:
        return found
    if copy.record.secrecy != record.SEALED:
        merged = merge(copy, other)
        if merged is not None:
            return _judge_merged(found, other, merged)
    else:
        from porto_cli.sealed.copies import precedence

        which = precedence(copy, other)
        if which is not None:
            return found._replace(verdict=_verdict_of(which), precedence=which)
    if copy.over or _has_gone_on(copy, other):
        return found._replace(verdict=Verdict.SETTLED)
    return found


def _judge_merged(found: Arrival, other: Match, merged: Match) -> Arrival:
    assert found.copy is not None
    if merged.digest == found.copy.digest:
        return found._replace(verdict=Verdict.OLDER)
    if merged.digest == other.digest:
        return found._replace(verdict=Verdict.CONTINUES)
    return found._replace(verdict=Verdict.MERGED, merged=merged)


def _verdict_of(found: Precedence) -> Verdict:
    if found.other_stays:
        return Verdict.REPLACED
    if found.taken_back:
        return Verdict.OVERRULED
    return Verdict.STAYS if found.again else Verdict.OLDER


def _has_gone_on(own: Match, other: Match) -> bool:
    """Return whether the player of a version's last step has since made a turn in our copy that is
    later than everything in the version; one that was ordered may have been made by us.
    """
    if not other.steps:
        return False
    from porto_cli.match.ordered import was_ordered

    last = other.steps[-1].seat
    return any(
        own.steps[nth].seat == last
        and own.steps[nth].before.turn >= other.state.turn
        and not was_ordered(own, nth)
        for nth in range(len(other.steps), len(own.steps))
    )


def _goes_on(copy: Match | None, other: Match | None) -> bool:
    return (
        copy is not None
        and other is not None
        and compare(copy, other).relation is Relation.CONTINUES
    )


def _length_of_copy(arrival: Arrival) -> int:
    return length_of(arrival.copy) if arrival.copy else 0


def length_of(match: Match) -> int:
    """Return how much has been played, decisions within a turn included."""
    return sum(len(one.entries) for one in match.written)


def free_path(folder: Path, name: str) -> Path:
    """Return a path of this name in a folder, with a number if the name is taken."""
    stem, point, end = name.rpartition(".")
    for nth in range(1, 10_000):
        path = folder / (name if nth == 1 else f"{stem}-{nth}{point}{end}")
        if not os.path.lexists(path):
            return path
    return folder / name


class Nearest(NamedTuple):
    """The local copy that a version of a sealed game is to be compared with."""

    verdict: Verdict
    """How the version relates to the copy."""
    step: int
    """The number of the first step that one of them lacks or has differently."""
    path: Path
    own: Record


def nearest_copy(game: Record, folder: Path, into: Path | None) -> Nearest | None:
    """Return the local copy that a version of a sealed game belongs to; ``None`` if there is none.

    ``into`` names it, whatever game it has. A copy that has at least as much is preferred to one
    that the version continues, and that one to a copy that forks from it, such as a conflicting
    version next to it. Raises FileError, and InvalidFileError for ``into``.
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
        if copy.verdict is Verdict.FORK and _steps_go_on(copy, continued):
            # What would be continued is only an old copy of the one that forks.
            return copy
    return continued or parted or (copies[0] if copies else None)


def _furthest(copies: Sequence[Nearest], verdict: Verdict) -> Nearest | None:
    those = [copy for copy in copies if copy.verdict is verdict]
    return max(those, key=lambda copy: copy.step) if those else None


def _steps_go_on(copy: Nearest, other: Nearest | None) -> bool:
    return other is not None and compare_steps(other.own, copy.own)[0] is Verdict.CONTINUES


def waiting_copy(game: Record, folder: Path, into: Path | None) -> tuple[Path, Record] | None:
    """Return the local copy that is still being set up, of a game that is set up now."""
    copy = nearest_copy(game, folder, into)
    if copy and copy.verdict is Verdict.CONTINUES and not copy.own.settled:
        return copy.path, copy.own
    return None


def compare_steps(own: Record, other: Record) -> tuple[Verdict, int]:
    """Return how another copy of a sealed game relates to ours, and the number of the first step
    that one of them lacks or has differently.
    """
    mine, their = _seals(own), _seals(other)
    if mine.genesis != their.genesis:
        return Verdict.OTHER_GAME, 0
    ours, theirs = mine.steps, their.steps
    for height, (one, two) in enumerate(zip(ours, theirs, strict=False), 1):
        if one != two:
            return Verdict.FORK, height
    step = min(len(ours), len(theirs)) + 1
    if len(ours) == len(theirs):
        return Verdict.SAME, step
    return (Verdict.CONTINUES if len(ours) < len(theirs) else Verdict.OLDER), step


def sealed_records(folder: Path, into: Path | None) -> Iterator[tuple[Path, Record]]:
    """Return the sealed games of a folder, the last written first, in setup or not; or the one
    that ``into`` names. Raises FileError, and for ``into`` InvalidFileError.
    """
    if into is not None:
        if os.path.lexists(into):
            own = record.load(read_text(into), str(into))
            if own.secrecy != record.SEALED:
                raise FileError(f"{into} is not a sealed game, but the message has one.")
            yield into, own
        return
    for path in records_of(folder):
        with suppress(InvalidFileError, FileError):
            text = read_text(path)
            if record.SEALED in text:
                own = record.load(text, str(path))
                if own.secrecy == record.SEALED and parted_from(path) is None:
                    _seals(own)  # What is damaged is no copy of a game.
                    yield path, own
