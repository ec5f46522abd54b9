"""Records that grow: twice as much of anything takes no more than about twice the time.

python -m tests.growing
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import cache

import porto_cli
from tests.conftest import run_porto
from tests.porto.playing import BARE, CRAMPED


@cache
def _head() -> str:
    return porto_cli.new_game(
        ["Ana", "Bob"], seed="x", first="Ana", private_contracts=False
    ).record.text


def _turns_taken_back(size: int) -> str:
    match = porto_cli.loads(_head())
    match.play(match.legal_moves()[0])
    item = match.record.text[len(_head()) :]
    return _head() + (item + "- Ana: undo\n") * size


def _results(size: int) -> str:
    match, ends = _finished()
    for end in ends[:size]:
        match += end
    return match


@cache
def _finished() -> tuple[str, list[str]]:
    rnd = random.Random(1)
    match = porto_cli.new_game(["Ana", "Bob"], seed="x", edition=CRAMPED)
    while not match.over:
        match.play(rnd.choice(match.legal_moves()), player=match.state.seat)
    moves = match.replay.steps[-1].moves
    ends = []
    whole = match.record.text
    for _ in range(400):
        before = len(match.record.text)
        match.undo()
        match.play(*moves, player=match.players[match.replay.steps[-1].seat])
        ends.append(match.record.text[before:])
    return whole, ends


def _passes(size: int) -> str:
    """Return a game in which no player can ever move."""
    for number in range(100):
        rnd = random.Random(number)
        match = porto_cli.new_game(
            ["Ana", "Bob"], seed=f"{number}", edition=BARE, private_contracts=False
        )
        passes = 0
        while not match.over and passes < 4:
            moves = match.legal_moves()
            first = match.text(moves[0])
            chosen = moves[0] if first.startswith("draw") else rnd.choice(moves)
            match.play(chosen, player=match.state.seat)
            passes = passes + 1 if first == "pass" else 0
        if not match.over:
            names = match.players
            one, other = names[match.state.seat], names[1 - match.state.seat]
            return match.record.text + f"- {one}: pass\n- {other}: pass\n" * size
    raise RuntimeError("no such game")


def _with(line: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: line(size) + "\n" + _head()


FAMILIES: dict[str, tuple[int, Callable[[int], str], tuple[str, ...]]] = {
    "turns taken back": (
        1_000,
        _turns_taken_back,
        ("verify -", "show -", "log -", "log - --format html", "moves -", "score -", "undo -"),
    ),
    "results": (100, _results, ("verify -", "log -")),
    "passes": (
        400,
        _passes,
        ("verify -", "log -", "log - --format html", "log - --format json", "score -", "pass -"),
    ),
    "a long comment": (500_000, _with(lambda size: "# " + "é\t" * size), ("verify -",)),
    "comments": (50_000, _with(lambda size: "  # a\tb\n" * size), ("verify -",)),
    "empty lines": (200_000, _with(lambda size: " \n" * size), ("verify -",)),
    "a long title": (500_000, _with(lambda size: "title: " + "a b " * size), ("show -",)),
    "a long text of escapes": (
        200_000,
        _with(lambda size: 'title: "' + "\\t" * size + '"'),
        ("show -",),
    ),
    "a text of many lines": (
        100_000,
        _with(lambda size: "title: a\n" + " b\n" * size),
        ("show -",),
    ),
    "a text behind a bar": (
        100_000,
        _with(lambda size: "title: |\n" + " b\tc #\n\n" * size),
        ("show -",),
    ),
    "keys": (30_000, _with(lambda size: "".join(f"k{n}: \n" for n in range(size))), ("verify -",)),
    "a key many times": (30_000, _with(lambda size: "k: 1\n" * size), ("verify -",)),
    "brackets": (30_000, _with(lambda size: "k: [" + "a?, " * size + "]"), ("verify -",)),
    "empty brackets": (30_000, _with(lambda size: "k: [" + "{}, " * size + "]"), ("verify -",)),
    "open brackets": (300_000, _with(lambda size: "k: " + "[" * size), ("verify -",)),
    "dashes": (300_000, _with(lambda size: "k: \n" + "- " * size), ("verify -",)),
    "directives": (300_000, lambda size: "%TAG !a! tag:x:\n" * size, ("verify -",)),
    "directives behind": (300_000, lambda s: "a: 1\n" + "%TAG !a! tag:x:\n" * s, ("verify -",)),
    "tags": (30_000, _with(lambda size: "k: " + "!" + "a" * size + " b"), ("verify -",)),
    "cards in a move": (
        100_000,
        lambda size: f"{_head()}- Ana: draw {'blue-1 ' * size}\n",
        ("verify -",),
    ),
    "cards in a move that is short enough": (
        300,
        lambda size: f"{_head()}- Ana: draw {'blue-1 ' * size}\n",
        ("verify -",),
    ),
    "keys of a turn": (
        10_000,
        lambda size: (
            _head() + "- Ana: draw blue-1\n" + "".join(f"  k{n}: a\n" for n in range(size))
        ),
        ("verify -",),
    ),
    "players": (
        10_000,
        lambda size: "porto: 1\nrules: 1\nplayers:\n" + "".join(f"- 가{n}\n" for n in range(size)),
        ("verify -",),
    ),
}
"""Texts that grow with a number, the number to begin with, and the commands that read them."""

GROWS, FACTOR, SLACK = 4, 2.2, 0.1
"""How many times as large the second text of a family is; how many times as long as by the rule of
three it may take, and how many seconds more, for what else runs on the machine."""


def growth(family: str, command: str) -> str:
    """Return what is wrong with the time that a command takes for a family, or nothing."""
    size, text, _ = FAMILIES[family]
    small, large = (text(size * times) for times in (1, GROWS))
    for attempt in range(3):
        first, second = (_seconds(command, given, attempt + 1) for given in (small, large))
        if second <= first * GROWS * FACTOR + SLACK:
            return ""
    return f"{family}: {command} takes {first:.2f} s, and {second:.2f} s for {GROWS} times as much"


def _seconds(command: str, text: str, times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.process_time()
        result = run_porto(*command.split(), stdin=text)
        taken.append(time.process_time() - start)
        if result.code not in (0, 1, 3):
            raise AssertionError(f"{command}: exit code {result.code}: {result.err[:500]}")
    return min(taken)


def hunt() -> list[str]:
    """Return what is wrong with the time of any command for any family."""
    tried = [(family, command) for family in FAMILIES for command in FAMILIES[family][2]]
    return [wrong for family, command in tried if (wrong := growth(family, command))]


if __name__ == "__main__":
    found = hunt()
    print(*found or ["No command takes too long for a large file."], sep="\n")
    sys.exit(bool(found))
