"""Strict YAML: text to nodes that know their position, what is in them, and scalars as text.

Every scalar is text; whoever reads a node decides what it means, so ``no`` and ``1:30`` are
safe. What makes a file ambiguous or dangerous is refused with its position: duplicate keys, anchors
and aliases, tags, directives, a second document, deep nesting, huge files, bad UTF-8, and control
characters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn, Union

from porto_cli.core.characters import as_latin, ends_a_line, find_forbidden, is_printable, printable
from porto_cli.core.message import INVALID, PortoError, Sentence, say

LARGEST = 8 * 1024 * 1024
"""Size in bytes of the largest file that is read: more than 30,000 turns."""
DEEPEST = 12
"""Maximum number of nested levels."""
MOST_PARTS = 400_000
"""Maximum number of keys and values, as each takes memory; lists count as two. The records of games
have some hundreds, one of 30,000 turns has half as many."""
LONGEST_TEXT = 10_000
"""Maximum length of a key or value. A move has some dozens of characters."""
LONGEST_TITLE = 1000
"""Maximum length of the title of a game and the name of an edition."""
BYTE_ORDER_MARK = "\ufeff"
"""A file may begin with it; it is kept when the file is rewritten."""


class Place(NamedTuple):
    """A position: file, line and column, counted from 1; 0 if unknown."""

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
        """The one sentence, preceded by its position."""
        return (say("{place}: {sentence}", place=self.place, sentence=self.sentence),)


class NotKnownHereError(InvalidFileError):
    """A file that may well be valid, but for a newer program, or one with a package more."""


class Scalar(NamedTuple):
    """A text, without quotes. ``plain`` if it has none in the file."""

    text: str
    line: int
    column: int
    plain: bool


class Sequence(NamedTuple):
    """A list; ``block`` if each item is on a line of its own, after a dash."""

    items: list[Node]
    line: int
    column: int
    block: bool


class Mapping(NamedTuple):
    """Keys with values, in order. ``keys`` holds the position of each."""

    entries: dict[str, Node]
    keys: dict[str, Scalar]
    line: int
    column: int
    block: bool


Node = Union[Scalar, Sequence, Mapping]  # noqa: UP007 - the classes are named before they exist


def place_of(node: Node, file: str) -> Place:
    """Return where a node begins."""
    return Place(file, node.line, node.column)


def place_in(text: str, index: int, file: str) -> Place:
    """Return the line and column of a character of a text."""
    return Place(file, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def newline_of(text: str) -> str:
    """Return the line ending of a text: mail programs may have changed it."""
    return "\r\n" if "\r\n" in text else "\n"


# -- Parsing


def decode(data: bytes, file: str) -> str:
    """Return the text of a file's bytes. Raises InvalidFileError for anything but UTF-8."""
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
    """Return whether a file with this text would be refused for its size."""
    return 4 * len(text) > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST


def _too_large(file: str) -> InvalidFileError:
    sentence = say("The file is larger than {most} MiB, the maximum.", most=LARGEST >> 20)
    return InvalidFileError(Place(file, 0, 0), sentence)


_A_RECORD = say("The file should hold keys with values, and begin with 'porto: 1'.")


def read(text: str, file: str, wanted: Sentence = _A_RECORD) -> Mapping:
    """Return the one mapping that a text holds. Raises InvalidFileError.

    ``wanted`` says what the file should hold, for a file that holds something else.
    """
    import yaml

    if is_too_large(text):
        raise _too_large(file)
    text = text.removeprefix(BYTE_ORDER_MARK)
    _refuse_characters(text, file)
    _refuse_directives(text, file)
    try:
        root = _compose(_events(text), file, escapes="\\" in text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if mark:
            raise _invalid(file, mark, _not_yaml(error)) from None
        raise InvalidFileError(Place(file, 0, 0), _not_yaml(error)) from None
    except yaml.YAMLError as error:
        raise InvalidFileError(Place(file, 0, 0), _not_yaml(error)) from None
    except InvalidFileError:
        raise
    except (ValueError, OverflowError):
        # The parser in Python makes a character of any number.
        raise InvalidFileError(Place(file, 0, 0), _SURROGATE) from None
    if root is None:
        raise InvalidFileError(Place(file, 1, 1), say("The file is empty."))
    if not isinstance(root, Mapping):
        raise InvalidFileError(place_of(root, file), wanted)
    return root


def _refuse_characters(text: str, file: str) -> None:
    index = find_forbidden(text)
    if index is not None:
        raise InvalidFileError(place_in(text, index, file), _forbidden(text[index]))


_SURROGATE = say(
    "Invalid Unicode escape (unpaired surrogate); write a character above U+FFFF itself, "
    "or as \\U and eight digits."
)


def _forbidden(char: str) -> Sentence:
    if "\ud800" <= char <= "\udfff":
        return _SURROGATE
    code = f"U+{ord(char):04X}"
    if ends_a_line(char):
        return say(
            "Character {code} is not allowed, because only some programs end a line there; remove "
            "it, or use a line feed.",
            code=code,
        )
    return say("Control character {code} is not allowed; remove it.", code=code)


def _refuse_directives(text: str, file: str) -> None:
    index = 0 if text.startswith("%") else text.find("\n%") + 1
    if index or text.startswith("%"):
        raise InvalidFileError(
            place_in(text, index, file),
            say("A line must not begin with '%': YAML directives are not supported."),
        )


def _not_yaml(error: Exception) -> Sentence:
    problem = str(getattr(error, "problem", None) or error).rstrip(".")
    if "Unicode character escape" in problem:
        return _SURROGATE
    return say("This is not YAML: {problem}.", problem=problem)


def _events(text: str) -> Iterator[Any]:
    """Return the parser's events; the parser in C is used if PyYAML has it."""
    import yaml

    return iter(getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text).get_event, None)


def _compose(events: Iterable[Any], file: str, *, escapes: bool) -> Node | None:
    """Build the nodes from the parser's events, with a stack instead of recursion.

    If the text has ``escapes``, its values may have characters that the file has not.
    """
    from yaml import events as kinds

    scalar, mapping, sequence = kinds.ScalarEvent, kinds.MappingStartEvent, kinds.SequenceStartEvent
    ends = (kinds.MappingEndEvent, kinds.SequenceEndEvent)
    root: Node | None = None
    documents = 0
    stack: list[Sequence | Mapping] = []
    key: Scalar | None = None
    outer_keys: list[Scalar | None] = []
    for parts, event in enumerate(events, start=1):
        kind = type(event)
        if parts > MOST_PARTS:
            too_many = say(
                "The file has more than the maximum of {most} keys and values.", most=MOST_PARTS
            )
            raise _invalid(file, event.start_mark, too_many)
        if kind is scalar:
            mark = event.start_mark
            if event.anchor is not None or event.tag is not None:
                raise _invalid(file, mark, _unsupported(event))
            text = event.value
            node: Node = Scalar(text, mark.line + 1, mark.column + 1, event.style in (None, ""))
            if len(text) > LONGEST_TEXT:
                too_long = say(
                    "This text is longer than the maximum of {most} characters.", most=LONGEST_TEXT
                )
                raise _invalid(file, mark, too_long)
            if escapes:
                index = find_forbidden(text, lines=False)
                if index is not None:
                    raise _invalid(file, mark, _forbidden(text[index]))
        elif kind is mapping or kind is sequence:
            mark = event.start_mark
            if event.anchor is not None or event.tag is not None:
                raise _invalid(file, mark, _unsupported(event))
            if len(stack) >= DEEPEST:
                too_deep = say("This is nested more than {most} levels deep.", most=DEEPEST)
                raise _invalid(file, mark, too_deep)
            block = not event.flow_style
            opened: Sequence | Mapping
            if kind is mapping:
                opened = Mapping({}, {}, mark.line + 1, mark.column + 1, block)
            else:
                opened = Sequence([], mark.line + 1, mark.column + 1, block)
            if stack and isinstance(stack[-1], Mapping) and key is None:
                raise _invalid(file, mark, _NOT_A_KEY)
            stack.append(opened)
            outer_keys.append(key)
            key = None
            continue
        elif kind in ends:
            node = stack.pop()
            key = outer_keys.pop()
        elif kind is kinds.AliasEvent:
            raise _invalid(file, event.start_mark, _unsupported(event))
        elif kind is kinds.DocumentStartEvent:
            documents += 1
            if documents > 1:
                second = say("A second document begins here; the file should hold only one.")
                raise _invalid(file, event.start_mark, second)
            continue
        elif kind is kinds.DocumentEndEvent and event.explicit:
            end = say("The line '...' ends the file too early, because turns are added at its end.")
            raise _invalid(file, event.start_mark, end)
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
                raise _invalid(file, event.start_mark, _NOT_A_KEY)
            if node.text in parent.keys:
                line = parent.keys[node.text].line
                twice = say(
                    "Duplicate key {key!r}; its first value is on line {line}.",
                    key=node.text,
                    line=line,
                )
                raise InvalidFileError(place_of(node, file), twice)
            parent.keys[node.text] = node
            key = node
        else:
            parent.entries[key.text] = node
            key = None
    return root


_NOT_A_KEY = say("A key has to be a plain text.")


def _invalid(file: str, mark: Any, sentence: Sentence) -> InvalidFileError:
    """Return an error at a mark of PyYAML."""
    return InvalidFileError(Place(file, mark.line + 1, mark.column + 1), sentence)


def _unsupported(event: Any) -> Sentence:
    if getattr(event, "tag", None) is not None:
        return say("The tag {tag!r} is not supported; write the value alone.", tag=event.tag)
    return say(
        "Anchors and aliases, like {name!r}, are not allowed; write the value itself.",
        name=event.anchor,
    )


# -- Reading nodes


class Reader:
    """Reads the nodes of one file, which is named in every error.

    Missing and unknown keys and values of the wrong kind are errors: every method raises
    :class:`InvalidFileError` with the position of the error and a sentence that says what would
    be right.
    """

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, node: Node, sentence: Sentence) -> NoReturn:
        """Raise InvalidFileError at a node."""
        raise InvalidFileError(place_of(node, self.file), sentence)

    def fail_as_not_known(self, node: Node, sentence: Sentence) -> NoReturn:
        """Raise NotKnownHereError at a node."""
        raise NotKnownHereError(place_of(node, self.file), sentence)

    def keys(
        self, node: Mapping, required: Collection[str], optional: Collection[str] = ()
    ) -> None:
        """Require these keys and no others."""
        for key, where in node.keys.items():
            if key not in required and key not in optional:
                self.fail(
                    where,
                    say(
                        "The key {key!r} is unknown here; the keys are {keys}.",
                        key=key,
                        keys=", ".join([*required, *optional]),
                    ),
                )
        for key in required:
            if key not in node.entries:
                self.fail(node, say("The key {key!r} is missing.", key=key))

    def mapping(self, node: Node, what: str) -> Mapping:
        """Require a mapping."""
        if not isinstance(node, Mapping):
            self.fail(node, say("{what!r} should contain keys with values.", what=what))
        return node

    def sequence(self, node: Node, what: str) -> Sequence:
        """Require a list."""
        if not isinstance(node, Sequence):
            self.fail(node, say("{what!r} should be a list.", what=what))
        return node

    def text(self, node: Node, what: str) -> str:
        """Require a single text."""
        if not isinstance(node, Scalar):
            self.fail(node, say("{what!r} should be a single text.", what=what))
        return node.text

    def title(self, node: Node, what: str) -> str:
        """Require a single text that is not too long to be shown."""
        text = self.text(node, what)
        if len(text) > LONGEST_TITLE:
            self.fail(
                node,
                say(
                    "{what!r} may have {most} characters, not {count}.",
                    what=what,
                    most=LONGEST_TITLE,
                    count=len(text),
                ),
            )
        return text

    def texts(self, node: Node, what: str) -> list[tuple[str, Node]]:
        """Require a list of texts; return each with its node."""
        return [(self.text(item, what), item) for item in self.sequence(node, what).items]

    def number(self, node: Node, what: str, least: int = 0, most: int = 999) -> int:
        """Require a whole number between ``least`` and ``most``."""
        text = self.text(node, what)
        digits = max(5, len(str(most)))
        if text.isascii() and text.isdigit() and len(text) <= digits and least <= int(text) <= most:
            return int(text)
        self.fail(
            node,
            say(
                "{what!r} should be a whole number from {least} to {most}, not {text!r}.",
                what=what,
                least=least,
                most=most,
                text=text,
            ),
        )

    def one_of(self, node: Node, what: str, choices: Iterable[str]) -> str:
        """Require one of some words."""
        text = self.text(node, what)
        choices = list(choices)
        if text not in choices:
            self.fail(
                node,
                say(
                    "{what!r} should be one of {choices}, not {text!r}.",
                    what=what,
                    choices=", ".join(choices),
                    text=text,
                ),
            )
        return text

    def flag(self, node: Node, what: str) -> bool:
        """Require ``true`` or ``false``."""
        return self.one_of(node, what, ("true", "false")) == "true"


# -- Writing

_PLAIN = re.compile(r"[^\W\d_](?:[\w .'/+@-]*[\w.'+])?|\d[\w+-]*")
_MEANS_MORE = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|inf|nan)|[-+.\d][\d_.,:eExXoOa-fA-F+-]*"
)
_SURROGATES = re.compile(r"\\u(d[89ab]..)\\u(d[c-f]..)")


def scalar(text: str) -> str:
    """Return a text as a YAML scalar, without quotes where every parser reads it as this text."""
    latin = as_latin(text)
    if _PLAIN.fullmatch(latin) and not _MEANS_MORE.fullmatch(latin):
        return text
    import json

    if is_printable(text):
        return json.dumps(text, ensure_ascii=False)
    # JSON writes a character above U+FFFF as a surrogate pair, which YAML does not allow.
    return _SURROGATES.sub(_whole, json.dumps(text))


def _whole(pair: re.Match[str]) -> str:
    high, low = (int(half, 16) for half in pair.groups())
    return f"\\U{0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF):08x}"


def flow(entries: dict[str, str]) -> str:
    """Return a mapping of scalars on one line: ``{L2: 1, L3: 3}``."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
