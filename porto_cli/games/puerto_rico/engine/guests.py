"""Guests: colonists in the Guest House, who move within any decision of their owner.

Each phase says for itself when there is an occasion: where nobody would be asked, the owner of
guests is not asked either (PR-B-GUEST-HOUSE).
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import GUEST_HOUSE, PLACES
from porto_cli.games.puerto_rico.engine.events import Event, GuestMoved
from porto_cli.games.puerto_rico.engine.moves import Move, MoveGuest
from porto_cli.games.puerto_rico.engine.scoring import house_guest
from porto_cli.games.puerto_rico.engine.state import State

RULE = "PR-B-GUEST-HOUSE"

_MOVES = tuple(MoveGuest(place) for place in range(len(PLACES)))


def guest_moves(state: State) -> list[Move]:
    """Return where a guest of the player to move could go, on any occasion."""
    player = state.players[state.seat]
    if not player.colonists[GUEST_HOUSE]:
        return []
    return [_MOVES[place] for place in player.places_for_guests()]


def check_guest(state: State, move: MoveGuest, *, occasion: bool) -> Iterator[Violation]:
    """PR-B-GUEST-HOUSE."""
    player = state.players[state.seat]
    name = state.config.players[state.seat]
    if not player.colonists[GUEST_HOUSE]:
        yield Violation(RULE, say("{player} has no guest in a Guest House.", player=name))
    if move.place == GUEST_HOUSE:
        yield Violation(RULE, say("A guest moves out of the Guest House, not within it."))
    elif player.empty_circles(move.place) <= 0:
        yield Violation(
            RULE,
            say(
                "{player} has no empty circle on {place}.",
                player=name,
                place=PLACES[move.place],
            ),
        )
    if not occasion:
        yield Violation(
            RULE,
            say("{player} has nothing to decide now, so that no guest moves.", player=name),
        )


def play_guest(state: State, move: MoveGuest, events: list[Event]) -> None:
    """Move a guest; the decision is still to be made."""
    house_guest(state.players[state.seat], move.place)
    events.append(GuestMoved(state.seat, move.place))
