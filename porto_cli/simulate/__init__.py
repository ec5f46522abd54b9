"""Simulating many games: what a game has to offer for it, playing, counting, reporting.

:mod:`~porto_cli.simulate.simulation` plays and counts, :mod:`~porto_cli.simulate.report` sums up. A
game counts what happens in it as *figures*: numbers by seat, group and name, such as the VP from
one source or how often one rule came up. Groups and names are the game's; what sums them up and
prints them looks into none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.seam import OVER, Event, Move, Outcome, State

Figure = tuple[str, str]
"""The key of a group, and a name in it. Extras have no group: their key is empty."""
Count = tuple[int, Figure, int]
"""A seat, a figure, and by how much it grows."""


class Group(NamedTuple):
    """Figures that belong together: a table of the report, columns of CSV, an object of JSON."""

    key: str
    names: tuple[str, ...]
    title: str
    heads: tuple[str, ...] = ()
    """Short names, for a row of each player with the means and their total. Without them each name
    has a row, with how often it came up in a game, and in which share of the games it did."""
    title_of_running: str | None = None
    """The title for simulations of a running game, if it differs."""
    explain: Callable[[str], str] | None = None
    """An explanation at the end of the row of a name."""


@dataclass
class Simulation:
    """What a game counts and decides while it is simulated; by itself, only how its games end."""

    groups: ClassVar[tuple[Group, ...]] = ()
    """The figures that are counted."""
    extras: ClassVar[tuple[str, ...]] = ()
    """Figures beside a score, by their names."""
    game: Any = None
    """The game, unless something takes the place of :meth:`redeal` and :meth:`choices`."""

    def is_played_out(self, state: State) -> bool:
        """Return whether no turn is left to play."""
        return bool(state.phase == OVER)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return a random state that is consistent with a running game.

        What lies open, and what the seat ``known`` knows, stays; what is hidden is dealt again.
        """
        seed = bytes(chance("redeal", index, bytes(256)) for index in range(8))
        return self.game.resample(self.game.view(state, known), Random(seed))

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves of who is to move; where they are too many, some of them."""
        moves: list[Move] = self.game.legal_moves(state, state.seat)
        return moves

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Count]:
        """Return what a move adds to the figures, which led from one state to another."""
        return ()

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Count]:
        """Return what the end of a game adds to the figures, extras included."""
        return ()

    def standing(self, state: State) -> Outcome:
        """Return the outcome, without winners, of a game that was given up: all are equal."""
        seats = len(state.config.players)
        return Outcome((1,) * seats, (0,) * seats, (False,) * seats)
