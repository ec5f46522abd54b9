"""What the conformance suite has to know of a game; everything else it asks of the seam."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.game import Deal, Move, State, game_of
from porto_cli.players.named import players_of

if TYPE_CHECKING:
    from porto_cli.players import Player

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Zé", "Eva", "Tom", "Ana", "Lia", "Max")


class Kind(NamedTuple):
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

    def __str__(self) -> str:
        options = (f"{key}={getattr(value, 'name', value)}" for key, value in self.options.items())
        return "-".join([self.game, f"{self.players}p", *options])


def _same(state: State, seat: int | None, rnd: random.Random) -> State:
    return state


def _nothing_typed_late(state: State, typed: State, seat: int) -> Move | None:
    return None


class Registered(NamedTuple):
    """A game, as this suite knows it."""

    kinds: Callable[[], list[Kind]]
    """The kinds of games to play: numbers of players, options, editions."""
    players: Callable[[], Mapping[str, Player]]
    """Return the programs that play it, those in a hurry that take long otherwise."""
    otherwise: Callable[[State, int | None, random.Random], State] = _same
    """Return a table that differs in all that is hidden from a seat, or from a bystander."""
    other_secrets: Callable[[State, int | None, random.Random], State] = _same
    """Return a table that differs in all that the players know and a seat does not."""
    at_a_table: Callable[[Deal], Deal] = lambda deal: deal
    """Return what of a deal the players of a game with ``secrecy: table`` type in."""
    revealed: Callable[[State, State, int], Move | None] = _nothing_typed_late
    """Return the secret move that is made only at the end there, by a player to move, if it is
    one: of the state of the typed game, and that of the seeded one."""


def plain(game_id: str) -> Registered:
    """Return a game without options in which nothing is hidden: one kind for each number of
    players.
    """
    counts = game_of(game_id).meta.players
    return Registered(
        kinds=lambda: [Kind(game_id, count, {}) for count in counts],
        players=lambda: players_of(game_id),
    )


REGISTERED: dict[str, Registered] = {}
"""The games that are tested."""
