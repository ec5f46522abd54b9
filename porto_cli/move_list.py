"""The list of legal moves: by groups, a line for each with what it brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from porto_cli.paper.document import BOLD, PLAIN, Flow, Heading, Node
from porto_cli.term.spans import Line, width_of
from porto_cli.ui_values import MoveRow

_INDENT = 2
_WIDEST = 34
"""Columns of a move up to which what it brings is set in a column of its own."""


def move_nodes(rows: Iterable[MoveRow]) -> Iterator[Node]:
    """Yield moves as a list, those of a group below its heading. Moves of which there is nothing
    to say stand beside each other.
    """
    for heading, group in groupby(rows, key=lambda row: row.group):
        lines = list(group)
        if heading:
            yield Heading(heading)
        blank = " " * _INDENT if heading else ""
        widest = max(width_of(row.move) for row in lines)
        if widest <= _WIDEST and not any(row.note or row.vp for row in lines):
            yield Flow([row.move for row in lines], gap=3, first=[blank], indent=len(blank))
            continue
        for row in lines:
            lead: Line = [(blank, PLAIN) if row.vp is None else (f"{row.vp:3} VP  ", BOLD)]
            indent = width_of(lead)
            if not row.note:
                yield Flow([row.move], first=lead, indent=indent)
                continue
            gap = " " * (max(0, min(widest, _WIDEST) - width_of(row.move)) + 2)
            words = [[(word, style)] for text, style in row.note for word in text.split()]
            yield Flow(words, gap=1, first=[*lead, *row.move, (gap, PLAIN)], indent=indent + 2)
