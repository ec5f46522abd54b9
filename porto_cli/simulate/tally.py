"""The sum of many games."""

from __future__ import annotations

from collections import Counter

from porto_cli.simulate.loop import Result
from porto_cli.simulate.simulation import Figure

SURE = 1.96
"""Standard errors to each side that hold a share with a probability of 95 %."""


class Tally:
    """The sum of many results. ``players`` says how many seats there are.

    ``games_of_a_deal`` says how many results in a row have the same deal, so that they say less
    than others would: what is not known of a share is worked out from the deals.
    """

    def __init__(self, players: int, games_of_a_deal: int = 1) -> None:
        seats = range(players)
        self.games_of_a_deal = games_of_a_deal
        self._deals: Counter[int] = Counter()
        self._wins_in: list[Counter[int]] = [Counter() for _ in seats]
        self.games = 0
        self.given_up = 0
        """Games that did not end; they count for nothing else."""
        self.turns: Counter[int] = Counter()
        self.wins = [0 for _ in seats]
        self.scores: list[Counter[int]] = [Counter() for _ in seats]
        self.figures: list[Counter[Figure]] = [Counter() for _ in seats]
        self.games_with: Counter[Figure] = Counter()
        """In how many games a figure was not 0 for every seat."""

    def add(self, result: Result) -> None:
        """Count one more game."""
        if not result.finished:
            self.given_up += 1
            return
        self.games += 1
        self.turns[result.turns] += 1
        deal = (result.number - 1) // self.games_of_a_deal
        self._deals[deal] += 1
        for seat, score in enumerate(result.scores):
            self._wins_in[seat][deal] += result.won[seat]
            self.wins[seat] += result.won[seat]
            self.scores[seat][score] += 1
            self.figures[seat].update(result.figures[seat])
        self.games_with.update(
            {figure for seat in result.figures for figure, number in seat.items() if number}
        )

    def share(self, seat: int) -> tuple[float, float]:
        """Return the share of the games that were won, and how far it may be off.

        With a probability of 95 % what many more games would lead to is no farther away than that.
        """
        share = self.wins[seat] / self.games
        won = self._wins_in[seat]
        squares = sum((won[deal] - share * games) ** 2 for deal, games in self._deals.items())
        return share, float(SURE * squares**0.5 / self.games)

    def total(self, figure: Figure) -> int:
        """Return a figure of all seats in all games."""
        return sum(figures[figure] for figures in self.figures)


def mean(values: Counter[int]) -> float:
    """Return the mean of counted values."""
    return sum(value * count for value, count in values.items()) / values.total()


def quantile(values: Counter[int], share: float) -> int:
    """Return the smallest value that so large a share of the counted values does not exceed."""
    wanted = share * values.total()
    passed = 0
    for value in sorted(values):
        passed += values[value]
        if passed >= wanted:
            return value
    raise ValueError("Nothing was counted.")
