"""The moves of all phases: which are legal, why others are not, and what each of them leads to.

Taking a role card, which begins a phase, is here as well. :func:`violations` returns every ruling
that a move breaks, with the numbers. :func:`apply` does not check its move: ask :func:`violations`
first, or take it from :func:`legal_moves`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porto_cli.core.chance import Chance
from porto_cli.core.message import Refusals, Violation
from porto_cli.games.puerto_rico.engine.builder import (
    begin_builder,
    count_builds,
    has_building_decision,
    legal_builds,
    pass_build,
    play_build,
    refuse_build,
)
from porto_cli.games.puerto_rico.engine.captain import (
    begin_captain,
    count_loads,
    has_loading_decision,
    has_storing_decision,
    legal_loads,
    legal_stores,
    pass_load,
    play_load,
    play_small_wharf,
    play_store,
    refuse_load,
    refuse_pass,
    refuse_small_wharf,
    refuse_store,
)
from porto_cli.games.puerto_rico.engine.components import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    LIBRARY,
    MAYOR,
    NO_GOOD,
    QUARRY,
    ROLES,
    SETTLER,
    TRADER,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import (
    begin_craftsman,
    begin_trader,
    has_privilege_decision,
    has_sale_decision,
    legal_before_production,
    legal_privileges,
    legal_sales,
    pass_privilege,
    pass_production,
    pass_sale,
    play_privilege,
    play_sale,
    refuse_privilege,
    refuse_sale,
)
from porto_cli.games.puerto_rico.engine.effects import (
    earn,
    end_role,
    guest_moves,
    play_guest,
    refuse_guest,
)
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    Choose,
    Event,
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
    TookRole,
)
from porto_cli.games.puerto_rico.engine.settler_mayor import (
    begin_mayor,
    begin_settler,
    count_placements,
    has_tile_decision,
    legal_placements,
    legal_tiles,
    only_placement,
    pass_tile,
    play_placement,
    play_tile,
    refuse_placement,
    refuse_tile,
)
from porto_cli.games.puerto_rico.engine.setup import legal_choices, play_choice, refuse_choice
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PHASES,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)

_TAKE = tuple(TakeRole(role) for role in range(len(ROLES)))
_MAYOR_WITHOUT = TakeRole(MAYOR, no_colonist=True)


def legal_roles(state: State) -> list[Move]:
    """Return the role cards that can be taken (PR-ROUND-2, PR-ROLE-1, PR-MAYOR-1)."""
    taken = state.taken
    moves: list[Move] = [_TAKE[role] for role in state.config.box.roles if taken[role] == NOBODY]
    if taken[MAYOR] == NOBODY and state.supply:
        moves.append(_MAYOR_WITHOUT)
    moves += guest_moves(state)
    return moves


def refuse_role(state: State, move: TakeRole) -> Refusals:
    """Return why this role card cannot be taken, or not without its colonist."""
    role, name = move.role, ROLES[move.role]
    if role not in state.config.box.roles:
        yield "PR-SETUP-2", f"There is no {name} with {state.config.seats} players."
    elif state.taken[role] != NOBODY:
        owner = state.config.players[state.taken[role]]
        yield "PR-ROLE-1", f"{owner} has already taken the {name} this round."
    if move.no_colonist:
        if role != MAYOR:
            yield "PR-MAYOR-1", f"The {name} card brings no colonist."
        elif not state.supply:
            yield "PR-MAYOR-1", "The supply is empty, so no colonist comes with the mayor."


def play_role(state: State, move: TakeRole, events: list[Event]) -> None:
    """Take a card and the doubloons on it, and begin the role (PR-ROLE-1)."""
    seat, role = state.seat, move.role
    doubloons = state.role_doubloons[role]
    state.taken = (*state.taken[:role], seat, *state.taken[role + 1 :])
    state.chooser = seat
    state.role = role
    events.append(TookRole(seat=seat, role=role, no_colonist=move.no_colonist))
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


def begun(state: State, move: TakeRole) -> tuple[State, list[Event]]:
    """Return a role as it begins, before anybody decides anything in it, and what happened.

    ``move`` is legal. With the craftsman all have produced, as if no guest moved
    (PR-B-GUEST-HOUSE). Nothing is turned up before the end of a role, so no chance is needed.
    """
    new = state.successor()
    events: list[Event] = []
    play_role(new, move, events)
    while new.phase == CRAFTSMAN_PHASE:
        pass_production(new, events)
    return new, events


def _prospect(state: State, events: list[Event]) -> None:
    """PR-PROSPECTOR-1, PR-B-LIBRARY."""
    library = state.players[state.seat].colonists[LIBRARY]
    earn(state, state.seat, "prospector", 2 if library else 1, events)
    end_role(state, events)


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
    """Return whether a move is one of the kind that is made in this phase.

    Raises TypeError if it is not a move at all.
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


_OCCASIONS: dict[str, Callable[[State], bool]] = {
    SETTLER_PHASE: has_tile_decision,
    LIBRARY_PHASE: has_tile_decision,
    BUILDER_PHASE: has_building_decision,
    PRIVILEGE_PHASE: has_privilege_decision,
    TRADER_PHASE: has_sale_decision,
    CAPTAIN_PHASE: has_loading_decision,
    STORE_PHASE: has_storing_decision,
}
"""When a guest may move, where that is not always (PR-B-GUEST-HOUSE)."""

_WAITS_FOR: dict[str, str] = {
    DRAFT_PHASE: "choose a building for the game",
    ROLE_PHASE: "take a role",
    SETTLER_PHASE: "take a tile or pass",
    LIBRARY_PHASE: "take a second tile or pass",
    MAYOR_PHASE: "place all colonists",
    BUILDER_PHASE: "build or pass",
    CRAFTSMAN_PHASE: "move a guest, or pass to produce",
    PRIVILEGE_PHASE: "take one of the goods just produced or pass",
    TRADER_PHASE: "sell a barrel or pass",
    CAPTAIN_PHASE: "load, or pass if nothing can be loaded",
    STORE_PHASE: "store barrels",
}
"""What the player to move must do in each phase."""

_NO_PASS = {ROLE_PHASE: "PR-OPTIONAL-1", MAYOR_PHASE: "PR-MAYOR-4", STORE_PHASE: "PR-STORE-2"}
"""The rulings that forbid to pass."""


def violations(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every ruling that the move of a seat would break; none if it is legal.

    Raises TypeError if ``move`` is not a move.
    """
    of_phase = is_of_phase(state, move)
    return [Violation(rule, why) for rule, why in _refuse(state, move, seat, of_phase)]


def _refuse(state: State, move: Move, seat: int | None, of_phase: bool) -> Refusals:
    players, phase = state.config.players, state.phase
    mover = players[state.seat]
    if phase == OVER:
        yield "PR-TURN-1", "The game is over."
    elif seat is not None and seat != state.seat:
        yield "PR-TURN-1", f"It is {mover}'s turn, not {players[seat]}'s."
    elif of_phase:
        yield from _ROWS[type(move)](state, move)
    elif isinstance(move, MoveGuest):
        yield "PR-B-GUEST-HOUSE", "Guests move neither in the draft nor in the mayor phase."
    else:
        rule = _NO_PASS.get(phase, "PR-TURN-1") if isinstance(move, Pass) else "PR-TURN-1"
        when = f"It is the {ROLES[state.role]} phase: " if state.role != NO_ROLE else ""
        yield rule, f"{when}{mover} must {_WAITS_FOR[phase]}."


def _refuse_take(state: State, move: Take) -> Refusals:
    refuse = refuse_privilege if state.phase == PRIVILEGE_PHASE else refuse_tile
    return refuse(state, move)


def _refuse_guest(state: State, move: MoveGuest) -> Refusals:
    occasion = _OCCASIONS.get(state.phase)
    return refuse_guest(state, move, occasion=not occasion or occasion(state))


def _refuse_pass(state: State, _: Pass) -> Refusals:
    return refuse_pass(state) if state.phase == CAPTAIN_PHASE else iter(())


_ROWS: dict[type[Move], Callable[[State, Any], Refusals]] = {
    Choose: refuse_choice,
    TakeRole: refuse_role,
    Take: _refuse_take,
    Place: refuse_placement,
    Build: refuse_build,
    Sell: refuse_sale,
    Load: refuse_load,
    LoadSmallWharf: refuse_small_wharf,
    Store: refuse_store,
    MoveGuest: _refuse_guest,
    Pass: _refuse_pass,
}


def apply(
    state: State, move: Move, chance: Chance, seat: int | None = None
) -> tuple[State, list[Event]]:
    """Return the state after a legal move, and what happened; the state given is not changed.

    Moves that leave no choice are made at once (PR-AUTO-1); their events are marked ``auto``.
    Raises TypeError if ``move`` is not a move, ValueError if it is none of this phase or this seat,
    and whatever ``chance`` raises.
    """
    if not is_of_phase(state, move) or seat not in (None, state.seat):
        raise ValueError(f"{move!r} cannot be made in phase {state.phase} by seat {seat}")
    new = state.successor()
    events: list[Event] = []
    _play(new, move, chance, events)
    chosen = len(events)
    forced = forced_move(new)
    while forced is not None:
        _play(new, forced, chance, events)
        forced = forced_move(new)
    for event in events[chosen:]:
        # Nobody has seen it yet, so it can still be changed.
        vars(event)["auto"] = True
    return new, events


def forced_move(state: State) -> Move | None:
    """Return the move that makes itself, if there is one (PR-AUTO-1); never a role card."""
    phase = state.phase
    if phase in (ROLE_PHASE, OVER):
        return None
    if phase == MAYOR_PHASE:
        return only_placement(state)
    some = _SOME.get(phase)
    moves = some(state, 2) if some else _ALL[phase](state)
    return moves[0] if len(moves) == 1 else None


_PLAY: dict[type[Move], Callable[[State, Any, list[Event]], None]] = {
    TakeRole: play_role,
    Place: play_placement,
    Build: play_build,
    Sell: play_sale,
    Load: play_load,
    LoadSmallWharf: play_small_wharf,
    Store: play_store,
    MoveGuest: play_guest,
    Choose: play_choice,
}
"""What moves do in which nothing comes up, and which mean the same in every phase."""


_PASS: dict[str, Callable[[State, list[Event]], None]] = {
    BUILDER_PHASE: pass_build,
    CRAFTSMAN_PHASE: pass_production,
    PRIVILEGE_PHASE: pass_privilege,
    TRADER_PHASE: pass_sale,
    CAPTAIN_PHASE: pass_load,
}
"""What passing does where nothing comes up then."""


def _play(state: State, move: Move, chance: Chance, events: list[Event]) -> None:
    kind, phase = type(move), state.phase
    if kind is Pass and phase in _PASS:
        _PASS[phase](state, events)
    elif kind in _PLAY:
        _PLAY[kind](state, move, events)
    elif isinstance(move, Take):
        if phase == PRIVILEGE_PHASE:
            play_privilege(state, move, events)
        else:
            play_tile(state, move, chance, events)
    else:
        pass_tile(state, chance, events)
