"""Help with a question: in a few sentences, and the rulings that are about it, in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from porto_cli.core import flowing
from porto_cli.installed import lessons_of, ruling
from porto_cli.match.items import IllegalMoveError
from porto_cli.pages import ruling_rows
from porto_cli.paper import Gap, put
from porto_cli.term import BOLD, Line, Screen, wrapped
from porto_cli.term.prompt import Advice, Rules

ANY_QUESTION = (
    "Choose what to do next; only a move changes the game. Every finished turn is saved, and Undo "
    "takes it back."
)


def labeled(texts: Mapping[str, str], width: int) -> list[Line]:
    """Return texts, each behind its label, set to a width."""
    return [
        line
        for label, text in texts.items()
        for line in wrapped(flowing(text), width, first=[(f"{label}  ", BOLD)], indent=2)
    ]


def advice(
    rules: Rules,
    width: int,
    questions: Mapping[str, str] = MappingProxyType({}),
    more: Sequence[Line] = (),
) -> tuple[list[Line], list[Line]]:
    """Return the help with a question, set to a width: what it is about, in the sentences of its
    kind (``questions``) or its own; and what else there is to know (``more``), with the rulings
    behind it.
    """
    kinds = [flowing(questions[rule]) for rule in rules if rule in questions]
    own = [rule for rule in rules if " " in rule]
    about = [*kinds[:1], *own] or [ANY_QUESTION]
    brief = [line for text in about for line in wrapped(text, width, indent=2 * (len(own) > 1))]
    return brief, [*([*more, []] if more else ()), *rulings(rules, width)]


def rulings(rules: Rules, width: int) -> list[Line]:
    """Return the rulings among what helps with a question, set to a width."""
    ids = (rule for rule in dict.fromkeys(rules) if " " not in rule and not rule.islower())
    rows = (node for one in map(ruling, ids) for node in (*ruling_rows(one), Gap()))
    return put(rows, Screen(width))


def explained(error: IllegalMoveError, screen: Screen) -> list[Line]:
    """Return which rules a move breaks, and what these rules are, set to a screen."""
    width, faults = screen.width, error.violations
    lines = [line for one in faults for line in wrapped(str(one), width, style=BOLD)]
    return [*lines, [], *rulings([one.rule for one in faults], width)]


def advice_of(game: str, hints: str | None = None) -> Advice:
    """Return the help with the questions of a game; ``hints`` says where there are any, and is None
    where there is no table yet.
    """

    def help_with(rules: Rules, width: int) -> tuple[list[Line], list[Line]]:
        taught = lessons_of(game)
        signs = labeled(taught.get("signs", {}), width)
        more = [] if hints is None else [*wrapped(hints, width), [], *signs]
        return advice(rules, width, taught.get("questions", {}), more)

    return help_with
