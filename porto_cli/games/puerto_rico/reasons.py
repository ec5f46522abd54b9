"""Why a move of Puerto Rico may be good or bad, by what the player may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil
from random import Random
from typing import NamedTuple

from porto_cli.core import enumerated, plural
from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BUILDER,
    CAPTAIN,
    CIRCLES,
    CRAFTSMAN,
    GOODS,
    LARGE,
    LARGE_MARKET,
    MAYOR,
    NO_PLACE,
    ONE,
    PLACES,
    PRODUCERS,
    PROSPECTOR,
    PROSPECTOR_2,
    QUARRY,
    ROLES,
    SALE_PRICES,
    SETTLER,
    SMALL_MARKET,
    STATUE,
    TILES,
    TRADER,
    VIOLET,
    WHARF,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.boards import price
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_score
from porto_cli.games.puerto_rico.engine.goods import (
    FACTORY_EARNS,
    LARGE_MARKET_PAYS,
    SMALL_MARKET_PAYS,
    refuse_sale,
    room,
    sale,
    ships_for,
    yields,
)
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    FACE_DOWN,
    Build,
    Built,
    Choose,
    EndTriggered,
    Event,
    Load,
    Loaded,
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
    CRAFTSMAN_PHASE,
    LIBRARY_PHASE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.events import paid_with
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.players import network_of
from porto_cli.games.puerto_rico.players.appraisal import GOOD_OF
from porto_cli.games.puerto_rico.players.priced import LISTED, best_move
from porto_cli.installed import lessons_of
from porto_cli.players import Advise, Against, Promise, Worse, for_first, seat_of
from porto_cli.seam import View

NAMES = tuple(name.replace("-", " ") for name in PLACES)
"""Places as they are called in a sentence."""
FEW = 3
"""Free spaces of the island that are worth saving for better tiles."""
SOON = 4
"""How many more doubloons a player may soon have."""
PLENTY = bytes([99]) * len(GOODS)
"""Barrels in the supply that are more than anybody makes."""
TEMPTING = 4
"""How many more doubloons than on the card that is taken are worth taking instead."""


# What is known of a move.


class _Course(NamedTuple):
    """A move, and how the rest of its role is expected to go.

    ``state``    the table before the move
    ``after``    the table after it
    ``ended``    the table after the role
    ``made``     what the move itself does
    ``follows``  what happens then in the role, also by itself
    ``own``      all of this that happens to the player of the move
    ``name``     that player
    """

    state: State
    move: Move
    after: State
    ended: State
    made: Sequence[Event]
    follows: Sequence[Event]
    own: Sequence[Event]
    name: str


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
    rises = [(what, now.get(what, 0) - was.get(what, 0)) for what in {**was, **now}]
    return [(phrases.plain(what), vp) for what, vp in rises if vp and what not in apart]


def _of_the_score(course: _Course) -> Iterator[str]:
    """Return what the move and the rest of the role add at the end, unless by a building, of which
    it is said elsewhere. Large buildings that begin to count by a colonist are named one by one.
    """
    state, after, taken = course.state, course.after, isinstance(course.move, TakeRole)
    gains = _rise(state, course.ended if taken else after, state.seat)
    own = state.players[state.seat]
    waiting = {NAMES[at] for at in buildings_in(own.city & LARGE) if not own.colonists[at]}
    begun = [(what, vp) for what, vp in gains if what in waiting and vp > 0]
    for what, vp in begun:
        yield f"A colonist on the {what} adds {vp} VP at the end."
    gains = [gain for gain in gains if gain not in begun]
    if gains and BUILDER not in (state.role, after.role):
        costs = phrases.total(gains) < 0
        does = "cost" if costs else "add"
        does = f"It will probably {does}" if taken else f"It {does}s"
        by = [(what, -number) for what, number in gains] if costs else gains
        yield (Against if costs else str)(f"{does} {phrases.summed(by)} at the end.")


def _of_ties(course: _Course) -> Iterator[str]:
    """Say in the last round of what is earned that there is nothing left to do with it."""
    own, after = course.own, course.after
    # Nothing is shipped any more once barrels are stored.
    stores = course.state.phase == STORE_PHASE and after.end_triggered
    builds, ships = _comes(after, BUILDER), _comes(after, CAPTAIN) and not stores
    made = any(any(one.goods) for one in own if isinstance(one, Produced | TookGoods | Stored))
    earned = any(number > 0 for _, number in gains_of(own)[1])
    useless = ["doubloons"] * (earned and not builds)
    useless += ["barrels"] * (made and not (ships or (builds and _comes(after, TRADER))))
    if useless:
        # Which barrels are stored is all the same then: that speaks for any of them.
        yield (str if stores else Against)(f"From now on {enumerated(useless)} only break ties.")


def _would_build(state: State, seat: int, doubloons: int) -> int:
    """Return what a player with so many doubloons would build if somebody else took the builder
    now; ``NO_PLACE`` for nothing.
    """
    table = state.copy()
    table.phase, table.role, table.seat, table.chooser = BUILDER_PHASE, BUILDER, seat, NOBODY
    table.players[seat].doubloons = doubloons
    return getattr(_expected(table), "building", NO_PLACE)


def _of_doubloons(course: _Course) -> Iterator[str]:
    """Return what the player would build with the doubloons of a role, and not without them."""
    ended, seat = course.ended, course.state.seat
    had, has = (table.players[seat].doubloons for table in (course.state, ended))
    role = getattr(course.move, "role", course.state.role)
    is_for_money = role in (TRADER, PROSPECTOR, PROSPECTOR_2)
    if has > had and ended.phase == ROLE_PHASE and _comes(ended, BUILDER):
        wanted, dearer = (_would_build(ended, seat, each) for each in (has, has + SOON))
        if wanted not in (NO_PLACE, _would_build(ended, seat, had)):
            yield f"{course.name} could then pay for the {NAMES[wanted]}, for example."
        elif is_for_money and dearer not in (NO_PLACE, wanted):
            yield f"That goes toward the {NAMES[dearer]}."


# What the move itself brings.


def only_guests(legal: Sequence[Move]) -> bool:
    """Return whether there is nothing else to do than to move a guest."""
    return all(isinstance(move, Pass | MoveGuest) for move in legal)


def _of_pass(state: State) -> str:
    """Return what a pass is good for; in the last round there is no later time to do it."""
    goes_on = state.phase in (CRAFTSMAN_PHASE, PRIVILEGE_PHASE) or not state.end_triggered
    if not (goes_on or (state.phase == TRADER_PHASE and _comes(state, CAPTAIN))):
        return Against(f"This is the last {ROLES[state.role]} phase: there is nothing to wait for.")
    if only_guests(legal_moves(state)):
        return "The guests wait until they are of more use."
    player = state.players[state.seat]
    own, left = player.doubloons, plural(player.island_spaces, "space")
    if state.phase in (SETTLER_PHASE, LIBRARY_PHASE) and player.island_spaces > FEW:
        return Worse(f"There is no need to save space: {left} of the island are free.")
    goal = "for a later building"
    if own and state.phase == BUILDER_PHASE:
        wanted = _would_build(state, state.seat, own + SOON)
        if wanted != NO_PLACE and price(state, state.seat, wanted) > own:
            goal = f"toward the {NAMES[wanted]}"
    kept = f"{phrases.doubloons(own) if own else 'a space in the city'} {goal}"
    return _said("passing", state.phase, kept=kept, spaces=left)


def _now(course: _Course) -> Iterator[str]:
    """Return what the move itself brings, and with that what probably follows for the player."""
    state, move, name, seat = course.state, course.move, course.name, course.state.seat
    for event in course.made:
        if event.seat == seat:
            yield from _of_event(course, event)
    match move:
        case Take(good) if state.phase == PRIVILEGE_PHASE:
            adds = _of_barrels(course, course.after)
            yield adds or Against(f"{phrases.begun(GOODS[good])} adds nothing to sell or ship now.")
            return
        case Take(tile) if tile != FACE_DOWN and Take(FACE_DOWN) in legal_moves(state):
            kind = Worse if state.players[seat].island_spaces > FEW else Against
            yield kind("It gives up the extra tile of the hacienda, which comes first.")
        case Pass():
            yield _of_pass(state)
        case MoveGuest(place):
            yield f"A guest goes to work on the {NAMES[place]}."
            yield from _of_colonists(course, course.after)
        case Place():
            yield from _of_colonists(course, course.after)
    gains = enumerated(phrases.gained(course.made, seat, told=True))
    rest = enumerated(phrases.gained(course.follows, seat))
    loads = [one.goods for one in course.follows if isinstance(one, Loaded) and one.seat == seat]
    for_ = f" (for {enumerated(map(phrases.goods, loads))})" if loads else ""
    if gains:
        yield f"{name} gets {gains} now{f', and probably {rest} later{for_}' if rest else ''}."
    elif rest:
        yield f"{name} will then probably get {rest}."
    elif isinstance(move, Sell | Load | LoadSmallWharf):
        yield Worse("It brings nothing now.")
    if isinstance(move, Sell):
        earns, good_name = _dearest(state, state.players[seat].goods)
        if earns > _sells_for(state, move.good):
            yield Worse(f"{phrases.begun(good_name)} would sell for {phrases.doubloons(earns)}.")
    if isinstance(move, Load) and move.onto != BY_WHARF:
        yield from _of_ship(state, move)


def _of_ship(state: State, move: Load) -> Iterator[str]:
    """Return what a load leaves on a cargo ship and for whom, and what others can then not load."""
    at, good, then = state.config.box.cargo.index(move.onto), move.good, state.copy()
    left = max(0, room(state, at) - state.players[state.seat].goods[good])
    then.cargo_goods = state.cargo_goods[:at] + ONE[good] + state.cargo_goods[at + 1 :]
    then.cargo_barrels = plus(state.cargo_barrels, at, room(state, at) - left)
    carried = [one for one, _ in enumerate(GOODS) if ships_for(state, one, 1)]
    shut = [one for one in carried if not ships_for(then, one, 1)]
    others = [
        (state.config.players[one], state.players[one].goods)
        for one in state.clockwise(state.seat)[1:]
    ]
    if left:
        whose = enumerated(f"{name} has {goods[good]}" for name, goods in others if goods[good])
        spaces = f"{plural(left, 'space')} there, for {GOODS[good]} only"
        yield f"It leaves {spaces}: {whose or 'nobody else has any'}."
    else:
        yield f"It fills {phrases.the_ship(move.onto)}."
    kept = ((name, enumerated(GOODS[one] for one in shut if goods[one])) for name, goods in others)
    if barrels := [f"{name}'s {kinds}" for name, kinds in kept if kinds]:
        yield f"No ship is then left for {enumerated(barrels, 'or')}."


_CAN = {SETTLER: "can take", BUILDER: "can build", TRADER: "can sell"}
"""What the player does who takes a role where it depends on moves to come."""


def _of_role(course: _Course, role: int) -> Iterator[str]:
    """Return what a role is for, by what its player can be expected to do in it, and why that."""
    own, name, ended = course.own, course.name, course.ended
    gains = phrases.gained(own, course.state.seat, told=True)
    lying = phrases.on_card(gains_of(own)[1]) if _comes(ended, BUILDER) else 0
    card = [f"{phrases.the_doubloons(lying)} on the card"] * (lying > 0)
    chosen = [one for one in own if isinstance(one, Built | TookTile) and phrases.got(one)]
    things = [*chain(*map(phrases.got, chosen))]
    things += [GOODS[event.good] for event in own if isinstance(event, Sold)]
    if things:
        costs = [one.price for one in chosen if isinstance(one, Built)]
        prices = [phrases.doubloons(each) if each else "free" for each in costs]
        if role == TRADER:
            prices, gains = gains, []
        for_ = "".join(f" for {one}" for one in prices)
        gets = f", and get {enumerated([*gains, *card])}" if gains or card else ""
        yield f"{name} {_CAN[role]} {enumerated(things)}{for_}{gets}."
    elif role == CAPTAIN and gains:
        surely = f"gets {card[0]}, and probably" if card else "will probably get"
        yield f"{name} {surely} {enumerated(gains)}."
    elif gains or card:
        yield f"{name} gets {enumerated([*gains, *card])}."
    if role == CRAFTSMAN and (adds := _of_barrels(course, ended)):
        yield adds
    if role == MAYOR:
        yield from _of_colonists(course, ended)
    for event in chosen:
        yield from _of_event(course, event)


# What tiles, buildings and barrels are good for.


def _said(table: str, thing: str, otherwise: str = "", **facts: object) -> str:
    """Return what a hint says of a thing by a table in ``lessons.toml``, or ``otherwise``: with
    facts about it; Against if one of them is nothing, so that the thing is of no use now.
    """
    hint = lessons_of("puerto-rico")["hint"]
    text: str = hint[table].get(thing, otherwise)
    for fact, why in hint["lacks"].items():
        if f"{{{fact}}}" in text and not facts[fact]:
            return Against(f"It is of no use now: {why.format(**facts)}.")
    return text.format(**facts)


def _of_event(course: _Course, event: Event) -> Iterator[str]:
    """Return what a building, a tile or stored barrels are good for."""
    state, ended = course.state, course.ended
    match event:
        case Built():
            yield from _of_building(state, ended, event)
        case Stored():
            yield from _of_storage(state, ended, event)
        case TookTile() if ended.end_triggered:
            # What it scores is said elsewhere.
            if not _rise(state, ended, event.seat):
                yield Against("A tile is of little use now: the game ends after this round.")
        case TookTile(tile=tile):
            what = "stack" if event.source == "stack" else "forest" if event.forest else TILES[tile]
            what = f"late-{what}" if tile == QUARRY and _is_late(ended) else what
            yield _said("tiles", what) or _of_pair(ended, event.seat, tile, tile)


def _is_late(state: State) -> bool:
    """Return whether the game probably ends in this round or the next one."""
    near, city = state.config.seats, min(one.city_spaces for one in state.players)
    return state.vp_pool <= 2 * near or state.supply <= near or city <= 1


def _of_storage(state: State, ended: State, event: Stored) -> Iterator[str]:
    """Return what stored barrels are good for, and which are lost."""
    stored, lost, most = sum(event.goods), sum(event.returned), max(event.goods)
    earns, name = _dearest(state, event.goods)
    if earns > _dearest(state, event.returned)[0] and _comes(ended, BUILDER):
        least = "; what is lost would sell for less" * (lost > 0)
        yield f"{phrases.begun(name)} sells for {phrases.doubloons(earns)} now{least}."
    if stored and not ended.end_triggered:
        good = GOODS[event.goods.index(most)]
        why = f"to ship {most} {good} at once" if most > 1 else "to ship or sell"
        yield f"It keeps {stored} of {plural(stored + lost, 'barrel')}, {why} later."
    if lost:
        yield Against(f"It loses {phrases.goods(event.returned)}.")


def _of_pair(state: State, seat: int, place: int, good: int) -> str:
    """Return what a new plantation or production building makes with its partner: a plantation for
    a building, a building for a plantation; or what it needs for that.
    """
    player, plants, name, is_tile = state.players[seat], PRODUCERS[good], GOODS[good], place == good
    tiles, circles = player.circles[good], sum(player.circles[plant] for plant in plants)
    own, size = (tiles, 1) if is_tile else (circles, player.circles[place])
    fed = min(size, tiles + circles - own - (own - size))
    market = f"; {name} sells for {phrases.doubloons(SALE_PRICES[good])}"
    if fed > 0:
        partners = [NAMES[plant] for plant in plants if player.circles[plant]]
        farms = f"{fed} {name} plantations" if fed > 1 else phrases.a_tile(good)
        partner = f"the {enumerated(partners, 'or')}" if is_tile else farms
        makes = f"{fed} {name}{market}" if own == size else f"{fed} more {name}, to ship together"
        return f"With colonists on it and on {partner}, it produces {makes}."
    if not is_tile:
        lacking = circles - size - tiles + 1
        few = f"one more {name} plantation" if tiles else phrases.a_tile(good)
        more = few if lacking == 1 else f"{lacking} {'more ' * (tiles > 0)}{name} plantations"
        return Against(f"To produce, it needs {more} ({state.row[good] or 'none'} face up now).")
    left = state.on_offer & ~player.city
    lacking = tiles - circles
    offered = [
        (price(state, seat, one), NAMES[one])
        for one in plants
        if left >> one & 1 and (CIRCLES[one] >= lacking or not circles)
    ]
    if not offered:
        return Against("No building is left that could use it.")
    costs, needed = min(offered)
    charge = phrases.doubloons(costs) if costs else "nothing"
    if circles:
        makes = f"{state.config.players[seat]} can make {tiles} {name} each time, to ship together"
        return f"With {phrases.a(needed)} for {charge}, and colonists on all of it, {makes}."
    # What it is good for comes before what that takes.
    return f"It will make {name} with {phrases.a(needed)}, which costs {charge}{market}."


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
    return max([(0, ""), *((_sells_for(state, good), GOODS[good]) for good in kinds)])


def _load(state: State, good: int, barrels: int) -> tuple[int, str]:
    """Return how many of so many barrels the player to move could load at once, and how, as the
    ships are now.
    """
    ships = [(room(state, at), state.config.box.cargo[at]) for at in ships_for(state, good, 1)]
    ships += [(barrels, BY_WHARF)] * bool(state.players[state.seat].colonists[WHARF])
    loads = [(min(barrels, spaces), phrases.onto(ship)) for spaces, ship in ships]
    return max(loads, key=lambda one: one[0], default=(0, ""))


def _of_barrels(course: _Course, then: State) -> str:
    """Return what more the player can sell and ship with the barrels of another state; nothing if
    they add nothing to that.
    """
    state, ended, seat, can = course.state, course.ended, course.state.seat, list[str]()
    had, has = (table.players[seat].goods for table in (state, then))
    earns, name = _dearest(state, has)
    # One barrel is sold in a phase.
    if earns > _dearest(state, had)[0] and _comes(ended, TRADER):
        can.append(f"sell {name} for {phrases.doubloons(earns)}")
    loads = [(*_load(state, good, has[good]), good) for good in range(len(GOODS))]
    more = [one for one in loads if one[0] > _load(state, one[2], had[one[2]])[0]]
    if more and _comes(ended, CAPTAIN):
        most, onto, good = max(more, key=lambda one: one[0])
        can.append(f"ship {most} {GOODS[good]} {onto}")
    return f"{course.name} can then {enumerated(can, 'or')}." if can else ""


def _use(state: State, seat: int, place: int, costs: int = 0) -> str:
    """Return what a quarry or a violet building does for its owner while it is occupied, as far as
    the table tells it, and how soon it has earned what it ``costs``; Against if it is of no use.
    """
    player, name = state.players[seat], state.config.players[seat]
    goods = [*map(max, yields(player.circles, PLENTY), player.goods)]
    kinds = [one for one, number in zip(GOODS, goods, strict=True) if number]
    pays = {SMALL_MARKET: SMALL_MARKET_PAYS, LARGE_MARKET: LARGE_MARKET_PAYS}
    earned = pays.get(place, FACTORY_EARNS[len(kinds)])
    times = ceil(costs / earned) if earned else 0
    facts: dict[str, object] = {
        "name": name,
        "less": phrases.up_to(player.colonists[QUARRY]),
        "kinds": enumerated(kinds, "or"),
        "spaces": player.island_spaces and plural(player.island_spaces, "free space"),
        "quarries": state.quarries,
        "sold": enumerated(one for one in kinds if GOODS.index(one) in state.trading_house),
        "earned": earned and phrases.doubloons(earned),
        "pays": f"; it pays for itself in {plural(times, 'use')}" if times else "",
        "most": f"{max(goods)} {GOODS[goods.index(max(goods))]}" if max(goods) > 1 else "",
    }
    scores = effects().get(PLACES[place], "").removeprefix("At the end ").removesuffix(".")
    return _said("uses", PLACES[place], f"at the end it scores {scores}", **facts)


def _of_building(state: State, ended: State, event: Built) -> Iterator[str]:
    """Return what a building does, and what it scores."""
    place, seat = event.building, event.seat
    player, name = ended.players[seat], state.config.players[seat]
    scored = _rise(state, ended, seat)
    by = f" ({phrases.reasons(scored)})" if len(scored) > 1 else ""
    worth = f"It scores {phrases.total(scored)} VP at the end{by}."
    if how := paid_with(event):
        yield Against(f"It costs {phrases.doubloons(event.price)}, {phrases.plain(how)}.")
    if place in BONUS and not event.colonist and (vp := BONUS[place](player)):
        more = f"{vp} more for {name}'s {_said('scores', PLACES[place])} so far"
        will = "and with a colonist" if _comes(ended, MAYOR) else "but no colonist will come for"
        yield f"{worth[:-1]}, {will} {more}."
    elif ended.end_triggered or place == STATUE:
        yield worth
    elif _is_late(ended) and not _said("last_round", PLACES[place]):
        yield f"{worth[:-1]}; the game will probably end before it does much more."
    else:
        use = _use(ended, seat, place, event.price)
        does = f"With a colonist, {use}."
        if isinstance(use, Against):
            # Who takes the builder can still build something else.
            does = Worse(use) if state.phase == BUILDER_PHASE else use
        does = _of_pair(ended, seat, place, GOOD_OF[place]) if place in GOOD_OF else does
        yield from (worth, does) if place in BONUS else (does, worth)


# Where colonists are placed.


def _of_colonists(course: _Course, then: State) -> Iterator[str]:
    """Return what more the colonists of the player do in another state; of a placement all that
    they produce, and what stays empty.
    """
    seat, placed, does = course.state.seat, isinstance(course.move, Place), list[str]()
    own, player = (state.players[seat] for state in (course.state, then))
    was, made = (yields(one.colonists, PLENTY) for one in (own, player))
    more = bytes(max(0, number - former) for number, former in zip(made, was, strict=True))
    more_of = [f"{'more ' * bool(former)}{good}" for good, former in zip(GOODS, was, strict=True)]
    goods = phrases.counted(made, GOODS) if placed else phrases.counted(more, more_of)
    if goods and _comes(then, CRAFTSMAN):
        does.append(f"produce {enumerated(goods)}")
    if uses := _new_uses(course.state, then):
        does.append(f"use {enumerated(uses)}")
    if placed and not (does or _comes(then, CRAFTSMAN)):
        yield "No more barrels are made."
    if does:
        yield f"{course.name} can then {', and '.join(does)}."
    idle = phrases.idle(player) if _comes(then, CRAFTSMAN) else []
    if waiting := phrases.total(idle):
        is_role, new = isinstance(course.move, TakeRole), player.people - own.people
        who = "They" if is_role and waiting == new else phrases.colonists(waiting)
        where = f": {enumerated(f'{number} {at}' for at, number in idle)}"
        where = f" {idle[0][0]}" if len(idle) == 1 else where
        wait = f"{who} {'waits' if who == '1 colonist' else 'wait'}{where}."
        yield wait if who == "They" or (placed and not does) else Against(wait)
    elif placed and not does and _comes(then, CRAFTSMAN):
        yield Against("It makes nothing yet.")
    quarries = player.empty_circles(QUARRY)
    empty = [f"{quarries} quarries" if quarries > 1 else "a quarry"] * (quarries > 0)
    city = buildings_in(player.city & VIOLET)
    empty += [f"the {NAMES[place]}" for place in city if player.empty_circles(place)]
    if placed and empty:
        # One who waits could go there.
        yield (Worse if waiting else Against)(f"It leaves {enumerated(empty)} empty.")


def _new_uses(before: State, then: State) -> list[str]:
    """Return which quarries and violet buildings of the player to move have more colonists in the
    other state, and what they do. A large one only scores.
    """
    own, player = before.players[before.seat], then.players[before.seat]
    useful = {QUARRY, *buildings_in(player.city & VIOLET & ~LARGE)}
    if then.end_triggered:
        roles = {place: _said("last_round", PLACES[place]) for place in useful}
        useful = {at for at, role in roles.items() if role and _comes(then, ROLES.index(role))}
    new = [place for place in sorted(useful) if player.colonists[place] > own.colonists[place]]
    does = {place: _use(then, before.seat, place) for place in new}
    return [f"the {NAMES[at]} ({use})" for at, use in does.items() if not isinstance(use, Against)]


def _of_end(course: _Course) -> Iterator[str]:
    for known, it in ((course.made, "It ends"), (course.follows, "It may end")):
        for event in known:
            if isinstance(event, EndTriggered):
                yield f"{it} the game after this round: {phrases.ENDED[event.reason]}."


# What the rest of the role brings.


def _of_the_others(course: _Course) -> Iterator[str]:
    """Return what the others get from a role or a load, or that nobody gets anything."""
    state, move, found = course.state, course.move, dict[str, list[str]]()
    if not isinstance(move, TakeRole | Load | LoadSmallWharf):
        return
    for other in state.clockwise(state.seat)[1:]:
        gains = enumerated(phrases.gained([*course.made, *course.follows], other))
        lost = _lost(course, other) if isinstance(move, TakeRole) else ""
        does = ", but ".join([f"get {gains}"] * bool(gains) + [lost] * bool(lost))
        if does:
            found.setdefault(does, []).append(state.config.players[other])
    for does, names in found.items():
        each = "each " * (len(names) > 1)
        kind = Against if does.startswith("get") else str
        yield kind(f"{enumerated(names)} will probably {each}{does}.")
    if isinstance(move, TakeRole):
        if not (phrases.gained(course.own, state.seat) or phrases.on_card(gains_of(course.own)[1])):
            nothing = f"{course.name} will probably get nothing from it."
            yield Worse(nothing if found else "Probably nobody gets anything from it.")
        elif not (found or move.role in (PROSPECTOR, PROSPECTOR_2)):
            yield "Probably nobody else gets anything."


def _lost(course: _Course, seat: int) -> str:
    """Return which barrels a player probably loses later in the role, who cannot store them. In the
    last round that is no news, nor once barrels are stored.
    """
    if course.state.end_triggered or course.state.phase == STORE_PHASE:
        return ""
    lost = [one.returned for one in course.follows if isinstance(one, Stored) and one.seat == seat]
    barrels = enumerated(phrases.goods(one) for one in lost if any(one))
    return f"lose {barrels} (no storage)" if barrels else ""


def _of_what_is_left(course: _Course) -> Iterator[str]:
    """Return the role left to the others that has many more doubloons on its card."""
    state, move, box = course.state, course.move, course.state.config.box
    if isinstance(move, TakeRole) and state.roles_taken + 1 < box.turns:
        left = [role for role in box.roles if state.taken[role] == NOBODY]
        richest = max(left, key=lambda role: state.role_doubloons[role])
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
        return [effects()[PLACES[move.building]]]
    after, events = apply(state, move, chance)
    later: list[Event] = []
    ended, choice = after, None
    while ended.phase not in (ROLE_PHASE, OVER):
        is_next = ended is after and ended.seat == seat
        choice = advise(View(seat, ended)) if advise and is_next else choice
        then = choice if choice and is_next else _expected(ended)
        ended, more = apply(ended, then, chance)
        later += more
    # What goes by itself afterward is no longer the move, nor what follows a pass.
    passes = isinstance(move, Pass)
    made = [event for event in events if not (event.auto or passes)]
    follows = [*(event for event in events if event.auto or passes), *later]
    own, name = [one for one in (*made, *follows) if one.seat == seat], state.config.players[seat]
    course = _Course(state, move, after, ended, made, follows, own, name)
    now = [*(_of_role(course, move.role) if isinstance(move, TakeRole) else _now(course))]
    if lost := _lost(course, seat):
        # Next to what the move brings, not among what others get.
        kind = Against if not now or isinstance(now[0], Against) else str
        now[1:1] = [kind(f"{name} will probably {lost}.")]
    at_the_end = _of_the_score(course)
    # Near the end the score is the reason.
    is_late = state.end_triggered or _is_late(state)
    found = [*at_the_end, *now] if is_late else [*now, *at_the_end]
    found += [*_of_doubloons(course), *_of_the_others(course), *_of_ties(course)]
    if not state.end_triggered:
        # Later neither the end nor doubloons left on cards are news.
        found += [*_of_end(course), *_of_what_is_left(course)]
    found = for_first(found)
    if choice and not isinstance(found[0], Against):
        found[0] = promise = Promise(found[0])
        promise.then = format_move(choice)
    return found


def _expected(state: State) -> Move:
    """Return the move that the player to move can be expected to make, by rules of thumb; but no
    building that is of no use now.
    """
    moves = legal_moves(state, limit=LISTED) if state.phase == BUILDER_PHASE else []
    uses = {one: _use(state, state.seat, one.building) for one in moves if isinstance(one, Build)}
    useless = {move for move, use in uses.items() if isinstance(use, Against)}
    useful = [move for move in moves if move not in useless]
    return best_move(state, useful, network_of(state.config.seats).prices)
