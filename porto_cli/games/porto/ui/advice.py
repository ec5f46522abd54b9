"""Help with a question: the rulings that are about it, in full."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.message import say
from porto_cli.rulings import ruling
from porto_cli.term.spans import BOLD, DIM, Line, wrapped

HOUSES = say(
    "In the tables of houses, 2/5 are 2 of 5 floors, (3) is a token of 3 VP, on the ground floor "
    "space or on the roof space, and ▲ a roof. In front of a public contract, ● says that it can "
    "be met this turn, ○ that it could be later, × that it no longer can."
)
KEYS = say(
    "In a menu the arrow keys move and Enter chooses; a digit chooses at once. Esc goes back. "
    "Where you search, type some words, in any order: L7 R4 finds L7 token R4. A question mark "
    "shows the rules that matter for a question. Ctrl-C leaves at any time: every turn is saved "
    "when it is played."
)


def advice(rules: Iterable[str], width: int) -> list[Line]:
    """Return the rulings of these ids, and how the keys work, set to a width."""
    lines: list[Line] = []
    for rule in rules:
        one = ruling(rule)
        lines += wrapped(one.title, width, first=[(one.id, BOLD), ("  ", "")], style=BOLD, indent=2)
        lines += _indented(one.text, width)
        if one.note:
            lines += _indented(one.note, width, DIM)
        lines.append([])
    return [*lines, *wrapped(str(KEYS), width), *wrapped(str(HOUSES), width)]


def _indented(text: str, width: int, style: str = "") -> list[Line]:
    return wrapped(text, width, first=[("  ", "")], indent=2, style=style)
