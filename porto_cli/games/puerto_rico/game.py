"""Puerto Rico behind the seam, see :class:`porto_cli.game.Game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.message import Sentence, say
from porto_cli.game import BOX, Game, Outcome, Step, View
from porto_cli.games.puerto_rico import event_text, header
from porto_cli.games.puerto_rico.engine.components import TILES
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.events import Event, TilesTurned, TookTile
from porto_cli.games.puerto_rico.engine.explain import violations
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.observation import Observation, observe
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.scoring import outcome
from porto_cli.games.puerto_rico.engine.setup import begin
from porto_cli.games.puerto_rico.engine.state import State, to_move
from porto_cli.games.puerto_rico.engine.tiles import STREAM
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    chance_entries,
    expand_move,
    find,
    format_move,
    parse_bundle,
)

if TYPE_CHECKING:
    from random import Random

    from porto_cli.abilities import Options, Setup
    from porto_cli.commands import Commands
    from porto_cli.games.puerto_rico.ui import PuertoRicoUi
    from porto_cli.players.coach import Coach
    from porto_cli.players.named import Players
    from porto_cli.scenario.positions import Positions
    from porto_cli.simulate.simulation import Simulation


class PuertoRico(Game[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.game.Game` for what each member means."""

    meta = BOX["puerto-rico"]
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)

    apply = staticmethod(apply)

    parse_move = staticmethod(expand_move)

    def format_move(self, move: Move, state: State) -> str:
        """Return a move as canonical text, which needs no table."""
        return format_move(move)

    def chance_entries(self, before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
        """Return the tile of the Hacienda and the new row, as far as they came up."""
        return chance_entries(events)

    def read_chance(self, key: str, text: str) -> tuple[str, bytes] | None:
        """Return the tiles of an entry, in no order. Raises InvalidMoveError."""
        if key == "tile":
            return STREAM, bytes([find(text, PLANTATION_NAMES)])
        if key != "tiles":
            return None
        row = parse_bundle(text.split(), PLANTATION_NAMES)
        return STREAM, bytes(tile for tile, number in enumerate(row) for _ in range(number))

    def chance_fault(self, error: NothingTypedError | NotInPileError) -> Sentence:
        """Say what an item lacks that tells no tile, or one that cannot be."""
        if isinstance(error, NotInPileError):
            return say(
                "{tile} cannot come up: every plantation of it lies open, is on an island or was "
                "discarded.",
                tile=TILES[error.thing],
            )
        return say(
            "The turn has to say which plantations came up ('tile: …' for the Hacienda, "
            "'tiles: …' for the new row)."
        )

    def remark(self, events: Sequence[Event], config: Config) -> str:
        """Return what a move brought, and what then went by itself."""
        return event_text.remark(events, config.players)

    def outcome(self, state: State) -> Outcome | None:
        """Return places and VP (PR-RANK-1); players can share a place."""
        counted = outcome(state)
        if counted is None:
            return None
        return Outcome(
            tuple(one.place for one in counted),
            tuple(one.total for one in counted),
            tuple(one.place == 1 for one in counted),
        )

    result_entries = staticmethod(header.result_entries)

    def observe(self, state: State, seat: int | None, steps: Sequence[Step] = ()) -> Observation:
        """Return what a seat may see (PR-SECRET-1)."""
        return observe(state, seat)

    def view(self, state: State, seat: int | None) -> View:
        """Return what a seat may know: of the others only how many VP chips they have together."""
        from porto_cli.games.puerto_rico.view import view

        return view(state, seat)

    def resample(self, view: View, luck: Random) -> State:
        """Return a table as it could be: the VP chips of the others belong to any of them."""
        from porto_cli.games.puerto_rico.view import resample

        return resample(view, luck)

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return isinstance(event, TilesTurned) or (
            isinstance(event, TookTile) and event.source == "stack"
        )

    def describe(self, event: Event, config: Config) -> Sentence:
        """Say what happened."""
        return event_text.sentence(event, config.players)

    def table(self, state: State, seat: int | None) -> list[str]:
        """Tell the table."""
        from porto_cli.games.puerto_rico.ui.plain import plain

        return plain(observe(state, seat))

    @cached_property
    def options(self) -> Options[Config]:
        """Which buildings are in the game, and whose rules."""
        return header

    @cached_property
    def setup(self) -> Setup[Config]:
        """The face-up plantations, and random buildings."""
        return header

    @cached_property
    def positions(self) -> Positions:
        """Positions of scenarios."""
        from porto_cli.games.puerto_rico.position import POSITIONS

        return POSITIONS

    @cached_property
    def coach(self) -> Coach:
        """Judges moves."""
        from porto_cli.games.puerto_rico.coach import COACH

        return COACH

    @cached_property
    def players(self) -> Players:
        """The players that are programs."""
        from porto_cli.games.puerto_rico.players import PLAYERS
        from porto_cli.players.named import Players

        return Players(PLAYERS)

    @cached_property
    def simulation(self) -> Simulation:
        """What is counted in many games."""
        from porto_cli.games.puerto_rico.simulation import SIMULATION

        return SIMULATION

    @cached_property
    def ui(self) -> PuertoRicoUi:
        """How it is shown and asked about."""
        from porto_cli.games.puerto_rico.ui import PuertoRicoUi

        return PuertoRicoUi(self)

    @cached_property
    def commands(self) -> Commands:
        """What it adds to the command line."""
        from porto_cli.games.puerto_rico.commands import COMMANDS

        return COMMANDS


PUERTO_RICO = PuertoRico()
