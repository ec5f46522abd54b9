"""The rules of Porto as pure functions: values in, values out, chance is an argument. This module
has the components and their names. Begin with ``play``: it has ``legal_moves``, the refusals and
``apply``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeVar

from porto_cli.core import InvalidMoveError, cited, enumerated, the_only
from porto_cli.core.chance import Stream

# -- The components in the box: colors, cards, contracts, houses, tokens
#
# Inside the engine everything is a small integer; outside it has a name:
#
# * a *color* is 0-4 (``COLORS``), 5 means "no color yet";
# * a *card* is ``3 * color + value - 1``, 0-14 (``CARDS``); 255 (``EMPTY``) is an empty space;
# * a *house* is 0-13, ``L1``-``L7`` then ``R1``-``R7`` (``HOUSES``);
#   14 (``NOWHERE``) is the neighbor that an end house does not have, and "no roof";
# * a *public contract* is an index into ``PUBLIC``, a *private contract* one into ``PRIVATE``.
#
# All these integers follow the alphabetical order of the names, so a sorted pile of integers is
# a sorted pile of names. The chance of a record relies on that order (porto-record(5)).
#
# The rulebooks do not print the number of every component, so the numbers are data
# (``editions/*.yaml``) that the owner of a box can correct; ``Edition`` holds and checks them.

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
"""Each number as a single byte."""


def put(things: bytes, place: int, thing: int) -> bytes:
    """Return things with the one at a place replaced."""
    return things[:place] + ONE[thing] + things[place + 1 :]


def put_in(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return values, like those of all seats, with the one at a place replaced."""
    return (*values[:place], value, *values[place + 1 :])


def set_of(houses: Iterable[int]) -> int:
    """Return houses as a set of houses."""
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

    ``kind`` is ``floors``, ``house`` or ``cards``; ``floors`` is the number of floors for the first
    of these; ``colors`` holds one color, or two (in order) for two cards.
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


class PrivateKind(NamedTuple):
    """A kind of private contract.

    ``counts``  what counts, with the colors of a contract
    ``short``   what counts once, in few words beside the contract's name, which has the colors
    ``colors``  how many these are
    ``once``    whether it pays no more for a second time
    """

    counts: str
    short: str
    colors: int = 0
    once: bool = False


PRIVATE_KINDS = {
    "houses": PrivateKind("Completed {} houses", "1 house", 1),
    "pairs": PrivateKind("Completed pairs of neighbors, {} and {}", "1 pair of neighbors", 2),
    "trios": PrivateKind("Completed trios of neighbors, {}, {} and {}", "1 trio of neighbors", 3),
    "mirror": PrivateKind(
        "A completed {} house on each side, both of the same height",
        "equally tall houses on both sides",
        1,
        once=True,
    ),
    "ends": PrivateKind("Completed {} houses at the ends of the sides", "1 house at an end", 1),
    "palette": PrivateKind(
        "A completed house of each color on one side",
        "a house of each color on one side",
        once=True,
    ),
    "side": PrivateKind(
        "All houses of one side completed", "completing all houses of one side", once=True
    ),
}


def private_kind(name: str) -> str:
    """Return the kind of a private contract, which is where its name begins."""
    return name.partition("-")[0]


def private_ruling(name: str) -> str:
    """Return the ruling on a private contract, or on a kind of them."""
    return f"P-PRIV-{private_kind(name).upper()}"


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
    contracts = []
    for kind, row in PRIVATE_KINDS.items():
        for colors in combinations(range(len(COLORS)), row.colors):
            names = "+".join(COLORS[color] for color in colors)
            name, copies = (f"{kind}-{names}", 1) if colors else (kind, 2)
            contracts.append(PrivateContract(name, kind, colors, copies))
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


CARDS_IN_THE_BOX = 50
TALLEST = 12


class Edition(NamedTuple):
    """The component data of one box.

    ``heights`` has the number of floor spaces of each of the 14 houses, including the ground
    floor; ``cards_per_value`` says how many cards of the values 1, 2, 3 each color has;
    ``tokens`` holds the values of the VP tokens, sorted; ``public`` has the VP of each family of
    public contracts; ``private`` the VP of each kind of private contract for one, two … of what it
    asks for. A family or kind that is missing is not in the box.
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
    """Whether it was made to try out the rules: checks of plausibility do not apply."""

    def construction_deck(self) -> bytes:
        """Return all construction cards of the box, sorted."""
        return b"".join(
            bytes([card]) * self.cards_per_value[card % len(VALUES)] for card in range(len(CARDS))
        )

    def faults(self) -> Iterator[str]:
        """Yield why these numbers do not make a game, in sentences; none if they do.

        An ``artificial`` edition only has to be playable; any other must also be plausible.
        """
        for house, height in zip(HOUSES, self.heights, strict=True):
            if not 1 <= height <= TALLEST:
                yield f"The house {house} has {height} floor spaces, not 1 to {TALLEST}."
        if len(self.tokens) < len(HOUSES):
            have = len(self.tokens)
            yield f"There are {have} VP tokens, but the {len(HOUSES)} houses need one each."
        if self.ground_floors < 1:
            yield "There are no ground floors, so no house could be started."
        if not self.artificial:
            yield from self._implausible()

    def _implausible(self) -> Iterator[str]:
        of_a_color = sum(self.cards_per_value)
        if of_a_color * len(COLORS) != CARDS_IN_THE_BOX:
            have = of_a_color * len(COLORS)
            yield f"There are {have} construction cards; the rulebook counts {CARDS_IN_THE_BOX}."
        lowest = min(self.heights)
        if lowest < MOST_FLOORS_A_TURN:
            house = HOUSES[self.heights.index(lowest)]
            yield f"The house {house} has room for {lowest} floors, fewer than one build can be."
        tallest = sorted(self.heights, reverse=True)[: self.ground_floors]
        needed = sum(tallest) - len(tallest)
        if needed > self.upper_floors:
            have = self.upper_floors
            yield f"A color could need {needed} upper floors, but there are {have} of each color."
        for absent in range(3):
            left = set(self.heights[LEFT_SIDE.start + absent : LEFT_SIDE.stop])
            right = set(self.heights[RIGHT_SIDE.start : RIGHT_SIDE.stop - absent])
            for height in sorted(left ^ right):
                houses = f"With {4 - absent} players houses of {height} floor spaces"
                yield f"{houses} are on one side only, where no mirror contract can be met."


# -- Names of components, and what people may write for them
#
# Case does not matter, and unambiguous abbreviations are accepted (``b3`` for ``blue-3``, ``l4``,
# ``b+r``).

NONE = "none"
"""The word for no contract, and for an empty space."""
PUBLIC_NAMES = tuple(contract.name for contract in PUBLIC)
PRIVATE_NAMES = tuple(contract.name for contract in PRIVATE)


def parse_color(word: str) -> int:
    """Return the color with this name or abbreviation. Raises InvalidMoveError."""
    return _find(word, COLORS, "color", enumerated(COLORS, "or"))


@cache
def parse_card(word: str) -> int:
    """Return the construction card for ``blue-3``, ``b3`` … Raises InvalidMoveError."""
    color, value = word[:-1].lower().removesuffix("-"), word[-1:]
    for card, name in enumerate(CARDS):
        if color and name.startswith(color) and name.endswith(f"-{value}"):
            return card
    raise InvalidMoveError(
        f"There is no card {cited(word)}; a card is a color, {enumerated(COLORS, 'or')}, and a "
        "value from 1 to 3, like blue-3 or b3.",
        CARDS,
        word,
    )


@cache
def parse_house(word: str, sides: Sequence[Sequence[int]] = (LEFT_SIDE, RIGHT_SIDE)) -> int:
    """Return the house for ``L4`` or ``l4``. Raises InvalidMoveError, which names the houses of
    both ``sides``.
    """
    if word.upper() in HOUSES:
        return HOUSES.index(word.upper())
    left, right = (f"{HOUSES[side[0]]} to {HOUSES[side[-1]]}" for side in sides)
    raise InvalidMoveError(
        f"{cited(word)} is not a house; the houses are {left} on the left side and "
        f"{right} on the right side.",
        [HOUSES[house] for side in sides for house in side],
        word,
    )


def parse_public(word: str) -> int:
    """Return the public contract with this name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PUBLIC_NAMES, "public contract", "3-blue-floors, blue-house or blue+red")


def parse_private(word: str) -> int:
    """Return the private contract with this name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PRIVATE_NAMES, "private contract", "houses-blue, pairs-blue+red or palette")


@cache
def _find(word: str, names: tuple[str, ...], what: str, examples: str) -> int:
    lower = word.lower()
    found = [lower] if lower in names else _names_cut_to(lower, names)
    why = f"{cited(word)} is not a {what}; the name of one is like {examples}."
    return names.index(the_only(found, word, InvalidMoveError(why, names, word)))


def _names_cut_to(short: str, names: Iterable[str]) -> list[str]:
    """Return the names all of whose parts are abbreviated, or else those that begin like this."""
    if not short:
        return []
    parts = _parts(short)
    begun = [name for name in names if _abbreviates(parts, _parts(name))]
    whole = [name for name in begun if len(_parts(name)) == len(parts)]
    return whole or [name for name in names if name in begun or name.startswith(short)]


def _parts(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(part.split("+")) for part in name.split("-"))


def _abbreviates(short: Sequence[Sequence[str]], full: Sequence[Sequence[str]]) -> bool:
    """Return whether a name is abbreviated in any of its parts, or cut off after one of them.

    Colors joined by a plus may come in any order, but none may be missing.
    """
    return len(short) <= len(full) and all(
        len(few) == len(many)
        and all(few)
        and all(whole.startswith(cut) for cut, whole in zip(sorted(few), many, strict=True))
        for few, many in zip(short, full, strict=False)
    )


def card_names(cards: Iterable[int]) -> list[str]:
    """Return the names of construction cards; ``none`` for an empty space."""
    return [NONE if card == EMPTY else CARDS[card] for card in cards]


# -- What can come up


def _stream(names: Sequence[str], parse: Callable[[str], int], what: str, *keys: str) -> Stream:
    """Return a stream of things that are read word by word."""
    return Stream(
        names,
        dict.fromkeys(keys, lambda text: bytes(map(parse, text.split()))),
        f"which {what} ('{keys[0]}: …')",
        "all copies of it are face up, in a hand, or played",
    )


STREAMS = {
    "cards": _stream(CARDS, parse_card, "construction cards came up", "refill", "timer-refill"),
    "contracts": _stream(
        PUBLIC_NAMES,
        parse_public,
        "public contracts came up",
        "refill-contracts",
        "timer-refill-contracts",
    ),
    "timer": _stream(CARDS, parse_card, "two timer cards were turned up", "timer"),
}
"""The streams of chance that a record shows. The second key of a row is for what came up in it
after the timer cards.
"""
