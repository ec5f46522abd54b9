"""A bot in twenty lines: two greedy players play a game, and the record is saved.

Run it with a file name to keep the record: python examples/greedy_bot.py greedy.yaml
"""

import sys

import porto_cli
from porto_cli.games.porto import Build, Claim, Draw, Move, Scored


def worth(match: porto_cli.Match, move: Move, player: str) -> int:
    """Return the VP that a move scores at once; drawing more cards is worth a little."""
    if not isinstance(move, Build | Claim):
        return len(move.spaces) if isinstance(move, Draw) else 0
    events = match.preview(move, player=player)
    return 3 * sum(event.vp for event in events if isinstance(event, Scored))


def play_a_game(seed: str | None = None) -> porto_cli.Match:
    """Play a game between two greedy players and tell every move."""
    match = porto_cli.new_game(["Greta", "Gil"], seed=seed)
    while not match.over:
        player = match.to_move()[0]
        move = max(match.legal_moves(player), key=lambda move: worth(match, move, player))
        print(f"{player}: {match.text(move)}")
        match.play(move, player=player)
    result = match.observe()["result"]
    winner, other = result["ranking"]
    print(
        f"{winner} wins with {result['scores'][winner]} VP; {other} has {result['scores'][other]}."
    )
    return match


if __name__ == "__main__":
    game = play_a_game("tram")
    if sys.argv[1:]:
        game.save(sys.argv[1])
