"""Whether new weights play better than old ones, on deals that both play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from multiprocessing.pool import Pool
from typing import NamedTuple

from bench.training.games import config_of, from_each_seat, solo_score, spread
from porto_cli.games.porto.engine.play import Move
from porto_cli.games.porto.engine.scoring import SOLO_WIN
from porto_cli.games.porto.engine.state import TIMERS
from porto_cli.games.porto.players import PLAYERS, priced_player, search_player, value_player
from porto_cli.games.porto.players.evaluation import SOLO, Weights
from porto_cli.players import Player
from porto_cli.simulate import Start

BY_LEVEL: dict[int, Callable[..., Move]] = {3: priced_player, 4: value_player, 5: search_player}
"""The levels that can be given weights. Alone, levels 4 and 5."""


class Mean(NamedTuple):
    """A mean, and how far it may be off with a probability of 95 %."""

    mean: float
    doubt: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} % ± {100 * self.doubt:.1f}"


def mean_of(numbers: Sequence[float]) -> Mean:
    """Return the mean of some independent numbers."""
    count = len(numbers)
    mean = sum(numbers) / count
    spread_out = sum((number - mean) ** 2 for number in numbers) / max(1, count - 1)
    return Mean(mean, 1.96 * sqrt(spread_out / count))


def compared(
    players: str,
    old: Weights,
    new: Weights,
    *,
    level: int,
    against: str | None,
    deals: int,
    seed: str,
    pool: Pool | None,
) -> Iterator[str]:
    """Yield line by line which weights win more, and by how much.

    With two players or more the new weights play the old ones, in each seat of each deal; or both
    play ``against`` players of one name. Alone both play the same deals of each timer.
    """
    if players == SOLO:
        for timer in TIMERS:
            shares = [
                list(spread(partial(_alone, weights, level, timer, seed), range(deals), pool))
                for weights in (old, new)
            ]
            yield f"timer {timer}: " + _both(*shares)
        return
    seats = int(players)
    mine = [partial(BY_LEVEL[level], weights=weights) for weights in (old, new)]
    if against is None:
        table = [mine[1], *[mine[0]] * (seats - 1)]
        shares = [list(spread(partial(_share, table, seed), range(deals), pool))]
        yield f"new against {seats - 1} of old: {mean_of(shares[0])} (even: {100 / seats:.1f} %)"
        return
    others = [PLAYERS[against]] * (seats - 1)
    shares = [
        list(spread(partial(_share, [one, *others], seed), range(deals), pool)) for one in mine
    ]
    yield f"against {seats - 1} of {against}: " + _both(*shares)


def _both(old: Sequence[float], new: Sequence[float]) -> str:
    more = mean_of([after - before for before, after in zip(old, new, strict=True)])
    return f"old {mean_of(old)}, new {mean_of(new)}, difference {more}, {len(old)} deals"


def _alone(weights: Weights, level: int, timer: int, seed: str, deal: int) -> float:
    if level == 4:
        return float(solo_score(weights, timer, f"{seed}/{deal}") >= SOLO_WIN)
    player = partial(BY_LEVEL[level], weights=weights)
    start = Start("porto", config_of(SOLO, timer))
    (result,) = from_each_seat(start, [player], seed, range(deal, deal + 1))
    return float(result.won[0])


def _share(players: Sequence[Player], seed: str, deal: int) -> float:
    """Return what part of a deal, played from each seat, the first player wins."""
    start = Start("porto", config_of(str(len(players))))
    results = from_each_seat(start, players, seed, range(deal, deal + 1))
    return sum(one.won[0] / sum(one.won) for one in results) / len(players)
