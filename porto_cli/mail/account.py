"""Accounts on mail servers: passwords, limits on what a server sends, handing over a message, and
whole sentences when something goes wrong.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn
from urllib.parse import quote

from porto_cli.core import cited, enumerated
from porto_cli.core.files import note
from porto_cli.core.shell import quoted
from porto_cli.mail.errors import (
    AccountError,
    DeferredMailError,
    RefusedMailError,
    SendError,
    recipients,
)
from porto_cli.settings import STARTTLS, TLS, Mail

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# -- Talking to a server, with limits
#
# The password is looked up when needed, stored nowhere, and never shown.


PATIENCE = 30.0
"""Seconds to wait for each answer of a server."""
_PATIENCES = 10
"""The time for a whole answer, as a multiple of that for each part."""
_SLOWEST = 4096
"""The bytes per second for which an answer gets more time."""
_LONGEST_REASON = 500


class EndlessError(OSError):
    """A server keeps sending."""


class Answers(RawIOBase):
    """The bytes that a server sends, with limits: the libraries would read any number for any time,
    and until encryption begins, somebody in between can send in the server's name.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._sock: socket.socket | None = None
        self._stream: BinaryIO | None = None
        self.expect(0)

    def expect(self, most: int, seconds: float | None = None) -> None:
        """Allow a number of bytes from now on, and some time; bytes that come extend it."""
        self.left = most
        self._ends = time.monotonic() + (seconds or _PATIENCES * self.patience)

    def seconds(self) -> float:
        """Return the seconds left. Raises EndlessError."""
        left = self._ends - time.monotonic()
        if left <= 0 or self.left < 0:
            raise EndlessError
        return left

    def through(self, sock: socket.socket) -> BinaryIO:
        """Return the bytes as a file. Once encryption has begun they come through another socket;
        bytes from before, which nobody can vouch for, are dropped.
        """
        if self._stream is None or self._sock is not sock:
            self._sock, self._stream = sock, BufferedReader(self)
        return self._stream

    @property
    def have_begun(self) -> bool:
        """Whether there is a connection."""
        return self._stream is not None

    def readable(self) -> bool:
        """Return True, as for any readable stream."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read the next bytes as soon as there are any. Raises EndlessError, OSError."""
        assert self._sock
        self._sock.settimeout(min(self.patience, self.seconds()))
        try:
            size = self._sock.recv_into(buffer)
        except TimeoutError:
            self.seconds()
            raise
        self.left -= size
        self._ends += size / _SLOWEST
        return size

    def close(self) -> None:
        """Leave the socket open: the library closes it."""


class Talk:
    """A conversation with an account's server, and the sentence if it fails: what is wrong, what
    has happened, what to do.

    ``outcome`` is the result so far, as a clause.
    """

    error: type[AccountError] = AccountError
    check: str
    """What to check in the settings, and which ports are usual."""

    def __init__(self, how: Mail, patience: float, outcome: str) -> None:
        self.how = how
        self.answers = Answers(patience)
        self.outcome = outcome
        self.secret = ""
        """The password, which appears in no sentence, even if the server repeats it."""
        self.is_logging_in = False
        self.is_connected = False
        """Whether the connection is made, and encrypted if it should be."""

    def reason(self, answer: object, code: int = -1) -> str:
        """Return an answer of the server, with its code if any, in one line to be shown, which may
        hide all of it; decisions are made by the answer itself.
        """
        text = text_of(answer)
        text = f"{code} {text}" if code >= 0 else text
        return without_secret(text, self.secret)[:_LONGEST_REASON].rstrip(" .")

    def fail(self, what: str, advice: str = "") -> NoReturn:
        """Raise an error that says what the server did, and what to do."""
        sentence = f"{self.how.server} {what}; {self.outcome}. {advice}"
        raise self.error(sentence.rstrip()) from None

    def fail_to_log_in(self, reason: str, *, for_now: bool) -> NoReturn:
        """Raise an error for a server that refuses the user, maybe only ``for_now``."""
        if for_now:
            self.fail(f"does not allow logging in now ({reason})", "Try again in a few minutes.")
        self.fail(
            f"does not accept the user name {cited(self.how.user)} with this password ({reason})",
            "Correct 'user' or 'password' in the settings. Many providers require a separate "
            "password for programs, an app password, which you create on their web pages.",
        )

    def fail_unencrypted(self, why: str) -> NoReturn:
        """Raise an error that says why the connection cannot be encrypted."""
        self.fail(
            f"{why} on port {self.how.port}, so the password was not sent", f"Check {self.check}."
        )

    def fail_as_closed(self) -> NoReturn:
        """Raise an error for a server that has ended the conversation."""
        self.fail("closed the connection", f"Try again later, and check {self.check}.")

    def fail_by(self, error: Exception) -> NoReturn:
        """Raise an error for one from outside the mail library."""
        match error:
            case EndlessError():
                what = "keeps sending without coming to an end, so the connection was closed"
                self.fail(what, f"Check {self.check}.")
            case ConnectionResetError() | ConnectionAbortedError() | BrokenPipeError():
                self.fail_as_closed()
            case ssl.SSLCertVerificationError():
                reason = str(error.verify_message).rstrip(".")
                self.fail(
                    f"has a certificate that is not valid ({reason}), so it may be another "
                    "computer, and the password was not sent",
                    f"Check {self.check}, and that the clock of this computer is right.",
                )
            case ssl.SSLError() if self.is_connected:
                # By now the password may have been sent.
                self.fail_as_closed()
            case ssl.SSLError():
                self.fail_unencrypted(f"offers no encryption that works ({error.reason or error})")
            case UnicodeEncodeError() if self.is_logging_in:
                # The libraries support no other letters in names and passwords.
                self.fail(
                    "cannot be sent a user name or a password with letters outside ASCII",
                    "Use a password without them, such as an app password, which many providers "
                    "offer.",
                )
            case ValueError() if self.answers.have_begun:
                # The server sent something else where Base64 or ASCII should be.
                self.fail_as_closed()
        why = getattr(error, "strerror", None) or error
        what = f"does not answer on port {self.how.port} ({why})"
        self.fail(what, f"Check the network connection and {self.check}.")


def text_of(answer: object) -> str:
    """Return an answer of a server as text."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)


HIDDEN = "…"
_URL_BASE64 = str.maketrans("-_", "+/")


def password(mail: Mail) -> str:
    """Return the password the settings point to. Raises AccountError if there is none."""
    return _printed_by(mail.password_command) if mail.password_command else _from_keyring(mail)


def _from_keyring(mail: Mail) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise AccountError(
            "According to the settings the password is in the keyring, but the library "
            "for that is not installed. To install it: pip install keyring"
        ) from None
    # Its user is the name to log in with.
    service = f"porto:{mail.server}"
    command = f"keyring set {quoted(service)} {quoted(mail.user)}"
    try:
        found: str | None = keyring.get_password(service, mail.user)
    except KeyringError as error:
        raise AccountError(
            f"The keyring of this system cannot be used ({type(error).__name__}). "
            "Instead you can set 'password: {command: …}' in the settings, with a "
            "command that prints the password."
        ) from None
    if not found:
        raise AccountError(
            f"The keyring has no password for {mail.user} at {mail.server}. To store it: {command}"
        )
    return found


def _printed_by(command: str) -> str:
    """Return the first line printed by a command of the user's own settings."""
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode or not lines or not lines[0]:
        code = done.returncode
        what = f"failed with exit code {code}" if code else "printed nothing"
        raise AccountError(
            "The command under 'password' in the settings, which should print the password, "
            f"{what}. Try it in a terminal."
        )
    return lines[0]


def without_secret(text: str, secret: str) -> str:
    """Return a text in one line, without words that contain a password in any encoding.

    A server may repeat it in an answer, which is shown on the screen.
    """
    text = " ".join(text.split())
    data = secret.encode("utf-8", "surrogateescape")
    # In Base64, text before it, like the name in a login, shifts it by up to two bytes.
    whole = ((-(-4 * offset // 3), 4 * (offset + len(data)) // 3) for offset in range(3))
    coded = [b64encode(bytes(offset) + data)[slice(*some)] for offset, some in enumerate(whole)]
    forms = {secret, " ".join(secret.split()), quote(data, safe=""), data.hex()}
    # "-", "." and the like need not be percent-encoded, but may be.
    forms.add(re.sub(rb"[^A-Za-z0-9]", lambda byte: b"%%%02X" % byte[0][0], data).decode())
    forms.update(form.decode() for form in coded if len(form) > 3)
    forms = {re.escape(form.translate(_URL_BASE64)) for form in forms if form}
    if not forms:
        return text
    shown, place = "", 0
    pattern = "|".join(sorted(forms, key=len, reverse=True))
    for found in re.finditer(pattern, text.translate(_URL_BASE64), re.IGNORECASE):
        # The whole word: in Base64 the letters around it depend on the password, too.
        begins, ends = text.rfind(" ", 0, found.start()) + 1, text.find(" ", found.end())
        shown += f"{text[place:begins]}{HIDDEN}" if begins >= place else ""
        place = ends if ends >= 0 else len(text)
    return shown + text[place:]


# -- Handing a message to a mail server, and explaining its answers in whole sentences
#
# The connection is encrypted, with the server's certificate checked, unless the server is on this
# computer. Whatever goes wrong, the record is unchanged, and the same mail can be sent again: by
# its Message-ID, mail programs know that they already have it.


MOST_ANSWERED = 256 * 1024
"""Bytes of all answers of a server together."""
_PIECE = 64 * 1024
"""Bytes that a server has to take in the time for an answer."""
_GO_ON = 354
"""A server's code that asks for the contents of a mail."""
_FULL = re.compile(r"[45]\d\d [45]\.2\.2\b")
"""The answer for a full mailbox (RFC 3463), which may have room the next time."""
_WHEN_EMPTIER = "Try again when there is room in it."
_LATER = "Try again in a few minutes: many servers make senders wait that they do not know yet."
_CLOSES = 421
"""A server's code for closing the connection."""
_GREETED_AS = "[127.0.0.1]"
"""The name by which this computer introduces itself, which says nothing about it."""
_NOTHING = "nothing was sent"
_MAYBE = (
    "the mail may or may not be on its way. If you send it again when the connection is better, it "
    "has the same Message-ID, and mail programs show it only once"
)


class Sent(NamedTuple):
    """A message that a server has accepted, and the addresses that will not get it, with reasons.

    ``refused``   addresses that it does not deliver to
    ``deferred``  addresses that it does not deliver to now, but may later, full mailboxes included
    ``full``      those of them with a full mailbox
    """

    to: tuple[str, ...]
    refused: dict[str, str]
    deferred: dict[str, str]
    full: tuple[str, ...] = ()

    @property
    def lacking(self) -> tuple[str, ...]:
        """The addresses that do not get it."""
        return (*self.refused, *self.deferred)

    def who_lacks_it(self, names: Callable[[str], Sequence[str]]) -> str:
        """Return who does not get it, and why, and what to do; any others have it. ``names``
        returns the players with an address.
        """
        refused, deferred = _listed(self.refused), _listed(self.deferred)
        whom = f"{refused}, and not now to {deferred}" if refused and deferred else refused
        whom = whom or f"{deferred} now"
        said = f"The server does not deliver to {whom}{'' if self.to else '; nothing was sent'}."
        if self.refused:
            stored = (name for address in self.refused for name in names(address))
            how = enumerated([f"'porto address {quoted(name)} ADDRESS'" for name in stored])
            said += f" Correct the address{f' with {how}' if how else ''}."
        if self.full:
            whose = enumerated(name for one in self.full for name in names(one) or [one])
            said += f" The mailbox of {whose} is full. {_WHEN_EMPTIER}"
        return f"{said} {_LATER}" if len(self.full) < len(self.deferred) else said


def send(mail: EmailMessage, how: Mail, patience: float = PATIENCE) -> Sent:
    """Hand a message to the server of the settings.

    Raises AccountError, after which nothing was sent unless its sentence says so; RefusedMailError
    if trying again is useless, DeferredMailError if another mail may be accepted.
    """
    data, to = mail.as_bytes(), recipients(mail)
    sender = mail["From"].addresses[0].addr_spec if mail["From"] else ""
    attempt = _Attempt(how, patience)
    if how.user and how.password_command is not None:
        attempt.secret = password(how)
    with attempt.explained():
        server = attempt.connected()
        attempt.is_connected = True
        if attempt.secret:
            attempt.is_logging_in = True
            server.login(how.user, attempt.secret)
            attempt.is_logging_in = False
        try:
            answers = server.sendmail(sender, list(to), data)
            note(f"The mail is sent, with the Message-ID {mail['Message-ID']}.")
        except smtplib.SMTPRecipientsRefused as error:
            # A server that ends the conversation has refused the rest with its last answer.
            *_, last = error.recipients.values()
            answers = {one: error.recipients.get(one, last) for one in to}
        with suppress(smtplib.SMTPException, OSError):
            # The mail is sent, whatever the server answers to this.
            server.quit()
    return attempt.sent(to, answers)


class _Server(smtplib.SMTP):
    """A connection with limits for all answers of the server together, not only for each one."""

    def __init__(self, how: Mail, answers: Answers, **more: Any) -> None:
        self.answers = answers
        self.may_have_it = False
        """Whether the server has asked for the contents of a mail, and so may have accepted it."""
        answers.expect(MOST_ANSWERED)
        super().__init__(how.server, how.port, _GREETED_AS, timeout=answers.patience, **more)

    def getreply(self) -> tuple[int, bytes]:
        """Return the next answer of the server."""
        if self.sock:
            self.file = self.answers.through(self.sock)
        try:
            code, text = super().getreply()
        except smtplib.SMTPResponseException:
            # The library has read a line without end.
            raise EndlessError from None
        self.may_have_it = self.may_have_it or code == _GO_ON
        return code, text

    def send(self, s: Any) -> None:
        """Send bytes piece by piece, so that a server that reads slowly is noticed."""
        data = s.encode(self.command_encoding) if isinstance(s, str) else s
        for place in range(0, len(data), _PIECE):
            if self.sock:
                self.sock.settimeout(min(self.answers.patience, self.answers.seconds()))
            super().send(data[place : place + _PIECE])


class _TlsServer(_Server, smtplib.SMTP_SSL):
    """The same, encrypted from the beginning."""


class _Attempt(Talk):
    """An attempt to send a mail, and the sentence if it fails."""

    error = SendError
    check = (
        "'server' and 'port' in the settings (port 465 goes with 'security: tls', port 587 with "
        "'security: starttls')"
    )

    def __init__(self, how: Mail, patience: float) -> None:
        super().__init__(how, patience, _NOTHING)
        self.server: _Server | None = None

    def connected(self) -> _Server:
        """Return the connection, encrypted as the settings say."""
        context = ssl.create_default_context()
        if self.how.security == TLS:
            self.server = _TlsServer(self.how, self.answers, context=context)
        else:
            self.server = _Server(self.how, self.answers)
        if self.how.security == STARTTLS:
            self.server.starttls(context=context)
        return self.server

    def sent(self, to: Sequence[str], answers: dict[str, tuple[int, bytes]]) -> Sent:
        """Return the result of a mail to some addresses, by the answers for those refused."""
        refused: dict[str, str] = {}
        deferred: dict[str, str] = {}
        for address, (code, text) in answers.items():
            some = deferred if _is_for_now(code, text) else refused
            some[address] = self.reason(text, code)
        full = tuple(one for one, answer in answers.items() if _is_full(*answer))
        return Sent(tuple(one for one in to if one not in answers), refused, deferred, full)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn an error into a SendError that says what to do; close the connection."""
        try:
            yield
        except (smtplib.SMTPException, OSError, ValueError) as error:
            if self.server and self.server.may_have_it:
                self.outcome = _MAYBE
            match error:
                case smtplib.SMTPServerDisconnected():
                    # The library raises this as well when a server has not answered in time.
                    cause = error.__context__
                    self.fail_by(cause) if isinstance(cause, OSError) else self.fail_as_closed()
                case smtplib.SMTPNotSupportedError() if not self.is_logging_in:
                    self.fail_unencrypted("does not offer encryption")
                case smtplib.SMTPResponseException():
                    self._fail_by_answer(error)
                case smtplib.SMTPException() if self.is_logging_in:
                    what = f"offers no known way to log in on port {self.how.port}"
                    self.fail(what, f"Check {self.check}.")
                case smtplib.SMTPException():
                    self._fail_as_refused(self.reason(error))
            self.fail_by(error)
        finally:
            if self.server:
                self.server.close()

    def _fail_by_answer(self, error: smtplib.SMTPResponseException) -> NoReturn:
        """Raise a SendError for a negative answer."""
        code, reason = error.smtp_code, self.reason(error.smtp_error, error.smtp_code)
        if self.outcome == _MAYBE and not 400 <= code < 600:
            self.fail(f"does not say whether it accepted the mail ({reason})")
        self.outcome = _NOTHING
        if isinstance(error, smtplib.SMTPAuthenticationError):
            self.fail_to_log_in(reason, for_now=_is_for_now(code))
        if _is_for_now(code, error.smtp_error):
            if isinstance(error, smtplib.SMTPDataError) and code != _CLOSES:
                self.error = DeferredMailError
            what = f"does not accept the mail now and answered: {reason}"
            is_full = _is_full(code, error.smtp_error)
            self.fail(what, f"A mailbox is full. {_WHEN_EMPTIER}" if is_full else _LATER)
        if code >= 500 and isinstance(error, (smtplib.SMTPSenderRefused, smtplib.SMTPDataError)):
            self.error = RefusedMailError
        if isinstance(error, smtplib.SMTPSenderRefused):
            self.fail(
                f"does not accept mail from {error.sender} ({reason})",
                "Under 'from' in the settings, use the address that belongs to this server.",
            )
        self._fail_as_refused(reason)

    def _fail_as_refused(self, reason: str) -> NoReturn:
        what = f"did not accept the mail and answered: {reason}"
        is_final = self.error is RefusedMailError
        self.fail(what, "Ask its provider why." if is_final else "Try again later.")


def _is_for_now(code: int, answer: object = "") -> bool:
    """Return whether an answer is temporary (RFC 5321, 4.2.1), including a full mailbox, whatever
    its code.
    """
    return 400 <= code < 500 or _is_full(code, answer)


def _is_full(code: int, answer: object) -> bool:
    """Return whether a server says that a mailbox has no room left."""
    return bool(_FULL.match(f"{code} {text_of(answer)}"))


def _listed(reasons: dict[str, str]) -> str:
    """Return addresses with the server's reasons."""
    return "; ".join(f"{address} ({reason})" for address, reason in reasons.items())
