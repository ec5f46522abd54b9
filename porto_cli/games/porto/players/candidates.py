"""The moves that are worth a look, and the tables that they lead to.

A build that starts a house may move its token to any empty roof (P-TOKEN-1); most players look at
one of them only, the *default roof*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from porto_cli.games.porto.engine.components import (
    COLOR_OF,
    HOUSES_IN,
    NOWHERE,
    VALUE_OF,
)
from porto_cli.games.porto.engine.conditions import (
    cards_to_build_with,
    holds_both,
    roofs_for_token,
    sites,
    spaces_to_draw,
    values_of,
)
from porto_cli.games.porto.engine.moves import (
    Build,
    Claim,
    Draw,
    Move,
    builds_with,
    draw_of,
)
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, State


def default_roof(state: State, house: int, floors: int) -> int:
    """Return the roof for the token of a house that is started with so many floors.

    It is the empty one whose house misses most floors after that, the lowest of them; ``NOWHERE``
    if there is no token or no empty roof.
    """
    heights, built = state.config.heights, state.floors
    best, most = NOWHERE, -1
    for roof in HOUSES_IN[roofs_for_token(state, house)]:
        gap = heights[roof] - built[roof] - (floors if roof == house else 0)
        if gap > most:
            best, most = roof, gap
    return best


def other_roofs(state: State, build: Build) -> list[Build]:
    """Return the builds that differ from this one in nothing but the roof for the token."""
    if build.token == NOWHERE:
        return []
    row = builds_with(build.number, build.color, build.house)
    roofs = HOUSES_IN[roofs_for_token(state, build.house)]
    return [row[roof] for roof in roofs if roof != build.token]


class Take(NamedTuple):
    """A draw, the cards that it takes, sorted, and how many of each value."""

    draw: Draw
    cards: tuple[int, ...]
    values: tuple[int, int, int]


@lru_cache(maxsize=4_000)
def distinct_draws(row: bytes) -> tuple[Take, ...]:
    """Return the draws from a row, of those that take equal cards the one from the lowest spaces.

    In the solo game the spaces make a difference to what the timer discards, which these players
    do not look at.
    """
    found: dict[tuple[int, ...], Take] = {}
    for spaces in spaces_to_draw(values_of(row)):
        cards = tuple(sorted(row[space] for space in spaces))
        values = [VALUE_OF[card] for card in cards]
        counts = (values.count(1), values.count(2), values.count(3))
        found.setdefault(cards, Take(draw_of(spaces), cards, counts))
    return tuple(found.values())


def default_builds(state: State) -> list[Build]:
    """Return every build, with the default roof where a token moves."""
    cards = cards_to_build_with(state)
    kinds = sorted(set(cards))
    builds: list[Build] = []
    roofs: dict[tuple[int, int], int] = {}
    places: dict[tuple[int, int], tuple[int, ...]] = {}
    for number in kinds:
        floors = VALUE_OF[number]
        for color_card in kinds:
            if number == color_card and not holds_both(cards, number, color_card):
                continue
            color = COLOR_OF[color_card]
            houses = places.get((floors, color))
            if houses is None:
                houses = places[floors, color] = HOUSES_IN[sites(state, color, floors)]
            for house in houses:
                if state.floors[house]:
                    roof = NOWHERE
                else:
                    known = roofs.get((house, floors))
                    if known is None:
                        known = roofs[house, floors] = default_roof(state, house, floors)
                    roof = known
                builds.append(Build(number, color_card, house, roof))
    return builds


def after(state: State, move: Move) -> State:
    """Return the table after a move and all public contracts that it meets.

    Nothing has come up yet, so that spaces are empty from which something was taken.
    """
    table, _ = apply(state, move, None)
    if table.phase == CONTRACTS:
        table, _ = apply(table, Claim(table.claimable), None)
    return table


Ranked = list[tuple[float, Move, State]]
"""Moves with what they are worth and the tables that they lead to, the best one first."""


def ranked(state: State, moves: Iterable[Move], worth: Callable[[State], float]) -> Ranked:
    """Return moves by what the tables after them are worth; equals stay in order."""
    found: Ranked = []
    for move in moves:
        table = after(state, move)
        found.append((worth(table), move, table))
    found.sort(key=_worth, reverse=True)
    return found


def candidates(
    state: State, worth: Callable[[State], float], *, starts: int, roofs: int | None
) -> Ranked:
    """Return the moves of a turn, or the builds for the timer, by what they are worth.

    Builds that start a house have the default roof for their token. The best ones, as many as
    ``starts`` says, are there with the best of all other roofs as well, as many as ``roofs`` says;
    ``None`` is all of them.
    """
    moves: list[Move] = [*default_builds(state)]
    if state.phase == ACT:
        moves = [*(take.draw for take in distinct_draws(state.cards)), *moves]
    found = ranked(state, moves, worth)
    best = [move for _, move, _ in found if isinstance(move, Build) and move.token != NOWHERE]
    for start in best[:starts]:
        found += ranked(state, other_roofs(state, start), worth)[:roofs]
    if best:
        found.sort(key=_worth, reverse=True)
    return found


def best_move(state: State, worth: Callable[[State], float]) -> Move:
    """Return the best move of a turn that has one, with the best roof if it starts a house."""
    found = candidates(state, worth, starts=0, roofs=0)
    _, move, _ = found[0]
    if isinstance(move, Build) and move.token != NOWHERE:
        found = [found[0], *ranked(state, other_roofs(state, move), worth)]
    return max(found, key=_worth)[1]


def _worth(ranked: tuple[float, Move, State]) -> float:
    return ranked[0]
