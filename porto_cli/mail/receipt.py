"""What came of a message: a record that was received, moves that are proposed, or neither; and how
the records in a message are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

from porto_cli.core import INVALID, REFUSED, TROUBLE, PortoError, SentenceError
from porto_cli.core.yaml import InvalidFileError, NotKnownHereError, Place
from porto_cli.games import BOX
from porto_cli.mail import code_in
from porto_cli.mail.copies import length_of
from porto_cli.mail.incoming import INVISIBLE, Incoming, with_line_feeds
from porto_cli.match import FINGERPRINT, RESULT, record
from porto_cli.match.copies import Verdict, compare
from porto_cli.match.match import KeySource, Match, loads, opened
from porto_cli.match.record import NotReadyError, Record
from porto_cli.match.seats import BotTurn, titled

# -- What came of a message: a record that was received, moves that are proposed, or neither

MOVES, PLAYED, NOTHING, INVALID_RECORD, TROUBLED, REFUSED_MOVES, OWN_TURNS = (
    *("moves", "played", "nothing", "invalid", "trouble", "refused-moves", "own-turns"),
)
"""The results of a message besides the verdicts on a record."""
KNOWN = (Verdict.SAME, Verdict.OLDER)
"""The verdicts on what brings nothing new."""
TAKEN = (Verdict.CONTINUES, Verdict.MERGED, Verdict.REPLACED)
"""The verdicts after which the local copy has everything that the message has."""


class Request(NamedTuple):
    """How messages are to be received."""

    folder: Path
    """Where the records are."""
    into: Path | None
    """The local copy, or where to save a game that there is none of."""
    sender: str | None
    """The player who wrote the moves."""
    confirm: Callable[[OwnTurnsError], bool]
    """Returns whether the user has made some turns."""
    keys: KeySource | None = None
    """Those with which a step is signed again."""
    many: bool = False
    """Whether there may be any number of messages, so that those about other things, and those that
    were received before, are left alone."""
    dry_run: bool = False


class OwnTurnsError(SentenceError):
    """A record that is refused, because it brings turns of the user that the local copy does not
    have, and the user has not confirmed them.

    Whoever sends a record of an open game can have played anybody's turns in it. Only the user
    knows whether they were made on another computer, or by an answer in words. ``moves`` are as
    everybody may know them.
    """

    exit_code = REFUSED

    def __init__(self, file: Path | None, game: str, player: str, moves: tuple[str, ...]) -> None:
        super().__init__(
            f"{file} was not changed: the record in the message has turns of {player} that it "
            f"does not have ({', '.join(moves)}), and you are {player}. If you made them, on "
            "another computer or in an answer to a mail, receive the message again with: --mine"
        )
        self.args = file, game, player, moves
        self.file, self.game, self.player, self.moves = file, game, player, moves


class Receipt(NamedTuple):
    """What came of a message, or of one of the games in it."""

    message: Incoming
    result: str
    code: int = 0
    """Its exit code."""
    report: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why the user has to be asked before these moves are played."""
    match: Match | None = None
    """The local copy as it is now."""
    path: Path | None = None
    """Where it is, or would be; not given for moves."""
    before: int = 0
    """How many steps it had before."""
    kept: Path | None = None
    seat: int | None = None
    """Whose moves these are."""
    moves: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    """The moves as everybody may know them."""
    commands: tuple[str, ...] = ()
    """Commands that play them; none if they are secret."""
    words: str = ""
    """What else the writer of moves says; nothing if that may be a secret."""
    answer: tuple[str, ...] = ()
    """Lines to send back to the writer of moves that cannot be played."""
    ordered: tuple[BotTurn, ...] = ()
    """What orders, and bots, have done then, so that the sender does not have it."""
    fork: tuple[int, str, str] | None = None
    """Where two versions differ: the number of the item, from 1, who plays what here, and there."""

    @property
    def is_news(self) -> bool:
        """Whether there is more to report than that the message was received before."""
        is_known = self.result in (Verdict.SAME, Verdict.OLDER, Verdict.FORK) and self.code == 0
        return not is_known and self.result not in (Verdict.SETTLED, NOTHING)

    @property
    def changed(self) -> bool:
        """Whether the local copy has changed, or would change."""
        return self.result in (*TAKEN, Verdict.NEW, PLAYED)

    @property
    def has_moved_on(self) -> bool:
        """Whether moves were made here that nobody else has yet."""
        return self.result == PLAYED or bool(self.ordered)

    @property
    def file(self) -> Path | None:
        """Where the local copy is, or would be."""
        return self.path or (self.match.path if self.match else None)

    def json(self) -> dict[str, object]:
        """Return the receipt for a JSON document."""
        match = self.match
        path = match.path if match else self.path
        new_turns = len(match.steps) - self.before if match and self.changed else 0
        return {
            "message": self.message.source,
            "sender": self.message.sender[0] or self.message.sender[1] or None,
            "subject": self.message.subject or None,
            "result": str(self.result),
            "exit": self.code,
            "file": str(path) if path else None,
            "kept": str(self.kept) if self.kept else None,
            "new_turns": new_turns,
            "to_move": match.to_move() if match else None,
            "fingerprint": match.fingerprint if match else None,
            "player": match.players[self.seat] if match and self.seat is not None else None,
            "moves": list(self.shown),
            "commands": list(self.commands),
            "ordered": [
                {"player": one.player, "moves": list(one.moves)}
                for one in self.ordered
                if not one.bot
            ],
            "fork": self.fork and dict(zip(("turn", "here", "there"), self.fork, strict=True)),
            "words": self.words or None,
            "answer": list(self.answer),
            "sentences": [*self.report, *self.problems],
        }

    def told(self, *report: str) -> Receipt:
        """Return this receipt with what there is to report."""
        return self._replace(report=(*self.report, *report))

    def refused(self, *problems: str) -> Receipt:
        """Return this receipt with what was refused, and why."""
        return self._replace(code=REFUSED, problems=(*self.problems, *problems))


def called(message: Incoming) -> str:
    """Return how sentences call a message."""
    if message.sender_name:
        return f"the message from {message.sender_name}"
    return message.source


def nothing_new(file: Path | None, message: Incoming) -> str:
    """Say that a message was received before."""
    return f"{file} already has everything in {called(message)}: nothing new."


def said_of(turns: Iterable[BotTurn]) -> Iterator[str]:
    """Say what bots and orders have done."""
    for one in turns:
        player = titled(one.player, one.bot)
        yield f"{player}: {', '.join(one.moves)}"


# -- Messages without a record that could be received


def nothing_found(message: Incoming) -> Receipt:
    """Return the receipt of a message with neither a record nor moves."""
    code, source = code_in(message.subject), called(message)
    problem = f"No record and no readable move was found in {source}; nothing was changed."
    if message.is_automatic:
        problem = automatic(message)
    elif code:
        problem = (
            f"Nothing was changed: {source} is about the game [{code}], but has neither its record "
            "nor a readable move. Who forwards a mail has to keep its attachment; ask for the "
            "record."
        )
    return Receipt(message, NOTHING, REFUSED, problems=(*message.unread, problem))


def automatic(message: Incoming) -> str:
    """Say why no move is played of a message that no person has written."""
    return (
        f"The headers of {called(message)} show that a program or a mailing list sent it, so no "
        "move in it is played. Nothing was changed."
    )


def invalid_record(message: Incoming, error: PortoError, *, beside: bool = False) -> Receipt:
    """Return the receipt of a message whose record is not valid, maybe ``beside`` a good one."""
    problem = (
        "What looks like a record in the message is not a valid one; nothing was changed. Mail "
        "programs wrap and change text: ask for the record as an attachment, ideally in a reply to "
        "this message."
    )
    if beside:
        problem = (
            f"This attachment of {called(message)} is not a valid record, so nothing was taken "
            "from it. Ask for it again."
        )
    if isinstance(error, NotKnownHereError):
        problem = (
            "Nothing was changed. Keep the message: a porto that reads its record can receive it "
            "again."
        )
    return Receipt(message, INVALID_RECORD, INVALID, problems=(*error.sentences, problem))


def trouble(message: Incoming, error: PortoError) -> Receipt:
    """Return the receipt of a message that could not be received because of an error."""
    if isinstance(error, OwnTurnsError):
        own = Receipt(message, OWN_TURNS, path=error.file, shown=error.moves)
        return own.refused(*error.sentences)
    result = INVALID_RECORD if error.exit_code == INVALID else TROUBLED
    code = error.exit_code if error.exit_code in (INVALID, TROUBLE) else REFUSED
    return Receipt(message, result, code, problems=error.sentences)


# -- The records in a message, found, read and replayed
#
# A record in a text is taken as it is, or without the one prefix that each of its lines has, such
# as ``> ``. What a mail program has wrapped or laid out anew is none; it has to be sent as a file.

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
    r"""(?P<prefix>[\s>|]*)["']?porto["']?[ \t\xa0]*:[ \t\xa0]*["']?\d+["']?[ \t\xa0]*(?:\#.*)?$"""
)
_KEY_OF_A_RECORD = re.compile(r"""porto["']?[ \t\xa0]*:""")
_MARKS = " \t\xa0>|"
"""What stands before the lines of a quotation."""
_HEAD = frozenset(
    {"porto", "game", "rules", "title", "players", "secrecy", "seed", "setup", "turns"}
    | {key for meta in BOX.values() for key in meta.header_keys}
)
_MACHINE_PART = "seals"
"""The key that begins the data of the program."""
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w-]+)(?P=quote)[ ]*:(?:[ ]|$)""")
_ITEM = frozenset({RESULT, FINGERPRINT} | {key for meta in BOX.values() for key in meta.item_keys})
_A_TURN = re.compile(r"-[ ]+\S.*:[ ]")


class Candidate(NamedTuple):
    """A text that may be a record."""

    text: str
    rest: str = ""
    """What followed it in the same message."""
    below: str = ""
    """What stands directly below its last line, and may have been broken off it."""


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


def candidates(text: str, effort: Effort) -> Iterator[list[Candidate]]:
    """Return the texts that may be records in a text, a few for each record. Raises nothing.

    Those for which the ``effort`` is too little are not among them.
    """
    text = INVISIBLE.sub("", with_line_feeds(text))
    *beginnings, _ = ends = [*islice(_beginnings(text), _MOST_PLACES + 1), len(text)]
    for place, start in enumerate(beginnings[:_MOST_PLACES]):
        found = _BEGINNING.match(text[start : start + _LONGEST_LINE_BEFORE].partition("\n")[0])
        prefix = found["prefix"] if found else ""
        lines = text[_first_line(text, start, prefix) : ends[place + 1]].removesuffix("\n")
        if not effort.allows(lines):
            effort.was_too_little = True
            continue
        read: dict[str, Candidate] = {}
        for candidate in _readings(lines.split("\n"), prefix):
            if candidate.text:
                read.setdefault(candidate.text, candidate)
        yield [*read.values()]


def _first_line(text: str, start: int, prefix: str) -> int:
    """Return where the record begins whose line ``porto: 1`` begins at a place."""
    for _ in range(_MOST_LINES_BEFORE):
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        line = text[above : max(above, start - 1)]
        if above == start or len(line) > _LONGEST_LINE_BEFORE or not line.startswith(prefix):
            break
        if not _belongs_to_a_head(line.removeprefix(prefix)):
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


def _readings(lines: list[str], prefix: str) -> Iterator[Candidate]:
    """Return the lines without their prefix, up to the first one that has another; all of them,
    and up to where they are no more of a record.
    """
    own, bare = 0, prefix.rstrip()
    while own < len(lines) and (lines[own].startswith(prefix) or lines[own].rstrip() == bare):
        own += 1
    behind = lines[own:]
    unquoted = [line.removeprefix(prefix) if line.rstrip() != bare else "" for line in lines[:own]]
    for read in (unquoted, [line.replace("\xa0", " ").rstrip() for line in unquoted]):
        for end in (len(read), _end_of(read)):
            rest = [*read[end:], *behind]
            below = rest[0].strip(_MARKS) if rest and end and read[end - 1].strip() else ""
            yield Candidate(_joined(read[:end]), _joined(rest), below)


def _belongs_to_a_head(line: str) -> bool:
    """Return whether a line before ``porto: 1`` is a part of the record."""
    words = line.strip(" \t\xa0")
    key = _KEY.match(words)
    return words.startswith("#") or bool(key and key["key"] in _HEAD)


def _end_of(lines: list[str]) -> int:
    """Return how many lines look like those of a record."""
    in_turns = False
    for nth, line in enumerate(lines):
        key = _KEY.match(line)
        if key and key["key"] == "turns":
            in_turns = True
        elif not in_turns or not line.strip() or line[0] in " #" or line.startswith("- "):
            continue
        elif not (key and key["key"] == _MACHINE_PART):
            return nth
    return len(lines)


def _joined(lines: Iterable[str]) -> str:
    text = "\n".join(lines).rstrip()
    return f"{text}\n" if text else ""


def _is_broken_off(candidate: Candidate, match: Match, file: str) -> bool:
    """Return whether what stands directly below a record makes another one of its last line."""
    if not candidate.below:
        return False
    try:
        joined = loads(f"{candidate.text.rstrip()} {candidate.below}\n", file)
    except (InvalidFileError, NotReadyError):
        return False
    return joined.digest != match.digest


def _goes_on(candidate: Candidate, players: Iterable[str]) -> bool:
    """Return whether turns of these players, or parts of one, follow what was taken for the whole
    record; a turn may be broken behind its dash.
    """
    names = tuple(players)
    lines = [line.strip(_MARKS) for line in candidate.rest.split("\n")]
    for line, below in pairwise([*lines, ""]):
        key = _KEY.match(line)
        words = f"{line} {below}" if line == "-" else line
        is_a_turn = bool(_A_TURN.match(words)) and words[1:].lstrip(" \"'").startswith(names)
        if is_a_turn or (key and key["key"] in _ITEM):
            return True
    return False


LARGEST_RECORD = 1024 * 1024
"""Characters of a record that is looked for in messages; those of long games have some ten
thousands."""
MOST_ITEMS = 10_000
"""Items of ``turns`` in such a record. Checking it takes about as long for each, however short they
are. No game has a tenth of them, with all that was ordered, said of seats, and taken back."""
MOST_EFFORT = 6 * 1024 * 1024
"""What all texts of a message together may cost that are read as records."""


class Found(NamedTuple):
    """A game in a message, checked, and the name of its attachment."""

    record: Record
    match: Match | None
    """The game as it is opened; ``None`` while it is being set up."""
    name: str = ""


Reading = tuple[Found | None, InvalidFileError | None]
"""What a text was read as, or what is wrong with it."""


class Contents(NamedTuple):
    """What a message holds: its games, each as far as it goes, or why what looks like one is none.

    Versions of a game that part from each other are all there.
    """

    games: tuple[Found, ...] = ()
    error: InvalidFileError | None = None
    is_broken: bool = False
    """What was sent as a record is none; not merely something that is quoted. There may be a good
    one beside it."""
    unread: tuple[str, ...] = ()
    """What was not read, and why."""


def games_in(incoming: Incoming) -> Contents:
    """Return the games of a message. Raises nothing."""
    games: list[Found] = []
    quoted: list[InvalidFileError] = []
    sent: list[InvalidFileError] = []
    effort = Effort(MOST_EFFORT)
    for part in incoming.parts:
        faults = []
        file, tries = part.name or incoming.source, candidates(part.text, effort)
        read = [_best(tried, file, effort) for tried in tries if tried]
        for found, fault in read:
            if found:
                _add(games, found._replace(name=part.name))
            elif fault:
                faults.append(fault)
        # A part that has a good record may quote another one.
        is_good = any(found for found, _ in read)
        (sent if part.name and not is_good else quoted).extend(faults)
    if not incoming.is_message:
        # All of its parts are readings of one text.
        sent, quoted = ([], []) if games else ([*sent, *quoted], [])
    wrong = sent if sent or games else quoted
    return Contents(
        tuple(games),
        max(wrong, key=lambda fault: fault.place.line, default=None),
        bool(sent),
        (_TOO_MUCH,) if effort.was_too_little else (),
    )


def _add(games: list[Found], new: Found) -> None:
    """Add a game, unless a version that goes as far is there; a shorter one makes room."""
    for nth, old in enumerate(games):
        if not (old.match and new.match):
            continue
        relation = compare(old.match, new.match).relation
        if relation in (Verdict.SAME, Verdict.OLDER):
            return
        if relation is Verdict.CONTINUES:
            games[nth] = new
            return
    games.append(new)


def _best(tried: list[Candidate], file: str, effort: Effort) -> Reading:
    """Return the game that goes furthest among the candidates for one record, or what is wrong."""
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
            match = opened(read)
        except NotReadyError:
            return Found(read, None), None
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
    if best and (_goes_on(chosen, best.players) or _is_broken_off(chosen, best, file)):
        return None, InvalidFileError(Place(file, chosen.text.count("\n") + 1, 0), _TORN)
    return (Found(best.record, best) if best else None), error


_TOO_MUCH = (
    "It has so much text that looks like a record that not all of it was read; a record has "
    f"{LARGEST_RECORD >> 10} KiB at most. Save the right one as a file, and receive that "
    "file."
)
_TOO_LONG = (
    f"The record has more than {MOST_ITEMS} turns and orders, far more than any game, so it "
    "was not checked."
)
_TORN = (
    "There is something between the turns, or broken off the last one, that is not part of a "
    "record; what follows it was not read. Ask for the record as an attachment."
)
