"""Messages that no player has written to the user: of programs, mailing lists and mail servers."""

from __future__ import annotations

from email.message import Message

_LIST_HEADERS = ("List-Id", "List-Unsubscribe", "List-Post", "List-Help")
_REPLIER_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Failed-Recipients")
_BULK = ("bulk", "list", "junk", "auto_reply")
_SERVERS = ("mailer-daemon",)
"""The part before the ``@`` of addresses that only mail servers write from."""


def is_automatic(message: Message, address: str) -> bool:
    """Tell whether the head of a message from an address shows that a program has sent it, or a
    mailing list (RFC 2369, 2919, 3834, 3462).
    """
    if any(name in message for name in (*_LIST_HEADERS, *_REPLIER_HEADERS)):
        return True
    submitted = str(message.get("Auto-Submitted") or "no").partition(";")[0].strip().lower()
    precedence = str(message.get("Precedence") or "").strip().lower()
    return (
        submitted != "no"
        or precedence in _BULK
        or str(message.get("Return-Path") or "").strip() == "<>"
        or message.get_content_type() == "multipart/report"
        or address.partition("@")[0].lower() in _SERVERS
    )
