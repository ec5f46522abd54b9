"""Several processes at once: no move is lost or written twice, whichever versions meet."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.same.bench import Bench, Gone
from tests.same.games import FILE, spelled, typed
from tests.same.jobs import Job
from tests.same.program import TABLE, Program, command_line, laid_out, read_files

KIND = "at once"
ROUNDS = 3
LOSERS = {1, 4}
"""The exit statuses of who comes too late: the move is not legal anymore, or the file changed."""


def of(bench: Bench) -> Iterator[Job]:
    """Three processes of the new version, and of both."""
    for programs in ([bench.new] * 3, [bench.new, bench.old, bench.new]):
        yield partial(rush, bench, programs)


def rush(bench: Bench, programs: list[Program]) -> None:
    """All of them make the same move at once, a few times."""
    new_game = ["new", FILE, "Ana", "Bob", "Zoe", "Rui", "--first-game", "--seed", "r"]
    try:
        start = bench.run(bench.new, {}, new_game).files
        bench.check_gone(["draw", FILE])
    except Gone:
        bench.tally.leave_out(KIND)
        return
    with laid_out(start) as folder, ThreadPoolExecutor(len(programs)) as pool:
        for _ in range(ROUNDS):
            before = read_files(folder)
            document = bench.new.run(folder, ["moves", FILE, "--format", "json"]).json()
            args = typed(spelled(document)[0])
            started = [pool.submit(program.run, folder, args) for program in programs]
            results = [process.result() for process in started]
            after = read_files(folder)
            made = turns(after) - turns(before)
            won = sum(result.exit == 0 for result in results)
            found = {}
            if made != won or not won:
                found["moves lost or doubled"] = f"{won} processes succeeded, {made} are written"
            if wrong := {result.exit for result in results} - {0, *LOSERS}:
                found[f"exit {sorted(wrong)}"] = "of a process that came too late"
            if bench.old.run(folder, ["verify", FILE]).exit:
                found["a torn record"] = ""
            if set(after) != set(before):
                found["files left behind"] = str(sorted(set(after) ^ set(before)))
            bench.tally.add(KIND, found, f"{command_line(args)}  # {len(programs)} at once", before)


def turns(files: dict[str, bytes]) -> int:
    """The number of items of the record."""
    return files[f"{TABLE}/{FILE}"].decode().count("\n- ")
