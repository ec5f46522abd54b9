"""Messages: sentences for people, and the errors that are made of them.

A sentence is a text, usually an f-string; foreign text is put into it by :func:`shown`.

An error is everything that can be wrong with a file, a move or a command. Each class has the exit
code of the command, and sentences that say what is wrong, where, and what would be right. Every
error can be pickled: its arguments are its attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from typing import ClassVar, NamedTuple, NoReturn, Self, TypeVar

from porto_cli.core.characters import printable

_T = TypeVar("_T")

LONGEST_QUOTE = 100
"""Maximum length of foreign text in a sentence; longer text is cut."""
LONGEST_SENTENCE = 4000
"""Maximum length of a sentence of an error. A file can hold megabytes, which none should repeat."""


def told(text: str) -> str:
    """Return a sentence as errors have it: on one line, with what is unprintable in it escaped."""
    return printable(text if len(text) <= LONGEST_SENTENCE else text[:LONGEST_SENTENCE] + "…")


def shown(text: object) -> str:
    """Return foreign text as messages show it: in quotes, on one line, cut if it is long, and with
    what is unprintable in it escaped. What else is in a message, like names of players and
    components, has been checked.
    """
    whole = str(text)
    return repr(whole if len(whole) <= LONGEST_QUOTE else whole[:LONGEST_QUOTE] + "…")


def plural(number: int, thing: str) -> str:
    """Return a number of things: ``1 floor``, ``3 floors``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def whole_number(word: str) -> int:
    """Return the value of a word of digits; -1 for any other word, and for a huge number."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1


def enumerated(words: Iterable[str], conjunction: str = "and") -> str:
    """Return words as a list in a sentence: ``a, b and c``; nothing of no words."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def nearest(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the name that was probably meant by a mistyped word, in any case.

    Return nothing if none is like it, or several are equally; ``cutoff`` is how like it has to be,
    from 0 to 1.
    """
    by_case = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), by_case, n=2, cutoff=cutoff)
    likeness = [SequenceMatcher(None, name, word.lower()).ratio() for name in close]
    return by_case[close[0]] if close and likeness[1:] != likeness[:1] else ""


class Violation(NamedTuple):
    """A rule that a move breaks: the id of the ruling, and why, with the numbers in it."""

    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}"


Refusals = Iterator[tuple[str, str]]
"""The rules that a move breaks, row by row: the id of the ruling, and why, with the numbers."""


# -- Errors


REFUSED = 1
"""Exit code: refused by the rules, or a check failed."""
USAGE = 2
"""Exit code: the command was called wrongly."""
INVALID = 3
"""Exit code: a record, scenario or edition that is not valid."""
TROUBLE = 4
"""Exit code: a file cannot be read or written, or was changed by another program."""
UNREPORTED = 5
"""Exit code: the command did its work, but its report could not be printed."""
INTERRUPTED = 130
"""Exit code: interrupted by Ctrl-C before anything was written."""


class PortoError(Exception):
    """An error that a user can cause and fix. Its text has one sentence per line."""

    exit_code: ClassVar[int] = REFUSED

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong."""
        return ()

    @property
    def rulings(self) -> tuple[tuple[str, str], ...]:
        """The ids of the rulings that were broken, and why (see ``porto rules ID``)."""
        return ()

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Complete commands that would work."""
        return ()

    def __str__(self) -> str:
        return "\n".join(self.sentences)


class SentenceError(PortoError):
    """An error described by one sentence."""

    def __init__(self, sentence: str) -> None:
        self.sentence = told(sentence)
        super().__init__(self.sentence)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The one sentence."""
        return (self.sentence,)


class FileError(SentenceError):
    """A file that cannot be read or written: why, and what to do."""

    exit_code = TROUBLE


class InvalidMoveError(SentenceError, ValueError):
    """A text that cannot be parsed; ``sentence`` says what would be right.

    If a ``word`` of it should be one of ``names``, the nearest one is proposed in a sentence of its
    own.
    """

    exit_code = USAGE

    def __init__(self, sentence: str, names: Sequence[str] = (), word: str = "") -> None:
        super().__init__(sentence)
        self.args = (sentence, names, word)
        self.names = names
        self.word = word

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong, and which name was probably meant."""
        near = nearest(self.word, self.names)
        return (self.sentence, f"Did you mean {near}?") if near else (self.sentence,)


def by_verb(words: Sequence[str], readers: Mapping[str, _T]) -> _T:
    """Return what reads a move of these words, by its verb. Raises InvalidMoveError."""
    reader = readers.get(words[0].lower()) if words else None
    if reader is not None:
        return reader
    verbs = enumerated(readers, "or")
    if not words:
        raise InvalidMoveError(f"No move was given; a move begins with {verbs}.")
    raise InvalidMoveError(f"{shown(words[0])} is not a move; a move begins with {verbs}.")


class AmbiguousMoveError(InvalidMoveError):
    """An abbreviation with several meanings."""


class CommandError(PortoError):
    """A command that fails: why, and complete commands that would work.

    Violations among the sentences are reported with the ids of their rulings.
    """

    def __init__(self, reasons: Sequence[object], suggestions: Sequence[str] = ()) -> None:
        super().__init__(reasons, suggestions)
        self._reasons = reasons
        self._suggestions = tuple(suggestions)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong."""
        return tuple(told(str(each)) for each in self._reasons)

    @property
    def rulings(self) -> tuple[tuple[str, str], ...]:
        """The rulings that forbid it, and why."""
        return tuple(
            (each.rule, each.sentence) for each in self._reasons if isinstance(each, Violation)
        )

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Complete commands that would work."""
        return self._suggestions

    def with_sentence(self, sentence: str) -> Self:
        """Return the same error with one more sentence."""
        return type(self)((*self._reasons, sentence), self._suggestions)


class WrongUsageError(CommandError):
    """The command was called wrongly."""

    exit_code = USAGE


class UnnamedPlayerError(WrongUsageError):
    """A secret choice, for which the player has to be named."""


class RefusedError(CommandError):
    """Refused by the rules, or a check failed."""

    exit_code = REFUSED


def usage(*sentences: str, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 2: the command was called wrongly.

    ``suggestions`` are complete commands that would work.
    """
    raise WrongUsageError(sentences, tuple(suggestions))


def unnamed(*sentences: str, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 2: the player who moves has to be named.

    ``suggestions`` are complete commands that do so.
    """
    raise UnnamedPlayerError(sentences, tuple(suggestions))


def refuse(*sentences: object, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 1: refused by the rules, or a check failed.

    ``suggestions`` are complete commands that would be legal.
    """
    raise RefusedError(sentences, tuple(suggestions))
