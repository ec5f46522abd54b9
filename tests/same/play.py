"""Games at the keyboard: `porto play`, line by line, in a pseudo-terminal.

The script of a game are moves of a record of the project, and at the end the file has to be that
record. How a screen asks may change, so the player reads the choices and takes the one that says
"type", to type the move as records write it; without one, the choice that shares most words with
the move; and if none shares any, the first, which goes on.
"""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.same.bench import Bench, Gone
from tests.same.games import first_difference, without_comments
from tests.same.jobs import Job
from tests.same.material import Game
from tests.same.program import HOME, TABLE, Program, command_line, laid_out, on_table

KIND = "play"
FILE = "g.yaml"
ARGS = ["play", FILE, "--plain", "--all"]
SCRIPTS = (
    ("porto", "two-players", 0, 8),
    ("porto", "two-players", 20, 6),
    ("porto", "three-players", 7, 6),
    ("porto", "four-players-seat-first", 30, 6),
    ("porto", "first-game", 40, 6),
    ("porto", "forced-pass", 60, 6),
    ("puerto-rico", "two-players", 6, 8),
    ("puerto-rico", "three-players-guide", 30, 8),
    ("puerto-rico", "four-players-draft", 10, 9),
    ("puerto-rico", "five-players-random", 64, 8),
)
"""The game, the record, after how many of its items one sits down, and how many moves are made."""
LABEL = re.compile(r"[\w+-]+")
CODE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
CHOICE = re.compile(r"^ +(\w{1,4}|[^\w\s]) {2}(\S.*)$", re.MULTILINE)
PROMPT = re.compile(r"[:?>] ?\Z")
"""What ends a question: nothing more comes until one has answered."""
QUIET = 0.15
LIMIT_SECONDS = 30.0
MOST = 12
"""Questions about one move."""


def of(bench: Bench) -> Iterator[Job]:
    """All scripts."""
    games = {(game.kind, game.name): game for game in bench.games}
    for kind, name, start, moves in SCRIPTS:
        yield partial(compare, bench, games[kind, name], start, moves)


def compare(bench: Bench, game: Game, start: int, moves: int) -> None:
    """Both versions write the record whose moves were played."""
    files = on_table({FILE: game.cut(start)})
    expected = without_comments(game.cut(start + moves).encode())
    try:
        bench.check_gone(ARGS)
    except Gone:
        bench.tally.leave_out(KIND)
        return
    found = {}
    for program in (bench.old, bench.new):
        with laid_out(files) as folder:
            shown = Keyboard(program, folder).play(game.moves(start, moves))
            written = without_comments((folder / TABLE / FILE).read_bytes())
        if written != expected:
            found[f"{game.kind} {game.name} {start}: another record in the {program.name}"] = (
                f"{first_difference(expected, written)} after: {shown[-300:]!r}"
            )
    bench.tally.add(KIND, found, command_line(ARGS), files)


class Keyboard:
    """Somebody who plays at a terminal, and reads only lines."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.end, self.theirs = os.openpty()

    def play(self, moves: list[str]) -> str:
        """Make the moves; return what was shown last. Every one of them is saved by then."""
        terminal = dict.fromkeys(("stdin", "stdout", "stderr"), self.theirs)
        extra = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        try:
            with self.program.started(self.folder, ARGS, HOME, extra, **terminal):
                os.close(self.theirs)
                shown = self.read()
                for move in moves:
                    shown = self.make(move, shown)
                return shown
        finally:
            os.close(self.end)

    def make(self, move: str, shown: str) -> str:
        """Answer questions until the record has a move more; return the question after it."""
        before, typed = self.length, 0
        # Contracts that a build fulfills are the next question.
        parts = move.replace(" contract ", "\ncontract ").split("\n")
        for _ in range(MOST):
            choices = CHOICE.findall(shown)
            typing = [key for key, label in choices if label.lower().startswith("type")]
            # Which contracts a build of the move before fulfills is no part of this one.
            if typing and not any(label.startswith("none of them") for _, label in choices):
                self.type(f"{typing[0]}\r")
                self.read()
                self.type(f"{parts[0]}\r")
            elif choices:
                self.type(f"{chosen(choices, parts[0].split()[1:])}\r")
            else:
                # The move, then without its verb, and then to accept what that has done.
                self.type([parts[0], parts[0].partition(" ")[2], ""][typed % 3] + "\r")
                typed += 1
            shown = self.read()
            if self.length > before or not shown:
                break
            if len(parts) > 1 and typing and CHOICE.search(shown):
                del parts[0]
        return shown

    @property
    def length(self) -> int:
        """How many items the record has."""
        return (self.folder / TABLE / FILE).read_text(encoding="utf-8").count("\n- ")

    def type(self, keys: str) -> None:
        """Type something, if there is still somebody who reads."""
        with suppress(OSError):
            os.write(self.end, keys.encode())

    def read(self) -> str:
        """What is shown until the program asks, or ends."""
        shown, until = "", time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < until:
            ready, _, _ = select.select([self.end], [], [], QUIET)
            if not ready:
                if PROMPT.search(shown):
                    break
                continue
            try:
                more = os.read(self.end, 65_536)
            except OSError:
                break
            if not more:
                break
            shown += CODE.sub("", more.decode(errors="replace")).replace("\r", "")
        return shown


def chosen(choices: list[tuple[str, str]], words: list[str]) -> str:
    """What to answer for some words of a move: the number of a choice, or several."""
    numbers = {key: set(LABEL.findall(label)) for key, label in choices if key.isdigit()}
    if words and set(words) <= set(numbers):
        return " ".join(words)
    return max(numbers, key=lambda key: len(numbers[key] & set(words)), default="")
