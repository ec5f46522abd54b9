"""What all kinds of moves have in common: plain values, shown in the words of the notation.

Moves do not say who makes them. Cards are named by the *space* they lie in (counted from 0),
because that is what decides which spaces are empty afterwards. A card that was named but does not
lie there is kept in ``named``, so that the rules and not the parser reject it; in a legal move it
is empty.

A move that was parsed, or is one of the legal moves, is well-formed. One that a program built may
name a space twice, out of order, or one that does not exist; what is wrong with its ``form`` is
said before any rule is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from porto_cli.core.chance import value
from porto_cli.core.message import InvalidMoveError, Refusals, shown, whole_number

T = TypeVar("T", bound=type[tuple[Any, ...]])


def move(verb: str, *phases: str) -> Callable[[T], T]:
    """Return what makes a named tuple a move of a verb that the player to move can make in some
    phases: a value that is shown in the words of the notation, without a table. It says its words
    as ``shown``, also where it is wrong in any way.
    """

    def made(cls: T) -> T:
        cls.verb, cls.phases = verb, phases  # type: ignore[attr-defined]
        cls.__repr__ = lambda self: f"<{' '.join([cls.__name__, *self.shown()])}>"  # type: ignore[method-assign,attr-defined]
        cls.__str__ = lambda self: " ".join([verb, *self.shown()])  # type: ignore[method-assign,attr-defined]
        return value(cls)

    return made


def name_in(names: Sequence[str], index: object) -> str:
    """Return the name of a number; what has no name is shown as it is."""
    if isinstance(index, int) and 0 <= index < len(names):
        return names[index]
    return f"?{index!r}"


class Places(NamedTuple):
    """The places that a kind of moves names: the ruling, how many there are, the names of the
    things there, what a place is called, and where it is.
    """

    rule: str
    spaces: int
    names: Sequence[str]
    called: str
    where: str
    sign: str = ""

    def shown(self, places: Iterable[object], named: Iterable[object]) -> list[str]:
        """Return places, counted from 1, and things that are named instead."""
        words = [
            f"{self.sign}{place + 1 if isinstance(place, int) else f'?{place!r}'}"
            for place in places
        ]
        return words + [name_in(self.names, thing) for thing in named]

    def numbered(self, number: str, word: str) -> int:
        """Return the place of a number in a word. Raises InvalidMoveError."""
        place = whole_number(number) - 1
        if 0 <= place < self.spaces:
            return place
        hint = f", as in {self.names[0]}{self.sign}{self.spaces}" if self.sign else ""
        where = f"{self.where} 1 to {self.spaces}{hint}"
        raise InvalidMoveError(f"{shown(word)} is not a {self.called}; {where}.")

    def form(self, one: Any, *, hidden: bool = False) -> Refusals:
        """Return what is wrong with a move whatever the position; to name a place twice is not.

        Raises TypeError and ValueError for anything but places and things.
        """
        places, named = one
        demand(one, (places, None), (named, None if hidden else len(self.names)))
        for place in places:
            if not 0 <= place < self.spaces:
                said = f"There is no {self.called} {place + 1}; {self.where} 1 to {self.spaces}."
                yield self.rule, said
        if any(list(some) != sorted(some) for some in one):
            yield self.rule, f"Name the {self.called}s in ascending order."


def demand(one: Any, *fields: tuple[Any, int | None]) -> None:
    """Demand whole numbers, and that each card, contract and house is one of so many.

    Raises TypeError, ValueError.
    """
    what = f"{tuple(one)} is no {type(one).__name__}"
    for numbers, _ in fields:
        if type(numbers) is not tuple or any(type(number) is not int for number in numbers):
            raise TypeError(f"{what}: it takes whole numbers.")
    for numbers, count in fields:
        for number in numbers:
            if count is not None and not 0 <= number < count:
                raise ValueError(f"{what}: {number} is not one of 0 to {count - 1}.")


def spaces_in_order(things: Iterable[int], row: bytes) -> tuple[int, ...]:
    """Return the spaces in which things lie, or none if they do not lie in this order."""
    spaces: tuple[int, ...] = ()
    last = -1
    for thing in things:
        space = row.find(thing)
        if space <= last:
            return ()
        spaces += (space,)
        last = space
    return spaces
