"""The table as pictures: the roles and plantations, the harbor, the board of each player, and the
buildings that are left.

``shapes.svg`` holds the drawings, ``picture.css`` their colors by day and by night; what is the
same for every good is put together here. Each good has a drawing of its own, so it is known
without its color too.

A picture is laid out in constants, each above the first function that uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import Any

from porto_cli.core import plural
from porto_cli.games.puerto_rico.engine import (
    BUILDINGS,
    CITY_SPACES,
    FIRST_BUILDING,
    FOREST,
    GOODS,
    GUIDE,
    HOUSE_SPACES,
    PLACES,
    VIOLET_KINDS,
    Building,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    OVER,
    PRIVILEGE_PHASE,
)
from porto_cli.games.puerto_rico.phrases import STYLES
from porto_cli.games.puerto_rico.shown import BOARDS, can_build, used
from porto_cli.paper.html import (
    Picture,
    box,
    dotted,
    frame,
    group,
    label,
    named,
    on_turn,
    owned,
    pale,
    path,
    titled,
    use,
)
from porto_cli.paper.page import shapes_in

View = dict[str, Any]

WIDTH = 440
"""How wide a picture is, in units: on the narrowest phone a unit is three quarters of a pixel."""
MARGIN = 12
TILE = TILE_WIDTH, TILE_HEIGHT = 44, 50
Place = tuple[float, float]
Area = tuple[float, float, float, float]
"""Left, top, width and height."""
_BUILDING = {building.name: building for building in BUILDINGS}
_LINED = "#2d180a"
"""What lines tiles, barrels and buildings."""


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


def _plate(name: str, area: Area, edge: float, corner: int = 5) -> str:
    """Return the ground of a tile or a building; ``edge`` is how clear its outline is."""
    colors: dict[str, Any] = {"fill": _colors(name)[1], "stroke": _LINED, "stroke_opacity": edge}
    return box(None, *area, corner, **colors)


def _shown(tile: str) -> str:
    """Return what a tile shows: a forest looks the same whatever lies under it."""
    return tile.partition("-")[0]


def _barrel(good: str) -> str:
    """The shape ``barrel-GOOD``, about 22 by 24, its middle at the origin."""
    body = {"fill": _colors(good)[1], "stroke": _LINED, "stroke_width": 1.4}
    return group(
        path(None, "M-8-11H8Q13 0 8 11H-8Q-13 0-8-11z", stroke_linejoin="round", **body)
        + path(None, "M-9.5-8h19M-9.5 8h19", stroke=_LINED, stroke_width=1.2, opacity=0.6)
        + use(good, 0, 0, 0.62),
        id=f"barrel-{good}",
    )


def _tile(name: str) -> str:
    """The shape ``tile-NAME`` with its name, without the circle."""
    return group(
        _plate(name, (0, 0, *TILE), 0.55)
        + use(name, 15, 18)
        + label(TILE_WIDTH / 2, 45, name, f"mid {_writing(name)}", 10.5),
        id=f"tile-{name}",
    )


def tile(kind: str, x: float, y: float) -> str:
    """Return a tile of the island or face up on the table, without its circle."""
    return use(f"tile-{_shown(kind)}", x, y)


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
    return box("paper", 0, 0, WIDTH, height) + box("card", 1, 1, WIDTH - 2, height - 2, 12)


def heading(y: float, text: object, note: str = "", room: float = 250) -> str:
    """Return the heading of a part of a picture, and a note at the right of it."""
    noted = label(WIDTH - MARGIN, y, note, "soft end", 13, width=room) if note else ""
    return label(MARGIN, y, text, "b", 16) + noted


def _free(x: float, y: float, width: float = TILE_WIDTH) -> str:
    return box("free", x, y, width, TILE_HEIGHT, 5)


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
    words = f"{seen['stack']} face down"
    if seen["tile_discards"]:
        words += f", {sum(seen['tile_discards'].values())} discarded"
    pieces = {"paper": paper(height) + heading(CARDS_Y - 12, "Roles")}
    width = (WIDTH - 2 * MARGIN - GAP * (ACROSS - 1)) / ACROSS
    for nth, role in enumerate(seen["roles"]):
        x = MARGIN + (width + GAP) * (nth % ACROSS)
        y = CARDS_Y + (CARD_HEIGHT + GAP) * (nth // ACROSS)
        pieces[f"role-{role}"] = named(f"role {role}", _card(seen, role, x, y, width))
    pieces["row"] = _row(seen, tiles_y)
    back: dict[str, Any] = {"fill": "url(#tile-back)", "stroke": "#1d3a26"}
    for name, move, x, top in (
        ("quarries", "take quarry", _QUARRIES_X, tile("quarry", _QUARRIES_X, tiles_y)),
        ("stack", "take face-down", _STACK_X, box(None, _STACK_X, tiles_y, *TILE, 5, **back)),
    ):
        pieces[name] = named(move, _pile(top, seen[name], x, tiles_y))
    pieces["plantations"] = heading(tiles_y - 12, "Plantations", words)
    return Picture(WIDTH, height, pieces, "Roles and plantations")


def _card(seen: View, role: str, x: float, y: float, width: float) -> str:
    """A role card: free with its doubloons, or who has taken it in this round."""
    taker, doubloons = seen["roles"][role]["taken"], seen["roles"][role]["doubloons"]
    now = role == seen["role"]
    back = box("now" if now else "card", x, y, width, CARD_HEIGHT, 8)
    face = use(role.partition("-")[0], x + 20, y + 19) + label(
        x + 38, y + 24, role.replace("-", " "), "b", 15, width=width - 42, smallest=11
    )
    if taker is None:
        return back + face + (_doubloons_on(doubloons, x, y, width) if doubloons else "")
    seat = [player["name"] for player in seen["players"]].index(taker)
    name = label(x + 38, y + 47, taker, "", 14, width=width - 44, smallest=11)
    return back + pale(face, there=now) + badge(seat, x + 20, y + 43) + name


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
    under = box("card", x + 3, y - 3, *TILE, 5) if number > 1 else ""
    count = box("card", x + 22, y + 5, 26, 20, 6) + label(x + 35, y + 20, number, "b mid", 14)
    return under + top + count


# -- The harbor: ships in their berths, the trading house, the supplies

HARBOR_HEIGHT = 408
BERTHS = ((110, 92), (326, 92), (110, 204), (326, 204))
"""The middle of the deck of each ship."""
SPACE = 20
"""The side of a space for a barrel."""
STALLS_Y = 274
"""Where the trading house and the supplies begin."""
ARCHES = (32, 72, 112, 152)
"""The middle of each arch of the trading house."""
SUPPLY_X, SUPPLY_PITCH = 186, 48.4


def harbor(seen: View, before: View | None = None) -> Picture:
    """Draw the ships in their berths, and the quay; what is new since ``before`` is dotted."""
    ships = list(seen["cargo"].items())
    pieces = {"backdrop": use("bay", 0, 0)}
    for nth in range(3):
        pieces[f"ship-{nth}"] = _cargo(nth, *ships[nth]) if nth < len(ships) else ""
    pieces["colonist-ship"] = _colonist_ship(seen["ship"], *BERTHS[3])
    # Two players have no third cargo ship.
    pieces["palms"] = "" if len(ships) > 2 else use("islet", 112, 224)
    pieces["house"] = _trading_house(seen["trading_house"])
    for nth, good in enumerate(GOODS):
        number, middle = seen["goods_supply"].get(good, 0), SUPPLY_X + SUPPLY_PITCH * (nth + 0.5)
        drawn = pale(
            use(f"barrel-{good}", middle, STALLS_Y + 14, 1.15)
            + label(middle, STALLS_Y + 48, number, "b mid", 17),
            there=number > 0,
        ) + label(middle, STALLS_Y + 64, good, "mid", 12, width=SUPPLY_PITCH - 1)
        is_choice = seen["phase"] == PRIVILEGE_PHASE
        pieces[f"supply-{good}"] = named(f"take {good}", drawn) if is_choice else drawn
    y = STALLS_Y + 98
    people, vp = use("person", SUPPLY_X + 18, y, 1.2), chip("", SUPPLY_X + 142, y)
    for name, sign, x, number, words, width in (
        ("colonists", people, SUPPLY_X + 34, seen["supply"], "colonists left", 100),
        ("vp", vp, SUPPLY_X + 160, seen["vp_pool"], "VP left", 88),
    ):
        left = label(x, y + 3, number, "b", 17)
        pieces[name] = sign + left + label(x, y + 18, words, "soft", 12, width=width)
    pieces["new"] = dotted("".join(starmap(frame, _loaded(seen, before)))) if before else ""
    name = "Cargo ships, colonist ship, trading house and supplies"
    return Picture(WIDTH, HARBOR_HEIGHT, pieces, name)


def _loaded(seen: View, before: View) -> Iterator[Area]:
    """Yield where the barrels lie that were loaded or sold."""
    for (middle, y), (spaces, ship) in zip(BERTHS, seen["cargo"].items(), strict=False):
        barrels, old = (one["barrels"] if one else 0 for one in (ship, before["cargo"][spaces]))
        if barrels > old:
            yield middle + SPACE * (old - int(spaces) / 2), y, SPACE * (barrels - old), SPACE + 4
    held = [*before["trading_house"]]
    # They are sorted, so the new one need not be the last one.
    for middle, good in zip(ARCHES, seen["trading_house"], strict=False):
        if good in held:
            held.remove(good)
        else:
            yield middle - 17, STALLS_Y + 50, 34, 50


def _ship(middle: float, y: float, length: float, words: str) -> str:
    """A ship of a length on deck: mast, hull, sail; and words below it."""
    x, bow = middle - length / 2, middle + length / 2
    hull = (
        f"M{x - 14:g} {y - 6:g}L{x:g} {y - 3:g}H{bow:g}L{bow + 18:g} {y - 10:g}"
        f"Q{bow + 14:g} {y + 20:g} {bow - 6:g} {y + 29:g}H{x + 8:g}"
        f"Q{x - 10:g} {y + 24:g} {x - 14:g} {y - 6:g}z"
    )
    return (
        path("mast", f"M{middle:g} {y - 52:g}V{y:g}")
        + path("hull", hull)
        + use("sail", middle, y - 8)
        + label(middle, y + 44, words, "b lit mid", 14)
    )


def _hold(x: float, y: float, width: float) -> str:
    return box("hold", x + 1, y + 1, width - 2, SPACE + 2, 3)


def _cargo(nth: int, name: str, ship: View | None) -> str:
    """A cargo ship; its sail shows how many spaces it has, which is its name."""
    (middle, y), spaces = BERTHS[nth], int(name)
    x = middle - spaces * SPACE / 2
    tip = words = "empty"
    barrels = 0
    if ship:
        barrels = ship["barrels"]
        tip = f"{ship['good']} {barrels}"
        words = f"{ship['good']}: full" if barrels == spaces else f"{tip} of {spaces}"
    drawn = _ship(middle, y, spaces * SPACE, words) + label(
        middle + 1, y - 26, spaces, "b mid dark", 20
    )
    for space in range(spaces):
        drawn += _hold(x + SPACE * space, y, SPACE)
        if ship and space < barrels:
            drawn += use(f"barrel-{ship['good']}", x + SPACE * (space + 0.5), y + 12, 0.8)
    return named(f"load {spaces}", titled(f"{spaces}-space cargo ship: {tip}", drawn))


def _colonist_ship(number: int, middle: float, y: float) -> str:
    length = 116
    pitch = min(16.0, (length - 16) / max(number - 1, 1))
    start = middle - pitch * (number - 1) / 2
    return (
        _ship(middle, y, length, f"{plural(number, 'colonist')} on the ship")
        + use("person", middle + 1, y - 33)
        + _hold(middle - length / 2, y, length)
        + "".join(use("person", start + pitch * nth, y + 12) for nth in range(number))
    )


def _trading_house(held: list[str]) -> str:
    """Four arches, a barrel in each that is sold."""
    free = HOUSE_SPACES - len(held)
    return "".join(
        use(f"barrel-{held[n]}", ARCHES[n], STALLS_Y + 80, 1.15) for n in range(len(held))
    ) + label(92, STALLS_Y + 115, f"room for {free}" if free else "full", "soft mid", 13)


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
_ROWS = [GRID_Y + 4 + PITCH * row for row in range(ROWS)]
ISLAND = [(MARGIN + 4 + (TILE_WIDTH + 4) * nth, y) for y in _ROWS for nth in range(COLUMNS)]
CITY = [(_CITY_X + 4 + _BUILDING_PITCH * nth, y) for y in _ROWS for nth in range(COLUMNS)]
"""Where each space begins."""


def board(seen: View, seat: int, before: View | None = None) -> Picture:
    """Draw what a player has; what is new since ``before`` is dotted."""
    player = seen["players"][seat]
    is_to_move = player["name"] in seen["to_move"]
    pieces = {
        "paper": paper(HEIGHT),
        "turn": on_turn(1, 1, WIDTH - 2, HEIGHT - 2, 12) if is_to_move else "",
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
    city = _city(player["city"])
    for name in PLACES[FIRST_BUILDING:]:
        drawn = _building(name, player, city[name]) if name in city else ""
        pieces[f"city-{name}"] = owned(seat, named(_used(name), drawn))
    new = _new(player, before["players"][seat]) if before else ()
    pieces["new"] = dotted("".join(starmap(frame, new)))
    return Picture(WIDTH, HEIGHT, pieces, f"Island and city of {player['name']}")


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
    drawn = badge(seat, MARGIN + 12, 26)
    drawn += label(MARGIN + 30, 24 if note else 31, name, "b", 19, width=room, smallest=12)
    if flag:
        drawn += use("flag", MARGIN + 38, 36, 0.62)
    if note:
        drawn += label(MARGIN + (48 if flag else 30), 40, note, "soft", 13, width=room)
    return drawn


def _doubloons(number: int) -> str:
    x = WIDTH - 104
    drawn = titled(plural(number, "doubloon"), coin(number, x, 22, 1.25))
    return drawn + label(x, 48, "doubloons", "soft mid", 11.5)


def _vp(vp: int | None) -> str:
    """The VP chips, face down if they are secret."""
    x, y = WIDTH - 40, 22
    drawn = use("chip-down", x, y, 1.35) if vp is None else chip(vp, x, y, 1.35)
    tip = f"VP chips: {'secret' if vp is None else vp}"
    return titled(tip, drawn) + label(x, 48, "VP chips", "soft mid", 11.5)


def _goods(nth: int, good: str, number: int) -> str:
    """The barrels of a good that a player has."""
    x = MARGIN + _GOODS_PITCH * nth
    drawn = (
        use(f"barrel-{good}", x + 14, GOODS_Y + 17, 1.1)
        + label(x + 30, GOODS_Y + 16, number, "b", 17)
        + label(x + 30, GOODS_Y + 30, good, "soft", 12)
    )
    return pale(drawn, there=number > 0)


def _grounds() -> str:
    height = ROWS * PITCH + 4
    return (
        box("island", MARGIN, GRID_Y, _ISLAND_WIDTH, height, 8)
        + "".join(_free(*place) for place in ISLAND)
        + box("city", _CITY_X, GRID_Y, _CITY_WIDTH, height, 8)
        + "".join(_free(*place, _BUILDING_WIDTH) for place in CITY)
    )


def _spaces_used(player: View) -> str:
    return "".join(
        label(x + 2, GRID_Y - 7, f"{where.capitalize()} {used(player, where)}", "b", 14)
        for x, where in zip((MARGIN, _CITY_X), BOARDS, strict=True)
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


def _tiles(player: View) -> Iterator[tuple[str, int, int]]:
    """Yield the tiles of an island by kind, those of each numbered, and how many of them are
    occupied: these come first.
    """
    for kind, there in player["island"].items():
        for one in range(there["tiles"]):
            yield kind, one, there["colonists"]


def _island(player: View) -> str:
    parts = []
    for (x, y), (kind, one, occupied) in zip(ISLAND, _tiles(player), strict=False):
        drawn = tile(kind, x, y)
        if _shown(kind) != "forest":
            drawn = named(_used(kind), drawn + circles(one < occupied, 1, x + 35, y + 11))
        parts.append(drawn)
    return "".join(parts)


def _used(name: str) -> str:
    """Return the words of moves that use a tile or a building that a player has."""
    return f"place guest load build {name}"


def _city(city: View) -> dict[str, Area]:
    """Return where each building is.

    Small ones are set from the top left on, large ones from the bottom right.
    """
    large = [name for name in city if _BUILDING[name].spaces > 1]
    corners = [COLUMNS * (ROWS - 2 - 2 * (n % 2)) + COLUMNS - 1 - n // 2 for n in range(len(large))]
    taken = {*corners, *(corner + COLUMNS for corner in corners)}
    free = (space for space in range(CITY_SPACES) if space not in taken)
    spaces = dict(zip(large, corners, strict=True))
    return {
        name: (*CITY[spaces[name]], _BUILDING_WIDTH, TILE_HEIGHT + PITCH)
        if name in spaces
        else (*CITY[next(free)], _BUILDING_WIDTH, TILE_HEIGHT)
        for name in city
    }


def _new(player: View, before: View) -> Iterator[Area]:
    """Yield where there is what a player has got: doubloons, chips, barrels, tiles, buildings,
    colonists.

    What was only paid, sold or loaded is not outlined: its number shows it.
    """
    if player["doubloons"] > before["doubloons"]:
        yield WIDTH - 121, 5, 34, 34
    if (player["vp"] or 0) > (before["vp"] or 0):
        yield WIDTH - 57, 5, 34, 34
    for nth, good in enumerate(GOODS):
        if player["goods"].get(good, 0) > before["goods"].get(good, 0):
            yield MARGIN + _GOODS_PITCH * nth - 2, GOODS_Y + 1, 29, 32
    none = {"tiles": 0, "colonists": 0}
    for place, (kind, one, occupied) in zip(ISLAND, _tiles(player), strict=False):
        old = before["island"].get(kind, none)
        if one >= old["tiles"] or old["colonists"] <= one < occupied:
            # Between the tiles, so that names stay whole.
            yield place[0] - 2, place[1] - 2, TILE_WIDTH + 4, TILE_HEIGHT + 4
    for name, area in _city(player["city"]).items():
        if player["city"][name] > before["city"].get(name, -1):
            yield area


def _building(name: str, player: View, area: Area) -> str:
    """A building under its roof: name, VP, circles."""
    x, y, width, height = area
    low, tall = y + height - 9, height > TILE_HEIGHT
    occupied, number = player["city"][name], player["circles"].get(name, 0)
    roof = f"M{x:g} {y + ROOF:g}v-2q0-5 5-5h{width - 10:g}q5 0 5 5v2z"
    parts = [
        _plate(name, area, 0.6),
        path(None, roof, fill="url(#roof)", stroke="#7d3517", stroke_width=0.8),
    ]
    words = name.split("-")
    if len(words) > 2 and not tall:
        words = [f"{words[0]} {words[1]}", words[2]]
    for nth, line in enumerate(words):
        at, style = y + 18.5 + 12.5 * nth, _writing(name)
        parts.append(label(x + 3, at, line, style, 12, width=width - 4, smallest=9.7))
    if tall:
        parts.append(use("facade", x + width / 2, y + height / 2 + 11))
    parts.append(chip(_BUILDING[name].vp, x + 11, low, 0.72))
    parts.append(circles(occupied, number, x + width - 9, low))
    tip = f"{name}: {occupied} of {number} circles occupied" if number else name
    return titled(tip, "".join(parts))


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
    if seen["phase"] == DRAFT_PHASE:
        note = f"{len(seen['violet'])} of {VIOLET_KINDS} chosen for the game"
    elif seen["phase"] == BUILDER_PHASE:
        note = f"What {seen['to_move'][0]} pays now"
    else:
        note = "Cost, VP, copies left"
    pieces = {"paper": paper(height), "heading": heading(TOP - 12, "Buildings", note, 300)}
    for number, kinds in columns.items():
        x = MARGIN + (_COLUMN_WIDTH + 12) * ((number - 1) % 2)
        y = TOP + upper * ((number - 1) // 2)
        pieces[f"column-{number}"] = _column_head(seen, number, x, y)
        for building in (one for one in BUILDINGS if one.column == number):
            name, drawn = building.name, ("", "", "")
            if building in kinds:
                drawn = _line(seen, building, x, y + COLUMN_HEAD + ROW * kinds.index(building))
            pieces[f"kind-{name}"] = named(f"build choose {name}", drawn[0])
            pieces[f"cost-{name}"], pieces[f"left-{name}"] = drawn[1:]
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


def _column_head(seen: View, number: int, x: float, y: float) -> str:
    """How many quarries count, by the column or by the VP (PR-BUILDER-2, PR-GUIDE-3)."""
    words = "Up to 1 quarry" if number == 1 else f"Up to {number} quarries"
    if seen["options"]["rulebook"] == GUIDE:
        words = f"Column {number}: quarries up to the VP"
    line = path("line", f"M{x:g} {y + 22:g}h{_COLUMN_WIDTH:g}")
    return label(x, y + 17, words, "soft", 12.5, width=_COLUMN_WIDTH) + line


def _line(seen: View, building: Building, x: float, y: float) -> tuple[str, str, str]:
    """A kind of building with its VP; its cost; its copies left, or whether it is chosen in the
    draft. All is pale if no player can have it anymore.
    """
    name, right = building.name, x + _COLUMN_WIDTH
    words, width = name.replace("-", " "), _PLATE - 10
    kind = (
        _plate(name, (x + 25, y + 2, _PLATE, 22), 0.4, 4)
        + label(x + 31, y + 17.5, words, _writing(name), 13.5, width=width, smallest=10)
        + chip(building.vp, x + _PLATE + 36, y + 13, 0.8)
    )
    cost = coin(seen["prices"].get(name, building.cost), x + 11, y + 13, 0.9)
    if can_build(seen, building.name):
        cost += box("can", x + 24, y + 1, _PLATE + 2, 24, 5)
    there = name in seen["buildings"]
    left = label(right, y + 18, f"×{seen['buildings'].get(name, 0)}", "b end", 14)
    if _in_draft(seen, building):
        chosen = name in seen["violet"]
        there = chosen or name in seen["draft"]
        left = path("can", f"M{right - 18:g} {y + 13:g}l5 5l9-12") if chosen else ""
    return pale(kind, there=there), pale(cost, there=there), pale(left, there=there)
