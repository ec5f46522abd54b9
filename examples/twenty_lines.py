"""A player in twenty lines: each card has a price. It looks at what its seat may see, no more.

python examples/twenty_lines.py tells how often it beats who always takes what scores most.
"""

from typing import Any

import porto_cli

PRICES = {"1": 2.4, "2": 2.5, "3": 3.7}


def worth(move: dict[str, Any]) -> float:
    """Return the VP at once, less the cards that are played or plus those that are drawn."""
    price = sum(PRICES[card[-1]] for card in move["cards"])
    return move["vp"] + (price if move["kind"] == "draw" else -price)


def choose(seen: dict[str, Any]) -> str:
    """Return the move, in the notation."""
    return str(max(seen["moves"], key=worth)["move"])


def play(seed: str) -> bool:
    """Tell whether who prices cards beats who does not."""
    match = porto_cli.new_game(["Petra", "Greta"], seed=seed)
    while not match.over:
        player = match.to_move()[0]
        seen = match.observe(player)
        move = choose(seen) if player == "Petra" else seen["moves"][0]["move"]
        match.play(move, player=player)
    score = {line["name"]: line["score"] for line in match.observe()["players"]}
    return score["Petra"] > score["Greta"]


if __name__ == "__main__":
    won = sum(play(f"game-{number}") for number in range(10))
    print(f"{won} of 10 games won.")
