"""Which rulings a move breaks, and why: all of them, with the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine import (
    builder,
    captain,
    craftsman,
    settler,
    storing,
    trader,
)
from porto_cli.games.puerto_rico.engine.builder import check_build
from porto_cli.games.puerto_rico.engine.captain import check_load, check_small_wharf
from porto_cli.games.puerto_rico.engine.craftsman import check_privilege
from porto_cli.games.puerto_rico.engine.draft import check_choice
from porto_cli.games.puerto_rico.engine.guests import RULE as GUEST_RULE
from porto_cli.games.puerto_rico.engine.guests import check_guest
from porto_cli.games.puerto_rico.engine.mayor import check_placement
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
from porto_cli.games.puerto_rico.engine.roles import check_role
from porto_cli.games.puerto_rico.engine.settler import check_tile
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
from porto_cli.games.puerto_rico.engine.storing import check_store
from porto_cli.games.puerto_rico.engine.trader import check_sale

_OCCASIONS: dict[str, Callable[[State], bool]] = {
    SETTLER_PHASE: settler.has_occasion,
    LIBRARY_PHASE: settler.has_occasion,
    BUILDER_PHASE: builder.has_occasion,
    PRIVILEGE_PHASE: craftsman.has_occasion,
    TRADER_PHASE: trader.has_occasion,
    CAPTAIN_PHASE: captain.has_occasion,
    STORE_PHASE: storing.has_occasion,
}
"""When a guest may move, where that is not always (PR-B-GUEST-HOUSE)."""

_WAITS_FOR: dict[str, str] = {
    DRAFT_PHASE: "{player} has to choose a building for the game.",
    ROLE_PHASE: "{player} has to take a role.",
    SETTLER_PHASE: "It is the settler phase: {player} takes a tile or passes.",
    LIBRARY_PHASE: "{player} may take a second tile, or passes.",
    MAYOR_PHASE: "It is the mayor phase: {player} places all colonists.",
    BUILDER_PHASE: "It is the builder phase: {player} builds or passes.",
    CRAFTSMAN_PHASE: "It is the craftsman phase: {player} moves a guest, or passes to produce.",
    PRIVILEGE_PHASE: "{player} may take a barrel of the goods just produced, or passes.",
    TRADER_PHASE: "It is the trader phase: {player} sells a barrel or passes.",
    CAPTAIN_PHASE: "It is the captain phase: {player} loads, or passes if nothing can be loaded.",
    STORE_PHASE: "{player} has to store barrels.",
}


def violations(state: State, move: Move, seat: int | None = None) -> list[Violation]:
    """Return every ruling that the move of a seat would break; none if it is legal.

    Raises TypeError if ``move`` is no move.
    """
    of_phase = is_of_phase(state, move)
    if state.phase == OVER:
        return [Violation("PR-TURN-1", say("The game is over."))]
    if seat is not None and seat != state.seat:
        return [
            Violation(
                "PR-TURN-1",
                say(
                    "It is for {mover} to decide, not for {player}.",
                    mover=state.config.players[state.seat],
                    player=state.config.players[seat],
                ),
            )
        ]
    if not of_phase:
        return [_out_of_phase(state, move)]
    return list(_check(state, move))


def _check(state: State, move: Move) -> Iterator[Violation]:
    match move:
        case Pass():
            return captain.check_pass(state) if state.phase == CAPTAIN_PHASE else iter(())
        case TakeRole():
            return check_role(state, move)
        case Take() if state.phase == PRIVILEGE_PHASE:
            return check_privilege(state, move)
        case Take():
            return check_tile(state, move)
        case Place():
            return check_placement(state, move)
        case Build():
            return check_build(state, move)
        case Sell():
            return check_sale(state, move)
        case Load():
            return check_load(state, move)
        case LoadSmallWharf():
            return check_small_wharf(state, move)
        case Store():
            return check_store(state, move)
        case Choose():
            return check_choice(state, move)
        case MoveGuest():
            occasion = _OCCASIONS.get(state.phase)
            return check_guest(state, move, occasion=not occasion or occasion(state))
        case _:
            raise TypeError(f"{move!r} is not a move")


def _out_of_phase(state: State, move: Move) -> Violation:
    """PR-TURN-1; passing, and moving a guest, break the ruling that forbids it now."""
    phase = state.phase
    if isinstance(move, Pass):
        rule = {
            ROLE_PHASE: "PR-OPTIONAL-1",
            MAYOR_PHASE: "PR-MAYOR-4",
            STORE_PHASE: "PR-STORE-2",
        }.get(phase, "PR-TURN-1")
        return Violation(rule, _waits(state))
    if isinstance(move, MoveGuest):
        return Violation(
            GUEST_RULE, say("Guests move neither in the draft nor in the mayor phase.")
        )
    return Violation("PR-TURN-1", _waits(state))


def _waits(state: State) -> Sentence:
    return say(_WAITS_FOR[state.phase], player=state.config.players[state.seat])
