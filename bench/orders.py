"""How often a game has to be mailed when players order ahead, and whether orders do what they want.

``python -m bench.orders puerto-rico --players 4 --games 20`` plays games of players that are
programs. Whenever one of them hands the game on, :mod:`bench.order_writer` writes their orders, and
the program executes them. A hand-over is a decision of another player than the one who has the
record, which no order makes. A move that an order makes agrees if its player would have made the
same one at that moment.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

import porto_cli
from bench.order_writer import Mind, Plan, Writer
from porto_cli.games import game_of
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import noisy_player, priced_player
from porto_cli.games.puerto_rico.engine import PLACES
from porto_cli.games.puerto_rico.players.appraisal import PRICES, Appraisal
from porto_cli.games.puerto_rico.players.priced import PLANTS, best_move, likely_move
from porto_cli.match.orders import ELSE, MARK, MOST_VP, NONE, due, in_force
from porto_cli.seam import Move, State

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Duarte")
_WHEN_LEFT = (*PLANTS, *(place for place in range(len(PLACES)) if place not in PLANTS))
"""In which order circles are filled that bring nothing by themselves."""
NOISE = 3.0
"""By how many VP others misjudge each move in the playouts of Puerto Rico at most."""


class PuertoRicoMind:
    """Level 2 of Puerto Rico. The others make its moves, too, but misjudge them."""

    main = "role"
    heard = True

    def __init__(self, noise: float = NOISE) -> None:
        self.noise = noise

    def choose(self, state: State) -> Move:
        """Return the move that is worth most by rules of thumb."""
        return best_move(state)

    def guess(self, state: State, rng: Random) -> Move:
        """Return a move that is worth most if each is misjudged by up to so many VP."""
        return likely_move(state, rng, self.noise)

    def picks(self, kind: str, state: State) -> Iterator[str]:
        """Yield all places in order for the mayor, and what brings most VP for the captain."""
        if kind == "mayor":
            yield f"place first {_places_in_order(state)}"
        if kind == "captain":
            yield MOST_VP


def _places_in_order(state: State) -> str:
    """Return where level 2 puts the first colonist, the second, and so on."""
    player, appraisal = state.players[state.seat], Appraisal(state, PRICES)
    circles, people = player.circles, player.people
    wanted, left_out = list[int](), list[int]()
    for _, places in appraisal.posts(player, appraisal.rounds):
        (wanted if len(places) <= people else left_out).extend(places)
        people -= len(places) if len(places) <= people else 0
    valued = [*wanted, *left_out]
    texts = [PLACES[one] if circles[one] == 1 else f"{PLACES[one]} 1" for one in valued]
    left = [PLACES[one] for one in _WHEN_LEFT if circles[one] > valued.count(one)]
    return " ".join([*texts, *left])


class PortoMind:
    """Level 3 of Porto. The others play like level 2, which misjudges moves."""

    main = "act"
    heard = False

    def choose(self, state: State) -> Move:
        """Return the move that scores most, less what the cards are worth."""
        view = PORTO.view(state, state.seat)
        return priced_player(view, PORTO.legal_moves(state, state.seat), Random(0))

    def guess(self, state: State, rng: Random) -> Move:
        """Return the move of level 2, which misjudges each move by up to 4 VP."""
        view = PORTO.view(state, state.seat)
        return noisy_player(view, PORTO.legal_moves(state, state.seat), rng)

    def picks(self, kind: str, state: State) -> Iterator[str]:
        """Yield nothing."""
        return iter(())


SEATS = {"porto": (2, 3, 4), "puerto-rico": (3, 4, 5)}
BARS = {("puerto-rico", 3): 55, ("puerto-rico", 4): 80, ("puerto-rico", 5): 95}
"""How many hand-overs a game may have with orders, by the number of players."""
AGREEMENT = 0.9
"""The part of the ordered moves that has to agree."""


def mind_of(game_id: str, noise: float = NOISE) -> Mind:
    """Return who plays a game."""
    return PuertoRicoMind(noise) if game_id == "puerto-rico" else PortoMind()


class Played(NamedTuple):
    """One game."""

    record: str
    hand_overs: int
    decided: Counter[str]
    """Decisions that players made themselves, by the phases of the game."""
    ordered: Counter[str]
    """Those that orders made."""
    agreed: Counter[str]
    orders: tuple[str, ...]
    """All orders that were given."""
    wrong: tuple[str, ...]
    """The moves that did not agree, each with what the player would have done."""


def play(game_id: str, seats: int, seed: str, mind: Mind, plan: Plan | None) -> Played:
    """Play a game to its end; without a plan nothing is ordered.

    Who has the record takes back their own orders, so that nothing is decided for them, and gives
    new ones when the decision of another player waits that no order makes.
    """
    game = game_of(game_id)
    match = porto_cli.new_game(NAMES[:seats], game=game_id, seed=seed, first=NAMES[0])
    writer = Writer(game, mind, plan, Random(f"orders/{seed}")) if plan else None
    decided, ordered, agreed = Counter[str](), Counter[str](), Counter[str]()
    given, wrong = list[str](), list[str]()
    hand_overs, holder = 0, match.state.seat
    while not match.over:
        state = match.state
        seat, right = state.seat, mind.choose(state)
        found = due(match.replay)
        if found is not None:
            ordered[state.phase] += 1
            if game.canonical_move(state, found) == game.canonical_move(state, right):
                agreed[state.phase] += 1
            else:
                wrong.append(f"{match.text(found)}, not {match.text(right)}")
            match.make([found], int(state.seat), mark=MARK)
            continue
        if seat != holder:
            hand_overs += 1
            if writer:
                for text in writer.write(state, holder):
                    given.append(match.order(text, holder).text)
            holder = seat
        if writer and in_force(match.replay, seat):
            match.order(NONE, seat)
        decided[state.phase] += 1
        match.play(right, player=seat)
    return Played(
        match.record.text, hand_overs, decided, ordered, agreed, tuple(given), tuple(wrong)
    )


class Report(NamedTuple):
    """What was measured with a number of players."""

    without: Sequence[int]
    """Hand-overs of each deal without orders."""
    games: Sequence[Played]

    @property
    def hand_overs(self) -> list[int]:
        """Hand-overs of each deal with orders."""
        return [one.hand_overs for one in self.games]

    @property
    def agreement(self) -> float:
        """The part of all ordered moves that agree; 1 without any."""
        ordered = self.total("ordered").total()
        return self.total("agreed").total() / ordered if ordered else 1.0

    @property
    def agreement_error(self) -> float:
        """Half of the 95 % confidence interval of the agreement, from game to game."""
        ordered = self.total("ordered").total()
        off = [one.agreed.total() - self.agreement * one.ordered.total() for one in self.games]
        return _half_width(off) * len(off) / max(1, ordered)

    def total(self, field: str) -> Counter[str]:
        """Return what was counted in all games together."""
        return sum((getattr(one, field) for one in self.games), Counter[str]())


def measure(game_id: str, seats: int, seeds: Sequence[str], mind: Mind, plan: Plan) -> Report:
    """Play the same deals without and with orders."""
    return Report(
        [play(game_id, seats, seed, mind, None).hand_overs for seed in seeds],
        [play(game_id, seats, seed, mind, plan) for seed in seeds],
    )


def lines(game_id: str, seats: int, report: Report) -> Iterator[str]:
    """Yield what was measured with a number of players, as text."""
    games = len(report.games)
    yield f"{game_id}, {seats} players, {games} deals"
    yield f"  hand-overs without orders  {_with_error(report.without)}"
    bar = BARS.get((game_id, seats))
    yield f"  hand-overs with orders     {_with_error(report.hand_overs)}" + (
        "" if bar is None else f"   bar {bar}: {_held(mean(report.hand_overs) <= bar)}"
    )
    yield (
        f"  ordered moves that agree   {report.agreement:.1%} ± {100 * report.agreement_error:.1f}"
        f"   bar {AGREEMENT:.0%}: {_held(report.agreement >= AGREEMENT)}"
    )
    ordered, agreed, decided = map(report.total, ("ordered", "agreed", "decided"))
    for phase in sorted({*ordered, *decided}):
        line = f"    {phase:9}  decided {decided[phase] / games:5.1f}"
        if ordered[phase]:
            line += f"   ordered {ordered[phase] / games:5.1f}"
            line += f"   agree {agreed[phase] / ordered[phase]:4.0%}"
        yield line
    orders = [text for one in report.games for text in one.orders]
    if orders:
        yield (
            f"  orders: {len(orders) / sum(report.hand_overs):.1f} a hand-over,"
            f" {mean(1 + text.count(ELSE) for text in orders):.1f} choices each,"
            f" {mean(' if ' in text for text in orders):.0%} with conditions"
        )


def _held(holds: bool) -> str:
    return "holds" if holds else "MISSED"


def _with_error(numbers: Sequence[float]) -> str:
    return f"{mean(numbers):5.1f} ± {_half_width(numbers):.1f}"


def _half_width(numbers: Sequence[float]) -> float:
    """Return half of the 95 % confidence interval of a mean; 0 of a single number."""
    return 1.96 * stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0


def main(args: Sequence[str] | None = None) -> None:
    """Measure a game and print the figures."""
    asked = _parser().parse_args(args)
    plan = Plan(
        playouts=asked.playouts,
        orders_turns=not asked.no_turns,
        conditions=not asked.no_conditions,
    )
    seeds = [f"{asked.seed}-{number}" for number in range(asked.games)]
    mind = mind_of(asked.game, asked.noise)
    for seats in asked.players or SEATS[asked.game]:
        report = measure(asked.game, seats, seeds, mind, plan)
        for line in lines(asked.game, seats, report):
            print(line, flush=True)
        if asked.show:
            print(report.games[0].record, *report.games[0].wrong, sep="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.orders", description=__doc__)
    parser.add_argument("game", choices=list(SEATS))
    parser.add_argument("--players", type=int, nargs="+", help="how many (default: all numbers)")
    parser.add_argument("--games", type=int, default=20, help="deals (default %(default)s)")
    parser.add_argument("--seed", default="orders", help="of the deals (default %(default)s)")
    parser.add_argument(
        "--playouts", type=int, default=Plan().playouts, help="before orders are written"
    )
    parser.add_argument(
        "--noise",
        type=float,
        default=NOISE,
        help="VP by which others misjudge moves in playouts of Puerto Rico (default %(default)s)",
    )
    parser.add_argument(
        "--no-turns", action="store_true", help="players order no role, and in Porto nothing"
    )
    parser.add_argument("--no-conditions", action="store_true", help="choices have no 'if'")
    parser.add_argument("--show", action="store_true", help="print a record, and what was wrong")
    return parser


if __name__ == "__main__":
    main()
