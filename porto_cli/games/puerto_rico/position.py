"""Positions of Puerto Rico: read from keys of a scenario, written, and made of a turn of a game.

A position names only what matters. A key that is missing is as after a fresh setup; players that a
key does not name have none of it. What is not in any place stays in the box: barrels, colonists,
VP, quarries, copies of buildings and the face-down plantations all follow. A missing row is turned
up by the chance of a record with the seed ``scenario`` (:mod:`porto_cli.core.chance`), so it is the
same every time; the same seed continues where ``comes-up`` ends.

:class:`porto_cli.fields.Positions` describes the public names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from porto_cli.core import cited
from porto_cli.core.chance import less
from porto_cli.core.yaml import Node
from porto_cli.fields import (
    Answers,
    Expectation,
    Field,
    Given,
    Position,
    always,
    compared,
    described,
    turn_up,
    unusual_lines,
    unwritten,
)
from porto_cli.games.puerto_rico.engine import (
    BASE_KINDS,
    BIT,
    BUILDING_PLACES,
    BUILDINGS,
    FIRST_BUILDING,
    GOODS,
    HOUSE_SPACES,
    NO_GOOD,
    NO_GOODS,
    PLACES,
    ROLES,
    USUAL,
    VIOLET,
    buildings_in,
    counts_of,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, STREAM, final_scores
from porto_cli.games.puerto_rico.engine.moves import (
    EARN_REASONS,
    SCORE_REASONS,
    Event,
    come_up,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.play import Deal, begin, copies_of
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    END_REASONS,
    LIBRARY_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PHASES,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    Config,
    Player,
    State,
)
from porto_cli.games.puerto_rico.laws import (
    barrels_out,
    broken_laws,
    buildings_out,
    ends_shown,
    next_to_act,
    people_out,
    plantations_out,
    quarries_out,
)
from porto_cli.games.puerto_rico.notation import (
    BUILDING_NAMES,
    GOOD_NAMES,
    PLACE_NAMES,
    PLANTATION_NAMES,
    ROLE_NAMES,
    TILE_NAMES,
    Names,
    find,
    find_building,
    format_bundle,
    parse_bundle,
)
from porto_cli.kinds import (
    FLAG,
    NONE,
    NUMBER,
    SEAT,
    Kind,
    Plain,
    by,
    many,
    name,
    number,
    set_of,
    word,
)
from porto_cli.seam import Step

# -- Kinds

MOST_OF_ONE = 40
"""The largest number in a bundle, more than the box has of anything that a bundle counts. The
engine's states have room for that everywhere, even in artificial positions."""
LAST_ROUND = 999
MOST_LOST = 999
"""The most VP or doubloons that a case can expect a player to lose."""


def bundle(among: Names) -> Kind:
    """Return the kind of a bundle: things and their numbers, like ``corn 2 quarry``."""

    def read(node: Node, config: Config) -> bytes:
        counts = node.parsed(lambda text: parse_bundle(text.split(), among))
        for thing, count in zip(among.names, counts, strict=True):
            if count > MOST_OF_ONE:
                node.fail(f"There can be at most {MOST_OF_ONE} of {thing} here, not {count}.")
        return counts

    return Kind(read, lambda counts, config: format_bundle(counts, among))


def _somebody(node: Node, config: Config) -> int:
    if node.value == NONE and NONE not in config.players:
        return NOBODY
    seat: int = SEAT.read(node, config)
    return seat


def _role(node: Node, config: Config) -> int:
    role = node.parsed(lambda text: find(text, ROLE_NAMES))
    if role not in config.box.roles:
        node.fail(f"There is no {ROLES[role]} with {config.seats} players.")
    return role


def _violet(node: Node, config: Config) -> int:
    place = node.parsed(find_building)
    if not VIOLET & BIT[place]:
        node.fail(f"{PLACES[place]} is a production building, which is always in the game.")
    return place


def _city(node: Node, config: Config) -> int:
    """PR-BUILDER-3: a city is a set of buildings."""
    counts = bundle(BUILDING_NAMES).read(node, config)
    for building, count in zip(BUILDINGS, counts, strict=True):
        if count > 1:
            node.fail(
                f"A city cannot have a building twice, but this one has {count} {building.name}."
            )
    return sum(BIT[FIRST_BUILDING + nth] for nth, count in enumerate(counts) if count)


def _house(node: Node, config: Config) -> bytes:
    goods: bytes = BARRELS.read(node, config)
    if sum(goods) > HOUSE_SPACES:
        node.fail(f"The trading house has room for {HOUSE_SPACES} barrels, not {sum(goods)}.")
    return goods


def _ship(node: Node, config: Config) -> int:
    spaces = config.box.cargo
    if node.text() in map(str, spaces):
        return spaces.index(int(node.text()))
    ships = ", ".join(map(str, spaces))
    node.fail(f"There is no cargo ship {cited(node.text())}; the ships have {ships} spaces.")


def _load(node: Node, config: Config) -> tuple[int, int]:
    """Read the load of a cargo ship: a good and its number of barrels."""
    goods = BARRELS.read(node, config)
    kinds = [good for good, count in enumerate(goods) if count]
    if not kinds:
        return NO_GOOD, 0
    if len(kinds) > 1:
        both = " and ".join(GOODS[good] for good in kinds)
        node.fail(f"A cargo ship carries barrels of one kind, not {both}.")
    if goods[kinds[0]] > int(node.name):
        node.fail(f"The cargo ship has room for {node.name} barrels, not {goods[kinds[0]]}.")
    return kinds[0], goods[kinds[0]]


def _write_load(load: tuple[int, int], config: Config) -> str:
    good, barrels = load
    return format_bundle(bytes(barrels * (one == good) for one in range(len(GOODS))), GOOD_NAMES)


BARRELS, PLANTATIONS = bundle(GOOD_NAMES), bundle(PLANTATION_NAMES)
PLANTATION = name(lambda text: find(text, PLANTATION_NAMES), GOODS)
SOMEBODY = Kind(_somebody, lambda seat, config: NONE if seat == NOBODY else config.players[seat])
CITY = Kind(_city, lambda city, _: " ".join(PLACES[one] for one in buildings_in(city)) or NONE)
CARGO = by(Kind(_ship, lambda ship, config: str(config.box.cargo[ship])), Kind(_load, _write_load))
ENDS = many(word(*END_REASONS), tuple, once=True)


def _attribute(
    key: str, kind: Kind, usual: Callable[[State], Any] | None = None, *, given: bool = True
) -> Field:
    return Field(kind, attrgetter(key.replace("-", "_")), given, usual)


def _of_players(key: str, kind: Kind, usual: Callable[[State], Any] | None = None) -> Field:
    find_in = attrgetter(key.replace("-", "_"))
    return Field(
        by(SEAT, kind), lambda state: dict(enumerate(map(find_in, state.players))), usual=usual
    )


def _of_roles(kind: Kind, find_in: Callable[[State], Sequence[int]]) -> Field:
    return Field(
        by(Kind(_role, lambda role, _: ROLES[role]), kind),
        lambda state: {role: find_in(state)[role] for role in state.config.box.roles},
    )


def _people_left(state: State) -> int:
    """Return the colonists that are nowhere else, so they are in the supply."""
    box = state.config.box
    return max(0, box.colonists + box.ship - state.ship - people_out(state))


_OF_PLAYERS = {
    "doubloons": _of_players("doubloons", NUMBER, always),
    "vp": _of_players("vp", NUMBER),
    "san-juan": _of_players("san-juan", NUMBER),
    "goods": _of_players("goods", BARRELS),
    "island": _of_players("island", bundle(TILE_NAMES), always),
    "city": _of_players("city", CITY),
    "colonists": _of_players("colonists", bundle(PLACE_NAMES)),
}
"""Keys of what each player has, with the names of the attributes of a player."""
FIELDS = {
    "phase": _attribute("phase", word(*PHASES), lambda s: ROLE_PHASE),
    "round": _attribute("round", number(1, LAST_ROUND), lambda s: 1),
    "governor": unwritten(SEAT, lambda s: s.governor),
    "roles": _of_roles(SOMEBODY, lambda s: s.taken),
    "chooser": unwritten(SOMEBODY, lambda s: s.chooser),
    "to-move": Field(
        SOMEBODY,
        lambda s: NOBODY if s.phase == OVER else s.seat,
        usual=lambda s: NOBODY if s.phase == OVER else next_to_act(s),
    ),
    "role-doubloons": _of_roles(NUMBER, lambda s: s.role_doubloons),
    "violet": _attribute(
        "violet",
        set_of(Kind(_violet, lambda place, _: PLACES[place])),
        lambda s: 0 if s.phase == DRAFT_PHASE else BASE_KINDS,
    ),
    "tiles": Field(PLANTATIONS, lambda s: s.row, usual=always),
    "tile-discards": Field(PLANTATIONS, lambda s: s.discards),
    "comes-up": Field(many(PLANTATION)),
    "ship": _attribute("ship", NUMBER, lambda s: s.config.box.ship),
    "supply": _attribute("supply", NUMBER, _people_left),
    "cargo": Field(
        CARGO, lambda s: dict(enumerate(zip(s.cargo_goods, s.cargo_barrels, strict=True)))
    ),
    "trading-house": Field(Kind(_house, BARRELS.write), lambda s: counts_of(s.trading_house)),
    **_OF_PLAYERS,
    "end-triggered": _attribute("end-triggered", ENDS, ends_shown),
    "face-down": _attribute("face-down", FLAG),
    "produced": _attribute("produced", BARRELS),
    "loaded": _attribute("loaded", set_of(SEAT)),
    "wharf-used": _attribute("wharf-used", set_of(SEAT)),
    "small-wharf-used": _attribute("small-wharf-used", set_of(SEAT)),
    "passes": _attribute(
        "passes", NUMBER._replace(read=lambda node, config: node.number(most=config.seats - 1))
    ),
    "stack": Field(NUMBER, lambda s: len(s.stack), given=False),
    "quarries": _attribute("quarries", NUMBER, given=False),
    "vp-pool": _attribute("vp-pool", NUMBER, given=False),
    "goods-supply": _attribute("goods-supply", BARRELS, given=False),
    "copies": Field(
        by(name(find_building, PLACES), NUMBER),
        lambda s: {place: s.copies[place] for place in BUILDING_PLACES},
        given=False,
    ),
    "places": Field(
        by(SEAT, NUMBER), lambda s: {one.seat: one.place for one in final_scores(s)}, given=False
    ),
}
"""All keys of a position."""
COMES_UP = "comes-up"
_NO_CHOOSER = (DRAFT_PHASE, ROLE_PHASE, OVER)
_ROLE_OF = {LIBRARY_PHASE: "settler", PRIVILEGE_PHASE: "craftsman", STORE_PHASE: "captain"}
"""The roles of phases that do not have the name of their role."""
_BELONGS: dict[str, tuple[str, ...]] = {
    "face-down": (SETTLER_PHASE,),
    "produced": (CRAFTSMAN_PHASE, PRIVILEGE_PHASE),
    "loaded": (CAPTAIN_PHASE,),
    "wharf-used": (CAPTAIN_PHASE,),
    "small-wharf-used": (CAPTAIN_PHASE,),
    "passes": (CAPTAIN_PHASE,),
}
"""Keys that only some phases may have."""
_NOTHING = (None, False, 0, NO_GOODS)


# -- Reading


def read_position(node: Node, config: Config, *, unchecked: bool = False) -> Position:
    """Return the position of a node; no automatic move has been made in it yet."""
    given = Given(FIELDS, node, config)
    state = begin(config, Deal(0, NO_GOODS))
    state.phase = given.or_usual("phase", state)
    for key, phases in _BELONGS.items():
        if given.get(key) not in _NOTHING and state.phase not in phases:
            required = f"'{key}' requires phase {' or '.join(phases)}"
            given.fail(key, f"{required}; the phase here is {state.phase}.")
    state.violet = given.or_usual("violet", state)
    empty = Player()
    for key in _OF_PLAYERS:
        attribute = key.replace("-", "_")
        for seat, player in enumerate(state.players) if key in given else ():
            setattr(player, attribute, given[key].get(seat, getattr(empty, attribute)))
    _lay_roles(state, given)
    _lay_goods(state, given)
    _lay_tiles(state, given)
    state.ship = given.or_usual("ship", state)
    state.supply = given.or_usual("supply", state)
    state.copies = _rest(copies_of(config, state.violet), buildings_out(state))
    state.survey()
    state.end_triggered = given.or_usual("end-triggered", state)
    for key in _BELONGS:
        if key in given:
            setattr(state, key.replace("-", "_"), given[key])
    if "loaded" not in given:
        # A player who has used a wharf has loaded.
        state.loaded = state.wharf_used | state.small_wharf_used
    if not unchecked:
        given.refuse(broken_laws(state))
    return given.position(state, {STREAM: COMES_UP}, {STREAM: state.tiles_drawn})


def _rest(box: bytes, out: list[int]) -> bytes:
    """Return what is left in a box; 0 where more is in use than it has."""
    return bytes(max(0, number - more) for number, more in zip(box, out, strict=True))


def _lay_roles(state: State, given: Given) -> None:
    """Set the governor (PR-ROUND-3), the role cards taken, and the player to move."""
    players, phase = state.config.players, state.phase
    governor = given.get("governor", 0)
    state.round = given.get("round", governor + 1)
    if "governor" in given and state.governor != governor:
        why = f"The governor of round {state.round} is {players[state.governor]}."
        given.fail("governor", f"{why} One of the keys 'round' and 'governor' is enough.")
    no_chooser = phase in _NO_CHOOSER
    state.role = NO_ROLE if no_chooser else ROLES.index(_ROLE_OF.get(phase, phase))
    taken = [*given.each("roles", len(ROLES), NOBODY)]
    taker = taken[state.role] if taken[state.role] != NOBODY else state.governor
    state.chooser = given.get("chooser", NOBODY if no_chooser else taker)
    if no_chooser != (state.chooser == NOBODY):
        why = "no role is played, so there is no chooser."
        if not no_chooser:
            why = "there is a chooser, the player who has taken the role."
        given.fail("chooser", f"In phase {phase} {why}")
    if not no_chooser and "roles" not in given:
        taken[state.role] = state.chooser
    state.taken = tuple(taken)
    state.role_doubloons = given.each("role-doubloons", len(ROLES), 0)
    over = phase == OVER
    state.seat = next_to_act(state)
    seat = given.or_usual("to-move", state)
    if over != (seat == NOBODY):
        given.fail(
            "to-move",
            "The game is over, so no player is to move."
            if over
            else "The game is not over, so a player is to move.",
        )
    if not over:
        state.seat = seat


def _lay_goods(state: State, given: Given) -> None:
    """Set the barrels; the supply has the rest of the box."""
    ships = given.each("cargo", len(state.config.box.cargo), (NO_GOOD, 0))
    state.cargo_goods = bytes(good for good, _ in ships)
    state.cargo_barrels = bytes(barrels for _, barrels in ships)
    house = given.get("trading-house", NO_GOODS)
    state.trading_house = b"".join(bytes([good]) * count for good, count in enumerate(house))
    state.goods_supply = _rest(state.config.barrels, barrels_out(state))


def _lay_tiles(state: State, given: Given) -> None:
    """Set the row; the stack has what is nowhere else."""
    config, coming = state.config, given.get(COMES_UP, b"")
    state.quarries = max(0, config.quarries - quarries_out(state))
    state.discards = given.get("tile-discards", NO_GOODS)
    state.row = given.get("tiles", NO_GOODS)
    stack = pile_of(_rest(config.plantations, plantations_out(state)))
    if "tiles" not in given:
        row = turn_up(stack, config.row, STREAM, coming)
        state.row = counts_of(row)
        stack = less(stack, row)
    state.stack = stack
    state.tiles_drawn = sum(config.plantations) - len(stack)
    given.refuse_more_than(stack, coming[: len(stack)], COMES_UP, GOODS)


# -- Writing


def describe_position(state: State, events: Iterable[Event] = ()) -> dict[str, Plain]:
    """Return the keys of a position; the tiles that came up in the events come up next.

    How many tiles have come up so far is not kept.
    """
    players, roles = state.config.players, state.config.box.roles
    coming = b"".join(pile_of(tiles) for _, tiles in come_up(events))
    # Role cards taken, even by a player who is called 'none'.
    taken = {ROLES[role]: state.taken[role] for role in roles if state.taken[role] != NOBODY}
    own: dict[str, Plain | None] = {
        "roles": {role: players[seat] for role, seat in taken.items()} or None,
        COMES_UP: FIELDS[COMES_UP].kind.write(coming, state.config) or None,
    }
    return described(FIELDS, state, own)


def header_lines(config: Config) -> list[str]:
    """Return the line of ``options`` for those that are not the default."""
    return unusual_lines(config.options, USUAL)


def without_secrets(state: State) -> State:
    """Return the state: nothing in a record of this game is secret."""
    return state


def consequences(step: Step) -> dict[str, Plain]:
    """Return what a turn brought each player, and what they have after it."""
    found: dict[str, Plain] = {}
    for which, key in enumerate((SCORES, EARNS)):
        if sums := gained(step.events, which):
            found[key] = {step.after.config.players[seat]: dict(one) for seat, one in sums.items()}
    then = ("phase", "to-move", "doubloons", "vp", "goods")
    return {**found, "then": {key: FIELDS[key].of(step.after) for key in then}}


# -- What else can be expected

SCORES, EARNS = "scores", "earns"
RECKON_NAMES = (
    *("chips", "buildings"),
    *(PLACES[place] for place in BONUS),
    *("total", "tie-break", "place"),
)
"""What the end gives a player: VP by their source, and what breaks ties."""


def gained(events: Iterable[Event], which: int) -> dict[int, Counter[str]]:
    """Return the VP (``which`` 0) or doubloons (1) that events brought each player, by reason."""
    total = defaultdict[int, Counter[str]](Counter)
    for event in events:
        for reason, gain in gains_of([event])[which]:
            assert event.seat is not None
            total[event.seat][reason] += gain
    return total


def _numbers(
    what: str,
    names: Sequence[str],
    count: Callable[[State, Sequence[Event]], Mapping[int, Mapping[str, int]]],
    *,
    exact: bool = True,
) -> Callable[[Node, Config], Expectation]:
    """Compare numbers by player and name, the names being some of those given.

    What one side does not name is 0 there; only what is expected is compared if not ``exact``.
    """
    numbers = Kind(
        lambda node, _: {
            named: inner.number(-MOST_LOST) for named, inner in node.mapping((), names).items()
        }
    )

    def read(node: Node, config: Config) -> Expectation:
        expected = by(SEAT, numbers).read(node, config)

        def evaluate(state: State, events: Sequence[Event]) -> Answers:
            actual = count(state, events)
            for seat, player in enumerate(config.players):
                wanted, found = expected.get(seat, {}), actual.get(seat, {})
                for named in dict.fromkeys((*wanted, *(found if exact else ()))):
                    yield from compared(
                        f"{what} {player} {named}", wanted.get(named, 0), found.get(named, 0)
                    )

        return evaluate

    return read


def _reckoned(state: State, events: object) -> dict[int, dict[str, int]]:
    """PR-SCORE-1 to PR-RANK-1. A large building that is not occupied, or not there, gives 0."""
    return {one.seat: one.named() for one in final_scores(state)}


EXPECTATIONS: Mapping[str, Callable[[Node, Config], Expectation]] = {
    SCORES: _numbers(SCORES, SCORE_REASONS, lambda _, events: gained(events, 0)),
    EARNS: _numbers(EARNS, EARN_REASONS, lambda _, events: gained(events, 1)),
    "reckon": _numbers("reckon", RECKON_NAMES, _reckoned, exact=False),
}
