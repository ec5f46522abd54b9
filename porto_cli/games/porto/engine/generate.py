"""The legal moves, listed.

One choice is listed once: without a timer it makes no difference which of two equal face-up cards
is taken, so only the draw of the lowest space is listed; :func:`canonical_move` gives the listed
move for any other of the same choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    HIDDEN,
    HOUSES,
    HOUSES_IN,
    NOWHERE,
    VALUE_OF,
)
from porto_cli.games.porto.engine.conditions import (
    cards_to_build_with,
    demand_phase,
    holds_both,
    limits,
    may_keep,
    sites,
    spaces_to_claim,
    spaces_to_draw,
    values_of,
)
from porto_cli.games.porto.engine.moves import (
    KEEP_SEALED,
    KEEPS,
    PASS,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    builds_with,
    draw_of,
)
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State

Row = tuple[Build, ...]
"""The builds of two cards on one house: one for each roof, then one without a token."""


class _Rows(dict[int, tuple[Row, ...]]):
    """The builds of two cards on each house, made when the two cards first meet."""

    def __missing__(self, cards: int) -> tuple[Row, ...]:
        number, color = divmod(cards, len(CARDS))
        rows = self[cards] = tuple(
            builds_with(number, color, house) for house in range(len(HOUSES))
        )
        return rows


class _Picks(dict[int, Callable[[Row], Row]]):
    """Pick out of a row the builds that move the token to one of these roofs (P-TOKEN-1)."""

    def __missing__(self, roofs: int) -> Callable[[Row], Row]:
        houses = HOUSES_IN[roofs]
        pick: Callable[[Row], Row]
        if len(houses) > 1:
            pick = itemgetter(*houses)
        else:
            only = houses[0] if houses else NOWHERE
            pick = itemgetter(slice(only, only + 1))
        self[roofs] = pick
        return pick


_ROWS = _Rows()
_PICKS = _Picks()


def legal_moves(state: State, seat: int | None = None) -> list[Move]:
    """Return every legal move of the player to move, or of ``seat`` at any time.

    Who is not to move can at most keep private contracts (P-SETUP-5). Where only the players
    know their deal (real cards on a table), what they can keep cannot be listed; in a sealed game
    it is the one move that hides it. There the move that nothing but a pass is left for cannot be
    known before what comes up is. Raises ValueError for a phase or a seat that there is not.
    """
    phase = state.phase
    if seat is not None and seat != state.seat:
        return _keeps(state, seat) if may_keep(state, seat) and state.dealt else []
    if phase == ACT:
        moves: list[Move] = list(legal_draws(state))
        hand = state.hands[state.seat]
        if len(hand) > 1:
            _add_builds(moves, state, hand)
        return moves or ([] if state.is_waiting else [PASS])
    if phase == CONTRACTS:
        return list(_claims_among(state.claimable))
    if phase == TIMER:
        return [*legal_builds(state)]
    if phase == KEEP and state.dealt:
        return _keeps(state, state.seat)
    demand_phase(state)
    return []


def _keeps(state: State, seat: int) -> list[Move]:
    """Return what a player can keep, or at the end of a sealed game reveal."""
    if not state.seals:
        return list(KEEPS)
    if state.is_revealing:
        kept = state.kept[seat]
        return [Keep((), tuple(kept))] if kept and HIDDEN not in kept else []
    return [KEEP_SEALED] if HIDDEN in state.dealt[seat] else list(KEEPS)


def canonical_move(state: State, move: Move) -> Move:
    """Return the listed move that is the same choice as a legal one."""
    if isinstance(move, Draw) and not state.config.timer:
        return _lowest(state.cards, move)
    return move


def _lowest(cards: bytes, draw: Draw) -> Draw:
    taken: list[int] = []
    for space in draw.spaces:
        twin = -1
        while (twin := cards.index(cards[space], twin + 1)) in taken:
            pass
        taken.append(twin)
    return draw_of(tuple(sorted(taken)))


@cache
def _draws_among(values: bytes) -> tuple[Draw, ...]:
    return tuple(map(draw_of, spaces_to_draw(values)))


@cache
def _distinct_draws(values: bytes, firsts: bytes) -> tuple[Draw, ...]:
    return tuple(draw for draw in _draws_among(values) if draw is _lowest(firsts, draw))


def legal_draws(state: State) -> tuple[Draw, ...]:
    """Return every draw from the row, in the phase of drawing and building.

    In the solo game the space matters, elsewhere equal cards are one choice.
    """
    cards = state.cards
    values = values_of(cards)
    if state.config.timer or len(set(cards)) == CARD_SPACES:
        return _draws_among(values)
    return _distinct_draws(values, bytes(map(cards.find, cards)))


@cache
def _claims_among(claimable: tuple[int, ...]) -> tuple[Claim, ...]:
    return tuple(map(Claim, spaces_to_claim(claimable)))


def legal_builds(state: State) -> list[Build]:
    """Return every build that the player to move could make now, from hand or for the timer."""
    builds: list[Build] = []
    _add_builds(builds, state, cards_to_build_with(state))
    return builds


def _add_builds(moves: list[Any], state: State, cards: bytes) -> None:
    """Add for every card, as the color, the builds with every other one as the number."""
    tokens, room = state.ground_tokens, state.room
    # The same as roofs_for_token(), for all houses at once.
    pick_roofs = _PICKS[state.free_roofs]
    kinds = dict.fromkeys(cards)
    for color_card in kinds:
        started, startable, most_to_add, most_to_start = limits(state, COLOR_OF[color_card])
        for number in kinds:
            if number == color_card and not holds_both(cards, number, color_card):
                continue
            floors = VALUE_OF[number]
            rows = _ROWS[number * len(CARDS) + color_card]
            if floors <= most_to_add:
                for house in HOUSES_IN[started & room[floors]]:
                    moves.append(rows[house][NOWHERE])
            if floors <= most_to_start:
                for house in HOUSES_IN[startable & room[floors]]:
                    if tokens[house]:
                        moves += pick_roofs(rows[house])
                    else:
                        moves.append(rows[house][NOWHERE])


def can_build(state: State, one: int, other: int) -> bool:
    """Tell whether two cards could be built with in any way (P-SOLO-4)."""
    return bool(
        sites(state, COLOR_OF[other], VALUE_OF[one]) or sites(state, COLOR_OF[one], VALUE_OF[other])
    )
