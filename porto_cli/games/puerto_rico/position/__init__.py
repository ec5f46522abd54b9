"""Positions of Puerto Rico: what the keys of a scenario file mean for this game.

``fields``        the keys of a position: how each is read, written and found in a state
``position``      a whole position from a file, and a state as a position
``box``           how much of the box is out on the table
``consistency``   what no game could lead to
``expectations``  what else a case can ask: VP and doubloons by reason, and the end
``excerpt``       a turn of a running game as a scenario
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from porto_cli.games.puerto_rico.engine.components import TILES
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.position import excerpt, fields
from porto_cli.games.puerto_rico.position.expectations import (
    read_earns,
    read_reckoned,
    read_scores,
)
from porto_cli.games.puerto_rico.position.position import read_position
from porto_cli.scenario.positions import Positions, ReadExpectation


class PuertoRicoPositions:
    """See :class:`porto_cli.scenario.positions.Positions` for what each member means."""

    asked = fields.ASKED
    expectations: Mapping[str, ReadExpectation] = MappingProxyType(
        {"scores": read_scores, "earns": read_earns, "reckon": read_reckoned}
    )
    read = staticmethod(read_position)
    read_value = staticmethod(fields.read_value)
    value_of = staticmethod(fields.value_of)
    header_lines = staticmethod(excerpt.header_lines)
    position_lines = staticmethod(excerpt.lines_of)
    consequence_lines = staticmethod(excerpt.consequence_lines)

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        return TILES[thing]

    def without_secrets(self, state: State) -> State:
        """Everything lies open in the record."""
        return state


POSITIONS: Positions = PuertoRicoPositions()
