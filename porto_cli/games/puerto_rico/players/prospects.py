"""How a game can be expected to end for one player: the margin, and the chance to win.

What a table is worth by its features comes from ``value``; by how much that was off in the end was
measured, see ``SPREADS``.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

from porto_cli.core.chance import chance_of
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.scoring import reckoning
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, OVER, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players.outlook import rounds_left
from porto_cli.games.puerto_rico.players.priced import best_move
from porto_cli.games.puerto_rico.players.value import margin, margin_of
from porto_cli.players.chances import chance_to_win
from porto_cli.players.coach import Prospect


class Spread(NamedTuple):
    """How far the margin of tables was from that at the end of their games.

    ``rounds``  with so many rounds left
    ``kept``    what share of the margin was left at the end
    ``bias``    how many VP more it was then: the best of the others has more than each of them can
                be expected to have
    ``sigma``   the standard deviation of the margin at the end, in VP
    """

    rounds: float
    kept: float
    bias: float
    sigma: float


SPREADS: dict[int, tuple[Spread, ...]] = {
    2: (
        Spread(0.3, 1.0, 0.0, 3.6),
        Spread(1.2, 0.95, 0.0, 5.0),
        Spread(2.0, 0.92, 0.0, 6.1),
        Spread(3.2, 0.85, 0.0, 7.2),
        Spread(5.0, 0.80, 0.0, 8.3),
        Spread(7.6, 0.68, 0.0, 8.4),
        Spread(11.0, 0.66, 0.0, 9.1),
        Spread(14.0, 0.66, 0.0, 9.5),
    ),
    3: (
        Spread(0.3, 0.95, 0.0, 4.0),
        Spread(1.2, 0.92, 0.0, 4.0),
        Spread(2.0, 0.92, 0.0, 4.8),
        Spread(3.2, 0.95, -0.2, 5.1),
        Spread(5.0, 0.95, -0.6, 6.3),
        Spread(7.5, 0.95, -0.9, 6.8),
        Spread(11.0, 1.0, -1.3, 7.3),
        Spread(14.0, 1.0, -1.4, 7.5),
    ),
    4: (
        Spread(0.3, 0.92, 0.0, 2.9),
        Spread(1.2, 0.92, 0.0, 3.9),
        Spread(2.0, 0.95, -0.4, 4.4),
        Spread(3.2, 0.97, -0.5, 5.1),
        Spread(5.0, 1.0, -0.9, 5.7),
        Spread(7.6, 1.0, -1.2, 6.7),
        Spread(11.0, 1.0, -1.7, 7.5),
        Spread(14.0, 1.0, -2.1, 7.8),
    ),
    5: (
        Spread(0.3, 0.87, 0.0, 2.9),
        Spread(1.2, 0.85, 0.0, 3.7),
        Spread(2.0, 0.85, -0.1, 4.1),
        Spread(3.2, 0.87, -0.6, 4.3),
        Spread(5.0, 0.93, -1.0, 4.7),
        Spread(7.6, 0.95, -1.4, 5.2),
        Spread(11.0, 0.95, -1.9, 6.1),
        Spread(14.0, 0.95, -2.3, 6.4),
    ),
}
"""For each number of players, by the rounds left. Of 60 games each of ``priced`` that misjudges
moves a little, as in playouts: at the beginning of each turn the margin of each seat by what it may
know was compared with that at the end, by straight lines over tables with about as much to go."""
EVEN = {2: 0.0, 3: 1.3, 4: 2.0, 5: 2.7}
"""With how many VP of margin somebody is as good as the best of the others, in the same games."""


def prospect_of(state: State, seat: int) -> Prospect:
    """Return how a game can be expected to end for a seat, by a table between two roles."""
    if state.phase == OVER:
        counted = reckoning(state)
        lead = margin_of([one.total for one in counted], seat)
        return Prospect(lead, float(counted[seat].place == 1))
    spread = spread_at(state.config.seats, rounds_left(state))
    lead = spread.kept * margin(state, seat) + spread.bias
    win = chance_to_win(lead, even=EVEN[state.config.seats], sigma=spread.sigma)
    return Prospect(lead, win)


def spread_at(seats: int, rounds: float) -> Spread:
    """Return the spread with so many rounds left, between those that were measured."""
    spreads = SPREADS[seats]
    if rounds <= spreads[0].rounds:
        return spreads[0]
    for less, more in pairwise(spreads):
        if rounds <= more.rounds:
            share = (rounds - less.rounds) / (more.rounds - less.rounds)
            return Spread(*(a + share * (b - a) for a, b in zip(less, more, strict=True)))
    return spreads[-1]


def settled(state: State) -> State:
    """Return the table after the role that is played, if everybody does what looks best.

    What comes up meanwhile is always the same.
    """
    chance = chance_of(Random(0))
    while state.phase not in (ROLE_PHASE, DRAFT_PHASE, OVER):
        state, _ = apply(state, best_move(state), chance)
    return state
