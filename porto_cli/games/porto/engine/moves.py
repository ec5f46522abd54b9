"""What all kinds of moves and events have in common: how they are shown, read by place, and named
in documents; and the events that no single kind of moves leads to.

Seats, cards, contracts and houses are numbers, as everywhere in the rules. What a field holds says
its type: :data:`Cards`, :data:`House` … know the names, and what is in a JSON document. Those
events that one kind of move alone leads to are declared beside it.

>>> Refilled("cards", bytes([10, 0]))
<Refilled row=cards came_up=red-2,blue-1>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

from porto_cli.core import (
    Fact,
    InvalidMoveError,
    Refusals,
    defined,
    enumerated,
    facts_shown,
    named,
    shown,
    value,
    whole_number,
)
from porto_cli.games.porto.engine import (
    CARDS,
    HOUSES,
    NOWHERE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
)
from porto_cli.games.porto.engine.state import Config

# -- What all kinds of moves have in common: plain values, shown in the words of the notation
#
# Moves do not say who makes them. Cards are named by the *space* they lie in (counted from 0),
# because that is what decides which spaces are empty afterwards. A card that was named but does not
# lie there is kept in ``named``, so that the rules and not the parser reject it; in a legal move it
# is empty.
#
# A move that was parsed, or is one of the legal moves, is well-formed. One that a program built may
# name a space twice, out of order, or one that does not exist; what is wrong with its ``form`` is
# said before any rule is looked at.

T = TypeVar("T", bound=type[tuple[Any, ...]])


def move(verb: str, *phases: str, words: Sequence[str] = ()) -> Callable[[T], T]:
    """Return what makes a named tuple a move of a verb that the player to move can make in some
    phases: a value that is shown in the words of the notation, without a table. It says its words
    as ``shown``, also where it is wrong in any way; ``words`` are those that name nothing.
    """

    def made(cls: T) -> T:
        cls.verb, cls.phases, cls.words = verb, phases, words  # type: ignore[attr-defined]
        cls.__repr__ = lambda self: f"<{' '.join([cls.__name__, *self.shown()])}>"  # type: ignore[method-assign,attr-defined]
        cls.__str__ = lambda self: " ".join([verb, *self.shown()])  # type: ignore[method-assign,attr-defined]
        return value(cls)

    return made


def name_in(names: Sequence[str], index: object) -> str:
    """Return the name of a number; what has no name is shown as it is."""
    if isinstance(index, int) and 0 <= index < len(names):
        return names[index]
    return f"?{index!r}"


class Places(NamedTuple):
    """The places that a kind of moves names: the ruling, how many there are, the names of the
    things there, what a place is called, and where it is.
    """

    rule: str
    spaces: int
    names: Sequence[str]
    called: str
    where: str
    sign: str = ""

    def shown(self, places: Iterable[object], named: Iterable[object]) -> list[str]:
        """Return places, counted from 1, and things that are named instead."""
        words = [
            f"{self.sign}{place + 1 if isinstance(place, int) else f'?{place!r}'}"
            for place in places
        ]
        return words + [name_in(self.names, thing) for thing in named]

    def numbered(self, number: str, word: str) -> int:
        """Return the place of a number in a word. Raises InvalidMoveError."""
        place = whole_number(number) - 1
        if 0 <= place < self.spaces:
            return place
        hint = f", as in {self.names[0]}{self.sign}{self.spaces}" if self.sign else ""
        where = f"{self.where} 1 to {self.spaces}{hint}"
        raise InvalidMoveError(f"{shown(word)} is not a {self.called}; {where}.")

    def form(self, one: Any, *, hidden: bool = False) -> Refusals:
        """Return what is wrong with a move whatever the position; to name a place twice is not.

        Raises TypeError and ValueError for anything but places and things.
        """
        places, named = one
        demand(one, (places, None), (named, None if hidden else len(self.names)))
        for place in places:
            if not 0 <= place < self.spaces:
                said = f"There is no {self.called} {place + 1}; {self.where} 1 to {self.spaces}."
                yield self.rule, said
        if any(list(some) != sorted(some) for some in one):
            yield self.rule, f"Name the {self.called}s in ascending order."


def demand(one: Any, *fields: tuple[Any, int | None]) -> None:
    """Demand whole numbers, and that each card, contract and house is one of so many.

    Raises TypeError, ValueError.
    """
    what = f"{tuple(one)} is no {type(one).__name__}"
    for numbers, _ in fields:
        if type(numbers) is not tuple or any(type(number) is not int for number in numbers):
            raise TypeError(f"{what}: it takes whole numbers.")
    for numbers, count in fields:
        for number in numbers:
            if count is not None and not 0 <= number < count:
                raise ValueError(f"{what}: {number} is not one of 0 to {count - 1}.")


# -- Events


class Event(Protocol):
    """Something that happened: a named tuple of facts."""

    def told(self, config: Config) -> str:
        """Return it as a sentence."""

    def _asdict(self) -> dict[str, Any]:
        """Return the facts by the names of the fields."""


# -- What a field can hold


def _list(item: str, **more: int) -> dict[str, Any]:
    return {"type": "array", "items": defined(item), **more}


def _cards(**sizes: int) -> Fact:
    return Fact(_list("card", **sizes), lambda cards, _: card_names(cards))


def _public(contracts: Iterable[int]) -> list[str]:
    return [PUBLIC_NAMES[contract] for contract in contracts]


Seat = Annotated[int, Fact({"type": "string"})]
"""A player; JSON has the name, as ``player``."""
Count = Annotated[int, Fact({"type": "integer", "minimum": 0})]
Floors = Annotated[int, Fact({"type": "integer", "minimum": 1, "maximum": 3})]
House = Annotated[int, Fact(defined("house_name"), lambda house, _: HOUSES[house])]
Roof = Annotated[
    int,
    Fact(
        {"anyOf": [defined("house_name"), {"type": "null"}]},
        lambda roof, _: None if roof == NOWHERE else HOUSES[roof],
    ),
]
Card = Annotated[int, Fact(defined("card"), lambda card, _: CARDS[card])]
Cards = Annotated[bytes, _cards()]
Drawn = Annotated[bytes, _cards(minItems=1, maxItems=3)]
TwoCards = Annotated[bytes, _cards(minItems=2, maxItems=2)]
PublicContracts = Annotated[bytes, Fact(_list("public_contract"), lambda some, _: _public(some))]
PrivateContracts = Annotated[
    bytes,
    Fact(_list("private_contract"), lambda some, _: [PRIVATE_NAMES[one] for one in some]),
]
Reason = Annotated[str, Fact(defined("reason"))]
Row = Annotated[str, Fact({"enum": ["cards", "contracts"]})]
InARow = Annotated[
    bytes,
    Fact(
        {"anyOf": [_list("card", minItems=1), _list("public_contract", minItems=1)]},
        lambda some, event: card_names(some) if event.row == "cards" else _public(some),
    ),
]
"""Cards or public contracts, as the ``row`` of the event says."""


EVENTS: list[type[Any]] = []
"""All kinds of events, once the modules of all kinds of moves are loaded."""


def event(cls: T) -> T:
    """Make a named tuple a kind of events: a value that is shown by the names of what is in it."""
    cls.__repr__ = facts_shown  # type: ignore[method-assign]
    EVENTS.append(cls)
    return value(cls)


# -- VP

FLOORS, NEIGHBORS = "floors", "neighbors"
GROUND_TOKEN, ROOF_TOKEN = "ground-token", "roof-token"
PUBLIC_CONTRACT, PRIVATE_CONTRACT = "contract", "private"


class Source(NamedTuple):
    """What VP are scored for."""

    head: str
    """Above a column."""
    name: str
    why: str
    """What follows ``scores 3 VP for``."""
    rule: str = ""
    """The ruling that is counted for it in simulations, if the kind alone says which."""


TOLD = {
    FLOORS: Source("floors", "floors", "the floors of the house", "P-SCORE-1"),
    NEIGHBORS: Source("neighbors", "neighbors", "neighboring floors", "P-SCORE-2"),
    GROUND_TOKEN: Source("ground", "ground tokens", "the token of the ground floor"),
    ROOF_TOKEN: Source("roof", "roof tokens", "the token on the roof"),
    PUBLIC_CONTRACT: Source("public", "public contracts", "the public contract", "P-PUBLIC-2"),
    PRIVATE_CONTRACT: Source("private", "private contracts", "the private contract"),
}
"""How each kind of a :class:`Scored` is called."""
SOURCES = tuple(TOLD)
"""What VP are scored for: the kinds of a :class:`Scored`."""


@event
class Scored(NamedTuple):
    """A player scored.

    ``reason``  ``floors``, ``neighbors``, ``ground-token``, ``roof-token``; or a contract, as in
                ``contract:blue+red`` (a public one) and ``private:palette`` (at the end of the
                game)
    """

    seat: Seat
    reason: Reason
    vp: Count

    @property
    def kind(self) -> str:
        """What the reason begins with, one of the ``SOURCES``."""
        return self.reason.partition(":")[0]

    @property
    def contract(self) -> str:
        """The name of the contract; nothing for other kinds."""
        return self.reason.partition(":")[2]

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        what_for = " ".join(filter(None, (TOLD[self.kind].why, self.contract)))
        return f"{config.players[self.seat]} scores {self.vp} VP for {what_for}."


def scored_in(events: Iterable[Event]) -> list[Scored]:
    """Return what was scored in a turn: not the private contracts, which count at the end."""
    return [one for one in events if isinstance(one, Scored) and one.kind != PRIVATE_CONTRACT]


# -- What happens by itself


@event
class Refilled(NamedTuple):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    row: Row
    came_up: InARow

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        things = "face-up cards" if self.row == "cards" else "public contracts"
        return f"New {things}: {', '.join(named(self)['came_up'])}."


@event
class Reshuffled(NamedTuple):
    """The discards became the new construction deck of ``cards`` cards."""

    cards: Count

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"The deck was empty; {self.cards} discards became the new deck."


@event
class TimerTurned(NamedTuple):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    turned: TwoCards
    cards: Cards
    contracts: PublicContracts

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        contracts = _public(self.contracts)
        what = f"{'contracts' if len(contracts) > 1 else 'contract'} {enumerated(contracts)}"
        rows = (enumerated(card_names(self.cards)), f"the {what}" if contracts else "")
        gone = ", and ".join(filter(None, rows)) or "nothing"
        return f"The timer draws {' and '.join(card_names(self.turned))}. It discards {gone}."


@event
class TimerSkipped(NamedTuple):
    """Nothing could be built with the two timer cards."""

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return "Nothing can be built with the two timer cards, so the build is skipped."


@event
class EndTriggered(NamedTuple):
    """Enough roofs are placed: this ``round`` is finished, one more is played."""

    round: Count

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return f"Enough roofs are placed: the game ends after round {self.round + 1}."


@event
class GivenUp(NamedTuple):
    """The others of a sealed game go on without a player who has vanished."""

    seat: Seat

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        who = config.players[self.seat]
        return (
            f"{who} is given up: the others play on without {who}, and no private contracts "
            f"of {who} count."
        )


@event
class Ended(NamedTuple):
    """The game is over and the private contracts, if any, are scored."""

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        return "The game is over."
