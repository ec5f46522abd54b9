"""The values that the interface of a game takes and returns, see :mod:`porto_cli.ui`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.term.spans import Line


class MoveList(NamedTuple):
    """Legal moves, as far as they were asked for."""

    shown: int
    first: str | None
    """The first of them, as text."""
    text: Callable[[int], list[Line]]
    """Sets them to a width."""
    json: Callable[[], dict[str, object]]


class Typed(NamedTuple):
    """What was typed of a command when the Tab key is pressed."""

    match: Match | None
    """The game of its record, if it has one that can be read."""
    verb: str
    words: list[str]
    """Words of the move, in lower case."""
    options: Mapping[str, Any]
    seat: int
    """Who is going to move."""
    named: bool
    """Whether ``--as`` says that."""


Completion = str | tuple[str, str]
"""A word that can follow, maybe with a line that explains it."""


class Entry(NamedTuple):
    """Something that a player can do: ``moves`` asks what is still open, and returns texts."""

    label: str
    moves: Callable[[], Sequence[str]]


class Offer(NamedTuple):
    """What a player whose turn it is can do now."""

    question: str
    entries: list[Entry]
    rules: tuple[str, ...]
    at_once: bool = False
    """The first entry asks questions of its own, and what else there is to do is needed only by
    who backs out of them."""


class MoveOffer(NamedTuple):
    """A move, or all moves of a turn, that somebody who has only a mail can choose.

    ``label``  what a person reads, like ``red-2 and yellow-1``
    ``moves``  canonical words, in the order in which they are played
    ``note``   what it scores or costs, like ``5 VP``; may be empty
    """

    label: str
    moves: tuple[str, ...]
    note: str = ""


class MoveGroup(NamedTuple):
    """Moves of one kind, the best-scoring first.

    ``more``  how to write the others in words; may be empty
    """

    title: str
    offers: tuple[MoveOffer, ...]
    more: str = ""


MOST_OFFERED = 40
"""Moves that a mail offers; the others are written in words."""


class Choice(NamedTuple):
    """A legal move, or all that differ only in how many of some names they have.

    ``move``    canonical words, with :data:`MANY` where such names stand
    ``note``    what it scores or costs, like ``5 VP``; may be empty
    ``counts``  these names in their order, and how many of each there can be
    ``least``, ``most``  how many there are of all of them together
    ``now``     those to begin with
    """

    move: str
    note: str = ""
    counts: Mapping[str, int] = {}
    least: int = 0
    most: int = 0
    now: Mapping[str, int] = {}


MANY = "…"
"""Stands in a move for names in any numbers, see :class:`Choice`."""


class Glance(NamedTuple):
    """The state of a game in a few numbers, as far as a seat may know them."""

    round: int
    """Counted from 1; 0 before the first one."""
    scores: tuple[int | None, ...]
    """The VP of each seat so far; ``None`` where only the player may know them all."""


class Thing(NamedTuple):
    """Something in the box that can be looked up: a building, a good, a role."""

    facts: tuple[str, ...]
    """What it is and does, in whole sentences."""
    rules: tuple[str, ...]
    """The ids of its rulings."""
