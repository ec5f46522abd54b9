"""Counting what was compared, and keeping one example of each kind of difference."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from tests.same.program import Files, write_files

RATES = frozenset({"places of faults", "wording"})
"""What is reported as a rate only, since a rewrite may change it."""
EXAMPLE_WIDTH = 400


@dataclass
class Row:
    """What was compared of one kind."""

    compared: int = 0
    different: int = 0
    left_out: int = 0


@dataclass
class Difference:
    """Differences with one cause, as far as one can see from outside."""

    example: str
    count: int = 1


@dataclass
class Tally:
    """The result of all comparisons; threads write into it."""

    examples: Path
    """Where the scenes of the examples are kept."""
    gone: tuple[re.Pattern[str], ...] = ()
    """What was given up on purpose: command lines, and differences by the words of their titles."""
    kinds: dict[str, Row] = field(default_factory=dict)
    differences: dict[tuple[str, str], Difference] = field(default_factory=dict)
    additions: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def add(self, kind: str, found: dict[str, str], commands: str, files: Files) -> None:
        """Count one comparison: what differs, and each time how; nothing if all is equal.

        The commands are those that show the difference, in the scene of these files.
        """
        meant = {what for what in found if self.is_gone(f"{kind}: {what}")}
        with self.lock:
            row = self.kinds.setdefault(kind, Row())
            row.compared += 1
            row.left_out += len(meant)
            row.different += len(found) > len(meant)
            for what, how in found.items():
                if what in meant:
                    continue
                if known := self.differences.get((kind, what)):
                    known.count += 1
                    continue
                number = len(self.differences) + 1
                scene = self.examples / f"{number:03}"
                write_files(scene, files)
                text = f"{how[:EXAMPLE_WIDTH]}\n    cd {scene / 'table'}\n    {commands}"
                self.differences[kind, what] = Difference(text)

    def is_gone(self, title: str) -> bool:
        """Whether a difference is meant."""
        return any(pattern.search(title) for pattern in self.gone)

    def leave_out(self, kind: str) -> None:
        """Count a comparison that is not made, because the new version has given it up."""
        with self.lock:
            self.kinds.setdefault(kind, Row()).left_out += 1

    def added(self, keys: set[str]) -> None:
        """Note keys of documents that only the new version has."""
        with self.lock:
            self.additions.update(keys)

    def equal(self, *, strict: bool) -> bool:
        """Nothing is different, apart from rates unless the comparison is strict."""
        rows = self.kinds.items()
        return not any(row.different for kind, row in rows if strict or kind not in RATES)

    def text(self) -> str:
        """The table, and each difference once."""
        lines = [
            f"{'':22}{'compared':>9}{'equal':>9}{'different':>11}{'equal %':>9}{'left out':>10}"
        ]
        for kind, row in self.kinds.items():
            same = row.compared - row.different
            rate = f"{100 * same / row.compared:.2f}" if row.compared else "-"
            lines.append(
                f"{kind:22}{row.compared:9}{same:9}{row.different:11}{rate:>9}{row.left_out:10}"
                + ("  (a rate only)" if kind in RATES else "")
            )
        if self.additions:
            keys = ", ".join(f"{key} ({count})" for key, count in sorted(self.additions.items()))
            lines.append(f"\nOnly the new version has these keys: {keys}")
        for (kind, what), one in sorted(
            self.differences.items(), key=lambda item: (item[0][0] in RATES, item[0])
        ):
            lines.append(f"\n{kind}: {what} ({one.count} x)\n    {one.example}")
        return "\n".join(lines)

    def json(self) -> str:
        """The same for programs."""
        return json.dumps(
            {
                "equal": self.equal(strict=False),
                "kinds": {kind: vars(row) for kind, row in self.kinds.items()},
                "additions": dict(self.additions),
                "differences": [
                    {"kind": kind, "what": what, **vars(one)}
                    for (kind, what), one in self.differences.items()
                ],
            },
            ensure_ascii=False,
            indent=1,
        )
