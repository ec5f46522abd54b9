"""What happened, for people and programs: a sentence or a small mapping for each event.

The remark behind a move of the record is made here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from porto_cli.core.message import Sentence, say
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
from porto_cli.games.puerto_rico.engine.events import (
    SMALL_WHARF,
    TRADING_HOUSE,
    Built,
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
    Placed,
    Produced,
    Reshuffled,
    RoundBegan,
    Scored,
    ShipRefilled,
    Sold,
    Stored,
    TilesTurned,
    TookGoods,
    TookRole,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.moves import WHARF, Choose, Place, Store
from porto_cli.games.puerto_rico.notation import GOOD_NAMES, format_bundle, format_move

Names = Sequence[str]
"""The players in seat order."""


# -- sentences


def sentences(events: Iterable[Event], names: Names) -> list[Sentence]:
    """Return what happened as sentences, one for each event, in order."""
    return [sentence(event, names) for event in events]


def story(events: Iterable[Event], names: Names) -> list[Sentence]:
    """Return what happened as people tell it: the notable events, as few sentences as it takes.

    Colonists that are dealt, and what everybody produces, are told in one sentence.
    """
    found = []
    for kind, alike in groupby(notable(events), key=type):
        some = list(alike)
        if len(some) > 1 and kind is ColonistsDealt:
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
    """Return the events but for those whose sentences nobody misses.

    That is who had nothing to do: passes that made themselves, nothing produced, nothing stored,
    nobody placed; and what is paid for a building, which the building itself tells.
    """
    return [event for event in events if not _is_idle(event)]


def _is_idle(event: Event) -> bool:
    match event:
        case Passed():
            return event.auto
        case Produced(_, goods):
            return goods == NO_GOODS
        case Stored(_, goods, returned):
            return goods == NO_GOODS == returned
        case Placed(_, colonists, san_juan):
            return not (any(colonists) or san_juan)
        case Scored(_, reason, _) | Earned(_, reason, _):
            return reason in phrases.PRICE
    return False


def sentence(event: Event, names: Names) -> Sentence:
    """Return an event as a sentence."""
    tell = _TELLERS[type(event)]
    seat = getattr(event, "seat", None)
    return tell(event, "" if seat is None else names[seat], names)


def _chose(event: Chose, player: str, names: Names) -> Sentence:
    return say(
        "{player} chooses {building} for the game.",
        player=player,
        building=PLACES[event.building],
    )


def _took_role(event: TookRole, player: str, names: Names) -> Sentence:
    facts = {"player": player, "role": ROLES[event.role]}
    if event.no_colonist:
        return say("{player} takes the {role}, and declines the colonist of the role.", **facts)
    return say("{player} takes the {role}.", **facts)


_TOOK_TILE = {
    ("row", False): "{player} takes a plantation of {tile}.",
    ("row", True): "{player} takes a plantation of {tile}, and a colonist comes with it.",
    ("quarries", False): "{player} takes a quarry.",
    ("quarries", True): "{player} takes a quarry, and a colonist comes with it.",
    ("stack", False): "{player} turns up a plantation of {tile} with the hacienda.",
    ("forest", False): "{player} lays a plantation of {tile} face down, as a forest.",
}


def _took_tile(event: TookTile, player: str, names: Names) -> Sentence:
    source = "forest" if event.forest else event.source
    return say(_TOOK_TILE[source, event.colonist], player=player, tile=TILES[event.tile])


def _tiles_turned(event: TilesTurned, player: str, names: Names) -> Sentence:
    if not any(event.tiles):
        return say("No plantation is left to be turned up.")
    return say("New face-up plantations: {tiles}.", tiles=phrases.tiles(event.tiles))


def _reshuffled(event: Reshuffled, player: str, names: Names) -> Sentence:
    return say(
        "The stack was empty; {count} discarded plantations became the new one.",
        count=sum(event.tiles),
    )


def _dealt(event: ColonistsDealt, player: str, names: Names) -> Sentence:
    facts: dict[str, object] = {
        "player": player,
        "colonists": phrases.colonists(event.colonists),
        "privilege": phrases.colonists(event.privilege),
    }
    if not event.privilege:
        return say("{player} gets {colonists} from the ship.", **facts)
    if not event.colonists:
        return say("{player} gets {privilege} from the supply by privilege.", **facts)
    return say(
        "{player} gets {colonists} from the ship, and {privilege} from the supply by privilege.",
        **facts,
    )


def _placed(event: Placed, player: str, names: Names) -> Sentence:
    facts: dict[str, object] = {
        "player": player,
        "places": phrases.places(event.colonists),
        "idle": phrases.colonists(event.san_juan),
    }
    if not any(event.colonists):
        if not event.san_juan:
            return say("{player} has no colonists to place.", **facts)
        return say("{player} places nobody; in San Juan: {idle}.", **facts)
    if event.san_juan and event.auto:
        # Who has no choice and keeps somebody in San Juan has filled all circles (PR-MAYOR-4).
        return say("{player} fills all circles; in San Juan: {idle}.", **facts)
    if event.san_juan:
        return say("{player} places colonists: {places}; in San Juan: {idle}.", **facts)
    return say("{player} places colonists: {places}.", **facts)


def _ship_refilled(event: ShipRefilled, player: str, names: Names) -> Sentence:
    facts: dict[str, object] = {
        "colonists": phrases.colonists(event.colonists),
        "wanted": event.wanted,
    }
    if event.colonists < event.wanted:
        return say("The colonist ship gets {colonists} instead of {wanted}.", **facts)
    return say("The colonist ship gets {colonists}.", **facts)


_BUILT = {
    (False, False): "{player} builds {building} for {price}.",
    (False, True): "{player} builds {building} for {price}, and a colonist comes with it.",
    (True, False): "{player} builds {building} for {price}, part of it paid with {returned}.",
    (True, True): (
        "{player} builds {building} for {price}, part of it paid with {returned}, and a colonist "
        "comes with it."
    ),
}


def _built(event: Built, player: str, names: Names) -> Sentence:
    returned = _returned_words(event)
    return say(
        _BUILT[bool(returned), event.colonist],
        player=player,
        building=PLACES[event.building],
        price=phrases.doubloons(event.price) if event.price else say("nothing"),
        returned=phrases.both(returned) if returned else "",
    )


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


def _produced(event: Produced, player: str, names: Names) -> Sentence:
    if event.goods == NO_GOODS:
        return say("{player} produces nothing.", player=player)
    return say("{player} produces {goods}.", player=player, goods=phrases.goods(event.goods))


def _took_goods(event: TookGoods, player: str, names: Names) -> Sentence:
    return say(
        "{player} takes {goods} more by privilege.",
        player=player,
        goods=phrases.goods(event.goods),
    )


def _sold(event: Sold, player: str, names: Names) -> Sentence:
    facts = {"player": player, "good": GOODS[event.good]}
    if event.post:
        return say("{player} sells 1 {good} to the own trading post.", **facts)
    return say("{player} sells 1 {good} to the trading house.", **facts)


_LOADED = {
    WHARF: "{player} ships {goods} from the wharf.",
    SMALL_WHARF: "{player} ships {goods} from the small wharf.",
}


def _loaded(event: Loaded, player: str, names: Names) -> Sentence:
    return say(
        _LOADED.get(event.onto, "{player} loads {goods} onto the ship of {spaces}."),
        player=player,
        goods=phrases.goods(event.goods),
        spaces=event.onto,
    )


def _stored(event: Stored, player: str, names: Names) -> Sentence:
    facts = {
        "player": player,
        "goods": phrases.goods(event.goods),
        "returned": phrases.goods(event.returned),
    }
    if event.returned != NO_GOODS:
        return say("{player} stores {goods} and loses {returned} to the supply.", **facts)
    if event.goods == NO_GOODS:
        return say("{player} has nothing to store.", **facts)
    return say("{player} stores {goods}.", **facts)


def _emptied(event: Emptied, player: str, names: Names) -> Sentence:
    facts: dict[str, object] = {"spaces": event.what, "goods": phrases.goods(event.goods)}
    if event.what == TRADING_HOUSE:
        return say("The full trading house is emptied of {goods}.", **facts)
    return say("The full ship of {spaces} is emptied of {goods}.", **facts)


def _guest_moved(event: GuestMoved, player: str, names: Names) -> Sentence:
    return say("A guest of {player} goes to {place}.", player=player, place=PLACES[event.place])


def _passed(event: Passed, player: str, names: Names) -> Sentence:
    return say("{player} passes.", player=player)


_SCORED = {
    "shipping": "{player} gets {vp} VP for the barrels.",
    "captain": "{player} gets {vp} VP for the privilege of the captain.",
    "harbor": "{player} gets {vp} VP for the harbor.",
    "union-hall": "{player} gets {vp} VP for the union hall.",
    "church": "{player} gets {vp} VP for the church.",
    "black-market": "{player} returns {vp} VP to the pool.",
}


def _scored(event: Scored, player: str, names: Names) -> Sentence:
    return say(_SCORED[event.reason], player=player, vp=abs(event.vp))


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


def _earned(event: Earned, player: str, names: Names) -> Sentence:
    return say(
        _EARNED[event.reason], player=player, doubloons=phrases.doubloons(abs(event.doubloons))
    )


def _end_triggered(event: EndTriggered, player: str, names: Names) -> Sentence:
    return phrases.end_triggered(event.reason)


def _round_began(event: RoundBegan, player: str, names: Names) -> Sentence:
    return say(
        "Round {round} begins, and {governor} is governor.",
        round=event.round,
        governor=names[event.governor],
    )


def _ended(event: Ended, player: str, names: Names) -> Sentence:
    return say("The game is over.")


_TELLERS: dict[type[Event], Callable[[Any, str, Names], Sentence]] = {
    Chose: _chose,
    TookRole: _took_role,
    TookTile: _took_tile,
    TilesTurned: _tiles_turned,
    Reshuffled: _reshuffled,
    ColonistsDealt: _dealt,
    Placed: _placed,
    ShipRefilled: _ship_refilled,
    Built: _built,
    Produced: _produced,
    TookGoods: _took_goods,
    Sold: _sold,
    Loaded: _loaded,
    Stored: _stored,
    Emptied: _emptied,
    GuestMoved: _guest_moved,
    Passed: _passed,
    Scored: _scored,
    Earned: _earned,
    EndTriggered: _end_triggered,
    RoundBegan: _round_began,
    Ended: _ended,
}


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


def onto_name(onto: int) -> str:
    """Return what barrels are loaded onto: the spaces of a ship, ``wharf`` or ``small-wharf``."""
    return {WHARF: "wharf", SMALL_WHARF: "small-wharf"}.get(onto, str(onto))


_FACTS: dict[str, Callable[[Any, Names], tuple[str, object]]] = {
    "seat": lambda seat, names: ("player", names[seat]),
    "governor": lambda seat, names: ("governor", names[seat]),
    "building": lambda place, names: ("building", PLACES[place]),
    "role": lambda role, names: ("role", ROLES[role]),
    "tile": lambda tile, names: ("tile", TILES[tile]),
    "source": lambda source, names: ("from", source),
    "place": lambda place, names: ("to", PLACES[place]),
    "good": lambda good, names: ("good", GOODS[good]),
    "post": lambda post, names: ("to", "trading-post" if post else "trading-house"),
    "onto": lambda onto, names: ("onto", onto_name(onto)),
    "what": lambda what, names: (
        "what",
        "trading-house" if what == TRADING_HOUSE else str(what),
    ),
}


def _fact(key: str, value: object, names: Names) -> tuple[str, object]:
    if isinstance(value, bytes):
        return key, bundle_dict(value, PLACES)
    return _FACTS[key](value, names) if key in _FACTS else (key, value)


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
        for gains, unit in ((self.vp, "VP"), (self.doubloons, "doubloons")):
            if gains:
                parts.append(f"{phrases.reasons(gains)}: {phrases.total(gains)} {unit}")
        return ", ".join(parts)

    def text(self, names: Names) -> str:
        """Return who made the move, the move, and in brackets what it brought."""
        gains = f"({self.gains})" if self.gains else ""
        return " ".join(filter(None, (names[self.seat], self.move, gains)))


def remark(events: Iterable[Event], names: Names) -> str:
    """Return the comment behind a move in the record: what it brought, what went by itself.

    Of the moves that made themselves those are named that somebody who follows the file by hand
    has to make: loading, placing, and storing if something is lost.
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
