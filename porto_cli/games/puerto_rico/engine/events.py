"""What happened: the plain facts that a move leads to, in the order in which they happen.

``auto`` marks what came from a move that made itself (PR-AUTO-1).
"""

from __future__ import annotations

from typing import Any

from porto_cli.games.puerto_rico.engine.value import Value

TRADING_HOUSE = 0
"""What an :class:`Emptied` names besides the spaces of a cargo ship."""

SMALL_WHARF = -2
"""Where a :class:`Loaded` went by the Small Wharf; a wharf is ``moves.WHARF``."""


class Event(Value):
    """Something that happened. Treat it as read-only."""

    __slots__ = ("auto",)
    auto: bool

    def facts(self) -> dict[str, Any]:
        """Return the facts by name, ``auto`` the last."""
        return {**super().facts(), "auto": self.auto}


class Chose(Event):
    """A player named a violet building for the game (PR-DRAFT-1)."""

    __slots__ = __match_args__ = ("seat", "building")

    def __init__(self, seat: int, building: int) -> None:
        self.seat = seat
        self.building = building
        self.auto = False


class TookRole(Event):
    """A player took a role card (PR-ROLE-1)."""

    __slots__ = __match_args__ = ("seat", "role", "no_colonist")

    def __init__(self, seat: int, role: int, no_colonist: bool) -> None:
        self.seat = seat
        self.role = role
        self.no_colonist = no_colonist
        self.auto = False


class TookTile(Event):
    """A player put a tile on the island.

    ``source`` is ``row``, ``stack`` or ``quarries``; ``tile`` what it was there; ``forest`` tells
    that it lies face down now, ``colonist`` that a colonist came with it.
    """

    __slots__ = __match_args__ = ("seat", "tile", "source", "forest", "colonist")

    def __init__(self, seat: int, tile: int, source: str, forest: bool, colonist: bool) -> None:
        self.seat = seat
        self.tile = tile
        self.source = source
        self.forest = forest
        self.colonist = colonist
        self.auto = False


class TilesTurned(Event):
    """These plantations are the new row: how many of each kind (PR-SETTLER-4)."""

    __slots__ = __match_args__ = ("tiles",)

    def __init__(self, tiles: bytes) -> None:
        self.tiles = tiles
        self.auto = False


class Reshuffled(Event):
    """These discards became the new stack: how many of each kind (PR-SETTLER-6)."""

    __slots__ = __match_args__ = ("tiles",)

    def __init__(self, tiles: bytes) -> None:
        self.tiles = tiles
        self.auto = False


class ColonistsDealt(Event):
    """A player got colonists: from the ship, and by privilege from the supply (PR-MAYOR-1)."""

    __slots__ = __match_args__ = ("seat", "colonists", "privilege")

    def __init__(self, seat: int, colonists: int, privilege: int) -> None:
        self.seat = seat
        self.colonists = colonists
        self.privilege = privilege
        self.auto = False


class Placed(Event):
    """A player placed all colonists: how many on each place, and how many stay in San Juan."""

    __slots__ = __match_args__ = ("seat", "colonists", "san_juan")

    def __init__(self, seat: int, colonists: bytes, san_juan: int) -> None:
        self.seat = seat
        self.colonists = colonists
        self.san_juan = san_juan
        self.auto = False


class ShipRefilled(Event):
    """The colonist ship got so many colonists; ``wanted`` were asked for (PR-MAYOR-6)."""

    __slots__ = __match_args__ = ("colonists", "wanted")

    def __init__(self, colonists: int, wanted: int) -> None:
        self.colonists = colonists
        self.wanted = wanted
        self.auto = False


class Built(Event):
    """A player built a building for a price.

    ``good``, ``vp`` and ``returned_colonist`` are what went back for it, as in the move;
    ``colonist`` tells that one came with it.
    """

    __slots__ = __match_args__ = (
        "seat",
        "building",
        "price",
        "good",
        "vp",
        "returned_colonist",
        "colonist",
    )

    def __init__(
        self,
        seat: int,
        building: int,
        price: int,
        good: int,
        vp: bool,
        returned_colonist: int,
        colonist: bool,
    ) -> None:
        self.seat = seat
        self.building = building
        self.price = price
        self.good = good
        self.vp = vp
        self.returned_colonist = returned_colonist
        self.colonist = colonist
        self.auto = False


class Produced(Event):
    """A player produced so many barrels of each good (PR-CRAFTSMAN-1)."""

    __slots__ = __match_args__ = ("seat", "goods")

    def __init__(self, seat: int, goods: bytes) -> None:
        self.seat = seat
        self.goods = goods
        self.auto = False


class TookGoods(Event):
    """The chooser took these barrels in addition (PR-CRAFTSMAN-4)."""

    __slots__ = __match_args__ = ("seat", "goods")

    def __init__(self, seat: int, goods: bytes) -> None:
        self.seat = seat
        self.goods = goods
        self.auto = False


class Sold(Event):
    """A player sold a barrel, to the trading house or the own trading post."""

    __slots__ = __match_args__ = ("seat", "good", "post")

    def __init__(self, seat: int, good: int, post: bool) -> None:
        self.seat = seat
        self.good = good
        self.post = post
        self.auto = False


class Loaded(Event):
    """A player loaded barrels.

    ``onto`` is the number of spaces of a cargo ship, ``WHARF`` or ``SMALL_WHARF``.
    """

    __slots__ = __match_args__ = ("seat", "goods", "onto")

    def __init__(self, seat: int, goods: bytes, onto: int) -> None:
        self.seat = seat
        self.goods = goods
        self.onto = onto
        self.auto = False


class Stored(Event):
    """A player kept these barrels; those went back to the supply (PR-STORE-1)."""

    __slots__ = __match_args__ = ("seat", "goods", "returned")

    def __init__(self, seat: int, goods: bytes, returned: bytes) -> None:
        self.seat = seat
        self.goods = goods
        self.returned = returned
        self.auto = False


class Emptied(Event):
    """A full cargo ship, ``what`` being its spaces, or the trading house (0) was emptied."""

    __slots__ = __match_args__ = ("what", "goods")

    def __init__(self, what: int, goods: bytes) -> None:
        self.what = what
        self.goods = goods
        self.auto = False


class GuestMoved(Event):
    """A guest went to this place (PR-B-GUEST-HOUSE)."""

    __slots__ = __match_args__ = ("seat", "place")

    def __init__(self, seat: int, place: int) -> None:
        self.seat = seat
        self.place = place
        self.auto = False


class Passed(Event):
    """A player declined, or could do nothing."""

    __slots__ = __match_args__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.auto = False


class Scored(Event):
    """A player got VP from the pool, or returned some (``vp`` is negative).

    Reasons: ``shipping``, ``captain``, ``harbor``, ``union-hall``, ``church``, ``black-market``.
    """

    __slots__ = __match_args__ = ("seat", "reason", "vp")

    def __init__(self, seat: int, reason: str, vp: int) -> None:
        self.seat = seat
        self.reason = reason
        self.vp = vp
        self.auto = False


class Earned(Event):
    """A player got doubloons, or paid some (``doubloons`` is negative).

    Reasons: ``role``, ``prospector``, ``sale``, ``trader``, ``small-market``, ``large-market``,
    ``factory``, ``specialty-factory``, ``lighthouse``, ``build``, ``black-market``.
    """

    __slots__ = __match_args__ = ("seat", "reason", "doubloons")

    def __init__(self, seat: int, reason: str, doubloons: int) -> None:
        self.seat = seat
        self.reason = reason
        self.doubloons = doubloons
        self.auto = False


class EndTriggered(Event):
    """The game ends with this round: ``colonists``, ``city`` or ``vp`` (PR-END-1 to PR-END-3)."""

    __slots__ = __match_args__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.auto = False


class RoundBegan(Event):
    """A round began, and this seat is governor (PR-ROUND-3)."""

    __slots__ = __match_args__ = ("round", "governor")

    def __init__(self, round: int, governor: int) -> None:  # noqa: A002
        self.round = round
        self.governor = governor
        self.auto = False


class Ended(Event):
    """The game is over (PR-END-4)."""

    __slots__ = __match_args__ = ()

    def __init__(self) -> None:
        self.auto = False
