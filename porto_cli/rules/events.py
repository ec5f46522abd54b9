"""What happened: the plain facts that a move leads to, in the order in which they happen."""

from __future__ import annotations

from typing import NamedTuple, Union


class Kept(NamedTuple):
    """A player has chosen the private contracts; which ones is nobody else's business."""

    seat: int


class Drew(NamedTuple):
    """A player took face-up construction cards."""

    seat: int
    cards: bytes


class Placed(NamedTuple):
    """Floors were placed in a house; ``by_timer`` if it was the build of a solo timer."""

    seat: int
    number: int
    color: int
    house: int
    floors: int
    started: bool
    completed: bool
    by_timer: bool


class TokenMoved(NamedTuple):
    """The token of a ground floor went to a roof, or (``roof`` is ``NOWHERE``) to the box."""

    value: int
    house: int
    roof: int


class RoofPlaced(NamedTuple):
    """A house was completed; ``token`` is the value that left its roof, or 0."""

    house: int
    token: int


class Scored(NamedTuple):
    """A player scored. Reasons: ``floors``, ``neighbors``, ``ground-token``, ``roof-token``,
    ``contract:NAME``, ``private:NAME``.
    """

    seat: int
    reason: str
    vp: int


class Claimed(NamedTuple):
    """A player fulfilled these public contracts, or none of them."""

    seat: int
    contracts: bytes


class Passed(NamedTuple):
    """A player could neither draw nor build."""

    seat: int


class Refilled(NamedTuple):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    row: str
    came_up: bytes


class Reshuffled(NamedTuple):
    """The discards became the new construction deck."""

    cards: int


class TimerTurned(NamedTuple):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    turned: bytes
    cards: bytes
    contracts: bytes


class TimerSkipped(NamedTuple):
    """Nothing could be built with the two timer cards."""


class EndTriggered(NamedTuple):
    """Enough roofs are placed: this round is finished, one more is played."""

    round: int


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
