"""Messages that no player has written to the user: of programs, mailing lists and mail servers."""

from __future__ import annotations

from porto_cli.mail.mime import Head

_LIST_HEADERS = ("list-id", "list-unsubscribe", "list-post", "list-help")
_REPLIER_HEADERS = ("x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients")
_BULK = ("bulk", "list", "junk", "auto_reply")
_SERVERS = ("mailer-daemon",)
"""The part before the ``@`` of addresses that only mail servers write from."""


def is_automatic(head: Head, address: str) -> bool:
    """Tell whether the head of a message from an address shows that a program has sent it, or a
    mailing list (RFC 2369, 2919, 3834, 3462).
    """
    if any(name in head.fields for name in (*_LIST_HEADERS, *_REPLIER_HEADERS)):
        return True
    submitted = head.text("auto-submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or head.text("precedence").lower() in _BULK
        or head.text("return-path") == "<>"
        or head.parameters("content-type")[0] == "multipart/report"
        or address.partition("@")[0].lower() in _SERVERS
    )
