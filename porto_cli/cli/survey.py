"""What the records of a folder are: whose turn it is in which game, and how those ended that are
over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porto_cli.cli.common import ui_for
from porto_cli.core.errors import FileError, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.match.conflicts import conflicts_of, parted_from
from porto_cli.match.match import load
from porto_cli.match.record_files import RECORD, kind_of
from porto_cli.settings import seat_among

_LATEST = 253402300799
"""The last second of the year 9999."""


class Found(NamedTuple):
    """A record. Tuples have an entry for each player.

    ``to_move``  the names of those whose move the game waits for
    ``mine``     the user is one of them
    ``changed``  when the file was written, in seconds since 1970
    ``scores``   VP as far as the user may know them
    ``places``   of a finished game; 1 is the first
    ``bots``     the players that are programs, and which
    ``conflicts``  files with other versions of it, between which nobody has decided yet
    """

    file: str
    game: str
    title: str
    players: tuple[str, ...]
    over: bool
    round: int
    turn: int
    to_move: tuple[str, ...]
    mine: bool
    changed: float
    scores: tuple[int | None, ...]
    places: tuple[int, ...] | None
    won: tuple[bool, ...] | None
    digest: str
    bots: dict[str, str]
    conflicts: tuple[str, ...] = ()


class Conflict(NamedTuple):
    """A file with another version of a game, which is told with the game."""

    file: str


class Skipped(NamedTuple):
    """A file that should be a record and cannot be read as one, and why."""

    file: str
    error: str


class Tally(NamedTuple):
    """What a player has done in the finished games of a kind; ``alone`` in those for one.

    A ``bot`` is told apart from people of its name and from bots of other levels.
    """

    game: str
    alone: bool
    player: str
    games: int
    wins: int
    average: float
    bot: str = ""


def files_of(paths: Iterable[Path], *, recursive: bool) -> Iterator[str]:
    """Return the files of some folders, those of each in order; what is no folder is itself one.

    Left out are hidden files, and what is no regular file. Raises FileError for a folder that is
    not there or cannot be read.
    """
    for path in paths:
        if os.path.isfile(path):
            yield str(path)
        elif not os.path.exists(path):
            raise FileError(say("There is no folder {folder}.", folder=path))
        else:
            yield from _files_in(path, recursive=recursive)


def _files_in(folder: Path, *, recursive: bool) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                (entry for entry in entries if not entry.name.startswith(".")),
                key=lambda entry: entry.name,
            )
    except OSError as error:
        raise FileError(
            say("{folder} cannot be read: {reason}.", folder=folder, reason=error.strerror)
        ) from None
    yield from (str(folder / entry.name) for entry in found if entry.is_file())
    if recursive:
        for entry in found:
            # Through links a walk could go in circles.
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(folder / entry.name, recursive=True)


def survey(file: str, names: Sequence[str] = ()) -> Found | Conflict | Skipped | None:
    """Return what a file is; ``None`` if it does not even begin like a record.

    ``names`` are those of the user.
    """
    path = Path(file)
    if kind_of(path) != RECORD:
        if os.access(path, os.R_OK):
            return None
        return Skipped(file, str(say("{file} cannot be read.", file=file)))
    if parted_from(path) is not None:
        return Conflict(file)
    try:
        # A file can be dated to a year that no calendar has.
        changed = min(max(path.stat().st_mtime, 0), _LATEST)
        match = load(path)
    except OSError as error:
        reason: Sentence = say("{file} cannot be read: {reason}.", file=file, reason=error.strerror)
        return Skipped(file, str(reason))
    except PortoError as error:
        return Skipped(file, str(error))
    own = seat_among(match.players, names)
    glance = ui_for(match).glance(match.replay, own)
    waiting = match.game.to_move(match.state)
    outcome = match.game.outcome(match.state)
    return Found(
        file=file,
        game=match.game.meta.id,
        title=match.record.title,
        players=match.players,
        over=match.over,
        round=glance.round,
        turn=int(match.state.turn),
        to_move=tuple(match.players[seat] for seat in waiting),
        mine=own in waiting,
        changed=changed,
        scores=glance.scores,
        places=outcome.places if outcome else None,
        won=outcome.won if outcome else None,
        digest=match.digest,
        bots=match.bots,
        conflicts=tuple(map(str, conflicts_of(path))),
    )


def ordered(found: Iterable[Found]) -> list[Found]:
    """Return games in the order in which they are told: those that wait for the user, then those
    that wait for others, the longest wait first; then the finished ones, the last one first.
    """

    def rank(one: Found) -> tuple[int, float, str]:
        if one.over:
            return 2, -one.changed, one.file
        return 0 if one.mine else 1, one.changed, one.file

    return sorted(found, key=rank)


def tallies(found: Iterable[Found]) -> list[Tally]:
    """Return wins and average scores in finished games, by game, the most wins first.

    A game of which there are several copies counts once.
    """
    finished = {one.digest: one for one in found if one.over}
    scores: dict[tuple[str, bool, str, str], list[int]] = {}
    wins: dict[tuple[str, bool, str, str], int] = {}
    for one in finished.values():
        for player, score, won in zip(one.players, one.scores, one.won or (), strict=True):
            key = one.game, len(one.players) == 1, player, one.bots.get(player, "")
            scores.setdefault(key, []).append(score or 0)
            wins[key] = wins.get(key, 0) + won
    told = [
        Tally(*key[:3], len(each), wins[key], round(sum(each) / len(each), 2), key[3])
        for key, each in scores.items()
    ]
    return sorted(told, key=lambda one: (one.game, one.alone, -one.wins, -one.average, one.player))
