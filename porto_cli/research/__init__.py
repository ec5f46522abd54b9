"""Games for research: a game as a tree, on which the adapters to OpenSpiel and PettingZoo are
built, and what a seat sees as a row of numbers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, reduce
from typing import Any, NamedTuple

from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.core.documents import Schema, definitions, enum
from porto_cli.core.values import dumps
from porto_cli.games import BOX, Game, game_of
from porto_cli.installed import definitions_of
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay
from porto_cli.seam import OVER, Config, Move, State, at
from porto_cli.simulate import simulation_of

# -- Numbers
#
# A row of numbers is made from the document of what a seat sees, by its JSON schema. Keys and names
# are in the order of the schema; the players in the order of play, the seat that looks first.
#
# * A number or a Boolean is one number.
# * One of several names, or of the players, is one number for each: 1 for that one, 0 for others.
# * A list of names is how many there are of each.
# * A list in order, of limited length, is its things one after another.
# * An object is the values of its keys, one after another.
# * What is absent or unknown is 0.

MOST = 255
"""The largest number in a row, which also stands for all larger ones."""
_BYTES = [bytes([number]) for number in range(MOST + 1)]


class Row(NamedTuple):
    """How values of one type become numbers, always the same number of them."""

    most: bytes
    """The largest possible value of each number."""
    read: Callable[[Any], bytes]
    """Returns the numbers of a value, which is any JSON value."""
    parts: Mapping[str, Row] = {}
    """The parts that have names, in order."""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.most)

    def places(self, first: int = 0, path: str = "") -> dict[str, slice]:
        """Return the places of each part, and of their parts: ``players``, ``players.0``, …"""
        found = {}
        for name, part in self.parts.items():
            found[path + name] = slice(first, first + part.size)
            found |= part.places(first, f"{path}{name}.")
            first += part.size
        return found


@dataclass(frozen=True)
class Rows:
    """Makes rows from the definitions of a schema."""

    definitions: Mapping[str, Schema]
    players: Sequence[str]
    """In the order of their seats."""
    first: int
    """The seat that looks."""
    bounds: Mapping[str, int]
    """The largest number, or the length of a list in order, by key or name of a definition. Without
    a bound here or in the schema, a number is at most :data:`MOST`."""
    without: Collection[str]
    """Keys that are left out."""

    def row(self, schema: Schema, key: str = "") -> Row:
        """Return the row for the schema of a key. Raises ValueError if it cannot become numbers."""
        schema, name = self._resolved(schema)
        kind = schema.get("type")
        if "anyOf" in schema:
            (some,) = (one for one in schema["anyOf"] if one.get("type") != "null")
            return self.row(some, key)
        if names := self._names(schema):
            row = _of_names(names, 1, lambda value: {value: 1})
            return row._replace(read=cache(row.read))
        if kind in ("boolean", "integer"):
            bound = self.bounds.get(key, self.bounds.get(name, MOST))
            most = 1 if kind == "boolean" else schema.get("maximum", bound)
            return Row(bytes([most]), lambda number: _BYTES[number if number < MOST else MOST])
        if kind == "array":
            return self._list(schema, key)
        if "properties" in schema:
            keys = [one for one in schema["required"] if one not in self.without]
            return _by_keys({one: self.row(schema["properties"][one], one) for one in keys})
        if "additionalProperties" not in schema:
            raise ValueError(f"{key!r} cannot be written as numbers: {schema}.")
        each = self.row(schema["additionalProperties"], key)
        if names := self._names(self._resolved(schema.get("propertyNames", {}))[0]):
            return _by_keys(dict.fromkeys(names, each))
        # Without names there is room for as many as there can be.
        return _in_order(_each(each, self.bounds[key]), lambda seen: seen.values())

    def _resolved(self, schema: Schema) -> tuple[Schema, str]:
        """Return the schema that a schema refers to, and its name; empty if it is no reference."""
        name = ""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self.definitions[name]
        return schema, name

    def _names(self, schema: Schema) -> Sequence[Any]:
        """Return the values of an enumeration; a string without one is a player's name."""
        return schema.get("enum") or (
            self._from_first(self.players) if schema.get("type") == "string" else ()
        )

    def _from_first(self, seats: Sequence[Any]) -> Sequence[Any]:
        """Return the seats' items in the order of play, beginning with the seat that looks."""
        return [*seats[self.first :], *seats[: self.first]]

    def _list(self, schema: Schema, key: str) -> Row:
        items, name = self._resolved(schema["items"])
        if key == "players":
            return _in_order(_each(self.row(items, name), len(self.players)), self._from_first)
        if longest := schema.get("maxItems", self.bounds.get(key)):
            return _in_order(_each(self.row(items, key), longest), iter)
        names = self._names(items) or range(1, items["maximum"] + 1)
        return _of_names(names, self.bounds.get(name, 1), Counter)


def _each(each: Row, longest: int) -> dict[str, Row]:
    return dict.fromkeys(map(str, range(longest)), each)


def _of_names(names: Sequence[Any], most: int, counted: Callable[[Any], Mapping[Any, int]]) -> Row:
    """Return the row for a value that is counted by name."""
    places = {name: nth for nth, name in enumerate(names)}

    def read(value: Any) -> bytes:
        numbers = bytearray(len(places))
        for name, number in counted(value).items():
            numbers[places[name]] = number if number < MOST else MOST
        return bytes(numbers)

    return Row(bytes([most]) * len(places), read)


def _by_keys(parts: Mapping[str, Row]) -> Row:
    """Return the row for the values of an object under some keys."""
    return _in_order(parts, lambda seen: map(seen.get, parts))


def _in_order(parts: Mapping[str, Row], things: Callable[[Any], Iterable[Any]]) -> Row:
    """Return the row for the things in a value, one part for each; parts without a thing are 0."""
    most = b"".join([row.most for row in parts.values()])
    reads = [row.read for row in parts.values()]
    nothing = [bytes(row.size) for row in parts.values()]

    def read(value: Any) -> bytes:
        some = [*things(value)]
        if len(some) > len(reads):
            raise ValueError(f"There are {len(some)} things, but room for only {len(reads)}.")
        each = zip(reads, nothing, some, strict=False)
        numbers = [none if thing is None else of(thing) for of, none, thing in each]
        return b"".join(numbers).ljust(len(most), b"\0")

    return Row(most, read, parts)


# -- A game as a tree: each step is one decision, or one thing that comes up
#
# There are no rules here: the game decides what is legal, which piles things come from, and what
# follows. What a game declares for research is a ``Tree``.
#
# An action is a word: a move is made word by word, in the notation, like the words of the legal
# moves. ``done`` ends a move to which more words could be added. The whole text of a secret move is
# one action, so the number of actions does not give it away. Actions are numbered in the order of
# the words.
#
# An observation is what the game shows to a seat, as numbers, see ``Row`` above.

SETUP, CHANCE = "setup", "chance"
"""Phases besides those of the game: during the setup, and when something comes up."""
DONE = "done"
"""The action that ends a move, where the move could go on."""
_MOST_KEPT = 1 << 16
"""Number of moves whose actions are cached."""
_MOST_LISTED = 1 << 10
"""Maximum number of moves that are listed where there can be any number of them."""


class Pile(NamedTuple):
    """A pile from which something has to come up now."""

    stream: str
    """As in a record, like ``cards`` or ``tiles``."""
    number: int
    """How many things have come up from it before."""
    things: bytes
    """The things that are face down, in order, each equally likely."""


class Many(NamedTuple):
    """The rest of a move that consists of a number for each of several things, with too many
    possibilities to list.
    """

    limits: Sequence[int]
    """The maximum for each thing."""
    fewest: int
    """The minimum for the sum, as ``most`` is its maximum."""
    most: int
    make: Callable[[bytes], Move]
    """Returns the move with these numbers."""
    chosen: bytes = b""
    """The numbers chosen so far."""

    def words(self, zero: int) -> Words | Move:
        """Return what can follow, by the action of the next number; after the last number, the
        whole move. ``zero`` is the action of 0, followed by those of the other numbers.
        """
        if not self.limits:
            return self.make(self.chosen)
        here, *others = self.limits
        least = max(0, self.fewest - sum(others))
        return {
            zero + n: Many(
                others, self.fewest - n, self.most - n, self.make, self.chosen + bytes([n])
            )
            for n in range(least, min(here, self.most) + 1)
        }


Words = dict[int, Any]
"""A tree of words: the actions with which a move can continue, each with another such tree,
``Many``, or the move that it completes."""


class TreeNode(NamedTuple):
    """A place in the tree: a decision, something that comes up, or the end. It is a value."""

    config: Config
    state: State | None
    """The table before ``move``; ``None`` during the setup."""
    pile: Pile | None = None
    """The pile from which something comes up now; ``None`` at a decision and at the end."""
    came_up: bytes = b""
    """What has come up since ``state``, in order, while more has to come up."""
    begun: tuple[int, ...] = ()
    """The actions of an incomplete move, including those that left no choice."""
    words: Mapping[int, Any] = {}
    """How the move can continue."""
    legal: Sequence[int] = ()
    """The actions that can be taken, in order; none at the end, and where something comes up."""
    move: Move | None = None
    """The move that was made, while more has to come up because of it."""

    @property
    def table(self) -> State:
        """The table. Raises ValueError during the setup."""
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


class Asked(Exception):  # noqa: N818 - nothing is wrong
    """Something unknown has to come up from a pile, which is the argument."""


@dataclass(eq=False)
class Tree:
    """A game as a tree, as the game declares it."""

    game_id: str
    players: range
    usual: int
    """The default number of players."""
    options: Mapping[str, bool | str]
    """The options of the game, as in a record, with their defaults."""
    is_open: bool
    """Whether a player who remembers everything knows the whole table."""
    words: Sequence[str]
    """All words of its moves, and the texts of its secret ones."""
    longest_move: int
    """The maximum number of actions of a move."""
    table: type
    """What a seat sees, declared as :class:`~porto_cli.core.documents.Declared`. The definition of
    its ``phase`` has to list all phases."""
    seen: Callable[[State, int | None], Mapping[str, Any]]
    """Returns what a seat sees."""
    things: Mapping[str, Sequence[str]]
    """What can come up, by stream: the names of the things in the order of their numbers."""
    most_turns: int
    """The number of turns after which the game is stopped, as no rule forces anybody to end it."""
    longest: tuple[int, int]
    """The maximum numbers of decisions, and of things that come up, in a game."""
    prefix: str = ""
    """The beginning of the names of definitions in :attr:`table`."""
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The possible names for those definitions that do not list them."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """See :class:`~porto_cli.research.Rows`."""
    without: Collection[str] = ()
    """Keys of what is seen that follow from others, or are always the same."""
    parts: Callable[[Move], Iterable[str]] = lambda move: str(move).split()
    """Returns the words of a move."""
    many: Callable[[State, Sequence[str]], Many | None] = lambda state, begun: None
    """Returns the rest of a move if it consists of numbers, given the words so far."""
    owner: Callable[[TreeNode], int | None] = lambda node: None
    """Returns the only seat that knows what happens at a node; ``None`` if everybody knows."""
    secrets: Callable[[State], Iterable[str | int]] = lambda state: ()
    """Returns what happened at the nodes that have an :attr:`owner`, in order: moves as texts,
    things as numbers."""
    untold: Collection[str] = ()
    """Keys of what is seen, for numbers of things or lists of them, that the sentences about the
    table leave out."""

    @property
    def game(self) -> Game:
        """The game."""
        return game_of(self.game_id)

    # -- Actions

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The text of each action, by its number."""
        return (*self.words, DONE)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each action, by its text."""
        return {text: action for action, text in enumerate(self.actions)}

    @lru_cache(_MOST_KEPT, typed=True)  # noqa: B019 - trees live as long as the program
    def encode(self, move: Move) -> tuple[int, ...]:
        """Return the actions of a move, including those that leave no choice.

        Raises ValueError for a move with words that are not actions.
        """
        texts = [str(move)] if self.game.is_secret(move) else [*self.parts(move)]
        if not all(text in self.numbers for text in texts):
            raise ValueError(f"No action represents {move!r}.")
        return (*(self.numbers[text] for text in texts), self.numbers[DONE])

    # -- The tree

    def config_of(self, players: int | None = None, **options: Any) -> Config:
        """Return the configuration for a number of players, by default the usual one. Raises
        ValueError.
        """
        title, players = self.game.meta.title, players or self.usual
        least, most = self.players[0], self.players[-1]
        if players not in self.players:
            raise ValueError(f"Here {title} has {least} to {most} players, not {players}.")
        unknown = sorted(options.keys() - self.options.keys())
        if unknown:
            there_are = ", ".join(self.options)
            raise ValueError(f"{title} has no option {unknown[0]!r}; its options: {there_are}.")
        return self.game.new_config([f"player_{seat}" for seat in range(players)], **options)

    def root(self, config: Config) -> TreeNode:
        """Return the first node, at which the first thing of the setup comes up."""
        return self._settled(config, None, None, b"")

    def play(self, node: TreeNode, action: int) -> TreeNode:
        """Return the node after a legal action, or after the thing with this number has come up.

        Raises ValueError for an illegal action, and for a thing that cannot come up.
        """
        if node.pile is not None:
            if action not in node.pile.things:
                raise ValueError(f"{action} cannot come up now.")
            came_up = node.came_up + bytes([action])
            return self._settled(node.config, node.state, node.move, came_up)
        if action not in node.legal:
            raise ValueError(f"The action {action} is not legal now.")
        return self._goes_on(node.table, (*node.begun, action), node.words[action])

    def at(self, state: State) -> TreeNode:
        """Return the decision at a table, or the end. If there is only one legal move, its first
        action is still a decision.
        """
        if state.phase == OVER or state.turn >= self.most_turns:
            return TreeNode(state.config, state)
        if self.many(state, ()):
            return self._goes_on(state, (), {})
        legal, words = self.game.legal_moves(state, state.seat, _MOST_LISTED), Words()
        for move in legal:
            *actions, last = self.encode(move)
            reduce(lambda rest, action: rest.setdefault(action, {}), actions, words)[last] = move
        if len(legal) == 1:
            return TreeNode(state.config, state, words=words, legal=[*words])
        return self._goes_on(state, (), words)

    def _goes_on(self, state: State, begun: tuple[int, ...], rest: Words | Many | Move) -> TreeNode:
        """Continue a move as long as there is only one way to, and make it if it is complete."""
        while True:
            rest = self.many(state, [self.actions[action] for action in begun]) or rest
            if isinstance(rest, Many):
                rest = rest.words(self.numbers["0"])
            if not isinstance(rest, dict):
                return self._settled(state.config, state, rest, b"")
            if len(rest) != 1:
                return TreeNode(state.config, state, begun=begun, words=rest, legal=sorted(rest))
            ((action, rest),) = rest.items()
            begun = (*begun, action)

    def _settled(
        self, config: Config, state: State | None, move: Move | None, came_up: bytes
    ) -> TreeNode:
        """Return the node after things have come up, in order: the next thing that has to come up,
        or the decision after them.
        """
        game, known = self.game, iter(came_up)

        def chance(stream: str, index: int, pile: bytes, /) -> int:
            for thing in known:
                return pile.index(thing)
            raise Asked(Pile(stream, index, pile))

        try:
            if state is None:
                after = game.initial_state(config, game.deal(config, chance))
            else:
                after, _ = game.apply(state, move, chance, state.seat)
        except Asked as asked:
            return TreeNode(config, state, asked.args[0], came_up, move=move)
        return self.at(after)

    # -- What comes up

    def outcomes(self, node: TreeNode) -> list[tuple[int, float]]:
        """Return what can come up, in order, with its probability; nothing at other nodes."""
        if node.pile is None:
            return []
        things = node.pile.things
        return [(thing, count / len(things)) for thing, count in sorted(Counter(things).items())]

    def chosen(self, node: TreeNode, chance: Chance) -> int:
        """Return what a chance turns up at this node. Raises ValueError if nothing comes up."""
        if node.pile is None:
            raise ValueError("Nothing comes up now.")
        return node.pile.things[chance(*node.pile)]

    def play_on(self, node: TreeNode, chance: Chance) -> TreeNode:
        """Return the next decision, or the end, with what a chance turns up on the way there."""
        while node.pile is not None:
            node = self.play(node, self.chosen(node, chance))
        return node

    def returns(self, node: TreeNode) -> tuple[float, ...]:
        """Return the payoff of each seat: 1 for the first place, paid in equal parts by the others.

        Players who share first place share the 1; if all do, everybody gets 0, as before the end.
        The sum is always 0.
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
        """Yield every node of a recorded game, with the action taken there or the thing that came
        up.

        What was taken back is left out. A secret choice comes where the tree asks for it, wherever
        it is in the record. Raises ValueError for a record that lacks what is hidden, or is of
        another game or a solo game.
        """
        record, left = replay.record, [deque[Move]() for _ in replay.config.players]
        if record.game.meta.id != self.game_id or record.secrecy != OPEN or len(left) == 1:
            title = self.game.meta.title
            raise ValueError(f"Only open games of {title} with two or more players can be read.")
        for step in replay.turns():
            left[step.seat] += step.moves
        node, chance = self.root(replay.config), seeded_chance(record.seed)
        while not node.over:
            if node.pile is not None:
                action = self.chosen(node, chance)
            elif moves := left[node.table.seat]:
                action = self.encode(moves[0])[len(node.begun)]
            else:
                return
            yield node, action
            after = self.play(node, action)
            if node.pile is None and (after.pile or after.table is not node.table):
                moves.popleft()
            node = after

    # -- What is seen

    @cache  # noqa: B019 - trees live as long as the program
    def _row(self, players: tuple[str, ...], first: int) -> Row:
        """Return the row of an observation from a seat."""
        known = definitions_of(self.game_id) | definitions({"table": self.table}, self.prefix)
        known |= {name: enum(*names) for name, names in self.names.items()}
        table = known["table"]
        phase = known[table["properties"]["phase"]["$ref"].rpartition("/")[2]]
        begun = {"type": "integer", "maximum": len(self.actions)}
        # The beginning of an observation of any game.
        own: Schema = {
            "seat": enum(*range(len(players))),
            "to_move": {"type": "array", "items": {"type": "string"}, "maxItems": 1},
            "phase": enum(SETUP, CHANCE, *phase["enum"]),
            "begun": {"type": "array", "items": begun, "maxItems": self.longest_move},
        }
        keys = [*dict.fromkeys((*own, *table["required"]))]
        rows = Rows(known, players, first, self.bounds, {"player", *self.without})
        return rows.row({"properties": table["properties"] | own, "required": keys})

    def row(self, players: int) -> Row:
        """Return the row of an observation for a number of players.

        Its ``parts`` are in order: ``round``, ``players.0.score``, … Players are counted from the
        seat that looks.
        """
        return self._row(self.config_of(players).players, 0)

    def observation(self, node: TreeNode, seat: int | None) -> bytes:
        """Return what a seat may know; ``None`` is a bystander, who looks from the first seat.

        During the setup only the facts that begin every observation are there.
        """
        players, state = node.config.players, node.state
        row = self._row(players, seat or 0)
        own = {
            "seat": seat or 0,
            "to_move": [players[node.table.seat]] if node.legal else [],
            "phase": SETUP if state is None else CHANCE if node.pile else state.phase,
            "begun": [action + 1 for action in node.begun],
        }
        return row.read(own if state is None else {**self.seen(state, seat), **own})

    def observed(self, node: TreeNode, seat: int | None) -> str:
        """Return what a seat, or (``None``) a bystander, may know: the table in sentences, and the
        rest of :meth:`observation` on one line.
        """
        if node.state is None:
            return "The table is being set up."
        seen = self.seen(node.state, seat) if self.untold else {}
        rest = {
            **{key: seen[key] for key in self.untold},
            "comes up": node.pile and node.pile.stream,
            "begun": [self.actions[action] for action in node.begun],
            "seen by": None if seat is None else node.config.players[seat],
        }
        told = {key: value for key, value in rest.items() if value}
        table = self.game.table(node.state, seat)
        return "\n".join([*table, dumps(told)] if told else table)


def tree_of(game_id: str) -> Tree:
    """Return what a game of the box declares for research."""
    tree: Tree = at(f"{BOX[game_id].entry.rpartition('.')[0]}.simulation:tree")
    return tree
