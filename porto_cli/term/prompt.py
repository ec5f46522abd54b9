"""What a question is. Who asks it, and how, is the business of an :class:`Asker`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from porto_cli.core.message import Sentence
from porto_cli.games.porto.table import Table
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line

T = TypeVar("T")


class CancelledError(Exception):
    """The player wants to go back to the question before."""


class Choice(NamedTuple, Generic[T]):
    """Something to choose: how it is shown, and what it stands for."""

    label: Line
    value: T
    also: str = ""
    """What it can be searched for by, besides its label."""


Fault = Callable[[str], Sentence | None]
"""Says what is wrong with a text that was typed, or returns None."""


Text = Callable[[Screen], Sequence[Line]]
"""Something to read, set for a screen."""


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[Sentence, ...]
    short: tuple[Sentence, ...]


class Above(NamedTuple):
    """What the players look at while a question is asked: the table, and what has happened.

    What is new to who reads it comes first. There is no table before the game is set up.
    """

    table: Table | None
    news: tuple[News, ...] = ()


class Asker(Protocol):
    """Asks questions. Every question knows the ids of the rulings that are about it.

    ``plain`` says that texts to be shown are to be whole sentences, without tables or drawings.
    """

    plain: bool

    def put_above(self, above: Above | None) -> None:
        """Show this above the questions that follow."""

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

    def show(self, text: Text) -> None:
        """Show something to read, and return when it has been read."""
