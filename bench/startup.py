"""Whole processes against a bare interpreter: what every command costs before it does anything."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

import porto_cli
from bench import ours
from bench.measure import to_its_end, to_its_prompt, whole_processes

BARE = "python -c pass"
TURNS = 140
BARS = {
    "porto --version": 1.7,
    "porto draw": 8.5,
    "porto show": 8.5,
    "porto show, in color": 12.0,
    "completion of a card": 9.0,
    "porto --help": 12.0,
    "porto play, first question": 20.0,
}
"""How many times a bare interpreter each may take."""


class StartUp(NamedTuple):
    """The wall time of a command by that of a bare interpreter."""

    name: str
    milliseconds: float
    ratio: float
    least: float
    most: float


def measure(rounds: int) -> list[StartUp]:
    """Measure every kind of command on a record of 140 turns."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "long.yaml"
        played = Path(folder) / "played.yaml"
        record.write_text(_long_record(), "utf-8")
        match = porto_cli.load(record)
        move = next(
            text for text in map(match.text, match.legal_moves()) if text.startswith("draw ")
        )
        program = [str(Path(sys.executable).with_name("porto"))]
        commands = {
            BARE: [sys.executable, "-c", "pass"],
            "porto --version": [*program, "--version"],
            "porto draw": [*program, "draw", str(played), *move.split()[1:]],
            "porto show": [*program, "show", str(record)],
            "porto show, in color": [*program, "show", str(record), "--color", "always"],
            "porto --help": [*program, "--help"],
            "completion of a card": ["env", *_completing(str(record)), *program],
        }
        programs = {name: to_its_end(command) for name, command in commands.items()}
        if sys.platform != "win32":
            play = [*program, "play", str(record)]
            programs["porto play, first question"] = to_its_prompt(play, b"help")
        seconds = whole_processes(programs, rounds, lambda: played.write_bytes(record.read_bytes()))
    bare = seconds[BARE]
    results = []
    for name, own in seconds.items():
        each = [a / b for a, b in zip(own, bare, strict=True)]
        results.append(
            StartUp(name, median(own) * 1000, median(own) / median(bare), min(each), max(each))
        )
    return results


def _completing(record: str) -> list[str]:
    return [
        "_PORTO_COMPLETE=complete_zsh",
        f"_TYPER_COMPLETE_ARGS=porto draw {record} ",
    ]


def _long_record() -> str:
    """Return a record that waits for a draw after at least so many turns, undone ones included."""
    for number in range(1000):
        text = ours.random_record(4, f"start-{number}", TURNS - 30).text
        match = porto_cli.loads(text)
        while len(match.record.items) < TURNS and not match.over:
            match.play(next(iter(match.legal_moves())), player=match.state.seat)
            match.undo()
        if match.state.phase == "act" and any(
            match.text(move).startswith("draw ") for move in match.legal_moves()
        ):
            return match.record.text
    raise RuntimeError("no random game is long enough")
