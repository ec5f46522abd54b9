"""The JSON documents of the game, as far as their schema is made of what the game declares: the
table, events, options, the names of things. The others are in ``schema.json``.
"""

from __future__ import annotations

from porto_cli.core.documents import Schema, definitions, enum, of_fields, ref
from porto_cli.games.puerto_rico import META
from porto_cli.games.puerto_rico.engine.components import BUILDINGS, GOODS, PLACES, ROLES, TILES
from porto_cli.games.puerto_rico.engine.house_rules import HOUSE_RULES
from porto_cli.games.puerto_rico.engine.moves import (
    Built,
    Earned,
    EndTriggered,
    Event,
    Placed,
    RoundBegan,
    Scored,
)
from porto_cli.games.puerto_rico.engine.state import PHASES
from porto_cli.games.puerto_rico.events import KEYS, name_of
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
    about = "Something that happened; auto marks what came from a move that made itself."
    return {
        **named,
        **definitions({f"{PREFIX}show": Show}, PREFIX),
        f"{PREFIX}kind": enum(*META.verbs),
        f"{PREFIX}options": options,
        # What 'porto verify' says of a game are its options, too.
        f"{PREFIX}facts": options,
        f"{PREFIX}event": {
            "description": about,
            "oneOf": [_event(kind) for kind in Event.__subclasses__()],
        },
    }


def _own(name: str) -> Schema:
    return ref(f"{PREFIX}{name}")


_NAME: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FACTS: dict[str, Schema] = {
    "seat": _NAME,
    "governor": _NAME,
    **{name: _own(name) for name in ("building", "role", "tile", "place")},
    **{name: _own(name) for name in ("good", "goods", "tiles")},
    "returned": _own("goods"),
    "source": enum("row", "stack", "quarries"),
    "post": enum("trading-house", "trading-post"),
    "onto": {
        "description": "The spaces of a cargo ship, wharf or small-wharf.",
        "type": "string",
        "pattern": "^([4-8]|wharf|small-wharf)$",
    },
    "what": {"type": "string", "pattern": "^([4-8]|trading-house)$"},
}
"""What facts of events are; others are numbers of things, or true or false."""
_OF_A_KIND: dict[tuple[type[Event], str], Schema] = {
    (Placed, "colonists"): _own("colonists"),
    (Scored, "reason"): _own("vp_reason"),
    (Scored, "vp"): {"type": "integer"},
    (Earned, "reason"): _own("doubloon_reason"),
    (Earned, "doubloons"): {"type": "integer"},
    (EndTriggered, "reason"): _own("end"),
    (RoundBegan, "round"): {"type": "integer", "minimum": 1},
}
"""Those that are something else in some kind of events."""


def _event(kind: type[Event]) -> Schema:
    facts = {"event": {"const": name_of(kind)}}
    for name, hint in kind.__annotations__.items():
        usual = _FACTS.get(name) or ({"type": "boolean"} if hint == "bool" else _COUNT)
        facts[KEYS.get(name, name)] = _OF_A_KIND.get((kind, name), usual)
    if kind is Built:
        paid = ("event", "player", "building", "price")
        facts = {key: facts[key] for key in paid}
        facts |= {"returned": _own("returned"), "colonist": {"type": "boolean"}}
    made = of_fields({}, facts)
    made["properties"]["auto"] = {"const": True}
    return made
