"""Records laid out by a grammar are read as what was put into them, or refused."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from porto_cli.core import yaml as own_yaml
from porto_cli.match import record
from tests import grammar


@pytest.mark.parametrize("files", [40, pytest.param(200, marks=pytest.mark.long)])
def test_records_in_every_layout(files: int) -> None:
    report = grammar.hunt("ribeira", files=files, growing=False)
    assert not report.findings, "\n".join(["", *report.findings])
    assert report.files == files
    assert 0.2 < report.read / files < 0.8


def test_a_document_is_made_of_everything_that_yaml_has() -> None:
    documents = [grammar.document_of("ribeira", number) for number in range(100)]
    fouls = Counter(foul for document in documents for foul in document.fouls)
    assert len(fouls) > 12
    text = "".join(document.text for document in documents)
    for sign in ("\r\n", ": |-", ": >-", "# ", "'", '"', "\\U", "\\x", "[", "{", "---\n", "\ufeff"):
        assert sign in text
    assert grammar.document_of("ribeira", 7) == documents[7], "a number makes the same one again"


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (own_yaml, "find_ambiguity", lambda text, events: None),
        # It takes many files until one has such a character and is not refused for another reason.
        pytest.param(
            *(own_yaml, "find_forbidden", lambda text, lines=True: None), marks=pytest.mark.long
        ),
        (record, "scalar", lambda text: text),
        (record, "item_lines", lambda *given, **more: []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_broken_is_found(monkeypatch, module, name: str, broken) -> None:
    """A hunt that finds nothing is worth something only if it would find something."""
    for number in range(grammar.GAMES):
        grammar.game_of(number)
    monkeypatch.setattr(module, name, broken)
    assert grammar.hunt("broken", files=300, growing=False, most=1).findings


def test_a_traceback_is_found(monkeypatch) -> None:
    def crash(*_: object) -> None:
        raise KeyError("players")

    document = grammar.document_of("crash", 1)
    monkeypatch.setattr(own_yaml, "find_ambiguity", crash)
    monkeypatch.setattr(own_yaml, "is_unusual", lambda text: True)
    assert "KeyError" in grammar.complaint(document, random.Random(1))


def test_time_that_grows_too_fast_is_found(monkeypatch) -> None:
    sizes = []

    def squared(command: str, text: str, times: int) -> float:
        sizes.append(len(text))
        return (len(text) / 1_000_000) ** 2

    monkeypatch.setattr(grammar, "_seconds", squared)
    assert "times as much" in grammar.growth("a long comment", "verify -")
    assert sizes[1] > 3 * sizes[0]
    monkeypatch.setattr(grammar, "_seconds", lambda command, text, times: len(text) / 1_000_000)
    assert not grammar.growth("a long comment", "verify -")


@pytest.mark.parametrize("family", grammar.FAMILIES)
def test_every_growing_file_is_read_by_every_command(family: str) -> None:
    """How long it takes is measured where there is time for it."""
    _, text, commands = grammar.FAMILIES[family]
    for command in commands:
        grammar._seconds(command, text(3), 1)
