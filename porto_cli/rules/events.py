"""What happened: the plain facts that a move leads to, in the order in which they happen.

Events are values. Seats, cards, contracts and houses are numbers, as everywhere in the rules;
``porto_cli.happenings`` turns events into sentences and JSON.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple, Union

from porto_cli.rules.value import value

FLOORS, NEIGHBORS = "floors", "neighbors"
GROUND_TOKEN, ROOF_TOKEN = "ground-token", "roof-token"
CONTRACT, PRIVATE_CONTRACT = "contract", "private"
"""What VP are scored for: the kinds of a :class:`Scored`."""


@value
class Kept(NamedTuple):
    """A player (``seat``) has chosen the private contracts; which ones is a secret."""

    seat: int


@value
class Drew(NamedTuple):
    """A player took face-up construction cards, ``cards`` in the order of their spaces."""

    seat: int
    cards: bytes


@value
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


@value
class TokenMoved(NamedTuple):
    """The token of the ground floor of ``house`` went to a ``roof``, or (14) to the box."""

    value: int
    house: int
    roof: int


@value
class RoofPlaced(NamedTuple):
    """A house was completed; ``token`` is the value that left its roof, or 0."""

    house: int
    token: int


@value
class Scored(NamedTuple):
    """A player scored.

    ``kind``      ``floors``, ``neighbors``, ``ground-token``, ``roof-token``, ``contract`` (a
                  public one) or ``private`` (at the end of the game)
    ``contract``  the name of the contract, for these last two
    """

    seat: int
    kind: str
    vp: int
    contract: str = ""

    @property
    def reason(self) -> str:
        """Kind and contract as one word, as JSON and scenarios have it: ``contract:blue+red``."""
        return f"{self.kind}:{self.contract}" if self.contract else self.kind


@value
class Claimed(NamedTuple):
    """A player fulfilled these public contracts, or none of them."""

    seat: int
    contracts: bytes


@value
class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: int


@value
class Refilled(NamedTuple):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    row: str
    came_up: bytes


@value
class Reshuffled(NamedTuple):
    """The discards, so many ``cards``, became the new construction deck."""

    cards: int


@value
class TimerTurned(NamedTuple):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    turned: bytes
    cards: bytes
    contracts: bytes


@value
class TimerSkipped(NamedTuple):
    """Nothing could be built with the two timer cards."""


@value
class EndTriggered(NamedTuple):
    """Enough roofs are placed: this ``round`` is finished, one more is played."""

    round: int


@value
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
    Ended,
]

# The same few come again and again, so each of them is made once.
drew = cache(Drew)
token_moved = cache(TokenMoved)
roof_placed = cache(RoofPlaced)
scored = cache(Scored)
refilled = lru_cache(maxsize=4096)(Refilled)
