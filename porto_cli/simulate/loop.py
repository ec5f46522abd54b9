"""Many games at once: what random or greedy players make of a setup, or of a running game.

    from porto_cli.simulate.loop import PLAYERS, Start, Tally, simulate

    tally = Tally(game.seats)
    for outcome in simulate(Start(game), [PLAYERS["greedy"], PLAYERS["random"]], 1000):
        tally.add(outcome)

Each game has a seed of its own, made from the seed of the whole and the game's number, so that
the same games are played whatever runs them and in whatever order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future
from random import Random
from typing import NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.games.porto.engine.components import CARD_SPACES, DEALT, KEPT, NOWHERE, VALUE_OF
from porto_cli.games.porto.engine.contracts import met_by
from porto_cli.games.porto.engine.contracts import outcome as outcome_of
from porto_cli.games.porto.engine.events import (
    PRIVATE_CONTRACT,
    Drew,
    EndTriggered,
    Event,
    Passed,
    Placed,
    Refilled,
    Reshuffled,
    RoofPlaced,
    Scored,
    TimerSkipped,
    TimerTurned,
    TokenMoved,
)
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import Build, Claim, Move
from porto_cli.games.porto.engine.play import apply, neighbors_between
from porto_cli.games.porto.engine.ranking import LOST, level, ranking
from porto_cli.games.porto.engine.state import (
    ACT,
    KEEP,
    OVER,
    TIMER,
    Config,
    State,
    begin,
    deal,
    without,
)
from porto_cli.games.porto.ui.scoring import SOURCES

RULES = (
    *("P-DRAW-1", "P-DRAW-2", "P-DRAW-3", "P-PASS-1", "P-BUILD-1", "P-BUILD-3", "P-BUILD-4"),
    *("P-TOKEN-1", "P-TOKEN-2", "P-ROOF-1", "P-SCORE-1", "P-SCORE-2", "P-PUBLIC-2", "P-PUBLIC-3"),
    *("P-END-1", "P-END-2", "P-RANK-1", "P-RANK-2"),
    *("P-PRIV-HOUSES", "P-PRIV-PAIRS", "P-PRIV-TRIOS", "P-PRIV-MIRROR", "P-PRIV-ENDS"),
    *("P-PRIV-PALETTE", "P-PRIV-SIDE"),
    *("P-SOLO-2", "P-SOLO-3", "P-SOLO-4", "P-SOLO-5", "P-SOLO-6"),
)
"""The rulings that are counted, in the order of the rules: those that make something happen."""

Player = Callable[[State, list[Move], Random], Move]
"""Somebody who plays: given the table, the legal moves and a source of luck, returns a move.

To play in other processes it has to be a function that can be imported there. Of the source of
luck only ``random()`` gives the same numbers in every version of Python.
"""

LONGEST = 2_000
"""Turns after which a game is given up: with an artificial edition it may never end."""
MOST_IN_A_CHUNK = 50
"""Games that are sent to a worker together."""
CHUNKS_AHEAD = 64
"""Chunks that may be waiting for their turn."""


def random_player(state: State, moves: list[Move], luck: Random) -> Move:
    """Take any legal move."""
    return moves[int(luck.random() * len(moves))]


def greedy_player(state: State, moves: list[Move], luck: Random) -> Move:
    """Take a move that scores most at once, public contracts included; ties are broken by lot."""
    most = -1
    best: list[Move] = []
    for move in moves:
        vp = worth(state, move)
        if vp > most:
            most, best = vp, [move]
        elif vp == most:
            best.append(move)
    return best[int(luck.random() * len(best))]


PLAYERS: dict[str, Player] = {"random": random_player, "greedy": greedy_player}


def worth(state: State, move: Move) -> int:
    """Return the VP that a legal move scores at once, with all contracts that a build meets."""
    if isinstance(move, Claim):
        return sum(state.config.public[state.contracts[space]] for space in move.spaces)
    if not isinstance(move, Build) or state.phase != ACT:
        return 0
    house = move.house
    before = state.floors[house]
    after = before + VALUE_OF[move.number]
    vp = after + neighbors_between(state.floors, house, before, after)
    if not before:
        vp += state.ground_tokens[house]
    built = outcome_of(state, move)
    if built.completed:
        own = move.token == house
        vp += state.ground_tokens[house] if own else state.roof_tokens[house]
    for space in met_by(built, state.contracts):
        vp += state.config.public[state.contracts[space]]
    return vp


class Start(NamedTuple):
    """What every game starts from: a new setup, or the table of a running game.

    Of a running game nobody knows more than what lies open on the table: what comes up is drawn
    from what could come up, and all private contracts are dealt anew. Those of the seat
    ``known`` stay as they are.
    """

    config: Config
    state: State | None = None
    known: int | None = None


class Outcome(NamedTuple):
    """How one game ended. All tuples have one entry for each seat."""

    number: int
    """Which game of the simulation it was, counted from 1."""
    turns: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    fulfilled: tuple[int, ...]
    sources: tuple[tuple[int, ...], ...]
    """VP from each of ``SOURCES``, since the start of the simulation."""
    rules: tuple[Counter[str], ...]
    """How often each rule fired in a player's turns, by the id of the ruling."""
    won: tuple[bool, ...]
    finished: bool
    """False if the game was given up because it did not end."""


def simulate(
    start: Start,
    players: Sequence[Player],
    games: int,
    *,
    seed: str = "",
    executor: Executor | None = None,
) -> Generator[Outcome, None, None]:
    """Play games and yield how each ended, in order.

    ``players`` has one for each seat. An ``executor`` (any of :mod:`concurrent.futures`, or
    what behaves like one) plays them elsewhere, otherwise they are played here. The outcomes
    depend on the seed alone. Whoever stops early closes the iterator, which calls off what was
    not begun. Raises ValueError if there is nothing to play.
    """
    if len(players) != start.config.seats:
        raise ValueError(f"There are {start.config.seats} seats and {len(players)} players.")
    if start.state is not None and all_turns_played(start.state):
        raise ValueError("All turns of the game have been played.")
    size = max(1, min(MOST_IN_A_CHUNK, games // CHUNKS_AHEAD))
    chunks = (range(first, min(first + size, games)) for first in range(0, games, size))
    if executor is None:
        for numbers in chunks:
            for number in numbers:
                yield play_out(start, players, seed, number)
        return
    waiting: deque[Future[list[Outcome]]] = deque()
    try:
        for numbers in chunks:
            waiting.append(executor.submit(_play_chunk, start, tuple(players), seed, numbers))
            if len(waiting) >= CHUNKS_AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def all_turns_played(state: State) -> bool:
    """Tell whether nothing is left to simulate; at a real table contracts may wait to be shown."""
    return state.phase == OVER or (state.phase == KEEP and not state.dealt)


def _play_chunk(
    start: Start, players: Sequence[Player], seed: str, numbers: range
) -> list[Outcome]:
    return [play_out(start, players, seed, number) for number in numbers]


def play_out(start: Start, players: Sequence[Player], seed: str, number: int) -> Outcome:
    """Play the game of this number (from 0) and return how it ended."""
    luck = Random(f"{seed}/{number}")

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        return int(luck.random() * len(pile))

    game = start.config
    if start.state is None:
        state = begin(game, deal(game, chance))
    else:
        state = _redealt(start.state, start.known, chance)
    first_turn = state.turn
    sources = [dict.fromkeys(SOURCES, 0) for _ in range(game.seats)]
    rules: tuple[Counter[str], ...] = tuple(Counter() for _ in range(game.seats))
    while state.phase != OVER and state.turn - first_turn < LONGEST:
        seat = state.seat
        move = players[seat](state, legal_moves(state), luck)
        by_timer = state.phase == TIMER
        state, events = apply(state, move, chance)
        for event in events:
            if isinstance(event, Scored):
                sources[event.seat][event.kind] += event.vp
        rules[seat].update(_rules_of(events, by_timer))
    order = ranking(state)
    places = tuple(order.index(seat) + 1 for seat in range(game.seats))
    rules[order[0]].update(_rules_of_the_end(state, places))
    return Outcome(
        number=number + 1,
        turns=state.turn,
        places=places,
        scores=state.scores,
        fulfilled=state.fulfilled,
        sources=tuple(tuple(vp.values()) for vp in sources),
        rules=rules,
        won=tuple(place == 1 and (not game.timer or level(state) != LOST) for place in places),
        finished=state.phase == OVER,
    )


def _redealt(state: State, known: int | None, chance: Chance) -> State:
    """Deal the private contracts anew, as a stranger at the table could imagine them."""
    game = state.config
    if not game.private_contracts:
        return state
    own = b""
    if known is not None:
        own = state.dealt[known] if state.dealt else state.kept[known]
    deck = without(game.private_deck(), own)
    dealt, kept = [], []
    for seat in range(game.seats):
        hand = own if seat == known else b""
        hand, deck = _draw(hand, deck, DEALT - len(hand), chance)
        has_kept = bool(state.kept[seat]) or (not state.dealt and seat <= state.turn)
        chosen = state.kept[seat] if seat == known else b""
        if has_kept:
            rest = without(hand, chosen)
            chosen, _ = _draw(chosen, rest, KEPT - len(chosen), chance)
        dealt.append(hand)
        kept.append(bytes(sorted(chosen)))
    new = state.copy()
    new.dealt = tuple(dealt)
    new.kept = tuple(kept)
    return new


def _draw(hand: bytes, pile: bytes, count: int, chance: Chance) -> tuple[bytes, bytes]:
    for index in range(count):
        position = chance("private", index, pile)
        hand += pile[position : position + 1]
        pile = pile[:position] + pile[position + 1 :]
    return hand, pile


_RULE_OF = {
    Drew: "P-DRAW-1",
    Reshuffled: "P-DRAW-3",
    Passed: "P-PASS-1",
    RoofPlaced: "P-ROOF-1",
    TimerTurned: "P-SOLO-2",
    TimerSkipped: "P-SOLO-4",
    EndTriggered: "P-END-1",
}
_RULE_OF_SCORE = {
    "floors": "P-SCORE-1",
    "neighbors": "P-SCORE-2",
    "contract": "P-PUBLIC-2",
}


def _rules_of(events: list[Event], by_timer: bool) -> Iterator[str]:
    """Tell which rules a move has set in motion, by the ids of their rulings."""
    for event in events:
        rule = _RULE_OF.get(type(event))
        if rule:
            yield rule
        match event:
            case Scored():
                if event.kind == PRIVATE_CONTRACT:
                    kind = event.contract.partition("-")[0]
                    yield from [f"P-PRIV-{kind.upper()}"] if event.vp else []
                elif event.kind in _RULE_OF_SCORE:
                    yield _RULE_OF_SCORE[event.kind]
            case Placed():
                yield "P-SOLO-4" if event.by_timer else "P-BUILD-1"
                yield "P-BUILD-3" if event.started else "P-BUILD-4"
            case TokenMoved():
                yield "P-TOKEN-2" if event.roof == NOWHERE else "P-TOKEN-1"
            case Refilled(row):
                if not by_timer:
                    yield "P-DRAW-2" if row == "cards" else "P-PUBLIC-3"
                elif row == "cards":
                    yield "P-SOLO-5"
            case TimerTurned(turned):
                by_timer = True
                if sum(VALUE_OF[card] for card in turned) <= CARD_SPACES:
                    yield "P-SOLO-3"


def _rules_of_the_end(state: State, places: tuple[int, ...]) -> Iterator[str]:
    """Tell which rules the end has set in motion: the solo level, or what breaks a tie."""
    if state.config.timer:
        yield "P-SOLO-6"
        return
    if state.config.private_contracts:
        yield "P-END-2"
    if state.config.seats > 1:
        first, second = (state.scores[places.index(place)] for place in (1, 2))
        if first == second:
            yield "P-RANK-2" if state.config.seat_first else "P-RANK-1"


class Tally:
    """The sum of many outcomes. ``players`` says how many seats there are."""

    def __init__(self, players: int) -> None:
        seats = range(players)
        self.games = 0
        self.given_up = 0
        """Games that did not end; they count for nothing else."""
        self.turns: Counter[int] = Counter()
        self.wins = [0 for _ in seats]
        self.scores: list[Counter[int]] = [Counter() for _ in seats]
        self.sources = [[0] * len(SOURCES) for _ in seats]
        self.rules: Counter[str] = Counter()
        """How often each rule fired."""
        self.games_with: Counter[str] = Counter()
        """In how many games each rule fired."""

    def add(self, outcome: Outcome) -> None:
        """Count one more game."""
        if not outcome.finished:
            self.given_up += 1
            return
        self.games += 1
        self.turns[outcome.turns] += 1
        for seat, score in enumerate(outcome.scores):
            self.wins[seat] += outcome.won[seat]
            self.scores[seat][score] += 1
            for source, vp in enumerate(outcome.sources[seat]):
                self.sources[seat][source] += vp
        fired = sum(outcome.rules, Counter[str]())
        self.rules += fired
        self.games_with.update(fired.keys())


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
