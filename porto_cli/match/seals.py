"""The machine part of a record: its genesis and its signed steps, as text and back.

It begins with the line ``seals: |`` and reaches to the end of the file, so that the whole file is
YAML. It is one JSON object after another, the genesis first and then the steps in the order of
their heights, each spelled in exactly one way: keys sorted, ASCII, with escapes in place of spaces
and ``#``. Line breaks and spaces therefore mean nothing and may change on the way; everything else
is refused.

This module knows the form of the machine part, not what a step means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.yaml import InvalidFileError, Place

Data = dict[str, Any]
"""A genesis or a step: texts, whole numbers, lists and mappings of these, with texts as keys."""

MARK = "seals:"
WIDTH = 76
"""Maximum length of a line that is written."""
MOST_STEPS = 20_000
"""Maximum number of steps. A game has some hundreds."""
DEEPEST = 8
"""Maximum number of nested levels in a step."""

_FIRST_LINE = re.compile(r"seals:[ \t]*\|[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_BLOCK = re.compile(r"(?:[ \t][ -~\t]*\r?\n|\r?\n)*(?:[ \t][ -~\t]*)?")
"""Lines of ASCII that are indented, or empty."""
_LEAD = "  "
_NOTE = (
    "# This part is for porto: who signed which step, and what proves it. Leave",
    "# it as it is; 'porto verify' tells in words what it says.",
)


class Seals(NamedTuple):
    """The machine part of a record as it was read."""

    genesis: Data
    """What was agreed before the game."""
    steps: tuple[Data, ...]
    file: str
    text: str
    """The lines after the mark, for the positions of errors."""
    line: int
    """The number of the first of them."""

    def place(self, height: int) -> Place:
        """Return where a step begins; 0 is the genesis. After the last one, where they end."""
        wanted = sum(len(spelled(one)) for one in (self.genesis, *self.steps)[:height])
        seen = number = 0
        for number, line in enumerate(self.text.splitlines(), self.line):
            if not line.lstrip().startswith("#"):
                seen += len("".join(line.split()))
            if seen > wanted:
                return Place(self.file, number, len(_LEAD) + 1)
        return Place(self.file, max(number, self.line), 1)

    def fail(self, height: int, sentence: str) -> NoReturn:
        """Raise InvalidFileError at a step."""
        raise InvalidFileError(self.place(height), sentence)


def read(machine: str, file: str, line: int) -> Seals:
    """Return the content of a machine part, which begins on ``line``.

    Raises InvalidFileError.
    """
    first = _FIRST_LINE.match(machine)
    if not first:
        raise InvalidFileError(
            Place(file, line, 1),
            "The line that begins the machine part has to read 'seals: |'.",
        )
    block = machine[first.end() :]
    whole = _BLOCK.match(block)
    end = whole.end() if whole else 0
    if end < len(block):
        raise _outside(block, end, file, line + 1)
    packed = _packed(block)
    objects = []
    position = 0
    while position < len(packed):
        try:
            found, after = _DECODER.raw_decode(packed, position)
        except (ValueError, RecursionError) as error:
            raise _damaged(block, getattr(error, "pos", position), file, line + 1) from None
        if type(found) is not dict or not _is_spelled(found, packed[position:after]):
            raise _damaged(block, position, file, line + 1)
        objects.append(found)
        position = after
        if len(objects) > MOST_STEPS:
            raise _damaged(block, position, file, line + 1)
    if not objects:
        raise InvalidFileError(
            Place(file, line, 1),
            "The machine part of the record is empty; it was cut off. Ask for a complete copy.",
        )
    genesis, *steps = objects
    return Seals(genesis, tuple(steps), file, block, line + 1)


def _packed(block: str) -> str:
    """Return the data without spaces and comments."""
    if "#" in block:
        lines = block.split("\n")
        block = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    return "".join(block.split())


def _is_spelled(data: Data, text: str) -> bool:
    try:
        return spelled(data) == text
    except (TypeError, ValueError):
        return False


def _without_repetition(pairs: list[tuple[str, Any]]) -> Data:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repetition, parse_float=_no_number, parse_constant=_no_number
)


def _outside(block: str, index: int, file: str, line: int) -> InvalidFileError:
    """Return the error for a line that does not belong to the block."""
    number = line + block.count("\n", 0, index)
    column = index - block.rfind("\n", 0, index)
    if column == 1 and block[index : index + 1].isprintable():
        return InvalidFileError(
            Place(file, number, 1),
            "The machine part reaches to the end of the file and its lines begin with "
            "two spaces; this line does not. The turns of the game belong before "
            "'seals:'.",
        )
    return InvalidFileError(
        Place(file, number, column),
        "This character cannot be in the machine part; ask for another copy.",
    )


def _damaged(block: str, position: int, file: str, line: int) -> InvalidFileError:
    """Return the error for data that cannot be read: ``position`` ignores spaces and comments."""
    seen = 0
    place = Place(file, line + block.count("\n"), 1)
    for number, text in enumerate(block.split("\n"), line):
        stripped = text.strip()
        if not stripped or stripped.startswith("#"):
            continue
        length = len("".join(text.split()))
        place = Place(file, number, len(text) - len(text.lstrip()) + 1)
        if position < seen + length:
            break
        seen += length
    return InvalidFileError(
        place,
        "The machine part of the record is damaged here: something is missing or was "
        "changed. Ask for another copy; it does not have to be typed in.",
    )


def spelled(data: Data) -> str:
    """Return the one spelling of an object, without spaces.

    Raises TypeError or ValueError for what a machine part cannot have: booleans, fractions, null,
    keys that are not texts.
    """
    _demand_plain(data, 0)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace(" ", "\\u0020").replace("#", "\\u0023")


def _demand_plain(thing: object, depth: int) -> None:
    kind = type(thing)
    if kind is str:
        thing.encode()  # type: ignore[attr-defined]
        return
    if kind is int:
        return
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if kind is dict:
        for key, value in thing.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise TypeError(f"{key!r} is not a text")
            _demand_plain(value, depth + 1)
    elif kind is list:
        for value in thing:  # type: ignore[attr-defined]
            _demand_plain(value, depth + 1)
    else:
        raise TypeError(f"{thing!r} cannot be in a machine part")


def lines_of(data: Data) -> list[str]:
    """Return an object as lines of a machine part."""
    text = spelled(data)
    room = WIDTH - len(_LEAD)
    return [_LEAD + text[start : start + room] for start in range(0, len(text), room)]


def written(objects: Iterable[Data], *, first: bool) -> list[str]:
    """Return the lines of objects; ``first`` if the machine part begins with them."""
    lines = [f"{MARK} |", *(_LEAD + note for note in _NOTE)] if first else []
    for one in objects:
        lines += lines_of(one)
    return lines
