"""Somebody who answers the questions of Puerto Rico."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from porto_cli.asking import ask, entries
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.options import options
from porto_cli.term import plain
from porto_cli.term.prompt import CancelledError, Choice, Sheet
from porto_cli.words import groups
from tests.porto.asking import BACK, Scripted


class Answers(Scripted):
    """An asker with answers; to a form one is the numbers of the rows."""

    def distribute(self, question: str, sheet: Sheet, *, rules: Iterable[str] = ()) -> list[int]:
        labels = [f"{plain(share.label)} {share.number}/{share.most}" for share in sheet.shares]
        answer = self._answer(question, labels, rules)
        if answer is BACK:
            raise CancelledError
        numbers = [share.number for share in sheet.shares] if answer is None else answer
        self.seen.append(str(sheet.standing(list(numbers))))
        wrong = sheet.fault(list(numbers))
        assert wrong is None, str(wrong)
        return list(numbers)


def asked(state: State, *answers: object) -> str:
    """Return the move of a player who gives these answers; no answer may be left."""
    asker = Answers(*answers)
    (move,) = ask(asker, options(state, asking=True))
    assert not asker.answers, asker.answers
    return move


def answers(state: State) -> Sequence[Choice[Any]]:
    """Return what can be answered to the question of a phase without typing it."""
    found, nth = options(state, asking=True), 0
    while len(groups(found, nth)) == 1 and len(found) > 1:
        nth += 1
    return [one for one in entries(groups(found, nth), nth) if not (one.hidden and one.moves)]


def offered(state: State) -> list[str]:
    """Return what can be answered, with what it brings."""
    return [" ".join(f"{plain(one.label)} {one.brings}".split()) for one in answers(state)]


def notes(state: State) -> list[str]:
    """Return what is said of each answer while it is pointed at, where that is narrow."""
    return [one.note for one in answers(state)]
