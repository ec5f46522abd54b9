"""Players of Porto that are programs: one that plays at random, and five levels.

This module says what each level does in every phase of the game. All but the first fulfill every
public contract that they can, keep the private contracts that turned out to be worth most, and
pass where nothing else is legal. What they go by:

==============  ================================================================================
``candidates``  levels 1 to 3: moves by the VP at once, and by rules of thumb
``evaluation``  level 4: the value of a position, alone and with others
``search``      level 5: playouts from the best moves; the chance to win, for the coach
``board``       what houses, tokens and public contracts offer to two cards
``weights``     the numbers that the levels use, and files of others
==============  ================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from porto_cli.game import View
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import DEALT, HIDDEN, KEPT
from porto_cli.games.porto.engine.keep import Keep
from porto_cli.games.porto.engine.play import Move
from porto_cli.games.porto.engine.state import CONTRACTS, TIMER, State
from porto_cli.games.porto.players import search
from porto_cli.games.porto.players.board import Board
from porto_cli.games.porto.players.candidates import (
    best_move,
    candidates,
    greedy_player,
    move_of,
    priced_moves,
)
from porto_cli.games.porto.players.evaluation import (
    Evaluator,
    SoloEvaluator,
    completion_row,
    expected_vp,
)
from porto_cli.games.porto.players.weights import SOLO, Weights, weights_of
from porto_cli.players import Parameter, Player, Players, random_player, seat_of

NOISE = 4.0
"""How far, in VP, the prices of level 2 are off at most."""
WORTH_OF_EXPECTED = 0.1
"""How much it counts what a contract can be expected to bring when three are kept."""

Choice = Callable[[State, bytes, Random, Weights], Move]
"""Choose a move of a turn in a state with only the seat's own private contracts, which are these.

There is a move to choose: at least a draw or a build.
"""


def search_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int | None = None,
    weights: Weights | None = None,
) -> Move:
    """Level 5: play on from the best moves, so often in all, and see where that leads."""
    choose = partial(search.searched, simulations=simulations)
    return _play(view, moves, rng, choose=choose, weights=weights)


def by_price(state: State, weights: Weights, noise: Callable[[], float] = float) -> Move:
    """Return the move of the best price; ``noise`` is added to what each move is worth."""
    if state.phase == TIMER:
        # A build for the timer should spare the best two cards of the hand.
        return best_move(state, lambda after: Board(after).matching(after.hands[0]).first)
    return move_of(state, priced_moves(state, weights.prices, noise)[0])


def _value(state: State, own: bytes, rng: Random, weights: Weights) -> Move:
    if state.config.timer:
        worth = SoloEvaluator(weights).value
        return candidates(state, worth, starts=search.SOLO_STARTS, roofs=None)[0][1]
    return best_move(state, Evaluator(state.config.seats, state.seat, own, weights).lead)


def _play(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    choose: Choice,
    weights: Weights | None = None,
) -> Move:
    """Choose a move, by the weights that come with the program unless others are given."""
    table: State = view.table
    seat = seat_of(view)
    if len(moves) == 1:
        return moves[0]
    weights = weights or weights_for(table)
    if isinstance(moves[0], Keep):
        return keep_best(table, seat, weights)
    if table.phase == CONTRACTS:
        return Claim(table.claimable)
    state = open_table(view)
    return choose(state, state.kept[seat], rng, weights)


def open_table(view: View) -> State:
    """Return the table of a running game with no private contracts but those that the seat kept.

    It is that of a game with real cards, where only their owners know them: it can be played on,
    and the end waits for them to be revealed. In a sealed game the seat itself knows its own ones
    only with its key.
    """
    table: State = view.table.copy()
    table.dealt = ()
    table.kept = tuple(
        cards if owner == view.seat and HIDDEN not in cards else b""
        for owner, cards in enumerate(view.table.kept)
    )
    return table


def keep_best(state: State, seat: int, weights: Weights) -> Keep:
    """Keep the private contracts that are worth most; of equals the first ones."""
    dealt = worths_of_dealt(state, seat, weights)
    best = sorted(range(DEALT), key=lambda place: -dealt[place])[:KEPT]
    return Keep(tuple(sorted(best)))


def worths_of_dealt(state: State, seat: int, weights: Weights) -> list[float]:
    """Return what each private contract that was dealt to a seat is worth to keep, in VP.

    That is what it turned out to be worth, and a little of what it can be expected to bring.
    """
    left = completion_row(state)

    def worth(contract: int) -> float:
        expected = expected_vp(state, bytes([contract]), weights.completion, left)
        return weights.keep[contract] + WORTH_OF_EXPECTED * expected

    return [worth(contract) for contract in state.dealt[seat]]


def weights_for(state: State) -> Weights:
    """Return the weights for the number of players of a game."""
    return weights_of(SOLO if state.config.timer else str(state.config.seats))


noisy_player = partial(
    _play,
    choose=lambda state, _, rng, weights: by_price(state, weights, lambda: NOISE * rng.random()),
)
"""Level 2: price the moves, but misjudge each by some VP."""
priced_player = partial(_play, choose=lambda state, own, rng, weights: by_price(state, weights))
"""Level 3: take the move that scores most at once, less what the cards are worth."""
value_player = partial(_play, choose=_value)
"""Level 4: take the move after which the table is worth most."""

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "level-1": greedy_player,
    "level-2": noisy_player,
    "level-3": priced_player,
    "level-4": value_player,
    "level-5": search_player,
}
"""The ways to play, by their names."""
PARAMETERS = {"level-5": Parameter("simulations", 1, 1_000_000)}
"""What can be written behind a name: ``level-5:100`` plays on 100 times before each move."""

ALL = Players(PLAYERS, PARAMETERS)
"""All players of the game."""
