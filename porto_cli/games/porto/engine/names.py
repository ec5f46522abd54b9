"""How components are called, and what people may write for them.

Case does not matter, and unambiguous abbreviations are accepted (``b3`` for ``blue-3``, ``l4``,
``b+r``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from porto_cli.core.message import InvalidMoveError, enumerated, shown, the_only
from porto_cli.games.porto.engine.components import (
    CARDS,
    COLORS,
    EMPTY,
    HOUSES,
    LEFT_SIDE,
    PRIVATE,
    PUBLIC,
    RIGHT_SIDE,
)

NONE = "none"
"""The word for no contract, and for an empty space."""
PUBLIC_NAMES = tuple(contract.name for contract in PUBLIC)
PRIVATE_NAMES = tuple(contract.name for contract in PRIVATE)
CARD_OF = {name: card for card, name in enumerate(CARDS)}
HOUSE_OF = {name: house for house, name in enumerate(HOUSES)}
PUBLIC_OF = {name: contract for contract, name in enumerate(PUBLIC_NAMES)}
"""The components of whole names."""
NOTHING = 254
"""Neither a card nor a contract nor an empty space: no row contains it."""


def parse_color(word: str) -> int:
    """Return the color of a name or its beginning. Raises InvalidMoveError."""
    word = word.lower()
    for color, name in enumerate(COLORS):
        if word and name.startswith(word):
            return color
    raise InvalidMoveError(
        f"{shown(word)} is not a color; the colors are {enumerated(COLORS)}.", COLORS, word
    )


@cache
def parse_card(word: str) -> int:
    """Return the construction card of ``blue-3``, ``b3`` … Raises InvalidMoveError."""
    color, value = word[:-1].lower().removesuffix("-"), word[-1:]
    for card, name in enumerate(CARDS):
        if color and name.startswith(color) and name.endswith(f"-{value}"):
            return card
    raise InvalidMoveError(
        f"{shown(word)} is not a construction card; a card is a color and a value from 1 "
        "to 3, like blue-3 or b3.",
        CARDS,
        word,
    )


@cache
def parse_house(word: str, sides: Sequence[Sequence[int]] = (LEFT_SIDE, RIGHT_SIDE)) -> int:
    """Return the house of ``L4`` or ``l4``. Raises InvalidMoveError, which names the houses of both
    ``sides``.
    """
    if word.upper() in HOUSES:
        return HOUSES.index(word.upper())
    left, right = (f"{HOUSES[side[0]]} to {HOUSES[side[-1]]}" for side in sides)
    raise InvalidMoveError(
        f"{shown(word)} is not a house; the houses are {left} on the left side and "
        f"{right} on the right side.",
        [HOUSES[house] for side in sides for house in side],
        word,
    )


def parse_public(word: str) -> int:
    """Return the public contract of a name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PUBLIC_NAMES, "public contract", "3-blue-floors, blue-house or blue+red")


def parse_private(word: str) -> int:
    """Return the private contract of a name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PRIVATE_NAMES, "private contract", "houses-blue, pairs-blue+red or palette")


@cache
def _find(word: str, names: tuple[str, ...], what: str, examples: str) -> int:
    lower = word.lower()
    found = [lower] if lower in names else _names_cut_to(lower, names)
    why = f"{shown(word)} is not a {what}; the name of one is like {examples}."
    return names.index(the_only(found, word, InvalidMoveError(why, names, word)))


def _names_cut_to(short: str, names: Iterable[str]) -> list[str]:
    """Return the names whose parts are all there, each cut short; else those that begin so."""
    if not short:
        return []
    parts = _parts(short)
    begun = [name for name in names if _abbreviates(parts, _parts(name))]
    whole = [name for name in begun if len(_parts(name)) == len(parts)]
    return whole or [name for name in names if name in begun or name.startswith(short)]


def _parts(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(part.split("+")) for part in name.split("-"))


def _abbreviates(short: Sequence[Sequence[str]], full: Sequence[Sequence[str]]) -> bool:
    """Return whether a name is cut short: in any of its parts, or after one of them.

    Colors joined by a plus may come in any order, but all of them have to be there.
    """
    return len(short) <= len(full) and all(
        len(few) == len(many)
        and all(few)
        and all(whole.startswith(cut) for cut, whole in zip(sorted(few), many, strict=True))
        for few, many in zip(short, full, strict=False)
    )


def names_of(stream: str) -> tuple[str, ...]:
    """Return the names of what comes up in a stream of chance: public contracts, or cards."""
    return PUBLIC_NAMES if stream == "contracts" else CARDS


def card_names(cards: Iterable[int]) -> list[str]:
    """Return the names of construction cards; ``none`` for an empty space."""
    return [NONE if card == EMPTY else CARDS[card] for card in cards]
