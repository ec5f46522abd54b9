"""Receiving messages into a folder: records are taken in, moves in words are proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from porto_cli.core import files
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.message import (
    REFUSED,
    USAGE,
    FileError,
    InvalidMoveError,
    PortoError,
    command,
    enumerated,
    printable,
    shown,
)
from porto_cli.game import UNDO
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.answer import (
    About,
    Since,
    Writer,
    alternatives,
    doubts,
    forwarded,
    game_of_answer,
    is_known_footer,
    is_secret,
    let_bots_move,
    may_be_an_answer,
    note_footers,
    played,
    said_of,
    seats_at,
    since,
    table_seen,
    writer_of_answer,
)
from porto_cli.mail.arrival import received, warned
from porto_cli.mail.compose import from_player
from porto_cli.mail.copies import Copies
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.notes import TOLD, is_first, was_mailed
from porto_cli.mail.receipt import (
    KNOWN,
    MOVES,
    PLAYED,
    REFUSED_MOVES,
    OwnTurnsError,
    Receipt,
    Request,
    automatic,
    invalid_record,
    nothing_found,
    nothing_new,
    trouble,
    unconfirmed,
)
from porto_cli.mail.records_in import Found, games_in
from porto_cli.mail.reply import By, Reply, begins_like_a_move, read_reply
from porto_cli.mail.sources import Envelope
from porto_cli.mail.threads import game_named, states_named
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, load
from porto_cli.match.replay import path_of
from porto_cli.match.said import LONGEST, Said
from porto_cli.match.versions import Verdict
from porto_cli.next_step import player_to_name
from porto_cli.pages import step_in_moves
from porto_cli.settings import own_seat


class _Waiting(NamedTuple):
    """A message that may be an answer in words.

    ``attached``   the game whose record is in it, and how far that goes
    ``alone``      whether it has no record
    ``otherwise``  what came of it if it has no moves
    """

    message: Incoming
    attached: About | None
    alone: bool
    otherwise: list[Receipt]

    def is_as(self, other: _Waiting) -> bool:
        """Return whether another one is of the same person about the same turn."""
        here, there = self.message, other.message
        people = [(one.sender[1] or one.sender[0]).lower() for one in (here, there)]
        same = here.answers[-1:] == there.answers[-1:] and bool(here.answers)
        return same and people[0] == people[1]


class _Answer(NamedTuple):
    """What a message says as an answer, and how its game and writer are known.

    ``passed_on``  by whom, if somebody else has sent it than who wrote it
    """

    about: About
    writer: Writer
    reply: Reply
    notes: tuple[str, ...] = ()
    passed_on: str = ""

    @property
    def seat(self) -> int:
        """The seat of who wrote it."""
        return self.writer.seat

    @property
    def is_awaited(self) -> bool:
        """Whether it is known to be of somebody else than the user, whose turn it is."""
        match = self.about.match
        is_own = self.seat == own_seat(match.holders, match.players)
        is_turn = self.seat in match.game.to_move(match.state)
        return self.writer.note is None and is_turn and not is_own

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that it has, or else may mean."""
        return self.reply.moves or self.reply.likely

    @property
    def is_silent(self) -> bool:
        """Whether it has nothing that could be a move."""
        return not (self.moves or self.reply.unclear)

    @property
    def is_instead(self) -> bool:
        """Whether it says what to do at the table that it answers, and not what to do next."""
        if not self.moves:
            return bool(self.reply.unclear)
        if self.moves[0] == UNDO:
            return False
        seen = table_seen(self.about.match, self.about.steps)
        game, state = seen.game, seen.state
        try:
            move = game.parse_move(self.moves[0], state, self.seat)
        except InvalidMoveError:
            return False
        return not game.violations(state, move, self.seat)

    @property
    def player(self) -> str:
        """The name of who wrote it."""
        return str(self.about.match.holders[self.seat])


class Receiver:
    """Receives messages into a folder."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._unconfirmed: set[Path | None] = set()
        self._waiting: list[_Waiting] = []
        self._copies = Copies(request.folder, request.into)

    @cached_property
    def _book(self) -> AddressBook:
        """The address book; one that cannot be read keeps no record from being received."""
        try:
            return address_book()
        except PortoError:
            return AddressBook("", {}, {})

    def received_before(self, head: Incoming) -> Receipt | None:
        """Return the receipt of one of many messages by its head, if its id names a state that a
        local copy is or has been at; ``None`` if all of the message has to be read.

        Only this program writes such an id, and with it a record that goes exactly as far.
        """
        copies = self._copies.at(head.own_id) if self.request.many and head.own_id else []
        if not copies or not head.own_id:
            return None
        copy, message = copies[0], self._with_name(head)
        is_last = states_named(copy)[-1] == head.own_id.state
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
        attached: About | None = None
        for found in (*contents.setups, *contents.games):
            receipt = self._game(message, found)
            if receipt is None:
                continue
            if found.match and receipt.match and receipt.result in KNOWN:
                # It has nothing new, and says what its writer has seen.
                attached = About(receipt.match, len(found.match.steps))
            if found.match and len(contents.games) == 1:
                receipt = warned(receipt, found.match)
            receipts.append(receipt)
        known_all = all(receipt.result in KNOWN for receipt in receipts)
        if contents.games or contents.setups:
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
        may_answer = known_all and not contents.is_broken and not contents.setups
        if may_answer and self._may_be_an_answer(waiting):
            self._waiting.append(waiting)
            return []
        return receipts

    def answers(self) -> Iterator[tuple[str, list[Receipt]]]:
        """Yield what came of the messages that may be answers, each with its name: of several of
        one person to one turn the newest counts.
        """
        self._copies = Copies(self.request.folder, self.request.into)
        for nth, one in enumerate(self._waiting):
            later = [other for other in self._waiting[nth + 1 :] if one.is_as(other)]
            is_first = not any(map(one.is_as, self._waiting[:nth]))
            try:
                receipt = self._answered(one, later, is_first=is_first)
            except PortoError as error:
                receipt = trouble(one.message, error)
            if receipt and receipt.result == REFUSED_MOVES:
                self._is_first_told(one.message)
            yield one.message.source, [receipt] if receipt else one.otherwise

    def _with_name(self, message: Incoming) -> Incoming:
        return message._replace(known_as=self._book.sender(*message.sender))

    def _game(self, message: Incoming, found: Found) -> Receipt | None:
        """Receive a version of a game; there may be nothing to report of one of many."""
        try:
            receipt = received(message, found, self.request)
        except OwnTurnsError as error:
            asked_before = error.turns.file in self._unconfirmed
            self._unconfirmed.add(error.turns.file)
            return None if asked_before else unconfirmed(message, error)
        except PortoError as error:
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
        about, match, player = found.about, found.about.match, found.player
        by_people = (self._read(other) for other in later if not other.message.is_automatic)
        others = [other for other in by_people if isinstance(other, _Answer)]
        receipt = Receipt(one.message, MOVES, match=match, before=len(match.steps), seat=found.seat)
        if any(other.is_instead for other in others):
            newer = f"{player} has answered this turn again; the newest answer counts."
            return receipt._replace(result=Verdict.OLDER, report=(newer,))
        if found.is_silent:
            return self._without_a_move(one, found, receipt)
        then = since(match, about.steps, found.moves, found.seat)
        receipt = receipt._replace(moves=found.moves[then.played :])
        if found.moves and not receipt.moves and not found.reply.unclear:
            known_already = f"This move of {player} was played before; {match.path} has it."
            return receipt._replace(result=Verdict.SAME, report=(known_already,))
        if self.request.many and then.is_superseded:
            return self._late(one.message, found, then, receipt)
        if one.message.is_automatic:
            return None if found.reply.unclear else _refused(receipt, automatic(one.message))
        if refused := self._not_here(one.message, found, then, receipt):
            return refused
        notes = list(found.notes)
        if then.played:
            some = "move" if then.played == 1 else f"{then.played} moves"
            notes.append(
                f"{match.path} already has the first {some} of this answer. The rest is new."
            )
        if not is_first:
            notes.append(
                f"{player} has answered this turn more than once; this answer is the newest."
            )
        said = " ".join(filter(None, (each.reply.words for each in (found, *others))))
        doubts = [*self._doubts(one.message, found, then), *_words(found, said)]
        words = "" if found.reply.is_hidden else printable(said)[:LONGEST]
        receipt = receipt._replace(report=tuple(notes), doubts=tuple(doubts), words=words)
        if not receipt.moves:
            return _unclear(receipt, match, found.seat, found.reply)
        receipt = _proposal(receipt, match, found.seat, is_likely=not found.reply.moves)
        if receipt.result == MOVES and found.reply.below and not self.request.dry_run:
            note_footers(found.reply.below, one.message, about, receipt.moves[0], found.seat)
        return receipt

    def _late(
        self, message: Incoming, found: _Answer, then: Since, receipt: Receipt
    ) -> Receipt | None:
        """Return that an undo, or another move than was played, came after the game had gone on.

        Who receives a mailbox is told once of each; what else the game has passed over is old.
        """
        is_undo = found.moves[0] == UNDO
        is_one = not then.played and (is_undo or (then.own and found.is_instead))
        if not is_one or message.is_automatic or found.about.match.chain:
            return None
        if not self._is_first_told(message):
            return None
        if not is_undo:
            return _changed(receipt, found, then)
        return _refused(
            receipt,
            f"{found.player} wants to take a move back in {found.about.match.path}, but others "
            f"have moved since then, so it stands (R-UNDO) and nothing was changed. Let "
            f"{found.player} know.",
            ("Your undo came too late: others have moved since then, so your move stands.",),
        )

    def _is_first_told(self, message: Incoming) -> bool:
        """Note that the user is told what is wrong with an answer; return whether that is the first
        time. In a dry run it always is.
        """
        with suppress(FileError):
            return self.request.dry_run or is_first(
                TOLD, *message.sender, message.date, message.body
            )
        return True

    def _read(self, one: _Waiting) -> _Answer | str | None:
        """Return what an answer says; why its game or writer is not known; None if it is about
        another game than the one that was named.
        """
        message, attached = one.message, one.attached
        if attached:
            assert attached.match.path is not None
            attached = attached._replace(match=load(attached.match.path))
        elif self.request.into is not None and self.request.into.exists():
            attached = About(load(self.request.into))
            if self.request.many and message.answers[-1].game != game_named(attached.match.record):
                return None
        found = self._said(message, attached)
        inner = None if isinstance(found, _Answer) and found.reply.moves else forwarded(message)
        if inner is None:
            return found
        passed = self._said(inner._replace(answers=inner.answers or message.answers), attached)
        if not isinstance(passed, _Answer) or not passed.reply.moves or not passed.is_awaited:
            return found
        return passed._replace(passed_on=message.sender_name or "Somebody")

    def _said(self, message: Incoming, attached: About | None) -> _Answer | str:
        """Return what a player says in a message; why its game or writer is not known."""
        about = game_of_answer(message, self._copies, attached, self.request.sender)
        if isinstance(about, str):
            return about
        writer = writer_of_answer(message, about.match, self.request.sender)
        if isinstance(writer, str):
            return writer
        seen = table_seen(about.match, about.steps)
        is_footer = partial(is_known_footer, message=message, match=about.match, seat=writer.seat)
        by = By(writer.seat, message.sender_name, is_footer)
        reply = read_reply(message.body, message.html, message.subject, seen, by)
        notes = tuple(each for each in (about.note, writer.note) if each)
        return _Answer(about, writer, reply, notes)

    def _without_a_move(self, one: _Waiting, found: _Answer, receipt: Receipt) -> Receipt | None:
        """Return what comes of an answer in which there is no move, if somebody waits for one."""
        match = found.about.match
        is_due = one.message.answers and found.seat in match.game.to_move(match.state)
        if self.request.many or not is_due or one.message.is_automatic or match.chain:
            return None
        problem = (
            f"No move was found in the answer of {found.player}; nothing was changed in "
            f"{match.path}."
        )
        cause = _NO_MOVE_FOUND
        if one.attached:
            problem = (
                f"The game that {found.player} has attached has no new turn: it is the one that "
                f"{found.player} was sent. Nothing was changed in {match.path}."
            )
            cause = _OLD_ATTACHMENT
        if found.reply.words and not found.reply.is_hidden:
            problem += f" {found.player} writes: {shown(found.reply.words)}."
        return _refused(receipt, problem, _answer(match, cause, "", found.seat))

    def _not_here(
        self, message: Incoming, found: _Answer, then: Since, receipt: Receipt
    ) -> Receipt | None:
        """Return why an answer can be no move in the local copy, whatever the rules say."""
        about, match, player = found.about, found.about.match, found.player
        file = match.path
        if match.chain is not None:
            # Only the user's key could sign here, and anybody can write in the user's name.
            return _refused(
                receipt,
                f"The message has a move of {player} in words. In {file} every move is signed with "
                f"its player's key, so it was not played: {player} has to make it with porto, and "
                "send the record.",
            )
        # Secret choices can have been put into another order than the writer has seen.
        if about.unseen and not found.reply.is_hidden:
            names = self._recipients(message, match, found.seat)
            whom = f"It is meant for {enumerated(names)}: forward it to {enumerated(names)}, or get"
            return _refused(
                receipt,
                f"{player} answers a turn of {file} that your copy does not have yet, so nothing "
                f"was played. {whom if names else 'Get'} the newer game, and receive it again.",
            )
        if found.reply.by_number and (about.steps is None or then.others or then.own):
            return _refused(
                receipt,
                f"{player} names what lies on the table by its numbers, which may have changed "
                f"since the mail that was answered. Nothing was played in {file}; type the move "
                "that is meant.",
                _answer(match, _BY_NUMBER, "", found.seat),
            )
        if then.own and not then.played and found.is_instead:
            return _changed(receipt, found, then)
        return None

    def _recipients(self, message: Incoming, match: Match, writer: int) -> list[str]:
        """Return who a message was sent to, but for its writer and the user: players, or else
        addresses.
        """
        user = own_seat(match.holders, match.players)
        mine = from_player("" if user is None else match.holders[user])
        seats = {seat for one in message.to for seat in seats_at(self._book, match, one)}
        names = [match.holders[one] for one in sorted(seats - {writer, user})]
        own = mine.address.lower() if mine else ""
        return names or [printable(one) for one in message.to if one.lower() != own]

    def _lost(self, message: Incoming, problem: str) -> Receipt | None:
        """Return that a message has moves of an unknown game or player, if it has any."""
        if self.request.many or message.is_automatic:
            return None
        if not begins_like_a_move(message.body, message.subject):
            return None
        return Receipt(message, REFUSED_MOVES, REFUSED, problems=(problem,))

    def _doubts(self, message: Incoming, found: _Answer, then: Since) -> Iterator[str]:
        """Yield why ``--yes`` is not enough to play the moves of a proposal."""
        about, seat = found.about, found.seat
        # --from names the writer of one message; the user has not read a whole mailbox.
        if self.request.sender is None or self.request.many:
            answers_last = about.by_id and not then.others
            if found.passed_on:
                yield (
                    f"{found.passed_on} has passed this on; {found.player} is said to have written "
                    "it. So --yes does not play it."
                )
            else:
                yield from doubts(message, about.match, seat, answers_last=answers_last)
        if then.others:
            many = f"other players have made {then.others} turns"
            behind = many if then.others > 1 else "another player has made a turn"
            yield f"It answers an older message: {behind} since then. So --yes does not play it."

    def play(
        self, receipt: Receipt, came_up: TypedChance | None = None, *, say: bool = False
    ) -> Receipt:
        """Play the moves of a proposal, and save the game; ``say`` its other words to the others.

        Raises FileError, and for a real table NothingTypedError, NotInPileError.
        """
        match, seat = receipt.match, receipt.seat
        assert match is not None
        assert match.path is not None
        assert seat is not None
        after, _, told = played(match, receipt.moves, seat, came_up)
        if self.request.dry_run:
            report = (*receipt.report, "Nothing was written: this was a dry run.")
            return receipt._replace(code=0, report=report)
        if say:
            after.note(Said(0, match.holders[seat], receipt.words).comment)
        ordered = let_bots_move(after)
        after.read_back()
        notices = files.replace(match.path, after.record.text, was=match.record.text)
        return receipt._replace(
            result=PLAYED,
            code=0,
            report=(*receipt.report, *said_of(ordered), *notices),
            doubts=(),
            commands=(),
            match=load(match.path),
            shown=told,
            ordered=tuple(ordered),
        )


def _words(found: _Answer, said: str) -> Iterator[str]:
    """Yield what an answer says besides its moves."""
    reply, player, match = found.reply, found.player, found.about.match
    also = "also writes" if reply.moves else "writes"
    if reply.in_text:
        told = ", ".join(_told(match, reply.in_text, found.seat))
        yield (
            f"The plain text of the message has another answer than its HTML: {told}. So --yes "
            "does not play it."
        )
    if said and reply.is_hidden:
        yield (
            f"{player} {also} something that only {player} may know, so it is not shown here. So "
            "--yes does not play it."
        )
    elif said or not (reply.moves or reply.in_text):
        yield f"{player} {also}: {shown(said)}. So --yes does not play it."


def _changed(receipt: Receipt, found: _Answer, then: Since) -> Receipt:
    """Return that a turn was answered again after another move of its player had been played."""
    match, player = found.about.match, found.player
    step = next(one for one in match.steps[found.about.steps :] if one.seat == found.seat)
    made = ", ".join(step_in_moves(match, step))
    wanted = ", ".join(_told(match, found.moves, found.seat))
    problem = f"{player} answers a turn again, with {wanted}; {match.path} has {made} for it."
    if then.others:
        return _refused(
            receipt,
            f"{problem} Others have moved since then, so nothing was changed.",
            (f"{wanted} came too late: {made} was played, and the game has gone on.",),
        )
    undo = command(UNDO, path_of(match), player_to_name(match, found.seat))
    return _refused(
        receipt,
        f"{problem} If that was not mailed on, take it back and receive this message again: {undo}",
        (f"{made} was played, as you wrote first. If it was mailed on, it counts.",),
    )


def _told(match: Match, moves: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return moves as everybody may know them."""
    secret = is_secret(match, moves, seat)
    return tuple(text.split()[0] if secret else text for text in moves)


def _unclear(receipt: Receipt, match: Match, seat: int, reply: Reply) -> Receipt:
    """Return that an answer mentions a move, but has no line that is one."""
    player = match.holders[seat]
    if reply.is_hidden:
        return _refused(
            receipt,
            f"{player} mentions a move in a line that is not a move alone. Only {player} may know "
            "it, so it is not shown here; nothing was played. Ask for the move alone in the first "
            "line.",
            (_NO_MOVE_FOUND,),
        )
    cause = (
        f'I do not know which move you mean by "{reply.unclear}". Please answer with the move '
        "alone in the first line."
    )
    return _refused(
        receipt,
        f"{player} mentions a move in a line that is not a move alone: {shown(reply.unclear)}. "
        "Nothing was played; type the move that is meant.",
        _answer(match, cause, "", seat),
    )


def _proposal(receipt: Receipt, match: Match, seat: int, *, is_likely: bool) -> Receipt:
    """Return which moves would be played, if they can be; ``is_likely`` if an answer only names
    them.
    """
    moves, player = receipt.moves, match.holders[seat]
    if UNDO in moves and was_mailed(match):
        return _refused(
            receipt,
            f"{player} wants to take a move back, but it was mailed on. Nothing was changed; if "
            "nobody has moved yet and all agree, type: "
            f"{command(UNDO, path_of(match), player_to_name(match, seat))}",
            (_MAILED_ON,),
        )
    secret = is_secret(match, moves, seat)
    told = _told(match, moves, seat)
    try:
        _, moves, told = played(match, moves, seat)
    except NothingTypedError:
        pass
    except (IllegalMoveError, InvalidMoveError, NotInPileError) as error:
        return _illegal(receipt._replace(shown=told), match, seat, error)
    verb = "may mean" if is_likely else "plays"
    path, to_name = path_of(match), player_to_name(match, seat)
    return receipt._replace(
        code=REFUSED if receipt.doubts else USAGE,
        report=(*receipt.report, f"{player} {verb}: {', '.join(told)}."),
        shown=told,
        commands=() if secret else tuple(command(text, path, to_name) for text in moves),
    )


def _refused(receipt: Receipt, problem: str, answer: tuple[str, ...] = ()) -> Receipt:
    """Return that no move is played, and maybe what to send back to the writer."""
    return receipt._replace(
        result=REFUSED_MOVES, code=REFUSED, problems=(problem,), moves=(), answer=answer
    )


def _illegal(receipt: Receipt, match: Match, seat: int, error: PortoError) -> Receipt:
    """Return that moves cannot be played, with what to send back to the writer."""
    reason = " ".join(error.sentences)
    if isinstance(error, NotInPileError):
        reason = str(match.game.chance_fault(error))
    moves, player = ", ".join(receipt.shown), match.holders[seat]
    problem = f"{player} writes {shown(moves)}, which cannot be played: {reason}"
    cause = f"{moves} cannot be played: {reason}"
    waiting = [match.holders[each] for each in match.game.to_move(match.state)]
    if player not in waiting and waiting:
        cause = f"{moves} cannot be played now: it is the turn of {', '.join(waiting)}."
    return _refused(receipt, problem, _answer(match, cause, receipt.moves[0], seat))


def _answer(match: Match, cause: str, text: str, seat: int) -> tuple[str, ...]:
    """Return a message to send back: what is wrong, and what would be right."""
    found = alternatives(match, text, seat)
    if not found:
        return (cause,)
    return (cause, "Legal moves are, for example:", *(f"  {move}" for move in found))


_MAILED_ON = "Your move was mailed on, so it cannot be taken back by mail."
_OLD_ATTACHMENT = (
    "The game that you have attached is the one that you were sent; it has no new turn. Please "
    "attach the file that porto has written, or answer with your move alone in the first line."
)
_NO_MOVE_FOUND = (
    "I found no move in your answer. Please answer with the move alone in the first line."
)
_BY_NUMBER = (
    "The numbers on the table may have changed since the mail that you have answered. Please "
    "answer with the names instead of the numbers."
)
