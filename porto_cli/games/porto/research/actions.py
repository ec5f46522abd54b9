"""Decisions as numbers: each is one of :data:`COUNT` actions, the same ones with any players.

A move is one action, but for a build that moves a token: there the two cards and the house are one
action, and the roof on which the token goes is a second one. So there are some three thousand
actions and not fifteen times as many.

>>> encode(Draw((0, 3)))
(17,)
>>> encode(Build(11, 0, 3, token=5))
(2379, 57)
>>> decode(2379, 57)
<Build red-3 blue-1 L4 token L6>
>>> name(2379), name(57), name(17)
('build red-3 blue-1 L4', 'token L6', 'draw @1 @4')
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLOR_OF,
    CONTRACT_SPACES,
    HOUSES,
    HOUSES_IN,
    NOWHERE,
    VALUE_OF,
)
from porto_cli.games.porto.engine.legal_moves import (
    MOST_CARDS_A_DRAW,
    holds_both,
    legal_draws,
    roofs_for_token,
    sites,
    spaces_to_claim,
)
from porto_cli.games.porto.engine.moves import KEEPS, PASS, Build, Claim, Draw, Move
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, State
from porto_cli.research.tree import kinds_of

_DRAWS = [
    spaces
    for size in range(1, MOST_CARDS_A_DRAW + 1)
    for spaces in combinations(range(CARD_SPACES), size)
]
_CLAIMS = [
    spaces
    for size in range(CONTRACT_SPACES + 1)
    for spaces in combinations(range(CONTRACT_SPACES), size)
]
_SIZES = (
    ("keep", len(KEEPS), "which three of the five private contracts dealt are kept"),
    ("draw", len(_DRAWS), "one, two or three spaces of the row of cards"),
    ("contract", len(_CLAIMS), "which public contracts are fulfilled, by their spaces; or none"),
    ("pass", 1, "nothing else is legal"),
    ("token", len(HOUSES), "the second half of a build: the roof for the token"),
    (
        "build",
        len(CARDS) * len(CARDS) * len(HOUSES),
        "the card for the number of floors, the card for the color, the house",
    ),
)
KINDS = KEEPING, DRAWING, CLAIMING, PASSING, ROOF, BUILDING = kinds_of(_SIZES)
"""All kinds of actions, in order."""
COUNT = BUILDING.first + BUILDING.size
"""How many actions there are."""

_PLAIN: tuple[Move, ...] = (*KEEPS, *map(Draw, _DRAWS), *map(Claim, _CLAIMS), PASS)
"""The moves of all actions that are a whole move, but for builds."""
_NUMBERS = {move: action for action, move in enumerate(_PLAIN)}

_FIRST = tuple(
    tuple(
        BUILDING.first + (number * len(CARDS) + color) * len(HOUSES) for color in range(len(CARDS))
    )
    for number in range(len(CARDS))
)
"""The action of a build of two cards on the first house."""


def encode(move: Move) -> tuple[int, ...]:
    """Return the actions of a move: one, or two if a build moves a token.

    Raises ValueError for a move that no action represents: with cards that are named and do not
    lie there, or with private contracts that only the players know (a real table).
    """
    if isinstance(move, Build):
        build = _FIRST[move.number][move.color] + move.house
        return (build,) if move.token == NOWHERE else (build, ROOF.first + move.token)
    action = _NUMBERS.get(move)
    if action is None:
        raise ValueError(f"No action represents {move!r}.")
    return (action,)


def decode(action: int, roof: int | None = None) -> Move:
    """Return the move of an action, or of the two actions of a build: what encodes to them.

    Raises ValueError for what is not a whole move.
    """
    if BUILDING.first <= action < COUNT and (roof is None or roof in ROOF.actions):
        cards, house = divmod(action - BUILDING.first, len(HOUSES))
        number, color = divmod(cards, len(CARDS))
        return Build(number, color, house, NOWHERE if roof is None else roof - ROOF.first)
    if 0 <= action < len(_PLAIN) and roof is None:
        return _PLAIN[action]
    raise ValueError(f"The actions {action} and {roof} are no move.")


def name(action: int) -> str:
    """Return an action in the words of the notation, but a draw by its spaces, counted from 1.

    The names of both actions of a build are together the text of the move. Raises ValueError if
    there is no such action.
    """
    if action in ROOF.actions:
        return f"token {HOUSES[action - ROOF.first]}"
    return str(decode(action))


def waits_for_roof(state: State, action: int) -> bool:
    """Return whether this build has to be followed by the roof for its token (P-TOKEN-1)."""
    if action < BUILDING.first:
        return False
    return bool(roofs_for_token(state, (action - BUILDING.first) % len(HOUSES)))


def legal_roofs(state: State) -> list[int]:
    """Return the actions that are legal after a build that waits for its roof, in order."""
    return [ROOF.first + house for house in HOUSES_IN[state.free_roofs]]


def legal_actions(state: State) -> list[int]:
    """Return the legal actions of the player to move, in order; of builds the first halves.

    There are none in other phases than those of a game of two or more players with a known deal.
    """
    legal = _LEGAL.get(state.phase)
    return legal(state) if legal else []


def _keeps(state: State) -> list[int]:
    return list(KEEPING.actions) if state.dealt else []


def _claims(state: State) -> list[int]:
    return sorted(_NUMBERS[Claim(spaces)] for spaces in spaces_to_claim(state.claimable))


def _turns(state: State) -> list[int]:
    actions = sorted([_NUMBERS[draw] for draw in legal_draws(state)])
    hand = state.hands[state.seat]
    if len(hand) > 1:
        places: dict[int, tuple[int, ...]] = {}
        # A hand is sorted, so that the actions come in order.
        kinds = list(dict.fromkeys(hand))
        for number in kinds:
            floors = VALUE_OF[number]
            for color_card in kinds:
                if number == color_card and not holds_both(hand, number, color_card):
                    continue
                color = COLOR_OF[color_card]
                houses = places.get(4 * color + floors)
                if houses is None:
                    houses = HOUSES_IN[sites(state, color, floors)]
                    places[4 * color + floors] = houses
                first = _FIRST[number][color_card]
                actions += [first + house for house in houses]
    return actions or [PASSING.first]


_LEGAL: dict[str, Callable[[State], list[int]]] = {KEEP: _keeps, ACT: _turns, CONTRACTS: _claims}
