"""Receiving messages into a folder: records are taken in, moves in words are proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from porto_cli.core import REFUSED, PortoError
from porto_cli.mail import game_named, moment_after, moment_of, named
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.answer import WrittenAnswer, answer_in, may_be_an_answer
from porto_cli.mail.arrival import received
from porto_cli.mail.copies import Copies, Version
from porto_cli.mail.incoming import Envelope, Incoming
from porto_cli.mail.proposal import Proposal
from porto_cli.mail.receipt import (
    KNOWN,
    REFUSED_MOVES,
    OwnTurnsError,
    Receipt,
    Request,
    invalid_record,
    nothing_found,
    nothing_new,
    trouble,
)
from porto_cli.mail.records import games_in
from porto_cli.mail.reply import begins_like_a_move
from porto_cli.match.copies import Verdict
from porto_cli.match.match import load


class _Waiting(NamedTuple):
    """A message that may be an answer in words.

    ``attached``   the game whose record is in it, and how far that goes
    ``alone``      whether it has no record
    ``otherwise``  what came of it if it has no moves
    """

    message: Incoming
    attached: WrittenAnswer | None
    alone: bool
    otherwise: list[Receipt]

    def answers_the_same_as(self, other: _Waiting) -> bool:
        """Return whether another one is of the same person about the same turn."""
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
        """The address book; one that cannot be read keeps no record from being received."""
        try:
            return address_book()
        except PortoError:
            return AddressBook("")

    def received_before(self, head: Incoming) -> Receipt | None:
        """Return the receipt of one of many messages by its head, if its id names a state that a
        local copy is or has been at; ``None`` if all of the message has to be read.

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
        """Return what came of the records of a message. What may be an answer in words waits for
        :meth:`answers`.
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
                # It has nothing new, and says what its writer has seen.
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
        waiting = _Waiting(message._replace(parts=()), attached, not contents.games, receipts)
        is_set_up = all(found.match for found in contents.games)
        may_answer = known_all and is_set_up and not contents.is_broken
        if may_answer and self._may_be_an_answer(waiting):
            self._waiting.append(waiting)
            return []
        return receipts

    def answers(self) -> Iterator[tuple[str, list[Receipt]]]:
        """Yield what came of the messages that may be answers, each with its name: of several of
        one person to one turn the newest counts.
        """
        for nth, one in enumerate(self._waiting):
            later = [other for other in self._waiting[nth + 1 :] if one.answers_the_same_as(other)]
            is_first = not any(map(one.answers_the_same_as, self._waiting[:nth]))
            try:
                receipt = self._answered(one, later, is_first=is_first)
            except PortoError as error:
                receipt = trouble(one.message, error)
            yield one.message.source, [receipt] if receipt else one.otherwise

    def _with_name(self, message: Incoming) -> Incoming:
        return message._replace(known_as=self._book.sender(*message.sender))

    def _game(self, message: Incoming, found: Version, *, alone: bool) -> Receipt | None:
        """Receive a version of a game; there may be nothing to report of one of many."""
        try:
            receipt = received(message, found, self.request, self.copies, alone=alone)
        except PortoError as error:
            if isinstance(error, OwnTurnsError):
                if error.file in self._unconfirmed:
                    return None
                self._unconfirmed.add(error.file)
            return trouble(message, error)
        return None if receipt.result == Verdict.OTHER_GAME and self.request.many else receipt

    # -- Moves in words

    def _may_be_an_answer(self, one: _Waiting) -> bool:
        message = one.message
        if message.is_ours or (self.request.many and not message.answers):
            return False
        return one.alone or (message.is_message and may_be_an_answer(message))

    def _answered(
        self, one: _Waiting, later: Sequence[_Waiting], *, is_first: bool
    ) -> Receipt | None:
        """Return what comes of the moves that are written in a message, if there are any. ``later``
        are newer answers to the same turn; there is no older one if it ``is_first``.
        """
        found = self._read(one)
        if isinstance(found, str):
            return self._lost(one.message, found)
        if found is None:
            return None
        by_people = (self._read(other) for other in later if not other.message.is_automatic)
        others = [other for other in by_people if isinstance(other, WrittenAnswer)]
        with_record = one.attached is not None
        proposal = Proposal(one.message, found, others, self.request, is_first, with_record)
        return proposal.judged()

    def _read(self, one: _Waiting) -> WrittenAnswer | str | None:
        """Return what an answer says; why its game or writer is not known; None if it is about
        another game than the one that was named.
        """
        message, attached, into = one.message, one.attached, self.request.into
        if attached:
            assert attached.match.path is not None
            attached = attached._replace(match=load(attached.match.path))
        elif into is not None and into.exists():
            attached = WrittenAnswer(load(into))
            if self.request.many and message.answers[-1].game != game_named(attached.match.record):
                return None
        return answer_in(message, self.copies, attached, self.request.sender)

    def _lost(self, message: Incoming, problem: str) -> Receipt | None:
        """Return that a message has moves of an unknown game or player, if it has any."""
        if self.request.many or message.is_automatic or not begins_like_a_move(message):
            return None
        return Receipt(message, REFUSED_MOVES, REFUSED, problems=(problem,))
