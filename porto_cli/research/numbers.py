"""What a seat sees as a row of numbers, made of the document that shows it and of its JSON schema.

Keys and names stand in the order of the schema; the players in the order of play, who looks first.

* A number is one number, and so is what is true or false.
* One of several names, or of the players, is as many numbers: 1 for that one, 0 for the others.
* A list of names is how many there are of each.
* A list in order, of no more than so many things, is one thing after the other.
* An object is what its keys hold; where names are the keys, one after the other.
* What is absent, or unknown, is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from porto_cli.core.documents import Schema

MOST = 255
"""The largest number in a row, which stands for all that are larger as well."""
_BYTES = [bytes([number]) for number in range(MOST + 1)]


class Row(NamedTuple):
    """The numbers that something is made into: of values with the same type always as many."""

    most: bytes
    """The largest that each of them can be."""
    read: Callable[[Any], bytes]
    """Returns the numbers of a value. Values of documents are any JSON values."""
    parts: Mapping[str, Row] = {}
    """What they consist of, in order, where there are names for that."""

    @property
    def size(self) -> int:
        """How many numbers they are."""
        return len(self.most)

    def places(self, first: int = 0, path: str = "") -> dict[str, slice]:
        """Return where each part stands, and each part of it: ``players``, ``players.0``, …"""
        found = {}
        for name, part in self.parts.items():
            found[path + name] = slice(first, first + part.size)
            found |= part.places(first, f"{path}{name}.")
            first += part.size
        return found


@dataclass(frozen=True)
class Rows:
    """Makes rows of the definitions of a schema."""

    definitions: Mapping[str, Schema]
    players: Sequence[str]
    """In the order of their seats."""
    first: int
    """The seat of who looks."""
    bounds: Mapping[str, int]
    """By keys, and by names of definitions: the largest number, or the length of a list in order.
    Where neither this nor the schema says one, a number is at most :data:`MOST`."""
    without: Collection[str]
    """Keys that are left out."""

    def row(self, schema: Schema, key: str = "") -> Row:
        """Return the row of a schema, that of a key. Raises ValueError if it has no numbers."""
        schema, name = self._resolved(schema)
        if "anyOf" in schema:
            (some,) = (one for one in schema["anyOf"] if one.get("type") != "null")
            return self.row(some, key)
        if names := self._names(schema):
            row = _of_names(names, 1, lambda value: {value: 1})
            return row._replace(read=cache(row.read))
        kind = schema.get("type")
        if kind in ("boolean", "integer"):
            bound = self.bounds.get(key, self.bounds.get(name, MOST))
            most = 1 if kind == "boolean" else schema.get("maximum", bound)
            return Row(bytes([most]), lambda number: _BYTES[number if number < MOST else MOST])
        if kind == "array":
            return self._list(schema, key)
        if "properties" in schema:
            keys = [one for one in schema["required"] if one not in self.without]
            parts = {one: self.row(schema["properties"][one], one) for one in keys}
            return _in_order(parts, lambda seen: map(seen.get, keys))
        if "additionalProperties" in schema:
            return self._mapping(schema, key)
        raise ValueError(f"There are no numbers of {key!r}: {schema}.")

    def _resolved(self, schema: Schema) -> tuple[Schema, str]:
        """Return what a schema refers to, and the last name by which it does."""
        name = ""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self.definitions[name]
        return schema, name

    def _names(self, schema: Schema) -> Sequence[Any]:
        """Return the values of which this is one; a text that can be any is a player's name."""
        if "enum" in schema:
            return list(schema["enum"])
        if schema.get("type") == "string":
            return self._from_first(self.players)
        return ()

    def _from_first(self, seats: Sequence[Any]) -> Sequence[Any]:
        """Return what belongs to the seats in the order of play, that of who looks first."""
        return [*seats[self.first :], *seats[: self.first]]

    def _list(self, schema: Schema, key: str) -> Row:
        items, name = self._resolved(schema["items"])
        if key == "players":
            return _in_order(_each(self.row(items, name), len(self.players)), self._from_first)
        longest = schema.get("maxItems", self.bounds.get(key))
        if longest:
            return _in_order(_each(self.row(items, key), longest), iter)
        names = self._names(items) or range(1, items["maximum"] + 1)
        return _of_names(names, self.bounds.get(name, 1), Counter)

    def _mapping(self, schema: Schema, key: str) -> Row:
        """Return the row of an object by names; without those, of as many as there can be."""
        each = self.row(schema["additionalProperties"], key)
        names = self._names(self._resolved(schema.get("propertyNames", {}))[0])
        if not names:
            return _in_order(_each(each, self.bounds[key]), lambda seen: seen.values())
        parts = dict.fromkeys(names, each)
        if each.size == 1:
            return _of_names(names, each.most[0], dict)._replace(parts=parts)
        return _in_order(parts, lambda seen: map(seen.get, names))


def _each(each: Row, longest: int) -> dict[str, Row]:
    return dict.fromkeys(map(str, range(longest)), each)


def _of_names(names: Sequence[Any], most: int, counted: Callable[[Any], Mapping[Any, int]]) -> Row:
    """Return the row of how many of each name a value has."""
    places = {name: nth for nth, name in enumerate(names)}

    def read(value: Any) -> bytes:
        numbers = bytearray(len(places))
        for name, number in counted(value).items():
            numbers[places[name]] = number if number < MOST else MOST
        return bytes(numbers)

    return Row(bytes([most]) * len(places), read)


def _in_order(parts: Mapping[str, Row], things: Callable[[Any], Iterable[Any]]) -> Row:
    """Return the row of the things of a value, one part after the other; of fewer things the last
    parts are 0.
    """
    most = b"".join([row.most for row in parts.values()])
    reads, nothing = (
        [row.read for row in parts.values()],
        [bytes(row.size) for row in parts.values()],
    )

    def read(value: Any) -> bytes:
        each = zip(reads, nothing, things(value), strict=False)
        numbers = [none if thing is None else of(thing) for of, none, thing in each]
        return b"".join(numbers).ljust(len(most), b"\0")

    return Row(most, read, parts)
