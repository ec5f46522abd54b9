"""What happened: the plain facts that a move leads to, in the order in which they happen."""

from __future__ import annotations

from typing import Union

from porto_cli.rules.value import Value


class Kept(Value):
    """A player has chosen the private contracts; which ones is nobody else's business."""

    __slots__ = __match_args__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Drew(Value):
    """A player took face-up construction cards."""

    __slots__ = __match_args__ = ("seat", "cards")

    def __init__(self, seat: int, cards: bytes) -> None:
        self.seat = seat
        self.cards = cards


class Placed(Value):
    """Floors were placed in a house; ``by_timer`` if it was the build of a solo timer."""

    __slots__ = __match_args__ = (
        "seat",
        "number",
        "color",
        "house",
        "floors",
        "started",
        "completed",
        "by_timer",
    )

    def __init__(
        self,
        seat: int,
        number: int,
        color: int,
        house: int,
        floors: int,
        started: bool,
        completed: bool,
        by_timer: bool,
    ) -> None:
        self.seat = seat
        self.number = number
        self.color = color
        self.house = house
        self.floors = floors
        self.started = started
        self.completed = completed
        self.by_timer = by_timer


class TokenMoved(Value):
    """The token of a ground floor went to a roof, or (``roof`` is ``NOWHERE``) to the box."""

    __slots__ = __match_args__ = ("value", "house", "roof")

    def __init__(self, value: int, house: int, roof: int) -> None:
        self.value = value
        self.house = house
        self.roof = roof


class RoofPlaced(Value):
    """A house was completed; ``token`` is the value that left its roof, or 0."""

    __slots__ = __match_args__ = ("house", "token")

    def __init__(self, house: int, token: int) -> None:
        self.house = house
        self.token = token


class Scored(Value):
    """A player scored. Reasons: ``floors``, ``neighbors``, ``ground-token``, ``roof-token``,
    ``contract:NAME``, ``private:NAME``.
    """

    __slots__ = __match_args__ = ("seat", "reason", "vp")

    def __init__(self, seat: int, reason: str, vp: int) -> None:
        self.seat = seat
        self.reason = reason
        self.vp = vp


class _Scores(dict[tuple[int, str, int], Scored]):
    def __missing__(self, facts: tuple[int, str, int]) -> Scored:
        scored = self[facts] = Scored(*facts)
        return scored


SCORED = _Scores()
"""``Scored`` by its facts: the same few come again with every build, so each is made once."""


class Claimed(Value):
    """A player fulfilled these public contracts, or none of them."""

    __slots__ = __match_args__ = ("seat", "contracts")

    def __init__(self, seat: int, contracts: bytes) -> None:
        self.seat = seat
        self.contracts = contracts


class Passed(Value):
    """A player could neither draw nor build."""

    __slots__ = __match_args__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Refilled(Value):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    __slots__ = __match_args__ = ("row", "came_up")

    def __init__(self, row: str, came_up: bytes) -> None:
        self.row = row
        self.came_up = came_up


class Reshuffled(Value):
    """The discards became the new construction deck."""

    __slots__ = __match_args__ = ("cards",)

    def __init__(self, cards: int) -> None:
        self.cards = cards


class TimerTurned(Value):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    __slots__ = __match_args__ = ("turned", "cards", "contracts")

    def __init__(self, turned: bytes, cards: bytes, contracts: bytes) -> None:
        self.turned = turned
        self.cards = cards
        self.contracts = contracts


class TimerSkipped(Value):
    """Nothing could be built with the two timer cards."""

    __slots__ = ()


class EndTriggered(Value):
    """Enough roofs are placed: this round is finished, one more is played."""

    __slots__ = __match_args__ = ("round",)

    def __init__(self, round: int) -> None:  # noqa: A002
        self.round = round


class Ended(Value):
    """The game is over and the private contracts, if any, are scored."""

    __slots__ = ()


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
