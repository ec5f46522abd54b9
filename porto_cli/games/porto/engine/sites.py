"""Where can be built, and with what: conditions that several rules share.

Those of a build are in :func:`limits` (where, and for how many floors the tiles suffice), in the
``room`` of a state, in :func:`holds_both` and in :func:`roofs_for_token`.
"""

from __future__ import annotations

from porto_cli.games.porto.engine.components import COLOR_OF, VALUE_OF
from porto_cli.games.porto.engine.state import TIMER, State


def cards_to_build_with(state: State) -> bytes:
    """Return the hand of the player to move, or the two cards of the timer (P-SOLO-4)."""
    return state.turned if state.phase == TIMER else state.hands[state.seat]


def holds_both(cards: bytes, number: int, color_card: int) -> bool:
    """Return whether two cards are among these: two of them if they are the same (P-BUILD-1)."""
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
    """Return the houses where a number of floors may be built (P-BUILD-2 to P-BUILD-5)."""
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


def can_build(state: State, one: int, other: int) -> bool:
    """Return whether two cards could be built with in any way (P-SOLO-4)."""
    return bool(
        sites(state, COLOR_OF[other], VALUE_OF[one]) or sites(state, COLOR_OF[one], VALUE_OF[other])
    )
