"""Items of a record that are no turns: orders, and who plays a seat from there on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

SEAT = "seat "
"""How the text of an item begins that says who plays a seat."""


def begins_with(text: str, word: str) -> bool:
    """Return whether the text of an item begins with a word, such as ``SEAT``, in any case."""
    return text[: len(word)].lower() == word


class Declaration(NamedTuple):
    """An item that is no turn: an order of a player, or who plays a seat from here on.

    ``item``   its place in ``record.items``
    ``place``  how many steps come before it
    ``what``   a :class:`porto_cli.match.orders.Order`, or a
               :class:`porto_cli.match.sitting.Sitting`
    ``turn``   how many turns were over
    ``held``   who plays each seat after it: a :class:`porto_cli.match.sitting.Holder` each; empty
               as long as no item has said anything about a seat
    """

    item: int
    seat: int
    place: int
    entries: tuple[tuple[str, str], ...]
    what: Any
    turn: int = 0
    held: tuple[Any, ...] = ()

    @property
    def sits(self) -> bool:
        """Whether it says who plays a seat."""
        return any(text.startswith(SEAT) for _, text in self.entries[:1])


def held_at(declarations: Sequence[Declaration], place: int | None = None) -> tuple[Any, ...]:
    """Return who plays each seat before the step at a place, by default now; empty if no item has
    said anything about a seat until then.

    It is asked at every step: each declaration knows it, so that nothing is searched through.
    """
    last = len(declarations)
    if place is not None:
        last = bisect_right(declarations, place, key=attrgetter("place"))
    return declarations[last - 1].held if last else ()
