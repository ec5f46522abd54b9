"""How keys of positions are read that every game has: by name, and of players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import Mapping, Node
from porto_cli.game import Config

Read = Callable[[Node, str, Config, Reader], Any]
"""Reads what stands under a key. Raises InvalidFileError."""


def read_by(name: Callable[[str, Node, Config, Reader], int], value: Read) -> Read:
    """Return what reads a mapping; ``name`` reads its keys, ``value`` its values."""

    def read(node: Node, what: str, config: Config, reader: Reader) -> dict[int, Any]:
        mapping = reader.mapping(node, what)
        found: dict[int, Any] = {}
        for key, entry in mapping.entries.items():
            where = mapping.keys[key]
            named = name(key, where, config, reader)
            if named in found:
                reader.fail(where, say("{name} stands here a second time.", name=key))
            found[named] = value(entry, key, config, reader)
        return found

    return read


def read_seat(name: str, node: Node, config: Config, reader: Reader) -> int:
    """Return the seat of a player who is named in full. Raises InvalidFileError."""
    if name in config.players:
        seat: int = config.players.index(name)
        return seat
    reader.fail(
        node,
        say(
            "Nobody is called {name!r} here; the players are {players}.",
            name=name,
            players=", ".join(config.players),
        ),
    )


def nearest(node: Mapping, key: str, entry: str = "") -> Node:
    """Return the node of a key, or of an entry below it, as near as the file has one."""
    found: Node = node.entries.get(key, node)
    if entry and isinstance(found, Mapping):
        for name, value in found.entries.items():
            if name.casefold() == entry.casefold():
                return value
    return found
