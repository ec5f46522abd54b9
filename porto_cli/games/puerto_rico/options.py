"""The legal moves, each told once: what it is made of, what it brings, how one is asked about it.

Menus, lists, mails, pages, completion and suggestions are walks of these, see
:mod:`porto_cli.words`; documents are made in :mod:`porto_cli.games.puerto_rico.view`. Placements,
loads of the Small Wharf and payments with the Black Market can be millions: people get one option
with a form that asks for the numbers.

The moves are those of the player to move, and are meant for that player only: they reveal whether
there is a VP chip to return, but not how many chips there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import Any

from porto_cli.core import enumerated, plural
from porto_cli.core.chance import first_of_pile
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDING_PLACES,
    COST,
    GOODS,
    LIBRARY,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.boards import fewest_and_most, nearest_placement, price
from porto_cli.games.puerto_rico.engine.goods import takeable
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    BY_WHARF,
    FACE_DOWN,
    Build,
    Choose,
    ColonistsDealt,
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
    Store,
    Take,
    TakeRole,
    bundle_dict,
    gains_of,
    onto_name,
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import (
    DECISIONS,
    apply,
    begun,
    count_moves,
    legal_moves,
    violations,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.form import ask_numbers, produced_by, quick_move
from porto_cli.games.puerto_rico.notation import (
    PLACE_NAMES,
    format_bundle,
)
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.view import MOST, facts, own_events
from porto_cli.seam import Advice, MoveGroup, MoveOffer
from porto_cli.term import DIM, PLAIN, Line, plain
from porto_cli.words import MANY, NOTHING, Counts, Option, Part

RULES = {
    DRAFT_PHASE: "PR-DRAFT-1 PR-DRAFT-2 PR-DRAFT-3",
    ROLE_PHASE: "PR-ROLE-1 PR-ROLE-2 PR-SETTLER-1 PR-SETTLER-3 PR-MAYOR-1 PR-MAYOR-2 PR-BUILDER-1 "
    "PR-BUILDER-2 PR-CRAFTSMAN-1 PR-CRAFTSMAN-4 PR-TRADER-1 PR-CAPTAIN-1 PR-PROSPECTOR-1",
    SETTLER_PHASE: "PR-SETTLER-1 PR-SETTLER-2 PR-SETTLER-3 PR-B-HACIENDA PR-B-HUT PR-B-HOSPICE",
    LIBRARY_PHASE: "PR-B-LIBRARY",
    MAYOR_PHASE: "PR-MAYOR-3 PR-MAYOR-4 PR-MAYOR-5 PR-OCCUPIED-1",
    BUILDER_PHASE: "PR-BUILDER-1 PR-BUILDER-2 PR-BUILDER-3 PR-BUILDER-4 PR-BUILDER-5",
    CRAFTSMAN_PHASE: "PR-B-GUEST-HOUSE PR-CRAFTSMAN-1",
    PRIVILEGE_PHASE: "PR-CRAFTSMAN-4",
    TRADER_PHASE: "PR-TRADER-1 PR-TRADER-2 PR-TRADER-3",
    CAPTAIN_PHASE: "PR-CAPTAIN-1 PR-CAPTAIN-2 PR-CAPTAIN-3 PR-CAPTAIN-4",
    STORE_PHASE: "PR-STORE-1 PR-STORE-2",
}
"""The rulings about the decision of each phase, separated by blanks."""

_QUESTIONS = {
    DRAFT_PHASE: "which building will you choose for the game?",
    ROLE_PHASE: "which role will you take?",
    SETTLER_PHASE: "which tile will you take?",
    LIBRARY_PHASE: "which second tile will you take?",
    MAYOR_PHASE: "where will your colonists go?",
    BUILDER_PHASE: "what will you build with {doubloons}?",
    CRAFTSMAN_PHASE: "will you move a guest before you produce?",
    PRIVILEGE_PHASE: "which extra barrel will you take?",
    TRADER_PHASE: "what will you sell?",
    CAPTAIN_PHASE: "what will you load?",
    STORE_PHASE: "which barrels will you keep?",
}
_PASS = {
    SETTLER_PHASE: "Take no tile",
    LIBRARY_PHASE: "Take no second tile",
    BUILDER_PHASE: "Build nothing",
    PRIVILEGE_PHASE: "Take nothing",
    TRADER_PHASE: "Sell nothing",
    CAPTAIN_PHASE: "Load nothing",
}
HEADINGS = {phase: decision.task.capitalize() for phase, decision in DECISIONS.items()}
ROLE_KEYS = dict(zip(ROLES, ("s", "m", "b", "c", "t", "a", "p", "p2"), strict=True))
"""What is typed for a role: its first letter, but an a for the captain, as c is the craftsman."""
_SMALL_WHARF = f"load {MANY} {onto_name(BY_SMALL_WHARF)}"
_WHARF_RULES = ("small-wharf", "PR-B-SMALL-WHARF")
_GUEST_RULES = ("guest", "PR-B-GUEST-HOUSE")
PAID_IN_KIND = "Build, and return at most one barrel, one VP chip and one colonist"
_WHY_NOT = {
    "PR-BUILDER-2": "{}, too expensive",
    "PR-BUILDER-3": "you have it",
    "PR-BUILDER-4": "none left",
    "PR-BUILDER-5": "no room for it",
}


# -- What people are shown of them


def key_of(name: str) -> str:
    """Return what is typed for a good or a tile: its first letter, but an f for coffee."""
    return "f" if name == "coffee" else name[0]


def options(state: State, seat: int | None = None, *, asking: bool = False) -> list[Option]:
    """Return the legal moves of a seat, of who is to move if not said: as :func:`_rank` has them.

    Of more than :data:`MOST` moves, all placements are one option, and all loads of a Small Wharf.
    Where somebody chooses (``asking``) they always are, and it is said what buildings do, and of
    those that cannot be built, why.
    """
    count = count_moves(state, seat)
    together = asking or count > MOST
    limits = {MAYOR_PHASE: 2 if together else MOST, CAPTAIN_PHASE: MOST}
    legal = legal_moves(state, seat, limits.get(state.phase))
    if not legal:
        return []
    told = _Told(state, legal, asking=asking)
    if state.phase == MAYOR_PHASE and together:
        found = [told.placements()]
    else:
        one_by_one = [one for one in legal if not (together and isinstance(one, LoadSmallWharf))]
        found = [told.option(move) for move in one_by_one]
        if len(one_by_one) < len(legal):
            found.append(told.small_wharf())
        found.sort(key=lambda one: _rank(one, asking=asking))
    if not asking:
        return found
    if state.phase == BUILDER_PHASE:
        found += told.out_of_reach()
    # What is typed can be the words of several moves, in any order, which is asked then.
    return [one._replace(ordered=False) for one in found]


def _rank(option: Option, *, asking: bool) -> tuple[Any, ...]:
    """Return the place of a move: passing comes last, and before it what few players do; what is
    bought, sold or shipped goes by VP and doubloons, and all else by the order of the rules. Who is
    asked finds buildings by the price on the board and by name, in each turn at the same place.
    """
    move, verb = option.facts or {}, option.verb
    is_special = (
        any(move.get(key) for key in ("forest", "no_colonist", "returned"))
        or move.get("onto") == onto_name(BY_SMALL_WHARF)
        or option.form is not None
        or verb == "guest"
    )
    place: tuple[Any, ...] = ()
    if verb == "build" and asking:
        place = COST[PLACES.index(move["building"])], move["building"]
    elif verb in ("build", "sell", "load") and option.form is None:
        place = -option.vp, -move["doubloons"]
    return verb in ("pass", "guest"), is_special, *place


def note_of(move: Mapping[str, Any], told: Collection[str] = ()) -> str:
    """Return what a building costs, and what a move brings: for what VP, and doubloons.

    ``told`` are reasons of VP and doubloons that are told elsewhere.
    """
    found = []
    if move["kind"] == "choose":
        found.append(f"costs {phrases.doubloons(COST[PLACES.index(move['building'])])}")
    if move["kind"] == "build":
        found.append(f"costs {phrases.doubloons(move['price'])}" if move["price"] else "free")
    told = {*phrases.PRICE, *told}
    vp, money = ([gain for gain in move[key] if gain[0] not in told] for key in ("scores", "earns"))
    if vp:
        found.append(phrases.reasons(vp))
    if money or move["kind"] == "sell":
        found.append(phrases.brought(money) or phrases.doubloons(0))
    return "; ".join(found)


class _Told:
    """The moves of a decision, as they are told to who makes it."""

    def __init__(self, state: State, legal: Sequence[Move], *, asking: bool) -> None:
        self.state, self.legal, self._asking = state, legal, asking
        self.player = state.players[state.seat]
        # This reads all rulings, which only who is asked needs.
        self._does: Mapping[str, str] = effects() if asking else {}
        builds = dict.fromkeys(move.building for move in legal if isinstance(move, Build | Choose))
        guests = any(isinstance(move, MoveGuest) for move in legal)
        there = buildings_in(state.violet)
        its_own = {rule for place in there for rule in phrases.rules_of_building(place)}
        rules = RULES[state.phase].split()
        self._rules = (
            state.phase,
            *(rule for rule in rules if rule in its_own or not rule.startswith("PR-B-")),
            *(rule for place in builds for rule in phrases.rules_of_building(place)),
            *(("PR-B-GUEST-HOUSE",) if guests else ()),
        )
        asked = _QUESTIONS[state.phase].format(doubloons=phrases.doubloons(self.player.doubloons))
        self._question = f"{state.config.players[state.seat]}, {asked}"

    def option(self, move: Move) -> Option:
        """Return a legal move."""
        found, is_rare = facts(self.state, move), getattr(move, "no_colonist", False)
        # What is earned as prospector is what the role promises.
        parts, note = self._parts(move, found), note_of(found, ("prospector",))
        if isinstance(move, TakeRole) and not (self._asking or is_rare):
            note = "; ".join(filter(None, [promise(self.state, move), note]))
        heading, short, says = HEADINGS[self.state.phase], NOTHING, list[str]()
        if self._asking and isinstance(move, Sell | Load):
            # Several reasons are too long for a list: they are read of what is pointed at.
            is_sale, is_plain = isinstance(move, Sell), len(found["scores"] + found["earns"]) == 1
            why = phrases.reasons(found["earns"]) if is_sale else note
            parts = (parts[0]._replace(note="" if is_plain else why),)
            note = phrases.doubloons(found["doubloons"]) if is_sale else ""
        if isinstance(move, Build) and move.returned:
            heading = PAID_IN_KIND
            if not self._asking:
                # It is too much to be told by its parts.
                parts, short = (), [(f"build {found['building']} return {MANY}", PLAIN)]
        elif isinstance(move, Build):
            built = phrases.plain(found["building"])
            says = [f"build the {built} for {phrases.charge(found['price'])}"] * (not is_rare)
        elif isinstance(move, Pass | MoveGuest):
            heading = plain(parts[0].label)
        return Option(
            move=found["move"],
            parts=parts,
            rare=is_rare,
            vp=found["vp"],
            note=[(note, DIM)] if note else [],
            heading="Also possible: decline the extra colonist" if is_rare else heading,
            facts=found,
            short=short,
            glosses={found["building"]: note} if isinstance(move, Build) else {},
            # Whoever can return a VP chip has one.
            secret=isinstance(move, Build) and move.vp,
            says=says,
        )

    # -- The parts of a move

    def _first(self, text: str, building: str = "", key: str = "") -> Part:
        """Return the part that the phase asks for."""
        return self._part(self._question, text, self._rules, building)._replace(key=key)

    def _part(self, question: str, text: str, rules: Sequence[str], building: str = "") -> Part:
        label = [(text, phrases.STYLES[text] if text == building else PLAIN)]
        return Part(question, label, (*rules, self.state.phase), note=self._does.get(building, ""))

    def _parts(self, move: Move, found: Mapping[str, Any]) -> tuple[Part, ...]:
        match move:
            case Pass() if self.state.phase == CRAFTSMAN_PHASE:
                made = produced_by(self.state, self.player.colonists)
                return (self._first(f"Produce {made} now", key="0"),)
            case Pass():
                return (self._first(_PASS[self.state.phase], key="0"),)
            case MoveGuest(place):
                to = self._part("Where will a guest go?", PLACES[place], _GUEST_RULES)
                return self._first("Move a guest first", key="g"), to
            case TakeRole():
                return self._role(move)
            case Take(what, second) if self.state.phase == PRIVILEGE_PHASE:
                taken = [GOODS[good] for good in (what, second) if good != NO_GOOD]
                text = enumerated([f"1 {name}" for name in taken])
                return (self._first(text, key="".join(map(key_of, taken))),)
            case Take():
                return self._tile(move)
            case Build():
                return self._build(move)
            case Sell(good, post):
                text = f"{GOODS[good]} to your trading post" if post else GOODS[good]
                return (self._first(text, key=key_of(GOODS[good]) + "p" * post),)
            case Load(good, onto):
                text = f"{found['goods'][GOODS[good]]} {GOODS[good]} {phrases.onto(onto)}"
                key = f"{key_of(GOODS[good])}{'w' if onto == BY_WHARF else onto}"
                return (self._first(text, key=key),)
            case LoadSmallWharf(goods):
                barrels = self._part("Which barrels?", phrases.goods(goods), _WHARF_RULES)
                return self._first("Any by the small wharf", key="w"), barrels
            case Store(goods):
                lost = sum(self.player.goods) - sum(goods)
                text = f"Store {phrases.goods(goods)}"
                return (self._first(f"{text} and lose {plural(lost, 'barrel')}" if lost else text),)
            case Choose(building):
                return self._choice(building)
            case Place(colonists):
                return (self._first(phrases.places(colonists) or "none"),)
        raise AssertionError(move)

    def _tile(self, move: Take) -> tuple[Part, ...]:
        if move.what == FACE_DOWN:
            return (self._first("Take a face-down plantation first", key="d"),)
        state, name = self.state, TILES[move.what]
        is_quarry = move.what == QUARRY
        left = f"{state.quarries} left" if is_quarry else f"{state.row[move.what]} in the row"
        first = self._first(f"{phrases.a_tile(move.what)} ({left})", key=key_of(name))
        if move.no_colonist:
            return self._declined("Take a tile, no colonist", first)
        if not move.forest and move._replace(forest=True) not in self.legal:
            return (first,)
        text, key = ("face down, as a forest", "f") if move.forest else ("as it is", "y")
        how = self._part(f"How will you take the {name}?", text, ("forest", "PR-B-FOREST-HOUSE"))
        return first, how._replace(key=key)

    def _declined(self, text: str, *parts: Part) -> tuple[Part, ...]:
        """Return the parts of a move that leaves a colonist, which is offered behind the others."""
        return self._first(text, key="n"), *parts

    def _role(self, move: TakeRole) -> tuple[Part, ...]:
        name = ROLES[move.role]
        if move.no_colonist:
            return self._declined(f"{name}, no extra colonist")
        # In lists it stands behind the move.
        brings = f": {promise(self.state, move)}" if self._asking else ""
        return (self._first(f"{name}{brings}", key=ROLE_KEYS[name]),)

    def _build(self, move: Build) -> tuple[Part, ...]:
        """PR-B-UNIVERSITY; PR-B-BLACK-MARKET: what is paid in kind is asked thing by thing."""
        name, rules = PLACES[move.building], ("black-market", "PR-B-BLACK-MARKET")
        parts = [self._first(name, name)]
        if move.returned:
            text = f"{name}, {move.returned} returned"
            which = self._part("What will you build with it?", text, self._rules, name)
            parts = [self._first("Use the black market", key="k"), which]
        if move.no_colonist:
            parts = [*self._declined("Build, no colonist", *parts)]
        if not move.returned:
            return tuple(parts)
        good = "no barrel" if move.good == NO_GOOD else f"1 {GOODS[move.good]}"
        chip = "1 VP" if move.vp else "no VP"
        home = "no colonist"
        if move.colonist != NO_PLACE:
            home = f"the colonist of {place_name(move.colonist)}"
        return (
            *parts,
            self._part("Which barrel will you return?", good, rules),
            self._part("Will you return a VP chip?", chip, rules),
            self._part("Which colonist will you return?", home, rules),
        )

    def _choice(self, building: int) -> tuple[Part, ...]:
        """PR-DRAFT-2: by cost, as that is how the places are given."""
        cost = phrases.doubloons(COST[building])
        alike = [
            move.building
            for move in self.legal
            if isinstance(move, Choose) and COST[move.building] == COST[building]
        ]
        rules = [rule for place in alike for rule in phrases.rules_of_building(place)]
        name = PLACES[building]
        which = self._part(f"Which building for {cost}?", name, rules, name)
        if not self._asking:
            return (which,)
        return self._first(enumerated([PLACES[place] for place in alike], "or")), which

    def out_of_reach(self) -> Iterator[Option]:
        """Yield what cannot be built, and why."""
        within = {move.building for move in self.legal if isinstance(move, Build)}
        for place in sorted(BUILDING_PLACES, key=lambda place: (COST[place], place)):
            if place in within or VIOLET & BIT[place] & ~self.state.violet:
                continue
            broken = violations(self.state, Build(place), self.state.seat)
            name, cost = PLACES[place], price(self.state, self.state.seat, place)
            why_not = [str(one) for one in broken]
            note: Line = [(_WHY_NOT[broken[-1].rule].format(phrases.doubloons(cost)), DIM)]
            first = self._first(f"({name})", name)
            yield Option(f"build {name}", (first,), note=note, why_not=why_not)

    # -- Moves with numbers, of which there can be millions

    def placements(self) -> Option:
        """PR-MAYOR-3 to PR-MAYOR-5: all placements, and what one is made of."""
        state, player = self.state, self.player
        fewest, most = fewest_and_most(state, player)
        circles = bundle_dict(player.circles, PLACES)
        people, room = player.people, sum(circles.values())
        if fewest < min(people, room):
            rule = "Any number of them may stay in San Juan."
        elif people > room:
            over = people - room
            rule = f"Every circle is filled; {over} {'stays' if over == 1 else 'stay'} in San Juan."
        else:
            rule = "Every colonist has to be placed."
        has = f"{state.config.players[state.seat]} has {phrases.colonists(people)}"
        now = {name: player.colonists[PLACES.index(name)] for name in circles}
        return Option(
            f"place {MANY}",
            (self._first(HEADINGS[MAYOR_PHASE])._replace(at_once=True),),
            note=[(f"{has} for {plural(room, 'circle')}. {rule}", PLAIN)],
            heading=HEADINGS[MAYOR_PHASE],
            form=lambda asker: ask_numbers(asker, state, self._rules),
            counts=Counts(circles, fewest, most, now),
        )

    def small_wharf(self) -> Option:
        """PR-B-SMALL-WHARF."""
        state, goods = self.state, bundle_dict(self.player.goods, GOODS)
        return Option(
            _SMALL_WHARF,
            (self._first("Any by the small wharf", key="w"),),
            note=[("1 VP for every two barrels", DIM)],
            heading=HEADINGS[CAPTAIN_PHASE],
            form=lambda asker: ask_numbers(asker, state, _WHARF_RULES),
            counts=Counts(goods, 1, sum(goods.values())),
        )


# -- What choices lead to
#
# What their words do not say: what a role promises in a menu, made from the role as it begins (see
# :func:`begun`), and the placements that players think of.

ENOUGH = 500
"""Moves that are looked at to see whether there is one of a kind."""
_NAMED = 2
"""Kinds of goods up to which they are named in a row of 60 columns."""


def promise(state: State, move: TakeRole) -> str:
    """Return what a role brings the player to move when it is taken now.

    It is made from the role as it begins, so that no label promises what does not come. It is
    short, as a row of a menu also has the doubloons on the card.
    """
    after, events = begun(state, move)
    player = after.players[state.seat]
    privilege = 2 if player.colonists[LIBRARY] else 1
    match ROLES[move.role].removesuffix("-2"):
        case "settler" if not player.island_spaces:
            return "your island is full"
        case "settler":
            takes = [one.what for one in legal_moves(after) if isinstance(one, Take)]
            tiles = ["a plantation"] * any(after.row) + ["a quarry"] * (QUARRY in takes)
            return " or ".join(tiles) or "no tile is left"
        case "mayor":
            dealt = (one for one in events if isinstance(one, ColonistsDealt))
            own = [(one.colonists, one.privilege) for one in dealt if one.seat == state.seat]
            extra, said = sum(more for _, more in own), phrases.colonists(sum(map(sum, own)))
            return f"{said} ({extra} as your bonus)" if extra else said
        case "builder" if not player.city_spaces:
            return "your city is full"
        case "builder":
            can = any(isinstance(one, Build) for one in legal_moves(after, limit=ENOUGH))
            return f"build, {phrases.doubloons(privilege)} off" if can else "nothing you can build"
        case "craftsman":
            made = {one.seat: one.goods for one in events if isinstance(one, Produced)}
            extra = min(len(takeable(after)), privilege)
            anybody = any(map(any, made.values()))
            return _barrels(made[state.seat], extra) if anybody else "nobody produces"
        case "prospector":
            return phrases.doubloons(privilege)
        case _ if not any(player.goods):
            return "you have no barrels"
        case "trader":
            sales = [one for one in legal_moves(after) if isinstance(one, Sell)]
            _, best, earned = _best(after, sales, 1)
            sold = [f"{GOODS[one.good]} for " for one in best if isinstance(one, Sold)]
            return sold[0] + phrases.doubloons(earned) if best else "nothing you can sell"
        case "captain":
            load, best, vp = _best(after, _loads(after), 0)
            loaded = [phrases.goods(one.goods) for one in best if isinstance(one, Loaded)]
            least = "at least " if load and _can_load_more(after, load) else ""
            return f"load {loaded[0]} for {least}{vp} VP" if best else "nothing you can load"
    raise AssertionError(move)


def _barrels(own: bytes, extra: int) -> str:
    """Return what somebody produces."""
    kinds = phrases.counted(own, GOODS)
    if not kinds:
        return "nothing for you"
    several = len(kinds) > _NAMED
    made = f"{sum(own)} barrels, {len(kinds)} kinds" if several else ", ".join(kinds)
    return f"{made} + {extra} extra" if extra else made


def _loads(state: State) -> Iterator[Move]:
    """Yield what can be loaded first; of the small wharf only all barrels."""
    legal = legal_moves(state, limit=ENOUGH)
    yield from (move for move in legal if isinstance(move, Load))
    if any(isinstance(move, LoadSmallWharf) for move in legal):
        yield LoadSmallWharf(state.players[state.seat].goods)


def _can_load_more(state: State, load: Move) -> bool:
    """Return whether who loads first so could load something else later in the phase."""
    then, _ = apply(state, load, first_of_pile)
    then.seat = state.seat
    return then.phase == state.phase and any(_loads(then))


def _best(state: State, moves: Iterable[Move], of: int) -> tuple[Move | None, list[Event], int]:
    """Return the move that brings most VP (``of`` 0) or doubloons (1), what it does, and how many
    it brings.
    """
    found = [(move, own_events(state, move)) for move in moves]
    gained = [phrases.total(gains_of(events)[of]) for _, events in found]
    if not found:
        return None, [], 0
    most = max(gained)
    return *found[gained.index(most)], most


# -- Placements in words: some of millions for a mail, and how they are written in short


def only_the_new(state: State, typed: Callable[[str], str] = str) -> Iterator[Advice]:
    """Yield how to say only where the new colonists go, which fill the gaps, as it is ``typed``;
    nothing where none is placed.
    """
    player, placed = state.players[state.seat], nearest_placement(state)
    added = bytes(map(sub, placed.colonists, player.colonists))
    if any(added):
        move = f"place add {format_bundle(added, PLACE_NAMES)}"
        yield Advice("To say only where the new ones go", typed(move))


def shorthands(state: State) -> Iterator[str]:
    """Yield how a placement can be written in fewer words, with one that is legal."""
    player = state.players[state.seat]
    yield from (f"{advice}." for advice in only_the_new(state))
    yield "To move others as well: place add PLACE from PLACE."
    empty = sum(player.circles) - player.people
    if 0 < empty <= player.people:
        yield f"To fill all circles but {empty}: place leave PLACE."


def placements(state: State, known: State) -> MoveGroup:
    """Return some placements: with the fewest changes, and what a quick player would do.

    ``known`` is the table as the readers may see it.
    """
    wanted: list[tuple[str, Move]] = [
        ("Everybody stays, and the new ones fill empty circles", nearest_placement(state)),
        ("As a bot would place them", quick_move(known)),
    ]
    offers: dict[Move, MoveOffer] = {}
    for why, move in wanted:
        if isinstance(move, Place) and not violations(state, move, state.seat):
            label = f"{why}: {phrases.places(move.colonists)}"
            note = f"the craftsman would bring {produced_by(state, move.colonists)}"
            offers.setdefault(move, MoveOffer(label, (str(move),), note))
    more = [*shorthands(state), "Or write all places with their numbers, as above."]
    return MoveGroup(HEADINGS[MAYOR_PHASE], tuple(offers.values()), " ".join(more))
