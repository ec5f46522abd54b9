"""A message as mail servers take it: RFC 5322, MIME, nothing but ASCII on its way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, compat32
from typing import NoReturn

from porto_cli.core.command_errors import refuse
from porto_cli.core.message import say
from porto_cli.mail.addresses import Mailbox
from porto_cli.mail.heads import Field, decoded_words, one_line, read_addresses
from porto_cli.mail.html import html
from porto_cli.mail.letter import Letter
from porto_cli.mail.mime import read_parameters
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
        name = f"{attachment_name(replay.record).rpartition('.')[0]}.html"
        attach(mail, shown.encode(), ("text", "html"), name)
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
        mail["From"] = _people("From", [sender])
    if to:
        mail["To"] = _people("To", to)
    if copies:
        mail["Cc"] = _people("Cc", copies)
    mail["Subject"] = Field.of_text("Subject", subject)
    mail["Date"] = date
    *before, own = ids
    mail["Message-ID"] = Field.of_ids("Message-ID", [own])
    if before:
        mail["In-Reply-To"] = Field.of_ids("In-Reply-To", before[-1:])
        mail["References"] = Field.of_ids("References", before)
    mail.set_content(body, cte=QUOTED)
    mail.add_alternative(drawn, subtype="html", cte=QUOTED)
    attach(mail, record.text.encode(), RECORD_TYPE, attachment_name(record))
    return mail


def attach(mail: EmailMessage, data: bytes, kind: tuple[str, str], name: str) -> None:
    """Attach a file to a message."""
    head = [Field.of_attachment(name)]
    mail.add_attachment(data, maintype=kind[0], subtype=kind[1], headers=head, cte=BASE64)


def _people(name: str, people: Sequence[Mailbox]) -> Field:
    return Field.of_addresses(name, [_address(one) for one in people])


def _address(one: Mailbox) -> Address:
    local, _, domain = one.address.rpartition("@")
    return Address(one_line(one.name), username=local, domain=domain)


def on_the_wire(mail: EmailMessage) -> bytes:
    """Return a message as it leaves.

    Its head is read back and compared with what was meant before. Raises RefusedError if it says
    anything else: it could go to somebody whom nobody has named.
    """
    data = mail.as_bytes()
    for part, found in zip(mail.walk(), _parts_of(data), strict=True):
        if [name for name, _ in found] != part.keys():
            _refuse(", ".join(part.keys()))
        for name, (_, raw) in zip(part.keys(), found, strict=True):
            if not _says(raw, part[name]):
                _refuse(name)
    return data


def _parts_of(data: bytes) -> list[list[tuple[str, str]]]:
    """Return the heads of all parts of a message, as they go over the wire."""
    found = message_from_bytes(data, policy=compat32)
    return [[(name, str(value)) for name, value in part.items()] for part in found.walk()]


def _says(raw: str, meant: object) -> bool:
    """Tell whether a header that goes over the wire says what was meant."""
    if not isinstance(meant, Field):
        # Nothing that anybody has written stands in the others.
        return raw.isascii()
    text = raw.replace("\r\n", "")
    if meant.file:
        return read_parameters(text) == ("attachment", {"filename": meant.file})
    if meant.addresses:
        people = [(one.display_name, one.addr_spec) for one in meant.addresses]
        return read_addresses(text) == people
    return decoded_words(text) == meant


def _refuse(name: str) -> NoReturn:
    refuse(
        say(
            "The head of this mail would not say what it should ({name}), so the mail was not "
            "written. Please report that, with the record.",
            name=name,
        )
    )
