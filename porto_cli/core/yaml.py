"""Strict YAML: reading text as nodes that know their position, writing scalars, and changing one
entry of a text that people wrote.

Every scalar is text, and whoever reads a node decides what it means, so ``no`` and ``1:30`` are
safe. Anything that makes a file ambiguous or dangerous is refused with its position: duplicate
keys, anchors and aliases, tags, directives, a second document, deep nesting, huge files, bad UTF-8,
and control characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

from porto_cli.core import INVALID, InvalidMoveError, PortoError, cited
from porto_cli.core.characters import as_latin, ends_a_line, find_forbidden, is_printable, printable

_T = TypeVar("_T")

LARGEST = 8 * 1024 * 1024
"""Size in bytes of the largest file that is read: more than 30,000 turns."""
DEEPEST = 12
"""Maximum number of nested levels."""
MOST_PARTS = 400_000
"""Maximum number of keys and values, as each takes memory; lists count as two. A record has some
hundreds; one of 30,000 turns has half the maximum."""
LONGEST_TEXT = 10_000
"""Maximum length of a key or value. A move has dozens of characters."""
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
    """A file is not what it should be; says where, and what would be right."""

    exit_code = INVALID
    cure: ClassVar[str] = (
        "The file seems to have been edited or damaged: undo the change, or use an earlier copy."
    )
    """What can be done about a record with this error; nothing if there is nothing wrong in it."""

    def __init__(self, place: Place, sentence: str) -> None:
        super().__init__(place, sentence)
        self.place = place
        self.sentence = sentence

    @property
    def sentences(self) -> tuple[str, ...]:
        """The one sentence, preceded by its position."""
        return (f"{self.place}: {self.sentence}",)


class DamagedFileError(InvalidFileError):
    """A file is not text, not YAML, empty, or of an unknown kind."""

    cure = (
        "If it came by mail, save the whole mail and try 'porto receive MAIL', or ask for the file "
        "again, as an attachment; otherwise undo what was changed, or use an earlier copy."
    )


class AnotherKindError(InvalidFileError):
    """A file that may be valid, but for another command."""

    cure = ""


class NotKnownHereError(InvalidFileError):
    """A file that may be valid, but for a newer program or another package."""

    cure = ""


class MissingKeyError(InvalidFileError):
    """A mapping lacks a key, for example in a file that was cut off."""


_NO_KEYS: dict[str, Node] = {}
"""The keys of all other nodes; shared, as large files have hundreds of thousands of texts."""


class Node:
    """A text, a list or a mapping in a file, with its position.

    Each method returns what should be there, or raises :class:`InvalidFileError` with the position
    and with what would be right.
    """

    __slots__ = ("block", "column", "file", "keys", "line", "name", "value")

    def __init__(
        self,
        value: str | list[Node] | dict[str, Node],
        place: Place,
        name: str = "",
        *,
        block: bool = True,
    ) -> None:
        self.value = value
        self.file, self.line, self.column = place
        self.name = name
        """Its name in errors: its key, or the key of the list that contains it."""
        self.block = block
        """Whether it is in block style, with each item or key on its own line; for a text, whether
        it has no quotes."""
        self.keys: dict[str, Node] = {} if isinstance(value, dict) else _NO_KEYS
        """The keys of a mapping, for their positions."""

    @property
    def place(self) -> Place:
        """Where it begins."""
        return Place(self.file, self.line, self.column)

    @property
    def is_mapping(self) -> bool:
        """Whether it has keys with values."""
        return isinstance(self.value, dict)

    def fail(self, message: str, error: type[InvalidFileError] = InvalidFileError) -> NoReturn:
        """Raise an error at this place. Foreign text in ``message`` has to go through ``shown``."""
        raise error(self.place, message)

    def text(self) -> str:
        """Return the text."""
        if isinstance(self.value, str):
            return self.value
        self.fail(f"{cited(self.name)} should be a single text.")

    def title(self) -> str:
        """Return the text, which must be short enough to show."""
        text = self.text()
        if len(text) > LONGEST_TITLE:
            most = f"at most {LONGEST_TITLE} characters"
            self.fail(f"{cited(self.name)} may have {most}, not {len(text)}.")
        return text

    def number(self, least: int = 0, most: int = 999) -> int:
        """Return the whole number, which has to be within these limits."""
        text = self.text()
        digits = text.removeprefix("-") if least < 0 else text
        longest = max(5, len(str(most)))
        if digits.isascii() and digits.isdigit() and len(digits) <= longest:
            if least <= int(text) <= most:
                return int(text)
        right = f"a whole number from {least} to {most}"
        self.fail(f"{cited(self.name)} should be {right}, not {cited(text)}.")

    def one_of(self, words: Iterable[str]) -> str:
        """Return the text, which has to be one of these words."""
        text, known = self.text(), list(words)
        if text in known:
            return text
        self.fail(f"{cited(self.name)} should be one of {', '.join(known)}, not {cited(text)}.")

    def flag(self) -> bool:
        """Return whether the text is ``true``; otherwise it has to be ``false``."""
        return self.one_of(("true", "false")) == "true"

    def items(self) -> list[Node]:
        """Return the nodes of a list."""
        if isinstance(self.value, list):
            return self.value
        self.fail(f"{cited(self.name)} should be a list.")

    def mapping(
        self, required: Collection[str] = (), optional: Collection[str] | None = None
    ) -> dict[str, Node]:
        """Return the values of a mapping by their keys.

        With ``optional``, it may have no keys besides these and the required ones.
        """
        if not isinstance(self.value, dict):
            self.fail(f"{cited(self.name)} should contain keys with values.")
        if optional is not None:
            known = dict.fromkeys((*required, *optional))
            for key in self.keys:
                if key not in known:
                    message = f"The key {cited(key)} is unknown here; the keys are "
                    self.keys[key].fail(f"{message}{', '.join(known)}.")
        for key in required:
            if key not in self.keys:
                self.fail(f"The key {cited(key)} is missing.", MissingKeyError)
        return self.value

    def __contains__(self, key: str) -> bool:
        return key in self.keys

    def __getitem__(self, key: str) -> Node:
        """Return the value of a key that a mapping has."""
        return self.mapping()[key]

    def get(self, key: str) -> Node | None:
        """Return the value of a key of a mapping, if it has that key."""
        return self.mapping().get(key)

    def nearest(self, key: str, inner: str = "") -> Node:
        """Return the node of a key, or of a key ``inner`` within it; without such a key, the node
        that should contain it.
        """
        outer = self.get(key)
        if outer is None:
            return self
        inside = outer.value.items() if isinstance(outer.value, dict) else ()
        named = (node for name, node in inside if name.casefold() == inner.casefold())
        return next(named, outer) if inner else outer

    def parsed(self, parse: Callable[[str], _T]) -> _T:
        """Return the text parsed by a function of a game's notation."""
        try:
            return parse(self.text())
        except InvalidMoveError as error:
            self.fail(error.sentence)


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
        raise InvalidFileError(Place(file, 0, 0), _TOO_LARGE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :]) + 1
        raise DamagedFileError(
            Place(file, before.count(b"\n") + 1, column),
            "This is not text in UTF-8: it is no game, or was saved with another encoding.",
        ) from None


def is_too_large(text: str) -> bool:
    """Return whether a file with this text would be refused for its size."""
    return 4 * len(text) > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST


_TOO_LARGE = f"The file is larger than {LARGEST >> 20} MiB, the maximum."
NOT_A_GAME = "This is not a game: the file of a game has the line 'porto: 1' near its top."


def read(text: str, file: str, wanted: str = NOT_A_GAME) -> Node:
    """Return the mapping in a text. Raises InvalidFileError.

    ``wanted`` is the message for a text that holds something else.
    """
    import yaml

    if is_too_large(text):
        raise InvalidFileError(Place(file, 0, 0), _TOO_LARGE)
    text = text.removeprefix(BYTE_ORDER_MARK)
    index = find_forbidden(text)
    if index is not None:
        Node("", place_in(text, index, file)).fail(_forbidden(text[index]), DamagedFileError)
    directive = f"\n{text}".find("\n%")
    if directive >= 0:
        Node("", place_in(text, directive, file)).fail(
            "A line must not begin with '%': YAML directives are not supported.", DamagedFileError
        )
    try:
        root = _Composer(text, file).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        # The end of a file that is cut off is in its last line.
        end = len(text.rstrip())
        place = place_in(text, min(mark.index, end), file) if mark else Place(file, 0, 0)
        problem = str(getattr(error, "problem", None) or error)
        # Of a tab where a value begins the parser says what it says of a sign.
        problem = "tab character" if mark and text[mark.index : mark.index + 1] == "\t" else problem
        found = (told for part, told in _PROBLEMS.items() if part in problem)
        # The line is not quoted: it may hold a password, or what only one player may know.
        told = f"The file cannot be read from line {place.line} on: there or above, {next(found)}."
        message = _SURROGATE if "Unicode character escape" in problem else told
        raise DamagedFileError(place, message) from None
    except InvalidFileError:
        raise
    except (ValueError, OverflowError):
        # The parser in Python makes a character of any number.
        raise DamagedFileError(Place(file, 0, 0), _SURROGATE) from None
    if root is None:
        raise DamagedFileError(Place(file, 1, 1), "The file is empty.")
    if not root.is_mapping:
        root.fail(wanted, DamagedFileError)
    return root


_SURROGATE = (
    "Invalid Unicode escape (unpaired surrogate); write a character above U+FFFF itself, "
    "or as \\U and eight digits."
)


_PROBLEMS = {
    "mapping values": "a line is indented wrongly, or a text with a colon has no quotation marks",
    "expected ':'": "a colon is missing",
    "',' or": "a comma or a closing bracket is missing",
    "end of stream": "a quotation mark or a bracket is not closed",
    "tab character": "a line begins with a tab instead of spaces",
    "start any": "a text that begins with a sign has no quotation marks",
    "": "a line is cut off, indented wrongly, or has a sign that is not expected",
}
"""What is wrong with a file that cannot be parsed, by a part of what the parser says."""


def _forbidden(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        return _SURROGATE
    if ends_a_line(char):
        return (
            f"Character U+{ord(char):04X} is not allowed, because only some programs end a line "
            "there; remove it, or use a line feed."
        )
    return f"Control character U+{ord(char):04X} is not allowed; remove it."


class _Composer:
    """Makes nodes from the events of PyYAML's parser, the one in C if available."""

    def __init__(self, text: str, file: str) -> None:
        import yaml

        self.kinds = yaml.events
        self.next = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text).get_event
        self.file = file
        self.escapes = "\\" in text
        """Whether values may have characters that are not in the file."""
        self.parts = 0

    def event(self) -> Any:
        """Return the next event; raises InvalidFileError if there are too many."""
        event = self.next()
        self.parts += 1
        if self.parts > MOST_PARTS:
            self.fail(event, f"The file has more than the maximum of {MOST_PARTS} keys and values.")
        return event

    def fail(self, event: Any, message: str) -> NoReturn:
        """Raise InvalidFileError where an event begins."""
        self.node("", event, "", block=False).fail(message)

    def node(
        self, value: str | list[Node] | dict[str, Node], event: Any, name: str, *, block: bool
    ) -> Node:
        """Return a node that begins where an event does."""
        mark = event.start_mark
        return Node(value, Place(self.file, mark.line + 1, mark.column + 1), name, block=block)

    def document(self) -> Node | None:
        """Return the root of the only document; ``None`` if the file is empty."""
        self.event()
        event = self.event()
        if type(event) is not self.kinds.DocumentStartEvent:
            return None
        root = self.composed(self.event(), "", 0)
        end = self.event()
        if end.explicit:
            self.fail(
                end, "The line '...' ends the file too early, because turns are added at its end."
            )
        event = self.event()
        if type(event) is self.kinds.DocumentStartEvent:
            self.fail(event, "A second document begins here; the file should hold only one.")
        return root

    def composed(self, event: Any, name: str, depth: int) -> Node:
        """Return the node that begins with an event."""
        if getattr(event, "tag", None) is not None:
            tag = cited(event.tag)
            self.fail(event, f"The tag {tag} is not supported; write the value alone.")
        if event.anchor is not None:
            anchor = cited(event.anchor)
            self.fail(
                event,
                f"Anchors and aliases, like {anchor}, are not allowed; write the value itself.",
            )
        if type(event) is self.kinds.ScalarEvent:
            return self.scalar(event, name)
        if depth >= DEEPEST:
            self.fail(event, f"This is nested more than {DEEPEST} levels deep.")
        if type(event) is self.kinds.SequenceStartEvent:
            items: list[Node] = []
            node = self.node(items, event, name, block=not event.flow_style)
            while type(event := self.event()) is not self.kinds.SequenceEndEvent:
                items.append(self.composed(event, name, depth + 1))
            return node
        values: dict[str, Node] = {}
        node = self.node(values, event, name, block=not event.flow_style)
        while type(event := self.event()) is not self.kinds.MappingEndEvent:
            if type(event) in (self.kinds.SequenceStartEvent, self.kinds.MappingStartEvent):
                self.fail(event, "A key has to be a plain text.")
            place = self.composed(event, name, depth + 1)
            key = place.text()
            if key in values:
                line = node.keys[key].line
                place.fail(f"Duplicate key {cited(key)}; its first value is on line {line}.")
            node.keys[key] = place
            values[key] = self.composed(self.event(), key, depth + 1)
        return node

    def scalar(self, event: Any, name: str) -> Node:
        """Return the node of a text."""
        if len(event.value) > LONGEST_TEXT:
            self.fail(event, f"This text is longer than the maximum of {LONGEST_TEXT} characters.")
        index = find_forbidden(event.value, lines=False) if self.escapes else None
        if index is not None:
            self.fail(event, _forbidden(event.value[index]))
        return self.node(event.value, event, name, block=event.style in (None, ""))


# -- Writing

_PLAIN = re.compile(r"[^\W\d_](?:[\w .'/+@-]*[\w.'+])?|\d[\w+-]*")
_MEANS_MORE = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|inf|nan)|[-+.\d][\d_.,:eExXoOa-fA-F+-]*"
)


def scalar(text: str) -> str:
    """Return a text as a YAML scalar, without quotes if every parser reads it as this text."""
    latin = as_latin(text)
    if _PLAIN.fullmatch(latin) and not _MEANS_MORE.fullmatch(latin):
        return text
    import json

    if is_printable(text):
        return json.dumps(text, ensure_ascii=False)
    # JSON writes a character above U+FFFF as a surrogate pair, which YAML does not allow.
    return re.sub(r"\\u(d[89ab]..)\\u(d[c-f]..)", _whole, json.dumps(text))


def _whole(pair: re.Match[str]) -> str:
    high, low = (int(half, 16) for half in pair.groups())
    return f"\\U{0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF):08x}"


def flow(entries: dict[str, str]) -> str:
    """Return a mapping of scalars on one line: ``{L2: 1, L3: 3}``."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"


# -- Changing one entry of a text that people wrote, without touching anything else
#
# The texts are valid, as they have been read before. PyYAML's own nodes also know where they end.


def nodes_of(text: str) -> Any:
    """Return PyYAML's root node of a text; ``None`` if the text is empty.

    A byte order mark counts as a character of the text.
    """
    import yaml

    # Another character takes the place of the mark, so that indexes are those of the text.
    plain = text.replace(BYTE_ORDER_MARK, "\n", 1) if text.startswith(BYTE_ORDER_MARK) else text
    return yaml.compose(plain, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def end_of(node: Any, text: str) -> int:
    """Return the index where a value ends, before spaces and comments."""
    if node.value and getattr(node, "flow_style", None) is False:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last, text)
    return len(text[: node.end_mark.index].rstrip())


def _spans(node: Any, text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each text in a value, between punctuation and comments."""
    if isinstance(node.value, str):
        yield node.start_mark.index, end_of(node, text)
        return
    for item in node.value:
        for part in item if isinstance(item, tuple) else (item,):
            yield from _spans(part, text)


def with_entry(text: str, key: str, line: str) -> str:
    """Return the text of a mapping with the entry of a key replaced by a line, which is added at
    the end if there is no such entry. An empty line removes the entry.

    Comments within the old entry move above it. A comment after it stays there, or becomes a line
    of its own if the entry is removed.
    """
    root, newline = nodes_of(text), newline_of(text)
    entries = [pair for pair in (root.value if root else ()) if pair[0].value == key]
    if not entries:
        indent = " " * root.start_mark.column if root else ""
        before = newline if text and not text.endswith("\n") else ""
        return f"{text}{before}{indent}{line}{newline}" if line else text
    name, value = entries[0]
    start, end = name.start_mark.index, end_of(value, text)
    spans = [*_spans(name, text), *_spans(value, text), (end, end)]
    gaps = [text[before:after] for (_, before), (after, _) in pairwise(spans)]
    comments = [comment for gap in gaps for comment in re.findall(r"#[^\r\n]*", gap)]
    rest = text[end:]
    if not line:
        after, _, rest = rest.partition("\n")
        comments += after.rstrip().split(maxsplit=0)
    first = text.rfind("\n", 0, start) + 1
    first += text.startswith(BYTE_ORDER_MARK, first)
    indent = text[first:start]
    above = "".join(f"{indent}{comment}{newline}" for comment in comments)
    return f"{text[:first]}{above}{indent + line if line else ''}{rest}"
