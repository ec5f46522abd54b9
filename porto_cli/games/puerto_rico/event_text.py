"""What happened, for people and programs: a sentence or a small mapping for each event.

The remark behind a move of the record is made here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from porto_cli.core.message import Sentence, both, say
from porto_cli.core.value import kebab_name
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
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
    onto_name,
    place_name,
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
    found: list[Sentence] = []
    for _, alike in groupby(notable(events), key=type):
        some = list(alike)
        dealt = [event for event in some if isinstance(event, ColonistsDealt)]
        produced = [event for event in some if isinstance(event, Produced)]
        if len(some) == len(names) and all(map(_is_empty_production, some)):
            found.append(say("Nobody produces anything."))
        elif len(dealt) > 1:
            for event in dealt:
                if event.privilege:
                    more = phrases.colonists(event.privilege)
                    found.append(say(f"{names[event.seat]} gets {more} for the mayor's privilege."))
            each = ", ".join(f"{names[one.seat]} {one.colonists}" for one in dealt if one.colonists)
            if each:
                found.append(say(f"Colonists from the ship: {each}."))
        elif len(produced) > 1:
            each = "; ".join(f"{names[one.seat]} {phrases.goods(one.goods)}" for one in produced)
            found.append(say(f"Produced: {each}."))
        else:
            found += sentences(some, names)
    return found


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
    return say(_told(event, names))


_FOR = {
    "shipping": "for shipping",
    "captain": "for the captain's privilege",
    "trader": "for the trader's privilege",
    "role": "from the role card",
    "black-market": "from the black market",
}
"""What VP and doubloons are for, other than for the building or role of the reason's name."""

_FROM = {WHARF: "from the wharf", SMALL_WHARF: "from the small wharf"}


def _told(event: Event, names: Names) -> str:
    who = names[getattr(event, "seat", 0)]
    match event:
        case Chose(_, building):
            return f"{who} chooses {PLACES[building]} for the game."
        case TookRole(_, role, no_colonist):
            declined = " and declines its colonist" if no_colonist else ""
            return f"{who} takes the {ROLES[role]}{declined}."
        case TookTile(_, tile, source, forest, colonist):
            what = "quarry" if tile == QUARRY else f"{TILES[tile]} plantation"
            if forest:
                return f"{who} takes a {what} and lays it face down, as a forest."
            if source == "stack":
                return f"{who} draws a {what} with the hacienda."
            return f"{who} takes a {what}{_with(colonist)}."
        case TilesTurned(tiles) if any(tiles):
            return f"New face-up plantations: {phrases.tiles(tiles)}."
        case TilesTurned():
            return "No plantation is left to draw."
        case Reshuffled(tiles):
            return f"The stack was empty; {sum(tiles)} discarded plantations became the new one."
        case ColonistsDealt(_, colonists, privilege):
            ship = f"{phrases.colonists(colonists)} from the ship"
            more = f"{phrases.colonists(privilege)} from the supply for the mayor's privilege"
            return f"{who} gets {both([ship] * (colonists > 0) + [more] * (privilege > 0))}."
        case Placed(_, colonists, san_juan):
            left = f"; in San Juan: {phrases.colonists(san_juan)}" if san_juan else ""
            if any(colonists):
                # Automatically all circles were filled, if colonists are left over (PR-MAYOR-4).
                filled = event.auto and left
                placed = f"places colonists: {phrases.places(colonists)}"
                return f"{who} {'fills all circles' if filled else placed}{left}."
            nothing = "places no colonists" if left else "has no colonists to place"
            return f"{who} {nothing}{left}."
        case ShipRefilled(colonists, wanted):
            instead = f" instead of {wanted}" if colonists < wanted else ""
            return f"The colonist ship gets {phrases.colonists(colonists)}{instead}."
        case Built(_, building, price):
            cost = phrases.doubloons(price) if price else "free"
            with_it = both(_returned_words(event))
            paid = f", part of it paid with {with_it}" if with_it else ""
            return f"{who} builds {PLACES[building]} for {cost}{paid}{_with(event.colonist)}."
        case Produced(_, goods):
            return f"{who} produces {'nothing' if goods == NO_GOODS else phrases.goods(goods)}."
        case TookGoods(_, goods):
            return f"{who} takes {phrases.goods(goods)} extra for the craftsman's privilege."
        case Sold(_, good, post):
            where = "their own trading post" if post else "the trading house"
            return f"{who} sells 1 {GOODS[good]} to {where}."
        case Loaded(_, goods, onto) if onto in _FROM:
            return f"{who} ships {phrases.goods(goods)} {_FROM[onto]}."
        case Loaded(_, goods, onto):
            return f"{who} loads {phrases.goods(goods)} onto the ship of {onto}."
        case Stored(_, goods, returned) if goods == NO_GOODS == returned:
            return f"{who} has nothing to store."
        case Stored(_, goods, returned):
            lost = f" and loses {phrases.goods(returned)}" if returned != NO_GOODS else ""
            return f"{who} stores {phrases.goods(goods)}{lost}."
        case Emptied(what, goods):
            full = "trading house" if what == TRADING_HOUSE else f"ship of {what}"
            return f"The full {full} returns {phrases.goods(goods)} to the supply."
        case GuestMoved(_, place):
            return f"A guest of {who} moves to {PLACES[place]}."
        case Passed():
            return f"{who} passes."
        case Scored(_, reason, vp) if vp < 0:
            return f"{who} returns {-vp} VP to the pool."
        case Scored(_, reason, vp):
            return f"{who} gets {vp} VP {_why(reason)}."
        case Earned(_, "build", doubloons):
            return f"{who} pays {phrases.doubloons(-doubloons)}."
        case Earned(_, reason, doubloons):
            return f"{who} gets {phrases.doubloons(doubloons)} {_why(reason)}."
        case EndTriggered(reason):
            return str(phrases.end_triggered(reason))
        case RoundBegan(number, governor):
            return f"Round {number} begins; {names[governor]} is governor."
        case Ended():
            return "The game is over."
        case _:
            raise TypeError(f"{event!r} is not an event")


def _with(colonist: bool) -> str:
    return ", and a colonist comes with it" if colonist else ""


def _why(reason: str) -> str:
    return _FOR.get(reason) or f"for the {reason.replace('-', ' ')}"


def _returned_words(event: Built) -> list[str]:
    words = []
    if event.good != NO_GOOD:
        words.append(f"1 {GOODS[event.good]}")
    if event.vp:
        words.append("1 VP")
    if event.returned_colonist != NO_PLACE:
        words.append(f"the colonist of {place_name(event.returned_colonist)}")
    return words


# -- for programs

_KEYS = {"seat": "player", "source": "from", "place": "to", "post": "to"}
"""How fields are called in JSON, where that differs."""


def name_of(kind: type[Event]) -> str:
    """Return how a kind of events is called in JSON: ``took-tile``."""
    return {TilesTurned: "tiles", RoundBegan: "round"}.get(kind) or kebab_name(kind)


def as_dict(event: Event, names: Names) -> dict[str, object]:
    """Return an event for JSON: ``event`` names it, the rest are its facts by their notation.

    ``auto`` is there, and true, if the move has made itself.
    """
    found: dict[str, object] = {"event": name_of(type(event))}
    for key, fact in event.named().items():
        if key in ("seat", "governor"):
            fact = names[fact]
        elif isinstance(fact, bytes):
            fact = bundle_dict(fact, PLACES)
        if key != "auto" or fact:
            found[_KEYS.get(key, key)] = fact
    if isinstance(event, Built):
        for key in ("good", "vp", "returned_colonist", "colonist"):
            del found[key]
        found["returned"] = returned_dict(event.good, event.vp, event.returned_colonist)
        found["colonist"] = event.colonist
    return found


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


# -- the record


class _Step(NamedTuple):
    """A move, made by a player or by itself, and what it brought."""

    seat: int
    move: str
    gains: list[Scored | Earned]

    def brought(self) -> str:
        """Return the sums with their reasons: ``shipping 2, captain 1: 3 VP``."""
        vp = [(gain.reason, gain.vp) for gain in self.gains if isinstance(gain, Scored)]
        money = [(gain.reason, gain.doubloons) for gain in self.gains if isinstance(gain, Earned)]
        parts = [f"{phrases.reasons(vp)}: {phrases.total(vp)} VP"] if vp else []
        if money:
            total = phrases.total(money)
            unit = "doubloon" if abs(total) == 1 else "doubloons"
            parts.append(f"{phrases.reasons(money)}: {total} {unit}")
        return ", ".join(parts)


def remark(events: Iterable[Event], names: Names) -> str:
    """Return the comment behind a move in the record: what it brought, what went by itself.

    Of the automatic moves those are named that have to be made by hand on a real table:
    loading, placing, and storing if something is lost.
    """
    steps: list[_Step] = []
    for event in events:
        seat = getattr(event, "seat", None)
        if seat is None:
            continue
        if not steps:
            steps.append(_Step(seat, "", []))
        own, last = steps[0], steps[-1]
        move = _move_text(event) if event.auto else ""
        gain = event if isinstance(event, Scored | Earned) else None
        if gain and seat == own.seat and not event.auto:
            own.gains.append(gain)
        elif gain or move:
            if last is own or last.seat != seat or (move and last.move):
                steps.append(_Step(seat, move, []))
            elif move:
                steps[-1] = last._replace(move=move)
            if gain:
                steps[-1].gains.append(gain)
    texts = [step.brought() for step in steps[:1]]
    for step in steps[1:]:
        brought = f"({step.brought()})" if step.gains else ""
        texts.append(" ".join(filter(None, (names[step.seat], step.move, brought))))
    return "; ".join(filter(None, texts))


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
