"""What came of a message: a record that was received, moves that are proposed, or neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import INVALID, REFUSED, TROUBLE, PortoError, file_word, shown
from porto_cli.core.yaml import NotKnownHereError
from porto_cli.game import Step
from porto_cli.mail.answer import said_of
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.receiving import (
    OwnTurnsError,
    Received,
    ReceivedSetup,
    how_far_is,
)
from porto_cli.mail.threads import code_in, has_been_at, named, states_named
from porto_cli.match.copies import Verdict
from porto_cli.match.items import SHORT, Declaration
from porto_cli.match.match import Match
from porto_cli.match.record import Record
from porto_cli.match.replay import Replay, who_are_bots
from porto_cli.pages import step_in_moves
from porto_cli.sealed.copies import common_height, contradiction, describe_step, goes_on
from porto_cli.settings import own_seat

if TYPE_CHECKING:
    from porto_cli.players.named import BotTurn
    from porto_cli.sealed.copies import Precedence
    from porto_cli.sealed.steps import SignedStep

MOVES, PLAYED, NOTHING, INVALID_RECORD, TROUBLED, REFUSED_MOVES, OWN_TURNS = (
    *("moves", "played", "nothing", "invalid", "trouble", "refused-moves", "own-turns"),
)
"""The results of a message besides the verdicts on a record."""
_TAKEN = (Verdict.CONTINUES, Verdict.MERGED, Verdict.REPLACED)
"""The verdicts after which the local copy has everything that the message has."""


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
        return self.result in (*_TAKEN, Verdict.NEW, PLAYED)

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

    def refused(self, *problems: str) -> Receipt:
        """Return this receipt with what was refused, and why."""
        return self._replace(code=REFUSED, problems=problems)


def called(message: Incoming) -> str:
    """Return how sentences call a message."""
    if message.sender_name:
        return f"the message from {message.sender_name}"
    return message.source


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
    result = INVALID_RECORD if error.exit_code == INVALID else TROUBLED
    code = error.exit_code if error.exit_code in (INVALID, TROUBLE) else REFUSED
    return Receipt(message, result, code, problems=error.sentences)


def unconfirmed(message: Incoming, error: OwnTurnsError) -> Receipt:
    """Return the receipt of a record with turns that the user has not confirmed."""
    turns = error.turns
    return Receipt(
        message,
        OWN_TURNS,
        error.exit_code,
        problems=error.sentences,
        path=turns.file,
        shown=turns.moves,
    )


# -- Records


def setup_received(
    message: Incoming, received: ReceivedSetup, game: Record, *, many: bool, dry_run: bool
) -> Receipt:
    """Return the receipt of a sealed game that is still being set up."""
    verdict = received.verdict
    receipt = Receipt(message, verdict, path=received.file, kept=received.kept)
    file, source = received.file, called(message)
    if verdict is Verdict.OLDER:
        sentence = (
            f"{file} is ahead of {source}. It was not changed: the message is an older one, or its "
            "sender has not received what you sent."
        )
        return _older(receipt, sentence, many=many)
    if verdict is Verdict.FORK and not received.was_known:
        return receipt.refused(
            f"{file} and {source} differ from signed step {received.step} of the setup on: "
            "somebody took part twice, in two copies. Agree with the other players which copy to "
            "continue, and delete the other one.",
            _kept(receipt, dry_run=dry_run),
        )
    report = _brief(receipt, dry_run=dry_run)
    if verdict is Verdict.OTHER_GAME:
        return receipt.refused(report)
    if verdict in (Verdict.NEW, Verdict.CONTINUES, Verdict.SAME):
        return receipt._replace(report=(report, how_far_is(game, received.file)))
    return receipt._replace(report=(report,))


def record_received(message: Incoming, received: Received, *, many: bool, dry_run: bool) -> Receipt:
    """Return the receipt of a version of a game."""
    verdict = received.verdict
    receipt = Receipt(
        message,
        verdict,
        match=received.match,
        path=received.file,
        before=received.before,
        kept=received.kept,
        ordered=received.ordered,
    )
    if verdict in _TAKEN:
        return receipt._replace(report=tuple(_taken(receipt, received, dry_run=dry_run)))
    if verdict is Verdict.OLDER:
        assert received.match
        more = len(received.match.steps) - len(received.other.steps)
        return _older(receipt, _ahead(receipt, more), many=many)
    if verdict is Verdict.FORK and not received.was_known:
        return _fork(receipt, received, dry_run=dry_run)
    if verdict is Verdict.STAYS:
        steps, players = _again(received)
        return receipt._replace(
            report=(
                f"The version in {called(message)} has these steps, which were made at the same "
                f"time as the last steps in {received.file} and come after them: {steps}. "
                f"{received.file} was not changed; the program of {players} signs them again when "
                "it receives your version. You have nothing to do.",
            )
        )
    if verdict is Verdict.OVERRULED:
        problem = _taken_back(received.other, received.arrival.precedence)
        return receipt.refused(
            problem,
            f"{received.file} was not changed; ask {_sender(message)} to continue from your "
            "version.",
        )
    if verdict is Verdict.UNCLEAR:
        files = ", ".join(str(match.path) for match in received.arrival.rivals)
        return receipt.refused(
            f"Several copies of this game are equally far along: {files}. Name the one to update "
            "with --into; nothing was changed."
        )
    report = _brief(receipt, dry_run=dry_run)
    if verdict is Verdict.OTHER_GAME:
        return receipt.refused(report)
    return receipt._replace(report=(report, *_ordered(received, dry_run=dry_run)))


def known_by_id(message: Incoming, copy: Match) -> Receipt:
    """Return the receipt of a message whose id names a state of the local copy."""
    assert message.own_id
    is_last = states_named(copy)[-1] == message.own_id.state
    verdict = Verdict.SAME if is_last else Verdict.OLDER
    receipt = Receipt(message, verdict, match=copy, path=copy.path, before=len(copy.steps))
    return receipt._replace(report=(_same(receipt),))


def _sender(message: Incoming) -> str:
    return message.sender_name or message.source


def _same(receipt: Receipt) -> str:
    return f"{receipt.path} already has everything in {called(receipt.message)}: nothing new."


def _brief(receipt: Receipt, *, dry_run: bool) -> str:
    """Return what is reported of verdicts for which one sentence is enough."""
    file, source = receipt.path, called(receipt.message)
    if receipt.result == Verdict.NEW:
        is_saved = "would be" if dry_run else "is"
        return f"A new game from {_sender(receipt.message)} {is_saved} saved as {file}."
    if receipt.result == Verdict.CONTINUES:
        return _continues(receipt, 0, dry_run=dry_run)
    if receipt.result == Verdict.SAME:
        return _same(receipt)
    if receipt.result == Verdict.OTHER_GAME:
        return (
            f"{file} is a different game from the one in {source}, and was not changed. Without "
            "--into the game is saved in a file of its own."
        )
    return (
        f"{file} was not changed: the version in {source} differs from it, and that was settled "
        "before."
    )


def _continues(receipt: Receipt, count: int, *, dry_run: bool) -> str:
    """Report how many new turns there are; none if a turn is continued."""
    file, sender = receipt.path, _sender(receipt.message)
    if count <= 0:
        was = "would be" if dry_run else "was"
        return f"{file} {was} updated with the version from {sender}."
    turns = "one new turn" if count == 1 else f"{count} new turns"
    return f"{file} {'would get' if dry_run else 'has'} {turns}, from {sender}."


def _ahead(receipt: Receipt, count: int) -> str:
    """Report by how many turns the local copy is ahead; it may be none."""
    file, source = receipt.path, called(receipt.message)
    ahead = f"{count} turns ahead of {source}"
    if count <= 0:
        ahead = f"ahead of {source}, in the same turn"
    elif count == 1:
        ahead = f"one turn ahead of {source}"
    return (
        f"{file} is {ahead}. It was not changed: the message is an older one, or its sender has "
        "not received your last turn."
    )


def _kept(receipt: Receipt, *, dry_run: bool) -> str:
    """Report where a version that parts from the local copy is."""
    if dry_run:
        return (
            f"{receipt.path} would not be changed; the version in the message would be saved as "
            f"{receipt.kept}."
        )
    return f"{receipt.path} was not changed; the version in the message is saved as {receipt.kept}."


def _older(receipt: Receipt, sentence: str, *, many: bool) -> Receipt:
    """Among many messages older ones are to be expected."""
    return receipt._replace(report=(sentence,)) if many else receipt.refused(sentence)


def _taken(receipt: Receipt, received: Received, *, dry_run: bool) -> Iterator[str]:
    """Report what the local copy has now, or would have."""
    assert received.match
    precedence = received.arrival.precedence
    other = len(received.other.steps)
    both = len((received.arrival.merged or received.other).steps)
    count = both - received.before
    if received.verdict is Verdict.MERGED and received.before < both > other:
        file, had, has = received.file, "both had", "now has"
        if dry_run:
            had, has = "both have", "would get"
        yield (
            f"{file} and {called(receipt.message)} {had} new moves, whose order does not matter; "
            f"{file} {has} the moves of both."
        )
    elif precedence is None or not (precedence.again or precedence.taken_back):
        yield _continues(receipt, count, dry_run=dry_run)
    else:
        yield from _replaced(receipt, received, precedence, dry_run=dry_run)
    yield from _ordered(received, dry_run=dry_run)
    yield from received.notices
    if received.comments:
        had, is_kept = ("has", "would be kept") if dry_run else ("had", "is kept")
        yield (
            f"Your copy {had} comments that this version does not have, such as "
            f"{shown(received.comments[0])}; the old copy {is_kept} as {received.kept}."
        )


def _ordered(received: Received, *, dry_run: bool) -> Iterator[str]:
    """Report orders of the user that are new here, and what orders have decided on arrival."""
    copy, match = received.arrival.copy, received.match
    seat = own_seat(match.holders, match.players) if match else None
    if match and match.has_sittings:
        known = who_are_bots(copy) if copy else []
        yield from (one for one in who_are_bots(match) if one not in known)
    if match and copy and seat is not None:
        here, there = (
            sum(one.seat == seat and one.order is not None for one in each.declarations)
            for each in (copy, match)
        )
        if there > here:
            yield f"{match.holders[seat]} has given an order."
    yield from said_of(received.ordered)
    if received.ordered and not dry_run:
        command = f"porto mail {file_word(str(received.file))}"
        yield f"Nobody else has that yet; to write the mail with it: {command}"


def _replaced(
    receipt: Receipt, received: Received, precedence: Precedence, *, dry_run: bool
) -> Iterator[str]:
    """Report why a version took the place of the local copy, and what became of its steps."""
    assert received.arrival.copy
    if precedence.taken_back:
        yield _taken_back(received.arrival.copy, precedence)
    file, source = received.file, called(receipt.message)
    if dry_run:
        yield f"{file} would get the version in {source}."
        return
    kept = f"; the old copy is kept as {received.kept}" if received.kept else ""
    yield f"{file} now has the version in {source}{kept}."
    if received.made_again:
        steps, _ = _again(received, received.made_again)
        yield (
            "That version has steps that were made at the same time as yours and come first, so "
            f"these steps of yours were signed again after them: {steps}. Send {file} to the "
            "others, so that they get them."
        )
    others = [step for step in precedence.again if step not in received.made_again]
    if others:
        steps, players = _again(received, others)
        yield (
            f"It does not have these steps, which were made at the same time: {steps}. The program "
            f"of {players} signs them again after the steps that {file} has now."
        )


def _again(received: Received, steps: Sequence[SignedStep] | None = None) -> tuple[str, str]:
    """Return which steps of the version that gives way are signed again, and by whom."""
    precedence = received.arrival.precedence
    assert received.arrival.copy
    assert precedence
    leaves = received.arrival.copy if precedence.other_stays else received.other
    again = precedence.again if steps is None else steps
    assert leaves.chain is not None
    names = dict.fromkeys(leaves.chain.players[step.by] for step in again)
    return "; ".join(str(describe_step(leaves, step)) for step in again), ", ".join(names)


def _taken_back(replay: Replay, precedence: Precedence | None) -> str:
    """Report who took back an answered turn in a version."""
    assert precedence
    assert precedence.taken_back
    found = precedence.taken_back
    return (
        f"{found.player} took back a turn that {found.answerer} had already answered. The "
        f"turn: {describe_step(replay, found.turn)}. A turn that another player has answered "
        "cannot be taken back, so the answer counts and the undo does not."
    )


def _fork(receipt: Receipt, received: Received, *, dry_run: bool) -> Receipt:
    """Report where two versions differ, which goes on or who has made both, and how to choose."""
    assert received.match
    place = received.arrival.place
    own, other = received.match, received.other
    here, there = _difference(own, other, place)
    where = f". In {received.file}: {here}. In the message: {there}."
    if here == there:
        where = f", in a secret of the player: {here}."
    problems = [
        f"{received.file} and {called(receipt.message)} differ from item {place + 1} of the turns "
        f"on{where}",
        _kept(receipt, dry_run=dry_run),
    ]
    if not dry_run and received.file and received.kept:
        files = str(received.file), str(received.kept)
        if own.chain and other.chain:
            found = contradiction(own, other, *files)
            right = files[not goes_on(own.chain, other.chain)]
            longer = (
                "Of two versions of a sealed game the longer one goes on, unless a turn was "
                "answered only in the other one; of two of one length, the one that continues with "
                f"the player who sits earlier. Here that is {right}. Whoever has moved in the "
                "other one makes the same moves again."
            )
            problems.append(found[1] if found else longer)
        mine, theirs = map(file_word, files)
        problems.append(
            f"Agree with the other players which version counts; 'porto log {mine}' and 'porto log "
            f"{theirs}' show what was played in each. If it is the one in the message, replace "
            f"{mine} with {theirs}; if not, delete {theirs}."
        )
    return receipt.refused(*problems)._replace(fork=(place + 1, here, there))


def _difference(own: Replay, other: Replay, place: int) -> tuple[str, str]:
    """Return who did what in two versions where they differ, as everybody may know it."""
    if own.chain is None or other.chain is None:
        return _turn_at(own, place), _turn_at(other, place)
    height = common_height(own.chain, other.chain)
    return _deed_at(own, height), _deed_at(other, height)


def _turn_at(replay: Replay, place: int) -> str:
    """Return who played what, as everybody may know it; or that nothing was played."""
    if place >= len(replay.written):
        return "nothing yet"
    one = replay.written[place]
    if isinstance(one, Declaration):
        player = replay.config.players[one.seat]
        return (
            f"a line about the seat of {player}" if one.order is None else f"an order of {player}"
        )
    return _step_shown(replay, one)


def _step_shown(replay: Replay, step: Step) -> str:
    player = replay.config.players[step.seat]
    if step.takes_back is not None:
        return f"{player} takes a turn back"
    moves = ", ".join(step_in_moves(replay, step))
    return f"{player} plays {moves}"


def _deed_at(replay: Replay, height: int) -> str:
    """Return the same for the first signed step above a height that is one of the game."""
    assert replay.chain is not None
    steps = (step for step in replay.chain.steps[height:] if step.content["kind"] != "join")
    return next((str(describe_step(replay, step)) for step in steps), "nothing yet")


# -- Records that are cut off


def warned(receipt: Receipt, received: Received) -> Receipt:
    """Return a receipt with a warning if its message names a state that the only record in it has
    never been at.

    A record that is cut off at the end of a turn is valid, and only lacks what was played after it.
    """
    message, replay, verdict = receipt.message, received.other, received.verdict
    state = _state_in_id(message, replay)
    if not state and verdict in (Verdict.CONTINUES, Verdict.SAME) and replay.chain is None:
        # A new game can come in an answer to a mail of another one.
        state = code_in(message.subject)
    if not state or verdict not in _WARNED or has_been_at(replay, state):
        return receipt
    return receipt.refused(
        *receipt.problems,
        f"According to the message its game is at [{state[:SHORT]}], but the record in it does not "
        "go that far: it was cut off on the way, or is an older one. Ask for the message again.",
    )


def _state_in_id(message: Incoming, replay: Replay) -> str:
    """Return the state that a message of this game names by its own id, or nothing."""
    game = replay.chain.game.hex() if replay.chain is not None else named(replay).game
    own = message.own_id
    return own.state if own and game.startswith(own.game) else ""


_WARNED = (Verdict.NEW, Verdict.CONTINUES, Verdict.SAME)
"""Of an older record, or one that differs from the local copy, more is reported anyway."""
