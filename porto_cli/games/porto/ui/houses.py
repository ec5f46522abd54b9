"""House fronts side by side, as they stand along the river."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.games.porto.table import House
from porto_cli.games.porto.ui.palette import FREE, NEW, PAINTS, RIVER, ROOF, STREET, TOKEN
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, width_of


class Size(NamedTuple):
    """How large a house is drawn."""

    cell: int
    """Columns from one house to the next, an even number: two walls, a gap, the front."""
    floor: int
    """Rows of a floor, 1 or 2. The roof has as many."""

    @property
    def front(self) -> int:
        """Columns between the walls, an odd number."""
        return self.cell - 3


class Glyphs:
    """The characters of a drawing."""

    wall = "│"
    new_wall = "┋"
    free_wall = "·"
    window = "▯"
    door = "▮"
    slope_left = "╱"
    ridge = "▔"
    slope_right = "╲"
    tile_left = "▟"
    tile = "█"
    tile_right = "▙"
    street = "━"
    river = "≈"


class AsciiGlyphs(Glyphs):
    """The same in the alphabet that every terminal has."""

    wall = "|"
    new_wall = ":"
    free_wall = "."
    window = "o"
    door = "n"
    slope_left = "/"
    ridge = " "
    slope_right = "\\"
    tile_left = "/"
    tile = "%"
    tile_right = "\\"
    street = "="
    river = "~"


def glyphs(ascii_only: bool) -> type[Glyphs]:
    """Return the characters to draw with."""
    return AsciiGlyphs if ascii_only else Glyphs


def fronts(houses: tuple[House, ...], size: Size, ascii_only: bool) -> list[Line]:
    """Draw houses side by side, standing on the street, with their names below."""
    drawing = glyphs(ascii_only)
    drawn = [_house(house, size, drawing, ascii_only) for house in houses]
    rows = max(len(house) for house in drawn)
    lines: list[Line] = []
    for row in range(rows):
        line: Line = []
        for house in drawn:
            nth = row - (rows - len(house))
            line += house[nth] if nth >= 0 else [(" " * size.cell, PLAIN)]
        lines.append(line)
    lines.append([(drawing.street * (size.cell * len(houses) - 1), STREET)])
    lines.append([span for house in houses for span in _label(house, size)])
    return lines


def river(width: int, ascii_only: bool) -> Line:
    """Draw the river in front of the houses."""
    wave = glyphs(ascii_only).river
    waves = (wave * 3 + "  " + wave * 2 + " ") * (width // 8 + 1)
    return [(waves[:width], RIVER)]


def _label(house: House, size: Size) -> Line:
    count = f" {house.floors}/{house.height}"
    name: Line = [(house.name, BOLD), (count, DIM)]
    if width_of(name) >= size.cell:
        name = name[:1]
    blank = size.cell - 1 - width_of(name)
    return [(" " * (blank // 2), PLAIN), *name, (" " * (blank - blank // 2 + 1), PLAIN)]


def _house(house: House, size: Size, glyphs: type[Glyphs], ascii_only: bool) -> list[Line]:
    """Draw a house from the roof down."""
    rows = _roof(house, size, glyphs)
    for level in range(house.height, 0, -1):
        if level > house.floors:
            rows += _free(house, level, size, glyphs)
        else:
            rows += _floor(house, level, size, glyphs, ascii_only)
    return rows


def _roof(house: House, size: Size, glyphs: type[Glyphs]) -> list[Line]:
    """A roof, or its free space with the token that may lie there."""
    rows: list[Line] = []
    for row in range(size.floor):
        inset = size.floor - 1 - row
        width = size.cell - 1 - 2 * inset
        if house.complete:
            edge = NEW if house.new_roof else ROOF
            roof: Line = [
                (glyphs.tile_left, edge),
                (glyphs.tile * (width - 2), ROOF),
                (glyphs.tile_right, edge),
            ]
        else:
            lowest = row == size.floor - 1
            token = _token(house.roof_token, width - 2)
            roof = [
                (glyphs.slope_left, FREE),
                (token, NEW if house.new_token else TOKEN)
                if lowest
                else (glyphs.ridge * (width - 2), FREE),
                (glyphs.slope_right, FREE),
            ]
        rows.append([(" " * inset, PLAIN), *roof, (" " * (inset + 1), PLAIN)])
    return rows


def _token(value: int | None, width: int) -> str:
    return (f"({value})" if value else "").center(width)


def _free(house: House, level: int, size: Size, glyphs: type[Glyphs]) -> list[Line]:
    """A free space; the lowest one may have a token."""
    rows: list[Line] = []
    for row in range(size.floor):
        token = house.ground_token if level == 1 and row == size.floor - 1 else None
        rows.append(
            [
                (glyphs.free_wall, FREE),
                (_token(token, size.front), TOKEN),
                (glyphs.free_wall, FREE),
                (" ", PLAIN),
            ]
        )
    return rows


def _floor(
    house: House, level: int, size: Size, glyphs: type[Glyphs], ascii_only: bool
) -> list[Line]:
    """A floor in its color, with the letter of the color and its pattern."""
    paint = PAINTS[house.color or ""]
    pattern = paint.ascii_pattern if ascii_only else paint.pattern
    tone, other = (paint.fill, paint.shade) if level % 2 == 0 else (paint.shade, paint.fill)
    wall_style, pattern_style = f"{paint.ink} on {tone}", f"{other} on {tone}"
    new = level > house.floors - house.new_floors
    wall = (glyphs.new_wall, NEW) if new else (glyphs.wall, wall_style)
    rows: list[Line] = []
    for row in range(size.floor):
        front = [pattern] * size.front
        _furnish(front, paint.letter, glyphs, ground=level == 1, top=row == 0)
        faces = [(mark, pattern_style if mark == pattern else wall_style) for mark in front]
        rows.append([wall, *faces, wall, (" ", PLAIN)])
    return rows


def _furnish(
    front: list[str], letter: str, glyphs: type[Glyphs], *, ground: bool, top: bool
) -> None:
    """Put windows, the letter of the color and, on the ground, a door into a row of a floor."""
    middle = len(front) // 2
    if top:
        for offset in (2, 4):
            if middle > offset or middle == offset == 2:
                front[middle - offset] = front[middle + offset] = glyphs.window
        front[middle] = letter
    if ground:
        front[middle] = glyphs.door
        if top:
            front[middle - 1] = front[middle + 1] = letter
