"""Players that are programs: what they are, those that can play any game, and the coaches that
judge moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from math import fsum, hypot, sqrt
from random import Random
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from porto_cli.core.chance import Chance, random_chance
from porto_cli.rules import Rules
from porto_cli.seam import Move, State, View

# -- Players, and those that can play any game
#
# The players of one game are in its ``players`` package. ``docs/players.md`` says how to write one.

Player = Callable[[View, Sequence[Move], Random], Move]
"""A player: given what the seat that is to move may know, the moves to choose among and a random
number generator, returns one of the moves.

It is never given the table itself, so that it can neither look at what others hide nor foresee what
comes up. To play in other processes it has to be a function that can be imported there. Of the
generator only ``random()`` gives the same numbers in every version of Python.
"""


def choose(player: Player, game: Rules, state: State, seat: int, rng: Random) -> Move:
    """Return the move of a player who has this seat, which is to move.

    What the seat may not know is taken from the table first. Raises ValueError if the seat has no
    legal move.
    """
    moves = game.legal_moves(state, seat)
    if not moves:
        raise ValueError(f"The seat {seat} has no legal move.")
    return player(game.view(state, seat), moves, rng)


def seat_of(view: View) -> int:
    """Return the seat of a view. Raises ValueError for that of a bystander."""
    if view.seat is None:
        raise ValueError("A bystander has no move to choose.")
    return view.seat


def seed_of(rng: Random) -> int:
    """Return a random seed, for a generator whose numbers can be reproduced."""
    return int(rng.random() * 2**40)


class Luck(Random):
    """A generator whose numbers come from a function, without a way to look at the next ones."""

    def __init__(self, draw: Callable[[], float]) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        """Draw the next number."""
        return self._draw()


def random_player(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Take any move."""
    return random_choice(moves, rng)


OneMove = TypeVar("OneMove")
"""A move of one game."""


def random_choice(moves: Sequence[OneMove], rng: Random) -> OneMove:
    """Return one of the moves, all of which are equally likely."""
    return moves[int(rng.random() * len(moves))]


def most_worth(moves: Sequence[OneMove], worth: Callable[[OneMove], float], rng: Random) -> OneMove:
    """Return the move that is worth most; ties are broken at random."""
    worths = [worth(move) for move in moves]
    most = max(worths)
    return random_choice(
        [move for move, each in zip(moves, worths, strict=True) if each == most], rng
    )


class Parameter(NamedTuple):
    """A whole number that a player can be given: a keyword of its function, and what it may be."""

    name: str
    least: int
    most: int


class Players(NamedTuple):
    """The players of a game that are programs: any game has one that plays at random."""

    named: Mapping[str, Player] = MappingProxyType({"random": random_player})
    """The players, by their names."""
    parameters: Mapping[str, Parameter] = MappingProxyType({})
    """The number that can be written after a name: ``level-5:100``."""


# -- Judging moves, for hints and analyses: what a coach is, and what coaches of any game share
#
# A coach gets the view of a player, never the state: it knows neither what others hide nor what
# will come up. A game has its coach as ``Game.coach``. Moves are usually judged by trials, each of
# which plays on from every move with the same random numbers; how is up to the game. A move that is
# clearly worse than the best one is dropped, and gets no further trials (racing, Maron and Moore,
# 1994).


class Prospect(NamedTuple):
    """How a game can be expected to end for one player.

    ``margin``  VP ahead of the others; of a game played alone, VP above those that win it
    ``win``     the chance to win, 0 to 1
    """

    margin: float
    win: float


def margin_of(vps: Sequence[float], seat: int) -> float:
    """Return how many VP a seat is ahead, of those of all seats.

    Half of it is towards the best of the others, half towards their mean.
    """
    others = [*vps]
    own = others.pop(seat)
    return own - max(others) / 2 - sum(others) / len(others) / 2


CONFIDENCE = 1.96
"""Standard errors that a difference is off at most, with a probability of 95 %."""


class Judgment(NamedTuple):
    """What a move can be expected to lead to.

    ``behind``     how many VP of margin it is worse than the best of the moves judged with it, 0
                   for the best one
    ``error``      the standard error of ``behind``, in VP: by trials with the same numbers, as many
                   as there were of this move
    ``misjudged``  the standard error that would be left after any number of trials
    """

    move: Move
    prospect: Prospect
    behind: float
    error: float
    misjudged: float = 0.0

    @property
    def whole_error(self) -> float:
        """The standard error of ``behind``, for both reasons."""
        return hypot(self.error, self.misjudged)

    @property
    def doubt(self) -> float:
        """How many VP ``behind`` is off at most, with a probability of 95 %."""
        return CONFIDENCE * self.whole_error

    @property
    def about_equal(self) -> bool:
        """Whether it is the best move, or so little behind that it may well be."""
        return self.behind <= self.doubt


class InterruptedThoughtError(KeyboardInterrupt):
    """Ctrl-C while moves were judged, with the judgments so far."""

    def __init__(self, so_far: list[Judgment]) -> None:
        super().__init__()
        self.so_far = so_far


class Trials(NamedTuple):
    """How moves are judged by trials.

    ``moves``      the moves
    ``play_on``    what plays on from one of them
    ``samples``    how many trials of all of them take about a second
    ``misjudged``  the standard error of a difference that any number of trials leaves
    ``sum_up``     what can be expected by their means
    """

    moves: Sequence[Move]
    play_on: PlayOn
    samples: int
    misjudged: float
    sum_up: Summary = list


class AtARisk(str):
    """A reason for a move that names a risk of it as well. A hint then says why it recommends the
    move all the same.
    """

    __slots__ = ()


class Coach(Protocol):
    """An object that judges moves of one game."""

    samples: int
    """Trials for each decision of an analysis, unless told otherwise."""

    def judge(
        self,
        view: View,
        rng: Random,
        *,
        moves: Sequence[Move] = (),
        width: int = 8,
        samples: int | None = None,
        seconds: float | None = None,
    ) -> list[Judgment]:
        """Judge the ``width`` moves that look best and those given; the best one comes first.

        The player whose view it is has to be to move. ``samples`` is the number of trials in all,
        as many as take about a second if it is left out; with ``seconds`` trials go on for so long
        instead. Only ``random()`` of ``rng`` is used. Ctrl-C may raise
        InterruptedThoughtError. Raises ValueError where there is nothing to choose: the game is
        over, or the seat is not to move. The answer is empty where it is not known what there is to
        choose.
        """
        found = self.trials(view, rng, moves, width)
        return tried(found, samples, seconds, moves) if isinstance(found, Trials) else found

    def trials(
        self, view: View, rng: Random, moves: Sequence[Move], width: int
    ) -> Trials | list[Judgment]:
        """Return how the moves that look best and those given are judged by trials, or their
        judgments where nothing can be tried. Raises ValueError like :meth:`judge`.
        """

    def prospect(self, view: View) -> Prospect:
        """Return a quick estimate of how the game will end for the player of the view.

        It has to be calibrated: this is the chance to win that hints and analyses show.
        """

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, over what may come up then.

        The difference between that and the prospect after what did come up is luck.
        """

    def reasons(self, view: View, move: Move) -> list[str]:
        """Return why a move may be good or bad, the most important reason first: what it scores
        now, what it keeps, and what it leaves to the others. Those that speak against it as well
        are :class:`AtARisk`.
        """

    def aim(self, expected: Prospect) -> str:
        """Say what a game played alone is on course for, and what more there is to reach; nothing
        where it is open whether it is won.
        """
        return ""


def seen_by_all(game: Rules, state: State, lookers: Collection[int | None]) -> tuple[View, ...]:
    """Return what each seat sees; of those that are not ``lookers``, no more than lies open."""
    open_to_all = game.view(state, None)
    return tuple(
        game.view(state, seat) if seat in lookers else open_to_all._replace(seat=seat)
        for seat in range(len(state.config.players))
    )


def agreed(prospects: Sequence[Prospect], sure: int | None = None) -> tuple[Prospect, ...]:
    """Return prospects of all seats with chances to win that sum to 1, but for a game played alone.

    Each seat estimates its own, from what it alone knows. If all but one know only what lies open,
    the chance of that one (``sure``) stays as it is.
    """
    if len(prospects) == 1:
        return tuple(prospects)
    fixed = 0.0 if sure is None else prospects[sure].win
    others = [one.win for seat, one in enumerate(prospects) if seat != sure]
    total, share = sum(others), 1 - fixed
    return tuple(
        one
        if seat == sure
        else one._replace(win=share * one.win / total if total else share / len(others))
        for seat, one in enumerate(prospects)
    )


def as_listed(game: Rules, state: State, seat: int, moves: Collection[Move]) -> list[Move]:
    """Return moves in the order in which ``porto moves`` lists them, which says nothing of them."""
    listed = {move: nth for nth, move in enumerate(game.legal_moves(state, seat, LISTED))}
    return sorted(
        moves,
        key=lambda move: (listed.get(move, LISTED), game.format_move(move, state)),
    )


LISTED = 1000
"""Moves whose order is looked up; of placements of colonists there may be millions."""
FEWEST = 2
"""The least number of trials of a move: a single one has no standard error."""
FIRST_LOOK, EVERY = 12, 4
"""After how many trials moves can be dropped for the first time, and after how many more again."""
NEAREST = 3
"""Moves that are never dropped while there is time."""
CLEAR = 3.0
"""How many standard errors a move has to be behind the best one to be dropped."""

PlayOn = Callable[[int, int], Prospect]
"""Plays on from the move of this number with the random numbers of that trial, and returns the
result."""
Summary = Callable[[list[Prospect]], Sequence[Prospect]]
"""Return what can be expected by the means of the trials, those of the best move first."""


def tried(
    trials: Trials, samples: int | None, seconds: float | None, wanted: Collection[Move]
) -> list[Judgment]:
    """Judge moves by a number of trials, or by trials for some seconds; the best comes first.

    The number of ``samples`` is that for all moves together if none is dropped. Those ``wanted``
    are not dropped however bad they are. Raises InterruptedThoughtError on Ctrl-C.
    """
    moves = trials.moves
    seen: list[list[Prospect]] = [[] for _ in moves]
    often = max(FEWEST, (samples or trials.samples) // len(moves))
    until = None if seconds is None else monotonic() + seconds
    racing = list(range(len(moves)))
    # Who asks for time wants to know how the best moves compare, not only which one is best.
    kept = 1 if seconds is None else NEAREST
    try:
        for nth in count():
            goes_on = nth < often if until is None else nth < FEWEST or monotonic() < until
            if not goes_on or (len(racing) == 1 and nth >= often):
                break
            for place in racing:
                seen[place].append(trials.play_on(place, nth))
            if nth + 1 >= FIRST_LOOK and (nth + 1) % EVERY == 0:
                best = _best(seen)
                behind = {place: _behind(seen[best], seen[place]) for place in racing}
                near = sorted(racing, key=lambda place: behind[place][0])[:kept]
                racing = [
                    place
                    for place, (vp, error) in behind.items()
                    # One so far behind will hardly turn out to be the best.
                    if moves[place] in wanted or place in near or not vp > CLEAR * error
                ]
    except KeyboardInterrupt:
        times = min(len(seen[place]) for place in racing)
        for place in racing:
            del seen[place][times:]
        so_far = _compared(trials, seen) if times >= FEWEST else []
        raise InterruptedThoughtError(so_far) from None
    return _compared(trials, seen)


def _mean(numbers: Sequence[float]) -> float:
    # That of the library takes 2 ms to import, in every command of a game with bots.
    return fsum(numbers) / len(numbers)


def _best(seen: Sequence[Sequence[Prospect]]) -> int:
    """Return the place of the best of the moves that were not dropped."""
    most = max(map(len, seen))
    last = [place for place, prospects in enumerate(seen) if len(prospects) == most]
    return max(last, key=lambda place: _mean([one.margin for one in seen[place]]))


def _behind(best: Sequence[Prospect], own: Sequence[Prospect]) -> tuple[float, float]:
    """Return how many VP a move is behind the best one, and the standard error of that.

    Both are compared trial by trial, in the trials that both have had.
    """
    each = [one.margin - other.margin for one, other in zip(best, own, strict=False)]
    mean = _mean(each)
    squares = sum([(one - mean) ** 2 for one in each])
    return mean, sqrt(squares / (len(each) - 1) / len(each))


def over_chances(look: Callable[[Chance], Prospect], rng: Random, samples: int) -> Prospect:
    """Return the mean of what is seen over a number of chances, at least one.

    ``look`` returns what is seen after a chance; if nothing has come up, one is enough.
    """
    seed = seed_of(rng)
    asked: list[str] = []

    def seen(nth: int) -> Prospect:
        chance = random_chance(Random(seed + nth))

        def noticed(stream: str, index: int, pile: bytes, /) -> int:
            asked.append(stream)
            return chance(stream, index, pile)

        return look(noticed)

    first = seen(0)
    return mean_prospect([first, *(map(seen, range(1, samples)) if asked else ())])


def mean_prospect(prospects: Sequence[Prospect]) -> Prospect:
    """Return the mean of prospects."""
    margins, wins = zip(*prospects, strict=True)
    return Prospect(_mean(margins), _mean(wins))


def _compared(trials: Trials, seen: list[list[Prospect]]) -> list[Judgment]:
    """Return moves with what they led to, compared with the best one trial by trial."""
    best = _best(seen)
    means = [_expected(seen[best], own) for own in seen]
    order = sorted(range(len(seen)), key=lambda place: (place != best, -means[place].margin))
    prospects = trials.sum_up([means[place] for place in order])
    judgments = []
    for place, prospect in zip(order, prospects, strict=True):
        behind, error = _behind(seen[best], seen[place])
        own = trials.moves[place], prospect, max(0.0, behind), error
        judgments.append(Judgment(*own, trials.misjudged))
    return judgments


def _expected(best: Sequence[Prospect], own: Sequence[Prospect]) -> Prospect:
    """Return what a move can be expected to lead to.

    For one that was dropped that is as much less than what the best one leads to as it was in the
    trials of both.
    """
    mean = mean_prospect(own)
    if len(own) == len(best):
        return mean
    then, finally_ = mean_prospect(best[: len(own)]), mean_prospect(best)
    win = mean.win + finally_.win - then.win
    return Prospect(mean.margin + finally_.margin - then.margin, min(1.0, max(0.0, win)))
