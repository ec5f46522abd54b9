"""What is made of each message: a record that is received, moves that are proposed, or neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core import files
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.errors import (
    INVALID,
    REFUSED,
    TROUBLE,
    USAGE,
    InvalidMoveError,
    PortoError,
)
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word
from porto_cli.game import Step
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.answer import (
    About,
    Since,
    Writer,
    alternatives,
    game_of_answer,
    is_secret,
    let_bots_move,
    may_be_an_answer,
    moves_of,
    played,
    since,
    writer_of_answer,
)
from porto_cli.mail.cut_off import cut_off
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.own_turns import Confirm, OwnTurnsError
from porto_cli.mail.receiving import Received, receive
from porto_cli.mail.records_in import FoundSetup, games_in
from porto_cli.mail.setups import how_far_is, receive_setup
from porto_cli.mail.trust import doubts
from porto_cli.match.arrival import Verdict
from porto_cli.match.command_lines import command, path_of
from porto_cli.match.match import Match, load
from porto_cli.match.record import seats_of
from porto_cli.match.replay import IllegalMoveError, Replay
from porto_cli.ui import ui_of
from porto_cli.user_commands import player_to_name

if TYPE_CHECKING:
    from porto_cli.match.opened import KeySource
    from porto_cli.match.precedence import Ruling
    from porto_cli.sealed.steps import Step as SignedStep

MOVES, PLAYED, NOTHING, INVALID_RECORD, TROUBLED, REFUSED_MOVES, OWN_TURNS = (
    *("moves", "played", "nothing", "invalid", "trouble", "refused-moves", "own-turns"),
)
"""What can come of a message besides the verdicts on a record."""


_TAKEN = (Verdict.CONTINUES, Verdict.MERGED, Verdict.REPLACED)
"""The verdicts after which the local copy has what has come in."""


class Receipt(NamedTuple):
    """What came of a message, or of one of the games in it."""

    message: Incoming
    result: str
    code: int = 0
    """The exit code that it stands for."""
    told: tuple[Sentence, ...] = ()
    wrong: tuple[Sentence, ...] = ()
    doubts: tuple[Sentence, ...] = ()
    """Why somebody has to be asked before these moves are played."""
    match: Match | None = None
    """The local copy as it is now."""
    path: Path | None = None
    """Where it is, if it is still being set up."""
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
    answer: tuple[str, ...] = ()
    """Lines to send back to who has written moves that cannot be played."""
    fork: tuple[int, str, str] | None = None
    """Where two versions part: the number of the item, from 1, who plays what here, and there."""

    @property
    def is_news(self) -> bool:
        """Whether there is more to say than that it was received before."""
        is_known = self.result in (Verdict.SAME, Verdict.OLDER, Verdict.FORK) and self.code == 0
        return not is_known and self.result not in (Verdict.SETTLED, NOTHING)

    @property
    def changed(self) -> bool:
        """Whether the local copy is another one now, or would be."""
        return self.result in (*_TAKEN, Verdict.NEW, PLAYED)

    def json(self) -> dict[str, object]:
        """Return it for a document."""
        path = self.match.path if self.match else self.path
        return {
            "message": self.message.source,
            "sender": self.message.sender[0] or self.message.sender[1] or None,
            "subject": self.message.subject or None,
            "result": str(self.result),
            "exit": self.code,
            "file": str(path) if path else None,
            "kept": str(self.kept) if self.kept else None,
            "new_turns": len(self.match.replay.steps) - self.before
            if self.match and self.changed
            else 0,
            "to_move": self.match.to_move() if self.match else None,
            "fingerprint": self.match.fingerprint if self.match else None,
            "player": self.match.players[self.seat]
            if self.match and self.seat is not None
            else None,
            "moves": list(self.shown),
            "commands": list(self.commands),
            "fork": self.fork and dict(zip(("turn", "here", "there"), self.fork, strict=True)),
            "answer": list(self.answer),
            "sentences": [str(sentence) for sentence in (*self.told, *self.wrong)],
        }


class Receiver:
    """Receives messages into a folder.

    ``into`` names the local copy, ``sender`` the player who has written moves. Of ``many`` messages
    those that are about other things, or were received before, are left alone. ``confirm`` tells
    whether the user has made turns that a record brings; ``keys`` are those with which a step is
    signed again.
    """

    def __init__(
        self,
        folder: Path,
        into: Path | None,
        sender: str | None,
        confirm: Confirm,
        keys: KeySource | None = None,
        *,
        many: bool,
        dry_run: bool,
    ) -> None:
        self.folder = folder
        self.into = into
        self.sender = sender
        self.keys = keys
        self.many = many
        self.dry_run = dry_run
        self._confirm = confirm
        self._unconfirmed: set[Path | None] = set()

    @cached_property
    def _book(self) -> AddressBook:
        """The address book; one that cannot be read keeps no record from being received."""
        try:
            return address_book()
        except PortoError:
            return AddressBook("", {}, {})

    def receive(self, message: Incoming) -> list[Receipt]:
        """Return what came of a message."""
        message = message._replace(known_as=self._book.sender(*message.sender))
        contents = games_in(message)
        receipts = [self._begun(message, setup) for setup in contents.setups]
        known: Match | None = None
        for found in contents.games:
            try:
                received = receive(
                    found,
                    self.folder,
                    self.into,
                    self._confirm,
                    self.keys,
                    dry_run=self.dry_run,
                )
            except OwnTurnsError as error:
                if error.turns.file not in self._unconfirmed:
                    receipts.append(_unconfirmed(message, error))
                self._unconfirmed.add(error.turns.file)
                continue
            except PortoError as error:
                receipts.append(_trouble(message, error))
                continue
            if received.arrival.verdict is Verdict.OTHER_GAME and self.many:
                continue
            receipt = self._receipt(message, received)
            if len(contents.games) == 1:
                receipt = _warned(receipt, received)
            receipts.append(receipt)
            if received.arrival.verdict in (Verdict.SAME, Verdict.OLDER):
                known = received.match
        known_all = all(receipt.result in (Verdict.SAME, Verdict.OLDER) for receipt in receipts)
        if known_all and not contents.is_broken and not contents.setups:
            try:
                moves = self._moves(message, known, alone=not contents.games)
            except PortoError as error:
                moves = _trouble(message, error)
            if moves:
                return [moves]
        if receipts and contents.unread:
            receipts[-1] = receipts[-1]._replace(wrong=(*receipts[-1].wrong, *contents.unread))
        if contents.games or contents.setups:
            return receipts
        if contents.error:
            wrong = (*contents.error.sentences, _ASK_AGAIN)
            return [Receipt(message, INVALID_RECORD, INVALID, wrong=wrong)]
        if contents.unread:
            message = message._replace(unread=(*message.unread, *contents.unread))
        return [] if self.many and not contents.unread else [_nothing(message)]

    def _begun(self, message: Incoming, found: FoundSetup) -> Receipt:
        """Receive a sealed game that is still being set up."""
        try:
            received = receive_setup(found, self.folder, self.into, dry_run=self.dry_run)
        except PortoError as error:
            return _trouble(message, error)
        verdict = received.verdict
        facts: dict[str, object] = {
            "file": received.file,
            "source": _called(message),
            "sender": message.sender_name or message.source,
            "kept": received.kept,
            "step": received.step,
        }
        receipt = Receipt(message, verdict, path=received.file, kept=received.kept)
        how_far = how_far_is(found.record, received.file)
        if verdict is Verdict.NEW:
            told = _NEW_DRY if self.dry_run else _NEW
            return receipt._replace(told=(say(told, **facts), how_far))
        if verdict is Verdict.CONTINUES:
            told = _CONTINUES[self.dry_run, 0]
            return receipt._replace(told=(say(told, **facts), how_far))
        if verdict is Verdict.SAME:
            return receipt._replace(told=(say(_SAME, **facts), how_far))
        if verdict is Verdict.OLDER:
            older = say(_OLDER_SETUP, **facts)
            if self.many:
                return receipt._replace(told=(older,))
            return receipt._replace(code=REFUSED, wrong=(older,))
        if verdict is Verdict.SETTLED or received.was_known:
            return receipt._replace(told=(say(_REFUSED_BEFORE, **facts),))
        if verdict is Verdict.FORK:
            kept = say(_FORK_DRY if self.dry_run else _FORK_KEPT, **facts)
            return receipt._replace(code=REFUSED, wrong=(say(_FORK_SETUP, **facts), kept))
        return receipt._replace(code=REFUSED, wrong=(say(_OTHER_GAME, **facts),))

    def _receipt(self, message: Incoming, received: Received) -> Receipt:
        verdict = received.arrival.verdict
        facts: dict[str, object] = {
            "file": received.file,
            "source": _called(message),
            "sender": message.sender_name or message.source,
            "kept": received.kept,
        }
        receipt = Receipt(
            message, verdict, match=received.match, before=received.before, kept=received.kept
        )
        if verdict is Verdict.NEW:
            told = _NEW_DRY if self.dry_run else _NEW
            return receipt._replace(told=(say(told, **facts),))
        if verdict in _TAKEN:
            return receipt._replace(told=tuple(self._taken(received, facts)))
        if verdict is Verdict.SAME:
            return receipt._replace(told=(say(_SAME, **facts),))
        if verdict is Verdict.OLDER:
            assert received.match
            more = len(received.match.replay.steps) - len(received.other.replay.steps)
            older = say(_OLDER[min(more, 2)], **facts, count=more)
            if self.many:
                return receipt._replace(told=(older,))
            return receipt._replace(code=REFUSED, wrong=(older,))
        if verdict is Verdict.SETTLED or received.was_known:
            return receipt._replace(told=(say(_REFUSED_BEFORE, **facts),))
        if verdict is Verdict.FORK:
            return self._fork(receipt, received, facts)
        if verdict is Verdict.STAYS:
            return receipt._replace(told=(_to_come_again(_STAYS_SIGNED, received, facts),))
        if verdict is Verdict.OVERRULED:
            wrong = _taken_back(received.other.replay, received.arrival.ruling)
            stays = say(_OVERRULED_STAYS, **facts)
            return receipt._replace(code=REFUSED, wrong=(wrong, stays))
        if verdict is Verdict.UNCLEAR:
            facts["files"] = ", ".join(str(match.path) for match in received.arrival.rivals)
            return receipt._replace(code=REFUSED, wrong=(say(_UNCLEAR, **facts),))
        return receipt._replace(code=REFUSED, wrong=(say(_OTHER_GAME, **facts),))

    def _taken(self, received: Received, facts: dict[str, object]) -> Iterator[Sentence]:
        """Say what the local copy has now, or would have."""
        assert received.match
        ruling = received.arrival.ruling
        count = len(received.match.replay.steps) - received.before
        if received.arrival.verdict is Verdict.MERGED:
            yield say(_MERGED_DRY if self.dry_run else _MERGED, **facts)
        elif ruling is None or not (ruling.again or ruling.taken_back):
            yield say(_CONTINUES[self.dry_run, min(max(count, 0), 2)], **facts, count=count)
        else:
            yield from self._replaced(received, ruling, facts)
        yield from received.notices
        if received.comments:
            text = _COMMENTS_DRY if self.dry_run else _COMMENTS
            yield say(text, **facts, comment=received.comments[0])

    def _replaced(
        self, received: Received, ruling: Ruling, facts: dict[str, object]
    ) -> Iterator[Sentence]:
        """Say why a version took the place of the local copy, and what became of its steps."""
        assert received.arrival.copy
        if ruling.taken_back:
            yield _taken_back(received.arrival.copy.replay, ruling)
        if self.dry_run:
            yield say(_REPLACED_DRY, **facts)
            return
        yield say(_REPLACED_KEPT if received.kept else _REPLACED, **facts)
        if received.made_again:
            yield _to_come_again(_MADE_AGAIN, received, facts, received.made_again)
        others = [step for step in ruling.again if step not in received.made_again]
        if others:
            yield _to_come_again(_COMES_AGAIN, received, facts, others)

    def _fork(self, receipt: Receipt, received: Received, facts: dict[str, object]) -> Receipt:
        assert received.match
        assert received.arrival.comparison
        place = received.arrival.comparison.place
        own_replay, other_replay = received.match.replay, received.other.replay
        here, there = _parting(own_replay, other_replay, place)
        facts |= {"turn": place + 1, "here": here, "there": there}
        told = _FORK_SECRET if here == there else _FORK
        wrong = [say(told, **facts), say(_FORK_DRY if self.dry_run else _FORK_KEPT, **facts)]
        if not self.dry_run and received.file and received.kept:
            words = {
                "own": file_word(str(received.file)),
                "other": file_word(str(received.kept)),
            }
            guilty = _two_versions(own_replay, other_replay)
            if guilty:
                wrong.append(say(_FORK_GUILTY, player=guilty, **words))
            wrong.append(say(_FORK_HOW, **words))
        return receipt._replace(code=REFUSED, wrong=tuple(wrong), fork=(place + 1, here, there))

    # -- Moves

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
        about = game_of_answer(message, self.folder, known)
        if not isinstance(about, About):
            return None if self.many or not _speaks_of_moves(message) else _lost(message, about)
        match = about.match
        writer = self._writer(message, match)
        if not isinstance(writer, Writer):
            return None if self.many or not _speaks_of_moves(message) else _lost(message, writer)
        reply = moves_of(message, match, writer.seat)
        if not reply.moves and not reply.unclear:
            return None
        facts: dict[str, object] = {"file": match.path, "player": match.players[writer.seat]}
        then = since(match, about.steps, reply.moves, writer.seat)
        receipt = Receipt(
            message,
            MOVES,
            match=match,
            before=len(match.replay.steps),
            seat=writer.seat,
            moves=reply.moves[then.played :],
        )
        if reply.moves and not receipt.moves:
            return receipt._replace(result=Verdict.SAME, told=(say(_PLAYED, **facts),))
        if self.many and then.is_superseded:
            return None
        wrong = None
        if message.is_automatic:
            if reply.unclear:
                return None
            wrong = say(_AUTOMATIC, source=_called(message))
        elif match.replay.chain is not None:
            # Only the own key can sign: what could be played is what somebody wrote in the name of
            # who receives it.
            wrong = say(_SIGNED, **facts)
        if wrong:
            return receipt._replace(result=REFUSED_MOVES, code=REFUSED, moves=(), wrong=(wrong,))
        notes = [each for each in (about.told, writer.told) if each]
        if then.played:
            notes.append(say(_PLAYED_IN_PART[min(then.played, 2)], **facts, count=then.played))
        receipt = receipt._replace(told=tuple(notes), doubts=self._doubts(receipt, about, then))
        return self._proposal(receipt, reply.unclear)

    def _doubts(self, receipt: Receipt, about: About, then: Since) -> tuple[Sentence, ...]:
        """Return why ``--yes`` is not enough to play the moves of a proposal."""
        match, seat = receipt.match, receipt.seat
        assert match is not None
        assert seat is not None
        found = []
        # Of one message --from says who has written it; of a mailbox nobody has read them all.
        if self.sender is None or self.many:
            answers_last = about.by_id and not then.others
            found = doubts(receipt.message, match, seat, answers_last=answers_last)
        if then.others:
            found.append(say(_BEHIND[min(then.others, 2)], count=then.others))
        return tuple(found)

    def _writer(self, message: Incoming, match: Match) -> Writer | Sentence:
        if self.sender is None:
            return writer_of_answer(message, match)
        seats = seats_of(match.players, self.sender)
        if len(seats) == 1 and seats[0] not in match.people:
            return say("{player} is a bot, and writes no mail.", player=match.players[seats[0]])
        if len(seats) == 1:
            return Writer(seats[0])
        return say(
            "{name!r} is not one of the players {players}.",
            name=self.sender,
            players=", ".join(match.players),
        )

    def _proposal(self, receipt: Receipt, unclear: Sequence[str]) -> Receipt:
        """Return what moves would be played, if they can be."""
        match, seat, moves = receipt.match, receipt.seat, receipt.moves
        assert match is not None
        assert seat is not None
        player = match.players[seat]
        if unclear or not moves:
            wrong = say(
                "{player} writes of a move in words that can mean more than a move: {text!r}. "
                "Nothing was played; type what is meant.",
                player=player,
                text=unclear[0],
            )
            answer = _answer(match, say(_NOT_UNDERSTOOD, text=unclear[0]), "", seat)
            return receipt._replace(
                result=REFUSED_MOVES, code=REFUSED, wrong=(wrong,), moves=(), answer=answer
            )
        secret = is_secret(match, moves, seat)
        receipt = receipt._replace(shown=_shown(match, moves, secret=secret))
        try:
            after, moves = played(match, moves, seat)
            receipt = receipt._replace(shown=_steps_shown(after, receipt.before, seat))
        except NothingTypedError:
            pass
        except (IllegalMoveError, InvalidMoveError, NotInPileError) as error:
            return _refused(receipt, error)
        commands = () if secret else _commands(match, moves, seat)
        question = say("{player} plays: {moves}.", player=player, moves=", ".join(receipt.shown))
        return receipt._replace(
            code=REFUSED if receipt.doubts else USAGE,
            told=(*receipt.told, question),
            commands=commands,
        )

    def play(self, receipt: Receipt, came_up: TypedChance | None = None) -> Receipt:
        """Play the moves of a proposal, and save the game.

        Raises FileError, and for a real table NothingTypedError, NotInPileError.
        """
        match, seat = receipt.match, receipt.seat
        assert match is not None
        assert match.path is not None
        assert seat is not None
        after, _ = played(match, receipt.moves, seat, came_up)
        if self.dry_run:
            told = (*receipt.told, say("Nothing was written: this was a dry run."))
            return receipt._replace(code=0, told=told)
        shown = _steps_shown(after, receipt.before, seat)
        let_bots_move(after)
        after.read_back()
        notices = files.replace(match.path, after.record.text, was=match.record.text)
        return receipt._replace(
            result=PLAYED,
            code=0,
            told=(*receipt.told, *notices),
            doubts=(),
            commands=(),
            match=load(match.path),
            shown=shown,
        )


def _called(message: Incoming) -> object:
    """Return how sentences call a message."""
    if message.sender_name:
        return say("the message from {sender}", sender=message.sender_name)
    return message.source


_NEW = "{file} is saved, from {sender}: a game that was not here before."
_NEW_DRY = "{file} would be saved, from {sender}: a game that is not here yet."
_CONTINUES = {
    (False, 0): "{file} goes on, by {sender}.",
    (False, 1): "{file} has one new turn, from {sender}.",
    (False, 2): "{file} has {count} new turns, from {sender}.",
    (True, 0): "{file} would go on, by {sender}.",
    (True, 1): "{file} would have one new turn, from {sender}.",
    (True, 2): "{file} would have {count} new turns, from {sender}.",
}
"""For a dry run or not, and for no, one or more new turns: a turn can go on."""
_COMMENTS = (
    "Your copy had comments that this version lacks, like {comment!r}; it is kept as {kept}."
)
_COMMENTS_DRY = (
    "Your copy has comments that this version lacks, like {comment!r}; it would be kept as {kept}."
)
_SAME = "{file} is as far as {source}: nothing new."
_STAYS = (
    "It stays as it is: the message is an older one, or who sent it has not got your last turn."
)
_OLDER = {
    0: f"{{file}} goes on where {{source}} stops, in the same turn. {_STAYS}",
    1: f"{{file}} goes on where {{source}} stops, and has one more turn. {_STAYS}",
    2: f"{{file}} goes on where {{source}} stops, and has {{count}} more turns. {_STAYS}",
}
_FORK = (
    "{file} and {source} part at item {turn} of the turns. In {file}: {here}. In the message: "
    "{there}."
)
_FORK_SECRET = (
    "{file} and {source} part at item {turn} of the turns, in what only the player may know: "
    "{here}."
)
_FORK_KEPT = "{file} stays as it is; the version of the message is saved as {kept}."
_FORK_DRY = "{file} would stay as it is; the version of the message would be saved as {kept}."
_FORK_HOW = (
    "Agree with the others which one stands; 'porto log {own}' and 'porto log {other}' tell their "
    "stories. If it is that of the message, replace {own} by {other}; if not, delete {other}."
)
_FORK_GUILTY = (
    "{player} has signed two versions of a step. To write down what proves it: "
    "porto verify {own} {other} --proof proof.txt"
)
_MERGED = (
    "{file} and {source} had both gone on, with moves whose order does not matter; {file} now has "
    "the moves of both."
)
_MERGED_DRY = (
    "{file} and {source} have both gone on, with moves whose order does not matter; {file} would "
    "have the moves of both."
)
_REPLACED = "{file} now has the version of {source}."
_REPLACED_KEPT = "{file} now has the version of {source}; what it had before is kept as {kept}."
_REPLACED_DRY = "{file} would get the version of {source}."
_MADE_AGAIN = (
    "That version has steps that were made at the same time as yours and come first, so this was "
    "signed again behind them: {steps}. Send {file} on, so that the others get it."
)
_COMES_AGAIN = (
    "It lacks this, which was made at the same time: {steps}. The program of {players} signs it "
    "again behind the steps that {file} has now."
)
_STAYS_SIGNED = (
    "The version of {source} has this, which was made at the same time as the last steps in {file} "
    "and comes after them: {steps}. {file} stays as it is, and the program of {players} signs it "
    "again when it receives your version. You have nothing to do."
)
_OVERRULED_STAYS = "{file} stays as it is; ask {sender} to go on with your version."
_REFUSED_BEFORE = (
    "{file} stays as it is: the version of {source} parts from it, and that was dealt with before."
)
_OLDER_SETUP = (
    "{file} goes on where {source} stops, and stays as it is: the message is an older one, or who "
    "sent it has not got what you sent."
)
_FORK_SETUP = (
    "{file} and {source} part at signed step {step} of the set-up: somebody took part twice, in "
    "two copies. Agree with the others which copy goes on; the other one is deleted."
)
_UNCLEAR = (
    "Several copies of this game are equally far: {files}. Say with --into which one is to go on; "
    "nothing was changed."
)
_OTHER_GAME = (
    "{file} is another game than that of {source}, and stays as it is. Without --into a game is "
    "saved by itself."
)
_ASK_AGAIN = say(
    "What looks like a record in the message is none; nothing was changed. Ask for it as an "
    "attachment, best in an answer to this message."
)
_BEHIND = {
    1: "It answers an older message: another player has made a turn since. So --yes is not enough "
    "to play it.",
    2: "It answers an older message: other players have made {count} turns since. So --yes is not "
    "enough to play it.",
}
_PLAYED = "This move of {player} was played before; {file} has it."
_PLAYED_IN_PART = {
    1: "The first move of this answer was played before; {file} has it. The rest is new.",
    2: "The first {count} moves of this answer were played before; {file} has them. The rest is "
    "new.",
}
_AUTOMATIC = (
    "By its head {source} was sent by a program or a mailing list, so no move in it is played. "
    "Nothing was changed."
)
_SIGNED = (
    "The message has a move of {player} in words. In {file} every move is signed with the key of "
    "who makes it, so nothing was played: {player} makes it with porto, and sends the record."
)
_NOT_UNDERSTOOD = (
    'I do not know which move you mean by "{text}". Please answer with the move alone in the first '
    "line."
)


def _nothing(message: Incoming) -> Receipt:
    text = "There is no record in {source}, and no move that could be read; nothing was changed."
    wrong = say(_AUTOMATIC if message.is_automatic else text, source=_called(message))
    return Receipt(message, NOTHING, REFUSED, wrong=(*message.unread, wrong))


def _trouble(message: Incoming, error: PortoError) -> Receipt:
    result = INVALID_RECORD if error.exit_code == INVALID else TROUBLED
    code = error.exit_code if error.exit_code in (INVALID, TROUBLE) else REFUSED
    return Receipt(message, result, code, wrong=error.sentences)


def _warned(receipt: Receipt, received: Received) -> Receipt:
    """Return what came of a record, with a warning if its message speaks of a later state."""
    warning = cut_off(receipt.message, received.other.replay, received.arrival.verdict)
    if warning is None:
        return receipt
    return receipt._replace(code=REFUSED, wrong=(*receipt.wrong, warning))


def _unconfirmed(message: Incoming, error: OwnTurnsError) -> Receipt:
    turns = error.turns
    return Receipt(
        message,
        OWN_TURNS,
        error.exit_code,
        wrong=error.sentences,
        path=turns.file,
        shown=turns.moves,
    )


def _lost(message: Incoming, sentence: Sentence) -> Receipt:
    return Receipt(message, REFUSED_MOVES, REFUSED, wrong=(sentence,))


def _speaks_of_moves(message: Incoming) -> bool:
    """Tell whether some sentence of a player's message begins like a move of some game."""
    from porto_cli.game import GAMES
    from porto_cli.mail.reply import read_reply

    if message.is_automatic:
        return False
    for game, meta in GAMES.items():
        ui = ui_of(game)
        reply = read_reply(
            message.body, message.subject, meta.verbs, ui.is_a_word, lambda text: False
        )
        if any(" " in move for move in reply.moves) or reply.unclear:
            return True
    return False


def _parting(own: Replay, other: Replay, place: int) -> tuple[str, str]:
    """Return who has done what in two versions where they part, as everybody may know it."""
    if own.chain is None or other.chain is None:
        return _turn_at(own, place), _turn_at(other, place)
    from porto_cli.match.forks import common_height

    common = common_height(own.chain, other.chain)
    return _deed_at(own, common), _deed_at(other, common)


def _two_versions(own: Replay, other: Replay) -> str | None:
    """Return who has signed two versions of a step, if it shows."""
    if own.chain is None or other.chain is None:
        return None
    from porto_cli.match.forks import between

    found = between(own.chain, other.chain)
    return found.player if found else None


def _turn_at(replay: Replay, place: int) -> str:
    """Return who has played what, as everybody may know it; or that nothing was played."""
    if place >= len(replay.steps):
        return str(say("nothing yet"))
    return _step_shown(replay, replay.steps[place])


def _deed_at(replay: Replay, height: int) -> str:
    """Return the same for the first signed step above a height that is one of the game."""
    from porto_cli.match.deeds import deed

    assert replay.chain is not None
    steps = (step for step in replay.chain.steps[height:] if step.content["kind"] != "join")
    return next((str(deed(replay, step)) for step in steps), str(say("nothing yet")))


def _to_come_again(
    text: str,
    received: Received,
    facts: dict[str, object],
    steps: Sequence[SignedStep] | None = None,
) -> Sentence:
    """Say which steps of the version that gives way are made again."""
    from porto_cli.match.deeds import deed

    assert received.arrival.copy
    ruling = received.arrival.ruling
    assert ruling
    leaves = received.arrival.copy if ruling.other_stays else received.other
    again = ruling.again if steps is None else steps
    shown = "; ".join(str(deed(leaves.replay, step)) for step in again)
    assert leaves.replay.chain is not None
    names = dict.fromkeys(leaves.replay.chain.players[step.by] for step in again)
    return say(text, **facts, steps=shown, players=", ".join(names))


def _taken_back(replay: Replay, ruling: Ruling | None) -> Sentence:
    """Say who has taken back an answered turn in a version."""
    from porto_cli.match.deeds import deed

    assert ruling
    assert ruling.taken_back
    found = ruling.taken_back
    return say(
        "{player} has taken back a turn that {answerer} had already answered. The turn: {turn}. A "
        "turn that another player has answered cannot be taken back, so the answer counts and the "
        "undo does not.",
        player=found.player,
        answerer=found.answerer,
        turn=deed(replay, found.turn),
    )


def _step_shown(replay: Replay, step: Step) -> str:
    player = replay.config.players[step.seat]
    if step.takes_back is not None:
        return str(say("{player} takes a turn back", player=player))
    move = ui_of(replay.game.meta.id).in_short(step)
    return str(say("{player} plays {move}", player=player, move=move))


def _steps_shown(match: Match, before: int, seat: int) -> tuple[str, ...]:
    """Return what a player has done since so many steps; bots may have moved as well."""
    ui = ui_of(match.game.meta.id)
    steps = [step for step in match.replay.steps[before:] if step.seat == seat]
    return tuple(
        "undo" if step.takes_back is not None else _public(match, step, ui.in_short(step))
        for step in steps
    )


def _public(match: Match, step: Step, first: str) -> str:
    """Return the moves of a step; of one with a secret only what everybody may know."""
    if any(match.game.is_secret(move) for move in step.moves):
        return first
    return ", ".join([first, *(match.text(move) for move in step.moves[1:])])


def _shown(match: Match, moves: Sequence[str], *, secret: bool) -> tuple[str, ...]:
    return tuple(text.split()[0] for text in moves) if secret else tuple(moves)


def _commands(match: Match, moves: Sequence[str], seat: int) -> tuple[str, ...]:
    path = path_of(match.replay)
    player = player_to_name(match.replay, seat)
    return tuple(command(text, path, player) for text in moves)


def _refused(receipt: Receipt, error: PortoError) -> Receipt:
    """Return that moves cannot be played, with what to send back to who has written them."""
    match, seat = receipt.match, receipt.seat
    assert match is not None
    assert seat is not None
    reason = " ".join(map(str, error.sentences))
    if isinstance(error, NotInPileError):
        reason = str(match.game.chance_fault(error))
    shown = ", ".join(receipt.shown)
    wrong = say(
        "{player} writes {moves!r}, which cannot be played: {reason}",
        player=match.players[seat],
        moves=shown,
        reason=reason,
    )
    cause = say("{moves} cannot be played: {reason}", moves=shown, reason=reason)
    waiting = [match.players[each] for each in match.game.to_move(match.state)]
    if match.players[seat] not in waiting and waiting:
        cause = say(
            "{moves} cannot be played now: it is the turn of {players}.",
            moves=shown,
            players=", ".join(waiting),
        )
    answer = _answer(match, cause, receipt.moves[0], seat)
    return receipt._replace(
        result=REFUSED_MOVES, code=REFUSED, wrong=(wrong,), answer=answer, moves=()
    )


def _answer(match: Match, cause: Sentence, text: str, seat: int) -> tuple[str, ...]:
    """Return a message to send back: what is wrong, and what would be right."""
    lines = [str(cause)]
    found = alternatives(match, text, seat)
    if found:
        lines += [str(say("Legal would be, for example:")), *(f"  {move}" for move in found)]
    return tuple(lines)
