"""Counting legal move sequences from fixed positions, as chess programs do with perft.

Each file of this folder is a position, written like that of a scenario, and ``counts``: how many
sequences of one, two, three … legal moves lead on from there. What comes up is decided by the
fixed seed of positions. A rule that is broken anywhere below the position changes a number, and
``divide``, the last count by the first move, says below which move to look.

    python -m tests.porto.perft                       compare all positions
    python -m tests.porto.perft FILE [MOVE…]          count by the next move, after these moves
    python -m tests.porto.perft FILE --write          count anew, because the rules have changed

To find a wrong move run the second of these with this version of the program and with one that
was right, follow the move whose number differs, and count again after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.core.yaml import read, scalar
from porto_cli.games.porto.engine.play import apply, legal_moves, violations
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.notation import format_move, parse_move
from porto_cli.games.porto.position import read_position
from porto_cli.match.record import read_game

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.yaml"))


class Perft(NamedTuple):
    """A position and what was counted from it."""

    path: Path
    title: str
    state: State
    chance: Chance
    counts: list[int]
    divide: dict[str, int]

    @property
    def depth(self) -> int:
        return len(self.counts)


def load(path: Path) -> Perft:
    """Return the position of a file and its numbers."""
    root = read(path.read_text("utf-8"), str(path))
    entries = root.mapping(
        ("porto", "perft", "players", "position", "counts"),
        ("edition", "options", "artificial", "divide"),
    )
    unchecked = "artificial" in entries and entries["artificial"].flag()
    position = read_position(
        entries["position"],
        read_game(root)[1],
        unchecked=unchecked,
    )
    divide = entries["divide"].mapping() if "divide" in entries else {}
    return Perft(
        path,
        entries["perft"].text(),
        position.state,
        position.chance,
        [int(item.text()) for item in entries["counts"].items()],
        {move: int(node.text()) for move, node in divide.items()},
    )


def sequences(state: State, chance: Chance, depth: int) -> int:
    """Return how many sequences of so many legal moves there are; the game may end before."""
    moves = legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(sequences(apply(state, move, chance)[0], chance, depth - 1) for move in moves)


def divide(state: State, chance: Chance, depth: int) -> dict[str, int]:
    """Return the sequences of so many moves by their first one."""
    return {
        format_move(move, state): (
            sequences(apply(state, move, chance)[0], chance, depth - 1) if depth > 1 else 1
        )
        for move in legal_moves(state)
    }


def count(perft: Perft) -> tuple[list[int], dict[str, int]]:
    """Return the numbers of a position as they are now: by depth, and the last by first move."""
    state, chance, depth = perft.state, perft.chance, perft.depth
    found = divide(state, chance, depth)
    counts = [sequences(state, chance, moves) for moves in range(1, depth)]
    return [*counts, sum(found.values())], found


def after(state: State, chance: Chance, moves: Iterable[str]) -> State:
    """Return the state that legal moves lead to."""
    for text in moves:
        move = parse_move(text, state)
        if found := violations(state, move):
            raise ValueError(f"{text} is not legal: {' '.join(map(str, found))}")
        state, _ = apply(state, move, chance)
    return state


def differences(perft: Perft) -> list[str]:
    """Return what is counted otherwise now, by depth and by first move; nothing if all is well."""
    counts, found = count(perft)
    lines = [
        f"sequences of {depth} moves: {now}, should be {before}"
        for depth, (now, before) in enumerate(zip(counts, perft.counts, strict=True), start=1)
        if now != before
    ]
    for move in sorted(found.keys() | perft.divide.keys()):
        now, before = found.get(move, 0), perft.divide.get(move, 0)
        if now != before:
            lines.append(f"  {move}: {now}, should be {before}")
    if lines:
        name = perft.path.name
        lines.append(f"To look below a move: python -m tests.porto.perft {name} 'MOVE'")
    return lines


def rewrite(perft: Perft) -> None:
    """Count a position again and write the numbers into its file; the rest of it stays."""
    text = perft.path.read_text("utf-8")
    head = text[: text.index("\ncounts:") + 1]
    counts, found = count(perft)
    lines = [f"counts: [{', '.join(map(str, counts))}]", "divide:"]
    for move, below in found.items():
        lines.append(f"  {scalar(move)}: {below}")
    perft.path.write_text(head + "\n".join(lines) + "\n", "utf-8")
