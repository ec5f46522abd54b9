"""The JSON documents of the game, as far as their schema is made of what the game declares: the
table, options, the names of things. The others are in ``schema.json``.
"""

from __future__ import annotations

from porto_cli.core.schema import Schema, definitions, enum, of_fields
from porto_cli.games.puerto_rico.engine.components import BUILDINGS, GOODS, PLACES, ROLES, TILES
from porto_cli.games.puerto_rico.engine.house_rules import HOUSE_RULES
from porto_cli.games.puerto_rico.engine.state import PHASES
from porto_cli.games.puerto_rico.position import EARN_REASONS, END_REASONS, SCORE_REASONS
from porto_cli.games.puerto_rico.view import PREFIX, Show

_NAMES = {
    "good": (GOODS, ""),
    "tile": (TILES, "A plantation, a quarry, or a forest over a plantation."),
    "building": (tuple(building.name for building in BUILDINGS), ""),
    "place": (PLACES, "A place of colonists."),
    "role": (ROLES, ""),
    "phase": (PHASES, "What the game waits for."),
    "end": (END_REASONS, "Why the game ends."),
    "vp_reason": (SCORE_REASONS, "What VP are for."),
    "doubloon_reason": (EARN_REASONS, "What doubloons are for."),
}
"""The names that are possible, and what they are."""


def own_definitions() -> dict[str, Schema]:
    """Return the definitions, by their names."""
    named = {
        f"{PREFIX}{name}": enum(*names) | ({"description": about} if about else {})
        for name, (names, about) in _NAMES.items()
    }
    options = of_fields({}, {rule.name: enum(*rule.choices) for rule in HOUSE_RULES})
    table = definitions({f"{PREFIX}show": Show}, PREFIX)
    # What 'porto verify' says of a game are its options, too.
    return {**named, **table, f"{PREFIX}options": options, f"{PREFIX}facts": options}
