"""Ratings of players by the outcomes of their games, on the scale of Elo.

The model is that of Bradley and Terry: a player who is ``d`` points ahead comes out ahead of the
other one with a probability of ``1 / (1 + 10 ** (-d / 400))``. The ratings are those under which
the observed outcomes are most likely.

The intervals are computed from the deals. The games of a deal have the same cards, in all seats and
for all pairings, so that they are not independent. For each deal the *score*, the slope of the
logarithm of the likelihood, is summed up over its games; the variance of these sums gives that of
the ratings (the "sandwich" of Huber and White, with deals as clusters). Seats that balance each
other out within a deal make the intervals narrow, as they should, and games that go alike make them
wide. Unlike a bootstrap it needs no random numbers, and has an answer where resampled deals would
have none, or all the same. For few deals the quantile is that of Student's distribution, and one
deal is added whose games are independent: three deals that were all split prove little.

Who has won all games against the others has no rating: each higher one would be likelier. Then
there is a bound, see :class:`Rating`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import exp, inf, log, log1p

from porto_cli.core.value import NamedTuple

SCALE = 400 / log(10)
"""Points of Elo to a unit of the logistic function."""
_Z = 1.959964
"""The quantile of the normal distribution for 95 % around the middle."""
_UNLIKELY = 0.05
"""A bound is the rating at which the observed outcomes have this probability."""
_STEPS, _CLOSE = 200, 1e-10


class Compared(NamedTuple):
    """How two players, by their numbers, came out against each other in the games of a deal.

    ``games`` is how often they were compared and ``won`` how often ``one`` was ahead; what they
    shared counts as half.
    """

    deal: int
    one: int
    other: int
    games: float
    won: float


class Rating(NamedTuple):
    """What a player is rated, in points of Elo.

    ``low`` and ``high`` are the ends of the interval that holds the rating with a probability of
    95 %; ``None`` if nothing can be said, as of a single deal. With only one of them the player
    has won all (``low``), or lost all (``high``), against those who have a rating: this is the
    rating with which that has a probability of 5 %, if the pairings of a deal are one trial each
    and the ratings of the others are taken as they are. ``elo`` is ``None`` then, and all are if
    the player was compared with none of those who have a rating.
    """

    elo: float | None
    low: float | None
    high: float | None


def rate(players: int, compared: Sequence[Compared], anchor: int | None = None) -> list[Rating]:
    """Return the ratings of players 0, 1, ….

    The ``anchor`` has rating 0, otherwise the mean of those who have a rating is 0. Only players
    can be rated together between whom there are wins both ways, directly or through others: the
    group of the anchor, otherwise the largest one, of equals the one with the first player.
    """
    group = _group(players, compared, anchor)
    inside = [each for each in compared if each.one in group and each.other in group]
    strengths, covariance = _fit(group, inside)
    place = {player: nth for nth, player in enumerate(group)}
    deals = len({each.deal for each in inside})
    zero = None if anchor is None else place[anchor]
    ratings = []
    for player in range(players):
        if player in place:
            nth = place[player]
            elo = strengths[nth] - (0 if zero is None else strengths[zero])
            variance = covariance[nth][nth]
            if zero is not None:
                variance += covariance[zero][zero] - 2 * covariance[nth][zero]
            ratings.append(_interval(elo, variance, deals if len(group) > 1 else inf))
        else:
            known = {one: strengths[nth] for one, nth in place.items()}
            shift = 0 if zero is None else strengths[zero]
            ratings.append(_bound(player, compared, known, shift))
    return ratings


def _interval(strength: float, variance: float, deals: float) -> Rating:
    elo = SCALE * strength
    if deals < 2:
        return Rating(elo, None, None)
    off = SCALE * quantile(deals - 1) * max(variance, 0) ** 0.5
    return Rating(elo, elo - off, elo + off)


def quantile(freedom: float) -> float:
    """Return the quantile of Student's distribution for 95 % around the middle, nearly.

    By the expansion of Cornish and Fisher, which is too small by less than 1 % from five degrees
    of freedom on.
    """
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


# -- Who can be rated together


def _group(players: int, compared: Iterable[Compared], anchor: int | None) -> list[int]:
    """Return the players who can be rated together (Ford, 1957): each has won against each, over
    as many others as need be.
    """
    beaten: dict[int, set[int]] = defaultdict(set)
    for each in compared:
        if each.won > 0:
            beaten[each.one].add(each.other)
        if each.won < each.games:
            beaten[each.other].add(each.one)
    below = [_reached(player, beaten) for player in range(players)]
    groups = [
        [other for other in sorted(below[player]) if player in below[other]]
        for player in range(players)
    ]
    return groups[anchor] if anchor is not None else max(groups, key=len)


def _reached(start: int, beaten: dict[int, set[int]]) -> set[int]:
    reached, ahead = {start}, [start]
    while ahead:
        new = beaten[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached


# -- Maximum likelihood


def _fit(
    group: Sequence[int], compared: Sequence[Compared]
) -> tuple[list[float], list[list[float]]]:
    """Return the maximum-likelihood strengths, 0 on average, and their covariance."""
    size = len(group)
    place = {player: nth for nth, player in enumerate(group)}
    games: Counter[tuple[int, int]] = Counter()
    won: Counter[tuple[int, int]] = Counter()
    for each in compared:
        pair = place[each.one], place[each.other]
        games[pair] += each.games  # type: ignore[assignment]
        won[pair] += each.won  # type: ignore[assignment]

    def fit_of(strengths: Sequence[float]) -> float:
        return sum(
            won[a, b] * _log_chance(strengths[a] - strengths[b])
            + (number - won[a, b]) * _log_chance(strengths[b] - strengths[a])
            for (a, b), number in games.items()
        )

    strengths = [0.0] * size
    for _ in range(_STEPS):
        slope = [0.0] * size
        for (a, b), number in games.items():
            more = won[a, b] - number * _chance(strengths[a] - strengths[b])
            slope[a] += more
            slope[b] -= more
        step = _times(_inverse(_information(strengths, games)), slope)
        if max(map(abs, step)) < _CLOSE:
            break
        strengths = _better(strengths, step, fit_of)
    inverse = _inverse(_information(strengths, games))
    spread = _spread(strengths, compared, place, _information(strengths, games))
    return strengths, _product(_product(inverse, spread), inverse)


def _better(
    strengths: Sequence[float], step: Sequence[float], fit_of: Callable[[Sequence[float]], float]
) -> list[float]:
    """Take a step, or a part of it that makes the outcomes no less likely."""
    before = fit_of(strengths)
    share = 1.0
    while True:
        there = [one + share * more for one, more in zip(strengths, step, strict=True)]
        share /= 2
        if fit_of(there) >= before or share < _CLOSE:
            middle = sum(there) / len(there)
            return [one - middle for one in there]


def _information(strengths: Sequence[float], games: Counter[tuple[int, int]]) -> list[list[float]]:
    size = len(strengths)
    matrix = [[0.0] * size for _ in range(size)]
    for (a, b), number in games.items():
        chance = _chance(strengths[a] - strengths[b])
        weight = number * chance * (1 - chance)
        matrix[a][a] += weight
        matrix[b][b] += weight
        matrix[a][b] -= weight
        matrix[b][a] -= weight
    return matrix


def _spread(
    strengths: Sequence[float],
    compared: Iterable[Compared],
    place: dict[int, int],
    information: Sequence[Sequence[float]],
) -> list[list[float]]:
    """Return how much the scores of the deals spread, with one more deal of independent games."""
    size = len(strengths)
    slopes: dict[int, list[float]] = defaultdict(lambda: [0.0] * size)
    for each in compared:
        a, b = place[each.one], place[each.other]
        more = each.won - each.games * _chance(strengths[a] - strengths[b])
        slopes[each.deal][a] += more
        slopes[each.deal][b] -= more
    deals = len(slopes)
    few = deals / (deals - 1) if deals > 1 else 1.0
    return [
        [
            few * sum(slope[a] * slope[b] for slope in slopes.values())
            + (information[a][b] / deals if deals else 0.0)
            for b in range(size)
        ]
        for a in range(size)
    ]


def _chance(ahead: float) -> float:
    return 1 / (1 + exp(-ahead)) if ahead > -700 else 0.0


def _log_chance(ahead: float) -> float:
    return -log1p(exp(-ahead)) if ahead > 0 else ahead - log1p(exp(ahead))


# -- Players who have won or lost everything


def _bound(
    player: int, compared: Iterable[Compared], known: dict[int, float], shift: float
) -> Rating:
    """Return the bound of a player who has won, or lost, everything against those known."""
    trials: list[float] = []
    all_won = False
    for each in compared:
        for own, other, won in (
            (each.one, each.other, each.won),
            (each.other, each.one, each.games - each.won),
        ):
            if own == player and other in known:
                trials.append(known[other])
                all_won = won > 0
    if not trials:
        return Rating(None, None, None)
    sign = 1 if all_won else -1
    low, high = -100.0, 100.0
    while high - low > _CLOSE:
        middle = (low + high) / 2
        likely = sum(_log_chance(sign * (middle - other)) for other in trials)
        if (likely < log(_UNLIKELY)) == all_won:
            low = middle
        else:
            high = middle
    bound = SCALE * (low - shift)
    return Rating(None, bound, None) if all_won else Rating(None, None, bound)


# -- Small matrices


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse on the vectors that sum to 0, where the matrix is positive definite.

    The rows of the matrix sum up to 0. A constant added to all entries makes it regular, and
    makes no difference to what sums up to 0.
    """
    size = len(matrix)
    constant = max(1.0, max(matrix[nth][nth] for nth in range(size))) / size
    rows = [
        [*(entry + constant for entry in row), *(float(nth == other) for other in range(size))]
        for nth, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [entry / head for entry in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                times = rows[other][column]
                rows[other] = [
                    entry - times * more
                    for entry, more in zip(rows[other], rows[column], strict=True)
                ]
    return [row[size:] for row in rows]


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _product(
    left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]
) -> list[list[float]]:
    columns = list(zip(*right, strict=True))
    return [_times(columns, row) for row in left]
