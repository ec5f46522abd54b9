"""Sealed games: each player has keys of their own, in a home of their own."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.same.bench import Bench, Gone, exits
from tests.same.games import FILE, spelled, suggested, typed
from tests.same.jobs import Job
from tests.same.program import TABLE, Json, Outcome, Program, command_line, read_files, write_files

KIND = "sealed"
PLAYERS = ("Ana", "Bob", "Zoe")
MOVES = 10
"""In each game; half as many if both versions play."""


def of(bench: Bench) -> Iterator[Job]:
    """Games by the new version, by the old one, and with one of them in every second seat."""
    old, new = bench.old, bench.new
    for number, (options, programs) in enumerate(
        [
            (["--secrecy", "sealed"], [new, new]),
            (["--secrecy", "sealed"], [old, old]),
            (["--secrecy", "sealed"], [new, old, new]),
            (["--secrecy", "sealed", "--title", "Mixed"], [old, new]),
            (["--secrecy", "sealed", "--first-game"], [old, new, old]),
        ]
    ):
        rng = random.Random(f"{bench.seed} sealed {number}")
        yield partial(play, bench, rng, options, programs)


def play(
    bench: Bench, rng: random.Random, options: Sequence[str], programs: Sequence[Program]
) -> None:
    """Set up a game, make some moves, and verify it with both versions."""
    folder = Path(tempfile.mkdtemp(prefix="same-")).resolve()
    try:
        write_files(folder, {})
        game = Seats(bench, folder, dict(zip(PLAYERS, programs, strict=False)))
        game.play(rng, options)
    except Gone:
        bench.tally.leave_out(KIND)
    finally:
        shutil.rmtree(folder)


class Seats:
    """A game in one folder, which the players use in turn, each with a program and a home."""

    def __init__(self, bench: Bench, folder: Path, programs: dict[str, Program]) -> None:
        self.bench = bench
        self.folder = folder
        self.programs = programs
        self.waiting: list[str] = []
        """Who is to move, as the last document says."""

    def run(self, player: str, args: Sequence[str]) -> Outcome:
        """A command of one player."""
        self.bench.check_gone(args)
        return self.programs[player].run(self.folder, args, home=player)

    def done(self, player: str, args: Sequence[str]) -> bool:
        """A command that has to succeed."""
        before = read_files(self.folder)
        outcome = self.run(player, args)
        program = self.programs[player].name
        found = {f"{args[0]} fails in the {program}": outcome.err} if outcome.exit else {}
        self.bench.tally.add(KIND, found, command_line(args, player), before)
        if isinstance(document := outcome.json(), dict):
            self.waiting = document["to_move"]
        return not found

    def play(self, rng: random.Random, options: Sequence[str]) -> None:
        """The whole course of the game; it stops at the first step that fails."""
        sealed = "sealed" in options
        seats = list(self.programs)
        me = ["--as", seats[0]] if sealed else []
        if not self.done(seats[0], ["new", FILE, *seats, *options, *me]):
            return
        for player in [*seats[1:], *seats[:-1]] if sealed else []:
            if not self.done(player, ["join", FILE, "--as", player]):
                return
        self.same("verify", FILE)
        self.done(seats[0], ["show", FILE, "--format", "json"])
        mixed = len(set(self.programs.values())) > 1
        for _ in range(MOVES // (1 + mixed)):
            if not self.move(rng):
                return
        self.same("verify", FILE)
        for player in seats:
            self.same("show", FILE, "--as", player, home=player)
        self.refused(rng.choice(seats))

    def move(self, rng: random.Random) -> bool:
        """A random move of the player whose turn it is."""
        if not self.waiting:
            return False
        player = self.waiting[0]
        me = ["--as", player]
        document: Json = self.run(player, ["moves", FILE, *me, "--format", "json"]).json()
        listed = spelled(document)
        if not listed:
            listed = suggested(self.run(player, ["place", FILE, *me, "--format", "json"]).json())
        if not listed:
            self.bench.tally.add(KIND, {"no moves": repr(document)}, "", read_files(self.folder))
            return False
        return self.done(player, [*typed(rng.choice(listed)), *me, "--format", "json"])

    def same(self, *args: str, home: str = "home") -> None:
        """Both versions print the same document."""
        self.bench.documents(KIND, read_files(self.folder), args, home=home)

    def refused(self, player: str) -> None:
        """Both refuse what is wrong with the seals in the same way."""
        files = read_files(self.folder)
        path = f"{TABLE}/{FILE}"
        whole = files[path].decode()
        last = whole.rstrip("\n").rsplit("\n", 1)[0] + "\n"
        swapped = whole.replace('"content"', '"contents"', 1)
        turns = whole.replace("\n- ", "\n- Ana: pass\n- ", 1)
        for text in (last, swapped, turns):
            damaged = {**files, path: text.encode()}
            for args in (["verify", FILE], ["show", FILE, "--as", player]):
                old, new = self.bench.both(damaged, args, home=player)
                self.bench.tally.add(KIND, exits(old, new), command_line(args, player), damaged)
