"""What is sent of a game, to whom and when, with the mail server of the settings; and what is noted
of it: what has left this computer, and what is still due.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core import PortoError, enumerated, usage
from porto_cli.core.characters import printable
from porto_cli.core.shell import command, option, word_of
from porto_cli.home import demand_no_other_writer
from porto_cli.mail import addresses, notes
from porto_cli.mail.draft import Draft, who_moved
from porto_cli.mail.errors import (
    AccountError,
    DeferredMailError,
    RefusedMailError,
    UnsentError,
    recipients,
)
from porto_cli.mail.letter import decision
from porto_cli.match.items import Declaration
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay
from porto_cli.pages import step_in_moves
from porto_cli.seam import UNDO
from porto_cli.settings import settings, settings_file
from porto_cli.user import own_seat, seat_of_user

if TYPE_CHECKING:
    from pathlib import Path

    from porto_cli.mail.account import Sent
    from porto_cli.mail.copies import Copies
    from porto_cli.sealed.chain import Beginning
    from porto_cli.sealed.holder import KeyHolder
    from porto_cli.sealed.steps import Chain
    from porto_cli.settings import Mail

# -- What has left this computer


def note_sent(draft: Draft, to: Collection[str] | None = None) -> None:
    """Note that a copy of a game leaves this computer, to the addresses that took it, by default to
    all: nothing in a sealed game can be taken back then, and the last turn of an open one cannot be
    taken back by mail.

    Raises FileError.
    """
    if draft.game.chain is not None:
        keys, chain = _signed(draft.game)
        keys.note_sent(chain)
    else:
        notes.note_mailed(draft.replay, draft.readers)
    if isinstance(draft.game, Replay):
        notes.drop(draft.game, draft.reached(to), draft.notes)


def is_to_be_sent(replay: Replay, seat: int) -> bool:
    """Return whether a player could mail the last turn of a game, or the order after it, which the
    player made, and has not: no mail with the game as it is has left this computer.

    Turns of players without the program are made by whoever gets their answers.
    """
    with suppress(PortoError):
        if not would_get_it(replay, seat):
            return False
        if replay.chain is not None:
            keys, chain = _signed(replay)
            return keys.has_unsent(chain)
        made = {who_moved(replay)}
        if replay.written and isinstance(replay.written[-1], Declaration):
            made.add(replay.written[-1].seat)
        book = addresses.address_book()
        here = {one for one in replay.people if not book.entry(replay.holders[one]).program}
        return not made.isdisjoint(here | {seat}) and not notes.was_mailed(replay)
    return False


def _signed(game: Replay | Beginning) -> tuple[KeyHolder, Chain]:
    """Return the keys of this computer, without their secret, and the steps of a sealed game."""
    from porto_cli.sealed.holder import KeyHolder, own_public
    from porto_cli.sealed.source import chain_of

    return KeyHolder(own_public()), chain_of(game)


# -- Sending


class Mailed(NamedTuple):
    """The result of sending mails with saved games.

    ``said``         sentences about those that were sent
    ``left``         those that were not, each only to the readers who lack it
    ``why``          why they were not
    ``suggestions``  commands that would change that
    """

    said: tuple[str, ...] = ()
    left: tuple[Draft, ...] = ()
    why: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    @classmethod
    def failed(cls, draft: Draft, error: PortoError) -> Mailed:
        """Return the result of a mail that was not sent because of an error."""
        return cls(left=(draft,), why=error.sentences, suggestions=error.suggestions)

    @property
    def error(self) -> PortoError | None:
        """Why mails were not sent, and how to send them later; ``None`` if all were sent."""
        if not self.left:
            return None
        games = {draft.game.record.file for draft in self.left}
        saved = "The game is saved" if len(games) == 1 else "The games are saved"
        mails = "mail" if len(self.left) == 1 else "mails"
        # Each is tried, even if the one before fails.
        commands = "; ".join(map(_command_for, self.left))
        later = f"{saved}. To send the {mails} later: {commands}"
        return UnsentError((*self.why, later), self.suggestions)

    def and_(self, other: Mailed) -> Mailed:
        """Return the result of these mails and of others."""
        return Mailed(*map(add, self, other))


class Posting:
    """Sends mails one after the other. Once the server has failed, it is not tried again: the
    others would fail in the same way. Refusing a single mail is no such failure.
    """

    def __init__(self) -> None:
        self.has_failed = False

    def tried(self, draft: Draft) -> Mailed:
        """Send a mail, unless the server has failed. Raises PortoError, except for the server's."""
        if self.has_failed:
            return Mailed(left=(draft,))
        try:
            return posted(draft)
        except AccountError as error:
            self.has_failed = not isinstance(error, (RefusedMailError, DeferredMailError))
            return Mailed.failed(draft, error)

    def sent(self, *drafts: Draft) -> Mailed:
        """Send mails with a saved game. Those not sent are due, for :meth:`later` to send."""
        done = self._sent(drafts)
        for draft in done.left:
            with suppress(PortoError):
                whom = tuple(draft.players[seat] for seat in draft.readers)
                notes.put(draft.replay, notes.Due(draft.seat, whom, draft.note))
        return done

    def _sent(self, drafts: Iterable[Draft]) -> Mailed:
        done = Mailed()
        for draft in drafts:
            try:
                done = done.and_(self.tried(draft))
            except PortoError as error:
                done = done.and_(Mailed.failed(draft, error))
        return done

    def later(
        self, copies: Copies, but: Collection[Path | None]
    ) -> tuple[Mailed, PortoError | None]:
        """Send the mails that are due, of each local copy that has not changed since, unless
        another command is doing it or the server has just failed.

        Return the result, and the first error of a game, which keeps no other from being sent.
        Raises InvalidFileError, FileError.
        """
        done, failed = Mailed(), None
        games = [] if self.has_failed else notes.games()
        for match in [one for game in games for one in copies.of(game)]:
            try:
                if match.path not in but and _due_of(match):
                    with notes.held():
                        done = done.and_(self._sent(_due_of(match)))
            except PortoError as error:
                failed = failed or error
        return done, failed


def posted(draft: Draft) -> Mailed:
    """Send a mail, and note whom the server refuses; what is left is for those it does not reach.

    Raises what :func:`post` raises.
    """
    try:
        sent = post(draft)
    except RefusedMailError:
        notes.note_refused(draft.game, recipients(draft.mail))
        raise
    notes.note_refused(draft.game, sent.refused)
    mailed = Mailed()
    if sent.lacking:
        why = sent.who_lacks_it(addresses.address_book().at)
        mailed = Mailed(left=(draft.only_to(sent.lacking),), why=(why,))
    if not sent.to:
        return mailed
    # Some recipients have it, whoever is refused, and whether or not that can be printed.
    note_sent(draft, sent.to)
    said = f"Sent to {', '.join(sent.to)}: {draft.mail['Subject']}"
    return mailed._replace(said=(said, f"Message-ID: {draft.mail['Message-ID']}"))


def demand_server(*, first: bool = False) -> Mail:
    """Return the mail server of the settings, which only the user can have written.

    ``first`` means before something else is done, which the error says how to do without sending.
    Raises WrongUsageError if there is no server, InvalidFileError, FileError.
    """
    for file in (settings_file(), addresses.path()):
        demand_no_other_writer(file)
    how = settings().mail
    if not how.server:
        without = "Nothing was written. To do it without sending it, leave out --send."
        usage(
            "No mail server is set, so nothing was sent. Add it under 'mail:' in "
            f"{settings_file()}, as porto-config(5) explains; or save the mail for a mail program "
            "with: porto mail FILE --output mail.eml",
            *([without] if first else []),
        )
    return how


def post(draft: Draft) -> Sent:
    """Send a mail with the server of the settings; the result names those who did not get it.

    Raises AccountError, and what :func:`_demand_to_be_sent` raises.
    """
    from porto_cli.mail.account import send

    return send(draft.mail, _demand_to_be_sent(draft))


def _demand_to_be_sent(draft: Draft) -> Mail:
    """Return the mail server of the settings that can send a mail.

    Raises WrongUsageError if something is missing for that, and what the draft raises.
    """
    how = demand_server()
    if draft.mailbox is None:
        usage(
            "Your own e-mail address is not set, so nothing was sent. Add it under "
            f"'mail:' in {settings_file()}, like: from: Ana <ana@example.org>"
        )
    if draft.missing:
        said = addresses.not_stored(draft.missing)
        usage("Nothing was sent.", *said, suggestions=map(addresses.how_to_store, draft.missing))
    return how


def would_get_it(replay: Replay, writer: int | None, whom: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the players to whom the writer could send the game now, the next ones or those named;
    none without a reader, a server in the settings, or all addresses.
    """
    draft = Draft(replay, writer, whom)
    # 'porto mail' reports what is wrong; here somebody is playing.
    with suppress(PortoError):
        _demand_to_be_sent(draft)
        return tuple(replay.holders[seat] for seat in draft.readers)
    return ()


def send_game(replay: Replay, writer: int) -> Mailed:
    """Send the game to the next player. If it cannot be sent, it is due."""
    return Posting().sent(Draft(replay, writer, unseen=True))


def send_back(match: Match, friend: str, lines: Sequence[str]) -> Mailed:
    """Send a friend the game again, with what was wrong with the answer. If it cannot be sent, it
    is due.
    """
    said = [one for one in lines if not one.startswith(" ")]
    listed = ", ".join(one.strip() for one in lines if one.startswith(" "))
    note, writer = printable(" ".join([*said, listed]).rstrip()), seat_of_user(match)
    return Posting().sent(Draft(match, writer, (friend,), note=note, unseen=True))


def send_on(match: Match, friend: int | None, moves: Sequence[str], mails: Posting) -> Mailed:
    """Send a game on to the next player after the moves that a friend mailed; tell the friend that
    they are played, and who is next.

    ``friend`` is ``None`` if orders made the moves. Raises WrongUsageError if the writer is
    unknown.
    """
    writer = seat_of_user(match)
    if writer is None:
        usage("It is not known which player writes the mail. 'porto me NAME' says who you are.")
    waiting, done = match.people_to_move, _done(match, friend, moves)
    others = tuple(match.holders[one] for one in waiting if one not in (friend, writer))
    if friend != writer and friend in waiting:
        if not others:
            return mails.sent(Draft(match, writer, note=done, unseen=True))
        again = Draft(match, writer, (match.holders[friend],), note=done, unseen=True)
        return mails.sent(Draft(match, writer, others, unseen=True), again)
    goes_on = match.over or bool(others)
    drafts = [Draft(match, writer, unseen=True)] if goes_on else []
    if friend is None or friend == writer or not waiting:
        return mails.sent(*drafts)
    player, names = match.holders[friend], enumerated([match.holders[one] for one in waiting])
    is_next, has = ("is next", "has") if len(waiting) == 1 else ("can move next", "have")
    then = f", and {has} the mail."
    if not goes_on:
        then = f". To take your move back, answer with the word {UNDO} before {names} moves."
    note = f"{done} {names} {is_next}{then}"
    told = Draft(match, writer, (player,), note=note, unseen=True)
    if told.missing:
        untold = (f"{player} was not told.", *addresses.not_stored(told.missing))
        return mails.sent(*drafts).and_(Mailed(untold))
    return mails.sent(*drafts, told)


def _done(match: Match, friend: int | None, moves: Sequence[str]) -> str:
    """Return the sentences that tell a friend what became of the mailed moves, undone ones
    included.
    """
    mine = [one for one in match.steps if one.seat == friend]
    places = [one.takes_back for one in mine if one.takes_back is not None]
    last = places[len(places) - moves.count(UNDO) :]
    back = [text for one in last for text in step_in_moves(match, match.steps[one])]
    fates = {"taken back": back, "played": [one for one in moves if one != UNDO]}
    told = (f"Your move was {fate}: {', '.join(some)}." for fate, some in fates.items() if some)
    return " ".join(told)


def _due_of(match: Match) -> list[Draft]:
    """Return the due mails of a game to readers with known addresses that the server has not
    refused; the user was told of the others. The same readers get one mail, with all the notes to
    them. Raises InvalidFileError, FileError.
    """
    due = dict[tuple[str, ...], int | None]()
    for writer, whom, _ in notes.due(match):
        book = addresses.address_book()
        names = tuple(one for one in whom if book.of(one) and not notes.is_refused(match, one))
        due.setdefault(names, writer)
    return [Draft(match, by, names, unseen=True) for names, by in due.items() if names]


def _command_for(draft: Draft) -> str:
    """Return the command that sends a mail."""
    game, seat = draft.game, draft.seat
    own = seat_of_user(game) if isinstance(game, Replay) else own_seat(draft.players)
    name = None if seat in (None, own) else draft.players[seat]
    words = [command("mail", word_of(game.record.file), name)]
    words += [option("--to", one) for one in draft.whom]
    words += [f"--{one}" for one in ("cc", "private", "page") if getattr(draft, one)]
    return " ".join([*words, *([] if draft.html else ["--no-html"]), "--send"])


def send_turn(match: Match, seat: int | None, newcomer: int | None = None) -> Mailed:
    """Send the game to the next player after a move, an order, or a line about who plays a seat;
    ``seat`` is ``None`` if the player is unknown or has left. The game is saved in any case.

    Orders and lines go to the player to move, too, whose program makes the next move. The player
    who has just taken the seat of a ``newcomer`` gets the game at once, as the first copy there.
    """
    is_move = not isinstance(match.written[-1], Declaration)
    to_move = match.game.to_move(match.state)
    due = Draft(match, seat, note=None if is_move else _NO_MOVE, unseen=True)
    drafts: list[Draft] = []
    why_not: list[str] = []
    if newcomer is not None and newcomer not in (seat, *to_move):
        player = match.holders[newcomer]
        note = f"{player} plays for {match.config.players[newcomer]} from here on."
        drafts.append(Draft(match, seat, (player,), note=note, unseen=True))
    if to_move == (seat,) and not {*decision(match)} - {seat}:
        why_not.append(f"It is the turn of {match.holders[to_move[0]]}, so no mail was sent.")
    elif is_move or due.commands:
        drafts.append(due)
    else:
        players = ", ".join(match.to_move())
        why_not.append(
            f"{players} plays without the program, so no mail was sent. The record has to "
            f"reach whoever plays the moves of {players}, with your next mail or with: "
            "porto mail FILE --to NAME"
        )
    return Posting().sent(*drafts).and_(Mailed(tuple(why_not)))


_NO_MOVE = (
    "The table is as it was, but this copy of the game is newer than the last one: save it, or "
    "give this mail to 'porto receive', before you move."
)
