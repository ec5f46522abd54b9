"""Change the rules at random and see who notices: ``python -m tests.mutants --count 60``.

Each mutant is one module with one small change. Tests run on a copy of the project, never on the
project itself; what they do not notice is printed as a diff. It is a gap in the tests, or a change
that changes nothing. The same seed makes the same mutants of the same source.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("porto_cli", "tests", "records", "scenarios", "examples", "docs", "man", "pyproject.toml")
RULES = ("porto_cli/games/porto/engine",)
QUICK = (
    "tests/porto/test_engine_reference.py",
    "tests/porto/test_perft.py",
    "tests/porto/test_hand_built_moves.py",
    "tests/conformance/test_casebook.py",
    "tests/porto/test_engine_invariants.py",
)

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
    """A module with one change."""

    module: str
    before: str
    after: str

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
    for node, new in _changes(ast.parse(text)):
        where = place(node)
        changed = whole[: where.start] + new.encode() + whole[where.stop :]
        if changed != whole:
            yield Mutant(module, text, changed.decode())


def _changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Return what to replace, and by what, in everything but annotations and what is shown."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "__repr__":
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
    """Return so many different mutants of modules, or folders of modules, as the seed has it."""
    paths = [
        path for name in modules for path in sorted((ROOT / name).rglob("*.py")) or [ROOT / name]
    ]
    every = [
        mutant
        for path in paths
        for mutant in mutants_of(str(path.relative_to(ROOT)), path.read_text("utf-8"))
    ]
    return random.Random(seed).sample(every, min(count, len(every)))


def passes(copy: Path, tests: list[str], seconds: float) -> bool:
    """Run the tests on a copy of the project; one that does not end in time has failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        return not subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return False


def survives(mutant: Mutant, copy: Path, tests: list[str], seconds: float) -> bool:
    """Return whether the tests pass with this mutant in the copy."""
    target = copy / mutant.module
    _write(target, mutant.after)
    try:
        return passes(copy, tests, seconds)
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
    parser.add_argument("modules", nargs="*", default=[*RULES], help="modules or folders")
    parser.add_argument("--count", type=int, default=60, help="how many mutants (default 60)")
    parser.add_argument("--seed", default="1", help="which ones (default 1)")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first so many")
    parser.add_argument("--seconds", type=float, default=90, help="for the tests of a mutant")
    parser.add_argument("--tests", nargs="+", default=[*QUICK], help="what pytest shall run")
    args = parser.parse_args()
    mutants = chosen(args.modules, args.count, args.seed)[args.skip :]
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name)
            else:
                shutil.copy(ROOT / name, copy / name)
        if not passes(copy, args.tests, args.seconds):
            parser.error("the tests fail on the project as it is")
        for number, mutant in enumerate(mutants, start=args.skip + 1):
            start = time.monotonic()
            alive = survives(mutant, copy, args.tests, args.seconds)
            survivors += alive
            took = time.monotonic() - start
            print(f"{number:3} {'SURVIVES' if alive else 'killed':8} {took:5.1f} s {mutant.module}")
            if alive:
                print(mutant.diff())
            sys.stdout.flush()
    print(f"{survivors} of {len(mutants)} mutants survive.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
