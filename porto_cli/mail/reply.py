"""The answer that begins with a click: a link of a mail or a page that opens a mail with a move.

The move is in the words of the record, above a line that names the game and its state, so that the
answer is understood without anything that a mail program may add, change or leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from porto_cli.core.message import say
from porto_cli.mail.threads import ABOUT, Named, reference


class ReplyTo(NamedTuple):
    """What the answers to one mail have in common.

    ``address``     where they go; empty if it is not known, for the reader to fill in
    ``subject``     that of the mail, without ``Re:``
    ``message_id``  that of the mail, with its angle brackets
    ``named``       the game and the state that the mail is about
    """

    address: str
    subject: str
    message_id: str
    named: Named

    def body(self, moves: Sequence[str]) -> str:
        """Return the text of an answer with these moves, in the order in which they are played."""
        return "\n".join([*moves, "", str(say(ABOUT, reference=reference(self.named))), ""])

    def link(self, moves: Sequence[str]) -> str:
        """Return a ``mailto:`` link (RFC 6068) that begins an answer with these moves."""
        fields = {
            "subject": f"Re: {self.subject}",
            "In-Reply-To": self.message_id,
            "body": self.body(moves).replace("\n", "\r\n"),
        }
        written = "&".join(f"{name}={quote(text, safe='')}" for name, text in fields.items())
        return f"mailto:{quote(self.address, safe='@')}?{written}"
