"""What a table is worth to a player: the VP still to come, and the margin over the others.

A table is looked at after a move, before anything comes up in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from porto_cli.games.porto.engine.contracts import completed_houses, reckon
from porto_cli.games.porto.engine.state import KEEP, OVER, State
from porto_cli.games.porto.players.board import Boards
from porto_cli.games.porto.players.expected import expected_vp
from porto_cli.games.porto.players.features import features
from porto_cli.games.porto.players.weights import Weights, weights_of

MANY_ROOFS = {2: 5, 3: 6, 4: 7}
"""From how many roofs to go it is still early, by the number of players."""
_MANY, _SOME, _TWO, _ONE, _TWO_TURNS, _ONE_TURN, _NO_TURN = range(7)
"""The rows of the weights."""


def roofs_to_go(state: State) -> int:
    """Return how many roofs are left until the end is triggered."""
    return max(0, state.config.roofs_to_end - state.roofs)


def completion_row(state: State) -> int:
    """Return how much of a game is left, as the rows of the chances of completion are numbered.

    That is in roofs to go, and in fours of timer cards for who plays alone.
    """
    return state.timer_left // 4 if state.config.timer else roofs_to_go(state)


def turns_left(state: State, seat: int) -> int:
    """Return how many turns a seat has left once the last round is known, this one included."""
    seats = state.config.seats
    turns = seats * (state.end_round + 1) - state.turn
    wait = (seat - state.turn) % seats
    return max(0, turns - wait + seats - 1) // seats


def phase(state: State, seat: int) -> int:
    """Return which row of the weights is used for a seat."""
    if state.end_round:
        return (_NO_TURN, _ONE_TURN, _TWO_TURNS)[min(2, turns_left(state, seat))]
    to_go = roofs_to_go(state)
    if to_go >= MANY_ROOFS[state.config.seats]:
        return _MANY
    return _SOME if to_go >= 3 else _TWO if to_go == 2 else _ONE


def margin_of(vps: Sequence[float], seat: int) -> float:
    """Return how many VP a seat is ahead, of those of all seats.

    Half of it is towards the best of the others, half towards their mean.
    """
    others = [*vps]
    mine = others.pop(seat)
    return mine - max(others) / 2 - sum(others) / len(others) / 2


class Appraiser:
    """Somebody who says what tables are worth to the players of one game.

    ``seat`` is who decides; ``own`` are the private contracts that this seat knows of, its own.
    What is shared between the tables of one decision is kept, so one decision has one appraiser.
    It goes by the weights that come with the program unless it is given others.
    """

    def __init__(self, seats: int, seat: int, own: bytes, weights: Weights | None = None) -> None:
        self.weights = weights or weights_of(str(seats))
        self.boards = Boards()
        self.seat = seat
        self.own = own
        self._expected: dict[tuple[bytes, bytes], float] = {}

    def values(self, state: State, viewer: int) -> list[float]:
        """Return the VP that each seat can be expected to have at the end.

        ``viewer`` is for whom the table is looked at; only the seat that decides knows private
        contracts, so for all others none count.
        """
        own = self.own if viewer == self.seat else b""
        if state.phase == OVER or (state.phase == KEEP and not state.dealt):
            return self._final(state, viewer, own)
        board = self.boards.of(state)
        matchings = [board.matching(hand) for hand in state.hands]
        found = []
        for seat, score in enumerate(state.scores):
            private = self._own_private(state) if own and seat == viewer else 0.0
            numbers = features(state, seat, board, matchings, private)
            row = self.weights.rows[phase(state, seat)]
            found.append(score + sum(map(mul, row, numbers)))
        return found

    def lead(self, state: State) -> float:
        """Return the margin of the seat that decides."""
        return self.margin(state, self.seat)

    def margin(self, state: State, viewer: int) -> float:
        """Return the margin of a seat, as it sees the table."""
        return margin_of(self.values(state, viewer), viewer)

    def _final(self, state: State, viewer: int, own: bytes) -> list[float]:
        """Private contracts of others are not known; the own ones may not have scored yet."""
        found: list[float] = list(state.scores)
        if state.phase == KEEP and own:
            completed = completed_houses(state)
            found[viewer] += sum(reckon(state, contract, completed).vp for contract in own)
        return found

    def _own_private(self, state: State) -> float:
        key = (state.floors, state.colors)
        found = self._expected.get(key)
        if found is None:
            found = self._expected[key] = expected_vp(
                state, self.own, self.weights.completion, roofs_to_go(state)
            )
        return found
