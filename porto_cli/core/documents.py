"""JSON documents: what they have in common, and those that belong to no game.

Every document is described in porto-json(5) and by :func:`porto_cli.json_schema`. The
version of a document is that of the record format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from porto_cli.core.characters import NOT_PRINTABLE

if TYPE_CHECKING:
    from porto_cli.core.ruling import Ruling

FORMAT = 1
"""The version of the documents."""


def document(**fields: Any) -> dict[str, Any]:
    """Return a document with its version."""
    return {"porto": FORMAT, **fields}


def dumps(thing: object, *, ascii_only: bool = False) -> str:
    """Return a document as one line of JSON, with control characters escaped."""
    import json

    text = json.dumps(thing, ensure_ascii=ascii_only)
    if text.isprintable():
        return text
    return re.sub(NOT_PRINTABLE, lambda match: json.dumps(match.group())[1:-1], text)


def rulings_json(found: Iterable[Ruling]) -> dict[str, object]:
    """Return the document of rulings."""
    return document(rulings=[one._asdict() for one in found])


def error_json(
    text: str,
    code: int,
    rulings: Iterable[tuple[str, str]],
    suggestions: Iterable[str],
) -> dict[str, object]:
    """Return the document of a failed command: why, its exit code, and commands that would work."""
    return document(
        error=text,
        exit=code,
        rulings=[{"id": rule, "sentence": sentence} for rule, sentence in rulings],
        suggestions=list(suggestions),
    )
