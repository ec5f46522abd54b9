"""A search of OpenSpiel against a player of ours, in a game of two.

It needs ``pip install 'porto-cli[openspiel]'``. The search is given nothing of Porto but the game:
it plays on at random from tables that could be true. Run it with a number of simulations:
python examples/openspiel_search.py 50
"""

import random
import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from porto_cli.games.porto.players import PLAYERS
from porto_cli.research import openspiel
from porto_cli.research.openspiel import PlayerBot


def play_a_game(simulations: int, seed: str = "tram") -> list[float]:
    """Let the search and our level 3 play the game of a seed; return what each has won."""
    game = pyspiel.load_game(openspiel.NAMES["porto"], {"players": 2})
    rng = random.Random(seed)
    luck = np.random.RandomState(rng.getrandbits(32))
    search = ISMCTSBot(
        game,
        RandomRolloutEvaluator(1, luck),
        uct_c=1.4,
        max_simulations=simulations,
        random_state=luck,
    )
    bots = [search, PlayerBot(PLAYERS["level-3"], 1, rng)]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.outcome_by_seed(seed))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    print(state.observation_string(0))
    return list(state.returns())


if __name__ == "__main__":
    won = play_a_game(int(sys.argv[1]) if sys.argv[1:] else 50)
    print("The search has won." if won[0] == 1 else "Level 3 has won.")
