"""Look ahead in any game: play on from some moves with luck of one's own, and see where that leads.

It knows a game by what :class:`porto_cli.game.Game` asks for: a table that could be true is made of
what a seat may know (``resample``), the move is made there, quick players play on, and the table
that comes of it is valued. Most playouts are given to the moves that are hard to tell apart. The
n-th playout of every move has the same luck, so that what differs is the move.

Without anything that a game says about itself it plays on at random to the end, and asks who wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from porto_cli.core.chance import chance_of
from porto_cli.game import OVER, Move, State, View, game_of
from porto_cli.players import Player, by_lot, seat_of, seed_of
from porto_cli.players.halving import best_by_halving

Proposal = Callable[[View, Sequence[Move], Random], Sequence[Move]]
"""Return the moves that are worth a look, of those given or others, the best ones first."""
Policy = Callable[[State, int, Random], Move]
"""Return the move of a seat in a playout. The table is imagined: it hides nothing that is true."""
Value = Callable[[State, int], float]
"""Return how good a table is for a seat, also when the game is over: a chance to win, 0 to 1, or
anything else of which more is better."""
Credit = Callable[[View, Sequence[Move]], Sequence[float]]
"""Return for each move what is known in its favor beforehand, in the measure of the value."""
Clock = Callable[[State], int]
"""Return how far a game has come, in steps between which tables can be compared."""

LISTED = 200
"""Moves that a player of a playout chooses among; there may be millions."""


def all_moves(view: View, moves: Sequence[Move], luck: Random) -> Sequence[Move]:
    """Propose every move."""
    return moves


def turns(state: State) -> int:
    """Count decisions."""
    turn: int = state.turn
    return turn


@dataclass(frozen=True)
class AnyMove:
    """A player of playouts who makes any legal move, in any game."""

    game_id: str

    def __call__(self, state: State, seat: int, luck: Random) -> Move:
        """Draw a legal move by lot."""
        return by_lot(game_of(self.game_id).legal_moves(state, seat, LISTED), luck)


@dataclass(frozen=True)
class AsPlayer:
    """A player who plays the playouts of a game as well."""

    game_id: str
    player: Player

    def __call__(self, state: State, seat: int, luck: Random) -> Move:
        """Ask the player, who gets a view of the imagined table."""
        game = game_of(self.game_id)
        moves = game.legal_moves(state, seat, LISTED)
        return moves[0] if len(moves) == 1 else self.player(game.view(state, seat), moves, luck)


@dataclass(frozen=True)
class Wins:
    """What counts is who wins."""

    game_id: str

    def __call__(self, state: State, seat: int) -> float:
        """Return the share of a win; a half while nobody knows."""
        outcome = game_of(self.game_id).outcome(state)
        if outcome is None:
            return 0.5
        return outcome.won[seat] / max(1, sum(outcome.won))


@dataclass(frozen=True)
class Search:
    """A player who looks ahead.

    =================  ===========================================================================
    ``game_id``        what is played
    ``simulations``    how often is played on for a move, more or less
    ``propose``        which moves are looked at
    ``policy``         who plays the playouts; ``None``: any legal move
    ``value``          how good the table is after them; ``None``: who wins
    ``credit``         what is added to the value after a move; ``None``: nothing
    ``span``           how far they go, by the ``clock``; ``None``: to the end
    ``clock``          what that is counted in
    =================  ===========================================================================

    To play in other processes all of them have to be functions, or objects, that can be imported
    there.
    """

    game_id: str
    simulations: int = 200
    propose: Proposal = all_moves
    policy: Policy | None = None
    value: Value | None = None
    credit: Credit | None = None
    span: int | None = None
    clock: Clock = turns

    def __call__(self, view: View, moves: Sequence[Move], luck: Random) -> Move:
        """Return the move that turns out best."""
        if len(moves) == 1:
            return moves[0]
        proposed = self.propose(view, moves, luck)
        if len(proposed) == 1:
            return proposed[0]
        sample = self.sampler(view, proposed, seed_of(luck))
        return proposed[best_by_halving(len(proposed), self.simulations, sample)]

    def sampler(self, view: View, moves: Sequence[Move], seed: int) -> Callable[[int, int], float]:
        """Return what plays on from the move of this number, with the luck of that number."""
        value = self.value or Wins(self.game_id)
        seat = seat_of(view)
        credit = self.credit(view, moves) if self.credit else [0.0] * len(moves)
        played_on = self.leaves(view, moves, seed)
        return lambda choice, nth: value(played_on(choice, nth), seat) + credit[choice]

    def leaves(self, view: View, moves: Sequence[Move], seed: int) -> Callable[[int, int], State]:
        """Return what plays on likewise, and returns the table that comes of it."""
        game = game_of(self.game_id)
        policy = self.policy or AnyMove(self.game_id)
        seat = seat_of(view)
        clock = self.clock
        until = None if self.span is None else clock(view.table) + self.span

        def play_on(choice: int, nth: int) -> State:
            luck, chance = Random(seed + 2 * nth), chance_of(Random(seed + 2 * nth + 1))
            state = game.resample(view, luck)
            state, _ = game.apply(state, moves[choice], chance, seat)
            while state.phase != OVER and (until is None or clock(state) < until):
                mover = game.to_move(state)[0]
                state, _ = game.apply(state, policy(state, mover, luck), chance, mover)
            return state

        return play_on
