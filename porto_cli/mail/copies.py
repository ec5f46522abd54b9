"""The local copies of the games that messages name by their ids."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from porto_cli.core.message import PortoError
from porto_cli.mail.arrival import settled_records
from porto_cli.mail.threads import Named, game_named, states_named
from porto_cli.match.match import Match, load


class Copies:
    """Finds the local copies of a game by the id of a message; replays each once until it changes.

    A mailbox has many messages of few games. The heads of the records are read when the first one
    asks. A game that is saved later is not found, and its messages are read like new ones.
    """

    def __init__(self, folder: Path, into: Path | None) -> None:
        self._folder = folder
        self._into = into
        self._loaded: dict[Path, tuple[object, Match, frozenset[str]]] = {}

    def at(self, named: Named) -> list[Match]:
        """Return the copies of a game that are, or have been, at the state that an id names."""
        found = []
        for path in self._paths.get(named.game, ()):
            with suppress(PortoError, OSError):
                copy, states = self._load(path)
                if named.state in states:
                    found.append(copy)
        return found

    def only_one_at(self, named: Named) -> Match | None:
        """Return the copy of a game without seals that was at a state, if there is just one."""
        found = self.at(named) if len(self._paths.get(named.game, ())) == 1 else []
        return found[0] if found and found[0].replay.chain is None else None

    @cached_property
    def _paths(self) -> dict[str, list[Path]]:
        """The files of each game, by the beginning of an id."""
        found: dict[str, list[Path]] = {}
        into = self._into
        for path, head in settled_records(into.parent if into else self._folder):
            with suppress(PortoError):
                if into in (None, path):
                    found.setdefault(game_named(head), []).append(path)
        return found

    def _load(self, path: Path) -> tuple[Match, frozenset[str]]:
        """Return a copy, and the states that it has been at. Raises PortoError, OSError."""
        stat = os.stat(path)
        version = stat.st_ino, stat.st_mtime_ns, stat.st_size
        if path not in self._loaded or self._loaded[path][0] != version:
            copy = load(path)
            self._loaded[path] = version, copy, frozenset(states_named(copy.replay))
        return self._loaded[path][1:]
