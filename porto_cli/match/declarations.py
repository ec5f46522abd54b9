"""Items of a record that are no turns: orders, and who plays a seat from there on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from porto_cli.match.orders import Order

ORDERING, SEAT = "order ", "seat "
"""How the text of an item begins that is an order, or says who plays a seat."""


def begins_with(text: str, word: str) -> bool:
    """Return whether the text of an item begins with a word, such as ``SEAT``, in any case."""
    return text[: len(word)].lower() == word


class Holder(NamedTuple):
    """Who plays a seat: a person called ``name``, or with that name a bot, or nobody.

    ``turn``  how many turns were over when that began, 0 from the start
    """

    name: str
    bot: str = ""
    version: int = 0
    out: bool = False
    turn: int = 0


class Declaration(NamedTuple):
    """An item that is no turn: an order of a player, or who plays a seat from here on.

    ``item``   its place in ``record.items``
    ``place``  how many steps come before it
    ``held``   who plays each seat after it; empty as long as no item has said anything about a seat
    ``order``  what is ordered; ``None`` if it says who plays the seat
    """

    item: int
    seat: int
    place: int
    entries: tuple[tuple[str, str], ...]
    held: tuple[Holder, ...]
    order: Order | None = None


def held_at(declarations: Sequence[Declaration], place: int | None = None) -> tuple[Holder, ...]:
    """Return who plays each seat before the step at a place, by default now; empty if no item has
    said anything about a seat until then.

    It is asked at every step: each declaration knows it, so that nothing is searched through.
    """
    last = len(declarations)
    if place is not None:
        last = bisect_right(declarations, place, key=attrgetter("place"))
    return declarations[last - 1].held if last else ()
