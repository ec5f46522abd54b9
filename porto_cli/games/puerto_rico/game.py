"""Puerto Rico behind the seam: what :class:`porto_cli.game.Game` asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.chance import Chance, NothingTypedError, NotInPileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation
from porto_cli.game import GAMES, Outcome, SealedPile, Step, View
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
from porto_cli.games.puerto_rico.engine.setup import Deal, begin, deal
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


class PuertoRico:
    """The game. See :class:`porto_cli.game.Game` for what each method means."""

    meta = GAMES["puerto-rico"]

    def new_config(self, players: Sequence[str], **options: Any) -> Config:
        """Return a configuration; the options are ``buildings`` and ``rulebook``.

        Raises ValueError.
        """
        return Config(tuple(players), **options)

    read_config = staticmethod(header.read_config)
    config_lines = staticmethod(header.config_lines)
    read_deal = staticmethod(header.read_deal)
    deal = staticmethod(deal)
    deal_lines = staticmethod(header.deal_lines)
    deal_fault = staticmethod(header.deal_fault)
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)

    apply = staticmethod(apply)

    def canonical_move(self, state: State, move: Move) -> Move:
        """No two moves do the same."""
        return move

    parse_move = staticmethod(expand_move)

    def format_move(self, move: Move, state: State) -> str:
        """Return a move as canonical text, which needs no table."""
        return format_move(move)

    def read_move(self, text: str, state: State, seat: int) -> tuple[Move, str, list[Violation]]:
        """Return the move of a text, its canonical text, and the rules that it breaks."""
        move = expand_move(text, state, seat)
        return move, format_move(move), violations(state, move, seat)

    def is_secret(self, move: Move) -> bool:
        """All moves are made in the open."""
        return False

    def secret_movers(self, state: State) -> tuple[int, ...]:
        """Nobody has a secret move."""
        return ()

    def whose_secret(self, players: Sequence[str]) -> Sentence:
        """Never asked, as no move is secret."""
        raise AssertionError("no move of Puerto Rico is secret")

    def turn_moves(self, state: State, moves: list[Move], seat: int) -> list[Move]:
        """Every decision says something."""
        return moves

    def follow_up(self, state: State) -> tuple[str, str] | None:
        """Each decision is an item of its own."""
        return None

    def continues(self, state: State, move: Move, seat: int) -> bool:
        """Each decision is an item of its own."""
        return False

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

    def sealed_pile(self, config: Config) -> SealedPile | Sentence:
        """VP chips are all that is hidden, and everybody can count them."""
        return say(
            "Puerto Rico cannot be sealed: no player is dealt anything that the others do not see."
        )

    def deal_sealed(self, config: Config, chance: Chance) -> Deal:
        """Refuse: it cannot be sealed."""
        raise _no_sealed_game()

    def with_hand(self, deal: Deal, seat: int, hand: bytes) -> Deal:
        """Refuse: it cannot be sealed."""
        raise _no_sealed_game()

    def seal(self, state: State, move: Move, seat: int) -> tuple[Move, bytes]:
        """No move hides anything."""
        return move, b""

    def unseal(self, state: State, move: Move, hidden: bytes, seat: int) -> Move:
        """No move hides anything."""
        return move

    def is_sealed(self, move: Move) -> bool:
        """No move hides anything."""
        return False

    def unrevealed(self, state: State) -> tuple[int, ...]:
        """Nothing is hidden by a move."""
        return ()

    def reveal(self, hidden: bytes) -> Move:
        """Refuse: it cannot be sealed."""
        raise _no_sealed_game()

    def revealed(self, state: State, move: Move) -> bytes:
        """Nothing is hidden by a move."""
        return b""

    def is_waiting(self, state: State) -> bool:
        """What comes up is part of the move that it follows."""
        return False

    def turn_up(self, state: State, chance: Chance) -> tuple[State, list[Event]]:
        """Refuse: it cannot be sealed."""
        raise _no_sealed_game()

    def give_up(self, state: State, seats: Iterable[int]) -> tuple[State, list[Event]]:
        """Refuse: it cannot be sealed."""
        raise _no_sealed_game()

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return isinstance(event, TilesTurned) or (
            isinstance(event, TookTile) and event.source == "stack"
        )

    def stops_foresight(self, event: Event) -> Violation | None:
        """What follows never depends on the tiles that come up."""
        return None


def _no_sealed_game() -> ValueError:
    return ValueError("Puerto Rico has no sealed games.")


GAME = PuertoRico()
