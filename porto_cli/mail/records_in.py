"""The records in a message, found, restored, read and replayed.

Mail programs quote, wrap and indent a record in a text. Candidates for what it was are tried, the
most likely ones first: only replaying them decides, which notices every word that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from time import process_time
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError, NotKnownHereError, Place
from porto_cli.game import BOX
from porto_cli.mail.incoming import INVISIBLE, LARGEST_TO_MEND, Incoming, Part, with_line_feeds
from porto_cli.match import record
from porto_cli.match.arrival import length_of
from porto_cli.match.match import Match, opened
from porto_cli.match.not_ready import NotReadyError
from porto_cli.match.record import Record
from porto_cli.match.seats import FINGERPRINT, RESULT
from porto_cli.match.versions import Relation, compare

_MOST_PLACES = 20
"""Maximum number of beginnings of a record that are looked at in one text."""
_MOST_KEYS = 10_000
"""Maximum number of lines with the word that are checked for being a beginning."""
_MOST_LINES_BEFORE = 1000
"""Lines before ``porto: 1`` that may be a part of the record."""
_LONGEST_LINE_BEFORE = 10_000
_COST_OF_A_LINE = 32
"""The cost of a line, in characters, however short it is."""

_BEGINNING = re.compile(
    r"""(?P<quote>[\s>|]*)(?P<key>["']?porto["']?[ \t\xa0]*:[ \t\xa0]*["']?\d+["']?)"""
    r"""[ \t\xa0]*(?:\#.*)?$"""
)
_KEY_OF_A_RECORD = re.compile(r"""porto["']?[ \t\xa0]*:""")
_QUOTE = re.compile(r"(?:[ \t\xa0]?[>|]){0,100}")
"""Marks of a quotation, which is never deeper."""
_HEAD = frozenset(
    {"porto", "game", "rules", "title", "players", "secrecy", "seed", "setup", "turns"}
    | {key for meta in BOX.values() for key in meta.header_keys}
)
MACHINE_PART = "seals"
"""The key that begins the data of the program, which is not laid out anew."""
_ITEM = frozenset({RESULT, FINGERPRINT} | {key for meta in BOX.values() for key in meta.item_keys})
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w-]+)(?P=quote)[ ]*:(?:[ ]|$)""")
_DASH = re.compile(r"[-\u2010-\u2015\u2022\u2023\u2043\u2212\u25e6\u00b7*][ ]+(?=\S)")
_OPENS = re.compile(r":[ ]+[\[{]")
_A_TURN = re.compile(r"-[ ]+\S.*:[ ]")
_BLANKS = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000\t]")
_HYPHENS = re.compile("[\u2010\u2011\u2212]")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"


class Candidate(NamedTuple):
    """A text that may be a record."""

    text: str
    block: int = 0
    """Which of the records in the text it may be; there are several candidates for each."""
    rest: str = ""
    """What followed it in the same message, at the same level of quotation."""


MOST_SECONDS = 3.0
"""Processor time in which the records of a message are begun to be read. What one record takes is
limited by its size."""


class Effort:
    """How much of a message is read at most, before the rest is skipped.

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
    text = INVISIBLE.sub("", with_line_feeds(text))
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
    for _ in range(_MOST_KEYS):
        found = _KEY_OF_A_RECORD.search(text, end)
        if not found:
            return
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        if _BEGINNING.match(text[start:end]):
            yield start


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
    """Return a line without a number of quotation marks, and the blank after them."""
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
    """Return whether a line before ``porto: 1`` is a part of the record."""
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
    """Return whether turns of these players follow what was taken for the whole record."""
    names = tuple(players)
    for line in candidate.rest.split("\n"):
        words = line.strip()
        if _A_TURN.match(words) and words[1:].lstrip(" \"'").startswith(names):
            return True
    return False


_MOST_TRIED = 60
"""Maximum number of texts of one part read as records; each takes as long as its replay."""
LARGEST_RECORD = 1024 * 1024
"""Characters of a record that is looked for in messages; those of long games have some ten
thousands."""
MOST_ITEMS = 10_000
"""Items of ``turns`` in such a record. Checking it takes about as long for each, however short they
are. No game has a tenth of them, with all that was ordered, said of seats, and taken back."""
MOST_EFFORT = 6 * 1024 * 1024
"""What all texts of a message together may cost that are read as records."""


class FoundSetup(NamedTuple):
    """A game in setup in a message, checked, and the name of its attachment."""

    record: Record
    name: str


Reading = tuple[Match | FoundSetup | None, InvalidFileError | None]
"""What a text was read as, or what is wrong with it."""


class Found(NamedTuple):
    """A game in a message, and the name of its attachment."""

    match: Match
    name: str


class Contents(NamedTuple):
    """What a message holds: its games, each as far as it goes, or why what looks like one is none.

    Versions of a game that part from each other are all there.
    """

    games: tuple[Found, ...] = ()
    setups: tuple[FoundSetup, ...] = ()
    """Sealed games that are still being set up."""
    error: InvalidFileError | None = None
    is_broken: bool = False
    """What was sent as a record is none; not merely something that is quoted."""
    unread: tuple[Sentence, ...] = ()
    """What was not read, and why."""


def games_in(incoming: Incoming) -> Contents:
    """Return the games of a message. Raises nothing."""
    games: list[Found] = []
    setups: list[FoundSetup] = []
    error: InvalidFileError | None = None
    broken = False
    effort = Effort(MOST_EFFORT)
    for part in incoming.parts:
        for match, fault in _games_of(part, part.name or incoming.source, effort):
            if isinstance(match, FoundSetup):
                setups.append(match._replace(name=part.name))
            elif match:
                _add(games, Found(match, part.name))
            elif fault and (error is None or fault.place.line > error.place.line):
                error = fault
                broken = broken or bool(part.name) or not incoming.is_message
    any_game = bool(games or setups)
    return Contents(
        tuple(games),
        tuple(setups),
        None if any_game else error,
        broken and not any_game,
        (_TOO_MUCH,) if effort.was_too_little else (),
    )


def _add(games: list[Found], new: Found) -> None:
    """Add a game, unless a version that goes as far is there; a shorter one makes room."""
    for nth, old in enumerate(games):
        relation = compare(old.match.replay, new.match.replay).relation
        if relation in (Relation.SAME, Relation.OLDER):
            return
        if relation is Relation.CONTINUES:
            games[nth] = new
            return
    games.append(new)


def _games_of(part: Part, file: str, effort: Effort) -> Iterator[Reading]:
    """Return the games of a part, or what is wrong with each, in its first reading that has any."""
    for text in part.texts:
        found = list(_games_of_text(text, file, effort))
        if any(match for match, _ in found) or (found and text == part.texts[-1]):
            yield from found
            return


def _games_of_text(text: str, file: str, effort: Effort) -> Iterator[Reading]:
    blocks: dict[int, list[Candidate]] = {}
    for nth, candidate in enumerate(candidates(text, effort)):
        if nth >= _MOST_TRIED:
            break
        blocks.setdefault(candidate.block, []).append(candidate)
    for tried in blocks.values():
        yield _best(tried, file, effort)


def _best(tried: list[Candidate], file: str, effort: Effort) -> Reading:
    """Return the game that goes furthest among the candidates for one record, or what is wrong.

    Where the first one can be read there is nothing to mend.
    """
    best: Match | None = None
    chosen = tried[0]
    error: InvalidFileError | None = None
    left_alone = False
    for candidate in tried:
        if len(candidate.text) > LARGEST_RECORD or not effort.allows(candidate.text):
            left_alone = True
            continue
        try:
            read = record.load(candidate.text, file)
            if len(read.items) > MOST_ITEMS:
                return None, InvalidFileError(read.place(MOST_ITEMS), _TOO_LONG)
            match = Match(opened(read))
        except NotReadyError:
            return FoundSetup(read, ""), None
        except InvalidFileError as fault:
            is_final = isinstance(error, NotKnownHereError)
            if error is None or (not is_final and fault.place.line >= error.place.line):
                error = fault
            continue
        if best is None or length_of(match) > length_of(best):
            best, chosen = match, candidate
        if candidate is tried[0]:
            break
    effort.was_too_little = effort.was_too_little or (left_alone and not best)
    if best and goes_on(chosen, best.players):
        return None, InvalidFileError(Place(file, chosen.text.count("\n") + 1, 0), _TORN)
    return best, error


_TOO_MUCH = say(
    "It has so much text that looks like a record that not all of it was read; a record has "
    "{most} KiB at most. Save the right one as a file, and receive that file.",
    most=LARGEST_RECORD >> 10,
)
_TOO_LONG = say(
    "The record has more than {most} turns and orders, far more than any game, so it was not "
    "checked.",
    most=MOST_ITEMS,
)
_TORN = say(
    "There is something between the turns that is not part of a record; what follows it was not "
    "read. Ask for the record as an attachment."
)
