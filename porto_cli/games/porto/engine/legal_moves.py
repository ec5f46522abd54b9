"""Legal moves: their conditions, the list of all of them, and those nearest to another move.

Nothing else decides what is legal; :mod:`~porto_cli.games.porto.engine.explain`, which names the
rules that a move breaks, uses the same conditions. Those of a build are in :func:`limits` (where,
and for how many floors the tiles suffice), in the ``room`` of a state, in :func:`holds_both` and in
:func:`roofs_for_token`.

Each choice is listed once: without a timer it makes no difference which of two equal face-up cards
is taken, so only the draw of the lowest space is listed; :func:`canonical_move` returns the listed
move for any other of the same choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any

from porto_cli.games.porto.engine.components import (
    BIT,
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    HIDDEN,
    HOUSES,
    HOUSES_IN,
    NOWHERE,
    VALUE_OF,
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
    Pass,
    builds_with,
    draw_of,
)
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
    """Raise ValueError for an unknown phase."""
    if state.phase not in PHASES:
        raise ValueError(f"{state.phase!r} is not a phase of the game.")


def demand_seat(state: State, seat: int) -> None:
    """Raise ValueError if the seat does not exist."""
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
    """Return whether this player can still choose private contracts (P-SETUP-5).

    At the end of a sealed game: whether they have still to be revealed (P-END-2).
    """
    demand_seat(state, seat)
    if not state.config.private_contracts or state.phase == OVER or seat in state.out:
        return False
    if state.seals and (state.seals[seat] != SEALED or state.is_revealing):
        return state.seals[seat] == SEALED
    if state.kept[seat]:
        return False
    # Who comes back may have missed their own first turn.
    return not state.dealt or seat >= state.turn or seat == state.seat


@cache
def spaces_to_draw(values: bytes) -> tuple[tuple[int, ...], ...]:
    """Return the spaces that a draw may take, by the values of the cards in the row (P-DRAW-1).

    The value of an empty space is 0.
    """
    lying = [space for space in range(CARD_SPACES) if values[space]]
    return tuple(
        spaces
        for size in range(1, MOST_CARDS_A_DRAW + 1)
        for spaces in combinations(lying, size)
        if sum(values[space] for space in spaces) <= MOST_VALUE_A_DRAW
    )


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


def is_legal(state: State, move: Move) -> bool:
    """Return whether the player to move may draw, build or fulfill contracts like this.

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
    return claim in _claims_among(state.claimable)


_CONDITIONS: dict[str, dict[type[Move], Callable[[State, Any], bool]]] = {
    ACT: {Draw: _may_draw, Build: _may_build},
    CONTRACTS: {Claim: _may_claim},
    TIMER: {Build: _may_build},
}

_VALUES = bytes(VALUE_OF) + bytes(256 - len(VALUE_OF))


def values_of(row: bytes) -> bytes:
    """Return the values of the cards in a row, 0 for an empty space."""
    return row.translate(_VALUES)


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
    known before what comes up is. Raises ValueError for an unknown phase or seat.
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
    """Return the choices among public contracts that are met: any of them (P-PUBLIC-2)."""
    sizes = range(len(claimable) + 1)
    return tuple(Claim(spaces) for size in sizes for spaces in combinations(claimable, size))


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
    """Return whether two cards could be built with in any way (P-SOLO-4)."""
    return bool(
        sites(state, COLOR_OF[other], VALUE_OF[one]) or sites(state, COLOR_OF[one], VALUE_OF[other])
    )
