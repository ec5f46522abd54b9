"""Positions of Porto: what the keys of a scenario file mean for this game.

``fields``        the keys of a position: how each is read, written and found in a state
``position``      a whole position from a file, and a state as a position
``consistency``   what no game could lead to
``expectations``  what a case can ask besides
``excerpt``       a turn of a running game as a scenario
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.notation import PUBLIC_NAMES
from porto_cli.games.porto.position import excerpt, fields
from porto_cli.games.porto.position.expectations import read_reckoned, read_scores
from porto_cli.games.porto.position.position import read_position
from porto_cli.scenario.positions import Positions, ReadExpectation


class PortoPositions:
    """See :class:`porto_cli.scenario.positions.Positions` for what each member means."""

    asked = fields.ASKED
    expectations: Mapping[str, ReadExpectation] = MappingProxyType(
        {"scores": read_scores, "reckon": read_reckoned}
    )
    read = staticmethod(read_position)
    read_value = staticmethod(fields.read_value)
    value_of = staticmethod(fields.value_of)
    without_secrets = staticmethod(excerpt.without_secrets)
    header_lines = staticmethod(excerpt.header_lines)
    position_lines = staticmethod(excerpt.public_lines)
    consequence_lines = staticmethod(excerpt.consequence_lines)

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of a card or a public contract."""
        return (PUBLIC_NAMES if stream == "contracts" else CARDS)[thing]


POSITIONS: Positions = PortoPositions()
