"""What a question is. Who asks it, and how, is the business of an :class:`Asker`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from porto_cli.term.screen import Screen, Stage
from porto_cli.term.spans import PLAIN, Line, folded, plain

T = TypeVar("T")
V = TypeVar("V")


class CancelledError(Exception):
    """The player wants to go back to the question before."""


class StaleError(Exception):
    """What is asked about is another one now, or there is advice on it: it is to be asked from its
    beginning. ``answered`` are the questions before this one that had an answer.
    """

    answered = 0


class Choice(NamedTuple, Generic[T]):
    """Something to choose: how it is shown, and its value."""

    label: Line
    value: T
    also: str = ""
    """What it can be found by, besides its label."""
    key: str = ""
    """What chooses it wherever it is offered, as the table shows it; other choices have digits."""
    note: str = ""
    """What it does, in a line: behind the label where that fits, else while it is pointed at."""
    moves: Sequence[str] = ()
    """The moves that it leads to, the best first: that one is shown on the table. One that goes on
    with another is on a line below it."""
    confirm: bool = False
    """It is to be seen on the table first: its key only points at it, and Enter takes it."""
    enter: str = ""
    """What Enter does, where it does more than take what the label says."""
    likely: bool = False
    """It is pointed at first, wherever it stands."""


def labeled(label: str, value: T, key: str = "") -> Choice[T]:
    """Return a choice whose label is a plain text."""
    return Choice([(label, PLAIN)], value, key=key)


def signs_of(choices: Iterable[Choice[T]]) -> list[Choice[T]]:
    """Return the choices whose keys are no letters or digits: they are the same on all screens."""
    return [one for one in choices if one.key and not one.key.isalnum()]


def sign_in_brief(choice: Choice[T]) -> str:
    """Return a sign with a word about what it does, like ``! hint``."""
    return f"{choice.key} {re.split('[ :]', plain(choice.label))[0].lower()}"


BACK_KEY, HELP_KEY = "b", "?"
TABLE_KEY = "Ctrl-O"
"""Shows the whole table, wherever a part of it stands above a question."""


def matches(choice: Choice[T], words: Sequence[str]) -> bool:
    """Return whether a choice has every one of some words, whatever their order and case. One with
    a sign has to begin with them: a move that it names is not what it does.
    """
    text = f"{plain(choice.label)} {choice.also}".casefold()
    if signs_of([choice]):
        return text.startswith(" ".join(words).casefold())
    return all(word.casefold() in text for word in words)


def leads_to(choice: Choice[T], words: Sequence[str]) -> bool:
    """Return whether a choice leads to a move that has every one of some words."""
    return any(all(word.casefold() in move.casefold() for word in words) for move in choice.moves)


Fault = Callable[[str], str | None]
"""Returns what is wrong with a text that was typed, or None."""


class Share(NamedTuple):
    """A row of a sheet: what it is called, its number at the start, the largest it can have, and a
    line about it.
    """

    label: Line
    number: int
    most: int
    note: str = ""


class Sheet(NamedTuple):
    """Numbers that are to be distributed over some rows."""

    shares: Sequence[Share]
    total: int
    """What all numbers together can be at most."""
    standing: Callable[[Sequence[int]], str]
    """Describes the result of these numbers: what is left, what they bring."""
    fault: Callable[[Sequence[int]], str | None]
    """Returns why these numbers are not allowed, or None."""
    spent: str
    """Says that nothing is left for another row."""
    move: Callable[[Sequence[int]], str] = lambda numbers: ""
    """Returns the move that these numbers are, allowed or not: the table shows it."""
    read: Callable[[str], Sequence[int]] | None = None
    """Returns the numbers that words of the move say. Raises InvalidMoveError."""


Rules = Sequence[str]
"""What helps with a question: the kind of question that it is for the game, or sentences about it,
and the ids of the rulings behind it.
"""


YES_OR_NO: Rules = ("y says yes. With n, Enter alone or on the way back nothing is done.",)
"""The help with a question to be answered by yes or no that has none of its own."""

Text = Callable[[Screen], Sequence[Line]]
"""Something to read, set for a screen."""


Advice = Callable[[Rules, int], tuple[Sequence[Line], Sequence[Line]]]
"""Returns the help with a question, but for the keys, set to a width: what it is about in a few
sentences, and the rulings behind it.
"""


class Above(Protocol):
    """What the players look at while a question is asked. It draws itself. Where it shows the
    boards of one player after the other, ``turn()`` goes on to the next.
    """

    def lines(self, screen: Screen, rows: int, move: str = "") -> list[Line]:
        """Draw it in at most so many rows, with what a move would change."""

    def sentences(self) -> Iterable[str]:
        """Return what is new, and the table in brief."""


class Told(NamedTuple):
    """Sentences about a question, each on a line of its own, and what is above them."""

    notes: Sequence[str]
    above: Above | None = None

    def lines(self, screen: Screen, rows: int, move: str = "") -> list[Line]:
        """See :class:`Above`. Where there is little room, the notes come first."""
        lines = [[(f" {note}", PLAIN)] for note in self.notes]
        notes = [part for line in lines for part in folded(line, screen.width - 1, 1)][:rows]
        room = rows - len(notes) - bool(notes)
        if self.above is None or room < 1:
            return notes
        return [*self.above.lines(screen, room, move), *([Line()] * bool(notes)), *notes]

    def sentences(self) -> Iterable[str]:
        """See :class:`Above`."""
        return (*self.notes, *(self.above.sentences() if self.above else ()))


class Asker(Protocol):
    """Asks questions. Every question knows what helps with it.

    ``advice``: the help with a question. ``stage``: the screen, if it can be wiped. ``plain``:
    texts are shown as whole sentences, without tables or drawings. ``keys``: how a menu is
    answered, in a sentence. ``letters``: choices before this question whose keys work in a menu or
    a form, where there is a way back: their values are called, and the question goes on. They are
    signs, see :func:`signs_of`. ``advised``: the move of a hint, to which what is offered first
    leads. ``ahead``: how many questions are answered so without being asked. ``taught``: who
    answers learns how to, so Enter without a word chooses no move.
    """

    advice: Advice
    stage: Stage | None
    plain: bool = False
    keys: str = ""
    letters: Mapping[str, Choice[Any]] = MappingProxyType({})
    advised: str = ""
    ahead: int = 0
    taught: bool = False

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """Show this above the questions that follow; who asks for it sees all of the ``table``."""

    def notify(self, sentence: str) -> None:
        """Show this at once, until the next question."""

    def clear(self) -> None:
        """Leave nothing on the screen: another player is going to look at it."""

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
    ) -> T:
        """Return the value of the choice that is made; the default is the first one, but where one
        can be pointed at the one that is likely.

        What is typed narrows the choices; with ``search`` they have no digits. Raises
        CancelledError and what letters raise (if ``back``), KeyboardInterrupt.
        """

    def beside(self, keys: Iterable[str]) -> list[Choice[Any]]:
        """Return the choices before this question that its own ``keys`` leave alone."""
        return [
            one
            for sign, one in self.letters.items()
            if not any(key.startswith(sign) for key in keys)
        ]

    def choose_several(
        self, question: str, choices: Sequence[Choice[T]], count: int, *, rules: Rules = ()
    ) -> list[T]:
        """Return the values of ``count`` choices in their order. They are asked for one after the
        other, first for those that are words of a move that is advised; backing out takes back the
        last one. Raises what :meth:`choose` raises.
        """
        words = self.advised.split()[1:]
        # The keys of those that are left stay the same.
        left = [
            Choice(one.label, nth, one.also, one.key or str(nth + 1), one.note)
            for nth, one in enumerate(choices)
        ]
        left.sort(key=lambda one: str(choices[one.value].value) not in words)

        def more(taken: Sequence[int]) -> Sequence[int]:
            if len(taken) == count:
                return taken
            names = ", ".join(plain(choices[nth].label).strip() for nth in taken)
            told = f"{question} So far: {names}." if taken else question
            others = [one for one in left if one.value not in taken]
            return asked(
                self, told, others, lambda one: more([*taken, one]), rules=rules, search=True
            )

        return [choices[nth].value for nth in sorted(more(()))]

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """Return numbers for the rows of a sheet, which are right; Enter alone takes those that
        it begins with. Raises CancelledError, what letters raise, KeyboardInterrupt.
        """

    def write(self, question: str, fault: Fault, default: str = "", *, rules: Rules = ()) -> str:
        """Return a text without ``fault``, blanks around it removed.

        Raises CancelledError, KeyboardInterrupt.
        """

    def confirm(self, question: str, *, rules: Rules = ()) -> bool:
        """Return whether the player agrees; Enter alone means no. Raises what :meth:`choose` raises
        where there is a way back.
        """
        sure = [labeled("No", False, "n"), labeled("Yes", True, "y")]
        return self.choose(question, sure, rules=rules or YES_OR_NO, search=True)

    def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
        """Show something to read, and return when it has been read; ``more`` is shown to who asks
        for it. What is too long for the screen is shown from its beginning, or ``at_end``, where it
        is newest.
        """


def asked(
    asker: Asker,
    question: str,
    choices: Sequence[Choice[T]],
    then: Callable[[T], V],
    *,
    rules: Rules = (),
    search: bool = False,
) -> V:
    """Ask, and return what ``then`` makes of the answer; backing out of that asks again. A single
    choice is taken without a question, and what is advised while there are questions ahead, unless
    it ends the move. Raises what the asker and ``then`` raise.
    """
    if len(choices) == 1:
        return then(choices[0].value)
    choose = partial(asker.choose, question, choices, rules=rules, search=search)
    is_known = goes_ahead(asker, choices)
    while True:
        chosen = choices[0].value if is_known else choose()
        is_known = False
        try:
            with suppress(CancelledError):
                return then(chosen)
        except StaleError as stale:
            stale.answered += 1
            raise


def goes_ahead(asker: Asker, choices: Sequence[Choice[Any]]) -> bool:
    """Return whether the first choice is taken without a question, as one of those ahead: it leads
    to the move that is advised, but not to that one alone. That question is counted.
    """
    is_ahead = asker.ahead > 0 and asker.advised in (moves := choices[0].moves) and len(moves) > 1
    asker.ahead = asker.ahead - 1 if is_ahead else 0
    return is_ahead


def which_player(asker: Asker, names: Iterable[str], rules: Rules) -> str:
    """Ask which of some players the user is. Raises what the asker raises."""
    return asker.choose("Who are you?", [labeled(name, name) for name in names], rules=rules)
