"""What happened: a sentence for each event, and each decision as it is told.

The remark behind a move of the record is made here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from porto_cli.core import GAME_OVER, enumerated
from porto_cli.core.values import event_json
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    GOODS,
    NO_GOOD,
    NO_GOODS,
    NO_PLACE,
    PLACES,
    ROLES,
    TILES,
)
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    TRADING_HOUSE,
    Built,
    Choose,
    Chose,
    ColonistsDealt,
    Earned,
    Emptied,
    Ended,
    EndTriggered,
    Event,
    GuestMoved,
    Loaded,
    Passed,
    Place,
    Placed,
    Produced,
    Reshuffled,
    RoundBegan,
    Scored,
    ShipRefilled,
    Sold,
    Store,
    Stored,
    TilesTurned,
    TookGoods,
    TookRole,
    TookTile,
    gains_of,
    onto_name,
)
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, NO_ROLE, Config
from porto_cli.games.puerto_rico.notation import GOOD_NAMES, format_bundle, format_move
from porto_cli.seam import DONE, IDLE, MATTERS, SCORED, SEEN, UNDO, Short, Step, Turn, told_to

if TYPE_CHECKING:
    from porto_cli.abilities import HasPlayers

# -- Sentences


def describe(event: Event, config: HasPlayers, *, brief: bool = False) -> str:
    """Return an event as a sentence; a ``brief`` one leaves out what the table shows."""
    kind = type(event)
    tell = (_IN_BRIEF.get(kind) if brief else None) or _TOLD[kind]
    seat = event.governor if isinstance(event, RoundBegan) else event.seat
    return tell(event, config.players[seat or 0])


def _took_role(event: TookRole, who: str, lying: Iterable[Earned] = ()) -> str:
    number = sum(one.doubloons for one in lying)
    card = f" and {phrases.the_doubloons(number)} on it" if number else ""
    declined = " and declined the extra colonist" if event.no_colonist else ""
    comma = "," if card and declined else ""
    return f"{who} took the {ROLES[event.role]}{card}{comma}{declined}."


def _took_tile(event: TookTile, who: str) -> str:
    what = phrases.a_tile(event.tile)
    if event.forest:
        return f"{who} took {what} and laid it face down, as a forest."
    if event.source == "stack":
        return f"{who} drew a face-down plantation with the hacienda: {TILES[event.tile]}."
    return f"{who} took {what}{_with_colonist(event)}."


def _tiles_turned(event: TilesTurned, _who: str) -> str:
    if not any(event.tiles):
        return "No plantation was left to draw."
    return f"New face-up plantations: {phrases.tiles(event.tiles)}."


def _colonists_dealt(event: ColonistsDealt, who: str) -> str:
    got = []
    if event.colonists:
        got.append(f"{phrases.colonists(event.colonists)} from the ship")
    if event.privilege:
        more = phrases.colonists(event.privilege)
        got.append(f"{more} from the supply for the mayor's privilege")
    return f"{who} got {enumerated(got)}."


def _placed(event: Placed, who: str, *, brief: bool = False) -> str:
    left = f"; {event.san_juan} left in San Juan" if event.san_juan else ""
    if not any(event.colonists):
        return f"{who} {'placed no colonists' if left else 'had no colonists to place'}{left}."
    # Automatically all circles were filled, if colonists are left over (PR-MAYOR-4).
    if event.auto and left:
        return f"{who} filled all circles{left}."
    where = "" if brief else f": {phrases.places(event.colonists)}"
    return f"{who} placed colonists{where}{left}."


def _ship_refilled(event: ShipRefilled, _who: str) -> str:
    instead = f" instead of {event.wanted}" if event.colonists < event.wanted else ""
    number = phrases.colonists(event.colonists) if event.colonists else "no colonists"
    return f"The colonist ship got {number}{instead}."


def _built(event: Built, who: str, *, brief: bool = False) -> str:
    cost = phrases.charge(event.price)
    paid = f", {how}" if (how := paid_with(event)) else ""
    more = "" if brief else f"{paid}{_with_colonist(event)}"
    return f"{who} built {PLACES[event.building]} for {cost}{more}."


def _produced(event: Produced, who: str) -> str:
    goods = "nothing" if event.goods == NO_GOODS else phrases.goods(event.goods)
    return f"{who} produced {goods}."


def _sold(event: Sold, who: str) -> str:
    where = "with the trading post" if event.post else "to the trading house"
    return f"{who} sold 1 {GOODS[event.good]} {where}."


def _stored(event: Stored, who: str, *, brief: bool = False) -> str:
    done = []
    if event.goods != NO_GOODS and not (brief and any(event.returned)):
        done.append(f"stored {phrases.goods(event.goods)}")
    if event.returned != NO_GOODS:
        done.append(f"lost {phrases.goods(event.returned)}")
    return f"{who} {enumerated(done) or 'had nothing to store'}."


def _emptied(event: Emptied, _who: str) -> str:
    full = "trading house" if event.what == TRADING_HOUSE else f"{event.what}-space ship"
    return f"The full {full} returned {phrases.goods(event.goods)} to the supply."


def _scored(event: Scored, who: str) -> str:
    if event.vp < 0:
        return f"{who} returned {-event.vp} VP to the pool."
    return f"{who} got {event.vp} VP ({event.reason})."


def _earned(event: Earned, who: str) -> str:
    if event.doubloons < 0:
        return f"{who} paid {phrases.doubloons(-event.doubloons)}."
    return f"{who} got {phrases.doubloons(event.doubloons)} ({event.reason})."


def _with_colonist(event: TookTile | Built) -> str:
    return ", and a colonist came with it" if event.colonist else ""


Told = Callable[[Any, str], str]
"""Returns an event as a sentence, given who it is about."""

_TOLD: dict[type, Told] = {
    Chose: lambda event, who: f"{who} chose {PLACES[event.building]} for the game.",
    TookRole: _took_role,
    TookTile: _took_tile,
    TilesTurned: _tiles_turned,
    Reshuffled: lambda event, _: (
        f"The stack was empty; {sum(event.tiles)} discarded plantations became the new stack."
    ),
    ColonistsDealt: _colonists_dealt,
    Placed: _placed,
    ShipRefilled: _ship_refilled,
    Built: _built,
    Produced: _produced,
    TookGoods: lambda event, who: (
        f"{who} took {phrases.goods(event.goods)} for the craftsman's privilege."
    ),
    Sold: _sold,
    Loaded: lambda event, who: (
        f"{who} loaded {phrases.goods(event.goods)} {phrases.onto(event.onto)}."
    ),
    Stored: _stored,
    Emptied: _emptied,
    GuestMoved: lambda event, who: f"{who} moved a guest to {PLACES[event.place]}.",
    Passed: lambda _, who: f"{who} passed.",
    Scored: _scored,
    Earned: _earned,
    EndTriggered: lambda event, _: phrases.end_triggered(event.reason),
    RoundBegan: lambda event, who: f"Round {event.round} began with {who} as governor.",
    Ended: lambda *_: GAME_OVER,
}
_IN_BRIEF: dict[type, Told] = {
    Placed: partial(_placed, brief=True),
    Built: partial(_built, brief=True),
    Loaded: lambda event, who: f"{who} loaded {phrases.goods(event.goods)}.",
    ColonistsDealt: lambda event, who: (
        f"{who} got {phrases.colonists(event.colonists + event.privilege)}."
    ),
    TookGoods: lambda event, who: f"{who} took {phrases.goods(event.goods)} more.",
    Sold: lambda event, who: f"{who} sold 1 {GOODS[event.good]}.",
    Stored: partial(_stored, brief=True),
}


def paid_with(event: Built) -> str:
    """Return with what a price, or a part of it, was paid in kind; nothing if it was not."""
    good, vp, place = event.returned
    returned = [f"1 {GOODS[good]}"] if good != NO_GOOD else []
    returned += ["1 VP"] if vp else []
    if place != NO_PLACE:
        returned.append(f"a colonist {phrases.source(place)}")
    if not returned:
        return ""
    part = "part of it " if len(returned) < event.price else ""
    return f"{part}paid with {enumerated(returned)}"


def summary(events: Iterable[Event], config: HasPlayers) -> list[str]:
    """Return what happened in few sentences: the notable events, some of them together.

    There is one sentence for all colonists dealt, and one for all that is produced, also if it is
    nothing at all; and one for a role with the doubloons that lay on its card.
    """
    names = config.players
    told: list[str] = []
    for kind, group in groupby(_with_gains(notable(events)), key=lambda one: type(one[0])):
        pairs = [*group]
        each = [_told(event, gains, config) for event, gains in pairs]
        alike: list[Any] = [event for event, _ in pairs]
        if kind is ColonistsDealt and len(alike) > 1:
            told += [
                f"{names[one.seat]} got {phrases.colonists(one.privilege)} for the mayor's "
                "privilege."
                for one in alike
                if one.privilege
            ]
            ship = [f"{one.colonists} for {names[one.seat]}" for one in alike if one.colonists]
            told += [f"Colonists from the ship: {', '.join(ship)}."] if ship else []
        elif kind is Produced and alike[0].goods == NO_GOODS:
            # Others may have produced in another decision.
            idle = enumerated(names[one.seat] for one in alike)
            everybody = len(alike) == len(names)
            told.append("Nobody produced anything." if everybody else f"{idle} produced nothing.")
        elif kind is Produced:
            told.append("; ".join(one.removesuffix(".") for one in each) + ".")
        else:
            told += each
    return told


def _with_gains(events: Iterable[Event]) -> list[tuple[Event, list[Any]]]:
    """Return events, each with what came of it at once: the VP of a load, the doubloons of a sale
    or of a role card.
    """
    told: list[tuple[Event, list[Any]]] = []
    for event in events:
        if told and _comes_of(event, told[-1][0]):
            told[-1][1].append(event)
        else:
            told.append((event, []))
    return told


_BRINGS: set[tuple[type, type]] = {(Loaded, Scored), (Sold, Earned)}


def _comes_of(gain: Event, event: Event) -> bool:
    if isinstance(event, TookRole):
        return isinstance(gain, Earned) and gain.reason == phrases.ON_CARD
    return (type(event), type(gain)) in _BRINGS and event.seat == gain.seat


def _told(event: Event, gains: Sequence[Any], config: HasPlayers, *, brief: bool = False) -> str:
    """Return an event with its gains as a sentence; a ``brief`` one only with their sum."""
    if isinstance(event, TookRole):
        return _took_role(event, config.players[event.seat], () if brief else gains)
    text = describe(event, config, brief=brief)
    if not gains:
        return text
    scores, earns = gains_of(gains)
    total = phrases.total([*scores, *earns])
    worth = f"{total} VP" if scores else phrases.doubloons(total)
    why = "" if brief or len(gains) == 1 else f" ({phrases.reasons([*scores, *earns])})"
    return f"{text.removesuffix('.')} for {worth}{why}."


def notable(events: Iterable[Event]) -> list[Event]:
    """Return the events without those that do not matter, and all that is produced together, with
    factories behind it.

    What does not matter are automatic passes, empty stores and placements, and the payment for a
    building, which is part of the event of the building. Empty productions do not matter beside
    others; where all are empty, that is what has happened.
    """
    shown = [event for event in events if not _is_idle(event)]
    produced = [event for event in shown if isinstance(event, Produced)]
    first = shown.index(produced[0]) if produced else 0
    made = [event for event in produced if event.goods != NO_GOODS] or produced
    rest = (event for event in shown[first:] if not isinstance(event, Produced))
    return [*shown[:first], *made, *rest]


def _is_idle(event: Event) -> bool:
    match event:
        case Passed():
            return event.auto
        case Stored(goods=goods, returned=returned):
            return goods == NO_GOODS == returned
        case Placed(colonists=colonists, san_juan=san_juan):
            return not (any(colonists) or san_juan)
        case Scored(reason=reason) | Earned(reason=reason):
            return reason in phrases.PRICE
    return False


# -- Decisions


def turn(step: Step, seat: int | None, *, over: bool) -> Turn:
    """Return a decision as a seat may know it, see :meth:`porto_cli.games.Game.turn`.

    VP chips are secret until the game is over (PR-SECRET-1): until then a turn has those of this
    seat and of no other.
    """
    before, names = step.before, step.before.config.players
    player, undo = names[step.seat], step.takes_back is not None
    known = [
        event
        for event in step.events
        if over or not isinstance(event, Scored) or event.seat == seat
    ]
    own = [event for event in known if not event.auto]
    scores, earns = gains_of(event for event in own if event.seat == step.seat)
    number = 0 if before.phase == DRAFT_PHASE else before.round
    move = UNDO if undo else format_move(step.moves[0])
    facts = {
        "turn": None if undo else before.turn + 1,
        "round": number,
        "governor": names[before.governor],
        **_role(step),
        "player": player,
        "kind": move.partition(" ")[0],
        "move": move,
        "undone": step.undone,
        "scores": [list(gain) for gain in scores],
        "earns": [list(gain) for gain in earns],
        "events": [event_json(event, before.config) for event in known],
    }
    named = told_to(names, seat)
    # The new round is shown apart, and so is the result.
    done, by_itself = (
        summary((event for event in some if not isinstance(event, RoundBegan | Ended)), named)
        for some in (own, [event for event in known if event.auto])
    )
    takes_role = facts["kind"] == "role"
    split = 1 if takes_role else len(done)
    role = facts["role"] and f", {facts['role']}"
    when = f"round {number}{role or ''}" if number else "the draft"
    return Turn(
        facts,
        part=f"Round {number}, {names[before.governor]} is governor" if number else "The draft",
        heading=f"Turn {facts['turn']}, {when}: {player}",
        done=done[:split],
        then=[*done[split:], *by_itself],
        style="bold" if takes_role else "",
        short=[*_in_short(known, named, seat)],
        drawn=any(map(_is_drawn, own)),
    )


_BOOKKEEPING = TilesTurned | Reshuffled | ShipRefilled | Emptied | Ended
"""What happens to the supply, which the table shows, and the end, which the result tells."""


def _in_short(events: Iterable[Event], config: HasPlayers, reader: int | None) -> Iterator[Short]:
    """Yield what happened in brief, as far as the reader may know it."""
    shown = (one for one in notable(events) if not isinstance(one, _BOOKKEEPING))
    for event, gains in _with_gains(shown):
        who = "" if event.seat is None else config.players[event.seat]
        yield Short(_told(event, gains, config, brief=True), _weight(event, reader), who)


def _weight(event: Event, reader: int | None) -> int:
    is_own = reader is not None and event.seat == reader
    match event:
        case TookRole() | EndTriggered():
            return MATTERS
        case Placed() | Passed() | RoundBegan():
            return IDLE
        case ColonistsDealt() | Produced():
            return SEEN
        case _ if is_own:
            # Readers know what they have chosen, but not what happened to them.
            return MATTERS if event.auto or _is_drawn(event) else SEEN
        case Stored(returned=returned):
            return SCORED if any(returned) else SEEN
        case Loaded() | Scored() | Earned():
            return SCORED
    return DONE


def _is_drawn(event: Event) -> bool:
    return isinstance(event, TookTile) and event.source == "stack"


def _role(step: Step) -> dict[str, str | None]:
    """Return the role being played, and who took it; taking a card begins it."""
    names = step.before.config.players
    if step.takes_back is None:
        for event in step.events:
            if isinstance(event, TookRole):
                return {"role": ROLES[event.role], "chooser": names[event.seat]}
        if step.before.role != NO_ROLE:
            return {"role": ROLES[step.before.role], "chooser": names[step.before.chooser]}
    return {"role": None, "chooser": None}


# -- The record


def _sums(gains: Iterable[Event]) -> str:
    """Return the sums with their reasons: ``shipping 2, captain 1: 3 VP``."""
    scores, earns = gains_of(gains)
    unit = "doubloon" if abs(phrases.total(earns)) == 1 else "doubloons"
    return ", ".join(
        f"{phrases.reasons(some)}: {phrases.total(some)} {unit}"
        for some, unit in ((scores, "VP"), (earns, unit))
        if some
    )


def remark(events: Iterable[Event], config: Config) -> str:
    """Return the comment behind a move in the record: what it brought, what went by itself.

    Of the automatic moves those are named that have to be made by hand on a real table:
    loading, placing, and storing if something is lost.
    """
    mover: int | None = None
    own: list[Event] = []
    others: list[tuple[int, list[str], list[Event]]] = []
    for event in events:
        seat = event.seat
        mover = seat if mover is None else mover
        moves = [*_by_hand(event)] if event.auto else []
        gains = [event] if isinstance(event, Scored | Earned) else []
        if gains and seat == mover and not event.auto:
            own += gains
        elif seat is not None and (moves or gains):
            if not others or others[-1][0] != seat or (moves and others[-1][1]):
                others.append((seat, [], []))
            others[-1][1].extend(moves)
            others[-1][2].extend(gains)
    texts = [_sums(own)] if own else []
    for seat, moves, gained in others:
        brought = [f"({_sums(gained)})"] if gained else []
        texts.append(" ".join([config.players[seat], *moves, *brought]))
    return "; ".join(texts)


def _by_hand(event: Event) -> Iterator[str]:
    """Yield the move behind an event, if it is one that has to be made by hand."""
    match event:
        case Loaded(goods=goods, onto=onto):
            loaded = format_bundle(goods, GOOD_NAMES)
            if onto != BY_SMALL_WHARF:
                loaded = loaded.split()[0]
            yield f"load {loaded} {onto_name(onto)}"
        case Stored(goods=goods, returned=returned) if returned != NO_GOODS:
            yield format_move(Store(goods))
        case Placed(colonists=colonists) if any(colonists):
            yield format_move(Place(colonists))
        case Chose(building=building):
            yield format_move(Choose(building))
