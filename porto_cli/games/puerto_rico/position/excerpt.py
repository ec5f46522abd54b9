"""A turn of a running game of Puerto Rico as a scenario: what came up, what moves brought."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.yaml import flow, scalar
from porto_cli.game import Step
from porto_cli.games.puerto_rico.engine.components import pile_of
from porto_cli.games.puerto_rico.engine.config import BASE, PRINTED, Config
from porto_cli.games.puerto_rico.engine.events import Event, TilesTurned, TookTile
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.position.expectations import (
    EARNS,
    SCORES,
    Numbers,
    sum_earns,
    sum_scores,
)
from porto_cli.games.puerto_rico.position.fields import value_of
from porto_cli.games.puerto_rico.position.position import as_yaml, position_lines
from porto_cli.scenario.positions import entry_lines

_THEN = ("phase", "to-move", "doubloons", "vp", "goods")


def header_lines(config: Config) -> list[str]:
    """Return the line of ``options``, where they are not the usual ones."""
    options = {
        key: value
        for key, value, usual in (
            ("buildings", config.buildings, BASE),
            ("rulebook", config.rulebook, PRINTED),
        )
        if value != usual
    }
    return [f"options: {flow(options)}"] if options else []


def lines_of(state: State, events: Sequence[Event]) -> list[str]:
    """Return the lines of a position; the tiles that came up in the events come up next."""
    coming = b""
    for event in events:
        if isinstance(event, TookTile) and event.source == "stack":
            coming += bytes([event.tile])
        elif isinstance(event, TilesTurned):
            coming += pile_of(event.tiles)
    return position_lines(state, coming)


def consequence_lines(step: Step) -> list[str]:
    """Return what a move and all that followed brought, and what it left each player with."""
    players = step.after.config.players
    lines = []
    for key, sums in ((SCORES, sum_scores(step.events)), (EARNS, sum_earns(step.events))):
        lines += entry_lines(key, _by_player(sums, players)) if sums else []
    lines.append("then:")
    for key in _THEN:
        then = entry_lines(key, as_yaml(key, value_of(step.after, key)))
        lines += [f"  {line}" for line in then]
    return lines


def _by_player(sums: Numbers, players: Sequence[str]) -> dict[str, str]:
    return {
        players[seat]: flow({scalar(reason): str(number) for reason, number in reasons.items()})
        for seat, reasons in sums.items()
    }
