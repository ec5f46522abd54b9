"""Levels 3 to 5: what they compare is the chance to win that ``value`` has learned.

All of them play the role of a move to its end, by prices, and look at the table then. Levels 4 and
5 also look some roles ahead: everybody takes the role after which their own chance is best, and of
these tables the most promising are followed. They do so several times, with other tiles that turn
up, other VP chips of the others, and moves within the roles that are misjudged a little.

==============  ================================================================================
``value``       level 3: the table after the role
``lookahead``   level 4: two roles ahead
``far``         level 5: three roles ahead, more often
==============  ================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from porto_cli.core.chance import random_chance
from porto_cli.core.value import NamedTuple
from porto_cli.game import Move, View
from porto_cli.games.puerto_rico.engine.moves import TakeRole
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import DRAFT_PHASE, OVER, ROLE_PHASE, State
from porto_cli.games.puerto_rico.players.priced import best_move, priced_player
from porto_cli.games.puerto_rico.players.search import likely, promising, roles_played
from porto_cli.games.puerto_rico.players.value import Network, chances
from porto_cli.players.search import Search

WIDTH = 8
"""Moves that are looked at, at most: as many as there are roles."""


class Sight(NamedTuple):
    """How far a player looks."""

    simulations: int
    """How often, for a move, more or less."""
    depth: int
    """Roles that are looked ahead."""
    beam: int
    """Roles that are followed at each table."""


SHORT = Sight(simulations=16, depth=2, beam=3)
LONG = Sight(simulations=64, depth=3, beam=3)


def value_player(
    view: View, moves: Sequence[Move], rng: Random, *, network: Network | None = None
) -> Move:
    """Take the move after which the chance to win is best, once its role has been played."""
    state: State = view.table
    if len(moves) == 1 or state.phase == DRAFT_PHASE:
        return priced_player(view, moves, rng)
    found = promising(view, moves, rng, WIDTH)
    if len(found) == 1:
        return found[0]
    seat = state.seat
    return max(found, key=lambda move: chances(played(state, move), network)[seat])


def lookahead_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int | None = None,
    sight: Sight = SHORT,
    network: Network | None = None,
) -> Move:
    """Take the move after which the chance to win is best, some roles later."""
    state: State = view.table
    if len(moves) == 1 or state.phase == DRAFT_PHASE:
        return priced_player(view, moves, rng)
    search = Search(
        "puerto-rico",
        simulations=simulations or sight.simulations,
        propose=partial(promising, width=WIDTH),
        policy=likely,
        value=partial(foreseen, network=network, sight=sight),
        span=1,
        clock=roles_played,
    )
    return search(view, moves, rng)


def far_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int | None = None,
    sight: Sight = LONG,
    network: Network | None = None,
) -> Move:
    """Do the same, farther and more often."""
    return lookahead_player(view, moves, rng, simulations=simulations, sight=sight, network=network)


def foreseen(state: State, seat: int, *, network: Network | None, sight: Sight) -> float:
    """Return the chance of a player to win, if everybody takes the role that is best for them."""
    return _foreseen(state, network, sight.depth, sight.beam)[seat]


def _foreseen(state: State, network: Network | None, depth: int, beam: int) -> list[float]:
    if state.end_triggered or not depth:
        return chances(ended(state), network)
    seat = state.seat
    tables = [played(state, move) for move in roles(state)]
    if depth == 1:
        return max([chances(table, network) for table in tables], key=lambda found: found[seat])
    if len(tables) > beam:
        tables.sort(key=lambda table: -chances(table, network)[seat])
    return max(
        [_foreseen(table, network, depth - 1, beam) for table in tables[:beam]],
        key=lambda found: found[seat],
    )


def roles(state: State) -> list[Move]:
    """Return the moves that take a role; nobody declines the colonist."""
    return [
        move for move in legal_moves(state) if isinstance(move, TakeRole) and not move.no_colonist
    ]


def played(state: State, move: Move) -> State:
    """Return the table after a move and the rest of its role, if everybody plays by prices.

    Once the end is sure the game is played to the end. The random numbers are always the same.
    """
    chance = random_chance(Random(0))
    state, _ = apply(state, move, chance)
    while state.phase not in (ROLE_PHASE, OVER):
        state, _ = apply(state, best_move(state), chance)
    return ended(state)


def ended(state: State) -> State:
    """Return the final table of a game whose end is sure, if everybody plays by prices."""
    if state.end_triggered:
        chance = random_chance(Random(0))
        while state.phase != OVER:
            state, _ = apply(state, best_move(state), chance)
    return state
