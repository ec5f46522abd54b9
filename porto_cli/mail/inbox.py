"""Receiving messages into a folder: records are taken in, moves in words are proposed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from porto_cli.core import files
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.characters import command
from porto_cli.core.message import REFUSED, USAGE, InvalidMoveError, PortoError, shown
from porto_cli.game import UNDO
from porto_cli.games import GAMES, game_of
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.answer import (
    About,
    Since,
    Writer,
    alternatives,
    doubts,
    game_of_answer,
    is_secret,
    let_bots_move,
    may_be_an_answer,
    moves_of,
    played,
    said_of,
    since,
    writer_of_answer,
)
from porto_cli.mail.arrival import Verdict
from porto_cli.mail.copies import Copies
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.mailed import was_mailed
from porto_cli.mail.receipts import (
    MOVES,
    PLAYED,
    REFUSED_MOVES,
    Receipt,
    automatic,
    invalid_record,
    known_by_id,
    nothing_found,
    record_received,
    setup_received,
    trouble,
    unconfirmed,
    warned,
)
from porto_cli.mail.receiving import Confirm, OwnTurnsError, Received, receive, receive_setup
from porto_cli.mail.records_in import Contents, Found, FoundSetup, games_in
from porto_cli.mail.sources import Envelope
from porto_cli.mail.threads import game_named
from porto_cli.mail.words import Reply, read_reply
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, load
from porto_cli.match.replay import path_of
from porto_cli.next_step import player_to_name

if TYPE_CHECKING:
    from porto_cli.match.match import KeySource


@dataclass
class Receiver:
    """Receives messages into a folder.

    ``into`` names the local copy, ``sender`` the player who wrote the moves. Of ``many`` messages
    those that are about other things, or were received before, are left alone. ``confirm`` returns
    whether the user has made turns that a record brings; ``keys`` are those with which a step is
    signed again.
    """

    folder: Path
    into: Path | None
    sender: str | None
    confirm: Confirm
    keys: KeySource | None = None
    many: bool = field(kw_only=True)
    dry_run: bool = field(kw_only=True)
    _unconfirmed: set[Path | None] = field(default_factory=set, init=False)

    @cached_property
    def _book(self) -> AddressBook:
        """The address book; one that cannot be read keeps no record from being received."""
        try:
            return address_book()
        except PortoError:
            return AddressBook("", {}, {})

    @cached_property
    def _copies(self) -> Copies:
        return Copies(self.folder, self.into)

    def received_before(self, head: Incoming) -> Receipt | None:
        """Return the receipt of one of many messages by its head, if its id names a state that a
        local copy is or has been at; ``None`` if all of the message has to be read.

        Only this program writes such an id, and with it a record that goes exactly as far.
        """
        copies = self._copies.at(head.own_id) if self.many and head.own_id else []
        if not copies:
            return None
        return known_by_id(self._with_name(head), copies[0])

    def receive(self, envelope: Envelope) -> list[Receipt]:
        """Return what came of a message."""
        before = self.received_before(envelope.head)
        message = None if before else envelope.load()
        if message is None:
            return [before] if before else []
        message = self._with_name(message)
        contents = games_in(message)
        receipts = [self._setup(message, found) for found in contents.setups]
        known: Match | None = None
        for found in contents.games:
            received, receipt = self._game(message, found, alone=len(contents.games) == 1)
            if receipt:
                receipts.append(receipt)
            if received and received.verdict in (Verdict.SAME, Verdict.OLDER):
                known = received.match
        known_all = all(receipt.result in (Verdict.SAME, Verdict.OLDER) for receipt in receipts)
        if known_all and not contents.is_broken and not contents.setups:
            try:
                moves = self._moves(message, known, alone=not contents.games)
            except PortoError as error:
                moves = trouble(message, error)
            if moves:
                return [moves]
        if contents.games or contents.setups:
            if receipts and contents.unread:
                last = receipts[-1]
                receipts[-1] = last._replace(problems=(*last.problems, *contents.unread))
            return receipts
        return self._no_record(message, contents)

    def _with_name(self, message: Incoming) -> Incoming:
        return message._replace(known_as=self._book.sender(*message.sender))

    def _setup(self, message: Incoming, found: FoundSetup) -> Receipt:
        """Receive a sealed game that is still being set up."""
        try:
            received = receive_setup(found, self.folder, self.into, dry_run=self.dry_run)
        except PortoError as error:
            return trouble(message, error)
        return setup_received(message, received, found.record, many=self.many, dry_run=self.dry_run)

    def _game(
        self, message: Incoming, found: Found, *, alone: bool
    ) -> tuple[Received | None, Receipt | None]:
        """Receive a version of a game; there may be nothing to report of one of many."""
        try:
            received = receive(
                found, self.folder, self.into, self.confirm, self.keys, dry_run=self.dry_run
            )
        except OwnTurnsError as error:
            file, asked_before = error.turns.file, error.turns.file in self._unconfirmed
            self._unconfirmed.add(file)
            return None, None if asked_before else unconfirmed(message, error)
        except PortoError as error:
            return None, trouble(message, error)
        if received.verdict is Verdict.OTHER_GAME and self.many:
            return received, None
        receipt = record_received(message, received, many=self.many, dry_run=self.dry_run)
        return received, warned(receipt, received) if alone else receipt

    def _no_record(self, message: Incoming, contents: Contents) -> list[Receipt]:
        if contents.error:
            return [invalid_record(message, contents.error)]
        if self.many and not contents.unread:
            return []
        return [nothing_found(message._replace(unread=(*message.unread, *contents.unread)))]

    # -- Moves in words

    def _moves(self, message: Incoming, known: Match | None, *, alone: bool) -> Receipt | None:
        """Return what comes of the moves that are written in a message, if there are any."""
        if not message.is_message and not alone:
            return None
        if message.is_ours or not (alone or may_be_an_answer(message)):
            return None
        if self.many and not message.answers:
            return None
        if known is None and self.into is not None and self.into.exists():
            known = load(self.into)
            if self.many and message.answers[-1].game != game_named(known.record):
                return None
        if known is None and message.answers:
            known = self._copies.only_one_at(message.answers[-1])
        about = game_of_answer(message, self.folder, known)
        if not isinstance(about, About):
            return self._lost(message, about)
        match = about.match
        writer = writer_of_answer(message, match, self.sender)
        if not isinstance(writer, Writer):
            return self._lost(message, writer)
        seat = writer.seat
        reply = moves_of(message, match, seat, about.steps)
        is_silent = not reply.moves and not reply.unclear
        is_due = message.answers and seat in match.game.to_move(match.state)
        if is_silent and (self.many or not is_due or message.is_automatic or match.replay.chain):
            return None
        player, file = match.replay.holders[seat], match.path
        then = since(match, about.steps, reply.moves, seat)
        receipt = Receipt(
            message,
            MOVES,
            match=match,
            before=len(match.replay.steps),
            seat=seat,
            moves=reply.moves[then.played :],
        )
        if is_silent:
            return _refused(
                receipt,
                f"No move was found in the answer of {player}; nothing was changed in {file}.",
                _answer(match, _NO_MOVE_FOUND, "", seat),
            )
        if reply.moves and not receipt.moves:
            known_already = f"This move of {player} was played before; {file} has it."
            return receipt._replace(result=Verdict.SAME, report=(known_already,))
        if self.many and then.is_superseded:
            return None
        if message.is_automatic:
            return None if reply.unclear else _refused(receipt, automatic(message))
        if match.replay.chain is not None:
            # Only the user's key could sign here, and anybody can write in the user's name.
            return _refused(
                receipt,
                f"The message has a move of {player} in words. In {file} every move is signed with "
                f"its player's key, so it was not played: {player} has to make it with porto, and "
                "send the record.",
            )
        if reply.by_number and (about.steps is None or then.others or then.own):
            return _refused(
                receipt,
                f"{player} names what lies on the table by its numbers, which may have changed "
                f"since the mail that was answered. Nothing was played in {file}; type the move "
                "that is meant.",
                _answer(match, _BY_NUMBER, "", seat),
            )
        notes = [each for each in (about.note, writer.note) if each]
        if then.played:
            some = "move" if then.played == 1 else f"{then.played} moves"
            notes.append(f"{file} already has the first {some} of this answer. The rest is new.")
        found = self._doubts(message, about, seat, then)
        if reply.words:
            more = f": {shown(reply.words)}"
            if reply.is_hidden:
                more = f" something that only {player} may know, so it is not shown here"
            found = (*found, f"{player} also writes{more}. So --yes does not play it.")
        receipt = receipt._replace(report=tuple(notes), doubts=found)
        if reply.unclear:
            return _unclear(receipt, match, seat, reply)
        return _proposal(receipt, match, seat)

    def _lost(self, message: Incoming, problem: str) -> Receipt | None:
        """Return that a message has moves of an unknown game or player, if it has any."""
        if self.many or not _mentions_moves(message):
            return None
        return Receipt(message, REFUSED_MOVES, REFUSED, problems=(problem,))

    def _doubts(self, message: Incoming, about: About, seat: int, then: Since) -> tuple[str, ...]:
        """Return why ``--yes`` is not enough to play the moves of a proposal."""
        found = []
        # --from names the writer of one message; the user has not read a whole mailbox.
        if self.sender is None or self.many:
            answers_last = about.by_id and not then.others
            found = doubts(message, about.match, seat, answers_last=answers_last)
        if then.others:
            many = f"other players have made {then.others} turns"
            behind = many if then.others > 1 else "another player has made a turn"
            found.append(
                f"It answers an older message: {behind} since then. So --yes does not play it."
            )
        return tuple(found)

    def play(self, receipt: Receipt, came_up: TypedChance | None = None) -> Receipt:
        """Play the moves of a proposal, and save the game.

        Raises FileError, and for a real table NothingTypedError, NotInPileError.
        """
        match, seat = receipt.match, receipt.seat
        assert match is not None
        assert match.path is not None
        assert seat is not None
        after, _, told = played(match, receipt.moves, seat, came_up)
        if self.dry_run:
            report = (*receipt.report, "Nothing was written: this was a dry run.")
            return receipt._replace(code=0, report=report)
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


def _mentions_moves(message: Incoming) -> bool:
    """Return whether some sentence of a player's message begins like a move of some game."""
    if message.is_automatic:
        return False
    for game in GAMES:
        reply = read_reply(message.body, message.subject, game_of(game))
        if any(" " in move for move in reply.moves) or reply.unclear:
            return True
    return False


def _unclear(receipt: Receipt, match: Match, seat: int, reply: Reply) -> Receipt:
    """Return that an answer mentions a move, but has no line that is one."""
    player = match.replay.holders[seat]
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


def _proposal(receipt: Receipt, match: Match, seat: int) -> Receipt:
    """Return which moves would be played, if they can be."""
    moves, player = receipt.moves, match.replay.holders[seat]
    if UNDO in moves and was_mailed(match.replay):
        return _refused(
            receipt,
            f"{player} wants to take a move back, but it was mailed on. Nothing was changed; if "
            "nobody has moved yet and all agree, type: "
            f"{command(UNDO, path_of(match.replay), player_to_name(match.replay, seat))}",
            (_MAILED_ON,),
        )
    secret = is_secret(match, moves, seat)
    told = tuple(text.split()[0] for text in moves) if secret else moves
    try:
        _, moves, told = played(match, moves, seat)
    except NothingTypedError:
        pass
    except (IllegalMoveError, InvalidMoveError, NotInPileError) as error:
        return _illegal(receipt._replace(shown=told), match, seat, error)
    path, to_name = path_of(match.replay), player_to_name(match.replay, seat)
    return receipt._replace(
        code=REFUSED if receipt.doubts else USAGE,
        report=(*receipt.report, f"{player} plays: {', '.join(told)}."),
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
    moves, player = ", ".join(receipt.shown), match.replay.holders[seat]
    problem = f"{player} writes {shown(moves)}, which cannot be played: {reason}"
    cause = f"{moves} cannot be played: {reason}"
    waiting = [match.replay.holders[each] for each in match.game.to_move(match.state)]
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
_NO_MOVE_FOUND = (
    "I found no move in your answer. Please answer with the move alone in the first line."
)
_BY_NUMBER = (
    "The numbers on the table may have changed since the mail that you have answered. Please "
    "answer with the names instead of the numbers."
)
