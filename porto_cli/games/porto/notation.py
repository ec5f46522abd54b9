"""Moves, cards, houses and contracts as text, and back: exact inverses.

Canonical text is what :func:`format_move` and the ``*_name`` tables give. On input, case does
not matter and unambiguous abbreviations are accepted (``b3`` for ``blue-3``, ``l4``, ``b+r``).
Parsing does not check the rules: a card that is not there becomes a move that the rules reject.
Only what is not a move in any position raises :class:`InvalidMoveError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import NoReturn

from porto_cli.core.message import (
    AmbiguousMoveError,
    InvalidMoveError,
    by_verb,
    enumerated,
    shown,
    whole_number,
)
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLORS,
    DEALT,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.moves import (
    CLAIM_NONE,
    KEEP_SEALED,
    PASS,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    Pass,
    build_of,
    draw_of,
)
from porto_cli.games.porto.engine.state import State

UNDO = "undo"
VERBS = ("keep", "draw", "build", "contract", "pass", UNDO)
NONE = "none"
SEALED = "sealed"
"""The word for private contracts that only their player may see."""
TOKEN = "token"
"""The word in front of the house whose roof receives the token of a ground floor."""

PUBLIC_NAMES = tuple(contract.name for contract in PUBLIC)
PRIVATE_NAMES = tuple(contract.name for contract in PRIVATE)

_CARD = {name: card for card, name in enumerate(CARDS)}
_HOUSE = {name: house for house, name in enumerate(HOUSES)}
_PUBLIC = {name: contract for contract, name in enumerate(PUBLIC_NAMES)}
_NOTHING = 254
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


def parse_house(word: str) -> int:
    """Return the house of ``L4`` or ``l4``. Raises InvalidMoveError."""
    if word.upper() in HOUSES:
        return HOUSES.index(word.upper())
    raise InvalidMoveError(
        f"{shown(word)} is not a house; the houses are L1 to L7 on the left side and "
        "R1 to R7 on the right side.",
        HOUSES,
        word,
    )


def parse_public(word: str) -> int:
    """Return the public contract of a name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PUBLIC_NAMES, "public contract", "3-blue-floors, blue-house or blue+red")


def parse_private(word: str) -> int:
    """Return the private contract of a name or abbreviation. Raises InvalidMoveError."""
    return _find(word, PRIVATE_NAMES, "private contract", "houses-blue, pairs-blue+red or palette")


_MOST_CANDIDATES = 6
"""Maximum number of names listed for an ambiguous abbreviation."""


def is_a_component(word: str) -> bool:
    """Return whether a word names a card, its space maybe with it, a house or a contract."""
    card, _, _ = word.partition("@")
    for parse, name in (
        (parse_card, card),
        (parse_house, word),
        (parse_public, word),
        (parse_private, word),
    ):
        try:
            parse(name)
        except InvalidMoveError:
            continue
        return True
    return False


@cache
def _find(word: str, names: tuple[str, ...], what: str, examples: str) -> int:
    lower = word.lower()
    if lower in names:
        return names.index(lower)
    found = _names_cut_to(lower, names)
    if len(found) == 1:
        return names.index(found[0])
    if len(found) > _MOST_CANDIDATES + 1:
        raise AmbiguousMoveError(
            f"{shown(word)} could be {', '.join(found[:_MOST_CANDIDATES])} or one of "
            f"{len(found) - _MOST_CANDIDATES} others; write more of it."
        )
    if found:
        raise AmbiguousMoveError(
            f"{shown(word)} could be {enumerated(found, 'or')}; write more of it."
        )
    raise InvalidMoveError(
        f"{shown(word)} is not a {what}; the name of one is like {examples}.", names, word
    )


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


def card_names(cards: Iterable[int]) -> list[str]:
    """Return the names of construction cards; ``none`` for an empty space."""
    return [NONE if card == EMPTY else CARDS[card] for card in cards]


def parse_move(text: str, state: State, seat: int | None = None) -> Move:
    """Read a move of a player (who is to move, if not said) in the present position.

    Raises InvalidMoveError if the text is not a move; whether it is legal is for the rules.
    """
    words = text.split()
    return by_verb(words, _READERS)(words, state, state.seat if seat is None else seat)


def plain_move(text: str, state: State) -> Build | Claim | Draw | None:
    """Return what :func:`parse_move` returns, but only where that is seen at a glance.

    That is a build, a draw of unlike cards, or a choice of contracts, in canonical words:
    :func:`format_move` would return the same text, so whoever reads many moves can spare that
    question.
    """
    if text[:5] == "draw ":
        spaces = _spaces_in_order(_cards_drawn(text), state.cards)
        return draw_of(spaces) if spaces else None
    words = text.split(" ")
    if words[0] == "build":
        try:
            if len(words) == 4:
                _, number, color, house = words
                return build_of(_CARD[number], _CARD[color], _HOUSE[house])
            _, number, color, house, token, roof = words
            if token == TOKEN:
                return build_of(_CARD[number], _CARD[color], _HOUSE[house], _HOUSE[roof])
        except (KeyError, ValueError):
            return None
    if words[0] == "contract":
        if text == "contract none":
            return CLAIM_NONE
        contracts = [_PUBLIC.get(name, _NOTHING) for name in words[1:]]
        spaces = _spaces_in_order(contracts, state.contracts)
        return Claim(spaces) if spaces else None
    return None


@lru_cache(maxsize=1024)
def _cards_drawn(text: str) -> tuple[int, ...]:
    """Return the cards that a draw names in canonical words; a game has half its draws twice."""
    return tuple(_CARD.get(name, _NOTHING) for name in text.split(" ")[1:])


def _spaces_in_order(things: Iterable[int], row: bytes) -> tuple[int, ...]:
    """Return the spaces in which things lie, or none if they do not lie in this order."""
    spaces: tuple[int, ...] = ()
    last = -1
    for thing in things:
        space = row.find(thing)
        if space <= last:
            return ()
        spaces += (space,)
        last = space
    return spaces


def _read_draw(words: list[str], state: State, seat: int) -> Move:
    free = list(state.cards)
    spaces: list[int] = []
    named: list[int] = []
    lowest: list[int] = []
    for word in words[1:]:
        card, number = _card_and_space(word, len(state.cards))
        if not number:
            lowest.append(card)
            continue
        if free[number - 1] == card:
            spaces.append(number - 1)
            free[number - 1] = EMPTY
        else:
            named.append(card)
    for card in lowest:
        if card in free:
            lowest_space = free.index(card)
            spaces.append(lowest_space)
            free[lowest_space] = EMPTY
        else:
            named.append(card)
    spaces.sort()
    if named:
        return Draw(tuple(spaces), tuple(sorted(named)))
    return draw_of(tuple(spaces))


def _card_and_space(word: str, spaces: int) -> tuple[int, int]:
    """Return the card of a draw, and the space that is named with it, 0 without one."""
    name, at, space = word.partition("@")
    card = parse_card(name)
    if not at:
        return card, 0
    number = whole_number(space)
    if not 1 <= number <= spaces:
        raise InvalidMoveError(
            f"{shown(word)} is not a space of the face-up cards; their spaces are 1 to "
            f"{spaces}, as in blue-1@4."
        )
    return card, number


def _read_build(words: list[str], *_table: object) -> Move:
    if len(words) == 4:
        _, number, color, house = words
        return Build(parse_card(number), parse_card(color), parse_house(house))
    if len(words) == 6 and words[4].lower() == TOKEN:
        _, number, color, house, _, roof = words
        return Build(parse_card(number), parse_card(color), parse_house(house), parse_house(roof))
    raise InvalidMoveError(
        "A build names the card for the number of floors, the card for their color and the "
        "house, and where a token moves also its roof, like: build red-3 blue-1 L4 token L6."
    )


_CLAIM_HOW = "Name the public contracts to fulfill, or none: contract blue+red, contract none."


def _read_claim(words: list[str], state: State, seat: int) -> Move:
    if len(words) == 1:
        raise InvalidMoveError(_CLAIM_HOW)
    if len(words) == 2 and words[1].lower() == NONE:
        return CLAIM_NONE
    spaces: list[int] = []
    named: list[int] = []
    for word in words[1:]:
        if word.isascii() and word.isdigit():
            number = whole_number(word)
            if not 1 <= number <= len(state.contracts):
                raise InvalidMoveError(
                    f"{shown(word)} is not a space of the public contracts; their spaces "
                    f"are 1 to {len(state.contracts)}."
                )
            spaces.append(number - 1)
            continue
        contract = parse_public(word)
        space = state.contracts.find(contract)
        if space < 0:
            named.append(contract)
        else:
            spaces.append(space)
    return Claim(tuple(sorted(spaces)), tuple(sorted(named)))


def _read_keep(words: list[str], state: State, seat: int) -> Move:
    if state.seals and [word.lower() for word in words[1:]] == [SEALED]:
        return KEEP_SEALED
    dealt = list(state.dealt[seat]) if state.dealt and not state.is_revealing else []
    numbers = [word for word in words[1:] if word.isascii() and word.isdigit()]
    # In a game without private contracts it is for the rules to say so.
    last = DEALT if dealt or not state.config.private_contracts else 0
    for word in numbers:
        if not 1 <= whole_number(word) <= last:
            why = "is not a private contract of the deal; they are numbered 1 to 5"
            if not last:
                why = "cannot be read: private contracts are revealed by their names"
                if not state.seals:
                    why = (
                        "cannot be read: the private contracts were dealt on a real table, so keep "
                        "them by their names"
                    )
            raise InvalidMoveError(f"{shown(word)} {why}.")
    places = [int(word) - 1 for word in numbers]
    named: list[int] = []
    for word in words[1:]:
        if word not in numbers:
            contract = parse_private(word)
            free = (place for place, one in enumerate(dealt) if one == contract)
            place = next((place for place in free if place not in places), None)
            if place is None:
                named.append(contract)
            else:
                places.append(place)
    return Keep(tuple(sorted(places)), tuple(sorted(named)))


def _read_pass(words: list[str], *_table: object) -> Move:
    if len(words) > 1:
        raise InvalidMoveError("A pass is the single word: pass.")
    return PASS


def _read_undo(words: list[str], state: State, seat: int) -> NoReturn:
    raise InvalidMoveError("Undo is not a move of the rules: it takes back the last turn.")


_READERS: dict[str, Callable[[list[str], State, int], Move]] = {
    "keep": _read_keep,
    "draw": _read_draw,
    "build": _read_build,
    "contract": _read_claim,
    "pass": _read_pass,
    UNDO: _read_undo,
}


def in_full(text: str) -> str:
    """Return a draw, a build, a choice of public contracts or a pass in canonical words.

    It can be written before the table is known: cards stay in the order in which they are named,
    and contracts have names, not spaces. Raises InvalidMoveError.
    """
    words = text.split()
    return by_verb(words, _IN_FULL)(words)


def _draw_in_full(words: list[str]) -> str:
    cards = [_card_and_space(word, CARD_SPACES) for word in words[1:]]
    names = (f"{CARDS[card]}@{space}" if space else CARDS[card] for card, space in cards)
    return " ".join(["draw", *names])


def _claim_in_full(words: list[str]) -> str:
    names = [word.lower() for word in words[1:]]
    if not names:
        raise InvalidMoveError(_CLAIM_HOW)
    if names != [NONE]:
        names = [PUBLIC_NAMES[parse_public(name)] for name in names]
    return " ".join(["contract", *names])


_IN_FULL: dict[str, Callable[[list[str]], str]] = {
    "draw": _draw_in_full,
    "build": lambda words: str(_read_build(words)),
    "contract": _claim_in_full,
    "pass": lambda words: str(_read_pass(words)),
}


def format_move(move: Move, state: State) -> str:
    """Return the canonical text of a move in the present position."""
    if isinstance(move, Draw):
        return f"draw {' '.join(_drawn(move, state.cards))}"
    if isinstance(move, Build):
        text = f"build {CARDS[move.number]} {CARDS[move.color]} {HOUSES[move.house]}"
        return text if move.token == NOWHERE else f"{text} token {HOUSES[move.token]}"
    if isinstance(move, Claim):
        row = state.contracts
        names = [
            PUBLIC_NAMES[row[space]] if row[space] != EMPTY else str(space + 1)
            for space in move.spaces
        ]
        names += [PUBLIC_NAMES[contract] for contract in move.named]
        return " ".join(["contract", *(names or [NONE])])
    if isinstance(move, Keep | Pass):
        return str(move)
    raise TypeError(f"{move!r} is not a move")


def _drawn(move: Draw, cards: bytes) -> list[str]:
    """Name the cards of a draw; one that is not the lowest of its kind with its space."""
    spaces = move.spaces
    names = []
    for space in spaces:
        card = cards[space]
        if cards.find(card) == space or all(
            lower in spaces for lower in range(space) if cards[lower] == card
        ):
            names.append(CARDS[card])
        else:
            names.append(f"{CARDS[card]}@{space + 1}")
    return [*names, *(CARDS[card] for card in move.named)] if move.named else names
