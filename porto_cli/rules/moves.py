"""Moves: plain data. What a player does, without who does it.

Cards are named by the *space* they lie in (counted from 0), because that is what decides which
spaces are empty afterwards. A card that was named but does not lie there is kept in ``named``,
so that the rules and not the reader of the notation refuse it; in a legal move it is empty.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Union

from porto_cli.rules.components import (
    CARD_SPACES,
    DEALT,
    HOUSES,
    KEPT,
    NOWHERE,
)
from porto_cli.rules.value import Value


class Draw(Value):
    """Take the construction cards in these spaces, 0-4, in ascending order (P-DRAW-1)."""

    __slots__ = __match_args__ = ("spaces", "named")

    def __init__(self, spaces: tuple[int, ...], named: tuple[int, ...] = ()) -> None:
        self.spaces = spaces
        self.named = named


class Build(Value):
    """Play two cards (P-BUILD-1): ``number`` for the number of floors, ``color`` for their color.

    ``token`` is the house whose roof receives the token of the ground floor, or ``NOWHERE``.
    """

    __slots__ = __match_args__ = ("number", "color", "house", "token")

    def __init__(self, number: int, color: int, house: int, token: int = NOWHERE) -> None:
        self.number = number
        self.color = color
        self.house = house
        self.token = token


class Claim(Value):
    """Fulfill the public contracts in these spaces, 0-3, ascending; none of them if empty."""

    __slots__ = __match_args__ = ("spaces", "named")

    def __init__(self, spaces: tuple[int, ...], named: tuple[int, ...] = ()) -> None:
        self.spaces = spaces
        self.named = named


class Keep(Value):
    """Keep the private contracts at these places of the deal, 0-4, ascending (P-SETUP-5).

    Where the deal is not known (real cards on a table) ``named`` holds the kept contracts.
    """

    __slots__ = __match_args__ = ("places", "named")

    def __init__(self, places: tuple[int, ...], named: tuple[int, ...] = ()) -> None:
        self.places = places
        self.named = named


class Pass(Value):
    """Do nothing, where nothing can be done (P-PASS-1)."""

    __slots__ = ()


Move = Union[Draw, Build, Claim, Keep, Pass]  # noqa: UP007 - evaluated at run time

PASS = Pass()
KEEPS = tuple(Keep(places) for places in combinations(range(DEALT), KEPT))
CLAIM_NONE = Claim(())


@cache
def draw_of(spaces: tuple[int, ...]) -> Draw:
    """Return the one ``Draw`` of these spaces."""
    return Draw(spaces)


@cache
def claims_among(spaces: tuple[int, ...]) -> tuple[Claim, ...]:
    """Return every claim that can be made when the contracts in ``spaces`` are met."""
    return tuple(
        Claim(chosen) for size in range(len(spaces) + 1) for chosen in combinations(spaces, size)
    )


def builds_with(number: int, color: int, house: int) -> tuple[Build, ...]:
    """Return the builds of two cards on a house: one for each roof, then one without a token."""
    return tuple(Build(number, color, house, token) for token in range(len(HOUSES) + 1))


@cache
def draws_among(values: bytes) -> tuple[Draw, ...]:
    """Return every draw from face-up cards of these values, 0 for an empty space (P-DRAW-1)."""
    return tuple(
        draw_of(spaces)
        for size in (1, 2, 3)
        for spaces in combinations(range(CARD_SPACES), size)
        if all(values[space] for space in spaces) and sum(values[space] for space in spaces) <= 3
    )
