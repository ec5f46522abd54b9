"""A table of command lines: exit status, files, and whether something is printed at all."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.same import advice
from tests.same.bench import Bench, Gone, exits
from tests.same.documents import addresses
from tests.same.games import first_difference, without_comments
from tests.same.jobs import Job
from tests.same.program import (
    HOME,
    TABLE,
    Files,
    Outcome,
    command_line,
    laid_out,
    on_table,
    read_files,
)

KIND = "command lines"
LINES = Path(__file__).with_name("commands.txt")
RANDOM = "~"
DIGITS = re.compile(r"[0-9a-f]{16,}")
"""Names of keys, and of games that are made from chance."""
MADE = {
    "m.eml": "mail g.yaml --format eml -o m.eml",
    "sealed.yaml": "new sealed.yaml Ana Bob --secrecy sealed --as Ana",
}
"""Files that the old version makes, if the new one still can; their lines are left out if not."""
PASSING = f"{HOME}/keys/verified"
"""What a version notes for itself, so as not to do it twice."""


def of(bench: Bench) -> Iterator[Job]:
    """All lines of the table."""
    files = scene(bench)
    for line in lines(LINES):
        missing = [name for name in MADE if name in line and f"{TABLE}/{name}" not in files]
        if missing:
            bench.tally.leave_out(KIND)
        else:
            yield partial(compare, bench, files, line)


def lines(path: Path) -> list[str]:
    """The lines of a table that are not comments."""
    text = path.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def scene(bench: Bench) -> Files:
    """The files that the lines name; those with keys are made by the old version."""
    games = {f"{game.kind} {game.name}": game for game in bench.games}
    two = games["porto two-players"]
    texts = {
        "g.yaml": two.cut(12),
        "fresh.yaml": two.cut(0),
        "nohints.yaml": two.cut(12).replace("secrecy: open", "secrecy: open\nhints: none"),
        "t.yaml": games["porto three-players"].cut(20),
        "rt.yaml": games["porto real-table"].cut(5),
        "solo.yaml": games["porto solo-won"].cut(8),
        "over.yaml": games["porto first-game"].text,
        "pr.yaml": games["puerto-rico three-players-guide"].cut(30),
        "prt.yaml": games["puerto-rico real-table"].cut(6),
        "sub/h.yaml": two.cut(20),
        "bad.yaml": "porto: 1\nrules: [\n",
        "notes.txt": "These are notes.\n",
        "answer.txt": "draw green-2\n",
        "readonly.yaml": games["porto solo-won"].cut(8),
        "s.yaml": next(iter(sorted(bench.scenarios.rglob("*.yaml")))).read_text(),
    }
    files = {**on_table(texts), f"{HOME}/addresses.yaml": addresses(two)}
    later = {**files, f"{TABLE}/g.yaml": two.cut(15).encode()}
    with laid_out(later) as folder:
        for line in MADE.values():
            if not bench.is_gone(line.split()):
                bench.old.run(folder, line.split())
        made = read_files(folder)
    return {**made, f"{TABLE}/g.yaml": files[f"{TABLE}/g.yaml"]}


def compare(bench: Bench, files: Files, line: str) -> None:
    """Run one line with both versions."""
    chance = line.startswith(RANDOM)
    words, _, name = line.removeprefix(RANDOM).strip().partition(" < ")
    args = shlex.split(words)
    stdin = files[f"{TABLE}/{name}"].decode() if name else None
    try:
        old, new = bench.both(files, args, stdin=stdin)
    except Gone:
        bench.tally.leave_out(KIND)
        return
    command = command_line(args) + (f" < {name}" if name else "")
    found = exits(old, new) | silence(old, new) | changes(old, new, files, chance=chance)
    if not found and old.json() is not None and not chance:
        found = bench.compare(KIND, old.json(), new.json(), command, files)
    found |= advice.refused(bench, files, args, old, new)
    found = {f"{words}: {what}": how for what, how in found.items()}
    bench.tally.add(KIND, found, command, files)


def silence(old: Outcome, new: Outcome) -> dict[str, str]:
    """Whether one of them prints something on standard output, and the other one nothing."""
    if bool(old.out.strip()) == bool(new.out.strip()):
        return {}
    return {"standard output": f"{old.out[:100]!r} is now {new.out[:100]!r}"}


def changes(old: Outcome, new: Outcome, before: Files, *, chance: bool) -> dict[str, str]:
    """How the files differ that they have left behind."""
    left, right = named(old.files), named(new.files)
    if set(left) != set(right):
        lost, more = sorted(set(left) - set(right)), sorted(set(right) - set(left))
        return {"files": f"missing: {lost}, new: {more}"}
    for name, contents in left.items():
        after = right[name]
        if (contents == before.get(name)) != (after == before.get(name)):
            return {f"{name} is changed by one of them": ""}
        if not chance and name.endswith((".yaml", ".save", ".txt")):
            lines = without_comments(contents), without_comments(after)
            if lines[0] != lines[1]:
                return {f"contents of {name}": first_difference(*lines)}
    return {}


def named(files: Files) -> Files:
    """The files that matter, by names that have nothing random in them."""
    return {
        DIGITS.sub("DIGITS", name): contents
        for name, contents in files.items()
        if not name.startswith(PASSING)
    }
