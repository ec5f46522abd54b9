"""A game as a tree: each step is one decision, or one thing that comes up.

A :class:`Node` is a value. Of the rules there is nothing here: which piles things come from, and
what follows, is asked of the engine.

>>> node = root(config_of(2))
>>> node.pile.stream, len(outcomes(node))
('tokens', 4)
>>> node = play_on(node, seeded_chance("tram"))
>>> node.state.phase, legal(node) == list(range(10))
('keep', True)
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.game import Outcome
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.moves import Move, Pass
from porto_cli.games.porto.engine.play import apply, finish, turn_up
from porto_cli.games.porto.engine.state import CONTRACTS, OVER, Config, State, begin, deal
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.research import actions

PLAYERS = range(2, 5)
"""How many can play: the solo game has nobody to play against."""
MOST_OUTCOMES = max(len(CARDS), len(PUBLIC), len(PRIVATE))
"""Things that come up are numbered below this, in each pile anew."""
NAMES = tuple(f"player_{seat}" for seat in range(PLAYERS[-1]))
"""The players, by their seats."""


class Pile(NamedTuple):
    """A pile from which something comes up now, as it is asked of a chance."""

    stream: str
    """``tokens``, ``cards``, ``contracts`` or ``private``."""
    number: int
    """How often something has come up from it: what the record counts."""
    things: bytes
    """What is face down, sorted: each of them is as likely."""

    def name(self, thing: int) -> str:
        """Return what a thing of this pile is called."""
        if self.stream == "cards":
            return CARDS[thing]
        if self.stream == "contracts":
            return PUBLIC[thing].name
        return PRIVATE[thing].name if self.stream == "private" else f"token {thing}"


class Node(NamedTuple):
    """A place in the tree: a decision, something that comes up, or the end."""

    config: Config
    state: State | None
    """The table; without what has still to come up; ``None`` while it is set up."""
    pile: Pile | None = None
    """What something comes up from now; ``None`` at a decision and at the end."""
    came_up: bytes = b""
    """What has come up since ``state``, in order, while something is still to come up."""
    build: int | None = None
    """The build that waits for the roof for its token, which is not yet on the table."""
    passed: int = 0
    """How many turns were passed, one after the other, up to now."""

    @property
    def table(self) -> State:
        """The table. Raises ValueError while it is set up."""
        if self.state is None:
            raise ValueError("The table is not yet set up.")
        return self.state

    @property
    def over(self) -> bool:
        """Tell whether the game has ended."""
        return self.pile is None and self.table.phase == OVER

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        """Return the node itself, as nobody changes it."""
        return self


def config_of(players: int, **options: Any) -> Config:
    """Return the configuration of a game of so many; the options are ``private_contracts`` and
    ``seat_first``, see :class:`Config`. Raises ValueError.
    """
    if players not in PLAYERS:
        raise ValueError(f"Here Porto has {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}.")
    config: Config = PORTO.new_config(NAMES[:players], **options)
    return config


def root(config: Config) -> Node:
    """Return the beginning: the first token comes up."""
    return _settled(config, None, b"")


def legal(node: Node) -> list[int]:
    """Return the legal actions, in order; none where something comes up and at the end."""
    if node.pile is not None:
        return []
    if node.build is not None:
        return actions.legal_roofs(node.table)
    return actions.legal_actions(node.table)


def outcomes(node: Node) -> list[tuple[int, float]]:
    """Return what can come up, in order, and how likely each is; nothing at other nodes."""
    if node.pile is None:
        return []
    things = node.pile.things
    return [(thing, count / len(things)) for thing, count in sorted(Counter(things).items())]


def come_up(node: Node, thing: int) -> Node:
    """Return the node after something has come up. Raises ValueError if it cannot."""
    if node.pile is None or thing not in node.pile.things:
        raise ValueError(f"{thing} cannot come up now.")
    return _settled(node.config, node.state, node.came_up + bytes([thing]))


def chosen(node: Node, chance: Chance) -> int:
    """Return what a chance turns up at this node. Raises ValueError if nothing comes up."""
    if node.pile is None:
        raise ValueError("Nothing comes up now.")
    return node.pile.things[chance(*node.pile)]


def play_on(node: Node, chance: Chance) -> Node:
    """Return the next decision, or the end, with what a chance turns up on the way there."""
    while node.pile is not None:
        node = come_up(node, chosen(node, chance))
    return node


def play(node: Node, action: int, chance: Chance | None = None) -> Node:
    """Return the node after a legal action.

    With a ``chance`` what comes up has come up: the same as :func:`play_on`, and quicker.
    """
    state = node.table
    if node.build is not None:
        return _moved(node, actions.decode(node.build, action), chance)
    if actions.waits_for_roof(state, action):
        return node._replace(build=action)
    return _moved(node, actions.decode(action), chance)


def _moved(node: Node, move: Move, chance: Chance | None) -> Node:
    passed = node.passed + 1 if isinstance(move, Pass) else 0
    state, _ = apply(node.table, move, chance)
    if passed == node.config.seats and state.phase != OVER:
        # With all the cards in hands that cannot build, nothing would ever happen again.
        return Node(node.config, finish(state)[0])
    if chance is not None or state.phase == CONTRACTS:
        return Node(node.config, state, passed=passed)
    return _settled(node.config, state, b"", passed)


class _Asked(Exception):  # noqa: N818 - nothing is wrong
    """Something comes up from a pile, and nobody has said yet what."""

    def __init__(self, pile: Pile) -> None:
        super().__init__(pile)
        self.pile = pile


def _settled(config: Config, state: State | None, came_up: bytes, passed: int = 0) -> Node:
    """Let come up what has come up, in order, and find out what comes up next, if anything.

    After a turn that was passed nothing does: there would have been a card to draw.
    """
    told = iter(came_up)

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        for thing in told:
            return pile.index(thing)
        raise _Asked(Pile(stream, index, pile))

    try:
        after = begin(config, deal(config, chance)) if state is None else turn_up(state, chance)[0]
    except _Asked as asked:
        return Node(config, state, asked.pile, came_up)
    return Node(config, after, passed=passed)


def is_secret(node: Node, action: int) -> bool:
    """Tell whether one seat alone knows what happened here: what it was dealt, and what it keeps.

    ``action`` is the action taken at this node, or what came up (P-SETUP-5).
    """
    if node.pile is not None:
        return node.pile.stream == "private"
    return action in actions.KEEPING.actions


def returns(node: Node) -> tuple[float, ...]:
    """Return what each seat has won: 1 for the first place, and the others lose it together.

    There are no draws (P-RANK-1). Before the end all is 0.
    """
    outcome: Outcome | None = PORTO.outcome(node.table) if node.pile is None else None
    if outcome is None:
        return (0.0,) * node.config.seats
    lost = -1 / (node.config.seats - 1)
    return tuple(1.0 if place == 1 else lost for place in outcome.places)


def things_in_setup(config: Config) -> int:
    """Return how many things come up before the first move that everybody sees.

    The private contracts of the first seat come up next, then those of the others.
    """
    return len(config.houses) + CARD_SPACES + CONTRACT_SPACES


def longest(config: Config) -> tuple[int, int]:
    """Return how many actions, and how many things that come up, no game has more of.

    Each build adds a floor, and gives back two cards; each draw takes one; who can do neither
    passes, until somebody builds or all have passed.
    """
    seats, cards = config.seats, len(config.construction_deck())
    builds = sum(config.heights)
    drawn = cards + 2 * builds
    passes = (seats - 1) * builds + seats
    private = DEALT * seats if config.private_contracts else 0
    decisions = seats + 3 * builds + drawn + passes
    return decisions, things_in_setup(config) + private + drawn + config.public_total


def by_seed(seed: str) -> Chance:
    """Return the chance of the record with this seed."""
    return seeded_chance(seed)
