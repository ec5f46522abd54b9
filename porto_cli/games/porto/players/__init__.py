"""Programs that play Porto: one that plays at random, and five levels. The highest searches by
playouts from the best moves by static evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from porto_cli.core.chance import Chance, random_chance
from porto_cli.games.porto.engine import DEALT, HIDDEN, KEPT
from porto_cli.games.porto.engine.cards import Claim, Keep
from porto_cli.games.porto.engine.play import PASS, Move
from porto_cli.games.porto.engine.scoring import SOLO_WIN, completed_houses, ranking, score_private
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    TIMERS,
    State,
    without,
)
from porto_cli.games.porto.engine.turn import turn_up
from porto_cli.games.porto.players.candidates import (
    after,
    best_move,
    candidates,
    default_builds,
    greedy_player,
    move_of,
    priced_moves,
)
from porto_cli.games.porto.players.evaluation import (
    SOLO,
    Board,
    Evaluator,
    SoloEvaluator,
    Weights,
    completion_row,
    expected_vp,
    roofs_to_go,
    solo_turns_left,
    weights_of,
)
from porto_cli.players import (
    Parameter,
    Player,
    Players,
    Prospect,
    margin_of,
    random_player,
    seat_of,
    seed_of,
)
from porto_cli.players.search import best_by_halving, chance_to_reach, chance_to_win, rough_chance
from porto_cli.seam import View

# -- Flat Monte Carlo search: playouts from the best moves by static evaluation
#
# In a playout cards come up at random; the private contracts of the others are ignored. The solo
# game has its own search, which also builds for the timer and estimates the chance of reaching a
# target.
#
# The coach uses forecasts of the end of a game for one player: the margin, and the chance of
# winning. The static evaluation compares moves; its error at the end was measured in games of level
# 4 against itself, see ``Spread``.

WIDTH = 10
"""The number of moves that are searched."""
STARTS, ROOFS = 3, 3
"""For this many of the best builds that start a house, this many other roofs are considered."""
SIMULATIONS = {1: 300, 2: 400, 3: 300, 4: 250}
"""The default number of playouts before a move, by the number of players."""
REPLIES = 3
"""The number of moves that a player of a playout compares."""
SEARCH_NOISE = 0.5
"""The largest error, in VP, of the prices by which a playout finds these moves."""
SURE = 8.0
"""The lead in VP that makes a win fairly certain."""


def searched(
    state: State,
    own: bytes,
    rng: Random,
    weights: Weights | None = None,
    *,
    simulations: int | None = None,
) -> Move:
    """Return the move, or the build for the timer, that turns out best in playouts.

    With other players it is the move with the best lead after a round; in a solo game, the one with
    the best chance of reaching the target. ``own`` are the private contracts of the player to move;
    ``simulations`` is the total number of playouts. By default it uses the program's own
    ``weights``.
    """
    seats, seed = state.config.seats, seed_of(rng)
    if state.config.timer:
        alone, target = SoloEvaluator(weights), target_of(state)
        root = candidates(state, alone.value, starts=SOLO_STARTS, roofs=None)[:SOLO_WIDTH]

        def sample(choice: int, nth: int) -> float:
            leaf = solo_play_on(root[choice][2], alone, seed + nth)
            return utility(leaf, alone, own, target)
    else:
        evaluator = Evaluator(seats, state.seat, own, weights)
        root = candidates(state, evaluator.lead, starts=STARTS, roofs=ROOFS)[:WIDTH]

        def sample(choice: int, nth: int) -> float:
            leaf = play_on(root[choice][2], evaluator, seed + 2 * nth)
            return rough_chance(evaluator.lead(leaf), SURE)

    return root[best_by_halving(len(root), simulations or SIMULATIONS[seats], sample)][1]


def play_on(table: State, evaluator: Evaluator, seed: int) -> State:
    """Return a table after a round of play, given one before the refill.

    The same seed gives the same playout.
    """
    chance, noise = random_chance(Random(seed)), Random(seed + 1)
    state = turned_up(table, chance)
    for _ in range(table.config.seats):
        if state.phase != ACT:
            break
        state = turned_up(_reply(state, evaluator, noise), chance)
    return state


def turned_up(table: State, chance: Chance) -> State:
    """Return a table after the refill; at the end of the game there is none."""
    return turn_up(table, chance)[0] if table.phase in (ACT, TIMER) else table


def _reply(state: State, evaluator: Evaluator, noise: Random) -> State:
    """Return the table after the best of the moves with the best prices."""
    prices = evaluator.weights.prices
    priced = priced_moves(state, prices, lambda: SEARCH_NOISE * noise.random(), most=REPLIES)
    if not priced:
        return after(state, PASS)
    tables = [after(state, move_of(state, one)) for one in priced]
    if len(tables) == 1:
        return tables[0]
    return max(tables, key=lambda table: evaluator.margin(table, state.seat))


SOLO_WIDTH = 8
"""The number of moves that are searched."""
SOLO_STARTS = 2
"""For this many of the best builds that start a house, all other roofs are also considered."""
SOLO_REPLIES = 4
"""The number of moves that the player of a playout compares."""
SOLO_TURNS = 3
"""The number of turns in a playout, with the timer's builds between them."""
MASTER = 80
"""The VP for the highest rank (P-SOLO-6)."""


def target_of(state: State) -> int:
    """Return the VP to aim for: the highest rank with the longest timer, otherwise a win."""
    return MASTER if state.config.timer >= TIMERS[0] else SOLO_WIN


def utility(leaf: State, evaluator: SoloEvaluator, own: bytes, target: int) -> float:
    """Return the approximate chance of reaching the target."""
    vp, doubt = evaluator.value(leaf), 1.0
    if leaf.phase != OVER:
        doubt = 3 + 1.2 * (solo_turns_left(leaf) + 1) ** 0.5
        if target > SOLO_WIN:
            vp += expected_vp(leaf, own, evaluator.weights.bold, completion_row(leaf))
    return chance_to_reach(target, vp, doubt)


def solo_play_on(table: State, evaluator: SoloEvaluator, seed: int) -> State:
    """Return the table after some more turns, when the player is to move again, or at the end.

    The same seed gives the same playout.
    """
    chance = random_chance(Random(seed))
    state = turned_up(table, chance)
    left = SOLO_TURNS
    while state.phase != OVER:
        if state.phase == TIMER:
            tables = [after(state, build) for build in default_builds(state)]
        elif left:
            left -= 1
            priced = priced_moves(state, evaluator.weights.prices, most=SOLO_REPLIES)
            moves = [move_of(state, one) for one in priced] or [PASS]
            tables = [after(state, move) for move in moves]
        else:
            break
        best = tables[0] if len(tables) == 1 else max(tables, key=evaluator.value)
        state = turned_up(best, chance)
    return state


class Spread(NamedTuple):
    """How the margin of a table differed from the final one.

    ``moving``   how many VP too high it was for the player to move, as only their own private
                 contracts were known
    ``waiting``  the same for all other players
    ``kept``     the share of the margin that was left at the end; of a difference between moves of
                 one turn nearly all was left
    ``sigma``    the standard deviation of the final margin, in VP
    """

    moving: float
    waiting: float
    kept: float
    sigma: float


@cache
def _spreads() -> dict[int, tuple[Spread, ...]]:
    """Return the spreads for each number of players: after the last turn, in the last rounds, and
    with 1, 2 … roofs to go.

    They come from 80, 45 and 50 games of level 4 against itself, with some moves of level 3.
    """
    read = json.loads(Path(__file__).with_name("spreads.json").read_text("utf-8"))
    return {int(seats): tuple(Spread(*row) for row in rows) for seats, rows in read.items()}


EVEN = {2: 0.0, 3: 3.0, 4: 4.3}
"""The margin in VP at which the chance of winning is one half: all others have to be behind."""
KEPT_WELL = {2: 1.76, 3: 1.55, 4: 1.39}
"""By which factor the private contracts kept bring more than any three would on average."""
DRIFT_ALONE, EARLY_ALONE = 0.36, 3
"""The VP that a solo table is worth beyond its features, for each turn left beyond
``EARLY_ALONE``."""


class Together:
    """Forecasts for the tables of one decision of a seat, with two or more players.

    ``state`` has no private contracts but those of the seat, as from :func:`open_table`.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.seats = state.config.seats
        self.own = state.kept[seat]
        self.others = without(state.config.private_deck, self.own) if self.own else b""
        self.evaluator = Evaluator(self.seats, seat, self.own)

    def worth(self, state: State) -> float:
        """Return what a table is worth, to be compared with others of the same decision."""
        return self.evaluator.lead(state)

    def play_on(self, table: State, seed: int) -> State:
        """Return a table after a round of play, given one before the refill."""
        return play_on(table, self.evaluator, seed)

    def look(self, state: State) -> Prospect:
        """Return a prospect to compare with others of the same decision.

        Differences between prospects are unbiased, but the margin itself is too large while much is
        still to come; :meth:`sum_up` corrects that.
        """
        values = self.evaluator.values(state, self.seat)
        last_turn_over = state.phase in (OVER, KEEP)
        if last_turn_over and self.others:
            unknown = self._private_of_another(state)
            values = [vp if seat == self.seat else vp + unknown for seat, vp in enumerate(values)]
        margin, own = margin_of(values, self.seat), values[self.seat]
        if state.phase == OVER:
            return Prospect(margin, float(ranking(state)[0] == self.seat), own)
        spread = self._spread(state)
        if self.own:
            is_moving = state.seat == self.seat
            margin -= spread.moving if is_moving else spread.waiting
        return Prospect(margin, self._win(margin, spread), own)

    def prospect(self, state: State, more: float = 0.0) -> Prospect:
        """Return how the game can be expected to end from a table, with some VP added."""
        if state.phase == OVER:
            return self.look(state)
        spread = self._spread(state)
        margin = spread.kept * self.look(state).margin + more
        return Prospect(margin, self._win(margin, spread))

    def sum_up(self, state: State, means: list[Prospect]) -> list[Prospect]:
        """Return the prospects after moves, the best one first, given the mean :meth:`look` of the
        tables that each of them led to.
        """
        # The playouts have reached the end of the game.
        if state.end_round and state.turn + 1 >= self.seats * state.end_round:
            return means
        spread = self._spread(state)
        best = means[0].margin
        margins = [spread.kept * best - (best - one.margin) for one in means]
        return [Prospect(margin, self._win(margin, spread)) for margin in margins]

    def _win(self, margin: float, spread: Spread) -> float:
        return chance_to_win(margin, even=EVEN[self.seats], sigma=spread.sigma)

    def _spread(self, state: State) -> Spread:
        spreads = _spreads()[self.seats]
        if state.phase == KEEP:
            return spreads[0]
        return spreads[1 if state.end_round else min(1 + roofs_to_go(state), len(spreads) - 1)]

    def _private_of_another(self, state: State) -> float:
        """Return the average VP of another player's private contracts at the end."""
        completed = completed_houses(state)
        vps = [score_private(state, contract, completed).vp for contract in self.others]
        return KEPT_WELL[self.seats] * KEPT * sum(vps) / len(vps)


class Alone:
    """Forecasts for the tables of one decision in a solo game.

    The margin is the score above the VP for a win. Private contracts count in proportion to the
    chance of winning (P-SOLO-6).
    """

    def __init__(self, state: State, seat: int) -> None:
        self.own = state.kept[seat]
        self.evaluator = SoloEvaluator()

    def worth(self, state: State) -> float:
        """Return what a table is worth, to be compared with others of the same decision."""
        return self.prospect(state).margin

    def look(self, state: State) -> Prospect:
        """Return the prospect of a table."""
        return self.prospect(state)

    def sum_up(self, state: State, means: list[Prospect]) -> list[Prospect]:
        """Return the means as they are."""
        return means

    def play_on(self, table: State, seed: int) -> State:
        """Return a table after some more turns."""
        return solo_play_on(table, self.evaluator, seed)

    def prospect(self, state: State, more: float = 0.0) -> Prospect:
        """Return how the game can be expected to end; ``more`` are the VP of private contracts
        besides those that are known.
        """
        vp = self.evaluator.value(state)
        if state.phase in (OVER, KEEP):
            win = float(state.scores[0] >= SOLO_WIN)
            if state.phase == KEEP:
                completed = completed_houses(state)
                more += sum(score_private(state, contract, completed).vp for contract in self.own)
        else:
            left = solo_turns_left(state)
            vp += DRIFT_ALONE * max(0, left - EARLY_ALONE)
            # The standard deviation of the VP is 1.3 times the square root of the turns left.
            win = chance_to_reach(SOLO_WIN, vp, 0.72 * sqrt(max(0.1, left - 0.9)))
            completion = self.evaluator.weights.completion
            more += expected_vp(state, self.own, completion, completion_row(state))
        margin = vp + win * more - SOLO_WIN
        return Prospect(margin, win, margin)


Forecast = Together | Alone


def forecast_of(state: State, seat: int) -> Forecast:
    """Return the forecast of a seat for the tables of one decision."""
    return Alone(state, seat) if state.config.timer else Together(state, seat)


# -- The players
#
# All but the first level fulfill every public contract that they can, keep the private contracts
# that proved most valuable in other games, and pass if nothing else is legal. Where the rest is:
#
# ==============  ================================================================================
# ``candidates``  levels 1 to 3: moves by the VP at once, and by rules of thumb
# ``evaluation``  level 4: the value of a position, and the weights
# here            level 5: playouts from the best moves; forecasts for the coach
# ==============  ================================================================================

NOISE = 4.0
"""The largest error, in VP, of the prices of level 2."""
WORTH_OF_EXPECTED = 0.1
"""The weight of a private contract's expected VP in the choice of three."""

Choice = Callable[[State, bytes, Random, Weights], Move]
"""Chooses a move in a state that has only the seat's own private contracts, which are also given.

There is at least a draw or a build to choose.
"""


def search_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int | None = None,
    weights: Weights | None = None,
) -> Move:
    """Level 5: search by playouts from the best moves; ``simulations`` is their total number."""
    choose = partial(searched, simulations=simulations)
    return _play(view, moves, rng, choose=choose, weights=weights)


# These are module-level functions because players are sent to other processes.


def _noisy(state: State, own: bytes, rng: Random, weights: Weights) -> Move:
    return by_price(state, weights, lambda: NOISE * rng.random())


def _priced(state: State, own: bytes, rng: Random, weights: Weights) -> Move:
    return by_price(state, weights)


def by_price(state: State, weights: Weights, noise: Callable[[], float] = float) -> Move:
    """Return the move with the best price; ``noise`` is added to the worth of each move."""
    if state.phase == TIMER:
        # A build for the timer should spare the best two cards of the hand.
        return best_move(state, lambda after: Board(after).matching(after.hands[0]).first)
    return move_of(state, priced_moves(state, weights.prices, noise)[0])


def _value(state: State, own: bytes, rng: Random, weights: Weights) -> Move:
    if state.config.timer:
        worth = SoloEvaluator(weights).value
        return candidates(state, worth, starts=SOLO_STARTS, roofs=None)[0][1]
    return best_move(state, Evaluator(state.config.seats, state.seat, own, weights).lead)


def _play(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    choose: Choice,
    weights: Weights | None = None,
) -> Move:
    """Choose a move, by default with the program's own weights."""
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
    """Return the table of a running game without private contracts except those that the seat kept.

    It is like a game with real cards, where only the owners know them: play can go on, and the end
    waits for them to be revealed. In a sealed game the seat knows even its own only with its key.
    """
    table: State = view.table.copy()
    table.dealt = ()
    table.kept = tuple(
        cards if owner == view.seat and HIDDEN not in cards else b""
        for owner, cards in enumerate(view.table.kept)
    )
    return table


def keep_best(state: State, seat: int, weights: Weights) -> Keep:
    """Return the choice of the three most valuable private contracts; ties go to the first."""
    dealt = worths_of_dealt(state, seat, weights)
    best = sorted(range(DEALT), key=lambda place: -dealt[place])[:KEPT]
    return Keep(tuple(sorted(best)))


def worths_of_dealt(state: State, seat: int, weights: Weights) -> list[float]:
    """Return the worth, in VP, of each private contract that was dealt to a seat.

    It is what the contract proved to be worth in other games, plus a small part of its expected VP.
    """
    left = completion_row(state)

    def worth(contract: int) -> float:
        expected = expected_vp(state, bytes([contract]), weights.completion, left)
        return weights.keep[contract] + WORTH_OF_EXPECTED * expected

    return [worth(contract) for contract in state.dealt[seat]]


def weights_for(state: State) -> Weights:
    """Return the weights for the number of players of a game."""
    return weights_of(SOLO if state.config.timer else str(state.config.seats))


noisy_player = partial(_play, choose=_noisy)
"""Level 2: like level 3, but each price is off by some VP."""
priced_player = partial(_play, choose=_priced)
"""Level 3: the move that scores most at once, minus the price of its cards."""
value_player = partial(_play, choose=_value)
"""Level 4: the move after which the table is worth most."""

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "level-1": greedy_player,
    "level-2": noisy_player,
    "level-3": priced_player,
    "level-4": value_player,
    "level-5": search_player,
}
"""The players by their names."""
PARAMETERS = {"level-5": Parameter("simulations", 1, 1_000_000)}
"""What can follow a name: ``level-5:100`` makes 100 playouts before each move."""

ALL = Players(PLAYERS, PARAMETERS)
"""All players of the game."""
