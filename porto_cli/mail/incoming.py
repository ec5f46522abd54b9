"""Received messages: where they come from, and the message taken apart: its texts, its sender, and
the message it answers.
"""

from __future__ import annotations

import mailbox
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from glob import escape
from io import BytesIO
from itertools import chain, compress, count, pairwise, takewhile
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote

from porto_cli.core import FileError, files
from porto_cli.core.files import STANDARD, expanded, name_of, readable
from porto_cli.core.yaml import LARGEST
from porto_cli.mail.ids import Named, read_message_ids, read_references
from porto_cli.mail.mime import (
    LARGEST_PART,
    NO_TEXT,
    TooMuchError,
    charset_of,
    content,
    decoded,
    decoded_words,
    head_text,
    leaves,
    parsed,
    raw,
    read_addresses,
    read_parameters,
    text_of_html,
)

# -- A received message, taken apart
#
# Nothing here fails, whatever the bytes: parts that cannot be read are left out, and reported if
# they may have held a record. Archives are not opened.

_LIST_HEADERS = ("list-id", "list-unsubscribe", "list-post", "list-help")
_REPLIER_HEADERS = ("x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients")
_BULK = ("bulk", "list", "junk", "auto_reply")
_AUTOMATIC = re.compile(
    r"(?i)\s*(?:automatic\s+reply|auto(?:matic)?\s*-?\s*response|out\s+of\s+(?:the\s+)?office"
    r"|automatische\s+antwort|abwesenheit|resposta\s+autom|r[ée]ponse\s+automatique"
    r"|respuesta\s+autom)"
)
"""Subjects of absence notes; not all programs mark them with a header."""
_SERVERS = ("mailer-daemon",)
"""The part before the ``@`` of addresses that only mail servers write from."""


def is_automatic(head: Message, address: str) -> bool:
    """Return whether the headers of a message show that a program or a mailing list sent it (RFC
    2369, 2919, 3834, 3462).
    """
    if any(name in head for name in (*_LIST_HEADERS, *_REPLIER_HEADERS)):
        return True
    submitted = head_text(head, "auto-submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or head_text(head, "precedence").lower() in _BULK
        or head_text(head, "return-path") == "<>"
        or read_parameters(raw(head, "content-type"))[0] == "multipart/report"
        or bool(_AUTOMATIC.match(head_text(head, "subject")))
        or address.partition("@")[0].lower() in _SERVERS
    )


LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes of the largest message that is read: pictures may come with the record."""
MOST_TEXT = 12 * 1024 * 1024
"""Bytes of all parts of a message that are read as text."""
_COST_OF_HTML = 12
"""The number of bytes of text that one of HTML counts as."""
_HTML = re.compile(r"(?i)\s*<(?:!doctype html|html|body|head|div|p|meta)\b")
_MARKED = re.compile(r"(?m)^[^\S\n]*[>|].*$")
"""A line that is quoted."""
_LONGEST_PEOPLE = 2000
"""Characters of the senders or recipients of a message that are read."""
_LONGEST_REFERENCES = 20_000
_HEADERS_OF_MESSAGES = frozenset(
    {
        *("from", "to", "subject", "date", "received", "message-id", "mime-version", "sender"),
        *("content-type", "content-transfer-encoding", "return-path", "delivered-to", "reply-to"),
        *("in-reply-to", "references", "cc", "user-agent", "x-mailer", "dkim-signature"),
    }
)
_ENVELOPE = re.compile(rb"\A>?From [^\r\n]*(?:\r\n?|\n)?")
"""The line before a message in an mbox."""
_HEADER = re.compile(rb"([!-9;-~]+)[ \t]*:")
_CLOSED = (
    *(b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!"),
    *(b"\x78\x9f\x3e\x22", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
)
"""The first bytes of archives, and of Outlook's own formats of attachments and messages."""
_REACTION = "text/vnd.google.email-reaction+json"
"""The type that Gmail uses instead of the disposition for reactions (RFC 9078)."""
_ENCRYPTED = "application/pkcs7-mime", "application/x-pkcs7-mime"
_ENCRYPTED_TEXT = b"-----BEGIN PGP MESSAGE-----"
_STATEFUL = ("utf-16", "utf-32", "utf-7", "iso2022", "hz")
"""Charsets in which bytes of ASCII may mean something else."""
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


class TextPart(NamedTuple):
    """A part of a message that may hold a record."""

    name: str
    """The name of the attachment, or nothing."""
    text: str


class Incoming(NamedTuple):
    """A message, or a saved text."""

    source: str
    """Its name in sentences."""
    parts: tuple[TextPart, ...] = ()
    """Attachments first, then the text of the message itself."""
    body: str = ""
    """The text of the message, as plain text; quotations are marked by ``>``."""
    html: str = ""
    """The text of its HTML, if it has plain text as well: its writer may have seen either."""
    sender: tuple[str, str] = ("", "")
    """Name and address."""
    subject: str = ""
    date: float = 0
    """Seconds since 1970; 0 if unknown."""
    answers: tuple[Named, ...] = ()
    """Our messages that it answers, by its text or its headers; the last one directly."""
    in_head: tuple[Named, ...] = ()
    """Those of them that its headers name."""
    to: tuple[str, ...] = ()
    """The addresses it was sent to."""
    unread: tuple[str, ...] = ()
    """What was not read, and why."""
    is_message: bool = True
    """Whether it is more than a saved text."""
    own_id: Named | None = None
    """The parts of its own id, if this program wrote it."""
    is_automatic: bool = False
    """Whether a program or a mailing list sent it, not a player."""
    is_reaction: bool = False
    """Whether it is only an emoji about another message, which mail programs send at a click."""

    inner: Incoming | None = None
    """The first attached message of somebody else: its headers and its text."""
    known_as: str = ""
    """The sender's name by the address book, where that says more than the message."""

    @property
    def is_ours(self) -> bool:
        """Whether this program wrote it, so that its moves are only examples."""
        return self.own_id is not None

    @property
    def names_a_game(self) -> bool:
        """Whether this program wrote it, or it names one of our messages that it answers."""
        return self.own_id is not None or bool(self.answers)

    @property
    def sender_name(self) -> str:
        """The sender's name in sentences; may be empty."""
        return self.known_as or self.sender[0] or self.sender[1]


def read_incoming(data: bytes, source: str, name: str = "", *, in_brief: bool = False) -> Incoming:
    """Return the contents of a message, or of a text or record saved as a file of this ``name``.

    With ``in_brief``, only the headers are read if they name a game. Raises nothing.
    """
    data = data.removeprefix(b"\n")
    if not looks_like_a_message(data):
        return _no_message(data, source, name)
    try:
        head, is_cut = parsed(data)
    except TooMuchError as error:
        return Incoming(source, unread=(str(error),))
    brief = _of_head(head, source)
    if in_brief and brief.names_a_game:
        return brief
    reader = _Parts()
    reader.read(head)
    if is_cut:
        reader.unread.append(_MUCH)
    message = reader.with_bodies(brief, head)
    inner = reader.inner and reader.with_bodies(_of_head(reader.inner, source), reader.inner)
    if inner and not inner.is_ours:
        message = message._replace(inner=inner, answers=(*inner.answers, *message.answers))
    parts, unread = (*reader.attached, *reader.inline), tuple(reader.unread)
    return message._replace(parts=parts, unread=unread, is_reaction=reader.is_reaction)


def _of_head(head: Message, source: str) -> Incoming:
    """Return a message by its headers."""
    sender = _sender(head)
    references = raw(head, "references", _LONGEST_REFERENCES) + raw(head, "in-reply-to")
    thread = tuple(read_message_ids(references))
    return Incoming(
        source,
        sender=sender,
        subject=head_text(head, "subject"),
        date=_date(head),
        answers=thread,
        in_head=thread,
        to=tuple(
            address
            for name in ("to", "cc")
            for _, address in read_addresses(raw(head, name, _LONGEST_PEOPLE))
        ),
        own_id=next(iter(read_message_ids(raw(head, "message-id"))), None),
        is_automatic=is_automatic(head, sender[1]),
    )


def _no_message(data: bytes, source: str, name: str) -> Incoming:
    """Return the contents of a saved text or record."""
    if len(data) > LARGEST:
        return Incoming(source, unread=(_MUCH,), is_message=False)
    if data.startswith(_CLOSED):
        return Incoming(source, unread=(_not_opened(name),), is_message=False)
    text = text_of(data, "")
    if _HTML.match(text[:500]):
        if len(text) * _COST_OF_HTML > MOST_TEXT:
            return Incoming(source, unread=(_MUCH_TEXT,), is_message=False)
        text = text_of_html(text)
    return Incoming(source, (TextPart(name, text),) if text else (), text, is_message=False)


def _not_opened(name: str) -> str:
    return (
        f"{name or 'A part of it'} is encrypted, an archive, or in a form of Outlook's own, and "
        "was not opened. Open it with the program that can, save the record in it to a "
        "file, and receive that file."
    )


_MUCH = (
    f"A part of it is larger than {LARGEST_PART >> 20} MiB, far more than a record, and was not "
    "read."
)
_MUCH_TEXT = (
    f"It has more than {MOST_TEXT >> 20} MiB of text, or {MOST_TEXT // _COST_OF_HTML >> 20} MiB of "
    "HTML; the rest was not read."
)


def looks_like_a_message(data: bytes) -> bool:
    """Return whether bytes begin with headers, maybe after the line of an mbox."""
    head = _ENVELOPE.sub(b"", data[: 64 * 1024])
    lines = [*takewhile(bytes.strip, head.splitlines())]
    headers = [_HEADER.match(line) for line in lines if line[:1] not in (b" ", b"\t")]
    names = {header[1].decode("ascii").lower() for header in headers if header}
    is_a_head = all(headers) and not head[:1].isspace()
    return is_a_head and bool(names & _HEADERS_OF_MESSAGES) and "porto" not in names


class _Leaf(NamedTuple):
    """A part without parts, by its headers."""

    kind: str
    parameters: dict[str, str]
    disposition: str
    name: str

    @classmethod
    def of(cls, part: Message) -> _Leaf:
        kind, parameters = read_parameters(raw(part, "content-type") or "text/plain")
        kind = kind if kind.count("/") == 1 else "text/plain"
        disposition, named = read_parameters(raw(part, "content-disposition"))
        called = named.get("filename") or parameters.get("name") or ""
        name = " ".join(decoded_words(called[:2000]).split())[:200]
        return cls(kind, parameters, disposition, name)

    @property
    def is_html(self) -> bool:
        """Whether it is read as HTML, which takes longer and comes last."""
        return self.kind == "text/html" or self.name.lower().endswith((".html", ".htm"))


class _Parts:
    """Collects the parts of a message, one after the other, without recursion."""

    def __init__(self) -> None:
        self.attached: list[TextPart] = []
        self.inline: list[TextPart] = []
        self.unread: list[str] = []
        self.inner: Message | None = None
        """The first message within the message."""
        self.is_reaction = False
        self._texts: dict[int, tuple[list[str], list[str]]] = {}
        """The texts of a message, plain and from HTML, by its :func:`id`."""
        self.left = MOST_TEXT

    def with_bodies(self, brief: Incoming, message: Message) -> Incoming:
        """Return a message, or one within it, with its text and that of its HTML, or only the one
        it has; they may name the message that it answers.
        """
        texts = [_body(each) for each in self._texts.get(id(message), ())]
        body, html, *_ = [*filter(str.strip, texts), "", ""]
        by_text = read_references(_MARKED.sub("", body)) or read_references(_MARKED.sub("", html))
        return brief._replace(body=body, html=html, answers=(*by_text, *brief.answers))

    def read(self, message: Message) -> None:
        """Read a message and all its parts, HTML last, as it may use up all that may be read."""
        found, left_out = leaves(message)
        self._leave(left_out)
        owners = (owner for _, owner in found if owner is not message)
        self.inner = next(owners, None)
        parts = [(_Leaf.of(part), part, owner) for part, owner in found]
        for leaf, part, owner in sorted(parts, key=lambda one: one[0].is_html):
            self._leaf(leaf, part, owner)

    def _leave(self, *sentences: str) -> None:
        self.unread += (one for one in sentences if one and one not in self.unread)

    def _leaf(self, leaf: _Leaf, part: Message, owner: Message) -> None:
        kind, parameters, disposition, name = leaf
        main = kind.partition("/")[0]
        self.is_reaction |= disposition == "reaction" or kind == _REACTION
        if main in NO_TEXT:
            return
        data = content(part)
        if kind in _ENCRYPTED or data.startswith(_CLOSED) or _ENCRYPTED_TEXT in data:
            self._leave(_not_opened(name))
        text = "" if data.startswith(_CLOSED) else text_of(data, parameters.get("charset", ""))
        if not text:
            return
        cost = len(data) * (_COST_OF_HTML if leaf.is_html else 1)
        if cost > self.left:
            self._leave(_MUCH_TEXT)
            return
        self.left -= cost
        attached = bool(name) or disposition == "attachment"
        if parameters.get("format", "").lower() == "flowed" and not attached:
            text = unflowed(text, delete_spaces=parameters.get("delsp", "").lower() == "yes")
        plain, of_html = self._texts.setdefault(id(owner), ([], []))
        if leaf.is_html:
            text = text_of_html(text)
        if not attached and (leaf.is_html or main == "text"):
            (of_html if leaf.is_html else plain).append(text)
        (self.attached if attached else self.inline).append(TextPart(name, text))


def _body(texts: Iterable[str]) -> str:
    text = with_line_feeds(INVISIBLE.sub("", "\n".join(texts)))
    return "\n".join(map(_decoded_line, text.split("\n")))


def _decoded_line(line: str) -> str:
    """Return a line, decoded if a mail program left it encoded as in a link."""
    if "%20" not in line or " " in line:
        return line
    return with_line_feeds(unquote(line))


def text_of(data: bytes, charset: str) -> str:
    """Return bytes as text in a charset; nothing if they are not text.

    A record is UTF-8, whatever a mail program declares; other text is hardly ever valid UTF-8 by
    accident.
    """
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    marked = next((code for mark, code in marks.items() if data.startswith(mark)), "")
    declared = charset_of(charset)
    first = [marked, declared if declared.startswith(_STATEFUL) else "", "utf-8", declared]
    for code in filter(None, first):
        text = decoded(data, code)
        if text is not None and "\0" not in text:
            return _read_as_latin_by_mistake(text) or text
    return "" if b"\0" in data else data.decode("cp1252", "replace")


def _read_as_latin_by_mistake(text: str) -> str:
    """Return UTF-8 text that was mistaken for Latin-1 or Windows-1252, repaired; or nothing."""
    if text.isascii():
        return ""
    for code in ("cp1252", "latin-1"):
        try:
            return text.encode(code).decode("utf-8")
        except ValueError:
            continue
    return ""


def _sender(head: Message) -> tuple[str, str]:
    people = raw(head, "from", _LONGEST_PEOPLE) or raw(head, "sender", _LONGEST_PEOPLE)
    for name, address in read_addresses(people)[:1]:
        return " ".join(name.split()), address
    return "", ""


def _date(head: Message) -> float:
    try:
        return parsedate_to_datetime(raw(head, "date", 100)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return 0


def with_line_feeds(text: str) -> str:
    """Return a text with a line feed at each line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unflowed(text: str, *, delete_spaces: bool = False) -> str:
    """Return a text of ``format=flowed`` with its paragraphs as lines (RFC 3676).

    With ``delete_spaces`` (DelSp=yes) the blank that marks a soft line break is not part of the
    text. Quoted lines keep their marks.
    """
    paragraphs: list[tuple[str, list[str]]] = []
    is_soft = False
    for line in with_line_feeds(text).split("\n"):
        words = line.lstrip(">")
        marks, words = line[: len(line) - len(words)], words.removeprefix(" ")
        if not (is_soft and words != "-- " and marks == paragraphs[-1][0]):
            paragraphs.append((marks, []))
        is_soft = words.endswith(" ") and words != "-- "
        paragraphs[-1][1].append(words[:-1] if is_soft and delete_spaces else words)
    return "\n".join((f"{marks} " if marks else "") + "".join(words) for marks, words in paragraphs)


# -- Sources of messages: a file, standard input, a maildir, an mbox, a folder of files

_MESSAGE_SUFFIXES = (".eml", ".mail", ".mbs", ".msg", ".emlx")
_FROM = b"From "
_STUFFED = re.compile(rb"^>(>*From )", re.MULTILINE)
MOST_MESSAGES = 100_000
"""The most messages in an mbox; the place of each is kept in memory."""
_MUCH_OF_A_HEAD = 64 * 1024
_Read = Callable[..., Incoming]
"""Reads a message, as :func:`read_incoming` does; raises FileError, OSError."""
_Load = Callable[[], Incoming | None]
InBrief = tuple[Incoming, _Load | None]
"""The head of a message, and a function that reads all of it if it may be about a game."""


class Envelope(NamedTuple):
    """A message that may not have to be read beyond its headers."""

    head: Incoming
    """The message by its headers, without the messages that it answers."""
    load: _Load
    """Reads all of it, as long as the next one was not asked for; returns None if it has vanished.
    Only one message is held at a time."""


class Source(NamedTuple):
    """Where messages come from."""

    envelopes: Iterable[Envelope]
    """By the date of writing, if known."""
    many: bool
    """Whether there may be any number of messages, old ones included."""
    move: Callable[[Iterable[str], str], None] | None = None
    """Moves messages, named by ``source`` of their heads, to another folder, which is made if
    necessary; None if that is not possible. Raises PortoError."""
    left_out: Callable[[], Iterable[str]] = lambda: ()
    """Returns, after all messages were read, which ones could not be, and why."""


def open_source(path: Path) -> Source:
    """Return the messages of a file or a folder. Raises FileError."""
    name = name_of(path)
    if all(os.path.isdir(path / part) for part in ("cur", "new")):
        return _of_maildir(path)
    if os.path.isdir(path):
        return _of_many(_of_files(path))
    is_mbox = _contents(path, len(_FROM)) == _FROM
    with readable(name):
        found = _of_mbox(lambda: path.open("rb"), name) if is_mbox else []
    return _of_many(found) if found[1:] else _of_one(read_incoming(_whole(path), name, path.name))


def source_of(data: bytes) -> Source:
    """Return the messages that came on :func:`standard_input`. Raises FileError."""
    name = name_of(Path(STANDARD))
    found = _of_mbox(lambda: BytesIO(data), name) if data.startswith(_FROM) else []
    return _of_many(found) if found[1:] else _of_one(read_incoming(data, name))


def _of_many(messages: Iterable[_Read]) -> Source:
    return Source(in_order(_in_brief(messages)), many=True)


def _of_one(message: Incoming) -> Source:
    return Source([Envelope(message, lambda: message)], many=False)


def in_order(messages: Iterable[InBrief]) -> Iterator[Envelope]:
    """Yield the messages that may be about a game, by date; one without a date follows its
    neighbor.
    """
    dated: list[tuple[float, Envelope]] = []
    last = 0.0
    for message, load in messages:
        last = message.date or last
        if load:
            brief = message._replace(parts=(), body="", html="", answers=(), in_head=())
            dated.append((last, Envelope(brief, load)))
    for _, envelope in sorted(dated, key=lambda each: each[0]):
        yield envelope


def _in_brief(messages: Iterable[_Read]) -> Iterator[InBrief]:
    """Yield messages for :func:`in_order`, without those that have vanished meanwhile."""
    for read in messages:
        with suppress(FileError, OSError):
            message = read(in_brief=True)
            yield message, partial(_if_there, read) if _may_matter(message) else None


def _if_there(read: _Read) -> Incoming | None:
    with suppress(FileError, OSError):
        return read()
    return None


def _may_matter(message: Incoming) -> bool:
    if message.names_a_game:
        return True
    return any("porto" in part.text for part in message.parts)


def _of_mbox(opened: Callable[[], BinaryIO], name: str) -> list[_Read]:
    """Return functions that read the messages of an mbox. A first line of a message without headers
    after it is text of the message before. Raises FileError, OSError.
    """
    starts, place, begins = list[int](), 0, True
    with opened() as file:
        while len(starts) <= MOST_MESSAGES and (line := file.readline(_MUCH_OF_A_HEAD)):
            if begins and line.startswith(_FROM):
                starts.append(place)
            place, begins = place + len(line), line.endswith(b"\n")
        if len(starts) > MOST_MESSAGES:
            raise FileError(
                f"{name} has more than {MOST_MESSAGES:,} messages; move those of your games to a "
                "mailbox of their own."
            )
        heads = (_part_of(file, *ends, _MUCH_OF_A_HEAD) for ends in pairwise([*starts, place]))
        is_one = [index == 0 or looks_like_a_message(head) for index, head in enumerate(heads)]
    parts = enumerate(pairwise([*compress(starts, is_one), place]), 1)
    return [partial(_of_a_part, opened, *ends, f"message {n} of {name}") for n, ends in parts]


def _part_of(file: BinaryIO, start: int, end: int, most: int) -> bytes:
    file.seek(start)
    return file.read(min(end - start, most))


def _of_a_part(
    opened: Callable[[], BinaryIO], start: int, end: int, name: str, *, in_brief: bool = False
) -> Incoming:
    """Return the message of a part of an mbox. Raises FileError, OSError."""
    with opened() as file:
        data = _not_too_large(_part_of(file, start, end, LARGEST_MESSAGE + 1), name)
    if not data.startswith(_FROM):
        raise FileError(f"{name} was changed while it was being read.")
    return read_incoming(_STUFFED.sub(rb"\1", data), name, in_brief=in_brief)


def _of_a_maildir(box: mailbox.Maildir, key: str, name: str, *, in_brief: bool = False) -> Incoming:
    """Return a message of a maildir. Raises FileError, OSError."""
    try:
        with box.get_file(key) as file:
            data = file.read(LARGEST_MESSAGE + 1)
    except KeyError:
        raise FileError(f"{name} has vanished.") from None
    return read_incoming(_not_too_large(data, name), name, in_brief=in_brief)


def _of_maildir(path: Path) -> Source:
    """Return the messages of a maildir. Raises FileError."""
    with readable(path, (OSError, mailbox.Error)):
        box = mailbox.Maildir(path, create=False)
        # A message being moved from new to cur may be in neither the first time.
        keys = sorted({*box.keys(), *box.keys()})
    names = {str(path / key): key for key in keys}

    def move(sources: Iterable[str], folder: str) -> None:
        target = expanded(Path(folder))
        try:
            mailbox.Maildir(target)
            for key in map(names.__getitem__, sources):
                # A mail program may have moved or marked it.
                for file in (*path.glob(f"new/{escape(key)}*"), *path.glob(f"cur/{escape(key)}*")):
                    shutil.move(file, _free(target / "cur", file.name))
        except OSError as error:
            raise FileError(
                f"The messages cannot be moved to {target}: {error.strerror}. All of them "
                "were received."
            ) from None

    found = (partial(_of_a_maildir, box, key, name) for name, key in names.items())
    return _of_many(found)._replace(move=move)


def _free(folder: Path, name: str) -> Path:
    """Return a free path for a message of this name."""
    own, colon, flags = name.partition(":")
    names = chain([name], (f"{own}-{nth}{colon}{flags}" for nth in count(1)))
    return next(path for path in map(folder.joinpath, names) if not path.exists())


def _of_files(path: Path) -> Iterator[_Read]:
    """Yield functions that read the files of a folder that look like messages."""
    with suppress(OSError):
        for file in sorted(path.iterdir()):
            named_so = file.name.isdigit() or file.suffix.lower() in _MESSAGE_SUFFIXES
            if named_so and file.is_file():
                yield partial(_of_file, file)


def _of_file(path: Path, *, in_brief: bool = False) -> Incoming:
    """Return the message of a file. Raises FileError."""
    return read_incoming(_whole(path), str(path), path.name, in_brief=in_brief)


def _whole(path: Path) -> bytes:
    return _not_too_large(_contents(path, LARGEST_MESSAGE + 1), name_of(path))


def _contents(path: Path, size: int) -> bytes:
    """Return the beginning of a file. Raises FileError."""
    with readable(path):
        try:
            with path.open("rb") as file:
                return file.read(size)
        except FileNotFoundError:
            raise FileError(
                f"There is no file {path}. Save the message there, or pipe it into 'porto receive "
                "-'."
            ) from None


def standard_input() -> bytes:
    """Return all that is on standard input. Raises FileError."""
    return _not_too_large(files.standard_input(LARGEST_MESSAGE + 1), name_of(Path(STANDARD)))


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_MESSAGE:
        raise FileError(
            f"{name} is larger than {LARGEST_MESSAGE >> 20} MiB; save the message with "
            "the record as a file of its own."
        )
    return data
