"""Reading a mailbox by IMAP. Messages that are not about a game are fetched only by their headers
and structure, others only by the parts that matter: pictures and videos stay on the server.

The folder is opened for reading only, unless messages are to be moved, and nothing is marked as
read: for other programs messages stay as new as they were.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from itertools import islice, takewhile
from typing import Any, NamedTuple

from porto_cli.core import cited, plural
from porto_cli.mail.account import PATIENCE, Answers, EndlessError, Talk, password, text_of
from porto_cli.mail.ids import code_in
from porto_cli.mail.incoming import (
    LARGEST_MESSAGE,
    InBrief,
    Incoming,
    Source,
    in_order,
    read_incoming,
)
from porto_cli.mail.mime import NO_TEXT
from porto_cli.settings import STARTTLS, TLS, Inbox

MOST_HEADS = 20_000
"""The most messages of a folder that are looked at, the newest ones."""
_AT_ONCE = 1000
_HEADS = (
    "(UID RFC822.SIZE BODYSTRUCTURE "
    "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID IN-REPLY-TO REFERENCES SUBJECT DATE FROM)])"
)
_TOKEN = re.compile(rb'[()]|"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)|[^\s()"]+', re.DOTALL)
"""A bracket, a text, or a word of a server's answer; texts come from the sender."""
_DEEPEST = 50
"""The deepest nesting of brackets; deeper ones are ignored, as if a message had no parts."""
_CONTENT = re.compile(rb"BODY\[([^]]{0,200})\] ~?\{\d+\}$")
"""The words before contents: a file name in a structure may be a text of a given length, too."""
_ABOUT_PARTS = re.compile(rb"(?im)^(?:content-|mime-version:)[^\n]*\n(?:[ \t][^\n]*\n)*")
"""The headers about the parts of a message."""
_RECORD = re.compile(r"""(?i)\.ya?ml['"]|['"]"(?:x-)?yaml['"]""")
"""The name or type of a record in a structure, in Python's notation."""
_WHOLE = 256 * 1024
"""Bytes up to which a message is fetched whole; of a larger one, parts are."""
_LARGEST_PART = 4 * 1024 * 1024
"""Bytes of a part, encoded; records and texts are smaller."""
_LARGE_RECORD = (
    f"An attached record is larger than {_LARGEST_PART >> 20} MiB, larger than any game, and was "
    "not read."
)
_MOST_PARTS = 50
_LARGEST_HEAD = 64 * 1024
"""Bytes of the headers that are read; mail programs write a few thousand."""
_LONGEST_LINE = 256 * 1024
"""Bytes of a line; the structure of a message is one, and its sender can make it long."""
_MOST_KEPT = LARGEST_MESSAGE + 1024 * 1024
"""Bytes of an answer that are kept."""
_EACH = 256
"""Bytes that every line and every text costs beyond its own."""
_MOST_SENT = 4 * LARGEST_MESSAGE
"""Bytes of an answer that are read; texts too long to keep are skipped over."""
_GOODBYE = 2.0
"""Seconds to wait for the answer to a goodbye."""
_TOO_LONG = b"\0too long\0"
"""Stands for a text that was too long to keep."""
_BEGINNING = _END = 500
"""Bytes kept of both ends of a line that is too long: they tell which answer it belongs to, and
whether contents follow."""
_VANISHED = "[EXPUNGEISSUED]"
_NO_SUCH_FOLDER = "[TRYCREATE]"
_FOR_NOW = re.compile(r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]")
_SAVED = "what it had delivered by then is saved"
_NOT_DELIVERED = "does not deliver the mail", "Try again later."


@contextmanager
def opened(inbox: Inbox, *, moving: bool = False, patience: float = PATIENCE) -> Iterator[Source]:
    """Log in, and yield the messages of a folder; with ``moving`` they can be moved out of it.

    Raises AccountError, also while the messages are read.
    """
    mailbox = _Mailbox(inbox, patience)
    try:
        count = mailbox.open(moving=moving)
        yield Source(
            in_order(mailbox.heads(count)),
            many=True,
            move=mailbox.move if moving else None,
            left_out=mailbox.left_out,
        )
        mailbox.log_out()
    finally:
        mailbox.close()


class _Plain(imaplib.IMAP4):
    """A connection with limits for each answer."""

    def __init__(self, answers: Answers, **place: Any) -> None:
        self._answers = answers
        self.begin(_LARGEST_HEAD)
        super().__init__(timeout=answers.patience, **place)

    def begin(self, longest: int, seconds: float | None = None) -> None:
        """Wait for a new answer, whose texts may have up to ``longest`` bytes each."""
        self._longest = longest
        self._keeps = _MOST_KEPT
        self._answers.expect(_MOST_SENT, seconds)

    def read(self, size: int) -> bytes:
        """Return a text of a length that the server has announced."""
        if size > self._answers.left:
            raise EndlessError
        is_kept = size <= self._longest
        self._keep(size if is_kept else 0)
        stream = self._answers.through(self.sock)
        if is_kept:
            return stream.read(size)
        while size and (piece := stream.read(min(size, _LONGEST_LINE))):
            size -= len(piece)
        return _TOO_LONG

    def readline(self) -> bytes:
        """Return a line; if it is too long, only its beginning and end."""
        stream = self._answers.through(self.sock)
        line = end = stream.readline(_LONGEST_LINE)
        if len(line) == _LONGEST_LINE:
            while not end.endswith(b"\n") and (piece := stream.readline(_LONGEST_LINE)):
                end = end[-_END:] + piece
        if line is not end:
            line = line[:_BEGINNING] + _TOO_LONG + end[-_END:]
        self._keep(len(line))
        return line

    def _keep(self, size: int) -> None:
        self._keeps -= size + _EACH
        if self._keeps < 0:
            raise EndlessError


class _Tls(_Plain, imaplib.IMAP4_SSL):
    """The same, encrypted from the beginning."""


class _Told(NamedTuple):
    """A server's facts about a message.

    ``uid``        its number, 0 if missing; ``size`` its bytes
    ``structure``  lists of words, of texts, which begin with a quotation mark, and of lists
    """

    uid: int
    size: int
    structure: list[Any]


class _Mailbox(Talk):
    """A connection to a server, and the folder open there."""

    check = "'inbox' in the settings ('imaps://' goes with port 993, 'imap://' with port 143)"

    def __init__(self, inbox: Inbox, patience: float) -> None:
        assert inbox.account
        super().__init__(inbox.account, patience, "no mail was fetched")
        self.folder = inbox.folder
        self.secret = password(self.how)
        self.server: _Plain
        self.has_failed = False
        self._too_long = 0
        self._uids: dict[str, str] = {}
        """The UIDs of messages, by the names of their sources."""

    def open(self, *, moving: bool) -> int:
        """Log in, open the folder and return the number of its messages. Raises AccountError."""
        with self._explained(
            f"does not answer on port {self.how.port} as an IMAP server",
            f"Check {self.check}.",
        ):
            self._connect()
        self.is_connected = self.is_logging_in = True
        with self._explained("", ""):
            if "AUTH=PLAIN" in self.server.capabilities:
                plain = f"\0{self.how.user}\0{self.secret}".encode()
                self.server.authenticate("PLAIN", lambda _: plain)
            else:
                self.server.login(self.how.user, self.secret)
        self.is_logging_in = False
        with self._explained(
            f"does not open the folder {cited(self.folder)}",
            "Correct 'inbox' in the settings: its folder is usually INBOX.",
        ):
            answer, data = self.server.select(_quoted(self.folder), readonly=not moving)
            self._demand(answer, data)
        self.outcome = _SAVED
        return int(data[-1] or 0)

    def _connect(self) -> None:
        """Connect, encrypted as the settings say."""
        context, how = ssl.create_default_context(), self.how
        place = {"host": how.server, "port": how.port}
        if how.security == TLS:
            self.server = _Tls(self.answers, **place, ssl_context=context)
            return
        self.server = _Plain(self.answers, **place)
        if how.security == STARTTLS:
            if "STARTTLS" not in self.server.capabilities:
                self.fail_unencrypted("does not offer encryption")
            self.server.starttls(ssl_context=context)

    def log_out(self) -> None:
        """Log out, whatever the server answers; not from one that has failed."""
        if self.has_failed:
            return
        with suppress(imaplib.IMAP4.error, OSError):
            self.server.begin(0, _GOODBYE)
            self.server.logout()

    def close(self) -> None:
        """End the connection."""
        with suppress(AttributeError, OSError):
            self.server.shutdown()

    def heads(self, count: int) -> Iterator[InBrief]:
        """Yield messages for :func:`~porto_cli.mail.incoming.in_order`.

        ``count`` is the number of messages in the folder. Raises AccountError.
        """
        for first in range(max(1, count - MOST_HEADS + 1), count + 1, _AT_ONCE):
            last = min(count, first + _AT_ONCE - 1)
            with self._explained(*_NOT_DELIVERED):
                self.server.begin(_LARGEST_HEAD)
                # Not by UIDs, which would let the server renumber the messages in between.
                answer, data = self.server.fetch(f"{first}:{last}", _HEADS)
                if answer != "OK" and _VANISHED in text_of(data[-1]):
                    # The other messages were sent before that answer.
                    answer, data = "OK", self.server.response("FETCH")[1]
                self._demand(answer, data)
            # Answers without contents are news about other messages.
            with_heads = (each for each in _messages(data) if each[1])
            for facts, contents in islice(with_heads, last - first + 1):
                content = next(iter(contents.values()))
                if _TOO_LONG in facts or content == _TOO_LONG:
                    self._too_long += 1
                else:
                    yield self._head(_told(facts), content)

    def _head(self, told: _Told, content: bytes) -> InBrief:
        """Return the head of a message, and a function that loads it if it may be about a game."""
        name = f"message {told.uid} of {self.folder} at {self.how.server}"
        self._uids[name] = str(told.uid)
        head = read_incoming(content, name)
        is_of_a_game = head.names_a_game or bool(code_in(head.subject))
        is_of_a_game = is_of_a_game or bool(_RECORD.search(str(told.structure)))
        may_be_read = told.uid and 0 < told.size <= LARGEST_MESSAGE
        if not may_be_read or not (is_of_a_game or "porto" in head.subject.lower()):
            return head, None
        return head, partial(self._load, name, told.size, only_text=not is_of_a_game)

    def left_out(self) -> tuple[str, ...]:
        """Return how many messages could not be judged by their headers, if any."""
        if not self._too_long:
            return ()
        return (
            f"Skipped {plural(self._too_long, 'message')} of {self.folder} at {self.how.server}, "
            "with headers or lists of attachments longer than any mail program writes.",
        )

    def _load(self, name: str, size: int, *, only_text: bool) -> Incoming | None:
        """Return a message, or None if it has vanished: a small one whole, else the parts that
        matter; ``only_text`` if only a word in its subject suggests a game. Raises AccountError.
        """
        parts: list[_PartTold] = []
        unread: tuple[str, ...] = ()
        what = ["BODY.PEEK[]"]
        if size > _WHOLE:
            answer, told = self._fetch(name, "BODYSTRUCTURE", 0)
            found = [*_parts(next((_told(facts).structure for facts, _ in told), []))]
            if any(one.is_a_record and one.size > _LARGEST_PART for one in found):
                unread = (_LARGE_RECORD,)
            parts = [one for one in found if one.matters(only_text=only_text)][:_MOST_PARTS]
            if [one.number for one in parts] != [""]:
                numbers = [each for one in parts for each in (f"{one.number}.MIME", one.number)]
                what = [f"BODY.PEEK[{each}]" for each in ("HEADER", *numbers)]
        answer, told = self._fetch(name, " ".join(what), _LARGEST_PART + _LARGEST_HEAD)
        if answer:
            said = f"{self.how.server} {_NOT_DELIVERED[0]} ({self.reason(answer)})."
            return None if _VANISHED in answer else Incoming(name, unread=(said,))
        contents = next((contents for _, contents in told if contents), {})
        if _TOO_LONG in contents.values():
            self._too_long += 1
        elif "" in contents:
            return read_incoming(contents[""], name)
        elif len(contents.get("HEADER", b"")) in range(1, _LARGEST_HEAD):
            message = read_incoming(_put_together(contents, parts), name)
            return message._replace(unread=(*message.unread, *unread))
        return None

    def _fetch(self, name: str, what: str, longest: int) -> tuple[str, list[_Answered]]:
        """Return the server's refusal, if any, and its answer about a message."""
        with self._explained(*_NOT_DELIVERED):
            self.server.begin(longest)
            answer, data = self.server.uid("FETCH", self._uids[name], f"(UID {what})")
        return ("", [*_messages(data)]) if answer == "OK" else (text_of(data[-1]) or "no", [])

    def move(self, names: Iterable[str], folder: str) -> None:
        """Move messages to another folder, which is made if necessary. Raises AccountError."""
        uids, target = ",".join(self._uids[name] for name in names), _quoted(folder)
        self.outcome = "they are where they were. Everything in them was received"
        with self._explained(f"does not move the messages to {cited(folder)}", ""):
            self.server.begin(0)
            answer, data = self.server.uid("MOVE", uids, target)
            if answer != "OK" and _NO_SUCH_FOLDER in text_of(data[-1]):
                self.server.create(target)
                answer, data = self.server.uid("MOVE", uids, target)
            self._demand(answer, data)

    # -- What is wrong

    @staticmethod
    def _demand(answer: str, data: list[Any]) -> None:
        if answer != "OK":
            raise imaplib.IMAP4.error((data[-1] or b"").decode("utf-8", "replace"))

    @contextmanager
    def _explained(self, refuses: str, advice: str) -> Iterator[None]:
        """Turn an error into an AccountError; ``refuses`` says what the server does not do."""
        failed, self.has_failed = self.has_failed, True
        try:
            yield
            self.has_failed = failed
        except imaplib.IMAP4.error as error:
            broken = isinstance(error, imaplib.IMAP4.abort)
            if broken and not isinstance(error, imaplib.IMAP4.readonly):
                self.fail_as_closed()
            reason = self.reason(error)
            if self.is_logging_in:
                self.fail_to_log_in(reason, for_now=bool(_FOR_NOW.search(str(error))))
            self.fail(f"{refuses} ({reason})", advice)
        except (OSError, ValueError) as error:
            self.fail_by(error)


# -- A server's answers about messages


_Answered = tuple[bytes, dict[str, bytes]]
"""The facts of a message, and the contents that were asked for, by section."""


def _messages(data: Iterable[Any]) -> Iterator[_Answered]:
    """Yield the messages from the answer to a FETCH.

    The library returns texts of a given length in pairs with the words before them.
    """
    facts: list[bytes] = []
    contents: dict[str, bytes] = {}
    for one in data:
        if isinstance(one, tuple):
            before, text = one
            facts.append(before)
            if found := _CONTENT.search(before):
                contents[found[1].decode("latin-1").upper()] = text
            else:
                facts.append(b'"%b"' % text.replace(b"\\", b"").replace(b'"', b""))
        elif one is not None:
            yield b"".join((*facts, one)), contents
            facts, contents = [], {}


def _told(facts: bytes) -> _Told:
    """Parse the facts about a message; no text of its sender is taken for a number."""
    lists: list[list[Any]] = [[]]
    for token in _TOKEN.finditer(facts):
        if token[0] == b"(" and len(lists) <= _DEEPEST:
            lists.append([])
            lists[-2].append(lists[-1])
        elif token[0] == b")" and len(lists) > 1:
            lists.pop()
        elif token[1] is not None:
            lists[-1].append(f'"{token[1].decode("latin-1")}')
        elif not re.fullmatch(rb"[()]|\{\d+\}", token[0]):
            lists[-1].append(token[0].decode("latin-1").upper())
    told = next((one for one in lists[0] if isinstance(one, list)), [])

    def after(word: str) -> Any:
        return told[told.index(word) + 1] if word in told[:-1] else None

    uid, size, structure = after("UID"), after("RFC822.SIZE"), after("BODYSTRUCTURE")
    return _Told(_number(uid), _number(size), structure if isinstance(structure, list) else [])


def _number(word: object) -> int:
    return int(word) if isinstance(word, str) and re.fullmatch(r"[0-9]{1,19}", word) else 0


class _PartTold(NamedTuple):
    """A server's facts about a part of a message that is not a list of parts.

    ``number``       its name, like ``1.2``; empty if it is the whole message
    ``main``         its main type, like ``text``
    ``is_a_record``  whether it has the type or name of a record
    """

    number: str
    main: str
    size: int
    is_a_record: bool

    def matters(self, *, only_text: bool) -> bool:
        """Return whether it may be a text or a record."""
        if self.size > _LARGEST_PART:
            return False
        return self.main in ("text", "message") if only_text else self.main not in NO_TEXT


def _parts(structure: list[Any], number: str = "") -> Iterator[_PartTold]:
    """Yield the parts of a message by its structure (RFC 3501, BODYSTRUCTURE). A forwarded message
    is one part, or if it is too large, the records in it are.
    """
    below = f"{number}." if number else ""
    if structure and isinstance(structure[0], list):
        parts = takewhile(lambda one: isinstance(one, list), structure)
        for place, one in enumerate(parts, 1):
            yield from _parts(one, f"{below}{place}")
        return
    if len(structure) < 7:
        return
    main, size = str(structure[0]).lower().removeprefix('"'), _number(structure[6])
    if main == "message" and size > _LARGEST_PART and len(structure) > 8:
        inside = structure[8] if isinstance(structure[8], list) else []
        is_one = not (inside and isinstance(inside[0], list))
        found = _parts(inside, f"{number or 1}.1" if is_one else number or "1")
        yield from (one for one in found if one.is_a_record)
        return
    yield _PartTold(number, main, size, bool(_RECORD.search(str(structure))))


def _put_together(found: dict[str, bytes], parts: Iterable[_PartTold]) -> bytes:
    """Return a message made of the parts that were fetched."""
    # No sender of a part can have known this boundary.
    boundary = sha256(b"".join(found.values())).hexdigest().encode()
    pieces = [
        _ABOUT_PARTS.sub(b"", found["HEADER"]).strip(b"\r\n"),
        b"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=%b\r\n" % boundary,
    ]
    for part in parts:
        own, content = found.get(f"{part.number}.MIME"), found.get(part.number)
        if own is not None and content is not None:
            pieces += [b"\r\n--%b\r\n" % boundary, own.strip(b"\r\n"), b"\r\n\r\n", content]
    return b"".join((*pieces, b"\r\n--%b--\r\n" % boundary))


def _quoted(folder: str) -> str:
    """Return the name of a folder in IMAP's encoding (RFC 3501, 5.1.3)."""

    def encoded(run: re.Match[str]) -> str:
        if run[0] == "&":
            return "&-"
        coded = b64encode(run[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",")
        return f"&{coded}-"

    text = re.sub(r"&|[^\x20-\x7e]+", encoded, folder)
    return '"{}"'.format(text.replace("\\", r"\\").replace('"', r"\""))
