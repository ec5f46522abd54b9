"""JSON documents, held against the schema of the package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import porto_cli

jsonschema = pytest.importorskip("jsonschema")

SCHEMA: Any = porto_cli.json_schema()
DOCUMENTS = {part["$ref"].removeprefix("#/$defs/") for part in SCHEMA["anyOf"]}


def validated(name: str, text: str) -> Any:
    """Return the document of a text, which has to be one of this kind."""
    assert name in DOCUMENTS
    assert text.count("\n") == 1, "a document is a line"
    found = json.loads(text)
    validator(name).validate(found)
    return found


def closed(part: Any) -> Any:
    """Return a schema in which no object has keys that are not described.

    The one in the package lets them pass, because documents may get more keys.
    """
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    whole = {key: closed(each) for key, each in part.items()}
    if part.get("type") == "object" and "properties" in part:
        whole["additionalProperties"] = False
    return whole


CLOSED = closed(SCHEMA["$defs"])

_PLAIN = jsonschema.Draft202012Validator
_VALID: set[str] = set()
"""Parts that were valid before: the same houses, cards and moves are in document after document."""


def _once(validator: Any, ref: str, part: Any, schema: Any) -> Iterator[Any]:
    """Validate what a ``$ref`` refers to, unless just the same was valid before."""
    key = f"{ref} {json.dumps(part)}"
    if key not in _VALID:
        errors = list(_PLAIN.VALIDATORS["$ref"](validator, ref, part, schema))
        if not errors:
            _VALID.add(key)
        yield from errors


_Validator = jsonschema.validators.extend(_PLAIN, {"$ref": _once})


@cache
def validator(name: str) -> Any:
    """Return what validates documents of a kind."""
    return _Validator({"$defs": CLOSED, "$ref": f"#/$defs/{name}"})
