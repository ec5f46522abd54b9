"""The command that writes the mail to whoever is next, and sends it."""

from __future__ import annotations

import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli import complete
from porto_cli.cli.common import (
    AsPlayer,
    RecordFile,
    find_record,
    open_game,
    seat_among,
    seat_of,
)
from porto_cli.cli.output import Output, deliver, write
from porto_cli.core.command_errors import usage
from porto_cli.core.errors import PortoError
from porto_cli.core.message import Sentence, say
from porto_cli.core.printable import printable
from porto_cli.core.quoting import quoted
from porto_cli.match.not_ready import NotReadyError
from porto_cli.term.tell import remark, tell

if TYPE_CHECKING:
    from email.message import EmailMessage

    from porto_cli.mail.compose import Parcel
    from porto_cli.mail.send import Sent
    from porto_cli.match.replay import Replay
    from porto_cli.match.sealed_setup import Beginning

HEAD = ("From", "To", "Cc", "Subject", "Message-ID", "In-Reply-To")
"""What is shown of the head of a message."""


class MailFormat(StrEnum):
    """How a message is printed."""

    text = "text"
    eml = "eml"


def mail(
    file: RecordFile,
    player: AsPlayer = None,
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="WHOM",
            help="A player, or an address, to write to instead of who is next; can be repeated.",
            show_default=False,
            autocompletion=complete.players,
        ),
    ] = None,
    copies: Annotated[
        bool, typer.Option("--cc", help="The other players get a copy, too.")
    ] = False,
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Also tell the reader, who has no porto, what others must not know."
        ),
    ] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Attach the table as a page with its picture, too.")
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Send it by the server of your settings.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say from whom to whom it would go, and what.")
    ] = False,
    output: Annotated[
        MailFormat | None,
        typer.Option(
            "--format",
            help="Print its text (usual on a terminal), or all of it as programs take it.",
            show_default=False,
        ),
    ] = None,
    to_file: Output = None,
) -> None:
    """Write the mail to whoever is next.

    It tells what has happened since the reader's last turn, shows the table in plain text and
    drawn, says how to answer, and has the record attached. When the game is over it goes to all
    others. Nothing that a player keeps secret is in it, unless --private asks for that.

    On a terminal its text is printed, to be copied into a mail; in a pipe the whole message, for
    programs like sendmail. --output saves it for a mail program to open and send, --send sends it.
    """
    if send and (to_file or output):
        usage(say("--send sends the mail instead of printing it; leave out the other option."))
    if to_file and output is MailFormat.text:
        usage(say("--output saves the whole message, not its text alone; leave out --format."))
    from porto_cli.mail.compose import Wish, compose
    from porto_cli.mail.errors import SendError
    from porto_cli.mail.message import on_the_wire

    wish = Wish(None, tuple(to or ()), copies, private, page)
    file = find_record(file)
    game: Replay | Beginning
    try:
        game = replay = open_game(file)
    except NotReadyError:
        from porto_cli.mail.invitation import invite

        game = begun = _begun(file)
        seat = None if player is None else seat_among(begun.chain.players, player)
        parcel = invite(begun, wish._replace(seat=seat), _now())
    else:
        seat = None if player is None else seat_of(replay, player)
        parcel = compose(replay, wish._replace(seat=seat), _now())
    if dry_run:
        _show_envelope(parcel)
    elif send:
        sent = post(parcel)
        # Some have it, whoever is refused, and whether or not that can be printed.
        note_sent(game)
        tell(*report(parcel, sent._replace(refused={}, deferred={})))
        if not sent.is_complete:
            raise SendError(_refused(sent))
    elif to_file:
        # What a mail program opens to be sent, not to be read (as several of them agree).
        parcel.mail["X-Unsent"] = "1"
        deliver(on_the_wire(parcel.mail).decode("ascii"), to_file)
        note_sent(game)
    elif output is MailFormat.text or (output is None and sys.stdout.isatty()):
        write(_to_be_read(parcel))
    else:
        sys.stdout.write(on_the_wire(parcel.mail).decode("ascii"))
        sys.stdout.flush()
        note_sent(game)
    remark(*_what_is_missing(parcel))


def _begun(file: Path) -> Beginning:
    """Return a sealed game that is still being set up. Raises InvalidFileError, FileError."""
    from porto_cli.cli.keys_here import keys_here
    from porto_cli.core.files import name_of, read_text
    from porto_cli.match.record import load
    from porto_cli.match.sealed_setup import read_setup

    return read_setup(load(read_text(file), name_of(file)), keys_here(False))


def note_sent(game: Replay | Beginning) -> None:
    """Note that a copy of a signed game leaves this computer: what is in it cannot be taken back.

    Raises FileError.
    """
    if game.chain is not None:
        from porto_cli.cli.keys_here import keys_here

        keys_here(False).note_sent(game.chain)


def _now() -> datetime:
    from email.utils import localtime

    return localtime().replace(microsecond=0)


def post(parcel: Parcel) -> Sent:
    """Send a message by the server of the settings; who did not get it stands in the result.

    Raises SendError, WrongUsageError if something is missing for that, InvalidFileError, FileError.
    """
    from porto_cli.keys.private import demand_no_other_writer
    from porto_cli.mail import addresses
    from porto_cli.mail.send import recipients, send
    from porto_cli.settings import path, settings

    for file in (path(), addresses.path()):
        demand_no_other_writer(file)
    how = settings().mail
    if not how.server:
        usage(
            say(
                "{file} does not say which server sends your mail, under 'mail:' as porto-mail(1) "
                "explains; nothing was sent. Without that, 'porto mail FILE --output mail.eml' "
                "saves the mail for a mail program.",
                file=path(),
            )
        )
    if parcel.mail["From"] is None:
        usage(
            say(
                "Nobody has said who the mail is from; nothing was sent. Your address belongs "
                "under 'mail:' in {file}, like: from: Ana <ana@example.org>",
                file=path(),
            )
        )
    if parcel.missing or not recipients(parcel.mail):
        usage(
            say("Nothing was sent. {missing}", missing=_no_address(parcel.missing)),
            suggestions=[f"porto address {quoted(name)} ADDRESS" for name in parcel.missing],
        )
    return send(parcel.mail, how)


def would_get_it(replay: Replay, writer: int) -> tuple[str, ...]:
    """Return the players to whom the game could be sent now by who has moved; none if there is
    nobody to write to, no server in the settings, or an address is missing.
    """
    from porto_cli.settings import settings

    try:
        if not settings().mail.server:
            return ()
        from porto_cli.mail.compose import Wish, compose

        parcel = compose(replay, Wish(writer), _now())
    except PortoError:
        # 'porto mail' says what is wrong; who plays wants to play.
        return ()
    if parcel.missing or parcel.mail["From"] is None:
        return ()
    return tuple(replay.config.players[seat] for seat in parcel.readers)


def send_game(replay: Replay, writer: int) -> tuple[Sentence, ...]:
    """Send the game to whoever is next and return what there is to say about it.

    Raises what :func:`post` raises.
    """
    from porto_cli.mail.compose import Wish, compose

    parcel = compose(replay, Wish(writer), _now())
    sent = post(parcel)
    note_sent(replay)
    return report(parcel, sent)


def report(parcel: Parcel, sent: Sent) -> tuple[Sentence, ...]:
    """Say what was sent, and to whom."""
    told = [
        say(
            "Sent to {addresses}: {subject}",
            addresses=", ".join(sent.to),
            subject=parcel.mail["Subject"],
        ),
        say("Message-ID: {id}", id=parcel.mail["Message-ID"]),
    ]
    return (*told, *([] if sent.is_complete else [_refused(sent)]))


def _refused(sent: Sent) -> Sentence:
    from porto_cli.mail.send import listed

    return say(
        _NOT_DELIVERED[bool(sent.refused), bool(sent.deferred)],
        refused=listed(sent.refused),
        deferred=listed(sent.deferred),
    )


_NOT_DELIVERED = {
    (True, False): "The server does not deliver to {refused}; 'porto address NAME ADDRESS' "
    "corrects an address.",
    (False, True): "The server does not deliver to {deferred} now; send it to them again in some "
    "minutes, with --to.",
    (True, True): "The server does not deliver to {refused}, and not now to {deferred}; 'porto "
    "address NAME ADDRESS' corrects an address, and --to sends the mail to them again.",
}
"""For addresses that are refused or not, and for some that are not accepted now or not."""


def _no_address(players: tuple[str, ...]) -> Sentence:
    return say(
        "Nobody has told the address of {players}. 'porto address NAME ADDRESS' does that once for "
        "all games, --to WHOM for this mail.",
        players=", ".join(players),
    )


def _what_is_missing(parcel: Parcel) -> list[Sentence]:
    """Return what whoever sends the message has still to fill in."""
    players = (*parcel.missing, *parcel.left_out)
    return [_no_address(players)] if players else []


def _head(mail: EmailMessage) -> list[str]:
    return [f"{name}: {mail[name]}" for name in HEAD if mail[name] is not None]


def _attached(mail: EmailMessage) -> list[str]:
    return [
        str(
            say(
                "Attached: {name} ({type}, {size} bytes)",
                name=part.get_filename(),
                type=part.get_content_type(),
                size=len(part.get_payload(decode=True)),
            )
        )
        for part in mail.iter_attachments()
    ]


def _to_be_read(parcel: Parcel) -> str:
    """Return a message for people: what of its head they fill in, its text, what is attached."""
    body = parcel.mail.get_body(("plain",))
    assert body is not None
    head = [line for line in _head(parcel.mail) if not line.startswith(HEAD[4:])]
    text = body.get_content().split("\n")
    return "\n".join(map(printable, [*head, "", *text, *_attached(parcel.mail)]))


def _show_envelope(parcel: Parcel) -> None:
    from porto_cli.settings import settings

    how = settings().mail
    lines = _head(parcel.mail)
    if how.server:
        said = say(
            "By way of: {server}, port {port}, security {security}, user {user}"
            if how.user
            else "By way of: {server}, port {port}, security {security}, without logging in",
            server=how.server,
            port=how.port,
            security=how.security,
            user=how.user,
        )
        lines.append(str(said))
    lines += [*_attached(parcel.mail), str(say("Nothing was sent."))]
    write("\n".join(map(printable, lines)))
