"""Playing many games and counting how they end.

    from porto_cli.players.named import players_of
    from porto_cli.simulate import Start, Tally, simulate

    players = players_of("porto")
    two = [players["greedy"], players["random"]]
    tally = Tally(2, simulate(Start("porto", config), two, 1000))
    print(tally.won(0).share)

Each game has its own seed, made from the seed of the simulation and the number of the game at its
table. So the same games are played regardless of what runs them, in what order, and who else takes
part.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import combinations, count, islice
from math import comb
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.abilities import Figure, Simulation
from porto_cli.core.chance import random_chance, seeded_chance
from porto_cli.games import game_of
from porto_cli.players import Luck, Player
from porto_cli.seam import OVER, Config, State

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


def simulation_of(game_id: str) -> Simulation:
    """Return the simulation of a game by its name. Raises KeyError if there is no such game."""
    game = game_of(game_id)
    return game.simulation or Simulation(game)


# -- Playing many games


LONGEST = 2_000
"""Turns after which a game is given up: with unusual components it may never end."""
MOST_IN_A_CHUNK = 50
"""Maximum number of games that are sent to a worker together."""
CHUNKS_AHEAD = 256
"""Maximum number of unfinished chunks: more than a usual cluster can play at once."""


class Start(NamedTuple):
    """The start of every game: a new setup, or the table of a running game.

    Only what is face up is used of a running game: what comes up is drawn from what could come up,
    and what players hide is dealt again, except for the seat ``known``.
    """

    game_id: str
    config: Config
    state: State | None = None
    known: int | None = None


class Seating(NamedTuple):
    """A game to play."""

    number: int
    """The number of the game in the simulation, from 1."""
    players: tuple[int, ...]
    """The players at the table, as indices into the players of the simulation."""
    deal: int
    """Counted from 1. Games of the same deal share their luck, at all tables."""
    turned: int
    """The seat of the first of the players, from 0; the others follow."""


class SeatResult(NamedTuple):
    """How one game ended for one of its players."""

    seat: int
    """The player's seat, from 0."""
    place: int
    score: int
    won: bool
    figures: Counter[Figure]
    """The figures that the game counts, since the start of the simulation."""


class GameResult(NamedTuple):
    """How one game ended."""

    number: int
    """The number of the game in the simulation, from 1."""
    deal: int
    players: tuple[int, ...]
    """The players at the table, as indices into the players of the simulation."""
    played: tuple[SeatResult, ...]
    """How the game ended for each of them."""
    turns: int
    finished: bool
    """False if the game was given up because it did not end."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each of the players."""
        return tuple(one.score for one in self.played)

    @property
    def won(self) -> tuple[bool, ...]:
        """Whether each of the players won."""
        return tuple(one.won for one in self.played)


def games_of(players: int, seats: int, deals: int, *, rotate: bool) -> int:
    """Return how many games a simulation has, see :func:`simulate`."""
    return deals * comb(players, seats) * (seats if rotate else 1)


def tables(players: int, seats: int, deals: Iterable[int], *, rotate: bool) -> Iterator[Seating]:
    """Yield the games of a simulation, deal by deal, see :func:`simulate`."""
    numbers = count(1)
    for deal in deals:
        for seated in combinations(range(players), seats):
            for turned in range(seats if rotate else 1):
                yield Seating(next(numbers), seated, deal, turned)


def simulate(
    start: Start,
    players: Sequence[Player],
    games: int,
    *,
    seed: str = "",
    executor: Executor | None = None,
    rotate: bool = False,
    known: Callable[[Seating], GameResult | None] = lambda table: None,
) -> Generator[GameResult, None, None]:
    """Play games and yield how each ended, in order.

    With ``rotate`` each deal is played once per seat, so every player has every seat once: a fair
    comparison, which depends little on the deals. Then ``games`` is the number of deals, and
    results are by player, in the order given, not by seat. If there are more players than seats,
    they play a round robin: each deal is played by every group of players that fills a table.
    Without ``rotate`` there is one player for each seat.

    An ``executor`` (any of :mod:`concurrent.futures`, or one whose ``submit`` returns such futures,
    like that of a Dask client) plays the games elsewhere; by default they are played here. Games
    whose result is ``known`` are not played again. The results depend only on the seed. To stop
    early, close the iterator; this cancels games that have not begun. Raises ValueError if the
    number of players does not fit, or for a running game that is over or should be rotated.
    """
    seats = len(start.config.players)
    if len(players) < seats or (len(players) > seats and not rotate):
        raise ValueError(f"There are {seats} seats and {len(players)} players.")
    if start.state is not None and simulation_of(start.game_id).is_played_out(start.state):
        raise ValueError("All turns of the game have been played.")
    if rotate and start.state is not None:
        raise ValueError("In a running game the seats are taken; they cannot be rotated.")
    plan = tables(len(players), seats, range(1, games + 1), rotate=rotate)
    if executor is None:
        for table in plan:
            yield known(table) or play_game(start, players, seed, table, rotate=rotate)
        return
    wanted = games_of(len(players), seats, games, rotate=rotate) // CHUNKS_AHEAD
    size = max(1, min(MOST_IN_A_CHUNK, wanted))
    waiting: deque[tuple[list[GameResult | None], Future[list[GameResult]]]] = deque()
    try:
        while chunk := list(islice(plan, size)):
            found = [known(table) for table in chunk]
            left = [table for table, one in zip(chunk, found, strict=True) if one is None]
            future = executor.submit(_play_games, start, tuple(players), seed, rotate, left)
            waiting.append((found, future))
            if len(waiting) >= CHUNKS_AHEAD:
                yield from _merged(*waiting.popleft())
        while waiting:
            yield from _merged(*waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _merged(
    found: Iterable[GameResult | None], future: Future[list[GameResult]]
) -> Iterator[GameResult]:
    played = iter(future.result())
    return (one or next(played) for one in found)


def _play_games(
    start: Start, players: Sequence[Player], seed: str, rotate: bool, left: Iterable[Seating]
) -> list[GameResult]:
    return [play_game(start, players, seed, table, rotate=rotate) for table in left]


def play_game(
    start: Start, players: Sequence[Player], seed: str, table: Seating, *, rotate: bool = False
) -> GameResult:
    """Play a game of a simulation and return how it ended.

    With ``rotate``, what comes up depends only on the deal, whoever plays; the players have
    different random numbers in each game.
    """
    game, simulation = game_of(start.game_id), simulation_of(start.game_id)
    config, seats, deal = start.config, len(table.players), table.deal - 1
    rng = Random(f"{seed}/{deal * seats + table.turned if rotate else deal}")
    chance = seeded_chance(f"{seed}/{deal}") if rotate else random_chance(rng)
    if start.state is None:
        state = game.initial_state(config, game.deal(config, chance))
    else:
        state = simulation.redeal(start.state, start.known, chance)
    first_turn = state.turn
    figures: tuple[Counter[Figure], ...] = tuple(Counter() for _ in config.players)
    players_rng = Luck(rng.random)
    while state.phase != OVER and state.turn - first_turn < LONGEST:
        before = state
        view = game.view(state, state.seat)
        player = players[table.players[state.seat - table.turned]]
        move = player(view, simulation.choices(state, rng), players_rng)
        state, events = game.apply(state, move, chance, state.seat)
        for seat, figure, more in simulation.count(before, state, events):
            figures[seat][figure] += more
    outcome = game.outcome(state) or simulation.standing(state)
    for seat, figure, more in simulation.count_end(state, outcome):
        figures[seat][figure] += more
    ended = [*zip(outcome.places, outcome.scores, outcome.won, figures, strict=True)]
    order = ((player + table.turned) % seats for player in range(seats))
    return GameResult(
        number=table.number,
        deal=table.deal,
        players=table.players,
        played=tuple(SeatResult(seat, *ended[seat]) for seat in order),
        turns=state.turn,
        finished=state.phase == OVER,
    )


# -- Counting how they ended


BLOCKS = 500
"""Maximum number of blocks of deals, all of the same size, from which the bootstrap draws."""
DRAWS = 1_000
"""Number of draws; each draws as many blocks as there are."""
_OUTSIDE = DRAWS // 40
"""Number of draws beyond each end of a 95% interval."""


class Frequency(NamedTuple):
    """How often something happened: its share of a number of games, 0 to 1.

    The true share is between ``low`` and ``high`` with a probability of 95%.
    """

    share: float
    low: float
    high: float
    games: int


class Tally:
    """The sum of the results of a simulation.

    The intervals come from a bootstrap: as many deals as were played are drawn from them, again and
    again, and the interval covers 95% of the draws. Games of the same deal are drawn together, as
    they share their luck. Two deals are added to those that are drawn from, one that is all won and
    one all lost, because winning three deals of three proves little. The draws depend on ``seed``.
    """

    def __init__(self, players: int, results: Iterable[GameResult] = (), *, seed: str = "") -> None:
        self._seed = seed
        self._counts: dict[tuple[int, ...], defaultdict[int, list[float]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0])
        )
        """The numbers of games won and played in each block, by player or pair of players."""
        self.games = 0
        self.deals = 0
        self.given_up = 0
        """Games that did not end; nothing else in them is counted."""
        self.turns: Counter[int] = Counter()
        self.scores: list[Counter[int]] = [Counter() for _ in range(players)]
        self.figures: list[Counter[Figure]] = [Counter() for _ in range(players)]
        self.games_with: Counter[Figure] = Counter()
        """The number of games in which a figure was not 0 for at least one seat."""
        for result in results:
            self.add(result)

    def add(self, result: GameResult) -> None:
        """Count one more game."""
        if not result.finished:
            self.given_up += 1
            return
        self.games += 1
        self.deals = max(self.deals, result.deal)
        self.turns[result.turns] += 1
        met = [*zip(result.players, result.played, strict=True)]
        for nth, (player, one) in enumerate(met):
            self.scores[player][one.score] += 1
            self.figures[player].update(one.figures)
            self._count((player,), result.deal, one.won)
            for other, against in met[:nth]:
                ahead = (one.place < against.place) + (one.place == against.place) / 2
                self._count((player, other), result.deal, ahead)
        self.games_with.update(
            {figure for one in result.played for figure, number in one.figures.items() if number}
        )

    def _count(self, key: tuple[int, ...], deal: int, won: float) -> None:
        block = self._counts[key][deal % BLOCKS]
        block[0] += won
        block[1] += 1

    def won(self, player: int) -> Frequency:
        """Return how often a player won. Raises ValueError if the player has no finished game."""
        return self._share((player,))

    def ahead(self, player: int, other: int) -> Frequency | None:
        """Return how often a player placed ahead of another one, a shared place counting as half;
        ``None`` if they never met.
        """
        later, earlier = max(player, other), min(player, other)
        if (later, earlier) not in self._counts:
            return None
        ahead = self._share((later, earlier))
        if player == later:
            return ahead
        return Frequency(1 - ahead.share, 1 - ahead.high, 1 - ahead.low, ahead.games)

    def _share(self, key: tuple[int, ...]) -> Frequency:
        if key not in self._counts:
            raise ValueError("No game was played to its end.")
        blocks = list(self._counts[key].values())
        won, games = (sum(column) for column in zip(*blocks, strict=True))
        of_a_deal = games / self.deals
        drawn_from = [*blocks, [of_a_deal, of_a_deal], [0, of_a_deal]]
        rng = Random(f"{self._seed}/bootstrap")
        shares = []
        for _ in range(DRAWS):
            drawn = rng.choices(drawn_from, k=len(blocks))
            shares.append(sum(one[0] for one in drawn) / sum(one[1] for one in drawn))
        shares.sort()
        return Frequency(won / games, shares[_OUTSIDE], shares[-1 - _OUTSIDE], int(games))

    def total(self, figure: Figure) -> int:
        """Return the sum of a figure over all seats and games."""
        return sum(figures[figure] for figures in self.figures)
