"""Questions as numbered lines: for screen readers, and terminals that cannot move a cursor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, TypeVar

from porto_cli.core.message import InvalidMoveError, shown, whole_number
from porto_cli.core.signals import raise_if_hung_up
from porto_cli.term.prompt import (
    BACK_KEY,
    HELP_KEY,
    Above,
    Advice,
    Asker,
    CancelledError,
    Choice,
    Fault,
    Rules,
    Sheet,
    Text,
    leads_to,
    matches,
    sign_in_brief,
)
from porto_cli.term.screen import Screen, Stage, screen_of
from porto_cli.term.spans import PLAIN, Line, folded, plain, show, wrapped

T = TypeVar("T")

_Others = Mapping[str, Choice[Any]]
"""Choices of the menu before, by what is typed for them."""
_Put = Callable[[], object]
"""Puts a question."""

KEYS = (
    "Type what is in front of a choice, or words that no other choice has, and Enter; words that "
    "several have list these. Enter alone takes the first one. b goes back if the last line says "
    "so; a question mark explains a question. Ctrl-C leaves at any time: every turn is saved when "
    "it is played."
)
TO_TYPE = (
    "Type what the lesson asks for: what is in front of a choice, then Enter. ! points at it, and "
    "then Enter alone takes it."
)
_INDENT = 5
"""Columns before a choice."""
MANY = 20
"""Maximum number of choices listed, as porto-play(1) says; those of longer lists are found by
their words."""


class Lines(Asker):
    """Asks line by line on standard output, and reads lines from standard input.

    The stage, if there is one, is only there to be wiped.
    """

    def __init__(self, advice: Advice, stage: Stage | None = None) -> None:
        self.advice = advice
        self.stage = stage
        self.plain = True
        self.keys = "Type what is in front of a choice, and Enter; b goes back; ? explains."

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. The whole table is described on demand only."""
        if above:
            print()
            for sentence in above.sentences():
                _tell(sentence)

    def notify(self, sentence: str) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Here it stays."""
        _tell(sentence)

    def clear(self) -> None:
        """See :class:`porto_cli.term.prompt.Asker`."""
        if self.stage:
            self.stage.clear()

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
    ) -> T:
        """See :class:`porto_cli.term.prompt.Asker`. Enter alone takes the default."""
        marked = _marked(choices)
        others = self._others([mark for mark, _ in marked]) if back else {}
        put = partial(self._list, question, marked)
        put()
        hint = "Your choice (? help, b back): " if back else "Your choice (? help): "
        while True:
            text = self._read(hint, rules, others, put, back=back)
            if not text and self.taught and any(one.moves for one in choices):
                _tell(TO_TYPE)
                continue
            if not text:
                return choices[0].value
            number = whole_number(text)
            for mark, choice in marked:
                if mark.casefold() in (text.casefold(), str(number)):
                    return choice.value
            # What has no letter is meant for the marks: a sign may stand in the name of a file.
            words = text.split() if any(map(str.isalpha, text)) else []
            found = [one for one in marked if words and matches(one[1], words)]
            found = found or [one for one in marked if words and leads_to(one[1], words)]
            if len(found) == 1:
                return found[0][1].value
            where = "in several" if found else "in none"
            _tell(f"{shown(text)} is {where} of these. Type what is in front of one of them.")
            self._print(found)

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`. Changes are shown before they are accepted."""
        numbers = [share.number for share in sheet.shares]
        hint = "Changes like 2=1, or names; Enter alone accepts (? help, b back): "
        others = self._others()

        def put() -> None:
            _begin(question)
            self._list_shares(sheet, numbers)

        put()
        while True:
            text = self._read(hint, rules, others, put)
            try:
                if not text and (wrong := sheet.fault(numbers)):
                    raise InvalidMoveError(wrong)
                if not text:
                    return numbers
                numbers = _changed(text, sheet, numbers)
                self._list_shares(sheet, numbers)
            except InvalidMoveError as error:
                _tell(error.sentence)

    def _list_shares(self, sheet: Sheet, numbers: Sequence[int]) -> None:
        for nth, (share, number) in enumerate(zip(sheet.shares, numbers, strict=True), start=1):
            print(f"{nth:3}  {plain(share.label)}: {number} of {share.most}")
        _tell(sheet.standing(numbers))

    def write(
        self,
        question: str,
        fault: Fault,
        default: str = "",
        *,
        rules: Rules = (),
    ) -> str:
        """See :class:`porto_cli.term.prompt.Asker`. Enter alone takes the default."""
        _begin(question)
        keys = [f"Enter alone: {default};"] * bool(default) + ["? help,"] * bool(rules)
        hint = f"Text ({' '.join([*keys, 'b back'])}): "
        while True:
            text = self._read(hint, rules, {}, bool) or default
            wrong = fault(text)
            if wrong is None:
                return text
            _tell(wrong)

    def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Here it ends above the next question."""
        screen = screen_of()
        show(text(screen._replace(width=screen.width - 1)), Screen())

    def _list(self, question: str, marked: Sequence[tuple[str, Choice[T]]]) -> None:
        _begin(question)
        self._print(marked[:MANY])
        if len(marked) > MANY:
            _tell(
                f"… and {len(marked) - MANY} more; type some words of one to see those with them."
            )

    def _print(self, marked: Iterable[tuple[str, Choice[T]]]) -> None:
        for mark, choice in marked:
            label = plain(choice.label)
            text = f"{label}. {choice.note}" if choice.note else label
            # A key that is the name of what it chooses is said once.
            text = text if _names(choice.key, label) else f"{mark:>3}  {text}"
            show(folded([(text, PLAIN)], screen_of().width - 1, _INDENT), Screen())

    def _others(self, marks: Sequence[str] = ()) -> _Others:
        """Return the choices of the menu before that can be made here as well."""
        return {one.key: one for one in self.beside(marks)}

    def _read(
        self, hint: str, rules: Rules, others: _Others, put: _Put, *, back: bool = True
    ) -> str:
        """Return a line that is no longer about help, nor one of the ``others``: what these say is
        done, and the question ``put`` again.

        Raises CancelledError, what the others raise.
        """
        while (text := _typed(hint)).startswith(HELP_KEY) or text in others:
            if text.startswith(HELP_KEY):
                self.show(partial(self._help, rules, others, text != HELP_KEY))
            else:
                others[text].value()
                put()
        if back and text.casefold() == BACK_KEY:
            raise CancelledError
        return text

    def _help(self, rules: Rules, others: _Others, in_full: bool, screen: Screen) -> Sequence[Line]:
        """Return what a question is about and the keys; or (``in_full``) the rulings about it."""
        brief, full = self.advice(rules, screen.width)
        more = "?? shows what the signs mean, and the rulings behind the question."
        keys = ", ".join(map(sign_in_brief, others.values()))
        also = f"Here you can also type: {keys}." if keys else ""
        return full if in_full else [*brief, *wrapped(f"{KEYS} {more} {also}", screen.width)]


def _marked(choices: Sequence[Choice[T]]) -> list[tuple[str, Choice[T]]]:
    """Return choices with what chooses them: a letter of their own, or a number."""
    numbers = count(1)
    return [(choice.key or str(next(numbers)), choice) for choice in choices]


def _names(key: str, label: str) -> bool:
    """Return whether a label begins with the key of its choice, as a word."""
    return bool(key) and key == re.split(r"[ :]", label.lstrip("("))[0]


def _changed(text: str, sheet: Sheet, numbers: Sequence[int]) -> list[int]:
    """Return the numbers after a change that was typed. Raises InvalidMoveError."""
    words = text.replace(",", " ").split()
    if sheet.read and any("=" not in word for word in words):
        return [*sheet.read(text)]
    changed = list(numbers)
    for word in words:
        row, _, number = (part.strip() for part in word.partition("="))
        nth = whole_number(row) - 1
        if not 0 <= nth < len(changed):
            raise InvalidMoveError(f"{shown(word)} is not a row; the rows are 1 to {len(changed)}.")
        most = sheet.shares[nth].most
        if not 0 <= whole_number(number) <= most:
            raise InvalidMoveError(f"{shown(word)} does not fit; it can be 0 to {most}.")
        changed[nth] = whole_number(number)
    return changed


def _typed(hint: str) -> str:
    """Return a line without blanks around it. Raises EOFError, TerminatedError."""
    try:
        return input(hint).strip()
    except EOFError:
        raise_if_hung_up()
        raise


def _begin(question: str) -> None:
    """Put a question, apart from what was before."""
    print()
    _tell(question)


def _tell(sentence: str) -> None:
    show(wrapped(sentence, screen_of().width - 1), Screen())
