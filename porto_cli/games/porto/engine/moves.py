"""Moves and events: plain values. What a player does, and the plain facts that it leads to.

Moves do not say who makes them. Cards are named by the *space* they lie in (counted from 0),
because that is what decides which spaces are empty afterwards. A card that was named but does not
lie there is kept in ``named``, so that the rules and not the parser reject it; in a legal move it
is empty.

A move that was parsed, or is one of the legal moves, is well-formed. One that a program built may
name a space twice, out of order, or one that does not exist; ``engine.explain`` finds these.

A move is shown in the words of the notation, as far as it can be without its table:

>>> Build(11, 0, 3, token=5)
<Build red-3 blue-1 L4 token L6>
>>> Draw((0, 3)), Claim((0, 2)), Claim(()), Keep((0, 1, 4)), Pass()
(<Draw @1 @4>, <Claim 1 3>, <Claim none>, <Keep 1 2 5>, <Pass>)

Events come in the order in which things happen. Seats, cards, contracts and houses are numbers, as
everywhere in the rules, but are shown by their names; ``games.porto.events`` turns events into
sentences and JSON.

>>> Drew(0, bytes([10, 0]))
<Drew seat=0 cards=red-2,blue-1>
>>> Placed(1, 10, 0, 3, floors=2, started=True, completed=False, by_timer=False)
<Placed seat=1 number=red-2 color=blue-1 house=L4 floors=2 started>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar, Union

from porto_cli.core.chance import value
from porto_cli.games.porto.engine.components import (
    CARDS,
    DEALT,
    HIDDEN,
    HOUSES,
    KEPT,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)

T = TypeVar("T", bound=type[tuple[Any, ...]])


def move(cls: T) -> T:
    """Make a named tuple a value that is shown in the words of the notation, without a table."""
    cls.__repr__ = _move_shown  # type: ignore[method-assign]
    cls.__str__ = _text  # type: ignore[method-assign]
    return value(cls)


def _move_shown(one: Any) -> str:
    """Show a move, which may be wrong in any way: what has no name is shown as it is."""
    words: list[str] = []
    if isinstance(one, Build):
        words = [_name(CARDS, one.number), _name(CARDS, one.color), _name(HOUSES, one.house)]
        if one.token != NOWHERE:
            words += ["token", _name(HOUSES, one.token)]
    elif isinstance(one, Keep) and one == KEEP_SEALED:
        words = ["sealed"]
    elif not isinstance(one, Pass):
        places, named = one
        at = "@" if isinstance(one, Draw) else ""
        words = [
            f"{at}{place + 1 if isinstance(place, int) else f'?{place!r}'}" for place in places
        ]
        words += [_name(_NAMES_IN[type(one)], each) for each in named]
        words = words or ["none"] * isinstance(one, Claim)
    return f"<{' '.join([type(one).__name__, *words])}>"


def _text(one: Any) -> str:
    kind, *words = repr(one)[1:-1].split()
    return " ".join(["contract" if kind == "Claim" else kind.lower(), *words])


@move
class Draw(NamedTuple):
    """Take face-up construction cards (P-DRAW-1).

    ``spaces``  where they lie: 0 to 4, in ascending order
    ``named``   cards that were asked for and do not lie there; with one the draw is not legal

    The repr counts spaces from 1, as the notation does: ``<Draw @1 @4>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()


@move
class Build(NamedTuple):
    """Build with two cards (P-BUILD-1).

    ``number``  the card that says how many floors, 0 to 14 in the order of ``CARDS``
    ``color``   the card that says in which color, 0 to 14
    ``house``   the house, 0 to 13 in the order of ``HOUSES``: L1 to L7, R1 to R7
    ``token``   the house whose roof receives the token of the ground floor; 14 if none does

    The repr has the words of the notation: ``<Build red-3 blue-1 L4 token L6>``.
    """

    number: int
    color: int
    house: int
    token: int = NOWHERE


@move
class Claim(NamedTuple):
    """Fulfill public contracts after a build, or none (P-PUBLIC-2).

    ``spaces``  where they lie: 0 to 3, in ascending order; empty for none
    ``named``   contracts that were asked for and do not lie there; with one it is not legal

    The repr counts spaces from 1, as the notation does: ``<Claim 1 3>``, ``<Claim none>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()


@move
class Keep(NamedTuple):
    """Keep three private contracts (P-SETUP-5).

    ``places``  which ones of the five dealt: 0 to 4, in ascending order
    ``named``   the contracts themselves, where the deal is not known (real cards on a table), and
                where they are revealed; three times ``HIDDEN`` in what everybody may see of a
                sealed game, see ``KEEP_SEALED``

    The repr counts places from 1, as the notation does: ``<Keep 1 2 5>``, ``<Keep sealed>``.
    """

    places: tuple[int, ...]
    named: tuple[int, ...] = ()


@move
class Pass(NamedTuple):
    """Do nothing, where nothing can be done (P-PASS-1)."""


Move = Union[Draw, Build, Claim, Keep, Pass]  # noqa: UP007 - evaluated at run time


def _name(names: Sequence[str], index: object) -> str:
    if isinstance(index, int) and 0 <= index < len(names):
        return names[index]
    return f"?{index!r}"


_NAMES_IN: dict[type, Sequence[str]] = {
    Draw: CARDS,
    Claim: [contract.name for contract in PUBLIC],
    Keep: [contract.name for contract in PRIVATE],
}


PASS = Pass()
KEEPS = tuple(Keep(places) for places in combinations(range(DEALT), KEPT))
KEEP_SEALED = Keep((), (HIDDEN,) * KEPT)
"""Keep three private contracts of a sealed game: all that the other players may see of it."""
CLAIM_NONE = Claim(())

draw_of = cache(Draw)
"""Return the one ``Draw`` of these spaces."""
build_of = cache(Build)
"""Return the one ``Build`` of these cards on this house."""


def builds_with(number: int, color: int, house: int) -> tuple[Build, ...]:
    """Return the builds of two cards on a house: one for each roof, then one without a token."""
    return tuple(Build(number, color, house, token) for token in range(len(HOUSES) + 1))


FLOORS, NEIGHBORS = "floors", "neighbors"
GROUND_TOKEN, ROOF_TOKEN = "ground-token", "roof-token"
PUBLIC_CONTRACT, PRIVATE_CONTRACT = "contract", "private"
SOURCES = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN, PUBLIC_CONTRACT, PRIVATE_CONTRACT)
"""What VP are scored for: the kinds of a :class:`Scored`."""


def event(cls: T) -> T:
    """Make a named tuple a value that is shown by the names of what is in it."""
    cls.__repr__ = _event_shown  # type: ignore[method-assign]
    return value(cls)


def _event_shown(one: Any) -> str:
    words = [type(one).__name__]
    for field, thing in named(one).items():
        if isinstance(thing, bool):
            words += [field] if thing else []
        elif thing != "":
            shown = ",".join(thing) if isinstance(thing, list) else thing
            words.append(f"{field}={'none' if shown in ('', None) else shown}")
    return f"<{' '.join(words)}>"


def named(one: Event) -> dict[str, Any]:
    """Return the fields of an event, with the names of houses, cards and contracts."""
    found = one._asdict()
    for field, thing in found.items():
        if field in ("house", "roof"):
            found[field] = None if thing == NOWHERE else HOUSES[thing]
        elif field in ("number", "color"):
            found[field] = CARDS[thing]
        elif isinstance(thing, bytes):
            is_contract = "contracts" in (field, found.get("row"))
            contracts = PRIVATE if isinstance(one, Revealed) else PUBLIC
            found[field] = [contracts[n].name if is_contract else CARDS[n] for n in thing]
    return found


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
    """The discards became the new construction deck of ``cards`` cards."""

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


def scored_in(events: Iterable[Event]) -> list[Scored]:
    """Return what was scored in a turn: not the private contracts, which count at the end."""
    return [
        event for event in events if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    ]


# The same few come again and again: made once each, whole records are replayed 4 % faster.
drew = cache(Drew)
token_moved = cache(TokenMoved)
roof_placed = cache(RoofPlaced)
scored = cache(Scored)
refilled = lru_cache(maxsize=4096)(Refilled)
