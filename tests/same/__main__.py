"""Compare this version of porto with the one before a large change: see README.md.

    python -m tests.same [--seconds S] [--only show,log,…] [--seed TEXT]

The exit status is 0 if both do the same, 1 if something differs or it was stopped, 2 for wrong
usage, and 77 if nothing was compared because the other version cannot be installed here.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from tests.same import (
    advice,
    before,
    commands,
    documents,
    games,
    mails,
    play,
    race,
    records,
    scenarios,
    sealed,
    tab,
    words,
)
from tests.same.bench import Bench
from tests.same.jobs import Job, work
from tests.same.material import Game
from tests.same.program import Program
from tests.same.tally import Tally

ROOT = Path(__file__).parent.parent.parent
GONE = Path(__file__).with_name("gone.txt")
NOT_RUN = 77
"""The exit status of what could not be tested, as automake has it."""


@dataclass(frozen=True)
class Kind:
    """One kind of comparison."""

    jobs: Callable[[Bench], Iterator[Job]]
    least: int
    """How many jobs are done even if there is no time."""
    share: float = 0
    """Of the time for random comparisons; 0 for a list, which is done whole if there is time."""


def kinds(seconds: float, workers: int) -> dict[str, Kind]:
    """All kinds by the names that --only takes."""
    return {
        "records": Kind(records.whole, 9),
        "scenarios": Kind(scenarios.as_they_are, 9),
        "commands": Kind(commands.of, 40),
        "tab": Kind(tab.of, 16),
        "others": Kind(documents.others, 6),
        "play": Kind(play.of, 2),
        "sealed": Kind(sealed.of, 1),
        "race": Kind(race.of, 1),
        "damaged": Kind(records.damage, 4, 0.12),
        "changed": Kind(scenarios.changed, 1, 0.06),
        "show": Kind(partial(documents.of, "show"), 4, 0.06),
        "log": Kind(partial(documents.of, "log"), 4, 0.04),
        "moves": Kind(partial(documents.of, "moves"), 4, 0.05),
        "score": Kind(partial(documents.of, "score"), 4, 0.04),
        "words": Kind(words.of, 12, 0.12),
        "advice": Kind(advice.of, 8, 0.06),
        "mail": Kind(mails.of, 1, 0.1),
        "games": Kind(partial(games.of, seconds=seconds * GAMES, workers=workers), 2, GAMES),
    }


GAMES = 0.35
"""The share of the time in which games are played."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and say by the exit status whether all is equal."""
    options = parsed(arguments)
    started = time.monotonic()
    try:
        bench = set_up(options)
    except before.MissingError as error:
        print(f"Not run: the version before cannot be installed: {error}")
        return NOT_RUN
    for name, kind in kinds(options.seconds, options.workers).items():
        if options.only and name not in options.only:
            continue
        print(f"{time.monotonic() - started:4.0f} s  {name} …", file=sys.stderr, flush=True)
        work(
            jobs(bench, name, kind, options.seconds),
            partial(unexpected, bench.tally, name),
            workers=options.workers,
            least=kind.least,
            seconds=options.seconds * kind.share if kind.share else float("inf"),
        )
    print(bench.tally.text())
    if options.json:
        options.json.write_text(bench.tally.json() + "\n", encoding="utf-8")
    return 0 if bench.tally.equal(strict=options.strict) else 1


def jobs(bench: Bench, name: str, kind: Kind, seconds: float) -> Iterator[Job]:
    """The jobs of a kind: of a list a part, which the seed chooses, if there is no time."""
    if kind.share or seconds:
        return kind.jobs(bench)
    whole = list(kind.jobs(bench))
    random.Random(f"{bench.seed} {name}").shuffle(whole)
    return islice(iter(whole), kind.least)


def unexpected(tally: Tally, kind: str, error: Exception) -> None:
    """Count a comparison that was not possible."""
    place = traceback.format_exception(error)[-2].strip()
    tally.add(kind, {f"not comparable: {type(error).__name__}: {error}": place}, "", {})


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.same",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    here = Path(sys.executable).with_name("porto")
    parser.add_argument("--old", type=installed, help="the porto to compare with")
    parser.add_argument("--new", type=installed, default=str(here), help="the porto to be judged")
    parser.add_argument("--only", type=names, default=(), help="these kinds: show,log,…")
    parser.add_argument("--records", type=Path, action="append", default=[], help="more records")
    parser.add_argument("--gone", type=Path, default=GONE, help="what was given up on purpose")
    parser.add_argument("--seed", default="1", help="of everything random")
    parser.add_argument(
        "--seconds", type=float, default=60, help="for everything random; 0 takes a small sample"
    )
    parser.add_argument(
        "--strict", action="store_true", help="wording and places of faults decide, too"
    )
    parser.add_argument("-j", "--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="write the result to this file as well")
    parser.add_argument("--examples", type=Path, help="where to keep the scenes of examples")
    return parser.parse_args(arguments)


def installed(text: str) -> Path:
    """An installed porto, by its path."""
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no program {text}")
    return path.absolute()


def names(text: str) -> tuple[str, ...]:
    """Some kinds of comparisons."""
    chosen, known = text.split(","), kinds(1, 1)
    for name in chosen:
        if name not in known:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
    return tuple(chosen)


def set_up(options: argparse.Namespace) -> Bench:
    """Read what the comparisons need, and install the version before if none is named."""
    paths = sorted((ROOT / "records").rglob("*.yaml"))
    folders = [ROOT / "tests" / "old_records", *options.records]
    more = [path for folder in folders for path in sorted(folder.rglob("*.yaml"))]
    gone = options.gone.read_text(encoding="utf-8").splitlines()
    examples = options.examples or Path(tempfile.gettempdir(), f"same-examples-{os.getpid()}")
    patterns = tuple(re.compile(line) for line in gone if line.strip() and line[0] != "#")
    return Bench(
        old=Program("old", options.old or before.install(ROOT)),
        new=Program("new", options.new),
        tally=Tally(examples.resolve(), patterns),
        games=tuple(Game(path.stem, path.read_text(encoding="utf-8")) for path in paths),
        records=(*paths, *more),
        scenarios=ROOT / "scenarios",
        seed=options.seed,
    )


if __name__ == "__main__":
    # It ends like Ctrl-C, so that nothing stays behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped.")
