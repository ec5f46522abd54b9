"""Why a move of Puerto Rico may be good or bad, by what the player may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from porto_cli.core import enumerated, plural, with_article
from porto_cli.core.chance import random_chance
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    GOODS,
    LARGE,
    MAYOR,
    ONE,
    PLACES,
    PROSPECTOR,
    PROSPECTOR_2,
    QUARRY,
    ROLES,
    SETTLER,
    STATUE,
    TILES,
    TRADER,
    VIOLET,
    buildings_in,
    plus,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_score
from porto_cli.games.puerto_rico.engine.goods import room, sale, ships_for, yields
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    FACE_DOWN,
    Build,
    Built,
    Choose,
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
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.players import network_of
from porto_cli.games.puerto_rico.players.appraisal import GOOD_OF
from porto_cli.games.puerto_rico.players.priced import LISTED, best_move
from porto_cli.games.puerto_rico.uses import (
    NAMES,
    PLENTY,
    beyond,
    can_all_work,
    can_load,
    dearest,
    is_late,
    pair_of,
    said_of,
    sells_for,
    use_of,
)
from porto_cli.players import Advise, Against, Aside, Merits, Promise, Worse, for_first, seat_of
from porto_cli.seam import View

FEW = 3
"""Free spaces of the island that are worth saving for better tiles."""
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
    ``choice``   what the player is advised to do next, if nobody decides before
    """

    state: State
    move: Move
    after: State
    ended: State
    made: Sequence[Event]
    follows: Sequence[Event]
    choice: Move | None

    @property
    def then(self) -> State:
        """The table to judge by: of a role after all of it, of other moves after them."""
        return self.ended if isinstance(self.move, TakeRole) else self.after

    @property
    def name(self) -> str:
        """The player of the move."""
        return self.state.config.players[self.state.seat]

    @property
    def own(self) -> list[Event]:
        """All that happens to that player."""
        return self.of(self.state.seat)

    @property
    def ships_alone(self) -> bool:
        """Whether none of the others has barrels."""
        state = self.state
        return not any(any(state.players[one].goods) for one in state.clockwise(state.seat)[1:])

    def of(self, seat: int) -> list[Event]:
        """Return all that happens to a player."""
        return [one for one in (*self.made, *self.follows) if one.seat == seat]


# What can still come, and what counts at the end.


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
    it is said elsewhere.
    """
    state, after, taken = course.state, course.after, isinstance(course.move, TakeRole)
    gains = _rise(state, course.then, state.seat)
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
    builds, ships = after.comes(BUILDER), after.comes(CAPTAIN) and not stores
    made = any(any(one.goods) for one in own if isinstance(one, Produced | TookGoods | Stored))
    earned = any(number > 0 for _, number in gains_of(own)[1])
    useless = ["doubloons"] * (earned and not builds)
    useless += ["barrels"] * (made and not (ships or (builds and after.comes(TRADER))))
    if useless:
        # Which barrels are stored is all the same then: that speaks for any of them.
        yield (str if stores else Against)(f"From now on {enumerated(useless)} only break ties.")


# What the move itself brings.


def only_guests(legal: Sequence[Move]) -> bool:
    """Return whether there is nothing else to do than to move a guest."""
    return all(isinstance(move, Pass | MoveGuest) for move in legal)


def _of_pass(state: State) -> str:
    """Return what a pass is good for; in the last round there is no later time to do it."""
    goes_on = state.phase in (CRAFTSMAN_PHASE, PRIVILEGE_PHASE) or not state.end_triggered
    if not (goes_on or (state.phase == TRADER_PHASE and state.comes(CAPTAIN))):
        return Against(f"This is the last {ROLES[state.role]} phase: there is nothing to wait for.")
    legal = legal_moves(state)
    if only_guests(legal):
        return "The guests wait until they are of more use."
    player = state.players[state.seat]
    own, left = player.doubloons, plural(player.island_spaces, "space")
    takes_tile = state.phase in (SETTLER_PHASE, LIBRARY_PHASE)
    if takes_tile and is_late(state):
        return _late_tile(state)
    if takes_tile and player.island_spaces > FEW:
        return Worse(f"There is no need to save space: {left} of the island are free.")
    kept = phrases.doubloons(own) if own else "a space in the city"
    sales = [
        (phrases.total(sale(state, state.seat, one)), GOODS[one.good])
        for one in legal
        if isinstance(one, Sell)
    ]
    earns, good = max(sales, default=(0, "nothing"))
    sold = (
        f"{phrases.begun(good)} would sell for {phrases.doubloons(earns) if earns else 'nothing'}"
    )
    barrels = "barrels stay" if sum(player.goods) > 1 else "barrel stays"
    return said_of("passing", state.phase, kept=kept, spaces=left, sold=sold, barrels=barrels)


def _now(course: _Course) -> Iterator[str]:
    """Return what the move itself brings, and with that what probably follows for the player."""
    state, move, name, seat = course.state, course.move, course.name, course.state.seat
    for event in course.made:
        if event.seat == seat:
            yield from _of_event(course, event)
    match move:
        case Take(good) if state.phase == PRIVILEGE_PHASE:
            nothing = f"{phrases.begun(GOODS[good])} adds nothing to sell or ship in this round."
            yield _of_barrels(course) or Against(nothing)
            return
        case Take(tile) if tile != FACE_DOWN and Take(FACE_DOWN) in legal_moves(state):
            kind = Worse if state.players[seat].island_spaces > FEW else Against
            yield kind("It gives up the extra tile of the hacienda, which comes first.")
        case Pass():
            yield _of_pass(state)
        case MoveGuest(place):
            yield f"A guest goes to work on the {NAMES[place]}."
            yield from _of_colonists(course)
        case Place():
            yield from _of_colonists(course)
    gains = enumerated(phrases.gained(course.made, seat, told=True))
    rest, lost = enumerated(phrases.gained(course.follows, seat)), _lost(course, seat)
    if gains:
        later = f", and probably {rest} later" if rest else ""
        yield f"{name} gets {gains} now{later}{_but(lost)}."
    elif rest:
        yield f"{name} will then probably get {rest}{_but(lost)}."
    elif isinstance(move, Sell | Load | LoadSmallWharf):
        yield Worse("It brings nothing now.")
    if lost and not (gains or rest):
        yield Against(f"{name} will probably {lost}.")
    if isinstance(move, Sell):
        earns, good_name = dearest(state, state.players[seat].goods)
        if earns > sells_for(state, move.good):
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
    kept = ((name, enumerated(GOODS[one] for one in shut if goods[one])) for name, goods in others)
    if barrels := [f"{name}'s {kinds}" for name, kinds in kept if kinds]:
        yield f"No ship is then left for {enumerated(barrels, 'or')}."
    if left:
        whose = enumerated(f"{name} has {goods[good]}" for name, goods in others if goods[good])
        spaces = f"{plural(left, 'space')} there, for {GOODS[good]} only"
        kind = Against if whose else Aside
        yield kind(f"It leaves {spaces}: {whose or 'nobody else has any'}.")
    else:
        yield f"It fills {phrases.the_ship(move.onto)}."


_CAN = {SETTLER: "can take", BUILDER: "can build", TRADER: "can sell"}
"""What the player does who takes a role where it depends on moves to come."""
_FOR_MONEY = (TRADER, PROSPECTOR, PROSPECTOR_2)
"""Roles that are taken for doubloons."""


def _of_role(course: _Course, role: int) -> Iterator[str]:
    """Return what a role is for, by what its player can be expected to do in it, and why that."""
    own, name, ended, seat = course.own, course.name, course.ended, course.state.seat
    gains = phrases.gained(own, seat, told=True)
    things, lying = list[str](), phrases.on_card(gains_of(own)[1]) if ended.comes(BUILDER) else 0
    for event in own:
        match event:
            case Built(building=building, price=price):
                things.append(f"{with_article(NAMES[building])} for {phrases.charge(price)}")
            case TookTile():
                things += phrases.got(event)
            case Sold(good=good):
                things.append(f"{GOODS[good]} for {enumerated(gains)}")
                gains = []
    on_card = [f"{phrases.the_doubloons(lying)} on the card"] if lying else []
    gets, lost = [*gains, *on_card], _lost(course, seat)
    if things:
        more = f", and get {enumerated(gets)}" if gets else ""
        # Which building the player will find best then is not known yet.
        perhaps = ", for example," if role == BUILDER and not course.choice else ""
        yield f"{name} {_CAN[role]}{perhaps} {enumerated(things)}{more}."
    elif gets and role != MAYOR:
        # What fits on the ships depends on those who have barrels as well.
        is_sure = role != CAPTAIN or not gains or course.ships_alone
        surely = "gets" if is_sure else "will probably get"
        yield f"{name} {surely} {enumerated(gets)}{_but(lost)}."
    elif lost:
        yield Against(f"{name} will probably {lost}.")
    if role in _FOR_MONEY and (things or gets) and ended.comes(BUILDER):
        has = phrases.doubloons(ended.players[seat].doubloons)
        # Nobody may take the builder any more.
        perhaps = ", if one can still be built" if is_late(ended) else ""
        yield f"That makes {has} for the next building{perhaps}."
    if role == CRAFTSMAN and (adds := _of_barrels(course)):
        yield adds
    if role == MAYOR:
        yield from _of_colonists(course, f"{name} gets {enumerated(gets)}" if gets else "")
    for event in own:
        if isinstance(event, Built | TookTile) and phrases.got(event):
            yield from _of_event(course, event)


# What tiles, buildings and barrels are good for.


def _of_event(course: _Course, event: Event) -> Iterator[str]:
    """Return what a building, a tile or stored barrels are good for."""
    state, ended = course.state, course.ended
    match event:
        case Built():
            yield from _of_building(state, ended, event)
        case Stored():
            yield from _of_storage(state, ended, event)
        case TookTile() if is_late(ended):
            # What it scores is said elsewhere.
            if not _rise(state, ended, event.seat):
                yield Against(_late_tile(ended))
        case TookTile(tile=tile):
            what = "stack" if event.source == "stack" else "forest" if event.forest else TILES[tile]
            quarries = ended.players[event.seat].circles[QUARRY]
            less, on = phrases.up_to(quarries), "each quarry" if quarries > 1 else "the quarry"
            said = said_of("tiles", what, less=less, on=on)
            yield said or pair_of(ended, event.seat, tile, tile)


def _late_tile(state: State) -> str:
    """Say that a tile comes too late."""
    ends = "ends after this round" if state.end_triggered else "is nearly over"
    return f"A tile is of little use now: the game {ends}."


def _of_storage(state: State, ended: State, event: Stored) -> Iterator[str]:
    """Return what stored barrels are good for, and which are lost."""
    stored, lost, most = sum(event.goods), sum(event.returned), max(event.goods)
    earns, name = dearest(state, event.goods)
    if earns > dearest(state, event.returned)[0] and ended.comes(BUILDER):
        yield f"It keeps {name}, which sells for {phrases.doubloons(earns)} now."
    elif stored and not ended.end_triggered:
        what = f"{most} {GOODS[event.goods.index(most)]} to ship together" if most > 1 else ""
        yield f"It keeps {what or f'{phrases.goods(event.goods)} to ship later'}."
    if lost:
        yield Against(f"It loses {phrases.goods(event.returned)}.")


def _of_barrels(course: _Course) -> str:
    """Return what more the player can sell and ship in this round with new barrels; nothing if
    they add nothing to that.
    """
    state, ended, seat, can = course.state, course.ended, course.state.seat, list[str]()
    had, has = (table.players[seat].goods for table in (state, course.then))
    earns, name = dearest(state, has)
    # One barrel is sold in a phase.
    if earns > dearest(state, had)[0] and ended.is_left(TRADER):
        can.append(f"sell {name} for {phrases.doubloons(earns)}")
    loads = [(can_load(state, good, has[good]), name) for good, name in enumerate(GOODS)]
    before = [can_load(state, good, had[good]) for good, _ in enumerate(GOODS)]
    more = [one for one, number in zip(loads, before, strict=True) if one[0] > number]
    if more and ended.is_left(CAPTAIN):
        most, name = max(more, key=lambda one: one[0])
        can.append(f"ship {most} {name}")
    return f"{course.name} can then {enumerated(can, 'or')}." if can else ""


def _of_building(state: State, ended: State, event: Built) -> Iterator[str]:
    """Return what a building does, and what it scores."""
    place, seat = event.building, event.seat
    player, name = ended.players[seat], state.config.players[seat]
    scored = _rise(state, ended, seat)
    by = f" ({phrases.reasons(scored)})" if len(scored) > 1 else ""
    worth = f"It scores {phrases.total(scored)} VP at the end{by}"
    does = "" if is_late(ended) or place == STATUE else _does(state, ended, event)
    if place in BONUS and not event.colonist and (vp := BONUS[place](player)):
        more = f"{vp} more for {name}'s {said_of('scores', PLACES[place])} so far"
        will = "and with a colonist" if ended.comes(MAYOR) else "but no colonist will come for"
        yield f"{worth}, {will} {more}."
        return
    # Every building scores a little: that is news where it is much, or all there is to say.
    if place in BONUS or not does or isinstance(does, Against):
        yield f"{worth}."
    if does:
        yield does


def _does(state: State, ended: State, event: Built) -> str:
    """Return what a new building does for its owner in the rounds to come."""
    place, seat = event.building, event.seat
    if place in GOOD_OF:
        return pair_of(ended, seat, place, GOOD_OF[place])
    use = use_of(ended, seat, place)
    if isinstance(use, Against):
        # Who takes the builder can still build something else.
        return Worse(use) if state.phase == BUILDER_PHASE else use
    return f"With a colonist, {use}."


# Where colonists are placed.


def _of_colonists(course: _Course, gets: str = "") -> Iterator[str]:
    """Return what the player ``gets``; what more and what less the colonists then do than now, of a
    placement all that they do; and who or what is idle.
    """
    seat, placed, does = course.state.seat, isinstance(course.move, Place), list[str]()
    then = course.then
    own, player = (state.players[seat] for state in (course.state, then))
    supply, makes = then.goods_supply, then.comes(CRAFTSMAN)
    was, made = (yields(one.colonists, PLENTY) for one in (own, player))
    names = [
        f"{'more ' if former and not placed else ''}{good}{_short(left) if number > left else ''}"
        for good, former, number, left in zip(GOODS, was, made, supply, strict=True)
    ]
    if makes and (goods := phrases.counted(made if placed else beyond(made, was), names)):
        does.append(f"produce {enumerated(goods)}")
    if uses := _uses(then, seat, bytes(len(PLACES)) if placed else own.colonists):
        does.append(f"use {enumerated(uses)}")
    if does:
        can = f"{gets}, and can then" if gets else f"{course.name} can then"
        yield f"{can} {', and '.join(does)}."
    elif gets:
        yield f"{gets}."
    elif placed and not makes:
        yield "No more barrels are made."
    if makes and (less := phrases.counted(beyond(was, made), GOODS)):
        yield Against(f"It makes {enumerated(less)} less than now.")
    idle = phrases.idle(player) if makes else []
    if waiting := phrases.total(idle):
        where = enumerated(f"{number} {at}" for at, number in idle) if len(idle) > 1 else idle[0][0]
        has = "has" if waiting == 1 else "have"
        wait = f"{phrases.colonists(waiting)} {has} nothing to do yet: {where}."
        is_avoidable = placed and can_all_work(then, seat)
        yield (Worse if is_avoidable else Against)(wait)
    elif placed and makes and not does:
        yield Against("It makes nothing yet.")
    empty = [
        phrases.a_tile(place) if place == QUARRY else f"the {NAMES[place]}"
        for place in (QUARRY, *buildings_in(player.city & VIOLET))
        if player.empty_circles(place)
    ]
    if placed and empty:
        # One who waits could go there.
        yield (Worse if waiting else Against)(f"It leaves {enumerated(empty)} empty.")


def _short(left: int) -> str:
    """Say in parentheses how few barrels of a kind the supply has."""
    return f" ({f'only {left}' if left else 'none'} in the supply now)"


def _uses(then: State, seat: int, before: bytes) -> list[str]:
    """Return which quarries and violet buildings of a player have more colonists than ``before``,
    and of a single one what it does. A large one only scores.
    """
    player = then.players[seat]
    useful = {QUARRY, *buildings_in(player.city & VIOLET & ~LARGE)}
    if then.end_triggered:
        roles = {place: said_of("last_round", PLACES[place]) for place in useful}
        useful = {at for at, role in roles.items() if role and then.comes(ROLES.index(role))}
    new = [place for place in sorted(useful) if player.colonists[place] > before[place]]
    names = {at: f"the {NAMES[at]}" for at in new}
    if player.colonists[QUARRY] > 1:
        names[QUARRY] = "the quarries"
    uses = [(names[at], use_of(then, seat, at)) for at in new]
    found = [(name, use) for name, use in uses if not isinstance(use, Against)]
    # Of several it would be too much to say what each does.
    return [f"{name} ({use})" if len(found) == 1 else name for name, use in found]


def _of_end(course: _Course) -> Iterator[str]:
    for known, it in ((course.made, "It ends"), (course.follows, "It may end")):
        for event in known:
            if isinstance(event, EndTriggered):
                yield f"{it} the game after this round: {phrases.ENDED[event.reason]}."


# What the rest of the role brings.


class _Share(NamedTuple):
    """What a player gets in a role; near the end with what is scored then.

    ``things``  in words
    ``number``  how many VP, doubloons and barrels, but the doubloons on the role card
    ``vp``      the VP among them
    """

    things: list[str]
    number: int
    vp: int


def _share(course: _Course, seat: int) -> _Share:
    """Return what a player gets in a role."""
    own = course.of(seat)
    adds = _rise(course.state, course.ended, seat) if is_late(course.state) else []
    at_end = [f"{phrases.summed(adds)} at the end"] if phrases.total(adds) > 0 else []
    scored, earned = gains_of(own)
    barrels = sum(sum(one.goods) for one in own if isinstance(one, Produced | TookGoods))
    paid = sum(number for _, number in earned if number > 0) - phrases.on_card(earned)
    vp = phrases.total([*scored, *adds])
    return _Share([*phrases.gained(own, seat), *at_end], vp + paid + barrels, vp)


def _of_the_others(course: _Course) -> Iterator[str]:
    """Return which of the others get most from a role, and who at least half of that, if it is no
    less than what the player gets, in the last rounds half of it; or else who loses barrels; or
    that nobody gets or scores anything.
    """
    state, move, names = course.state, course.move, course.state.config.players
    if not isinstance(move, TakeRole):
        return
    own, *rest = (_share(course, each) for each in state.clockwise(state.seat))
    others = dict(zip(state.clockwise(state.seat)[1:], rest, strict=True))
    first = max(rest, key=lambda one: one.number)
    losing = [names[seat] for seat in others if _lost(course, seat)]
    # In the last rounds what others score counts as well where it is less.
    least = own.number / 2 if is_late(state) else own.number
    if first.number and first.number >= least:
        much = dict[str, list[str]]()
        for seat, one in sorted(others.items(), key=lambda one: -one[1].number):
            if 2 * one.number >= first.number:
                much.setdefault(enumerated(one.things), []).append(names[seat])
        told = list[str]()
        for things, ahead in islice(much.items(), 2):
            each = "each " if len(ahead) > 1 else ""
            gets = each if told else f"will probably {each}get "
            told.append(f"{enumerated(ahead)} {gets}{things}")
        yield Against(f"{', and '.join(told)}.")
    elif losing:
        yield f"{enumerated(losing)} will probably lose barrels (no storage)."
    anybody = losing or any(one.things for one in rest)
    if not (own.things or phrases.on_card(gains_of(course.own)[1])):
        nothing = f"{course.name} will probably get nothing from it."
        yield Worse(nothing if anybody else "Probably nobody gets anything from it.")
    elif move.role == CAPTAIN and course.ships_alone:
        but = "else " if any(state.players[state.seat].goods) else ""
        yield f"Nobody {but}has barrels."
    elif not (anybody or move.role in (PROSPECTOR, PROSPECTOR_2)):
        yield "Probably nobody else gets anything."
    elif state.end_triggered and not any(one.vp for one in rest):
        yield "Probably nobody else scores by it."


def _lost(course: _Course, seat: int) -> str:
    """Return which barrels a player probably loses later in the role, who cannot store them. In the
    last round that is no news, nor once barrels are stored.
    """
    if course.state.end_triggered or course.state.phase == STORE_PHASE:
        return ""
    lost = [one.returned for one in course.follows if isinstance(one, Stored) and one.seat == seat]
    barrels = enumerated(phrases.goods(one) for one in lost if any(one))
    return f"lose {barrels} (no storage)" if barrels else ""


def _but(lost: str) -> str:
    """Return what is lost behind what a move brings, so that moves can be compared."""
    return f", but will probably {lost}" if lost else ""


def _of_what_is_left(course: _Course) -> Iterator[str]:
    """Return the role left to the others that has many more doubloons on its card."""
    state, move, box = course.state, course.move, course.state.config.box
    if isinstance(move, TakeRole) and state.roles_taken + 1 < box.turns:
        left = [role for role in box.roles if state.taken[role] == NOBODY]
        richest = max(left, key=lambda role: state.role_doubloons[role])
        lying = state.role_doubloons[richest]
        if lying - state.role_doubloons[move.role] >= TEMPTING:
            yield Worse(f"It leaves {phrases.doubloons(lying)} on the {ROLES[richest]} card.")


def merits(view: View, move: Move, advise: Advise | None = None) -> Merits:
    """Return the merits of a move; its VP are the chips that it brings, of a role in all of it,
    unless another player gets as many.

    What the others can be expected to do in the rest of the role is what looks best by rules of
    thumb; what the player will do is what a hint would recommend then: ``advise`` knows that of the
    next decision if nobody decides before. Tiles that come up are never mentioned, as they cannot
    be known. Nothing is said for what would only work in a round that does not come, and what
    counts at the end always is.
    """
    if isinstance(move, Choose):
        return Merits([effects()[PLACES[move.building]]])
    state: State = view.table
    seat, is_role = seat_of(view), isinstance(move, TakeRole)
    course = _played_out(state, move, advise)
    now = [*(_of_role(course, move.role) if isinstance(move, TakeRole) else _now(course))]
    at_the_end = _of_the_score(course)
    chips = _chips(course.own if is_role else course.made, seat)
    # Near the end the score is the reason, and of a placement it is what is sure.
    is_score = isinstance(move, Place) or (is_late(state) and not chips)
    found = [*at_the_end, *now] if is_score else [*now, *at_the_end]
    found += [*_of_the_others(course), *_of_ties(course)]
    if not state.end_triggered:
        # Later neither the end nor doubloons left on cards are news.
        found[1:1] = _of_end(course)
        found += _of_what_is_left(course)
    found = for_first(found)
    if course.choice and not isinstance(found[0], Against):
        found[0] = promise = Promise(found[0])
        promise.then = format_move(course.choice)
    others = (_chips(course.of(each), each) for each in state.clockwise(seat)[1:] if is_role)
    return Merits(found, chips if chips > max(others, default=0) else 0)


def _chips(events: Iterable[Event], seat: int) -> int:
    """Return the VP chips that a player gets."""
    return phrases.total(gains_of(one for one in events if one.seat == seat)[0])


def _played_out(state: State, move: Move, advise: Advise | None) -> _Course:
    """Return how a move and the rest of its role are expected to go."""
    seat, chance = state.seat, random_chance(Random(0))
    after, events = apply(state, move, chance)
    later: list[Event] = []
    ended, choice = after, None
    while ended.phase not in (ROLE_PHASE, OVER):
        is_next = ended is after and ended.seat == seat
        choice = advise(View(seat, ended)) if advise and is_next else choice
        chosen = choice if choice and is_next else _expected(ended)
        ended, more = apply(ended, chosen, chance)
        later += more
    # What goes by itself afterward is no longer the move, nor what follows a pass.
    passes = isinstance(move, Pass)
    made = [event for event in events if not (event.auto or passes)]
    follows = [*(one for one in events if one.auto or passes), *later]
    return _Course(state, move, after, ended, made, follows, choice)


def _expected(state: State) -> Move:
    """Return the move that the player to move can be expected to make, by rules of thumb; but no
    building that is of no use now, and near the end one that scores most.
    """
    moves = legal_moves(state, limit=LISTED) if state.phase == BUILDER_PHASE else []
    uses = {one: use_of(state, state.seat, one.building) for one in moves if isinstance(one, Build)}
    useless = {move for move, use in uses.items() if isinstance(use, Against)}
    useful = [move for move in moves if move not in useless]
    if uses and is_late(state):
        scores = {move: score_after(state, move) for move in uses}
        useful = [move for move in uses if scores[move] == max(scores.values())]
    return best_move(state, useful, network_of(state.config.seats).prices)


def score_after(state: State, move: Move) -> int:
    """Return what the player to move would score if the game ended after a move."""
    after, _ = apply(state, move, random_chance(Random(0)))
    return final_score(after.players[state.seat], state.seat).total
