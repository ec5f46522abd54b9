"""Reading a mailbox by IMAP. Of messages that are not about a game only heads are fetched.

The folder is opened for reading only, unless messages are to be moved out of it, and nothing is
marked: what is read here stays as new as it was for other programs.
"""

from __future__ import annotations

import imaplib
import re
import ssl
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader
from itertools import islice
from typing import Any, NoReturn

from porto_cli.core.message import plural, shown
from porto_cli.mail.account import (
    PATIENCE,
    AccountError,
    EndlessError,
    password,
    why_not_connected,
    without_secret,
)
from porto_cli.mail.incoming import LARGEST_MESSAGE, Incoming, read_incoming
from porto_cli.mail.sources import Source, in_order
from porto_cli.mail.threads import code_in
from porto_cli.settings import STARTTLS, TLS, Inbox

MOST_HEADS = 20_000
"""How many messages of a folder are looked at: those that came last."""
_AT_ONCE = 1000
_HEADS = (
    "(UID RFC822.SIZE BODYSTRUCTURE "
    "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID IN-REPLY-TO REFERENCES SUBJECT DATE FROM)])"
)
_UID = re.compile(rb"\bUID (\d{1,19})")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,19})")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""What the sender of a message has written, like the name of an attachment."""
_RECORD = re.compile(rb'\.ya?ml"|"(?:x-)?yaml"', re.IGNORECASE)
"""What the structure of a message has if a record is attached: its name or its media type."""
_CONTENT = re.compile(rb"BODY\[[^]]{0,200}\] ~?\{\d+\}$")
"""What is before a content: a file name in a structure can be a text of a given length as well."""
_LARGEST_HEAD = 64 * 1024
"""Bytes of what is read of a head; mail programs write a few thousand."""
_LONGEST_LINE = 256 * 1024
"""Bytes of a line. The structure of a message is one, and its sender can make it long."""
_MOST_KEPT = LARGEST_MESSAGE + 1024 * 1024
"""Bytes of what is kept of an answer."""
_EACH = 256
"""Bytes that every line and every text costs besides its own."""
_MOST_SENT = 4 * LARGEST_MESSAGE
"""Bytes of an answer; what is too long to be kept is read all the same, to reach what follows."""
_PATIENCES = 10
"""The time for an answer, as a multiple of that for each part of it."""
_SLOWEST = 4096
"""Bytes a second of an answer that may take longer."""
_GOODBYE = 2.0
"""Seconds to wait for the answer to a goodbye."""
_TOO_LONG = b"\0too long\0"
"""What stands for something that was too long to be kept."""
_BEGINNING = _END = 500
"""Bytes that are kept of a line that is too long: which answer it is of, and whether a content
follows."""
_LONGEST_REASON = 500
_VANISHED = "[EXPUNGEISSUED]"
_NO_SUCH_FOLDER = "[TRYCREATE]"
_FOR_NOW = re.compile(r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\]")


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
    """A connection with limits for each answer: the library would keep all that a server sends,
    and somebody between can send in its name until encryption has begun.
    """

    def __init__(self, patience: float, **place: Any) -> None:
        self._patience = patience
        self._source: object = None
        self._stream: BufferedReader | None = None
        self.begin(_LARGEST_HEAD)
        super().__init__(timeout=patience, **place)

    def begin(self, longest: int, seconds: float | None = None) -> None:
        """Begin to wait for another answer, whose texts can have up to ``longest`` bytes each."""
        self._longest = longest
        self._keeps = _MOST_KEPT
        self._left = _MOST_SENT
        self._ends = time.monotonic() + (seconds or _PATIENCES * self._patience)

    def read(self, size: int) -> bytes:
        """Return a text whose length the server has told."""
        if size > self._left:
            raise EndlessError
        is_kept = size <= self._longest
        self._keep(size if is_kept else 0)
        pieces = []
        while size and (piece := self._next(size)):
            size -= len(piece)
            if is_kept:
                pieces.append(piece)
        return b"".join(pieces) if is_kept else _TOO_LONG

    def readline(self) -> bytes:
        """Return a line; of one that is too long, its beginning and its end."""
        line, end, piece = bytearray(), b"", b""
        while not piece.endswith(b"\n") and (piece := self._next(_LONGEST_LINE, of_a_line=True)):
            end = (end + piece)[-_END:]
            if len(line) < _LONGEST_LINE:
                line += piece
        if not line.endswith(end):
            line = line[:_BEGINNING] + _TOO_LONG + end
        self._keep(len(line))
        return bytes(line)

    def shutdown(self) -> None:
        """Close the connection."""
        if self._stream:
            self._stream.close()
        super().shutdown()

    def _keep(self, size: int) -> None:
        self._keeps -= size + _EACH
        if self._keeps < 0:
            raise EndlessError

    def _next(self, most: int, *, of_a_line: bool = False) -> bytes:
        """Return the next bytes, as soon as there are any; nothing if there will be none.

        Raises EndlessError, OSError.
        """
        if self._source is not self.sock:
            # Encryption has begun: nobody can vouch for what came before, so that is not read.
            self._source, self._stream = self.sock, self.sock.makefile("rb")
        assert self._stream
        if self._left < 0 or time.monotonic() > self._ends:
            raise EndlessError
        waiting = self._stream.peek(1)[:most]
        stop = waiting.find(b"\n") + 1 if of_a_line else 0
        piece = self._stream.read(stop or len(waiting))
        self._left -= len(piece)
        self._ends += len(piece) / _SLOWEST
        return piece


class _Tls(_Plain, imaplib.IMAP4_SSL):
    """The same, encrypted from the beginning."""


class _Mailbox:
    """A connection to a server, and the folder that is open there."""

    def __init__(self, inbox: Inbox, patience: float) -> None:
        assert inbox.account
        self.how = inbox.account
        self.folder = inbox.folder
        self.patience = patience
        self.secret = password(self.how)
        self.server: _Plain
        self.has_failed = False
        self._too_long = 0
        self._uids: dict[str, str] = {}
        """Those of the messages, by the names of their sources."""

    def open(self, *, moving: bool) -> int:
        """Log in, open the folder and return the number of its messages. Raises AccountError."""
        with self._explained("no imap"):
            self._connect()
        server = self.server
        with self._explained("wrong password"):
            if "AUTH=PLAIN" in server.capabilities:
                plain = f"\0{self.how.user}\0{self.secret}".encode()
                server.authenticate("PLAIN", lambda _: plain)
            else:
                server.login(self.how.user, self.secret)
        with self._explained("no folder"):
            answer, data = server.select(_quoted(self.folder), readonly=not moving)
            if answer != "OK":
                self._fail("no folder", data[-1])
            return int(data[-1] or 0)

    def _connect(self) -> None:
        """Connect, encrypted as the settings say."""
        context, how = ssl.create_default_context(), self.how
        place = {"host": how.server, "port": how.port}
        if how.security == TLS:
            self.server = _Tls(self.patience, **place, ssl_context=context)
            return
        self.server = _Plain(self.patience, **place)
        if how.security == STARTTLS:
            if "STARTTLS" not in self.server.capabilities:
                self._fail("no starttls")
            self.server.starttls(ssl_context=context)

    def log_out(self) -> None:
        """Say goodbye, whatever the server answers to that; not to one that has failed."""
        if self.has_failed:
            return
        with suppress(imaplib.IMAP4.error, OSError, EndlessError):
            self.server.sock.settimeout(_GOODBYE)
            self.server.begin(0, _GOODBYE)
            self.server.logout()

    def close(self) -> None:
        """End the connection."""
        with suppress(AttributeError, OSError):
            self.server.shutdown()

    def heads(self, count: int) -> Iterator[tuple[Incoming, Callable[[], Incoming | None] | None]]:
        """Yield what :func:`~porto_cli.mail.sources.in_order` takes.

        ``count`` is the number of messages in the folder. Raises AccountError.
        """
        for first in range(max(1, count - MOST_HEADS + 1), count + 1, _AT_ONCE):
            yield from self._heads(first, min(count, first + _AT_ONCE - 1))

    def _heads(
        self, first: int, last: int
    ) -> Iterator[tuple[Incoming, Callable[[], Incoming | None] | None]]:
        """Yield the heads from one number to another."""
        with self._explained("said no"):
            self.server.begin(_LARGEST_HEAD)
            # Not by UIDs: then the server could renumber the messages in between.
            answer, data = self.server.fetch(f"{first}:{last}", _HEADS)
        if answer != "OK":
            if _VANISHED not in self._shown(data[-1]):
                self._fail("said no", data[-1])
            # The others have come before that was said.
            data = self.server.response("FETCH")[1]
        # What has no content is news of other messages.
        told = (each for each in _messages(data) if each[1])
        for facts, content in islice(told, last - first + 1):
            if _TOO_LONG in facts or content == _TOO_LONG:
                self._too_long += 1
                continue
            uid, size = _number(_UID, facts), _number(_SIZE, facts)
            name = self._name(str(uid)) if uid else ""
            head = read_incoming(content, name)
            is_wanted = name and 0 < size <= LARGEST_MESSAGE and _may_matter(head, facts)
            yield head, partial(self._load, name) if is_wanted else None

    def left_out(self) -> tuple[str, ...]:
        """Return how many messages could not be judged by their heads, if there are any."""
        if not self._too_long:
            return ()
        return (
            f"Skipped {plural(self._too_long, 'message')} of {self.folder} at {self.how.server}, "
            "with headers or lists of attachments longer than any mail program writes.",
        )

    def _name(self, uid: str) -> str:
        name = f"message {uid} of {self.folder} at {self.how.server}"
        self._uids[name] = uid
        return name

    def _load(self, name: str) -> Incoming | None:
        """Return a message, or None if it has vanished. Raises AccountError."""
        with self._explained("said no"):
            self.server.begin(LARGEST_MESSAGE)
            answer, data = self.server.uid("FETCH", self._uids[name], "(UID BODY.PEEK[])")
        if answer != "OK" and _VANISHED not in self._shown(data[-1]):
            said = self._sentences(self._shown(data[-1]))["said no"]
            return Incoming(name, unread=(said,))
        found = [content for _, content in _messages(data) if content]
        return read_incoming(found[0], name) if answer == "OK" and found else None

    def move(self, names: Iterable[str], folder: str) -> None:
        """Move messages to another folder, which is made if there is none. Raises AccountError."""
        uids, target = ",".join(self._uids[name] for name in names), _quoted(folder)
        with self._explained("not moved", folder):
            self.server.begin(0)
            answer, data = self.server.uid("MOVE", uids, target)
            if answer != "OK" and _NO_SUCH_FOLDER in self._shown(data[-1]):
                self.server.create(target)
                answer, data = self.server.uid("MOVE", uids, target)
            if answer != "OK":
                self._fail("not moved", data[-1], folder)

    # -- What is wrong

    def _shown(self, answer: object) -> str:
        """Return an answer of the server in one line."""
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
        return without_secret(text, self.secret)[:_LONGEST_REASON].rstrip(" .")

    def _fail(self, what: str, answer: object = "", folder: str = "") -> NoReturn:
        self.has_failed = True
        raise AccountError(self._sentences(self._shown(answer), folder)[what]) from None

    @contextmanager
    def _explained(self, refused: str, folder: str = "") -> Iterator[None]:
        """Turn an error into an AccountError; ``refused`` names it if the server says no."""
        try:
            yield
        except imaplib.IMAP4.error as error:
            broken = isinstance(error, imaplib.IMAP4.abort)
            if broken and not isinstance(error, imaplib.IMAP4.readonly):
                self._fail("hung up")
            for_now = refused == "wrong password" and _FOR_NOW.search(str(error))
            self._fail("no login now" if for_now else refused, error, folder)
        except EndlessError:
            self._fail("endless")
        except OSError as error:
            kind, reason = why_not_connected(error)
            self._fail(kind, reason)
        except ValueError:
            # The library supports no other letters in a password, or the name cannot be one.
            self._fail("letters" if refused == "wrong password" else "no server")

    def _sentences(self, reason: str, folder: str = "") -> dict[str, str]:
        """Return what can be wrong, with what the server said about it, and what to do."""
        server, port, user = self.how.server, self.how.port, shown(self.how.user)
        return {
            "wrong password": (
                f"{server} does not accept the user name {user} with this password "
                f"({reason}); no mail was fetched. Correct 'user' or 'password' in the "
                "settings. Many providers require a separate password for programs, an app "
                "password, which you create on their web pages."
            ),
            "no login now": (
                f"{server} does not allow logging in now ({reason}); no mail was fetched. Try "
                "again in a few minutes."
            ),
            "letters": (
                f"The user name or the password for {server} contains letters outside ASCII, "
                "with which this program cannot log in there; no mail was fetched. Use a "
                "password without them, such as an app password, which many providers offer."
            ),
            "no folder": (
                f"{server} does not open the folder {shown(folder or self.folder)} "
                f"({reason}); no mail was fetched. Correct 'inbox' in the settings: its "
                "folder is usually INBOX."
            ),
            "no imap": (
                f"{server} does not answer on port {port} as an IMAP server ({reason}); no "
                "mail was fetched. Ask its provider which server and port to use, usually "
                "993 or 143."
            ),
            "no starttls": (
                f"{server} does not offer encryption on port {port}, so the password was not "
                "sent, and no mail was fetched. Ask its provider which port to use; "
                "'imaps://' with port 993 is common."
            ),
            "said no": f"{server} does not deliver the mail ({reason}). Try again later.",
            "not moved": (
                f"{server} does not move the messages to {shown(folder or self.folder)} "
                f"({reason}); they are where they were. Everything in them was received."
            ),
            "hung up": (
                f"{server} closed the connection. What was received before is saved; try "
                "again later, and check 'inbox' in the settings."
            ),
            "endless": (
                f"{server} keeps sending without coming to an end, so the connection was "
                "closed. What was received before is saved; check 'inbox' in the settings."
            ),
            "certificate": (
                f"The certificate of {server} is not valid ({reason}), so it may be another "
                "computer; the password was not sent, and no mail was fetched. Check that "
                "the server under 'inbox' in the settings is the name that the provider "
                "gives, and that the clock of this computer is right."
            ),
            "silent": (
                f"{server} does not answer on port {port} within {round(self.patience)} "
                "seconds. Check the network connection, and 'inbox' in the settings."
            ),
            "no TLS": (
                f"{server} does not begin with encryption on port {port}; no mail was "
                "fetched. 'imaps://' goes with port 993, 'imap://' with port 143."
            ),
            "not encrypted": (
                f"The connection to {server} cannot be encrypted ({reason}), so the password "
                "was not sent, and no mail was fetched. Ask its provider which port to use."
            ),
            "no server": (
                f"There is no server {server}, or this computer has no network connection; no "
                "mail was fetched. Correct 'inbox' in the settings, or try again later."
            ),
            "closed port": (
                f"{server} does not let mail be read on port {port}; no mail was fetched. Ask "
                "its provider which server and port to use, usually 993 or 143."
            ),
            "no connection": f"There is no connection to {server} ({reason}). Try again later.",
        }


def _messages(data: Iterable[Any]) -> Iterator[tuple[bytes, bytes]]:
    """Yield what a FETCH tells of each message: the facts, and the content that was asked for.

    The library returns texts of a given length in pairs with what is before them.
    """
    facts, content = [], b""
    for one in data:
        if isinstance(one, tuple):
            before, text = one
            facts.append(before)
            if _CONTENT.search(before):
                content = text
            else:
                facts.append(b'"%b"' % text.replace(b"\\", b"").replace(b'"', b""))
        elif one is not None:
            yield b"".join((*facts, one)), content
            facts, content = [], b""


def _number(what: re.Pattern[bytes], facts: bytes) -> int:
    """Return a number that the server tells of a message, or 0: none that its sender wrote."""
    found = what.search(_STRING.sub(b"", facts))
    return int(found[1]) if found else 0


def _may_matter(head: Incoming, structure: bytes) -> bool:
    """Return whether a message may be about a game by its head and the names of its parts."""
    of_a_game = head.own_id or head.answers or code_in(head.subject)
    return bool(of_a_game or "porto" in head.subject.lower() or _RECORD.search(structure))


def _quoted(folder: str) -> str:
    """Return the name of a folder as IMAP has it (RFC 3501, 5.1.3)."""

    def encoded(run: re.Match[str]) -> str:
        if run[0] == "&":
            return "&-"
        coded = b64encode(run[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",")
        return f"&{coded}-"

    text = re.sub(r"&|[^\x20-\x7e]+", encoded, folder)
    return '"{}"'.format(text.replace("\\", r"\\").replace('"', r"\""))
