"""The file of a tournament: lines of JSON, one that says what is played, and one for each game.

Lines are only ever added. If players or deals are added, the line that says what is played is
written once more, with all players, and the last one holds. Of a line that was cut off at the end
nothing is taken; it is removed before another line is added. The games may stand in any order.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from porto_cli.core.documents import FORMAT, document
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.signals import held
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.simulate.tournament import PlayedGame, TournamentGame, is_table

_HEAD = "tournament"
_LONGEST = 1 << 20
"""Bytes of a line; an edition is part of the first one."""


class Setup(NamedTuple):
    """What a tournament plays: all that its games follow from."""

    game: str
    rules: int
    """The version of the rules."""
    bots_version: int
    """The version of the game's own players: with another one they may make other moves."""
    options: tuple[str, ...]
    """Those of the game, as a record has them."""
    seats: int
    seed: str
    deals: int
    """How many deals each pairing is to play."""
    players: dict[str, str | None]
    """The players, with a digest of the code of those that do not come with the program."""


class Saved(NamedTuple):
    """What a file has."""

    setup: Setup
    played: list[PlayedGame]
    size: int
    """Bytes up to the end of the last whole line."""
    torn: bool
    """Whether a line is cut off behind it."""


def differences(saved: Setup, wanted: Setup) -> list[Sentence]:
    """Return what keeps a tournament from going on as another one: nothing if only players or
    deals are more or fewer.
    """
    said = [
        say("{what}: {old} in the file, {new} here.", what=what, old=old, new=new)
        for what, old, new in (
            ("Game", saved.game, wanted.game),
            ("Version of the rules", saved.rules, wanted.rules),
            ("Version of the players", saved.bots_version, wanted.bots_version),
            ("Options", " ".join(saved.options), " ".join(wanted.options)),
            ("Seats", saved.seats, wanted.seats),
            ("Seed", saved.seed, wanted.seed),
        )
        if old != new
    ]
    return said + [
        say("Player {player}: the code is another one than in the file.", player=player)
        for player, digest in wanted.players.items()
        if saved.players.get(player, digest) != digest
    ]


# -- Reading


def read(path: Path) -> Saved | None:
    """Return what a file of a tournament has; ``None`` if there is no file, or an empty one.

    Raises FileError, and InvalidFileError for what is no such file.
    """
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(say("{file} is no regular file; name another one.", file=path))
            return _read(file, str(path))
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise FileError(say("{file} is a folder; name a file in it.", file=path)) from None
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _read(file: BinaryIO, name: str) -> Saved | None:
    setup: Setup | None = None
    played: dict[TournamentGame, PlayedGame] = {}
    size = 0
    number = 0
    while line := file.readline(_LONGEST):
        number += 1
        try:
            thing = _parsed(line)
            if thing is None:
                pass
            elif _HEAD in thing:
                setup = _setup(thing)
            elif setup is None:
                raise ValueError
            else:
                one = _game(thing, setup)
                played[one.game] = one
        except (ValueError, KeyError, TypeError, RecursionError):
            if setup is not None and not line.endswith(b"\n") and len(line) < _LONGEST:
                return Saved(setup, list(played.values()), size, True)
            if setup is None:
                sentence = say(
                    "This is no file of a tournament; name another one, or one that does not "
                    "exist yet."
                )
            else:
                sentence = say(
                    "This line is no game of this tournament. Remove the line to go on; the game "
                    "is played again."
                )
            raise InvalidFileError(Place(name, number, 1), sentence) from None
        size += len(line)
    return None if setup is None else Saved(setup, list(played.values()), size, False)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Return what stands in a line; ``None`` for an empty one."""
    text = line.decode("utf-8-sig").strip()
    if not text:
        return None
    thing = json.loads(text)
    if not isinstance(thing, dict):
        raise ValueError
    return thing


def _setup(thing: Mapping[str, Any]) -> Setup:
    players = thing["players"]
    if thing["porto"] != FORMAT or not isinstance(players, dict):
        raise ValueError
    if not all(name.isprintable() and isinstance(players[name], str | None) for name in players):
        raise ValueError
    return Setup(
        game=_text(thing[_HEAD]),
        rules=_number(thing["rules"]),
        bots_version=_number(thing["bots_version"]),
        options=tuple(map(_text, thing["options"])),
        seats=_number(thing["seats"]),
        seed=_text(thing["seed"]),
        deals=_number(thing["deals"]),
        players=dict(players),
    )


def _game(thing: Mapping[str, Any], setup: Setup) -> PlayedGame:
    players = tuple(map(_text, thing["players"]))
    places = tuple(map(_number, thing["places"]))
    scores = tuple(map(_number, thing["scores"]))
    seat, finished = _number(thing["seat"]), thing["finished"]
    sizes = {len(players), len(places), len(scores)}
    if sizes != {setup.seats} or not is_table(players) or not set(players) <= setup.players.keys():
        raise ValueError
    game = TournamentGame(players, _number(thing["deal"]), seat)
    if game.deal < 1 or not 1 <= seat <= setup.seats or not isinstance(finished, bool):
        raise ValueError
    return PlayedGame(game, _number(thing["turns"]), places, scores, finished)


def _text(thing: object) -> str:
    if not isinstance(thing, str):
        raise ValueError
    return thing


def _number(thing: object) -> int:
    if type(thing) is not int:
        raise ValueError
    return thing


# -- Writing


def setup_line(setup: Setup) -> str:
    """Return the line that says what is played."""
    facts = setup._asdict()
    return json.dumps(document(tournament=facts.pop("game"), **facts), ensure_ascii=False)


def game_line(played: PlayedGame) -> str:
    """Return the line of a game."""
    facts = played._asdict()
    return json.dumps({**facts.pop("game")._asdict(), **facts}, ensure_ascii=False)


class Appended:
    """A file to which whole lines are added, each of which is out of hand at once."""

    def __init__(self, path: Path, file: FileIO) -> None:
        self._path = path
        self._file = file

    def add(self, line: str) -> None:
        """Add a line. Raises FileError; what was added before stays."""
        data = line.encode() + b"\n"
        try:
            with held():
                while data:
                    data = data[self._file.write(data) :]
        except OSError as error:
            raise _cannot_write(self._path, error) from None


@contextmanager
def appended(path: Path, saved: Saved | None) -> Iterator[Appended]:
    """Open a file to add lines to it, without what is cut off at its end. Raises FileError.

    ``saved`` is what :func:`read` has found. Two programs that add to a file at once play some
    games twice, with the same result; no more than that.
    """
    try:
        # Without a buffer: a line is written when it is added, and nothing is left to be written.
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise FileError(
            say("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
        ) from None
    with file:
        if saved is not None:
            try:
                if saved.torn:
                    file.truncate(saved.size)
                elif not _ends_a_line(path):
                    file.write(b"\n")
            except OSError as error:
                raise _cannot_write(path, error) from None
        yield Appended(path, file)
        # Some file systems cannot.
        with suppress(OSError):
            os.fsync(file.fileno())


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _cannot_write(path: Path, error: OSError) -> FileError:
    return FileError(
        say(
            "{file} cannot be written: {reason}. The games that it has stay; the same command "
            "goes on.",
            file=path,
            reason=error.strerror,
        )
    )
