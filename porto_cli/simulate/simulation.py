"""Simulations: what a game has to offer for them, playing many games, and counting how they ended.

    from porto_cli.players.named import players_of
    from porto_cli.simulate.simulation import Start, Tally, simulate

    players = players_of("porto")
    tally = Tally(2)
    for result in simulate(Start("porto", config), [players["greedy"], players["random"]], 1000):
        tally.add(result)

A game counts what happens in it as *figures*: numbers by seat, group and name, such as the VP from
one source or how often one rule came up. Groups and names are the game's; what sums them up and
prints them looks into none of them.

Each game has a seed of its own, made from the seed of the whole and the game's number, so that
the same games are played whatever runs them and in whatever order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol

from porto_cli.core.chance import Chance, random_chance, seeded_chance
from porto_cli.core.value import NamedTuple
from porto_cli.game import OVER, Config, Event, Game, Move, Outcome, State, game_of
from porto_cli.players import Player

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from porto_cli.core.message import Sentence

Figure = tuple[str, str]
"""The key of a group, and a name in it. Extras have no group: their key is empty."""
Count = tuple[int, Figure, int]
"""A seat, a figure, and by how much it grows."""


class Group(NamedTuple):
    """Figures that belong together: a table of the report, columns of CSV, an object of JSON."""

    key: str
    names: tuple[str, ...]
    title: Sentence
    heads: tuple[str, ...] = ()
    """Short names, for a row of each player with the means and their total. Without them each name
    has a row, with how often it came up in a game, and in which share of the games it did."""
    title_of_running: Sentence | None = None
    """The title for simulations of a running game, if it differs."""
    explain: Callable[[str], str] | None = None
    """An explanation at the end of the row of a name."""


class Simulation(Protocol):
    """A game that can be simulated."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The figures that are counted."""
        return ()

    @property
    def extras(self) -> tuple[str, ...]:
        """Figures beside a score, by their names."""
        return ()

    def is_played_out(self, state: State) -> bool:
        """Return whether no turn is left to play."""
        ...

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return a random state that is consistent with a running game.

        What lies open, and what the seat ``known`` knows, stays; what is hidden is dealt again.
        """
        ...

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves of who is to move; where they are too many, some of them."""
        ...

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterable[Count]:
        """Return what a move adds to the figures, which led from one state to another."""
        return ()

    def count_end(self, state: State, outcome: Outcome) -> Iterable[Count]:
        """Return what the end of a game adds to the figures, extras included."""
        return ()

    def standing(self, state: State) -> Outcome:
        """Return the outcome, without winners, of a game that was given up."""
        ...


class PlainSimulation(Simulation):
    """A game of which only the outcomes are counted."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def is_played_out(self, state: State) -> bool:
        """See :class:`Simulation`."""
        return bool(state.phase == OVER)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """See :class:`Simulation`."""
        seed = bytes(chance("redeal", index, bytes(256)) for index in range(8))
        return self.game.resample(self.game.view(state, known), Random(seed))

    def choices(self, state: State, rng: Random) -> list[Move]:
        """See :class:`Simulation`."""
        return self.game.legal_moves(state, state.seat)

    def standing(self, state: State) -> Outcome:
        """See :class:`Simulation`: all are equal."""
        seats = len(state.config.players)
        return Outcome((1,) * seats, (0,) * seats, (False,) * seats)


def simulation_of(game_id: str) -> Simulation:
    """Return the simulation of a game by its name. Raises KeyError if there is no such game."""
    return game_of(game_id).simulation


# -- Playing many games


LONGEST = 2_000
"""Turns after which a game is given up: with unusual components it may never end."""
MOST_IN_A_CHUNK = 50
"""Games that are sent to a worker together."""
CHUNKS_AHEAD = 64
"""Chunks that may be waiting for their turn."""


class Start(NamedTuple):
    """What every game starts from: a new setup, or the table of a running game.

    Of a running game only what lies open on the table is used: what comes up is drawn from what
    could come up, and what players hide is dealt again, except for the seat ``known``.
    """

    game_id: str
    config: Config
    state: State | None = None
    known: int | None = None


class Result(NamedTuple):
    """How one game ended. All tuples have one entry for each seat."""

    number: int
    """Which game of the simulation it was, counted from 1."""
    turns: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    won: tuple[bool, ...]
    figures: tuple[Counter[Figure], ...]
    """What the game counts, since the start of the simulation."""
    finished: bool
    """False if the game was given up because it did not end."""


def simulate(
    start: Start,
    players: Sequence[Player],
    games: int,
    *,
    seed: str = "",
    executor: Executor | None = None,
    rotate: bool = False,
) -> Generator[Result, None, None]:
    """Play games and yield how each ended, in order.

    With ``rotate`` each deal is played as often as there are seats, so that every player has every
    seat once: a fair comparison, which depends little on the deals. There are ``games`` deals then,
    and the results are by players, in the order in which they are given, not by seats.

    ``players`` has one for each seat. An ``executor`` (any of :mod:`concurrent.futures`, or
    what behaves like one) plays them elsewhere, otherwise they are played here. The results
    depend on the seed alone. To stop early, close the iterator; games that have not begun are
    canceled then. Raises ValueError if there is nothing to play, or no seat to rotate as the game
    runs.
    """
    seats = len(start.config.players)
    if len(players) != seats:
        raise ValueError(f"There are {seats} seats and {len(players)} players.")
    if start.state is not None and simulation_of(start.game_id).is_played_out(start.state):
        raise ValueError("All turns of the game have been played.")
    if rotate:
        if start.state is not None:
            raise ValueError("In a game that runs everybody has a seat.")
        games *= seats
    play = play_rotated if rotate else play_out
    size = max(1, min(MOST_IN_A_CHUNK, games // CHUNKS_AHEAD))
    chunks = (range(first, min(first + size, games)) for first in range(0, games, size))
    if executor is None:
        for numbers in chunks:
            for number in numbers:
                yield play(start, players, seed, number)
        return
    waiting: deque[Future[list[Result]]] = deque()
    try:
        for numbers in chunks:
            waiting.append(executor.submit(_play_chunk, play, start, tuple(players), seed, numbers))
            if len(waiting) >= CHUNKS_AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


class _PlayersRng(Random):
    """The random numbers that players get in a game, without a way to look at the next ones.

    What comes up is drawn from the same source.
    """

    def __init__(self, source: Random) -> None:
        super().__init__(0)
        self._draw = source.random

    def random(self) -> float:
        """Draw the next number."""
        return self._draw()


_Play = Callable[[Start, Sequence[Player], str, int], Result]


def _play_chunk(
    play: _Play, start: Start, players: Sequence[Player], seed: str, numbers: range
) -> list[Result]:
    return [play(start, players, seed, number) for number in numbers]


def play_out(start: Start, players: Sequence[Player], seed: str, number: int) -> Result:
    """Play the game of this number (from 0) and return how it ended."""
    rng = Random(f"{seed}/{number}")
    return _play(start, players, number, rng, random_chance(rng))


def play_rotated(start: Start, players: Sequence[Player], seed: str, number: int) -> Result:
    """Play the game of this number (from 0) of those in which everybody has every seat in turn.

    What comes up follows from the deal, whoever plays; the players have other random numbers each
    time. The result has one entry for each player.
    """
    seats = len(players)
    deal, turned = divmod(number, seats)
    seated = [players[seat - turned] for seat in range(seats)]
    rng = Random(f"{seed}/{number}")
    result = _play(start, seated, number, rng, seeded_chance(f"{seed}/{deal}"))
    order = [(player + turned) % seats for player in range(seats)]
    return result._replace(
        places=tuple(result.places[seat] for seat in order),
        scores=tuple(result.scores[seat] for seat in order),
        won=tuple(result.won[seat] for seat in order),
        figures=tuple(result.figures[seat] for seat in order),
    )


def _play(
    start: Start, players: Sequence[Player], number: int, rng: Random, chance: Chance
) -> Result:
    game, simulation = game_of(start.game_id), simulation_of(start.game_id)
    config = start.config
    if start.state is None:
        state = game.initial_state(config, game.deal(config, chance))
    else:
        state = simulation.redeal(start.state, start.known, chance)
    first_turn = state.turn
    figures: tuple[Counter[Figure], ...] = tuple(Counter() for _ in config.players)
    players_rng = _PlayersRng(rng)
    while state.phase != OVER and state.turn - first_turn < LONGEST:
        before = state
        view = game.view(state, state.seat)
        move = players[state.seat](view, simulation.choices(state, rng), players_rng)
        state, events = game.apply(state, move, chance, state.seat)
        for seat, figure, more in simulation.count(before, state, events):
            figures[seat][figure] += more
    outcome = game.outcome(state) or simulation.standing(state)
    for seat, figure, more in simulation.count_end(state, outcome):
        figures[seat][figure] += more
    return Result(
        number=number + 1,
        turns=state.turn,
        places=outcome.places,
        scores=outcome.scores,
        won=outcome.won,
        figures=figures,
        finished=state.phase == OVER,
    )


SURE = 1.96
"""Standard errors to each side that hold a share with a probability of 95 %."""


class Tally:
    """The sum of many results. ``players`` is the number of seats.

    ``games_of_a_deal`` is how many results in a row have the same deal, so that they are not
    independent: the uncertainty of a share is computed from the deals.
    """

    def __init__(self, players: int, games_of_a_deal: int = 1) -> None:
        seats = range(players)
        self.games_of_a_deal = games_of_a_deal
        self._deals: Counter[int] = Counter()
        self._wins_in: list[Counter[int]] = [Counter() for _ in seats]
        self.games = 0
        self.given_up = 0
        """Games that did not end; nothing else is counted of them."""
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
        """Return the share of the games that were won, and the half-width of its 95 % confidence
        interval.
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
    :func:`simulate`. Raises ValueError if players and seats do not match, or no game came to its
    end.
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
