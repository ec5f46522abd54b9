"""Help with a question: the rulings that are about it, in full."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.core.message import Sentence
from porto_cli.rulings import ruling
from porto_cli.term.prompt import Advice
from porto_cli.term.spans import BOLD, DIM, Line, wrapped
from porto_cli.ui import ui_of


def advice(
    rules: Iterable[str],
    width: int,
    legend: Sentence | None = None,
    hints: Sentence | None = None,
) -> list[Line]:
    """Return the rulings of these ids, where there are hints, and a legend, set to a width."""
    lines: list[Line] = []
    for rule in rules:
        one = ruling(rule)
        lines += wrapped(one.title, width, first=[(one.id, BOLD), ("  ", "")], style=BOLD, indent=2)
        lines += _indented(one.text, width)
        if one.note:
            lines += _indented(one.note, width, DIM)
        lines.append([])
    for sentence in (hints, legend):
        lines += wrapped(str(sentence), width) if sentence else []
    return lines


def _indented(text: str, width: int, style: str = "") -> list[Line]:
    return wrapped(text, width, first=[("  ", "")], indent=2, style=style)


def advice_of(game: str, hints: Sentence | None = None) -> Advice:
    """Return the help with the questions of a game; ``hints`` says where there are any."""
    return lambda rules, width: advice(rules, width, ui_of(game).legend, hints)
