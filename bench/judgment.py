"""How sound decisions are: whole games tell what a move is worth, players and coaches guess it.

Decisions are drawn from games, spread over their kinds and over the thirds of a game. The moves
that players would make there, and those that the coach puts first, are played on to the end of the
game, many times, each time with the same random numbers for all of them::

    python -m bench.judgment sample puerto-rico FILE --player level-4:8 --each 13
    python -m bench.judgment play FILE --by bench.judgment:quick_player --games 200
    python -m bench.judgment table FILE level-5 coach     # what they would do today
    python -m bench.judgment play FILE --by level-4 --games 40 --decisions 30 --out OTHER
    python -m bench.judgment compare FILE OTHER

``play`` asks the players and the coach what they would do, and saves after each decision: it goes
on where it was interrupted, or with more games. ``FILE``, packed if it ends in ``.gz``, has one
JSON object on a line: what holds for all, then the games, then the decisions, with the keys

============  ====================================================================================
``of, at``    which game, and how many of its moves were made before
``kind``      the phase; where a phase has several kinds of moves, the verb
``part``      the third of the game: 0, 1, 2
``choices``   what each player would do
``coach``     what the coach says of a move: VP behind its best one, standard error, chance to win
``margins``   of a move: for each batch of games the mean margin at the end, as coaches count it
``wins``      of a move: how many of these games were won
============  ====================================================================================

*Loss* is by how much a choice is worse than the best move. The best of several means is partly the
luckiest one, so for each batch it is chosen by the other batches. That makes the loss a little too
small, as the best may not be found; by the plain maximum, also printed, it is too large.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from os import replace
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Any

from bench.training.compare import mean_of
from porto_cli.core import SentenceError
from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.games import game_of
from porto_cli.games.puerto_rico.engine.state import ROLE_PHASE
from porto_cli.games.puerto_rico.players import chances, network_of, played
from porto_cli.games.puerto_rico.players.priced import likely_move, promising
from porto_cli.players import Player, random_player, seed_of
from porto_cli.players.named import player_named
from porto_cli.players.search import LISTED, AsPlayer, Search
from porto_cli.seam import OVER, Move, State, View
from porto_cli.simulate import simulation_of

COACH = "coach"
ASKED = {
    "puerto-rico": ("level-5", "level-4", "level-3", "priced", COACH),
    "porto": ("level-5", "level-4", "level-3", COACH),
}
"""Whose choices are played on."""
BEST_OF_COACH = 2
"""How many of the moves that the coach puts first are played on as well."""
LOOKED_AT = 6
"""Moves of Puerto Rico that are looked at more closely."""
SEVERAL_KINDS = ("act",)
"""Phases that have several kinds of moves."""
PACKED = ".gz"
PARTS = 3
SPARSE = 0.5
"""How likely a game gives a decision of a kind and part, so that many games give some."""
BATCH = 10
"""Games of a batch."""
LONGEST = 600
"""Turns after which moves are drawn by lot: some players never end a game that they would lose."""
FIRST_LOOK = 4
"""After so many batches a move that is clearly behind is dropped."""
CLEAR = 3.0
"""How many standard errors it is behind then."""
FAR = 3.0
"""Moves that the coach takes to be farther behind, in VP, are not said to be near."""

CHANCES_OFF, PRICES_OFF = 0.08, 1.2
"""By how much who plays on in Puerto Rico misjudges the chance to win, and what moves are worth."""

Decision = dict[str, Any]
"""A decision and what was measured, see the head of this module."""
Batches = list[float]


def quick_player(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Play Puerto Rico about as level 3 does, but misjudge everything: four times as much as in the
    playouts of levels 4 and 5.

    Otherwise the games after a move would follow nearly one line, whose accidents would be taken
    for what the move is worth.
    """
    state: State = view.table
    network = network_of(state.config.seats)
    if state.phase != ROLE_PHASE:
        return likely_move(state, rng, PRICES_OFF, network.prices)
    worth = {
        move: chances(played(state, move, network))[state.seat] + CHANCES_OFF * rng.random()
        for move in promising(view, moves, rng, LOOKED_AT, network.prices)
    }
    return max(worth, key=worth.__getitem__)


class Data:
    """A file of decisions: what holds for all, the games, and the decisions."""

    def __init__(self, path: Path, head: Decision, *lines: Decision) -> None:
        self.path = path
        self.head = head
        self.games = [line for line in lines if "of" not in line]
        self.decisions = [line for line in lines if "of" in line]
        self.game = game_of(head["game"])
        coach = self.game.coach
        assert coach is not None
        self.coach = coach

    def save(self) -> None:
        """Write the file anew."""
        lines = [self.head, *self.games, *self.decisions]
        text = "".join(json.dumps(line) + "\n" for line in lines).encode()
        new = self.path.with_suffix(".new")
        new.write_bytes(gzip.compress(text, mtime=0) if self.path.suffix == PACKED else text)
        replace(new, self.path)

    def position(self, decision: Decision) -> State:
        """Return the table at which a decision was made."""
        played = self.games[decision["of"]]
        state, chance = self.begun(played["seats"], played["seed"])
        for text in played["moves"][: decision["at"]]:
            move = self.game.parse_move(text, state, state.seat)
            state, _ = self.game.apply(state, move, chance, state.seat)
        return state

    def begun(self, seats: int, seed: str) -> tuple[State, Chance]:
        """Return a new game, and its chance."""
        chance = seeded_chance(seed)
        config = self.game.new_config(list("ABCDE"[:seats]))
        return self.game.initial_state(config, self.game.deal(config, chance)), chance

    def rng(self, decision: Decision, purpose: str) -> Random:
        """Return the random numbers of a decision: the same ones wherever in a file it is."""
        seed = self.games[decision["of"]]["seed"]
        return Random(f"{purpose}/{seed}/{decision['at']}")

    def player(self, name: str) -> Player:
        """Return a player of the game."""
        return player_named(name, self.game.meta.id).player


def read(path: Path) -> Data:
    """Read a file of decisions."""
    text = path.read_bytes()
    text = gzip.decompress(text) if path.suffix == PACKED else text
    return Data(path, *map(json.loads, text.splitlines()))


# -- Decisions


def sample(data: Data, each: int, seats: Sequence[int], most: int, of_all: str) -> None:
    """Play games, and draw ``each`` decisions of every kind from every part, if there are.

    They are added to those that there are; their luck follows from the seed ``of_all``.
    """
    game = data.game
    player = data.player(data.head["player"])
    found: dict[tuple[str, int], int] = defaultdict(int)
    for number in range(most):
        seed = f"{of_all}/{number}"
        rng = Random(seed)
        state, chance = data.begun(seats[number % len(seats)], seed)
        texts: list[str] = []
        real: list[tuple[str, int, int]] = []
        while state.phase != OVER:
            moves = simulation_of(game.meta.id).choices(state, rng)
            move = player(game.view(state, state.seat), moves, rng)
            texts.append(game.format_move(move, state))
            if len(moves) > 1:
                kind = texts[-1].split()[0] if state.phase in SEVERAL_KINDS else state.phase
                real.append((kind, len(texts) - 1, state.seat))
            state, _ = game.apply(state, move, chance, state.seat)
        data.games.append({"seats": len(state.config.players), "seed": seed, "moves": texts})
        rng.shuffle(real)
        here: set[tuple[str, int]] = set()
        for kind, at, seat in real:
            stratum = kind, PARTS * at // len(texts)
            if stratum in here or found[stratum] >= each:
                continue
            here.add(stratum)
            if rng.random() < SPARSE:
                found[stratum] += 1
                one = {
                    "of": len(data.games) - 1,
                    "at": at,
                    "kind": kind,
                    "part": stratum[1],
                    "seat": seat,
                }
                data.decisions.append(one)
        if min(found.values(), default=0) >= each and len(found) % PARTS == 0:
            break
    Random(of_all).shuffle(data.decisions)


def ask(data: Data, decision: Decision, names: Sequence[str]) -> None:
    """Ask players, and ``coach`` after them, what they would do."""
    game = data.game
    state = data.position(decision)
    view = game.view(state, state.seat)
    choices = decision.setdefault("choices", {})
    margins = decision.setdefault("margins", {})
    for name in sorted(names, key=COACH.__eq__):
        rng = data.rng(decision, name)
        if name == COACH:
            tried = [game.parse_move(text, state, state.seat) for text in margins]
            judged = data.coach.judge(view, rng, moves=tried)
            best = [game.format_move(one.move, state) for one in judged[:BEST_OF_COACH]]
        else:
            moves = simulation_of(game.meta.id).choices(state, rng)
            move = data.player(name)(view, moves, rng)
            best = [game.format_move(game.canonical_move(state, move), state)]
        choices[name] = best[0]
        for text in best:
            margins.setdefault(text, [])
    if COACH in names:
        said = [(game.format_move(one.move, state), one) for one in judged]
        decision[COACH] = {
            text: [round(one.behind, 2), round(one.error, 3), round(one.prospect.win, 3)]
            for text, one in said
            if text in margins
        }


def play(data: Data, decision: Decision, games: int) -> None:
    """Play on from each move of a decision, in so many games if it is not clearly behind."""
    game = data.game
    margins: dict[str, Batches] = decision["margins"]
    wins: dict[str, float] = decision.setdefault("wins", {})
    todo = [text for text in margins if len(margins[text]) < games // BATCH]
    if len(margins) < 2 or not todo:
        return
    state = data.position(decision)
    seat = state.seat
    moves = [game.parse_move(text, state, seat) for text in todo]
    seed = seed_of(data.rng(decision, "play"))
    by = AsPlayer(game.meta.id, data.player(data.head["by"]))
    anybody = AsPlayer(game.meta.id, random_player)

    def policy(state: State, seat: int, rng: Random) -> Move:
        return (by if state.turn < LONGEST else anybody)(state, seat, rng)

    leaf = Search(game.meta.id, policy=policy).leaves(game.view(state, seat), moves, seed)
    for batch in range(games // BATCH):
        racing = _racing(margins) if batch >= FIRST_LOOK else list(margins)
        for choice, text in enumerate(todo):
            if text not in racing or len(racing) < 2 or len(margins[text]) != batch:
                continue
            numbers = range(batch * BATCH, (batch + 1) * BATCH)
            ends = [game.view(leaf(choice, number), seat) for number in numbers]
            found = [data.coach.prospect(end) for end in ends]
            margins[text].append(round(fmean(one.margin for one in found), 2))
            wins[text] = wins.get(text, 0) + sum(one.win for one in found)


def _racing(margins: dict[str, Batches]) -> list[str]:
    """Return the moves that are not clearly behind the best of those with most games."""
    best = _best(margins)
    racing = []
    for text, own in margins.items():
        behind, error = _behind(margins[best], own)
        if len(own) < FIRST_LOOK or behind <= CLEAR * error or text == best:
            racing.append(text)
    return racing


def _best(margins: dict[str, Batches], without: int | None = None) -> str:
    """Return the best of the moves with most games, ``without`` one of the batches."""
    most = max(map(len, margins.values()))
    sums = {
        text: sum(own) - (0 if without is None else own[without])
        for text, own in margins.items()
        if len(own) == most
    }
    return max(sums, key=sums.__getitem__)


def _behind(best: Batches, own: Batches) -> tuple[float, float]:
    """Return how many VP a move is behind another one, and the standard error of that."""
    each = [one - other for one, other in zip(best, own, strict=False)]
    return (fmean(each), sqrt(variance(each) / len(each))) if len(each) > 1 else (0.0, 0.0)


# -- What they tell


def losses(margins: dict[str, Batches], choice: str) -> tuple[float, float]:
    """Return the loss of a choice, the best move chosen by other batches, and by all."""
    own = margins[choice]
    fair = [margins[_best(margins, nth)][nth] - one for nth, one in enumerate(own)]
    return fmean(fair), _behind(margins[_best(margins)], own)[0]


def table(data: Data, names: Sequence[str]) -> list[str]:
    """Return by kind how much is lost, and how far off the coach is."""
    known = [one for one in data.decisions if len(_played(one)) > 1]
    kinds = [*sorted({one["kind"] for one in known}), "all"]
    lines = ["| kind | player | decisions | loss in VP | by maximum | lose > 2 VP |"]
    lines += ["| --- | --- | ---: | ---: | ---: | ---: |"]
    coach = ["| kind | pairs | coach off by | near pairs | coach off by | what it says, × |"]
    coach += ["| --- | ---: | ---: | ---: | ---: | ---: |"]
    for kind in kinds:
        of_kind = [one for one in known if kind in (one["kind"], "all")]
        for name in names:
            lost = [
                losses(_played(one), one["choices"][name])
                for one in of_kind
                if one["choices"].get(name) in _played(one)
            ]
            if lost:
                fair, by_maximum = zip(*lost, strict=True)
                loss, much = mean_of(fair), 100 * fmean(one > 2 for one in fair)
                lines.append(
                    f"| {kind} | {name} | {len(lost)} | {loss.mean:.2f} ± {loss.doubt:.2f} "
                    f"| {fmean(by_maximum):.2f} | {much:.0f} % |"
                )
        pairs = [pair for one in of_kind for pair in coach_pairs(one)]
        near = [pair for pair in pairs if pair[0] <= FAR]
        if near:
            coach.append(
                f"| {kind} | {len(pairs)} | {_off(pairs)} | {len(near)} | {_off(near)} "
                f"| {_slope(near)} |"
            )
    return [*lines, "", *coach]


def _played(decision: Decision) -> dict[str, Batches]:
    """Return the moves of a decision that were played on, in several batches."""
    return {text: own for text, own in decision.get("margins", {}).items() if len(own) > 1}


def coach_pairs(decision: Decision) -> list[tuple[float, float, float]]:
    """Return for the best move of the coach and each other one: how far the coach takes that to be
    behind, how far it is in whole games, and the variance of the noise in the difference of both.
    """
    said, margins = decision.get(COACH, {}), _played(decision)
    best = decision.get("choices", {}).get(COACH)
    pairs = []
    for text, (behind, error, _) in said.items():
        if text != best and text in margins and best in margins:
            truly, doubt = _behind(margins[best], margins[text])
            pairs.append((behind, truly, error**2 + doubt**2))
    return pairs


def _off(pairs: Sequence[tuple[float, float, float]]) -> str:
    """Return by how much judgments are off, as a standard deviation, without the noise of both."""
    square = fmean((said - truly) ** 2 - noise for said, truly, noise in pairs)
    return f"{sqrt(max(0.0, square)):.2f}"


def _slope(pairs: Sequence[tuple[float, float, float]]) -> str:
    """Return by what factor what is said has to be multiplied to be right on average."""
    squares = sum(said * said for said, _, _ in pairs)
    return f"{sum(said * truly for said, truly, _ in pairs) / squares:.2f}" if squares else ""


def compare(one: Data, other: Data) -> str:
    """Return how well whole games by two players agree on how far moves are apart."""
    known = {(each["of"], each["at"]): _played(each) for each in one.decisions}
    pairs = []
    for decision in other.decisions:
        theirs = _played(decision)
        ours = known[decision["of"], decision["at"]]
        both = [text for text in theirs if text in ours]
        for text in both[1:]:
            pairs.append(
                (_behind(ours[both[0]], ours[text]), _behind(theirs[both[0]], theirs[text]))
            )
    product = fmean(a * b for (a, _), (b, _) in pairs)
    squares = [fmean(pair[nth][0] ** 2 for pair in pairs) for nth in (0, 1)]
    real = [squares[nth] - fmean(pair[nth][1] ** 2 for pair in pairs) for nth in (0, 1)]
    plain = product / sqrt(squares[0] * squares[1])
    true = product / sqrt(real[0] * real[1]) if min(real) > 0 else 1.0
    same = fmean(a * b > 0 for (a, _), (b, _) in pairs)
    return (
        f"{len(pairs)} pairs of moves: correlation {plain:.2f}, without the noise {true:.2f}; "
        f"the same one is better in {100 * same:.0f} %"
    )


def main(args: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.judgment", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("sample", help="draw decisions from games, more if there are some")
    one.add_argument("game", choices=list(ASKED))
    one.add_argument("file", type=Path)
    one.add_argument("--player", default="level-5", help="who plays the games")
    one.add_argument("--seats", type=int, nargs="+", help="numbers of players, in turn")
    one.add_argument("--each", type=int, default=13, help="decisions of each kind and part")
    one.add_argument("--games", type=int, default=60, help="games at most")
    one.add_argument("--seed", default="judgment")
    one = commands.add_parser("play", help="play on from the moves")
    one.add_argument("file", type=Path)
    one.add_argument("--by", default="level-3", help="who plays on, in every seat")
    one.add_argument(
        "--games", type=int, default=200, help="of each move that is not clearly behind"
    )
    one.add_argument("--kinds", nargs="+", help="only decisions of these kinds")
    one.add_argument("--decisions", type=int, help="only so many of them")
    one.add_argument("--also", help="a move that is played on as well where it is legal")
    one.add_argument("--out", type=Path, help="another file for what is measured")
    one = commands.add_parser("table", help="print what is lost")
    one.add_argument("file", type=Path)
    one.add_argument("players", nargs="*", help="who is asked again before")
    one = commands.add_parser("compare", help="compare two files of the same decisions")
    one.add_argument("file", type=Path)
    one.add_argument("other", type=Path)
    try:
        return _run(parser.parse_args(args))
    except (OSError, SentenceError) as error:
        print(error, file=sys.stderr)
        return 2


def _run(asked: argparse.Namespace) -> int:
    """Do what was asked for, and return the exit code."""
    if asked.command == "sample":
        seats = asked.seats or [n for n in game_of(asked.game).meta.players if n > 1]
        head = {"game": asked.game, "player": asked.player, "seed": asked.seed}
        data = read(asked.file) if asked.file.exists() else Data(asked.file, head)
        sample(data, asked.each, seats, asked.games, asked.seed)
        data.save()
        print(f"{len(data.decisions)} decisions of {len(data.games)} games")
        return 0
    data = read(asked.file)
    if asked.command == "compare":
        print(compare(data, read(asked.other)))
    elif asked.command == "play":
        _play_all(data, asked)
    else:
        for decision in data.decisions if asked.players else ():
            if _played(decision):
                games = BATCH * max(map(len, decision["margins"].values()))
                ask(data, decision, asked.players)
                play(data, decision, games)
                data.save()
        names = {name: None for one in data.decisions for name in one.get("choices", {})}
        print("\n".join(table(data, asked.players or list(names))))
    return 0


def _play_all(data: Data, asked: argparse.Namespace) -> None:
    """Play on from the decisions of a file, and save after each of them."""
    game = data.game
    if asked.out and asked.out.exists():
        data = read(asked.out)
    elif asked.out:
        data.path = asked.out
        for decision in data.decisions:
            decision.pop("wins", None)
            decision["margins"] = {text: [] for text in decision.get("margins", {})}
    data.head["by"] = asked.by
    wanted = [one for one in data.decisions if one["kind"] in (asked.kinds or [one["kind"]])]
    for decision in wanted[: asked.decisions]:
        if "choices" not in decision:
            ask(data, decision, ASKED[data.head["game"]])
        if asked.also:
            state = data.position(decision)
            legal = game.legal_moves(state, state.seat, LISTED)
            if asked.also in [game.format_move(move, state) for move in legal]:
                decision["margins"].setdefault(asked.also, [])
        play(data, decision, asked.games)
        data.save()


if __name__ == "__main__":
    sys.exit(main())
