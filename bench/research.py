"""What research asks of porto: how fast games are played, and how well a search of OpenSpiel plays.

    python -m bench.research steps               decisions a second: engine, PettingZoo, OpenSpiel
    python -m bench.research steps --game puerto-rico
    python -m bench.research search --deals 50   a search against level 3, each deal from each seat
    python -m bench.research search --against level-5
    python -m bench.research search --game puerto-rico --players 3

Both need ``pip install 'porto-cli[openspiel,pettingzoo]'``. Each deal is played from every seat, so
that its luck is shared; the interval is Wilson's for so many games. All others are of one level.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from functools import partial
from math import sqrt
from time import perf_counter, process_time
from typing import Any

from porto_cli.core.chance import seeded_chance
from porto_cli.games import game_of
from porto_cli.games.porto.simulation import tree as porto
from porto_cli.games.puerto_rico.simulation import tree as puerto_rico
from porto_cli.players.named import player_named
from porto_cli.research import Tree

TREES = {one.game_id: one for one in (porto, puerto_rico)}

Z = 1.96
"""How many standard errors an interval of 95 % has on each side."""


def tree_steps(tree: Tree, players: int, games: int) -> int:
    """Play random games on the tree; return the decisions."""
    rng = random.Random(1)
    steps = 0
    for number in range(games):
        chance = seeded_chance(f"bench-{number}")
        node = tree.play_on(tree.root(tree.config_of(players)), chance)
        while not node.over:
            node = tree.play_on(tree.play(node, rng.choice(node.legal)), chance)
            steps += 1
    return steps


def pettingzoo_steps(tree: Tree, players: int, games: int, *, wrapped: bool) -> int:
    """Play random games; what is observed is made at every step, as a learner would ask for it."""
    from porto_cli.research import pettingzoo

    module = getattr(pettingzoo, f"{tree.game_id.replace('-', '_')}_v0")
    rng = random.Random(1)
    env: Any = (module.env if wrapped else module.raw_env)(players=players)
    steps = 0
    for number in range(games):
        env.reset(seed=number)
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            steps += 1
    return steps


def openspiel_steps(tree: Tree, players: int, games: int) -> int:
    """Play random games; return the decisions. What comes up is decided one by one."""
    import pyspiel

    from porto_cli.research.openspiel import NAMES

    rng = random.Random(1)
    game = pyspiel.load_game(NAMES[tree.game_id], {"players": players})
    steps = 0
    for number in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.outcome_by_seed(f"bench-{number}"))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
    return steps


STEPS = (
    ("tree, no observations", tree_steps),
    ("PettingZoo, raw_env", partial(pettingzoo_steps, wrapped=False)),
    ("PettingZoo, env", partial(pettingzoo_steps, wrapped=True)),
    ("OpenSpiel, no tensors", openspiel_steps),
)


def measure_steps(tree: Tree, games: int) -> None:
    """Print decisions a second, by the time of the processor and by the clock."""
    for players in tree.players:
        for name, play in STEPS:
            play(tree, players, 1)
            clock, processor = perf_counter(), process_time()
            steps = play(tree, players, games)
            clock, processor = perf_counter() - clock, process_time() - processor
            print(
                f"{players} players, {name}: {steps / processor:,.0f} decisions a second of the "
                f"processor, {steps / clock:,.0f} by the clock"
            )


def searchable(tree: Tree, players: int) -> Any:
    """Return a game that the search takes: it refuses those of perfect information.

    Where who remembers everything knows the table it is the same game by another name.
    """
    from porto_cli.research.openspiel import TreeGame

    searched = type("Searched", (TreeGame,), {"tree": replace(tree, is_open=False)})
    return searched({"players": players})


def searched_game(
    game: Any,
    seed: str,
    seat: int,
    rng: random.Random,
    *,
    simulations: int,
    against: str,
) -> float:
    """Return what the search wins in a game from this seat against our players."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    from porto_cli.research.openspiel import PlayerBot

    tree: Tree = game.tree
    player = player_named(against, tree.game_id).player
    luck = np.random.RandomState(rng.getrandbits(32))
    bots: list[Any] = [PlayerBot(player, other, rng) for other in range(game.num_players())]
    bots[seat] = ISMCTSBot(
        game,
        RandomRolloutEvaluator(1, luck),
        uct_c=1.4,
        max_simulations=simulations,
        random_state=luck,
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.outcome_by_seed(seed))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    outcome = game_of(tree.game_id).outcome(state.node.table)
    scores = outcome.scores if outcome else ()
    print(f"  deal {seed}, search in seat {seat}: {' '.join(map(str, scores))} VP", flush=True)
    return float(state.returns()[seat])


def interval(won: float, games: int) -> tuple[float, float]:
    """Return the interval of Wilson, 95 %, for the share of games that are won."""
    share, extra = won / games, Z * Z / games
    middle = (share + extra / 2) / (1 + extra)
    half = Z * sqrt(share * (1 - share) / games + extra / (4 * games)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def measure_search(
    game: Any, deals: int, minutes: float, *, simulations: int, against: str
) -> None:
    """Print the share of games that the search wins; no deal is begun after so many minutes."""
    begun = perf_counter()
    won = games = 0
    for number in range(deals):
        if perf_counter() - begun > 60 * minutes:
            break
        for seat in range(game.num_players()):
            result = searched_game(
                *(game, f"pair-{number}", seat, random.Random(f"{number}/{seat}")),
                simulations=simulations,
                against=against,
            )
            won += result == 1
            games += 1
        low, high = interval(won, games)
        print(
            f"{number + 1} deals, {simulations} simulations: the search has won {won} of {games} "
            f"games against {against}, {won / games:.0%}; with 95 % between {low:.0%} and "
            f"{high:.0%} ({(perf_counter() - begun) / 60:.1f} minutes)",
            flush=True,
        )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.research", description=__doc__)
    parser.add_argument("what", choices=("steps", "search"))
    parser.add_argument("--game", choices=sorted(TREES), default="porto")
    parser.add_argument("--games", type=int, default=20, help="for steps")
    parser.add_argument("--players", type=int, default=2, help="for search")
    parser.add_argument("--deals", type=int, default=4, help="for search")
    parser.add_argument("--simulations", type=int, default=400, help="for each decision")
    parser.add_argument("--against", default="level-3", help="a player of ours")
    parser.add_argument("--minutes", type=float, default=600, help="begin no deal after these")
    asked = parser.parse_args()
    tree = TREES[asked.game]
    if asked.what == "steps":
        measure_steps(tree, asked.games)
    else:
        measure_search(
            searchable(tree, asked.players),
            asked.deals,
            asked.minutes,
            simulations=asked.simulations,
            against=asked.against,
        )


if __name__ == "__main__":
    main()
