"""What a game has to offer so that scenarios can be written for it.

A position is what the keys under ``position`` say, in the words of the game; what may be asked of
it under ``then`` are keys, too. What else a case can ask that is particular to a game (``scores``,
``earns``, ``reckon``) is an :class:`Expectation` that the game reads and evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, Union

from porto_cli.core.chance import choose, less
from porto_cli.core.command_errors import usage
from porto_cli.core.message import say
from porto_cli.core.yaml import scalar
from porto_cli.game import Config, Event, Game, State, Step, game_of

if TYPE_CHECKING:
    from porto_cli.core import yaml
    from porto_cli.core.chance import Chance
    from porto_cli.core.schema import Reader
    from porto_cli.match.replay import Replay

SEED = "scenario"
"""The seed of everything that a position leaves to chance."""
_WIDTH = 95

Text = Union[str, tuple[str, ...], dict[str, str]]  # noqa: UP007 - evaluated at run time
"""What a key holds, as text: a word, a list, or words by name."""


class Position(NamedTuple):
    """What a case starts from: a state, the chance that goes on from it, and where it is from."""

    state: State
    chance: Chance
    places: Mapping[str, yaml.Place]
    """Where the file says what comes up, by the stream of chance."""
    replay: Replay | None = None
    """The game that it is from, if it is not written down by keys."""


class Difference(NamedTuple):
    """Where a case went wrong: what was asked, what should be, what is."""

    what: str
    expected: str
    actual: str


class Played(NamedTuple):
    """What a case has come to when its moves are played."""

    game: Game
    start: Position
    state: State
    events: tuple[Event, ...]


class Answer(NamedTuple):
    """What came of an expectation: the differences, and what can be said about it in any case."""

    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()


class Expectation(Protocol):
    """Something that must hold when the moves of a case are played."""

    def evaluate(self, played: Played) -> Answer:
        """Compare it with what was played. Raises InvalidFileError for what cannot be asked."""
        ...


ReadExpectation = Callable[["yaml.Node", Config, "Reader"], Expectation]
"""From what stands under a key of a case. Raises InvalidFileError."""


class Positions(Protocol):
    """The positions of a game, and what can be asked of them."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The keys that can stand under ``then``."""
        ...

    @property
    def expectations(self) -> Mapping[str, ReadExpectation]:
        """Which of ``scores``, ``earns`` and ``reckon`` a case can have, and how each is read."""
        ...

    def read(
        self, node: yaml.Mapping, config: Config, reader: Reader, *, unchecked: bool
    ) -> Position:
        """Return the position of a node. Raises InvalidFileError.

        One that no game could lead to is refused unless it is to be ``unchecked``.
        """
        ...

    def read_value(self, key: str, node: yaml.Node, config: Config, reader: Reader) -> Text:
        """Return what a file holds under a key, in canonical words. Raises InvalidFileError."""
        ...

    def value_of(self, state: State, key: str) -> Text:
        """Return what a state holds under a key of :attr:`asked`, in canonical words."""
        ...

    def name_of(self, stream: str, thing: int) -> str:
        """Return the name of something that comes up in a stream of chance."""
        ...

    # From a running game back to a scenario, which tells nobody's secrets.

    def without_secrets(self, state: State) -> State:
        """Return a state that a scenario can start from: what only its owner knows is gone."""
        ...

    def header_lines(self, config: Config) -> list[str]:
        """Return the lines between ``players`` and ``position``."""
        ...

    def position_lines(self, state: State, events: Sequence[Event]) -> list[str]:
        """Return the lines under ``position`` that lead back to a state without secrets.

        ``events`` say what comes up next.
        """
        ...

    def consequence_lines(self, step: Step) -> list[str]:
        """Return the lines of a case that say what a step brought and what it led to."""
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
    """Return an answer from rows of what was asked, what should be and what is."""
    return Answer(tuple(Difference(*row) for row in rows if row[1] != row[2]), tuple(remarks))


def entry_lines(key: str, text: Text) -> list[str]:
    """Return a key and what it holds as lines of YAML, long lists broken between their items.

    Names of a mapping are quoted where it is needed; texts are taken as they stand.
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
