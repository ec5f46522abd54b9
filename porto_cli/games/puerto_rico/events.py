"""What happened: a sentence or a small mapping for each event, and each decision as it is told.

The remark behind a move of the record is made here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeGuard

from porto_cli.core import enumerated
from porto_cli.core.values import kebab_name, named_fields
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    GOODS,
    NO_GOOD,
    NO_GOODS,
    NO_PLACE,
    PLACES,
    QUARRY,
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
    place_name,
)
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, NO_ROLE, Config
from porto_cli.games.puerto_rico.notation import GOOD_NAMES, format_bundle, format_move
from porto_cli.seam import DONE, MATTERS, SCORED, SEEN, UNDO, Short, Step, Turn

Names = Sequence[str]
"""The players in seat order."""


# -- For programs

KEYS = {"seat": "player", "source": "from", "place": "to", "post": "to"}
"""What JSON calls fields, where that differs."""


def name_of(kind: type[Event]) -> str:
    """Return what JSON calls a kind of events: ``took-tile``."""
    return {TilesTurned: "tiles", RoundBegan: "round"}.get(kind) or kebab_name(kind)


def event_json(event: Event, config: Config) -> dict[str, Any]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation.

    ``auto`` is there, and true, if the move has made itself.
    """
    facts: dict[str, Any] = {"event": name_of(type(event))}
    told = named_fields(event)
    told.update({key: config.players[told[key]] for key in ("seat", "governor") if key in told})
    if not event.auto:
        del told["auto"]
    return facts | facts_json(told)


def facts_json(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return named facts of a move or an event as JSON has them."""
    return {KEYS.get(key, key): fact for key, fact in facts.items()}


# -- Sentences


_FOR = {
    "shipping": "for shipping",
    "captain": "for the captain's privilege",
    "trader": "for the trader's privilege",
    "role": "from the role card",
    "black-market": "from the black market",
}
"""What VP and doubloons are for, other than for the building or role of the reason's name."""


def describe(event: Event, config: Config, *, brief: bool = False, earned: int = 0) -> str:
    """Return an event as a sentence; or a ``brief`` one, which says first what is lost, of a sale
    the doubloons that it ``earned``, and not what the table shows.
    """
    names = config.players
    who = names[event.seat or 0]
    match event:
        case Chose(building=building):
            return f"{who} chooses {PLACES[building]} for the game."
        case TookRole():
            return _takes_role(event, 0, names)
        case TookTile(tile=tile, source=source) if brief and tile != QUARRY:
            return f"{who} {'draws' if source == 'stack' else 'takes'} {TILES[tile]}."
        case TookTile(tile=tile, source=source, forest=forest, colonist=colonist):
            what = phrases.a_tile(tile)
            if forest:
                return f"{who} takes {what} and lays it face down, as a forest."
            if source == "stack":
                return f"{who} draws {what} with the hacienda."
            return f"{who} takes {what}{_with(colonist)}."
        case TilesTurned(tiles=tiles) if any(tiles):
            return f"New face-up plantations: {phrases.tiles(tiles)}."
        case TilesTurned():
            return "No plantation is left to draw."
        case Reshuffled(tiles=tiles):
            return f"The stack was empty; {sum(tiles)} discarded plantations became the new one."
        case ColonistsDealt(colonists=colonists, privilege=privilege):
            ship = f"{phrases.colonists(colonists)} from the ship"
            more = f"{phrases.colonists(privilege)} from the supply for the mayor's privilege"
            return f"{who} gets {enumerated([ship] * (colonists > 0) + [more] * (privilege > 0))}."
        case Placed(colonists=colonists) if brief and any(colonists):
            return f"{who} places colonists, {sum(colonists)} in all."
        case Placed(colonists=colonists, san_juan=san_juan):
            left = f"; {san_juan} left in San Juan" if san_juan else ""
            if not any(colonists):
                nothing = "places no colonists" if left else "has no colonists to place"
                return f"{who} {nothing}{left}."
            # Automatically all circles were filled, if colonists are left over (PR-MAYOR-4).
            if event.auto and left:
                return f"{who} fills all circles{left}."
            return f"{who} places colonists: {phrases.places(colonists)}{left}."
        case ShipRefilled(colonists=colonists, wanted=wanted):
            instead = f" instead of {wanted}" if colonists < wanted else ""
            number = phrases.colonists(colonists) if colonists else "no colonists"
            return f"The colonist ship gets {number}{instead}."
        case Built(building=building, price=price):
            cost = phrases.doubloons(price) if price else "free"
            if brief:
                returned = enumerated(_returned(event))
                lost = f", returning {returned}" if returned else ""
                return f"{who} builds {PLACES[building]}{lost}."
            paid = f", {how}" if (how := paid_with(event)) else ""
            return f"{who} builds {PLACES[building]} for {cost}{paid}{_with(event.colonist)}."
        case Produced(goods=goods):
            return f"{who} produces {'nothing' if goods == NO_GOODS else phrases.goods(goods)}."
        case TookGoods(goods=goods):
            why = "" if brief else " for the craftsman's privilege"
            return f"{who} takes {phrases.goods(goods)} extra{why}."
        case Sold(good=good) if brief:
            return f"{who} sells {GOODS[good]} for {phrases.doubloons(earned)}."
        case Sold(good=good, post=post):
            where = "their own trading post" if post else "the trading house"
            return f"{who} sells 1 {GOODS[good]} to {where}."
        case Loaded(goods=goods, onto=onto):
            where = "" if brief else f" {phrases.onto(onto)}"
            return f"{who} loads {phrases.goods(goods)}{where}."
        case Stored(goods=goods, returned=returned) if goods == NO_GOODS == returned:
            return f"{who} has nothing to store."
        case Stored(goods=goods, returned=returned) if brief:
            lost = f"loses {phrases.goods(returned)} and " if any(returned) else ""
            return f"{who} {lost}keeps {phrases.goods(goods)}."
        case Stored(goods=goods, returned=returned):
            lost = f" and loses {phrases.goods(returned)}" if returned != NO_GOODS else ""
            return f"{who} stores {phrases.goods(goods)}{lost}."
        case Emptied(what=what, goods=goods):
            full = "trading house" if what == TRADING_HOUSE else f"{what}-space ship"
            return f"The full {full} returns {phrases.goods(goods)} to the supply."
        case GuestMoved(place=place):
            return f"{who} moves a guest to {PLACES[place]}."
        case Passed():
            return f"{who} passes."
        case Scored(reason=reason, vp=vp) if vp < 0:
            return f"{who} returns {-vp} VP to the pool."
        case Scored(reason=reason, vp=vp):
            return f"{who} gets {vp} VP {_why(reason)}."
        case Earned(reason="build", doubloons=doubloons):
            return f"{who} pays {phrases.doubloons(-doubloons)}."
        case Earned(reason=reason, doubloons=doubloons):
            return f"{who} gets {phrases.doubloons(doubloons)} {_why(reason)}."
        case EndTriggered(reason=reason):
            return phrases.end_triggered(reason)
        case RoundBegan(round=number) if brief:
            return f"Round {number}."
        case RoundBegan(round=number, governor=governor):
            return f"Round {number} begins; {names[governor]} is governor."
        case Ended():
            return "The game is over."
    raise TypeError(f"{event!r} is not an event")


def paid_with(event: Built) -> str:
    """Return with what a price, or a part of it, was paid in kind; nothing if it was not."""
    returned = _returned(event)
    if not returned:
        return ""
    part = "part of it " if len(returned) < event.price else ""
    return f"{part}paid with {enumerated(returned)}"


def _returned(event: Built) -> list[str]:
    """Return what was paid in kind, each thing for a doubloon."""
    good, vp, place = event.returned
    returned = [f"1 {GOODS[good]}"] if good != NO_GOOD else []
    returned += ["1 VP"] if vp else []
    if place != NO_PLACE:
        returned.append(f"the colonist of {place_name(place)}")
    return returned


def _with(colonist: bool) -> str:
    return ", and a colonist comes with it" if colonist else ""


def _why(reason: str) -> str:
    return _FOR.get(reason) or f"for the {reason.replace('-', ' ')}"


def summary(events: Iterable[Event], config: Config) -> list[str]:
    """Return what happened in few sentences: the notable events, some of them together.

    There is one sentence for all colonists dealt, and one for all that is produced, also if it is
    nothing at all; and one for a role with the doubloons that lay on its card.
    """
    names = config.players
    told: list[str] = []
    shown = notable(events)
    lying = sum(event.doubloons for event in shown if _is_from_card(event))
    rest = [event for event in shown if not _is_from_card(event)]
    for kind, group in groupby(_produced_together(rest), key=type):
        alike: list[Any] = list(group)
        if kind is ColonistsDealt and len(alike) > 1:
            told += [
                f"{names[one.seat]} gets {phrases.colonists(one.privilege)} for the mayor's "
                "privilege."
                for one in alike
                if one.privilege
            ]
            ship = ", ".join(f"{names[one.seat]} {one.colonists}" for one in alike if one.colonists)
            told += [f"Colonists from the ship: {ship}."] if ship else []
        elif kind is Produced and len(alike) == len(names) and all(map(_is_empty, alike)):
            told.append("Nobody produces anything.")
        elif kind is Produced and len(alike) > 1:
            each = "; ".join(f"{names[one.seat]} {phrases.goods(one.goods)}" for one in alike)
            told.append(f"Produced: {each}.")
        elif kind is TookRole:
            told += [_takes_role(event, lying, names) for event in alike]
        else:
            told += [describe(event, config) for event in alike]
    return told


def _produced_together(events: list[Event]) -> list[Event]:
    """Return the events with all that is produced together, and factories behind it."""
    made = [event for event in events if isinstance(event, Produced)]
    first = events.index(made[0]) if made else 0
    rest = (event for event in events[first:] if not isinstance(event, Produced))
    return [*events[:first], *made, *rest]


def _takes_role(event: TookRole, lying: int, names: Names) -> str:
    card = f" and {phrases.the_doubloons(lying)} on it" if lying else ""
    declined = f"{',' * bool(lying)} and declines its colonist" if event.no_colonist else ""
    return f"{names[event.seat]} takes the {ROLES[event.role]}{card}{declined}."


def _is_from_card(event: Event) -> TypeGuard[Earned]:
    return isinstance(event, Earned) and event.reason == phrases.ON_CARD


def notable(events: Iterable[Event]) -> list[Event]:
    """Return the events without those that do not matter.

    These are automatic passes, empty stores and placements, and the payment for a building, which
    is part of the event of the building. Empty productions do not matter beside others; where all
    are empty, that is what has happened.
    """
    shown = [event for event in events if not _is_idle(event)]
    nothing = all(_is_empty(event) for event in shown if isinstance(event, Produced))
    return [event for event in shown if nothing or not _is_empty(event)]


def _is_empty(event: Event) -> bool:
    return isinstance(event, Produced) and event.goods == NO_GOODS


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
    scores, earns = gains_of(event for event in known if _is_gain(event, step.seat))
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
    # The gains and the new round are shown apart.
    rest = [event for event in known if not isinstance(event, RoundBegan)]
    own = [
        event
        for event in rest
        if not event.auto and (_is_from_card(event) or not _is_gain(event, step.seat))
    ]
    done = summary(own, before.config)
    auto = [event for event in rest if event.auto]
    by_itself = summary(auto, before.config)
    takes_role = facts["kind"] == "role"
    split = 1 if takes_role else len(done)
    when = f"round {number}, {facts['role']}" if number else "the draft"
    brought = phrases.brought(scores, [gain for gain in earns if gain[0] != phrases.ON_CARD])
    return Turn(
        facts,
        part=f"Round {number}, {names[before.governor]} is governor" if number else "The draft",
        heading=f"Turn {facts['turn']}, {when}: {player}",
        done=tuple(done[:split]),
        gains=f"{player} gets {brought}" if brought else "",
        then=(*done[split:], *by_itself),
        style="bold" if takes_role else "",
        short=_in_short(known, before.config, seat),
        drawn=any(map(_is_drawn, own)),
    )


_BOOKKEEPING = TilesTurned | Reshuffled | ShipRefilled | Emptied
"""What happens to the supply, which the table shows."""


def _in_short(events: Iterable[Event], config: Config, reader: int | None) -> list[Short]:
    """Return what happened in brief: a sale with all the doubloons that it brought, a load
    with the VP, as far as the reader may know them. The first one is told without VP, which a turn
    has itself.
    """
    told: list[tuple[Event, list[Any]]] = []
    for event in notable(events):
        if told and _comes_of(event, told[-1][0]):
            told[-1][1].append(event)
        elif not isinstance(event, _BOOKKEEPING):
            told.append((event, []))
    found: list[Short] = []
    for event, gains in told:
        who = "" if event.seat is None else config.players[event.seat]
        vp = sum(one.vp for one in gains) if found and isinstance(event, Loaded) else 0
        earned = sum(one.doubloons for one in gains) if isinstance(event, Sold) else 0
        text = describe(event, config, brief=True, earned=earned)
        text = f"{text.removesuffix('.')} for {vp} VP." if vp else text
        found.append(Short(text, _weight(event, reader), who))
    return found


_BRINGS: dict[type, type] = {Loaded: Scored, Sold: Earned, TookRole: Earned}
"""What is told together with what brought it, or with its role."""


def _comes_of(gain: Event, event: Event) -> bool:
    is_kind = _BRINGS.get(type(event)) is type(gain)
    return is_kind and event.seat == gain.seat


def _weight(event: Event, reader: int | None) -> int:
    is_own = reader is not None and event.seat == reader
    match event:
        case TookRole() | EndTriggered():
            return MATTERS
        case Placed() | Passed() | ColonistsDealt():
            return SEEN
        case Produced():
            return SCORED if is_own else SEEN
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


def _is_gain(event: Event, mover: int) -> bool:
    return not event.auto and isinstance(event, Scored | Earned) and event.seat == mover


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


def _brought(gains: Iterable[Event]) -> str:
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
    steps: list[tuple[int, str, list[Event]]] = []
    for event in events:
        seat = event.seat
        mover = seat if mover is None else mover
        move = _move_text(event) if event.auto else ""
        is_gain = isinstance(event, Scored | Earned)
        if is_gain and seat == mover and not event.auto:
            own.append(event)
        elif seat is not None and (is_gain or move):
            last = steps.pop() if steps and steps[-1][0] == seat else (seat, "", [])
            if move and last[1]:
                steps.append(last)
                last = (seat, "", [])
            steps.append((seat, move or last[1], [*last[2], *([event] if is_gain else [])]))
    texts = [_brought(own)]
    for seat, move, gains in steps:
        brought = f"({_brought(gains)})" if gains else ""
        texts.append(" ".join(filter(None, (config.players[seat], move, brought))))
    return "; ".join(filter(None, texts))


def _move_text(event: Event) -> str:
    """Return the move of an event that made itself, if it is one that has to be made by hand."""
    match event:
        case Loaded(goods=goods, onto=onto):
            loaded = format_bundle(goods, GOOD_NAMES)
            if onto != BY_SMALL_WHARF:
                loaded = loaded.split()[0]
            return f"load {loaded} {onto_name(onto)}"
        case Stored(goods=goods, returned=returned) if returned != NO_GOODS:
            return format_move(Store(goods))
        case Placed(colonists=colonists) if any(colonists):
            return format_move(Place(colonists))
        case Chose(building=building):
            return format_move(Choose(building))
    return ""
