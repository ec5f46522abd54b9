"""Levels 3 to 5: what they compare is the chance to win that ``value`` has learned.

Level 3 plays each role to its end, by prices, looks at the table then, and takes the one after
which its chance to win is best; within roles it goes by prices, which were learned as well. That is
quick, and playing on as level 3 tells more about a table than looking at it. So levels 4 and 5 play
on from each move, with other tiles that turn up, other VP chips of the others and everything
misjudged a little, until all have had their roles, and take the mean of the chances at the tables
that they come to. What level 3 sees counts as well, where a role is taken: they play on only a few
times.

==============  ================================================================================
``value``       level 3: the table after the role
``lookahead``   level 4: playing on for a round
``far``         level 5: the same, more often
==============  ================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import sqrt
from random import Random

from porto_cli.core.chance import Chance, random_chance
from porto_cli.game import Move, View
from porto_cli.games.puerto_rico.engine.moves import Pass, Take, TakeRole
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    OVER,
    ROLE_PHASE,
    SETTLER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.players.appraisal import Appraisal, Prices
from porto_cli.games.puerto_rico.players.candidates import NOISE, credit, promising, roles_played
from porto_cli.games.puerto_rico.players.priced import (
    best_move,
    likely_move,
    priced_player,
    role_worths,
)
from porto_cli.games.puerto_rico.players.value import Network, chances, network_of
from porto_cli.players.search import Search

WIDTH = 8
"""Moves that are looked at, at most: as many as there are roles."""
NARROW = 4
"""Roles that are looked at when playing on."""
MISJUDGED = 0.02
"""By how much chances to win are misjudged when playing on, at most."""
PRIOR = 2.0
"""The weight of the chance at the table after a role, compared with the mean of those after playing
on, times the square root of how often is played on: the more often, the less it counts."""
LONGEST = 30
"""Rounds after which prices decide: who fears the end could put it off for ever, with others who
take someone else to be ahead, as VP chips are hidden."""
SHORT, LONG = 16, 64
"""How often levels 4 and 5 play on for a move, more or less."""


def value_player(
    view: View, moves: Sequence[Move], rng: Random, *, network: Network | None = None
) -> Move:
    """Take the role after which the chance to win is best; within roles go by prices."""
    state: State = view.table
    network = network or network_of(state.config.seats)
    if len(moves) == 1 or state.phase != ROLE_PHASE or state.round > LONGEST:
        return priced_player(view, moves, rng, prices=network.prices)
    seat = state.seat
    found = promising(view, moves, rng, WIDTH, network.prices)
    return max(found, key=lambda move: chances(played(state, move, network), network)[seat])


def lookahead_player(
    view: View,
    moves: Sequence[Move],
    rng: Random,
    *,
    simulations: int = SHORT,
    network: Network | None = None,
) -> Move:
    """Play on from the best moves, and take the one after which the chance to win is best."""
    state: State = view.table
    network = network or network_of(state.config.seats)
    if len(moves) == 1 or state.phase == DRAFT_PHASE or state.round > LONGEST:
        return priced_player(view, moves, rng, prices=network.prices)
    search = Search(
        "puerto-rico",
        simulations=simulations,
        propose=partial(worth_a_try, prices=network.prices),
        policy=partial(soon, network=network),
        value=partial(chance_to_win, network=network),
        credit=partial(prior, network=network, simulations=simulations),
        span=state.config.box.turns,
        clock=roles_played,
    )
    return search(view, moves, rng)


far_player = partial(lookahead_player, simulations=LONG)
"""Do the same, more often."""


def worth_a_try(
    view: View, moves: Sequence[Move], rng: Random, *, prices: Prices
) -> Sequence[Move]:
    """Return the moves to play on from. While there is a tile to take, passing is not one of them:
    now and then it looks as good, but in whole games it is about 2 VP worse.
    """
    state: State = view.table
    if state.phase == SETTLER_PHASE and any(isinstance(move, Take) for move in moves):
        moves = [move for move in moves if not isinstance(move, Pass)]
    return promising(view, moves, rng, WIDTH, prices)


def soon(state: State, seat: int, rng: Random, *, network: Network | None = None) -> Move:
    """Return about the move of level 3, as it is made when playing on."""
    network = network or network_of(state.config.seats)
    if state.phase != ROLE_PHASE:
        return likely_move(state, rng, NOISE, network.prices)
    worth = role_worths(Appraisal(state, network.prices))
    # Nobody declines the colonist.
    roles = [
        move for move in legal_moves(state) if isinstance(move, TakeRole) and not move.no_colonist
    ]
    found = sorted(roles, key=worth, reverse=True)[:NARROW]
    return max(
        found,
        key=lambda move: (
            chances(played(state, move, network), network)[seat] + MISJUDGED * rng.random()
        ),
    )


def chance_to_win(state: State, seat: int, *, network: Network) -> float:
    """Return the chance of a player to win, as a table between two roles tells it."""
    return chances(ended(state, network), network)[seat]


def prior(view: View, moves: Sequence[Move], *, network: Network, simulations: int) -> list[float]:
    """Return what speaks for each move without playing on: by prices within roles, where it decides
    if little differs, and by the table after it where a role is taken.
    """
    state: State = view.table
    if state.phase != ROLE_PHASE:
        return credit(view, moves, network.prices)
    seat = state.seat
    weight = PRIOR / sqrt(simulations)
    return [weight * chances(played(state, move, network), network)[seat] for move in moves]


def played(state: State, move: Move, network: Network) -> State:
    """Return the table after a move and the rest of its role, if everybody plays by prices.

    Once the end is sure the game is played to the end. The random numbers are always the same.
    """
    chance = random_chance(Random(0))
    state, _ = apply(state, move, chance)
    return ended(settled(state, network, chance), network)


def settled(state: State, network: Network, chance: Chance) -> State:
    """Return the table after the role that is played, if everybody plays by prices."""
    while state.phase not in (DRAFT_PHASE, ROLE_PHASE, OVER):
        state, _ = apply(state, best_move(state, prices=network.prices), chance)
    return state


def ended(state: State, network: Network) -> State:
    """Return the final table of a game whose end is sure, if everybody plays by prices."""
    if state.end_triggered:
        chance = random_chance(Random(0))
        while state.phase != OVER:
            state, _ = apply(state, best_move(state, prices=network.prices), chance)
    return state
