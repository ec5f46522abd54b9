"""An answer in words, ``draw blue-3`` above the quoted message: which game it is about, who wrote
it, and what it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from porto_cli.core import FileError, InvalidMoveError, shown
from porto_cli.game import UNDO, Step
from porto_cli.mail import Moment, Named, code_in, game_named, moment_of, named
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.copies import Copies
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.notes import FOOTERS, digest_of, note, noted
from porto_cli.mail.reply import Reply, passed_on, read_reply
from porto_cli.match import is_called, seats_of
from porto_cli.match.items import IllegalMoveError, stands
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay
from porto_cli.next_step import seat_of_user

_ANSWERS = re.compile(r"(?i)^\s*(?:re|aw|sv|antw|antwort|res|odp|vs|rif)\s*(?:\[\d+\])?\s*:")


class WrittenAnswer(NamedTuple):
    """What a message says as an answer, and how its game and writer are known."""

    match: Match
    """The local copy of the game."""
    moment: Moment | None = None
    """When the message was written that it answers; None if not known."""
    by_id: bool = False
    """Whether the id of that message says so, in the head of the answer."""
    unseen: bool = False
    """Whether it answers a state at which the local copy has never been."""
    notes: tuple[str, ...] = ()
    """How the game and the writer are known, where that is only likely."""
    seat: int = -1
    """The seat of who wrote it."""
    is_assumed: bool = False
    """Whether who wrote it is only assumed."""
    reply: Reply = Reply()
    passed_on: str = ""
    """By whom, if somebody else has sent it than who wrote it."""

    @property
    def player(self) -> str:
        """The name of who wrote it."""
        return str(self.match.holders[self.seat])

    @property
    def seen(self) -> Replay:
        """The game as its writer has seen it; as it is now if that is not known."""
        return self.moment.seen if self.moment else self.match

    @property
    def is_awaited(self) -> bool:
        """Whether it is known to be of somebody else than the user, whose turn it is."""
        is_turn = self.seat in self.match.game.to_move(self.match.state)
        return is_turn and not self.is_assumed and self.seat != seat_of_user(self.match)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that it has, or else may mean."""
        return self.reply.moves or self.reply.likely

    @property
    def is_instead(self) -> bool:
        """Whether it says what to do at the table that it answers, and not what to do next."""
        return self.reply.fits if self.moves else bool(self.reply.unclear)


def answer_in(
    message: Incoming, copies: Copies, attached: WrittenAnswer | None, sender: str | None
) -> WrittenAnswer | str:
    """Return what a message says as an answer, or the one that is passed on in it; why its game or
    writer is not known.

    ``attached`` is the game that was named, or whose record is in the message; ``sender`` is who
    wrote it, if that was named. Raises InvalidFileError, FileError (of the address book).
    """
    found = _read(message, copies, attached, sender)
    has_own = isinstance(found, WrittenAnswer) and (found.reply.moves or found.reply.in_text)
    inner = None if has_own else _forwarded(message)
    if inner is None:
        return found
    inner = inner._replace(answers=inner.answers or message.answers)
    passed = _read(inner, copies, attached, sender)
    if not isinstance(passed, WrittenAnswer) or not passed.reply.moves or not passed.is_awaited:
        return found
    return passed._replace(passed_on=message.sender_name or "Somebody")


def _read(
    message: Incoming, copies: Copies, attached: WrittenAnswer | None, sender: str | None
) -> WrittenAnswer | str:
    found = _game_of(message, copies, attached, sender)
    writer = found if isinstance(found, str) else _writer_of(message, found.match, sender)
    if isinstance(found, str) or isinstance(writer, str):
        return str(writer)
    seat, assumed = writer
    is_footer = partial(_is_known_footer, message=message, match=found.match, seat=seat)
    reply = read_reply(message, found.seen, seat, is_footer)
    notes = (*found.notes, *filter(None, [assumed]))
    return found._replace(seat=seat, is_assumed=bool(assumed), reply=reply, notes=notes)


def _game_of(
    message: Incoming, copies: Copies, attached: WrittenAnswer | None, sender: str | None
) -> WrittenAnswer | str:
    """Return the local copy that an answer is about, or why none is known.

    That is the one that is ``attached``. Else the ids of the messages that it answers name it, the
    table code in the subject, or that there is only one game.
    """
    about, code = message.answers[-1] if message.answers else None, code_in(message.subject)
    known = partial(copies.of, about.game) if about else copies.running
    games = [attached.match] if attached else known()
    for match in games:
        moment = moment_of(match, about, code)
        if moment is not None:
            return WrittenAnswer(match, moment, by_id=about in message.in_head)
    if attached and attached.moment:
        return attached
    if about and not games:
        return (
            f"It answers a message of a game that is not in {copies.folder}; name its folder "
            "with --folder, or its record with --into."
        )
    if not games:
        return f"There is no running game in {copies.folder} that it could be about."
    first, *others = games
    if attached or about:
        is_same = about is not None and about.game == game_named(first.record)
        return WrittenAnswer(first, unseen=is_same and first.chain is None)
    if others:
        waiting = [match for match in games if _is_waited_for(message, match, sender)]
        files = ", ".join(str(match.path) for match in waiting or games)
        return f"It does not say which game it is about; name one of these with --into: {files}."
    note = f"{first.path} is the only running game here, so the message is assumed to be about it."
    return WrittenAnswer(first, notes=(note,))


def _is_waited_for(message: Incoming, match: Match, sender: str | None) -> bool:
    """Return whether who wrote a message is known to be to move in a game."""
    writer = _writer_of(message, match, sender)
    if isinstance(writer, str) or writer[1]:
        return False
    return writer[0] in match.game.to_move(match.state)


def _writer_of(message: Incoming, match: Match, sender: str | None) -> tuple[int, str] | str:
    """Return the seat of who wrote an answer, and how that is known where it is only likely; or why
    it is not known.

    ``sender`` is who was named. Else the address book knows; else the sender's name is like a
    player's; else it is whose turn it is. Raises InvalidFileError, FileError (of the address book).
    """
    if sender is not None:
        return _named_writer(match, sender)
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
    shown = message.sender_name or "an unnamed sender"
    if len(waiting) == 1:
        player = players[waiting[0]]
        note = f"It is from {shown}; the writer is assumed to be {player}, whose turn it is."
        return waiting[0], note
    return (
        f"It is from {shown}, and it is not known which player that is "
        f"({', '.join(players)}). Name the writer with --from, or store the address for all "
        "messages: porto address NAME ADDRESS"
    )


def _named_writer(match: Match, name: str) -> tuple[int, str] | str:
    """Return the player of a name, or why no player of that name can have written a mail."""
    seats = seats_of(match.holders, name)
    if len(seats) != 1:
        return f"{shown(name)} is not one of the players {', '.join(match.holders)}."
    player = match.players[seats[0]]
    if player in match.bots:
        return f"{player} is a bot and does not write mail."
    if seats[0] not in match.people:
        return f"{player} has left the game."
    return seats[0], ""


def seats_at(book: AddressBook, match: Match, address: str) -> set[int]:
    """Return the seats of the people who get their mail at an address."""
    names = book.at(address)
    return {seat for seat in match.people if book.name_of(match.holders[seat]) in names}


def may_be_an_answer(message: Incoming, *, has_record: bool, many: bool) -> bool:
    """Return whether a message may be an answer in words: among many, or with a record, if it
    answers another one.
    """
    if message.is_ours or (many and not message.answers):
        return False
    is_reply = bool(message.answers) or bool(_ANSWERS.match(message.subject))
    return not has_record or (message.is_message and is_reply)


def _forwarded(message: Incoming) -> Incoming | None:
    """Return the answer that somebody passes on in a message: attached to it, or quoted below its
    head.
    """
    if message.inner:
        return message.inner
    for body in (message.body, message.html):
        address, text = passed_on(body)
        if address:
            sender = "", address
            return message._replace(sender=sender, known_as="", body=text, html="", subject="")
    return None


# -- What has happened since


class Since(NamedTuple):
    """What has happened since the message that an answer answers.

    ``played``  how many of the answer's moves, from the first one, its player has made already
    ``others``  how many turns other players have made; neither secret choices, which they can make
                at any time, nor what was taken back
    ``own``     how many turns its player has made that are none of the answer's moves
    """

    played: int = 0
    others: int = 0
    own: int = 0

    @property
    def is_superseded(self) -> bool:
        """Whether the game has continued without the moves of the answer."""
        return self.others > 0 and (self.own > 0 or not self.played)


def since(match: Match, moment: Moment | None, moves: Sequence[str], seat: int) -> Since:
    """Return what has happened in a game since a moment; nothing if that is unknown.

    A move counts as played even if it was taken back later: the answer does not ask for it again.
    """
    if moment is None:
        return Since()
    played = others = own = 0
    for step in moment.since:
        if step.seat != seat:
            others += stands(step) and not all(map(match.game.is_secret, step.moves))
            continue
        found = _found_in(match, step, moves[played:], seat)
        played += found
        own += not found and stands(step)
    return Since(played, others, own)


def _found_in(match: Match, step: Step, moves: Sequence[str], seat: int) -> int:
    """Return how many of these moves, from the first one, a step consists of."""
    if not moves:
        return 0
    if moves[0] == UNDO or step.takes_back is not None:
        return int(moves[0] == UNDO and step.takes_back is not None)
    game, before = match.game, step.before
    for count in range(len(moves), 0, -1):
        try:
            wanted = [game.parse_move(text, before, seat) for text in moves[:count]]
            wanted = game.turn_moves(before, wanted, seat)
        except (InvalidMoveError, IllegalMoveError):
            continue
        listed = partial(game.canonical_move, before)
        if [*map(listed, wanted)] == [*map(listed, step.moves[: len(wanted)])]:
            return count
    return 0


# -- What stands below the moves of somebody


def note_footers(answer: WrittenAnswer, message: Incoming, move: str) -> None:
    """Note what stands below the move of an answer, in case that this is played."""
    for text in answer.reply.below:
        with suppress(FileError):
            key = ".".join((digest_of(text, message.sender[1]), *named(answer.seen)))
            note(FOOTERS, key, move)


def _is_known_footer(text: str, message: Incoming, match: Match, seat: int) -> bool:
    """Return whether a paragraph stood below a move of the same sender that was played then."""
    known: dict[str, str] = {}
    with suppress(FileError):
        known = noted(FOOTERS)
    begins = digest_of(text, message.sender[1])
    for key, move in known.items():
        found, *state = key.split(".")
        moment = moment_of(match, Named(*state), "") if found == begins else None
        if since(match, moment, (move,), seat).played:
            return True
    return False
