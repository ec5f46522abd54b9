"""The board of a player as a picture, and what all pictures draw: tiles, barrels, circles, coins.

``shapes.svg`` holds the drawings, ``picture.css`` their colors by day and by night; what is the
same for every good is put together here. Each good has a drawing of its own, so that it is known
without its color too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    BUILDING_VP,
    CITY_SPACES,
    FOREST,
    GOODS,
    ISLAND_SPACES,
    LARGE,
    PLACES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.state import OVER
from porto_cli.games.puerto_rico.ui.table_view import PlayerView, TableView
from porto_cli.paper.markup import Picture, fitted, label, named, owned, use

WIDTH = 440
"""How wide a panel is, in units: on the narrowest phone a unit is three quarters of a pixel."""
MARGIN = 12
TILE_WIDTH, TILE_HEIGHT = 44, 50


def colors(place: int) -> tuple[str, str]:
    """Return the ink and the ground of a good, a tile or a building."""
    ink, ground = phrases.style_of(place).split(" on ")
    return ink, ground


def writing(place: int) -> str:
    """Return the class of what is written on a good, a tile or a building: light or dark."""
    ink, _ = colors(place)
    return "lit" if ink == "#ffffff" else "dark"


def tile_name(tile: int) -> str:
    """Return what a tile shows: a forest looks the same whatever lies under it."""
    return PLACES[tile] if tile < FOREST else "forest"


@cache
def definitions() -> str:
    """Return the style and the shapes that all panels use, to be given once in a page."""
    goods = "".join(_barrel(good) for good in range(len(GOODS)))
    tiles = "".join(_tile(tile) for tile in range(FOREST + 1))
    return f"<style>{_data('picture.css')}</style><defs>{_data('shapes.svg')}{goods}{tiles}</defs>"


def _data(name: str) -> str:
    text = (Path(__file__).parent / name).read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _barrel(good: int) -> str:
    """The shape ``barrel-GOOD``, about 22 by 24, its middle at the origin."""
    _, ground = colors(good)
    return (
        f'<g id="barrel-{GOODS[good]}"><path d="M-8-11H8Q13 0 8 11H-8Q-13 0-8-11z" '
        f'fill="{ground}" stroke="#2d180a" stroke-width="1.4" stroke-linejoin="round"/>'
        '<path d="M-9.5-8h19M-9.5 8h19" stroke="#2d180a" stroke-width="1.2" opacity=".6"/>'
        f"{use(GOODS[good], 0, 0, 0.62)}</g>"
    )


def _tile(tile: int) -> str:
    """The shape ``tile-NAME`` with its name, without the circle."""
    _, ground = colors(tile)
    name = tile_name(tile)
    return (
        f'<g id="tile-{name}"><rect width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        f'fill="{ground}" stroke="#2d180a" stroke-opacity=".55"/>{use(name, 15, 18)}'
        f'<text class="mid {writing(tile)}" x="{TILE_WIDTH / 2:g}" y="45" '
        f'font-size="10.500">{name}</text></g>'
    )


def tile(kind: int, x: float, y: float) -> str:
    """Return a tile of the island or of the row, without its circle."""
    return use(f"tile-{tile_name(kind)}", x, y)


def barrel(good: int, x: float, y: float, scale: float = 1) -> str:
    """Return a barrel with its middle at a place."""
    return use(f"barrel-{GOODS[good]}", x, y, scale)


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
    """Return what a panel is drawn on."""
    return (
        f'<rect class="paper" width="{WIDTH}" height="{height}"/><rect class="card" x="1" y="1" '
        f'width="{WIDTH - 2}" height="{height - 2}" rx="12"/>'
    )


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the outline of something as a part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def dotted(outlines: str) -> str:
    """Return the dots around what has changed; nothing for nothing."""
    if not outlines:
        return ""
    return f'<path class="halo" d="{outlines}"/><path class="new" d="{outlines}"/>'


def heading(y: float, text: object) -> str:
    """Return the heading of a part of a panel."""
    return label(MARGIN, y, text, "b", 16)


GOODS_Y = 54
GRID_Y = 114
ROWS, COLUMNS = 4, 3
PITCH = TILE_HEIGHT + 4
HEIGHT = GRID_Y + ROWS * PITCH + 12
_GOODS_PITCH = (WIDTH - 2 * MARGIN) / len(GOODS)
_ISLAND_WIDTH = COLUMNS * (TILE_WIDTH + 4) + 4
_CITY_X = MARGIN + _ISLAND_WIDTH + 10
_CITY_WIDTH = WIDTH - MARGIN - _CITY_X
_BUILDING_PITCH = (_CITY_WIDTH - 4) / COLUMNS
_BUILDING_WIDTH = _BUILDING_PITCH - 4


def board(seen: TableView, seat: int, before: TableView | None = None) -> Picture:
    """Draw what a player has, as far as who looks may see it.

    What is new since ``before`` is dotted.
    """
    player = seen.players[seat]
    pieces = {
        "paper": paper(HEIGHT),
        "turn": _turn() if seat in seen.to_move else "",
        "name": _name(seen, seat),
        "doubloons": _doubloons(player),
        "vp": _vp(player),
    }
    for good, number in enumerate(player.goods):
        what = f"sell load store build {GOODS[good]}"
        pieces[f"goods-{GOODS[good]}"] = owned(seat, named(what, _goods(good, number)))
    pieces["grounds"] = _grounds()
    pieces["spaces"] = _spaces_used(player)
    pieces["san-juan"] = _san_juan(player)
    pieces["island"] = owned(seat, _island(player))
    places = _city_places(player)
    for place in BUILDING_PLACES:
        drawn = _building(place, player, *places[place]) if place in places else ""
        pieces[f"city-{PLACES[place]}"] = owned(seat, named(_used(place), drawn))
    pieces["new"] = dotted(_new(player, before.players[seat])) if before else ""
    return Picture(WIDTH, HEIGHT, pieces)


def _turn() -> str:
    """What shows whose turn it is: the color of the board, and a bar at its side."""
    return (
        f'<rect class="turn" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12"/>'
        f'<path d="M4 14V{HEIGHT - 14}" stroke="#d8140a" stroke-width="5" '
        'stroke-linecap="round"/>'
    )


def _name(seen: TableView, seat: int) -> str:
    """Who it is, and below the name that it is the governor, or the place at the end."""
    player = seen.players[seat]
    note, flag = _note(seen, seat)
    room = 262 - (22 if flag else 0)
    name, size = fitted(player.name, 19, room, 12)
    drawn = badge(seat, MARGIN + 12, 26)
    drawn += label(MARGIN + 30, 24 if note else 31, name, "b", size)
    if flag:
        drawn += use("flag", MARGIN + 38, 36, 0.62)
    if note:
        drawn += label(MARGIN + (48 if flag else 30), 40, note, "soft", 13, width=room)
    return drawn


def _note(seen: TableView, seat: int) -> tuple[Sentence | None, bool]:
    if seen.outcome is not None:
        one = seen.outcome[seat]
        return say("place {place} with {vp} VP", place=one.place, vp=one.total), False
    if seat == seen.governor and seen.phase != OVER:
        return say("governor"), True
    return None, False


def _doubloons(player: PlayerView) -> str:
    tip = phrases.doubloons(player.doubloons)
    drawn = coin(player.doubloons, WIDTH - 104, 22, 1.25)
    caption = label(WIDTH - 104, 48, say("doubloons"), "soft mid", 11.5)
    return f"<g><title>{tip}</title>{drawn}</g>{caption}"


def _vp(player: PlayerView) -> str:
    """The VP chips, face down if they are secret."""
    x, y = WIDTH - 40, 22
    caption = label(x, 48, say("VP chips"), "soft mid", 11.5)
    if player.vp is None:
        drawn, tip = use("chip-down", x, y, 1.35), say("VP chips: secret")
    else:
        drawn, tip = chip(player.vp, x, y, 1.35), say("VP chips: {vp}", vp=player.vp)
    return f"<g><title>{tip}</title>{drawn}</g>{caption}"


def _goods(good: int, number: int) -> str:
    """The barrels of a good that a player has."""
    x = MARGIN + _GOODS_PITCH * good
    drawn = (
        barrel(good, x + 14, GOODS_Y + 17, 1.1)
        + label(x + 30, GOODS_Y + 16, number, "b", 17)
        + label(x + 30, GOODS_Y + 30, GOODS[good], "soft", 12)
    )
    return drawn if number else f'<g class="gone">{drawn}</g>'


def _grounds() -> str:
    height = ROWS * PITCH + 4
    island = "".join(
        _free(*_island_place(nth), TILE_WIDTH, TILE_HEIGHT) for nth in range(ISLAND_SPACES)
    )
    city = "".join(
        _free(*_city_place(nth), _BUILDING_WIDTH, TILE_HEIGHT) for nth in range(CITY_SPACES)
    )
    return (
        f'<rect class="island" x="{MARGIN}" y="{GRID_Y}" width="{_ISLAND_WIDTH}" '
        f'height="{height}" rx="8"/>{island}'
        f'<rect class="city" x="{_CITY_X}" y="{GRID_Y}" width="{_CITY_WIDTH}" '
        f'height="{height}" rx="8"/>{city}'
    )


def _free(x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="free" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5"/>'


def _spaces_used(player: PlayerView) -> str:
    island = say("Island {used}/{spaces}", used=_used_island(player), spaces=ISLAND_SPACES)
    city = say("City {used}/{spaces}", used=CITY_SPACES - player.city_spaces, spaces=CITY_SPACES)
    return label(MARGIN + 2, GRID_Y - 7, island, "b", 14) + label(
        _CITY_X + 2, GRID_Y - 7, city, "b", 14
    )


def _used_island(player: PlayerView) -> int:
    return ISLAND_SPACES - player.island_spaces


def _san_juan(player: PlayerView) -> str:
    """The colonists that wait in San Juan."""
    number = player.san_juan
    if not number:
        return ""
    words = say("San Juan {count}", count=number)
    shown = min(number, 5)
    people = "".join(
        use("person", WIDTH - MARGIN - 8 - 12 * nth, GRID_Y - 12, 0.8) for nth in range(shown)
    )
    return people + label(
        WIDTH - MARGIN - 4 - 12 * shown - 8, GRID_Y - 7, words, "end", 14, width=100
    )


def _island_place(nth: int) -> tuple[float, float]:
    row, column = divmod(nth, COLUMNS)
    return MARGIN + 4 + (TILE_WIDTH + 4) * column, GRID_Y + 4 + PITCH * row


def _city_place(nth: int) -> tuple[float, float]:
    row, column = divmod(nth, COLUMNS)
    return _CITY_X + 4 + _BUILDING_PITCH * column, GRID_Y + 4 + PITCH * row


def _island(player: PlayerView) -> str:
    """All tiles by kind; the occupied ones of a kind come first."""
    parts = []
    nth = 0
    for kind, number in enumerate(player.island):
        for one in range(number):
            x, y = _island_place(nth)
            drawn = tile(kind, x, y)
            if kind < FOREST:
                drawn += circles(one < player.colonists[kind], 1, x + 35, y + 11)
                drawn = named(_used(kind), drawn)
            parts.append(drawn)
            nth += 1
    return "".join(parts)


def _used(place: int) -> str:
    """Return the words of moves that use a tile or a building that a player has."""
    return f"place guest load build {PLACES[place]}"


def _city_places(player: PlayerView) -> dict[int, tuple[float, float, int]]:
    """Return the position and the height of each building.

    Small ones are set from the top left on, large ones from the bottom right.
    """
    owned = buildings_in(player.city)
    found = {}
    taken: set[int] = set()
    for nth, place in enumerate(place for place in owned if BIT[place] & LARGE):
        column, row = COLUMNS - 1 - nth // 2, ROWS - 2 - 2 * (nth % 2)
        space = row * COLUMNS + column
        taken |= {space, space + COLUMNS}
        found[place] = (*_city_place(space), 2 * TILE_HEIGHT + 4)
    free = (space for space in range(CITY_SPACES) if space not in taken)
    for place in owned:
        if not BIT[place] & LARGE:
            found[place] = (*_city_place(next(free)), TILE_HEIGHT)
    return found


def _new(player: PlayerView, before: PlayerView) -> str:
    """Outline what a player has got: doubloons, chips, barrels, tiles, buildings, colonists.

    What was only paid, sold or loaded is not outlined: its number shows it.
    """
    outlines = ""
    if player.doubloons > before.doubloons:
        outlines += frame(WIDTH - 121, 5, 34, 34)
    if (player.vp or 0) > (before.vp or 0):
        outlines += frame(WIDTH - 57, 5, 34, 34)
    for good, number in enumerate(player.goods):
        if number > before.goods[good]:
            outlines += frame(MARGIN + _GOODS_PITCH * good, GOODS_Y + 1, 28, 32)
    nth = 0
    for kind, number in enumerate(player.island):
        for one in range(number):
            came = before.colonists[kind] <= one < player.colonists[kind]
            if one >= before.island[kind] or came:
                outlines += frame(*_island_place(nth), TILE_WIDTH, TILE_HEIGHT)
            nth += 1
    for place, (x, y, height) in _city_places(player).items():
        built = not before.city & BIT[place]
        if built or player.colonists[place] > before.colonists[place]:
            outlines += frame(x, y, _BUILDING_WIDTH, height)
    return outlines


ROOF = 7


def _building(place: int, player: PlayerView, x: float, y: float, height: int) -> str:
    """A building under its roof: name, VP, circles."""
    _, ground = colors(place)
    width = _BUILDING_WIDTH
    occupied, number = player.colonists[place], player.circles[place]
    parts = [
        f"<g><title>{_occupied(place, occupied, number)}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="5" fill="{ground}" '
        'stroke="#2d180a" stroke-opacity=".6"/>'
        f'<path d="M{x:g} {y + ROOF:g}v-2q0-5 5-5h{width - 10:g}q5 0 5 5v2z" fill="url(#roof)" '
        'stroke="#7d3517" stroke-width=".8"/>'
    ]
    for nth, line in enumerate(_lines(PLACES[place], tall=height > TILE_HEIGHT)):
        low = y + 18.5 + 12.5 * nth
        parts.append(label(x + 3, low, line, writing(place), 12, width=width - 4, smallest=9.7))
    if height > TILE_HEIGHT:
        parts.append(use("facade", x + width / 2, y + height / 2 + 11))
    parts.append(chip(BUILDING_VP[place], x + 11, y + height - 9, 0.72))
    parts.append(circles(occupied, number, x + width - 9, y + height - 9))
    return "".join(parts) + "</g>"


def _occupied(place: int, occupied: int, number: int) -> Sentence:
    facts: dict[str, object] = {"building": PLACES[place], "occupied": occupied, "circles": number}
    return say("{building}: {occupied} of {circles} circles occupied", **facts)


def _lines(name: str, *, tall: bool) -> list[str]:
    """Return the words of a name in lines that are about equally long."""
    words = name.split("-")
    if tall or len(words) < 3:
        return words
    return [f"{words[0]} {words[1]}", words[2]]
