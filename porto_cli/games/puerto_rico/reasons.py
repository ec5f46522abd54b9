"""Why a move may be good or bad, in sentences that name no more than its player may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from porto_cli.core.chance import chance_of
from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    CIRCLES,
    GOODS,
    LARGE,
    NO_GOODS,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.craftsman import yields
from porto_cli.games.puerto_rico.engine.events import (
    Built,
    ColonistsDealt,
    Earned,
    EndTriggered,
    Event,
    Produced,
    Scored,
    Stored,
    TookGoods,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.moves import Build, Choose, Move, Place, Store, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.scoring import BONUS
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    NO_ROLE,
    NOBODY,
    OVER,
    ROLE_PHASE,
    VP_END,
    Player,
    State,
)
from porto_cli.games.puerto_rico.players.priced import best_move

WORTH_SAYING = 2
"""So many doubloons on a card that is left to others are worth a sentence."""


def reasons_of(state: State, move: Move) -> list[Sentence]:
    """Return why a move of the player to move may be good or bad, the most important reason first.

    What the others can be expected to do in the rest of the role is what looks best by rules of
    thumb. Tiles that come up meanwhile are never told: nobody can know them.
    """
    if isinstance(move, Choose):
        return [say("Everybody can build what is chosen for the game.")]
    seat = state.seat
    chance = chance_of(Random(0))
    after, events = apply(state, move, chance)
    later: list[Event] = []
    ended = after
    while ended.phase not in (ROLE_PHASE, OVER):
        ended, more = apply(ended, best_move(ended), chance)
        later += more
    return [
        *_now(state, after, move, events),
        *_of_end(events, later),
        *_of_the_role(state, move, seat, events, later),
        *(_of_what_is_left(state, move) if isinstance(move, TakeRole) else ()),
    ]


# What the move itself brings.


def _now(state: State, after: State, move: Move, events: Sequence[Event]) -> Iterator[Sentence]:
    seat = state.seat
    own = after.players[seat]
    if isinstance(move, Build):
        yield from _of_building(events, own, seat)
    gains = _gains(events, seat, told_before=isinstance(move, Build))
    if gains:
        yield say("It brings {gains} now.", gains="; ".join(gains))
    elif isinstance(move, Place):
        yield from _of_places(state, own, seat, move)
    elif not isinstance(move, TakeRole | Build | Store):
        yield say("It brings nothing now.")
    for event in events:
        if isinstance(event, Stored) and event.seat == seat:
            facts = {"goods": phrases.goods(event.goods), "lost": phrases.goods(event.returned)}
            if event.returned != NO_GOODS:
                yield say("It keeps {goods} and loses {lost} to the supply.", **facts)
            elif event.goods != NO_GOODS:
                yield say("It keeps {goods}.", **facts)


def _of_building(events: Sequence[Event], player: Player, seat: int) -> Iterator[Sentence]:
    for event in events:
        if not isinstance(event, Built) or event.seat != seat:
            continue
        place = event.building
        facts: dict[str, object] = {
            "building": PLACES[place],
            "vp": BUILDING_VP[place],
            "price": phrases.doubloons(event.price) if event.price else say("nothing"),
        }
        yield say("{building} costs {price} and is worth {vp} VP at the end.", **facts)
        if place in BONUS:
            facts["bonus"] = BONUS[place](player)
            yield say(
                "If it is occupied at the end, it is worth {bonus} VP more as the table stands.",
                **facts,
            )
        if CIRCLES[place] and not event.colonist:
            yield say("It needs a colonist before it does anything.")
        if not player.city_spaces:
            continue
        if LARGE >> place & 1 or player.city_spaces <= 2:
            yield say("Free spaces of the city then: {spaces}.", spaces=player.city_spaces, **facts)


def _of_places(state: State, player: Player, seat: int, move: Place) -> Iterator[Sentence]:
    """Tell what is made and used with this placement, and what stays empty."""
    placed = state.players[seat].copy()
    placed.colonists = move.colonists
    plenty = bytes([99]) * len(GOODS)
    yield say(
        "When goods are produced, {player} makes {goods} with it.",
        player=state.config.players[seat],
        goods=phrases.goods(yields(placed, plenty)),
    )
    useful = [QUARRY, *buildings_in(placed.city & VIOLET)]
    manned = bytes(
        number if place in useful else 0 for place, number in enumerate(placed.colonists)
    )
    if any(manned):
        yield say("Occupied besides: {places}.", places=phrases.places(manned))
    empty = bytes(
        placed.empty_circles(place) if place in useful else 0 for place in range(len(PLACES))
    )
    if any(empty):
        yield say("It leaves empty: {places}.", places=phrases.places(empty))


_TRIGGERS = {
    COLONISTS_END: (
        "It triggers the end: there are too few colonists for the ship, so the game ends after "
        "this round."
    ),
    CITY_END: "It triggers the end: a city is full, so the game ends after this round.",
    VP_END: (
        "It triggers the end: the last VP of the pool is taken, so the game ends after this round."
    ),
}
_MAY_TRIGGER = {
    COLONISTS_END: "It can lead to the end: there may be too few colonists for the ship.",
    CITY_END: "It can lead to the end: somebody may fill a city in the rest of the role.",
    VP_END: (
        "It can lead to the end: the last VP of the pool may be taken in the rest of the role."
    ),
}


def _of_end(events: Iterable[Event], later: Iterable[Event]) -> Iterator[Sentence]:
    for known, sentences in ((events, _TRIGGERS), (later, _MAY_TRIGGER)):
        for event in known:
            if isinstance(event, EndTriggered):
                yield say(sentences[event.reason])


# What the rest of the role brings.


def _of_the_role(
    state: State, move: Move, seat: int, events: Sequence[Event], later: Sequence[Event]
) -> Iterator[Sentence]:
    players = state.config.players
    role = move.role if isinstance(move, TakeRole) else state.role
    own = _gains(later, seat)
    facts: dict[str, object] = {"player": players[seat], "gains": "; ".join(own)}
    if role != NO_ROLE:
        facts["role"] = ROLES[role]
    if own:
        yield say("In the rest of the {role}, {player} can be expected to get: {gains}.", **facts)
    elif isinstance(move, TakeRole) and not _gains(events, seat):
        yield say("{player} can be expected to get nothing from it.", **facts)
    others = {other: _gains([*events, *later], other) for other in range(len(players))}
    found = [
        say("{player} {gains}", player=players[other], gains=", ".join(gains))
        for other, gains in _from(others, seat)
        if gains
    ]
    if found:
        facts["gains"] = "; ".join(map(str, found))
        yield say(
            "The others can be expected to get from it: {gains}."
            if isinstance(move, TakeRole)
            else "After it, the others can be expected to get: {gains}.",
            **facts,
        )
    elif isinstance(move, TakeRole):
        yield say("The others can be expected to get nothing from it.")


def _from(others: dict[int, list[str]], seat: int) -> list[tuple[int, list[str]]]:
    """Return what all seats but one get, in the order in which they follow it."""
    seats = len(others)
    return [((seat + nth) % seats, others[(seat + nth) % seats]) for nth in range(1, seats)]


def _gains(events: Iterable[Event], seat: int, *, told_before: bool = False) -> list[str]:
    """Return what a seat gets: buildings, unless told before, tiles, colonists, barrels, VP."""
    own = [event for event in events if getattr(event, "seat", None) == seat]
    scores = [(event.reason, event.vp) for event in own if isinstance(event, Scored)]
    earns = [(event.reason, event.doubloons) for event in own if isinstance(event, Earned)]
    found: list[str] = []
    for event in own:
        if not told_before or not isinstance(event, Built):
            found += filter(None, [_thing(event)])
    brought = phrases.brought(_summed(scores), _summed(earns))
    return [*filter(None, [brought]), *found]


def _summed(gains: Sequence[phrases.Gain]) -> list[phrases.Gain]:
    """Return gains with one sum for each reason."""
    sums: dict[str, int] = {}
    for reason, number in gains:
        sums[reason] = sums.get(reason, 0) + number
    return list(sums.items())


def _thing(event: Event) -> str:
    """Return what somebody gets besides VP and doubloons; nothing for what nobody can know."""
    match event:
        case Built(_, building):
            return PLACES[building]
        case TookTile(_, tile, source, forest) if source != "stack":
            return str(say("a forest")) if forest else TILES[tile]
        case ColonistsDealt(_, colonists, privilege) if colonists + privilege:
            return str(phrases.colonists(colonists + privilege))
        case Produced(_, goods) | TookGoods(_, goods) if goods != NO_GOODS:
            return phrases.goods(goods)
    return ""


def _of_what_is_left(state: State, move: TakeRole) -> Iterator[Sentence]:
    """Tell which role has most doubloons on its card of those that the others can take then."""
    box = state.config.box
    if state.roles_taken + 1 >= box.turns:
        return
    left = [role for role in box.roles if state.taken[role] == NOBODY and role != move.role]
    dearest = max(left, key=lambda role: state.role_doubloons[role], default=None)
    if dearest is not None and state.role_doubloons[dearest] >= WORTH_SAYING:
        yield say(
            "It leaves the {role} with {doubloons} on its card.",
            role=ROLES[dearest],
            doubloons=phrases.doubloons(state.role_doubloons[dearest]),
        )
