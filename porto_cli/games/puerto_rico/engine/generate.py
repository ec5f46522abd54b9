"""Which moves are legal: a list, and how many there are.

Placements, and the loads of a Small Wharf, can be too many to be listed: ask
:func:`count_moves` first, or give :func:`legal_moves` a limit.
"""

from __future__ import annotations

from collections.abc import Callable

from porto_cli.games.puerto_rico.engine.builder import count_builds, legal_builds
from porto_cli.games.puerto_rico.engine.captain import count_loads, legal_loads
from porto_cli.games.puerto_rico.engine.craftsman import legal_before_production, legal_privileges
from porto_cli.games.puerto_rico.engine.draft import legal_choices
from porto_cli.games.puerto_rico.engine.mayor import count_placements, legal_placements
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.roles import legal_roles
from porto_cli.games.puerto_rico.engine.settler import legal_tiles
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.engine.storing import legal_stores
from porto_cli.games.puerto_rico.engine.trader import legal_sales

_ALL: dict[str, Callable[[State], list[Move]]] = {
    DRAFT_PHASE: legal_choices,
    ROLE_PHASE: legal_roles,
    SETTLER_PHASE: legal_tiles,
    LIBRARY_PHASE: legal_tiles,
    CRAFTSMAN_PHASE: legal_before_production,
    PRIVILEGE_PHASE: legal_privileges,
    TRADER_PHASE: legal_sales,
    STORE_PHASE: legal_stores,
}
"""Phases with few moves."""

_ALL_OF_THEM = 1 << 62
"""A limit that no list reaches."""

_SOME: dict[str, Callable[[State, int], list[Move]]] = {
    MAYOR_PHASE: legal_placements,
    BUILDER_PHASE: legal_builds,
    CAPTAIN_PHASE: legal_loads,
}
"""Phases that can have too many moves; they stop at a limit, or soon after."""

_COUNTS: dict[str, Callable[[State], int]] = {
    MAYOR_PHASE: count_placements,
    BUILDER_PHASE: count_builds,
    CAPTAIN_PHASE: count_loads,
}


def legal_moves(state: State, seat: int | None = None, limit: int | None = None) -> list[Move]:
    """Return the legal moves of a seat (of the player to move, if not said).

    That is every one of them, or the first ``limit``. Who is not to move has none.
    """
    phase = state.phase
    if phase == OVER or (seat is not None and seat != state.seat):
        return []
    if phase in _SOME:
        moves = _SOME[phase](state, _ALL_OF_THEM if limit is None else limit)
    else:
        moves = _ALL[phase](state)
    return moves if limit is None else moves[:limit]


def count_moves(state: State, seat: int | None = None) -> int:
    """Return how many legal moves a seat has; what cannot be listed is computed."""
    if state.phase == OVER or (seat is not None and seat != state.seat):
        return 0
    count = _COUNTS.get(state.phase)
    return count(state) if count else len(_ALL[state.phase](state))
