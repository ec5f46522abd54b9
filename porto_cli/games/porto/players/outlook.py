"""How a game can be expected to end for one player: the margin, and the chance to win.

What a table is worth by its features says how moves compare. By how much such a table was misjudged
in the end was measured in games of level 4 against itself, see ``SPREADS``.
"""

from __future__ import annotations

from math import erf, exp, sqrt
from typing import NamedTuple

from porto_cli.games.porto.engine.components import KEPT
from porto_cli.games.porto.engine.contracts import completed_houses, reckon
from porto_cli.games.porto.engine.play import SOLO_WIN
from porto_cli.games.porto.engine.ranking import ranking
from porto_cli.games.porto.engine.state import KEEP, OVER, State, without
from porto_cli.games.porto.players import search, solo_search
from porto_cli.games.porto.players.solo_value import SoloAppraiser
from porto_cli.games.porto.players.solo_value import turns_left as turns_left_alone
from porto_cli.games.porto.players.value import Appraiser, roofs_to_go, turns_left
from porto_cli.players.coach import Prospect


class Spread(NamedTuple):
    """How far the margin of tables was from that at the end of their games.

    ``bias``   how many VP too high it was on average where the own private contracts are known,
               and those of the others are not
    ``even``   with how many VP of margin the chance to win was a half: of three players two others
               have to be behind
    ``sigma``  how many VP more take it to 84 %
    """

    bias: float
    even: float
    sigma: float


SPREADS: dict[int, tuple[Spread, ...]] = {
    2: (Spread(0, 0, 4), *[Spread(2, 0, s) for s in (4, 5, 6, 6.4, 6.9, 7.6, 8, 8.6, 9.2)]),
    3: (Spread(0, 0, 4), *[Spread(2, 0, s) for s in (4, 5, 6, 6.4, 6.9, 7.6, 8, 8.6, 9.2)]),
    4: (Spread(0, 0, 4), *[Spread(2, 0, s) for s in (4, 5, 6, 6.4, 6.9, 7.6, 8, 8.6, 9.2)]),
}
"""For each number of players: when the last turn is over; with 0, 1 and 2 own turns left in the
last rounds; with 1, 2 … roofs to go."""
_LAST_ROUNDS, _ROOFS = 1, 3
"""The rows in which these begin; there is no row for 0 roofs to go."""

DRIFT_ALONE, EARLY_ALONE = 0.25, 4
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

    def prospect(self, state: State, more: float = 0.0) -> Prospect:
        """Return how the game can be expected to end from a table on, with so many VP more."""
        values = self.appraiser.values(state, self.seat)
        values[self.seat] += more
        last_turn_over = state.phase in (OVER, KEEP)
        if last_turn_over and self.others:
            unknown = self._private_of_another(state)
            values = [vp if seat == self.seat else vp + unknown for seat, vp in enumerate(values)]
        margin = margin_of(values, self.seat)
        if state.phase == OVER:
            return Prospect(margin, float(ranking(state)[0] == self.seat))
        spread = self._spread(state)
        if self.own:
            margin -= spread.bias
        return Prospect(margin, _normal((margin - spread.even) / spread.sigma))

    def _spread(self, state: State) -> Spread:
        spreads = SPREADS[self.seats]
        if state.phase == KEEP:
            return spreads[0]
        if state.end_round:
            return spreads[_LAST_ROUNDS + min(2, turns_left(state, self.seat))]
        return spreads[min(_ROOFS + roofs_to_go(state), len(spreads) - 1)]

    def _private_of_another(self, state: State) -> float:
        """Return what the private contracts of another player bring on average at the end."""
        completed = completed_houses(state)
        vps = [reckon(state, contract, completed).vp for contract in self.others]
        return KEPT * sum(vps) / len(vps)


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
            win = 1 / (1 + exp(-(vp - SOLO_WIN + 0.5) / _doubt_alone(left)))
            more += self.appraiser.private(state, self.own, self.appraiser.weights.completion)
        return Prospect(vp + win * more - SOLO_WIN, win)


Outlook = Together | Alone


def outlook_of(state: State, seat: int) -> Outlook:
    """Return the outlook of a seat for the tables of one decision."""
    return Alone(state, seat) if state.config.timer else Together(state, seat)


def margin_of(values: list[float], seat: int) -> float:
    """Return the lead of a seat: over the best of the others, and over all of them, halved."""
    others = [vp for other, vp in enumerate(values) if other != seat]
    return values[seat] - max(others) / 2 - sum(others) / len(others) / 2


def _doubt_alone(left: int) -> float:
    """Return the scale of the logistic chance to win: the VP deviate by 1.3 times the root of
    the turns left.
    """
    return 0.72 * sqrt(max(0.1, left - 0.9))


def _normal(deviations: float) -> float:
    return (1 + erf(deviations / sqrt(2))) / 2
