"""Handing a message to a mail server, and explaining its answers in whole sentences.

The connection is encrypted, with the server's certificate checked, unless the server is on this
computer. Whatever goes wrong, the record is as it was, and the same mail can be sent again: it has
the same Message-ID, by which mail programs know that they have it already. The password is asked
for when a mail is sent, stored nowhere, and never shown.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.files import note
from porto_cli.core.message import shown
from porto_cli.mail.account import (
    PATIENCE,
    AccountError,
    EndlessError,
    password,
    why_not_connected,
    without_secret,
)
from porto_cli.settings import STARTTLS, TLS, Mail


class SendError(AccountError):
    """A mail that could not be sent: why, whether anything has left, and what to do."""


_PATIENCES = 10
"""The limit for all answers together, and for the sending, as a multiple of that."""
MOST_ANSWERED = 256 * 1024
"""Bytes of all answers of a server together."""
_PIECE = 64 * 1024
_GO_ON = 354
"""How a server asks for the content of a mail."""
_GREETED_AS = "[127.0.0.1]"
"""The name by which this computer introduces itself; it says nothing about it."""


class Sent(NamedTuple):
    """A message that a server has accepted, and who will not get it: addresses, and why.

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
    """Hand a message to the server of the settings.

    Raises AccountError, and then nothing was sent unless its sentence says so.
    """
    data, to = mail.as_bytes(), recipients(mail)
    sender = mail["From"].addresses[0].addr_spec if mail["From"] else ""
    attempt = _Attempt(how, patience)
    if how.user and how.password_command is not None:
        attempt.secret = password(how)
    with attempt.explained():
        server = attempt.connected()
        try:
            if attempt.secret:
                attempt.doing = "log in"
                server.login(how.user, attempt.secret)
            attempt.doing = "send"
            answers = server.sendmail(sender, list(to), data)
            note(f"The mail is sent, with the Message-ID {mail['Message-ID']}.")
            with suppress(smtplib.SMTPException, OSError, EndlessError):
                # The mail is sent, whatever the server answers to this.
                server.quit()
        finally:
            server.close()
    refused, deferred = attempt.who_is_refused(answers)
    return Sent(tuple(one for one in to if one not in answers), refused, deferred)


class _Server(smtplib.SMTP):
    """A connection with limits for all answers of the server together, not only for each one."""

    def __init__(self, how: Mail, patience: float, **more: Any) -> None:
        self.patience = patience
        self.ends = time.monotonic() + _PATIENCES * patience
        self.bytes_left = MOST_ANSWERED
        self.may_have_it = False
        """Whether the server has asked for the content of the mail, so that it may accept it."""
        self._asked = False
        try:
            super().__init__(how.server, how.port, _GREETED_AS, timeout=patience, **more)
        except BaseException:
            self.close()
            raise

    def seconds(self) -> float:
        """Return how long to wait for the next bytes. Raises EndlessError."""
        left = self.ends - time.monotonic()
        if left <= 0 or self.bytes_left < 0:
            raise EndlessError
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
    """The answers of a server, line by line, as smtplib reads them from a file."""

    def __init__(self, server: _Server, sock: socket.socket) -> None:
        self.server = server
        self.sock = sock
        self.waiting = b""

    def readline(self, most: int) -> bytes:
        """Return the next line. Raises EndlessError, OSError."""
        while b"\n" not in self.waiting:
            if len(self.waiting) >= most:
                raise EndlessError
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
        """Do nothing: the socket is closed elsewhere."""


class _Attempt:
    """An attempt to send a mail, and the sentence if it fails."""

    def __init__(self, how: Mail, patience: float) -> None:
        self.how = how
        self.patience = patience
        self.secret = ""
        """It appears in no sentence, even if a server repeats it."""
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
        """Return an answer of the server in one line."""
        answer = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        answer = without_secret(answer, self.secret)
        return (f"{code} {answer}" if code >= 0 else answer).rstrip(" .")

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn an error into a SendError that says what to do."""
        try:
            yield
        except smtplib.SMTPRecipientsRefused as error:
            refused, deferred = self.who_is_refused(error.recipients)
            self._fail_to_deliver(listed(refused), listed(deferred))
        except smtplib.SMTPNotSupportedError:
            self._fail("no starttls" if self.stage == "connect" else "no login")
        except smtplib.SMTPResponseException as error:
            reason = self._reason(error.smtp_code, error.smtp_error)
            self._fail(self._what(error), reason, getattr(error, "sender", ""))
        except smtplib.SMTPServerDisconnected as error:
            # The library raises this as well when a server has not answered in time.
            silent = isinstance(error.__context__, TimeoutError)
            self._fail(f"{'silent' if silent else 'hung up'}: {self.stage}")
        except smtplib.SMTPException as error:
            self._fail("said no", self._reason(-1, str(error)))
        except EndlessError:
            self._fail("endless: sent" if self.stage == "sent" else "endless")
        except UnicodeEncodeError:
            # The library supports no other letters in a name or password.
            self._fail("letters" if self.doing == "log in" else "no server")
        except OSError as error:
            kind, reason = why_not_connected(error)
            if kind == "silent" or (kind, self.stage) == ("no connection", "sent"):
                kind = f"{kind}: {self.stage}"
            self._fail(kind, reason)
        except ValueError:
            # What should be Base64 is none, or the name of a server cannot be one.
            self._fail("no server" if self.server is None else "garbled")

    def _fail(self, what: str, reason: str = "", address: str = "") -> NoReturn:
        raise SendError(self._sentences(reason, address)[what]) from None

    def _fail_to_deliver(self, refused: str, deferred: str) -> NoReturn:
        """Report recipients who are refused, and some who are not accepted now; one may be none."""
        server, correct = self.how.server, "porto address NAME ADDRESS"
        if not deferred:
            raise SendError(
                f"{server} does not deliver to {refused}; nothing was sent. To correct an address: "
                f"{correct}"
            ) from None
        if not refused:
            raise SendError(
                f"{server} does not deliver to {deferred} now; nothing was sent. Try again in a "
                "few minutes: many servers make senders wait that they do not know yet."
            ) from None
        raise SendError(
            f"{server} does not deliver to {refused}, and not now to {deferred}; nothing was sent. "
            f"Correct the address with '{correct}', then try again in a few minutes."
        ) from None

    def _what(self, error: smtplib.SMTPResponseException) -> str:
        """Return what is wrong by an answer that is not a consent."""
        code = error.smtp_code
        if self.stage == "sent" and not 400 <= code < 600:
            return "unclear"
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return "no login now" if _is_for_now(code) else "wrong password"
        if _is_for_now(code):
            return "not now"
        return "sender refused" if isinstance(error, smtplib.SMTPSenderRefused) else "said no"

    def _sentences(self, reason: str, address: str) -> dict[str, str]:
        """Return what can be wrong, with what the server said about it, and what to do."""
        server, port, user = self.how.server, self.how.port, shown(self.how.user)
        seconds = round(self.patience)
        return {
            "wrong password": (
                f"{server} does not accept the user name {user} with this password "
                f"({reason}); nothing was sent. Correct 'user' or 'password' in the settings. "
                "Many providers require a separate password for programs, an app password, "
                "which you create on their web pages."
            ),
            "letters": (
                f"The user name or the password for {server} contains letters outside ASCII, "
                "with which this program cannot log in; nothing was sent. Use a password "
                "without them, such as an app password, which many providers offer."
            ),
            "sender refused": (
                f"{server} does not accept mail from {address} ({reason}); nothing was sent. "
                "Under 'from' in the settings, use the address that belongs to this server."
            ),
            "not now": (
                f"{server} does not accept the mail now and answered: {reason}. Nothing was "
                "sent; try again in a few minutes."
            ),
            "no login now": (
                f"{server} does not allow logging in now ({reason}); nothing was sent. Try "
                "again in a few minutes."
            ),
            "unclear": (
                f"The answer of {server} does not say whether it accepted the mail "
                f"({reason}){_MAYBE}"
            ),
            "garbled": (
                f"{server} answered in a way that this program does not understand; nothing "
                "was sent. Check 'server' and 'port' in the settings."
            ),
            "endless": (
                f"{server} keeps sending without an answer that this program understands; "
                "nothing was sent. Check 'server' and 'port' in the settings."
            ),
            "endless: sent": (
                f"{server} keeps sending without saying whether it accepted the mail{_MAYBE}"
            ),
            "no starttls": (
                f"{server} does not offer encryption on port {port}, so nothing was sent. Ask "
                "its provider which port and which 'security' to use; 'security: tls' on "
                "port 465 is common."
            ),
            "no login": (
                f"{server} offers no way to log in on port {port}, or none that this program "
                "supports; nothing was sent. Ask its provider which port is for sending, "
                "usually 587 or 465."
            ),
            "said no": (
                f"{server} did not accept the mail and answered: {reason}. Nothing was sent; "
                "try again later, or ask its provider."
            ),
            "no connection: sent": (
                f"The connection to {server} broke ({reason}) before it confirmed that it "
                f"accepted the mail{_MAYBE}"
            ),
            "hung up: connect": (
                f"{server} closed the connection on port {port} before it accepted the mail; "
                "nothing was sent. Try again later, and check 'port' and 'security' in the "
                "settings."
            ),
            "hung up: log in": (
                f"{server} closed the connection after it received the password; nothing was "
                "sent. Try again later, and check 'user' and 'password' in the settings."
            ),
            "hung up: send": (
                f"{server} closed the connection on port {port} before it accepted the mail; "
                "nothing was sent. Try again later."
            ),
            "hung up: sent": (
                f"{server} closed the connection before it confirmed that it accepted the "
                f"mail{_MAYBE}"
            ),
            "silent: connect": (
                f"{server} does not answer on port {port} within {seconds} seconds; nothing "
                "was sent. Check the network connection, and 'server' and 'port' in the "
                "settings."
            ),
            "silent: log in": (
                f"{server} did not answer the password within {seconds} seconds; nothing was "
                "sent. Try again later."
            ),
            "silent: send": (
                f"{server} did not answer within {seconds} seconds, and does not have the "
                "mail; nothing was sent. Try again later."
            ),
            "silent: sent": (
                f"{server} did not confirm within {seconds} seconds that it accepted the "
                f"mail{_MAYBE}"
            ),
            "certificate": (
                f"The certificate of {server} is not valid ({reason}), so it may be another "
                "computer; neither the password nor the mail was sent. Check that 'server' "
                "in the settings is the name that the provider gives, and that the clock of "
                "this computer is right."
            ),
            "no TLS": (
                f"{server} does not begin with encryption on port {port}, although the "
                f"settings have 'security: {self.how.security}'; nothing was sent. Port 465 "
                "goes with 'security: tls', port 587 with 'security: starttls'."
            ),
            "not encrypted": (
                f"The connection to {server} cannot be encrypted ({reason}), so neither the "
                "password nor the mail was sent. Ask its provider which 'port' and "
                "'security' to use."
            ),
            "no server": (
                f"There is no server {server}, or this computer has no network connection; "
                "nothing was sent. Correct 'server' in the settings, or try again later."
            ),
            "closed port": (
                f"{server} does not accept mail on port {port}; nothing was sent. Ask its "
                "provider which port is for sending, usually 587 or 465."
            ),
            "no connection": (
                f"There is no connection to {server} ({reason}); nothing was sent. Try again later."
            ),
        }


def _is_for_now(code: int) -> bool:
    """Return whether a server may answer something else later (RFC 5321, 4.2.1)."""
    return 400 <= code < 500


def listed(reasons: dict[str, str]) -> str:
    """Return addresses with the reasons of the server."""
    return "; ".join(f"{address} ({reason})" for address, reason in reasons.items())


_MAYBE = (
    ", so the mail may or may not be on its way. If you send it again when the connection is "
    "better, it has the same Message-ID, and mail programs show it only once."
)
