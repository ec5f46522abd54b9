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
    """Validate what a ``$ref`` refers to, unless just the same was valid before.

    Errors are yielded as they are found, so that a check for any of them stops at the first.
    """
    key = _key(ref, part)
    if key in _VALID:
        return
    valid = True
    for error in _PLAIN.VALIDATORS["$ref"](validator, ref, part, schema):
        valid = False
        yield error
    if valid:
        _VALID.add(key)


def _key(ref: str, part: Any) -> str:
    return f"{ref} {json.dumps(part)}"


def _was_valid(part: Any, schema: Any) -> bool:
    """Return whether there is nothing to do for a part; to make a validator for it takes longer."""
    return isinstance(schema, dict) and "$ref" in schema and _key(schema["$ref"], part) in _VALID


def _items(validator: Any, items: Any, part: Any, schema: Any) -> Iterator[Any]:
    if "prefixItems" in schema:
        yield from _PLAIN.VALIDATORS["items"](validator, items, part, schema)
        return
    for nth, each in enumerate(part if isinstance(part, list) else ()):
        if not _was_valid(each, items):
            yield from validator.descend(each, items, path=nth)


def _properties(validator: Any, properties: Any, part: Any, schema: Any) -> Iterator[Any]:
    for name, own in properties.items() if isinstance(part, dict) else ():
        if name in part and not _was_valid(part[name], own):
            yield from validator.descend(part[name], own, path=name, schema_path=name)


def _cannot_fit(part: Any, choice: Any) -> bool:
    """Tell whether a part lacks a word that is fixed in a choice, such as the name of an event."""
    return isinstance(part, dict) and any(
        "const" in own and name in part and part[name] != own["const"]
        for name, own in choice.get("properties", {}).items()
    )


def _one_of(validator: Any, choices: Any, part: Any, schema: Any) -> Iterator[Any]:
    """Look for all that is wrong with the choices only for who wants to know more than whether."""
    possible = [choice for choice in choices if not _cannot_fit(part, choice)]
    fitting = sum(validator.evolve(schema=choice).is_valid(part) for choice in possible)
    if fitting != 1:
        yield jsonschema.ValidationError(f"{fitting} of {len(choices)} choices fit")
        yield from _PLAIN.VALIDATORS["oneOf"](validator, choices, part, schema)


def _any_of(validator: Any, choices: Any, part: Any, schema: Any) -> Iterator[Any]:
    """Stop at the first choice that fits, and look for what is wrong only if none does."""
    if not any(validator.evolve(schema=choice).is_valid(part) for choice in choices):
        yield jsonschema.ValidationError(f"none of {len(choices)} choices fits")
        yield from _PLAIN.VALIDATORS["anyOf"](validator, choices, part, schema)


_Validator = jsonschema.validators.extend(
    _PLAIN,
    {
        "$ref": _once,
        "anyOf": _any_of,
        "oneOf": _one_of,
        "items": _items,
        "properties": _properties,
    },
)


@cache
def validator(name: str) -> Any:
    """Return what validates documents of a kind."""
    return _Validator({"$defs": CLOSED, "$ref": f"#/$defs/{name}"})
