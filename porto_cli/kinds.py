"""Kinds of values: how each is read from a file, and written in the words of the notation.

Kinds are composed of kinds: the cards of each player are ``by(SEAT, many(CARD))``. Tables of kinds
by keys describe a game's records, the settings, and positions (:mod:`porto_cli.fields`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Union

from porto_cli.core import cited, no_player
from porto_cli.core.yaml import Node, flow, scalar

NONE = "none"
"""The word for nothing."""

Plain = Union[str, int, tuple["Plain", ...], dict[str, "Plain"]]  # noqa: UP007 - it is recursive
"""What a kind writes: words, numbers and ``True``; lists of them; and mappings of all of these."""


class Digits(str):
    """A key that is a number, written without the quotes that a name of digits needs."""

    __slots__ = ()


class Kind(NamedTuple):
    """How a value is read and, by default unchanged, written, given the configuration of a game.

    Reading raises InvalidFileError.
    """

    read: Callable[[Node, Any], Any]
    write: Callable[[Any, Any], Plain] = lambda value, config: value


# -- Kinds


def number(least: int = 0, most: int = 999) -> Kind:
    """A whole number."""
    return Kind(lambda node, config: node.number(least, most))


def word(*words: str) -> Kind:
    """One of these words."""
    return Kind(lambda node, config: node.one_of(words))


def parsed(parse: Callable[[str], Any], written: Callable[[Any], str]) -> Kind:
    """A value that ``parse`` reads, as in a move."""
    return Kind(lambda node, config: node.parsed(parse), lambda value, config: written(value))


def name(parse: Callable[[str], int], names: Sequence[str]) -> Kind:
    """Something that has a name."""
    return parsed(parse, names.__getitem__)


def maybe(kind: Kind, nothing: object) -> Kind:
    """A value of another kind, or ``none``, which is read as ``nothing``."""
    return Kind(
        lambda node, config: nothing if node.value == NONE else kind.read(node, config),
        lambda value, config: NONE if value == nothing else kind.write(value, config),
    )


def many(
    kind: Kind,
    made: Callable[[list[Any]], Any] = bytes,
    *,
    count: int | None = None,
    empty: int | None = None,
    once: bool = False,
) -> Kind:
    """A list. ``made`` turns its items into what a state has: bytes, or a tuple in no order.

    ``count`` is the required number of items; ``empty`` is the value of the item ``none``; with
    ``once`` no item may be repeated.
    """
    one = kind if empty is None else maybe(kind, empty)

    def read(node: Node, config: Any) -> Any:
        items = node.items()
        if count is not None and len(items) != count:
            hint = "" if empty is None else " ('none' for an empty space)"
            node.fail(f"{cited(node.name)} needs {count} names{hint}, not {len(items)}.")
        values: list[Any] = []
        for item in items:
            value = one.read(item, config)
            if once and value in values:
                item.fail(f"{cited(item.text())} is listed a second time.")
            values.append(value)
        return made(values)

    return Kind(read, lambda values, config: tuple(one.write(value, config) for value in values))


def drawn(kind: Kind, pile: bytes) -> Kind:
    """A thing from a pile. Each reading takes one, and fails if none is left."""
    taken: list[int] = []

    def read(node: Node, config: Any) -> int:
        thing: int = kind.read(node, config)
        taken.append(thing)
        if taken.count(thing) > pile.count(thing):
            node.fail(f"The box has only {pile.count(thing)} of {node.text()}.")
        return thing

    return Kind(read, kind.write)


def set_of(kind: Kind) -> Kind:
    """A list of things, each at most once, which a state holds as bits."""
    items = many(kind, lambda values: sum(1 << value for value in values), once=True)
    return Kind(items.read, lambda bits, config: items.write(bits_of(bits), config))


def bits_of(bits: int) -> list[int]:
    """Return the numbers of the bits that are set."""
    return [one for one in range(bits.bit_length()) if bits >> one & 1]


def by(key: Kind, value: Kind, required: Collection[str] = ()) -> Kind:
    """A mapping, like the things of each player; ``required`` are keys that it needs."""

    def read(node: Node, config: Any) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for text, inner in node.mapping().items():
            place = node.keys[text]
            named = key.read(place, config)
            if named in found:
                place.fail(f"{cited(text)} is listed a second time.")
            found[named] = value.read(inner, config)
        node.mapping(required)
        return found

    return Kind(
        read,
        lambda found, config: {
            _as_key(key.write(named, config)): value.write(inner, config)
            for named, inner in found.items()
        },
    )


def _as_key(plain: Plain) -> str:
    return Digits(plain) if isinstance(plain, int) else str(plain)


NUMBER = number()
FLAG = Kind(lambda node, config: node.flag())
TITLE = Kind(lambda node, config: node.title())


def _seat(node: Node, config: Any) -> int:
    if node.text() in config.players:
        seat: int = config.players.index(node.text())
        return seat
    node.fail(no_player(node.text(), config.players))


SEAT = Kind(_seat, lambda seat, config: config.players[seat])
"""A player, by the full name."""


# -- Reading and writing keys


def read_all(
    kinds: Mapping[str, Kind], node: Node, config: Any = None, required: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the values of a mapping by keys. All keys but those ``required`` may be missing.

    Raises InvalidFileError.
    """
    optional = [key for key in kinds if key not in required]
    found = node.mapping(required, optional)
    return {key: kinds[key].read(inner, config) for key, inner in found.items()}


def words(plain: Plain, brackets: str = "") -> str:
    """Return what a kind has written as words; with ``brackets`` a list is put in brackets."""
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, tuple):
        if brackets:
            return f"[{', '.join(map(words, plain))}]"
        return " ".join(map(words, plain))
    return str(plain)


def key_of(name: str) -> str:
    """Return a key as YAML."""
    return name if isinstance(name, Digits) else scalar(name)


def as_yaml(plain: Plain) -> str:
    """Return a value as YAML on one line, with quotes where needed."""
    if isinstance(plain, dict):
        return flow({key_of(one): as_yaml(inner) for one, inner in plain.items()})
    if isinstance(plain, tuple):
        return f"[{', '.join(map(as_yaml, plain))}]"
    return scalar(plain) if isinstance(plain, str) else words(plain)


def canonical_lines(
    kinds: Mapping[str, Kind], values: Mapping[str, Any], config: Any = None
) -> list[str]:
    """Return values by their keys as the lines of YAML that digests cover."""
    return [f"{key}: {as_yaml(kinds[key].write(one, config))}" for key, one in values.items()]
