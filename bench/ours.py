"""Our side of the comparisons: games, replays, lists of moves, copies."""

from __future__ import annotations

from random import Random

import porto_cli
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.legal_moves import legal_moves
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import OVER, Config, State, begin, deal
from porto_cli.games.porto.notation import format_move
from porto_cli.match import record, replay

NAMES = ("Inês", "Joana", "Afonso", "Rui")


def playouts(players: int, games: int) -> int:
    """Play random games to their ends, every legal move listed at each ply; return the plies."""
    rng = Random(players)
    random, choice = rng.random, rng.choice

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        return int(random() * len(pile))

    game = Config(shipped(DEFAULT), NAMES[:players], timer=28 if players == 1 else 0)
    plies = 0
    for _ in range(games):
        state = begin(game, deal(game, chance))
        while state.phase != OVER:
            state, _events = apply(state, choice(legal_moves(state)), chance)
            plies += 1
    return plies


def random_record(players: int, seed: str, turns: int = 0) -> record.Record:
    """Return the record of a random game: to its end, or about so many turns of it."""
    rng = Random(seed)
    match = porto_cli.new_game(NAMES[:players], seed=seed)
    while not match.over and not (turns and match.state.turn >= turns):
        match.play(rng.choice(match.legal_moves()), player=match.state.seat)
    return record.load(match.record.text, "benchmark")


def moves_in(game: replay.Replay) -> int:
    """Count the moves of a game: keeping, drawing, building, contracts, passing."""
    return sum(len(step.moves) for step in game.steps)


def positions_of(game: replay.Replay, every: int) -> list[State]:
    """Return every so many-th position of a game."""
    return [step.before for step in game.steps][::every]


def list_as_text(positions: list[State]) -> int:
    """List all legal moves of each position as text; return the number of positions."""
    for state in positions:
        [format_move(move, state) for move in legal_moves(state)]
    return len(positions)
