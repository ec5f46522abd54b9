"""Imports run one way, engines need nothing but themselves, and no game is known by name outside.

The order is ``ORDER``, from below.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.shares import for_each

PACKAGE = Path(__file__).parent.parent / "porto_cli"

ORDER = [
    ("core", "home"),
    ("term", "games.*.engine"),
    ("paper", "kinds", "fields", "seam"),
    ("abilities",),
    ("rules",),
    ("words", "players"),
    ("scene",),
    ("asking",),
    ("shown",),
    ("games",),
    ("match",),
    ("settings",),
    ("installed",),
    ("match.*",),
    ("sealed",),
    ("scenario", "simulate.*", "players.*", "research"),
    ("pages", "next_step", "user"),
    ("mail",),
    ("games.*.*",),
    ("games.*.shows",),
    ("cli",),
    ("testing", "__main__"),
]
"""A module may import from its own layer and from those before it."""
LEVEL = {name: level for level, layer in enumerate(ORDER) for name in layer}


SHOWING = ("shown", "picture", "options", "orders", "panes", "new_game", "simulation")
"""What a game shows and reads."""


@cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted(PACKAGE.rglob("*.py")))


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(name: str) -> str:
    """Return the layer of a module by its name below the package: its own, or that of the others
    in its folder.
    """
    parts = name.split(".")
    if parts[0] == "games" and len(parts) > 2:
        kind = "shows" if parts[2] in SHOWING else parts[2]
        return f"games.*.{kind}" if f"games.*.{kind}" in LEVEL else "games.*.*"
    if name in LEVEL:
        return name
    return f"{parts[0]}.*" if f"{parts[0]}.*" in LEVEL else parts[0]


class Read(NamedTuple):
    """What a module imports, and the names that it uses."""

    imports: list[str]
    names: set[str]
    at_once: list[str]
    in_functions: list[str]


@cache
def read(path: Path) -> Read:
    found = Read([], set(), [], [])
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    inner = {
        id(one) for node in nodes if isinstance(node, ast.FunctionDef) for one in ast.walk(node)
    }
    for node in nodes:
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            imported = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            found.names.update([node.id] if isinstance(node, ast.Name) else [])
            continue
        found.imports.extend(imported)
        if not node.col_offset:
            found.at_once.extend(imported)
        elif id(node) in inner:
            found.in_functions.extend(imported)
    return found


def own_imports(path: Path) -> list[str]:
    """Return the modules of this package that a module imports, without its name; a name of the
    package itself is one of those.
    """
    return ours(read(path).imports)


def ours(imports: Iterable[str]) -> list[str]:
    names = [name[10:] for name in imports if name.startswith("porto_cli.")]
    return [name if name in here() else name.rpartition(".")[0] or name for name in names]


@cache
def here() -> frozenset[str]:
    """All modules of this package."""
    return frozenset(map(dotted, modules()))


# A law is one test for all modules, which tells every one that breaks it: a test for each module
# would spend more on being a test than on the module.


def own_imports_of_all() -> Iterator[tuple[str, str]]:
    """Return each module of this package, with each name of it that the module imports."""
    for path in modules():
        for there in own_imports(path):
            yield dotted(path), there


@pytest.mark.long
def test_imports_run_one_way() -> None:
    assert [
        f"{there} is above {here}"
        for here, there in own_imports_of_all()
        if here and there != "__version__" and LEVEL[layer_of(there)] > LEVEL[layer_of(here)]
    ] == []


@pytest.mark.long
def test_only_one_module_imports_private_parts_of_typer() -> None:
    users = [
        dotted(path)
        for path in modules()
        if any(name.startswith("typer._") for name in read(path).imports)
    ]
    assert users == ["cli.app"]


def test_only_a_game_imports_a_game_and_only_itself() -> None:
    wrong = []
    for here, there in own_imports_of_all():
        place, parts = here.split("."), there.split(".")
        own = place[1] if place[0] == "games" and place[1:] else None
        if parts[0] == "games" and parts[1:] and parts[1] != own:
            wrong.append(f"{here} imports {there}")
    assert wrong == []


def test_there_is_no_circle() -> None:
    """Not even one of imports that are made late."""
    needs = {dotted(path): {*own_imports(path)} - {"__version__"} for path in modules()}
    TopologicalSorter(needs).prepare()


def test_an_import_inside_a_function_saves_something() -> None:
    """What is loaded with the module anyway is imported at its top."""
    at_once = {dotted(path): {*ours(read(path).at_once)} for path in modules()}
    for _ in range(8):  # Each time twice as far.
        for one, found in at_once.items():
            at_once[one] = found.union(*(at_once.get(other, ()) for other in found))
    late = {dotted(path): ours(read(path).in_functions) for path in modules()}
    assert {one: there for one, names in late.items() if (there := at_once[one] & {*names})} == {}


ENGINES = sorted((PACKAGE / "games").glob("*/engine/*.py"))
FORBIDDEN = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "sys", "socket"}
FOR_RULES = ("core.chance", "core")


@for_each("path", ENGINES)
def test_an_engine_needs_nothing_but_itself(path: Path) -> None:
    own = ".".join(dotted(path).split(".")[:3])
    for name in read(path).imports:
        if name.startswith("porto_cli."):
            there = name[10:]
            assert there.startswith((own, *FOR_RULES)), there
        else:
            assert name.split(".")[0] in sys.stdlib_module_names - FORBIDDEN, name


CRYPTOGRAPHY = {"sealed", "sealed.steps", "sealed.dealing"}
"""What knows no files, YAML, terminals or games: bytes in, bytes out."""


def test_cryptography_stands_in_one_place() -> None:
    """Elsewhere nobody looks for it, and ordinary commands do not wait for it."""
    for path in modules():
        here = dotted(path)
        if here in CRYPTOGRAPHY:
            for there in own_imports(path):
                known = (
                    f"{there}.".startswith("core.")
                    or {there, there.rpartition(".")[0]} & CRYPTOGRAPHY
                )
                assert known, f"{here} imports {there}"
        else:
            assert "nacl" not in {name.split(".")[0] for name in read(path).imports}, here


FORBIDDEN = {
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "imaplib", "xmlrpc", "webbrowser"),
    "requests",
    *("subprocess", "pickle", "marshal", "shelve", "ctypes"),
}
"""What reaches the network, runs programs, or makes code of data."""
SENDING = {
    "mail.account": {"socket", "ssl", "smtplib", "subprocess", "urllib"},
    "mail.imap": {"ssl", "imaplib"},
}
"""Who sends or fetches mail has to, with the server and the command that the user's own settings
name."""
SENDERS = {*SENDING, "mail.posting", "cli.receive"}


READING = {"cli.help": {"subprocess"}}
"""A manual page is shown by ``man``; which one does not depend on a record."""
OPENING = {"cli.output": {"webbrowser"}}
"""The user's browser opens a page that was just written, whose name is that of --output."""
QUOTING = {"mail.offers": {"urllib"}, "mail.incoming": {"urllib"}}
"""``urllib.parse`` writes a link, or reads what is left of one; it reaches nothing."""


def test_a_record_can_reach_neither_the_network_nor_other_programs() -> None:
    # Tests of values compare them with what was pickled.
    allowed = SENDING | READING | OPENING | QUOTING | {"testing.laws": {"pickle"}}
    for path in modules():
        here = dotted(path)
        reached = FORBIDDEN & {name.split(".")[0] for name in read(path).imports}
        assert reached == allowed.get(here, set()), here
        assert not read(path).names & {"eval", "exec", "compile", "__import__"}, here


def test_only_the_command_that_sends_reaches_what_sends() -> None:
    for path in modules():
        names = own_imports(path)
        reached = {*names, *(name.rpartition(".")[0] for name in names)} & SENDING.keys()
        assert not reached or dotted(path) in SENDERS, dotted(path)


# --- identifiers ------------------------------------------------------------------------------


TERMS = {
    # Porto
    *("house", "card", "contract", "roof", "token", "timer", "edition", "floor", "neighbor"),
    *("palette", "refill", "discard", "deck", "claim", "hand", "river", "street", "builder"),
    # Puerto Rico
    *("hacienda", "colonist", "doubloon", "plantation", "quarry", "tile", "island", "cargo"),
    *("barrel", "governor", "settler", "mayor", "craftsman", "trader", "captain", "prospector"),
    *("role", "wharf", "violet", "city", "good", "ship", "sugar", "tobacco"),
}
"""Words that mean something in the rules of a game."""

ENGLISH = {
    "abilities.py": {"hand"},  # what is dealt to a player alone
    "cli/rules.py": {"card"},  # the reference card
    "cli/output.py": {"card"},  # the reference card
    "cli/session.py": {"hand"},  # handing over the keyboard
    "installed.py": {"card"},  # the reference card
    "seam.py": {"card"},  # the reference card
    "shown.py": {"card"},  # the reference card
    "mail/letter.py": {"card"},  # the reference card
    "pages.py": {"card"},  # the reference card
    "paper/page.py": {"role"},  # of a picture, for screen readers
    "mail/imap.py": {"token"},  # of the protocol
    "mail/inbox.py": {"good"},
    "match/record.py": {"good"},
    "sealed/course.py": {"hand"},  # what is dealt to a player alone
    "sealed/dealing.py": {"hand"},
    "sealed/chain.py": {"token"},  # secrets.token_hex
    "research/pettingzoo.py": {"good"},
}
"""Where a word has its common meaning."""


def outside() -> list[Path]:
    """Return the modules that belong to no game; the registry names what records of games hold."""
    return sorted(
        path
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in ("games", "__init__.py")
    )


def named(path: Path) -> Iterator[tuple[int, str]]:
    """Return all that a module names, with the lines: identifiers, and texts that are keys."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield line, name
            case ast.keyword(arg=str(name)):
                yield node.value.lineno, name
            case ast.alias(name=name, asname=asname):
                yield line, asname or name.rpartition(".")[2]
            case ast.Dict(keys=keys):
                yield from _texts(keys)
            case ast.Subscript(slice=ast.Constant() as key):
                yield from _texts([key])
            case ast.Compare(left=left, comparators=others):
                yield from _texts([left, *others])


def _texts(nodes: Sequence[ast.expr | None]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@cache
def words_of(name: str) -> set[str]:
    """Return the words of a name, in the singular: ``RoofPlaced``, ``face_up_cards``."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return {form for word in words for form in (word.lower(), _singular(word.lower()))}


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


@pytest.mark.long
def test_nothing_outside_the_games_is_called_like_a_part_of_one() -> None:
    wrong = []
    for path in outside():
        place = path.relative_to(PACKAGE).as_posix()
        allowed = ENGLISH.get(place, set())
        found = [(line, name, words_of(name) & TERMS) for line, name in named(path)]
        wrong += [f"{place}:{line}: {name}" for line, name, words in found if words - allowed]
        spare = allowed.difference(*(words for _, _, words in found))
        wrong += [f"{place}: {word} is allowed, and not there" for word in sorted(spare)]
    assert wrong == []


def test_a_word_is_found_however_it_is_written() -> None:
    assert words_of("FACE_UP_CARDS") >= {"face", "up", "card"}
    assert words_of("RoofPlaced") == {"roof", "placed"}
    assert "city" in words_of("cities")
