"""The seam: what a game has to offer so that everything else can play, keep and show it.

A game is one object with the methods of :class:`Game`. There is no base class, and no model of a
table that games share: a configuration, a deal, a state, a move and an event belong to their game
and are passed around without being looked into, but for the few attributes that are named here.

:data:`GAMES` knows the games by their names in a record. The modules of a game are loaded when a
record, or ``--game``, asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core.message import Sentence, say

if TYPE_CHECKING:
    from random import Random
    from typing import Protocol

    from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError
    from porto_cli.core.schema import Reader
    from porto_cli.core.violation import Violation
    from porto_cli.core.yaml import Mapping, Node
else:
    # Only the type checker looks at a protocol, and every command would pay for making one.
    Protocol = object

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
Observation = Any
"""What a seat may see."""

OVER = "over"
"""The phase of a game that has ended, whichever it is."""


class GameMeta(NamedTuple):
    """What is known of a game without loading it."""

    id: str
    """The name in a record and behind ``--game``."""
    title: str
    players: range
    """How many can play."""
    rules_version: int
    """The version of the rules that this program plays: ``rules: 1`` in a record."""
    verbs: tuple[str, ...]
    """What its moves begin with; each is a command."""
    header_keys: tuple[str, ...]
    """Keys that the head of its records may have besides those of all games."""
    item_keys: tuple[str, ...]
    """What a turn may go on with in a record, and what comes with its result."""
    mapping_keys: tuple[str, ...]
    """Those among them whose values are mappings."""
    unordered: tuple[str, ...]
    """The streams of chance whose things are told in any order."""
    rulings: tuple[str, ...]
    """How the ids of its rulings begin."""
    other_files: tuple[tuple[str, Sentence], ...]
    """Keys of files of the game that are no records, and what to say of one in place of one."""
    module: str
    """The package that has the game: ``game.GAME``, ``ui.UI``, ``position.POSITIONS`` …"""
    bots: tuple[str, ...]
    """The players that are programs, by the names in its ``PLAYERS``; each can hold a seat."""
    bots_version: int
    """Their version: it grows with every change after which one of them makes another move
    somewhere. Records have it, so that nobody is accused who plays with another one."""


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


class Game(Protocol):
    """A game behind the seam. Every method is pure.

    Where a method takes a ``seat`` that is the player who moves, or who looks.
    """

    @property
    def meta(self) -> GameMeta:
        """What is known of it without loading it."""

    # A game, and what is dealt.

    def new_config(self, players: Sequence[str], **options: Any) -> Config:
        """Return a new game's configuration. Raises ValueError for options that cannot be."""

    def read_config(self, root: Mapping, players: tuple[str, ...], reader: Reader) -> Config:
        """Return the configuration of the game's own keys. Raises InvalidFileError."""

    def config_lines(self, config: Config) -> list[str]:
        """Return the canonical lines of a head between ``players`` and ``secrecy``."""

    def read_deal(self, node: Node, config: Config, reader: Reader) -> Deal:
        """Return what stands under ``setup``. Raises InvalidFileError."""

    def deal(self, config: Config, chance: Chance) -> Deal:
        """Return what a chance turns up at the start."""

    def deal_lines(self, config: Config, deal: Deal) -> list[str]:
        """Return the canonical lines under ``setup``, not indented."""

    def deal_fault(self, recorded: Deal, dealt: Deal) -> Sentence | None:
        """Say where what is recorded differs from what its seed deals, if it does."""

    def initial_state(self, config: Config, deal: Deal) -> State:
        """Return the table before the first move."""

    # Moves.

    def to_move(self, state: State) -> tuple[int, ...]:
        """Return the seats whose move the game waits for; none when it is over."""

    def legal_moves(self, state: State, seat: int, limit: int | None = None) -> list[Move]:
        """Return the legal moves of a seat. Beyond ``limit`` the list may be cut short."""

    def count_moves(self, state: State, seat: int) -> int:
        """Return how many legal moves a seat has. It is computed where they run to millions."""

    def violations(self, state: State, move: Move, seat: int) -> list[Violation]:
        """Return every rule that a move would break; none if it is legal.

        Raises TypeError or ValueError for what is no move at all.
        """

    def apply(
        self, state: State, move: Move, chance: Chance | None, seat: int
    ) -> tuple[State, list[Event]]:
        """Make a legal move. What leaves no choice afterwards is made as well.

        Without a chance, which is for games that can be sealed, nothing comes up: see
        :meth:`turn_up`.
        """

    def canonical_move(self, state: State, move: Move) -> Move:
        """Return the move that is listed for this one among the legal moves: the same choice."""

    def parse_move(self, text: str, state: State, seat: int) -> Move:
        """Return the move of a text. Raises InvalidMoveError."""

    def format_move(self, move: Move, state: State) -> str:
        """Return a move as canonical text."""

    def read_move(self, text: str, state: State, seat: int) -> tuple[Move, str, list[Violation]]:
        """Return the move of a text, its canonical text, and every rule that it would break.

        The same as :meth:`parse_move`, :meth:`format_move` and :meth:`violations`, but quick for
        legal moves in canonical words. Raises InvalidMoveError.
        """

    def is_secret(self, move: Move) -> bool:
        """Tell whether nobody but who makes it may know a move, so that who it is must be said."""

    def secret_movers(self, state: State) -> tuple[int, ...]:
        """Return the seats that can make a secret move now."""

    def whose_secret(self, players: Sequence[str]) -> Sentence:
        """Say that who makes a secret move, or takes one back, has to be named."""

    def turn_moves(self, state: State, moves: list[Move], seat: int) -> list[Move]:
        """Return the moves of one turn less what goes without saying.

        Raises IllegalMoveError for a move that can have no meaning behind those before it.
        """

    # The record.

    def follow_up(self, state: State) -> tuple[str, str] | None:
        """Return the key under which an item goes on, and the verb that its text leaves out.

        ``None`` if the turn does not wait for another decision of the same player.
        """

    def continues(self, state: State, move: Move, seat: int) -> bool:
        """Tell whether a move is the decision that a turn waits for (see :meth:`follow_up`)."""

    def chance_entries(self, before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
        """Return what came up after one decision, as entries of an item."""

    def read_chance(self, key: str, text: str) -> tuple[str, bytes] | None:
        """Return the stream of an entry and what came up; ``None`` if it tells no chance.

        Raises InvalidMoveError.
        """

    def chance_fault(self, error: NothingTypedError | NotInPileError) -> Sentence:
        """Say what an item lacks that tells no chance, or one that cannot be."""

    def remark(self, events: Sequence[Event], config: Config) -> str:
        """Return the comment behind a move: what it brought; may be empty."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended; ``None`` while it goes on."""

    def result_entries(self, state: State) -> list[tuple[str, str]]:
        """Return the entries of the item that ends a game, but for its fingerprint."""

    # Sealed games: what is dealt to a player, and what a player chooses of it, is known to nobody
    # else before the end. A table is the same for all who look but for what they know; what is
    # unknown to them is marked in the state as such.

    def sealed_pile(self, config: Config) -> SealedPile | Sentence:
        """Return what is dealt to the players alone, or say why a game cannot be sealed.

        Where it cannot, :meth:`deal_sealed`, :meth:`with_hand`, :meth:`turn_up` and
        :meth:`give_up` raise ValueError.
        """

    def deal_sealed(self, config: Config, chance: Chance) -> Deal:
        """Return what a chance turns up for all to see; everybody's hand is unknown in it."""

    def with_hand(self, deal: Deal, seat: int, hand: bytes) -> Deal:
        """Return a sealed deal in which the hand of a seat is known: things of the pile, in the
        order in which they were dealt. Raises ValueError.
        """

    def seal(self, state: State, move: Move, seat: int) -> tuple[Move, bytes]:
        """Return a legal move of a player who knows the own hand, as everybody may see it, and what
        that hides; the move itself and nothing if it hides nothing. Raises ValueError.
        """

    def unseal(self, state: State, move: Move, hidden: bytes, seat: int) -> Move:
        """Return the move that :meth:`seal` has hidden something of. Raises ValueError for what is
        not in the hand of the seat, or an unknown hand.
        """

    def is_sealed(self, move: Move) -> bool:
        """Tell whether a move hides something from all but who made it."""

    def unrevealed(self, state: State) -> tuple[int, ...]:
        """Return the seats of a sealed game of which something is known to nobody else."""

    def reveal(self, hidden: bytes) -> Move:
        """Return the move that tells at the end what another one has hidden."""

    def revealed(self, state: State, move: Move) -> bytes:
        """Return what a move tells at the end of a sealed game; nothing if it tells nothing."""

    def is_waiting(self, state: State) -> bool:
        """Tell whether something has to come up before the player to move can move."""

    def turn_up(self, state: State, chance: Chance) -> tuple[State, list[Event]]:
        """Return a state made without chance, see :meth:`apply`, after what comes up has come up.

        The entries of the events, by :meth:`chance_entries` with the state given here as the one
        before, belong to the item of the turn before. After the last turn nothing comes up.
        """

    def give_up(self, state: State, seats: Iterable[int]) -> tuple[State, list[Event]]:
        """Return a sealed game that goes on without players who have vanished.

        Their turns are left out, and what they have hidden counts nothing. As after a move without
        chance, something may have to come up then. Raises ValueError for a game that is over, and
        for who was given up or has revealed everything.
        """

    # What may be known.

    def observe(self, state: State, seat: int | None, steps: Sequence[Step] = ()) -> Observation:
        """Return what a seat, or (``None``) a bystander, may see and do.

        ``steps`` are those that stand.
        """

    def view(self, state: State, seat: int | None) -> View:
        """Return what a seat, or (``None``) a bystander, may know: what a player program gets.

        Views of tables that differ only in what is hidden are equal.
        """

    def resample(self, view: View, luck: Random) -> State:
        """Return a table as it could be: what is hidden is dealt anew.

        Whoever looks from the same seat sees the same: the view of the result is the view given.
        Of the source of luck only ``random()`` is used.
        """

    def is_hidden(self, event: Event) -> bool:
        """Tell whether nobody at the table could foresee an event."""

    def stops_foresight(self, event: Event) -> Violation | None:
        """Return why nothing after an event can be foreseen, if nothing can."""


GAMES: dict[str, GameMeta] = {
    "porto": GameMeta(
        id="porto",
        title="Porto",
        players=range(1, 5),
        rules_version=1,
        verbs=("keep", "draw", "build", "contract", "pass", "undo"),
        header_keys=("edition", "options"),
        item_keys=(
            *("contract", "refill", "refill-contracts", "timer", "timer-build", "timer-refill"),
            *("timer-refill-contracts", "level", "private"),
        ),
        mapping_keys=("private",),
        unordered=(),
        rulings=("P",),
        other_files=(
            (
                "heights",
                say("This file is an edition, not a record; 'porto new --edition' plays with it."),
            ),
        ),
        module="porto_cli.games.porto",
        bots=("random", "greedy", "level-1", "level-2", "level-3", "level-4", "level-5"),
        bots_version=1,
    ),
    "puerto-rico": GameMeta(
        id="puerto-rico",
        title="Puerto Rico",
        players=range(2, 6),
        rules_version=1,
        verbs=(
            *("role", "take", "place", "build", "sell", "load", "store", "guest", "choose"),
            *("pass", "undo"),
        ),
        header_keys=("options",),
        item_keys=("tile", "tiles", "vp"),
        mapping_keys=(),
        unordered=("tiles",),
        rulings=("PR",),
        other_files=(),
        module="porto_cli.games.puerto_rico",
        bots=("random", "greedy", "priced", "search", "level-1", "level-2", "level-3"),
        bots_version=1,
    ),
}
"""The games, by their names in a record."""
DEFAULT = "porto"
"""The game of a record that names none."""


def game_of(game_id: str) -> Game:
    """Return a game by its name. Raises KeyError if there is none."""
    game: Game = import_module(f"{GAMES[game_id].module}.game").GAME
    return game
