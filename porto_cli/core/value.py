"""Values: small immutable objects compared by their class and contents.

Moves and events are values: named tuples, because many places hold the same one.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

T = TypeVar("T", bound=type[tuple[Any, ...]])


def value(cls: T) -> T:
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


def kebab_name(cls: type) -> str:
    """Return the name of a class in words: ``took-tile`` of ``TookTile``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
