"""Which of some players is better: all play the same deals, each from every seat."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from porto_cli.game import Config
from porto_cli.players import Player
from porto_cli.simulate.loop import Start, simulate
from porto_cli.simulate.tally import Tally, mean


class Standing(NamedTuple):
    """How a player did.

    ``share``  the share of the games that were won, 0 to 1
    ``doubt``  how far it may be off: with a probability of 95 % no more than that
    ``score``  the mean score
    ``games``  how many games were played to their end
    """

    share: float
    doubt: float
    score: float
    games: int


def match_up(
    game_id: str,
    config: Config,
    players: Sequence[Player],
    deals: int,
    *,
    seed: str = "",
    executor: Executor | None = None,
) -> list[Standing]:
    """Let players play each deal from every seat, and return how each of them did.

    The names in the configuration make no difference. An ``executor`` plays elsewhere, see
    :func:`~porto_cli.simulate.loop.simulate`. Raises ValueError if players and seats do not match,
    or no game came to its end.
    """
    seats = len(players)
    tally = Tally(seats, games_of_a_deal=seats)
    start = Start(game_id, config)
    for result in simulate(start, players, deals, seed=seed, executor=executor, rotate=True):
        tally.add(result)
    if not tally.games:
        raise ValueError("No game was played to its end.")
    return [
        Standing(*tally.share(player), mean(tally.scores[player]), tally.games)
        for player in range(seats)
    ]
