"""What a move leads to, with everything that follows by itself.

:func:`apply` trusts its move: ask :func:`~porto_cli.games.puerto_rico.engine.explain.violations`
first, or take it from :func:`~porto_cli.games.puerto_rico.engine.generate.legal_moves`.
"""

from __future__ import annotations

from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine.builder import pass_build, play_build
from porto_cli.games.puerto_rico.engine.captain import pass_load, play_load, play_small_wharf
from porto_cli.games.puerto_rico.engine.craftsman import (
    pass_privilege,
    pass_production,
    play_privilege,
)
from porto_cli.games.puerto_rico.engine.draft import play_choice
from porto_cli.games.puerto_rico.engine.events import Event
from porto_cli.games.puerto_rico.engine.generate import legal_moves
from porto_cli.games.puerto_rico.engine.guests import play_guest
from porto_cli.games.puerto_rico.engine.mayor import play_placement
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
from porto_cli.games.puerto_rico.engine.phases import is_of_phase
from porto_cli.games.puerto_rico.engine.roles import play_role
from porto_cli.games.puerto_rico.engine.settler import pass_tile, play_tile
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.engine.storing import play_store
from porto_cli.games.puerto_rico.engine.trader import pass_sale, play_sale


def apply(
    state: State, move: Move, chance: Chance, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move, and what happened; the state given is not changed.

    Moves that leave no choice are made at once (PR-AUTO-1); their events are marked ``auto``.
    Raises TypeError if ``move`` is no move, ValueError if it is none of this phase or this seat,
    and whatever ``chance`` raises.
    """
    if not is_of_phase(state, move) or seat not in (None, state.seat):
        raise ValueError(f"{move!r} cannot be made in phase {state.phase} by seat {seat}")
    new = state.copy()
    new.turn += 1
    events: list[Event] = []
    _play(new, move, chance, events)
    forced = forced_move(new)
    while forced is not None:
        first = len(events)
        _play(new, forced, chance, events)
        for event in events[first:]:
            event.auto = True
        forced = forced_move(new)
    return new, events


def forced_move(state: State) -> Move | None:
    """Return the move that makes itself, if there is one (PR-AUTO-1); never a role card."""
    if state.phase in (ROLE_PHASE, OVER):
        return None
    moves = legal_moves(state, limit=2)
    return moves[0] if len(moves) == 1 else None


def _play(state: State, move: Move, chance: Chance, events: list[Event]) -> None:
    match move:
        case Pass():
            _pass(state, chance, events)
        case TakeRole():
            play_role(state, move, events)
        case Take() if state.phase == PRIVILEGE_PHASE:
            play_privilege(state, move, events)
        case Take():
            play_tile(state, move, chance, events)
        case Place():
            play_placement(state, move, events)
        case Build():
            play_build(state, move, events)
        case Sell():
            play_sale(state, move, events)
        case Load():
            play_load(state, move, events)
        case LoadSmallWharf():
            play_small_wharf(state, move, events)
        case Store():
            play_store(state, move, events)
        case MoveGuest():
            play_guest(state, move, events)
        case Choose():
            play_choice(state, move, events)
        case _:
            raise TypeError(f"{move!r} is not a move")


def _pass(state: State, chance: Chance, events: list[Event]) -> None:
    phase = state.phase
    if phase == BUILDER_PHASE:
        pass_build(state, events)
    elif phase == CAPTAIN_PHASE:
        pass_load(state, events)
    elif phase == TRADER_PHASE:
        pass_sale(state, events)
    elif phase == CRAFTSMAN_PHASE:
        pass_production(state, events)
    elif phase == PRIVILEGE_PHASE:
        pass_privilege(state, events)
    else:
        pass_tile(state, chance, events)
