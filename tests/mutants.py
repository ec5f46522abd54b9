"""Change the program at random and see who notices: ``python -m tests.mutants --count 60``.

Each mutant is one module with one small change. Tests run on a copy of the project, never on the
project itself; what they do not notice is printed as a diff. It is a gap in the tests, or a change
that changes nothing. The same seed makes the same mutants of the same source, as many in each
folder.

A first run of the ordinary tests notes which of them reach which lines, and how long each takes
(``--reached FOLDER`` keeps that for another time). Against a mutant only those run that reach its
line, the quickest first.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
FIRST = 60
"""So many of the tests that reach a line find nearly every change of it that any test finds."""

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
"""What stands for an operator in a mutant."""


class Mutant(NamedTuple):
    """A module with one change, and the lines that tests of it reach.

    They are those of the whole module if what is changed is executed when it is imported.
    """

    module: str
    before: str
    place: slice
    new: str
    lines: range

    @property
    def after(self) -> str:
        """The text of the module with the change."""
        whole = self.before.encode()
        changed = whole[: self.place.start] + self.new.encode() + whole[self.place.stop :]
        return changed.decode()

    def diff(self) -> str:
        """Return the change."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), self.module, self.module, n=2
        )
        return "\n".join(line.rstrip("\n") for line in lines)


def mutants_of(module: str, text: str) -> Iterator[Mutant]:
    """Make every mutant of a module."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(node: ast.AST) -> slice:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return slice(
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )

    whole = text.encode()
    tree = ast.parse(text)
    bodies = [
        range(node.body[0].lineno, node.end_lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    ]
    statements = [
        (node.lineno, node.end_lineno) for node in ast.walk(tree) if isinstance(node, ast.stmt)
    ]
    for node, new in _changes(tree):
        where = place(node)
        if whole[where] == new.encode():
            continue
        begin, end = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        if any(begin in body for body in bodies):
            # Of a statement of several lines not all are reached as lines.
            begin = max(first for first, last in statements if first <= begin and end <= last)
            reached = range(begin, end + 1)
        else:
            reached = range(1, len(lines) + 1)
        yield Mutant(module, text, where, new, reached)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Return what to replace, and by what, in everything but annotations and what is shown."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "__repr__":
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.AnnAssign | ast.FunctionDef | ast.arg):
            parts = [node.value] if isinstance(node, ast.AnnAssign) and node.value else []
            parts += node.body if isinstance(node, ast.FunctionDef) else []
            for part in parts:
                yield from ((part, new) for new in _instead(part))
                yield from _changes(part)
            continue
        yield from ((node, new) for new in _instead(node))
        if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare):
            yield node.test, f"(not ({ast.unparse(node.test)}))"
        yield from _changes(node)


def _instead(node: ast.AST) -> Iterator[str]:
    """Return the texts that can stand for a part of a program."""
    match node:
        case ast.Constant(value=bool()):
            yield str(not node.value)
        case ast.Constant(value=int()):
            yield from (str(node.value + 1), f"({node.value - 1})")
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            new = ast.Compare(node.left, [OTHER[type(op)]()], node.comparators)  # type: ignore[list-item]
            yield f"({ast.unparse(new)})"
        case ast.BinOp() if type(node.op) in OTHER:
            new_op = OTHER[type(node.op)]()
            yield f"({ast.unparse(ast.BinOp(node.left, new_op, node.right))})"  # type: ignore[arg-type]
        case ast.BoolOp():
            yield f"({ast.unparse(ast.BoolOp(OTHER[type(node.op)](), node.values))})"  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.Not()):
            yield ast.unparse(node.operand)
        case ast.Return(value=ast.expr()):
            yield "return None"
        case ast.AugAssign() if type(node.op) in OTHER:
            new_op = OTHER[type(node.op)]()
            yield ast.unparse(ast.AugAssign(node.target, new_op, node.value))  # type: ignore[arg-type]
            yield "pass"
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield "pass"
        case ast.Assign(targets=[ast.Attribute()]) | ast.Break() | ast.Continue():
            yield "pass"


def chosen(modules: list[str], count: int, seed: str) -> list[Mutant]:
    """Return so many different mutants of modules, or folders of modules, as the seed has it.

    Each folder in turn gives one: a small room is as likely to have gaps as a large one.
    """
    folders: dict[Path, list[Mutant]] = {}
    for name in modules:
        for path in sorted((ROOT / name).rglob("*.py")) or [ROOT / name]:
            found = mutants_of(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
            folders.setdefault(path.parent, []).extend(found)
    for folder, found in folders.items():
        random.Random(f"{seed} {folder.relative_to(ROOT).as_posix()}").shuffle(found)
    turns = itertools.zip_longest(*folders.values())
    return [one for turn in turns for one in turn if one is not None][:count]


class Reached:
    """Which tests reach the lines of modules, and how many seconds each test takes."""

    def __init__(self, folder: Path) -> None:
        """Read what :func:`measured` has kept in a folder."""
        from coverage import CoverageData

        self._lines = CoverageData(str(folder / "lines"))
        self._lines.read()
        self._files = {
            f"porto_cli/{file.replace(os.sep, '/').rpartition('/porto_cli/')[2]}": file
            for file in self._lines.measured_files()
        }
        self._seconds: Counter[str] = Counter()
        parts = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(.*)", re.MULTILINE)
        for took, test in parts.findall((folder / "seconds").read_text("utf-8")):
            self._seconds[test] += float(took)

    def by(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach what is changed, the quickest first."""
        reached = self._lines.contexts_by_lineno(self._files.get(mutant.module, ""))
        contexts = {context for line in mutant.lines for context in reached.get(line, ())}
        found = {test for context in contexts if (test := context.rpartition("|")[0])}
        return sorted(found, key=lambda test: (self._seconds[test], test))


def measured(copy: Path, folder: Path) -> None:
    """Run the ordinary tests on a copy of the project; keep what they reach in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "coveragerc"
    settings.write_text(f"[run]\ndata_file = {folder / 'lines'}\n", "utf-8")
    done = _pytest(
        copy,
        *("--cov=porto_cli", "--cov-context=test", "--cov-report=", f"--cov-config={settings}"),
        *("--durations=0", "-vv", "-n", "auto"),
    )
    if done.returncode:
        raise SystemExit(f"The tests fail on the project as it is:\n{done.stdout[-2000:]}")
    (folder / "seconds").write_text(done.stdout, "utf-8")


def _pytest(copy: Path, *args: str, limit: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest on a copy of the project."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
    )


def who_notices(mutant: Mutant, copy: Path, tests: list[str], seconds: float) -> str | None:
    """Return the test that fails with this mutant in the copy, or nothing if all of them pass.

    None says that there was no time for all of them.
    """
    target = copy / mutant.module
    _write(target, mutant.after)
    end = time.monotonic() + seconds
    try:
        for some in filter(None, (tests[:FIRST], tests[FIRST:])):
            Path(copy, "chosen").write_text("\n".join(some), "utf-8")
            left = max(end - time.monotonic(), 1)
            try:
                done = _pytest(copy, "-x", "-n", "0", "-m", "", "@chosen", limit=left)
            except subprocess.TimeoutExpired:
                return "they do not end" if some[0] == tests[0] else None
            if done.returncode:
                failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", done.stdout, re.M)
                return failed[1] if failed else f"pytest: {done.stderr.strip()[:200]}"
        return ""
    finally:
        _write(target, mutant.before)


_SECONDS = itertools.count(int(time.time()))


def _write(module: Path, text: str) -> None:
    """Write a module so that no compiled one of the same length and second is taken for it."""
    module.write_text(text, "utf-8")
    second = next(_SECONDS)
    os.utime(module, (second, second))


def main() -> int:
    """Try the mutants; return 1 if some survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", default=["porto_cli"], help="modules or folders")
    parser.add_argument("--count", type=int, default=60, help="how many mutants (default 60)")
    parser.add_argument("--seed", default="1", help="which ones (default 1)")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first so many")
    parser.add_argument("--seconds", type=float, default=150, help="for the tests of a mutant")
    parser.add_argument("--minutes", type=float, default=600, help="begin no mutant after them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at once")
    parser.add_argument(
        "--reached", type=Path, help="which tests of this commit reach what; made if missing"
    )
    args = parser.parse_args()
    end = time.monotonic() + 60 * args.minutes
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(args.jobs):
            copies.put(copy := Path(folder, f"copy-{number}"))
            shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        reached = args.reached or Path(folder, "reached")
        if not reached.exists():
            measured(copy, reached.resolve())
        mutants = chosen(args.modules, args.count, args.seed)[args.skip :]
        tests_of = [*map(Reached(reached).by, mutants)]

        def tried(mutant: Mutant, tests: list[str]) -> str | None:
            """Return who notices; None also if it was too late to ask."""
            if time.monotonic() > end:
                return None
            copy = copies.get()
            try:
                return who_notices(mutant, copy, tests, args.seconds)
            finally:
                copies.put(copy)

        found: Counter[str] = Counter()
        with ThreadPoolExecutor(args.jobs) as pool:
            answers = pool.map(tried, mutants, tests_of)
            for nth, (mutant, tests, answer) in enumerate(
                zip(mutants, tests_of, answers, strict=True)
            ):
                what = "open" if answer is None else "killed" if answer else "SURVIVES"
                found[what] += 1
                print(f"{args.skip + nth + 1:3} {what} {mutant.module} {answer or ''}", flush=True)
                if answer == "":
                    print(f"{len(tests)} tests reach it.\n{mutant.diff()}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in found.items()))
    return 1 if found["SURVIVES"] else 0


if __name__ == "__main__":
    sys.exit(main())
