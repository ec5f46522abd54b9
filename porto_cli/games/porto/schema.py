"""The JSON documents of the game, as far as their schema is made of what the game declares: the
table, events, kinds of moves. The others are in ``schema.json``.
"""

from __future__ import annotations

from typing import Any

from porto_cli.core.chance import kebab_name
from porto_cli.core.documents import Schema, definitions, enum, of_fields
from porto_cli.games.porto.engine.events import EVENTS, Event, Scored, facts_of
from porto_cli.games.porto.engine.play import VERBS
from porto_cli.games.porto.events import ScoredFacts
from porto_cli.games.porto.view import Show


def own_definitions() -> dict[str, Schema]:
    """Return the definitions, by their names."""
    return {
        **definitions({"porto-show": Show}),
        "kind": enum(*VERBS),
        "event": {"description": "Something that happened.", "oneOf": [*map(_event, EVENTS)]},
    }


def _event(kind: type[Event]) -> Schema:
    facts: dict[str, Any] = facts_of(ScoredFacts if kind is Scored else kind)
    named = {"player" if field == "seat" else field: hint for field, hint in facts.items()}
    return of_fields(named, {"event": {"const": kebab_name(kind)}})
