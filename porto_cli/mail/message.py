"""A message as mail servers take it: RFC 5322, MIME, nothing but ASCII on its way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from porto_cli.mail.addresses import Mailbox
from porto_cli.mail.html import html
from porto_cli.mail.letter import Letter
from porto_cli.mail.text import text
from porto_cli.mail.threads import (
    RECORD_TYPE,
    attachment_name,
    message_id,
    references,
    signed_ids,
)
from porto_cli.match.record import Record
from porto_cli.match.replay import Replay
from porto_cli.ui import ui_of

QUOTED, BASE64 = "quoted-printable", "base64"
"""How texts and files are encoded, so that no server breaks a line or changes a letter."""


def message(
    replay: Replay,
    letter: Letter,
    *,
    sender: Mailbox | None,
    to: Sequence[Mailbox],
    copies: Sequence[Mailbox] = (),
    date: datetime,
    page: bool = False,
) -> EmailMessage:
    """Return a message with the record attached; ``page`` attaches the table as a page, too.

    Who sends and who receives may be left open, to be filled in by a mail program.
    """
    if replay.chain is None:
        ids = [*references(replay), message_id(replay)]
    else:
        ids = signed_ids(replay.chain)
    body, drawn = text(letter, replay), html(letter, replay)
    mail = envelope(
        letter.subject, body, drawn, replay.record, ids, sender=sender, to=to, copies=copies,
        date=date,
    )  # fmt: skip
    if page:
        shown = ui_of(replay.game.meta.id).table_html(replay, letter.seat)
        mail.add_attachment(
            shown.encode(),
            maintype="text",
            subtype="html",
            filename=f"{attachment_name(replay.record).rpartition('.')[0]}.html",
            cte=BASE64,
        )
    return mail


def envelope(
    subject: str,
    body: str,
    drawn: str,
    record: Record,
    ids: Sequence[str],
    *,
    sender: Mailbox | None,
    to: Sequence[Mailbox],
    copies: Sequence[Mailbox] = (),
    date: datetime,
) -> EmailMessage:
    """Return a message that says the same as text and as HTML, with a record attached.

    ``ids`` are those of the messages of the game so far, the own one last.
    """
    mail = EmailMessage(policy=SMTP)
    if sender:
        mail["From"] = _address(sender)
    if to:
        mail["To"] = [_address(one) for one in to]
    if copies:
        mail["Cc"] = [_address(one) for one in copies]
    mail["Subject"] = subject
    mail["Date"] = date
    *before, own = ids
    mail["Message-ID"] = own
    if before:
        mail["In-Reply-To"] = before[-1]
        mail["References"] = " ".join(before)
    mail.set_content(body, cte=QUOTED)
    mail.add_alternative(drawn, subtype="html", cte=QUOTED)
    kind, subkind = RECORD_TYPE
    name = attachment_name(record)
    mail.add_attachment(
        record.text.encode(), maintype=kind, subtype=subkind, filename=name, cte=BASE64
    )
    return mail


def _address(one: Mailbox) -> Address:
    name = "".join(letter if letter.isprintable() else " " for letter in one.name)
    return Address(name.strip(), addr_spec=one.address)
