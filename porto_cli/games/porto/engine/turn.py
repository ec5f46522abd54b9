"""A turn: what all kinds of moves and events have in common, what happens by itself, and the end of
a turn: the refill, the timer, and the end of the game.

Seats, cards, contracts and houses are numbers, as everywhere in the rules. The annotated type of a
field (:data:`Cards`, :data:`House` …) knows their names, and how they appear in JSON. Events that
only one kind of move leads to are declared beside it.

>>> Refilled("cards", bytes([10, 0]))
<Refilled row=cards came_up=red-2,blue-1>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

from porto_cli.core import GAME_OVER, InvalidMoveError, Refusals, cited, enumerated, whole_number
from porto_cli.core.chance import Chance, drawn
from porto_cli.core.values import FieldSpec, Seat, defined, event_repr, named_fields, value
from porto_cli.games.porto.engine import (
    CARDS,
    EMPTY,
    HIDDEN,
    HOUSES,
    NOWHERE,
    ONE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    VALUE_OF,
    card_names,
)
from porto_cli.games.porto.engine.scoring import SOLO_WIN, completed_houses, score_private
from porto_cli.games.porto.engine.state import (
    ACT,
    GIVEN_UP,
    KEEP,
    OVER,
    SHOWN,
    TIMER,
    State,
    can_build,
    demand_seat,
)

# -- What all kinds of moves have in common: plain values, shown in the words of the notation
#
# Moves do not name the player. They name a card by its *space* (counted from 0), which decides
# which spaces are empty afterward. A card that was named but is not in the row is kept in
# ``named``, so that the rules and not the parser refuse it; in a legal move ``named`` is empty.
#
# A move that was parsed, or is one of the legal moves, is well-formed. One that a program built may
# name spaces twice, out of order, or that do not exist; such faults of its ``form`` are reported
# before any rule is applied.

T = TypeVar("T", bound=type[tuple[Any, ...]])


def move(verb: str, *phases: str, words: Sequence[str] = ()) -> Callable[[T], T]:
    """Return a decorator that makes a named tuple a kind of move, with its verb and the phases in
    which the player to move can make it.

    It is a value shown in the words of the notation. Its method ``shown`` returns these even for a
    malformed move; ``words`` are the ones that name no component.
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
    """The places that a kind of move names.

    ``rule``    the ruling that refuses other places
    ``spaces``  how many places there are
    ``names``   the names of the things in them
    ``called``  the word for a place
    ``where``   the beginning of a sentence on which places there are
    ``sign``    what is before the number of a place in the notation
    """

    rule: str
    spaces: int
    names: Sequence[str]
    called: str
    where: str
    sign: str = ""

    def shown(self, places: Iterable[object], named: Iterable[object]) -> list[str]:
        """Return the words for places, counted from 1, and for things named instead."""
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
        raise InvalidMoveError(f"{cited(word)} is not a {self.called}; {where}.")

    def form(self, one: Any, *, hidden: bool = False) -> Refusals:
        """Yield what is wrong with a move in any position, except that it names a place twice.

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
    """Raise TypeError for anything but whole numbers, and ValueError for a number that is not below
    the count of its field.
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
    """Something that happened: a named tuple."""

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""

    def _asdict(self) -> dict[str, Any]:
        """Return the values by the names of the fields."""


# -- What a field can hold


def _list(item: str, **more: int) -> dict[str, Any]:
    return {"type": "array", "items": defined(item), **more}


def _cards(**sizes: int) -> FieldSpec:
    return FieldSpec(_list("card", **sizes), lambda cards, _: card_names(cards))


def _public(contracts: Iterable[int]) -> list[str]:
    return [PUBLIC_NAMES[contract] for contract in contracts]


Count = Annotated[int, FieldSpec({"type": "integer", "minimum": 0})]
Floors = Annotated[int, FieldSpec({"type": "integer", "minimum": 1, "maximum": 3})]
House = Annotated[int, FieldSpec(defined("house_name"), lambda house, _: HOUSES[house])]
Roof = Annotated[
    int,
    FieldSpec(
        {"anyOf": [defined("house_name"), {"type": "null"}]},
        lambda roof, _: None if roof == NOWHERE else HOUSES[roof],
    ),
]
Card = Annotated[int, FieldSpec(defined("card"), lambda card, _: CARDS[card])]
Cards = Annotated[bytes, _cards()]
Drawn = Annotated[bytes, _cards(minItems=1, maxItems=3)]
TwoCards = Annotated[bytes, _cards(minItems=2, maxItems=2)]
PublicContracts = Annotated[
    bytes, FieldSpec(_list("public_contract"), lambda some, _: _public(some))
]
PrivateContracts = Annotated[
    bytes,
    FieldSpec(_list("private_contract"), lambda some, _: [PRIVATE_NAMES[one] for one in some]),
]
Reason = Annotated[str, FieldSpec(defined("reason"))]
Row = Annotated[str, FieldSpec({"enum": ["cards", "contracts"]})]
InARow = Annotated[
    bytes,
    FieldSpec(
        {"anyOf": [_list("card", minItems=1), _list("public_contract", minItems=1)]},
        lambda some, event: card_names(some) if event.row == "cards" else _public(some),
    ),
]
"""Cards or public contracts, as the ``row`` of the event says."""


EVENTS: dict[type[Any], str] = {}
"""All kinds of events, each with the ruling counted for it in simulations, if the kind alone
determines one; complete once the modules with all kinds of moves are loaded.
"""


def event(ruling: str = "") -> Callable[[T], T]:
    """Return a decorator that makes a named tuple a kind of event, with its ruling: a value shown
    with the names of its contents.
    """

    def made(cls: T) -> T:
        cls.__repr__ = event_repr  # type: ignore[method-assign]
        EVENTS[cls] = ruling
        return value(cls)

    return made


# -- VP

FLOORS, NEIGHBORS = "floors", "neighbors"
GROUND_TOKEN, ROOF_TOKEN = "ground-token", "roof-token"
PUBLIC_CONTRACT, PRIVATE_CONTRACT = "contract", "private"


class Source(NamedTuple):
    """What VP are scored for."""

    head: str
    """The head of its column."""
    name: str
    rule: str = ""
    """The ruling counted for it in simulations, if the kind alone determines it."""


TOLD = {
    FLOORS: Source("floors", "floors", "P-SCORE-1"),
    NEIGHBORS: Source("neighbors", "neighbors", "P-SCORE-2"),
    GROUND_TOKEN: Source("ground", "ground tokens"),
    ROOF_TOKEN: Source("roof", "roof tokens"),
    PUBLIC_CONTRACT: Source("public", "public contracts", "P-PUBLIC-2"),
    PRIVATE_CONTRACT: Source("private", "private contracts"),
}
"""The words for each kind of :class:`Scored`."""
SOURCES = tuple(TOLD)
"""The kinds of :class:`Scored`."""


@event()
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
        """The beginning of the reason, one of the ``SOURCES``."""
        return self.reason.partition(":")[0]

    @property
    def contract(self) -> str:
        """The name of the contract; empty for other kinds."""
        return self.reason.partition(":")[2]

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"{names[self.seat]} got {self.vp} VP ({source_of(self.reason)})."


def source_of(reason: str) -> str:
    """Return a reason in words: ``ground token``, ``contract blue+red``."""
    kind, _, contract = reason.partition(":")
    if not contract:
        return kind.replace("-", " ")
    return f"{'private contract' if kind == PRIVATE_CONTRACT else kind} {contract}"


def is_final(event: Event) -> bool:
    """Return whether an event is what a private contract scored, which counts at the end."""
    return isinstance(event, Scored) and event.kind == PRIVATE_CONTRACT


def scored_in(events: Iterable[Event]) -> list[Scored]:
    """Return what was scored in a turn, without what is final."""
    return [one for one in events if isinstance(one, Scored) and not is_final(one)]


# -- What happens by itself


@event()
class Refilled(NamedTuple):
    """Cards came up in the row ``cards`` or ``contracts``, lowest empty space first."""

    row: Row
    came_up: InARow

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        things = "face-up cards" if self.row == "cards" else "public contracts"
        return f"New {things}: {', '.join(named_fields(self)['came_up'])}."


@event("P-DRAW-3")
class Reshuffled(NamedTuple):
    """The discards became the new construction deck of ``cards`` cards."""

    cards: Count

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"The deck was empty; {self.cards} discards became the new deck."


@event("P-SOLO-2")
class TimerTurned(NamedTuple):
    """Two timer cards were turned up; these face-up cards and contracts went with them."""

    turned: TwoCards
    cards: Cards
    contracts: PublicContracts

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        contracts = _public(self.contracts)
        what = f"{'contracts' if len(contracts) > 1 else 'contract'} {enumerated(contracts)}"
        rows = (enumerated(card_names(self.cards)), f"the {what}" if contracts else "")
        gone = ", and ".join(filter(None, rows)) or "nothing"
        return f"The timer drew {' and '.join(card_names(self.turned))}; it discarded {gone}."


@event("P-SOLO-4")
class TimerSkipped(NamedTuple):
    """Nothing could be built with the two timer cards."""

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return "Nothing could be built with the two timer cards, so the build was skipped."


@event("P-END-1")
class EndTriggered(NamedTuple):
    """Enough roofs are placed: this ``round`` is finished, one more is played."""

    round: Count

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"Enough roofs were placed to end the game after round {self.round + 1}."


@event()
class GivenUp(NamedTuple):
    """The others of a sealed game go on without a player who has vanished."""

    seat: Seat

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return f"The game goes on without {names[self.seat]}."


@event()
class Ended(NamedTuple):
    """The game is over and the private contracts, if any, are scored."""

    def told(self, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return GAME_OVER


# -- The end of a turn

_HOLE = bytes([EMPTY])


def turn_up(state: State, chance: Chance) -> tuple[State, list[Event]]:
    """Return the state after what comes up, given one from
    :func:`~porto_cli.games.porto.engine.play.apply` without a chance.

    Both steps together lead to the same state as one step with the same chance. After the last
    turn of a sealed game nothing comes up anymore.
    """
    new = state.copy()
    events: list[Event] = []
    if new.phase == TIMER and not new.turned:
        _refill(new, chance, events)
        _turn_timer(new, chance, events)
    elif new.phase == OVER and (new.config.timer or new.seals):
        pass
    elif not (new.seals and new.is_revealing):
        _refill(new, chance, events)
    return new, events


def give_up(state: State, seats: Iterable[int]) -> tuple[State, list[Event]]:
    """Return the state of a sealed game that goes on without players who have vanished.

    Their turns are skipped and their private contracts count nothing. A turn that was going on
    ends; the refill waits for :func:`turn_up`. Raises ValueError if no player can be given up, or
    one of these seats cannot.
    """
    if not state.seals or state.phase == OVER:
        raise ValueError("Players are given up in a sealed game that is not over.")
    new = state.copy()
    seals = bytearray(state.seals)
    events: list[Event] = []
    for seat in sorted(set(seats)):
        demand_seat(state, seat)
        if seals[seat] == GIVEN_UP or (state.is_revealing and seals[seat] == SHOWN):
            raise ValueError(f"The seat {seat} was given up before, or has revealed everything.")
        seals[seat] = GIVEN_UP
        events.append(GivenUp(seat))
    new.seals = bytes(seals)
    if all(seal == GIVEN_UP for seal in seals):
        _finish(new, events)
    elif state.is_revealing:
        reveal(new, events)
    elif seals[new.seat] == GIVEN_UP:
        new.built = None
        new.claimable = ()
        end_turn(new, None, events)
    return new, events


def leave_out(state: State, seats: frozenset[int]) -> State:
    """Return the state of an open game in which nobody plays these seats, and only these.

    Their turns are skipped and their private contracts count nothing, as in :func:`give_up`.
    """
    if seats == state.out:
        return state
    new = state.copy()
    new.out = seats
    while new.phase in (ACT, KEEP) and not new.is_revealing and new.seat in seats:
        _next_turn(new)
    return new


def _next_turn(state: State) -> None:
    """Go on with the next seat, who keeps private contracts before its first turn (P-SETUP-5)."""
    state.turn += 1
    state.seat = state.turn % state.config.seats
    state.phase = KEEP if state.dealt and not state.kept[state.seat] else ACT


def end_turn(state: State, chance: Chance | None, events: list[Event]) -> None:
    """Refill both rows, then go on with the solo timer, the next player or the end."""
    if chance is not None:
        _refill(state, chance, events)
    if state.timer_left:
        state.phase = TIMER
        if chance is not None:
            _turn_timer(state, chance, events)
        return
    _next_turn(state)
    while (state.out or state.seals) and state.is_out(state.seat) and not state.is_played_out:
        _next_turn(state)
    # Before the end is triggered only the solo game can be over.
    if (state.end_round or state.config.timer) and state.is_played_out:
        reveal(state, events)


def reveal(state: State, events: list[Event]) -> None:
    """P-END-2: after a secret choice (real table or sealed game) the contracts have to be named."""
    unrevealed = state.unrevealed
    if unrevealed and _private_contracts_count(state):
        state.phase = KEEP
        state.seat = unrevealed[0]
    else:
        _finish(state, events)


def _private_contracts_count(state: State) -> bool:
    """P-END-2; in a solo game only after a win (P-SOLO-6)."""
    return not state.config.timer or state.scores[0] >= SOLO_WIN


def finish(state: State) -> tuple[State, list[Event]]:
    """Return the state and the events if the game ended now."""
    new = state.copy()
    events: list[Event] = []
    _finish(new, events)
    return new, events


def _finish(state: State, events: list[Event]) -> None:
    """P-END-2: private contracts score; in a sealed game only revealed ones."""
    state.phase = OVER
    if _private_contracts_count(state):
        scores = list(state.scores)
        completed = completed_houses(state)
        for seat, kept in enumerate(state.kept):
            if not state.has_shown(seat):
                continue
            for contract in kept:
                if contract == HIDDEN:
                    continue
                vp = score_private(state, contract, completed).vp
                scores[seat] += vp
                events.append(Scored(seat, f"{PRIVATE_CONTRACT}:{PRIVATE[contract].name}", vp))
        state.scores = tuple(scores)
    events.append(Ended())


def _refill(state: State, chance: Chance, events: list[Event]) -> None:
    """P-DRAW-2 and P-PUBLIC-3; most turns leave one of the rows as it is."""
    if EMPTY in state.cards:
        _refill_cards(state, chance, events)
    if EMPTY in state.contracts:
        _refill_contracts(state, chance, events)


def _refill_cards(state: State, chance: Chance, events: list[Event]) -> None:
    """P-DRAW-2: fill the empty spaces, the lowest first, as long as there are cards."""
    row, deck = state.cards, state.deck
    left = state.deck_left if state.timer_left else len(deck)
    index = state.cards_drawn
    came_up = b""
    while EMPTY in row:
        if not left:
            if not state.discards:
                break
            deck = _reshuffle(state, deck, events)
            left = len(deck)
        card = ONE[deck[chance("cards", index, deck)]]
        deck = deck.replace(card, b"", 1)
        row = row.replace(_HOLE, card, 1)
        came_up += card
        index += 1
        left -= 1
    if came_up:
        state.cards, state.deck = row, deck
        state.cards_drawn = index
        events.append(Refilled("cards", came_up))


def _reshuffle(state: State, deck: bytes, events: list[Event]) -> bytes:
    """P-DRAW-3: the discards become the deck; what is left of the old one are timer cards."""
    if state.timer_left and not state.timer_deck:
        state.timer_deck = deck
    deck = bytes(sorted(state.discards))
    state.discards = b""
    events.append(Reshuffled(len(deck)))
    return deck


def _refill_contracts(state: State, chance: Chance, events: list[Event]) -> None:
    """P-PUBLIC-3: fill the empty spaces; public contracts are never reshuffled."""
    row, deck = state.contracts, state.contract_deck
    first = state.config.public_total - len(deck)
    came_up, state.contract_deck = drawn(deck, row.count(EMPTY), "contracts", chance, first)
    for contract in came_up:
        row = row.replace(_HOLE, ONE[contract], 1)
    if came_up:
        state.contracts = row
        events.append(Refilled("contracts", came_up))


def _turn_timer(state: State, chance: Chance, events: list[Event]) -> None:
    """P-SOLO-2 and P-SOLO-3: two timer cards remove what is in their spaces."""
    turned = _timer_cards(state, chance)
    cards, contracts = bytearray(state.cards), bytearray(state.contracts)
    gone_cards, gone_contracts = bytearray(), bytearray()
    for space in timer_spaces(turned):
        for row, gone in ((cards, gone_cards), (contracts, gone_contracts)):
            if space < len(row) and row[space] != EMPTY:
                gone.append(row[space])
                row[space] = EMPTY
    state.cards, state.contracts = bytes(cards), bytes(contracts)
    state.discards += bytes(gone_cards)
    state.turned = turned
    events.append(TimerTurned(turned, bytes(gone_cards), bytes(gone_contracts)))
    if not can_build(state, *turned):
        state.discards += turned
        events.append(TimerSkipped())
        end_timer(state, chance, events)


def timer_spaces(turned: bytes) -> tuple[int, int]:
    """Return the spaces, counted from 0, that two timer cards empty (P-SOLO-2, P-SOLO-3)."""
    first = VALUE_OF[turned[0]]
    return first - 1, first + VALUE_OF[turned[1]] - 1


def _timer_cards(state: State, chance: Chance) -> bytes:
    """Turn up two timer cards, from the timer or the deck that still holds them."""
    first = state.config.timer - state.timer_left
    turned, rest = drawn(state.timer_deck or state.deck, 2, "timer", chance, first)
    if state.timer_deck:
        state.timer_deck = rest
    else:
        state.deck = rest
    state.timer_left -= 2
    return turned


def end_timer(state: State, chance: Chance | None, events: list[Event]) -> None:
    """P-SOLO-5 and P-SOLO-6: both rows are refilled only now, but not after the last card."""
    state.turned = b""
    state.turn += 1
    if not state.timer_left:
        reveal(state, events)
        return
    if chance is not None:
        _refill(state, chance, events)
    state.phase = ACT
