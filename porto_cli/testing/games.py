"""What the conformance suite has to know of a game, and random games played through the seam.

A failing test names the kind and the seed: ``played(kind, seed)`` is the game again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import porto_cli
from porto_cli.games import Game, game_of
from porto_cli.match.match import Match
from porto_cli.players import Player
from porto_cli.players.named import players_of
from porto_cli.seam import Deal, Event, Move, State, Step

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Zé", "Eva", "Tom", "Ana", "Lia", "Max")


class GameKind(NamedTuple):
    """A kind of game: ``options`` are those of ``new_game``."""

    game: str
    players: int
    options: dict[str, Any]
    endless: bool = False
    """With these options a game may go on for ever."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return NAMES[: self.players]

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        options = (f"{key}={getattr(value, 'name', value)}" for key, value in self.options.items())
        return "-".join([self.game, f"{self.players}p", *options])


class Registered(NamedTuple):
    """A game, as this suite knows it."""

    kinds: Callable[[], list[GameKind]]
    """The kinds of games to play: numbers of players, options, editions."""
    players: Callable[[], Mapping[str, Player]]
    """Return the programs that play it, those in a hurry that take long otherwise."""
    otherwise: Callable[[State, int | None, Random], State] = lambda state, seat, rnd: state
    """Return a table that differs in all that is hidden from a seat, or from a bystander."""
    other_secrets: Callable[[State, int | None, Random], State] = lambda state, seat, rnd: state
    """Return a table that differs in all that the players know and a seat does not."""
    at_a_table: Callable[[Deal], Deal] = lambda deal: deal
    """Return what of a deal the players of a game with ``secrecy: table`` type in."""
    revealed: Callable[[State, State, int], Move | None] = lambda state, typed, seat: None
    """Return the secret move that is made only at the end there, by a player to move, if it is
    one: of the state of the typed game, and that of the seeded one."""
    tables: Callable[[GameKind, Random], Iterable[State]] = lambda kind, rnd: ()
    """Return tables at which somebody is to move, and to which random play hardly leads."""
    candidates: Callable[[State, Random], Iterable[Move]] = lambda state, rnd: ()
    """Return moves that might come into question at a table, most of them illegal, also those that
    no text says; those whose text is almost that of a legal move are tried anyway."""


def plain(game_id: str) -> Registered:
    """Return a game without options in which nothing is hidden: one kind for each number of
    players.
    """
    counts = game_of(game_id).meta.players
    return Registered(
        kinds=lambda: [GameKind(game_id, count, {}) for count in counts],
        players=lambda: players_of(game_id),
    )


REGISTERED: dict[str, Registered] = {}
"""The games that are tested."""


LISTED = 200
"""Lists of moves that are longer are not looked at whole: elsewhere moves run to millions."""
LONGEST = 300
"""Moves after which a game is left: with an artificial box it may go on for ever."""
LOOKED_AT = 3
"""Places of a game that a test looks at, besides its last ones; all of them if seeds are not 0."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A table at which somebody is to move: one of a game, or one that was only laid."""

    kind: GameKind
    state: State
    seat: int
    """Who is to move."""
    name: str
    earlier: tuple[Step, ...]
    """The steps that led there, as far as they are known."""

    def __str__(self) -> str:
        return self.name

    @property
    def game(self) -> Game:
        """What is played."""
        return game_of(self.kind.game)

    @property
    def registered(self) -> Registered:
        """What the suite knows of the game."""
        return REGISTERED[self.kind.game]

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.kind.players)


@dataclass(frozen=True, eq=False)
class Ply(Spot):
    """One move of a game, and the table before it."""

    before: Match
    move: Move
    events: tuple[Event, ...]
    after: Match


class Playthrough(NamedTuple):
    """A game that was played, to its end if it did not become too long."""

    kind: GameKind
    seed: int
    plies: tuple[Ply, ...]

    @property
    def game(self) -> Game:
        """What is played."""
        return game_of(self.kind.game)

    @property
    def end(self) -> Match:
        """The game after the last move."""
        return self.plies[-1].after

    def looked_at(self) -> Iterator[tuple[Ply, Random]]:
        """Return the places to look at, and the same random numbers every time."""
        rnd = Random(f"{self.kind}/{self.seed}")
        count = len(self.plies)
        wanted = count if self.seed else min(count, LOOKED_AT)
        places = {*rnd.sample(range(count), wanted), 0, count - 2, count - 1}
        for place in sorted(places & set(range(count))):
            yield self.plies[place], rnd

    def tables(self) -> Iterator[tuple[Spot, Random]]:
        """Return the places to look at, then the tables that are laid for this kind and seed."""
        yield from self.looked_at()
        rnd = Random(f"{self.kind}/{self.seed}/laid")
        for nth, state in enumerate(REGISTERED[self.kind.game].tables(self.kind, rnd)):
            yield Spot(self.kind, state, state.seat, f"laid table {nth}", ()), rnd


@lru_cache(maxsize=32)
def played(kind: GameKind, seed: int) -> Playthrough:
    """Return the random game of a kind and a seed."""
    match = porto_cli.new_game(
        kind.names, game=kind.game, seed=f"conformance-{seed}", **kind.options
    )
    rnd = Random(f"{kind}/{seed}")
    plies: list[Ply] = []
    while not match.over and len(plies) < LONGEST:
        before = match.replay
        state = before.state
        seat, move = some_move(match.game, state, rnd)
        name = f"turn {state.turn}: {match.game.format_move(move, state)}"
        events = tuple(match.play(move, player=seat))
        plies.append(Ply(kind, state, seat, name, before.steps, before, move, events, match.replay))
    return Playthrough(kind, seed, tuple(plies))


def some_move(game: Game, state: State, rnd: Random) -> tuple[int, Move]:
    """Return a random legal move; each kind of move is equally likely, for variety."""
    seat = rnd.choice(game.to_move(state))
    kinds: defaultdict[type, list[Move]] = defaultdict(list)
    for move in game.legal_moves(state, seat, LISTED):
        kinds[type(move)].append(move)
    return seat, rnd.choice(kinds[rnd.choice(list(kinds))])
