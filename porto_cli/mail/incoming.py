"""A message that has come in, taken apart: its texts, who sent it, what it answers.

Whatever the bytes are, nothing here fails: what cannot be read is left out, and said where a record
may have been in it. Archives are not opened.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import LARGEST
from porto_cli.mail.heads import charset_of, decoded, decoded_words, read_addresses
from porto_cli.mail.html_text import text_of_html
from porto_cli.mail.mime import DEEPEST, Head, Leaf, Message, TooMuchError
from porto_cli.mail.restore import INVISIBLE, LARGEST_TO_MEND, unflowed
from porto_cli.mail.robots import is_automatic
from porto_cli.mail.threads import Named, read_message_ids

LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes of the largest message that is read: the record may come along with pictures."""
MOST_TEXT = 12 * 1024 * 1024
"""Bytes of all parts of a message that are read as text."""
LARGEST_HTML = 1024 * 1024
"""Bytes of all parts of a message that are read as HTML."""
_LONGEST_REFERENCES = 20_000
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
_STATEFUL = ("utf-16", "utf-32", "utf-7", "iso2022", "hz")
"""Charsets in which what looks like ASCII may be something else."""
_ENCRYPTED_TEXT = "-----BEGIN PGP MESSAGE-----"
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
        return _no_message(data, source, name)
    reader = _Parts()
    try:
        message = Message(data)
    except TooMuchError as error:
        return Incoming(source, unread=(error.sentence,))
    reader.read(message)
    head = message.head
    sender = _sender(head)
    references = f"{head.raw('references')[-_LONGEST_REFERENCES:]} {head.text('in-reply-to')}"
    return Incoming(
        source,
        (*reader.attached, *reader.inline),
        reader.body,
        sender,
        head.text("subject"),
        _date(head),
        tuple(read_message_ids(references)),
        tuple(reader.unread),
        own_id=next(iter(read_message_ids(head.text("message-id"))), None),
        is_automatic=is_automatic(head, sender[1]),
    )


def _no_message(data: bytes, source: str, name: str) -> Incoming:
    """Return what stands in a text or a record that somebody has saved."""
    whole = len(data) <= LARGEST
    part, unread = _part_of(data, name, "", whole=whole, flowed=None)
    parts: tuple[Part, ...] = (part,) if part else ()
    text = part.texts[0] if part else ""
    if part and _is_html(text):
        if len(text) > LARGEST_HTML:
            return Incoming(source, unread=(_MUCH_HTML,), is_message=False)
        text = text_of_html(text)
        parts = (Part(name, (text,)), part)
    return Incoming(source, parts, text, unread=unread, is_message=False)


_TOO_DEEP = say(
    "What is in it within more than {most} other messages or parts was not looked into.",
    most=DEEPEST,
)
_OUTLOOK_FILE = say(
    "It is a message in the format of Outlook (.msg), which only Outlook reads; save it as .eml or "
    "as text, or save the attachment."
)
_ENCRYPTED = say(
    "It is encrypted; decrypt it with your mail program, save what is in it, and name that file."
)
_SIGNED_WHOLE = say(
    "It is signed so that only mail programs can read it (S/MIME); save what is in it with yours, "
    "and name that file."
)
_MUCH_TEXT = say(
    "It has more than {most} MiB of text; what comes behind that was not looked into.",
    most=MOST_TEXT >> 20,
)
_MUCH_HTML = say(
    "It has more than {most} MiB of HTML; what comes behind that was not looked into.",
    most=LARGEST_HTML >> 20,
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
        self.left = MOST_TEXT
        self.html_left = LARGEST_HTML

    @property
    def body(self) -> str:
        """Return what somebody has written."""
        return INVISIBLE.sub("", "\n".join(self.plain or self.html))

    def read(self, message: Message) -> None:
        """Read a message and all that is in it."""
        try:
            for leaf in message.leaves():
                self._leaf(leaf)
        except TooMuchError as error:
            self._leave(error.sentence)
        if message.too_deep:
            self._leave(_TOO_DEEP)

    def _leave(self, sentence: Sentence) -> None:
        if sentence not in self.unread:
            self.unread.append(sentence)

    def _leaf(self, part: Leaf) -> None:
        kind, (_, parameters) = part.kind, part.head.parameters("content-type")
        main = kind.partition("/")[0]
        disposition, named = part.head.parameters("content-disposition")
        name = _file_name(named.get("filename") or parameters.get("name") or "")
        if main in _NO_TEXT:
            return
        if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            signed = parameters.get("smime-type", "").lower() == "signed-data"
            self._leave(_SIGNED_WHOLE if signed else _ENCRYPTED)
            return
        if kind == "application/pgp-encrypted":
            self._leave(_ENCRYPTED)
            return
        data, whole = part.content(LARGEST)
        flowed = None
        if parameters.get("format", "").lower() == "flowed":
            flowed = parameters.get("delsp", "").lower() == "yes"
        charset = parameters.get("charset", "")
        read, unread = _part_of(data, name, charset, whole=whole, flowed=flowed)
        for sentence in unread:
            self._leave(sentence)
        if not read:
            return
        if _ENCRYPTED_TEXT in read.texts[0]:
            self._leave(_ENCRYPTED)
        self.left -= len(data)
        if self.left < 0:
            self._leave(_MUCH_TEXT)
            return
        attached = bool(name) or disposition == "attachment"
        if kind == "text/html" or name.lower().endswith((".html", ".htm")):
            text = self._html_as_text(read.texts[0])
            read = Part(name, (text, *read.texts))
            if not attached and not part.forwarded:
                self.html.append(text)
        elif not attached and not part.forwarded and main == "text":
            self.plain.append(read.texts[0])
        (self.attached if attached else self.inline).append(read)

    def _html_as_text(self, html: str) -> str:
        self.html_left -= len(html)
        if self.html_left < 0:
            self._leave(_MUCH_HTML)
            return ""
        return text_of_html(html)


def _part_of(
    data: bytes, name: str, charset: str, *, whole: bool, flowed: bool | None
) -> tuple[Part | None, tuple[Sentence, ...]]:
    """Return a part with its readings, if it is text, and what is to be said if it is not.

    ``whole`` says whether these are all of its bytes, or the first ones of too many; ``flowed`` is
    None if it is not, else whether blanks at line ends are deleted (DelSp).
    """
    shown = name or say("a part without a name")
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
    if not whole:
        if b"\0" in data[:4096]:
            return None, ()
        large = say(
            "{name} is larger than {most} MiB, which no record is; it was not looked into.",
            name=shown,
            most=LARGEST >> 20,
        )
        return None, (large,)
    texts = _readings(data, charset)
    if flowed is not None and len(data) <= LARGEST_TO_MEND:
        texts = [unflowed(text, delete_spaces=flowed) for text in texts] + texts
    return (Part(name, tuple(dict.fromkeys(texts))) if texts else None), ()


def _readings(data: bytes, charset: str) -> list[str]:
    """Return what bytes can say, the most likely reading first; nothing if they are no text.

    A record is UTF-8, whatever a mail program says of it; what was not written as UTF-8 can hardly
    be read as such by accident.
    """
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    marked = next((code for mark, code in marks.items() if data.startswith(mark)), "")
    declared = charset_of(charset)
    first = [marked, declared if declared.startswith(_STATEFUL) else "", "utf-8", declared]
    texts = []
    for code in filter(None, dict.fromkeys(first)):
        text = decoded(data, code)
        if text is not None and "\0" not in text:
            texts.append(text)
    if not texts and b"\0" not in data:
        texts = [data.decode("cp1252", "replace")]
    if len(data) > LARGEST_TO_MEND:
        return texts[:1]
    mended = [_read_as_latin_by_mistake(text) for text in texts]
    return list(dict.fromkeys([*filter(None, mended), *texts]))


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


def _file_name(text: str) -> str:
    return " ".join(decoded_words(text[:2000]).split())[:200]


def _sender(head: Head) -> tuple[str, str]:
    for name, address in read_addresses((head.raw("from") or head.raw("sender"))[:1000])[:1]:
        return " ".join(name.split()), address
    return "", ""


def _date(head: Head) -> float:
    try:
        return parsedate_to_datetime(head.raw("date")[:100]).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return 0


def _is_html(text: str) -> bool:
    return bool(re.match(r"\s*<(?:!doctype html|html|body|head|div|p|meta)\b", text[:500].lower()))
