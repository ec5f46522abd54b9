"""What a legal move has to meet.

Both :mod:`~porto_cli.games.porto.engine.generate`, which lists the legal moves, and
:mod:`~porto_cli.games.porto.engine.explain`, which names the rules that another one breaks, ask
the conditions here; nothing else decides what is legal.

Those of a build are in :func:`limits` (where, and for how many floors the tiles suffice), in the
``room`` of a state, in :func:`holds_both` and in :func:`roofs_for_token`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

from porto_cli.games.porto.engine.components import (
    BIT,
    CARD_SPACES,
    COLOR_OF,
    NOWHERE,
    VALUE_OF,
)
from porto_cli.games.porto.engine.moves import Build, Claim, Draw, Keep, Move, Pass
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    PHASES,
    SEALED,
    TIMER,
    State,
)

MOVES_IN: dict[str, tuple[type[Move], ...]] = {
    KEEP: (Keep,),
    ACT: (Draw, Build, Pass),
    CONTRACTS: (Claim,),
    TIMER: (Build,),
    OVER: (),
}
"""The kinds of moves that the player to move can make in each phase."""

MOST_CARDS_A_DRAW = 3
MOST_VALUE_A_DRAW = 3


def demand_phase(state: State) -> None:
    """Raise ValueError for a phase that there is not."""
    if state.phase not in PHASES:
        raise ValueError(f"{state.phase!r} is no phase of the game.")


def demand_seat(state: State, seat: int) -> None:
    """Raise ValueError for a seat that there is not."""
    if not 0 <= seat < state.config.seats:
        raise ValueError(f"There is no seat {seat}: the seats are 0 to {state.config.seats - 1}.")


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats whose move the game waits for; none when it is over.

    At the end of a game with real cards, or of a sealed one, all who have not revealed their
    private contracts.
    """
    if state.phase == OVER:
        return ()
    if state.is_revealing:
        return tuple(seat for seat in range(state.config.seats) if may_keep(state, seat))
    return (state.seat,)


def may_keep(state: State, seat: int) -> bool:
    """Tell whether this player can still choose private contracts (P-SETUP-5).

    At the end of a sealed game: whether they have still to be revealed (P-END-2).
    """
    demand_seat(state, seat)
    if not state.config.private_contracts or state.phase == OVER:
        return False
    if state.seals and (state.seals[seat] != SEALED or state.is_revealing):
        return state.seals[seat] == SEALED
    if state.kept[seat]:
        return False
    return not state.dealt or seat >= state.turn


Spaces = dict[tuple[int, ...], None]
"""A set of spaces to choose, in the order in which they are listed."""


@cache
def spaces_to_draw(values: bytes) -> Spaces:
    """Return the spaces that a draw may take, by the values of the cards in the row (P-DRAW-1).

    The value of an empty space is 0.
    """
    lying = [space for space in range(CARD_SPACES) if values[space]]
    return dict.fromkeys(
        spaces
        for size in range(1, MOST_CARDS_A_DRAW + 1)
        for spaces in combinations(lying, size)
        if sum(values[space] for space in spaces) <= MOST_VALUE_A_DRAW
    )


@cache
def spaces_to_claim(claimable: tuple[int, ...]) -> Spaces:
    """Return which public contracts can be fulfilled if these are met: any of them (P-PUBLIC-2)."""
    return dict.fromkeys(
        spaces for size in range(len(claimable) + 1) for spaces in combinations(claimable, size)
    )


def cards_to_build_with(state: State) -> bytes:
    """Return the hand of the player to move, or the two cards of the timer (P-SOLO-4)."""
    return state.turned if state.phase == TIMER else state.hands[state.seat]


def holds_both(cards: bytes, number: int, color_card: int) -> bool:
    """Tell whether two cards are among these: two of them if they are the same (P-BUILD-1)."""
    if number == color_card:
        return cards.count(number) > 1
    return number in cards and color_card in cards


def limits(state: State, color: int) -> tuple[int, int, int, int]:
    """Return what the table leaves to builds in a color.

    First the houses of the color, to which floors can be added (P-BUILD-4), and those that can be
    started in it: without floors, and without a neighbor of the color (P-BUILD-5). Then how many
    floors the tiles suffice for: to add, and to start a house with, which takes a ground floor; 0
    without one (P-BUILD-3).
    """
    started = state.painted[color]
    upper_left = state.upper_left[color]
    return (
        started,
        state.unstarted & ~(started << 1 | started >> 1),
        upper_left,
        upper_left + 1 if state.ground_left[color] else 0,
    )


def sites(state: State, color: int, floors: int) -> int:
    """Return the houses where so many floors of a color may be built (P-BUILD-2 to P-BUILD-5)."""
    started, startable, most_to_add, most_to_start = limits(state, color)
    if floors > most_to_add:
        started = 0
    if floors > most_to_start:
        startable = 0
    return (started | startable) & state.room[floors]


def roofs_for_token(state: State, house: int) -> int:
    """Return the roofs to one of which a build on this house has to move a token.

    There are none if no token lies there (P-TOKEN-1) or no roof space is empty (P-TOKEN-2).
    """
    if state.ground_tokens[house] and not state.floors[house]:
        return state.free_roofs
    return 0


def is_legal(state: State, move: Move) -> bool:
    """Tell whether the player to move may draw, build or fulfill contracts like this.

    ``False`` for a move of another kind, which may be legal, and for one that holds anything else
    than numbers: :func:`~porto_cli.games.porto.engine.explain.check` looks at these more closely.
    """
    try:
        return _CONDITIONS[state.phase][type(move)](state, move)
    except (TypeError, ValueError, LookupError):
        return False


def _may_draw(state: State, draw: Draw) -> bool:
    return draw.spaces in spaces_to_draw(state.cards.translate(_VALUES)) and not draw.named


def _may_build(state: State, build: Build) -> bool:
    number, color_card, house, roof = build
    if house < 0 or roof < 0 or not holds_both(cards_to_build_with(state), number, color_card):
        return False
    if not sites(state, COLOR_OF[color_card], VALUE_OF[number]) & BIT[house]:
        return False
    roofs = roofs_for_token(state, house)
    if roofs:
        return roof != NOWHERE and bool(roofs & BIT[roof])
    return roof == NOWHERE


def _may_claim(state: State, claim: Claim) -> bool:
    return claim.spaces in spaces_to_claim(state.claimable) and not claim.named


_CONDITIONS: dict[str, dict[type[Move], Callable[[State, Any], bool]]] = {
    ACT: {Draw: _may_draw, Build: _may_build},
    CONTRACTS: {Claim: _may_claim},
    TIMER: {Build: _may_build},
}

_VALUES = bytes(VALUE_OF) + bytes(256 - len(VALUE_OF))


def values_of(row: bytes) -> bytes:
    """Return the values of the cards in a row, 0 for an empty space."""
    return row.translate(_VALUES)
