"""Moves and events as plain data: what a player does, and what happens then.

A move does not say who makes it. A text is one and the same move at any table, so a move does not
know its phase either: ``take corn`` takes a plantation in one phase and a barrel in another.

Events are the facts that a move leads to, in the order in which they happen; ``auto`` marks what
came from a move that made itself (PR-AUTO-1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    bundle_text,
)


class Value:
    """Two values of one class with the same facts are equal. Treat them as read-only.

    A class names its facts, in the order of its arguments, in ``__match_args__``.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return the facts by name."""
        return {name: getattr(self, name) for name in self.__match_args__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.facts() == self.facts()

    def __hash__(self) -> int:
        return hash((type(self), *self.facts().values()))

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts().items())
        return f"{type(self).__name__}({facts})"


FACE_DOWN = 6
"""What a :class:`Take` takes with the Hacienda; 0-4 are goods or plantations, 5 is a quarry."""

WHARF = -1
"""Where a :class:`Load` goes that no cargo ship takes; others name the spaces of the ship."""

_set = object.__setattr__

SMALL_WHARF = -2
"""The ship of a :class:`Loaded` by the Small Wharf."""
TRADING_HOUSE = 0
"""What an :class:`Emptied` names besides the spaces of a cargo ship."""


class Move(Value):
    """What a player can do. A move cannot be changed.

    It is printed in the words of the notation: ``take corn forest``, ``<Take corn forest>``.
    """

    __slots__ = ()

    def __init__(self, *facts: object) -> None:
        for name, fact in zip(self.__match_args__, facts, strict=True):
            _set(self, name, fact)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A move cannot be changed: {name}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A move cannot be changed: {name}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self.facts().values())

    def __str__(self) -> str:
        return format_move(self)

    def __repr__(self) -> str:
        try:
            _, *words = format_move(self).split()
        except (IndexError, TypeError):
            # A program can build a move of things that do not exist, or of no kind.
            return super().__repr__()
        return f"<{' '.join([type(self).__name__, *words])}>"


class Choose(Move):
    """Name a violet building for the game (PR-DRAFT-1)."""

    __slots__ = __match_args__ = ("building",)
    building: int

    def __init__(self, building: int) -> None:
        super().__init__(building)


class TakeRole(Move):
    """Take a role card (PR-ROLE-1); the mayor's also without the privilege (PR-MAYOR-1)."""

    __slots__ = __match_args__ = ("role", "no_colonist")
    role: int
    no_colonist: bool

    def __init__(self, role: int, no_colonist: bool = False) -> None:
        super().__init__(role, no_colonist)


class Take(Move):
    """Take a tile (settler, library) or one or two barrels (the craftsman's privilege).

    ``what`` is a plantation or good, ``QUARRY`` or ``FACE_DOWN``; ``second`` another good, the
    more expensive one. Raises ValueError for a tile together with a second good.
    """

    __slots__ = __match_args__ = ("what", "second", "forest", "no_colonist")
    what: int
    second: int
    forest: bool
    no_colonist: bool

    def __init__(
        self, what: int, second: int = NO_GOOD, forest: bool = False, no_colonist: bool = False
    ) -> None:
        if second != NO_GOOD:
            if what >= QUARRY or forest or no_colonist:
                raise ValueError("A second good goes with a good, and with nothing else.")
            what, second = min(what, second), max(what, second)
        super().__init__(what, second, forest, no_colonist)


class Place(Move):
    """Place all colonists: how many on each place (PR-MAYOR-3)."""

    __slots__ = __match_args__ = ("colonists",)
    colonists: bytes

    def __init__(self, colonists: bytes) -> None:
        _set(self, "colonists", colonists)


class Build(Move):
    """Build (PR-BUILDER-1), and return up to three things for it (PR-B-BLACK-MARKET).

    ``good`` is ``NO_GOOD`` and ``colonist`` ``NO_PLACE`` where none is returned; ``colonist``
    is the place it leaves, or ``SAN_JUAN``.
    """

    __slots__ = __match_args__ = ("building", "good", "vp", "colonist", "no_colonist")
    building: int
    good: int
    vp: bool
    colonist: int
    no_colonist: bool

    def __init__(
        self,
        building: int,
        good: int = NO_GOOD,
        vp: bool = False,
        colonist: int = NO_PLACE,
        no_colonist: bool = False,
    ) -> None:
        super().__init__(building, good, vp, colonist, no_colonist)

    @property
    def returned(self) -> int:
        """How many things are returned."""
        return (self.good != NO_GOOD) + self.vp + (self.colonist != NO_PLACE)


class Sell(Move):
    """Sell a barrel to the trading house (PR-TRADER-1) or to their own trading post."""

    __slots__ = __match_args__ = ("good", "post")
    good: int
    post: bool

    def __init__(self, good: int, post: bool = False) -> None:
        super().__init__(good, post)


class Load(Move):
    """Load all barrels of a good, or as many as fit (PR-CAPTAIN-1).

    ``onto`` is the number of spaces of the cargo ship, or ``WHARF``.
    """

    __slots__ = __match_args__ = ("good", "onto")
    good: int
    onto: int

    def __init__(self, good: int, onto: int) -> None:
        super().__init__(good, onto)


class LoadSmallWharf(Move):
    """Load any barrels by the Small Wharf (PR-B-SMALL-WHARF): how many of each good."""

    __slots__ = __match_args__ = ("goods",)
    goods: bytes

    def __init__(self, goods: bytes) -> None:
        _set(self, "goods", goods)


class Store(Move):
    """Keep these barrels (PR-STORE-1): how many of each good."""

    __slots__ = __match_args__ = ("goods",)
    goods: bytes

    def __init__(self, goods: bytes) -> None:
        _set(self, "goods", goods)


class MoveGuest(Move):
    """Move a guest to an empty circle (PR-B-GUEST-HOUSE); the decision is still to be made."""

    __slots__ = __match_args__ = ("place",)
    place: int

    def __init__(self, place: int) -> None:
        super().__init__(place)


class Pass(Move):
    """Decline (PR-OPTIONAL-1); in the craftsman phase, produce now."""

    __slots__ = ()


PASS = Pass()


_TAKEN = (*GOODS, "quarry", "face-down")
_PEOPLED = (*PLACES, "san-juan")


def onto_name(onto: int) -> str:
    """Return where barrels are loaded: the spaces of a ship, ``wharf`` or ``small-wharf``."""
    return {WHARF: "wharf", SMALL_WHARF: "small-wharf"}.get(onto, str(onto))


def format_move(move: Move) -> str:
    """Return the canonical text of a move. Raises TypeError for anything else."""
    match move:
        case Pass():
            return "pass"
        case TakeRole(role, no_colonist):
            return _joined("role", ROLES[role], "no-colonist" if no_colonist else "")
        case Take(what, second, forest, no_colonist):
            return _joined(
                "take",
                _TAKEN[what],
                "" if second == NO_GOOD else GOODS[second],
                "forest" if forest else "",
                "no-colonist" if no_colonist else "",
            )
        case Place(colonists):
            return f"place {bundle_text(colonists, PLACES)}"
        case Build():
            return _format_build(move)
        case Sell(good, post):
            return _joined("sell", GOODS[good], "trading-post" if post else "")
        case Load(good, onto):
            return f"load {GOODS[good]} {onto_name(onto)}"
        case LoadSmallWharf(goods):
            return f"load {bundle_text(goods, GOODS)} {onto_name(SMALL_WHARF)}"
        case Store(goods):
            return f"store {bundle_text(goods, GOODS)}"
        case MoveGuest(place):
            return f"guest {PLACES[place]}"
        case Choose(building):
            return f"choose {PLACES[building]}"
        case _:
            raise TypeError(f"{object.__repr__(move)} is not a move")


def _format_build(move: Build) -> str:
    place = move.colonist
    return _joined(
        "build",
        PLACES[move.building],
        "return" if move.returned else "",
        "" if move.good == NO_GOOD else GOODS[move.good],
        "vp" if move.vp else "",
        "" if place == NO_PLACE else f"colonist {_PEOPLED[place]}",
        "no-colonist" if move.no_colonist else "",
    )


def _joined(*words: str) -> str:
    return " ".join(filter(None, words))


_NAMES: dict[str, Callable[[Any], str]] = {
    "building": PLACES.__getitem__,
    "role": ROLES.__getitem__,
    "tile": TILES.__getitem__,
    "place": PLACES.__getitem__,
    "good": (*GOODS, "").__getitem__,
    "returned_colonist": (*_PEOPLED, "").__getitem__,
    "post": lambda post: "trading-post" if post else "trading-house",
    "onto": onto_name,
    "what": lambda what: "trading-house" if what == TRADING_HOUSE else str(what),
}


def named(fact: str, value: Any) -> Any:
    """Return a fact of an event by its name; a number, a word or a bundle is what it is."""
    return _NAMES[fact](value) if fact in _NAMES else value


class Event(Value):
    """Something that happened. Treat it as read-only."""

    __slots__ = ("auto",)
    auto: bool

    def facts(self) -> dict[str, Any]:
        """Return the facts by name, ``auto`` the last."""
        return {**super().facts(), "auto": self.auto}

    def __repr__(self) -> str:
        """Show the facts by their names: ``<TookTile seat=0 tile=indigo source=row>``."""
        words = [type(self).__name__]
        for fact, value in self.facts().items():
            shown = named(fact, value)
            if isinstance(shown, bool):
                words += [fact] if shown else []
            elif isinstance(shown, bytes):
                words.append(f"{fact}='{bundle_text(shown, PLACES)}'")
            elif shown != "":
                words.append(f"{fact}={shown}")
        return f"<{' '.join(words)}>"


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

    ``source`` is ``row``, ``stack`` or ``quarries``; ``tile`` what it was there; ``forest`` says
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
    """The colonist ship was refilled; ``wanted`` is how many it should get (PR-MAYOR-6)."""

    __slots__ = __match_args__ = ("colonists", "wanted")

    def __init__(self, colonists: int, wanted: int) -> None:
        self.colonists = colonists
        self.wanted = wanted
        self.auto = False


class Built(Event):
    """A player built a building for a price.

    ``good``, ``vp`` and ``returned_colonist`` are what went back for it, as in the move;
    ``colonist`` means that one came with it.
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
    """A player produced barrels, a number of each good (PR-CRAFTSMAN-1)."""

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
    """A player sold a barrel, to the trading house or to their own trading post."""

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
