"""Games for those who research games: a game as a tree, on which the adapters to OpenSpiel and
PettingZoo stand.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.game import Game
from porto_cli.games import BOX, at, game_of
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay
from porto_cli.seam import OVER, Config, Move, State
from porto_cli.simulate.simulation import simulation_of

# -- A game as a tree: each step is one decision, or one thing that comes up
#
# Of the rules there is nothing here: what is legal, which piles things come from and what follows
# is decided by the game. What a game declares for research is a ``Tree``: the texts of its actions,
# into which the text of each move is cut, and the fields of what a seat may know.
#
# Actions are numbered in the order of their texts. An observation has one byte for each number,
# field by field. The seats come in the order in which they play, who looks first. Nothing is
# scaled: ``Tree.most`` returns the largest value of each number, to divide by.

SETUP, CHANCE = "setup", "chance"
"""What the game waits for, besides its phases: during the setup, and when something comes up."""
_MOST_KEPT = 1 << 16
"""Moves of which the actions are kept."""


class Pile(NamedTuple):
    """A pile from which something comes up now, as a chance is asked for it."""

    stream: str
    """As in a record, like ``cards`` or ``tiles``."""
    number: int
    """How often something has come up from it: what the record counts."""
    things: bytes
    """What is face down, in order: each of them is as likely."""


class ListedMoves(NamedTuple):
    """All legal moves, by their actions."""

    moves: Mapping[tuple[int, ...], Move]

    def following(self, begun: tuple[int, ...]) -> list[int]:
        """Return the actions that can follow those that a move was begun with, in order."""
        done, moves = len(begun), [*self.moves]
        if begun:
            moves = [one for one in moves if one[:done] == begun and len(one) > done]
        return sorted({actions[done] for actions in moves})

    def made(self, begun: tuple[int, ...]) -> Move | None:
        """Return the move with these actions, if they are a whole one."""
        return self.moves.get(begun)


class Many(NamedTuple):
    """A move, or the rest of one, with numbers of several things: there can be too many to list."""

    things: Sequence[str]
    """An action is the text of a thing with a number."""
    limits: Sequence[int]
    """How many of each thing there can be."""
    fewest: int
    """Of all together, as ``most``."""
    most: int
    make: Callable[[bytes], Move]
    """Returns the move with these numbers."""


class Numbers(NamedTuple):
    """The numbers of a move, chosen one thing after the other, behind ``lead`` other actions."""

    lead: int
    firsts: Sequence[int]
    """For each thing the action of none of it; those of more of it follow."""
    of: Many

    def following(self, begun: tuple[int, ...]) -> list[int]:
        """See :meth:`ListedMoves.following`."""
        chosen, of = self._chosen(begun), self.of
        nth, used = len(chosen), sum(chosen)
        if nth == len(self.firsts):
            return []
        least = max(0, of.fewest - used - sum(of.limits[nth + 1 :]))
        most = min(of.limits[nth], of.most - used)
        return [self.firsts[nth] + number for number in range(least, most + 1)]

    def made(self, begun: tuple[int, ...]) -> Move | None:
        """See :meth:`ListedMoves.made`."""
        chosen = self._chosen(begun)
        return self.of.make(chosen) if len(chosen) == len(self.firsts) else None

    def _chosen(self, begun: tuple[int, ...]) -> bytes:
        pairs = zip(begun[self.lead :], self.firsts, strict=False)
        return bytes([action - first for action, first in pairs])


class TreeNode(NamedTuple):
    """A place in the tree: a decision, something that comes up, or the end. It is a value."""

    config: Config
    state: State | None
    """The table before ``move``; ``None`` while it is set up."""
    pile: Pile | None = None
    """What something comes up from now; ``None`` at a decision and at the end."""
    came_up: bytes = b""
    """What has come up since ``state``, in order, while something is still to come up."""
    begun: tuple[int, ...] = ()
    """The actions of a move that is not yet complete, those included that left no choice."""
    choices: ListedMoves | Numbers = ListedMoves({})
    """The moves that can be made."""
    legal: Sequence[int] = ()
    """The actions that can be taken; none at the end, and where something comes up."""
    move: Move | None = None
    """The move that was made, while something is still to come up by it."""

    @property
    def table(self) -> State:
        """The table. Raises ValueError while it is set up."""
        if self.state is None:
            raise ValueError("The table is not yet set up.")
        return self.state

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.pile is None and not self.legal

    def __deepcopy__(self, memo: dict[int, Any]) -> TreeNode:
        """Return the node itself, as nodes are immutable."""
        return self


class ActionKind(NamedTuple):
    """A kind of actions: ``first`` and the ``size - 1`` after it."""

    name: str
    first: int
    size: int
    meaning: str

    @property
    def actions(self) -> range:
        """The actions of the kind."""
        return range(self.first, self.first + self.size)


class Look(NamedTuple):
    """What a field is made of: all that a seat may know.

    ``order`` has the seats as they play, who looks first.
    """

    table: State
    seat: int | None
    order: Sequence[int]
    begun: tuple[int, ...]


Field = tuple[str, int, Iterable[int], str]
"""Some numbers of an observation: name, the largest that each can be, the numbers, and what they
mean. Where one of several is named, it is 1, the others are 0. What would be more than 255 is that.
"""


class Numbered(NamedTuple):
    """A field without its numbers, and how many they are."""

    name: str
    size: int
    most: int
    meaning: str


class Asked(Exception):  # noqa: N818 - nothing is wrong
    """Something has to come up from a pile, and it is not yet known what."""

    def __init__(self, pile: Pile) -> None:
        super().__init__(pile)
        self.pile = pile


def _chance_of(came_up: bytes) -> Chance:
    """Return a chance that lets these things come up; it raises :class:`Asked` for one more."""
    known = iter(came_up)

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        for thing in known:
            return pile.index(thing)
        raise Asked(Pile(stream, index, pile))

    return chance


@lru_cache(None)
def one_of(this: int, count: int) -> bytes:
    """Return a number of numbers: 1 for one of them, 0 for the others; any other one is none."""
    return bytes(each == this for each in range(count))


@lru_cache(1 << 14)
def counts(things: bytes, kinds: int) -> bytes:
    """Return how many there are of each of the first kinds of things."""
    return bytes(map(things.count, range(kinds)))


@dataclass(eq=False)
class Tree:
    """A game as a tree, by what it declares for that."""

    game_id: str
    players: range
    usual: int
    """How many play, if nothing else is said."""
    options: Mapping[str, bool | str]
    """The options of a game, as a record has them, with their defaults."""
    is_open: bool
    """Whether who remembers everything knows the whole table."""
    texts: Mapping[str, tuple[Sequence[str], str]]
    """By their names, the kinds of actions: the texts of each, in order, and what they mean."""
    parts: Callable[[Move], Iterable[str]]
    """Returns the texts that a move consists of; those of no move begin those of another one."""
    phases: Sequence[str]
    about: Callable[[Look], Iterable[Field]]
    """Returns the fields of an observation behind those that all games have."""
    things: Mapping[str, Sequence[str]]
    """What can come up, by its stream: the names by the numbers."""
    most_turns: int
    """When a game is over as the table stands, as no rule makes anybody end it."""
    longest: tuple[int, int]
    """How many decisions, and how many things that come up, no game has more of."""
    many: Callable[[State, Sequence[str]], Many | None] = lambda state, begun: None
    """Returns what the rest of a move consists of where that is numbers; it gets the texts of what
    is begun."""
    owner: Callable[[TreeNode], int | None] = lambda node: None
    """Returns who alone knows what happens at a node."""
    secrets: Callable[[State], Iterable[str | int]] = lambda state: ()
    """Returns what :attr:`owner` is about, in the order in which it happened: actions by their
    texts, and things by their numbers."""
    notes: Callable[[State], Iterable[str]] = lambda state: ()
    """Returns what everybody knows and the table does not show, as lines."""

    @property
    def game(self) -> Game:
        """The game."""
        return game_of(self.game_id)

    # -- Actions

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The text of each action, by its number."""
        return tuple(text for texts, _ in self.texts.values() for text in texts)

    @property
    def count(self) -> int:
        """How many actions there are."""
        return len(self.names)

    @cached_property
    def kinds(self) -> tuple[ActionKind, ...]:
        """All kinds of actions, in order."""
        kinds: list[ActionKind] = []
        for name, (texts, meaning) in self.texts.items():
            first = kinds[-1].first + kinds[-1].size if kinds else 0
            kinds.append(ActionKind(name, first, len(texts), meaning))
        return tuple(kinds)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each action, by its text."""
        return {text: action for action, text in enumerate(self.names)}

    def name(self, action: int) -> str:
        """Return the text of an action. Raises ValueError if there is none such."""
        if not 0 <= action < self.count:
            raise ValueError(f"There is no action {action}.")
        return self.names[action]

    def encode(self, move: Move) -> tuple[int, ...]:
        """Return the actions of a move, those included that leave no choice.

        Raises ValueError for a move that no action represents, such as one with things that are
        named and do not lie there.
        """
        # A move is a tuple, and its own hash, which is not that of one, takes longer.
        key = (type(move), *move)
        actions = self._encoded.get(key)
        if actions is None:
            texts = [*self.parts(move)]
            if not all(text in self.numbers for text in texts):
                raise ValueError(f"No action represents {move!r}.")
            if len(self._encoded) == _MOST_KEPT:
                self._encoded.clear()
            actions = self._encoded[key] = tuple(self.numbers[text] for text in texts)
        return actions

    @cached_property
    def _encoded(self) -> dict[tuple[Any, ...], tuple[int, ...]]:
        """The actions of moves, as games have the same ones again and again."""
        return {}

    # -- The tree

    def config_of(self, players: int, **options: Any) -> Config:
        """Return the configuration for a number of players. Raises ValueError."""
        least, most = self.players[0], self.players[-1]
        if players not in self.players:
            title = self.game.meta.title
            raise ValueError(f"Here {title} has {least} to {most} players, not {players}.")
        return self.game.new_config([f"player_{seat}" for seat in range(players)], **options)

    def root(self, config: Config) -> TreeNode:
        """Return the beginning: the first thing of the setup comes up."""
        return self._settled(config, None, None, b"")

    def legal(self, node: TreeNode) -> list[int]:
        """Return the legal actions, in order; none where something comes up and at the end."""
        return [*node.legal]

    def play(self, node: TreeNode, action: int, chance: Chance | None = None) -> TreeNode:
        """Return the node after a legal action. Raises ValueError for one that is not legal.

        With a ``chance`` what comes up has come up: the same as :meth:`play_on`, and quicker.
        """
        if action not in node.legal:
            raise ValueError(f"The action {action} is not legal now.")
        return self._goes_on(node.table, (*node.begun, action), node.choices, chance)

    def at(self, state: State) -> TreeNode:
        """Return the decision at a table, or the end."""
        if state.phase == OVER or state.turn >= self.most_turns:
            return TreeNode(state.config, state)
        if self.many(state, ()):
            return self._goes_on(state, (), ListedMoves({}))
        legal = self.game.legal_moves(state, state.seat, self.count)
        return self._goes_on(state, (), ListedMoves({self.encode(move): move for move in legal}))

    def _goes_on(
        self,
        state: State,
        begun: tuple[int, ...],
        choices: ListedMoves | Numbers,
        chance: Chance | None = None,
    ) -> TreeNode:
        """Go on with a move as long as there is one way to, and make it if it is whole.

        The only legal move is asked for as well.
        """
        while True:
            many = self.many(state, [self.names[action] for action in begun])
            if many:
                firsts = [self.numbers[f"{thing} 0"] for thing in many.things]
                choices = Numbers(len(begun), firsts, many)
            legal = choices.following(begun)
            if len(legal) != 1 or (not begun and choices.made((*legal,)) is not None):
                break
            begun = (*begun, *legal)
        move = choices.made(begun)
        if move is None:
            return TreeNode(state.config, state, begun=begun, choices=choices, legal=legal)
        if chance is None:
            return self._settled(state.config, state, move, b"")
        return self.at(self.game.apply(state, move, chance, state.seat)[0])

    def _settled(
        self, config: Config, state: State | None, move: Move | None, came_up: bytes
    ) -> TreeNode:
        """Let come up what has come up, in order, and find out what comes up next, if anything."""
        chance, game = _chance_of(came_up), self.game
        try:
            if state is None:
                after = game.initial_state(config, game.deal(config, chance))
            else:
                after, _ = game.apply(state, move, chance, state.seat)
        except Asked as asked:
            return TreeNode(config, state, asked.pile, came_up, move=move)
        return self.at(after)

    # -- What comes up

    def outcomes(self, node: TreeNode) -> list[tuple[int, float]]:
        """Return what can come up, in order, and how likely each is; nothing at other nodes."""
        if node.pile is None:
            return []
        things = node.pile.things
        return [(thing, count / len(things)) for thing, count in sorted(Counter(things).items())]

    def come_up(self, node: TreeNode, thing: int) -> TreeNode:
        """Return the node after something has come up. Raises ValueError if it cannot."""
        if node.pile is None or thing not in node.pile.things:
            raise ValueError(f"{thing} cannot come up now.")
        return self._settled(node.config, node.state, node.move, node.came_up + bytes([thing]))

    def chosen(self, node: TreeNode, chance: Chance) -> int:
        """Return what a chance turns up at this node. Raises ValueError if nothing comes up."""
        if node.pile is None:
            raise ValueError("Nothing comes up now.")
        return node.pile.things[chance(*node.pile)]

    def play_on(self, node: TreeNode, chance: Chance) -> TreeNode:
        """Return the next decision, or the end, with what a chance turns up on the way there."""
        while node.pile is not None:
            node = self.come_up(node, self.chosen(node, chance))
        return node

    def by_seed(self, seed: str) -> Chance:
        """Return the chance of the record with this seed."""
        return seeded_chance(seed)

    def returns(self, node: TreeNode) -> tuple[float, ...]:
        """Return what each seat has won: the first place 1, and the others lose it together.

        Who shares the first place shares what is won; if all do, nobody has won anything. Before
        the end all is 0, as the sum always is.
        """
        seats = len(node.config.players)
        if not node.over:
            return (0.0,) * seats
        standing = simulation_of(self.game_id).standing
        places = (self.game.outcome(node.table) or standing(node.table)).places
        first = places.count(1)
        if first == seats:
            return (0.0,) * seats
        return tuple(1 / first if place == 1 else -1 / (seats - first) for place in places)

    def line_of(self, replay: Replay) -> Iterator[tuple[TreeNode, int]]:
        """Yield every node of a game that was recorded, with the action taken there.

        Of a node at which something comes up it is what came up. What was taken back is left out.
        A choice stands where the tree asks for it, wherever it is in the record. Raises ValueError
        for a record that does not hold all that is hidden, of another game, or of a game alone.
        """
        record, config = replay.record, replay.config
        seats = len(config.players)
        if record.game.meta.id != self.game_id or record.secrecy != OPEN or seats == 1:
            title = self.game.meta.title
            raise ValueError(f"Only open games of {title} with two or more players can be read.")
        moves: list[deque[Move]] = [deque() for _ in config.players]
        for step in replay.turns():
            moves[step.seat].extend(step.moves)
        node, chance = self.root(config), self.by_seed(record.seed)
        while not node.over:
            if node.pile is not None:
                thing = self.chosen(node, chance)
                yield node, thing
                node = self.come_up(node, thing)
                continue
            state = node.table
            if not moves[state.seat]:
                return
            actions = self.encode(moves[state.seat].popleft())
            while node.pile is None and node.table is state:
                action = actions[len(node.begun)]
                yield node, action
                node = self.play(node, action)

    # -- What is seen

    @cache  # noqa: B019 - trees live as long as the program
    def fields(self, players: int) -> tuple[Numbered, ...]:
        """Return the fields of an observation for a number of players, in order."""
        node = self.play_on(self.root(self.config_of(players)), self.by_seed(""))
        return tuple(
            Numbered(name, len(bytes(numbers)), most, meaning)
            for name, most, numbers, meaning in self._seen(node, 0)
        )

    def size(self, players: int) -> int:
        """Return how many numbers an observation has."""
        return sum(field.size for field in self.fields(players))

    def most(self, players: int) -> bytes:
        """Return the largest value of each number of an observation."""
        return b"".join(bytes([field.most]) * field.size for field in self.fields(players))

    def places(self, players: int) -> dict[str, slice]:
        """Return the slice of each field in an observation."""
        found, first = {}, 0
        for field in self.fields(players):
            found[field.name] = slice(first, first + field.size)
            first += field.size
        return found

    def observation(self, node: TreeNode, seat: int | None) -> bytes:
        """Return what a seat may know; ``None`` is a bystander, who looks from the first seat."""
        found = b"".join(
            [
                bytes(numbers) if most < 255 else bytes([min(255, number) for number in numbers])
                for _, most, numbers, _ in self._seen(node, seat)
            ]
        )
        return found.ljust(self.size(len(node.config.players)), b"\0")

    def _seen(self, node: TreeNode, seat: int | None) -> Iterator[Field]:
        """Yield the fields of what a seat may know; those of all games while a table is set up."""
        seats, first = len(node.config.players), seat or 0
        phases = (SETUP, CHANCE, *self.phases)
        mover, phase = -1, SETUP
        if node.state is not None:
            phase = CHANCE if node.pile else node.state.phase
            mover = (node.state.seat - first) % seats if node.legal else -1
        yield "player", 1, one_of(first, seats), "the seat of the observer, one of all"
        yield "to_move", 1, one_of(mover, seats), "who is to move, if anyone"
        ones = one_of(phases.index(phase), len(phases))
        yield "phase", 1, ones, f"one of {', '.join(phases)}"
        if node.state is not None:
            order = [(first + nth) % seats for nth in range(seats)]
            table = self.game.view(node.state, seat).table
            yield from self.about(Look(table, seat, order, node.begun))

    def observed(self, node: TreeNode, seat: int | None) -> str:
        """Return what a seat, or (``None``) a bystander, may know."""
        if node.state is None:
            return "The table is set up."
        lines = [*self.game.table(node.state, seat), *self.notes(node.state)]
        if node.pile is not None:
            lines.append(f"something comes up from the {node.pile.stream}")
        if node.begun:
            lines.append(f"begun: {', '.join(self.names[action] for action in node.begun)}")
        if seat is not None:
            lines.append(f"seen by {node.config.players[seat]}")
        return "\n".join(lines)


def tree_of(game_id: str) -> Tree:
    """Return what a game of the box declares for research."""
    tree: Tree = at(f"{BOX[game_id].entry.rpartition('.')[0]}.research:tree")
    return tree
