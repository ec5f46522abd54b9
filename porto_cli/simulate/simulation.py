"""What a game has to offer so that it can be simulated.

A game counts what happens in it as *figures*: numbers by seat, group and name, such as the VP from
one source or how often one rule came up. Groups and names are the game's; what sums them up and
prints them looks into none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from porto_cli.game import OVER, Event, Game, Move, Outcome, State, game_of

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.core.message import Sentence

Figure = tuple[str, str]
"""The key of a group, and a name in it. Extras have no group: their key is empty."""
Count = tuple[int, Figure, int]
"""A seat, a figure, and by how much it grows."""


class Group(NamedTuple):
    """Figures that belong together: a table of the report, columns of CSV, an object of JSON."""

    key: str
    names: tuple[str, ...]
    title: Sentence
    heads: tuple[str, ...] = ()
    """Short names, for a row of each player with the means and their total. Without them each name
    has a row, with how often it came up in a game, and in which share of the games it did."""
    title_of_running: Sentence | None = None
    """Where it differs: the title if a running game was played on."""
    explain: Callable[[str], str] | None = None
    """What stands behind the row of a name."""


class Simulation(Protocol):
    """A game that can be simulated."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The figures that are counted."""
        ...

    @property
    def extras(self) -> tuple[str, ...]:
        """Figures that stand beside a score, by their names."""
        ...

    def is_played_out(self, state: State) -> bool:
        """Tell whether no turn is left to play."""
        ...

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return the table of a running game as somebody who sees it could imagine it.

        What lies open, and what the seat ``known`` knows, stays; what is hidden is dealt anew.
        """
        ...

    def choices(self, state: State, luck: Random) -> list[Move]:
        """Return the legal moves of who is to move; where they are too many, some of them."""
        ...

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Count]:
        """Return what a move adds to the figures, which led from one state to another."""
        ...

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Count]:
        """Return what the end of a game adds to the figures, extras included."""
        ...

    def standing(self, state: State) -> Outcome:
        """Return how a game stood that was given up, which nobody has won."""
        ...


class PlainSimulation:
    """A game of which nothing is counted but how it ends."""

    groups: tuple[Group, ...] = ()
    extras: tuple[str, ...] = ()

    def __init__(self, game: Game) -> None:
        self.game = game

    def is_played_out(self, state: State) -> bool:
        """See :class:`Simulation`."""
        return bool(state.phase == OVER)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """See :class:`Simulation`."""
        seed = bytes(chance("redeal", index, bytes(256)) for index in range(8))
        return self.game.resample(self.game.view(state, known), Random(seed))

    def choices(self, state: State, luck: Random) -> list[Move]:
        """See :class:`Simulation`."""
        return self.game.legal_moves(state, state.seat)

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Count]:
        """See :class:`Simulation`."""
        return ()

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Count]:
        """See :class:`Simulation`."""
        return ()

    def standing(self, state: State) -> Outcome:
        """See :class:`Simulation`: all are equal."""
        seats = len(state.config.players)
        return Outcome((1,) * seats, (0,) * seats, (False,) * seats)


def simulation_of(game_id: str) -> Simulation:
    """Return the simulation of a game by its name. Raises KeyError if there is no such game."""
    return game_of(game_id).simulation
