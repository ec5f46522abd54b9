"""Our side of the comparisons: games, replays, lists of moves, copies."""

from __future__ import annotations

from random import Random

import porto_cli
from porto_cli.core.chance import random_chance
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.play import apply, legal_moves
from porto_cli.games.porto.engine.state import OVER, Config, State, begin, deal
from porto_cli.games.porto.notation import format_move
from porto_cli.games.puerto_rico import coach
from porto_cli.games.puerto_rico.engine import play
from porto_cli.games.puerto_rico.engine import play as puerto_rico
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE
from porto_cli.games.puerto_rico.engine.state import Config as PuertoRicoConfig
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.simulation import drawn_placement
from porto_cli.match import record, replay

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Ana")


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


def puerto_rico_playouts(players: int, games: int) -> int:
    """Play random games of Puerto Rico, every legal move listed at each ply; return the plies.

    Placements of colonists, of which there can be millions, are drawn without listing them.
    """
    rng = Random(players)
    random, choice = rng.random, rng.choice

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        return int(random() * len(pile))

    game = PuertoRicoConfig(NAMES[:players])
    plies = 0
    for _ in range(games):
        state = play.begin(game, play.deal(game, chance))
        while state.phase != OVER:
            move: Move
            if state.phase == MAYOR_PHASE:
                move = drawn_placement(state, rng)
            else:
                move = choice(puerto_rico.legal_moves(state))
            state, _events = puerto_rico.apply(state, move, chance)
            plies += 1
    return plies


def coach_playouts(players: int, playouts: int) -> int:
    """Play on from the first decision of a game of Puerto Rico as its coach does.

    Returns the number of playouts.
    """
    rng = Random(players)
    game = PuertoRicoConfig(NAMES[:players])
    state = play.begin(game, play.deal(game, random_chance(rng)))
    moves = puerto_rico.legal_moves(state)
    play_on = coach.playouts(PUERTO_RICO.view(state, state.seat), moves, 1)
    for nth in range(playouts):
        play_on(nth % len(moves), nth)
    return playouts


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
