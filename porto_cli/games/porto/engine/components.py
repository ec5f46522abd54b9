"""What is in the box: colors, cards, contracts, houses, tokens, and how they are named.

Inside the engine everything is a small integer, at its edge a name:

* a *color* is 0-4 (``COLORS``), 5 means "no color yet";
* a *card* is ``3 * color + value - 1``, 0-14 (``CARDS``); 255 (``EMPTY``) is an empty space;
* a *house* is 0-13, ``L1``-``L7`` then ``R1``-``R7`` (``HOUSES``);
  14 (``NOWHERE``) is the neighbor that an end house does not have, and "no roof";
* a *public contract* is an index into ``PUBLIC``, a *private contract* one into ``PRIVATE``.

All these integers follow the alphabetical order of the names, so a sorted pile of integers is
a sorted pile of names. The chance of a record relies on that order (porto-record(5)).

The rulebooks do not print all numbers of the components, so they are data (``editions/*.yaml``)
that the owner of a box can correct; :class:`Edition` holds them and checks them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeVar

T = TypeVar("T")


COLORS = ("blue", "green", "purple", "red", "yellow")
NO_COLOR = 5
VALUES = (1, 2, 3)

CARDS = tuple(f"{color}-{value}" for color in COLORS for value in VALUES)
COLOR_OF = tuple(card // 3 for card in range(len(CARDS)))
VALUE_OF = tuple(card % 3 + 1 for card in range(len(CARDS)))
EMPTY = 255
"""An empty space in one of the two rows of face-up cards."""
HIDDEN = 254
"""A private contract that is unknown to the observer; it scores nothing."""

CARD_SPACES = 5
CONTRACT_SPACES = 4

LEFT_SIDE = range(7)
RIGHT_SIDE = range(7, 14)
HOUSES = tuple(f"L{n}" for n in range(1, 8)) + tuple(f"R{n}" for n in range(1, 8))
NOWHERE = 14
LEFT_OF = tuple(NOWHERE if house in (0, 7) else house - 1 for house in range(14))
RIGHT_OF = tuple(NOWHERE if house in (6, 13) else house + 1 for house in range(14))

BIT = tuple(1 << (house if house in LEFT_SIDE else house + 1) for house in range(len(HOUSES)))
"""Each house as one bit of a *set of houses*. The bit between L7 and R1 stays empty, so that
shifting a set by one in both directions gives the neighbors of its houses."""


ONE = tuple(bytes([number]) for number in range(256))
"""Each number alone."""


def put(things: bytes, place: int, thing: int) -> bytes:
    """Return things with another one in a place."""
    return things[:place] + ONE[thing] + things[place + 1 :]


def put_in(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return values, like those of all seats, with another one in a place."""
    return (*values[:place], value, *values[place + 1 :])


def set_of(houses: Iterable[int]) -> int:
    """Return the set of these houses."""
    return sum(BIT[house] for house in houses)


class _HousesIn(dict[int, tuple[int, ...]]):
    def __missing__(self, houses: int) -> tuple[int, ...]:
        members = self[houses] = tuple(house for house, bit in enumerate(BIT) if houses & bit)
        return members


HOUSES_IN = _HousesIn()
"""The houses of a set of houses, in order."""

MOST_FLOORS_A_TURN = 3


class PublicContract(NamedTuple):
    """A public contract: what a turn must have done, exactly (P-PUBLIC-1).

    ``kind`` is ``floors``, ``house`` or ``cards``; ``floors`` is their number for the
    first of these; ``colors`` holds one color, or two (in order) for two cards.
    """

    name: str
    kind: str
    colors: tuple[int, ...]
    floors: int
    family: str
    """The line of the edition file that gives its VP."""


class PrivateContract(NamedTuple):
    """A private contract: its kind (``ends``, ``houses`` …) and its colors, if it has any.

    ``copies`` says how many cards of it there are.
    """

    name: str
    kind: str
    colors: tuple[int, ...]
    copies: int = 1


def _public_contracts() -> tuple[PublicContract, ...]:
    contracts = []
    for color, name in enumerate(COLORS):
        for count, floors in enumerate(("floor", "floors", "floors"), start=1):
            asked, family = f"{count}-{name}-{floors}", f"{count}-{floors}"
            contracts.append(PublicContract(asked, "floors", (color,), count, family))
        contracts.append(PublicContract(f"{name}-house", "house", (color,), 0, "house"))
    for colors in combinations_with_replacement(range(len(COLORS)), 2):
        names = "+".join(COLORS[color] for color in colors)
        family = f"cards-of-{'one-color' if len({*colors}) == 1 else 'two-colors'}"
        contracts.append(PublicContract(names, "cards", colors, 0, family))
    return tuple(sorted(contracts))


def _private_contracts() -> tuple[PrivateContract, ...]:
    contracts = [PrivateContract(kind, kind, (), copies=2) for kind in ("palette", "side")]
    for size, kinds in ((1, ("ends", "houses", "mirror")), (2, ("pairs",)), (3, ("trios",))):
        for colors in combinations(range(len(COLORS)), size):
            names = "+".join(COLORS[color] for color in colors)
            contracts += [PrivateContract(f"{kind}-{names}", kind, colors) for kind in kinds]
    return tuple(sorted(contracts))


PUBLIC = _public_contracts()
PRIVATE = _private_contracts()
DEALT = 5
KEPT = 3
"""Private contracts dealt to a player, and kept by them (P-SETUP-5)."""

PUBLIC_FAMILIES = (
    "1-floor",
    "2-floors",
    "3-floors",
    "house",
    "cards-of-one-color",
    "cards-of-two-colors",
)
PRIVATE_KINDS = ("houses", "pairs", "trios", "mirror", "ends", "palette", "side")


CARDS_IN_THE_BOX = 50
TALLEST = 12


class Edition(NamedTuple):
    """The component data of one box.

    ``heights`` has a number of floor spaces for each of the 14 houses, the ground floor
    included; ``cards_per_value`` says how many cards of the values 1, 2, 3 each color has;
    ``tokens`` holds the values of the VP tokens, sorted; ``public`` gives the VP of each
    family of public contracts; ``private`` the VP of each kind of private contract for one,
    two … of what it asks for. A family or kind that is missing is not in the box.
    """

    name: str
    heights: bytes
    cards_per_value: tuple[int, int, int]
    ground_floors: int
    upper_floors: int
    tokens: bytes
    public: dict[str, int]
    private: dict[str, tuple[int, ...]]
    artificial: bool = False
    """Made to try the rules: the checks of plausibility do not apply."""

    def construction_deck(self) -> bytes:
        """Return all construction cards of the box, sorted."""
        return b"".join(
            bytes([card]) * self.cards_per_value[card % len(VALUES)] for card in range(len(CARDS))
        )

    def faults(self) -> Iterator[str]:
        """Yield why these numbers do not make a game, in sentences; none if they do.

        An ``artificial`` edition needs only to be playable; any other must also be one that
        a box could hold.
        """
        for house, height in zip(HOUSES, self.heights, strict=True):
            if not 1 <= height <= TALLEST:
                yield (
                    f"The house {house} has {height} floor spaces; it needs at least 1 and can "
                    f"have at most {TALLEST}."
                )
        if len(self.tokens) < len(HOUSES):
            have = len(self.tokens)
            yield f"There are {have} VP tokens, but the {len(HOUSES)} houses need one each."
        if self.ground_floors < 1:
            yield "There are no ground floors, so that no house could be started."
        if not self.artificial:
            yield from self._implausible()

    def _implausible(self) -> Iterator[str]:
        of_a_color = sum(self.cards_per_value)
        if of_a_color * len(COLORS) != CARDS_IN_THE_BOX:
            yield (
                f"There are {of_a_color * len(COLORS)} construction cards ({of_a_color} of each "
                f"color), but the rulebook counts {CARDS_IN_THE_BOX}."
            )
        lowest = min(self.heights)
        if lowest < MOST_FLOORS_A_TURN:
            yield (
                f"The house {HOUSES[self.heights.index(lowest)]} has {lowest} floor spaces, so "
                f"that {MOST_FLOORS_A_TURN} floors could never be built in it."
            )
        tallest = sorted(self.heights, reverse=True)[: self.ground_floors]
        needed = sum(tallest) - len(tallest)
        if needed > self.upper_floors:
            yield (
                f"A color could need {needed} upper floors (in its {len(tallest)} tallest houses), "
                f"but there are {self.upper_floors} of each color."
            )
        for absent in range(3):
            left = set(self.heights[LEFT_SIDE.start + absent : LEFT_SIDE.stop])
            right = set(self.heights[RIGHT_SIDE.start : RIGHT_SIDE.stop - absent])
            for height in sorted(left ^ right):
                yield (
                    f"With {4 - absent} players only one side has houses of {height} floor spaces, "
                    "so that no mirror contract could be met with them."
                )
