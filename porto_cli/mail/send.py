"""Handing a message to a mail server, and explaining its answers in whole sentences.

The connection is encrypted, with the server's certificate checked, unless the server is on this
computer. Whatever goes wrong, the record is as it was, and the same mail can be sent again: it has
the same Message-ID, by which mail programs know that they have it already. The password is asked
for when a mail is sent, stored nowhere, and never shown.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.files import note
from porto_cli.core.message import enumerated, quoted
from porto_cli.mail.account import (
    PATIENCE,
    AccountError,
    Answers,
    EndlessError,
    Talk,
    password,
)
from porto_cli.settings import STARTTLS, TLS, Mail


class SendError(AccountError):
    """A mail that could not be sent: why, whether anything has left, and what to do."""


class RefusedMailError(SendError):
    """A mail that a server takes for nobody, however often it is asked."""


MOST_ANSWERED = 256 * 1024
"""Bytes of all answers of a server together."""
_PIECE = 64 * 1024
_GO_ON = 354
"""How a server asks for the content of a mail."""
_GREETED_AS = "[127.0.0.1]"
"""The name by which this computer introduces itself; it says nothing about it."""
_NOTHING = "nothing was sent"
_MAYBE = (
    "the mail may or may not be on its way. If you send it again when the connection is better, it "
    "has the same Message-ID, and mail programs show it only once"
)


class Sent(NamedTuple):
    """A message that a server has accepted, and who will not get it: addresses, and why.

    ``refused``   are those that it does not deliver to
    ``deferred``  those that it does not deliver to now, but may later
    """

    to: tuple[str, ...]
    refused: dict[str, str]
    deferred: dict[str, str]

    @property
    def lacking(self) -> tuple[str, ...]:
        """The addresses that it does not get to."""
        return (*self.refused, *self.deferred)

    def who_lacks_it(self, names: Callable[[str], Sequence[str]]) -> str:
        """Say who does not get it, and why, and what to do. Some are refused, or some have to wait,
        or both; the others have it, if there are any. ``names`` returns the players for whom an
        address is stored.
        """
        refused, deferred = _listed(self.refused), _listed(self.deferred)
        whom = f"{refused}, and not now to {deferred}" if refused and deferred else refused
        whom = whom or f"{deferred} now"
        nothing = "" if self.to else "; nothing was sent"
        said = f"The server does not deliver to {whom}{nothing}."
        if self.refused:
            stored = (name for address in self.refused for name in names(address))
            how = enumerated([f"'porto address {quoted(name)} ADDRESS'" for name in stored])
            said += f" Correct the address{f' with {how}' if how else ''}."
        if self.deferred:
            said += (
                " Try again in a few minutes: many servers make senders wait that they do not know "
                "yet."
            )
        return said


def recipients(mail: EmailMessage) -> tuple[str, ...]:
    """Return all addresses that a message goes to."""
    found = [one.addr_spec for head in ("To", "Cc") if mail[head] for one in mail[head].addresses]
    return tuple(dict.fromkeys(found))


def send(mail: EmailMessage, how: Mail, patience: float = PATIENCE) -> Sent:
    """Hand a message to the server of the settings.

    Raises AccountError, and then nothing was sent unless its sentence says so; RefusedMailError if
    that will be no other the next time.
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
                attempt.is_logging_in = True
                server.login(how.user, attempt.secret)
                attempt.is_logging_in = False
            try:
                answers = server.sendmail(sender, list(to), data)
                note(f"The mail is sent, with the Message-ID {mail['Message-ID']}.")
            except smtplib.SMTPRecipientsRefused as error:
                # Who ends the conversation with an answer has refused the others with it.
                *_, last = error.recipients.values()
                answers = {one: error.recipients.get(one, last) for one in to}
            with suppress(smtplib.SMTPException, OSError, EndlessError):
                # The mail is sent, whatever the server answers to this.
                server.quit()
        finally:
            server.close()
    return attempt.sent(to, answers)


class _Server(smtplib.SMTP):
    """A connection with limits for all answers of the server together, not only for each one."""

    def __init__(self, how: Mail, answers: Answers, **more: Any) -> None:
        self.answers = answers
        self.may_have_it = False
        """Whether the server has asked for the content of the mail, so that it may accept it."""
        self._asked = False
        answers.expect(MOST_ANSWERED)
        try:
            super().__init__(how.server, how.port, _GREETED_AS, timeout=answers.patience, **more)
        except BaseException:
            self.close()
            raise

    def getreply(self) -> tuple[int, bytes]:
        """Return the next answer of the server, which the library reads line by line."""
        self.file = self
        code, text = super().getreply()
        self.may_have_it = self.may_have_it or (self._asked and code == _GO_ON)
        return code, text

    def readline(self, most: int) -> bytes:
        """Return the next line of an answer. Raises EndlessError, OSError."""
        line = b""
        while self.sock and not line.endswith(b"\n"):
            if len(line) >= most:
                raise EndlessError
            piece = self.answers.next(self.sock, most, of_a_line=True)
            if not piece:
                break
            line += piece
        return line

    def send(self, s: Any) -> None:
        """Send bytes piece by piece, so that a server that reads slowly is noticed."""
        data = s.encode(self.command_encoding) if isinstance(s, str) else s
        for place in range(0, len(data), _PIECE):
            if self.sock is not None:
                self.sock.settimeout(self.answers.seconds())
            super().send(data[place : place + _PIECE])

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the content of a mail."""
        self._asked = True
        return super().data(msg)

    def close(self) -> None:
        """Close the connection."""
        self.file = None
        self.answers.close()
        super().close()


class _TlsServer(_Server, smtplib.SMTP_SSL):
    """The same, encrypted from the beginning."""


class _Attempt(Talk):
    """An attempt to send a mail, and the sentence if it fails."""

    error = SendError
    does = "accept mail"
    keys = "'server' and 'port' in the settings"
    ports = "Port 465 goes with 'security: tls', port 587 with 'security: starttls'."

    def __init__(self, how: Mail, patience: float) -> None:
        super().__init__(how, patience, _NOTHING)
        self.server: _Server | None = None

    def connected(self) -> _Server:
        """Return the connection, encrypted as the settings say."""
        context = ssl.create_default_context()
        if self.how.security == TLS:
            self.server = _TlsServer(self.how, self.answers, context=context)
            return self.server
        self.server = server = _Server(self.how, self.answers)
        try:
            if self.how.security == STARTTLS:
                server.starttls(context=context)
        except BaseException:
            server.close()
            raise
        return server

    def sent(self, to: Sequence[str], answers: dict[str, tuple[int, bytes]]) -> Sent:
        """Return what came of a mail to some addresses, by the answers for those it refused."""
        refused: dict[str, str] = {}
        deferred: dict[str, str] = {}
        for address, (code, text) in answers.items():
            (deferred if _is_for_now(code) else refused)[address] = self.reason(text, code)
        return Sent(tuple(one for one in to if one not in answers), refused, deferred)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn an error into a SendError that says what to do."""
        try:
            yield
        except (smtplib.SMTPException, EndlessError, OSError, ValueError) as error:
            if self.server and self.server.may_have_it:
                self.outcome = _MAYBE
            match error:
                case smtplib.SMTPServerDisconnected():
                    # The library raises this as well when a server has not answered in time.
                    silent = isinstance(error.__context__, TimeoutError)
                    self.fail_by(TimeoutError()) if silent else self.fail_as_closed()
                case smtplib.SMTPNotSupportedError() if not self.is_logging_in:
                    self.fail_unencrypted("does not offer encryption")
                case smtplib.SMTPResponseException():
                    self._fail_by_answer(error)
                case smtplib.SMTPException() if self.is_logging_in:
                    self.fail(
                        f"offers no way to log in on port {self.how.port}, or none that this "
                        "program supports",
                        f"Ask its provider which port is for sending. {self.ports}",
                    )
                case smtplib.SMTPException():
                    self._fail_as_refused(self.reason(error))
                case UnicodeEncodeError() | OSError() | EndlessError():
                    self.fail_by(error)
                case _ if self.server:
                    # What should be Base64 is none.
                    self.fail_as_closed()
            self.fail_by(error)

    def _fail_by_answer(self, error: smtplib.SMTPResponseException) -> NoReturn:
        """Raise a SendError for an answer that is not a consent."""
        code, reason = error.smtp_code, self.reason(error.smtp_error, error.smtp_code)
        if self.outcome == _MAYBE and not 400 <= code < 600:
            self.fail(f"does not say whether it accepted the mail ({reason})")
        self.outcome = _NOTHING
        if isinstance(error, smtplib.SMTPAuthenticationError):
            self.fail_to_log_in(reason, for_now=_is_for_now(code))
        if _is_for_now(code):
            what = f"does not accept the mail now and answered: {reason}"
            self.fail(what, "Try again in a few minutes.")
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


def _is_for_now(code: int) -> bool:
    """Return whether a server may answer something else later (RFC 5321, 4.2.1)."""
    return 400 <= code < 500


def _listed(reasons: dict[str, str]) -> str:
    """Return addresses with the reasons of the server."""
    return "; ".join(f"{address} ({reason})" for address, reason in reasons.items())
