"""Records that were made to take long, of any length, and how long and how much they take.

    python -m tests.heavy_records [NAME…]

Each repeats lines of one kind, all of which mean something where they stand. Each command reads it
in a process of its own. ``tests/test_heavy_records.py`` holds what comes out against limits.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import porto_cli
from tests.costs import Took, measured, taken

KIB = 1024
SMALL, LARGE = 256 * KIB, 1024 * KIB
"""Sizes to compare; in a message no record is read that is larger."""

COMMANDS = ("show", "log", "verify", "receive")
READ = "read"
"""In place of a command: to read the file as YAML, and no more."""


@cache
def _begun(game: str = "porto", count: int = 3, *, bots: bool = False, kept: bool = True) -> str:
    """Return the record of a game of Ana and others, in which Ana is the first to move."""
    names = ["Ana", "Bob", "Cy", "Dan"][:count]
    private = {"private_contracts": not bots} if game == "porto" else {}
    held = {"Bob": "level-1"} if bots else None
    match = porto_cli.new_game(names, seed="tram", first="Ana", game=game, bots=held, **private)
    for name in names if game == "porto" and kept and not bots else ():
        match.play("keep 1 2 3", player=name)
    return match.record.text


@cache
def _move(text: str, *, undone: bool = True) -> str:
    """Return the lines of the next turn of a record, and that it is taken back."""
    match = porto_cli.loads(text)
    (player,) = match.to_move()
    match.play(match.legal_moves(player)[0], player=player)
    return match.record.text[len(text) :] + f"- {player}: undo\n" * undone


def _turn(game: str = "porto") -> str:
    return _move(_begun(game))


def _names(nth: int) -> str:
    return f"N{nth}"


class Kind(NamedTuple):
    """A kind of a record: what begins it, and what goes on and on."""

    begins: Callable[[], str]
    line: Callable[[int], str]

    def text(self, size: int) -> str:
        """Return a record of at most so many bytes, and nearly as many."""
        parts, nth = [self.begins()], 0
        left = size - len(parts[0])
        while left >= len(line := self.line(nth)):
            parts.append(line)
            left -= len(line)
            nth += 1
        return "".join(parts)


def _with_a_bot() -> str:
    text = _begun(bots=True)
    return text + _move(text, undone=False)


ORDER = "- Bob: order act pass\n"
SEATS = (
    lambda nth: f"- Cy: seat to {_names(nth)}\n",
    lambda nth: "- Cy: seat bot level-1 version 1\n- Cy: seat back\n",
    lambda nth: "- Cy: seat out\n- Cy: seat back\n",
)

KINDS: dict[str, Kind] = {
    "orders": Kind(_begun, lambda nth: ORDER),
    "orders with conditions": Kind(
        _begun,
        lambda nth: "- Bob: order always act pass if Ana plays draw, else any if Cy plays pass\n",
    ),
    "undos": Kind(_begun, lambda nth: _turn()),
    "orders and undos": Kind(_begun, lambda nth: ORDER + _turn()),
    "undos of a bot": Kind(_with_a_bot, lambda nth: _move(_with_a_bot())),
    "undos of choices": Kind(
        lambda: _begun(kept=False), lambda nth: "- Cy: keep 1 2 3\n- Cy: undo\n"
    ),
    "seats": Kind(_begun, SEATS[0]),
    "seats of bots": Kind(_begun, SEATS[1]),
    "seats out": Kind(lambda: _begun(count=4), SEATS[2]),
    "seats and undos": Kind(_begun, lambda nth: _turn() + SEATS[0](nth)),
    "seats of bots and undos": Kind(_begun, lambda nth: _turn() + SEATS[1](nth)),
    "words": Kind(_begun, lambda nth: "# Ana says: a\n"),
    "words of many": Kind(_begun, lambda nth: SEATS[0](nth) + f"# {_names(nth)} says: a\n"),
    "words and undos": Kind(_begun, lambda nth: "# Bob says: a\n" + _turn() + "# Ana says: b\n"),
    "comments": Kind(_begun, lambda nth: "# a\n"),
    "empty lines": Kind(_begun, lambda nth: "\n"),
    "mixed": Kind(
        lambda: _begun(count=4),
        lambda nth: (
            SEATS[nth % 3](nth) + f"# Ana says: {nth}\n" + ORDER + _turn() + "# comment\n"
            + f"# {_names(nth)} says: a\n"
        ),
    ),
    "Puerto Rico": Kind(
        lambda: _begun("puerto-rico"),
        lambda nth: "- Bob: order role craftsman\n" + _turn("puerto-rico") + SEATS[nth % 2](nth),
    ),
}  # fmt: skip


def took(command: str, text: str, *, patience: float = 120) -> Took:
    """Run a command with a record in a process of its own. Not for Windows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.yaml"
        path.write_text(text, "utf-8", newline="\n")
        (Path(folder) / "games").mkdir()
        return taken("tests.heavy_records", "--run", command, str(path), patience=patience)


def words_of(command: str, path: Path) -> list[str]:
    """Return the command line for a record beside which there is a folder ``games``."""
    return [command, str(path)] + ["--folder", str(path.parent / "games")] * (command == "receive")


def _run(command: str, path: Path) -> None:
    from porto_cli.cli.app import run
    from porto_cli.core.yaml import read

    if command == READ:
        read(path.read_text("utf-8"), path.name)
    else:
        run(words_of(command, path))


def main(words: list[str]) -> None:
    """Print what each kind of a record takes."""
    if words[:1] == ["--run"]:
        measured(partial(_run, words[1], Path(words[2])))
        return
    for name, kind in KINDS.items():
        if words and name not in words:
            continue
        small, large = kind.text(SMALL), kind.text(LARGE)
        for command in (READ, *COMMANDS):
            first, second = took(command, small, patience=40), took(command, large, patience=60)
            output = " ".join(second.told.split())[-150:]
            print(
                f"{name:26} {command:8} {first.seconds:6.2f} s {second.seconds:6.2f} s "
                f"{second.mebibytes:5} MiB {second.code}  {output}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
