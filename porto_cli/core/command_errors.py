"""What a command says that does not do what it was asked to, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn, Self

from porto_cli.core.errors import REFUSED, USAGE, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation


class CommandError(PortoError):
    """A command that does not do what it was asked to: why, and whole commands that would be right.

    ``violations`` among the sentences are told with the ids of their rulings.
    """

    def __init__(self, said: Sequence[object], suggestions: Sequence[str] = ()) -> None:
        super().__init__(said, suggestions)
        self._said = said
        self._suggestions = tuple(suggestions)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is wrong."""
        return tuple(
            each if isinstance(each, Sentence) else say("{sentence}", sentence=each)
            for each in self._said
        )

    @property
    def rulings(self) -> tuple[tuple[str, Sentence], ...]:
        """The rulings that forbid it, and why."""
        return tuple(
            (each.rule, each.sentence) for each in self._said if isinstance(each, Violation)
        )

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Whole commands that would be right."""
        return self._suggestions

    def with_sentence(self, sentence: Sentence) -> Self:
        """Return the same error, with something more to say about it."""
        return type(self)((*self._said, sentence), self._suggestions)


class WrongUsageError(CommandError):
    """The command was called wrongly."""

    exit_code = USAGE


class UnnamedPlayerError(WrongUsageError):
    """What a player wants to do is secret, and nobody has said which player."""


class RefusedError(CommandError):
    """Refused by the rules, or a check failed."""

    exit_code = REFUSED


def usage(*sentences: Sentence, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 2: the command was called wrongly.

    ``suggestions`` are whole commands that would be right.
    """
    raise WrongUsageError(sentences, tuple(suggestions))


def unnamed(*sentences: Sentence, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 2: it has to be said which player moves.

    ``suggestions`` are whole commands that say it.
    """
    raise UnnamedPlayerError(sentences, tuple(suggestions))


def refuse(*sentences: object, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 1: refused by the rules, or a check failed.

    ``suggestions`` are whole commands that would be legal.
    """
    raise RefusedError(sentences, tuple(suggestions))
