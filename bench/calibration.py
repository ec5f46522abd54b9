"""Whether games are won as often as hints and analyses say.

    python -m bench.calibration                            Puerto Rico, 60 games of two to five each
    python -m bench.calibration --game porto --players 2 3 4 --player level-4 --other level-3

In games of one level, some of whose moves are those of another one, each seat is asked now and then
how the game will end, as an analysis asks. The interval of 95 % is computed from the games, not
from the tables. The last column of the summary is the power to which the odds would have to be
raised to fit best: 1 if they are neither too bold nor too timid.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import log, sqrt
from random import Random
from typing import NamedTuple

from porto_cli.core.chance import random_chance
from porto_cli.games import game_of
from porto_cli.players import Player, agreed, margin_of, seen_by_all
from porto_cli.players.named import coach_of, player_named
from porto_cli.seam import OVER
from porto_cli.simulate import simulation_of

NAMES = ("Ana", "Rui", "Eva", "Tom", "Bea")
AT_RANDOM, LOOKED_AT = 0.15, 0.12
"""The part of the moves that are those of the other level, and of the tables that are looked at."""
POWERS = [nth / 20 for nth in range(4, 61)]


class Seen(NamedTuple):
    """A table, with what is expected for each seat and how its game ended."""

    game: str
    margins: tuple[float, ...]
    wins: tuple[float, ...]
    won: tuple[float, ...]
    scores: tuple[float, ...]


def tables(game_id: str, seats: int, seed: str, player: Player, other: Player) -> Iterator[Seen]:
    """Play a game and yield the tables that were looked at."""
    game, coach, simulation = game_of(game_id), coach_of(game_id), simulation_of(game_id)
    assert coach is not None
    rng = Random(f"{seed}/{seats}")
    chance, everybody = random_chance(rng), range(seats)
    config = game.new_config(NAMES[:seats])
    state = game.initial_state(config, game.deal(config, chance))
    found = []
    while state.phase != OVER:
        seat = game.to_move(state)[0]
        if rng.random() < LOOKED_AT:
            views = seen_by_all(game, state, everybody)
            found.append(agreed([*map(coach.prospect, views)]))
        by = other if rng.random() < AT_RANDOM else player
        move = by(game.view(state, seat), simulation.choices(state, rng), rng)
        state, _ = game.apply(state, move, chance, seat)
    outcome = game.outcome(state)
    assert outcome is not None
    won = tuple(one / sum(outcome.won) for one in outcome.won)
    for prospects in found:
        margins, wins = zip(*prospects, strict=True)
        yield Seen(f"{seed}/{seats}", margins, wins, won, tuple(map(float, outcome.scores)))


def mean_of_games(differences: list[tuple[str, float]]) -> tuple[float, float]:
    """Return a mean and the half width of its interval of 95 %, of games that are independent."""
    mean = sum(one for _, one in differences) / len(differences)
    sums: dict[str, float] = {}
    for game, one in differences:
        sums[game] = sums.get(game, 0.0) + one - mean
    return mean, 1.96 * sqrt(sum(one**2 for one in sums.values())) / len(differences)


def show(seen: list[Seen]) -> None:
    """Print how often was won what was expected to be won so often."""
    bins: dict[int, list[tuple[str, float, float]]] = {}
    for one in seen:
        for win, won in zip(one.wins, one.won, strict=True):
            bins.setdefault(min(9, int(10 * win)), []).append((one.game, win, won))
    print("  expected   times   expected %   won %   difference")
    for nth, found in sorted(bins.items()):
        expected = sum(win for _, win, _ in found) / len(found)
        more, doubt = mean_of_games([(game, won - win) for game, win, won in found])
        print(
            f"  {10 * nth:3}-{10 * nth + 10:3} %   {len(found):5}   {100 * expected:10.1f}"
            f"   {100 * (expected + more):5.1f}   {100 * more:+5.1f} ± {100 * doubt:.1f}"
        )


def best_power(seen: list[Seen]) -> float:
    """Return the power of the odds with which those who won were most likely to win."""

    def loss(power: float) -> float:
        total = 0.0
        for one in seen:
            odds = [max(1e-6, win) ** power for win in one.wins]
            for each, won in zip(odds, one.won, strict=True):
                total -= won * log(max(1e-3, each / sum(odds)))
        return total

    return min(POWERS, key=loss)


def slope(seen: list[Seen]) -> float:
    """Return how many VP of margin there were at the end for each that was expected."""
    products = squares = 0.0
    for one in seen:
        for seat, expected in enumerate(one.margins):
            products += expected * margin_of(one.scores, seat)
            squares += expected**2
    return products / squares


def main() -> None:
    """Play the games that were asked for, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.add_argument("--game", choices=("porto", "puerto-rico"), default="puerto-rico")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=60, help="with each number of players")
    parser.add_argument("--seed", default="calibration")
    parser.add_argument("--player", default="level-3")
    parser.add_argument("--other", default="level-2")
    asked = parser.parse_args()
    player, other = (player_named(one, asked.game).player for one in (asked.player, asked.other))
    everything: list[Seen] = []
    for seats in asked.players:
        seen = [
            one
            for number in range(asked.games)
            for one in tables(asked.game, seats, f"{asked.seed}/{number}", player, other)
        ]
        print(
            f"{seats} players, {asked.games} games, {len(seen)} tables; of a VP expected "
            f"{slope(seen):.2f} VP remained; power {best_power(seen):.2f}",
            flush=True,
        )
        show(seen)
        everything += seen
    print(f"All of them, {len(everything)} tables")
    show(everything)


if __name__ == "__main__":
    main()
