"""What the Tab key offers, as the shells ask for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.same import commands
from tests.same.bench import Bench, Gone, exits
from tests.same.jobs import Job
from tests.same.program import Files, Outcome

KIND = "tab"
LINES = Path(__file__).with_name("tab.txt")
CURSOR = "|"
ZSH = re.compile(r'^"((?:[^":\\]|\\.)*)|^_arguments .*?\(\("((?:[^":\\]|\\.)*)', re.MULTILINE)
"""A candidate in the answer to zsh; an explanation may follow it."""


def of(bench: Bench) -> Iterator[Job]:
    """Every place of the table, in bash and every fifth in zsh as well."""
    files = commands.scene(bench)
    for number, line in enumerate(commands.lines(LINES)):
        yield partial(compare, bench, files, line, "bash")
        if number % 5 == 0:
            yield partial(compare, bench, files, line, "zsh")


def compare(bench: Bench, files: Files, line: str, shell: str) -> None:
    """Both versions offer the same at one place, in any order."""
    words = line.removesuffix(CURSOR).split(" ")
    try:
        bench.check_gone(words)
        old, new = bench.both(files, [], extra=request(words, shell))
    except Gone:
        bench.tally.leave_out(KIND)
        return
    before, after = candidates(old, shell), candidates(new, shell)
    found = exits(old, new)
    for name in sorted(before - after):
        if bench.is_gone([*words[:-1], name]):
            bench.tally.leave_out(KIND)
        else:
            found[f"{line} {name} is missing"] = f"{sorted(before)} are now {sorted(after)}"
    for name in sorted(after - before):
        if name.startswith("-") or words[:-1] in ([], ["help"]):
            bench.tally.added({f"{KIND} {name}"})
        else:
            found[f"{line} {name} is offered"] = f"{sorted(before)} are now {sorted(after)}"
    asked = " ".join(f"{key}={value!r}" for key, value in request(words, shell).items())
    bench.tally.add(KIND, found, f"env {asked} porto", files)


def request(words: list[str], shell: str) -> dict[str, str]:
    """The variables with which a shell asks for the last of some words."""
    typed = ["porto", *words]
    if shell == "bash":
        asked = {"COMP_WORDS": "\n".join(typed), "COMP_CWORD": str(len(words))}
    else:
        asked = {"_TYPER_COMPLETE_ARGS": " ".join(typed)}
    return {"_PORTO_COMPLETE": f"complete_{shell}", **asked}


def candidates(outcome: Outcome, shell: str) -> set[str]:
    """What is offered."""
    if shell == "bash":
        return set(outcome.out.split("\n")) - {""}
    return {first or second for first, second in ZSH.findall(outcome.out)}
