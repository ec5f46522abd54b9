"""`porto scenario` over the project's scenarios, as they are and changed at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.same.bench import Bench, Gone, exits, take_place
from tests.same.jobs import Job
from tests.same.material import changed_scenario
from tests.same.program import Files, Json, Outcome, command_line, on_table

SCENARIO = ("scenario", "--format", "json")
BATCH = 40


def as_they_are(bench: Bench) -> Iterator[Job]:
    """All scenarios of the project."""
    paths = sorted(bench.scenarios.rglob("*.yaml"))
    batch = {path.relative_to(bench.scenarios).as_posix(): path.read_text() for path in paths}
    yield partial(compare, bench, "scenarios", batch)


def changed(bench: Bench) -> Iterator[Job]:
    """Scenarios with one random change each, without end."""
    paths = sorted(bench.scenarios.rglob("*.yaml"))
    number = 0
    while bench.has("changed scenarios", *SCENARIO):
        number += 1
        rng = random.Random(f"{bench.seed} changed {number}")
        batch = {}
        for one, path in enumerate(rng.choices(paths, k=BATCH)):
            if text := changed_scenario(path.read_text(), rng):
                batch[f"{one:02}-{path.name}"] = text
        yield partial(compare, bench, "changed scenarios", batch)


def compare(bench: Bench, kind: str, batch: dict[str, str]) -> None:
    """Run a batch with both versions, and compare the verdicts file by file."""
    scene: Files = on_table(batch)
    args = [*SCENARIO, *batch]
    try:
        old, new = bench.both(scene, args)
    except Gone:
        bench.tally.leave_out(kind)
        return
    before, after = by_file(old), by_file(new)
    bench.tally.add(kind, exits(old, new), command_line(args), scene)
    for name, text in batch.items():
        files, command = on_table({name: text}), command_line([*SCENARIO, name])
        first, second = before.get(name, {}), after.get(name, {})
        found = verdict(first, second)
        if not found:
            if first.get("error") and second.get("error"):
                places = take_place(first["error"]), take_place(second["error"])
                bench.compare_places(kind, *places, command, files)
            found = bench.compare(kind, first, second, command, files)
        bench.tally.add(kind, found, command, files)


def by_file(outcome: Outcome) -> dict[str, Json]:
    """What a document says of each file."""
    document = outcome.json()
    files = document.get("files", []) if isinstance(document, dict) else []
    return {Path(entry["file"]).as_posix(): entry for entry in files}


def verdict(before: Json, after: Json) -> dict[str, str]:
    """How the verdicts of a file differ, which matters more than any other key."""
    told = [summary(entry) for entry in (before, after)]
    if told[0] == told[1]:
        return {}
    return {"verdict": f"{told[0]} is now {told[1]}"}


def summary(entry: Json) -> list[str]:
    """The verdict of a file and of its cases."""
    if not entry:
        return ["no entry"]
    if entry.get("error"):
        return ["not valid"]
    return [
        f"line {case['line']} {'passed' if case['passed'] else 'failed'}" for case in entry["cases"]
    ]
