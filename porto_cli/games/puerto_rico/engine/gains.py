"""What players get: VP, doubloons, colonists, barrels; and that getting it may end the game.

These change the state that is being made by :func:`~porto_cli.games.puerto_rico.engine.play.apply`.
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine.components import plus
from porto_cli.games.puerto_rico.engine.events import Earned, EndTriggered, Event, Scored
from porto_cli.games.puerto_rico.engine.state import VP_END, State


def score(state: State, seat: int, reason: str, vp: int, events: list[Event]) -> None:
    """Give a player VP from the pool; negative ones go back to it (PR-VP-1, PR-END-3)."""
    if not vp:
        return
    state.players[seat].vp += vp
    events.append(Scored(seat, reason, vp))
    if vp > 0 and VP_END not in state.end_triggered and state.vp_left <= 0:
        trigger_end(state, VP_END, events)


def earn(state: State, seat: int, reason: str, doubloons: int, events: list[Event]) -> None:
    """Give a player doubloons; negative ones are paid (PR-OPTIONAL-1: always in full)."""
    if doubloons:
        state.players[seat].doubloons += doubloons
        events.append(Earned(seat, reason, doubloons))


def trigger_end(state: State, reason: str, events: list[Event]) -> None:
    """Note that the game ends with this round, once for each reason (PR-END-4)."""
    if reason not in state.end_triggered:
        state.end_triggered += (reason,)
        events.append(EndTriggered(reason))


def colonist_available(state: State) -> bool:
    """Tell whether a colonist could come with a tile or a building (PR-B-HOSPICE)."""
    return state.supply > 0 or state.ship > 0


def bring_colonist(state: State, seat: int, place: int) -> bool:
    """Put a colonist from the supply, else from the ship, on a place; tell whether one was left.

    PR-B-HOSPICE, PR-B-UNIVERSITY.
    """
    if state.supply:
        state.supply -= 1
    elif state.ship:
        state.ship -= 1
    else:
        return False
    player = state.players[seat]
    player.colonists = plus(player.colonists, place, 1)
    return True


def return_barrels(state: State, good: int, number: int) -> None:
    """Put barrels back into the supply; a negative number takes them out of it."""
    state.goods_supply = plus(state.goods_supply, good, number)
