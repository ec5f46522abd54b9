"""What can go wrong when a mail is sent."""

from __future__ import annotations

from porto_cli.core.errors import TROUBLE, SentenceError


class SendError(SentenceError):
    """A mail that could not be sent: why, whether anything has left, and what to do."""

    exit_code = TROUBLE
