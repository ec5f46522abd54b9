"""Run the whole benchmark and print a table: ``python -m bench [--rounds N] [PART …]``."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench import engine, growth, startup
from bench.measure import Rates, ratios

CHESS = "python-chess"
PARTS: dict[str, tuple[str, Callable[[int], list[Rates]]]] = {
    "playouts": ("random playouts, moves/s", engine.playouts),
    "puerto-rico": ("random playouts of Puerto Rico, moves/s", engine.puerto_rico),
    "coach": ("playouts of Puerto Rico's coach/s", engine.coach),
    "reading": ("replay of a whole record, moves/s", engine.reading),
    "listing": ("all legal moves as text, positions/s", engine.listing),
    "copying": ("copies of a state/s", engine.copying),
    "loading": ("record texts loaded, turns/s", engine.loading),
    "files": ("game files read and replayed, moves/s", engine.files),
}
MINUTES = 2.0
"""How long a part may take for each round, and for its preparation."""


def show_rates(title: str, measured: list[Rates]) -> None:
    """Print the rates of the contenders, and ours by python-chess's."""
    print(f"\n{title}")
    chess = next((rates for rates in measured if rates.name == CHESS), None)
    bar = engine.BARS.get(title)
    for rates in measured:
        line = f"  {rates.name:30} {rates.median:12,.0f}"
        if chess and rates is not chess:
            by = ratios(rates, chess)
            line += f"   {by.middle:5.2f} x {CHESS} ({by.least:.2f} to {by.most:.2f})"
            if bar and rates.name.startswith("porto"):
                line += f"   bar {bar:g}: {'holds' if by.middle >= bar else 'MISSED'}"
        print(line)
    if not chess and bar:
        print("  python-chess is not installed: pip install -e '.[bench]'")


def show_start_up(rounds: int) -> None:
    """Print the start-up of each kind of command."""
    print("\nwhole processes on a record of 140 turns")
    for one in startup.measure(rounds):
        line = f"  {one.name:30} {one.milliseconds:8.1f} ms"
        line += f"   {one.ratio:5.2f} x {startup.BARE} ({one.least:.2f} to {one.most:.2f})"
        bar = startup.BARS.get(one.name)
        if bar:
            line += f"   bar {bar:g}: {'holds' if one.ratio <= bar else 'MISSED'}"
        print(line)


def show_growth() -> None:
    """Print what records of growing length cost."""
    print("\nlong records, loaded and replayed")
    for one in growth.measure():
        print(
            f"  {one.turns:6,} turns {one.microseconds_a_turn:8.1f} µs a turn"
            f" {one.bytes_a_turn:10,.0f} bytes a turn"
        )


def main() -> None:
    """Run the parts that are asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(_names()))
    parser.add_argument("--rounds", type=int, default=9, help="rounds that count (default 9)")
    parser.add_argument(
        "--minutes",
        type=float,
        default=MINUTES,
        help=f"most minutes of a part for each round and its preparation (default {MINUTES:g})",
    )
    args = parser.parse_args()
    unknown = set(args.parts) - set(_names())
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    wanted = args.parts or _names()
    seconds = args.minutes * 60 * (args.rounds + 1)
    for name, (title, measure) in PARTS.items():
        if name in wanted:
            with limited(seconds):
                show_rates(title, measure(args.rounds))
    if "startup" in wanted:
        with limited(seconds):
            show_start_up(args.rounds)
    if "growth" in wanted:
        with limited(seconds):
            show_growth()


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End the program, and show where it is, if what is in ``with`` takes longer."""
    # faulthandler.dump_traceback_later() would do this, but it walks the running
    # stack without the lock of the interpreter and sometimes crashes on it.
    watchdog = threading.Timer(seconds, _give_up, [seconds, threading.get_ident()])
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def _give_up(seconds: float, thread: int) -> None:
    """Print the stack of ``thread`` on standard error and exit with status 1."""
    print(f"Timeout after {seconds:g} s, in:", file=sys.stderr)
    traceback.print_stack(sys._current_frames().get(thread), file=sys.stderr)
    sys.stderr.flush()
    os._exit(1)


def _names() -> list[str]:
    return [*PARTS, "startup", "growth"]


if __name__ == "__main__":
    main()
