"""Games for those who research games: a game as a tree, on which the adapters to OpenSpiel and
PettingZoo stand, and what a seat sees of it as a row of numbers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, reduce
from typing import Any, NamedTuple

from porto_cli.core import dumps
from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.core.documents import Schema, definitions, enum
from porto_cli.games import BOX, Game, game_of
from porto_cli.installed import definitions_of
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay
from porto_cli.seam import OVER, Config, Move, State, at
from porto_cli.simulate import simulation_of

# -- Numbers
#
# What a seat sees as a row of numbers, made of the document that shows it and of its JSON schema.
#
# Keys and names stand in the order of the schema; the players in the order of play, who looks
# first.
#
# * A number is one number, and so is what is true or false.
# * One of several names, or of the players, is as many numbers: 1 for that one, 0 for the others.
# * A list of names is how many there are of each.
# * A list in order, of no more than so many things, is one thing after the other.
# * An object is what its keys hold; where names are the keys, one after the other.
# * What is absent, or unknown, is 0.

MOST = 255
"""The largest number in a row, which stands for all that are larger as well."""
_BYTES = [bytes([number]) for number in range(MOST + 1)]


class Row(NamedTuple):
    """The numbers that something is made into: of values with the same type always as many."""

    most: bytes
    """The largest that each of them can be."""
    read: Callable[[Any], bytes]
    """Returns the numbers of a value. Values of documents are any JSON values."""
    parts: Mapping[str, Row] = {}
    """What they consist of, in order, where there are names for that."""

    @property
    def size(self) -> int:
        """How many numbers they are."""
        return len(self.most)

    def places(self, first: int = 0, path: str = "") -> dict[str, slice]:
        """Return where each part stands, and each part of it: ``players``, ``players.0``, …"""
        found = {}
        for name, part in self.parts.items():
            found[path + name] = slice(first, first + part.size)
            found |= part.places(first, f"{path}{name}.")
            first += part.size
        return found


@dataclass(frozen=True)
class Rows:
    """Makes rows of the definitions of a schema."""

    definitions: Mapping[str, Schema]
    players: Sequence[str]
    """In the order of their seats."""
    first: int
    """The seat of who looks."""
    bounds: Mapping[str, int]
    """By keys, and by names of definitions: the largest number, or the length of a list in order.
    Where neither this nor the schema says one, a number is at most :data:`MOST`."""
    without: Collection[str]
    """Keys that are left out."""

    def row(self, schema: Schema, key: str = "") -> Row:
        """Return the row of a schema, that of a key. Raises ValueError if it has no numbers."""
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
            raise ValueError(f"There are no numbers of {key!r}: {schema}.")
        each = self.row(schema["additionalProperties"], key)
        if names := self._names(self._resolved(schema.get("propertyNames", {}))[0]):
            return _by_keys(dict.fromkeys(names, each))
        # Without names there are as many as there can be.
        return _in_order(_each(each, self.bounds[key]), lambda seen: seen.values())

    def _resolved(self, schema: Schema) -> tuple[Schema, str]:
        """Return what a schema refers to, and the last name by which it does."""
        name = ""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self.definitions[name]
        return schema, name

    def _names(self, schema: Schema) -> Sequence[Any]:
        """Return the values of which this is one; a text that can be any is a player's name."""
        return schema.get("enum") or (
            self._from_first(self.players) if schema.get("type") == "string" else ()
        )

    def _from_first(self, seats: Sequence[Any]) -> Sequence[Any]:
        """Return what belongs to the seats in the order of play, that of who looks first."""
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
    """Return the row of how many of each name a value has."""
    places = {name: nth for nth, name in enumerate(names)}

    def read(value: Any) -> bytes:
        numbers = bytearray(len(places))
        for name, number in counted(value).items():
            numbers[places[name]] = number if number < MOST else MOST
        return bytes(numbers)

    return Row(bytes([most]) * len(places), read)


def _by_keys(parts: Mapping[str, Row]) -> Row:
    """Return the row of what an object has under some keys."""
    return _in_order(parts, lambda seen: map(seen.get, parts))


def _in_order(parts: Mapping[str, Row], things: Callable[[Any], Iterable[Any]]) -> Row:
    """Return the row of the things of a value, one part after the other; of fewer things the last
    parts are 0.
    """
    most = b"".join([row.most for row in parts.values()])
    reads = [row.read for row in parts.values()]
    nothing = [bytes(row.size) for row in parts.values()]

    def read(value: Any) -> bytes:
        some = [*things(value)]
        if len(some) > len(reads):
            raise ValueError(f"There are {len(some)} things, and room for {len(reads)}.")
        each = zip(reads, nothing, some, strict=False)
        numbers = [none if thing is None else of(thing) for of, none, thing in each]
        return b"".join(numbers).ljust(len(most), b"\0")

    return Row(most, read, parts)


# -- A game as a tree: each step is one decision, or one thing that comes up
#
# Of the rules there is nothing here: what is legal, which piles things come from and what follows
# is decided by the game. What a game declares for research is a ``Tree``.
#
# An action is a word: a move is made word by word, in the notation, as the words of the legal moves
# allow. ``done`` ends a move to which more words could be added. Of a secret move the whole text is
# one action, so that how many there are tells nobody what it is. Actions are numbered in the order
# of the words.
#
# An observation is what the game shows to a seat, as numbers, see ``Row`` above.

SETUP, CHANCE = "setup", "chance"
"""What the game waits for, besides its phases: during the setup, and when something comes up."""
DONE = "done"
"""The action that ends a move: it is asked for where the move could go on."""
_MOST_KEPT = 1 << 16
"""Moves of which the actions are kept."""
_MOST_LISTED = 1 << 10
"""Moves that are listed where there can be any number of them."""


class Pile(NamedTuple):
    """A pile from which something comes up now, as a chance is asked for it."""

    stream: str
    """As in a record, like ``cards`` or ``tiles``."""
    number: int
    """How often something has come up from it: what the record counts."""
    things: bytes
    """What is face down, in order: each of them is as likely."""


class Many(NamedTuple):
    """The rest of a move that goes on with a number of each of several things: too many to list."""

    limits: Sequence[int]
    """How many of each thing there can be."""
    fewest: int
    """Of all together, as ``most``."""
    most: int
    make: Callable[[bytes], Move]
    """Returns the move with these numbers."""
    chosen: bytes = b""
    """The numbers before these."""

    def words(self, zero: int) -> Words | Move:
        """Return what can follow, by the actions of the next number; the whole move after the last
        one. ``zero`` is the action of 0; those of the other numbers follow.
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
"""A tree of words: the actions with which a move goes on, and behind each of them such a tree,
``Many``, or the move that is whole with it."""


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
    words: Mapping[int, Any] = {}
    """How the move can go on."""
    legal: Sequence[int] = ()
    """The actions that can be taken, in order; none at the end, and where something comes up."""
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


class Asked(Exception):  # noqa: N818 - nothing is wrong
    """Something has to come up from a pile, its argument, and it is not yet known what."""


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
    words: Sequence[str]
    """All words of its moves, and the texts of its secret ones."""
    longest_move: int
    """How many actions a move has at most."""
    table: type
    """What a seat sees, declared as :class:`~porto_cli.core.documents.Declared`. Its ``phase`` is
    of a definition that lists all of them."""
    seen: Callable[[State, int | None], Mapping[str, Any]]
    """Returns that."""
    things: Mapping[str, Sequence[str]]
    """What can come up, by its stream: the names by the numbers."""
    most_turns: int
    """When a game is over as the table stands, as no rule makes anybody end it."""
    longest: tuple[int, int]
    """How many decisions, and how many things that come up, no game has more of."""
    prefix: str = ""
    """How the names of definitions begin in :attr:`table`."""
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The names that are possible, by their definitions, where those do not list them."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """See :class:`~porto_cli.research.Rows`."""
    without: Collection[str] = ()
    """Keys of what is seen that follow from others, or are always the same."""
    parts: Callable[[Move], Iterable[str]] = lambda move: str(move).split()
    """Returns the words that a move consists of."""
    many: Callable[[State, Sequence[str]], Many | None] = lambda state, begun: None
    """Returns what the rest of a move consists of where that is numbers; it gets the texts of what
    is begun."""
    owner: Callable[[TreeNode], int | None] = lambda node: None
    """Returns who alone knows what happens at a node."""
    secrets: Callable[[State], Iterable[str | int]] = lambda state: ()
    """Returns what :attr:`owner` is about, in the order in which it happened: moves by their
    texts, and things by their numbers."""
    untold: Collection[str] = ()
    """Keys of what is seen that sentences about the table do not tell: numbers of things, or lists
    of them."""

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
        """Return the actions of a move, those included that leave no choice.

        Raises ValueError for a move with words that are no actions.
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
            raise ValueError(f"{title} has no option {unknown[0]!r}; there are {there_are}.")
        return self.game.new_config([f"player_{seat}" for seat in range(players)], **options)

    def root(self, config: Config) -> TreeNode:
        """Return the beginning: the first thing of the setup comes up."""
        return self._settled(config, None, None, b"")

    def play(self, node: TreeNode, action: int) -> TreeNode:
        """Return the node after a legal action, or after something has come up, by its number.

        Raises ValueError for an action that is not legal, and what cannot come up.
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
        """Return the decision at a table, or the end. The only legal move is asked for as well, for
        its first action.
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
        """Go on with a move as long as there is one way to, and make it if it is whole."""
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
        """Let come up what has come up, in order, and find out what comes up next, if anything."""
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
        """Return what can come up, in order, and how likely each is; nothing at other nodes."""
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
        """Return how what is seen from a seat becomes numbers."""
        known = definitions_of(self.game_id) | definitions({"table": self.table}, self.prefix)
        known |= {name: enum(*names) for name, names in self.names.items()}
        table = known["table"]
        phase = known[table["properties"]["phase"]["$ref"].rpartition("/")[2]]
        begun = {"type": "integer", "maximum": len(self.actions)}
        # What an observation begins with, whichever game it is of.
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
        """Return what an observation consists of for a number of players.

        Its ``parts`` stand in order: ``round``, ``players.0.score``, … The seats of players are
        counted from who looks.
        """
        return self._row(self.config_of(players).players, 0)

    def observation(self, node: TreeNode, seat: int | None) -> bytes:
        """Return what a seat may know; ``None`` is a bystander, who looks from the first seat.

        While a table is set up there is nothing but that.
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
        """Return what a seat, or (``None``) a bystander, may know: the table in sentences, and in a
        line the rest of what :meth:`observation` has as numbers.
        """
        if node.state is None:
            return "The table is set up."
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
