"""What every game's configuration, state and record have; abilities that only some games have
(setup, sealing, leaving, orders, simulation); and how people set up a game.

An ability is an object, or a module with functions of these names, that a game has as an attribute.
The others are described where they are used: ``porto_cli.fields.Positions``,
``porto_cli.players.Coach``, ``porto_cli.players.Players``, ``porto_cli.words.Language``,
``porto_cli.shown.Shown``.

Nearly all of this is for the type checker, so a command need not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

from porto_cli.core import InvalidMoveError, cited, enumerated, plural
from porto_cli.core.chance import Chance, TypedChance
from porto_cli.seam import (
    NO_DEAL,
    OVER,
    SENSIBLE,
    Config,
    Deal,
    Event,
    Move,
    Outcome,
    SealedPile,
    State,
    Step,
)

if TYPE_CHECKING:
    from porto_cli.kinds import Kind
    from porto_cli.term.prompt import Asker

# -- What every game's configuration, state and record have

ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ConfigIn = TypeVar("ConfigIn", contravariant=True)


class HasPlayers(Protocol):
    """What every game's configuration has."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in turn order."""


class Table(Protocol):
    """What every game's state has."""

    @property
    def config(self) -> HasPlayers:
        """The players and options."""

    @property
    def seat(self) -> int:
        """The seat to move, or the first of several."""

    @property
    def phase(self) -> str:
        """A word of the game; ``over`` at the end."""

    @property
    def turn(self) -> int:
        """How many turns are over."""


class Headed(Protocol):
    """What every record has."""

    @property
    def title(self) -> str:
        """The title that its players gave it; may be empty."""

    @property
    def secrecy(self) -> str:
        """``open``, ``table`` or ``sealed``."""


class SoFar(Protocol):
    """A game as far as it was played, which is a :class:`~porto_cli.match.replay.Replay`."""

    @property
    def record(self) -> Headed:
        """The record that it was read from."""

    @property
    def config(self) -> Config:
        """The players and options."""

    @property
    def opening(self) -> State:
        """The table before the first step."""

    @property
    def state(self) -> State:
        """The table now."""

    @property
    def steps(self) -> Sequence[Step]:
        """All steps, including those that were taken back."""

    def turns(self) -> list[Step]:
        """Return the steps that were not taken back, in order."""

    def last_step(self) -> Step | None:
        """Return the last step that was not taken back."""

    @property
    def bot_seats(self) -> Mapping[int, str]:
        """The seats that bots hold now."""

    @property
    def fingerprint(self) -> str:
        """The first digits of the digest."""

    @property
    def digest(self) -> str:
        """The hash of the record's content."""


# -- Abilities that only some games have: setup, sealing, leaving, orders


class Setup(Protocol[ConfigIn]):
    """What is turned up before the first move, and how a record stores it under ``setup``."""

    def deal(self, config: ConfigIn, chance: Chance) -> Deal:
        """Return what is turned up."""

    def deal_kinds(self, config: ConfigIn) -> Mapping[str, Kind]:
        """Return the kind of each key under ``setup``, in their order."""

    def deal_of(self, config: ConfigIn, values: Mapping[str, Any]) -> Deal:
        """Return the deal that has these values under its keys."""

    def deal_values(self, config: ConfigIn, deal: Deal) -> dict[str, Any]:
        """Return the values of a deal by their keys."""


class Sealing(Protocol[ConfigIn, StateT, MoveT, EventT]):
    """Sealed games: what is dealt to a player, and what the player chooses from it, is unknown to
    everybody else until the end.

    The states of different players differ only in what they know; a state marks what is unknown.
    """

    def sealed_pile(self, config: ConfigIn) -> SealedPile | str:
        """Return what is dealt face down to the players, or why a game of this configuration cannot
        be sealed.
        """

    def deal_sealed(self, config: ConfigIn, chance: Chance) -> Deal:
        """Return what is turned up for all to see, with all hands unknown."""

    def with_hand(self, deal: Deal, seat: int, hand: bytes) -> Deal:
        """Return a sealed deal in which the hand of a seat is known: things of the pile, in the
        order in which they were dealt. Raises ValueError.
        """

    def seal(self, state: StateT, move: MoveT, seat: int) -> tuple[MoveT, bytes]:
        """Return a legal move as everybody may see it, and what this hides, in a state in which the
        mover's hand is known; if nothing has to be hidden, the move itself and nothing. Raises
        ValueError.
        """

    def unseal(self, state: StateT, move: MoveT, hidden: bytes, seat: int) -> MoveT:
        """Return the original of a move that :meth:`seal` returned. Raises ValueError for something
        that is not in the hand of the seat, or if the hand is unknown.
        """

    def is_sealed(self, move: MoveT) -> bool:
        """Return whether a move hides something from everybody but the player who made it."""

    def unrevealed(self, state: StateT) -> tuple[int, ...]:
        """Return the seats of a sealed game that have not revealed everything yet."""

    def reveal(self, hidden: bytes) -> MoveT:
        """Return the move that reveals at the end what an earlier one has hidden."""

    def revealed(self, state: StateT, move: MoveT) -> bytes:
        """Return what a move reveals at the end of a sealed game; empty if it reveals nothing."""

    def is_waiting(self, state: StateT) -> bool:
        """Return whether something has to come up before anybody can move."""

    def apply(
        self, state: StateT, move: MoveT, chance: Chance | None, seat: int
    ) -> tuple[StateT, list[EventT]]:
        """Make a legal move like ``Game.apply``; without a chance nothing comes up, see
        :meth:`turn_up`.
        """

    def turn_up(self, state: StateT, chance: Chance) -> tuple[StateT, list[EventT]]:
        """Turn up what the last turn, made without a chance, left open.

        The entries of the events, which ``Game.chance_entries`` makes with the state given here as
        the one before, belong to the item of that turn. After the last turn nothing comes up.
        """

    def give_up(self, state: StateT, seats: Iterable[int]) -> tuple[StateT, list[EventT]]:
        """Return a sealed game that goes on without players who have vanished.

        Their turns are skipped, and what they have hidden counts for nothing. As after a move
        without chance, something may have to come up then. Raises ValueError for a game that is
        over, and for players who were given up before or have revealed everything.
        """


class Leaving(Protocol[StateT]):
    """How an open game goes on without some of its seats, see :mod:`porto_cli.match.items`."""

    def fault(self, state: StateT, seat: int) -> str | None:
        """Return why a seat cannot be left out of a running game now; ``None`` if it can."""

    def without(self, state: StateT, seats: frozenset[int]) -> StateT:
        """Return a table on which the turns of exactly these seats are skipped; others that were
        left out before play again.
        """


class OrderKind(NamedTuple):
    """A kind of decision that can be ordered ahead."""

    phase: str
    """The phase of the game in which it comes."""
    verbs: tuple[str, ...]
    """The verbs of its moves. A typed order can leave out the first."""
    when: str
    """When it comes, as the beginning of an explanation: "When you take a plantation:"."""
    is_listed: bool = True
    """Whether its moves are few enough to be listed, so an order can ask for the most VP."""
    sensible: str | None = None
    """The explanation of the policy ``sensible``; ``None`` if this kind does not have it."""
    choose: Callable[[State], Move | None] = lambda state: None
    """Returns the sensible legal move; ``None`` if the choice is left to the player."""
    written: str = SENSIBLE
    """The name of that policy in records. Development versions after 0.2.0 know some of them only
    by another name.
    """


class Orders(NamedTuple):
    """What a player can order ahead, see :mod:`porto_cli.match.orders`.

    Everything here depends only on what everybody at the table sees.
    """

    kinds: Mapping[str, OrderKind]
    """The kinds of decisions, by their names in an order."""
    occasion: Callable[[State], Hashable]
    """Returns a value that all decisions of the same occasion share, like a phase or a turn."""
    listed: Callable[[State, int], Sequence[Mapping[str, Any]] | None]
    """Returns the legal moves of a seat as in ``porto moves``; ``None`` if there are too many."""
    verbs: Collection[str]
    """The verbs of all moves, including those of decisions that cannot be ordered."""
    in_full: Callable[[str], str]
    """Returns a move with all names in full; shorthands that depend on the table stay as they are.
    Raises InvalidMoveError.
    """
    can_be: Callable[[Any, str, str], bool]
    """Returns whether, with a configuration, in a decision of a kind, a move in full can be legal.
    """

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game is waiting for; empty if it is none of
        these.
        """
        phase = state.phase
        return next((name for name, kind in self.kinds.items() if kind.phase == phase), "")

    def sensible(self, state: State, seat: int) -> Move | None:
        """Return the sensible legal move; ``None`` if the choice is left to the player."""
        kind = self.kinds.get(self.kind(state))
        return kind.choose(state) if kind and seat == state.seat else None

    def move(self, config: Any, kind: str, text: str) -> str:
        """Return a move of a kind of decision as written in orders: with its verb, which a typed
        order can leave out if it is the first of the kind, and with all names in full. Raises
        InvalidMoveError for a move that can never be legal there.
        """
        allowed, words = self.kinds[kind].verbs, text.split()
        verb = words[0].lower() if words else ""
        if verb not in self.verbs:
            words = [allowed[0], *words]
        elif verb not in allowed:
            raise InvalidMoveError(
                f"{cited(verb)} is not a move of the decision {cited(kind)}; there a move "
                f"begins with {enumerated(allowed, 'or')}."
            )
        full = self.in_full(" ".join(words))
        if not self.can_be(config, kind, full):
            raise InvalidMoveError(
                f"{self.kinds[kind].when.rstrip(':')}, {cited(full)} is never legal in this game."
            )
        return full


# -- Simulation: what a game counts when it is played many times
#
# ``porto_cli.simulate`` plays and counts, ``porto_cli.simulate.report`` sums up. A game counts what
# happens in it as *figures*: numbers by seat, group and name, such as the VP from one source or how
# often one rule came up. Only the game knows what its groups and names mean.

Figure = tuple[str, str]
"""The key of a group, and a name in it. Extras have no group: their key is empty."""
Counted = tuple[int, Figure, int]
"""A seat, a figure, and how much to add to it."""


class Group(NamedTuple):
    """Figures that belong together: a table of the report, columns of CSV, an object of JSON."""

    key: str
    names: tuple[str, ...]
    title: str
    heads: tuple[str, ...] = ()
    """Short names, for a table with a row per player: the means and their total. Without them the
    table has a row per name: how often it came up per game, and in what share of the games."""
    title_of_running: str | None = None
    """The title for simulations of a running game, if it differs."""
    explain: Callable[[str], str] | None = None
    """Returns an explanation for the end of a name's row."""


@dataclass
class Simulation:
    """What a game counts and decides while it is simulated; by default only how its games end."""

    groups: ClassVar[tuple[Group, ...]] = ()
    """The figures that are counted."""
    extras: ClassVar[tuple[str, ...]] = ()
    """Figures beside a score, by their names."""
    game: Any = None
    """The game; not needed if :meth:`redeal` and :meth:`choices` are overridden."""

    def is_played_out(self, state: State) -> bool:
        """Return whether no turn is left to play."""
        return bool(state.phase == OVER)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return a random state that is consistent with a running game.

        What is face up, and what the seat ``known`` knows, stays; what is hidden is dealt again.
        """
        seed = bytes(chance("redeal", index, bytes(256)) for index in range(8))
        return self.game.resample(self.game.view(state, known), Random(seed))

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves of the player to move, or some of them if there are too many."""
        moves: list[Move] = self.game.legal_moves(state, state.seat)
        return moves

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Counted]:
        """Return what a move that led from one state to another adds to the figures."""
        return ()

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Counted]:
        """Return what the end of a game adds to the figures, extras included."""
        return ()

    def standing(self, state: State) -> Outcome:
        """Return the outcome of a game that was given up: everybody is equal, nobody has won."""
        seats = len(state.config.players)
        return Outcome((1,) * seats, (0,) * seats, (False,) * seats)


# -- How people set up a game: what they type and are asked, and what they are told afterward


class NewGame:
    """How people set up a game. What lies on a real table is known by the names of its options."""

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from the typed ones.

        Raises WrongUsageError, FileError, InvalidFileError.
        """
        return {name: str(value) for name, value in typed.items()}

    def option_questions(self) -> Mapping[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts of the setup, by option. Each returns the value, ``None`` if there is
        nothing to ask.
        """
        return {}

    def player_count(self, count: int) -> str:
        """Return the text for a choice of a number of players."""
        return plural(count, "player")

    def setup_questions(self) -> Mapping[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what lies on a real table, by option."""
        return {}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Return the error text asking for what lies on a real table."""
        return f"Say what lies on the table, with {', '.join(flags)}."

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        return NO_DEAL

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Return sentences about the game that was set up in a file, and about what its seed does
        not hide. ``title`` is the name of the game.
        """
        players = match.config.players
        count, first = len(players), players[0]
        return [f"A game of {title} with {count} players is set up in {file}; {first} is first."]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return the chance for a real table: what was typed, or one that asks what came up."""
        return typed or TypedChance()
