"""Taking a role card, and what begins with it."""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.builder import begin_builder
from porto_cli.games.puerto_rico.engine.captain import begin_captain
from porto_cli.games.puerto_rico.engine.components import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    LIBRARY,
    MAYOR,
    ROLES,
    SETTLER,
    TRADER,
)
from porto_cli.games.puerto_rico.engine.craftsman import begin_craftsman
from porto_cli.games.puerto_rico.engine.events import Event, TookRole
from porto_cli.games.puerto_rico.engine.gains import earn
from porto_cli.games.puerto_rico.engine.guests import guest_moves
from porto_cli.games.puerto_rico.engine.mayor import begin_mayor
from porto_cli.games.puerto_rico.engine.moves import Move, TakeRole
from porto_cli.games.puerto_rico.engine.rounds import end_role
from porto_cli.games.puerto_rico.engine.settler import begin_settler
from porto_cli.games.puerto_rico.engine.state import NOBODY, State
from porto_cli.games.puerto_rico.engine.trader import begin_trader

_TAKE = tuple(TakeRole(role) for role in range(len(ROLES)))
_MAYOR_WITHOUT = TakeRole(MAYOR, no_colonist=True)


def legal_roles(state: State) -> list[Move]:
    """Return the role cards that can be taken (PR-ROUND-2, PR-ROLE-1, PR-MAYOR-1)."""
    taken = state.taken
    moves: list[Move] = [_TAKE[role] for role in state.config.box.roles if taken[role] == NOBODY]
    if taken[MAYOR] == NOBODY and state.supply:
        moves.append(_MAYOR_WITHOUT)
    return moves + guest_moves(state)


def check_role(state: State, move: TakeRole) -> Iterator[Violation]:
    """PR-SETUP-2, PR-ROLE-1, PR-MAYOR-1."""
    role = move.role
    if role not in state.config.box.roles:
        yield Violation(
            "PR-SETUP-2",
            say(
                "There is no {role} with {players} players.",
                role=ROLES[role],
                players=state.config.seats,
            ),
        )
    elif state.taken[role] != NOBODY:
        yield Violation(
            "PR-ROLE-1",
            say(
                "{player} has taken the {role} in this round.",
                player=state.config.players[state.taken[role]],
                role=ROLES[role],
            ),
        )
    if move.no_colonist:
        if role != MAYOR:
            yield Violation(
                "PR-MAYOR-1", say("No colonist comes with the {role}.", role=ROLES[role])
            )
        elif not state.supply:
            yield Violation(
                "PR-MAYOR-1",
                say("The supply is empty, so that no colonist would come with the mayor."),
            )


def play_role(state: State, move: TakeRole, events: list[Event]) -> None:
    """Take a card and the doubloons on it, and begin the role (PR-ROLE-1)."""
    seat, role = state.seat, move.role
    doubloons = state.role_doubloons[role]
    state.taken = (*state.taken[:role], seat, *state.taken[role + 1 :])
    state.chooser = seat
    state.role = role
    events.append(TookRole(seat, role, move.no_colonist))
    if doubloons:
        state.role_doubloons = (*state.role_doubloons[:role], 0, *state.role_doubloons[role + 1 :])
        earn(state, seat, "role", doubloons, events)
    if role == SETTLER:
        begin_settler(state)
    elif role == MAYOR:
        begin_mayor(state, move.no_colonist, events)
    elif role == BUILDER:
        begin_builder(state)
    elif role == CRAFTSMAN:
        begin_craftsman(state, events)
    elif role == TRADER:
        begin_trader(state)
    elif role == CAPTAIN:
        begin_captain(state, events)
    else:
        _prospect(state, events)


def _prospect(state: State, events: list[Event]) -> None:
    """PR-PROSPECTOR-1, PR-B-LIBRARY."""
    library = state.players[state.seat].colonists[LIBRARY]
    earn(state, state.seat, "prospector", 2 if library else 1, events)
    end_role(state, events)
