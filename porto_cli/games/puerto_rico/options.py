"""The legal moves, each told once: what it is made of, what it brings, how one is asked about it.

Documents, menus, lists, mails, pages, completion and suggestions are walks of these, see
:mod:`porto_cli.words`. Placements, loads of the Small Wharf and payments with the Black Market can
be millions: in documents it is said beyond :data:`MOST` what a move has to satisfy, people get one
option with a form that asks for the numbers.

The moves are those of the player to move, and are meant for that player only: they reveal whether
there is a VP chip to return, but not how many chips there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from porto_cli.core import enumerated, named, plural
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDING_PLACES,
    BUILDING_VP,
    COST,
    GOODS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
)
from porto_cli.games.puerto_rico.engine.boards import fewest_and_most, nearest_placement, price
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    BY_WHARF,
    FACE_DOWN,
    Build,
    Built,
    Choose,
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
    Stored,
    Take,
    TakeRole,
    TookGoods,
    bundle_dict,
    gains_of,
    onto_name,
    place_name,
    returned_json,
)
from porto_cli.games.puerto_rico.engine.play import (
    DECISIONS,
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
from porto_cli.games.puerto_rico.events import facts_json
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.promises import (
    ask_numbers,
    in_short,
    own_events,
    produced_by,
    promise,
    quick_move,
)
from porto_cli.games.puerto_rico.view import view
from porto_cli.seam import Step
from porto_cli.term import DIM, PLAIN, Line, plain
from porto_cli.words import MANY, NOTHING, Counts, MoveGroup, MoveOffer, Option, Part

MOST = 200
"""Moves that are listed; of more of them it is said what they are made of."""
_RULES = {
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
RULES = {phase: tuple(rules.split()) for phase, rules in _RULES.items()}
"""The rulings about the decision of each phase."""

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
HEADINGS = {
    phase: decision.must.removesuffix(" or pass").capitalize()
    for phase, decision in DECISIONS.items()
}
ROLE_KEYS = dict(zip(ROLES, ("s", "m", "b", "c", "t", "a", "p", "p2"), strict=True))
"""What is typed for a role: its first letter, but an a for the captain, as c is the craftsman."""
_SMALL_WHARF = f"load {MANY} {onto_name(BY_SMALL_WHARF)}"
PAID_IN_KIND = "Build, and return at most one barrel, one VP chip and one colonist"
_WHY_NOT = {
    "PR-BUILDER-2": "too expensive",
    "PR-BUILDER-3": "you have it",
    "PR-BUILDER-4": "none left",
    "PR-BUILDER-5": "no room for it",
}


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them; where there are
    too many, what a move has to satisfy: numbers and bundles by name.
    """
    count = count_moves(state, seat)
    if count > MOST:
        return {"count": count, **_demands(state)}
    return {"count": count, "moves": [facts(state, move) for move in legal_moves(state, seat)]}


def facts(state: State, move: Move) -> dict[str, Any]:
    """Return a legal move and what it brings the player who makes it.

    ``move``       the move in the notation
    ``kind``       its verb, like ``load``
    …              its parts by name, as in the events
    ``scores``     VP with their reasons
    ``earns``      doubloons with their reasons; what is paid is negative
    ``vp``         all VP at once: chips, and those printed on a building
    ``doubloons``  all doubloons at once; less than 0 if it costs more than it earns
    ``barrels``    barrels that come to the player, by their goods; those that go are negative

    What follows by itself, and what others get, is no part of it.
    """
    own = own_events(state, move)
    scores, earns = gains_of(own)
    text = str(move)
    return {
        "move": text,
        "kind": text.partition(" ")[0],
        **_fields(state, move, own),
        "scores": [list(gain) for gain in scores],
        "earns": [list(gain) for gain in earns],
        "vp": phrases.total(scores)
        + (BUILDING_VP[move.building] if isinstance(move, Build) else 0),
        "doubloons": phrases.total(earns),
        "barrels": _barrels(own),
    }


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do (PR-SECRET-1).

    It is the :func:`~porto_cli.games.puerto_rico.view.view` with ``count``, how many legal moves
    the seat has, and ``moves``, each as ``porto moves --format json`` writes it: the one that
    scores most first, of those the one that earns most, then by barrels. Where there are very many
    of them, as for colonists, they are some.
    """
    moves = [] if seat is None else [facts(state, move) for move in _listed(state, seat)]
    moves.sort(key=lambda one: (-one["vp"], -one["doubloons"], -sum(one["barrels"].values())))
    return {
        **view(state, seat),
        "count": 0 if seat is None else count_moves(state, seat),
        "moves": moves,
    }


def _listed(state: State, seat: int) -> list[Move]:
    """Return the legal moves, or some; of placements first the one that leaves everybody there."""
    moves = legal_moves(state, seat, MOST)
    if state.phase != MAYOR_PHASE or not moves:
        return moves
    first = nearest_placement(state)
    return [first, *(move for move in moves if move != first)][:MOST]


def _barrels(events: Iterable[Event]) -> dict[str, int]:
    """Return the barrels that come to a player, less those that go."""
    found: Counter[int] = Counter()
    for event in events:
        match event:
            case Produced(goods=goods) | TookGoods(goods=goods):
                found.update(dict(enumerate(goods)))
            case Loaded(goods=goods) | Stored(returned=goods):
                found.subtract(dict(enumerate(goods)))
            case Sold(good=good) | Built(returned=(good, _, _)):
                found[good] -= 1
    return {GOODS[good]: found[good] for good in range(len(GOODS)) if found[good]}


def _fields(state: State, move: Move, events: Iterable[Event]) -> dict[str, Any]:
    match move:
        case Take(what, second) if state.phase == PRIVILEGE_PHASE:
            return {"goods": {GOODS[good]: 1 for good in (what, second) if good != NO_GOOD}}
        case Take(what, _, forest, no_colonist):
            tile = "face-down" if what == FACE_DOWN else TILES[what]
            source = {QUARRY: "quarries", FACE_DOWN: "stack"}.get(what, "row")
            return {"tile": tile, "from": source, "forest": forest, "no_colonist": no_colonist}
        case Build(building, good, vp, colonist, no_colonist):
            return {
                "building": PLACES[building],
                "price": price(state, state.seat, building),
                "returned": returned_json(good, vp, colonist),
                "no_colonist": no_colonist,
            }
        case Load() | LoadSmallWharf():
            loaded = next(event for event in events if isinstance(event, Loaded))
            return {"goods": bundle_dict(loaded.goods, GOODS), "onto": onto_name(loaded.onto)}
    return facts_json(named(move))


def _demands(state: State) -> dict[str, Any]:
    player = state.players[state.seat]
    if state.phase == MAYOR_PHASE:
        fewest, _ = fewest_and_most(state, player)
        return {
            "colonists": player.people,
            "fewest": fewest,
            "circles": bundle_dict(player.circles, PLACES),
        }
    if state.phase == CAPTAIN_PHASE:
        return {"goods": bundle_dict(player.goods, GOODS)}
    builds = [move for move in legal_moves(state) if isinstance(move, Build)]
    return {
        "doubloons": player.doubloons,
        "prices": {
            PLACES[building]: price(state, state.seat, building)
            for building in dict.fromkeys(build.building for build in builds)
        },
        "goods": bundle_dict(player.goods, GOODS),
        "vp": player.vp > 0,
        "colonists": {
            **bundle_dict(player.colonists, PLACES),
            **({"san-juan": player.san_juan} if player.san_juan else {}),
        },
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
        return [told.placements(count)]
    one_by_one = [one for one in legal if not (together and isinstance(one, LoadSmallWharf))]
    found = [told.option(move) for move in one_by_one]
    if len(one_by_one) < len(legal):
        found.append(told.small_wharf())
    found.sort(key=lambda one: _rank(one, asking=asking))
    return [*found, *told.out_of_reach()] if asking and state.phase == BUILDER_PHASE else found


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
        found.append(phrases.brought([], money) or phrases.doubloons(0))
    return "; ".join(found)


class _Told:
    """The moves of a decision, as they are told to who makes it."""

    def __init__(self, state: State, legal: Sequence[Move], *, asking: bool) -> None:
        self.state, self.legal, self._asking = state, legal, asking
        self.player = state.players[state.seat]
        self._does: Mapping[str, str] = {}
        if asking:
            # This reads all rulings, which only who is asked needs.
            self._does = effects()
        # What the answers themselves promise.
        self._promised = ("prospector",) if asking else ()
        builds = dict.fromkeys(move.building for move in legal if isinstance(move, Build | Choose))
        guests = any(isinstance(move, MoveGuest) for move in legal)
        self._rules = (
            state.phase,
            *RULES[state.phase],
            *(rule for place in builds for rule in phrases.rules_of_building(place)),
            *(("PR-B-GUEST-HOUSE",) if guests else ()),
        )
        asked = _QUESTIONS[state.phase].format(doubloons=phrases.doubloons(self.player.doubloons))
        self._question = f"{state.config.players[state.seat]}, {asked}"

    def option(self, move: Move) -> Option:
        """Return a legal move."""
        found = facts(self.state, move)
        parts, note = self._parts(move, found), note_of(found, self._promised)
        heading, short = HEADINGS[self.state.phase], NOTHING
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
        elif isinstance(move, Pass | MoveGuest):
            heading = plain(parts[0].label)
        return Option(
            move=found["move"],
            parts=parts,
            vp=found["vp"],
            note=[(note, DIM)] if note else [],
            heading=heading,
            facts=found,
            short=short,
            glosses={found["building"]: note} if isinstance(move, Build) else {},
            # Whoever can return a VP chip has one.
            secret=isinstance(move, Build) and move.vp,
        )

    # -- The parts of a move

    def _first(self, text: str, building: str = "", key: str = "") -> Part:
        """Return the part that the phase asks for."""
        return self._part(self._question, text, self._rules, building)._replace(key=key)

    def _part(self, question: str, text: str, rules: Sequence[str], building: str = "") -> Part:
        rules = tuple(dict.fromkeys((self.state.phase, *rules)))
        return Part(question, [(text, PLAIN)], rules, note=self._does.get(building, ""))

    def _parts(self, move: Move, found: Mapping[str, Any]) -> tuple[Part, ...]:
        match move:
            case Pass():
                return (self._first(self._passing(), key="0"),)
            case MoveGuest(place):
                to = self._part("Where will a guest go?", PLACES[place], ("PR-B-GUEST-HOUSE",))
                return self._first("Move a guest first", key="g"), to
            case TakeRole():
                return self._role(move)
            case Take(what, second) if self.state.phase == PRIVILEGE_PHASE:
                taken = [GOODS[good] for good in (what, second) if good != NO_GOOD]
                return (self._first(f"1 {enumerated(taken)}", key="".join(map(key_of, taken))),)
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
                barrels = self._part("Which barrels?", phrases.goods(goods), self._rules)
                return self._first("Any by the small wharf", key="w"), barrels
            case Store(goods):
                lost = sum(self.player.goods) - sum(goods)
                text = f"Keep {phrases.goods(goods)}"
                return (self._first(f"{text}; lose {plural(lost, 'barrel')}" if lost else text),)
            case Choose(building):
                return self._choice(building)
            case Place(colonists):
                return (self._first(phrases.places(colonists) or "none"),)
        raise AssertionError(move)

    def _passing(self) -> str:
        if self.state.phase == CRAFTSMAN_PHASE:
            return f"Produce {produced_by(self.state, self.player.colonists)} now"
        return _PASS[self.state.phase]

    def _tile(self, move: Take) -> tuple[Part, ...]:
        if move.what == FACE_DOWN:
            return (self._first("Draw a hacienda tile first", key="h"),)
        state, name = self.state, TILES[move.what]
        is_quarry = move.what == QUARRY
        left = f"{state.quarries} left" if is_quarry else f"{state.row[move.what]} in the row"
        first = self._first(f"{name} ({left})", key=key_of(name))
        if move.no_colonist:
            return self._declined("Take a tile, no colonist", first)
        if not move.forest and move._replace(forest=True) not in self.legal:
            return (first,)
        text, key = ("face down, as a forest", "f") if move.forest else ("as it is", "y")
        how = self._part(f"How will you take the {name}?", text, ("PR-B-FOREST-HOUSE",))
        return first, how._replace(key=key)

    def _declined(self, text: str, *parts: Part) -> tuple[Part, ...]:
        """Return the parts of a move that leaves a colonist that would come with it: as few players
        want that, nobody is asked about it, and it stands for itself behind the others.
        """
        return self._first(text, key="n"), *parts

    def _role(self, move: TakeRole) -> tuple[Part, ...]:
        name = ROLES[move.role]
        if move.no_colonist:
            return self._declined(f"{name}, no extra colonist")
        return (self._first(f"{name}: {promise(self.state, move)}", key=ROLE_KEYS[name]),)

    def _build(self, move: Build) -> tuple[Part, ...]:
        """PR-B-UNIVERSITY; PR-B-BLACK-MARKET: what is paid in kind is asked thing by thing."""
        name, rules = PLACES[move.building], ("PR-B-BLACK-MARKET",)
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
            note: Line = [(f"{phrases.doubloons(cost)}, {_WHY_NOT[broken[-1].rule]}", DIM)]
            first = self._first(f"({name})", name)
            yield Option(f"build {name}", (first,), note=note, why_not=why_not)

    # -- Moves with numbers, of which there can be millions

    def placements(self, count: int) -> Option:
        """PR-MAYOR-3 to PR-MAYOR-5: all placements, and what one is made of."""
        state, player = self.state, self.player
        fewest, most = fewest_and_most(state, player)
        circles = bundle_dict(player.circles, PLACES)
        people, room = player.people, sum(circles.values())
        if fewest < min(people, room):
            rule = "Any number of them may stay in San Juan."
        elif people > room:
            rule = f"Every circle is filled, and {people - room} stay in San Juan."
        else:
            rule = "Every colonist has to be placed."
        ways = "1 way" if count == 1 else f"{count:,} ways"
        to = f"to place {phrases.colonists(people)} on {plural(room, 'circle')}"
        now = {name: player.colonists[PLACES.index(name)] for name in circles}

        return Option(
            f"place {MANY}",
            (self._first(HEADINGS[MAYOR_PHASE])._replace(at_once=True),),
            note=[(f"{ways} {to}. {rule}", PLAIN)],
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
            form=lambda asker: ask_numbers(asker, state, (CAPTAIN_PHASE, "PR-B-SMALL-WHARF")),
            counts=Counts(goods, 1, sum(goods.values())),
        )


# -- Placements for a mail: some of millions


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
    more = [*in_short(state), "Or write all places with their numbers, as above."]
    return MoveGroup(HEADINGS[MAYOR_PHASE], tuple(offers.values()), " ".join(more))
