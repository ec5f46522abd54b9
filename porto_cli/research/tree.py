"""What the trees of all games have in common: piles, what comes up from them, and who has won.

A *node* is a value: a place in the tree. It has a ``config``; a ``state``, ``None`` while the table
is set up; a ``pile``, ``None`` unless something comes up now; ``came_up``, what has come up since
``state``; ``begun``, the actions of a move that is not yet complete; and ``settled(came_up)``, the
node at which that has come up since ``state``.

Also how actions are numbered, kind by kind, how observations are laid out, field by field, and a
record as a line of the tree: what was decided and what came up, as numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.game import Config, Move, Outcome
from porto_cli.research import Research

Node = TypeVar("Node", bound=Any)
"""A place in the tree of one game."""


class Pile(NamedTuple):
    """A pile from which something comes up now, as a chance is asked for it."""

    stream: str
    """As in a record, like ``cards`` or ``tiles``."""
    number: int
    """How often something has come up from it: what the record counts."""
    things: bytes
    """What is face down, in order: each of them is as likely."""


class Asked(Exception):  # noqa: N818 - nothing is wrong
    """Something has to come up from a pile, and it is not yet known what."""

    def __init__(self, stream: str, number: int, things: bytes) -> None:
        super().__init__(stream, number, things)
        self.pile = (stream, number, things)


def chance_of(came_up: bytes) -> Chance:
    """Return a chance that lets these things come up, one after the other.

    It raises :class:`Asked` when one more is asked for.
    """
    known = iter(came_up)

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        for thing in known:
            return pile.index(thing)
        raise Asked(stream, index, pile)

    return chance


def outcomes(node: Any) -> list[tuple[int, float]]:
    """Return what can come up, in order, and how likely each is; nothing at other nodes."""
    if node.pile is None:
        return []
    things = node.pile.things
    return [(thing, count / len(things)) for thing, count in sorted(Counter(things).items())]


def come_up(node: Node, thing: int) -> Node:
    """Return the node after something has come up. Raises ValueError if it cannot."""
    if node.pile is None or thing not in node.pile.things:
        raise ValueError(f"{thing} cannot come up now.")
    return node.settled(node.came_up + bytes([thing]))  # type: ignore[no-any-return]


def chosen(node: Any, chance: Chance) -> int:
    """Return what a chance turns up at this node. Raises ValueError if nothing comes up."""
    if node.pile is None:
        raise ValueError("Nothing comes up now.")
    return int(node.pile.things[chance(*node.pile)])


def play_on(node: Node, chance: Chance) -> Node:
    """Return the next decision, or the end, with what a chance turns up on the way there."""
    while node.pile is not None:
        node = come_up(node, chosen(node, chance))
    return node


def by_seed(seed: str) -> Chance:
    """Return the chance of the record with this seed."""
    return seeded_chance(seed)


def shares(outcome: Outcome | None, seats: int) -> tuple[float, ...]:
    """Return what each seat has won: the first place 1, and the others lose it together.

    Who shares the first place shares what is won; if all do, nobody has won anything. Before the
    end all is 0, as the sum always is.
    """
    if outcome is None:
        return (0.0,) * seats
    first = outcome.places.count(1)
    if first == seats:
        return (0.0,) * seats
    return tuple(1 / first if place == 1 else -1 / (seats - first) for place in outcome.places)


def names_of(players: Sequence[int]) -> tuple[str, ...]:
    """Return what the players are called, by their seats."""
    return tuple(f"player_{seat}" for seat in range(players[-1]))


class ActionKind(NamedTuple):
    """A kind of actions, by what they begin with: ``first`` and the ``size - 1`` after it."""

    name: str
    first: int
    size: int
    meaning: str

    @property
    def actions(self) -> range:
        """The actions of the kind."""
        return range(self.first, self.first + self.size)


def kinds_of(sizes: Iterable[tuple[str, int, str]]) -> tuple[ActionKind, ...]:
    """Return kinds one after the other; of each its name, how many there are, and the meaning."""
    kinds, first = [], 0
    for word, size, meaning in sizes:
        kinds.append(ActionKind(word, first, size, meaning))
        first += size
    return tuple(kinds)


class Numbers(NamedTuple):
    """Some numbers of an observation. Where one of several is named, it is 1, the others are 0."""

    name: str
    size: int
    most: int
    """The largest that each can be; what would be more is this."""
    meaning: str


class Layout:
    """The observations of a game, whose fields depend on the number of players."""

    def __init__(self, fields: Callable[[int], Iterable[Numbers]]) -> None:
        self.fields = fields
        self.size = cache(self._size)
        self.most = cache(self._most)
        self.places = cache(self._places)

    def _size(self, players: int) -> int:
        """Return how many numbers an observation has."""
        return sum(field.size for field in self.fields(players))

    def _most(self, players: int) -> bytes:
        """Return the largest value of each number of an observation."""
        return b"".join(bytes([field.most]) * field.size for field in self.fields(players))

    def _places(self, players: int) -> dict[str, slice]:
        """Return the slice of each field in an observation."""
        found, first = {}, 0
        for field in self.fields(players):
            found[field.name] = slice(first, first + field.size)
            first += field.size
        return found


def one_of(this: int, count: int) -> bytes:
    """Return a number of numbers: 1 for one of them, 0 for the others; a negative one is none."""
    return bytes(each == this for each in range(count))


def line_of(
    research: Research, config: Config, seed: str, decided: Callable[[Any], Move | None]
) -> Iterator[tuple[Any, int]]:
    """Yield every node of a game with this seed, with the action taken there.

    Of a node at which something comes up it is what came up. ``decided`` returns the move that
    was made at a node, ``None`` where the game stands.
    """
    tree = research.tree
    chance, node = tree.by_seed(seed), tree.root(config)
    while not node.over:
        if node.pile is not None:
            thing = tree.chosen(node, chance)
            yield node, thing
            node = tree.come_up(node, thing)
            continue
        state, move = node.table, decided(node)
        if move is None:
            return
        actions = research.actions.encode(move)
        while node.pile is None and node.table is state:
            action = actions[len(node.begun)]
            yield node, action
            node = tree.play(node, action)
