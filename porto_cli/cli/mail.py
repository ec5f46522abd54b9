"""The command that writes, and sends, the mail to the next player, or a reminder."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from porto_cli.cli import AsPlayer, RecordFile, Say, is_typed, opt
from porto_cli.cli.ask import can_ask
from porto_cli.cli.common import (
    DAY,
    find_record,
    is_known,
    keys_here,
    open_match,
    save,
    time_in_words,
)
from porto_cli.cli.completion import offer_players
from porto_cli.cli.output import Output, deliver, write
from porto_cli.core import (
    TROUBLE,
    CommandError,
    PortoError,
    WrongUsageError,
    enumerated,
    shown,
    usage,
)
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD
from porto_cli.core.shell import command, option, word_of
from porto_cli.home import demand_no_other_writer
from porto_cli.mail import addresses, notes
from porto_cli.mail.copies import Copies, parted_from
from porto_cli.mail.draft import Draft, Invitation, attached_to, head_of, to_be_read, who_moved
from porto_cli.mail.errors import AccountError, DeferredMailError, RefusedMailError, recipients
from porto_cli.mail.ids import message_ids
from porto_cli.mail.letter import decision
from porto_cli.match import find_seat, seat_named
from porto_cli.match.items import Declaration
from porto_cli.match.match import Match
from porto_cli.match.record import NotReadyError, records_of
from porto_cli.match.replay import Replay
from porto_cli.match.said import Said, one_line
from porto_cli.pages import step_in_moves
from porto_cli.seam import UNDO
from porto_cli.settings import settings, settings_file
from porto_cli.term import complain, remark, tell
from porto_cli.user import me, own_seat, seat_of_user

if TYPE_CHECKING:
    from porto_cli.mail.account import Sent
    from porto_cli.settings import Mail

MailFormat = StrEnum("MailFormat", "text eml")
"""How a message is printed."""


def mail(
    ctx: typer.Context,
    file: RecordFile,
    player: AsPlayer = None,
    to: list[str] | None = opt(
        None,
        "--to WHOM",
        "A player or an address to write to instead of the next player; can be repeated.",
        autocompletion=offer_players,
    ),
    copies: bool = opt(False, "--cc", "Send the other players a copy, too."),
    private: bool = opt(
        False, "--private", "Include the secrets of the reader, for someone without porto."
    ),
    no_html: bool = opt(False, "--no-html", "Write it as text alone."),
    page: bool = opt(False, "--page", "Attach the table as an HTML page, too, to click a move on."),
    say_words: Say = None,
    send: bool = opt(False, "--send", "Send it with the mail server in your settings."),
    dry_run: bool = opt(False, "--dry-run", "Only show sender, recipients and attachments."),
    output: MailFormat | None = opt(
        None,
        "--format",
        "Print its text (default on a terminal), or the whole message for programs.",
    ),
    to_file: Output = None,
    remind: bool = opt(
        False,
        "--remind",
        "FILE is a folder: remind the players whose turn it is in its games.",
    ),
    after: str = opt(
        "3d",
        "TIME",
        "How long a game has to wait for a reminder: hours, days or weeks, like 12h or 2w.",
    ),
) -> None:
    """Write the mail to the next player.

    It reports what has happened since the reader's last turn, shows the table as plain text and as
    HTML, explains how to answer, and has the record attached. When the game is over it goes to all
    others. No player's secrets are in it, unless you ask for the reader's with --private, or the
    reader plays without the program ('porto address NAME --no-program').

    On a terminal its text is printed, to be copied into a mail; in a pipe the whole message, for
    programs like sendmail. --output saves it for a mail program to open and send (with --format eml
    for programs like sendmail, too), --send sends it.

    'porto mail --remind FOLDER --after 2d' writes a reminder in each game of a folder that has
    waited that long for another player; with --send for cron.

    Examples:
      porto mail friday.yaml
      porto mail friday.yaml --output turn.eml
      porto mail --remind . --after 5d --send
    """
    if remind or is_typed("after"):
        others = [one for one in ctx.command.params if one.name not in _OF_REMINDERS]
        typed = [one.opts[0] for one in others if is_typed(str(one.name))]
        if typed or not remind:
            usage(
                "--remind takes only FOLDER, --after, --as and --send; leave out "
                f"{typed[0] if typed else '--after'}."
            )
        _remind(file, player, after, send=send)
        return
    if send and (to_file or output):
        usage("--send sends the mail instead of printing it; leave out the other option.")
    if to_file and output is MailFormat.text:
        usage("--output saves the whole message, not its text alone; leave out --format.")
    file = find_record(file)
    whom, match = tuple(to or ()), None
    try:
        match = open_match(file)
    except NotReadyError as error:
        if say_words is not None:
            usage("--say is for games that have begun; this one is still being set up.")
        from porto_cli.sealed.chain import read_setup

        begun = read_setup(error.record, keys_here(False))
        seat = None if player is None else seat_named(begun.chain.players, player)
        draft: Draft = Invitation(begun, seat, whom, copies, private, page, html=not no_html)
    else:
        seat = None if player is None else match.seat_played_by(player)
        draft = Draft(match, seat, whom, copies, private, page, not no_html, unseen=send)
        if say_words is not None:
            _say(match, draft, say_words)
    message = draft.mail
    if match and say_words is not None and not dry_run:
        save(match)
    if dry_run:
        _show_envelope(draft)
    elif send:
        try:
            mailed = _posted(draft)
        except PortoError as error:
            if say_words is None:
                raise
            # The record has the words of --say by now, so the command to send it leaves them out.
            mailed = _unsent(draft, error)
        _report(mailed)
    elif to_file:
        if output is None:
            # As several mail programs agree: open it to be sent, not to be read.
            message["X-Unsent"] = "1"
        deliver(message.as_bytes().decode("ascii"), to_file)
        note_sent(draft)
    elif output is MailFormat.text or (output is None and sys.stdout.isatty()):
        write(to_be_read(draft))
        if output is None:
            remark(_HOW_TO_WRITE_IT, *([_HOW_TO_SEND_IT] if settings().mail.server else ()))
    else:
        sys.stdout.write(message.as_bytes().decode("ascii"))
        sys.stdout.flush()
        note_sent(draft)
    remark(*_before_its_turn(draft), *addresses.not_stored([*draft.missing, *draft.left_out]))
    if draft.game.chain is not None:
        remark(*addresses.without_the_program([draft.players[seat] for seat in draft.readers]))


def _before_its_turn(draft: Draft) -> list[str]:
    """Say that the writer is to move before the readers of a mail can, if that is so."""
    waiting = draft.game.game.to_move(draft.game.state) if isinstance(draft.game, Replay) else ()
    if draft.sender not in waiting or {*waiting} & {*draft.readers}:
        return []
    readers = enumerated([draft.players[seat] for seat in draft.readers])
    return [f"It is still {draft.writer}'s turn; until it is over, {readers} can only look on."]


_OF_REMINDERS = ("file", "player", "remind", "after", "send")
_HOW_TO_WRITE_IT = (
    "This is only the text. To write the whole mail to a file, with the attachments, add: "
    "--output turn.eml"
)
_HOW_TO_SEND_IT = "To send it, add: --send"


def _say(match: Match, draft: Draft, typed: str) -> None:
    """Note the words of a mail's writer in the record."""
    if str(match.path) == STANDARD:
        usage("--say is kept in the record's file, so it cannot go with standard input.")
    if not draft.writer:
        usage("It is not known who says that; add --as NAME.")
    match.note(Said(0, draft.writer, one_line(typed)).comment)


# -- What has left this computer


def note_sent(draft: Draft, to: Collection[str] | None = None) -> None:
    """Note that a copy of a game leaves this computer, to the addresses that took it, by default to
    all: nothing in a sealed game can be taken back then, and the last turn of an open one cannot be
    taken back by mail.

    Raises FileError.
    """
    if draft.game.chain is not None:
        from porto_cli.sealed.source import chain_of

        keys_here(False).note_sent(chain_of(draft.game))
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
            from porto_cli.sealed.source import chain_of

            return keys_here(False).has_unsent(chain_of(replay))
        newest, book = replay.written[-1] if replay.written else None, addresses.address_book()
        seats = {who_moved(replay), newest.seat if isinstance(newest, Declaration) else None}
        made_here = {one for one in replay.people if not book.entry(replay.holders[one]).program}
        return bool(seats & (made_here | {seat})) and not notes.was_mailed(replay)
    return False


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
        return _UnsentError((*self.why, later), self.suggestions)

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
            return _posted(draft)
        except AccountError as error:
            self.has_failed = not isinstance(error, (RefusedMailError, DeferredMailError))
            return _unsent(draft, error)

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
                done = done.and_(_unsent(draft, error))
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


def _unsent(draft: Draft, error: PortoError) -> Mailed:
    """Return the result of a mail that was not sent because of an error."""
    return Mailed((), (draft,), error.sentences, error.suggestions)


def _report(mailed: Mailed, *more: str, quiet: bool = False) -> None:
    """Report what was sent, and what else is to be said. Raises PortoError if anything was not."""
    tell(*(() if quiet else (*mailed.said, *more)))
    if error := mailed.error:
        raise error


def _posted(draft: Draft) -> Mailed:
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
        mailed = Mailed((), (draft.only_to(sent.lacking),), (why,))
    if not sent.to:
        return mailed
    # Some recipients have it, whoever is refused, and whether or not that can be printed.
    note_sent(draft, sent.to)
    said = f"Sent to {', '.join(sent.to)}: {draft.mail['Subject']}"
    return mailed._replace(said=(said, f"Message-ID: {draft.mail['Message-ID']}"))


def demand_server(*more: str) -> Mail:
    """Return the mail server of the settings, which only the user can have written. If there is
    none, the error also has the sentences ``more``.

    Raises WrongUsageError if there is none, InvalidFileError, FileError.
    """
    for file in (settings_file(), addresses.path()):
        demand_no_other_writer(file)
    how = settings().mail
    if not how.server:
        usage(
            "No mail server is set, so nothing was sent. Add it under 'mail:' in "
            f"{settings_file()}, as porto-config(5) explains; or save the mail for a mail program "
            "with: porto mail FILE --output mail.eml",
            *more,
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


def send_game(replay: Replay, writer: int) -> tuple[tuple[str, ...], PortoError | None]:
    """Send the game to the next player; return what to report, and why it was not sent."""
    mailed = Posting().sent(Draft(replay, writer, unseen=True))
    return mailed.said, mailed.error


def send_on(match: Match, friend: int | None, moves: Sequence[str], mails: Posting) -> Mailed:
    """Send a game on to the next player after the moves that a friend mailed; tell the friend that
    they are played, and who is next.

    ``friend`` is ``None`` if orders made the moves. Raises WrongUsageError if the writer is
    unknown.
    """
    writer = seat_of_user(match)
    if writer is None:
        usage("It is not known which player writes the mail. 'porto me NAME' says who you are.")
    waiting = match.people_to_move
    goes_on = match.over or bool({*waiting} - {writer})
    drafts = [Draft(match, writer, unseen=True)] if goes_on else []
    untold: tuple[str, ...] = ()
    done = _done(match, friend, moves)
    if friend != writer and friend in waiting:
        others = tuple(match.holders[one] for one in waiting if one not in (friend, writer))
        whom = (match.holders[friend],) if others else ()
        drafts = [Draft(match, writer, others, unseen=True)] if others else []
        drafts.append(Draft(match, writer, whom, note=done, unseen=True))
    elif friend not in (None, writer) and waiting:
        assert friend is not None
        player, names = match.holders[friend], enumerated([match.holders[one] for one in waiting])
        is_next, has = ("is next", "has") if len(waiting) == 1 else ("can move next", "have")
        then = f", and {has} the mail."
        if not goes_on:
            then = f". To take your move back, answer with the word {UNDO} before {names} moves."
        note = f"{done} {names} {is_next}{then}"
        told = Draft(match, writer, (player,), note=note, unseen=True)
        if told.missing:
            untold = (f"{player} was not told.", *addresses.not_stored(told.missing))
        else:
            drafts.append(told)
    return mails.sent(*drafts).and_(Mailed(untold))


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


def send_back(match: Match, friend: str, lines: Sequence[str]) -> None:
    """Send a friend the game again, with what was wrong with the answer, and report it. If it
    cannot be sent, it is due.

    Raises PortoError if it is not sent.
    """
    said = [one for one in lines if not one.startswith(" ")]
    listed = ", ".join(one.strip() for one in lines if one.startswith(" "))
    note, writer = printable(" ".join([*said, listed]).rstrip()), seat_of_user(match)
    _report(Posting().sent(Draft(match, writer, (friend,), note=note, unseen=True)))


def demand_to_send(verb: str, file: Path, *, dry_run: bool) -> None:
    """Refuse ``--send`` of a move after which nothing could be sent (exit code 2)."""
    if verb == UNDO:
        usage(
            "After an undo it is the turn of the same player, so --send has nobody to "
            "send to. To tell another player: porto mail FILE --send --to NAME"
        )
    if dry_run or str(file) == STANDARD:
        usage(
            "--send sends the game when the move is saved in its file, so it cannot go "
            "with --dry-run or with a record on standard input."
        )
    demand_server(_BEFORE)


def demand_to_send_on() -> None:
    """Refuse ``porto receive --send`` if nothing could be sent (exit code 2)."""
    if not me().names:
        usage(
            "--send mails games in your name, which is not set, so nothing was received. To set it "
            "for all games: porto me NAME"
        )
    demand_server(_BEFORE)


_BEFORE = "Nothing was written. To do it without sending it, leave out --send."
"""Added to the error where nothing could be sent after the action."""


class _UnsentError(CommandError):
    """A game is saved, but its mail was not sent, or not to everybody."""

    exit_code = TROUBLE


def _command_for(draft: Draft) -> str:
    """Return the command that sends a mail."""
    game, seat = draft.game, draft.seat
    own = seat_of_user(game) if isinstance(game, Replay) else own_seat(draft.players)
    name = None if seat in (None, own) else draft.players[seat]
    words = [command("mail", word_of(game.record.file), name)]
    words += [option("--to", one) for one in draft.whom]
    words += [f"--{one}" for one in ("cc", "private", "page") if getattr(draft, one)]
    return " ".join([*words, *([] if draft.html else ["--no-html"]), "--send"])


def send_turn(match: Match, seat: int | None, *, quiet: bool, newcomer: int | None = None) -> None:
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
    if newcomer not in (None, seat, *to_move):
        assert newcomer is not None
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
    _report(Posting().sent(*drafts), *why_not, quiet=quiet)


_NO_MOVE = (
    "The table is as it was, but this copy of the game is newer than the last one: save it, or "
    "give this mail to 'porto receive', before you move."
)


def _show_envelope(draft: Draft) -> None:
    how = settings().mail
    lines = head_of(draft.mail)
    if how.server:
        login = f"user {how.user}" if how.user else "without logging in"
        lines.append(f"Via: {how.server}, port {how.port}, security {how.security}, {login}")
    lines += [*attached_to(draft.mail), "Nothing was sent."]
    write("\n".join(map(printable, lines)))


# -- Reminders


def _remind(folder: Path, player: str | None, after: str, *, send: bool) -> None:
    """Print or send the reminders that are due in a folder of games, in a player's name.

    A reminder is due when a game has waited for the time ``after``, like ``12h``, ``3d`` or ``2w``,
    and the last reminder of this turn is as long ago. An error in one game does not stop the
    others; the exit code is that of the first error.
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", after)
    if found is None:
        usage(f"--after takes hours, days or weeks, like 12h, 3d or 2w, but got {shown(after)}.")
    if not folder.is_dir():
        usage(f"--remind takes a folder of games, and {folder} is none.")
    seconds = {"h": 3600, "d": DAY, "w": 7 * DAY}[found[2]]
    wait, code, written, mails, unsent = int(found[1]) * seconds, 0, 0, Posting(), Mailed()

    def fail(error: PortoError, *files: Path) -> None:
        nonlocal code
        code = code or error.exit_code
        # Cron would repeat it: only people are told again, or after something has changed.
        if not send or can_ask() or notes.is_news(error, files):
            complain(error)

    for path in (one for one in records_of(folder) if parted_from(one) is None):
        try:
            match = open_match(path)
            seat = None if player is None else find_seat(match.holders, player)
            # In a folder there are games of others as well.
            is_mine = player is None or seat is not None
            draft = _due(match, seat, wait, unseen=send) if is_mine else None
            if draft is None:
                continue
            written += 1
            if not send:
                write(to_be_read(draft))
                continue
            if draft.missing:
                said = addresses.not_stored(draft.missing, or_name_it=False)
                fail(WrongUsageError(said, [*map(addresses.how_to_store, draft.missing)]), path)
                draft = draft.only_to([one.address for one in draft.to])
            if not draft.whom:
                continue
            mailed = mails.tried(draft)
            tell(*mailed.said)
            unsent = unsent.and_(mailed)
            if not mailed.left:
                notes.note(notes.REMINDERS, message_ids(match)[-1], str(int(time.time())))
        except NotReadyError:
            continue
        except PortoError as error:
            fail(error, path)
    if unsent.left:
        files = [Path(draft.game.record.file) for draft in unsent.left]
        reminders = "reminder" if len(files) == 1 else "reminders"
        again = f"porto mail --remind {word_of(str(folder))} --after {after} --send"
        again += f" {option('--as', player)}" if player else ""
        later = f"To send the {reminders} for {', '.join(map(str, files))} later: {again}"
        fail(_UnsentError((*unsent.why, later), unsent.suggestions), *files)
    if code:
        raise typer.Exit(code)
    if not written and can_ask():
        remark("No reminder is due. 'porto games' says for how long each game has waited.")


def _due(match: Match, seat: int | None, wait: int, *, unseen: bool) -> Draft | None:
    """Return the reminder that is due; ``None`` if none is. Raises PortoError."""
    if match.over:
        return None
    writer = Draft(match, seat).sender
    waiting = (match.holders[one] for one in match.people_to_move if one != writer)
    readers = tuple(one for one in waiting if not (unseen and notes.is_refused(match, one)))
    now, changed = time.time(), Path(match.record.file).stat().st_mtime
    reminded = notes.noted(notes.REMINDERS).get(message_ids(match)[-1], "")
    since = max(changed, int(reminded) if reminded.isdecimal() else 0)
    if writer is None or not readers or now - since < wait or not is_known(now - changed):
        return None
    note = (
        f"This is a friendly reminder: {match.holders[writer]}'s copy of this game "
        f"was last changed {time_in_words(now - changed)} ago. If you have moved since then, "
        "your mail may have been lost, or the game is waiting for somebody else."
    )
    return Draft(match, writer, readers, note=note, reminder=f"{int(now):x}", unseen=unseen)
