"""A bot that plays fairly: it sees what its own seat may see, and nothing else.

It was written from ``python -m pydoc porto_cli`` alone. Run it with a file name to keep the
record: python examples/fair_bot.py fair.yaml
"""

import sys

import porto_cli
from porto_cli.games.porto import Observation, Option

MOST_CARDS = 6


def choose(seen: Observation) -> str:
    """Return the move, in the notation, that the bot makes of what it sees."""
    if seen.phase == "keep":
        return max(seen.moves, key=lambda option: easiest(seen, option)).move
    return max(seen.moves, key=lambda option: worth(seen, option)).move


def easiest(seen: Observation, option: Option) -> int:
    """Return what the private contracts that this move keeps pay for the first of each."""
    pays = {contract.name: contract.scale[0] for contract in seen.me.private or ()}
    return sum(pays[name] for name in option.private)


def worth(seen: Observation, option: Option) -> float:
    """Return how much the bot likes a move: VP now, and something for later."""
    if option.kind == "draw":
        room = MOST_CARDS - len(seen.me.hand)
        return min(room, len(option.cards)) * 1.5 + fits(seen, option) * 0.5
    if option.kind == "build" and option.completes:
        return option.vp + private_interest(seen, option)
    return option.vp


def fits(seen: Observation, option: Option) -> int:
    """Count the cards drawn whose color is that of a house with room for their floors."""
    return sum(
        any(
            house.color == card.split("-")[0] and house.height - house.floors >= int(card[-1])
            for house in seen.houses
        )
        for card in option.cards
    )


def private_interest(seen: Observation, option: Option) -> int:
    """Return 2 VP for each own private contract that asks for the color of a completed house."""
    color = option.cards[1].split("-")[0]
    return 2 * sum(color in contract.name for contract in seen.me.private or ())


def play_a_game(names: list[str], seed: str | None = None) -> porto_cli.Match:
    """Let bots with these names play a game to its end."""
    match = porto_cli.new_game(names, seed=seed)
    while not match.over:
        player = match.to_move()[0]
        match.play(choose(match.observe(player)), player=player)
    return match


if __name__ == "__main__":
    game = play_a_game(["Fausto", "Fátima", "Filipa"])
    for line in game.observe().players:
        print(f"{line.name} has {line.score} VP.")
    if sys.argv[1:]:
        game.save(sys.argv[1])
