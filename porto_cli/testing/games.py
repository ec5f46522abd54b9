"""Random games of every kind, played through the seam, for the conformance suite.

A failing test names the kind and the seed: ``played(kind, seed)`` is the game again.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import porto_cli
from porto_cli.game import Event, Game, Move, State
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay
from porto_cli.testing.kinds import Kind

LISTED = 200
"""Lists of moves that are longer are not looked at whole: elsewhere moves run to millions."""
LONGEST = 300
"""Moves after which a game is left: with an artificial box it may go on for ever."""
LOOKED_AT = 3
"""Places of a game that a test looks at, besides its last ones; all of them in long hunts."""


class Ply(NamedTuple):
    """One move of a game."""

    before: Replay
    seat: int
    move: Move
    events: tuple[Event, ...]
    after: Replay

    @property
    def game(self) -> Game:
        """What is played."""
        return self.before.game

    @property
    def state(self) -> State:
        """The table before the move."""
        return self.before.state

    @property
    def match(self) -> Match:
        """The game before the move, to go on with."""
        return Match(self.before)


class Played(NamedTuple):
    """A game that was played, to its end if it did not become too long."""

    kind: Kind
    seed: int
    plies: tuple[Ply, ...]

    @property
    def game(self) -> Game:
        """What is played."""
        return self.plies[0].game

    @property
    def end(self) -> Replay:
        """The game after the last move."""
        return self.plies[-1].after

    def looked_at(self) -> Iterator[tuple[Ply, random.Random]]:
        """Return the places to look at, and the same random numbers every time."""
        rnd = random.Random(f"{self.kind}/{self.seed}")
        count = len(self.plies)
        wanted = count if self.seed else min(count, LOOKED_AT)
        places = {*rnd.sample(range(count), wanted), 0, count - 2, count - 1}
        for place in sorted(places & set(range(count))):
            yield self.plies[place], rnd


@lru_cache(maxsize=32)
def _played(name: str, seed: int) -> Played:
    kind = _kinds[name]
    match = porto_cli.new_game(
        kind.names, game=kind.game, seed=f"conformance-{seed}", **kind.options
    )
    rnd = random.Random(f"{name}/{seed}")
    plies: list[Ply] = []
    while not match.over and len(plies) < LONGEST:
        before = match.replay
        seat, move = some_move(match.game, match.state, rnd)
        events = match.play(move, player=seat)
        plies.append(Ply(before, seat, move, tuple(events), match.replay))
    return Played(kind, seed, tuple(plies))


_kinds: dict[str, Kind] = {}
"""Kinds by their names; they cannot be hashed themselves."""


def played(kind: Kind, seed: int) -> Played:
    """Return the random game of a kind and a seed."""
    _kinds[str(kind)] = kind
    return _played(str(kind), seed)


def some_move(game: Game, state: State, rnd: random.Random) -> tuple[int, Move]:
    """Return a legal move of somebody; each kind is as likely, so that games are rich."""
    seat = rnd.choice(game.to_move(state))
    kinds: defaultdict[type, list[Move]] = defaultdict(list)
    for move in game.legal_moves(state, seat, LISTED):
        kinds[type(move)].append(move)
    return seat, rnd.choice(kinds[rnd.choice(list(kinds))])
