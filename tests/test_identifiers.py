"""What belongs to no game knows no word of one: no identifier, and no key, is a term of a game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "porto_cli"

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
    "cli/session.py": {"hand"},  # handing over the keyboard
    "cli/verify.py": {"good"},
    "core/chance.py": {"token"},  # secrets.token_hex
    "core/ruling.py": {"card"},
    "match/match.py": {"good"},
    "match/record.py": {"good"},
    "match/sealed.py": {"hand"},  # what is dealt to a player alone
    "match/signed.py": {"token"},  # secrets.token_hex
    "sealed/audit.py": {"hand"},  # what a player holds, in every game
    "sealed/setup.py": {"hand"},
}
"""Where a word has its common meaning."""


def outside() -> list[Path]:
    """Return the modules that belong to no game; the registry names what records of games hold."""
    return sorted(
        path
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in ("games", "__init__.py", "game.py")
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
