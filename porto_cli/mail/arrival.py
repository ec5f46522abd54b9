"""What to do with a version of a game that has arrived: the local copy that it belongs to, if any.

Sealed games are compared by their signed steps, as those in setup have nothing else. A version
that forks from a record is put beside it, in a file with a name like ``game-conflict.yaml``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from porto_cli.core.files import read_text
from porto_cli.core.message import FileError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record
from porto_cli.match.copies import (
    Verdict,
    common_length,
    compare,
    digest_of_game,
    merge,
    related,
)
from porto_cli.match.match import Match, load
from porto_cli.match.record import Record, records_of

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


class Arrival(NamedTuple):
    """A verdict, the local copy that it is about, and the first item in which the two differ."""

    verdict: Verdict
    copy: Match | None = None
    place: int = 0
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
    """Return how a version relates to the local copies of its game."""

    def goes_on(one: Arrival, other: Arrival) -> bool:
        assert one.copy
        assert other.copy
        return compare(one.copy, other.copy).relation is Verdict.CONTINUES

    found = [judge_copy(copy, other) for copy in copies]
    meant = _meant(found, lambda one: length_of(one.copy) if one.copy else 0, goes_on)
    if len(meant) > 1:
        rivals = tuple(one.copy for one in meant if one.copy is not None)
        return Arrival(Verdict.UNCLEAR, rivals=rivals)
    return meant[0] if meant else Arrival(Verdict.NEW)


class _Judged(Protocol):
    """A local copy with what a version is to it, and the first item or step that differs."""

    @property
    def verdict(self) -> Verdict: ...

    @property
    def place(self) -> int: ...


_Copy = TypeVar("_Copy", bound=_Judged)


def _meant(
    copies: Sequence[_Copy],
    length: Callable[[_Copy], int],
    goes_on: Callable[[_Copy, _Copy], bool],
) -> list[_Copy]:
    """Return the copy that a version belongs to: several if it continues them, and they are equally
    far; none if there are no copies.

    A copy that has at least as much is preferred to one that the version continues, and that one to
    a copy that forks from it, such as a conflicting version next to it. An older copy beside a
    newer one, like a backup, does not count: what would be continued can be that of one that forks.
    """
    for verdict in (Verdict.SAME, Verdict.OLDER):
        known = [copy for copy in copies if copy.verdict is verdict]
        if known:
            return known[:1]
    continued = [copy for copy in copies if copy.verdict is Verdict.CONTINUES]
    parted = [copy for copy in copies if copy.verdict in _PARTED]
    if continued:
        furthest = max(continued, key=length)
        newer = [copy for copy in parted if goes_on(furthest, copy)]
        return newer[:1] or [copy for copy in continued if length(copy) == length(furthest)]
    return [max(parted, key=lambda copy: copy.place)] if parted else [*copies[:1]]


def judge_copy(copy: Match, other: Match) -> Arrival:
    """Return how a version relates to one local copy."""
    relation, place = compare(copy, other)
    found = Arrival(relation, copy, place)
    if relation is not Verdict.FORK:
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
    place: int
    """The number of the first step that one of them lacks or has differently."""
    path: Path
    own: Record


def nearest_copy(game: Record, folder: Path, into: Path | None) -> Nearest | None:
    """Return the local copy that a version of a sealed game belongs to; ``None`` if there is none.

    ``into`` names it, whatever game it has. Raises FileError, and InvalidFileError for ``into``.
    """

    def goes_on(one: Nearest, other: Nearest) -> bool:
        return compare_steps(one.own, other.own)[0] is Verdict.CONTINUES

    found = (
        Nearest(*compare_steps(own, game), path, own) for path, own in sealed_records(folder, into)
    )
    copies = [one for one in found if into is not None or one.verdict is not Verdict.OTHER_GAME]
    return next(iter(_meant(copies, lambda one: one.place, goes_on)), None)


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
    height = common_length(mine.steps, their.steps) + 1
    return related(mine.steps, their.steps), height


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
