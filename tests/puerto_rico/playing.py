"""Random games for the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.engine.moves import Event, Move, Place
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most
from porto_cli.games.puerto_rico.engine.setup import begin, deal
from porto_cli.games.puerto_rico.engine.state import (
    BUILDING_OPTIONS,
    MAYOR_PHASE,
    OVER,
    RULEBOOKS,
    Config,
    State,
)

KINDS = list(product((2, 3, 4, 5), BUILDING_OPTIONS, RULEBOOKS))
LISTED = 200


class Ply(NamedTuple):
    """A decision and what it led to."""

    before: State
    move: Move
    after: State
    events: list[Event]


def start(players: int, buildings: str, rulebook: str, rnd: random.Random) -> tuple[State, Any]:
    def chance(stream: str, index: int, pile: bytes) -> int:
        return rnd.randrange(len(pile))

    config = Config(tuple("ABCDE"[:players]), buildings=buildings, rulebook=rulebook)
    return begin(config, deal(config, chance)), chance


def random_placement(state: State, rnd: random.Random) -> Place:
    player = state.players[state.seat]
    circles = [place for place, number in enumerate(player.circles) for _ in range(number)]
    row = bytearray(len(PLACES))
    for place in rnd.sample(circles, rnd.randint(*fewest_and_most(state, player))):
        row[place] += 1
    return Place(bytes(row))


def random_move(state: State, rnd: random.Random) -> Move:
    if state.phase == MAYOR_PHASE and count_moves(state) > LISTED:
        return random_placement(state, rnd)
    moves = legal_moves(state, limit=LISTED)
    # Building is what makes games rich: prefer it a little.
    return rnd.choice(moves[1:] or moves) if rnd.random() < 0.3 else rnd.choice(moves)


def plies(kind: tuple[int, str, str], rnd: random.Random) -> Iterator[Ply]:
    state, chance = start(*kind, rnd)
    while state.phase != OVER:
        move = random_move(state, rnd)
        left_alone = state.copy()
        after, events = apply(state, move, chance)
        assert state == left_alone, f"seat {state.seat} changed the state before by {move}"
        yield Ply(state, move, after, events)
        state = after
