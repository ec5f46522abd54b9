"""What everything else uses, and what knows neither games nor terminals: the characters allowed in
files, names and messages; sentences for people, and the errors made of them; and values, the small
immutable objects that games are made of.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, TypeVar, get_type_hints
from unicodedata import combining, normalize

# -- Characters: which ones a file must not contain, what the others are, and how they are shown
#
# Nothing here depends on the Unicode tables of the Python that runs it, because they grow with
# every version: what is a valid record today has to be one everywhere and forever, with the same
# digest.

BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Characters that end a line in some programs and not in others: what follows them could look like
part of a comment here and like a turn there."""
_BARE_RETURN = r"\r(?!\n)"
CONTROLS = (
    "\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff"
)
"""Characters that erase, color, ring or change the direction of what follows; surrogates; and
noncharacters. Unicode promises never to change their properties."""

VARIATION_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks that choose the shape of the character before them, like ❤ in red."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Printable characters that show nothing. The lowest comes first: text below it needs no search, so
no pattern has to be compiled for a Latin name."""

_LATIN_END = "\u0370"
"""All versions of Unicode agree on the characters below this one."""


def find_forbidden(text: str, *, lines: bool = True) -> int | None:
    """Return the index of the first character that must not be in a text, or None.

    With ``lines``, a carriage return is allowed before a line feed.
    """
    if text.replace("\r\n" if lines else "\n", "\n").replace("\n", "").isprintable():
        return None  # What is forbidden is printable in no version of Unicode.
    match = re.search(rf"{_BARE_RETURN if lines else BREAKS[0]}|[{BREAKS[1:]}{CONTROLS}]", text)
    return match.start() if match else None


def ends_a_line(char: str) -> bool:
    """Return whether a forbidden character ends a line in some programs."""
    return re.match(f"[{BREAKS}]", char) is not None


def is_printable(text: str) -> bool:
    """Return whether all characters of a text are printable in Unicode 14."""
    return "\0" not in as_latin(text)


def find_invisible(text: str) -> int | None:
    """Return the index of the first character that is invisible or newer than Unicode 14."""
    places = [as_latin(text).find("\0")]
    if max(text, default="") >= _BLANKS[0]:
        blanks = re.finditer(f"[{_BLANKS}]|^[{VARIATION_SELECTORS}]", text)
        places += (found.start() for found in blanks)
    return min((place for place in places if place >= 0), default=None)


def without_selectors(text: str) -> str:
    """Return a text without the invisible marks that choose the shape of a character."""
    return text if text.isascii() else re.sub(f"[{VARIATION_SELECTORS}]", "", text)


def without_accents(text: str) -> str:
    """Return a text whose letters have no accents."""
    if text.isascii():
        return text
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents and punctuation."""
    plain = without_accents(text).casefold()
    return "".join(char if char.isalnum() else " " for char in plain).split()


def as_latin(text: str) -> str:
    """Return a text with stand-ins for what is not Latin, for patterns to match.

    A letter becomes ``ß``, a decimal digit ``0``, another printable character ``¶``, and anything
    else NUL.
    """
    if text.isprintable() and max(text, default="") < _LATIN_END:
        return text
    return "".join(
        _stand_in(char) if char >= _LATIN_END else char if char.isprintable() else "\0"
        for char in text
    )


_STAND_INS = {"w": "ß", "d": "0", "p": "¶", "x": "\0"}


def _stand_in(char: str) -> str:
    starts, kinds = _table()
    return _STAND_INS[kinds[bisect(starts, ord(char)) - 1]]


@cache
def _table() -> tuple[list[int], str]:
    """Return the first character of each run of characters of one kind, and the kinds."""
    starts = []
    start = ord(_LATIN_END)
    lines = Path(__file__).with_name("unicode-14.txt").read_text("ascii").splitlines()
    runs = [run for line in lines if not line.startswith("#") for run in line.split()]
    for run in runs:
        starts.append(start)
        start += int(run[1:], 16)
    return starts, "".join(run[0] for run in runs)


NOT_PRINTABLE = (
    "["
    "\x00-\x1f\x7f-\x9f"  # controls: they erase, color, ring, or end the line
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # they change the direction, or hide
    "\ud800-\udfff"  # bytes of a file name that are not UTF-8, as Python keeps them
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # noncharacters, or without a shape
    "\U000e0000-\U000e007f"
    "]"
)
"""The characters that messages escape. This is not Python's own notion of printable, which differs
between its versions and excludes spaces and joiners that names in some scripts need."""


def printable(text: str) -> str:
    r"""Return a text as messages show it: ``\x1b`` for Escape, ``\xff`` for a byte outside UTF-8.

    Visible characters stay as they are, the backslash too.
    """
    # Usually nothing has to be escaped, so no pattern is compiled.
    return text if text.isprintable() else re.sub(NOT_PRINTABLE, _escaped, text)


def in_one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in text).strip()


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    if "\udc80" <= char <= "\udcff":
        # Python keeps the bytes 0x80 to 0xFF of a file name that is not UTF-8 like this.
        char = chr(ord(char) - 0xDC00)
    return char.encode("unicode_escape").decode()


# -- Quoting for a shell
#
# One form serves bash, dash, zsh and fish, based on what they have in common: a backslash outside
# quotes escapes the next character; nothing between single quotes is special, except that in fish
# a backslash may be; printf understands \ooo; and "$(…)" is one word.


FILE = "FILE"
"""Placeholder for a record of unknown name in commands."""
_PLAIN = frozenset("+-./:=@_")
_SPECIAL_IN_DOUBLE_QUOTES = frozenset('"$`!\\')
_LITERAL_FOR_PRINTF = frozenset("./_ -")


def quoted(word: str) -> str:
    r"""Return a word for a shell, in quotes if necessary.

    Invisible characters are written for ``printf``. A newline at the end would be lost:
    :func:`file_word` handles it for file names, and player names have none.
    """
    if _is_plain(word):
        return word
    if sys.platform == "win32":
        return _quoted_on_windows(word)
    if printable(word) != word:
        return f"\"$(printf '{_spelled(word)}')\""
    if not _SPECIAL_IN_DOUBLE_QUOTES & set(word):
        return f'"{word}"'
    return "".join(
        f"\\{part}" if part in ("'", "\\") else f"'{part}'"
        for part in re.split(r"(['\\])", word)
        if part
    )


def file_word(name: str) -> str:
    """Return a file name for a command: ``./-g.yaml``, so that it is not taken for an option.

    For standard input, and a name that cannot be quoted on one line, return ``FILE``.
    """
    if name == "-" or name.endswith("\n"):
        return FILE
    return quoted(f"./{name}" if name.startswith("-") else name)


def option(flag: str, value: str) -> str:
    """Return an option with its value: ``--as Inês``, ``--as=-x``."""
    return quoted(f"{flag}={value}") if value.startswith("-") else f"{flag} {quoted(value)}"


def _is_plain(word: str) -> bool:
    """Return whether a word needs no quotes in any shell.

    ``=ls`` is special in zsh, ``@ls`` in PowerShell.
    """
    return (
        word != ""
        and not word.startswith(("=", "@"))
        and all(letter.isalnum() or letter in _PLAIN for letter in word)
    )


def _spelled(word: str) -> str:
    r"""Return a word as a ``printf`` format: letters as they are, the rest as ``\ooo``."""
    return "".join(
        letter
        if letter.isalnum() or (letter in _LITERAL_FOR_PRINTF and (index or letter != "-"))
        else "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
        for index, letter in enumerate(word)
    )


def _quoted_on_windows(word: str) -> str:
    """Return a word for cmd and PowerShell.

    They have double quotes in common, but no common way to escape special characters within them;
    these become question marks, so that the command matches no file or player and does no harm.
    """
    return '"' + re.sub('["%$`\u201c-\u201f]', "?", printable(word)) + '"'


STANDARD_INPUT = "standard input"


def word_of(name: str) -> str:
    """Return the word for a file that was read, in commands."""
    return FILE if name == STANDARD_INPUT else file_word(name)


def command(move: str, path: str, player: str | None = None) -> str:
    """Return the command that makes a move, with ``--as`` if a ``player`` is given."""
    verb, *rest = move.split()
    as_player = [option("--as", player)] if player is not None else []
    return " ".join(["porto", verb, path, *map(quoted, rest), *as_player])


# -- Messages: sentences for people, and the errors that are made of them
#
# A sentence is a text, usually an f-string; foreign text is put into it by ``shown``.
#
# There is an error class for everything that can be wrong with a file, a move or a command. It has
# the exit code of the command, and sentences that say what is wrong, where, and what would be
# right. Every error can be pickled: its arguments are its attributes.

_T = TypeVar("_T")

LONGEST_QUOTE = 100
"""Maximum length of foreign text in a sentence; longer text is cut."""
LONGEST_SENTENCE = 4000
"""Maximum length of an error's sentence: a file can hold megabytes, not to be repeated here."""


def told(text: str) -> str:
    """Return a sentence for an error: cut if it is long, with unprintable characters escaped."""
    return printable(text if len(text) <= LONGEST_SENTENCE else text[:LONGEST_SENTENCE] + "…")


def shown(text: object) -> str:
    """Return foreign text as messages show it: in quotes, on one line, cut if it is long, with
    unprintable characters escaped. The rest of a message, such as names of players and components,
    has been checked before.
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
    """Return words as a list in a sentence: ``a, b and c``; empty for no words."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def nearest(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the name that was probably meant by a mistyped word, in any case.

    Empty if none is similar enough or several are equally similar. ``cutoff`` is the least
    similarity, from 0 to 1.
    """
    by_case = {name.lower(): name for name in names}
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
        if not self.meant:
            return (self.sentence,)
        wrong = self.sentence.partition("; ")[0].removesuffix(".")
        return (f"{wrong}.", f"Did you mean {enumerated(self.meant, 'or')}?")


def by_verb(words: Sequence[str], readers: Mapping[str, _T]) -> _T:
    """Return the reader for the verb that these words begin with. Raises InvalidMoveError."""
    reader = readers.get(words[0].lower()) if words else None
    if reader is not None:
        return reader
    verbs = enumerated(readers, "or")
    if not words:
        raise InvalidMoveError(f"No move was given; a move begins with {verbs}.")
    sentence = f"{shown(words[0])} is not a move; a move begins with {verbs}."
    raise InvalidMoveError(sentence, tuple(readers), words[0])


class AmbiguousMoveError(InvalidMoveError):
    """An abbreviation with several meanings."""


_MOST_CANDIDATES = 6
"""Maximum number of names listed for an ambiguous abbreviation."""


def the_only(found: Sequence[str], word: str, unknown: InvalidMoveError) -> str:
    """Return the one name found for a word or an abbreviation.

    Raises AmbiguousMoveError if there are several, and ``unknown`` if there is none.
    """
    if not found:
        raise unknown
    if len(found) == 1:
        return found[0]
    could_be, more = enumerated(found, "or"), len(found) - _MOST_CANDIDATES
    if more > 1:
        could_be = f"{', '.join(found[:_MOST_CANDIDATES])} or one of {more} others"
    raise AmbiguousMoveError(f"{shown(word)} could be {could_be}; type more of it.")


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

    def with_more(self, first: Sequence[str], last: Sequence[str]) -> Self:
        """Return the same error with more sentences before and after its own."""
        return type(self)((*first, *self._reasons, *last), self.suggestions)

    def with_suggestions(self, suggestions: Sequence[str]) -> Self:
        """Return the same error with these commands instead."""
        return type(self)(self._reasons, suggestions)


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


# -- JSON documents

FORMAT = 1
"""The version of JSON documents, which is that of the record format."""


def document(**fields: Any) -> dict[str, Any]:
    """Return a document with its version."""
    return {"porto": FORMAT, **fields}


def dumps(thing: object, *, ascii_only: bool = False) -> str:
    """Return a document as one line of JSON, with control characters escaped."""
    import json

    text = json.dumps(thing, ensure_ascii=ascii_only)
    if text.isprintable():
        return text
    return re.sub(NOT_PRINTABLE, lambda match: json.dumps(match.group())[1:-1], text)


# -- Values: small immutable objects compared by their class and contents
#
# Moves and events are named tuples, because many places hold the same one. A table is a
# :class:`Struct`: it is made step by step and then left alone.

ValueT = TypeVar("ValueT", bound=type[tuple[Any, ...]])


def value(cls: ValueT) -> ValueT:
    """Make a named tuple equal to values of its own class only, and true even without fields.

    A plain named tuple equals every tuple with the same contents: a draw would equal a claim.
    """
    cls.__eq__ = _equal  # type: ignore[method-assign]
    cls.__ne__ = _unequal  # type: ignore[assignment]
    cls.__hash__ = _hash  # type: ignore[method-assign]
    cls.__bool__ = _true  # type: ignore[attr-defined]
    return cls


def _equal(self: tuple[Any, ...], other: object) -> bool:
    return type(other) is type(self) and tuple.__eq__(self, other)


def _unequal(self: tuple[Any, ...], other: object) -> bool:
    return not _equal(self, other)


def _hash(self: tuple[Any, ...]) -> int:
    return hash((type(self).__name__, *self))


def _true(self: tuple[Any, ...]) -> bool:
    return True


class Struct:
    """A table, or a player's part of it, with the attributes that its class declares. Two of one
    class with equal contents are equal.
    """

    not_compared: ClassVar[tuple[str, ...]] = ("config",)
    """Attributes that are not part of the contents."""

    def contents(self) -> dict[str, object]:
        """Return the attributes by name, without those ``not_compared``."""
        names = type(self).__annotations__
        return {name: getattr(self, name) for name in names if name not in self.not_compared}

    def copy(self) -> Self:
        """Return a shallow copy."""
        new = type(self)()
        new.__dict__ = self.__dict__.copy()
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.contents() == other.contents()

    __hash__ = None  # type: ignore[assignment]


class FieldSpec(NamedTuple):
    """How a field of moves and events appears in JSON documents; its type is annotated with this.

    ``schema``   its JSON Schema
    ``to_json``  returns the value there, given the one in the field, and the move or event
    """

    schema: dict[str, Any]
    to_json: Callable[[Any, Any], Any] = lambda value, _: value


def defined(name: str) -> dict[str, Any]:
    """Return the schema of something that is defined by a name."""
    return {"$ref": f"#/$defs/{name}"}


field_types: Callable[..., dict[str, Any]] = cache(partial(get_type_hints, include_extras=True))
"""Return the annotated types of the fields of a kind of moves or events, in their order."""


def named_fields(event: Any) -> dict[str, Any]:
    """Return the fields of an event or a move, with names in place of numbers: ``tile: indigo``."""
    fields: dict[str, Any] = event._asdict()
    for field, hint in field_types(type(event)).items():
        for spec in getattr(hint, "__metadata__", ()):
            fields[field] = spec.to_json(fields[field], event)
    return fields


def event_repr(event: Any) -> str:
    """Return the repr of an event: ``<TookTile seat=0 tile=indigo source=row>``.

    What is false, an empty name, or an empty bundle is left out.
    """
    words = [type(event).__name__]
    for field, thing in named_fields(event).items():
        if isinstance(thing, bool):
            words += [field] if thing else []
        elif isinstance(thing, dict):
            some = (name if number == 1 else f"{name} {number}" for name, number in thing.items())
            words += [f"{field}='{' '.join(some)}'"] if thing else []
        elif thing != "":
            listed = ",".join(thing) if isinstance(thing, list) else thing
            words.append(f"{field}={'none' if listed in ('', None) else listed}")
    return f"<{' '.join(words)}>"


def kebab_name(cls: type) -> str:
    """Return the name of a class in words: ``took-tile`` of ``TookTile``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
