"""A player in twenty lines: each card has a price. It looks at what its seat may see, no more.

python examples/twenty_lines.py tells how often it beats who always takes what scores most.
"""

import porto_cli
from porto_cli.games.porto import Observation, Option

PRICES = {"1": 2.4, "2": 2.5, "3": 3.7}


def worth(option: Option) -> float:
    """Return the VP at once, less the cards that are played or plus those that are drawn."""
    price = sum(PRICES[card[-1]] for card in option.cards)
    return option.vp + (price if option.kind == "draw" else -price)


def choose(seen: Observation) -> str:
    """Return the move, in the notation."""
    return max(seen.moves, key=worth).move


def play(seed: str) -> bool:
    """Tell whether who prices cards beats who does not."""
    match = porto_cli.new_game(["Petra", "Greta"], seed=seed)
    while not match.over:
        player = match.to_move()[0]
        seen = match.observe(player)
        match.play(choose(seen) if player == "Petra" else seen.moves[0].move, player=player)
    score = {player.name: player.score for player in match.observe().players}
    return score["Petra"] > score["Greta"]


if __name__ == "__main__":
    won = sum(play(f"game-{number}") for number in range(10))
    print(f"{won} of 10 games won.")
