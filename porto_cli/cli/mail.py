"""The command that writes the mail to the next player, or a reminder, and sends it."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from email.utils import localtime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli import parameters
from porto_cli.cli.ask import can_ask
from porto_cli.cli.common import find_record, keys_here, open_match, save, seat_among, seat_of
from porto_cli.cli.games import DAY, is_known, time_in_words
from porto_cli.cli.output import Output, deliver, write
from porto_cli.cli.parameters import AsPlayer, RecordFile, Say, is_typed
from porto_cli.core.files import STANDARD, name_of, read_text
from porto_cli.core.message import (
    TROUBLE,
    CommandError,
    PortoError,
    WrongUsageError,
    command,
    enumerated,
    printable,
    quoted,
    shown,
    usage,
)
from porto_cli.game import UNDO
from porto_cli.mail import addresses
from porto_cli.mail.compose import Wish, addressed, compose, invite, who_writes
from porto_cli.mail.letter import decision
from porto_cli.match.items import Declaration
from porto_cli.match.match import Match
from porto_cli.match.record import NotReadyError, load, records_of
from porto_cli.match.replay import Replay, path_of
from porto_cli.match.said import Said, one_line
from porto_cli.next_step import player_to_name, seat_of_user, seat_user_left
from porto_cli.settings import me, settings
from porto_cli.settings import path as settings_file
from porto_cli.term.tell import remark, tell

if TYPE_CHECKING:
    from email.message import EmailMessage

    from porto_cli.mail.compose import Parcel
    from porto_cli.mail.send import Sent
    from porto_cli.sealed.setup import Beginning
    from porto_cli.settings import Mail

HEAD = ("From", "To", "Cc", "Subject", "Message-ID", "In-Reply-To")
"""The headers of a message that are shown."""


class MailFormat(StrEnum):
    """How a message is printed."""

    text = "text"
    eml = "eml"


def mail(
    ctx: typer.Context,
    file: RecordFile,
    player: AsPlayer = None,
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="WHOM",
            help="A player or an address to write to instead of the next player; can be repeated.",
            show_default=False,
            autocompletion=parameters.offer_players,
        ),
    ] = None,
    copies: Annotated[
        bool, typer.Option("--cc", help="Send the other players a copy, too.")
    ] = False,
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Include the secrets of the reader, for someone without porto."
        ),
    ] = False,
    no_html: Annotated[bool, typer.Option("--no-html", help="Write it as text alone.")] = False,
    page: Annotated[
        bool,
        typer.Option("--page", help="Attach the table as an HTML page, too, to click a move on."),
    ] = False,
    say_words: Say = None,
    send: Annotated[
        bool, typer.Option("--send", help="Send it with the mail server in your settings.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only show sender, recipients and attachments."),
    ] = False,
    output: Annotated[
        MailFormat | None,
        typer.Option(
            "--format",
            help="Print its text (default on a terminal), or the whole message for programs.",
            show_default=False,
        ),
    ] = None,
    to_file: Output = None,
    remind: Annotated[
        bool,
        typer.Option(
            "--remind",
            help="FILE is a folder: remind the players whose turn it is in its games.",
        ),
    ] = False,
    after: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long a game has to wait for a reminder: hours, days or weeks, like 12h or "
            "2w.",
        ),
    ] = "3d",
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
    """
    if remind or is_typed("after"):
        others = [one for one in ctx.command.params if one.name not in _OF_REMINDERS]
        typed = [one.opts[0] for one in others if is_typed(str(one.name))]
        if typed or not remind:
            usage(
                "Reminders are written with: porto mail --remind FOLDER --after TIME, and maybe "
                f"--as NAME and --send; leave out {typed[0] if typed else '--after'}."
            )
        _remind(file, player, after, send=send)
        return
    if send and (to_file or output):
        usage("--send sends the mail instead of printing it; leave out the other option.")
    if to_file and output is MailFormat.text:
        usage("--output saves the whole message, not its text alone; leave out --format.")
    wish = Wish(None, tuple(to or ()), copies, private, page, not no_html, unseen=send)
    file = find_record(file)
    game: Replay | Beginning
    match = None
    try:
        match = open_match(file)
    except NotReadyError:
        if say_words is not None:
            usage("--say is for games that have begun; this one is still being set up.")
        game = begun = _begun(file)
        seat = None if player is None else seat_among(begun.chain.players, player)
        parcel = invite(begun, wish._replace(seat=seat), now_here())
    else:
        seat = None if player is None else seat_of(match, player)
        writer = "" if seat is not None else who_has_left(match)
        wish = wish._replace(seat=seat, writer=writer)
        if say_words is not None:
            _say(match, wish, say_words)
        game = match
        parcel = compose(game, wish, now_here())
    if match and say_words is not None and not dry_run:
        save(match)
    if dry_run:
        _show_envelope(parcel)
    elif send:
        send_parcel(parcel, game)
    elif to_file:
        if output is None:
            # As several mail programs agree: open it to be sent, not to be read.
            parcel.mail["X-Unsent"] = "1"
        deliver(parcel.mail.as_bytes().decode("ascii"), to_file)
        note_sent(game, parcel)
    elif output is MailFormat.text or (output is None and sys.stdout.isatty()):
        write(to_be_read(parcel))
    else:
        sys.stdout.write(parcel.mail.as_bytes().decode("ascii"))
        sys.stdout.flush()
        note_sent(game, parcel)
    remark(*_what_is_missing(parcel))


_OF_REMINDERS = ("file", "player", "remind", "after", "send")


def _say(match: Match, wish: Wish, typed: str) -> None:
    """Note what the writer of a mail says."""
    seat = who_writes(match, wish)
    if str(match.path) == STANDARD:
        usage("--say is kept in the record's file, so it cannot go with standard input.")
    if seat is None and not wish.writer:
        usage("It is not known who says that; add --as NAME.")
    name = wish.writer if seat is None else match.holders[seat]
    match.note(Said(0, name, one_line(typed)).comment)


def _begun(file: Path) -> Beginning:
    """Return a sealed game that is still being set up. Raises InvalidFileError, FileError."""
    from porto_cli.sealed.setup import read_setup

    return read_setup(load(read_text(file), name_of(file)), keys_here(False))


def note_sent(game: Replay | Beginning, parcel: Parcel) -> None:
    """Note that a copy of a game leaves this computer: in a sealed game what is in it cannot be
    taken back; in an open one its last turn cannot, by mail.

    Raises FileError.
    """
    from porto_cli.mail.notes import note_mailed

    if game.chain is not None:
        keys_here(False).note_sent(game.chain)
    elif isinstance(game, Replay):
        note_mailed(game, parcel.readers)


def now_here() -> datetime:
    """Return the date of a mail that is written now."""
    return localtime().replace(microsecond=0)


def send_parcel(parcel: Parcel, game: Replay | Beginning, *, quiet: bool = False) -> None:
    """Send a message and report it. Raises what :func:`post` raises, and SendError if somebody
    does not get it.
    """
    from porto_cli.mail.send import SendError

    said, lacking = _posted(parcel, game)
    if not quiet:
        tell(*said)
    if lacking:
        raise SendError(*lacking)


def _posted(parcel: Parcel, game: Replay | Beginning) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Send a message; return what to report, and who does not get it, if not everybody does.

    Raises what :func:`post` raises.
    """
    sent = post(parcel)
    # Some recipients have it, whoever is refused, and whether or not that can be printed.
    note_sent(game, parcel)
    said = (
        f"Sent to {', '.join(sent.to)}: {parcel.mail['Subject']}",
        f"Message-ID: {parcel.mail['Message-ID']}",
    )
    return said, () if sent.is_complete else (sent.who_lacks_it("The server"),)


def demand_server() -> Mail:
    """Return the mail server of the settings, which nobody else can have written.

    Raises WrongUsageError if there is none, InvalidFileError, FileError.
    """
    from porto_cli.home import demand_no_other_writer

    for file in (settings_file(), addresses.path()):
        demand_no_other_writer(file)
    how = settings().mail
    if not how.server:
        usage(
            "No mail server is set, so nothing was sent. Add it under 'mail:' in "
            f"{settings_file()}, as porto-config(5) explains; or save the mail for a mail program "
            "with: porto mail FILE --output mail.eml"
        )
    return how


def post(parcel: Parcel) -> Sent:
    """Send a message with the server of the settings; the result has who did not get it.

    Raises AccountError, WrongUsageError if something is missing for that, InvalidFileError,
    FileError.
    """
    from porto_cli.mail.send import recipients, send

    how = demand_server()
    if parcel.mail["From"] is None:
        usage(
            "Your own e-mail address is not set, so nothing was sent. Add it under "
            f"'mail:' in {settings_file()}, like: from: Ana <ana@example.org>"
        )
    if parcel.missing or not recipients(parcel.mail):
        usage(
            (
                "Nothing was sent: no e-mail address is stored for "
                f"{', '.join(parcel.missing)}. Store it with the following command, or name "
                "it for this mail with '--to ADDRESS'."
            ),
            suggestions=[_store(name) for name in parcel.missing],
        )
    return send(parcel.mail, how)


def _store(player: str) -> str:
    """Return the command that stores an address."""
    return f"porto address {quoted(player)} ADDRESS"


def would_get_it(replay: Replay, writer: int | None, to: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the players to whom the writer could send the game now, those who are next or those
    named; none if there is no reader, no server in the settings, or an address is missing.
    """
    try:
        if not settings().mail.server:
            return ()

        whom = addressed(replay, Wish(writer, to))
    except PortoError:
        # 'porto mail' reports what is wrong; this is asked while playing.
        return ()
    if whom.missing or whom.writer is None:
        return ()
    return tuple(replay.holders[seat] for seat in whom.readers)


def send_game(replay: Replay, writer: int) -> tuple[str, ...]:
    """Send the game to the next player and return what to report, also of who does not get it.

    Raises what :func:`post` raises.
    """
    said, lacking = _sent(replay, Wish(writer, unseen=True))
    return (*said, *lacking)


def _sent(replay: Replay, wish: Wish) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write a mail and send it, as :func:`_posted` does."""
    return _posted(compose(replay, wish, now_here()), replay)


def send_on(match: Match, friend: int | None, moves: Sequence[str]) -> Iterator[str]:
    """Send a game on after the moves that a friend has mailed, to who is next; tell the friend that
    they are played, and who is next. Yield what to report, mail by mail.

    ``friend`` is ``None`` if orders made the moves. Raises PortoError: what :func:`post` raises,
    and what is to be done about it; or who does not get the game, after everybody else has it.
    """
    replay, writer = match, seat_of_user(match)
    if writer is None:
        usage("It is not known which player writes the mail. 'porto me NAME' says who you are.")
    waiting = [seat for seat in match.game.to_move(match.state) if seat in match.people]
    goes_on = match.over or bool({*waiting} - {writer})
    lacking: tuple[str, ...] = ()
    if goes_on:
        with saved_whatever_happens(replay, None):
            said, lacking = _sent(replay, Wish(writer, unseen=True))
        yield from said
    if friend not in (None, writer, *waiting) and waiting:
        assert friend is not None
        try:
            yield from _tell(replay, writer, friend, moves, waiting, goes_on=goes_on)
        except PortoError as error:
            saved = f"The game is saved{' and mailed on' * goes_on}"
            told = f"{saved}, but {replay.holders[friend]} was not told."
            raise _UnsentError((*lacking, *error.sentences, told), error.suggestions) from None
    if lacking:
        raise _UnsentError((*lacking, "The game is saved."))


def _tell(
    replay: Replay,
    writer: int,
    friend: int,
    moves: Sequence[str],
    waiting: Sequence[int],
    *,
    goes_on: bool,
) -> tuple[str, ...]:
    """Tell a friend that moves are played, and who is next; return what to report.

    Raises what :func:`post` raises.
    """
    player, names = replay.holders[friend], enumerated([replay.holders[one] for one in waiting])
    is_next, has = ("is next", "has") if len(waiting) == 1 else ("can move next", "have")
    then = f", and {has} the mail."
    if not goes_on:
        then = f". To take your move back, answer with the word {UNDO} before {names} moves."
    note = f"Your move is played: {', '.join(moves)}. {names} {is_next}{then}"
    if not would_get_it(replay, writer, (player,)):
        return (f"{player} was not told: no address is stored. To store it: {_store(player)}",)
    said, _ = _sent(replay, Wish(writer, (player,), note=note, unseen=True))
    return said


def send_back(match: Match, friend: int, lines: Sequence[str]) -> tuple[str, ...]:
    """Send a friend the game again, with what was wrong with the answer. Return what to report.

    Raises what :func:`post` raises.
    """
    writer, replay = seat_of_user(match), match
    note = printable(" ".join(lines))
    said, _ = _sent(replay, Wish(writer, (replay.holders[friend],), note=note, unseen=True))
    return said


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
    _demand_server_before()


def demand_to_send_on() -> None:
    """Refuse ``porto receive --send`` if nothing could be sent (exit code 2)."""
    if not me().names:
        usage(
            "--send mails games in your name, which is not set, so nothing was received. To set it "
            "for all games: porto me NAME"
        )
    _demand_server_before()


def _demand_server_before() -> None:
    """Refuse to do anything after which nothing could be sent."""
    try:
        demand_server()
    except WrongUsageError as error:
        usage(
            *error.sentences,
            "Nothing was written. To do it without sending it, leave out --send.",
        )


class _UnsentError(CommandError):
    """A game is saved, and the mail after it was not sent, or not to everybody."""

    exit_code = TROUBLE


@contextmanager
def saved_whatever_happens(replay: Replay, seat: int | None) -> Iterator[None]:
    """Say of any error that a game is saved, and how a player sends it later."""
    try:
        yield
    except PortoError as error:
        name = None if seat is None else player_to_name(replay, seat)
        saved = "The game is saved. To send the mail later: "
        later = f"{saved}{command('mail', path_of(replay), name)} --send"
        raise _UnsentError((*error.sentences, later), error.suggestions) from None


def send_turn(match: Match, seat: int | None, *, quiet: bool, newcomer: int | None = None) -> None:
    """Send the game to the next player after a move, an order, or a line about who plays, of a
    seat; of ``None`` if its player has left. It is saved, whatever happens.

    What is no move goes to who is to move, too: that player's program makes the next move. Who has
    just taken the seat of a ``newcomer`` gets the game at once: there is no copy there yet.
    """
    replay = match
    left = "" if seat is not None else who_has_left(replay)
    if newcomer not in (None, seat, *match.game.to_move(match.state)):
        assert newcomer is not None
        player = replay.holders[newcomer]
        note = f"{player} plays for {replay.config.players[newcomer]} from here on."
        wish = Wish(seat, (player,), note=note, unseen=True, writer=left)
        with saved_whatever_happens(replay, seat):
            send_parcel(compose(replay, wish, now_here()), replay, quiet=quiet)
    is_own_turn = seat is not None and match.game.to_move(match.state) == (seat,)
    if is_own_turn and not {*decision(replay)} - {seat}:
        assert seat is not None
        if not quiet:
            player = match.holders[seat]
            tell(f"It is the turn of {player}, so no mail was sent.")
        return
    wish = Wish(seat, unseen=True, writer=left)
    is_move = not isinstance(replay.written[-1], Declaration)
    if not is_move:
        wish = wish._replace(note=_NO_MOVE)
    with saved_whatever_happens(replay, seat):
        if is_move or addressed(replay, wish).commands:
            send_parcel(compose(replay, wish, now_here()), replay, quiet=quiet)
        elif not quiet:
            players = ", ".join(match.to_move())
            tell(
                f"{players} plays without the program, so no mail was sent. The record has to "
                f"reach whoever plays the moves of {players}, with your next mail or with: "
                "porto mail FILE --to NAME"
            )


def who_has_left(replay: Replay) -> str:
    """Return the name of the user, if the user's seat has changed hands; else nothing."""
    left = seat_user_left(replay)
    return "" if left is None else str(replay.config.players[left])


_NO_MOVE = (
    "The table is as it was, but this copy of the game is newer than the last one: save it, or "
    "give this mail to 'porto receive', before you move."
)


def _what_is_missing(parcel: Parcel) -> list[str]:
    """Return what the sender of the message has still to fill in."""
    players = (*parcel.missing, *parcel.left_out)
    if not players:
        return []
    return [
        (
            f"No e-mail address is stored for {', '.join(players)}. Store it for all games "
            f"with '{_store(players[0])}', or name it for this mail "
            "with '--to ADDRESS'."
        )
    ]


def _head(mail: EmailMessage) -> list[str]:
    return [f"{name}: {mail[name]}" for name in HEAD if mail[name] is not None]


def _attached(mail: EmailMessage) -> list[str]:
    return [
        (
            f"Attached: {part.get_filename()} ({part.get_content_type()}, "
            f"{len(part.get_payload(decode=True))} bytes)"
        )
        for part in mail.iter_attachments()
    ]


def to_be_read(parcel: Parcel) -> str:
    """Return a message for people: the headers they fill in, its text, its attachments."""
    body = parcel.mail.get_body(("plain",))
    assert body is not None
    head = [line for line in _head(parcel.mail) if not line.startswith(HEAD[4:])]
    text = body.get_content().replace("\r\n", "\n").split("\n")
    return "\n".join(map(printable, [*head, "", *text, *_attached(parcel.mail)]))


def _show_envelope(parcel: Parcel) -> None:
    how = settings().mail
    lines = _head(parcel.mail)
    if how.server:
        login = f"user {how.user}" if how.user else "without logging in"
        lines.append(f"Via: {how.server}, port {how.port}, security {how.security}, {login}")
    lines += [*_attached(parcel.mail), "Nothing was sent."]
    write("\n".join(map(printable, lines)))


# -- Reminders


def _remind(folder: Path, player: str | None, after: str, *, send: bool) -> None:
    """Print or send the reminders that are due in a folder of games, in the name of a player.

    One is due when a game has waited for the time ``after``, like ``12h``, ``3d`` or ``2w``, and
    the last reminder that was sent in this turn is as long ago. A game that fails keeps no other
    from its reminder; the exit code is that of the first one.
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", after)
    if found is None:
        usage(f"--after takes hours, days or weeks, like 12h, 3d or 2w, but got {shown(after)}.")
    if not folder.is_dir():
        usage(f"--remind takes a folder of games, and {folder} is none.")
    from porto_cli.mail.copies import parted_from
    from porto_cli.mail.notes import REMINDERS, note
    from porto_cli.mail.threads import message_ids
    from porto_cli.match.names import seat_of as find_seat

    seconds = {"h": 3600, "d": DAY, "w": 7 * DAY}[found[2]]
    wait, failed, written = int(found[1]) * seconds, 0, 0
    for path in (one for one in records_of(folder) if parted_from(one) is None):
        try:
            match = open_match(path)
            seat = None if player is None else find_seat(match.holders, player)
            # In a folder there are games of others as well.
            is_mine = player is None or seat is not None
            parcel = _due(match, seat, wait, unseen=send) if is_mine else None
            if parcel is None:
                continue
            written += 1
            if send:
                send_parcel(parcel, match)
                table = message_ids(match)[-1]
                note(REMINDERS, table, str(int(time.time())))
            else:
                write(to_be_read(parcel))
        except NotReadyError:
            continue
        except PortoError as error:
            remark(*error.sentences, *(f"  {command}" for command in error.suggestions))
            failed = failed or error.exit_code
    if failed:
        raise typer.Exit(failed)
    if not written and can_ask():
        remark("No reminder is due. 'porto games' says for how long each game has waited.")


def _due(match: Match, seat: int | None, wait: int, *, unseen: bool) -> Parcel | None:
    """Return the reminder that is due; ``None`` if none is. Raises what :func:`compose` raises."""
    from porto_cli.mail.notes import REMINDERS, noted
    from porto_cli.mail.threads import message_ids

    replay, path = match, match.path
    assert path is not None
    if match.over:
        return None
    writer = who_writes(replay, Wish(seat))
    waiting = [one for one in match.game.to_move(match.state) if one in match.people]
    readers = [match.holders[one] for one in waiting if one != writer]
    now, changed = time.time(), path.stat().st_mtime
    reminded = noted(REMINDERS).get(message_ids(replay)[-1], "")
    since = max(changed, int(reminded) if reminded.isdecimal() else 0)
    if writer is None or not readers or now - since < wait or not is_known(now - changed):
        return None
    note = (
        f"This is a friendly reminder: {match.holders[writer]}'s copy of this game "
        f"was last changed {time_in_words(now - changed)} ago. If you have moved since then, "
        "your mail may be lost, or the game waits for somebody else."
    )
    wish = Wish(writer, tuple(readers), note=note, prefix="Reminder: ")
    return compose(replay, wish._replace(again=f"{int(now):x}", unseen=unseen), now_here())
