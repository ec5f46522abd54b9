"""The moves that a mail or a page offers, and the answer that a click on one of them begins.

The answer has the moves in the words of the record, above a line that names the game and its state,
so that it is understood without anything that a mail program may add, change or leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from porto_cli.mail.threads import ABOUT, Named, reference
from porto_cli.match.replay import Replay
from porto_cli.move_list import MOST_OFFERED, MoveGroup, MoveOffer

FEW = 12
"""Moves that are listed in a text, and stand above the table."""


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
        return "\n".join([*moves, "", f"{ABOUT} {reference(self.named)}", ""])

    def link(self, moves: Sequence[str]) -> str:
        """Return a ``mailto:`` link (RFC 6068) that begins an answer with these moves."""
        fields = {
            "subject": f"Re: {self.subject}",
            "In-Reply-To": self.message_id,
            "body": self.body(moves).replace("\n", "\r\n"),
        }
        written = "&".join(f"{name}={quote(text, safe='')}" for name, text in fields.items())
        return f"mailto:{quote(self.address, safe='@')}?{written}"


class Offers(NamedTuple):
    """The moves that one reader can choose from.

    ``groups``   those that are offered one by one, the best-scoring first
    ``reply``    the answer; ``None`` if nobody else can play the moves
    ``sender``   who plays them for the reader
    ``private``  whether they show what only the reader may know
    """

    groups: tuple[MoveGroup, ...]
    reply: ReplyTo | None
    sender: str
    private: bool

    @property
    def are_few(self) -> bool:
        """Whether they are so few that they can stand above the table, and be listed as text."""
        return sum(len(group.offers) for group in self.groups) <= FEW


def groups(replay: Replay, seat: int, *, private: bool) -> tuple[MoveGroup, ...]:
    """Return the moves that a mail offers a seat: legal now, a limited number, the best-scoring
    first; none if it is not the seat's turn.

    With ``private`` the reader alone gets the mail, so that they may show what only the seat knows.
    """
    if seat not in replay.game.to_move(replay.state):
        return ()
    found, left = [], MOST_OFFERED
    for group in replay.game.words.move_groups(replay.state, seat, private=private):
        offers = group.offers[:left]
        left -= len(offers)
        if offers:
            found.append(group._replace(offers=offers))
    return tuple(found)


def in_words(offer: MoveOffer) -> str:
    """Return what a player writes in a line to choose an offer."""
    return "; ".join(offer.moves)
