"""Flat Monte Carlo search over determinized states, in any game.

It needs only what ``porto_cli.games.Game`` requires. A playout takes a random state that is
consistent with a view (``resample``), makes a move, lets quick players play on, and values the
final state. The n-th playouts of all moves use the same random numbers, so only the move differs.
By default, playouts are random, go to the end, and count wins.

Playouts are distributed by sequential halving: all moves still considered get the same number, then
the worse half is dropped, so most playouts go to the moves that are hard to tell apart (Karnin,
Koren and Somekh, 2013).

The functions at the end convert leads in VP into chances of winning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, erf, exp, log2, sqrt
from random import Random

from porto_cli.core.chance import random_chance
from porto_cli.games import game_of
from porto_cli.players import Player, random_player, seat_of, seed_of
from porto_cli.seam import OVER, Move, State, View

Proposal = Callable[[View, Sequence[Move], Random], Sequence[Move]]
"""Returns the moves to consider, not necessarily among those given, the best ones first."""
Policy = Callable[[State, int, Random], Move]
"""Returns the move of a seat in a playout. The table is a determinization: nothing is secret."""
Value = Callable[[State, int], float]
"""Returns how good a table is for a seat, even after the end: a chance of winning, 0 to 1, or
anything else of which more is better."""
Credit = Callable[[View, Sequence[Move]], Sequence[float]]
"""Returns the prior of each move, in the unit of the value."""
Clock = Callable[[State], int]
"""Returns the progress of a game, in steps after which tables can be compared."""

LISTED = 200
"""The most moves that a player of a playout chooses from; there may be millions."""


def all_moves(view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
    """Propose every move."""
    return moves


def turns(state: State) -> int:
    """Return the number of decisions so far."""
    turn: int = state.turn
    return turn


@dataclass(frozen=True)
class AsPlayer:
    """A player who also plays the playouts of a game."""

    game_id: str
    player: Player

    def __call__(self, state: State, seat: int, rng: Random) -> Move:
        """Ask the player, who gets a view of the determinized table."""
        game = game_of(self.game_id)
        moves = game.legal_moves(state, seat, LISTED)
        return moves[0] if len(moves) == 1 else self.player(game.view(state, seat), moves, rng)


@dataclass(frozen=True)
class Wins:
    """The value of a table by who wins."""

    game_id: str

    def __call__(self, state: State, seat: int) -> float:
        """Return the share of a win; one half while the game goes on."""
        outcome = game_of(self.game_id).outcome(state)
        if outcome is None:
            return 0.5
        return outcome.won[seat] / max(1, sum(outcome.won))


@dataclass(frozen=True)
class Search:
    """A player who looks ahead.

    =================  ===========================================================================
    ``game_id``        the game
    ``simulations``    about how many playouts there are for a decision
    ``propose``        the moves to consider
    ``policy``         plays the playouts; ``None``: any legal move
    ``value``          how good the final table is; ``None``: who wins
    ``credit``         added to the value of a move; ``None``: nothing
    ``span``           the length of playouts, by the ``clock``; ``None``: to the end
    ``clock``          the unit of ``span``
    =================  ===========================================================================

    To play in other processes, all of these have to be functions or objects that can be imported
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

    def __call__(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move that turns out best."""
        if len(moves) == 1:
            return moves[0]
        proposed = self.propose(view, moves, rng)
        if len(proposed) == 1:
            return proposed[0]
        sample = self.sampler(view, proposed, seed_of(rng))
        return proposed[best_by_halving(len(proposed), self.simulations, sample)]

    def sampler(self, view: View, moves: Sequence[Move], seed: int) -> Callable[[int, int], float]:
        """Return a function that plays on from a move, given its index and that of the playout,
        which determines the random numbers, and returns the value.
        """
        value = self.value or Wins(self.game_id)
        seat = seat_of(view)
        credit = self.credit(view, moves) if self.credit else [0.0] * len(moves)
        played_on = self.leaves(view, moves, seed)
        return lambda choice, nth: value(played_on(choice, nth), seat) + credit[choice]

    def leaves(self, view: View, moves: Sequence[Move], seed: int) -> Callable[[int, int], State]:
        """Return a function that does the same, and returns the final state."""
        game = game_of(self.game_id)
        policy = self.policy or AsPlayer(self.game_id, random_player)
        seat = seat_of(view)
        clock = self.clock
        until = None if self.span is None else clock(view.table) + self.span

        def play_on(choice: int, nth: int) -> State:
            rng, chance = Random(seed + 2 * nth), random_chance(Random(seed + 2 * nth + 1))
            state = game.resample(view, rng)
            state, _ = game.apply(state, moves[choice], chance, seat)
            while state.phase != OVER and (until is None or clock(state) < until):
                mover = game.to_move(state)[0]
                state, _ = game.apply(state, policy(state, mover, rng), chance, mover)
            return state

        return play_on


# -- Sequential halving


def best_by_halving(choices: int, samples: int, sample: Callable[[int, int], float]) -> int:
    """Return the index of the best choice.

    ``samples`` is about the number of samples in all; ``sample(choice, nth)`` returns how good the
    choice turns out to be with the random numbers of the n-th sample. Ties go to the first choice.
    Raises ValueError if there is nothing to choose.
    """
    if choices < 1:
        raise ValueError("There is nothing to choose.")
    alive = list(range(choices))
    rounds = max(1, ceil(log2(choices)))
    sums = [0.0] * choices
    taken = 0
    for _ in range(rounds):
        if len(alive) == 1:
            break
        for nth in range(taken, taken + max(1, samples // (rounds * len(alive)))):
            for choice in alive:
                sums[choice] += sample(choice, nth)
            taken = nth + 1
        # All remaining choices have the same number of samples.
        alive.sort(key=lambda choice: (-sums[choice], choice))
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return alive[0]


# -- Chances from leads


def chance_to_win(lead: float, *, even: float, sigma: float) -> float:
    """Return the chance of winning, 0 to 1, for an expected lead in VP at the end.

    It is one half for a lead of ``even``. The final lead is normally distributed around the
    expected one, with a standard deviation of ``sigma`` VP.
    """
    return (1 + erf((lead - even) / sigma / sqrt(2))) / 2


def rough_chance(lead: float, sure: float) -> float:
    """Return a rough chance of winning, 0 to 1, for a lead in VP, to compare moves.

    It is one half without a lead; with each ``sure`` VP more, the chance of losing shrinks to 1/e.
    """
    if lead > 0:
        return 1 - exp(-lead / sure) / 2
    return exp(lead / sure) / 2


def chance_to_reach(target: int, vp: float, doubt: float) -> float:
    """Return the approximate chance, 0 to 1, that the final score is at least ``target``.

    ``vp`` is the expected score. The final one is logistically distributed around it, with a scale
    of ``doubt`` VP.
    """
    return 1 / (1 + exp(-(vp - target + 0.5) / doubt))
