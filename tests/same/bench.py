"""What all kinds of comparisons use: both versions, the tally, and how outcomes are compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.same.material import Game
from tests.same.program import HOME, Files, Json, Outcome, Program, command_line, laid_out
from tests.same.tally import Tally

PROSE = frozenset({
    "answer", "error", "explained", "message", "not_proven", "proven", "reasons", "sentence",
    "sentences", "stopped", "subject", "told", "warnings", "why", "why_not",
})  # fmt: skip
"""Keys of documents with sentences for people, whose wording may change."""
REFUSAL = re.compile(r"\b[A-Z][A-Z-]*-\d+(?=: )|\b[A-Z]+(?:-[A-Z]+)+(?=: )")
"""A ruling before the sentence that says how it is broken."""
FIXED_KEY = re.compile(r"[a-z][a-z_]*")
"""Other keys are names of players, houses and the like."""
Place = tuple[int | None, int | None]


class Gone(Exception):  # noqa: N818 (it is no error)
    """The new version has given up this command on purpose."""


@dataclass(frozen=True)
class Bench:
    """Both versions side by side."""

    old: Program
    new: Program
    tally: Tally
    games: tuple[Game, ...]
    """The records of the project."""
    records: tuple[Path, ...]
    """All records that both have to judge alike."""
    scenarios: Path
    seed: str

    def is_gone(self, args: Sequence[str]) -> bool:
        """Whether a command line is to be left out."""
        return any(pattern.search(shlex.join(args)) for pattern in self.tally.gone)

    def check_gone(self, args: Sequence[str]) -> None:
        """Raise Gone for a command line that is to be left out."""
        if self.is_gone(args):
            raise Gone

    def has(self, kind: str, *args: str) -> bool:
        """Whether a command is still there; if not, this kind is left out."""
        if self.is_gone(args):
            self.tally.leave_out(kind)
            return False
        return True

    def run(
        self,
        program: Program,
        files: Files,
        args: Sequence[str],
        *,
        home: str = HOME,
        stdin: str | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Run one version in a fresh copy of a scene."""
        self.check_gone(args)
        with laid_out(files) as folder:
            return program.run(folder, args, home=home, stdin=stdin, extra=extra)

    def both(
        self,
        files: Files,
        args: Sequence[str],
        *,
        home: str = HOME,
        stdin: str | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> tuple[Outcome, Outcome]:
        """Run both versions, each in a fresh copy of a scene."""
        old, new = (
            self.run(program, files, args, home=home, stdin=stdin, extra=extra)
            for program in (self.old, self.new)
        )
        return old, new

    def documents(self, kind: str, files: Files, args: Sequence[str], *, home: str = HOME) -> None:
        """Compare the documents that a command prints with --format json."""
        args = [*args, "--format", "json"]
        try:
            old, new = self.both(files, args, home=home)
        except Gone:
            self.tally.leave_out(kind)
            return
        found = exits(old, new)
        if not found:
            found = self.compare(kind, old.json(), new.json(), command_line(args, home), files)
        self.tally.add(kind, found, command_line(args, home), files)

    def compare(
        self, kind: str, old: Json, new: Json, commands: str, files: Files
    ) -> dict[str, str]:
        """What differs in two documents; prose is counted apart, and additions are noted."""
        found: dict[str, str] = {}
        prose: dict[str, str] = {}
        additions: set[str] = set()
        for path, before, after in differing(old, new):
            last = path.rsplit(".", 1)[-1].rstrip("[]")
            if before is MISSING:
                additions.add(f"{kind} {path}")
            elif type(before) is type(after) and (last in PROSE or are_refusals(before, after)):
                prose.setdefault(f"{kind} {path}", f"{before!r} is now {after!r}")
            else:
                now = "missing" if after is MISSING else repr(after)
                found.setdefault(path or "no document", f"{before!r} is now {now}")
        self.tally.added(additions)
        if count_prose(old):
            self.tally.add("wording", prose, commands, files)
        return found

    def compare_places(
        self, kind: str, old: Place, new: Place, commands: str, files: Files
    ) -> None:
        """Compare where a fault is, which is counted apart."""
        found = {}
        if old != new:
            what = f"{kind}: line" if old[0] != new[0] else f"{kind}: column"
            found[what] = f"line and column {old} are now {new}"
        self.tally.add("places of faults", found, commands, files)


class Missing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()


def differing(old: Json, new: Json, path: str = "") -> Iterator[tuple[str, Json, Json]]:
    """The places where two documents differ: path of keys, the old and the new value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            step = key if FIXED_KEY.fullmatch(key) else "*"
            below = f"{path}.{step}" if path else step
            yield from differing(old.get(key, MISSING), new.get(key, MISSING), below)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            yield from differing(before, after, f"{path}[]")
    elif type(old) is not type(new) or old != new:
        yield path, old, new


def take_place(entry: Json) -> Place:
    """Take line and column out of what a document says of a fault."""
    return entry.pop("line", None), entry.pop("column", None)


def count_prose(document: Json) -> int:
    """How many sentences for people a document has."""
    if isinstance(document, dict):
        return sum(
            bool(value) if key in PROSE else count_prose(value) for key, value in document.items()
        )
    if isinstance(document, list):
        return sum(map(count_prose, document))
    return 0


def are_refusals(old: Json, new: Json) -> bool:
    """Whether two values are sentences that cite the same rulings, as where a scenario is wrong."""
    cited = [REFUSAL.findall(one) if isinstance(one, str) else [] for one in (old, new)]
    return bool(cited[0]) and cited[0] == cited[1]


def exits(old: Outcome, new: Outcome) -> dict[str, str]:
    """Whether a command ended in another way."""
    if new.crashed and not old.crashed:
        return {"crash": new.err[-300:]}
    if old.exit != new.exit:
        said = (new.err or new.out).strip()[:200]
        return {f"exit {old.exit} is now {new.exit}": f"the new one says: {said}"}
    return {}
