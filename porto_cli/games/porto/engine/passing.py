"""Passing, where nothing else can be done (P-PASS-1).

>>> Pass()
<Pass>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import InvalidMoveError, Refusals
from porto_cli.games.porto.engine.build import legal_builds
from porto_cli.games.porto.engine.draw import legal_draws
from porto_cli.games.porto.engine.events import Event, Seat, event
from porto_cli.games.porto.engine.moves import move
from porto_cli.games.porto.engine.state import ACT
from porto_cli.games.porto.engine.turn import end_turn

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.games.porto.engine.state import Config, State


@event
class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: Seat

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"{config.players[self.seat]} cannot draw or build, and passes."


@move("pass", ACT)
class Pass(NamedTuple):
    """Do nothing, where nothing can be done (P-PASS-1)."""

    def shown(self) -> list[str]:
        """Return its words without a table: none."""
        return []

    def text(self, state: State) -> str:
        """Return its canonical text."""
        return "pass"

    @staticmethod
    def read(words: list[str], state: State | None = None, seat: int = 0) -> Pass:
        """Return the pass of a word alone. Raises InvalidMoveError."""
        if len(words) > 1:
            raise InvalidMoveError("A pass is the single word: pass.")
        return PASS

    def is_legal(self, state: State) -> bool:
        """Return ``False``: whether nothing else can be done is seen only by a closer look."""
        return False

    def form(self) -> Refusals:
        """Return nothing: it has no form that could be wrong."""
        return iter(())

    def refusals(self, state: State, seat: int) -> Refusals:
        """Return why it is not legal."""
        player, builds = state.config.players[state.seat], len(legal_builds(state))
        if legal_draws(state):
            yield "P-PASS-1", "Pass only if nothing else is legal; a card can be drawn."
        elif state.is_waiting:
            why = f"Pass only if nothing else is legal; {player} has not seen the refill yet."
            yield "P-PASS-1", why
        elif builds:
            yield "P-PASS-1", f"A player who cannot draw must build. Legal builds: {builds}."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """Make it, in a state that may be changed."""
        events.append(Passed(state.seat))
        end_turn(state, chance, events)


PASS = Pass()
