"""A message as mail servers take it: text, HTML and record, in ASCII (RFC 5322, MIME).

Its head is written as text and read back before it leaves. What stands in it comes from titles and
names of others, which may look like an encoded word, or like the next line of the head. Nothing in
the HTML is loaded from elsewhere or attached, and what mail programs strip is not used, see
:mod:`porto_cli.paper.html`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP, compat32
from email.utils import format_datetime
from types import MappingProxyType

from porto_cli.core.message import refuse
from porto_cli.mail.addresses import Mailbox
from porto_cli.mail.letter import Letter, html_of, text_of
from porto_cli.mail.mime import decoded_words, read_addresses, read_parameters
from porto_cli.mail.threads import RECORD_TYPE, attachment_name, with_contents
from porto_cli.match.record import Record

_AS_READ = SMTP.clone(refold_source="none")
"""Keeps a head as it came: what was checked is what is sent."""
_WIDTH = 78
"""Characters of a line, as RFC 5322 recommends."""
_LONGEST_WORD = 60
"""Characters of a word, encoded or not, so that it fits after the name of any header."""
_PLAIN_TEXT = re.compile(rf"(?!.*=\?)[!-~]{{1,{_LONGEST_WORD}}}(?: [!-~]{{1,{_LONGEST_WORD}}})*")
"""Words that stand in a head as they are, and fit in its lines."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9]{1,30}(?:[ -][A-Za-z0-9]{1,30})*")
"""A name in which nothing can be taken for more than that."""
_PEOPLE = ("From", "To", "Cc")


def message(
    letter: Letter,
    record: Record,
    ids: Sequence[str],
    *,
    sender: Mailbox | None,
    to: Sequence[Mailbox],
    copies: Sequence[Mailbox] = (),
    date: datetime,
    pages: Mapping[str, str] = MappingProxyType({}),
    html: bool = True,
    again: str = "",
) -> EmailMessage:
    """Return a letter as text and as HTML, with the record attached, and ``pages`` by their names.

    The last of the ``ids`` is that of the game and its state, to which what is in the message adds
    its own; the first is what all messages of the game answer. Sender and recipients may be left
    open, to be filled in by a mail program. Without ``html`` it is text. ``again`` tells it from
    another one that says the same. Raises RefusedError if its head would not say what was meant:
    the mail could go to somebody who was not named.
    """
    mail, name = EmailMessage(policy=SMTP), attachment_name(record)
    text, hypertext = text_of(letter, every_move=not html), html_of(letter) if html else ""
    mail.set_content(text, cte="quoted-printable")
    if html:
        mail.add_alternative(hypertext, subtype="html", cte="quoted-printable")
    kind, subtype = RECORD_TYPE
    mail.add_attachment(record.text.encode(), maintype=kind, subtype=subtype, filename=name)
    for file, page in pages.items():
        mail.add_attachment(page, subtype="html", cte="base64", filename=file)

    said = (letter.subject, text, hypertext, record.text, *pages.values(), again)
    own = with_contents(ids[-1], *said)
    people = dict(zip(_PEOPLE, ([sender] if sender else [], to, copies), strict=True))
    meant: dict[str, str | list[Mailbox]] = {
        name: [Mailbox(one_line(one.name), one.address) for one in some]
        for name, some in people.items()
        if some
    }
    meant |= {"Subject": one_line(letter.subject), "Date": format_datetime(date), "Message-ID": own}
    meant |= {"In-Reply-To": ids[0], "References": ids[0]}
    head = "".join(_line(name, value) for name, value in meant.items())
    back = message_from_bytes(head.encode("ascii") + mail.as_bytes(), policy=_AS_READ)
    assert isinstance(back, EmailMessage)
    _demand(back.as_bytes(), meant, name)
    return back


def one_line(text: str) -> str:
    """Return a text in one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


# -- The lines of a head


def _line(name: str, value: str | Sequence[Mailbox]) -> str:
    """Return a line of a head, folded where it is long."""
    end = SMTP.linesep
    if not isinstance(value, str):
        text = Header(", ".join(map(_person, value)), "us-ascii", _WIDTH, name).encode(linesep=end)
    elif name == "Subject":
        charset = "us-ascii" if _PLAIN_TEXT.fullmatch(value) else "utf-8"
        text = Header(value, charset, _WIDTH, name).encode(linesep=end)
    else:
        # A date or an id, which is never broken or encoded.
        text = value
    return f"{name}: {text}{end}"


def _person(one: Mailbox) -> str:
    """Return a mailbox; a name of more than letters is encoded, so that nothing in it counts."""
    if not one.name:
        return one.address
    name = one.name
    if not _PLAIN_NAME.fullmatch(name):
        name = Header(name, "utf-8", _LONGEST_WORD).encode(linesep="")
    return f"{name} <{one.address}>"


def _demand(data: bytes, meant: Mapping[str, str | Sequence[Mailbox]], file: str) -> None:
    """Read a message back, as receivers do, and refuse it if it says anything else."""
    found = message_from_bytes(data, policy=compat32)
    modern = message_from_bytes(data, policy=_AS_READ)
    if sorted(found.keys()) != sorted([*meant, "MIME-Version", "Content-Type"]):
        _refuse(", ".join(meant))
    for name, value in meant.items():
        raw = str(found[name]).replace("\r\n", "")
        if isinstance(value, str):
            is_right = (decoded_words(raw) if name == "Subject" else raw) == value
        else:
            addresses = [one.addr_spec for one in modern[name].addresses]
            is_right = read_addresses(raw) == value and addresses == [one[1] for one in value]
        if not is_right:
            _refuse(name)
    part, *_ = (one for one in found.walk() if one.get_content_disposition() == "attachment")
    named = read_parameters(part["Content-Disposition"].replace("\r\n", ""))
    if named != ("attachment", {"filename": file}):
        _refuse("Content-Disposition")


def _refuse(name: str) -> None:
    refuse(
        f"The head of this mail would not be what was meant ({name}), so the mail was "
        "not written. Please report this, with the record."
    )
