"""Handing a message to a mail server, and saying what the server says, in whole sentences.

The connection is encrypted, with the server's certificate checked, unless the server is on this
computer. Whatever goes wrong, the record is as it was, and the same mail can be sent again: it has
the same Message-ID, by which mail programs know that they have it already.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.files import note
from porto_cli.core.message import say
from porto_cli.mail.errors import SendError
from porto_cli.mail.heads import bytes_of_base64
from porto_cli.mail.message import on_the_wire
from porto_cli.mail.passwords import password
from porto_cli.settings import STARTTLS, TLS, Mail

PATIENCE = 30.0
"""Seconds to wait for each answer of a server."""
_PATIENCES = 10
"""So many times as long all answers together, and the sending, may take."""
MOST_ANSWERED = 256 * 1024
"""Bytes of all answers of a server together."""
_PIECE = 64 * 1024
_GO_ON = 354
"""How a server asks for the content of a mail."""
HIDDEN = "…"
_OTHER_BASE64 = str.maketrans("-_", "+/")
_GREETED_AS = "[127.0.0.1]"
"""What the server is told about this computer: nothing."""
_AT_THE_WRONG_DOOR = {
    "WRONG_VERSION_NUMBER",
    "UNEXPECTED_EOF_WHILE_READING",
    "RECORD_LAYER_FAILURE",
}
"""How the end of an attempt is called to encrypt with a server that does not begin with that."""


class Sent(NamedTuple):
    """A message that a server has taken, and who will not get it: addresses, and why.

    ``refused``   are those that it does not deliver to
    ``deferred``  those that it does not deliver to now, but may later
    """

    to: tuple[str, ...]
    refused: dict[str, str]
    deferred: dict[str, str]

    @property
    def is_complete(self) -> bool:
        """Whether everybody gets it."""
        return not self.refused and not self.deferred


def recipients(mail: EmailMessage) -> tuple[str, ...]:
    """Return all addresses that a message goes to."""
    found = [one.addr_spec for head in ("To", "Cc") if mail[head] for one in mail[head].addresses]
    return tuple(dict.fromkeys(found))


def send(mail: EmailMessage, how: Mail, patience: float = PATIENCE) -> Sent:
    """Hand a message to the server of the settings. Raises SendError; nothing has left then, but
    for what the sentence says. Raises RefusedError if the head does not say what it should.
    """
    data, to = on_the_wire(mail), recipients(mail)
    sender = mail["From"].addresses[0].addr_spec if mail["From"] else ""
    attempt = _Attempt(how, patience)
    if how.user and (how.keyring or how.password_command):
        attempt.secret = password(how)
    with attempt.told():
        server = attempt.connected()
        try:
            if attempt.secret:
                attempt.doing = "log in"
                server.login(how.user, attempt.secret)
            attempt.doing = "send"
            answers = server.sendmail(sender, list(to), data)
            note(say("The mail is sent, with the Message-ID {id}.", id=mail["Message-ID"]))
            with suppress(smtplib.SMTPException, OSError, _EndlessError):
                # The mail is out, whatever the server says to a farewell.
                server.quit()
        finally:
            server.close()
    refused, deferred = attempt.who_is_refused(answers)
    return Sent(tuple(one for one in to if one not in answers), refused, deferred)


class _EndlessError(Exception):
    """A server that goes on and on."""


class _Server(smtplib.SMTP):
    """A connection with limits for all that the server says together, not only for each answer."""

    def __init__(self, how: Mail, patience: float, **more: Any) -> None:
        self.patience = patience
        self.ends = time.monotonic() + _PATIENCES * patience
        self.bytes_left = MOST_ANSWERED
        self.may_have_it = False
        """Whether the server has asked for the content of the mail: then it may have taken it."""
        self._asked = False
        try:
            super().__init__(how.server, how.port, _GREETED_AS, timeout=patience, **more)
        except BaseException:
            self.close()
            raise

    def seconds(self) -> float:
        """Return how long to wait for the next bytes. Raises _EndlessError."""
        left = self.ends - time.monotonic()
        if left <= 0 or self.bytes_left < 0:
            raise _EndlessError
        return min(self.patience, left)

    def getreply(self) -> tuple[int, bytes]:
        """Return the next answer of the server."""
        if self.file is None and self.sock is not None:
            self.file = _Answers(self, self.sock)
        code, text = super().getreply()
        self.may_have_it = self.may_have_it or (self._asked and code == _GO_ON)
        return code, text

    def send(self, s: Any) -> None:
        """Send bytes piece by piece, so that a server that reads slowly is noticed."""
        data = s.encode(self.command_encoding) if isinstance(s, str) else s
        for place in range(0, len(data), _PIECE):
            if self.sock is not None:
                self.sock.settimeout(self.seconds())
            super().send(data[place : place + _PIECE])

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the content of a mail."""
        self._asked = True
        return super().data(msg)


class _TlsServer(_Server, smtplib.SMTP_SSL):
    """The same, encrypted from the beginning."""


class _Answers:
    """What a server says, line by line, as smtplib reads it from a file."""

    def __init__(self, server: _Server, sock: socket.socket) -> None:
        self.server = server
        self.sock = sock
        self.waiting = b""

    def readline(self, most: int) -> bytes:
        """Return the next line. Raises _EndlessError, OSError."""
        while b"\n" not in self.waiting:
            if len(self.waiting) >= most:
                raise _EndlessError
            self.sock.settimeout(self.server.seconds())
            try:
                received = self.sock.recv(4096)
            except TimeoutError:
                self.server.seconds()
                raise
            if not received:
                break
            self.server.bytes_left -= len(received)
            self.waiting += received
        line, end, self.waiting = self.waiting.partition(b"\n")
        return line + end

    def close(self) -> None:
        """Do nothing: the socket is closed by who has it."""


class _Attempt:
    """An attempt to send a mail, and what is said if it fails."""

    def __init__(self, how: Mail, patience: float) -> None:
        self.how = how
        self.patience = patience
        self.secret = ""
        """It is in no sentence, even if a server repeats it."""
        self.doing = "connect"
        self.server: _Server | None = None

    def connected(self) -> _Server:
        """Return the connection, encrypted as the settings say."""
        context = ssl.create_default_context()
        if self.how.security == TLS:
            self.server = _TlsServer(self.how, self.patience, context=context)
            return self.server
        self.server = server = _Server(self.how, self.patience)
        try:
            if self.how.security == STARTTLS:
                server.starttls(context=context)
        except BaseException:
            server.close()
            raise
        return server

    @property
    def stage(self) -> str:
        """How far it is: ``connect``, ``log in``, ``send``, or, once the server may have the mail,
        ``sent``.
        """
        return "sent" if self.server is not None and self.server.may_have_it else self.doing

    def who_is_refused(
        self, answers: dict[str, tuple[int, bytes]]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return to whom the server does not deliver, and to whom not now, and why."""
        reasons = {one: self._reason(*answer) for one, answer in answers.items()}
        later = {one for one, (code, _) in answers.items() if _is_for_now(code)}
        return (
            {one: reason for one, reason in reasons.items() if one not in later},
            {one: reason for one, reason in reasons.items() if one in later},
        )

    def _reason(self, code: int, text: bytes | str) -> str:
        """Return what a server has answered, in one line."""
        told = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        told = without_secret(told, self.secret)
        return (f"{code} {told}" if code >= 0 else told).rstrip(" .")

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn what goes wrong into a SendError that says what to do."""
        how = self.how
        facts: dict[str, object] = {
            "server": how.server,
            "port": how.port,
            "user": how.user,
            "security": how.security,
            "seconds": round(self.patience),
        }

        def fail(template: str, **more: object) -> NoReturn:
            raise SendError(say(template, **facts, **more)) from None

        try:
            yield
        except smtplib.SMTPRecipientsRefused as error:
            refused, deferred = self.who_is_refused(error.recipients)
            fail(
                _REFUSED[bool(refused), bool(deferred)],
                refused=listed(refused),
                deferred=listed(deferred),
            )
        except smtplib.SMTPNotSupportedError:
            fail(_NO_STARTTLS if self.stage == "connect" else _NO_LOGIN)
        except smtplib.SMTPResponseException as error:
            reason = self._reason(error.smtp_code, error.smtp_error)
            fail(self._template(error), reason=reason, address=getattr(error, "sender", ""))
        except smtplib.SMTPServerDisconnected as error:
            # The library calls it so as well when a server has not answered in time.
            silent = isinstance(error.__context__, TimeoutError)
            fail((_SILENT if silent else _HUNG_UP)[self.stage])
        except smtplib.SMTPException as error:
            fail(_SAID_NO, reason=self._reason(-1, str(error)))
        except _EndlessError:
            fail(_ENDLESS_SENT if self.stage == "sent" else _ENDLESS)
        except UnicodeEncodeError:
            # The library knows no other letters in a name or password.
            fail(_LETTERS if self.doing == "log in" else _NO_SUCH_SERVER)
        except ssl.SSLCertVerificationError as error:
            fail(_CERTIFICATE, reason=error.verify_message.rstrip("."))
        except TimeoutError:
            fail(_SILENT[self.stage])
        except ssl.SSLError as error:
            if error.reason in _AT_THE_WRONG_DOOR:
                fail(_WRONG_DOOR)
            fail(_NOT_ENCRYPTED, reason=str(error.reason or error))
        except socket.gaierror:
            fail(_NO_SUCH_SERVER)
        except ConnectionRefusedError:
            fail(_NOBODY_THERE)
        except OSError as error:
            template = _LOST if self.stage == "sent" else _NO_CONNECTION
            fail(template, reason=error.strerror or error)
        except ValueError:
            # What should be Base64 is none, or the name of a server cannot be one.
            fail(_NO_SUCH_SERVER if self.server is None else _GARBLED)

    def _template(self, error: smtplib.SMTPResponseException) -> str:
        """Return what is to be said of an answer that is no consent."""
        code = error.smtp_code
        if self.stage == "sent" and not 400 <= code < 600:
            return _UNCLEAR
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return _NO_LOGIN_NOW if _is_for_now(code) else _WRONG_PASSWORD
        if _is_for_now(code):
            return _NOT_NOW
        return _SENDER_REFUSED if isinstance(error, smtplib.SMTPSenderRefused) else _SAID_NO


def _is_for_now(code: int) -> bool:
    """Tell whether a server may say something else later (RFC 5321, 4.2.1)."""
    return 400 <= code < 500


def listed(reasons: dict[str, str]) -> str:
    """Return addresses with the reasons of the server."""
    return "; ".join(f"{address} ({reason})" for address, reason in reasons.items())


def _percent(letter: re.Match[str]) -> str:
    """Return a letter as it stands in an address of the web."""
    return "".join(f"%{byte:02X}" for byte in letter[0].encode("utf-8", "surrogateescape"))


def without_secret(text: str, secret: str) -> str:
    """Return a text in one line, without a password, in whatever way that is encoded.

    Not even a server that repeats it makes it appear on a screen.
    """
    if not secret:
        return " ".join(text.split())
    data = secret.encode("utf-8", "surrogateescape")
    forms = {secret, " ".join(secret.split()), b64encode(data).decode().rstrip("=")}
    forms |= {data.hex(), re.sub(r"[^A-Za-z0-9]", _percent, secret)}
    ways = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True) if form)

    def shown(run: re.Match[str]) -> str:
        """Return a run of letters that may be Base64; what a login sends has the name as well."""
        letters = run[0].translate(_OTHER_BASE64).encode()
        decoded = (bytes_of_base64(letters[nth:]) for nth in range(min(4, len(letters))))
        return HIDDEN if any(data in one for one in decoded) else run[0]

    def hidden(some: str) -> str:
        return re.sub(ways, HIDDEN, some, flags=re.IGNORECASE)

    return re.sub(r"[A-Za-z0-9+/_-]{3,}", shown, hidden(" ".join(hidden(text).split())))


_AGAIN = (
    " If it comes twice, mail programs show it once: sent again it has the same Message-ID. Send "
    "it again when the connection is better."
)
_WRONG_PASSWORD = (
    "{server} does not accept the name {user!r} with this password ({reason}); nothing was sent. "
    "Correct 'user' or 'password' in the settings. Many providers want a password of its own for "
    "programs, an app password, which their web pages give you."
)
_LETTERS = (
    "The name or the password for {server} has other letters than those of ASCII, with which this "
    "program cannot log in; nothing was sent. Take a password without them; an app password, which "
    "many providers give, has none."
)
_REFUSED = {
    (True, False): "{server} does not deliver to {refused}; nothing was sent. 'porto address NAME "
    "ADDRESS' corrects an address.",
    (False, True): "{server} does not deliver to {deferred} now; nothing was sent. Try again in "
    "some minutes: many servers let a sender wait that they do not know yet.",
    (True, True): "{server} does not deliver to {refused}, and not now to {deferred}; nothing was "
    "sent. 'porto address NAME ADDRESS' corrects an address; then try again in some minutes.",
}
"""For addresses that are refused or not, and for some that are not accepted now or not."""
_SENDER_REFUSED = (
    "{server} does not take mail from {address} ({reason}); nothing was sent. Under 'from' in the "
    "settings there should be the address that belongs to this server."
)
_NOT_NOW = (
    "{server} does not take the mail now and answered: {reason}. Nothing was sent; try again in "
    "some minutes."
)
_NO_LOGIN_NOW = (
    "{server} lets nobody log in now ({reason}); nothing was sent. Try again in some minutes."
)
_UNCLEAR = (
    "{server} answered in a way that does not say whether it has taken the mail ({reason}), so "
    "that it may be on its way or not." + _AGAIN
)
_GARBLED = (
    "{server} answered in a way that this program does not understand; nothing was sent. Are "
    "'server' and 'port' in the settings right?"
)
_ENDLESS = (
    "{server} goes on and on without an answer that this program understands; nothing was sent. "
    "Are 'server' and 'port' in the settings right?"
)
_ENDLESS_SENT = (
    "{server} goes on and on without saying whether it has taken the mail, so that it may be on "
    "its way or not." + _AGAIN
)
_NO_STARTTLS = (
    "{server} does not offer encryption on port {port}, so nothing was sent. Its provider says "
    "which port and which 'security' it has; 'security: tls' on port 465 is common."
)
_NO_LOGIN = (
    "{server} offers no way to log in on port {port}, or none that this program knows; nothing "
    "was sent. Its provider says which port is for sending, mostly 587 or 465."
)
_SAID_NO = (
    "{server} did not take the mail and answered: {reason}. Nothing was sent; try again later, or "
    "ask its provider."
)
_HUNG_UP = {
    "connect": "{server} ended the connection on port {port} before it took the mail; nothing was "
    "sent. Try again later, and look whether 'port' and 'security' in the settings are right.",
    "log in": "{server} ended the connection when it was told the password; nothing was sent. "
    "Try again later, and look whether 'user' and 'password' in the settings are right.",
    "send": "{server} ended the connection on port {port} before it took the mail; nothing was "
    "sent. Try again later.",
    "sent": "{server} ended the connection before it said whether it has taken the mail, so that "
    "it may be on its way or not." + _AGAIN,
}
_SILENT = {
    "connect": "{server} does not answer on port {port} within {seconds} seconds; nothing was "
    "sent. Is this computer on the network, and are 'server' and 'port' in the settings right?",
    "log in": "{server} did not answer the password within {seconds} seconds; nothing was sent. "
    "Try again later.",
    "send": "{server} did not answer within {seconds} seconds, and has not got the mail; nothing "
    "was sent. Try again later.",
    "sent": "{server} did not say within {seconds} seconds whether it has taken the mail, so that "
    "it may be on its way or not." + _AGAIN,
}
_CERTIFICATE = (
    "The certificate of {server} is not in order ({reason}), so that it may be another computer; "
    "neither the password nor the mail was sent. 'server' in the settings has to be the name that "
    "the provider gives, and the clock of this computer has to be right."
)
_WRONG_DOOR = (
    "{server} does not begin with encryption on port {port} as 'security: {security}' says; "
    "nothing was sent. Port 465 goes with 'security: tls', port 587 with 'security: starttls'."
)
_NOT_ENCRYPTED = (
    "The connection to {server} cannot be encrypted ({reason}), so neither the password nor the "
    "mail was sent. Ask its provider which 'port' and 'security' it has."
)
_NO_SUCH_SERVER = (
    "There is no server {server}, or this computer is not on the network; nothing was sent. "
    "Correct 'server' in the settings, or try again later."
)
_NOBODY_THERE = (
    "{server} takes no mail on port {port}; nothing was sent. Its provider says which port is for "
    "sending, mostly 587 or 465."
)
_NO_CONNECTION = "There is no connection to {server} ({reason}); nothing was sent. Try again later."
_LOST = (
    "The connection to {server} broke ({reason}) before it said whether it has taken the mail, so "
    "that it may be on its way or not." + _AGAIN
)
