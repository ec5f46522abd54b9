"""Events: the facts that moves lead to, in the order in which things happen, and how they are told.

Seats, cards, contracts and houses are numbers, as everywhere in the rules. What a field holds says
its type: :data:`Cards`, :data:`House` … know the names, and what is in a JSON document. Those
events that one kind of move alone leads to are declared beside it.

>>> Refilled("cards", bytes([10, 0]))
<Refilled row=cards came_up=red-2,blue-1>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol, TypeVar, get_type_hints

from porto_cli.core.chance import value
from porto_cli.core.message import enumerated
from porto_cli.games.porto.engine.components import CARDS, HOUSES, NOWHERE
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES, card_names

if TYPE_CHECKING:
    from porto_cli.games.porto.engine.state import Config

T = TypeVar("T", bound=type[tuple[Any, ...]])
Schema = dict[str, Any]


class Event(Protocol):
    """Something that happened: a named tuple of facts."""

    def told(self, config: Config) -> str:
        """Return it as a sentence."""

    def _asdict(self) -> dict[str, Any]:
        """Return the facts by the names of the fields."""


# -- What a field can hold


class Fact(NamedTuple):
    """A kind of facts: what one is in a JSON document, and how it is named, if not as it is, given
    its event.
    """

    schema: Schema
    named: Callable[[Any, Any], Any] = lambda fact, _: fact


def ref(name: str) -> Schema:
    """Return the schema of something that is defined by a name."""
    return {"$ref": f"#/$defs/{name}"}


def _list(item: str, **more: int) -> Schema:
    return {"type": "array", "items": ref(item), **more}


def _cards(**sizes: int) -> Fact:
    return Fact(_list("card", **sizes), lambda cards, _: card_names(cards))


def _public(contracts: Iterable[int]) -> list[str]:
    return [PUBLIC_NAMES[contract] for contract in contracts]


Seat = Annotated[int, Fact({"type": "string"})]
"""A player; JSON has the name, as ``player``."""
Count = Annotated[int, Fact({"type": "integer", "minimum": 0})]
Floors = Annotated[int, Fact({"type": "integer", "minimum": 1, "maximum": 3})]
House = Annotated[int, Fact(ref("house_name"), lambda house, _: HOUSES[house])]
Roof = Annotated[
    int,
    Fact(
        {"anyOf": [ref("house_name"), {"type": "null"}]},
        lambda roof, _: None if roof == NOWHERE else HOUSES[roof],
    ),
]
Card = Annotated[int, Fact(ref("card"), lambda card, _: CARDS[card])]
Cards = Annotated[bytes, _cards()]
Drawn = Annotated[bytes, _cards(minItems=1, maxItems=3)]
TwoCards = Annotated[bytes, _cards(minItems=2, maxItems=2)]
PublicContracts = Annotated[bytes, Fact(_list("public_contract"), lambda some, _: _public(some))]
PrivateContracts = Annotated[
    bytes,
    Fact(_list("private_contract"), lambda some, _: [PRIVATE_NAMES[one] for one in some]),
]
Row = Annotated[str, Fact({"enum": ["cards", "contracts"]})]
InARow = Annotated[
    bytes,
    Fact(
        {"anyOf": [_list("card", minItems=1), _list("public_contract", minItems=1)]},
        lambda some, event: card_names(some) if event.row == "cards" else _public(some),
    ),
]
"""Cards or public contracts, as the ``row`` of the event says."""


@cache
def facts_of(kind: type) -> dict[str, Any]:
    """Return the types of the fields of a kind of events, in their order."""
    return get_type_hints(kind, include_extras=True)


def named(one: Event) -> dict[str, Any]:
    """Return the fields of an event, with the names of houses, cards and contracts."""
    found = one._asdict()
    for field, hint in facts_of(type(one)).items():
        for fact in getattr(hint, "__metadata__", ()):
            found[field] = fact.named(found[field], one)
    return found


EVENTS: list[type[Any]] = []
"""All kinds of events, once the modules of all kinds of moves are loaded."""


def event(cls: T) -> T:
    """Make a named tuple a kind of events: a value that is shown by the names of what is in it."""
    cls.__repr__ = _shown  # type: ignore[method-assign]
    EVENTS.append(cls)
    return value(cls)


def _shown(one: Any) -> str:
    words = [type(one).__name__]
    for field, thing in named(one).items():
        if isinstance(thing, bool):
            words += [field] if thing else []
        elif thing != "":
            shown = ",".join(thing) if isinstance(thing, list) else thing
            words.append(f"{field}={'none' if shown in ('', None) else shown}")
    return f"<{' '.join(words)}>"


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

    ``kind``      ``floors``, ``neighbors``, ``ground-token``, ``roof-token``, ``contract`` (a
                  public one) or ``private`` (at the end of the game)
    ``contract``  the name of the contract, for these last two
    """

    seat: Seat
    kind: str
    vp: int
    contract: str = ""

    @property
    def reason(self) -> str:
        """Kind and contract as one word, as JSON and scenarios have it: ``contract:blue+red``."""
        return f"{self.kind}:{self.contract}" if self.contract else self.kind

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


# The same few come again and again: made once each, whole records are replayed 4 % faster.
scored = cache(Scored)
refilled = lru_cache(maxsize=4096)(Refilled)
