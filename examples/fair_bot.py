"""A bot that plays fairly: it sees what its own seat may see, and nothing else.

It was written from ``python -m pydoc porto_cli`` alone. Run it with a file name to keep the
record: python examples/fair_bot.py fair.yaml
"""

import sys
from typing import Any

import porto_cli

Table = dict[str, Any]
"""What ``porto show --format json`` prints, and the legal ``moves``."""
Move = dict[str, Any]
"""A legal move, as ``porto moves --format json`` prints it."""

MOST_CARDS = 6


def choose(seen: Table) -> str:
    """Return the move, in the notation, that the bot makes of what it sees."""
    me = next(player for player in seen["players"] if player["name"] == seen["player"])
    if seen["phase"] == "keep":
        return str(max(seen["moves"], key=lambda move: easiest(me, move))["move"])
    return str(max(seen["moves"], key=lambda move: worth(seen, me, move))["move"])


def easiest(me: Table, move: Move) -> int:
    """Return what the private contracts that this move keeps pay for the first of each."""
    pays = {one["contract"]: one["scale"][0] for one in me["private_contracts"]}
    return sum(pays[name] for name in move["contracts"])


def worth(seen: Table, me: Table, move: Move) -> float:
    """Return how much the bot likes a move: VP now, and something for later."""
    if move["kind"] == "draw":
        room = MOST_CARDS - len(me["hand"])
        return min(room, len(move["cards"])) * 1.5 + fits(seen, move) * 0.5
    if move["completes"]:
        return float(move["vp"] + private_interest(me, move))
    return float(move["vp"])


def fits(seen: Table, move: Move) -> int:
    """Count the cards drawn whose color is that of a house with room for their floors."""
    return sum(
        any(
            house["color"] == card.split("-")[0]
            and house["height"] - house["floors"] >= int(card[-1])
            for house in seen["houses"].values()
        )
        for card in move["cards"]
    )


def private_interest(me: Table, move: Move) -> int:
    """Return 2 VP for each own private contract that asks for the color of a completed house."""
    color = move["color_card"].split("-")[0]
    return 2 * sum(color in contract for contract in me["private"])


def play_a_game(names: list[str], seed: str | None = None) -> porto_cli.Match:
    """Let bots with these names play a game to its end."""
    match = porto_cli.new_game(names, seed=seed)
    while not match.over:
        player = match.to_move()[0]
        match.play(choose(match.observe(player)), player=player)
    return match


if __name__ == "__main__":
    game = play_a_game(["Fausto", "Fátima", "Filipa"])
    for line in game.observe()["players"]:
        print(f"{line['name']} has {line['score']} VP.")
    if sys.argv[1:]:
        game.save(sys.argv[1])
