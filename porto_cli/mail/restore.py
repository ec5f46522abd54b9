"""A record as it was before mail programs had it: found in a text, unquoted, unwrapped.

What comes out are candidates, the most likely ones first. Nothing here decides whether one of them
is right: that is told by reading and replaying it, which notices every word that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from time import process_time
from typing import NamedTuple

from porto_cli.game import BOX
from porto_cli.match.record import FINGERPRINT, RESULT

_MOST_PLACES = 20
"""So many beginnings of a record are looked at in one text."""
_MOST_TRIED = 10_000
"""So many lines with the word are looked at for being one."""
LARGEST_TO_MEND = 512 * 1024
"""Characters of a record that is looked for in a text; those of long games have some ten
thousands."""
_MOST_LINES_BEFORE = 1000
"""Lines before ``porto: 1`` that may be a part of the record."""
_LONGEST_LINE_BEFORE = 10_000
_COST_OF_A_LINE = 32
"""A line takes as long as so many characters, however short it is."""

_BEGINNING = re.compile(
    r"""(?P<quote>[\s>|]*)(?P<key>["']?porto["']?[ \t\xa0]*:[ \t\xa0]*["']?\d+["']?)"""
    r"""[ \t\xa0]*(?:\#.*)?$"""
)
_KEY_OF_A_RECORD = re.compile(r"""porto["']?[ \t\xa0]*:""")
_QUOTE = re.compile(r"(?:[ \t\xa0]?[>|]){0,100}")
"""Marks of a quotation; nobody quotes deeper."""
_HEAD = frozenset(
    {"porto", "game", "rules", "title", "players", "secrecy", "seed", "setup", "turns"}
    | {key for meta in BOX.values() for key in meta.header_keys}
)
MACHINE_PART = "seals"
"""The key from which on a record holds data of the program, which nobody lays out anew."""
_ITEM = frozenset({RESULT, FINGERPRINT} | {key for meta in BOX.values() for key in meta.item_keys})
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w-]+)(?P=quote)[ ]*:(?:[ ]|$)""")
_DASH = re.compile(r"[-\u2010-\u2015\u2022\u2023\u2043\u2212\u25e6\u00b7*][ ]+(?=\S)")
_OPENS = re.compile(r":[ ]+[\[{]")
_A_TURN = re.compile(r"-[ ]+\S.*:[ ]")
_BLANKS = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000\t]")
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_HYPHENS = re.compile("[\u2010\u2011\u2212]")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"


class Candidate(NamedTuple):
    """A text that may be a record."""

    text: str
    block: int = 0
    """Which of the records in the text it may be; there are several candidates for each."""
    rest: str = ""
    """What stood behind it in the same message, as far as it is not quoted otherwise."""


MOST_SECONDS = 3.0
"""Processor time in which the records of a message are begun to be read. What one record takes is
limited by its size."""


class Effort:
    """How much of a message is looked into at most, before it is left alone.

    What something costs is counted in characters; a line costs more than it has. Records of few
    characters can take long all the same, if there are proofs to check, so that time counts, too.
    """

    def __init__(self, most: int, seconds: float = MOST_SECONDS) -> None:
        self.left = most
        self._ends = process_time() + seconds
        self.was_too_little = False
        """Whether something was left alone that may be a record."""

    def allows(self, text: str) -> bool:
        """Take what a text costs, if there is so much left, and time."""
        if process_time() > self._ends:
            return False
        cost = len(text) + _COST_OF_A_LINE * text.count("\n")
        if cost > self.left:
            return False
        self.left -= cost
        return True


def candidates(text: str, effort: Effort) -> Iterator[Candidate]:
    """Return the texts that may be records in a text, record by record. Raises nothing.

    Those for which the ``effort`` is too little are not among them.
    """
    text = INVISIBLE.sub("", _with_line_feeds(text))
    if _SIGNED in text:
        # A signature puts a dash before every dash at the beginning of a line (RFC 9580, 7.2).
        text = re.sub(r"(?m)^((?:> ?){0,100})- (?=-)", r"\1", text)
    *beginnings, _ = ends = [*islice(_beginnings(text), _MOST_PLACES + 1), len(text)]
    for place, start in enumerate(beginnings[:_MOST_PLACES]):
        first = _first_line(text, start)
        lines = text[first : ends[place + 1]].removesuffix("\n")
        if not effort.allows(lines):
            effort.was_too_little = True
            continue
        block = _block(lines.split("\n"), text.count("\n", first, start))
        seen: set[str] = set()
        for candidate in _readings(block):
            if candidate.text and candidate.text not in seen:
                seen.add(candidate.text)
                yield candidate._replace(block=place)


def _first_line(text: str, start: int) -> int:
    """Return where the record begins whose line ``porto: 1`` begins at a place."""
    depth = _depth(text[start : start + _LONGEST_LINE_BEFORE])
    for _ in range(_MOST_LINES_BEFORE):
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        line = text[above : max(above, start - 1)]
        if above == start or len(line) > _LONGEST_LINE_BEFORE or _depth(line) != depth:
            break
        if not _belongs_to_a_head(_unquoted(line, depth)):
            break
        start = above
    return start


def _beginnings(text: str) -> Iterator[int]:
    """Return the places of the lines with which records may begin."""
    end = 0
    for _ in range(_MOST_TRIED):
        found = _KEY_OF_A_RECORD.search(text, end)
        if not found:
            return
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        if _BEGINNING.match(text[start:end]):
            yield start


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _readings(block: _Block) -> Iterator[Candidate]:
    yield from _as_it_is(block)
    if sum(map(len, block.lines)) <= LARGEST_TO_MEND:
        yield from _mended(block)


class _Block(NamedTuple):
    """The lines around the beginning of a record, without what quotes them."""

    lines: list[str]
    strange: list[bool]
    """Whether a line is quoted less than the record: a mail program has broken it in two."""
    start: int
    """Where the line ``porto: 1`` is."""


def _depth(line: str) -> int:
    quote = _QUOTE.match(line)
    return quote[0].count(">") + quote[0].count("|") if quote else 0


def _unquoted(line: str, depth: int) -> str:
    """Return a line without so many marks of a quotation, and a blank behind them."""
    if not depth:
        return line
    quote = re.match(rf"(?:[ \t\xa0]?[>|]){{0,{depth}}}", line)
    rest = line[quote.end() :] if quote else line
    return rest[1:] if rest[:1] in (" ", "\xa0") else rest


def _block(lines: list[str], nth: int) -> _Block:
    """Return the lines of a record of which the one with this number is ``porto: 1``."""
    depth = _depth(lines[nth])
    own = lines
    strange = [_depth(line) < depth for line in own]
    if depth and True in strange:
        # What follows the quotation is no part of it; a broken line stands between quoted ones.
        end = max(place for place, less in enumerate(strange) if not less) + 1
        own, strange = own[:end], strange[:end]
    unquoted = [
        _unquoted(line, 0 if less else depth) for line, less in zip(own, strange, strict=True)
    ]
    head = unquoted[nth]
    indent = len(head) - len(head.lstrip(" \t\xa0"))
    dedented = [_dedented(line, indent) for line in unquoted]
    return _Block(dedented, strange, nth)


def _dedented(line: str, indent: int) -> str:
    blank = len(line) - len(line.lstrip(" \t\xa0"))
    return line[min(indent, blank) :]


def _belongs_to_a_head(line: str) -> bool:
    """Tell whether a line before ``porto: 1`` is a part of the record."""
    words = line.strip(" \t\xa0")
    key = _KEY.match(words)
    return words.startswith("#") or bool(key and key["key"] in _HEAD)


def _as_it_is(block: _Block) -> Iterator[Candidate]:
    """Return the lines as they are: all of them, and up to where they are no more of a record."""
    lines = [line for line, less in zip(block.lines, block.strange, strict=True) if not less]
    for cleaned in (lines, [_cleaned(line) for line in lines]):
        yield Candidate(_joined(cleaned))
        end = _end_of(cleaned)
        yield Candidate(_joined(cleaned[:end]), rest=_joined(cleaned[end:]))


def _end_of(lines: list[str]) -> int:
    """Return how many lines look like those of a record."""
    in_turns = False
    for nth, line in enumerate(lines):
        key = _KEY.match(line)
        if key and key["key"] == "turns":
            in_turns = True
        elif not in_turns or not line.strip() or line[0] in " #" or line.startswith("- "):
            continue
        elif not (key and key["key"] == MACHINE_PART):
            return nth
    return len(lines)


def _joined(lines: Iterable[str]) -> str:
    text = "\n".join(lines).rstrip()
    return f"{text}\n" if text else ""


def _cleaned(line: str) -> str:
    """Return a line with plain blanks and hyphens, as records are written with."""
    return _HYPHENS.sub("-", _BLANKS.sub(" ", line)).rstrip()


def _mended(block: _Block) -> Iterator[Candidate]:
    """Return the lines put in order: indented as records are, broken ones as one again."""
    for with_head in (True, False):
        start = 0 if with_head else block.start
        if not with_head and not block.start:
            return
        lines = [_cleaned(line) for line in block.lines[start:]]
        strange = block.strange[start:]
        layout = _Layout()
        layout.read(lines, strange)
        yield layout.candidate(whole=True)
        yield layout.candidate(whole=False)
        if True in strange:
            layout = _Layout()
            kept = [line for line, less in zip(lines, strange, strict=True) if not less]
            layout.read(kept, [])
            yield layout.candidate(whole=True)


class _Layout:
    """Lines of a record, which are read one by one, and laid out as this program does it."""

    def __init__(self) -> None:
        self.lines: list[list[str]] = []
        """Each with the pieces that it was broken into."""
        self.section = ""
        self.open = 0
        """Brackets that are still open."""
        self.gap = False
        self.rest: list[str] = []

    def read(self, lines: list[str], strange: list[bool]) -> None:
        """Read lines up to the end of the record."""
        for nth, line in enumerate(lines):
            if not self._take(line, less=bool(strange and strange[nth])):
                self.rest = lines[nth:]
                return

    def candidate(self, *, whole: bool) -> Candidate:
        """Return what was read; not ``whole``: without what may be no part of the last line."""
        lines = [" ".join(pieces) for pieces in self.lines]
        rest = self.rest
        if not whole and self.lines:
            lines[-1] = self.lines[-1][0]
            rest = [*self.lines[-1][1:], *rest]
        return Candidate(_joined(lines), rest=_joined(rest))

    def _take(self, line: str, *, less: bool) -> bool:
        """Take a line; return False if the record has ended before it."""
        words = line.strip()
        if self.section == MACHINE_PART:
            return self._take_data(line)
        if not words:
            self.gap = True
            return True
        if self.lines and (less or self.open > 0):
            self._go_on(words)
            return True
        started = self._start(words)
        if started is None:
            if not self.lines or (self.gap and self.section == "turns"):
                return False
            self._go_on(words)
        else:
            self.lines.append([started])
            self.open = _brackets(words) if _OPENS.search(words) else 0
        self.gap = False
        return True

    def _take_data(self, line: str) -> bool:
        """Take a line of the machine part, where blanks and line breaks mean nothing."""
        words = line.strip()
        if not words:
            self.gap = True
        elif words == "--" or (self.gap and not line.startswith(" ")):
            return False
        else:
            self.lines.append([f"  {words}"])
        return True

    def _go_on(self, words: str) -> None:
        self.lines[-1].append(words)
        self.open += _brackets(words)

    def _start(self, words: str) -> str | None:
        """Return a line as it begins in a record, or None if none does."""
        if words.startswith("#"):
            return words
        key = _KEY.match(words)
        name = key["key"] if key else ""
        if name in _HEAD and not (self.section == "turns" and name in _ITEM):
            if self.section != "turns" or name == MACHINE_PART:
                self.section = name
                return words
        if name == MACHINE_PART:
            self.section = name
            return words
        if self.section != "turns":
            return f"  {words}" if name and self.section else None
        dash = _DASH.match(words)
        if dash and ":" in words:
            return f"- {words[dash.end() :]}"
        return f"  {words}" if name in _ITEM else None


def _brackets(words: str) -> int:
    """Return how many brackets are opened and not closed, but for those in comments."""
    words = words.partition(" #")[0]
    return sum(map(words.count, "[{")) - sum(map(words.count, "]}"))


def goes_on(candidate: Candidate, players: Iterable[str]) -> bool:
    """Tell whether turns of these players stand behind what was taken for the whole record."""
    names = tuple(players)
    for line in candidate.rest.split("\n"):
        words = line.strip()
        if _A_TURN.match(words) and words[1:].lstrip(" \"'").startswith(names):
            return True
    return False


def unflowed(text: str, *, delete_spaces: bool = False) -> str:
    """Return a text of ``format=flowed`` with its paragraphs as lines (RFC 3676).

    With ``delete_spaces`` (DelSp=yes) the blank that marks a soft line break is no part of the
    text. What is quoted keeps its marks.
    """
    lines: list[str] = []
    pieces: list[str] = []
    depth = 0

    def end() -> None:
        if pieces:
            lines.append((">" * depth + " " if depth else "") + "".join(pieces))
            pieces.clear()

    for line in _with_line_feeds(text).split("\n"):
        quoted = len(line) - len(line.lstrip(">"))
        words = line[quoted:]
        words = words[1:] if words.startswith(" ") else words
        if quoted != depth or words == "-- ":
            end()
        depth = quoted
        soft = words.endswith(" ") and words != "-- "
        pieces.append(words[:-1] if soft and delete_spaces else words)
        if not soft:
            end()
    end()
    return "\n".join(lines)
