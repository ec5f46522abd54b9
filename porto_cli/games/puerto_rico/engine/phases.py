"""Which moves belong to which phase (PR-TURN-1)."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.components import NO_GOOD, QUARRY
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    OVER,
    PHASES,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)

_PHASES_OF: dict[type[Move], frozenset[str]] = {
    Choose: frozenset({DRAFT_PHASE}),
    TakeRole: frozenset({ROLE_PHASE}),
    Take: frozenset({SETTLER_PHASE, LIBRARY_PHASE, PRIVILEGE_PHASE}),
    Place: frozenset({MAYOR_PHASE}),
    Build: frozenset({BUILDER_PHASE}),
    Sell: frozenset({TRADER_PHASE}),
    Load: frozenset({CAPTAIN_PHASE}),
    LoadSmallWharf: frozenset({CAPTAIN_PHASE}),
    Store: frozenset({STORE_PHASE}),
    MoveGuest: frozenset(PHASES) - {DRAFT_PHASE, MAYOR_PHASE, OVER},
    Pass: frozenset(
        {
            SETTLER_PHASE,
            LIBRARY_PHASE,
            BUILDER_PHASE,
            CRAFTSMAN_PHASE,
            PRIVILEGE_PHASE,
            TRADER_PHASE,
            CAPTAIN_PHASE,
        }
    ),
}


def is_of_phase(state: State, move: Move) -> bool:
    """Tell whether a move is one of the kind that is made in this phase.

    Raises TypeError if it is no move at all.
    """
    phase = state.phase
    phases = _PHASES_OF.get(type(move))
    if phases is None:
        raise TypeError(f"{move!r} is not a move")
    if phase not in phases:
        return False
    if isinstance(move, Take):
        if phase == PRIVILEGE_PHASE:
            return move.what < QUARRY and not move.forest and not move.no_colonist
        return move.second == NO_GOOD
    return True
