"""An answer in words, ``draw blue-3`` above the quoted message: the moves it proposes, or what is
wrong with them, to send back.

A sender's name and address can be forged, and other words in an answer can take its move back; so
the user sees how an answer was understood before it is played. Anybody can write a mail, with any
name in it: ``--yes`` plays a move without asking only if the sender is known, or has the mail that
the message answers, and nothing else is written beside the move; and never the user's own move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from porto_cli.core import (
    REFUSED,
    USAGE,
    FileError,
    InvalidMoveError,
    PortoError,
    cited,
    enumerated,
)
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.characters import printable
from porto_cli.core.shell import command, option, quoted
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.draft import from_player
from porto_cli.mail.ids import Moment, Named, moment_of, named
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.notes import FOOTERS, TOLD, digest_of, is_noted, key_of, note, noted, was_mailed
from porto_cli.mail.receipt import (
    MOVES,
    REFUSED_MOVES,
    Receipt,
    Request,
    as_all_know,
    automatic,
    with_moves,
)
from porto_cli.mail.reply import Reply
from porto_cli.match.copies import Verdict
from porto_cli.match.items import IllegalMoveError, standing, stands
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay, path_of
from porto_cli.match.said import LONGEST
from porto_cli.next_step import player_to_name
from porto_cli.pages import step_in_moves
from porto_cli.seam import UNDO, Step
from porto_cli.user import seat_of_user, who_types


class WrittenAnswer(NamedTuple):
    """A message read as an answer, and how its game and writer are known."""

    match: Match
    """The local copy of the game."""
    moment: Moment | None = None
    """The game when the answered message was written; None if unknown."""
    by_id: bool = False
    """Whether the headers of the answer name that message by its id."""
    unseen: bool = False
    """Whether it answers a state that the local copy has never been in."""
    notes: tuple[str, ...] = ()
    """How the game and the writer were guessed, where they are not certain."""
    seat: int = -1
    """The writer's seat."""
    is_assumed: bool = False
    """Whether the writer is only assumed."""
    reply: Reply = Reply()
    passed_on: str = ""
    """Who forwarded it, if the sender is not the writer."""

    @property
    def player(self) -> str:
        """The writer's name."""
        return str(self.match.holders[self.seat])

    @property
    def seen(self) -> Replay:
        """The game as its writer saw it, or as it is now if that is unknown."""
        return self.moment.seen if self.moment else self.match

    @property
    def is_awaited(self) -> bool:
        """Whether it surely comes from a player to move, other than the user."""
        is_turn = self.seat in self.match.game.to_move(self.match.state)
        return is_turn and not self.is_assumed and self.seat != seat_of_user(self.match)

    @property
    def moves(self) -> tuple[str, ...]:
        """Its moves, or else those that it may mean."""
        return self.reply.moves or self.reply.likely

    @property
    def is_instead(self) -> bool:
        """Whether its moves are for the table that it answers, not for a later one."""
        return self.reply.fits if self.moves else bool(self.reply.unclear)


def seats_at(book: AddressBook, match: Match, address: str) -> set[int]:
    """Return the seats of the people who read mail at an address."""
    names = book.at(address)
    return {seat for seat in match.people if book.name_of(match.holders[seat]) in names}


# -- What has happened since


class Since(NamedTuple):
    """What has happened since the answered message was written.

    ``played``  how many of the answer's moves, from the first on, its player has already made
    ``others``  how many turns other players have made, without secret choices, which can be made
                at any time, and turns that were taken back
    ``own``     how many turns its player has made other than the answer's moves
    """

    played: int = 0
    others: int = 0
    own: int = 0

    @property
    def is_superseded(self) -> bool:
        """Whether the game has gone on without the answer's moves."""
        return self.others > 0 and (self.own > 0 or not self.played)


def since(match: Match, moment: Moment | None, moves: Sequence[str], seat: int) -> Since:
    """Compare a game with an earlier moment; nothing has happened since an unknown one.

    A move counts as played even if it was taken back later: the answer does not ask for it twice.
    """
    if moment is None:
        return Since()
    played = others = own = 0
    for step in moment.since:
        if step.seat == seat:
            matching = _count_played(match, step, moves[played:], seat)
            played += matching
            if stands(step) and not matching:
                own += 1
        elif stands(step) and not all(map(match.game.is_secret, step.moves)):
            others += 1
    return Since(played, others, own)


def _count_played(match: Match, step: Step, moves: Sequence[str], seat: int) -> int:
    """Return how many of these moves, from the first on, a step has made."""
    if not moves:
        return 0
    if moves[0] == UNDO or step.takes_back is not None:
        return 1 if moves[0] == UNDO and step.takes_back is not None else 0
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


# -- Footers below the moves


def note_footers(answer: WrittenAnswer, message: Incoming, move: str) -> None:
    """Remember what is written below an answer's move, in case the move is played."""
    for text in answer.reply.below:
        with suppress(FileError):
            key = ".".join((digest_of(text, message.sender[1]), *named(answer.seen)))
            note(FOOTERS, key, move)


def is_known_footer(text: str, message: Incoming, match: Match, seat: int) -> bool:
    """Return whether a paragraph was below an earlier move of the sender, which was then played."""
    known: dict[str, str] = {}
    with suppress(FileError):
        known = noted(FOOTERS)
    wanted = digest_of(text, message.sender[1])
    for key, move in known.items():
        digest, *state = key.split(".")
        moment = moment_of(match, Named(*state), "") if digest == wanted else None
        if since(match, moment, (move,), seat).played:
            return True
    return False


# -- The verdict on an answer


@dataclass
class Proposal:
    """An answer, judged at the table as it is now.

    ``later`` are newer answers to the same turn; ``is_first`` means that there is no older one, and
    ``with_record`` that a record without news is attached.
    """

    message: Incoming
    answer: WrittenAnswer
    later: Sequence[WrittenAnswer]
    request: Request
    is_first: bool
    with_record: bool

    def __post_init__(self) -> None:
        answer = self.answer
        self.match, self.seat, self.player = answer.match, answer.seat, answer.player
        self.reply, self.file = answer.reply, answer.match.path
        self.then = since(self.match, answer.moment, answer.moves, self.seat)
        self.moves = answer.moves[self.then.played :]
        self.receipt = Receipt(
            self.message,
            MOVES,
            match=self.match,
            before=len(self.match.steps),
            seat=self.seat,
            moves=self.moves,
        )

    def judged(self) -> Receipt | None:
        """Return the proposed moves, or why there are none; None if the message has no moves, or
        only moves known to be old.
        """
        answer, then, reply = self.answer, self.then, self.reply
        if any(other.is_instead for other in self.later):
            newer = f"{self.player} has answered this turn again; the newest answer counts."
            return self.receipt._replace(result=Verdict.OLDER, report=(newer,), moves=())
        if not (answer.moves or reply.unclear):
            return self._without_a_move()
        if answer.moves and not self.moves and not reply.unclear:
            known_already = f"This move of {self.player} was played before; {self.file} has it."
            return self.receipt._replace(result=Verdict.SAME, report=(known_already,))
        if self.request.many and then.is_superseded and not self._is_worth_telling():
            return None
        if self.message.is_automatic:
            return None if reply.unclear else self._refused(automatic(self.message))
        return self._not_here() or self._proposed()

    def _proposed(self) -> Receipt | None:
        """Return the moves that would be played, or why they cannot be."""
        match, then, reply = self.match, self.then, self.reply
        notes = [*self.answer.notes]
        if then.played:
            some = "move" if then.played == 1 else f"{then.played} moves"
            notes.append(
                f"{self.file} already has the first {some} of this answer. The rest is new."
            )
        if not self.is_first:
            notes.append(
                f"{self.player} has answered this turn more than once; this answer is the newest."
            )
        said = " ".join(filter(None, (each.reply.words for each in (self.answer, *self.later))))
        doubts = (*self._doubts(), *self._words(said))
        words = "" if reply.is_hidden else printable(said)[:LONGEST]
        self.receipt = self.receipt._replace(report=tuple(notes), doubts=doubts, words=words)
        if not self.moves:
            return self._unclear()
        path, to_name = path_of(match), player_to_name(match, self.seat, who_types(match))
        if UNDO in self.moves and was_mailed(match):
            return self._refused(
                f"{self.player} wants to take a move back, but it has been mailed on. Nothing "
                "was changed; if nobody has moved since and everybody agrees, type: "
                f"{command(UNDO, path, to_name)}",
                _MAILED_ON,
            )
        moves, told = self.moves, as_all_know(match, self.moves, self.seat)
        secret, user, goes_on = told != moves, seat_of_user(match), False
        try:
            after, moves, told = with_moves(match, moves, self.seat)
            goes_on = user is not None and after.people_to_move != [user]
        except NothingTypedError:
            pass
        except (IllegalMoveError, InvalidMoveError, NotInPileError) as error:
            once = tuple(dict.fromkeys(reply.moves))
            if once == reply.moves:
                return self._illegal(told, error)
            # Written twice, as in a line and in a sentence, a move is meant once.
            words = " ".join(filter(None, [reply.words, "; ".join(reply.moves)]))
            answer = self.answer._replace(reply=reply._replace(moves=once, words=words))
            return replace(self, answer=answer).judged()
        if reply.below and not self.request.dry_run:
            note_footers(self.answer, self.message, moves[0])
        verb = "plays" if reply.moves else "may mean"
        return self.receipt._replace(
            code=REFUSED if doubts else USAGE,
            report=(*notes, f"{self.player} {verb}: {', '.join(told)}."),
            shown=told,
            commands=() if secret else tuple(command(text, path, to_name) for text in moves),
            goes_on=goes_on,
        )

    # -- Why the user has to be asked

    def _doubts(self) -> Iterator[str]:
        """Yield why ``--yes`` is not enough to play the moves."""
        # --from names the writer of one message; the user has not read a whole mailbox.
        if self.request.sender is None or self.request.many:
            if self.answer.passed_on:
                yield (
                    f"{self.answer.passed_on} forwarded this; it claims to be from {self.player}. "
                    "--yes will not play it."
                )
            else:
                yield from self._doubts_of_sender()
        if self.then.others:
            turns = f"other players have made {self.then.others} turns"
            turns = turns if self.then.others > 1 else "another player has made a turn"
            yield f"It answers an older message: {turns} since then. --yes will not play it."

    def _doubts_of_sender(self) -> Iterator[str]:
        """Yield why the sender cannot be trusted; at most one reason. Raises InvalidFileError,
        FileError (of the address book or the settings).
        """
        match, seat, player, address = self.match, self.seat, self.player, self.message.sender[1]
        add, store = option("--from", player), f"porto address {quoted(player)} {quoted(address)}"
        book = address_book()
        known, others = book.of(player), seats_at(book, match, address) if address else set()
        if seat == seat_of_user(match):
            yield (
                f"It would be a move for {player}, and you are {player}: --yes will not play it. "
                f"If you wrote the message yourself, add: {add}"
            )
        elif not address:
            yield (
                "The message does not say who wrote it, so --yes will not play it. If it was "
                f"{player}, add: {add}"
            )
        elif seat in others:
            return
        elif known:
            yield (
                f"It is from {address}, but your address book has {known.address} for {player}, so "
                f"--yes will not play it. To accept this message only, add: {add}. If "
                f"{player}'s address has changed: {store}"
            )
        elif others:
            yield (
                f"It is from {address}, which is {match.holders[min(others)]}'s address in your "
                f"address book, so --yes will not play a move for {player}. If {player} wrote it, "
                f"add: {add}"
            )
        elif not self.answer.by_id or self.then.others:
            yield (
                f"Nothing shows that {address} is {player}'s address: it is not in your address "
                "book, and the message does not answer the last mail of this game. --yes will not "
                f"play it. To accept this message only, add: {add}. To store the address: {store}"
            )

    def _words(self, said: str) -> Iterator[str]:
        """Yield a doubt for all that an answer says besides its moves."""
        reply, player = self.reply, self.player
        also = "also writes" if reply.moves else "writes"
        for other in self._in_text():
            yield f"{other} --yes will not play it."
        if said and reply.is_hidden:
            yield (
                f"{player} {also} something that only {player} may know, so it is not shown here. "
                "--yes will not play it."
            )
        elif said or not (reply.moves or reply.in_text):
            yield f"{player} {also}: {cited(said)}. --yes will not play it."

    def _in_text(self) -> Iterator[str]:
        """Yield the answer in the plain text, where the HTML has a different one."""
        if self.reply.in_text:
            told = ", ".join(as_all_know(self.match, self.reply.in_text, self.seat))
            yield f"The plain text of the message has a different answer from its HTML: {told}."

    # -- Why nothing is proposed

    def _refused(self, problem: str, *answer: str) -> Receipt:
        """Return a receipt that refuses the moves, with an ``answer`` to send back, if any."""
        problems = problem, *self._in_text()
        return self.receipt._replace(
            result=REFUSED_MOVES, code=REFUSED, problems=problems, moves=(), answer=answer
        )

    def _refused_with_moves(self, problem: str, cause: str, text: str = "") -> Receipt:
        """Refuse the moves, and send back a few legal ones that are most like a text."""
        found = _alternatives(self.match, text, self.seat)
        moves = ("Legal moves are, for example:", *(f"  {move}" for move in found))
        if found == [UNDO]:
            moves = (f"To take your last move back, answer with the word: {UNDO}",)
        return self._refused(problem, cause, *(moves if found else ()))

    def _without_a_move(self) -> Receipt | None:
        """Report that a message has no move, if the game waits for one.

        For a mailbox, each is reported once, and only if it is about this turn.
        """
        player, match, message = self.player, self.match, self.message
        is_due = message.answers and self.seat in match.game.to_move(match.state)
        if not is_due or message.is_automatic or message.is_reaction or match.chain:
            return None
        if self.request.many and (not self._is_of_this_turn() or self._was_told()):
            return None
        problem = (
            f"No move was found in the answer of {player}; nothing was changed in {self.file}."
        )
        cause = _NO_MOVE_FOUND
        if self.with_record:
            problem = (
                f"The game that {player} attached has no new turn: it is the one {player} was "
                f"sent. Nothing was changed in {self.file}."
            )
            cause = _OLD_ATTACHMENT
        if self.reply.words and not self.reply.is_hidden:
            problem += f" {player} writes: {cited(self.reply.words)}."
        return self._refused_with_moves(problem, cause)

    def _is_worth_telling(self) -> bool:
        """Return whether to report an answer that came after the game had gone on: only one that
        wants to change what was played. Anything else is simply old.
        """
        is_change = self._is_an_undo or self._is_another_move
        is_a_person = not (self.message.is_automatic or self.match.chain)
        return is_change and not self.then.played and is_a_person and not self._was_told()

    @property
    def _is_an_undo(self) -> bool:
        return self.moves[:1] == (UNDO,)

    @property
    def _is_another_move(self) -> bool:
        """Whether it has a different move from the one played for that turn."""
        then, answer = self.then, self.answer
        return bool(then.own and not then.played and answer.moves and answer.is_instead)

    def _is_of_this_turn(self) -> bool:
        """Return whether it surely answers the turn that the game waits for."""
        answer, then = self.answer, self.then
        is_last = answer.moment is not None and not (then.own or then.others)
        return answer.is_awaited and is_last

    def _was_told(self) -> bool:
        """Return whether the user was told what is wrong with it; never in a dry run."""
        return not self.request.dry_run and is_noted(TOLD, key_of(self.message))

    def _not_here(self) -> Receipt | None:
        """Return why the answer cannot be played in the local copy, whatever the rules say."""
        answer, then, player, file = self.answer, self.then, self.player, self.file
        if self.match.chain is not None:
            # Only the user's key could sign here, and anybody can write in the user's name.
            return self._refused(
                f"The message has a move of {player} in words. In {file} every move is signed with "
                f"its player's key, so it was not played: {player} has to make it with porto, and "
                "send the record."
            )
        # Secret choices may be in a different order here from what the writer saw.
        if answer.unseen and not self.reply.is_hidden:
            names = enumerated(self._recipients())
            whom = f"It is meant for {names}: forward it to {names}, or get" if names else "Get"
            return self._refused(
                f"{player} answers a turn of {file} that your copy does not have yet, so nothing "
                f"was played. {whom} the newer game, and receive it again."
            )
        # An undo takes back the writer's last turn, which may be newer than the answered mail.
        is_late_undo = then.is_superseded and self._is_an_undo
        if is_late_undo and self.match.past().check_whole(self.seat):
            return self._refused(
                f"{player} wants to take a move back in {file}, but others have moved since then, "
                f"so it stands (R-UNDO) and nothing was changed. Let {player} know.",
                "Your undo came too late: others have moved since then, so your move stands.",
            )
        # A move that came too late is never played, whatever its numbers mean by now.
        is_late = then.is_superseded and self._is_another_move
        has_changed = answer.moment is None or then.others or then.own
        if self.reply.by_number and has_changed and not is_late:
            return self._refused_with_moves(
                f"{player} uses the numbers on the table, which may have changed since the mail "
                f"that {player} answered. Nothing was played in {file}; type the move yourself.",
                _BY_NUMBER,
            )
        if self._is_another_move:
            return self._changed()
        return None

    def _recipients(self) -> list[str]:
        """Return the recipients of a message other than its writer and the user: players, or
        else addresses.
        """
        match, user, book = self.match, seat_of_user(self.match), address_book()
        mine = from_player("" if user is None else match.holders[user])
        seats = {seat for one in self.message.to for seat in seats_at(book, match, one)}
        names = [match.holders[one] for one in sorted(seats - {self.seat, user})]
        own = mine.address.lower() if mine else ""
        return names or [printable(one) for one in self.message.to if one.lower() != own]

    def _changed(self) -> Receipt:
        """Report a second answer to a turn for which a different move was played."""
        match, player, moment = self.match, self.player, self.answer.moment
        assert moment is not None
        step = next(one for one in standing(moment.since) if one.seat == self.seat)
        made = ", ".join(step_in_moves(match, step))
        wanted = ", ".join(as_all_know(match, self.answer.moves, self.seat))
        problem = (
            f"{player} has answered the same turn again, with {wanted}; {self.file} has {made}."
        )
        if self.then.others:
            return self._refused(
                f"{problem} Others have moved since then, so nothing was changed.",
                f"{wanted} came too late: {made} was played, and the game has gone on.",
            )
        undo = command(UNDO, path_of(match), player_to_name(match, self.seat, who_types(match)))
        return self._refused(
            f"{problem} If that was not mailed on yet, take it back and receive this message "
            f"again: {undo}",
            f"{made} was played, as you first wrote. If it has been mailed on, it counts.",
        )

    def _unclear(self) -> Receipt:
        """Report that an answer mentions a move, but has no line that is one."""
        if self.reply.is_hidden:
            return self._refused(
                f"{self.player} mentions a move, but not on a line of its own. Only "
                f"{self.player} may know it, so it is not shown here; nothing was played. Ask for "
                "the move alone in the first line.",
                _NO_MOVE_FOUND,
            )
        if self.reply.fault and self.seat in self.match.game.to_move(self.match.state):
            wrong = f"is not a move here: {self.reply.fault}"
            return self._refused_with_moves(
                f"{self.player} wrote {cited(self.reply.unclear)}, which {wrong} Nothing was "
                "played.",
                f'"{self.reply.unclear}" {wrong}',
            )
        return self._refused_with_moves(
            f"{self.player} mentions a move, but not on a line of its own: "
            f"{cited(self.reply.unclear)}. Nothing was played; type the move yourself.",
            f'I do not know which move you mean by "{self.reply.unclear}". Please answer with the '
            "move alone in the first line.",
        )

    def _illegal(self, told: Sequence[str], error: PortoError) -> Receipt:
        """Report that the moves, or those after the first ones, cannot be played."""
        match, player, moves = self.match, self.player, ", ".join(told)
        reason = " ".join(error.sentences)
        if isinstance(error, NotInPileError):
            reason = str(match.game.chance_fault(error))
        cause = f"{moves} cannot be played: {reason}"
        waiting = [match.holders[each] for each in match.game.to_move(match.state)]
        if player not in waiting and waiting:
            cause = f"{moves} cannot be played now: it is the turn of {', '.join(waiting)}."
        problem = f"{player} wrote {cited(moves)}, which cannot be played: {reason}"
        if first := self._playable():
            last = told[len(first)]
            cause = f"{last} cannot be played after {', '.join(told[: len(first)])}: {reason}"
            problem = f"{player} wrote {cited(moves)}. Nothing was played, because {cause}"
        return self._refused_with_moves(problem, cause, self.moves[0])._replace(
            shown=as_all_know(match, self.moves, self.seat)
        )

    def _playable(self) -> Sequence[str]:
        """Return the longest beginning of the moves, short of all, that can be played."""
        for count in range(len(self.moves) - 1, 0, -1):
            with suppress(IllegalMoveError, InvalidMoveError, NotInPileError, NothingTypedError):
                with_moves(self.match, self.moves[:count], self.seat)
                return self.moves[:count]
        return ()


def _alternatives(match: Match, text: str, seat: int) -> list[str]:
    """Return the few legal moves that are most like an illegal one; or an undo, if that is all the
    player can do.
    """
    words, state = match.game.words, match.state
    if seat not in match.game.to_move(state):
        last = standing(match.steps)[-1:]
        return [UNDO] if [one.seat for one in last] == [seat] and not was_mailed(match) else []
    try:
        found = words.nearest(state, match.text(match.move(text, seat)), seat)
    except (InvalidMoveError, LookupError):
        found = []
    return found[:5] or [match.text(move) for move in match.game.legal_moves(state, seat, 3)]


_MAILED_ON = "Your move has been mailed on, so it cannot be taken back by mail."
_OLD_ATTACHMENT = (
    "The game you attached is the one you were sent; it has no new turn. Please attach the file "
    "that porto saved, or answer with your move alone in the first line."
)
_NO_MOVE_FOUND = (
    "I found no move in your answer. Please answer with the move alone in the first line."
)
_BY_NUMBER = (
    "The numbers on the table may have changed since the mail you answered. Please answer with the "
    "names instead of the numbers."
)
