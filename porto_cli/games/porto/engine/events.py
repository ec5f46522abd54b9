"""What happened: the plain facts that a move leads to, in the order in which they happen.

Events are values. Seats, cards, contracts and houses are numbers, as everywhere in the rules, but
are shown by their names; ``games.porto.event_text`` turns events into sentences and JSON.

>>> Drew(0, bytes([10, 0]))
<Drew seat=0 cards=red-2,blue-1>
>>> Placed(1, 10, 0, 3, floors=2, started=True, completed=False, by_timer=False)
<Placed seat=1 number=red-2 color=blue-1 house=L4 floors=2 started>
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar, Union

from porto_cli.core.value import value
from porto_cli.games.porto.engine.components import CARDS, HOUSES, NOWHERE, PUBLIC

FLOORS, NEIGHBORS = "floors", "neighbors"
GROUND_TOKEN, ROOF_TOKEN = "ground-token", "roof-token"
PUBLIC_CONTRACT, PRIVATE_CONTRACT = "contract", "private"
SOURCES = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN, PUBLIC_CONTRACT, PRIVATE_CONTRACT)
"""What VP are scored for: the kinds of a :class:`Scored`."""

T = TypeVar("T", bound=type[tuple[Any, ...]])


def event(cls: T) -> T:
    """Make a named tuple a value that is shown by the names of what is in it."""
    cls.__repr__ = _shown  # type: ignore[method-assign]
    return value(cls)


def _shown(one: Any) -> str:
    words = [type(one).__name__]
    for field, thing in one._asdict().items():
        if isinstance(thing, bool):
            words += [field] if thing else []
        elif thing != "":
            words.append(f"{field}={_named(one, field, thing)}")
    return f"<{' '.join(words)}>"


def _named(one: Any, field: str, thing: Any) -> str:
    """Return what a field holds by its name."""
    if field in ("house", "roof"):
        return "none" if thing == NOWHERE else str(HOUSES[thing])
    if field in ("number", "color"):
        return str(CARDS[thing])
    if isinstance(thing, bytes):
        public = field == "contracts" or getattr(one, "row", "") == "contracts"
        names: Sequence[str] = [contract.name for contract in PUBLIC] if public else CARDS
        return ",".join([names[each] for each in thing]) or "none"
    return str(thing)


@event
class Kept(NamedTuple):
    """A player (``seat``) has chosen the private contracts; which ones is a secret."""

    seat: int


@event
class Drew(NamedTuple):
    """A player took face-up construction cards, ``cards`` in the order of their spaces."""

    seat: int
    cards: bytes


@event
class Placed(NamedTuple):
    """Floors were placed in a house.

    ``number``, ``color``  the two cards that were played
    ``house``, ``floors``  where, and how many floors
    ``started``            the house had no floors before
    ``completed``          it has its roof now
    ``by_timer``           it was the build of a solo timer
    """

    seat: int
    number: int
    color: int
    house: int
    floors: int
    started: bool
    completed: bool
    by_timer: bool


@event
class TokenMoved(NamedTuple):
    """The token of the ground floor of ``house`` went to a ``roof``, or (14) to the box."""

    value: int
    house: int
    roof: int


@event
class RoofPlaced(NamedTuple):
    """A house was completed; ``token`` is the value that left its roof, or 0."""

    house: int
    token: int


class Score(NamedTuple):
    """VP, and what for.

    ``kind``      ``floors``, ``neighbors``, ``ground-token``, ``roof-token``, ``contract`` (a
                  public one) or ``private`` (at the end of the game)
    ``contract``  the name of the contract, for these last two
    """

    kind: str
    vp: int
    contract: str = ""

    @property
    def reason(self) -> str:
        """Kind and contract as one word, as JSON and scenarios have it: ``contract:blue+red``."""
        return f"{self.kind}:{self.contract}" if self.contract else self.kind


@event
class Scored(NamedTuple):
    """A player scored; the fields are those of a :class:`Score`."""

    seat: int
    kind: str
    vp: int
    contract: str = ""

    @property
    def score(self) -> Score:
        """The VP and what for, whoever got them."""
        return Score(self.kind, self.vp, self.contract)

    @property
    def reason(self) -> str:
        """Kind and contract as one word, see :class:`Score`."""
        return self.score.reason


@event
class Claimed(NamedTuple):
    """A player fulfilled these public contracts, or none of them."""

    seat: int
    contracts: bytes


@event
class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: int


@event
class Refilled(NamedTuple):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    row: str
    came_up: bytes


@event
class Reshuffled(NamedTuple):
    """The discards, so many ``cards``, became the new construction deck."""

    cards: int


@event
class TimerTurned(NamedTuple):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    turned: bytes
    cards: bytes
    contracts: bytes


@event
class TimerSkipped(NamedTuple):
    """Nothing could be built with the two timer cards."""


@event
class EndTriggered(NamedTuple):
    """Enough roofs are placed: this ``round`` is finished, one more is played."""

    round: int


@event
class Revealed(NamedTuple):
    """A player of a sealed game has shown which private ``contracts`` were kept (P-END-2)."""

    seat: int
    contracts: bytes


@event
class GivenUp(NamedTuple):
    """The others of a sealed game go on without a player who has vanished."""

    seat: int


@event
class Ended(NamedTuple):
    """The game is over and the private contracts, if any, are scored."""


Event = Union[  # noqa: UP007 - evaluated at run time
    Kept,
    Drew,
    Placed,
    TokenMoved,
    RoofPlaced,
    Scored,
    Claimed,
    Passed,
    Refilled,
    Reshuffled,
    TimerTurned,
    TimerSkipped,
    EndTriggered,
    Revealed,
    GivenUp,
    Ended,
]

# The same few come again and again, so each of them is made once.
drew = cache(Drew)
token_moved = cache(TokenMoved)
roof_placed = cache(RoofPlaced)
scored = cache(Scored)
refilled = lru_cache(maxsize=4096)(Refilled)
