"""The keys of a position: how each is read, written and found in a state.

A scenario gives some of them and asks for others. Both go through the table :data:`FIELDS`, so
that what can be written down can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.schema import Reader
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
from porto_cli.games.puerto_rico.engine.config import Config
from porto_cli.games.puerto_rico.engine.scoring import reckoning
from porto_cli.games.puerto_rico.engine.state import (
    CITY_END,
    COLONISTS_END,
    NOBODY,
    OVER,
    PHASES,
    VP_END,
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
from porto_cli.scenario.fields import read_by, read_seat
from porto_cli.scenario.positions import Text

MOST_OF_ONE = 40
"""The largest number in a bundle, more than the box has of anything that a bundle counts. The
states of the engine have room for so many in every place, artificial positions included."""
LAST_ROUND = 999

END_REASONS = (COLONISTS_END, CITY_END, VP_END)

Read = Callable[[Node, str, Config, Reader], Any]
"""From a node, which an error calls by the text, to a value. Raises InvalidFileError."""
Write = Callable[[Any, Config], Text]
"""From a value to its canonical text."""
Find = Callable[[State], Any]
"""From a state to the value."""


class Field(NamedTuple):
    """A key of a position. ``find`` is ``None`` where a state does not tell."""

    read: Read
    write: Write
    find: Find | None


# -- reading


def _parsed(parse: Callable[[], Any], node: Node, reader: Reader) -> Any:
    try:
        return parse()
    except InvalidMoveError as error:
        reader.fail(node, error.sentence)


def _number(node: Node, what: str, config: Config, reader: Reader) -> int:
    return reader.number(node, what)


def _word(*choices: str) -> Read:
    return lambda node, what, config, reader: reader.one_of(node, what, choices)


def _bundle_of(among: Names) -> Read:
    def read(node: Node, what: str, config: Config, reader: Reader) -> bytes:
        words = reader.text(node, what).split()
        counts: bytes = _parsed(lambda: parse_bundle(words, among), node, reader)
        for name, number in zip(among.names, counts, strict=True):
            if number > MOST_OF_ONE:
                reader.fail(
                    node,
                    say(
                        "There cannot be {number} of {name}; {most} is the most that can be "
                        "written here.",
                        number=number,
                        name=name,
                        most=MOST_OF_ONE,
                    ),
                )
        return counts

    return read


def _player(node: Node, what: str, config: Config, reader: Reader) -> int:
    return read_seat(reader.text(node, what), node, config, reader)


def _player_or_none(node: Node, what: str, config: Config, reader: Reader) -> int:
    name = reader.text(node, what)
    if name == NONE and NONE not in config.players:
        return NOBODY
    return read_seat(name, node, config, reader)


def _players(node: Node, what: str, config: Config, reader: Reader) -> int:
    """Read a list of players, each once, as a set of seats."""
    seats = 0
    for name, item in reader.texts(node, what):
        bit = 1 << read_seat(name, item, config, reader)
        if seats & bit:
            reader.fail(item, say("{name} stands here a second time.", name=name))
        seats |= bit
    return seats


def _role(name: str, node: Node, config: Config, reader: Reader) -> int:
    role: int = _parsed(lambda: find(name, ROLE_NAMES), node, reader)
    if role not in config.box.roles:
        reader.fail(
            node,
            say(
                "There is no {role} with {players} players.",
                role=ROLES[role],
                players=config.seats,
            ),
        )
    return role


def _house(node: Node, what: str, config: Config, reader: Reader) -> bytes:
    goods: bytes = _read_goods(node, what, config, reader)
    if sum(goods) > HOUSE_SPACES:
        reader.fail(
            node,
            say(
                "The trading house has {spaces} spaces, so that {barrels} barrels do not fit.",
                spaces=HOUSE_SPACES,
                barrels=sum(goods),
            ),
        )
    return goods


def _plantation(name: str, node: Node, config: Config, reader: Reader) -> int:
    plantation: int = _parsed(lambda: find(name, PLANTATION_NAMES), node, reader)
    return plantation


def _building(name: str, node: Node, config: Config, reader: Reader) -> int:
    building: int = _parsed(lambda: find_building(name), node, reader)
    return building


def _ship(name: str, node: Node, config: Config, reader: Reader) -> int:
    spaces = config.box.cargo
    if name in map(str, spaces):
        return spaces.index(int(name))
    reader.fail(
        node,
        say(
            "There is no cargo ship {name!r}; with {players} players the ships have {spaces} "
            "spaces.",
            name=name,
            players=config.seats,
            spaces=", ".join(map(str, spaces)),
        ),
    )


def _kinds(node: Node, what: str, config: Config, reader: Reader) -> int:
    """Read a list of violet kinds, each once, as a set."""
    kinds = 0
    for name, item in reader.texts(node, what):
        building = _building(name, item, config, reader)
        if not VIOLET & BIT[building]:
            reader.fail(
                item,
                say(
                    "{building} is a production building, which is always in the game; {what!r} "
                    "names the violet ones.",
                    building=PLACES[building],
                    what=what,
                ),
            )
        if kinds & BIT[building]:
            reader.fail(item, say("{name} stands here a second time.", name=name))
        kinds |= BIT[building]
    return kinds


_read_buildings = _bundle_of(BUILDING_NAMES)
_read_goods = _bundle_of(GOOD_NAMES)


def _city(node: Node, what: str, config: Config, reader: Reader) -> int:
    """PR-BUILDER-3: a city is a set of buildings."""
    counts = _read_buildings(node, what, config, reader)
    for building, number in zip(BUILDINGS, counts, strict=True):
        if number > 1:
            reader.fail(
                node,
                say(
                    "A city has no building twice, and this one has {number} of {building}.",
                    number=number,
                    building=building.name,
                ),
            )
    return sum(BIT[FIRST_BUILDING + nth] for nth, number in enumerate(counts) if number)


def _load(node: Node, what: str, config: Config, reader: Reader) -> tuple[int, int]:
    """Read what a cargo ship carries: a good and its barrels."""
    goods = _read_goods(node, what, config, reader)
    kinds = [good for good, number in enumerate(goods) if number]
    if not kinds:
        return NO_GOOD, 0
    if len(kinds) > 1:
        reader.fail(
            node,
            say(
                "A cargo ship carries barrels of one kind, not {goods}.",
                goods=" and ".join(GOODS[good] for good in kinds),
            ),
        )
    (good,) = kinds
    if goods[good] > int(what):
        reader.fail(
            node,
            say(
                "The cargo ship has {spaces} spaces, so that {barrels} barrels do not fit.",
                spaces=what,
                barrels=goods[good],
            ),
        )
    return good, goods[good]


def _plantations(node: Node, what: str, config: Config, reader: Reader) -> bytes:
    return bytes(_plantation(name, item, config, reader) for name, item in reader.texts(node, what))


def _end_reasons(node: Node, what: str, config: Config, reader: Reader) -> tuple[str, ...]:
    reasons: list[str] = []
    for _, item in reader.texts(node, what):
        reason = reader.one_of(item, what, END_REASONS)
        if reason in reasons:
            reader.fail(item, say("{name} stands here a second time.", name=reason))
        reasons.append(reason)
    return tuple(reasons)


def _flag(node: Node, what: str, config: Config, reader: Reader) -> bool:
    return reader.flag(node, what)


# -- writing


def _write_number(number: int, config: Config) -> str:
    return str(number)


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


def _write_by(label: Callable[[int, Config], str], write: Callable[[Any, Config], Text]) -> Write:
    def written(found: dict[int, Any], config: Config) -> dict[str, str]:
        return {label(one, config): str(write(value, config)) for one, value in found.items()}

    return written


def _write_reasons(reasons: Iterable[str], config: Config) -> tuple[str, ...]:
    """In the order of the rules, whatever happened first."""
    return tuple(reason for reason in END_REASONS if reason in reasons)


# -- finding


def _find_cargo(state: State) -> dict[int, tuple[int, int]]:
    return dict(enumerate(zip(state.cargo_goods, state.cargo_barrels, strict=True)))


def _find_places(state: State) -> dict[int, int]:
    return {one.seat: one.place for one in reckoning(state)}


# -- the table


def _number_field(find_in: Find) -> Field:
    return Field(_number, _write_number, find_in)


def _bundle_field(among: Names, find_in: Find) -> Field:
    return Field(_bundle_of(among), _write_bundle(among), find_in)


def _players_field(find_in: Find) -> Field:
    return Field(_players, _write_players, find_in)


def _of_players(read: Read, write: Write, attribute: str) -> Field:
    """Return the key of something that each player has."""
    return Field(
        read_by(read_seat, read),
        _write_by(_name_of, write),
        lambda state: {
            seat: getattr(player, attribute) for seat, player in enumerate(state.players)
        },
    )


def _of_roles(read: Read, write: Write, attribute: str) -> Field:
    return Field(
        read_by(_role, read),
        _write_by(lambda role, _: ROLES[role], write),
        lambda state: {role: getattr(state, attribute)[role] for role in state.config.box.roles},
    )


FIELDS: dict[str, Field] = {
    "phase": Field(_word(*PHASES), lambda phase, _: str(phase), lambda state: state.phase),
    "round": Field(
        lambda node, what, config, reader: reader.number(node, what, least=1, most=LAST_ROUND),
        _write_number,
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
    "role-doubloons": _of_roles(_number, _write_number, "role_doubloons"),
    "violet": Field(_kinds, _write_kinds, lambda state: state.violet),
    "tiles": _bundle_field(PLANTATION_NAMES, lambda state: state.row),
    "tile-discards": _bundle_field(PLANTATION_NAMES, lambda state: state.discards),
    "comes-up": Field(_plantations, _write_plantations, None),
    "ship": _number_field(lambda state: state.ship),
    "supply": _number_field(lambda state: state.supply),
    "cargo": Field(
        read_by(_ship, _load),
        _write_by(lambda ship, config: str(config.box.cargo[ship]), _write_load),
        _find_cargo,
    ),
    "trading-house": Field(
        _house, _write_bundle(GOOD_NAMES), lambda state: counts_of(state.trading_house)
    ),
    "doubloons": _of_players(_number, _write_number, "doubloons"),
    "vp": _of_players(_number, _write_number, "vp"),
    "san-juan": _of_players(_number, _write_number, "san_juan"),
    "goods": _of_players(_bundle_of(GOOD_NAMES), _write_bundle(GOOD_NAMES), "goods"),
    "island": _of_players(_bundle_of(TILE_NAMES), _write_bundle(TILE_NAMES), "island"),
    "city": _of_players(_city, _write_city, "city"),
    "colonists": _of_players(_bundle_of(PLACE_NAMES), _write_bundle(PLACE_NAMES), "colonists"),
    "end-triggered": Field(_end_reasons, _write_reasons, lambda state: state.end_triggered),
    "face-down": Field(
        _flag, lambda used, _: "true" if used else "false", lambda state: state.face_down
    ),
    "produced": _bundle_field(GOOD_NAMES, lambda state: state.produced),
    "loaded": _players_field(lambda state: state.loaded),
    "wharf-used": _players_field(lambda state: state.wharf_used),
    "small-wharf-used": _players_field(lambda state: state.small_wharf_used),
    "passes": Field(
        lambda node, what, config, reader: reader.number(node, what, most=config.seats - 1),
        _write_number,
        lambda state: state.passes,
    ),
    "stack": _number_field(lambda state: len(state.stack)),
    "quarries": _number_field(lambda state: state.quarries),
    "vp-pool": _number_field(lambda state: state.vp_pool),
    "goods-supply": _bundle_field(GOOD_NAMES, lambda state: state.goods_supply),
    "copies": Field(
        read_by(_building, _number),
        _write_by(lambda place, _: PLACES[place], _write_number),
        lambda state: {place: state.copies[place] for place in BUILDING_PLACES},
    ),
    "places": Field(read_by(read_seat, _number), _write_by(_name_of, _write_number), _find_places),
}
"""All keys, in the order in which they are written."""

FOLLOWS = ("stack", "quarries", "vp-pool", "goods-supply", "copies", "places")
"""Keys that follow from the others: they can be asked for, not given."""
GIVEN = tuple(key for key in FIELDS if key not in FOLLOWS)
"""Keys of a position."""
ASKED = tuple(key for key, field in FIELDS.items() if field.find)
"""Keys that can be compared with what should be there."""


def value_of(state: State, key: str) -> Text:
    """Return what a state holds under a key of :data:`ASKED`."""
    find_in = FIELDS[key].find
    assert find_in is not None
    return FIELDS[key].write(find_in(state), state.config)


def read_value(key: str, node: Node, config: Config, reader: Reader) -> Text:
    """Return what a file holds under a key, in canonical words. Raises InvalidFileError."""
    return FIELDS[key].write(FIELDS[key].read(node, key, config, reader), config)
