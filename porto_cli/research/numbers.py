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
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from porto_cli.core.documents import Schema

MOST = 255
"""The largest number in a row, which stands for all that are larger as well."""
_KEPT = 1 << 12
"""Values of each kind of which the numbers are kept, as neighboring tables have most in common."""
_BYTES = [bytes([number]) for number in range(MOST + 1)]

# Values of documents are any JSON values.
Read = Callable[[Any], bytes | bytearray]


class Row(NamedTuple):
    """The numbers that something is made into: of values with the same type always as many."""

    most: bytes
    """The largest that each of them can be."""
    read: Read
    """Returns the numbers of a value."""
    told: str
    """What the numbers are, in words."""
    parts: Mapping[str, Row] = {}
    """What they consist of, in order, where there are names for that."""
    plain: bool = False
    """Whether the values are numbers or names, so that their numbers can be kept by them."""

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
            return _or_nothing(self.row(some, key))
        names = self._names(schema)
        if names:
            return _one_of(names)
        kind = schema.get("type")
        if kind == "boolean":
            return Row(b"\1", _BYTES.__getitem__, "0 or 1", plain=True)
        if kind == "integer":
            most = schema.get("maximum", self.bounds.get(key, self.bounds.get(name, MOST)))
            return Row(bytes([most]), _number, f"up to {most}", plain=True)
        if kind == "array":
            return self._list(schema, key)
        if "properties" in schema:
            parts = {
                one: self.row(schema["properties"][one], one)
                for one in schema["required"]
                if one not in self.without
            }
            return _object(parts)
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
            return [*self.players[self.first :], *self.players[: self.first]]
        return ()

    def _list(self, schema: Schema, key: str) -> Row:
        items, name = self._resolved(schema["items"])
        if key == "players":
            each, first = self.row(items, name), self.first
            return _in_order(each, len(self.players), lambda seen: (*seen[first:], *seen[:first]))
        longest = schema.get("maxItems", self.bounds.get(key))
        if longest:
            return _in_order(self.row(items, key), longest)
        names = self._names(items) or range(1, items["maximum"] + 1)
        return _how_many(names, self.bounds.get(name, 1))

    def _mapping(self, schema: Schema, key: str) -> Row:
        """Return the row of an object by names; without those, of as many as there can be."""
        each = self.row(schema["additionalProperties"], key)
        names = self._names(self._resolved(schema.get("propertyNames", {}))[0])
        if not names:
            return _in_order(each, self.bounds[key], lambda seen: seen.values())
        if each.size == 1:
            return _number_of_each(names, each)
        row = _in_order(_or_nothing(each), len(names), lambda seen: map(seen.get, names))
        return row._replace(parts=dict.fromkeys(names, each))


def _number(number: int) -> bytes:
    return _BYTES[number if number < MOST else MOST]


def _or_nothing(row: Row) -> Row:
    none, read = bytes(row.size), row.read
    return row._replace(read=lambda value: none if value is None else read(value))


def _one_of(names: Sequence[Any]) -> Row:
    numbers = {
        name: bytes(each == nth for each in range(len(names))) for nth, name in enumerate(names)
    }
    return Row(b"\1" * len(names), numbers.__getitem__, f"one of {len(names)}", plain=True)


def _how_many(names: Sequence[Any], most: int) -> Row:
    told = f"how many of each of {len(names)}" if most > 1 else f"which of {len(names)}"
    return Row(bytes([most]) * len(names), _by_names(names, Counter), told)


def _number_of_each(names: Sequence[str], each: Row) -> Row:
    told, parts = f"{each.told} for each of {len(names)}", dict.fromkeys(names, each)
    return Row(each.most * len(names), _by_names(names), told, parts)


def _by_names(
    names: Sequence[Any], counted: Callable[[Any], Mapping[Any, int]] = lambda value: value
) -> Read:
    """Return what reads the number of each name."""
    index = {name: nth for nth, name in enumerate(names)}

    def read(value: Any) -> bytearray:
        numbers = bytearray(len(index))
        for name, number in counted(value).items():
            numbers[index[name]] = number if number < MOST else MOST
        return numbers

    return read


def _in_order(each: Row, longest: int, things: Callable[[Any], Iterable[Any]] = iter) -> Row:
    """Return the row of things one after the other, those of a value."""
    size, read = longest * each.size, each.read
    return Row(
        each.most * longest,
        lambda value: b"".join([read(one) for one in things(value)]).ljust(size, b"\0"),
        f"{longest} × ({each.told})" if each.parts else f"{longest} × {each.told}",
        dict.fromkeys(map(str, range(longest)), each),
    )


def _object(parts: Mapping[str, Row]) -> Row:
    reads = [row.read for row in parts.values()]
    most = b"".join([row.most for row in parts.values()])
    told = ", ".join(f"{name} {row.size}" for name, row in parts.items())

    def joined(values: Sequence[Any]) -> bytes:
        return b"".join([read(value) for read, value in zip(reads, values, strict=True)])

    if len(parts) == 1:
        (name,) = parts
        return Row(most, lambda seen: reads[0](seen[name]), told, parts)
    values_of: Callable[[Any], Any] = itemgetter(*parts)
    numbers = lru_cache(_KEPT)(joined) if all(row.plain for row in parts.values()) else joined
    return Row(most, lambda seen: numbers(values_of(seen)), told, parts)
