"""Items of a record that are no turns: orders, and who plays a seat from there on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.game import State
from porto_cli.match.record import Record
from porto_cli.match.seats import Holder

if TYPE_CHECKING:
    from porto_cli.match.orders import Order

ORDERING, SEAT = "order ", "seat "
"""How the text of an item begins that is an order, or says who plays a seat."""


def begins_with(text: str, word: str) -> bool:
    """Return whether the text of an item begins with a word, such as ``SEAT``, in any case."""
    return text[: len(word)].lower() == word


class Declaration(NamedTuple):
    """An item that is no turn: an order of a player, or who plays a seat from here on.

    ``item``   its place in ``record.items``
    ``place``  how many steps come before it
    ``seats``  who plays each seat after it
    ``order``  what is ordered; ``None`` if it says who plays the seat
    """

    item: int
    seat: int
    place: int
    entries: tuple[tuple[str, str], ...]
    seats: tuple[Holder, ...]
    order: Order | None = None


def seats_at(
    record: Record, declarations: Sequence[Declaration], place: int | None = None
) -> tuple[Holder, ...]:
    """Return who plays each seat before the step at a place, by default now.

    It is asked at every step: each declaration knows it, so that nothing is searched through.
    """
    last = len(declarations)
    if place is not None:
        last = bisect_right(declarations, place, key=attrgetter("place"))
    return declarations[last - 1].seats if last else record.seats


def table_without(record: Record, state: State, declarations: Sequence[Declaration]) -> State:
    """Return a table on which exactly the seats that nobody plays now are left out."""
    leaving = record.game.leaving
    if leaving is None or not declarations:
        return state
    seats = seats_at(record, declarations)
    return leaving.without(state, frozenset(seat for seat, one in enumerate(seats) if one.out))
