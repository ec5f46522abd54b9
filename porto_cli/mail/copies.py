"""The local copies of a game: where they are, and how a received version relates to them.

Sealed games are compared by their signed steps, as those in setup have nothing else. A version
that forks from a record is saved beside it, in a file with a name like ``game-conflict.yaml``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core import FileError, PortoError, files
from porto_cli.core.files import read_text
from porto_cli.core.shell import file_word
from porto_cli.core.yaml import BYTE_ORDER_MARK, InvalidFileError
from porto_cli.mail.ids import Named, attachment_name, game_named, stations
from porto_cli.match import record
from porto_cli.match.copies import Comparison, Verdict, common_length, compare, merge, related
from porto_cli.match.match import Match, load
from porto_cli.match.orders import was_ordered
from porto_cli.match.record import SUFFIXES, NotReadyError, Record, records_of

if TYPE_CHECKING:
    from porto_cli.sealed.copies import Precedence


_MOST_NAMES = 10_000
_MARK = "conflict"
"""Added to a record's name for a version that forks from it."""
_NAME = re.compile(rf"(?P<stem>.+)-{_MARK}(?:-\d+)?(?P<end>\.\w+|)")


def conflict_name(name: str) -> str:
    """Return the file name for a version that forks from a record."""
    stem, point, end = name.rpartition(".")
    return f"{stem}-{_MARK}.{end}" if stem and point else f"{name}-{_MARK}"


def parted_from(path: Path) -> Path | None:
    """Return the record that a file was saved beside; ``None`` if it is a record of its own.

    Its name is that of a conflict, and both have the same game.
    """
    named = _NAME.fullmatch(path.name)
    if not named:
        return None
    own = path.with_name(named["stem"] + named["end"])
    with suppress(InvalidFileError, FileError):
        if own.is_file() and game_named(_head(own)) == game_named(_head(path)):
            return own
    return None


def conflicts_of(own: Path) -> list[Path]:
    """Return the files that were saved beside a record, by name."""
    try:
        names = sorted(os.listdir(own.parent))
    except OSError:
        return []
    beside = [own.parent / name for name in names if _MARK in name]
    return [path for path in beside if path.is_file() and parted_from(path) == own]


def how_to_settle(own: Path | str, conflict: Path | str) -> str:
    """Return what to do about a record and a version that was saved beside it."""
    mine, theirs = file_word(str(own)), file_word(str(conflict))
    return (
        f"Agree with the other players which version counts. If it is {mine}, delete {theirs}; if "
        f"not, replace {mine} with {theirs}."
    )


def _head(path: Path) -> Record:
    return record.load(read_text(path), str(path))


class Version(NamedTuple):
    """A version of a game: a received one, or a local copy."""

    record: Record
    match: Match | None
    """The opened game; ``None`` while it is being set up."""
    name: str = ""
    """The name of its attachment."""


def version_in(path: Path) -> Version:
    """Return the version in a file. Raises InvalidFileError, FileError."""
    try:
        match = load(path)
    except NotReadyError as error:
        return Version(error.record, None)
    return Version(match.record, match)


def unsettled(folder: Path) -> list[tuple[Path, Path]]:
    """Return the records of a folder with a version beside them that differs, and that version."""
    found = []
    for path in records_of(folder):
        own = parted_from(path)
        if own is not None:
            with suppress(InvalidFileError, FileError):
                if judge_copy(version_in(own), version_in(path)).verdict is Verdict.FORK:
                    found.append((own, path))
    return sorted(found)


class Relation(NamedTuple):
    """How a version of a game relates to the local copies, and the one it belongs to, if any."""

    verdict: Verdict
    own: Version | None = None
    """That local copy."""
    place: int = 0
    """The first item that differs; in setup, the number of the first signed step."""
    rivals: tuple[Version, ...] = ()
    """For UNCLEAR: the copies it may belong to."""
    merged: Match | None = None
    """For MERGED: the game with the moves of both."""
    precedence: Precedence | None = None
    """For sealed games that fork: which version stays, and why."""


class _Copy:
    """A record of the folder, as it was at one time; read on demand."""

    def __init__(self, path: Path, written: object) -> None:
        self.path, self.written = path, written

    @cached_property
    def head(self) -> Record | None:
        """The record, not replayed; ``None`` if it cannot be read, or forks from a record beside
        it.
        """
        with suppress(PortoError):
            return None if parted_from(self.path) else _head(self.path)
        return None

    @cached_property
    def game(self) -> str:
        """The name of its game in ids; empty if it is no copy of a game."""
        with suppress(PortoError):
            return game_named(self.head) if self.head else ""
        return ""

    @cached_property
    def version(self) -> Version | None:
        """The copy itself; ``None`` if it cannot be replayed."""
        if self.head and not self.head.settled:
            return Version(self.head, None)
        with suppress(PortoError, OSError):
            return version_in(self.path)
        return None

    @cached_property
    def states(self) -> frozenset[str]:
        """The states it has been in, as ids name them."""
        match = self.version and self.version.match
        return frozenset(one.named.state for one in (stations(match) if match else ()))


class Copies:
    """The local copies of games: the records of a folder, or the one named, the last written first.

    A mailbox has many messages about few games: a record is read and replayed only once until it
    changes.
    """

    def __init__(self, folder: Path, into: Path | None) -> None:
        self.folder = folder
        self._into = into
        self._known: dict[Path, _Copy] = {}

    def _all(self) -> Iterator[_Copy]:
        for path in records_of(self.folder) if self._into is None else [self._into]:
            with suppress(OSError):
                stat = os.stat(path)
                written = stat.st_ino, stat.st_mtime_ns, stat.st_size
                if path not in self._known or self._known[path].written != written:
                    self._known[path] = _Copy(path, written)
                yield self._known[path]

    def meant_by(self, game: Record) -> list[Version]:
        """Return the copies of a record's game; or the one named, whatever its game. Raises
        FileError, InvalidFileError for the one named.
        """
        if self._into is None:
            named = game_named(game)
            return [one.version for one in self._all() if one.game == named and one.version]
        if not os.path.lexists(self._into):
            return []
        own = version_in(self._into)
        if game.secrecy == record.SEALED != own.record.secrecy:
            raise FileError(f"{self._into} is not a sealed game, but the message has one.")
        return [own]

    def of(self, game: str) -> list[Match]:
        """Return the playable copies of a game, as ids name it."""
        return _opened(one for one in self._all() if one.game == game)

    def at(self, named: Named) -> list[Match]:
        """Return the copies of a game that are, or have been, in the state of an id."""
        here = (one for one in self._all() if one.game == named.game)
        return _opened(one for one in here if named.state in one.states)

    def running(self) -> list[Match]:
        """Return the games that are not over."""
        return [one for one in _opened(one for one in self._all() if one.game) if not one.over]


def _opened(copies: Iterable[_Copy]) -> list[Match]:
    return [one.version.match for one in copies if one.version and one.version.match]


_PARTED = (
    *(Verdict.FORK, Verdict.MERGED, Verdict.REPLACED, Verdict.STAYS),
    *(Verdict.OVERRULED, Verdict.SETTLED),
)


def judge(other: Version, copies: Sequence[Version]) -> Relation:
    """Return how a version relates to the local copies of its game."""
    meant = _meant([judge_copy(copy, other) for copy in copies])
    if len(meant) > 1 and other.match:
        return Relation(Verdict.UNCLEAR, rivals=tuple(one.own for one in meant if one.own))
    return meant[0] if meant else Relation(Verdict.NEW)


def _meant(copies: Sequence[Relation]) -> list[Relation]:
    """Return the copy that a version belongs to: several if it continues several that are equally
    far along; none if there are no copies.

    A copy with at least as much is preferred to one that the version continues, and that one to a
    copy that forks from it, such as a conflicting version. An older copy beside a newer one, like a
    backup, does not count: the newer one may fork from the version.
    """
    for verdict in (Verdict.SAME, Verdict.OLDER):
        known = [one for one in copies if one.verdict is verdict]
        if known:
            return known[:1]
    continued = [one for one in copies if one.verdict is Verdict.CONTINUES]
    parted = [one for one in copies if one.verdict in _PARTED]
    if continued:
        furthest = max(continued, key=_how_far)
        newer = [one for one in parted if _goes_on_from(furthest, one)]
        return newer[:1] or [one for one in continued if _how_far(one) == _how_far(furthest)]
    return [max(parted, key=lambda one: one.place)] if parted else [*copies[:1]]


def _goes_on_from(one: Relation, other: Relation) -> bool:
    """Return whether the second local copy has all of the first one, and more."""
    assert one.own
    assert other.own
    return _compared(one.own, other.own).relation is Verdict.CONTINUES


def _how_far(one: Relation) -> tuple[bool, int]:
    """Return the length of a local copy that a version continues."""
    match = one.own and one.own.match
    return bool(match), length_of(match) if match else one.place


def judge_copy(copy: Version, other: Version) -> Relation:
    """Return how a version relates to one local copy."""
    relation, place = _compared(copy, other)
    found = Relation(relation, copy, place)
    own, new = copy.match, other.match
    if relation is not Verdict.FORK or not (own and new):
        return found
    if copy.record.secrecy != record.SEALED:
        merged = merge(own, new)
        if merged is not None:
            known = {own.digest: Verdict.OLDER, new.digest: Verdict.CONTINUES}
            if verdict := known.get(merged.digest):
                return found._replace(verdict=verdict)
            return found._replace(verdict=Verdict.MERGED, merged=merged)
    else:
        from porto_cli.sealed.copies import precedence

        which = precedence(own, new)
        if which is not None:
            return found._replace(verdict=_verdict_of(which), precedence=which)
    if own.over or _has_gone_on(own, new):
        return found._replace(verdict=Verdict.SETTLED)
    return found


def _compared(own: Version, other: Version) -> Comparison:
    """Compare two versions; while one of them is being set up, by their signed steps, with the
    number of the first one that differs.
    """
    if own.match and other.match:
        return compare(own.match, other.match)
    if own.record.secrecy != other.record.secrecy:
        return Comparison(Verdict.OTHER_GAME)
    # Loaded only when needed, as it takes libsodium.
    from porto_cli.sealed.chain import seals_of

    mine, their = seals_of(own.record), seals_of(other.record)
    if mine.genesis != their.genesis:
        return Comparison(Verdict.OTHER_GAME)
    place = common_length(mine.steps, their.steps) + 1
    return Comparison(related(mine.steps, their.steps), place)


def _verdict_of(found: Precedence) -> Verdict:
    if found.other_stays:
        return Verdict.REPLACED
    if found.taken_back:
        return Verdict.OVERRULED
    return Verdict.STAYS if found.again else Verdict.OLDER


def _has_gone_on(own: Match, other: Match) -> bool:
    """Return whether the player of a version's last step has made a later turn in our copy than all
    of the version; ordered turns do not count, as we may have made them.
    """
    if not other.steps:
        return False
    last = other.steps[-1].seat
    return any(
        own.steps[place].seat == last
        and own.steps[place].before.turn >= other.state.turn
        and not was_ordered(own, place)
        for place in range(len(other.steps), len(own.steps))
    )


def length_of(match: Match) -> int:
    """Return the number of entries played, decisions within a turn included."""
    return sum(len(one.entries) for one in match.written)


# -- New files


def text_to_save(game: Record, like: Record | None = None) -> str:
    """Return the text to save, with the line ends of the file that it replaces."""
    text = game.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    if like and "\r\n" in like.text:
        text = text.replace("\n", "\r\n")
    return text


def backups(path: Path) -> Iterator[Path]:
    """Yield names for the old text, in the style of editors, which no record has."""
    return (path.with_name(f"{path.name}.~{nth}~") for nth in range(1, _MOST_NAMES))


def numbered(folder: Path, name: str) -> Iterator[Path]:
    """Yield paths for a name in a folder, numbered from the second one on."""
    stem, point, end = name.rpartition(".")
    yield folder / name
    yield from (folder / f"{stem}-{nth}{point}{end}" for nth in range(2, _MOST_NAMES))


def create_free(names: Iterable[Path], text: str, *, dry_run: bool = False) -> Path:
    """Write a new file under the first free name, and return its path.

    Raises FileError.
    """
    for path in names:
        if os.path.lexists(path):
            continue
        if dry_run:
            return path
        with suppress(files.NameTakenError):
            files.create(path, text)
            return path
    raise FileError(f"There are too many files with names like {path}; delete some.")


_COPY_NUMBER = re.compile(r"[ _-]?\(\d{1,3}\)$|[ _-](?:copy|Kopie|cópia)$")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_NO_RECORD = re.compile(r"(?i)(?:\.(?:eml|txt|text|mbox|html?|dat|bin|msg))+$")
_LONGEST_NAME = 60


def new_name(record: Record, attachment: str) -> str:
    """Return a name for a new record, after the attachment, its title, or its game."""
    name = PurePosixPath(attachment.replace("\\", "/")).name.strip()
    name = _NO_RECORD.sub("", name)
    suffix = PurePosixPath(name).suffix
    suffix = suffix if suffix in SUFFIXES else ""
    stem = _COPY_NUMBER.sub("", name.removesuffix(suffix)).strip(" .")
    if not stem or not any(letter.isalnum() for letter in stem):
        title = re.sub(r"[\W_]+", "-", record.title.lower()).strip("-")
        stem = title or record.game.meta.id
    if _RESERVED.match(stem):
        stem = f"game-{stem}"
    safe = attachment_name(record._replace(file=stem[:_LONGEST_NAME] + suffix))
    return f"game{safe}" if safe.startswith((".", "-")) else safe
