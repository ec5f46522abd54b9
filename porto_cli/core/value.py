"""Values: small immutable objects compared by their class and contents.

Moves and events are values: named tuples, because many places hold the same one. The
``NamedTuple`` of this module is that of :mod:`typing`, but cheaper to define.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

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


# typing.NamedTuple compiles the annotation of every field, which is most of the time that defining
# a class takes. A move defines forty of them: with typing's, `porto draw` takes 6 % more
# instructions, and `porto show` 9 %.
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Meta(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = list(body.get("__annotations__", ()))
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, member in body.items():
                if key not in fields:
                    setattr(made, key, member)
            return made

    def NamedTuple() -> None:  # noqa: N802
        """Base of a named tuple; see :class:`typing.NamedTuple`."""

    _BASE = type.__new__(_Meta, "NamedTuple", (), {})
    NamedTuple.__mro_entries__ = lambda bases: (_BASE,)
