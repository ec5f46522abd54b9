"""Handing a message to a mail server, and saying what the server says, in whole sentences.

The connection is encrypted, with the server's certificate checked, unless the server is on this
computer. Whatever goes wrong, the record is as it was, and the same mail can be sent again: it has
the same Message-ID, by which mail programs know that they have it already.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import NamedTuple

from porto_cli.core.files import note
from porto_cli.core.message import Sentence, say
from porto_cli.mail.errors import SendError
from porto_cli.mail.passwords import password
from porto_cli.settings import STARTTLS, TLS, Mail

PATIENCE = 30.0
"""Seconds to wait for each answer of a server."""
_GREETED_AS = "[127.0.0.1]"
"""What the server is told about this computer: nothing."""
_AT_THE_WRONG_DOOR = {
    "WRONG_VERSION_NUMBER",
    "UNEXPECTED_EOF_WHILE_READING",
    "RECORD_LAYER_FAILURE",
}
"""How the end of an attempt is called to encrypt with a server that does not begin with that."""


class Sent(NamedTuple):
    """A message that a server has taken. ``refused`` are addresses that it did not, and why."""

    to: tuple[str, ...]
    refused: dict[str, str]


def recipients(mail: EmailMessage) -> tuple[str, ...]:
    """Return all addresses that a message goes to."""
    found = [one.addr_spec for head in ("To", "Cc") if mail[head] for one in mail[head].addresses]
    return tuple(dict.fromkeys(found))


def send(mail: EmailMessage, how: Mail, patience: float = PATIENCE) -> Sent:
    """Hand a message to the server of the settings. Raises SendError; nothing has left then, but
    for what the sentence says.
    """
    secret = password(how) if how.user and (how.keyring or how.password_command) else ""
    to = recipients(mail)
    with _told(how, "connect", patience):
        server = _connected(how, patience)
    try:
        if secret:
            with _told(how, "log in", patience, secret):
                server.login(how.user, secret)
        with _told(how, "send", patience):
            refused = server.send_message(mail, to_addrs=list(to))
        note(say("The mail is sent, with the Message-ID {id}.", id=mail["Message-ID"]))
        with suppress(smtplib.SMTPException, OSError):
            # The mail is out, whatever the server says to a farewell.
            server.quit()
    finally:
        server.close()
    return Sent(
        tuple(one for one in to if one not in refused),
        {one: _reason(*told) for one, told in refused.items()},
    )


def _connected(how: Mail, patience: float) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if how.security == TLS:
        return smtplib.SMTP_SSL(
            how.server, how.port, _GREETED_AS, timeout=patience, context=context
        )
    server = smtplib.SMTP(how.server, how.port, _GREETED_AS, timeout=patience)
    try:
        if how.security == STARTTLS:
            server.starttls(context=context)
    except BaseException:
        server.close()
        raise
    return server


def _reason(code: int, text: bytes | str) -> str:
    """Return what a server has answered, in one line."""
    told = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return f"{code} {' '.join(told.split())}".rstrip(" .")


@contextmanager
def _told(how: Mail, doing: str, patience: float, secret: str = "") -> Iterator[None]:
    """Turn what goes wrong into a SendError that says what to do.

    ``secret`` is in none of its sentences, even if a server repeats it.
    """

    def hidden(text: str) -> str:
        return text.replace(secret, "…") if secret else text

    facts: dict[str, object] = {
        "server": how.server,
        "port": how.port,
        "user": how.user,
        "security": how.security,
        "seconds": round(patience),
    }
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        facts["reason"] = hidden(_reason(error.smtp_code, error.smtp_error))
        raise SendError(say(_WRONG_PASSWORD, **facts)) from None
    except UnicodeEncodeError:
        # The library knows no other letters in a name or password.
        raise SendError(say(_LETTERS, **facts)) from None
    except smtplib.SMTPRecipientsRefused as error:
        facts["reasons"] = "; ".join(
            f"{address} ({_reason(*told)})" for address, told in error.recipients.items()
        )
        raise SendError(say(_REFUSED, **facts)) from None
    except smtplib.SMTPSenderRefused as error:
        facts |= {"reason": _reason(error.smtp_code, error.smtp_error), "address": error.sender}
        raise SendError(say(_SENDER_REFUSED, **facts)) from None
    except smtplib.SMTPNotSupportedError:
        raise SendError(say(_NO_STARTTLS if doing == "connect" else _NO_LOGIN, **facts)) from None
    except smtplib.SMTPResponseException as error:
        facts["reason"] = hidden(_reason(error.smtp_code, error.smtp_error))
        raise SendError(say(_SAID_NO, **facts)) from None
    except smtplib.SMTPServerDisconnected as error:
        # The library calls it so as well when a server has not answered in time.
        silent = isinstance(error.__context__, TimeoutError)
        raise SendError(say((_SILENT if silent else _HUNG_UP)[doing], **facts)) from None
    except smtplib.SMTPException as error:
        facts["reason"] = hidden(" ".join(str(error).split()).rstrip("."))
        raise SendError(say(_SAID_NO, **facts)) from None
    except ssl.SSLCertVerificationError as error:
        facts["reason"] = error.verify_message.rstrip(".")
        raise SendError(say(_CERTIFICATE, **facts)) from None
    except TimeoutError:
        raise SendError(say(_SILENT[doing], **facts)) from None
    except ssl.SSLError as error:
        if error.reason in _AT_THE_WRONG_DOOR:
            raise SendError(say(_WRONG_DOOR, **facts)) from None
        facts["reason"] = str(error.reason or error)
        raise SendError(say(_NOT_ENCRYPTED, **facts)) from None
    except socket.gaierror:
        raise SendError(say(_NO_SUCH_SERVER, **facts)) from None
    except ConnectionRefusedError:
        raise SendError(say(_NOBODY_THERE, **facts)) from None
    except OSError as error:
        facts["reason"] = error.strerror or error
        raise SendError(_broken(doing, facts)) from None


def _broken(doing: str, facts: dict[str, object]) -> Sentence:
    return say(_LOST if doing == "send" else _NO_CONNECTION, **facts)


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
_REFUSED = (
    "{server} does not deliver to {reasons}; nothing was sent. 'porto address NAME ADDRESS' "
    "corrects an address."
)
_SENDER_REFUSED = (
    "{server} does not take mail from {address} ({reason}); nothing was sent. Under 'from' in the "
    "settings there should be the address that belongs to this server."
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
    "send": "{server} ended the connection before it said whether it has taken the mail, so that "
    "it may be on its way or not." + _AGAIN,
}
_SILENT = {
    "connect": "{server} does not answer on port {port} within {seconds} seconds; nothing was "
    "sent. Is this computer on the network, and are 'server' and 'port' in the settings right?",
    "log in": "{server} did not answer the password within {seconds} seconds; nothing was sent. "
    "Try again later.",
    "send": "{server} did not say within {seconds} seconds whether it has taken the mail, so that "
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
