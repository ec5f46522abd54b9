"""Strict YAML: text to nodes that know where they stand, and scalars back to text.

Every scalar is text; the reader of a node decides what it means, so ``no`` and ``1:30`` are
safe. What makes a file ambiguous or dangerous is refused with its place: duplicate keys,
anchors and aliases, tags, directives, a second document, deep nesting, huge files, bad UTF-8,
characters that steer a terminal, and everything that YAML readers judge differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Union

from porto_cli.core import pyyaml
from porto_cli.core.ambiguity import find_ambiguity, is_unusual
from porto_cli.core.characters import as_latin, ends_a_line, find_forbidden, is_printable
from porto_cli.core.errors import INVALID, PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.printable import printable

LARGEST = 8 * 1024 * 1024
"""Bytes of the largest file that is read: more than 30,000 turns."""
DEEPEST = 12
"""Levels of the deepest nesting that is read."""
MOST_PARTS = 400_000
"""Keys and values that are read, as each takes memory; lists count as two. The records of games
have some hundreds, one of 30,000 turns has half as many."""
LONGEST_TEXT = 10_000
"""Characters of the longest key or value. A move has some dozens."""
LONGEST_TITLE = 1000
"""Characters of the longest title of a game and name of an edition."""
BYTE_ORDER_MARK = "\ufeff"
"""May begin a file; it stays there when the file is written again."""


class Place(NamedTuple):
    """Where something stands: file, line and column, counted from 1; 0 if not known."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        file = printable(self.file)
        return f"{file}:{self.line}:{self.column}" if self.line else file


class InvalidFileError(PortoError, ValueError):
    """A file that is not what it should be: where, and what would be right."""

    exit_code = INVALID

    def __init__(self, place: Place, sentence: Sentence) -> None:
        super().__init__(place, sentence)
        self.place = place
        self.sentence = sentence

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The one sentence, with its place before it."""
        return (say("{place}: {sentence}", place=self.place, sentence=self.sentence),)


class Scalar(NamedTuple):
    """A text, without quotes. ``plain`` if it stands there without any."""

    text: str
    line: int
    column: int
    plain: bool


class Sequence(NamedTuple):
    """A list; ``block`` if it has one item a line, each behind a dash."""

    items: list[Node]
    line: int
    column: int
    block: bool


class Mapping(NamedTuple):
    """Keys with values, in order. ``keys`` holds where each of them stands."""

    entries: dict[str, Node]
    keys: dict[str, Scalar]
    line: int
    column: int
    block: bool


Node = Union[Scalar, Sequence, Mapping]  # noqa: UP007 - the classes are named before they exist


def place_of(node: Node, file: str) -> Place:
    """Return where a node begins."""
    return Place(file, node.line, node.column)


def decode(data: bytes, file: str) -> str:
    """Return the text of a file's bytes. Raises InvalidFileError for all but UTF-8."""
    if len(data) > LARGEST:
        raise _too_large(file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :]) + 1
        raise InvalidFileError(
            Place(file, before.count(b"\n") + 1, column),
            say("This is not text in UTF-8; save the file with that encoding."),
        ) from None


def is_too_large(text: str) -> bool:
    """Tell whether a file with this text would not be read."""
    return 4 * len(text) > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST


def _too_large(file: str) -> InvalidFileError:
    return InvalidFileError(
        Place(file, 0, 0),
        say("The file is larger than {most} MiB; a record is not.", most=LARGEST >> 20),
    )


_A_RECORD = say("The file should hold keys with values, and begin with 'porto: 1'.")


def read(text: str, file: str, wanted: Sentence = _A_RECORD) -> Mapping:
    """Return the one mapping that a text holds. Raises InvalidFileError.

    ``wanted`` says what the file should hold, to be told of one that holds something else.
    """
    pyyaml.prepare()
    import yaml

    if is_too_large(text):
        raise _too_large(file)
    text = text.removeprefix(BYTE_ORDER_MARK)
    _refuse_characters(text, file)
    unusual = is_unusual(text)
    if unusual:
        _refuse_directives(text, file)
    try:
        root = _compose(_events(text), file, escapes="\\" in text)
        ambiguity = find_ambiguity(text, _events(text)) if unusual else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise InvalidFileError(Place(file, line, column), _not_yaml(error)) from None
    except yaml.YAMLError as error:
        raise InvalidFileError(Place(file, 0, 0), _not_yaml(error)) from None
    except InvalidFileError:
        raise
    except (ValueError, OverflowError):
        # The reader in Python makes a character of any number.
        raise InvalidFileError(Place(file, 0, 0), _NO_CHARACTER) from None
    if ambiguity:
        raise InvalidFileError(place_in(text, ambiguity.place, file), ambiguity.sentence)
    if root is None:
        raise InvalidFileError(Place(file, 1, 1), say("The file is empty."))
    if not isinstance(root, Mapping):
        raise InvalidFileError(place_of(root, file), wanted)
    return root


def newline_of(text: str) -> str:
    """Return how the lines of a text end: mail programs may have changed that."""
    return "\r\n" if "\r\n" in text else "\n"


def place_in(text: str, index: int, file: str) -> Place:
    """Return the line and column of a character of a text."""
    return Place(file, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _refuse_characters(text: str, file: str) -> None:
    index = find_forbidden(text)
    if index is not None:
        raise InvalidFileError(place_in(text, index, file), _forbidden(text[index]))


def _forbidden(char: str) -> Sentence:
    if "\ud800" <= char <= "\udfff":
        return _NO_CHARACTER
    code = f"U+{ord(char):04X}"
    if ends_a_line(char):
        return say(
            "Here stands the character {code}, which ends a line for some programs and not for "
            "others; leave it out, or write a line feed.",
            code=code,
        )
    return say(
        "Here stands the character {code}, which steers the screen instead of standing on it; "
        "leave it out.",
        code=code,
    )


def _refuse_directives(text: str, file: str) -> None:
    index = 0 if text.startswith("%") else text.find("\n%") + 1
    if index or text.startswith("%"):
        raise InvalidFileError(
            place_in(text, index, file),
            say("A line must not begin with '%': directives of YAML have no meaning here."),
        )


def _not_yaml(error: Exception) -> Sentence:
    problem = str(getattr(error, "problem", None) or error).rstrip(".")
    if "Unicode character escape" in problem:
        return _NO_CHARACTER
    return say("This is not YAML: {problem}.", problem=problem)


_NO_CHARACTER = say(
    "Half a character stands here, or none; in YAML one above U+FFFF is written as it is, or "
    "as \\U and eight digits."
)


def _events(text: str) -> Iterator[Any]:
    """Return the parser's events: by the library in C, or by the one in Python if there is none."""
    import yaml

    return iter(getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text).get_event, None)


def _compose(events: Iterable[Any], file: str, *, escapes: bool) -> Node | None:
    """Build the nodes from the parser's events; a stack instead of recursion.

    Where there are ``escapes``, texts may hold characters that the file does not.
    """
    from yaml import events as kinds

    scalar, mapping, sequence = kinds.ScalarEvent, kinds.MappingStartEvent, kinds.SequenceStartEvent
    ends = (kinds.MappingEndEvent, kinds.SequenceEndEvent)
    root: Node | None = None
    documents = 0
    stack: list[Sequence | Mapping] = []
    key: Scalar | None = None
    waiting: list[Scalar | None] = []
    for parts, event in enumerate(events, start=1):
        kind = type(event)
        if parts > MOST_PARTS:
            mark = event.start_mark
            raise InvalidFileError(
                Place(file, mark.line + 1, mark.column + 1),
                say(
                    "The file goes on after {most} keys and values; no record has so many.",
                    most=MOST_PARTS,
                ),
            )
        if kind is scalar:
            mark = event.start_mark
            if event.anchor is not None or event.tag is not None:
                _refuse_extras(event, file)
            text = event.value
            node: Node = Scalar(text, mark.line + 1, mark.column + 1, event.style in (None, ""))
            if len(text) > LONGEST_TEXT:
                raise _too_long(place_of(node, file))
            if escapes:
                _refuse_escaped(text, place_of(node, file))
        elif kind is mapping or kind is sequence:
            mark = event.start_mark
            if event.anchor is not None or event.tag is not None:
                _refuse_extras(event, file)
            if len(stack) >= DEEPEST:
                raise InvalidFileError(
                    Place(file, mark.line + 1, mark.column + 1),
                    say("This is nested deeper than {most} levels.", most=DEEPEST),
                )
            block = not event.flow_style
            opened: Sequence | Mapping
            if kind is mapping:
                opened = Mapping({}, {}, mark.line + 1, mark.column + 1, block)
            else:
                opened = Sequence([], mark.line + 1, mark.column + 1, block)
            if stack and isinstance(stack[-1], Mapping) and key is None:
                raise _not_a_key(file, mark)
            stack.append(opened)
            waiting.append(key)
            key = None
            continue
        elif kind in ends:
            node = stack.pop()
            key = waiting.pop()
        elif kind is kinds.AliasEvent:
            _refuse_extras(event, file)
            continue
        elif kind is kinds.DocumentStartEvent:
            documents += 1
            if documents > 1:
                mark = event.start_mark
                raise InvalidFileError(
                    Place(file, mark.line + 1, mark.column + 1),
                    say("A second document begins here; the file should hold only one."),
                )
            continue
        elif kind is kinds.DocumentEndEvent and event.explicit:
            mark = event.start_mark
            raise InvalidFileError(
                Place(file, mark.line + 1, mark.column + 1),
                say("The mark '...' ends the file too early: turns are added at its end."),
            )
        else:
            continue
        if not stack:
            root = node
            continue
        parent = stack[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif key is None:
            if not isinstance(node, Scalar):
                raise _not_a_key(file, event.start_mark)
            if node.text in parent.keys:
                raise InvalidFileError(
                    place_of(node, file),
                    say(
                        "The key {key!r} stands here a second time; first in line {line}.",
                        key=node.text,
                        line=parent.keys[node.text].line,
                    ),
                )
            parent.keys[node.text] = node
            key = node
        else:
            parent.entries[key.text] = node
            key = None
    return root


def _not_a_key(file: str, mark: Any) -> InvalidFileError:
    return InvalidFileError(
        Place(file, mark.line + 1, mark.column + 1), say("A key has to be a plain text.")
    )


def _too_long(place: Place) -> InvalidFileError:
    return InvalidFileError(
        place,
        say("This text is longer than {most} characters; none needs so many.", most=LONGEST_TEXT),
    )


def _refuse_escaped(text: str, place: Place) -> None:
    index = find_forbidden(text, lines=False)
    if index is not None:
        raise InvalidFileError(place, _forbidden(text[index]))


def _refuse_extras(event: Any, file: str) -> None:
    place = Place(file, event.start_mark.line + 1, event.start_mark.column + 1)
    if getattr(event, "tag", None) is not None:
        raise InvalidFileError(
            place, say("The tag {tag!r} has no meaning here; write the bare value.", tag=event.tag)
        )
    raise InvalidFileError(
        place,
        say(
            "Anchors and aliases, like {name!r}, are not allowed; write the value itself.",
            name=event.anchor,
        ),
    )


_PLAIN = re.compile(r"[^\W\d_](?:[\w .'/+@-]*[\w.'+])?|\d[\w+-]*")
_MEANS_MORE = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|inf|nan)|[-+.\d][\d_.,:eExXoOa-fA-F+-]*"
)
_HALVES = re.compile(r"\\u(d[89ab]..)\\u(d[c-f]..)")


@lru_cache(maxsize=256)
def scalar(text: str) -> str:
    """Return a text as a YAML scalar: as it is where every YAML reader takes it for this text."""
    latin = as_latin(text)
    if _PLAIN.fullmatch(latin) and not _MEANS_MORE.fullmatch(latin):
        return text
    import json

    if is_printable(text):
        return json.dumps(text, ensure_ascii=False)
    # JSON writes a character above U+FFFF as two halves, which YAML does not know.
    return _HALVES.sub(_whole, json.dumps(text))


def _whole(halves: re.Match[str]) -> str:
    high, low = (int(half, 16) for half in halves.groups())
    return f"\\U{0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF):08x}"


def flow(entries: dict[str, str]) -> str:
    """Return a mapping of scalars as one line: ``{L2: 1, L3: 3}``."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
