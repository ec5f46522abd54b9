"""What a question is. Who asks it, and how, is the business of an :class:`Asker`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from porto_cli.core.message import Sentence, say
from porto_cli.term.screen import Screen
from porto_cli.term.spans import PLAIN, Line, plain, wrapped

T = TypeVar("T")


class CancelledError(Exception):
    """The player wants to go back to the question before."""


class Choice(NamedTuple, Generic[T]):
    """Something to choose: how it is shown, and what it stands for."""

    label: Line
    value: T
    also: str = ""
    """What it can be searched for by, besides its label."""
    key: str = ""
    """The letter that chooses it wherever it is offered; other choices have digits."""


BACK_KEY = "b"


def matches(choice: Choice[T], words: Sequence[str]) -> bool:
    """Tell whether a choice has every one of some words, whatever their order and case."""
    text = f"{plain(choice.label)} {choice.also}".casefold()
    return all(word.casefold() in text for word in words)


Fault = Callable[[str], Sentence | None]
"""Says what is wrong with a text that was typed, or returns None."""


class Share(NamedTuple):
    """A row of a sheet: what it is called, its number at the start, the largest it can have."""

    label: Line
    number: int
    most: int


class Sheet(NamedTuple):
    """Numbers that are to be distributed over some rows."""

    shares: Sequence[Share]
    total: int
    """What all numbers together can be at most."""
    standing: Callable[[Sequence[int]], Sentence]
    """Says how it stands with these numbers: what is left, what they bring."""
    fault: Callable[[Sequence[int]], Sentence | None]
    """Says why these numbers will not do."""
    read: Callable[[str], Sequence[int] | Sentence]
    """Returns the numbers that a text stands for, or says what is wrong with it."""
    example: str
    """Such a text."""


Text = Callable[[Screen], Sequence[Line]]
"""Something to read, set for a screen."""


Advice = Callable[[Iterable[str], int], Sequence[Line]]
"""Returns the help with a question, but for the keys: the rulings of these ids, set to a width."""


class Above(Protocol):
    """What the players look at while a question is asked. It draws itself."""

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Draw it as large as fits into the rows; the least that there is may take ``most``."""

    def sentences(self) -> Iterable[Sentence]:
        """Tell what is new, and how the table stands in brief."""


class Notes(NamedTuple):
    """Nothing but sentences above a question."""

    told: tuple[Sentence, ...]

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """See :class:`Above`."""
        lines = wrapped(" ".join(map(str, self.told)), screen.width - 2)
        return [[(" ", PLAIN), *line] if line else [] for line in lines][:most]

    def sentences(self) -> Iterable[Sentence]:
        """See :class:`Above`."""
        return self.told


class TypedTable(NamedTuple):
    """A table that is lines of text, and what is new."""

    table: tuple[str, ...]
    told: tuple[Sentence, ...]

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """See :class:`Above`."""
        news = Notes(self.told).lines(screen, rows, most) if self.told else []
        lines = [*([(" " + line, PLAIN)] for line in self.table), [], *news]
        return lines if len(lines) <= rows else lines[:most]

    def sentences(self) -> Iterable[Sentence]:
        """See :class:`Above`."""
        return (*self.told, *(say("{line}", line=line) for line in self.table))


class Asker(Protocol):
    """Asks questions. Every question knows the ids of the rulings that are about it.

    ``plain`` says that texts to be shown are to be whole sentences, without tables or drawings.
    """

    plain: bool

    def put_above(self, above: Above | None) -> None:
        """Show this above the questions that follow."""

    def tell(self, sentence: Sentence) -> None:
        """Show this at once; it waits for nobody, and is gone with the next question."""

    def wipe(self) -> None:
        """Leave nothing on the screen: somebody else is going to look at it."""

    def choose(
        self,
        question: Sentence,
        choices: Sequence[Choice[T]],
        *,
        rules: Iterable[str] = (),
        back: bool = True,
        search: bool = False,
    ) -> T:
        """Return the value of the choice that is made; the first one is the default.

        With ``search`` words of a label can be typed. Raises CancelledError (if ``back``),
        KeyboardInterrupt.
        """

    def choose_several(
        self,
        question: Sentence,
        choices: Sequence[Choice[T]],
        count: int,
        *,
        rules: Iterable[str] = (),
    ) -> list[T]:
        """Return the values of ``count`` choices. Raises CancelledError, KeyboardInterrupt."""

    def distribute(
        self, question: Sentence, sheet: Sheet, *, rules: Iterable[str] = ()
    ) -> list[int]:
        """Return numbers for the rows of a sheet, which are right; Enter alone takes those that
        it begins with. Raises CancelledError, KeyboardInterrupt.
        """

    def write(
        self,
        question: Sentence,
        fault: Fault,
        default: str = "",
        *,
        rules: Iterable[str] = (),
    ) -> str:
        """Return a text without ``fault``, blanks around it removed.

        Raises CancelledError, KeyboardInterrupt.
        """

    def confirm(self, question: Sentence, *, rules: Iterable[str] = ()) -> bool:
        """Return whether it is to be done; Enter alone says no.

        Raises CancelledError, KeyboardInterrupt.
        """

    def secret(self, question: Sentence) -> str:
        """Return what is typed and not shown. Raises KeyboardInterrupt, EOFError."""

    def show(self, text: Text) -> None:
        """Show something to read, and return when it has been read."""


def which_player(asker: Asker, names: Iterable[str], rules: Iterable[str]) -> str:
    """Ask which of some players somebody is. Raises what the asker raises."""
    choices = [Choice([(name, PLAIN)], name) for name in names]
    return asker.choose(say("Who are you?"), choices, rules=rules)
