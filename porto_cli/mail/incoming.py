"""A message that has come in, taken apart: its texts, who sent it, what it answers.

Whatever the bytes are, nothing here fails: what cannot be read is left out, and said where a record
may have been in it. Archives are not opened.
"""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import LARGEST
from porto_cli.mail.html_text import text_of_html
from porto_cli.mail.restore import unflowed
from porto_cli.mail.robots import is_automatic
from porto_cli.mail.threads import Named, read_message_ids

LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes of the largest message that is read: the record may come along with pictures."""
_MOST_PARTS = 500
_DEEPEST = 40
"""Levels of messages within messages that are looked into."""
_LARGEST_HTML = 1024 * 1024
_LONGEST_HEADER = 2000
_HEADERS_OF_MESSAGES = frozenset(
    {
        *("from", "to", "subject", "date", "received", "message-id", "mime-version", "sender"),
        *("content-type", "content-transfer-encoding", "return-path", "delivered-to", "reply-to"),
        *("in-reply-to", "references", "cc", "user-agent", "x-mailer", "dkim-signature"),
    }
)
_HEADER = re.compile(rb"([!-9;-~]+)[ \t]*:")
_ARCHIVES = {
    b"PK\x03\x04": "ZIP",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "RAR",
}
_OUTLOOK = b"\x78\x9f\x3e\x22"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STATEFUL = ("utf-16", "utf-32", "utf-7", "iso-2022", "hz")
"""Charsets in which what looks like ASCII may be something else."""
_NO_TEXT = ("image", "audio", "video", "font", "model")


class Part(NamedTuple):
    """A part of a message that may hold a record."""

    name: str
    """The name of the attachment, or nothing."""
    texts: tuple[str, ...]
    """What it says, as it can be read: the most likely reading first."""


class Incoming(NamedTuple):
    """A message, or a text that is none."""

    source: str
    """How sentences call it."""
    parts: tuple[Part, ...] = ()
    """Attachments first, then what stands in the message itself."""
    body: str = ""
    """What somebody has written, as plain text; quotations stand behind ``>``."""
    sender: tuple[str, str] = ("", "")
    """Name and address."""
    subject: str = ""
    date: float = 0
    """Seconds since 1970; 0 if it is not known."""
    answers: tuple[Named, ...] = ()
    """Which messages of ours it answers; the last one directly."""
    unread: tuple[Sentence, ...] = ()
    """What was not looked into, and why."""
    is_message: bool = True
    own_id: Named | None = None
    """What its own id names, if this program has written it."""
    is_automatic: bool = False
    """A program or a mailing list has sent it, and no player."""

    known_as: str = ""
    """How the address book calls the sender, where that says more than the message does."""

    @property
    def is_ours(self) -> bool:
        """Whether this program has written it: it says what moves look like, and means none."""
        return self.own_id is not None

    @property
    def sender_name(self) -> str:
        """Return how sentences call the sender; may be empty."""
        return self.known_as or self.sender[0] or self.sender[1]


def read_incoming(data: bytes, source: str, name: str = "") -> Incoming:
    """Return what stands in a message, or in a text or record that somebody has saved.

    ``name`` is that of the file, which a record in it goes by. Raises nothing.
    """
    data = data.removeprefix(b"\n")
    if data.startswith(_OLE):
        return Incoming(source, unread=(_OUTLOOK_FILE,), is_message=False)
    if not looks_like_a_message(data):
        part, unread = _part_of(data, name, "", flowed=None, of_a_message=False)
        parts: tuple[Part, ...] = (part,) if part else ()
        text = part.texts[0] if part else ""
        if part and _is_html(text):
            text = _html_as_text(text)
            parts = (Part(name, (text,)), part)
        return Incoming(source, parts, text, unread=unread, is_message=False)
    if data.lower().count(b"boundary=") > _MOST_PARTS:
        return Incoming(source, unread=(_TOO_NESTED,))
    try:
        message = BytesParser(policy=compat32).parsebytes(data)
    except (RecursionError, MessageError, ValueError, LookupError):
        return Incoming(source, unread=(_TOO_NESTED,))
    reader = _Parts()
    reader.read(message)
    references = f"{_header(message, 'References')} {_header(message, 'In-Reply-To')}"
    sender = _sender(message)
    return Incoming(
        source,
        (*reader.attached, *reader.inline),
        reader.body,
        sender,
        _header(message, "Subject"),
        _date(message),
        tuple(read_message_ids(references)),
        tuple(reader.unread),
        own_id=next(iter(read_message_ids(_header(message, "Message-ID"))), None),
        is_automatic=is_automatic(message, sender[1]),
    )


_TOO_NESTED = say("It has more parts than any message of a person, and was not looked into.")
_OUTLOOK_FILE = say(
    "It is a message in the format of Outlook (.msg), which only Outlook reads; save it as .eml or "
    "as text, or save the attachment."
)


def looks_like_a_message(data: bytes) -> bool:
    """Tell whether bytes begin with the head of a message, maybe behind the line of an mbox."""
    names: set[str] = set()
    for nth, line in enumerate(data[: 64 * 1024].splitlines()):
        if nth == 0 and line.startswith((b"From ", b">From ")):
            continue
        if not line.strip():
            break
        if line[:1] in (b" ", b"\t"):
            if not names:
                return False
            continue
        header = _HEADER.match(line)
        if not header:
            return False
        names.add(header[1].decode("ascii").lower())
    return bool(names & _HEADERS_OF_MESSAGES) and "porto" not in names


class _Parts:
    """Takes the parts of a message, one after the other, without recursion."""

    def __init__(self) -> None:
        self.attached: list[Part] = []
        self.inline: list[Part] = []
        self.unread: list[Sentence] = []
        self.plain: list[str] = []
        self.html: list[str] = []

    @property
    def body(self) -> str:
        """Return what somebody has written."""
        return "\n".join(self.plain or self.html)

    def read(self, message: Message) -> None:
        """Read a message and all that is in it."""
        waiting = [(message, 0, False)]
        for _ in range(_MOST_PARTS):
            if not waiting:
                return
            part, depth, forwarded = waiting.pop()
            payload = part.get_payload()
            if isinstance(payload, list):
                if depth >= _DEEPEST:
                    self._leave(_TOO_NESTED)
                    continue
                forwarded = forwarded or part.get_content_type() == "message/rfc822"
                below = [each for each in payload if isinstance(each, Message)]
                waiting += [(each, depth + 1, forwarded) for each in reversed(below)]
            else:
                self._leaf(part, forwarded)
        self._leave(_TOO_NESTED)

    def _leave(self, sentence: Sentence) -> None:
        if sentence not in self.unread:
            self.unread.append(sentence)

    def _leaf(self, part: Message, forwarded: bool) -> None:
        kind = part.get_content_type()
        name = _file_name(part)
        if part.get_content_maintype() in _NO_TEXT:
            return
        if kind in ("application/pgp-encrypted", "application/pkcs7-mime"):
            self._leave(
                say(
                    "It is encrypted; decrypt it with your mail program, save what is in it, and "
                    "name that file."
                )
            )
            return
        data = _payload(part)
        flowed = None
        if str(part.get_param("format") or "").lower() == "flowed":
            flowed = str(part.get_param("delsp") or "").lower() == "yes"
        read, unread = _part_of(data, name, _charset(part), flowed=flowed)
        for sentence in unread:
            self._leave(sentence)
        if not read:
            return
        attached = bool(name) or part.get_content_disposition() == "attachment"
        if kind == "text/html" or name.lower().endswith((".html", ".htm")):
            text = _html_as_text(read.texts[0])
            read = Part(name, (text, *read.texts))
            if not attached and not forwarded:
                self.html.append(text)
        elif not attached and not forwarded and part.get_content_maintype() == "text":
            self.plain.append(read.texts[0])
        (self.attached if attached else self.inline).append(read)


def _part_of(
    data: bytes, name: str, charset: str, *, flowed: bool | None, of_a_message: bool = True
) -> tuple[Part | None, tuple[Sentence, ...]]:
    """Return a part with its readings, if it is text, and what is to be said if it is not.

    ``flowed`` is None if it is not, else whether blanks at line ends are deleted (DelSp).
    """
    shown = name or say("an attachment without a name")
    for magic, kind in _ARCHIVES.items():
        if data.startswith(magic):
            archive = say(
                "{name} is an archive ({kind}), which is not opened; unpack it, look at what is in "
                "it, and name the record.",
                name=shown,
                kind=kind,
            )
            return None, (archive,)
    if data.startswith(_OUTLOOK):
        outlook = say(
            "{name} is what Outlook makes of attachments for other Outlooks (winmail.dat); ask for "
            "the message again as plain text, or for the record as a file in an archive.",
            name=shown,
        )
        return None, (outlook,)
    if len(data) > LARGEST:
        if b"\0" in data[:4096] or (of_a_message and not name):
            return None, ()
        large = say("{name} is larger than {most} MiB; a record is not.", name=shown, most=8)
        return None, (large,)
    texts = _readings(data, charset)
    if flowed is not None:
        texts = [unflowed(text, delete_spaces=flowed) for text in texts] + texts
    return (Part(name, tuple(dict.fromkeys(texts))) if texts else None), ()


def _readings(data: bytes, charset: str) -> list[str]:
    """Return what bytes can say, the most likely reading first; nothing if they are no text.

    A record is UTF-8, whatever a mail program says of it; what was not written as UTF-8 can hardly
    be read as such by accident.
    """
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    marked = next((code for mark, code in marks.items() if data.startswith(mark)), "")
    declared = charset.lower()
    first = [marked, declared if declared.startswith(_STATEFUL) else "", "utf-8", declared]
    texts = []
    for code in filter(None, dict.fromkeys(first)):
        text = _decoded(data, code)
        if text is not None and "\0" not in text:
            texts.append(text)
    if not texts and b"\0" not in data:
        texts = [data.decode("cp1252", "replace")]
    mended = [_read_as_latin_by_mistake(text) for text in texts]
    return list(dict.fromkeys([*filter(None, mended), *texts]))


def _decoded(data: bytes, code: str) -> str | None:
    try:
        text = data.decode(code)
    except (LookupError, ValueError):
        return None
    # Some codecs of Python do not make texts of bytes.
    return text if isinstance(text, str) else None


def _read_as_latin_by_mistake(text: str) -> str:
    """Return what UTF-8 says that was taken for Latin-1 or Windows-1252 on its way, or nothing."""
    if text.isascii():
        return ""
    for code in ("cp1252", "latin-1"):
        try:
            return text.encode(code).decode("utf-8")
        except ValueError:
            continue
    return ""


def _payload(part: Message) -> bytes:
    """Return the bytes of a part, as they were before they were encoded for the way."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError, MessageError):
        data = None
    if isinstance(data, bytes):
        return data
    raw = part.get_payload()
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _charset(part: Message) -> str:
    try:
        return str(part.get_content_charset() or "")
    except (LookupError, ValueError, TypeError):
        return ""


def _file_name(part: Message) -> str:
    try:
        return _in_words(str(part.get_filename() or ""))[:200]
    except (LookupError, ValueError, TypeError, MessageError):
        return ""


def _header(message: Message, name: str) -> str:
    return _in_words(" ".join(_raw(message, name)))


def _raw(message: Message, name: str) -> list[str]:
    """Return the values of a header. Letters outside of ASCII may stand there unencoded."""
    found = [str(value) for key, value in message.raw_items() if key.lower() == name.lower()]
    return [_word(value.encode("utf-8", "surrogateescape"), None) for value in found]


def _in_words(text: str) -> str:
    """Return a header as people read it, in one line."""
    text = text[:_LONGEST_HEADER]
    with suppress(MessageError, ValueError, LookupError):
        text = "".join(_word(word, code) for word, code in decode_header(text))
    return " ".join(text.split())


def _word(word: str | bytes, code: str | None) -> str:
    if isinstance(word, str):
        return word
    return _decoded(word, code or "utf-8") or word.decode("latin-1")


def _sender(message: Message) -> tuple[str, str]:
    try:
        head = [*_raw(message, "From"), *_raw(message, "Sender"), ""]
        name, address = parseaddr(head[0][:1000])
    except (ValueError, IndexError, TypeError):
        return "", ""
    return _in_words(name), _in_words(address)


def _date(message: Message) -> float:
    try:
        return parsedate_to_datetime(str(message.get("Date") or "")[:100]).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return 0


def _is_html(text: str) -> bool:
    return bool(re.match(r"\s*<(?:!doctype html|html|body|head|div|p|meta)\b", text[:500].lower()))


def _html_as_text(html: str) -> str:
    return text_of_html(html) if len(html) <= _LARGEST_HTML else ""
