"""What a game has besides its rules: the abilities of :class:`porto_cli.game.Game` that only some
games have, and the defaults of all others: an open game without setup, options or secrets.

An ability is an object, or a module with functions of these names. The other abilities are
described where they are used: :class:`~porto_cli.fields.Positions`,
:class:`~porto_cli.players.coach.Coach`, :class:`~porto_cli.players.named.Players`,
:class:`~porto_cli.simulate.simulation.Simulation`, and :class:`~porto_cli.ui.Ui`.

When the program runs, only a game without something better of its own imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from porto_cli.core.message import InvalidMoveError, Violation, enumerated, shown
from porto_cli.core.yaml import flow, scalar

if TYPE_CHECKING:
    from porto_cli.commands import Commands
    from porto_cli.core.chance import Chance
    from porto_cli.core.yaml import Node
    from porto_cli.game import Deal, Game, GameMeta, Move, SealedPile, State


ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ConfigIn = TypeVar("ConfigIn", contravariant=True)
StateIn = TypeVar("StateIn", contravariant=True)
MoveIn = TypeVar("MoveIn", contravariant=True)


class Options(Protocol[ConfigT]):
    """Options of a game besides who plays, and how a record stores them."""

    # The values of options differ from game to game, so that they are Any.
    def new_config(self, players: Sequence[str], **options: Any) -> ConfigT:
        """Return a new game's configuration. Raises ValueError for options that cannot be."""

    def read_config(self, root: Node, players: tuple[str, ...]) -> ConfigT:
        """Return the configuration of the game's own keys. Raises InvalidFileError."""

    def config_lines(self, config: ConfigT) -> list[str]:
        """Return the canonical lines of a head between ``players`` and ``secrecy``."""


class Setup(Protocol[ConfigIn]):
    """What is turned up before the first move, and how a record stores it under ``setup``."""

    def deal(self, config: ConfigIn, chance: Chance) -> Deal:
        """Return what a chance turns up."""

    def read_deal(self, node: Node, config: ConfigIn) -> Deal:
        """Return the deal that a record has under ``setup``. Raises InvalidFileError."""

    def deal_lines(self, config: ConfigIn, deal: Deal) -> list[str]:
        """Return the canonical lines under ``setup``, not indented."""

    def deal_fault(self, recorded: Deal, dealt: Deal) -> str | None:
        """Return where a recorded deal differs from the one of its seed, if it does."""


class Secrets(Protocol[StateIn, MoveIn]):
    """Choices of a player that the others must not see."""

    def is_secret(self, move: MoveIn) -> bool:
        """Return whether only the player who makes a move may know it, who has to be named then."""

    def secret_movers(self, state: StateIn) -> tuple[int, ...]:
        """Return the seats that can make a secret move now."""

    def whose_secret(self, players: Sequence[str]) -> str:
        """Return that the player who makes or takes back a secret move has to be named."""

    def who_takes_back(self, players: Sequence[str]) -> str:
        """Return with which option the player is named who takes back a secret move."""

    def there_are(self, state: StateIn) -> bool:
        """Return whether a player now knows anything that the others must not see."""

    def not_hidden(self) -> str:
        """Return that a screen that cannot be cleared would show it."""


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
    """How an open game goes on without some of its seats, see :mod:`porto_cli.match.sitting`."""

    def fault(self, state: StateT, seat: int) -> str | None:
        """Return why a seat cannot be left out of a running game now; ``None`` if it can."""

    def without(self, state: StateT, seats: frozenset[int]) -> StateT:
        """Return a table on which the turns of exactly these seats are left out; those that were
        left out before, and are not among them, play again.
        """


SENSIBLE = "sensible"
"""The word for what every experienced player would choose alike, and for nothing else."""


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


# -- Defaults.

R_TURN, R_LEGAL = "R-TURN", "R-LEGAL"
"""The rulings of ``rulings_plain.toml``, for games that give no reasons of their own."""


class Seats(NamedTuple):
    """The configuration of a game without options."""

    players: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)


# The game and its values are any game's here, and the options of none are accepted.
def new_config(players: Sequence[str], **options: Any) -> Any:
    """Return the configuration of a game without options. Raises ValueError if there are any."""
    if options:
        raise ValueError(f"The game has no options, and was given {', '.join(sorted(options))}.")
    return Seats(tuple(players))


def violations(game: Game, state: State, move: Move, seat: int) -> list[Violation]:
    """Return that a move is not among the legal ones, or not the turn of the seat."""
    try:
        text = game.format_move(move, state)
    except AttributeError as error:
        raise TypeError(f"{move!r} is not a move.") from error
    if seat not in game.to_move(state):
        waiting = ", ".join(state.config.players[one] for one in game.to_move(state))
        if not waiting:
            return [Violation(R_TURN, "The game is over.")]
        return [Violation(R_TURN, f"It is the turn of {waiting}.")]
    legal = game.legal_moves(state, seat)
    if game.canonical_move(state, move) in legal:
        return []
    return [
        Violation(
            R_LEGAL,
            f"{shown(text)} is not one of the {len(legal)} legal moves.",
        )
    ]


def result_entries(game: Game, state: State) -> list[tuple[str, str]]:
    """Return the scores of all players, first place first."""
    outcome = game.outcome(state)
    if outcome is None:
        return []
    players = state.config.players
    order = sorted(range(len(players)), key=lambda seat: outcome.places[seat])
    return [("result", flow({scalar(players[one]): str(outcome.scores[one]) for one in order}))]


def observe(game: Game, state: State, seat: int | None) -> dict[str, Any]:
    """Return the table as lines of text, and the moves of a seat: each with its text, and ``vp``,
    what it scores at once, of which nothing is known.
    """
    players, to_move = state.config.players, game.to_move(state)
    moves = game.legal_moves(state, seat) if seat in to_move else []
    return {
        "player": None if seat is None else players[seat],
        "to_move": [players[mover] for mover in to_move],
        "table": [*game.table(state, seat)],
        "count": len(moves),
        "moves": [{"move": game.format_move(move, state), "vp": 0} for move in moves],
    }


def commands(meta: GameMeta) -> Commands:
    """Return what the verbs of a game take: any words."""
    from porto_cli.commands import Commands, Verb
    from porto_cli.match.undo import UNDO

    about = "The words of the move; see 'porto moves'."
    verbs = {
        verb: Verb(f"Make the move {shown(verb)}.", "WORD…", about)
        for verb in meta.verbs
        if verb != UNDO
    }
    undo = Verb(
        """Take back your last turn, as long as nobody else has moved.

        The record keeps both the turn and the undo.
        """
    )
    return Commands(
        {**verbs, UNDO: undo},
        f"{meta.players.start} to {meta.players.stop - 1} players.",
    )
