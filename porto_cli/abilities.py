"""What is known of every game's configuration, state and record; abilities, which only some games
have: setup, sealing, leaving, orders, simulation; and how people set a game up. The other abilities
and parts of a game are described where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

from porto_cli.core import InvalidMoveError, enumerated, plural, shown
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

# -- What is known of every game's configuration, state and record
#
# An ability is an object, or a module with functions of these names, that a game has as one of its
# attributes. Other abilities are described where they are used:
# ``porto_cli.fields.Positions``, ``porto_cli.players.Coach``, ``porto_cli.players.Players``,
# ``porto_cli.words.Language``, ``porto_cli.shown.Shown``.
#
# Nearly all of it is for the type checker, so that a command need not load it.

ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ConfigIn = TypeVar("ConfigIn", contravariant=True)


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


class Headed(Protocol):
    """What is known of every record."""

    @property
    def title(self) -> str:
        """What its players call it; may be empty."""

    @property
    def secrecy(self) -> str:
        """``open``, ``table`` or ``sealed``."""


class SoFar(Protocol):
    """A game as far as it was played: what :class:`~porto_cli.match.replay.Replay` has."""

    @property
    def record(self) -> Headed:
        """The record that it was read from."""

    @property
    def config(self) -> Config:
        """Who plays, by which options."""

    @property
    def opening(self) -> State:
        """The table before the first step."""

    @property
    def state(self) -> State:
        """The table now."""

    @property
    def steps(self) -> Sequence[Step]:
        """All steps, also those that were taken back."""

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
        """Return what a chance turns up."""

    def deal_kinds(self, config: ConfigIn) -> Mapping[str, Kind]:
        """Return what each of the keys under ``setup`` holds, in their order."""

    def deal_of(self, config: ConfigIn, values: Mapping[str, Any]) -> Deal:
        """Return the deal that has these values under its keys."""

    def deal_values(self, config: ConfigIn, deal: Deal) -> dict[str, Any]:
        """Return what a deal has under its keys."""


class Sealing(Protocol[ConfigIn, StateT, MoveT, EventT]):
    """What a sealed game needs: what is dealt to a player, and what a player chooses of it, is
    unknown to everybody else before the end.

    The states of different players differ only in what they know; what is unknown is marked as
    such in a state.
    """

    def sealed_pile(self, config: ConfigIn) -> SealedPile | str:
        """Return what is dealt to the players alone, or why a game of this configuration cannot be
        sealed.
        """

    def deal_sealed(self, config: ConfigIn, chance: Chance) -> Deal:
        """Return what a chance turns up for all to see; everybody's hand is unknown in it."""

    def with_hand(self, deal: Deal, seat: int, hand: bytes) -> Deal:
        """Return a sealed deal in which the hand of a seat is known: things of the pile, in the
        order in which they were dealt. Raises ValueError.
        """

    def seal(self, state: StateT, move: MoveT, seat: int) -> tuple[MoveT, bytes]:
        """Return a legal move of a player who knows their own hand, as everybody may see it, and
        what that hides; the move itself and nothing if it hides nothing. Raises ValueError.
        """

    def unseal(self, state: StateT, move: MoveT, hidden: bytes, seat: int) -> MoveT:
        """Return the move that :meth:`seal` has hidden something of. Raises ValueError for what is
        not in the hand of the seat, or an unknown hand.
        """

    def is_sealed(self, move: MoveT) -> bool:
        """Return whether a move hides something from everybody but the player who made it."""

    def unrevealed(self, state: StateT) -> tuple[int, ...]:
        """Return the seats of a sealed game that have not revealed everything yet."""

    def reveal(self, hidden: bytes) -> MoveT:
        """Return the move that reveals at the end what another one has hidden."""

    def revealed(self, state: StateT, move: MoveT) -> bytes:
        """Return what a move reveals at the end of a sealed game; empty if it reveals nothing."""

    def is_waiting(self, state: StateT) -> bool:
        """Return whether something has to come up before the player to move can move."""

    def apply(
        self, state: StateT, move: MoveT, chance: Chance | None, seat: int
    ) -> tuple[StateT, list[EventT]]:
        """Make a legal move like ``Game.apply``; without a chance nothing comes up, see
        :meth:`turn_up`.
        """

    def turn_up(self, state: StateT, chance: Chance) -> tuple[StateT, list[EventT]]:
        """Return a state that was made without chance after what comes up has come up.

        The entries of the events, by ``Game.chance_entries`` with the state given here as the one
        before, belong to the item of the turn before. After the last turn nothing comes up.
        """

    def give_up(self, state: StateT, seats: Iterable[int]) -> tuple[StateT, list[EventT]]:
        """Return a sealed game that goes on without players who have vanished.

        Their turns are left out, and what they have hidden counts nothing. As after a move without
        chance, something may have to come up then. Raises ValueError for a game that is over, and
        for who was given up or has revealed everything.
        """


class Leaving(Protocol[StateT]):
    """How an open game goes on without some of its seats, see :mod:`porto_cli.match.items`."""

    def fault(self, state: StateT, seat: int) -> str | None:
        """Return why a seat cannot be left out of a running game now; ``None`` if it can."""

    def without(self, state: StateT, seats: frozenset[int]) -> StateT:
        """Return a table on which the turns of exactly these seats are left out; those that were
        left out before, and are not among them, play again.
        """


class OrderKind(NamedTuple):
    """A kind of decision that can be ordered ahead."""

    phase: str
    """The phase of the game in which it waits."""
    verbs: tuple[str, ...]
    """What its moves begin with. A typed order can leave out the first."""
    when: str
    """When it is made, as the beginning of an explanation: "When you take a plantation:"."""
    is_listed: bool = True
    """Its moves are few enough to be listed, so that an order can ask for that with most VP."""
    sensible: str | None = None
    """What the policy ``sensible`` chooses, if there is one for this kind."""
    choose: Callable[[State], Move | None] = lambda state: None
    """Returns the legal move that is sensible; ``None`` if that is left to the player."""
    written: str = SENSIBLE
    """How records name that policy. Development versions after 0.2.0 read some of them by another
    name only.
    """


class Orders(NamedTuple):
    """What a player can order ahead, see :mod:`porto_cli.match.orders`.

    All of it sees only what everybody at the table sees.
    """

    kinds: Mapping[str, OrderKind]
    """The kinds of decisions, by their names in an order."""
    occasion: Callable[[State], Hashable]
    """Returns what all decisions of one occasion have in common, like a phase or a turn."""
    listed: Callable[[State, int], Sequence[Mapping[str, Any]] | None]
    """Returns the legal moves of a seat as ``porto moves`` lists them; none if they are too many.
    """
    verbs: Collection[str]
    """What the moves of the game begin with, of decisions that cannot be ordered as well."""
    in_full: Callable[[str], str]
    """Returns a move with its names in full, and the shorthands that depend on the table as they
    are. Raises InvalidMoveError.
    """
    can_be: Callable[[Any, str, str], bool]
    """Returns whether a move in full can be legal in a decision of a kind in a game with a
    configuration.
    """

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game waits for; empty if it is none of them."""
        phase = state.phase
        return next((name for name, one in self.kinds.items() if one.phase == phase), "")

    def sensible(self, state: State, seat: int) -> Move | None:
        """Return the legal move that is sensible; ``None`` if that is left to the player."""
        kind = self.kinds.get(self.kind(state))
        return kind.choose(state) if kind and seat == state.seat else None

    def move(self, config: Any, kind: str, text: str) -> str:
        """Return a move of a decision of a kind, as an order has it: with its verb, which can be
        left out if it is the first of the kind, and in full. Raises InvalidMoveError for what can
        never be a legal move there.
        """
        allowed, words = self.kinds[kind].verbs, text.split()
        verb = words[0].lower() if words else ""
        if verb not in self.verbs:
            words = [allowed[0], *words]
        elif verb not in allowed:
            raise InvalidMoveError(
                f"{shown(verb)} is not a move of the decision {shown(kind)}; there a move "
                f"begins with {enumerated(allowed, 'or')}."
            )
        full = self.in_full(" ".join(words))
        if not self.can_be(config, kind, full):
            raise InvalidMoveError(
                f"{shown(full)} is never legal in this game when the decision is {shown(kind)}."
            )
        return full


# -- Simulation: what a game counts when many of it are played
#
# ``porto_cli.simulate`` plays and counts, ``porto_cli.simulate.report`` sums up. A game counts what
# happens in it as *figures*: numbers by seat, group and name, such as the VP from one source or how
# often one rule came up. Groups and names are the game's; what sums them up and prints them looks
# into none of them.

Figure = tuple[str, str]
"""The key of a group, and a name in it. Extras have no group: their key is empty."""
Counted = tuple[int, Figure, int]
"""A seat, a figure, and by how much it grows."""


class Group(NamedTuple):
    """Figures that belong together: a table of the report, columns of CSV, an object of JSON."""

    key: str
    names: tuple[str, ...]
    title: str
    heads: tuple[str, ...] = ()
    """Short names, for a row of each player with the means and their total. Without them each name
    has a row, with how often it came up in a game, and in which share of the games it did."""
    title_of_running: str | None = None
    """The title for simulations of a running game, if it differs."""
    explain: Callable[[str], str] | None = None
    """An explanation at the end of the row of a name."""


@dataclass
class Simulation:
    """What a game counts and decides while it is simulated; by itself, only how its games end."""

    groups: ClassVar[tuple[Group, ...]] = ()
    """The figures that are counted."""
    extras: ClassVar[tuple[str, ...]] = ()
    """Figures beside a score, by their names."""
    game: Any = None
    """The game, unless something takes the place of :meth:`redeal` and :meth:`choices`."""

    def is_played_out(self, state: State) -> bool:
        """Return whether no turn is left to play."""
        return bool(state.phase == OVER)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return a random state that is consistent with a running game.

        What lies open, and what the seat ``known`` knows, stays; what is hidden is dealt again.
        """
        seed = bytes(chance("redeal", index, bytes(256)) for index in range(8))
        return self.game.resample(self.game.view(state, known), Random(seed))

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves of who is to move; where they are too many, some of them."""
        moves: list[Move] = self.game.legal_moves(state, state.seat)
        return moves

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Counted]:
        """Return what a move adds to the figures, which led from one state to another."""
        return ()

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Counted]:
        """Return what the end of a game adds to the figures, extras included."""
        return ()

    def standing(self, state: State) -> Outcome:
        """Return the outcome, without winners, of a game that was given up: all are equal."""
        seats = len(state.config.players)
        return Outcome((1,) * seats, (0,) * seats, (False,) * seats)


# -- How people set up a game: what they type and are asked, and what is said of it then


class NewGame:
    """How people set up a game. What is on a real table has the names of the options for it."""

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration from those that were typed.

        Raises WrongUsageError, FileError, InvalidFileError.
        """
        return {name: str(value) for name, value in typed.items()}

    def option_questions(self) -> Mapping[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts of the setup, by option.

        Each returns the value, or ``None`` if there is nothing to ask.
        """
        return {}

    def player_count(self, count: int) -> str:
        """Return the name of a game with a number of players."""
        return plural(count, "player")

    def setup_questions(self) -> Mapping[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table, by option."""
        return {}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Say what has to be typed of a real table."""
        return f"Say what lies on the table, with {', '.join(flags)}."

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        return NO_DEAL

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Say which game was set up in a file, and what its seed does not hide. ``title`` is what
        the game is called.
        """
        players = match.config.players
        count, first = len(players), players[0]
        return [f"A game of {title} with {count} players is set up in {file}; {first} is first."]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks what came up on a real table, unless it was typed."""
        return typed or TypedChance()
