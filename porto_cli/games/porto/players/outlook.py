"""How a game can be expected to end for one player: the margin, and the chance to win.

What a table is worth by its features says how moves compare. By how much such a table was misjudged
in the end was measured in games of level 4 against itself, see ``SPREADS``.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from porto_cli.games.porto.engine.components import KEPT
from porto_cli.games.porto.engine.contracts import completed_houses, reckon
from porto_cli.games.porto.engine.play import SOLO_WIN
from porto_cli.games.porto.engine.ranking import ranking
from porto_cli.games.porto.engine.state import KEEP, OVER, State, without
from porto_cli.games.porto.players import search, solo_search
from porto_cli.games.porto.players.solo_value import SoloAppraiser
from porto_cli.games.porto.players.solo_value import turns_left as turns_left_alone
from porto_cli.games.porto.players.value import Appraiser, margin_of, roofs_to_go
from porto_cli.players.chances import chance_to_reach, chance_to_win
from porto_cli.players.coach import Prospect


class Spread(NamedTuple):
    """How far the margin of tables was from that at the end of their games.

    ``moving``   how many VP too high it was for who is to move, where the own private contracts are
                 known and those of the others are not
    ``waiting``  the same for all others
    ``kept``     what share of the margin was left at the end; of the differences between moves of
                 one turn nearly all of it was
    ``sigma``    the standard deviation of the margin at the end, in VP
    """

    moving: float
    waiting: float
    kept: float
    sigma: float


SPREADS: dict[int, tuple[Spread, ...]] = {
    2: (
        Spread(0.0, 0.0, 1.0, 2.9),
        Spread(3.9, 4.1, 0.96, 3.5),
        Spread(4.9, 1.9, 0.70, 5.8),
        Spread(4.6, 1.3, 0.70, 7.4),
        Spread(5.0, 0.9, 0.60, 7.4),
        Spread(5.0, 1.0, 0.50, 7.4),
        Spread(4.3, 0.9, 0.42, 8.6),
        Spread(4.0, 0.7, 0.42, 8.7),
    ),
    3: (
        Spread(0.0, 0.0, 1.0, 2.8),
        Spread(6.8, 6.6, 0.9, 4.0),
        Spread(9.8, 4.6, 0.77, 5.4),
        Spread(10.4, 4.1, 0.64, 6.3),
        Spread(10.2, 3.0, 0.52, 6.4),
        Spread(10.1, 2.6, 0.48, 7.1),
        Spread(9.9, 2.5, 0.46, 7.3),
        Spread(9.2, 1.6, 0.42, 6.9),
        Spread(9.2, 1.3, 0.42, 6.6),
        Spread(7.9, 1.7, 0.2, 7.1),
    ),
    4: (
        Spread(0.0, 0.0, 1.0, 2.2),
        Spread(8.5, 8.4, 0.90, 4.2),
        Spread(8.5, 7.6, 0.81, 5.0),
        Spread(8.0, 7.0, 0.70, 5.2),
        Spread(8.6, 6.7, 0.70, 5.2),
        Spread(8.6, 6.8, 0.70, 5.6),
        Spread(8.3, 6.7, 0.65, 6.0),
        Spread(7.7, 6.3, 0.65, 6.0),
        Spread(6.9, 5.4, 0.60, 6.1),
        Spread(6.7, 5.2, 0.56, 6.1),
        Spread(5.7, 4.8, 0.45, 6.1),
        Spread(4.8, 4.4, 0.20, 6.2),
    ),
}
"""For each number of players: when the last turn is over; in the last rounds; with 1, 2 … roofs to
go. Of 80, 45 and 50 games of level 4 against itself, some of whose moves were those of level 3."""
EVEN = {2: 0.0, 3: 3.0, 4: 4.3}
"""With how many VP of margin the chance to win is a half: all others have to be behind."""
KEPT_WELL = {2: 1.76, 3: 1.55, 4: 1.39}
"""How much more than any three of them the private contracts bring that a player has kept."""
DRIFT_ALONE, EARLY_ALONE = 0.36, 3
"""By so many VP a solo table is worth more than its features say, for each turn that is left above
so many."""


class Together:
    """Two and more players: where the tables of one decision lead the seat that decides.

    ``state`` is a table with no private contracts but the own ones, as
    :func:`~porto_cli.games.porto.players.levels.open_table` returns it.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.seats = state.config.seats
        self.own = state.kept[seat]
        self.others = without(state.config.private_deck(), self.own) if self.own else b""
        self.appraiser = Appraiser(self.seats, seat, self.own)

    def worth(self, state: State) -> float:
        """Return what a table is worth, to be compared with others of the same decision."""
        return self.appraiser.lead(state)

    def play_on(self, table: State, seed: int) -> State:
        """Return a table on which nothing has come up yet after a round."""
        return search.play_on(table, self.appraiser, self.seats, seed)

    def look(self, state: State) -> Prospect:
        """Return what is read off a table, to be compared with others of the same decision.

        Differences are those that can be expected; the margin itself is too large while there is
        much to come, see :meth:`sum_up`.
        """
        values = self.appraiser.values(state, self.seat)
        last_turn_over = state.phase in (OVER, KEEP)
        if last_turn_over and self.others:
            unknown = self._private_of_another(state)
            values = [vp if seat == self.seat else vp + unknown for seat, vp in enumerate(values)]
        margin = margin_of(values, self.seat)
        if state.phase == OVER:
            return Prospect(margin, float(ranking(state)[0] == self.seat))
        spread = self._spread(state)
        if self.own:
            is_moving = state.seat == self.seat
            margin -= spread.moving if is_moving else spread.waiting
        return Prospect(margin, self._win(margin, spread))

    def prospect(self, state: State, more: float = 0.0) -> Prospect:
        """Return how the game can be expected to end from a table on, with so many VP more."""
        if state.phase == OVER:
            return self.look(state)
        spread = self._spread(state)
        margin = spread.kept * self.look(state).margin + more
        return Prospect(margin, self._win(margin, spread))

    def sum_up(self, state: State, means: list[Prospect]) -> list[Prospect]:
        """Return how the game can be expected to end after moves, the best one first, by the means
        of what was read off the tables that each of them led to.
        """
        if self._all_is_played(state):
            return means
        spread = self._spread(state)
        best = means[0].margin
        margins = [spread.kept * best - (best - one.margin) for one in means]
        return [Prospect(margin, self._win(margin, spread)) for margin in margins]

    def _all_is_played(self, state: State) -> bool:
        """Tell whether playing on from the moves at a table leads to the end of the game."""
        last = self.seats * (state.end_round + 1)
        return state.end_round > 0 and state.turn + 1 + self.seats >= last

    def _win(self, margin: float, spread: Spread) -> float:
        return chance_to_win(margin, even=EVEN[self.seats], sigma=spread.sigma)

    def _spread(self, state: State) -> Spread:
        spreads = SPREADS[self.seats]
        if state.phase == KEEP:
            return spreads[0]
        return spreads[1 if state.end_round else min(1 + roofs_to_go(state), len(spreads) - 1)]

    def _private_of_another(self, state: State) -> float:
        """Return what the private contracts of another player bring on average at the end."""
        completed = completed_houses(state)
        vps = [reckon(state, contract, completed).vp for contract in self.others]
        return KEPT_WELL[self.seats] * KEPT * sum(vps) / len(vps)


class Alone:
    """The solo game: where the tables of one decision lead.

    The margin is what the score is above a win. Private contracts count as far as the game can be
    expected to be won (P-SOLO-6).
    """

    def __init__(self, state: State, seat: int) -> None:
        self.own = state.kept[seat]
        self.appraiser = SoloAppraiser()

    def worth(self, state: State) -> float:
        """Return what a table is worth, to be compared with others of the same decision."""
        return self.prospect(state).margin

    def look(self, state: State) -> Prospect:
        """Return what is read off a table: how the game can be expected to end."""
        return self.prospect(state)

    def sum_up(self, state: State, means: list[Prospect]) -> list[Prospect]:
        """Return how the game can be expected to end after moves: the means as they are."""
        return means

    def play_on(self, table: State, seed: int) -> State:
        """Return a table after some more turns."""
        return solo_search.play_on(table, self.appraiser, seed)

    def prospect(self, state: State, more: float = 0.0) -> Prospect:
        """Return how the game can be expected to end from a table on; ``more`` are VP of private
        contracts besides those that are known.
        """
        vp = self.appraiser.value(state)
        if state.phase in (OVER, KEEP):
            win = float(state.scores[0] >= SOLO_WIN)
            if state.phase == KEEP:
                completed = completed_houses(state)
                more += sum(reckon(state, contract, completed).vp for contract in self.own)
        else:
            left = turns_left_alone(state)
            vp += DRIFT_ALONE * max(0, left - EARLY_ALONE)
            win = chance_to_reach(SOLO_WIN, vp, _doubt_alone(left))
            more += self.appraiser.private(state, self.own, self.appraiser.weights.completion)
        return Prospect(vp + win * more - SOLO_WIN, win)


Outlook = Together | Alone


def outlook_of(state: State, seat: int) -> Outlook:
    """Return the outlook of a seat for the tables of one decision."""
    return Alone(state, seat) if state.config.timer else Together(state, seat)


def _doubt_alone(left: int) -> float:
    """Return the scale of the logistic chance to win: the VP deviate by 1.3 times the root of
    the turns left.
    """
    return 0.72 * sqrt(max(0.1, left - 0.9))
