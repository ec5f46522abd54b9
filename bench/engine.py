"""The engine against its peers: playouts, reading whole games, listing moves, copying."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import yaml

from bench import ours, peers
from bench.measure import Contender, Rates, take_turns
from porto_cli.match import record
from porto_cli.match.match import opened
from porto_cli.match.replay import Replay

T = TypeVar("T")

BARS = {
    "random playouts, moves/s": 2.0,
    "random playouts of Puerto Rico, moves/s": 2.5,
    "replay of a whole record, moves/s": 0.7,
    "all legal moves as text, positions/s": 4.0,
    "copies of a state/s": 1.0,
}
"""How many times as fast as python-chess each of them has to be."""


def playouts(rounds: int) -> list[Rates]:
    """Random games with every legal move listed at each ply."""
    contenders = [
        Contender("porto, 3 players", lambda: ours.playouts(3, 60)),
        Contender("porto, 2 players", lambda: ours.playouts(2, 60)),
        Contender("porto, 4 players", lambda: ours.playouts(4, 60)),
        Contender("porto, solo", lambda: ours.playouts(1, 100)),
    ]
    if peers.chess():
        contenders.append(Contender("python-chess", lambda: peers.chess_playouts(15)))
    for name, games in (("python_liars_poker", 150), ("gin_rummy", 60)):
        play = peers.open_spiel(name)
        if play:
            contenders.append(
                Contender(f"OpenSpiel {name}", lambda play=play, games=games: play(games))  # type: ignore[misc]
            )
    return take_turns(contenders, rounds)


def puerto_rico(rounds: int) -> list[Rates]:
    """The same for Puerto Rico; placements of colonists are drawn without listing them."""
    contenders = [
        Contender(f"porto, {players} players", partial(ours.puerto_rico_playouts, players, 30))
        for players in (2, 3, 4, 5)
    ]
    if peers.chess():
        contenders.append(Contender("python-chess", lambda: peers.chess_playouts(15)))
    return take_turns(contenders, rounds)


def coach(rounds: int) -> list[Rates]:
    """Playouts of Puerto Rico's coach, from the first decision."""
    return take_turns(
        [
            Contender(f"porto, {players} players", partial(ours.coach_playouts, players, 300))
            for players in (2, 3, 4, 5)
        ],
        rounds,
    )


def reading(rounds: int) -> list[Rates]:
    """Whole games from text: parsed, checked, made, and compared with the seed."""
    return _whole_games("reading", 20, opened, peers.chess_game, peers.chess_read, rounds)


def files(rounds: int) -> list[Rates]:
    """Whole games from the text of a file to the last position."""

    def read(one: record.Record) -> Replay:
        return opened(record.load(one.text, "benchmark"))

    return _whole_games("file", 6, read, peers.chess_pgn, peers.chess_read_pgn, rounds)


def _whole_games(
    seed: str,
    games: int,
    read: Callable[[record.Record], Replay],
    chess_game: Callable[[int, int], T],
    chess_read: Callable[[list[T]], int],
    rounds: int,
) -> list[Rates]:
    """Read so many games of ours, each once a round, and games of chess of the same lengths."""
    records = [ours.random_record(4, f"{seed}-{number}") for number in range(games)]
    moves = [ours.moves_in(opened(one)) for one in records]

    def read_all() -> int:
        for one in records:
            read(one)
        return sum(moves)

    contenders = [Contender("porto", read_all)]
    if peers.chess():
        theirs = [chess_game(count, number) for number, count in enumerate(moves)]
        contenders.append(Contender("python-chess", lambda: chess_read(theirs)))
    return take_turns(contenders, rounds)


def listing(rounds: int) -> list[Rates]:
    """All legal moves as text, at positions spread over a game."""
    positions = ours.positions_of(opened(ours.random_record(4, "listing")), 1)
    contenders = [Contender("porto", lambda: ours.list_as_text(positions * 10))]
    if peers.chess():
        boards = peers.chess_positions(peers.chess_game(len(positions)), 1)
        contenders.append(Contender("python-chess", lambda: peers.chess_list_as_san(boards)))
    return take_turns(contenders, rounds)


def copying(rounds: int) -> list[Rates]:
    """Copies of a state in the middle of a game."""
    count = 100_000
    state = ours.positions_of(opened(ours.random_record(4, "copying")), 1)[60]

    def copy() -> int:
        for _ in range(count):
            state.copy()
        return count

    contenders = [Contender("porto", copy)]
    library = peers.chess()
    if library:
        board = library.Board()
        for text in peers.chess_game(60):
            board.push_san(text)

        def copy_board() -> int:
            for _ in range(count):
                board.copy(stack=False)
            return count

        contenders.append(Contender("python-chess", copy_board))
    return take_turns(contenders, rounds)


def loading(rounds: int) -> list[Rates]:
    """Record texts to records, in turns a second."""
    text = ours.random_record(4, "loading").text
    turns = len(record.load(text, "benchmark").items)

    def load() -> int:
        for _ in range(20):
            record.load(text, "benchmark")
        return 20 * turns

    def parse() -> int:
        for _ in range(20):
            yaml.load(text, yaml.CSafeLoader)
        return 20 * turns

    contenders = [Contender("porto", load)]
    if yaml.__with_libyaml__:
        contenders.append(Contender("PyYAML's C loader, no checks", parse))
    return take_turns(contenders, rounds)
