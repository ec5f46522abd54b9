"""Counting legal move sequences from fixed positions, as chess programs do with perft.

A position is a kind of game with a seed, after a number of moves that a fixed rule chooses.
``counts`` says how many sequences of one, two, three … legal moves lead on from there. A rule
that is broken anywhere below the position changes a number.

    python -m tests.puerto_rico.perft                    count all positions with the engine
    python -m tests.puerto_rico.perft NUMBER [MOVE…]     count by the next move, after these moves,
                                                         with engine and referee

To find a wrong move run the second of these and follow the move whose two numbers differ. Where
they agree and both differ from before, compare with a version of the program that was right.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.notation import format_move
from tests.puerto_rico.referee import VIOLET, Referee, write_bundle
from tests.puerto_rico.side_by_side import SideBySide


class Position(NamedTuple):
    """Where counting begins, and what was counted.

    ``kind`` has the number of players, the buildings and the rulebook; ``doubloons`` is a gift to
    each player at the start; ``moves`` is how many `next_move` chose.
    """

    title: str
    kind: str
    seed: str
    doubloons: int
    moves: int
    counts: tuple[int, ...]


POSITIONS = (
    Position("the draft", "2 draft printed", "a", 0, 0, (31, 916, 25692)),
    Position("the opening", "3 base printed", "a", 0, 0, (7, 41, 209, 1142)),
    Position("all colonists to place", "3 random printed", "b", 0, 46, (56, 224, 1400)),
    Position("a rich builder's University", "4 base guide", "a", 30, 55, (35, 554, 4432)),
    Position("guests before production", "4 draft printed", "a", 30, 160, (7, 21, 90, 30259)),
    Position("the second tile of a Library", "3 draft guide", "a", 0, 154, (7, 49, 48657)),
    Position("payments of a Black Market", "2 random guide", "a", 0, 138, (189, 1316, 114069599)),
    Position("loads of a Small Wharf", "5 draft printed", "a", 30, 208, (49, 117, 2616)),
)


def next_move(referee: Referee, number: int) -> str:
    """The rule: in the sorted list of moves the one at 7 times its number, counted around.

    Colonists are placed on violet buildings first, then in the order of the tables. Nothing is
    loaded with a Small Wharf.
    """
    if referee.phase == "mayor":
        circles = referee.circles(referee.player)
        places = [place for place, circle in circles.items() for _ in range(circle)]
        places.sort(key=VIOLET.__contains__, reverse=True)
        used = places[: max(referee.sizes_of_placements())]
        return f"place {write_bundle({place: used.count(place) for place in used})}"
    moves = sorted(referee.plain_moves())
    return moves[7 * number % len(moves)]


def reach(position: Position) -> SideBySide:
    players, buildings, rulebook = position.kind.split()
    kind = (int(players), buildings, rulebook)
    game = SideBySide(kind, position.seed, position.doubloons)
    for number in range(position.moves):
        game.play(next_move(game.referee, number))
    return game


def engine_count(state: State, chance: Chance, depth: int) -> int:
    """How many sequences of so many legal moves there are; the game may end before."""
    if depth == 1:
        return count_moves(state)
    return sum(
        engine_count(apply(state, move, chance)[0], chance, depth - 1)
        for move in legal_moves(state)
    )


def after(referee: Referee, text: str) -> Referee:
    other = referee.copy()
    other.play(text)
    return other


def all_moves(referee: Referee) -> list[str]:
    return [*referee.plain_moves(), *referee.bundle_moves()]


def referee_count(referee: Referee, depth: int) -> int:
    if depth == 1:
        return referee.count()
    return sum(referee_count(after(referee, text), depth - 1) for text in all_moves(referee))


def divide(game: SideBySide, depth: int) -> dict[str, tuple[int, int]]:
    """The sequences by their first move, as engine and referee count them; depth is 2 or more."""
    state, chance, referee = game.state, game.chance, game.referee
    engine = {
        format_move(move): engine_count(apply(state, move, chance)[0], chance, depth - 1)
        for move in legal_moves(state)
    }
    other = {text: referee_count(after(referee, text), depth - 1) for text in all_moves(referee)}
    return {
        text: (engine.get(text, 0), other.get(text, 0))
        for text in sorted(engine.keys() | other.keys())
    }


def main(args: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.puerto_rico.perft",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("number", nargs="?", type=int, choices=range(1, len(POSITIONS) + 1))
    parser.add_argument("move", nargs="*", help="like 'take corn'")
    parser.add_argument("--depth", type=int, default=2, help="2 or more; 2 if not said")
    options = parser.parse_args(args)
    if options.number is None:
        for number, position in enumerate(POSITIONS, start=1):
            game = reach(position)
            depths = range(1, len(position.counts) + 1)
            counts = [engine_count(game.state, game.chance, depth) for depth in depths]
            now, right = (" ".join(map(str, row)) for row in (counts, position.counts))
            wrong = "" if now == right else f", should be {right}"
            print(f"{number}. {position.title}: {now}{wrong}")
        return
    game = reach(POSITIONS[options.number - 1])
    for text in options.move:
        if not game.referee.is_legal(text):
            parser.error(f"{text!r} is not a legal move here.")
        game.play(text)
    for text, (engine, other) in divide(game, max(2, options.depth)).items():
        print(f"{text}: {engine}" + (f", the referee counts {other}" if other != engine else ""))


if __name__ == "__main__":
    main()
