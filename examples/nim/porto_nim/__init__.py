"""Nim for porto: players take objects from one heap; whoever takes the last one wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core import InvalidMoveError, cited
from porto_cli.games import Game
from porto_cli.seam import OVER, SEAM, GameMeta, Outcome, Seats

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance

HEAPS = "ABC"
SIZES = (3, 4, 5)


class State(NamedTuple):
    """The heaps, and whose turn it is."""

    config: Seats
    heaps: tuple[int, ...]
    turn: int = 0

    @property
    def phase(self) -> str:
        """``over`` when nothing is left."""
        return "take" if any(self.heaps) else OVER

    @property
    def seat(self) -> int:
        """Who is to move."""
        return self.turn % self.config.seats


class Take(NamedTuple):
    """A move: the number of objects taken from which heap."""

    heap: int
    number: int


class Taken(NamedTuple):
    """An event: what a player has taken, and what is left of the heap."""

    seat: int
    heap: int
    number: int
    left: int


class Nim(Game[Seats, State, Take, Taken]):
    """The game. Ten members are required; everything else is a default."""

    meta = GameMeta(
        id="nim",
        title="Nim",
        players=range(2, 5),
        verbs=("take", "undo"),
        rulings=("NIM",),
        seam=SEAM,
    )

    def initial_state(self, config: Seats, deal: object) -> State:
        """Start with all heaps."""
        return State(config, SIZES)

    def to_move(self, state: State) -> tuple[int, ...]:
        """Take turns, until nothing is left."""
        return () if state.phase == OVER else (state.seat,)

    def legal_moves(self, state: State, seat: int, limit: int | None = None) -> list[Take]:
        """Take any number from any heap."""
        if seat not in self.to_move(state):
            return []
        return [
            Take(heap, count)
            for heap, size in enumerate(state.heaps)
            for count in range(1, size + 1)
        ]

    def apply(
        self, state: State, move: Take, chance: Chance, seat: int
    ) -> tuple[State, list[Taken]]:
        """Take the objects."""
        heaps = list(state.heaps)
        heaps[move.heap] -= move.number
        after = state._replace(heaps=tuple(heaps), turn=state.turn + 1)
        return after, [Taken(seat, move.heap, move.number, heaps[move.heap])]

    def outcome(self, state: State) -> Outcome | None:
        """Whoever took the last object has won; the others share the second place."""
        if state.phase != OVER:
            return None
        seats = range(state.config.seats)
        won = tuple(seat == (state.turn - 1) % state.config.seats for seat in seats)
        return Outcome(tuple(1 if one else 2 for one in won), tuple(map(int, won)), won)

    def format_move(self, move: Take, state: State) -> str:
        """Write a move: ``take 2 B``."""
        return f"take {move.number} {HEAPS[move.heap]}"

    def parse_move(self, text: str, state: State, seat: int) -> Take:
        """Read a move."""
        match text.upper().split():
            case ["TAKE", count, heap] if heap in tuple(HEAPS) and count in tuple("12345"):
                return Take(HEAPS.index(heap), int(count))
        raise InvalidMoveError(
            f"{cited(text)} is not a move; write how many and from where: take 2 B."
        )

    def describe(self, event: Taken, config: Seats) -> str:
        """Say what was taken."""
        return (
            f"{config.players[event.seat]} took {event.number} from heap "
            f"{HEAPS[event.heap]}, which left {event.left}."
        )

    def table(self, state: State, seat: int | None) -> list[str]:
        """Draw each heap as a line."""
        heaps = zip(HEAPS, state.heaps, strict=True)
        return [f"{heap}  {'o ' * size}({size})" for heap, size in heaps]


NIM = Nim()
