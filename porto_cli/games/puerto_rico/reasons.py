"""Why a move of Puerto Rico may be good or bad, by what the player may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import sub
from random import Random

from porto_cli.core import enumerated, plural
from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDER,
    CAPTAIN,
    CIRCLES,
    CONSTRUCTION_HUT,
    CORN,
    CRAFTSMAN,
    FACTORY,
    GOODS,
    LARGE,
    MAYOR,
    NO_GOODS,
    PLACES,
    PRODUCERS,
    PROSPECTOR,
    PROSPECTOR_2,
    QUARRY,
    RESIDENCE,
    ROLES,
    SALE_PRICES,
    SMALL_WHARF,
    TRADER,
    VIOLET,
    WHARF,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_score
from porto_cli.games.puerto_rico.engine.goods import (
    FACTORY_EARNS,
    refuse_sale,
    room,
    sale,
    ships_for,
    yields,
)
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    Build,
    Built,
    Choose,
    ColonistsDealt,
    EndTriggered,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Produced,
    Sell,
    Stored,
    Take,
    TakeRole,
    TookGoods,
    TookTile,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    LIBRARY_PHASE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.events import paid_with
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.players import chances, network_of, played
from porto_cli.games.puerto_rico.players.appraisal import read_circles
from porto_cli.games.puerto_rico.players.priced import LISTED, best_move, promising
from porto_cli.players import Advise, Against, Worse, for_first, seat_of
from porto_cli.seam import View

PLENTY = bytes([99]) * len(GOODS)
"""Barrels in the supply that are more than anybody makes."""
LOOKED_AT = 8
"""Moves that the player who asks may make in the rest of a role that are compared."""
WORTH_SAYING, TEMPTING = 2, 4
"""The doubloons on a card that is left to others that are worth a sentence; and how many more than
on the card that is taken are worth taking instead."""


# What can still come, and what counts at the end.


def _comes(state: State, role: int) -> bool:
    """Return whether a role can still be taken before the game ends."""
    turns = state.config.box.turns - state.roles_taken
    return not state.end_triggered or (turns > 0 and state.taken[role] == NOBODY)


_LAST_ROUND = "The game ends after this round, so what matters is the VP it scores."


def _rise(before: State, after: State, seat: int) -> list[phrases.Gain]:
    """Return what a player's buildings score more at the end, chips apart, by where it comes from,
    if one state becomes the other.
    """
    was, now = (final_score(state.players[seat], seat).named() for state in (before, after))
    apart = ("chips", "total", "tie-break", "place")
    # What scored with a colonist who has gone is in the first alone.
    rises = [
        (what, now.get(what, 0) - was.get(what, 0)) for what in {**was, **now} if what not in apart
    ]
    return [gain for gain in rises if gain[1]]


def _of_the_score(state: State, after: State, ended: State, move: Move) -> Iterator[str]:
    """Return what the move and the rest of the role add at the end; that of a building is said with
    its price. Large buildings that begin to count by a colonist are named one by one.
    """
    taken, before = isinstance(move, TakeRole), state.players[state.seat]
    gains = _rise(state, ended if taken else after, state.seat)
    waiting = {
        PLACES[place] for place in buildings_in(before.city & LARGE) if not before.colonists[place]
    }
    for what, vp in gains:
        if what in waiting:
            yield f"A colonist on the {what} adds {vp} VP at the end."
    gains = [gain for gain in gains if gain[0] not in waiting]
    if isinstance(move, Place):
        bonuses = final_score(after.players[state.seat], state.seat).bonuses
        counted = [(PLACES[place], vp) for place, vp in bonuses if PLACES[place] not in waiting]
        if counted:
            scored = phrases.reasons(counted)
            yield f"VP of large buildings at the end, as things are now: {scored}."
    elif gains and not isinstance(move, Build):
        costs = phrases.total(gains) < 0
        does = "cost" if costs else "add"
        does = f"This will probably {does}" if taken else f"It {does}s"
        by = [(what, -number) for what, number in gains] if costs else gains
        yield (Against if costs else str)(f"{does} {phrases.brought(by, ())} at the end.")


def _buys(state: State) -> bool:
    """Return whether there is still something to do with doubloons, but to break ties."""
    return state.role == BUILDER or _comes(state, BUILDER)


def _of_ties(after: State, events: Sequence[Event], seat: int) -> Iterator[str]:
    """Say in the last round of what is earned that there is nothing left to do with it."""
    own = [event for event in events if event.seat == seat]
    builds, ships = _buys(after), after.role == CAPTAIN or _comes(after, CAPTAIN)
    made = any(isinstance(event, Produced | TookGoods) and event.goods != NO_GOODS for event in own)
    earned = any(number > 0 for _, number in gains_of(own)[1])
    useless = ["doubloons"] * (earned and not builds)
    useless += ["barrels"] * (made and not (ships or (builds and _comes(after, TRADER))))
    if useless:
        yield Against(f"In what is left of the game, {enumerated(useless)} only break ties.")


# What the move itself brings.


_PASSING = {
    SETTLER_PHASE: "It keeps a space of the island free for a better tile.",
    LIBRARY_PHASE: "It keeps a space of the island free for a better tile.",
    BUILDER_PHASE: "It keeps {} for a later building.",
    PRIVILEGE_PHASE: "It takes no extra barrel.",
    TRADER_PHASE: "It keeps the barrels, to ship them or to sell them later.",
    CAPTAIN_PHASE: "It keeps the barrels that could be loaded now.",
}
"""What a pass is good for, by what the game waits for."""


def only_guests(legal: Sequence[Move]) -> bool:
    """Return whether there is nothing else to do than to move a guest."""
    return all(isinstance(move, Pass | MoveGuest) for move in legal)


def _of_pass(state: State) -> str:
    """Return what a pass is good for; in the last round there is no later time to do it."""
    if not state.end_triggered or state.phase in (CRAFTSMAN_PHASE, PRIVILEGE_PHASE):
        if only_guests(legal_moves(state)):
            return "The guests wait until they are of more use."
        own = state.players[state.seat].doubloons
        kept = phrases.doubloons(own) if own else "a space in the city"
        return _PASSING[state.phase].format(kept)
    if state.phase == TRADER_PHASE and _comes(state, CAPTAIN):
        return "It keeps the barrels, to ship them."
    return f"This is the last {ROLES[state.role]} phase: there is nothing to wait for."


def _now(
    state: State, after: State, move: Move, events: Sequence[Event], follows: Sequence[Event]
) -> Iterator[str]:
    """Return what the move itself brings, and with that what probably follows for the player."""
    seat = state.seat
    for event in events:
        if event.seat == seat:
            yield from _of_event(state, after, event)
    match move:
        case Take(good) if state.phase == PRIVILEGE_PHASE:
            yield _of_barrel(state, good)
            return
        case Pass():
            yield _of_pass(state)
        case MoveGuest(place):
            yield from _of_guest(state, after, place)
    name = state.config.players[seat]
    gains = " plus ".join(_gains(events, seat, told=True, card=_buys(after)))
    rest = " plus ".join(_gains(follows, seat))
    phase = f"{ROLES[move.role if isinstance(move, TakeRole) else state.role]} phase"
    if isinstance(move, Place):
        yield from _of_places(after, seat, move)
    elif isinstance(move, Sell | Load | LoadSmallWharf) and not gains:
        yield Worse("It brings nothing now.")
    if rest and gains.endswith(" on the card") and " plus " not in gains:
        # What the role is for comes first.
        yield f"{name} will probably get {rest}, and {gains}."
    elif gains:
        taken = [_thing(event) for event in follows if isinstance(event, TookGoods)]
        when = "as the privilege" if rest in taken else f"later in the {phase}"
        more = f", and probably {rest} {when}" if rest else ""
        yield f"{name} gets {gains} now{more}."
    elif rest:
        how = "" if isinstance(move, TakeRole) else f" in the rest of the {phase}"
        yield f"{name} will probably get {rest}{how}."
    if isinstance(move, Sell):
        earns, name = _dearest(state, state.players[seat].goods)
        if earns > _sells_for(state, move.good):
            yield Worse(f"{name} would sell for {phrases.doubloons(earns)}.")
    if isinstance(move, Load) and move.onto != BY_WHARF:
        yield _of_space(state, move)


_LAST_FEW = 3
"""Spaces of an island whose tiles a residence counts."""
_TILES = {
    QUARRY: "Each quarry with a colonist makes buildings 1 doubloon cheaper.",
    CORN: "Corn needs no building: with a colonist it makes a barrel.",
}


def _of_event(state: State, after: State, event: Event) -> Iterator[str]:
    """Return what a building, a tile or stored barrels are good for."""
    match event:
        case Built():
            yield from _of_building(state, after, event)
        case Stored(goods=goods, returned=returned):
            lost = f"; {phrases.goods(returned)} will be lost" if any(returned) else ""
            yield f"It keeps {phrases.goods(goods)}{lost}."
            if not (_comes(after, TRADER) and _comes(after, BUILDER)):
                yield Against("Stored barrels only break ties now.")
                return
            earns, name = _dearest(state, goods)
            if earns:
                yield f"{name} sells for {phrases.doubloons(earns)} now."
        case TookTile() if after.end_triggered:
            yield _LAST_ROUND
        case TookTile(source="stack"):
            yield "It is an extra tile from the stack, before the usual one."
        case TookTile(forest=True):
            yield "Every two forests make buildings 1 doubloon cheaper."
        case TookTile(tile=tile):
            player, name = state.players[event.seat], state.config.players[event.seat]
            yield _TILES.get(tile) or _of_plantation(state, player, name, tile)
            there = (player.city | state.on_offer) & BIT[RESIDENCE]
            if there and not player.colonists[RESIDENCE] and player.island_spaces <= _LAST_FEW:
                yield f"A residence counts tiles: the last {_LAST_FEW} bring 1 VP each."
    if isinstance(event, Built | TookTile) and event.colonist:
        yield "A colonist comes with it."


def _of_plantation(state: State, player: Player, name: str, good: int) -> str:
    """Return which building a plantation feeds, or could feed, if it is still there."""
    plants = PRODUCERS[good]
    own = enumerated([PLACES[place] for place in plants if player.circles[place]])
    if sum(player.circles[place] for place in plants) > player.circles[good]:
        return f"{name}'s {own} can make one more barrel of {GOODS[good]} with it."
    offered = [PLACES[place] for place in plants if (state.on_offer & ~player.city) >> place & 1]
    full = f": {name}'s {own} can use no more {GOODS[good]}" if own else ""
    if not offered:
        return Against(f"No building is left that could use it{full}.")
    needed, price = phrases.a(enumerated(offered, "or")), phrases.doubloons(SALE_PRICES[good])
    sells = full or f" ({GOODS[good]} sells for {price})"
    return f"It could supply {needed} later{sells}."


def _of_guest(state: State, after: State, place: int) -> Iterator[str]:
    """Return what a guest does at its new place."""
    yield f"A guest goes to work: {PLACES[place]} gets a colonist."
    if place == QUARRY:
        yield _TILES[QUARRY]
    elif VIOLET >> place & 1:
        yield _effect(place)
    elif _comes(after, CRAFTSMAN):
        then, now = (yields(one.players[state.seat].colonists, PLENTY) for one in (after, state))
        more = bytes(map(sub, then, now))
        if any(more):
            yield f"That makes {phrases.goods(more)} more when goods are produced."


def _sells_for(state: State, good: int) -> int:
    """Return for what the player to move could sell a barrel, as the trading house is now."""
    for move in (Sell(good), Sell(good, post=True)) if _comes(state, TRADER) else ():
        # The barrel may be one that the player can still take.
        if {ruling for ruling, _ in refuse_sale(state, move)} <= {"PR-TRADER-1"}:
            earns = sale(state, state.seat, move)
            return sum(number for reason, number in earns if reason != "trader")
    return 0


def _dearest(state: State, goods: bytes) -> tuple[int, str]:
    """Return for what one of these barrels could sell at most, and what is in it."""
    kinds = (good for good, number in enumerate(goods) if number)
    return max([(0, ""), *((_sells_for(state, good), GOODS[good].capitalize()) for good in kinds)])


def _of_barrel(state: State, good: int) -> str:
    """Return what can be done with an extra barrel: whether it can be sold, and shipped."""
    player, uses = state.players[state.seat], list[str]()
    if price := _sells_for(state, good):
        uses.append(f"sells for {phrases.doubloons(price)}")
    if _comes(state, CAPTAIN):
        fits = [
            f"fits onto {phrases.the_ship(state.config.box.cargo[ship])}"
            for ship in ships_for(state, good, 1)
        ]
        wharves = (WHARF, "goes by the wharf"), (SMALL_WHARF, "goes by the small wharf")
        uses += [*fits, *(by for place, by in wharves if player.colonists[place])][:1]
    if uses:
        return f"{GOODS[good].capitalize()} {enumerated(uses)} now."
    return Against(f"{GOODS[good].capitalize()} can be neither sold nor shipped now.")


def _of_space(state: State, move: Load) -> str:
    """Return what a ship that is loaded leaves to others."""
    free = room(state, state.config.box.cargo.index(move.onto))
    left = free - min(free, state.players[state.seat].goods[move.good])
    if not left:
        return f"It fills {phrases.the_ship(move.onto)}."
    on = phrases.the_ship(move.onto)
    return Against(f"It leaves {plural(left, 'space')} for {GOODS[move.good]} on {on}.")


def _of_effect(state: State, player: Player, place: int) -> str:
    """Return what a building does for this player."""
    for good, producers in enumerate(PRODUCERS):
        if place in producers:
            others = sum(player.circles[other] for other in producers if other != place)
            fed = min(CIRCLES[place], player.circles[good] - others)
            if fed <= 0:
                missing = f"there is one more {GOODS[good]} plantation for it"
                return Against(f"It makes nothing until {missing}.")
            on = "a colonist on it and one on the plantation"
            on = on if fed == 1 else "colonists on it and on the plantations"
            return f"With {on} it makes {plural(fed, 'barrel')} of {GOODS[good]} each time."
    if place == FACTORY:
        kinds = read_circles(player.circles).kinds
        earned = phrases.doubloons(FACTORY_EARNS[kinds]) if FACTORY_EARNS[kinds] else "nothing"
        return f"With a colonist: {earned} each time goods are produced, as things are now."
    if place == CONSTRUCTION_HUT and not (state.quarries and player.island_spaces):
        missing = "no space is left on the island" if state.quarries else "no quarry is left"
        return Against(f"It has no use: {missing}.")
    return _effect(place)


def _effect(place: int) -> str:
    """Return what a building does, whoever has it."""
    effect = effects()[PLACES[place]].replace("Settler phase:", "In the settler phase")
    return f"With a colonist: {effect[0].lower()}{effect[1:]}" if CIRCLES[place] else effect


def _of_building(state: State, after: State, event: Built) -> Iterator[str]:
    """Return what a building does, costs and scores, and what it needs."""
    place, seat = event.building, event.seat
    player = after.players[seat]
    price = phrases.doubloons(event.price) if event.price else "nothing"
    scored = _rise(state, after, seat)
    by = f" ({phrases.reasons(scored)})" if len(scored) > 1 else ""
    by_other = f", {how}," if (how := paid_with(event)) else ""
    worth = f"It costs {price}{by_other} and is worth {phrases.total(scored)} VP at the end{by}."
    waits = not event.colonist and _comes(after, MAYOR)
    if place in BONUS:
        vp = BONUS[place](player)
        effect = f"Occupied at the end, it would be worth {vp} more VP as things are now."
        yield from (effect, worth) if waits else (worth,)
    elif after.end_triggered:
        yield from (worth, _LAST_ROUND)
    else:
        yield from (_of_effect(after, player, place), worth)
    if after.end_triggered:
        return
    if player.city_spaces and (LARGE >> place & 1 or player.city_spaces <= 2):
        yield Against(f"It leaves {plural(player.city_spaces, 'free space')} in the city.")


def _of_places(after: State, seat: int, move: Place) -> Iterator[str]:
    """Return what this placement produces and makes work, and what stays empty."""
    player, placed = after.players[seat], move.colonists
    made, works = yields(placed, PLENTY), _comes(after, CRAFTSMAN)
    useful = [QUARRY, *buildings_in(player.city & VIOLET)]
    occupied = [place for place in useful if placed[place]]
    if works and any(made):
        yield f"It makes {phrases.goods(made)} when goods are produced."
    elif works and (more := _of_next(player, placed)):
        yield more
    elif works and not occupied:
        waiting = [name for good, name in enumerate(GOODS) if placed[good]]
        later = f"With a building for {enumerated(waiting, 'or')} it will make barrels."
        yield later if waiting else "Nothing is produced with it yet."
    if occupied and not after.end_triggered:
        yield f"At work: {_uses(occupied, placed)}."
    empty = bytes(map(sub, player.circles, placed))
    some = bytes(number if place in useful else 0 for place, number in enumerate(empty))
    if any(some):
        yield Against(f"It leaves empty: {phrases.places(some)}.")
    if not works:
        yield "Nothing is produced anymore before the game ends."


def _uses(occupied: Sequence[int], placed: bytes) -> str:
    """Return quarries and violet buildings; a single one with what it does with its colonists."""
    names = [PLACES[one] for one in occupied]
    if len(names) > 1:
        return enumerated(names)
    cheaper = f"buildings cost up to {plural(placed[QUARRY], 'doubloon')} less"
    use = effects().get(names[0], cheaper)
    return f"{names[0]} ({use[0].lower()}{use[1:].rstrip('.')})"


def _of_colonists(before: Player, then: Player) -> Iterator[str]:
    """Return what the colonists of the mayor will make work."""
    now, was = (yields(one.colonists, PLENTY) for one in (then, before))
    more = bytes(max(0, number - former) for number, former in zip(now, was, strict=True))
    useful = (QUARRY, *buildings_in(then.city & VIOLET & ~LARGE))
    new = [one for one in useful if then.colonists[one] > before.colonists[one]]
    if any(more):
        made = f"make {phrases.goods(more)} more when goods are produced"
        yield f"The colonists will probably {made}."
    if new:
        yield f"The colonists will probably occupy {_uses(new, then.colonists)}."


def _of_next(player: Player, placed: bytes) -> str:
    """Return where one more colonist would make a first barrel, if there is such a place."""
    for place, circles in enumerate(player.circles):
        made = yields(plus(placed, place, 1), PLENTY) if placed[place] < circles else NO_GOODS
        if any(made):
            return f"One more colonist, on {PLACES[place]}, will make {phrases.goods(made)}."
    return ""


def _of_end(events: Iterable[Event], later: Iterable[Event]) -> Iterator[str]:
    for known, it in ((events, "It triggers"), (later, "The rest of the role may trigger")):
        for event in known:
            if isinstance(event, EndTriggered):
                yield f"{it} the end after this round: {phrases.ENDS[event.reason]}."


# What the rest of the role brings.


def _of_the_role(state: State, move: Move, seat: int, events: Sequence[Event]) -> Iterator[str]:
    """Return what the others get from a move and the rest of the role, or that they get nothing."""
    players, others = state.config.players, state.clockwise(seat)[1:]
    own, gained = _gains(events, seat), ((other, _gains(events, other)) for other in others)
    found = [(players[other], ", ".join(gains)) for other, gains in gained if gains]
    if found:
        (name, first), *more = found
        rest = "".join(f"; {other} {gains}" for other, gains in more)
        yield Against(f"{name} will probably get {first}{rest}.")
    if isinstance(move, TakeRole) and not own:
        nothing = f"{players[seat]} will probably get nothing from it."
        yield Worse(nothing if found else "Probably nobody gets anything from it.")
    elif isinstance(move, TakeRole) and not (found or move.role in (PROSPECTOR, PROSPECTOR_2)):
        rest = "The others" if len(others) > 1 else players[others[0]]
        yield f"{rest} will probably get nothing."


def _of_losses(state: State, events: Iterable[Event]) -> Iterator[str]:
    """Return which barrels players lose who cannot store them, if they still load."""
    lost = [
        f"{state.config.players[event.seat]} {phrases.goods(event.returned)}"
        for event in events
        if isinstance(event, Stored) and any(event.returned)
    ]
    if lost and state.phase != STORE_PHASE:
        yield Against(f"What cannot be stored will probably be lost: {'; '.join(lost)}.")


def _gains(
    events: Iterable[Event], seat: int, *, told: bool = False, card: bool = True
) -> list[str]:
    """Return what a seat gets: colonists, barrels, VP, unless they are ``told`` otherwise tiles and
    buildings, and with ``card`` the doubloons on the role card.
    """
    own = [event for event in events if event.seat == seat]
    scores, earns = gains_of(own)
    found = (_thing(event) for event in own if not (told and isinstance(event, Built | TookTile)))
    lying = phrases.on_card(earns) if card else 0
    on_it = f"{phrases.the_doubloons(lying)} on the card" if lying else ""
    others = [gain for gain in _summed(earns) if gain[0] != phrases.ON_CARD]
    return [*filter(None, [phrases.brought(_summed(scores), others), *found, on_it])]


def _summed(gains: Sequence[phrases.Gain]) -> list[phrases.Gain]:
    """Return gains with one sum for each reason."""
    sums: dict[str, int] = {}
    for reason, number in gains:
        sums[reason] = sums.get(reason, 0) + number
    return list(sums.items())


def _thing(event: Event) -> str:
    """Return what a player gets other than VP and doubloons; nothing for what is unknown."""
    match event:
        case Built(building=building):
            return f"the {PLACES[building]}"
        case TookTile(tile=tile, source=source, forest=forest) if source != "stack":
            return "a forest" if forest else phrases.a_tile(tile)
        case ColonistsDealt(colonists=colonists, privilege=privilege) if colonists + privilege:
            return phrases.colonists(colonists + privilege)
        case Produced(goods=goods) | TookGoods(goods=goods) if goods != NO_GOODS:
            return phrases.goods(goods)
    return ""


def _of_what_is_left(state: State, move: Move) -> Iterator[str]:
    """Return the role left to the others that has most doubloons on its card."""
    box = state.config.box
    if not isinstance(move, TakeRole) or state.roles_taken + 1 >= box.turns:
        return
    left = [role for role in box.roles if state.taken[role] == NOBODY and role != move.role]
    richest = max(left, key=lambda role: state.role_doubloons[role], default=None)
    if richest is not None and state.role_doubloons[richest] >= WORTH_SAYING:
        lying = state.role_doubloons[richest]
        kind = Worse if lying - state.role_doubloons[move.role] >= TEMPTING else Against
        yield kind(f"It leaves {phrases.doubloons(lying)} on the {ROLES[richest]}.")


def reasons(view: View, move: Move, advise: Advise | None = None) -> list[str]:
    """Return why a move may be good or bad, the most important reason first; those that speak
    against it are :class:`~porto_cli.players.Against`.

    What the others can be expected to do in the rest of the role is what looks best by rules of
    thumb; what the player will do is what a hint would recommend then: ``advise`` knows that of the
    next decision if nobody decides before. Tiles that come up are never mentioned, as they cannot
    be known. Nothing is said for what would only work in a round that does not come, and what
    counts at the end always is.
    """
    state: State = view.table
    seat, chance = seat_of(view), random_chance(Random(0))
    if isinstance(move, Choose):
        return [_effect(move.building), "Everybody can build what is chosen for the game."]
    after, events = apply(state, move, chance)
    later: list[Event] = []
    ended = after
    while ended.phase not in (ROLE_PHASE, OVER):
        is_next = ended is after and ended.seat == seat
        then = advise(View(seat, ended)) if advise and is_next else _expected(ended, seat)
        ended, more = apply(ended, then, chance)
        later += more
    # What goes by itself afterward is no longer the move, nor what follows a pass.
    passes = isinstance(move, Pass)
    made = [event for event in events if not (event.auto or passes)]
    follows = [*(event for event in events if event.auto or passes), *later]
    now = _now(state, after, move, made, follows)
    if isinstance(move, TakeRole) and move.role == MAYOR and not state.end_triggered:
        now = chain(_of_colonists(state.players[seat], ended.players[seat]), now)
    at_the_end = _of_the_score(state, after, ended, move)
    # In the last round the score is the reason.
    found = [
        *chain(*((at_the_end, now) if state.end_triggered else (now, at_the_end))),
        *_of_the_role(state, move, seat, [*made, *follows]),
        *_of_ties(after, [*made, *follows], seat),
    ]
    if not state.end_triggered:
        # Later neither lost barrels, nor the end, nor doubloons left on cards are news.
        found += [*_of_losses(state, follows), *_of_end(events, later)]
        found += _of_what_is_left(state, move)
    return for_first(found)


def _expected(state: State, seat: int) -> Move:
    """Return the move that the player to move can be expected to make: of the player who asks (at
    ``seat``) the one after which the chance to win is best, by the table after the role.
    """
    network = network_of(state.config.seats)
    if state.seat != seat:
        return best_move(state, prices=network.prices)
    legal = legal_moves(state, seat, LISTED)
    look = promising(View(seat, state), legal, Random(0), LOOKED_AT, network.prices)
    best: Move = max(look, key=lambda move: chances(played(state, move, network), network)[seat])
    return best
