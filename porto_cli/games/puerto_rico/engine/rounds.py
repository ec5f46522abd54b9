"""Who comes next: players within a phase, roles within a round, rounds, the end."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.events import Ended, Event, GuestMoved, RoundBegan
from porto_cli.games.puerto_rico.engine.scoring import homes_of_guests, house_guest
from porto_cli.games.puerto_rico.engine.state import (
    NO_ROLE,
    NOBODY,
    OVER,
    ROLE_PHASE,
    State,
)


def begin_phase(state: State, phase: str) -> None:
    """Begin a phase with the chooser (PR-ROLE-2)."""
    state.phase = phase
    state.seat = state.chooser


def next_player(state: State) -> bool:
    """Go on clockwise; return False when everybody has had a turn (PR-ROLE-2)."""
    state.seat = (state.seat + 1) % state.config.seats
    return state.seat != state.chooser


def end_role(state: State, events: list[Event]) -> None:
    """A role has been played: go on with the next player, round or the end.

    PR-ROUND-1, PR-ROUND-3, PR-TWO-2, PR-END-4.
    """
    state.chooser = NOBODY
    state.role = NO_ROLE
    taken = state.roles_taken
    if taken == state.config.box.turns:
        if state.end_triggered:
            _end(state, events)
            return
        _end_round(state, events)
        taken = 0
    state.phase = ROLE_PHASE
    state.seat = (state.governor + taken) % state.config.seats


def _end_round(state: State, events: list[Event]) -> None:
    """PR-ROUND-3."""
    in_game = state.config.box.roles
    state.role_doubloons = tuple(
        doubloons + (role in in_game and state.taken[role] == NOBODY)
        for role, doubloons in enumerate(state.role_doubloons)
    )
    state.taken = (NOBODY,) * len(state.taken)
    state.round += 1
    events.append(RoundBegan(state.round, state.governor))


def _end(state: State, events: list[Event]) -> None:
    """PR-END-4, PR-SCORE-4."""
    state.phase = OVER
    for seat, player in enumerate(state.players):
        for place in homes_of_guests(player):
            house_guest(player, place)
            events.append(GuestMoved(seat, place))
    events.append(Ended())
