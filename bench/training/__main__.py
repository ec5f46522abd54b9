"""The command ``python -m bench.training``: one of the steps, all of them, or a comparison."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from multiprocessing import Pool
from multiprocessing.pool import Pool as Workers
from pathlib import Path
from typing import Any

from bench.training import files, forms, steps
from bench.training.compare import BY_LEVEL, compared
from bench.training.games import PLAYERS as NUMBERS
from porto_cli.games.porto.players import PLAYERS
from porto_cli.games.puerto_rico import players

OTHER = "puerto-rico"
"""The command for levels 3 to 5 of Puerto Rico. All others are Porto's."""
_EVOLVED = ("candidates", "deals", "generations")
_FITTED = ("iterations", "games")
BUDGET = {
    "all": (*_EVOLVED, *_FITTED),
    "prices": _EVOLVED,
    "regression": _FITTED,
    "evolution": _EVOLVED,
    OTHER: ("first", "games", "rounds", "deals"),
}
"""What of its plan each command lets one choose."""


def main(args: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    parser = _parser()
    asked = parser.parse_args(args)
    try:
        if asked.command == "adopt":
            for key in files.adopt(Path(asked.file), *_adopted(asked.game)):
                print(f"The program goes by the weights for {key!r} of {asked.file} now.")
            return 0
        with _workers(asked.workers) as pool:
            if asked.command == "compare":
                _compare(asked, pool)
            elif asked.command == OTHER:
                _puerto_rico(asked, pool)
            else:
                _train(asked, pool)
    except (files.RefusedError, OSError) as error:
        print(f"python -m bench.training: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped. What is done is kept; the same command goes on.", file=sys.stderr)
        return 130
    return 0


def _adopted(game: str) -> tuple[Any, ...]:
    """Return the file that weights go into, and how it is read, unless they are Porto's."""
    return (players.FILE, forms.read_networks) if game == OTHER else ()


def _compare(asked: argparse.Namespace, pool: Workers | None) -> None:
    old, _ = files.read(asked.old, asked.players)
    new, _ = files.read(asked.new, asked.players)
    lines = compared(
        asked.players,
        old,
        new,
        level=asked.level,
        against=asked.against,
        deals=asked.deals,
        seed=asked.seed,
        pool=pool,
    )
    for line in lines:
        print(line, flush=True)


def _train(asked: argparse.Namespace, pool: Workers | None) -> None:
    every = asked.command == "all"
    wanted = steps.STEPS if every else (asked.command,)
    start = asked.start or (files.NOTHING if every or asked.command == "prices" else files.SHIPPED)
    out = Path(asked.out or f"weights-{asked.players}.json")
    budget = _budget(asked)
    if "regression" in wanted:
        _need_numpy()
    for step in wanted:
        # Of several steps each has a file of its own, which the next one begins with.
        target = files.checkpoint(out, f"{step}-weights") if every and step != wanted[-1] else out
        task = steps.Task(step, asked.players, asked.seed, target, budget)
        steps.run(task, start, pool, lambda line: print(line, flush=True))
        start = str(target)
    print(f"{out} has the weights. They are used after: python -m bench.training adopt {out}")


def _puerto_rico(asked: argparse.Namespace, pool: Workers | None) -> None:
    _need_numpy()
    from bench.training import rounds

    out = Path(asked.out or f"{asked.command}-{asked.players}.json")
    plan = rounds.Plan(**_budget(asked))
    task = rounds.Task(asked.players, asked.seed, out, plan, start=asked.start)
    rounds.run(task, pool, lambda line: print(line, flush=True))
    print(
        f"{out} has the weights. They are used after: "
        f"python -m bench.training adopt --game {asked.command} {out}"
    )


def _budget(asked: argparse.Namespace) -> dict[str, Any]:
    """Return what of the plan was asked for."""
    return {
        key: getattr(asked, key) for key in BUDGET[asked.command] if getattr(asked, key) is not None
    }


def _need_numpy() -> None:
    if not find_spec("numpy"):
        raise files.RefusedError("The regression needs NumPy: pip install -e '.[training]'")


@contextmanager
def _workers(count: int) -> Iterator[Workers | None]:
    if count == 1:
        yield None
        return
    # Ctrl-C is for the main process, which ends the others.
    with Pool(count, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.training",
        description="Make weights for players: python -m bench.training all --players 2 for Porto, "
        f"python -m bench.training {OTHER} --players 3 for Puerto Rico",
        epilog="docs/measurements/players.md describes each step. A run that was stopped "
        "continues when the same command is given again.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    any_game = argparse.ArgumentParser(add_help=False)
    any_game.add_argument("--seed", default="porto", help="what all luck follows from")
    any_game.add_argument(
        "--workers", type=partial(_number, 1), default=1, metavar="N", help="processes (default 1)"
    )
    common = argparse.ArgumentParser(add_help=False, parents=[any_game])
    common.add_argument("--players", choices=NUMBERS, default="2", help="for whom (default 2)")
    helps = {
        "all": "all steps, from weights that know nothing",
        "prices": "what levels 2 and 3 go by",
        "regression": "what features are worth; needs NumPy",
        "evolution": "the weights of features, moved to where they win more",
    }
    for name, text in helps.items():
        step = commands.add_parser(name, parents=[common], help=text)
        step.add_argument("--out", metavar="FILE", help="default weights-PLAYERS.json")
        step.add_argument(
            "--start",
            metavar="FILE",
            help=f"the weights to begin with, {files.SHIPPED!r} or {files.NOTHING!r}",
        )
        for key in BUDGET[name]:
            least = 2 if key == "candidates" else 1
            step.add_argument(
                f"--{key}", type=partial(_number, least), metavar="N", help="of the plan"
            )
    compare = commands.add_parser("compare", parents=[common], help="which weights win more")
    compare.add_argument("old", metavar="OLD", help=f"a file of weights, or {files.SHIPPED!r}")
    compare.add_argument("new", metavar="NEW", help=f"a file of weights, or {files.SHIPPED!r}")
    compare.add_argument("--deals", type=partial(_number, 1), default=200, metavar="N")
    compare.add_argument("--level", type=int, choices=BY_LEVEL, default=4)
    compare.add_argument("--against", choices=PLAYERS, help="both play these instead of each other")
    other = commands.add_parser(
        OTHER, parents=[any_game], help="what levels 3 to 5 of Puerto Rico go by; needs NumPy"
    )
    other.add_argument("--players", choices=forms.SEATS, default="3", help="for whom (default 3)")
    other.add_argument("--out", metavar="FILE", help=f"default {OTHER}-PLAYERS.json")
    other.add_argument(
        "--start",
        metavar="FILE",
        help=f"weights in place of the first round, {files.SHIPPED!r} or a file",
    )
    counts = {
        "first": (1, "games of the first round (default 20000)"),
        "games": (1, "games of each later round (default 20000)"),
        "rounds": (1, "rounds at most (default 5)"),
        "deals": (2, "deals against the round before (default 400)"),
    }
    for key, (least, told) in counts.items():
        other.add_argument(f"--{key}", type=partial(_number, least), metavar="N", help=told)
    adopt = commands.add_parser("adopt", help="make the weights of a file those of the program")
    adopt.add_argument("file", metavar="FILE")
    adopt.add_argument("--game", choices=("porto", OTHER), default="porto", help="default porto")
    return parser


def _number(least: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} has to be a whole number from {least} up")
    return number


if __name__ == "__main__":
    sys.exit(main())
