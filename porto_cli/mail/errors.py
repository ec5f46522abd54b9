"""Why a mail was not sent. The code that reaches a server is loaded only to send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.core import TROUBLE, CommandError, SentenceError

if TYPE_CHECKING:
    from email.message import EmailMessage


class AccountError(SentenceError):
    """A mail server could not be used: why, what has happened, and what to do."""

    exit_code = TROUBLE


class SendError(AccountError):
    """A mail could not be sent: why, whether anything has left, and what to do."""


class RefusedMailError(SendError):
    """A mail that a server refuses for good, whoever it is for."""


class DeferredMailError(SendError):
    """A mail with contents that a server refuses for now; it may take others."""


class UnsentError(CommandError):
    """A game is saved, but its mail was not sent, or not to everybody."""

    exit_code = TROUBLE


def recipients(mail: EmailMessage) -> tuple[str, ...]:
    """Return all addresses that a message goes to."""
    found = [one.addr_spec for head in ("To", "Cc") if mail[head] for one in mail[head].addresses]
    return tuple(dict.fromkeys(found))
