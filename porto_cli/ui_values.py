"""The values that the interface of a game takes and returns, see :mod:`porto_cli.ui`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from porto_cli.match.match import Match
    from porto_cli.term.spans import Line, Span


GONE = "gone"
"""What a step of a sealed game is called after which the others go on without players who have
vanished."""


class Turn(NamedTuple):
    """A step of a record, as it is told to somebody.

    ``facts``    the step by the names of ``porto log --format json``: in every game ``turn``, its
                 number, or ``None`` for what is no turn of the rules; ``player``; ``moves``, or
                 ``move``; ``undone``; ``events``
    ``part``     the part of the game, a heading of the log: ``Round 3``; may be empty
    ``heading``  the turn as a heading of the story page: ``Turn 12, round 3: Ana``
    ``done``     what its player did, in sentences
    ``gains``    what that brought the player: ``4 VP: floors 3, neighbors 1``; may be empty
    ``then``     what happened by itself afterwards, in sentences
    ``style``    how ``done`` is set in the log
    ``said``     what players said after it
    """

    facts: dict[str, Any]
    part: str = ""
    heading: str = ""
    done: tuple[str, ...] = ()
    gains: str = ""
    then: tuple[str, ...] = ()
    style: str = ""
    said: tuple[str, ...] = ()

    @property
    def moves(self) -> list[str]:
        """Its moves in the notation, as far as everybody may know them."""
        facts = self.facts
        return [facts["move"]] if "move" in facts else facts["moves"]

    @property
    def brought(self) -> list[str]:
        """What it brought its player, as a sentence, if anything."""
        return [f"{self.gains}."] if self.gains else []

    @property
    def sentences(self) -> list[str]:
        """The whole turn, without what was said after it."""
        return [*self.done, *self.brought, *self.then]

    @property
    def in_short(self) -> str:
        """The player and the moves, with their VP: ``Ana: pass.``"""
        vp = sum(number for _, number in self.facts.get("scores", ()))
        player, moves = self.facts["player"], ", ".join(self.moves)
        return f"{player}: {moves}, for {vp} VP." if vp else f"{player}: {moves}."


class MoveRow(NamedTuple):
    """A line of ``porto moves``.

    ``move``   the move as it is typed, as spans
    ``group``  the heading above it and those like it; may be empty
    ``vp``     what it scores, where moves can be ranked by that
    ``note``   what it brings or costs, as spans; may be empty
    """

    move: Line
    group: str = ""
    vp: int | None = None
    note: Sequence[Span] = ()


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

    label: str | Line
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
