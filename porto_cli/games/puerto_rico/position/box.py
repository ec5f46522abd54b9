"""How much of what the box holds is out on the table, wherever it lies."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    FOREST,
    GOODS,
    PLACES,
    QUARRY,
)
from porto_cli.games.puerto_rico.engine.state import State


def barrels_out(state: State) -> list[int]:
    """Return the barrels of each good that are not in the supply."""
    cargo = list(zip(state.cargo_goods, state.cargo_barrels, strict=True))
    return [
        sum(player.goods[good] for player in state.players)
        + sum(barrels for kind, barrels in cargo if kind == good)
        + state.trading_house.count(good)
        for good in range(len(GOODS))
    ]


def plantations_out(state: State) -> list[int]:
    """Return the plantations of each kind that are not in the stack, forests included."""
    return [
        sum(player.island[tile] + player.island[FOREST + tile] for player in state.players)
        + state.row[tile]
        + state.discards[tile]
        for tile in range(len(GOODS))
    ]


def quarries_out(state: State) -> int:
    """Return the quarries on all islands."""
    return sum(player.island[QUARRY] for player in state.players)


def people_out(state: State) -> int:
    """Return the colonists that all players have."""
    return sum(player.people for player in state.players)


def buildings_out(state: State) -> list[int]:
    """Return how many stand of the building of each place."""
    return [
        sum(bool(player.city & BIT[place]) for player in state.players)
        if place in BUILDING_PLACES
        else 0
        for place in range(len(PLACES))
    ]
