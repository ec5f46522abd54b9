"""The houses as two tables beside each other: a side each, a line for each house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.games.porto.table import House, Table
from porto_cli.games.porto.ui.labels import chip
from porto_cli.games.porto.ui.palette import PAINTS, ROOF, TOKEN
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, Span, beside, padded


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
    lines = [_house(house, columns, ascii_only) for house in side]
    if columns is _NARROW:
        return lines
    heads = (side[0].name[0], say(" color"), say("floors"), say("token"), say("roof"))
    head = [(f"{head!s:{size}}", DIM) for head, size in zip(heads, columns, strict=True)]
    return [head, *lines]


def _house(house: House, columns: _Columns, ascii_only: bool) -> Line:
    cells: list[Span] = [
        (house.name, BOLD),
        _color(house, columns, ascii_only),
        (f"{house.floors}/{house.height}", PLAIN),
        _token(house.ground_token),
        (("^" if ascii_only else "▲"), ROOF) if house.complete else _token(house.roof_token),
    ]
    return [
        span for cell, size in zip(cells, columns, strict=True) for span in padded([cell], size)
    ]


def _color(house: House, columns: _Columns, ascii_only: bool) -> Span:
    if not house.color:
        return " -" if ascii_only else " –", PLAIN
    if columns is _NARROW:
        return f" {PAINTS[house.color].letter} ", PAINTS[house.color].chip
    return chip(house.color)


def _token(value: int | None) -> Span:
    return f"({value})" if value else "", TOKEN
