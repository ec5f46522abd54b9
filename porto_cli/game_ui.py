"""Values that the interface of a game (:class:`porto_cli.ui.Ui`) takes and returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porto_cli.core.message import Sentence
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

    label: Sentence
    moves: Callable[[], Sequence[str]]


class Offer(NamedTuple):
    """What a player whose turn it is can do now."""

    question: Sentence
    entries: list[Entry]
    rules: tuple[str, ...]
    at_once: bool = False
    """The first entry asks questions of its own, and what else there is to do is needed only by
    who backs out of them."""


class Glance(NamedTuple):
    """How a game stands, in a few numbers, as the seat that looks may know it."""

    round: int
    """Counted from 1; 0 before the first one."""
    scores: tuple[int | None, ...]
    """The VP of each seat so far; ``None`` where nobody but its player may know them all."""
