"""What a seat may see of a game, and what it can do: everything that a fair player needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.game import Step
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.history import Turn
from porto_cli.games.porto.move_list import Option, options
from porto_cli.games.porto.table import Contract, House, Player, last_turn, table_of


class Observation(NamedTuple):
    """What one seat, or a bystander, may see of a game. Nothing hidden makes a difference.

    Cards, contracts and houses are called as in the notation: ``blue-3``, ``blue+red``, ``L4``.

    ``player``         who looks; ``None`` is a bystander, who sees no private contracts
    ``seat``           the place in ``players``, counted from 0; ``None`` for a bystander
    ``phase``          ``keep``, ``act``, ``contracts``, ``timer`` or ``over``
    ``round``          the round, counted from 1
    ``turns``          how many turns are over
    ``to_move``        the players whose move the game waits for; nobody when it is over
    ``moves``          the legal moves of this seat, the one that scores most first; of a bystander,
                       of who is not to move, and of who reveals at a real table, none
    ``players``        all players in turn order, with hands, scores and what they may keep secret
    ``houses``         the houses in play, the left side first
    ``cards``          the face-up construction cards in spaces 1 to 5; ``None`` is an empty space
    ``contracts``      the face-up public contracts in spaces 1 to 4; ``None`` is an empty space
    ``deck``           face-down construction cards
    ``discards``       construction cards that were discarded
    ``contract_deck``  face-down public contracts
    ``tiles``          for each color the ground floors and the upper floors that are left
    ``roofs``          roofs placed
    ``roofs_to_end``   roofs that trigger the end; ``None`` in the solo game
    ``last_round``     the round after which the game ends, once that is known
    ``timer``          face-down timer cards of a solo game; ``None`` in others
    ``turned``         the two timer cards that have to be built with now
    ``last``           the last turn, unless it was taken back; ``None`` before the first
    """

    player: str | None
    seat: int | None
    phase: str
    round: int
    turns: int
    to_move: tuple[str, ...]
    moves: tuple[Option, ...]
    players: tuple[Player, ...]
    houses: tuple[House, ...]
    cards: tuple[str | None, ...]
    contracts: tuple[Contract | None, ...]
    deck: int
    discards: int
    contract_deck: int
    tiles: dict[str, tuple[int, int]]
    roofs: int
    roofs_to_end: int | None
    last_round: int | None
    timer: int | None
    turned: tuple[str, ...]
    last: Turn | None

    @property
    def me(self) -> Player:
        """The player who looks. Raises LookupError for a bystander."""
        if self.seat is None:
            raise LookupError("A bystander is no player.")
        return self.players[self.seat]


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> Observation:
    """Return what a seat, or (``None``) a bystander, may see and do; ``steps`` stand."""
    seen = table_of(state, seat, last=last_turn(steps))
    return Observation(
        player=seen.seat,
        seat=seat,
        phase=seen.phase,
        round=seen.round,
        turns=seen.turn,
        to_move=seen.to_move,
        moves=() if seat is None else tuple(options(state, seat)),
        players=seen.players,
        houses=seen.houses,
        cards=seen.cards,
        contracts=seen.contracts,
        deck=seen.deck,
        discards=seen.discards,
        contract_deck=seen.contract_deck,
        tiles=seen.tiles,
        roofs=seen.roofs,
        roofs_to_end=seen.roofs_to_end,
        last_round=seen.last_round,
        timer=seen.timer,
        turned=seen.turned,
        last=seen.last,
    )
