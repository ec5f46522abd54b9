"""The keys of a position: how each is read, written and found in a state.

A scenario gives some of them and asks for others. Both go through the table :data:`FIELDS`, so
that what can be written down can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from porto_cli.core.message import shown
from porto_cli.core.yaml import Node
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    BUILDINGS,
    FIRST_BUILDING,
    GOODS,
    HOUSE_SPACES,
    NO_GOOD,
    PLACES,
    ROLES,
    VIOLET,
    buildings_in,
    counts_of,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_scores
from porto_cli.games.puerto_rico.engine.moves import Earned, Event, Scored
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    NOBODY,
    OVER,
    PHASES,
    VP_END,
    Config,
    State,
)
from porto_cli.games.puerto_rico.notation import (
    BUILDING_NAMES,
    GOOD_NAMES,
    NONE,
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
from porto_cli.scenario.cases import (
    Answer,
    Field,
    Fields,
    Played,
    Read,
    Write,
    compare,
    number_field,
    parsed,
    players_field,
    read_by,
    read_number,
    read_seat,
    word_field,
    write_by,
    write_number,
)

MOST_OF_ONE = 40
"""The largest number in a bundle, more than the box has of anything that a bundle counts. The
states of the engine have room for that in every place, artificial positions included."""
LAST_ROUND = 999

END_REASONS = (COLONISTS_END, CITY_END, VP_END)

# -- reading


def _bundle_of(among: Names) -> Read:
    def read(node: Node, what: str, config: Config) -> bytes:
        text = node.text()
        counts: bytes = parsed(lambda text: parse_bundle(text.split(), among), text, node)
        for name, number in zip(among.names, counts, strict=True):
            if number > MOST_OF_ONE:
                node.fail(
                    f"There cannot be {number} of {name}; {MOST_OF_ONE} is the most that can be "
                    "written here."
                )
        return counts

    return read


def _player(node: Node, what: str, config: Config) -> int:
    return read_seat(node.text(), node, config)


def _player_or_none(node: Node, what: str, config: Config) -> int:
    name = node.text()
    if name == NONE and NONE not in config.players:
        return NOBODY
    return read_seat(name, node, config)


def _players(node: Node, what: str, config: Config) -> int:
    """Read a list of players, each once, as a set of seats."""
    seats = 0
    for name, item in [(item.text(), item) for item in node.items()]:
        bit = 1 << read_seat(name, item, config)
        if seats & bit:
            item.fail(f"{name} is listed a second time.")
        seats |= bit
    return seats


def _role(name: str, node: Node, config: Config) -> int:
    role: int = parsed(lambda name: find(name, ROLE_NAMES), name, node)
    if role not in config.box.roles:
        node.fail(f"There is no {ROLES[role]} with {config.seats} players.")
    return role


def _house(node: Node, what: str, config: Config) -> bytes:
    goods: bytes = _read_goods(node, what, config)
    if sum(goods) > HOUSE_SPACES:
        node.fail(
            f"The trading house has {HOUSE_SPACES} spaces, so that {sum(goods)} barrels do not fit."
        )
    return goods


def _plantation(name: str, node: Node, config: Config) -> int:
    plantation: int = parsed(lambda name: find(name, PLANTATION_NAMES), name, node)
    return plantation


def _building(name: str, node: Node, config: Config) -> int:
    building: int = parsed(find_building, name, node)
    return building


def _ship(name: str, node: Node, config: Config) -> int:
    spaces = config.box.cargo
    if name in map(str, spaces):
        return spaces.index(int(name))
    node.fail(
        f"There is no cargo ship {shown(name)}; with {config.seats} players the "
        f"ships have {', '.join(map(str, spaces))} spaces."
    )


def _kinds(node: Node, what: str, config: Config) -> int:
    """Read a list of violet kinds, each once, as a set."""
    kinds = 0
    for name, item in [(item.text(), item) for item in node.items()]:
        building = _building(name, item, config)
        if not VIOLET & BIT[building]:
            item.fail(
                f"{PLACES[building]} is a production building, which is always in the game; "
                f"{shown(what)} names the violet ones."
            )
        if kinds & BIT[building]:
            item.fail(f"{name} is listed a second time.")
        kinds |= BIT[building]
    return kinds


_read_buildings = _bundle_of(BUILDING_NAMES)
_read_goods = _bundle_of(GOOD_NAMES)


def _city(node: Node, what: str, config: Config) -> int:
    """PR-BUILDER-3: a city is a set of buildings."""
    counts = _read_buildings(node, what, config)
    for building, number in zip(BUILDINGS, counts, strict=True):
        if number > 1:
            node.fail(
                f"A city has no building twice, and this one has {number} of {building.name}."
            )
    return sum(BIT[FIRST_BUILDING + nth] for nth, number in enumerate(counts) if number)


def _load(node: Node, what: str, config: Config) -> tuple[int, int]:
    """Read what a cargo ship carries: a good and its barrels."""
    goods = _read_goods(node, what, config)
    kinds = [good for good, number in enumerate(goods) if number]
    if not kinds:
        return NO_GOOD, 0
    if len(kinds) > 1:
        node.fail(
            "A cargo ship carries barrels of one kind, not "
            f"{' and '.join(GOODS[good] for good in kinds)}."
        )
    (good,) = kinds
    if goods[good] > int(what):
        node.fail(f"The cargo ship has {what} spaces, so that {goods[good]} barrels do not fit.")
    return good, goods[good]


def _plantations(node: Node, what: str, config: Config) -> bytes:
    return bytes(
        _plantation(name, item, config)
        for name, item in [(item.text(), item) for item in node.items()]
    )


def _end_reasons(node: Node, what: str, config: Config) -> tuple[str, ...]:
    reasons: list[str] = []
    for _, item in [(item.text(), item) for item in node.items()]:
        reason = item.one_of(END_REASONS)
        if reason in reasons:
            item.fail(f"{reason} is listed a second time.")
        reasons.append(reason)
    return tuple(reasons)


def _flag(node: Node, what: str, config: Config) -> bool:
    return node.flag()


# -- writing


def _name_of(seat: int, config: Config) -> str:
    return NONE if seat == NOBODY else config.players[seat]


def seats_in(seats: int) -> list[int]:
    """Return the seats of a set."""
    return [seat for seat in range(seats.bit_length()) if seats >> seat & 1]


def _write_players(seats: int, config: Config) -> tuple[str, ...]:
    return tuple(config.players[seat] for seat in seats_in(seats))


def _write_kinds(kinds: int, config: Config) -> tuple[str, ...]:
    return tuple(PLACES[place] for place in buildings_in(kinds))


def _write_plantations(tiles: bytes, config: Config) -> tuple[str, ...]:
    return tuple(GOODS[tile] for tile in tiles)


def _write_bundle(among: Names) -> Write:
    return lambda counts, config: format_bundle(counts, among)


def _write_city(city: int, config: Config) -> str:
    return " ".join(PLACES[place] for place in buildings_in(city)) or NONE


def _write_load(load: tuple[int, int], config: Config) -> str:
    good, barrels = load
    return format_bundle(bytes(barrels * (one == good) for one in range(len(GOODS))), GOOD_NAMES)


def _write_reasons(reasons: Iterable[str], config: Config) -> tuple[str, ...]:
    """In the order of the rules, whatever happened first."""
    return tuple(reason for reason in END_REASONS if reason in reasons)


# -- finding


def _find_cargo(state: State) -> dict[int, tuple[int, int]]:
    return dict(enumerate(zip(state.cargo_goods, state.cargo_barrels, strict=True)))


# -- the table


def _bundle_field(among: Names, find_in: Callable[[State], bytes]) -> Field:
    return Field(_bundle_of(among), _write_bundle(among), find_in)


def _seats_field(find_in: Callable[[State], int]) -> Field:
    return Field(_players, _write_players, find_in)


def _of_players(read: Read, write: Write, attribute: str) -> Field:
    """Return the key of an attribute of each player."""
    return players_field(
        read, write, lambda state: [getattr(player, attribute) for player in state.players]
    )


def _of_roles(read: Read, write: Write, attribute: str) -> Field:
    return Field(
        read_by(_role, read),
        write_by(lambda role, _: ROLES[role], write),
        lambda state: {role: getattr(state, attribute)[role] for role in state.config.box.roles},
    )


FIELDS = Fields(
    {
        "phase": word_field(PHASES, lambda state: state.phase),
        "round": Field(
            lambda node, what, config: node.number(least=1, most=LAST_ROUND),
            write_number,
            lambda state: state.round,
        ),
        "governor": Field(_player, _name_of, lambda state: state.governor),
        "roles": _of_roles(_player_or_none, _name_of, "taken"),
        "chooser": Field(_player_or_none, _name_of, lambda state: state.chooser),
        "to-move": Field(
            _player_or_none,
            _name_of,
            lambda state: NOBODY if state.phase == OVER else state.seat,
        ),
        "role-doubloons": _of_roles(read_number, write_number, "role_doubloons"),
        "violet": Field(_kinds, _write_kinds, lambda state: state.violet),
        "tiles": _bundle_field(PLANTATION_NAMES, lambda state: state.row),
        "tile-discards": _bundle_field(PLANTATION_NAMES, lambda state: state.discards),
        "comes-up": Field(_plantations, _write_plantations, None),
        "ship": number_field(lambda state: state.ship),
        "supply": number_field(lambda state: state.supply),
        "cargo": Field(
            read_by(_ship, _load),
            write_by(lambda ship, config: str(config.box.cargo[ship]), _write_load),
            _find_cargo,
        ),
        "trading-house": Field(
            _house, _write_bundle(GOOD_NAMES), lambda state: counts_of(state.trading_house)
        ),
        "doubloons": _of_players(read_number, write_number, "doubloons"),
        "vp": _of_players(read_number, write_number, "vp"),
        "san-juan": _of_players(read_number, write_number, "san_juan"),
        "goods": _of_players(_bundle_of(GOOD_NAMES), _write_bundle(GOOD_NAMES), "goods"),
        "island": _of_players(_bundle_of(TILE_NAMES), _write_bundle(TILE_NAMES), "island"),
        "city": _of_players(_city, _write_city, "city"),
        "colonists": _of_players(_bundle_of(PLACE_NAMES), _write_bundle(PLACE_NAMES), "colonists"),
        "end-triggered": Field(_end_reasons, _write_reasons, lambda state: state.end_triggered),
        "face-down": Field(
            _flag, lambda used, _: "true" if used else "false", lambda state: state.face_down
        ),
        "produced": _bundle_field(GOOD_NAMES, lambda state: state.produced),
        "loaded": _seats_field(lambda state: state.loaded),
        "wharf-used": _seats_field(lambda state: state.wharf_used),
        "small-wharf-used": _seats_field(lambda state: state.small_wharf_used),
        "passes": Field(
            lambda node, what, config: node.number(most=config.seats - 1),
            write_number,
            lambda state: state.passes,
        ),
        "stack": number_field(lambda state: len(state.stack)),
        "quarries": number_field(lambda state: state.quarries),
        "vp-pool": number_field(lambda state: state.vp_pool),
        "goods-supply": _bundle_field(GOOD_NAMES, lambda state: state.goods_supply),
        "copies": Field(
            read_by(_building, read_number),
            write_by(lambda place, _: PLACES[place], write_number),
            lambda state: {place: state.copies[place] for place in BUILDING_PLACES},
        ),
        "places": players_field(
            read_number, write_number, lambda state: [one.place for one in final_scores(state)]
        ),
    },
    follows=("stack", "quarries", "vp-pool", "goods-supply", "copies", "places"),
)

SCORES, EARNS = "scores", "earns"
SCORE_REASONS = ("shipping", "captain", "harbor", "union-hall", "church", "black-market")
"""Why players get or return VP."""
EARN_REASONS = (
    "role",
    "prospector",
    "sale",
    "trader",
    "small-market",
    "large-market",
    "factory",
    "specialty-factory",
    "lighthouse",
    "build",
    "black-market",
)
"""Why players get or pay doubloons."""
_CHIPS, _BUILDINGS, _TOTAL, _TIE_BREAK, _PLACE = "chips", "buildings", "total", "tie-break", "place"
RECKON_NAMES = (
    _CHIPS,
    _BUILDINGS,
    *(PLACES[place] for place in BONUS),
    _TOTAL,
    _TIE_BREAK,
    _PLACE,
)
"""What the end gives a player: VP by where they come from, and what decides ties."""

Numbers = dict[int, dict[str, int]]
"""Numbers by seat and name."""


def sum_scores(events: Iterable[Event]) -> Numbers:
    """Return the VP that events brought each player, by reason."""
    return _summed((one.seat, one.reason, one.vp) for one in events if isinstance(one, Scored))


def sum_earns(events: Iterable[Event]) -> Numbers:
    """Return the doubloons that events brought each player, by reason."""
    return _summed(
        (one.seat, one.reason, one.doubloons) for one in events if isinstance(one, Earned)
    )


def _summed(gains: Iterable[tuple[int, str, int]]) -> Numbers:
    total: Numbers = {}
    for seat, reason, number in gains:
        reasons = total.setdefault(seat, {})
        reasons[reason] = reasons.get(reason, 0) + number
    return total


def reckoned(state: State) -> Numbers:
    """Return what the end of the game would give each player (PR-SCORE-1 to PR-RANK-1).

    A large building that is not occupied, or not there, gives 0.
    """
    return {
        one.seat: {
            _CHIPS: one.chips,
            _BUILDINGS: one.buildings,
            **{PLACES[place]: 0 for place in BONUS},
            **{PLACES[place]: vp for place, vp in one.bonuses},
            _TOTAL: one.total,
            _TIE_BREAK: one.tie_break,
            _PLACE: one.place,
        }
        for one in final_scores(state)
    }


def read_numbers(node: Node, what: str, names: Collection[str], config: Config) -> Numbers:
    """Return numbers by player and name, the names being some of those given.

    Raises InvalidFileError.
    """
    mapping = node
    mapping.mapping((), config.players)
    found: Numbers = {}
    for player, entry in mapping.mapping().items():
        named = entry
        named.mapping((), names)
        found[config.players.index(player)] = {
            name: _signed(value, name) for name, value in named.mapping().items()
        }
    return found


def _signed(node: Node, what: str) -> int:
    text = node.text()
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 4:
        return int(text)
    node.fail(
        f"Under {shown(what)} there should be a whole number, like 3 or -2, not {shown(text)}."
    )


class Sums(NamedTuple):
    """What moves, and all that followed by itself, brought each player, by reason."""

    what: str
    """``scores`` or ``earns``."""
    expected: Numbers

    def evaluate(self, played: Played) -> Answer:
        """Compare all that is named on either side; what the other does not name is 0 there."""
        actual = (sum_scores if self.what == SCORES else sum_earns)(played.events)
        return compare(
            (
                f"{self.what} {player} {reason}",
                str(self.expected.get(seat, {}).get(reason, 0)),
                str(actual.get(seat, {}).get(reason, 0)),
            )
            for seat, player in enumerate(played.state.config.players)
            for reason in dict.fromkeys((*self.expected.get(seat, {}), *actual.get(seat, {})))
        )


class Reckoned(NamedTuple):
    """What the end of the game would give in the present position."""

    expected: Numbers

    def evaluate(self, played: Played) -> Answer:
        """Compare what is named."""
        actual = reckoned(played.state)
        players = played.state.config.players
        return compare(
            (f"reckon {players[seat]} {name}", str(number), str(actual[seat][name]))
            for seat, numbers in self.expected.items()
            for name, number in numbers.items()
        )


def read_scores(node: Node, config: Config) -> Sums:
    """Return the expected VP of ``scores``. Raises InvalidFileError."""
    return Sums(SCORES, read_numbers(node, SCORES, SCORE_REASONS, config))


def read_earns(node: Node, config: Config) -> Sums:
    """Return the expected doubloons of ``earns``. Raises InvalidFileError."""
    return Sums(EARNS, read_numbers(node, EARNS, EARN_REASONS, config))


def read_reckoned(node: Node, config: Config) -> Reckoned:
    """Return what ``reckon`` expects of the end. Raises InvalidFileError."""
    return Reckoned(read_numbers(node, "reckon", RECKON_NAMES, config))
