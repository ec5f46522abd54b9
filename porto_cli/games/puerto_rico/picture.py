"""The table as pictures: the roles and plantations, the harbor, the board of each player, and the
buildings that are left.

``shapes.svg`` holds the drawings, ``picture.css`` their colors by day and by night; what is the
same for every good is put together here. Each good has a drawing of its own, so it is known
without its color too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from porto_cli.core.message import plural
from porto_cli.games.puerto_rico.engine.components import (
    BUILDINGS,
    CITY_SPACES,
    FIRST_BUILDING,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    PLACES,
    VIOLET_KINDS,
    Building,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    GUIDE,
    OVER,
    PRIVILEGE_PHASE,
)
from porto_cli.games.puerto_rico.phrases import STYLES
from porto_cli.paper.markup import Picture, dotted, fitted, label, named, owned, use
from porto_cli.paper.page import shapes_in

View = dict[str, Any]

WIDTH = 440
"""How wide a picture is, in units: on the narrowest phone a unit is three quarters of a pixel."""
MARGIN = 12
TILE_WIDTH, TILE_HEIGHT = 44, 50
_BUILDING = {building.name: building for building in BUILDINGS}


def pictures(seen: View, before: View | None = None) -> list[Picture]:
    """Draw a table, in the order in which it is read. What is new since ``before`` is dotted."""
    boards = [board(seen, seat, before) for seat in range(len(seen["players"]))]
    return [roles(seen), harbor(seen, before), *boards, market(seen)]


# -- The shapes, and what several pictures draw


@cache
def shapes() -> str:
    """Return the style and the shapes that the pictures use."""
    tiles = dict.fromkeys(map(_shown, PLACES[: FOREST + 1]))
    return shapes_in(Path(__file__).parent, *map(_barrel, GOODS), *map(_tile, tiles))


def _colors(name: str) -> tuple[str, str]:
    """Return the ink and the ground of a good, a tile or a building."""
    ink, _, ground = STYLES[name].partition(" on ")
    return ink, ground


def _writing(name: str) -> str:
    """Return the class of what is written on a good, a tile or a building: light or dark."""
    return "lit" if _colors(name)[0] == "#ffffff" else "dark"


def _shown(tile: str) -> str:
    """Return what a tile shows: a forest looks the same whatever lies under it."""
    return tile.partition("-")[0]


def _barrel(good: str) -> str:
    """The shape ``barrel-GOOD``, about 22 by 24, its middle at the origin."""
    return (
        f'<g id="barrel-{good}"><path d="M-8-11H8Q13 0 8 11H-8Q-13 0-8-11z" '
        f'fill="{_colors(good)[1]}" stroke="#2d180a" stroke-width="1.4" stroke-linejoin="round"/>'
        '<path d="M-9.5-8h19M-9.5 8h19" stroke="#2d180a" stroke-width="1.2" opacity=".6"/>'
        f"{use(good, 0, 0, 0.62)}</g>"
    )


def _tile(name: str) -> str:
    """The shape ``tile-NAME`` with its name, without the circle."""
    return (
        f'<g id="tile-{name}"><rect width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        f'fill="{_colors(name)[1]}" stroke="#2d180a" stroke-opacity=".55"/>{use(name, 15, 18)}'
        f'<text class="mid {_writing(name)}" x="{TILE_WIDTH / 2:g}" y="45" '
        f'font-size="10.500">{name}</text></g>'
    )


def tile(kind: str, x: float, y: float) -> str:
    """Return a tile of the island or face up on the table, without its circle."""
    return use(f"tile-{_shown(kind)}", x, y)


def barrel(good: str, x: float, y: float, scale: float = 1) -> str:
    """Return a barrel with its middle at a place."""
    return use(f"barrel-{good}", x, y, scale)


def circles(occupied: int, number: int, x: float, y: float) -> str:
    """Return circles from right to left, the occupied ones at the left."""
    return "".join(
        use("manned" if nth < occupied else "ring", x - 14 * (number - 1 - nth), y)
        for nth in range(number)
    )


def coin(number: object, x: float, y: float, scale: float = 1) -> str:
    """Return a doubloon with a number on it."""
    return use("coin", x, y, scale) + label(x, y + 5 * scale, number, "b mid dark", 14 * scale)


def chip(number: object, x: float, y: float, scale: float = 1) -> str:
    """Return a VP chip with a number on it."""
    return use("chip", x, y, scale) + label(
        x, y + 5 * scale, number, "b mid dark", 15 * scale, width=16 * scale
    )


def badge(seat: int, x: float, y: float) -> str:
    """Return the mark of a player: the number of the seat on its color."""
    return (
        f'<circle class="player-{seat}" cx="{x:g}" cy="{y:g}" r="10"/>'
        f'<circle class="card" cx="{x:g}" cy="{y:g}" r="7.500" stroke="none"/>'
        + label(x, y + 4.5, seat + 1, "b mid", 12)
    )


def paper(height: int) -> str:
    """Return what a picture is drawn on."""
    return (
        f'<rect class="paper" width="{WIDTH}" height="{height}"/><rect class="card" x="1" y="1" '
        f'width="{WIDTH - 2}" height="{height - 2}" rx="12"/>'
    )


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the outline of something as a part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def heading(y: float, text: object) -> str:
    """Return the heading of a part of a picture."""
    return label(MARGIN, y, text, "b", 16)


def _free(x: float, y: float, width: float = TILE_WIDTH, height: float = TILE_HEIGHT) -> str:
    return f'<rect class="free" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5"/>'


# -- The role cards, and the plantations to be had

CARDS_Y = 34
CARD_HEIGHT = 58
ACROSS = 3
"""Cards beside each other."""
GAP = 8
_PITCH = 47
_QUARRIES_X = MARGIN + 6 * _PITCH + 12
_STACK_X = _QUARRIES_X + _PITCH + 16


def roles(seen: View) -> Picture:
    """Draw the role cards and the plantations."""
    rows = -(-len(seen["roles"]) // ACROSS)
    tiles_y = CARDS_Y + rows * (CARD_HEIGHT + GAP) + 28
    height = tiles_y + TILE_HEIGHT + 16
    pieces = {
        "paper": paper(height)
        + heading(CARDS_Y - 12, "Roles")
        + heading(tiles_y - 12, "Plantations"),
    }
    width = (WIDTH - 2 * MARGIN - GAP * (ACROSS - 1)) / ACROSS
    for nth, role in enumerate(seen["roles"]):
        x = MARGIN + (width + GAP) * (nth % ACROSS)
        y = CARDS_Y + (CARD_HEIGHT + GAP) * (nth // ACROSS)
        pieces[f"role-{role}"] = named(f"role {role}", _card(seen, role, x, y, width))
    pieces["row"] = _row(seen, tiles_y)
    quarry = tile("quarry", _QUARRIES_X, tiles_y)
    pieces["quarries"] = named("take quarry", _pile(quarry, seen["quarries"], _QUARRIES_X, tiles_y))
    back = (
        f'<rect x="{_STACK_X}" y="{tiles_y:g}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        'fill="url(#tile-back)" stroke="#1d3a26"/>'
    )
    pieces["stack"] = named("take face-down", _pile(back, seen["stack"], _STACK_X, tiles_y))
    words = f"{seen['stack']} face down"
    if seen["tile_discards"]:
        words += f", {sum(seen['tile_discards'].values())} discarded"
    pieces["discards"] = label(WIDTH - MARGIN, tiles_y - 12, words, "soft end", 13, width=250)
    return Picture(WIDTH, height, pieces, "Roles and plantations")


def _card(seen: View, role: str, x: float, y: float, width: float) -> str:
    """A role card: free with its doubloons, or who has taken it in this round."""
    taker, doubloons = seen["roles"][role]["taken"], seen["roles"][role]["doubloons"]
    now = role == seen["role"]
    back = (
        f'<rect class="{"now" if now else "card"}" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{CARD_HEIGHT}" rx="8"/>'
    )
    face = use(role.partition("-")[0], x + 20, y + 19) + label(
        x + 38, y + 24, role.replace("-", " "), "b", 15, width=width - 42, smallest=11
    )
    if taker is None:
        return back + face + (_doubloons_on(doubloons, x, y, width) if doubloons else "")
    if not now:
        face = f'<g class="gone">{face}</g>'
    name = label(x + 38, y + 47, taker, "", 14, width=width - 44, smallest=11)
    seat = [player["name"] for player in seen["players"]].index(taker)
    return back + face + badge(seat, x + 20, y + 43) + name


def _doubloons_on(number: int, x: float, y: float, width: float) -> str:
    lie = min(number, 3)
    coins = "".join(use("coin", x + 20 + 7 * nth, y + 43, 0.8) for nth in range(lie))
    return coins + label(x + 36 + 7 * (lie - 1), y + 48, f"+{number}", "b", 15, width=width - 60)


def _row(seen: View, y: float) -> str:
    """The face-up plantations, and a free space where one was taken."""
    tiles = [kind for kind, number in seen["tiles"].items() for _ in range(number)]
    spaces = len(seen["players"]) + 1
    return "".join(
        named(f"take {kind}", tile(kind, MARGIN + _PITCH * nth, y))
        for nth, kind in enumerate(tiles)
    ) + "".join(_free(MARGIN + _PITCH * nth, y) for nth in range(len(tiles), spaces))


def _pile(top: str, number: int, x: float, y: float) -> str:
    """A pile of tiles with their number on it; a free space where none is left."""
    if not number:
        return _free(x, y)
    under = (
        f'<rect class="card" x="{x + 3:g}" y="{y - 3:g}" width="{TILE_WIDTH}" '
        f'height="{TILE_HEIGHT}" rx="5"/>'
        if number > 1
        else ""
    )
    mark = (
        f'<rect class="card" x="{x + 22:g}" y="{y + 5:g}" width="26" height="20" rx="6"/>'
        + label(x + 35, y + 20, number, "b mid", 14)
    )
    return under + top + mark


# -- The harbor: ships in their berths, the trading house, the supplies

BERTH_WIDTH, BERTH_HEIGHT = 208, 112
SPACE = 20
"""The side of a space for a barrel."""
SHORE = 30
"""Where the water begins."""
QUAY_Y = SHORE + 2 * BERTH_HEIGHT + 4
QUAY_HEIGHT = 150
_HOUSE_X, _HOUSE_WIDTH = MARGIN, 160
_ARCH = _HOUSE_WIDTH / HOUSE_SPACES
_SUPPLY_X = 186


def harbor(seen: View, before: View | None = None) -> Picture:
    """Draw the ships in their berths, and the quay; what is new since ``before`` is dotted."""
    height = QUAY_Y + QUAY_HEIGHT
    ships = list(seen["cargo"].items())
    pieces = {"backdrop": _backdrop(height)}
    for nth in range(3):
        there = ships[nth : nth + 1]
        pieces[f"ship-{nth}"] = "".join(_cargo(int(one), ship, *_berth(nth)) for one, ship in there)
    pieces["colonist-ship"] = _colonist_ship(seen["ship"], *_berth(3))
    pieces["palms"] = "" if len(ships) > 2 else _islet(*_berth(2))
    pieces["house"] = _trading_house(seen["trading_house"], QUAY_Y + 16)
    for nth, good in enumerate(GOODS):
        drawn = _goods_left(nth, good, seen["goods_supply"].get(good, 0), QUAY_Y + 16)
        is_choice = seen["phase"] == PRIVILEGE_PHASE
        pieces[f"supply-{good}"] = named(f"take {good}", drawn) if is_choice else drawn
    y = QUAY_Y + 116
    pieces["colonists"] = use("person", _SUPPLY_X + 18, y - 2, 1.2) + _left(
        seen["supply"], "colonists left", _SUPPLY_X + 34, y
    )
    pieces["vp"] = chip("", _SUPPLY_X + 142, y - 2) + _left(
        seen["vp_pool"], "VP left", _SUPPLY_X + 160, y
    )
    pieces["new"] = dotted(_new_in_the_harbor(seen, before)) if before else ""
    name = "Cargo ships, colonist ship, trading house and supplies"
    return Picture(WIDTH, height, pieces, name)


def _left(number: int, words: str, x: float, y: float) -> str:
    return label(x, y + 1, number, "b", 17) + label(
        x, y + 16, words, "soft", 12, width=min(100, WIDTH - x - 6)
    )


def _new_in_the_harbor(seen: View, before: View) -> str:
    """Outline the barrels that were loaded or sold."""
    outlines = ""
    for nth, (spaces, ship) in enumerate(seen["cargo"].items()):
        x, y = _deck(*_berth(nth), int(spaces) * SPACE)
        barrels, old = _barrels(ship), _barrels(before["cargo"][spaces])
        if barrels > old:
            outlines += frame(x + SPACE * old, y, SPACE * (barrels - old), SPACE + 4)
    for nth in range(len(before["trading_house"]), len(seen["trading_house"])):
        outlines += frame(_HOUSE_X + _ARCH * nth + 3, QUAY_Y + 66, _ARCH - 6, 50)
    return outlines


def _barrels(ship: View | None) -> int:
    return ship["barrels"] if ship else 0


def _deck(left: float, top: float, length: float) -> tuple[float, float]:
    """Return where the deck of a ship of this length begins in its berth."""
    return left + (BERTH_WIDTH - length) / 2 - 2, top + 62


def _berth(nth: int) -> tuple[float, float]:
    """Return where a berth begins: two beside each other, two below."""
    return 8 + (BERTH_WIDTH + 8) * (nth % 2), SHORE + BERTH_HEIGHT * (nth // 2)


def _backdrop(height: int) -> str:
    waves = "".join(
        f"M{x} {y}q5-5 10 0t10 0"
        for row, y in enumerate(range(SHORE + 24, QUAY_Y - 10, 26))
        for x in range(12 + row % 2 * 52, WIDTH - 24, 104)
    )
    return (
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
        f'<rect fill="url(#dawn)" width="{WIDTH}" height="{SHORE}"/>'
        f'<path class="hill" d="M0 {SHORE}V18Q60 2 120 16T250 14T380 8T{WIDTH} 16V{SHORE}z"/>'
        f'<rect class="water" y="{SHORE}" width="{WIDTH}" height="{QUAY_Y - SHORE}"/>'
        f'<path class="wave" d="{waves}"/>'
        f'<rect class="quay" y="{QUAY_Y}" width="{WIDTH}" height="{QUAY_HEIGHT}"/>'
        f'<rect class="edge" y="{QUAY_Y}" width="{WIDTH}" height="6"/>'
    )


def _hull(x: float, y: float, length: float) -> str:
    """A ship of a length on deck: mast, hull, sail."""
    return (
        f'<path class="mast" d="M{x + length / 2:g} {y - 52:g}V{y:g}"/>'
        f'<path class="hull" d="M{x - 14:g} {y - 6:g}L{x:g} {y - 3:g}H{x + length:g}'
        f"L{x + length + 18:g} {y - 10:g}Q{x + length + 14:g} {y + 20:g} "
        f'{x + length - 6:g} {y + 29:g}H{x + 8:g}Q{x - 10:g} {y + 24:g} {x - 14:g} {y - 6:g}z"/>'
        + use("sail", x + length / 2, y - 8)
    )


def _hold(x: float, y: float, width: float) -> str:
    return (
        f'<rect class="hold" x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" '
        f'height="{SPACE + 2}" rx="3"/>'
    )


def _cargo(spaces: int, ship: View | None, left: float, top: float) -> str:
    """A cargo ship; its sail shows how many spaces it has."""
    length = spaces * SPACE
    x, y = _deck(left, top, length)
    middle = x + length / 2
    tip = words = "empty"
    if ship:
        tip = f"{ship['good']} {ship['barrels']}"
        full = ship["barrels"] == spaces
        words = f"{ship['good']}: full" if full else f"{tip} of {spaces}"
    parts = [
        f"<g><title>cargo ship of {spaces}: {tip}</title>",
        _hull(x, y, length),
        label(middle + 1, y - 26, spaces, "b mid dark", 20),
    ]
    for nth in range(spaces):
        parts.append(_hold(x + SPACE * nth, y, SPACE))
        if ship and nth < ship["barrels"]:
            parts.append(barrel(ship["good"], x + SPACE * (nth + 0.5), y + 12, 0.8))
    parts.append(label(middle, y + 44, words, "b lit mid", 14) + "</g>")
    return named(f"load {spaces}", "".join(parts))


def _colonist_ship(number: int, left: float, top: float) -> str:
    length = 116.0
    x, y = _deck(left, top, length)
    middle = x + length / 2
    pitch = min(16.0, (length - 16) / max(number - 1, 1))
    start = middle - pitch * (number - 1) / 2
    people = "".join(use("person", start + pitch * nth, y + 12) for nth in range(number))
    words = f"{plural(number, 'colonist')} on the ship"
    return (
        _hull(x, y, length)
        + use("person", middle + 1, y - 33)
        + _hold(x, y, length)
        + people
        + label(middle, y + 44, words, "b lit mid", 14)
    )


def _islet(left: float, top: float) -> str:
    """What lies where two players have no third cargo ship."""
    x, y = left + BERTH_WIDTH / 2, top + 82
    return (
        f'<ellipse class="quay" cx="{x:g}" cy="{y:g}" rx="58" ry="13"/>'
        + use("palm", x - 14, y)
        + use("palm", x + 16, y + 4, 0.7)
    )


def _trading_house(held: list[str], y: float) -> str:
    """Four arches, a barrel in each that is sold."""
    x, width = _HOUSE_X, _HOUSE_WIDTH
    free = HOUSE_SPACES - len(held)
    parts = [
        f'<rect class="wall" x="{x}" y="{y + 18}" width="{width}" height="104"/>'
        f'<path d="M{x - 6} {y + 20}L{x + 8} {y}H{x + width - 8}L{x + width + 6} {y + 20}z" '
        'fill="url(#roof)" stroke="#7d3517"/>',
        label(x + width / 2, y + 40, "Trading house", "b mid", 15),
    ]
    for nth in range(HOUSE_SPACES):
        left = x + _ARCH * nth + 5
        parts.append(
            f'<path class="arch" d="M{left:g} {y + 98}V{y + 66}a{(_ARCH - 10) / 2:g} 17 0 0 1 '
            f'{_ARCH - 10:g} 0V{y + 98}z"/>'
        )
        if nth < len(held):
            parts.append(barrel(held[nth], left + (_ARCH - 10) / 2, y + 80, 1.15))
    words = f"room for {free}" if free else "full"
    return "".join(parts) + label(x + width / 2, y + 115, words, "soft mid", 13)


def _goods_left(nth: int, good: str, number: int, y: float) -> str:
    """The barrels of a good in the supply."""
    pitch = (WIDTH - MARGIN - _SUPPLY_X) / len(GOODS)
    middle = _SUPPLY_X + pitch * (nth + 0.5)
    drawn = barrel(good, middle, y + 14, 1.15) + label(middle, y + 48, number, "b mid", 17)
    name = label(middle, y + 64, good, "mid", 12, width=pitch - 1)
    return _if(number > 0, drawn) + name


def _if(there: bool, drawn: str) -> str:
    """Return something as it is, or pale if it is not there."""
    return drawn if there else f'<g class="gone">{drawn}</g>'


# -- The board of a player

GOODS_Y = 54
GRID_Y = 114
ROWS, COLUMNS = 4, 3
PITCH = TILE_HEIGHT + 4
HEIGHT = GRID_Y + ROWS * PITCH + 12
ROOF = 7
_GOODS_PITCH = (WIDTH - 2 * MARGIN) / len(GOODS)
_ISLAND_WIDTH = COLUMNS * (TILE_WIDTH + 4) + 4
_CITY_X = MARGIN + _ISLAND_WIDTH + 10
_CITY_WIDTH = WIDTH - MARGIN - _CITY_X
_BUILDING_PITCH = (_CITY_WIDTH - 4) / COLUMNS
_BUILDING_WIDTH = _BUILDING_PITCH - 4


def board(seen: View, seat: int, before: View | None = None) -> Picture:
    """Draw what a player has; what is new since ``before`` is dotted."""
    player = seen["players"][seat]
    pieces = {
        "paper": paper(HEIGHT),
        "turn": _turn() if player["name"] in seen["to_move"] else "",
        "name": _name(seen, seat),
        "doubloons": _doubloons(player["doubloons"]),
        "vp": _vp(player["vp"]),
    }
    for nth, good in enumerate(GOODS):
        drawn = _goods(nth, good, player["goods"].get(good, 0))
        pieces[f"goods-{good}"] = owned(seat, named(f"sell load store build {good}", drawn))
    pieces["grounds"] = _grounds()
    pieces["spaces"] = _spaces_used(player)
    pieces["san-juan"] = _san_juan(player["san_juan"])
    pieces["island"] = owned(seat, _island(player))
    places = _city_places(player["city"])
    for name in PLACES[FIRST_BUILDING:]:
        drawn = _building(name, player, *places[name]) if name in places else ""
        pieces[f"city-{name}"] = owned(seat, named(_used(name), drawn))
    pieces["new"] = dotted(_new(player, before["players"][seat])) if before else ""
    return Picture(WIDTH, HEIGHT, pieces, f"Island and city of {player['name']}")


def _turn() -> str:
    """What shows whose turn it is: the color of the board, and a bar at its side."""
    return (
        f'<rect class="turn" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12"/>'
        f'<path d="M4 14V{HEIGHT - 14}" stroke="#d8140a" stroke-width="5" '
        'stroke-linecap="round"/>'
    )


def _name(seen: View, seat: int) -> str:
    """Who it is, and below the name that it is the governor, or the place at the end."""
    name = seen["players"][seat]["name"]
    note, flag = "", False
    if seen["phase"] == OVER:
        score = seen["result"][name]
        note = f"place {score['place']} with {score['total']} VP"
    elif name == seen["governor"]:
        note, flag = "governor", True
    room = 262 - (22 if flag else 0)
    shown, size = fitted(name, 19, room, 12)
    drawn = badge(seat, MARGIN + 12, 26)
    drawn += label(MARGIN + 30, 24 if note else 31, shown, "b", size)
    if flag:
        drawn += use("flag", MARGIN + 38, 36, 0.62)
    if note:
        drawn += label(MARGIN + (48 if flag else 30), 40, note, "soft", 13, width=room)
    return drawn


def _doubloons(number: int) -> str:
    drawn = coin(number, WIDTH - 104, 22, 1.25)
    caption = label(WIDTH - 104, 48, "doubloons", "soft mid", 11.5)
    return f"<g><title>{plural(number, 'doubloon')}</title>{drawn}</g>{caption}"


def _vp(vp: int | None) -> str:
    """The VP chips, face down if they are secret."""
    x, y = WIDTH - 40, 22
    drawn = use("chip-down", x, y, 1.35) if vp is None else chip(vp, x, y, 1.35)
    tip = f"<title>VP chips: {'secret' if vp is None else vp}</title>"
    return f"<g>{tip}{drawn}</g>" + label(x, 48, "VP chips", "soft mid", 11.5)


def _goods(nth: int, good: str, number: int) -> str:
    """The barrels of a good that a player has."""
    x = MARGIN + _GOODS_PITCH * nth
    drawn = (
        barrel(good, x + 14, GOODS_Y + 17, 1.1)
        + label(x + 30, GOODS_Y + 16, number, "b", 17)
        + label(x + 30, GOODS_Y + 30, good, "soft", 12)
    )
    return _if(number > 0, drawn)


def _grounds() -> str:
    height = ROWS * PITCH + 4
    island = "".join(_free(*_island_place(nth)) for nth in range(ISLAND_SPACES))
    city = "".join(
        _free(*_city_place(nth), _BUILDING_WIDTH, TILE_HEIGHT) for nth in range(CITY_SPACES)
    )
    return (
        f'<rect class="island" x="{MARGIN}" y="{GRID_Y}" width="{_ISLAND_WIDTH}" '
        f'height="{height}" rx="8"/>{island}'
        f'<rect class="city" x="{_CITY_X}" y="{GRID_Y}" width="{_CITY_WIDTH}" '
        f'height="{height}" rx="8"/>{city}'
    )


def _spaces_used(player: View) -> str:
    island = f"Island {ISLAND_SPACES - player['island_spaces']}/{ISLAND_SPACES}"
    city = f"City {CITY_SPACES - player['city_spaces']}/{CITY_SPACES}"
    return label(MARGIN + 2, GRID_Y - 7, island, "b", 14) + label(
        _CITY_X + 2, GRID_Y - 7, city, "b", 14
    )


def _san_juan(number: int) -> str:
    """The colonists that wait in San Juan."""
    if not number:
        return ""
    shown = min(number, 5)
    people = "".join(
        use("person", WIDTH - MARGIN - 8 - 12 * nth, GRID_Y - 12, 0.8) for nth in range(shown)
    )
    x = WIDTH - MARGIN - 4 - 12 * shown - 8
    return people + label(x, GRID_Y - 7, f"San Juan {number}", "end", 14, width=100)


def _island_place(nth: int) -> tuple[float, float]:
    row, column = divmod(nth, COLUMNS)
    return MARGIN + 4 + (TILE_WIDTH + 4) * column, GRID_Y + 4 + PITCH * row


def _city_place(nth: int) -> tuple[float, float]:
    row, column = divmod(nth, COLUMNS)
    return _CITY_X + 4 + _BUILDING_PITCH * column, GRID_Y + 4 + PITCH * row


def _tiles(player: View) -> Iterator[tuple[str, int, int]]:
    """Yield the tiles of an island by kind, those of each numbered, and how many of them are
    occupied: these come first.
    """
    for kind, there in player["island"].items():
        for one in range(there["tiles"]):
            yield kind, one, there["colonists"]


def _island(player: View) -> str:
    parts = []
    for nth, (kind, one, occupied) in enumerate(_tiles(player)):
        x, y = _island_place(nth)
        drawn = tile(kind, x, y)
        if _shown(kind) != "forest":
            drawn = named(_used(kind), drawn + circles(one < occupied, 1, x + 35, y + 11))
        parts.append(drawn)
    return "".join(parts)


def _used(name: str) -> str:
    """Return the words of moves that use a tile or a building that a player has."""
    return f"place guest load build {name}"


def _city_places(city: View) -> dict[str, tuple[float, float, int]]:
    """Return the position and the height of each building.

    Small ones are set from the top left on, large ones from the bottom right.
    """
    found = {}
    taken: set[int] = set()
    for nth, name in enumerate(name for name in city if _BUILDING[name].spaces > 1):
        column, row = COLUMNS - 1 - nth // 2, ROWS - 2 - 2 * (nth % 2)
        space = row * COLUMNS + column
        taken |= {space, space + COLUMNS}
        found[name] = (*_city_place(space), 2 * TILE_HEIGHT + 4)
    free = (space for space in range(CITY_SPACES) if space not in taken)
    for name in city:
        if name not in found:
            found[name] = (*_city_place(next(free)), TILE_HEIGHT)
    return found


def _new(player: View, before: View) -> str:
    """Outline what a player has got: doubloons, chips, barrels, tiles, buildings, colonists.

    What was only paid, sold or loaded is not outlined: its number shows it.
    """
    outlines = ""
    if player["doubloons"] > before["doubloons"]:
        outlines += frame(WIDTH - 121, 5, 34, 34)
    if (player["vp"] or 0) > (before["vp"] or 0):
        outlines += frame(WIDTH - 57, 5, 34, 34)
    for nth, good in enumerate(GOODS):
        if player["goods"].get(good, 0) > before["goods"].get(good, 0):
            outlines += frame(MARGIN + _GOODS_PITCH * nth, GOODS_Y + 1, 28, 32)
    none = {"tiles": 0, "colonists": 0}
    for nth, (kind, one, occupied) in enumerate(_tiles(player)):
        old = before["island"].get(kind, none)
        if one >= old["tiles"] or old["colonists"] <= one < occupied:
            outlines += frame(*_island_place(nth), TILE_WIDTH, TILE_HEIGHT)
    for name, (x, y, height) in _city_places(player["city"]).items():
        if player["city"][name] > before["city"].get(name, -1):
            outlines += frame(x, y, _BUILDING_WIDTH, height)
    return outlines


def _building(name: str, player: View, x: float, y: float, height: int) -> str:
    """A building under its roof: name, VP, circles."""
    width = _BUILDING_WIDTH
    occupied, number = player["city"][name], player["circles"].get(name, 0)
    parts = [
        f"<g><title>{name}: {occupied} of {number} circles occupied</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="5" '
        f'fill="{_colors(name)[1]}" stroke="#2d180a" stroke-opacity=".6"/>'
        f'<path d="M{x:g} {y + ROOF:g}v-2q0-5 5-5h{width - 10:g}q5 0 5 5v2z" fill="url(#roof)" '
        'stroke="#7d3517" stroke-width=".8"/>'
    ]
    tall = height > TILE_HEIGHT
    for nth, line in enumerate(_lines(name, tall=tall)):
        low = y + 18.5 + 12.5 * nth
        parts.append(label(x + 3, low, line, _writing(name), 12, width=width - 4, smallest=9.7))
    if tall:
        parts.append(use("facade", x + width / 2, y + height / 2 + 11))
    parts.append(chip(_BUILDING[name].vp, x + 11, y + height - 9, 0.72))
    parts.append(circles(occupied, number, x + width - 9, y + height - 9))
    return "".join(parts) + "</g>"


def _lines(name: str, *, tall: bool) -> list[str]:
    """Return the words of a name in lines that are about equally long."""
    words = name.split("-")
    if tall or len(words) < 3:
        return words
    return [f"{words[0]} {words[1]}", words[2]]


# -- The buildings that are left, by the columns of the board; in the draft, those chosen

TOP = 34
ROW = 26
COLUMN_HEAD = 26
_COLUMN_WIDTH = (WIDTH - 2 * MARGIN - 12) / 2
_PLATE = _COLUMN_WIDTH - 72
"""How wide the name of a building can be."""


def market(seen: View) -> Picture:
    """Draw the list of buildings: two columns of the board beside each other, two below."""
    columns = {number: _kinds(seen, number) for number in (1, 2, 3, 4)}
    upper = max(len(columns[1]), len(columns[2])) * ROW + COLUMN_HEAD
    lower = max(len(columns[3]), len(columns[4])) * ROW + COLUMN_HEAD
    height = TOP + upper + lower + 14
    pieces = {"paper": paper(height), "heading": _heading(seen)}
    for number, kinds in columns.items():
        x = MARGIN + (_COLUMN_WIDTH + 12) * ((number - 1) % 2)
        y = TOP + upper * ((number - 1) // 2)
        pieces[f"column-{number}"] = _column_head(seen, number, x, y)
        for building in BUILDINGS:
            if building.column != number:
                continue
            name, kind, cost, left = building.name, "", "", ""
            if building in kinds:
                at = y + COLUMN_HEAD + ROW * kinds.index(building)
                there = _is_there(seen, building)
                kind = _if(there, _kind(building, x, at))
                cost = _if(there, _cost(seen, building, x, at))
                left = _if(there, _copies(seen, building, x + _COLUMN_WIDTH, at))
            pieces[f"kind-{name}"] = named(f"build choose {name}", kind)
            pieces[f"cost-{name}"] = cost
            pieces[f"left-{name}"] = left
    return Picture(WIDTH, height, pieces, "Buildings that are left")


def _kinds(seen: View, column: int) -> list[Building]:
    """Return the kinds of a column that are in the game, or can be, the cheapest first."""
    kinds = [
        building
        for building in BUILDINGS
        if building.column == column
        and (_in_draft(seen, building) or not building.violet or building.name in seen["violet"])
    ]
    return sorted(kinds, key=lambda building: building.cost)


def _in_draft(seen: View, building: Building) -> bool:
    return seen["phase"] == DRAFT_PHASE and building.violet


def _is_there(seen: View, building: Building) -> bool:
    """Return whether a player can still have a building of this kind."""
    if _in_draft(seen, building):
        return building.name in (*seen["violet"], *seen["draft"])
    return building.name in seen["buildings"]


def _heading(seen: View) -> str:
    if seen["phase"] == DRAFT_PHASE:
        note = f"{len(seen['violet'])} of {VIOLET_KINDS} chosen for the game"
    elif seen["phase"] == BUILDER_PHASE:
        note = f"What {seen['to_move'][0]} pays now"
    else:
        note = "Cost, VP, copies left"
    return heading(TOP - 12, "Buildings") + label(
        WIDTH - MARGIN, TOP - 12, note, "soft end", 13, width=300
    )


def _column_head(seen: View, number: int, x: float, y: float) -> str:
    """How many quarries count, by the column or by the VP (PR-BUILDER-2, PR-GUIDE-3)."""
    words = "Up to 1 quarry" if number == 1 else f"Up to {number} quarries"
    if seen["options"]["rulebook"] == GUIDE:
        words = f"Column {number}: quarries up to the VP"
    return label(x, y + 17, words, "soft", 12.5, width=_COLUMN_WIDTH) + (
        f'<path class="line" d="M{x:g} {y + 22:g}h{_COLUMN_WIDTH:g}"/>'
    )


def _kind(building: Building, x: float, y: float) -> str:
    """A kind of building with its VP."""
    name, shown = building.name, building.name.replace("-", " ")
    return (
        f'<rect x="{x + 25:g}" y="{y + 2:g}" width="{_PLATE:g}" height="22" rx="4" '
        f'fill="{_colors(name)[1]}" stroke="#2d180a" stroke-opacity=".4"/>'
        + label(x + 31, y + 17.5, shown, _writing(name), 13.5, width=_PLATE - 10, smallest=10)
        + chip(building.vp, x + _PLATE + 36, y + 13, 0.8)
    )


def _cost(seen: View, building: Building, x: float, y: float) -> str:
    """What it costs; who is to build sees what is to be paid, and whether it can be."""
    cost = seen["prices"].get(building.name, building.cost)
    drawn = coin(cost, x + 11, y + 13, 0.9)
    if seen["phase"] != BUILDER_PHASE or building.name not in seen["buildings"]:
        return drawn
    buyer = next(player for player in seen["players"] if player["name"] in seen["to_move"])
    has_room = building.spaces <= buyer["city_spaces"]
    if cost > buyer["doubloons"] or building.name in buyer["city"] or not has_room:
        return drawn
    return drawn + (
        f'<rect class="can" x="{x + 24:g}" y="{y + 1:g}" width="{_PLATE + 2:g}" height="24" '
        'rx="5"/>'
    )


def _copies(seen: View, building: Building, right: float, y: float) -> str:
    """The copies left; in the draft, whether the kind is chosen."""
    if not _in_draft(seen, building):
        copies = seen["buildings"].get(building.name, 0)
        return label(right, y + 18, f"×{copies}", "b end", 14)
    if building.name not in seen["violet"]:
        return ""
    return f'<path class="can" d="M{right - 18:g} {y + 13:g}l5 5l9-12"/>'
