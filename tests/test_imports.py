"""Imports run one way, and the rules need nothing but the standard library."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "porto_cli"

# A module may import from its own layer and from those below it.
LAYERS = [
    ("rules",),
    ("errors",),
    ("signals", "attributes"),
    ("characters", "ambiguity", "notation", "chance", "quoting", "yamltext", "schema", "rulings"),
    ("games",),
    ("files",),
    ("editions",),
    ("record",),
    ("items",),
    ("replay",),
    ("happenings", "record_files", "suggest"),
    ("view",),
    ("api", "render", "scenario", "simulate"),
    ("ui",),
    ("play",),
    ("cli",),
    ("__main__",),
]
LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def layer_of(dotted: str) -> str | None:
    parts = dotted.split(".")
    if parts[0] != "porto_cli":
        return None
    if parts[1:2] == ["games"] and parts[3:4] == ["ui"]:
        return "ui"
    return parts[1] if len(parts) > 1 else ""


def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            if node.module == "porto_cli":
                found += [f"porto_cli.{alias.name}" for alias in node.names]
            else:
                found.append(node.module or "")
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    dotted = path.relative_to(PACKAGE.parent).with_suffix("").parts
    here = layer_of(".".join(dotted)) or ""
    if here == "__init__":
        return
    assert here in LEVEL, f"{here} has no place in LAYERS"
    for name in imports_of(path):
        there = layer_of(name)
        if there is None or there in ("", "__version__"):
            continue
        if there in ("Match", "load", "loads", "new_game"):
            there = "api"
        assert LEVEL[there] <= LEVEL[here], f"{here} imports {there}, which is above it"


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda p: p.name)
def test_the_rules_need_only_the_standard_library(path: Path) -> None:
    for name in imports_of(path):
        assert name.startswith("porto_cli.rules") or name.split(".")[0] in sys.stdlib_module_names


def test_the_rules_know_no_files_clock_or_randomness() -> None:
    forbidden = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "sys", "socket"}
    for path in (PACKAGE / "rules").rglob("*.py"):
        assert not forbidden & {name.split(".")[0] for name in imports_of(path)}, path


ENGINES = sorted((PACKAGE / "games").glob("*/engine/*.py"))
LENT_BY_PORTO = {f"porto_cli.rules.{module}" for module in ("sentence", "state", "violation")}
"""What every game needs and one of them still houses."""


@pytest.mark.parametrize("path", ENGINES, ids=lambda path: path.name)
def test_an_engine_needs_nothing_but_itself(path: Path) -> None:
    own = ".".join(("porto_cli", *path.parent.relative_to(PACKAGE).parts))
    forbidden = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "socket"}
    for name in imports_of(path):
        library = name.split(".")[0]
        if library == "porto_cli":
            assert name.startswith(own) or name in LENT_BY_PORTO
        else:
            assert library in sys.stdlib_module_names - forbidden


STRANGERS_MAY_NOT = {
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "xmlrpc", "webbrowser", "requests"),
    *("subprocess", "pickle", "marshal", "shelve", "ctypes"),
}
"""What reaches the network, runs programs, or makes code of data."""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_record_can_reach_neither_the_network_nor_other_programs(path: Path) -> None:
    assert not STRANGERS_MAY_NOT & {name.split(".")[0] for name in imports_of(path)}
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    names = {node.id for node in tree if isinstance(node, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__"}
