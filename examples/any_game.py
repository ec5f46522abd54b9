"""A player of any game: it takes what scores most now, else what is listed first.

python examples/any_game.py lets it play a game of Porto and one of Puerto Rico; in many games it
plays with: porto simulate any_game.py:choose random --rotate --game puerto-rico
"""

import porto_cli


def choose(view):
    """Return the move, in the notation, that scores most VP now."""
    return max(view["moves"], key=lambda option: option["vp"])["move"]


def play_a_game(game: str, seed: str = "tram") -> porto_cli.Match:
    """Let three of them play a game to its end."""
    match = porto_cli.new_game(["Ana", "Rui", "Bea"], game=game, seed=seed)
    while not match.over:
        player = match.to_move()[0]
        match.play(choose(match.observe(player)), player=player)
    return match


if __name__ == "__main__":
    for game in sorted(porto_cli.GAMES):
        print(f"{game}: {play_a_game(game).observe()['result']}")
