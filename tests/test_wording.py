"""The wording: one spelling, the American one, and sentences that promise no more than holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine import PRIVATE, PRIVATE_NAMES
from porto_cli.games.porto.phrases import private_contract
from tests.conftest import ROOT
from tests.shares import for_each

FOLDERS = ("porto_cli", "tests", "bench", "docs", "examples", "man", "records", "scenarios")
ENDINGS = {".py", ".md", ".toml", ".yaml", ".css", ".js", ".1", ".5", ".7"}
BRITISH = re.compile(
    r"\b(?:fulfil(?:s|ment)?\b|un?fulfil\b|(?:neighbo|colo|favo|hono|behavio|labo)ur|licence"
    r"|grey\b|centre|metre\b|catalogue|dialogue|cheque|programme\b|defence|artefact|judgement"
    r"|(?:recogn|organ|serial|normal|initial|optim|summar|capital|synchron)is(?:e|ing|ation)"
    r"|analyse[dr]?\b|labelled\b|modell|travell|signall|whilst|amongst|way round\b)",
    re.IGNORECASE,
)


def texts() -> list[Path]:
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    found += [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    return [
        path
        for path in found
        if path.suffix in ENDINGS and path.name not in ("test_wording.py", "test_rulings.py")
    ]


@pytest.mark.long
def test_the_spelling_is_american() -> None:
    """The search for rulings knows other spellings, and nothing else does."""
    found = {}
    for path in texts():
        text = path.read_text("utf-8").partition("[search.synonyms]")[0]
        found[str(path.relative_to(ROOT))] = BRITISH.findall(text)
    assert len(found) > 250
    assert {name: words for name, words in found.items() if words} == {}


@for_each("kind", sorted({contract.kind for contract in PRIVATE}))
def test_a_private_contract_counts_houses_and_asks_nobody_to_build_them(kind: str) -> None:
    """P-PRIV-0: completed houses count, whoever built them."""
    scale = shipped(DEFAULT).private[kind]
    number = [contract.kind for contract in PRIVATE].index(kind)
    sentence = str(private_contract(PRIVATE_NAMES[number], scale))
    assert "completed" in sentence.casefold()
    assert not sentence.startswith("Complete ")
    paid = [f"{vp} VP for {count}" for count, vp in enumerate(scale, 1)]
    assert sentence.endswith(f": {', '.join(paid)}." if len(scale) > 1 else f": {scale[0]} VP.")


BOX = (
    *("--secrecy", "table", "--cards", "red-2,blue-1,red-1,yellow-3,red-1"),
    *("--tokens", "L3=1,L4=2,L5=1,L6=4,L7=3,R1=1,R2=2,R3=1,R4=3,R5=2"),
    *("--contracts", "blue+red,2-green-floors,red-house,1-red-floor"),
)


@pytest.mark.parametrize(
    ("args", "hidden"),
    [
        (("Ana", "Bob"), ["predict the deck", "the others' private contracts"]),
        (("Ana", "Bob", "--first-game"), ["predict the deck"]),
        (("Ana",), ["predict the deck"]),
        (("Ana", "Bob", *BOX), []),
    ],
    ids=["open", "first-game", "solo", "real-table"],
)
def test_a_new_game_says_what_it_does_not_protect(args, hidden, porto) -> None:
    result = porto("new", "game.yaml", *args)
    assert result.code == 0
    for text in ("predict the deck", "the others' private contracts"):
        assert (text in result.out) == (text in hidden)
    assert porto("new", "quiet.yaml", *args, "--quiet").out == ""
