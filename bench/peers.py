"""What others would use. Each function returns None where the peer is not installed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

CHESS_PLIES = 140
"""Plies after which a random game of chess is left: about as long as our longest games."""


def chess() -> Any:
    """Return python-chess."""
    try:
        import chess
    except ImportError:
        return None
    return chess


def chess_playouts(games: int) -> int:
    """Play random games, every legal move listed at each ply; return the plies."""
    library = chess()
    rng = Random(1)
    plies = 0
    for _ in range(games):
        board = library.Board()
        for _ in range(CHESS_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            plies += 1
    return plies


def chess_game(plies: int, seed: int = 1) -> list[str]:
    """Return a random game of chess as SAN."""
    library = chess()
    rng = Random(seed)
    while True:
        board = library.Board()
        text: list[str] = []
        while len(text) < plies:
            moves = list(board.legal_moves)
            if not moves:
                break
            move = rng.choice(moves)
            text.append(board.san(move))
            board.push(move)
        else:
            return text


def chess_read(games: list[list[str]]) -> int:
    """Read games from SAN; return the moves."""
    library = chess()
    for game in games:
        board = library.Board()
        for text in game:
            board.push_san(text)
    return sum(map(len, games))


def chess_pgn(plies: int, seed: int) -> str:
    """Return a random game of chess as PGN."""
    import chess.pgn

    game = chess.pgn.Game()
    node: Any = game
    for text in chess_game(plies, seed):
        node = node.add_variation(node.board().parse_san(text))
    return str(game)


def chess_read_pgn(games: list[str]) -> int:
    """Read games from PGN; return the moves."""
    from io import StringIO

    import chess.pgn

    moves = 0
    for text in games:
        game = chess.pgn.read_game(StringIO(text))
        if game:
            moves += game.end().board().ply()
    return moves


def chess_positions(game: list[str], every: int) -> list[Any]:
    """Return every so many-th position of a game."""
    board = chess().Board()
    positions = []
    for number, text in enumerate(game):
        if number % every == 0:
            positions.append(board.copy())
        board.push_san(text)
    return positions


def chess_list_as_san(positions: list[Any]) -> int:
    """List all legal moves of each position as SAN; return the number of positions."""
    for board in positions:
        [board.san(move) for move in board.legal_moves]
    return len(positions)


def open_spiel(name: str) -> Callable[[int], int] | None:
    """Return a function that plays random games of an OpenSpiel game, or None."""
    try:
        import pyspiel
        from open_spiel.python.games import liars_poker  # noqa: F401 - registers the game
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    rng = Random(1)

    def play(games: int) -> int:
        plies = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    plies += 1
        return plies

    return play
