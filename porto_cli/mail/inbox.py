"""Receiving messages into a folder: finding and saving the records in them; and finding the game,
the writer and the moves of answers in words.

A record in a text is read as it is, or without a prefix that all of its lines share, as in a
quotation. One that a mail program has wrapped or reformatted has to be sent as a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice, pairwise, takewhile
from pathlib import Path
from time import process_time
from typing import NamedTuple

from porto_cli.core import REFUSED, InvalidMoveError, PortoError
from porto_cli.core.yaml import AnotherKindError, InvalidFileError, NotKnownHereError, Place
from porto_cli.games import BOX
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.answer import Proposal, WrittenAnswer, is_known_footer, seats_at
from porto_cli.mail.arrival import received
from porto_cli.mail.copies import Copies, Version, length_of
from porto_cli.mail.ids import code_in, game_named, moment_after, moment_of, named
from porto_cli.mail.incoming import INVISIBLE, Envelope, Incoming, with_line_feeds
from porto_cli.mail.receipt import (
    KNOWN,
    OWN_TURNS,
    REFUSED_MOVES,
    Receipt,
    Request,
    invalid_record,
    nothing_found,
    nothing_new,
    trouble,
)
from porto_cli.mail.reply import begins_like_a_move, passed_on, read_reply
from porto_cli.match import FINGERPRINT, RESULT, is_called, record
from porto_cli.match.copies import Verdict, compare
from porto_cli.match.match import Match, load, loads, opened
from porto_cli.match.record import NotReadyError

MOST_EFFORT = 4 * 1024 * 1024
"""The total cost of the texts of a message that are read as records: their characters, and
:data:`_COST_OF_A_LINE` for each line."""
MOST_SECONDS = 3.0
"""Processor time after which no more records of a message are read: those with proofs take long.
One record is limited by its size."""
LARGEST_RECORD = 1024 * 1024
"""Characters of the largest record read from messages; long games take tens of thousands."""
MOST_ITEMS = 10_000
"""The most items of ``turns`` in such a record; each takes about as long to check, however short.
No game has a tenth of them, orders, lines about seats, and undone turns included."""
_MOST_PLACES = 20
"""The most beginnings of a record that are looked at in one text."""
_COST_OF_A_LINE = 32
"""The cost of a line, however short."""
_MOST_BEFORE = 100_000
"""The most characters before ``porto: 1`` that may be part of the record."""

_BEGINNING = re.compile(
    r"""(?m)^(?P<prefix>[^\S\n>|]{0,100}+(?:[>|][^\S\n]{0,100}+){0,100}+)"""
    r"""["']?porto["']?[ \t\xa0]*:[ \t\xa0]*["']?\d+["']?[ \t\xa0]*(?:\#.*)?$"""
)
_MARKS = " \t\xa0>|"
"""Characters before the lines of a quotation."""
_HEAD = frozenset(
    {"porto", "game", "rules", "title", "players", "secrecy", "seed", "setup", "turns"}
    | {key for meta in BOX.values() for key in meta.header_keys}
)
_MACHINE_PART = "seals"
"""The key of the data that only the program reads."""
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w-]+)(?P=quote)[ ]*:(?:[ ]|$)""")
_ITEM = frozenset({RESULT, FINGERPRINT} | {key for meta in BOX.values() for key in meta.item_keys})
_A_TURN = re.compile(r"-[ ]+\S.*:[ ]")


# -- The texts that may be records


class Piece(NamedTuple):
    """A part of a text with ``porto: 1`` in it, up to the next one."""

    text: str
    prefix: str
    """The text before ``porto: 1`` in its line."""

    @property
    def cost(self) -> int:
        """The cost of reading it, as part of :data:`MOST_EFFORT`."""
        return len(self.text) + _COST_OF_A_LINE * self.text.count("\n")

    def readings(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each text that may be its record, with the lines after it: all lines with its
        prefix, or only those that look like a record's; as they are, or with blanks repaired.
        """
        lines, prefix, bare = self.text.split("\n"), self.prefix, self.prefix.rstrip()
        own = [*takewhile(lambda one: one.startswith(prefix) or one.rstrip() == bare, lines)]
        unquoted = [line.removeprefix(prefix) if line.rstrip() != bare else "" for line in own]
        for read in (unquoted, [line.replace("\xa0", " ").rstrip() for line in unquoted]):
            for end in dict.fromkeys((len(read), _end_of(read))):
                text = "\n".join(read[:end]).rstrip()
                if text and len(text) < LARGEST_RECORD:
                    yield f"{text}\n", [*read[end:], *lines[len(own) :]]


def pieces(text: str) -> Iterator[Piece]:
    """Yield the parts of a text that may begin a record. Raises nothing."""
    text = INVISIBLE.sub("", with_line_feeds(text))
    found = [*islice(_BEGINNING.finditer(text), _MOST_PLACES + 1)]
    ends = [*(one.start() for one in found[1:]), len(text)]
    for one, end in zip(found[:_MOST_PLACES], ends, strict=False):
        start, prefix = one.start(), one["prefix"]
        for line in reversed(text[max(0, start - _MOST_BEFORE) : start].split("\n")[:-1]):
            if not (line.startswith(prefix) and _is_header(line.removeprefix(prefix))):
                break
            start -= len(line) + 1
        yield Piece(text[start:end].removesuffix("\n"), prefix)


def _is_header(line: str) -> bool:
    """Return whether a line before ``porto: 1`` is part of the record."""
    words = line.strip(" \t\xa0")
    key = _KEY.match(words)
    return words.startswith("#") or bool(key and key["key"] in _HEAD)


def _end_of(lines: list[str]) -> int:
    """Return how many lines, from the first on, look like a record's."""
    in_turns = False
    for index, line in enumerate(lines):
        key = _KEY.match(line)
        if key and key["key"] == "turns":
            in_turns = True
        elif not in_turns or not line.strip() or line[0] in " #" or line.startswith("- "):
            continue
        elif not (key and key["key"] == _MACHINE_PART):
            return index
    return len(lines)


def _is_torn(text: str, rest: list[str], match: Match) -> bool:
    """Return whether the game goes on after what was taken for the whole record: with a player's
    turn, which may be broken after its dash, or a part of one; or with the rest of the last line,
    which changes the game.
    """
    names, lines = tuple(match.players), [line.strip(_MARKS) for line in rest]
    for line, below in pairwise([*lines, ""]):
        key = _KEY.match(line)
        words = f"{line} {below}" if line == "-" else line
        is_a_turn = bool(_A_TURN.match(words)) and words[1:].lstrip(" \"'").startswith(names)
        if is_a_turn or (key and key["key"] in _ITEM):
            return True
    if not (lines and lines[0]):
        return False
    with suppress(InvalidFileError, NotReadyError):
        return loads(f"{text.rstrip()} {lines[0]}\n", match.record.file).digest != match.digest
    return False


# -- The games of a message


Reading = tuple[Version | None, InvalidFileError | None]
"""A text as a version of a game, or what is wrong with it."""


class Contents(NamedTuple):
    """The games in a message, each as far as it goes, or why what looks like a game is not one.

    Versions of a game that differ are all there.
    """

    games: tuple[Version, ...] = ()
    error: InvalidFileError | None = None
    is_broken: bool = False
    """Whether something sent as a record, not merely quoted, is not one. There may be a good one
    beside it."""
    unread: tuple[str, ...] = ()
    """Sentences about what was not read, and why."""


def games_in(incoming: Incoming) -> Contents:
    """Return the games of a message. Raises nothing."""
    games: list[Version] = []
    quoted: list[InvalidFileError] = []
    sent: list[InvalidFileError] = []
    left, ends, unread = MOST_EFFORT, process_time() + MOST_SECONDS, tuple[str, ...]()
    for part in incoming.parts:
        read = []
        for piece in pieces(part.text):
            fits = piece.cost <= left and process_time() <= ends
            left -= piece.cost if fits else 0
            result = _best(piece, part.name or incoming.source) if fits else (None, None)
            unread = unread if any(result) else (_TOO_MUCH,)
            read.append(result)
        for found, _ in read:
            if found:
                _add(games, found._replace(name=part.name))
        # A part that has a good record may quote another one.
        is_good = any(found for found, _ in read)
        faults = (fault for found, fault in read if fault and not found)
        (sent if part.name and not is_good else quoted).extend(faults)
    if not incoming.is_message:
        # All of its parts are readings of one text.
        sent, quoted = ([], []) if games else ([*sent, *quoted], [])
    wrong = sent if sent or games else quoted
    worst = max(wrong, key=lambda fault: fault.place.line, default=None)
    return Contents(tuple(games), worst, bool(sent), unread)


def _add(games: list[Version], new: Version) -> None:
    """Add a game, unless a version goes as far already; replace a shorter one."""
    for index, old in enumerate(games):
        if not (old.match and new.match):
            continue
        relation = compare(old.match, new.match).relation
        if relation in (Verdict.SAME, Verdict.OLDER):
            return
        if relation is Verdict.CONTINUES:
            games[index] = new
            return
    games.append(new)


def _best(piece: Piece, file: str) -> Reading:
    """Return the longest game among the readings of a piece, or what is wrong with it."""
    best: Match | None = None
    error: InvalidFileError | None = None
    torn: InvalidFileError | None = None
    known = set[str]()
    for text, rest in piece.readings():
        if text in known:
            continue
        known.add(text)
        try:
            read = record.load(text, file)
            if len(read.items) > MOST_ITEMS:
                return None, InvalidFileError(read.place(MOST_ITEMS), _TOO_LONG)
            match = opened(read)
        except NotReadyError:
            return Version(read, None), None
        except InvalidFileError as fault:
            is_final = isinstance(error, NotKnownHereError | AnotherKindError)
            if error is None or (not is_final and fault.place.line >= error.place.line):
                error = fault
            continue
        if best is None or length_of(match) > length_of(best):
            best, torn = match, None
            if _is_torn(text, rest, match):
                torn = InvalidFileError(Place(file, text.count("\n") + 1, 0), _TORN)
        if len(known) == 1:
            break
    if best is None:
        return None, error
    return (None, torn) if torn else (Version(best.record, best), None)


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


# -- Receiving messages


class _Waiting(NamedTuple):
    """A message that may be an answer in words.

    ``attached``   the game whose record is in it, and how far that goes
    ``otherwise``  the receipts if it has no moves
    """

    message: Incoming
    attached: WrittenAnswer | None
    otherwise: list[Receipt]

    def answers_the_same_as(self, other: _Waiting) -> bool:
        """Return whether another message is from the same person about the same turn."""
        here, there = self.message, other.message
        people = [(one.sender[1] or one.sender[0]).lower() for one in (here, there)]
        same = here.answers[-1:] == there.answers[-1:] and bool(here.answers)
        return same and people[0] == people[1]


class Receiver:
    """Receives messages into a folder."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._unconfirmed: set[Path | None] = set()
        self._waiting: list[_Waiting] = []
        self.copies = Copies(request.folder, request.into)

    @cached_property
    def _book(self) -> AddressBook:
        """The address book; if it cannot be read, records are received all the same."""
        try:
            return address_book()
        except PortoError:
            return AddressBook("")

    def received_before(self, head: Incoming) -> Receipt | None:
        """Return the receipt of one of many messages by its headers, if its id names a state that a
        local copy is or has been in; ``None`` if the whole message has to be read.

        Only this program writes such an id, and with it a record that goes exactly as far.
        """
        copies = self.copies.at(head.own_id) if self.request.many and head.own_id else []
        if not copies or not head.own_id:
            return None
        copy, message = copies[0], self._with_name(head)
        is_last = named(copy) == head.own_id
        receipt = Receipt(message, Verdict.SAME if is_last else Verdict.OLDER, match=copy)
        return receipt._replace(path=copy.path).told(nothing_new(copy.path, message))

    def receive(self, envelope: Envelope) -> list[Receipt]:
        """Receive the records of a message, and return the receipts. A message that may be an
        answer in words waits for :meth:`answers`.
        """
        before = self.received_before(envelope.head)
        message = None if before else envelope.load()
        if message is None:
            return [before] if before else []
        message = self._with_name(message)
        contents = games_in(message)
        receipts: list[Receipt] = []
        attached: WrittenAnswer | None = None
        for found in contents.games:
            receipt = self._game(message, found, alone=len(contents.games) == 1)
            if receipt is None:
                continue
            if found.match and receipt.match and receipt.result in KNOWN:
                # It has nothing new, but shows what its writer has seen.
                seen = moment_of(receipt.match, named(found.match), "")
                seen = seen or moment_after(receipt.match, len(found.match.steps))
                attached = WrittenAnswer(receipt.match, seen)
            receipts.append(receipt)
        known_all = all(receipt.result in KNOWN for receipt in receipts)
        if contents.games:
            if receipts and contents.unread:
                last = receipts[-1]
                receipts[-1] = last._replace(problems=(*last.problems, *contents.unread))
            if contents.is_broken and contents.error:
                receipts.append(invalid_record(message, contents.error, beside=True))
        elif contents.error:
            receipts = [invalid_record(message, contents.error)]
        elif contents.unread or not self.request.many:
            receipts = [nothing_found(message._replace(unread=(*message.unread, *contents.unread)))]
        is_set_up = all(found.match for found in contents.games)
        has_record, many = bool(contents.games), self.request.many
        may_answer = _may_be_an_answer(message, has_record=has_record, many=many)
        if may_answer and known_all and is_set_up and not contents.is_broken:
            self._waiting.append(_Waiting(message._replace(parts=()), attached, receipts))
            return []
        return receipts

    def answers(self) -> Iterator[tuple[str, list[Receipt]]]:
        """Yield the receipts of messages that may be answers, each with the message's name."""
        for index, one in enumerate(self._waiting):
            try:
                receipt = self._answered(index)
            except PortoError as error:
                receipt = trouble(one.message, error)
            yield one.message.source, [receipt] if receipt else one.otherwise

    def _with_name(self, message: Incoming) -> Incoming:
        return message._replace(known_as=self._book.sender(*message.sender))

    def _game(self, message: Incoming, found: Version, *, alone: bool) -> Receipt | None:
        """Receive a version of a game; among many there may be nothing to report."""
        try:
            receipt = received(message, found, self.request, self.copies, alone=alone)
        except PortoError as error:
            return trouble(message, error)
        if receipt.result == OWN_TURNS:
            if receipt.path in self._unconfirmed:
                return None
            self._unconfirmed.add(receipt.path)
        return None if receipt.result == Verdict.OTHER_GAME and self.request.many else receipt

    # -- Moves in words

    def _answered(self, index: int) -> Receipt | None:
        """Return the receipt of the moves in a waiting message, if it has any. Of several answers
        by one person to one turn the newest counts.
        """
        one = self._waiting[index]
        found = self._read(one)
        if isinstance(found, str):
            return self._lost(one.message, found)
        if found is None:
            return None
        newer = filter(one.answers_the_same_as, self._waiting[index + 1 :])
        by_people = (self._read(other) for other in newer if not other.message.is_automatic)
        others = [other for other in by_people if isinstance(other, WrittenAnswer)]
        proposal = Proposal(
            one.message,
            found,
            others,
            self.request,
            is_first=not any(map(one.answers_the_same_as, self._waiting[:index])),
            with_record=one.attached is not None,
        )
        return proposal.judged()

    def _read(self, one: _Waiting) -> WrittenAnswer | str | None:
        """Return a message as an answer, or why its game or writer is unknown; None if it is about
        a different game from the one that was named.
        """
        message, attached, into = one.message, one.attached, self.request.into
        if attached:
            attached = attached._replace(match=load(attached.match.record.file))
        elif into is not None and into.exists():
            attached = WrittenAnswer(load(into))
            if self.request.many and message.answers[-1].game != game_named(attached.match.record):
                return None
        return self._answer_in(message, attached)

    def _lost(self, message: Incoming, problem: str) -> Receipt | None:
        """Report a message with moves of an unknown game or player, if it has any."""
        if self.request.many or message.is_automatic or not begins_like_a_move(message):
            return None
        return Receipt(message, REFUSED_MOVES, REFUSED, problems=(problem,))

    # -- The game of an answer, and its writer

    def _answer_in(self, message: Incoming, attached: WrittenAnswer | None) -> WrittenAnswer | str:
        """Return a message, or the one that it forwards, as an answer; or why its game or writer is
        unknown.

        ``attached`` is the game that was named, or whose record is in the message. Raises
        InvalidFileError, FileError (of the address book).
        """
        found = self._written(message, attached)
        has_own = isinstance(found, WrittenAnswer) and (found.reply.moves or found.reply.in_text)
        inner = None if has_own else _forwarded(message)
        if inner is None:
            return found
        inner = inner._replace(answers=inner.answers or message.answers)
        passed = self._written(inner, attached)
        if not isinstance(passed, WrittenAnswer) or not passed.reply.moves or not passed.is_awaited:
            return found
        return passed._replace(passed_on=message.sender_name or "Somebody")

    def _written(self, message: Incoming, attached: WrittenAnswer | None) -> WrittenAnswer | str:
        found = self._game_of(message, attached)
        writer = found if isinstance(found, str) else self._writer_of(message, found.match)
        if isinstance(found, str) or isinstance(writer, str):
            return str(writer)
        seat, assumed = writer
        is_footer = partial(is_known_footer, message=message, match=found.match, seat=seat)
        reply = read_reply(message, found.seen, seat, is_footer)
        notes = (*found.notes, *filter(None, [assumed]))
        return found._replace(seat=seat, is_assumed=bool(assumed), reply=reply, notes=notes)

    def _game_of(self, message: Incoming, attached: WrittenAnswer | None) -> WrittenAnswer | str:
        """Return the local copy that an answer is about, or why it is unknown: the one
        ``attached``; else the one named by the ids of the messages it answers, or by the table code
        in its subject; else the only game here.
        """
        about, code = message.answers[-1] if message.answers else None, code_in(message.subject)
        known = partial(self.copies.of, about.game) if about else self.copies.running
        games = [attached.match] if attached else known()
        for match in games:
            moment = moment_of(match, about, code)
            if moment is not None:
                return WrittenAnswer(match, moment, by_id=about in message.in_head)
        if attached and attached.moment:
            return attached
        if about and not games:
            return (
                f"It answers a message of a game that is not in {self.copies.folder}; name its "
                "folder with --folder, or its record with --into."
            )
        if not games:
            return f"There is no running game in {self.copies.folder} that it could be about."
        first, *others = games
        if attached or about:
            is_same = about is not None and about.game == game_named(first.record)
            return WrittenAnswer(first, unseen=is_same and first.chain is None)
        if others:
            waiting = [match for match in games if self._is_waited_for(message, match)]
            files = ", ".join(str(match.path) for match in waiting or games)
            return (
                f"It does not say which game it is about; name one of these with --into: {files}."
            )
        note = (
            f"{first.path} is the only running game here, so the message is assumed to be about it."
        )
        return WrittenAnswer(first, notes=(note,))

    def _is_waited_for(self, message: Incoming, match: Match) -> bool:
        """Return whether the writer of a message is surely to move in a game."""
        writer = self._writer_of(message, match)
        if isinstance(writer, str) or writer[1]:
            return False
        return writer[0] in match.game.to_move(match.state)

    def _writer_of(self, message: Incoming, match: Match) -> tuple[int, str] | str:
        """Return the writer's seat, and a note if it was only guessed; or why it is unknown.

        The writer is the player named; else by the address book; else the player with a name like
        the sender's; else the one player to move. Raises InvalidFileError, FileError (of the
        address book).
        """
        if self.request.sender is not None:
            return _named_writer(match, self.request.sender)
        players, (name, address) = match.holders, message.sender
        if address:
            known = seats_at(address_book(), match, address)
            if len(known) == 1:
                return known.pop(), ""
        words = [name, *name.split(), address.partition("@")[0]]
        for word in filter(None, words):
            seats = [seat for seat, player in enumerate(players) if is_called(player, word)]
            if len(seats) == 1 and seats[0] in match.people:
                return seats[0], ""
        waiting = match.people_to_move
        sender = message.sender_name or "an unnamed sender"
        if len(waiting) == 1:
            player = players[waiting[0]]
            note = f"It is from {sender}; the writer is assumed to be {player}, whose turn it is."
            return waiting[0], note
        return (
            f"It is from {sender}, and it is not known which player that is "
            f"({', '.join(players)}). Name the writer with --from, or store the address for all "
            "messages: porto address NAME ADDRESS"
        )


def _named_writer(match: Match, name: str) -> tuple[int, str] | str:
    """Return the seat of a named writer, or why no such player can have written a mail."""
    try:
        seat = match.seat_played_by(name)
    except InvalidMoveError as error:
        return error.sentence
    if seat in match.bot_seats:
        return f"{match.players[seat]} is a bot and does not write mail."
    if seat not in match.people:
        return f"{match.players[seat]} has left the game."
    return seat, ""


_ANSWERS = re.compile(r"(?i)^\s*(?:re|aw|sv|antw|antwort|res|odp|vs|rif)\s*(?:\[\d+\])?\s*:")
"""The beginning of an answer's subject, in the languages of many mail programs."""


def _may_be_an_answer(message: Incoming, *, has_record: bool, many: bool) -> bool:
    """Return whether a message may be an answer in words: among many, or with a record, only if it
    replies to another.
    """
    if message.is_ours or (many and not message.answers):
        return False
    is_reply = bool(message.answers) or bool(_ANSWERS.match(message.subject))
    return not has_record or (message.is_message and is_reply)


def _forwarded(message: Incoming) -> Incoming | None:
    """Return the answer that a message forwards: attached to it, or quoted below its headers."""
    if message.inner:
        return message.inner
    for body in (message.body, message.html):
        address, text = passed_on(body)
        if address:
            sender = "", address
            return message._replace(sender=sender, known_as="", body=text, html="", subject="")
    return None
