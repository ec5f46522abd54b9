"""Long games: time and memory have to grow with the number of turns, and no faster."""

from __future__ import annotations

import gc
import time
import tracemalloc
from typing import NamedTuple

from porto_cli.match import record
from porto_cli.match.match import opened

SIZES = (10, 100, 1_000, 10_000)


class Growth(NamedTuple):
    """What a record of so many turns costs."""

    turns: int
    microseconds_a_turn: float
    """Processor time of loading and replaying."""
    bytes_a_turn: float
    """Memory that the replay holds, and the record."""


def long_text(turns: int) -> str:
    """Return a record of so many turns: one player draws, the other takes it back, for ever."""
    import porto_cli

    match = porto_cli.new_game(
        ["Inês", "Joana"], seed="growth", first="Inês", private_contracts=False
    )
    head = match.record.text
    player = match.to_move()[0]
    move = match.text(match.legal_moves()[0])
    match.play(move, player=match.state.seat)
    item = match.record.text[len(head) :]
    return head + f"{item}- {player}: undo\n" * (turns // 2)


def measure(sizes: tuple[int, ...] = SIZES) -> list[Growth]:
    """Return the costs of records of growing length."""
    results = []
    for turns in sizes:
        text = long_text(turns)
        repeats = max(1, 2_000 // turns)
        best = min(_seconds(text) for _ in range(min(repeats, 20)))
        tracemalloc.start()
        loaded = record.load(text, "benchmark")
        game = opened(loaded)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(game.steps) == turns // 2 * 2
        results.append(Growth(turns, best / turns * 1e6, held / turns))
    return results


def _seconds(text: str) -> float:
    """Return the processor time of loading and replaying, the collector off as in the program."""
    gc.disable()
    start = time.process_time()
    opened(record.load(text, "benchmark"))
    took = time.process_time() - start
    gc.enable()
    return took
