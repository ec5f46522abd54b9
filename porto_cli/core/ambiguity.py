"""What YAML readers judge differently, and where it stands in a text.

libyaml, the reader in Python and the readers of other languages agree on what people write. They
do not on tabs between words, on question marks outside quotes, on comments that touch what stands
before them, and on odd beginnings of texts behind ``|`` and ``>``. A record that is one thing here
and another there is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from porto_cli.core.message import Sentence, say

_UNUSUAL = ("\t", "?", "|", ">", "%", ":[", ":]", ":{", ":}", ":,")
"""Signs without which nothing is ambiguous but a '#' that touches what stands before it."""


class Ambiguity(NamedTuple):
    """Something that readers judge differently: where in the text, and what would be right."""

    place: int
    sentence: Sentence


def is_unusual(text: str) -> bool:
    """Tell whether a text needs a closer look; most do not."""
    comments = text.count(" #") + text.count("\n#") + text.startswith("#")
    return text.count("#") != comments or any(sign in text for sign in _UNUSUAL)


def find_ambiguity(text: str, events: Iterable[Any]) -> Ambiguity | None:
    """Return the first thing in a text that readers judge differently; ``events`` are its parser's.

    Keys and values are judged by how they are written, and what stands between them by itself.
    """
    done = depth = 0
    for event in events:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            start, end = event.start_mark.index, event.end_mark.index
            found = (
                _between(text, done, start)
                or _in_a_line_break(text, start, end)
                or (_in_block(text, start, end) if event.style in ("|", ">") else None)
                or (None if event.style else _in_plain(text, start, end, depth > 0))
            )
            if found:
                return found
            done = max(done, end)
        elif kind in ("MappingStartEvent", "SequenceStartEvent") and event.flow_style:
            depth += 1
        elif kind in ("MappingEndEvent", "SequenceEndEvent") and depth:
            depth -= 1
    return _between(text, done, len(text))


_TAB = say("A tab is judged differently by different programs here; write blanks.")
_COMMENT = say(
    "A comment begins with a blank and '#'; put a blank before it, or the text in quotes."
)
_QUESTION = say(
    "A question mark means something else to other programs here; put the text in quotes."
)
_COLON = say("A colon at the end of a text means something else to other programs; use quotes.")
_BLOCK = say(
    "A text behind '|' or '>' has to begin in the next line, and these stand alone behind a key or "
    "a dash; write the text in quotes."
)

_ODD = re.compile(r"#[^\n]*|[\t?]")


def _between(text: str, start: int, end: int) -> Ambiguity | None:
    """Look at what stands between two texts: blanks, signs and comments."""
    for found in _ODD.finditer(text, start, end):
        index = found.start()
        char = text[index]
        if char == "\t":
            return Ambiguity(index, _TAB)
        if char == "?":
            return Ambiguity(index, _QUESTION)
        if index and text[index - 1] not in " \n":
            return Ambiguity(index, _COMMENT)
    return None


_INDENTED_BY_TAB = re.compile(r"\n *\t")


def _in_a_line_break(text: str, start: int, end: int) -> Ambiguity | None:
    found = _INDENTED_BY_TAB.search(text, start, end)
    return Ambiguity(found.end() - 1, _TAB) if found else None


def _in_plain(text: str, start: int, end: int, in_flow: bool) -> Ambiguity | None:
    tab = text.find("\t", start, end)
    if tab >= 0:
        return Ambiguity(tab, _TAB)
    if in_flow:
        question = text.find("?", start, end)
        if question >= 0:
            return Ambiguity(question, _QUESTION)
        if end > start and text[end : end + 1] == ":" and text[end + 1 : end + 2] in "[]{},":
            return Ambiguity(end, _COLON)
    return None


_BLOCK_TEXT = re.compile(r"[|>][+-]?(?: +(?:#[^\n]*)?)?\r?\n +[^\s]")
_BEFORE_BLOCK = re.compile(r"[:-] +\Z")


def _in_block(text: str, start: int, end: int) -> Ambiguity | None:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if _BLOCK_TEXT.match(text, start, end) and _BEFORE_BLOCK.search(line):
        return None
    return Ambiguity(start, _BLOCK)
