"""The legal moves, each told once: what it is made of, what it brings, how one is asked about it.

Menus, lists, mails, pages, completion and suggestions are walks of these, see
:mod:`porto_cli.words`. Placements, and what a Small Wharf loads, can be millions: these are one
option each, with a form that asks for the numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import InvalidMoveError, enumerated, plural
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
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
from porto_cli.games.puerto_rico.engine.craftsman_trader import yields
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    SMALL_WHARF,
    WHARF,
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
    onto_name,
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import DECISIONS, count_moves, legal_moves, violations
from porto_cli.games.puerto_rico.engine.settler_mayor import fewest_and_most, nearest_placement
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
from porto_cli.games.puerto_rico.events import bundle_dict
from porto_cli.games.puerto_rico.notation import format_move, parse_move
from porto_cli.games.puerto_rico.options import MOST, facts
from porto_cli.games.puerto_rico.promises import promise
from porto_cli.term.spans import DIM, PLAIN, plain
from porto_cli.words import MANY, Counts, Option, Part, nearest

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker

_MOST_COMPARED = 500
"""Moves among which the nearest are found, where there are more."""

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
PAID_IN_KIND = "Build, and return at most one barrel, one VP chip and one colonist"
_WHY_NOT = {
    "PR-BUILDER-2": "too expensive",
    "PR-BUILDER-3": "you have one",
    "PR-BUILDER-4": "none left",
    "PR-BUILDER-5": "no space in your city",
}


def key_of(name: str) -> str:
    """Return what is typed for a good or a tile: its first letter, but an f for coffee."""
    return "f" if name == "coffee" else name[0]


def options(state: State, seat: int | None = None, *, asking: bool = False) -> list[Option]:
    """Return the legal moves of a seat, of who is to move if not said: the best first, and last
    passing and guests.

    Of more than :data:`MOST` moves, all placements are one option, and all loads of a Small Wharf.
    Where somebody chooses (``asking``) they always are, and it is said what buildings do, and of
    those that cannot be built, why.
    """
    count = count_moves(state, seat)
    together = asking or count > MOST
    limit = None
    if state.phase == MAYOR_PHASE:
        limit = 1 if together else MOST
    elif state.phase == CAPTAIN_PHASE:
        limit = MOST
    legal = legal_moves(state, seat, limit)
    if not legal:
        return []
    told = _Told(state, legal, asking=asking)
    if state.phase == MAYOR_PHASE and together:
        return [told.placements(count)]
    one_by_one = [one for one in legal if not (together and isinstance(one, LoadSmallWharf))]
    found = [told.option(move) for move in one_by_one]
    if len(one_by_one) < len(legal):
        found.append(told.small_wharf())
    found.sort(key=_rank)
    return told.first_of_all(found) if asking and state.phase == BUILDER_PHASE else found


def _effects() -> dict[str, str]:
    # This reads all rulings, which only who is asked needs.
    from porto_cli.games.puerto_rico.things import effects

    return effects()


def first_options(state: State) -> list[Option]:
    """Return the first legal move of each verb, passing and guests last; placements as one."""
    legal = legal_moves(state, limit=1 if state.phase == MAYOR_PHASE else MOST)
    told = _Told(state, legal, asking=False)
    if state.phase == MAYOR_PHASE:
        return [told.placements(count_moves(state))]
    firsts: dict[type[Move], Move] = {}
    for move in legal:
        firsts.setdefault(type(move), move)
    return sorted(map(told.option, firsts.values()), key=_rank)


def _rank(option: Option) -> tuple[bool, bool, int, int]:
    """Return the place of a move: passing and guests come last, before them what few players do.

    What is bought, sold or shipped goes by VP and doubloons, all else by the order of the rules.
    """
    move, verb = option.facts or {}, option.verb
    is_special = (
        any(move.get(key) for key in ("forest", "no_colonist", "returned"))
        or move.get("onto") == onto_name(SMALL_WHARF)
        or option.form is not None
        or verb == "guest"
    )
    is_weighed = verb in ("build", "sell", "load") and option.form is None
    worth = (-option.vp, -move["doubloons"]) if is_weighed else (0, 0)
    return verb in ("pass", "guest"), is_special, *worth


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


def in_brief(found: Sequence[Option]) -> list[Option]:
    """Return moves for a list: one for all that pay for a building with a Black Market."""
    paid: dict[str, list[Option]] = {}
    for option in found:
        alike = option.move.partition(" return ")[0] if _returned(option) else option.move
        paid.setdefault(alike, []).append(option)
    return [_with_all_returned(some) if _returned(some[0]) else some[0] for some in paid.values()]


def _returned(option: Option) -> dict[str, Any]:
    """Return what is returned for a building, in the words of the notation."""
    returned: dict[str, Any] = (option.facts or {}).get("returned", {})
    return returned


def _with_all_returned(builds: Sequence[Option]) -> Option:
    """Return builds that differ in what is returned as one."""
    returned = [_returned(one) for one in builds]
    goods, homes = (
        ", ".join(dict.fromkeys(one[key] for one in returned if key in one))
        for key in ("good", "colonist")
    )
    chip = "vp" if any("vp" in one for one in returned) else ""
    things = filter(None, [goods, chip, homes and f"colonist {homes}"])
    note = f"{len(returned[0])} of: {'; '.join(things)}"
    text = builds[0].move.partition(" return ")[0]
    return builds[0]._replace(move=f"{text} return {MANY}", note=[(note, DIM)])


def first_move(state: State) -> str:
    """Return the first of the moves as they are listed."""
    first = options(state)[0]
    return suggestions(state, first.verb, state.seat)[0] if first.form else first.move


def suggestions(state: State, text: str, seat: int) -> list[str]:
    """Return up to five legal moves of a seat, those most like a text first; passing only where
    there is nothing else.
    """
    if state.phase == MAYOR_PHASE and seat == state.seat:
        try:
            move = parse_move(text)
        except InvalidMoveError:
            move = None
        wanted = move.colonists if isinstance(move, Place) else None
        return [format_move(nearest_placement(state, wanted))]
    legal = [format_move(move) for move in legal_moves(state, seat, _MOST_COMPARED)]
    return nearest([move for move in legal if move != "pass"] or legal, text)


class _Told:
    """The moves of a decision, as they are told to who makes it."""

    def __init__(self, state: State, legal: Sequence[Move], *, asking: bool) -> None:
        self.state, self.legal = state, legal
        self.player = state.players[state.seat]
        self._does = _effects() if asking else {}
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
        heading = HEADINGS[self.state.phase]
        if isinstance(move, Build) and move.returned:
            heading = PAID_IN_KIND
        elif isinstance(move, Pass | MoveGuest):
            heading = plain(parts[0].label)
        return Option(
            move=found["move"],
            parts=parts,
            vp=found["vp"],
            note=[(note, DIM)] if note else [],
            heading=heading,
            facts=found,
            glosses={found["building"]: note} if isinstance(move, Build) else {},
            # Whoever can return a VP chip has one.
            secret=isinstance(move, Build) and move.vp,
        )

    # -- The parts of a move

    def _first(self, text: str, building: str = "", key: str = "") -> Part:
        """Return the part that the phase asks for."""
        first = self._part(self._question, text, self._rules, building)
        return first._replace(key=key, confirm=bool(building))

    def _rare(self, question: str, text: str, key: str, rule: str) -> tuple[Part, ...]:
        """Return the part that asks whether a move is made in a way that few players want."""
        return (self._part(question, text, (rule,))._replace(key=key),)

    def _part(self, question: str, text: str, rules: Sequence[str], building: str = "") -> Part:
        rules = tuple(dict.fromkeys((self.state.phase, *rules)))
        return Part(question, [(text, PLAIN)], rules, note=self._does.get(building, ""))

    def _parts(self, move: Move, found: Mapping[str, Any]) -> tuple[Part, ...]:
        match move:
            case Pass():
                return (self._first(self._passing(), key="0"),)
            case MoveGuest(place):
                to = self._part("Where will a guest go?", PLACES[place], ("PR-B-GUEST-HOUSE",))
                return self._first("First move a guest of the guest house", key="g"), to
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
                where = "your trading post" if post else "the trading house"
                key = key_of(GOODS[good]) + "p" * post
                return (self._first(f"{GOODS[good]} to {where}", key=key),)
            case Load(good, onto):
                text = f"{found['goods'][GOODS[good]]} {GOODS[good]} {phrases.onto(onto)}"
                key = f"{key_of(GOODS[good])}{'w' if onto == WHARF else onto}"
                return (self._first(text, key=key),)
            case LoadSmallWharf(goods):
                barrels = self._part("Which barrels?", phrases.goods(goods), self._rules)
                return self._first("Any barrels by the small wharf", key="w"), barrels
            case Store(goods):
                lost = bytes(map(int.__sub__, self.player.goods, goods))
                text = f"Keep {phrases.goods(goods)}; {phrases.goods(lost)} go back"
                return (self._first(text),)
            case Choose(building):
                return self._choice(building)
            case Place(colonists):
                return (self._first(phrases.places(colonists) or "none"),)
        raise AssertionError(move)

    def _passing(self) -> str:
        if self.state.phase == CRAFTSMAN_PHASE:
            return f"Produce {phrases.goods(yields(self.player, self.state.goods_supply))} now"
        return _PASS[self.state.phase]

    def _tile(self, move: Take) -> tuple[Part, ...]:
        if move.what == FACE_DOWN:
            return (self._first("First draw a hacienda tile from the stack", key="h"),)
        state, name = self.state, TILES[move.what]
        is_quarry = move.what == QUARRY
        left = f"{state.quarries} left" if is_quarry else f"{state.row[move.what]} in the row"
        first = self._first(f"{name} ({left})", key=key_of(name))
        ways = [one for one in self.legal if isinstance(one, Take) and one.what == move.what]
        if len(ways) == 1 and not move.forest and not move.no_colonist:
            return (first,)
        if move.forest:
            text, key, rule = "face down, as a forest", "f", "PR-B-FOREST-HOUSE"
        elif move.no_colonist:
            text, key, rule = "without the colonist of the hospice", "n", "PR-B-HOSPICE"
        else:
            text, key, rule = "as it is", "y", "PR-SETTLER-1"
        return first, *self._rare(f"How will you take the {name}?", text, key, rule)

    def _role(self, move: TakeRole) -> tuple[Part, ...]:
        name = ROLES[move.role]
        promised = promise(self.state, move._replace(no_colonist=False))
        first = self._first(f"{name}: {promised}", key=ROLE_KEYS[name])
        return first, *self._with_colonist(move, "Take the extra colonist?", "PR-MAYOR-1")

    def _with_colonist(self, move: TakeRole | Build, question: str, rule: str) -> tuple[Part, ...]:
        """Return what asks whether a colonist is taken, where one can leave it."""
        if not move.no_colonist and move._replace(no_colonist=True) not in self.legal:
            return ()
        text, key = ("No, leave it", "n") if move.no_colonist else ("Yes", "y")
        return self._rare(question, text, key, rule)

    def _build(self, move: Build) -> tuple[Part, ...]:
        """PR-B-UNIVERSITY; PR-B-BLACK-MARKET: what is paid in kind is asked thing by thing."""
        name = text = PLACES[move.building]
        if move.returned:
            cost = phrases.doubloons(price(self.state, self.state.seat, move.building))
            text = f"{name} for {cost}, with {plural(move.returned, 'thing')} returned instead"
        parts = [self._first(text, name)]
        question = "Take the colonist of the university?"
        parts += self._with_colonist(move, question, "PR-B-UNIVERSITY")
        if not move.returned:
            return tuple(parts)
        good = "no barrel" if move.good == NO_GOOD else f"1 {GOODS[move.good]}"
        chip = "1 VP" if move.vp else "no VP"
        home = "no colonist"
        if move.colonist != NO_PLACE:
            home = f"the colonist of {place_name(move.colonist)}"
        rules = ("PR-B-BLACK-MARKET",)
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
        return (
            self._first(enumerated([PLACES[place] for place in alike], "or")),
            self._part(f"Which building that costs {cost}?", name, rules, name),
        )

    def first_of_all(self, found: Sequence[Option]) -> list[Option]:
        """Return the builds, and the buildings that cannot be built, as what is asked at once."""
        build = self._first("Build, or build nothing", key="b")._replace(
            at_once=True, confirm=False
        )
        every = [*found, *self._out_of_reach()]
        return [one._replace(parts=(build, *one.parts)) for one in every]

    def _out_of_reach(self) -> Iterator[Option]:
        """Yield what cannot be built, and why."""
        within = {move.building for move in self.legal if isinstance(move, Build)}
        for place in sorted(BUILDING_PLACES, key=lambda place: (COST[place], place)):
            if place in within or VIOLET & BIT[place] & ~self.state.violet:
                continue
            broken = violations(self.state, Build(place), self.state.seat)
            name, cost = PLACES[place], price(self.state, self.state.seat, place)
            text = f"({name}: {phrases.doubloons(cost)}, {_WHY_NOT[broken[-1].rule]})"
            why_not = [str(one) for one in broken]
            yield Option(f"build {name}", (self._first(text, name),), why_not=why_not)

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
        name = state.config.players[state.seat]
        have = f"{name} has {phrases.colonists(people)} for {room} circles"
        now = {name: player.colonists[PLACES.index(name)] for name in circles}

        return Option(
            f"place {MANY}",
            (self._first(HEADINGS[MAYOR_PHASE])._replace(at_once=True),),
            note=[(f"{have}: {count:,} placements are legal. {rule}", PLAIN)],
            heading=HEADINGS[MAYOR_PHASE],
            form=lambda asker: _asked_form(asker, state),
            counts=Counts(circles, fewest, most, now),
        )

    def small_wharf(self) -> Option:
        """PR-B-SMALL-WHARF."""
        state, goods = self.state, bundle_dict(self.player.goods, GOODS)

        onto = onto_name(SMALL_WHARF)
        return Option(
            f"load {MANY} {onto}",
            (self._first("Any barrels by the small wharf", key="w"),),
            note=[("1 VP for each two barrels, at least one barrel", DIM)],
            heading=HEADINGS[CAPTAIN_PHASE],
            form=lambda asker: _asked_form(asker, state),
            counts=Counts(goods, 1, sum(goods.values())),
        )


def _asked_form(asker: Asker, state: State) -> str:
    """Ask for the numbers of a move."""
    from porto_cli.games.puerto_rico.placement_form import ask_placement, ask_small_wharf

    if state.phase == MAYOR_PHASE:
        return ask_placement(asker, state, (MAYOR_PHASE, *RULES[MAYOR_PHASE]))
    return ask_small_wharf(asker, state, (CAPTAIN_PHASE, "PR-B-SMALL-WHARF"))
