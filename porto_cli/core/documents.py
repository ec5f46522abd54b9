"""JSON Schema made from types, so that the contents of a document are declared once: where it is
made.

Every document is described in porto-json(5) and by ``porto_cli.json_schema``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from porto_cli.core.values import event_name, fields_of

# A document is a ``typing.TypedDict`` for the type checker, and a ``Declared`` here, which is
# created fast, so a command that shows a table does not wait for its types. Its keys have plain
# types, ``X | None``, ``list[X]``, ``dict[K, X]``, ``Literal[…]``, or other such classes, which
# become definitions. ``Annotated`` adds a sentence that describes a key, or keywords of a schema,
# such as the minimum of a number.

Schema = dict[str, Any]
"""A schema, as a tree of JSON values."""


class Keywords(dict[str, Any]):
    """Keywords of a schema, to annotate a type."""

    # Only a hashable object can be in a union of types.
    __hash__ = object.__hash__  # type: ignore[assignment]


_PLAIN: Mapping[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    NoneType: "null",
}


class Declared:
    """What a document holds: its keys and their types."""


Count = Annotated[int, Keywords(minimum=0)]
"""A number of things."""
Positive = Annotated[int, Keywords(minimum=1)]
"""A number that is at least 1."""


def ref(name: str) -> Keywords:
    """Return a reference to the schema with this name."""
    return Keywords({"$ref": f"#/$defs/{name}"})


def enum(*values: str) -> Keywords:
    """Return the schema of a word that is one of these."""
    return Keywords(enum=list(values))


if TYPE_CHECKING:
    from typing import TypedDict
else:
    TypedDict = Declared


class ShownTable(TypedDict):
    """What porto show --format json adds to the table of any game."""

    porto: Annotated[int, ref("version")]
    title: str
    bots: NotRequired[Annotated[dict[str, str], ref("bots")]]
    holders: NotRequired[Annotated[dict[str, str | None], ref("holders")]]
    fingerprint: Annotated[str, ref("fingerprint")]
    digest: Annotated[str, ref("digest")]


def definitions(documents: Mapping[str, Any], prefix: str = "") -> dict[str, Schema]:
    """Return the definitions of documents, by name, and of all classes in them.

    The name of a class is ``prefix`` and its own in lower case, without ``Seen`` at its end:
    ``face_up_contract`` for ``FaceUpContract``, ``player`` for ``PlayerSeen``.
    """
    found: dict[str, Schema] = {}
    for name, document in documents.items():
        _define(name, document, prefix, found)
    return found


def of_fields(hints: Mapping[str, Any], known: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object with the ``known`` keys, then keys with these types; all are
    required.
    """
    properties = {**known, **{key: _schema(hint, "", {}) for key, hint in hints.items()}}
    return {"type": "object", "properties": properties, "required": list(properties)}


def of_event(kind: type) -> Schema:
    """Return the schema of a kind of events, see :func:`porto_cli.core.values.event_json`."""
    specs = fields_of(kind)
    facts = {specs[field].key or field: specs[field].schema for field in kind.__annotations__}
    return of_fields({}, {"event": {"const": event_name(kind)}, **facts})


def _define(name: str, kind: Any, prefix: str, found: dict[str, Schema]) -> None:
    found[name] = {}
    hints = get_type_hints(kind, include_extras=True)
    found[name] = {
        "type": "object",
        "properties": {key: _schema(hint, prefix, found) for key, hint in hints.items()},
        "required": [key for key in hints if get_origin(hints[key]) is not NotRequired],
        **_about(kind.__doc__),
    }


def _about(text: str | None) -> Schema:
    return {"description": " ".join(text.split())} if text else {}


def _schema(hint: Any, prefix: str, found: dict[str, Schema]) -> Schema:
    """Return the schema of a type; classes in it are added to ``found``."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(hint, prefix, found)
    if origin is NotRequired:
        return _schema(inside[0], prefix, found)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one, prefix, found) for one in inside]}
    if origin is Literal:
        return enum(*inside)
    if origin is list:
        return {"type": "array", "items": _schema(inside[0], prefix, found)}
    if origin is dict:
        key, value = (_schema(one, prefix, found) for one in inside)
        names = {} if key == {"type": "string"} else {"propertyNames": key}
        return {"type": "object", **names, "additionalProperties": value}
    if isinstance(hint, type) and issubclass(hint, Declared):
        own = hint.__name__.removesuffix("Seen")
        name = prefix + re.sub("(?<=[a-z])(?=[A-Z])", "_", own).lower()
        if name not in found:
            _define(name, hint, prefix, found)
        return ref(name)
    return {"type": _PLAIN[hint]}


def _annotated(hint: Any, prefix: str, found: dict[str, Schema]) -> Schema:
    plain, *notes = get_args(hint)
    made: Schema = {}
    for note in notes:
        made |= _about(note) if isinstance(note, str) else note
    # A note with a complete schema replaces that of the type.
    is_whole = {"$ref", "enum", "anyOf", "type"} & made.keys()
    return made if is_whole else _schema(plain, prefix, found) | made
