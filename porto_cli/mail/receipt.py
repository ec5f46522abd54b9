"""The result of a message: a record that was received, moves that are proposed, or neither."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from porto_cli.core import INVALID, REFUSED, TROUBLE, InvalidMoveError, PortoError
from porto_cli.core.chance import TypedChance
from porto_cli.core.yaml import AnotherKindError, NotKnownHereError
from porto_cli.mail.ids import code_in
from porto_cli.mail.incoming import Incoming
from porto_cli.match.copies import Verdict
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, load
from porto_cli.match.said import Said
from porto_cli.match.seats import BotTurn
from porto_cli.next_step import move_bots
from porto_cli.sealed.source import KeySource
from porto_cli.seam import UNDO

MOVES, PLAYED, NOTHING, INVALID_RECORD, TROUBLED, REFUSED_MOVES, OWN_TURNS = (
    *("moves", "played", "nothing", "invalid", "trouble", "refused-moves", "own-turns"),
)
"""The results of a message besides the verdicts on a record."""
KNOWN = (Verdict.SAME, Verdict.OLDER)
"""The verdicts on a version with nothing new."""
TAKEN = (Verdict.CONTINUES, Verdict.MERGED, Verdict.REPLACED)
"""The verdicts after which the local copy has everything that the message has."""


class Request(NamedTuple):
    """How messages are to be received."""

    folder: Path
    """The folder of the records."""
    into: Path | None = None
    """The local copy, or where to save a new game."""
    sender: str | None = None
    """The player who wrote the moves."""
    mine: bool = False
    """Whether moves of the user that the local copy does not have are accepted."""
    confirm: Callable[[Match, Sequence[str]], bool] | None = None
    """Asks whether the user has made such moves; ``None`` if nobody can be asked."""
    keys: KeySource = None
    """The keys that sign steps again."""
    many: bool = False
    """Whether there may be any number of messages: those about other things, and those received
    before, are then left alone."""
    dry_run: bool = False


class Receipt(NamedTuple):
    """The result of a message, or of one of the games in it."""

    message: Incoming
    result: str
    code: int = 0
    """Its exit code."""
    report: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why the user has to be asked before these moves are played."""
    match: Match | None = None
    """The local copy as it is now, if any."""
    path: Path | None = None
    """The path of the local copy, real or intended; not given for moves."""
    before: int = 0
    """How many steps the local copy had before."""
    kept: Path | None = None
    seat: int | None = None
    """The seat that makes the moves."""
    moves: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    """The moves as everybody may see them."""
    commands: tuple[str, ...] = ()
    """Commands that play them; none if they are secret."""
    goes_on: bool = False
    """Whether the user then has to mail the game to somebody."""
    words: str = ""
    """What else the writer says; nothing if that may be a secret."""
    answer: tuple[str, ...] = ()
    """Lines to send back to the writer of moves that cannot be played."""
    ordered: tuple[BotTurn, ...] = ()
    """What orders and bots have done on arrival, which the sender does not have yet."""
    fork: tuple[int, str, str] | None = None
    """Where two versions differ: the number of the item, from 1, and the moves here and there."""

    @property
    def is_news(self) -> bool:
        """Whether there is anything to report beyond an old message."""
        is_known = self.result in (Verdict.SAME, Verdict.OLDER, Verdict.FORK) and self.code == 0
        return not is_known and self.result not in (Verdict.SETTLED, NOTHING)

    @property
    def changed(self) -> bool:
        """Whether the local copy has changed, or would change."""
        return self.result in (*TAKEN, Verdict.NEW, PLAYED)

    @property
    def has_moved_on(self) -> bool:
        """Whether moves were made here that nobody else has."""
        return self.result == PLAYED or bool(self.ordered)

    @property
    def file(self) -> Path | None:
        """The path of the local copy, real or intended."""
        return self.path or (self.match.path if self.match else None)

    @property
    def copy(self) -> Match:
        """The local copy, where there has to be one."""
        assert self.match is not None
        return self.match

    @property
    def writer(self) -> str:
        """The name of the player who makes the moves, where a player is known."""
        assert self.seat is not None
        return self.copy.holders[self.seat]

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
        """Return this receipt with more to report."""
        return self._replace(report=(*self.report, *report))

    def refused(self, *problems: str) -> Receipt:
        """Return this receipt as a refusal, with its reasons."""
        return self._replace(code=REFUSED, problems=(*self.problems, *problems))


def called(message: Incoming) -> str:
    """Return what sentences call a message."""
    if message.sender_name:
        return f"the message from {message.sender_name}"
    return message.source


def nothing_new(file: Path | None, message: Incoming) -> str:
    """Return the sentence for a message without news."""
    return f"{file} already has everything in {called(message)}: nothing new."


def said_of(turns: Iterable[BotTurn]) -> Iterator[str]:
    """Yield the turns of bots and orders in words."""
    for one in turns:
        yield f"{one.who}: {', '.join(one.moves)}"


# -- Playing the moves of one


def play(
    receipt: Receipt, came_up: TypedChance | None = None, *, say: bool, dry_run: bool
) -> Receipt:
    """Play the moves of a proposal, and save the game; with ``say``, pass on the writer's words.

    Raises FileError, and for a real table NothingTypedError, NotInPileError.
    """
    match, seat = receipt.copy, receipt.seat
    assert seat is not None
    after, _, told = with_moves(match, receipt.moves, seat, came_up)
    if dry_run:
        return receipt._replace(code=0)
    if say:
        after.note(Said(0, receipt.writer, receipt.words).comment)
    ordered = move_bots(after)
    after.save()
    return receipt._replace(
        result=PLAYED,
        code=0,
        report=(*receipt.report, *said_of(ordered)),
        doubts=(),
        commands=(),
        # Read again: only a game that was read has what was said below its turns.
        match=load(match.record.file),
        shown=told,
        ordered=tuple(ordered),
    )


def as_all_know(match: Match, moves: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return moves as everybody may see them: of a secret one, only the verb."""
    found = []
    for text in moves:
        secret = False
        with suppress(InvalidMoveError):
            secret = text != UNDO and match.game.is_secret(match.move(text, seat))
        found.append(text.split()[0] if secret else text)
    return tuple(found)


_Played = tuple[Match, tuple[str, ...], tuple[str, ...]]
"""A game after some moves; the moves as written in records, each spelled at the table where it was
made, since components that come up later may take the place of those it took; and the same as
everybody may see them, a turn in one piece."""


def with_moves(
    match: Match, moves: Sequence[str], seat: int, came_up: TypedChance | None = None
) -> _Played:
    """Return a game in which a player has made these moves; all of them or none.

    Raises InvalidMoveError, IllegalMoveError, NothingTypedError, NotInPileError.
    """
    try:
        return _made(match, [[text] for text in moves], seat, came_up)
    except (InvalidMoveError, IllegalMoveError):
        if len(moves) > 1 and UNDO not in moves:
            # Played as one turn, it may have moves that are left out move by move.
            with suppress(InvalidMoveError, IllegalMoveError):
                return _made(match, [moves], seat, came_up)
        raise


def _made(
    match: Match, groups: Iterable[Sequence[str]], seat: int, came_up: TypedChance | None
) -> _Played:
    """Return a game after some moves, those of a group played at once."""
    game = match.replay
    move_bots(game)
    texts: list[str] = []
    turns: list[str] = []
    for group in groups:
        steps = len(game.steps)
        if group[0] == UNDO:
            game.undo(seat)
            texts.append(UNDO)
            turns.append(UNDO)
            continue
        made = [game.move(text, seat) for text in group]
        made = made if len(made) == 1 else game.game.turn_moves(game.state, made, seat)
        written = [*map(game.text, made)]
        public = ", ".join(as_all_know(game, written, seat))
        texts += written
        game.play(*made, player=seat, came_up=came_up)
        if turns and len(game.steps) == steps:
            public = f"{turns.pop()}, {public}"
        turns.append(public)
    return game, tuple(texts), tuple(turns)


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
            "nor a readable move. A forwarded mail has to keep its attachment; ask for the record."
        )
    return Receipt(message, NOTHING, REFUSED, problems=(*message.unread, problem))


def automatic(message: Incoming) -> str:
    """Return the sentence for a message that no person has written."""
    return (
        f"The headers of {called(message)} show that a program or a mailing list sent it, so no "
        "move in it is played. Nothing was changed."
    )


def invalid_record(message: Incoming, error: PortoError, *, beside: bool = False) -> Receipt:
    """Return the receipt of a message with an invalid record, maybe ``beside`` a good one."""
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
    if isinstance(error, AnotherKindError):
        problem = "Nothing was changed."
    if isinstance(error, NotKnownHereError):
        problem = (
            "Nothing was changed. Keep the message: a porto that reads its record can receive it "
            "again."
        )
    return Receipt(message, INVALID_RECORD, INVALID, problems=(*error.sentences, problem))


def trouble(message: Incoming, error: PortoError) -> Receipt:
    """Return the receipt of a message that an error kept from being received."""
    result = INVALID_RECORD if error.exit_code == INVALID else TROUBLED
    code = error.exit_code if error.exit_code in (INVALID, TROUBLE) else REFUSED
    return Receipt(message, result, code, problems=error.sentences)
