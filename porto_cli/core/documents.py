"""JSON documents: what all of them have in common, and those that belong to no game.

Every document is described in porto-json(5) and by the schema in ``porto_cli/schemas``. The
version of a document is the one of the format of records.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from porto_cli.core.printable import NOT_PRINTABLE

if TYPE_CHECKING:
    from porto_cli.core.message import Sentence
    from porto_cli.core.ruling import Ruling

FORMAT = 1
"""The version of the documents."""


def document(**fields: object) -> dict[str, object]:
    """Return a document with its version."""
    return {"porto": FORMAT, **fields}


def json_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of the documents; each has a definition in ``$defs``.

    These are ``show``, ``moves``, ``hint``, ``log``, ``verify``, ``rules``, ``scenario``,
    ``tournament``, ``games``, ``key`` and ``me``, called like their commands, ``report`` of the
    commands that make a move, ``standings`` of ``porto score``, ``analysis`` of ``porto analyze``,
    ``simulation`` of a line of ``porto simulate``, ``addresses`` of ``porto address``, and
    ``error``. What games show differs: ``show`` is ``porto-show`` or ``puerto-rico-show``.
    """
    import json

    text = (Path(__file__).parents[1] / "schemas" / "porto-1.schema.json").read_text("utf-8")
    found: dict[str, object] = json.loads(text)
    return found


def dumps(thing: object, *, ascii_only: bool = False) -> str:
    """Return a document as one line of JSON, in which nothing steers the terminal."""
    import json

    text = json.dumps(thing, ensure_ascii=ascii_only)
    if text.isprintable():
        return text
    import re

    return re.sub(NOT_PRINTABLE, lambda match: json.dumps(match.group())[1:-1], text)


def rulings_json(found: Iterable[Ruling]) -> dict[str, object]:
    """Return rulings."""
    return document(rulings=[one._asdict() for one in found])


def error_json(
    text: str,
    code: int,
    rulings: Iterable[tuple[str, Sentence]],
    suggestions: Iterable[str],
) -> dict[str, object]:
    """Return why a command has failed: with which exit code, and which commands would be right."""
    return document(
        error=text,
        exit=code,
        rulings=[{"id": rule, "sentence": str(sentence)} for rule, sentence in rulings],
        suggestions=list(suggestions),
    )
