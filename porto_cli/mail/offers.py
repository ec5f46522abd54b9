"""The moves that a mail offers to its reader, to be chosen by a click."""

from __future__ import annotations

from porto_cli.match.replay import Replay
from porto_cli.ui import ui_of
from porto_cli.ui_values import MOST_OFFERED, MoveGroup, MoveOffer


def groups(replay: Replay, seat: int, *, private: bool) -> tuple[MoveGroup, ...]:
    """Return the moves that a mail offers a seat: legal now, a limited number, the best-scoring
    first; none if it is not the seat's turn.

    With ``private`` the reader alone gets the mail, so that they may show what only the seat knows.
    """
    if seat not in replay.game.to_move(replay.state):
        return ()
    found, left = [], MOST_OFFERED
    for group in ui_of(replay.game.meta.id).move_groups(replay, seat, private=private):
        offers = group.offers[:left]
        left -= len(offers)
        if offers:
            found.append(group._replace(offers=offers))
    return tuple(found)


def in_words(offer: MoveOffer) -> str:
    """Return what a player writes in a line to choose an offer."""
    return "; ".join(offer.moves)
