"""The contents of a case: the position that it starts from, and what it expects of a table.

A game implements the keys that it reads and writes of a position; what a case of any game can ask,
and where a table differs from it, is at the end.

A position is given by the keys under ``position``, in the notation of the game; the keys under
``then`` are compared with the position that moves lead to. What else a case of a particular game
can ask (``scores``, ``earns``, ``reckon``) is an :class:`Expectation` that the game reads and
evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, Union

from porto_cli.core import yaml
from porto_cli.core.chance import ScriptedChance, choose, less
from porto_cli.core.message import InvalidMoveError, Sentence, say, shown, usage
from porto_cli.core.yaml import scalar
from porto_cli.game import Config, Event, Game, State, Step, game_of

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.match.replay import Replay


from porto_cli.core.message import Violation
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.game import Move
from porto_cli.match.undo import UNDO, check_undo

SEED = "scenario"
"""The seed of everything that a position leaves to chance."""
_WIDTH = 95

Text = Union[str, tuple[str, ...], dict[str, str]]  # noqa: UP007 - evaluated at run time
"""What a key holds, as text: a word, a list, or words by name."""


class Position(NamedTuple):
    """What a case starts from: a state, the chance for what follows, and its source."""

    state: State
    chance: Chance
    places: Mapping[str, yaml.Place]
    """The places in the file that set what comes up, by the stream of chance."""
    replay: Replay | None = None
    """The game that it is from, if it is not written down by keys."""


class Difference(NamedTuple):
    """A difference: what was asked, what was expected, and what was found."""

    what: str
    expected: str
    actual: str


class Played(NamedTuple):
    """What the moves of a case have led to."""

    game: Game
    start: Position
    state: State
    events: tuple[Event, ...]


class Answer(NamedTuple):
    """The result of an expectation: the differences, and remarks that are made in any case."""

    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()


class Expectation(Protocol):
    """Something that must hold when the moves of a case are played."""

    def evaluate(self, played: Played) -> Answer:
        """Compare it with what was played. Raises InvalidFileError for what cannot be asked."""
        ...


ReadExpectation = Callable[["yaml.Node", Config], Expectation]
"""Makes an expectation of the value of a key of a case. Raises InvalidFileError."""


class Positions(Protocol):
    """The positions of a game, and what can be asked of them."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The keys that are allowed under ``then``."""
        ...

    @property
    def expectations(self) -> Mapping[str, ReadExpectation]:
        """Which of ``scores``, ``earns`` and ``reckon`` a case can have, and how each is read."""
        ...

    def read(self, node: yaml.Node, config: Config, *, unchecked: bool) -> Position:
        """Return the position of a node. Raises InvalidFileError.

        One that no game could lead to is refused unless it is to be ``unchecked``.
        """
        ...

    def read_value(self, key: str, node: yaml.Node, config: Config) -> Text:
        """Return what a file holds under a key, in canonical words. Raises InvalidFileError."""
        ...

    def value_of(self, state: State, key: str) -> Text:
        """Return what a state holds under a key of :attr:`asked`, in canonical words."""
        ...

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of something that comes up in a stream of chance."""
        ...

    # From a running game back to a scenario, which has no secrets.

    def without_secrets(self, state: State) -> State:
        """Return a state that a scenario can start from: what only its owner knows is gone."""
        ...

    def header_lines(self, config: Config) -> list[str]:
        """Return the lines between ``players`` and ``position``."""
        ...

    def position_lines(self, state: State, events: Sequence[Event]) -> list[str]:
        """Return the lines under ``position`` that lead back to a state without secrets.

        What comes up next follows from ``events``.
        """
        ...

    def consequence_lines(self, step: Step) -> list[str]:
        """Return the lines of a case with what a step scored and what it led to."""
        ...


def positions_of(game_id: str) -> Positions:
    """Return the positions of a game by its name. Raises KeyError if there is no such game, and
    WrongUsageError if it has none.
    """
    game = game_of(game_id)
    if game.positions is None:
        usage(
            say(
                "{game} has no positions, so that there are no scenarios of it.",
                game=game.meta.title,
            )
        )
    return game.positions


def turn_up(pile: bytes, count: int, stream: str, reserved: bytes = b"", start: int = 0) -> bytes:
    """Return what a position leaves to chance, by the seed of all positions.

    What is ``reserved`` is left alone while there is anything else; ``start`` is the index of the
    first.
    """
    taken = bytearray()
    for index in range(start, start + min(count, len(pile))):
        free = less(pile, reserved) or pile
        thing = free[choose(SEED, stream, index, len(free))]
        taken.append(thing)
        pile = less(pile, bytes([thing]))
    return bytes(taken)


def compare(rows: Iterable[tuple[str, str, str]], remarks: Iterable[str] = ()) -> Answer:
    """Return an answer from rows of what was asked, expected and found."""
    return Answer(tuple(Difference(*row) for row in rows if row[1] != row[2]), tuple(remarks))


def entry_lines(key: str, text: Text) -> list[str]:
    """Return a key and what it holds as lines of YAML, long lists broken between their items.

    Names of a mapping are quoted where it is needed; texts are taken as they are.
    """
    if isinstance(text, str):
        return [f"{key}: {text}"]
    if isinstance(text, tuple):
        items, (start, end) = list(text), "[]"
    else:
        items = [f"{scalar(name)}: {value}" for name, value in text.items()]
        start, end = "{}"
    lines = [f"{key}: {start}{items[0] if items else ''}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 3 > _WIDTH:
            lines[-1] += ","
            lines.append(f"  {item}")
        else:
            lines[-1] += f", {item}"
    lines[-1] += end
    return lines


# -- The keys of a position, as games read and write them


Read = Callable[[yaml.Node, str, Config], Any]
"""Reads the value of a key; the text is what errors call it. Raises InvalidFileError."""
Write = Callable[[Any, Config], Text]
"""Returns the canonical text of a value."""


class Field(NamedTuple):
    """A key of a position: how it is read, written, and found in a state.

    ``find`` is ``None`` for what a state does not hold.
    """

    read: Read
    write: Write
    find: Callable[[State], Any] | None


class Fields:
    """All keys of the positions of a game, in the order in which they are written.

    ``given``  the keys that a position can have; the others follow from them
    ``asked``  the keys whose values can be compared with expected ones
    """

    def __init__(self, fields: Mapping[str, Field], follows: Collection[str]) -> None:
        self._fields = fields
        self.keys = tuple(fields)
        self.given = tuple(key for key in fields if key not in follows)
        self.asked = tuple(key for key, field in fields.items() if field.find)

    def read(self, node: yaml.Node, config: Config) -> dict[str, Any]:
        """Return the values of a position by its keys. Raises InvalidFileError."""
        node.mapping((), self.given)
        return {
            key: self._fields[key].read(entry, key, config) for key, entry in node.mapping().items()
        }

    def read_value(self, key: str, node: yaml.Node, config: Config) -> Text:
        """Return the value of a key in a file, as canonical text. Raises InvalidFileError."""
        return self.text(key, self._fields[key].read(node, key, config), config)

    def value_of(self, state: State, key: str) -> Text:
        """Return the value of a key of ``asked`` in a state, as canonical text."""
        find = self._fields[key].find
        assert find is not None
        return self.text(key, find(state), state.config)

    def text(self, key: str, value: Any, config: Config) -> Text:
        """Return the canonical text of a value."""
        return self._fields[key].write(value, config)


class Fault(NamedTuple):
    """Why a state cannot be.

    ``keys`` are those of the position that it is about, the likeliest first; ``entry`` is the
    name below the key, if there is one. The template may name the key as ``{key}``.
    """

    keys: tuple[str, ...]
    entry: str
    template: str
    facts: dict[str, object]


def fault(template: str, *keys: str, entry: str = "", **facts: object) -> Fault:
    """Return a fault; ``facts`` are what the template names besides the key."""
    return Fault(keys, entry, template, facts)


class Setting:
    """A position as it is read: the values of its keys, and errors at their places."""

    def __init__(self, node: yaml.Node, given: dict[str, Any], config: Config) -> None:
        self.node = node
        self.given = given
        self.config = config

    def get(self, key: str, default: Any) -> Any:
        """Return the value of a key, or the default if the position leaves it out."""
        return self.given.get(key, default)

    def fail(self, key: str, sentence: Sentence) -> NoReturn:
        """Raise InvalidFileError at a key, or at the position if it leaves the key out."""
        self.node.nearest(key).fail(sentence)

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Raise InvalidFileError for the first of these faults, if there is one."""
        for found in faults:
            key = next((key for key in found.keys if key in self.given), found.keys[0])
            self.node.nearest(key, found.entry).fail(say(found.template, key=key, **found.facts))

    def refuse_more_than(self, pile: bytes, coming: bytes, key: str, names: Sequence[str]) -> None:
        """Raise InvalidFileError if more of something is to come up than a pile has."""
        for thing in coming:
            if coming.count(thing) > pile.count(thing):
                self.fail(
                    key,
                    say(
                        "More {thing} come up ({times}) than are face down ({count}).",
                        thing=names[thing],
                        times=coming.count(thing),
                        count=pile.count(thing),
                    ),
                )

    def position(
        self,
        state: State,
        streams: Mapping[str, str],
        first: dict[str, int],
        alike: tuple[str, ...] = (),
    ) -> Position:
        """Return a state with the chance for what follows.

        ``streams`` has for each stream of chance the key that says what comes up; ``first`` is how
        much of each has come up before. For ``alike`` see ScriptedChance.
        """
        coming = {stream: self.get(key, b"") for stream, key in streams.items()}
        places = {
            stream: self.node.mapping()[key].place
            for stream, key in streams.items()
            if key in self.given
        }
        return Position(state, ScriptedChance(SEED, coming, first, alike=alike), places)


def parsed(parse: Callable[[str], Any], text: str, node: yaml.Node) -> Any:
    """Return what a text of a file is in the notation of a game. Raises InvalidFileError."""
    try:
        return parse(text)
    except InvalidMoveError as error:
        node.fail(error.sentence)


def read_number(node: yaml.Node, what: str, config: Config) -> int:
    """Read a whole number, 0 or more. Raises InvalidFileError."""
    return node.number()


def write_number(number: int, config: Config) -> str:
    """Return the text of a number."""
    return str(number)


def number_field(find: Callable[[State], int]) -> Field:
    """Return a key that has a whole number."""
    return Field(read_number, write_number, find)


def word_field(choices: Collection[str], find: Callable[[State], str]) -> Field:
    """Return a key that has one of these words."""
    return Field(
        lambda node, what, config: node.one_of(choices),
        lambda found, config: str(found),
        find,
    )


def players_field(read: Read, write: Write, find: Callable[[State], Iterable[Any]]) -> Field:
    """Return a key that has something of each player; ``find`` returns it seat by seat."""
    return Field(
        read_by(read_seat, read),
        write_by(lambda seat, config: config.players[seat], write),
        lambda state: dict(enumerate(find(state))),
    )


def write_by(label: Callable[[int, Config], str], write: Write) -> Write:
    """Return what writes a mapping: its keys by ``label``, its values by ``write``."""
    return lambda found, config: {
        label(one, config): str(write(value, config)) for one, value in found.items()
    }


def read_by(name: Callable[[str, yaml.Node, Config], int], value: Read) -> Read:
    """Return what reads a mapping; ``name`` reads its keys, ``value`` its values."""

    def read(node: yaml.Node, what: str, config: Config) -> dict[int, Any]:
        mapping = node
        found: dict[int, Any] = {}
        for key, entry in mapping.mapping().items():
            where = mapping.keys[key]
            named = name(key, where, config)
            if named in found:
                where.fail(f"{key} is listed a second time.")
            found[named] = value(entry, key, config)
        return found

    return read


def read_seat(name: str, node: yaml.Node, config: Config) -> int:
    """Return the seat of a player who is named in full. Raises InvalidFileError."""
    if name in config.players:
        seat: int = config.players.index(name)
        return seat
    node.fail(f"No player is called {shown(name)}; the players are {', '.join(config.players)}.")


MOST_LISTED = 200
"""Legal moves that are listed, if a game can have too many."""


class WrittenMove(NamedTuple):
    """A move as written in the file; ``player`` is empty for the one to move."""

    player: str
    text: str
    place: Place

    def __str__(self) -> str:
        return f"{self.player}: {self.text}" if self.player else self.text

    def seat(self, state: State) -> int:
        """Return who makes it."""
        seat: int = state.config.players.index(self.player) if self.player else state.seat
        return seat

    def parse(self, game: Game, state: State) -> Move:
        """Return the move in a state. Raises InvalidFileError."""
        try:
            return game.parse_move(self.text, state, self.seat(state))
        except InvalidMoveError as error:
            raise InvalidFileError(self.place, error.sentence) from None


def is_missing(game: Game, state: State, move: Move, seat: int) -> bool:
    """Return whether a legal move is missing from the list of legal moves.

    That is unknown, and false, for a list that is cut short and for a secret that the program does
    not know either.
    """
    moves = game.legal_moves(state, seat, MOST_LISTED)
    if game.canonical_move(state, move) in moves or (game.is_secret(move) and not moves):
        return False
    return not _is_cut_short(game, state, moves, seat)


def _is_cut_short(game: Game, state: State, moves: list[Move], seat: int) -> bool:
    return len(moves) >= MOST_LISTED and game.count_moves(state, seat) > len(moves)


class Then(NamedTuple):
    """Some keys of the position that the moves lead to."""

    values: dict[str, Text]

    def evaluate(self, played: Played) -> Answer:
        """Compare these keys, and of mappings only what is named."""
        positions = positions_of(played.game.meta.id)
        rows: list[tuple[str, str, str]] = []
        for key, expected in self.values.items():
            actual = positions.value_of(played.state, key)
            if isinstance(expected, dict):
                assert isinstance(actual, dict)
                rows += (
                    (f"{key} {name}", text, actual.get(name, "none"))
                    for name, text in expected.items()
                )
            else:
                rows.append((key, _words(expected), _words(actual)))
        return compare(rows)


class Refused(NamedTuple):
    """A move that breaks these rulings and no others."""

    move: WrittenMove
    because: tuple[str, ...]

    def evaluate(self, played: Played) -> Answer:
        """Compare the rulings that are broken; the move must not be listed either."""
        game, state, what = played.game, played.state, f"refuse {self.move}"
        violations = self.violations(played)
        broken = sorted({violation.rule for violation in violations})
        rows = [(what, " ".join(sorted(self.because)), " ".join(broken) or "it is legal")]
        if violations and not self._is_undo(played):
            listed = game.legal_moves(state, self.move.seat(state), MOST_LISTED)
            if self.move.parse(game, state) in listed:
                rows.append((what, "not among the legal moves", "among them"))
        return compare(rows, map(str, violations))

    def violations(self, played: Played) -> list[Violation]:
        """Return the rules that the move breaks. Raises InvalidFileError if it is not a move."""
        game, state, replay = played.game, played.state, played.start.replay
        seat = self.move.seat(state)
        if replay and self._is_undo(played):
            return check_undo(replay.record, replay.steps, seat, replay.declarations)
        return game.violations(state, self.move.parse(game, state), seat)

    def _is_undo(self, played: Played) -> bool:
        """Return whether it takes back a turn, which only a record has."""
        return played.start.replay is not None and self.move.text.lower() == UNDO


class Unreadable(NamedTuple):
    """A text that is not a move."""

    move: WrittenMove

    def evaluate(self, played: Played) -> Answer:
        """Try to read it."""
        try:
            played.game.parse_move(self.move.text, played.state, self.move.seat(played.state))
        except InvalidMoveError as error:
            return Answer(remarks=(str(error.sentence),))
        return compare([(f"unreadable {self.move}", "no move at all", "a move")])


class Legal(NamedTuple):
    """All legal moves of the player to move."""

    moves: tuple[WrittenMove, ...]
    place: Place

    def evaluate(self, played: Played) -> Answer:
        """Compare the two lists, whatever their order."""
        game, state = played.game, played.state
        moves = game.legal_moves(state, state.seat, MOST_LISTED)
        if _is_cut_short(game, state, moves, state.seat):
            raise InvalidFileError(
                self.place,
                say(
                    "There are {count} legal moves, too many to be listed: ask for their number "
                    "with 'legal-count'.",
                    count=game.count_moves(state, state.seat),
                ),
            )
        actual = {game.format_move(move, state) for move in moves}
        expected = {
            game.format_move(game.canonical_move(state, move.parse(game, state)), state)
            for move in self.moves
        }
        return compare(
            [
                ("legal, but not listed", "none", ", ".join(sorted(actual - expected)) or "none"),
                ("listed, but not legal", "none", ", ".join(sorted(expected - actual)) or "none"),
            ]
        )


class LegalCount(NamedTuple):
    """The number of legal moves of the player to move."""

    moves: int

    def evaluate(self, played: Played) -> Answer:
        """Compare the numbers."""
        state = played.state
        count = played.game.count_moves(state, state.seat)
        return compare([("legal-count", str(self.moves), str(count))])


def _words(text: Text) -> str:
    return " ".join(text) if isinstance(text, tuple) else str(text)
