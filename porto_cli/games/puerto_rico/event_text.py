"""What happened, for people and programs: a sentence or a small mapping for each event.

The remark behind a move of the record is made here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from porto_cli.core.message import Sentence, both, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    NO_GOOD,
    NO_GOODS,
    NO_PLACE,
    PLACES,
    ROLES,
    SAN_JUAN,
    TILES,
)
from porto_cli.games.puerto_rico.engine.moves import (
    SMALL_WHARF,
    TRADING_HOUSE,
    WHARF,
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
    named,
    onto_name,
)
from porto_cli.games.puerto_rico.notation import GOOD_NAMES, format_bundle, format_move

Names = Sequence[str]
"""The players in seat order."""


# -- sentences


def sentences(events: Iterable[Event], names: Names) -> list[Sentence]:
    """Return what happened as sentences, one for each event, in order."""
    return [sentence(event, names) for event in events]


def summary(events: Iterable[Event], names: Names) -> list[Sentence]:
    """Return what happened in few sentences: the notable events, some of them together.

    There is one sentence for all colonists dealt, and one for all that is produced, also if it is
    nothing at all.
    """
    found = []
    for kind, alike in groupby(notable(events), key=type):
        some = list(alike)
        if len(some) == len(names) and all(map(_is_empty_production, some)):
            found.append(say("Nobody produces anything."))
        elif len(some) > 1 and kind is ColonistsDealt:
            found += _all_dealt(some, names)
        elif len(some) > 1 and kind is Produced:
            found.append(_all_produced(some, names))
        else:
            found += sentences(some, names)
    return found


def _all_dealt(events: Sequence[Event], names: Names) -> list[Sentence]:
    dealt = [event for event in events if isinstance(event, ColonistsDealt)]
    from_ship = [f"{names[event.seat]} {event.colonists}" for event in dealt if event.colonists]
    found = [
        say("{player} gets {privilege} by privilege.", player=names[event.seat], privilege=number)
        for event in dealt
        if event.privilege
        for number in [phrases.colonists(event.privilege)]
    ]
    if from_ship:
        found.append(say("Colonists from the ship: {dealt}.", dealt=", ".join(from_ship)))
    return found


def _all_produced(events: Sequence[Event], names: Names) -> Sentence:
    return say(
        "Produced: {produced}.",
        produced="; ".join(
            f"{names[event.seat]} {phrases.goods(event.goods)}"
            for event in events
            if isinstance(event, Produced)
        ),
    )


def notable(events: Iterable[Event]) -> list[Event]:
    """Return the events without those that do not matter.

    These are automatic passes, empty stores and placements, and the payment for a building, which
    is part of the event of the building. Empty productions do not matter beside others; where all
    are empty, that is what has happened.
    """
    found = [event for event in events if not _is_idle(event)]
    if all(map(_is_empty_production, (one for one in found if isinstance(one, Produced)))):
        return found
    return [event for event in found if not _is_empty_production(event)]


def _is_empty_production(event: Event) -> bool:
    return isinstance(event, Produced) and event.goods == NO_GOODS


def _is_idle(event: Event) -> bool:
    match event:
        case Passed():
            return event.auto
        case Stored(_, goods, returned):
            return goods == NO_GOODS == returned
        case Placed(_, colonists, san_juan):
            return not (any(colonists) or san_juan)
        case Scored(_, reason, _) | Earned(_, reason, _):
            return reason in phrases.PRICE
    return False


def sentence(event: Event, names: Names) -> Sentence:
    """Return an event as a sentence."""
    if isinstance(event, EndTriggered):
        return phrases.end_triggered(event.reason)
    template = _template(event)
    facts = {
        name: _WORDS[name](value)
        for name, value in event.facts().items()
        if name in _WORDS and f"{{{name}}}" in template
    }
    match event:
        case RoundBegan(governor=governor):
            facts["governor"] = names[governor]
        case Built():
            facts["returned"] = both(_returned_words(event))
        case Placed(colonists=colonists):
            facts["places"] = phrases.places(colonists)
        case Reshuffled(tiles):
            facts["count"] = sum(tiles)
    if "{player}" in template:
        facts["player"] = names[event.facts()["seat"]]
    return say(template, **facts)


_WORDS: dict[str, Callable[[Any], object]] = {
    "building": PLACES.__getitem__,
    "colonists": phrases.colonists,
    "doubloons": lambda number: phrases.doubloons(abs(number)),
    "good": GOODS.__getitem__,
    "goods": phrases.goods,
    "onto": onto_name,
    "place": PLACES.__getitem__,
    "price": lambda price: phrases.doubloons(price) if price else say("nothing"),
    "privilege": phrases.colonists,
    "returned": phrases.goods,
    "role": ROLES.__getitem__,
    "round": int,
    "san_juan": phrases.colonists,
    "tile": TILES.__getitem__,
    "tiles": phrases.tiles,
    "vp": abs,
    "wanted": int,
    "what": str,
}
"""How the fields of events are shown in sentences, by their names."""


def _template(event: Event) -> str:
    """Return the sentence of an event, with the fields of the event as placeholders."""
    match event:
        case Chose():
            return "{player} chooses {building} for the game."
        case TookRole(no_colonist=True):
            return "{player} takes the {role}, and declines the colonist of the role."
        case TookRole():
            return "{player} takes the {role}."
        case TookTile(source=source, forest=forest, colonist=colonist):
            return _TOOK_TILE["forest" if forest else source, colonist]
        case TilesTurned(tiles):
            return (
                "New face-up plantations: {tiles}."
                if any(tiles)
                else "No plantation is left to be turned up."
            )
        case Reshuffled():
            return "The stack was empty; {count} discarded plantations became the new one."
        case ColonistsDealt(privilege=0):
            return "{player} gets {colonists} from the ship."
        case ColonistsDealt(colonists=0):
            return "{player} gets {privilege} from the supply by privilege."
        case ColonistsDealt():
            return (
                "{player} gets {colonists} from the ship, and {privilege} from the supply by "
                "privilege."
            )
        case Placed(colonists=colonists) if not any(colonists):
            if event.san_juan:
                return "{player} places no colonists; in San Juan: {san_juan}."
            return "{player} has no colonists to place."
        case Placed(san_juan=0):
            return "{player} places colonists: {places}."
        case Placed():
            # An automatic placement with colonists left over has filled all circles (PR-MAYOR-4).
            if event.auto:
                return "{player} fills all circles; in San Juan: {san_juan}."
            return "{player} places colonists: {places}; in San Juan: {san_juan}."
        case ShipRefilled(colonists=colonists, wanted=wanted):
            if colonists < wanted:
                return "The colonist ship gets {colonists} instead of {wanted}."
            return "The colonist ship gets {colonists}."
        case Built():
            return _BUILT[bool(_returned_words(event)), event.colonist]
        case Produced(goods=goods):
            if goods == NO_GOODS:
                return "{player} produces nothing."
            return "{player} produces {goods}."
        case TookGoods():
            return "{player} takes {goods} more by privilege."
        case Sold(post=True):
            return "{player} sells 1 {good} to their own trading post."
        case Sold():
            return "{player} sells 1 {good} to the trading house."
        case Loaded(onto=onto):
            return _LOADED.get(onto, "{player} loads {goods} onto the ship of {onto}.")
        case Stored(goods=goods, returned=returned):
            if returned != NO_GOODS:
                return "{player} stores {goods} and loses {returned} to the supply."
            if goods == NO_GOODS:
                return "{player} has nothing to store."
            return "{player} stores {goods}."
        case Emptied(what=what):
            if what == TRADING_HOUSE:
                return "The full trading house is emptied of {goods}."
            return "The full ship of {what} is emptied of {goods}."
        case GuestMoved():
            return "A guest of {player} goes to {place}."
        case Passed():
            return "{player} passes."
        case Scored(reason=reason):
            return _SCORED[reason]
        case Earned(reason=reason):
            return _EARNED[reason]
        case RoundBegan():
            return "Round {round} begins, and {governor} is governor."
        case Ended():
            return "The game is over."
        case _:
            raise TypeError(f"{event!r} is not an event")


_TOOK_TILE = {
    ("row", False): "{player} takes a plantation of {tile}.",
    ("row", True): "{player} takes a plantation of {tile}, and a colonist comes with it.",
    ("quarries", False): "{player} takes a quarry.",
    ("quarries", True): "{player} takes a quarry, and a colonist comes with it.",
    ("stack", False): "{player} turns up a plantation of {tile} with the hacienda.",
    ("forest", False): "{player} lays a plantation of {tile} face down, as a forest.",
}

_BUILT = {
    (False, False): "{player} builds {building} for {price}.",
    (False, True): "{player} builds {building} for {price}, and a colonist comes with it.",
    (True, False): "{player} builds {building} for {price}, part of it paid with {returned}.",
    (True, True): (
        "{player} builds {building} for {price}, part of it paid with {returned}, and a colonist "
        "comes with it."
    ),
}

_LOADED = {
    WHARF: "{player} ships {goods} from the wharf.",
    SMALL_WHARF: "{player} ships {goods} from the small wharf.",
}

_SCORED = {
    "shipping": "{player} gets {vp} VP for the barrels.",
    "captain": "{player} gets {vp} VP for the privilege of the captain.",
    "harbor": "{player} gets {vp} VP for the harbor.",
    "union-hall": "{player} gets {vp} VP for the union hall.",
    "church": "{player} gets {vp} VP for the church.",
    "black-market": "{player} returns {vp} VP to the pool.",
}

_EARNED = {
    "role": "{player} gets {doubloons} from the card.",
    "prospector": "{player} gets {doubloons} for the prospector.",
    "sale": "{player} gets {doubloons} for the sale.",
    "trader": "{player} gets {doubloons} for the privilege of the trader.",
    "small-market": "{player} gets {doubloons} for the small market.",
    "large-market": "{player} gets {doubloons} for the large market.",
    "factory": "{player} gets {doubloons} for the factory.",
    "specialty-factory": "{player} gets {doubloons} for the specialty factory.",
    "lighthouse": "{player} gets {doubloons} for the lighthouse.",
    "black-market": "{player} gets {doubloons} from the black market.",
    "build": "{player} pays {doubloons}.",
}


def _returned_words(event: Built) -> list[str]:
    words = []
    if event.good != NO_GOOD:
        words.append(str(say("1 {good}", good=GOODS[event.good])))
    if event.vp:
        words.append(str(say("1 VP")))
    if event.returned_colonist != NO_PLACE:
        place = place_name(event.returned_colonist)
        words.append(str(say("the colonist of {place}", place=place)))
    return words


def place_name(place: int) -> str:
    """Return the name of a place of a colonist, San Juan included."""
    return "san-juan" if place == SAN_JUAN else PLACES[place]


# -- for programs

_EVENTS: dict[type[Event], str] = {
    Chose: "chose",
    TookRole: "took-role",
    TookTile: "took-tile",
    TilesTurned: "tiles",
    Reshuffled: "reshuffled",
    ColonistsDealt: "colonists-dealt",
    Placed: "placed",
    ShipRefilled: "ship-refilled",
    Built: "built",
    Produced: "produced",
    TookGoods: "took-goods",
    Sold: "sold",
    Loaded: "loaded",
    Stored: "stored",
    Emptied: "emptied",
    GuestMoved: "guest-moved",
    Passed: "passed",
    Scored: "scored",
    Earned: "earned",
    EndTriggered: "end-triggered",
    RoundBegan: "round",
    Ended: "ended",
}


def as_dict(event: Event, names: Names) -> dict[str, object]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation.

    ``auto`` is there, and true, if the move has made itself.
    """
    found: dict[str, object] = {"event": _EVENTS[type(event)]}
    if isinstance(event, Built):
        found |= _built_dict(event, names)
    else:
        for key, value in event.facts().items():
            if key != "auto":
                name, shown = _fact(key, value, names)
                found[name] = shown
    if event.auto:
        found["auto"] = True
    return found


def _built_dict(event: Built, names: Names) -> dict[str, object]:
    return {
        "player": names[event.seat],
        "building": PLACES[event.building],
        "price": event.price,
        "returned": returned_dict(event.good, event.vp, event.returned_colonist),
        "colonist": event.colonist,
    }


def returned_dict(good: int, vp: bool, colonist: int) -> dict[str, object]:
    """Return what the Black Market takes: ``good``, ``vp`` and the place of the ``colonist``.

    What is not returned is not named.
    """
    found: dict[str, object] = {}
    if good != NO_GOOD:
        found["good"] = GOODS[good]
    if vp:
        found["vp"] = 1
    if colonist != NO_PLACE:
        found["colonist"] = place_name(colonist)
    return found


def bundle_dict(counts: bytes, names: Sequence[str]) -> dict[str, int]:
    """Return a bundle for JSON: from name to number, without what there is none of."""
    return {name: number for name, number in zip(names, counts, strict=False) if number}


_KEYS = {"seat": "player", "source": "from", "place": "to", "post": "to"}


def _fact(key: str, value: Any, names: Names) -> tuple[str, object]:
    if isinstance(value, bytes):
        return key, bundle_dict(value, PLACES)
    shown = names[value] if key in ("seat", "governor") else named(key, value)
    return _KEYS.get(key, key), shown


# -- the record


class _Step:
    """A move, made by a player or by itself, and what it brought."""

    def __init__(self, seat: int, move: str = "") -> None:
        self.seat = seat
        self.move = move
        self.vp: list[phrases.Gain] = []
        self.doubloons: list[phrases.Gain] = []

    @property
    def gains(self) -> str:
        """The sums with their reasons: ``shipping 2, captain 1: 3 VP``."""
        parts = []
        if self.vp:
            parts.append(f"{phrases.reasons(self.vp)}: {phrases.total(self.vp)} VP")
        if self.doubloons:
            total = phrases.total(self.doubloons)
            unit = "doubloon" if abs(total) == 1 else "doubloons"
            parts.append(f"{phrases.reasons(self.doubloons)}: {total} {unit}")
        return ", ".join(parts)

    def text(self, names: Names) -> str:
        """Return who made the move, the move, and in brackets what it brought."""
        gains = f"({self.gains})" if self.gains else ""
        return " ".join(filter(None, (names[self.seat], self.move, gains)))


def remark(events: Iterable[Event], names: Names) -> str:
    """Return the comment behind a move in the record: what it brought, what went by itself.

    Of the automatic moves those are named that have to be made by hand on a real table:
    loading, placing, and storing if something is lost.
    """
    events = list(events)
    mover = next((event.seat for event in events if hasattr(event, "seat")), None)
    if mover is None:
        return ""
    own = _Step(mover)
    steps = [own]
    for event in events:
        seat = getattr(event, "seat", None)
        if seat is None:
            continue
        move = _move_text(event) if event.auto else ""
        if move:
            if steps[-1] is own or steps[-1].seat != seat or steps[-1].move:
                steps.append(_Step(seat))
            steps[-1].move = move
        elif isinstance(event, (Scored, Earned)):
            if seat == mover and not event.auto:
                step = own
            elif steps[-1] is own or steps[-1].seat != seat:
                step = _Step(seat)
                steps.append(step)
            else:
                step = steps[-1]
            if isinstance(event, Scored):
                step.vp.append((event.reason, event.vp))
            else:
                step.doubloons.append((event.reason, event.doubloons))
    return "; ".join(filter(None, [own.gains, *(step.text(names) for step in steps[1:])]))


def _move_text(event: Event) -> str:
    """Return the move of an event that made itself, if it is one that has to be made by hand."""
    match event:
        case Loaded(_, goods, onto):
            loaded = format_bundle(goods, GOOD_NAMES)
            if onto != SMALL_WHARF:
                loaded = loaded.split()[0]
            return f"load {loaded} {onto_name(onto)}"
        case Stored(_, goods, returned) if returned != NO_GOODS:
            return format_move(Store(goods))
        case Placed(_, colonists) if any(colonists):
            return format_move(Place(colonists))
        case Chose(_, building):
            return format_move(Choose(building))
    return ""
