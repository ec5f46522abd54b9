"""The houses: drawn as fronts side by side, as two small tables, and in the cells of a mail.

The five colors keep apart for people with protanopia, deuteranopia and tritanopia as well
(tests/porto/test_svg.py measures it), mostly by their lightness: purple and red are dark, blue
and green lie in the middle, yellow is light. Still, wherever a color is shown, its letter or
its pattern is shown too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.games.porto.observation import House, Table
from porto_cli.paper.document import Cell
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, Span, beside, padded, width_of


class Paint(NamedTuple):
    """How a color is shown. Colors are ``#rrggbb``."""

    letter: str
    fill: str
    """The color itself, of a floor or a card."""
    shade: str
    """A darker tone, for every other floor, so that floors can be counted."""
    ink: str
    """What can be read on both of them."""
    pattern: str
    """A character that fills floors; one that is in every encoding follows."""
    ascii_pattern: str

    @property
    def chip(self) -> str:
        """The style of a card, or of another word on the color."""
        return f"bold {self.ink} on {self.fill}"


PAINTS = {
    "blue": Paint("B", "#3675cf", "#2d69bf", "#ffffff", "≈", "~"),
    "green": Paint("G", "#45bf8c", "#3aae7e", "#0c2418", "╱", "/"),
    "purple": Paint("P", "#552a7a", "#4a226c", "#ffffff", "▒", "#"),
    "red": Paint("R", "#c0282d", "#a8201f", "#ffffff", "═", "="),
    "yellow": Paint("Y", "#fbcf35", "#efc022", "#33280a", "·", "."),
}
"""The colors of the game by name."""

# Styles of what has no color of the game.
ROOF = "#c46a36"
"""Fired clay."""
TOKEN = "bold #b8860b"
STREET = FREE = "#8a8f98"
RIVER = "#3f7f9f"
NEW = "bold #ff3b30"
"""What the last turn has changed; the rulebook outlines it with red dots."""
TO_BE_MET = "bold #2e9e5b"
"""A public contract that can be met this turn."""


def chip(card: str, count: int = 1) -> tuple[str, str]:
    """Return a card, a space or a color on its color; ``count`` equal cards are one chip."""
    times = f" ×{count}" if count > 1 else ""
    return f"{card}{times}", PAINTS[card.partition("-")[0]].chip


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


class _Columns(NamedTuple):
    """How many columns the parts of a line take; the last of them is a gap."""

    name: int
    color: int
    floors: int
    token: int
    roof: int


_WIDE, _NARROW = _Columns(3, 8, 7, 6, 5), _Columns(3, 4, 4, 4, 4)


def tables(table: Table, width: int, ascii_only: bool) -> list[Line]:
    """Return both sides, with headings and the names of the colors if there is room for them."""
    columns = _WIDE if width >= _width(_WIDE) else _NARROW
    left, right = (_side(side, columns, ascii_only) for side in table.sides)
    return beside(left, right, sum(columns))


def room_beside(width: int) -> int:
    """Return how many columns are left beside the tables; they end with a gap."""
    return width - 2 * sum(_WIDE)


def _width(columns: _Columns) -> int:
    return 2 * sum(columns) - 1


def _side(side: Sequence[House], columns: _Columns, ascii_only: bool) -> list[Line]:
    lines = [_row(house, columns, ascii_only) for house in side]
    if columns is _NARROW:
        return lines
    heads = (side[0].name[0], say(" color"), say("floors"), say("token"), say("roof"))
    head = [(f"{head!s:{size}}", DIM) for head, size in zip(heads, columns, strict=True)]
    return [head, *lines]


def _row(house: House, columns: _Columns, ascii_only: bool) -> Line:
    cells: list[Span] = [
        (house.name, BOLD),
        _color(house, columns, ascii_only),
        (f"{house.floors}/{house.height}", PLAIN),
        _space(house.ground_token),
        (("^" if ascii_only else "▲"), ROOF) if house.complete else _space(house.roof_token),
    ]
    return [
        span for cell, size in zip(cells, columns, strict=True) for span in padded([cell], size)
    ]


def _color(house: House, columns: _Columns, ascii_only: bool) -> Span:
    if not house.color:
        return " -" if ascii_only else " –", PLAIN
    if columns is _NARROW:
        return f" {PAINTS[house.color].letter} ", PAINTS[house.color].chip
    return f" {house.color} ", PAINTS[house.color].chip


def _space(value: int | None) -> Span:
    return f"({value})" if value else "", TOKEN


_INK, _PAPER, _EMPTY = "#1f1c17", "#ffffff", "#e6e1d6"
"""In a mail: letters, what is around the houses, spaces without a floor."""


def cells(side: Sequence[House]) -> list[list[Cell]]:
    """Draw the houses of a side for a mail, the highest spaces first, each with its name below."""
    top = max(house.height for house in side)
    rows = [[_cell(house, level) for house in side] for level in range(top, -1, -1)]
    return [*rows, [_name(house) for house in side]]


def _name(house: House) -> Cell:
    """Return the text below a house. The letter of its color is there once more, on paper, as
    it may be hard to read on the color.
    """
    built = say("{floors}/{height}", floors=house.floors, height=house.height)
    letter = f"\xa0{PAINTS[house.color].letter}" if house.color else ""
    return Cell([f"{house.name}{letter}", built], _INK, _PAPER, bold=True)


def _cell(house: House, level: int) -> Cell:
    """Draw a space of a house: 0 is the ground floor, its height is the roof."""
    if level > house.height:
        return Cell([""], _INK, _PAPER)
    if level == house.height:
        if house.complete:
            return Cell(["▲"], "#000000", ROOF)
        return Cell([str(house.roof_token or "")], _INK, _PAPER, bold=bool(house.roof_token))
    if level < house.floors and house.color:
        paint = PAINTS[house.color]
        return Cell([paint.letter], paint.ink, paint.shade if level % 2 else paint.fill)
    token = house.ground_token if level == 0 else None
    return Cell([str(token or "·")], _INK, _EMPTY, bold=bool(token))
