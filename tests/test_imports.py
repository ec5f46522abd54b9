"""Imports run one way, engines need nothing but themselves, and no game is known by name outside.

The order, from below: what knows no game, the engines, the seam, what belongs to a game, what
works with any game, how a game is shown, the commands.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "porto_cli"

ORDER = [
    ("core", "home"),
    ("term", "games.*.engine", "sealed", "keys"),
    ("game",),
    ("rulings",),
    ("match",),
    ("settings", "settings_file"),
    ("scenario", "simulate", "players", "commands", "ui", "game_ui"),
    ("mail",),
    ("games.*",),
    ("games.*.ui",),
    ("cli",),
    ("__main__",),
]
"""A module may import from its own layer and from those before it."""
LEVEL = {name: level for level, layer in enumerate(ORDER) for name in layer}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(name: str) -> str:
    """Return the layer of a module by its name below the package."""
    parts = name.split(".")
    if parts[0] != "games" or len(parts) == 1:
        return parts[0]
    return f"games.*.{parts[2]}" if parts[2:] and parts[2] in ("engine", "ui") else "games.*"


@cache
def imports_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def own_imports(path: Path) -> list[str]:
    """Return what a module imports of this package, without its name."""
    return [name[10:] for name in imports_of(path) if name.startswith("porto_cli.")]


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_run_one_way(path: Path) -> None:
    here = dotted(path)
    if here in ("", "games"):
        return
    for there in own_imports(path):
        if there == "__version__":
            continue
        assert LEVEL[layer_of(there)] <= LEVEL[layer_of(here)], f"{there} is above {here}"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_only_a_game_imports_a_game_and_only_itself(path: Path) -> None:
    here = dotted(path).split(".")
    own = here[1] if here[0] == "games" and here[1:] else None
    for there in own_imports(path):
        parts = there.split(".")
        assert parts[0] != "games" or parts[1] == own, f"{'.'.join(here)} imports {there}"


def test_there_is_no_circle() -> None:
    """Not even one of imports that are made late."""
    names = {dotted(path) for path in modules()}
    needs = {
        dotted(path): {
            there if there in names else there.rpartition(".")[0] for there in own_imports(path)
        }
        & names
        for path in modules()
    }
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way, name))
        if name not in done:
            for other in sorted(needs[name]):
                visit(other, (*way, name))
            done.add(name)

    for name in sorted(names - {""}):
        visit(name, ())


ENGINES = sorted((PACKAGE / "games").glob("*/engine/*.py"))
FORBIDDEN = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "sys", "socket"}
FOR_RULES = ("core.chance", "core.errors", "core.message", "core.value", "core.violation")


@pytest.mark.parametrize("path", ENGINES, ids=dotted)
def test_an_engine_needs_nothing_but_itself(path: Path) -> None:
    own = ".".join(dotted(path).split(".")[:3])
    for name in imports_of(path):
        if name.startswith("porto_cli."):
            there = name[10:]
            assert there.startswith((own, *FOR_RULES)), there
        else:
            assert name.split(".")[0] in sys.stdlib_module_names - FORBIDDEN, name


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_cryptography_stands_in_one_place(path: Path) -> None:
    """Elsewhere nobody looks for it, and ordinary commands do not wait for it."""
    if layer_of(dotted(path)) == "sealed":
        assert {layer_of(there) for there in own_imports(path)} <= {"sealed", "core"}
    else:
        assert not any(name.split(".")[0] == "nacl" for name in imports_of(path))


STRANGERS_MAY_NOT = {
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "xmlrpc", "webbrowser", "requests"),
    *("subprocess", "pickle", "marshal", "shelve", "ctypes"),
}
"""What reaches the network, runs programs, or makes code of data."""
SENDING = {"mail.send": {"socket", "ssl", "smtplib"}, "mail.passwords": {"subprocess"}}
"""Who sends mail has to, with the server and the command that the user's own settings name."""
SENDERS = {"mail.send", "cli.mail"}


ASKING = {"keys.passphrases": {"subprocess"}}
"""A passphrase can come from a command that the user's own environment names."""


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_a_record_can_reach_neither_the_network_nor_other_programs(path: Path) -> None:
    reached = STRANGERS_MAY_NOT & {name.split(".")[0] for name in imports_of(path)}
    assert reached == (SENDING | ASKING).get(dotted(path), set())
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    names = {node.id for node in tree if isinstance(node, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__"}


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_only_the_command_that_sends_reaches_what_sends(path: Path) -> None:
    names = own_imports(path)
    reached = {*names, *(name.rpartition(".")[0] for name in names)} & SENDING.keys()
    assert not reached or dotted(path) in SENDERS
