"""What everything else uses, and what knows neither games nor terminals. Here are messages:
sentences for people, and the errors that are made of them.

A sentence is a text, usually an f-string; foreign text is put into it by :func:`cited`.

There is an error class for everything that can be wrong with a file, a move or a command. It has
the exit code of the command, and sentences that say what is wrong, where, and what would be
right. Every error can be pickled: its arguments are its attributes.
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
"""Maximum length of an error's sentence: a file can hold megabytes, not to be repeated here."""


def told(text: str) -> str:
    """Return a sentence for an error: cut if it is long, with unprintable characters escaped."""
    return printable(text if len(text) <= LONGEST_SENTENCE else text[:LONGEST_SENTENCE] + "…")


def cited(text: object) -> str:
    """Return foreign text as messages show it: in quotes, on one line, cut if it is long, with
    unprintable characters escaped. The rest of a message, such as names of players and components,
    has been checked before.
    """
    whole = str(text)
    return repr(whole if len(whole) <= LONGEST_QUOTE else whole[:LONGEST_QUOTE] + "…")


def plural(number: int, thing: str) -> str:
    """Return a number of things: ``1 floor``, ``3 floors``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def with_article(thing: str) -> str:
    """Return a thing with its article: ``an indigo plant``."""
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def whole_number(word: str) -> int:
    """Return the value of a word of digits; -1 for any other word, and for a huge number."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1


def enumerated(words: Iterable[str], conjunction: str = "and") -> str:
    """Return words as a list in a sentence: ``a, b and c``; empty for no words."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def nearest(word: str, names: Iterable[str], cutoff: float = 0) -> str:
    """Return the name that was probably meant by a mistyped word, in any case.

    Empty if none is similar enough or several are equally similar; the only one with the same
    letters in another order is similar enough. ``cutoff`` is the least similarity, from 0 to 1; by
    default that of one or two wrong letters.
    """
    by_case = {name.lower(): name for name in names}
    swapped = [name for name in by_case if sorted(name) == sorted(word.lower())]
    if len(swapped) == 1:
        return by_case[swapped[0]]
    # One wrong letter of three leaves only two thirds of a word.
    cutoff = cutoff or (0.7 if len(word) > 3 else 0.6)
    close = get_close_matches(word.lower(), by_case, n=2, cutoff=cutoff)
    similarity = [SequenceMatcher(None, name, word.lower()).ratio() for name in close]
    return by_case[close[0]] if close and similarity[1:] != similarity[:1] else ""


class Violation(NamedTuple):
    """A rule that a move breaks: the id of the ruling, and why, with the numbers in it."""

    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}"


Refusals = Iterator[tuple[str, str]]
"""The rules that a move breaks, row by row: the id of the ruling, and why, with the numbers."""


GAME_OVER = "The game is over."
"""What happens last in a game. It is left out where the result follows."""


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
"""Exit code: the command succeeded, but its report could not be printed."""
INTERRUPTED = 130
"""Exit code: interrupted by Ctrl-C before anything was written."""


class PortoError(Exception):
    """An error that a user can cause and fix. Its text has one sentence per line."""

    exit_code: ClassVar[int] = REFUSED
    rulings: tuple[Violation, ...] = ()
    """The ids of the rulings that were broken, and why (see ``porto rules ID``)."""
    suggestions: tuple[str, ...] = ()
    """Complete commands that would work."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong."""
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

    def __init__(self, sentence: str, suggestions: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self.suggestions = tuple(suggestions)
        self.args = (self.sentence, self.suggestions) if suggestions else self.args


class InvalidMoveError(SentenceError, ValueError):
    """A text that cannot be parsed; ``sentence`` says what would be right, after a semicolon.

    If a ``word`` of it should be one of ``names``, what would be right are all names that begin
    with the word or have a part that does, or else the nearest one.
    """

    exit_code = USAGE

    def __init__(self, sentence: str, names: Sequence[str] = (), word: str = "") -> None:
        super().__init__(sentence)
        self.args = (sentence, names, word)
        self.names = names
        self.word = word

    @property
    def matching(self) -> list[str]:
        """The names that begin with the word, or have a part that does."""
        word = self.word.lower() or " "
        return [name for name in self.names if name.startswith(word) or f"-{word}" in name]

    @property
    def meant(self) -> list[str]:
        """The names that the word probably means."""
        return self.matching or [*filter(None, [nearest(self.word, self.names)])]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong, and which name was probably meant, or else what would be right."""
        wrong = self.sentence.partition("; ")[0].removesuffix(".")
        meant = f"{wrong}.", f"Did you mean {enumerated(self.meant, 'or')}?"
        return meant if self.meant else (self.sentence,)


def by_verb(words: Sequence[str], readers: Mapping[str, _T], things: Iterable[str] = ()) -> _T:
    """Return the reader for the verb that these words begin with.

    Raises InvalidMoveError, which names what is meant by a mistyped verb, or by one of the
    ``things`` that moves are about.
    """
    reader = readers.get(words[0].lower()) if words else None
    if reader is not None:
        return reader
    verbs = enumerated(readers, "or")
    if not words:
        raise InvalidMoveError(f"No move was given; a move begins with {verbs}.")
    sentence = f"{cited(words[0])} is not a move; a move begins with {verbs}."
    near = nearest(words[0], (*readers, *things))
    names = () if near == words[0].lower() else (near,) if near else tuple(readers)
    raise InvalidMoveError(sentence, names, words[0])


class AmbiguousMoveError(InvalidMoveError):
    """An abbreviation of several ``names``, or of the one of them that is possible now."""

    @property
    def matching(self) -> list[str]:
        """The names that are meant."""
        return [*self.names]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong, and which names it can mean."""
        if len(self.names) == 1:
            return self.sentence, f"Now it can only mean {self.names[0]}."
        return super().sentences


class UnknownNameError(InvalidMoveError, LookupError):
    """A name that means none of the players, or could mean several, in one sentence; ``names`` are
    those that it probably means, or else all.
    """

    @property
    def matching(self) -> list[str]:
        """The names that are probably meant."""
        return [*self.names]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The one sentence."""
        return (self.sentence,)


def no_player(name: str, players: Iterable[str]) -> str:
    """Say that a name means none of the players, and who they are."""
    return f"There is no player {cited(name)}; the players are {', '.join(players)}."


def the_only(found: Sequence[str], word: str, unknown: InvalidMoveError) -> str:
    """Return the one name found for a word or an abbreviation.

    Raises AmbiguousMoveError if there are several, and ``unknown`` if there is none.
    """
    if not found:
        raise unknown
    if len(found) == 1:
        return found[0]
    raise AmbiguousMoveError(f"{cited(word)} is too short.", found, word)


class CommandError(PortoError):
    """A command that fails: why, each reason once, and complete commands that would work.

    Violations among the sentences are reported with the ids of their rulings.
    """

    def __init__(self, reasons: Sequence[object], suggestions: Sequence[str] = ()) -> None:
        super().__init__(reasons, suggestions)
        self._reasons = tuple(dict.fromkeys(reasons))
        self.rulings = tuple(each for each in self._reasons if isinstance(each, Violation))
        self.suggestions = tuple(suggestions)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong."""
        return tuple(told(str(each)) for each in self._reasons)

    def with_more(
        self, suggestions: Sequence[str], first: Sequence[str] = (), last: Sequence[str] = ()
    ) -> Self:
        """Return the same error with these commands instead, and more sentences around its own."""
        return type(self)((*first, *self._reasons, *last), suggestions)


class WrongUsageError(CommandError):
    """The command was called wrongly."""

    exit_code = USAGE


class PlayerNotNamedError(WrongUsageError, ValueError):
    """The player of a secret choice was not named."""


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
    raise PlayerNotNamedError(sentences, tuple(suggestions))


def refuse(*sentences: object, suggestions: Iterable[str] = ()) -> NoReturn:
    """End with exit code 1: refused by the rules, or a check failed.

    ``suggestions`` are complete commands that would be legal.
    """
    raise RefusedError(sentences, tuple(suggestions))


def flowing(text: str) -> str:
    """Return a text of several lines on one line."""
    return " ".join(text.split())
