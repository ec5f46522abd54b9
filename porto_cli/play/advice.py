"""Help with a question: the rulings that are about it, in full."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli import rulings
from porto_cli.render.spans import BOLD, DIM, Line, wrapped
from porto_cli.rules.sentence import say

HOUSES = say(
    "In a list of houses, L4 B 2/5 (1) ^(3) is a blue house with 2 of 5 floors, a token of 1 VP on "
    "its ground floor and one of 3 VP on its roof space."
)
KEYS = say(
    "In a menu the arrow keys move, Enter chooses, Esc goes back. A question mark shows the "
    "rules that matter for a question. Ctrl-C leaves at any time: every turn is saved when it is "
    "played."
)


def advice(rules: Iterable[str], width: int) -> list[Line]:
    """Return the rulings of these ids, and how the keys work, set to a width."""
    lines: list[Line] = []
    for rule in rules:
        one = rulings.ruling(rule)
        lines += wrapped(one.title, width, first=[(one.id, BOLD), ("  ", "")], style=BOLD, indent=2)
        lines += _indented(one.text, width)
        if one.note:
            lines += _indented(one.note, width, DIM)
        lines.append([])
    return [*lines, *wrapped(str(KEYS), width), *wrapped(str(HOUSES), width)]


def _indented(text: str, width: int, style: str = "") -> list[Line]:
    return wrapped(text, width, first=[("  ", "")], indent=2, style=style)
