"""Kinds of games, and tables with other VP chips, for tests of what research plays with."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.house_rules import BASE, DRAFT, RANDOM
from porto_cli.games.puerto_rico.engine.state import State

EVERY_NUMBER = [2, 3, 4, 5]
OPTIONS = [
    {"buildings": buildings, "rulebook": rulebook}
    for buildings, rulebook in zip(
        (BASE, DRAFT, RANDOM), ("printed", "printed", "guide"), strict=True
    )
]


def with_other_chips(state: State, seat: int | None) -> State:
    """Return a table on which the others have other VP chips, as many in all (PR-SECRET-1).

    Of two players who knows the pool knows the other's chips: there nothing can differ.
    """
    new = state.copy()
    others = [each for each in range(state.config.seats) if each != seat]
    chips = sum(state.players[each].vp for each in others)
    for each in others:
        new.players[each].vp = 0
    richest = state.players[others[0]].vp == chips
    new.players[others[-1 if richest else 0]].vp = chips
    return new


def with_chips(state: State, each: int = 4) -> State:
    """Return a table on which everybody has some VP chips."""
    new = state.copy()
    for player in new.players:
        player.vp = each
    return new
