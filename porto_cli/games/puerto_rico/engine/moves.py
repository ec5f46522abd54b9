"""Moves and events as plain data: what a player does, and what happens then.

A move does not name the player. A text is the same move at any table, so a move does not know its
phase either: ``take corn`` takes a plantation in one phase and a barrel in another.

Events are what a move leads to, in the order in which it happens; ``auto`` marks those of a move
that was made automatically (PR-AUTO-1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple, Self, dataclass_transform, get_args

from porto_cli.core.values import FieldSpec, Seat, defined, event_repr, value
from porto_cli.games.puerto_rico.engine import (
    GOODS,
    NO_GOOD,
    NO_GOODS,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    bundle_text,
    plus,
)

FACE_DOWN = 6
"""What a :class:`Take` by the Hacienda takes; 0-4 are goods or plantations, 5 is a quarry."""

BY_WHARF = -1
"""The target of a :class:`Load` by the Wharf; otherwise it is the spaces of a cargo ship."""

BY_SMALL_WHARF = -2
"""The target of a :class:`Loaded` by the Small Wharf."""
TRADING_HOUSE = 0
"""What an :class:`Emptied` names instead of the spaces of a cargo ship."""


# -- What a field can hold


def _one_of(name: str, names: Sequence[str], key: str = "") -> FieldSpec:
    return FieldSpec(defined(f"puerto-rico-{name}"), lambda one, _: names[one], key)


def _some_of(name: str, names: Sequence[str]) -> FieldSpec:
    return FieldSpec(defined(f"puerto-rico-{name}"), lambda counts, _: bundle_dict(counts, names))


def bundle_dict(counts: bytes, names: Sequence[str]) -> dict[str, int]:
    """Return a bundle for JSON: the numbers by name, without zeros."""
    return {name: number for name, number in zip(names, counts, strict=False) if number}


def returned_json(good: int, vp: bool, colonist: int) -> dict[str, Any]:
    """Return what the Black Market takes: ``good``, ``vp`` and the place of the ``colonist``; only
    what is returned.
    """
    returned = {"good": _GOOD[good], "vp": int(vp), "colonist": _PEOPLED[colonist]}
    return {name: thing for name, thing in returned.items() if thing}


def onto_name(onto: int) -> str:
    """Return the target of a load: the spaces of a ship, ``wharf`` or ``small-wharf``."""
    return {BY_WHARF: "wharf", BY_SMALL_WHARF: "small-wharf"}.get(onto, str(onto))


_TAKEN = (*GOODS, "quarry", "face-down")
_GOOD = (*GOODS, "")
_PEOPLED = (*PLACES, "san-juan", "")

Governor = Annotated[int, FieldSpec({"type": "string"}, is_seat=True)]
Count = Annotated[int, FieldSpec({"type": "integer", "minimum": 0})]
Round = Annotated[int, FieldSpec({"type": "integer", "minimum": 1})]
Gain = Annotated[int, FieldSpec({"type": "integer"})]
Building = Annotated[int, _one_of("building", PLACES)]
Role = Annotated[int, _one_of("role", ROLES)]
Tile = Annotated[int, _one_of("tile", TILES)]
Spot = Annotated[int, _one_of("place", PLACES, "to")]
Good = Annotated[int, _one_of("good", GOODS)]
Goods = Annotated[bytes, _some_of("goods", GOODS)]
Tiles = Annotated[bytes, _some_of("tiles", TILES)]
Colonists = Annotated[bytes, _some_of("colonists", PLACES)]
Source = Annotated[str, FieldSpec({"enum": ["row", "stack", "quarries"]}, key="from")]
_HOUSES = ("trading-house", "trading-post")
Post = Annotated[bool, FieldSpec({"enum": [*_HOUSES]}, lambda post, _: _HOUSES[post], "to")]
Onto = Annotated[
    int,
    FieldSpec(
        {
            "description": "The spaces of a cargo ship, wharf or small-wharf.",
            "type": "string",
            "pattern": "^([4-8]|wharf|small-wharf)$",
        },
        lambda onto, _: onto_name(onto),
    ),
]
What = Annotated[
    int,
    FieldSpec(
        {"type": "string", "pattern": "^([4-8]|trading-house)$"},
        lambda what, _: "trading-house" if what == TRADING_HOUSE else str(what),
    ),
]
Returned = Annotated[
    tuple[int, bool, int],
    FieldSpec(defined("puerto-rico-returned"), lambda returned, _: returned_json(*returned)),
]
SCORE_REASONS = ("shipping", "captain", "harbor", "union-hall", "church", "black-market")
"""Why players get or return VP."""
EARN_REASONS = (
    "role",
    "prospector",
    "sale",
    "trader",
    "small-market",
    "large-market",
    "factory",
    "specialty-factory",
    "lighthouse",
    "build",
    "black-market",
)
"""Why players get or pay doubloons."""
VpReason = Annotated[str, FieldSpec(defined("puerto-rico-vp_reason"))]
DoubloonReason = Annotated[str, FieldSpec(defined("puerto-rico-doubloon_reason"))]
EndReason = Annotated[str, FieldSpec(defined("puerto-rico-end"))]

# -- Moves


class Choose(NamedTuple):
    """Name a violet building for the game (PR-DRAFT-1)."""

    building: Building


class TakeRole(NamedTuple):
    """Take a role card (PR-ROLE-1); the mayor's can be taken without its colonist (PR-MAYOR-1)."""

    role: Role
    no_colonist: bool = False


class _Taken(NamedTuple):
    what: int
    second: int = NO_GOOD
    forest: bool = False
    no_colonist: bool = False


class Take(_Taken):
    """Take a tile (settler, library) or one or two barrels (the craftsman's privilege).

    ``what`` is a plantation or good, ``QUARRY`` or ``FACE_DOWN``; ``second`` is a second, more
    expensive good. Raises ValueError for a tile with a second good.
    """

    __slots__ = ()

    def __new__(
        cls, what: int, second: int = NO_GOOD, forest: bool = False, no_colonist: bool = False
    ) -> Take:
        """Put two goods in the order of their prices."""
        if second != NO_GOOD:
            if what >= QUARRY or forest or no_colonist:
                raise ValueError("A second good goes only with a good.")
            what, second = sorted((what, second))
        return super().__new__(cls, what, second, forest, no_colonist)


class Place(NamedTuple):
    """Place all colonists: how many on each place (PR-MAYOR-3)."""

    colonists: Colonists

    @classmethod
    def on(cls, places: Iterable[int], numbers: Iterable[int]) -> Place:
        """Return a placement with these numbers on these places."""
        colonists = bytearray(len(PLACES))
        for place, number in zip(places, numbers, strict=True):
            colonists[place] = number
        return cls(bytes(colonists))


class Build(NamedTuple):
    """Build (PR-BUILDER-1), and return up to three things for it (PR-B-BLACK-MARKET).

    ``good`` is ``NO_GOOD`` and ``colonist`` ``NO_PLACE`` if none is returned; otherwise
    ``colonist`` is the place that it leaves, or ``SAN_JUAN``.
    """

    building: Building
    good: int = NO_GOOD
    vp: bool = False
    colonist: int = NO_PLACE
    no_colonist: bool = False

    @property
    def returned(self) -> int:
        """How many things are returned."""
        return (self.good != NO_GOOD) + self.vp + (self.colonist != NO_PLACE)


class Sell(NamedTuple):
    """Sell a barrel to the trading house (PR-TRADER-1) or to their own trading post."""

    good: Good
    post: Post = False


class Load(NamedTuple):
    """Load all barrels of a good, or as many as fit (PR-CAPTAIN-1).

    ``onto`` is the number of spaces of the cargo ship, or ``BY_WHARF``.
    """

    good: Good
    onto: Onto


class LoadSmallWharf(NamedTuple):
    """Load any barrels by the Small Wharf (PR-B-SMALL-WHARF): how many of each good."""

    goods: Goods


class Store(NamedTuple):
    """Keep these barrels (PR-STORE-1): how many of each good."""

    goods: Goods


class MoveGuest(NamedTuple):
    """Move a guest to an empty circle (PR-B-GUEST-HOUSE); the decision is still to be made."""

    place: Spot


class Pass(NamedTuple):
    """Decline (PR-OPTIONAL-1); in the craftsman phase, produce now."""


Move = (
    Choose
    | TakeRole
    | Take
    | Place
    | Build
    | Sell
    | Load
    | LoadSmallWharf
    | Store
    | MoveGuest
    | Pass
)
"""A move, which is immutable and equal only to moves of its kind.

It is printed in the words of the notation: ``take corn forest``, ``<Take corn forest>``.
"""


def _move_shown(move: Any) -> str:
    try:
        _, *words = format_move(move).split()
    except (IndexError, TypeError):
        # A program can build a move with things that do not exist.
        fields = ", ".join(f"{name}={held!r}" for name, held in move._asdict().items())
        return f"{type(move).__name__}({fields})"
    return f"<{' '.join([type(move).__name__, *words])}>"


PASS = Pass()


def place_name(place: int) -> str:
    """Return the name of a colonist's place, which may be San Juan; empty for ``NO_PLACE``."""
    return _PEOPLED[place]


def format_move(move: Move, state: object = None) -> str:
    """Return the canonical text of a move. Raises TypeError for anything else."""
    return " ".join(word for word in _words(move) if word)


def _words(move: Move) -> tuple[str, ...]:
    """Return the words of a move, with empty ones for those that it does not need."""
    alone = "no-colonist" if getattr(move, "no_colonist", False) else ""
    match move:
        case Pass():
            return ("pass",)
        case TakeRole(role):
            return "role", ROLES[role], alone
        case Take(what, second, forest):
            return "take", _TAKEN[what], _GOOD[second], "forest" if forest else "", alone
        case Place(colonists):
            return "place", bundle_text(colonists, PLACES)
        case Build(building, good, vp, place):
            person = "" if place == NO_PLACE else f"colonist {_PEOPLED[place]}"
            returned = ("return", _GOOD[good], "vp" if vp else "", person) if move.returned else ()
            return "build", PLACES[building], *returned, alone
        case Sell(good, post):
            return "sell", GOODS[good], "trading-post" if post else ""
        case Load(good, onto):
            return "load", GOODS[good], onto_name(onto)
        case LoadSmallWharf(goods):
            return "load", bundle_text(goods, GOODS), onto_name(BY_SMALL_WHARF)
        case Store(goods):
            return "store", bundle_text(goods, GOODS)
        case MoveGuest(place):
            return "guest", PLACES[place]
        case Choose(building):
            return "choose", PLACES[building]
        case _:
            raise TypeError(f"{object.__repr__(move)} is not a move")


KINDS = frozenset(get_args(Move))
for _kind in KINDS:
    _kind.__str__, _kind.__repr__ = format_move, _move_shown
    value(_kind)


# -- Events


@dataclass_transform(kw_only_default=True, eq_default=False)
class Event(SimpleNamespace):
    """Something that happened. ``auto`` means that nobody chose it; ``seat`` is the player it
    happened to, if there is one.

    It is immutable; a namespace, because such a class is created fast.
    """

    auto: bool = False
    seat: int | None = None

    def automatic(self) -> Self:
        """Return the same event as one that nobody chose."""
        return type(self)(**vars(self), auto=True)

    def _asdict(self) -> dict[str, Any]:
        """Return the values by name, in the order of their declaration; ``auto`` last, if true."""
        names = (*type(self).__annotations__, *(["auto"] if self.auto else []))
        return {name: getattr(self, name) for name in names}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other._asdict() == self._asdict()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((type(self), *self._asdict().values()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed.")

    __repr__ = event_repr


class Chose(Event):
    """A player named a violet building for the game (PR-DRAFT-1)."""

    seat: Seat
    building: Building


class TookRole(Event):
    """A player took a role card (PR-ROLE-1)."""

    seat: Seat
    role: Role
    no_colonist: bool


class TookTile(Event):
    """A player put a tile on the island.

    ``source`` is ``row``, ``stack`` or ``quarries``; ``tile`` is the tile there; with ``forest`` it
    is now face down, and with ``colonist`` a colonist came with it.
    """

    seat: Seat
    tile: Tile
    source: Source
    forest: bool
    colonist: bool


class TilesTurned(Event):
    """These plantations are the new row: how many of each kind (PR-SETTLER-4)."""

    called = "tiles"

    tiles: Tiles


class Reshuffled(Event):
    """These discards became the new stack: how many of each kind (PR-SETTLER-6)."""

    tiles: Tiles


class ColonistsDealt(Event):
    """A player got colonists: from the ship, and by privilege from the supply (PR-MAYOR-1)."""

    seat: Seat
    colonists: Count
    privilege: Count


class Placed(Event):
    """A player placed all colonists: how many on each place, and how many stay in San Juan."""

    seat: Seat
    colonists: Colonists
    san_juan: Count


class ShipRefilled(Event):
    """The colonist ship was refilled; ``wanted`` is how many it should have got (PR-MAYOR-6)."""

    colonists: Count
    wanted: Count


class Built(Event):
    """A player built a building for a price.

    ``returned`` is what was returned for it, as in the move: good, VP chip, and the place of the
    colonist; ``colonist`` means that one came with it.
    """

    seat: Seat
    building: Building
    price: Count
    returned: Returned
    colonist: bool


class Produced(Event):
    """A player produced barrels, a number of each good (PR-CRAFTSMAN-1)."""

    seat: Seat
    goods: Goods


class TookGoods(Event):
    """The chooser took these barrels in addition (PR-CRAFTSMAN-4)."""

    seat: Seat
    goods: Goods


class Sold(Event):
    """A player sold a barrel, to the trading house or to their own trading post."""

    seat: Seat
    good: Good
    post: Post


class Loaded(Event):
    """A player loaded barrels.

    ``onto`` is the number of spaces of a cargo ship, ``BY_WHARF`` or ``BY_SMALL_WHARF``.
    """

    seat: Seat
    goods: Goods
    onto: Onto


class Stored(Event):
    """A player kept barrels (``goods``); others were ``returned`` to the supply (PR-STORE-1)."""

    seat: Seat
    goods: Goods
    returned: Goods


class Emptied(Event):
    """A full cargo ship (``what`` is its spaces) or the trading house (0) was emptied."""

    what: What
    goods: Goods


class GuestMoved(Event):
    """A guest went to this place (PR-B-GUEST-HOUSE)."""

    seat: Seat
    place: Spot


class Passed(Event):
    """A player passed."""

    seat: Seat


class Scored(Event):
    """A player got VP from the pool, or returned some (``vp`` is negative)."""

    seat: Seat
    reason: VpReason
    vp: Gain


class Earned(Event):
    """A player got doubloons, or paid some (``doubloons`` is negative)."""

    seat: Seat
    reason: DoubloonReason
    doubloons: Gain


class EndTriggered(Event):
    """The game ends with this round: ``colonists``, ``city`` or ``vp`` (PR-END-1 to PR-END-3)."""

    reason: EndReason


class RoundBegan(Event):
    """A round began, and this seat is governor (PR-ROUND-3)."""

    called = "round"

    round: Round
    governor: Governor


class Ended(Event):
    """The game is over (PR-END-4)."""


def come_up(events: Iterable[Event]) -> Iterator[tuple[str, bytes]]:
    """Yield what came up, how many of each kind: a ``tile`` of the stack, or a row of ``tiles``."""
    for event in events:
        if isinstance(event, TookTile) and event.source == "stack":
            yield "tile", plus(NO_GOODS, event.tile, 1)
        elif isinstance(event, TilesTurned):
            yield "tiles", event.tiles


def gains_of(events: Iterable[Event]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return the VP and the doubloons among events, each with its reason."""
    some = [*events]
    return (
        [(event.reason, event.vp) for event in some if isinstance(event, Scored)],
        [(event.reason, event.doubloons) for event in some if isinstance(event, Earned)],
    )
