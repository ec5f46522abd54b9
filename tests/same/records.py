"""`porto verify` of whole and of damaged records."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial

from tests.same.bench import Bench, Gone, exits, take_place
from tests.same.jobs import Job
from tests.same.material import damaged
from tests.same.program import Json, Outcome, Program, command_line, on_table

VERIFY = ("verify", "--format", "json")
BATCH = 60
"""Records that one call verifies: a start costs as much as ten records."""
GIVEN_UP = "Programs disagree about"
"""What the version before says of layouts that parsers of YAML read in several ways."""


def whole(bench: Bench) -> Iterator[Job]:
    """All records as they are."""
    paths = [path for path in bench.records if bench.has("records", *VERIFY, path.name)]
    for start in range(0, len(paths), BATCH):
        batch = {
            f"{start + number:05}-{path.name}": path.read_bytes()
            for number, path in enumerate(paths[start : start + BATCH])
        }
        yield partial(compare, bench, "records", batch)


def damage(bench: Bench) -> Iterator[Job]:
    """Records with one random change each, without end."""
    number = 0
    while bench.has("damaged records", *VERIFY):
        number += 1
        rng = random.Random(f"{bench.seed} damaged {number}")
        batch = {}
        for one in range(BATCH):
            game = rng.choice(bench.games)
            text = game.cut(rng.randint(1, game.length))
            batch[f"{one:02}.yaml"] = damaged(text, rng)
        yield partial(compare, bench, "damaged records", batch)
        name, contents = next(iter(batch.items()))
        yield partial(alone, bench, "damaged records", name, contents)


def compare(bench: Bench, kind: str, batch: Mapping[str, bytes]) -> None:
    """Verify a batch with both versions, and compare what they say of each record."""
    try:
        old, new = (verdicts(bench, program, batch) for program in (bench.old, bench.new))
    except Gone:
        bench.tally.leave_out(kind)
        return
    for name, contents in batch.items():
        compare_one(bench, kind, name, contents, old[name], new[name])


def compare_one(
    bench: Bench, kind: str, name: str, contents: bytes, before: Json, after: Json
) -> None:
    """Compare what both versions say of one record."""
    if GIVEN_UP in str(before.get("error")):
        bench.tally.leave_out(kind)
        return
    command, files = command_line([*VERIFY, name]), on_table({name: contents})
    places = take_place(before), take_place(after)
    if before.get("valid") != after.get("valid"):
        says = after.get("error") or before.get("error")
        was = "valid" if before.get("valid") else "not valid"
        found = {f"{was} until now": f"the other says: {says}"}
    else:
        found = bench.compare(kind, before, after, command, files)
        if before.get("valid") is False:
            bench.compare_places(kind, *places, command, files)
    bench.tally.add(kind, found, command, files)


def alone(bench: Bench, kind: str, name: str, contents: bytes) -> None:
    """Verify one record in the ordinary way, for the exit status."""
    files, args = on_table({name: contents}), ["verify", name]
    try:
        old, new = bench.both(files, args)
    except Gone:
        bench.tally.leave_out(kind)
        return
    if GIVEN_UP in old.err:
        bench.tally.leave_out(kind)
        return
    bench.tally.add(kind, exits(old, new), command_line(args), files)


def verdicts(bench: Bench, program: Program, batch: Mapping[str, bytes]) -> dict[str, Json]:
    """What a version says of each record; one that makes it crash is found by halving."""
    outcome = bench.run(program, on_table(batch), [*VERIFY, *batch])
    said = entries(outcome)
    if len(said) == len(batch):
        return dict(zip(batch, said, strict=True))
    if len(batch) == 1:
        fault = f"exit {outcome.exit}: {outcome.err}"
        return {name: {"valid": "crash", "error": fault} for name in batch}
    names = list(batch)
    halves = names[: len(names) // 2], names[len(names) // 2 :]
    return {
        name: entry
        for half in halves
        for name, entry in verdicts(bench, program, {one: batch[one] for one in half}).items()
    }


def entries(outcome: Outcome) -> list[Json]:
    """The entries of a document of `verify`."""
    document = outcome.json()
    return list(document.get("files", [])) if isinstance(document, dict) else []
