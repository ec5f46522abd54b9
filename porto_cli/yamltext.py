"""Strict YAML: text to nodes that know where they stand, and scalars back to text.

Every scalar is text; the reader of a node decides what it means, so ``no`` and ``1:30`` are
safe. What makes a file ambiguous or dangerous is refused with its place: duplicate keys,
anchors and aliases, tags, a second document, deep nesting, huge files, bad UTF-8.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple, Union

from porto_cli.errors import INVALID, PortoError
from porto_cli.rules.printable import printable
from porto_cli.rules.sentence import Sentence, say

LARGEST = 8 * 1024 * 1024
"""Bytes of the largest file that is read: more than 30,000 turns."""
DEEPEST = 12
"""Levels of the deepest nesting that is read."""
MOST_PARTS = 400_000
"""Keys and values that are read, as each takes memory; lists count as two. The records of games
have some hundreds, one of 30,000 turns has half as many."""
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that a file of somebody else must not send to the terminal: they erase, color, ring,
or turn the direction of what follows. Line breaks and tabs are none of them."""


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
        raise InvalidFileError(
            Place(file, 0, 0),
            say("The file is larger than {most} MiB; a record is not.", most=LARGEST >> 20),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :]) + 1
        raise InvalidFileError(
            Place(file, before.count(b"\n") + 1, column),
            say("This is not text in UTF-8; save the file with that encoding."),
        ) from None


def read(text: str, file: str) -> Mapping:
    """Return the one mapping that a text holds. Raises InvalidFileError."""
    import yaml

    try:
        root = _compose(text, file)
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        raise InvalidFileError(
            Place(file, before.count("\n") + 1, len(before) - before.rfind("\n")),
            say("There is a character that no text file should hold."),
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise InvalidFileError(
            Place(file, line, column),
            say("This is not YAML: {problem}.", problem=str(error.problem or error).rstrip(".")),
        ) from None
    except yaml.YAMLError as error:
        raise InvalidFileError(
            Place(file, 0, 0), say("This is not YAML: {problem}.", problem=str(error))
        ) from None
    if root is None:
        raise InvalidFileError(Place(file, 1, 1), say("The file is empty."))
    if not isinstance(root, Mapping):
        raise InvalidFileError(
            place_of(root, file),
            say("The file should hold keys with values, and begin with 'porto: 1'."),
        )
    return root


def _compose(text: str, file: str) -> Node | None:
    """Build the nodes from the parser's events; a stack instead of recursion."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    get: Any = loader.get_event
    root: Node | None = None
    documents = parts = 0
    stack: list[Sequence | Mapping] = []
    key: Scalar | None = None
    waiting: list[Scalar | None] = []
    try:
        while True:
            event = get()
            parts += 1
            kind = type(event).__name__
            if parts > MOST_PARTS:
                mark = event.start_mark
                raise InvalidFileError(
                    Place(file, mark.line + 1, mark.column + 1),
                    say(
                        "The file goes on after {most} keys and values; no record has so many.",
                        most=MOST_PARTS,
                    ),
                )
            if kind == "ScalarEvent":
                mark = event.start_mark
                if event.anchor is not None or event.tag is not None:
                    _refuse_extras(event, file)
                node: Node = Scalar(
                    event.value, mark.line + 1, mark.column + 1, event.style in (None, "")
                )
                if not event.value.isprintable():
                    _refuse_steering(event.value, place_of(node, file))
            elif kind in ("MappingStartEvent", "SequenceStartEvent"):
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
                if kind == "MappingStartEvent":
                    opened = Mapping({}, {}, mark.line + 1, mark.column + 1, block)
                else:
                    opened = Sequence([], mark.line + 1, mark.column + 1, block)
                if stack and isinstance(stack[-1], Mapping) and key is None:
                    raise _not_a_key(file, mark)
                stack.append(opened)
                waiting.append(key)
                key = None
                continue
            elif kind in ("MappingEndEvent", "SequenceEndEvent"):
                node = stack.pop()
                key = waiting.pop()
            elif kind == "AliasEvent":
                _refuse_extras(event, file)
                continue
            elif kind == "StreamEndEvent":
                return root
            elif kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    mark = event.start_mark
                    raise InvalidFileError(
                        Place(file, mark.line + 1, mark.column + 1),
                        say("A second document begins here; the file should hold only one."),
                    )
                continue
            elif kind == "DocumentEndEvent" and event.explicit:
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
    finally:
        loader.dispose()


def _not_a_key(file: str, mark: Any) -> InvalidFileError:
    return InvalidFileError(
        Place(file, mark.line + 1, mark.column + 1), say("A key has to be a plain text.")
    )


def _refuse_steering(text: str, place: Place) -> None:
    if _STEERING.search(text):
        raise InvalidFileError(
            place,
            say(
                "{text!r} holds a character that steers the screen instead of standing on it; "
                "leave it out.",
                text=text,
            ),
        )


def _refuse_extras(event: Any, file: str) -> None:
    place = Place(file, event.start_mark.line + 1, event.start_mark.column + 1)
    if getattr(event, "tag", None) is not None:
        raise InvalidFileError(
            place, say("The tag {tag!r} has no meaning here; write the bare value.", tag=event.tag)
        )
    raise InvalidFileError(
        place,
        say(
            "Anchors and aliases (&{name}, *{name}) are not allowed; write the value itself.",
            name=event.anchor,
        ),
    )


_PLAIN = re.compile(r"[^\W\d_](?:[\w .'/+@-]*[\w.'+])?|\d[\w+-]*")
_MEANS_MORE = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|inf|nan)|[-+.\d][\d_.,:eExXoOa-fA-F+-]*"
)


@lru_cache(maxsize=256)
def scalar(text: str) -> str:
    """Return a text as a YAML scalar: as it is where every YAML reader takes it for this text."""
    if _PLAIN.fullmatch(text) and not _MEANS_MORE.fullmatch(text):
        return text
    import json

    return json.dumps(text, ensure_ascii=not text.isprintable())


def flow(entries: dict[str, str]) -> str:
    """Return a mapping of scalars as one line: ``{L2: 1, L3: 3}``."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
