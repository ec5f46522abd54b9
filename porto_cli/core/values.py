"""Values: small immutable objects that games are made of, compared by their class and contents; and
how documents and messages show them.

Moves and events are named tuples, because many places hold the same one. A table is a
:class:`Struct`: it is made step by step and then left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar, get_type_hints

from porto_cli.core.characters import NOT_PRINTABLE

ValueT = TypeVar("ValueT", bound=type[tuple[Any, ...]])


def value(cls: ValueT) -> ValueT:
    """Make a named tuple equal to values of its own class only, and true even without fields.

    A plain named tuple equals every tuple with the same contents: a draw would equal a claim.
    """
    cls.__eq__ = _equal  # type: ignore[method-assign]
    cls.__ne__ = _unequal  # type: ignore[assignment]
    cls.__hash__ = _hash  # type: ignore[method-assign]
    cls.__bool__ = _true  # type: ignore[attr-defined]
    return cls


def _equal(self: tuple[Any, ...], other: object) -> bool:
    return type(other) is type(self) and tuple.__eq__(self, other)


def _unequal(self: tuple[Any, ...], other: object) -> bool:
    return not _equal(self, other)


def _hash(self: tuple[Any, ...]) -> int:
    return hash((type(self).__name__, *self))


def _true(self: tuple[Any, ...]) -> bool:
    return True


class Struct:
    """A table, or a player's part of it, with the attributes that its class declares. Two of one
    class with equal contents are equal.
    """

    not_compared: ClassVar[tuple[str, ...]] = ("config",)
    """Attributes that are not part of the contents."""

    def contents(self) -> dict[str, object]:
        """Return the attributes by name, without those ``not_compared``."""
        names = type(self).__annotations__
        return {name: getattr(self, name) for name in names if name not in self.not_compared}

    def copy(self) -> Self:
        """Return a shallow copy."""
        new = type(self)()
        new.__dict__ = self.__dict__.copy()
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.contents() == other.contents()

    __hash__ = None  # type: ignore[assignment]


class FieldSpec(NamedTuple):
    """How a field of moves and events appears in JSON documents; its type is annotated with this.

    ``schema``   its JSON Schema
    ``to_json``  returns the value there, given the one in the field, and the move or event
    ``key``      its key there, if that is not the name of the field
    ``is_seat``  whether it is a player, whose name is there

    A field whose type is not annotated is true or false.
    """

    schema: dict[str, Any]
    to_json: Callable[[Any, Any], Any] = lambda value, _: value
    key: str = ""
    is_seat: bool = False


Seat = Annotated[int, FieldSpec({"type": "string"}, key="player", is_seat=True)]
"""The player to whom something happens."""
_FLAG = FieldSpec({"type": "boolean"})


def defined(name: str) -> dict[str, Any]:
    """Return the schema of something that is defined by a name."""
    return {"$ref": f"#/$defs/{name}"}


@cache
def fields_of(kind: type) -> dict[str, FieldSpec]:
    """Return how each field of a kind of moves or events appears in documents."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: next(iter(getattr(hints[name], "__metadata__", ())), _FLAG) for name in hints}


def named_fields(event: Any) -> dict[str, Any]:
    """Return the fields of an event or a move, with names in place of numbers: ``tile: indigo``."""
    specs = fields_of(event.__class__)
    return {field: specs[field].to_json(fact, event) for field, fact in event._asdict().items()}


def json_fields(event: Any, players: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of an event or a move as documents have them."""
    specs = fields_of(event.__class__)
    return {
        specs[field].key or field: players[fact] if specs[field].is_seat else fact
        for field, fact in named_fields(event).items()
    }


def event_json(event: Any, config: Any) -> dict[str, Any]:
    """Return an event for documents: its name as ``event``, then its fields."""
    return {"event": event_name(type(event)), **json_fields(event, config.players)}


def event_repr(event: Any) -> str:
    """Return the repr of an event: ``<TookTile seat=0 tile=indigo source=row>``.

    What is false, an empty name, or an empty bundle is left out.
    """
    words = [type(event).__name__]
    for field, thing in named_fields(event).items():
        if isinstance(thing, bool):
            words += [field] if thing else []
        elif isinstance(thing, dict):
            some = (name if number == 1 else f"{name} {number}" for name, number in thing.items())
            words += [f"{field}='{' '.join(some)}'"] if thing else []
        elif thing != "":
            listed = ",".join(thing) if isinstance(thing, list) else thing
            words.append(f"{field}={'none' if listed in ('', None) else listed}")
    return f"<{' '.join(words)}>"


def event_name(kind: type) -> str:
    """Return what documents call a kind of events: ``took-tile`` for ``TookTile``, if the class
    does not say what it is ``called``.
    """
    return getattr(kind, "called", re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower())


# -- JSON documents

FORMAT = 1
"""The version of JSON documents, which is that of the record format."""


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
