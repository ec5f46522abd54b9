"""Search: play on from the moves that look best, for a round, and see where that leads."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from porto_cli.game import Move, View
from porto_cli.games.puerto_rico.engine.moves import Build, Take, TakeRole
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, MAYOR_PHASE, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players.outlook import Outlook
from porto_cli.games.puerto_rico.players.placement import placement
from porto_cli.games.puerto_rico.players.priced import (
    AT_ONCE,
    likely_move,
    priced_player,
    scorer,
)
from porto_cli.games.puerto_rico.players.prices import PRICES
from porto_cli.games.puerto_rico.players.value import chance_to_win
from porto_cli.players.search import Search

SIMULATIONS = 100
"""How often is played on for a move."""
WIDTH = 6
"""Moves that are looked at more closely."""
PLACEMENTS = 4
"""How many placements of colonists are."""
TRIES = 8
"""How many are thought of, some of which are the same."""
MISJUDGED = 0.6
"""By how much what a colonist brings is misjudged for them, up or down, at most."""
CREDIT = 0.02
"""How much it counts, as a chance to win, for each VP, what a move is worth by rules of thumb."""
NOISE = 0.3
"""By how many VP who plays in playouts misjudges moves, at most."""


def search_player(
    view: View, moves: Sequence[Move], luck: Random, *, simulations: int | None = None
) -> Move:
    """Play on from the best moves, so often in all, and take the one that turns out best.

    The buildings of the game are chosen as ``priced`` does: what that leads to is too far away.
    """
    if view.table.phase == DRAFT_PHASE:
        return priced_player(view, moves, luck)
    return searching(view.table, simulations or SIMULATIONS)(view, moves, luck)


def searching(state: State, simulations: int) -> Search:
    """Return who looks ahead at this table, for as many roles as there are players."""
    return Search(
        "puerto-rico",
        simulations=simulations,
        propose=promising,
        policy=likely,
        value=chance_to_win,
        credit=credit,
        span=state.config.seats,
        clock=roles_played,
    )


def roles_played(state: State) -> int:
    """Return how many roles have been played to their end."""
    taken = (state.round - 1) * state.config.box.turns + state.roles_taken
    return taken - (state.phase != ROLE_PHASE)


def likely(state: State, seat: int, luck: Random) -> Move:
    """Return a move of somebody who plays by prices, more or less."""
    return likely_move(state, luck, NOISE)


def promising(view: View, moves: Sequence[Move], luck: Random, width: int = WIDTH) -> list[Move]:
    """Return the moves that are worth a look, the best ones first; they need not be those given."""
    state: State = view.table
    outlook = Outlook(state, PRICES)
    if state.phase == MAYOR_PHASE:
        return _placements(outlook, luck)[:width]
    worth = scorer(outlook)
    sensible = [move for move in moves if not _is_odd(move)] or moves
    return sorted(sensible, key=worth, reverse=True)[:width]


def credit(view: View, moves: Sequence[Move]) -> list[float]:
    """Return what speaks for each move by rules of thumb: it decides where little differs."""
    state: State = view.table
    if state.phase == MAYOR_PHASE:
        return [-CREDIT * nth for nth in range(len(moves))]
    worth = scorer(Outlook(state, PRICES))
    return [CREDIT * min(AT_ONCE, max(-AT_ONCE, worth(move))) for move in moves]


def _is_odd(move: Move) -> bool:
    """Tell whether a move declines a colonist: that is hardly ever good."""
    return isinstance(move, TakeRole | Take | Build) and move.no_colonist


def _placements(outlook: Outlook, luck: Random) -> list[Move]:
    """Return the best placement by prices, and those of people who misjudge what places bring."""
    player = outlook.state.players[outlook.state.seat]

    def misjudged() -> float:
        return 1 + MISJUDGED * (2 * luck.random() - 1)

    found: dict[Move, None] = {placement(outlook, player): None}
    for _ in range(TRIES):
        found[placement(outlook, player, misjudged)] = None
    return list(found)[:PLACEMENTS]
