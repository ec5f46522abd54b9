"""Somebody who answers questions: what the tests of prompts share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from porto_cli.games import BOX
from porto_cli.installed import questions_of, ruling
from porto_cli.term import Screen, plain
from porto_cli.term.prompt import Above, Asker, CancelledError, Choice, Rules, Text

AT_THE_END = "What would you like to do now?"
"""Who has no answer to this stops, and plays no further game."""
BACK = object()
"""The answer of a player who goes back."""
KINDS = {kind for game in BOX for kind in questions_of(game)}
"""The kinds of questions about which the games of the box say something."""


class Scripted(Asker):
    """An asker with answers: each a part of a label, ``BACK``, a text, a list of parts, or the
    sign of a choice in the menu before.

    Without an answer it takes the first choice. Everything that a person would have seen is kept:
    ``seen`` has a text for each question, with the table above it and the choices.
    """

    def __init__(self, *answers: Any, then: Any = None) -> None:
        self.keys = "Enter chooses."
        self.answers = list(answers)
        self.then = then
        self.seen: list[str] = []
        self.questions: list[str] = []
        self.asked_twice: list[str] = []
        self.unsure = False
        self.said: list[str] = []
        self.at_end: list[bool] = []
        self.above: Above | None = None
        self.cleared = 0

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        self.above, self.table = above, table

    def notify(self, sentence: str) -> None:
        self.said.append(str(sentence))

    def clear(self) -> None:
        self.cleared += 1
        self.above = None

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[Any]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
        most: int = 1,
    ) -> Any:
        typed = [choice for choice in choices if choice.hidden and choice.moves]
        choices = [choice for choice in choices if not choice.hidden]
        labels = [f"{plain(choice.label)}  {choice.about[0]}".rstrip() for choice in choices]
        answer = self._answer(question, labels, rules)
        if answer is BACK:
            assert back, f"There is no way back from: {question}"
            raise CancelledError
        if back and answer in self.signs:
            self.signs[answer].value()
            return self.choose(question, choices, rules=rules, back=back, search=search)
        if answer is None:
            over = [choice for choice in choices if question == AT_THE_END and choice.key == "."]
            return (over or choices)[0].value
        for label, choice in zip(labels, choices, strict=True):
            if str(answer) in label:
                return choice.value
        for choice in typed:
            if str(answer) in plain(choice.label):
                return choice.value
        raise AssertionError(f"{question}: no {answer!r} among {labels}")

    def choose_several(
        self,
        question: str,
        choices: Sequence[Choice[Any]],
        count: int,
        *,
        rules: Rules = (),
    ) -> list[Any]:
        labels = [plain(choice.label) for choice in choices]
        answer = self._answer(question, labels, rules)
        if answer is BACK:
            raise CancelledError
        left = list(zip(labels, choices, strict=True))
        chosen = []
        for part in labels[:count] if answer is None else answer:
            taken = next(pair for pair in left if part in (pair[0], pair[0].partition(":")[0]))
            left.remove(taken)
            chosen.append(taken[1].value)
        return sorted(chosen)

    def write(
        self,
        question: str,
        fault: Callable[[str], str | None],
        default: str = "",
        *,
        rules: Rules = (),
        does: str = "",
    ) -> str:
        while True:
            answer = self._answer(question, [default], rules)
            if answer is BACK:
                raise CancelledError
            text = default if answer is None else str(answer)
            wrong = fault(text)
            if wrong is None:
                return text
            self.seen.append(str(wrong))

    def confirm(self, question: str, *, rules: Rules = (), sign: str = "") -> bool:
        """Be sure of everything, but for what ``unsure`` says."""
        for rule in rules:
            assert " " in rule or rule in KINDS or ruling(rule)
        self.asked_twice.append(str(question))
        return not self.unsure

    def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
        self.seen.append("\n".join(map(plain, text(Screen(80)))))
        self.at_end.append(at_end)

    def _answer(self, question: str, labels: list[str], rules: Rules) -> Any:
        for rule in rules:
            assert " " in rule or rule in KINDS or ruling(rule)
        lines = self.above.lines(Screen(80), 60) if self.above else []
        self.questions.append(str(question))
        self.seen.append("\n".join([*map(plain, lines), str(question), *labels]))
        if self.answers:
            return self.answers.pop(0)
        return self.then(self, str(question), labels) if self.then else None
