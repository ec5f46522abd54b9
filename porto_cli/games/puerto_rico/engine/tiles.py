"""The stack of plantations, and what comes up from it."""

from __future__ import annotations

from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine.components import (
    NO_GOOD,
    NO_GOODS,
    counts_of,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.events import Event, Reshuffled, TilesTurned
from porto_cli.games.puerto_rico.engine.state import State

STREAM = "tiles"


def draw_tile(state: State, chance: Chance, events: list[Event]) -> int:
    """Take the top tile of the stack; ``NO_GOOD`` if there is none, discards included.

    An empty stack is made anew from the discards (PR-SETTLER-6).
    """
    if not state.stack:
        if state.discards == NO_GOODS:
            return NO_GOOD
        state.stack = pile_of(state.discards)
        events.append(Reshuffled(state.discards))
        state.discards = NO_GOODS
    pile = state.stack
    position = chance(STREAM, state.tiles_drawn, pile)
    state.stack = pile[:position] + pile[position + 1 :]
    state.tiles_drawn += 1
    return pile[position]


def turn_up_row(state: State, chance: Chance, events: list[Event]) -> None:
    """Discard what is left of the row and turn up a new one (PR-SETTLER-4, PR-SETTLER-6)."""
    state.discards = bytes(map(int.__add__, state.discards, state.row))
    drawn = bytearray()
    for _ in range(state.config.row):
        tile = draw_tile(state, chance, events)
        if tile == NO_GOOD:
            break
        drawn.append(tile)
    state.row = counts_of(bytes(drawn))
    if drawn:
        events.append(TilesTurned(state.row))


def has_tiles(state: State) -> bool:
    """Tell whether a tile could come up."""
    return bool(state.stack) or state.discards != NO_GOODS
