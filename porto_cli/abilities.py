"""What only some games have: the abilities of :class:`porto_cli.game.Game`.

Each is an object, or a module with functions of these names. The other abilities are described
where they are used: :class:`~porto_cli.scenario.positions.Positions`,
:class:`~porto_cli.players.coach.Coach`, :class:`~porto_cli.players.named.Players`,
:class:`~porto_cli.simulate.simulation.Simulation`, and :class:`~porto_cli.ui.Ui`.

Nothing imports this module when the program runs; it is for the type checker and for readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.core.message import Sentence
    from porto_cli.core.schema import Reader
    from porto_cli.core.yaml import Mapping, Node
    from porto_cli.game import Deal, SealedPile

ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ConfigIn = TypeVar("ConfigIn", contravariant=True)
StateIn = TypeVar("StateIn", contravariant=True)
MoveIn = TypeVar("MoveIn", contravariant=True)


class Options(Protocol[ConfigT]):
    """Options of a game besides who plays, and how a record says them."""

    # The values of options differ from game to game, so that they are Any.
    def new_config(self, players: Sequence[str], **options: Any) -> ConfigT:
        """Return a new game's configuration. Raises ValueError for options that cannot be."""

    def read_config(self, root: Mapping, players: tuple[str, ...], reader: Reader) -> ConfigT:
        """Return the configuration of the game's own keys. Raises InvalidFileError."""

    def config_lines(self, config: ConfigT) -> list[str]:
        """Return the canonical lines of a head between ``players`` and ``secrecy``."""


class Setup(Protocol[ConfigIn]):
    """What is turned up before the first move, and how a record says it under ``setup``."""

    def deal(self, config: ConfigIn, chance: Chance) -> Deal:
        """Return what a chance turns up."""

    def read_deal(self, node: Node, config: ConfigIn, reader: Reader) -> Deal:
        """Return what stands under ``setup``. Raises InvalidFileError."""

    def deal_lines(self, config: ConfigIn, deal: Deal) -> list[str]:
        """Return the canonical lines under ``setup``, not indented."""

    def deal_fault(self, recorded: Deal, dealt: Deal) -> Sentence | None:
        """Say where what is recorded differs from what its seed deals, if it does."""


class Secrets(Protocol[StateIn, MoveIn]):
    """Choices of a player that nobody else may know."""

    def is_secret(self, move: MoveIn) -> bool:
        """Tell whether nobody but who makes it may know a move, so that who it is must be said."""

    def secret_movers(self, state: StateIn) -> tuple[int, ...]:
        """Return the seats that can make a secret move now."""

    def whose_secret(self, players: Sequence[str]) -> Sentence:
        """Say that who makes a secret move, or takes one back, has to be named."""

    def who_takes_back(self, players: Sequence[str]) -> Sentence:
        """Say with which option it is named who takes back a secret move."""

    def there_are(self, state: StateIn) -> bool:
        """Tell whether the players know anything for now that others must not see."""

    def not_hidden(self) -> Sentence:
        """Say that a screen that cannot be cleared would show it."""


class Sealing(Protocol[ConfigIn, StateT, MoveT, EventT]):
    """What a sealed game needs: what is dealt to a player, and what a player chooses of it, is
    known to nobody else before the end.

    A table is the same for all who look but for what they know; what is unknown to them is marked
    in the state as such.
    """

    def sealed_pile(self, config: ConfigIn) -> SealedPile | Sentence:
        """Return what is dealt to the players alone, or say why a game of this configuration
        cannot be sealed.
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
        """Tell whether a move hides something from all but who made it."""

    def unrevealed(self, state: StateT) -> tuple[int, ...]:
        """Return the seats of a sealed game of which something is known to nobody else."""

    def reveal(self, hidden: bytes) -> MoveT:
        """Return the move that tells at the end what another one has hidden."""

    def revealed(self, state: StateT, move: MoveT) -> bytes:
        """Return what a move tells at the end of a sealed game; nothing if it tells nothing."""

    def is_waiting(self, state: StateT) -> bool:
        """Tell whether something has to come up before the player to move can move."""

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
