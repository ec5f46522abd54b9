"""Which moves are worth a closer look, and what is compared after playing on from them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from porto_cli.game import Move, View
from porto_cli.games.puerto_rico.engine.moves import Build, Take, TakeRole
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players.appraisal import Appraisal, Prices
from porto_cli.games.puerto_rico.players.priced import AT_ONCE, placement, scorer

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


def roles_played(state: State) -> int:
    """Return how many roles have been played to their end."""
    taken = (state.round - 1) * state.config.box.turns + state.roles_taken
    return taken if state.phase == ROLE_PHASE else taken - 1


def promising(
    view: View, moves: Sequence[Move], rng: Random, width: int, prices: Prices
) -> list[Move]:
    """Return the moves that are worth a look, the best ones first; they need not be those given."""
    state: State = view.table
    appraisal = Appraisal(state, prices)
    if state.phase == MAYOR_PHASE:
        return _placements(appraisal, rng)[:width]
    worth = scorer(appraisal)
    sensible = [move for move in moves if not _is_odd(move)] or moves
    return sorted(sensible, key=worth, reverse=True)[:width]


def credit(view: View, moves: Sequence[Move], prices: Prices) -> list[float]:
    """Return what speaks for each move by rules of thumb: it decides where little differs."""
    state: State = view.table
    if state.phase == MAYOR_PHASE:
        return [-CREDIT * nth for nth in range(len(moves))]
    worth = scorer(Appraisal(state, prices))
    return [CREDIT * min(AT_ONCE, max(-AT_ONCE, worth(move))) for move in moves]


def _is_odd(move: Move) -> bool:
    """Return whether a move declines a colonist: that is hardly ever good."""
    return isinstance(move, TakeRole | Take | Build) and move.no_colonist


def _placements(appraisal: Appraisal, rng: Random) -> list[Move]:
    """Return the best placement by prices, and those of people who misjudge what places bring."""
    player = appraisal.state.players[appraisal.state.seat]

    def misjudged() -> float:
        return 1 + MISJUDGED * (2 * rng.random() - 1)

    found: dict[Move, None] = {placement(appraisal, player): None}
    for _ in range(TRIES):
        found[placement(appraisal, player, misjudged)] = None
    return list(found)[:PLACEMENTS]
