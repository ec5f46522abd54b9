"""Values: small objects that hold a few facts and are told apart by them.

Moves and events are values. They are ordinary classes because thousands of them are made in the
blink of an eye, and because a command that plays one move should not spend its time on building
classes.
"""

from __future__ import annotations

from typing import Any


class Value:
    """Two values of one class with the same facts are equal. Treat them as read-only.

    A class names its facts, in the order of its arguments, in ``__match_args__``.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return the facts by name."""
        return {name: getattr(self, name) for name in self.__match_args__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.facts() == self.facts()

    def __hash__(self) -> int:
        return hash((type(self), *self.facts().values()))

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts().items())
        return f"{type(self).__name__}({facts})"
