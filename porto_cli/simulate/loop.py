"""Playing many games, here or elsewhere.

    from porto_cli.players.named import players_of
    from porto_cli.simulate.loop import Start, simulate
    from porto_cli.simulate.tally import Tally

    players = players_of("porto")
    tally = Tally(2)
    for result in simulate(Start("porto", config), [players["greedy"], players["random"]], 1000):
        tally.add(result)

Each game has a seed of its own, made from the seed of the whole and the game's number, so that
the same games are played whatever runs them and in whatever order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, Future
from random import Random
from typing import NamedTuple

from porto_cli.core.chance import Chance, chance_of, seeded_chance
from porto_cli.game import OVER, Config, State, game_of
from porto_cli.players import Player
from porto_cli.simulate.simulation import Figure, simulation_of

LONGEST = 2_000
"""Turns after which a game is given up: with unusual components it may never end."""
MOST_IN_A_CHUNK = 50
"""Games that are sent to a worker together."""
CHUNKS_AHEAD = 64
"""Chunks that may be waiting for their turn."""


class Start(NamedTuple):
    """What every game starts from: a new setup, or the table of a running game.

    Of a running game nobody knows more than what lies open on the table: what comes up is drawn
    from what could come up, and what players hide is dealt anew, but for what the seat ``known``
    has.
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
    seat once: a fair comparison, to which the luck of the deal adds little. There are ``games``
    deals then, and a result is told by players, in the order in which they are given, not by seats.

    ``players`` has one for each seat. An ``executor`` (any of :mod:`concurrent.futures`, or
    what behaves like one) plays them elsewhere, otherwise they are played here. The results
    depend on the seed alone. Whoever stops early closes the iterator, which calls off what was
    not begun. Raises ValueError if there is nothing to play, or no seat to rotate as the game runs.
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


class _Luck(Random):
    """The luck of a game as its players get it: what it will bring next cannot be read off.

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
    luck = Random(f"{seed}/{number}")
    return _play(start, players, number, luck, chance_of(luck))


def play_rotated(start: Start, players: Sequence[Player], seed: str, number: int) -> Result:
    """Play the game of this number (from 0) of those in which everybody has every seat in turn.

    What comes up follows from the deal, whoever plays; the players have other luck each time. The
    result has one entry for each player.
    """
    seats = len(players)
    deal, turned = divmod(number, seats)
    seated = [players[seat - turned] for seat in range(seats)]
    luck = Random(f"{seed}/{number}")
    result = _play(start, seated, number, luck, seeded_chance(f"{seed}/{deal}"))
    order = [(player + turned) % seats for player in range(seats)]
    return result._replace(
        places=tuple(result.places[seat] for seat in order),
        scores=tuple(result.scores[seat] for seat in order),
        won=tuple(result.won[seat] for seat in order),
        figures=tuple(result.figures[seat] for seat in order),
    )


def _play(
    start: Start, players: Sequence[Player], number: int, luck: Random, chance: Chance
) -> Result:
    game, simulation = game_of(start.game_id), simulation_of(start.game_id)
    config = start.config
    if start.state is None:
        state = game.initial_state(config, game.deal(config, chance))
    else:
        state = simulation.redeal(start.state, start.known, chance)
    first_turn = state.turn
    figures: tuple[Counter[Figure], ...] = tuple(Counter() for _ in config.players)
    players_luck = _Luck(luck)
    while state.phase != OVER and state.turn - first_turn < LONGEST:
        before = state
        view = game.view(state, state.seat)
        move = players[state.seat](view, simulation.choices(state, luck), players_luck)
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
