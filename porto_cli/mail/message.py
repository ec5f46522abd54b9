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
from porto_cli.mail.threads import RECORD_TYPE, attachment_name, message_id, references
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
    mail = EmailMessage(policy=SMTP)
    if sender:
        mail["From"] = _address(sender)
    if to:
        mail["To"] = [_address(one) for one in to]
    if copies:
        mail["Cc"] = [_address(one) for one in copies]
    mail["Subject"] = letter.subject
    mail["Date"] = date
    mail["Message-ID"] = message_id(replay)
    before = references(replay)
    if before:
        mail["In-Reply-To"] = before[-1]
        mail["References"] = " ".join(before)
    mail.set_content(text(letter, replay), cte=QUOTED)
    mail.add_alternative(html(letter, replay), subtype="html", cte=QUOTED)
    name = attachment_name(replay)
    kind, subkind = RECORD_TYPE
    mail.add_attachment(
        replay.record.text.encode(), maintype=kind, subtype=subkind, filename=name, cte=BASE64
    )
    if page:
        shown = ui_of(replay.game.meta.id).table_html(replay, letter.seat)
        mail.add_attachment(
            shown.encode(),
            maintype="text",
            subtype="html",
            filename=f"{name.rpartition('.')[0]}.html",
            cte=BASE64,
        )
    return mail


def _address(one: Mailbox) -> Address:
    name = "".join(letter if letter.isprintable() else " " for letter in one.name)
    return Address(name.strip(), addr_spec=one.address)
