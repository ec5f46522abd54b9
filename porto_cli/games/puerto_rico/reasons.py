"""Why a move of Puerto Rico may be good or bad, by what the player may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from porto_cli.core import enumerated
from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
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
    ROLES,
    SALE_PRICES,
    SETTLER,
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
    Sold,
    Stored,
    Take,
    TakeRole,
    TookGoods,
    TookTile,
    format_move,
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
from porto_cli.players import Advise, Against, Promise, Worse, for_first, seat_of
from porto_cli.seam import View

PLENTY = bytes([99]) * len(GOODS)
"""Barrels in the supply that are more than anybody makes."""
LOOKED_AT = 8
"""Moves that the player who asks may make in the rest of a role that are compared."""
TEMPTING = 4
"""How many more doubloons than on the card that is taken are worth taking instead."""


# What can still come, and what counts at the end.


def _comes(state: State, role: int) -> bool:
    """Return whether a role is played, or can still be taken before the game ends."""
    turns = state.config.box.turns - state.roles_taken
    is_left = turns > 0 and state.taken[role] == NOBODY
    return is_left or state.role == role or not state.end_triggered


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
    """Return what the move and the rest of the role add at the end, unless by a building, of which
    it is said elsewhere. Large buildings that begin to count by a colonist are named one by one.
    """
    taken, before = isinstance(move, TakeRole), state.players[state.seat]
    gains = _rise(state, ended if taken else after, state.seat)
    waiting = {
        PLACES[place] for place in buildings_in(before.city & LARGE) if not before.colonists[place]
    }
    begun = [(what, vp) for what, vp in gains if what in waiting and vp > 0]
    yield from (f"A colonist on the {what} adds {vp} VP at the end." for what, vp in begun)
    gains = [gain for gain in gains if gain not in begun]
    if gains and BUILDER not in (state.role, after.role):
        costs = phrases.total(gains) < 0
        does = "cost" if costs else "add"
        does = f"It will probably {does}" if taken else f"It {does}s"
        by = [(what, -number) for what, number in gains] if costs else gains
        yield (Against if costs else str)(f"{does} {phrases.brought(by, ())} at the end.")


def _of_ties(after: State, events: Sequence[Event], seat: int) -> Iterator[str]:
    """Say in the last round of what is earned that there is nothing left to do with it."""
    own = [event for event in events if event.seat == seat]
    builds, ships = _comes(after, BUILDER), _comes(after, CAPTAIN)
    made = any(any(one.goods) for one in own if isinstance(one, Produced | TookGoods | Stored))
    earned = any(number > 0 for _, number in gains_of(own)[1])
    useless = ["doubloons"] * (earned and not builds)
    useless += ["barrels"] * (made and not (ships or (builds and _comes(after, TRADER))))
    if useless:
        yield Against(f"From now on {enumerated(useless)} only break ties.")


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
    return Against(f"This is the last {ROLES[state.role]} phase: there is nothing to wait for.")


def _now(
    state: State, after: State, move: Move, events: Sequence[Event], follows: Sequence[Event]
) -> Iterator[str]:
    """Return what the move itself brings, and with that what probably follows for the player."""
    seat = state.seat
    for event in events:
        if event.seat == seat:
            yield from _of_event(state, after, event)
    name = state.config.players[seat]
    match move:
        case Take(good) if state.phase == PRIVILEGE_PHASE:
            yield _of_barrel(state, good)
            return
        case Pass():
            yield _of_pass(state)
        case MoveGuest(place):
            yield f"A guest goes to work on the {PLACES[place]}."
            yield from _with_colonists(state, after)
        case Place():
            yield from _of_places(state, after, move)
    gains, rest = enumerated(_gains(events, seat, told=True)), enumerated(_gains(follows, seat))
    if gains:
        yield f"{name} gets {gains} now{f', and probably {rest} later' if rest else ''}."
    elif rest:
        yield f"{name} will then probably get {rest}."
    elif isinstance(move, Sell | Load | LoadSmallWharf):
        yield Worse("It brings nothing now.")
    if isinstance(move, Sell):
        earns, good_name = _dearest(state, state.players[seat].goods)
        if earns > _sells_for(state, move.good):
            yield Worse(f"{good_name} would sell for {phrases.doubloons(earns)}.")
    if isinstance(move, Load) and move.onto != BY_WHARF:
        free = room(state, state.config.box.cargo.index(move.onto))
        if free <= state.players[seat].goods[move.good]:
            yield f"It fills {phrases.the_ship(move.onto)}."


_DOES = {
    SETTLER: "can take",
    BUILDER: "can build",
    TRADER: "can sell",
    CAPTAIN: "will probably get",
}
"""What the player does who takes a role where it depends on moves to come."""


def _of_role(state: State, ended: State, move: TakeRole, events: Sequence[Event]) -> Iterator[str]:
    """Return what a role is for, by what its player can be expected to do in it, and why that."""
    seat, name = state.seat, state.config.players[state.seat]
    own = [event for event in events if event.seat == seat]
    gains = enumerated(_gains(own, seat, told=True))
    lying = phrases.on_card(gains_of(own)[1]) if _comes(ended, BUILDER) else 0
    card = f"{phrases.the_doubloons(lying)} on the card" if lying else ""
    chosen = [one for one in own if isinstance(one, Built | TookTile) and _things(one)]
    things = [*chain(*map(_things, chosen))]
    things += [GOODS[event.good] for event in own if isinstance(event, Sold)]
    does = _DOES[move.role] if things or (gains and move.role == CAPTAIN) else "gets"
    besides = " for " if move.role == TRADER else ", plus "
    brings = besides.join(filter(None, [enumerated(things), gains]))
    if said := ", plus ".join(filter(None, [brings, card])):
        yield f"{name} {does} {said}."
    if move.role == MAYOR:
        yield from _with_colonists(state, ended)
    for event in chosen:
        yield from _of_event(state, ended, event)


_TILES = {
    QUARRY: "With a colonist on it, buildings cost 1 doubloon less.",
    CORN: "It produces corn without a building.",
}


def _of_event(state: State, after: State, event: Event) -> Iterator[str]:
    """Return what a building, a tile or stored barrels are good for."""
    match event:
        case Built():
            yield from _of_building(state, after, event)
        case Stored(goods=goods, returned=returned):
            earns, name = _dearest(state, goods)
            if earns and _comes(after, BUILDER):
                yield f"{name} sells for {phrases.doubloons(earns)} now."
            if not after.end_triggered:
                yield f"It stores {phrases.goods(goods)}, to ship or sell later."
            if any(returned):
                yield Against(f"It loses {phrases.goods(returned)}.")
        case TookTile() if after.end_triggered:
            # What it scores is said elsewhere.
            if not _rise(state, after, event.seat):
                yield Against("A tile is of little use now: the game ends after this round.")
        case TookTile(source="stack"):
            yield "It is an extra plantation, drawn face down, before the usual tile."
        case TookTile(forest=True):
            yield "For every two forests, buildings cost 1 doubloon less."
        case TookTile(tile=tile):
            player, name = state.players[event.seat], state.config.players[event.seat]
            yield _TILES.get(tile) or _of_plantation(state, player, name, tile)


def _of_plantation(state: State, player: Player, name: str, good: int) -> str:
    """Return which building a plantation supplies, or could supply, if it is still there."""
    plants = PRODUCERS[good]
    own = [PLACES[place] for place in plants if player.circles[place]]
    if sum(player.circles[place] for place in plants) > player.circles[good]:
        makes = f"1 more {GOODS[good]} with colonists on both"
        return f"It supplies {name}'s {enumerated(own, 'or')}: {makes}."
    offered = [PLACES[place] for place in plants if (state.on_offer & ~player.city) >> place & 1]
    if not offered:
        return Against("No building is left that could use it.")
    needed = phrases.a(enumerated(offered, "or"))
    if own:
        return f"{name}'s {enumerated(own)} can use no more {GOODS[good]}, but {needed} could."
    sells = f"{GOODS[good]} sells for {phrases.doubloons(SALE_PRICES[good])}"
    return f"It can supply {needed} later: {sells}."


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
    """Return what one more barrel adds to what can be sold, and to what can be shipped."""
    player, uses = state.players[state.seat], list[str]()
    price, had = _sells_for(state, good), player.goods[good]
    # One barrel is sold in a phase.
    if price > _dearest(state, player.goods)[0]:
        uses.append(f"sells for {phrases.doubloons(price)}")
    if _comes(state, CAPTAIN):
        also = f" with the other {had if had > 1 else 'one'}" if had else ""
        fits = [
            f"fits onto {phrases.the_ship(state.config.box.cargo[ship])}{also}"
            for ship in ships_for(state, good, 1)
            if room(state, ship) > had
        ]
        uses += [*fits, *["goes by the wharf"] * player.colonists[WHARF]][:1]
    if uses:
        return f"{GOODS[good].capitalize()} {enumerated(uses)} now."
    name = state.config.players[state.seat]
    return Against(f"It adds nothing to what {name} can sell or ship now.")


def _of_effect(state: State, player: Player, place: int) -> str:
    """Return what a building does for this player."""
    for good, producers in enumerate(PRODUCERS):
        if place in producers:
            others = sum(player.circles[other] for other in producers if other != place)
            fed = min(CIRCLES[place], player.circles[good] - others)
            if fed <= 0:
                plantation = f"{GOODS[good]} plantation"
                more = f"one more {plantation}" if player.circles[good] else phrases.a(plantation)
                return f"To produce, it needs {more}."
            on = f"the {GOODS[good]} plantation{'s' if fed > 1 else ''}"
            return f"With colonists on it and on {on}, it produces {fed} {GOODS[good]}."
    if place == FACTORY:
        kinds = read_circles(player.circles).kinds
        if earned := FACTORY_EARNS[kinds]:
            each = "each time goods are produced"
            return f"With a colonist: {phrases.doubloons(earned)} {each}, for {kinds} kinds."
        return Against("It earns nothing without two kinds of goods.")
    if place == CONSTRUCTION_HUT and not (state.quarries and player.island_spaces):
        missing = "no space is left on the island" if state.quarries else "no quarry is left"
        return Against(f"It is of no use: {missing}.")
    return _effect(place)


def _effect(place: int) -> str:
    """Return what a building does, whoever has it."""
    effect = effects()[PLACES[place]].replace("Settler phase:", "In the settler phase")
    return f"With a colonist: {effect[0].lower()}{effect[1:]}" if CIRCLES[place] else effect


def _of_building(state: State, after: State, event: Built) -> Iterator[str]:
    """Return what a building does, and what it scores where that is not what its board says, or
    where nothing else speaks for it.
    """
    place, player = event.building, after.players[event.seat]
    scored = _rise(state, after, event.seat)
    by = f" ({phrases.reasons(scored)})" if len(scored) > 1 else ""
    worth = f"It scores {phrases.total(scored)} VP at the end{by}."
    if how := paid_with(event):
        yield Against(f"It costs {phrases.doubloons(event.price)}, {how}.")
    if place in BONUS and not event.colonist and (vp := BONUS[place](player)):
        more = f"and {vp} more with a colonist by then, as things are now"
        empty = f"but no colonist will come for the {vp} more"
        yield f"{worth[:-1]}, {more if _comes(after, MAYOR) else empty}."
    elif after.end_triggered:
        yield worth
    else:
        does = _of_effect(after, player, place)
        is_told = does.startswith("With ") and not by and place not in BONUS
        yield from (does,) if is_told else (worth, does)


def _of_places(state: State, after: State, move: Place) -> Iterator[str]:
    """Return what this placement produces and makes work, and what stays empty."""
    seat, placed = state.seat, move.colonists
    player, name, made = after.players[seat], state.config.players[seat], yields(placed, PLENTY)
    uses = _new_uses(after, state.players[seat], player)
    scored = [(PLACES[at], vp) for at, vp in final_score(player, seat).bonuses]
    if not _comes(after, CRAFTSMAN):
        if scored:
            yield f"The large buildings then score {phrases.brought(scored, ())} at the end."
        elif not uses:
            yield "No more barrels will be produced."
    elif any(made):
        yield f"It produces {phrases.goods(made)}."
    elif not uses:
        yield _of_next(player, placed)
    if uses:
        yield f"{name} can then {uses}."
    empty = [
        f"{left} quarries" if left > 1 else f"the {PLACES[place]}"
        for place in (QUARRY, *buildings_in(player.city & VIOLET))
        if (left := player.circles[place] - placed[place])
    ]
    if empty:
        yield Against(f"It leaves {enumerated(empty)} empty.")


_SCORING = {
    BUILDER: ("quarry", "black-market", "university", "church"),
    CAPTAIN: ("small-wharf", "harbor", "library", "wharf", "union-hall"),
}
"""What can still bring VP in the last round, by the role in which it does."""


def _new_uses(state: State, before: Player, then: Player) -> str:
    """Return which quarries and violet buildings have more colonists than before, and of a single
    building what it does. A large one only scores.
    """
    useful = (QUARRY, *buildings_in(then.city & VIOLET & ~LARGE))
    new = [PLACES[one] for one in useful if then.colonists[one] > before.colonists[one]]
    if state.end_triggered:
        scoring = {*chain(*(_SCORING[role] for role in _SCORING if _comes(state, role)))}
        new = [one for one in new if one in scoring]
    names = enumerated(new)
    use = effects().get(names, "")
    does = f" ({use[0].lower()}{use[1:].rstrip('.')})" if use else ""
    return f"use the {names}{does}" if new else ""


def _with_colonists(before: State, then: State) -> Iterator[str]:
    """Return what more colonists of the player to move make work."""
    seat, does = before.seat, list[str]()
    own = before.players[seat], then.players[seat]
    was, now = (yields(one.colonists, PLENTY) for one in own)
    more = bytes(max(0, number - former) for number, former in zip(now, was, strict=True))
    if any(more) and _comes(then, CRAFTSMAN):
        makes = phrases.counted(more, [f"more {name}" for name in GOODS])
        does.append(f"produce {enumerated(makes)}")
    does += filter(None, [_new_uses(then, *own)])
    if does:
        yield f"{before.config.players[seat]} can then {', and '.join(does)}."


def _of_next(player: Player, placed: bytes) -> str:
    """Return where one more colonist would make a first barrel, if there is such a place."""
    for place, circles in enumerate(player.circles):
        made = yields(plus(placed, place, 1), PLENTY) if placed[place] < circles else NO_GOODS
        if any(made):
            return f"One more colonist, on the {PLACES[place]}, will produce {phrases.goods(made)}."
    return "It produces nothing yet."


def _of_end(events: Iterable[Event], later: Iterable[Event]) -> Iterator[str]:
    for known, it in ((events, "It ends"), (later, "It may end")):
        for event in known:
            if isinstance(event, EndTriggered):
                yield f"{it} the game after this round: {phrases.ENDS[event.reason]}."


# What the rest of the role brings.


def _of_the_others(state: State, move: Move, events: Sequence[Event]) -> Iterator[str]:
    """Return what the others get from a role or a load, or that nobody gets anything."""
    if not isinstance(move, TakeRole | Load | LoadSmallWharf):
        return
    players, (seat, *others) = state.config.players, state.clockwise(state.seat)
    gained = ((other, _gains(events, other)) for other in others)
    found = [f"{players[other]} {', '.join(gains)}" for other, gains in gained if gains]
    if found:
        yield Against(f"The others probably get: {'; '.join(found)}.")
    gets = _gains(events, seat) or phrases.on_card(gains_of(events)[1])
    if isinstance(move, TakeRole) and not gets:
        nothing = f"{players[seat]} will probably get nothing from it."
        yield Worse(nothing if found else "Probably nobody gets anything from it.")
    elif isinstance(move, TakeRole) and not (found or move.role in (PROSPECTOR, PROSPECTOR_2)):
        yield "Probably nobody else gets anything."


def _of_losses(state: State, move: Move, seat: int, events: Iterable[Event]) -> Iterator[str]:
    """Return which barrels players lose who cannot store them: others than the player by a role."""
    for event in events:
        if isinstance(event, Stored) and any(event.returned) and state.phase != STORE_PHASE:
            lost = f"will probably lose {phrases.goods(event.returned)}, which cannot be stored"
            if event.seat == seat or isinstance(move, TakeRole):
                kind = Against if event.seat == seat else str
                yield kind(f"{state.config.players[event.seat]} {lost}.")


_PLAIN = r" \((shipping|sale|trader|prospector)\)"
"""What needs no reason."""


def _gains(events: Iterable[Event], seat: int, *, told: bool = False) -> list[str]:
    """Return what a seat gets, but the doubloons on the role card: colonists, barrels, VP, and
    unless they are ``told`` otherwise tiles and buildings.
    """
    own = [event for event in events if event.seat == seat]
    scores, earns = (_summed(gains) for gains in gains_of(own))
    found = (_things(event) for event in own if not (told and isinstance(event, Built | TookTile)))
    others = [gain for gain in earns if gain[0] != phrases.ON_CARD]
    counted = [phrases.brought(scores, []), *chain(*found), phrases.brought([], others)]
    return [re.sub(_PLAIN, "", gain) for gain in counted if gain]


def _summed(gains: Sequence[phrases.Gain]) -> list[phrases.Gain]:
    """Return gains with one sum for each reason."""
    sums: dict[str, int] = {}
    for reason, number in gains:
        sums[reason] = sums.get(reason, 0) + number
    return list(sums.items())


def _things(event: Event) -> list[str]:
    """Return what a player gets other than VP and doubloons; nothing for what is unknown."""
    match event:
        case Built(building=building):
            return [f"the {PLACES[building]}"]
        case TookTile(tile=tile, source=source, forest=forest) if source != "stack":
            return ["a forest" if forest else phrases.a_tile(tile)]
        case ColonistsDealt(colonists=colonists, privilege=privilege) if colonists + privilege:
            return [phrases.colonists(colonists + privilege)]
        case Produced(goods=goods):
            return phrases.counted(goods, GOODS)
        case TookGoods(goods=goods):
            return phrases.counted(goods, [f"extra {name}" for name in GOODS])
    return []


def _of_what_is_left(state: State, move: Move) -> Iterator[str]:
    """Return the role left to the others that has many more doubloons on its card."""
    box = state.config.box
    if not isinstance(move, TakeRole) or state.roles_taken + 1 >= box.turns:
        return
    left = [role for role in box.roles if state.taken[role] == NOBODY and role != move.role]
    richest = max(left, key=lambda role: state.role_doubloons[role], default=move.role)
    lying = state.role_doubloons[richest]
    if lying - state.role_doubloons[move.role] >= TEMPTING:
        yield Worse(f"It leaves {phrases.doubloons(lying)} on the {ROLES[richest]} card.")


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
        return [_effect(move.building)]
    after, events = apply(state, move, chance)
    later: list[Event] = []
    ended, choice = after, None
    while ended.phase not in (ROLE_PHASE, OVER):
        is_next = ended is after and ended.seat == seat
        choice = advise(View(seat, ended)) if advise and is_next else choice
        then = choice if choice and is_next else _expected(ended, seat)
        ended, more = apply(ended, then, chance)
        later += more
    # What goes by itself afterward is no longer the move, nor what follows a pass.
    passes = isinstance(move, Pass)
    made = [event for event in events if not (event.auto or passes)]
    follows = [*(event for event in events if event.auto or passes), *later]
    if isinstance(move, TakeRole):
        now = _of_role(state, ended, move, [*made, *follows])
    else:
        now = _now(state, after, move, made, follows)
    at_the_end = _of_the_score(state, after, ended, move)
    # In the last round the score is the reason.
    found = [
        *chain(*((at_the_end, now) if state.end_triggered else (now, at_the_end))),
        *_of_the_others(state, move, [*made, *follows]),
        *_of_ties(after, [*made, *follows], seat),
    ]
    if not state.end_triggered:
        # Later neither lost barrels, nor the end, nor doubloons left on cards are news.
        found += [*_of_losses(state, move, seat, follows), *_of_end(events, later)]
        found += _of_what_is_left(state, move)
    found = for_first(found)
    said = [type(one)(_NAMED.sub(lambda name: name[0].replace("-", " "), one)) for one in found]
    if choice and not isinstance(said[0], Against):
        said[0] = promise = Promise(said[0])
        promise.then = format_move(choice)
    return said


_NAMED = re.compile("|".join(name for name in PLACES if "-" in name))
"""Buildings as they are typed: in a sentence they have no hyphens."""


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
