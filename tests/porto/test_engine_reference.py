"""The engine against a second reading of the rules, written for clearness alone.

The referee below knows a house as a small dictionary and counts everything anew. It is slow and
shares nothing with the engine but the numbering of cards, houses and contracts.
"""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest

from porto_cli.games.porto.engine import (
    CARDS,
    COLORS,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.cards import Claim, Draw
from porto_cli.games.porto.engine.play import Build, legal_moves
from porto_cli.games.porto.engine.scoring import private_vp, ranking
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, OVER, TIMER, State
from porto_cli.games.porto.engine.turn import PRIVATE_CONTRACT, Scored
from tests.porto.playing import KINDS, Kind, Ply, plies
from tests.shares import for_each

PLIES = 60
"""Plies of each kind of game whose legal moves the referee looks for."""


def color_of(card: int) -> str:
    return CARDS[card].split("-")[0]


def value_of(card: int) -> int:
    return int(CARDS[card].split("-")[1])


def houses(state: State) -> dict[str, dict]:
    """Return the houses in play by name, from left to right on each side."""
    return {
        HOUSES[house]: {
            "height": state.config.edition.heights[house],
            "floors": state.floors[house],
            "color": COLORS[state.colors[house]] if state.floors[house] else None,
            "ground": state.ground_tokens[house],
            "roof": state.roof_tokens[house],
            "complete": state.floors[house] == state.config.edition.heights[house],
        }
        for house in state.config.houses
    }


def neighbors(name: str, table: dict[str, dict]) -> list[str]:
    side, number = name[0], int(name[1])
    return [near for near in (f"{side}{number - 1}", f"{side}{number + 1}") if near in table]


def may_build(state: State, table: dict[str, dict], number: int, color_card: int, name: str):
    """P-BUILD-2 to P-BUILD-5."""
    house, color, count = table[name], color_of(color_card), value_of(number)
    placed = [other for other in table.values() if other["color"] == color]
    ground_left = state.config.edition.ground_floors - len(placed)
    upper_left = state.config.edition.upper_floors - sum(o["floors"] - 1 for o in placed)
    if house["floors"] + count > house["height"]:
        return False
    if house["floors"]:
        return house["color"] == color and count <= upper_left
    if any(table[near]["color"] == color for near in neighbors(name, table)):
        return False
    return ground_left > 0 and count - 1 <= upper_left


def roofs_for(table: dict[str, dict], name: str) -> list[str | None]:
    """P-TOKEN-1 and P-TOKEN-2: where the token of a house may go; ``None`` for nowhere."""
    if table[name]["floors"] or not table[name]["ground"]:
        return [None]
    return [
        roof for roof, house in table.items() if not house["complete"] and not house["roof"]
    ] or [None]


def builds(state: State, cards: bytes) -> set[tuple]:
    table = houses(state)
    found = set()
    for first in range(len(cards)):
        for second in range(len(cards)):
            if first == second:
                continue
            number, color_card = cards[first], cards[second]
            for name in table:
                if may_build(state, table, number, color_card, name):
                    for roof in roofs_for(table, name):
                        found.add((number, color_card, name, roof))
    return found


def draws(state: State) -> set[tuple]:
    """P-DRAW-1. With a timer the space matters, without one only the cards."""
    found = set()
    for size in (1, 2, 3):
        for spaces in permutations(range(5), size):
            cards = [state.cards[space] for space in spaces]
            if EMPTY in cards or sum(map(value_of, cards)) > 3:
                continue
            found.add(tuple(sorted(spaces if state.config.timer else cards)))
    return found


def meets(state: State, contract: int) -> bool:
    """P-PUBLIC-1."""
    built = state.built
    name = PUBLIC[contract].name
    color = color_of(built.color)
    if name.endswith("-house"):
        return name == f"{color}-house" and state.is_complete(built.house)
    if "+" in name:
        return sorted(name.split("+")) == sorted([color_of(built.number), color])
    return name.removesuffix("s").removesuffix("-floor") == f"{value_of(built.number)}-{color}"


def expected(state: State) -> set[tuple]:
    """Return every legal move in the referee's words."""
    if state.phase == TIMER:
        return builds(state, state.turned)
    if state.phase == CONTRACTS:
        met = [
            space
            for space, contract in enumerate(state.contracts)
            if contract != EMPTY and meets(state, contract)
        ]
        assert met, "nobody is asked for contracts that cannot be fulfilled"
        return {
            tuple(space for nth, space in enumerate(met) if chosen >> nth & 1)
            for chosen in range(1 << len(met))
        }
    moves = builds(state, state.hands[state.seat]) | draws(state)
    return moves or {"pass"}


def in_the_referees_words(state: State, move) -> tuple | str:
    match move:
        case Build(number, color, house, token):
            return number, color, HOUSES[house], None if token == NOWHERE else HOUSES[token]
        case Draw(spaces):
            if state.config.timer:
                return spaces
            return tuple(sorted(state.cards[space] for space in spaces))
        case Claim(spaces):
            return spaces
    return "pass"


def worth(ply: Ply) -> dict[str, int]:
    """P-SCORE-1, P-SCORE-2, P-TOKEN-1, P-TOKEN-2, P-ROOF-1: what a build scores, by reason."""
    move, before, after = ply.move, houses(ply.before), houses(ply.after)
    name = HOUSES[move.house]
    old, new = before[name]["floors"], after[name]["floors"]
    scores = {"floors": new, "neighbors": 0, "ground-token": 0, "roof-token": 0}
    for level in range(old + 1, new + 1):
        beside = [before[near]["floors"] for near in neighbors(name, before)]
        scores["neighbors"] += sum(floors >= level for floors in beside)
    if not old:
        scores["ground-token"] = before[name]["ground"]
    if after[name]["complete"]:
        own = move.token == move.house
        scores["roof-token"] = before[name]["ground"] if own else before[name]["roof"]
    return {reason: vp for reason, vp in scores.items() if vp}


@pytest.mark.long_for("3p-cramped", "4p-cramped")
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_legal_moves_are_those_of_the_referee(kind):
    seed = f"referee {kind}"
    rnd = random.Random(seed)
    game = list(plies(kind, random.Random(seed)))
    for ply in rnd.sample(game, min(PLIES, len(game))):
        state = ply.before
        if state.phase in (ACT, CONTRACTS, TIMER):
            listed = {in_the_referees_words(state, move) for move in legal_moves(state)}
            assert listed == expected(state), seed


@for_each("kind", KINDS)
def test_a_build_scores_what_the_referee_counts(kind):
    seed = f"referee {kind}"
    for ply in plies(kind, random.Random(seed)):
        if isinstance(ply.move, Build):
            scored = {
                event.reason: event.vp
                for event in ply.events
                if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
            }
            assert scored == ({} if ply.before.phase == TIMER else worth(ply)), seed


def most_disjoint(groups: list[frozenset[str]]) -> int:
    """Return how many of the groups can be taken without taking a house twice."""
    if not groups:
        return 0
    first, *rest = groups
    without = most_disjoint(rest)
    return max(without, 1 + most_disjoint([group for group in rest if not group & first]))


def private_contract(state: State, contract: int) -> int:
    """Reckon a private contract by trying everything (P-PRIV-…)."""
    table = {name: house for name, house in houses(state).items() if house["complete"]}
    everywhere = houses(state)
    sides = [[name for name in everywhere if name[0] == side] for side in "LR"]
    kind, colors = PRIVATE[contract].kind, [COLORS[color] for color in PRIVATE[contract].colors]
    of_color = [name for name, house in table.items() if house["color"] in colors]

    def pay(count: int, *scale: int) -> int:
        return scale[min(count, len(scale)) - 1] if count else 0

    if kind == "houses":
        return pay(len(of_color), 1, 2, 5)
    if kind == "mirror":
        heights = [{table[name]["height"] for name in of_color if name[0] == s} for s in "LR"]
        return 5 if heights[0] & heights[1] else 0
    if kind == "ends":
        ends = {side[0] for side in sides} | {side[-1] for side in sides}
        return pay(len(ends & set(of_color)), 2, 5, 9)
    if kind == "palette":
        found = [{table[name]["color"] for name in side if name in table} for side in sides]
        return 7 if any(len(colors_there) == 5 for colors_there in found) else 0
    if kind == "side":
        return 5 if any(all(name in table for name in side) for side in sides) else 0
    groups = []
    for side in sides:
        for start in range(len(side) - len(colors) + 1):
            run = side[start : start + len(colors)]
            if all(name in table for name in run):
                if sorted(table[name]["color"] for name in run) == sorted(colors):
                    groups.append(frozenset(run))
    return pay(most_disjoint(groups), *((2, 5, 10) if kind == "pairs" else (4, 9)))


def random_street(rnd: random.Random, players: int, complete: float) -> State:
    """Return a table with houses in random colors, most of them complete."""
    state = Kind(players).begin(lambda stream, index, pile: rnd.randrange(len(pile)))
    floors, colors = bytearray(15), bytearray(state.colors)
    for house in state.config.houses:
        height = state.config.heights[house]
        floors[house] = height if rnd.random() < complete else rnd.randrange(height)
        if floors[house]:
            colors[house] = rnd.randrange(5)
    state.floors, state.colors = bytes(floors), bytes(colors)
    state.survey()
    return state


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_private_contracts_are_worth_what_trying_everything_gives(players):
    rnd = random.Random(players)
    paid = set()
    for _ in range(150):
        state = random_street(rnd, players, rnd.choice((0.5, 0.8, 0.95)))
        for contract in range(len(PRIVATE)):
            vp = private_vp(state, contract)
            assert vp == private_contract(state, contract), (
                PRIVATE[contract].name,
                houses(state),
            )
            paid.add((PRIVATE[contract].kind, vp))
    assert {("pairs", 5), ("trios", 4), ("ends", 5), ("palette", 7), ("side", 5)} <= paid


def test_the_end_pays_the_private_contracts_that_were_kept():
    for kind in (Kind(2), Kind(3), Kind(4)):
        *_, last = plies(kind, random.Random(5))
        state = last.after
        assert state.phase == OVER
        for seat, kept in enumerate(state.kept):
            paid = [
                event.vp
                for event in last.events
                if isinstance(event, Scored)
                and event.seat == seat
                and event.kind == PRIVATE_CONTRACT
            ]
            assert paid == [private_contract(state, contract) for contract in kept]


@pytest.mark.parametrize("seat_first", [False, True])
def test_the_ranking_is_that_of_the_rules(seat_first):
    rnd = random.Random(3)
    for _ in range(300):
        state = Kind(4).begin(lambda *_: 0)
        state.config.seat_first = seat_first
        state.scores = tuple(rnd.choice((70, 71)) for _ in range(4))
        state.fulfilled = tuple(rnd.choice((3, 4)) for _ in range(4))
        order = ranking(state)
        for better, worse in pairwise(order):
            one = state.scores[better], state.fulfilled[better], better
            other = state.scores[worse], state.fulfilled[worse], worse
            if seat_first:
                one, other = (one[0], one[2]), (other[0], other[2])
            assert one > other
