"""The seam: what a game has to offer so that everything else can play, keep and show it.

A game is one object of a class derived from :class:`Game`. Ten members are required; everything
else has a default that is right for an open game without setup, options, secrets or chance. What
only some games have is an *ability*: an object, or a module, that the game returns from one of the
properties of :class:`Game`, or ``None``.

:data:`GAMES` knows the games by their names in a record. A game is loaded when a record, or
``--game``, asks for it. Those of the box are in :data:`BOX`; other packages register theirs with an
entry point of the group ``porto.games``, see :mod:`porto_cli.installed`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random
    from typing import Protocol

    from typing_extensions import TypeVar

    from porto_cli.abilities import Leaving, Options, Orders, Sealing, Secrets, Setup
    from porto_cli.commands import Commands
    from porto_cli.core import yaml
    from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError
    from porto_cli.core.message import Violation
    from porto_cli.fields import Positions
    from porto_cli.players.coach import Coach
    from porto_cli.players.named import Players
    from porto_cli.simulate.simulation import Simulation
    from porto_cli.ui import Ui

    class HasPlayers(Protocol):
        """What is known of every game's configuration: the names in turn order."""

        @property
        def players(self) -> tuple[str, ...]:
            """Who plays."""

    class Table(Protocol):
        """What is known of every game's state."""

        @property
        def config(self) -> HasPlayers:
            """Who plays, by which options."""

        @property
        def seat(self) -> int:
            """Who is to move next, or the first of them."""

        @property
        def phase(self) -> str:
            """A word of the game; ``over`` at the end."""

        @property
        def turn(self) -> int:
            """How many turns are over."""

    # Without parameters, Game is any game: what the frame plays, which looks into nothing else.
    ConfigT = TypeVar("ConfigT", bound=HasPlayers, default=Any)
    StateT = TypeVar("StateT", bound=Table, default=Any)
    MoveT = TypeVar("MoveT", default=Any)
    EventT = TypeVar("EventT", default=Any)
else:
    from typing import TypeVar

    ConfigT = TypeVar("ConfigT")
    StateT = TypeVar("StateT")
    MoveT = TypeVar("MoveT")
    EventT = TypeVar("EventT")

# The values of a game as the frame passes them around. They are Any because it plays every game
# and looks into none of these; a game itself names its own types as the parameters of Game.
Config = Any
"""Who plays, with which box, by which options: a value that never changes. ``players`` has the
names in turn order."""
Deal = Any
"""What the setup has turned up: a value."""
State = Any
"""The table between two moves: a value. Of every game's state these are known: ``config``;
``seat``, who is to move next, or the first of them; ``phase``, a word of the game, ``over`` at
the end; ``turn``, how many turns are over."""
Move = Any
"""A move: hashable plain data."""
Event = Any
"""Something that happened: a value."""
Observation = dict[str, Any]
"""What a seat may see, by the names of ``porto show --format json``. ``moves`` are its legal moves
as ``porto moves --format json`` has them, each with its text as ``move``.
"""

OVER = "over"
"""The phase of a game that has ended, whichever it is."""
SEAM = 2
"""The version of :class:`Game`. It grows when a game that was written for the one before could no
longer be played."""
NO_DEAL = ()
"""The deal of a game in which the setup turns nothing up."""


class GameMeta(NamedTuple):
    """What is known of a game without loading it."""

    id: str
    """The name in a record and after ``--game``."""
    title: str
    players: range
    """How many can play."""
    verbs: tuple[str, ...]
    """What its moves begin with; each is a command. ``undo`` is one of them."""
    seam: int
    """The version of :class:`Game` that it was written for, see :data:`SEAM`."""
    rules_version: int = 1
    """The version of the rules that this program plays: ``rules: 1`` in a record."""
    header_keys: tuple[str, ...] = ()
    """Keys that the head of its records may have besides those of all games."""
    item_keys: tuple[str, ...] = ()
    """What a turn may go on with in a record, and what comes with its result."""
    mapping_keys: tuple[str, ...] = ()
    """Those among them whose values are mappings."""
    unordered: tuple[str, ...] = ()
    """The streams of chance whose things a record has in any order."""
    rulings: tuple[str, ...] = ()
    """How the ids of its rulings begin."""
    other_files: tuple[tuple[str, str], ...] = ()
    """Keys of other files of the game, and the message for such a file in place of a record."""
    bots: tuple[str, ...] = ("random",)
    """Its players that can hold a seat in a game, by their names in :attr:`Game.players`."""
    former_bots: tuple[str, ...] = ()
    """Those of former versions, which are gone: records that name them are read all the same."""
    bots_version: int = 1
    """Their version: it grows with every change after which one of them makes another move
    somewhere. Records have it, so that a player of another version is not taken for a fraud."""
    entry: str = ""
    """Where the game is, as an entry point is written: ``package.module:OBJECT``. Games that are
    installed separately leave it out."""
    commands: str = ""
    """Where its commands are, if they can be loaded without the game."""


class View(NamedTuple):
    """What a seat may know, as a program plays by it: a value without anything that is hidden.

    It is compact and quick to make; what a person or a script looks at is an ``Observation``.
    """

    seat: int | None
    """Who looks; ``None`` is a bystander."""
    table: State
    """The table with something else, which is the same for all that could be true, in place of all
    that this seat may not know. :meth:`Game.resample` makes a table of it that could be true."""


class SealedPile(NamedTuple):
    """What of a sealed game is dealt to each player alone.

    ``things`` are all of it, sorted, with each copy; ``each`` is how many of them a seat gets.
    Without any only what comes up is sealed.
    """

    things: bytes
    each: int


class Outcome(NamedTuple):
    """How a game has ended. All tuples have one entry for each seat."""

    places: tuple[int, ...]
    """1 is the first place."""
    scores: tuple[int, ...]
    won: tuple[bool, ...]


class Step(NamedTuple):
    """One item of a record, played."""

    item: int
    """Its place in ``record.items``."""
    seat: int
    before: State
    after: State
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    entries: tuple[tuple[str, str], ...]
    """The item as this program would write it: keys and texts."""
    undone: bool = False
    """Taken back later."""
    takes_back: int | None = None
    """For an ``undo``: the number of the step that it takes back."""
    said: tuple[str, ...] = ()
    """What players said after it, in a game that was opened."""


class Game(ABC, Generic[ConfigT, StateT, MoveT, EventT]):
    """A game behind the seam. Every method is pure.

    Where a method takes a ``seat`` that is the player who moves, or who looks. The ten abstract
    members are required.
    """

    # -- What every game has.

    @property
    @abstractmethod
    def meta(self) -> GameMeta:
        """What is known of it without loading it. A class sets it as an attribute."""

    @abstractmethod
    def initial_state(self, config: ConfigT, deal: Deal, /) -> StateT:
        """Return the table before the first move; ``deal`` is that of :attr:`setup`."""

    @abstractmethod
    def to_move(self, state: StateT) -> tuple[int, ...]:
        """Return the seats whose move the game waits for; none when it is over."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: int, limit: int | None = None) -> list[MoveT]:
        """Return the legal moves of a seat. Beyond ``limit`` the list may be cut short."""

    @abstractmethod
    def apply(
        self, state: StateT, move: MoveT, chance: Chance, seat: int
    ) -> tuple[StateT, list[EventT]]:
        """Make a legal move. What leaves no choice afterwards is made as well."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game has ended; ``None`` while it goes on."""

    @abstractmethod
    def format_move(self, move: MoveT, state: StateT) -> str:
        """Return a move as canonical text, which begins with one of the verbs."""

    @abstractmethod
    def parse_move(self, text: str, state: StateT, seat: int) -> MoveT:
        """Return the move of a text. Raises InvalidMoveError."""

    @abstractmethod
    def describe(self, event: EventT, config: ConfigT) -> str:
        """Say what happened, in one sentence."""

    @abstractmethod
    def table(self, state: StateT, seat: int | None) -> list[str]:
        """Return the table as lines of text, as a seat, or (``None``) a bystander, may see it."""

    # -- Moves: what has a default.

    def count_moves(self, state: StateT, seat: int) -> int:
        """Return how many legal moves a seat has. Games in which they run to millions compute it
        instead.
        """
        return len(self.legal_moves(state, seat))

    def violations(self, state: StateT, move: MoveT, seat: int) -> list[Violation]:
        """Return every rule that a move would break; none if it is legal.

        Raises TypeError or ValueError for anything but a move.
        """
        from porto_cli.abilities import violations

        return violations(self, state, move, seat)

    def canonical_move(self, state: StateT, move: MoveT) -> MoveT:
        """Return the move that is listed for this one among the legal moves: the same choice."""
        return move

    def read_move(self, text: str, state: StateT, seat: int) -> tuple[MoveT, str, list[Violation]]:
        """Return the move of a text, its canonical text, and every rule that it would break.

        The same as :meth:`parse_move`, :meth:`format_move` and :meth:`violations`; a game can do it
        faster for legal moves in canonical words. Raises InvalidMoveError.
        """
        move = self.parse_move(text, state, seat)
        return move, self.format_move(move, state), self.violations(state, move, seat)

    def turn_moves(self, state: StateT, moves: list[MoveT], seat: int) -> list[MoveT]:
        """Return the moves of one turn less what goes without saying.

        Raises IllegalMoveError for a move that can have no meaning after those before it.
        """
        return moves

    # -- The record: what has a default.

    def follow_up(self, state: StateT) -> tuple[str, str] | None:
        """Return the key under which an item goes on, and the verb that its text leaves out.

        ``None`` if the turn does not wait for another decision of the same player.
        """
        return None

    def continues(self, state: StateT, move: MoveT, seat: int) -> bool:
        """Return whether a move is the decision that a turn waits for (see :meth:`follow_up`)."""
        return False

    def chance_entries(self, before: StateT, events: Iterable[EventT]) -> list[tuple[str, str]]:
        """Return what came up after one decision, as entries of an item."""
        return []

    def read_chance(self, key: str, text: str) -> tuple[str, bytes] | None:
        """Return the stream of an entry and what came up; ``None`` if it is no entry of chance.

        Raises InvalidMoveError.
        """
        return None

    def chance_fault(self, error: NothingTypedError | NotInPileError) -> str:
        """Say what is missing in, or wrong with, the entries of chance of an item."""
        return "The turn does not say what came up, or what it says cannot have come up."

    def remark(self, events: Sequence[EventT], config: ConfigT) -> str:
        """Return the comment after a move: what it brought; may be empty."""
        return ""

    def result_entries(self, state: StateT) -> list[tuple[str, str]]:
        """Return the entries of the item that ends a game, but for its fingerprint."""
        from porto_cli.abilities import result_entries

        return result_entries(self, state)

    # -- What may be known: what has a default.

    def observe(self, state: StateT, seat: int | None, steps: Sequence[Step] = ()) -> Observation:
        """Return what a seat, or (``None``) a bystander, may see and do.

        ``steps`` are those that were not taken back.
        """
        from porto_cli.abilities import observe

        return observe(self, state, seat)

    def view(self, state: StateT, seat: int | None) -> View:
        """Return what a seat, or (``None``) a bystander, may know: what a player program gets.

        Views of tables that differ only in what is hidden are equal.
        """
        return View(seat, state)

    def resample(self, view: View, rng: Random) -> StateT:
        """Return a random state that is consistent with a view (determinization).

        The view of the result from the same seat is the view given. Only ``random()`` of ``rng`` is
        used.
        """
        state: StateT = view.table
        return state

    def is_hidden(self, event: EventT) -> bool:
        """Return whether an event reveals something that no player could foresee."""
        return False

    def stops_foresight(self, event: EventT) -> Violation | None:
        """Return why nothing after an event can be foreseen, if nothing can."""
        return None

    # -- Abilities: what only some games have.

    @cached_property
    def options(self) -> Options[ConfigT] | None:
        """Options of a game besides who plays, and how a record stores them."""
        return None

    @cached_property
    def setup(self) -> Setup[ConfigT] | None:
        """What is turned up before the first move, which is recorded."""
        return None

    @cached_property
    def secrets(self) -> Secrets[StateT, MoveT] | None:
        """Choices of a player that the others must not see."""
        return None

    @cached_property
    def sealing(self) -> Sealing[ConfigT, StateT, MoveT, EventT] | None:
        """What a sealed game needs, in which no computer knows what is hidden."""
        return None

    @cached_property
    def orders(self) -> Orders | None:
        """What players can order ahead."""
        return None

    @cached_property
    def leaving(self) -> Leaving[StateT] | None:
        """How it goes on when nobody plays a seat any more; ``None`` if it cannot."""
        return None

    @cached_property
    def positions(self) -> Positions | None:
        """Positions of scenarios."""
        return None

    @cached_property
    def coach(self) -> Coach | None:
        """Judges moves, for hints and analyses."""
        return None

    @cached_property
    def players(self) -> Players:
        """The players that are programs."""
        from porto_cli.players.named import Players

        return Players()

    @cached_property
    def simulation(self) -> Simulation:
        """What is counted in many games."""
        from porto_cli.simulate.simulation import PlainSimulation

        return PlainSimulation(self)

    @cached_property
    def ui(self) -> Ui:
        """How it is shown and asked about."""
        from porto_cli.ui import Ui

        return Ui(self)

    @cached_property
    def commands(self) -> Commands:
        """What it adds to the command line."""
        from porto_cli.abilities import commands

        return commands(self.meta)

    @cached_property
    def folder(self) -> Path:
        """Where its files are, of which it needs none, see :mod:`porto_cli.installed`: the folder
        of the package that its class is in.
        """
        return folder_of(type(self).__module__)

    # -- What follows from the abilities; no game overrides these.

    def new_config(self, players: Sequence[str], **options: Any) -> ConfigT:
        """Return a new game's configuration. Raises ValueError for options that cannot be."""
        if self.options:
            return self.options.new_config(players, **options)
        from porto_cli.abilities import new_config

        config: ConfigT = new_config(players, **options)
        return config

    def read_config(self, root: yaml.Node, players: tuple[str, ...]) -> ConfigT:
        """Return the configuration of the game's own keys. Raises InvalidFileError."""
        own = self.options
        return own.read_config(root, players) if own else self.new_config(players)

    def config_lines(self, config: ConfigT) -> list[str]:
        """Return the canonical lines of a head between ``players`` and ``secrecy``."""
        return self.options.config_lines(config) if self.options else []

    def deal(self, config: ConfigT, chance: Chance) -> Deal:
        """Return what a chance turns up at the start."""
        return self.setup.deal(config, chance) if self.setup else NO_DEAL

    @property
    def sealed(self) -> Sealing[ConfigT, StateT, MoveT, EventT]:
        """What a sealed game needs, of a game that is known to be one."""
        if self.sealing is None:
            raise ValueError(f"{self.meta.title} has no sealed games.")
        return self.sealing

    def deal_fault(self, recorded: Deal, dealt: Deal) -> str | None:
        """Return where a recorded deal differs from the one of its seed, if it does."""
        return self.setup.deal_fault(recorded, dealt) if self.setup else None

    def sealed_pile(self, config: ConfigT) -> SealedPile | str:
        """Return what is dealt to the players alone, or why a game cannot be sealed."""
        if self.sealing is not None:
            return self.sealing.sealed_pile(config)
        return (
            f"{self.meta.title} cannot be sealed: no player is dealt anything that the "
            "others do not see."
        )

    def is_secret(self, move: MoveT) -> bool:
        """Return whether only the player who makes a move may know it, who has to be named then."""
        return self.secrets is not None and self.secrets.is_secret(move)

    def secret_movers(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that can make a secret move now."""
        return self.secrets.secret_movers(state) if self.secrets else ()

    def whose_secret(self, players: Sequence[str]) -> str:
        """Return that the player who makes or takes back a secret move has to be named."""
        if self.secrets is None:
            raise ValueError(f"{self.meta.title} has no secret moves.")
        return self.secrets.whose_secret(players)


BOX: dict[str, GameMeta] = {
    "porto": GameMeta(
        id="porto",
        title="Porto",
        players=range(1, 5),
        seam=SEAM,
        verbs=("keep", "draw", "build", "contract", "pass", "undo"),
        header_keys=("edition", "options"),
        item_keys=(
            *("contract", "refill", "refill-contracts", "timer", "timer-build", "timer-refill"),
            *("timer-refill-contracts", "level", "private"),
        ),
        mapping_keys=("private",),
        rulings=("P",),
        other_files=(
            (
                "heights",
                ("This file is an edition, not a record; 'porto new --edition' plays with it."),
            ),
        ),
        entry="porto_cli.games.porto.game:PORTO",
        commands="porto_cli.games.porto.commands:COMMANDS",
        bots=("random", "greedy", "level-1", "level-2", "level-3", "level-4", "level-5"),
    ),
    "puerto-rico": GameMeta(
        id="puerto-rico",
        title="Puerto Rico",
        players=range(2, 6),
        seam=SEAM,
        verbs=(
            *("role", "take", "place", "build", "sell", "load", "store", "guest", "choose"),
            *("pass", "undo"),
        ),
        header_keys=("options",),
        item_keys=("tile", "tiles", "vp"),
        unordered=("tiles",),
        rulings=("PR",),
        entry="porto_cli.games.puerto_rico.game:PUERTO_RICO",
        commands="porto_cli.games.puerto_rico.commands:COMMANDS",
        bots=(
            *("random", "greedy", "priced"),
            *("level-1", "level-2", "level-3", "level-4", "level-5"),
        ),
        former_bots=("search",),
        bots_version=3,
    ),
}
"""The games that come with the program, by their names in a record."""
DEFAULT = "porto"
"""The game of a record that names none."""


class _Games(Mapping[str, GameMeta]):
    """All games. Only what is not found in the box is looked for among the installed packages."""

    def __getitem__(self, game_id: str) -> GameMeta:
        return BOX.get(game_id) or game_of(game_id).meta

    def __contains__(self, game_id: object) -> bool:
        if game_id in BOX:
            return True
        from porto_cli.installed import names

        return game_id in names()

    def __iter__(self) -> Iterator[str]:
        from porto_cli.installed import usable

        return iter((*BOX, *usable()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


GAMES: Mapping[str, GameMeta] = _Games()
"""The games, by their names in a record: those of the box, and those of other packages. To go
through all of them loads those of other packages; one that cannot be used is left out.
"""
_loaded: dict[str, Game] = {}


def game_of(game_id: str) -> Game:
    """Return a game by its name.

    Raises KeyError if there is none, UnusableGameError if a package has it that cannot be used.
    """
    game = _loaded.get(game_id)
    if game is None:
        if game_id in BOX:
            game = at(BOX[game_id].entry)
        else:
            from porto_cli.installed import load

            game = load(game_id)
        _loaded[game_id] = game
    return game


def loaded() -> Mapping[str, Game]:
    """Return the games that were asked for up to now, by their names."""
    return _loaded


def folder_of(module: str) -> Path:
    """Return the folder of the package that a module is in, without importing the module.

    A module that is in none has no folder of its own, and gets one that is not there: what lies
    beside it belongs to others.
    """
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec(module)
    place = Path(spec.origin if spec and spec.origin else ".")
    is_alone = "." not in module and place.stem != "__init__"
    return place.with_suffix("") if is_alone else place.parent


def at(entry: str) -> Any:
    """Return the object that ``package.module:OBJECT`` names; Any because it can be any object."""
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)
