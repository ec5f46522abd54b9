"""Random games for the tests, and moves to try there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple

from porto_cli.games.puerto_rico.engine import (
    BASE,
    BUILDING_PLACES,
    DRAFT,
    GOODS,
    GUIDE,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    PRINTED,
    RANDOM,
    ROLES,
    SAN_JUAN,
)
from porto_cli.games.puerto_rico.engine.boards import fewest_and_most
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    FACE_DOWN,
    PASS,
    Build,
    Choose,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import apply, begin, count_moves, deal, legal_moves
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, OVER, Config, State

KINDS = list(product((2, 3, 4, 5), (BASE, DRAFT, RANDOM), (PRINTED, GUIDE)))
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


def candidates(state: State, rnd: random.Random) -> list[Move]:
    """Return all moves that could come into question in this phase, and some of other phases."""
    player = state.players[state.seat]
    goods = range(len(GOODS))
    places = range(len(PLACES))
    both = (False, True)
    moves: list[Move] = [PASS, Sell(0), Load(0, 5), Store(player.goods), Place(player.circles)]
    moves += [MoveGuest(place) for place in places]
    moves += [TakeRole(role, no_colonist) for role in range(len(ROLES)) for no_colonist in both]
    moves += [Take(one, two) for one in goods for two in goods]
    moves += [
        Take(what, NO_GOOD, forest, no_colonist)
        for what in range(FACE_DOWN + 1)
        for forest in both
        for no_colonist in both
    ]
    match state.phase:
        case "draft":
            moves += [Choose(building) for building in BUILDING_PLACES]
        case "trader":
            moves += [Sell(good, post) for good in goods for post in both]
        case "mayor":
            moves += [Place(some) for some in bundles(player.circles, rnd)]
        case "store":
            moves += [Store(some) for some in bundles(player.goods, rnd)]
        case "captain":
            moves += [Load(good, onto) for good in goods for onto in (BY_WHARF, 3, 4, 5, 6, 7, 8)]
            moves += [LoadSmallWharf(some) for some in bundles(player.goods, rnd)]
        case "builder":
            moves += [
                Build(building, no_colonist=no_colonist)
                for building in BUILDING_PLACES
                for no_colonist in both
            ]
            moves += [
                Build(building, good, vp, place, no_colonist)
                for building in rnd.sample(BUILDING_PLACES, 2)
                for good in (*goods, NO_GOOD)
                for vp in both
                for place in (*places, SAN_JUAN, NO_PLACE)
                for no_colonist in both
            ]
    return moves


def bundles(most: bytes, rnd: random.Random) -> list[bytes]:
    """Every bundle up to these numbers, or some that are one too many."""
    number = prod(count + 1 for count in most)
    if number <= 2000:
        return [bytes(some) for some in product(*(range(count + 1) for count in most))]
    return [bytes(rnd.randint(0, n + (rnd.random() < 0.02)) for n in most) for _ in range(100)]


TABLES = 24
"""So many of a game have a look at most rare decisions, in all kinds of games together."""


def tables(kind: tuple[int, str, str], rnd: random.Random) -> Iterator[State]:
    """Some tables of a game in which more is built than at random."""
    yield from rnd.sample([ply.before for ply in plies(kind, rnd)], TABLES)
