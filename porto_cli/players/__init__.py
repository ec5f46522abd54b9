"""Players that are programs: what they are, those that can play any game, and the coaches that
judge moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
"""A player: given what the seat to move may know, the moves to choose from and a random number
generator, returns one of the moves.

It never gets the table itself, so it can neither see what others hide nor foresee what comes up. To
play in other processes it has to be a function that can be imported there. Only ``random()`` of the
generator gives the same numbers in every version of Python.
"""


def choose(player: Player, game: Rules, state: State, seat: int, rng: Random) -> Move:
    """Return the move that a player chooses at this seat, which is to move.

    The player gets a view without what the seat may not know. Raises ValueError if the seat has no
    legal move.
    """
    moves = game.legal_moves(state, seat)
    if not moves:
        raise ValueError(f"The seat {seat} has no legal move.")
    return player(game.view(state, seat), moves, rng)


def seat_of(view: View) -> int:
    """Return the seat of a view. Raises ValueError for a bystander's view."""
    if view.seat is None:
        raise ValueError("A bystander has no move to choose.")
    return view.seat


def seed_of(rng: Random) -> int:
    """Return a random seed."""
    return int(rng.random() * 2**40)


class Luck(Random):
    """A generator whose numbers come from a function, so that nobody can look ahead."""

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
    """Return one of the moves, each with the same probability."""
    return moves[int(rng.random() * len(moves))]


def most_worth(moves: Sequence[OneMove], worth: Callable[[OneMove], float], rng: Random) -> OneMove:
    """Return the move with the highest worth; ties are broken at random."""
    worths = [worth(move) for move in moves]
    most = max(worths)
    return random_choice(
        [move for move, each in zip(moves, worths, strict=True) if each == most], rng
    )


class Parameter(NamedTuple):
    """A whole number that a player takes: the keyword of its function, and the bounds."""

    name: str
    least: int
    most: int


class Players(NamedTuple):
    """The programs that play a game; every game has one that plays at random."""

    named: Mapping[str, Player] = MappingProxyType({"random": random_player})
    """The players, by their names."""
    parameters: Mapping[str, Parameter] = MappingProxyType({})
    """The number that can be written after a name: ``level-5:100``."""


# -- Judging moves, for hints and analyses: what a coach is, and what coaches of any game share
#
# A coach gets the view of a player, never the state: it knows neither what others hide nor what
# will come up. A game's coach is ``Game.coach``. Moves are usually judged by trials, each of which
# plays on from every move with the same random numbers; how is up to the game. A move that is
# clearly worse than the best one is dropped, and gets no more trials (racing, Maron and Moore,
# 1994).


class Prospect(NamedTuple):
    """How a game can be expected to end for one player.

    ``margin``  VP ahead of the others; in a solo game, VP above those needed to win
    ``win``     the chance of winning, 0 to 1
    ``own``     the VP of the player alone, where they can be told from those of the others
    """

    margin: float
    win: float
    own: float | None = None

    def document(self) -> dict[str, float]:
        """Return it as documents have it."""
        return {"margin": self.margin, "win": self.win}


def margin_of(vps: Sequence[float], seat: int) -> float:
    """Return how many VP a seat is ahead of the others: the mean of its lead over the best of them
    and its lead over their average.
    """
    others = [*vps]
    own = others.pop(seat)
    return own - max(others) / 2 - sum(others) / len(others) / 2


CONFIDENCE = 1.96
"""A difference is off by at most this many standard errors, with a probability of 95 %."""


class Judgment(NamedTuple):
    """What a move can be expected to lead to.

    ``behind``     how many VP of margin it is worse than the best of the moves judged with it, 0
                   for the best one
    ``error``      the standard error of ``behind``, in VP, from the trials that this move had
    ``misjudged``  the standard error that would be left after any number of trials
    ``lower``      how many VP of this the player has less, not the others more, where that is known
    """

    move: Move
    prospect: Prospect
    behind: float
    error: float
    misjudged: float = 0.0
    lower: float | None = None

    @property
    def whole_error(self) -> float:
        """The standard error of ``behind`` from both sources."""
        return hypot(self.error, self.misjudged)

    @property
    def doubt(self) -> float:
        """The most VP that ``behind`` is off, with a probability of 95 %."""
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

    ``play_on``    plays on from one of the moves
    ``samples``    how many trials, of all moves together, take about a second
    ``misjudged``  the standard error of a difference that is left after any number of trials
    ``sum_up``     turns the means of the trials into prospects
    """

    moves: Sequence[Move]
    play_on: PlayOn
    samples: int
    misjudged: float
    sum_up: Summary = list


class Against(str):
    """A reason that does not speak for a move: what it costs, lacks, or leaves to others."""

    __slots__ = ()


class Weighty(Against):
    """One that is told in brief as well: a risk, or a great loss."""

    __slots__ = ()


class Worse(Weighty):
    """A reason why anybody would take another move: the move is of no use on the face of it. See
    :func:`porto_cli.players.hint.recommended`.
    """

    __slots__ = ()


class Aside(str):
    """A reason about a detail: a move that brings nothing else new is not shown for it."""

    __slots__ = ()


class Promise(str):
    """A reason that names what the player will do next: ``then`` is that move, as text."""

    then = ""


class Merits(NamedTuple):
    """What speaks for a move and against it.

    ``reasons``  why it may be good or bad, the most important reason first: what it scores now,
                 what it keeps, and what it leaves to the others; those that do not speak for it,
                 each :class:`Against`, come last
    ``vp``       the VP that it scores now, if that is what tempts to make it
    ``next_vp``  the VP that it allows to score next
    """

    reasons: list[str]
    vp: int = 0
    next_vp: int = 0


def for_first(reasons: Iterable[str]) -> list[str]:
    """Return reasons with those last that do not speak for the move, and none of them twice."""
    return sorted(dict.fromkeys(reasons), key=lambda one: isinstance(one, Against))


Advise = Callable[[View], Move]
"""Returns the move that a hint recommends to the player of a view."""


class Coach(Protocol):
    """An object that judges moves of one game."""

    samples: int
    """Trials for each decision of an analysis by default."""
    near: float = 1.0
    """VP: of moves that are less behind in trials, the one that scores most now is recommended."""

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

        It has to be the turn of the view's player. ``samples`` is the number of trials in all, by
        default as many as take about a second; with ``seconds``, trials go on for that long
        instead. Only ``random()`` of ``rng`` is used. Ctrl-C may raise InterruptedThoughtError.
        Raises ValueError if there is nothing to choose: the game is over, or the seat is not to
        move. The list is empty if the choices are unknown.
        """
        trials = self.trials(view, rng, moves, width)
        return tried(trials, samples, seconds, moves) if isinstance(trials, Trials) else trials

    def trials(
        self, view: View, rng: Random, moves: Sequence[Move], width: int
    ) -> Trials | list[Judgment]:
        """Return the trials of the moves that look best and those given, or their judgments if
        trials are impossible. Raises ValueError like :meth:`judge`.
        """

    def prospect(self, view: View) -> Prospect:
        """Return a quick estimate of how the game will end for the player of the view.

        It has to be calibrated: hints and analyses show its chance of winning.
        """

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, over what may come up then.

        The difference between this and the prospect after what did come up is luck.
        """

    def merits(self, view: View, move: Move, advise: Advise | None = None) -> Merits:
        """Return the merits of a move. ``advise`` returns what the next hint will recommend, for
        reasons that tell what the player will do then.
        """

    def aim(self, expected: Prospect) -> str:
        """Return what a solo game is on course for, and what more can be reached, as words within a
        sentence; empty while it is uncertain whether it will be won.
        """
        return ""


def seen_by_all(game: Rules, state: State, lookers: Collection[int | None]) -> tuple[View, ...]:
    """Return what each seat sees; for those other than ``lookers``, only what is public."""
    open_to_all = game.view(state, None)
    return tuple(
        game.view(state, seat) if seat in lookers else open_to_all._replace(seat=seat)
        for seat in range(len(state.config.players))
    )


def agreed(prospects: Sequence[Prospect], sure: int | None = None) -> tuple[Prospect, ...]:
    """Return the prospects of all seats with their chances of winning scaled to sum to 1, except in
    a solo game.

    Each seat's estimate is made from what it alone knows. If all but one know only what is public,
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
    """Return moves in the order of ``porto moves``, which does not show how good they are."""
    listed = {move: index for index, move in enumerate(game.legal_moves(state, seat, LISTED))}
    return sorted(
        moves,
        key=lambda move: (listed.get(move, LISTED), game.format_move(move, state)),
    )


LISTED = 1000
"""The most moves whose order is looked up; there can be millions of placements of colonists."""
FEWEST = 2
"""The least number of trials per move: a single one has no standard error."""
FIRST_LOOK, EVERY = 12, 4
"""Moves can be dropped first after this many trials, and then again after every so many more."""
NEAREST = 3
"""Moves that are never dropped while there is time."""
CLEAR = 3.0
"""A move is dropped when it is this many standard errors behind the best one."""

PlayOn = Callable[[int, int], Prospect]
"""Plays on from a move, given its index and that of the trial, which determines the random numbers;
returns the result."""
Summary = Callable[[list[Prospect]], Sequence[Prospect]]
"""Turns the means of the trials, the best move first, into what can be expected."""


def tried(
    trials: Trials, samples: int | None, seconds: float | None, wanted: Collection[Move]
) -> list[Judgment]:
    """Judge moves by a number of trials, or by trials for some seconds; the best comes first.

    ``samples`` is the number for all moves together if none is dropped. Moves ``wanted`` are never
    dropped. Raises InterruptedThoughtError on Ctrl-C.
    """
    moves = trials.moves
    seen: list[list[Prospect]] = [[] for _ in moves]
    often = max(FEWEST, (samples or trials.samples) // len(moves))
    until = None if seconds is None else monotonic() + seconds
    racing = list(range(len(moves)))
    # A user who gives it time wants to see how the best moves compare, not only the best one.
    kept = 1 if seconds is None else NEAREST
    try:
        for trial in count():
            goes_on = trial < often if until is None else trial < FEWEST or monotonic() < until
            if not goes_on or (len(racing) == 1 and trial >= often):
                break
            for place in racing:
                seen[place].append(trials.play_on(place, trial))
            if trial + 1 >= FIRST_LOOK and (trial + 1) % EVERY == 0:
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
    # ``statistics`` takes 2 ms to import, in every command of a game with bots.
    return fsum(numbers) / len(numbers)


def _best(seen: Sequence[Sequence[Prospect]]) -> int:
    """Return the index of the best move that was not dropped."""
    most = max(map(len, seen))
    last = [place for place, prospects in enumerate(seen) if len(prospects) == most]
    # In the last turns wins can differ by what breaks ties alone.
    return max(last, key=lambda place: mean_prospect(seen[place]))


def _behind(best: Sequence[Prospect], own: Sequence[Prospect]) -> tuple[float, float]:
    """Return how many VP a move is behind the best one, and the standard error of that.

    They are compared trial by trial, as far as both had trials.
    """
    each = [one.margin - other.margin for one, other in zip(best, own, strict=False)]
    mean = _mean(each)
    squares = sum([(one - mean) ** 2 for one in each])
    return mean, sqrt(squares / (len(each) - 1) / len(each))


def _lower(best: Sequence[Prospect], own: Sequence[Prospect]) -> float | None:
    """Return how many VP the player alone has less than after the best move, if that is known."""
    pairs = [(one.own, other.own) for one, other in zip(best, own, strict=False)]
    known = [one - other for one, other in pairs if one is not None and other is not None]
    return _mean(known) if known else None


def over_chances(look: Callable[[Chance], Prospect], rng: Random, samples: int) -> Prospect:
    """Return the mean prospect over a number of chances, at least one.

    ``look`` returns the prospect after a chance; if nothing comes up, one is enough.
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
    """Return the mean margin and the mean chance of winning."""
    margins, wins, own = zip(*prospects, strict=True)
    return Prospect(_mean(margins), _mean(wins), None if None in own else _mean(own))


def _compared(trials: Trials, seen: list[list[Prospect]]) -> list[Judgment]:
    """Return judgments of the moves by their trials, the best one first."""
    best = _best(seen)
    means = [_expected(seen[best], own) for own in seen]
    order = sorted(range(len(seen)), key=lambda place: (place != best, -means[place].margin))
    prospects = trials.sum_up([means[place] for place in order])
    judgments = []
    for place, prospect in zip(order, prospects, strict=True):
        behind, error = _behind(seen[best], seen[place])
        own = trials.moves[place], prospect, max(0.0, behind), error
        judgments.append(Judgment(*own, trials.misjudged, _lower(seen[best], seen[place])))
    return judgments


def _expected(best: Sequence[Prospect], own: Sequence[Prospect]) -> Prospect:
    """Return the prospect after a move.

    A move that was dropped keeps the distance to the best one that it had in the trials of both.
    """
    mean = mean_prospect(own)
    if len(own) == len(best):
        return mean
    then, finally_ = mean_prospect(best[: len(own)]), mean_prospect(best)
    win = mean.win + finally_.win - then.win
    return Prospect(mean.margin + finally_.margin - then.margin, min(1.0, max(0.0, win)))
